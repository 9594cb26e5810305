//! Names and custom properties that express what W3D has and glTF lacks: boxes, levels of detail, proxies,
//! aggregates, collision, surface types and the player's colour. The words are those of Westwood's exporter and of OpenSAGE's plugin.

use scene::{
    AlphaTest, Attachment, AttachmentKind, Billboard, BlendFactor, BlendMode, CollisionMask, CollisionShape,
    Dazzle, Level, LevelRange, MaterialId, MeshId, NodeId, Property, PropertyOwner, PropertyValue, Scene,
    Shape, Target,
};
use w3d::names::SurfaceType;

use crate::report::{NoteKind, Report};

/// Applies the names and custom properties that matter to W3D, and returns what was not understood. Names of properties are compared
/// without regard to case; unknown ones are ignored. What [`apply_names`](crate::author::apply_names) and
/// [`apply_properties`](crate::author::apply_properties) do is done, too.
///
/// `is_w3d`: the scene comes from a W3D file, so names are final and only properties are applied. Otherwise
/// bones get axes as the games have them, X forward, where they have Blender's.
///
/// | on | name or property | meaning |
/// |---|---|---|
/// | node | `Origin.00`, `Origin.01` | meshes below it are of this level of detail, 0 the finest |
/// | such a node | `MaxScreenSize` | the share of the screen up to which the level is shown |
/// | node | `NAME~` | a proxy: the level places the model NAME there |
/// | node | `w3d_aggregate` | the model of this name is part of this one |
/// | mesh | `w3d_type` | `OBBOX`, `AABOX`, `DAZZLE`, `CAMERA_ALIGNED` or `CAMERA_ORIENTED` |
/// | mesh | `w3d_collision` | any of `physical`, `projectile`, `vis`, `camera` and `vehicle` |
/// | mesh | `w3d_dazzle` | the type of a lens flare, from the game's `Dazzle.ini` |
/// | mesh | `w3d_hidden`, `casts_shadow`, `two_sided` | on or off |
/// | mesh | `sort_level` | drawing order of transparent meshes, 1 to 32; 0 sorts by depth |
/// | material | `preset` | one of the eight presets, such as `Alpha Test` |
/// | material | `surface_type` | a number, or a name such as `wood` |
/// | material | `team_color` | on: in the player's colour |
///
/// ```
/// use meshwright_convert::author::w3d::apply_conventions;
/// use scene::{AttachmentKind, Node, Scene};
/// let mut scene = Scene { nodes: vec![Node { name: "TREE~".into(), ..Node::default() }], ..Scene::default() };
/// assert!(apply_conventions(&mut scene, &[], false).notes.is_empty());
/// assert_eq!((scene.attachments[0].kind, scene.attachments[0].path.as_str()), (AttachmentKind::Proxy, "TREE"));
/// ```
pub fn apply_conventions(scene: &mut Scene, properties: &[Property], is_w3d: bool) -> Report {
    if !is_w3d {
        super::frames::turn_axes(scene);
        crate::author::apply_names(scene);
        levels(scene, properties);
        proxies(scene);
    }
    // Layers in the player's colour are Warcraft III's; W3D has meshes in it.
    let shared: Vec<Property> =
        properties.iter().filter(|property| !is_team(&property.name)).cloned().collect();
    let mut report = crate::author::apply_properties(scene, &shared);
    let mut replaced = vec![false; scene.meshes.len()];
    for Property { owner, name, value } in properties {
        let name = name.to_ascii_lowercase();
        let (part, understood) = match owner {
            PropertyOwner::Node(id) => {
                let Some(node) = scene.nodes.get(id.index()) else { continue };
                (node.name.clone(), of_node(scene, *id, &name, value, properties, &mut replaced))
            }
            PropertyOwner::Material(id) => {
                let Some(material) = scene.materials.get(id.index()) else { continue };
                (material.name.clone(), of_material(scene, *id, &name, value))
            }
            PropertyOwner::Clip(_) => continue,
        };
        match understood {
            Understood::Yes => {}
            Understood::No => {
                let value = shown(value);
                report.note(NoteKind::Damaged, &part, format!("property {name}: unknown value {value}"));
            }
            Understood::Unwritten => {
                report.note(NoteKind::Skipped, &part, format!("property {name} is not written"));
            }
        }
    }
    // Meshes that became collision shapes by their names would be hidden meshes beside them.
    for (mesh, replaced) in scene.meshes.iter().zip(&mut replaced) {
        let name = mesh.name.to_ascii_lowercase();
        let is_shape = name.starts_with("collisionbox") || name.starts_with("collisionsphere");
        *replaced |= is_shape && mesh.hidden;
    }
    remove_meshes(scene, &replaced);
    if !is_w3d {
        for node in &mut scene.nodes {
            node.name = without_number(&node.name).to_owned();
        }
        for mesh in &mut scene.meshes {
            mesh.name = without_number(&mesh.name).to_owned();
        }
    }
    report
}

/// Whether a property is about the player's colour.
fn is_team(name: &str) -> bool {
    name.eq_ignore_ascii_case("team_color") || name.eq_ignore_ascii_case("team_glow")
}

/// What became of a property.
#[derive(PartialEq)]
enum Understood {
    Yes,
    No,
    /// It is known, but there is no place for it.
    Unwritten,
}

impl From<bool> for Understood {
    fn from(is_understood: bool) -> Self {
        if is_understood { Self::Yes } else { Self::No }
    }
}

/// A value as people typed it.
fn shown(value: &PropertyValue) -> String {
    match value {
        PropertyValue::Flag(flag) => flag.to_string(),
        PropertyValue::Number(number) => number.to_string(),
        PropertyValue::Text(text) => format!("{text:?}"),
        PropertyValue::Numbers(numbers) => format!("{numbers:?}"),
        PropertyValue::Lists(_) => "with parts".to_owned(),
    }
}

/// A name without the number that Blender adds. Westwood's exporter removes it, too. `Origin.00` is a level of detail.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, digits))
            if !stem.is_empty()
                && level_of(name).is_none()
                && digits.bytes().all(|digit| digit.is_ascii_digit()) =>
        {
            stem
        }
        _ => name,
    }
}

/// The level of detail in a node's name.
fn level_of(name: &str) -> Option<usize> {
    let digits = name.get(..7).filter(|start| start.eq_ignore_ascii_case("origin.")).map(|_| &name[7..])?;
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|level| is_number && *level < 32)
}

/// Levels of detail by the nodes `Origin.NN` above meshes.
fn levels(scene: &mut Scene, properties: &[Property]) {
    if !scene.levels.is_empty() {
        return;
    }
    let hierarchy = scene.hierarchy();
    let level_above = |node: NodeId| {
        let parent = |node: &NodeId| hierarchy.parents.get(node.index()).copied().flatten();
        std::iter::successors(Some(node), parent)
            .find_map(|node| Some((level_of(&scene.nodes.get(node.index())?.name)?, node)))
    };
    let mut found: Vec<(usize, NodeId, Vec<MeshId>)> = Vec::new();
    for (index, mesh) in scene.meshes.iter().enumerate() {
        let Some((level, node)) = mesh.node.and_then(level_above) else { continue };
        match found.iter_mut().find(|known| known.0 == level) {
            Some(known) => known.2.push(MeshId::from(index)),
            None => found.push((level, node, vec![MeshId::from(index)])),
        }
    }
    if found.len() < 2 {
        return;
    }
    found.sort_by_key(|(level, ..)| *level);
    let size_of = |node: NodeId| {
        let is_size = |property: &&Property| {
            property.owner == PropertyOwner::Node(node) && property.name.eq_ignore_ascii_case("MaxScreenSize")
        };
        properties.iter().find(is_size).and_then(|property| property.value.number())
    };
    // The finest level has no limit; the others default to what OpenSAGE's plugin writes.
    const SIZES: [f32; 4] = [f32::MAX, 1.0, 0.3, 0.03];
    scene.levels = found
        .into_iter()
        .enumerate()
        .map(|(place, (_, node, meshes))| {
            let size = size_of(node).unwrap_or(SIZES[place.min(SIZES.len() - 1)]);
            Level { range: LevelRange::MaxScreenSize(size), meshes }
        })
        .collect();
}

/// Proxies by their names: the text from the tilde on only makes a name unique.
fn proxies(scene: &mut Scene) {
    for index in 0..scene.nodes.len() {
        let id = NodeId::from(index);
        let Some((name, _)) = scene.nodes[index].name.split_once('~') else { continue };
        let name = name.trim().to_owned();
        let is_known = scene.attachments.iter().any(|attachment| attachment.node == id);
        if !name.is_empty() && !is_known {
            scene
                .attachments
                .push(Attachment { path: name.clone(), ..Attachment::new(id, AttachmentKind::Proxy) });
            // Without another use, the node is the proxy and needs no bone.
            scene.nodes[index].name = name;
        }
    }
}

fn of_node(
    scene: &mut Scene,
    id: NodeId,
    name: &str,
    value: &PropertyValue,
    properties: &[Property],
    replaced: &mut [bool],
) -> Understood {
    let meshes: Vec<usize> =
        (0..scene.meshes.len()).filter(|index| scene.meshes[*index].node == Some(id)).collect();
    match name {
        "w3d_type" => {
            let Some(word) = value.text() else { return Understood::No };
            return of_type(scene, id, &word.to_ascii_uppercase(), &meshes, properties, replaced).into();
        }
        "w3d_collision" => {
            let Some(mask) = value.text().and_then(collision) else { return Understood::No };
            meshes.iter().for_each(|index| scene.meshes[*index].collision = mask);
        }
        "w3d_aggregate" => {
            let Some(path) = value.text().filter(|path| !path.trim().is_empty()) else {
                return Understood::No;
            };
            scene.attachments.push(Attachment {
                path: path.trim().to_owned(),
                ..Attachment::new(id, AttachmentKind::Aggregate)
            });
        }
        "w3d_hidden" => meshes.iter().for_each(|index| scene.meshes[*index].hidden = value.is_on()),
        "casts_shadow" => meshes.iter().for_each(|index| scene.meshes[*index].casts_shadow = value.is_on()),
        "two_sided" => {
            for material in materials_of(scene, &meshes) {
                let layers = &mut scene.materials[material].layers;
                layers.iter_mut().for_each(|layer| layer.two_sided = value.is_on());
            }
        }
        "sort_level" => {
            let Some(level) = value.number().filter(|level| (0.0..=32.0).contains(level)) else {
                return Understood::No;
            };
            for material in materials_of(scene, &meshes) {
                scene.materials[material].sort_level = level as u32;
            }
        }
        "maxscreensize" if value.number().is_none() => return Understood::No,
        "usertext" => return Understood::Unwritten,
        _ => {}
    }
    Understood::Yes
}

/// Whether a `w3d_type` is known.
fn of_type(
    scene: &mut Scene,
    id: NodeId,
    word: &str,
    meshes: &[usize],
    properties: &[Property],
    replaced: &mut [bool],
) -> bool {
    let text_of = |wanted: &str| {
        let is_it = |property: &&Property| {
            property.owner == PropertyOwner::Node(id) && property.name.eq_ignore_ascii_case(wanted)
        };
        properties.iter().find(is_it).and_then(|property| property.value.text())
    };
    match word {
        "MESH" | "NORMAL" | "SKIN" => {}
        "OBBOX" | "AABOX" => {
            let mask = text_of("w3d_collision").and_then(collision).unwrap_or(CollisionMask::NONE);
            for index in meshes.iter().copied() {
                let mesh = &scene.meshes[index];
                let Some(bounds) = scene::Bounds::around(mesh.positions.iter().copied()) else { continue };
                let (min, max) = (bounds.min, bounds.max);
                let shape = Shape::Box { min, max, axis_aligned: word == "AABOX" };
                let name = without_number(&mesh.name).to_owned();
                scene.collision_shapes.push(CollisionShape { name, node: id, shape, mask });
                replaced[index] = true;
            }
        }
        "DAZZLE" => {
            let name = without_number(&scene.nodes[id.index()].name).to_owned();
            let kind = text_of("w3d_dazzle").unwrap_or("DEFAULT").to_owned();
            scene.dazzles.push(Dazzle { node: id, name, kind });
            meshes.iter().for_each(|index| replaced[*index] = true);
        }
        "CAMERA_ALIGNED" => scene.nodes[id.index()].billboard = Billboard::Aligned,
        "CAMERA_ORIENTED" => scene.nodes[id.index()].billboard = Billboard::Facing,
        _ => return false,
    }
    true
}

/// The materials of some meshes, each once.
fn materials_of(scene: &Scene, meshes: &[usize]) -> Vec<usize> {
    let parts = meshes.iter().flat_map(|index| &scene.meshes[*index].parts);
    let mut materials: Vec<usize> = parts.filter_map(|part| Some(part.material?.index())).collect();
    materials.retain(|index| *index < scene.materials.len());
    materials.sort_unstable();
    materials.dedup();
    materials
}

/// Words for what collides with an object.
fn collision(text: &str) -> Option<CollisionMask> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.into_iter().try_fold(CollisionMask::NONE, |mask, word| {
        let bit = match word.to_ascii_lowercase().as_str() {
            "none" => CollisionMask::NONE,
            "physical" => CollisionMask::PHYSICAL,
            "projectile" => CollisionMask::PROJECTILE,
            "vis" | "visibility" => CollisionMask::VISIBILITY,
            "camera" => CollisionMask::CAMERA,
            "vehicle" => CollisionMask::VEHICLE,
            _ => return None,
        };
        Some(mask | bit)
    })
}

fn of_material(scene: &mut Scene, id: MaterialId, name: &str, value: &PropertyValue) -> Understood {
    match name {
        "preset" | "filter_mode" => {
            let Some(word) = value.text() else { return Understood::No };
            let Some(layer) = scene.materials[id.index()].layers.last_mut() else { return Understood::Yes };
            // The other presets mean the same in both families.
            match word.to_ascii_lowercase().as_str() {
                "alpha test" | "transparent" => {
                    (layer.blend, layer.alpha_test) = (BlendMode::Opaque, Some(AlphaTest::W3D));
                    layer.depth_write = true;
                }
                "alpha test and blend" => {
                    (layer.blend, layer.alpha_test) = (BlendMode::Alpha, Some(AlphaTest::W3D));
                    layer.depth_write = true;
                }
                "multiply and add" => {
                    layer.blend = BlendMode::Factors(BlendFactor::One, BlendFactor::SourceColor);
                    (layer.alpha_test, layer.depth_write) = (None, false);
                }
                _ => {}
            }
        }
        "surface_type" => {
            let Some(surface) = surface(value) else { return Understood::No };
            for mesh in &mut scene.meshes {
                let triangles = mesh.indices.len() / 3;
                for part in mesh.parts.iter().filter(|part| part.material == Some(id)) {
                    // 13 is the default of the exporters.
                    mesh.surface_types.resize(triangles, 13);
                    let end = (part.start.saturating_add(part.count) / 3) as usize;
                    let range = (part.start / 3) as usize..end.min(triangles);
                    mesh.surface_types.get_mut(range).into_iter().flatten().for_each(|each| *each = surface);
                }
            }
        }
        "team_glow" if value.is_on() => return Understood::Unwritten,
        "team_color" if value.is_on() => scene.materials[id.index()].house_color = true,
        _ => {}
    }
    Understood::Yes
}

/// A surface type by number or name: `grass`, `Tiberium field`, `glass permeable`.
fn surface(value: &PropertyValue) -> Option<u8> {
    let plain = |text: &str| text.to_ascii_lowercase().replace([',', '_', '-'], " ");
    let words = |text: &str| plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match value {
        PropertyValue::Number(number) => (0.0..256.0).contains(number).then_some(*number as u8),
        PropertyValue::Text(text) => {
            let is_it = |code: &u8| {
                SurfaceType::new(u32::from(*code)).name().is_some_and(|name| words(name) == words(text))
            };
            (0..=u8::MAX).find(is_it)
        }
        _ => None,
    }
}

/// Removes meshes, and corrects the references to the others.
fn remove_meshes(scene: &mut Scene, removed: &[bool]) {
    if !removed.contains(&true) {
        return;
    }
    let mut next = 0;
    let places: Vec<Option<MeshId>> = removed
        .iter()
        .map(|removed| {
            let place = (!removed).then(|| MeshId::from(next));
            next += usize::from(!removed);
            place
        })
        .collect();
    let place = |id: MeshId| places.get(id.index()).copied().flatten();
    let mut flags = removed.iter();
    scene.meshes.retain(|_| !flags.next().copied().unwrap_or(false));
    for level in &mut scene.levels {
        level.meshes = level.meshes.iter().filter_map(|id| place(*id)).collect();
    }
    let keep = |target: &mut Target| match target {
        Target::Mesh(id, _) => place(*id).map(|new| *id = new).is_some(),
        _ => true,
    };
    for clip in &mut scene.clips {
        clip.channels.retain_mut(|channel| keep(&mut channel.target));
    }
    scene.global_channels.retain_mut(|global| keep(&mut global.channel.target));
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use scene::{Material, Mesh, Node, Part};

    use super::*;

    fn node(name: &str, parent: Option<u32>) -> Node {
        Node { name: name.into(), parent: parent.map(NodeId), ..Node::default() }
    }

    fn mesh(name: &str, node: u32) -> Mesh {
        let positions = vec![Vec3::new(-1.0, 0.0, -2.0), Vec3::new(1.0, 3.0, 2.0), Vec3::ZERO];
        let part = Part { material: Some(MaterialId(0)), start: 0, count: 3 };
        let indices = vec![0, 1, 2].into();
        Mesh {
            name: name.into(),
            node: Some(NodeId(node)),
            positions,
            indices,
            parts: vec![part],
            ..Mesh::default()
        }
    }

    fn on(owner: PropertyOwner, name: &str, value: PropertyValue) -> Property {
        Property { owner, name: name.into(), value }
    }

    fn text(text: &str) -> PropertyValue {
        PropertyValue::Text(text.into())
    }

    #[test]
    fn meshes_below_origins_are_levels() {
        let mut scene = Scene {
            nodes: vec![
                node("Origin.00", None),
                node("Origin.01", None),
                node("HULL", Some(0)),
                node("HULL.001", Some(1)),
            ],
            meshes: vec![mesh("HULL", 2), mesh("HULL.001", 3)],
            ..Scene::default()
        };
        let size = on(PropertyOwner::Node(NodeId(1)), "MaxScreenSize", PropertyValue::Number(0.25));
        assert!(apply_conventions(&mut scene, &[size], false).notes.is_empty());
        let ranges: Vec<LevelRange> = scene.levels.iter().map(|level| level.range).collect();
        assert_eq!(ranges, [LevelRange::MaxScreenSize(f32::MAX), LevelRange::MaxScreenSize(0.25)]);
        assert_eq!(scene.levels[1].meshes, [MeshId(1)]);
        assert_eq!((scene.nodes[3].name.as_str(), scene.nodes[1].name.as_str()), ("HULL", "Origin.01"));
    }

    #[test]
    fn boxes_replace_their_meshes_and_references_follow() {
        let mut scene = Scene {
            nodes: vec![node("BOUNDINGBOX", None), node("HULL", None)],
            meshes: vec![mesh("BOUNDINGBOX", 0), mesh("HULL", 1)],
            levels: vec![Level { range: LevelRange::Number(0), meshes: vec![MeshId(0), MeshId(1)] }],
            ..Scene::default()
        };
        let owner = PropertyOwner::Node(NodeId(0));
        let properties = [
            on(owner, "w3d_type", text("obbox")),
            on(owner, "w3d_collision", text("physical, vehicle")),
            on(PropertyOwner::Node(NodeId(1)), "w3d_collision", text("physical ghosts")),
        ];
        let report = apply_conventions(&mut scene, &properties, false);
        let [shape] = &scene.collision_shapes[..] else { panic!("{:?}", scene.collision_shapes) };
        assert_eq!(shape.mask, CollisionMask::PHYSICAL | CollisionMask::VEHICLE);
        assert!(matches!(shape.shape, Shape::Box { axis_aligned: false, .. }));
        assert_eq!((scene.meshes.len(), &scene.levels[0].meshes[..]), (1, &[MeshId(0)][..]));
        assert_eq!(report.notes[0].message, "property w3d_collision: unknown value \"physical ghosts\"");
    }

    #[test]
    fn materials_have_surfaces_presets_and_the_player_colour() {
        let material = Material { layers: vec![scene::Layer::default()], ..Material::default() };
        let mut scene = Scene {
            nodes: vec![node("HULL", None)],
            meshes: vec![mesh("HULL", 0)],
            materials: vec![material],
            ..Scene::default()
        };
        let owner = PropertyOwner::Material(MaterialId(0));
        let properties = [
            on(owner, "surface_type", text("Tiberium_field")),
            on(owner, "preset", text("Alpha Test")),
            on(owner, "team_color", PropertyValue::Flag(true)),
            on(owner, "Surface_Type", text("cheese")),
        ];
        let report = apply_conventions(&mut scene, &properties, false);
        assert_eq!(scene.meshes[0].surface_types, [16]);
        assert_eq!(scene.materials[0].layers[0].alpha_test, Some(AlphaTest::W3D));
        assert!(scene.materials[0].house_color);
        assert_eq!(report.notes.len(), 1, "{:?}", report.notes);
    }
}
