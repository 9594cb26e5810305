//! Options of a frame.

use super::{Camera, Channel, LightRig, Rules};
use scene::{AttachmentKind, Bounds, ClipId, EmitterKind, LevelRange, MeshId, NodeId, Scene, team_color};

/// Options of a frame. The default shows the rest pose from [`Viewpoint::ISO`].
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The engine whose rules apply; `None` is [`Family::guess`].
    pub family: Option<Family>,
    /// The clip that plays; `None` is the rest pose.
    pub clip: Option<ClipId>,
    /// Seconds since the clip started. When a looping clip starts again, this continues, and so do particles.
    pub time: f32,
    /// Width divided by height of the picture.
    pub aspect: f32,
    /// Position of the camera.
    pub viewpoint: Viewpoint,
    /// Bounds that the camera frames, instead of those of the clip. Give the same bounds for all frames of an animation.
    pub framed: Option<Bounds>,
    /// The player colour. Without one, Warcraft III's models have that of its first player, and W3D's textures are unchanged.
    pub team_color: Option<[u8; 3]>,
    /// The lights; `None` is the usual light of the family.
    pub light: Option<LightRig>,
    /// The level of detail.
    pub level: LevelChoice,
    /// Lines that are drawn besides the model.
    pub overlays: Overlays,
    /// The part of the meshes' look that is shown.
    pub channel: Channel,
    /// Meshes that are not drawn.
    pub hidden: Vec<MeshId>,
    /// The object that is marked by lines on top of everything.
    pub selected: Option<Selected>,
    /// Whether particles, ribbons, rings, spheres and dazzles are drawn.
    pub particles: bool,
    /// Seed of the random numbers of particles.
    pub seed: u64,
    /// Behaviour on which sources disagree.
    pub rules: Rules,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            family: None,
            clip: None,
            time: 0.0,
            aspect: 1.0,
            viewpoint: Viewpoint::ISO,
            framed: None,
            team_color: None,
            light: None,
            level: LevelChoice::Highest,
            overlays: Overlays::default(),
            channel: Channel::Shaded,
            hidden: Vec::new(),
            selected: None,
            particles: true,
            seed: 0,
            rules: Rules::default(),
        }
    }
}

impl Options {
    /// Options that show a model well: its Stand clip at a time when particles are visible. Portraits use their own
    /// camera.
    ///
    /// ```
    /// use meshwright_render::frame::Options;
    /// use scene::{Clip, ClipId, Scene};
    ///
    /// let clip = |name: &str| Clip { name: name.into(), duration: 3.0, ..Clip::default() };
    /// let scene = Scene { clips: vec![clip("Birth"), clip("Stand - 1")], ..Scene::default() };
    /// let options = Options::for_scene(&scene);
    /// assert_eq!((options.clip, options.time), (Some(ClipId(1)), 1.0));
    /// ```
    #[must_use]
    pub fn for_scene(scene: &Scene) -> Self {
        let clip = representative_clip(scene);
        let duration = clip.and_then(|clip| scene.clips.get(clip.index())).map_or(0.0, |clip| clip.duration);
        let is_portrait = scene.name.to_ascii_lowercase().ends_with("portrait") && !scene.cameras.is_empty();
        let viewpoint = if is_portrait { Viewpoint::Model("0".into()) } else { Viewpoint::ISO };
        Self { clip, time: representative_time(duration), viewpoint, ..Self::default() }
    }

    /// The player colour; without one, that of Warcraft III's first player.
    pub(super) fn player(&self) -> [u8; 3] {
        self.team_color.unwrap_or(team_color::WARCRAFT[0].color)
    }
}

/// The clip that shows a model best: the first in which it stands or idles. Without one, a Warcraft III model uses the
/// first clip in which it is alive, because its rest pose is not meant to be seen. W3D models use their rest pose.
#[must_use]
pub fn representative_clip(scene: &Scene) -> Option<ClipId> {
    let named = |test: &dyn Fn(&str) -> bool| {
        scene.clips.iter().position(|clip| test(&clip.name.to_ascii_lowercase())).map(ClipId::from)
    };
    let calm = scene::stand_clip(&scene.clips);
    let vanishes = ["birth", "death", "decay", "dissipate", "morph"];
    calm.or_else(|| match Family::guess(scene) {
        Family::W3d => None,
        Family::Mdx => named(&|name| !vanishes.iter().any(|verb| name.starts_with(verb)))
            .or_else(|| (!scene.clips.is_empty()).then_some(ClipId(0))),
    })
}

/// The time that shows a clip of this duration best: its middle, but at most one second.
#[must_use]
pub fn representative_time(duration: f32) -> f32 {
    if duration > 0.0 { (duration * 0.5).min(1.0) } else { 0.0 }
}

/// The engine whose rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Westwood's W3D: fixed passes, one pool of sorted triangles.
    W3d,
    /// Blizzard's MDX: layers with filter modes, priority planes.
    Mdx,
}

impl Family {
    /// The family that a scene seems to belong to. If the family is known from the file, set [`Options::family`] instead.
    #[must_use]
    pub fn guess(scene: &Scene) -> Self {
        let is_w3d = !scene.primitives.is_empty()
            || !scene.dazzles.is_empty()
            || scene.emitters.iter().any(|emitter| matches!(emitter.kind, EmitterKind::Keyed(_)))
            || scene.attachments.iter().any(|attachment| attachment.kind != AttachmentKind::Point)
            || scene.levels.iter().any(|level| !matches!(level.range, LevelRange::Number(_)))
            || scene.materials.iter().any(|material| {
                material.house_color
                    || material.prelit
                    || material.sort_level > 0
                    || material.layers.iter().any(|layer| layer.lighting.is_some())
            });
        if is_w3d { Self::W3d } else { Self::Mdx }
    }
}

/// Position and direction of the camera.
#[derive(Clone, Debug, PartialEq)]
pub enum Viewpoint {
    /// Looks at the model, which fills the picture.
    Orbit {
        /// Degrees: 0 is in front of the model, 90 on its left side.
        yaw: f32,
        /// Degrees: 90 is above the model.
        pitch: f32,
    },
    /// A camera of the model, by its name or its number.
    Model(String),
    /// Any camera.
    Camera(Camera),
}

impl Viewpoint {
    /// In front of the model.
    pub const FRONT: Self = Self::Orbit { yaw: 0.0, pitch: 0.0 };
    /// On the model's left side.
    pub const SIDE: Self = Self::Orbit { yaw: 90.0, pitch: 0.0 };
    /// Above the model.
    pub const TOP: Self = Self::Orbit { yaw: 0.0, pitch: 90.0 };
    /// In front, on the left and above.
    pub const ISO: Self = Self::Orbit { yaw: 40.0, pitch: 25.0 };

    /// Reads `front`, `side`, `top`, `iso`, or yaw and pitch in degrees such as `30,20`. Anything else is the name of a camera of
    /// the model.
    ///
    /// ```
    /// use meshwright_render::frame::Viewpoint;
    /// assert_eq!(Viewpoint::parse("front"), Viewpoint::FRONT);
    /// assert_eq!(Viewpoint::parse("30,-20"), Viewpoint::Orbit { yaw: 30.0, pitch: -20.0 });
    /// assert_eq!(Viewpoint::parse("Camera01"), Viewpoint::Model("Camera01".into()));
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.to_ascii_lowercase().as_str() {
            "front" => return Self::FRONT,
            "side" => return Self::SIDE,
            "top" => return Self::TOP,
            "iso" => return Self::ISO,
            _ => {}
        }
        let angle = |text: &str| text.trim().parse::<f32>().ok().filter(|angle| angle.is_finite());
        text.split_once(',')
            .and_then(|(yaw, pitch)| Some(Self::Orbit { yaw: angle(yaw)?, pitch: angle(pitch)? }))
            .unwrap_or_else(|| Self::Model(text.to_owned()))
    }
}

/// Choice of the level of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LevelChoice {
    /// The most detailed level that is not empty.
    #[default]
    Highest,
    /// An index into [`Scene::levels`]; the last level if it is out of range.
    Number(usize),
    /// The level that the game would choose at this distance.
    Auto,
}

/// Lines that are drawn besides the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Edges of triangles.
    pub wireframe: Wireframe,
    /// A grid on the ground.
    pub grid: bool,
    /// The skeleton. It is always drawn if there is nothing else to draw.
    pub bones: bool,
    /// The bounding box and sphere of the clip or the model.
    pub extents: bool,
    /// Collision shapes.
    pub collision: bool,
    /// Normals of vertices.
    pub normals: bool,
    /// Attachment points, as three axes: red is forward, green up, blue right.
    pub attachments: bool,
    /// Cameras of the model.
    pub cameras: bool,
}

/// An object of the scene that is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// The edges of a mesh.
    Mesh(MeshId),
    /// The axes of a node.
    Node(NodeId),
}

/// How the edges of triangles are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wireframe {
    /// No edges.
    #[default]
    Off,
    /// On top of the model.
    Over,
    /// Instead of the model.
    Only,
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Clip, Layer, Lighting, Material};

    #[test]
    fn warcraft_models_show_a_clip_in_which_they_are_alive() {
        let clips = |names: &[&str]| Scene {
            clips: names.iter().map(|name| Clip { name: (*name).into(), ..Clip::default() }).collect(),
            ..Scene::default()
        };
        assert_eq!(representative_clip(&clips(&["Death", "Walk", "Stand Ready"])), Some(ClipId(2)));
        assert_eq!(representative_clip(&clips(&["Stand Alternate", "Stand - 2"])), Some(ClipId(1)));
        assert_eq!(representative_clip(&clips(&["Birth", "Death", "Walk"])), Some(ClipId(2)));
        assert_eq!(representative_clip(&clips(&["Birth", "Death"])), Some(ClipId(0)));
        assert_eq!(representative_clip(&clips(&[])), None);
        assert_eq!(representative_time(f32::NAN), 0.0);
        assert_eq!(representative_time(0.5), 0.25);
    }

    #[test]
    fn portraits_are_seen_from_their_own_camera() {
        let mut scene = Scene { name: "Footman_Portrait".into(), ..Scene::default() };
        assert_eq!(Options::for_scene(&scene).viewpoint, Viewpoint::ISO);
        scene.cameras.push(scene::Camera::default());
        assert_eq!(Options::for_scene(&scene).viewpoint, Viewpoint::Model("0".into()));
    }

    #[test]
    fn colours_for_lighting_are_westwoods() {
        let layer = Layer { lighting: Some(Lighting::default()), ..Layer::default() };
        let material = Material { layers: vec![layer], ..Material::default() };
        let mut scene = Scene { materials: vec![material], ..Scene::default() };
        assert_eq!(Family::guess(&scene), Family::W3d);
        scene.clips.push(Clip { name: "DOOR.OPEN".into(), ..Clip::default() });
        assert_eq!(representative_clip(&scene), None);
        scene.materials.clear();
        assert_eq!(Family::guess(&scene), Family::Mdx);
    }
}
