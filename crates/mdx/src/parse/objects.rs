//! Objects: materials, animations, nodes of every sort, cameras.

use record::{Cursor, Kind, LEFTOVER, Node};

use super::geoset::list;
use super::{Parser, Parts, leftover, part, size_delta_of, sized};
use crate::chunks::Shape;
use crate::frame::tag;
use crate::kinds;
use crate::records::*;
use crate::tracks::{tags, track_row};
use crate::{Dialect, Gate, Gates};

/// The minimum size of a node: its size word and its header.
const LEAST_NODE: u32 = 96;

/// Reads the parts of an object's body; `None` if it ends early.
type Read = for<'a> fn(&Parser, &mut Cursor<'a>, &mut Parts<'a>, Gates) -> Option<()>;

impl Parser {
    /// Reads an object; `None` if none can start here.
    pub(super) fn object<'a>(&self, cursor: &mut Cursor<'a>, shape: Shape) -> Option<Node<'a>> {
        let disputed = shape.disputed();
        match (shape, self.dialect) {
            (Shape::Material, Dialect::Warcraft) => {
                self.whole(cursor, &kinds::MATERIAL, Self::material, disputed)
            }
            (Shape::Material, Dialect::Wow) => self.wow_material(cursor),
            (Shape::TextureAnimation, _) => {
                self.whole(cursor, &kinds::TEXTURE_ANIMATION, Self::only_tracks, disputed)
            }
            (Shape::Geoset, _) => self.whole(cursor, &kinds::GEOSET, Self::geoset, disputed),
            (Shape::GeosetAnimation, _) => {
                self.whole(cursor, &kinds::GEOSET_ANIMATION, Self::geoset_animation, disputed)
            }
            (Shape::Bone, _) => self.bare(cursor, &kinds::BONE_OBJECT, Self::bone),
            (Shape::Helper, _) => self.bare(cursor, &kinds::HELPER, Self::helper),
            (Shape::Light, _) => self.whole(cursor, &kinds::LIGHT, Self::light, disputed),
            (Shape::Attachment, _) => self.whole(cursor, &kinds::ATTACHMENT, Self::attachment, disputed),
            (Shape::ParticleEmitter, _) => {
                self.whole(cursor, &kinds::PARTICLE_EMITTER, Self::particle_emitter, disputed)
            }
            (Shape::ParticleEmitter2, Dialect::Warcraft) => {
                self.whole(cursor, &kinds::PARTICLE_EMITTER_2, Self::particle_emitter_2, disputed)
            }
            (Shape::ParticleEmitter2, Dialect::Wow) => self.wow_particle_emitter_2(cursor),
            (Shape::PopcornEmitter, _) => {
                self.whole(cursor, &kinds::POPCORN_EMITTER, Self::popcorn_emitter, disputed)
            }
            (Shape::RibbonEmitter, _) => {
                self.whole(cursor, &kinds::RIBBON_EMITTER, Self::ribbon_emitter, disputed)
            }
            (Shape::EventObject, Dialect::Warcraft) => {
                self.bare(cursor, &kinds::EVENT_OBJECT, Self::event_object)
            }
            (Shape::EventObject, Dialect::Wow) => {
                self.whole(cursor, &kinds::WOW_EVENT_OBJECT, Self::event_object, disputed)
            }
            (Shape::Camera, _) => self.camera(cursor),
            (Shape::CollisionShape, _) => self.bare(cursor, &kinds::COLLISION_SHAPE, Self::collision_shape),
            (Shape::HitTestShape, _) => {
                self.whole(cursor, &kinds::HIT_TEST_SHAPE, Self::hit_test_shape, disputed)
            }
            (Shape::CollisionMesh | Shape::MdlVis, _) => None,
        }
    }

    /// An object with a size, followed by others with a size, or by nothing. If the size cuts a part in two, but the
    /// parts fit in a longer object that is followed by another object or nothing, then the size is too small. Other
    /// readers ignore it.
    fn whole<'a>(
        &self,
        cursor: &mut Cursor<'a>,
        kind: &'static Kind,
        read: Read,
        disputed: &[Gate],
    ) -> Option<Node<'a>> {
        let mut longer = cursor.clone();
        let (body, size_delta) = sized(cursor)?;
        let (parts, filled) = self.parts(body, read, self.gates, disputed);
        if !filled && size_delta == 0 && self.retries.get() > 0 && longer.u32().is_some() {
            let gates = std::iter::once(self.gates).chain(disputed.iter().map(|gate| self.gates.flip(*gate)));
            for gates in gates {
                let mut ahead = longer.clone();
                let mut parts = Vec::with_capacity(8);
                let end = read(self, &mut ahead, &mut parts, gates);
                let length = ahead.position().saturating_sub(longer.position());
                if end.is_some() && length > body.len() && starts_or_ends(ahead.rest()) {
                    *cursor = ahead;
                    let missing = u32::try_from(length.saturating_sub(body.len())).unwrap_or(u32::MAX);
                    return Some(Node { size_delta: missing.wrapping_neg(), ..Node::branch(kind, 0, parts) });
                }
            }
            self.retries.set(self.retries.get().saturating_sub(1));
        }
        Some(Node { size_delta, ..Node::branch(kind, 0, parts) })
    }

    /// The parts of a body, and whether they fill it. If they do not, the disputed gates are inverted one by one.
    fn parts<'a>(&self, body: &'a [u8], read: Read, gates: Gates, disputed: &[Gate]) -> (Parts<'a>, bool) {
        let attempt = |gates: Gates| {
            let mut cursor = Cursor::new(body);
            let mut parts = Vec::with_capacity(8);
            let end = read(self, &mut cursor, &mut parts, gates);
            (parts, cursor.rest(), end.is_some() && cursor.is_empty())
        };
        let (mut parts, rest, filled) = attempt(gates);
        if !filled {
            let other = disputed.iter().map(|gate| attempt(gates.flip(*gate))).find(|(.., filled)| *filled);
            if let Some((parts, ..)) = other {
                return (parts, true);
            }
        }
        leftover(rest, &mut parts);
        (parts, filled)
    }

    /// An object that starts with its node and ends with its last part.
    fn bare<'a>(&self, cursor: &mut Cursor<'a>, kind: &'static Kind, read: Read) -> Option<Node<'a>> {
        let mut ahead = cursor.clone();
        let mut parts = Vec::with_capacity(3);
        read(self, &mut ahead, &mut parts, self.gates)?;
        *cursor = ahead;
        Some(Node::branch(kind, 0, parts))
    }

    /// The node that most objects start with.
    fn node<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>) -> Option<()> {
        if cursor.peek_u32()? < LEAST_NODE {
            return None;
        }
        // Another node does not follow, so only the size limits this one.
        let (body, size_delta) = sized(cursor)?;
        let (inside, _) = self.parts(body, Self::node_parts, self.gates, &[]);
        parts.push(Node { size_delta, ..Node::branch(&kinds::NODE, 0, inside) });
        Some(())
    }

    fn node_parts<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        match self.dialect {
            Dialect::Warcraft => {
                part::<NodeHeader>(cursor, parts, &kinds::NODE_HEADER)?;
            }
            Dialect::Wow => {
                part::<WowNodeHeader>(cursor, parts, &kinds::WOW_NODE_HEADER)?;
            }
        }
        self.tracks(cursor, parts);
        Some(())
    }

    fn only_tracks<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.tracks(cursor, parts);
        Some(())
    }

    fn material<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, gates: Gates) -> Option<()> {
        part::<MaterialHeader>(cursor, parts, &kinds::MATERIAL_HEADER)?;
        if gates.has(Gate::MaterialShader) {
            part::<MaterialShader>(cursor, parts, &kinds::MATERIAL_SHADER)?;
        }
        if cursor.is_empty() {
            return Some(());
        }
        let mut ahead = cursor.clone();
        let id = ahead.u32().filter(|id| *id == tag("LAYS"))?;
        let count = ahead.u32()?;
        let mut layers = Vec::new();
        self.layers(&mut ahead, &mut layers, count);
        let size_delta = count.wrapping_sub(u32::try_from(layers.len()).unwrap_or(u32::MAX));
        parts.push(Node { size_delta, ..Node::branch(&kinds::LAYS, id, layers) });
        *cursor = ahead;
        Some(())
    }

    /// The layers, up to the declared number.
    fn layers<'a>(&self, cursor: &mut Cursor<'a>, layers: &mut Parts<'a>, count: u32) {
        for _ in 0..count {
            let disputed = [Gate::LayerFresnel, Gate::LayerEmissive, Gate::LayerSlots];
            let Some(layer) = self.whole(cursor, &kinds::LAYER, Self::layer, &disputed) else { break };
            layers.push(layer);
        }
    }

    fn layer<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, gates: Gates) -> Option<()> {
        part::<LayerHeader>(cursor, parts, &kinds::LAYER_HEADER)?;
        if gates.has(Gate::LayerEmissive) {
            part::<LayerEmissive>(cursor, parts, &kinds::LAYER_EMISSIVE)?;
        }
        if gates.has(Gate::LayerFresnel) {
            part::<LayerFresnel>(cursor, parts, &kinds::LAYER_FRESNEL)?;
        }
        if gates.has(Gate::LayerSlots) {
            let shader = part::<LayerShader>(cursor, parts, &kinds::LAYER_SHADER)?;
            for _ in 0..shader.texture_count.get() {
                let mut slot = Vec::with_capacity(1);
                part::<TextureReference>(cursor, &mut slot, &kinds::TEXTURE_REFERENCE)?;
                if cursor.peek_u32() == Some(tags::KMTF) {
                    slot.extend(self.track(cursor));
                }
                parts.push(Node::branch(&kinds::TEXTURE_SLOT, 0, slot));
            }
        }
        self.tracks(cursor, parts);
        Some(())
    }

    /// The client writes size 8 for a material without layers, although its count of layers follows. No material has size
    /// 0, so a zero instead of the next size is that count.
    fn wow_material<'a>(&self, cursor: &mut Cursor<'a>) -> Option<Node<'a>> {
        let mut ahead = cursor.clone();
        if ahead.u32() == Some(8) && ahead.u32().is_some() && ahead.u32() == Some(0) {
            let body = &cursor.rest()[4..12];
            *cursor = ahead;
            let (parts, _) = self.parts(body, Self::wow_material_parts, self.gates, &[]);
            return Some(Node {
                size_delta: size_delta_of(8, 8),
                ..Node::branch(&kinds::MATERIAL, 0, parts)
            });
        }
        self.whole(cursor, &kinds::MATERIAL, Self::wow_material_parts, &[])
    }

    fn wow_material_parts<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        let header = part::<WowMaterialHeader>(cursor, parts, &kinds::WOW_MATERIAL_HEADER)?;
        self.layers(cursor, parts, header.layer_count.get());
        Some(())
    }

    fn geoset_animation<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        match self.dialect {
            Dialect::Warcraft => {
                part::<GeosetAnimationHeader>(cursor, parts, &kinds::GEOSET_ANIMATION_HEADER)?;
            }
            Dialect::Wow => {
                part::<WowGeosetAnimationHeader>(cursor, parts, &kinds::WOW_GEOSET_ANIMATION_HEADER)?;
            }
        }
        self.tracks(cursor, parts);
        Some(())
    }

    fn bone<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        part::<BoneLinks>(cursor, parts, &kinds::BONE_LINKS)?;
        Some(())
    }

    fn helper<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)
    }

    fn light<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, gates: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        part::<LightKind>(cursor, parts, &kinds::LIGHT_KIND)?;
        if gates.has(Gate::LightShadowCasting) {
            part::<LightShadowCasting>(cursor, parts, &kinds::LIGHT_SHADOW_CASTING)?;
        }
        part::<LightColor>(cursor, parts, &kinds::LIGHT_COLOR)?;
        if gates.has(Gate::LightAmbient) {
            part::<LightAmbient>(cursor, parts, &kinds::LIGHT_AMBIENT)?;
        }
        if gates.has(Gate::LightShadowIntensity) {
            part::<LightShadowIntensity>(cursor, parts, &kinds::LIGHT_SHADOW_INTENSITY)?;
        }
        if gates.has(Gate::LightShadowCasting) {
            part::<LightShadowRange>(cursor, parts, &kinds::LIGHT_SHADOW_RANGE)?;
        }
        if gates.has(Gate::LightFalloff) {
            part::<LightFalloff>(cursor, parts, &kinds::LIGHT_FALLOFF)?;
        }
        self.tracks(cursor, parts);
        Some(())
    }

    fn attachment<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        match self.dialect {
            Dialect::Warcraft => {
                part::<AttachmentHeader>(cursor, parts, &kinds::ATTACHMENT_HEADER)?;
            }
            Dialect::Wow => {
                part::<WowAttachmentHeader>(cursor, parts, &kinds::WOW_ATTACHMENT_HEADER)?;
            }
        }
        self.tracks(cursor, parts);
        Some(())
    }

    fn particle_emitter<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        if let Some(header) = parts.last_mut().and_then(|node| node.children_mut()?.first_mut()) {
            // Some of its flags have special names.
            header.kind = match self.dialect {
                _ if header.is(&LEFTOVER) => header.kind,
                Dialect::Warcraft => &kinds::PREM_NODE_HEADER,
                Dialect::Wow => &kinds::WOW_PREM_NODE_HEADER,
            };
        }
        part::<ParticleEmitterHeader>(cursor, parts, &kinds::PARTICLE_EMITTER_HEADER)?;
        self.tracks(cursor, parts);
        Some(())
    }

    fn particle_emitter_2<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        part::<ParticleEmitter2Header>(cursor, parts, &kinds::PARTICLE_EMITTER_2_HEADER)?;
        self.tracks(cursor, parts);
        Some(())
    }

    /// It is not known whether this size word counts itself: if the parts fill four bytes more, it does not.
    fn wow_particle_emitter_2<'a>(&self, cursor: &mut Cursor<'a>) -> Option<Node<'a>> {
        let start = cursor.clone();
        let emitter =
            self.whole(cursor, &kinds::PARTICLE_EMITTER_2, Self::wow_particle_emitter_2_parts, &[])?;
        let filled = |parts: &[Node<'_>]| {
            parts.iter().any(|part| part.is(&kinds::WOW_SQUIRT))
                && parts.last().is_some_and(|last| !last.is(&record::LEFTOVER))
        };
        if filled(emitter.children()) {
            return Some(emitter);
        }
        let mut ahead = start;
        let stored = ahead.u32()?;
        let longer = usize::try_from(stored).ok().and_then(|size| ahead.take(size));
        let parts =
            longer.map(|body| self.parts(body, Self::wow_particle_emitter_2_parts, self.gates, &[]).0);
        match parts.filter(|parts| filled(parts)) {
            None => Some(emitter),
            Some(parts) => {
                *cursor = ahead;
                Some(Node {
                    size_delta: 4_u32.wrapping_neg(),
                    ..Node::branch(&kinds::PARTICLE_EMITTER_2, 0, parts)
                })
            }
        }
    }

    fn wow_particle_emitter_2_parts<'a>(
        &self,
        cursor: &mut Cursor<'a>,
        parts: &mut Parts<'a>,
        _: Gates,
    ) -> Option<()> {
        self.node(cursor, parts)?;
        part::<WowParticleEmitter2Header>(cursor, parts, &kinds::WOW_PARTICLE_EMITTER_2_HEADER)?;
        list(cursor, parts, &kinds::SPLINE)?;
        part::<WowSquirt>(cursor, parts, &kinds::WOW_SQUIRT)?;
        self.tracks(cursor, parts);
        Some(())
    }

    fn popcorn_emitter<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        part::<PopcornEmitterHeader>(cursor, parts, &kinds::POPCORN_EMITTER_HEADER)?;
        self.tracks(cursor, parts);
        Some(())
    }

    fn ribbon_emitter<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        if self.dialect == Dialect::Wow {
            part::<WowEmitterSize>(cursor, parts, &kinds::WOW_EMITTER_SIZE)?;
        }
        part::<RibbonEmitterHeader>(cursor, parts, &kinds::RIBBON_EMITTER_HEADER)?;
        self.tracks(cursor, parts);
        Some(())
    }

    /// In both games the track may be missing.
    fn event_object<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        if cursor.peek_u32() == Some(tags::KEVT) {
            parts.extend(self.track(cursor));
        }
        Some(())
    }

    /// The size has 24 bits. The variant above them says whether there is a depth of field.
    fn camera<'a>(&self, cursor: &mut Cursor<'a>) -> Option<Node<'a>> {
        let stored = cursor.peek_u32()?;
        let inside = usize::try_from(stored & 0xFF_FFFF).ok()?.checked_sub(4)?;
        cursor.u32()?;
        let body = cursor.take(inside.min(cursor.rest().len()))?;
        let gates = match stored >> 24 {
            1 | 2 => self.gates.flip(Gate::CameraDepthOfField),
            _ => self.gates,
        };
        let (parts, _) = self.parts(body, Self::camera_parts, gates, Shape::Camera.disputed());
        Some(Node { size_delta: size_delta_of(stored, body.len()), ..Node::branch(&kinds::CAMERA, 0, parts) })
    }

    fn camera_parts<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, gates: Gates) -> Option<()> {
        part::<CameraHeader>(cursor, parts, &kinds::CAMERA_HEADER)?;
        if gates.has(Gate::CameraDepthOfField) {
            part::<CameraDepthOfField>(cursor, parts, &kinds::CAMERA_DEPTH_OF_FIELD)?;
        }
        part::<CameraTarget>(cursor, parts, &kinds::CAMERA_TARGET)?;
        self.tracks(cursor, parts);
        Some(())
    }

    fn collision_shape<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        let kind = part::<CollisionKind>(cursor, parts, &kinds::COLLISION_KIND)?;
        // There are two possible sizes of planes and cylinders. The right one is followed by another node or the end of
        // the chunk.
        match kind.kind {
            CollisionType::BOX => shape(cursor, parts, &[&kinds::SHAPE_BOX]),
            CollisionType::PLANE => shape(cursor, parts, &[&kinds::SHAPE_BOX, &kinds::WOW_SHAPE_CYLINDER]),
            CollisionType::SPHERE => shape(cursor, parts, &[&kinds::SHAPE_SPHERE]),
            CollisionType::CYLINDER => shape(cursor, parts, &[&kinds::SHAPE_CYLINDER, &kinds::SHAPE_PLANE]),
            _ => None,
        }
    }

    fn hit_test_shape<'a>(&self, cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, _: Gates) -> Option<()> {
        self.node(cursor, parts)?;
        let kind = part::<HitTestKind>(cursor, parts, &kinds::HIT_TEST_KIND)?;
        match kind.kind {
            HitTestType::BOX => shape(cursor, parts, &[&kinds::SHAPE_BOX]),
            HitTestType::CYLINDER => shape(cursor, parts, &[&kinds::WOW_SHAPE_CYLINDER]),
            HitTestType::SPHERE => shape(cursor, parts, &[&kinds::SHAPE_SPHERE]),
            HitTestType::PLANE => shape(cursor, parts, &[&kinds::SHAPE_PLANE]),
            _ => None,
        }
    }
}

/// Whether another object with a size starts here, or nothing follows.
fn starts_or_ends(rest: &[u8]) -> bool {
    let Some(size) = Cursor::new(rest).u32() else { return rest.is_empty() };
    size >= 8 && track_row(size).is_none() && usize::try_from(size).is_ok_and(|size| size <= rest.len())
}

/// The first possible shape that is followed by a node or the end; otherwise the first that fits.
fn shape<'a>(cursor: &mut Cursor<'a>, parts: &mut Parts<'a>, rivals: &[&'static Kind]) -> Option<()> {
    let ahead = cursor.rest();
    let size = |kind: &Kind| kind.slots.first().map_or(0, |slot| slot.item.size());
    let ends = |kind: &&&'static Kind| {
        let Some(rest) = ahead.get(size(kind)..) else { return false };
        rest.is_empty()
            || Cursor::new(rest).u32().is_some_and(|next| {
                next >= LEAST_NODE && usize::try_from(next).is_ok_and(|next| next <= rest.len())
            })
    };
    let kind = rivals.iter().find(ends).or_else(|| rivals.iter().find(|kind| size(kind) <= ahead.len()))?;
    parts.push(Node::leaf(kind, 0, cursor.take(size(kind))?));
    Some(())
}
