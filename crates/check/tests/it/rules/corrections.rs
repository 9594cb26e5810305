//! Rules that reported what is right, too often, or too mildly.

use assets::{Memory, Resolver};
use mdx::records::*;
use meshwright_check::{Diagnostic, Document, FixLevel, Game, Level, Levels, Options, Severity, check, fix};
use record::{Chars, Node, Vec3};
use w3d::names::MeshFlags;
use w3d::records::{AnimationHeader, HlodHeader, HlodSubObject, MeshHeader3};
use w3d::table;

use super::mdx_fixtures::{chars, classic, sample, still};
use super::{children, companions, node, rich, set, values};

fn found_for(document: &Document<'_>, profile: Game) -> Vec<Diagnostic> {
    check(document, &Options { profile: Some(profile), ..Options::default() })
}

fn of<'f>(found: &'f [Diagnostic], code: &str) -> Vec<&'f Diagnostic> {
    found.iter().filter(|finding| finding.code == code).collect()
}

/// The findings of a rule in the classic sample after a change.
fn classic_with(code: &str, change: impl FnOnce(&mut Document<'static>)) -> Vec<Diagnostic> {
    let mut file = classic();
    change(&mut file);
    found_for(&file, Game::Wc3Classic).into_iter().filter(|finding| finding.code == code).collect()
}

fn name_sequences(file: &mut Document<'static>, names: [&str; 3]) {
    values::<Sequence>(file, "SEQS", |sequences| {
        sequences.iter_mut().zip(names).for_each(|(sequence, name)| sequence.name = chars(name));
    });
}

#[test]
fn portraits_and_effects_need_no_stand() {
    let stands = |names| classic_with("MDX-SEQ-002", |file| name_sequences(file, names)).len();
    assert_eq!(stands(["Portrait", "Portrait Talk", "Walk"]), 0);
    assert_eq!(stands(["Birth", "Death", "Birth Alternate"]), 0);
    assert_eq!(stands(["Walk", "Death", "Attack - 1"]), 1);
    assert_eq!(stands(["Walk", "Portrait", "Attack - 1"]), 1, "a unit with a portrait is a unit");
    assert_eq!(stands(["Walk", "Death", "Stand Ready"]), 0);
}

#[test]
fn event_names_may_end_with_a_space() {
    let found = |name: &str| {
        classic_with("MDX-EVTS-002", |file| {
            set::<NodeHeader>(file, "EVTS/EventObject/Node/NodeHeader", |header| header.name = chars(name));
        })
        .len()
    };
    assert_eq!((found("SNDXMSEH "), found("SNDXMSEH"), found("SNDXMS ")), (0, 0, 1));
}

#[test]
fn influences_without_the_skin_flag_are_no_warning() {
    let mut file = rich::document();
    set::<MeshHeader3>(&mut file, "MESH[2]/MESH_HEADER3", |header| header.attributes = MeshFlags::new(0));
    // The third mesh is the skin; a bone of its name does not make it a rigid mesh on the wrong bone.
    set::<MeshHeader3>(&mut file, "MESH[2]/MESH_HEADER3", |header| {
        header.mesh_name = Chars::new("LID2").unwrap();
    });
    values::<w3d::records::Pivot>(&mut file, "HIERARCHY/PIVOTS", |pivots| {
        pivots[2].name = Chars::new("LID2").unwrap();
    });
    set::<HlodSubObject>(&mut file, "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT[3]", |object| {
        object.name = Chars::new("MWCRATE.LID2").unwrap();
    });
    let found = found_for(&file, Game::Bfme2);
    assert!(of(&found, "W3D-SKIN-001").is_empty() && of(&found, "W3D-NAME-008").is_empty(), "{found:#?}");
    let [one] = of(&found, "W3D-SKIN-009")[..] else { panic!("{found:#?}") };
    assert_eq!(one.severity, Severity::Info);
}

#[test]
fn what_many_published_models_have_is_told_once_and_mildly() {
    let found = classic_with("MDX-GEO-004", |file| {
        node(file, "GEOS/Geoset/Extents").set_values::<Extent>(&[]);
        let twice = node(file, "GEOS/Geoset").clone();
        children(file, "GEOS").push(twice);
    });
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Info);
    assert_eq!(found[0].message, "the geoset has no extents for 3 sequences (and 1 geoset like it)");

    let found = classic_with("MDX-SEQ-007", |file| {
        node(file, "GLBS").set_values(&[0, 0, 5].map(record::U32::new));
    });
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].severity, &*found[0].message),
        (Severity::Info, "global sequences 0 and 1 have no length")
    );

    let found = classic_with("MDX-LITE-001", |file| {
        set::<LightColor>(file, "LITE/Light/LightColor", |light| light.attenuation_end.set(500.0));
        let twice = node(file, "LITE/Light").clone();
        children(file, "LITE").push(twice);
    });
    assert_eq!((found.len(), found[0].severity), (1, Severity::Info));
}

#[test]
fn a_model_that_needs_no_textures_has_no_finding_after_all_repairs() {
    let mut file = classic();
    for chunk in ["GEOS", "GEOA", "RIBB", "PRE2"] {
        children(&mut file, "").retain(|child| child.kind.name != chunk);
    }
    fix(&mut file, &["MDX-MAT-008"], FixLevel::All);
    let found = found_for(&file, Game::Wc3Classic);
    assert!(of(&found, "MDX-TEX-001").is_empty() && of(&found, "MDX-MAT-009").is_empty(), "{found:#?}");
    // One that needs them has one finding, not one for each layer.
    let found = classic_with("MDX-MAT-004", |file| {
        node(file, "TEXS").set_values::<Texture>(&[]);
    });
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn extents_that_are_all_zero_were_never_computed() {
    let mut file = still();
    set::<Model>(&mut file, "MODL", |model| model.extent = Extent::default());
    values::<Sequence>(&mut file, "SEQS", |sequences| {
        sequences.iter_mut().for_each(|sequence| sequence.extent = Extent::default());
    });
    set::<GeosetBounds>(&mut file, "GEOS/Geoset/GeosetBounds", |bounds| bounds.extent = Extent::default());
    let found = found_for(&file, Game::Wc3Classic);
    let message = |code: &str| of(&found, code).iter().map(|it| it.message.clone()).collect::<Vec<_>>();
    assert_eq!(message("MDX-GEO-008"), ["the extents of 1 geoset are all zero; they were never computed"]);
    assert_eq!(
        message("MDX-MODEL-013"),
        ["the extents of the model and 3 sequences are all zero; they were never computed"]
    );
    fix(&mut file, &["MDX-MODEL-013", "MDX-GEO-008"], FixLevel::Safe);
    let found = found_for(&file, Game::Wc3Classic);
    let of_extents = ["MDX-MODEL-013", "MDX-GEO-008", "MDX-GEO-014"];
    assert!(of_extents.iter().all(|code| of(&found, code).is_empty()), "{found:#?}");
}

#[test]
fn a_tab_at_the_end_of_a_name_is_one_finding() {
    let codes = |name: &[u8]| -> Vec<String> {
        let mut file = rich::document();
        set::<HlodHeader>(&mut file, "HLOD/HLOD_HEADER", |header| {
            header.name = Chars::default();
            header.name.0[..name.len()].copy_from_slice(name);
        });
        let found = found_for(&file, Game::Bfme2);
        let names = found.iter().filter(|finding| finding.code.starts_with("W3D-NAME-00"));
        names.map(|finding| finding.code.to_string()).collect()
    };
    assert_eq!(codes(b"MWCRATE\t"), ["W3D-NAME-004"]);
    assert_eq!(codes(b"MW\tCRATE"), ["W3D-NAME-003"]);
}

#[test]
fn a_missing_object_of_this_file_is_one_finding() {
    let mut file = rich::document();
    set::<HlodSubObject>(&mut file, "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT", |object| {
        object.name = Chars::new("MWCRATE.GONE").unwrap();
    });
    let companions = companions();
    let lookup = Some(companions.lookup("mwcrate.w3d".as_ref()));
    let found = check(&file, &Options { profile: Some(Game::Bfme2), lookup, ..Options::default() });
    assert_eq!((of(&found, "W3D-HLOD-004").len(), of(&found, "W3D-FILES-003").len()), (1, 0), "{found:#?}");
}

#[test]
fn names_that_two_files_share_are_one_finding() {
    let mut memory = Memory::default();
    memory.add("one.w3d", w3d::sample::crate_box());
    memory.add("two.w3d", w3d::sample::crate_box());
    let mut resolver = Resolver::new(memory);
    resolver.add_folder("".as_ref());
    let bytes = w3d::sample::crate_box();
    let file = Document::parse(&bytes).unwrap();
    let lookup = Some(resolver.lookup("one.w3d".as_ref()));
    let found = check(&file, &Options { profile: Some(Game::ZeroHour), lookup, ..Options::default() });
    let [one] = of(&found, "W3D-FILES-004")[..] else { panic!("{found:#?}") };
    assert!(
        one.message.contains("names are defined by several files (one.w3d, two.w3d): "),
        "{}",
        one.message
    );
}

#[test]
fn nan_is_an_error() {
    let found = classic_with("MDX-MODEL-008", |file| {
        values::<Vec3>(file, "GEOS/Geoset/VRTX", |vertices| vertices[1].x.set(f32::NAN));
    });
    assert_eq!((found[0].severity, &*found[0].message), (Severity::Error, "1 number is infinite or NaN"));
}

#[test]
fn an_animation_without_frames_is_one_finding() {
    let mut file = rich::document();
    set::<AnimationHeader>(&mut file, "ANIMATION/ANIMATION_HEADER", |header| header.num_frames.set(0));
    let found = found_for(&file, Game::Bfme2);
    let codes: Vec<&str> = found.iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["W3D-ANIM-002"]);
}

#[test]
fn damage_of_the_whole_file_is_one_finding() {
    let bytes = super::as_text_mode(&rich::document().to_bytes().unwrap());
    let found = found_for(&Document::parse(&bytes).unwrap(), Game::Bfme2);
    let codes: Vec<&str> = found.iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["W3D-FILE-007"]);
}

#[test]
fn findings_are_sorted_by_position() {
    let mut file = rich::document();
    set::<MeshHeader3>(&mut file, "MESH[1]/MESH_HEADER3", |header| header.sort_level.set(99));
    set::<w3d::records::HierarchyHeader>(&mut file, "HIERARCHY/HIERARCHY_HEADER", |header| {
        header.num_pivots.set(1);
    });
    values::<w3d::records::Triangle>(&mut file, "MESH/TRIANGLES", |triangles| {
        triangles[4].vindex[0].set(999);
    });
    let found = found_for(&file, Game::Bfme2);
    assert!(found.len() > 2 && found.is_sorted_by_key(|finding| finding.span.start), "{found:#?}");
}

#[test]
fn warnings_can_be_denied_as_a_whole() {
    let mut file = rich::document();
    set::<MeshHeader3>(&mut file, "MESH/MESH_HEADER3", |header| header.sort_level.set(99));
    let severity = |set: &[(&str, Level)]| {
        let mut levels = Levels::default();
        set.iter().for_each(|(code, level)| levels.set(code, *level));
        let options = Options { profile: Some(Game::Bfme2), levels: Some(&levels), ..Options::default() };
        let found = check(&file, &options);
        of(&found, "W3D-MAT-010").first().map(|finding| finding.severity)
    };
    assert_eq!(severity(&[]), Some(Severity::Warning));
    assert_eq!(severity(&[("warnings", Level::Deny)]), Some(Severity::Error));
    assert_eq!(severity(&[("warnings", Level::Deny), ("W3D-MAT-010", Level::Warn)]), Some(Severity::Warning));
    assert_eq!(severity(&[("warnings", Level::Deny), ("W3D-MAT", Level::Allow)]), None);
}

#[test]
fn each_game_loads_its_own_versions_only() {
    let error = |name: &str, game: Game| {
        let file = sample(name);
        let found = check(&file, &Options { profile: Some(game), ..Options::default() });
        of(&found, "MDX-GAME-001").iter().any(|finding| finding.severity == Severity::Error)
    };
    assert!(error("warcraft-1100", Game::Wc3Classic) && error("warcraft-1000", Game::Wc3Classic));
    assert!(!error("warcraft-800", Game::Wc3Classic) && !error("warcraft-800", Game::Wc3Reforged));
    assert!(!error("warcraft-1100", Game::Wc3Reforged));
    assert!(error("wow-1300", Game::Wc3Reforged) && error("warcraft-800", Game::WowAlpha));
    assert!(!error("wow-1300", Game::WowAlpha));
}

#[test]
fn the_classic_game_does_not_know_chunks_of_reforged() {
    let found = classic_with("MDX-GAME-002", |file| {
        let mut other = sample("warcraft-1000");
        for chunk in ["BPOS", "FAFX", "CORN"] {
            let copy: Node<'static> = node(&mut other, chunk).clone();
            children(file, "").push(copy);
        }
    });
    let messages: Vec<&str> = found.iter().map(|finding| &*finding.message).collect();
    assert_eq!(
        messages,
        ["BPOS", "FAFX", "CORN"].map(|chunk| format!("Warcraft III does not know the chunk {chunk}"))
    );
}

#[test]
fn a_chunk_that_was_lost_at_a_boundary_is_found() {
    let mut file = rich::document();
    children(&mut file, "MESH").retain(|chunk| !chunk.is(&table::TEXTURES));
    let found = found_for(&file, Game::Bfme2);
    let messages: Vec<&str> = of(&found, "W3D-MESH-013").iter().map(|finding| &*finding.message).collect();
    assert_eq!(messages, ["MATERIAL_INFO announces TEXTURES, but there is no such chunk"]);
}

#[test]
fn a_size_that_is_too_large_for_complete_chunks_may_be_wrong_itself() {
    let mut file = rich::document();
    node(&mut file, "HLOD").size_delta = 44;
    let found = found_for(&file, Game::Bfme2);
    let [one] = of(&found, "W3D-FRAME-001")[..] else { panic!("{found:#?}") };
    assert!(one.message.contains("the chunks inside end after"), "{}", one.message);
    // If the last chunk is cut, too, the file is cut off.
    children(&mut file, "HLOD").last_mut().unwrap().size_delta = 44;
    let found = found_for(&file, Game::Bfme2);
    let messages: Vec<&str> = of(&found, "W3D-FRAME-001").iter().map(|finding| &*finding.message).collect();
    assert!(messages[0].ends_with("the file is cut off or damaged"), "{messages:?}");
}

#[test]
fn chunks_that_a_game_does_not_know_are_one_finding() {
    let mut file = rich::document();
    let vertices = [Vec3::default(); 24];
    children(&mut file, "MESH").extend([
        w3d::build::array(&table::SECONDARY_VERTICES, &vertices),
        w3d::build::array(&table::SECONDARY_VERTEX_NORMALS, &vertices),
    ]);
    let found = found_for(&file, Game::ZeroHour);
    let [one] = of(&found, "W3D-GAME-001")[..] else { panic!("{found:#?}") };
    assert!(one.message.contains("does not know the chunks "), "{}", one.message);
}

/// A file that the game ships is not missing; the same name in another game is.
#[test]
fn files_that_the_game_ships_are_not_missing() {
    let companions = companions();
    let codes = |document: &Document<'_>, profile| {
        let lookup = Some(companions.lookup("mwcrate.w3d".as_ref()));
        let found = check(document, &Options { profile: Some(profile), lookup, ..Options::default() });
        found
            .iter()
            .filter(|finding| finding.code.contains("-FILES-"))
            .map(|it| it.code.to_string())
            .collect::<Vec<_>>()
    };
    let mut file = rich::document();
    *node(&mut file, "MESH/TEXTURES/TEXTURE/TEXTURE_NAME") =
        w3d::build::text(&table::TEXTURE_NAME, "AAMetalWall_D.tga").unwrap();
    assert!(!codes(&file, Game::ZeroHour).contains(&"W3D-FILES-002".to_owned()));
    assert!(codes(&file, Game::Renegade).contains(&"W3D-FILES-002".to_owned()));
    let mut file = classic();
    values::<Texture>(&mut file, "TEXS", |textures| textures[0].path = chars("Textures\\Black32.blp"));
    assert!(!codes(&file, Game::Wc3Classic).contains(&"MDX-FILES-001".to_owned()));
    values::<Texture>(&mut file, "TEXS", |textures| textures[0].path = chars("Textures\\Black33.blp"));
    assert!(codes(&file, Game::Wc3Classic).contains(&"MDX-FILES-001".to_owned()));
}

/// Nobody sees a vertex whose triangles have no area, so its normal does not matter.
#[test]
fn normals_of_vertices_without_an_area_do_not_matter() {
    let mut file = rich::document();
    values::<Vec3>(&mut file, "MESH/VERTEX_NORMALS", |normals| normals[3] = Vec3::default());
    assert_eq!(of(&found_for(&file, Game::Bfme2), "W3D-MESH-014").len(), 1);
    values::<w3d::records::Triangle>(&mut file, "MESH/TRIANGLES", |triangles| {
        for triangle in triangles.iter_mut().filter(|it| it.vindex.iter().any(|index| index.get() == 3)) {
            triangle.vindex = [triangle.vindex[0]; 3];
        }
    });
    assert!(of(&found_for(&file, Game::Bfme2), "W3D-MESH-014").is_empty());
    let zero = |file: &mut Document<'static>| {
        values::<Vec3>(file, "GEOS/Geoset/NRMS", |normals| normals[1] = Vec3::default());
    };
    assert_eq!(classic_with("MDX-GEO-012", zero).len(), 1);
    let flat = classic_with("MDX-GEO-012", |file| {
        zero(file);
        values::<record::U16>(file, "GEOS/Geoset/PVTX", |corners| corners.fill(record::U16::new(1)));
    });
    assert!(flat.is_empty());
}
