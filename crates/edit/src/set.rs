//! Sets any field by its path.

use record::{Item, Located, Node, PathStep, Type, Which, parse_items};

use crate::Error;
use crate::text::{encoded, overwrite_field, replace};

/// The note of the error that a version alone cannot be set.
pub const CONVERT_INSTEAD: &str = "convert the model to that version instead";

/// A path and its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Names of parts separated by slashes, then the field after a dot or a slash.
    pub path: String,
    /// The value as typed.
    pub value: String,
}

/// Reads `PATH=VALUE`. Quoted names in the path may hold anything.
impl std::str::FromStr for Assignment {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let at = outside_quotes(text, '=').ok_or_else(|| {
            Error::new(format!("expected PATH=VALUE, not {text:?}"))
                .with_note("such as MESH[0]/MESH_HEADER3.sort_level=5")
        })?;
        Ok(Self { path: text[..at].trim().to_owned(), value: text[at + 1..].trim().to_owned() })
    }
}

/// The first of these characters that is not in a quoted name.
fn outside_quotes(text: &str, wanted: char) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    text.find(|character| {
        let here = std::mem::take(&mut escaped);
        match character {
            '\\' if quoted && !here => escaped = true,
            '"' if !here => quoted = !quoted,
            _ => {}
        }
        character == wanted && !quoted
    })
}

/// Sets one field, array element, string or whole array. The path is that of [`Node::find`] and then that of
/// [`Node::locate`]: `MESH[0]/MESH_HEADER3.attributes`, `MESH "BOX.LID"/VERTICES.vertices[3]`.
///
/// The value is JSON as in the [text form](record::text); names, flags (`HIDDEN|TWO_SIDED`), enumerations and versions need no
/// quotes. A text is written over the old one as [everywhere](crate#strings). Counts that a header states are not changed with
/// an array: they are fields to be set like any other.
///
/// A path that matches several parts is an error that lists them. `[*]` matches every part of a name, or every element of an
/// array: `MESH[*]/MESH_HEADER3.sort_level`. Parts without the field are skipped if at least one part has it.
pub fn set(root: &mut Node<'_>, assignment: &Assignment) -> Result<usize, Error> {
    let Assignment { path, value } = assignment;
    let mut targets = Targets { path, found: Vec::new(), missing: None };
    targets.search(root, path.trim_start_matches('/'), &mut Vec::new())?;
    if targets.found.is_empty() {
        return Err(targets.missing.unwrap_or_else(|| no_part(path, root)));
    }
    targets.found.iter().try_fold(0, |changed, target| Ok(changed + set_one(root, target, value)?))
}

/// A leaf and the name of a value in it.
struct Target {
    /// The indices of the children from the root to the leaf.
    trail: Vec<usize>,
    field: String,
}

/// Follows a path.
struct Targets<'p> {
    path: &'p str,
    found: Vec<Target>,
    /// The reason for skipping the first skipped part.
    missing: Option<Error>,
}

impl Targets<'_> {
    /// Follows the rest of the path down from a node.
    fn search(&mut self, node: &Node<'_>, rest: &str, trail: &mut Vec<usize>) -> Result<(), Error> {
        let (step, after) = PathStep::first(rest, &['.']);
        let fitting = if rest.is_empty() { Vec::new() } else { step.matches(node) };
        if fitting.is_empty() {
            if let Err(error) = self.value(node, rest, trail) {
                self.missing.get_or_insert(error);
            }
            return Ok(());
        }
        if step.which != Which::Every
            && let [_, _, ..] = fitting[..]
        {
            return Err(self.ambiguous(node, &fitting));
        }
        for index in fitting {
            trail.push(index);
            self.search(&node.children()[index], after.trim_start_matches(['/', '.']), trail)?;
            trail.pop();
        }
        Ok(())
    }

    /// Resolves the rest of the path as a value in a leaf.
    fn value(&mut self, node: &Node<'_>, rest: &str, trail: &[usize]) -> Result<(), Error> {
        if trail.is_empty() {
            return Err(no_part(self.path, node));
        }
        if !node.children().is_empty() {
            return Err(if rest.is_empty() {
                Error::new(format!("{} contains parts, not values", self.path)).with_note(known(node))
            } else {
                no_part(rest, node)
            });
        }
        if rest.is_empty() {
            return Err(Error::new(format!("{} is a part, not a field", self.path)).with_note(known(node)));
        }
        let mut fields = Vec::new();
        elements(node, &rest.replace('/', "."), &mut fields);
        if fields.is_empty() {
            return Err(Error::new(format!("{} has no {rest}", node.name())).with_note(known(node)));
        }
        self.found.extend(fields.into_iter().map(|field| Target { trail: trail.to_vec(), field }));
        Ok(())
    }

    /// The error that lists the matching parts.
    fn ambiguous(&self, node: &Node<'_>, fitting: &[usize]) -> Error {
        /// Maximum number of listed parts.
        const LISTED: usize = 12;
        let name = node.children()[fitting[0]].name();
        let named: Vec<usize> =
            (0..node.children().len()).filter(|index| node.children()[*index].name() == name).collect();
        let part = |index: &usize| {
            let ordinal = named.iter().position(|named| named == index).unwrap_or_default();
            let label =
                node.children()[*index].label().map(|label| format!(" {label:?}")).unwrap_or_default();
            format!("{name}[{ordinal}]{label}")
        };
        let listed: Vec<String> = fitting.iter().take(LISTED).map(part).collect();
        let more = match fitting.len() - listed.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Error::new(format!("{} matches {} parts", self.path, fitting.len()))
            .with_note(format!("name one of {}{more}, or all with {name}[*]", listed.join(", ")))
    }
}

fn no_part(path: &str, node: &Node<'_>) -> Error {
    Error::new(format!("there is no part {path}")).with_note(known(node))
}

/// The names of all values that a name with `[*]` matches.
fn elements(node: &Node<'_>, field: &str, fields: &mut Vec<String>) {
    let Some((before, after)) = field.split_once("[*]") else {
        if node.locate(field).is_some() {
            fields.push(field.to_owned());
        }
        return;
    };
    let mut index = 0;
    while node.locate(&format!("{before}[{index}]")).is_some() {
        elements(node, &format!("{before}[{index}]{after}"), fields);
        index += 1;
    }
}

fn set_one(root: &mut Node<'_>, target: &Target, value: &str) -> Result<usize, Error> {
    let Target { trail, field } = target;
    let gone = || Error::new(format!("there is no {field}"));
    let node =
        trail.iter().try_fold(root, |node, index| node.children_mut()?.get_mut(*index)).ok_or_else(gone)?;
    let located = node.locate(field).ok_or_else(gone)?;
    let place = format!("{field} of {}", node.name());
    match located.item {
        Item::Text | Item::Plain | Item::Value(Type::Chars(_)) if !value.starts_with(['{', '"']) => {
            set_text(node, field, located, value, &place)
        }
        Item::Text | Item::Plain | Item::Value(Type::Chars(_)) if value.starts_with('"') => {
            let text: String =
                serde_json::from_str(value).map_err(|error| Error::new(format!("{value}: {error}")))?;
            set_text(node, field, located, &text, &place)
        }
        item => {
            let json = json(item, located.many, value);
            let bytes = parse_items(item, located.many, &json).map_err(|error| {
                let found = error.diagnostic();
                let index = if found.path.is_empty() { String::new() } else { format!(" at {}", found.path) };
                Error::new(format!("{value} is not valid for {place}{index}: {}", found.message))
                    .with_note(names(item))
            })?;
            if node.name() == "VERS" && node.bytes().get(located.range.clone()) != Some(&bytes[..]) {
                let message = "the version says how all other parts are read; with another number alone the file cannot be read";
                return Err(Error::new(message).with_note(CONVERT_INSTEAD));
            }
            // Compare only these bytes: a path may match every element of a long array.
            let Some(body) =
                node.bytes_mut().filter(|body| body.get(located.range.clone()) != Some(&bytes[..]))
            else {
                return Ok(0);
            };
            body.splice(located.range, bytes);
            Ok(1)
        }
    }
}

/// Writes a text over the old one. Returns the number of changed texts.
fn set_text(
    node: &mut Node<'_>,
    field: &str,
    located: Located,
    text: &str,
    place: &str,
) -> Result<usize, Error> {
    let text = encoded(text)?;
    if let Item::Plain = located.item {
        let bytes = node.bytes_mut().filter(|bytes| bytes.get(located.range.clone()) != Some(&text[..]));
        return Ok(bytes.map_or(0, |bytes| {
            bytes.splice(located.range, text);
            1
        }));
    }
    if let Item::Text = located.item {
        let before = node.bytes().to_vec();
        replace(node, field, located.range, &text)
            .ok_or_else(|| Error::new(format!("{place} is too long for its length field")))?;
        return Ok(usize::from(node.bytes() != before));
    }
    let bytes = node.bytes_mut().and_then(|bytes| bytes.get_mut(located.range)).unwrap_or_default();
    let before = bytes.to_vec();
    overwrite_field(bytes, &text, place)?;
    Ok(usize::from(*bytes != before))
}

/// The parts or fields of a node.
fn known(node: &Node<'_>) -> String {
    let mut names: Vec<String> = match node.children() {
        [] => node.slots().flat_map(|part| names_of(part.slot.name, part.slot.item)).collect(),
        children => children.iter().map(|child| child.name().into_owned()).collect(),
    };
    names.dedup();
    format!("available: {}", names.join(", "))
}

fn names_of(slot: &str, item: Item) -> Vec<String> {
    match item {
        Item::Value(Type::Record(schema)) => {
            schema.fields.iter().map(|field| format!("{slot}.{}", field.name)).collect()
        }
        _ => vec![slot.to_owned()],
    }
}

/// The possible names of a value.
fn names(item: Item) -> String {
    match item {
        Item::Value(Type::Enum(names) | Type::Flags(names)) => {
            let names: Vec<_> = names.table.iter().map(|name| name.name).collect();
            format!("available: {}", names.join(", "))
        }
        Item::Value(ty) => format!("it is a {ty}"),
        Item::Text | Item::Plain => "it is a text".to_owned(),
        Item::Pieces(_) => "it is a list of texts".to_owned(),
        Item::Raw => "it is bytes, in hexadecimal".to_owned(),
    }
}

/// The given value as JSON.
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
