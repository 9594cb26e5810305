//! The window without a window: every test presses keys and buttons and looks at what changes.

use crate::stage::{press, window};
use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use viewer::host::Request;
use viewer::pane::Object;
use viewer::state::Tab;
use viewer::{App, State};

#[test]
fn the_sample_plays_and_stops() {
    let (mut harness, _) = window(State::default());
    assert_eq!(harness.state().opened().map(|opened| opened.name()), Some("mwtank.w3d".to_owned()));
    let before = harness.state().state.time;
    harness.step();
    assert!(harness.state().state.time > before);
    harness.get_by_label("Pause").click();
    harness.step();
    harness.step();
    assert!(!harness.state().state.playing);
    press(&mut harness, Modifiers::NONE, Key::Space);
    assert!(harness.state().state.playing);
}

#[test]
fn a_clip_is_chosen_from_the_list() {
    let (mut harness, _) = window(State { tab: Tab::Clips, playing: false, ..State::default() });
    harness.get_by_label("Rest pose").click();
    harness.step();
    harness.step();
    assert_eq!(harness.state().state.clip, "none");
    press(&mut harness, Modifiers::NONE, Key::PageDown);
    let clips: Vec<String> = {
        let opened = harness.state().opened().expect("the sample");
        opened.scene.clips.iter().map(|clip| clip.name.clone()).collect()
    };
    assert_eq!(harness.state().state.clip, clips[0]);
}

#[test]
fn a_part_is_hidden_by_its_toggle() {
    let (mut harness, _) = window(State { tab: Tab::Parts, playing: false, ..State::default() });
    let name = harness.state().opened().expect("the sample").scene.meshes[0].name.clone();
    harness.get_by_role_and_label(Role::CheckBox, &format!("Show {name}")).click();
    harness.step();
    harness.step();
    assert_eq!(harness.state().panes[0].hidden.len(), 1);
    press(&mut harness, Modifiers::ALT, Key::Delete);
    assert!(harness.state().panes[0].hidden.is_empty());
}

#[test]
fn pictures_and_models_are_saved() {
    let (mut harness, saved) = window(State { playing: false, ..State::default() });
    press(&mut harness, Modifiers::NONE, Key::F12);
    press(&mut harness, Modifiers::CTRL, Key::F12);
    let context = harness.ctx.clone();
    for kind in [viewer::capture::SaveAs::Glb, viewer::capture::SaveAs::Json] {
        harness.state_mut().run(viewer::keys::Command::Save(kind), &context);
    }
    let saved = saved.lock().expect("no test panics here");
    let names: Vec<&str> = saved.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["mwtank.png", "mwtank.png", "mwtank.glb", "mwtank.json"]);
    assert!(saved[0].1.starts_with(b"\x89PNG") && saved[0].1 != saved[1].1);
    assert!(saved[2].1.starts_with(b"glTF"));
}

#[test]
fn garbage_is_an_error_and_the_last_model_stays() {
    let (mut harness, _) = window(State { playing: false, ..State::default() });
    for (name, bytes) in
        [("noise.mdx", vec![7; 100]), ("empty.w3d", Vec::new()), ("text.txt", b"hello".to_vec())]
    {
        harness.state_mut().open(Request::Files(vec![(name.to_owned(), bytes)]), false);
        harness.step();
        let app = harness.state();
        assert!(app.messages.last().is_some_and(|message| message.is_error), "{name}");
        assert_eq!(app.opened().map(|opened| opened.name()), Some("mwtank.w3d".to_owned()));
    }
    harness.state_mut().open(Request::Files(viewer::sample::files()), false);
    harness.step();
    assert!(harness.state().messages.iter().all(|message| !message.is_error));
}

#[test]
fn a_model_that_is_too_large_is_an_error_and_the_last_model_stays() {
    const TOO_LARGE: u64 = (256 << 20) + 1;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.mdx");
    let file = std::fs::File::create(&path).expect("a file");
    file.set_len(TOO_LARGE).expect("a file without content");
    let bytes = vec![0; TOO_LARGE as usize];
    for request in [Request::Paths(vec![path]), Request::Files(vec![("large.mdx".to_owned(), bytes)])] {
        let (mut harness, _) = window(State { playing: false, ..State::default() });
        harness.state_mut().open(request, false);
        harness.step();
        let app = harness.state();
        let message = app.messages.last().expect("an error");
        assert!(message.is_error && message.text.contains("large.mdx"), "{}", message.text);
        assert!(message.text.contains("too large: "), "{}", message.text);
        assert_eq!(app.opened().map(|opened| opened.name()), Some("mwtank.w3d".to_owned()));
    }
}

#[test]
fn arrow_keys_step_through_the_models() {
    let (mut harness, _) = window(State { playing: false, ..State::default() });
    let name = |harness: &Harness<'_, App>| harness.state().opened().expect("a model").name();
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert_eq!(name(&harness), "mwtower.mdx");
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert_eq!(name(&harness), "mwcrate.w3d");
    press(&mut harness, Modifiers::NONE, Key::ArrowLeft);
    assert_eq!(name(&harness), "mwtower.mdx");
}

#[test]
fn every_tab_shows_every_sample() {
    for (tab, ..) in Tab::ALL {
        let (mut harness, _) =
            window(State { tab, playing: false, names: true, bones: true, ..State::default() });
        for _ in 0..3 {
            press(&mut harness, Modifiers::NONE, Key::J);
            press(&mut harness, Modifiers::NONE, Key::ArrowRight);
        }
        assert!(harness.state().messages.is_empty(), "{tab:?}");
    }
}

#[test]
fn a_selected_part_leads_to_its_chunk() {
    let (mut harness, _) = window(State { tab: Tab::Chunks, playing: false, ..State::default() });
    press(&mut harness, Modifiers::NONE, Key::J);
    let selection = harness.state().panes[0].selection.clone();
    assert!(matches!(selection.object, Some(Object::Mesh(_))) && selection.chunk.is_some());
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(harness.state().panes[0].selection, Default::default());
}

#[test]
fn two_models_stand_side_by_side() {
    let (mut harness, _) = window(State { playing: false, ..State::default() });
    let tower = viewer::sample::files().into_iter().filter(|(name, _)| name.starts_with("mwtower")).collect();
    harness.state_mut().open(Request::Files(tower), true);
    harness.step();
    assert_eq!((harness.state().panes.len(), harness.state().active), (2, 1));
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(harness.state().panes.len(), 1);
}

#[test]
fn the_help_opens_and_closes() {
    let (mut harness, _) = window(State { playing: false, ..State::default() });
    press(&mut harness, Modifiers::NONE, Key::H);
    assert!(harness.state().help);
    harness.get_by_label("Keys and mouse");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(!harness.state().help);
}
