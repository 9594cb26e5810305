//! What is known of W3D files that were written: whether they suit a game, and where their vertices are.

use convert::author::w3d::Profile;
use meshwright::{Game, Model, Severity};
use scene::{Moment, Sampler, Scene};

/// What our linter calls an error in a file for a game.
pub(crate) fn error_for(profile: Profile, bytes: &[u8]) -> Option<String> {
    let game = match profile {
        Profile::Renegade => Game::Renegade,
        Profile::Generals => Game::Generals,
        Profile::ZeroHour => Game::ZeroHour,
        Profile::Bfme1 => Game::Bfme1,
        Profile::Bfme2 => Game::Bfme2,
        Profile::Tt5 => Game::Tt5,
    };
    let found = Model::parse(bytes).map_or_else(
        |error| vec![error.to_string()],
        |model| {
            let found = model.check_for(game);
            let errors = found.iter().filter(|finding| finding.severity == Severity::Error);
            errors.map(|error| format!("{}: {} for {}", error.code, error.message, profile.name())).collect()
        },
    );
    found.into_iter().next()
}

/// Where the vertices of all meshes are at rest, in W3D's axes: a line for each mesh with its name and number of vertices, then the sums of x, y and z
/// and of their squares.
pub(crate) fn positions(scene: &Scene) -> String {
    let pose = Sampler::new(scene).pose(&Moment::default());
    let mut text = String::new();
    let mut deformed = scene::Deformed::default();
    for mesh in &scene.meshes {
        scene::skin(mesh, &pose, &mut deformed);
        let mut sums = [0.0_f64; 6];
        for position in &deformed.positions {
            let stored = [f64::from(position.x), -f64::from(position.z), f64::from(position.y)];
            for axis in 0..3 {
                sums[axis] += stored[axis];
                sums[axis + 3] += stored[axis] * stored[axis];
            }
        }
        let sums = sums.map(|sum| sum.to_string()).join(" ");
        text += &format!("{}\t{}\t{sums}\n", mesh.name, mesh.positions.len());
    }
    text
}
