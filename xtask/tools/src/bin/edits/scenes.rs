//! Scenes before and after an edit.

use check::Document;
use edit::Axis;

pub(crate) fn scene_of(document: &Document<'_>) -> scene::Scene {
    match document {
        Document::W3d(file) => {
            let library = convert::w3d::Library::new(file);
            convert::w3d::to_scene(&library, None, &convert::w3d::Options::default()).0
        }
        Document::Mdx(file) => convert::mdx::to_scene(file, &convert::mdx::Options::default()).0,
        _ => scene::Scene::default(),
    }
}

/// How far vertices are apart at shares of a clip, relative to the size of the model.
pub(crate) fn apart(moments: [(&scene::Scene, f32); 2], clip: usize, duration: f32) -> Result<f32, String> {
    apart_at(moments.map(|(scene, share)| (scene, duration * share)), clip)
}

pub(crate) fn apart_at(moments: [(&scene::Scene, f32); 2], clip: usize) -> Result<f32, String> {
    apart_of(moments.map(|(scene, time)| (scene, (clip, time))))
}

pub(crate) fn apart_of(moments: [(&scene::Scene, (usize, f32)); 2]) -> Result<f32, String> {
    positions_apart(moments.map(|(scene, (clip, time))| (scene, Some(clip), time)))
}

pub(crate) fn apart_at_rest(before: &scene::Scene, after: &scene::Scene) -> Result<f32, String> {
    // What runs by itself is not the rest pose.
    let still = [before, after].map(|scene| scene::Scene { global_channels: Vec::new(), ..scene.clone() });
    positions_apart([&still[0], &still[1]].map(|scene| (scene, None, 0.0)))
}

fn positions_apart(moments: [(&scene::Scene, Option<usize>, f32); 2]) -> Result<f32, String> {
    let [before, after] = moments.map(|(scene, clip, time)| {
        let moment = scene::Moment { clip: clip.map(scene::ClipId::from), time, ..Default::default() };
        let pose = scene::Sampler::new(scene).pose(&moment);
        let mut all = Vec::new();
        for mesh in &scene.meshes {
            let mut deformed = scene::Deformed::default();
            scene::skin(mesh, &pose, &mut deformed);
            all.extend(deformed.positions);
        }
        all
    });
    if before.len() != after.len() {
        return Err("other vertices".to_owned());
    }
    let size = moments[0].0.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    let far = before.iter().zip(&after).map(|(a, b)| a.distance(*b) / size);
    Ok(far.filter(|away| !away.is_nan()).fold(0.0, f32::max))
}

pub(crate) fn same(before: &scene::Scene, after: &scene::Scene, tolerance: f32) -> Result<(), String> {
    let (worst, at) = worst_position(before, after)?;
    if worst > tolerance {
        return Err(format!("a vertex is {worst} away in {at}"));
    }
    Ok(())
}

/// How far a vertex of the second scene is from where the first has it, at moments of every clip, relative to the size of the model.
fn worst_position(before: &scene::Scene, after: &scene::Scene) -> Result<(f32, String), String> {
    if before.meshes.len() != after.meshes.len() || before.clips.len() != after.clips.len() {
        return Err("other meshes or clips".to_owned());
    }
    let size = before.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    let (one, other) = (scene::Sampler::new(before), scene::Sampler::new(after));
    let (mut worst, mut at) = (0.0_f32, String::new());
    for (index, clip) in before.clips.iter().enumerate() {
        let length = after.clips[index].duration;
        for step in 0..=4_u8 {
            let moment = |duration: f32| scene::Moment {
                clip: Some(scene::ClipId::from(index)),
                time: duration * f32::from(step) / 4.0,
                ..Default::default()
            };
            let (a, b) = (one.pose(&moment(clip.duration)), other.pose(&moment(length)));
            for (mesh, twin) in before.meshes.iter().zip(&after.meshes) {
                let (mut here, mut there) = (scene::Deformed::default(), scene::Deformed::default());
                scene::skin(mesh, &a, &mut here);
                scene::skin(twin, &b, &mut there);
                if here.positions.len() != there.positions.len() {
                    return Err("other vertices".to_owned());
                }
                for (here, there) in here.positions.iter().zip(&there.positions) {
                    let away = here.distance(*there) / size;
                    if away > worst {
                        (worst, at) = (away, format!("{} at {}/4", clip.name, step));
                    }
                }
            }
            for (index, (a, b)) in a.meshes.iter().zip(&b.meshes).enumerate() {
                if a.visible != b.visible || (a.alpha - b.alpha).abs() > 0.01 {
                    return Err(format!("mesh {index} is shown otherwise"));
                }
            }
        }
    }
    Ok((worst, at))
}

/// How far a vertex of a mirrored scene is from where the mirror has it, at moments of every clip, relative to the size of the model.
pub(crate) fn mirrored(before: &scene::Scene, after: &scene::Scene, axis: Axis) -> Result<f32, String> {
    if before.meshes.len() != after.meshes.len() || before.clips.len() != after.clips.len() {
        return Err("other meshes or clips".to_owned());
    }
    // The scene has Y up; models have Z up.
    let sign = match axis {
        Axis::X => glam::Vec3::new(-1.0, 1.0, 1.0),
        Axis::Y => glam::Vec3::new(1.0, 1.0, -1.0),
        Axis::Z => glam::Vec3::new(1.0, -1.0, 1.0),
    };
    let size = before.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    let (one, other) = (scene::Sampler::new(before), scene::Sampler::new(after));
    let mut worst = 0.0_f32;
    let clips = before.clips.iter().enumerate().map(|(index, clip)| (Some(index), clip.duration));
    for (clip, duration) in std::iter::once((None, 0.0)).chain(clips) {
        for step in 0..=3_u8 {
            let time = duration * f32::from(step) / 3.0;
            // Billboards face a camera that is mirrored too.
            let moment = |sign: glam::Vec3| {
                let position = glam::Vec3::new(2.0, 1.5, 3.0) * size * sign;
                let view = scene::View { position, forward: -position.normalize(), anchors: false };
                scene::Moment {
                    clip: clip.map(scene::ClipId::from),
                    time,
                    view: Some(view),
                    ..Default::default()
                }
            };
            let (a, b) = (one.pose(&moment(glam::Vec3::ONE)), other.pose(&moment(sign)));
            for (mesh, twin) in before.meshes.iter().zip(&after.meshes) {
                let (mut here, mut there) = (scene::Deformed::default(), scene::Deformed::default());
                scene::skin(mesh, &a, &mut here);
                scene::skin(twin, &b, &mut there);
                if here.positions.len() != there.positions.len() {
                    return Err("other vertices".to_owned());
                }
                for (here, there) in here.positions.iter().zip(&there.positions) {
                    let away = (*here * sign).distance(*there) / size;
                    worst = if away.is_nan() { worst } else { worst.max(away) };
                }
            }
        }
    }
    Ok(worst)
}
