//! Materials and their layers.

use record::Node;

use super::Reader;
use super::items::Tracks;
use crate::kinds;
use crate::mdl::grammar::{self, SHADERS, SLOTS};
use crate::tracks::{tags, track_row};
use crate::{Gate, tag};

/// A texture of a layer, with its track if it has one.
struct Slot {
    texture: u32,
    slot: u32,
    track: Option<Node<'static>>,
}

impl Reader<'_> {
    pub(super) fn material(&mut self) -> Node<'static> {
        let block = &grammar::MATERIAL;
        let mut parts = self.parts_of(block);
        let mut layers = Vec::new();
        let mut tracks = Tracks::default();
        if let Some(opened) = self.enter() {
            self.each(opened, |reader, word, span| {
                if word.eq_ignore_ascii_case(b"Layer") {
                    layers.push(reader.layer());
                } else {
                    reader.node_item(word, span, block, &mut parts, &mut tracks);
                }
            });
        }
        let fixed = parts
            .into_iter()
            .zip(block.parts)
            .filter_map(|(part, (kind, _))| Some(Node::leaf(kind, 0, part?)));
        let layers = Node::branch(&kinds::LAYS, tag("LAYS"), layers);
        self.counted(Node::branch(&kinds::MATERIAL, 0, fixed.chain([layers]).collect()))
    }

    fn layer(&mut self) -> Node<'static> {
        let block = &grammar::LAYER;
        let mut parts = self.parts_of(block);
        let mut tracks = Tracks::default();
        let mut slots: Vec<Slot> = Vec::new();
        let mut shader = 0;
        if let Some(opened) = self.enter() {
            self.each(opened, |reader, word, span| {
                let is_static = word.eq_ignore_ascii_case(b"static");
                let position = reader.lexer.position();
                let name = if is_static { reader.lexer.word().unwrap_or_default() } else { word };
                if let Some(at) = SLOTS.iter().position(|slot| name.eq_ignore_ascii_case(slot.as_bytes())) {
                    return reader.texture(at, is_static, &mut slots, &mut tracks);
                }
                if name.eq_ignore_ascii_case(b"Shader") {
                    let span = reader.lexer.next_span();
                    return match reader.lexer.string() {
                        Some(name) => shader = reader.shader(name, span),
                        None => reader.wrong_value("a string"),
                    };
                }
                if name.eq_ignore_ascii_case(b"ShaderTypeId") {
                    return match reader.lexer.integer() {
                        Some(value) => shader = value,
                        None => reader.wrong_value("a number"),
                    };
                }
                if is_static {
                    reader.lexer.back_to(position);
                }
                reader.node_item(word, span, block, &mut parts, &mut tracks);
            });
        }
        self.put_textures(slots, shader, &mut parts, &mut tracks)
    }

    /// `TextureID n`, `TextureID n <= slot`, or one of the Hive's words; static or a track.
    fn texture(&mut self, index: usize, is_static: bool, slots: &mut Vec<Slot>, tracks: &mut Tracks) {
        let named = u32::try_from(index).unwrap_or_default();
        if !is_static && self.lexer.is_counted_block() {
            let Some(row) = track_row(tags::KMTF) else { return };
            let slot = self.lexer.peek_arrow();
            let track = self.track(row);
            // The static value of the same slot may precede it.
            let slot_number = slot.unwrap_or(named);
            if slot_number == 0 && !self.gates.has(Gate::LayerSlots) {
                // In versions without slots it was an ordinary track, in file order.
                return tracks.own.push(track);
            }
            match slots.last_mut().filter(|last| last.slot == slot_number && last.track.is_none()) {
                Some(last) => last.track = Some(track),
                None => slots.push(Slot { texture: 0, slot: slot_number, track: Some(track) }),
            }
            return;
        }
        let Some(texture) = self.lexer.integer() else { return self.wrong_value("a number") };
        let slot = self.lexer.arrow().unwrap_or(named);
        slots.push(Slot { texture, slot, track: None });
    }

    /// The number of a shader name. An unknown name is reported, and gets the default shader.
    fn shader(&mut self, name: &[u8], span: std::ops::Range<usize>) -> u32 {
        let found = SHADERS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
        if found.is_none() {
            let name = record::decode(name);
            let near = record::nearest(SHADERS.iter().map(|(known, _)| *known), &name);
            let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            let message = format!("unknown shader {name}{near}");
            let note = Some("the default shader is used");
            self.lexer.report("MDL-VALUE-004", record::Severity::Warning, span, &message, note);
        }
        found.map_or(0, |(_, value)| *value)
    }

    /// Stores the textures as the version requires, and makes the layer.
    fn put_textures(
        &mut self,
        slots: Vec<Slot>,
        shader: u32,
        parts: &mut super::items::Parts,
        tracks: &mut Tracks,
    ) -> Node<'static> {
        let mut textures = Vec::new();
        if self.gates.has(Gate::LayerSlots) {
            let count = u32::try_from(slots.len()).unwrap_or(u32::MAX);
            if let Some(Some(part)) = parts.get_mut(3) {
                part[..4].copy_from_slice(&shader.to_le_bytes());
                part[4..].copy_from_slice(&count.to_le_bytes());
            }
            for slot in slots {
                let bytes = [slot.texture.to_le_bytes(), slot.slot.to_le_bytes()].concat();
                let reference = Node::leaf(&kinds::TEXTURE_REFERENCE, 0, bytes);
                let children = std::iter::once(reference).chain(slot.track).collect();
                textures.push(self.counted(Node::branch(&kinds::TEXTURE_SLOT, 0, children)));
            }
        } else {
            let position = self.lexer.position();
            for slot in slots {
                if slot.slot != 0 {
                    let message = format!("layers of version {} have only one texture", self.version);
                    let note = Some("textures of other slots are ignored; convert the model to version 1100");
                    self.lexer.report(
                        "MDL-WORD-002",
                        record::Severity::Warning,
                        position..position,
                        &message,
                        note,
                    );
                    continue;
                }
                if let Some(Some(header)) = parts.first_mut() {
                    header[8..12].copy_from_slice(&slot.texture.to_le_bytes());
                }
            }
        }
        let count = parts.iter().flatten().count();
        let fixed = std::mem::take(parts).into_iter().zip(grammar::LAYER.parts);
        let fixed = fixed.filter_map(|(part, (kind, _))| Some(Node::leaf(kind, 0, part?)));
        let mut children = Vec::with_capacity(count + textures.len() + tracks.own.len());
        children.extend(fixed);
        children.append(&mut textures);
        children.append(&mut tracks.own);
        self.counted(Node::branch(&kinds::LAYER, 0, children))
    }
}
