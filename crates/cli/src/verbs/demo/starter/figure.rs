//! Starter models for games with people: a skin on bones, attachment points, clips with properties, and what each game adds.

use serde_json::{Value, json};

use super::glb::{Bound, Glb, Surface, Track};
use super::{material, pictures};

/// The bones of a figure: name, the place of the parent, and the way from there in metres. It looks along +Z, and is 1.8 metres tall.
const BONES: [(&str, Option<usize>, [f32; 3]); 11] = [
    ("Pelvis", None, [0.0, 0.95, 0.0]),
    ("Spine", Some(0), [0.0, 0.2, 0.0]),
    ("Head", Some(1), [0.0, 0.4, 0.0]),
    ("Arm_L", Some(1), [0.25, 0.3, 0.0]),
    ("Hand_L", Some(3), [0.35, 0.0, 0.0]),
    ("Arm_R", Some(1), [-0.25, 0.3, 0.0]),
    ("Hand_R", Some(5), [-0.35, 0.0, 0.0]),
    ("Thigh_L", Some(0), [0.12, -0.05, 0.0]),
    ("Shin_L", Some(7), [0.0, -0.45, 0.0]),
    ("Thigh_R", Some(0), [-0.12, -0.05, 0.0]),
    ("Shin_R", Some(9), [0.0, -0.45, 0.0]),
];

/// Blocks of the body in metres, the axis along which they bend, and the bones at both ends.
const BLOCKS: [([f32; 3], [f32; 3], usize, Bound); 9] = [
    ([-0.2, 0.9, -0.12], [0.2, 1.15, 0.12], 1, Bound { lower: 0, upper: 1 }),
    ([-0.22, 1.15, -0.13], [0.22, 1.5, 0.13], 1, Bound { lower: 1, upper: 1 }),
    ([-0.12, 1.55, -0.12], [0.12, 1.8, 0.12], 1, Bound { lower: 2, upper: 2 }),
    ([0.24, 1.38, -0.07], [0.6, 1.52, 0.07], 0, Bound { lower: 3, upper: 4 }),
    ([0.6, 1.39, -0.06], [0.85, 1.51, 0.06], 0, Bound { lower: 4, upper: 4 }),
    ([-0.6, 1.38, -0.07], [-0.24, 1.52, 0.07], 0, Bound { lower: 6, upper: 5 }),
    ([-0.85, 1.39, -0.06], [-0.6, 1.51, 0.06], 0, Bound { lower: 6, upper: 6 }),
    ([0.03, 0.0, -0.09], [0.21, 0.9, 0.09], 1, Bound { lower: 8, upper: 7 }),
    ([-0.21, 0.0, -0.09], [-0.03, 0.9, 0.09], 1, Bound { lower: 10, upper: 9 }),
];

/// A figure in the making.
struct Figure {
    glb: Glb,
    /// The nodes of the bones.
    bones: Vec<usize>,
    skin: usize,
    /// Units for each metre.
    unit: f32,
    /// What the scene says of the clips.
    clips: serde_json::Map<String, Value>,
}

impl Figure {
    fn new(unit: f32, name: impl Fn(&str) -> String) -> Self {
        let mut glb = Glb::default();
        let mut bones = Vec::new();
        for (bone, parent, way) in BONES {
            let parent = parent.map(|parent| bones[parent]);
            bones.push(glb.empty(&name(bone), parent, way.map(|part| part * unit), Value::Null));
        }
        let skin = glb.skin("Skeleton", &bones);
        Self { glb, bones, skin, unit, clips: serde_json::Map::new() }
    }

    fn scaled(&self, place: [f32; 3]) -> [f32; 3] {
        place.map(|part| part * self.unit)
    }

    /// The body, or a coarse one with a block less for each step.
    fn body(&self, blocks: usize) -> Surface {
        BLOCKS[..blocks].iter().fold(Surface::default(), |surface, (min, max, axis, bound)| {
            surface.and_bound(self.scaled(*min), self.scaled(*max), *axis, *bound)
        })
    }

    /// An empty on a bone.
    fn point(&mut self, name: &str, bone: Option<usize>, at: [f32; 3], properties: Value) {
        let (parent, at) = (bone.map(|bone| self.bones[bone]), self.scaled(at));
        self.glb.empty(name, parent, at, properties);
    }

    /// A clip that swings bones about X: degrees for each bone at the start, the middle and the end; some also about Z.
    fn clip(&mut self, name: &str, seconds: f32, swings: &[(usize, usize, [f32; 3])], properties: Value) {
        let times = [0.0, seconds / 2.0, seconds];
        let tracks = swings.iter().map(|(bone, axis, degrees)| {
            let turn = |degrees: &f32| {
                let half = degrees.to_radians() / 2.0;
                let mut rotation = vec![0.0, 0.0, 0.0, half.cos()];
                rotation[*axis] = half.sin();
                rotation
            };
            let values = degrees.iter().map(turn).collect();
            Track { node: self.bones[*bone], path: "rotation", times: &times, values, steps: false }
        });
        let tracks = tracks.collect();
        // Blender does not import properties of actions. The scene keeps them for clips of this name and length.
        let mut kept = properties.as_object().cloned().unwrap_or_default();
        kept.insert("index".into(), json!(self.clips.len()));
        kept.insert("duration".into(), json!(seconds));
        self.clips.insert(name.to_owned(), kept.into());
        self.glb.clip(name, properties, tracks);
    }

    fn finish(self, name: &str) -> Vec<u8> {
        self.glb.finish(name, json!({ "meshwright": { "clips": self.clips } }))
    }
}

/// The arms hang down instead of to the sides.
const ARMS: [(usize, usize, [f32; 3]); 2] = [(3, 2, [-70.0; 3]), (5, 2, [70.0; 3])];

/// The Battle for Middle-earth: ten units for each metre.
pub(super) fn soldier() -> Vec<u8> {
    let mut figure = Figure::new(10.0, |bone| format!("B_{}", bone.to_uppercase()));
    let cloth = figure.glb.texture("mwcloth", &pictures::png(pictures::cloth));
    let cloth = figure.glb.material(material("Cloth", cloth, Value::Null));
    let body = figure.body(BLOCKS.len());
    figure.glb.skinned("BODY", figure.skin, (&body, cloth), Value::Null);
    let steel = figure.glb.texture("mwsteel", &pictures::png(pictures::steel));
    let steel = figure.glb.material(material("Steel", steel, Value::Null));
    let blade = Surface::block([-0.3, -0.3, 0.0], [0.3, 0.3, 9.0]);
    let (hand, at) = (figure.bones[6], figure.scaled([-0.2, 0.0, 0.05]));
    figure.glb.object("SWORD", Some(hand), at, (&blade, steel), Value::Null);
    // What the game selects with the mouse.
    let pick = Surface::block([-4.0, 0.0, -4.0], [4.0, 18.0, 4.0]);
    figure.glb.object("PICKBOX", None, [0.0; 3], (&pick, steel), json!({ "w3d_type": "OBBOX" }));
    figure.clip("IDLA", 2.0, &[ARMS[0], ARMS[1], (2, 0, [0.0, 8.0, 0.0])], Value::Null);
    let run = [ARMS[0], ARMS[1], (7, 0, [-30.0, 30.0, -30.0]), (9, 0, [30.0, -30.0, 30.0])];
    figure.clip("RUNA", 0.8, &run, Value::Null);
    figure.clip("ATKA", 1.0, &[ARMS[0], (5, 1, [0.0, 90.0, 0.0])], Value::Null);
    figure.clip("DIEA", 1.5, &[ARMS[0], ARMS[1], (0, 0, [0.0, -45.0, -90.0])], Value::Null);
    figure.finish("Starter soldier")
}

/// Attachment points of Warcraft III: name, bone and place in metres.
const POINTS: [(&str, Option<usize>, [f32; 3]); 8] = [
    ("Origin Ref", None, [0.0; 3]),
    ("OverHead Ref", None, [0.0, 2.1, 0.0]),
    ("Chest Ref", Some(1), [0.0, 0.2, 0.13]),
    ("Head Ref", Some(2), [0.0, 0.15, 0.0]),
    ("Hand Left Ref", Some(4), [0.2, 0.0, 0.0]),
    ("Hand Right Ref", Some(6), [-0.2, 0.0, 0.0]),
    ("Foot Left Ref", Some(8), [0.0, -0.4, 0.0]),
    ("Foot Right Ref", Some(10), [0.0, -0.4, 0.0]),
];

/// Units of Warcraft III for each metre.
const WARCRAFT: f32 = 57.0;

/// What both generations of Warcraft III have.
fn warcraft() -> Figure {
    let mut figure = Figure::new(WARCRAFT, |bone| format!("Bone_{bone}"));
    for (name, bone, at) in POINTS {
        figure.point(name, bone, at, Value::Null);
    }
    // A footstep in the first sequence; the action's property `events` has them for every sequence.
    figure.point("SNDxDHLB", None, [0.0; 3], json!({ "times": [0.1] }));
    // A sphere around the feet and one around the body, to click on.
    figure.point("Collision feet", None, [0.0, 0.5, 0.0], json!({ "radius": 0.5 * WARCRAFT }));
    figure.point("Collision body", None, [0.0, 1.3, 0.0], json!({ "radius": 0.5 * WARCRAFT }));
    figure.glb.camera("Portrait", [0.0, 1.65 * WARCRAFT, 2.0 * WARCRAFT], 20.0 * WARCRAFT);
    let looping = json!({ "looping": true });
    figure.clip("Stand", 2.0, &[ARMS[0], ARMS[1], (2, 0, [0.0, 8.0, 0.0])], looping.clone());
    figure.clip(
        "Stand - 2",
        2.0,
        &[ARMS[0], ARMS[1], (2, 1, [0.0, 30.0, 0.0])],
        json!({ "looping": true, "rarity": 4.0 }),
    );
    let walk = [ARMS[0], ARMS[1], (7, 0, [-30.0, 30.0, -30.0]), (9, 0, [30.0, -30.0, 30.0])];
    figure.clip("Walk", 0.8, &walk, json!({ "looping": true, "move_speed": 270.0 }));
    figure.clip("Attack - 1", 1.0, &[ARMS[0], (5, 1, [0.0, 90.0, 0.0])], Value::Null);
    figure.clip("Death", 1.5, &[ARMS[0], ARMS[1], (0, 0, [0.0, -45.0, -90.0])], Value::Null);
    let lying = [ARMS[0], ARMS[1], (0, 0, [-90.0; 3])];
    figure.clip("Decay Flesh", 10.0, &lying, Value::Null);
    figure.clip("Decay Bone", 10.0, &lying, Value::Null);
    figure.clip("Portrait", 2.0, &[ARMS[0], ARMS[1], (2, 1, [0.0, 10.0, 0.0])], looping);
    figure
}

/// Warcraft III before Reforged.
pub(super) fn footman() -> Vec<u8> {
    let mut figure = warcraft();
    let cloth = figure.glb.texture("mwuniform", &pictures::png(pictures::uniform));
    // The colour of the player shows where the texture is transparent.
    let cloth = figure.glb.material(material("Uniform", cloth, json!({ "team_color": true })));
    let body = figure.body(BLOCKS.len());
    figure.glb.skinned("Body", figure.skin, (&body, cloth), Value::Null);
    let flash = figure.glb.texture("mwflash", &pictures::png(pictures::flash));
    let glow = json!({ "preset": "Additive", "unshaded": true, "two_sided": true });
    let glow = figure.glb.material(material("Glow", flash, glow));
    let half = 0.3 * WARCRAFT;
    let orb = Surface::block([-half / 3.0; 3], [half / 3.0; 3]);
    let (hand, at) = (figure.bones[4], figure.scaled([0.35, 0.0, 0.0]));
    figure.glb.object("Orb", Some(hand), at, (&orb, glow), json!({ "billboard": "full" }));
    figure.finish("Starter footman")
}

/// Warcraft III: Reforged, with its textures and levels of detail.
pub(super) fn knight() -> Vec<u8> {
    let mut figure = warcraft();
    let base = figure.glb.texture("mwknight_diffuse", &pictures::png(pictures::cloth));
    let normal = figure.glb.texture("mwknight_normal", &pictures::png(pictures::flat));
    let packed = figure.glb.texture("mwknight_orm", &pictures::png(pictures::packed));
    let emissive = figure.glb.texture("mwknight_emissive", &pictures::png(pictures::dark));
    let mut armour = material("Armour", base, Value::Null);
    armour["normalTexture"] = json!({ "index": normal });
    armour["occlusionTexture"] = json!({ "index": packed });
    armour["pbrMetallicRoughness"]["metallicRoughnessTexture"] = json!({ "index": packed });
    armour["pbrMetallicRoughness"].as_object_mut().map(|factors| factors.remove("metallicFactor"));
    armour["emissiveTexture"] = json!({ "index": emissive });
    armour["emissiveFactor"] = json!([1.0, 1.0, 1.0]);
    let armour = figure.glb.material(armour);
    for (name, blocks, level) in [("Body", BLOCKS.len(), 0), ("Body far", 3, 1)] {
        let body = figure.body(blocks);
        figure.glb.skinned(name, figure.skin, (&body, armour), json!({ "lod": level }));
    }
    figure.finish("Starter knight")
}
