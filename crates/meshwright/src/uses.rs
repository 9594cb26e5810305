//! The search for a file by name, and for the models that refer to it.

use archive::key;
use assets::{Reference, TEXTURE_EXTENSIONS, references};
use model::Format;

/// What is searched: a name or path, or a glob of either.
///
/// ```
/// let wanted = meshwright::Wanted::new("art/*.tga").unwrap();
/// assert!(wanted.is_file(r"Art\Wood.TGA") && wanted.is_file("art/wood.dds"));
/// assert!(!wanted.is_file("wood.tga"));
/// assert_eq!(meshwright::Wanted::new("mwcrate.tga").unwrap().uses(&w3d::sample::crate_box(), None), ["mwcrate.tga"]);
/// ```
#[derive(Clone, Debug)]
pub struct Wanted {
    key: String,
    pattern: Option<glob::Pattern>,
}

impl Wanted {
    /// A name, a path or a glob. The error says what is wrong with a glob.
    pub fn new(name: &str) -> Result<Self, String> {
        let key = key(name);
        let pattern = key.contains(['*', '?', '[']).then(|| glob::Pattern::new(&key));
        let pattern = pattern.transpose().map_err(|error| format!("{name}: {error}"))?;
        Ok(Self { key, pattern })
    }

    /// Whether a path, or its last part if a mere name is searched, is what is searched.
    pub fn is_file(&self, path: &str) -> bool {
        let path = key(path);
        let path =
            if self.key.contains('/') { &path[..] } else { path.rsplit('/').next().unwrap_or_default() };
        let fits = |path: &str| match &self.pattern {
            Some(pattern) => pattern.matches(path),
            None => path == self.key || self.key.contains('/') && path.ends_with(&format!("/{}", self.key)),
        };
        let other = |extension: &str| {
            let (stem, _) =
                path.rsplit_once('.').filter(|(_, extension)| TEXTURE_EXTENSIONS.contains(extension))?;
            Some(format!("{stem}.{extension}"))
        };
        fits(path)
            || TEXTURE_EXTENSIONS.iter().filter_map(|extension| other(extension)).any(|path| fits(&path))
    }

    /// The references of a model to what is searched, as it spells them; nothing if it cannot be read.
    pub fn uses(&self, bytes: &[u8], file_name: Option<&str>) -> Vec<String> {
        let document = Format::detect(bytes, file_name).and_then(|format| format.read(bytes));
        let Ok(parsed) = document else { return Vec::new() };
        let mut found = Vec::new();
        for reference in references(&parsed.document) {
            let (name, is_it) = match &reference {
                Reference::Texture(name) => (name, self.is_file(name)),
                Reference::Skeleton(name) | Reference::Model(name) => (
                    name,
                    [".w3d", "_skl.w3d", ".mdx", ""].iter().any(|end| self.is_file(&format!("{name}{end}"))),
                ),
                Reference::Animations(_) => continue,
            };
            if is_it {
                found.push(name.clone());
            }
        }
        found
    }
}
