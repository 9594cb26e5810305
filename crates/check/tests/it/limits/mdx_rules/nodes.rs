//! Nodes: ids, parents, pivots and flags.

use super::*;

#[test]
fn ids_of_nodes() {
    let lamp = |id: i32| {
        changing::<NodeHeader>("LITE/Light/Node/NodeHeader", move |header| header.object_id.set(id))
    };
    // Eleven nodes, numbered from 0.
    classic_case("MDX-NODE-001", lamp(2), 0);
    classic_case("MDX-NODE-001", lamp(11), 1);
    classic_case("MDX-NODE-001", lamp(-1), 1);
    classic_case("MDX-NODE-001", lamp(3), 1);
    // Two bones have to be 0 and 1.
    let bone = |id: i32| {
        changing::<NodeHeader>("BONE/Bone[1]/Node/NodeHeader", move |header| header.object_id.set(id))
    };
    classic_case("MDX-NODE-002", bone(1), 0);
    classic_case("MDX-NODE-002", bone(2), 1);
    classic_case("MDX-NODE-002", bone(-1), 1);
    let parent = |parent: i32| {
        changing::<NodeHeader>("LITE/Light/Node/NodeHeader", move |header| header.parent_id.set(parent))
    };
    classic_case("MDX-NODE-003", parent(-1), 0);
    classic_case("MDX-NODE-003", parent(10), 0);
    classic_case("MDX-NODE-003", parent(11), 1);
    // Its own parent: nothing is missing.
    classic_case("MDX-NODE-003", parent(2), 1);
    classic_case("MDX-NODE-004", parent(2), 0);
}

#[test]
fn nodes_that_are_each_others_parents() {
    let parents = |list: &'static [(&'static str, i32)]| {
        move |file: &mut Document<'static>| {
            for (path, parent) in list {
                set::<NodeHeader>(file, path, |header| header.parent_id.set(*parent));
            }
        }
    };
    const ROOT: &str = "BONE/Bone/Node/NodeHeader";
    const ARM: &str = "BONE/Bone[1]/Node/NodeHeader";
    const LAMP: &str = "LITE/Light/Node/NodeHeader";
    classic_case("MDX-NODE-004", parents(&[(ARM, 0), (LAMP, 1)]), 0);
    // Two in a circle: all that hang on them are found once, by the first that leads into it.
    classic_case("MDX-NODE-004", parents(&[(ROOT, 1)]), 1);
    classic_case("MDX-NODE-004", parents(&[(ROOT, 2), (ARM, 0), (LAMP, 1)]), 1);
    // A circle beside the tree.
    classic_case("MDX-NODE-004", parents(&[(ARM, 2), (LAMP, 1)]), 1);
}

#[test]
fn what_belongs_to_nodes() {
    let links = |geoset: i32, animation: i32| {
        changing::<BoneLinks>("BONE/Bone/BoneLinks", move |links| {
            links.geoset_id.set(geoset);
            links.geoset_animation_id.set(animation);
        })
    };
    classic_case("MDX-NODE-006", links(-1, -1), 0);
    classic_case("MDX-NODE-006", links(0, 0), 0);
    classic_case("MDX-NODE-006", links(1, 0), 1);
    classic_case("MDX-NODE-006", links(0, 1), 1);
    classic_case("MDX-NODE-006", links(-2, 0), 1);
    let pivots = |count: usize| {
        move |file: &mut Document<'static>| {
            node(file, "PIVT").set_values(&vec![Vec3::default(); count]);
        }
    };
    classic_case("MDX-NODE-005", pivots(11), 0);
    classic_case("MDX-NODE-005", pivots(12), 1);
    classic_case("MDX-NODE-005", pivots(10), 1);
    // Twelve nodes and a camera; a model without poses has none to count.
    for (count, expected) in [(12, 0), (13, 0), (14, 1), (11, 1), (0, 0)] {
        case(
            "MDX-NODE-008",
            HD,
            sample("warcraft-1000"),
            |file| *node(file, "BPOS") = mdx::build::counted(&kinds::BPOS, &vec![BindPose::default(); count]),
            expected,
        );
    }
    // One per camera, however many there are.
    let cameras = |file: &mut Document<'static>, count: usize| {
        let camera = node(file, "CAMS/Camera").clone();
        children(file, "CAMS").extend(vec![camera; count - 1]);
    };
    for (poses, expected) in [(12, 0), (13, 0), (14, 1), (15, 0), (16, 1)] {
        case(
            "MDX-NODE-008",
            HD,
            sample("warcraft-1000"),
            |file| {
                cameras(file, 3);
                *node(file, "BPOS") = mdx::build::counted(&kinds::BPOS, &vec![BindPose::default(); poses]);
            },
            expected,
        );
    }
}

#[test]
fn flags_of_nodes() {
    for (path, right) in [
        ("BONE/Bone/Node/NodeHeader", NodeFlags::BONE),
        ("LITE/Light/Node/NodeHeader", NodeFlags::LIGHT),
        ("EVTS/EventObject/Node/NodeHeader", NodeFlags::EVENT_OBJECT),
        ("ATCH/Attachment/Node/NodeHeader", NodeFlags::ATTACHMENT),
        ("PREM/ParticleEmitter/Node/NodeHeader", NodeFlags::PARTICLE_EMITTER),
        ("PRE2/ParticleEmitter2/Node/NodeHeader", NodeFlags::PARTICLE_EMITTER),
        ("CLID/CollisionShape/Node/NodeHeader", NodeFlags::COLLISION_SHAPE),
        ("RIBB/RibbonEmitter/Node/NodeHeader", NodeFlags::RIBBON_EMITTER),
        ("HELP/Helper/Node/NodeHeader", NodeFlags::new(0)),
    ] {
        let wrong = if right == NodeFlags::LIGHT { NodeFlags::BONE } else { NodeFlags::LIGHT };
        for (flags, expected) in [(right, 0), (wrong, 1)] {
            // The lower and the upper bits say other things.
            for more in [0, 1, 0x80, 0x8000, 0x10_0000] {
                classic_case(
                    "MDX-NODE-007",
                    |file| {
                        set::<NodeHeader>(file, path, |header| {
                            header.flags = NodeFlags::new(flags.get() | more);
                        });
                    },
                    expected,
                );
            }
        }
    }
}
