//! The list of commands.

/// One line of the help: the command, its arguments, and what it does.
struct Chore {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
}

const fn chore(name: &'static str, arguments: &'static str, about: &'static str) -> Chore {
    Chore { name, arguments, about }
}

const CHORES: &[Chore] = &[
    chore(
        "test",
        "",
        "run format, lints, tests, doc examples and the samples, without the viewer; needs only Rust",
    ),
    chore(
        "ci",
        "[STEP...]",
        "run everything that CI runs, or these steps; corpus on ../shared/corpus if it exists",
    ),
    chore("judges", "", "run the judges only: other readers and decoders over what we write"),
    chore("corpus", "DIR", "verify the real models in DIR/w3d, DIR/mdx and DIR/mdl, and judge them as glTF"),
    chore("bless", "", "rewrite the golden files from the current output, for review"),
    chore("fuzz", "[SECONDS]", "run every fuzz target for SECONDS (60) on nightly"),
    chore("bombs", "", "run all verbs on small files that are built to exhaust memory or time"),
    chore(
        "bench",
        "[STEP]",
        "measure speed relative to copying the same bytes, and with one and two workers",
    ),
    chore(
        "python",
        "[PROFILE]",
        "build the wheel of the Python package, and test it in an empty environment",
    ),
    chore("blender", "", "build the Blender extension, and test it in Blender 4.2, 4.5 and 5.0"),
    chore(
        "site",
        "",
        "build the web site from docs, the reference and rustdoc in target/site, and test its links and search",
    ),
    chore(
        "viewer",
        "",
        "use the window and the page of the viewer with real input, and look at the pictures",
    ),
    chore("web", "", "build the page of the viewer in target/web, to be served by any web host"),
    chore("docs", "", "rewrite the generated parts of the documentation"),
    chore("release", "[TARGET]", "build the archive of a target with manual pages and completions"),
    chore("manifests", "DIR", "write checksums and package manifests for the archives in DIR"),
    chore("help", "", "print this list"),
];

/// The help, also shown in CONTRIBUTING.md.
pub(crate) fn help() -> String {
    let mut text = String::from("cargo xtask COMMAND\n\n");
    for Chore { name, arguments, about } in CHORES {
        let call = format!("{name} {arguments}");
        text.push_str(&format!("  {call:<16} {about}\n"));
    }
    text.push_str(
        "\nA judge that is not installed is skipped; with CI=true in the environment it is a failure.\n",
    );
    text
}
