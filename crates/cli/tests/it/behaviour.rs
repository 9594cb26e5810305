//! What the program does to files and to those who call it: exit codes, pipes, writing whole files.

use meshwright::w3d;
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{self, Bench};

#[test]
fn exit_codes() {
    let bench = Bench::with_fixtures();
    for (words, code) in [
        (&["info", "mwcrate.w3d"][..], 0),
        (&["info", "damaged.w3d"], 0),
        (&["--version"], 0),
        (&["help"], 0),
        (&["diff", "mwcrate.w3d", "changed.w3d"], 1),
        (&[], 2),
        (&["nonsense"], 2),
        (&["info", "--nonsense", "mwcrate.w3d"], 2),
        (&["info", "-j", "0", "mwcrate.w3d"], 2),
        (&["info", "missing.w3d"], 3),
        (&["tree", "missing.w3d"], 3),
        (&["verify", "missing.w3d"], 3),
        (&["convert", "missing.w3d", "x.json"], 3),
        (&["diff", "mwcrate.w3d", "missing.w3d"], 3),
        (&["info", "garbage.bin"], 3),
        (&["tree", "garbage.bin"], 3),
        (&["verify", "garbage.bin"], 3),
        (&["convert", "garbage.bin", "x.json"], 3),
        (&["verify", "*.nothing"], 3),
    ] {
        let run = bench.run(words);
        assert_eq!(run.code, Some(code), "{words:?}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn one_bad_file_does_not_stop_the_rest() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["info", "garbage.bin", "mwcrate.w3d"]);
    assert!(run.stdout.contains("MWCRATE.BODY"), "{}", run.stdout);
    assert!(run.stderr.contains("garbage.bin") && run.stderr.contains("at byte 0"), "{}", run.stderr);
    let run = bench.run(&["convert", "garbage.bin", "mwcrate.w3d", "-o", "out", "--to", "json"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("2 files, 1 converted, 1 failed"), "{}", run.stderr);
    assert!(bench.files().contains(&"out/mwcrate.json".to_owned()));
}

/// Hostile files: a clear message or diagnostic with its offset, and quickly.
#[test]
fn hostile_files() {
    let bench = Bench::empty();
    let mut deep = Vec::new();
    for _ in 0..10_000 {
        let size = deep.len() as u32 | 0x8000_0000;
        deep = [&0_u32.to_le_bytes()[..], &size.to_le_bytes(), &deep].concat();
    }
    // 20 bytes: a mesh that declares 2 GiB - 1, with and without the container bit.
    let huge = |word: u32| [&0_u32.to_le_bytes()[..], &word.to_le_bytes(), &[1; 12]].concat();
    bench.write("deep.w3d", deep);
    bench.write("huge.w3d", huge(0xFFFF_FFFF));
    bench.write("huge-leaf.w3d", huge(0x7FFF_FFFF));
    bench.write("empty.w3d", []);
    let started = Instant::now();
    for (file, code) in [
        ("deep.w3d", "W3D-PART-004"),
        ("huge.w3d", "W3D-FRAME-001"),
        ("huge-leaf.w3d", "W3D-FRAME-001"),
        ("empty.w3d", "W3D-FILE-001"),
    ] {
        let tree = bench.run(&["tree", file]);
        assert_eq!(tree.code, Some(0), "{}", tree.stderr);
        assert!(tree.stdout.contains(code), "{file}: {}", tree.stdout);
        let info = bench.run(&["info", "-v", file]);
        assert_eq!(info.code, Some(0), "{}", info.stderr);
        assert!(info.stdout.contains(&format!("[{code}] at byte ")), "{file}: {}", info.stdout);
    }
    let verify = bench.run(&["verify", "--text", "."]);
    assert_eq!(verify.stdout, "4 files, 4 identical, 0 differ, 0 unreadable\n");

    bench.write("short.w3d", b"abc");
    bench.write("shockwave.w3d", b"IFX\0\0\0\0\0\0\0\0\0");
    bench.write(
        "noise.w3d",
        (0..5000_u32)
            .flat_map(|at| at.wrapping_mul(2_654_435_761).wrapping_add(99).to_le_bytes())
            .collect::<Vec<_>>(),
    );
    for file in ["short.w3d", "shockwave.w3d", "noise.w3d"] {
        for verb in ["tree", "info"] {
            let run = bench.run(&[verb, file]);
            assert_eq!(run.code, Some(3), "{file}: {}", run.stdout);
            assert!(run.stderr.contains("at byte 0"), "{file}: {}", run.stderr);
        }
    }
    assert!(started.elapsed() < Duration::from_secs(10), "took {:?}", started.elapsed());
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let bench = Bench::empty();
    // More than fits into a pipe.
    bench.write("large.w3d", w3d::sample::large_mesh(20_000));
    for words in [
        &["tree", "-fa", "large.w3d"][..],
        &["convert", "large.w3d", "-", "--to", "json"],
        &["tree", "-fa", "--json", "large.w3d"],
    ] {
        let mut child = bench
            .command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdout = child.stdout.take().expect("standard output is piped");
        stdout.read_exact(&mut [0; 1]).expect("there is output");
        drop(stdout);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    }
}

#[test]
fn standard_input_and_output() {
    let bench = Bench::empty();
    let model = w3d::sample::crate_box();
    let json = bench.run_with(&["convert", "-", "-", "--to", "json"], &model);
    assert_eq!(json.status.code(), Some(0));
    let back = bench.run_with(&["convert", "-", "-", "--to", "w3d"], &json.stdout);
    assert_eq!(back.stdout, model);
    let verify = bench.run_with(&["verify", "-"], &model);
    assert_eq!(verify.stdout, b"1 file, 1 identical, 0 differ, 0 unreadable\n");
    let garbage = bench.run_with(&["info", "-"], b"garbage");
    assert_eq!(garbage.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&garbage.stderr).contains("standard input"));
    assert_eq!(bench.files(), [""; 0]);
}

#[test]
fn an_input_is_never_written_over_unless_forced() {
    let bench = Bench::with_fixtures();
    let before = bench.read("mwcrate.w3d");
    for words in [
        &["convert", "mwcrate.w3d", "mwcrate.w3d", "--to", "json"][..],
        &["convert", "mwcrate.w3d", "./mwcrate.w3d", "--to", "json"],
        &["convert", "mwcrate.w3d", "lid.w3d", "--out-dir", ".", "--to", "w3d"],
    ] {
        let run = bench.run(words);
        assert_eq!(run.code, Some(2), "{words:?}");
        assert!(run.stderr.contains("--force"), "{}", run.stderr);
        assert_eq!(bench.read("mwcrate.w3d"), before);
    }
    let run = bench.run(&["convert", "mwcrate.w3d", "mwcrate.w3d", "--to", "json", "--force"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(bench.read("mwcrate.w3d").starts_with(b"{\"format\": \"w3d\""));
    // The content decides what it is now, whatever its name.
    let run = bench.run(&["convert", "mwcrate.w3d", "again.w3d"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(bench.read("again.w3d"), before);
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let bench = Bench::with_fixtures();
    let before = bench.files();
    // A file stands where a folder is needed: nobody, not even the administrator, can write there.
    let run = bench.run(&["convert", "mwcrate.w3d", "garbage.bin/out.json"]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("garbage.bin"), "{}", run.stderr);
    let run = bench.run(&["convert", "mwcrate.w3d", "lid.w3d", "-o", "garbage.bin", "--to", "json"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("2 files, 0 converted, 2 failed"), "{}", run.stderr);
    let run = bench.run(&["demo", "garbage.bin"]);
    assert_eq!(run.code, Some(3));
    assert_eq!(bench.files(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_told() {
    let bench = Bench::with_fixtures();
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("Linux has a device that is always full");
    let output = bench.command(&["tree", "mwcrate.w3d"]).stdout(full).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"));
}

/// No disk can be filled by a test that anybody may run. A limit on the size of files makes the same call fail at the same place.
#[cfg(unix)]
#[test]
fn a_write_that_fails_half_way_leaves_nothing_behind() {
    let bench = Bench::with_fixtures();
    bench.write("large.w3d", w3d::sample::large_mesh(5_000));
    bench.write("large/again.w3d", w3d::sample::large_mesh(5_000));
    let contents = |bench: &Bench| -> Vec<_> {
        bench.files().into_iter().map(|file| (bench.read(&file), file)).collect()
    };
    let before = contents(&bench);
    for words in [
        &["convert", "large.w3d", "out.json"][..],
        &["convert", "large.w3d", "mwcrate.w3d", "--to", "json"],
        &["convert", "large", "-o", "large", "--to", "glb"],
        &["edit", "scale", "2", "large.w3d", "--in-place"],
        &["edit", "scale", "2", "large.w3d", "--output", "mwcrate.w3d"],
        &["edit", "scale", "2", "large.w3d", "large", "--in-place", "-j", "2"],
    ] {
        // The unit is 512 or 1024 bytes; the models are larger than 16 of either.
        let run = bench.run_after("trap '' XFSZ; ulimit -f 16", words);
        assert_eq!(run.code, Some(3), "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains("cannot write: "), "{words:?}: {}", run.stderr);
        assert!(contents(&bench) == before, "{words:?} left something behind");
    }
}

/// Linux has a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_called_by_its_name() {
    let bench = Bench::with_fixtures();
    std::os::unix::fs::symlink("/dev/full", bench.path("full.json")).expect("links can be made");
    let run = bench.run(&["convert", "mwcrate.w3d", "full.json"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("full.json: cannot write: "), "{}", run.stderr);
    assert!(run.stderr.contains("the disk is full"), "{}", run.stderr);
    assert!(bench.path("full.json").is_symlink());
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_read_only_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::with_fixtures();
    bench.write("locked/lid.w3d", common::lid());
    let locked = bench.path("locked");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).expect("it is ours");
    // Permissions do not stop an administrator; that nothing can be made in /sys does.
    let is_locked = std::fs::write(locked.join("probe"), b"").is_err();
    let folder = if is_locked { "locked" } else { "/sys/kernel" };
    let mut commands = vec![
        vec!["convert".to_owned(), "mwcrate.w3d".to_owned(), format!("{folder}/out.json")],
        ["convert", "mwcrate.w3d", "lid.w3d", "--to", "json", "-o", folder].map(str::to_owned).to_vec(),
        ["edit", "scale", "2", "mwcrate.w3d", "--out-dir", folder].map(str::to_owned).to_vec(),
    ];
    if is_locked {
        commands.push(["edit", "scale", "2", "locked", "--in-place"].map(str::to_owned).to_vec());
    }
    for words in commands {
        let run = bench.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(run.code, Some(3), "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(folder) && run.stderr.contains("cannot write: "), "{}", run.stderr);
    }
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
}

/// What is replaced keeps who may read it.
#[cfg(unix)]
#[test]
fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::with_fixtures();
    let path = bench.path("mwcrate.w3d");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("it is ours");
    assert_eq!(bench.run(&["edit", "scale", "2", "mwcrate.w3d", "-i"]).code, Some(0));
    let mode = std::fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

/// Memory is bounded by the largest file and the number of workers, not by the number of files. Keeping only a summary of each
/// took more than a hundred megabytes for as many files as these.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_files() {
    const FILES: usize = 3_000;
    let bench = Bench::empty();
    // Links to one file take no room on the disk; a folder holds few, so that its listing is small, too.
    bench.write("model.w3d", w3d::sample::crate_box().repeat(3));
    for at in 0..FILES {
        let folder = bench.path(&format!("in/{}", at / 500));
        std::fs::create_dir_all(&folder).expect("folders can be made");
        std::fs::hard_link(bench.path("model.w3d"), folder.join(format!("{at:04}.w3d")))
            .expect("links can be made");
    }
    for words in [
        &["info", "in"][..],
        &["info", "--json", "in"],
        &["info", "--csv", "in"],
        &["info", "--md", "in"],
        &["verify", "--json", "-v", "in"],
        &["diff", "--json", "in", "in"],
        &["edit", "retexture", "mwcrate.tga", "oak.tga", "in", "--dry-run"],
        &["edit", "retexture", "mwcrate.tga", "oak.tga", "in", "--out-dir", "out"],
        &["convert", "in", "--out-dir", "out", "--to", "mdx"],
        &["tree", "--json", "in"],
    ] {
        let words = [words, if words[0] == "tree" { &[] } else { &["-j", "2"] }].concat();
        let (run, peak) = bench.run_measured(&words);
        let last = run.stderr.lines().last().unwrap_or_default();
        assert_eq!(run.code, Some(0), "{words:?}: {last}");
        assert!(!run.stdout.is_empty() || last.contains("3,000"), "{words:?}: {last}");
        assert!((1..40_000).contains(&peak), "{words:?}: {peak} kB");
    }
}

#[test]
fn many_files_keep_their_places_and_their_names_apart() {
    let bench = Bench::empty();
    let model = w3d::sample::crate_box();
    for name in [
        "in/a/tank.w3d",
        "in/b/TANK.W3D",
        "in/b/same.w3d",
        "in/b/same.wlt",
        "in/c.w3d~fd8ca6a3",
        "in/readme.txt",
    ] {
        bench.write(name, &model);
    }
    let run = bench.run(&["convert", "in", "--out-dir", "out", "--to", "json", "-j", "2"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "5 files, 5 converted, 0 failed\n");
    let made: Vec<_> = bench.files().into_iter().filter(|file| file.starts_with("out")).collect();
    assert_eq!(
        made,
        ["out/a/tank.json", "out/b/TANK.json", "out/b/same.w3d.json", "out/b/same.wlt.json", "out/c.json"]
    );
}

/// The text forms in a folder are taken only when asked for: JSON may be anything.
#[test]
fn folders_of_text_forms() {
    let bench = Bench::with_fixtures();
    assert_eq!(bench.run(&["convert", ".", "-o", "text", "--to", "json"]).code, Some(0));
    assert_eq!(bench.run(&["convert", "text", "-o", "again", "--to", "w3d"]).code, Some(3));
    let run = bench.run(&["convert", "text", "--as", "json", "-o", "again", "--to", "w3d"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for file in ["mwcrate.w3d", "damaged.w3d", "lid.w3d", "changed.w3d"] {
        assert_eq!(bench.read(&format!("again/{file}")), bench.read(file), "{file}");
    }
}

/// Devices and links are written to; they are not replaced by files.
#[cfg(unix)]
#[test]
fn devices_and_links_stay_what_they_are() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["convert", "mwcrate.w3d", "/dev/null", "--to", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!std::path::Path::new("/dev/null").is_file());
    bench.write("target.json", "old");
    std::os::unix::fs::symlink("target.json", bench.path("link.json")).expect("links can be made");
    let run = bench.run(&["convert", "mwcrate.w3d", "link.json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(bench.path("link.json").is_symlink());
    assert!(bench.read("target.json").starts_with(b"{\"format\""));
}

#[test]
fn globs_and_suggestions() {
    let bench = Bench::with_fixtures();
    bench.write("deep/er/TANK.W3D", w3d::sample::crate_box());
    let run = bench.run(&["verify", "**/*.w3d"]);
    assert_eq!(run.stdout, "5 files, 5 identical, 0 differ, 0 unreadable\n");
    #[cfg(unix)]
    {
        // A link that leads back up is not followed.
        std::os::unix::fs::symlink("..", bench.path("deep/up")).expect("links can be made");
        let run = bench.run(&["verify", "deep"]);
        assert_eq!(run.stdout, "1 file, 1 identical, 0 differ, 0 unreadable\n");
    }
    let run = bench.run(&["info", "deep/er/tank.wtm"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("did you mean deep/er/TANK.W3D?"), "{}", run.stderr);
    for (mistyped, meant) in [
        ("mwcarte.w3d", "mwcrate.w3d"),
        ("mwcrate.w3", "mwcrate.w3d"),
        ("dep", "deep"),
        ("lib.w3d", "lid.w3d"),
    ] {
        let run = bench.run(&["info", mistyped]);
        assert!(run.stderr.contains(&format!("did you mean {meant}?")), "{}", run.stderr);
    }
    assert!(!bench.run(&["info", "something.else"]).stderr.contains("did you mean"));
}

#[test]
fn colours_only_when_wanted() {
    let bench = Bench::with_fixtures();
    let has_colours = |output: &[u8]| output.contains(&0x1b);
    assert!(!has_colours(&bench.command(&["info", "lid.w3d"]).output().expect("it runs").stdout));
    let forced = bench.command(&["info", "lid.w3d", "--color", "always"]).output().expect("it runs");
    assert!(has_colours(&forced.stdout));
    let never = bench.command(&["info", "lid.w3d", "--color", "never"]).env("CLICOLOR_FORCE", "1").output();
    assert!(!has_colours(&never.expect("it runs").stdout));
}

#[test]
fn quiet_and_machine_readable_output() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["convert", "-q", ".", "-o", "out", "--to", "json"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    for words in [
        &["info", "--json", "mwcrate.w3d", "lid.w3d"][..],
        &["tree", "--json", "--fields", "--all", "mwcrate.w3d"],
        &["verify", "--json", "."],
        &["diff", "--json", "mwcrate.w3d", "changed.w3d"],
    ] {
        let run = bench.run(words);
        assert!(serde_json::from_str::<serde_json::Value>(&run.stdout).is_ok(), "{words:?}: {}", run.stdout);
    }
}

#[test]
fn completions_and_manual() {
    let bench = Bench::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = bench.run(&["completions", shell]);
        assert_eq!(run.code, Some(0));
        assert!(run.stdout.contains("meshwright") && run.stdout.contains("verify"), "{shell}");
    }
    let run = bench.run(&["man", "convert"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains(".TH") && run.stdout.contains("\\-\\-out\\-dir"));
}

/// An interrupt in the middle of a batch: whole files or none.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_half_written_file() {
    let bench = Bench::empty();
    let model = w3d::sample::large_mesh(30_000);
    for at in 0..24 {
        bench.write(&format!("in/{at:02}.w3d"), &model);
    }
    let mut child = bench
        .command(&["convert", "in", "-o", "out", "--to", "json"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let out = bench.path("out");
    while !out.exists() && child.try_wait().expect("the program can be asked").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("there is a kill").success(), "the batch was over before it could be interrupted");
    let status = child.wait().expect("the program ends");
    assert_eq!(status.code(), Some(130));
    let made: Vec<_> = bench.files().into_iter().filter(|file| file.starts_with("out/")).collect();
    assert!(made.len() < 24, "the batch was over before it could be interrupted");
    let whole = w3d::W3d::parse(&model).expect("the sample can be read").to_json();
    for file in made {
        assert!(file.ends_with(".json"), "{file}");
        assert_eq!(bench.read(&file).len(), whole.len(), "{file}");
    }
}

#[test]
fn edits_in_place_replace_whole_files_and_can_be_undone() {
    let bench = Bench::with_fixtures();
    let before = bench.read("mwcrate.w3d");
    let garbage = bench.read("garbage.bin");
    let files = bench.files();
    let run =
        bench.run(&["edit", "rename", "mesh", "LID", "COVER", "mwcrate.w3d", "garbage.bin", "--in-place"]);
    assert_eq!(run.code, Some(3), "one file cannot be read");
    assert!(run.stderr.contains("2 files, 1 changed, 0 unchanged, 1 failed"), "{}", run.stderr);
    assert_ne!(bench.read("mwcrate.w3d"), before);
    assert_eq!(bench.read("garbage.bin"), garbage);
    assert_eq!(bench.files(), files, "nothing is left behind");
    assert_eq!(bench.run(&["verify", "mwcrate.w3d"]).code, Some(0));
    let run = bench.run(&["edit", "rename", "mesh", "COVER", "LID", "mwcrate.w3d", "-i"]);
    assert_eq!((run.code, bench.read("mwcrate.w3d")), (Some(0), before));
}

#[test]
fn a_dry_run_and_a_refused_change_write_nothing() {
    let bench = Bench::with_fixtures();
    let before = bench.read("mwcrate.w3d");
    for (words, code) in [
        (&["edit", "scale", "2", "mwcrate.w3d", "--dry-run"][..], 0),
        (&["edit", "rename", "mesh", "LID", "BODY", "mwcrate.w3d", "-i"], 3),
        (&["edit", "scale", "1,2,3", "mwcrate.w3d", "-i"], 3),
        (&["edit", "rename", "mesh", "NOBODY", "X", "mwcrate.w3d", "-i"], 1),
        (&["edit", "retexture", "--regex", "(", "x", "mwcrate.w3d", "-i"], 2),
        (&["edit", "translate", "1,2", "mwcrate.w3d", "-i"], 2),
        (&["edit", "scale", "2", "mwcrate.w3d"], 2),
        (&["edit", "scale", "2", "mwcrate.w3d", "-i", "-n"], 2),
        (&["edit", "scale", "2", "mwcrate.w3d", "lid.w3d", "--output", "x.w3d"], 2),
        (&["edit", "scale", "2", "mwcrate.w3d", "--output", "mwcrate.w3d"], 2),
        (&["edit", "scale", "2", "-", "-i"], 2),
        (&["edit", "set", "nonsense", "mwcrate.w3d", "-i"], 2),
    ] {
        let run = bench.run(words);
        assert_eq!(run.code, Some(code), "{words:?}: {}{}", run.stdout, run.stderr);
        assert_eq!(bench.read("mwcrate.w3d"), before, "{words:?}");
    }
    assert!(!bench.files().contains(&"x.w3d".to_owned()));
}

#[test]
fn a_name_that_nothing_has_is_answered_with_those_that_there_are() {
    let bench = Bench::with_fixtures();
    for (words, hint) in [
        (&["rename", "mesh", "LIT", "X"][..], r#"no mesh named "LIT"; did you mean "LID"?"#),
        (&["rename", "mesh", "NOBODY", "X"], r#"no mesh named "NOBODY"; did you mean "BODY"?"#),
        (&["rename", "bone", "unheard of", "X"], r#"no bone named "unheard of"; available: "#),
        (&["rename", "animation", "Stand", "X"], r#"no animation named "Stand"; available: "#),
        (&["retexture", "oak.tga", "ash.tga"], r#"no texture named "oak.tga"; available: "#),
        (&["retexture", "--glob", "oak*", "ash.tga"], r#"no texture matches "oak*"; available: "#),
    ] {
        let run = bench.run(&[&["edit"], words, &["mwcrate.w3d", "--dry-run"]].concat());
        assert_eq!(run.code, Some(1), "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(hint), "{words:?}: {}", run.stderr);
    }
    // A name that is found needs no hint.
    let run = bench.run(&["edit", "rename", "mesh", "lid", "X", "mwcrate.w3d", "--dry-run"]);
    assert!(!run.stderr.contains(" named "), "{}", run.stderr);
}

/// Outputs that lie there from an earlier run are no inputs, however many there are.
#[test]
fn a_run_may_be_repeated() {
    let bench = Bench::empty();
    for at in 0..300 {
        bench.write(&format!("in/{at}.w3d"), w3d::sample::crate_box());
    }
    for _ in 0..2 {
        let run = bench.run(&["edit", "scale", "2", "in", "--out-dir", "out"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let run = bench.run(&["convert", "in", "-o", "out", "--to", "w3d"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let run = bench.run(&["edit", "scale", "2", "in", "--out-dir", "in"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("is an input"), "{}", run.stderr);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("in", bench.path("link")).expect("links can be made");
        let run = bench.run(&["convert", "in", "-o", "link", "--to", "w3d"]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("is an input"), "{}", run.stderr);
    }
}

#[test]
fn several_fields_are_set_at_once() {
    let bench = Bench::with_fixtures();
    let words = ["edit", "set", "MESH[*]/MESH_HEADER3.sort_level=5", "--and", "HLOD/HLOD_HEADER.lod_count=2"];
    let run = bench.run(&[&words[..], &["mwcrate.w3d", "--dry-run"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout.matches("sort_level 0 -> 5").count(), 2, "{}", run.stdout);
    assert_eq!(run.stdout.matches("lod_count 1 -> 2").count(), 1, "{}", run.stdout);
}

/// One file of many that lacks the part does not stop the rest.
#[test]
fn a_part_that_not_all_files_have() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["tree", ".", "-p", "HIERARCHY"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout.matches("HIERARCHY \"MWCRATE\"").count(), 3, "{}", run.stdout);
    assert_eq!(run.stderr, "4 files, 1 without HIERARCHY, 0 unreadable\n");
}

#[test]
fn edited_models_go_to_a_folder_or_to_standard_output() {
    let bench = Bench::empty();
    bench.write("art/a/one.w3d", w3d::sample::crate_box());
    bench.write("art/two.w3d", common::lid());
    let run = bench.run(&["edit", "translate", "-1,0,0", "art", "--out-dir", "moved", "-j", "2"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(bench.files(), ["art/a/one.w3d", "art/two.w3d", "moved/a/one.w3d", "moved/two.w3d"]);
    let words = ["edit", "retexture", "--glob", "mw*.tga", "oak*.dds", "-", "--output", "-"];
    let run = bench.run_with(&words, &w3d::sample::crate_box());
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert_eq!(text.matches("oakcrate.dds").count(), 2);
}

#[test]
fn files_that_are_no_models_are_named() {
    let bench = Bench::empty();
    bench.write("pointer.w3d", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n");
    bench.write("skin.mdx", *b"BLP1\0\0\0\0");
    bench.write("scene.json", r#"{"asset": {"version": "2.0"}}"#);
    bench.write("skin.w3d", *b"DDS \x7c\0\0\0");
    bench.write("all.w3d", *b"BIGF\0\0\0\x10");
    for (file, message) in [
        ("pointer.w3d", "a Git LFS pointer, not a model"),
        ("skin.mdx", "a BLP texture, not a model"),
        ("scene.json", "a glTF file, not a model"),
        ("skin.w3d", "a DDS texture, not a model"),
        ("all.w3d", "a BIG archive, not a model"),
    ] {
        // `info` describes glTF files, too.
        let verbs = ["verify", "check", "tree", "info"];
        for verb in &verbs[..if file == "scene.json" { 3 } else { 4 }] {
            let run = bench.run(&[verb, file]);
            assert_eq!(run.code, Some(3), "{verb} {file}");
            let text = run.stdout + &run.stderr;
            assert!(text.contains(message), "{verb} {file}: {text}");
        }
    }
    let run = bench.run(&["info", "pointer.w3d"]);
    assert!(run.stderr.contains("git lfs pull"), "{}", run.stderr);
}

#[test]
fn data_of_a_map_is_not_taken_for_a_model() {
    let bench = Bench::empty();
    bench.write("map/war3map.w3d", *b"\x02\0\0\0\0\0\0\0");
    bench.write("map/crate.w3d", w3d::sample::crate_box());
    let run = bench.run(&["verify", "map"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    // Who names it gets the reason.
    assert_eq!(bench.run(&["verify", "map/war3map.w3d"]).code, Some(3));
}

#[cfg(unix)]
#[test]
fn pipes_and_links_out_of_a_folder_are_skipped() {
    let bench = Bench::empty();
    bench.write("outside/crate.w3d", w3d::sample::crate_box());
    bench.write("folder/crate.w3d", w3d::sample::crate_box());
    let made = std::process::Command::new("mkfifo").arg(bench.path("folder/pipe.w3d")).status();
    assert!(made.is_ok_and(|status| status.success()));
    std::os::unix::fs::symlink(bench.path("outside/crate.w3d"), bench.path("folder/out.w3d"))
        .expect("linked");
    std::os::unix::fs::symlink("crate.w3d", bench.path("folder/in.w3d")).expect("linked");
    let run = bench.run(&["verify", "folder"]);
    assert!(run.stdout.contains("2 files, 2 identical"), "{}", run.stdout);
    let run = bench.run(&["verify", "folder/pipe.w3d"]);
    assert_eq!(run.code, Some(3));
    assert!((run.stdout + &run.stderr).contains("a named pipe"));
    // Who names a link means where it leads.
    assert_eq!(bench.run(&["verify", "folder/out.w3d"]).code, Some(0));
}
