//! The pages as HTML.

use std::fmt::Write as _;

use super::record::Record;
use crate::report::{counted, thousands};

/// A text that may stand in HTML, also in quotes, without control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in meshwright::record::printable(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

fn head(title: &str, base: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <link rel=\"stylesheet\" href=\"{base}gallery.css\">\n</head>\n",
        escaped(title)
    )
}

/// The page of all models; `gallery.js` fills it from `models.js`.
pub(super) fn index(title: &str, models: usize) -> String {
    let (head, title) = (head(title, ""), escaped(title));
    let models = counted(models, "model", "models");
    format!(
        r#"{head}<body>
<header>
<h1>{title}</h1>
<form id="filters" autocomplete="off">
<input id="search" type="search" placeholder="Search names, clips and textures" aria-label="Search">
<select id="game" aria-label="Game"><option value="">All games</option></select>
<label>Triangles <input id="least" type="number" min="0" placeholder="from" aria-label="Minimum triangles">
<input id="most" type="number" min="0" placeholder="to" aria-label="Maximum triangles"></label>
<label><input id="missing" type="checkbox"> Missing textures</label>
<select id="findings" aria-label="Findings"><option value="">All findings</option>
<option value="errors">With errors</option><option value="warnings">With warnings</option>
<option value="any">With findings</option><option value="none">Without findings</option></select>
<select id="order" aria-label="Order"><option value="path">By name</option>
<option value="triangles">By triangles</option><option value="bytes">By size</option>
<option value="findings">By findings</option></select>
<output id="count">{models}</output>
</form>
</header>
<main id="models"></main>
<noscript>This page needs JavaScript.</noscript>
<script src="models.js"></script>
<script src="gallery.js"></script>
</body>
</html>
"#
    )
}

/// The page of a model.
pub(super) fn model(record: &Record, title: &str) -> String {
    let mut page = head(&record.path, "../");
    let name = escaped(&record.path);
    let _ = write!(
        page,
        "<body class=\"model\">\n<nav><a href=\"../index.html\">{}</a></nav>\n<h1>{name}</h1>\n",
        escaped(title)
    );
    if let Some(picture) = record.picture_url() {
        let (frames, motion) = (record.frames, escaped(&record.motion));
        let _ = writeln!(
            page,
            "<div class=\"thumb large\" data-frames=\"{frames}\" data-motion=\"{motion}\">\
             <img src=\"../{picture}\" alt=\"{name}\" draggable=\"false\"></div>"
        );
    }
    if let Some(error) = &record.error {
        let _ = writeln!(page, "<p class=\"error\">{}</p>", escaped(error));
    }
    facts(record, &mut page);
    let clips = record.clips.iter().map(|(name, seconds)| vec![escaped(name), format!("{seconds:.2} s")]);
    table(&mut page, "Clips", clips);
    let state = |found: bool| if found { "found" } else { "<b class=\"error\">missing</b>" }.to_owned();
    let textures = record.textures.iter().map(|(name, found)| vec![escaped(name), state(*found)]);
    table(&mut page, "Textures", textures);
    let needs = record.needs.iter();
    let needs = needs.map(|(what, name, found)| vec![escaped(what), escaped(name), state(*found)]);
    table(&mut page, "Other files", needs);
    let meshes = record.meshes.iter();
    let meshes = meshes.map(|(name, count)| vec![escaped(name), counted(*count, "triangle", "triangles")]);
    table(&mut page, "Meshes", meshes);
    let findings = record.findings.iter().map(|finding| {
        let severity = escaped(&finding.severity);
        let note = finding.note.as_deref().map(|note| format!("<br><small>{}</small>", escaped(note)));
        vec![
            format!("<b class=\"{severity}\">{severity}</b>"),
            escaped(&finding.code),
            escaped(&finding.place),
            escaped(&finding.message) + &note.unwrap_or_default(),
        ]
    });
    table(&mut page, "Findings", findings);
    let hidden = record.counts.iter().sum::<usize>().saturating_sub(record.findings.len());
    if hidden > 0 {
        let _ = writeln!(page, "<p>{} not shown.</p>", counted(hidden, "finding", "findings"));
    }
    page.push_str("<script src=\"../gallery.js\"></script>\n</body>\n</html>\n");
    page
}

fn facts(record: &Record, page: &mut String) {
    if record.format.is_empty() {
        return;
    }
    let version = record.version.as_deref().map(|version| format!(", {version}")).unwrap_or_default();
    let mut facts = vec![
        ("Game", format!("{} <small>{}</small>", escaped(&record.game), escaped(&record.reason))),
        ("Format", escaped(&format!("{}{version}", record.format))),
        ("Size", counted(record.bytes, "byte", "bytes")),
        ("Triangles", thousands(record.triangles)),
        ("Vertices", thousands(record.vertices)),
        ("Meshes", thousands(record.meshes.len())),
        ("Materials", thousands(record.materials)),
        ("Bones", thousands(record.bones)),
    ];
    let objects: Vec<String> =
        record.objects.iter().map(|(what, count)| format!("{what}: {}", thousands(*count))).collect();
    if !objects.is_empty() {
        facts.push(("Others", escaped(&objects.join(", "))));
    }
    page.push_str("<dl>\n");
    for (name, value) in facts {
        let _ = writeln!(page, "<dt>{name}</dt><dd>{value}</dd>");
    }
    page.push_str("</dl>\n");
}

/// A table under a heading, unless it is empty.
fn table(page: &mut String, heading: &str, rows: impl ExactSizeIterator<Item = Vec<String>>) {
    if rows.len() == 0 {
        return;
    }
    let _ = writeln!(page, "<h2>{heading}</h2>\n<table>");
    for row in rows {
        page.push_str("<tr>");
        row.iter().for_each(|cell| {
            let _ = write!(page, "<td>{cell}</td>");
        });
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_markup() {
        let record = Record {
            path: "<script>alert('a')</script>.mdx".into(),
            textures: vec![("\"><img src=x>".into(), false)],
            clips: vec![("Stand & Wait".into(), 1.5)],
            format: "mdx".into(),
            ..Record::default()
        };
        let page = model(&record, "<b>Mod</b>");
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x>") && !page.contains("<b>Mod"));
        assert!(page.contains("Stand &amp; Wait</td><td>1.50 s"));
        assert!(page.contains("<b class=\"error\">missing</b>"));
        assert!(!index("<b>Mod</b>", 1).contains("<b>Mod"));
    }
}
