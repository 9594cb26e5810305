//! Models in MDL: findings with their place in the text.

use mdx::mdl::{self, Places};
use record::{Diagnostic, Error, Severity};

use crate::output::{Lines, Mark};
use crate::{Document, Options, Report, causes, game, report, rules, wanted};

/// Checks a model in MDL. If its text has errors, the model is a guess, and only the text is reported. Spans are those in the text, with a
/// mark for each finding; a finding about something that is not in the text has no mark. Fails if there is no model in the text.
///
/// ```
/// let text = b"Version { FormatVersion 800, }\nModel \"Box\" { BlendTime 150, }\nHelper \"a\" {\n\tParent 7,\n}\n";
/// let (report, marks) = meshwright_check::report_mdl(text, &meshwright_check::Options::default())?;
/// let at = report.diagnostics.iter().position(|finding| finding.code == "MDX-NODE-003").unwrap();
/// assert_eq!(marks[at].as_ref().map(|mark| (mark.line, mark.column)), Some((3, 1)));
/// # Ok::<(), record::Error>(())
/// ```
pub fn report_mdl(text: &[u8], options: &Options<'_>) -> Result<(Report, Vec<Option<Mark>>), Error> {
    let (document, mut found) = mdl::parse(text);
    let Some(model) = document else {
        // The reason that there is no model, if the reader knows it, such as another encoding.
        let first = found.into_iter().find(|finding| finding.severity == Severity::Error);
        let error = |first: Diagnostic| {
            let error = Error::new("MDL-TEXT", first.span, first.message);
            first.note.iter().fold(error, |error, note| error.with_note(note))
        };
        return Err(first.map_or_else(
            || Error::new("MDL-EMPTY", 0..text.len() as u64, "the text contains no model"),
            error,
        ));
    };
    found.extend(rules::mdl::findings(text));
    let document = Document::Mdx(model);
    causes::remove_consequences(&mut found, document.root());
    let mut report = if found.iter().any(|finding| finding.severity == Severity::Error) {
        let (profile, guessed_because) = game(&document, options);
        Report { profile, guessed_because, diagnostics: Vec::new() }
    } else {
        report(&document, options)
    };
    let found = wanted(found, report.profile, &options.levels.cloned().unwrap_or_default());
    let lines = Lines::new(text);
    let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let mark =
        |finding: &Diagnostic| Some(lines.mark(position(finding.span.start)..position(finding.span.end)));
    let mut marked: Vec<(Diagnostic, Option<Mark>)> =
        found.into_iter().map(|finding| (mark(&finding), finding)).map(|(mark, it)| (it, mark)).collect();
    if let (Document::Mdx(model), false) = (&document, report.diagnostics.is_empty()) {
        let places = Places::new(text);
        for mut finding in report.diagnostics {
            let place = places.find(model, &finding);
            finding.span = place.as_ref().map_or(0..0, |place| place.start as u64..place.end as u64);
            let mark = place.map(|place| lines.mark(place));
            marked.push((finding, mark));
        }
    }
    marked.sort_by_key(|(finding, _)| finding.span.start);
    let marks;
    (report.diagnostics, marks) = marked.into_iter().unzip();
    Ok((report, marks))
}
