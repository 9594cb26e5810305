//! What a modeller can say by names, where a file has no other way to say it: glTF from Blender has no attachments, events and
//! collision shapes of games.

use glam::Vec3;
use scene::{Attachment, AttachmentKind, CollisionMask, CollisionShape, Event, NodeId, Scene, Shape};

/// Codes with which the names of Warcraft III's events begin.
const EVENTS: [&str; 5] = ["SND", "SPL", "FPT", "SPN", "UBR"];

/// Adds what the names of nodes and meshes of a scene say:
///
/// | name | becomes |
/// |---|---|
/// | a node that ends in `Ref` | an attachment point |
/// | a node such as `SNDxDHLB`: a code of three letters, one letter, and four | an event |
/// | a mesh that begins with `CollisionBox` or `CollisionSphere` | a collision shape around it, instead of the mesh |
///
/// Nodes on which such a thing already hangs stay as they are, so applying this to the scene of a game model changes nothing.
///
/// ```
/// use meshwright_convert::author::apply_names;
/// use scene::{Node, Scene};
/// let node = |name: &str| Node { name: name.into(), ..Node::default() };
/// let mut scene = Scene { nodes: vec![node("Overhead Ref"), node("SNDxDHLB"), node("Hand")], ..Scene::default() };
/// apply_names(&mut scene);
/// assert_eq!((scene.attachments.len(), scene.events.len()), (1, 1));
/// ```
pub fn apply_names(scene: &mut Scene) {
    for index in 0..scene.nodes.len() {
        let id = NodeId::from(index);
        let name = scene.nodes[index].name.clone();
        let lower = name.trim_end().to_ascii_lowercase();
        let has_attachment = scene.attachments.iter().any(|attachment| attachment.node == id);
        if lower.ends_with(" ref") && !has_attachment {
            scene.attachments.push(Attachment::new(id, AttachmentKind::Point));
        }
        let has_event = scene.events.iter().any(|event| event.node == id);
        if let Some(event) = event_name(&name)
            && !has_event
        {
            scene.events.push(Event { node: id, name: event, global: None });
        }
    }
    shapes(scene);
}

/// The name of an event, if it is one. `FTP` is a slip that exporters made common.
fn event_name(name: &str) -> Option<String> {
    let is_code = name.len() == 8 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let code = name.get(..3).filter(|_| is_code)?.to_ascii_uppercase();
    let code = if code == "FTP" { "FPT".to_owned() } else { code };
    EVENTS.contains(&code.as_str()).then(|| code + &name[3..])
}

/// Replaces meshes that stand for collision shapes.
fn shapes(scene: &mut Scene) {
    let worlds = scene.rest_worlds();
    for mesh in &mut scene.meshes {
        let node_name =
            mesh.node.and_then(|node| scene.nodes.get(node.index())).map_or("", |node| node.name.as_str());
        let names = [mesh.name.as_str(), node_name].map(str::to_ascii_lowercase);
        let begins = |word: &str| names.iter().any(|name| name.starts_with(word));
        let (is_box, is_sphere) = (begins("collisionbox"), begins("collisionsphere"));
        let Some(node) = mesh.node.filter(|node| node.index() < worlds.len()) else { continue };
        if !(is_box || is_sphere) || mesh.skin.is_some() || mesh.hidden || mesh.positions.is_empty() {
            continue;
        }
        let (min, max) =
            mesh.positions.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), point| {
                (min.min(*point), max.max(*point))
            });
        let shape = if is_box {
            Shape::Box { min, max, axis_aligned: false }
        } else {
            Shape::Sphere { center: min.midpoint(max), radius: (max - min).max_element() / 2.0 }
        };
        let name = if node_name.is_empty() { mesh.name.clone() } else { node_name.to_owned() };
        scene.collision_shapes.push(CollisionShape { name, node, shape, mask: CollisionMask::NONE });
        mesh.hidden = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Mesh, Node};

    #[test]
    fn events_have_eight_letters_and_a_known_code() {
        assert_eq!(event_name("SNDxDHLB").as_deref(), Some("SNDxDHLB"));
        assert_eq!(event_name("FTPxABCD").as_deref(), Some("FPTxABCD"));
        assert_eq!(event_name("sndxDHLB").as_deref(), Some("SNDxDHLB"));
        assert_eq!(event_name("Sandbags"), None);
        assert_eq!(event_name("SNDxDHLBx"), None);
    }

    #[test]
    fn a_mesh_called_collision_box_becomes_one() {
        let node = Node { name: "CollisionBox01".into(), ..Node::default() };
        let mesh = Mesh {
            node: Some(NodeId(0)),
            positions: vec![Vec3::new(-1.0, 0.0, -2.0), Vec3::new(1.0, 3.0, 2.0)],
            ..Mesh::default()
        };
        let mut scene = Scene { nodes: vec![node], meshes: vec![mesh], ..Scene::default() };
        apply_names(&mut scene);
        apply_names(&mut scene);
        let [shape] = &scene.collision_shapes[..] else { panic!("{:?}", scene.collision_shapes) };
        let (min, max) = (Vec3::new(-1.0, 0.0, -2.0), Vec3::new(1.0, 3.0, 2.0));
        assert_eq!(shape.shape, Shape::Box { min, max, axis_aligned: false });
        assert!(scene.meshes[0].hidden);
    }
}
