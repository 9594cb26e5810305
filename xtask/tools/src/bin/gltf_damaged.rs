//! Damages models at random, converts them, and writes what comes out as glTF, for a judge: `gltf_damaged FOLDER SEED COUNT [FILES...]`
//!
//! Without files the sample models of all formats are taken. A seed and a number always give the same case. Says which cases panic
//! (exit code 1), and which take long or grow out of proportion.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

use convert::w3d::Library;
use meshwright_gltf::{GlobalSequences, Levels, Options, Picture, Visibility, write_glb};
use record::Node;
use texture::Image;
use w3d::W3d;

/// What nobody should have to wait for.
const SLOW: Duration = Duration::from_secs(1);

/// How many times its source, and beside it how many bytes, a file may have before it is mentioned.
const LARGE: (usize, usize) = (50, 2_000_000);

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut words = env::args_os().skip(1);
    let usage = "usage: gltf_damaged FOLDER SEED COUNT [FILES...]";
    let folder = PathBuf::from(words.next().ok_or(usage)?);
    let mut number = || words.next().and_then(|word| word.to_str()?.parse::<u64>().ok()).ok_or(usage);
    let (seed, count) = (number()?, number()?);
    let files: Vec<PathBuf> = words.map(PathBuf::from).collect();
    let mut models = Vec::new();
    for file in &files {
        models.push((file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), fs::read(file)?));
    }
    if models.is_empty() {
        models.push(("crate".to_owned(), w3d::sample::crate_box()));
        models.push(("every-chunk".to_owned(), w3d::sample::every_chunk()));
        models.extend(mdx::build::samples().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)));
    }
    fs::create_dir_all(&folder)?;
    let mut panics = 0;
    for case in seed..seed + count {
        let mut dice = Dice::new(case);
        let (name, sound) = &models[dice.roll(models.len())];
        let damaged = damage(sound, &mut dice);
        let options = options(&mut dice);
        let start = Instant::now();
        let converted = catch_unwind(AssertUnwindSafe(|| convert(&damaged, &options)));
        let taken = start.elapsed();
        match converted {
            Ok(Some(glb)) => {
                let most = LARGE.1.max(damaged.len().saturating_mul(LARGE.0));
                if taken > SLOW || glb.len() > most {
                    println!("{case} {name}: {taken:.1?}, {} bytes became {}", damaged.len(), glb.len());
                }
                fs::write(folder.join(format!("{case:08} {name}.glb")), glb)?;
            }
            Ok(None) if taken > SLOW => println!("{case} {name}: {taken:.1?} to be refused"),
            Ok(None) => {}
            Err(_) => {
                panics += 1;
                println!("{case} {name}: it panics");
            }
        }
    }
    println!("{count} cases, {panics} panics");
    Ok(if panics == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn convert(bytes: &[u8], options: &Options) -> Option<Vec<u8>> {
    let scene = if let Ok(document) = mdx::Document::parse(bytes) {
        convert::mdx::to_scene(&document, &Default::default()).0
    } else {
        let file = W3d::parse(bytes).ok()?;
        convert::w3d::to_scene(&Library::new(&file), None, &Default::default()).0
    };
    // Materials have more to say where there is a texture.
    let pixel = Image::new(1, 1, vec![255; 4]).ok();
    let mut textures = |_: &str| pixel.clone().map(Picture::Image);
    write_glb(&scene, options, &mut textures).ok().map(|glb| glb.bytes)
}

fn options(dice: &mut Dice) -> Options {
    Options {
        levels: [Levels::Highest, Levels::Separate, Levels::MsftLod][dice.roll(3)],
        visibility: [Visibility::Scale, Visibility::Extension, Visibility::Off][dice.roll(3)],
        global_sequences: [GlobalSequences::Separate, GlobalSequences::Bake][dice.roll(2)],
        hidden_meshes: dice.roll(2) == 0,
        ..Options::default()
    }
}

/// The bytes with something wrong in them: usually inside the parts of the file, whose sizes stay right, so that the damage is seen by
/// the conversion and not by the parser.
fn damage(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut root = match (mdx::Document::parse(bytes), W3d::parse(bytes)) {
        (Ok(document), _) => document.root.into_owned(),
        (_, Ok(file)) => file.root.into_owned(),
        _ => return bytes.to_vec(),
    };
    for _ in 0..=dice.roll(6) {
        damage_node(&mut root, dice);
    }
    let mut damaged = root.to_bytes().unwrap_or_else(|_| bytes.to_vec());
    if dice.roll(20) == 0 {
        damaged.truncate(dice.roll(damaged.len()));
    }
    for _ in 0..dice.roll(40).saturating_sub(36) {
        let at = dice.roll(damaged.len());
        if let Some(byte) = damaged.get_mut(at) {
            *byte ^= 1 << dice.roll(8);
        }
    }
    damaged
}

/// Goes down to a leaf and damages that, or on the way there a list of parts.
fn damage_node(node: &mut Node<'_>, dice: &mut Dice) {
    if let Some(children) = node.children_mut() {
        if children.is_empty() {
            return;
        }
        let (one, other) = (dice.roll(children.len()), dice.roll(children.len()));
        match dice.roll(40) {
            0 => drop(children.remove(one)),
            1 => children.insert(other, children[one].clone()),
            2 => children.swap(one, other),
            _ => damage_node(&mut children[one], dice),
        }
        return;
    }
    let Some(bytes) = node.bytes_mut().filter(|bytes| !bytes.is_empty()) else { return };
    match dice.roll(16) {
        0 => bytes.truncate(dice.roll(bytes.len())),
        1 if bytes.len() < 100_000 => bytes.extend_from_within(..),
        2 => {
            let word = dice.word();
            bytes.chunks_exact_mut(4).for_each(|chunk| chunk.copy_from_slice(&word.to_le_bytes()));
        }
        3 => {
            let (from, to) = (dice.roll(bytes.len()), dice.roll(bytes.len()));
            let length = dice.roll(64).min(bytes.len() - from.max(to));
            bytes.copy_within(from..from + length, to);
        }
        4 => {
            let at = dice.roll(bytes.len());
            bytes[at] = dice.word() as u8;
        }
        _ => {
            for _ in 0..=dice.roll(4) {
                // Nearly everything is aligned to two bytes at least.
                let at = dice.roll(bytes.len()) & !(if dice.roll(4) == 0 { 1 } else { 3 });
                let word = dice.word().to_le_bytes();
                let width = if dice.roll(5) == 0 { 2 } else { 4 };
                bytes[at..].iter_mut().zip(&word[..width]).for_each(|(byte, new)| *byte = *new);
            }
        }
    }
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        dice.roll(2);
        dice
    }

    /// Less than `sides`, or zero if that is zero.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize).checked_rem(sides).unwrap_or(0)
    }

    /// A word that hurts, as a count, an index, flags or a number.
    fn word(&mut self) -> u32 {
        const COUNTS: [u32; 14] =
            [0, 1, 2, 3, 5, 16, 255, 256, 1000, 0xFFFF, 0x0001_0000, i32::MAX as u32, 0x8000_0000, u32::MAX];
        const FLOATS: [f32; 20] = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN,
            f32::MIN_POSITIVE,
            1e-45,
            -1e-45,
            1e30,
            -1e20,
            1e10,
            1e-10,
            -0.0,
            0.5,
            -1.0,
            1.0,
            2.0,
            100.0,
            -1000.0,
            16_777_216.0,
        ];
        match self.roll(8) {
            0..=2 => COUNTS[self.roll(COUNTS.len())],
            3..=6 => FLOATS[self.roll(FLOATS.len())].to_bits(),
            _ => self.roll(usize::MAX) as u32,
        }
    }
}
