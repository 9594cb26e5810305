//! Builders compute what follows from positions and triangles. The expected numbers are worked out by hand.

use meshwright_w3d::build::{
    AabTree, MeshBuilder, ModelBuilder, bounds, plane, shade_indices, vertex_normals,
};
use meshwright_w3d::names::{MeshFlags, SurfaceType, Texturing};
use meshwright_w3d::records::{AabTreeContents, Triangle, VertexInfluence};
use meshwright_w3d::{Mesh, W3d, table};
use record::{U16, U32, Vec3};

/// A right triangle with legs of 3 and 4 in the plane z = 2, and its mirror image: a quad of four vertices.
const QUAD: [[f32; 3]; 4] = [[0.0, 0.0, 2.0], [3.0, 0.0, 2.0], [3.0, 4.0, 2.0], [0.0, 4.0, 2.0]];

fn quad() -> MeshBuilder {
    MeshBuilder::new("QUAD")
        .positions(QUAD)
        .uvs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
        .triangles([[0, 1, 2], [0, 2, 3]])
        .texture("wood.tga")
}

fn vectors<const N: usize>(vectors: [[f32; 3]; N]) -> [Vec3; N] {
    vectors.map(Vec3::from)
}

#[test]
fn bounds_are_the_box_and_the_sphere_around_its_centre() {
    let bounds = bounds(&vectors(QUAD));
    assert_eq!((bounds.min.get(), bounds.max.get()), ([0.0, 0.0, 2.0], [3.0, 4.0, 2.0]));
    // The diagonal is 5 long.
    assert_eq!((bounds.center.get(), bounds.radius.get()), ([1.5, 2.0, 2.0], 2.5));
    let none = meshwright_w3d::build::bounds(&[]);
    assert_eq!((none.min.get(), none.radius.get()), ([0.0; 3], 0.0));
}

#[test]
fn planes_face_those_who_see_the_corners_counter_clockwise() {
    assert_eq!(
        plane(vectors([[0.0, 0.0, 2.0], [3.0, 0.0, 2.0], [3.0, 4.0, 2.0]])),
        Some((Vec3::new(0.0, 0.0, 1.0), 2.0))
    );
    assert_eq!(
        plane(vectors([[0.0, 0.0, 2.0], [3.0, 4.0, 2.0], [3.0, 0.0, 2.0]])),
        Some((Vec3::new(0.0, 0.0, -1.0), -2.0))
    );
    // The plane x + y + z = 3 is the square root of 3 away from the origin.
    let (normal, dist) = plane(vectors([[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]])).unwrap();
    assert_eq!(normal.get(), [3.0_f32.sqrt().recip(); 3]);
    assert_eq!(dist, 3.0_f32.sqrt());
    assert_eq!(plane(vectors([[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]])), None, "no area");
    assert_eq!(plane(vectors([[0.0; 3], [f32::NAN, 1.0, 1.0], [2.0, 0.0, 2.0]])), None);
}

#[test]
fn normals_are_weighted_by_area() {
    // Two triangles share an edge along x: one in the plane z = 0 of area 1/2, one in y = 0 of area 1.
    let vertices = vectors([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -2.0], [9.0; 3]]);
    let normals = vertex_normals(&vertices, &[[0, 1, 2], [0, 1, 3]]);
    let five = 5.0_f32.sqrt().recip();
    assert_eq!(normals[2].get(), [0.0, 0.0, 1.0]);
    assert_eq!(normals[3].get(), [0.0, 1.0, 0.0]);
    let [x, y, z] = normals[0].get();
    assert!((x, y) == (0.0, 2.0 * five) && (z - five).abs() < 1e-7, "{normals:?}");
    assert_eq!(normals[4].get(), [0.0, 0.0, 1.0], "a vertex of no triangle");
}

#[test]
fn shade_indices_name_the_first_vertex_with_the_same_position_and_normal() {
    let vertices = vectors([[0.0; 3], [1.0; 3], [0.0; 3], [1.0; 3], [0.0; 3]]);
    let up = [0.0, 0.0, 1.0];
    let normals = vectors([up, up, up, [1.0, 0.0, 0.0], up]);
    let indices: Vec<u32> = shade_indices(&vertices, &normals).into_iter().map(U32::get).collect();
    assert_eq!(indices, [0, 1, 0, 3, 0]);
}

/// Ten triangles in a row along x, each one wide: 0 to 1, 1 to 2, and so on.
fn row() -> (Vec<Vec3>, Vec<Triangle>) {
    let corners = |index: u16| {
        let x = f32::from(index);
        vectors([[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]])
    };
    let triangle = |index: u32| Triangle {
        vindex: [0, 1, 2].map(|corner| U32::new(3 * index + corner)),
        ..Triangle::default()
    };
    ((0..10).flat_map(corners).collect(), (0..10).map(triangle).collect())
}

#[test]
fn the_tree_is_divided_at_the_median_along_the_longest_side() {
    let (vertices, triangles) = row();
    let tree = AabTree::new(&triangles, &vertices).unwrap();
    // 10 triangles: 5 and 5, each 2 and 3.
    assert_eq!(tree.nodes.len(), 7);
    assert_eq!(tree.nodes[0].contents(), AabTreeContents::Inner { front: 1, back: 2 });
    assert_eq!((tree.nodes[0].min.get(), tree.nodes[0].max.get()), ([0.0; 3], [10.0, 1.0, 0.0]));
    assert_eq!((tree.nodes[1].min.get(), tree.nodes[1].max.get()), ([0.0; 3], [5.0, 1.0, 0.0]));
    assert_eq!((tree.nodes[2].min.get(), tree.nodes[2].max.get()), ([5.0, 0.0, 0.0], [10.0, 1.0, 0.0]));
    let leaves = tree.nodes.iter().filter_map(|node| match node.contents() {
        AabTreeContents::Leaf { first, count } => Some((first, count)),
        AabTreeContents::Inner { .. } => None,
    });
    let leaves: Vec<_> = leaves.collect();
    assert_eq!(leaves, [(0, 2), (2, 3), (5, 2), (7, 3)]);
    let indices: Vec<u32> = tree.polygon_indices.iter().map(|index| index.get()).collect();
    assert_eq!(indices, (0..10).collect::<Vec<_>>(), "they lie in a row already");
    assert_eq!((tree.header().node_count.get(), tree.header().poly_count.get()), (7, 10));
}

#[test]
fn leaves_hold_at_most_four_triangles_and_each_triangle_once() {
    let vertices: Vec<Vec3> = (0..300_u16)
        .map(|at| Vec3::new(f32::from(at * 37 % 101), f32::from(at * 53 % 89), f32::from(at % 7)))
        .collect();
    let triangle =
        |at: u32| Triangle { vindex: [3 * at, 3 * at + 1, 3 * at + 2].map(U32::new), ..Triangle::default() };
    let triangles: Vec<Triangle> = (0..100).map(triangle).collect();
    let tree = AabTree::new(&triangles, &vertices).expect("a tree");
    let mut sorted: Vec<u32> = tree.polygon_indices.iter().map(|index| index.get()).collect();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    let leaves = tree.nodes.iter().filter_map(|node| match node.contents() {
        AabTreeContents::Leaf { count, .. } => Some(count),
        AabTreeContents::Inner { .. } => None,
    });
    let leaves: Vec<u32> = leaves.collect();
    assert!(leaves.iter().all(|count| (1..=4).contains(count)), "{leaves:?}");
    assert_eq!((leaves.iter().sum::<u32>(), tree.nodes.len()), (100, leaves.len() * 2 - 1));
}

#[test]
fn a_triangle_without_its_corners_gives_no_tree() {
    let triangles = [Triangle { vindex: [0, 1, 2].map(U32::new), ..Triangle::default() }];
    assert!(AabTree::new(&triangles, &[Vec3::default(); 2]).is_none());
    assert!(AabTree::new(&triangles, &[Vec3::default(); 3]).is_some());
    assert!(AabTree::new(&triangles, &[Vec3::new(f32::NAN, 0.0, 0.0); 3]).is_none());
    assert_eq!(AabTree::new(&[], &[]).unwrap().nodes.len(), 1, "an empty leaf");
}

#[test]
fn a_mesh_has_everything_that_follows_from_its_triangles() {
    let node = quad().build().unwrap();
    let mesh = Mesh::new(&node).unwrap();
    let header = mesh.header().unwrap();
    assert_eq!((header.num_tris.get(), header.num_vertices.get()), (2, 4));
    assert_eq!((header.min.get(), header.max.get()), ([0.0, 0.0, 2.0], [3.0, 4.0, 2.0]));
    assert_eq!((header.sph_center.get(), header.sph_radius.get()), ([1.5, 2.0, 2.0], 2.5));
    assert!(node.children()[0].is(&table::MESH_HEADER3), "engines want it first");
    for triangle in mesh.triangles() {
        assert_eq!((triangle.normal.get(), triangle.dist.get()), ([0.0, 0.0, 1.0], 2.0));
    }
    assert_eq!(mesh.normals(), [Vec3::new(0.0, 0.0, 1.0); 4]);
    let counts = mesh.material_info().unwrap();
    let counts = [counts.pass_count, counts.vertex_material_count, counts.shader_count, counts.texture_count];
    assert_eq!(counts.map(U32::get), [1; 4]);
    assert_eq!(mesh.texture_names(), ["wood.tga"]);
    assert_eq!(mesh.shaders()[0].texturing, Texturing::ENABLE);
    assert_eq!(mesh.passes().next().unwrap().texcoords(0).len(), 4);
    assert!(mesh.aab_tree().is_none(), "nothing hits it");
}

#[test]
fn what_is_hit_gets_a_collision_tree() {
    let tree = |mesh: MeshBuilder| {
        Mesh::new(&mesh.build().unwrap()).unwrap().aab_tree().map(|tree| tree.nodes().len())
    };
    let hit = quad().flags(MeshFlags::COLLISION_PROJECTILE);
    assert_eq!(tree(hit.clone()), Some(1));
    assert_eq!(tree(hit.clone().aab_tree(false)), None);
    assert_eq!(tree(quad().aab_tree(true)), Some(1));
    let influence = VertexInfluence { bone_idx: [U16::new(1), U16::new(0)], ..VertexInfluence::default() };
    let skin = hit.influences([influence; 4]);
    assert_eq!(tree(skin.clone()), None, "a skin is not in one place");
    let node = skin.build().unwrap();
    assert!(Mesh::new(&node).unwrap().header().unwrap().is_skin());
}

#[test]
fn a_model_puts_meshes_on_bones() {
    let file = ModelBuilder::new("HOUSE")
        .bone("DOOR", 0, [1.0, 0.0, 0.0])
        .mesh_on(1, quad().surface(SurfaceType::WOOD))
        .mesh(MeshBuilder::new("WALL").positions(QUAD).triangles([[0, 1, 2]]).colors([[255, 0, 0, 255]; 4]))
        .object(0, "LAMP")
        .build()
        .unwrap();
    let bytes = file.to_bytes().unwrap();
    let file = W3d::parse(&bytes).unwrap();
    assert_eq!(file.diagnostics(), []);
    let skeleton = file.hierarchies().next().unwrap();
    let bones: Vec<_> =
        skeleton.pivots().iter().map(|pivot| (pivot.name.to_string(), pivot.parent())).collect();
    let expected = [("ROOTTRANSFORM", None), ("DOOR", Some(0)), ("WALL", Some(0))];
    assert_eq!(bones, expected.map(|(name, parent)| (name.to_owned(), parent)));
    assert_eq!(skeleton.header().unwrap().num_pivots.get(), 3);
    let hlod = file.hlods().next().unwrap();
    let level = hlod.levels().next().unwrap();
    let objects: Vec<_> =
        level.sub_objects().map(|object| (object.bone_index.get(), object.name.to_string())).collect();
    let expected = [(1, "HOUSE.QUAD"), (2, "HOUSE.WALL"), (0, "LAMP")];
    assert_eq!(objects, expected.map(|(bone, name)| (bone, name.to_owned())));
    assert_eq!(level.header().unwrap().model_count.get(), 3);
    let wall = file.meshes().nth(1).unwrap();
    assert_eq!(wall.passes().next().unwrap().diffuse_colors().len(), 4);
    assert_eq!((wall.textures().count(), wall.passes().next().unwrap().stages().count()), (0, 0));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let message = |error: record::Error| error.diagnostic().message.clone();
    let mesh = |mesh: MeshBuilder| message(mesh.build().unwrap_err());
    assert_eq!(mesh(quad().uvs([[0.0, 0.0]])), "mesh QUAD: 1 texture coordinates for 4 positions");
    assert_eq!(mesh(quad().triangles([[0, 1, 4]])), "mesh QUAD: vertex 4 does not exist: it has 4");
    assert_eq!(mesh(quad().positions([[f32::NAN, 0.0, 0.0]; 4])), "mesh QUAD: a position is infinite or NaN");
    let long = mesh(MeshBuilder::new("SIXTEEN_LETTERS_"));
    assert_eq!(long, "\"SIXTEEN_LETTERS_\" has 16 characters, and there is room for 15");
    let model = |model: ModelBuilder| message(model.build().unwrap_err());
    assert_eq!(
        model(ModelBuilder::new("A").mesh_on(3, quad())),
        "object A.QUAD: bone 3 does not exist: there are 1"
    );
    assert_eq!(
        model(ModelBuilder::new("A").bone("B", 1, [0.0; 3])),
        "bone B: its parent must be added before it"
    );
}
