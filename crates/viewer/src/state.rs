//! Everything that the user can choose, as plain data: in the address of the web page, and as flags of the program.

use crate::orbit::Orbit;
use meshwright::render::frame::{Channel, LIGHT_RIGS, LevelChoice, LightRig, Wireframe};
use meshwright::scene::team_color;

/// What happens at the end of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopMode {
    /// As the file says.
    #[default]
    AsStored,
    /// Start again.
    Loop,
    /// Stop.
    Once,
    /// Play backwards.
    PingPong,
    /// Play the next clip.
    NextClip,
}

impl LoopMode {
    /// All modes with their names and labels.
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::AsStored, "stored", "As stored"),
        (Self::Loop, "loop", "Loop"),
        (Self::Once, "once", "Once"),
        (Self::PingPong, "pingpong", "Ping-pong"),
        (Self::NextClip, "all", "All clips"),
    ];
}

/// The tabs of the side panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The panel is closed.
    None,
    /// Clips of the model.
    Clips,
    /// Settings of the picture.
    #[default]
    Display,
    /// Nodes and parts.
    Parts,
    /// Chunks and fields.
    Chunks,
    /// Textures.
    Textures,
    /// Findings and missing files.
    Problems,
    /// Counts.
    Statistics,
}

impl Tab {
    /// All tabs with their names and labels.
    pub const ALL: [(Self, &'static str, &'static str); 8] = [
        (Self::None, "none", "Hide"),
        (Self::Clips, "clips", "Clips"),
        (Self::Display, "display", "Display"),
        (Self::Parts, "parts", "Parts"),
        (Self::Chunks, "chunks", "Chunks"),
        (Self::Textures, "textures", "Textures"),
        (Self::Problems, "problems", "Problems"),
        (Self::Statistics, "statistics", "Statistics"),
    ];
}

/// Everything that the user can choose.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Name of the clip; empty chooses the one that shows the model best, `none` is the rest pose.
    pub clip: String,
    /// Seconds since the clip started. Particles go on when the clip starts again.
    pub time: f32,
    /// Whether time passes.
    pub playing: bool,
    /// Factor of the time.
    pub speed: f32,
    /// What happens at the end of the clip.
    pub looping: LoopMode,
    /// The camera.
    pub orbit: Orbit,
    /// Name of a camera of the model, which is used instead; empty without one.
    pub model_camera: String,
    /// Player colour.
    pub team_color: Option<[u8; 3]>,
    /// Name of the light rig; empty is the usual one of the family.
    pub light: String,
    /// Colour behind the model.
    pub background: [u8; 3],
    /// Grid on the ground.
    pub grid: bool,
    /// Edges of triangles.
    pub wireframe: Wireframe,
    /// Normals of vertices.
    pub normals: bool,
    /// The skeleton.
    pub bones: bool,
    /// Names of bones, attachment points and cameras that are shown.
    pub names: bool,
    /// Attachment points.
    pub attachments: bool,
    /// Bounding box and sphere.
    pub extents: bool,
    /// Collision shapes.
    pub collision: bool,
    /// Cameras of the model.
    pub cameras: bool,
    /// Particles, ribbons and other effects.
    pub particles: bool,
    /// Marks where events, emitted models and effects would need other files.
    pub markers: bool,
    /// Level of detail.
    pub level: LevelChoice,
    /// What is shown instead of the shaded surface.
    pub channel: Channel,
    /// Tab of the side panel.
    pub tab: Tab,
    /// Whether the file is read again when it changes.
    pub watch: bool,
    /// Draw on the processor even if there is a graphics card.
    pub software: bool,
}

/// The usual colour behind the model. Both glow and black are visible on it.
pub const GREY: [u8; 3] = [90, 94, 102];

impl Default for State {
    fn default() -> Self {
        Self {
            clip: String::new(),
            time: 0.0,
            playing: true,
            speed: 1.0,
            looping: LoopMode::default(),
            orbit: Orbit::default(),
            model_camera: String::new(),
            team_color: None,
            light: String::new(),
            background: GREY,
            grid: false,
            wireframe: Wireframe::Off,
            normals: false,
            bones: false,
            names: false,
            attachments: false,
            extents: false,
            collision: false,
            cameras: false,
            particles: true,
            markers: false,
            level: LevelChoice::Highest,
            channel: Channel::Shaded,
            tab: Tab::default(),
            watch: true,
            software: false,
        }
    }
}

/// One choice: its name in addresses and flags, how it is read and how it is written.
pub struct Setting {
    /// Name, as in `--grid` and `?grid=on`.
    pub name: &'static str,
    /// What the value is, for the help; empty for switches, which are `on` or `off`.
    pub value: &'static str,
    /// What it does.
    pub help: &'static str,
    get: fn(&State) -> String,
    set: fn(&mut State, &str) -> Result<(), String>,
}

macro_rules! switch {
    ($name:literal, $field:ident, $help:literal) => {
        Setting {
            name: $name,
            value: "",
            help: $help,
            get: |state| switch_text(state.$field),
            set: |state, text| {
                state.$field = read_switch(text)?;
                Ok(())
            },
        }
    };
}

/// All settings.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "clip",
        value: "NAME",
        help: "Play this clip, given by name; none is the rest pose",
        get: |state| state.clip.clone(),
        set: |state, text| {
            state.clip = text.to_owned();
            Ok(())
        },
    },
    Setting {
        name: "time",
        value: "SECONDS",
        help: "Start at this time of the clip",
        get: |state| number_text(state.time),
        set: |state, text| {
            state.time = read_number(text, 0.0, 1e6)?;
            Ok(())
        },
    },
    switch!("play", playing, "Play the clip"),
    Setting {
        name: "speed",
        value: "FACTOR",
        help: "Play faster or slower, from 0.05 to 8",
        get: |state| number_text(state.speed),
        set: |state, text| {
            state.speed = read_number(text, 0.05, 8.0)?;
            Ok(())
        },
    },
    Setting {
        name: "loop",
        value: "MODE",
        help: "At the end of the clip: stored, loop, once, pingpong, or all for the next clip",
        get: |state| name_of(&LoopMode::ALL, state.looping),
        set: |state, text| {
            state.looping = named(&LoopMode::ALL, text)?;
            Ok(())
        },
    },
    Setting {
        name: "camera",
        value: "VIEW",
        help: "Look from front, back, left, right, top, bottom or iso, or from yaw and pitch such as 30,20",
        get: |state| state.orbit.to_text(),
        set: |state, text| state.orbit.read(text),
    },
    Setting {
        name: "orthographic",
        value: "",
        help: "Show parallel lines as parallel",
        get: |state| switch_text(state.orbit.orthographic),
        set: |state, text| {
            state.orbit.orthographic = read_switch(text)?;
            Ok(())
        },
    },
    Setting {
        name: "model-camera",
        value: "NAME",
        help: "Look through this camera of the model",
        get: |state| state.model_camera.clone(),
        set: |state, text| {
            state.model_camera = text.to_owned();
            Ok(())
        },
    },
    Setting {
        name: "team-color",
        value: "COLOUR",
        help: "Team colour: RRGGBB, a name such as blue or bfme:red, a player number from 0 to 23, or none",
        get: |state| state.team_color.map_or_else(|| "none".to_owned(), hex),
        set: |state, text| {
            state.team_color = match text {
                "none" | "" => None,
                _ => Some(read_team_color(text).ok_or("expected RRGGBB, a colour name or a player number")?),
            };
            Ok(())
        },
    },
    Setting {
        name: "light",
        value: "NAME",
        help: "Light: game, w3dview, viewer, contrast or flat",
        get: |state| if state.light.is_empty() { "game".to_owned() } else { state.light.clone() },
        set: |state, text| {
            let is_usual = text.is_empty() || text.eq_ignore_ascii_case("game");
            if !is_usual && LightRig::named(text).is_none() {
                return Err(format!("unknown light; available: game, {}", LIGHT_RIGS.join(", ")));
            }
            state.light = if is_usual { String::new() } else { text.to_ascii_lowercase() };
            Ok(())
        },
    },
    Setting {
        name: "background",
        value: "COLOUR",
        help: "Background: RRGGBB, black, white or grey",
        get: |state| hex(state.background),
        set: |state, text| {
            state.background = match text.to_ascii_lowercase().as_str() {
                "black" => [0; 3],
                "white" => [255; 3],
                "grey" | "gray" => GREY,
                other => read_hex(other).ok_or("expected RRGGBB, black, white or grey")?,
            };
            Ok(())
        },
    },
    switch!("grid", grid, "Show a grid on the ground"),
    Setting {
        name: "wireframe",
        value: "HOW",
        help: "Show the edges of triangles: off, over or only",
        get: |state| name_of(&WIREFRAMES, state.wireframe),
        set: |state, text| {
            state.wireframe = if text == "on" { Wireframe::Over } else { named(&WIREFRAMES, text)? };
            Ok(())
        },
    },
    switch!("normals", normals, "Show the normals of vertices"),
    switch!("bones", bones, "Show the skeleton"),
    switch!("names", names, "Show the names of bones, attachment points and cameras"),
    switch!("attachments", attachments, "Show attachment points"),
    switch!("extents", extents, "Show the bounding box and sphere"),
    switch!("collision", collision, "Show collision shapes"),
    switch!("cameras", cameras, "Show the cameras of the model"),
    switch!("particles", particles, "Show particles, ribbons and other effects"),
    switch!("markers", markers, "Show a glow where events and effects would need other files"),
    Setting {
        name: "level",
        value: "LEVEL",
        help: "Level of detail: highest, auto (by size), or a number from 0",
        get: |state| match state.level {
            LevelChoice::Highest => "highest".to_owned(),
            LevelChoice::Auto => "auto".to_owned(),
            LevelChoice::Number(number) => number.to_string(),
        },
        set: |state, text| {
            state.level = match text {
                "highest" => LevelChoice::Highest,
                "auto" => LevelChoice::Auto,
                number => {
                    LevelChoice::Number(number.parse().map_err(|_| "expected highest, auto or a number")?)
                }
            };
            Ok(())
        },
    },
    Setting {
        name: "channel",
        value: "NAME",
        help: "Show a texture channel or a vertex attribute: shaded, texture, alpha, normals, uv, and others",
        get: |state| state.channel.name().to_owned(),
        set: |state, text| {
            let names: Vec<&str> = Channel::ALL.iter().map(|channel| channel.name()).collect();
            let wrong = || format!("unknown channel; available: {}", names.join(", "));
            state.channel = Channel::named(text).ok_or_else(wrong)?;
            Ok(())
        },
    },
    Setting {
        name: "panel",
        value: "TAB",
        help: "Show this tab of the side panel: clips, display, parts, chunks, textures, problems, statistics or none",
        get: |state| name_of(&Tab::ALL, state.tab),
        set: |state, text| {
            state.tab = named(&Tab::ALL, text)?;
            Ok(())
        },
    },
    switch!("watch", watch, "Read the file again when it changes"),
    switch!("software", software, "Draw on the processor even if there is a graphics card"),
];

/// Ways to show edges, with their names and labels.
pub const WIREFRAMES: [(Wireframe, &str, &str); 3] = [
    (Wireframe::Off, "off", "Off"),
    (Wireframe::Over, "over", "Over the model"),
    (Wireframe::Only, "only", "Only edges"),
];

impl State {
    /// Sets one choice by its name.
    ///
    /// # Errors
    /// If there is no such setting, or the value is invalid.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let setting = SETTINGS.iter().find(|setting| setting.name == name);
        let setting = setting.ok_or_else(|| format!("unknown setting {name}"))?;
        (setting.set)(self, value).map_err(|reason| format!("invalid value {value:?} for {name}: {reason}"))
    }

    /// The text of one choice.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<String> {
        SETTINGS.iter().find(|setting| setting.name == name).map(|setting| (setting.get)(self))
    }

    /// All choices that differ from the default, as names and values.
    #[must_use]
    pub fn changes(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        let changed = SETTINGS.iter().filter(|setting| (setting.get)(self) != (setting.get)(&usual));
        changed.map(|setting| (setting.name, (setting.get)(self))).collect()
    }

    /// The query of an address, without the question mark.
    ///
    /// ```
    /// use viewer::State;
    /// let mut state = State::default();
    /// state.clip = "Stand - 1".into();
    /// state.grid = true;
    /// assert_eq!(state.to_query(), "clip=Stand%20-%201&grid=on");
    /// ```
    #[must_use]
    pub fn to_query(&self) -> String {
        let pairs = self.changes().into_iter().map(|(name, value)| format!("{name}={}", escape(&value)));
        pairs.collect::<Vec<_>>().join("&")
    }

    /// Reads the query of an address, with or without the question mark. Unknown names are ignored, since the page may have its own;
    /// invalid values are returned as sentences.
    pub fn read_query(&mut self, query: &str) -> Vec<String> {
        let mut problems = Vec::new();
        for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, "on"));
            if SETTINGS.iter().any(|setting| setting.name == name)
                && let Err(problem) = self.set(name, &unescape(value))
            {
                problems.push(problem);
            }
        }
        problems
    }

    /// The flags that bring this state back.
    #[must_use]
    pub fn to_flags(&self) -> Vec<String> {
        self.changes().into_iter().map(|(name, value)| format!("--{name}={value}")).collect()
    }
}

/// Finds a value by its name.
fn named<T: Copy>(all: &[(T, &'static str, &'static str)], text: &str) -> Result<T, String> {
    let found = all.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(text));
    found.map(|(value, ..)| *value).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(_, name, _)| *name).collect();
        format!("expected {}", names.join(", "))
    })
}

fn name_of<T: Copy + PartialEq>(all: &[(T, &'static str, &'static str)], value: T) -> String {
    all.iter().find(|(known, ..)| *known == value).map_or("", |(_, name, _)| *name).to_owned()
}

fn switch_text(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

fn read_switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "on" | "1" | "true" | "yes" | "" => Ok(true),
        "off" | "0" | "false" | "no" => Ok(false),
        _ => Err("expected on or off".to_owned()),
    }
}

fn read_number(text: &str, min: f32, max: f32) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| (min..=max).contains(number));
    number.ok_or_else(|| format!("expected a number from {min} to {max}"))
}

/// A number with at most three digits after the point.
pub(crate) fn number_text(number: f32) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A colour as six digits.
pub(crate) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("{red:02x}{green:02x}{blue:02x}")
}

fn read_hex(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

/// A colour, or the colour of a Warcraft III player.
fn read_team_color(text: &str) -> Option<[u8; 3]> {
    let is_number = text.len() < 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let player = || team_color::WARCRAFT[..24].get(text.parse::<usize>().ok()?).map(|team| team.color);
    if is_number { player() } else { team_color::parse(text) }
}

/// Escapes everything that has a meaning in an address.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~,:".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match (byte, code.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(code)) => {
                out.push(code);
                at += 3;
            }
            (b'+', _) => {
                out.push(b' ');
                at += 1;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state in which every setting differs from the default.
    fn changed() -> State {
        let mut state = State::default();
        for (name, value) in [
            ("clip", "Stand - 1 & more=ä%"),
            ("time", "1.25"),
            ("play", "off"),
            ("speed", "0.5"),
            ("loop", "pingpong"),
            ("camera", "10,-20,2,1,2,3"),
            ("orthographic", "on"),
            ("model-camera", "Camera01"),
            ("team-color", "0042ff"),
            ("light", "flat"),
            ("background", "102030"),
            ("grid", "on"),
            ("wireframe", "over"),
            ("normals", "on"),
            ("bones", "on"),
            ("names", "on"),
            ("attachments", "on"),
            ("extents", "on"),
            ("collision", "on"),
            ("cameras", "on"),
            ("particles", "off"),
            ("markers", "on"),
            ("level", "2"),
            ("channel", "alpha"),
            ("panel", "chunks"),
            ("watch", "off"),
            ("software", "on"),
        ] {
            state.set(name, value).expect(name);
        }
        state
    }

    #[test]
    fn addresses_and_flags_bring_every_setting_back() {
        let state = changed();
        assert_eq!(state.changes().len(), SETTINGS.len(), "{:?}", state.changes());
        let mut read = State::default();
        assert!(read.read_query(&format!("?{}", state.to_query())).is_empty());
        assert_eq!(read, state);
        let (arguments, none) = (state.to_flags(), Vec::<String>::new());
        let parsed = crate::flags::parse(arguments).expect("its own flags");
        assert_eq!((parsed.state, parsed.paths.len()), (state, none.len()));
    }

    #[test]
    fn the_default_state_is_an_empty_address() {
        assert_eq!(State::default().to_query(), "");
        assert!(State::default().to_flags().is_empty());
    }

    #[test]
    fn invalid_values_are_sentences_and_change_nothing() {
        let mut state = State::default();
        let problems = state.read_query("speed=fast&grid=maybe&unknown=1&level=-1&background=%zz&bones");
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert_eq!(problems[0], "invalid value \"fast\" for speed: expected a number from 0.05 to 8");
        assert_eq!(state, State { bones: true, ..State::default() });
    }

    #[test]
    fn names_of_settings_are_unique() {
        let mut names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SETTINGS.len());
    }
}
