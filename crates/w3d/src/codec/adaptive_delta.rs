//! Adaptive delta: each frame is the frame before it plus a small integer times a scale times a factor. Each packet of
//! sixteen frames selects its factor from a fixed table (docs/formats/w3d/animation.md#adaptive-delta).

use std::sync::LazyLock;

/// How many bits a difference has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Half a byte, -8 to 7: `COMPRESSED_ANIMATION_CHANNEL`, and motion channels of flavour 1.
    Four,
    /// A byte, -8 to 7.9375 in sixteenths: motion channels of flavour 2.
    Eight,
}

/// Frames per packet.
const FRAMES: usize = 16;

/// Sixteen powers of ten, then a quarter of a sine wave.
static FILTERS: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|at| match at {
        0..16 => [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7][at],
        _ => 1.0 - ((at - 16) as f32 / 240.0 * 90.0).to_radians().sin(),
    })
});

/// An entry of the filter table.
pub fn filter(index: u8) -> f32 {
    FILTERS[usize::from(index)]
}

impl Width {
    /// Bytes of the packets that [`encode_deltas`] makes of this many frames.
    pub const fn packed(self, components: usize, frames: usize) -> usize {
        frames.div_ceil(FRAMES) * components * (1 + self.bytes())
    }

    /// Bytes of differences in a packet.
    const fn bytes(self) -> usize {
        match self {
            Self::Four => FRAMES / 2,
            Self::Eight => FRAMES,
        }
    }

    /// The difference of a frame within a packet. The low half of a byte comes first; a byte is biased by 128.
    fn get(self, deltas: &[u8], frame: usize) -> f32 {
        match self {
            Self::Four => {
                let byte = deltas.get(frame / 2).copied().unwrap_or_default();
                let nibble = if frame.is_multiple_of(2) { byte & 15 } else { byte >> 4 };
                f32::from((nibble << 4).cast_signed() >> 4)
            }
            Self::Eight => (f32::from(deltas.get(frame).copied().unwrap_or(128)) - 128.0) / 16.0,
        }
    }

    /// Stores the difference nearest to `wanted`, and returns it.
    fn put(self, deltas: &mut [u8], frame: usize, wanted: f32) -> f32 {
        let wanted = if wanted.is_nan() { 0.0 } else { wanted };
        match self {
            Self::Four => {
                // The conversion truncates the fraction and saturates.
                let nibble = ((wanted + 8.5) as u8).min(15) ^ 8;
                deltas[frame / 2] |= if frame.is_multiple_of(2) { nibble } else { nibble << 4 };
            }
            Self::Eight => deltas[frame] = (wanted * 16.0 + 128.5) as u8,
        }
        self.get(deltas, frame)
    }
}

/// Values for each frame. `packets` are filter index and differences: for each sixteen frames one packet per component.
///
/// Frame 0 is `initial`. Components are added up independently, and rotations are not normalised, as in the engine. If
/// packets are missing, their frames are missing too.
pub fn decode_deltas<'p>(
    width: Width,
    scale: f32,
    initial: &[f32],
    frames: usize,
    packets: impl ExactSizeIterator<Item = (u8, &'p [u8])>,
) -> Vec<f32> {
    let components = initial.len();
    if components == 0 || frames == 0 {
        return Vec::new();
    }
    let available = 1 + packets.len() / components * FRAMES;
    let frames = frames.min(available);
    let mut values = vec![0.0; frames * components];
    values[..components].copy_from_slice(initial);
    for (at, (index, deltas)) in packets.enumerate() {
        let (group, component) = (at / components, at % components);
        let step = filter(index) * scale;
        for frame in 0..FRAMES {
            let to = (1 + group * FRAMES + frame) * components + component;
            if to >= values.len() {
                break;
            }
            values[to] = values[to - components] + width.get(deltas, frame) * step;
        }
    }
    values
}

/// The result of [`encode_deltas`].
#[derive(Clone, Debug, PartialEq)]
pub struct Deltas {
    /// Scale of all differences.
    pub scale: f32,
    /// The packets as stored: filter index, then differences.
    pub packets: Vec<u8>,
    /// The largest difference between a value and its decoded value.
    pub error: f32,
}

/// Encodes values for each frame as the original exporter does: the scale lets the largest step between two frames fit, and each
/// packet gets that of the 256 filters with the least squared error, going on from what was decoded so far. `None` if the
/// [`distance`](super::distance) of a value and what it decodes to would exceed the tolerance.
pub fn encode_deltas(width: Width, components: usize, values: &[f32], tolerance: f32) -> Option<Deltas> {
    let frames = values.len().checked_div(components).unwrap_or_default();
    let largest = (components..frames * components)
        .map(|at| (values[at] - values[at - components]).abs())
        .fold(0.0, f32::max);
    let scale = largest / 7.0;
    let mut decoded: Vec<(f32, u8)> = values.iter().take(components).map(|value| (*value, 0)).collect();
    let mut packets = Vec::with_capacity(width.packed(components, frames));
    let mut error = 0.0_f32;
    let mut group_values = vec![0.0; FRAMES * components];
    for group in 0..frames.div_ceil(FRAMES) {
        for (component, (value, guess)) in decoded.iter_mut().enumerate() {
            // After the end, the last value is repeated.
            let wanted: [f32; FRAMES] = std::array::from_fn(|frame| {
                let frame = (1 + group * FRAMES + frame).min(frames - 1);
                values[frame * components + component]
            });
            // The filter of the previous packet is tried first. It usually fits well, so that the other filters are
            // rejected early.
            let mut best = encode_packet(width, *guess, scale, *value, &wanted, f64::INFINITY);
            for index in 0..=255 {
                let packet = encode_packet(width, index, scale, *value, &wanted, best.squares);
                if packet.squares < best.squares {
                    best = packet;
                }
            }
            *guess = best.index;
            *value = best.last;
            for (frame, decoded) in best.decoded.iter().enumerate() {
                group_values[frame * components + component] = *decoded;
            }
            packets.push(best.index);
            packets.extend(&best.deltas[..width.bytes()]);
        }
        let first = 1 + group * FRAMES;
        let wanted = values.chunks_exact(components).skip(first);
        for (decoded, wanted) in group_values.chunks_exact(components).zip(wanted) {
            let miss = super::distance(decoded, wanted);
            if miss > tolerance {
                return None;
            }
            error = error.max(miss);
        }
    }
    Some(Deltas { scale, packets, error })
}

struct Packet {
    index: u8,
    deltas: [u8; FRAMES],
    last: f32,
    squares: f64,
    /// The value that each frame decodes to.
    decoded: [f32; FRAMES],
}

/// A packet with this filter. It ends at the frame where its squared error reaches `most`; for most filters that is one
/// of the first frames.
fn encode_packet(
    width: Width,
    index: u8,
    scale: f32,
    start: f32,
    wanted: &[f32; FRAMES],
    most: f64,
) -> Packet {
    let step = filter(index) * scale;
    let mut packet =
        Packet { index, deltas: [0; FRAMES], last: start, squares: 0.0, decoded: [start; FRAMES] };
    for (frame, target) in wanted.iter().enumerate() {
        if packet.squares >= most {
            break;
        }
        let delta = if step == 0.0 { 0.0 } else { (target - packet.last) / step };
        packet.last += width.put(&mut packet.deltas, frame, delta) * step;
        let miss = (target - packet.last).abs();
        packet.squares += f64::from(miss).powi(2);
        packet.decoded[frame] = packet.last;
    }
    packet
}
