//! Skeletons and animations.

use record::{U32, views};

use crate::codec::{self, Channel};
use crate::records::{
    AnimationHeader, CompressedAnimationHeader, HierarchyHeader, MorphAnimHeader, MorphKey, Pivot, PivotFixup,
};
use crate::table;

views! {
    /// A `HIERARCHY` chunk: a skeleton.
    Hierarchy, HierarchyMut of table::HIERARCHY;
    /// An `ANIMATION` or `COMPRESSED_ANIMATION` chunk.
    Animation, AnimationMut of table::ANIMATION, table::COMPRESSED_ANIMATION;
    /// A `MORPH_ANIMATION` chunk: transitions between poses.
    MorphAnimation, MorphAnimationMut of table::MORPH_ANIMATION;
    /// A `MORPHANIM_CHANNEL` chunk.
    MorphChannel, MorphChannelMut of table::MORPHANIM_CHANNEL;
}

impl<'n> Hierarchy<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n HierarchyHeader> {
        self.get(table::HIERARCHY_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// Its bones, the root first.
    pub fn pivots(&self) -> &'n [Pivot] {
        self.get(table::PIVOTS)
    }

    /// The exporter's corrections of the bones.
    pub fn fixups(&self) -> &'n [PivotFixup] {
        self.get(table::PIVOT_FIXUPS)
    }
}

impl<'n> Animation<'n> {
    fn raw(&self) -> Option<&'n AnimationHeader> {
        self.get(table::ANIMATION_HEADER)
    }

    fn compressed(&self) -> Option<&'n CompressedAnimationHeader> {
        self.get(table::COMPRESSED_ANIMATION_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        let raw = self.raw().map(|header| header.name.to_string());
        raw.or_else(|| self.compressed().map(|header| header.name.to_string())).unwrap_or_default()
    }

    /// The skeleton it is for.
    pub fn hierarchy_name(&self) -> String {
        let raw = self.raw().map(|header| header.hierarchy_name.to_string());
        raw.or_else(|| self.compressed().map(|header| header.hierarchy_name.to_string())).unwrap_or_default()
    }

    /// Number of frames.
    pub fn num_frames(&self) -> u32 {
        let raw = self.raw().map(|header| header.num_frames.get());
        raw.or_else(|| self.compressed().map(|header| header.num_frames.get())).unwrap_or_default()
    }

    /// Frames per second.
    pub fn frame_rate(&self) -> u32 {
        let raw = self.raw().map(|header| header.frame_rate.get());
        raw.or_else(|| self.compressed().map(|header| header.frame_rate.get().into())).unwrap_or_default()
    }

    /// Its channels, decoded. A channel too damaged to decode is skipped.
    pub fn channels(&self) -> impl Iterator<Item = Channel> + use<'n> {
        self.0.children().iter().filter_map(codec::decode)
    }
}

impl<'n> MorphAnimation<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n MorphAnimHeader> {
        self.get(table::MORPHANIM_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// The skeleton it is for.
    pub fn hierarchy_name(&self) -> String {
        self.header().map(|header| header.hierarchy_name.to_string()).unwrap_or_default()
    }

    /// Its channels.
    pub fn channels(&self) -> impl Iterator<Item = MorphChannel<'n>> + use<'n> {
        self.0.children().iter().filter_map(MorphChannel::new)
    }

    /// For each bone, the channel that moves it.
    pub fn pivot_channels(&self) -> &'n [U32] {
        self.get(table::MORPHANIM_PIVOTCHANNELDATA)
    }
}

impl<'n> MorphChannel<'n> {
    /// The animation that holds the poses, `Hierarchy.Animation`.
    pub fn pose_name(&self) -> String {
        self.get(table::MORPHANIM_POSENAME).unwrap_or_default().into_owned()
    }

    /// Its keys.
    pub fn keys(&self) -> &'n [MorphKey] {
        self.get(table::MORPHANIM_KEYDATA)
    }
}
