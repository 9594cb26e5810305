//! Influences of skins.

use super::*;

const INFLUENCES: &str = "MESH[2]/VERTEX_INFLUENCES";

fn influence(bones: [u16; 2], weights: [u16; 2]) -> impl FnOnce(&mut Document<'static>) {
    move |file| {
        values::<VertexInfluence>(file, INFLUENCES, |all| {
            all[3] = VertexInfluence { bone_idx: bones.map(U16::new), weight: weights.map(U16::new) };
        });
    }
}

#[test]
fn bones_and_weights_of_vertices() {
    // Three bones.
    rich_case("W3D-SKIN-002", influence([2, 2], [50, 50]), 0);
    rich_case("W3D-SKIN-002", influence([3, 2], [50, 50]), 1);
    rich_case("W3D-SKIN-002", influence([1, 3], [99, 1]), 1);
    rich_case("W3D-SKIN-002", influence([1, 3], [100, 0]), 0);
    place("W3D-SKIN-002", GAME, rich::document(), influence([3, 3], [1, 1]), INFLUENCES, 24..32);
    for (weights, expected) in
        [([100, 0], 0), ([60, 40], 0), ([0, 0], 0), ([60, 39], 1), ([60, 41], 1), ([1, 0], 1)]
    {
        rich_case("W3D-SKIN-003", influence([1, 2], weights), expected);
    }
    place("W3D-SKIN-003", GAME, rich::document(), influence([1, 2], [1, 1]), INFLUENCES, 24..32);
    // Four bones, of Tiberian Technologies.
    let extended = |bones: [u16; 4], weights: [u16; 3]| {
        move |file: &mut Document<'static>| {
            let sound = VertexInfluenceExtended { weight: [65535, 0, 0].map(U16::new), ..Default::default() };
            let mut all = [sound; 24];
            all[2] = VertexInfluenceExtended { bone_idx: bones.map(U16::new), weight: weights.map(U16::new) };
            let mesh = children(file, "MESH[2]");
            mesh.retain(|part| !part.is(&VERTEX_INFLUENCES));
            mesh.push(array(&VERTEX_INFLUENCES_EXTENDED, &all));
        }
    };
    let tt = |code: &str, bones, weights, expected: usize| {
        case(code, Game::Tt5, rich::document(), extended(bones, weights), expected);
    };
    tt("W3D-SKIN-002", [0, 1, 2, 2], [20000; 3], 0);
    tt("W3D-SKIN-002", [0, 1, 2, 3], [20000; 3], 1);
    tt("W3D-SKIN-002", [3, 1, 2, 2], [1, 65534, 0], 1);
    tt("W3D-SKIN-002", [3, 1, 2, 3], [0, 65535, 0], 0);
    tt("W3D-SKIN-006", [0; 4], [65535, 0, 0], 0);
    tt("W3D-SKIN-006", [0; 4], [65535, 1, 0], 1);
    let path = "MESH[2]/VERTEX_INFLUENCES_EXTENDED";
    place("W3D-SKIN-002", Game::Tt5, rich::document(), extended([3; 4], [1; 3]), path, 28..42);
    place("W3D-SKIN-006", Game::Tt5, rich::document(), extended([0; 4], [65535, 1, 0]), path, 28..42);
    rich_case("W3D-SKIN-001", extended([0; 4], [1; 3]), 0);
}

#[test]
fn skins_and_what_they_hang_on() {
    let flags = |mesh: &'static str, flags: MeshFlags| {
        move |file: &mut Document<'static>| set::<MeshHeader3>(file, mesh, |header| header.attributes = flags)
    };
    rich_case("W3D-SKIN-001", flags("MESH[2]/MESH_HEADER3", MeshFlags::new(0)), 0);
    rich_case("W3D-SKIN-009", flags("MESH[2]/MESH_HEADER3", MeshFlags::new(0)), 1);
    rich_case("W3D-SKIN-009", flags("MESH[2]/MESH_HEADER3", MeshFlags::OBSOLETE_SKIN), 0);
    rich_case("W3D-SKIN-001", flags("MESH[2]/MESH_HEADER3", MeshFlags::OBSOLETE_SKIN), 0);
    rich_case("W3D-SKIN-001", flags(HEADER, MeshFlags::OBSOLETE_SKIN), 1);
    let secondary = |count: usize, chunk: u32| {
        move |file: &mut Document<'static>| {
            let part =
                children(file, "MESH[2]").iter_mut().find(|part| part.id == chunk).expect("it is there");
            part.set_values(&vec![Vec3::default(); count]);
        }
    };
    for chunk in [0xC00, 0xC01] {
        rich_case("W3D-SKIN-004", secondary(23, chunk), 1);
        rich_case("W3D-SKIN-004", secondary(25, chunk), 1);
        // Without a second bone none is needed.
        rich_case(
            "W3D-SKIN-004",
            |file| {
                secondary(23, chunk)(file);
                values::<VertexInfluence>(file, INFLUENCES, |all| {
                    all.iter_mut().for_each(|one| one.weight = [100, 0].map(U16::new));
                });
            },
            0,
        );
    }
    let bone = |bone: u32| {
        move |file: &mut Document<'static>| {
            let path = "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT[3]";
            set::<HlodSubObject>(file, path, |object| object.bone_index.set(bone));
        }
    };
    rich_case("W3D-SKIN-007", bone(0), 0);
    rich_case("W3D-SKIN-007", bone(1), 1);
    // A hundred vertices and more, in runs of one bone that are shorter than two.
    for (vertices, bones, expected) in
        [(100, [0, 0, 1, 1], 0), (100, [0, 1, 1, 1], 0), (100, [0, 1, 0, 1], 1), (99, [0, 1, 0, 1], 0)]
    {
        case(
            "W3D-SKIN-008",
            Game::Renegade,
            rich::document(),
            |file| {
                let one = VertexInfluence::default();
                let mut all = vec![one; vertices];
                all.iter_mut().enumerate().for_each(|(index, one)| one.bone_idx[0].set(bones[index % 4]));
                node(file, INFLUENCES).set_values(&all);
            },
            expected,
        );
    }
    // 51 runs of 100: one more than half.
    for (singles, expected) in [(0, 0), (2, 1)] {
        case(
            "W3D-SKIN-008",
            Game::Renegade,
            rich::document(),
            |file| {
                let mut all = vec![VertexInfluence::default(); 100];
                for (index, one) in all.iter_mut().enumerate() {
                    one.bone_idx[0].set(u16::try_from(index / 2 % 2).expect("small"));
                }
                // Two of a run of their own in the first pair.
                if singles > 0 {
                    all[0].bone_idx[0].set(7);
                }
                node(file, INFLUENCES).set_values(&all);
            },
            expected,
        );
    }
}

type Matrix = [[f64; 3]; 3];

/// A turn about an axis as a matrix (Rodrigues), and as a quaternion.
fn turn(axis: [f64; 3], angle: f64) -> (Matrix, Quaternion) {
    let length = axis.iter().map(|part| part * part).sum::<f64>().sqrt();
    let [x, y, z] = axis.map(|part| part / length);
    let (sin, cos) = angle.sin_cos();
    let less = 1.0 - cos;
    let matrix = [
        [cos + x * x * less, x * y * less - z * sin, x * z * less + y * sin],
        [y * x * less + z * sin, cos + y * y * less, y * z * less - x * sin],
        [z * x * less - y * sin, z * y * less + x * sin, cos + z * z * less],
    ];
    let (sin, cos) = (angle / 2.0).sin_cos();
    let quaternion = Quaternion::new((x * sin) as f32, (y * sin) as f32, (z * sin) as f32, cos as f32);
    (matrix, quaternion)
}

fn times(matrix: Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * x + row[1] * y + row[2] * z)
}

/// A rotation backwards is its matrix with rows and columns exchanged.
fn back(matrix: Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|index| matrix[0][index] * x + matrix[1][index] * y + matrix[2][index] * z)
}

/// Two bones, one on the other, both turned about slanted axes: the same place in the model, in the space of each.
#[test]
fn a_vertex_is_at_one_place_for_both_bones() {
    let plus = |a: [f64; 3], b: [f64; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let narrow = |a: [f64; 3]| Vec3::new(a[0] as f32, a[1] as f32, a[2] as f32);
    for (first_axis, second_axis) in [
        ([1.0, 2.0, 3.0], [-2.0, 1.0, 0.5]),
        ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
        ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ([0.3, -1.0, 0.2], [0.4, 0.5, -3.0]),
    ] {
        let ((first, first_turn), (second, second_turn)) = (turn(first_axis, 1.1), turn(second_axis, -0.7));
        let (first_place, second_place) = ([1.0, -2.0, 0.5], [0.25, 3.0, -1.0]);
        // The second bone hangs on the first.
        let second_world = plus(first_place, times(first, second_place));
        let point = [2.0, 3.0, -1.0];
        let in_first = back(first, minus(point, first_place));
        let in_second = back(second, back(first, minus(point, second_world)));
        let skeleton = move |file: &mut Document<'static>, off: [f64; 3]| {
            values::<Pivot>(file, "HIERARCHY/PIVOTS", |pivots| {
                // The root is the object's own place, whatever the file says.
                pivots[0].translation = Vec3::new(50.0, 60.0, 70.0);
                pivots[0].rotation = Quaternion::new(1.0, 0.0, 0.0, 0.0);
                (pivots[1].rotation, pivots[1].translation) = (first_turn, narrow(first_place));
                (pivots[2].rotation, pivots[2].translation) = (second_turn, narrow(second_place));
            });
            values::<Vec3>(file, "MESH[2]/VERTICES", |all| all.fill(narrow(in_first)));
            values::<Vec3>(file, "MESH[2]/SECONDARY_VERTICES", |all| {
                all.fill(narrow(in_second));
                all[5] = narrow(plus(in_second, off));
            });
        };
        let found = |off: [f64; 3]| is_found("W3D-SKIN-005", |file| skeleton(file, off));
        assert!(!found([0.0; 3]), "{first_axis:?} {second_axis:?}");
        // The point is the root of 14 away: 3.74 thousandths are allowed.
        for axis in 0..3 {
            let mut off = [0.0; 3];
            off[axis] = 0.0034;
            assert!(!found(off), "{axis}");
            off[axis] = 0.0041;
            assert!(found(off), "{axis}");
        }
        let off = |file: &mut Document<'static>| skeleton(file, [1.0, 0.0, 0.0]);
        place("W3D-SKIN-005", GAME, rich::document(), off, "MESH[2]/SECONDARY_VERTICES", 60..72);
        // Without a weight it does not matter where it is.
        assert!(!is_found("W3D-SKIN-005", |file| {
            skeleton(file, [1.0, 0.0, 0.0]);
            values::<VertexInfluence>(file, INFLUENCES, |all| all[5].weight = [100, 0].map(U16::new));
        }));
    }
}
