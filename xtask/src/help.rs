//! The list of chores.

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
    chore("test", "", "format, lints, docs, all tests and the judges; needs no file from outside"),
    chore("judges", "", "the judges alone: other readers and decoders over what we write"),
    chore("ci", "", "all that CI does: test, then corpus on ../shared/corpus if it is there"),
    chore("corpus", "DIR", "verify the real models in DIR/w3d, DIR/mdx and DIR/mdl, and judge them as glTF"),
    chore("bless", "", "rewrite the golden files from what the code does now, for review"),
    chore("fuzz", "[SECONDS]", "run every fuzz target for SECONDS (60) on nightly"),
    chore("bombs", "", "all verbs over small files that are made to exhaust memory or time"),
    chore("bench", "", "measure speed against a plain copy of the same bytes, and two workers against one"),
    chore(
        "site",
        "",
        "build the web site from docs, the reference and rustdoc in target/site, and test its links and search",
    ),
    chore("docs", "", "rewrite the generated parts of the documentation"),
    chore("help", "", "this list"),
];

/// The help, also shown in CONTRIBUTING.md.
pub(crate) fn help() -> String {
    let mut text = String::from("cargo xtask COMMAND\n\n");
    for Chore { name, arguments, about } in CHORES {
        let call = format!("{name} {arguments}");
        text.push_str(&format!("  {call:<15} {about}\n"));
    }
    text.push_str(
        "\nWith CI=true in the environment a missing judge is a failure; otherwise it is skipped.\n",
    );
    text
}
