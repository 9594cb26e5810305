//! Particles and ribbons.

use glam::Vec3;
use mdx::records::{
    CellAnimation, NodeFlags, ParticleEmitterHeader, ParticleFilterMode, ParticleType, PopcornEmitterHeader,
    RibbonEmitterHeader, WowEmitterType, WowNodeFlags, WowParticleEmitter2Header,
};
use mdx::view::{Object, text, tracks};
use mdx::{kinds, tags};
use record::{F32, Node};
use scene::{
    AlphaTest, BlendMode, EffectEmitter, Emitter, EmitterId, EmitterKind, EmitterProperty, FrameRange,
    ModelEmitter, NodeId, Replaceable, Ribbon, RibbonId, RibbonProperty, SpriteEmitter, Target,
    WowEmitterShape, WowParticles,
};

use super::node::path;
use super::{Converter, NoteKind, space};

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
                let message = format!("unknown filter mode {}; alpha blending assumed", other.get());
                self.note(NoteKind::Damaged, &path, message);
                (BlendMode::Alpha, AlphaTest::INVISIBLE)
            }
        };
        let (head, tail) = match source.particle_type {
            ParticleType::HEAD => (true, false),
            ParticleType::TAIL => (false, true),
            ParticleType::BOTH => (true, true),
            other => {
                let message = format!("unknown particle type {}; head assumed", other.get());
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
            wow: source.wow.map(|wow| Box::new(wow_particles(object, wow))),
        };
        self.emitter(object, node, EmitterKind::Sprite(Box::new(emitter)), degrees);
        Some(())
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
            // Disputed, and set in no known file: two sources against two (docs/formats/mdx/nodes.md#node-flags).
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

/// Properties that only the WoW alpha has.
fn wow_particles(object: &Object<'_>, wow: &WowParticleEmitter2Header) -> WowParticles {
    let flags = WowNodeFlags::new(object.raw_flags());
    let axes = |x: F32, y: F32, z: F32| space::vector([x.get(), y.get(), z.get()]);
    let (least, greatest) = (
        axes(wow.tumble_x_min, wow.tumble_y_min, wow.tumble_z_min),
        axes(wow.tumble_x_max, wow.tumble_y_max, wow.tumble_z_max),
    );
    WowParticles {
        shape: match wow.emitter_type {
            WowEmitterType::BASE => WowEmitterShape::Point,
            WowEmitterType::PLANE => WowEmitterShape::Plane,
            WowEmitterType::SPHERE => WowEmitterShape::Sphere,
            WowEmitterType::SPLINE => {
                let points = object.object.child(&kinds::SPLINE).map(Node::values::<record::Vec3>);
                let points = points.unwrap_or_default().iter().map(|point| space::vector(point.get()));
                WowEmitterShape::Spline(points.collect())
            }
            other => WowEmitterShape::Other(other.get()),
        },
        drag: wow.drag.get(),
        spin: wow.spin.get(),
        wind: space::vector(wow.wind.get()),
        wind_time: wow.wind_time.get(),
        twinkle_rate: wow.twinkle_fps.get(),
        twinkle_share: wow.twinkle_on_off.get(),
        twinkle_scale: [wow.twinkle_scale_min.get(), wow.twinkle_scale_max.get()],
        velocity_scale: wow.instant_velocity_scale.get(),
        // The change of axes may turn one of them round.
        tumble_min: least.min(greatest),
        tumble_max: least.max(greatest),
        follow: [
            (wow.follow_speed_1.get(), wow.follow_scale_1.get()),
            (wow.follow_speed_2.get(), wow.follow_scale_2.get()),
        ],
        geometry_model: text(&wow.geometry_model).into_owned(),
        recursion_model: text(&wow.recursion_model).into_owned(),
        inherit_scale: flags.has(WowNodeFlags::INHERIT_SCALE),
        instant_velocity: flags.has(WowNodeFlags::INSTANT_VELOCITY_LIN),
        zero_x_kill: flags.has(WowNodeFlags::ZERO_X_KILL),
        z_velocity_only: flags.has(WowNodeFlags::Z_VELOCITY_ONLY),
        tumbles: flags.has(WowNodeFlags::TUMBLER),
        tail_grows: flags.has(WowNodeFlags::TAIL_GROWS),
        extrude: flags.has(WowNodeFlags::EXTRUDE),
        projected: flags.has(WowNodeFlags::PARTICLE_PROJECT),
        follows: flags.has(WowNodeFlags::FOLLOW),
    }
}

/// The texture that the game supplies; zero is none.
pub(super) fn replaceable(id: u32) -> Option<Replaceable> {
    (id != 0).then_some(Replaceable(id))
}
