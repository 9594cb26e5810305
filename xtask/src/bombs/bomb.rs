//! A hostile file.

/// A file that is made to do harm, and the files beside it.
pub(super) struct Bomb {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) bytes: Vec<u8>,
    pub(super) beside: Vec<(String, Vec<u8>)>,
}

impl Bomb {
    pub(super) fn new(name: &'static str, file: &'static str, bytes: Vec<u8>) -> Self {
        Self { name, file, bytes, beside: Vec::new() }
    }

    /// With another file in its folder.
    pub(super) fn with(self, name: &str, bytes: Vec<u8>) -> Self {
        self.with_many([(name.to_owned(), bytes)])
    }

    pub(super) fn with_many(mut self, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        self.beside.extend(files);
        self
    }
}
