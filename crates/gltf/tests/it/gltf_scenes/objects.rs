//! A scene of all that is not a mesh.

use super::{clip, motion::tangents, node, tetrahedron};
use glam::{Vec2, Vec3, Vec4};
use scene::*;
use std::f32::consts::PI;

/// All that hangs on nodes.
pub(crate) fn objects() -> Scene {
    let on = NodeId(1);
    let keyed = KeyedEmitter {
        color: LifeKeys { keys: vec![(0.0, Vec4::ONE), (1.0, Vec4::ZERO)], random: Vec4::ZERO },
        creation_volume: Volume::Sphere { radius: 2.0, hollow: true },
        user_data: Some((7, "tag".into())),
        ..KeyedEmitter::default()
    };
    let emitter =
        |name: &str, kind: EmitterKind| Emitter { node: on, name: name.into(), visible: true, kind };
    let spot = LightKind::Spot { inner: 0.3, outer: 0.6, exponent: 1.0 };
    let ring = PrimitiveForm::Ring {
        inner_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        outer_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        inner_extent: Vec2::ONE,
        outer_extent: Vec2::splat(2.0),
        tiles: 3,
    };
    let camera = |property: CameraProperty, curve: Curve| Channel {
        target: Target::Camera(CameraId(0), property),
        curve,
    };
    Scene {
        name: "Workshop".into(),
        nodes: vec![
            node("Root", None, [0.0; 3]),
            Node {
                billboard: Billboard::Facing,
                camera_anchored: true,
                ..node("Hook", Some(0), [0.0, 1.0, 0.0])
            },
        ],
        meshes: vec![tetrahedron("Body", 0)],
        lights: vec![
            Light {
                color: Vec3::new(2.0, 1.0, 0.5),
                attenuation: Some([1.0, 8.0]),
                ..Light::new(on, LightKind::Point)
            },
            Light::new(on, LightKind::Directional),
            Light::new(on, LightKind::Ambient),
            Light { pulse: Some(Pulse::default()), ..Light::new(NodeId(0), spot) },
            Light::new(NodeId(77), LightKind::Point),
        ],
        cameras: vec![
            Camera {
                name: "Portrait".into(),
                position: Vec3::new(0.0, 1.0, 5.0),
                target: Vec3::Y,
                field_of_view: 0.8,
                near: 0.1,
                far: 100.0,
                node: None,
            },
            Camera { name: "Broken".into(), node: Some(on), ..Camera::default() },
        ],
        emitters: vec![
            emitter(
                "Model",
                EmitterKind::Model(ModelEmitter { path: "rock.mdl".into(), ..ModelEmitter::default() }),
            ),
            emitter(
                "Sprite",
                EmitterKind::Sprite(Box::new(SpriteEmitter {
                    rows: 4,
                    head_life: FrameRange { start: 1, end: 2, repeat: 3 },
                    ..SpriteEmitter::default()
                })),
            ),
            emitter("Effect", EmitterKind::Effect(EffectEmitter::default())),
            emitter("Keyed", EmitterKind::Keyed(Box::new(keyed))),
        ],
        ribbons: vec![Ribbon { material: Some(MaterialId(0)), ..Ribbon::new(on) }],
        materials: vec![Material { name: "Stripe".into(), ..Material::default() }],
        primitives: vec![Primitive {
            name: "Wave".into(),
            node: on,
            center: Vec3::ZERO,
            extent: Vec3::ONE,
            duration: 1.0,
            looping: true,
            aligned: false,
            texture: None,
            layer: Layer::default(),
            color: LifeKeys::default(),
            alpha: LifeKeys::default(),
            form: ring,
        }],
        attachments: vec![
            Attachment {
                path: "sword.mdx".into(),
                number: Some(3),
                ..Attachment::new(on, AttachmentKind::Point)
            },
            Attachment::new(NodeId(0), AttachmentKind::Proxy),
        ],
        events: vec![Event { node: on, name: "SNDxFOOT".into(), global: None }],
        collision_shapes: vec![
            CollisionShape {
                name: "Box".into(),
                node: on,
                shape: Shape::Box { min: Vec3::NEG_ONE, max: Vec3::ONE, axis_aligned: true },
                mask: CollisionMask::PHYSICAL,
            },
            CollisionShape {
                name: "Ball".into(),
                node: on,
                shape: Shape::Sphere { center: Vec3::ZERO, radius: 2.0 },
                mask: CollisionMask::NONE,
            },
        ],
        dazzles: vec![Dazzle { node: on, name: "Sun".into(), kind: "SUN".into() }],
        sounds: vec![Sound::new(on, "hum.wav")],
        clips: vec![Clip {
            events: vec![EventKey { time: 0.5, event: EventId(0) }],
            looping: true,
            frame_rate: Some(30.0),
            bounds: Bounds::around([Vec3::ZERO, Vec3::ONE]),
            ..clip(
                "Run",
                1.0,
                vec![
                    camera(
                        CameraProperty::Translation,
                        Curve::Vector(Track::new(
                            Interpolation::Linear,
                            [(0.0, Vec3::ZERO), (1.0, Vec3::X * 5.0)],
                        )),
                    ),
                    camera(
                        CameraProperty::Roll,
                        Curve::Scalar(Track::new(Interpolation::Linear, [(0.0, 0.0), (1.0, PI)])),
                    ),
                    Channel {
                        target: Target::Emitter(EmitterId(1), EmitterProperty::EmissionRate),
                        curve: Curve::Scalar(
                            Track::new(Interpolation::Hermite, [(0.0, 1.0), (1.0, 20.0)])
                                .with_tangents(tangents(&[(0.0, 1.0), (2.0, 3.0)])),
                        ),
                    },
                    Channel {
                        target: Target::Light(LightId(0), LightProperty::Intensity),
                        curve: Curve::Scalar(Track::new(Interpolation::Linear, [(0.0, 1.0), (1.0, 0.0)])),
                    },
                ],
            )
        }],
        global_sequences: vec![GlobalSequence { duration: 1.0 }],
        blend_time: 0.15,
        ..Scene::default()
    }
}
