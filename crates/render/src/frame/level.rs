//! Levels of detail.

use super::{Camera, LevelChoice};
use scene::{Bounds, Level, LevelRange, Scene};

/// For each mesh whether its level is drawn.
pub(super) fn shown(scene: &Scene, choice: LevelChoice, view: Option<(&Camera, &Bounds)>) -> Vec<bool> {
    let mut shown = vec![true; scene.meshes.len()];
    let Some(chosen) = choose(scene, choice, view) else { return shown };
    for mesh in scene.levels.iter().flat_map(|level| &level.meshes) {
        if let Some(shown) = shown.get_mut(mesh.index()) {
            *shown = false;
        }
    }
    // A mesh can be in several levels.
    for mesh in &scene.levels[chosen].meshes {
        if let Some(shown) = shown.get_mut(mesh.index()) {
            *shown = true;
        }
    }
    shown
}

/// The index of the level that is drawn; `None` if there are no levels.
fn choose(scene: &Scene, choice: LevelChoice, view: Option<(&Camera, &Bounds)>) -> Option<usize> {
    let last = scene.levels.len().checked_sub(1)?;
    let wanted = match choice {
        LevelChoice::Highest => 0,
        LevelChoice::Number(number) => return Some(number.min(last)),
        LevelChoice::Auto => view.map_or(0, |(camera, bounds)| automatic(&scene.levels, camera, bounds)),
    };
    // Some models have an empty first level: the next level with visible meshes is used.
    let is_drawn = |level: &Level| {
        level.meshes.iter().any(|mesh| {
            let mesh = scene.meshes.get(mesh.index());
            mesh.is_some_and(|mesh| !mesh.hidden && !mesh.indices.is_empty() && !mesh.positions.is_empty())
        })
    };
    let next = (wanted..=last).find(|index| is_drawn(&scene.levels[*index]));
    Some(next.unwrap_or(wanted))
}

/// The level that the game would choose in W3D: by the share of the screen that the bounding sphere covers, or by
/// distance.
fn automatic(levels: &[Level], camera: &Camera, bounds: &Bounds) -> usize {
    let distance = camera.position.distance(bounds.center).max(1e-6);
    let (across, along) = (camera.projection.x_axis.x, camera.projection.y_axis.y);
    let reach = bounds.radius / distance;
    let area = std::f32::consts::PI * reach * reach * across * along / 4.0;
    // Here the most detailed level comes first, and covers the largest share of the screen.
    let fits = |level: &Level| match level.range {
        LevelRange::MaxScreenSize(size) => size >= area,
        LevelRange::Distance { min, max } => (min..max).contains(&distance),
        LevelRange::Number(_) => true,
    };
    // The coarsest level that is good enough: for screen sizes the last one, for distances the only one.
    match levels.first().map(|level| level.range) {
        Some(LevelRange::MaxScreenSize(_)) => levels.iter().rposition(fits).unwrap_or(0),
        _ => levels.iter().position(fits).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use scene::{Mesh, MeshId};

    fn mesh() -> Mesh {
        Mesh { positions: vec![Vec3::ZERO], indices: vec![0, 0, 0].into(), ..Mesh::default() }
    }

    fn scene(ranges: [LevelRange; 2]) -> Scene {
        let level = |index: usize| Level { range: ranges[index], meshes: vec![MeshId::from(index)] };
        Scene { meshes: vec![mesh(), mesh(), mesh()], levels: vec![level(0), level(1)], ..Scene::default() }
    }

    #[test]
    fn the_highest_level_is_drawn_and_what_is_in_none() {
        let mut scene = scene([LevelRange::Number(0), LevelRange::Number(1)]);
        assert_eq!(shown(&scene, LevelChoice::Highest, None), [true, false, true]);
        assert_eq!(shown(&scene, LevelChoice::Number(1), None), [false, true, true]);
        assert_eq!(shown(&scene, LevelChoice::Number(9), None), [false, true, true]);
        scene.levels[1].meshes.push(MeshId(99));
        assert_eq!(shown(&scene, LevelChoice::Number(1), None), [false, true, true]);
        assert_eq!(shown(&Scene::default(), LevelChoice::Highest, None), []);
    }

    #[test]
    fn an_empty_first_level_falls_to_the_next() {
        let mut scene = scene([LevelRange::Number(0), LevelRange::Number(1)]);
        scene.meshes[0] = Mesh::default();
        assert_eq!(shown(&scene, LevelChoice::Highest, None), [false, true, true]);
        scene.meshes[1].hidden = true;
        assert_eq!(shown(&scene, LevelChoice::Highest, None), [true, false, true]);
    }

    #[test]
    fn distance_chooses_a_level() {
        let near = LevelRange::Distance { min: 0.0, max: 10.0 };
        let far = LevelRange::Distance { min: 10.0, max: 1e9 };
        let scene = scene([near, far]);
        let bounds = Bounds { radius: 1.0, ..Bounds::default() };
        let at = |distance| {
            let camera = Camera::look_at(Vec3::X * distance, Vec3::ZERO, 1.0, 1.0, 0.1, 1e3);
            shown(&scene, LevelChoice::Auto, Some((&camera, &bounds)))
        };
        assert_eq!(at(5.0), [true, false, true]);
        assert_eq!(at(50.0), [false, true, true]);
    }

    #[test]
    fn screen_size_chooses_a_level() {
        let scene = scene([LevelRange::MaxScreenSize(f32::MAX), LevelRange::MaxScreenSize(0.01)]);
        let bounds = Bounds { radius: 1.0, ..Bounds::default() };
        let at = |distance| {
            let camera = Camera::look_at(Vec3::X * distance, Vec3::ZERO, 1.0, 1.0, 0.1, 1e3);
            shown(&scene, LevelChoice::Auto, Some((&camera, &bounds)))
        };
        assert_eq!(at(3.0), [true, false, true]);
        assert_eq!(at(500.0), [false, true, true]);
    }
}
