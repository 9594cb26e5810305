//! The edits that are tried.

use edit::{
    Attachment, Axis, Blend, Blending, Children, ClipChange, ColourChange, Mirror, Motion, PartKind,
    Recompute, Removal, Selector, Smoothing, parts,
};
use record::Node;

use crate::{Apply, Case, Then};

fn selector(text: &str) -> Selector {
    text.parse().expect("a selector")
}

/// The edits that a model has something for.
pub(crate) fn cases(root: &Node<'_>) -> Vec<Case> {
    let mut cases = Vec::new();
    let all = parts(root).unwrap_or_default();
    let kinds = [
        PartKind::Mesh,
        PartKind::Clip,
        PartKind::Bone,
        PartKind::Attachment,
        PartKind::Emitter,
        PartKind::Ribbon,
        PartKind::Light,
        PartKind::Camera,
        PartKind::Collision,
        PartKind::Event,
        PartKind::Lod,
    ];
    for kind in kinds {
        let count = all.iter().filter(|part| part.kind == kind).count();
        if count == 0 {
            continue;
        }
        for index in [0, count / 2, count - 1] {
            for children in [Children::MoveUp, Children::Remove] {
                let removal = Removal { parts: vec![Selector::Index(kind, index)], unused: false, children };
                cases.push(Case {
                    name: format!("remove {} {children:?}", kind.word()),
                    apply: Box::new(move |root| edit::remove(root, &removal)),
                    then: vec![Then::Fewer(kind, 1)],
                });
            }
        }
        cases.push(Case {
            name: format!("keep {}", kind.word()),
            apply: Box::new(move |root| {
                edit::keep(root, &[selector(&format!("{}:#0", kind.word()))], Children::MoveUp)
            }),
            then: vec![Then::Fewer(kind, count - 1)],
        });
    }
    cases.push(Case {
        name: "remove unused".to_owned(),
        apply: Box::new(|root| edit::remove(root, &Removal { unused: true, ..Removal::default() })),
        then: vec![Then::SameScene(0.0)],
    });
    for axis in [Axis::Y, Axis::X, Axis::Z] {
        let what = Mirror { axis, names: axis == Axis::Y };
        cases.push(Case {
            name: format!("mirror {axis:?}"),
            apply: Box::new(move |root| edit::mirror(root, &what)),
            then: vec![Then::Mirrored(axis, 1e-5), Then::Involution],
        });
    }
    cases.extend(attach_cases(root, &all));
    cases.extend(look_cases(&all));
    cases.extend(clip_cases(root, &all));
    cases.extend(add_cases(root, &all));
    let nothing = Recompute::default();
    let computed = [
        ("normals", Recompute { normals: Some(Smoothing::Kept), ..nothing }, Some(0.0)),
        ("normals by angle", Recompute { normals: Some(Smoothing::Angle(60.0)), ..nothing }, Some(0.0)),
        ("tangents", Recompute { tangents: true, ..nothing }, Some(0.0)),
        ("extents", Recompute { extents: true, ..nothing }, Some(0.0)),
        ("planes", Recompute { planes: true, ..nothing }, Some(0.0)),
        ("tree", Recompute { tree: true, ..nothing }, Some(0.0)),
        ("winding", Recompute { winding: true, ..nothing }, Some(0.0)),
        ("bones", Recompute { bones: true, ..nothing }, Some(0.0)),
    ];
    for (name, what, same) in computed {
        cases.push(Case {
            name: format!("recompute {name}"),
            apply: Box::new(move |root| edit::recompute(root, &what)),
            then: same.map(Then::SameScene).into_iter().chain([Then::Once]).collect(),
        });
    }
    cases
}

/// Changes of clips, each of which has an opposite or leaves what is drawn.
fn clip_cases(root: &Node<'_>, all: &[edit::Part]) -> Vec<Case> {
    let mut cases = Vec::new();
    let clips: Vec<&edit::Part> = all.iter().filter(|part| part.kind == PartKind::Clip).collect();
    let change = |index: usize, change: ClipChange| -> Apply {
        Box::new(move |root| edit::change_clip(root, &Selector::Index(PartKind::Clip, index), &change))
    };
    let lengths = lengths(root);
    for (index, length) in [0, clips.len() / 2].into_iter().filter_map(|at| Some((at, *lengths.get(at)?))) {
        let mut add = |name: &str, apply: Apply, then: Vec<Then>| {
            cases.push(Case { name: format!("clip {name}"), apply, then });
        };
        let speed = |factor: f32| change(index, ClipChange::Speed(factor));
        add("speed 2", speed(2.0), vec![Then::Back(speed(0.5), 0.02)]);
        add("speed 0.5", speed(0.5), vec![Then::SameScene(1e-4), Then::Back(speed(2.0), 1e-4)]);
        add(
            "reverse",
            change(index, ClipChange::Reverse),
            vec![Then::Back(change(index, ClipChange::Reverse), 1e-3), Then::Reversed(index, 2e-2)],
        );
        let (from, to) = (length / 4, length * 3 / 4);
        if to > from {
            let trim = change(index, ClipChange::Trim { from, to });
            add("trim", trim, vec![Then::Part(index, from, length, 2e-2)]);
            let split = ClipChange::Split { at: length / 2, name: "Mw Second".to_owned() };
            let join = ClipChange::Join(selector("clip:Mw Second"));
            add(
                "split",
                change(index, split),
                vec![Then::Part(index, 0, length, 2e-2), Then::Back(change(index, join), 2e-2)],
            );
        }
        add("move speed", change(index, ClipChange::MoveSpeed(77.0)), vec![Then::SameScene(0.0), Then::Once]);
        add("rarity", change(index, ClipChange::Rarity(3.5)), vec![Then::SameScene(0.0), Then::Once]);
        add("loop", change(index, ClipChange::Loop(false)), vec![Then::Once]);
        add("rename", change(index, ClipChange::Rename("Mw Renamed".to_owned())), vec![]);
        add("move", change(index, ClipChange::Move(900_000)), vec![Then::SameScene(1e-4)]);
    }
    cases
}

/// What is removed comes back from the original.
fn add_cases(root: &Node<'_>, all: &[edit::Part]) -> Vec<Case> {
    let original = root.clone().into_owned();
    let mut cases = Vec::new();
    let last = |kind: PartKind| all.iter().filter(|part| part.kind == kind).count().checked_sub(1);
    let kinds = [
        PartKind::Mesh,
        PartKind::Attachment,
        PartKind::Emitter,
        PartKind::Ribbon,
        PartKind::Light,
        PartKind::Camera,
        PartKind::Collision,
        PartKind::Event,
    ];
    for (kind, index) in kinds.into_iter().filter_map(|kind| Some((kind, last(kind)?))) {
        let original = original.clone();
        let wanted = Selector::Index(kind, index);
        cases.push(Case {
            name: format!("add {}", kind.word()),
            apply: Box::new(move |root| {
                edit::remove(root, &Removal { parts: vec![wanted.clone()], ..Removal::default() })?;
                let addition =
                    edit::Addition { part: wanted.clone(), to: None, like: None, keep_position: false };
                edit::add(root, &original, &addition)
            }),
            then: vec![Then::Fewer(kind, 0), Then::SameScene(1e-4)],
        });
    }
    if last(PartKind::Clip).is_some() {
        let original = original.clone();
        cases.push(Case {
            name: "add clip".to_owned(),
            apply: Box::new(move |root| {
                let clip = Selector::Index(PartKind::Clip, 0);
                let addition = edit::ClipAddition {
                    clip,
                    name: Some("Mw Copy".to_owned()),
                    map: Vec::new(),
                    like: None,
                };
                edit::add_clip(root, &original, &addition)
            }),
            then: vec![Then::CopyOfFirst(2e-2)],
        });
    }
    cases
}

/// The length of each clip: milliseconds, or the last frame.
fn lengths(root: &Node<'_>) -> Vec<u32> {
    let sequences = root.get(mdx::kinds::SEQS).iter();
    let sequences =
        sequences.map(|sequence| (sequence.end.get() - sequence.start.get()).max(0).cast_unsigned());
    let frames = root.children().iter().filter_map(w3d::Animation::new);
    sequences.chain(frames.map(|clip| clip.num_frames().saturating_sub(1))).collect()
}

/// Parts on other parents.
fn attach_cases(root: &Node<'_>, all: &[edit::Part]) -> Vec<Case> {
    let mut cases = Vec::new();
    let count = |kind: PartKind| all.iter().filter(|part| part.kind == kind).count();
    let bones = count(PartKind::Bone);
    if bones < 2 {
        return cases;
    }
    let is_mdx = root.get(mdx::kinds::PIVT).len() > 1;
    let mut pairs: Vec<(Selector, Option<Selector>)> = vec![
        (Selector::Index(PartKind::Bone, bones - 1), Some(Selector::Index(PartKind::Bone, bones / 2))),
        (Selector::Index(PartKind::Bone, bones / 2), None),
        (Selector::Index(PartKind::Bone, bones / 3), Some(Selector::Index(PartKind::Bone, bones - 1))),
    ];
    let others = [
        PartKind::Attachment,
        PartKind::Emitter,
        PartKind::Ribbon,
        PartKind::Light,
        PartKind::Collision,
        PartKind::Event,
        PartKind::Mesh,
    ];
    for kind in others.into_iter().filter(|kind| count(*kind) > 0) {
        pairs.push((Selector::Index(kind, 0), Some(Selector::Index(PartKind::Bone, bones / 2))));
    }
    for (part, to) in pairs {
        for motion in [Motion::Own, Motion::Kept, Motion::Rigid] {
            let kind = part.kind().map_or("part", PartKind::word);
            let attachment = Attachment { part: part.clone(), to: to.clone(), motion };
            let mut then = vec![Then::SameRest(1e-5)];
            if motion == Motion::Kept {
                // Between the samples of curves a little is lost.
                then.push(Then::SameScene(if is_mdx { 1e-2 } else { 1e-4 }));
            }
            cases.push(Case {
                name: format!("attach {kind} {motion:?}"),
                apply: Box::new(move |root| edit::attach(root, &attachment)),
                then,
            });
        }
    }
    cases
}

/// Blending and colours, which move nothing.
fn look_cases(all: &[edit::Part]) -> Vec<Case> {
    let mut cases = Vec::new();
    let kinds = [PartKind::Mesh, PartKind::Material, PartKind::Emitter, PartKind::Ribbon, PartKind::Light];
    for kind in kinds {
        let count = all.iter().filter(|part| part.kind == kind).count();
        if count == 0 {
            continue;
        }
        let part = Selector::Index(kind, count / 2);
        let blends = [Blend::Opaque, Blend::Masked, Blend::Alpha, Blend::Additive, Blend::Modulate];
        for blend in blends.into_iter().filter(|_| kind != PartKind::Light) {
            let blending = Blending { parts: part.clone(), blend, layer: 0 };
            cases.push(Case {
                name: format!("blend {} {}", kind.word(), blend.word()),
                apply: Box::new(move |root| edit::blend(root, &blending)),
                then: vec![Then::SameScene(0.0), Then::Once],
            });
        }
        let orange = "#ff8000".parse().expect("a colour");
        let changes = [
            ("set", ColourChange::Set(orange)),
            ("tint", ColourChange::Tint(orange)),
            ("team colour", ColourChange::TeamColour(true)),
            ("no team colour", ColourChange::TeamColour(false)),
        ];
        for (name, change) in changes {
            let part = part.clone();
            let then = if name == "tint" {
                vec![Then::SameScene(0.0)]
            } else {
                vec![Then::SameScene(0.0), Then::Once]
            };
            cases.push(Case {
                name: format!("recolour {} {name}", kind.word()),
                apply: Box::new(move |root| edit::recolour(root, &part, &change)),
                then,
            });
        }
    }
    cases
}
