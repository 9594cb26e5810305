//! `demo --starter`: a small GLB for each game, in which every convention of docs/authoring.md is used. A modder opens it in Blender,
//! changes it, exports it and converts it.

mod figure;
pub(crate) mod game;
mod glb;
mod pictures;
mod vehicle;

use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::exit::{self, Outcome};
use crate::output;
use crate::report::{self, BOLD, DIM, LABEL};

use self::game::Starter;

impl Starter {
    fn glb(self) -> Vec<u8> {
        match self {
            Self::Renegade => vehicle::buggy(),
            Self::Generals | Self::ZeroHour => vehicle::tank(),
            Self::Bfme1 | Self::Bfme2 => figure::soldier(),
            Self::Wc3Classic => figure::footman(),
            Self::Wc3Reforged => figure::knight(),
        }
    }

    /// The command that converts it, after `meshwright`.
    fn command(self, glb: &str) -> String {
        let stem = glb.strip_suffix(".glb").unwrap_or(glb);
        let options = match self {
            Self::Wc3Classic => "--to-version 800 --write-textures".to_owned(),
            Self::Wc3Reforged => "--to-version 1100 --write-textures".to_owned(),
            Self::Bfme1 | Self::Bfme2 => {
                format!("--profile {} --split auto --write-textures", self.name())
            }
            _ => format!("--profile {} --write-textures", self.name()),
        };
        let extension = match self {
            Self::Wc3Classic | Self::Wc3Reforged => "mdx",
            _ => "w3d",
        };
        format!("convert {glb} {stem}.{extension} {options}")
    }
}

/// Writes starter models into a folder, and shows what to do with them.
pub(super) fn write(starters: &[Starter], folder: &Path) -> exit::Result {
    let mut out = report::stdout();
    for starter in starters {
        let path = folder.join(format!("{}.glb", starter.name()));
        let bytes = starter.glb();
        if let Err(problem) = output::write(&path, &bytes) {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
        let size = report::thousands(bytes.len());
        writeln!(out, "{LABEL}{}{LABEL:#} {DIM}{size} bytes{DIM:#}", path.display())?;
        writeln!(out, "  meshwright {}", starter.command(&path.display().to_string()))?;
    }
    writeln!(
        out,
        "\n{BOLD}Import a file into Blender{BOLD:#} (File > Import > glTF 2.0), change it, and export it as glTF Binary with \
         Include > Custom Properties on and Animation > Sampling Animations off. Then run its command."
    )?;
    out.flush()?;
    Ok(Outcome::Fine)
}

/// A material with a texture and custom properties.
fn material(name: &str, texture: usize, properties: Value) -> Value {
    let look =
        json!({ "baseColorTexture": { "index": texture }, "metallicFactor": 0.0, "roughnessFactor": 0.8 });
    let mut material = json!({ "name": name, "pbrMetallicRoughness": look });
    if !properties.is_null() {
        material["extras"] = properties;
    }
    material
}
