//! Options that Python gives as JSON, in the words of the command line.

use meshwright::convert::author::w3d::{Compress, Profile};
use meshwright::gltf_io::{self, GlobalSequences, Levels, Visibility};
use meshwright::mdx::mdl;
use meshwright::render::frame::{LIGHT_RIGS, LightRig, Options, Overlays, Viewpoint, Wireframe};
use meshwright::render::soft::{Background, Settings};
use meshwright::scene::fit::Curves;
use meshwright::scene::team_color;
use meshwright::{
    BlpPixels, ConvertOptions, DdsPixels, Game, GeometryOptions, MdxOptions, Mips, Scale, Target,
    TextureOptions, W3dOptions,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::num::NonZero;

use crate::error::{Failure, Result};
use crate::workspace::format_named;

/// Reads the options of a call.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| Failure::argument(error.to_string()))
}

/// The value that a word stands for.
fn one_of<T: Copy>(option: &str, word: &str, known: &[(&str, T)]) -> Result<T> {
    let found = known.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        Failure::argument(format!("{option}: unknown value {word:?}; available: {}", names.join(", ")))
    })
}

/// The same for an option that may be missing.
fn choice<T: Copy + Default>(option: &str, word: Option<&str>, known: &[(&str, T)]) -> Result<T> {
    word.map_or(Ok(T::default()), |word| one_of(option, word, known))
}

/// A game by its name.
pub(crate) fn game_named(name: Option<&str>) -> Result<Option<Game>> {
    let Some(name) = name else { return Ok(None) };
    let known = || Game::ALL.map(Game::name).join(", ");
    let game = Game::named(name);
    game.map(Some).ok_or_else(|| Failure::argument(format!("no game named {name}; available: {}", known())))
}

/// A colour of a player.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Color {
    Player(usize),
    Rgb([u8; 3]),
    Text(String),
}

impl Color {
    fn rgb(&self) -> Result<[u8; 3]> {
        let color = match self {
            Self::Player(player) => team_color::WARCRAFT[..24].get(*player).map(|team| team.color),
            Self::Rgb(color) => Some(*color),
            Self::Text(text) => team_color::parse(text),
        };
        let message = "team_color: expected RRGGBB, a colour name, three numbers, or a player from 0 to 23";
        color.ok_or_else(|| Failure::argument(message))
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum ScaleChoice {
    Factor(f32),
    Word(String),
}

impl ScaleChoice {
    fn scale(&self) -> Result<Scale> {
        match self {
            Self::Factor(factor) if factor.is_finite() && *factor > 0.0 => Ok(Scale::Factor(*factor)),
            Self::Word(word) if word.eq_ignore_ascii_case("game") => Ok(Scale::Game),
            _ => Err(Failure::argument("scale: expected a number above zero, or \"game\"")),
        }
    }
}

/// The options of `convert`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ConvertChoices {
    format: Option<String>,
    file_name: Option<String>,
    read_as: Option<String>,
    scale: Option<ScaleChoice>,
    textures: Option<bool>,
    team_color: Option<Color>,
    levels: Option<String>,
    visibility: Option<String>,
    global_sequences: Option<String>,
    hidden: bool,
    material_animation: bool,
    curves: Option<String>,
    to_version: Option<u32>,
    mdl_dialect: Option<String>,
    plain: bool,
    profile: Option<String>,
    split: bool,
    clip_fps: Option<u16>,
    compress: Option<String>,
    tolerance: Option<(f32, f32)>,
    write_textures: Option<String>,
    clip: Option<String>,
    time: Option<f32>,
    ascii: bool,
    mips: Option<String>,
    dds_format: Option<String>,
    blp_format: Option<String>,
    quality: Option<u8>,
}

impl ConvertChoices {
    /// The format to write: the one that is named, or that of the file name.
    fn target(&self) -> Result<Target> {
        match (&self.format, &self.file_name) {
            (Some(format), _) => Ok(Target::named(format)?),
            (None, Some(name)) => Ok(Target::of_file_name(name)?),
            (None, None) => Ok(Target::named("glb")?),
        }
    }

    pub(crate) fn options(&self) -> Result<ConvertOptions> {
        let tolerance =
            self.tolerance.filter(|(a, b)| a.is_finite() && b.is_finite() && *a >= 0.0 && *b >= 0.0);
        if self.tolerance.is_some() != tolerance.is_some() {
            return Err(Failure::argument("tolerance: expected two numbers, 0 or more: units and degrees"));
        }
        let profiles = Profile::ALL.map(|profile| (profile.name(), Some(profile)));
        Ok(ConvertOptions {
            read_as: format_named(self.read_as.as_deref())?,
            file_name: self.file_name.clone(),
            scale: self.scale.as_ref().map(ScaleChoice::scale).transpose()?,
            gltf: self.gltf()?,
            mdx: MdxOptions {
                version: self.to_version,
                text: mdl::Options { dialect: self.dialect()?, plain: self.plain },
            },
            w3d: W3dOptions {
                profile: choice("profile", self.profile.as_deref(), &profiles)?,
                split: self.split,
                clip_fps: self.clip_fps.filter(|rate| *rate > 0),
                compress: self.compression(tolerance)?,
            },
            write_textures: self.write_textures.clone(),
            geometry: GeometryOptions { clip: self.clip.clone(), time: self.time, ascii: self.ascii },
            ..ConvertOptions::new(self.target()?)
        })
    }

    /// How glTF is written.
    pub(crate) fn gltf(&self) -> Result<gltf_io::Options> {
        let levels =
            [("highest", Levels::Highest), ("separate", Levels::Separate), ("msft-lod", Levels::MsftLod)];
        let visibility =
            [("scale", Visibility::Scale), ("extension", Visibility::Extension), ("off", Visibility::Off)];
        let sequences = [("separate", GlobalSequences::Separate), ("bake", GlobalSequences::Bake)];
        let curves = [("lines", Curves::Lines), ("cubic", Curves::Cubics)];
        Ok(gltf_io::Options {
            textures: self.textures.unwrap_or(true),
            team_color: self.team_color.as_ref().map(Color::rgb).transpose()?,
            levels: choice("levels", self.levels.as_deref(), &levels)?,
            visibility: choice("visibility", self.visibility.as_deref(), &visibility)?,
            global_sequences: choice("global_sequences", self.global_sequences.as_deref(), &sequences)?,
            hidden_meshes: self.hidden,
            material_animation: self.material_animation,
            curves: choice("curves", self.curves.as_deref(), &curves)?,
            ..gltf_io::Options::default()
        })
    }

    fn dialect(&self) -> Result<mdl::MdlDialect> {
        use mdl::MdlDialect::{Game, Hive, War3Model};
        let known = [("game", Game), ("hive", Hive), ("war3-model", War3Model)];
        one_of("mdl_dialect", self.mdl_dialect.as_deref().unwrap_or("game"), &known)
    }

    fn compression(&self, tolerance: Option<(f32, f32)>) -> Result<Compress> {
        let time_coded = tolerance
            .map_or(Compress::TIME_CODED, |(distance, degrees)| Compress::TimeCoded { distance, degrees });
        let adaptive = tolerance.map_or(Compress::ADAPTIVE_DELTA, |(distance, degrees)| {
            Compress::AdaptiveDelta { distance, degrees }
        });
        let known = [
            ("lossless", Compress::Lossless),
            ("raw", Compress::Raw),
            ("time-coded", time_coded),
            ("adaptive-delta", adaptive),
        ];
        one_of("compress", self.compress.as_deref().unwrap_or("lossless"), &known)
    }

    /// How a texture is written.
    pub(crate) fn texture(&self) -> Result<TextureOptions> {
        let usual = TextureOptions::default();
        let mips = [("keep", Mips::Keep), ("generate", Mips::Generate), ("none", Mips::None)];
        let dds = [
            ("auto", DdsPixels::Auto),
            ("bc1", DdsPixels::Bc1),
            ("bc3", DdsPixels::Bc3),
            ("rgba", DdsPixels::Rgba),
        ];
        let blp = [("jpeg", BlpPixels::Jpeg), ("palette", BlpPixels::Palette)];
        let quality = self.quality.unwrap_or(usual.quality);
        if !(1..=100).contains(&quality) {
            return Err(Failure::argument("quality: expected a number from 1 to 100"));
        }
        Ok(TextureOptions {
            mips: choice("mips", self.mips.as_deref(), &mips)?,
            dds: choice("dds_format", self.dds_format.as_deref(), &dds)?,
            blp: choice("blp_format", self.blp_format.as_deref(), &blp)?,
            quality,
            measure: true,
        })
    }
}

/// The options of `render`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RenderChoices {
    width: u32,
    height: u32,
    background: Option<String>,
    pub(crate) clip: Option<String>,
    pub(crate) time: Option<f32>,
    pub(crate) camera: Option<String>,
    light: Option<String>,
    team_color: Option<Color>,
    wireframe: Option<String>,
    bones: bool,
    extents: bool,
    collision: bool,
    grid: bool,
    particles: Option<bool>,
    markers: bool,
    jobs: Option<NonZero<usize>>,
}

/// The colour of the background `grey`, as in the command line.
const GREY: [u8; 3] = [90, 94, 102];

impl RenderChoices {
    pub(crate) fn settings(&self) -> Result<Settings> {
        let Self { width, height, jobs, .. } = *self;
        Ok(Settings { width, height, background: self.background()?, threads: jobs })
    }

    fn background(&self) -> Result<Background> {
        let text = self.background.as_deref().unwrap_or("grey").to_ascii_lowercase();
        let color = match text.as_str() {
            "transparent" => return Ok(Background::Transparent),
            "black" => [0; 3],
            "white" => [255; 3],
            "grey" | "gray" => GREY,
            other => {
                let digits = other.strip_prefix('#').unwrap_or(other);
                let is_color = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                let number = is_color.then(|| u32::from_str_radix(digits, 16).ok()).flatten();
                let message = "background: expected RRGGBB, black, white, grey or transparent";
                let [_, r, g, b] = number.ok_or_else(|| Failure::argument(message))?.to_be_bytes();
                [r, g, b]
            }
        };
        Ok(Background::Color(color))
    }

    pub(crate) fn team_color(&self) -> Result<Option<[u8; 3]>> {
        self.team_color.as_ref().map(Color::rgb).transpose()
    }

    /// Changes the usual options. The clip is chosen by the caller.
    pub(crate) fn apply(&self, options: &mut Options) -> Result<()> {
        if let Some(time) = self.time {
            if !time.is_finite() || time < 0.0 {
                return Err(Failure::argument("time: expected a number of seconds, 0 or more"));
            }
            options.time = time;
        }
        if let Some(camera) = &self.camera {
            options.viewpoint = Viewpoint::parse(camera);
        }
        if let Some(light) = &self.light {
            let unknown = || format!("light: unknown value; available: {}", LIGHT_RIGS.join(", "));
            options.light = Some(LightRig::named(light).ok_or_else(|| Failure::argument(unknown()))?);
        }
        let wireframe = [("off", Wireframe::Off), ("only", Wireframe::Only), ("over", Wireframe::Over)];
        options.overlays = Overlays {
            wireframe: choice("wireframe", self.wireframe.as_deref(), &wireframe)?,
            bones: self.bones,
            extents: self.extents,
            collision: self.collision,
            grid: self.grid,
            ..Overlays::default()
        };
        options.team_color = self.team_color()?;
        options.particles = self.particles.unwrap_or(true);
        options.rules.particles.markers = self.markers;
        Ok(())
    }
}
