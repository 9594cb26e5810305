//! Objects: nodes of every sort, geoset animations, texture animations, cameras.

use record::Node;

use super::Writer;
use super::track::sayable;
use crate::kinds;
use crate::mdl::grammar::{self, Block, HIVE_LACKS_TRACKS, SHAPES, group_of};
use crate::records::CollisionKind;
use crate::tracks::{Owner, TrackRow};
use crate::{Gate, Gates};

/// A track that can be expressed, with its row.
type Track<'n, 'a> = (&'n Node<'a>, &'static TrackRow);

impl Writer {
    pub(super) fn texture_animation(&mut self, object: &Node<'_>) {
        self.line(1, "TVertexAnim {");
        let tracks = self.sayable_tracks(object.children(), grammar::TEXTURE_ANIMATION.owner);
        for (track, row) in tracks {
            self.track(2, track, row, row.keyword, None);
        }
        self.line(1, "}");
    }

    /// An object that is made of parts and tracks.
    pub(super) fn object(&mut self, block: &'static Block, object: &Node<'_>) {
        let mut rest = object.children();
        let mut parts: Vec<Option<&[u8]>> = Vec::with_capacity(block.parts.len());
        let mut moving = &[][..];
        if block.node {
            let Some((node, after)) = rest.split_first() else { return };
            let Some((header, tracks)) = node.children().split_first() else { return };
            self.exact &= node.size_delta == 0;
            parts.push(Some(header.bytes()));
            moving = tracks;
            rest = after;
        }
        let gates = self.gates_of(object);
        let templates: Vec<_> = (0..block.parts.len()).map(|part| block.template(part)).collect();
        for part in parts.len()..block.parts.len() {
            parts.push(self.part(block, part, gates, &templates, &mut rest));
        }
        let shape = (block.word == "CollisionShape").then(|| self.shape_of(&mut rest));
        let moving = self.sayable_tracks(moving, Some(Owner::Node));
        let tracks = self.sayable_tracks(rest, block.owner);
        let animated: Vec<_> = tracks.iter().map(|(_, row)| row.keyword).collect();

        self.open(0, block, parts[0]);
        self.items(1, block, &parts, &animated);
        if let Some(Some((row, bytes))) = shape {
            self.shape(row, bytes);
        }
        for (track, row) in &moving {
            self.track(1, track, row, row.keyword, None);
        }
        self.tracks(block, &parts, &tracks, &animated);
        self.put("}\n");
    }

    /// A fixed part of an object. Parts that the version lacks are not written; parts that the object lacks are written
    /// as the reader would make them.
    pub(super) fn part<'n>(
        &mut self,
        block: &Block,
        part: usize,
        gates: Gates,
        templates: &'n [Vec<u8>],
        rest: &mut &'n [Node<'_>],
    ) -> Option<&'n [u8]> {
        let template = templates[part].as_slice();
        let found = rest.first().filter(|child| child.is(block.parts[part].0)).map(Node::bytes);
        if found.is_some() {
            *rest = &rest[1..];
        }
        let wanted = block.has_part(part, gates);
        self.exact &= found.map(<[u8]>::len) == wanted.then_some(template.len());
        wanted.then(|| found.filter(|bytes| bytes.len() == template.len()).unwrap_or(template))
    }

    /// Whether the version has the part; for a camera its variant decides.
    fn gates_of(&self, object: &Node<'_>) -> Gates {
        if object.child(&kinds::CAMERA_DEPTH_OF_FIELD).is_some() {
            // The reader will make it variant 1.
            self.gates.flip(Gate::CameraDepthOfField)
        } else {
            self.gates
        }
    }

    /// The tracks of an object; those in groups come with the items of their group.
    fn tracks(
        &mut self,
        block: &'static Block,
        parts: &[Option<&[u8]>],
        tracks: &[Track<'_, '_>],
        animated: &[&str],
    ) {
        let group = block.items().map(|item| item.group).find(|group| !group.is_empty()).unwrap_or_default();
        let mut pending = !group.is_empty();
        if pending && !tracks.iter().any(|(_, row)| group_of(row) == group) {
            self.header(1, group, &[]);
            self.group_items(2, block, group, parts, animated);
            self.line(1, "}");
            pending = false;
        }
        let mut ahead = tracks;
        while let Some((&(track, row), after)) = ahead.split_first() {
            if group.is_empty() || group_of(row) != group {
                self.track(1, track, row, row.keyword, None);
                ahead = after;
                continue;
            }
            self.header(1, group, &[]);
            if std::mem::take(&mut pending) {
                // A camera's target has the words of the camera itself.
                let own: Vec<_> = tracks
                    .iter()
                    .filter(|(_, row)| group_of(row) == group)
                    .map(|(_, row)| row.keyword)
                    .collect();
                self.group_items(2, block, group, parts, &own);
            }
            while let Some((&(track, row), after)) = ahead.split_first()
                && group_of(row) == group
            {
                self.track(2, track, row, row.keyword, None);
                ahead = after;
            }
            self.line(1, "}");
        }
    }

    /// The nodes that are tracks of this owner; other nodes cannot be expressed.
    pub(super) fn sayable_tracks<'n, 'a>(
        &mut self,
        nodes: &'n [Node<'a>],
        owner: Option<Owner>,
    ) -> Vec<Track<'n, 'a>> {
        let hive = self.dialect.is_hive();
        let tracks: Vec<_> = nodes
            .iter()
            .filter_map(|node| sayable(node, owner).map(|row| (node, row)))
            .filter(|(_, row)| {
                !(hive && owner.is_some_and(|owner| HIVE_LACKS_TRACKS.contains(&(owner, row.tag))))
            })
            .collect();
        self.exact &= tracks.len() == nodes.len();
        tracks
    }

    /// Takes kind and shape from the parts of a collision shape.
    fn shape_of<'n>(&mut self, rest: &mut &'n [Node<'_>]) -> Option<(&'static grammar::ShapeRow, &'n [u8])> {
        let found = rest.split_at_checked(2).and_then(|(shape, after)| {
            let kind = shape[0].value::<CollisionKind>()?.kind.get();
            let row = SHAPES.iter().find(|row| row.value == kind && shape[1].is(row.kind))?;
            Some((row, shape[1].bytes(), after))
        });
        self.exact &= found.is_some();
        let (row, bytes, after) = found?;
        *rest = after;
        Some((row, bytes))
    }

    fn shape(&mut self, row: &grammar::ShapeRow, bytes: &[u8]) {
        self.indent(1);
        self.put(row.word);
        self.put(",\n");
        let (vertices, scalars) = bytes.split_at_checked(12 * row.vertices).unwrap_or_default();
        if row.vertices > 0 {
            self.vectors(1, "Vertices", vertices, 12);
        }
        for (word, value) in row.scalars.iter().zip(scalars.chunks_exact(4)) {
            if self.dialect.is_hive() && *word != "BoundsRadius" {
                // The other words are our own.
                self.exact = false;
                continue;
            }
            self.word(1, word);
            self.float(value);
            self.put(",\n");
        }
    }
}
