//! Names and positions of nodes, attachment points and cameras, for labels.

use super::{Framer, Options};
use glam::Vec3;
use scene::{CameraId, NodeId};

/// A named position in the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The kind of object.
    pub kind: MarkKind,
    /// Its name in the source file.
    pub name: String,
    /// Its position in world space.
    pub position: Vec3,
}

/// The kind of object that a [`Mark`] marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A bone, or any node of a scene without bones.
    Bone(NodeId),
    /// An attachment point, by its node.
    Attachment(NodeId),
    /// A camera of the model.
    Camera(CameraId),
}

/// Maximum number of labels. Damaged files could have millions of nodes.
const MAX_MARKS: usize = 2000;

impl Framer<'_> {
    /// The places of bones, attachment points and cameras whose [overlays](super::Overlays) are on.
    ///
    /// ```
    /// use meshwright_render::frame::{Framer, Options, Overlays};
    /// use scene::{Node, Scene};
    ///
    /// let node = |name: &str| Node { name: name.into(), is_bone: true, ..Node::default() };
    /// let scene = Scene { nodes: vec![node("Root"), node("Arm")], ..Scene::default() };
    /// let overlays = Overlays { bones: true, ..Overlays::default() };
    /// let marks = Framer::new(&scene).marks(&Options { overlays, ..Options::default() });
    /// assert_eq!(marks.iter().map(|mark| mark.name.as_str()).collect::<Vec<_>>(), ["Root", "Arm"]);
    /// ```
    #[must_use]
    pub fn marks(&self, options: &Options) -> Vec<Mark> {
        let scene = self.scene();
        let pose = self.sampler.pose(&self.moment(options));
        let place = |node: NodeId| pose.worlds.get(node.index()).map(|world| Vec3::from(world.translation));
        let name =
            |node: NodeId| scene.nodes.get(node.index()).map(|node| node.name.clone()).unwrap_or_default();
        let mut marks = Vec::new();
        if options.overlays.bones {
            let has_bones = scene.nodes.iter().any(|node| node.is_bone);
            let bones = scene.nodes.iter().enumerate().filter(|(_, node)| node.is_bone || !has_bones);
            marks.extend(bones.map(|(index, _)| MarkKind::Bone(NodeId::from(index))));
        }
        if options.overlays.attachments {
            marks.extend(scene.attachments.iter().map(|attachment| MarkKind::Attachment(attachment.node)));
        }
        let mark = |kind: MarkKind| match kind {
            MarkKind::Bone(node) | MarkKind::Attachment(node) => {
                Some(Mark { kind, name: name(node), position: place(node)? })
            }
            MarkKind::Camera(_) => None,
        };
        let mut marks: Vec<Mark> = marks.into_iter().take(MAX_MARKS).filter_map(mark).collect();
        if options.overlays.cameras {
            for (index, camera) in scene.cameras.iter().enumerate().take(MAX_MARKS) {
                let world = camera.node.and_then(|node| pose.worlds.get(node.index()));
                let position = world.map_or(camera.position, |world| world.transform_point3(camera.position));
                let kind = MarkKind::Camera(CameraId::from(index));
                marks.push(Mark { kind, name: camera.name.clone(), position });
            }
        }
        marks.retain(|mark| mark.position.is_finite());
        marks
    }
}
