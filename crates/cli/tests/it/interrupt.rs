//! Ctrl-C in a terminal.
#![cfg(target_os = "linux")]

use meshwright::w3d;
use std::fs::File;
use std::io::Read;
use std::process::Command;

use crate::common::Bench;

#[test]
fn an_interrupt_removes_the_progress_bar() {
    let bench = Bench::empty();
    let model = w3d::sample::large_mesh(20_000);
    for at in 0..60 {
        bench.write(&format!("in/{at:02}.w3d"), &model);
    }
    let (mut child, mut terminal) = bench.start_in_terminal(80, &["verify", "--text", "in"]);
    let mut shown = String::new();
    let mut interrupted = false;
    while let Some(text) = next(&mut terminal) {
        shown += &text;
        if !interrupted && shown.contains("/60 files, ") {
            let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            assert!(kill.expect("there is a kill").success());
            interrupted = true;
        }
    }
    assert!(interrupted, "no progress bar: {shown:?}");
    assert_eq!(child.wait().expect("the program ends").code(), Some(130), "{shown:?}");
    let last = shown.trim_end_matches(['\r', '\n']);
    assert!(last.ends_with("\x1b[K"), "the line is cleared last: {last:?}");
    // The bar is on one line from beginning to end: nothing was ever drawn below it.
    assert!(!shown.contains('\n'), "{shown:?}");
    let rate = shown.split(" files, ").nth(1).expect("a rate follows the number of files");
    let rate = rate.split(" files/s").next().expect("files per second");
    assert!(rate.chars().all(|it| it.is_ascii_digit() || it == ',' || it == '.'), "{rate}");
    assert!(rate.split('.').nth(1).is_none_or(|digits| digits.len() == 1), "{rate}");
}

/// What the terminal shows next; reading fails once nobody writes any more.
fn next(terminal: &mut File) -> Option<String> {
    let mut bytes = [0; 4096];
    let read = terminal.read(&mut bytes).ok().filter(|read| *read > 0)?;
    Some(String::from_utf8_lossy(&bytes[..read]).into_owned())
}
