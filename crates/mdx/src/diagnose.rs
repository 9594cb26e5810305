//! Diagnostics of MDX beyond those of every tree: counts in separate parts, invalid tags, and files that a program
//! treated as text.

use record::transfer::{Utf8Damage, before_text_mode, utf8_damage};
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
                message: match there {
                    1 => format!("the count is {stated}, but there is 1"),
                    _ => format!("the count is {stated}, but there are {there}"),
                },
                note: None,
            });
        }
    });
}

/// Chunks whose tags cannot be tags: a size before them is wrong, or bytes were lost or inserted.
pub(crate) fn tags(root: &Node<'_>, found: &mut Vec<Diagnostic>) {
    let is_tag = |id: u32| id.to_le_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' ');
    root.walk(&mut |place| {
        let node = place.node;
        if node.is(&kinds::UNKNOWN_CHUNK) && !is_tag(node.id) {
            found.push(Diagnostic {
                code: "MDX-FRAME-003".into(),
                severity: Severity::Error,
                span: place.span.start as u64..place.span.end as u64,
                path: place.path(),
                message: format!("no chunk starts here: {:#010x} is not a tag", node.id),
                note: Some(
                    "the file is damaged from here on, or the size of the chunk before it is wrong"
                        .to_owned(),
                ),
            });
        }
    });
}

/// Damage to the whole file by a program that treated it as text. Only searched for if another error was found.
pub(crate) fn transfer(root: &Node<'_>, found: &mut Vec<Diagnostic>) {
    let is_damage = |finding: &Diagnostic| finding.severity >= Severity::Warning;
    let Some(bytes) = root.to_bytes().ok().filter(|_| found.iter().any(is_damage)) else { return };
    let mut report = |code: &'static str, message: String, note: &str| {
        found.push(Diagnostic {
            code: code.into(),
            severity: Severity::Error,
            span: 0..bytes.len() as u64,
            path: String::new(),
            message,
            note: Some(note.to_owned()),
        });
    };
    if before_text_mode(&bytes).is_some() {
        report(
            "MDX-FILE-001",
            "damaged by a transfer in text mode: every line feed has a carriage return before it".to_owned(),
            "get the file again in binary mode, or remove each 0x0D before a 0x0A",
        );
    }
    match utf8_damage(&bytes) {
        Some(Utf8Damage::Encoded(_)) => report(
            "MDX-FILE-002",
            "damaged by a program that saved it as UTF-8: every byte from 0x80 on became a character"
                .to_owned(),
            "get the file again, or encode it as Windows-1252",
        ),
        Some(Utf8Damage::Replaced(count)) => report(
            "MDX-FILE-002",
            format!("damaged by a program that saved it as UTF-8: {count} bytes are lost"),
            "get the file again; the lost bytes cannot be restored",
        ),
        None => {}
    }
}

/// The declared and the actual number of parts of a node.
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
