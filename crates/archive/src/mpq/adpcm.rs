//! Sounds in MPQ archives: differences of samples, with a step size that follows the signal.

use crate::{Error, Result};

const STEPS: [i32; 89] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88,
    97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658,
    724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660,
    4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818,
    18500, 20350, 22385, 24623, 27086, 29794, 32767,
];
/// Change of the step after a sample, by the sample's low five bits.
const NEXT: [i8; 32] = [
    -1, 0, -1, 4, -1, 2, -1, 6, -1, 1, -1, 5, -1, 3, -1, 7, -1, 1, -1, 5, -1, 3, -1, 7, -1, 2, -1, 4, -1, 6,
    -1, 8,
];
const FIRST_STEP: usize = 44;

#[derive(Clone, Copy)]
struct Channel {
    sample: i32,
    step: usize,
}

/// Unpacks 16-bit samples of one or two channels, at most `most` bytes.
pub(crate) fn unpack(bytes: &[u8], channels: usize, most: usize) -> Result<Vec<u8>> {
    let bad = || Error::format(0, "malformed ADPCM sound");
    let [_, shift, rest @ ..] = bytes else { return Err(bad()) };
    // A shift by 32 or more gives zero.
    let shift = u32::from(*shift).min(31);
    let mut out = Vec::with_capacity(most.min(bytes.len().saturating_mul(2)));
    let mut state = [Channel { sample: 0, step: FIRST_STEP }; 2];
    let mut rest = rest;
    for channel in &mut state[..channels] {
        let (first, after) = rest.split_first_chunk::<2>().ok_or_else(bad)?;
        channel.sample = i16::from_le_bytes(*first).into();
        out.extend(first);
        rest = after;
    }
    let mut index = channels - 1;
    for &code in rest {
        if out.len() + 2 > most {
            break;
        }
        index = (index + 1) % channels;
        let channel = &mut state[index];
        match code {
            0x80 => channel.step = channel.step.saturating_sub(1),
            0x81 => {
                channel.step = (channel.step + 8).min(STEPS.len() - 1);
                // The next byte belongs to the same channel.
                index = (index + 1) % channels;
                continue;
            }
            _ => {
                let step = STEPS[channel.step];
                let change = (0..6).filter(|bit| code >> bit & 1 != 0).map(|bit| step >> bit).sum::<i32>();
                let change = change + (step >> shift);
                let moved = if code & 0x40 != 0 { channel.sample - change } else { channel.sample + change };
                channel.sample = moved.clamp(-32768, 32767);
                let next = channel.step as isize + isize::from(NEXT[usize::from(code & 31)]);
                channel.step = next.clamp(0, STEPS.len() as isize - 1) as usize;
            }
        }
        out.extend((channel.sample as i16).to_le_bytes());
    }
    out.truncate(most);
    Ok(out)
}
