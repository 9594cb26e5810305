//! What the verbs print, compared with files in `tests/golden`. `cargo xtask bless` rewrites them, for review.

mod output {
    use meshwright::w3d;
    use std::path::Path;

    use snapbox::assert::Action;
    use snapbox::data::DataFormat;
    use snapbox::{Assert, Data};

    use crate::common::Bench;

    fn assert_golden(text: String, path: &Path) {
        let action = if std::env::var_os("MESHWRIGHT_BLESS").is_some_and(|value| !value.is_empty()) {
            Action::Overwrite
        } else {
            Action::Verify
        };
        // Raw: brackets in our output are no patterns.
        let expected = Data::read_from(path, Some(DataFormat::Text)).raw();
        Assert::new().action(action).normalize_paths(false).eq(Data::text(text).raw(), expected);
    }

    /// Runs commands one after the other in one folder and compares all that they print.
    fn check(name: &str, commands: &[&[&str]]) {
        check_in(&Bench::with_fixtures(), name, commands);
    }

    fn check_in(bench: &Bench, name: &str, commands: &[&[&str]]) {
        let mut text = String::new();
        for words in commands {
            let run = bench.run(words);
            text += &format!("$ meshwright {}\n{}", words.join(" "), run.stdout);
            if !run.stderr.is_empty() {
                text += &format!("--- standard error\n{}", run.stderr);
            }
            text += &format!("--- exit code {}\n\n", run.code.unwrap_or(-1));
        }
        assert_golden(text, &Path::new("tests/golden").join(format!("{name}.txt")));
    }

    #[test]
    fn tree() {
        check(
            "tree",
            &[&["tree", "mwcrate.w3d"], &["tree", "damaged.w3d", "-p", "HIERARCHY", "--fields", "--hex"]],
        );
    }

    #[test]
    fn tree_with_fields() {
        check(
            "tree-fields",
            &[
                &["tree", "mwcrate.w3d", "--fields", "--path", "MESH[1]"],
                &["tree", "mwcrate.w3d", "-fa", "-p", "HIERARCHY/PIVOTS"],
            ],
        );
    }

    #[test]
    fn tree_of_a_part_that_is_not_there() {
        check(
            "tree-no-part",
            &[
                &["tree", "mwcrate.w3d", "-p", "MESH[1]/MATERIAL_PAS"],
                &["tree", "mwcrate.w3d", "-p", "NOTHING"],
            ],
        );
    }

    #[test]
    fn tree_as_json() {
        check("tree-json", &[&["tree", "--json", "--fields", "--hex", "damaged.w3d", "-p", "HIERARCHY"]]);
    }

    #[test]
    fn info() {
        check("info", &[&["info", "mwcrate.w3d", "lid.w3d"], &["info", "-v", "damaged.w3d"], &["info", "."]]);
    }

    #[test]
    fn info_for_spreadsheets_and_pages() {
        check("info-tables", &[&["info", "--csv", "."], &["info", "--md", "mwcrate.w3d"]]);
    }

    #[test]
    fn info_as_json() {
        check("info-json", &[&["info", "--json", "lid.w3d", "garbage.bin"]]);
    }

    #[test]
    fn verify() {
        check(
            "verify",
            &[&["verify", "."], &["verify", "-v", "--text", "mwcrate.w3d", "garbage.bin", "missing.w3d"]],
        );
    }

    #[test]
    fn verify_as_json() {
        check("verify-json", &[&["verify", "--json", "mwcrate.w3d", "garbage.bin"]]);
    }

    /// One model that is right, with its texture, and damaged ones in a folder each, so that they are no duplicates.
    fn bench_to_check() -> Bench {
        let bench = Bench::empty();
        bench.write("good/mwcrate.w3d", w3d::sample::crate_box());
        bench.write("cut/mwcrate.w3d", crate::common::damaged());
        bench.write("faulty/mwcrate.w3d", crate::common::faulty());
        bench.write("lid/mwcrate.w3d", crate::common::lid());
        for folder in ["good", "cut", "faulty", "lid"] {
            bench.write(&format!("{folder}/mwcrate.tga"), b"");
        }
        bench.write("garbage.bin", *b"\x7fELF\x02\x01\x01\x00 nothing of ours");
        bench
    }

    #[test]
    fn check_as_text() {
        check_in(
            &bench_to_check(),
            "check",
            &[
                &["check", "-v", "good/mwcrate.w3d"],
                &["check", "cut", "faulty", "lid", "garbage.bin", "missing.w3d"],
                &["check", "."],
                &["check", "-q", "--color=always", "faulty"],
                &["check", "--max-findings", "1", "cut", "faulty"],
                &["check", "--fix", "--dry-run", "faulty"],
                &["check", "--fix", "faulty"],
                &["check", "--explain", "w3d-mesh-005"],
                &["check", "--explain", "W3D-NOTHING-001"],
                &["check", "--deny", "W3D-NOTHING", "good"],
                &["check", "--profile", "zero", "good"],
                &["check", "--dry-run", "good"],
                &["check", "--fix", "-"],
            ],
        );
    }

    #[test]
    fn check_for_programs() {
        for format in ["json", "sarif", "github"] {
            check_in(
                &bench_to_check(),
                &format!("check-{format}"),
                &[&["check", "--format", format, "faulty", "garbage.bin", "missing.w3d"]],
            );
        }
    }

    #[test]
    fn convert() {
        check(
            "convert",
            &[
                &["convert", "lid.w3d", "-", "--to", "json"],
                &["convert", "-v", ".", "--out-dir", "text", "--to", "json"],
                &["convert", "-v", "text", "garbage.bin", "--out-dir", "again", "--to", "w3d"],
                &["convert", "text/lid.json", "text/mwcrate.json", "-o", "again", "--to", "w3d"],
                &["diff", "lid.w3d", "again/lid.w3d"],
            ],
        );
    }

    #[test]
    fn diff() {
        check(
            "diff",
            &[
                &["diff", "mwcrate.w3d", "changed.w3d"],
                &["diff", "mwcrate.w3d", "mwcrate.w3d"],
                &["diff", "mwcrate.w3d", "damaged.w3d"],
                &["diff", "mwcrate.w3d", "changed.w3d", "--epsilon", "5"],
            ],
        );
    }

    #[test]
    fn mdx() {
        check_in(
            &Bench::with_mdx(),
            "mdx",
            &[
                &["info", "."],
                &["info", "warcraft-800.mdx", "wow-1300.mdx"],
                &["tree", "warcraft-800.mdx"],
                &["tree", "warcraft-1000.mdx", "-f", "-p", "GEOS/Geoset"],
                &["verify", "--text", "."],
                &["diff", "warcraft-800.mdx", "warcraft-900.mdx"],
                &["convert", "warcraft-800.mdx", "x.w3d"],
            ],
        );
    }

    #[test]
    fn gltf() {
        check_in(
            &Bench::with_parts(),
            "gltf",
            &[
                &["info", "box.w3d", "--textures", "art"],
                &["convert", "box.w3d", "box.glb", "--textures", "art"],
                &["convert", "box.w3d", "box.gltf"],
                &["convert", "-v", "--strict", "box.w3d", "box.glb"],
                &["convert", "box.w3d", "box.glb", "--team-color", "red"],
            ],
        );
        check_in(
            &Bench::with_mdx(),
            "gltf-mdx",
            &[
                &["convert", ".", "-o", "out", "--to", "glb"],
                &["convert", "-v", "warcraft-1200.mdx", "classic.mdx", "--to-version", "800"],
            ],
        );
    }

    #[test]
    fn diff_of_folders() {
        check(
            "diff-folders",
            &[
                &["convert", "mwcrate.w3d", "changed.w3d", "lid.w3d", "-o", "old", "--to", "w3d"],
                &["convert", "changed.w3d", "old/mwcrate.w3d"],
                &["convert", "changed.w3d", "damaged.w3d", "mwcrate.w3d", "-o", "new", "--to", "w3d"],
                &["diff", "old", "new"],
                &["diff", "old", "new", "--stat", "--json"],
                &["diff", "old", "old"],
                &["diff", "old", "mwcrate.w3d"],
            ],
        );
    }

    #[test]
    fn diff_as_json() {
        check("diff-json", &[&["diff", "--json", "mwcrate.w3d", "changed.w3d"]]);
    }

    #[test]
    fn edit() {
        check(
            "edit",
            &[
                &["edit", "rename", "mesh", "LID", "COVER", "mwcrate.w3d", "--dry-run"],
                &["edit", "retexture", "mwcrate.tga", "oak.tga", ".", "--in-place"],
                &[
                    "edit",
                    "set",
                    "MESH[0]/MESH_HEADER3.attributes=HIDDEN|TWO_SIDED",
                    "lid.w3d",
                    "--output",
                    "hidden.w3d",
                ],
                &["diff", "lid.w3d", "hidden.w3d"],
                &["edit", "rename", "mesh", "LID", "A_NAME_THAT_IS_TOO_LONG", "lid.w3d", "--dry-run"],
                &["edit", "set", "MESH/MESH_HEADER3.sort=1", "lid.w3d", "--dry-run"],
                &["edit", "strip", "unknown", "lid.w3d"],
                &["edit", "scale", "0", "lid.w3d", "--dry-run"],
            ],
        );
    }

    #[test]
    fn demo() {
        check("demo", &[&["demo"]]);
    }

    /// Every verb as people see it: in a terminal, with its colours and its width; escapes are spelled out.
    #[cfg(target_os = "linux")]
    #[test]
    fn in_a_terminal() {
        let bench = Bench::with_fixtures();
        bench.write(
            "broken.mdl",
            "Version {\n\tFormatVersion 800,\n}\nModel \"Box\" {\n\tBlendTime soon,\n}\n",
        );
        let mut text = String::new();
        for (columns, words) in [
            (80, &["info", "lid.w3d"][..]),
            (60, &["info", "mwcrate.w3d", "-v"]),
            (100, &["info", "."]),
            (80, &["info", "--json", "lid.w3d"]),
            (80, &["info", "broken.mdl"]),
            (80, &["tree", "damaged.w3d", "-p", "HIERARCHY", "--fields", "--hex"]),
            (60, &["tree", "mwcrate.w3d", "-f", "-p", "MESH/MESH_HEADER3"]),
            (80, &["tree", "--json", "lid.w3d", "-p", "BOX"]),
            (80, &["verify", "-v", "--text", "mwcrate.w3d", "garbage.bin"]),
            (80, &["verify", "--json", "lid.w3d"]),
            (80, &["check", "--no-surroundings", "damaged.w3d"]),
            (80, &["check", "--format", "json", "--no-surroundings", "lid.w3d"]),
            (80, &["convert", "mwcrate.w3d", "x.glb"]),
            (80, &["convert", "-v", "mwcrate.w3d", "garbage.bin", "-o", "out", "--to", "json"]),
            (80, &["diff", "mwcrate.w3d", "changed.w3d"]),
            (80, &["diff", "--json", "mwcrate.w3d", "changed.w3d", "--stat"]),
            (80, &["edit", "rename", "mesh", "LID", "COVER", "mwcrate.w3d", "--dry-run"]),
            (80, &["edit", "retexture", "--glob", "*.tga", "*.dds", ".", "--out-dir", "dds"]),
            (60, &["help", "formats"]),
            (60, &["help", "verify"]),
            (80, &["nonsense"]),
            (80, &["--color", "never", "info", "lid.w3d"]),
        ] {
            let shown = bench.run_in_terminal(columns, words).replace('\x1b', "␛");
            text += &format!("$ meshwright {}   ({columns} columns)\n{shown}\n", words.join(" "));
        }
        assert_golden(text, Path::new("tests/golden/terminal.txt"));
    }

    /// Colours may be asked for in a pipe, too.
    #[test]
    fn colours() {
        check(
            "colours",
            &[
                &["tree", "--color", "always", "damaged.w3d", "-p", "HIERARCHY"],
                &["info", "--color=always", "lid.w3d"],
                &["info", "--color=always", "."],
                &["verify", "--color=always", "-v", "lid.w3d", "garbage.bin"],
                &["diff", "--color=always", "mwcrate.w3d", "changed.w3d"],
                &["edit", "scale", "2", "lid.w3d", "--dry-run", "--color=always"],
            ],
        );
    }

    /// Each change of `edit`, as it would be.
    #[test]
    fn every_edit_as_a_dry_run() {
        check(
            "edit-dry-run",
            &[
                &["edit", "rename", "bone", "LID", "FLAP", "mwcrate.w3d", "-n"],
                &["edit", "rename", "model", "MWCRATE", "BOX", "mwcrate.w3d", "-n"],
                &["edit", "rename", "container", "MWCRATE", "BOX", "lid.w3d", "-n"],
                &["edit", "rename", "animation", "OPEN", "SHUT", "mwcrate.w3d", "-n"],
                &["edit", "retexture", "--regex", "(.*)\\.tga", "$1.dds", "mwcrate.w3d", "-n"],
                &["edit", "scale", "2", "lid.w3d", "-n"],
                &["edit", "translate", "0,0,10", "lid.w3d", "-n"],
                &["edit", "rotate", "z", "90", "lid.w3d", "-n"],
                &["edit", "strip", "unused-textures", "lid.w3d", "-n"],
                &["edit", "strip", "user-text", "damaged.w3d", "-n"],
                &["edit", "set", "MESH[*]/MESH_HEADER3.sort_level=5", "mwcrate.w3d", "-n"],
            ],
        );
    }

    #[test]
    fn manual_and_completions() {
        let bench = Bench::empty();
        assert_golden(bench.run(&["man"]).stdout, Path::new("tests/golden/man.txt"));
        assert_golden(bench.run(&["completions", "fish"]).stdout, Path::new("tests/golden/completions.txt"));
    }

    #[test]
    fn wrong_usage() {
        check(
            "usage",
            &[
                &["verfy", "x"],
                &["info"],
                &["convert", "mwcrate.w3d"],
                &["convert", "mwcrate.w3d", "out"],
                &["convert", "mwcrate.w3d", "."],
                &["convert", "mwcrate.w3d", "x.json", "--to", "fbx"],
                &["convert", "mwcrate.w3d", "--to", "json", "-o", "-"],
                &["help", "nothing"],
                &["edit", "renam", "x"],
                &["info", "--jsn", "x"],
                &["info", "mwcarte.w3d"],
                &["info", "--as", "obj", "mwcrate.w3d"],
                &["diff", "a", "b", "--epsilon", "-1"],
            ],
        );
    }

    #[test]
    fn help_on_formats() {
        check("formats", &[&["help", "formats"]]);
    }

    /// The page of each verb in `docs/verbs` is its help.
    #[test]
    fn pages_of_the_verbs() {
        let bench = Bench::empty();
        for verb in [
            "info",
            "tree",
            "verify",
            "check",
            "convert",
            "render",
            "view",
            "diff",
            "edit",
            "ls",
            "extract",
            "pack",
            "find",
            "gallery",
            "catalog",
            "demo",
            "completions",
            "man",
            "help",
        ] {
            let run = bench.run(&["help", verb]);
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            assert!(run.stdout.contains("Examples:"), "{verb} has examples");
            let mut page = format!("# meshwright {verb}\n\n```text\n{}```\n", run.stdout);
            let changes = [
                "rename",
                "retexture",
                "scale",
                "translate",
                "rotate",
                "strip",
                "set",
                "remove",
                "keep",
                "recompute",
                "add",
                "clip",
            ];
            for change in changes.iter().filter(|_| verb == "edit") {
                let run = bench.run(&["edit", change, "--help"]);
                assert!(run.stdout.contains("Examples:"), "{change} has examples");
                page += &format!("\n## meshwright edit {change}\n\n```text\n{}```\n", run.stdout);
            }
            assert_golden(page, &Path::new("../../docs/verbs").join(format!("{verb}.md")));
        }
    }

    /// The examples of the README: each `$ meshwright ...` is run in the folder of `demo`, and what it prints stands below it.
    #[test]
    fn readme() {
        let path = Path::new("../../README.md");
        let page = std::fs::read_to_string(path).expect("there is a README");
        let bench = Bench::empty();
        assert_eq!(bench.run(&["demo", "."]).code, Some(0));
        let mut text = String::new();
        let mut in_example = false;
        for line in page.lines() {
            match line.strip_prefix("$ meshwright ") {
                Some(words) if in_example => {
                    let run = bench.run(&words.split_whitespace().collect::<Vec<_>>());
                    text += &format!("{line}\n{}{}", run.stdout, run.stderr);
                }
                _ => {
                    in_example = if in_example { line != "```" } else { line == "```console" };
                    // Within an example all else is output, which was just made anew.
                    if !in_example || line == "```console" {
                        text += &format!("{line}\n");
                    }
                }
            }
        }
        assert!(text.matches("$ meshwright ").count() >= 5, "the README has examples");
        assert_golden(text, path);
    }
}
