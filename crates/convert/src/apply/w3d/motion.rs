//! Changed and new clips: the changed scene is written as a whole, and the channels that changed are taken from there.

use super::super::Edit;
use super::Author;
use crate::author::w3d::{Compress, Options, to_w3d};
use crate::w3d::Chunk;
use record::Node;
use scene::{ClipId, NodeProperty, Scene, Target};
use std::collections::HashMap;
use w3d::names::{ChannelType, Flavor};
use w3d::{W3d, table};

impl Author<'_, '_, '_> {
    /// Makes all changes of clips at once.
    pub(super) fn finish_motion(&mut self) {
        let inputs = self.inputs;
        let edits = inputs.motion_edits();
        if edits.is_empty() {
            return;
        }
        let added: Vec<usize> = self.added_pivots.iter().map(|(node, _)| *node).collect();
        let merged = inputs.merged(&added, |scene, clip| {
            clip.frame_rate = clip.frame_rate.or(scene.clips.first().and_then(|clip| clip.frame_rate));
        });
        let mut written = Written { scene: &merged, files: Vec::new() };
        for edit in edits {
            let result = match edit {
                Edit::MotionChanged(clip, _, target) => self.change_motion(&mut written, *clip, *target),
                Edit::MotionAdded(clip, _, node) => self.add_motion(&mut written, *clip, *node),
                Edit::ClipAdded(index) => self.add_clip(&mut written, *index),
                Edit::ClipLength(clip, _) => self.rewrite_clip(&mut written, *clip),
                _ => Ok(()),
            };
            if let Err(reason) = result {
                self.refuse(edit, &reason);
            }
        }
    }

    fn change_motion(
        &mut self,
        written: &mut Written<'_>,
        clip: ClipId,
        target: Target,
    ) -> Result<(), String> {
        let Target::Node(node, property) = target else {
            return Err(
                "cannot be applied to the original; convert without the original to get it".to_owned()
            );
        };
        let wanted: &[ChannelType] = match property {
            NodeProperty::Translation => &[ChannelType::X, ChannelType::Y, ChannelType::Z],
            NodeProperty::Rotation => &[ChannelType::Q],
            NodeProperty::Visibility => &[ChannelType::VIS],
            NodeProperty::Scale => return Err("W3D has no scale".to_owned()),
        };
        let pivot = self.origins.nodes.get(node.index()).copied().flatten();
        let pivot = pivot.ok_or("it is not a pivot of the skeleton")?.pivot;
        self.graft(written, clip, (node.index(), pivot), wanted)
    }

    /// The motion of a new pivot in a clip of the original.
    fn add_motion(&mut self, written: &mut Written<'_>, clip: ClipId, node: usize) -> Result<(), String> {
        let place = self.added_pivots.iter().position(|(added, _)| *added == node);
        let place = place.ok_or("its pivot was not added")?;
        let pivot = self.added_pivots[place].1;
        let node = self.inputs.original.nodes.len() + place;
        let all = [ChannelType::X, ChannelType::Y, ChannelType::Z, ChannelType::Q];
        self.graft(written, clip, (node, pivot), &all)
    }

    /// Takes channels of a node of the written scene into a clip, in place of those of the pivot there.
    fn graft(
        &mut self,
        written: &mut Written<'_>,
        clip: ClipId,
        (node, pivot): (usize, usize),
        wanted: &[ChannelType],
    ) -> Result<(), String> {
        let place = self.clip_chunk(clip)?;
        let chunk = self.chunk(place)?;
        let compress = compression(chunk);
        let name = w3d::Animation(chunk).name();
        let node_name = written.scene.nodes.get(node).map_or("", |node| &node.name);
        let file = written.file(compress)?;
        let own = pivot_of(file, node_name, pivot).ok_or("the pivot was not found")?;
        let found = animation(file, &name).ok_or("the clip was not written")?;
        if found.kind.name != chunk.kind.name {
            return Err(
                "the clip would need another compression; convert without the original to get it".to_owned()
            );
        }
        let is_it = |node: &Node<'_>, pivot: usize| {
            w3d::codec::decode(node).is_some_and(|channel| {
                usize::from(channel.pivot) == pivot && wanted.contains(&channel.target)
            })
        };
        let mut new: Vec<Node<'static>> = found
            .children()
            .iter()
            .filter(|node| is_it(node, own))
            .map(|node| node.clone().into_owned())
            .collect();
        for channel in &mut new {
            set_pivot(channel, pivot);
        }
        let children = chunk.children_mut().ok_or("the clip has no channels")?;
        if new.is_empty() && !children.iter().any(|node| is_it(node, pivot)) {
            return Err("W3D has no motion of the root: move a bone below it".to_owned());
        }
        let first = children.iter().position(|node| is_it(node, pivot)).unwrap_or(children.len());
        children.retain(|node| !is_it(node, pivot));
        let first = first.min(children.len());
        children.splice(first..first, new);
        Ok(())
    }

    /// A clip of another length: all channels have another number of frames, so the clip is written anew.
    fn rewrite_clip(&mut self, written: &mut Written<'_>, clip: ClipId) -> Result<(), String> {
        let place = self.clip_chunk(clip)?;
        let chunk = self.chunk(place)?;
        let compress = compression(chunk);
        let (name, hierarchy) = (w3d::Animation(chunk).name(), w3d::Animation(chunk).hierarchy_name());
        let file = written.file(compress)?;
        let found = animation(file, &name).ok_or("the clip was not written")?;
        let mut new = found.clone().into_owned();
        let lost = self.to_own_pivots(&mut new, file)?;
        if lost > 0 {
            return Err(format!("{lost} of its channels move pivots that were not found"));
        }
        let mut view = w3d::view::AnimationMut::new(&mut new).ok_or("the clip was not written")?;
        view.set_hierarchy_name(&hierarchy).map_err(|error| error.to_string())?;
        view.set_name(&name).map_err(|error| error.to_string())?;
        *self.chunk(place)? = new;
        Ok(())
    }

    /// The name of a skeleton, and those of its pivots.
    fn skeleton(&self, place: Chunk) -> Result<(String, Vec<String>), String> {
        let document = self.documents.get(place.document);
        let node = document.and_then(|document| document.root.children().get(place.index));
        let found = w3d::Hierarchy(node.ok_or("the skeleton was not found")?);
        Ok((found.name(), found.pivots().iter().map(|pivot| pivot.name.to_string()).collect()))
    }

    fn add_clip(&mut self, written: &mut Written<'_>, index: usize) -> Result<(), String> {
        let inputs = self.inputs;
        let clip = inputs.edited.scene.clips.get(index).ok_or("the clip was not found")?;
        let skeleton = self.origins.nodes.iter().copied().flatten().map(|pivot| pivot.skeleton).next();
        let skeleton = skeleton.ok_or("the model has no skeleton")?;
        let compress =
            self.chunks().iter().find(|node| is_animation(node)).map_or(Compress::Raw, compression);
        let file = written.file(compress)?;
        let found = file
            .root
            .children()
            .iter()
            .find(|node| is_animation(node) && same_clip(&w3d::Animation(node).name(), &clip.name));
        let mut chunk = found.ok_or("the clip was not written")?.clone().into_owned();
        let (hierarchy, _) = self.skeleton(skeleton)?;
        let lost = self.to_own_pivots(&mut chunk, file)?;
        let mut view = w3d::view::AnimationMut::new(&mut chunk).ok_or("the clip was not written")?;
        view.set_hierarchy_name(&hierarchy).map_err(|error| error.to_string())?;
        self.root()?.children_mut().ok_or("the file has no chunks")?.push(chunk);
        match lost {
            0 => Ok(()),
            _ => Err(format!("{lost} channels move pivots that were not found, and were dropped")),
        }
    }

    /// Gives the channels of a written clip the pivots of the document. The result is the number of channels without one, which are dropped.
    fn to_own_pivots(&self, chunk: &mut Node<'_>, file: &W3d<'_>) -> Result<usize, String> {
        let skeleton = self.origins.nodes.iter().copied().flatten().map(|pivot| pivot.skeleton).next();
        let (_, known) = self.skeleton(skeleton.ok_or("the model has no skeleton")?)?;
        let own: Vec<String> = file
            .hierarchies()
            .next()
            .map(|own| own.pivots().iter().map(|pivot| pivot.name.to_string()).collect())
            .unwrap_or_default();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, name) in known.iter().enumerate() {
            places.entry(name.as_str()).or_insert(place);
        }
        let mut lost = 0;
        chunk.children_mut().into_iter().for_each(|children| {
            children.retain_mut(|node| {
                let Some(channel) = w3d::codec::decode(node) else { return true };
                let pivot = usize::from(channel.pivot);
                let name = own.get(pivot);
                let place = match known.get(pivot) == name {
                    true => Some(pivot),
                    false => name.and_then(|name| places.get(name.as_str()).copied()),
                };
                match place {
                    Some(place) => set_pivot(node, place),
                    None => lost += 1,
                }
                place.is_some()
            });
        });
        Ok(lost)
    }
}

/// The animation of a name.
fn animation<'f>(file: &'f W3d<'static>, name: &str) -> Option<&'f Node<'static>> {
    let mut all = file.root.children().iter().filter(|node| is_animation(node));
    all.find(|node| w3d::Animation(node).name().eq_ignore_ascii_case(name))
}

fn same_clip(written: &str, wanted: &str) -> bool {
    let plain = |name: &str| {
        name.chars().filter(char::is_ascii_alphanumeric).take(15).collect::<String>().to_lowercase()
    };
    written.eq_ignore_ascii_case(wanted) || plain(wanted).starts_with(&plain(written)) && !written.is_empty()
}

fn is_animation(node: &Node<'_>) -> bool {
    node.is(&table::ANIMATION) || node.is(&table::COMPRESSED_ANIMATION)
}

/// The compression of an animation.
fn compression(chunk: &Node<'_>) -> Compress {
    match chunk.get(table::COMPRESSED_ANIMATION_HEADER) {
        None => Compress::Raw,
        Some(header) if header.flavor == Flavor::TIMECODED => Compress::TIME_CODED,
        Some(_) => Compress::ADAPTIVE_DELTA,
    }
}

/// The changed scene as W3D, written once for each compression.
struct Written<'s> {
    scene: &'s Scene,
    files: Vec<(Compress, W3d<'static>)>,
}

impl Written<'_> {
    fn file(&mut self, compress: Compress) -> Result<&W3d<'static>, String> {
        let known = self.files.iter().position(|(known, _)| *known == compress);
        let place = match known {
            Some(place) => place,
            None => {
                let options = Options { compress, faithful: true, ..Options::default() };
                let (files, _) = to_w3d(self.scene, &options).map_err(|error| error.to_string())?;
                let file = files.into_iter().next().ok_or("the clip was not written")?;
                self.files.push((compress, file.document));
                self.files.len() - 1
            }
        };
        Ok(&self.files[place].1)
    }
}

/// The pivot of a name, which should be this one.
fn pivot_of(file: &W3d<'_>, name: &str, wanted: usize) -> Option<usize> {
    let hierarchies: Vec<Vec<String>> = file
        .hierarchies()
        .map(|hierarchy| hierarchy.pivots().iter().map(|pivot| pivot.name.to_string()).collect())
        .collect();
    let names = hierarchies.first()?;
    if names.get(wanted).is_some_and(|known| known.eq_ignore_ascii_case(name)) {
        return Some(wanted);
    }
    names.iter().position(|known| known.eq_ignore_ascii_case(name))
}

/// Gives a channel to another pivot.
fn set_pivot(node: &mut Node<'_>, pivot: usize) {
    // The offsets of `pivot` in the headers of channels.
    let offset = if node.is(&table::ANIMATION_CHANNEL) {
        8
    } else if node.is(&table::BIT_CHANNEL) || node.is(&table::COMPRESSED_ANIMATION_MOTION_CHANNEL) {
        6
    } else {
        4
    };
    let pivot = u16::try_from(pivot).unwrap_or(u16::MAX).to_le_bytes();
    if let Some(place) = node.bytes_mut().and_then(|bytes| bytes.get_mut(offset..offset + 2)) {
        place.copy_from_slice(&pivot);
    }
}
