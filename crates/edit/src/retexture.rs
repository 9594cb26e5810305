//! Replaces texture paths.

use record::{Node, decode};
use regex_lite::{Regex, RegexBuilder};

use crate::Error;
use crate::places::{Role, change_texts, given};
use crate::text::encoded;

/// Which paths are replaced, and by what. As in the games, case and the kind of slash do not matter.
#[derive(Clone, Debug)]
pub struct Replacement {
    pattern: Pattern,
    new: String,
}

#[derive(Clone, Debug)]
enum Pattern {
    /// The whole path; the new path is taken literally.
    Exact(String),
    /// Every match, with `$1` and `${name}` in the new path.
    Regex(Regex),
}

impl Replacement {
    /// One path by another.
    pub fn exact(old: &str, new: &str) -> Result<Self, Error> {
        encoded(new)?;
        refuse_empty(new)?;
        Ok(Self { pattern: Pattern::Exact(old.to_owned()), new: new.to_owned() })
    }

    /// Whole paths by a pattern: `*` matches any text, `?` any one character. In the new path the first `*` inserts what the first
    /// `*` matched, and so on; likewise for `?`.
    ///
    /// ```
    /// let replacement = meshwright_edit::Replacement::glob("zhc_*.tga", "snow_*.dds").unwrap();
    /// assert_eq!(replacement.apply("ZHC_tank.TGA").as_deref(), Some("snow_tank.dds"));
    /// assert_eq!(replacement.apply("zhc_tank.dds"), None);
    /// ```
    pub fn glob(old: &str, new: &str) -> Result<Self, Error> {
        refuse_empty(new)?;
        let mut pattern = String::from("^");
        for character in old.chars() {
            match character {
                '*' => pattern += "(?P<star>.*)",
                '?' => pattern += "(?P<mark>.)",
                '/' | '\\' => pattern += r"[/\\]",
                _ => pattern += &regex_lite::escape(character.encode_utf8(&mut [0; 4])),
            }
        }
        pattern.push('$');
        let (mut stars, mut marks) = (0, 0);
        for (word, count) in [("(?P<star>", &mut stars), ("(?P<mark>", &mut marks)] {
            let name = &word[4..8];
            while let Some(at) = pattern.find(word) {
                pattern.replace_range(at..at + word.len(), &format!("(?<{name}{count}>"));
                *count += 1;
            }
        }
        let (mut star, mut mark) = (0, 0);
        let mut replacement = String::new();
        for character in new.chars() {
            let (name, used, given) = match character {
                '*' => ("star", &mut star, stars),
                '?' => ("mark", &mut mark, marks),
                '$' => {
                    replacement += "$$";
                    continue;
                }
                _ => {
                    replacement.push(character);
                    continue;
                }
            };
            if *used == given {
                return Err(Error::new(format!("{new:?} has more {character} than {old:?}")));
            }
            replacement += &format!("${{{name}{used}}}");
            *used += 1;
        }
        Ok(Self { pattern: Pattern::Regex(compiled(&pattern)?), new: replacement })
    }

    /// Every match of a regular expression; `$1` and `${name}` in the new text insert its groups.
    ///
    /// ```
    /// let replacement = meshwright_edit::Replacement::regex(r"^(.*)\.tga$", "$1.dds").unwrap();
    /// assert_eq!(replacement.apply("Tank.TGA").as_deref(), Some("Tank.dds"));
    /// ```
    pub fn regex(old: &str, new: &str) -> Result<Self, Error> {
        Ok(Self { pattern: Pattern::Regex(compiled(old)?), new: new.to_owned() })
    }

    /// The new path; `None` if it does not match.
    pub fn apply(&self, path: &str) -> Option<String> {
        match &self.pattern {
            Pattern::Exact(old) => is_same_path(path, old).then(|| self.new.clone()),
            Pattern::Regex(regex) => match regex.replace_all(path, self.new.as_str()) {
                std::borrow::Cow::Borrowed(_) => None,
                std::borrow::Cow::Owned(new) => Some(new),
            },
        }
    }
}

/// Whether two paths are the same to the games.
pub(crate) fn is_same_path(a: &str, b: &str) -> bool {
    let letter = |byte: u8| if byte == b'/' { b'\\' } else { byte.to_ascii_lowercase() };
    a.len() == b.len() && a.bytes().map(letter).eq(b.bytes().map(letter))
}

fn refuse_empty(new: &str) -> Result<(), Error> {
    if new.is_empty() {
        return Err(Error::new("the new path is empty").with_note("a texture needs a name"));
    }
    Ok(())
}

fn compiled(pattern: &str) -> Result<Regex, Error> {
    RegexBuilder::new(pattern).case_insensitive(true).build().map_err(|error| Error::new(error.to_string()))
}

/// Replaces texture paths everywhere: in W3D textures, shader materials, obsolete materials, emitters, spheres,
/// rings, texture replacers and shader meshes; in MDX the textures. With `all_paths`, also the other files that MDX
/// attachments, emitters and facial animations name.
pub fn retexture(root: &mut Node<'_>, replacement: &Replacement, all_paths: bool) -> Result<usize, Error> {
    crate::family_of(root)?;
    let wanted = |role| role == Role::Texture || all_paths && role == Role::Path;
    change_texts(root, &wanted, &mut |_, path| {
        // An empty path names no texture.
        if path.is_empty() {
            return Ok(None);
        }
        let Some(new) = replacement.apply(&decode(path)) else { return Ok(None) };
        refuse_empty(&new)?;
        encoded(&new).map(Some)
    })
}

/// The textures that a document names, each once, in the order in which they come.
pub fn textures(root: &mut Node<'_>) -> Result<Vec<String>, Error> {
    given(root, &|role| role == Role::Texture)
}
