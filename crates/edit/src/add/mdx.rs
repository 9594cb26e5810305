//! Geosets, nodes and cameras of another MDX model.

use std::collections::{BTreeMap, BTreeSet};

use mdx::kinds;
use mdx::records::*;
use mdx::view::{Geoset, NodeKind, Object, Track};
use record::{I32, Kind, Node, U32, Vec3};

use super::moments::Moments;
use super::{Addition, names as list};
use crate::Error;
use crate::references::each;
use crate::references::mdx as references;
use crate::remove::mdx::{intervals, names};
use crate::report::Report;
use crate::select::{Part, PartKind, node_at, require_one};

pub(super) fn add(root: &mut Node<'_>, from: &Node<'_>, addition: &Addition) -> Result<Report, Error> {
    let part = require_one(from, &addition.part)?;
    compare_versions(root, from)?;
    let moments = Moments::new(&clips(root), &clips(from), addition.like.as_deref());
    let mut adding =
        Adding { root, from, addition, moments, report: Report::default(), nodes: BTreeMap::new() };
    match part.kind {
        PartKind::Mesh => adding.geoset(&part)?,
        PartKind::Camera => adding.camera(&part)?,
        PartKind::Bone
        | PartKind::Attachment
        | PartKind::Emitter
        | PartKind::Ribbon
        | PartKind::Light
        | PartKind::Collision
        | PartKind::Event => {
            adding.object(&part)?;
        }
        PartKind::Clip => return Err(Error::new("a clip is added as a clip")),
        kind => {
            return Err(Error::new(format!(
                "a {} cannot be added alone; it comes with what uses it",
                kind.word()
            )));
        }
    }
    Ok(adding.report)
}

/// The names and intervals of the sequences.
pub(super) fn clips(root: &Node<'_>) -> Vec<(String, [i32; 2])> {
    names(root).into_iter().zip(intervals(root)).collect()
}

/// Objects have another layout in each version.
pub(super) fn compare_versions(root: &Node<'_>, from: &Node<'_>) -> Result<(), Error> {
    if [root, from].iter().any(|root| root.child(&kinds::WOW_MODL).is_some()) {
        return Err(Error::new("parts of WoW models cannot be added"));
    }
    let version = |root: &Node<'_>| root.get(kinds::VERS).map_or(800, |version| version.get());
    let (own, other) = (version(root), version(from));
    if own != other {
        return Err(Error::new(format!("the other model has version {other}, and this one {own}"))
            .with_note("convert one of them to the version of the other first"));
    }
    Ok(())
}

/// The usual order of chunks.
const ORDER: [&Kind; 21] = [
    kinds::VERS.kind,
    kinds::MODL.kind,
    kinds::SEQS.kind,
    kinds::GLBS.kind,
    kinds::MTLS.kind,
    kinds::TEXS.kind,
    kinds::TXAN.kind,
    kinds::GEOS.kind,
    kinds::GEOA.kind,
    kinds::BONE.kind,
    kinds::LITE.kind,
    kinds::HELP.kind,
    kinds::ATCH.kind,
    kinds::PIVT.kind,
    kinds::PREM.kind,
    kinds::PRE2.kind,
    kinds::CORN.kind,
    kinds::RIBB.kind,
    kinds::CAMS.kind,
    kinds::EVTS.kind,
    kinds::CLID.kind,
];

/// The chunk of a kind, which is added in its usual place if it is missing.
pub(crate) fn chunk<'n, 'a>(root: &'n mut Node<'a>, kind: &'static Kind) -> Option<&'n mut Node<'a>> {
    if root.child(kind).is_none() {
        let rank = |kind: &Kind| ORDER.iter().position(|known| known.same(kind));
        let own = rank(kind).unwrap_or(ORDER.len());
        let before = |chunk: &Node<'_>| rank(chunk.kind).is_some_and(|rank| rank < own);
        let place = root.children().iter().rposition(before).map_or(0, |last| last + 1);
        let new = if kind.branch {
            Node::branch(kind, kind.id, Vec::new())
        } else {
            Node::leaf(kind, kind.id, Vec::new())
        };
        root.children_mut()?.insert(place, new);
    }
    root.child_mut(kind)
}

/// Adds an object at the end of a chunk and returns its index.
fn push<'a>(root: &mut Node<'a>, kind: &'static Kind, object: Node<'a>) -> usize {
    let Some(children) = chunk(root, kind).and_then(Node::children_mut) else { return 0 };
    children.push(object);
    children.len() - 1
}

/// The index of an equal element: the same as in the other model if it is equal, else the first.
fn like_index<T>(id: u32, all: &[T], same: impl Fn(&T) -> bool) -> Option<usize> {
    let at = usize::try_from(id).ok().filter(|at| all.get(*at).is_some_and(&same));
    at.or_else(|| all.iter().position(same))
}

struct Adding<'w, 'a, 'f> {
    root: &'w mut Node<'a>,
    from: &'w Node<'f>,
    addition: &'w Addition,
    moments: Moments,
    report: Report,
    /// What nodes of the other model have become.
    nodes: BTreeMap<i32, i32>,
}

/// A node, by its numbers.
struct Entry {
    id: i32,
    parent: i32,
    name: String,
    kind: NodeKind,
}

fn entries(root: &Node<'_>) -> Vec<Entry> {
    let objects = root.children().iter().flat_map(Node::children).filter_map(Object::new);
    let entry = |object: Object<'_>| Entry {
        id: object.id(),
        parent: object.parent().unwrap_or(-1),
        name: object.name().into_owned(),
        kind: object.kind,
    };
    objects.map(entry).collect()
}

fn pivot(root: &Node<'_>, id: i32) -> Option<[f32; 3]> {
    root.get(kinds::PIVT).get(usize::try_from(id).ok()?).map(|pivot| pivot.get())
}

fn moved(position: [f32; 3], by: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| position[axis] + by[axis])
}

impl Adding<'_, '_, '_> {
    /// The node that `to` chooses.
    fn target(&self) -> Result<Option<i32>, Error> {
        let Some(selector) = &self.addition.to else { return Ok(None) };
        let part = require_one(self.root, selector)?;
        let object = node_at(self.root, &part.trail).and_then(Object::new);
        object
            .map(|object| Some(object.id()))
            .ok_or_else(|| Error::new(format!("{} is not a node", part.title())))
    }

    /// How far parts move that were on one node and now are on another.
    fn offset(&self, old: i32, new: Option<i32>) -> [f32; 3] {
        let pair = new
            .filter(|_| !self.addition.keep_position)
            .and_then(|new| Some((pivot(self.from, old)?, pivot(self.root, new)?)));
        pair.map_or([0.0; 3], |(old, new)| [0, 1, 2].map(|axis| new[axis] - old[axis]))
    }

    /// The node with the name of a node of the other model, which is copied with the nodes above it if there is none.
    fn ensure(&mut self, id: i32) -> Result<i32, Error> {
        // Nodes above it, the nearest first, up to one that is known.
        let theirs: BTreeMap<i32, Entry> =
            entries(self.from).into_iter().map(|entry| (entry.id, entry)).collect();
        let own = entries(self.root);
        let mut missing = Vec::new();
        let (mut at, mut known) = (id, -1);
        for _ in 0..=theirs.len() {
            let Some(entry) = theirs.get(&at) else { break };
            if let Some(new) = self.nodes.get(&at) {
                known = *new;
                break;
            }
            let bones = [NodeKind::Bone, NodeKind::Helper];
            let fits = |own: NodeKind| own == entry.kind || at != id && bones.contains(&own);
            let has_name = |other: &&Entry| other.name.eq_ignore_ascii_case(&entry.name);
            // Names need not be unique: the second of a name is the second here, too.
            let number = theirs.values().filter(has_name).take_while(|other| other.id != at).count();
            let mut same = own.iter().filter(has_name).filter(|own| fits(own.kind));
            let same = same.clone().nth(number).or_else(|| same.next());
            if let Some(same) = same {
                known = same.id;
                self.nodes.insert(at, same.id);
                break;
            }
            missing.push(at);
            at = entry.parent;
        }
        for id in missing.into_iter().rev() {
            known = self.copy(id, known, [0.0; 3])?;
        }
        Ok(known)
    }

    /// Copies a node of the other model below a node of this one.
    fn copy(&mut self, id: i32, parent: i32, offset: [f32; 3]) -> Result<i32, Error> {
        let found = self.from.children().iter().find_map(|chunk| {
            let object = chunk
                .children()
                .iter()
                .find(|object| Object::new(object).is_some_and(|own| own.id() == id))?;
            Some((chunk.kind, object))
        });
        let Some((kind, object)) = found else {
            return Err(Error::new(format!("the node {id} does not exist")));
        };
        let mut object = object.clone().into_owned();
        self.adapt(&mut object)?;
        let nodes = entries(self.root);
        let pivots = root_pivots(self.root, &nodes);
        let new = i32::try_from(pivots.len()).map_err(|_| Error::new("the model has too many nodes"))?;
        each(&mut object, &mut |node| {
            if node.is(&kinds::NODE_HEADER) {
                references::change_ids(node, &|_| new, &|_| parent);
                if let Some(header) = node.value_mut::<NodeHeader>() {
                    header.parent_id = I32::new(parent);
                }
            } else if let Some(links) =
                node.is(&kinds::BONE_LINKS).then(|| node.value_mut::<BoneLinks>()).flatten()
            {
                (links.geoset_id, links.geoset_animation_id) = (I32::new(-1), I32::new(-1));
            }
        });
        let place = moved(pivot(self.from, id).unwrap_or_default(), offset);
        let mut pivots = pivots;
        pivots.push(Vec3::from(place));
        chunk(self.root, kinds::PIVT.kind).and_then(|list| list.set_values(&pivots));
        add_pose(self.root, usize::try_from(new).unwrap_or_default(), place);
        push(self.root, kind, object);
        self.nodes.insert(id, new);
        self.report.changed += 1;
        Ok(new)
    }

    /// Gives a copied part the numbers and the time line of this model.
    fn adapt(&mut self, part: &mut Node<'static>) -> Result<(), Error> {
        let mut materials = BTreeMap::new();
        references::materials(part, &mut |id| {
            materials.insert(id, id);
            id
        });
        for (old, new) in &mut materials {
            *new = self.material(*old)?;
        }
        references::materials(part, &mut |id| materials.get(&id).copied().unwrap_or(id));
        self.adapt_textures(part);
        self.adapt_tracks(part);
        Ok(())
    }

    fn adapt_textures(&mut self, part: &mut Node<'static>) {
        let mut used = BTreeMap::new();
        references::textures(part, &mut |id| {
            used.insert(id, id);
            id
        });
        for (old, new) in &mut used {
            *new = self.texture(*old);
        }
        references::textures(part, &mut |id| used.get(&id).copied().unwrap_or(id));
    }

    fn adapt_tracks(&mut self, part: &mut Node<'static>) {
        let mut used = BTreeMap::new();
        references::global_sequences(part, &mut |id| {
            used.insert(id, id);
            id
        });
        for (old, new) in &mut used {
            *new = self.global_sequence(*old);
        }
        references::global_sequences(part, &mut |id| used.get(&id).copied().unwrap_or(id));
        let first = self.moments.clips.first().map_or(0, |([start, _], _)| *start);
        each(part, &mut |owner| {
            let mut opaque = Vec::new();
            if let Some(children) = owner.children_mut() {
                children.retain_mut(|track| {
                    if Track::new(track).is_none() || self.moments.apply(track) {
                        return true;
                    }
                    // A track without keys has its default, which is not always what its owner has without a track.
                    if crate::keys::curve::default_value(track.id).is_some() || track.id == mdx::tags::KEVT {
                        opaque.push(track.id);
                        return false;
                    }
                    let mut keys = crate::keys::mdx::keys(track);
                    keys.truncate(1);
                    keys.iter_mut().for_each(|key| key.time = first);
                    crate::keys::mdx::set_keys(track, &keys);
                    true
                });
            }
            opaque.retain(|tag| [mdx::tags::KGAO, mdx::tags::KMTA].contains(tag));
            opaque.into_iter().for_each(|tag| crate::remove::mdx::set_opaque(owner, tag));
        });
    }

    fn texture(&mut self, id: u32) -> u32 {
        let Some(texture) =
            usize::try_from(id).ok().and_then(|id| self.from.get(kinds::TEXS).get(id)).copied()
        else {
            return id;
        };
        let mut all = self.root.get(kinds::TEXS).to_vec();
        let same = |own: &Texture| {
            own.path.same_name(&texture.path)
                && own.replaceable_id == texture.replaceable_id
                && own.flags == texture.flags
        };
        let index = like_index(id, &all, same).unwrap_or_else(|| {
            all.push(texture);
            all.len() - 1
        });
        chunk(self.root, kinds::TEXS.kind).and_then(|list| list.set_values(&all));
        u32::try_from(index).unwrap_or(id)
    }

    fn global_sequence(&mut self, id: u32) -> u32 {
        let theirs = self.from.get(kinds::GLBS);
        let Some(duration) = usize::try_from(id).ok().and_then(|id| theirs.get(id)).copied() else {
            return id;
        };
        let mut all = self.root.get(kinds::GLBS).to_vec();
        let index = like_index(id, &all, |own| *own == duration).unwrap_or_else(|| {
            all.push(duration);
            all.len() - 1
        });
        chunk(self.root, kinds::GLBS.kind).and_then(|list| list.set_values(&all));
        u32::try_from(index).unwrap_or(id)
    }

    /// The material of the other model, which is copied unless there is an equal one.
    fn material(&mut self, id: u32) -> Result<u32, Error> {
        let theirs = self.from.child(&kinds::MTLS).into_iter().flat_map(|list| list.all(&kinds::MATERIAL));
        let Some(material) = usize::try_from(id).ok().and_then(|id| theirs.into_iter().nth(id)) else {
            return Ok(id);
        };
        let mut material = material.clone().into_owned();
        self.adapt_textures(&mut material);
        self.adapt_tracks(&mut material);
        let mut used = BTreeMap::new();
        references::texture_animations(&mut material, &mut |id| {
            used.insert(id, id);
            id
        });
        for (old, new) in &mut used {
            *new = self.listed(*old, kinds::TXAN.kind, kinds::TEXTURE_ANIMATION.kind)?;
        }
        references::texture_animations(&mut material, &mut |id| used.get(&id).copied().unwrap_or(id));
        self.reused(id, kinds::MTLS.kind, kinds::MATERIAL.kind, material)
    }

    /// A part of a list of the other model, which is copied unless there is an equal one.
    fn listed(&mut self, id: u32, list: &'static Kind, kind: &'static Kind) -> Result<u32, Error> {
        let theirs = self.from.child(list).into_iter().flat_map(|list| list.all(kind));
        let Some(part) = usize::try_from(id).ok().and_then(|id| theirs.into_iter().nth(id)) else {
            return Ok(id);
        };
        let mut part = part.clone().into_owned();
        self.adapt_tracks(&mut part);
        self.reused(id, list, kind, part)
    }

    fn reused(
        &mut self,
        id: u32,
        list: &'static Kind,
        kind: &'static Kind,
        part: Node<'static>,
    ) -> Result<u32, Error> {
        let bytes = part.to_bytes().map_err(|error| Error::new(error.to_string()))?;
        let own = self.root.child(list).into_iter().flat_map(|list| list.all(kind));
        let own: Vec<Vec<u8>> = own.into_iter().map(|own| own.to_bytes().unwrap_or_default()).collect();
        let same = like_index(id, &own, |own| *own == bytes);
        let index = same.unwrap_or_else(|| push(self.root, list, part));
        u32::try_from(index).map_err(|_| Error::new("the model has too many materials"))
    }

    fn object(&mut self, part: &Part) -> Result<(), Error> {
        let object = node_at(self.from, &part.trail).and_then(Object::new);
        let object = object.ok_or_else(|| Error::new("the part is not a node"))?;
        let (id, old) = (object.id(), object.parent().unwrap_or(-1));
        let target = self.target()?;
        let parent = match target {
            Some(target) => target,
            None if old < 0 => -1,
            None => {
                let name =
                    entries(self.from).into_iter().find(|entry| entry.id == old).map(|entry| entry.name);
                let name = name.unwrap_or_default();
                let same =
                    entries(self.root).into_iter().find(|entry| entry.name.eq_ignore_ascii_case(&name));
                same.map(|entry| entry.id).ok_or_else(|| {
                    let name = record::printable(&name);
                    Error::new(format!("the model has no node {name:?}, which the part is on"))
                        .with_note("choose the node to attach it to")
                })?
            }
        };
        let offset = self.offset(if old < 0 { id } else { old }, target);
        self.copy(id, parent, offset)?;
        let lost = entries(self.from)
            .iter()
            .filter(|entry| entry.parent == id)
            .map(|entry| entry.name.clone())
            .collect::<Vec<_>>();
        if !lost.is_empty() {
            self.report.note(format!("nodes below it were not added: {}", list(&lost)));
        }
        Ok(())
    }

    fn camera(&mut self, part: &Part) -> Result<(), Error> {
        let camera =
            node_at(self.from, &part.trail).ok_or_else(|| Error::new("the camera does not exist"))?;
        let mut camera = camera.clone().into_owned();
        self.adapt_tracks(&mut camera);
        push(self.root, kinds::CAMS.kind, camera);
        let count = self.root.get(kinds::BPOS).len();
        add_pose(self.root, count, [0.0; 3]);
        self.report.changed += 1;
        Ok(())
    }

    fn geoset(&mut self, part: &Part) -> Result<(), Error> {
        let source =
            node_at(self.from, &part.trail).ok_or_else(|| Error::new("the geoset does not exist"))?;
        let mut geoset = source.clone().into_owned();
        let target = self.target()?;
        let bones = bones_of(self.from);
        let used = used_nodes(source, &bones);
        let theirs = entries(self.from);
        let parent_of = |id: i32| theirs.iter().find(|entry| entry.id == id).map_or(-1, |entry| entry.parent);
        let top = used.iter().copied().find(|id| !used.contains(&parent_of(*id)));
        let offset = top.map_or([0.0; 3], |top| {
            let parent = parent_of(top);
            self.offset(if parent < 0 { top } else { parent }, target)
        });
        match target {
            None => {
                for id in &used {
                    self.ensure(*id)?;
                }
            }
            Some(target) => {
                let mut left = used.clone();
                // Parents first, whatever their numbers.
                while !left.is_empty() {
                    let waits = |id: &i32| left.contains(&parent_of(*id));
                    let Some(id) = left.iter().copied().find(|id| !waits(id)).or(left.first().copied())
                    else {
                        break;
                    };
                    left.retain(|other| *other != id);
                    let parent = self.nodes.get(&parent_of(id)).copied().unwrap_or(target);
                    self.copy(id, parent, offset)?;
                }
            }
        }
        self.adapt(&mut geoset)?;
        self.bind(&mut geoset, &bones)?;
        for position in geoset.get_mut(kinds::VRTX) {
            *position = Vec3::from(moved(position.get(), offset));
        }
        self.extents(&mut geoset, source, offset);
        let index = push(self.root, kinds::GEOS.kind, geoset);
        self.geoset_animation(part.index, index)?;
        self.report.changed += 1;
        Ok(())
    }

    /// Binds the vertices of a copied geoset to the nodes of this model.
    fn bind(&self, geoset: &mut Node<'static>, theirs: &[i32]) -> Result<(), Error> {
        for matrix in geoset.get_mut(kinds::MATS) {
            if let Some(new) = self.nodes.get(&matrix.get().cast_signed()) {
                *matrix = U32::new(new.cast_unsigned());
            }
        }
        let own = bones_of(self.root);
        let mut failed = false;
        each(geoset, &mut |node| {
            references::bones_by_number(node, &|old| {
                let id = theirs.get(old as usize).and_then(|id| self.nodes.get(id));
                let new = id.and_then(|id| own.iter().position(|own| own == id));
                new.and_then(|new| u32::try_from(new).ok()).unwrap_or(old)
            });
            failed |= node.is(&kinds::SKIN) && own.len() > 256;
        });
        if failed {
            return Err(Error::new("the model would have more than 256 bones"));
        }
        Ok(())
    }

    /// One extent for each sequence: that of the clip of the same name, or that of the rest pose.
    fn extents(&self, geoset: &mut Node<'static>, source: &Node<'_>, offset: [f32; 3]) {
        let shift = |extent: Extent| Extent {
            minimum: Vec3::from(moved(extent.minimum.get(), offset)),
            maximum: Vec3::from(moved(extent.maximum.get(), offset)),
            ..extent
        };
        if let Some(bounds) = geoset.get_mut(kinds::GEOSET_BOUNDS) {
            bounds.extent = shift(bounds.extent);
        }
        let Some(at_rest) = geoset.get(kinds::GEOSET_BOUNDS).map(|bounds| bounds.extent) else { return };
        let (own, theirs, known) = (clips(self.root), clips(self.from), source.get(kinds::EXTENTS));
        let of = |name: &String| {
            let same = theirs.iter().position(|(other, _)| other.eq_ignore_ascii_case(name));
            same.and_then(|same| known.get(same)).map_or(at_rest, |extent| shift(*extent))
        };
        let all: Vec<Extent> = own.iter().map(|(name, _)| of(name)).collect();
        if let Some(list) = geoset.child_mut(&kinds::EXTENTS) {
            list.set_values(&all);
        }
    }

    /// Copies the animation of a geoset, which shows and hides it.
    fn geoset_animation(&mut self, old: usize, new: usize) -> Result<(), Error> {
        let theirs =
            self.from.child(&kinds::GEOA).into_iter().flat_map(|list| list.all(&kinds::GEOSET_ANIMATION));
        let Some(animation) =
            theirs.into_iter().find(|animation| references::geoset_of(animation) == Some(old))
        else {
            return Ok(());
        };
        let mut animation = animation.clone().into_owned();
        self.adapt_tracks(&mut animation);
        if let Some(header) = animation.get_mut(kinds::GEOSET_ANIMATION_HEADER) {
            header.geoset_id = I32::new(i32::try_from(new).unwrap_or(-1));
        }
        push(self.root, kinds::GEOA.kind, animation);
        Ok(())
    }
}

/// The ids of the bones, in file order.
fn bones_of(root: &Node<'_>) -> Vec<i32> {
    entries(root).into_iter().filter(|entry| entry.kind == NodeKind::Bone).map(|entry| entry.id).collect()
}

/// The nodes that move vertices of a geoset, each once.
fn used_nodes(geoset: &Node<'_>, bones: &[i32]) -> Vec<i32> {
    let mut used: Vec<i32> = Vec::new();
    let Some(view) = Geoset::new(geoset) else { return used };
    let mut seen = BTreeSet::new();
    let mut add = |id: i32| {
        if seen.insert(id) {
            used.push(id);
        }
    };
    view.matrices().iter().for_each(|matrix| add(matrix.get().cast_signed()));
    for vertex in view.skin() {
        for (bone, _) in vertex.bones.iter().zip(vertex.weights).filter(|(_, weight)| *weight > 0) {
            bones.get(usize::from(*bone)).into_iter().for_each(|id| add(*id));
        }
    }
    used
}

/// The pivots of a model, one for each id at least.
fn root_pivots(root: &Node<'_>, nodes: &[Entry]) -> Vec<Vec3> {
    let mut pivots = root.get(kinds::PIVT).to_vec();
    let least =
        nodes.iter().filter_map(|entry| usize::try_from(entry.id).ok()).max().map_or(0, |last| last + 1);
    // Ids come from the file; more than there are nodes is damage, and references would lead nowhere.
    if least <= nodes.len().saturating_mul(2) + 16 {
        pivots.resize(pivots.len().max(least), Vec3::default());
    }
    pivots
}

/// Adds a rest matrix for a node or camera, if the model has such.
fn add_pose(root: &mut Node<'_>, index: usize, place: [f32; 3]) {
    let Some(list) = root.child_mut(&kinds::BPOS) else { return };
    let mut poses = list.values::<BindPose>().to_vec();
    let pose = BindPose {
        x: Vec3::new(1.0, 0.0, 0.0),
        y: Vec3::new(0.0, 1.0, 0.0),
        z: Vec3::new(0.0, 0.0, 1.0),
        translation: Vec3::from(place),
    };
    poses.insert(index.min(poses.len()), pose);
    list.set_values(&poses);
    if let Some(count) = list.value_mut::<U32>() {
        crate::references::increase(count, 1);
    }
}
