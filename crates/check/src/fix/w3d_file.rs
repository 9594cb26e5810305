//! Repairs of chunk headers: sizes and the container bit.

use std::collections::HashSet;

use record::Node;
use w3d::W3d;
use w3d::records::{HlodArrayHeader, HlodHeader};
use w3d::table::{self, *};

use super::{Changes, each_node, each_with_end, is_alike};
use crate::rules::w3d::framing::may_repeat;
use crate::{Diagnostic, Document, Options, Severity, check};

const CONTAINER_BIT: u32 = 0x8000_0000;

/// The stored and the correct size word of a node; `None` if it has no size word.
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
///
/// A size is changed only if the whole object is complete and holds only chunks that belong in it: otherwise a value may be read as a size. At
/// the end of the file a size that is too large may be all that tells that more was there, so it is lowered only if the counts inside say
/// that nothing is missing.
pub(crate) fn sizes(file: &mut W3d<'_>, changes: &mut Changes) {
    let raises = changes.code == "W3D-FRAME-004";
    let complete: Vec<bool> = file.root.children().iter().map(is_complete).collect();
    let mut after = file.root.clone();
    let mut made = Vec::new();
    let mut object = None;
    each_with_end(&mut after, &mut |path, node, is_last| {
        if !path.contains('/') {
            object = Some(object.map_or(0, |index: usize| index + 1));
        }
        let Some((word, expected)) = words(node) else { return };
        let (stated, actual) = (word & !CONTAINER_BIT, expected & !CONTAINER_BIT);
        let is_complete =
            object.and_then(|index| complete.get(index)).is_some_and(|is_complete| *is_complete);
        let is_reported = stated != actual && (stated < actual) == raises;
        let is_whole = raises || !is_last || has_all_counted(node);
        if is_reported && is_complete && is_whole && !node.children().is_empty() {
            node.size_delta = (actual | word & CONTAINER_BIT).wrapping_sub(expected);
            made.push((path.to_owned(), format!("size {stated} -> {actual}")));
        }
    });
    // The repaired file has to be read as it was understood.
    let is_read_alike = after
        .to_bytes()
        .ok()
        .is_some_and(|bytes| W3d::parse(&bytes).is_ok_and(|again| is_alike(&again.root, &after)));
    if made.is_empty() || !is_read_alike {
        return;
    }
    let before = std::mem::replace(&mut file.root, after);
    let document = Document::W3d(file.clone());
    // An object whose parts contradict each other may have been read from the wrong place.
    let contradicts = |finding: &Diagnostic| {
        (finding.severity == Severity::Error || finding.code.starts_with("W3D-MAT-"))
            && made.iter().any(|(path, _)| finding.path.starts_with(path.split('/').next().unwrap_or(path)))
    };
    if check(&document, &Options::default()).iter().any(contradicts) {
        file.root = before;
    } else {
        changes.made.extend(made);
    }
}

/// Whether nothing is missing or left over inside, everything is known and where it belongs, and nothing is there twice; sizes do not matter.
fn is_complete(node: &Node<'_>) -> bool {
    let is_size =
        |code: &str| matches!(code, "W3D-FRAME-001" | "W3D-FRAME-002" | "W3D-FRAME-003" | "W3D-FRAME-004");
    node.diagnose("W3D").iter().all(|finding| is_size(&finding.code))
        && !has_misplaced(node)
        && is_unique(node)
}

/// Whether a chunk that belongs elsewhere is below one.
pub(crate) fn has_misplaced(node: &Node<'_>) -> bool {
    node.children().iter().any(|child| {
        let row = table::find(None, child.id).filter(|row| row.kind.name == child.kind.name);
        row.is_some_and(|row| !row.parents.contains(&node.kind.name)) || has_misplaced(child)
    })
}

/// Whether no chunk below one is there twice that can be there only once.
fn is_unique(node: &Node<'_>) -> bool {
    let mut seen = HashSet::new();
    node.children().iter().all(|child| {
        let is_chunk = child.kind.framing.header_len() == 8;
        (!is_chunk || may_repeat(child) || seen.insert(child.kind.name)) && is_unique(child)
    })
}

/// Whether a chunk has as many parts as its header says, so that nothing was cut off.
fn has_all_counted(node: &Node<'_>) -> bool {
    match node.id {
        ids::HLOD => {
            let levels = node.child(&HLOD_HEADER).and_then(|header| header.value::<HlodHeader>());
            let has_levels =
                |header: &HlodHeader| node.all(&HLOD_LOD_ARRAY).count() == header.lod_count.get() as usize;
            levels.is_some_and(has_levels) && node.children().iter().all(has_all_counted)
        }
        ids::HLOD_LOD_ARRAY | ids::HLOD_AGGREGATE_ARRAY | ids::HLOD_PROXY_ARRAY => {
            let header = node.child(&HLOD_SUB_OBJECT_ARRAY_HEADER);
            let header = header.and_then(|header| header.value::<HlodArrayHeader>());
            header
                .is_some_and(|header| node.all(&HLOD_SUB_OBJECT).count() == header.model_count.get() as usize)
        }
        ids::HLOD_HEADER => true,
        _ => false,
    }
}

/// Corrects the container bit if the sizes agree.
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
