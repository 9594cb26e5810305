//! The declaration of the changes of `edit` to places and looks: mirror, attach, blend, recolour.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use meshwright::edit::{Blend, Colour, Selector};

use super::args::{AxisArg, Files, PARTS, Switch};

const MIRROR_EXAMPLES: &str = "Examples:
  meshwright edit mirror y knight.mdx --output left-handed.mdx
  meshwright edit mirror y tank.w3d --with tank_skl.w3d --out-dir mirrored/
  meshwright edit mirror x wall.w3d --in-place

Everything is mirrored: geometry, winding, bones, keys, collision, cameras, lights and emitters. Models look along X, so y exchanges left and right; then names of bones, nodes and meshes exchange the words Left and Right, L and R, unless --names keep is given. Mirroring twice restores the model. A skeleton in its own file must be given too: as an input, or with --with.";

#[derive(Debug, Args)]
#[command(after_help = MIRROR_EXAMPLES)]
pub(crate) struct MirrorArgs {
    /// The axis whose sign changes
    pub(crate) axis: AxisArg,
    /// Whether names exchange left and right; without it, only along y
    #[arg(long, value_enum)]
    pub(crate) names: Option<NamesArg>,
    /// Also change these skeletons of the models: files or folders
    #[arg(long, value_name = "PATH")]
    pub(crate) with: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) files: Files,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NamesArg {
    /// Exchange Left and Right, L and R
    Swap,
    /// Keep all names
    Keep,
}

const ATTACH_EXAMPLES: &str = "Examples:
  meshwright edit attach bone:EXHAUST --to bone:TURRET tank.w3d --in-place
  meshwright edit attach 'node:Weapon Ref' --to 'bone:Hand Left' \\
    --keep-motion unit.mdx --output moved.mdx
  meshwright edit attach mesh:RADAR --to root --rigid tank.w3d --in-place";

#[derive(Debug, Args)]
#[command(after_help = format!("{ATTACH_EXAMPLES}\n\n{PARTS}\n\nIn the rest pose the part stays where it is. Its keys stay as they are, unless --keep-motion or --rigid is given. A W3D bone keeps its number if its new parent comes before it; otherwise bones get new numbers, and a note says so. A W3D mesh moves with its bone, or gets its own one at the end of the skeleton. An MDX geoset is bound to the bone as a whole."))]
pub(crate) struct AttachArgs {
    /// The part: a bone, node, mesh, attachment, emitter and so on
    pub(crate) part: Selector,
    /// Its new parent, or root
    #[arg(long, value_name = "PART", value_parser = parse_parent)]
    pub(crate) to: Parent,
    /// Convert the keys, so that the part moves in the model as before
    #[arg(long, conflicts_with = "rigid")]
    pub(crate) keep_motion: bool,
    /// Remove the keys, so that the part is rigid on its new parent
    #[arg(long)]
    pub(crate) rigid: bool,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// A parent; `None` for the root of the model.
#[derive(Clone, Debug)]
pub(crate) struct Parent(pub(crate) Option<Selector>);

fn parse_parent(text: &str) -> Result<Parent, meshwright::edit::Error> {
    if text.eq_ignore_ascii_case("root") { Ok(Parent(None)) } else { text.parse().map(Some).map(Parent) }
}

const BLEND_EXAMPLES: &str = "Examples:
  meshwright edit blend mesh:GLASS alpha building.w3d --in-place
  meshwright edit blend geoset:#3 additive unit.mdx --output glowing.mdx
  meshwright edit blend material:#0 masked art/ --out-dir masked/";

#[derive(Debug, Args)]
#[command(after_help = format!("{BLEND_EXAMPLES}\n\n{PARTS}\n\nBy mesh, emitter or ribbon only that part changes: an MDX material that others use too is copied. --layer chooses another layer of an MDX material, or another pass of a W3D mesh; the first one lies on what is behind the model."))]
pub(crate) struct BlendArgs {
    /// The materials, meshes, emitters or ribbons
    pub(crate) part: Selector,
    /// opaque, masked, alpha, additive or modulate
    pub(crate) blend: Blend,
    /// The layer or pass, counted from 0
    #[arg(long, default_value_t)]
    pub(crate) layer: usize,
    #[command(flatten)]
    pub(crate) files: Files,
}

const RECOLOUR_EXAMPLES: &str = "Examples:
  meshwright edit recolour mesh:HULL --colour '#804020' tank.w3d -i
  meshwright edit recolour 'emitter:*' --tint 1,0.5,0.5 spell.mdx -i
  meshwright edit recolour geoset:#0 --team-colour on unit.mdx -o out/";

#[derive(Debug, Args)]
#[command(
    group = clap::ArgGroup::new("change").required(true).multiple(false).args(["colour", "tint", "team_colour"]),
    after_help = format!("{RECOLOUR_EXAMPLES}\n\n{PARTS}\n\nW3D: diffuse colours of materials, colours of vertices, particles and lights. MDX: colours of geosets, which get a geoset animation if they have none, of particles, ribbons and lights, with their keys. Opacity stays. Team colour: an MDX material gets a layer with the colour of the player below its own texture, which shows it through its alpha; W3D games colour meshes by name, so the mesh is renamed to HOUSECOLOR01 or the next free number, or from it to PLAIN01.")
)]
pub(crate) struct RecolourArgs {
    /// The meshes, materials, emitters, ribbons or lights
    pub(crate) part: Selector,
    /// The new colour: #RRGGBB, or three numbers from 0 to 1
    #[arg(long)]
    pub(crate) colour: Option<Colour>,
    /// Multiply the colours by this one
    #[arg(long, value_name = "COLOUR")]
    pub(crate) tint: Option<Colour>,
    /// Whether the part shows the colour of the player
    #[arg(long, value_enum, visible_alias = "team-color")]
    pub(crate) team_colour: Option<Switch>,
    #[command(flatten)]
    pub(crate) files: Files,
}
