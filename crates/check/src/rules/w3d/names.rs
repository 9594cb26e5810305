//! Names and strings, and numbers that are infinite or NaN.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use record::Severity::{Error, Info, Warning};
use record::{Item, Node, Type, decode, until_nul};
use w3d::table::*;

use super::lower;
use crate::context::{Findings, W3dContext};
use crate::paths::stem;
use crate::rule::Rule;
use crate::words::{counted, list, thousands, verb};

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-NAME-001",
        Error,
        unterminated,
        "docs/formats/w3d/names.md#fixed-names: W3D_NAME_LEN 16, strcpy in the loaders",
        "a name fills its field without a terminating NUL",
        "Loaders copy names up to the NUL and so run on into the next field, or beyond their own buffer. Names have 15 characters (31 for \
         dotted ones). Shorten the name in the modelling program and export again.",
    ),
    Rule::w3d(
        "W3D-NAME-002",
        Info,
        garbage,
        "docs/formats/w3d/names.md#fixed-names: in most retail HLODs",
        "bytes after the end of a name",
        "Exporters leave uninitialised memory after the NUL. Nothing reads it; it only makes two exports differ.",
    ),
    Rule::w3d(
        "W3D-NAME-003",
        Warning,
        not_ascii,
        "docs/formats/w3d/names.md#fixed-names",
        "a name has characters outside ASCII",
        "Names are bytes in the code page of the machine that exported them. Engines compare bytes, ignoring the case of ASCII letters only, so \
         such a name may not be found.",
    ),
    Rule::w3d(
        "W3D-NAME-004",
        Info,
        padded,
        "docs/formats/w3d/names.md#fixed-names: 34 files of BFME II",
        "a name starts or ends with white space",
        "The games find objects without the spaces at the end of a name. Other programs may compare the whole name. Remove the white space.",
    ),
    Rule::w3d(
        "W3D-NAME-005",
        Warning,
        duplicate_pivots,
        "max2w3d: IDS_ERROR_DUPNAMES, 15 characters, ignoring case",
        "two bones have the same name",
        "The exporter refuses this: a search for the bone by name (weapons, attachments, aggregates) finds the first one only. Rename one.",
    ),
    Rule::w3d(
        "W3D-NAME-006",
        Error,
        duplicate_meshes,
        "max2w3d: Geometry Nodes with duplicated names",
        "two objects of the file have the same full name",
        "The asset manager keeps one prototype per name and drops the other, so a part of the model is missing or doubled. Rename one.",
    ),
    Rule::w3d(
        "W3D-NAME-007",
        Warning,
        file_name,
        "docs/formats/w3d/names.md#references-between-files: assetmgr.cpp loads A.w3d for A and A.B, N.w3d for the animation H.N",
        "nothing in the file has the file's name",
        "Engines load on demand: they look for a model, skeleton or animation in the file of its name. The content of this file is only found if \
         something else has already loaded the file. Rename the file or the parts.",
    ),
    Rule::w3d(
        "W3D-NAME-008",
        Warning,
        mesh_on_other_bone,
        "docs/formats/w3d/names.md#full-names: the Blender plugin since 0.6.5",
        "a mesh has a bone's name but is attached to another bone",
        "Exporters give a mesh and its bone the same name. If the mesh is attached to another bone, importers that connect by name move it.",
    ),
    Rule::w3d(
        "W3D-NAME-009",
        Error,
        long_text,
        "docs/formats/w3d/names.md#variable-strings: loaders read into 256 bytes",
        "a string is too long for the loader's buffer",
        "Names of textures, materials and the like are read into buffers of 256 bytes. A longer one writes over the loader's memory.",
    ),
    Rule::w3d(
        "W3D-NAME-010",
        Warning,
        text_without_nul,
        "docs/formats/w3d/names.md#variable-strings: payload is the string with its NUL",
        "a string has no terminating NUL",
        "Loaders take the chunk as it is and read on until they find a NUL somewhere in memory.",
    ),
    Rule::w3d(
        "W3D-NAME-011",
        Error,
        not_finite,
        "docs/formats/w3d/meshes.md#vertices: non-finite floats",
        "a position is infinite or NaN",
        "NaN and infinity spread from a vertex or a bone: the vertex disappears, and so does everything on the bone. Look for what the exporter divided by \
         zero: a zero scale, an empty object.",
    ),
    Rule::w3d(
        "W3D-NAME-012",
        Warning,
        not_finite_elsewhere,
        "docs/formats/w3d/meshes.md#vertices: non-finite floats",
        "a number is infinite or NaN",
        "Exporters divide by zero where a triangle has no area or an object no size: normals, coordinates, bounds. What is computed from it is lost; the \
         rest of the model is drawn.",
    ),
    Rule::w3d(
        "W3D-NAME-013",
        Warning,
        texture_folder,
        "docs/formats/w3d/names.md#textures: textures are found by name",
        "a texture name has a folder",
        "Engines look for the whole text in their texture folders and do not find it, or show another texture. Give the file name only, and put the \
         file into the texture folder.",
    ),
];

fn texture_folder(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let mut told = HashSet::new();
    for visit in context.all(&TEXTURE_NAME) {
        let name = decode(visit.node.text().unwrap_or_default()).into_owned();
        if name.contains(['/', '\\']) && told.insert(lower(&name)) {
            findings.add(
                visit.node,
                format!("the texture name {name:?} has a folder; engines look for file names"),
            );
        }
    }
}

/// Calls `see` for each name field of a node: offset in the body and bytes.
fn names<'n>(node: &'n Node<'n>, see: &mut dyn FnMut(usize, &'n [u8])) {
    for part in node.slots() {
        let Item::Value(ty @ Type::Record(_)) = part.slot.item else { continue };
        let mut fields = Vec::new();
        name_fields(ty, 0, &mut fields);
        if fields.is_empty() {
            continue;
        }
        for (index, element) in part.bytes.chunks_exact(ty.size()).enumerate() {
            for field in &fields {
                let bytes = element.get(field.clone()).unwrap_or_default();
                see(part.start + index * ty.size() + field.start, bytes);
            }
        }
    }
}

/// The offsets of names in a value of a type.
fn name_fields(ty: Type, start: usize, fields: &mut Vec<Range<usize>>) {
    match ty {
        Type::Chars(size) => fields.push(start..start + size),
        Type::Array(element, count) => {
            (0..count).for_each(|index| name_fields(*element, start + index * element.size(), fields));
        }
        Type::Record(schema) => {
            schema.fields.iter().for_each(|field| name_fields(field.ty, start + field.offset, fields));
        }
        _ => {}
    }
}

/// Reports each name of the file that a test rejects.
fn each_name(
    context: &W3dContext<'_>,
    findings: &mut Findings<'_>,
    bad: fn(&[u8]) -> bool,
    message: fn(&str) -> String,
) {
    for visit in context.every() {
        names(visit.node, &mut |start, bytes| {
            if bad(bytes) {
                findings.at(visit.node, start..start + bytes.len(), message(&decode(until_nul(bytes))));
            }
        });
    }
}

fn unterminated(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    each_name(
        context,
        findings,
        |bytes| !bytes.contains(&0) && bytes.len() > 4,
        |name| format!("{name:?} fills its field; the terminating NUL is missing"),
    );
}

fn garbage(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let mut count = 0;
    for visit in context.every() {
        names(visit.node, &mut |_, bytes| {
            count += usize::from(bytes[until_nul(bytes).len()..].iter().any(|byte| *byte != 0));
        });
    }
    if count > 0 {
        let (names, have) = (counted(count, "name"), verb(count, "has", "have"));
        findings.file(format!("{names} {have} bytes other than zero after the end"));
    }
}

fn not_ascii(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    each_name(
        context,
        findings,
        // Another rule reports white space at the ends.
        |bytes| !until_nul(bytes).trim_ascii().iter().all(|byte| (0x20..0x7F).contains(byte)),
        |name| format!("{name:?} has characters outside printable ASCII"),
    );
}

fn padded(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    each_name(
        context,
        findings,
        |bytes| until_nul(bytes).trim_ascii() != until_nul(bytes),
        |name| format!("{name:?} starts or ends with white space"),
    );
}

fn duplicate_pivots(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.hierarchies() {
        let mut seen = HashMap::new();
        let Some(node) = hierarchy.0.child(&PIVOTS) else { continue };
        for (index, pivot) in hierarchy.pivots().iter().enumerate() {
            let text = pivot.name.text();
            let name = text[..text.len().min(15)].to_ascii_lowercase();
            if let Some(first) = seen.insert(name, index) {
                let message =
                    format!("bones {first} and {index} are both called {:?}", pivot.name.to_string());
                findings.at(node, index * 60..index * 60 + 16, message);
            }
        }
    }
}

fn duplicate_meshes(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for node in context.file.root.children() {
        // Skeletons, models and animations have separate namespaces.
        let sort = match node.id {
            0x0 | 0x740 | 0x750 | 0x900 | 0xB00 | 0x500 => 0,
            ids::HMODEL | ids::LODMODEL | ids::AGGREGATE | ids::HLOD => 1,
            ids::HIERARCHY => 2,
            ids::ANIMATION | ids::COMPRESSED_ANIMATION | ids::MORPH_ANIMATION => 3,
            _ => continue,
        };
        let Some(label) = node.label() else { continue };
        if !seen.insert((sort, lower(&label))) {
            findings.add(node, format!("another object of the file is also called {label:?}"));
        }
    }
}

fn file_name(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let Some(stem) = context.file_name.map(|name| lower(stem(name))) else { return };
    let mut names = Vec::new();
    for node in context.file.root.children() {
        let Some(label) = node.label() else { continue };
        let name = match node.id {
            // Animations are loaded by the part after the dot, everything else by the part before it.
            ids::ANIMATION | ids::COMPRESSED_ANIMATION | ids::MORPH_ANIMATION => {
                label.split_once('.').map_or(&*label, |(_, name)| name)
            }
            _ => label.split_once('.').map_or(&*label, |(container, _)| container),
        };
        names.push(lower(name));
    }
    if !names.is_empty() && !names.contains(&stem) {
        names.sort();
        names.dedup();
        findings.file(format!("the file is called {stem:?}, but its parts are called {}", list(&names)));
    }
}

fn mesh_on_other_bone(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (name, attached) in context.attached() {
        let mesh = name.split_once('.').map_or(&**name, |(_, mesh)| mesh);
        let Some(pivots) = context.skeleton(&attached.skeleton) else { continue };
        let bone = pivots.iter().position(|pivot| pivot.name.is(mesh));
        let skin = context.meshes.iter().any(|mesh| {
            // Loaders set the skin flag if there are influences.
            lower(&mesh.full_name()) == *name
                && (mesh.header().is_some_and(|header| header.is_skin())
                    || mesh.0.child(&VERTEX_INFLUENCES).is_some())
        });
        if let Some(bone) = bone.filter(|bone| *bone != super::len(attached.bone) && !skin) {
            findings.add(
                attached.node,
                format!("{name:?} is attached to bone {}, but bone {bone} has its name", attached.bone),
            );
        }
    }
}

fn texts<'n>(node: &'n Node<'n>) -> impl Iterator<Item = (usize, &'n [u8])> {
    node.slots().filter(|part| matches!(part.slot.item, Item::Text)).map(|part| (part.start, part.bytes))
}

fn long_text(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every() {
        // Comments and arguments have buffers of their exact size.
        let buffered = !matches!(
            visit.node.id,
            ids::MESH_USER_TEXT
                | ids::VERTEX_MAPPER_ARGS0
                | ids::VERTEX_MAPPER_ARGS1
                | ids::SHDMESH_USER_TEXT
                | ids::EMITTER_USER_DATA
        ) && visit.node.kind.framing.header_len() == 8;
        for (start, bytes) in texts(visit.node).filter(|_| buffered) {
            if until_nul(bytes).len() >= 256 {
                findings.at(
                    visit.node,
                    start..start + bytes.len(),
                    format!(
                        "the string has {} characters; loaders have room for 255",
                        until_nul(bytes).len()
                    ),
                );
            }
        }
    }
}

fn text_without_nul(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every() {
        // Placeholders store the number of characters, so they need no NUL.
        let counted = matches!(visit.node.id, ids::PLACEHOLDER | ids::TRANSFORM_NODE);
        for (start, bytes) in texts(visit.node).filter(|_| !counted) {
            if !bytes.contains(&0) {
                findings.at(
                    visit.node,
                    start..start + bytes.len(),
                    format!("{:?} has no terminating NUL", decode(bytes)),
                );
            }
        }
    }
}

/// The offsets of floats in a value of a type.
fn floats(ty: Type, start: usize, offsets: &mut Vec<usize>) {
    match ty {
        Type::F32 => offsets.push(start),
        Type::Array(element, count) => {
            (0..count).for_each(|index| floats(*element, start + index * element.size(), offsets));
        }
        Type::Record(schema) => {
            // Angles of pivots are stored but never read.
            let used = schema.fields.iter().filter(|field| field.name != "euler_angles");
            used.for_each(|field| floats(field.ty, start + field.offset, offsets));
        }
        _ => {}
    }
}

/// The first float of a leaf that is infinite or NaN, and how many there are.
fn bad_floats(node: &Node<'_>) -> Option<(usize, usize)> {
    let (mut first, mut count) = (None, 0);
    for part in node.slots().filter(|part| part.slot.name != "surplus") {
        let Item::Value(ty) = part.slot.item else { continue };
        let mut offsets = Vec::new();
        floats(ty, 0, &mut offsets);
        if offsets.is_empty() {
            continue;
        }
        for (index, value) in part.bytes.chunks_exact(ty.size().max(1)).enumerate() {
            for offset in &offsets {
                let word = value.get(*offset..*offset + 4).and_then(|word| word.first_chunk::<4>());
                if word.is_some_and(|word| !f32::from_le_bytes(*word).is_finite()) {
                    first.get_or_insert(part.start + index * ty.size() + offset);
                    count += 1;
                }
            }
        }
    }
    first.map(|first| (first, count))
}

fn not_finite(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    numbers(context, findings, is_place);
}

fn not_finite_elsewhere(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    numbers(context, findings, |node| !is_place(node));
}

/// Whether the part is useless without its numbers: those of vertices and bones.
fn is_place(node: &Node<'_>) -> bool {
    node.is(&VERTICES) || node.is(&PIVOTS)
}

fn numbers(context: &W3dContext<'_>, findings: &mut Findings<'_>, wanted: fn(&Node<'_>) -> bool) {
    for visit in context.every().iter().filter(|visit| wanted(visit.node)) {
        if let Some((first, count)) = bad_floats(visit.node) {
            let message = match count {
                1 => "a number is infinite or NaN".to_owned(),
                _ => format!("{} numbers are infinite or NaN", thousands(count)),
            };
            findings.at(visit.node, first..first + 4, message);
        }
    }
}
