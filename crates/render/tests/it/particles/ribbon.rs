//! Ribbons.

use super::scenes::*;
use meshwright_render::particles::{RibbonU, Rules};
use scene::*;

#[test]
fn ribbons_follow_the_way_of_their_node() {
    let scene = ribbon_scene();
    // Edges at 1.0 and 1.25, and at the node at 1.5. Above is -Z, below is +Z.
    let cloud = ribbon_at(&scene, 1.5, Rules::default());
    assert_places(
        &corners(&cloud, 1),
        &[[1.5, 0.0, -3.0], [1.5, 0.0, 1.0], [1.25, 0.0, 1.0], [1.25, 0.0, -3.0]],
    );
    assert_eq!(cloud.pieces.len(), 2);
    // The second of two columns: from the node at its left to the end of life at its right.
    let ages = [0.0, 0.25, 0.5].map(|age| 0.5 + 0.5 * age / 0.6);
    let us = [cloud.vertices[4].uv[0].x, cloud.vertices[0].uv[0].x, cloud.vertices[2].uv[0].x];
    assert!(us.iter().zip(ages).all(|(u, age)| (u - age).abs() < 1e-4), "{us:?} is not {ages:?}");
    let by_index = ribbon_at(&scene, 1.5, Rules { ribbon_u: RibbonU::Index, ..Rules::default() });
    let us = [by_index.vertices[4].uv[0].x, by_index.vertices[0].uv[0].x, by_index.vertices[2].uv[0].x];
    assert_eq!(us, [0.5, 0.75, 1.0]);
}

#[test]
fn ribbons_fall_fade_and_tear() {
    let mut scene = ribbon_scene();
    scene.ribbons[0].gravity = 4.0;
    // At the age of a quarter second: 4 / 16.
    let cloud = ribbon_at(&scene, 1.5, Rules::default());
    assert!((cloud.vertices[6].position.y + 0.25).abs() < 1e-4);

    let alpha = Track::new(Interpolation::Linear, [(0.0, 0.0), (2.0, 1.0)]);
    scene.clips[0].channels.push(Channel {
        target: Target::Ribbon(RibbonId(0), RibbonProperty::Alpha),
        curve: Curve::Scalar(alpha),
    });
    let alphas = |rules| {
        let cloud = ribbon_at(&scene, 1.5, rules);
        [cloud.vertices[4].color.w, cloud.vertices[6].color.w]
    };
    assert_eq!(alphas(Rules::default()), [0.75, 0.75]);
    assert_eq!(alphas(Rules { ribbon_color_at_birth: true, ..Rules::default() }), [0.75, 0.625]);

    let shown = Track::new(Interpolation::Step, [(0.0, true), (1.1, false), (1.4, true)]);
    scene.clips[0].channels.push(Channel {
        target: Target::Ribbon(RibbonId(0), RibbonProperty::Visibility),
        curve: Curve::Flag(shown),
    });
    scene.ribbons[0].life_span = 1.0;
    // Edges at 0.75 and 1.0; between 1.0 and now it was hidden.
    assert_eq!(ribbon_at(&scene, 1.5, Rules::default()).pieces.len(), 1);
}
