//! Lights, cameras, emitters, ribbons, attachments, events, shapes.

use glam::Vec3;
use mdx::build::{self, Builder, LightParts};
use mdx::records::*;
use mdx::records::{Interpolation, LightKind};
use mdx::{Dialect, kinds, tags};
use meshwright_convert::mdx::NoteKind;
use record::{F32, I32, Node, U32};
use scene::*;

use super::support::*;

fn node(builder: Builder, name: &str, flags: u32) -> Node<'static> {
    builder.node(&node_header(name, 0, -1, flags), vec![])
}

/// A model of one object of a chunk.
fn one(builder: Builder, chunk: &'static record::Kind, object: Node<'static>) -> Vec<Node<'static>> {
    vec![
        sequences(&[[0, 1000], [2000, 3000]]),
        builder.chunk(chunk, vec![object]),
        pivots(&[[1.0, 2.0, 3.0]]),
    ]
}

fn value(scene: &Scene, target: Target, clip: u32, time: f32) -> Option<Value> {
    scene.value(target, &Moment { clip: Some(ClipId(clip)), time, ..Moment::default() })
}

#[test]
fn cameras() {
    let header = CameraHeader {
        name: chars("Portrait"),
        position: record::Vec3::new(100.0, 10.0, 50.0),
        field_of_view: F32::new(0.75),
        far_clip: F32::new(1000.0),
        near_clip: F32::new(8.0),
    };
    let sway = vector_keys(&[(0, [0.0; 3]), (1000, [0.0, 4.0, 2.0])]);
    let parts = vec![
        build::part(&header),
        build::part(&CameraTarget { position: record::Vec3::new(1.0, 2.0, 3.0) }),
        build::track(tags::KCTR, Interpolation::LINEAR, -1, &sway).unwrap(),
        build::track(tags::KCRL, Interpolation::LINEAR, -1, &scalar_keys(&[(0, 0.0), (1000, 1.0)])).unwrap(),
        build::track(tags::KTTR, Interpolation::LINEAR, -1, &sway).unwrap(),
    ];
    let camera = build::branch(&kinds::CAMERA, parts);
    let builder = warcraft();
    let scene =
        convert_clean(builder, vec![sequences(&[[0, 1000]]), builder.chunk(&kinds::CAMS, vec![camera])]);
    assert_eq!(
        scene.cameras,
        [Camera {
            name: "Portrait".into(),
            node: None,
            position: Vec3::new(100.0, 50.0, -10.0),
            target: Vec3::new(1.0, 3.0, -2.0),
            field_of_view: 0.75,
            near: 8.0,
            far: 1000.0,
        }]
    );
    let at = |property| value(&scene, Target::Camera(CameraId(0), property), 0, 0.5);
    let half = Some(Value::Vector(Vec3::new(0.0, 1.0, -2.0)));
    assert_eq!(at(CameraProperty::Translation), half);
    assert_eq!(at(CameraProperty::TargetTranslation), half);
    assert_eq!(at(CameraProperty::Roll), Some(Value::Scalar(0.5)));
}

#[test]
fn lights() {
    let builder = Builder::new(Dialect::Warcraft, 1800);
    let light = LightParts {
        kind: LightKind { kind: LightType::DIRECTIONAL },
        shadow_casting: LightShadowCasting { shadow_casting: U32::new(1) },
        color: LightColor {
            attenuation_start: F32::new(80.0),
            attenuation_end: F32::new(200.0),
            color: record::Vec3::new(1.0, 0.75, 0.5),
            intensity: F32::new(10.0),
        },
        ambient: LightAmbient { color: record::Vec3::new(0.1, 0.2, 0.3), intensity: F32::new(2.0) },
        ..LightParts::default()
    };
    // On disk blue, green, red.
    let tint = vector_keys(&[(0, [0.25, 0.5, 1.0])]);
    let tracks = vec![
        build::track(tags::KLAC, Interpolation::LINEAR, -1, &tint).unwrap(),
        // Visibility holds whatever its track says.
        build::track(tags::KLAV, Interpolation::LINEAR, -1, &scalar_keys(&[(0, 1.0), (1000, 0.0)])).unwrap(),
    ];
    let object = builder.light(node(builder, "Sun", 0x200), &light, tracks);
    let (scene, report) = convert(builder, one(builder, &kinds::LITE, object));
    let found = &scene.lights[0];
    assert_eq!((found.kind, found.attenuation), (scene::LightKind::Directional, Some([80.0, 200.0])));
    assert_eq!((found.color, found.intensity), (Vec3::new(1.0, 0.75, 0.5), 10.0));
    assert_eq!((found.ambient_color, found.ambient_intensity), (Vec3::new(0.1, 0.2, 0.3), 2.0));
    assert_eq!(found.shadow, Shadow { casts: true, ..Shadow::default() });
    assert_eq!(found.falloff, Falloff::default());
    // It shines down: against the up of the node that the file has.
    assert_eq!(report.of(NoteKind::Assumed).count(), 1);
    let world = scene.rest_worlds()[found.node.index()];
    assert_near(world.transform_vector3(-Vec3::Z), -Vec3::Y, 1e-6);
    assert_near(world.translation.into(), Vec3::new(1.0, 3.0, -2.0), 1e-6);
    let at = |property| value(&scene, Target::Light(LightId(0), property), 0, 0.5);
    assert_eq!(at(LightProperty::Color), Some(Value::Vector(Vec3::new(1.0, 0.5, 0.25))));
    assert_eq!(at(LightProperty::Visibility), Some(Value::Flag(true)));
}

#[test]
fn attachments() {
    let builder = warcraft();
    let header = AttachmentHeader { path: chars("Torch.mdl"), attachment_id: I32::new(4) };
    let show =
        build::track(tags::KATV, Interpolation::NONE, -1, &scalar_keys(&[(0, 0.0), (500, 1.0)])).unwrap();
    let object = builder.object(&kinds::ATTACHMENT, node(builder, "Hand Ref", 0x800), &header, vec![show]);
    let scene = convert_clean(builder, one(builder, &kinds::ATCH, object));
    assert_eq!(
        scene.attachments,
        [Attachment {
            path: "Torch.mdl".into(),
            number: Some(4),
            ..Attachment::new(NodeId(0), AttachmentKind::Point)
        }]
    );
    let shown = |clip, time| {
        Sampler::new(&scene).pose(&Moment { clip: Some(ClipId(clip)), time, ..Moment::default() }).visibility
            [0]
    };
    assert_eq!((shown(0, 0.25), shown(0, 0.75), shown(1, 0.5)), (0.0, 1.0, 1.0));
}

#[test]
fn events_happen_in_their_clips() {
    let builder = warcraft();
    let times = build::event_track(tags::KEVT, -1, &[2500, 250, 1500, 1000, 3000]).unwrap();
    let object = build::branch(&kinds::EVENT_OBJECT, vec![node(builder, "SNDxABCD", 0x400), times]);
    let scene = convert_clean(builder, one(builder, &kinds::EVTS, object));
    assert_eq!(scene.events, [Event { node: NodeId(0), name: "SNDxABCD".into(), global: None }]);
    let times = |clip: usize| scene.clips[clip].events.iter().map(|key| key.time).collect::<Vec<_>>();
    assert_eq!((times(0), times(1)), (vec![0.25, 1.0], vec![0.5, 1.0]));

    let times = build::event_track(tags::KEVT, 0, &[100, 300]).unwrap();
    let object = build::branch(&kinds::EVENT_OBJECT, vec![node(builder, "SNDxABCD", 0x400), times]);
    let mut chunks = one(builder, &kinds::EVTS, object);
    chunks.push(build::leaf(&kinds::GLBS, &words(&[500])));
    let scene = convert_clean(builder, chunks);
    assert_eq!(scene.events[0].global, Some((GlobalSequenceId(0), vec![0.1, 0.3])));
    assert!(scene.clips.iter().all(|clip| clip.events.is_empty()));
}

#[test]
fn collision_shapes_are_around_their_pivot() {
    let builder = warcraft();
    let shape = |kind, shape: Node<'static>| {
        let sort = build::part(&CollisionKind { kind });
        let object = build::branch(&kinds::COLLISION_SHAPE, vec![node(builder, "Body", 0x2000), sort, shape]);
        let scene = convert_clean(builder, one(builder, &kinds::CLID, object));
        assert_eq!(scene.nodes[0].rest.translation, Vec3::new(1.0, 3.0, -2.0));
        scene.collision_shapes[0].shape.clone()
    };
    let corners =
        ShapeBox { minimum: record::Vec3::new(-1.0, -2.0, -3.0), maximum: record::Vec3::new(4.0, 5.0, 6.0) };
    assert_eq!(
        shape(CollisionType::BOX, build::part(&corners)),
        scene::Shape::Box {
            min: Vec3::new(-1.0, -3.0, -5.0),
            max: Vec3::new(4.0, 6.0, 2.0),
            axis_aligned: false,
        }
    );
    let ball = ShapeSphere { center: record::Vec3::new(1.0, 2.0, 3.0), radius: F32::new(4.0) };
    assert_eq!(
        shape(CollisionType::SPHERE, build::part(&ball)),
        scene::Shape::Sphere { center: Vec3::new(1.0, 3.0, -2.0), radius: 4.0 }
    );
    let cylinder = ShapeCylinder {
        base: record::Vec3::new(0.0, 0.0, 0.0),
        top: record::Vec3::new(0.0, 1.0, 9.0),
        radius: F32::new(2.0),
    };
    assert_eq!(
        shape(CollisionType::CYLINDER, build::part(&cylinder)),
        scene::Shape::Cylinder { start: Vec3::ZERO, end: Vec3::new(0.0, 9.0, -1.0), radius: 2.0 }
    );
}

#[test]
fn sprite_emitters() {
    let builder = warcraft();
    let header = ParticleEmitter2Header {
        latitude: F32::new(30.0),
        length: F32::new(4.0),
        width: F32::new(8.0),
        filter_mode: ParticleFilterMode::ALPHA_KEY,
        particle_type: ParticleType::TAIL,
        segment_alphas: [255, 51, 0],
        texture_id: I32::new(-1),
        squirt: U32::new(1),
        replaceable_id: U32::new(2),
        ..ParticleEmitter2Header::default()
    };
    let angle = build::track(tags::KP2L, Interpolation::LINEAR, -1, &scalar_keys(&[(0, 20.0)])).unwrap();
    let flags = 0x1000 | 0x8000 | 0x20000 | 0x80000;
    let object =
        builder.object(&kinds::PARTICLE_EMITTER_2, node(builder, "Smoke", flags), &header, vec![angle]);
    let scene = convert_clean(builder, one(builder, &kinds::PRE2, object));
    let EmitterKind::Sprite(sprite) = &scene.emitters[0].kind else { panic!("sprites") };
    assert_eq!((sprite.latitude, sprite.length, sprite.width), (30.0, 4.0, 8.0));
    assert_eq!((sprite.blend, sprite.alpha_reference), (BlendMode::Opaque, 192.0 / 255.0));
    assert_eq!((sprite.head, sprite.tail, sprite.squirt), (false, true, true));
    assert_eq!(sprite.alphas, [1.0, 0.2, 0.0]);
    assert_eq!((sprite.texture, sprite.replaceable), (None, Some(Replaceable::TEAM_GLOW)));
    assert_eq!(
        [sprite.unlit, sprite.sort_far, sprite.line, sprite.unfogged, sprite.model_space, sprite.flat],
        [true, false, true, false, true, false]
    );
    assert_eq!(sprite.area(), glam::Vec2::new(sprite.width, sprite.length));
    let latitude = Target::Emitter(EmitterId(0), EmitterProperty::Latitude);
    assert_eq!(value(&scene, latitude, 0, 0.5), Some(Value::Scalar(20.0)));
}

#[test]
fn sprite_emitters_of_the_wow_alpha_have_radians() {
    let builder = Builder::new(Dialect::Wow, 1300);
    let header = WowParticleEmitter2Header {
        emitter_size: U32::new(795),
        latitude: F32::new(std::f32::consts::FRAC_PI_2),
        longitude: F32::new(std::f32::consts::PI),
        texture_id: I32::new(-1),
        z_source: F32::new(6.0),
        drag: F32::new(1.0),
        width: F32::new(2.0),
        length: F32::new(3.0),
        wind: record::Vec3::new(1.0, 2.0, 3.0),
        wind_time: F32::new(0.5),
        tumble_y_min: F32::new(-1.0),
        tumble_y_max: F32::new(4.0),
        follow_speed_2: F32::new(7.0),
        follow_scale_2: F32::new(8.0),
        twinkle_scale_min: F32::new(0.25),
        twinkle_scale_max: F32::new(0.75),
        emitter_type: WowEmitterType::SPLINE,
        ..WowParticleEmitter2Header::default()
    };
    let parts = vec![
        node(builder, "Smoke", 0x800 | 0x800_0000),
        build::part(&header),
        build::leaf(&kinds::SPLINE, &[record::Vec3::new(0.0, 0.0, 1.0)]),
        build::part(&WowSquirt::default()),
        build::track(tags::KPLN, Interpolation::LINEAR, 0, &scalar_keys(&[(0, 1.0)])).unwrap(),
    ];
    let object = build::branch(&kinds::PARTICLE_EMITTER_2, parts);
    let (scene, report) = convert(
        builder,
        vec![
            build::leaf(&kinds::GLBS, &words(&[500])),
            builder.chunk(&kinds::PRE2, vec![object]),
            pivots(&[[0.0; 3]]),
        ],
    );
    let EmitterKind::Sprite(sprite) = &scene.emitters[0].kind else { panic!("sprites") };
    assert!((sprite.latitude - 90.0).abs() < 1e-4 && (sprite.longitude - 180.0).abs() < 1e-4);
    assert!(sprite.flat && sprite.z_source == 6.0);
    assert_eq!(report.notes, []);
    let wow = sprite.wow.as_ref().expect("of World of Warcraft");
    assert_eq!((&wow.shape, wow.drag, wow.wind_time), (&WowEmitterShape::Spline(vec![Vec3::Y]), 1.0, 0.5));
    // The file's (x, y, z) is (x, z, -y) here.
    assert_eq!(wow.wind, Vec3::new(1.0, 3.0, -2.0));
    assert_eq!((wow.tumble_min, wow.tumble_max), (Vec3::new(0.0, 0.0, -4.0), Vec3::new(0.0, 0.0, 1.0)));
    assert_eq!((wow.follow, wow.twinkle_scale), ([(0.0, 0.0), (7.0, 8.0)], [0.25, 0.75]));
    assert!(!wow.tumbles && !wow.follows);
    // Length along X.
    assert_eq!(sprite.area(), glam::Vec2::new(3.0, 2.0));
    let Curve::Scalar(track) = &scene.global_channels[0].channel.curve else { panic!("numbers") };
    assert_eq!(track.values, [1.0_f32.to_degrees()]);
}

#[test]
fn model_emitters_and_ribbons() {
    let builder = warcraft();
    let header = ParticleEmitterHeader {
        path: chars("spark.mdl"),
        speed: F32::new(20.0),
        ..ParticleEmitterHeader::default()
    };
    for (flags, is_picture) in [(0x9000, false), (0x11000, true)] {
        let object =
            builder.object(&kinds::PARTICLE_EMITTER, node(builder, "Sparks", flags), &header, vec![]);
        let scene = convert_clean(builder, one(builder, &kinds::PREM, object));
        let EmitterKind::Model(model) = &scene.emitters[0].kind else { panic!("models") };
        assert_eq!((model.path.as_str(), model.is_picture, model.speed), ("spark.mdl", is_picture, 20.0));
    }

    let header = RibbonEmitterHeader {
        height_above: F32::new(4.0),
        color: record::Vec3::new(0.25, 0.5, 1.0),
        emission_rate: U32::new(20),
        material_id: I32::new(0),
        ..RibbonEmitterHeader::default()
    };
    let tracks = vec![
        build::track(tags::KRTX, Interpolation::NONE, -1, &[(0, U32::new(3))]).unwrap(),
        build::track(tags::KRCO, Interpolation::LINEAR, -1, &vector_keys(&[(0, [0.1, 0.2, 0.3])])).unwrap(),
    ];
    let object = builder.object(&kinds::RIBBON_EMITTER, node(builder, "Trail", 0x4000), &header, tracks);
    let mut chunks = one(builder, &kinds::RIBB, object);
    chunks.push(plain_material(builder));
    let scene = convert_clean(builder, chunks);
    let ribbon = &scene.ribbons[0];
    assert_eq!(
        (ribbon.height_above, ribbon.emission_rate, ribbon.material),
        (4.0, 20.0, Some(MaterialId(0)))
    );
    assert_eq!(ribbon.color, Vec3::new(0.25, 0.5, 1.0));
    let at = |property| value(&scene, Target::Ribbon(RibbonId(0), property), 0, 0.5);
    assert_eq!(at(RibbonProperty::TextureSlot), Some(Value::Index(3)));
    assert_eq!(at(RibbonProperty::Color), Some(Value::Vector(Vec3::new(0.3, 0.2, 0.1))));
}

#[test]
fn tracks_of_ribbons_and_emitters_without_a_key_in_a_sequence() {
    let builder = warcraft();
    let late = |tag| build::track(tag, Interpolation::NONE, -1, &scalar_keys(&[(2000, 0.5)])).unwrap();
    let header = RibbonEmitterHeader { alpha: F32::new(0.75), ..RibbonEmitterHeader::default() };
    let tracks = vec![late(tags::KRAL), late(tags::KRHA), late(tags::KRHB), late(tags::KRVS)];
    let trail = builder.object(&kinds::RIBBON_EMITTER, node(builder, "Trail", 0x4000), &header, tracks);
    let header = ParticleEmitterHeader { emission_rate: F32::new(9.0), ..ParticleEmitterHeader::default() };
    let sparks = node(builder, "Sparks", 0x9000);
    let sparks = builder.object(&kinds::PARTICLE_EMITTER, sparks, &header, vec![late(tags::KPEE)]);
    let (scene, _) = convert(
        builder,
        vec![
            sequences(&[[0, 1000], [2000, 3000]]),
            plain_material(builder),
            builder.chunk(&kinds::RIBB, vec![trail]),
            builder.chunk(&kinds::PREM, vec![sparks]),
            pivots(&[[0.0; 3]; 2]),
        ],
    );
    let both = |target| [0, 1].map(|clip| value(&scene, target, clip, 0.5));
    let ribbon = |property| both(Target::Ribbon(RibbonId(0), property));
    let (zero, half) = (Some(Value::Scalar(0.0)), Some(Value::Scalar(0.5)));
    assert_eq!(ribbon(RibbonProperty::Alpha), [zero, half]);
    assert_eq!(ribbon(RibbonProperty::HeightAbove), [zero, half]);
    assert_eq!(ribbon(RibbonProperty::HeightBelow), [zero, half]);
    assert_eq!(ribbon(RibbonProperty::Visibility), [Some(Value::Flag(true)); 2]);
    assert_eq!(both(Target::Emitter(EmitterId(0), EmitterProperty::EmissionRate)), [zero, half]);
}
