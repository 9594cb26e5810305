//! The rules of MDX at their limits: the last that is right and the first that is wrong, one cause at a time.

mod limits_common;

use limits_common::{case, children, findings, messages_with, node, place, set, told, values};
use mdx::records::*;
use mdx::{kinds, tags};
use meshwright_check::{Document, Game};
use record::{Chars, F32, I32, Node, Quaternion, U16, U32, Vec3};

const CLASSIC: Game = Game::Wc3Classic;
const HD: Game = Game::Wc3Reforged;
const WOW: Game = Game::WowAlpha;

fn sample(name: &str) -> Document<'static> {
    let (_, bytes) = mdx::build::samples().into_iter().find(|(each, _)| *each == name).expect("a sample");
    Document::parse(&bytes).expect("a sample").into_owned()
}

fn classic() -> Document<'static> {
    sample("warcraft-800")
}

fn chars<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("short")
}

/// Compares what a rule finds in the classic sample after a change.
#[track_caller]
fn classic_case(code: &str, change: impl FnOnce(&mut Document<'static>), expected: &[&str]) {
    case(code, CLASSIC, classic(), change, expected);
}

const GEOSET: &str = "GEOS/Geoset";

/// Gives the geoset other vertices and faces.
fn shape(file: &mut Document<'static>, vertices: &[[f32; 3]], faces: &[u16]) {
    let vertices: Vec<Vec3> = vertices.iter().map(|vertex| Vec3::from(*vertex)).collect();
    node(file, "GEOS/Geoset/VRTX").set_values(&vertices);
    let faces: Vec<U16> = faces.iter().map(|index| U16::new(*index)).collect();
    node(file, "GEOS/Geoset/PVTX").set_values(&faces);
}

#[test]
fn references_of_geosets() {
    let material = |id: u32| {
        move |file: &mut Document<'static>| {
            set::<GeosetHeader>(file, "GEOS/Geoset/GeosetHeader", |header| header.material_id.set(id));
        }
    };
    classic_case("MDX-GEO-001", material(0), &[]);
    classic_case("MDX-GEO-001", material(1), &["found"]);
    classic_case("MDX-GEO-001", material(u32::MAX), &["found"]);
    let index = |index: u16| {
        move |file: &mut Document<'static>| {
            values::<U16>(file, "GEOS/Geoset/PVTX", |faces| faces[3].set(index));
        }
    };
    classic_case("MDX-GEO-006", index(3), &[]);
    classic_case("MDX-GEO-006", index(4), &["found"]);
}

#[test]
fn sizes_of_geosets() {
    let vertices = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "GEOS/Geoset/VRTX").set_values(&vec![Vec3::default(); count]);
        }
    };
    classic_case("MDX-GEO-002", vertices(7432), &[]);
    classic_case("MDX-GEO-002", vertices(7433), &["found"]);
    // High definition has no such limit.
    case(
        "MDX-GEO-002",
        HD,
        sample("warcraft-1000"),
        |file| {
            node(file, "GEOS/Geoset[1]/VRTX").set_values(&vec![Vec3::default(); 7433]);
        },
        &[],
    );
    classic_case("MDX-GEO-003", vertices(1), &[]);
    classic_case("MDX-GEO-003", vertices(0), &["found"]);
    classic_case("MDX-GEO-003", |file| shape(file, &[[0.0; 3]; 4], &[]), &["found"]);
    let triangles = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "GEOS/Geoset/PVTX").set_values(&[0, 1, 2].map(U16::new).repeat(count));
        }
    };
    classic_case("MDX-MODEL-009", triangles(20_000), &[]);
    classic_case("MDX-MODEL-009", triangles(20_001), &["found"]);
    let extents = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "GEOS/Geoset/Extents").set_values(&vec![Extent::default(); count]);
        }
    };
    classic_case("MDX-GEO-004", extents(2), &[]);
    classic_case("MDX-GEO-004", extents(3), &["found"]);
    classic_case("MDX-GEO-004", extents(1), &["found"]);
}

#[test]
fn arrays_of_geosets_have_one_element_per_vertex() {
    classic_case(
        "MDX-GEO-005",
        |file| {
            node(file, "GEOS/Geoset/NRMS").set_values(&[Vec3::default(); 3]);
        },
        &["found"],
    );
    classic_case(
        "MDX-GEO-005",
        |file| {
            node(file, "GEOS/Geoset/UVAS/UVBS").set_values(&[record::Vec2::default(); 5]);
        },
        &["found"],
    );
    case(
        "MDX-GEO-005",
        HD,
        sample("warcraft-1000"),
        |file| {
            node(file, "GEOS/Geoset[1]/TANG").set_values(&[record::Vec4::default(); 3]);
        },
        &["found"],
    );
    case("MDX-GEO-005", HD, sample("warcraft-1000"), |_| {}, &[]);
    // Batches hold all of a vertex in one record.
    case("MDX-GEO-005", WOW, sample("wow-1500"), |_| {}, &[]);
}

#[test]
fn groups_of_faces_are_whole_triangles() {
    let counts = |groups: &'static [u32]| {
        move |file: &mut Document<'static>| {
            let groups: Vec<U32> = groups.iter().map(|count| U32::new(*count)).collect();
            node(file, "GEOS/Geoset/PCNT").set_values(&groups);
            node(file, "GEOS/Geoset/PTYP").set_values(&vec![FaceType::TRIANGLES; groups.len()]);
        }
    };
    classic_case("MDX-GEO-007", counts(&[6]), &[]);
    classic_case("MDX-GEO-007", counts(&[3, 3]), &[]);
    classic_case("MDX-GEO-007", counts(&[2, 4]), &["found"]);
    classic_case("MDX-GEO-007", counts(&[3]), &["found"]);
    classic_case("MDX-GEO-007", counts(&[3, 6]), &["found"]);
    classic_case(
        "MDX-GEO-007",
        |file| values::<FaceType>(file, "GEOS/Geoset/PTYP", |types| types[0] = FaceType::new(2)),
        &["found"],
    );
}

/// Without what moves it.
fn still() -> Document<'static> {
    fn settle(node: &mut Node<'static>) {
        if let Some(children) = node.children_mut() {
            children.retain(|child| !matches!(child.id, tags::KGTR | tags::KGRT | tags::KGSC));
            children.iter_mut().for_each(settle);
        }
    }
    let mut file = classic();
    settle(file.root_mut());
    file
}

fn bounded(low: [f32; 3], high: [f32; 3], vertex: [f32; 3]) -> impl FnOnce(&mut Document<'static>) {
    move |file| {
        set::<GeosetBounds>(file, "GEOS/Geoset/GeosetBounds", |bounds| {
            (bounds.extent.minimum, bounds.extent.maximum) = (low.into(), high.into());
        });
        node(file, "GEOS/Geoset/VRTX").set_values(&[Vec3::from(vertex); 4]);
    }
}

/// Vertices may be outside by a hundredth of the size, which is at least one.
#[test]
fn extents_enclose_vertices_but_for_rounding() {
    let outside = |low: [f32; 3], high: [f32; 3], vertex: [f32; 3]| {
        let mut file = still();
        bounded(low, high, vertex)(&mut file);
        !told(&file, CLASSIC, "MDX-GEO-008").is_empty()
    };
    let (low, high) = ([-10.0, -10.0, -10.0], [10.0, 10.0, 10.0]);
    for axis in 0..3 {
        for (at, found) in [(10.09, false), (10.11, true), (-10.09, false), (-10.11, true), (0.0, false)] {
            let mut vertex = [0.0; 3];
            vertex[axis] = at;
            assert_eq!(outside(low, high, vertex), found, "{vertex:?}");
        }
        // The size is that of the longest axis, whichever it is.
        let (mut low, mut high) = ([-1.0; 3], [1.0; 3]);
        (low[axis], high[axis]) = (-100.0, 100.0);
        for (at, found) in [(1.9, false), (2.1, true)] {
            let mut vertex = [0.0; 3];
            vertex[(axis + 1) % 3] = at;
            assert_eq!(outside(low, high, vertex), found, "{vertex:?} in {high:?}");
        }
    }
    // Exactly at the limit, computed as the rule does.
    let edge = 10.0 * 1e-2_f32;
    assert!(!outside(low, high, [10.0 + edge, 0.0, 0.0]) && !outside(low, high, [-10.0 - edge, 0.0, 0.0]));
    // A small one is allowed a hundredth.
    let (low, high) = ([-0.1; 3], [0.1; 3]);
    assert!(!outside(low, high, [0.109, 0.0, 0.0]) && outside(low, high, [0.115, 0.0, 0.0]));
}

#[test]
fn extents_are_not_compared_where_something_moves_or_nothing_is_there() {
    let wrong = || bounded([-1.0; 3], [1.0; 3], [9.0; 3]);
    case("MDX-GEO-008", CLASSIC, still(), wrong(), &["found"]);
    for tag in [tags::KGTR, tags::KGRT, tags::KGSC] {
        let mut file = still();
        wrong()(&mut file);
        let track = match tag {
            tags::KGRT => {
                let keys = [(0, Quaternion::new(0.0, 0.0, 0.0, 1.0))];
                mdx::build::track(tag, Interpolation::LINEAR, -1, &keys)
            }
            _ => mdx::build::track(tag, Interpolation::LINEAR, -1, &[(0, Vec3::new(1.0, 1.0, 1.0))]),
        };
        children(&mut file, "BONE/Bone/Node").push(track.expect("a track"));
        assert_eq!(told(&file, CLASSIC, "MDX-GEO-008"), [""; 0]);
    }
    let huge = [f32::MAX; 3];
    case("MDX-GEO-008", CLASSIC, still(), bounded(huge, huge.map(|part| -part), [9.0; 3]), &[]);
    case(
        "MDX-GEO-008",
        CLASSIC,
        still(),
        |file| {
            wrong()(file);
            node(file, "GEOS/Geoset/VRTX").set_values::<Vec3>(&[]);
        },
        &[],
    );
}

/// Corners that lie on one line, in any direction, have no area; those that do not have one, in any plane.
#[test]
fn triangles_without_area() {
    let triangle = |u: [f32; 3], v: [f32; 3]| {
        let a = [1.0, 2.0, 4.0];
        let to = |edge: [f32; 3]| [a[0] + edge[0], a[1] + edge[1], a[2] + edge[2]];
        let mut file = classic();
        shape(&mut file, &[a, to(u), to(v)], &[0, 1, 2]);
        told(&file, CLASSIC, "MDX-GEO-009")
    };
    for u in [
        [1.0, 2.0, 3.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [3.0, 1.0, 2.0],
        [-1.0, 5.0, 2.0],
    ] {
        assert_eq!(triangle(u, u.map(|part| 2.0 * part)), ["found"], "{u:?}");
        assert_eq!(triangle(u, u.map(|part| -part)), ["found"], "{u:?}");
        assert_eq!(triangle(u, [0.0; 3]), ["found"], "{u:?}");
    }
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for first in 0..3 {
        for second in (0..3).filter(|second| *second != first) {
            assert_eq!(triangle(axes[first], axes[second]), [""; 0], "{first} {second}");
        }
        // A pair that leans on each other, of which one product alone is nothing.
        let (a, b) = (axes[first], axes[(first + 1) % 3]);
        let sum = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
        assert_eq!(triangle(a, sum), [""; 0]);
        assert_eq!(triangle(sum, b), [""; 0]);
        let difference = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        assert_eq!(triangle(sum, difference), [""; 0]);
    }
}

#[test]
fn vertices_that_no_face_uses() {
    let quad = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [5.0, 5.0, 5.0]];
    classic_case("MDX-GEO-009", |file| shape(file, &quad[..4], &[0, 1, 2, 0, 2, 3]), &[]);
    classic_case("MDX-GEO-009", |file| shape(file, &quad, &[0, 1, 2, 0, 2, 3]), &["found"]);
    // Both at once; a face that is cut off is not looked at.
    classic_case("MDX-GEO-009", |file| shape(file, &quad, &[0, 1, 2, 0, 3, 3, 1]), &["found"]);
    // A corner that is not there is another rule's.
    classic_case("MDX-GEO-009", |file| shape(file, &quad[..4], &[0, 1, 2, 3, 9, 9]), &[]);
}

#[test]
fn triangles_that_lie_on_each_other() {
    let quad = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [-0.0, 0.0, -0.0], [7.0, 7.0, 7.0]];
    let faces = |faces: &'static [u16]| move |file: &mut Document<'static>| shape(file, &quad, faces);
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 1, 2, 0]), &["found"]);
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 2, 0, 1, 0, 1, 2]), &["found"]);
    // The other side is another triangle; so is one with another corner.
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 2, 1, 0]), &[]);
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 0, 1, 4]), &[]);
    // Vertices at the same place are the same corner, whichever zero it is.
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 3, 1, 2]), &["found"]);
    // What has no area is nobody's double.
    for flat in [&[0, 0, 1, 0, 0, 1], &[0, 1, 1, 0, 1, 1], &[1, 0, 1, 1, 0, 1]] {
        classic_case("MDX-GEO-010", |file| shape(file, &quad, flat), &[]);
    }
}

#[test]
fn triangles_that_touch_no_other() {
    let strip: Vec<[f32; 3]> = (0..9_u8).map(|at| [f32::from(at), f32::from(at % 2), 0.0]).collect();
    let faces = |faces: &'static [u16]| {
        let strip = strip.clone();
        move |file: &mut Document<'static>| shape(file, &strip, faces)
    };
    classic_case("MDX-GEO-011", faces(&[0, 1, 2]), &[]);
    classic_case("MDX-GEO-011", faces(&[0, 1, 2, 3, 4, 5]), &["found"]);
    classic_case("MDX-GEO-011", faces(&[0, 1, 2, 2, 3, 4]), &[]);
    classic_case("MDX-GEO-011", faces(&[0, 1, 2, 2, 3, 4, 5, 6, 7]), &["found"]);
    // One that has a corner twice still touches nothing but itself.
    classic_case("MDX-GEO-011", faces(&[0, 1, 2, 2, 3, 4, 5, 5, 6]), &["found"]);
}

const LAYER: &str = "MTLS/Material/LAYS/Layer/LayerHeader";

#[test]
fn layers() {
    let layer = |change: fn(&mut LayerHeader)| {
        move |file: &mut Document<'static>| set::<LayerHeader>(file, LAYER, change)
    };
    classic_case("MDX-MAT-003", layer(|layer| layer.filter_mode = FilterMode::new(6)), &[]);
    classic_case("MDX-MAT-003", layer(|layer| layer.filter_mode = FilterMode::new(7)), &["found"]);
    // Two textures; before version 1100 there is none that is -1.
    classic_case("MDX-MAT-004", layer(|layer| layer.texture_id.set(1)), &[]);
    classic_case("MDX-MAT-004", layer(|layer| layer.texture_id.set(2)), &["found"]);
    classic_case("MDX-MAT-004", layer(|layer| layer.texture_id.set(-1)), &["found"]);
    // One texture animation.
    for (id, expected) in [(-1, &[][..]), (0, &[]), (1, &["found"]), (-2, &["found"])] {
        classic_case(
            "MDX-MAT-005",
            |file| set::<LayerHeader>(file, LAYER, |layer| layer.texture_animation_id.set(id)),
            expected,
        );
    }
    // The second layer has a track of textures, which counts instead of its own.
    classic_case(
        "MDX-MAT-004",
        |file| {
            set::<LayerHeader>(file, "MTLS/Material/LAYS/Layer[1]/LayerHeader", |layer| {
                layer.texture_id.set(9);
            });
        },
        &[],
    );
    classic_case(
        "MDX-MAT-004",
        |file| {
            values::<Key<U32>>(file, "MTLS/Material/LAYS/Layer[1]/KMTF", |keys| keys[1].value.set(2));
        },
        &["found"],
    );
}

#[test]
fn texture_slots() {
    let reference = "MTLS/Material/LAYS/Layer/TextureSlot/TextureReference";
    let slot = |texture: i32, slot: u32| {
        move |file: &mut Document<'static>| {
            set::<TextureReference>(file, reference, |reference| {
                reference.texture_id.set(texture);
                reference.slot = SlotType::new(slot);
            });
        }
    };
    let hd = || sample("warcraft-1100");
    // Six textures, of which -1 is none.
    for (texture, expected) in [(5, &[][..]), (6, &["found"]), (-1, &[]), (-2, &["found"])] {
        case("MDX-MAT-004", HD, hd(), slot(texture, 0), expected);
    }
    case("MDX-MAT-006", HD, hd(), slot(0, 5), &[]);
    case("MDX-MAT-006", HD, hd(), slot(0, 6), &["found"]);
}

const GEOSET_ANIMATION: &str = "GEOA/GeosetAnimation/GeosetAnimationHeader";

#[test]
fn geoset_animations() {
    for (id, expected) in [(0, &[][..]), (1, &["found"]), (-1, &["found"])] {
        classic_case(
            "MDX-GEOA-001",
            |file| set::<GeosetAnimationHeader>(file, GEOSET_ANIMATION, |header| header.geoset_id.set(id)),
            expected,
        );
    }
    let alpha = |alpha: f32, track: bool| {
        move |file: &mut Document<'static>| {
            set::<GeosetAnimationHeader>(file, GEOSET_ANIMATION, |header| header.alpha.set(alpha));
            children(file, "GEOA/GeosetAnimation").retain(|part| track || part.id != tags::KGAO);
        }
    };
    classic_case("MDX-GEOA-002", alpha(0.099, false), &["found"]);
    classic_case("MDX-GEOA-002", alpha(0.1, false), &[]);
    classic_case("MDX-GEOA-002", alpha(0.5, false), &[]);
    classic_case("MDX-GEOA-002", alpha(0.0, true), &[]);
    let another = |file: &mut Document<'static>| {
        let geoset = node(file, GEOSET).clone();
        children(file, "GEOS").push(geoset);
    };
    classic_case("MDX-GEOA-005", another, &["found"]);
    classic_case(
        "MDX-GEOA-005",
        |file| {
            another(file);
            children(file, "GEOA").clear();
        },
        &[],
    );
}

/// Replaces the tracks of the geoset animation by one of its opacity.
fn opacity(
    keys: &[(i32, f32)],
    interpolation: Interpolation,
    global: i32,
) -> impl FnOnce(&mut Document<'static>) + use<> {
    let keys: Vec<(i32, F32)> = keys.iter().map(|(time, value)| (*time, F32::new(*value))).collect();
    move |file| {
        let parts = children(file, "GEOA/GeosetAnimation");
        parts.truncate(1);
        parts.push(mdx::build::track(tags::KGAO, interpolation, global, &keys).expect("a track"));
    }
}

/// Stand is from 0 to 1000, Death from 1333 to 2333.
#[test]
fn keys_of_geoset_animations() {
    let steps = |keys: &[(i32, f32)]| opacity(keys, Interpolation::NONE, -1);
    classic_case("MDX-GEOA-006", steps(&[(1000, 1.0), (1333, 1.0)]), &[]);
    classic_case("MDX-GEOA-006", steps(&[(0, 1.0), (2333, 1.0)]), &[]);
    classic_case("MDX-GEOA-006", steps(&[(0, 1.0), (2334, 1.0)]), &["found"]);
    classic_case("MDX-GEOA-006", steps(&[(1001, 1.0), (1332, 1.0)]), &["found"]);
    classic_case("MDX-GEOA-006", steps(&[]), &[]);
    classic_case("MDX-GEOA-006", opacity(&[(5000, 1.0)], Interpolation::NONE, 0), &[]);
    // Before the first key inside, the value of the last is used: only where both differ, and nothing is interpolated.
    classic_case("MDX-GEOA-007", steps(&[(0, 1.0), (1333, 0.0), (2000, 1.0)]), &[]);
    classic_case("MDX-GEOA-007", steps(&[(0, 1.0), (1400, 0.0), (2000, 1.0)]), &["found"]);
    classic_case("MDX-GEOA-007", steps(&[(0, 1.0), (1400, 0.5), (2000, 0.5)]), &[]);
    classic_case("MDX-GEOA-007", steps(&[(0, 1.0), (1400, 0.5)]), &[]);
    classic_case(
        "MDX-GEOA-007",
        opacity(&[(0, 1.0), (1400, 0.0), (2000, 1.0)], Interpolation::LINEAR, -1),
        &[],
    );
}

#[test]
fn versions() {
    for (name, game, version, known) in [
        ("warcraft-800", CLASSIC, 799, false),
        ("warcraft-800", CLASSIC, 800, true),
        ("warcraft-800", HD, 900, false),
        ("warcraft-800", CLASSIC, 1000, true),
        ("warcraft-800", CLASSIC, 1100, true),
        ("warcraft-800", CLASSIC, 1200, true),
        ("warcraft-800", HD, 1300, false),
        ("warcraft-800", CLASSIC, 1800, true),
        ("wow-1300", WOW, 800, false),
        ("wow-1300", WOW, 1300, true),
        ("wow-1300", WOW, 1400, true),
        ("wow-1300", WOW, 1500, true),
        ("wow-1300", WOW, 1200, false),
    ] {
        let mut file = sample(name);
        if let Document::Mdx(document) = &mut file {
            document.version = version;
        }
        let expected = if known { vec![] } else { vec!["found"] };
        assert_eq!(told(&file, game, "MDX-MODEL-001"), expected, "{name}: {version}");
    }
}

/// The mark for nothing has the greatest floats; anything else that is inside out is wrong.
#[test]
fn extents_inside_out_and_empty() {
    let model = |low: [f32; 3], high: [f32; 3]| {
        let mut file = classic();
        set::<Model>(&mut file, "MODL", |model| {
            (model.extent.minimum, model.extent.maximum) = (low.into(), high.into());
        });
        ["MDX-MODEL-005", "MDX-MODEL-011"].map(|code| told(&file, CLASSIC, code).len())
    };
    assert_eq!(model([0.0; 3], [0.0; 3]), [0, 0], "a point is no wrong box");
    for axis in 0..3 {
        let mut low = [0.0; 3];
        low[axis] = 0.1;
        assert_eq!(model(low, [0.0; 3]), [1, 0], "axis {axis}");
        let mut low = [f32::MAX; 3];
        low[axis] = 1.0;
        assert_eq!(model(low, [f32::MIN; 3]), [1, 0], "not all of the lower corner");
        let mut high = [f32::MIN; 3];
        high[axis] = 1.0;
        assert_eq!(model([f32::MAX; 3], high), [1, 0], "not all of the upper corner");
    }
    assert_eq!(model([1.0001e9; 3], [-1.0001e9; 3]), [0, 1]);
    assert_eq!(model([1e9; 3], [-1.0001e9; 3]), [1, 0]);
    assert_eq!(model([1.0001e9; 3], [-1e9; 3]), [1, 0]);
    // Of sequences and geosets they are counted.
    let wrong = |extent: &mut Extent| extent.minimum.x.set(99.0);
    classic_case(
        "MDX-MODEL-005",
        |file| {
            values::<Sequence>(file, "SEQS", |sequences| {
                sequences.iter_mut().for_each(|sequence| wrong(&mut sequence.extent));
            });
            values::<Extent>(file, "GEOS/Geoset/Extents", |extents| extents.iter_mut().for_each(wrong));
            set::<GeosetBounds>(file, "GEOS/Geoset/GeosetBounds", |bounds| wrong(&mut bounds.extent));
        },
        &["found", "found"],
    );
    classic_case(
        "MDX-MODEL-005",
        |file| values::<Sequence>(file, "SEQS", |sequences| wrong(&mut sequences[1].extent)),
        &["found"],
    );
    classic_case(
        "MDX-MODEL-005",
        |file| set::<GeosetBounds>(file, "GEOS/Geoset/GeosetBounds", |bounds| wrong(&mut bounds.extent)),
        &["found"],
    );
    classic_case(
        "MDX-MODEL-005",
        |file| values::<Extent>(file, "GEOS/Geoset/Extents", |extents| wrong(&mut extents[1])),
        &["found"],
    );
}

#[test]
fn names_that_fill_their_fields() {
    let full = |file: &mut Document<'static>| {
        values::<Sequence>(file, "SEQS", |sequences| sequences[1].name.0 = [b'x'; 80]);
    };
    // A record of 132 bytes, of which the first 80 are the name.
    place("MDX-MODEL-006", CLASSIC, classic(), full, "SEQS", 132..212);
    classic_case(
        "MDX-MODEL-006",
        |file| {
            values::<Sequence>(file, "SEQS", |sequences| {
                sequences[1].name.0 = [b'x'; 80];
                sequences[1].name.0[79] = 0;
            });
        },
        &[],
    );
    // The path of a texture is after its id: 268 bytes each.
    let path = |file: &mut Document<'static>| {
        values::<Texture>(file, "TEXS", |textures| textures[1].path.0.fill(b'x'));
    };
    place("MDX-MODEL-006", CLASSIC, classic(), path, "TEXS", 272..532);
}

#[test]
fn names_that_mdl_cannot_say() {
    let named = |text: &'static str| {
        move |file: &mut Document<'static>| {
            values::<Sequence>(file, "SEQS", |sequences| sequences[1].name = chars(text));
        }
    };
    for (text, quotes, control) in [
        ("Stand - 1", 0, 0),
        ("A \"B", 1, 0),
        ("A\nB", 1, 0),
        ("A\rB", 1, 0),
        ("A\tB", 0, 1),
        ("A\u{1}B", 0, 1),
        ("A\nB\tC", 1, 1),
    ] {
        let mut file = classic();
        named(text)(&mut file);
        let found = ["MDX-MODEL-007", "MDX-MODEL-012"].map(|code| findings(&file, CLASSIC, code).len());
        assert_eq!(found, [quotes, control], "{text:?}");
    }
    place("MDX-MODEL-007", CLASSIC, classic(), named("A\nB"), "SEQS", 132..212);
    place("MDX-MODEL-012", CLASSIC, classic(), named("A\tB"), "SEQS", 132..212);
    // The guide of a popcorn emitter may have lines and tabs, but no quotation marks.
    for (text, quotes) in [("Always=on\r\n\tDeath=off", 0), ("A \"B", 1)] {
        let mut file = sample("warcraft-1000");
        set::<PopcornEmitterHeader>(&mut file, "CORN/PopcornEmitter/PopcornEmitterHeader", |header| {
            header.animation_visibility_guide = chars(text);
        });
        let found = ["MDX-MODEL-007", "MDX-MODEL-012"].map(|code| findings(&file, HD, code).len());
        assert_eq!(found, [quotes, 0], "{text:?}");
    }
}

#[test]
fn numbers_that_are_none() {
    let sequence = |change: fn(&mut Sequence)| {
        move |file: &mut Document<'static>| values::<Sequence>(file, "SEQS", |all| change(&mut all[1]))
    };
    classic_case("MDX-MODEL-008", sequence(|it| it.extent.radius.set(f32::NAN)), &["found"]);
    classic_case("MDX-MODEL-008", sequence(|it| it.extent.maximum = [f32::INFINITY; 3].into()), &["found"]);
    // The game does not mind these.
    classic_case("MDX-MODEL-008", sequence(|it| it.move_speed.set(f32::NAN)), &[]);
    classic_case("MDX-MODEL-008", sequence(|it| it.rarity.set(f32::NEG_INFINITY)), &[]);
    // A text has no numbers.
    classic_case(
        "MDX-MODEL-008",
        |file| children(file, "").push(Node::leaf(kinds::INFO.kind, mdx::tag("INFO"), b"text".to_vec())),
        &[],
    );
    // In the last element of an array of records, and in keys of tracks.
    classic_case(
        "MDX-MODEL-008",
        |file| {
            values::<Vec3>(file, "GEOS/Geoset/VRTX", |vertices| {
                vertices[0].x.set(f32::NAN);
                vertices[3].z.set(f32::INFINITY);
            });
        },
        &["found"],
    );
    classic_case(
        "MDX-MODEL-008",
        |file| {
            let keys = [(0, F32::new(f32::NAN)), (1000, F32::new(1.0))];
            *node(file, "PRE2/ParticleEmitter2/KP2S") =
                mdx::build::track(tags::KP2S, Interpolation::LINEAR, -1, &keys).expect("a track");
        },
        &["found"],
    );
}

#[test]
fn chunks_that_are_there_twice() {
    let push = |leaf: fn() -> Node<'static>| {
        move |file: &mut Document<'static>| children(file, "").extend([leaf(), leaf()])
    };
    classic_case(
        "MDX-MODEL-010",
        push(|| mdx::build::leaf(&kinds::GLBS, &[U32::new(1)])),
        &["found", "found"],
    );
    // What is left over is no chunk.
    classic_case("MDX-MODEL-010", push(|| Node::leaf(&record::LEFTOVER, 0, vec![1])), &[]);
}

fn sequences(list: &'static [(&'static str, i32, i32)]) -> impl FnOnce(&mut Document<'static>) {
    move |file| {
        let like = node(file, "SEQS").values::<Sequence>()[0];
        let all: Vec<Sequence> = list
            .iter()
            .map(|(name, start, end)| Sequence {
                name: chars(name),
                start: I32::new(*start),
                end: I32::new(*end),
                ..like
            })
            .collect();
        node(file, "SEQS").set_values(&all);
    }
}

#[test]
fn sequences_that_overlap() {
    classic_case("MDX-SEQ-004", sequences(&[("Stand", 0, 1000), ("Death", 1000, 2000)]), &[]);
    classic_case("MDX-SEQ-004", sequences(&[("Stand", 0, 1000), ("Death", 999, 2000)]), &["found"]);
    classic_case("MDX-SEQ-004", sequences(&[("Stand", 0, 1000), ("Death", 0, 2000)]), &["found"]);
    // Of two that end at the same time, the first is named.
    classic_case(
        "MDX-SEQ-004",
        sequences(&[("Stand", 0, 1000), ("Walk", 1000, 1000), ("Death", 500, 600)]),
        &["found"],
    );
    // The one that ends last is named, also if others came after it.
    classic_case(
        "MDX-SEQ-004",
        sequences(&[("Stand", 0, 1000), ("Walk", 2000, 5000), ("Death", 6000, 7000), ("Spell", 4000, 4500)]),
        &["found"],
    );
    place(
        "MDX-SEQ-004",
        CLASSIC,
        classic(),
        sequences(&[("Stand", 0, 1000), ("Death", 999, 2000)]),
        "SEQS",
        132..264,
    );
    // Only version 800 minds.
    case("MDX-SEQ-004", HD, sample("warcraft-1000"), sequences(&[("Stand", 0, 1000), ("Death", 0, 9)]), &[]);
}

#[test]
fn sequences_without_length_or_name() {
    classic_case("MDX-SEQ-006", sequences(&[("Stand", 0, 1)]), &[]);
    classic_case("MDX-SEQ-006", sequences(&[("Stand", 5, 5)]), &["found"]);
    classic_case("MDX-SEQ-006", sequences(&[("Stand", 6, 5)]), &["found"]);
    place(
        "MDX-SEQ-006",
        CLASSIC,
        classic(),
        sequences(&[("Stand", 0, 1000), ("Death", 2000, 2000)]),
        "SEQS",
        132..264,
    );
    for name in [
        "Attack",
        "Birth",
        "Cinematic",
        "Death",
        "Decay",
        "Dissipate",
        "Morph",
        "Portrait",
        "Ready",
        "Sleep",
        "Spell",
        "Stand",
        "Walk",
        "stand - 2",
        "Alternate Walk",
        "  Stand Ready",
    ] {
        let mut file = classic();
        values::<Sequence>(&mut file, "SEQS", |all| all[1].name = chars(name));
        assert_eq!(told(&file, CLASSIC, "MDX-SEQ-005"), [""; 0], "{name}");
    }
    for name in ["Dance", "Alternate", "", "Standing"] {
        let mut file = classic();
        values::<Sequence>(&mut file, "SEQS", |all| all[1].name = chars(name));
        assert_eq!(told(&file, CLASSIC, "MDX-SEQ-005"), ["found"], "{name}");
    }
    let durations = |file: &mut Document<'static>| {
        node(file, "GLBS").set_values(&[1, 0].map(U32::new));
    };
    classic_case("MDX-SEQ-007", durations, &["found"]);
    // A model without any is another rule's.
    for code in ["MDX-SEQ-002", "MDX-SEQ-003"] {
        classic_case(code, sequences(&[]), &[]);
        classic_case(code, sequences(&[("Walk", 0, 1)]), &["found"]);
    }
    classic_case("MDX-SEQ-001", sequences(&[]), &["found"]);
    classic_case("MDX-SEQ-001", sequences(&[("Walk", 0, 1)]), &[]);
}

#[test]
fn textures() {
    let texture = |id: u32, path: &'static str| {
        move |file: &mut Document<'static>| {
            values::<Texture>(file, "TEXS", |textures| {
                textures[1].replaceable_id.set(id);
                textures[1].path = chars(path);
            });
        }
    };
    for (id, known) in [
        (1, true),
        (2, true),
        (3, false),
        (10, false),
        (11, true),
        (12, false),
        (21, true),
        (30, false),
        (31, true),
        (37, true),
        (38, false),
    ] {
        let expected = if known { vec![] } else { vec!["found"] };
        let mut file = classic();
        texture(id, "")(&mut file);
        assert_eq!(told(&file, CLASSIC, "MDX-TEX-003"), expected);
    }
    place("MDX-TEX-003", CLASSIC, classic(), texture(99, ""), "TEXS", 268..536);
    for (path, known) in [
        ("a.blp", true),
        ("a.TGA", true),
        ("a.tif", true),
        ("a.dds", true),
        ("", true),
        ("a", false),
        ("a.png", false),
    ] {
        let mut file = classic();
        texture(0, path)(&mut file);
        assert_eq!(told(&file, CLASSIC, "MDX-TEX-002").is_empty(), known, "{path}");
    }
    classic_case("MDX-TEX-004", texture(1, "a.blp"), &["found"]);
    classic_case("MDX-TEX-004", texture(0, "a.blp"), &[]);
    classic_case("MDX-TEX-005", texture(0, ""), &["found"]);
    classic_case("MDX-TEX-005", texture(1, ""), &[]);
    // What the game replaces is not looked for.
    let around: [(&str, &[u8]); 2] = [("Textures/white.blp", b""), ("Other/there.blp", b"")];
    let missing = |id: u32, path: &'static str, code: &str| {
        let mut file = classic();
        texture(id, path)(&mut file);
        messages_with(&file, CLASSIC, code, &around)
    };
    assert_eq!(missing(0, "gone.blp", "MDX-FILES-001").len(), 1);
    assert_eq!(missing(1, "gone.blp", "MDX-FILES-001").len(), 0);
    assert_eq!(missing(0, "", "MDX-FILES-001").len(), 0);
    assert_eq!(missing(0, "Textures\\White.blp", "MDX-FILES-001").len(), 0);
    let elsewhere = missing(0, "Textures\\there.blp", "MDX-FILES-003");
    assert!(
        matches!(&elsewhere[..], [one] if one.contains("Textures\\\\there.blp") && one.contains("there.blp")),
        "{elsewhere:?}"
    );
    assert_eq!(missing(0, "Textures\\white.blp", "MDX-FILES-003").len(), 0);
}

#[test]
fn ids_of_nodes() {
    let lamp = |id: i32| {
        move |file: &mut Document<'static>| {
            set::<NodeHeader>(file, "LITE/Light/Node/NodeHeader", |header| header.object_id.set(id));
        }
    };
    // Eleven nodes, numbered from 0.
    classic_case("MDX-NODE-001", lamp(2), &[]);
    classic_case("MDX-NODE-001", lamp(11), &["found"]);
    classic_case("MDX-NODE-001", lamp(-1), &["found"]);
    classic_case("MDX-NODE-001", lamp(3), &["found"]);
    // Two bones have to be 0 and 1.
    let bone = |id: i32| {
        move |file: &mut Document<'static>| {
            set::<NodeHeader>(file, "BONE/Bone[1]/Node/NodeHeader", |header| header.object_id.set(id));
        }
    };
    classic_case("MDX-NODE-002", bone(1), &[]);
    classic_case("MDX-NODE-002", bone(2), &["found"]);
    classic_case("MDX-NODE-002", bone(-1), &["found"]);
    let parent = |parent: i32| {
        move |file: &mut Document<'static>| {
            set::<NodeHeader>(file, "LITE/Light/Node/NodeHeader", |header| header.parent_id.set(parent));
        }
    };
    classic_case("MDX-NODE-003", parent(-1), &[]);
    classic_case("MDX-NODE-003", parent(10), &[]);
    classic_case("MDX-NODE-003", parent(11), &["found"]);
    // Its own parent: nothing is missing.
    classic_case("MDX-NODE-003", parent(2), &["found"]);
    classic_case("MDX-NODE-004", parent(2), &[]);
}

#[test]
fn nodes_that_are_each_others_parents() {
    let parents = |list: &'static [(&'static str, i32)]| {
        move |file: &mut Document<'static>| {
            for (path, parent) in list {
                set::<NodeHeader>(file, path, |header| header.parent_id.set(*parent));
            }
        }
    };
    const ROOT: &str = "BONE/Bone/Node/NodeHeader";
    const ARM: &str = "BONE/Bone[1]/Node/NodeHeader";
    const LAMP: &str = "LITE/Light/Node/NodeHeader";
    classic_case("MDX-NODE-004", parents(&[(ARM, 0), (LAMP, 1)]), &[]);
    // Two in a circle: all that hang on them are found once, by the first that leads into it.
    classic_case("MDX-NODE-004", parents(&[(ROOT, 1)]), &["found"]);
    classic_case("MDX-NODE-004", parents(&[(ROOT, 2), (ARM, 0), (LAMP, 1)]), &["found"]);
    // A circle beside the tree.
    classic_case("MDX-NODE-004", parents(&[(ARM, 2), (LAMP, 1)]), &["found"]);
}

#[test]
fn what_belongs_to_nodes() {
    let links = |geoset: i32, animation: i32| {
        move |file: &mut Document<'static>| {
            set::<BoneLinks>(file, "BONE/Bone/BoneLinks", |links| {
                links.geoset_id.set(geoset);
                links.geoset_animation_id.set(animation);
            });
        }
    };
    classic_case("MDX-NODE-006", links(-1, -1), &[]);
    classic_case("MDX-NODE-006", links(0, 0), &[]);
    classic_case("MDX-NODE-006", links(1, 0), &["found"]);
    classic_case("MDX-NODE-006", links(0, 1), &["found"]);
    classic_case("MDX-NODE-006", links(-2, 0), &["found"]);
    let pivots = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "PIVT").set_values(&vec![Vec3::default(); count]);
        }
    };
    classic_case("MDX-NODE-005", pivots(11), &[]);
    classic_case("MDX-NODE-005", pivots(12), &["found"]);
    classic_case("MDX-NODE-005", pivots(10), &["found"]);
    // Twelve nodes and a camera; a model without poses has none to count.
    for (count, expected) in [(12, &[][..]), (13, &[]), (14, &["found"]), (11, &["found"]), (0, &[])] {
        case(
            "MDX-NODE-008",
            HD,
            sample("warcraft-1000"),
            |file| *node(file, "BPOS") = mdx::build::counted(&kinds::BPOS, &vec![BindPose::default(); count]),
            expected,
        );
    }
    // One per camera, however many there are.
    let cameras = |file: &mut Document<'static>, count: usize| {
        let camera = node(file, "CAMS/Camera").clone();
        children(file, "CAMS").extend(vec![camera; count - 1]);
    };
    for (poses, expected) in [(12, &[][..]), (13, &[]), (14, &["found"]), (15, &[]), (16, &["found"])] {
        case(
            "MDX-NODE-008",
            HD,
            sample("warcraft-1000"),
            |file| {
                cameras(file, 3);
                *node(file, "BPOS") = mdx::build::counted(&kinds::BPOS, &vec![BindPose::default(); poses]);
            },
            expected,
        );
    }
}

#[test]
fn flags_of_nodes() {
    for (path, right) in [
        ("BONE/Bone/Node/NodeHeader", NodeFlags::BONE),
        ("LITE/Light/Node/NodeHeader", NodeFlags::LIGHT),
        ("EVTS/EventObject/Node/NodeHeader", NodeFlags::EVENT_OBJECT),
        ("ATCH/Attachment/Node/NodeHeader", NodeFlags::ATTACHMENT),
        ("PREM/ParticleEmitter/Node/NodeHeader", NodeFlags::PARTICLE_EMITTER),
        ("PRE2/ParticleEmitter2/Node/NodeHeader", NodeFlags::PARTICLE_EMITTER),
        ("CLID/CollisionShape/Node/NodeHeader", NodeFlags::COLLISION_SHAPE),
        ("RIBB/RibbonEmitter/Node/NodeHeader", NodeFlags::RIBBON_EMITTER),
        ("HELP/Helper/Node/NodeHeader", NodeFlags::new(0)),
    ] {
        let wrong = if right == NodeFlags::LIGHT { NodeFlags::BONE } else { NodeFlags::LIGHT };
        for (flags, expected) in [(right, &[][..]), (wrong, &["found"])] {
            // The lower and the upper bits say other things.
            for more in [0, 1, 0x80, 0x8000, 0x10_0000] {
                classic_case(
                    "MDX-NODE-007",
                    |file| {
                        set::<NodeHeader>(file, path, |header| {
                            header.flags = NodeFlags::new(flags.get() | more);
                        });
                    },
                    expected,
                );
            }
        }
    }
}

#[test]
fn lights() {
    let light = |start: f32, end: f32| {
        move |file: &mut Document<'static>| {
            set::<LightColor>(file, "LITE/Light/LightColor", |light| {
                light.attenuation_start.set(start);
                light.attenuation_end.set(end);
            });
        }
    };
    classic_case("MDX-LITE-001", light(80.0, 200.0), &[]);
    classic_case("MDX-LITE-001", light(79.5, 200.0), &["found"]);
    classic_case("MDX-LITE-001", light(80.0, 200.5), &["found"]);
    classic_case("MDX-LITE-001", light(100.0, 100.0), &["found"]);
    classic_case("MDX-LITE-001", light(100.0, 100.5), &[]);
    classic_case("MDX-LITE-001", light(f32::NAN, 100.0), &["found"]);
}

const EMITTER: &str = "PRE2/ParticleEmitter2/ParticleEmitter2Header";

fn emitter(change: impl FnOnce(&mut ParticleEmitter2Header)) -> impl FnOnce(&mut Document<'static>) {
    move |file| set::<ParticleEmitter2Header>(file, EMITTER, change)
}

#[test]
fn emitters() {
    for (id, replaceable, expected) in [(1, 0, &[][..]), (2, 0, &["found"]), (-1, 0, &["found"]), (2, 1, &[])]
    {
        classic_case(
            "MDX-PRE2-001",
            emitter(|it| {
                it.texture_id.set(id);
                it.replaceable_id.set(replaceable);
            }),
            expected,
        );
    }
    classic_case("MDX-PRE2-002", emitter(|it| it.filter_mode = ParticleFilterMode::new(4)), &[]);
    classic_case("MDX-PRE2-002", emitter(|it| it.filter_mode = ParticleFilterMode::new(5)), &["found"]);
    classic_case("MDX-PRE2-002", emitter(|it| it.replaceable_id.set(37)), &[]);
    classic_case("MDX-PRE2-002", emitter(|it| it.replaceable_id.set(38)), &["found"]);
    for (time, right) in [(0.0, true), (1.0, true), (0.5, true), (-0.01, false), (1.01, false)] {
        let mut file = classic();
        emitter(|it| it.time.set(time))(&mut file);
        assert_eq!(told(&file, CLASSIC, "MDX-PRE2-004").is_empty(), right, "{time}");
    }
    for (rows, columns, right) in
        [(1, 1, true), (2, 4, true), (0, 1, false), (1, 0, false), (3, 1, false), (1, 6, false)]
    {
        let mut file = classic();
        emitter(|it| {
            it.rows.set(rows);
            it.columns.set(columns);
        })(&mut file);
        assert_eq!(told(&file, CLASSIC, "MDX-PRE2-006").is_empty(), right, "{rows} {columns}");
    }
    classic_case("MDX-PRE2-007", emitter(|it| it.life_span.set(0.0)), &[]);
    classic_case("MDX-PRE2-007", emitter(|it| it.life_span.set(0.5)), &[]);
    classic_case("MDX-PRE2-007", emitter(|it| it.life_span.set(-0.5)), &["found"]);
    for (alphas, faint) in [([3, 3, 3], true), ([4, 0, 0], false), ([0, 4, 0], false), ([0, 0, 4], false)] {
        let mut file = classic();
        emitter(|it| it.segment_alphas = alphas)(&mut file);
        assert_eq!(!told(&file, CLASSIC, "MDX-PRE2-008").is_empty(), faint, "{alphas:?}");
    }
    for (material, expected) in [(0, &[][..]), (1, &["found"]), (-1, &["found"])] {
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
    classic_case("MDX-PRE2-009", sequences(&[]), &["found"]);
    classic_case("MDX-PRE2-009", sequences(&[("Stand", 0, 1)]), &[]);
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
    classic_case("MDX-PRE2-003", flat(quad, 1.0, 1.0), &[]);
    classic_case("MDX-PRE2-003", flat(quad, 0.0, 1.0), &["found"]);
    classic_case("MDX-PRE2-003", flat(quad, 1.0, 0.0), &["found"]);
    classic_case("MDX-PRE2-003", flat(plain, 0.0, 0.0), &[]);
    for (squirt, track, expected) in
        [(1, false, &["found"][..]), (1, true, &[]), (0, false, &[]), (0, true, &[])]
    {
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
    classic_case("MDX-EVTS-003", times(&[0, 1]), &[]);
    classic_case("MDX-EVTS-003", times(&[1, 1]), &["found"]);
    classic_case("MDX-EVTS-003", times(&[0, 5, 4]), &["found"]);
    classic_case("MDX-EVTS-004", times(&[1000, 5000]), &[]);
    classic_case("MDX-EVTS-004", times(&[1001, 1332]), &["found"]);
    classic_case("MDX-EVTS-004", times(&[1333]), &[]);
    classic_case("MDX-EVTS-004", times(&[2334]), &["found"]);
    classic_case("MDX-EVTS-004", times(&[]), &[]);
    classic_case("MDX-EVTS-001", times(&[]), &["found"]);
    classic_case("MDX-EVTS-001", times(&[7]), &[]);
    // By a clock of its own it happens at any time.
    classic_case(
        "MDX-EVTS-004",
        |file| {
            *node(file, "EVTS/EventObject/KEVT") =
                mdx::build::event_track(tags::KEVT, 0, &[9999]).expect("a track");
        },
        &[],
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
        move |file: &mut Document<'static>| {
            set::<CameraHeader>(file, "CAMS/Camera/CameraHeader", |camera| {
                camera.near_clip.set(near);
                camera.far_clip.set(far);
                camera.field_of_view.set(view);
            });
        }
    };
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 0.75), &[]);
    classic_case("MDX-CAMS-001", camera(0.0, 9.0, 0.75), &[]);
    classic_case("MDX-CAMS-001", camera(-0.5, 9.0, 0.75), &["found"]);
    classic_case("MDX-CAMS-001", camera(8.0, 8.0, 0.75), &["found"]);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 0.0), &["found"]);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 0.01), &[]);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 3.15), &[]);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 3.2), &["found"]);
    classic_case("MDX-CAMS-001", camera(8.0, 9.0, 3.3), &["found"]);
    // From (100, 0, 50) to (0, 0, 8): the root of 10000 + 1764 is 108.46.
    let found = |near: f32, far: f32| {
        let mut file = classic();
        camera(near, far, 0.75)(&mut file);
        !findings(&file, CLASSIC, "MDX-CAMS-003").is_empty()
    };
    assert!(!found(108.0, 109.0) && found(108.0, 108.4) && found(108.5, 109.0));
    assert!(!found(9.0, 9.0), "planes that are wrong are another rule's");
    classic_case("MDX-CAMS-004", |file| children(file, "GEOS").clear(), &["found"]);
    classic_case("MDX-CAMS-004", |_| {}, &[]);
    classic_case("MDX-CAMS-002", |_| {}, &["found"]);
    classic_case("MDX-CAMS-002", sequences(&[("Stand Portrait", 0, 1)]), &[]);
}

#[test]
fn shapes() {
    for axis in 0..3 {
        for (low, expected) in [(1.0, &[][..]), (1.1, &["x"])] {
            let mut file = classic();
            set::<ShapeBox>(&mut file, "CLID/CollisionShape/ShapeBox", |shape| {
                let (mut corner, other) = ([0.0; 3], [1.0; 3]);
                corner[axis] = low;
                (shape.minimum, shape.maximum) = (corner.into(), other.into());
            });
            assert_eq!(findings(&file, CLASSIC, "MDX-CLID-001").len(), expected.len(), "{axis} {low}");
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
        move |file: &mut Document<'static>| {
            set::<AttachmentHeader>(file, "ATCH/Attachment/AttachmentHeader", |header| {
                header.path = chars(path);
            });
        }
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
    // Free text is no file.
    assert_eq!(missing("my sword"), [""; 0]);
    assert_eq!(missing("Units\\sword.mdl"), [""; 0]);
    assert_eq!(missing("gone.mdl").len(), 1);
    assert!(missing("sword.mdl")[0].contains("sword"));
    classic_case("MDX-ATCH-002", |_| {}, &[]);
    for (path, right) in [("", true), ("a.facefx", true), ("a.FaceFX_Ingame", true), ("a.txt", false)] {
        let mut file = sample("warcraft-1000");
        values::<FaceEffect>(&mut file, "FAFX", |effects| effects[0].path = chars(path));
        assert_eq!(findings(&file, HD, "MDX-FAFX-001").is_empty(), right, "{path}");
    }
}

#[test]
fn groups_of_bones() {
    let groups = |vertices: &'static [u8], sizes: &'static [u32], bones: &'static [u32]| {
        move |file: &mut Document<'static>| {
            let words = |words: &[u32]| words.iter().map(|word| U32::new(*word)).collect::<Vec<_>>();
            node(file, "GEOS/Geoset/GNDX").set_values(vertices);
            node(file, "GEOS/Geoset/MTGC").set_values(&words(sizes));
            node(file, "GEOS/Geoset/MATS").set_values(&words(bones));
        }
    };
    let right = || groups(&[0, 0, 1, 1], &[1, 1], &[0, 1]);
    for code in [
        "MDX-SKIN-001",
        "MDX-SKIN-002",
        "MDX-SKIN-003",
        "MDX-SKIN-004",
        "MDX-SKIN-005",
        "MDX-SKIN-006",
        "MDX-SKIN-009",
        "MDX-SKIN-010",
        "MDX-SKIN-012",
    ] {
        classic_case(code, right(), &[]);
    }
    classic_case("MDX-SKIN-001", groups(&[0, 0, 1], &[1, 1], &[0, 1]), &["found"]);
    classic_case("MDX-SKIN-012", groups(&[0, 0, 1, 1, 1], &[1, 1], &[0, 1]), &["found"]);
    classic_case("MDX-SKIN-002", groups(&[0, 0, 1, 1], &[2, 0], &[0, 1]), &["found"]);
    classic_case("MDX-SKIN-003", groups(&[0, 0, 1, 1], &[1, 1], &[0]), &["found"]);
    classic_case("MDX-SKIN-004", groups(&[0, 0, 1, 2], &[1, 1], &[0, 1]), &["found"]);
    classic_case("MDX-SKIN-004", groups(&[0, 3, 1, 2], &[1, 1], &[0, 1]), &["found"]);
    // No groups at all, and all vertices in the first: nothing moves, and no number is told.
    classic_case("MDX-SKIN-004", groups(&[0, 0, 0, 0], &[], &[]), &["found"]);
    classic_case("MDX-SKIN-004", groups(&[0, 0, 0, 1], &[], &[]), &["found"]);
    classic_case("MDX-SKIN-004", groups(&[], &[], &[]), &[]);
    classic_case("MDX-SKIN-004", groups(&[0, 0, 0, 0], &[1], &[0]), &[]);
    // The third object is the lamp; there are eleven.
    classic_case("MDX-SKIN-006", groups(&[0, 0, 1, 1], &[1, 1], &[0, 2]), &["found"]);
    classic_case("MDX-SKIN-005", groups(&[0, 0, 1, 1], &[1, 1], &[0, 10]), &[]);
    classic_case("MDX-SKIN-005", groups(&[0, 0, 1, 1], &[1, 1], &[0, 11]), &["found"]);
    // A group that no vertex is in says nothing.
    classic_case("MDX-SKIN-005", groups(&[0, 0, 0, 0], &[1, 1], &[0, 11]), &[]);
    classic_case("MDX-SKIN-010", groups(&[0, 0, 0, 0], &[1, 1], &[0, 1]), &["found"]);
    let many = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "GEOS/Geoset/MTGC").set_values(&vec![U32::new(1); count]);
        }
    };
    classic_case("MDX-SKIN-009", many(255), &[]);
    classic_case("MDX-SKIN-009", many(256), &["found"]);
    // A model without bones moves nothing, whatever its groups say.
    for code in ["MDX-SKIN-004", "MDX-SKIN-005"] {
        classic_case(
            code,
            |file| {
                groups(&[0, 0, 1, 9], &[1, 1], &[0, 99])(file);
                children(file, "BONE").clear();
            },
            &[],
        );
    }
}

/// A bone counts if it has any weight at all.
#[test]
fn weights_of_bones() {
    let skin = |bone: u8, weight: u8| {
        move |file: &mut Document<'static>| {
            values::<u8>(file, "GEOS/Geoset[1]/SKIN", |skin| {
                skin[..8].copy_from_slice(&[0, bone, 0, 0, 255 - weight, weight, 0, 0]);
            });
        }
    };
    let hd = || sample("warcraft-1000");
    // Twelve objects, the third of which is the lamp.
    case("MDX-SKIN-005", HD, hd(), skin(12, 1), &["found"]);
    case("MDX-SKIN-005", HD, hd(), skin(12, 0), &[]);
    case("MDX-SKIN-006", HD, hd(), skin(2, 1), &["found"]);
    case("MDX-SKIN-006", HD, hd(), skin(2, 0), &[]);
    let wide = |bone: u16, weight: u16| {
        move |file: &mut Document<'static>| {
            values::<U16>(file, "GEOS/Geoset[1]/SKIN", |skin| {
                let all = [0, bone, 0, 0, 255 - weight, weight, 0, 0];
                skin.iter_mut().zip(all).for_each(|(part, value)| part.set(value));
            });
        }
    };
    let newest = || sample("warcraft-1800");
    case("MDX-SKIN-005", HD, newest(), wide(300, 1), &["found"]);
    case("MDX-SKIN-005", HD, newest(), wide(300, 0), &[]);
    let batch = |bone: u8, weight: u8| {
        move |file: &mut Document<'static>| {
            fn first(node: &mut Node<'static>, bone: u8, weight: u8) {
                if let Some(vertex) = node.values_mut::<WowVertex>().first_mut() {
                    (vertex.bones, vertex.weights) = ([0, bone, 0, 0], [255 - weight, weight, 0, 0]);
                }
                node.children_mut().into_iter().flatten().for_each(|child| first(child, bone, weight));
            }
            first(file.root_mut(), bone, weight);
        }
    };
    let alpha = || sample("wow-1500");
    case("MDX-SKIN-005", WOW, alpha(), batch(77, 1), &["found"]);
    case("MDX-SKIN-005", WOW, alpha(), batch(77, 0), &[]);
    // Sums.
    for (weights, expected) in
        [([128, 127, 0, 0], &[][..]), ([128, 126, 0, 0], &["found"]), ([128, 127, 1, 0], &["found"])]
    {
        case(
            "MDX-SKIN-007",
            HD,
            hd(),
            |file| values::<u8>(file, "GEOS/Geoset[1]/SKIN", |skin| skin[4..8].copy_from_slice(&weights)),
            expected,
        );
    }
    case(
        "MDX-SKIN-011",
        HD,
        hd(),
        |file| {
            let skin = [0_u8, 0, 0, 0, 255, 0, 0, 0].repeat(3);
            node(file, "GEOS/Geoset[1]/SKIN").set_values(&skin);
        },
        &["found"],
    );
    case("MDX-SKIN-011", HD, newest(), |_| {}, &[]);
    case("MDX-SKIN-008", HD, hd(), |_| {}, &[]);
}

/// Replaces the track of the emitter's speed.
fn speed(
    keys: &[(i32, f32)],
    interpolation: Interpolation,
    global: i32,
) -> impl FnOnce(&mut Document<'static>) + use<> {
    let keys: Vec<(i32, F32)> = keys.iter().map(|(time, value)| (*time, F32::new(*value))).collect();
    move |file| {
        *node(file, "PRE2/ParticleEmitter2/KP2S") =
            mdx::build::track(tags::KP2S, interpolation, global, &keys).expect("a track");
    }
}

/// The findings about the speed's track alone.
fn about_speed(
    keys: &[(i32, f32)],
    interpolation: Interpolation,
    global: i32,
    code: &str,
) -> Vec<&'static str> {
    let mut file = classic();
    // Without any other track.
    fn strip(node: &mut Node<'static>) {
        if let Some(children) = node.children_mut() {
            children.retain(|child| child.kind.framing.word() != "track" || child.id == tags::KP2S);
            children.iter_mut().for_each(strip);
        }
    }
    strip(file.root_mut());
    speed(keys, interpolation, global)(&mut file);
    told(&file, CLASSIC, code)
}

#[test]
fn times_of_keys() {
    let linear = |keys: &[(i32, f32)], code: &str| about_speed(keys, Interpolation::LINEAR, -1, code);
    let none = Vec::<&str>::new();
    assert_eq!(linear(&[(0, 1.0)], "MDX-TRACK-004"), none);
    assert_eq!(linear(&[(-1, 1.0), (0, 1.0)], "MDX-TRACK-004"), ["found"]);
    assert_eq!(linear(&[(0, 1.0), (1, 2.0)], "MDX-TRACK-005"), none);
    assert_eq!(linear(&[(0, 1.0), (5, 2.0), (5, 3.0), (5, 4.0)], "MDX-TRACK-005"), ["found"]);
    assert_eq!(linear(&[(0, 1.0), (5, 2.0), (5, 3.0)], "MDX-TRACK-006"), none);
    assert_eq!(linear(&[(0, 1.0), (5, 2.0), (4, 3.0)], "MDX-TRACK-006"), ["found"]);
    assert_eq!(linear(&[], "MDX-TRACK-002"), ["found"]);
    assert_eq!(linear(&[(0, 1.0)], "MDX-TRACK-002"), none);
    // One global sequence, of a second.
    let global =
        |global: i32, code: &str| about_speed(&[(0, 1.0), (1000, 2.0)], Interpolation::LINEAR, global, code);
    assert_eq!(global(0, "MDX-TRACK-001"), none);
    assert_eq!(global(1, "MDX-TRACK-001"), ["found"]);
    assert_eq!(global(0, "MDX-TRACK-010"), none);
    let late = |end: i32| about_speed(&[(0, 1.0), (end, 2.0)], Interpolation::LINEAR, 0, "MDX-TRACK-010");
    assert_eq!((late(1000), late(1001)), (none.clone(), vec!["found"]));
    // Stand is from 0 to 1000, Death from 1333 to 2333.
    assert_eq!(linear(&[(1000, 1.0), (1333, 2.0), (2333, 1.0)], "MDX-TRACK-010"), none);
    assert_eq!(linear(&[(1001, 1.0), (1332, 2.0), (2334, 1.0)], "MDX-TRACK-010"), ["found"]);
    // A key at 0 counts as the value before everything, and a single key too.
    assert_eq!(linear(&[(0, 1.0), (5000, 2.0)], "MDX-TRACK-010"), ["found"]);
    assert_eq!(linear(&[(5000, 2.0)], "MDX-TRACK-010"), none);
}

#[test]
fn the_start_of_sequences() {
    let opening = |keys: &[(i32, f32)]| about_speed(keys, Interpolation::LINEAR, -1, "MDX-TRACK-007");
    let none = Vec::<&str>::new();
    assert_eq!(opening(&[(0, 1.0), (1000, 2.0)]), none);
    assert_eq!(opening(&[(100, 1.0), (1000, 2.0)]), ["found"]);
    assert_eq!(opening(&[(100, 1.0), (1000, 1.0)]), none, "both are the same");
    assert_eq!(opening(&[(100, 1.0)]), none, "one key alone does not change");
    assert_eq!(opening(&[(100, 1.0), (1000, 2.0), (1400, 1.0), (2333, 2.0)]), ["found"]);
    assert_eq!(opening(&[(1332, 1.0), (1400, 1.0), (2333, 2.0)]), ["found"]);
    assert_eq!(about_speed(&[(100, 1.0), (1000, 2.0)], Interpolation::NONE, -1, "MDX-TRACK-007"), none);
    let stand = |keys: &[(i32, f32)]| about_speed(keys, Interpolation::LINEAR, -1, "MDX-TRACK-017");
    assert_eq!(stand(&[(1000, 1.0), (2000, 1.0)]), none);
    assert_eq!(stand(&[(1001, 1.0), (2000, 1.0)]), ["found"]);
    assert_eq!(stand(&[]), none);
    assert_eq!(about_speed(&[(1500, 1.0)], Interpolation::LINEAR, 0, "MDX-TRACK-017"), none);
}

#[test]
fn keys_that_change_nothing() {
    let redundant = |keys: &[(i32, f32)]| {
        let found = |code| about_speed(keys, Interpolation::LINEAR, -1, code);
        [found("MDX-TRACK-011"), found("MDX-TRACK-014"), found("MDX-TRACK-015")].map(|told| told.join(";"))
    };
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0), (1000, 1.0)]), ["found", "", "found"]);
    assert_eq!(redundant(&[(0, 1.0), (500, 2.0), (1000, 1.0)]), ["", "", ""]);
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0009), (1000, 1.0)]), ["", "found", ""]);
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0011), (1000, 1.0)]), ["", "", ""]);
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0), (1000, 1.0009)]), ["", "found", ""]);
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0), (1000, 1.1)]), ["", "", ""]);
    assert_eq!(redundant(&[(0, 1.0), (250, 1.0), (500, 1.0), (1000, 1.0)]), ["found", "", "found"]);
    // Three in three sequences are not between each other.
    assert_eq!(redundant(&[(500, 1.0), (1100, 1.0), (1500, 1.0)]), ["", "", "found"]);
    // Two keys are always the ends.
    assert_eq!(redundant(&[(0, 1.0), (1000, 1.0)]), ["", "", "found"]);
    assert_eq!(redundant(&[(0, 1.0)]), ["", "", ""]);
    // Where sequences share a time, its key belongs to both.
    let mut file = classic();
    sequences(&[("Stand", 0, 500), ("Death", 500, 1000)])(&mut file);
    speed(&[(0, 1.0), (250, 1.0), (500, 1.0), (750, 1.0), (1000, 1.0)], Interpolation::LINEAR, -1)(&mut file);
    assert_eq!(told(&file, CLASSIC, "MDX-TRACK-011"), ["found"]);
    // Keys with tangents stay.
    let key = |time: i32| TangentKey {
        time: I32::new(time),
        value: F32::new(1.0),
        in_tan: F32::new(0.0),
        out_tan: F32::new(0.0),
    };
    let curved =
        mdx::build::tangent_track(tags::KP2S, Interpolation::HERMITE, -1, &[key(0), key(500), key(1000)]);
    let mut file = classic();
    *node(&mut file, "PRE2/ParticleEmitter2/KP2S") = curved.expect("a track");
    assert_eq!(told(&file, CLASSIC, "MDX-TRACK-011"), [""; 0]);
    assert_eq!(told(&file, CLASSIC, "MDX-TRACK-014"), ["found"]);
    assert_eq!(told(&file, CLASSIC, "MDX-TRACK-015"), [""; 0]);
}

#[test]
fn values_of_keys() {
    let turn = |w: f32| {
        move |file: &mut Document<'static>| {
            let keys = [(7, Quaternion::new(0.0, 0.0, 0.0, w))];
            *node(file, "BONE/Bone/Node/KGRT") =
                mdx::build::track(tags::KGRT, Interpolation::LINEAR, -1, &keys).expect("a track");
        }
    };
    classic_case("MDX-TRACK-013", turn(1.04), &[]);
    classic_case("MDX-TRACK-013", turn(1.06), &["found"]);
    classic_case("MDX-TRACK-013", turn(-0.96), &[]);
    classic_case("MDX-TRACK-013", turn(0.94), &["found"]);
    let scale = |values: &'static [[f32; 3]]| {
        move |file: &mut Document<'static>| {
            let keys: Vec<(i32, Vec3)> =
                (0..).zip(values).map(|(time, value)| (time, Vec3::from(*value))).collect();
            *node(file, "BONE/Bone/Node/KGSC") =
                mdx::build::track(tags::KGSC, Interpolation::LINEAR, -1, &keys).expect("a track");
        }
    };
    classic_case("MDX-TRACK-016", scale(&[[1.0; 3], [0.0; 3], [0.0; 3]]), &["found"]);
    classic_case("MDX-TRACK-016", scale(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), &[]);
    let interpolation = |word: u32| {
        move |file: &mut Document<'static>| {
            set::<TrackHeader>(file, "PRE2/ParticleEmitter2/KP2S", |header| {
                header.interpolation = Interpolation::new(word);
            });
        }
    };
    classic_case("MDX-TRACK-012", interpolation(1), &[]);
    classic_case("MDX-TRACK-012", interpolation(3), &[]);
    classic_case("MDX-TRACK-012", interpolation(4), &["found"]);
    let visibility = |interpolation: Interpolation| {
        move |file: &mut Document<'static>| {
            let keys = [(0, F32::new(1.0))];
            *node(file, "PRE2/ParticleEmitter2/KP2V") =
                mdx::build::track(tags::KP2V, interpolation, -1, &keys).expect("a track");
        }
    };
    classic_case("MDX-TRACK-009", visibility(Interpolation::NONE), &[]);
    assert_eq!(
        {
            let mut file = classic();
            visibility(Interpolation::LINEAR)(&mut file);
            findings(&file, CLASSIC, "MDX-TRACK-009").len()
        },
        1
    );
    // Tracks by sequences have nothing to run by where there are none; one with a clock of its own has.
    classic_case(
        "MDX-TRACK-003",
        |file| {
            fn strip(node: &mut Node<'static>) {
                if let Some(children) = node.children_mut() {
                    children.retain(|child| child.kind.framing.word() != "track");
                    children.iter_mut().for_each(strip);
                }
            }
            strip(file.root_mut());
            sequences(&[])(file);
            let keys = [(0, F32::new(1.0))];
            let parts = children(file, "PRE2/ParticleEmitter2");
            parts.push(mdx::build::track(tags::KP2S, Interpolation::LINEAR, 0, &keys).expect("a track"));
            parts.push(mdx::build::track(tags::KP2E, Interpolation::LINEAR, -1, &keys).expect("a track"));
        },
        &["found"],
    );
}

#[test]
fn what_only_wow_has() {
    let alpha = || {
        let mut file = sample("wow-1300");
        set::<WowMaterialCount>(&mut file, "MTLS/WowMaterialCount", |count| count.animated_layers.set(1));
        set::<WowAttachmentCount>(&mut file, "ATCH/WowAttachmentCount", |count| count.highest_id.set(1));
        file
    };
    let objects = |count: u32| {
        move |file: &mut Document<'static>| {
            set::<WowModel>(file, "MODL", |model| model.object_count.set(count));
        }
    };
    case("MDX-WOW-001", WOW, alpha(), objects(11), &[]);
    case("MDX-WOW-001", WOW, alpha(), objects(12), &["found"]);
    case("MDX-WOW-001", WOW, alpha(), objects(10), &["found"]);
    for (highest, expected) in [(1, &[][..]), (0, &["found"]), (2, &["found"])] {
        case(
            "MDX-WOW-002",
            WOW,
            alpha(),
            |file| {
                set::<WowAttachmentCount>(file, "ATCH/WowAttachmentCount", |count| {
                    count.highest_id.set(highest);
                });
            },
            expected,
        );
    }
    for (layers, expected) in [(1, &[][..]), (0, &["found"]), (2, &["found"])] {
        case(
            "MDX-WOW-003",
            WOW,
            alpha(),
            |file| {
                set::<WowMaterialCount>(file, "MTLS/WowMaterialCount", |count| {
                    count.animated_layers.set(layers);
                });
            },
            expected,
        );
    }
    // Either track makes a layer animated.
    for tag in [tags::KMTA, tags::KMTF] {
        case(
            "MDX-WOW-003",
            WOW,
            alpha(),
            |file| children(file, "MTLS/Material/Layer[1]").retain(|part| part.id != tag),
            &[],
        );
    }
    case(
        "MDX-WOW-003",
        WOW,
        alpha(),
        |file| children(file, "MTLS/Material/Layer[1]").truncate(1),
        &["found"],
    );
    let mesh = |faces: &'static [u16], normals: usize| {
        move |file: &mut Document<'static>| {
            let faces: Vec<U16> = faces.iter().map(|index| U16::new(*index)).collect();
            node(file, "CLID").child_mut(&kinds::TRI).expect("faces").set_values(&faces);
            let normals = vec![Vec3::default(); normals];
            node(file, "CLID").child_mut(&kinds::NRMS).expect("normals").set_values(&normals);
        }
    };
    case("MDX-WOW-004", WOW, alpha(), mesh(&[0, 1, 3], 1), &[]);
    case("MDX-WOW-004", WOW, alpha(), mesh(&[0, 1, 4], 1), &["found"]);
    case("MDX-WOW-004", WOW, alpha(), mesh(&[0, 1], 0), &["found"]);
    case("MDX-WOW-004", WOW, alpha(), mesh(&[0, 1, 2, 9], 1), &["found", "found"]);
    case("MDX-WOW-006", WOW, alpha(), mesh(&[0, 1, 2, 0, 1, 2], 2), &[]);
    case("MDX-WOW-006", WOW, alpha(), mesh(&[0, 1, 2, 0, 1, 2], 1), &["found"]);
    case("MDX-WOW-006", WOW, alpha(), mesh(&[0, 1, 2], 3), &["found"]);
    for (weights, expected) in [
        ([255, 0, 0, 0], &[][..]),
        ([254, 1, 0, 0], &[]),
        ([254, 0, 0, 0], &["found"]),
        ([255, 0, 0, 1], &["found"]),
    ] {
        case(
            "MDX-WOW-005",
            WOW,
            alpha(),
            |file| values::<[u8; 4]>(file, "GEOS/Geoset/BWGT", |all| all[2] = weights),
            expected,
        );
    }
}
