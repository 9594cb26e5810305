//! Meshes, skins, collision trees and shaders.

use model::{Game, Games};
use record::Severity::{Error, Warning};
use w3x::kinds;
use w3x::value::integer;
use w3x::view::{GeometryType, Mesh};

use super::{SCHEMA, hierarchies};
use crate::context::{Findings, W3xContext};
use crate::rule::Rule;
use crate::words::{count, counted};

/// How far the sum of the weights of a vertex may be from 1.
const WEIGHT_TOLERANCE: f32 = 0.01;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3x(
        "W3X-MESH-001",
        Error,
        lengths,
        SCHEMA,
        "lists of a mesh have different lengths",
        "Normals, tangents, colours, texture coordinates and influences have one item for each vertex. The compiler of the game refuses the mesh.",
    ),
    Rule::w3x(
        "W3X-MESH-002",
        Error,
        corners,
        SCHEMA,
        "a triangle has a vertex that does not exist",
        "The game draws another vertex or crashes. Export the mesh again.",
    ),
    Rule::w3x(
        "W3X-MESH-003",
        Error,
        geometry,
        SCHEMA,
        "a mesh has an unknown geometry type",
        "The types are Normal, Skin, CameraAligned and CameraOriented, in this spelling. The compiler of the game refuses others.",
    ),
    Rule::w3x(
        "W3X-MESH-004",
        Error,
        sort_levels,
        "AssetTypeW3D.xsd of the games: 0 to 32",
        "a sort level is out of range",
        "The compiler of the game refuses the mesh. Sort levels go from 0 to 32.",
    ),
    Rule::w3x(
        "W3X-MESH-005",
        Warning,
        pickable,
        "the schemas: only Kane's Wrath has the attribute",
        "the attribute GeometryPickable is of another game",
        "Only the compiler of Kane's Wrath knows the attribute; those of the other games refuse the file. Remove it.",
    )
    .only(Games::W3X.without(Game::KanesWrath.only())),
    Rule::w3x(
        "W3X-SKIN-001",
        Error,
        influences,
        SCHEMA,
        "a skin has no influences",
        "Its vertices are in the space of their bones, so without influences it collapses. Export the mesh again with its skeleton.",
    ),
    Rule::w3x(
        "W3X-SKIN-002",
        Warning,
        weights,
        "weights of published skins sum to 1",
        "the weights of a vertex do not sum to 1",
        "The vertex is pulled towards the origin or away from it.",
    ),
    Rule::w3x(
        "W3X-SKIN-003",
        Error,
        skin_bones,
        SCHEMA,
        "a skin uses a bone that its hierarchy does not have",
        "The game reads another transform or crashes. Use the hierarchy that the skin was made for.",
    ),
    Rule::w3x(
        "W3X-AABT-001",
        Error,
        trees,
        "docs/formats/w3d/meshes.md#collision-tree: the same tree in W3D",
        "a collision tree refers to what does not exist",
        "Nodes refer to other nodes and to ranges of triangles. An index out of range sends the game out of the array. Remove the tree or export the mesh again.",
    ),
    Rule::w3x(
        "W3X-SHADER-001",
        Error,
        shaders,
        SCHEMA,
        "a mesh has no shader",
        "The game cannot draw it. Every mesh has one `FXShader` with a `ShaderName`, such as `DefaultW3D.fx`.",
    ),
];

fn lengths(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    let lists = [
        (&kinds::VERTICES, &kinds::V),
        (&kinds::NORMALS, &kinds::N),
        (&kinds::TANGENTS, &kinds::T),
        (&kinds::BINORMALS, &kinds::B),
        (&kinds::VERTEX_COLORS, &kinds::C),
        (&kinds::TEX_COORDS, &kinds::T),
        (&kinds::BONE_INFLUENCES, &kinds::I),
        (&kinds::SHADE_INDICES, &kinds::I),
    ];
    for mesh in context.file.meshes() {
        let vertices = mesh.vertex_count();
        for (list, items) in lists {
            for element in mesh.lists(list) {
                let length = element.items(items).count();
                if length != vertices {
                    let message =
                        format!("{} for {}", counted(length, "item"), count(vertices, "vertex", "vertices"));
                    findings.add(element.node(), message);
                }
            }
        }
    }
}

fn corners(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.file.meshes() {
        let vertices = mesh.vertex_count();
        let is_wrong = |corners: [u32; 3]| corners.iter().any(|corner| *corner as usize >= vertices);
        let triangles = mesh.triangles();
        let wrong = triangles.iter().filter(|triangle| is_wrong(triangle.vertices)).count();
        if wrong > 0
            && let Some(list) = mesh.0.child(&kinds::TRIANGLES)
        {
            let message = format!(
                "{} of {} refer to missing vertices: the mesh has {}",
                wrong,
                counted(triangles.len(), "triangle"),
                count(vertices, "vertex", "vertices")
            );
            findings.add(list.node(), message);
        }
    }
}

fn geometry(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.file.meshes() {
        let Some(name) = mesh.0.attribute(&kinds::GEOMETRY_TYPE) else { continue };
        if GeometryType::named(&name).is_none() {
            findings.add(mesh.0.node(), format!("the geometry type {name:?} is unknown"));
        }
    }
}

fn sort_levels(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.file.meshes() {
        let Some(level) = mesh.0.raw(&kinds::SORT_LEVEL) else { continue };
        if integer::<u32>(level).is_none_or(|level| level > 32) {
            findings.add(mesh.0.node(), format!("the sort level {:?} is not 0 to 32", record::decode(level)));
        }
    }
}

fn pickable(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.file.meshes() {
        if let Some(attribute) = mesh.0.node().child(&kinds::GEOMETRY_PICKABLE) {
            findings.add(attribute, "only Kane's Wrath knows the attribute GeometryPickable");
        }
    }
}

fn influences(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.file.meshes().filter(|mesh| mesh.geometry_type() == GeometryType::Skin) {
        if mesh.influences(0).is_empty() && mesh.vertex_count() > 0 {
            findings.add(mesh.0.node(), format!("the skin {:?} has no influences", mesh.id()));
        }
    }
}

fn weights(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.file.meshes() {
        let (first, second) = (mesh.influences(0), mesh.influences(1));
        let weight = |index: usize| first[index].weight + second.get(index).map_or(0.0, |other| other.weight);
        let is_wrong = |index: &usize| (weight(*index) - 1.0).abs() > WEIGHT_TOLERANCE;
        let wrong: Vec<usize> = (0..first.len()).filter(is_wrong).collect();
        if let (Some(vertex), Some(list)) = (wrong.first(), mesh.lists(&kinds::BONE_INFLUENCES).next()) {
            let message = format!(
                "the weights of vertex {vertex} sum to {}; {} in all",
                weight(*vertex),
                count(wrong.len(), "such vertex", "such vertices")
            );
            findings.add(list.node(), message);
        }
    }
}

fn skin_bones(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    let known = hierarchies(context);
    let meshes: std::collections::HashMap<String, Mesh<'_>> =
        context.file.meshes().map(|mesh| (mesh.id().to_lowercase(), mesh)).collect();
    for container in context.file.containers() {
        let Some((_, pivots)) = known.get(&container.hierarchy().to_lowercase()) else { continue };
        for (_, id) in container.sub_objects().filter_map(|object| object.target()) {
            let Some(mesh) = meshes.get(&id.to_lowercase()) else { continue };
            for (index, list) in mesh.lists(&kinds::BONE_INFLUENCES).take(2).enumerate() {
                let mut bones =
                    mesh.influences(index).into_iter().map(|influence| usize::from(influence.bone));
                if let Some(bone) = bones.find(|bone| bone >= pivots) {
                    let message = format!(
                        "bone {bone} does not exist: the hierarchy has {}",
                        counted(*pivots, "pivot")
                    );
                    findings.add(list.node(), message);
                }
            }
        }
    }
}

fn trees(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.file.meshes() {
        let Some(tree) = mesh.0.child(&kinds::AAB_TREE) else { continue };
        let triangles = mesh.triangle_count();
        let polygons: Vec<Option<usize>> = tree
            .child(&kinds::POLY_INDICES)
            .map(|list| list.items(&kinds::P).map(|item| integer(item.text())).collect())
            .unwrap_or_default();
        let wrong = polygons.iter().filter(|index| index.is_none_or(|index| index >= triangles)).count();
        if wrong > 0 {
            let message = format!(
                "{wrong} of {} of the tree refer to missing triangles: the mesh has {triangles}",
                count(polygons.len(), "index", "indices")
            );
            findings.add(tree.node(), message);
        }
        let nodes = tree.items(&kinds::NODE).count();
        let mut faults = 0;
        for node in tree.items(&kinds::NODE) {
            for (name, part) in node.children() {
                let number = |name: &str| part.attribute(name).and_then(integer::<usize>);
                let is_wrong = match name {
                    b"Children" => {
                        ["Front", "Back"].iter().any(|name| number(name).is_none_or(|index| index >= nodes))
                    }
                    b"Polys" => number("Begin")
                        .zip(number("Count"))
                        .is_none_or(|(begin, count)| begin.saturating_add(count) > polygons.len()),
                    _ => false,
                };
                faults += usize::from(is_wrong);
            }
        }
        if faults > 0 {
            let message =
                format!("{faults} of {} refer to missing nodes or triangles", counted(nodes, "node"));
            findings.add(tree.node(), message);
        }
    }
}

fn shaders(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.file.meshes() {
        if mesh.shader().is_none_or(|shader| shader.name().trim().is_empty()) {
            findings.add(mesh.0.node(), format!("the mesh {:?} has no shader", mesh.id()));
        }
    }
}
