//! Materials: passes, stages, ids, shaders.

use std::collections::HashSet;

use record::Severity::{Error, Hint, Warning};
use record::{Node, U32};
use w3d::names::{AlphaTest, DestBlend, MeshFlags};
use w3d::records::{MaterialInfo, MeshHeader3, Shader, ShaderMaterialProperty};
use w3d::table::*;
use w3d::{Chunk, Mesh};

use super::{child_values, len};
use crate::context::{Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{counted, miscounted, out_of_range, thousands, verb};
use model::Games;

const COUNTS: Repair = Repair::w3d("sets the counts of MATERIAL_INFO", fix::material_counts);

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-MAT-001",
        Error,
        pass_count,
        "docs/formats/w3d/materials.md#material-chunks",
        "the number of passes differs from MATERIAL_INFO's",
        "Engines allocate passes by MATERIAL_INFO and then read every MATERIAL_PASS: an additional one writes beyond them, a missing one draws a pass \
         without a material. The repair sets the count.",
    )
    .repaired(COUNTS),
    Rule::w3d(
        "W3D-MAT-002",
        Error,
        too_many_passes,
        "docs/formats/w3d/materials.md#material-chunks: MAX_PASSES 4",
        "the mesh has more than four passes",
        "Engines have room for four passes; retail models have three at most.",
    ),
    Rule::w3d(
        "W3D-MAT-003",
        Error,
        too_many_stages,
        "docs/formats/w3d/materials.md#material-chunks: MAX_TEX_STAGES 2",
        "a pass has more than two textures",
        "Engines have room for two texture stages per pass. Move the texture to another pass.",
    ),
    Rule::w3d(
        "W3D-MAT-004",
        Warning,
        too_many_colors,
        "docs/formats/w3d/materials.md#material-chunks: MAX_COLOR_ARRAYS 2",
        "the mesh has more than two arrays of vertex colours",
        "Engines keep two colour arrays per mesh; further passes get none.",
    ),
    Rule::w3d(
        "W3D-MAT-005",
        Warning,
        material_counts,
        "docs/formats/w3d/materials.md#material-chunks; meshmdlio.cpp goes by the chunks, except for shaders",
        "the number of shaders, textures or vertex materials differs from MATERIAL_INFO's",
        "Engines read all textures and vertex materials, but as many shaders as MATERIAL_INFO says. The repair sets the counts.",
    )
    .repaired(COUNTS),
    Rule::w3d(
        "W3D-MAT-006",
        Error,
        id_counts,
        "docs/formats/w3d/materials.md#ids-of-a-pass: 1 or N",
        "an id array has neither one element nor one per vertex or triangle",
        "Engines use one id for all or one for each; with any other number they read beyond the chunk.",
    ),
    Rule::w3d(
        "W3D-MAT-007",
        Error,
        id_range,
        "docs/formats/w3d/materials.md#ids-of-a-pass: 0xFFFFFFFF is allowed for textures only",
        "an id refers to a missing material, shader or texture",
        "Engines do not check the id: they use memory beyond the list and crash or draw garbage.",
    ),
    Rule::w3d(
        "W3D-MAT-008",
        Warning,
        many_vertex_materials,
        "docs/formats/w3d/materials.md#material-chunks: OpenSAGE's observation over all retail files",
        "the mesh has more than sixteen vertex materials",
        "No retail model has more; every change of material is a draw call. Merge materials, or split the mesh.",
    ),
    Rule::w3d(
        "W3D-MAT-009",
        Warning,
        transparent_passes,
        "docs/formats/w3d/materials.md#material-chunks: refused by the exporter",
        "a transparent mesh has several passes",
        "The exporter refuses it: a mesh whose first pass blends is sorted triangle by triangle, and later passes then blend with the wrong \
         background. Use one pass, or give the mesh a sort level.",
    ),
    Rule::w3d(
        "W3D-MAT-010",
        Warning,
        sort_level,
        "docs/formats/w3d/meshes.md#mesh-header: MAX_SORT_LEVEL 32",
        "the sort level is not between 0 and 32",
        "Engines have 32 lists of statically sorted meshes; the level is read as a signed byte and used as an index.",
    ),
    Rule::w3d(
        "W3D-MAT-011",
        Error,
        prelit,
        "docs/formats/w3d/materials.md#prelit-wrappers: the loader asserts; UNLIT is the fallback",
        "a prelit flag has no wrapper, or the unlit materials are missing",
        "The header's flags say which PRELIT wrappers there are. The loader chooses one by graphics settings and falls back to PRELIT_UNLIT, which must \
         exist.",
    ),
    Rule::w3d(
        "W3D-MAT-012",
        Error,
        property,
        "docs/formats/w3d/materials.md#shader-materials: types 1 to 7, exactly consumed",
        "a shader property is of unknown type or has the wrong length",
        "The property's type determines the length of its value; the loader reads that much and treats what follows as the next property.",
    )
    .only(Games::SMOOTH),
    Rule::w3d(
        "W3D-MAT-013",
        Warning,
        mapper_args,
        "docs/formats/w3d/materials.md#mappers: keys of mapper.cpp",
        "a mapper argument has an unknown key",
        "Mappers read the keys they know and use defaults for the rest: a mistyped key is ignored. Retail Zero Hour has one (`Log1Width`).",
    ),
    Rule::w3d(
        "W3D-MAT-014",
        Hint,
        unused,
        "users ask for clean files",
        "a texture, shader or vertex material is unused",
        "It is loaded nevertheless. `--fix=all` removes it and renumbers the others.",
    )
    .repaired(Repair::w3d("removes unused textures, shaders and vertex materials", fix::unused_materials).all()),
    Rule::w3d(
        "W3D-MAT-015",
        Warning,
        ps2_shaders,
        "docs/formats/w3d/materials.md#playstation-2-shaders: one PlayStation 2 record per shader",
        "the number of PlayStation 2 shaders differs from the number of shaders",
        "Only the console's engine reads them, one per shader.",
    ),
];

/// The mesh itself and its prelit wrappers: each has separate materials.
pub(crate) fn holders<'n>(mesh: &Mesh<'n>) -> impl Iterator<Item = &'n Node<'n>> {
    let wrapped = mesh.0.children().iter().filter(|node| (0x23..=0x26).contains(&node.id));
    std::iter::once(mesh.0).chain(wrapped)
}

fn with_info<'n>(
    context: &W3dContext<'n>,
) -> impl Iterator<Item = (&'n Node<'n>, &'n Node<'n>, &'n MaterialInfo)> {
    let holders = context.meshes.iter().flat_map(holders);
    holders.filter_map(|holder| {
        let node = holder.child(&MATERIAL_INFO)?;
        Some((holder, node, node.value()?))
    })
}

fn pass_count(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (holder, node, info) in with_info(context) {
        let found = holder.all(&MATERIAL_PASS).count();
        if found != len(info.pass_count) {
            findings.add(node, miscounted("MATERIAL_INFO", info.pass_count, found, ["pass", "passes"]));
        }
    }
}

fn too_many_passes(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for holder in context.meshes.iter().flat_map(holders) {
        let found = holder.all(&MATERIAL_PASS).count();
        if found > 4 {
            findings.add(holder, format!("the mesh has {found} passes; engines have room for 4"));
        }
    }
}

fn passes<'n>(context: &W3dContext<'n>) -> impl Iterator<Item = &'n Node<'n>> {
    context.meshes.iter().flat_map(holders).flat_map(|holder| holder.all(&MATERIAL_PASS))
}

fn too_many_stages(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for pass in passes(context) {
        let found = pass.all(&TEXTURE_STAGE).count();
        if found > 2 {
            findings.add(pass, format!("the pass has {found} texture stages; engines have room for 2"));
        }
    }
}

fn too_many_colors(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for holder in context.meshes.iter().flat_map(holders) {
        let arrays: HashSet<&[u8]> =
            holder.all(&MATERIAL_PASS).filter_map(|pass| pass.child(&DCG)).map(Node::bytes).collect();
        if arrays.len() > 2 {
            findings.add(
                holder,
                format!("the mesh has {} different arrays of colours; engines keep 2", arrays.len()),
            );
        }
    }
}

/// The numbers of vertex materials, shaders and textures.
pub(crate) fn found(holder: &Node<'_>) -> [usize; 3] {
    let children = |parent: &'static Chunk, child: &'static Chunk| {
        holder.child(parent).map_or(0, |node| node.all(child).count())
    };
    [
        children(&VERTEX_MATERIALS, &VERTEX_MATERIAL),
        child_values::<Shader>(holder, &SHADERS).len(),
        children(&TEXTURES, &TEXTURE),
    ]
}

fn material_counts(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (holder, node, info) in with_info(context) {
        let stated = [info.vertex_material_count, info.shader_count, info.texture_count];
        for ((found, stated), what) in found(holder).into_iter().zip(stated).zip([
            ["vertex material", "vertex materials"],
            ["shader", "shaders"],
            ["texture", "textures"],
        ]) {
            if found != len(stated) {
                findings.add(node, miscounted("MATERIAL_INFO", stated, found, what));
            }
        }
    }
}

fn ps2_shaders(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        for node in mesh.0.all(&PS2_SHADERS) {
            let (found, shaders) = (node.bytes().len() / 12, child_values::<Shader>(mesh.0, &SHADERS).len());
            if found != shaders {
                findings.add(
                    node,
                    format!(
                        "there are {} for {}",
                        counted(found, "PlayStation 2 shader"),
                        counted(shaders, "shader")
                    ),
                );
            }
        }
    }
}

/// Calls `see` for each id array of each mesh: the array, the node with its materials, the header.
fn id_arrays<'n>(context: &W3dContext<'n>, see: &mut dyn FnMut(&'n Node<'n>, &'n Node<'n>, &MeshHeader3)) {
    for mesh in &context.meshes {
        let Some(header) = mesh.header() else { continue };
        for holder in holders(mesh) {
            for pass in holder.all(&MATERIAL_PASS) {
                let stages = pass.all(&TEXTURE_STAGE).flat_map(Node::children);
                for node in pass.children().iter().chain(stages) {
                    if matches!(
                        node.id,
                        ids::VERTEX_MATERIAL_IDS
                            | ids::SHADER_IDS
                            | ids::SHADER_MATERIAL_ID
                            | ids::TEXTURE_IDS
                    ) && !node.kind.slots.is_empty()
                    {
                        see(node, holder, header);
                    }
                }
            }
        }
    }
}

fn id_counts(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    id_arrays(context, &mut |node, _, header| {
        let found = node.values::<U32>().len();
        let (each, what) = match node.id {
            ids::VERTEX_MATERIAL_IDS => (header.num_vertices, "vertices"),
            _ => (header.num_tris, "triangles"),
        };
        if found != 1 && found != len(each) {
            findings.add(
                node,
                format!("{} has {} for {} {what}", node.name(), counted(found, "id"), thousands(len(each))),
            );
        }
    });
}

fn id_range(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    id_arrays(context, &mut |node, holder, _| {
        let [vertex_materials, shaders, textures] = found(holder);
        let (there, what) = match node.id {
            ids::VERTEX_MATERIAL_IDS => (vertex_materials, "vertex material"),
            ids::SHADER_IDS => (shaders, "shader"),
            ids::TEXTURE_IDS => (textures, "texture"),
            _ => (
                holder.child(&SHADER_MATERIALS).map_or(0, |node| node.all(&SHADER_MATERIAL).count()),
                "shader material",
            ),
        };
        let ids = node.values::<U32>();
        let bad = ids
            .iter()
            .enumerate()
            .filter(|(_, id)| len(**id) >= there && (node.id != ids::TEXTURE_IDS || id.get() != u32::MAX));
        findings.elements(node, 4, bad.map(|(index, _)| index), |index| {
            out_of_range(what, ids[index], "mesh", there)
        });
    });
}

fn many_vertex_materials(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for holder in context.meshes.iter().flat_map(holders) {
        let [materials, ..] = found(holder);
        if materials > 16 {
            findings.add(
                holder,
                format!("the mesh has {materials} vertex materials; retail models have at most 16"),
            );
        }
    }
}

fn blends(shader: &Shader) -> bool {
    shader.dest_blend != DestBlend::ZERO && shader.alpha_test == AlphaTest::DISABLE
}

fn transparent_passes(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let sorted = mesh.header().is_some_and(|header| header.sort_level.get() == 0);
        for holder in holders(mesh).filter(|_| sorted) {
            let passes: Vec<_> = holder.all(&MATERIAL_PASS).collect();
            let shaders = child_values::<Shader>(holder, &SHADERS);
            let [first, _, ..] = passes.as_slice() else { continue };
            let ids = child_values::<U32>(first, &SHADER_IDS);
            if ids.iter().any(|id| shaders.get(len(*id)).is_some_and(blends)) {
                findings.add(holder, format!("the first of {} passes is transparent", passes.len()));
            }
        }
    }
}

fn sort_level(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        if let Some(header) = mesh.header().filter(|header| !(0..=32).contains(&header.sort_level.get())) {
            findings.add(mesh.0, format!("the sort level is {}; engines know 0 to 32", header.sort_level));
        }
    }
}

fn prelit(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let wrappers = [
        (MeshFlags::PRELIT_UNLIT, &PRELIT_UNLIT),
        (MeshFlags::PRELIT_VERTEX, &PRELIT_VERTEX),
        (MeshFlags::PRELIT_LIGHTMAP_MULTI_PASS, &PRELIT_LIGHTMAP_MULTI_PASS),
        (MeshFlags::PRELIT_LIGHTMAP_MULTI_TEXTURE, &PRELIT_LIGHTMAP_MULTI_TEXTURE),
    ];
    for mesh in &context.meshes {
        let Some(header) = mesh.header() else { continue };
        for (flag, wrapper) in wrappers {
            if header.attributes.has(flag) && mesh.0.child(wrapper).is_none() {
                findings.add(
                    mesh.0,
                    format!("the flag of {} is set, but there is no such chunk", wrapper.kind.name),
                );
            }
        }
        let wrapped = wrappers.iter().any(|(_, wrapper)| mesh.0.child(wrapper).is_some());
        if wrapped && mesh.0.child(&PRELIT_UNLIT).is_none() && mesh.0.child(&MATERIAL_INFO).is_none() {
            findings.add(mesh.0, "PRELIT_UNLIT, the fallback, is missing");
        }
    }
}

fn property(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&SHADER_MATERIAL_PROPERTY) {
        let Some(property) = visit.node.value::<ShaderMaterialProperty>() else { continue };
        let ty = property.property_type;
        if ty.name().is_none() {
            findings.add(visit.node, format!("the property has the unknown type {}", ty.get()));
            continue;
        }
        let mut slots = visit.node.slots();
        let parts: Vec<_> = slots.by_ref().map(|part| (part.slot.name, part.bytes.len())).collect();
        let length =
            |name: &str| parts.iter().find(|(slot, _)| *slot == name).map_or(0, |(_, length)| *length);
        let wanted = match ty.get() {
            1 => {
                let stated = visit.node.values::<U32>().first().map(|length| len(*length));
                length("texture") > 0 && stated == Some(length("texture"))
            }
            2..=5 => length("floats") == (ty.get() as usize - 1) * 4,
            6 => length("int") == 4,
            _ => length("bool") == 1,
        };
        if !wanted || !slots.rest().is_empty() || length("name") != len(property.name_length) {
            findings.add(
                visit.node,
                format!(
                    "the property has {} bytes, which do not match its type {}",
                    thousands(visit.node.bytes().len()),
                    ty.name().unwrap_or("unknown")
                ),
            );
        }
    }
}

/// Keys that `mapper.cpp` reads.
const MAPPER_KEYS: [&str; 24] = [
    "UPerSec",
    "VPerSec",
    "UScale",
    "VScale",
    "UCenter",
    "VCenter",
    "Speed",
    "FPS",
    "Log2Width",
    "Last",
    "UAmp",
    "UFreq",
    "UPhase",
    "VAmp",
    "VFreq",
    "VPhase",
    "UStep",
    "VStep",
    "SPS",
    "Period",
    "BumpRotation",
    "BumpScale",
    "UseReflect",
    "VStart",
];

/// Further keys that `MAPPERS.TXT` describes.
const MORE_MAPPER_KEYS: [&str; 5] = ["UOffset", "VOffset", "ClampFix", "Offset", "Axis"];

fn mapper_args(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let is_known =
        |key: &str| MAPPER_KEYS.iter().chain(&MORE_MAPPER_KEYS).any(|known| known.eq_ignore_ascii_case(key));
    for visit in context
        .every()
        .iter()
        .filter(|visit| visit.node.is(&VERTEX_MAPPER_ARGS0) || visit.node.is(&VERTEX_MAPPER_ARGS1))
    {
        let text = record::decode(visit.node.text().unwrap_or_default());
        for line in text.lines() {
            let line = line.split(';').next().unwrap_or_default();
            if let Some((key, _)) = line.split_once('=')
                && !is_known(key.trim())
            {
                findings.add(visit.node, format!("no mapper knows the argument {:?}", key.trim()));
            }
        }
    }
}

/// The used vertex materials, shaders and textures.
pub(crate) fn used(holder: &Node<'_>) -> [Vec<bool>; 3] {
    let mut used = found(holder).map(|count| vec![false; count]);
    let mut mark = |list: usize, ids: &[U32]| {
        for id in ids {
            if let Some(used) = used[list].get_mut(len(*id)) {
                *used = true;
            }
        }
    };
    for pass in holder.all(&MATERIAL_PASS) {
        mark(0, child_values(pass, &VERTEX_MATERIAL_IDS));
        mark(1, child_values(pass, &SHADER_IDS));
        for stage in pass.all(&TEXTURE_STAGE) {
            mark(2, child_values(stage, &TEXTURE_IDS));
        }
    }
    used
}

fn unused(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for holder in
        context.meshes.iter().flat_map(holders).filter(|holder| holder.child(&MATERIAL_PASS).is_some())
    {
        for (used, what) in used(holder).iter().zip(["vertex material", "shader", "texture"]) {
            let count = used.iter().filter(|used| !**used).count();
            if count > 0 {
                let are = verb(count, "is", "are");
                findings.add(holder, format!("{count} of {} {are} unused", counted(used.len(), what)));
            }
        }
    }
}
