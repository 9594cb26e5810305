//! Parts that only World of Warcraft has.

use super::*;

#[test]
fn what_only_wow_has() {
    let alpha = || {
        let mut file = sample("wow-1300");
        set::<WowMaterialCount>(&mut file, "MTLS/WowMaterialCount", |count| count.animated_layers.set(1));
        set::<WowAttachmentCount>(&mut file, "ATCH/WowAttachmentCount", |count| count.highest_id.set(1));
        file
    };
    let objects = |count: u32| changing::<WowModel>("MODL", move |model| model.object_count.set(count));
    case("MDX-WOW-001", WOW, alpha(), objects(11), 0);
    case("MDX-WOW-001", WOW, alpha(), objects(12), 1);
    case("MDX-WOW-001", WOW, alpha(), objects(10), 1);
    for (highest, expected) in [(1, 0), (0, 1), (2, 1)] {
        case(
            "MDX-WOW-002",
            WOW,
            alpha(),
            |file| {
                set::<WowAttachmentCount>(file, "ATCH/WowAttachmentCount", |count| {
                    count.highest_id.set(highest);
                });
            },
            expected,
        );
    }
    for (layers, expected) in [(1, 0), (0, 1), (2, 1)] {
        case(
            "MDX-WOW-003",
            WOW,
            alpha(),
            |file| {
                set::<WowMaterialCount>(file, "MTLS/WowMaterialCount", |count| {
                    count.animated_layers.set(layers);
                });
            },
            expected,
        );
    }
    // Either track makes a layer animated.
    for tag in [tags::KMTA, tags::KMTF] {
        case(
            "MDX-WOW-003",
            WOW,
            alpha(),
            |file| children(file, "MTLS/Material/Layer[1]").retain(|part| part.id != tag),
            0,
        );
    }
    case("MDX-WOW-003", WOW, alpha(), |file| children(file, "MTLS/Material/Layer[1]").truncate(1), 1);
    let mesh = |faces: &'static [u16], normals: usize| {
        move |file: &mut Document<'static>| {
            let faces: Vec<U16> = faces.iter().map(|index| U16::new(*index)).collect();
            node(file, "CLID").child_mut(&kinds::TRI).expect("faces").set_values(&faces);
            let normals = vec![Vec3::default(); normals];
            node(file, "CLID").child_mut(&kinds::NRMS).expect("normals").set_values(&normals);
        }
    };
    case("MDX-WOW-004", WOW, alpha(), mesh(&[0, 1, 3], 1), 0);
    case("MDX-WOW-004", WOW, alpha(), mesh(&[0, 1, 4], 1), 1);
    case("MDX-WOW-004", WOW, alpha(), mesh(&[0, 1], 0), 1);
    case("MDX-WOW-004", WOW, alpha(), mesh(&[0, 1, 2, 9], 1), 2);
    case("MDX-WOW-006", WOW, alpha(), mesh(&[0, 1, 2, 0, 1, 2], 2), 0);
    case("MDX-WOW-006", WOW, alpha(), mesh(&[0, 1, 2, 0, 1, 2], 1), 1);
    case("MDX-WOW-006", WOW, alpha(), mesh(&[0, 1, 2], 3), 1);
    for (weights, expected) in
        [([255, 0, 0, 0], 0), ([254, 1, 0, 0], 0), ([254, 0, 0, 0], 1), ([255, 0, 0, 1], 1)]
    {
        case(
            "MDX-WOW-005",
            WOW,
            alpha(),
            |file| values::<[u8; 4]>(file, "GEOS/Geoset/BWGT", |all| all[2] = weights),
            expected,
        );
    }
}
