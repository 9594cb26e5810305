//! Documents with the bytes that they were read from.

use record::Node;

pub(crate) struct Fixture {
    pub(crate) root: Node<'static>,
    pub(crate) original: Vec<u8>,
}

impl Fixture {
    pub(crate) fn w3d(bytes: &[u8]) -> Self {
        let root = w3d::W3d::parse(bytes).expect("the sample can be read").into_owned().root;
        Self { root, original: bytes.to_vec() }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.root.to_bytes().expect("the document can be written")
    }

    /// Where bytes differ from the original; the lengths must be the same.
    pub(crate) fn changed(&self) -> Vec<usize> {
        differences(&self.original, &self.bytes())
    }

    /// Where the body of a part starts in the original.
    pub(crate) fn start(&self, path: &str) -> usize {
        let file = w3d::W3d::parse(&self.original).expect("the sample can be read");
        let wanted = file.root.find(path).unwrap_or_else(|| panic!("no {path}"));
        let mut start = None;
        file.root.walk(&mut |place| {
            if std::ptr::eq(place.node, wanted) {
                start = Some(place.body_start());
            }
        });
        start.expect("it is in the file")
    }
}

pub(crate) fn differences(before: &[u8], after: &[u8]) -> Vec<usize> {
    assert_eq!(before.len(), after.len());
    (0..before.len()).filter(|index| before[*index] != after[*index]).collect()
}

pub(crate) fn crate_box() -> Fixture {
    Fixture::w3d(&w3d::sample::crate_box())
}

pub(crate) fn mdx_samples() -> Vec<(&'static str, Vec<u8>)> {
    mdx::build::samples()
}

pub(crate) fn mdx_sample(bytes: &[u8]) -> Fixture {
    let root = mdx::Document::parse(bytes).expect("the sample can be read").into_owned().root;
    Fixture { root, original: bytes.to_vec() }
}

/// No differences.
pub(crate) const NONE: [usize; 0] = [];
