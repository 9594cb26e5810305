//! Rules for the WoW alpha.

use mdx::kinds;
use mdx::records::{WowAttachmentCount, WowMaterialCount, WowModel};
use mdx::tags;
use record::Severity::{Error, Info, Warning};

use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{count, counted, miscounted, out_of_range, thousands, verb};
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-WOW-001",
        Warning,
        object_count,
        "docs/formats/mdx/wow-alpha.md#layout: MODL tail; proven on a real file",
        "the number of objects in MODL differs from the number of nodes",
        "The client allocates objects by it. The repair sets it.",
    )
    .only(Games::WOW)
    .repaired(Repair::mdx("sets the number of objects", fix::mdx_object_count)),
    Rule::mdx(
        "MDX-WOW-002",
        Warning,
        highest_attachment,
        "docs/formats/mdx/wow-alpha.md#layout: second word of ATCH",
        "the highest id in ATCH differs from that of the attachments",
        "The client makes a table of that size for looking attachments up. The repair sets it.",
    )
    .only(Games::WOW)
    .repaired(Repair::mdx("sets the highest attachment id", fix::mdx_highest_attachment)),
    Rule::mdx(
        "MDX-WOW-003",
        Info,
        animated_layers,
        "docs/formats/mdx/wow-alpha.md#layout: second word of MTLS",
        "the number of animated layers in MTLS is wrong",
        "The client counts layers with tracks of opacity or texture.",
    )
    .only(Games::WOW),
    Rule::mdx(
        "MDX-WOW-004",
        Error,
        collision_mesh,
        "docs/formats/mdx/wow-alpha.md#hit-tests-and-collision: CLID; proven on a real file",
        "the collision mesh is malformed",
        "Its indices must form whole triangles of existing vertices.",
    )
    .only(Games::WOW),
    Rule::mdx(
        "MDX-WOW-006",
        Warning,
        collision_normals,
        "docs/formats/mdx/wow-alpha.md#hit-tests-and-collision: CLID; seen on one real file only",
        "the collision mesh does not have one normal per triangle",
        "The client tests triangles with the normal of the same number.",
    )
    .only(Games::WOW),
    Rule::mdx(
        "MDX-WOW-005",
        Warning,
        weights,
        "docs/formats/mdx/wow-alpha.md#geosets-of-the-wow-alpha: BWGT; proven on a real file",
        "bone weights do not add up to 255",
        "BWGT holds four weights per vertex that add up to 255.",
    )
    .only(Games::WOW),
];

fn object_count(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let Some(node) = context.model.chunk(&kinds::WOW_MODL) else { return };
    let Some(model) = node.value::<WowModel>() else { return };
    if usize::try_from(model.object_count.get()) != Ok(context.nodes.len()) {
        findings
            .add(node, miscounted("MODL", model.object_count, context.nodes.len(), ["object", "objects"]));
    }
}

fn highest_attachment(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let Some(node) = context.model.chunk(&kinds::ATCH) else { return };
    let stated = node.child(&kinds::WOW_ATTACHMENT_COUNT).and_then(|node| node.value::<WowAttachmentCount>());
    let highest =
        context.nodes.iter().filter_map(|node| node.attachment()).map(|attachment| attachment.id).max();
    if let (Some(stated), Some(highest)) = (stated, highest)
        && i64::from(stated.highest_id.get()) != i64::from(highest)
    {
        findings.add(
            node,
            format!("ATCH says that the highest id is {}, but it is {highest}", stated.highest_id),
        );
    }
}

fn animated_layers(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let Some(node) = context.model.chunk(&kinds::MTLS) else { return };
    let Some(stated) =
        node.child(&kinds::WOW_MATERIAL_COUNT).and_then(|node| node.value::<WowMaterialCount>())
    else {
        return;
    };
    let layers = context.materials.iter().flat_map(|material| material.layers());
    let animated =
        layers.filter(|layer| layer.track(tags::KMTA).or_else(|| layer.track(tags::KMTF)).is_some()).count();
    if usize::try_from(stated.animated_layers.get()) != Ok(animated) {
        findings.add(
            node,
            miscounted("MTLS", stated.animated_layers, animated, ["animated layer", "animated layers"]),
        );
    }
}

fn collision_mesh(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let Some(mesh) = context.model.collision_mesh() else { return };
    let node = context.chunk("CLID");
    if let Some(index) = mesh.faces.iter().find(|index| usize::from(index.get()) >= mesh.positions.len()) {
        findings.add(node, out_of_range("vertex", index, "collision mesh", mesh.positions.len()));
    }
    if mesh.faces.len() % 3 != 0 {
        let are = verb(mesh.faces.len(), "is", "are");
        let indices = count(mesh.faces.len(), "index", "indices");
        findings.add(node, format!("{indices} {are} not a multiple of 3"));
    }
}

fn collision_normals(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let Some(mesh) = context.model.collision_mesh() else { return };
    if mesh.normals.len() != mesh.faces.len() / 3 {
        let triangles = mesh.faces.len() / 3;
        let (normals, triangles) = (counted(mesh.normals.len(), "normal"), counted(triangles, "triangle"));
        findings.add(context.chunk("CLID"), format!("the collision mesh has {normals} for {triangles}"));
    }
}

fn weights(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let wrong = |weights: &[u8; 4]| weights.iter().map(|weight| u32::from(*weight)).sum::<u32>() != 255;
        let count = geoset.bone_weights().iter().filter(|weights| wrong(weights)).count();
        if count > 0 {
            let vertices =
                if count == 1 { "1 vertex".to_owned() } else { format!("{} vertices", thousands(count)) };
            findings.add(geoset.node, format!("the weights of {vertices} do not add up to 255"));
        }
    }
}
