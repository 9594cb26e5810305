//! Data that only some games know: chunks, flags, shader values, mappers, surfaces.

use record::Severity::Warning;
use w3d::names::Mapper;
use w3d::records::{Shader, VertexMaterialInfo};
use w3d::table::{self, *};

use crate::context::{Findings, W3dContext};
use crate::rule::Rule;
use crate::words::list;
use model::Game;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-GAME-001",
        Warning,
        chunks,
        "docs/formats/w3d/games.md#chunks-by-game: chunk lists",
        "the game does not know a chunk",
        "It skips the chunk, so the model lacks what the chunk holds. Export for the game that you want, or choose another profile.",
    ),
    Rule::w3d(
        "W3D-GAME-002",
        Warning,
        flags,
        "docs/formats/w3d/meshes.md#mesh-flags: 0x200, 0x400, 0x70000, 0x40000000, 0x80000000 are Tiberian Technologies'",
        "the game does not know a mesh flag",
        "Only Tiberian Technologies' scripts know these flags; other engines ignore them or do not recognise the geometry type.",
    ),
    Rule::w3d(
        "W3D-GAME-003",
        Warning,
        shaders,
        "docs/formats/w3d/materials.md#shaders: Zero Hour's values",
        "the game does not know a shader value",
        "The value is out of the range that the game's engine knows; the engine uses it as an index of tables.",
    ),
    Rule::w3d(
        "W3D-GAME-004",
        Warning,
        mappers,
        "docs/formats/w3d/materials.md#mappers: 0x13 and 0x14 are Zero Hour's and Tiberian Technologies'",
        "the game does not know a texture mapper",
        "The engine falls back to plain texture coordinates.",
    ),
    Rule::w3d(
        "W3D-GAME-005",
        Warning,
        surfaces,
        "docs/formats/w3d/meshes.md#surface-types: Generals stops at 26, Renegade at 31, Tiberian Technologies at 47",
        "the game does not know a surface type",
        "Sounds and effects of the surface are looked up in a table that ends before it.",
    ),
];

fn chunks(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let game = context.profile.w3d_games();
    let mut first = None;
    let mut names: Vec<&str> = Vec::new();
    for visit in context.every() {
        let node = visit.node;
        let Some(row) = table::find(None, node.id).filter(|row| row.kind.name == node.kind.name) else {
            continue;
        };
        // Chunks older than the games are read by all of them or by none. Other rules report them.
        let old = row.games == w3d::Games::EARLY;
        if !old && !row.games.has(game) && !names.contains(&row.kind.name) {
            first.get_or_insert(node);
            names.push(row.kind.name);
        }
    }
    if let Some(node) = first {
        let word = if names.len() == 1 { "chunk" } else { "chunks" };
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let message = format!("{} does not know the {word} {}", context.profile.title(), list(&names));
        findings.add(node, message);
    }
}

fn flags(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    if matches!(context.profile, Game::Tt4 | Game::Tt5) {
        return;
    }
    for mesh in &context.meshes {
        let Some(header) = mesh.header() else { continue };
        let word = header.attributes.get();
        let mut strange = word & 0xC000_0600;
        let geometry = word >> 16 & 0xFF;
        if geometry > 6 {
            strange |= geometry << 16;
        }
        if strange != 0 {
            findings.add(
                mesh.0,
                format!("{} does not know the mesh flags {strange:#x}", context.profile.title()),
            );
        }
    }
}

fn shaders(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let newer = matches!(context.profile, Game::ZeroHour | Game::Bfme1 | Game::Bfme2 | Game::Tt4 | Game::Tt5);
    let (gradients, details) = if newer { (5, 12) } else { (3, 8) };
    for visit in context.all(&SHADERS) {
        let shaders = visit.node.values::<Shader>();
        let strange = |shader: &Shader| {
            [
                ("depth compare", shader.depth_compare.get(), 7),
                ("depth mask", shader.depth_mask.get(), 1),
                ("destination blend", shader.dest_blend.get(), 6),
                ("source blend", shader.src_blend.get(), 3),
                ("primary gradient", shader.pri_gradient.get(), gradients),
                ("secondary gradient", shader.sec_gradient.get(), 1),
                ("texturing", shader.texturing.get(), 1),
                ("detail colour", shader.detail_color_func.get(), details),
                ("detail alpha", shader.detail_alpha_func.get(), 3),
                ("alpha test", shader.alpha_test.get(), 1),
            ]
            .into_iter()
            .find(|(_, value, last)| value > last)
        };
        let bad = shaders
            .iter()
            .enumerate()
            .filter(|(_, shader)| strange(shader).is_some())
            .map(|(index, _)| index);
        findings.elements(visit.node, 16, bad, |index| {
            let (what, value, last) = strange(&shaders[index]).unwrap_or_default();
            format!("shader {index} has the {what} {value}; {} knows 0 to {last}", context.profile.title())
        });
    }
}

fn mappers(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let newer = matches!(context.profile, Game::ZeroHour | Game::Bfme1 | Game::Bfme2 | Game::Tt4 | Game::Tt5);
    let last = if newer { Mapper::GRID_WS_ENVIRONMENT } else { Mapper::BUMPENV };
    for visit in context.all(&VERTEX_MATERIAL_INFO) {
        let Some(info) = visit.node.value::<VertexMaterialInfo>() else { continue };
        for stage in 0..2 {
            let mapper = info.attributes.mapper(stage).get();
            if mapper > last.get() {
                findings.add(
                    visit.node,
                    format!(
                        "stage {stage} has the mapper {mapper:#x}; {} knows up to {:#x}",
                        context.profile.title(),
                        last.get()
                    ),
                );
            }
        }
    }
}

fn surfaces(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let last = match context.profile {
        Game::Generals => 26,
        Game::Tt4 | Game::Tt5 => 47,
        _ => 31,
    };
    for mesh in &context.meshes {
        let Some(node) = mesh.0.child(&TRIANGLES) else { continue };
        let of = |index: usize| mesh.triangles()[index].attributes.get();
        let bad = (0..mesh.triangles().len()).filter(|index| (last + 1..256).contains(&of(*index)));
        findings.elements(node, 32, bad, |index| {
            format!(
                "triangle {index} has the surface type {}; {} knows 0 to {last}",
                of(index),
                context.profile.title()
            )
        });
    }
}
