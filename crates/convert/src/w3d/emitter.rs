//! Particle emitters (docs/formats/w3d/emitters.md#w3d-emitters).

use glam::{Vec2, Vec3, Vec4};
use record::{Node, decode};
use scene::{
    Emitter, EmitterKind, KeyedEmitter, Layer, LifeKeys, LineMapping, LineProperties, ParticleRender, Volume,
};
use w3d::names::{EmitterLineFlags, RenderMode, VolumeClass};
use w3d::records::{
    EmitterBlurTimeHeader, EmitterColorKey, EmitterExtraInfo, EmitterFrameHeader, EmitterHeader, EmitterInfo,
    EmitterInfo2, EmitterKey, EmitterLineProperties, EmitterProperties, EmitterRotationHeader,
    EmitterUserData, Rgba, VolumeRandomizer,
};
use w3d::table;

use super::{Converter, NoteKind, Place, child_value, shader, slot_values, space};

fn color(color: Rgba) -> Vec4 {
    Vec4::new(color.r.into(), color.g.into(), color.b.into(), color.a.into()) / 255.0
}

fn volume(record: &VolumeRandomizer) -> Volume {
    let [a, b, c] = [record.value1.get(), record.value2.get(), record.value3.get()];
    match record.class_id {
        VolumeClass::SOLID_SPHERE => Volume::Sphere { radius: a, hollow: false },
        VolumeClass::HOLLOW_SPHERE => Volume::Sphere { radius: a, hollow: true },
        // The engine draws x from -a to a.
        VolumeClass::SOLID_CYLINDER => Volume::Cylinder { half_length: a, radius: b },
        _ => Volume::Box(space::extent(record::Vec3::new(a, b, c))),
    }
}

fn keys(keys: &[EmitterKey], random: f32) -> LifeKeys<f32> {
    LifeKeys { keys: keys.iter().map(|key| (key.time.get(), key.value.get())).collect(), random }
}

/// The keys of a chunk that has a header of its own; none if it is not there.
fn keyed<H: record::Pod>(
    node: &Node<'_>,
    chunk: &'static w3d::Chunk,
    random: fn(&H) -> f32,
) -> LifeKeys<f32> {
    let Some(chunk) = node.child(chunk) else { return LifeKeys::default() };
    keys(chunk.values(), chunk.value::<H>().map_or(0.0, random))
}

fn render(mode: RenderMode) -> ParticleRender {
    match mode {
        RenderMode::QUAD_PARTICLES => ParticleRender::Quad,
        RenderMode::LINE => ParticleRender::Line,
        RenderMode::LINEGRP_TETRA => ParticleRender::LineGroupTetrahedron,
        RenderMode::LINEGRP_PRISM => ParticleRender::LineGroupPrism,
        _ => ParticleRender::Triangle,
    }
}

fn line(record: &EmitterLineProperties) -> LineProperties {
    let has = |flag| record.flags.has(flag);
    LineProperties {
        merge_intersections: has(EmitterLineFlags::MERGE_INTERSECTIONS),
        freeze_random: has(EmitterLineFlags::FREEZE_RANDOM),
        disable_sorting: has(EmitterLineFlags::DISABLE_SORTING),
        end_caps: has(EmitterLineFlags::END_CAPS),
        texture_mapping: if has(EmitterLineFlags::UNIFORM_LENGTH_TEXTURE_MAP) {
            LineMapping::UniformLength
        } else if has(EmitterLineFlags::TILED_TEXTURE_MAP) {
            LineMapping::Tiled
        } else {
            LineMapping::UniformWidth
        },
        subdivision_level: record.subdivision_level.get(),
        noise_amplitude: record.noise_amplitude.get(),
        merge_abort_factor: record.merge_abort_factor.get(),
        texture_tile_factor: record.texture_tile_factor.get(),
        uv_per_second: Vec2::new(record.u_per_sec.get(), record.v_per_sec.get()),
    }
}

impl<'n> Converter<'_, 'n> {
    pub(super) fn emitter(&mut self, node: &'n Node<'n>, place: Place) {
        let Some(info) = child_value::<EmitterInfo>(node, &table::EMITTER_INFO) else {
            self.note(NoteKind::Damaged, node, "missing EMITTER_INFO chunk");
            return;
        };
        let name =
            child_value::<EmitterHeader>(node, &table::EMITTER_HEADER).map(|header| header.name.to_string());
        // Engines take one second where the file says none.
        let life_time = Some(info.lifetime.get()).filter(|time| *time > 0.0).unwrap_or(1.0);
        // Version 1.0 has only a start and an end.
        let (start, end) = (color(info.start_color), color(info.end_color));
        let from_to = |a, b| vec![(0.0, a), (life_time, b)];
        let mut emitter = KeyedEmitter {
            texture: self.texture_named(info.texture_filename.text()),
            layer: Layer { depth_write: false, blend: scene::BlendMode::Add, ..Layer::default() },
            life_time,
            emission_rate: info.emission_rate.get(),
            burst_size: 1,
            max_emissions: info.max_emissions.get(),
            fade_time: info.fade_time.get(),
            gravity: info.gravity.get(),
            elasticity: info.elasticity.get(),
            velocity: space::vector(info.velocity),
            acceleration: space::vector(info.acceleration),
            creation_volume: Volume::Box(Vec3::splat(info.position_random.get())),
            velocity_random: Volume::Box(Vec3::splat(info.velocity_random.get())),
            color: LifeKeys { keys: from_to(start, end), random: Vec4::ZERO },
            opacity: LifeKeys { keys: vec![(0.0, start.w), (life_time, end.w)], random: 0.0 },
            size: LifeKeys {
                keys: vec![(0.0, info.start_size.get()), (life_time, info.end_size.get())],
                random: 0.0,
            },
            ..KeyedEmitter::default()
        };
        if let Some(info) = child_value::<EmitterInfo2>(node, &table::EMITTER_INFOV2) {
            emitter.burst_size = info.burst_size.get();
            emitter.creation_volume = volume(&info.creation_volume);
            emitter.velocity_random = volume(&info.vel_random);
            emitter.outward_velocity = info.outward_vel.get();
            emitter.velocity_inheritance = info.vel_inherit.get();
            emitter.layer = shader::layer(&info.shader, self.options.engine);
            emitter.render = render(info.render_mode);
            emitter.frame_log2 = info.frame_mode.get();
        }
        if let Some(chunk) = node.child(&table::EMITTER_PROPS)
            && let Some(props) = chunk.value::<EmitterProperties>()
        {
            let colors =
                chunk.values::<EmitterColorKey>().iter().map(|key| (key.time.get(), color(key.color)));
            emitter.color = LifeKeys { keys: colors.collect(), random: color(props.color_random) };
            emitter.opacity = keys(slot_values(chunk, "opacities"), props.opacity_random.get());
            emitter.size = keys(slot_values(chunk, "sizes"), props.size_random.get());
        }
        emitter.rotation =
            keyed::<EmitterRotationHeader>(node, &table::EMITTER_ROTATION_KEYFRAMES, |header| {
                header.random.get()
            });
        emitter.orientation_random = node
            .child(&table::EMITTER_ROTATION_KEYFRAMES)
            .and_then(Node::value::<EmitterRotationHeader>)
            .map_or(0.0, |header| header.orientation_random.get());
        emitter.frame =
            keyed::<EmitterFrameHeader>(node, &table::EMITTER_FRAME_KEYFRAMES, |header| header.random.get());
        emitter.blur_time =
            keyed::<EmitterBlurTimeHeader>(node, &table::EMITTER_BLUR_TIME_KEYFRAMES, |header| {
                header.random.get()
            });
        emitter.line = child_value(node, &table::EMITTER_LINE_PROPERTIES).map(line);
        emitter.future_start_time = child_value::<EmitterExtraInfo>(node, &table::EMITTER_EXTRA_INFO)
            .map_or(0.0, |info| info.future_start_time.get());
        emitter.user_data = node.child(&table::EMITTER_USER_DATA).and_then(|chunk| {
            let text = decode(chunk.text()?).into_owned();
            Some((chunk.value::<EmitterUserData>()?.user_type.get(), text))
                .filter(|(_, text)| !text.is_empty())
        });
        self.scene.emitters.push(Emitter {
            node: place.node,
            name: name.unwrap_or_default(),
            visible: true,
            kind: EmitterKind::Keyed(Box::new(emitter)),
        });
    }
}
