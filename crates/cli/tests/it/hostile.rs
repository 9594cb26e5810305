//! Files of strangers: what is in them reaches no terminal and no log as a command, nothing outside the given folders is read or
//! written, and no file takes more than its share.

use crate::common::{self, Bench, Run};
use meshwright::{mdx, record, texture, w3d};

/// What a stranger may call things: a title, a cleared screen, a command of a log, a reversed name.
const NAMES: [&str; 5] =
    ["\x1b]0;PWNED\x07", "\x1b[2J", "\n::error::x", "\r::warning::y", "\u{202e}gpj\u{9b}31m"];

/// A W3D model with such names everywhere.
fn model_with_names() -> Vec<u8> {
    let bytes = w3d::sample::crate_box();
    let mut file = w3d::W3d::parse(&bytes).expect("the sample can be read");
    let root = &mut file.root;
    let header =
        root.find_mut("MESH[0]/MESH_HEADER3").and_then(|node| node.value_mut::<w3d::records::MeshHeader3>());
    header.expect("the body has a header").mesh_name.set("\x1b[2J\n::error::").expect("it fits");
    let header = root.find_mut("ANIMATION/ANIMATION_HEADER");
    let header = header.and_then(|node| node.value_mut::<w3d::records::AnimationHeader>());
    header.expect("there is an animation").name.set("\x1b]0;P\x07\r::x").expect("it fits");
    let name = root.find_mut("MESH[1]/TEXTURES/TEXTURE/TEXTURE_NAME").and_then(record::Node::bytes_mut);
    *name.expect("the lid has a texture") = b"\x1b[2J\n::error::t.tga\0".to_vec();
    file.to_bytes().expect("the sample can be written")
}

/// An MDX model with such names everywhere.
fn mdx_with_names() -> Vec<u8> {
    let text = "Version { FormatVersion 800, }\nModel \"m\" { BlendTime 150, }\nTextures 1 { Bitmap { Image \"NAME.blp\", } }\n\
        Materials 1 { Material { Layer { FilterMode None, static TextureID 0, } } }\n\
        Sequences 1 { Anim \"NAME\" { Interval { 0, 9 }, } }\n\
        Bone \"NAME\" { ObjectId 0, Parent 7, }\nBone \"NAME\" { ObjectId 0, }\n";
    let document = mdx::mdl::parse(text.replace("NAME", "N$").as_bytes()).0.expect("it can be read");
    let bytes = document.to_bytes().expect("it can be written");
    // MDL has no line breaks in strings; the binary form has anything.
    let name = b"\n::error::\x1b[2J\x1b]0;P\x07\r::x";
    let mut out = bytes.clone();
    for at in 0..out.len().saturating_sub(name.len()) {
        if out[at..].starts_with(b"N$") {
            out[at..at + name.len()].copy_from_slice(name);
        }
    }
    out
}

/// Whether a text has nothing that a terminal or a log takes for a command, apart from colours.
fn assert_harmless(text: &str, what: &str) {
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        let sequence = &rest[at + 1..];
        let end = sequence.find('m').unwrap_or(0);
        let is_color = sequence.starts_with('[')
            && end > 0
            && sequence[1..end].chars().all(|c| c.is_ascii_digit() || c == ';');
        assert!(is_color, "{what}: an escape sequence in {text:?}");
        rest = &sequence[end..];
    }
    for line in text.split(['\n', '\r']) {
        assert!(!line.trim_start().starts_with("::"), "{what}: a command in {text:?}");
    }
    let is_allowed = |c: char| !c.is_control() || matches!(c, '\n' | '\x1b');
    assert!(text.chars().all(is_allowed), "{what}: a control character in {text:?}");
    assert!(!text.contains('\u{202e}'), "{what}: reversed text in {text:?}");
}

fn assert_run_is_harmless(run: &Run, what: &str) {
    assert_harmless(&run.stdout, what);
    assert_harmless(&run.stderr, what);
}

/// What a verb prints for people about a model.
const VERBS: [&[&str]; 12] = [
    &["info"],
    &["info", "--csv"],
    &["info", "--md"],
    &["tree"],
    &["tree", "-fa"],
    &["tree", "--hex"],
    &["verify", "-v"],
    &["verify", "--text"],
    &["check", "-v"],
    &["check", "--fix", "--dry-run"],
    &["edit", "scale", "2", "--dry-run"],
    &["edit", "strip", "unused", "--dry-run"],
];

#[test]
fn names_in_models_reach_no_log_as_commands() {
    let bench = Bench::empty();
    bench.write("a.w3d", model_with_names());
    bench.write("b.mdx", mdx_with_names());
    bench.write("plain.w3d", w3d::sample::crate_box());
    for file in ["a.w3d", "b.mdx"] {
        for verb in VERBS {
            let run = bench.run(&[verb, &[file]].concat());
            assert_run_is_harmless(&run, &format!("{verb:?} {file}"));
        }
        for arguments in [&["convert", file, "x.glb", "-v"][..], &["convert", file, "x.glb"]] {
            assert_run_is_harmless(&bench.run(arguments), &format!("{arguments:?}"));
        }
    }
    assert_run_is_harmless(&bench.run(&["diff", "plain.w3d", "a.w3d"]), "diff");
}

#[test]
fn annotations_of_github_are_one_line_each() {
    let bench = Bench::empty();
    bench.write("a.w3d", model_with_names());
    bench.write("b.mdx", mdx_with_names());
    for file in ["a.w3d", "b.mdx"] {
        let run = bench.run(&["check", file, "--format", "github"]);
        for line in run.stdout.lines() {
            let is_ours = ["::error file=", "::warning file=", "::notice file="]
                .iter()
                .any(|start| line.starts_with(start));
            assert!(is_ours, "{line:?}");
            assert!(!line.contains(['\x1b', '\r', '\x07']), "{line:?}");
        }
        assert_harmless(&run.stderr, file);
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_reach_no_log_as_commands() {
    let bench = Bench::empty();
    for (at, name) in NAMES.iter().enumerate() {
        let name = format!("{}{at}.w3d", name.replace('/', "_"));
        bench.write(&name, if at == 0 { b"garbage".to_vec() } else { common::faulty() });
        for verb in VERBS {
            let run = bench.run(&[verb, &[name.as_str()]].concat());
            assert_run_is_harmless(&run, &format!("{verb:?} {name:?}"));
        }
    }
    for arguments in [
        &["info", "."][..],
        &["check", "."],
        &["verify", "-v", "."],
        &["ls", "."],
        &["ls", "--tree", "."],
        &["find", "*.w3d", "."],
        &["convert", ".", "--to", "json", "--out-dir", "out", "-v"],
        &["edit", "scale", "2", ".", "--dry-run"],
        &["diff", ".", "out"],
        &["info", "nothing\x1b[2J\n::error::here.w3d"],
    ] {
        assert_run_is_harmless(&bench.run(arguments), &format!("{arguments:?}"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_no_command_of_a_file() {
    let bench = Bench::empty();
    bench.write("a.w3d", model_with_names());
    bench.write("b.mdx", mdx_with_names());
    bench.write("\x1b[2J\x1b]0;PWNED\x07.w3d", common::faulty());
    bench.write("bad.mdl", "Version { FormatVersion 800, }\nBone \"x\" { \x1b[2J\u{9b}31m }\n");
    for arguments in [
        &["info", "."][..],
        &["info", "a.w3d"],
        &["info", "b.mdx"],
        &["check", "-v", "."],
        &["tree", "a.w3d"],
        &["verify", "-v", "."],
        &["verify", "bad.mdl"],
        &["info", "bad.mdl"],
        &["convert", "a.w3d", "a.glb"],
        &["convert", "b.mdx", "b.glb", "-v"],
        &["ls", "."],
    ] {
        let shown = bench.run_in_terminal(80, arguments);
        assert_harmless(&shown, &format!("{arguments:?}"));
    }
}

#[test]
fn cells_are_text_in_spreadsheets_and_in_markdown() {
    let bench = Bench::empty();
    bench.write("=1+1.w3d", w3d::sample::crate_box());
    bench.write("a&lt;b.w3d", w3d::sample::crate_box());
    #[cfg(unix)]
    bench.write("<img src=x>|`.w3d", w3d::sample::crate_box());
    let csv = bench.run(&["info", "--csv", "=1+1.w3d"]).stdout;
    assert!(csv.contains("\n\"'=1+1.w3d\","), "{csv}");
    let markdown = bench.run(&["info", "--md", "."]).stdout;
    assert!(markdown.contains("a&amp;lt;b.w3d |"), "{markdown}");
    #[cfg(unix)]
    assert!(markdown.contains("&lt;img src=x&gt;\\|\\`.w3d |"), "{markdown}");
    assert!(!markdown.contains("<img"), "{markdown}");
}

#[test]
fn a_model_above_a_limit_is_refused_and_the_limit_can_be_raised() {
    let bench = Bench::empty();
    bench.write("a.w3d", w3d::sample::crate_box());
    for limit in ["nodes", "vertices", "keys", "bytes"] {
        let run = bench.run(&["convert", "a.w3d", "a.glb", "--limit", &format!("{limit}=1")]);
        let all = format!("{}{}", run.stdout, run.stderr);
        // What makes the scene drops what is too much; what writes it refuses.
        assert!(all.contains("more than 1"), "{limit}: {all}");
    }
    let run = bench.run(&["convert", "a.w3d", "a.glb", "--limit", "bytes=1"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("use --limit bytes=N to raise the limit"), "{}", run.stderr);
    assert!(!bench.path("b.glb").exists());
    assert_eq!(bench.run(&["convert", "a.w3d", "b.glb", "--limit", "bytes=1M"]).code, Some(0));
    assert_eq!(bench.run(&["convert", "a.w3d", "b.glb", "--limit", "off"]).code, Some(0));
    let run = bench.run(&["info", "a.w3d", "--limit", "file=100"]);
    assert_eq!(run.code, Some(3));
    assert!(
        run.stderr.contains("the limit is 100") && run.stderr.contains("--limit file=N"),
        "{}",
        run.stderr
    );
    let run = bench.run(&["info", "a.w3d", "--limit", "unicorns=3"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("unknown limit"), "{}", run.stderr);
}

#[test]
fn one_picture_under_many_names_is_written_once() {
    let bench = Bench::empty();
    let names = ["wood.tga", "WOOD.TGA", r".\wood.tga", r".\.\Wood.tga"];
    let bitmaps: String = names.iter().map(|name| format!("Bitmap {{ Image \"{name}\", }}\n")).collect();
    let materials: String = (0..4)
        .map(|at| format!("Material {{ Layer {{ FilterMode None, static TextureID {at}, }} }}\n"))
        .collect();
    let geosets: String = (0..4)
        .map(|at| {
            format!(
                "Geoset {{ Vertices 3 {{ {{ 0, 0, 0 }}, {{ 1, 0, 0 }}, {{ 0, 1, {at} }}, }} \
                 Normals 3 {{ {{ 0, 0, 1 }}, {{ 0, 0, 1 }}, {{ 0, 0, 1 }}, }} \
                 TVertices 3 {{ {{ 0, 0 }}, {{ 1, 0 }}, {{ 0, 1 }}, }} VertexGroup {{ 0, 0, 0, }} \
                 Faces 1 3 {{ Triangles {{ {{ 0, 1, 2 }}, }} }} Groups 1 1 {{ Matrices {{ 0 }}, }} MaterialID {at}, }}\n"
            )
        })
        .collect();
    let text = format!(
        "Version {{ FormatVersion 800, }}\nModel \"m\" {{ BlendTime 150, }}\nTextures 4 {{\n{bitmaps}}}\n\
         Materials 4 {{\n{materials}}}\n{geosets}Bone \"b\" {{ ObjectId 0, }}\nPivotPoints 1 {{ {{ 0, 0, 0 }}, }}\n"
    );
    bench.write("a.mdl", text);
    let picture = texture::Image::new(2, 2, [200, 120, 40, 255].repeat(4)).expect("a small picture");
    bench.write("wood.tga", texture::encode_tga(&picture).expect("it can be written"));
    let run = bench.run(&["convert", "a.mdl", "a.glb"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let json = common::glb_json(&bench.read("a.glb"));
    assert_eq!(json["images"].as_array().map(Vec::len), Some(1), "{}", json["images"]);
    assert_eq!(json["meshes"].as_array().map(Vec::len), Some(4), "{}", run.stderr);
}

#[cfg(unix)]
mod links {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::time::{Duration, SystemTime};

    use crate::common::{self, Bench};
    use meshwright::w3d;

    /// A model of a stranger refers to files that are not its own.
    #[test]
    fn gltf_reads_nothing_outside_its_folder() {
        let bench = Bench::empty();
        bench.write("secret.bin", [0; 36]);
        bench.write("in/own.bin", [0; 36]);
        symlink(bench.path("secret.bin"), bench.path("in/link.bin")).expect("linked");
        symlink(bench.path("."), bench.path("in/up")).expect("linked");
        symlink("own.bin", bench.path("in/alias.bin")).expect("linked");
        let absolute = bench.path("secret.bin").display().to_string();
        let refused =
            ["../secret.bin", "../../../etc/passwd", "/dev/zero", &absolute, "link.bin", "up/secret.bin"];
        for uri in refused.into_iter().chain(["file:///etc/passwd", "a/../../secret.bin", "missing.bin"]) {
            let error = gltf_error(&bench, uri).expect(uri);
            let is_ours = error.contains("only files in the folder") || error.contains("no such file");
            assert!(is_ours || error.contains("not supported"), "{uri}: {error}");
        }
        for uri in ["own.bin", "./own.bin", "alias.bin", "OWN.BIN"] {
            assert_eq!(gltf_error(&bench, uri), None, "{uri}");
        }
    }

    /// Why the program and the library, which must agree, refuse a model whose buffer is elsewhere.
    fn gltf_error(bench: &Bench, uri: &str) -> Option<String> {
        let gltf = serde_json::json!({
            "asset": { "version": "2.0" },
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "mesh": 0 }],
            "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
            "accessors": [{
                "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0],
            }],
            "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
            "buffers": [{ "uri": uri, "byteLength": 36 }],
        });
        bench.write("in/a.gltf", gltf.to_string());
        let run = bench.run(&["convert", "in/a.gltf", "a.obj"]);
        let library = meshwright::scene_from_gltf_file(bench.path("in/a.gltf"));
        assert_eq!(library.is_ok(), run.code == Some(0), "{uri}: {}", run.stderr);
        library.err().map(|error| {
            assert!(run.stderr.contains(&error.to_string()), "{uri}: {error}: {}", run.stderr);
            error.to_string()
        })
    }

    #[test]
    fn editing_a_folder_leaves_what_is_outside() {
        let bench = Bench::empty();
        bench.write("outside/a.w3d", w3d::sample::crate_box());
        bench.write("inside/b.w3d", w3d::sample::crate_box());
        symlink(bench.path("outside/a.w3d"), bench.path("inside/a.w3d")).expect("linked");
        symlink(bench.path("outside"), bench.path("inside/more")).expect("linked");
        let run = bench.run(&["edit", "scale", "2", "inside", "--in-place"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(bench.read("outside/a.w3d"), w3d::sample::crate_box());
        assert_ne!(bench.read("inside/b.w3d"), w3d::sample::crate_box());
        // A link that is named is followed, and stays a link.
        assert_eq!(bench.run(&["edit", "scale", "2", "inside/a.w3d", "--in-place"]).code, Some(0));
        assert_ne!(bench.read("outside/a.w3d"), w3d::sample::crate_box());
        assert!(bench.path("inside/a.w3d").is_symlink());
    }

    #[test]
    fn an_output_folder_is_not_left_through_a_link() {
        let bench = Bench::empty();
        bench.write("in/sub/a.w3d", w3d::sample::crate_box());
        bench.write("in/b.w3d", w3d::sample::crate_box());
        bench.write("secret.json", "secret");
        fs::create_dir_all(bench.path("out")).expect("made");
        fs::create_dir_all(bench.path("elsewhere")).expect("made");
        symlink(bench.path("secret.json"), bench.path("out/b.json")).expect("linked");
        symlink(bench.path("elsewhere"), bench.path("out/sub")).expect("linked");
        let run = bench.run(&["convert", "in", "--to", "json", "--out-dir", "out"]);
        assert_eq!(run.code, Some(3));
        assert_eq!(run.stderr.matches("symbolic link").count(), 2, "{}", run.stderr);
        assert_eq!(bench.read("secret.json"), b"secret");
        assert_eq!(fs::read_dir(bench.path("elsewhere")).expect("it is there").count(), 0);
        let run = bench.run(&["edit", "scale", "2", "in", "--out-dir", "out"]);
        assert_eq!(run.code, Some(3), "{}", run.stderr);
        // The files beside a .gltf are not named by anybody.
        symlink(bench.path("secret.json"), bench.path("x.bin")).expect("linked");
        let run = bench.run(&["convert", "in/b.w3d", "x.gltf"]);
        assert_eq!(run.code, Some(3), "{}", run.stderr);
        assert_eq!(bench.read("secret.json"), b"secret");
        // The output folder itself may be a link: it is named.
        symlink(bench.path("elsewhere"), bench.path("linked")).expect("linked");
        let run = bench.run(&["convert", "in", "--to", "json", "--out-dir", "linked"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(bench.path("elsewhere/b.json").exists());
    }

    #[test]
    fn settings_are_not_read_through_a_link_or_a_pipe() {
        let bench = Bench::empty();
        bench.write("project/a.w3d", w3d::sample::crate_box());
        bench.write("secret", "TOP SECRET LINE");
        symlink(bench.path("secret"), bench.path("project/meshwright.toml")).expect("linked");
        let run = bench.run(&["check", "project"]);
        assert!(!format!("{}{}", run.stdout, run.stderr).contains("SECRET"), "{}", run.stderr);
        fs::remove_file(bench.path("project/meshwright.toml")).expect("removed");
        make_pipe(&bench, "project/meshwright.toml");
        make_pipe(&bench, "project/mwcrate.tga");
        make_pipe(&bench, "project/pipe.w3d");
        // Each of these would wait for ever.
        for arguments in [
            &["check", "project"][..],
            &["info", "project"],
            &["verify", "project"],
            &["convert", "project/a.w3d", "a.glb"],
            &["info", "project/pipe.w3d"],
            &["convert", "project/pipe.w3d", "a.glb"],
            &["tree", "project/pipe.w3d"],
            &["edit", "scale", "2", "project", "--dry-run"],
            &["ls", "project/pipe.w3d"],
            &["diff", "project", "project"],
        ] {
            let run = bench.run(arguments);
            assert!(matches!(run.code, Some(0 | 1 | 3)), "{arguments:?}: {}", run.stderr);
        }
    }

    #[test]
    fn archives_and_lists_that_are_pipes_are_refused() {
        let bench = Bench::empty();
        bench.write("a.w3d", w3d::sample::crate_box());
        for name in ["x.big", "x.mpq", "x.mix", "x.zip", "known.tsv", "project/meshwright-baseline.tsv"] {
            fs::create_dir_all(bench.path("project")).expect("made");
            make_pipe(&bench, name);
        }
        bench.write("project/a.w3d", w3d::sample::crate_box());
        // Each of these would wait for ever.
        for arguments in [
            &["ls", "x.big"][..],
            &["ls", "x.mpq"],
            &["extract", "x.mix", "-o", "out"],
            &["find", "a", "x.zip"],
            &["info", "x.big"],
            &["verify", "x.big"],
            &["check", "project"],
            &["info", "."],
            &["check", "a.w3d", "--baseline", "known.tsv"],
            &["check", "a.w3d", "--baseline", "/dev/zero"],
        ] {
            let run = bench.run(arguments);
            assert!(matches!(run.code, Some(0..=3)), "{arguments:?}: {}", run.stderr);
        }
    }

    #[test]
    fn a_project_names_no_list_outside_its_folder() {
        let bench = Bench::empty();
        bench.write("project/a.w3d", common::faulty());
        bench.write("secret", "secret");
        let secret = bench.path("secret");
        for path in [
            "../secret",
            secret.to_str().expect("a plain path"),
            "/dev/zero",
            "a/../../secret",
            "link/.bashrc",
            "link/a.tsv",
            ".bashrc",
        ] {
            bench.write("project/meshwright.toml", format!("[check]\nbaseline = '{path}'\n"));
            for arguments in [&["check", "project"][..], &["check", "project", "--write-baseline"]] {
                let run = bench.run(arguments);
                assert_eq!(run.code, Some(2), "{path}: {}", run.stderr);
                assert!(
                    run.stderr.contains("must be the name of a .tsv file in the folder of meshwright.toml"),
                    "{}",
                    run.stderr
                );
            }
        }
        bench.write("project/meshwright.toml", "[check]\nbaseline = 'known.tsv'\n");
        symlink(&secret, bench.path("project/known.tsv")).expect("linked");
        bench.run(&["check", "project", "--write-baseline"]);
        assert_eq!(bench.read("secret"), b"secret");
        fs::remove_file(bench.path("project/known.tsv")).expect("removed");
        let run = bench.run(&["check", "project", "--write-baseline"]);
        assert!(bench.path("project/known.tsv").is_file(), "{}", run.stderr);
    }

    #[test]
    fn a_list_replaces_no_other_file() {
        let bench = Bench::empty();
        bench.write("project/a.w3d", common::faulty());
        bench.write("project/notes.tsv", "my own table");
        bench.write("project/meshwright.toml", "[check]\nbaseline = 'notes.tsv'\n");
        for arguments in [
            &["check", "project", "--write-baseline"][..],
            &["check", "project", "--write-baseline=project/notes.tsv"],
        ] {
            let run = bench.run(arguments);
            assert_eq!(run.code, Some(2), "{}", run.stderr);
            assert!(run.stderr.contains("is not a baseline, so it is not overwritten"), "{}", run.stderr);
            assert_eq!(bench.read("project/notes.tsv"), b"my own table");
        }
    }

    #[test]
    fn a_gallery_is_not_written_through_links() {
        let bench = Bench::empty();
        bench.write("in/a.w3d", w3d::sample::crate_box());
        let gallery = ["gallery", "in", "--out-dir", "site", "--size", "32"];
        for (link, target) in [("models", "elsewhere"), ("pictures", "elsewhere"), ("gallery.js", "secret")] {
            let _ = fs::remove_dir_all(bench.path("site"));
            bench.write("secret", "secret");
            fs::create_dir_all(bench.path("elsewhere")).expect("made");
            fs::create_dir_all(bench.path("site")).expect("made");
            symlink(bench.path(target), bench.path("site").join(link)).expect("linked");
            let run = bench.run(&gallery);
            assert_eq!(run.code, Some(3), "{link}: {}", run.stderr);
            assert!(run.stderr.contains("is a symbolic link"), "{}", run.stderr);
            assert_eq!(bench.read("secret"), b"secret");
            assert_eq!(fs::read_dir(bench.path("elsewhere")).expect("it is there").count(), 0);
        }
        let _ = fs::remove_dir_all(bench.path("site"));
        fs::create_dir_all(bench.path("site")).expect("made");
        make_pipe(&bench, "site/manifest.json");
        let run = bench.run(&gallery);
        assert!(run.code.is_some(), "{}", run.stderr);
    }

    #[test]
    fn links_and_pipes_are_not_packed() {
        let bench = Bench::empty();
        bench.write("in/a.w3d", w3d::sample::crate_box());
        bench.write("secret", "SECRET");
        symlink(bench.path("secret"), bench.path("in/b.txt")).expect("linked");
        symlink(bench.path("."), bench.path("in/round")).expect("linked");
        make_pipe(&bench, "in/c.w3d");
        let run = bench.run(&["pack", "in", "out.big"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(!bench.read("out.big").windows(6).any(|bytes| bytes == b"SECRET"));
        assert!(bench.run(&["ls", "out.big"]).stdout.contains("1 file"));
    }

    fn make_pipe(bench: &Bench, name: &str) {
        let made = std::process::Command::new("mkfifo").arg(bench.path(name)).status();
        assert!(made.expect("mkfifo runs").success());
    }

    #[test]
    fn a_changed_file_keeps_owner_and_mode_and_loses_the_right_to_run_as_its_owner() {
        let bench = Bench::empty();
        bench.write("a.w3d", w3d::sample::crate_box());
        let path = bench.path("a.w3d");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o6754)).expect("it is ours");
        // Only the privileged can give a file away; others keep theirs.
        let is_given = std::os::unix::fs::chown(&path, Some(12_345), Some(23_456)).is_ok();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o6754)).unwrap_or_default();
        let before = fs::metadata(&path).expect("it is there");
        assert_eq!(bench.run(&["edit", "scale", "2", "a.w3d", "--in-place"]).code, Some(0));
        let after = fs::metadata(&path).expect("it is there");
        assert_ne!(bench.read("a.w3d"), w3d::sample::crate_box());
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        assert_eq!(after.mode() & 0o7777, 0o754);
        assert!(!is_given || after.uid() == 12_345);
    }

    #[test]
    fn leftovers_of_killed_processes_are_removed() {
        let bench = Bench::empty();
        bench.write("a.w3d", w3d::sample::crate_box());
        let alive = std::process::id();
        let names = [
            // Of a process that cannot exist, of this test, young, and of somebody else.
            (".a.json.4294967295-0.part".to_owned(), true, false),
            (format!(".b.json.{alive}-0.part"), true, !cfg!(target_os = "linux")),
            (".c.json.4294967295-1.part".to_owned(), false, true),
            (".mine.part".to_owned(), true, true),
            ("d.4294967295-0.part".to_owned(), true, true),
        ];
        for (name, is_old, _) in &names {
            bench.write(&format!("out/{name}"), "half");
            if *is_old {
                let file = fs::File::options().write(true).open(bench.path(&format!("out/{name}")));
                let past = SystemTime::now() - Duration::from_secs(7200);
                file.and_then(|file| file.set_modified(past)).expect("it is ours");
            }
        }
        let run = bench.run(&["convert", "a.w3d", "--to", "json", "--out-dir", "out"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        for (name, _, stays) in names.iter().filter(|(name, ..)| !name.starts_with(".b.")) {
            assert_eq!(bench.path(&format!("out/{name}")).exists(), *stays, "{name}");
        }
        #[cfg(target_os = "linux")]
        assert!(bench.path(&format!("out/.b.json.{alive}-0.part")).exists());
        assert!(bench.path("out/a.json").exists());
    }
}
