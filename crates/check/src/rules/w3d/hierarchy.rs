//! Skeletons.

use record::Severity::{Error, Info, Warning};
use w3d::records::HierarchyHeader;
use w3d::table::*;

use super::{child_value, len};
use crate::context::{Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-HIER-001",
        Error,
        count,
        "errata 3, hierarchy: NumPivots == size / 60",
        "the number of pivots differs from the header's",
        "Engines allocate as many pivots as the header says and read as many as the chunk holds, or the other way round. The repair sets the header.",
    )
    .repaired(Repair::w3d("sets the header's number of pivots", fix::pivot_count)),
    Rule::w3d(
        "W3D-HIER-002",
        Error,
        roots,
        "errata 2.5: asserted in htree.cpp",
        "another pivot than the first has no parent, or the first has one",
        "Engines take pivot 0 as the root, set it to the object's transform, and assert that it is the only one without a parent. Bones without a \
         parent do not move with the model.",
    ),
    Rule::w3d(
        "W3D-HIER-003",
        Error,
        parent_order,
        "errata 2.5: one forward pass; no violation in 6,935 trees",
        "a pivot comes before its parent",
        "Engines compute all pivots in one pass from the first to the last. A pivot before its parent uses the parent's place of the last frame; a \
         parent that is not there is read from beyond the array.",
    ),
    Rule::w3d(
        "W3D-HIER-004",
        Warning,
        fixups,
        "errata 2.5: count == NumPivots",
        "the number of fixups differs from that of the pivots",
        "Only the exporter reads fixups, one per pivot: it applies them to the wrong bones when the skeleton is used again.",
    ),
    Rule::w3d(
        "W3D-HIER-005",
        Warning,
        unit_rotation,
        "errata 3, hierarchy: norm 1 +- 0.01",
        "a pivot's rotation is no unit quaternion",
        "Engines use it as it is: the bone and all below it are scaled or sheared.",
    ),
    Rule::w3d(
        "W3D-HIER-006",
        Info,
        old_version,
        "errata 2.4: indices before version 3.0",
        "the skeleton is from before version 3.0",
        "Its file has no root pivot; engines add one and raise all bone indices by one. Tools that do not know this shift every bone.",
    ),
    Rule::w3d(
        "W3D-HIER-007",
        Error,
        header_first,
        "htree.cpp reads the header first",
        "the skeleton's first chunk is not its header",
        "Engines read HIERARCHY_HEADER first and give up if it is another chunk.",
    ),
];

fn count(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        let Some(header) = hierarchy.header() else { continue };
        let found = hierarchy.pivots().len();
        if found != len(header.num_pivots) {
            findings.add(hierarchy.0, format!("{found} pivots, the header says {}", header.num_pivots));
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
            .filter(|(at, pivot)| (*at == 0) != pivot.parent().is_none());
        findings.elements(node, 60, bad.map(|(at, _)| at), |at| match at {
            0 => "pivot 0 has a parent".to_owned(),
            at => format!("pivot {at} {:?} has no parent", hierarchy.pivots()[at].name.to_string()),
        });
    }
}

fn parent_order(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        let Some(node) = hierarchy.0.child(&PIVOTS) else { continue };
        let late = |(at, pivot): &(usize, &w3d::records::Pivot)| {
            pivot.parent().is_some_and(|parent| len(parent) >= *at && *at > 0)
        };
        let bad = hierarchy.pivots().iter().enumerate().filter(late);
        findings.elements(node, 60, bad.map(|(at, _)| at), |at| {
            let pivot = &hierarchy.pivots()[at];
            format!("pivot {at} {:?} has parent {}", pivot.name.to_string(), pivot.parent_idx)
        });
    }
}

fn fixups(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        let Some(node) = hierarchy.0.child(&PIVOT_FIXUPS) else { continue };
        let (found, pivots) = (node.bytes().len() / 48, hierarchy.pivots().len());
        if found != pivots {
            findings.add(node, format!("{found} fixups for {pivots} pivots"));
        }
    }
}

fn unit_rotation(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        let Some(node) = hierarchy.0.child(&PIVOTS) else { continue };
        let norm = |pivot: &w3d::records::Pivot| {
            pivot.rotation.get().iter().map(|part| part * part).sum::<f32>().sqrt()
        };
        // Pivot 0 is the object's own transform, whatever the file says.
        let bad = hierarchy
            .pivots()
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(_, pivot)| (norm(pivot) - 1.0).abs() > 0.01);
        findings.elements(node, 60, bad.map(|(at, _)| at), |at| {
            format!("the rotation of pivot {at} has length {}", norm(&hierarchy.pivots()[at]))
        });
    }
}

fn is_old(node: &record::Node<'_>) -> bool {
    child_value::<HierarchyHeader>(node, &HIERARCHY_HEADER).is_some_and(|header| header.version.major() < 3)
}

fn old_version(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies().filter(|hierarchy| is_old(hierarchy.0)) {
        findings.add(hierarchy.0, "the version is below 3.0");
    }
}

fn header_first(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        if !hierarchy.0.children().first().is_some_and(|first| first.is(&HIERARCHY_HEADER)) {
            findings.add(hierarchy.0, "HIERARCHY_HEADER is not the first chunk");
        }
    }
}
