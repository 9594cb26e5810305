//! The command line of the program.

use crate::state::{SETTINGS, State};
use std::path::PathBuf;

/// What the command line asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flags {
    /// The choices.
    pub state: State,
    /// Files, folders and archives to open.
    pub paths: Vec<PathBuf>,
    /// Show the second model next to the first.
    pub beside: bool,
    /// Print the help and end.
    pub help: bool,
    /// Print the version and end.
    pub version: bool,
}

/// Reads arguments, without the name of the program: `--name=value`, `--name value`, `--switch`, `--no-switch` and paths.
///
/// # Errors
/// A sentence about the first argument that is invalid.
pub fn parse<S: Into<std::ffi::OsString>>(arguments: impl IntoIterator<Item = S>) -> Result<Flags, String> {
    let mut flags = Flags::default();
    let mut arguments = arguments.into_iter().map(Into::into);
    let mut only_paths = false;
    while let Some(argument) = arguments.next() {
        let text = argument.to_str().filter(|text| text.starts_with('-') && *text != "-" && !only_paths);
        let Some(text) = text else {
            flags.paths.push(argument.into());
            continue;
        };
        match text {
            "--" => only_paths = true,
            "-h" | "--help" => flags.help = true,
            "-V" | "--version" => flags.version = true,
            "--side-by-side" => flags.beside = true,
            _ => {
                let name = text.strip_prefix("--").ok_or_else(|| unknown(text))?;
                let (name, value) = match name.split_once('=') {
                    Some((name, value)) => (name, Some(value.to_owned())),
                    None => (name, None),
                };
                let (name, off) = match name.strip_prefix("no-") {
                    Some(switch) => (switch, true),
                    None => (name, false),
                };
                let setting = SETTINGS.iter().find(|setting| setting.name == name);
                let setting = setting.filter(|setting| !off || setting.value.is_empty());
                let setting = setting.ok_or_else(|| unknown(text))?;
                let value = match (value, setting.value.is_empty()) {
                    (Some(value), _) => value,
                    (None, true) => if off { "off" } else { "on" }.to_owned(),
                    (None, false) => {
                        let next = arguments.next().map(|value| value.to_string_lossy().into_owned());
                        next.ok_or_else(|| format!("--{name} needs a value: --{name} {}", setting.value))?
                    }
                };
                flags.state.set(setting.name, &value)?;
            }
        }
    }
    Ok(flags)
}

fn unknown(text: &str) -> String {
    format!("unknown option {text}; see meshwright-viewer --help")
}

/// The text of `--help`.
#[must_use]
pub fn help() -> String {
    let mut out = String::from(
        "View W3D, MDX, MDL and glTF models.\n\n\
         Usage: meshwright-viewer [OPTIONS] [PATH]...\n\n\
         PATH is a model, a folder or an archive (BIG, MIX, MPQ, ZIP). Without one, the sample model is shown.\n\n\
         Options:\n",
    );
    let mut line = |flag: &str, help: &str| out.push_str(&format!("  {flag:<26} {help}\n"));
    for setting in SETTINGS {
        let flag = if setting.value.is_empty() {
            format!("--[no-]{}", setting.name)
        } else {
            format!("--{} {}", setting.name, setting.value)
        };
        line(&flag, setting.help);
    }
    line("--side-by-side", "Show the second model next to the first");
    line("-h, --help", "Print this help");
    line("-V, --version", "Print the version");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_paths_are_told_apart() {
        let flags =
            parse(["a.w3d", "--grid", "--clip", "Walk", "--no-particles", "--speed=2", "--", "--b.mdx"])
                .expect("sound flags");
        assert!(flags.state.grid && !flags.state.particles);
        assert_eq!((flags.state.clip.as_str(), flags.state.speed), ("Walk", 2.0));
        assert_eq!(flags.paths, [PathBuf::from("a.w3d"), PathBuf::from("--b.mdx")]);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(parse(["--gird"]), Err("unknown option --gird; see meshwright-viewer --help".to_owned()));
        assert_eq!(
            parse(["--no-clip"]),
            Err("unknown option --no-clip; see meshwright-viewer --help".to_owned())
        );
        assert_eq!(parse(["--clip"]), Err("--clip needs a value: --clip NAME".to_owned()));
        assert!(parse(["--speed", "x"]).is_err_and(|message| message.contains("from 0.05 to 8")));
    }

    #[test]
    fn the_help_names_every_setting() {
        let help = help();
        assert!(SETTINGS.iter().all(|setting| help.contains(setting.name)), "{help}");
    }
}
