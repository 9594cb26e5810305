//! Decodes every animation channel of a folder's files and checks the rotations: `cargo run --release --bin channels DIR [TOLERANCE]`
//!
//! Rotations that are added up from differences are not normalised, but a decoder that reads them wrongly soon gives something
//! that is no rotation at all. Ends with 1 if a norm is further than the tolerance, 0.005, from 1.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use w3d::W3d;
use w3d::codec::{self, Values};
use w3d::names::ChannelType;
use w3d::records::MotionChannel;

/// What was seen of one way of storing channels.
struct Seen {
    channels: usize,
    rotations: usize,
    norms: (f32, f32),
    /// The largest difference between the first and the last frame, where frames are stored; small in animations that loop.
    gap: Option<f32>,
}

impl Default for Seen {
    fn default() -> Self {
        Self { channels: 0, rotations: 0, norms: (f32::MAX, f32::MIN), gap: None }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn storage(node: &w3d::Node<'_>) -> String {
    let flavor = node.value::<MotionChannel>().map(|channel| format!(" {:?}", channel.flavor));
    let deltas = if node.is(&w3d::table::ADAPTIVE_DELTA_CHANNEL) { " ADAPTIVE_DELTA" } else { "" };
    format!("{}{deltas}{}", node.name(), flavor.unwrap_or_default())
}

fn main() -> ExitCode {
    let folder = std::env::args().nth(1).unwrap_or_default();
    let tolerance = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(0.005);
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    paths.sort();
    let mut total: BTreeMap<String, Seen> = BTreeMap::new();
    let mut wrong = 0;
    for path in &paths {
        let bytes = std::fs::read(path).unwrap_or_default();
        let Ok(file) = W3d::parse(&bytes) else { continue };
        for animation in file.animations() {
            for node in animation.0.children() {
                let Some(channel) = codec::decode(node) else { continue };
                let seen = total.entry(storage(node)).or_default();
                seen.channels += 1;
                let (components, values, frames) = match &channel.values {
                    Values::Frames { components, values, .. } => (*components, values, true),
                    Values::Keys { components, values, .. } => (*components, values, false),
                    Values::Bits { .. } | Values::Switches(_) => continue,
                };
                if components == 0 || values.len() < components {
                    continue;
                }
                if frames {
                    let last = &values[values.len() - components..];
                    let gap =
                        values.iter().zip(last).map(|(first, last)| (first - last).abs()).fold(0.0, f32::max);
                    seen.gap = Some(seen.gap.map_or(gap, |largest| largest.max(gap)));
                }
                if channel.target != ChannelType::Q || components != 4 {
                    continue;
                }
                seen.rotations += 1;
                let norm = |rotation: &[f32]| rotation.iter().map(|value| value * value).sum::<f32>().sqrt();
                let norms: Vec<f32> = values.chunks_exact(4).map(norm).collect();
                let least = norms.iter().copied().fold(f32::MAX, f32::min);
                let greatest = norms.iter().copied().fold(f32::MIN, f32::max);
                seen.norms = (seen.norms.0.min(least), seen.norms.1.max(greatest));
                // Written so that NaN is wrong too.
                if !norms.iter().all(|norm| (norm - 1.0).abs() <= tolerance) {
                    let (name, pivot) = (animation.name(), channel.pivot);
                    println!("{}: {name}, pivot {pivot}: norms {least:.6} to {greatest:.6}", path.display());
                    wrong += 1;
                }
            }
        }
    }
    for (name, seen) in &total {
        let Seen { channels, rotations, norms, gap } = seen;
        println!("{name}: {channels} channels, {rotations} rotations");
        if *rotations > 0 {
            println!("    norms {:.6} to {:.6}", norms.0, norms.1);
        }
        if let Some(gap) = gap {
            println!("    largest gap between first and last frame {gap:.6}");
        }
    }
    println!("{} files, {wrong} channels outside {tolerance}", paths.len());
    if wrong == 0 && !total.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
