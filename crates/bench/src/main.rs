//! How fast Meshwright is: `cargo xtask bench`.

use bench::{Row, Table, copy_into_fresh_memory};

/// Odd, so that the median is a run that happened.
const RUNS: usize = 15;

const MEBIBYTE: usize = 1 << 20;

fn main() {
    for size in [MEBIBYTE, 16 * MEBIBYTE] {
        let bytes = sample_bytes(size);
        let table =
            Table::new(Row::measure("copy into fresh memory", size, RUNS, || copy_into_fresh_memory(&bytes)));
        println!("{} MiB, median of {RUNS} runs\n{table}", size / MEBIBYTE);
    }
}

/// Bytes without a pattern, the same ones every time (xorshift).
fn sample_bytes(size: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut bytes = Vec::with_capacity(size + 8);
    while bytes.len() < size {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(size);
    bytes
}
