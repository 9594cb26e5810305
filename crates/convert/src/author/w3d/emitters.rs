//! Particle emitters that the scene has in W3D's own terms.

use glam::Vec4;
use record::zerocopy::IntoBytes;
use record::{F32, Node, U32, build};
use scene::{
    Emitter, EmitterKind, KeyedEmitter, LifeKeys, LineMapping, LineProperties, ParticleRender, Volume,
};
use w3d::names::{EmitterLineFlags, FrameMode, RenderMode, Texturing, Version, VolumeClass};
use w3d::records::{
    EmitterBlurTimeHeader, EmitterColorKey, EmitterExtraInfo, EmitterFrameHeader, EmitterHeader, EmitterInfo,
    EmitterInfo2, EmitterKey, EmitterLineProperties, EmitterProperties, EmitterRotationHeader,
    EmitterUserData, Rgba, VolumeRandomizer,
};
use w3d::table;

use super::{Author, chars, count, shaders, space};

fn rgba(color: Vec4) -> Rgba {
    let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
    Rgba { r: byte(color.x), g: byte(color.y), b: byte(color.z), a: byte(color.w) }
}

fn volume(volume: Volume) -> VolumeRandomizer {
    let (class, [a, b, c]) = match volume {
        Volume::Box(half) => (VolumeClass::SOLID_BOX, space::extent(half).get()),
        Volume::Sphere { radius, hollow: false } => (VolumeClass::SOLID_SPHERE, [radius, 0.0, 0.0]),
        Volume::Sphere { radius, hollow: true } => (VolumeClass::HOLLOW_SPHERE, [radius, 0.0, 0.0]),
        Volume::Cylinder { half_length, radius } => (VolumeClass::SOLID_CYLINDER, [half_length, radius, 0.0]),
    };
    VolumeRandomizer {
        class_id: class,
        value1: F32::new(a),
        value2: F32::new(b),
        value3: F32::new(c),
        ..VolumeRandomizer::default()
    }
}

fn keys(life: &LifeKeys<f32>) -> Vec<EmitterKey> {
    life.keys
        .iter()
        .map(|(time, value)| EmitterKey { time: F32::new(*time), value: F32::new(*value) })
        .collect()
}

fn line(line: &LineProperties) -> EmitterLineProperties {
    let mut flags = 0;
    let mut set = |on: bool, flag: EmitterLineFlags| flags |= if on { flag.get() } else { 0 };
    set(line.merge_intersections, EmitterLineFlags::MERGE_INTERSECTIONS);
    set(line.freeze_random, EmitterLineFlags::FREEZE_RANDOM);
    set(line.disable_sorting, EmitterLineFlags::DISABLE_SORTING);
    set(line.end_caps, EmitterLineFlags::END_CAPS);
    set(line.texture_mapping == LineMapping::UniformLength, EmitterLineFlags::UNIFORM_LENGTH_TEXTURE_MAP);
    set(line.texture_mapping == LineMapping::Tiled, EmitterLineFlags::TILED_TEXTURE_MAP);
    EmitterLineProperties {
        flags: EmitterLineFlags::new(flags),
        subdivision_level: U32::new(line.subdivision_level),
        noise_amplitude: F32::new(line.noise_amplitude),
        merge_abort_factor: F32::new(line.merge_abort_factor),
        texture_tile_factor: F32::new(line.texture_tile_factor),
        u_per_sec: F32::new(line.uv_per_second.x),
        v_per_sec: F32::new(line.uv_per_second.y),
        ..EmitterLineProperties::default()
    }
}

fn basics(keyed: &KeyedEmitter, texture: &str) -> EmitterInfo {
    let ends = |life: &LifeKeys<f32>| {
        let value = |key: Option<&(f32, f32)>| F32::new(key.map_or(0.0, |key| key.1));
        (value(life.keys.first()), value(life.keys.last()))
    };
    let (start_size, end_size) = ends(&keyed.size);
    let color = |key: Option<&(f32, Vec4)>| rgba(key.map_or(Vec4::ONE, |key| key.1));
    EmitterInfo {
        texture_filename: chars(texture),
        start_size,
        end_size,
        lifetime: F32::new(keyed.life_time),
        emission_rate: F32::new(keyed.emission_rate),
        max_emissions: F32::new(keyed.max_emissions),
        fade_time: F32::new(keyed.fade_time),
        gravity: F32::new(keyed.gravity),
        elasticity: F32::new(keyed.elasticity),
        velocity: space::vector(keyed.velocity),
        acceleration: space::vector(keyed.acceleration),
        start_color: color(keyed.color.keys.first()),
        end_color: color(keyed.color.keys.last()),
        ..EmitterInfo::default()
    }
}

/// The chunks of what changes while a particle lives, apart from colour, opacity and size.
fn keyframes(keyed: &KeyedEmitter, chunks: &mut Vec<Node<'static>>) {
    let after_start = |life: &LifeKeys<f32>| count(life.keys.len().saturating_sub(1));
    if !keyed.rotation.keys.is_empty() {
        let header = EmitterRotationHeader {
            keyframe_count: after_start(&keyed.rotation),
            random: F32::new(keyed.rotation.random),
            orientation_random: F32::new(keyed.orientation_random),
            ..EmitterRotationHeader::default()
        };
        chunks.push(build(table::EMITTER_ROTATION_KEYFRAMES, (&header, keys(&keyed.rotation).as_bytes())));
    }
    if !keyed.frame.keys.is_empty() {
        let header = EmitterFrameHeader {
            keyframe_count: after_start(&keyed.frame),
            random: F32::new(keyed.frame.random),
            ..EmitterFrameHeader::default()
        };
        chunks.push(build(table::EMITTER_FRAME_KEYFRAMES, (&header, keys(&keyed.frame).as_bytes())));
    }
    if !keyed.blur_time.keys.is_empty() {
        let header = EmitterBlurTimeHeader {
            keyframe_count: after_start(&keyed.blur_time),
            random: F32::new(keyed.blur_time.random),
            ..EmitterBlurTimeHeader::default()
        };
        chunks.push(build(table::EMITTER_BLUR_TIME_KEYFRAMES, (&header, keys(&keyed.blur_time).as_bytes())));
    }
}

impl Author<'_> {
    pub(super) fn write_emitters(&mut self) {
        let scene = self.scene;
        let mut lost = 0;
        for emitter in &scene.emitters {
            let EmitterKind::Keyed(keyed) = &emitter.kind else {
                lost += 1;
                continue;
            };
            let place = self.place_of(emitter.node);
            let name = self.object_name(&emitter.name, place, "EMITTER");
            let chunk = self.emitter(emitter, keyed, &name);
            self.put_object(place, name, chunk);
        }
        if lost > 0 {
            let what = crate::report::counted(lost, "emitter");
            self.lost("model", format!("{what} of Warcraft III dropped: W3D's work otherwise"));
        }
    }

    fn emitter(&mut self, emitter: &Emitter, keyed: &KeyedEmitter, name: &str) -> Node<'static> {
        let texture = keyed.texture.map(|id| self.texture_name(id)).unwrap_or_default();
        let header = EmitterHeader { version: Version::new(2, 0), name: chars(name) };
        let (user_type, text) = keyed.user_data.clone().unwrap_or_default();
        let mut text = record::encode(&text).map(std::borrow::Cow::into_owned).unwrap_or_default();
        if !text.is_empty() {
            text.push(0);
        }
        let user = EmitterUserData {
            user_type: U32::new(user_type),
            string_size: count(text.len()),
            ..EmitterUserData::default()
        };
        let info = basics(keyed, &texture);
        let (mut shader, lost) = shaders::shader(&keyed.layer, &self.limits);
        for what in lost {
            self.lost(&emitter.name, format!("cannot express {what}"));
        }
        if keyed.texture.is_some() {
            shader.texturing = Texturing::ENABLE;
        }
        let more = EmitterInfo2 {
            burst_size: U32::new(keyed.burst_size),
            creation_volume: volume(keyed.creation_volume),
            vel_random: volume(keyed.velocity_random),
            outward_vel: F32::new(keyed.outward_velocity),
            vel_inherit: F32::new(keyed.velocity_inheritance),
            shader,
            render_mode: match keyed.render {
                ParticleRender::Triangle => RenderMode::TRI_PARTICLES,
                ParticleRender::Quad => RenderMode::QUAD_PARTICLES,
                ParticleRender::Line => RenderMode::LINE,
                ParticleRender::LineGroupTetrahedron => RenderMode::LINEGRP_TETRA,
                ParticleRender::LineGroupPrism => RenderMode::LINEGRP_PRISM,
            },
            frame_mode: FrameMode::new(keyed.frame_log2),
            ..EmitterInfo2::default()
        };
        let colors: Vec<EmitterColorKey> = keyed
            .color
            .keys
            .iter()
            .map(|(time, color)| EmitterColorKey { time: F32::new(*time), color: rgba(*color) })
            .collect();
        let (opacities, sizes) = (keys(&keyed.opacity), keys(&keyed.size));
        let properties = EmitterProperties {
            color_keyframes: count(colors.len()),
            opacity_keyframes: count(opacities.len()),
            size_keyframes: count(sizes.len()),
            color_random: rgba(keyed.color.random),
            opacity_random: F32::new(keyed.opacity.random),
            size_random: F32::new(keyed.size.random),
            ..EmitterProperties::default()
        };
        let lists = [colors.as_bytes(), opacities.as_bytes(), sizes.as_bytes()].concat();
        let mut chunks = vec![
            build(table::EMITTER_HEADER, &header),
            build(table::EMITTER_USER_DATA, (&user, &text[..])),
            build(table::EMITTER_INFO, &info),
            build(table::EMITTER_INFOV2, &more),
            build(table::EMITTER_PROPS, (&properties, &lists[..])),
        ];
        match &keyed.line {
            Some(properties) if self.limits.emitter_lines => {
                chunks.push(build(table::EMITTER_LINE_PROPERTIES, &line(properties)));
            }
            Some(_) => self.lost(&emitter.name, "properties of lines, which the game fails to load"),
            None => {}
        }
        keyframes(keyed, &mut chunks);
        if keyed.future_start_time != 0.0 && !self.limits.renegade_blending {
            let info = EmitterExtraInfo {
                future_start_time: F32::new(keyed.future_start_time),
                ..EmitterExtraInfo::default()
            };
            chunks.push(build(table::EMITTER_EXTRA_INFO, &info));
        }
        build(table::EMITTER, chunks)
    }
}
