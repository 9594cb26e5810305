//! Geosets: counts, indices, extents and triangles.

use super::*;

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
        changing::<GeosetHeader>("GEOS/Geoset/GeosetHeader", move |header| header.material_id.set(id))
    };
    classic_case("MDX-GEO-001", material(0), 0);
    classic_case("MDX-GEO-001", material(1), 1);
    classic_case("MDX-GEO-001", material(u32::MAX), 1);
    let index = |index: u16| changing_all::<U16>("GEOS/Geoset/PVTX", move |faces| faces[3].set(index));
    classic_case("MDX-GEO-006", index(3), 0);
    classic_case("MDX-GEO-006", index(4), 1);
}

#[test]
fn sizes_of_geosets() {
    let vertices = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "GEOS/Geoset/VRTX").set_values(&vec![Vec3::default(); count]);
        }
    };
    classic_case("MDX-GEO-002", vertices(7432), 0);
    classic_case("MDX-GEO-002", vertices(7433), 1);
    // High definition has no such limit.
    case(
        "MDX-GEO-002",
        HD,
        sample("warcraft-1000"),
        |file| {
            node(file, "GEOS/Geoset[1]/VRTX").set_values(&vec![Vec3::default(); 7433]);
        },
        0,
    );
    classic_case("MDX-GEO-003", vertices(1), 0);
    classic_case("MDX-GEO-003", vertices(0), 1);
    classic_case("MDX-GEO-003", |file| shape(file, &[[0.0; 3]; 4], &[]), 1);
    let triangles = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "GEOS/Geoset/PVTX").set_values(&[0, 1, 2].map(U16::new).repeat(count));
        }
    };
    classic_case("MDX-MODEL-009", triangles(20_000), 0);
    classic_case("MDX-MODEL-009", triangles(20_001), 1);
    let extents = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "GEOS/Geoset/Extents").set_values(&vec![Extent::default(); count]);
        }
    };
    classic_case("MDX-GEO-004", extents(2), 0);
    classic_case("MDX-GEO-004", extents(3), 1);
    classic_case("MDX-GEO-004", extents(1), 1);
}

#[test]
fn arrays_of_geosets_have_one_element_per_vertex() {
    classic_case(
        "MDX-GEO-005",
        |file| {
            node(file, "GEOS/Geoset/NRMS").set_values(&[Vec3::default(); 3]);
        },
        1,
    );
    classic_case(
        "MDX-GEO-005",
        |file| {
            node(file, "GEOS/Geoset/UVAS/UVBS").set_values(&[record::Vec2::default(); 5]);
        },
        1,
    );
    case(
        "MDX-GEO-005",
        HD,
        sample("warcraft-1000"),
        |file| {
            node(file, "GEOS/Geoset[1]/TANG").set_values(&[record::Vec4::default(); 3]);
        },
        1,
    );
    case("MDX-GEO-005", HD, sample("warcraft-1000"), |_| {}, 0);
    // Batches hold all of a vertex in one record.
    case("MDX-GEO-005", WOW, sample("wow-1500"), |_| {}, 0);
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
    classic_case("MDX-GEO-007", counts(&[6]), 0);
    classic_case("MDX-GEO-007", counts(&[3, 3]), 0);
    classic_case("MDX-GEO-007", counts(&[2, 4]), 1);
    classic_case("MDX-GEO-007", counts(&[3]), 1);
    classic_case("MDX-GEO-007", counts(&[3, 6]), 1);
    classic_case(
        "MDX-GEO-007",
        |file| values::<FaceType>(file, "GEOS/Geoset/PTYP", |types| types[0] = FaceType::new(2)),
        1,
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
        count(&file, CLASSIC, "MDX-GEO-008") > 0
    };
    let (low, high) = ([-10.0, -10.0, -10.0], [10.0, 10.0, 10.0]);
    for axis in 0..3 {
        for (index, found) in [(10.09, false), (10.11, true), (-10.09, false), (-10.11, true), (0.0, false)] {
            let mut vertex = [0.0; 3];
            vertex[axis] = index;
            assert_eq!(outside(low, high, vertex), found, "{vertex:?}");
        }
        // The size is that of the longest axis, whichever it is.
        let (mut low, mut high) = ([-1.0; 3], [1.0; 3]);
        (low[axis], high[axis]) = (-100.0, 100.0);
        for (index, found) in [(1.9, false), (2.1, true)] {
            let mut vertex = [0.0; 3];
            vertex[(axis + 1) % 3] = index;
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
    case("MDX-GEO-008", CLASSIC, still(), wrong(), 1);
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
        assert_eq!(count(&file, CLASSIC, "MDX-GEO-008"), 0);
    }
    let huge = [f32::MAX; 3];
    case("MDX-GEO-008", CLASSIC, still(), bounded(huge, huge.map(|part| -part), [9.0; 3]), 0);
    case(
        "MDX-GEO-008",
        CLASSIC,
        still(),
        |file| {
            wrong()(file);
            node(file, "GEOS/Geoset/VRTX").set_values::<Vec3>(&[]);
        },
        0,
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
        count(&file, CLASSIC, "MDX-GEO-009")
    };
    for u in [
        [1.0, 2.0, 3.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [3.0, 1.0, 2.0],
        [-1.0, 5.0, 2.0],
    ] {
        assert_eq!(triangle(u, u.map(|part| 2.0 * part)), 1, "{u:?}");
        assert_eq!(triangle(u, u.map(|part| -part)), 1, "{u:?}");
        assert_eq!(triangle(u, [0.0; 3]), 1, "{u:?}");
    }
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for first in 0..3 {
        for second in (0..3).filter(|second| *second != first) {
            assert_eq!(triangle(axes[first], axes[second]), 0, "{first} {second}");
        }
        // A pair that leans on each other, of which one product alone is nothing.
        let (a, b) = (axes[first], axes[(first + 1) % 3]);
        let sum = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
        assert_eq!(triangle(a, sum), 0);
        assert_eq!(triangle(sum, b), 0);
        let difference = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        assert_eq!(triangle(sum, difference), 0);
    }
}

#[test]
fn vertices_that_no_face_uses() {
    let quad = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [5.0, 5.0, 5.0]];
    classic_case("MDX-GEO-009", |file| shape(file, &quad[..4], &[0, 1, 2, 0, 2, 3]), 0);
    classic_case("MDX-GEO-009", |file| shape(file, &quad, &[0, 1, 2, 0, 2, 3]), 1);
    // Both at once; a face that is cut off is not looked at.
    classic_case("MDX-GEO-009", |file| shape(file, &quad, &[0, 1, 2, 0, 3, 3, 1]), 1);
    // A corner that is not there is another rule's.
    classic_case("MDX-GEO-009", |file| shape(file, &quad[..4], &[0, 1, 2, 3, 9, 9]), 0);
}

#[test]
fn triangles_that_lie_on_each_other() {
    let quad = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [-0.0, 0.0, -0.0], [7.0, 7.0, 7.0]];
    let faces = |faces: &'static [u16]| move |file: &mut Document<'static>| shape(file, &quad, faces);
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 1, 2, 0]), 1);
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 2, 0, 1, 0, 1, 2]), 1);
    // The other side is another triangle; so is one with another corner.
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 2, 1, 0]), 0);
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 0, 1, 4]), 0);
    // Vertices at the same place are the same corner, whichever zero it is.
    classic_case("MDX-GEO-010", faces(&[0, 1, 2, 3, 1, 2]), 1);
    // A triangle without area is not a duplicate.
    for flat in [&[0, 0, 1, 0, 0, 1], &[0, 1, 1, 0, 1, 1], &[1, 0, 1, 1, 0, 1]] {
        classic_case("MDX-GEO-010", |file| shape(file, &quad, flat), 0);
    }
}

#[test]
fn triangles_that_touch_no_other() {
    let strip: Vec<[f32; 3]> = (0..9_u8).map(|index| [f32::from(index), f32::from(index % 2), 0.0]).collect();
    let faces = |faces: &'static [u16]| {
        let strip = strip.clone();
        move |file: &mut Document<'static>| shape(file, &strip, faces)
    };
    classic_case("MDX-GEO-011", faces(&[0, 1, 2]), 0);
    classic_case("MDX-GEO-011", faces(&[0, 1, 2, 3, 4, 5]), 1);
    classic_case("MDX-GEO-011", faces(&[0, 1, 2, 2, 3, 4]), 0);
    classic_case("MDX-GEO-011", faces(&[0, 1, 2, 2, 3, 4, 5, 6, 7]), 1);
    // One that has a corner twice still touches nothing but itself.
    classic_case("MDX-GEO-011", faces(&[0, 1, 2, 2, 3, 4, 5, 5, 6]), 1);
}

/// The model's extent is two wide: from ten times that on, a vertex is far outside.
#[test]
fn vertices_far_outside_the_extent() {
    for axis in 0..3 {
        for (far, expected) in [(1.0, 0), (20.9, 0), (21.1, 1), (-20.9, 0), (-21.1, 1)] {
            let change = |file: &mut Document<'static>| {
                let box_of_two =
                    Extent { minimum: [-1.0; 3].into(), maximum: [1.0; 3].into(), ..Extent::default() };
                set::<Model>(file, "MODL", |model| model.extent = box_of_two);
                let mut vertex = [0.0; 3];
                vertex[axis] = far;
                shape(file, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], vertex], &[0, 1, 2]);
            };
            classic_case("MDX-GEO-014", change, expected);
        }
    }
}
