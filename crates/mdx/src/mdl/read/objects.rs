//! Objects: nodes of every sort, geoset animations, texture animations, cameras.

use record::Node;

use super::Reader;
use super::items::{Parts, Tracks};
use crate::kinds;
use crate::mdl::grammar::{self, Block, SHAPES};
use crate::mdl::lexer::Next;

impl Reader<'_> {
    pub(super) fn parts_of(&self, block: &Block) -> Parts {
        (0..block.parts.len())
            .map(|part| block.has_part(part, self.gates).then(|| block.template(part)))
            .collect()
    }

    pub(super) fn texture_animation(&mut self) -> Node<'static> {
        let block = &grammar::TEXTURE_ANIMATION;
        let mut tracks = Tracks::default();
        if let Some(opened) = self.enter() {
            self.items(opened, block, "", &mut Vec::new(), &mut tracks);
        }
        self.counted(Node::branch(&kinds::TEXTURE_ANIMATION, 0, tracks.own))
    }

    /// An object of the table, from its name to its closing brace.
    pub(super) fn object(&mut self, block: &'static Block) -> Node<'static> {
        let mut parts = self.parts_of(block);
        let mut tracks = Tracks::default();
        (self.has_object_id, self.has_attachment_id) = (false, false);
        self.name(block, &mut parts);
        let shape = (block.word == "CollisionShape").then(Shape::default);
        let mut shape_parts = Vec::new();
        if let Some(opened) = self.enter() {
            match shape {
                None => self.items(opened, block, "", &mut parts, &mut tracks),
                Some(shape) => {
                    shape_parts = self.collision_shape(opened, block, shape, &mut parts, &mut tracks);
                }
            }
        }
        let mut children = Vec::with_capacity(parts.len() + tracks.own.len());
        let mut size_delta = 0;
        for (part, (kind, _)) in parts.into_iter().zip(block.parts) {
            let Some(mut bytes) = part else { continue };
            if std::ptr::eq(*kind, kinds::NODE_HEADER.kind) {
                self.number_node(&mut bytes);
                let kind = if block.word == "ParticleEmitter" { &kinds::PREM_NODE_HEADER } else { *kind };
                let header = Node::leaf(kind, 0, bytes);
                let mut node = Vec::with_capacity(1 + tracks.node.len());
                node.push(header);
                node.append(&mut tracks.node);
                children.push(self.counted(Node::branch(&kinds::NODE, 0, node)));
                continue;
            }
            if std::ptr::eq(*kind, kinds::ATTACHMENT_HEADER.kind) {
                self.note_attachment();
            }
            if std::ptr::eq(*kind, kinds::CAMERA_DEPTH_OF_FIELD.kind) {
                // The upper byte of the size is the variant, which has these fields.
                size_delta = 1 << 24;
            }
            children.push(Node::leaf(kind, 0, bytes));
        }
        children.extend(shape_parts);
        children.append(&mut tracks.own);
        let kind = block.object.map_or(kinds::HELPER.kind, |(_, kind)| kind);
        self.counted(Node { size_delta, ..Node::branch(kind, 0, children) })
    }

    /// A node without an id gets the next one.
    fn number_node(&mut self, header: &mut [u8]) {
        if !self.has_object_id {
            header[80..84].copy_from_slice(&self.nodes.to_le_bytes());
        }
        self.nodes += 1;
    }

    /// Records attachments without a number. Some tools write no numbers and mean the index, others omit 0.
    fn note_attachment(&mut self) {
        let at =
            self.chunks.iter().find(|chunk| chunk.is(&kinds::ATCH)).map_or(0, |chunk| chunk.children().len());
        if self.has_attachment_id {
            self.numbered_attachments = true;
        } else {
            self.unnumbered.push(at);
        }
    }

    pub(super) fn number_attachments(&mut self) {
        let unnumbered = std::mem::take(&mut self.unnumbered);
        let by_position = !self.numbered_attachments;
        let Some(chunk) = self.chunks.iter_mut().find(|chunk| chunk.is(&kinds::ATCH)) else { return };
        let Some(attachments) = chunk.children_mut() else { return };
        for index in unnumbered {
            let number = if by_position { u32::try_from(index).unwrap_or_default() } else { 0 };
            let header = attachments
                .get_mut(index)
                .and_then(|attachment| attachment.child_mut(&kinds::ATTACHMENT_HEADER));
            if let Some(bytes) = header.and_then(Node::bytes_mut) {
                bytes[260..264].copy_from_slice(&number.to_le_bytes());
            }
        }
    }

    /// A collision shape: its node's items and those of its shape.
    fn collision_shape(
        &mut self,
        opened: usize,
        block: &'static Block,
        mut shape: Shape,
        parts: &mut Parts,
        tracks: &mut Tracks,
    ) -> Vec<Node<'static>> {
        self.each(opened, |reader, word, span| {
            let is = |wanted: &str| word.eq_ignore_ascii_case(wanted.as_bytes());
            if let Some(row) = SHAPES.iter().find(|row| is(row.word)) {
                shape.word = row.word;
            } else if is("Vertices") {
                shape.vertices = match reader.lexer.peek() {
                    Next::Number | Next::Open => reader.vector_block(12),
                    _ => return reader.wrong_value("vertices"),
                };
            } else if let Some(word) = SHAPES.iter().flat_map(|row| row.scalars).find(|scalar| is(scalar)) {
                match reader.lexer.float() {
                    Some(value) => shape.scalars.push((word, value)),
                    None => reader.wrong_value("a number"),
                }
            } else {
                reader.node_item(word, span, block, parts, tracks);
            }
        });
        shape.parts()
    }
}

/// A partially read collision shape.
struct Shape {
    word: &'static str,
    vertices: Vec<u8>,
    scalars: Vec<(&'static str, f32)>,
}

impl Default for Shape {
    fn default() -> Self {
        Self { word: "Box", vertices: Vec::new(), scalars: Vec::new() }
    }
}

impl Shape {
    /// Its two parts. If several shapes have its word, it is the one whose numbers are in the text.
    fn parts(&self) -> Vec<Node<'static>> {
        let scalar =
            |word: &&str| self.scalars.iter().rev().find(|(name, _)| name == word).map(|(_, value)| *value);
        let mut rows = SHAPES.iter().filter(|row| row.word == self.word);
        let named = |row: &&grammar::ShapeRow| {
            self.vertices.len() / 12 == row.vertices && row.scalars.iter().all(|word| scalar(word).is_some())
        };
        let Some(row) = rows.clone().find(named).or_else(|| rows.next()) else { return Vec::new() };
        let mut bytes = self.vertices.clone();
        bytes.resize(12 * row.vertices, 0);
        for word in row.scalars {
            bytes.extend_from_slice(&scalar(word).unwrap_or_default().to_le_bytes());
        }
        vec![
            Node::leaf(&kinds::COLLISION_KIND, 0, row.value.to_le_bytes().to_vec()),
            Node::leaf(row.kind, 0, bytes),
        ]
    }
}
