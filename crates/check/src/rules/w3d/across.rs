//! References to other files: skeletons, animations, textures, objects; and names that two files define.

use std::collections::HashSet;

use assets::stock::StockKind;
use assets::{Family, Named};
use record::Severity::Warning;
use record::{Node, decode, until_nul};
use w3d::records::{AggregateInfo, AggregateSubobject, EmitterInfo};
use w3d::references::is_animation;
use w3d::table::*;

use super::animation::animations;
use super::{is_of_this_file, lower};
use crate::context::{Findings, W3dContext};
use crate::paths::{extension, stem};
use crate::rule::Rule;
use crate::words::{count, list, thousands};

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-FILES-001",
        Warning,
        skeleton,
        "docs/formats/w3d/names.md#references-between-files: hierarchy H is loaded from H.w3d",
        "a skeleton was not found",
        "Neither this file nor nearby files have the skeleton that a model or animation names. The model cannot be created, the animation is dropped. Pass \
         the file or its folder with `--with`, or mount the game with `--game`.",
    ),
    Rule::w3d(
        "W3D-FILES-002",
        Warning,
        texture,
        "docs/formats/w3d/names.md#textures: the same name with .dds before .tga",
        "a texture was not found",
        "Engines look for the name with `.dds`, then with `.tga`, and show magenta if they find neither. Files that the game ships are not reported \
         where their names are known (docs/stock-names.md); for other games mount the game with `--game` or record what you know with \
         `--write-baseline`.",
    ),
    Rule::w3d(
        "W3D-FILES-003",
        Warning,
        object,
        "docs/formats/w3d/models.md#hlod, docs/formats/w3d/models.md#aggregates",
        "an object of a model or aggregate was not found",
        "Neither this file nor nearby files have the object: the engine skips it.",
    ),
    Rule::w3d(
        "W3D-FILES-004",
        Warning,
        duplicate,
        "docs/formats/w3d/names.md#references-between-files: one prototype per name",
        "another file defines the same names",
        "The asset manager keeps what it loads first: which of the two is shown depends on what else the map loads. One finding for each set of files.",
    ),
    Rule::w3d(
        "W3D-FILES-005",
        Warning,
        pose,
        "docs/formats/w3d/animation.md#morph-animations: POSENAME is Hierarchy.Animation",
        "an animation of a morph channel was not found",
        "The channel takes its poses from an animation that does not exist; it has no effect.",
    ),
    Rule::w3d(
        "W3D-FILES-006",
        Warning,
        aggregate_bone,
        "docs/formats/w3d/models.md#aggregates: by bone name",
        "an aggregate attaches an object to a missing bone",
        "The object is attached to the root instead.",
    ),
];

fn skeleton(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let mut missed = |node: &Node<'_>, name: &str| {
        let is_supplied = context.is_supplied(StockKind::Model, &file_of(name));
        if !name.is_empty() && !is_supplied && !context.has_skeleton(name) {
            findings.add(node, format!("the skeleton {name:?} was not found in this file or nearby files"));
        }
    };
    for hlod in context.hlods() {
        if let Some(header) = hlod.header() {
            missed(hlod.0, &header.hierarchy_name.to_string());
        }
    }
    for animation in animations(context) {
        missed(animation.0, &animation.hierarchy_name());
    }
}

/// The file that an object, a skeleton or an animation of a name is in.
fn file_of(name: &str) -> String {
    format!("{name}.w3d")
}

/// Every name of a texture in the file, with the node that has it.
fn textures<'n>(context: &W3dContext<'n>) -> Vec<(&'n Node<'n>, String)> {
    let mut all = Vec::new();
    for visit in context.every() {
        let node = visit.node;
        let text = if node.is(&TEXTURE_NAME) || node.is(&MAP3_FILENAME) {
            node.text()
        } else if node.is(&SHADER_MATERIAL_PROPERTY) {
            node.slots().find(|part| part.slot.name == "texture").map(|part| until_nul(part.bytes))
        } else if let Some(info) = node.value::<EmitterInfo>() {
            Some(info.texture_filename.text())
        } else if let Some(sphere) = node.value::<w3d::records::SphereDef>() {
            Some(sphere.texture_name.text())
        } else {
            node.value::<w3d::records::RingDef>().map(|ring| ring.texture_name.text())
        };
        all.extend(text.filter(|text| !text.is_empty()).map(|text| (node, decode(text).into_owned())));
    }
    all
}

fn texture(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let Some(lookup) = context.lookup else { return };
    let mut told = HashSet::new();
    for (node, name) in textures(context) {
        // Exporters write "No Texture" if there is none; a name without an extension is built into the engine.
        if extension(&name).is_none() || !told.insert(lower(&name)) {
            continue;
        }
        let base = stem(&name);
        let is_supplied = context.is_supplied(StockKind::Texture, &name);
        if is_supplied {
            continue;
        }
        match lookup.texture(&name, Family::W3d) {
            None => findings.add(node, format!("neither {base}.dds nor {base}.tga was found")),
            Some(found) if !found.expected => {
                let file = found.path.file_name().unwrap_or_default().to_string_lossy();
                findings.add(
                    node,
                    format!(
                        "neither {base}.dds nor {base}.tga was found, only {file}, which games do not read"
                    ),
                );
            }
            Some(_) => {}
        }
    }
}

fn object(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let Some(lookup) = context.lookup else { return };
    let here = context.labels();
    let mut missed = |node: &Node<'_>, name: &str| {
        let name = lower(name);
        // `A.B` and `A` are in the file A.
        let container = name.split('.').next().unwrap_or(&name);
        let is_missing = !name.is_empty()
            && !here.contains(&name)
            && !context.is_supplied(StockKind::Model, &file_of(container))
            && !lookup.has(Named::Object, &name);
        // Another rule reports objects of this file's containers.
        if is_missing && !(node.is(&HLOD_SUB_OBJECT) && is_of_this_file(&here, &name)) {
            findings.add(node, format!("the object {name:?} was not found in this file or nearby files"));
        }
    };
    for hlod in context.hlods() {
        // Proxies are names for the application.
        for array in hlod.levels().chain(hlod.aggregates()) {
            for node in array.0.all(&HLOD_SUB_OBJECT) {
                missed(node, &node.label().unwrap_or_default());
            }
        }
    }
    for visit in context.all(&AGGREGATE_INFO) {
        if let Some(info) = visit.node.value::<AggregateInfo>() {
            missed(visit.node, &info.base_model_name.to_string());
        }
        for object in visit.node.values::<AggregateSubobject>() {
            missed(visit.node, &object.subobject_name.to_string());
        }
    }
}

/// Maximum number of files in a message; collections have thousands of copies of a model.
const NAMED: usize = 4;

fn duplicate(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let Some(lookup) = context.lookup else { return };
    /// The files that define the same things (some of them, and how many there are), the first such part, and the names of all.
    struct Twice<'a> {
        files: (Vec<String>, usize),
        first: &'a Node<'a>,
        names: Vec<String>,
    }
    let mut twice: Vec<Twice<'_>> = Vec::new();
    for node in context.file.root.children() {
        let Some(label) = node.label() else { continue };
        let (named, kind) = match node {
            node if node.is(&HIERARCHY) => (Named::Skeleton, "skeleton "),
            node if is_animation(node) || node.is(&MORPH_ANIMATION) => (Named::Animation, "animation "),
            _ => (Named::Object, ""),
        };
        let files = lookup.definers(named, &label, NAMED);
        if files.1 > 1 {
            let name = format!("{kind}{label:?}");
            match twice.iter_mut().find(|known| known.files == files) {
                Some(known) => known.names.push(name),
                None => twice.push(Twice { files, first: node, names: vec![name] }),
            }
        }
    }
    for Twice { files: (files, all), first, names } in twice {
        let more = match all - files.len() {
            0 => String::new(),
            more => format!(" and {} more", thousands(more)),
        };
        let files = format!("{}{more}", files.join(", "));
        findings.add(
            first,
            match names.as_slice() {
                [one] => format!("{one} is defined by several files: {files}"),
                names => format!(
                    "{} are defined by several files ({files}): {}",
                    count(names.len(), "name", "names"),
                    list(names)
                ),
            },
        );
    }
}

fn pose(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let Some(lookup) = context.lookup else { return };
    let here: HashSet<String> =
        animations(context).filter_map(|animation| animation.0.label()).map(|label| lower(&label)).collect();
    for visit in context.all(&MORPHANIM_POSENAME) {
        let name = decode(visit.node.text().unwrap_or_default()).into_owned();
        if !here.contains(&lower(&name)) && !lookup.has(Named::Animation, &name) {
            findings.add(
                visit.node,
                format!("the animation {name:?} was not found in this file or nearby files"),
            );
        }
    }
}

fn aggregate_bone(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&AGGREGATE_INFO) {
        let Some(info) = visit.node.value::<AggregateInfo>() else { continue };
        // The base model's skeleton has its name unless the model states another one. Only the first can be looked up by
        // name.
        let Some(pivots) = context.skeleton(&info.base_model_name.to_string()) else { continue };
        for object in visit.node.values::<AggregateSubobject>() {
            if !pivots.iter().any(|pivot| pivot.name.same_name(&object.bone_name)) {
                findings.add(
                    visit.node,
                    format!("the skeleton has no bone called {:?}", object.bone_name.to_string()),
                );
            }
        }
    }
}
