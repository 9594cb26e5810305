//! What two scenes have in common: everything but the form of their motion, which is compared by sampling.
#![allow(dead_code, reason = "each user takes what it needs")]

use glam::{Quat, Vec3};
use meshwright_gltf::Report;
use scene::*;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The sample models of both families as scenes.
pub(crate) fn samples() -> Vec<(&'static str, Scene)> {
    let bytes = w3d::sample::crate_box();
    let file = w3d::W3d::parse(&bytes).expect("our own sample");
    let library = convert::w3d::Library::new(&file);
    let crate_box = convert::w3d::to_scene(&library, None, &Default::default()).0;
    let mut all = vec![("crate", crate_box)];
    for (name, bytes) in mdx::build::samples() {
        let document = mdx::Document::parse(&bytes).expect("our own sample");
        all.push((name, convert::mdx::to_scene(&document, &Default::default()).0));
    }
    all
}

/// Differences that are kept; a lost node would make thousands.
const MOST: usize = 20;

struct Found(Vec<String>);

impl Found {
    fn add(&mut self, difference: String) {
        if self.0.len() < MOST {
            self.0.push(difference);
        }
    }

    fn same<T: PartialEq + Debug>(&mut self, what: &str, a: &T, b: &T) {
        if a != b {
            let short = |value: &T| format!("{value:?}").chars().take(600).collect::<String>();
            self.add(format!("{what}: {} became {}", short(a), short(b)));
        }
    }

    fn near(&mut self, what: &str, a: Vec3, b: Vec3, tolerance: f32) {
        if !a.abs_diff_eq(b, tolerance) && a.is_finite() {
            self.add(format!("{what}: {a} became {b}, more than {tolerance} away"));
        }
    }

    /// Compares lists of equal length.
    fn each<T, U>(&mut self, what: &str, a: &[T], b: &[U], mut compare: impl FnMut(&mut Self, &str, &T, &U)) {
        self.same(&format!("number of {what}"), &a.len(), &b.len());
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            compare(self, &format!("{what} {at}"), a, b);
        }
    }
}

/// What is different in a scene that was written with all meshes and read back.
pub(crate) fn differences(a: &Scene, b: &Scene) -> Vec<String> {
    let mut found = Found(Vec::new());
    found.same("name", &a.name, &b.name);
    found.each("nodes", &a.nodes, &b.nodes, node);
    if a.nodes.len() != b.nodes.len() {
        return found.0;
    }
    let is_written = |mesh: &&Mesh| !triangles(mesh).is_empty();
    let written: Vec<&Mesh> = a.meshes.iter().filter(is_written).collect();
    let is_whole = written.len() == a.meshes.len();
    found.each("meshes", &written, &b.meshes, |found, what, a, b| mesh(found, what, a, b));
    found.each("materials", &a.materials, &b.materials, Found::same);
    found.each("textures", &a.textures, &b.textures, Found::same);
    // What is on a node that does not exist is nowhere.
    let lights: Vec<Light> =
        a.lights.iter().filter(|light| light.node.index() < a.nodes.len()).cloned().collect();
    found.each("lights", &lights, &b.lights, Found::same);
    found.each("cameras", &a.cameras, &b.cameras, Found::same);
    found.each("emitters", &a.emitters, &b.emitters, Found::same);
    found.each("ribbons", &a.ribbons, &b.ribbons, Found::same);
    found.each("primitives", &a.primitives, &b.primitives, Found::same);
    found.each("attachments", &a.attachments, &b.attachments, Found::same);
    found.each("events", &a.events, &b.events, Found::same);
    found.each("collision shapes", &a.collision_shapes, &b.collision_shapes, Found::same);
    found.each("dazzles", &a.dazzles, &b.dazzles, Found::same);
    found.each("sounds", &a.sounds, &b.sounds, Found::same);
    if is_whole {
        found.each("levels", &a.levels, &b.levels, Found::same);
    }
    found.same("bounds", &a.bounds, &b.bounds);
    found.same("blend time", &a.blend_time, &b.blend_time);
    found.each("global sequences", &a.global_sequences, &b.global_sequences, Found::same);
    found.each("clips", &a.clips, &b.clips, |found, what, a, b| {
        let plain = |clip: &Clip| Clip { channels: Vec::new(), ..clip.clone() };
        found.same(what, &plain(a), &plain(b));
    });
    if is_whole && a.clips.len() == b.clips.len() && a.meshes.len() == b.meshes.len() {
        motion(&mut found, a, b);
    }
    found.0
}

fn node(found: &mut Found, what: &str, a: &Node, b: &Node) {
    let plain = |node: &Node| Node { rest: Transform::IDENTITY, ..node.clone() };
    found.same(what, &plain(a), &plain(b));
    transform(found, &format!("{what} {:?} at rest", a.name), &a.rest, &b.rest, 1e-5, 1e-4);
}

fn transform(found: &mut Found, what: &str, a: &Transform, b: &Transform, tolerance: f32, angle: f32) {
    found.near(
        &format!("{what}, translation"),
        a.translation,
        b.translation,
        tolerance * (1.0 + a.translation.length()),
    );
    found.near(&format!("{what}, scale"), a.scale, b.scale, tolerance * (1.0 + a.scale.length()));
    let (x, y) = (number::unit(a.rotation), number::unit(b.rotation));
    let (x, y) = (x.unwrap_or(Quat::IDENTITY), y.unwrap_or(Quat::IDENTITY));
    let between = 2.0 * (x - if x.dot(y) < 0.0 { -y } else { y }).length();
    if between > angle {
        found.add(format!("{what}: rotation off by {between} radians"));
    }
}

/// The triangles of each part that can be drawn, with its material.
fn triangles(mesh: &Mesh) -> Vec<(Option<MaterialId>, Vec<[u32; 3]>)> {
    let indices: Vec<u32> = mesh.indices.iter().collect();
    let whole = [Part { material: None, start: 0, count: indices.len() as u32 }];
    let parts = if mesh.parts.is_empty() { &whole[..] } else { &mesh.parts };
    let part = |part: &Part| {
        let start = (part.start as usize).min(indices.len());
        let end = (start + part.count as usize).min(indices.len());
        let (all, _) = indices[start..end].as_chunks::<3>();
        let is_valid = |triangle: &&[u32; 3]| {
            let [a, b, c] = **triangle;
            a != b
                && b != c
                && a != c
                && triangle.iter().all(|index| (*index as usize) < mesh.positions.len())
        };
        (part.material, all.iter().filter(is_valid).copied().collect::<Vec<_>>())
    };
    parts.iter().map(part).filter(|(_, triangles)| !triangles.is_empty()).collect()
}

fn mesh(found: &mut Found, what: &str, a: &Mesh, b: &Mesh) {
    let what = &format!("{what} {:?}", a.name);
    // Its geometry is compared below.
    let plain = |mesh: &Mesh| Mesh {
        positions: Vec::new(),
        normals: Vec::new(),
        tangents: Vec::new(),
        uv_sets: Vec::new(),
        color_sets: Vec::new(),
        indices: Indices::default(),
        parts: Vec::new(),
        skin: None,
        ..mesh.clone()
    };
    found.same(what, &plain(a), &plain(b));
    found.same(&format!("{what}, positions"), &a.positions, &b.positions);
    found.same(&format!("{what}, coordinates"), &a.uv_sets, &b.uv_sets);
    found.same(&format!("{what}, number of colour sets"), &a.color_sets.len(), &b.color_sets.len());
    found.same(&format!("{what}, triangles"), &triangles(a), &triangles(b));
    let can_show = |normal: &Vec3| normal.length() > 1e-6 && normal.is_finite();
    if a.normals.iter().any(can_show) && a.normals.len() == a.positions.len() {
        found.same(&format!("{what}, number of normals"), &a.normals.len(), &b.normals.len());
        for (x, y) in a.normals.iter().zip(&b.normals).filter(|(x, _)| can_show(x)) {
            found.near(&format!("{what}, normal"), x.normalize(), *y, 1e-3);
        }
        found.same(&format!("{what}, number of tangents"), &a.tangents.len(), &b.tangents.len());
    }
    found.same(&format!("{what}, skinned"), &a.skin.is_some(), &b.skin.is_some());
    let (Some(x), Some(y)) = (&a.skin, &b.skin) else { return };
    for vertex in 0..a.positions.len() {
        let follows = |skin: &Skin| {
            let mut all: Vec<(u32, f32)> = skin
                .of(vertex)
                .iter()
                .filter_map(|influence| {
                    Some((skin.joints.get(influence.joint as usize)?.node.0, influence.weight))
                })
                .filter(|(_, weight)| *weight > 0.0)
                .collect();
            all.sort_by_key(|(node, _)| *node);
            // Joints that occur twice are one.
            all.dedup_by(|next, first| {
                let is_same = next.0 == first.0;
                first.1 += if is_same { next.1 } else { 0.0 };
                is_same
            });
            all
        };
        let (x, y) = (follows(x), follows(y));
        let sum: f32 = x.iter().map(|(_, weight)| weight).sum();
        let is_same =
            x.len() == y.len() && x.iter().zip(&y).all(|(a, b)| a.0 == b.0 && (a.1 / sum - b.1).abs() < 1e-4);
        if !is_same {
            found.add(format!("{what}, vertex {vertex} follows {x:?}, then {y:?}"));
            return;
        }
    }
}

/// Times of a clip that are compared. They are between the keys of most clips: jumps take half a millisecond in glTF.
const TIMES: usize = 10;

fn motion(found: &mut Found, a: &Scene, b: &Scene) {
    motion_within(found, a, b, 4e-3, true);
}

fn motion_within(found: &mut Found, a: &Scene, b: &Scene, angle: f32, is_exact: bool) {
    let size = size(a);
    let (x, y) = (Sampler::new(a), Sampler::new(b));
    for (index, clip) in a.clips.iter().enumerate() {
        let moments = (0..TIMES).map(|step| {
            let time = clip.duration.clamp(0.0, 1e6) * (step as f32 + 0.37) / TIMES as f32;
            Moment { clip: Some(ClipId::from(index)), time, clock: time, view: None }
        });
        // A model that is one point at rest may still move far.
        let moved = moments.clone().flat_map(|moment| x.pose(&moment).locals);
        let size = moved.fold(size, |size, local| size.max(local.translation.length()));
        for moment in moments {
            let time = moment.time;
            let (at, then) = (x.pose(&moment), y.pose(&moment));
            let what = format!("clip {:?} at {time}", clip.name);
            for (node, (one, other)) in at.locals.iter().zip(&then.locals).enumerate() {
                let name = &a.nodes[node].name;
                // Tolerances of the writer, twice.
                found.near(&format!("{what}, {name} at"), one.translation, other.translation, 1e-3 * size);
                transform(
                    found,
                    &format!("{what}, {name}"),
                    &Transform { translation: Vec3::ZERO, ..*one },
                    &Transform { translation: Vec3::ZERO, ..*other },
                    2e-3,
                    angle,
                );
            }
            for (mesh, (one, other)) in at.meshes.iter().zip(&then.meshes).enumerate() {
                found.same(&format!("{what}, {:?} shows", a.meshes[mesh].name), &one.visible, &other.visible);
                if one.visible && (one.alpha != other.alpha || one.color != other.color) {
                    found.add(format!("{what}, {:?}: {one:?} became {other:?}", a.meshes[mesh].name));
                }
            }
            found.each(&format!("{what}, materials"), &at.materials, &then.materials, Found::same);
            for (target, value) in a.values(&moment).filter(|_| is_exact) {
                let is_other = matches!(
                    target,
                    Target::Light(..) | Target::Camera(..) | Target::Emitter(..) | Target::Ribbon(..)
                );
                if is_other && a.value(target, &moment) == Some(value) {
                    found.same(&format!("{what}, {target:?}"), &Some(value), &b.value(target, &moment));
                }
            }
        }
    }
}

fn size(scene: &Scene) -> f32 {
    // A model without meshes is as large as its skeleton, as the writer has it.
    let origins: Vec<Vec3> = scene.rest_worlds().iter().map(|world| world.translation.into()).collect();
    let bounds = scene.rest_bounds().or_else(|| Bounds::around(origins));
    bounds.map_or(1.0, |bounds| bounds.min.distance(bounds.max)).max(1e-3)
}

/// What is different in a scene that another program read and wrote on the way. Vertices may be split and joined, so that corners of
/// triangles are compared; numbers may be rounded.
pub(crate) fn differences_after_trip(a: &Scene, b: &Scene) -> Vec<String> {
    let mut found = Found(Vec::new());
    let tolerance = 1e-4 * size(a).max(1.0);
    found.each("nodes", &a.nodes, &b.nodes, |found, what, a, b| {
        let plain = |node: &Node| Node { rest: Transform::IDENTITY, ..node.clone() };
        found.same(what, &plain(a), &plain(b));
        transform(found, &format!("{what} {:?} at rest", a.name), &a.rest, &b.rest, 1e-4, TURN);
    });
    let written: Vec<&Mesh> = a.meshes.iter().filter(|mesh| !triangles(mesh).is_empty()).collect();
    found.each("meshes", &written, &b.meshes, |found, what, a, b| {
        let what = &format!("{what} {:?}", a.name);
        let facts = |mesh: &Mesh| {
            let skinned = mesh.skin.is_some();
            (
                mesh.name.clone(),
                mesh.node,
                mesh.hidden,
                mesh.collision,
                mesh.uv_sets.len(),
                skinned,
                !mesh.surface_types.is_empty(),
            )
        };
        found.same(what, &facts(a), &facts(b));
        let (x, y) = (triangles(a), triangles(b));
        // Blender joins parts of one material, and removes triangles that are there twice.
        let (x, y) = (by_material(a, &x), by_material(b, &y));
        let counts = |all: &ByMaterial| -> Vec<_> {
            all.iter().map(|(material, triangles)| (*material, distinct(triangles))).collect()
        };
        found.same(&format!("{what}, triangles"), &counts(&x), &counts(&y));
        for (material, triangles) in &x {
            let others = y.get(material).map_or(&[][..], Vec::as_slice);
            let is_same_order = triangles.len() == others.len() && a.parts.len() == b.parts.len();
            for (x, y) in triangles.iter().zip(others).filter(|_| is_same_order) {
                for (x, y) in x.iter().zip(y) {
                    found.near(&format!("{what}, corner"), *x, *y, tolerance);
                }
            }
        }
    });
    found.each("materials", &a.materials, &b.materials, Found::same);
    found.each("textures", &a.textures, &b.textures, Found::same);
    found.each("emitters", &a.emitters, &b.emitters, Found::same);
    found.each("ribbons", &a.ribbons, &b.ribbons, Found::same);
    found.each("attachments", &a.attachments, &b.attachments, Found::same);
    found.each("events", &a.events, &b.events, Found::same);
    found.each("collision shapes", &a.collision_shapes, &b.collision_shapes, Found::same);
    found.same("number of lights", &a.lights.len(), &b.lights.len());
    found.same("number of cameras", &a.cameras.len(), &b.cameras.len());
    found.each("clips", &a.clips, &b.clips, |found, what, a, b| {
        let plain = |clip: &Clip| Clip { channels: Vec::new(), ..clip.clone() };
        found.same(what, &plain(a), &plain(b));
    });
    if a.clips.len() == b.clips.len() && a.meshes.len() == b.meshes.len() && a.nodes.len() == b.nodes.len() {
        motion_within(&mut found, a, b, TURN + 4e-3, false);
    }
    found.0
}

/// The corners of triangles by the material that they have.
type ByMaterial = BTreeMap<Option<MaterialId>, Vec<[Vec3; 3]>>;

fn by_material(mesh: &Mesh, parts: &[(Option<MaterialId>, Vec<[u32; 3]>)]) -> ByMaterial {
    let mut all = ByMaterial::new();
    for (material, triangles) in parts {
        let corners = triangles.iter().map(|triangle| triangle.map(|index| mesh.positions[index as usize]));
        all.entry(*material).or_default().extend(corners);
    }
    all
}

/// How many triangles there are, each once.
fn distinct(triangles: &[[Vec3; 3]]) -> usize {
    let key = |triangle: &[Vec3; 3]| {
        // Zero and minus zero are one place.
        let mut corners = triangle.map(|corner| (corner + Vec3::ZERO).to_array().map(f32::to_bits));
        corners.sort_unstable();
        corners
    };
    let mut keys: Vec<_> = triangles.iter().map(key).collect();
    // Blender joins corners that are in one place, and a triangle with two of those is dropped.
    keys.retain(|[a, b, c]| a != b && b != c);
    keys.sort_unstable();
    keys.dedup();
    keys.len()
}

/// 0.2 degrees.
const TURN: f32 = 0.0035;

/// What is different in where vertices are and when they show, if nothing but glTF's own words was read.
pub(crate) fn differences_in_shape(a: &Scene, b: &Scene, report: &Report) -> Vec<String> {
    let mut found = Found(Vec::new());
    if report.fixed_visibility > 0 || !a.global_channels.is_empty() {
        return found.0;
    }
    // A clip without a name gets one.
    let named = a.clips.iter().filter(|clip| !clip.name.is_empty());
    let clips: Vec<Option<&str>> = named.map(|clip| Some(clip.name.as_str())).collect();
    for name in clips {
        let place = |scene: &Scene| scene.clips.iter().position(|clip| Some(clip.name.as_str()) == name);
        let (Some(one), Some(other)) = (place(a), place(b)) else {
            // Without nodes glTF has nothing to animate.
            if a.nodes.is_empty() {
                continue;
            }
            found.add(format!("clip {name:?} is gone"));
            continue;
        };
        for step in 0..TIMES {
            let time = a.clips[one].duration.clamp(0.0, 1e6) * (step as f32 + 0.37) / TIMES as f32;
            let (x, y) = (shown(a, one, time), shown(b, other, time));
            found.same(&format!("clip {name:?} at {time}, vertices"), &x.0, &y.0);
            if x.0 == y.0 && x.0 > 0 {
                let tolerance = 2e-3 * size(a);
                for (what, x, y) in [("least", x.1, y.1), ("greatest", x.2, y.2), ("middle", x.3, y.3)] {
                    found.near(&format!("clip {name:?} at {time}, {what}"), x, y, tolerance);
                }
            }
        }
    }
    found.0
}

/// The number of triangles' corners that show, their box and their middle.
fn shown(scene: &Scene, clip: usize, time: f32) -> (usize, Vec3, Vec3, Vec3) {
    let pose =
        Sampler::new(scene).pose(&Moment { clip: Some(ClipId::from(clip)), time, clock: 0.0, view: None });
    let (mut count, mut low, mut high, mut sum) = (0, Vec3::INFINITY, Vec3::NEG_INFINITY, [0.0_f64; 3]);
    let mut deformed = Deformed::default();
    for (mesh, _) in scene.meshes.iter().zip(&pose.meshes).filter(|(_, state)| state.visible) {
        skin(mesh, &pose, &mut deformed);
        for index in triangles(mesh).iter().flat_map(|(_, triangles)| triangles.as_flattened()) {
            let at = deformed.positions[*index as usize];
            (low, high) = (low.min(at), high.max(at));
            sum.iter_mut().zip(at.to_array()).for_each(|(sum, part)| *sum += f64::from(part));
            count += 1;
        }
    }
    let middle = sum.map(|sum| (sum / f64::from(count.max(1) as u32)) as f32);
    (count, low, high, Vec3::from(middle))
}
