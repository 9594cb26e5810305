//! The model as a whole, its sequences and its textures.

use assets::stock::StockKind;
use assets::{Family, Located};
use mdx::records::Extent;
use record::Severity::{Error, Info, Warning};
use record::{Item, Node, Type, decode, until_nul};

use super::is_replaceable;
use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::paths::extension;
use crate::rule::Rule;
use crate::words::{counted, list, thousands, verb};
use model::{Game, Games};

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-MODEL-001",
        Warning,
        version,
        "docs/formats/mdx/versions.md#version-gates; mdx-m3-viewer",
        "unknown version",
        "Warcraft III reads 800, 1000, 1100, 1200 and 1800, the WoW alpha 1300 to 1500; it refuses others or reads them wrongly. 900 was only in the beta of \
         Reforged.",
    ),
    Rule::mdx(
        "MDX-MODEL-002",
        Error,
        missing_chunks,
        "docs/formats/mdx/framing.md#faults-in-published-files: no published file lacks them",
        "the chunk VERS or MODL is missing",
        "The game reads the version and the model's name before anything else.",
    ),
    Rule::mdx(
        "MDX-MODEL-003",
        Info,
        version_first,
        "docs/formats/mdx/framing.md#chunks: MdxLib writes INFO first",
        "VERS is not the first chunk",
        "The game accepts any order, but tools that read the version first refuse the file.",
    ),
    Rule::mdx(
        "MDX-MODEL-004",
        Warning,
        animation_file,
        "mdx-m3-viewer",
        "the model names an animation file",
        "The game would load sequences from another file. No published model does so; most often it is memory that a tool left behind.",
    ),
    Rule::mdx(
        "MDX-MODEL-005",
        Warning,
        negative_extents,
        "mdx-m3-viewer, Stan",
        "an extent is inside out",
        "The minimum lies above the maximum: the model is culled or cannot be selected.",
    ),
    Rule::mdx(
        "MDX-MODEL-011",
        Info,
        empty_extents,
        "mdx-m3-viewer: negative extents; Blizzard's own models have them by the hundred",
        "an extent is empty",
        "It runs from the largest float down to the smallest: the exporter saw nothing, most often because the geoset is invisible in that sequence. The \
         game ignores it.",
    ),
    Rule::mdx(
        "MDX-MODEL-006",
        Warning,
        names,
        "docs/formats/mdx/framing.md#faults-in-published-files: one file fills the name",
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
        Error,
        not_finite,
        "docs/formats/mdx/model.md#sequences: NaN in published files",
        "a number is infinite or NaN",
        "NaN and infinity spread from a key or a bone to everything below it: parts of the model disappear. The game tolerates NaN as speed or rarity of a sequence and as gain of a layer \
         with a track; those are not reported.",
    ),
    Rule::mdx(
        "MDX-MODEL-009",
        Info,
        many_triangles,
        "Stan: more than 20000 triangles",
        "the model has more than 20,000 triangles",
        "The game draws it, but slowly where there are many such models.",
    ),
    Rule::mdx(
        "MDX-MODEL-010",
        Warning,
        duplicate_chunks,
        "docs/formats/mdx/framing.md#faults-in-published-files: no published file",
        "a chunk occurs twice",
        "The game reads both, one over the other or one after the other; tools keep one of them.",
    ),
    Rule::mdx(
        "MDX-MODEL-012",
        Info,
        control_characters,
        "Retera: corrupt camera name; docs/formats/mdx/framing.md#strings: 17 published names",
        "a name has control characters",
        "Tabs and other invisible characters, most often memory that a tool left behind. A search for the visible name does not find it.",
    ),
    Rule::mdx(
        "MDX-MODEL-013",
        Warning,
        zero_extents,
        "docs/formats/mdx/model.md#extents: all-zero extents mean never computed",
        "extents of the model were never computed",
        "The game culls and selects by the extents of the model and of the playing sequence. If they are all zero, the model disappears when its origin \
         leaves the screen, and cannot be clicked. Let the exporter or an editor compute them. The repair computes them for models \
         that do not move.",
    )
    .repaired(Repair::mdx("computes extents of models that do not move", fix::mdx_zero_extents))
    .only(Games::WC3),
    Rule::mdx(
        "MDX-GAME-001",
        Error,
        game_version,
        "docs/formats/mdx/versions.md#version-gates: version gates of the loaders",
        "the game does not load this version",
        "Warcraft III before Reforged loads version 800 only, Reforged 800 to 1200 and 1800, the WoW alpha 1300 to 1500 in its own layout. With \
         `convert --to-version` a model can be written in another version.",
    ),
    Rule::mdx(
        "MDX-GAME-002",
        Warning,
        game_chunks,
        "docs/formats/mdx/versions.md#version-gates: the chunks came with Reforged; the client skips unknown chunks",
        "the game does not know a chunk",
        "It skips the chunk, and the model lacks what the chunk holds: popcorn effects, facial animation, bind poses, skin weights.",
    ),
    Rule::mdx(
        "MDX-SEQ-001",
        Warning,
        no_sequences,
        "mdx-m3-viewer, Stan",
        "the model has no sequences",
        "The game adds one without length. Nothing moves, and emitters never start.",
    ),
    Rule::mdx(
        "MDX-SEQ-002",
        Warning,
        no_stand,
        "mdx-m3-viewer: severe",
        "a unit has no Stand sequence",
        "An idle unit without it shows its first sequence, or nothing. A model with a sequence for walking, attacking or casting is a unit's; \
         portraits, effects, missiles and doodads need no Stand.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SEQ-003",
        Info,
        no_death,
        "mdx-m3-viewer: severe",
        "the model has no Death sequence",
        "Effects without it stay for ever or vanish at once; units leave no corpse. Portraits, doodads and parts of the interface need none.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SEQ-004",
        Warning,
        overlap,
        "mdx-m3-viewer: severe, version 800; docs/formats/mdx/model.md#sequences: 115 files",
        "a sequence starts before an earlier one ends",
        "The classic game searches keys in the order of sequences and finds those of the wrong one. Reforged accepts it.",
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
        Info,
        global_length,
        "mdx-m3-viewer, HiveWE; docs/formats/mdx/model.md#global-sequences: 473 of 5,332",
        "a global sequence has no length",
        "Tracks that use it stay at their first key. Published models have many of them; one finding per file lists all.",
    ),
    Rule::mdx(
        "MDX-TEX-001",
        Error,
        no_textures,
        "mdx-m3-viewer, Stan",
        "the model has no textures, but needs them",
        "A layer or a particle emitter refers to a texture, and the list is empty: the game uses memory beyond it. Models without layers and emitters \
         need no textures.",
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
        "mdx-m3-viewer: error; docs/formats/mdx/materials.md#replaceable-ids",
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
        "docs/formats/mdx/materials.md#replaceable-ids: team colours are the game's own",
        "a texture was not found",
        "No file has this path below the root of the map or mod. It may be one of the game's own: mount the game with `--game`, or record what you know with \
         `--write-baseline`. Otherwise import the file under exactly this path.",
    ),
    Rule::mdx(
        "MDX-FILES-003",
        Warning,
        texture_elsewhere,
        "the games load textures by their whole path",
        "a texture is in another folder",
        "A file of this name exists, but at another path. The game needs exactly the path that the model gives, from the root of the map or mod: \
         move the file, import it under that path, or change the path in the model.",
    ),
];

fn version(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let version = context.document.version;
    let known: &[u32] =
        if context.is_warcraft() { &[800, 1000, 1100, 1200, 1800] } else { &[1300, 1400, 1500] };
    if !known.contains(&version) {
        let known: Vec<String> = known.iter().map(u32::to_string).collect();
        let message = format!(
            "the format version is {version}; {} uses {}",
            context.document.dialect.name(),
            list(&known)
        );
        findings.add(context.chunk("VERS"), message);
    }
}

/// The versions that a game loads.
const fn versions(game: Game) -> &'static [u32] {
    match game {
        Game::Wc3Classic => &[800],
        Game::WowAlpha => &[1300, 1400, 1500],
        _ => &[800, 900, 1000, 1100, 1200, 1800],
    }
}

fn game_version(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let (game, version) = (context.profile, context.document.version);
    let known = versions(game);
    let is_other_game = context.is_warcraft() == (game == Game::WowAlpha);
    // Another rule reports unknown versions, unless the game is certainly too old for this version.
    let is_newer = version > known.iter().copied().max().unwrap_or_default();
    if is_other_game {
        let layout = context.document.dialect.name();
        let message = format!("{} cannot load this file: it has the layout of {layout}", game.title());
        findings.add(context.chunk("VERS"), message);
    } else if is_newer {
        let known: Vec<String> = known.iter().map(u32::to_string).collect();
        let message = format!("{} does not load version {version}, only {}", game.title(), list(&known));
        findings.add(context.chunk("VERS"), message);
    }
}

/// Chunks that only Reforged reads.
const OF_REFORGED: [&str; 6] = ["CORN", "FAFX", "BPOS", "SKIN", "TANG", "DILG"];

fn game_chunks(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let is_known = |name: &str| match context.profile {
        Game::Wc3Classic => !OF_REFORGED.contains(&name),
        _ => true,
    };
    let mut told = std::collections::HashSet::new();
    for visit in context.every() {
        let name = visit.node.kind.name;
        if !is_known(name) && told.insert(name) {
            findings.add(visit.node, format!("{} does not know the chunk {name}", context.profile.title()));
        }
    }
}

fn missing_chunks(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for tag in ["VERS", "MODL"] {
        if !context.document.root.children().iter().any(|child| child.kind.name == tag) {
            findings.file(format!("the chunk {tag} is missing"));
        }
    }
}

fn version_first(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let chunks = context.document.root.children();
    let index = chunks.iter().position(|child| child.kind.name == "VERS");
    if let Some(index) = index.filter(|index| *index > 0) {
        findings.add(&chunks[index], format!("{} comes before VERS", chunks[0].name()));
    }
}

fn animation_file(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if let Some(header) = context.model.header().filter(|header| !header.animation_file.text().is_empty()) {
        findings.add(
            context.chunk("MODL"),
            format!("the model refers to the animation file {:?}", header.animation_file.to_string()),
        );
    }
}

fn is_negative(extent: &Extent) -> bool {
    let (low, high) = (extent.minimum.get(), extent.maximum.get());
    (0..3).any(|axis| high[axis] < low[axis]) && !is_empty(extent)
}

/// The start value of exporters that compute a box, which stays if there is nothing to enclose.
pub(crate) fn is_empty(extent: &Extent) -> bool {
    let (low, high) = (extent.minimum.get(), extent.maximum.get());
    low.iter().all(|part| *part > 1e9) && high.iter().all(|part| *part < -1e9)
}

fn extents(context: &MdxContext<'_>, findings: &mut Findings<'_>, bad: fn(&Extent) -> bool, what: &str) {
    if context.model.header().is_some_and(|header| bad(header.extent)) {
        findings.add(context.chunk("MODL"), format!("the extent of the model is {what}"));
    }
    let wrong = context.sequences.iter().filter(|sequence| bad(sequence.extent)).count();
    if wrong > 0 {
        let (extents, are) = (counted(wrong, "sequence extent"), verb(wrong, "is", "are"));
        findings.add(context.chunk("SEQS"), format!("{extents} {are} {what}"));
    }
    for geoset in &context.geosets {
        let own = geoset.extent().is_some_and(|extent| bad(&extent));
        let wrong = usize::from(own) + geoset.extents().iter().filter(|extent| bad(extent)).count();
        if wrong > 0 {
            let (extents, are) = (counted(wrong, "extent"), verb(wrong, "is", "are"));
            findings.add(geoset.node, format!("{extents} of the geoset {are} {what}"));
        }
    }
}

/// All zeros: never computed.
pub(crate) fn is_zero(extent: &Extent) -> bool {
    extent.minimum.get() == [0.0; 3] && extent.maximum.get() == [0.0; 3]
}

fn zero_extents(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    // A model that consists of particles has nothing to enclose.
    if !context.geosets.iter().any(|geoset| geoset.vertex_count() > 1) {
        return;
    }
    // Published models of the game have sequences without extents; the game then uses those of the model.
    if !context.model.header().is_some_and(|header| is_zero(header.extent)) {
        return;
    }
    let mut zero = vec!["the model".to_owned()];
    let sequences = context.sequences.iter().filter(|sequence| is_zero(sequence.extent)).count();
    if sequences > 0 {
        zero.push(counted(sequences, "sequence"));
    }
    findings.file(format!("the extents of {} are all zero; they were never computed", list(&zero)));
}

fn negative_extents(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    extents(context, findings, is_negative, "inside out: the minimum lies above the maximum");
}

fn empty_extents(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    extents(context, findings, is_empty, "empty");
}

/// Calls `see` for each fixed string of a leaf: offset, size, text.
fn strings(node: &Node<'_>, see: &mut dyn FnMut(usize, &[u8])) {
    for part in node.slots() {
        let Item::Value(Type::Record(schema)) = part.slot.item else { continue };
        for field in schema.fields.iter().filter(|field| matches!(field.ty, Type::Chars(size) if size > 4)) {
            for (index, record) in part.bytes.chunks_exact(schema.size).enumerate() {
                let bytes = record.get(field.offset..field.offset + field.ty.size()).unwrap_or_default();
                see(part.start + index * schema.size + field.offset, bytes);
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
                    format!("{:?} fills its field; the terminating NUL is missing", decode(bytes)),
                );
            }
        });
    }
}

fn quotes(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every() {
        // The guide of a popcorn emitter may have several lines.
        let lines_allowed = visit.node.kind.name == "PopcornEmitterHeader";
        strings(visit.node, &mut |start, bytes| {
            let text = until_nul(bytes);
            if text.contains(&b'"') || !lines_allowed && (text.contains(&b'\n') || text.contains(&b'\r')) {
                findings.at(
                    visit.node,
                    start..start + bytes.len(),
                    format!("{:?} contains a quotation mark or a line break", decode(text)),
                );
            }
        });
    }
}

fn control_characters(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.every().iter().filter(|visit| visit.node.kind.name != "PopcornEmitterHeader") {
        strings(visit.node, &mut |start, bytes| {
            let text = until_nul(bytes);
            // Another rule reports line breaks, which MDL cannot express.
            if text.iter().any(|byte| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r')) {
                let message = format!("the name {:?} contains control characters", decode(text));
                findings.at(visit.node, start..start + bytes.len(), message);
            }
        });
    }
}

/// How many floats of a value are infinite or NaN, except in fields where the game tolerates them.
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
            let (numbers, are) = (counted(bad, "number"), verb(bad, "is", "are"));
            findings.add(visit.node, format!("{numbers} {are} infinite or NaN"));
        }
    }
}

fn many_triangles(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let triangles: usize = context.geosets.iter().map(|geoset| geoset.faces().len() / 3).sum();
    if triangles > 20_000 {
        findings.add(context.chunk("GEOS"), format!("the model has {} triangles", thousands(triangles)));
    }
}

fn duplicate_chunks(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let mut seen = std::collections::HashSet::new();
    for chunk in context.document.root.children().iter().filter(|chunk| chunk.id != 0) {
        if !seen.insert(chunk.id) {
            findings.add(chunk, format!("the chunk {} occurs twice", chunk.name()));
        }
    }
}

fn no_sequences(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.sequences.is_empty() {
        findings.file("the model has no sequences");
    }
}

/// The word that determines when a sequence plays.
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
    /// Sequences that only units have.
    const OF_UNITS: [&str; 6] = ["attack", "morph", "ready", "sleep", "spell", "walk"];
    let words: Vec<String> =
        context.sequences.iter().map(|sequence| first_word(sequence.name.text())).collect();
    let portraits = words.iter().filter(|word| *word == "portrait").count();
    let mut units = words.iter().filter(|word| OF_UNITS.contains(&word.as_str()));
    // Portraits may have a sequence of the unit that they were made of.
    let is_portrait = portraits >= units.clone().count();
    if let Some(word) = units.next().filter(|_| !is_portrait && !has_sequence(context, "stand")) {
        let message = format!("the model has a sequence {word:?}, but no Stand sequence");
        findings.add(context.chunk("SEQS"), message);
    }
}

fn no_death(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if !has_sequence(context, "death") {
        findings.add(context.chunk("SEQS"), "the model has no Death sequence");
    }
}

fn overlap(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.document.version != 800 {
        return;
    }
    // Comparing with the latest end so far is enough: a start before it is a start before an earlier end.
    let mut latest: Option<(usize, i32)> = None;
    let mut starts = std::collections::HashMap::new();
    for (index, sequence) in context.sequences.iter().enumerate() {
        let [start, end] = sequence.interval;
        let same = starts.insert(start, index);
        if let Some(earlier) = same.or(latest.filter(|(_, end)| start < *end).map(|(earlier, _)| earlier)) {
            let name = context.sequences[earlier].name.to_string();
            findings.element(
                context.chunk("SEQS"),
                index,
                format!(
                    "sequence {index} {:?} starts before sequence {earlier} {name:?} ends",
                    sequence.name.to_string()
                ),
            );
        }
        if latest.is_none_or(|(_, known)| end > known) {
            latest = Some((index, end));
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
    for (index, sequence) in context.sequences.iter().enumerate() {
        let word = first_word(sequence.name.text());
        if !KNOWN.contains(&&*word) {
            findings.element(
                context.chunk("SEQS"),
                index,
                format!(
                    "the sequence {:?} starts with {word:?}, which is not a standard name",
                    sequence.name.to_string()
                ),
            );
        }
    }
}

fn sequence_length(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let sequences = context.sequences.iter().enumerate();
    for (index, sequence) in sequences.filter(|(_, sequence)| sequence.interval[0] >= sequence.interval[1]) {
        findings.element(
            context.chunk("SEQS"),
            index,
            format!(
                "the sequence {:?} runs from {} to {}",
                sequence.name.to_string(),
                sequence.interval[0],
                sequence.interval[1]
            ),
        );
    }
}

fn global_length(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let globals = context.model.global_sequences().iter().enumerate();
    let bad: Vec<String> =
        globals.filter(|(_, duration)| duration.get() == 0).map(|(index, _)| index.to_string()).collect();
    if !bad.is_empty() {
        let (sequences, have) = (verb(bad.len(), "sequence", "sequences"), verb(bad.len(), "has", "have"));
        let message = format!("global {sequences} {} {have} no length", list(&bad));
        findings.add(context.chunk("GLBS"), message);
    }
}

fn no_textures(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if !context.model.textures().is_empty() {
        return;
    }
    let layers = context.materials.iter().flat_map(|material| material.layers());
    let layers = layers.filter(|layer| layer.textures().any(|texture| texture.texture_id != -1)).count();
    let emitters = context.nodes.iter().filter_map(|node| node.emitter_2());
    let emitters = emitters.filter(|emitter| emitter.replaceable_id == 0).count();
    let mut users = Vec::new();
    if layers > 0 {
        users.push(counted(layers, "layer"));
    }
    if emitters > 0 {
        users.push(counted(emitters, "particle emitter"));
    }
    if !users.is_empty() {
        let need = verb(layers + emitters, "needs", "need");
        findings.file(format!("the model has no textures, but {} {need} one", list(&users)));
    }
}

fn textures(
    context: &MdxContext<'_>,
    findings: &mut Findings<'_>,
    bad: fn(&mdx::records::Texture) -> bool,
    what: &str,
) {
    let textures = context.model.textures();
    let bad = textures.iter().enumerate().filter(|(_, texture)| bad(texture)).map(|(index, _)| index);
    findings.elements(context.chunk("TEXS"), 268, bad, |index| {
        let texture = &textures[index];
        format!("texture {index} {what} (path {:?}, id {})", texture.path.to_string(), texture.replaceable_id)
    });
}

fn texture_path(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let bad = |texture: &mdx::records::Texture| {
        let path = texture.path.to_string();
        !path.is_empty()
            && !extension(&path).is_some_and(|extension| matches!(&*extension, "blp" | "tga" | "tif" | "dds"))
    };
    textures(context, findings, bad, "has an unknown file extension");
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
        "has both a path and a replaceable id",
    );
}

fn no_path_no_id(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    textures(
        context,
        findings,
        |texture| texture.replaceable_id.get() == 0 && texture.path.text().is_empty(),
        "has neither a path nor a replaceable id",
    );
}

/// Finds textures by the location of their files. Textures that are not files are ignored.
fn texture_files(
    context: &MdxContext<'_>,
    findings: &mut Findings<'_>,
    message: impl Fn(&str, Option<Located>) -> Option<String>,
) {
    let Some(lookup) = context.lookup else { return };
    for (index, texture) in context.model.textures().iter().enumerate() {
        let path = texture.path.to_string();
        if path.is_empty() || texture.replaceable_id.get() != 0 {
            continue;
        }
        // The game ships it.
        if context.is_supplied(StockKind::Texture, &path) {
            continue;
        }
        if let Some(message) = message(&path, lookup.texture(&path, Family::Mdx)) {
            findings.at(context.chunk("TEXS"), index * 268..(index + 1) * 268, message);
        }
    }
}

fn texture_file(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    texture_files(context, findings, |path, found| match found {
        None => Some(format!("the texture {path:?} was not found")),
        Some(_) => None,
    });
}

fn texture_elsewhere(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    texture_files(context, findings, |path, found| {
        found.filter(|found| !found.expected).map(|found| elsewhere("texture", path, &found))
    });
}

/// The message for a file that is not where the game expects it.
pub(crate) fn elsewhere(what: &str, path: &str, found: &Located) -> String {
    let found = found.path.display();
    format!("the {what} {path:?} was not found at this path; a file of this name is at {found}")
}
