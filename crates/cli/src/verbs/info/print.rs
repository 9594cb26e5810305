//! A card for people.

use std::io::{self, Write};

use meshwright::record::{Severity, printable};
use meshwright::{Clip, Place, Summary};

use super::card::Card;
use crate::args::Common;
use crate::input::path_text;
use crate::report::{self, BOLD, DIM, LABEL, WARN, counted, style, thousands};

impl Card {
    /// Prints it in detail.
    pub(super) fn print(&self, out: &mut impl Write, common: Common) -> io::Result<()> {
        let Summary { version, models, meshes, materials, skeletons, clips, textures, objects, needs, game } =
            &self.summary;
        writeln!(out, "{BOLD}{}{BOLD:#}", self.file)?;
        let mut format = self.format.to_owned();
        if let Some(version) = version {
            format += &format!(", {version}");
        }
        line(out, "format", &format!("{format}, {}", counted(self.size, "byte", "bytes")))?;
        line(out, "game", game.game.title())?;
        line(out, "", &format!("{DIM}{}{DIM:#}", printable(&game.reason)))?;
        list(out, "models", models.iter().cloned())?;
        if !meshes.is_empty() {
            let counts = format!(
                "{}, {}, {}, {}",
                counted(meshes.len(), "mesh", "meshes"),
                counted(self.summary.triangles(), "triangle", "triangles"),
                counted(self.summary.vertices(), "vertex", "vertices"),
                counted(*materials, "material", "materials"),
            );
            line(out, "geometry", &counts)?;
            let meshes = meshes.iter().map(|mesh| {
                let skin = if mesh.skinned { ", skinned" } else { "" };
                let name = if mesh.name.is_empty() { "(unnamed)" } else { &mesh.name };
                format!("{name} ({}{skin})", counted(mesh.triangles, "triangle", "triangles"))
            });
            list(out, "", meshes)?;
        }
        if let Some([min, max]) = self.bounds {
            let size: Vec<String> =
                min.iter().zip(max).map(|(min, max)| format!("{:.2}", max - min)).collect();
            line(out, "size", &format!("{} {DIM}wide, high, deep{DIM:#}", size.join(" × ")))?;
        }
        let named =
            skeletons.iter().map(|it| format!("{} ({})", it.name, counted(it.bones, "bone", "bones")));
        list(out, "skeletons", named)?;
        for (at, clip) in clips.iter().enumerate() {
            line(
                out,
                if at == 0 { "clips" } else { "" },
                &format!("{LABEL}{}{LABEL:#} {}", printable(&clip.name), clip_text(clip)),
            )?;
        }
        let found = textures.iter().zip(&self.textures).filter(|(_, place)| place.file().is_some());
        list(out, "textures", found.map(|(name, _)| name.clone()))?;
        let supplied = rows(self.supplied().cloned());
        for (index, row) in supplied.iter().enumerate() {
            let what = if index + 1 == supplied.len() { " (textures of the game)" } else { "" };
            line(out, if index == 0 { "supplied" } else { "" }, &format!("{row}{DIM}{what}{DIM:#}"))?;
        }
        let missing = rows(self.missing().cloned());
        for (index, row) in missing.iter().enumerate() {
            let what = if index + 1 == missing.len() { " (textures)" } else { "" };
            line(
                out,
                if index == 0 { "missing" } else { "" },
                &format!("{WARN}{row}{WARN:#}{DIM}{what}{DIM:#}"),
            )?;
        }
        let others =
            objects.iter().map(|(what, count)| format!("{} {}", thousands(*count), plural(what, *count)));
        list(out, "others", others)?;
        for (at, (need, place)) in needs.iter().zip(&self.needs).enumerate() {
            let heading = if at == 0 { "needs" } else { "" };
            let (what, name) = (need.what.word(), printable(&need.name));
            let text = match place {
                Place::Found(file) => format!("{} {DIM}for the {what} {name}{DIM:#}", path_text(file)),
                Place::Supplied => {
                    let wanted = printable(&need.file);
                    format!("{wanted} {DIM}for the {what} {name} (supplied by the game){DIM:#}")
                }
                Place::Missing => {
                    let wanted = printable(&need.file);
                    format!("{WARN}{wanted}{WARN:#} for the {what} {name} {DIM}(not found){DIM:#}")
                }
            };
            line(out, heading, &text)?;
        }
        let counts = self.counts().into_iter().filter(|(_, count)| *count > 0);
        let counts: Vec<String> = counts
            .map(|(severity, count)| {
                let style = style(severity);
                let word = severity.word();
                let words = if severity == Severity::Info { word.to_owned() } else { plural(word, count) };
                format!("{style}{count} {words}{style:#}")
            })
            .collect();
        let advice =
            if common.verbose { String::new() } else { format!(" {DIM}(`check` lists them){DIM:#}") };
        let findings = if counts.is_empty() { "none".to_owned() } else { counts.join(", ") + &advice };
        line(out, "findings", &findings)?;
        for found in self.found.iter().filter(|_| common.verbose) {
            let style = style(found.severity);
            line(out, "", &format!("{style}{found}{style:#}"))?;
        }
        Ok(())
    }
}

/// The length of a clip, and how it is played as far as the file states it.
fn clip_text(clip: &Clip) -> String {
    let mut text = format!("{:.2} s", clip.seconds);
    if let (Some(frames), Some(rate)) = (clip.frames, clip.rate) {
        text += &format!(", {} at {rate} per second", counted(frames as usize, "frame", "frames"));
    }
    if let Some([start, end]) = clip.interval {
        text += &format!(" ({start} to {end} ms)");
    }
    if let Some(looping) = clip.looping {
        text += if looping { ", loops" } else { ", plays once" };
    }
    if let Some(speed) = clip.speed.filter(|speed| *speed != 0.0) {
        text += &format!(", speed {speed}");
    }
    if let Some(rarity) = clip.rarity.filter(|rarity| *rarity != 0.0) {
        text += &format!(", rarity {rarity}");
    }
    text
}

fn plural(noun: &str, count: usize) -> String {
    let end = match count {
        1 => "",
        _ if noun.ends_with(|c: char| c.is_ascii_digit()) => return numbered(noun),
        _ if noun.ends_with('x') || noun.ends_with("sh") => "es",
        _ => "s",
    };
    format!("{noun}{end}")
}

/// The plural of a noun with a number at its end: `particle emitters 2`.
fn numbered(noun: &str) -> String {
    let (word, number) = noun.rsplit_once(' ').unwrap_or((noun, ""));
    format!("{word}s {number}")
}

fn line(out: &mut impl Write, heading: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {DIM}{heading:<10}{DIM:#} {text}")
}

/// Columns for a line of names.
fn names_width() -> usize {
    report::width().saturating_sub(13)
}

/// A line of names, if there are any.
fn list(out: &mut impl Write, heading: &str, names: impl Iterator<Item = String>) -> io::Result<()> {
    for (index, row) in rows(names).iter().enumerate() {
        line(out, if index == 0 { heading } else { "" }, row)?;
    }
    Ok(())
}

/// Names in a row as wide as the terminal; without a terminal all of them, in rows that can be read.
fn rows(names: impl Iterator<Item = String>) -> Vec<String> {
    /// Columns of a row without a terminal.
    const COLUMNS: usize = 107;
    if report::width() != usize::MAX {
        return Some(report::row_of(names, names_width()))
            .filter(|row| !row.is_empty())
            .into_iter()
            .collect();
    }
    let mut rows: Vec<String> = Vec::new();
    for name in names.map(|name| printable(&name).into_owned()) {
        match rows.last_mut() {
            Some(row) if row.chars().count() + name.chars().count() + 2 <= COLUMNS => {
                *row += ", ";
                *row += &name;
            }
            Some(row) => {
                row.push(',');
                rows.push(name);
            }
            None => rows.push(name),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_those_of_the_noun() {
        assert_eq!(plural("collision box", 1), "collision box");
        assert_eq!(plural("collision box", 5), "collision boxes");
        assert_eq!(plural("shader mesh", 2), "shader meshes");
        assert_eq!(plural("emitter", 0), "emitters");
        assert_eq!(plural("particle emitter 2", 1), "particle emitter 2");
        assert_eq!(plural("particle emitter 2", 3), "particle emitters 2");
    }
}
