//! The node tree. Pivots are given in model space: the origin of a node is put at its pivot (docs/formats/mdx/nodes.md#node).

use std::fmt::{self, Display, Formatter};

use glam::Vec3;
use mdx::records::NodeFlags;
use mdx::tags;
use mdx::view::{NodeKind, Object};
use scene::{Billboard, Hierarchy, Inherit, Node, NodeId, NodeProperty, Target, Transform};

use super::{Converter, NoteKind, space};

/// The name of an object in notes.
pub(super) fn path<'d>(object: &Object<'d>) -> impl Display + use<'d> {
    struct Path<'d>(Object<'d>);
    impl Display for Path<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            write!(f, "{} {:?}", self.0.object.kind.name, self.0.name())
        }
    }
    Path(*object)
}

impl Converter<'_> {
    pub(super) fn nodes(&mut self) {
        self.scene.nodes.reserve(self.objects.len());
        self.pivots.reserve(self.objects.len());
        let ids = self.objects.iter().enumerate().map(|(index, object)| (object.id(), NodeId::from(index)));
        self.by_id = ids.collect();
        self.by_id.sort_unstable();
        for index in 0..self.objects.len() {
            let object = self.objects[index];
            let id = NodeId::from(index);
            if self.node_with_id(object.id()) != Some(id) {
                let message =
                    format!("duplicate object id {}; nothing can refer to this object", object.id());
                self.note(NoteKind::Damaged, path(&object), message);
            }
            if object.kind == NodeKind::Bone {
                self.bones.push(id);
            }
            let pivot = self.pivot(&object);
            self.pivots.push(pivot);
            self.scene.nodes.push(node(&object));
        }
        self.parents();
        // Most tracks have keys in most clips; a damaged file may have any number of both.
        let tracks: usize = self.objects.iter().map(|object| mdx::view::tracks(object.node).count()).sum();
        let others = self.model.geosets().count() + 8;
        let room = (tracks + others).min((1 << 16) / self.scene.clips.len().max(1));
        self.scene.clips.iter_mut().for_each(|clip| clip.channels.reserve(room));
        for index in 0..self.objects.len() {
            self.node_tracks(index);
        }
    }

    fn pivot(&mut self, object: &Object<'_>) -> Vec3 {
        let pivot = self.model.pivot(object).map(space::vector);
        if let Some(pivot) = pivot.filter(|pivot| pivot.is_finite()) {
            return pivot;
        }
        let (kind, message) = match pivot {
            Some(_) => (NoteKind::Damaged, "the pivot is NaN or infinite; the origin is used"),
            None => (NoteKind::Missing, "missing pivot; the origin is used"),
        };
        self.note(kind, path(object), message);
        Vec3::ZERO
    }

    /// Ties nodes to their parents, as far as these exist and are no circle, and puts them in their places.
    fn parents(&mut self) {
        for index in 0..self.objects.len() {
            let object = self.objects[index];
            let Some(parent) = object.parent() else { continue };
            let known = self.node_with_id(parent);
            if known.is_none() {
                let message = format!("parent {parent} does not exist; made a root");
                self.note(NoteKind::Missing, path(&object), message);
            }
            self.scene.nodes[index].parent = known;
        }
        let parents = Hierarchy::new(&self.scene.nodes).parents;
        for (index, parent) in parents.into_iter().enumerate() {
            if self.scene.nodes[index].parent != parent {
                let message = "the object is its own ancestor; made a root";
                self.note(NoteKind::Damaged, path(&self.objects[index]), message);
            }
            let node = &mut self.scene.nodes[index];
            node.parent = parent;
            let origin = parent.map_or(Vec3::ZERO, |parent| self.pivots[parent.index()]);
            node.rest = Transform::from_translation(self.pivots[index] - origin);
        }
    }

    /// Reports nodes that do not inherit a rotation that a global sequence gives their parents. A pose has it right, but it depends on
    /// the clip and on the clock at once, so targets that play each by itself cannot show it.
    pub(super) fn global_rotations(&mut self) {
        let mut turning = vec![false; self.scene.nodes.len()];
        for global in &self.scene.global_channels {
            if let Target::Node(id, NodeProperty::Rotation) = global.channel.target {
                turning[id.index()] = true;
            }
        }
        if !turning.contains(&true) {
            return;
        }
        // Parents first, so that one look at the parent is enough.
        for id in self.scene.hierarchy().order {
            let node = &self.scene.nodes[id.index()];
            let Some(parent) = node.parent.filter(|parent| turning[parent.index()]) else { continue };
            if node.inherit.rotation {
                turning[id.index()] = true;
                continue;
            }
            let message = format!(
                "does not inherit rotation, but a global sequence rotates {:?} above it; where clips and global sequences are \
                 separate animations, it is rotated",
                self.scene.nodes[parent.index()].name
            );
            self.note(NoteKind::Assumed, path(&self.objects[id.index()]), message);
        }
    }

    fn node_tracks(&mut self, index: usize) {
        let object = self.objects[index];
        let target = |property| Target::Node(NodeId::from(index), property);
        for track in mdx::view::tracks(object.node) {
            match track.row.tag {
                tags::KGTR => {
                    let base = self.scene.nodes[index].rest.translation;
                    self.translation(&track, target(NodeProperty::Translation), base);
                }
                tags::KGRT => self.rotation(&track, target(NodeProperty::Rotation)),
                tags::KGSC => self.scale(&track, target(NodeProperty::Scale)),
                _ => self.unplaced(&track, path(&object)),
            }
        }
    }
}

/// A node that is not tied to its parent yet.
fn node(object: &Object<'_>) -> Node {
    let flags = object.flags();
    // Full billboards win over locked ones, as in the viewers.
    let billboard = [
        (NodeFlags::BILLBOARDED, Billboard::Facing),
        (NodeFlags::BILLBOARDED_LOCK_X, Billboard::SpinX),
        (NodeFlags::BILLBOARDED_LOCK_Y, Billboard::SpinZ),
        (NodeFlags::BILLBOARDED_LOCK_Z, Billboard::SpinY),
    ];
    let billboard = billboard.into_iter().find(|(flag, _)| flags.has(*flag));
    Node {
        name: object.name().into_owned(),
        parent: None,
        rest: Transform::IDENTITY,
        inherit: Inherit {
            translation: !flags.has(NodeFlags::DONT_INHERIT_TRANSLATION),
            rotation: !flags.has(NodeFlags::DONT_INHERIT_ROTATION),
            scale: !flags.has(NodeFlags::DONT_INHERIT_SCALING),
        },
        billboard: billboard.map_or(Billboard::None, |(_, billboard)| billboard),
        camera_anchored: flags.has(NodeFlags::CAMERA_ANCHORED),
        visible: true,
        is_bone: object.kind == NodeKind::Bone,
    }
}
