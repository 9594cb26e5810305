//! Starter models for games with vehicles: rigid parts on bones, a turret, collision boxes, levels of detail and a clip.

use serde_json::{Value, json};

use super::glb::{Glb, Surface, Track};
use super::{material, pictures};

/// A turn about Y by degrees.
fn turn(degrees: f32) -> Vec<f32> {
    let half = degrees.to_radians() / 2.0;
    vec![0.0, half.sin(), 0.0, half.cos()]
}

/// Generals and Zero Hour: a tank. One unit is about 0.18 metres.
pub(super) fn tank() -> Vec<u8> {
    let mut glb = Glb::default();
    let steel = glb.texture("mwsteel", &pictures::png(pictures::steel));
    let plate = glb.texture("mwplate", &pictures::png(pictures::plate));
    let flash = glb.texture("mwflash", &pictures::png(pictures::flash));
    let body = glb.material(material("Steel", steel, Value::Null));
    let house = glb.material(material("House colour", plate, json!({ "team_color": true })));
    let light = glb.material(material("Flash", flash, json!({ "preset": "Add", "unshaded": true })));

    let hull =
        Surface::block([-5.0, 2.0, -10.0], [5.0, 5.0, 10.0]).and_block([-4.0, 5.0, -9.0], [4.0, 6.5, 5.0]);
    glb.object("CHASSIS", None, [0.0; 3], (&hull, body), Value::Null);
    // Meshes with this name get the colour of the player.
    let stripe = Surface::block([-4.2, 5.4, -7.0], [4.2, 6.0, -5.0]);
    glb.object("HOUSECOLOR01", None, [0.0; 3], (&stripe, house), Value::Null);
    for (name, side) in [("TREADSL", 5.0), ("TREADSR", -8.0)] {
        let tread = Surface::block([side, 0.0, -10.5], [side + 3.0, 4.0, 10.5]);
        glb.object(name, None, [0.0; 3], (&tread, body), Value::Null);
    }
    let turret = Surface::block([-3.5, 0.0, -4.0], [3.5, 2.5, 4.0]);
    let turret = glb.object("TURRET01", None, [0.0, 6.5, -1.0], (&turret, body), Value::Null);
    let barrel = Surface::block([-0.5, -0.5, 0.0], [0.5, 0.5, 9.0]);
    let barrel = glb.object("BARREL01", Some(turret), [0.0, 1.3, 4.0], (&barrel, body), Value::Null);
    // Shots leave the barrel here, and the flash shows here.
    glb.empty("MUZZLE01", Some(barrel), [0.0, 0.0, 9.0], Value::Null);
    let burst = Surface::block([-1.0, -1.0, 0.0], [1.0, 1.0, 3.0]);
    let burst = glb.object(
        "MUZZLEFX01",
        Some(barrel),
        [0.0, 0.0, 9.5],
        (&burst, light),
        json!({ "casts_shadow": false }),
    );
    glb.empty("SMOKE01", None, [3.0, 6.5, -8.0], Value::Null);
    glb.empty("EXHAUST01", None, [-3.0, 4.0, -10.0], Value::Null);
    // The bounds that the game uses to select the model.
    let bounds = Surface::block([-8.0, 0.0, -10.5], [8.0, 9.0, 13.0]);
    glb.object("BOUNDINGBOX", None, [0.0; 3], (&bounds, body), json!({ "w3d_type": "OBBOX" }));

    let times = [0.0, 0.1, 0.6];
    let back = [4.0, 1.5, 4.0].map(|z| vec![0.0, 1.3, z]).to_vec();
    let shown = [0.0, 1.0, 0.0].map(|size| vec![size; 3]).to_vec();
    glb.clip(
        "FIRE",
        Value::Null,
        vec![
            Track { node: barrel, path: "translation", times: &times, values: back, steps: false },
            Track { node: burst, path: "scale", times: &[0.0, 0.1, 0.2], values: shown, steps: true },
        ],
    );
    let (times, around) = ([0.0, 1.0, 3.0, 4.0], [0.0, 40.0, -40.0, 0.0].map(turn).to_vec());
    let scan = Track { node: turret, path: "rotation", times: &times, values: around, steps: false };
    glb.clip("SCAN", Value::Null, vec![scan]);
    glb.finish("Starter tank", Value::Null)
}

/// Renegade: a buggy, in metres.
pub(super) fn buggy() -> Vec<u8> {
    let mut glb = Glb::default();
    let steel = glb.texture("mwsteel", &pictures::png(pictures::steel));
    let rubber = glb.texture("mwrubber", &pictures::png(pictures::rubber));
    let body = glb.material(material("Steel", steel, json!({ "surface_type": "heavy metal" })));
    let tyre = glb.material(material("Rubber", rubber, json!({ "surface_type": "default" })));

    // Two levels of detail, each below a node of this name.
    let near = glb.empty("Origin.00", None, [0.0; 3], Value::Null);
    let far = glb.empty("Origin.01", None, [0.0; 3], json!({ "MaxScreenSize": 0.3 }));
    let hull =
        Surface::block([-0.8, 0.4, -1.8], [0.8, 0.9, 1.8]).and_block([-0.7, 0.9, -1.0], [0.7, 1.5, 0.4]);
    // What hits the mesh itself; the box below is for driving.
    let hits = json!({ "w3d_collision": "projectile camera" });
    glb.object("CHASSIS", Some(near), [0.0; 3], (&hull, body), hits);
    for (number, x, z) in [(1, 0.95, 1.2), (2, -0.95, 1.2), (3, 0.95, -1.2), (4, -0.95, -1.2)] {
        // The game moves these bones: P is where the wheel is, C where it touches the ground.
        let at = [x, 0.4, z];
        let wheel = glb.empty(&format!("WHEELP{number:02}"), Some(near), at, Value::Null);
        let disc = Surface::block([-0.15, -0.4, -0.4], [0.15, 0.4, 0.4]);
        glb.object(&format!("WHEEL{number:02}"), Some(wheel), [0.0; 3], (&disc, tyre), Value::Null);
        glb.empty(&format!("WHEELC{number:02}"), Some(near), [x, 0.0, z], Value::Null);
    }
    let gun = Surface::block([-0.3, 0.0, -0.4], [0.3, 0.35, 0.4]);
    let turret = glb.object("TURRET", Some(near), [0.0, 1.5, -0.3], (&gun, body), Value::Null);
    let tube = Surface::block([-0.06, -0.06, 0.0], [0.06, 0.06, 1.2]);
    let barrel = glb.object("BARREL", Some(turret), [0.0, 0.2, 0.4], (&tube, body), Value::Null);
    glb.empty("MUZZLEA0", Some(barrel), [0.0, 0.0, 1.2], Value::Null);
    glb.empty("ENGINEFLAME", Some(near), [0.0, 0.7, -1.8], Value::Null);
    let simple = Surface::block([-0.9, 0.2, -1.8], [0.9, 1.2, 1.8]);
    glb.object("CHASSISFAR", Some(far), [0.0; 3], (&simple, body), Value::Null);
    let bounds = Surface::block([-1.1, 0.0, -1.9], [1.1, 1.9, 1.9]);
    let driving = json!({ "w3d_type": "OBBOX", "w3d_collision": "physical vehicle" });
    glb.object("WORLDBOX", Some(near), [0.0; 3], (&bounds, body), driving);

    let (times, around) = ([0.0, 1.0, 3.0, 4.0], [0.0, 40.0, -40.0, 0.0].map(turn).to_vec());
    let scan = Track { node: turret, path: "rotation", times: &times, values: around, steps: false };
    glb.clip("SCAN", Value::Null, vec![scan]);
    glb.finish("Starter buggy", Value::Null)
}
