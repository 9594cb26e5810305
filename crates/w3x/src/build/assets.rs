//! Containers, hierarchies, boxes, textures, animations.

use super::Build;
use crate::view::{ChannelType, RotationFrame, ScalarFrame, SubObjectKind};

const XYZ: [&str; 3] = ["X", "Y", "Z"];
const XYZW: [&str; 4] = ["X", "Y", "Z", "W"];

/// The column-by-column order in which EA writes matrices.
const FIXUP: [&str; 16] = [
    "M00", "M10", "M20", "M30", "M01", "M11", "M21", "M31", "M02", "M12", "M22", "M32", "M03", "M13", "M23",
    "M33",
];

/// An element with the attributes `X`, `Y` and `Z`.
pub(super) fn vector(name: &'static str, value: [f32; 3]) -> Build {
    Build::new(name).numbers(XYZ, value)
}

/// The list of included files.
pub fn includes(files: impl IntoIterator<Item = Build>) -> Build {
    Build::new("Includes").children(files)
}

/// An included file: `ART:x.w3x`.
pub fn include(source: &str) -> Build {
    Build::new("Include").attribute("type", "all").attribute("source", source)
}

/// The declaration of a texture.
pub fn texture(id: &str, file: &str) -> Build {
    Build::new("Texture").attribute("id", id).attribute("File", file)
}

/// A pivot of a hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct PivotBuilder {
    /// Its name.
    pub name: String,
    /// The index of its parent; `None` for the root.
    pub parent: Option<usize>,
    /// Its position relative to its parent.
    pub translation: [f32; 3],
    /// Its rotation relative to its parent: `[x, y, z, w]`.
    pub rotation: [f32; 4],
    /// Its fix-up matrix in rows.
    pub fixup: [[f32; 4]; 4],
}

impl PivotBuilder {
    /// A pivot without rotation.
    pub fn new(name: &str, parent: Option<usize>, translation: [f32; 3]) -> Self {
        let mut fixup = [[0.0; 4]; 4];
        fixup.iter_mut().enumerate().for_each(|(index, row)| row[index] = 1.0);
        Self { name: name.to_owned(), parent, translation, rotation: [0.0, 0.0, 0.0, 1.0], fixup }
    }
}

/// A skeleton.
pub fn hierarchy(id: &str, pivots: &[PivotBuilder]) -> Build {
    let pivot = |pivot: &PivotBuilder| {
        let parent = pivot.parent.map_or("-1".to_owned(), |parent| parent.to_string());
        let columns: [f32; 16] = std::array::from_fn(|index| pivot.fixup[index % 4][index / 4]);
        Build::new("Pivot")
            .attribute("Name", &pivot.name)
            .attribute("Parent", parent)
            .child(vector("Translation", pivot.translation))
            .child(Build::new("Rotation").numbers(XYZW, pivot.rotation))
            .child(Build::new("FixupMatrix").numbers(FIXUP, columns))
    };
    Build::new("W3DHierarchy").attribute("id", id).children(pivots.iter().map(pivot))
}

/// A model: each sub-object has a name, the index of its pivot, and the kind and the id of what it shows.
pub fn container(id: &str, hierarchy: &str, sub_objects: &[(&str, usize, SubObjectKind, &str)]) -> Build {
    let sub_object = |(name, bone, kind, target): &(&str, usize, SubObjectKind, &str)| {
        let reference = match kind {
            SubObjectKind::Mesh => "Mesh",
            SubObjectKind::CollisionBox => "CollisionBox",
        };
        let object = Build::new("RenderObject").child(Build::new(reference).text(*target));
        Build::new("SubObject")
            .attribute("SubObjectID", *name)
            .attribute("BoneIndex", bone.to_string())
            .child(object)
    };
    let container = Build::new("W3DContainer").attribute("id", id).attribute("Hierarchy", hierarchy);
    container.children(sub_objects.iter().map(sub_object))
}

/// A box that can be hit or selected.
pub fn collision_box(id: &str, center: [f32; 3], extent: [f32; 3], is_joypad_picking_only: bool) -> Build {
    Build::new("W3DCollisionBox")
        .attribute("id", id)
        .attribute("JoypadPickingOnly", is_joypad_picking_only.to_string())
        .child(vector("Center", center))
        .child(vector("Extent", extent))
}

/// The values of a channel.
#[derive(Clone, Debug, PartialEq)]
pub enum Frames {
    /// Numbers.
    Scalars(Vec<ScalarFrame>),
    /// Rotations.
    Rotations(Vec<RotationFrame>),
}

/// A channel of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelBuilder {
    /// The index of its pivot.
    pub pivot: usize,
    /// What it moves.
    pub channel_type: ChannelType,
    /// The frame of its first value.
    pub first_frame: u32,
    /// Its values.
    pub frames: Frames,
}

/// An animation.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimationBuilder {
    /// Its id.
    pub id: String,
    /// The id of the hierarchy that it moves.
    pub hierarchy: String,
    /// The number of frames.
    pub frames: u32,
    /// Frames per second.
    pub frame_rate: f32,
    /// Its channels.
    pub channels: Vec<ChannelBuilder>,
}

impl AnimationBuilder {
    /// The element.
    pub fn build(&self) -> Build {
        let rate = if self.frame_rate.fract() == 0.0 {
            format!("{:.0}", self.frame_rate)
        } else {
            self.frame_rate.to_string()
        };
        Build::new("W3DAnimation")
            .attribute("id", &self.id)
            .attribute("Hierarchy", &self.hierarchy)
            .attribute("NumFrames", self.frames.to_string())
            .attribute("FrameRate", rate)
            .child(Build::new("Channels").children(self.channels.iter().map(channel)))
    }
}

fn channel(channel: &ChannelBuilder) -> Build {
    let (name, frames): (_, Vec<Build>) = match &channel.frames {
        Frames::Scalars(frames) => {
            ("ChannelScalar", frames.iter().map(|frame| jump(frame.jumps).number(frame.value)).collect())
        }
        Frames::Rotations(frames) => (
            "ChannelQuaternion",
            frames.iter().map(|frame| jump(frame.jumps).numbers(XYZW, frame.value)).collect(),
        ),
    };
    Build::new(name)
        .attribute("Pivot", channel.pivot.to_string())
        .attribute("Type", channel.channel_type.name())
        .attribute("FirstFrame", channel.first_frame.to_string())
        .children(frames)
}

fn jump(jumps: bool) -> Build {
    let frame = Build::new("Frame");
    if jumps { frame.attribute("BinaryMove", "true") } else { frame }
}
