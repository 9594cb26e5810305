//! Repairs: afterwards the rule is content, nothing else has changed, and doing it again changes nothing.

use meshwright_check::{Document, FixLevel, catalogue, fix};
use record::Node;

use super::{Fixture, fixtures};

fn repairable() -> impl Iterator<Item = &'static Fixture> {
    fixtures().filter(|fixture| catalogue().any(|rule| rule.code == fixture.code && rule.repair.is_some()))
}

/// The paths of leaves and framings that differ between two trees of the same shape; otherwise of what holds them.
fn differences(a: &Node<'_>, b: &Node<'_>, path: &str, found: &mut Vec<String>) {
    if a.id != b.id || a.size_delta != b.size_delta || a.bytes() != b.bytes() {
        found.push(path.to_owned());
    }
    if a.children().len() != b.children().len() {
        return found.push(path.to_owned());
    }
    for (index, (a, b)) in a.children().iter().zip(b.children()).enumerate() {
        differences(a, b, &format!("{path}/{}[{index}]", a.name()), found);
    }
}

#[test]
fn every_repair_mends_its_fixture_and_nothing_else() {
    let mut count = 0;
    for fixture in repairable() {
        let code = fixture.code;
        let bad = fixture.bad();
        let mut mended = bad.clone();
        let applied = fix(&mut mended, &[code], FixLevel::All);
        assert!(!applied.is_empty(), "{code}: nothing was done");
        assert!(applied.iter().all(|applied| applied.code == code && !applied.message.is_empty()), "{code}");
        assert!(!fixture.codes(&mended).contains(code), "{code} is found after the repair");

        // Most fixtures spoil one number of the good file: the repair gives the good file back, or at least touches nothing but what
        // was spoiled.
        let good = (fixture.good)();
        let (mut spoiled, mut changed) = (Vec::new(), Vec::new());
        differences(good.root(), bad.root(), "", &mut spoiled);
        differences(bad.root(), mended.root(), "", &mut changed);
        let allowed = |path: &String| {
            let structural =
                matches!(code, "W3D-AABT-001" | "W3D-AABT-002" | "W3D-AABT-003" | "W3D-AABT-004");
            structural && path.contains("AABTREE")
                || spoiled.contains(path)
                || code == "W3D-MAT-014"
                || code.contains("-FILE-")
        };
        assert!(changed.iter().all(allowed), "{code} changed {changed:?}, spoiled was {spoiled:?}");

        let again = fix(&mut mended.clone(), &[code], FixLevel::All);
        assert!(again.is_empty(), "{code}: a second repair did {again:?}");
        count += 1;
    }
    let rules = catalogue().filter(|rule| rule.repair.is_some()).count();
    assert_eq!(count, rules, "a repair without a fixture");
}

#[test]
fn repairs_leave_good_files_alone() {
    for fixture in fixtures() {
        let good = (fixture.good)();
        let bytes = good.to_bytes().expect("a file");
        let mut mended = good.clone();
        let applied = fix(&mut mended, &[], FixLevel::Safe);
        assert_eq!(applied, [], "{}", fixture.code);
        assert_eq!(mended.to_bytes().expect("a file"), bytes);
    }
}

#[test]
fn all_repairs_together_come_to_rest() {
    for fixture in fixtures() {
        let mut once = fixture.bad();
        fix(&mut once, &[], FixLevel::All);
        let mut twice = once.clone();
        let again = fix(&mut twice, &[], FixLevel::All);
        assert_eq!(again, [], "{}", fixture.code);
        assert_eq!(twice.to_bytes().ok(), once.to_bytes().ok());
    }
}

#[test]
fn files_taken_for_text_are_restored_to_the_last_byte() {
    for code in ["W3D-FILE-007", "W3D-FILE-008", "MDX-FILE-001", "MDX-FILE-002"] {
        let fixture = fixtures().find(|fixture| fixture.code == code).expect("a fixture");
        let mut document = fixture.bad();
        let applied = fix(&mut document, &[], FixLevel::Safe);
        assert_eq!(applied.iter().filter(|done| done.code == code).count(), 1, "{code}");
        assert_eq!(
            document.to_bytes().expect("a file"),
            (fixture.good)().to_bytes().expect("a file"),
            "{code}"
        );
    }
}

/// Files whose repair cannot be told from hiding damage: the finding stays, and not a byte changes.
#[test]
fn safe_repairs_hide_no_damage() {
    let lost = [
        "W3D-FRAME-010",
        "W3D-PART-002",
        "W3D-PART-005",
        "W3D-HIER-001",
        "MDX-FRAME-003",
        "MDX-FRAME-010",
        "MDX-PART-002",
        "MDX-COUNT-001",
    ];
    for code in lost {
        let fixture = fixtures().find(|fixture| fixture.code == code).expect("a fixture");
        let mut document = fixture.bad();
        let applied = fix(&mut document, &[], FixLevel::Safe);
        assert_eq!(applied, [], "{code}");
        assert!(fixture.codes(&document).contains(code), "{code}");
    }
}

#[test]
fn a_count_is_raised_but_not_lowered() {
    for (count, expected) in [(1_u32, 3), (9, 9)] {
        let fixture = fixtures().find(|fixture| fixture.code == "W3D-HIER-001").expect("a fixture");
        let mut document = (fixture.good)();
        super::set::<w3d::records::HierarchyHeader>(&mut document, "HIERARCHY/HIERARCHY_HEADER", |header| {
            header.num_pivots.set(count);
        });
        fix(&mut document, &[], FixLevel::Safe);
        let header = document.root().find("HIERARCHY/HIERARCHY_HEADER").expect("a skeleton");
        let header = header.value::<w3d::records::HierarchyHeader>().expect("a header");
        assert_eq!(header.num_pivots.get(), expected);
    }
}

#[test]
fn bounds_never_become_infinite() {
    let fixture = fixtures().find(|fixture| fixture.code == "MDX-GEO-008").expect("a fixture");
    let mut document = fixture.bad();
    super::values::<record::Vec3>(&mut document, "GEOS/Geoset/VRTX", |vertices| {
        vertices[0] = record::Vec3::new(3e38, 3e38, 3e38);
    });
    let before = document.to_bytes().expect("a file");
    fix(&mut document, &["MDX-GEO-008"], FixLevel::Safe);
    assert_eq!(document.to_bytes().expect("a file"), before);
}

#[test]
fn what_is_not_used_stays_unless_all_is_wanted() {
    let fixture = fixtures().find(|fixture| fixture.code == "W3D-MAT-014").expect("a fixture");
    assert_eq!(fix(&mut fixture.bad(), &[], FixLevel::Safe), []);
    let mut document = fixture.bad();
    fix(&mut document, &[], FixLevel::All);
    assert_eq!(document.to_bytes().ok(), (fixture.good)().to_bytes().ok());
}

#[test]
fn a_value_that_jumps_still_does_after_the_repair() {
    let fixture = fixtures().find(|fixture| fixture.code == "MDX-TRACK-005").expect("a fixture");
    let mut document = fixture.bad();
    let applied = fix(&mut document, &["MDX-TRACK-005"], FixLevel::Safe);
    assert_eq!(applied[0].message, "0 keys removed, 1 put a millisecond earlier");
    let node = document.root().find("PRE2/ParticleEmitter2/KP2S").expect("the track");
    let track = mdx::view::Track::new(node).expect("a track");
    let keys: Vec<(i32, f32)> = track.keys().map(|key| (key.time, key.value[0])).collect();
    assert_eq!(keys, [(0, 1.0), (499, 3.0), (500, 4.0), (1000, 2.0)]);
}

/// The size of a mesh that covers the whole rest of the file is lowered to the mesh's last chunk: the skeleton and the HLOD are seen again.
#[test]
fn a_mesh_that_covers_the_hlod_ends_at_its_last_chunk() {
    let bytes = w3d::sample::crate_box();
    let whole = w3d::W3d::parse(&bytes).expect("a sample");
    assert!(whole.root.children().len() > 2, "a mesh, a skeleton and an HLOD");
    let mut damaged = bytes.clone();
    let size = u32::try_from(bytes.len() - 8).expect("a small file") | 0x8000_0000;
    damaged[4..8].copy_from_slice(&size.to_le_bytes());
    let mut document = Document::parse(&damaged).expect("a file");
    assert_eq!(document.to_bytes().expect("a file"), damaged, "nothing changes by reading");
    assert_eq!(document.root().children().len(), whole.root.children().len());
    let applied = fix(&mut document, &[], FixLevel::Safe);
    assert_eq!(applied.iter().map(|done| done.code).collect::<Vec<_>>(), ["W3D-FRAME-001"]);
    assert_eq!(document.to_bytes().expect("a file"), bytes);
}

/// A chunk of MDX with any wrong size gets back the right one where the chunks after it fit; no other byte changes.
#[test]
fn a_wrong_size_of_an_mdx_chunk_is_restored() {
    let bytes = mdx::build::samples().swap_remove(0).1;
    let word = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().expect("a word"));
    let mut at = 4;
    let mut restored = 0;
    while at + 8 <= bytes.len() {
        let (size, end) = (word(at + 4), at + 8 + word(at + 4) as usize);
        for wrong in [size + 4, size.saturating_sub(4), size | 0x8000_0000, 0x7FFF_FFFF, size + 100] {
            let mut damaged = bytes.clone();
            damaged[at + 4..at + 8].copy_from_slice(&wrong.to_le_bytes());
            let mut document = Document::parse(&damaged).expect("a file");
            fix(&mut document, &[], FixLevel::All);
            let after = document.to_bytes().expect("a file");
            // At the end of the file a size that is too large may mean that the file was cut off.
            assert!(after == bytes || after == damaged, "chunk at {at}, size {wrong}");
            restored += usize::from(after == bytes && end < bytes.len());
        }
        at = end;
    }
    assert!(restored > 30, "{restored}");
}
