//! Findings about a text: the line, and a mark under what each is about.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use record::{Diagnostic, Severity, decode};

/// Findings about a text, each with its line and a caret, as a compiler shows them; `name` is the file's.
///
/// ```
/// let text = b"Version {\n\tFormatVersion 800,\n}\nModel \"Box\" {\n\tBlendTime soon,\n}\n";
/// let (_, findings) = mdx::mdl::parse(text);
/// let shown = meshwright_check::output::snippets(&findings, text, "box.mdl", false);
/// assert!(shown.contains("box.mdl:5:12"), "{shown}");
/// assert!(shown.contains("BlendTime soon,") && shown.contains("^^^^"));
/// ```
pub fn snippets(findings: &[Diagnostic], text: &[u8], name: &str, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let shown: Vec<_> = findings.iter().map(|finding| render_one(finding, text, name, &renderer)).collect();
    shown.join("\n\n") + if shown.is_empty() { "" } else { "\n" }
}

fn render_one(finding: &Diagnostic, text: &[u8], name: &str, renderer: &Renderer) -> String {
    let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let mark = Mark::new(text, position(finding.span.start)..position(finding.span.end));
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP,
    };
    let title = level.primary_title(&finding.message).id(finding.code.as_ref());
    renderer.render(&[Group::with_title(title)
        .element(mark.snippet(finding.note.as_deref().unwrap_or_default()).path(name))])
}

/// A place in a text with the line that it is on.
///
/// ```
/// let mark = meshwright_check::output::Mark::new(b"Version {\n\tFormatVersion 800,\n}\n", 11..24);
/// assert_eq!((mark.line, mark.column, mark.end_column), (2, 2, 15));
/// let drawn = mark.draw(false);
/// assert!(drawn.contains("FormatVersion 800,") && drawn.contains("^^^^^^^^^^^^^"), "{drawn}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line, counted from 1.
    pub line: usize,
    /// The first sign that is meant, counted from 1.
    pub column: usize,
    /// The one after the last that is meant, on the same line.
    pub end_column: usize,
    source: String,
    marked: Range<usize>,
}

impl Mark {
    /// The place of these bytes.
    pub fn new(text: &[u8], span: Range<usize>) -> Self {
        /// Lines of thousands of numbers are cut off after so many bytes.
        const SHOWN: usize = 200;
        let start = span.start.min(text.len());
        let end = span.end.clamp(start, text.len());
        let line_start = memchr::memrchr(b'\n', &text[..start]).map_or(0, |at| at + 1);
        let line_end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
        let line_end = line_end - usize::from(text[..line_end].ends_with(b"\r") && line_end > start);
        let end = end.min(line_end).max(start);
        // The text is bytes of any encoding: the parts of the line are decoded one by one, so that the mark stays under its place.
        let before = decode(&text[line_start..start]);
        let marked = decode(&text[start..end]);
        let after = decode(&text[end..line_end.min(end.saturating_add(SHOWN))]);
        let column = before.chars().count() + 1;
        Self {
            line: memchr::memchr_iter(b'\n', &text[..line_start]).count() + 1,
            column,
            end_column: column + marked.chars().count(),
            marked: before.len()..before.len() + marked.len(),
            source: format!("{before}{marked}{after}"),
        }
    }

    fn snippet<'m>(&'m self, label: &'m str) -> Snippet<'m, annotate_snippets::Annotation<'m>> {
        let annotation = AnnotationKind::Primary.span(self.marked.clone()).label(label);
        Snippet::source(self.source.as_str()).line_start(self.line).annotation(annotation)
    }

    /// The line with a mark under the place, and nothing of what is said of it.
    pub fn draw(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[Group::with_level(Level::NOTE).element(self.snippet(""))])
    }
}
