//! Skeletons.

use record::Severity::{Error, Info, Warning};
use w3d::records::HierarchyHeader;
use w3d::table::*;

use super::{child_value, len};
use crate::context::{Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{counted, miscounted};

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-HIER-001",
        Error,
        count,
        "docs/formats/w3d/hierarchy.md#pivots: NumPivots == size / 60",
        "the number of pivots differs from the header's",
        "Engines allocate as many pivots as the header says and read as many as the chunk holds, or the other way round. The repair sets the header.",
    )
    .repaired(Repair::w3d("sets the header's number of pivots", fix::pivot_count)),
    Rule::w3d(
        "W3D-HIER-002",
        Error,
        roots,
        "docs/formats/w3d/hierarchy.md#pivots: asserted in htree.cpp",
        "the root bone is not the only one without a parent",
        "Engines take pivot 0 as the root, set it to the object's transform, and assert that it is the only one without a parent. Bones without a \
         parent do not move with the model.",
    ),
    Rule::w3d(
        "W3D-HIER-003",
        Error,
        parent_order,
        "docs/formats/w3d/hierarchy.md#pivots: one forward pass; no violation in 6,935 trees",
        "a bone comes before its parent",
        "Engines compute all bones in one pass from the first to the last. A bone before its parent uses the parent's position of the last frame; a \
         missing parent is read from beyond the array.",
    ),
    Rule::w3d(
        "W3D-HIER-004",
        Warning,
        fixups,
        "docs/formats/w3d/hierarchy.md#pivots: count == NumPivots",
        "the number of fixups differs from the number of pivots",
        "Only the exporter reads fixups, one per pivot: it applies them to the wrong bones when the skeleton is reused.",
    ),
    Rule::w3d(
        "W3D-HIER-005",
        Warning,
        unit_rotation,
        "docs/formats/w3d/hierarchy.md#pivots: norm 1 +- 0.01",
        "a bone's rotation is not a unit quaternion",
        "Engines use it as it is: the bone and its children are scaled or sheared.",
    ),
    Rule::w3d(
        "W3D-HIER-006",
        Info,
        old_version,
        "docs/formats/w3d/skins.md#vertex-influences: indices before version 3.0",
        "the skeleton is from before version 3.0",
        "Its file has no root pivot; engines add one and raise all bone indices by one. Tools that do not know this shift every bone.",
    ),
    Rule::w3d(
        "W3D-HIER-007",
        Error,
        header_first,
        "htree.cpp reads the header first",
        "the skeleton's first chunk is not its header",
        "Engines read HIERARCHY_HEADER first and reject the skeleton if it is another chunk.",
    ),
];

fn count(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        let Some(header) = hierarchy.header() else { continue };
        let found = hierarchy.pivots().len();
        if found != len(header.num_pivots) {
            let message = miscounted("the header", header.num_pivots, found, ["pivot", "pivots"]);
            findings.add(hierarchy.0, message);
        }
    }
}

fn roots(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies().filter(|hierarchy| !is_old(hierarchy.0)) {
        let Some(node) = hierarchy.0.child(&PIVOTS) else { continue };
        let bad = hierarchy
            .pivots()
            .iter()
            .enumerate()
            .filter(|(index, pivot)| (*index == 0) != pivot.parent().is_none());
        findings.elements(node, 60, bad.map(|(index, _)| index), |index| match index {
            0 => "bone 0 has a parent; it must be the root".to_owned(),
            index => format!("bone {index} {:?} has no parent", hierarchy.pivots()[index].name.to_string()),
        });
    }
}

fn parent_order(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        let Some(node) = hierarchy.0.child(&PIVOTS) else { continue };
        let late = |(index, pivot): &(usize, &w3d::records::Pivot)| {
            pivot.parent().is_some_and(|parent| len(parent) >= *index && *index > 0)
        };
        let bad = hierarchy.pivots().iter().enumerate().filter(late);
        findings.elements(node, 60, bad.map(|(index, _)| index), |index| {
            let pivot = &hierarchy.pivots()[index];
            format!(
                "bone {index} {:?} has the parent {}, which does not come before it",
                pivot.name.to_string(),
                pivot.parent_idx
            )
        });
    }
}

fn fixups(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        let Some(node) = hierarchy.0.child(&PIVOT_FIXUPS) else { continue };
        let (found, pivots) = (node.bytes().len() / 48, hierarchy.pivots().len());
        if found != pivots {
            findings
                .add(node, format!("there are {} for {}", counted(found, "fixup"), counted(pivots, "pivot")));
        }
    }
}

fn unit_rotation(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        let Some(node) = hierarchy.0.child(&PIVOTS) else { continue };
        let norm = |pivot: &w3d::records::Pivot| {
            pivot.rotation.get().iter().map(|part| part * part).sum::<f32>().sqrt()
        };
        // Pivot 0 is replaced by the transform of the object.
        let bad = hierarchy
            .pivots()
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(_, pivot)| (norm(pivot) - 1.0).abs() > 0.01);
        findings.elements(node, 60, bad.map(|(index, _)| index), |index| {
            format!("the rotation of bone {index} has length {:.3}, not 1", norm(&hierarchy.pivots()[index]))
        });
    }
}

fn is_old(node: &record::Node<'_>) -> bool {
    child_value::<HierarchyHeader>(node, &HIERARCHY_HEADER).is_some_and(|header| header.version.major() < 3)
}

fn old_version(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies().filter(|hierarchy| is_old(hierarchy.0)) {
        findings.add(hierarchy.0, "the skeleton has a version below 3.0");
    }
}

fn header_first(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        if !hierarchy.0.children().first().is_some_and(|first| first.is(&HIERARCHY_HEADER)) {
            findings.add(hierarchy.0, "HIERARCHY_HEADER is not the first chunk of the skeleton");
        }
    }
}
