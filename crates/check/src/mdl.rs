//! Models in MDL: findings with their place in the text.

use mdx::mdl::{self, Places};
use record::{Diagnostic, Error, Severity};

use crate::output::Mark;
use crate::{Document, Options, Report, game, report, wanted};

/// Checks a model in MDL. What its reader found comes first; if that is an error, the model is a guess and nothing else is said of
/// it. Spans are those in the text, with a mark for each finding; those that nothing in the text says have none. Fails if there is
/// no model in the text.
///
/// ```
/// let text = b"Version { FormatVersion 800, }\nModel \"Box\" { BlendTime 150, }\nHelper \"a\" {\n\tParent 7,\n}\n";
/// let (report, marks) = meshwright_check::report_mdl(text, &meshwright_check::Options::default())?;
/// let at = report.diagnostics.iter().position(|finding| finding.code == "MDX-NODE-003").unwrap();
/// assert_eq!(marks[at].as_ref().map(|mark| (mark.line, mark.column)), Some((3, 1)));
/// # Ok::<(), record::Error>(())
/// ```
pub fn report_mdl(text: &[u8], options: &Options<'_>) -> Result<(Report, Vec<Option<Mark>>), Error> {
    let (document, found) = mdl::parse(text);
    let nothing = || Error::new("MDL-EMPTY", 0..text.len() as u64, "there is no model in this text");
    let document = Document::Mdx(document.ok_or_else(nothing)?);
    let mut report = if found.iter().any(|finding| finding.severity == Severity::Error) {
        let (profile, guessed_because) = game(&document, options);
        Report { profile, guessed_because, diagnostics: Vec::new() }
    } else {
        report(&document, options)
    };
    let found = wanted(found, report.profile, &options.levels.cloned().unwrap_or_default());
    let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let mut marks: Vec<_> = found
        .iter()
        .map(|finding| Some(Mark::new(text, position(finding.span.start)..position(finding.span.end))))
        .collect();
    let Document::Mdx(model) = &document else { return Err(nothing()) };
    let places = (!report.diagnostics.is_empty()).then(|| Places::new(text));
    for finding in &mut report.diagnostics {
        let place = places.as_ref().and_then(|places| places.find(model, finding));
        finding.span = place.as_ref().map_or(0..0, |place| place.start as u64..place.end as u64);
        marks.push(place.map(|place| Mark::new(text, place)));
    }
    report.diagnostics = found.into_iter().chain(report.diagnostics).collect::<Vec<Diagnostic>>();
    Ok((report, marks))
}
