//! Models that combine objects: HLODs, aggregates, older models, collections, lights.

use std::collections::HashSet;

use assets::Named;
use record::Severity::{Error, Warning};
use w3d::HlodLevel;
use w3d::records::{AggregateInfo, CollectionHeader, HModelHeader, HModelNode, LodModelHeader};
use w3d::table::*;

use super::{child_value, is_of_this_file, len, lower};
use crate::context::{Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{miscounted, out_of_range, vector};

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-HLOD-001",
        Error,
        order,
        "docs/formats/w3d/models.md#hlod: HEADER, then LodCount arrays, then the rest",
        "the chunks of the model are in the wrong order",
        "The loader reads the header, then exactly as many LOD arrays as it says, then aggregates and proxies. In any other order parts are lost or the model \
         is rejected.",
    ),
    Rule::w3d(
        "W3D-HLOD-002",
        Error,
        level_count,
        "docs/formats/w3d/models.md#hlod: exactly LodCount arrays",
        "the number of levels differs from the header's",
        "The loader reads as many levels as the header says and treats whatever follows as the next one. The repair sets the header.",
    )
    .repaired(Repair::w3d("sets the header's number of levels", fix::level_count)),
    Rule::w3d(
        "W3D-HLOD-003",
        Error,
        object_count,
        "docs/formats/w3d/models.md#hlod: exactly ModelCount sub-objects",
        "the number of objects in a level differs from its header's",
        "The loader reads as many sub-objects as the header says. The repair sets the header.",
    )
    .repaired(Repair::w3d("sets the headers' numbers of objects", fix::object_count)),
    Rule::w3d(
        "W3D-HLOD-004",
        Warning,
        sub_object,
        "docs/formats/w3d/models.md#hlod: 6,311 of 6,317 resolve in the same file",
        "an object of the model is not in the file",
        "Its container is one of this file's, but nothing here has the name: the engine cannot create it and skips it. Most often a mesh was renamed.",
    ),
    Rule::w3d(
        "W3D-HLOD-005",
        Error,
        bone,
        "docs/formats/w3d/models.md#hlod: BoneIndex < NumPivots",
        "an object is attached to a missing bone",
        "Engines do not check the index: the position of the object comes from the memory behind the skeleton.",
    ),
    Rule::w3d(
        "W3D-HLOD-006",
        Warning,
        screen_sizes,
        "docs/formats/w3d/models.md#hlod: ascending, the last FLT_MAX",
        "the levels are not ordered by screen size",
        "Levels are stored from the coarsest to the finest, with rising screen sizes and the largest float at the last. Otherwise a level is never shown.",
    ),
    Rule::w3d(
        "W3D-HLOD-007",
        Error,
        no_array_header,
        "docs/formats/w3d/models.md#hlod: ARRAY_HEADER first",
        "a level does not start with its header",
        "The loader reads HLOD_SUB_OBJECT_ARRAY_HEADER first and rejects the model if it is another chunk.",
    ),
    Rule::w3d(
        "W3D-HLOD-008",
        Warning,
        in_no_model,
        "docs/formats/w3d/models.md#hlod: a model shows the objects that its levels list",
        "a mesh is in no level of the model",
        "The file has a model with the name of the mesh's container, but no level, aggregate or proxy lists the mesh: it is loaded and never shown.",
    ),
    Rule::w3d(
        "W3D-HLOD-009",
        Warning,
        listed_twice,
        "docs/formats/w3d/models.md#hlod",
        "an object is listed twice in a level",
        "The engine creates the object twice: it is drawn twice, and hiding it by its name hides only one of them.",
    ),
    Rule::w3d(
        "W3D-HLOD-010",
        Warning,
        no_model,
        "docs/formats/w3d/models.md#hlod: objects are attached to bones by the HLOD",
        "meshes and their skeleton without a model",
        "The file has several meshes and a skeleton of their container's name, but no HLOD, and none was found nearby. The game cannot create the model;          only single meshes can be named. The HLOD was lost, or the file was exported without it.",
    ),
    Rule::w3d(
        "W3D-AGGR-001",
        Error,
        aggregate_count,
        "docs/formats/w3d/models.md#aggregates",
        "the number of an aggregate's objects differs from its count",
        "The loader reads as many records as the count says.",
    ),
    Rule::w3d(
        "W3D-LODM-001",
        Error,
        lod_count,
        "docs/formats/w3d/models.md#lod-models: exactly NumLODs",
        "the number of levels of a LOD model differs from its header's",
        "The loader expects exactly as many LOD chunks after the header.",
    )
    .repaired(Repair::w3d("sets the header's number of levels", fix::lod_model_count)),
    Rule::w3d(
        "W3D-COLL-001",
        Warning,
        collection_count,
        "docs/formats/w3d/models.md#hierarchy-models",
        "the number of a collection's objects differs from its header's",
        "The loader allocates by the header and reads what is there. The repair sets the header.",
    )
    .repaired(Repair::w3d("sets the header's number of objects", fix::collection_count)),
    Rule::w3d(
        "W3D-HMOD-001",
        Warning,
        connections,
        "docs/formats/w3d/models.md#hierarchy-models",
        "the number of a hierarchy model's objects differs from its header's",
        "The loader allocates by the header and reads what is there. The repair sets the header.",
    )
    .repaired(Repair::w3d("sets the header's number of connections", fix::connection_count)),
    Rule::w3d(
        "W3D-HMOD-002",
        Error,
        connection_bone,
        "docs/formats/w3d/models.md#hierarchy-models",
        "an object of a hierarchy model is attached to a missing bone",
        "Engines do not check the index.",
    ),
    Rule::w3d(
        "W3D-LIGHT-001",
        Error,
        light_order,
        "docs/formats/w3d/lights.md#w3d-lights: LIGHT_INFO must be first",
        "a light's first chunk is not its LIGHT_INFO",
        "The loader reads LIGHT_INFO first and rejects the light if it is another chunk.",
    ),
];

fn order(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hlod in context.hlods() {
        let children = hlod.0.children();
        if !children.first().is_some_and(|first| first.is(&HLOD_HEADER)) {
            findings.add(hlod.0, "HLOD_HEADER is not the first chunk of the model");
        }
        let last_level = children.iter().rposition(|child| child.is(&HLOD_LOD_ARRAY)).unwrap_or_default();
        let early = children
            .iter()
            .take(last_level)
            .find(|child| matches!(child.id, ids::HLOD_AGGREGATE_ARRAY..=ids::HLOD_LIGHT_ARRAY));
        if let Some(early) = early {
            findings.add(early, format!("{} comes before the last level", early.name()));
        }
    }
}

fn level_count(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hlod in context.hlods() {
        let Some(header) = hlod.header() else { continue };
        let found = hlod.levels().count();
        if found != len(header.lod_count) {
            let message = miscounted("the header", header.lod_count, found, ["level", "levels"]);
            findings.add(hlod.0, message);
        }
    }
}

fn arrays<'n>(context: &W3dContext<'n>) -> impl Iterator<Item = HlodLevel<'n>> {
    context
        .hlods()
        .flat_map(|hlod| hlod.0.children().iter())
        .filter(|node| {
            matches!(node.id, ids::HLOD_LOD_ARRAY | ids::HLOD_AGGREGATE_ARRAY..=ids::HLOD_LIGHT_ARRAY)
        })
        .map(HlodLevel)
}

fn object_count(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for level in arrays(context) {
        let Some(header) = level.header() else { continue };
        let found = level.0.all(&HLOD_SUB_OBJECT).count();
        if found != len(header.model_count) {
            let message = miscounted("the header", header.model_count, found, ["object", "objects"]);
            findings.add(level.0, message);
        }
    }
}

fn sub_object(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let names = context.labels();
    for level in context.hlods().flat_map(|hlod| hlod.levels().collect::<Vec<_>>()) {
        for node in level.0.all(&HLOD_SUB_OBJECT) {
            let Some(name) = node.label().map(|label| lower(&label)) else { continue };
            let is_nearby = || context.lookup.is_some_and(|lookup| lookup.has(Named::Object, &name));
            if !names.contains(&name) && is_of_this_file(&names, &name) && !is_nearby() {
                findings.add(node, format!("the object {name:?} is not in the file"));
            }
        }
    }
}

/// The part of a full name before the dot, in lower case.
fn container(name: &str) -> Option<String> {
    name.split_once('.').map(|(container, _)| lower(container))
}

fn in_no_model(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let models: HashSet<String> =
        context.hlods().filter_map(|hlod| hlod.0.label()).map(|it| lower(&it)).collect();
    let listed: HashSet<String> = arrays(context)
        .flat_map(|array| array.0.all(&HLOD_SUB_OBJECT).filter_map(|node| node.label()).collect::<Vec<_>>())
        .map(|label| lower(&label))
        .collect();
    for mesh in &context.meshes {
        let name = lower(&mesh.full_name());
        if container(&name).is_some_and(|own| models.contains(&own)) && !listed.contains(&name) {
            findings.add(mesh.0, "the model of this name does not list the mesh");
        }
    }
}

fn listed_twice(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for level in context.hlods().flat_map(|hlod| hlod.levels().collect::<Vec<_>>()) {
        let mut seen = HashSet::new();
        for node in level.0.all(&HLOD_SUB_OBJECT) {
            let Some(label) = node.label().filter(|label| !label.is_empty()) else { continue };
            if !seen.insert(lower(&label)) {
                findings.add(node, format!("the level lists {label:?} twice"));
            }
        }
    }
}

fn no_model(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let root = &context.file.root;
    if [&HLOD, &HMODEL, &LODMODEL, &COLLECTION].iter().any(|kind| root.child(kind).is_some()) {
        return;
    }
    for hierarchy in context.hierarchies().filter(|hierarchy| hierarchy.pivots().len() > 1) {
        let name = lower(&hierarchy.name());
        let is_of_it = |mesh: &&w3d::Mesh<'_>| container(&mesh.full_name()).as_ref() == Some(&name);
        let meshes = context.meshes.iter().filter(is_of_it).count();
        let is_nearby = || context.lookup.is_some_and(|lookup| lookup.has(Named::Object, &name));
        if meshes > 1 && !is_nearby() {
            findings.add(
                hierarchy.0,
                format!("{meshes} meshes belong to this skeleton, but the file has no HLOD"),
            );
        }
    }
}

fn bone(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hlod in context.hlods() {
        let Some(pivots) =
            hlod.header().and_then(|header| context.skeleton(&header.hierarchy_name.to_string()))
        else {
            continue;
        };
        for array in hlod.0.children().iter().filter(|node| {
            matches!(node.id, ids::HLOD_LOD_ARRAY | ids::HLOD_AGGREGATE_ARRAY..=ids::HLOD_LIGHT_ARRAY)
        }) {
            for node in array.all(&HLOD_SUB_OBJECT) {
                let Some(object) = node.value::<w3d::records::HlodSubObject>() else { continue };
                if len(object.bone_index) >= pivots.len() {
                    findings.add(node, out_of_range("bone", object.bone_index, "skeleton", pivots.len()));
                }
            }
        }
    }
}

fn screen_sizes(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hlod in context.hlods() {
        let sizes: Vec<f32> = hlod
            .levels()
            .filter_map(|level| level.header())
            .map(|header| header.max_screen_size.get())
            .collect();
        if sizes.windows(2).any(|pair| pair[0] > pair[1]) {
            findings.add(hlod.0, format!("the screen sizes {} are not in ascending order", vector(&sizes)));
        } else if let Some(last) = sizes.last().filter(|last| sizes.len() > 1 && **last < f32::MAX / 2.0) {
            findings
                .add(hlod.0, format!("the last level ends at the screen size {last}; it must have no limit"));
        }
    }
}

fn no_array_header(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for level in arrays(context) {
        if !level.0.children().first().is_some_and(|first| first.is(&HLOD_SUB_OBJECT_ARRAY_HEADER)) {
            findings.add(level.0, "HLOD_SUB_OBJECT_ARRAY_HEADER is not the first chunk of the level");
        }
    }
}

fn aggregate_count(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&AGGREGATE_INFO) {
        let Some(info) = visit.node.value::<AggregateInfo>() else { continue };
        let found = visit.node.bytes().len().saturating_sub(36) / 64;
        if found != len(info.subobject_count) {
            let message = miscounted("the aggregate", info.subobject_count, found, ["object", "objects"]);
            findings.add(visit.node, message);
        }
    }
}

fn lod_count(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for node in context.file.root.all(&LODMODEL) {
        let Some(header) = child_value::<LodModelHeader>(node, &LODMODEL_HEADER) else { continue };
        let found = node.all(&LOD).count();
        if found != usize::from(header.num_lods.get()) {
            findings.add(node, miscounted("the header", header.num_lods, found, ["level", "levels"]));
        }
    }
}

fn collection_count(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for node in context.file.root.all(&COLLECTION) {
        let Some(header) = child_value::<CollectionHeader>(node, &COLLECTION_HEADER) else { continue };
        let found = node.all(&COLLECTION_OBJ_NAME).count();
        if found != len(header.render_object_count) {
            findings.add(
                node,
                miscounted("the header", header.render_object_count, found, ["object", "objects"]),
            );
        }
    }
}

/// The chunks that attach an object to a bone of a hierarchy model.
pub(crate) fn is_connection(id: u32) -> bool {
    matches!(id, ids::NODE..=ids::SKIN_NODE | ids::SHADOW_NODE)
}

fn connections(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for node in context.file.root.all(&HMODEL) {
        let Some(header) = child_value::<HModelHeader>(node, &HMODEL_HEADER) else { continue };
        let found = node.children().iter().filter(|child| is_connection(child.id)).count();
        if found != usize::from(header.num_connections.get()) {
            findings
                .add(node, miscounted("the header", header.num_connections, found, ["object", "objects"]));
        }
    }
}

fn connection_bone(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for node in context.file.root.all(&HMODEL) {
        let Some(header) = child_value::<HModelHeader>(node, &HMODEL_HEADER) else { continue };
        let Some(pivots) = context.skeleton(&header.hierarchy_name.to_string()) else { continue };
        for child in node.children().iter().filter(|child| is_connection(child.id)) {
            let Some(connection) = child.value::<HModelNode>() else { continue };
            let pivot = connection.pivot_idx.get();
            // Before version 3.0 the file has no root, and 65535 refers to it.
            let old = header.version.major() < 3;
            if usize::from(pivot) >= pivots.len() && !(old && pivot == u16::MAX) {
                findings.add(child, out_of_range("bone", pivot, "skeleton", pivots.len()));
            }
        }
    }
}

fn light_order(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&LIGHT) {
        if !visit.node.children().first().is_some_and(|first| first.is(&LIGHT_INFO)) {
            findings.add(visit.node, "LIGHT_INFO is not the first chunk of the light");
        }
    }
}
