//! The records, enumerations and other types that the tables of a format use.

use std::collections::BTreeMap;
use std::fmt::Write;

use record::{Count, Item, Kind, Names, Schema, Type};

use crate::page::{link, plain, sentence, table};

/// A type that is neither a plain number nor a record nor an enumeration.
struct Other {
    doc: &'static str,
    size: usize,
}

/// Every type that a format uses, by name.
#[derive(Default)]
pub(crate) struct Types {
    records: BTreeMap<&'static str, &'static Schema>,
    names: BTreeMap<&'static str, (&'static Names, bool)>,
    others: BTreeMap<&'static str, Other>,
    /// Record or enumeration to the headings of what uses it.
    users: BTreeMap<&'static str, Vec<String>>,
}

/// The pages with the headings of each sort of type, relative to the page that is written.
#[derive(Clone, Copy)]
pub(crate) struct Pages {
    pub(crate) records: &'static str,
    pub(crate) enumerations: &'static str,
}

/// The names of the generated pages of both families.
pub(crate) const PAGES: Pages = Pages { records: "records.md", enumerations: "enumerations.md" };

impl Types {
    /// Adds the types in a kind's slots. `user` is a link to the kind's heading.
    pub(crate) fn add_kind(&mut self, kind: &Kind, user: &str) {
        for slot in kind.slots {
            if let Item::Value(ty) = slot.item {
                self.add(ty, user);
            }
        }
    }

    /// Adds a record that a view uses and no slot has.
    pub(crate) fn add_record(&mut self, schema: &'static Schema, user: &str) {
        self.add(Type::Record(schema), user);
    }

    /// Adds an enumeration or flag word that no record has.
    pub(crate) fn add_names(&mut self, names: &'static Names, is_flags: bool, user: &str) {
        self.names.entry(names.name).or_insert((names, is_flags));
        self.use_by(names.name, user);
    }

    fn use_by(&mut self, name: &'static str, user: &str) {
        let users = self.users.entry(name).or_default();
        if !users.iter().any(|known| known == user) {
            users.push(user.to_owned());
        }
    }

    fn add(&mut self, ty: Type, user: &str) {
        match ty {
            Type::Array(element, _) => self.add(*element, user),
            Type::Record(schema) => {
                self.use_by(schema.name, user);
                self.records.entry(schema.name).or_insert(schema);
                // A variant of a record has other types in some fields.
                let own = link("records.md", schema.name);
                schema.fields.iter().for_each(|field| self.add(field.ty, &own));
            }
            Type::Enum(names) => self.add_names(names, false, user),
            Type::Flags(names) => self.add_names(names, true, user),
            Type::Spelled(spelling) => {
                self.others.entry(spelling.name).or_insert(Other { doc: spelling.doc, size: spelling.size });
                self.use_by(spelling.name, user);
            }
            Type::Converted(conversion) => {
                self.others
                    .entry(conversion.name)
                    .or_insert(Other { doc: conversion.doc, size: conversion.size });
                self.use_by(conversion.name, user);
            }
            _ => {}
        }
    }

    /// "Used by" with links, for the types page itself.
    fn users_of(&self, name: &str) -> String {
        match self.users.get(name).map(Vec::as_slice) {
            None | Some([]) => String::new(),
            Some(users) => format!("Used by {}.\n", users.join(", ")),
        }
    }

    /// A heading for each record: size, users, fields. `versions` tells which games and versions have it.
    pub(crate) fn records(&self, versions: impl Fn(&str) -> Option<String>) -> String {
        let mut text = String::new();
        for (name, schema) in &self.records {
            let _ = write!(text, "\n## {name}\n\n{}\n\n", sentence(schema.doc));
            let versions = versions(name).map(|versions| format!("; {versions}")).unwrap_or_default();
            let _ = write!(text, "{} bytes{versions}. {}", schema.size, self.users_of(name));
            text += &table(
                ["offset", "field", "type", "meaning"],
                schema.fields.iter().map(|field| {
                    [
                        field.offset.to_string(),
                        format!("`{}`", field.name),
                        type_link(field.ty, Pages { records: "", ..PAGES }),
                        plain(field.doc),
                    ]
                }),
            );
        }
        text
    }

    /// A heading for each enumeration, flag word and type with a special spelling.
    pub(crate) fn enumerations(&self) -> String {
        let mut text = String::new();
        for (name, (names, is_flags)) in &self.names {
            let sort = if *is_flags { "Flag word" } else { "Enumeration" };
            let _ = write!(text, "\n## {name}\n\n{}\n\n{sort}, {}. ", sentence(names.doc), names.repr);
            text += &self.users_of(name);
            let digits = names.repr.size() * 2;
            text += &table(
                ["value", "name", "meaning"],
                names.table.iter().map(|entry| {
                    let value = match is_flags {
                        false => entry.value.to_string(),
                        true if entry.mask == entry.value => format!("`0x{:0digits$X}`", entry.value),
                        true => format!("`0x{:0digits$X}` of `0x{:0digits$X}`", entry.value, entry.mask),
                    };
                    [value, format!("`{}`", entry.name), plain(entry.doc)]
                }),
            );
        }
        for (name, other) in &self.others {
            let _ = write!(text, "\n## {name}\n\n{}\n\n{} bytes. ", sentence(other.doc), other.size);
            text += &self.users_of(name);
        }
        text
    }
}

/// A type as shown in a table, with links to records and enumerations.
pub(crate) fn type_link(ty: Type, pages: Pages) -> String {
    match ty {
        Type::Record(schema) => link(pages.records, schema.name),
        Type::Enum(names) | Type::Flags(names) => link(pages.enumerations, names.name),
        Type::Spelled(spelling) => link(pages.enumerations, spelling.name),
        Type::Converted(conversion) => link(pages.enumerations, conversion.name),
        Type::Array(element, count) => format!("{}[{count}]", type_link(*element, pages)),
        plain => plain.to_string(),
    }
}

/// The layout of a kind's body.
pub(crate) fn body(kind: &Kind) -> String {
    match kind.slots {
        [] if kind.branch => String::new(),
        [] => "The layout is unknown; the bytes are kept.\n".to_owned(),
        [slot] => match (slot.item, slot.count) {
            (Item::Value(ty), Count::One) => format!("Body: one {}.\n", type_link(ty, PAGES)),
            (Item::Value(ty), _) => format!("Body: an array of {}.\n", type_link(ty, PAGES)),
            (Item::Text, _) => "Body: a string, usually with its NUL.\n".to_owned(),
            (Item::Plain, _) => "Body: a text.\n".to_owned(),
            (Item::Pieces(_), _) => "Body: a list of texts.\n".to_owned(),
            (Item::Raw, _) => "Body: bytes of unknown layout.\n".to_owned(),
        },
        slots => {
            let rows = slots.iter().map(|slot| {
                let holds = match slot.item {
                    Item::Value(ty) => type_link(ty, PAGES),
                    Item::Text | Item::Plain => "char".to_owned(),
                    Item::Pieces(_) => "text".to_owned(),
                    Item::Raw => "byte".to_owned(),
                };
                let count = match slot.count {
                    Count::One => "1",
                    Count::Rest => "to the end",
                    Count::By(_) => "computed from the fields before it",
                };
                [format!("`{}`", slot.name), holds, count.to_owned()]
            });
            format!("Body, in this order:\n{}", table(["part", "type", "how many"], rows))
        }
    }
}
