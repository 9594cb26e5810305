//! Boxes, dazzles, null objects, lights, sounds, emitters, spheres, rings.

use super::fixtures::*;
use glam::{Vec2, Vec3, Vec4};
use record::zerocopy::IntoBytes;
use record::{F32, I32, Quaternion, U32};
use scene::{AttachmentKind, EmitterKind, LightKind, PrimitiveForm, Shape, Volume};
use w3d::names::{BoxFlags, LightFlags, RenderMode, RingFlags, SphereFlags, Version, VolumeClass};
use w3d::records::*;
use w3d::table::*;

#[test]
fn boxes_dazzles_and_null_objects_are_on_their_bones() {
    let obstacle = CollisionBox {
        attributes: BoxFlags::ALIGNED | BoxFlags::COLLISION_PROJECTILE,
        name: name("A.BOX"),
        center: record::Vec3::new(1.0, 2.0, 3.0),
        extent: record::Vec3::new(0.5, 1.0, 2.0),
        ..CollisionBox::default()
    };
    let scene = clean([
        record(&BOX, &obstacle),
        branch(&DAZZLE, [text(&DAZZLE_NAME, "A.LAMP"), text(&DAZZLE_TYPENAME, "REN_L5")]),
        record(&NULL_OBJECT, &NullObject { name: name("A.SPOT"), ..NullObject::default() }),
        hierarchy("A", &[pivot("B", 0, [0.0; 3], NO_TURN)]),
        model("A", "A", &[(1, "A.BOX"), (1, "A.LAMP"), (1, "A.SPOT")]),
    ]);
    let shape = &scene.collision_shapes[0];
    assert_eq!((shape.node.0, shape.mask), (1, scene::CollisionMask::PROJECTILE));
    // From 0.5 to 1.5 along X, 1 to 3 along Y (the scene's -Z), 1 to 5 along Z (the scene's Y).
    let (min, max) = (Vec3::new(0.5, 1.0, -3.0), Vec3::new(1.5, 5.0, -1.0));
    assert_eq!(shape.shape, Shape::Box { min, max, axis_aligned: true });
    assert_eq!((scene.dazzles[0].node.0, scene.dazzles[0].kind.as_str()), (1, "REN_L5"));
    assert_eq!(scene.attachments[0].kind, AttachmentKind::Null);
    assert_eq!(scene.nodes[scene.attachments[0].node.index()].name, "A.SPOT");
}

#[test]
fn lights_shine_where_the_engine_has_them_shine() {
    let info = |flags| LightInfo {
        attributes: flags,
        diffuse: Rgb { r: 255, g: 0, b: 51, pad: 0 },
        intensity: F32::new(2.0),
        ..LightInfo::default()
    };
    let spot = SpotLightInfo {
        spot_direction: record::Vec3::new(1.0, 0.0, 0.0),
        spot_angle: F32::new(0.5),
        spot_exponent: F32::new(3.0),
    };
    let range = LightAttenuation { start: F32::new(1.0), end: F32::new(9.0) };
    // Moved by (1, 2, 3): rows of a column-vector matrix.
    let rows = [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 1.0, 3.0]];
    let place = LightTransform { transform: rows.map(|row| row.map(F32::new)) };
    let scene = clean([
        branch(
            &LIGHT,
            [
                record(&LIGHT_INFO, &info(LightFlags::SPOT | LightFlags::CAST_SHADOWS)),
                record(&SPOT_LIGHT_INFO, &spot),
                record(&FAR_ATTENUATION, &range),
            ],
        ),
        branch(
            &LIGHTSCAPE,
            [branch(
                &LIGHTSCAPE_LIGHT,
                [
                    branch(&LIGHT, [record(&LIGHT_INFO, &info(LightFlags::DIRECTIONAL))]),
                    record(&LIGHT_TRANSFORM, &place),
                ],
            )],
        ),
    ]);
    let worlds = scene.rest_worlds();
    let [spot, sun] = &scene.lights[..] else { panic!() };
    assert_eq!(spot.kind, LightKind::Spot { inner: 0.0, outer: 0.5, exponent: 3.0 });
    assert_eq!(
        (spot.color, spot.intensity, spot.attenuation),
        (Vec3::new(1.0, 0.0, 0.2), 2.0, Some([1.0, 9.0]))
    );
    assert!(spot.shadow.casts);
    near(worlds[spot.node.index()].transform_vector3(Vec3::NEG_Z), [1.0, 0.0, 0.0]);
    assert_eq!(sun.kind, LightKind::Directional);
    near(worlds[sun.node.index()].translation.into(), [1.0, 3.0, -2.0]);
    near(worlds[sun.node.index()].transform_vector3(Vec3::NEG_Z), [0.0, 1.0, 0.0]);
}

#[test]
fn a_sound_has_its_variables() {
    use w3d::table::sound::{VARIABLES, variables as of};
    let header = SoundHeader {
        name: name("HUM"),
        flags: w3d::names::SoundFlags::STOP_WHEN_HIDDEN,
        ..SoundHeader::default()
    };
    let scene = clean([branch(
        &SOUNDROBJ,
        [
            record(&SOUNDROBJ_HEADER, &header),
            branch(
                &SOUNDROBJ_DEFINITION,
                [branch(
                    &VARIABLES,
                    [
                        record(&of::VOLUME, &F32::new(0.5)),
                        record(&of::LOOP_COUNT, &I32::new(0)),
                        record(&of::DROP_OFF_RADIUS, &F32::new(40.0)),
                        record(&of::IS_3D, &1_u8),
                        text(&of::FILENAME, "hum.wav"),
                    ],
                )],
            ),
        ],
    )]);
    let sound = &scene.sounds[0];
    assert_eq!((sound.name.as_str(), sound.path.as_str()), ("HUM", "hum.wav"));
    assert_eq!((sound.volume, sound.loops, sound.drop_off_distance, sound.pitch), (0.5, 0, 40.0, 1.0));
    assert!(sound.spatial && sound.stops_when_hidden);
}

#[test]
fn an_emitter_has_all_its_keys() {
    let info = EmitterInfo {
        texture_filename: name("smoke.tga"),
        lifetime: F32::new(4.0),
        velocity: record::Vec3::new(0.0, 0.0, 2.0),
        ..EmitterInfo::default()
    };
    let volume = |class, a: f32, b: f32, c: f32| VolumeRandomizer {
        class_id: class,
        value1: F32::new(a),
        value2: F32::new(b),
        value3: F32::new(c),
        ..VolumeRandomizer::default()
    };
    let info2 = EmitterInfo2 {
        burst_size: U32::new(3),
        creation_volume: volume(VolumeClass::SOLID_BOX, 1.0, 2.0, 3.0),
        vel_random: volume(VolumeClass::HOLLOW_SPHERE, 5.0, 0.0, 0.0),
        render_mode: RenderMode::QUAD_PARTICLES,
        ..EmitterInfo2::default()
    };
    let props = EmitterProperties {
        color_keyframes: U32::new(1),
        opacity_keyframes: U32::new(2),
        size_keyframes: U32::new(1),
        size_random: F32::new(0.5),
        ..EmitterProperties::default()
    };
    let key = |time: f32, value: f32| EmitterKey { time: F32::new(time), value: F32::new(value) };
    let color = EmitterColorKey { time: F32::new(0.0), color: Rgba { r: 255, g: 0, b: 0, a: 0 } };
    let body = [
        props.as_bytes(),
        color.as_bytes(),
        [key(0.0, 1.0), key(4.0, 0.0)].as_bytes(),
        key(0.0, 7.0).as_bytes(),
    ]
    .concat();
    let rotation = EmitterRotationHeader {
        keyframe_count: U32::new(0),
        random: F32::new(0.25),
        ..EmitterRotationHeader::default()
    };
    let scene = clean([branch(
        &EMITTER,
        [
            record(&EMITTER_HEADER, &EmitterHeader { version: Version::new(2, 0), name: name("SMOKE") }),
            record(&EMITTER_INFO, &info),
            record(&EMITTER_INFOV2, &info2),
            w3d::build::bytes(&EMITTER_PROPS, body),
            w3d::build::bytes(
                &EMITTER_ROTATION_KEYFRAMES,
                [rotation.as_bytes(), key(0.0, 0.5).as_bytes()].concat(),
            ),
        ],
    )]);
    assert_eq!(scene.emitters[0].name, "SMOKE");
    let EmitterKind::Keyed(emitter) = &scene.emitters[0].kind else { panic!() };
    assert_eq!(scene.textures[emitter.texture.unwrap().index()].name, "smoke.tga");
    assert_eq!((emitter.velocity, emitter.burst_size), (Vec3::new(0.0, 2.0, 0.0), 3));
    assert_eq!(emitter.creation_volume, Volume::Box(Vec3::new(1.0, 3.0, 2.0)));
    assert_eq!(emitter.velocity_random, Volume::Sphere { radius: 5.0, hollow: true });
    assert_eq!(emitter.color.keys, [(0.0, Vec4::new(1.0, 0.0, 0.0, 0.0))]);
    assert_eq!(emitter.opacity.keys, [(0.0, 1.0), (4.0, 0.0)]);
    assert_eq!((emitter.size.keys.as_slice(), emitter.size.random), (&[(0.0, 7.0)][..], 0.5));
    assert_eq!((emitter.rotation.keys.as_slice(), emitter.rotation.random), (&[(0.0, 0.5)][..], 0.25));
    assert_eq!(emitter.render, scene::ParticleRender::Quad);
}

#[test]
fn particles_live_for_a_second_at_least_and_start_in_a_cylinder_along_x() {
    let emitter = |life: f32| {
        let info = EmitterInfo { lifetime: F32::new(life), ..EmitterInfo::default() };
        let volume = VolumeRandomizer {
            class_id: VolumeClass::SOLID_CYLINDER,
            value1: F32::new(2.0),
            value2: F32::new(3.0),
            ..VolumeRandomizer::default()
        };
        let info2 = EmitterInfo2 { creation_volume: volume, ..EmitterInfo2::default() };
        let chunks = [record(&EMITTER_INFO, &info), record(&EMITTER_INFOV2, &info2)];
        let scene = clean([branch(&EMITTER, chunks)]);
        let EmitterKind::Keyed(emitter) = &scene.emitters[0].kind else { panic!() };
        (emitter.life_time, emitter.creation_volume)
    };
    assert_eq!([0.0, -1.0, 0.5].map(|life| emitter(life).0), [1.0, 1.0, 0.5]);
    assert_eq!(emitter(1.0).1, Volume::Cylinder { half_length: 2.0, radius: 3.0 });
}

#[test]
fn spheres_and_rings_have_keys_or_defaults() {
    let sphere = SphereDef {
        attributes: SphereFlags::LOOPING | SphereFlags::ALPHA_VECTOR,
        name: name("BLAST"),
        extent: record::Vec3::new(1.0, 2.0, 3.0),
        anim_duration: F32::new(2.0),
        default_alpha: F32::new(0.5),
        default_vector: AlphaVector { angle: Quaternion::new(0.0, 0.0, 0.0, 1.0), intensity: F32::new(4.0) },
        ..SphereDef::default()
    };
    let ring = RingDef {
        attributes: RingFlags::CAMERA_ALIGNED,
        name: name("WAVE"),
        inner_extent: record::Vec2::new(1.0, 2.0),
        texture_tile_count: I32::new(5),
        ..RingDef::default()
    };
    use w3d::table::channel::{vec2, vec3};
    let key = |value: [f32; 3], time: f32| Vec3Key { value: record::Vec3::from(value), time: F32::new(time) };
    let wide = Vec2Key { value: record::Vec2::new(3.0, 4.0), time: F32::new(0.5) };
    let scene = clean([
        branch(
            &SPHERE,
            [
                record(&sphere::SPHERE_DEF, &sphere),
                branch(
                    &sphere::COLOR_CHANNEL,
                    [branch(
                        &vec3::VARIABLES,
                        [
                            record(&vec3::keys::KEY, &key([1.0, 0.5, 0.25], 0.0)),
                            record(&vec3::keys::KEY, &key([0.0, 0.0, 1.0], 1.0)),
                        ],
                    )],
                ),
            ],
        ),
        branch(
            &RING,
            [
                record(&ring::RING_DEF, &ring),
                branch(
                    &ring::OUTER_SCALE_CHANNEL,
                    [branch(&vec2::VARIABLES, [record(&vec2::keys::KEY, &wide)])],
                ),
            ],
        ),
    ]);
    let [blast, wave] = &scene.primitives[..] else { panic!() };
    assert_eq!((blast.name.as_str(), blast.looping, blast.duration), ("BLAST", true, 2.0));
    assert_eq!(blast.extent, Vec3::new(1.0, 3.0, 2.0));
    assert_eq!(blast.color.keys, [(0.0, Vec3::new(1.0, 0.5, 0.25)), (1.0, Vec3::Z)]);
    assert_eq!(blast.alpha.keys, [(0.0, 0.5)]);
    let PrimitiveForm::Sphere { vector, .. } = &blast.form else { panic!() };
    assert_eq!(vector[0].2, 4.0);
    assert!(wave.aligned && !wave.looping);
    let PrimitiveForm::Ring { outer_scale, inner_extent, tiles, .. } = &wave.form else { panic!() };
    assert_eq!(outer_scale.keys, [(0.5, Vec2::new(3.0, 4.0))]);
    assert_eq!((*inner_extent, *tiles), (Vec2::new(1.0, 2.0), 5));
}
