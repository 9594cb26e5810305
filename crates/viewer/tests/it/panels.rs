//! Each panel: what its buttons and lists change.

use crate::stage::{press, window};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use viewer::host::Request;
use viewer::pane::Object;
use viewer::state::{LoopMode, Tab};
use viewer::{App, State};

fn with_tab(tab: Tab) -> Harness<'static, App> {
    window(State { tab, playing: false, ..State::default() }).0
}

fn click(harness: &mut Harness<'_, App>, label: &str) {
    harness.get_by_label(label).click();
    harness.step();
    harness.step();
}

#[test]
fn display_changes_the_picture() {
    let mut harness = with_tab(Tab::Display);
    for label in ["Grid", "Bones", "Names", "Attachment points", "Collision shapes", "Extents", "Normals"] {
        click(&mut harness, label);
    }
    let state = &harness.state().state;
    assert!(state.grid && state.bones && state.names && state.attachments && state.collision);
    assert!(state.extents && state.normals);
    let blue = &meshwright::scene::team_color::WARCRAFT[1];
    click(&mut harness, &format!("Team colour {}", blue.name));
    click(&mut harness, "Black");
    click(&mut harness, "Top");
    let state = &harness.state().state;
    assert_eq!((state.team_color, state.background), (Some(blue.color), [0; 3]));
    assert!((state.orbit.pitch - 90.0).abs() < 1.5, "{}", state.orbit.pitch);
}

#[test]
fn effects_are_turned_off_one_by_one() {
    let mut harness = with_tab(Tab::Parts);
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    let names: Vec<String> = {
        let scene = &harness.state().opened().expect("the watchtower").scene;
        scene.emitters.iter().map(|emitter| format!("{} (emitter)", emitter.name)).collect()
    };
    let name = names.first().expect("an emitter").clone();
    harness.get_by_role_and_label(Role::CheckBox, &name).scroll_to_me();
    harness.step();
    harness.get_by_role_and_label(Role::CheckBox, &name).click();
    harness.step();
    harness.step();
    assert_eq!(harness.state().panes[0].without.len(), 1);
    click(&mut harness, "Show all");
    assert!(harness.state().panes[0].without.is_empty());
}

#[test]
fn the_list_of_chunks_scrolls_to_what_is_selected() {
    let mut harness = with_tab(Tab::Chunks);
    press(&mut harness, Modifiers::NONE, Key::U);
    let pane = &harness.state().panes[0];
    let chunk = pane.selection.chunk.clone().expect("the chunk of the last part");
    let root = pane.opened.model.as_ref().expect("a W3D file").document().root();
    let rows = viewer::chunks::rows(root, &pane.open_chunks);
    let at = rows.iter().position(|row| row.is_chunk(Some(&chunk))).expect("its row");
    let viewer::chunks::Row::Chunk { name, .. } = &rows[at] else { panic!("a chunk") };
    let name = name.clone();
    assert!(harness.query_all_by_label(&name).count() > 0, "{name} is visible");
    // A chunk selects what was read from it.
    click(&mut harness, &name);
    assert!(matches!(harness.state().panes[0].selection.object, Some(Object::Mesh(_))));
}

#[test]
fn textures_are_shown_in_parts() {
    let mut harness = with_tab(Tab::Textures);
    let name = harness.state().opened().expect("the sample").scene.textures[0].name.clone();
    harness.query_all_by_label(&name).next().expect("its row").click();
    harness.step();
    harness.step();
    assert!(matches!(harness.state().panes[0].selection.object, Some(Object::Texture(_))));
    for part in ["Colour only", "Alpha only", "With alpha", "Texture coordinates"] {
        click(&mut harness, part);
    }
    assert!(harness.query_all_by_label_contains(" x ").count() > 0, "the size of the texture");
    assert!(harness.state().messages.is_empty());
}

#[test]
fn a_missing_texture_leads_to_the_textures() {
    let mut harness = with_tab(Tab::Problems);
    let tank: Vec<_> = viewer::sample::files().into_iter().filter(|(name, _)| name == "mwtank.w3d").collect();
    harness.state_mut().open(Request::Files(tank), false);
    harness.step();
    let missing = harness.state().opened().expect("the tank").missing.clone();
    let problem = missing.iter().find(|problem| problem.texture.is_some()).expect("a missing texture");
    click(&mut harness, &problem.message);
    assert_eq!(harness.state().state.tab, Tab::Textures);
    assert!(matches!(harness.state().panes[0].selection.object, Some(Object::Texture(_))));
}

#[test]
fn statistics_name_what_draws() {
    let harness = with_tab(Tab::Statistics);
    for label in ["Triangles", "Bones", "Drawn by", "the processor"] {
        assert!(harness.query_all_by_label(label).count() > 0, "{label}");
    }
}

#[test]
fn the_time_line_steps_scrubs_and_repeats() {
    let mut harness = with_tab(Tab::None);
    let now = |harness: &Harness<'_, App>| harness.state().state.time;
    click(&mut harness, ">|");
    let one = now(&harness);
    assert!(one > 0.0);
    click(&mut harness, "|<");
    assert!(now(&harness) < one);
    // A click in the middle of the bar.
    harness.get_by_label("Time").click();
    harness.step();
    harness.step();
    let opened = harness.state().opened().expect("the sample");
    let clip = viewer::playback::clip(&harness.state().state, opened).expect("a clip");
    assert!((now(&harness) / clip.duration - 0.5).abs() < 0.05, "{}", now(&harness));
    click(&mut harness, "At the end");
    click(&mut harness, "Ping-pong");
    assert_eq!(harness.state().state.looping, LoopMode::PingPong);
}

#[test]
fn the_toolbar_steps_through_files() {
    let mut harness = with_tab(Tab::Display);
    click(&mut harness, ">");
    assert_eq!(harness.state().opened().map(|opened| opened.name()), Some("mwtower.mdx".to_owned()));
    click(&mut harness, "Panel");
    assert_eq!(harness.state().state.tab, Tab::None);
    click(&mut harness, "Open");
    click(&mut harness, "Sample models");
    assert_eq!(harness.state().opened().map(|opened| opened.name()), Some("mwtank.w3d".to_owned()));
}

#[test]
fn flags_set_time_and_camera_of_the_first_model() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in viewer::sample::files() {
        std::fs::write(folder.path().join(name), bytes).expect("a temporary file");
    }
    let model = folder.path().join("mwtower.mdx").display().to_string();
    let words =
        [model.as_str(), "--no-play", "--time", "0.5", "--model-camera", "Camera01", "--camera", "30,20"];
    let flags = viewer::flags::parse(words).expect("valid flags");
    let app = App::with_flags(flags.clone(), Box::new(viewer::host::Desktop));
    assert_eq!(app.state, flags.state);
    assert_eq!((app.state.time, app.state.model_camera.as_str()), (0.5, "Camera01"));
    assert_eq!(app.opened().map(|opened| opened.name()), Some("mwtower.mdx".to_owned()));
    assert_eq!(app.flags(), flags, "a new window shows the same");
}

#[test]
fn a_changed_texture_is_read_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in viewer::sample::files() {
        std::fs::write(folder.path().join(name), bytes).expect("a temporary file");
    }
    let found = viewer::library::Library::on_disk(&[folder.path().join("mwtank.w3d")]).expect("models");
    let mut pane = viewer::pane::Pane::open(found.library, found.first).expect("a model");
    let path = pane.opened.textures.iter().find_map(|texture| match texture {
        viewer::document::TextureState::Found(path) => Some(path.clone()),
        _ => None,
    });
    let path = path.expect("a texture");
    assert!(!pane.has_changed(0.0));
    let red = meshwright::texture::Image::new(2, 2, [255, 0, 0, 255].repeat(4)).expect("an image");
    std::fs::write(&path, meshwright::texture::encode_tga(&red).expect("a TGA")).expect("a temporary file");
    assert!(!pane.has_changed(0.5), "it looks once a second");
    assert!(pane.has_changed(2.0));
    pane.reload().expect("the model again");
    assert!(!pane.has_changed(4.0));
    let pictures = pane.opened.pictures(None);
    let is_red = |at: usize| {
        let id = meshwright::render::frame::PictureId::Texture(meshwright::scene::TextureId::from(at));
        pictures
            .get(id)
            .levels
            .first()
            .is_some_and(|level| level.iter().all(|pixel| *pixel == [255, 0, 0, 255]))
    };
    assert!((0..pane.opened.textures.len()).any(is_red));
}
