//! `demo --starter`: a small GLB for each game, in which every convention of docs/authoring.md is used. A modder opens it in Blender,
//! changes it, exports it and converts it. The files are in `assets/starters`; the shapes, textures and clips are our own.

pub(crate) mod game;

use std::io::Write as _;
use std::path::Path;

use crate::exit::{self, Outcome};
use crate::output;
use crate::report::{self, BOLD, DIM, LABEL};

use self::game::Starter;

impl Starter {
    const fn glb(self) -> &'static [u8] {
        match self {
            Self::Renegade => include_bytes!("../../../../assets/starters/buggy.glb"),
            Self::Generals | Self::ZeroHour => include_bytes!("../../../../assets/starters/tank.glb"),
            Self::Bfme1 | Self::Bfme2 => include_bytes!("../../../../assets/starters/soldier.glb"),
            Self::Wc3Classic => include_bytes!("../../../../assets/starters/footman.glb"),
            Self::Wc3Reforged => include_bytes!("../../../../assets/starters/knight.glb"),
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
        if let Err(problem) = output::write(&path, bytes) {
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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The JSON of a GLB. glTF 2.0, section 4.4: a header of 12 bytes, then the length and the type of the JSON chunk.
    fn json(glb: &[u8]) -> Value {
        let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
        assert_eq!((&glb[..4], &glb[16..20]), (&b"glTF"[..], &b"JSON"[..]));
        assert_eq!(u32::from_le_bytes(glb[8..12].try_into().unwrap()) as usize, glb.len());
        serde_json::from_slice(&glb[20..20 + length]).unwrap()
    }

    /// Names in a list of a glTF document, such as its nodes.
    fn names<'a>(document: &'a Value, list: &str) -> Vec<&'a str> {
        document[list].as_array().unwrap().iter().filter_map(|item| item["name"].as_str()).collect()
    }

    /// docs/authoring.md says what each game reads from names and properties.
    #[test]
    fn starters_use_the_conventions_of_their_games() {
        type Words = &'static [&'static str];
        let table: [(Starter, Words, Words, Words); 5] = [
            (
                Starter::Renegade,
                &[
                    "Origin.00",
                    "Origin.01",
                    "WHEELP04",
                    "WHEELC04",
                    "TURRET",
                    "BARREL",
                    "MUZZLEA0",
                    "WORLDBOX",
                ],
                &["SCAN"],
                &["MaxScreenSize", "w3d_collision", "w3d_type", "surface_type"],
            ),
            (
                Starter::ZeroHour,
                &["HOUSECOLOR01", "TREADSL", "TURRET01", "BARREL01", "MUZZLE01", "MUZZLEFX01", "BOUNDINGBOX"],
                &["FIRE", "SCAN"],
                &["casts_shadow", "w3d_type", "team_color", "preset", "unshaded"],
            ),
            (
                Starter::Bfme2,
                &["B_PELVIS", "B_HEAD", "BODY", "SWORD", "PICKBOX"],
                &["IDLA", "RUNA", "ATKA", "DIEA"],
                &["w3d_type"],
            ),
            (
                Starter::Wc3Classic,
                &["Bone_Pelvis", "Origin Ref", "Hand Right Ref", "SNDxDHLB", "Collision feet", "Portrait"],
                &[
                    "Stand",
                    "Stand - 2",
                    "Walk",
                    "Attack - 1",
                    "Death",
                    "Decay Flesh",
                    "Decay Bone",
                    "Portrait",
                ],
                &["times", "radius", "billboard", "team_color", "looping", "rarity", "move_speed"],
            ),
            (
                Starter::Wc3Reforged,
                &["Bone_Pelvis", "OverHead Ref", "Body", "Body far"],
                &["Stand", "Walk", "Death"],
                &["lod", "looping", "move_speed"],
            ),
        ];
        for (starter, nodes, clips, properties) in table {
            let document = json(starter.glb());
            for (list, wanted) in [("nodes", nodes), ("animations", clips)] {
                let names = names(&document, list);
                assert!(wanted.iter().all(|name| names.contains(name)), "{starter:?}: {names:?}");
            }
            let text = document.to_string();
            let is_used = |property: &&&str| text.contains(&format!("\"{property}\":"));
            let unused: Vec<_> = properties.iter().filter(|property| !is_used(property)).collect();
            assert_eq!(unused, Vec::<&&str>::new(), "{starter:?}");
            let has_skin = !document["skins"].is_null();
            let is_figure = !matches!(starter, Starter::Renegade | Starter::ZeroHour);
            assert_eq!(has_skin, is_figure, "{starter:?}");
        }
        // Four maps of a physically based material.
        assert_eq!(json(Starter::Wc3Reforged.glb())["images"].as_array().unwrap().len(), 4);
    }
}
