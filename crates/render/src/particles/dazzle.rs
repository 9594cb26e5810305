//! W3D's lens flares. Their types are defined in a file of the game. Without it, each has a halo with the defaults of
//! that file.

use super::Situation;
use super::cloud::{Cell, Cloud};
use super::timeline::{Timeline, Visibility};
use crate::frame::PictureId;
use glam::{Vec3, Vec4};
use scene::{BlendMode, Dazzle};

/// `HaloIntensity`, a factor of the colour.
const HALO_INTENSITY: f32 = 0.95;
/// `HaloScaleX` and `HaloScaleY`: the size of the halo in units.
const HALO_SCALE: f32 = 2.0;

/// The halo: additive, depth-tested, and facing the camera. The flare in front of everything needs the game's file.
pub(super) fn cloud<'a>(situation: &Situation<'a>, dazzle: &'a Dazzle) -> Option<Cloud> {
    let timeline = Timeline::new(situation);
    if !Visibility::new(&timeline, None, true, dazzle.node).at(timeline.now) {
        return None;
    }
    let place = Vec3::from(timeline.chain(situation, dazzle.node).world(timeline.now).translation);
    let mut cloud =
        Cloud { blend: BlendMode::Add.factors(), picture: Some(PictureId::Glow), ..Cloud::default() };
    let (right, up) = (situation.right * (HALO_SCALE / 2.0), situation.up * (HALO_SCALE / 2.0));
    let color = Vec4::new(HALO_INTENSITY, HALO_INTENSITY, HALO_INTENSITY, 1.0);
    cloud.sprite(place, right, up, Cell::WHOLE, color, -situation.forward);
    Some(cloud)
}
