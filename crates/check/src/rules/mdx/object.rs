//! Lights, attachments, emitters, events, cameras, collision shapes, facial animation.

use assets::stock::StockKind;
use mdx::records::{
    CollisionKind, NodeFlags, ParticleEmitterHeader, PopcornEmitterHeader, RibbonEmitterHeader,
};
use mdx::tags;
use mdx::view::{NodeKind, Object, Shape};
use record::Severity::{Error, Hint, Info, Warning};

use super::model::elsewhere;
use super::{is_in, is_replaceable};
use crate::context::{Findings, MdxContext};
use crate::paths::extension;
use crate::rule::Rule;
use crate::words::{counted, out_of_range, vector, verb};
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-LITE-001",
        Info,
        attenuation,
        "mdx-m3-viewer: 80 to 200, end above start",
        "a light's attenuation is out of range",
        "The game fades lights between 80 and 200; a light whose end is before its start is never visible. Many published models have other values. One \
         finding per file.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-ATCH-001",
        Warning,
        attachment_path,
        "mdx-m3-viewer: error; docs/formats/mdx/nodes.md#attachments: 18 of 113 published paths are free text",
        "an attachment's path is not a model",
        "The game attaches models, .mdl or .mdx. With anything else nothing is attached.",
    ),
    Rule::mdx(
        "MDX-ATCH-002",
        Info,
        no_origin,
        "mdx-m3-viewer, Stan",
        "no Origin attachment point",
        "Buffs and spells that attach to the origin are not shown. Effects, doodads and interface models need none.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-ATCH-003",
        Warning,
        misspelt_origin,
        "docs/formats/mdx/nodes.md#attachments: attachment points are found by their names",
        "the Origin attachment point is misspelt",
        "The game looks for \"Origin Ref\". Buffs and spells that attach to the origin are not shown.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-PREM-001",
        Warning,
        emitter_path,
        "mdx-m3-viewer: error",
        "a particle emitter's path is not a model",
        "The emitter spawns models, .mdl or .mdx. With anything else it emits nothing.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-PRE2-001",
        Error,
        emitter_texture,
        "mdx-m3-viewer, HiveWE",
        "a particle emitter refers to a missing texture",
        "The game uses memory beyond the list of textures.",
    ),
    Rule::mdx(
        "MDX-PRE2-002",
        Warning,
        emitter_filter,
        "mdx-m3-viewer",
        "a particle emitter has an unknown filter mode or replaceable id",
        "Filter modes are 0 to 4; replaceable ids are those of textures.",
    ),
    Rule::mdx(
        "MDX-PRE2-003",
        Warning,
        flat_quads,
        "mdx-m3-viewer: severe",
        "flat particles need speed and latitude",
        "Particles with the XYQuad flag are rotated into their direction of flight: without speed or latitude they are not drawn.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-PRE2-004",
        Warning,
        middle,
        "mdx-m3-viewer: severe; docs/formats/mdx/emitters.md#particle-emitters-2: 18 emitters",
        "the middle of a particle's life is not between 0 and 1",
        "The game divides by the length of both halves.",
    ),
    Rule::mdx(
        "MDX-PRE2-005",
        Warning,
        squirt,
        "mdx-m3-viewer: severe",
        "a squirting emitter has no track of its emission rate",
        "It emits when the key of the rate changes, so it never emits.",
    ),
    Rule::mdx(
        "MDX-PRE2-006",
        Warning,
        grid,
        "HiveWE: severe; docs/formats/mdx/emitters.md#particle-emitters-2",
        "rows or columns of a particle texture are not powers of two",
        "The game treats the texture as a single cell.",
    ),
    Rule::mdx(
        "MDX-PRE2-007",
        Warning,
        life_span,
        "HiveWE: error",
        "particles have no or a negative life span",
        "They never appear, or never disappear.",
    ),
    Rule::mdx(
        "MDX-PRE2-008",
        Warning,
        faint,
        "Stan: all segments faint",
        "particles are always invisible",
        "The opacities of start, middle and end are all almost zero.",
    ),
    Rule::mdx(
        "MDX-PRE2-009",
        Warning,
        never_emits,
        "Stan: emitters but no sequences",
        "emitters need sequences, but there are none",
        "Emitters run while a sequence plays: without one they never start. One finding per file.",
    ),
    Rule::mdx(
        "MDX-CORN-001",
        Warning,
        visibility_guide,
        "mdx-m3-viewer: severe",
        "a popcorn emitter has no visibility guide",
        "The guide says in which sequences the effect runs; without it the effect may never be visible.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-RIBB-001",
        Error,
        ribbon_material,
        "mdx-m3-viewer",
        "a ribbon refers to a missing material",
        "The game uses memory beyond the list of materials.",
    ),
    Rule::mdx(
        "MDX-EVTS-001",
        Error,
        no_events,
        "mdx-m3-viewer, HiveWE, Stan; docs/formats/mdx/cameras-events.md#event-objects: never in 7,272",
        "an event object has no times",
        "The classic game refuses the whole model.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-EVTS-002",
        Warning,
        event_name,
        "HiveWE; docs/formats/mdx/cameras-events.md#event-objects",
        "an event object's name is invalid",
        "The name is a type (SND, SPN, SPL, FPT, UBR), any letter, and the four letters of a row in the game's tables. Others have no effect. Trailing \
         spaces are allowed: Blizzard's own models have them.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-EVTS-003",
        Warning,
        event_order,
        "HiveWE: severe; docs/formats/mdx/cameras-events.md#event-objects: 11 objects",
        "times of an event are not in order",
        "The game searches them in order and misses some.",
    ),
    Rule::mdx(
        "MDX-EVTS-004",
        Hint,
        never_happens,
        "Retera: drops dead events",
        "an event never happens",
        "None of its times lies in a sequence.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-CAMS-001",
        Warning,
        clip_planes,
        "HiveWE; Stan: camera NaN",
        "a camera's clipping planes or field of view are wrong",
        "The far plane must lie beyond the near one, and the field of view between 0 and 180 degrees; otherwise the portrait is empty.",
    ),
    Rule::mdx(
        "MDX-CAMS-002",
        Hint,
        no_portrait,
        "HiveWE: unused",
        "a camera without a Portrait sequence",
        "The game uses cameras for portraits. Without a sequence of that name the portrait shows Stand.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-CAMS-003",
        Info,
        sight,
        "Stan: sight too long, too short",
        "a camera's target is not between its clipping planes",
        "The target is nearer than the near plane or farther than the far one, so it may be clipped.",
    ),
    Rule::mdx(
        "MDX-CAMS-004",
        Info,
        nothing_to_see,
        "Stan: camera, but no geometry",
        "a camera in a model without geosets",
        "It can only show particles.",
    ),
    Rule::mdx(
        "MDX-CLID-001",
        Warning,
        shape,
        "Magos; docs/formats/mdx/nodes.md#collision-shapes: 8 boxes",
        "a collision shape is inside out or has no size",
        "The minimum of the box lies above its maximum, or the radius is not positive: it cannot be clicked.",
    ),
    Rule::mdx(
        "MDX-CLID-002",
        Warning,
        unknown_shape,
        "Magos: refuses the model",
        "a collision shape is of unknown type",
        "The shapes are 0 box, 1 plane, 2 sphere and 3 cylinder. The length of any other is unknown, so all shapes after it are lost.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-FAFX-001",
        Warning,
        face_effect,
        "mdx-m3-viewer: error",
        "a facial animation's path has an unknown extension",
        "The game loads .facefx and .facefx_ingame.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-FILES-002",
        Info,
        model_file,
        "docs/formats/mdx/nodes.md#attachments: ATCH, PREM and CORN name files",
        "an attached or emitted model was not found",
        "No file has this path below the root of the map or mod. It may be one of the game's own; otherwise import it under exactly this path.",
    ),
];

fn of<'c, 'n>(context: &'c MdxContext<'n>, kind: NodeKind) -> impl Iterator<Item = &'c Object<'n>> {
    context.nodes.iter().filter(move |node| node.kind == kind)
}

fn is_model(path: &str) -> bool {
    extension(path).is_some_and(|extension| matches!(&*extension, "mdl" | "mdx"))
}

fn attenuation(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let range = |node: &Object<'_>| {
        let light = node.light()?;
        let (start, end) = (light.color.attenuation_start.get(), light.color.attenuation_end.get());
        (!(start >= 80.0 && end <= 200.0 && end > start)).then_some((start, end))
    };
    let mut wrong = of(context, NodeKind::Light).filter_map(|node| Some((node, range(node)?)));
    if let Some((node, (start, end))) = wrong.next() {
        let more = match wrong.count() {
            0 => String::new(),
            more => format!(" (and {} like it)", counted(more, "light")),
        };
        let message = format!("the light fades from {start} to {end}; the game expects 80 to 200{more}");
        findings.add(node.object, message);
    }
}

fn attachment_path(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::Attachment) {
        let path = node.attachment().map(|attachment| attachment.path.to_string()).unwrap_or_default();
        if !path.is_empty() && !is_model(&path) {
            findings.add(node.object, format!("the path {path:?} is not a model (.mdl or .mdx)"));
        }
    }
}

fn misspelt_origin(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    /// Maximum number of wrong letters.
    const SLIPS: usize = 2;
    if of(context, NodeKind::Attachment).any(|node| is_origin(&node.name())) {
        return;
    }
    for node in of(context, NodeKind::Attachment) {
        let name = node.name().trim().to_ascii_lowercase();
        let without_ref = name.strip_suffix("ref").unwrap_or(&name).trim_end_matches([' ', '_', '-', '.']);
        if record::edit_distance(without_ref, "origin") <= SLIPS {
            findings.add(node.object, format!("the attachment {:?} is probably \"Origin Ref\"", node.name()));
        }
    }
}

/// The name that the game looks for.
fn is_origin(name: &str) -> bool {
    name.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("Origin Ref"))
}

fn no_origin(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if !of(context, NodeKind::Attachment).any(|node| is_origin(&node.name())) {
        findings.file("the model has no attachment called \"Origin Ref\"");
    }
}

fn emitter_path(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::ParticleEmitter) {
        let path =
            node.part::<ParticleEmitterHeader>().map(|emitter| emitter.path.to_string()).unwrap_or_default();
        if !is_model(&path) {
            findings.add(node.object, format!("the path {path:?} is not a model (.mdl or .mdx)"));
        }
    }
}

fn emitter_texture(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let textures = context.model.textures().len();
    for node in of(context, NodeKind::ParticleEmitter2) {
        // A texture of the game replaces the one in the list.
        let Some(emitter) = node.emitter_2().filter(|emitter| emitter.replaceable_id == 0) else { continue };
        if !is_in(emitter.texture_id, textures) {
            findings.add(node.object, out_of_range("texture", emitter.texture_id, "model", textures));
        }
    }
}

fn emitter_filter(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::ParticleEmitter2) {
        let Some(emitter) = node.emitter_2() else { continue };
        if emitter.filter_mode.get() > 4 || !is_replaceable(emitter.replaceable_id) {
            findings.add(
                node.object,
                if emitter.filter_mode.get() > 4 {
                    format!("the filter mode is {}; the game knows 0 to 4", emitter.filter_mode.get())
                } else {
                    format!("the game has no replaceable texture {}", emitter.replaceable_id)
                },
            );
        }
    }
}

fn flat_quads(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::ParticleEmitter2)
        .filter(|node| node.raw_flags() & NodeFlags::XY_QUAD.get() != 0)
    {
        let Some(emitter) = node.emitter_2() else { continue };
        if emitter.speed == 0.0 || emitter.latitude == 0.0 {
            findings.add(
                node.object,
                format!(
                    "particles with the XYQuad flag are not drawn: the speed is {}, the latitude {}",
                    emitter.speed, emitter.latitude
                ),
            );
        }
    }
}

fn middle(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::ParticleEmitter2) {
        if let Some(emitter) = node.emitter_2().filter(|emitter| !(0.0..=1.0).contains(&emitter.time)) {
            findings.add(
                node.object,
                format!("the middle of a particle's life is at {}, not between 0 and 1", emitter.time),
            );
        }
    }
}

fn squirt(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::ParticleEmitter2) {
        if node.emitter_2().is_some_and(|emitter| emitter.squirt) && node.track(tags::KP2E).is_none() {
            findings.add(node.object, "the emitter squirts, but its emission rate has no track");
        }
    }
}

fn grid(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::ParticleEmitter2) {
        let Some(emitter) = node.emitter_2() else { continue };
        if !emitter.cells.iter().all(|count| count.is_power_of_two()) {
            findings.add(
                node.object,
                format!(
                    "{} and {} are not powers of two",
                    counted(emitter.cells[0] as usize, "row"),
                    counted(emitter.cells[1] as usize, "column")
                ),
            );
        }
    }
}

fn life_span(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::ParticleEmitter2) {
        if let Some(emitter) = node.emitter_2().filter(|emitter| emitter.life_span <= 0.0) {
            findings.add(node.object, format!("the life span of the particles is {}", emitter.life_span));
        }
    }
}

fn faint(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::ParticleEmitter2) {
        if let Some(emitter) =
            node.emitter_2().filter(|emitter| emitter.alphas.iter().all(|alpha| *alpha < 4))
        {
            findings.add(
                node.object,
                format!("the opacities of the particles are {} of 255", vector(emitter.alphas)),
            );
        }
    }
}

fn never_emits(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let emits = [NodeKind::ParticleEmitter, NodeKind::ParticleEmitter2, NodeKind::RibbonEmitter];
    if context.sequences.is_empty() {
        let mut emitters = context.nodes.iter().filter(|node| emits.contains(&node.kind));
        if let Some(first) = emitters.next() {
            let all = 1 + emitters.count();
            let (emitters, need) = (counted(all, "emitter"), verb(all, "needs", "need"));
            findings.add(first.object, format!("{emitters} {need} sequences, but the model has none"));
        }
    }
}

fn visibility_guide(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::PopcornEmitter) {
        if node
            .part::<PopcornEmitterHeader>()
            .is_some_and(|emitter| emitter.animation_visibility_guide.text().is_empty())
        {
            findings.add(node.object, "the visibility guide is empty");
        }
    }
}

fn ribbon_material(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::RibbonEmitter) {
        let Some(ribbon) = node.part::<RibbonEmitterHeader>() else { continue };
        if !is_in(ribbon.material_id.get(), context.materials.len()) {
            let message = out_of_range("material", ribbon.material_id, "model", context.materials.len());
            findings.add(node.object, message);
        }
    }
}

fn no_events(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::EventObject).filter(|node| node.event_times().is_empty()) {
        findings.add(node.object, "the event object has no times");
    }
}

fn event_name(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::EventObject) {
        let name = node.name();
        // Blizzard's models have names with a trailing space.
        let trimmed = name.trim_end();
        let kind: String = trimmed.chars().take(3).collect::<String>().to_ascii_uppercase();
        if trimmed.chars().count() != 8 || !matches!(&*kind, "SND" | "SPN" | "SPL" | "FPT" | "UBR") {
            findings.add(
                node.object,
                format!("{name:?} is not an event type followed by a row of the game's tables"),
            );
        }
    }
}

fn event_order(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::EventObject) {
        if let Some(pair) = node.event_times().windows(2).find(|pair| pair[0] >= pair[1]) {
            findings.add(node.object, format!("the time {} comes after {}", pair[1], pair[0]));
        }
    }
}

fn clip_planes(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for camera in context.model.cameras() {
        let header = camera.header;
        let (near, far, view) = (header.near_clip.get(), header.far_clip.get(), header.field_of_view.get());
        // Half a turn, with a tolerance for rounding up.
        if !(far > near && near >= 0.0 && view > 0.0 && view < 3.2) {
            findings.add(
                camera.node,
                format!("the clipping planes are at {near} and {far}, the field of view is {view}"),
            );
        }
    }
}

fn no_portrait(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let portrait = context
        .sequences
        .iter()
        .any(|sequence| sequence.name.to_string().to_ascii_lowercase().contains("portrait"));
    if let Some(camera) = context.model.cameras().next().filter(|_| !portrait) {
        findings.add(camera.node, "the model has a camera, but no Portrait sequence");
    }
}

fn sight(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for camera in context.model.cameras() {
        let Some(target) = camera.target else { continue };
        let (eye, target) = (camera.header.position.get(), target.position.get());
        let distance = (0..3).map(|axis| (eye[axis] - target[axis]).powi(2)).sum::<f32>().sqrt();
        let (near, far) = (camera.header.near_clip.get(), camera.header.far_clip.get());
        // Another rule reports invalid planes.
        if far > near && !(near..=far).contains(&distance) {
            findings.add(
                camera.node,
                format!("the target is {distance:.0} away, but the clipping planes are at {near} and {far}"),
            );
        }
    }
}

fn nothing_to_see(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if let Some(camera) = context.model.cameras().next().filter(|_| context.geosets.is_empty()) {
        findings.add(camera.node, "the model has a camera, but no geosets");
    }
}

fn unknown_shape(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in of(context, NodeKind::CollisionShape) {
        let kind = node.part::<CollisionKind>().filter(|_| node.shape().is_none());
        if let Some(kind) = kind {
            findings.add(
                node.object,
                format!("the collision shape has type {}; the game knows 0 to 3", kind.kind.get()),
            );
        }
    }
}

fn never_happens(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let happens = |time: i32| {
        context.sequences.iter().any(|sequence| (sequence.interval[0]..=sequence.interval[1]).contains(&time))
    };
    for node in of(context, NodeKind::EventObject) {
        let times = node.event_times();
        let own_clock = node.track(tags::KEVT).is_some_and(|track| track.global_sequence().is_some());
        if !times.is_empty() && !own_clock && !times.iter().any(|time| happens(time.get())) {
            findings.add(
                node.object,
                match times.len() {
                    1 => "the only time of the event is in no sequence".to_owned(),
                    many => format!("none of the {many} times of the event is in a sequence"),
                },
            );
        }
    }
}

fn shape(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in &context.nodes {
        match node.shape() {
            Some(Shape::Box(low, high)) if (0..3).any(|axis| low[axis] > high[axis]) => {
                let (low, high) = (vector(low), vector(high));
                let message = format!("the minimum {low} of the box lies above its maximum {high}");
                findings.add(node.object, message);
            }
            Some(Shape::Sphere(_, radius) | Shape::Cylinder(_, _, radius))
                if radius.is_nan() || radius <= 0.0 =>
            {
                findings.add(node.object, format!("the radius is {radius}, not positive"));
            }
            _ => {}
        }
    }
}

fn face_effect(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for effect in context.model.face_effects() {
        let path = effect.path.to_string();
        if !path.is_empty()
            && !extension(&path).is_some_and(|extension| matches!(&*extension, "facefx" | "facefx_ingame"))
        {
            findings.add(context.chunk("FAFX"), format!("the path {path:?} is not a .facefx file"));
        }
    }
}

fn model_file(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let Some(lookup) = context.lookup else { return };
    for node in &context.nodes {
        let path = node.attachment().map(|attachment| attachment.path.to_string());
        let path =
            path.or_else(|| node.part::<ParticleEmitterHeader>().map(|emitter| emitter.path.to_string()));
        let path =
            path.or_else(|| node.part::<PopcornEmitterHeader>().map(|emitter| emitter.path.to_string()));
        let Some(path) = path.filter(|path| !path.is_empty() && extension(path).is_some()) else { continue };
        // The game ships it.
        if context.is_supplied(StockKind::Model, &path) {
            continue;
        }
        match lookup.model_at(&path) {
            None => findings.add(node.object, format!("the model {path:?} was not found")),
            Some(found) if !found.expected => {
                findings.add(node.object, elsewhere("model", &path, &found));
            }
            Some(_) => {}
        }
    }
}
