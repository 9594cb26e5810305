//! Things that appear and disappear.

use crate::{
    Exporter, Visibility,
    animation::{Animation, Source, node_target, pointer_target, seeds},
    buffers::Element,
    changes::{Sources, Subject},
    curve::{Keys, Mode},
    geometry::Placed,
};
use glam::Vec3;
use scene::{Channel, Curve, Mesh, MeshId, MeshProperty, NodeProperty, Target, Value};

impl Exporter<'_> {
    /// Whether a mesh does not simply show all the time.
    pub(crate) fn changes_visibility(&self, id: MeshId, mesh: &Mesh) -> bool {
        !self.shows_at_rest(mesh) || subjects(id, mesh).any(|subject| self.changes.hides(subject))
    }

    fn shows_at_rest(&self, mesh: &Mesh) -> bool {
        let node = mesh.node.and_then(|node| self.scene.nodes.get(node.index()));
        !mesh.hidden && mesh.alpha > 0.0 && node.is_none_or(|node| node.visible)
    }

    /// Whether a mesh is hidden by the extension, because a scale would do nothing to it or is not wished.
    fn by_extension(&self, placed: &Placed) -> bool {
        self.options.visibility == Visibility::Extension || placed.is_skinned || !placed.is_alone
    }

    pub(crate) fn show_at_rest(&mut self, placed: &Placed, mesh: &Mesh) {
        let (visible, extension) = (self.shows_at_rest(mesh), self.by_extension(placed));
        let node = &mut self.nodes.all[placed.node as usize];
        if extension {
            node.visible = Some(visible);
        } else {
            node.transform.scale = if visible { Vec3::ONE } else { Vec3::ZERO };
        }
    }

    /// Writes when each mesh shows.
    pub(crate) fn write_visibility(&mut self, animation: &mut Animation, sources: &Sources<'_>) {
        // Of many animations few say anything of it, and a model may have many meshes.
        if self.options.visibility == Visibility::Off || !sources.any(decides_visibility) {
            return;
        }
        for at in 0..self.nodes.placed.len() {
            let placed = self.nodes.placed[at];
            let mesh = &self.scene.meshes[placed.mesh.index()];
            let about = sources.about(subjects(placed.mesh, mesh), decides_visibility);
            let about: Vec<&Source<'_>> = about.into_iter().map(|at| &sources.all[at]).collect();
            let hides = !self.shows_at_rest(mesh) || about.iter().any(|source| can_hide(source.channel));
            if mesh.hidden || about.is_empty() || !hides {
                continue;
            }
            let keys = self.visibility_keys(mesh, &about, animation.duration);
            if self.by_extension(&placed) {
                self.uses("KHR_animation_pointer");
                let values: Vec<u8> = keys.values.iter().map(|&on| u8::from(on)).collect();
                let keys = Keys::new(Mode::Step, keys.times, values, false);
                let target = pointer_target("nodes", placed.node, "extensions/KHR_node_visibility/visible");
                animation.push(&mut self.buffers, Element::U8, keys, 0, target);
            } else {
                let scale = |&on: &bool| if on { Vec3::ONE } else { Vec3::ZERO };
                let values: Vec<Vec3> = keys.values.iter().map(scale).collect();
                let keys = Keys::new(Mode::Step, keys.times, values, false);
                let target = node_target(placed.node, NodeProperty::Scale);
                animation.push(&mut self.buffers, Element::F32x3, keys, Vec3::ZERO, target);
            }
        }
    }

    /// On and off, as [`scene::Pose`] has it: the flags, and a product of opacities that is more than nothing.
    fn visibility_keys(&self, mesh: &Mesh, about: &[&Source<'_>], duration: f32) -> Keys<'static, bool> {
        let node = mesh.node.and_then(|node| self.scene.nodes.get(node.index()));
        let shows = |time: f32| {
            let (mut alpha, mut shown, mut flag) =
                (mesh.alpha, node.map_or(1.0, |node| f32::from(node.visible)), true);
            for source in about {
                match (source.channel.target, source.sample(time)) {
                    (Target::Mesh(_, MeshProperty::Alpha), Some(Value::Scalar(value))) => alpha = value,
                    (Target::Mesh(_, MeshProperty::Visibility), Some(Value::Flag(value))) => flag &= value,
                    (Target::Node(..), Some(Value::Flag(value))) => shown = f32::from(value),
                    (Target::Node(..), Some(Value::Scalar(value))) => shown = value,
                    _ => {}
                }
            }
            flag && alpha * shown > 0.0
        };
        let mut times = seeds(about, duration);
        times.sort_by(f32::total_cmp);
        // On and off is by steps, so the moments just before keys are not needed.
        times.dedup_by(|next, time| {
            let twin = time.next_up() >= *next;
            *time = if twin { *next } else { *time };
            twin
        });
        let (mut changes, mut values) = (Vec::new(), Vec::new());
        for (index, &time) in times.iter().enumerate() {
            // What fades in or out shows until, or as soon as, it is not quite gone: the middle of the way decides.
            let next = times.get(index + 1).copied().unwrap_or(time);
            let on = shows(time) || shows(time + (next - time) * 0.5);
            if values.last() != Some(&on) {
                changes.push(time);
                values.push(on);
            }
        }
        Keys::new(Mode::Step, changes, values, false)
    }
}

/// What has a say in whether a mesh shows: itself and its node.
fn subjects(id: MeshId, mesh: &Mesh) -> impl Iterator<Item = Subject> {
    mesh.node.map(|node| Subject::Node(node.0)).into_iter().chain([Subject::Mesh(id.0)])
}

/// Whether it is by this that they say it.
fn decides_visibility(target: Target) -> bool {
    matches!(
        target,
        Target::Node(_, NodeProperty::Visibility)
            | Target::Mesh(_, MeshProperty::Alpha | MeshProperty::Visibility)
    )
}

/// Whether it ever says no.
pub(crate) fn can_hide(channel: &Channel) -> bool {
    match &channel.curve {
        Curve::Scalar(track) => track.values.iter().any(|&value| value <= 0.0) || !track.tangents.is_empty(),
        Curve::Flag(track) => track.values.contains(&false),
        _ => false,
    }
}
