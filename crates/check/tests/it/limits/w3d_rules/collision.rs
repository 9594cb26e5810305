//! Collision trees, planes of triangles and bounds of meshes.

use super::*;

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
        ["W3D-AABT-001", "W3D-AABT-002", "W3D-AABT-003"].map(|code| count(&file, GAME, code))
    };
    assert_eq!(found(&[(LEAF, 12)], &ALL), [0, 0, 0]);
    let two = [(1, 2), (LEAF, 5), (LEAF | 5, 7)];
    assert_eq!(found(&two, &ALL), [0, 0, 0]);
    // Indices: one beyond, one twice, one missing.
    assert_eq!(found(&[(LEAF, 12)], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])[1], 1);
    assert_eq!(found(&[(LEAF, 12)], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10])[1], 1);
    assert_eq!(found(&[(LEAF, 11)], &ALL[..11]), [1, 0, 0]);
    // Nodes: one that is not there, one twice, one nowhere.
    assert_eq!(found(&[(1, 3), (LEAF, 5), (LEAF | 5, 7)], &ALL)[2], 1);
    assert_eq!(found(&[(1, 0), (LEAF, 12)], &ALL)[2], 1);
    assert_eq!(found(&[(LEAF, 12), (LEAF, 0)], &ALL)[2], 1);
    // Leaves: one beyond the indices, two that share, and one index that is in none.
    assert_eq!(found(&[(LEAF | 1, 12)], &ALL)[2], 1);
    assert_eq!(found(&[(1, 2), (LEAF, 6), (LEAF | 5, 7)], &ALL)[2], 1);
    assert_eq!(found(&[(LEAF, 11)], &ALL)[2], 1);
    assert!(is_found("W3D-AABT-003", tree(&[], &ALL)));
    // Counts of the header.
    let header = |nodes: u32, polygons: u32| {
        changing::<AabTreeHeader>("MESH/AABTREE/AABTREE_HEADER", move |header| {
            header.node_count.set(nodes);
            header.poly_count.set(polygons);
        })
    };
    rich_case("W3D-AABT-001", header(1, 12), 0);
    rich_case("W3D-AABT-001", header(2, 12), 1);
    rich_case("W3D-AABT-001", header(1, 13), 1);
    rich_case("W3D-AABT-001", |file| drop(children(file, "MESH/AABTREE").remove(0)), 1);
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
    // The box of an inner node, here the root, encloses what is below it.
    for (root, found) in [(0.5, false), (0.4, true)] {
        assert_eq!(
            is_found("W3D-AABT-004", |file| {
                tree(&[(1, 2), (LEAF, 5), (LEAF | 5, 7)], &ALL)(file);
                values::<AabTreeNode>(file, "MESH/AABTREE/AABTREE_NODES", |nodes| nodes[0].max.x.set(root));
            }),
            found,
            "{root}"
        );
    }
    // Another rule reports malformed trees.
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
    rich_case("W3D-PLANE-001", plane(line, up, 5.0), 1);
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
        changing::<MeshHeader3>(HEADER, move |header| {
            (header.min, header.max, header.sph_center) = (low.into(), high.into(), center.into());
            header.sph_radius.set(radius);
        })
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
