//! Makes models smaller.

pub(crate) mod mdx;
mod w3d;

use record::Node;
use scene::{Partners, PoseError, Scene, pose_error};

use crate::report::{Report, counted};
use crate::{Error, Family, family_of, scenes};

/// What may be done to make a model smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Optimise {
    /// Largest error of a pose: of positions as a fraction of the size of the model, of opacities and colours as they are. With 0 only what
    /// changes nothing is done.
    pub tolerance: f32,
    /// Replace Hermite and Bezier curves of MDX by straight lines within the tolerance, where that saves bytes.
    pub linearise: bool,
    /// Store the frames of W3D animations as keys within the tolerance, where that saves bytes. Zero Hour itself has no such animations.
    pub compress: bool,
}

/// What became of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Optimised {
    /// The number of removed and merged parts, keys and vertices, and what needs attention.
    pub report: Report,
    /// Its size before, in bytes of its binary form.
    pub bytes_before: usize,
    /// Its size now.
    pub bytes_after: usize,
    /// The largest error of a pose: at all keys, between them, and at 50 random moments of every clip.
    pub error: PoseError,
}

/// Moments of every clip that are compared, besides those at keys.
const RANDOM: usize = 50;

/// How often keys are chosen anew, each time with half the tolerance, if errors of bones add up to more than was asked for.
const TRIES: u8 = 6;

/// Makes a model smaller without changing how it looks and moves, or within a tolerance, and measures the largest error of a pose.
///
/// **Both formats**: what nothing refers to is removed (see [`remove`](crate::remove)), equal materials and textures become one, equal vertices become
/// one, vertices that no triangle uses are removed, and so are keys that the others replace.
///
/// **MDX**: geosets that are drawn alike become one, as far as their vertices and matrix groups fit; keys outside of sequences, and tracks
/// that have their default value in a sequence, are removed there.
///
/// **W3D**: channels that move nothing, frames at both ends of a channel that move nothing, and data that only exporters read
/// (`PIVOT_FIXUPS`) are removed.
///
/// Attachments, cameras, events, collision shapes and bones of W3D stay: games find them by name.
///
/// ```
/// use meshwright_edit::{Optimise, optimise};
/// let bytes = w3d::sample::crate_box();
/// let mut file = w3d::W3d::parse(&bytes)?;
/// let done = optimise(&mut file.root, &Optimise::default()).unwrap();
/// assert_eq!(done.error.largest(), 0.0);
/// assert!(done.bytes_after <= done.bytes_before);
/// # Ok::<(), record::Error>(())
/// ```
pub fn optimise(root: &mut Node<'_>, options: &Optimise) -> Result<Optimised, Error> {
    if !(0.0..=1.0).contains(&options.tolerance) {
        return Err(Error::new(format!("a tolerance is between 0 and 1, not {}", options.tolerance)));
    }
    if options.linearise && options.tolerance == 0.0 {
        return Err(Error::new("straight lines are not exactly as curves").with_note("give a tolerance"));
    }
    let family = family_of(root)?;
    let size = |root: &Node<'_>| root.to_bytes().map(|bytes| bytes.len());
    let failed = |error: record::Error| Error::new(error.to_string());
    let bytes_before = size(root).map_err(failed)?;
    let before = scene_of(family, root)?;
    let mut report = Report::default();
    // Nothing of this changes a pose.
    let mut meshes = None;
    match family {
        Family::Mdx => meshes = Some(mdx::structure(root, &mut report)),
        _ => w3d::structure(root, &mut report)?,
    }
    let mut tolerance = options.tolerance * 0.5;
    for attempt in 1.. {
        let mut changed = root.clone();
        let mut done = report.clone();
        match family {
            Family::Mdx => mdx::keys(&mut changed, &before, tolerance, options.linearise, &mut done),
            _ => w3d::channels(&mut changed, &before, tolerance, options.compress, &mut done)?,
        }
        if done.changed > 0 {
            done.settle(&mut changed);
        }
        let after = scene_of(family, &changed)?;
        let mut partners = Partners::by_name(&before, &after);
        if let Some(meshes) = &meshes {
            partners.meshes.clone_from(meshes);
        }
        let error = pose_error(&before, &after, &partners, RANDOM);
        if error.largest() <= options.tolerance || tolerance == 0.0 {
            let bytes_after = size(&changed).map_err(failed)?;
            *root = changed;
            return Ok(Optimised { report: done, bytes_before, bytes_after, error });
        }
        tolerance = if attempt < TRIES { tolerance * 0.5 } else { 0.0 };
    }
    Ok(Optimised::default())
}

fn scene_of(family: Family, root: &Node<'_>) -> Result<Scene, Error> {
    match family {
        Family::Mdx => scenes::of_mdx(root),
        _ => scenes::of_w3d(root),
    }
}

/// Adds a number of changes and says what they were.
fn tell(report: &mut Report, count: usize, one: &str, done: &str) {
    if count > 0 {
        report.changed += count;
        report.note(format!("{} {done}", counted(count, one)));
    }
}
