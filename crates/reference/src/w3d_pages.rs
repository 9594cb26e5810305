//! The generated pages of W3D.

use std::fmt::Write;

use w3d::{Chunk, Games, Rule, Shape, names, table as rows};

use crate::Page;
use crate::page::{anchor, link, page, sentence, table};
use crate::types::{Types, body};

/// A row of the table with its heading. Inside a scope, the heading includes the names of the chunks around it.
struct Entry {
    row: &'static Chunk,
    heading: String,
    /// The heading of the chunk around it, if it is inside a scope.
    parent: Option<String>,
}

pub(crate) fn pages() -> Vec<Page> {
    let entries = entries();
    let mut types = Types::default();
    for entry in &entries {
        let user = link("chunks.md", &entry.heading);
        entry.row.kinds.iter().for_each(|kind| types.add_kind(kind, &user));
        if let Shape::Prefixed(kind) = entry.row.shape {
            types.add_kind(kind, &user);
        }
    }
    types.add_names(names::Mapper::NAMES, false, &link("", "VertexMaterialFlags"));
    types.add_names(
        Games::NAMES,
        true,
        &format!("the \"games\" column of [chunks](chunks.md#{})", anchor("All chunks")),
    );
    vec![
        Page { path: "w3d/chunks.md", text: chunks(&entries) },
        Page {
            path: "w3d/records.md",
            text: page(
                "W3D records",
                "Every fixed-size struct of W3D with its fields. All numbers are little-endian. Offsets count from the start of the struct. There is \
                 no hidden padding: bytes of no known use are fields, too.",
            ) + &types.records(|_| None),
        },
        Page {
            path: "w3d/enumerations.md",
            text: page(
                "W3D enumerations and flags",
                "Every number of W3D that has names for its values. Names are those of the engine's headers without their common prefix. Values without \
                 a name are legal in a file; a reader should keep them.",
            ) + &types.enumerations(),
        },
    ]
}

/// Every row, each after the row that contains it.
fn entries() -> Vec<Entry> {
    fn add(entries: &mut Vec<Entry>, row: &'static Chunk, parent: Option<&str>) {
        let heading = match parent {
            None => row.kind.name.to_owned(),
            Some(parent) => format!("{} in {parent}", row.kind.name),
        };
        entries.push(Entry { row, heading: heading.clone(), parent: parent.map(str::to_owned) });
        if let Shape::Branch(Some(scope)) | Shape::Micro(scope) = row.shape {
            scope.iter().for_each(|child| add(entries, child, Some(&heading)));
        }
    }
    let mut entries = Vec::new();
    rows::CHUNKS.iter().for_each(|row| add(&mut entries, row, None));
    entries
}

fn chunks(entries: &[Entry]) -> String {
    let mut text = page(
        "W3D chunks",
        "Every chunk of W3D: its id, the chunks that it can be in, what its body holds, and which games know it. \
         [Framing](framing.md) explains the header before each body. Micro-chunks have a header of two bytes instead.",
    );
    text += "\n## All chunks\n\nChunks inside [spheres, rings, sounds](objects.md) and [shader definitions](shader-meshes.md) have ids of their own; they \
             are listed below their parents further down.\n";
    text += &table(
        ["id", "chunk", "in", "body", "games"],
        entries.iter().filter(|entry| entry.parent.is_none()).map(|entry| {
            [
                id(entry.row),
                link("", &entry.heading),
                parents(entry),
                short_body(entry.row),
                games(entry.row.games),
            ]
        }),
    );
    text += "\n## Chunks one by one\n";
    for entry in entries {
        let row = entry.row;
        let _ = write!(text, "\n### {}\n\n{}\n\n", entry.heading, sentence(row.kind.doc));
        let sort = if row.kind.framing.header_len() == 2 { "Micro-chunk" } else { "Chunk" };
        let _ = writeln!(text, "{sort} {} in {}. Games: {}.", id(row), parents(entry), games(row.games));
        let (file, title) = subject(row, entry.heading.rsplit(' ').next().unwrap_or_default());
        let _ = writeln!(text, "Explained in [{title}]({file}).");
        if !row.aliases.is_empty() {
            let aliases: Vec<_> = row.aliases.iter().map(|alias| format!("`{alias}`")).collect();
            let _ = writeln!(text, "Also called {}.", aliases.join(", "));
        }
        text.push('\n');
        text += &long_body(entry);
        if let Some(rule) = count(row.rule) {
            let _ = writeln!(text, "\nCount: {rule}.");
        }
    }
    text
}

fn id(row: &Chunk) -> String {
    if row.kind.framing.header_len() == 2 {
        format!("`{}`", row.kind.id)
    } else {
        format!("`0x{:X}`", row.kind.id)
    }
}

/// Links to the chunks that a chunk can be in.
fn parents(entry: &Entry) -> String {
    if let Some(parent) = &entry.parent {
        return link("", parent);
    }
    let parents = entry.row.parents.iter();
    let links: Vec<_> =
        parents.map(|name| if *name == "FILE" { "the file".to_owned() } else { link("", name) }).collect();
    links.join(", ")
}

fn games(games: Games) -> String {
    const EVERY: u16 = 0x1FE;
    match games.get() {
        EVERY => "all".to_owned(),
        0x1 => "none; only files older than the games".to_owned(),
        _ => games.names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

/// The body in a few words, for the overview.
fn short_body(row: &Chunk) -> String {
    match row.shape {
        Shape::Branch(_) => "chunks".to_owned(),
        Shape::Micro(_) => "micro-chunks".to_owned(),
        Shape::Prefixed(_) => "a record, then chunks".to_owned(),
        Shape::Leaf => {
            let text = body(&row.kind);
            match row.kind.slots {
                [] => "unknown".to_owned(),
                [_] => text.trim_start_matches("Body: ").trim_end_matches(".\n").to_owned(),
                _ => "several parts".to_owned(),
            }
        }
    }
}

fn long_body(entry: &Entry) -> String {
    let children = |scope: &[&Chunk]| {
        let links: Vec<_> = scope
            .iter()
            .map(|child| link("", &format!("{} in {}", child.kind.name, entry.heading)))
            .collect();
        links.join(", ")
    };
    let name = entry.row.kind.name;
    let below: Vec<_> = rows::CHUNKS
        .iter()
        .filter(|row| row.parents.contains(&name))
        .map(|row| link("", row.kind.name))
        .collect();
    match entry.row.shape {
        Shape::Branch(Some(scope)) => format!("Body: chunks, which are {}.\n", children(scope)),
        Shape::Branch(None) => format!("Body: chunks, which are {}.\n", below.join(", ")),
        Shape::Micro(scope) => format!("Body: micro-chunks, which are {}.\n", children(scope)),
        Shape::Prefixed(kind) => {
            format!("{}After it: chunks, which are {}.\n", body(kind), below.join(", "))
        }
        Shape::Leaf => {
            let mut text = body(&entry.row.kind);
            for other in entry.row.kinds.iter().skip(1) {
                let _ = write!(
                    text,
                    "\nIn another form ({}):\n\n{}",
                    sentence(other.doc).trim_end_matches('.'),
                    body(other)
                );
            }
            text
        }
    }
}

fn count(rule: Rule) -> Option<String> {
    Some(match rule {
        Rule::Free => return None,
        Rule::PerVertex => "one per vertex".to_owned(),
        Rule::PerTriangle => "one per triangle".to_owned(),
        Rule::OneOrPerVertex => "one for all vertices, or one per vertex".to_owned(),
        Rule::OneOrPerTriangle => "one for all triangles, or one per triangle".to_owned(),
        Rule::PerPivot => "one per pivot".to_owned(),
        Rule::Header(field) => format!("as given by `{field}` of the header"),
    })
}

/// The page that explains a chunk. `outermost` is the chunk of the main table that contains it, or the chunk itself.
fn subject(row: &Chunk, outermost: &str) -> (&'static str, &'static str) {
    const OBSOLETE: (&str, &str) = ("obsolete.md", "Obsolete chunks");
    let top =
        rows::CHUNKS.iter().find(|row| row.kind.name == outermost).map_or(row.kind.id, |row| row.kind.id);
    match top {
        0xE | 0xC00 | 0xC01 | 0xC03 => ("skins.md", "Skins"),
        0x0..=0x22 if row.games.get() == 1 => OBSOLETE,
        0x0..=0x22 | 0x60 | 0x61 | 0x90..=0x93 | 0xC02 => ("meshes.md", "Meshes"),
        0x58..=0x5B => OBSOLETE,
        0x23..=0x80 => ("materials.md", "Materials"),
        0x100..=0x1FF => ("hierarchy.md", "Hierarchies"),
        0x200..=0x2FF => ("animation.md", "Animation"),
        0x460..=0x466 | 0x800..=0x802 => ("lights.md", "Lights"),
        0x300..=0x4FF | 0x600..=0x707 => ("models.md", "Models"),
        0x500..=0x5FF => ("emitters.md", "Emitters"),
        0xB00..=0xB4D => ("shader-meshes.md", "Shader meshes"),
        _ => ("objects.md", "Simple objects"),
    }
}
