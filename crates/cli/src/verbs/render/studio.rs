//! Renders the images of a model.

use std::collections::HashMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use assets::{Family, Lookup, Resolver};
use convert::NoteKind;
use model::Game;
use render::frame::{self, Framer, Options, Rules, Viewpoint, representative_time};
use render::pictures::{Picture, PictureOptions, Pictures};
use render::soft::{self, Image, Settings};
use scene::Scene;
use serde_json::{Value, json};
use texture::Decoder;

use super::args::{MOST_FRAMES, RenderArgs};
use super::movie::Failure;
use crate::input::{Problem, Source};
use crate::losses::Loss;
use crate::models::{self, Opened, names};
use crate::scenes::Scenes;

/// Renders models: the search for their files, and shared textures.
pub(super) struct Studio<'a> {
    args: &'a RenderArgs,
    scenes: Scenes,
    textures: Mutex<Textures>,
    settings: Settings,
}

/// Decoded textures, kept for other models.
#[derive(Default)]
struct Textures {
    by_path: HashMap<PathBuf, Arc<Picture>>,
    bytes: usize,
}

/// Decoded textures that are kept.
const KEPT_BYTES: usize = 128 << 20;

/// A model that is ready to be rendered.
pub(super) struct Subject<'s> {
    source: &'s Source,
    scene: Scene,
    family: frame::Family,
    rules: Rules,
    pictures: Pictures,
    pub(super) losses: Vec<Loss>,
}

/// A model with time and view.
pub(super) struct Shot<'s> {
    subject: &'s Subject<'s>,
    framer: Framer<'s>,
    options: Options,
    duration: f32,
}

impl<'a> Studio<'a> {
    pub(super) fn new(args: &'a RenderArgs, resolver: Resolver, models: usize) -> Self {
        let side = if args.sheet.is_some() { 256 } else { 512 };
        let [width, height] = args.size.unwrap_or([side, side]);
        // Several models are drawn at once, each by one thread; a single one by all.
        let jobs = args.jobs.jobs.and_then(|jobs| NonZero::new(usize::from(jobs)));
        let threads = if models > 1 { Some(NonZero::<usize>::MIN) } else { jobs };
        let settings = Settings { width, height, background: args.background, threads };
        Self { args, scenes: Scenes::new(resolver), textures: Mutex::default(), settings }
    }

    /// Width and height of a picture.
    pub(super) const fn size(&self) -> [u32; 2] {
        [self.settings.width, self.settings.height]
    }

    /// The search for what a model refers to.
    pub(super) fn lookup<'s>(&'s self, source: &'s Source) -> Lookup<'s> {
        self.scenes.lookup(source)
    }

    /// Reads a model and all that it needs.
    pub(super) fn subject<'s>(&self, source: &'s Source) -> Result<Subject<'s>, Problem> {
        let bytes = source.bytes()?;
        let document = match models::open(source, &bytes, self.args.forced, None)? {
            Opened::Document(document) => document,
            Opened::Gltf(import) => return Ok(self.imported(source, *import)),
        };
        let game = crate::guesses::game_of(source, &document);
        let (scene, report) = self.scenes.scene(source, &document, game);
        let notes = report.notes.into_iter().filter(|note| note.kind == NoteKind::Missing);
        let mut losses: Vec<Loss> = notes.map(Loss::from).collect();
        let options = self.picture_options();
        let lookup = self.scenes.lookup(source);
        let family = document.family();
        let pictures = Pictures::load(&scene, &options, |name| {
            self.texture(&lookup, name, family, options.max_side.unwrap_or(u32::MAX), &mut losses)
        });
        losses.extend(missing_textures(&scene, &pictures));
        let family = match family {
            Family::W3d => frame::Family::W3d,
            Family::Mdx => frame::Family::Mdx,
        };
        // The shaders of BFME II brighten up to twice the texture.
        let rules = Rules { overbright: game == Game::Bfme2, ..Rules::default() };
        Ok(Subject { source, scene, family, rules, pictures, losses })
    }

    /// A model that was read from glTF, which has its pictures with it.
    fn imported<'s>(&self, source: &'s Source, import: gltf::Import) -> Subject<'s> {
        let mut losses: Vec<Loss> = models::import_losses(&import);
        losses.retain(Loss::is_missing);
        let options = self.picture_options();
        let side = options.max_side.unwrap_or(u32::MAX);
        let pictures = Pictures::load(&import.scene, &options, |name| {
            let bytes = import.pictures.get(name)?;
            match Decoder::default().decode_up_to(bytes, side) {
                Ok(decoded) => picture(decoded, side).map(Arc::new),
                Err(error) => {
                    losses.push(Loss::one(NoteKind::Damaged, name.to_owned(), error.to_string()));
                    None
                }
            }
        });
        losses.extend(missing_textures(&import.scene, &pictures));
        let source_is = |test: &dyn Fn(&gltf::Source) -> bool| import.source.as_ref().is_some_and(test);
        let is_w3d = source_is(&|source| source.format == Family::W3d.name());
        let overbright = source_is(&|source| source.game == Game::Bfme2.name());
        let rules = Rules { overbright, ..Rules::default() };
        let family = if is_w3d { frame::Family::W3d } else { frame::Family::Mdx };
        Subject { source, scene: import.scene, family, rules, pictures, losses }
    }

    fn picture_options(&self) -> PictureOptions {
        let [width, height] = self.size();
        PictureOptions {
            team_color: self.args.show.team_color,
            // A model that fills the picture shows about half of a texture along each side.
            max_side: Some(width.max(height).saturating_mul(2).next_power_of_two()),
        }
    }

    /// A texture, decoded no larger than needed.
    fn texture(
        &self,
        lookup: &Lookup<'_>,
        name: &str,
        family: Family,
        side: u32,
        losses: &mut Vec<Loss>,
    ) -> Option<Arc<Picture>> {
        let found = lookup.texture(name, family)?;
        let textures = || self.textures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = textures().by_path.get(&found.path) {
            return Some(known.clone());
        }
        let bytes = self.scenes.read(&found)?;
        let is_tga = found.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tga"));
        let decoder = Decoder { assume_tga: is_tga, ..Decoder::default() };
        let decoded = match decoder.decode_up_to(&bytes, side) {
            Ok(decoded) => decoded,
            Err(error) => {
                losses.push(Loss::one(NoteKind::Damaged, name.to_owned(), error.to_string()));
                return None;
            }
        };
        let picture = Arc::new(picture(decoded, side)?);
        let size = picture.levels.iter().map(|level| level.len() * 4).sum::<usize>();
        let mut textures = textures();
        if textures.bytes + size > KEPT_BYTES {
            *textures = Textures::default();
        }
        textures.bytes += size;
        textures.by_path.insert(found.path, picture.clone());
        Some(picture)
    }
}

/// A decoded texture with all its smaller levels.
fn picture(decoded: texture::Texture, side: u32) -> Option<Picture> {
    let levels = decoded.mips.into_iter().map(|image| {
        let (width, height) = (image.width(), image.height());
        (width, height, image.pixels().as_chunks().0.to_vec())
    });
    let mut picture = Picture::from_levels(levels)?;
    picture.shrink(side);
    picture.complete();
    Some(picture)
}

/// The textures that were not found, each once.
fn missing_textures(scene: &Scene, pictures: &Pictures) -> Vec<Loss> {
    let missing = pictures.missing().iter();
    let mut missing: Vec<&str> =
        missing.filter_map(|id| Some(scene.textures.get(id.index())?.name.as_str())).collect();
    missing.sort_unstable();
    missing.dedup();
    let not_found = |name: &str| Loss::one(NoteKind::Missing, name.to_owned(), "texture not found");
    missing.into_iter().map(not_found).collect()
}

impl Subject<'_> {
    /// Chooses the moment and the view.
    pub(super) fn shot(&self, studio: &Studio<'_>) -> Result<Shot<'_>, Problem> {
        let args = studio.args;
        let framer = Framer::new(&self.scene).with_missing(self.pictures.missing());
        let [width, height] = studio.size();
        let chosen = Options::for_scene(&self.scene);
        let clip = match args.view.clip.as_deref() {
            None => chosen.clip,
            Some(name) if name.eq_ignore_ascii_case("none") => None,
            Some(name) => Some(models::clip(&self.scene, name, self.source)?),
        };
        let duration =
            clip.and_then(|clip| self.scene.clips.get(clip.index())).map_or(0.0, |clip| clip.duration);
        let turns = args.motion.turntable.is_some();
        let viewpoint = match &args.view.camera {
            Some(name) => Viewpoint::parse(name),
            // A camera of the model cannot turn around it.
            None if turns => Viewpoint::ISO,
            None => chosen.viewpoint.clone(),
        };
        let mut rules = self.rules;
        rules.particles.markers = args.show.markers;
        if let Viewpoint::Model(name) = &viewpoint
            && !framer.has_camera(name)
        {
            let known = names(self.scene.cameras.iter().map(|camera| camera.name.as_str()));
            let message = format!("no camera named {name}; {known}");
            let note = Some("or give --camera as front, side, top, iso, or yaw and pitch such as 30,20");
            return Err(Problem::system(&self.source.path, message, note));
        }
        let start = if args.motion.animate { 0.0 } else { representative_time(duration) };
        let mut options = Options {
            family: Some(self.family),
            clip,
            time: args.view.time.unwrap_or(start),
            aspect: width as f32 / height as f32,
            viewpoint,
            team_color: args.show.team_color,
            light: args.view.light.clone(),
            overlays: args.show.overlays(),
            particles: !args.show.no_particles,
            rules,
            ..chosen
        };
        if args.motion.animate || turns {
            // The camera keeps its distance.
            options.framed = framer.bounds(&options);
        }
        Ok(Shot { subject: self, framer, options, duration })
    }
}

impl Shot<'_> {
    /// The length of the clip in seconds; zero without one.
    pub(super) const fn duration(&self) -> f32 {
        self.duration
    }

    /// Looks from outside at a portrait, too.
    pub(super) fn orbit(&mut self) {
        if !matches!(self.options.viewpoint, Viewpoint::Orbit { .. }) {
            self.options.viewpoint = Viewpoint::ISO;
        }
    }

    /// Lets the camera keep its distance from now on.
    pub(super) fn keep_distance(&mut self) {
        self.options.framed = self.framer.bounds(&self.options);
    }

    /// How many pictures its animation has.
    pub(super) fn frames(&self, args: &RenderArgs) -> Result<u32, Problem> {
        let failed =
            |message: &str, note: &str| Problem::system(&self.subject.source.path, message, Some(note));
        if let Some(count) = args.motion.turntable {
            if !matches!(self.options.viewpoint, Viewpoint::Orbit { .. }) {
                let note = "give --camera as front, side, top, iso, or yaw and pitch";
                return Err(failed("a camera of the model cannot be used with --turntable", note));
            }
            return Ok(count);
        }
        if self.options.clip.is_none() {
            // Among many models some cannot move.
            if args.out_dir.is_some() {
                return Ok(1);
            }
            return Err(failed("the model has no clip to play", "use --turntable N instead"));
        }
        let count = (self.duration * args.motion.fps as f32).round();
        if count > MOST_FRAMES as f32 {
            let message = format!("the clip is {} seconds long, which is {count} frames", self.duration);
            return Err(failed(&message, &format!("the limit is {MOST_FRAMES}; give a lower --fps")));
        }
        Ok((count as u32).max(1))
    }

    /// Draws the picture of this number.
    pub(super) fn draw(&self, studio: &Studio<'_>, number: u32, count: u32) -> Result<Image, Failure> {
        let motion = &studio.args.motion;
        let later = if motion.animate { number as f32 / motion.fps as f32 } else { 0.0 };
        let turned = if motion.turntable.is_some() { 360.0 * number as f32 / count as f32 } else { 0.0 };
        self.draw_moved(studio, later, turned)
    }

    /// Draws it some seconds later, from a camera that has turned around the model by some degrees.
    pub(super) fn draw_moved(&self, studio: &Studio<'_>, later: f32, turned: f32) -> Result<Image, Failure> {
        let mut options = self.options.clone();
        options.time += later;
        if let Viewpoint::Orbit { yaw, .. } = &mut options.viewpoint {
            *yaw += turned;
        }
        let frame = self.framer.frame(&options);
        soft::draw(&frame, &self.subject.pictures, &studio.settings).map_err(|error| error.to_string())
    }

    /// Facts about the image, for `--json`.
    pub(super) fn facts(&self, studio: &Studio<'_>) -> Value {
        let clip = self.options.clip.and_then(|clip| self.subject.scene.clips.get(clip.index()));
        let [width, height] = studio.size();
        let camera = self.framer.camera(&self.options);
        let textures = &self.subject.scene.textures;
        let missing = self.subject.pictures.missing().iter();
        let missing: Vec<&str> =
            missing.filter_map(|id| Some(textures.get(id.index())?.name.as_str())).collect();
        json!({
            "file": null,
            "picture": null,
            "width": width,
            "height": height,
            "frames": 1,
            "clip": clip.map(|clip| clip.name.as_str()),
            "time": self.options.time,
            "camera": {
                "position": camera.position.to_array(),
                "view": camera.view.to_cols_array(),
                "projection": camera.projection.to_cols_array(),
            },
            "missing_textures": missing,
        })
    }
}
