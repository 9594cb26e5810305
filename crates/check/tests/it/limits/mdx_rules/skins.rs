//! Matrix groups and skin weights.

use super::*;

#[test]
fn groups_of_bones() {
    let groups = |vertices: &'static [u8], sizes: &'static [u32], bones: &'static [u32]| {
        move |file: &mut Document<'static>| {
            let words = |words: &[u32]| words.iter().map(|word| U32::new(*word)).collect::<Vec<_>>();
            node(file, "GEOS/Geoset/GNDX").set_values(vertices);
            node(file, "GEOS/Geoset/MTGC").set_values(&words(sizes));
            node(file, "GEOS/Geoset/MATS").set_values(&words(bones));
        }
    };
    let right = || groups(&[0, 0, 1, 1], &[1, 1], &[0, 1]);
    for code in [
        "MDX-SKIN-001",
        "MDX-SKIN-002",
        "MDX-SKIN-003",
        "MDX-SKIN-004",
        "MDX-SKIN-005",
        "MDX-SKIN-006",
        "MDX-SKIN-009",
        "MDX-SKIN-010",
        "MDX-SKIN-012",
    ] {
        classic_case(code, right(), 0);
    }
    classic_case("MDX-SKIN-001", groups(&[0, 0, 1], &[1, 1], &[0, 1]), 1);
    classic_case("MDX-SKIN-012", groups(&[0, 0, 1, 1, 1], &[1, 1], &[0, 1]), 1);
    classic_case("MDX-SKIN-002", groups(&[0, 0, 1, 1], &[2, 0], &[0, 1]), 1);
    classic_case("MDX-SKIN-003", groups(&[0, 0, 1, 1], &[1, 1], &[0]), 1);
    classic_case("MDX-SKIN-004", groups(&[0, 0, 1, 2], &[1, 1], &[0, 1]), 1);
    classic_case("MDX-SKIN-004", groups(&[0, 3, 1, 2], &[1, 1], &[0, 1]), 1);
    // No groups at all.
    classic_case("MDX-SKIN-004", groups(&[0, 0, 0, 0], &[], &[]), 1);
    classic_case("MDX-SKIN-004", groups(&[0, 0, 0, 1], &[], &[]), 1);
    classic_case("MDX-SKIN-004", groups(&[], &[], &[]), 0);
    classic_case("MDX-SKIN-004", groups(&[0, 0, 0, 0], &[1], &[0]), 0);
    // The third object is the lamp; there are eleven.
    classic_case("MDX-SKIN-006", groups(&[0, 0, 1, 1], &[1, 1], &[0, 2]), 1);
    classic_case("MDX-SKIN-005", groups(&[0, 0, 1, 1], &[1, 1], &[0, 10]), 0);
    classic_case("MDX-SKIN-005", groups(&[0, 0, 1, 1], &[1, 1], &[0, 11]), 1);
    // A group that no vertex is in says nothing.
    classic_case("MDX-SKIN-005", groups(&[0, 0, 0, 0], &[1, 1], &[0, 11]), 0);
    classic_case("MDX-SKIN-010", groups(&[0, 0, 0, 0], &[1, 1], &[0, 1]), 1);
    let many = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "GEOS/Geoset/MTGC").set_values(&vec![U32::new(1); count]);
        }
    };
    classic_case("MDX-SKIN-009", many(255), 0);
    classic_case("MDX-SKIN-009", many(256), 1);
    // A model without bones moves nothing, whatever its groups say.
    for code in ["MDX-SKIN-004", "MDX-SKIN-005"] {
        classic_case(
            code,
            |file| {
                groups(&[0, 0, 1, 9], &[1, 1], &[0, 99])(file);
                children(file, "BONE").clear();
            },
            0,
        );
    }
}

/// A bone counts if it has any weight at all.
#[test]
fn weights_of_bones() {
    let skin = |bone: u8, weight: u8| {
        changing_all::<u8>("GEOS/Geoset[1]/SKIN", move |skin| {
            skin[..8].copy_from_slice(&[0, bone, 0, 0, 255 - weight, weight, 0, 0]);
        })
    };
    let hd = || sample("warcraft-1000");
    // Twelve objects, the third of which is the lamp.
    case("MDX-SKIN-005", HD, hd(), skin(12, 1), 1);
    case("MDX-SKIN-005", HD, hd(), skin(12, 0), 0);
    case("MDX-SKIN-006", HD, hd(), skin(2, 1), 1);
    case("MDX-SKIN-006", HD, hd(), skin(2, 0), 0);
    let wide = |bone: u16, weight: u16| {
        changing_all::<U16>("GEOS/Geoset[1]/SKIN", move |skin| {
            let all = [0, bone, 0, 0, 255 - weight, weight, 0, 0];
            skin.iter_mut().zip(all).for_each(|(part, value)| part.set(value));
        })
    };
    let newest = || sample("warcraft-1800");
    case("MDX-SKIN-005", HD, newest(), wide(300, 1), 1);
    case("MDX-SKIN-005", HD, newest(), wide(300, 0), 0);
    let batch = |bone: u8, weight: u8| {
        move |file: &mut Document<'static>| {
            fn first(node: &mut Node<'static>, bone: u8, weight: u8) {
                if let Some(vertex) = node.values_mut::<WowVertex>().first_mut() {
                    (vertex.bones, vertex.weights) = ([0, bone, 0, 0], [255 - weight, weight, 0, 0]);
                }
                node.children_mut().into_iter().flatten().for_each(|child| first(child, bone, weight));
            }
            first(file.root_mut(), bone, weight);
        }
    };
    let alpha = || sample("wow-1500");
    case("MDX-SKIN-005", WOW, alpha(), batch(77, 1), 1);
    case("MDX-SKIN-005", WOW, alpha(), batch(77, 0), 0);
    // Sums.
    for (weights, expected) in [([128, 127, 0, 0], 0), ([128, 126, 0, 0], 1), ([128, 127, 1, 0], 1)] {
        case(
            "MDX-SKIN-007",
            HD,
            hd(),
            |file| values::<u8>(file, "GEOS/Geoset[1]/SKIN", |skin| skin[4..8].copy_from_slice(&weights)),
            expected,
        );
    }
    case(
        "MDX-SKIN-011",
        HD,
        hd(),
        |file| {
            let skin = [0_u8, 0, 0, 0, 255, 0, 0, 0].repeat(3);
            node(file, "GEOS/Geoset[1]/SKIN").set_values(&skin);
        },
        1,
    );
    case("MDX-SKIN-011", HD, newest(), |_| {}, 0);
    case("MDX-SKIN-008", HD, hd(), |_| {}, 0);
}
