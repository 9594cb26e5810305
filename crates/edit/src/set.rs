//! Any field by its path.

use record::{Item, Node, Type, parse_items};

use crate::Error;
use crate::text::{encoded, overwrite_field, replace};

/// A path and the value to put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Where: parts parted by slashes, then the field after a dot or a slash.
    pub path: String,
    /// What, as people type it.
    pub value: String,
}

/// Reads `PATH=VALUE`. Quoted names in the path may hold anything.
impl std::str::FromStr for Assignment {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let at = outside_quotes(text, '=').ok_or_else(|| {
            Error::new(format!("{text:?} is no PATH=VALUE"))
                .with_note("such as MESH[0]/MESH_HEADER3.sort_level=5")
        })?;
        Ok(Self { path: text[..at].trim().to_owned(), value: text[at + 1..].trim().to_owned() })
    }
}

/// The first such character that is not in a quoted name.
fn outside_quotes(text: &str, wanted: char) -> Option<usize> {
    let mut quoted = false;
    text.find(|character| {
        quoted ^= character == '"';
        character == wanted && !quoted
    })
}

/// Sets one field, array element, string or whole array. The path is that of [`Node::find`] and then that of
/// [`Node::locate`]: `MESH[0]/MESH_HEADER3.attributes`, `MESH[1]/VERTICES.vertices[3]`.
///
/// The value is JSON as in the [text form](record::text); names, flags (`HIDDEN|TWO_SIDED`), enumerations and versions need no
/// quotes. A text is written over the old one as [everywhere](crate#strings). Counts that a header states are not changed with
/// an array: they are fields to be set like any other.
///
/// `[*]` stands for every part of a name, or every element of an array: `MESH[*]/MESH_HEADER3.sort_level`. Parts that have no
/// such field are passed over, as long as one has it.
pub fn set(root: &mut Node<'_>, assignment: &Assignment) -> Result<usize, Error> {
    let Assignment { path, value } = assignment;
    if every(path).is_none() {
        return set_one(root, path, value);
    }
    let mut paths = Vec::new();
    expand(root, path, &mut paths);
    if paths.is_empty() {
        let one = path.replace("[*]", "[0]");
        // The first of each tells best what is not there.
        return set_one(root, &one, value).and(Err(Error::new(format!("nothing is at {path}"))));
    }
    paths.iter().try_fold(0, |changed, path| Ok(changed + set_one(root, path, value)?))
}

/// Where a path says "every".
fn every(path: &str) -> Option<usize> {
    let mut quoted = false;
    path.char_indices().map(|(at, _)| at).find(|at| {
        quoted ^= path[*at..].starts_with('"');
        !quoted && path[*at..].starts_with("[*]")
    })
}

/// The paths that one with "every" in it stands for.
fn expand(root: &Node<'_>, path: &str, paths: &mut Vec<String>) {
    let Some(at) = every(path) else {
        if leads_to_field(root, path) {
            paths.push(path.to_owned());
        }
        return;
    };
    let (before, after) = (&path[..at], &path[at + 3..]);
    for index in 0.. {
        let one = format!("{before}[{index}]");
        if root.find(&one).is_none() && !leads_to_field(root, &one) {
            return;
        }
        expand(root, &format!("{one}{after}"), paths);
    }
}

fn leads_to_field(root: &Node<'_>, path: &str) -> bool {
    divide(root, path)
        .is_ok_and(|(parts, field)| root.find(&parts).is_some_and(|node| node.locate(&field).is_some()))
}

fn set_one(root: &mut Node<'_>, path: &str, value: &str) -> Result<usize, Error> {
    let (parts, field) = divide(root, path)?;
    let node = root.find_mut(&parts).ok_or_else(|| Error::new(format!("there is no part {parts}")))?;
    if field.is_empty() {
        return Err(Error::new(format!("{path} is a whole part; which of its fields is meant?"))
            .with_note(known(node)));
    }
    let located = node
        .locate(&field)
        .ok_or_else(|| Error::new(format!("{} has no {field}", node.name())).with_note(known(node)))?;
    let before = node.bytes().to_vec();
    let place = format!("{field} of {}", node.name());
    match located.item {
        Item::Text if !value.starts_with(['{', '"']) => {
            replace(node, &field, located.range, &encoded(value)?)
                .ok_or_else(|| Error::new(format!("the length of {place} cannot be stated")))?;
        }
        Item::Value(Type::Chars(_)) if !value.starts_with(['{', '"']) => {
            let bytes = node.bytes_mut().and_then(|bytes| bytes.get_mut(located.range)).unwrap_or_default();
            overwrite_field(bytes, &encoded(value)?, &place)?;
        }
        Item::Text | Item::Value(Type::Chars(_)) if value.starts_with('"') => {
            let text: String =
                serde_json::from_str(value).map_err(|error| Error::new(format!("{value}: {error}")))?;
            return set_one(root, path, &text);
        }
        item => {
            let json = json(item, located.many, value);
            let bytes = parse_items(item, located.many, &json).map_err(|error| {
                let found = error.diagnostic();
                let at = if found.path.is_empty() { String::new() } else { format!(" at {}", found.path) };
                Error::new(format!("{value} cannot be {place}{at}: {}", found.message)).with_note(names(item))
            })?;
            if let Some(body) = node.bytes_mut() {
                body.splice(located.range, bytes);
            }
        }
    }
    Ok(usize::from(node.bytes() != before))
}

/// The parts of a path that lead to a node, and the rest, which names a field.
fn divide(root: &Node<'_>, path: &str) -> Result<(String, String), Error> {
    let mut parts = String::new();
    let mut node = root;
    let mut rest = path.trim_start_matches('/');
    while !rest.is_empty() {
        let slash = outside_quotes(rest, '/').unwrap_or(rest.len());
        let dot = outside_quotes(rest, '.').unwrap_or(rest.len());
        let end = slash.min(dot);
        let step = &rest[..end];
        let Some(child) = node.find(step).filter(|_| !step.is_empty()) else { break };
        node = child;
        parts = if parts.is_empty() { step.to_owned() } else { format!("{parts}/{step}") };
        rest = rest[end..].trim_start_matches(['/', '.']);
    }
    if parts.is_empty() {
        return Err(Error::new(format!("there is no part {path}")).with_note(known(root)));
    }
    if node.children().is_empty() {
        return Ok((parts, rest.replace('/', ".")));
    }
    let message = if rest.is_empty() {
        format!("{parts} is made of other parts")
    } else {
        format!("there is no part {rest} below {parts}")
    };
    Err(Error::new(message).with_note(known(node)))
}

/// What there is in a node.
fn known(node: &Node<'_>) -> String {
    let mut names: Vec<String> = match node.children() {
        [] => node.slots().flat_map(|part| names_of(part.slot.name, part.slot.item)).collect(),
        children => children.iter().map(|child| child.name().into_owned()).collect(),
    };
    names.dedup();
    format!("there is: {}", names.join(", "))
}

fn names_of(slot: &str, item: Item) -> Vec<String> {
    match item {
        Item::Value(Type::Record(schema)) => {
            schema.fields.iter().map(|field| format!("{slot}.{}", field.name)).collect()
        }
        _ => vec![slot.to_owned()],
    }
}

/// The names that a value may have.
fn names(item: Item) -> String {
    match item {
        Item::Value(Type::Enum(names) | Type::Flags(names)) => {
            let names: Vec<_> = names.table.iter().map(|name| name.name).collect();
            format!("there is: {}", names.join(", "))
        }
        Item::Value(ty) => format!("it is a {ty}"),
        Item::Text => "it is a text".to_owned(),
        Item::Raw => "it is bytes, in hexadecimal".to_owned(),
    }
}

/// What people type, as JSON.
fn json(item: Item, many: bool, value: &str) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let given = value.starts_with(['{', '[', '"']);
    match item {
        Item::Value(Type::Flags(_)) if !many && !given => {
            let names = value.split('|').map(str::trim).filter(|name| !name.is_empty() && *name != "0");
            format!("[{}]", names.map(quoted).collect::<Vec<_>>().join(","))
        }
        Item::Value(Type::Enum(_)) if !many && !given && value.parse::<i64>().is_err() => quoted(value),
        Item::Value(Type::Spelled(_) | Type::Bytes(_)) if !many && !given => quoted(value),
        Item::Value(Type::F32)
            if !many && !given && value.parse::<f32>().is_ok_and(|number| !number.is_finite()) =>
        {
            quoted(value)
        }
        Item::Raw if !given => quoted(value),
        _ => value.to_owned(),
    }
}
