//! Repairs never change a value that was read, and never hide a part that a game saw, whatever the damage to sizes and counts.

mod damage;
mod judge;
mod seen;

use judge::{Verdict, judge};

fn samples() -> Vec<Vec<u8>> {
    let mdx = mdx::build::samples().into_iter().map(|(_, bytes)| bytes);
    [w3d::sample::crate_box()].into_iter().chain(mdx).collect()
}

#[test]
fn the_loaders_see_the_parts_of_the_samples() {
    let parts: Vec<seen::Seen> = samples().iter().map(|bytes| seen::seen(bytes)).collect();
    // The crate has 24 vertices and 12 triangles; the first MDX sample is complete, too.
    let count = |seen: &seen::Seen, what: &str| {
        seen.iter().filter(|((part, _), _)| part.contains(what)).map(|(_, count)| count).sum::<usize>()
    };
    let crate_box = w3d::sample::crate_box();
    let file = w3d::W3d::parse(&crate_box).expect("a sample");
    let vertices: usize = file.meshes().map(|mesh| mesh.vertices().len()).sum();
    assert_eq!(count(&parts[0], "position"), vertices);
    assert!(count(&parts[1], "VRTX") > 2, "{:?}", parts[1].keys().map(|(part, _)| part).collect::<Vec<_>>());
}

#[test]
fn the_judge_notices_a_changed_value_and_a_lost_part() {
    let bytes = w3d::sample::crate_box();
    let whole = seen::seen(&bytes);
    let mut changed = bytes.clone();
    let at = bytes.len() - 20;
    changed[at] ^= 0x55;
    assert!(seen::lost(&whole, &whole, &seen::seen(&changed)).is_some());
    assert!(seen::lost(&whole, &whole, &seen::seen(&bytes[..bytes.len() - 40])).is_some());
    let none = damage::Words { sizes: Vec::new(), counts: Vec::new() };
    assert!(!none.cover(&bytes, &changed));
}

#[test]
fn repairs_of_damaged_sizes_and_counts_lose_nothing_and_change_no_value() {
    let mut verdict = Verdict::default();
    for (index, bytes) in samples().iter().enumerate() {
        judge(bytes, index as u64 + 1, 12, &mut verdict);
    }
    assert!(verdict.faults.is_empty(), "{} faults:\n{}", verdict.faults.len(), verdict.faults.join("\n"));
    assert!(verdict.copies > 500, "{} copies", verdict.copies);
    assert!(verdict.restored > 100, "{} restored", verdict.restored);
}
