//! The documents: commands in `sh` blocks run on samples, examples of the help are valid command lines, and what pages show is what the program
//! prints and draws.

use std::fs;
use std::path::Path;

use crate::common::Bench;
use meshwright::{mdx, texture, w3d};

/// The root of the repository.
const ROOT: &str = "../..";

/// A command line of a document.
struct Line {
    /// Where it is, for messages.
    place: String,
    words: Vec<String>,
}

/// Splits a line as a shell would: words, single quotes, and a comment at the end.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut in_quotes = false;
    for letter in line.chars() {
        match letter {
            '\'' => {
                in_quotes = !in_quotes;
                word.get_or_insert_default();
            }
            '#' if !in_quotes && word.is_none() => break,
            letter if letter.is_whitespace() && !in_quotes => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// The commands of the program in a line of a shell: after `&&` or a pipe, and up to the next of them.
fn commands(words: &[String]) -> impl Iterator<Item = Vec<String>> {
    let is_end = |word: &String| matches!(word.as_str(), "&&" | "|" | ">" | ">>");
    words
        .split(is_end)
        .filter(|part| part.first().is_some_and(|word| word == "meshwright"))
        .map(<[_]>::to_vec)
}

/// The Markdown files of a folder of the repository, sorted.
fn pages(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(Path::new(ROOT).join(folder)).expect("the folder exists").flatten();
    let mut pages: Vec<String> = entries
        .map(|entry| format!("{folder}/{}", entry.file_name().to_string_lossy()))
        .filter(|path| path.ends_with(".md"))
        .collect();
    pages.sort();
    pages
}

/// The commands in the `sh` blocks of a page.
fn shell_commands(page: &str) -> Vec<Line> {
    let text = fs::read_to_string(Path::new(ROOT).join(page)).expect(page);
    let mut in_block = false;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            in_block = !in_block && kind == "sh";
        } else if in_block {
            let place = format!("{page}:{number}");
            lines.extend(commands(&split(line)).map(|words| Line { place: place.clone(), words }));
        }
    }
    lines
}

/// A folder with a sample under each name that the documents use.
fn samples() -> Bench {
    let bench = Bench::empty();
    let run = |words: &[&str]| {
        let run = bench.run(words);
        assert_eq!(run.code, Some(0), "{words:?}: {}", run.stderr);
    };
    bench.write("tank.w3d", w3d::sample::tank());
    bench.write("tower.mdx", mdx::build::watchtower());
    for (starter, glb) in [("zero-hour", "tank"), ("bfme2", "hero"), ("wc3-classic", "knight")] {
        run(&["demo", "--starter", starter, "starters"]);
        fs::copy(bench.path(&format!("starters/{starter}.glb")), bench.path(&format!("{glb}.glb")))
            .expect(glb);
    }
    run(&["convert", "knight.glb", "footman.mdx", "-q"]);
    let footman = bench.read("footman.mdx");
    for name in ["hero.mdx", "grunt.mdx", "units/footman.mdx", "map/war3mapImported/footman.mdx"] {
        bench.write(name, &footman);
    }
    run(&["convert", "hero.glb", "hero_skn.w3d", "-q"]);
    for (name, image) in texture::sample::textures() {
        let bytes = texture::encode_tga(&image).expect(name);
        bench.write(&format!("art/textures/{name}"), &bytes);
        bench.write(&format!("path/to/textures/{name}"), &bytes);
    }
    bench.write("art/mwtank.w3d", w3d::sample::tank());
    bench.write("archive/art/w3d/avhummer.w3d", hummer());
    bench.write("archive/art/textures/avhummer.tga", bench.read("art/textures/mwtank.tga"));
    run(&["pack", "archive", "W3DZH.big", "-q"]);
    run(&["pack", "map", "map.w3x", "-q"]);
    bench.write("game/W3DZH.big", bench.read("W3DZH.big"));
    bench
}

/// The crate, with a texture that an archive has.
fn hummer() -> Vec<u8> {
    let bytes = w3d::sample::crate_box();
    let mut file = w3d::W3d::parse(&bytes).expect("the sample can be read");
    for mut mesh in file.meshes_mut() {
        mesh.set_texture(0, "avhummer.tga").expect("the mesh has a texture");
    }
    file.to_bytes().expect("the sample can be written")
}

/// What the words of a document stand for here. Pictures are small, because these tests are about command lines.
fn adapted(words: &[String]) -> Vec<&str> {
    let mut adapted: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    adapted.iter_mut().filter(|word| **word == r"C:\Games\Zero Hour").for_each(|word| *word = "game");
    match adapted.first() {
        Some(&"render") if !adapted.contains(&"--size") => adapted.extend(["--size", "32"]),
        Some(&"gallery") => adapted.extend(["--size", "32", "--frames", "2"]),
        _ => {}
    }
    adapted
}

#[test]
fn commands_in_the_documents_run() {
    let mut pages = pages("docs");
    pages.extend(["README.md", "crates/cli/README.md"].map(str::to_owned));
    let mut count = 0;
    for page in pages {
        let lines = shell_commands(&page);
        if lines.is_empty() {
            continue;
        }
        let bench = samples();
        for Line { place, words } in lines {
            // The viewer has its own flags and tests.
            if words[1] == "view" {
                continue;
            }
            let run = bench.run(&adapted(&words));
            // `check` exits with 1 if it finds something.
            let is_fine = run.code == Some(0) || (words[1] == "check" && run.code == Some(1));
            assert!(is_fine, "{place}: {}: {:?} {}", words.join(" "), run.code, run.stderr);
            count += 1;
        }
    }
    assert!(count > 30, "only {count} commands were found");
}

#[test]
fn examples_in_the_help_are_valid_command_lines() {
    let bench = Bench::empty();
    let mut count = 0;
    for page in pages("docs/verbs") {
        let text = fs::read_to_string(Path::new(ROOT).join(&page)).expect(&page);
        // A backslash continues a command on the next line.
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines() {
            match lines.last_mut().filter(|last| last.ends_with('\\')) {
                Some(last) => {
                    last.pop();
                    last.push_str(line.trim_start());
                }
                None => lines.push(line.to_owned()),
            }
        }
        for line in lines.iter().filter(|line| line.starts_with("  ") && line.contains("meshwright ")) {
            // Two spaces separate the command from its description.
            let command = line.trim_start().split("  ").next().unwrap_or_default();
            for words in commands(&split(command)).filter(|words| words.len() > 1 && words[1] != "view") {
                let run = bench.run(&adapted(&words));
                assert_ne!(run.code, Some(2), "{page}: {}: {}", words.join(" "), run.stderr);
                count += 1;
            }
        }
    }
    assert!(count > 60, "only {count} examples were found");
}

/// The viewer is a separate program with its own parser, so its flags are looked up in its tables.
#[test]
fn flags_of_the_viewer_in_the_documents_exist() {
    let source = |name: &str| fs::read_to_string(format!("{ROOT}/crates/viewer/src/{name}.rs")).expect(name);
    let (settings, flags) = (source("state"), source("flags"));
    let mut count = 0;
    for page in ["README.md", "docs/viewer.md", "docs/verbs/view.md", "crates/viewer/README.md"] {
        let text = fs::read_to_string(Path::new(ROOT).join(page)).expect(page);
        for line in text.lines().map(str::trim_start) {
            let words = split(line);
            let starts =
                |start: &[&str]| words.iter().zip(start).filter(|(a, b)| a == b).count() == start.len();
            if !(starts(&["meshwright", "view"]) || starts(&["meshwright-viewer"])) {
                continue;
            }
            for flag in words.iter().filter_map(|word| word.strip_prefix("--")) {
                let is_known = settings.contains(&format!("name: \"{flag}\""))
                    || flags.contains(&format!("\"--{flag}\""));
                assert!(is_known, "{page}: --{flag}");
                count += 1;
            }
        }
    }
    assert!(count >= 6, "only {count} flags were found");
}

/// The first block of a language on a page.
fn block(page: &str, language: &str) -> String {
    let text = fs::read_to_string(Path::new(ROOT).join(page)).expect(page);
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("the page has such a block");
    rest.split_once("```").expect("the block ends").0.to_owned()
}

#[test]
fn the_example_of_the_json_form_compiles_and_a_wrong_count_is_the_error_that_the_page_shows() {
    let bench = Bench::empty();
    let example = block("docs/json.md", "json");
    bench.write("example.json", &example);
    assert_eq!(bench.run(&["convert", "example.json", "sign.w3d"]).stderr, "");
    assert_eq!(bench.run(&["convert", "sign.w3d", "again.json"]).code, Some(0));
    assert_eq!(String::from_utf8(bench.read("again.json")).as_deref(), Ok(example.as_str()));
    bench.write("sign.json", example.replace("   \"mesh_name\"", "   \"num_tris\": 3,\n   \"mesh_name\""));
    assert_eq!(bench.run(&["convert", "sign.json", "wrong.w3d"]).stderr, block("docs/json.md", "text"));
}

/// The pictures at the top of the README. `cargo xtask bless` rewrites them, for review.
#[test]
fn golden_pictures_of_the_readme() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "."]).code, Some(0));
    let pictures = [
        ("tank.png", ["render", "mwtank.w3d", "tank.png", "--size", "360x300", "--team-color", "blue"]),
        ("tower.png", ["render", "mwtower.mdx", "tower.png", "--size", "300", "--team-color", "red"]),
    ];
    for (name, words) in pictures {
        assert_eq!(bench.run(&words).code, Some(0));
        let path = Path::new(ROOT).join("docs").join(name);
        if std::env::var_os("MESHWRIGHT_BLESS").is_some_and(|value| !value.is_empty()) {
            fs::write(&path, bench.read(name)).expect(name);
        }
        let shown = texture::decode_top(&fs::read(&path).expect(name)).expect(name);
        let drawn = texture::decode_top(&bench.read(name)).expect(name);
        assert!(shown == drawn, "docs/{name} is not what the program draws");
    }
}

#[test]
fn lines_are_split_as_a_shell_does() {
    let words = split(r"cargo install && meshwright find 'C:\My Games' a#b  # a comment");
    assert_eq!(words[2..], ["&&", "meshwright", "find", r"C:\My Games", "a#b"]);
    let found: Vec<_> = commands(&words).collect();
    assert_eq!(found, [["meshwright", "find", r"C:\My Games", "a#b"].map(str::to_owned)]);
}

#[test]
fn the_recipe_of_the_page_on_editing_runs() {
    let bench = Bench::empty();
    bench.write("crate.w3d", meshwright::w3d::sample::crate_box());
    bench.write("recipe.toml", block("docs/editing.md", "toml"));
    let done = bench.run(&["edit", "--script", "recipe.toml", "crate.w3d", "--output", "done.w3d"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("largest error of a pose"), "{}", done.stderr);
    let model = meshwright::Model::parse(bench.read("done.w3d")).expect("a model");
    assert_eq!(model.textures(), ["mwcrate.dds"]);
}
