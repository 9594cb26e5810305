//! The declaration of the changes of `edit` that work on parts.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use meshwright::edit::{Children, Derived, Selector};

use super::args::{Files, PARTS};

const REMOVE_EXAMPLES: &str = "Examples:
  meshwright edit remove mesh:MUZZLEFX tank.w3d --in-place
  meshwright edit remove 'clip:Decay*' unit.mdx --output light.mdx
  meshwright edit remove geoset:#2 --and 'light:*' unit.mdx --dry-run
  meshwright edit remove unused art/ --out-dir small/";

const KEEP_EXAMPLES: &str = "Examples:
  meshwright edit keep 'clip:Stand*' --and 'clip:Walk*' unit.mdx -o out/
  meshwright edit keep lod:#1 building.w3d --in-place";

#[derive(Debug, Args)]
#[command(after_help = format!("{REMOVE_EXAMPLES}\n\n{PARTS} `unused` chooses what nothing refers to: materials, textures, texture animations, global sequences, and bones and helpers of MDX.\n\nThe bone of a removed W3D mesh stays, because games find bones by name. Removing a sequence removes its keys; removing a geoset its animation. Materials and textures that are used cannot be removed."))]
pub(crate) struct RemoveArgs {
    /// The parts, such as mesh:BARREL, or unused
    #[arg(value_parser = parse_wanted)]
    pub(crate) part: Wanted,
    /// Remove these parts too; may be repeated
    #[arg(long, value_name = "PART", value_parser = parse_wanted)]
    pub(crate) and: Vec<Wanted>,
    /// How to treat the children of removed bones and nodes
    #[arg(long, value_enum, default_value_t)]
    pub(crate) children: ChildrenArg,
    #[command(flatten)]
    pub(crate) files: Files,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{KEEP_EXAMPLES}\n\n{PARTS}\n\nParts of other kinds stay. A file that has none of the parts is refused, because it would lose all of that kind."))]
pub(crate) struct KeepArgs {
    /// The parts to keep, such as clip:Stand*
    pub(crate) part: Selector,
    /// Keep these parts too; may be repeated
    #[arg(long, value_name = "PART")]
    pub(crate) and: Vec<Selector>,
    /// How to treat the children of removed bones and nodes
    #[arg(long, value_enum, default_value_t)]
    pub(crate) children: ChildrenArg,
    #[command(flatten)]
    pub(crate) files: Files,
}

const RECOMPUTE_EXAMPLES: &str = "Examples:
  meshwright edit recompute extents unit.mdx --in-place
  meshwright edit recompute normals --angle 60 --and tangents unit.mdx -i
  meshwright edit recompute all tank.w3d --dry-run";

#[derive(Debug, Args)]
#[command(after_help = format!("{RECOMPUTE_EXAMPLES}\n\nWithout --angle, vertices at one position share a normal if they had the same normal before. Extents of MDX sequences and geosets are measured over the animation. Tangents and collision trees are computed where a mesh has some. What is already right is not changed. W3D skins need their skeleton in the same file."))]
pub(crate) struct RecomputeArgs {
    /// What to compute
    #[arg(value_parser = derived())]
    pub(crate) what: Derived,
    /// Compute this too; may be repeated
    #[arg(long, value_name = "WHAT", value_parser = derived())]
    pub(crate) and: Vec<Derived>,
    /// Largest angle between triangles that are shaded smoothly, in degrees
    #[arg(long, value_name = "DEGREES")]
    pub(crate) angle: Option<f32>,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// The names of derived data, with their descriptions for the help.
fn derived() -> impl TypedValueParser<Value = Derived> {
    let values = Derived::ALL.map(|(_, name, what)| PossibleValue::new(name).help(what));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Derived>())
}

/// Parts to remove; `None` for those that nothing refers to.
#[derive(Clone, Debug)]
pub(crate) struct Wanted(pub(crate) Option<Selector>);

fn parse_wanted(text: &str) -> Result<Wanted, meshwright::edit::Error> {
    if text.eq_ignore_ascii_case("unused") { Ok(Wanted(None)) } else { text.parse().map(Some).map(Wanted) }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ChildrenArg {
    /// They get the parent of the removed one and stay in place
    #[default]
    Up,
    /// They are removed too
    Remove,
}

impl From<ChildrenArg> for Children {
    fn from(arg: ChildrenArg) -> Self {
        match arg {
            ChildrenArg::Up => Self::MoveUp,
            ChildrenArg::Remove => Self::Remove,
        }
    }
}

const ADD_EXAMPLES: &str = "Examples:
  meshwright edit add footman.mdx --from rifleman.mdx --part geoset:#1 \\
    --to 'bone:Hand Right' --output armed.mdx
  meshwright edit add tank.w3d --from scout.w3d --part mesh:RADAR -i
  meshwright edit add tank.w3d --from scout.w3d --part bone:SMOKES03 -i
  meshwright edit add unit.mdx --from other.mdx --clip Walk \\
    --map Leg_L=LeftLeg --in-place";

#[derive(Debug, Args)]
#[command(
    group = clap::ArgGroup::new("what").required(true).multiple(false).args(["part", "clip"]),
    after_help = format!("{ADD_EXAMPLES}\n\n{PARTS}\n\nMaterials, textures, bones and keys come along. Without --to, a part goes to the bone of the same name. Clips and tracks fit by names of bones and clips; what has no partner is reported. Both models must have the same format, and MDX models the same version.")
)]
pub(crate) struct AddArgs {
    /// The model to take from
    #[arg(long, value_name = "FILE")]
    pub(crate) from: std::path::PathBuf,
    /// The part to add
    #[arg(long)]
    pub(crate) part: Option<Selector>,
    /// The clip to add, by name or #INDEX
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// The bone or node that the part is attached to
    #[arg(long, value_name = "PART", requires = "part")]
    pub(crate) to: Option<Selector>,
    /// Keep the position in the model instead of that relative to the bone
    #[arg(long, requires = "part")]
    pub(crate) keep_position: bool,
    /// The name of the added clip
    #[arg(long, value_name = "NAME", requires = "clip")]
    pub(crate) name: Option<String>,
    /// Use another bone for one of the other model; may be repeated
    #[arg(long, value_name = "THEIRS=OURS", value_parser = parse_pair, requires = "clip")]
    pub(crate) map: Vec<(String, String)>,
    /// The clip that says what is visible where the models have no clip in common
    #[arg(long, value_name = "CLIP")]
    pub(crate) like: Option<String>,
    #[command(flatten)]
    pub(crate) files: Files,
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((theirs, ours)) if !theirs.is_empty() && !ours.is_empty() => {
            Ok((theirs.to_owned(), ours.to_owned()))
        }
        _ => Err("expected two names, such as Leg_L=LeftLeg".to_owned()),
    }
}
