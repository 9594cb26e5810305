//! Particles and ribbons.

use std::fmt::Display;

use glam::Vec3;
use mdx::records::{
    CellAnimation, NodeFlags, ParticleEmitterHeader, ParticleFilterMode, ParticleType, PopcornEmitterHeader,
    RibbonEmitterHeader, WowEmitterType, WowNodeFlags, WowParticleEmitter2Header,
};
use mdx::tags;
use mdx::view::{Object, text, tracks};
use scene::{
    AlphaTest, BlendMode, EffectEmitter, Emitter, EmitterId, EmitterKind, EmitterProperty, FrameRange,
    ModelEmitter, NodeId, Replaceable, Ribbon, RibbonId, RibbonProperty, SpriteEmitter, Target,
};

use super::node::path;
use super::{Converter, NoteKind};

impl<'d> Converter<'d> {
    pub(super) fn model_emitter(&mut self, object: &Object<'d>, node: NodeId) -> Option<()> {
        let header: &ParticleEmitterHeader = object.part()?;
        // The two games have these bits the other way round.
        let picture = if self.is_wow() { NodeFlags::UNSHADED } else { NodeFlags::SORT_PRIMS_FAR_Z };
        let emitter = ModelEmitter {
            path: text(&header.path).into_owned(),
            is_picture: object.flags().has(picture),
            emission_rate: header.emission_rate.get(),
            gravity: header.gravity.get(),
            longitude: header.longitude.get(),
            latitude: header.latitude.get(),
            life_span: header.life_span.get(),
            speed: header.speed.get(),
        };
        self.emitter(object, node, EmitterKind::Model(emitter), 1.0);
        Some(())
    }

    pub(super) fn sprite_emitter(&mut self, object: &Object<'d>, node: NodeId) -> Option<()> {
        let source = object.emitter_2()?;
        let path = path(object);
        // The scene has degrees, as Warcraft III; the WoW alpha has radians.
        let degrees = if source.wow.is_some() { 1.0_f32.to_degrees() } else { 1.0 };
        let has = |flag: NodeFlags| object.flags().has(flag);
        let (blend, alpha_reference) = match source.filter_mode {
            ParticleFilterMode::BLEND => (BlendMode::Alpha, AlphaTest::INVISIBLE),
            ParticleFilterMode::ADDITIVE => (BlendMode::Additive, AlphaTest::INVISIBLE),
            ParticleFilterMode::MODULATE => (BlendMode::Modulate, AlphaTest::INVISIBLE),
            ParticleFilterMode::MODULATE_2X => (BlendMode::Modulate2x, AlphaTest::INVISIBLE),
            ParticleFilterMode::ALPHA_KEY => (BlendMode::Opaque, AlphaTest::WARCRAFT),
            other => {
                let message = format!("the filter mode {} is unknown; blending is taken", other.get());
                self.note(NoteKind::Damaged, &path, message);
                (BlendMode::Alpha, AlphaTest::INVISIBLE)
            }
        };
        let (head, tail) = match source.particle_type {
            ParticleType::HEAD => (true, false),
            ParticleType::TAIL => (false, true),
            ParticleType::BOTH => (true, true),
            other => {
                let message = format!("the type of particle {} is unknown; a head is taken", other.get());
                self.note(NoteKind::Damaged, &path, message);
                (true, false)
            }
        };
        let frames = |cells: CellAnimation| FrameRange {
            start: cells.start.get(),
            end: cells.end.get(),
            repeat: cells.repeat.get(),
        };
        let [head_life, head_decay, tail_life, tail_decay] = source.animations.map(frames);
        let emitter = SpriteEmitter {
            speed: source.speed,
            variation: source.variation,
            latitude: source.latitude * degrees,
            longitude: source.wow.map_or(0.0, |wow| wow.longitude.get() * degrees),
            gravity: source.gravity,
            life_span: source.life_span,
            emission_rate: source.emission_rate,
            width: source.width,
            length: source.length,
            z_source: source.wow.map_or(0.0, |wow| wow.z_source.get()),
            blend,
            alpha_reference: alpha_reference.reference,
            rows: source.cells[0],
            columns: source.cells[1],
            head,
            tail,
            tail_length: source.tail_length,
            middle: self.number(&path, "middle of life", source.time, 0.5),
            colors: source.colors.map(|color| Vec3::from(color.get())),
            alphas: source.alphas.map(|alpha| f32::from(alpha) / 255.0),
            scales: source.scalings,
            head_life,
            head_decay,
            tail_life,
            tail_decay,
            texture: self.texture(source.texture_id, &path),
            replaceable: replaceable(source.replaceable_id),
            squirt: source.squirt,
            priority_plane: source.priority_plane,
            unlit: has(NodeFlags::UNSHADED),
            unfogged: has(NodeFlags::UNFOGGED),
            sort_far: has(NodeFlags::SORT_PRIMS_FAR_Z),
            line: has(NodeFlags::LINE_EMITTER),
            model_space: has(NodeFlags::MODEL_SPACE),
            flat: has(NodeFlags::XY_QUAD),
        };
        if let Some(wow) = source.wow {
            self.wow_emitter(wow, object.raw_flags(), &path);
        }
        self.emitter(object, node, EmitterKind::Sprite(Box::new(emitter)), degrees);
        Some(())
    }

    /// What only the WoW alpha has, and no scene.
    fn wow_emitter(&mut self, wow: &WowParticleEmitter2Header, flags: u32, path: &dyn Display) {
        let tumble = [wow.tumble_x_min, wow.tumble_x_max, wow.tumble_y_min, wow.tumble_y_max];
        let tumble = tumble.into_iter().chain([wow.tumble_z_min, wow.tumble_z_max]);
        let only_wow = WowNodeFlags::INHERIT_SCALE.get()
            | WowNodeFlags::INSTANT_VELOCITY_LIN.get()
            | WowNodeFlags::ZERO_X_KILL.get()
            | WowNodeFlags::Z_VELOCITY_ONLY.get()
            | WowNodeFlags::TUMBLER.get()
            | WowNodeFlags::TAIL_GROWS.get()
            | WowNodeFlags::EXTRUDE.get()
            | WowNodeFlags::PARTICLE_PROJECT.get()
            | WowNodeFlags::FOLLOW.get();
        let what = [
            (!matches!(wow.emitter_type, WowEmitterType::BASE | WowEmitterType::PLANE), "its form of source"),
            (!wow.geometry_model.text().is_empty(), "the model of its particles"),
            (!wow.recursion_model.text().is_empty(), "the emitter on its particles"),
            (wow.twinkle_fps.get() != 0.0, "twinkling"),
            (tumble.map(|tumble| tumble.get()).any(|tumble| tumble != 0.0), "tumbling"),
            (wow.drag.get() != 0.0, "drag"),
            (wow.spin.get() != 0.0, "spin"),
            (wow.wind.get() != [0.0; 3], "wind"),
            (wow.follow_speed_1.get() != 0.0 || wow.follow_speed_2.get() != 0.0, "following"),
            (flags & only_wow != 0, "how its particles move by flags"),
        ];
        for (_, what) in what.into_iter().filter(|(is_there, _)| *is_there) {
            self.note(NoteKind::LeftOut, path, what);
        }
    }

    pub(super) fn effect_emitter(&mut self, object: &Object<'d>, node: NodeId) -> Option<()> {
        let header: &PopcornEmitterHeader = object.part()?;
        let has = |flag: NodeFlags| object.flags().has(flag);
        let emitter = EffectEmitter {
            path: text(&header.path).into_owned(),
            visibility_guide: text(&header.animation_visibility_guide).into_owned(),
            life_span: header.life_span.get(),
            emission_rate: header.emission_rate.get(),
            speed: header.speed.get(),
            color: Vec3::from(header.color.get()),
            alpha: header.alpha.get(),
            replaceable: replaceable(header.replaceable_id.get()),
            unlit: has(NodeFlags::UNSHADED),
            sort_far: has(NodeFlags::SORT_PRIMS_FAR_Z),
            // Disputed, and set in no known file: two sources against two (mdx-errata 2.2).
            unfogged: has(NodeFlags::LINE_EMITTER),
            scales: has(NodeFlags::UNFOGGED),
        };
        self.emitter(object, node, EmitterKind::Effect(emitter), 1.0);
        Some(())
    }

    /// Adds an emitter with its tracks; those of angles are multiplied.
    fn emitter(&mut self, object: &Object<'d>, node: NodeId, kind: EmitterKind, angle: f32) {
        let id = EmitterId::from(self.scene.emitters.len());
        let name = object.name().into_owned();
        self.scene.emitters.push(Emitter { node, name, visible: true, kind });
        for track in tracks(object.object) {
            let (property, factor) = match track.row.tag {
                tags::KPEE | tags::KP2E | tags::KPPE => (EmitterProperty::EmissionRate, 1.0),
                tags::KPEG | tags::KP2G => (EmitterProperty::Gravity, 1.0),
                tags::KPLN => (EmitterProperty::Longitude, angle),
                tags::KPLT | tags::KP2L => (EmitterProperty::Latitude, angle),
                tags::KPEL | tags::KLIF | tags::KPPL => (EmitterProperty::LifeSpan, 1.0),
                tags::KPES | tags::KP2S | tags::KPPS => (EmitterProperty::Speed, 1.0),
                tags::KP2R => (EmitterProperty::Variation, 1.0),
                tags::KP2N => (EmitterProperty::Length, 1.0),
                tags::KP2W => (EmitterProperty::Width, 1.0),
                tags::KP2Z => (EmitterProperty::ZSource, 1.0),
                tags::KPPA => (EmitterProperty::Alpha, 1.0),
                tags::KPPC => {
                    self.color(&track, Target::Emitter(id, EmitterProperty::Color));
                    continue;
                }
                tags::KPEV | tags::KP2V | tags::KPPV | tags::KVIS => {
                    self.flag(&track, Target::Emitter(id, EmitterProperty::Visibility));
                    continue;
                }
                _ => {
                    self.unplaced(&track, path(object));
                    continue;
                }
            };
            self.scalar(&track, Target::Emitter(id, property), factor);
        }
    }

    pub(super) fn ribbon(&mut self, object: &Object<'d>, node: NodeId) -> Option<()> {
        let header: &RibbonEmitterHeader = object.part()?;
        let id = RibbonId::from(self.scene.ribbons.len());
        let material = u32::try_from(header.material_id.get()).ok();
        #[expect(clippy::cast_precision_loss, reason = "a rate is small")]
        let ribbon = Ribbon {
            name: object.name().into_owned(),
            material: material.and_then(|material| self.material_id(material, &path(object))),
            height_above: header.height_above.get(),
            height_below: header.height_below.get(),
            alpha: header.alpha.get(),
            color: Vec3::from(header.color.get()),
            life_span: header.life_span.get(),
            emission_rate: header.emission_rate.get() as f32,
            rows: header.rows.get(),
            columns: header.columns.get(),
            texture_slot: header.texture_slot.get(),
            gravity: header.gravity.get(),
            ..Ribbon::new(node)
        };
        self.scene.ribbons.push(ribbon);
        for track in tracks(object.object) {
            let target = |property| Target::Ribbon(id, property);
            match track.row.tag {
                tags::KRHA => self.scalar(&track, target(RibbonProperty::HeightAbove), 1.0),
                tags::KRHB => self.scalar(&track, target(RibbonProperty::HeightBelow), 1.0),
                tags::KRAL => self.scalar(&track, target(RibbonProperty::Alpha), 1.0),
                tags::KRCO => self.color(&track, target(RibbonProperty::Color)),
                tags::KRTX => self.index(&track, target(RibbonProperty::TextureSlot)),
                tags::KRVS | tags::KVIS => self.flag(&track, target(RibbonProperty::Visibility)),
                _ => self.unplaced(&track, path(object)),
            }
        }
        Some(())
    }
}

/// What the game supplies; zero is nothing.
pub(super) fn replaceable(id: u32) -> Option<Replaceable> {
    (id != 0).then_some(Replaceable(id))
}
