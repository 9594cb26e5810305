//! Counts, indices and flags of meshes.

use super::*;

#[test]
fn meshes() {
    let header = |change: fn(&mut MeshHeader3)| {
        move |file: &mut Document<'static>| set::<MeshHeader3>(file, HEADER, change)
    };
    rich_case("W3D-MESH-002", header(|it| it.num_tris.set(1)), 0);
    rich_case("W3D-MESH-002", header(|it| it.num_tris.set(0)), 1);
    rich_case("W3D-MESH-002", header(|it| it.num_vertices.set(0)), 1);
    rich_case("W3D-MESH-006", header(|it| it.num_vertices.set(65535)), 0);
    rich_case("W3D-MESH-006", header(|it| it.num_vertices.set(65536)), 1);
    let index =
        |index: u32| changing_all::<Triangle>("MESH/TRIANGLES", move |all| all[1].vindex[2].set(index));
    rich_case("W3D-MESH-005", index(23), 0);
    rich_case("W3D-MESH-005", index(24), 1);
    place("W3D-MESH-005", GAME, rich::document(), index(24), "MESH/TRIANGLES", 32..64);
    let sub = "SHDMESH/SHDSUBMESH/SHDSUBMESH_TRIANGLES";
    let shader = |index: u16| changing_all::<[U16; 3]>(sub, move |all| all[0][2].set(index));
    rich_case("W3D-MESH-005", shader(2), 0);
    rich_case("W3D-MESH-005", shader(3), 1);
    place("W3D-MESH-005", GAME, rich::document(), shader(3), sub, 0..6);
    let shade = |index: u32| changing_all::<U32>("MESH/VERTEX_SHADE_INDICES", move |all| all[7].set(index));
    rich_case("W3D-MESH-009", shade(23), 0);
    rich_case("W3D-MESH-009", shade(24), 1);
    place("W3D-MESH-009", GAME, rich::document(), shade(24), "MESH/VERTEX_SHADE_INDICES", 28..32);
    // Arrays with an element too few, of meshes, of stages in them, and of shader meshes.
    for (path, size, code) in [
        ("MESH/VERTICES", 12, "W3D-MESH-003"),
        ("MESH/VERTEX_NORMALS", 12, "W3D-MESH-003"),
        ("MESH/MATERIAL_PASS/TEXTURE_STAGE/STAGE_TEXCOORDS", 8, "W3D-MESH-003"),
        ("MESH/TRIANGLES", 32, "W3D-MESH-004"),
        ("SHDMESH/SHDSUBMESH/SHDSUBMESH_VERTICES", 12, "W3D-MESH-003"),
        (sub, 6, "W3D-MESH-004"),
    ] {
        rich_case(
            code,
            |file| {
                let body = node(file, path).bytes_mut().expect("a leaf");
                body.truncate(body.len() - size);
            },
            1,
        );
    }
    // Arrays that must be there.
    let without =
        |id: u32| move |file: &mut Document<'static>| children(file, "MESH").retain(|part| part.id != id);
    rich_case("W3D-MESH-003", without(ids::VERTICES), 1);
    rich_case("W3D-MESH-004", without(ids::TRIANGLES), 1);
    let empty = |file: &mut Document<'static>| {
        set::<MeshHeader3>(file, HEADER, |it| {
            it.num_tris.set(0);
            it.num_vertices.set(0);
        });
        children(file, "MESH").truncate(1);
    };
    rich_case("W3D-MESH-003", empty, 0);
    rich_case("W3D-MESH-004", empty, 0);
    // A mesh without vertices is one finding, whatever its header says about triangles.
    let claims_triangle = |file: &mut Document<'static>| {
        empty(file);
        set::<MeshHeader3>(file, HEADER, |it| it.num_tris.set(1));
    };
    rich_case("W3D-MESH-002", claims_triangle, 1);
    rich_case("W3D-MESH-004", claims_triangle, 0);
    // An array that is too short does not hide wrong indices, unless it is that of the vertices.
    for (path, expected) in [("MESH/VERTEX_NORMALS", 1), ("MESH/VERTICES", 0)] {
        let both = |file: &mut Document<'static>| {
            let body = node(file, path).bytes_mut().expect("a leaf");
            body.truncate(body.len() - 12);
            values::<Triangle>(file, "MESH/TRIANGLES", |all| all[1].vindex[2].set(24));
        };
        rich_case("W3D-MESH-003", both, 1);
        rich_case("W3D-MESH-005", both, expected);
    }
    let damage = |vertices: u32, colors: u32| {
        changing::<DamageHeader>("MESH[1]/DAMAGE/DAMAGE_HEADER", move |header| {
            header.num_damage_verts.set(vertices);
            header.num_damage_colors.set(colors);
        })
    };
    rich_case("W3D-MESH-010", damage(1, 1), 0);
    rich_case("W3D-MESH-010", damage(0, 1), 1);
    rich_case("W3D-MESH-010", damage(1, 2), 1);
    rich_case(
        "W3D-MESH-010",
        |file| children(file, "MESH[1]/DAMAGE").retain(|part| !part.is(&DAMAGE_COLORS)),
        1,
    );
    let subs = |count: u32| {
        changing::<ShdMeshHeader>("SHDMESH/SHDMESH_HEADER", move |header| header.num_sub_meshes.set(count))
    };
    rich_case("W3D-MESH-011", subs(1), 0);
    rich_case("W3D-MESH-011", subs(2), 1);
    rich_case("W3D-MESH-011", |file| children(file, "SHDMESH").truncate(1), 1);
}

/// The lowest bits are every game's; a geometry type that nobody knows is told as it stands in the word.
#[test]
fn flags_of_meshes() {
    let flags = |word: u32, expected: usize| {
        let change = |file: &mut Document<'static>| {
            set::<MeshHeader3>(file, HEADER, |header| header.attributes = MeshFlags::new(word));
        };
        case("W3D-GAME-002", Game::Generals, rich::document(), change, expected);
    };
    flags(0x1, 0);
    flags(0x1FF, 0);
    flags(0x6_0000, 0);
    flags(0x7_0000, 1);
    flags(0x200, 1);
}

/// The crate has twelve triangles: more than three quarters have to face away from their normals.
#[test]
fn meshes_that_are_inside_out() {
    let flipped = |count: usize| {
        changing_all::<Triangle>("MESH/TRIANGLES", move |all| {
            all[..count].iter_mut().for_each(|triangle| triangle.vindex.swap(1, 2));
        })
    };
    rich_case("W3D-MESH-015", flipped(0), 0);
    rich_case("W3D-MESH-015", flipped(9), 0);
    rich_case("W3D-MESH-015", flipped(10), 1);
    rich_case("W3D-MESH-015", flipped(12), 1);
    let two_sided = |file: &mut Document<'static>| {
        flipped(12)(file);
        set::<MeshHeader3>(file, HEADER, |header| header.attributes = MeshFlags::TWO_SIDED);
    };
    rich_case("W3D-MESH-015", two_sided, 0);
}
