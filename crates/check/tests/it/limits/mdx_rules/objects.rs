//! Lights, emitters, events, cameras and collision shapes.

use super::*;

#[test]
fn lights() {
    let light = |start: f32, end: f32| {
        changing::<LightColor>("LITE/Light/LightColor", move |light| {
            light.attenuation_start.set(start);
            light.attenuation_end.set(end);
        })
    };
    classic_case("MDX-LITE-001", light(80.0, 200.0), 0);
    classic_case("MDX-LITE-001", light(79.5, 200.0), 1);
    classic_case("MDX-LITE-001", light(80.0, 200.5), 1);
    classic_case("MDX-LITE-001", light(100.0, 100.0), 1);
    classic_case("MDX-LITE-001", light(100.0, 100.5), 0);
    classic_case("MDX-LITE-001", light(f32::NAN, 100.0), 1);
}

const EMITTER: &str = "PRE2/ParticleEmitter2/ParticleEmitter2Header";

fn emitter(change: impl FnOnce(&mut ParticleEmitter2Header)) -> impl FnOnce(&mut Document<'static>) {
    move |file| set::<ParticleEmitter2Header>(file, EMITTER, change)
}

#[test]
fn emitters() {
    for (id, replaceable, expected) in [(1, 0, 0), (2, 0, 1), (-1, 0, 1), (2, 1, 0)] {
        classic_case(
            "MDX-PRE2-001",
            emitter(|it| {
                it.texture_id.set(id);
                it.replaceable_id.set(replaceable);
            }),
            expected,
        );
    }
    classic_case("MDX-PRE2-002", emitter(|it| it.filter_mode = ParticleFilterMode::new(4)), 0);
    classic_case("MDX-PRE2-002", emitter(|it| it.filter_mode = ParticleFilterMode::new(5)), 1);
    classic_case("MDX-PRE2-002", emitter(|it| it.replaceable_id.set(37)), 0);
    classic_case("MDX-PRE2-002", emitter(|it| it.replaceable_id.set(38)), 1);
    for (time, right) in [(0.0, true), (1.0, true), (0.5, true), (-0.01, false), (1.01, false)] {
        let mut file = classic();
        emitter(|it| it.time.set(time))(&mut file);
        assert_eq!(count(&file, CLASSIC, "MDX-PRE2-004") == 0, right, "{time}");
    }
    // NaN is one finding: the number is invalid, so its range says nothing.
    classic_case("MDX-MODEL-008", emitter(|it| it.time.set(f32::NAN)), 1);
    classic_case("MDX-PRE2-004", emitter(|it| it.time.set(f32::NAN)), 0);
    for (rows, columns, right) in
        [(1, 1, true), (2, 4, true), (0, 1, false), (1, 0, false), (3, 1, false), (1, 6, false)]
    {
        let mut file = classic();
        emitter(|it| {
            it.rows.set(rows);
            it.columns.set(columns);
        })(&mut file);
        assert_eq!(count(&file, CLASSIC, "MDX-PRE2-006") == 0, right, "{rows} {columns}");
    }
    classic_case("MDX-PRE2-007", emitter(|it| it.life_span.set(0.0)), 1);
    classic_case("MDX-PRE2-007", emitter(|it| it.life_span.set(0.5)), 0);
    classic_case("MDX-PRE2-007", emitter(|it| it.life_span.set(-0.5)), 1);
    for (alphas, faint) in [([3, 3, 3], true), ([4, 0, 0], false), ([0, 4, 0], false), ([0, 0, 4], false)] {
        let mut file = classic();
        emitter(|it| it.segment_alphas = alphas)(&mut file);
        assert_eq!(count(&file, CLASSIC, "MDX-PRE2-008") > 0, faint, "{alphas:?}");
    }
    for (material, expected) in [(0, 0), (1, 1), (-1, 1)] {
        classic_case(
            "MDX-RIBB-001",
            |file| {
                set::<RibbonEmitterHeader>(file, "RIBB/RibbonEmitter/RibbonEmitterHeader", |header| {
                    header.material_id.set(material);
                });
            },
            expected,
        );
    }
    // Emitters need a sequence.
    classic_case("MDX-PRE2-009", sequences(&[]), 1);
    classic_case("MDX-PRE2-009", sequences(&[("Stand", 0, 1)]), 0);
}

#[test]
fn flat_and_squirting_particles() {
    let flat = |flags: NodeFlags, speed: f32, latitude: f32| {
        move |file: &mut Document<'static>| {
            set::<NodeHeader>(file, "PRE2/ParticleEmitter2/Node/NodeHeader", |header| header.flags = flags);
            set::<ParticleEmitter2Header>(file, EMITTER, |it| {
                it.speed.set(speed);
                it.latitude.set(latitude);
            });
        }
    };
    let (plain, quad) = (NodeFlags::PARTICLE_EMITTER, NodeFlags::PARTICLE_EMITTER | NodeFlags::XY_QUAD);
    classic_case("MDX-PRE2-003", flat(quad, 1.0, 1.0), 0);
    classic_case("MDX-PRE2-003", flat(quad, 0.0, 1.0), 1);
    classic_case("MDX-PRE2-003", flat(quad, 1.0, 0.0), 1);
    classic_case("MDX-PRE2-003", flat(plain, 0.0, 0.0), 0);
    for (squirt, track, expected) in [(1, false, 1), (1, true, 0), (0, false, 0), (0, true, 0)] {
        classic_case(
            "MDX-PRE2-005",
            |file| {
                set::<ParticleEmitter2Header>(file, EMITTER, |it| it.squirt.set(squirt));
                children(file, "PRE2/ParticleEmitter2").retain(|part| track || part.id != tags::KP2E);
            },
            expected,
        );
    }
}

#[test]
fn events() {
    let times = |times: &'static [i32]| {
        move |file: &mut Document<'static>| {
            let times: Vec<I32> = times.iter().map(|time| I32::new(*time)).collect();
            node(file, "EVTS/EventObject/KEVT").set_values(&times);
        }
    };
    classic_case("MDX-EVTS-003", times(&[0, 1]), 0);
    classic_case("MDX-EVTS-003", times(&[1, 1]), 1);
    classic_case("MDX-EVTS-003", times(&[0, 5, 4]), 1);
    classic_case("MDX-EVTS-004", times(&[1000, 5000]), 0);
    classic_case("MDX-EVTS-004", times(&[1001, 1332]), 1);
    classic_case("MDX-EVTS-004", times(&[1333]), 0);
    classic_case("MDX-EVTS-004", times(&[2334]), 1);
    classic_case("MDX-EVTS-004", times(&[]), 0);
    classic_case("MDX-EVTS-001", times(&[]), 1);
    classic_case("MDX-EVTS-001", times(&[7]), 0);
    // With a global sequence it happens at any time.
    classic_case(
        "MDX-EVTS-004",
        |file| {
            *node(file, "EVTS/EventObject/KEVT") =
                mdx::build::event_track(tags::KEVT, 0, &[9999]).expect("a track");
        },
        0,
    );
    for (name, known) in [
        ("SNDxABCD", true),
        ("spnxabcd", true),
        ("SPL1ABCD", true),
        ("FPTxABCD", true),
        ("UBRxABCD", true),
        ("SNDxABC", false),
        ("SNDxABCDE", false),
        ("XYZxABCD", false),
        ("", false),
    ] {
        let mut file = classic();
        set::<NodeHeader>(&mut file, "EVTS/EventObject/Node/NodeHeader", |header| header.name = chars(name));
        assert_eq!(findings(&file, CLASSIC, "MDX-EVTS-002").is_empty(), known, "{name}");
    }
}

#[test]
fn cameras() {
    let camera = |near: f32, far: f32, view: f32| {
        changing::<CameraHeader>("CAMS/Camera/CameraHeader", move |camera| {
            camera.near_clip.set(near);
            camera.far_clip.set(far);
            camera.field_of_view.set(view);
        })
    };
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 0.75), 0);
    classic_case("MDX-CAMS-001", camera(0.0, 9.0, 0.75), 0);
    classic_case("MDX-CAMS-001", camera(-0.5, 9.0, 0.75), 1);
    classic_case("MDX-CAMS-001", camera(8.0, 8.0, 0.75), 1);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 0.0), 1);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 0.01), 0);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 3.15), 0);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 3.2), 1);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 3.3), 1);
    // From (100, 0, 50) to (0, 0, 8): the root of 10000 + 1764 is 108.46.
    let found = |near: f32, far: f32| {
        let mut file = classic();
        camera(near, far, 0.75)(&mut file);
        !findings(&file, CLASSIC, "MDX-CAMS-003").is_empty()
    };
    assert!(!found(108.0, 109.0) && found(108.0, 108.4) && found(108.5, 109.0));
    assert!(!found(9.0, 9.0), "another rule reports invalid planes");
    classic_case("MDX-CAMS-004", |file| children(file, "GEOS").clear(), 1);
    classic_case("MDX-CAMS-004", |_| {}, 0);
    classic_case("MDX-CAMS-002", |_| {}, 1);
    classic_case("MDX-CAMS-002", sequences(&[("Stand Portrait", 0, 1)]), 0);
}

#[test]
fn shapes() {
    for axis in 0..3 {
        for (low, expected) in [(1.0, 0), (1.1, 1)] {
            let mut file = classic();
            set::<ShapeBox>(&mut file, "CLID/CollisionShape/ShapeBox", |shape| {
                let (mut corner, other) = ([0.0; 3], [1.0; 3]);
                corner[axis] = low;
                (shape.minimum, shape.maximum) = (corner.into(), other.into());
            });
            assert_eq!(findings(&file, CLASSIC, "MDX-CLID-001").len(), expected, "{axis} {low}");
        }
    }
    for (radius, right) in [(0.5, true), (0.0, false), (-1.0, false)] {
        let mut file = classic();
        set::<ShapeSphere>(&mut file, "CLID/CollisionShape[1]/ShapeSphere", |shape| shape.radius.set(radius));
        assert_eq!(findings(&file, CLASSIC, "MDX-CLID-001").is_empty(), right, "a sphere of {radius}");
        let mut file = classic();
        let parts = children(&mut file, "CLID/CollisionShape[1]");
        parts.retain(|part| !part.is(kinds::SHAPE_SPHERE.row));
        let cylinder = ShapeCylinder { radius: F32::new(radius), ..ShapeCylinder::default() };
        parts.push(mdx::build::part(&cylinder));
        assert_eq!(findings(&file, CLASSIC, "MDX-CLID-001").is_empty(), right, "a cylinder of {radius}");
    }
}

#[test]
fn files_of_objects() {
    let attached = |path: &'static str| {
        changing::<AttachmentHeader>("ATCH/Attachment/AttachmentHeader", move |header| {
            header.path = chars(path);
        })
    };
    for (path, right) in [("", true), ("a.mdl", true), ("a.MDX", true), ("a.blp", false), ("a", false)] {
        let mut file = classic();
        attached(path)(&mut file);
        assert_eq!(findings(&file, CLASSIC, "MDX-ATCH-001").is_empty(), right, "{path}");
    }
    for (path, right) in [("", false), ("a.mdl", true), ("a.blp", false)] {
        let mut file = classic();
        set::<ParticleEmitterHeader>(&mut file, "PREM/ParticleEmitter/ParticleEmitterHeader", |header| {
            header.path = chars(path);
        });
        assert_eq!(findings(&file, CLASSIC, "MDX-PREM-001").is_empty(), right, "{path}");
    }
    let around: [(&str, &[u8]); 2] = [("Particles/spark.mdx", b""), ("Units/sword.mdx", b"")];
    let missing = |path: &'static str| {
        let mut file = classic();
        attached(path)(&mut file);
        messages_with(&file, CLASSIC, "MDX-FILES-002", &around)
    };
    assert_eq!(missing(""), [""; 0]);
    // Free text is not a file name.
    assert_eq!(missing("my sword"), [""; 0]);
    assert_eq!(missing("Units\\sword.mdl"), [""; 0]);
    assert_eq!(missing("gone.mdl").len(), 1);
    assert!(missing("sword.mdl")[0].contains("sword"));
    classic_case("MDX-ATCH-002", |_| {}, 0);
    for (path, right) in [("", true), ("a.facefx", true), ("a.FaceFX_Ingame", true), ("a.txt", false)] {
        let mut file = sample("warcraft-1000");
        values::<FaceEffect>(&mut file, "FAFX", |effects| effects[0].path = chars(path));
        assert_eq!(findings(&file, HD, "MDX-FAFX-001").is_empty(), right, "{path}");
    }
}
