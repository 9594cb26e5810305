//! Changes clips: animations of W3D, sequences of MDX.

mod mdx;
pub(crate) mod w3d;

use record::Node;

use crate::report::Report;
use crate::select::{PartKind, Selector, select};
use crate::{Error, Family, family_of};

/// More clips than any real model has. Each change goes through the whole document.
const MAX_CLIPS: usize = 4096;

/// A change of a clip. Times are in milliseconds for MDX and in frames for W3D, counted from the start of the clip.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipChange {
    /// Another name.
    Rename(String),
    /// Whether it loops; MDX only. In W3D games a configuration file says so.
    Loop(bool),
    /// Plays this many times as fast. In MDX its keys and events are moved, and everything after it on the time line follows; in W3D the
    /// frame rate changes.
    Speed(f32),
    /// Only a part of it.
    Trim {
        /// First moment.
        from: u32,
        /// Last moment.
        to: u32,
    },
    /// Plays backwards.
    Reverse,
    /// Becomes two clips.
    Split {
        /// Where the second one starts.
        at: u32,
        /// The name of the second one.
        name: String,
    },
    /// Another clip is appended to it and removed.
    Join(Selector),
    /// Starts at another moment of the common time line; MDX only.
    Move(i32),
    /// Its events happen later, or earlier if the number is negative; MDX only.
    ShiftEvents(i32),
    /// The speed of a moving unit; MDX only.
    MoveSpeed(f32),
    /// How rarely it is chosen among those of the same name; MDX only.
    Rarity(f32),
    /// The corners of its bounding box; MDX only.
    Bounds([f32; 3], [f32; 3]),
}

/// Changes the chosen clips. Returns the number of changed clips; zero if the document does not have them.
///
/// In MDX a track without a key inside a sequence has its default value there. So keys with the value of the curve are written at both ends
/// wherever a sequence is cut. Cut curves of vectors stay exactly the same; those of rotations are approximated.
///
/// ```
/// use meshwright_edit::{ClipChange, change_clip};
/// let bytes = mdx::build::watchtower();
/// let mut model = mdx::Document::parse(&bytes)?;
/// let stand = "clip:Stand".parse().unwrap();
/// assert_eq!(change_clip(&mut model.root, &stand, &ClipChange::Speed(2.0)).unwrap().changed, 1);
/// # Ok::<(), mdx::Error>(())
/// ```
pub fn change_clip(root: &mut Node<'_>, clips: &Selector, change: &ClipChange) -> Result<Report, Error> {
    let family = family_of(root)?;
    let numbers: &[f32] = match change {
        ClipChange::Speed(number) | ClipChange::MoveSpeed(number) | ClipChange::Rarity(number) => &[*number],
        ClipChange::Bounds(low, high) => &[low[0], low[1], low[2], high[0], high[1], high[2]],
        _ => &[],
    };
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(Error::new("numbers must be finite"));
    }
    if matches!(change, ClipChange::Speed(factor) if *factor <= 0.0) {
        return Err(Error::new("a speed must be greater than zero").with_note("a clip can also be reversed"));
    }
    if matches!(change, ClipChange::Trim { from, to } if from >= to) {
        return Err(Error::new("the part must end after it starts"));
    }
    let count = select(root, clips)?.into_iter().filter(|part| part.kind == PartKind::Clip).count();
    let unique = matches!(
        change,
        ClipChange::Rename(_) | ClipChange::Split { .. } | ClipChange::Join(_) | ClipChange::Move(_)
    );
    if unique && count > 1 {
        return Err(Error::new(format!("{clips} is not unique: the model has {count}"))
            .with_note("give its index, such as clip:#3"));
    }
    if count > MAX_CLIPS {
        return Err(Error::new(format!(
            "{count} clips are too many to change at once; the limit is {MAX_CLIPS}"
        )));
    }
    let mut report = Report::default();
    for number in 0..count {
        // Each change may move the others.
        let mut parts = select(root, clips)?.into_iter().filter(|part| part.kind == PartKind::Clip);
        let Some(part) = parts.nth(number) else { break };
        let one = match family {
            Family::W3d => w3d::change(root, &part, change)?,
            Family::Mdx => mdx::change(root, part.index, change)?,
            _ => Report::default(),
        };
        report.add(one);
    }
    if report.changed > 0 {
        report.settle(root);
    }
    Ok(report)
}
