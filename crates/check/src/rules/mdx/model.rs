//! The model as a whole, its sequences and its textures.

use assets::{Family, Located};
use mdx::records::Extent;
use record::Severity::{Error, Info, Warning};
use record::{Item, Node, Type, decode, until_nul};

use super::is_replaceable;
use crate::context::{Findings, MdxContext};
use crate::paths::extension;
use crate::rule::Rule;
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-MODEL-001",
        Warning,
        version,
        "errata 2.1; mdx-m3-viewer",
        "unknown version",
        "Warcraft III reads 800, 1000, 1100, 1200 and 1800, the WoW alpha 1300 to 1500; it refuses others or reads them wrongly. 900 was only in the beta of \
         Reforged.",
    ),
    Rule::mdx(
        "MDX-MODEL-002",
        Error,
        missing_chunks,
        "evidence 0.2: no published file lacks them",
        "VERS or MODL is missing",
        "The game reads the version and the model's name before anything else.",
    ),
    Rule::mdx(
        "MDX-MODEL-003",
        Info,
        version_first,
        "errata 0.1: MdxLib writes INFO first",
        "VERS is not the first chunk",
        "The game takes any order, but tools that read the version first give up.",
    ),
    Rule::mdx(
        "MDX-MODEL-004",
        Warning,
        animation_file,
        "mdx-m3-viewer",
        "the animation file is set",
        "The game would load sequences from another file. No published model does so; most often it is memory that a tool left behind.",
    ),
    Rule::mdx(
        "MDX-MODEL-005",
        Warning,
        negative_extents,
        "mdx-m3-viewer, Stan",
        "an extent is inside out",
        "The least corner lies above the greatest: the model is culled or cannot be selected.",
    ),
    Rule::mdx(
        "MDX-MODEL-011",
        Info,
        empty_extents,
        "mdx-m3-viewer: negative extents; Blizzard's own models have them by the hundred",
        "an extent is the mark for nothing",
        "From the greatest float down to the least: the exporter saw nothing of it, most often because it is invisible in that sequence. The game does not \
         mind.",
    ),
    Rule::mdx(
        "MDX-MODEL-006",
        Warning,
        names,
        "evidence 0.2: one file fills the name",
        "a name fills its field without a terminating NUL",
        "Readers that look for the NUL run on into the next field.",
    ),
    Rule::mdx(
        "MDX-MODEL-007",
        Warning,
        quotes,
        "HiveWE: text not quotable in MDL",
        "a name cannot be written in MDL",
        "MDL has no escapes: a quotation mark or a line break inside a name ends it. The model cannot be converted to text and back.",
    ),
    Rule::mdx(
        "MDX-MODEL-008",
        Warning,
        not_finite,
        "evidence 2.4: NaN in published files",
        "a number is infinite or none",
        "NaN and infinity spread from a key or a bone to everything below it. The game tolerates NaN as speed or rarity of a sequence and as gain of a layer \
         with a track; those are not reported.",
    ),
    Rule::mdx(
        "MDX-MODEL-009",
        Info,
        many_triangles,
        "Stan: more than 20000 triangles",
        "the model has more than 20000 triangles",
        "The game draws it, but slowly where many of them stand.",
    ),
    Rule::mdx(
        "MDX-MODEL-010",
        Warning,
        duplicate_chunks,
        "evidence 0.2: no published file",
        "a chunk is there twice",
        "The game reads both, one over the other or one after the other; tools keep one.",
    ),
    Rule::mdx(
        "MDX-MODEL-012",
        Info,
        control_characters,
        "Retera: corrupt camera name; evidence 2.1: 17 published names",
        "a name has control characters",
        "Tabs and other signs that cannot be seen, most often memory that a tool left behind. Whoever looks for the name by what is seen does not find it.",
    ),
    Rule::mdx(
        "MDX-SEQ-001",
        Warning,
        no_sequences,
        "mdx-m3-viewer, Stan",
        "the model has no sequences",
        "The game makes up one of no length. Nothing moves, and emitters never start.",
    ),
    Rule::mdx(
        "MDX-SEQ-002",
        Warning,
        no_stand,
        "mdx-m3-viewer: severe",
        "no Stand sequence",
        "A unit without it shows its first sequence when idle, or nothing.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SEQ-003",
        Info,
        no_death,
        "mdx-m3-viewer: severe",
        "no Death sequence",
        "Effects without it stay for ever or vanish at once; units fall over without a corpse. Portraits, doodads and parts of the interface need none.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SEQ-004",
        Warning,
        overlap,
        "mdx-m3-viewer: severe, version 800; evidence 2.4: 115 files",
        "a sequence starts before an earlier one ends",
        "The classic game searches keys in the order of sequences and finds those of the wrong one. Reforged does not mind.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SEQ-005",
        Info,
        sequence_name,
        "mdx-m3-viewer",
        "a sequence has no standard name",
        "The game plays sequences by their first word: Attack, Birth, Cinematic, Death, Decay, Dissipate, Morph, Portrait, Ready, Sleep, Spell, Stand, Walk. \
         Others are played by scripts only.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SEQ-006",
        Warning,
        sequence_length,
        "mdx-m3-viewer, Stan",
        "a sequence has no length",
        "It shows a single frame, and time in it is divided by zero.",
    ),
    Rule::mdx(
        "MDX-SEQ-007",
        Warning,
        global_length,
        "mdx-m3-viewer, HiveWE; evidence 2.4: 473 of 5,332",
        "a global sequence has no length",
        "Tracks that run by it stand still at their first key.",
    ),
    Rule::mdx(
        "MDX-TEX-001",
        Warning,
        no_textures,
        "mdx-m3-viewer, Stan",
        "the model has no textures",
        "Whatever it draws is white or green.",
    ),
    Rule::mdx(
        "MDX-TEX-002",
        Warning,
        texture_path,
        "mdx-m3-viewer: error",
        "a texture's path has an unknown extension",
        "The game loads .blp, .tga, .dds and .tif. Anything else shows as green or black-and-white squares.",
    ),
    Rule::mdx(
        "MDX-TEX-003",
        Error,
        replaceable,
        "mdx-m3-viewer: error; errata 2.6",
        "unknown replaceable id",
        "The game knows 1 team colour, 2 team glow, 11 cliff, 21 cursor and 31 to 37 for trees. For others it has no texture and may crash.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-TEX-004",
        Warning,
        path_and_id,
        "mdx-m3-viewer",
        "a texture has both a path and a replaceable id",
        "The id wins; the path is never loaded.",
    ),
    Rule::mdx(
        "MDX-TEX-005",
        Warning,
        no_path_no_id,
        "HiveWE",
        "a texture has neither a path nor a replaceable id",
        "There is nothing to load: it shows as white or green.",
    ),
    Rule::mdx(
        "MDX-FILES-001",
        Info,
        texture_file,
        "errata 2.6: team colours are the game's own",
        "texture not found",
        "No file has this path below the root of the map or mod. It may be one of the game's own; otherwise import it under exactly this path.",
    ),
    Rule::mdx(
        "MDX-FILES-003",
        Warning,
        texture_elsewhere,
        "the games load textures by their whole path",
        "texture is in another folder",
        "A file of this name exists, but at another path. The game needs exactly the path that the model gives, from the root of the map or mod: \
         move the file, import it under that path, or change the path in the model.",
    ),
];

fn version(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let version = context.document.version;
    let known: &[u32] =
        if context.is_warcraft() { &[800, 1000, 1100, 1200, 1800] } else { &[1300, 1400, 1500] };
    if !known.contains(&version) {
        findings.add(context.chunk("VERS"), format!("version {version}"));
    }
}

fn missing_chunks(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for tag in ["VERS", "MODL"] {
        if !context.document.root.children().iter().any(|child| child.kind.name == tag) {
            findings.file(format!("{tag} is missing"));
        }
    }
}

fn version_first(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let chunks = context.document.root.children();
    let at = chunks.iter().position(|child| child.kind.name == "VERS");
    if let Some(at) = at.filter(|at| *at > 0) {
        findings.add(&chunks[at], format!("{} comes before it", chunks[0].name()));
    }
}

fn animation_file(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if let Some(header) = context.model.header().filter(|header| !header.animation_file.text().is_empty()) {
        findings.add(
            context.chunk("MODL"),
            format!("the animation file is {:?}", header.animation_file.to_string()),
        );
    }
}

fn is_negative(extent: &Extent) -> bool {
    let (low, high) = (extent.minimum.get(), extent.maximum.get());
    (0..3).any(|axis| high[axis] < low[axis]) && !is_empty(extent)
}

/// What exporters begin to grow a box from, and leave where there is nothing to enclose.
pub(crate) fn is_empty(extent: &Extent) -> bool {
    let (low, high) = (extent.minimum.get(), extent.maximum.get());
    low.iter().all(|part| *part > 1e9) && high.iter().all(|part| *part < -1e9)
}

fn extents(
    context: &MdxContext<'_>,
    findings: &mut Findings<'_>,
    bad: fn(&Extent) -> bool,
    [one, some]: [&str; 2],
) {
    if context.model.header().is_some_and(|header| bad(header.extent)) {
        findings.add(context.chunk("MODL"), format!("the model's extent {one}"));
    }
    let count = context.sequences.iter().filter(|sequence| bad(sequence.extent)).count();
    if count > 0 {
        findings.add(context.chunk("SEQS"), format!("the extents of {count} sequences {some}"));
    }
    for geoset in &context.geosets {
        let own = geoset.extent().is_some_and(|extent| bad(&extent));
        let count = usize::from(own) + geoset.extents().iter().filter(|extent| bad(extent)).count();
        if count > 0 {
            findings.add(geoset.node, format!("{count} extents {some}"));
        }
    }
}

fn negative_extents(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    extents(context, findings, is_negative, ["is inside out", "are inside out"]);
}

fn empty_extents(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    extents(context, findings, is_empty, ["is empty", "are empty"]);
}

/// Calls `see` for each fixed string of a leaf: offset, size, text.
fn strings(node: &Node<'_>, see: &mut dyn FnMut(usize, &[u8])) {
    for part in node.slots() {
        let Item::Value(Type::Record(schema)) = part.slot.item else { continue };
        for field in schema.fields.iter().filter(|field| matches!(field.ty, Type::Chars(size) if size > 4)) {
            for (at, record) in part.bytes.chunks_exact(schema.size).enumerate() {
                let bytes = record.get(field.offset..field.offset + field.ty.size()).unwrap_or_default();
                see(part.start + at * schema.size + field.offset, bytes);
            }
        }
    }
}

fn names(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every() {
        strings(visit.node, &mut |start, bytes| {
            if !bytes.contains(&0) {
                findings.at(
                    visit.node,
                    start..start + bytes.len(),
                    format!("{:?} fills its field", decode(bytes)),
                );
            }
        });
    }
}

fn quotes(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every() {
        // The guide of a popcorn emitter may have lines.
        let lines_allowed = visit.node.kind.name == "PopcornEmitterHeader";
        strings(visit.node, &mut |start, bytes| {
            let text = until_nul(bytes);
            if text.contains(&b'"') || !lines_allowed && (text.contains(&b'\n') || text.contains(&b'\r')) {
                findings.at(
                    visit.node,
                    start..start + bytes.len(),
                    format!("{:?} cannot be quoted", decode(text)),
                );
            }
        });
    }
}

fn control_characters(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every().iter().filter(|visit| visit.node.kind.name != "PopcornEmitterHeader") {
        strings(visit.node, &mut |start, bytes| {
            let text = until_nul(bytes);
            // Line breaks cannot be said in MDL at all, which is another rule's.
            if text.iter().any(|byte| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r')) {
                findings.at(visit.node, start..start + bytes.len(), format!("{:?}", decode(text)));
            }
        });
    }
}

/// How many floats of a value are infinite or none, leaving out the fields where the game does not mind.
fn bad_floats(ty: Type, bytes: &[u8]) -> usize {
    match ty {
        Type::F32 => {
            bytes.first_chunk().map_or(0, |word| usize::from(!f32::from_le_bytes(*word).is_finite()))
        }
        Type::Array(element, _) => {
            bytes.chunks_exact(element.size().max(1)).map(|bytes| bad_floats(*element, bytes)).sum()
        }
        Type::Record(schema) => {
            let counted = schema
                .fields
                .iter()
                .filter(|field| !matches!(field.name, "move_speed" | "rarity" | "emissive_gain"));
            counted
                .map(|field| {
                    bad_floats(
                        field.ty,
                        bytes.get(field.offset..field.offset + field.ty.size()).unwrap_or_default(),
                    )
                })
                .sum()
        }
        _ => 0,
    }
}

fn not_finite(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every() {
        let bad: usize = visit
            .node
            .slots()
            .map(|part| match part.slot.item {
                Item::Value(ty) => {
                    part.bytes.chunks_exact(ty.size().max(1)).map(|bytes| bad_floats(ty, bytes)).sum()
                }
                _ => 0,
            })
            .sum();
        if bad > 0 {
            findings.add(visit.node, format!("{bad} numbers are infinite or none"));
        }
    }
}

fn many_triangles(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let triangles: usize = context.geosets.iter().map(|geoset| geoset.faces().len() / 3).sum();
    if triangles > 20_000 {
        findings.add(context.chunk("GEOS"), format!("{triangles} triangles"));
    }
}

fn duplicate_chunks(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let mut seen = std::collections::HashSet::new();
    for chunk in context.document.root.children().iter().filter(|chunk| chunk.id != 0) {
        if !seen.insert(chunk.id) {
            findings.add(chunk, format!("{} is there already", chunk.name()));
        }
    }
}

fn no_sequences(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.sequences.is_empty() {
        findings.file("there are no sequences");
    }
}

/// The word that decides when a sequence plays.
pub(crate) fn first_word(name: &[u8]) -> String {
    let text = decode(name).to_lowercase();
    let text = text.trim().split('-').next().unwrap_or_default().to_owned();
    let mut words = text.split_whitespace();
    match words.next() {
        Some("alternate") => words.next().unwrap_or_default().to_owned(),
        word => word.unwrap_or_default().to_owned(),
    }
}

fn has_sequence(context: &MdxContext<'_>, word: &str) -> bool {
    context.sequences.is_empty()
        || context.sequences.iter().any(|sequence| first_word(sequence.name.text()) == word)
}

fn no_stand(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if !has_sequence(context, "stand") {
        findings.add(context.chunk("SEQS"), "there is no Stand sequence");
    }
}

fn no_death(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if !has_sequence(context, "death") {
        findings.add(context.chunk("SEQS"), "there is no Death sequence");
    }
}

fn overlap(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.document.version != 800 {
        return;
    }
    // The latest end so far is enough: whoever starts before it starts before an earlier one ends.
    let mut latest: Option<(usize, i32)> = None;
    let mut starts = std::collections::HashMap::new();
    for (at, sequence) in context.sequences.iter().enumerate() {
        let [start, end] = sequence.interval;
        let same = starts.insert(start, at);
        if let Some(earlier) = same.or(latest.filter(|(_, end)| start < *end).map(|(earlier, _)| earlier)) {
            let name = context.sequences[earlier].name.to_string();
            findings.element(
                context.chunk("SEQS"),
                at,
                format!(
                    "sequence {at} {:?} starts before sequence {earlier} {name:?} ends",
                    sequence.name.to_string()
                ),
            );
        }
        if latest.is_none_or(|(_, known)| end > known) {
            latest = Some((at, end));
        }
    }
}

fn sequence_name(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    const KNOWN: [&str; 13] = [
        "attack",
        "birth",
        "cinematic",
        "death",
        "decay",
        "dissipate",
        "morph",
        "portrait",
        "ready",
        "sleep",
        "spell",
        "stand",
        "walk",
    ];
    for (at, sequence) in context.sequences.iter().enumerate() {
        let word = first_word(sequence.name.text());
        if !KNOWN.contains(&&*word) {
            findings.element(
                context.chunk("SEQS"),
                at,
                format!("{word:?} of {:?} is no standard name", sequence.name.to_string()),
            );
        }
    }
}

fn sequence_length(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let sequences = context.sequences.iter().enumerate();
    for (at, sequence) in sequences.filter(|(_, sequence)| sequence.interval[0] >= sequence.interval[1]) {
        findings.element(
            context.chunk("SEQS"),
            at,
            format!(
                "{:?} runs from {} to {}",
                sequence.name.to_string(),
                sequence.interval[0],
                sequence.interval[1]
            ),
        );
    }
}

fn global_length(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let bad = context
        .model
        .global_sequences()
        .iter()
        .enumerate()
        .filter(|(_, duration)| duration.get() == 0)
        .map(|(at, _)| at);
    findings.elements(context.chunk("GLBS"), 4, bad, |at| format!("global sequence {at} has no length"));
}

fn no_textures(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.model.textures().is_empty() {
        findings.file("there are no textures");
    }
}

fn textures(
    context: &MdxContext<'_>,
    findings: &mut Findings<'_>,
    bad: fn(&mdx::records::Texture) -> bool,
    what: &str,
) {
    let textures = context.model.textures();
    let bad = textures.iter().enumerate().filter(|(_, texture)| bad(texture)).map(|(at, _)| at);
    findings.elements(context.chunk("TEXS"), 268, bad, |at| {
        let texture = &textures[at];
        format!("texture {at} ({:?}, id {}) {what}", texture.path.to_string(), texture.replaceable_id)
    });
}

fn texture_path(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let bad = |texture: &mdx::records::Texture| {
        let path = texture.path.to_string();
        !path.is_empty()
            && !extension(&path).is_some_and(|extension| matches!(&*extension, "blp" | "tga" | "tif" | "dds"))
    };
    textures(context, findings, bad, "has an unknown extension");
}

fn replaceable(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    textures(
        context,
        findings,
        |texture| !is_replaceable(texture.replaceable_id.get()),
        "has an unknown replaceable id",
    );
}

fn path_and_id(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    textures(
        context,
        findings,
        |texture| texture.replaceable_id.get() != 0 && !texture.path.text().is_empty(),
        "has both",
    );
}

fn no_path_no_id(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    textures(
        context,
        findings,
        |texture| texture.replaceable_id.get() == 0 && texture.path.text().is_empty(),
        "has neither path nor id",
    );
}

/// Finds textures by where their files are; nothing is said of textures that are not files.
fn texture_files(
    context: &MdxContext<'_>,
    findings: &mut Findings<'_>,
    message: impl Fn(&str, Option<Located>) -> Option<String>,
) {
    let Some(lookup) = context.lookup else { return };
    for (at, texture) in context.model.textures().iter().enumerate() {
        let path = texture.path.to_string();
        if path.is_empty() || texture.replaceable_id.get() != 0 {
            continue;
        }
        if let Some(message) = message(&path, lookup.texture(&path, Family::Mdx)) {
            findings.at(context.chunk("TEXS"), at * 268..(at + 1) * 268, message);
        }
    }
}

fn texture_file(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    texture_files(context, findings, |path, found| match found {
        None => Some(format!("texture {path:?} not found")),
        Some(_) => None,
    });
}

fn texture_elsewhere(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    texture_files(context, findings, |path, found| {
        found.filter(|found| !found.expected).map(|found| elsewhere("texture", path, &found))
    });
}

/// The message for a file that is in another place than the game expects.
pub(crate) fn elsewhere(what: &str, path: &str, found: &Located) -> String {
    let found = found.path.display();
    format!("{what} {path:?} not found at this path; a file of this name is at {found}")
}
