//! Diagnostics that need no knowledge of the format: wrong sizes, trailing bytes, unknown parts.

use std::borrow::Cow;

use crate::error::{Diagnostic, Severity};
use crate::node::{Body, Count, LEFTOVER, Node};
use crate::walk::Place;

impl Node<'_> {
    /// Lists every deviation of the tree from its kinds. Codes start with `prefix`.
    ///
    /// | code | meaning |
    /// |---|---|
    /// | `-FRAME-…` | a wrong size word; the framing explains it |
    /// | `-FRAME-010` | trailing bytes after the last whole child |
    /// | `-PART-001` | unknown id |
    /// | `-PART-002` | shorter than its record |
    /// | `-PART-003` | trailing bytes after the last whole element |
    /// | `-PART-004` | a part that holds others was kept as bytes |
    /// | `-PART-005` | fewer elements than its header says |
    ///
    /// At most [`MAX_DIAGNOSTICS`] are listed. The last one then says how many more there are, and is as severe as the worst of them.
    pub fn diagnose(&self, prefix: &str) -> Vec<Diagnostic> {
        let mut found = Findings::default();
        self.walk(&mut |place| diagnose_one(place, prefix, &mut found));
        found.into_list()
    }
}

/// The most diagnostics that [`Node::diagnose`] lists. A file of 10 MB can have millions of damaged parts, and each diagnostic takes some
/// hundred bytes.
pub const MAX_DIAGNOSTICS: usize = 10_000;

/// The diagnostics up to the limit, and a count of the others.
#[derive(Default)]
struct Findings {
    listed: Vec<Diagnostic>,
    /// The most severe diagnostic that is not listed, and the number of those that are not listed.
    more: Option<(Diagnostic, usize)>,
}

impl Findings {
    fn push(&mut self, severity: Severity, make: impl FnOnce() -> Diagnostic) {
        match &mut self.more {
            _ if self.listed.len() + 1 < MAX_DIAGNOSTICS => self.listed.push(make()),
            None => self.more = Some((make(), 1)),
            Some((worst, count)) => {
                *count += 1;
                if severity > worst.severity {
                    *worst = make();
                }
            }
        }
    }

    fn into_list(mut self) -> Vec<Diagnostic> {
        self.listed.extend(self.more.map(|(worst, count)| match count {
            1 => worst,
            _ => {
                let message = format!("{}; {} more findings are not listed", worst.message, count - 1);
                Diagnostic { message, ..worst }
            }
        }));
        self.listed
    }
}

/// A number of bytes: `1 byte`, `3 bytes`.
fn bytes_of(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn diagnose_one(place: &Place<'_, '_>, prefix: &str, found: &mut Findings) {
    let node = place.node;
    let mut report =
        |suffix: &str, severity, span: std::ops::Range<usize>, message: String, note: Option<&str>| {
            found.push(severity, || Diagnostic {
                code: Cow::Owned(format!("{prefix}-{suffix}")),
                severity,
                span: span.start as u64..span.end as u64,
                path: place.path(),
                message,
                note: note.map(str::to_owned),
            });
        };
    if node.size_delta != 0
        && let Some((suffix, severity, message)) = node.kind.framing.explain_size_delta(node)
    {
        report(suffix, severity, place.span.start..place.body_start(), message, None);
    }
    if node.is(&LEFTOVER) {
        let message = format!("{} in the parent chunk", bytes_of(node.bytes().len(), "trailing byte"));
        // A few bytes at the end are harmless; more may be parts that no reader reaches.
        let is_lost = node.bytes().len() >= 8 && node.bytes().iter().any(|byte| *byte != 0);
        return report(
            "FRAME-010",
            if is_lost { Severity::Error } else { Severity::Warning },
            place.span.clone(),
            message,
            Some("they are kept as they are"),
        );
    }
    if node.kind.name.is_empty() {
        let message = format!("the chunk or track {} is unknown", node.name());
        report("PART-001", Severity::Info, place.span.clone(), message, Some("it is kept as it is"));
    }
    let Body::Leaf(bytes) = &node.body else { return };
    if node.kind.branch && !bytes.is_empty() {
        let message = "the chunk could not be split into sub-chunks; it is kept as bytes".to_owned();
        return report("PART-004", Severity::Warning, place.span.clone(), message, None);
    }
    let mut slots = node.slots();
    let mut needed = node.kind.slots.iter().filter(|slot| matches!(slot.count, Count::One)).peekable();
    let mut lacking = None;
    for part in slots.by_ref() {
        needed.next_if(|slot| std::ptr::eq(*slot, part.slot));
        if let Count::By(count) = part.slot.count {
            let (said, held) = (count(bytes), part.bytes.len() / part.slot.item.size().max(1));
            lacking = lacking.or((held < said).then_some((part.slot.name, said, held)));
        }
    }
    let left = slots.rest().len();
    if needed.next().is_some() {
        let size: usize = node
            .kind
            .slots
            .iter()
            .filter(|slot| matches!(slot.count, Count::One))
            .map(|slot| slot.item.size())
            .sum();
        let message = format!("the chunk has {}, but its record has {size}", bytes_of(bytes.len(), "byte"));
        report("PART-002", Severity::Error, place.span.clone(), message, Some("it is kept as bytes"));
    } else if let Some((name, said, held)) = lacking {
        let message = format!("the header says {said} {name}, but there are {held}");
        report("PART-005", Severity::Error, place.span.clone(), message, None);
    } else if left > 0 && !node.kind.slots.is_empty() {
        let start = place.body_start() + slots.position();
        let message = format!("{} after the last whole element", bytes_of(left, "trailing byte"));
        report(
            "PART-003",
            Severity::Warning,
            start..start + left,
            message,
            Some("they are kept as they are"),
        );
    }
}
