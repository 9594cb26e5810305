//! Ribbons: stripes that moving nodes leave behind.

use super::cloud::{Cell, Cloud, corner};
use super::schedule::Schedule;
use super::timeline::{Curves, Timeline, Visibility};
use super::{MAX_LIFE, RibbonU, Situation};
use glam::{Vec2, Vec3, Vec4};
use scene::{Layer, Ribbon, RibbonId, RibbonProperty, Target};

/// An edge of the stripe at a moment.
struct Edge {
    time: f64,
    above: Vec3,
    below: Vec3,
    color: Vec4,
    /// Along the texture, 0 at the node.
    along: f32,
}

pub(super) fn cloud<'a>(situation: &Situation<'a>, id: RibbonId, ribbon: &'a Ribbon) -> Option<Cloud> {
    let timeline = Timeline::new(situation);
    let of = |property| timeline.curves(Target::Ribbon(id, property));
    let (alpha, color) = (of(RibbonProperty::Alpha), of(RibbonProperty::Color));
    let (high, low) = (of(RibbonProperty::HeightAbove), of(RibbonProperty::HeightBelow));
    let slots = of(RibbonProperty::TextureSlot);
    let life = ribbon.life_span.min(MAX_LIFE);
    if life.is_nan() || life <= 0.0 {
        return None;
    }
    let visible = Target::Ribbon(id, RibbonProperty::Visibility);
    let visibility = Visibility::new(&timeline, Some(visible), ribbon.visible, ribbon.node);
    let none = Curves::default();
    let schedule = Schedule::new(&timeline, &none, ribbon.emission_rate, &visibility);
    let chain = timeline.chain(situation, ribbon.node);
    let now = timeline.now;
    let emits = |time: f64| visibility.at(time) && alpha.scalar(time, ribbon.alpha) > 0.0;

    let births = schedule.births(now - f64::from(life)).into_iter().map(|birth| birth.time);
    // The stripe ends at the node.
    let moments: Vec<f64> =
        births.filter(|&time| time < now).chain([now]).filter(|&time| emits(time)).collect();
    let rules = &situation.rules;
    let look = |time: f64| color.vector(time, ribbon.color).extend(alpha.scalar(time, ribbon.alpha));
    #[expect(clippy::cast_precision_loss, reason = "a ribbon has few edges")]
    let last = moments.len().saturating_sub(1).max(1) as f32;
    let edges: Vec<Edge> = moments
        .iter()
        .enumerate()
        .map(|(number, &time)| {
            #[expect(clippy::cast_possible_truncation, reason = "an age is short")]
            let age = (now - time) as f32;
            let world = chain.world(time);
            let fall = Vec3::NEG_Y * (ribbon.gravity * age * age);
            let reach = |height: f32| world.transform_point3(Vec3::NEG_Z * height) + fall;
            Edge {
                time,
                above: reach(high.scalar(time, ribbon.height_above)),
                below: reach(-low.scalar(time, ribbon.height_below)),
                color: look(if rules.ribbon_color_at_birth { time } else { now }),
                #[expect(clippy::cast_precision_loss, reason = "a ribbon has few edges")]
                along: match rules.ribbon_u {
                    RibbonU::Age => age / life,
                    RibbonU::Index => 1.0 - number as f32 / last,
                },
            }
        })
        .collect();

    let material = ribbon.material.and_then(|id| situation.scene().materials.get(id.index()));
    let layer = material.and_then(|material| material.layers.first()).cloned();
    let mut cloud = looks(situation, layer.as_ref());
    cloud.material = ribbon.material;
    cloud.priority_plane = material.map_or(0, |material| material.priority_plane);
    let cell = Cell::of(slots.index(now, ribbon.texture_slot), ribbon.rows, ribbon.columns);
    // If the ribbon was hidden for a while, the stripe has a gap.
    let longest = 1.5 / f64::from(ribbon.emission_rate.max(1e-6));
    for pair in edges.windows(2) {
        let [old, young] = [&pair[0], &pair[1]];
        if young.time - old.time > longest {
            continue;
        }
        let normal = (young.above - young.below).cross(old.below - young.below);
        let normal = normal.try_normalize().unwrap_or(-situation.forward);
        let at = |edge: &Edge, place: Vec3, across: f32| {
            corner(place, cell.at(Vec2::new(edge.along, across)), edge.color, normal)
        };
        let corners = [
            at(young, young.above, 0.0),
            at(young, young.below, 1.0),
            at(old, old.below, 1.0),
            at(old, old.above, 0.0),
        ];
        let center = (young.above + young.below + old.below + old.above) / 4.0;
        cloud.push(&corners, &[[0, 1, 2], [0, 2, 3]], center);
    }
    Some(cloud)
}

/// The state of the stripe: that of the first layer of its material.
fn looks(situation: &Situation<'_>, layer: Option<&Layer>) -> Cloud {
    let Some(layer) = layer else { return Cloud::default() };
    let texture = layer.slots.first().and_then(|slot| slot.texture);
    Cloud {
        // Unlike W3D's layers, an unlit layer still has the colour of the ribbon.
        gradient: crate::frame::Gradient::Modulate,
        unlit: layer.unlit,
        ..Cloud::like(layer)
    }
    .with_texture(situation.scene(), texture)
}
