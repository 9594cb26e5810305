//! Renders the images of a model.

use std::num::NonZero;

use meshwright::render::frame::{Framer, Options, Viewpoint, representative_time};
use meshwright::render::soft::{self, Image, Settings};
use meshwright::scene::{ClipId, Note, NoteKind, Scene};
use meshwright::{Chosen, Drawing, PictureStore, Workspace, find_clip, is_gltf};
use serde_json::{Value, json};

use super::args::{MAX_FRAMES, RenderArgs};
use super::movie::Failure;
use crate::input::{Problem, Source};

/// Renders models: the search for their files, and shared textures.
pub(super) struct Studio<'a> {
    args: &'a RenderArgs,
    workspace: Workspace,
    pictures: PictureStore,
    settings: Settings,
}

/// A model that is ready to be rendered.
pub(super) struct Subject<'s> {
    source: &'s Source,
    drawing: Drawing,
    pub(super) losses: Vec<Note>,
}

/// A model with time and view.
pub(super) struct Shot<'s> {
    subject: &'s Subject<'s>,
    framer: Framer<'s>,
    options: Options,
    duration: f32,
}

impl<'a> Studio<'a> {
    pub(super) fn new(args: &'a RenderArgs, workspace: Workspace, models: usize) -> Self {
        let side = if args.sheet.is_some() { 256 } else { 512 };
        let [width, height] = args.size.unwrap_or([side, side]);
        // Several models are drawn at once, each by one thread; a single one by all.
        let jobs = args.jobs.jobs.and_then(|jobs| NonZero::new(usize::from(jobs)));
        let threads = if models > 1 { Some(NonZero::<usize>::MIN) } else { jobs };
        let settings = Settings { width, height, background: args.background, threads };
        Self { args, workspace, pictures: PictureStore::for_picture(&settings), settings }
    }

    /// Width and height of a picture.
    pub(super) const fn size(&self) -> [u32; 2] {
        [self.settings.width, self.settings.height]
    }

    /// The files, and the search for what models refer to.
    pub(super) const fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Reads a model and all that it needs.
    pub(super) fn subject<'s>(&self, source: &'s Source) -> Result<Subject<'s>, Problem> {
        let bytes = source.bytes()?;
        let path = source.file();
        let mut loaded = if is_gltf(&bytes, path, self.args.forced) {
            let import = self.workspace.read_gltf(&bytes, path, None);
            self.workspace.load_gltf(import.map_err(|error| source.problem(&bytes, error))?)
        } else {
            self.workspace.load(&source.parse(&bytes, self.args.forced)?.document, path)
        };
        let mut losses = std::mem::take(&mut loaded.report).into_notes();
        losses.retain(|note| note.kind == NoteKind::Missing);
        let drawing = loaded.drawing(&self.pictures, self.args.show.team_color);
        losses.extend(drawing.report.notes.iter().cloned());
        Ok(Subject { source, drawing, losses })
    }
}

impl Subject<'_> {
    /// Chooses the moment and the view.
    pub(super) fn shot(&self, studio: &Studio<'_>) -> Result<Shot<'_>, Problem> {
        let args = studio.args;
        let (framer, scene) = (self.drawing.framer(), &self.drawing.scene);
        let chosen = self.drawing.options(&studio.settings);
        let clip = match args.view.clip.as_deref() {
            // An animation needs a clip; a picture takes the rest pose if none is the usual one.
            None => chosen.clip.or_else(|| {
                let first = !scene.clips.is_empty();
                (args.motion.animate && first).then_some(ClipId(0))
            }),
            Some(name) if name.eq_ignore_ascii_case("none") => None,
            Some(name) => {
                Some(find_clip(scene, name).map_err(|error| Problem::of(&self.source.path, error))?)
            }
        };
        let duration = clip_length(scene, clip);
        let turns = args.motion.turntable.is_some();
        let viewpoint = match &args.view.camera {
            Some(name) => Viewpoint::parse(name),
            // A camera of the model cannot turn around it.
            None if turns => Viewpoint::ISO,
            None => chosen.viewpoint.clone(),
        };
        let mut rules = chosen.rules;
        rules.particles.markers = args.show.markers;
        if let Viewpoint::Model(name) = &viewpoint
            && !framer.has_camera(name)
        {
            let known = scene.cameras.iter().map(|camera| camera.name.clone()).collect();
            let error = meshwright::Error::NotInModel { what: "camera", name: name.clone(), known };
            let note = Some("or give --camera as front, side, top, iso, or yaw and pitch such as 30,20");
            return Err(Problem::system(&self.source.path, error.to_string(), note));
        }
        let start = if args.motion.animate { 0.0 } else { representative_time(duration) };
        let mut options = Options {
            clip,
            time: args.view.time.unwrap_or(start),
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
        if count > MAX_FRAMES as f32 {
            let message = format!("the clip is {} seconds long, which is {count} frames", self.duration);
            return Err(failed(&message, &format!("the limit is {MAX_FRAMES}; give a lower --fps")));
        }
        Ok((count as u32).max(1))
    }

    /// Draws one picture, at a moment that shows something unless the user chose the moment.
    pub(super) fn still(&mut self, studio: &Studio<'_>) -> Result<Image, Failure> {
        let view = &studio.args.view;
        let chosen = Chosen { clip: view.clip.is_some(), time: view.time.is_some() };
        let drawing = &self.subject.drawing;
        let (image, options) = drawing
            .still(self.options.clone(), &studio.settings, chosen)
            .map_err(|error| error.to_string())?;
        self.duration = clip_length(&drawing.scene, options.clip);
        self.options = options;
        Ok(image)
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
        soft::draw(&frame, &self.subject.drawing.pictures, &studio.settings)
            .map_err(|error| error.to_string())
    }

    /// Facts about the image, for `--json`.
    pub(super) fn facts(&self, studio: &Studio<'_>) -> Value {
        let clip = self.options.clip.and_then(|clip| self.subject.drawing.scene.clips.get(clip.index()));
        let [width, height] = studio.size();
        let camera = self.framer.camera(&self.options);
        let textures = &self.subject.drawing.scene.textures;
        let missing = self.subject.drawing.pictures.missing().iter();
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

/// The length of a clip in seconds; zero without one.
fn clip_length(scene: &Scene, clip: Option<ClipId>) -> f32 {
    clip.and_then(|clip| scene.clips.get(clip.index())).map_or(0.0, |clip| clip.duration)
}
