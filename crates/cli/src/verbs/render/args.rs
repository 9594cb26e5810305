//! The options of `render`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use meshwright::Format;
use meshwright::render::frame::{LIGHT_RIGS, LightRig, Overlays, Wireframe};
use meshwright::render::soft::{Background, LONGEST_SIDE};

use super::movie::PictureFormat;
use crate::args::{Jobs, SearchArgs, folder_parser, format_parser, parse_team_color};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RenderArgs {
    /// Input and output file, or - for standard input and output; with --out-dir or --sheet, any number of files, folders, archives and globs
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Read the input as this format instead of detecting it
    #[arg(long = "as", value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    pub(super) forced: Option<&'static Format>,
    /// Render many models into this folder; preserves sub-directories
    #[arg(short, long, value_name = "DIR", value_parser = folder_parser(), group = "target")]
    pub(super) out_dir: Option<PathBuf>,
    /// Render all models on one labelled contact sheet
    #[arg(long, value_name = "FILE", group = "target", conflicts_with_all = ["animate", "turntable"])]
    pub(super) sheet: Option<PathBuf>,
    /// Write each frame of an animation into this folder, as 0000.png and so on
    #[arg(long, value_name = "DIR", group = "target")]
    pub(super) frames: Option<PathBuf>,
    /// Write this format instead of the one of the output extension
    #[arg(long, value_name = "FORMAT")]
    pub(super) to: Option<PictureFormat>,
    /// Size in pixels: 640x480, or one number for a square [default: 512; 256 on a sheet]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub(super) size: Option<[u32; 2]>,
    /// Background: RRGGBB, black, white, grey or transparent
    #[arg(long, value_name = "COLOUR", value_parser = parse_background, default_value = "grey")]
    pub(super) background: Background,
    /// Print one JSON document about all images
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) jobs: Jobs,
    #[command(flatten)]
    pub(super) search: SearchArgs,
    #[command(flatten, next_help_heading = "Options for time and view")]
    pub(super) view: ViewArgs,
    #[command(flatten, next_help_heading = "Options for animations")]
    pub(super) motion: MotionArgs,
    #[command(flatten, next_help_heading = "Options for what is shown")]
    pub(super) show: ShowArgs,
}

#[derive(Debug, Args)]
pub(super) struct ViewArgs {
    /// Play this clip, given by name or prefix; `none` is the rest pose [default: the Stand clip]
    #[arg(long, value_name = "NAME")]
    pub(super) clip: Option<String>,
    /// Time in the clip, in seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    pub(super) time: Option<f32>,
    /// Camera: front, side, top, iso, yaw and pitch in degrees such as 30,20, or the name of a camera in the model [default: the
    /// model's own camera for portraits, otherwise iso]
    #[arg(long, value_name = "VIEW", allow_hyphen_values = true)]
    pub(super) camera: Option<String>,
    /// Light: w3dview, viewer, contrast or flat [default: as in the game's viewer]
    #[arg(long, value_name = "NAME", value_parser = parse_light)]
    pub(super) light: Option<LightRig>,
}

#[derive(Debug, Args)]
pub(super) struct MotionArgs {
    /// Write an animation of the clip: APNG, GIF or WebP by the extension of OUT
    #[arg(long)]
    pub(super) animate: bool,
    /// Write an animation of N frames in which the camera circles the model
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_FRAMES))]
    pub(super) turntable: Option<u32>,
    /// Frames per second
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) fps: u32,
}

/// The largest number of frames in an animation.
pub(super) const MAX_FRAMES: i64 = 2000;

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// Team colour: RRGGBB, a name such as `blue` or `bfme:red`, or a Warcraft III player number from 0 to 23
    #[arg(long, value_name = "COLOUR", value_parser = parse_team_color)]
    pub(super) team_color: Option<[u8; 3]>,
    /// Show the edges of triangles, instead of the model or on top of it
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "only")]
    wireframe: Option<WireframeArg>,
    /// Show the skeleton
    #[arg(long)]
    bones: bool,
    /// Show the bounding box and sphere
    #[arg(long)]
    extents: bool,
    /// Show collision shapes
    #[arg(long)]
    collision: bool,
    /// Show a grid on the ground
    #[arg(long)]
    grid: bool,
    /// Hide particles and ribbons
    #[arg(long)]
    pub(super) no_particles: bool,
    /// Show a glow where events, emitted models and effects would need other files
    #[arg(long, conflicts_with = "no_particles")]
    pub(super) markers: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum WireframeArg {
    /// Instead of the model
    Only,
    /// On top of the model
    Over,
}

impl ShowArgs {
    pub(super) fn overlays(&self) -> Overlays {
        Overlays {
            wireframe: match self.wireframe {
                None => Wireframe::Off,
                Some(WireframeArg::Only) => Wireframe::Only,
                Some(WireframeArg::Over) => Wireframe::Over,
            },
            grid: self.grid,
            bones: self.bones,
            extents: self.extents,
            collision: self.collision,
            ..Overlays::default()
        }
    }
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=LONGEST_SIDE).contains(side));
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let size = side(width).zip(side(height)).map(|(width, height)| [width, height]);
    size.ok_or_else(|| {
        format!("expected a size such as 640x480, or one number; sides go up to {LONGEST_SIDE}")
    })
}

/// The colour of `--background grey`. Both glow and black are visible on it.
const GREY: [u8; 3] = [90, 94, 102];

fn parse_background(text: &str) -> Result<Background, String> {
    let color = match text.to_ascii_lowercase().as_str() {
        "transparent" => return Ok(Background::Transparent),
        "black" => [0; 3],
        "white" => [255; 3],
        "grey" | "gray" => GREY,
        other => {
            let digits = other.strip_prefix('#').unwrap_or(other);
            let is_color = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let number = is_color.then(|| u32::from_str_radix(digits, 16).ok()).flatten();
            let [_, r, g, b] =
                number.ok_or("expected RRGGBB, black, white, grey or transparent")?.to_be_bytes();
            [r, g, b]
        }
    };
    Ok(Background::Color(color))
}

fn parse_seconds(text: &str) -> Result<f32, String> {
    let seconds = text.parse().ok().filter(|seconds: &f32| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or_else(|| "expected a number of seconds, 0 or more".to_owned())
}

fn parse_light(name: &str) -> Result<LightRig, String> {
    LightRig::named(name).ok_or_else(|| format!("unknown light; available: {}", LIGHT_RIGS.join(", ")))
}

const EXAMPLES: &str = "Examples:
  meshwright render tank.w3d tank.png
  meshwright render footman.mdx attack.png --clip attack --time 0.4
  meshwright render footman.mdx blue.png --team-color 1 --camera 30,20
  meshwright render tank.w3d tank.png --size 1920x1080 --background white
  meshwright render art/ --out-dir thumbs/ --size 256
  meshwright render art/ --sheet all.png --textures art/textures/
  meshwright render footman.mdx walk.webp --clip walk --animate
  meshwright render tank.w3d turn.gif --turntable 36
  meshwright render hero.mdx --frames walk/ --clip walk --animate
  meshwright render units.big/art/w3d/tank.w3d tank.png --wireframe=over

No graphics card, driver or display is needed. The same model always gives the same bytes.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_light() {
        use clap::CommandFactory as _;
        let command = crate::args::Cli::command();
        let help = command.find_subcommand("render").unwrap().clone().render_help().to_string();
        assert!(LIGHT_RIGS.iter().all(|name| help.contains(name)), "{help}");
    }

    #[test]
    fn sizes_and_colours_are_understood() {
        assert_eq!(parse_size("640x480"), Ok([640, 480]));
        assert_eq!(parse_size("64"), Ok([64, 64]));
        for wrong in ["", "0", "x", "10x", "99999", "-5", "1x2x3"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_background("ff8000"), Ok(Background::Color([255, 128, 0])));
        assert_eq!(parse_background("#FF8000"), Ok(Background::Color([255, 128, 0])));
        assert_eq!(parse_background("Transparent"), Ok(Background::Transparent));
        for wrong in ["", "red", "ff80", "+f8000", "gggggg"] {
            assert!(parse_background(wrong).is_err(), "{wrong}");
        }
        assert!(parse_seconds("-1").is_err() && parse_seconds("nan").is_err());
        assert_eq!(parse_seconds("0.5"), Ok(0.5));
    }
}
