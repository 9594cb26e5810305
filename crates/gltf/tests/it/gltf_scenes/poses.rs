//! Where vertices are by our own sampling, as JSON for a judge that evaluates the glTF.

use glam::{Quat, Vec3};
use meshwright_gltf::{Plays, Report};
use scene::{ClipId, Deformed, Moment, NodeProperty, Pose, Sampler, Scene, Target, skin};
use serde_json::{Value, json};

/// Times per clip.
const TIMES: usize = 10;

/// World-space positions of the written meshes in the rest pose and at ten times of each clip, with the animations that play, and the
/// size of the model. Of large meshes not all vertices are given, but about `most`.
pub(crate) fn expected(scene: &Scene, report: &Report, most: usize) -> Value {
    let sampler = Sampler::new(scene);
    let mut poses = Vec::new();
    let mut out = (Pose::default(), Deformed::default());
    let globals: Vec<usize> = (0..scene.global_sequences.len())
        .filter(|&index| scene.global_channels.iter().any(|global| global.sequence.index() == index))
        .collect();
    let is_written = |sequence: usize| report.written_animations.contains(&Plays::Global(sequence.into()));
    let is_baked = globals.iter().any(|sequence| !is_written(*sequence));
    let place = |plays: Plays| report.written_animations.iter().position(|written| *written == plays);
    for (index, clip) in scene.clips.iter().enumerate() {
        let Some(animation) = place(Plays::Clip(index.into())) else { continue };
        let duration = if clip.duration.is_finite() { clip.duration } else { 0.0 };
        for step in 0..TIMES {
            // At its very end a global sequence has already started again. Blender takes keys for the same that are a hundredth of a
            // frame apart.
            let last = if is_baked { duration - duration.min(1e-3) } else { duration };
            let time = (duration * step as f32 / (TIMES - 1) as f32).min(last);
            let moment = Moment { clip: Some(ClipId::from(index)), time, clock: time, view: None };
            let mut playing = Vec::new();
            for &sequence in &globals {
                let local = scene.global_sequences[sequence].local_time(time);
                if let Some(animation) = place(Plays::Global(sequence.into())) {
                    playing.push(json!({ "animation": animation, "time": local }));
                }
            }
            playing.push(json!({ "animation": animation, "time": time }));
            let meshes = positions(&sampler, &moment, report, most, &mut out);
            poses.push(json!({ "clip": clip.name, "playing": playing, "meshes": meshes }));
        }
    }
    if globals.is_empty() {
        let mut meshes = positions(&sampler, &Moment::default(), report, most, &mut out);
        // What clips show and hide is at rest as in one of them.
        meshes.retain(|mesh| {
            let id = report.written_meshes[mesh["mesh"].as_u64().unwrap_or(0) as usize];
            let node = scene.meshes[id.index()].node;
            let mut channels = scene.clips.iter().flat_map(|clip| &clip.channels);
            !channels.any(|channel| match channel.target {
                Target::Mesh(found, _) => found == id,
                Target::Node(found, NodeProperty::Visibility) => Some(found) == node,
                _ => false,
            })
        });
        poses.push(json!({ "clip": null, "playing": [], "meshes": meshes }));
    }
    json!({ "name": scene.name, "size": size(&sampler, report), "poses": poses })
}

/// The length of the diagonal of the box around the written meshes at rest, shown or not.
fn size(sampler: &Sampler<&Scene>, report: &Report) -> f32 {
    let pose = sampler.pose(&Moment::default());
    let mut deformed = Deformed::default();
    let mut corners = None;
    for id in &report.written_meshes {
        skin(&sampler.scene().meshes[id.index()], &pose, &mut deformed);
        for &at in &deformed.positions {
            let (low, high) = corners.unwrap_or((at, at));
            corners = Some((low.min(at), high.max(at)));
        }
    }
    corners.map_or(0.0, |(low, high)| low.distance(high))
}

fn positions(
    sampler: &Sampler<&Scene>,
    moment: &Moment,
    report: &Report,
    most: usize,
    (pose, deformed): &mut (Pose, Deformed),
) -> Vec<Value> {
    sampler.sample(moment, pose);
    let scene = sampler.scene();
    let written = report.written_meshes.iter().enumerate();
    written
        .filter_map(|(place, id)| {
            let mesh = &scene.meshes[id.index()];
            skin(mesh, pose, deformed);
            let visible = pose.meshes[id.index()].visible;
            let every = mesh.positions.len().div_ceil(most).max(1);
            let sampled: Vec<[f32; 3]> =
                deformed.positions.iter().step_by(every).map(|at| turned(*at).to_array()).collect();
            visible.then(|| json!({ "mesh": place, "every": every, "positions": sampled }))
        })
        .collect()
}

/// The scene's front is +X, glTF's +Z.
fn turned(at: Vec3) -> Vec3 {
    Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2) * at
}
