//! The import graph of the modules of every crate: no cycle of more than two modules.
//!
//! A module and its parent may know each other, and so may two modules that are one concept in two files. A longer cycle
//! means that nobody can read one of its modules without the others.
//!
//! The sources are read as tokens, which is enough: an import is a path that begins with `crate`, `self`, `super` or the
//! name of a child module. A path is followed through `use` declarations to the module that defines the item.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::root;

/// A module: one file.
#[derive(Default)]
struct Module {
    parent: Option<usize>,
    /// Path from the crate's root, `verbs::edit`; empty for the root.
    name: String,
    children: BTreeMap<String, usize>,
    /// Names of items that the file defines.
    items: BTreeSet<String>,
    /// Names that `use` declarations bring in, with their paths.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths whose items `use PATH::*` brings in.
    globs: Vec<Vec<String>>,
    /// Every path in the file that may lead to another module.
    paths: BTreeSet<Vec<String>>,
}

/// The modules of one crate; the first is its root.
struct Crate(Vec<Module>);

/// Steps that following `use` declarations may take, since they may lead in circles.
const MOST_STEPS: usize = 16;

impl Crate {
    fn read(main: &Path) -> Self {
        let mut modules = Self(Vec::new());
        let folder = main.parent().expect("a source file is in a folder");
        modules.add(None, "", main, folder);
        modules
    }

    /// Reads a file and the files of its child modules, which are in `folder`.
    fn add(&mut self, parent: Option<usize>, name: &str, file: &Path, folder: &Path) -> usize {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut module = Module { parent, name: name.to_owned(), ..Module::default() };
        let declared = Reader::new(&tokens(&text)).read(&mut module);
        let at = self.0.len();
        self.0.push(module);
        for child in declared {
            let path = if name.is_empty() { child.clone() } else { format!("{name}::{child}") };
            let below = folder.join(&child);
            let files = [folder.join(format!("{child}.rs")), below.join("mod.rs")];
            let file = files.iter().find(|file| file.is_file());
            let file = file.unwrap_or_else(|| panic!("{path} has no file in {}", folder.display()));
            let index = self.add(Some(at), &path, file, &below);
            self.0[at].children.insert(child, index);
        }
        at
    }

    /// The module that a path leads to, as written in a module; `None` if it leads out of the crate.
    fn resolve(&self, from: usize, path: &[String], steps: usize) -> Option<usize> {
        if steps == 0 {
            return None;
        }
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => 0,
            "self" => from,
            "super" => self.0[from].parent?,
            name => *self.0[from].children.get(name)?,
        };
        while let Some((name, after)) = rest.split_first() {
            let module = &self.0[at];
            if name == "super" {
                at = module.parent?;
            } else if let Some(child) = module.children.get(name) {
                at = *child;
            } else if let Some(import) = module.imports.get(name).filter(|_| !module.items.contains(name)) {
                let path: Vec<String> = import.iter().chain(after).cloned().collect();
                return self.resolve(at, &path, steps - 1);
            } else if !module.items.contains(name) {
                // The item may come from a glob; otherwise a macro defines it here.
                let globs = module.globs.iter().filter_map(|glob| self.resolve(at, glob, steps - 1));
                let defines = |module: &usize| self.0[*module].items.contains(name);
                return Some(globs.into_iter().find(defines).unwrap_or(at));
            } else {
                return Some(at);
            }
            rest = after;
        }
        Some(at)
    }

    /// For each module, the modules that it imports from.
    fn edges(&self) -> Vec<BTreeSet<usize>> {
        let imports = |(at, module): (usize, &Module)| {
            let found = module.paths.iter().filter_map(|path| self.resolve(at, path, MOST_STEPS));
            found.filter(|target| *target != at).collect()
        };
        self.0.iter().enumerate().map(imports).collect()
    }

    /// Every shortest cycle of more than two modules, each once, as a line of module names.
    fn long_cycles(&self) -> BTreeSet<String> {
        let edges = self.edges();
        let mut cycles = BTreeSet::new();
        for (from, targets) in edges.iter().enumerate() {
            for to in targets {
                // A way back other than the direct one makes a cycle of at least three.
                let Some(way) = shortest_way(&edges, *to, from) else { continue };
                let first = way.iter().enumerate().min_by_key(|(_, module)| **module).map_or(0, |(at, _)| at);
                let names = way.iter().cycle().skip(first).take(way.len() + 1).map(|at| self.name(*at));
                cycles.insert(names.collect::<Vec<_>>().join(" -> "));
            }
        }
        cycles
    }

    fn name(&self, at: usize) -> &str {
        Some(self.0[at].name.as_str()).filter(|name| !name.is_empty()).unwrap_or("the root")
    }
}

/// The shortest way between two modules that is not the direct import.
fn shortest_way(edges: &[BTreeSet<usize>], from: usize, to: usize) -> Option<Vec<usize>> {
    let mut before = vec![None; edges.len()];
    let mut waiting = VecDeque::from([from]);
    while let Some(at) = waiting.pop_front() {
        for next in &edges[at] {
            if *next == from || before[*next].is_some() || (at == from && *next == to) {
                continue;
            }
            before[*next] = Some(at);
            if *next == to {
                let mut way = vec![to];
                while let Some(previous) = before[way[way.len() - 1]] {
                    way.push(previous);
                }
                way.reverse();
                return Some(way);
            }
            waiting.push_back(*next);
        }
    }
    None
}

/// Cuts source text into words, `::` and single characters, without comments, texts and lifetimes.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let length = match character {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            '"' => quoted(rest, '"'),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#\"") => {
                let end = if rest.starts_with("r#") { "\"#" } else { "\"" };
                let start = end.len() + 1;
                rest[start..].find(end).map_or(rest.len(), |at| start + at + end.len())
            }
            // A quote begins a character, unless it begins a lifetime.
            '\'' if rest[1..].starts_with('\\') || rest[1..].chars().nth(1) == Some('\'') => {
                quoted(rest, '\'')
            }
            '\'' => 1 + rest[1..].find(|character| !is_word(character)).unwrap_or(rest.len() - 1),
            _ if is_word(character) => {
                let end = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
                tokens.push(&rest[..end]);
                end
            }
            ':' if rest.starts_with("::") => {
                tokens.push(&rest[..2]);
                2
            }
            _ => {
                if !character.is_whitespace() {
                    tokens.push(&rest[..character.len_utf8()]);
                }
                character.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a text or a character with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = true;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Finds imports and items among the tokens of a file.
struct Reader<'t> {
    tokens: &'t [&'t str],
    at: usize,
    /// For each open brace, whether it is that of a module within the file.
    braces: Vec<bool>,
}

impl<'t> Reader<'t> {
    const fn new(tokens: &'t [&'t str]) -> Self {
        Self { tokens, at: 0, braces: Vec::new() }
    }

    fn peek(&self, ahead: usize) -> &'t str {
        self.tokens.get(self.at + ahead).copied().unwrap_or_default()
    }

    /// Reads everything, and returns the names of child modules in files of their own.
    fn read(mut self, module: &mut Module) -> Vec<String> {
        let mut declared = Vec::new();
        while self.at < self.tokens.len() {
            let before = if self.at > 0 { self.tokens[self.at - 1] } else { "" };
            match (self.peek(0), self.peek(1), self.peek(2)) {
                ("#", "[", "cfg")
                    if self.tokens[self.at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"]) =>
                {
                    self.at += 7;
                    self.skip_item();
                    continue;
                }
                ("mod", name, ";") => declared.push(name.to_owned()),
                ("mod", name, "{") => {
                    module.items.insert(name.to_owned());
                    self.braces.push(true);
                    self.at += 3;
                    continue;
                }
                ("use", ..) => {
                    self.at += 1;
                    // A re-export is for others; the module itself may not need it.
                    let needed = !matches!(before, "pub" | ")");
                    self.use_tree(&mut Vec::new(), needed, module);
                    continue;
                }
                (
                    "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" | "flags",
                    name,
                    _,
                ) => {
                    module.items.insert(name.to_owned());
                }
                ("macro_rules", "!", name) => {
                    module.items.insert(name.to_owned());
                }
                ("{", ..) => self.braces.push(false),
                ("}", ..) => drop(self.braces.pop()),
                // `$crate` of a macro means whatever crate calls it; `pub(in crate::a)` is no import.
                (_, "::", _) if !matches!(before, "::" | "$") && !self.is_visibility() => self.path(module),
                _ => {}
            }
            self.at += 1;
        }
        // Names of children are known only now.
        let child = |path: &Vec<String>| declared.iter().any(|child| path.first() == Some(child));
        let keyword = |path: &Vec<String>| matches!(path[0].as_str(), "crate" | "self" | "super");
        module.paths.retain(|path| keyword(path) || child(path));
        declared
    }

    /// Whether the current token is the path of a `pub(in PATH)`.
    fn is_visibility(&self) -> bool {
        self.at >= 2 && self.tokens[self.at - 2..self.at] == ["(", "in"]
    }

    /// Skips what an attribute is about: up to a semicolon, or the end of the first braces.
    fn skip_item(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            let token = self.peek(0);
            self.at += 1;
            match token {
                "{" => depth += 1,
                "}" if depth == 1 => return,
                "}" => depth -= 1,
                ";" if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// The path at the current token, noted and left where it is.
    fn path(&self, module: &mut Module) {
        let mut path = vec![self.peek(0).to_owned()];
        let mut ahead = 1;
        while self.peek(ahead) == "::"
            && self.peek(ahead + 1).starts_with(|c: char| c.is_alphabetic() || c == '_')
        {
            path.push(self.peek(ahead + 1).to_owned());
            ahead += 2;
        }
        self.note(path, module);
    }

    /// Notes a path; within a module inside the file, the first `super` stays in the file.
    fn note(&self, mut path: Vec<String>, module: &mut Module) {
        let inner = self.braces.iter().filter(|is_module| **is_module).count();
        for _ in 0..inner {
            if path.first().is_some_and(|first| first == "super") {
                path.remove(0);
                if path.first().is_none_or(|first| first != "super") {
                    path.insert(0, "self".to_owned());
                }
            }
        }
        module.paths.insert(path);
    }

    /// One level of a `use` declaration, from after `use` or `::` to its end, which is left as the current token.
    fn use_tree(&mut self, prefix: &mut Vec<String>, needed: bool, module: &mut Module) {
        let length = prefix.len();
        loop {
            match self.peek(0) {
                "{" => {
                    while !matches!(self.peek(0), "}" | "" | ";") {
                        self.at += 1;
                        if self.peek(0) != "}" {
                            self.use_tree(prefix, needed, module);
                        }
                    }
                    self.at += 1;
                    break;
                }
                "*" => {
                    module.globs.push(prefix.clone());
                    if needed {
                        self.note(prefix.clone(), module);
                    }
                    self.at += 1;
                    break;
                }
                "::" => self.at += 1,
                "," | "}" | ";" | "" => break,
                word => {
                    let word = word.to_owned();
                    self.at += 1;
                    if word != "self" || prefix.is_empty() {
                        prefix.push(word);
                    }
                    if self.peek(0) == "::" {
                        continue;
                    }
                    let mut name = prefix.last().cloned().unwrap_or_default();
                    if self.peek(0) == "as" {
                        name = self.peek(1).to_owned();
                        self.at += 2;
                    }
                    if needed {
                        self.note(prefix.clone(), module);
                    }
                    module.imports.insert(name, prefix.clone());
                    break;
                }
            }
        }
        prefix.truncate(length);
    }
}

/// The root files of all crates.
fn crates() -> Vec<PathBuf> {
    let folders =
        fs::read_dir(root().join("crates")).expect("the crates").flatten().map(|entry| entry.path());
    let mut roots: Vec<PathBuf> = folders
        .chain([root().join("xtask")])
        .flat_map(|folder| ["lib.rs", "main.rs"].map(|file| folder.join("src").join(file)))
        .filter(|file| file.is_file())
        .collect();
    roots.sort();
    roots
}

#[test]
fn no_import_cycle_has_more_than_two_modules() {
    let roots = crates();
    assert!(roots.len() > 10, "crates were found: {roots:?}");
    let mut found = Vec::new();
    for file in &roots {
        let shown = file.strip_prefix(root()).unwrap_or(file).display().to_string();
        found.extend(Crate::read(file).long_cycles().into_iter().map(|cycle| format!("{shown}: {cycle}")));
    }
    assert!(found.is_empty(), "import cycles of more than two modules:\n{}", found.join("\n"));
}

/// A crate of modules without files, each with its source; the first is the root.
#[cfg(test)]
fn in_memory(sources: &[(&str, &str)]) -> Crate {
    let mut modules = Vec::new();
    for (name, text) in sources {
        let parent = (!name.is_empty()).then(|| {
            let above = name.rsplit_once("::").map_or("", |(above, _)| above);
            sources.iter().position(|(name, _)| *name == above).expect("its parent comes first")
        });
        let mut module = Module { parent, name: (*name).to_owned(), ..Module::default() };
        Reader::new(&tokens(text)).read(&mut module);
        modules.push(module);
        if let Some(parent) = parent {
            let (child, at) = (name.rsplit("::").next().expect("a name"), modules.len() - 1);
            modules[parent].children.insert(child.to_owned(), at);
        }
    }
    Crate(modules)
}

#[test]
fn a_cycle_of_three_is_found_through_re_exports_and_groups() {
    let modules = in_memory(&[
        ("", "mod a; mod b; mod c; pub use b::Thing;"),
        ("a", "use crate::{Thing, other::x};"),
        ("b", "pub struct Thing; fn f() { crate::c::g() } // use crate::nothing;"),
        ("c", "pub fn g() { let text = \"crate::b\"; super::a::h(text, '\"', 'x') }"),
    ]);
    assert_eq!(Vec::from_iter(modules.long_cycles()), ["a -> b -> c -> a"]);
}

#[test]
fn parents_and_tests_make_no_long_cycles() {
    let modules = in_memory(&[
        ("", "mod a; mod b; pub fn f<'a>() { a::g(); b::g() }"),
        ("a", "use super::f; pub fn g() {} #[cfg(test)] mod tests { use crate::b::g; }"),
        ("b", "use crate::f; pub fn g() { inner::h() } mod inner { pub fn h() { super::g() } }"),
    ]);
    assert_eq!(Vec::from_iter(modules.long_cycles()), Vec::<String>::new());
}
