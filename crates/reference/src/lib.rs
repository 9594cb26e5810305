//! The generated pages of `docs/formats`: one heading for each chunk, part, track, record and enumeration of both
//! families.
//!
//! The pages are generated from the tables of the readers and writers, so they cannot disagree with the code. The other
//! pages are written by hand and explain the tables.

mod mdx_pages;
pub mod objects;
mod page;
mod types;
mod w3d_pages;

/// A generated page.
#[derive(Debug)]
pub struct Page {
    /// Its path below `docs/formats`.
    pub path: &'static str,
    /// Its Markdown.
    pub text: String,
}

/// Every generated page.
pub fn pages() -> Vec<Page> {
    let mut pages = w3d_pages::pages();
    pages.extend(mdx_pages::pages());
    pages
}
