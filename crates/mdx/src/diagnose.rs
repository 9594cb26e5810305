//! Counts that stand in a part of their own and so can disagree with what they count.

use record::{Diagnostic, LEFTOVER, Node, Severity, U32};

use crate::kinds;
use crate::records::{LayerShader, WowAttachmentCount, WowCount, WowMaterialCount, WowMaterialHeader};

pub(crate) fn counts(root: &Node<'_>, found: &mut Vec<Diagnostic>) {
    root.walk(&mut |place| {
        if let Some((stated, there)) = count_of(place.node)
            && usize::try_from(stated) != Ok(there)
        {
            found.push(Diagnostic {
                code: "MDX-COUNT-001".into(),
                severity: Severity::Warning,
                span: place.span.start as u64..place.span.end as u64,
                path: place.path(),
                message: format!("it counts {stated}, but there are {there}"),
                note: None,
            });
        }
    });
}

/// What a node says about how many parts it has, and how many it has.
fn count_of(node: &Node<'_>) -> Option<(u32, usize)> {
    if node.is(&kinds::BPOS) || node.is(&kinds::WOW_SEQS) {
        let each = node.kind.slots.last()?.item.size();
        return Some((node.value::<U32>()?.get(), node.bytes().len().checked_sub(4)? / each));
    }
    if node.is(&kinds::LAYER) {
        let shader = node.child(&kinds::LAYER_SHADER)?.value::<LayerShader>()?;
        return Some((shader.texture_count.get(), node.all(&kinds::TEXTURE_SLOT).count()));
    }
    let (first, rest) = node.children().split_first()?;
    let stated = if let Some(count) = first.value::<WowCount>() {
        count.count
    } else if let Some(count) = first.value::<WowMaterialCount>() {
        count.count
    } else if let Some(count) = first.value::<WowAttachmentCount>() {
        count.count
    } else {
        first.value::<WowMaterialHeader>()?.layer_count
    };
    let counted = rest.iter().filter(|part| !part.is(&LEFTOVER) && !part.is(&kinds::WOW_BATCH)).count();
    Some((stated.get(), counted))
}
