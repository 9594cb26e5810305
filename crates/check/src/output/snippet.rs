//! Findings about a text: the line, and a mark below the place of each finding.

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
    let lines = Lines::new(text);
    let shown: Vec<_> = findings.iter().map(|finding| render_one(finding, &lines, name, &renderer)).collect();
    shown.join("\n\n") + if shown.is_empty() { "" } else { "\n" }
}

fn render_one(finding: &Diagnostic, lines: &Lines<'_>, name: &str, renderer: &Renderer) -> String {
    let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let mark = lines.mark(position(finding.span.start)..position(finding.span.end));
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

/// A text with an index of its lines.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    /// Where each line starts.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Finds the lines of a text.
    pub fn new(text: &'t [u8]) -> Self {
        let after = memchr::memchr_iter(b'\n', text).map(|index| index + 1);
        Self { text, starts: std::iter::once(0).chain(after).collect() }
    }

    /// The place of these bytes.
    pub fn mark(&self, span: Range<usize>) -> Mark {
        /// Long lines are cut this many bytes before and after the place.
        const SHOWN: usize = 200;
        let text = self.text;
        let start = span.start.min(text.len());
        let end = span.end.clamp(start, text.len());
        let line = self.starts.partition_point(|index| *index <= start).max(1);
        let line_start = self.starts[line - 1];
        let line_end = self.starts.get(line).map_or(text.len(), |next| next - 1);
        let line_end = line_end - usize::from(text[..line_end].ends_with(b"\r") && line_end > start);
        let end = end.min(line_end).max(start);
        let shown_start = line_start.max(start.saturating_sub(SHOWN));
        let marked_end = end.min(start.saturating_add(SHOWN));
        // The text may have any encoding. Each byte is shown as one character, so that the mark stays below its place.
        let cut = if shown_start > line_start { "..." } else { "" };
        let before = format!("{cut}{}", decode(&text[shown_start..start]));
        let marked = decode(&text[start..marked_end]);
        let after = decode(&text[marked_end..line_end.min(marked_end.saturating_add(SHOWN))]);
        let column = start - line_start + 1;
        Mark {
            line,
            column,
            end_column: column + (end - start),
            marked: before.len()..before.len() + marked.len(),
            source: format!("{before}{marked}{after}"),
        }
    }
}

/// A place in a text, with the part of its line around it.
///
/// ```
/// let lines = meshwright_check::output::Lines::new(b"Version {\n\tFormatVersion 800,\n}\n");
/// let mark = lines.mark(11..24);
/// assert_eq!((mark.line, mark.column, mark.end_column), (2, 2, 15));
/// let drawn = mark.draw(false);
/// assert!(drawn.contains("FormatVersion 800,") && drawn.contains("^^^^^^^^^^^^^"), "{drawn}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line, counted from 1.
    pub line: usize,
    /// The first character of the place, counted from 1.
    pub column: usize,
    /// The one after the last, on the same line.
    pub end_column: usize,
    source: String,
    marked: Range<usize>,
}

impl Mark {
    fn snippet<'m>(&'m self, label: &'m str) -> Snippet<'m, annotate_snippets::Annotation<'m>> {
        let annotation = AnnotationKind::Primary.span(self.marked.clone()).label(label);
        Snippet::source(self.source.as_str()).line_start(self.line).annotation(annotation)
    }

    /// The line with a mark under the place, without the message.
    pub fn draw(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[Group::with_level(Level::NOTE).element(self.snippet(""))])
    }
}
