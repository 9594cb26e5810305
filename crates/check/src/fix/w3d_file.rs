//! Repairs of whole files: text-mode damage, sizes, the container bit.

use record::{LEFTOVER, Node};
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
    Some((expected.wrapping_add(node.quirk), expected))
}

/// Sets sizes that disagree with what is there; the container bit stays as it is.
pub(crate) fn sizes(file: &mut W3d<'_>, changes: &mut Changes) {
    each_node(&mut file.root, &mut |path, node| {
        let Some((word, expected)) = words(node) else { return };
        let (stated, actual) = (word & !CONTAINER_BIT, expected & !CONTAINER_BIT);
        if stated != actual {
            node.quirk = (actual | word & CONTAINER_BIT).wrapping_sub(expected);
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
            node.quirk = 0;
            changes.add(path, done);
        }
    });
}

fn is_whole(file: &W3d<'_>) -> bool {
    file.root.children().iter().all(|child| !child.is(&LEFTOVER) && child.quirk & !CONTAINER_BIT == 0)
}

/// Takes out the carriage return before each line feed, if the file was damaged so and then is whole.
pub(crate) fn text_mode(file: &mut W3d<'_>, changes: &mut Changes) {
    if !file.diagnostics().iter().any(|finding| finding.code == "W3D-FILE-007") {
        return;
    }
    let Ok(bytes) = file.to_bytes() else { return };
    let mut repaired = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            repaired.push(*byte);
        }
    }
    let removed = bytes.len() - repaired.len();
    match W3d::parse(&repaired) {
        Ok(whole) if is_whole(&whole) => {
            *file = whole.into_owned();
            changes.add("", format!("{removed} carriage returns removed"));
        }
        _ => {}
    }
}
