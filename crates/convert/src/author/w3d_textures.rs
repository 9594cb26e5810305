//! The textures of a scene as files that the games with W3D load.

use scene::{Scene, Texture};
use texture::DdsFormat;

use super::textures::{TextureFile, free, masks, picture};
use super::w3d::Profile;
use super::{supplied, supplied_pictures};
use crate::report::{NoteKind, Report};

/// Longest side of a texture that all graphics cards of the games' time load.
const LONGEST: u32 = 2048;

/// Characters of a texture's name without its extension, as for all other names.
const LENGTH: usize = 15;

/// Writes the textures of a scene as a game with W3D wants them, and makes the scene refer to them.
///
/// Renegade gets TGA. Generals and later games get DDS, apart from textures whose names begin with `ZHC`, which the game recolours. The
/// model names `.tga` in each case, because the engines look for a DDS of that name themselves. `read` gives the file of a texture
/// by its name in the scene. Textures that it does not find keep their names. Sides are brought to powers of two. The team colour and
/// the team glow, which Warcraft III supplies, become files, too; Generals and Zero Hour give them the colour of the player.
///
/// ```
/// use meshwright_convert::author::{w3d::Profile, w3d_textures};
/// use scene::{Scene, Texture};
/// let red = texture::encode_png(&texture::Image::new(4, 4, [255, 0, 0, 255].repeat(16))?)?;
/// let mut scene = Scene {
///     textures: vec![Texture { name: "paint/a red of many letters.png".into(), ..Texture::default() }],
///     ..Scene::default()
/// };
/// let (files, report) = w3d_textures(&mut scene, Profile::ZeroHour, |_| Some(red.clone()));
/// assert_eq!((files[0].path.as_str(), scene.textures[0].name.as_str()), ("a_red_of_many_l.dds", "a_red_of_many_l.tga"));
/// assert_eq!(report.notes.len(), 1, "it was renamed");
/// # Ok::<(), texture::Error>(())
/// ```
pub fn w3d_textures(
    scene: &mut Scene,
    profile: Profile,
    mut read: impl FnMut(&str) -> Option<Vec<u8>>,
) -> (Vec<TextureFile>, Report) {
    let mut files: Vec<TextureFile> = Vec::new();
    let mut report = Report::default();
    let masks = masks(scene);
    for (index, texture) in scene.textures.iter_mut().enumerate() {
        if texture.name.is_empty() {
            files.extend(supplied_file(texture, profile, &mut report).filter(|file| !files.contains(file)));
            continue;
        }
        let Some(image) = picture(&texture.name, &mut read, LONGEST, &mut report) else { continue };
        let (stem, whole) = stem_of(&texture.name);
        let is_recoloured = stem.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("ZHC"));
        let is_tga = matches!(profile, Profile::Renegade | Profile::Tt5) || is_recoloured;
        let encoded = if is_tga {
            texture::encode_tga(&image)
        } else {
            let smooth = !image.is_opaque() || masks.get(index) == Some(&true);
            texture::encode_dds(&image.into_mips(), if smooth { DdsFormat::Bc3 } else { DdsFormat::Bc1 })
        };
        let bytes = match encoded {
            Ok(bytes) => bytes,
            Err(error) => {
                report.note(NoteKind::Damaged, &texture.name, format!("cannot be encoded: {error}"));
                continue;
            }
        };
        let path = free(format!("{stem}.{}", if is_tga { "tga" } else { "dds" }), &files, &bytes);
        let name = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem).to_owned();
        if name != whole {
            report.note(NoteKind::Assumed, &texture.name, format!("the texture is named {name}"));
        }
        if !files.iter().any(|file| file.path == path) {
            files.push(TextureFile { path, bytes });
        }
        texture.name = format!("{name}.tga");
    }
    (files, report)
}

/// The file of a texture that the game of the source supplies. Nothing if there is no picture for it.
fn supplied_file(texture: &mut Texture, profile: Profile, report: &mut Report) -> Option<TextureFile> {
    let (replaceable, recolours) = (texture.replaceable?, profile.limits().recolours);
    let image = supplied_pictures::picture(replaceable, recolours)?;
    let path = supplied::file_name(replaceable, recolours);
    let bytes = texture::encode_tga(&image).ok()?;
    report.note(NoteKind::Assumed, &path, supplied_pictures::advice(recolours));
    texture.name.clone_from(&path);
    texture.replaceable = None;
    Some(TextureFile { path, bytes })
}

/// The name of a texture as a file can have it everywhere, and as it was; both without folder and extension.
fn stem_of(name: &str) -> (String, String) {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let whole = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let safe = |letter: char| {
        if letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '+') { letter } else { '_' }
    };
    let stem: String = whole.chars().map(safe).take(LENGTH).collect();
    (if stem.is_empty() { "texture".to_owned() } else { stem }, whole.to_owned())
}

#[cfg(test)]
mod tests {
    use scene::Replaceable;

    use super::*;

    fn png(shade: u8) -> Vec<u8> {
        let image = texture::Image::new(4, 4, [shade, 0, 0, 255].repeat(16)).unwrap();
        texture::encode_png(&image).unwrap()
    }

    fn written(profile: Profile, names: [&str; 2]) -> Vec<String> {
        let texture = |name: &str| Texture { name: name.into(), ..Texture::default() };
        let mut scene = Scene { textures: names.map(texture).to_vec(), ..Scene::default() };
        let (files, _) = w3d_textures(&mut scene, profile, |name| Some(png(name.len() as u8)));
        files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn each_game_has_its_format() {
        assert_eq!(written(Profile::Renegade, ["hull.png", "zhctank.png"]), ["hull.tga", "zhctank.tga"]);
        assert_eq!(written(Profile::ZeroHour, ["hull.png", "zhctank.png"]), ["hull.dds", "zhctank.tga"]);
    }

    #[test]
    fn equal_names_of_other_pictures_get_numbers_and_no_name_leaves_the_folder() {
        assert_eq!(written(Profile::Bfme2, ["a/hull.png", "other/hull.png"]), ["hull.dds", "hull_2.dds"]);
        assert_eq!(written(Profile::Bfme2, ["..", "a:b?.png"]), ["_.dds", "a_b_.dds"]);
    }

    #[test]
    fn team_colour_and_glow_of_warcraft_become_files() {
        let supplied = |number| Texture { replaceable: Some(Replaceable(number)), ..Texture::default() };
        let written = |profile| {
            let textures = vec![supplied(1), supplied(2), supplied(1), supplied(31)];
            let mut scene = Scene { textures, ..Scene::default() };
            let (files, report) = w3d_textures(&mut scene, profile, |_| None);
            for file in &files {
                texture::decode_top(&file.bytes).unwrap();
            }
            assert_eq!(scene.textures[0], scene.textures[2]);
            assert_eq!(scene.textures[3], supplied(31), "the picture of a tree depends on the map");
            assert!(report.notes.iter().all(|note| note.kind == NoteKind::Assumed));
            let names: Vec<String> = scene.textures.into_iter().take(2).map(|texture| texture.name).collect();
            assert_eq!(names, files.iter().map(|file| file.path.clone()).collect::<Vec<_>>());
            names
        };
        assert_eq!(written(Profile::ZeroHour), ["ZHCA_TeamColor.tga", "ZHCA_TeamGlow.tga"]);
        assert_eq!(written(Profile::Renegade), ["TeamColor.tga", "TeamGlow.tga"]);
    }
}
