//! Repairs of chunk headers: sizes and the container bit.

use record::Node;
use w3d::W3d;

use super::{Changes, each_node};

const CONTAINER_BIT: u32 = 0x8000_0000;

/// The size word that a node has and the one that it should have; `None` if it has none.
fn words(node: &Node<'_>) -> Option<(u32, u32)> {
    if node.kind.framing.header_len() != 8 {
        return None;
    }
    let size = u32::try_from(node.body_len()).ok()?;
    let holds = node.children().iter().any(|child| child.kind.framing.header_len() == 8);
    let expected = if holds { size | CONTAINER_BIT } else { size };
    Some((expected.wrapping_add(node.size_delta), expected))
}

/// Sets sizes that disagree with what is there: for one rule those that are too small, for the other those that are too large. The
/// container bit stays as it is.
pub(crate) fn sizes(file: &mut W3d<'_>, changes: &mut Changes) {
    let raises = changes.code == "W3D-FRAME-004";
    each_node(&mut file.root, &mut |path, node| {
        let Some((word, expected)) = words(node) else { return };
        let (stated, actual) = (word & !CONTAINER_BIT, expected & !CONTAINER_BIT);
        if stated != actual && (stated < actual) == raises {
            node.size_delta = (actual | word & CONTAINER_BIT).wrapping_sub(expected);
            changes.add(path, format!("size {stated} -> {actual}"));
        }
    });
}

/// Sets and clears the bit that says "holds chunks" where the sizes agree.
pub(crate) fn container_bits(file: &mut W3d<'_>, changes: &mut Changes) {
    each_node(&mut file.root, &mut |path, node| {
        let Some((word, expected)) = words(node) else { return };
        let (code, done) = match word & CONTAINER_BIT {
            0 => ("W3D-FRAME-002", "container bit set"),
            _ => ("W3D-FRAME-003", "container bit cleared"),
        };
        if word ^ expected == CONTAINER_BIT && changes.code == code {
            node.size_delta = 0;
            changes.add(path, done);
        }
    });
}
