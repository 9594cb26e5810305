//! What a modeller can say by custom properties.

use scene::{
    AlphaTest, Billboard, BlendMode, CollisionMask, CollisionShape, Event, EventId, EventKey, GlobalChannel,
    GlobalSequence, GlobalSequenceId, Layer, Level, LevelRange, Material, MeshId, NodeId, Property,
    PropertyOwner, PropertyValue, Replaceable, Scene, Shape, SlotKind, Texture, TextureId, TextureSlot,
};

use crate::report::{NoteKind, Report};

/// Changes a scene as custom properties say. Names are compared without case; those that are not listed are left alone. Call
/// [`apply_names`](super::apply_names) first, so that events have their nodes.
///
/// | on | property | value |
/// |---|---|---|
/// | node | `billboard` | `full`, `lock_x`, `lock_y` or `lock_z` |
/// | node | `lod` | the level of detail of its meshes, 0 the finest |
/// | node | `radius` | a collision sphere of this radius |
/// | node | `times` | the seconds of the first clip at which its event happens |
/// | material | `preset` or `filter_mode` | `None`, `Transparent`, `Blend`, `Additive`, `AddAlpha`, `Modulate`, `Modulate2x`; `Opaque`, `Add`, `Multiply`, `Screen`, `Alpha Blend`, `Alpha Test` |
/// | material | `unshaded`, `two_sided`, `unfogged` | on or off |
/// | material | `team_color` | on: the player's colour shows where the texture is transparent |
/// | material | `team_glow` | on: the player's glow in place of the texture |
/// | material | `texture` | the path of its texture, such as `Textures\x.blp` |
/// | material | `priority_plane` | a number; the lowest is drawn first |
/// | clip | `events` | seconds for each event: `{"SNDxDHLB": [0.1, 0.4]}` |
/// | clip | `global` | on: always runs, whichever clip plays |
///
/// ```
/// use meshwright_convert::author::apply_properties;
/// use scene::{Billboard, Node, NodeId, Property, PropertyOwner, PropertyValue, Scene};
/// let mut scene = Scene { nodes: vec![Node::default()], ..Scene::default() };
/// let value = PropertyValue::Text("lock_z".into());
/// let property = Property { owner: PropertyOwner::Node(NodeId(0)), name: "billboard".into(), value };
/// assert!(apply_properties(&mut scene, &[property]).notes.is_empty());
/// assert_eq!(scene.nodes[0].billboard, Billboard::SpinY, "the scene's up is Y");
/// ```
pub fn apply_properties(scene: &mut Scene, properties: &[Property]) -> Report {
    let mut report = Report::default();
    let mut globals = Vec::new();
    for Property { owner, name, value } in properties {
        let name = name.to_ascii_lowercase();
        let understood = match owner {
            PropertyOwner::Node(id) => node(scene, *id, &name, value),
            PropertyOwner::Material(id) => {
                let Some(place) = Some(id.index()).filter(|place| *place < scene.materials.len()) else {
                    continue;
                };
                material(scene, place, &name, value)
            }
            PropertyOwner::Clip(id) if name == "global" => {
                globals.extend(value.is_on().then_some(id.index()));
                true
            }
            PropertyOwner::Clip(id) => clip(scene, id.index(), &name, value),
        };
        if !understood {
            report.note(
                NoteKind::Damaged,
                &format!("{owner:?}"),
                format!("property {name}: unknown value {value:?}"),
            );
        }
    }
    globals.sort_unstable();
    globals.dedup();
    globals.into_iter().rev().for_each(|clip| make_global(scene, clip));
    report
}

/// Whether the value was understood; a property of another name is nobody's business.
fn node(scene: &mut Scene, id: NodeId, name: &str, value: &PropertyValue) -> bool {
    let Some(node) = scene.nodes.get_mut(id.index()) else { return true };
    match name {
        "billboard" => {
            node.billboard = match value.text().unwrap_or_default().to_ascii_lowercase().as_str() {
                "full" => Billboard::Facing,
                // MDX has Z up.
                "lock_x" => Billboard::SpinX,
                "lock_y" => Billboard::SpinZ,
                "lock_z" => Billboard::SpinY,
                "none" => Billboard::None,
                _ => return false,
            };
        }
        "lod" => {
            let Some(number) = value.number() else { return false };
            let meshes = scene.meshes.iter().enumerate().filter(|(_, mesh)| mesh.node == Some(id));
            let meshes: Vec<MeshId> = meshes.map(|(place, _)| MeshId::from(place)).collect();
            let range = LevelRange::Number(number as i32);
            match scene.levels.iter_mut().find(|level| level.range == range) {
                Some(level) => level.meshes.extend(meshes),
                None => scene.levels.push(Level { range, meshes }),
            }
            scene
                .levels
                .sort_by_key(|level| if let LevelRange::Number(number) = level.range { number } else { 0 });
        }
        "radius" => {
            let Some(radius) = value.number().filter(|radius| *radius > 0.0) else { return false };
            let shape = Shape::Sphere { center: glam::Vec3::ZERO, radius };
            let name = node.name.clone();
            scene.collision_shapes.push(CollisionShape { name, node: id, shape, mask: CollisionMask::NONE });
        }
        "times" => {
            let event = scene.events.iter().position(|event| event.node == id);
            let (PropertyValue::Numbers(times), Some(event)) = (value, event) else { return false };
            add_events(scene, 0, event, times);
        }
        _ => {}
    }
    true
}

fn material(scene: &mut Scene, place: usize, name: &str, value: &PropertyValue) -> bool {
    let material = &mut scene.materials[place];
    if material.layers.is_empty() {
        material.layers.push(Layer::default());
    }
    match name {
        "preset" | "filter_mode" => {
            let Some((blend, alpha_test)) = value.text().and_then(blending) else { return false };
            let layer = &mut material.layers[0];
            (layer.blend, layer.alpha_test) = (blend, alpha_test);
            layer.depth_write = blend == BlendMode::Opaque;
        }
        "unshaded" => material.layers.iter_mut().for_each(|layer| layer.unlit = value.is_on()),
        "two_sided" => material.layers.iter_mut().for_each(|layer| layer.two_sided = value.is_on()),
        "unfogged" => material.layers.iter_mut().for_each(|layer| layer.fog = !value.is_on()),
        "priority_plane" => {
            let Some(plane) = value.number() else { return false };
            material.priority_plane = plane as i32;
        }
        "texture" => {
            let Some(path) = value.text() else { return false };
            let id = TextureId::from(scene.textures.len());
            scene.textures.push(Texture { name: path.to_owned(), ..Texture::default() });
            diffuse(&mut scene.materials[place].layers[0]).texture = Some(id);
        }
        "team_color" if value.is_on() => {
            let id = supplied(scene, Replaceable::TEAM_COLOR);
            team_color(&mut scene.materials[place], id);
        }
        "team_glow" if value.is_on() => {
            let id = supplied(scene, Replaceable::TEAM_GLOW);
            let layer = &mut scene.materials[place].layers[0];
            diffuse(layer).texture = Some(id);
            (layer.blend, layer.alpha_test) = (BlendMode::Additive, Some(AlphaTest::INVISIBLE));
            (layer.unlit, layer.fog, layer.depth_write) = (true, false, false);
        }
        _ => {}
    }
    true
}

/// Puts the player's colour under a material.
fn team_color(material: &mut Material, texture: TextureId) {
    let first = &mut material.layers[0];
    let below = Layer {
        slots: vec![TextureSlot { texture: Some(texture), ..TextureSlot::default() }],
        two_sided: first.two_sided,
        unlit: first.unlit,
        ..Layer::default()
    };
    if first.blend == BlendMode::Opaque {
        (first.blend, first.alpha_test) = (BlendMode::Alpha, Some(AlphaTest::INVISIBLE));
        first.depth_write = false;
    }
    material.layers.insert(0, below);
}

/// The slot of the surface's colour.
fn diffuse(layer: &mut Layer) -> &mut TextureSlot {
    let place = layer.slots.iter().position(|slot| slot.kind == SlotKind::Diffuse).unwrap_or_else(|| {
        layer.slots.insert(0, TextureSlot::default());
        0
    });
    &mut layer.slots[place]
}

/// A texture that the game supplies.
fn supplied(scene: &mut Scene, replaceable: Replaceable) -> TextureId {
    let known = scene.textures.iter().position(|texture| texture.replaceable == Some(replaceable));
    TextureId::from(known.unwrap_or_else(|| {
        scene.textures.push(Texture { replaceable: Some(replaceable), ..Texture::default() });
        scene.textures.len() - 1
    }))
}

/// Names of blend modes of both families.
fn blending(word: &str) -> Option<(BlendMode, Option<AlphaTest>)> {
    let faint = Some(AlphaTest::INVISIBLE);
    Some(match word.to_ascii_lowercase().as_str() {
        "none" | "opaque" => (BlendMode::Opaque, None),
        "transparent" | "alpha test" => (BlendMode::Opaque, Some(AlphaTest::WARCRAFT)),
        "blend" | "alpha blend" | "alpha test and blend" => (BlendMode::Alpha, faint),
        "additive" => (BlendMode::Additive, faint),
        "add" => (BlendMode::Add, faint),
        "addalpha" => (BlendMode::AddAlpha, faint),
        "modulate" => (BlendMode::Modulate, faint),
        "multiply" => (BlendMode::Multiply, faint),
        "modulate2x" => (BlendMode::Modulate2x, faint),
        "screen" => (BlendMode::Screen, faint),
        _ => return None,
    })
}

fn clip(scene: &mut Scene, clip: usize, name: &str, value: &PropertyValue) -> bool {
    if name != "events" {
        return true;
    }
    let PropertyValue::Lists(lists) = value else { return false };
    for (name, times) in lists {
        let known = scene.events.iter().position(|event| event.name.eq_ignore_ascii_case(name));
        let event = known.unwrap_or_else(|| {
            // An event without an object happens at the node of its name, or at the first node.
            let node = scene.nodes.iter().position(|node| node.name.eq_ignore_ascii_case(name));
            let node = NodeId::from(node.unwrap_or(0));
            scene.events.push(Event { node, name: name.clone(), global: None });
            scene.events.len() - 1
        });
        add_events(scene, clip, event, times);
    }
    true
}

fn add_events(scene: &mut Scene, clip: usize, event: usize, times: &[f32]) {
    if let Some(clip) = scene.clips.get_mut(clip) {
        let event = EventId::from(event);
        clip.events.extend(
            times.iter().map(|time| EventKey { time: time.clamp(0.0, clip.duration.max(0.0)), event }),
        );
        clip.events.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
}

/// Makes a clip run always.
fn make_global(scene: &mut Scene, clip: usize) {
    if clip >= scene.clips.len() {
        return;
    }
    let clip = scene.clips.remove(clip);
    let sequence = GlobalSequenceId::from(scene.global_sequences.len());
    scene.global_sequences.push(GlobalSequence { duration: clip.duration });
    scene
        .global_channels
        .extend(clip.channels.into_iter().map(|channel| GlobalChannel { sequence, channel }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Clip, ClipId, MaterialId, Node};

    fn on(owner: PropertyOwner, name: &str, value: PropertyValue) -> Property {
        Property { owner, name: name.to_owned(), value }
    }

    #[test]
    fn team_colour_goes_under_the_texture() {
        let layer = Layer {
            slots: vec![TextureSlot { texture: Some(TextureId(0)), ..TextureSlot::default() }],
            ..Layer::default()
        };
        let mut scene = Scene {
            textures: vec![Texture { name: "orc.png".into(), ..Texture::default() }],
            materials: vec![Material { layers: vec![layer], ..Material::default() }],
            ..Scene::default()
        };
        let owner = PropertyOwner::Material(MaterialId(0));
        let report = apply_properties(
            &mut scene,
            &[
                on(owner, "Team_Color", PropertyValue::Number(1.0)),
                on(owner, "preset", PropertyValue::Text("no such".into())),
            ],
        );
        let layers = &scene.materials[0].layers;
        assert_eq!(layers[0].slots[0].texture, Some(TextureId(1)));
        assert_eq!(scene.textures[1].replaceable, Some(Replaceable::TEAM_COLOR));
        assert_eq!((layers[1].blend, layers[1].slots[0].texture), (BlendMode::Alpha, Some(TextureId(0))));
        assert_eq!(report.notes.len(), 1, "the unknown preset");
    }

    #[test]
    fn clips_have_events_and_can_run_always() {
        let clip = |name: &str| Clip { name: name.into(), duration: 2.0, ..Clip::default() };
        let mut scene = Scene {
            nodes: vec![Node { name: "SNDxDHLB".into(), ..Node::default() }],
            clips: vec![clip("Spin"), clip("Stand")],
            ..Scene::default()
        };
        let events = PropertyValue::Lists(vec![("SNDxDHLB".into(), vec![0.5, 9.0])]);
        apply_properties(
            &mut scene,
            &[
                on(PropertyOwner::Clip(ClipId(1)), "events", events),
                on(PropertyOwner::Clip(ClipId(0)), "global", PropertyValue::Flag(true)),
            ],
        );
        let [stand] = &scene.clips[..] else { panic!("{:?}", scene.clips) };
        let times: Vec<f32> = stand.events.iter().map(|key| key.time).collect();
        assert_eq!((stand.name.as_str(), times), ("Stand", vec![0.5, 2.0]));
        assert_eq!(scene.global_sequences, [GlobalSequence { duration: 2.0 }]);
    }
}
