//! Changed and new clips: the changed scene is written as a whole, and the channels that changed are taken from there.

use super::super::Edit;
use super::Author;
use crate::author::w3d::{Compress, Options, to_w3d};
use record::Node;
use scene::{Channel, Clip, ClipId, NodeProperty, Scene, Target};
use w3d::names::{ChannelType, Flavor};
use w3d::{W3d, table};

impl Author<'_, '_, '_> {
    /// Makes all changes of clips at once.
    pub(super) fn finish_motion(&mut self) {
        let is_motion = |edit: &Edit| matches!(edit, Edit::MotionChanged(..) | Edit::ClipAdded(_));
        if !self.has_edits(is_motion) {
            return;
        }
        let inputs = self.inputs;
        let merged = self.merged();
        for edit in inputs.comparison.edits.iter().filter(|edit| is_motion(edit)) {
            let result = match edit {
                Edit::MotionChanged(clip, _, target) => self.change_motion(&merged, *clip, *target),
                Edit::ClipAdded(index) => self.add_clip(&merged, *index),
                _ => Ok(()),
            };
            if let Err(reason) = result {
                self.refuse(edit, &reason);
            }
        }
    }

    /// The original with the motion of the edited scene.
    fn merged(&self) -> Scene {
        let inputs = self.inputs;
        let mut scene = inputs.original.clone();
        let (moved, _) = self.rests();
        for (node, rest) in moved {
            if let Some(node) = scene.nodes.get_mut(node.index()) {
                node.rest = rest;
            }
        }
        for edit in &inputs.comparison.edits {
            match edit {
                Edit::MotionChanged(clip, index, target) => {
                    let channel = self.channel(*index, *target);
                    let Some(clip) = scene.clips.get_mut(clip.index()) else { continue };
                    clip.channels.retain(|channel| channel.target != *target);
                    clip.channels.extend(channel);
                }
                Edit::ClipAdded(index) => {
                    let Some(new) = inputs.edited.scene.clips.get(*index) else { continue };
                    let channels = new.channels.iter().filter_map(|channel| {
                        let Target::Node(node, property) = channel.target else { return None };
                        let target = Target::Node(self.to_original(node)?, property);
                        Some(Channel { target, curve: channel.curve.clone() })
                    });
                    let rate = new.frame_rate.or(scene.clips.first().and_then(|clip| clip.frame_rate));
                    scene.clips.push(Clip {
                        channels: channels.collect(),
                        frame_rate: rate,
                        events: Vec::new(),
                        ..new.clone()
                    });
                }
                _ => {}
            }
        }
        scene
    }

    /// The channel of the edited scene for a target of the original.
    fn channel(&self, clip: usize, target: Target) -> Option<Channel> {
        let Target::Node(wanted, wanted_property) = target else { return None };
        let clip = self.inputs.edited.scene.clips.get(clip)?;
        clip.channels.iter().find_map(|channel| {
            let Target::Node(node, property) = channel.target else { return None };
            let is_it = property == wanted_property && self.to_original(node) == Some(wanted);
            is_it.then(|| Channel { target, curve: channel.curve.clone() })
        })
    }

    fn change_motion(&mut self, merged: &Scene, clip: ClipId, target: Target) -> Result<(), String> {
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
        let place = self.clip_chunk(clip)?;
        let pivot = self.inputs.origins.nodes.get(node.index()).copied().flatten();
        let pivot = pivot.ok_or("it is not a pivot of the skeleton")?.pivot;
        let chunk = self.chunk(place)?;
        let compress = compression(chunk);
        let name = w3d::Animation(chunk).name();
        let file = written(merged, compress)?;
        let node_name = merged.nodes.get(node.index()).map_or("", |node| &node.name);
        let own = pivot_of(&file, node_name, pivot).ok_or("the pivot was not found")?;
        let found = file
            .root
            .children()
            .iter()
            .find(|node| is_animation(node) && w3d::Animation(node).name().eq_ignore_ascii_case(&name));
        let found = found.ok_or("the clip was not written")?;
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
        let first = children.iter().position(|node| is_it(node, pivot)).unwrap_or(children.len());
        children.retain(|node| !is_it(node, pivot));
        let first = first.min(children.len());
        children.splice(first..first, new);
        Ok(())
    }

    fn add_clip(&mut self, merged: &Scene, index: usize) -> Result<(), String> {
        let inputs = self.inputs;
        let clip = inputs.edited.scene.clips.get(index).ok_or("the clip was not found")?;
        let skeleton = inputs.origins.nodes.iter().copied().flatten().map(|pivot| pivot.skeleton).next();
        let skeleton = skeleton.ok_or("the model has no skeleton")?;
        let hierarchy = w3d::Hierarchy(self.chunk(skeleton)?).name();
        let compress = self
            .document
            .root
            .children()
            .iter()
            .find(|node| is_animation(node))
            .map_or(Compress::Raw, compression);
        let file = written(merged, compress)?;
        let found = file
            .root
            .children()
            .iter()
            .find(|node| is_animation(node) && same_clip(&w3d::Animation(node).name(), &clip.name));
        let mut chunk = found.ok_or("the clip was not written")?.clone().into_owned();
        let own: Vec<String> = file
            .hierarchies()
            .next()
            .map(|own| own.pivots().iter().map(|pivot| pivot.name.to_string()).collect())
            .unwrap_or_default();
        let known: Vec<String> = w3d::Hierarchy(self.chunk(skeleton)?)
            .pivots()
            .iter()
            .map(|pivot| pivot.name.to_string())
            .collect();
        let mut lost = 0;
        chunk.children_mut().into_iter().for_each(|children| {
            children.retain_mut(|node| {
                let Some(channel) = w3d::codec::decode(node) else { return true };
                let pivot = usize::from(channel.pivot);
                let name = own.get(pivot);
                let place = match known.get(pivot) == name {
                    true => Some(pivot),
                    false => known.iter().position(|known| Some(known) == name),
                };
                match place {
                    Some(place) => set_pivot(node, place),
                    None => lost += 1,
                }
                place.is_some()
            });
        });
        let mut view = w3d::view::AnimationMut::new(&mut chunk).ok_or("the clip was not written")?;
        view.set_hierarchy_name(&hierarchy).map_err(|error| error.to_string())?;
        let children = self.document.root.children_mut().ok_or("the file has no chunks")?;
        children.push(chunk);
        match lost {
            0 => Ok(()),
            _ => Err(format!("{lost} channels of new pivots were dropped")),
        }
    }
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

fn written(scene: &Scene, compress: Compress) -> Result<W3d<'static>, String> {
    let options = Options { compress, faithful: true, ..Options::default() };
    let (files, _) = to_w3d(scene, &options).map_err(|error| error.to_string())?;
    files.into_iter().next().map(|file| file.document).ok_or_else(|| "the clip was not written".to_owned())
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
