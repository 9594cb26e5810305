//! Findings for people: the line, and a mark under what it is about.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use record::{Diagnostic, Severity, decode};

/// Findings about a text, each with its line and a caret, as a compiler shows them; `name` is the file's.
///
/// ```
/// let text = b"Version {\n\tFormatVersion 800,\n}\nModel \"Box\" {\n\tBlendTime soon,\n}\n";
/// let (_, findings) = mdx::mdl::parse(text);
/// let shown = mdx::mdl::render(&findings, text, "box.mdl", false);
/// assert!(shown.contains("box.mdl:5:12"), "{shown}");
/// assert!(shown.contains("BlendTime soon,") && shown.contains("^^^^"));
/// ```
pub fn render(findings: &[Diagnostic], text: &[u8], name: &str, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let shown: Vec<_> = findings.iter().map(|finding| render_one(finding, text, name, &renderer)).collect();
    shown.join("\n\n") + if shown.is_empty() { "" } else { "\n" }
}

fn render_one(finding: &Diagnostic, text: &[u8], name: &str, renderer: &Renderer) -> String {
    let start = usize::try_from(finding.span.start).unwrap_or(usize::MAX).min(text.len());
    let end = usize::try_from(finding.span.end).unwrap_or(usize::MAX).clamp(start, text.len());
    let line_start = memchr::memrchr(b'\n', &text[..start]).map_or(0, |at| at + 1);
    let line_end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
    let line_end = line_end - usize::from(text[..line_end].ends_with(b"\r") && line_end > start);
    let number = memchr::memchr_iter(b'\n', &text[..line_start]).count() + 1;
    // The text is bytes of any encoding: the parts of the line are decoded one by one, so that the mark stays under its place.
    let before = decode(&text[line_start..start]);
    let marked = decode(&text[start..end.min(line_end)]);
    let after = decode(&text[end.min(line_end).max(start)..line_end]);
    let line = format!("{before}{marked}{after}");
    let label = finding.note.as_deref().unwrap_or_default();
    let snippet = Snippet::source(line)
        .line_start(number)
        .path(name)
        .annotation(AnnotationKind::Primary.span(before.len()..before.len() + marked.len()).label(label));
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP,
    };
    let title = level.primary_title(&finding.message).id(finding.code.as_ref());
    renderer.render(&[Group::with_title(title).element(snippet)])
}
