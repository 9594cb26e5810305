//! Findings about a text, shown with their lines.

use mdx::mdl;
use meshwright_check::output::snippets;

#[test]
fn errors_are_shown_with_their_lines() {
    let text = "\
Version {
\tFormatVersion 800,
}
Model \"Bad\" {
\tBlendTime soon,
\tMinimumExtent { 1, 2 },
\tWingspan 3,
}
Helper \"h\" {
\tObjectId 99999999999,
\tTranslation 1 {
\t\tLinear,
\t\t0: { 1, 2, 3, 4 },
\t}
}
Light \"l\" {
\tObjectId 1,
\tstatic Color red,
\tstatic Intensity 2,
}
Camera \"c\" {
\tFarClip 5,
";
    let (_, found) = mdl::parse(text.as_bytes());
    let shown = snippets(&found, text.as_bytes(), "bad.mdl", false);
    assert_eq!(shown, include_str!("../golden/mdl_errors.txt"), "{shown}");
    assert!(snippets(&found, text.as_bytes(), "bad.mdl", true).contains("\u{1b}["));
}

#[test]
fn a_finding_beyond_the_text_is_shown_at_its_end() {
    let (_, mut found) = mdl::parse(b"Model \"x\" {");
    found.iter_mut().for_each(|found| found.span = 500..600);
    assert!(!found.is_empty());
    assert!(snippets(&found, b"Model \"x\" {", "short.mdl", false).contains("short.mdl:1:"));
}
