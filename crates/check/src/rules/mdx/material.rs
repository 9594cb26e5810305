//! Materials, layers, geoset animations.

use mdx::tags;
use mdx::view::{GeosetAnimation, Layer, Track};
use record::Severity::{Error, Hint, Info, Warning};

use super::is_in;
use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{counted, list, out_of_range, verb};
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-MAT-001",
        Error,
        no_layers,
        "HiveWE: error; mdx-m3-viewer, Stan",
        "a material has no layers",
        "There is nothing to draw a geoset with, and the game reads the first layer without a check.",
    ),
    Rule::mdx(
        "MDX-MAT-002",
        Warning,
        shader,
        "mdx-m3-viewer",
        "unknown shader",
        "Reforged knows Shader_SD_FixedFunction, Shader_HD_DefaultUnit and Shader_HD_Crystal; with others the material is not drawn as intended.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-MAT-003",
        Warning,
        filter_mode,
        "mdx-m3-viewer, Magos; docs/formats/mdx/materials.md#layers: garbage in 7 files",
        "unknown filter mode",
        "The game treats anything above 6 as opaque.",
    ),
    Rule::mdx(
        "MDX-MAT-004",
        Error,
        texture_reference,
        "mdx-m3-viewer, HiveWE",
        "a layer refers to a missing texture",
        "The game uses memory beyond the list of textures and crashes, or shows garbage.",
    ),
    Rule::mdx(
        "MDX-MAT-005",
        Error,
        texture_animation,
        "mdx-m3-viewer",
        "a layer refers to a missing texture animation",
        "The game uses memory beyond the list.",
    ),
    Rule::mdx(
        "MDX-MAT-006",
        Warning,
        slots,
        "HiveWE: texture slot above 5",
        "unknown texture slot",
        "Slots are 0 diffuse, 1 normal, 2 ORM, 3 emissive, 4 team colour and 5 environment.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-MAT-007",
        Error,
        no_slots,
        "HiveWE: layer without textures",
        "a layer has no textures",
        "From version 1100 on a layer lists its textures; with none there is nothing to draw.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-MAT-008",
        Hint,
        unused,
        "mdx-m3-viewer, Stan: unused",
        "a texture, material, texture animation or global sequence is unused",
        "It is loaded nevertheless. `--fix=all` removes it and renumbers the others.",
    )
    .repaired(Repair::mdx("removes unused elements and renumbers the others", fix::mdx_unused).all())
    .only(Games::WC3),
    Rule::mdx(
        "MDX-MAT-009",
        Error,
        no_materials,
        "Stan",
        "the model has no materials, but needs them",
        "There is nothing to draw geosets and ribbons with, and the game uses memory beyond the list. Models of particles alone need none.",
    ),
    Rule::mdx(
        "MDX-GEOA-001",
        Error,
        geoset_reference,
        "mdx-m3-viewer, Stan, Retera",
        "a geoset animation refers to a missing geoset",
        "The game crashes or animates other memory. Retera's tool deletes such animations.",
    ),
    Rule::mdx(
        "MDX-GEOA-002",
        Warning,
        invisible,
        "Stan: static alpha 0; mdx-m3-viewer: bones with it",
        "a geoset is always invisible",
        "Its geoset animation has an opacity of almost zero and no track that changes it.",
    ),
    Rule::mdx(
        "MDX-GEOA-003",
        Warning,
        several,
        "mdx-m3-viewer, Stan",
        "several geoset animations refer to one geoset",
        "The game uses only one of them.",
    ),
    Rule::mdx(
        "MDX-GEOA-004",
        Warning,
        unused_color,
        "docs/formats/mdx/geosets.md#geoset-animations: one of 21,520",
        "a colour track is disabled",
        "The geoset animation has a colour track, but its flag for colour is not set: the track is ignored.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-GEOA-005",
        Hint,
        without_animation,
        "Stan: number of geoset animations differs from that of geosets",
        "geosets without a geoset animation",
        "They are always visible, as most should be. One that should disappear, such as a corpse's weapon, needs a geoset animation.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-GEOA-006",
        Info,
        no_key_in_sequence,
        "Stan: missing entry per sequence; docs/formats/mdx/animation.md#which-keys-count: without a key in a sequence a default is used",
        "a geoset's opacity or colour has no key in a sequence",
        "Each sequence uses only the keys inside it. One without keys uses the static value, so that a geoset that another sequence hid is visible again. Add \
         a key at the start of each sequence.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-GEOA-007",
        Info,
        no_opening_key,
        "Stan: severe, missing opening key; docs/formats/mdx/animation.md#which-keys-count: before the first key a track wraps",
        "a geoset's opacity or colour has no key at the start of a sequence",
        "Until the first key inside the sequence the value of its last key is used: the geoset flickers when the sequence restarts. Reported only where both \
         differ; interpolated tracks have another rule.",
    )
    .only(Games::WC3),
];

fn layers<'n>(context: &MdxContext<'n>) -> impl Iterator<Item = Layer<'n>> {
    context.materials.iter().flat_map(|material| material.layers())
}

fn no_layers(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for material in context.materials.iter().filter(|material| material.layers().next().is_none()) {
        findings.add(material.node, "the material has no layers");
    }
}

fn no_materials(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let ribbons = context.nodes.iter().filter(|node| node.kind == mdx::view::NodeKind::RibbonEmitter).count();
    let (geosets, mut users) = (context.geosets.len(), Vec::new());
    if geosets > 0 {
        users.push(counted(geosets, "geoset"));
    }
    if ribbons > 0 {
        users.push(counted(ribbons, "ribbon emitter"));
    }
    if context.materials.is_empty() && !users.is_empty() {
        let need = verb(geosets + ribbons, "needs", "need");
        findings.file(format!("the model has no materials, but {} {need} one", list(&users)));
    }
}

fn shader(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for material in &context.materials {
        let Some(shader) = material.shader().map(|shader| shader.to_string()) else { continue };
        if !matches!(&*shader, "" | "Shader_SD_FixedFunction" | "Shader_HD_DefaultUnit" | "Shader_HD_Crystal")
        {
            findings.add(material.node, format!("the game has no shader {shader:?}"));
        }
    }
    for layer in layers(context).filter(|layer| layer.parts.shader.shader.name().is_none()) {
        findings
            .add(layer.node, format!("the game has no shader number {}", layer.parts.shader.shader.get()));
    }
}

fn filter_mode(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for layer in layers(context).filter(|layer| layer.parts.header.filter_mode.get() > 6) {
        findings.add(
            layer.node,
            format!("the filter mode is {}; the game knows 0 to 6", layer.parts.header.filter_mode.get()),
        );
    }
}

fn texture_reference(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let textures = context.model.textures().len();
    for layer in layers(context) {
        for texture in layer.textures() {
            let animated =
                texture.track.map(|track| track.integers().map(|(_, id)| i64::from(id)).collect::<Vec<_>>());
            // A track replaces the static id. From version 1100 on, -1 in a slot means none.
            let none = layer.node.child(&mdx::kinds::LAYER_SHADER).is_some() && texture.texture_id == -1;
            let ids = animated
                .unwrap_or_else(|| if none { Vec::new() } else { vec![i64::from(texture.texture_id)] });
            if let Some(id) = ids.iter().find(|id| !is_in(**id, textures)) {
                findings.add(layer.node, out_of_range("texture", id, "model", textures));
            }
        }
    }
}

fn texture_animation(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let animations = context.model.texture_animations().count();
    for layer in layers(context) {
        let id = layer.parts.header.texture_animation_id.get();
        if id != -1 && !is_in(id, animations) {
            findings.add(layer.node, out_of_range("texture animation", id, "model", animations));
        }
    }
}

fn slots(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for layer in layers(context) {
        if let Some(texture) = layer.textures().find(|texture| texture.slot.get() > 5) {
            findings.add(
                layer.node,
                format!("the texture slot is {}; the game knows 0 to 5", texture.slot.get()),
            );
        }
    }
}

fn no_slots(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for layer in layers(context).filter(|layer| layer.textures().next().is_none()) {
        findings.add(layer.node, "the layer has no textures");
    }
}

/// The elements of each list that are referred to.
pub(crate) struct Usage {
    pub(crate) textures: Vec<bool>,
    pub(crate) materials: Vec<bool>,
    pub(crate) texture_animations: Vec<bool>,
    pub(crate) global_sequences: Vec<bool>,
}

/// Marks the elements of a list that are referred to.
fn marked(count: usize, ids: impl Iterator<Item = i64>) -> Vec<bool> {
    let mut used = vec![false; count];
    for id in ids {
        if let Some(used) = usize::try_from(id).ok().and_then(|id| used.get_mut(id)) {
            *used = true;
        }
    }
    used
}

pub(crate) fn usage(context: &MdxContext<'_>) -> Usage {
    let model = &context.model;
    let layered =
        layers(context).flat_map(|layer| layer.textures().collect::<Vec<_>>()).flat_map(|texture| {
            let animated =
                texture.track.into_iter().flat_map(|track| track.integers()).map(|(_, id)| i64::from(id));
            std::iter::once(i64::from(texture.texture_id)).chain(animated)
        });
    let emitted =
        context.nodes.iter().filter_map(|node| node.emitter_2()).map(|emitter| i64::from(emitter.texture_id));
    let ribbons = context.nodes.iter().filter_map(|node| node.part::<mdx::records::RibbonEmitterHeader>());
    let ribbons = ribbons.map(|ribbon| i64::from(ribbon.material_id.get()));
    let geosets = context.geosets.iter().filter_map(|geoset| geoset.material_id()).map(i64::from);
    let animated = layers(context).map(|layer| i64::from(layer.parts.header.texture_animation_id.get()));
    let globals = context.tracks().iter().filter_map(|track| track.global_sequence());
    Usage {
        textures: marked(model.textures().len(), layered.chain(emitted)),
        materials: marked(context.materials.len(), geosets.chain(ribbons)),
        texture_animations: marked(model.texture_animations().count(), animated),
        global_sequences: marked(
            model.global_sequences().len(),
            globals.filter_map(|id| i64::try_from(id).ok()),
        ),
    }
}

fn unused(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let usage = usage(context);
    for (what, tag, used) in [
        ("texture", "TEXS", usage.textures),
        ("material", "MTLS", usage.materials),
        ("texture animation", "TXAN", usage.texture_animations),
        ("global sequence", "GLBS", usage.global_sequences),
    ] {
        let unused: Vec<String> =
            used.iter().enumerate().filter(|(_, used)| !**used).map(|(index, _)| index.to_string()).collect();
        if !unused.is_empty() {
            findings.add(
                context.chunk(tag),
                match unused.len() {
                    1 => format!("{what} {} is unused", unused[0]),
                    _ => format!("{what}s {} are unused", list(&unused)),
                },
            );
        }
    }
}

fn geoset_reference(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for animation in &context.animations {
        if !is_in(animation.geoset_id, context.geosets.len()) {
            let message = out_of_range("geoset", animation.geoset_id, "model", context.geosets.len());
            findings.add(animation.node, message);
        }
    }
}

fn invisible(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for animation in context
        .animations
        .iter()
        .filter(|animation| animation.alpha < 0.1 && animation.track(tags::KGAO).is_none())
    {
        findings.add(
            animation.node,
            format!("geoset {} always has the opacity {}", animation.geoset_id, animation.alpha),
        );
    }
}

fn several(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let mut seen = std::collections::HashSet::new();
    for animation in &context.animations {
        if !seen.insert(animation.geoset_id) {
            findings.add(
                animation.node,
                format!("geoset {} already has a geoset animation", animation.geoset_id),
            );
        }
    }
}

fn unused_color(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for animation in context.animations.iter().filter(|animation| animation.color.is_none()) {
        if let Some(track) = animation.track(tags::KGAC) {
            findings.add(track.node, "the flag for colour is not set, so this track is ignored");
        }
    }
}

fn without_animation(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let animated = marked(context.geosets.len(), context.animations.iter().map(|it| i64::from(it.geoset_id)));
    let still: Vec<String> = animated
        .iter()
        .enumerate()
        .filter(|(_, there)| !**there)
        .map(|(index, _)| index.to_string())
        .collect();
    // A model that never hides anything needs no visibility.
    if !still.is_empty() && !context.animations.is_empty() {
        let (geosets, have) = (verb(still.len(), "geoset", "geosets"), verb(still.len(), "has", "have"));
        let message = format!("{geosets} {} {have} no geoset animation", list(&still));
        findings.add(context.chunk("GEOA"), message);
    }
}

/// The tracks of geoset animations that belong to sequences, each with its animation.
fn by_sequence<'c, 'n>(
    context: &'c MdxContext<'n>,
) -> impl Iterator<Item = (&'c GeosetAnimation<'n>, Track<'n>)> {
    context.animations.iter().flat_map(|animation| {
        let tracks = [tags::KGAO, tags::KGAC].into_iter().filter_map(|tag| animation.track(tag));
        tracks
            .filter(|track| !track.is_empty() && track.global_sequence().is_none())
            .map(move |track| (animation, track))
    })
}

/// Reports the sequences in which a track is wrong.
fn tell_sequences(
    context: &MdxContext<'_>,
    findings: &mut Findings<'_>,
    what: &str,
    bad: impl Fn(&Track<'_>, [i32; 2]) -> bool,
) {
    for (animation, track) in by_sequence(context) {
        let mut wrong = context.sequences.iter().filter(|sequence| bad(&track, sequence.interval));
        if let Some(first) = wrong.next() {
            let (geoset, count) = (animation.geoset_id, 1 + wrong.count());
            let name = first.name.to_string();
            findings.add(
                track.node,
                match count {
                    1 => format!("geoset {geoset} has no key {what} the sequence {name:?}"),
                    _ => format!(
                        "geoset {geoset} has no key {what} {count} of {} sequences; the first is {name:?}",
                        context.sequences.len()
                    ),
                },
            );
        }
    }
}

fn no_key_in_sequence(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    tell_sequences(context, findings, "in", |track, [start, end]| {
        !track.keys().any(|key| (start..=end).contains(&key.time))
    });
}

fn no_opening_key(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    tell_sequences(context, findings, "at the start of", |track, [start, end]| {
        let mut inside = track.keys().filter(|key| (start..=end).contains(&key.time));
        let ends = inside.next().map(|first| (first, inside.last().unwrap_or(first)));
        track.interpolation() == mdx::records::Interpolation::NONE
            && ends.is_some_and(|(first, last)| first.time != start && first.value != last.value)
    });
}
