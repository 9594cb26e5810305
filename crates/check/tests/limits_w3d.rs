//! The rules of W3D at their limits: the last that is right and the first that is wrong, one cause at a time.

#[path = "rules/rich.rs"]
#[allow(dead_code, reason = "the other test uses all of it")]
mod rich;

mod limits_common;

use limits_common::{case, children, findings, messages_with, node, place, set, told, values};
use meshwright_check::{Document, Game};
use record::zerocopy::IntoBytes;
use record::{Chars, F32, Node, Quaternion, U16, U32, Vec3};
use w3d::build::{array, branch, bytes, record, text};
use w3d::names::*;
use w3d::records::*;
use w3d::table::*;

const GAME: Game = Game::Bfme2;
const HEADER: &str = "MESH/MESH_HEADER3";

/// Compares what a rule finds in the rich sample after a change.
#[track_caller]
fn rich_case(code: &str, change: impl FnOnce(&mut Document<'static>), expected: &[&str]) {
    case(code, GAME, rich::document(), change, expected);
}

/// Whether a rule finds anything in the rich sample after a change.
fn is_found(code: &str, change: impl FnOnce(&mut Document<'static>)) -> bool {
    let mut file = rich::document();
    change(&mut file);
    !findings(&file, GAME, code).is_empty()
}

fn name<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("short")
}

/// Gives the first mesh another collision tree: boxes with what they hold.
fn tree(nodes: &[(u32, u32)], indices: &[u32]) -> impl FnOnce(&mut Document<'static>) + use<> {
    let nodes: Vec<AabTreeNode> = nodes
        .iter()
        .map(|(front, back)| AabTreeNode {
            min: Vec3::new(-0.5, -0.5, -0.25),
            max: Vec3::new(0.5, 0.5, 0.25),
            front_or_poly0: U32::new(*front),
            back_or_poly_count: U32::new(*back),
        })
        .collect();
    let indices: Vec<U32> = indices.iter().map(|index| U32::new(*index)).collect();
    move |file| {
        set::<AabTreeHeader>(file, "MESH/AABTREE/AABTREE_HEADER", |header| {
            header.node_count.set(nodes.len() as u32);
            header.poly_count.set(12);
        });
        node(file, "MESH/AABTREE/AABTREE_POLYINDICES").set_values(&indices);
        node(file, "MESH/AABTREE/AABTREE_NODES").set_values(&nodes);
    }
}

const LEAF: u32 = 0x8000_0000;
const ALL: [u32; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

#[test]
fn collision_trees() {
    let found = |nodes: &[(u32, u32)], indices: &[u32]| {
        let mut file = rich::document();
        tree(nodes, indices)(&mut file);
        ["W3D-AABT-001", "W3D-AABT-002", "W3D-AABT-003"].map(|code| told(&file, GAME, code).join(";"))
    };
    assert_eq!(found(&[(LEAF, 12)], &ALL), ["", "", ""]);
    let two = [(1, 2), (LEAF, 5), (LEAF | 5, 7)];
    assert_eq!(found(&two, &ALL), ["", "", ""]);
    // Indices: one beyond, one twice, one missing.
    assert_eq!(found(&[(LEAF, 12)], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])[1], "found");
    assert_eq!(found(&[(LEAF, 12)], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10])[1], "found");
    assert_eq!(found(&[(LEAF, 11)], &ALL[..11]), ["found", "", ""]);
    // Nodes: one that is not there, one twice, one nowhere.
    assert_eq!(found(&[(1, 3), (LEAF, 5), (LEAF | 5, 7)], &ALL)[2], "found");
    assert_eq!(found(&[(1, 0), (LEAF, 12)], &ALL)[2], "found");
    assert_eq!(found(&[(LEAF, 12), (LEAF, 0)], &ALL)[2], "found");
    // Leaves: one beyond the indices, two that share, and one index that is in none.
    assert_eq!(found(&[(LEAF | 1, 12)], &ALL)[2], "found");
    assert_eq!(found(&[(1, 2), (LEAF, 6), (LEAF | 5, 7)], &ALL)[2], "found");
    assert_eq!(found(&[(LEAF, 11)], &ALL)[2], "found");
    assert!(is_found("W3D-AABT-003", tree(&[], &ALL)));
    // Counts of the header.
    let header = |nodes: u32, polygons: u32| {
        move |file: &mut Document<'static>| {
            set::<AabTreeHeader>(file, "MESH/AABTREE/AABTREE_HEADER", |header| {
                header.node_count.set(nodes);
                header.poly_count.set(polygons);
            });
        }
    };
    rich_case("W3D-AABT-001", header(1, 12), &[]);
    rich_case("W3D-AABT-001", header(2, 12), &["found"]);
    rich_case("W3D-AABT-001", header(1, 13), &["found"]);
    rich_case("W3D-AABT-001", |file| drop(children(file, "MESH/AABTREE").remove(0)), &["found"]);
}

/// The crate is from -0.5 to 0.5, and a quarter high. A box may be smaller by a ten-thousandth of its size, which is at least one.
#[test]
fn boxes_of_collision_trees() {
    let corner = |change: &dyn Fn(&mut AabTreeNode)| {
        is_found("W3D-AABT-004", |file| {
            values::<AabTreeNode>(file, "MESH/AABTREE/AABTREE_NODES", |nodes| change(&mut nodes[0]));
        })
    };
    for axis in 0..3 {
        let edge = [0.5, 0.5, 0.25][axis];
        for (off, found) in [(0.0, false), (0.00005, false), (0.00015, true), (1.0, true)] {
            let moved = |corner: Vec3, by: f32| {
                let mut corner = corner.get();
                corner[axis] = by;
                Vec3::from(corner)
            };
            assert_eq!(corner(&|node| node.max = moved(node.max, edge - off)), found, "max {axis} {off}");
            assert_eq!(corner(&|node| node.min = moved(node.min, off - edge)), found, "min {axis} {off}");
        }
        // The size is that of the longest axis: a hundred here, so that a hundredth is allowed.
        let other = (axis + 1) % 3;
        for (off, found) in [(0.009, false), (0.011, true)] {
            let wide = |node: &mut AabTreeNode| {
                let (mut low, mut high) = (node.min.get(), node.max.get());
                (low[axis], high[axis]) = (-100.0, 100.0);
                high[other] -= off;
                (node.min, node.max) = (low.into(), high.into());
            };
            assert_eq!(corner(&wide), found, "{axis} {off}");
        }
    }
    // A tree that is none is another rule's.
    assert!(!is_found("W3D-AABT-004", |file| {
        tree(&[(LEAF, 11)], &ALL)(file);
        values::<AabTreeNode>(file, "MESH/AABTREE/AABTREE_NODES", |nodes| nodes[0].max.x.set(0.0));
    }));
}

/// One triangle in the place of the first mesh's, with a plane.
fn plane(corners: [[f32; 3]; 3], normal: [f32; 3], dist: f32) -> impl FnOnce(&mut Document<'static>) {
    move |file| {
        values::<Vec3>(file, "MESH/VERTICES", |vertices| {
            corners.iter().zip(vertices).for_each(|(corner, vertex)| *vertex = (*corner).into());
        });
        values::<Triangle>(file, "MESH/TRIANGLES", |triangles| {
            // All the same, so that no other is looked at.
            for triangle in triangles {
                triangle.vindex = [0, 1, 2].map(U32::new);
                triangle.normal = normal.into();
                triangle.dist.set(dist);
            }
        });
    }
}

#[test]
fn planes_fit_their_corners() {
    let wrong = |corners, normal, dist| is_found("W3D-PLANE-002", plane(corners, normal, dist));
    let flat = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 10.0, 0.0]];
    let up = [0.0, 0.0, 1.0];
    assert!(!wrong(flat, up, 0.0));
    assert!(wrong(flat, [0.0, 0.0, -1.0], 0.0), "the other side");
    // The length of a normal is one, but for a fiftieth.
    for (length, found) in [(1.019, false), (1.021, true), (0.981, false), (0.979, true)] {
        assert_eq!(wrong(flat, [0.0, 0.0, length], 0.0), found, "{length}");
    }
    // Corners are on the plane, but for two thousandths of how far they are from the origin: 10 here.
    for (dist, found) in [(0.019, false), (0.021, true), (-0.019, false), (-0.021, true)] {
        assert_eq!(wrong(flat, up, dist), found, "{dist}");
    }
    // Nearer than one counts as one.
    let small = flat.map(|corner| corner.map(|part| part / 100.0));
    assert!(!wrong(small, up, 0.0019) && wrong(small, up, 0.0021));
    // A plane away from the origin, in each direction: the distance is that along the normal.
    for axis in 0..3 {
        let (mut normal, mut corners) = ([0.0; 3], [[0.0; 3]; 3]);
        normal[axis] = 1.0;
        for (corner, [u, v]) in corners.iter_mut().zip([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]) {
            (corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (7.0, u, v);
        }
        assert!(!wrong(corners, normal, 7.0), "{axis}");
        assert!(wrong(corners, normal, -7.0) && wrong(corners, normal, 0.0), "{axis}");
        assert!(wrong(corners, normal.map(|part| -part), -7.0), "{axis}: it faces the other way");
    }
    // Slanted ones: the edges (1, 2, 2) and (2, 1, -2) have the product (-6, 6, -3), which is 9 long.
    let slanted = [[3.0, 4.0, 5.0], [4.0, 6.0, 7.0], [5.0, 5.0, 3.0]];
    let third = 1.0 / 3.0;
    let normal = [-2.0 * third, 2.0 * third, -third];
    // (-2 · 3 + 2 · 4 - 5) / 3
    assert!(!wrong(slanted, normal, -1.0));
    for axis in 0..3 {
        let mut other = normal;
        other[axis] = -other[axis];
        assert!(wrong(slanted, other, -1.0), "{axis}");
    }
    // Of a thin triangle rounding turns the normal: it is judged by where its corners lie, unless it faces the other way.
    let thin = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 0.01, 0.0]];
    let (sin, cos) = 60_f32.to_radians().sin_cos();
    assert!(!wrong(thin, [0.0, sin, cos], 0.0));
    assert!(wrong(thin, [0.0, sin, -cos], 0.0));
    // One without area has no plane.
    let line = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]];
    assert!(!wrong(line, up, 5.0));
    assert!(!is_found("W3D-PLANE-001", plane(flat, up, 0.0)));
    rich_case("W3D-PLANE-001", plane(line, up, 5.0), &["found"]);
    for edge in [[1.0, 2.0, 4.0], [-3.0, 1.0, 0.5], [0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 2.0, 0.0]] {
        let along = [0.0, 1.0, 3.0].map(|far| edge.map(|part: f32| 1.0 + far * part));
        assert!(is_found("W3D-PLANE-001", plane(along, up, 0.0)), "{edge:?}");
    }
    for axis in 0..3 {
        let mut corners = [[1.0; 3]; 3];
        corners[1][axis] = 2.0;
        corners[2][(axis + 1) % 3] = 2.0;
        assert!(!is_found("W3D-PLANE-001", plane(corners, up, 0.0)), "{axis}");
        assert!(!is_found("W3D-PLANE-001", plane(slanted, up, 0.0)));
    }
    let flat_one = |file: &mut Document<'static>| {
        values::<Triangle>(file, "MESH/TRIANGLES", |all| all[1].vindex[1] = all[1].vindex[0]);
    };
    place("W3D-PLANE-001", GAME, rich::document(), flat_one, "MESH/TRIANGLES", 32..64);
    // Skins are in the space of their bones.
    for flags in [MeshFlags::GEOMETRY_SKIN, MeshFlags::OBSOLETE_SKIN] {
        assert!(!is_found("W3D-PLANE-002", |file| {
            plane(flat, up, 9.0)(file);
            set::<MeshHeader3>(file, HEADER, |header| header.attributes = flags);
        }));
    }
    assert!(!is_found("W3D-PLANE-002", |file| {
        plane(flat, up, 9.0)(file);
        children(file, "MESH").push(array(&VERTEX_INFLUENCES, &[VertexInfluence::default(); 24]));
    }));
    let second = |file: &mut Document<'static>| {
        values::<Triangle>(file, "MESH/TRIANGLES", |triangles| triangles[1].dist.set(9.0));
    };
    place("W3D-PLANE-002", GAME, rich::document(), second, "MESH/TRIANGLES", 32..64);
}

/// Bounds may be exceeded by a thousandth of their size.
#[test]
fn bounds_enclose_vertices() {
    let bounds = |low: [f32; 3], high: [f32; 3], center: [f32; 3], radius: f32| {
        move |file: &mut Document<'static>| {
            set::<MeshHeader3>(file, HEADER, |header| {
                (header.min, header.max, header.sph_center) = (low.into(), high.into(), center.into());
                header.sph_radius.set(radius);
            });
        }
    };
    let outside = |low, high, center, radius| is_found("W3D-PLANE-003", bounds(low, high, center, radius));
    let (low, high) = ([-0.5, -0.5, -0.25], [0.5, 0.5, 0.25]);
    assert!(!outside(low, high, [0.0; 3], 0.75));
    for axis in 0..3 {
        for (off, found) in [(0.0004, false), (0.0006, true)] {
            let (mut below, mut above) = (low, high);
            below[axis] += off;
            above[axis] -= off;
            assert_eq!(outside(below, high, [0.0; 3], 0.75), found, "{axis} {off}");
            assert_eq!(outside(low, above, [0.0; 3], 0.75), found, "{axis} {off}");
        }
        // A box that is a hundred long is allowed a tenth.
        let (mut long, other) = (high, (axis + 1) % 3);
        long[axis] = 100.0;
        for (off, found) in [(0.09, false), (0.11, true)] {
            let mut long = long;
            long[other] -= off;
            assert_eq!(outside(low, long, [0.0; 3], 0.75), found, "{axis} {off}");
        }
    }
    // The corners are at the root of 0.25 + 0.25 + 0.0625 from the middle: 0.75.
    assert!(!outside(low, high, [0.0; 3], 0.7496) && outside(low, high, [0.0; 3], 0.7494));
    assert!(outside(low, high, [1.0, 0.0, 0.0], 0.75));
    let inside_out = |low, high, radius| is_found("W3D-PLANE-004", bounds(low, high, [0.0; 3], radius));
    assert!(!inside_out([0.0; 3], [0.0; 3], 0.0));
    assert!(inside_out([0.0; 3], [0.0; 3], -0.1));
    for axis in 0..3 {
        let mut low = [0.0; 3];
        low[axis] = 0.1;
        assert!(inside_out(low, [0.0; 3], 1.0), "{axis}");
    }
}

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
    rich_case("W3D-SKIN-002", influence([2, 2], [50, 50]), &[]);
    rich_case("W3D-SKIN-002", influence([3, 2], [50, 50]), &["found"]);
    rich_case("W3D-SKIN-002", influence([1, 3], [99, 1]), &["found"]);
    rich_case("W3D-SKIN-002", influence([1, 3], [100, 0]), &[]);
    place("W3D-SKIN-002", GAME, rich::document(), influence([3, 3], [1, 1]), INFLUENCES, 24..32);
    for (weights, expected) in [
        ([100, 0], &[][..]),
        ([60, 40], &[]),
        ([0, 0], &[]),
        ([60, 39], &["found"]),
        ([60, 41], &["found"]),
        ([1, 0], &["found"]),
    ] {
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
    let tt = |code: &str, bones, weights, expected: &[&str]| {
        case(code, Game::Tt5, rich::document(), extended(bones, weights), expected);
    };
    tt("W3D-SKIN-002", [0, 1, 2, 2], [20000; 3], &[]);
    tt("W3D-SKIN-002", [0, 1, 2, 3], [20000; 3], &["found"]);
    tt("W3D-SKIN-002", [3, 1, 2, 2], [1, 65534, 0], &["found"]);
    tt("W3D-SKIN-002", [3, 1, 2, 3], [0, 65535, 0], &[]);
    tt("W3D-SKIN-006", [0; 4], [65535, 0, 0], &[]);
    tt("W3D-SKIN-006", [0; 4], [65535, 1, 0], &["found"]);
    let path = "MESH[2]/VERTEX_INFLUENCES_EXTENDED";
    place("W3D-SKIN-002", Game::Tt5, rich::document(), extended([3; 4], [1; 3]), path, 28..42);
    place("W3D-SKIN-006", Game::Tt5, rich::document(), extended([0; 4], [65535, 1, 0]), path, 28..42);
    rich_case("W3D-SKIN-001", extended([0; 4], [1; 3]), &[]);
}

#[test]
fn skins_and_what_they_hang_on() {
    let flags = |mesh: &'static str, flags: MeshFlags| {
        move |file: &mut Document<'static>| set::<MeshHeader3>(file, mesh, |header| header.attributes = flags)
    };
    rich_case("W3D-SKIN-001", flags("MESH[2]/MESH_HEADER3", MeshFlags::new(0)), &[]);
    rich_case("W3D-SKIN-009", flags("MESH[2]/MESH_HEADER3", MeshFlags::new(0)), &["found"]);
    rich_case("W3D-SKIN-009", flags("MESH[2]/MESH_HEADER3", MeshFlags::OBSOLETE_SKIN), &[]);
    rich_case("W3D-SKIN-001", flags("MESH[2]/MESH_HEADER3", MeshFlags::OBSOLETE_SKIN), &[]);
    rich_case("W3D-SKIN-001", flags(HEADER, MeshFlags::OBSOLETE_SKIN), &["found"]);
    let secondary = |count: usize, chunk: u32| {
        move |file: &mut Document<'static>| {
            let part =
                children(file, "MESH[2]").iter_mut().find(|part| part.id == chunk).expect("it is there");
            part.set_values(&vec![Vec3::default(); count]);
        }
    };
    for chunk in [0xC00, 0xC01] {
        rich_case("W3D-SKIN-004", secondary(23, chunk), &["found"]);
        rich_case("W3D-SKIN-004", secondary(25, chunk), &["found"]);
        // Without a second bone none is needed.
        rich_case(
            "W3D-SKIN-004",
            |file| {
                secondary(23, chunk)(file);
                values::<VertexInfluence>(file, INFLUENCES, |all| {
                    all.iter_mut().for_each(|one| one.weight = [100, 0].map(U16::new));
                });
            },
            &[],
        );
    }
    let bone = |bone: u32| {
        move |file: &mut Document<'static>| {
            let path = "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT[3]";
            set::<HlodSubObject>(file, path, |object| object.bone_index.set(bone));
        }
    };
    rich_case("W3D-SKIN-007", bone(0), &[]);
    rich_case("W3D-SKIN-007", bone(1), &["found"]);
    // A hundred vertices and more, in runs of one bone that are shorter than two.
    for (vertices, bones, expected) in [
        (100, [0, 0, 1, 1], &[][..]),
        (100, [0, 1, 1, 1], &[]),
        (100, [0, 1, 0, 1], &["found"]),
        (99, [0, 1, 0, 1], &[]),
    ] {
        case(
            "W3D-SKIN-008",
            Game::Renegade,
            rich::document(),
            |file| {
                let one = VertexInfluence::default();
                let mut all = vec![one; vertices];
                all.iter_mut().enumerate().for_each(|(at, one)| one.bone_idx[0].set(bones[at % 4]));
                node(file, INFLUENCES).set_values(&all);
            },
            expected,
        );
    }
    // 51 runs of 100: one more than half.
    for (singles, expected) in [(0, &[][..]), (2, &["found"])] {
        case(
            "W3D-SKIN-008",
            Game::Renegade,
            rich::document(),
            |file| {
                let mut all = vec![VertexInfluence::default(); 100];
                for (at, one) in all.iter_mut().enumerate() {
                    one.bone_idx[0].set(u16::try_from(at / 2 % 2).expect("small"));
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
    [0, 1, 2].map(|at| matrix[0][at] * x + matrix[1][at] * y + matrix[2][at] * z)
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

#[test]
fn values_of_shaders() {
    type Change = fn(&mut Shader, u8);
    let fields: [(Change, u8, u8); 10] = [
        (|shader, value| shader.depth_compare = DepthCompare::new(value), 7, 7),
        (|shader, value| shader.depth_mask = DepthMask::new(value), 1, 1),
        (|shader, value| shader.dest_blend = DestBlend::new(value), 6, 6),
        (|shader, value| shader.src_blend = SrcBlend::new(value), 3, 3),
        (|shader, value| shader.pri_gradient = PriGradient::new(value), 3, 5),
        (|shader, value| shader.sec_gradient = SecGradient::new(value), 1, 1),
        (|shader, value| shader.texturing = Texturing::new(value), 1, 1),
        (|shader, value| shader.detail_color_func = DetailColorFunc::new(value), 8, 12),
        (|shader, value| shader.detail_alpha_func = DetailAlphaFunc::new(value), 3, 3),
        (|shader, value| shader.alpha_test = AlphaTest::new(value), 1, 1),
    ];
    for (change, old, new) in fields {
        for (game, last) in
            [(Game::Renegade, old), (Game::Generals, old), (Game::ZeroHour, new), (Game::Bfme2, new)]
        {
            for (value, expected) in [(last, vec![]), (last + 1, vec!["found"])] {
                let mut file = rich::document();
                values::<Shader>(&mut file, "MESH/SHADERS", |shaders| change(&mut shaders[0], value));
                assert_eq!(told(&file, game, "W3D-GAME-003"), expected, "{game:?}");
            }
        }
    }
    let second = |file: &mut Document<'static>| {
        let one = node(file, "MESH/SHADERS").values::<Shader>()[0];
        let strange = Shader { alpha_test: AlphaTest::new(2), ..one };
        node(file, "MESH/SHADERS").set_values(&[one, strange]);
    };
    place("W3D-GAME-003", GAME, rich::document(), second, "MESH/SHADERS", 16..32);
    let surface = |file: &mut Document<'static>| {
        values::<Triangle>(file, "MESH/TRIANGLES", |all| all[1].attributes = SurfaceType::new(200));
    };
    rich_case("W3D-GAME-005", surface, &["found"]);
    place("W3D-GAME-005", GAME, rich::document(), surface, "MESH/TRIANGLES", 32..64);
    let byte = |value: u32| {
        move |file: &mut Document<'static>| {
            values::<Triangle>(file, "MESH/TRIANGLES", |all| all[1].attributes = SurfaceType::new(value));
        }
    };
    rich_case("W3D-MESH-007", byte(255), &[]);
    rich_case("W3D-MESH-007", byte(256), &["found"]);
    place("W3D-MESH-007", GAME, rich::document(), byte(256), "MESH/TRIANGLES", 32..64);
}

const OPENING: &str = "ANIMATION/ANIMATION_CHANNEL";
const BITS: &str = "ANIMATION/BIT_CHANNEL";
const KEYED: &str = "COMPRESSED_ANIMATION/COMPRESSED_ANIMATION_CHANNEL";
const TURN: &str = "COMPRESSED_ANIMATION/COMPRESSED_ANIMATION_CHANNEL[1]";
const SWITCHES: &str = "COMPRESSED_ANIMATION/COMPRESSED_BIT_CHANNEL";
const DELTA: &str = "COMPRESSED_ANIMATION[1]/COMPRESSED_ANIMATION_CHANNEL";
const MOTION: &str = "COMPRESSED_ANIMATION[2]/COMPRESSED_ANIMATION_MOTION_CHANNEL";

/// Three bones; each form of channel says in its own header which one it moves.
#[test]
fn channels_move_bones_that_are_there() {
    for bone in [2, 3] {
        let expected: &[&str] = if bone == 2 { &[] } else { &["found"] };
        rich_case(
            "W3D-CHAN-001",
            |file| set::<AnimationChannel>(file, OPENING, |it| it.pivot.set(bone)),
            expected,
        );
        rich_case("W3D-CHAN-001", |file| set::<BitChannel>(file, BITS, |it| it.pivot.set(bone)), expected);
        rich_case(
            "W3D-CHAN-001",
            |file| set::<TimeCodedChannel>(file, KEYED, |it| it.pivot.set(bone)),
            expected,
        );
        rich_case(
            "W3D-CHAN-001",
            |file| set::<CompressedBitChannel>(file, SWITCHES, |it| it.pivot.set(bone)),
            expected,
        );
        rich_case(
            "W3D-CHAN-001",
            |file| set::<AdaptiveDeltaChannel>(file, DELTA, |it| it.pivot.set(bone)),
            expected,
        );
        rich_case(
            "W3D-CHAN-001",
            |file| set::<MotionChannel>(file, MOTION, |it| it.pivot.set(bone)),
            expected,
        );
    }
}

/// Eleven frames, 0 to 10.
#[test]
fn frames_of_channels() {
    let raw = |first: u16, last: u16| {
        move |file: &mut Document<'static>| {
            set::<AnimationChannel>(file, OPENING, |it| {
                it.first_frame.set(first);
                it.last_frame.set(last);
            });
        }
    };
    rich_case("W3D-CHAN-002", raw(0, 10), &[]);
    rich_case("W3D-CHAN-002", raw(10, 10), &[]);
    rich_case("W3D-CHAN-002", raw(0, 11), &["found"]);
    rich_case("W3D-CHAN-002", raw(6, 5), &["found"]);
    let bits = |last: u16| {
        move |file: &mut Document<'static>| set::<BitChannel>(file, BITS, |it| it.last_frame.set(last))
    };
    rich_case("W3D-CHAN-002", bits(10), &[]);
    rich_case("W3D-CHAN-002", bits(11), &["found"]);
    let key = |frame: u32| {
        move |file: &mut Document<'static>| {
            values::<TimeCodedKey1>(file, KEYED, |keys| keys[2].time_code.set(frame));
        }
    };
    rich_case("W3D-CHAN-002", key(10), &[]);
    rich_case("W3D-CHAN-002", key(11), &["found"]);
    // Times ascend, and the first is 0.
    rich_case("W3D-CHAN-007", key(6), &[]);
    rich_case("W3D-CHAN-007", key(5), &["found"]);
    rich_case("W3D-CHAN-007", key(4), &["found"]);
    let first = |frame: u32| {
        move |file: &mut Document<'static>| {
            values::<TimeCodedKey1>(file, KEYED, |keys| keys[0].time_code.set(frame));
        }
    };
    rich_case("W3D-CHAN-008", first(0), &[]);
    rich_case("W3D-CHAN-008", first(1), &["found"]);
    let switch = |first: u32, second: u32| {
        move |file: &mut Document<'static>| {
            values::<U32>(file, SWITCHES, |all| {
                all[0].set(0x8000_0000 | first);
                all[1].set(second);
            });
        }
    };
    rich_case("W3D-CHAN-007", switch(5, 5), &["found"]);
    rich_case("W3D-CHAN-002", switch(0, 11), &["found"]);
    // Bits have a value before the first.
    rich_case("W3D-CHAN-008", switch(3, 5), &[]);
}

#[test]
fn types_of_channels() {
    for (kind, length, euler, unknown) in [
        (0, Some(1), false, false),
        (1, Some(1), false, false),
        (2, Some(1), false, false),
        (3, Some(1), true, false),
        (4, Some(1), true, false),
        (5, Some(1), true, false),
        (6, Some(4), false, false),
        (7, None, false, true),
        (14, None, false, true),
        (15, Some(1), false, false),
        (16, None, false, true),
    ] {
        for components in [1, 3, 4] {
            let channel = |file: &mut Document<'static>| {
                set::<TimeCodedChannel>(file, KEYED, |it| {
                    it.flags = ChannelType8::new(kind);
                    it.vector_len = components;
                });
            };
            let wrong = length.is_some_and(|length: u8| length != components);
            assert_eq!(is_found("W3D-CHAN-003", channel), wrong, "{components} floats of type {kind}");
            assert_eq!(is_found("W3D-CHAN-012", channel), euler, "type {kind}");
            assert_eq!(is_found("W3D-CHAN-013", channel), unknown, "type {kind}");
        }
    }
    // Each form of channel has its length in its own header.
    let lengths: [fn(&mut Document<'static>); 3] = [
        |file| set::<AnimationChannel>(file, OPENING, |it| it.vector_len.set(3)),
        |file| set::<AdaptiveDeltaChannel>(file, DELTA, |it| it.vector_len = 3),
        |file| set::<MotionChannel>(file, MOTION, |it| it.vector_len = 3),
    ];
    for change in lengths {
        assert!(is_found("W3D-CHAN-003", change));
    }
}

/// How many values each form says that it has, and how many it holds.
#[test]
fn lengths_of_channels() {
    let cut = |path: &'static str, bytes: usize| {
        move |file: &mut Document<'static>| {
            let body = node(file, path).bytes_mut().expect("a leaf");
            body.truncate(body.len() - bytes);
        }
    };
    // Eleven rotations of four floats.
    rich_case("W3D-CHAN-004", cut(OPENING, 0), &[]);
    rich_case("W3D-CHAN-004", cut(OPENING, 4), &["found"]);
    rich_case("W3D-CHAN-004", cut(OPENING, 176), &["found"]);
    // Eleven bits are two bytes; sixteen are two as well, seventeen are three.
    rich_case("W3D-CHAN-004", cut(BITS, 1), &["found"]);
    let bits = |last: u16| {
        move |file: &mut Document<'static>| set::<BitChannel>(file, BITS, |it| it.last_frame.set(last))
    };
    rich_case("W3D-CHAN-004", bits(15), &[]);
    rich_case("W3D-CHAN-004", bits(16), &["found"]);
    rich_case("W3D-CHAN-004", cut(KEYED, 4), &["found"]);
    rich_case("W3D-CHAN-004", cut(TURN, 4), &["found"]);
    rich_case("W3D-CHAN-004", cut(SWITCHES, 4), &["found"]);
    // One packet of sixteen differences for eleven frames; three spare bytes stand behind it.
    rich_case("W3D-CHAN-004", cut(DELTA, 3), &[]);
    rich_case("W3D-CHAN-004", cut(DELTA, 4), &["found"]);
    let frames = |count: u32| {
        move |file: &mut Document<'static>| {
            set::<AdaptiveDeltaChannel>(file, DELTA, |it| it.num_frames.set(count));
        }
    };
    rich_case("W3D-CHAN-004", frames(16), &[]);
    rich_case("W3D-CHAN-004", frames(17), &["found"]);
    rich_case("W3D-CHAN-009", cut(DELTA, 0), &[]);
    rich_case("W3D-CHAN-009", cut(DELTA, 1), &["found"]);
    rich_case("W3D-CHAN-009", cut(DELTA, 3), &["found"]);
    // Three times and three values.
    rich_case("W3D-CHAN-004", cut(MOTION, 4), &["found"]);
    // Motion channels of differences: one packet of four or eight bits for up to sixteen keys.
    for (flavor, packet) in [(1, 9), (2, 17)] {
        for (keys, packets, expected) in
            [(16, 1, &[][..]), (17, 1, &["found"]), (17, 2, &[]), (3, 0, &["found"])]
        {
            rich_case(
                "W3D-CHAN-004",
                |file| {
                    let header = MotionChannel {
                        flavor: MotionFlavor::new(flavor),
                        vector_len: 1,
                        flags: ChannelType8::Z,
                        num_time_codes: U16::new(keys),
                        pivot: 1.into(),
                        ..MotionChannel::default()
                    };
                    let body = [header.as_bytes(), &[0; 8], &vec![0; packets * packet]].concat();
                    *node(file, MOTION) = bytes(&COMPRESSED_ANIMATION_MOTION_CHANNEL, body);
                },
                expected,
            );
        }
    }
    rich_case(
        "W3D-CHAN-005",
        |file| node(file, OPENING).bytes_mut().expect("a leaf").extend([0; 4]),
        &["found"],
    );
}

#[test]
fn two_channels_of_one_thing() {
    let another = |path: &'static str, change: fn(&mut Node<'static>)| {
        move |file: &mut Document<'static>| {
            let mut twice = node(file, path).clone();
            change(&mut twice);
            let parent = path.split('/').next().expect("an animation");
            children(file, parent).push(twice);
        }
    };
    rich_case("W3D-CHAN-006", another(OPENING, |_| {}), &["found"]);
    rich_case("W3D-CHAN-006", another(BITS, |_| {}), &["found"]);
    // Another bone, another property, or another animation is no double; nor are bits and floats of visibility.
    rich_case(
        "W3D-CHAN-006",
        another(OPENING, |it| it.value_mut::<AnimationChannel>().expect("a header").pivot.set(1)),
        &[],
    );
    rich_case(
        "W3D-CHAN-006",
        another(OPENING, |it| it.value_mut::<AnimationChannel>().expect("a header").flags = ChannelType::X),
        &[],
    );
    rich_case(
        "W3D-CHAN-006",
        another(OPENING, |it| it.value_mut::<AnimationChannel>().expect("a header").flags = ChannelType::VIS),
        &[],
    );
    rich_case(
        "W3D-CHAN-006",
        |file| {
            let twice = node(file, "ANIMATION").clone();
            children(file, "").push(twice);
        },
        &[],
    );
}

/// Keys may be longer or shorter than one by a hundredth. Stored differences drift, and are allowed a twentieth.
#[test]
fn rotations_of_channels() {
    let keyed = |w: f32| {
        is_found("W3D-CHAN-011", |file| {
            values::<TimeCodedKey4>(file, TURN, |keys| keys[0].value[3].set(w));
        })
    };
    assert!(!keyed(1.009) && keyed(1.011) && !keyed(-0.991) && keyed(0.989));
    let raw = |w: f32| {
        is_found("W3D-CHAN-011", |file| {
            // The first frame does not turn: (0, 0, 0, 1).
            let body = node(file, OPENING).bytes_mut().expect("a leaf");
            body[12 + 12..12 + 16].copy_from_slice(&w.to_le_bytes());
        })
    };
    assert!(!raw(1.009) && raw(1.011));
    let delta = |w: f32| {
        is_found("W3D-CHAN-011", |file| {
            let header = AdaptiveDeltaChannel {
                num_frames: 1.into(),
                pivot: 1.into(),
                vector_len: 4,
                flags: ChannelType8::Q,
                scale: F32::new(0.0),
            };
            let start = [0.0, 0.0, 0.0, w].map(F32::new);
            let body = [header.as_bytes(), start.as_bytes(), &[0; 4 * 9], &[1, 2, 3]].concat();
            *node(file, DELTA) = Node::leaf(&ADAPTIVE_DELTA_CHANNEL, 0x282, body);
        })
    };
    assert!(!delta(1.04) && delta(1.06));
}

#[test]
fn keys_that_change_nothing() {
    let keys = |keys: &'static [(u32, f32)]| {
        let keys: Vec<TimeCodedKey1> = keys
            .iter()
            .map(|(time, value)| TimeCodedKey1 { time_code: U32::new(*time), value: [F32::new(*value)] })
            .collect();
        move |file: &mut Document<'static>| {
            let header = TimeCodedChannel {
                num_time_codes: U32::new(keys.len() as u32),
                pivot: 1.into(),
                vector_len: 1,
                flags: ChannelType8::X,
            };
            let body = [header.as_bytes(), keys.as_bytes()].concat();
            *node(file, KEYED) = bytes(&COMPRESSED_ANIMATION_CHANNEL, body);
        }
    };
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0), (10, 1.0)]), &["found"]);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (3, 1.0), (5, 1.0), (10, 1.0)]), &["found"]);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0), (10, 2.0)]), &[]);
    rich_case("W3D-CHAN-014", keys(&[(0, 2.0), (5, 1.0), (10, 1.0)]), &[]);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0)]), &[]);
    rich_case("W3D-CHAN-014", keys(&[]), &[]);
    // Keys without any value are no keys of the same value.
    let bare = |file: &mut Document<'static>| {
        let header = TimeCodedChannel {
            num_time_codes: 3.into(),
            pivot: 1.into(),
            vector_len: 0,
            flags: ChannelType8::X,
        };
        let times = [0, 5, 10].map(U32::new);
        *node(file, KEYED) =
            bytes(&COMPRESSED_ANIMATION_CHANNEL, [header.as_bytes(), times.as_bytes()].concat());
    };
    rich_case("W3D-CHAN-014", bare, &[]);
    // A step holds the value before it; times that do not ascend are another rule's.
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (0x8000_0005, 1.0), (10, 1.0)]), &[]);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0), (0x8000_000A, 1.0)]), &[]);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0), (5, 1.0)]), &[]);
    let switches = |switches: &'static [u32]| {
        let switches: Vec<U32> = switches.iter().map(|word| U32::new(*word)).collect();
        move |file: &mut Document<'static>| {
            let header = CompressedBitChannel {
                num_time_codes: U32::new(switches.len() as u32),
                pivot: 2.into(),
                flags: BitChannelType8::VIS,
                default_val: 1,
            };
            let body = [header.as_bytes(), switches.as_bytes()].concat();
            *node(file, SWITCHES) = bytes(&COMPRESSED_BIT_CHANNEL, body);
        }
    };
    const ON: u32 = 0x8000_0000;
    rich_case("W3D-CHAN-014", switches(&[ON, 5, ON | 7]), &[]);
    rich_case("W3D-CHAN-014", switches(&[ON, ON | 5, 7]), &["found"]);
    rich_case("W3D-CHAN-014", switches(&[ON, 5, 7]), &["found"]);
    rich_case("W3D-CHAN-014", switches(&[ON, 5, 5]), &[]);
    rich_case("W3D-CHAN-010", |file| set::<MotionChannel>(file, MOTION, |it| it.zero = 1), &["found"]);
}

#[test]
fn animations() {
    let header = |frames: u32, rate: u32| {
        move |file: &mut Document<'static>| {
            set::<AnimationHeader>(file, "ANIMATION/ANIMATION_HEADER", |header| {
                header.num_frames.set(frames);
                header.frame_rate.set(rate);
            });
        }
    };
    rich_case("W3D-ANIM-001", header(11, 1), &[]);
    rich_case("W3D-ANIM-001", header(11, 0), &["found"]);
    rich_case("W3D-ANIM-002", header(1, 15), &[]);
    rich_case("W3D-ANIM-002", header(0, 15), &["found"]);
    // Without a header there is no rate to be wrong.
    for code in ["W3D-ANIM-001", "W3D-ANIM-002"] {
        rich_case(code, |file| drop(children(file, "ANIMATION").remove(0)), &[]);
        let compressed = |file: &mut Document<'static>| {
            let path = "COMPRESSED_ANIMATION/COMPRESSED_ANIMATION_HEADER";
            set::<CompressedAnimationHeader>(file, path, |header| {
                header.num_frames.set(0);
                header.frame_rate.set(0);
            });
        };
        rich_case(code, compressed, &["found"]);
    }
    let channels = |count: u32| {
        move |file: &mut Document<'static>| {
            let path = "MORPH_ANIMATION/MORPHANIM_HEADER";
            set::<MorphAnimHeader>(file, path, |header| header.channel_count.set(count));
        }
    };
    rich_case("W3D-ANIM-005", channels(1), &[]);
    rich_case("W3D-ANIM-005", channels(0), &["found"]);
    rich_case("W3D-ANIM-005", channels(2), &["found"]);
    // Every animation that waits for the skeleton is told: four of them.
    assert_eq!(
        {
            let mut file = rich::document();
            let at = children(&mut file, "").iter().position(|child| child.is(&HIERARCHY)).expect("one");
            let skeleton = children(&mut file, "").remove(at);
            children(&mut file, "").push(skeleton);
            findings(&file, GAME, "W3D-ANIM-003").len()
        },
        4
    );
    // A skeleton that is nowhere in the file is not waited for.
    rich_case("W3D-ANIM-003", |file| children(file, "").retain(|child| !child.is(&HIERARCHY)), &[]);
}

#[test]
fn skeletons() {
    let pivots = |change: fn(&mut [Pivot])| {
        move |file: &mut Document<'static>| values::<Pivot>(file, "HIERARCHY/PIVOTS", change)
    };
    for (count, expected) in [(3, &[][..]), (2, &["found"]), (4, &["found"])] {
        let path = "HIERARCHY/HIERARCHY_HEADER";
        rich_case(
            "W3D-HIER-001",
            |file| set::<HierarchyHeader>(file, path, |header| header.num_pivots.set(count)),
            expected,
        );
    }
    rich_case("W3D-HIER-002", pivots(|it| it[0].parent_idx.set(1)), &["found"]);
    rich_case("W3D-HIER-002", pivots(|it| it[2].parent_idx.set(u32::MAX)), &["found"]);
    rich_case("W3D-HIER-003", pivots(|it| it[2].parent_idx.set(1)), &[]);
    rich_case("W3D-HIER-003", pivots(|it| it[2].parent_idx.set(2)), &["found"]);
    rich_case("W3D-HIER-003", pivots(|it| it[1].parent_idx.set(1)), &["found"]);
    rich_case("W3D-HIER-003", pivots(|it| it[0].parent_idx.set(0)), &[]);
    let path = "HIERARCHY/PIVOTS";
    place("W3D-HIER-002", GAME, rich::document(), pivots(|it| it[1].parent_idx.set(u32::MAX)), path, 60..120);
    place("W3D-HIER-003", GAME, rich::document(), pivots(|it| it[1].parent_idx.set(2)), path, 60..120);
    for (w, found) in [(1.009, false), (1.011, true), (-0.991, false), (0.989, true)] {
        let change = |file: &mut Document<'static>| {
            values::<Pivot>(file, path, |it| it[1].rotation = Quaternion::new(0.0, 0.0, 0.0, w));
        };
        assert_eq!(is_found("W3D-HIER-005", change), found, "{w}");
        if found {
            place("W3D-HIER-005", GAME, rich::document(), change, path, 60..120);
        }
    }
    // The root is the object's own place.
    assert!(!is_found("W3D-HIER-005", pivots(|it| it[0].rotation = Quaternion::new(0.0, 0.0, 0.0, 9.0))));
    for (count, expected) in [(3, &[][..]), (2, &["found"]), (4, &["found"])] {
        rich_case(
            "W3D-HIER-004",
            |file| children(file, "HIERARCHY").push(bytes(&PIVOT_FIXUPS, vec![0; 48 * count])),
            expected,
        );
    }
    for (version, old) in [(Version::new(2, 9), true), (Version::new(3, 0), false)] {
        let header = |file: &mut Document<'static>| {
            set::<HierarchyHeader>(file, "HIERARCHY/HIERARCHY_HEADER", |header| header.version = version);
        };
        assert_eq!(is_found("W3D-HIER-006", header), old, "{version:?}");
        // An old one has no root.
        assert_eq!(
            is_found("W3D-HIER-002", |file| {
                header(file);
                values::<Pivot>(file, path, |it| it[1].parent_idx.set(u32::MAX));
            }),
            !old
        );
    }
}

#[test]
fn meshes() {
    let header = |change: fn(&mut MeshHeader3)| {
        move |file: &mut Document<'static>| set::<MeshHeader3>(file, HEADER, change)
    };
    rich_case("W3D-MESH-002", header(|it| it.num_tris.set(1)), &[]);
    rich_case("W3D-MESH-002", header(|it| it.num_tris.set(0)), &["found"]);
    rich_case("W3D-MESH-002", header(|it| it.num_vertices.set(0)), &["found"]);
    rich_case("W3D-MESH-006", header(|it| it.num_vertices.set(65535)), &[]);
    rich_case("W3D-MESH-006", header(|it| it.num_vertices.set(65536)), &["found"]);
    let index = |index: u32| {
        move |file: &mut Document<'static>| {
            values::<Triangle>(file, "MESH/TRIANGLES", |all| all[1].vindex[2].set(index));
        }
    };
    rich_case("W3D-MESH-005", index(23), &[]);
    rich_case("W3D-MESH-005", index(24), &["found"]);
    place("W3D-MESH-005", GAME, rich::document(), index(24), "MESH/TRIANGLES", 32..64);
    let sub = "SHDMESH/SHDSUBMESH/SHDSUBMESH_TRIANGLES";
    let shader = |index: u16| {
        move |file: &mut Document<'static>| {
            values::<[U16; 3]>(file, sub, |all| all[0][2].set(index));
        }
    };
    rich_case("W3D-MESH-005", shader(2), &[]);
    rich_case("W3D-MESH-005", shader(3), &["found"]);
    place("W3D-MESH-005", GAME, rich::document(), shader(3), sub, 0..6);
    let shade = |index: u32| {
        move |file: &mut Document<'static>| {
            values::<U32>(file, "MESH/VERTEX_SHADE_INDICES", |all| all[7].set(index));
        }
    };
    rich_case("W3D-MESH-009", shade(23), &[]);
    rich_case("W3D-MESH-009", shade(24), &["found"]);
    place("W3D-MESH-009", GAME, rich::document(), shade(24), "MESH/VERTEX_SHADE_INDICES", 28..32);
    // Arrays with an element too few, of meshes, of stages in them, and of shader meshes.
    for (path, size, code, expected) in [
        ("MESH/VERTICES", 12, "W3D-MESH-003", "found"),
        ("MESH/VERTEX_NORMALS", 12, "W3D-MESH-003", "found"),
        ("MESH/MATERIAL_PASS/TEXTURE_STAGE/STAGE_TEXCOORDS", 8, "W3D-MESH-003", "found"),
        ("MESH/TRIANGLES", 32, "W3D-MESH-004", "found"),
        ("SHDMESH/SHDSUBMESH/SHDSUBMESH_VERTICES", 12, "W3D-MESH-003", "found"),
        (sub, 6, "W3D-MESH-004", "found"),
    ] {
        rich_case(
            code,
            |file| {
                let body = node(file, path).bytes_mut().expect("a leaf");
                body.truncate(body.len() - size);
            },
            &[expected],
        );
    }
    // Arrays that must be there.
    let without =
        |id: u32| move |file: &mut Document<'static>| children(file, "MESH").retain(|part| part.id != id);
    rich_case("W3D-MESH-003", without(ids::VERTICES), &["found"]);
    rich_case("W3D-MESH-004", without(ids::TRIANGLES), &["found"]);
    let empty = |file: &mut Document<'static>| {
        set::<MeshHeader3>(file, HEADER, |it| {
            it.num_tris.set(0);
            it.num_vertices.set(0);
        });
        children(file, "MESH").truncate(1);
    };
    rich_case("W3D-MESH-003", empty, &[]);
    rich_case("W3D-MESH-004", empty, &[]);
    let damage = |vertices: u32, colors: u32| {
        move |file: &mut Document<'static>| {
            set::<DamageHeader>(file, "MESH[1]/DAMAGE/DAMAGE_HEADER", |header| {
                header.num_damage_verts.set(vertices);
                header.num_damage_colors.set(colors);
            });
        }
    };
    rich_case("W3D-MESH-010", damage(1, 1), &[]);
    rich_case("W3D-MESH-010", damage(0, 1), &["found"]);
    rich_case("W3D-MESH-010", damage(1, 2), &["found"]);
    rich_case(
        "W3D-MESH-010",
        |file| children(file, "MESH[1]/DAMAGE").retain(|part| !part.is(&DAMAGE_COLORS)),
        &["found"],
    );
    let subs = |count: u32| {
        move |file: &mut Document<'static>| {
            set::<ShdMeshHeader>(file, "SHDMESH/SHDMESH_HEADER", |header| header.num_sub_meshes.set(count));
        }
    };
    rich_case("W3D-MESH-011", subs(1), &[]);
    rich_case("W3D-MESH-011", subs(2), &["found"]);
    rich_case("W3D-MESH-011", |file| children(file, "SHDMESH").truncate(1), &["found"]);
}

const INFO: &str = "MESH/MATERIAL_INFO";

#[test]
fn counts_of_materials() {
    let passes = |count: usize| {
        move |file: &mut Document<'static>| {
            let pass = node(file, "MESH/MATERIAL_PASS").clone();
            children(file, "MESH").extend(vec![pass; count - 1]);
            set::<MaterialInfo>(file, INFO, |info| info.pass_count.set(count as u32));
        }
    };
    rich_case("W3D-MAT-002", passes(4), &[]);
    rich_case("W3D-MAT-002", passes(5), &["found"]);
    rich_case("W3D-MAT-001", passes(2), &[]);
    rich_case(
        "W3D-MAT-001",
        |file| set::<MaterialInfo>(file, INFO, |info| info.pass_count.set(0)),
        &["found"],
    );
    let stages = |count: usize| {
        move |file: &mut Document<'static>| {
            let stage = node(file, "MESH/MATERIAL_PASS/TEXTURE_STAGE").clone();
            children(file, "MESH/MATERIAL_PASS").extend(vec![stage; count - 1]);
        }
    };
    rich_case("W3D-MAT-003", stages(2), &[]);
    rich_case("W3D-MAT-003", stages(3), &["found"]);
    let colors = |greys: &'static [u8]| {
        move |file: &mut Document<'static>| {
            let pass = node(file, "MESH/MATERIAL_PASS").clone();
            for grey in greys {
                let mut pass = pass.clone();
                let color = Rgba { r: *grey, g: 0, b: 0, a: 255 };
                pass.children_mut().expect("parts").push(array(&DCG, &[color; 24]));
                children(file, "MESH").push(pass);
            }
        }
    };
    rich_case("W3D-MAT-004", colors(&[1, 2]), &[]);
    rich_case("W3D-MAT-004", colors(&[1, 2, 1]), &[]);
    rich_case("W3D-MAT-004", colors(&[1, 2, 3]), &["found"]);
    let materials = |count: usize| {
        move |file: &mut Document<'static>| {
            let material = node(file, "MESH/VERTEX_MATERIALS/VERTEX_MATERIAL").clone();
            children(file, "MESH/VERTEX_MATERIALS").extend(vec![material; count - 1]);
        }
    };
    rich_case("W3D-MAT-008", materials(16), &[]);
    rich_case("W3D-MAT-008", materials(17), &["found"]);
    let stated = |change: fn(&mut MaterialInfo)| {
        move |file: &mut Document<'static>| set::<MaterialInfo>(file, INFO, change)
    };
    rich_case("W3D-MAT-005", stated(|info| info.vertex_material_count.set(2)), &["found"]);
    rich_case("W3D-MAT-005", stated(|info| info.shader_count.set(0)), &["found"]);
    rich_case("W3D-MAT-005", stated(|info| info.texture_count.set(9)), &["found"]);
    // Where there is no list there is none.
    rich_case(
        "W3D-MAT-005",
        |file| {
            let lists = [&TEXTURES, &VERTEX_MATERIALS];
            children(file, "MESH").retain(|part| !lists.iter().any(|list| part.is(list)));
            set::<MaterialInfo>(file, INFO, |info| {
                info.texture_count.set(0);
                info.vertex_material_count.set(0);
            });
        },
        &[],
    );
    // Each wrapper has materials of its own.
    for wrapper in [
        PRELIT_UNLIT.row,
        PRELIT_VERTEX.row,
        PRELIT_LIGHTMAP_MULTI_PASS.row,
        PRELIT_LIGHTMAP_MULTI_TEXTURE.row,
    ] {
        let wrapped = |file: &mut Document<'static>| {
            let passes = vec![branch(&MATERIAL_PASS, []); 5];
            children(file, "MESH").push(branch(wrapper, passes));
        };
        rich_case("W3D-MAT-002", wrapped, &["found"]);
    }
    let ps2 = |count: usize| {
        move |file: &mut Document<'static>| {
            children(file, "MESH").push(array(&PS2_SHADERS, &vec![Ps2Shader::default(); count]));
        }
    };
    rich_case("W3D-MAT-015", ps2(1), &[]);
    rich_case("W3D-MAT-015", ps2(2), &["found"]);
    for (level, found) in [(0, false), (32, false), (33, true), (-1, true)] {
        let change = |file: &mut Document<'static>| {
            set::<MeshHeader3>(file, HEADER, |header| header.sort_level.set(level));
        };
        assert_eq!(is_found("W3D-MAT-010", change), found, "{level}");
    }
}

#[test]
fn ids_of_materials() {
    let words = |chunk: &'static w3d::Chunk, path: &'static str, ids: &'static [u32]| {
        let ids: Vec<U32> = ids.iter().map(|id| U32::new(*id)).collect();
        move |file: &mut Document<'static>| *node(file, path) = array(chunk, &ids)
    };
    let shaders = "MESH/MATERIAL_PASS/SHADER_IDS";
    let materials = "MESH/MATERIAL_PASS/VERTEX_MATERIAL_IDS";
    let textures = "MESH/MATERIAL_PASS/TEXTURE_STAGE/TEXTURE_IDS";
    // One for all, or one for each of 12 triangles or 24 vertices.
    rich_case("W3D-MAT-006", words(&SHADER_IDS, shaders, &[0; 12]), &[]);
    rich_case("W3D-MAT-006", words(&SHADER_IDS, shaders, &[0; 11]), &["found"]);
    rich_case("W3D-MAT-006", words(&SHADER_IDS, shaders, &[0; 24]), &["found"]);
    rich_case("W3D-MAT-006", words(&SHADER_IDS, shaders, &[]), &["found"]);
    rich_case("W3D-MAT-006", words(&VERTEX_MATERIAL_IDS, materials, &[0; 24]), &[]);
    rich_case("W3D-MAT-006", words(&VERTEX_MATERIAL_IDS, materials, &[0; 12]), &["found"]);
    rich_case("W3D-MAT-006", words(&TEXTURE_IDS, textures, &[0; 12]), &[]);
    rich_case("W3D-MAT-006", words(&TEXTURE_IDS, textures, &[0; 24]), &["found"]);
    // One of each; -1 is a texture that is none.
    for (chunk, path) in
        [(SHADER_IDS.row, shaders), (VERTEX_MATERIAL_IDS.row, materials), (TEXTURE_IDS.row, textures)]
    {
        rich_case("W3D-MAT-007", words(chunk, path, &[0]), &[]);
        rich_case("W3D-MAT-007", words(chunk, path, &[1]), &["found"]);
        let none: &[&str] = if path == textures { &[] } else { &["found"] };
        rich_case("W3D-MAT-007", words(chunk, path, &[u32::MAX]), none);
        place("W3D-MAT-007", GAME, rich::document(), words(chunk, path, &[0, 1]), path, 4..8);
    }
    let shader_materials = |count: usize, id: u32| {
        move |file: &mut Document<'static>| {
            let list = branch(&SHADER_MATERIALS, vec![branch(&SHADER_MATERIAL, []); count]);
            children(file, "MESH").push(list);
            children(file, "MESH/MATERIAL_PASS").push(array(&SHADER_MATERIAL_ID, &[U32::new(id)]));
        }
    };
    rich_case(
        "W3D-MAT-007",
        |file| children(file, "MESH/MATERIAL_PASS").push(array(&SHADER_MATERIAL_ID, &[U32::new(0)])),
        &["found"],
    );
    rich_case("W3D-MAT-007", shader_materials(2, 1), &[]);
    rich_case("W3D-MAT-007", shader_materials(2, 2), &["found"]);
    // What nothing refers to.
    let unused = |file: &mut Document<'static>| {
        let texture = node(file, "MESH/TEXTURES/TEXTURE").clone();
        children(file, "MESH/TEXTURES").extend([texture.clone(), texture]);
    };
    rich_case("W3D-MAT-014", unused, &["found"]);
    rich_case("W3D-MAT-014", words(&SHADER_IDS, shaders, &[7]), &["found"]);
    rich_case("W3D-MAT-014", words(&VERTEX_MATERIAL_IDS, materials, &[7]), &["found"]);
    rich_case(
        "W3D-MAT-014",
        |file| {
            unused(file);
            children(file, "MESH").retain(|part| !part.is(&MATERIAL_PASS));
        },
        &[],
    );
}

#[test]
fn transparency_and_light_maps() {
    let passes = |count: usize, blend: DestBlend, test: AlphaTest, level: i32| {
        is_found("W3D-MAT-009", |file| {
            values::<Shader>(file, "MESH/SHADERS", |shaders| {
                (shaders[0].dest_blend, shaders[0].alpha_test) = (blend, test);
            });
            let pass = node(file, "MESH/MATERIAL_PASS").clone();
            children(file, "MESH").extend(vec![pass; count - 1]);
            set::<MeshHeader3>(file, HEADER, |header| header.sort_level.set(level));
        })
    };
    assert!(passes(2, DestBlend::ONE, AlphaTest::DISABLE, 0));
    assert!(!passes(1, DestBlend::ONE, AlphaTest::DISABLE, 0));
    assert!(!passes(2, DestBlend::ZERO, AlphaTest::DISABLE, 0));
    assert!(!passes(2, DestBlend::ONE, AlphaTest::ENABLE, 0));
    assert!(!passes(2, DestBlend::ONE, AlphaTest::DISABLE, 1));
    let prelit = |flags: MeshFlags, wrapper: Option<&'static w3d::Chunk>, info: bool| {
        is_found("W3D-MAT-011", |file| {
            set::<MeshHeader3>(file, HEADER, |header| header.attributes = flags);
            children(file, "MESH").retain(|part| info || !part.is(&MATERIAL_INFO));
            children(file, "MESH").extend(wrapper.map(|wrapper| branch(wrapper, [])));
        })
    };
    for (flag, wrapper) in [
        (MeshFlags::PRELIT_UNLIT, PRELIT_UNLIT.row),
        (MeshFlags::PRELIT_VERTEX, PRELIT_VERTEX.row),
        (MeshFlags::PRELIT_LIGHTMAP_MULTI_PASS, PRELIT_LIGHTMAP_MULTI_PASS.row),
        (MeshFlags::PRELIT_LIGHTMAP_MULTI_TEXTURE, PRELIT_LIGHTMAP_MULTI_TEXTURE.row),
    ] {
        assert!(prelit(flag, None, true));
        assert!(!prelit(flag, Some(wrapper), true));
        // Without materials of the mesh's own, the unlit ones are what is left.
        assert_eq!(prelit(MeshFlags::new(0), Some(wrapper), false), wrapper.id != ids::PRELIT_UNLIT);
    }
    assert!(!prelit(MeshFlags::new(0), None, false));
}

/// The type says how long the value is, and the name and the texture say so themselves.
#[test]
fn properties_of_shader_materials() {
    let property = |ty: u32, name_length: u32, value: &[u8]| {
        let body = [&ty.to_le_bytes()[..], &name_length.to_le_bytes(), b"Name\0", value].concat();
        is_found("W3D-MAT-012", |file| {
            let material = branch(&SHADER_MATERIAL, [bytes(&SHADER_MATERIAL_PROPERTY, body)]);
            children(file, "MESH").push(branch(&SHADER_MATERIALS, [material]));
        })
    };
    for (ty, length) in [(2, 4), (3, 8), (4, 12), (5, 16), (6, 4), (7, 1)] {
        assert!(!property(ty, 5, &vec![0; length]), "type {ty}");
        assert!(property(ty, 5, &vec![0; length - 1]), "type {ty} is too short");
        assert!(property(ty, 5, &vec![0; length + 1]), "type {ty} is too long");
    }
    assert!(!property(1, 5, b"\x06\0\0\0a.dds\0"));
    assert!(property(1, 5, b"\x07\0\0\0a.dds\0"), "it says one more than there is");
    assert!(property(1, 5, b"\x05\0\0\0a.dds\0"), "it says one less than there is");
    assert!(property(1, 5, b"\0\0\0\0"), "no texture at all");
    assert!(property(8, 5, &[0; 4]) && property(0, 5, &[0; 4]), "no such types");
    assert!(property(7, 99, &[0]), "a name that is longer than the chunk");
}

#[test]
fn arguments_of_mappers() {
    let args = |content: &str| {
        is_found("W3D-MAT-013", |file| {
            let args = text(&VERTEX_MAPPER_ARGS0, content).expect("ASCII");
            children(file, "MESH/VERTEX_MATERIALS/VERTEX_MATERIAL").push(args);
        })
    };
    assert!(!args("UPerSec=1\r\n vperSEC = 2 ; Nonsense=1\r\n; Comment=3\r\nno key") && args("X=1"));
    assert!(!args("ClampFix=1\r\nUOffset=2\r\nVOffset=3"));
    let second = |file: &mut Document<'static>| {
        let args = text(&VERTEX_MAPPER_ARGS1, "X=1").expect("ASCII");
        children(file, "MESH/VERTEX_MATERIALS/VERTEX_MATERIAL").push(args);
    };
    assert!(is_found("W3D-MAT-013", second));
}

#[test]
fn depth_and_place_of_chunks() {
    let nested = |depth: u32| {
        let mut body = Vec::new();
        for _ in 0..depth {
            let size = (body.len() as u32 | 0x8000_0000).to_le_bytes();
            body = [&0x7777_u32.to_le_bytes()[..], &size, &body].concat();
        }
        let mut file = rich::document();
        let whole = [file.to_bytes().expect("a file"), body].concat();
        file = Document::parse(&whole).expect("a file").into_owned();
        told(&file, GAME, "W3D-FRAME-011")
    };
    assert_eq!(nested(256), [""; 0]);
    assert_eq!(nested(257), ["found"]);
    // Twice in one parent, at the top, and in two parents.
    let twice = |path: &'static str, parent: &'static str| {
        move |file: &mut Document<'static>| {
            let twice = node(file, path).clone();
            children(file, parent).push(twice);
        }
    };
    rich_case("W3D-FRAME-012", twice("MESH/VERTICES", "MESH"), &["found"]);
    rich_case("W3D-FRAME-012", twice("MESH/MATERIAL_PASS", "MESH"), &[]);
    rich_case("W3D-FRAME-012", twice("HLOD", ""), &[]);
    let strangers = |file: &mut Document<'static>| {
        children(file, "MESH").extend([0x7777, 0x7777].map(|id| Node::leaf(&UNKNOWN, id, vec![1])));
    };
    rich_case("W3D-FRAME-012", strangers, &[]);
    rich_case("W3D-FRAME-013", strangers, &[]);
    let leftover = |file: &mut Document<'static>| {
        children(file, "MESH").push(Node::leaf(&record::LEFTOVER, 0, vec![1]));
    };
    rich_case("W3D-FRAME-013", leftover, &[]);
    assert!(is_found("W3D-FRAME-013", twice("MESH/VERTICES", "HLOD")));
    assert!(is_found("W3D-FRAME-013", twice("MESH/VERTICES", "")));
    // In a chunk that nobody knows anything may stand.
    rich_case(
        "W3D-FRAME-013",
        |file| {
            let vertices = node(file, "MESH/VERTICES").clone();
            children(file, "").push(Node::branch(&UNKNOWN, 0x7777, vec![vertices]));
        },
        &[],
    );
}

fn hlod(change: impl FnOnce(&mut HlodSubObject)) -> impl FnOnce(&mut Document<'static>) {
    move |file| set::<HlodSubObject>(file, "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT", change)
}

#[test]
fn models() {
    rich_case("W3D-HLOD-005", hlod(|object| object.bone_index.set(2)), &[]);
    rich_case("W3D-HLOD-005", hlod(|object| object.bone_index.set(3)), &["found"]);
    let header = "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT_ARRAY_HEADER";
    for (count, expected) in [(4, &[][..]), (3, &["found"]), (5, &["found"])] {
        rich_case(
            "W3D-HLOD-003",
            |file| set::<HlodArrayHeader>(file, header, |header| header.model_count.set(count)),
            expected,
        );
    }
    // Levels and arrays after them.
    let arrays = |chunks: &'static [&'static w3d::Chunk], sizes: &'static [f32]| {
        move |file: &mut Document<'static>| {
            let level = node(file, "HLOD/HLOD_LOD_ARRAY").clone();
            let parts = children(file, "HLOD");
            parts.truncate(1);
            let mut sizes = sizes.iter();
            for chunk in chunks {
                let mut part = branch(chunk, level.children().iter().cloned());
                if chunk.id == ids::HLOD_LOD_ARRAY {
                    let header = part.child_mut(&HLOD_SUB_OBJECT_ARRAY_HEADER).expect("a header");
                    let size = *sizes.next().unwrap_or(&f32::MAX);
                    header.value_mut::<HlodArrayHeader>().expect("a header").max_screen_size.set(size);
                }
                parts.push(part);
            }
        }
    };
    const LEVEL: &w3d::Chunk = HLOD_LOD_ARRAY.row;
    let after = [HLOD_AGGREGATE_ARRAY.row, HLOD_PROXY_ARRAY.row, HLOD_LIGHT_ARRAY.row];
    rich_case("W3D-HLOD-001", arrays(&[LEVEL, HLOD_AGGREGATE_ARRAY.row], &[]), &[]);
    for chunk in after {
        let early = |file: &mut Document<'static>| {
            arrays(&[LEVEL], &[])(file);
            let level = node(file, "HLOD/HLOD_LOD_ARRAY").clone();
            children(file, "HLOD").insert(1, branch(chunk, level.children().iter().cloned()));
        };
        rich_case("W3D-HLOD-001", early, &["found"]);
        // Their objects are counted, have bones, and start with a header.
        for (code, expected) in
            [("W3D-HLOD-003", "found"), ("W3D-HLOD-005", "found"), ("W3D-HLOD-007", "found")]
        {
            let wrong = |file: &mut Document<'static>| {
                early(file);
                let array = &mut children(file, "HLOD")[1];
                if code == "W3D-HLOD-003" {
                    let header = array.child_mut(&HLOD_SUB_OBJECT_ARRAY_HEADER).expect("a header");
                    header.value_mut::<HlodArrayHeader>().expect("a header").model_count.set(9);
                } else if code == "W3D-HLOD-005" {
                    let object = array.child_mut(&HLOD_SUB_OBJECT).expect("an object");
                    object.value_mut::<HlodSubObject>().expect("an object").bone_index.set(7);
                } else {
                    array.children_mut().expect("parts").reverse();
                }
            };
            rich_case(code, wrong, &[expected]);
        }
    }
    rich_case("W3D-HLOD-001", |file| children(file, "HLOD").reverse(), &["found"]);
    let levels = |count: u32| {
        move |file: &mut Document<'static>| {
            arrays(&[LEVEL, LEVEL], &[1.0])(file);
            set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.lod_count.set(count));
        }
    };
    rich_case("W3D-HLOD-002", levels(2), &[]);
    rich_case("W3D-HLOD-002", levels(1), &["found"]);
    rich_case("W3D-HLOD-002", levels(3), &["found"]);
    // Screen sizes ascend up to the largest float.
    for (sizes, found) in [
        (&[f32::MAX][..], false),
        (&[5.0], false),
        (&[1.0, f32::MAX], false),
        (&[1.0, 1.0, f32::MAX], false),
        (&[2.0, 1.0, f32::MAX], true),
        (&[1.0, 2.0], true),
        (&[1.0, f32::MAX * 0.4], true),
        (&[1.0, f32::MAX * 0.49], true),
        (&[1.0, f32::MAX * 0.51], false),
        (&[1.0, f32::MAX / 2.0], false),
    ] {
        let chunks: &'static [&'static w3d::Chunk] = match sizes.len() {
            1 => &[LEVEL],
            2 => &[LEVEL, LEVEL],
            _ => &[LEVEL, LEVEL, LEVEL],
        };
        assert_eq!(is_found("W3D-HLOD-006", arrays(chunks, sizes)), found, "{sizes:?}");
    }
}

#[test]
fn counts_of_other_models() {
    for (count, expected) in [(1, &[][..]), (0, &["found"]), (2, &["found"])] {
        rich_case(
            "W3D-AGGR-001",
            |file| {
                set::<AggregateInfo>(file, "AGGREGATE/AGGREGATE_INFO", |info| {
                    info.subobject_count.set(count);
                });
            },
            expected,
        );
        rich_case(
            "W3D-COLL-001",
            |file| {
                let path = "COLLECTION/COLLECTION_HEADER";
                set::<CollectionHeader>(file, path, |header| header.render_object_count.set(count));
            },
            expected,
        );
        let count = u16::try_from(count).expect("small");
        rich_case(
            "W3D-LODM-001",
            |file| {
                set::<LodModelHeader>(file, "LODMODEL/LODMODEL_HEADER", |header| header.num_lods.set(count));
            },
            expected,
        );
        rich_case(
            "W3D-HMOD-001",
            |file| {
                set::<HModelHeader>(file, "HMODEL/HMODEL_HEADER", |header| header.num_connections.set(count));
            },
            expected,
        );
    }
    // All sorts of nodes are connections; points are none.
    for (chunk, counted) in [
        (NODE.row, true),
        (COLLISION_NODE.row, true),
        (SKIN_NODE.row, true),
        (SHADOW_NODE.row, true),
        (POINTS.row, false),
    ] {
        let expected: &[&str] = if counted { &["found"] } else { &[] };
        let connection = HModelNode { render_obj_name: name("BODY"), pivot_idx: 1.into() };
        rich_case("W3D-HMOD-001", |file| children(file, "HMODEL").push(record(chunk, &connection)), expected);
    }
    let bone = |bone: u16, version: Version| {
        move |file: &mut Document<'static>| {
            set::<HModelNode>(file, "HMODEL/NODE", |connection| connection.pivot_idx.set(bone));
            set::<HModelHeader>(file, "HMODEL/HMODEL_HEADER", |header| header.version = version);
        }
    };
    rich_case("W3D-HMOD-002", bone(2, Version::new(4, 1)), &[]);
    rich_case("W3D-HMOD-002", bone(3, Version::new(4, 1)), &["found"]);
    // Before 3.0 there is no root in the file, and 65535 stands for it.
    rich_case("W3D-HMOD-002", bone(65535, Version::new(2, 0)), &[]);
    rich_case("W3D-HMOD-002", bone(65534, Version::new(2, 0)), &["found"]);
    rich_case("W3D-HMOD-002", bone(65535, Version::new(3, 0)), &["found"]);
}

#[test]
fn emitters() {
    let header = |version: Version, chunks: usize| {
        move |file: &mut Document<'static>| {
            set::<EmitterHeader>(file, "EMITTER/EMITTER_HEADER", |header| header.version = version);
            children(file, "EMITTER").truncate(chunks);
        }
    };
    let (old, new) = (Version::new(1, 0), Version::new(2, 0));
    assert!(!is_found("W3D-EMIT-001", header(old, 3)) && is_found("W3D-EMIT-001", header(old, 2)));
    assert!(!is_found("W3D-EMIT-001", header(new, 5)) && is_found("W3D-EMIT-001", header(new, 4)));
    assert!(is_found("W3D-EMIT-001", header(Version::new(1, 1), 4)));
    for (version, known) in
        [(old, true), (new, true), (Version::new(1, 1), false), (Version::new(3, 0), false)]
    {
        assert_eq!(!is_found("W3D-EMIT-006", header(version, 6)), known, "{version:?}");
    }
    // One colour, two opacities, one size: four keys.
    let properties = |counts: [u32; 3]| {
        move |file: &mut Document<'static>| {
            set::<EmitterProperties>(file, "EMITTER/EMITTER_PROPS", |it| {
                it.color_keyframes.set(counts[0]);
                it.opacity_keyframes.set(counts[1]);
                it.size_keyframes.set(counts[2]);
            });
        }
    };
    for (counts, here, far) in [
        ([1, 2, 1], &[][..], &[][..]),
        ([1, 1, 1], &[], &[]),
        ([2, 2, 1], &["found"], &["found"]),
        ([0, 2, 1], &["found"], &[]),
        ([0, 3, 1], &["found"], &["found"]),
        ([u32::MAX, 2, 1], &["found"], &["found"]),
    ] {
        rich_case("W3D-EMIT-002", properties(counts), here);
        case("W3D-EMIT-002", Game::EarthAndBeyond, rich::document(), properties(counts), far);
    }
    // One key more than the count.
    let rotations = |count: u32, keys: usize| {
        move |file: &mut Document<'static>| {
            let header = EmitterRotationHeader { keyframe_count: U32::new(count), ..Default::default() };
            let keys = vec![EmitterKey::default(); keys];
            *node(file, "EMITTER/EMITTER_ROTATION_KEYFRAMES") =
                bytes(&EMITTER_ROTATION_KEYFRAMES, [header.as_bytes(), keys.as_bytes()].concat());
        }
    };
    rich_case("W3D-EMIT-003", rotations(1, 2), &[]);
    rich_case("W3D-EMIT-003", rotations(1, 1), &["found"]);
    rich_case("W3D-EMIT-003", rotations(2, 2), &["found"]);
    rich_case("W3D-EMIT-003", rotations(0, 0), &["found"]);
    case("W3D-EMIT-003", Game::EarthAndBeyond, rich::document(), rotations(5, 0), &[]);
    case("W3D-EMIT-003", Game::EarthAndBeyond, rich::document(), rotations(1, 1), &["found"]);
    // Times of every list.
    let times = |first: f32, second: f32| {
        let keys = [first, second].map(|time| EmitterKey { time: F32::new(time), value: F32::new(1.0) });
        let colors =
            [first, second].map(|time| EmitterColorKey { time: F32::new(time), ..Default::default() });
        let lists = |at: usize| {
            let steady = [0.0, 1.0].map(|time| EmitterKey { time: F32::new(time), value: F32::new(1.0) });
            let even = [0.0, 1.0].map(|time| EmitterColorKey { time: F32::new(time), ..Default::default() });
            let properties = EmitterProperties {
                color_keyframes: 2.into(),
                opacity_keyframes: 2.into(),
                size_keyframes: 2.into(),
                ..Default::default()
            };
            [
                properties.as_bytes(),
                if at == 0 { colors.as_bytes() } else { even.as_bytes() },
                if at == 1 { keys.as_bytes() } else { steady.as_bytes() },
                if at == 2 { keys.as_bytes() } else { steady.as_bytes() },
            ]
            .concat()
        };
        [0, 1, 2].map(|at| {
            is_found("W3D-EMIT-004", |file| {
                *node(file, "EMITTER/EMITTER_PROPS") = bytes(&EMITTER_PROPS, lists(at));
            })
        })
    };
    assert_eq!(times(0.0, 1.0), [false; 3]);
    assert_eq!(times(1.0, 1.0), [false; 3]);
    assert_eq!(times(1.0, 0.5), [true; 3]);
    let info = |change: fn(&mut EmitterInfo2)| {
        move |file: &mut Document<'static>| set::<EmitterInfo2>(file, "EMITTER/EMITTER_INFOV2", change)
    };
    rich_case("W3D-EMIT-005", info(|it| it.creation_volume.class_id = VolumeClass::new(3)), &[]);
    rich_case("W3D-EMIT-005", info(|it| it.creation_volume.class_id = VolumeClass::new(4)), &["found"]);
    rich_case("W3D-EMIT-005", info(|it| it.vel_random.class_id = VolumeClass::new(4)), &["found"]);
    rich_case("W3D-EMIT-008", info(|it| it.render_mode = RenderMode::new(4)), &[]);
    rich_case("W3D-EMIT-008", info(|it| it.render_mode = RenderMode::new(5)), &["found"]);
    rich_case("W3D-EMIT-008", info(|it| it.frame_mode = FrameMode::new(4)), &[]);
    rich_case("W3D-EMIT-008", info(|it| it.frame_mode = FrameMode::new(5)), &["found"]);
}

#[test]
fn names_and_strings() {
    let header = |change: fn(&mut HlodHeader)| {
        move |file: &mut Document<'static>| set::<HlodHeader>(file, "HLOD/HLOD_HEADER", change)
    };
    // Version and number of levels, then two names of sixteen bytes.
    let full = header(|it| it.hierarchy_name.0 = *b"SIXTEENLETTERSXX");
    place("W3D-NAME-001", GAME, rich::document(), full, "HLOD/HLOD_HEADER", 24..40);
    rich_case("W3D-NAME-001", header(|it| it.name.0 = *b"FIFTEENLETTERSX\0"), &[]);
    // In lists, the second element; in a record inside a record.
    let pivot = |file: &mut Document<'static>| {
        values::<Pivot>(file, "HIERARCHY/PIVOTS", |pivots| pivots[1].name.0 = *b"SIXTEENLETTERSXX");
    };
    place("W3D-NAME-001", GAME, rich::document(), pivot, "HIERARCHY/PIVOTS", 60..76);
    let replacer = |at: usize| {
        move |file: &mut Document<'static>| {
            let mut replacer = TextureReplacer::default();
            replacer.mesh_path[at].0.fill(b'x');
            let body = [&1_u32.to_le_bytes()[..], replacer.as_bytes()].concat();
            children(file, "AGGREGATE").push(bytes(&TEXTURE_REPLACER_INFO, body));
        }
    };
    let path = "AGGREGATE/TEXTURE_REPLACER_INFO";
    place("W3D-NAME-001", GAME, rich::document(), replacer(0), path, 4..36);
    place("W3D-NAME-001", GAME, rich::document(), replacer(2), path, 68..100);
    rich_case(
        "W3D-NAME-002",
        |file| {
            header(|it| (it.name.0[15], it.hierarchy_name.0[15]) = (1, 2))(file);
        },
        &["found"],
    );
    for (byte, found) in [(b' ', false), (0x1F, true), (0x7E, false), (0x7F, true), (0x80, true)] {
        let change = |file: &mut Document<'static>| {
            set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |it| it.name.0[2] = byte);
        };
        assert_eq!(is_found("W3D-NAME-003", change), found, "{byte:#x}");
    }
    assert!(is_found("W3D-NAME-004", header(|it| it.name = name(" TANK"))));
    assert!(is_found("W3D-NAME-004", header(|it| it.name = name("TANK "))));
    assert!(!is_found("W3D-NAME-004", header(|it| it.name = name("MY TANK"))));
    // Fifteen characters count, and case does not.
    let bones = |first: &'static str, second: &'static [u8; 16]| {
        move |file: &mut Document<'static>| {
            values::<Pivot>(file, "HIERARCHY/PIVOTS", |pivots| {
                pivots[1].name = name(first);
                pivots[2].name.0 = *second;
            });
        }
    };
    rich_case("W3D-NAME-005", bones("FIFTEENLETTERSX", b"fifteenlettersxY"), &["found"]);
    rich_case("W3D-NAME-005", bones("FOURTEENLETTER", b"FOURTEENLETTERX\0"), &[]);
    let twice = bones("BONE", b"BONE\0\0\0\0\0\0\0\0\0\0\0\0");
    place("W3D-NAME-005", GAME, rich::document(), twice, "HIERARCHY/PIVOTS", 120..136);
}

#[test]
fn names_of_objects_are_unique_among_their_sort() {
    for path in [
        "MESH",
        "BOX",
        "SHDMESH",
        "EMITTER",
        "HLOD",
        "HMODEL",
        "LODMODEL",
        "AGGREGATE",
        "HIERARCHY",
        "ANIMATION",
        "COMPRESSED_ANIMATION",
        "MORPH_ANIMATION",
    ] {
        let twice = |file: &mut Document<'static>| {
            let twice = node(file, path).clone();
            children(file, "").push(twice);
        };
        assert!(is_found("W3D-NAME-006", twice), "{path}");
    }
    // A model, its skeleton and its animation share a name.
    for sort in ["HMODEL/HMODEL_HEADER", "LODMODEL/LODMODEL_HEADER"] {
        assert!(is_found("W3D-NAME-006", |file| {
            let header = node(file, sort);
            if let Some(header) = header.value_mut::<HModelHeader>() {
                header.name = name("MWCRATE");
            } else {
                header.value_mut::<LodModelHeader>().expect("a header").name = name("mwcrate");
            }
        }));
    }
    assert!(!is_found("W3D-NAME-006", |_| {}));
}

#[test]
fn strings_of_chunks() {
    let texture = "MESH/TEXTURES/TEXTURE/TEXTURE_NAME";
    let long = |length: usize| {
        move |file: &mut Document<'static>| {
            *node(file, texture) = text(&TEXTURE_NAME, &"x".repeat(length)).expect("ASCII");
        }
    };
    rich_case("W3D-NAME-009", long(255), &[]);
    rich_case("W3D-NAME-009", long(256), &["found"]);
    place("W3D-NAME-009", GAME, rich::document(), long(256), texture, 0..257);
    // Comments and arguments may be longer.
    for (parent, chunk) in [
        ("MESH", MESH_USER_TEXT.row),
        ("MESH/VERTEX_MATERIALS/VERTEX_MATERIAL", VERTEX_MAPPER_ARGS0.row),
        ("MESH/VERTEX_MATERIALS/VERTEX_MATERIAL", VERTEX_MAPPER_ARGS1.row),
        ("SHDMESH", SHDMESH_USER_TEXT.row),
    ] {
        rich_case(
            "W3D-NAME-009",
            |file| children(file, parent).push(text(chunk, &"x".repeat(999)).expect("ASCII")),
            &[],
        );
    }
    let without = |file: &mut Document<'static>| *node(file, texture) = bytes(&TEXTURE_NAME, *b"a.tga");
    place("W3D-NAME-010", GAME, rich::document(), without, texture, 0..5);
    rich_case("W3D-NAME-010", |file| *node(file, texture) = bytes(&TEXTURE_NAME, *b"a.tga\0"), &[]);
    // Placeholders count their characters.
    for chunk in [PLACEHOLDER.row, TRANSFORM_NODE.row] {
        rich_case("W3D-NAME-010", |file| children(file, "COLLECTION").push(w3d::sample::example(chunk)), &[]);
    }
}

#[test]
fn numbers_that_are_none() {
    let nan = f32::NAN;
    let vertex = |file: &mut Document<'static>| {
        values::<Vec3>(file, "MESH/VERTICES", |all| {
            all[1].z.set(nan);
            all[3].x.set(f32::INFINITY);
        });
    };
    rich_case("W3D-NAME-011", vertex, &["found"]);
    place("W3D-NAME-011", GAME, rich::document(), vertex, "MESH/VERTICES", 20..24);
    rich_case("W3D-NAME-012", vertex, &[]);
    let pivot = |file: &mut Document<'static>| {
        values::<Pivot>(file, "HIERARCHY/PIVOTS", |all| all[1].rotation.w.set(nan));
    };
    rich_case("W3D-NAME-011", pivot, &["found"]);
    // The record of a bone has 60 bytes; the last number of its rotation is at 56.
    place("W3D-NAME-011", GAME, rich::document(), pivot, "HIERARCHY/PIVOTS", 116..120);
    // Angles are stored but never read.
    rich_case(
        "W3D-NAME-011",
        |file| values::<Pivot>(file, "HIERARCHY/PIVOTS", |all| all[1].euler_angles.x.set(nan)),
        &[],
    );
    // After a header; and not in what nobody reads.
    let channel = |file: &mut Document<'static>| {
        let body = node(file, OPENING).bytes_mut().expect("a leaf");
        body[12 + 4..12 + 8].copy_from_slice(&nan.to_le_bytes());
    };
    place("W3D-NAME-012", GAME, rich::document(), channel, OPENING, 16..20);
    rich_case(
        "W3D-NAME-012",
        |file| node(file, OPENING).bytes_mut().expect("a leaf").extend(nan.to_le_bytes()),
        &[],
    );
    // In an array of a record: the matrix of a fixup.
    let fixup = |file: &mut Document<'static>| {
        let mut fixups = vec![0; 48 * 3];
        fixups[48 + 40..48 + 44].copy_from_slice(&nan.to_le_bytes());
        children(file, "HIERARCHY").push(bytes(&PIVOT_FIXUPS, fixups));
    };
    place("W3D-NAME-012", GAME, rich::document(), fixup, "HIERARCHY/PIVOT_FIXUPS", 88..92);
}

#[test]
fn meshes_on_bones_of_their_name() {
    // BODY is bone 1, LID bone 2.
    rich_case("W3D-NAME-008", hlod(|object| object.bone_index.set(1)), &[]);
    assert!(is_found("W3D-NAME-008", hlod(|object| object.bone_index.set(2))));
    // A skin may be called like a bone.
    let skin = |flags: MeshFlags| {
        is_found("W3D-NAME-008", |file| {
            hlod(|object| object.bone_index.set(0))(file);
            set::<MeshHeader3>(file, HEADER, |header| header.attributes = flags);
        })
    };
    assert!(skin(MeshFlags::new(0)) && !skin(MeshFlags::GEOMETRY_SKIN));
}

/// The lowest bits are every game's; a geometry type that nobody knows is told as it stands in the word.
#[test]
fn flags_of_meshes() {
    let flags = |word: u32, expected: &[&str]| {
        let change = |file: &mut Document<'static>| {
            set::<MeshHeader3>(file, HEADER, |header| header.attributes = MeshFlags::new(word));
        };
        case("W3D-GAME-002", Game::Generals, rich::document(), change, expected);
    };
    flags(0x1, &[]);
    flags(0x1FF, &[]);
    flags(0x6_0000, &[]);
    flags(0x7_0000, &["found"]);
    flags(0x200, &["found"]);
}

/// A model or skeleton is loaded from the file of its name or container, an animation from that of its own name.
#[test]
fn files_are_called_like_what_is_in_them() {
    let found =
        |chunk: Node<'static>| !messages_with(&alone(vec![chunk]), GAME, "W3D-NAME-007", &[]).is_empty();
    let animation = |hierarchy: &str, title: &str| {
        let header =
            AnimationHeader { name: name(title), hierarchy_name: name(hierarchy), ..Default::default() };
        branch(&ANIMATION, [record(&ANIMATION_HEADER, &header)])
    };
    assert!(!found(animation("TANK", "MODEL")) && found(animation("MODEL", "WALK")));
    let mesh = |container: &str, title: &str| {
        let header =
            MeshHeader3 { container_name: name(container), mesh_name: name(title), ..Default::default() };
        branch(&MESH, [record(&MESH_HEADER3, &header)])
    };
    assert!(!found(mesh("Model", "HULL")) && found(mesh("TANK", "MODEL")));
}

/// A file of these chunks, alone or among others.
fn alone(chunks: Vec<Node<'static>>) -> Document<'static> {
    let root = Node::branch(&FILE, 0, chunks);
    Document::parse(&root.to_bytes().expect("a file")).expect("a file").into_owned()
}

#[test]
fn textures_of_every_sort_are_looked_for() {
    let textured: [fn() -> Node<'static>; 5] = [
        || {
            let texture = branch(&TEXTURE, [text(&TEXTURE_NAME, "gone.tga").expect("ASCII")]);
            let header = record(&MESH_HEADER3, &MeshHeader3::default());
            branch(&MESH, [header, branch(&TEXTURES, [texture])])
        },
        || {
            let body =
                [&1_u32.to_le_bytes()[..], &5_u32.to_le_bytes(), b"Name\0", b"\x09\0\0\0gone.tga\0"].concat();
            let material = branch(&SHADER_MATERIAL, [bytes(&SHADER_MATERIAL_PROPERTY, body)]);
            let header = record(&MESH_HEADER3, &MeshHeader3::default());
            branch(&MESH, [header, branch(&SHADER_MATERIALS, [material])])
        },
        || {
            let info = EmitterInfo { texture_filename: name("gone.tga"), ..EmitterInfo::default() };
            branch(&EMITTER, [record(&EMITTER_INFO, &info)])
        },
        || {
            let sphere = SphereDef { texture_name: name("gone.tga"), ..SphereDef::default() };
            branch(&SPHERE, [record(&sphere::SPHERE_DEF, &sphere)])
        },
        || {
            let ring = RingDef { texture_name: name("gone.tga"), ..RingDef::default() };
            branch(&RING, [record(&ring::RING_DEF, &ring)])
        },
    ];
    for make in textured {
        let file = Document::W3d(w3d::W3d { root: Node::branch(&FILE, 0, vec![make()]) });
        assert_eq!(messages_with(&file, GAME, "W3D-FILES-002", &[]).len(), 1, "{}", make().name());
        for found in ["gone.tga", "GONE.DDS"] {
            assert_eq!(messages_with(&file, GAME, "W3D-FILES-002", &[(found, b"")]), [""; 0]);
        }
    }
    // Told once, and not at all of a name without extension.
    let mut file = rich::document();
    let rename = |file: &mut Document<'static>, mesh: &str, to: &str| {
        *node(file, &format!("{mesh}/TEXTURES/TEXTURE/TEXTURE_NAME")) =
            text(&TEXTURE_NAME, to).expect("ASCII");
    };
    rename(&mut file, "MESH[0]", "gone.tga");
    rename(&mut file, "MESH[1]", "Gone.tga");
    rename(&mut file, "MESH[2]", "No Texture");
    assert_eq!(messages_with(&file, GAME, "W3D-FILES-002", &[("smoke.tga", b"")]).len(), 1);
}

#[test]
fn names_that_several_files_define() {
    let emitter = |title: &str| {
        let header = EmitterHeader { version: Version::new(2, 0), name: name(title) };
        branch(&EMITTER, [record(&EMITTER_HEADER, &header)])
    };
    let skeleton = |title: &str| {
        let header = HierarchyHeader { version: Version::new(4, 1), name: name(title), ..Default::default() };
        branch(&HIERARCHY, [record(&HIERARCHY_HEADER, &header)])
    };
    let animation = |title: &str| {
        let header =
            AnimationHeader { name: name(title), hierarchy_name: name("TANK"), ..Default::default() };
        branch(&ANIMATION, [record(&ANIMATION_HEADER, &header)])
    };
    let morph = |title: &str| {
        let header =
            MorphAnimHeader { name: name(title), hierarchy_name: name("TANK"), ..Default::default() };
        branch(&MORPH_ANIMATION, [record(&MORPHANIM_HEADER, &header)])
    };
    for (chunk, word) in [
        (emitter("SMOKE"), ""),
        (skeleton("TANK"), "skeleton"),
        (animation("WALK"), "animation"),
        (morph("FACE"), "animation"),
    ] {
        let file = alone(vec![chunk.clone()]);
        let bytes = file.to_bytes().expect("a file");
        let found = |others: &[&str]| {
            let others: Vec<(&str, &[u8])> = others.iter().map(|name| (*name, &bytes[..])).collect();
            messages_with(&file, GAME, "W3D-FILES-004", &others)
        };
        assert_eq!(found(&[]), [""; 0], "its own file is one");
        let two = found(&["a.w3d"]);
        assert!(matches!(&two[..], [one] if one.contains("a.w3d") && one.contains("model.w3d")), "{two:?}");
        assert!(two[0].contains(word) && (!word.is_empty() || !two[0].contains("skeleton")), "{two:?}");
        // Four are named, the others are counted.
        let four = found(&["a.w3d", "b.w3d", "c.w3d"]);
        assert!(!four[0].contains("more"), "{four:?}");
        let six = found(&["a.w3d", "b.w3d", "c.w3d", "d.w3d", "e.w3d"]);
        assert!(six[0].contains("2 more"), "{six:?}");
    }
}

#[test]
fn objects_skeletons_and_poses_are_looked_for() {
    let around = |file: &Document<'static>, code: &str| messages_with(file, GAME, code, &[]).len();
    assert_eq!(
        ["W3D-FILES-001", "W3D-FILES-003", "W3D-FILES-005", "W3D-FILES-006"]
            .map(|code| around(&rich::document(), code)),
        [0; 4]
    );
    let changed = |change: &dyn Fn(&mut Document<'static>), code: &str| {
        let mut file = rich::document();
        change(&mut file);
        around(&file, code)
    };
    let object = |file: &mut Document<'static>| hlod(|object| object.name = name("OTHER.GONE"))(file);
    assert_eq!(changed(&object, "W3D-FILES-003"), 1);
    let nobody = |file: &mut Document<'static>| hlod(|object| object.name = name(""))(file);
    assert_eq!(changed(&nobody, "W3D-FILES-003"), 0);
    let part = |file: &mut Document<'static>| {
        values::<AggregateSubobject>(file, "AGGREGATE/AGGREGATE_INFO", |all| {
            all[0].subobject_name = name("GONE");
        });
    };
    assert_eq!(changed(&part, "W3D-FILES-003"), 1);
    let bone = |file: &mut Document<'static>| {
        values::<AggregateSubobject>(file, "AGGREGATE/AGGREGATE_INFO", |all| all[0].bone_name = name("lid"));
    };
    assert_eq!(changed(&bone, "W3D-FILES-006"), 0);
    let other = |file: &mut Document<'static>| {
        set::<AnimationHeader>(file, "ANIMATION/ANIMATION_HEADER", |header| {
            header.hierarchy_name = name("OTHER");
        });
    };
    assert_eq!(changed(&other, "W3D-FILES-001"), 1);
    let none = |file: &mut Document<'static>| {
        set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.hierarchy_name = name(""));
    };
    assert_eq!(changed(&none, "W3D-FILES-001"), 0);
    let pose = |to: &'static str| {
        move |file: &mut Document<'static>| {
            let path = "MORPH_ANIMATION/MORPHANIM_CHANNEL/MORPHANIM_POSENAME";
            *node(file, path) = text(&MORPHANIM_POSENAME, to).expect("ASCII");
        }
    };
    assert_eq!(changed(&pose("mwcrate.open"), "W3D-FILES-005"), 0);
    assert_eq!(changed(&pose("MWCRATE.GONE"), "W3D-FILES-005"), 1);
    // In another file it is as good.
    let mut other = alone(vec![node(&mut rich::document(), "MORPH_ANIMATION").clone()]);
    pose("TANK.WALK")(&mut other);
    let header = AnimationHeader { name: name("WALK"), hierarchy_name: name("TANK"), ..Default::default() };
    let walk = alone(vec![branch(&ANIMATION, [record(&ANIMATION_HEADER, &header)])]);
    let bytes = walk.to_bytes().expect("a file");
    assert_eq!(messages_with(&other, GAME, "W3D-FILES-005", &[("walk.w3d", &bytes)]), [""; 0]);
    assert_eq!(messages_with(&other, GAME, "W3D-FILES-005", &[]).len(), 1);
    // Of this container, but not in this file.
    let renamed = |file: &mut Document<'static>| hlod(|object| object.name = name("MWCRATE.GONE"))(file);
    assert_eq!(changed(&renamed, "W3D-HLOD-004"), 1);
    assert_eq!(changed(&object, "W3D-HLOD-004"), 0);
}
