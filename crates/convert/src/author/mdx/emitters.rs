//! Particles and ribbons.

use glam::{Vec3, Vec4};
use mdx::build::part;
use mdx::records::{
    CellAnimation, NodeFlags, ParticleEmitter2Header, ParticleEmitterHeader, ParticleFilterMode,
    ParticleType, PopcornEmitterHeader, RibbonEmitterHeader,
};
use mdx::{kinds, tags};
use record::{F32, I32, Node, U32};
use scene::{
    BlendMode, EmitterId, EmitterKind, EmitterProperty, FrameRange, KeyedEmitter, LifeKeys, RibbonId,
    RibbonProperty, SpriteEmitter, Target, Transparency, Volume,
};

use super::materials::Materials;
use super::nodes::Layout;
use super::tracks::Unsaid;
use super::{Author, chars, object, signed, space};

/// Flags that are set.
fn flags(all: &[(bool, NodeFlags)]) -> NodeFlags {
    all.iter().filter(|(is, _)| *is).fold(NodeFlags::PARTICLE_EMITTER, |flags, (_, flag)| flags | *flag)
}

impl Author<'_> {
    pub(super) fn model_emitter(&mut self, layout: &Layout, id: usize, index: usize) -> Node<'static> {
        let EmitterKind::Model(emitter) = &self.scene.emitters[index].kind else {
            return self.bare(layout, id);
        };
        let header = ParticleEmitterHeader {
            emission_rate: F32::new(emitter.emission_rate),
            gravity: F32::new(emitter.gravity),
            longitude: F32::new(emitter.longitude),
            latitude: F32::new(emitter.latitude),
            path: chars(&emitter.path),
            life_span: F32::new(emitter.life_span),
            speed: F32::new(emitter.speed),
        };
        let numbers = [
            (tags::KPEE, EmitterProperty::EmissionRate, Unsaid::other(emitter.emission_rate, 0.0)),
            (tags::KPEG, EmitterProperty::Gravity, Unsaid::own(emitter.gravity)),
            (tags::KPLN, EmitterProperty::Longitude, Unsaid::own(emitter.longitude)),
            (tags::KPLT, EmitterProperty::Latitude, Unsaid::own(emitter.latitude)),
            (tags::KPEL, EmitterProperty::LifeSpan, Unsaid::own(emitter.life_span)),
            (tags::KPES, EmitterProperty::Speed, Unsaid::own(emitter.speed)),
        ];
        // The two bits say what the path is.
        let kind =
            [(!emitter.is_picture, NodeFlags::UNSHADED), (emitter.is_picture, NodeFlags::SORT_PRIMS_FAR_Z)];
        let tracks = self.emitter_tracks(index, &numbers, tags::KPEV, layout, id);
        let node = self.node(layout, id, flags(&kind));
        object(&kinds::PARTICLE_EMITTER, node, std::iter::once(part(&header)).chain(tracks).collect())
    }

    pub(super) fn sprite_emitter(&mut self, layout: &Layout, id: usize, index: usize) -> Node<'static> {
        let path = layout.entries[id].name.clone();
        let sprite;
        let emitter = match &self.scene.emitters[index].kind {
            EmitterKind::Sprite(emitter) => &**emitter,
            EmitterKind::Keyed(emitter) => {
                sprite = self.keyed_as_sprite(emitter, &path);
                &sprite
            }
            EmitterKind::Model(_) | EmitterKind::Effect(_) => return self.bare(layout, id),
        };
        if emitter.wow.is_some() {
            self.lost(&path, "what only World of Warcraft's particles have was dropped");
        }
        let filter_mode = match emitter.blend {
            BlendMode::Opaque => ParticleFilterMode::ALPHA_KEY,
            BlendMode::Add | BlendMode::Additive | BlendMode::AddAlpha | BlendMode::Screen => {
                ParticleFilterMode::ADDITIVE
            }
            BlendMode::Modulate | BlendMode::Multiply => ParticleFilterMode::MODULATE,
            BlendMode::Modulate2x => ParticleFilterMode::MODULATE_2X,
            BlendMode::Alpha | BlendMode::Factors(..) => ParticleFilterMode::BLEND,
        };
        let cells = |range: FrameRange| CellAnimation {
            start: U32::new(range.start),
            end: U32::new(range.end),
            repeat: U32::new(range.repeat),
        };
        let texture = emitter.texture.filter(|texture| texture.index() < self.scene.textures.len());
        let header = ParticleEmitter2Header {
            speed: F32::new(emitter.speed),
            variation: F32::new(emitter.variation),
            latitude: F32::new(emitter.latitude),
            gravity: F32::new(emitter.gravity),
            life_span: F32::new(emitter.life_span),
            emission_rate: F32::new(emitter.emission_rate),
            length: F32::new(emitter.length),
            width: F32::new(emitter.width),
            filter_mode,
            rows: U32::new(emitter.rows),
            columns: U32::new(emitter.columns),
            particle_type: match (emitter.head, emitter.tail) {
                (true, true) => ParticleType::BOTH,
                (false, true) => ParticleType::TAIL,
                (_, false) => ParticleType::HEAD,
            },
            tail_length: F32::new(emitter.tail_length),
            time: F32::new(emitter.middle),
            segment_colors: emitter.colors.map(space::plain),
            segment_alphas: emitter.alphas.map(|alpha| (alpha * 255.0).round() as u8),
            segment_scalings: emitter.scales.map(F32::new),
            head_life: cells(emitter.head_life),
            head_decay: cells(emitter.head_decay),
            tail_life: cells(emitter.tail_life),
            tail_decay: cells(emitter.tail_decay),
            texture_id: I32::new(texture.map_or(-1, |texture| signed(texture.index()))),
            squirt: U32::new(u32::from(emitter.squirt)),
            priority_plane: I32::new(emitter.priority_plane),
            replaceable_id: U32::new(emitter.replaceable.map_or(0, |replaceable| replaceable.0)),
        };
        let numbers = [
            (tags::KP2S, EmitterProperty::Speed, Unsaid::own(emitter.speed)),
            (tags::KP2R, EmitterProperty::Variation, Unsaid::own(emitter.variation)),
            (tags::KP2L, EmitterProperty::Latitude, Unsaid::own(emitter.latitude)),
            (tags::KP2G, EmitterProperty::Gravity, Unsaid::own(emitter.gravity)),
            (tags::KP2E, EmitterProperty::EmissionRate, Unsaid::other(emitter.emission_rate, 0.0)),
            (tags::KP2N, EmitterProperty::Length, Unsaid::own(emitter.length)),
            (tags::KP2W, EmitterProperty::Width, Unsaid::own(emitter.width)),
        ];
        let bits = [
            (emitter.unlit, NodeFlags::UNSHADED),
            (emitter.unfogged, NodeFlags::UNFOGGED),
            (emitter.sort_far, NodeFlags::SORT_PRIMS_FAR_Z),
            (emitter.line, NodeFlags::LINE_EMITTER),
            (emitter.model_space, NodeFlags::MODEL_SPACE),
            (emitter.flat, NodeFlags::XY_QUAD),
        ];
        let tracks = self.emitter_tracks(index, &numbers, tags::KP2V, layout, id);
        let node = self.node(layout, id, flags(&bits));
        object(&kinds::PARTICLE_EMITTER_2, node, std::iter::once(part(&header)).chain(tracks).collect())
    }

    pub(super) fn effect_emitter(&mut self, layout: &Layout, id: usize, index: usize) -> Node<'static> {
        let EmitterKind::Effect(emitter) = &self.scene.emitters[index].kind else {
            return self.bare(layout, id);
        };
        let header = PopcornEmitterHeader {
            life_span: F32::new(emitter.life_span),
            emission_rate: F32::new(emitter.emission_rate),
            speed: F32::new(emitter.speed),
            color: space::plain(emitter.color),
            alpha: F32::new(emitter.alpha),
            replaceable_id: U32::new(emitter.replaceable.map_or(0, |replaceable| replaceable.0)),
            path: chars(&emitter.path),
            animation_visibility_guide: chars(&emitter.visibility_guide),
        };
        let numbers = [
            (tags::KPPA, EmitterProperty::Alpha, Unsaid::own(emitter.alpha)),
            (tags::KPPE, EmitterProperty::EmissionRate, Unsaid::other(emitter.emission_rate, 0.0)),
            (tags::KPPL, EmitterProperty::LifeSpan, Unsaid::own(emitter.life_span)),
            (tags::KPPS, EmitterProperty::Speed, Unsaid::own(emitter.speed)),
        ];
        let bits = [
            (emitter.unlit, NodeFlags::UNSHADED),
            (emitter.sort_far, NodeFlags::SORT_PRIMS_FAR_Z),
            (emitter.unfogged, NodeFlags::LINE_EMITTER),
            (emitter.scales, NodeFlags::UNFOGGED),
        ];
        let mut tracks = self.emitter_tracks(index, &numbers, tags::KPPV, layout, id);
        let color = Target::Emitter(EmitterId::from(index), EmitterProperty::Color);
        tracks.extend(self.color(tags::KPPC, color, Unsaid::own(emitter.color)));
        let node = self.node(layout, id, flags(&bits));
        object(&kinds::POPCORN_EMITTER, node, std::iter::once(part(&header)).chain(tracks).collect())
    }

    /// An object that has only a node.
    fn bare(&mut self, layout: &Layout, id: usize) -> Node<'static> {
        let node = self.node(layout, id, NodeFlags::default());
        object(&kinds::HELPER, node, Vec::new())
    }

    fn emitter_tracks(
        &mut self,
        index: usize,
        numbers: &[(u32, EmitterProperty, Unsaid<f32>)],
        visibility: u32,
        layout: &Layout,
        id: usize,
    ) -> Vec<Node<'static>> {
        let emitter = &self.scene.emitters[index];
        let target = |property| Target::Emitter(EmitterId::from(index), property);
        let path = &layout.entries[id].name;
        let mut tracks = Vec::new();
        for (tag, property, unsaid) in numbers {
            tracks.extend(self.scalar(*tag, target(*property), *unsaid));
        }
        let own = Some((target(EmitterProperty::Visibility), emitter.visible));
        tracks.extend(self.visibility(visibility, own, self.plain_node(emitter.node), path));
        let known = |property: EmitterProperty| {
            numbers.iter().any(|(_, each, _)| *each == property)
                || matches!(property, EmitterProperty::Visibility | EmitterProperty::Color)
        };
        let all = [
            EmitterProperty::Longitude,
            EmitterProperty::ZSource,
            EmitterProperty::LifeSpan,
            EmitterProperty::Alpha,
        ];
        if all.into_iter().any(|property| !known(property) && self.channels.moves(target(property))) {
            self.lost(
                path,
                "the motion of some properties was dropped: these particles have no tracks for them",
            );
        }
        tracks
    }

    /// W3D's particles with keys over their life as those with a beginning, a middle and an end.
    fn keyed_as_sprite(&mut self, keyed: &KeyedEmitter, path: &str) -> SpriteEmitter {
        self.lost(
            path,
            "W3D particles became particles of three stages: start, middle and end of their life",
        );
        let life = keyed.life_time.max(0.001);
        let stage = [0.0, 0.5, 1.0];
        let color = |age: f32| keyed.color.sample(life * age).unwrap_or(Vec4::ONE).truncate();
        let alpha = |age: f32| keyed.opacity.sample(life * age).unwrap_or(1.0).clamp(0.0, 1.0);
        // The size is that of the whole square; MDX has half of it.
        let size = |age: f32| keyed.size.sample(life * age).unwrap_or(1.0) / 2.0;
        let speed = keyed.velocity.length() + keyed.outward_velocity.abs();
        let spread = match keyed.velocity_random {
            Volume::Box(half) => half.max_element(),
            Volume::Sphere { radius, .. } => radius,
            Volume::Cylinder { half_length, radius } => half_length.max(radius),
        };
        let area = match keyed.creation_volume {
            Volume::Box(half) => [half.x * 2.0, half.z * 2.0],
            Volume::Sphere { radius, .. } => [radius * 2.0; 2],
            Volume::Cylinder { half_length, radius } => [half_length * 2.0, radius * 2.0],
        };
        let latitude =
            if keyed.outward_velocity != 0.0 { 180.0 } else { spread.atan2(speed.max(1e-6)).to_degrees() };
        let cells = 1_u32 << keyed.frame_log2.min(8);
        let frame = |age: f32| keyed.frame.sample(life * age).unwrap_or(0.0).max(0.0) as u32;
        let frames = |from: f32, to: f32| FrameRange { start: frame(from), end: frame(to), repeat: 1 };
        if keyed.max_emissions > 0.0 {
            self.lost(path, "particles that stop after a while go on in MDX");
        }
        let burst = keyed.burst_size.max(1);
        #[expect(clippy::cast_precision_loss, reason = "a burst is small")]
        let emission_rate = keyed.emission_rate * burst as f32;
        SpriteEmitter {
            speed: if speed > 0.0 { speed } else { spread },
            variation: if speed > 0.0 { (spread / speed).min(1.0) } else { 1.0 },
            latitude: if speed > 0.0 { latitude } else { 180.0 },
            gravity: -keyed.acceleration.y,
            life_span: life,
            emission_rate,
            width: area[0],
            length: area[1],
            blend: match keyed.layer.transparency() {
                Transparency::Mask => BlendMode::Opaque,
                Transparency::Opaque => BlendMode::Alpha,
                Transparency::Blend => keyed.layer.blend,
            },
            rows: cells,
            columns: cells,
            head: true,
            middle: 0.5,
            colors: stage.map(color),
            alphas: stage.map(alpha),
            scales: stage.map(size),
            head_life: frames(0.0, 0.5),
            head_decay: frames(0.5, 1.0),
            tail_life: FrameRange { repeat: 1, ..FrameRange::default() },
            tail_decay: FrameRange { repeat: 1, ..FrameRange::default() },
            texture: keyed.texture,
            unlit: true,
            ..SpriteEmitter::default()
        }
    }

    pub(super) fn ribbon(
        &mut self,
        layout: &Layout,
        id: usize,
        index: usize,
        materials: &Materials,
    ) -> Node<'static> {
        let ribbon = &self.scene.ribbons[index];
        let path = layout.entries[id].name.clone();
        let header = RibbonEmitterHeader {
            height_above: F32::new(ribbon.height_above),
            height_below: F32::new(ribbon.height_below),
            alpha: F32::new(ribbon.alpha),
            color: space::plain(ribbon.color),
            life_span: F32::new(ribbon.life_span),
            texture_slot: U32::new(ribbon.texture_slot),
            emission_rate: U32::new(ribbon.emission_rate.max(0.0).round() as u32),
            rows: U32::new(ribbon.rows),
            columns: U32::new(ribbon.columns),
            material_id: I32::new(signed(materials.of_mesh(ribbon.material) as usize)),
            gravity: F32::new(ribbon.gravity),
        };
        let target = |property| Target::Ribbon(RibbonId::from(index), property);
        let mut tracks = Vec::new();
        let numbers = [
            (tags::KRHA, RibbonProperty::HeightAbove, ribbon.height_above),
            (tags::KRHB, RibbonProperty::HeightBelow, ribbon.height_below),
            (tags::KRAL, RibbonProperty::Alpha, ribbon.alpha),
        ];
        for (tag, property, rest) in numbers {
            tracks.extend(self.scalar(tag, target(property), Unsaid::other(rest, 0.0)));
        }
        let black = Unsaid { scene: ribbon.color, game: Some(Vec3::ZERO), disputed: true };
        tracks.extend(self.color(tags::KRCO, target(RibbonProperty::Color), black));
        tracks.extend(self.indices(tags::KRTX, target(RibbonProperty::TextureSlot), ribbon.texture_slot));
        let own = Some((target(RibbonProperty::Visibility), ribbon.visible));
        tracks.extend(self.visibility(tags::KRVS, own, self.plain_node(ribbon.node), &path));
        let node = self.node(layout, id, NodeFlags::RIBBON_EMITTER);
        object(&kinds::RIBBON_EMITTER, node, std::iter::once(part(&header)).chain(tracks).collect())
    }
}

/// Values of keys over a life.
trait Sample<T> {
    fn sample(&self, time: f32) -> Option<T>;
}

impl<T: scene::Interpolate> Sample<T> for LifeKeys<T> {
    fn sample(&self, time: f32) -> Option<T> {
        let track = scene::Track::new(scene::Interpolation::Linear, self.keys.iter().copied());
        track.sample(time)
    }
}
