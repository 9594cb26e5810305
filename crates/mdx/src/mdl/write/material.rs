//! Materials and their layers.

use record::Node;

use super::Writer;
use crate::kinds;
use crate::mdl::grammar::{self, SHADERS, SLOTS};
use crate::mdl::number;
use crate::records::{LayerFlags, LayerHeader, LayerShader, MaterialFlags, MaterialHeader, TextureReference};
use crate::tracks::{Owner, tags, track_row};

impl Writer {
    pub(super) fn material(&mut self, material: &Node<'_>) {
        let block = &grammar::MATERIAL;
        let mut rest = material.children();
        let templates: Vec<_> = (0..block.parts.len()).map(|part| block.template(part)).collect();
        let parts = [0, 1].map(|part| self.part(block, part, self.gates, &templates, &mut rest));
        // war3-model has no word for it here, but has one for the layers.
        let two_sided = self.dialect.is_hive()
            && parts[0]
                .and_then(record_of::<MaterialHeader>)
                .is_some_and(|header| header.flags.has(MaterialFlags::TWO_SIDED));
        self.exact &= matches!(rest, [layers] if layers.is(&kinds::LAYS) && layers.size_delta == 0);
        self.open(1, block, None);
        self.items(2, block, &parts, &[]);
        let layers = rest.iter().find(|part| part.is(&kinds::LAYS));
        for layer in layers.map(Node::children).unwrap_or_default() {
            self.exact &= layer.is(&kinds::LAYER) && layer.size_delta == 0;
            self.layer(layer, two_sided);
        }
        self.line(1, "}");
    }

    fn layer(&mut self, layer: &Node<'_>, two_sided: bool) {
        let block = &grammar::LAYER;
        let mut rest = layer.children();
        let templates: Vec<_> = (0..block.parts.len()).map(|part| block.template(part)).collect();
        let parts = [0, 1, 2, 3].map(|part| self.part(block, part, self.gates, &templates, &mut rest));
        let slots = rest.iter().take_while(|child| child.is(&kinds::TEXTURE_SLOT)).count();
        let (slots, rest) = rest.split_at(slots);
        let tracks = self.sayable_tracks(rest, Some(Owner::Layer));
        let animated: Vec<_> = tracks.iter().map(|(_, row)| row.keyword).collect();

        self.open(2, block, None);
        let Some(header) = parts[0].and_then(|bytes| record_of::<LayerHeader>(bytes)) else {
            self.exact = false;
            return self.line(2, "}");
        };
        // The texture and the shader have special spellings; the table treats them as not set.
        let mut shown = *header;
        let shader = parts[3].and_then(record_of::<LayerShader>);
        shown.texture_id.set(0);
        if two_sided {
            shown.flags = shown.flags | LayerFlags::TWO_SIDED;
        }
        if let Some(shader) = shader {
            self.exact &= usize::try_from(shader.texture_count.get()).ok() == Some(slots.len());
            self.shader(shader.shader.get());
        }
        let shown = record::zerocopy::IntoBytes::as_bytes(&shown);
        self.items(3, block, &[Some(shown), parts[1], parts[2]], &animated);
        if shader.is_some() {
            self.exact &=
                header.texture_id.get() == 0 && !tracks.iter().any(|(track, _)| track.id == tags::KMTF);
            for slot in slots {
                self.slot(slot);
            }
        } else {
            self.exact &= slots.is_empty();
            let texture = header.texture_id.get();
            if texture != 0 || !animated.contains(&SLOTS[0]) {
                self.word(3, "static TextureID");
                number::write_integer(texture, &mut self.out);
                self.put(",\n");
            }
        }
        for (track, row) in tracks.iter().filter(|(track, _)| shader.is_none() || track.id != tags::KMTF) {
            self.track(3, track, row, row.keyword, None);
        }
        self.line(2, "}");
    }

    /// The game names the shader, the Hive's tools number it. A shader without a name is numbered for both.
    fn shader(&mut self, shader: u32) {
        let name = SHADERS.iter().find(|(_, value)| *value == shader).map(|(name, _)| *name);
        match name.filter(|_| !self.dialect.is_hive()) {
            _ if shader == 0 => {}
            Some(name) => self.line(3, &format!("Shader \"{name}\",")),
            None => self.line(3, &format!("ShaderTypeId {shader},")),
        }
    }

    /// A texture of a layer, from version 1100 on. The game states the slot; the Hive's tools have a word for each slot.
    fn slot(&mut self, slot: &Node<'_>) {
        let Some((reference, tracks)) = slot.children().split_first() else {
            self.exact = false;
            return;
        };
        let Some(reference) = record_of::<TextureReference>(reference.bytes()) else {
            self.exact = false;
            return;
        };
        let number = reference.slot.get();
        let hive = usize::try_from(number)
            .ok()
            .and_then(|index| SLOTS.get(index))
            .filter(|_| self.dialect.is_hive());
        let word = hive.copied().unwrap_or(SLOTS[0]);
        let arrow = hive.is_none().then_some(number);
        let texture = reference.texture_id.get();
        let track = tracks.first().filter(|track| {
            track.id == tags::KMTF && super::track::sayable(track, Some(Owner::Layer)).is_some()
        });
        self.exact &= tracks.len() == usize::from(track.is_some());
        if texture != 0 || track.is_none() {
            self.word(3, "static");
            self.put(&format!("{word} {texture}"));
            if let Some(slot) = arrow {
                self.put(&format!(" <= {slot}"));
            }
            self.put(",\n");
        }
        if let (Some(track), Some(row)) = (track, track_row(tags::KMTF)) {
            self.track(3, track, row, word, arrow);
        }
    }
}

fn record_of<T: record::Pod>(bytes: &[u8]) -> Option<&T> {
    T::ref_from_bytes(bytes).ok()
}
