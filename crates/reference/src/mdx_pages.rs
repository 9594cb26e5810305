//! The generated pages of MDX.

use std::fmt::Write;

use mdx::records::{SkinVertex, WideSkinVertex, WowGeosetPart};
use mdx::{
    CHUNKS, COLORS, ChunkRow, ColorOrder, Content, Dialect, GATES, Games, Gate, GateRow, Layout, TRACKS,
    TrackRow, ValueType,
};
use record::{Kind, Record};

use crate::Page;
use crate::objects::{OBJECTS, Object};
use crate::page::{link, page, plain, sentence, table};
use crate::types::{PAGES, Types, body};

pub(crate) fn pages() -> Vec<Page> {
    let mut types = Types::default();
    for kind in mdx::kinds::kinds() {
        types.add_kind(kind, &home(kind));
    }
    let skin = link("parts.md", "SKIN");
    types.add_record(SkinVertex::SCHEMA, &skin);
    types.add_record(WideSkinVertex::SCHEMA, &skin);
    types.add_names(WowGeosetPart::NAMES, false, &link("", "BodyPart"));
    vec![
        Page { path: "mdx/chunks.md", text: chunks() },
        Page { path: "mdx/parts.md", text: parts() },
        Page { path: "mdx/tracks.md", text: tracks() },
        Page {
            path: "mdx/records.md",
            text: page(
                "MDX records",
                "Every fixed-size struct of MDX with its fields. All numbers are little-endian. Offsets count from the start of the struct. A record \
                 whose name begins with `Wow` exists only in the WoW alpha. Versions are explained in [Versions](versions.md).",
            ) + &types.records(versions_of),
        },
        Page {
            path: "mdx/enumerations.md",
            text: page(
                "MDX enumerations and flags",
                "Every number of MDX that has names for its values. Values without a name are legal in a file; a reader should keep them.",
            ) + &types.enumerations(),
        },
    ]
}

/// A link to the heading of a kind, from the pages of types.
fn home(kind: &Kind) -> String {
    let name = kind.name.trim_end();
    if is_chunk(name) {
        link("chunks.md", name)
    } else if TRACKS.iter().any(|row| row.name == name) {
        link("tracks.md", name)
    } else if is_record_part(kind) {
        let holders = OBJECTS.iter().filter(|object| {
            object.warcraft.iter().chain(object.wow).any(|part| part.trim_end_matches('?') == name)
        });
        let links: Vec<_> = holders.map(|object| link(home_page(object.name), object.name)).collect();
        if links.is_empty() { "its parent".to_owned() } else { links.join(", ") }
    } else if name.is_empty() {
        "unknown tracks".to_owned()
    } else {
        link("parts.md", name)
    }
}

/// The page that has the heading of a part.
fn home_page(name: &str) -> &'static str {
    if is_chunk(name) {
        "chunks.md"
    } else if TRACKS.iter().any(|row| row.name == name) {
        "tracks.md"
    } else if mdx::kinds::kinds().any(|kind| kind.name == name && is_record_part(kind)) {
        PAGES.records
    } else {
        "parts.md"
    }
}

/// The parts of an object, in order, with links.
fn contents(object: &Object) -> String {
    let list = |parts: &[&str]| {
        let links = parts.iter().map(|part| {
            let name = part.trim_end_matches('?');
            let optional = if name == *part { "" } else { " (optional)" };
            link(home_page(name), name) + optional
        });
        links.collect::<Vec<_>>().join(", ")
    };
    let has_tracks =
        TRACKS.iter().any(|row| row.owners.iter().any(|owner| format!("{owner:?}") == object.name));
    let tracks = match (has_tracks, object.warcraft.is_empty() && object.wow.is_empty()) {
        (false, _) => "",
        (true, true) => "tracks",
        (true, false) => ", then tracks",
    };
    let mut text = String::from("\n");
    if object.warcraft == object.wow {
        let _ = writeln!(text, "Both games, in this order: {}{tracks}.", list(object.warcraft));
        return text;
    }
    for (dialect, parts) in [(Dialect::Warcraft, object.warcraft), (Dialect::Wow, object.wow)] {
        if !parts.is_empty() {
            let _ = writeln!(text, "- {}, in this order: {}{tracks}", dialect.name(), list(parts));
        }
    }
    text
}

fn is_chunk(name: &str) -> bool {
    CHUNKS.iter().any(|row| row.name == name)
}

/// Whether a kind is a record without a header; its heading is that of the record.
fn is_record_part(kind: &Kind) -> bool {
    matches!(kind.slots, [slot] if matches!(slot.item, record::Item::Value(record::Type::Record(schema)) if schema.name == kind.name))
}

fn game(games: Games) -> &'static str {
    match games {
        Games::Both => "both",
        Games::Warcraft => "Warcraft III",
        Games::Wow => "WoW alpha",
    }
}

fn chunks() -> String {
    let mut text = page(
        "MDX chunks",
        "Every chunk of both dialects, in the order in which most tools write them. Any order is legal. [Framing](framing.md) explains the headers; \
         [parts](parts.md) lists the objects and arrays inside.",
    );
    text += "\n## All chunks\n";
    text += &table(
        ["tag", "Warcraft III", "WoW alpha"],
        CHUNKS
            .iter()
            .map(|row| [link("", row.name), content(row, Dialect::Warcraft), content(row, Dialect::Wow)]),
    );
    text += "\n## Version gates\n\nParts that exist only in some versions. `until` is the first version without the part. Where the sizes in a file \
             contradict this table, believe the sizes. [Versions](versions.md) explains the table.\n";
    text += &table(
        ["game", "part", "from", "until", "evidence"],
        GATES.iter().map(|row| {
            [
                row.dialect.name().to_owned(),
                format!("`{:?}`", row.gate),
                row.from.to_string(),
                until(row),
                plain(row.evidence),
            ]
        }),
    );
    text += "\n## Chunks one by one\n";
    for row in CHUNKS {
        let _ = write!(text, "\n### {}\n\nHolds {}.\n\n", row.name, plain(row.doc).trim_end_matches('.'));
        for dialect in [Dialect::Warcraft, Dialect::Wow] {
            let _ = writeln!(text, "- {}: {}", dialect.name(), content(row, dialect));
        }
        let (file, title) = subject(row.name);
        let _ = writeln!(text, "\nExplained in [{title}]({file}).");
    }
    text
}

fn until(row: &GateRow) -> String {
    if row.until == u32::MAX { "-".to_owned() } else { row.until.to_string() }
}

/// The content of a chunk in a dialect.
fn content(row: &ChunkRow, dialect: Dialect) -> String {
    match row.content(dialect) {
        Content::Unknown => "-".to_owned(),
        Content::Leaf(kind) => match body(kind).trim_end().strip_prefix("Body: ") {
            Some(body) => body.trim_end_matches('.').to_owned(),
            None if kind.slots.is_empty() => "unknown layout".to_owned(),
            None => "a count, then records".to_owned(),
        },
        Content::Objects(_, count, shape) => {
            let objects = match shape {
                mdx::Shape::CollisionMesh => "the arrays of a mesh".to_owned(),
                mdx::Shape::MdlVis => "data of MdlVis".to_owned(),
                shape => format!("{} objects", link("parts.md", &format!("{shape:?}"))),
            };
            match count {
                Some(count) => format!("{}, then {objects}", link(PAGES.records, count.name)),
                None => objects,
            }
        }
    }
}

fn subject(tag: &str) -> (&'static str, &'static str) {
    match tag {
        "GEOS" | "GEOA" => ("geosets.md", "Geosets"),
        "MTLS" | "TEXS" | "TXAN" => ("materials.md", "Materials and textures"),
        "BONE" | "LITE" | "HELP" | "ATCH" | "PIVT" | "CLID" | "HTST" | "BPOS" => ("nodes.md", "Nodes"),
        "PREM" | "PRE2" | "CORN" | "RIBB" => ("emitters.md", "Emitters"),
        "CAMS" | "EVTS" | "SNDS" | "SNEM" | "FAFX" => ("cameras-events.md", "Cameras, events and the rest"),
        "VERS" => ("versions.md", "Versions"),
        "SEQS" | "GLBS" | "MODL" => ("model.md", "Model and sequences"),
        _ => ("framing.md", "Framing"),
    }
}

fn parts() -> String {
    let mut text = page(
        "MDX parts",
        "The objects, arrays and lists inside the [chunks](chunks.md). Tracks have a [page of their own](tracks.md), records too \
         ([records](records.md)).",
    );
    text += "\nThe header before the body follows from the sort of part: an *object* has a size that counts itself, an *array* a tag and the number of \
             elements, a *list* only the number of elements. A *part* has no header: it is directly in its parent.\n";
    let mut kinds: Vec<&'static Kind> = mdx::kinds::kinds()
        .filter(|kind| !kind.name.is_empty() && !is_record_part(kind))
        .filter(|kind| !is_chunk(kind.name) && !TRACKS.iter().any(|row| row.name == kind.name))
        .collect();
    kinds.sort_by_key(|kind| kind.name);
    let mut last = "";
    for kind in kinds {
        let name = kind.name.trim_end();
        if name != last {
            let _ = write!(text, "\n## {name}\n");
            last = name;
        }
        let header = match kind.framing.header_len() {
            0 => "no header".to_owned(),
            bytes => format!("header of {bytes} bytes"),
        };
        let _ = write!(text, "\n{} Sort: {}, {header}.", sentence(kind.doc), kind.framing.word());
        let body = body(kind);
        if body.is_empty() {
            text.push('\n');
            text += &OBJECTS.iter().find(|object| object.name == name).map(contents).unwrap_or_default();
        } else {
            text.push(' ');
            text += &body;
        }
    }
    text
}

fn tracks() -> String {
    let mut text = page(
        "MDX tracks",
        "Every animated value of both dialects. [Tracks and interpolation](animation.md) explains the header and the formulas.",
    );
    text += "\n## All tracks\n\n`not seen` and `one source` tell how sure the row is. A colour's order is the order on disk.\n";
    text += &table(
        ["tag", "meaning", "value", "owner", "game", "MDL"],
        TRACKS.iter().map(|row| {
            [
                link("", row.name),
                plain(doc(row)),
                value(row),
                owners(row),
                game(row.games).to_owned(),
                format!("`{}`", row.keyword),
            ]
        }),
    );
    text += "\n## Static colours\n\nThe order of the three components of colours that are not animated.\n";
    text += &table(
        ["record", "field", "on disk", "in MDL"],
        COLORS.iter().map(|row| {
            [
                link(PAGES.records, row.record),
                format!("`{}`", row.field),
                order(row.disk).to_owned(),
                order(row.text).to_owned(),
            ]
        }),
    );
    text += "\n## Tracks one by one\n";
    for row in TRACKS {
        let _ = write!(text, "\n### {}\n\n{}\n\n", row.name, sentence(doc(row)));
        let _ = writeln!(
            text,
            "Owner: {}. Value: {}. Game: {}. In MDL: `{}`.\n",
            owners(row),
            value(row),
            game(row.games),
            row.keyword
        );
        for layout in row.layouts() {
            let kind = row.kind(*layout);
            let records: Vec<_> = kind
                .slots
                .iter()
                .map(|slot| match slot.item {
                    record::Item::Value(ty) => crate::types::type_link(ty, PAGES),
                    _ => slot.name.to_owned(),
                })
                .collect();
            let _ = writeln!(text, "- {}: {}", layout_name(*layout), records.join(", then an array of "));
        }
    }
    text
}

fn doc(row: &'static TrackRow) -> &'static str {
    row.kind(row.layouts()[0]).doc
}

fn layout_name(layout: Layout) -> &'static str {
    match layout {
        Layout::Plain => "interpolation NONE and LINEAR",
        Layout::Tangents => "interpolation HERMITE and BEZIER",
        Layout::Packed => "WoW alpha, NONE and LINEAR",
        Layout::PackedTangents => "WoW alpha, HERMITE and BEZIER",
        Layout::Simple => "without interpolation word",
    }
}

fn value(row: &TrackRow) -> String {
    let value = match row.value {
        ValueType::Float => "float",
        ValueType::Integer => "integer",
        ValueType::Vector => "three floats",
        ValueType::Quaternion => "quaternion",
        ValueType::Event => "time only",
    };
    match row.color {
        Some(color) => format!("colour, {}", order(color)),
        None => value.to_owned(),
    }
}

fn order(order: ColorOrder) -> &'static str {
    match order {
        ColorOrder::Rgb => "red, green, blue",
        ColorOrder::Bgr => "blue, green, red",
    }
}

fn owners(row: &TrackRow) -> String {
    let owners: Vec<_> = row.owners.iter().map(|owner| format!("{owner:?}")).collect();
    owners.join(", ")
}

/// The versions that have a record, if there is a gate for it.
fn versions_of(record: &str) -> Option<String> {
    let gate = match record {
        "TextureReference" | "LayerShader" => Gate::LayerSlots,
        "LightShadowRange" => Gate::LightShadowCasting,
        "WowGeosetSection" | "WowVertex" | "WowBatchHeader" => Gate::GeosetBatches,
        "CameraDepthOfField" => return Some("by the variant of the camera, not by version".to_owned()),
        name => GATES.iter().map(|row| row.gate).find(|gate| format!("{gate:?}") == name)?,
    };
    let rows = GATES.iter().filter(|row| row.gate == gate);
    let texts: Vec<_> = rows
        .map(|row| {
            let until = if row.until == u32::MAX { String::new() } else { format!(" until {}", row.until) };
            format!("{} from version {}{until}", row.dialect.name(), row.from)
        })
        .collect();
    Some(texts.join("; "))
}
