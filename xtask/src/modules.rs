//! The import graph of the modules of every crate: no cycle of more than two modules.
//!
//! Two modules that are one concept in two files may know each other. A longer cycle means that nobody can read one of its modules without
//! the others. A module and the modules inside it are one concept, too, so only paths from one branch of the tree to another count. They begin
//! with `crate` or `super`, in `use` declarations and elsewhere, and lead to the innermost module that they name. Re-exports are not followed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

use crate::shell::root;

/// The sources of a crate, by the paths of their modules: `verbs::edit`, and nothing for the root.
type Sources = BTreeMap<String, String>;

/// For each module, the modules that it imports from.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Reads the files of a folder, which are the modules below one.
fn read(folder: &Path, module: &str, sources: &mut Sources) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let inner = if module.is_empty() { name.to_string() } else { format!("{module}::{name}") };
        if path.is_dir() {
            read(&path, &inner, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let root = ["mod", "lib", "main"].contains(&name.as_ref());
            let text = fs::read_to_string(&path).expect("a source is text");
            sources.entry(if root { module.to_owned() } else { inner }).or_default().push_str(&text);
        }
    }
}

/// The lines of a source without comments, tests and re-exports: what a module offers to others it may not need itself.
fn needed(text: &str) -> String {
    let mut lines = text.lines();
    let mut needed = String::new();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if code == "#[cfg(test)]" {
            let item = lines.next().unwrap_or_default();
            if item.ends_with('{') {
                let _ = lines.by_ref().find(|line| *line == "}");
            }
        } else if code.starts_with("pub") && code.contains(" use ") {
            let _ = code.ends_with(';') || lines.by_ref().any(|line| line.ends_with(';'));
        } else if !code.starts_with("//") {
            needed.push_str(line);
            needed.push('\n');
        }
    }
    needed
}

/// Words, `::` and single characters.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if is_word(first) => rest.find(|character| !is_word(character)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Collects the paths that begin at the first token, with all branches of a group. Returns the tokens after them.
fn paths<'t>(mut rest: &'t [&'t str], prefix: &[&'t str], found: &mut Vec<Vec<&'t str>>) -> &'t [&'t str] {
    let mut path = prefix.to_vec();
    loop {
        match rest {
            ["{", inside @ ..] => {
                rest = inside;
                while let [first, after @ ..] = rest {
                    rest = match *first {
                        "}" => return after,
                        "," => after,
                        _ => paths(rest, &path, found),
                    };
                }
                return rest;
            }
            [word, "::", after @ ..] => {
                path.push(word);
                rest = after;
            }
            [word, after @ ..] => {
                path.push(word);
                found.push(path);
                return after;
            }
            [] => return rest,
        }
    }
}

/// Whether one module is inside the other.
fn is_inside(inner: &str, outer: &str) -> bool {
    outer.is_empty()
        || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The modules in other branches of the tree that a module imports from.
fn imports_of(module: &str, sources: &Sources) -> BTreeSet<String> {
    let text = needed(&sources[module]);
    let tokens = tokens(&text);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        // `$crate` of a macro means whatever crate calls it.
        let begins = at == 0 || !["::", "$"].contains(&tokens[at - 1]);
        if begins && matches!(tokens[at..], ["crate" | "super", "::", ..]) {
            paths(&tokens[at..], &[], &mut found);
        }
    }
    let target = |path: Vec<&str>| {
        let mut target = module.to_owned();
        for word in path {
            let inner = if target.is_empty() { word.to_owned() } else { format!("{target}::{word}") };
            target = match word {
                "crate" => String::new(),
                "super" => target.rsplit_once("::").map_or("", |(outer, _)| outer).to_owned(),
                _ if sources.contains_key(&inner) => inner,
                _ => break,
            };
        }
        target
    };
    let targets = found.into_iter().map(target);
    targets.filter(|target| !is_inside(target, module) && !is_inside(module, target)).collect()
}

/// Every shortest cycle of more than two modules, each once, as a line of module names.
fn long_cycles(sources: &Sources) -> BTreeSet<String> {
    let imports: Imports =
        sources.keys().map(|module| (module.clone(), imports_of(module, sources))).collect();
    let mut cycles = BTreeSet::new();
    for (from, targets) in &imports {
        for to in targets {
            let Some(mut way) = shortest_way(&imports, to, from) else { continue };
            // The same cycle is found from each of its modules.
            let first = (0..way.len()).min_by_key(|at| way[*at]).unwrap_or(0);
            way.rotate_left(first);
            way.push(way[0]);
            cycles.insert(way.join(" -> "));
        }
    }
    cycles
}

/// The modules on the shortest way from one module to another that is not the direct import.
fn shortest_way<'i>(imports: &'i Imports, from: &'i str, to: &str) -> Option<Vec<&'i str>> {
    let mut ways = VecDeque::from([vec![from]]);
    let mut seen = BTreeSet::from([from]);
    while let Some(way) = ways.pop_front() {
        let last = way[way.len() - 1];
        for next in &imports[last] {
            let longer = || way.iter().copied().chain([next.as_str()]).collect();
            if next == to && last != from {
                return Some(longer());
            }
            if next != to && seen.insert(next) {
                ways.push_back(longer());
            }
        }
    }
    None
}

#[test]
fn no_import_cycle_has_more_than_two_modules() {
    let crates = fs::read_dir(root().join("crates")).expect("the crates").flatten().map(|entry| entry.path());
    let (mut found, mut modules) = (Vec::new(), 0);
    for folder in crates.chain([root().join("xtask")]) {
        let mut sources = Sources::new();
        read(&folder.join("src"), "", &mut sources);
        modules += sources.len();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        found.extend(long_cycles(&sources).into_iter().map(|cycle| format!("{name}: {cycle}")));
    }
    assert!(modules > 200, "{modules} modules");
    assert!(found.is_empty(), "import cycles of more than two modules:\n{}", found.join("\n"));
}

#[test]
fn a_cycle_of_three_is_found_and_other_paths_are_not() {
    let sources = |third: &str| {
        let first = "use crate::{b::{self, Thing}, other::x};\nuse super::c;\n";
        [
            ("", "mod a;\nmod b;\nmod c;\nuse a::A;\n"),
            ("a", first),
            ("a::inner", "use super::*;\n"),
            ("b", "// crate::a\npub use crate::a::inner::Item;\nfn f() { crate::c::g() }\n"),
            ("c", third),
        ]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into()
    };
    let cycles = |third: &str| Vec::from_iter(long_cycles(&sources(third)));
    assert_eq!(cycles("fn g() { super::a::h() }\n"), ["a -> b -> c -> a"]);
    assert_eq!(cycles("fn g() { crate::a::inner::h() }\n"), Vec::<String>::new());
    assert_eq!(
        cycles("use crate::f;\n#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n"),
        Vec::<String>::new()
    );
}
