//! What changed between two models, in the words of people who make them: one line for each object.

use std::collections::{BTreeMap, HashSet};

use record::diff::{ArrayChange, Change, What};

/// The changes of one object, or of several objects that changed alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectChange {
    /// Its kind: `mesh`, `skeleton`, `animation`, `geoset`.
    pub kind: String,
    /// The names of the objects. Empty if the kind says it all.
    pub names: Vec<String>,
    /// What changed, such as `12 of 160 vertices moved, up to 0.3`.
    pub changes: Vec<String>,
}

/// Number of names in the text of a group.
const NAMED: usize = 3;
/// Number of changes in the text of an object.
const SHOWN: usize = 6;

impl std::fmt::Display for ObjectChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.within(usize::MAX))
    }
}

impl ObjectChange {
    /// The text with as many changes as fit into this many characters, at least one and at most six, and the number of the others.
    pub fn within(&self, characters: usize) -> String {
        let mut text = match self.names.as_slice() {
            [] => format!("{}: ", self.kind),
            [name] => format!("{} {name}: ", self.kind),
            names => {
                let shown = names[..names.len().min(NAMED)].join(", ");
                let more = match names.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!("{} {} ({shown}{more}): ", names.len(), plural(&self.kind))
            }
        };
        let mut length = text.chars().count();
        for (index, change) in self.changes.iter().enumerate() {
            length = length.saturating_add(change.chars().count() + 2);
            // `; and 10 more` has its place behind the last change.
            let reserve = if index + 1 < self.changes.len() { 14 } else { 0 };
            if index >= SHOWN || index > 0 && length.saturating_add(reserve) > characters {
                text.push_str(&format!("; and {} more", self.changes.len() - index));
                break;
            }
            if index > 0 {
                text.push_str("; ");
            }
            text.push_str(change);
        }
        text
    }
}

/// The changes by object, in the order of the file. Objects that changed alike are one entry.
///
/// ```
/// use meshwright_model::{Document, object_changes};
/// let bytes = w3d::sample::crate_box();
/// let before = Document::parse(&bytes)?;
/// let mut after = Document::parse(&bytes)?;
/// let vertices = after.root_mut().find_mut("MESH[0]/VERTICES").unwrap();
/// vertices.values_mut::<record::Vec3>()[0].x.set(0.75);
/// let changes = object_changes(&before.diff(&after, 0.0).unwrap());
/// assert_eq!(changes[0].to_string(), "mesh BODY: 1 of 24 vertices moved, up to 0.25");
/// # Ok::<(), record::Error>(())
/// ```
pub fn object_changes(changes: &[Change]) -> Vec<ObjectChange> {
    let mut objects: Vec<Object> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut said: HashSet<(usize, String)> = HashSet::new();
    for change in changes.iter().filter(|change| !is_trivial(change)) {
        let steps = steps(&change.path);
        let (key, kind, name, depth) = object(&steps);
        let index = *known.entry(key).or_insert_with(|| {
            objects.push(Object { kind, name, changes: Vec::new() });
            objects.len() - 1
        });
        let text = words(&steps, depth, &change.what);
        if said.insert((index, text.clone())) {
            objects[index].changes.push(text);
        }
    }
    // What follows from the shape is said last.
    objects.iter_mut().for_each(|object| object.changes.sort_by_key(|change| change == BOUNDS));
    let mut groups: Vec<ObjectChange> = Vec::new();
    let mut alike: BTreeMap<(String, Vec<String>), usize> = BTreeMap::new();
    for object in objects {
        let key = (object.kind.clone(), object.changes.clone());
        match alike.get(&key).filter(|_| object.name.is_some()) {
            Some(group) => groups[*group].names.extend(object.name),
            None => {
                alike.insert(key, groups.len());
                let (kind, changes) = (object.kind, object.changes);
                groups.push(ObjectChange { kind, names: object.name.into_iter().collect(), changes });
            }
        }
    }
    groups
}

/// Whether nobody sees a change: padding, and values that loaders skip.
pub fn is_trivial(change: &Change) -> bool {
    // Lengths of texts follow the texts.
    let is_filler = |name: &str| {
        // Spaces and quotes of W3X.
        matches!(name, "before" | "after")
            || name.starts_with("pad")
            || name == "surplus"
            || name == "unused"
            || name.ends_with("_length")
    };
    match &change.what {
        // Readers skip what follows the NUL at the end of a text.
        What::Field { name, before, after } => is_filler(name) || text_of(before) == text_of(after),
        What::Bytes { name, .. } => is_filler(name),
        What::Array(array) => {
            let only_padding = |text: &str| text.starts_with("{\"pad") && !text.contains(", \"");
            let first = array.first.as_ref();
            is_filler(&array.name)
                || array.before == array.after && first.is_some_and(|(_, before, _)| only_padding(before))
        }
        _ => false,
    }
}

/// The words for changed bounds.
const BOUNDS: &str = "bounds changed";

/// The longest value of a list or a record that is written out.
const LONGEST: usize = 60;

/// A text of the text form without what follows its NUL.
fn text_of(value: &str) -> &str {
    let text = value.strip_prefix("{\"text\": ").and_then(|rest| rest.split_once(", \"tail\": "));
    text.map_or(value, |(text, _)| text)
}

struct Object {
    kind: String,
    name: Option<String>,
    changes: Vec<String>,
}

/// A step of a path: kind, number and label.
struct Step<'p> {
    kind: &'p str,
    number: &'p str,
    label: Option<String>,
}

/// The steps of a path such as `MESH[0] "A.B"/VERTICES[0]`.
fn steps(path: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (mut is_quoted, mut is_escaped) = (false, false);
        let end = rest.find(|c: char| {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' if is_quoted => is_escaped = true,
                '"' => is_quoted = !is_quoted,
                '/' if !is_quoted => return true,
                _ => {}
            }
            false
        });
        let (step, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after.strip_prefix('/').unwrap_or(after);
        let (place, label) = step.split_once(' ').map_or((step, None), |(place, label)| (place, Some(label)));
        let (kind, number) = place.split_once('[').unwrap_or((place, ""));
        let label = label.map(|label| label.trim_matches('"').replace("\\\\", "\\").replace("\\\"", "\""));
        steps.push(Step { kind, number: number.trim_end_matches(']'), label });
    }
    steps
}

/// The object that a path leads into: its key, its kind in words, its name, and the number of steps to it.
fn object(steps: &[Step<'_>]) -> (String, String, Option<String>, usize) {
    let Some(first) = steps.first() else { return (String::new(), "file".to_owned(), None, 0) };
    // The chunks of MDX are lists of objects.
    let (step, depth) = match steps.get(1) {
        Some(second) if second.kind.starts_with(|c: char| c.is_ascii_uppercase()) && is_list(first.kind) => {
            (second, 2)
        }
        _ => (first, 1),
    };
    let key = steps[..depth].iter().map(|step| format!("{}[{}]/", step.kind, step.number)).collect();
    let kind = match step.kind {
        "MESH" | "SHDMESH" | "W3DMesh" => "mesh",
        "HIERARCHY" | "W3DHierarchy" => "skeleton",
        "ANIMATION" | "COMPRESSED_ANIMATION" | "MORPH_ANIMATION" | "W3DAnimation" => "animation",
        "HLOD" | "HMODEL" | "LODMODEL" | "MODL" | "W3DContainer" => "model",
        "W3DCollisionBox" => "collision box",
        "SEQS" => "sequences",
        "TEXS" => "textures",
        "PIVT" => "pivots",
        "GLBS" => "global sequences",
        "BPOS" => "bind poses",
        kind => return (key, spaced(kind), name(step, depth), depth),
    };
    (key, kind.to_owned(), name(step, depth), depth)
}

/// Chunks of MDX and elements of W3X whose children are objects.
fn is_list(kind: &str) -> bool {
    const LISTS: [&str; 18] = [
        "GEOS",
        "MTLS",
        "TXAN",
        "GEOA",
        "BONE",
        "LITE",
        "HELP",
        "ATCH",
        "PREM",
        "PRE2",
        "RIBB",
        "EVTS",
        "CAMS",
        "CLID",
        "CORN",
        "FAFX",
        "SNDS",
        "AssetDeclaration",
    ];
    LISTS.contains(&kind)
}

/// The short name of an object, or its number if it is one of several without names.
fn name(step: &Step<'_>, depth: usize) -> Option<String> {
    let short = |label: &String| label.rsplit('.').next().unwrap_or(label).to_owned();
    match &step.label {
        // Names of textures and clips have dots of their own.
        Some(label)
            if matches!(
                step.kind,
                "MESH"
                    | "SHDMESH"
                    | "BOX"
                    | "ANIMATION"
                    | "COMPRESSED_ANIMATION"
                    | "W3DMesh"
                    | "W3DCollisionBox"
            ) =>
        {
            Some(short(label))
        }
        Some(label) => Some(label.clone()),
        None if depth == 2 => Some(step.number.to_owned()),
        None => None,
    }
}

/// The name of a kind in words: `COMPRESSED_ANIMATION` and `ParticleEmitter2` become `compressed animation`, `particle emitter 2`.
fn spaced(kind: &str) -> String {
    let mut text = String::new();
    let is_shouted = !kind.chars().any(|c| c.is_ascii_lowercase());
    for (index, c) in kind.chars().enumerate() {
        if !is_shouted && index > 0 && (c.is_ascii_uppercase() || c.is_ascii_digit()) {
            text.push(' ');
        }
        text.push(if c == '_' { ' ' } else { c.to_ascii_lowercase() });
    }
    text
}

fn plural(kind: &str) -> String {
    match kind {
        _ if kind.ends_with("sh") || kind.ends_with('x') => format!("{kind}es"),
        _ if kind.ends_with(|c: char| c.is_ascii_digit()) => format!("{kind} objects"),
        _ => format!("{kind}s"),
    }
}

/// A change of a part of an object.
fn words(steps: &[Step<'_>], depth: usize, what: &What) -> String {
    let below = steps.get(depth..).unwrap_or_default();
    let part = steps.last().map(|step| step.kind);
    match what {
        What::Added(_) | What::Removed(_) => {
            let verb = if matches!(what, What::Added(_)) { "added" } else { "removed" };
            match below.last() {
                None => verb.to_owned(),
                Some(Step { label: Some(label), kind, .. }) => format!("{} {label} {verb}", spaced(kind)),
                Some(step) => format!("{} {verb}", spaced(step.kind)),
            }
        }
        What::Reordered => match below.last() {
            None => "parts reordered".to_owned(),
            Some(part) => format!("parts of {} reordered", spaced(part.kind)),
        },
        What::Field { name, before, after } => {
            let name = match part {
                Some("TEXTURE_NAME" | "MAP3_FILENAME") => "texture",
                _ if name == "size_delta" => "size field",
                // Attributes and texts of W3X.
                Some(part) if name == "value" => {
                    return format!("{} {} to {}", spaced(part), plain(before), plain(after));
                }
                _ => name,
            };
            if matches!(name, "min" | "max" | "sph_center" | "sph_radius" | "extent" | "center") {
                return BOUNDS.to_owned();
            }
            let (before, after) = (text_of(before), text_of(after));
            // Long lists and records are in the differences one by one.
            if [before, after].iter().any(|value| value.starts_with(['[', '{']) && value.len() > LONGEST) {
                return format!("{} changed", name.replace('_', " "));
            }
            format!("{} {} to {}", name.replace('_', " "), plain(before), plain(after))
        }
        What::Array(array) => array_words(part.unwrap_or_default(), array),
        What::Bytes { name, .. } if name == "bytes" => format!("{} changed", spaced(part.unwrap_or("DATA"))),
        What::Bytes { name, .. } => format!("{} changed", name.replace('_', " ")),
    }
}

fn array_words(part: &str, array: &ArrayChange) -> String {
    let ArrayChange { name, before, after, changed, first, largest, reordered, removed, added } = array;
    let noun = match part {
        "SECONDARY_VERTICES" | "SECONDARY_VERTEX_NORMALS" => format!("second {name}"),
        "VRTX" | "V" => "vertices".to_owned(),
        "N" => "normals".to_owned(),
        "Frame" => "frames".to_owned(),
        _ if name == "items" => format!("items {part}"),
        _ => name.replace('_', " "),
    };
    let mut parts = Vec::new();
    if before != after {
        parts.push(format!("{before} to {after} {noun}"));
    }
    for (word, names) in [("removed", removed), ("added", added)] {
        if !names.is_empty() {
            let more = if names.len() > NAMED {
                format!(" and {} more", names.len() - NAMED)
            } else {
                String::new()
            };
            parts.push(format!("{}{more} {word}", names[..names.len().min(NAMED)].join(", ")));
        }
    }
    let common =
        if removed.is_empty() && added.is_empty() { *before.min(after) } else { before - removed.len() };
    let is_moved = matches!(part, "VERTICES" | "VRTX" | "PIVT" | "V");
    match (*changed, first) {
        (0, _) if *reordered && before == after => parts.push(format!("{noun} reordered")),
        (0, _) => {}
        (1, Some((_, before, after))) if part == "TEXS" => {
            parts.push(format!("texture {} to {}", plain(before), plain(after)));
        }
        (changed, _) => {
            let verb = if is_moved { "moved" } else { "changed" };
            let by = largest
                .filter(|_| is_moved)
                .map(|by| format!(", up to {}", short_number(by)))
                .unwrap_or_default();
            let order = if *reordered { ", and their order" } else { "" };
            parts.push(format!("{changed} of {common} {noun} {verb}{by}{order}"));
        }
    }
    parts.join(", ")
}

/// A value of the text form without quotes; of a record with one field, that field.
fn plain(text: &str) -> String {
    let single = text
        .strip_prefix("{\"")
        .and_then(|rest| rest.strip_suffix('}'))
        .and_then(|rest| rest.split_once("\": "));
    let text = single.filter(|(_, value)| !value.contains("\": ")).map_or(text, |(_, value)| value);
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    quoted.map_or_else(
        || text.to_owned(),
        |text| if text.is_empty() { "\"\"".to_owned() } else { text.replace("\\\\", "\\") },
    )
}

/// A number with three significant digits, in its shortest form.
pub fn short_number(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    if number.abs() >= 1e15 {
        return format!("{number:.2e}");
    }
    let digits = (2.0 - number.abs().log10().floor()).clamp(0.0, 17.0);
    let scale = 10f64.powf(digits);
    ((number * scale).round() / scale).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &str, what: What) -> Change {
        Change { path: path.to_owned(), what }
    }

    fn field(name: &str, before: &str, after: &str) -> What {
        What::Field { name: name.to_owned(), before: before.to_owned(), after: after.to_owned() }
    }

    fn lines(changes: &[Change]) -> Vec<String> {
        object_changes(changes).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_object_has_one_line() {
        let path = "MESH[2] \"TANK.BAR/REL\"";
        let texture = format!("{path}/TEXTURES[0]/TEXTURE[0] \"a.tga\"/TEXTURE_NAME[0]");
        let changes = [
            change(&texture, field("name", "\"a.tga\"", "\"b.tga\"")),
            change(&format!("{path}/MESH_HEADER3[0]"), field("sort_level", "0", "7")),
            change("MESH[3] \"TANK.NEW\"", What::Added(4)),
        ];
        assert_eq!(
            lines(&changes),
            ["mesh BAR/REL: texture a.tga to b.tga; sort level 0 to 7", "mesh NEW: added"]
        );
    }

    #[test]
    fn objects_that_changed_alike_are_one_line() {
        let path = |index: usize| format!("GEOS[0]/Geoset[{index}]/GeosetHeader[0]");
        let changes: Vec<Change> =
            (0..5).map(|index| change(&path(index), field("material_id", "0", "1"))).collect();
        assert_eq!(lines(&changes), ["5 geosets (0, 1, 2 and 2 more): material id 0 to 1"]);
    }

    #[test]
    fn padding_is_no_change_that_anybody_sees() {
        assert!(object_changes(&[change("MESH[0]/X[0]", field("pad", "\"00\"", "\"01\""))]).is_empty());
        assert!(!object_changes(&[change("MESH[0]/X[0]", field("path", "\"00\"", "\"01\""))]).is_empty());
    }

    #[test]
    fn numbers_are_short() {
        let numbers = [0.300_000_011_920_929, 1234.5, 0.000_012_34, 0.0, 3.0, 6.8e38].map(short_number);
        assert_eq!(numbers, ["0.3", "1235", "0.0000123", "0", "3", "6.80e38"]);
    }

    #[test]
    fn what_follows_a_text_is_not_shown() {
        let with_tail = |text: &str, tail: &str| format!("{{\"text\": \"{text}\", \"tail\": \"{tail}\"}}");
        let renamed = field("name", &with_tail("TANK.GUN", "0012"), &with_tail("CAR.GUN", "0034"));
        let path = "HLOD[0] \"TANK\"/HLOD_LOD_ARRAY[0]/HLOD_SUB_OBJECT[0]";
        assert_eq!(object_changes(&[change(path, renamed)])[0].changes, ["name TANK.GUN to CAR.GUN"]);
        let other_tail = field("name", &with_tail("TANK.GUN", "0012"), "\"TANK.GUN\"");
        assert!(is_trivial(&change(path, other_tail)));
    }

    #[test]
    fn bounds_are_one_change_behind_the_others() {
        let header = "MESH[0] \"A.B\"/MESH_HEADER3[0]";
        let changes = [
            change(header, field("min", "[0.0, 0.0, 0.0]", "[0.0, 0.0, 1.0]")),
            change(header, field("sph_radius", "1.0", "2.0")),
            change(header, field("sort_level", "0", "1")),
        ];
        assert_eq!(object_changes(&changes)[0].to_string(), "mesh B: sort level 0 to 1; bounds changed");
    }

    #[test]
    fn a_line_has_as_many_changes_as_fit() {
        let object = ObjectChange {
            kind: "mesh".to_owned(),
            names: vec!["B".to_owned()],
            changes: (0..9).map(|number| format!("change number {number}")).collect(),
        };
        assert_eq!(object.within(1), "mesh B: change number 0; and 8 more");
        assert_eq!(object.within(60), "mesh B: change number 0; change number 1; and 7 more");
        assert!(object.to_string().ends_with("change number 5; and 3 more"));
    }
}
