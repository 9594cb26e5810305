//! No change panics, whatever the file; and what is refused or done can still be written.

use crate::common;
use meshwright_edit::{Assignment, Axis, Named, Replacement, Transform, Unwanted};
use proptest::prelude::*;
use record::Node;

fn everything(root: &Node<'_>, number: f32, text: &str) {
    let try_out = |change: &dyn Fn(&mut Node<'_>) -> Result<usize, meshwright_edit::Error>| {
        let mut copy = root.clone();
        let before = copy.to_bytes().ok();
        if let Ok(0) = change(&mut copy) {
            assert_eq!(copy.to_bytes().ok(), before, "nothing was changed");
        }
    };
    for what in [Named::Mesh, Named::Bone, Named::Model, Named::Container, Named::Animation, Named::Camera] {
        try_out(&|root| meshwright_edit::rename(root, what, "LID", text));
        try_out(&|root| meshwright_edit::rename(root, what, text, "X"));
        // Every listed name can be renamed, unless another object prevents it.
        for name in meshwright_edit::names(&mut root.clone(), what).unwrap_or_default().iter().take(3) {
            let renamed = meshwright_edit::rename(&mut root.clone(), what, name, "Q");
            assert_ne!(renamed, Ok(0), "{what:?} {name:?}");
        }
    }
    let replacement = Replacement::regex("e", text).unwrap();
    try_out(&|root| meshwright_edit::retexture(root, &replacement, true));
    for what in [
        Unwanted::Unknown,
        Unwanted::UserText,
        Unwanted::UnusedMaterials,
        Unwanted::UnusedTextures,
        Unwanted::UnusedNodes,
    ] {
        try_out(&|root| meshwright_edit::strip(root, what));
    }
    for what in [
        Transform::Scale([number; 3]),
        Transform::Scale([1.0, 2.0, number]),
        Transform::Translate([number; 3]),
        Transform::Rotate(Axis::Y, number),
        Transform::Rotate(Axis::Z, 90.0),
    ] {
        try_out(&|root| meshwright_edit::transform(root, &what));
    }
    for axis in [Axis::X, Axis::Y, Axis::Z] {
        let what = meshwright_edit::Mirror { axis, names: true };
        try_out(&|root| meshwright_edit::mirror(root, &what).map(|report| report.changed));
    }
    for part in ["bone:#1", "bone:#2", "mesh:#0", "emitter:#0", "light:#0", "material:#0", "ribbon:#0"] {
        let part: meshwright_edit::Selector = part.parse().unwrap();
        for motion in
            [meshwright_edit::Motion::Own, meshwright_edit::Motion::Kept, meshwright_edit::Motion::Rigid]
        {
            let to = Some("bone:#0".parse().unwrap());
            let attachment = meshwright_edit::Attachment { part: part.clone(), to, motion };
            try_out(&|root| meshwright_edit::attach(root, &attachment).map(|report| report.changed));
        }
        let blending =
            meshwright_edit::Blending { parts: part.clone(), blend: meshwright_edit::Blend::Alpha, layer: 0 };
        try_out(&|root| meshwright_edit::blend(root, &blending).map(|report| report.changed));
        let colour = meshwright_edit::Colour([number, 0.5, 1.0]);
        for change in [
            meshwright_edit::ColourChange::Set(colour),
            meshwright_edit::ColourChange::Tint(colour),
            meshwright_edit::ColourChange::TeamColour(true),
            meshwright_edit::ColourChange::TeamColour(false),
        ] {
            try_out(&|root| meshwright_edit::recolour(root, &part, &change).map(|report| report.changed));
        }
    }
    for path in
        ["MESH/VERTICES.vertices[0]=[0,0,0]", "MESH/TEXTURES/TEXTURE/TEXTURE_NAME.name=x", "TEXS.textures=[]"]
    {
        let assignment: Assignment = path.parse().unwrap();
        try_out(&|root| meshwright_edit::set(root, &assignment));
    }
    let assignment = Assignment { path: text.to_owned(), value: text.to_owned() };
    try_out(&|root| meshwright_edit::set(root, &assignment));
}

fn mutated(mut bytes: Vec<u8>, changes: &[(usize, u8)], cut: usize) -> Vec<u8> {
    let length = bytes.len();
    for (at, byte) in changes {
        bytes[8 + at % (length - 8)] = *byte;
    }
    bytes.truncate(8 + (length - 8) - cut % (length - 8) / 8);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn damaged_files_are_changed_or_refused(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..12),
        cut in any::<usize>(),
        number in any::<f32>(),
        text in ".{0,20}",
    ) {
        for bytes in [w3d::sample::crate_box(), w3d::sample::every_chunk()] {
            if let Ok(file) = w3d::W3d::parse(&mutated(bytes, &changes, cut)) {
                everything(&file.root, number, &text);
            }
        }
        for (_, bytes) in mdx::build::samples() {
            if let Ok(file) = mdx::Document::parse(&mutated(bytes, &changes, cut)) {
                everything(&file.root, number, &text);
            }
        }
    }

    /// A field of zeros behind its text takes any two names there and back.
    #[test]
    fn names_go_there_and_back(name in "[A-Za-z0-9_]{1,15}") {
        prop_assume!(!["BODY", "LID", "BOUNDS"].iter().any(|known| known.eq_ignore_ascii_case(&name)));
        let mut file = common::crate_box();
        prop_assert_eq!(meshwright_edit::rename(&mut file.root, Named::Mesh, "LID", &name).unwrap(), 2);
        prop_assert_eq!(meshwright_edit::rename(&mut file.root, Named::Mesh, &name, "LID").unwrap(), 2);
        prop_assert_eq!(file.changed(), Vec::<usize>::new());
    }
}
