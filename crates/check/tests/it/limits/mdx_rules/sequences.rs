//! Sequences.

use super::*;

#[test]
fn sequences_that_overlap() {
    classic_case("MDX-SEQ-004", sequences(&[("Stand", 0, 1000), ("Death", 1000, 2000)]), 0);
    classic_case("MDX-SEQ-004", sequences(&[("Stand", 0, 1000), ("Death", 999, 2000)]), 1);
    classic_case("MDX-SEQ-004", sequences(&[("Stand", 0, 1000), ("Death", 0, 2000)]), 1);
    // Of two that end at the same time, the first is named.
    classic_case(
        "MDX-SEQ-004",
        sequences(&[("Stand", 0, 1000), ("Walk", 1000, 1000), ("Death", 500, 600)]),
        1,
    );
    // The one that ends last is named, also if others came after it.
    classic_case(
        "MDX-SEQ-004",
        sequences(&[("Stand", 0, 1000), ("Walk", 2000, 5000), ("Death", 6000, 7000), ("Spell", 4000, 4500)]),
        1,
    );
    place(
        "MDX-SEQ-004",
        CLASSIC,
        classic(),
        sequences(&[("Stand", 0, 1000), ("Death", 999, 2000)]),
        "SEQS",
        132..264,
    );
    // Only version 800 minds.
    case("MDX-SEQ-004", HD, sample("warcraft-1000"), sequences(&[("Stand", 0, 1000), ("Death", 0, 9)]), 0);
}

#[test]
fn sequences_without_length_or_name() {
    classic_case("MDX-SEQ-006", sequences(&[("Stand", 0, 1)]), 0);
    classic_case("MDX-SEQ-006", sequences(&[("Stand", 5, 5)]), 1);
    classic_case("MDX-SEQ-006", sequences(&[("Stand", 6, 5)]), 1);
    place(
        "MDX-SEQ-006",
        CLASSIC,
        classic(),
        sequences(&[("Stand", 0, 1000), ("Death", 2000, 2000)]),
        "SEQS",
        132..264,
    );
    for name in [
        "Attack",
        "Birth",
        "Cinematic",
        "Death",
        "Decay",
        "Dissipate",
        "Morph",
        "Portrait",
        "Ready",
        "Sleep",
        "Spell",
        "Stand",
        "Walk",
        "stand - 2",
        "Alternate Walk",
        "  Stand Ready",
    ] {
        let mut file = classic();
        values::<Sequence>(&mut file, "SEQS", |all| all[1].name = chars(name));
        assert_eq!(count(&file, CLASSIC, "MDX-SEQ-005"), 0, "{name}");
    }
    for name in ["Dance", "Alternate", "", "Standing"] {
        let mut file = classic();
        values::<Sequence>(&mut file, "SEQS", |all| all[1].name = chars(name));
        assert_eq!(count(&file, CLASSIC, "MDX-SEQ-005"), 1, "{name}");
    }
    let durations = |file: &mut Document<'static>| {
        node(file, "GLBS").set_values(&[1, 0].map(U32::new));
    };
    classic_case("MDX-SEQ-007", durations, 1);
    // A model without any is another rule's.
    for code in ["MDX-SEQ-002", "MDX-SEQ-003"] {
        classic_case(code, sequences(&[]), 0);
        classic_case(code, sequences(&[("Walk", 0, 1)]), 1);
    }
    classic_case("MDX-SEQ-001", sequences(&[]), 1);
    classic_case("MDX-SEQ-001", sequences(&[("Walk", 0, 1)]), 0);
}
