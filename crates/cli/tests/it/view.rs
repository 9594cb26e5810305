//! `view` starts the viewer, a separate program, with all its arguments.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a copy of the program in a folder where no other program is found.
fn view(folder: &Path, arguments: &[&str]) -> Output {
    let program = folder.join("meshwright");
    if !program.exists() {
        fs::copy(env!("CARGO_BIN_EXE_meshwright"), &program).expect("a copy of the program");
    }
    let run =
        Command::new(program).arg("view").args(arguments).env("PATH", folder).current_dir(folder).output();
    run.expect("the program starts")
}

/// One test, because a program that another thread has just written may be busy.
#[test]
fn the_viewer_is_started_with_all_arguments_or_a_line_says_how_to_install_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = view(folder.path(), &["tank.w3d"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("cargo install meshwright-viewer"), "{text}");
    let viewer = folder.path().join("meshwright-viewer");
    fs::write(&viewer, "#!/bin/sh\necho \"$@\"\n[ \"$1\" != broken.w3d ]\n").expect("a script");
    fs::set_permissions(&viewer, fs::Permissions::from_mode(0o755)).expect("a temporary file");
    let output = view(folder.path(), &["a b.mdx", "--clip", "Stand - 1", "--no-play"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a b.mdx --clip Stand - 1 --no-play\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(view(folder.path(), &["broken.w3d"]).status.code(), Some(3));
}
