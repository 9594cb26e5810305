//! Which object each node becomes, and its pivot, parent and tracks.

use glam::{Quat, Vec3};
use mdx::build::{counted, part};
use mdx::records::{BindPose, BoneLinks, NodeFlags, NodeHeader, TangentKey};
use mdx::{Error, kinds, tags};
use record::{I32, Node};
use scene::{
    Billboard, EmitterKind, Hierarchy, Interpolation, LightKind, NodeId, NodeProperty, Scene, Target,
    Transform,
};

use super::super::names::Names;
use super::tracks::{self, Unsaid};
use super::{Author, chars, geosets, refuse, signed, space};
use crate::report::NoteKind;

/// What an object is, in the order of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Bone,
    Light(usize),
    Helper,
    /// Nothing is one that was added.
    Attachment(Option<usize>),
    ModelEmitter(usize),
    SpriteEmitter(usize),
    EffectEmitter(usize),
    Ribbon(usize),
    Event(usize),
    Shape(usize),
}

impl Role {
    /// The place of its chunk among those of nodes.
    const fn chunk(self) -> usize {
        match self {
            Self::Bone => 0,
            Self::Light(_) => 1,
            Self::Helper => 2,
            Self::Attachment(_) => 3,
            Self::ModelEmitter(_) => 4,
            Self::SpriteEmitter(_) => 5,
            Self::EffectEmitter(_) => 6,
            Self::Ribbon(_) => 7,
            Self::Event(_) => 8,
            Self::Shape(_) => 9,
        }
    }
}

/// An object to be written; its place in [`Layout::entries`] is its id.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) role: Role,
    pub(super) name: String,
    /// The id of its parent.
    pub(super) parent: Option<usize>,
    /// The node whose flags and tracks it has; what hangs below a node that is something else has none.
    pub(super) node: Option<NodeId>,
    pub(super) pivot: Vec3,
    /// A turn that it always has: the direction of a light.
    turn: Option<Quat>,
}

/// All objects.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) entries: Vec<Entry>,
    /// The object that moves as each node of the scene.
    pub(super) of_node: Vec<Option<usize>>,
    /// A bone without motion, for vertices without a node.
    pub(super) root: Option<usize>,
}

impl Layout {
    pub(super) fn pivots(&self) -> Vec<record::Vec3> {
        self.entries.iter().map(|entry| space::vector(entry.pivot)).collect()
    }

    /// The rest matrices of all objects and cameras. Without a camera there is one more: a hypothesis, which rests on what other readers
    /// expect. In 57 real files with a camera the number is that of objects and cameras; of 4 without one, all have no matrix more than objects,
    /// but 3 of these are of one exporter that is not the game's.
    pub(super) fn bind_poses(&self, scene: &Scene) -> Node<'static> {
        let places = self.entries.iter().map(|entry| entry.pivot);
        let cameras = scene.cameras.iter().map(|camera| camera.position);
        let spare = scene.cameras.is_empty().then_some(Vec3::ZERO);
        let all = places.chain(cameras).chain(spare).map(space::vector);
        let poses: Vec<BindPose> = all.map(bind_pose).collect();
        counted(&kinds::BPOS, &poses)
    }

    /// The bone of a node, or the bone without motion.
    pub(super) fn bone(&self, node: Option<NodeId>) -> Option<usize> {
        let moved = node.and_then(|node| *self.of_node.get(node.index())?);
        moved.filter(|id| self.entries[*id].role == Role::Bone).or(self.root)
    }
}

/// The rest matrix of an object at a place.
pub(crate) const fn bind_pose(translation: record::Vec3) -> BindPose {
    BindPose {
        x: record::Vec3::new(1.0, 0.0, 0.0),
        y: record::Vec3::new(0.0, 1.0, 0.0),
        z: record::Vec3::new(0.0, 0.0, 1.0),
        translation,
    }
}

/// Objects before they have ids.
struct Draft {
    entry: Entry,
    /// The draft of its parent.
    parent: Option<usize>,
}

impl Author<'_> {
    /// Decides what each node becomes.
    pub(super) fn layout(&mut self) -> Result<Layout, Error> {
        let scene = self.scene;
        let hierarchy = scene.hierarchy();
        let bones = self.bones();
        let mut carried = self.carried();
        let directions = self.directions(&mut carried, &bones);
        let mut drafts: Vec<Draft> = Vec::with_capacity(scene.nodes.len());
        let mut of_node: Vec<Option<usize>> = vec![None; scene.nodes.len()];
        for id in 0..scene.nodes.len() {
            if directions[id] {
                continue;
            }
            of_node[id] = Some(drafts.len());
            let node = &scene.nodes[id];
            let pivot = self.rest.0[id].pivot;
            let objects = std::mem::take(&mut carried[id]);
            let mut objects = objects.into_iter();
            let role = if bones[id] { Role::Bone } else { objects.next().unwrap_or(Role::Helper) };
            let turned = matches!(role, Role::Light(light) if self.direction(light).is_some());
            let role = if turned { Role::Helper } else { role };
            let name = self.name_of(role, &node.name);
            let entry = Entry { role, name, parent: None, node: Some(NodeId::from(id)), pivot, turn: None };
            drafts.push(Draft { entry, parent: None });
            let below = drafts.len() - 1;
            let first = turned.then(|| self.light_on(id)).flatten();
            for role in first.into_iter().chain(objects) {
                let turn = if let Role::Light(light) = role { self.direction(light) } else { None };
                let name = self.name_of(role, &node.name);
                let entry = Entry { role, name, parent: None, node: None, pivot, turn };
                drafts.push(Draft { entry, parent: Some(below) });
            }
        }
        for (id, draft) in of_node.iter().enumerate() {
            let (Some(draft), Some(parent)) = (draft, hierarchy.parents[id]) else { continue };
            drafts[*draft].parent = of_node[parent.index()];
        }
        let mut root = None;
        if self.needs_root(&bones) {
            let still = self.still_bone(&bones, &hierarchy);
            root = still.and_then(|id| of_node[id]).or_else(|| {
                drafts.push(added(Role::Bone, "Root", None));
                Some(drafts.len() - 1)
            });
        }
        if self.options.complete {
            let is_origin = |draft: &Draft| {
                matches!(draft.entry.role, Role::Attachment(_))
                    && draft.entry.name.to_ascii_lowercase().starts_with("origin")
            };
            if !drafts.iter().any(is_origin) {
                self.note(NoteKind::Assumed, "ATCH", "added Origin Ref, which the game needs");
                drafts.push(added(Role::Attachment(None), "Origin Ref ", None));
            }
        }
        let mut order: Vec<usize> = (0..drafts.len()).collect();
        order.sort_by_key(|draft| drafts[*draft].entry.role.chunk());
        let mut ids = vec![0; drafts.len()];
        order.iter().enumerate().for_each(|(id, draft)| ids[*draft] = id);
        let mut names = Names::new(79, drafts.iter().map(|draft| draft.entry.name.as_str()));
        let mut cut = 0;
        let entries: Vec<Entry> = order
            .iter()
            .map(|draft| {
                let Draft { entry, parent } = &drafts[*draft];
                let name = names.fit(&entry.name);
                cut += usize::from(name != entry.name);
                Entry { name, parent: parent.map(|parent| ids[parent]), ..entry.clone() }
            })
            .collect();
        if cut > 0 {
            let message = format!("{} shortened to 79 characters", crate::report::counted(cut, "name"));
            self.lost("nodes", message);
        }
        if i32::try_from(entries.len()).is_err() {
            return Err(refuse("too many nodes".to_owned()));
        }
        let of_node = of_node.into_iter().map(|draft| draft.map(|draft| ids[draft])).collect();
        Ok(Layout { entries, of_node, root: root.map(|root| ids[root]) })
    }

    /// Which nodes have to be bones: those that are, and those that move vertices.
    fn bones(&self) -> Vec<bool> {
        let scene = self.scene;
        let mut bones: Vec<bool> = scene.nodes.iter().map(|node| node.is_bone).collect();
        for mesh in scene.meshes.iter().filter(|mesh| !mesh.hidden) {
            let joints = mesh.skin.iter().flat_map(|skin| &skin.joints).map(|joint| joint.node);
            let own = mesh.node.filter(|_| mesh.skin.is_none());
            for node in joints.chain(own) {
                if let Some(bone) = bones.get_mut(node.index()) {
                    *bone = true;
                }
            }
        }
        bones
    }

    /// Whether some vertices have nothing to move them, or there would be no bone at all.
    fn needs_root(&self, bones: &[bool]) -> bool {
        let exists = |node: NodeId| node.index() < bones.len();
        let is_loose = |mesh: &scene::Mesh| match &mesh.skin {
            None => !mesh.node.is_some_and(exists),
            Some(skin) => {
                let moves = |set: u32| {
                    let joints = skin.set(set).iter().filter(|influence| influence.weight > 0.0);
                    let nodes = joints.filter_map(|influence| skin.joints.get(influence.joint as usize));
                    nodes.clone().count() > 0 && nodes.into_iter().all(|joint| exists(joint.node))
                };
                let known: Vec<bool> = (0..skin.ends.len()).map(|set| moves(set as u32)).collect();
                (0..mesh.positions.len()).any(|vertex| {
                    let set = skin.sets.get(vertex).and_then(|set| known.get(*set as usize));
                    set != Some(&true)
                })
            }
        };
        let drawn = |mesh: &&scene::Mesh| !mesh.hidden && !mesh.positions.is_empty();
        let no_bones = self.options.complete && !bones.contains(&true);
        no_bones || self.scene.meshes.iter().filter(drawn).any(is_loose)
    }

    /// The first bone that never moves, nor does what it hangs on: vertices that nothing moves can follow it.
    fn still_bone(&self, bones: &[bool], hierarchy: &Hierarchy) -> Option<usize> {
        let scene = self.scene;
        let mut moves: Vec<bool> = scene
            .nodes
            .iter()
            .map(|node| node.billboard != Billboard::None || node.camera_anchored)
            .collect();
        for channel in scene.channels() {
            if let Target::Node(node, property) = channel.target
                && property != NodeProperty::Visibility
                && let Some(moves) = moves.get_mut(node.index())
            {
                *moves = true;
            }
        }
        hierarchy.mark_below(&mut moves);
        (0..bones.len()).find(|id| bones[*id] && !moves[*id])
    }

    /// What hangs on each node.
    fn carried(&mut self) -> Vec<Vec<Role>> {
        let scene = self.scene;
        let mut carried: Vec<Vec<Role>> = vec![Vec::new(); scene.nodes.len()];
        let mut put = |node: NodeId, role: Role| {
            if let Some(objects) = carried.get_mut(node.index()) {
                objects.push(role);
            }
        };
        scene.lights.iter().enumerate().for_each(|(index, light)| put(light.node, Role::Light(index)));
        for (index, attachment) in scene.attachments.iter().enumerate() {
            put(attachment.node, Role::Attachment(Some(index)));
        }
        let mut effects = 0;
        for (index, emitter) in scene.emitters.iter().enumerate() {
            match emitter.kind {
                EmitterKind::Model(_) => put(emitter.node, Role::ModelEmitter(index)),
                EmitterKind::Sprite(_) | EmitterKind::Keyed(_) => {
                    put(emitter.node, Role::SpriteEmitter(index));
                }
                EmitterKind::Effect(_) if self.options.version >= 900 => {
                    put(emitter.node, Role::EffectEmitter(index));
                }
                EmitterKind::Effect(_) => effects += 1,
            }
        }
        scene.ribbons.iter().enumerate().for_each(|(index, ribbon)| put(ribbon.node, Role::Ribbon(index)));
        scene.events.iter().enumerate().for_each(|(index, event)| put(event.node, Role::Event(index)));
        for (index, shape) in scene.collision_shapes.iter().enumerate() {
            put(shape.node, Role::Shape(index));
        }
        if effects > 0 {
            let message = format!(
                "{} dropped: version {} has none; write version 1000 or later to keep them",
                crate::report::counted(effects, "popcorn effect"),
                self.options.version
            );
            self.lost("CORN", message);
        }
        carried
    }

    /// Which nodes exist only to point a light: those go, and their light is on the parent.
    fn directions(&self, carried: &mut [Vec<Role>], bones: &[bool]) -> Vec<bool> {
        let scene = self.scene;
        let mut gone = vec![false; scene.nodes.len()];
        let mut has_children = vec![false; scene.nodes.len()];
        for parent in scene.nodes.iter().filter_map(|node| node.parent) {
            if let Some(has) = has_children.get_mut(parent.index()) {
                *has = true;
            }
        }
        let down = Transform {
            rotation: Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
            ..Transform::IDENTITY
        };
        for id in 0..scene.nodes.len() {
            let node = &scene.nodes[id];
            let Some(parent) = node.parent.map(NodeId::index).filter(|parent| *parent < scene.nodes.len())
            else {
                continue;
            };
            let [Role::Light(light)] = carried[id][..] else { continue };
            let moves = [
                NodeProperty::Translation,
                NodeProperty::Rotation,
                NodeProperty::Scale,
                NodeProperty::Visibility,
            ]
            .map(|property| Target::Node(NodeId::from(id), property))
            .into_iter()
            .any(|target| self.channels.moves(target));
            if scene.lights[light].kind == LightKind::Directional
                && node.rest == down
                && node.visible
                && !(moves || has_children[id] || bones[id] || bones[parent])
                && carried[parent].is_empty()
            {
                gone[id] = true;
                carried[id].clear();
                carried[parent].push(Role::Light(light));
            }
        }
        gone
    }

    /// The turn that a light needs which shines along the -Z axis of its node, for in MDX it shines down. None if it already does.
    fn direction(&self, light: usize) -> Option<Quat> {
        let light = &self.scene.lights[light];
        if !matches!(light.kind, LightKind::Directional | LightKind::Spot { .. }) {
            return None;
        }
        let frame = self.rest.0.get(light.node.index())?;
        let to = (frame.world.matrix3 * Vec3::NEG_Z).normalize_or(Vec3::NEG_Y);
        let turn = Quat::from_rotation_arc(Vec3::NEG_Y, to);
        (!turn.is_near_identity()).then_some(turn)
    }

    /// The light on a node.
    fn light_on(&self, node: usize) -> Option<Role> {
        let index = self.scene.lights.iter().position(|light| light.node.index() == node)?;
        Some(Role::Light(index))
    }

    /// Objects are called as what they are for, if that has a name.
    fn name_of(&self, role: Role, node: &str) -> String {
        let own = match role {
            Role::Event(index) => &self.scene.events[index].name,
            Role::Shape(index) => &self.scene.collision_shapes[index].name,
            Role::ModelEmitter(index) | Role::SpriteEmitter(index) | Role::EffectEmitter(index) => {
                &self.scene.emitters[index].name
            }
            Role::Ribbon(index) => &self.scene.ribbons[index].name,
            Role::Bone | Role::Light(_) | Role::Helper | Role::Attachment(_) => "",
        };
        if own.is_empty() { node.to_owned() } else { own.to_owned() }
    }

    /// The node part of an object.
    pub(super) fn node(&mut self, layout: &Layout, id: usize, flags: NodeFlags) -> Node<'static> {
        let entry = &layout.entries[id];
        let mut all = flags;
        if let Some(node) = entry.node.map(|node| &self.scene.nodes[node.index()]) {
            let inherit = node.inherit;
            let billboard = match node.billboard {
                Billboard::None => NodeFlags::default(),
                Billboard::Facing | Billboard::Aligned => NodeFlags::BILLBOARDED,
                Billboard::SpinX => NodeFlags::BILLBOARDED_LOCK_X,
                Billboard::SpinZ => NodeFlags::BILLBOARDED_LOCK_Y,
                Billboard::SpinY | Billboard::Upright => NodeFlags::BILLBOARDED_LOCK_Z,
            };
            let optional = [
                (!inherit.translation, NodeFlags::DONT_INHERIT_TRANSLATION),
                (!inherit.rotation, NodeFlags::DONT_INHERIT_ROTATION),
                (!inherit.scale, NodeFlags::DONT_INHERIT_SCALING),
                (node.camera_anchored, NodeFlags::CAMERA_ANCHORED),
            ];
            all =
                optional.into_iter().filter(|(is, _)| *is).fold(all | billboard, |all, (_, flag)| all | flag);
        }
        let header = NodeHeader {
            name: chars(&entry.name),
            object_id: I32::new(signed(id)),
            parent_id: I32::new(entry.parent.map_or(-1, signed)),
            flags: all,
        };
        let tracks = match (entry.node, entry.turn) {
            (Some(node), _) => self.node_tracks(node),
            (None, Some(turn)) => self.turned(turn).into_iter().collect(),
            (None, None) => Vec::new(),
        };
        self.builder.node(&header, tracks)
    }

    /// A turn at the start of each sequence.
    fn turned(&self, turn: Quat) -> Option<Node<'static>> {
        let turn = space::rotation(turn);
        let key = |time| TangentKey { time: I32::new(time), value: turn, in_tan: turn, out_tan: turn };
        let keys: Vec<_> = self.windows.iter().map(|window| key(window.start)).collect();
        (!keys.is_empty()).then(|| tracks::write(tags::KGRT, Interpolation::Step, -1, &keys)).flatten()
    }

    fn node_tracks(&mut self, id: NodeId) -> Vec<Node<'static>> {
        let frame = self.rest.0[id.index()];
        let rest = self.scene.nodes[id.index()].rest;
        let target = |property| Target::Node(id, property);
        let is_whole = frame.whole.is_some();
        let motion = self.motion(target(NodeProperty::Translation), rest.translation);
        let motion = motion.or_else(|| is_whole.then(|| self.still(rest.translation)));
        let translation = self.track(
            tags::KGTR,
            motion,
            Unsaid { disputed: is_whole, ..Unsaid::own(rest.translation) },
            |value| space::vector(frame.translation(value)),
            // Control points are positions; tangents are differences.
            |value, interpolation| {
                let is_position = interpolation != Interpolation::Hermite;
                space::vector(if is_position { frame.translation(value) } else { frame.move_by(value) })
            },
        );
        let motion = self.motion(target(NodeProperty::Rotation), rest.rotation);
        let motion = motion.or_else(|| is_whole.then(|| self.still(rest.rotation)));
        let turn = |value: Quat| space::rotation(frame.rotation(value));
        let rotation = self.track(
            tags::KGRT,
            motion,
            Unsaid { disputed: is_whole, ..Unsaid::own(rest.rotation) },
            turn,
            |value, _| turn(value),
        );
        let motion = self.motion(target(NodeProperty::Scale), rest.scale);
        let motion = motion.or_else(|| is_whole.then(|| self.still(rest.scale)));
        let mut is_exact = true;
        for key in
            motion.iter().flat_map(|motion| motion.sequences.iter().flatten()).flat_map(|keys| &keys.keys)
        {
            is_exact &= frame.scale(key.value).1;
        }
        if !is_exact {
            let name = self.scene.nodes[id.index()].name.clone();
            self.lost(
                &name,
                "is scaled unevenly along axes that MDX does not have; the scale is approximate",
            );
        }
        let grow = |value: Vec3| space::scale(frame.scale(value).0);
        let scale = self.track(
            tags::KGSC,
            motion,
            Unsaid { disputed: is_whole, ..Unsaid::own(rest.scale) },
            grow,
            |value, _| grow(value),
        );
        [translation, rotation, scale].into_iter().flatten().collect()
    }

    /// Bones and helpers.
    pub(super) fn skeleton(
        &mut self,
        layout: &Layout,
        geosets: &geosets::Geosets,
    ) -> [Vec<Node<'static>>; 2] {
        let (mut bones, mut helpers) = (Vec::new(), Vec::new());
        for id in 0..layout.entries.len() {
            match layout.entries[id].role {
                Role::Bone => {
                    let links = BoneLinks {
                        geoset_id: I32::new(geosets.only_geoset(id).map_or(-1, signed)),
                        geoset_animation_id: I32::new(-1),
                    };
                    let node = self.node(layout, id, NodeFlags::BONE);
                    bones.push(super::object(&kinds::BONE_OBJECT, node, vec![part(&links)]));
                }
                Role::Helper => {
                    let node = self.node(layout, id, NodeFlags::default());
                    helpers.push(super::object(&kinds::HELPER, node, Vec::new()));
                }
                _ => {}
            }
        }
        [bones, helpers]
    }
}

fn added(role: Role, name: &str, parent: Option<usize>) -> Draft {
    let entry =
        Entry { role, name: name.to_owned(), parent: None, node: None, pivot: Vec3::ZERO, turn: None };
    Draft { entry, parent }
}
