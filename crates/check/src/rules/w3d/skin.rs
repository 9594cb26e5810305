//! Skins: bones and weights of vertices.

use record::Severity::{Error, Hint, Info, Warning};
use record::Vec3;
use w3d::Mesh;
use w3d::names::MeshFlags;
use w3d::records::Pivot;
use w3d::table::*;

use super::planes::{V3, norm, sub, wide};
use super::{len, lower};
use crate::context::{Attached, Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{count, counted, out_of_range, thousands};
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-SKIN-001",
        Warning,
        flag,
        "docs/formats/w3d/skins.md#vertex-influences",
        "a skin has no bone influences",
        "The header says that the mesh is a skin, but nothing says which bones move its vertices: they are drawn with uninitialised bones. Export the mesh \
         again, or clear the flag.",
    ),
    Rule::w3d(
        "W3D-SKIN-002",
        Error,
        bone_range,
        "docs/formats/w3d/skins.md#vertex-influences",
        "a vertex is bound to a missing bone",
        "Engines do not check the index: the vertex is moved by the memory behind the skeleton. The skin and the skeleton are of different versions, or the \
         skeleton was replaced.",
    ),
    Rule::w3d(
        "W3D-SKIN-003",
        Warning,
        weights,
        "docs/formats/w3d/skins.md#vertex-influences: percent, sum 100; 0, 0 means 100",
        "the weights of a vertex do not add up to 100",
        "The vertex is pulled towards the origin or pushed away from it. The repair scales both weights to a sum of 100.",
    )
    .repaired(Repair::w3d("scales weights to a sum of 100", fix::weights)),
    Rule::w3d(
        "W3D-SKIN-004",
        Error,
        secondary,
        "docs/formats/w3d/skins.md#the-second-bone: 0xC00 and 0xC01 of equal count",
        "vertices have two bones, but no second positions or normals",
        "Each vertex is stored in the space of its bone, and for a second bone again in SECONDARY_VERTICES and SECONDARY_VERTEX_NORMALS. Without them the \
         second bone moves a vertex in the wrong space.",
    )
    .only(Games::SMOOTH),
    Rule::w3d(
        "W3D-SKIN-005",
        Warning,
        secondary_position,
        "docs/formats/w3d/skins.md#the-second-bone: M0*v0 == M1*v1 within 1e-3",
        "a vertex has two positions",
        "In the base pose both bones must give the vertex the same position. Otherwise it jumps when the weights change, and is misplaced in every pose.",
    )
    .only(Games::SMOOTH),
    Rule::w3d(
        "W3D-SKIN-006",
        Warning,
        four_weights,
        "docs/formats/w3d/skins.md#four-bones: w0+w1+w2 <= 65535",
        "the first three of four weights add up to more than 65,535",
        "The fourth weight is 65,535 minus the others; it becomes 0 and the sum is too large.",
    )
    .only(Games::RENEGADE),
    Rule::w3d(
        "W3D-SKIN-007",
        Warning,
        skin_bone,
        "docs/formats/w3d/skins.md#skins-in-a-model: skins use bone 0",
        "a skin is attached to a bone other than the root",
        "A skin's vertices are moved by their own bones; the bone that it is attached to moves them a second time in tools, and is ignored by engines. \
         A bone that is where the root is only shows and hides the skin, and is not reported.",
    ),
    Rule::w3d(
        "W3D-SKIN-008",
        Hint,
        short_runs,
        "docs/formats/w3d/skins.md#vertex-influences: optimisation factor below 2 to 3 (Tiberian Technologies); taken as vertices per run of one bone",
        "a skin's vertices change their bone too often",
        "Engines move vertices in runs that are bound to the same bone. The shorter the runs, the slower the skin; sort the vertices by bone.",
    )
    .only(Games::RENEGADE),
    Rule::w3d(
        "W3D-SKIN-009",
        Info,
        no_flag,
        "docs/formats/w3d/meshes.md#mesh-flags: read_vertex_influences sets the flag by itself",
        "a skin lacks the skin flag",
        "The mesh has bone influences, but its header does not say that it is a skin. Engines set the flag by themselves; some tools treat the mesh as rigid.",
    ),
];

fn flag(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(header) = mesh.header() else { continue };
        let skin = header.is_skin() || header.attributes.has(MeshFlags::OBSOLETE_SKIN);
        let influenced =
            mesh.0.child(&VERTEX_INFLUENCES).is_some() || mesh.0.child(&VERTEX_INFLUENCES_EXTENDED).is_some();
        if skin && !influenced {
            findings.add(mesh.0, "the mesh is a skin, but has no chunk VERTEX_INFLUENCES");
        }
    }
}

fn no_flag(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let is_rigid = mesh
            .header()
            .is_some_and(|header| !header.is_skin() && !header.attributes.has(MeshFlags::OBSOLETE_SKIN));
        if is_rigid && mesh.0.child(&VERTEX_INFLUENCES).is_some() {
            findings.add(mesh.0, "the mesh has bone influences, but its header has no skin flag");
        }
    }
}

fn bone_range(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(pivots) = context.skeleton_of(mesh) else { continue };
        if let Some(node) = mesh.0.child(&VERTEX_INFLUENCES) {
            let beyond = |bones: [(u16, f32); 2]| {
                bones.iter().any(|(bone, weight)| usize::from(*bone) >= pivots.len() && *weight != 0.0)
            };
            let bad = mesh.influences().iter().enumerate().filter(|(_, influence)| beyond(influence.bones()));
            findings.elements(node, 8, bad.map(|(index, _)| index), |index| {
                let bones = mesh.influences()[index].bones();
                let bone =
                    bones.iter().find(|(bone, weight)| usize::from(*bone) >= pivots.len() && *weight != 0.0);
                let bone = bone.map_or(0, |(bone, _)| *bone);
                format!("vertex {index}: {}", out_of_range("bone", bone, "skeleton", pivots.len()))
            });
        }
        if let Some(node) = mesh.0.child(&VERTEX_INFLUENCES_EXTENDED) {
            let beyond = |bones: [(u16, f32); 4]| {
                bones.iter().any(|(bone, weight)| usize::from(*bone) >= pivots.len() && *weight != 0.0)
            };
            let bad = mesh
                .extended_influences()
                .iter()
                .enumerate()
                .filter(|(_, influence)| beyond(influence.bones()));
            findings.elements(node, 14, bad.map(|(index, _)| index), |index| {
                let bones = mesh.extended_influences()[index].bones();
                let bone =
                    bones.iter().find(|(bone, weight)| usize::from(*bone) >= pivots.len() && *weight != 0.0);
                let bone = bone.map_or(0, |(bone, _)| *bone);
                format!("vertex {index}: {}", out_of_range("bone", bone, "skeleton", pivots.len()))
            });
        }
    }
}

fn weights(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(node) = mesh.0.child(&VERTEX_INFLUENCES) else { continue };
        let sum = |index: usize| {
            mesh.influences()[index].weight.iter().map(|weight| u32::from(weight.get())).sum::<u32>()
        };
        let bad = (0..mesh.influences().len()).filter(|index| !matches!(sum(*index), 0 | 100));
        findings.elements(node, 8, bad, |index| {
            format!("the weights of vertex {index} add up to {}, not 100", sum(index))
        });
    }
}

fn has_two_bones(mesh: &Mesh<'_>) -> bool {
    mesh.influences().iter().any(|influence| influence.weight[1].get() != 0)
}

fn secondary(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.meshes.iter().filter(|mesh| has_two_bones(mesh)) {
        for (chunk, found) in [
            (&SECONDARY_VERTICES, mesh.secondary_vertices().len()),
            (&SECONDARY_VERTEX_NORMALS, mesh.secondary_normals().len()),
        ] {
            if found != mesh.vertices().len() {
                findings.add(
                    mesh.0,
                    format!(
                        "{} has {} for {}",
                        chunk.kind.name,
                        counted(found, "element"),
                        count(mesh.vertices().len(), "vertex", "vertices")
                    ),
                );
            }
        }
    }
}

/// Transforms of the pivots in the base pose: rotation and translation.
pub(crate) fn base_pose(pivots: &[Pivot]) -> Vec<([f64; 4], V3)> {
    let mut poses: Vec<([f64; 4], V3)> = Vec::with_capacity(pivots.len());
    for (index, pivot) in pivots.iter().enumerate() {
        // The engines replace the root by the transform of the object.
        let own = match index {
            0 => ([0.0, 0.0, 0.0, 1.0], [0.0; 3]),
            _ => (pivot.rotation.get().map(f64::from), wide(pivot.translation)),
        };
        let parent = pivot.parent().and_then(|parent| poses.get(len(parent)).copied());
        let pose = match parent {
            Some((rotation, place)) => {
                let moved = rotate(rotation, own.1);
                (multiply(rotation, own.0), [place[0] + moved[0], place[1] + moved[1], place[2] + moved[2]])
            }
            None => own,
        };
        poses.push(pose);
    }
    poses
}

fn multiply([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn rotate(rotation @ [x, y, z, w]: [f64; 4], [vx, vy, vz]: V3) -> V3 {
    let [rx, ry, rz, _] = multiply(multiply(rotation, [vx, vy, vz, 0.0]), [-x, -y, -z, w]);
    [rx, ry, rz]
}

fn secondary_position(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.meshes.iter().filter(|mesh| has_two_bones(mesh)) {
        let (Some(pivots), Some(node)) = (context.skeleton_of(mesh), mesh.0.child(&SECONDARY_VERTICES))
        else {
            continue;
        };
        let poses = base_pose(&pivots);
        let place = |bone: u16, vertex: &Vec3| {
            let (rotation, place) = poses.get(usize::from(bone))?;
            let moved = rotate(*rotation, wide(*vertex));
            Some([place[0] + moved[0], place[1] + moved[1], place[2] + moved[2]])
        };
        let off = |index: usize| {
            let influence =
                mesh.influences().get(index).filter(|influence| influence.weight[1].get() != 0)?;
            let [first, second] = influence.bone_idx.map(|bone| bone.get());
            let (a, b) = (
                place(first, mesh.vertices().get(index)?)?,
                place(second, mesh.secondary_vertices().get(index)?)?,
            );
            Some(norm(sub(a, b)) / norm(a).max(1.0))
        };
        let bad = (0..mesh.vertices().len()).filter(|index| off(*index).is_some_and(|off| off > 1e-3));
        findings.elements(node, 12, bad, |index| {
            format!(
                "the second bone puts vertex {index} {:.3} away from the first",
                off(index).unwrap_or_default()
            )
        });
    }
}

fn four_weights(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let Some(node) = mesh.0.child(&VERTEX_INFLUENCES_EXTENDED) else { continue };
        let sum = |index: usize| {
            mesh.extended_influences()[index].weight.iter().map(|weight| u32::from(weight.get())).sum::<u32>()
        };
        let bad = (0..mesh.extended_influences().len()).filter(|index| sum(*index) > 65535);
        findings.elements(node, 14, bad, |index| {
            format!("three weights of vertex {index} add up to {}; the limit is 65,535", sum(index))
        });
    }
}

fn skin_bone(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in context.meshes.iter().filter(|mesh| mesh.header().is_some_and(|header| header.is_skin())) {
        // A bone that never moves only shows and hides the skin.
        if let Some(attached) = context
            .attached()
            .get(&lower(&mesh.full_name()))
            .filter(|attached| attached.bone != 0 && !is_at_root(context, attached))
        {
            findings.add(
                attached.node,
                format!("the skin is attached to bone {}, not to the root", attached.bone),
            );
        }
    }
}

/// Whether a bone is where the root is, and so moves nothing unless a clip moves it.
fn is_at_root(context: &W3dContext<'_>, attached: &Attached<'_>) -> bool {
    let Some(bones) = context.skeleton(&attached.skeleton) else { return false };
    let mut next = attached.bone;
    for _ in 0..bones.len() {
        let Some(pivot) = usize::try_from(next).ok().and_then(|index| bones.get(index)) else { return false };
        let [x, y, z, _] = pivot.rotation.get();
        if pivot.translation.get() != [0.0; 3] || [x, y, z] != [0.0; 3] {
            return false;
        }
        next = pivot.parent_idx.get();
        if next == 0 {
            return true;
        }
    }
    false
}

fn short_runs(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for mesh in &context.meshes {
        let influences = mesh.influences();
        let runs = influences.chunk_by(|a, b| a.bone_idx[0] == b.bone_idx[0]).count();
        // A small skin is fast in any order.
        if influences.len() >= 100 && influences.len() < 2 * runs {
            findings.add(
                mesh.0,
                format!("{} vertices form {} runs of one bone", thousands(influences.len()), thousands(runs)),
            );
        }
    }
}
