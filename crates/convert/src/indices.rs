//! Corners of triangles, looked at several at once: nothing here has a way out in the middle, which would keep the compiler from that.

/// Whether all are places of so many vertices.
pub(crate) fn all_below(corners: &[u16], vertices: usize) -> bool {
    let Some(last) = vertices.checked_sub(1) else { return corners.is_empty() };
    let last = u16::try_from(last).unwrap_or(u16::MAX);
    corners.iter().fold(0, |beyond, corner| beyond | corner.saturating_sub(last)) == 0
}

/// Whether these are whole triangles of so many vertices, none of which has one twice.
pub(crate) fn are_sound_corners(corners: &[u16], vertices: usize) -> bool {
    corners.len().is_multiple_of(3) && all_below(corners, vertices) && !any_degenerate(corners)
}

/// The same of longer ones.
pub(crate) fn are_sound_long_corners(corners: &[u32], vertices: usize) -> bool {
    let (triangles, rest) = corners.as_chunks::<3>();
    let end = u32::try_from(vertices).unwrap_or(u32::MAX);
    rest.is_empty()
        && corners.iter().fold(true, |all, corner| all & (*corner < end))
        && !triangles.iter().fold(false, |any, [a, b, c]| any | (a == b) | (b == c) | (a == c))
}

/// Whether a triangle has a corner twice.
fn any_degenerate(corners: &[u16]) -> bool {
    /// Corners of eight triangles.
    const BLOCK: usize = 24;
    const fn repeated(pattern: [u16; 3]) -> [u16; BLOCK] {
        let mut all = [0; BLOCK];
        let mut at = 0;
        while at < BLOCK {
            all[at] = pattern[at % 3];
            at += 1;
        }
        all
    }
    // Each is compared with the next and the next but one, of which those count that are of the same triangle.
    const NEXT: [u16; BLOCK] = repeated([u16::MAX, u16::MAX, 0]);
    const NEXT_BUT_ONE: [u16; BLOCK] = repeated([u16::MAX, 0, 0]);
    let same = |a: u16, b: u16| if a == b { u16::MAX } else { 0 };
    let mut found = [0; BLOCK];
    let mut rest = corners;
    while let Some(block) = rest.first_chunk::<{ BLOCK + 2 }>() {
        for at in 0..BLOCK {
            found[at] |= (same(block[at], block[at + 1]) & NEXT[at])
                | (same(block[at], block[at + 2]) & NEXT_BUT_ONE[at]);
        }
        rest = &rest[BLOCK..];
    }
    found != [0; BLOCK] || rest.as_chunks::<3>().0.iter().any(|[a, b, c]| a == b || b == c || a == c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(corners: &[u16]) -> Vec<u32> {
        corners.iter().map(|&corner| corner.into()).collect()
    }

    #[test]
    fn a_corner_that_is_wrong_is_found_wherever_it_stands() {
        for triangles in 0..40 {
            let sound: Vec<u16> = (0..triangles * 3).collect();
            let vertices = sound.len();
            assert!(are_sound_corners(&sound, vertices) && are_sound_long_corners(&long(&sound), vertices));
            for at in 0..vertices {
                assert!(!all_below(&sound, at) && !are_sound_long_corners(&long(&sound), at));
                // The others of its triangle; those of its neighbours may be the same.
                for other in (at / 3 * 3..at / 3 * 3 + 3).filter(|other| *other != at) {
                    let mut corners = sound.clone();
                    corners[at] = corners[other];
                    assert!(!are_sound_corners(&corners, vertices), "{at} as {other} of {vertices}");
                    assert!(!are_sound_long_corners(&long(&corners), vertices));
                }
                for other in [at.wrapping_sub(3), at + 3].into_iter().filter(|other| *other < vertices) {
                    let mut corners = sound.clone();
                    corners[at] = corners[other];
                    assert!(are_sound_corners(&corners, vertices), "{at} as {other} of {vertices}");
                }
            }
            assert!(triangles == 0 || !are_sound_corners(&sound[1..], vertices));
        }
        assert!(all_below(&[u16::MAX], 1 << 16) && all_below(&[u16::MAX], 1 << 20) && !all_below(&[0], 0));
    }
}
