//! Summary of a W3X file.

use std::collections::{HashMap, HashSet};

use w3x::W3x;
use w3x::view::{ConstantValue, SubObjectKind};

use super::{Clip, Mesh, Need, NeedKind, Skeleton, Summary};

pub(super) fn summarise(file: &W3x<'_>, summary: &mut Summary) {
    summary.models = file.containers().map(|container| container.id().into_owned()).collect();
    summary.skeletons = file
        .hierarchies()
        .map(|it| Skeleton { name: it.id().into_owned(), bones: it.pivots().count() })
        .collect();
    summary.clips = file.animations().map(clip).collect();
    let boxes = file.boxes().count();
    if boxes > 0 {
        summary.objects.push(("collision box", boxes));
    }
    // A shader names a texture by its id; the file name is in the declaration, which may be in another file.
    let declared: HashMap<String, String> = file
        .textures()
        .filter_map(|texture| Some((texture.id().to_lowercase(), texture.file()?.into_owned())))
        .collect();
    for mesh in file.meshes() {
        summary.meshes.push(Mesh {
            name: mesh.id().into_owned(),
            vertices: mesh.vertex_count(),
            triangles: mesh.triangle_count(),
            skinned: mesh.geometry_type() == w3x::view::GeometryType::Skin,
        });
        let Some(shader) = mesh.shader() else { continue };
        summary.materials += 1;
        for constant in shader.constants() {
            if let ConstantValue::Texture(id) = constant.value() {
                let name = declared.get(&id.to_lowercase()).cloned().unwrap_or(id);
                summary.add_texture(name);
            }
        }
    }
    for texture in file.textures() {
        summary.add_texture(texture.file().unwrap_or_default().into_owned());
    }
    needs(file, summary);
}

/// N frames last N - 1 intervals, as in W3D.
fn clip(animation: w3x::view::Animation<'_>) -> Clip {
    let (frames, rate) = (animation.frames(), f64::from(animation.frame_rate()));
    Clip {
        name: animation.id().into_owned(),
        seconds: if rate > 0.0 { f64::from(frames.saturating_sub(1)) / rate } else { 0.0 },
        rate: Some(rate),
        frames: Some(frames),
        interval: None,
        looping: None,
        speed: None,
        rarity: None,
    }
}

/// References by id to what the file does not contain. The file that has it is usually called like the id.
fn needs(file: &W3x<'_>, summary: &mut Summary) {
    let lower = |id: std::borrow::Cow<'_, str>| id.to_lowercase();
    let skeletons: HashSet<String> = file.hierarchies().map(|it| lower(it.id())).collect();
    let meshes: HashSet<String> = file.meshes().map(|it| lower(it.id())).collect();
    let boxes: HashSet<String> = file.boxes().map(|it| lower(it.id())).collect();
    let mut need = |what: NeedKind, id: &str, inside: &HashSet<String>| {
        if !id.is_empty() && !inside.contains(&id.to_lowercase()) {
            summary.add_need(Need {
                what,
                name: id.to_uppercase(),
                file: format!("{}.w3x", id.to_lowercase()),
            });
        }
    };
    for container in file.containers() {
        need(NeedKind::Skeleton, &container.hierarchy(), &skeletons);
        for (kind, id) in container.sub_objects().filter_map(|object| object.target()) {
            let inside = if kind == SubObjectKind::Mesh { &meshes } else { &boxes };
            need(NeedKind::Model, &id, inside);
        }
    }
    for animation in file.animations() {
        need(NeedKind::Skeleton, &animation.hierarchy(), &skeletons);
    }
}
