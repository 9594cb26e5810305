//! Every byte comes back, whatever the bytes are.

use meshwright_w3x::{MAX_NODES, W3x, sample};
use proptest::prelude::*;
use record::Node;

/// Texts that stress the reader.
const TEXTS: &[&str] = &[
    "",
    " ",
    "<",
    "</",
    "<!",
    "<?",
    "<!--",
    "<a",
    "<a ",
    "<a b",
    "<a b=",
    "<a b='",
    "<a b='c'",
    "<a b='c'/",
    "<a b='c'/>",
    "<a b='c'd='e'>",
    "<a/b>",
    "<a / >",
    "<a>b</a >",
    "<a><b></a></b>",
    "</a><a>",
    "<a></a",
    "<Value>1",
    "<Value>1<!-- --></Value>",
    "<Value/>",
    "<Value x='1'>a</Value\n>",
    "<V><V><V><V><V><V></V></V></V></V></V></V>",
    "<V/><V/> <V/ ><V",
    "<Vertices><V X='1' Y='2'/><!-- c --><V X='3'></V></Vertices>",
    "<T><V>1</V><V>2</V></T><T><V>1</W></T>",
    "<x:AssetDeclaration xmlns:x='u'><x:Texture id='&amp;'/></x:AssetDeclaration>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
    "<a><![CDATA[</a>]]></a>",
    "\u{feff}<?xml version='1.0'?><AssetDeclaration/>\r\n\r\n",
];

/// Checks what holds for all bytes.
fn check(bytes: &[u8]) -> Result<(), TestCaseError> {
    let Ok(file) = W3x::parse(bytes) else { return Ok(()) };
    prop_assert_eq!(&file.to_bytes().unwrap(), bytes);
    let json = file.to_json();
    let again = W3x::from_json(&json).map_err(|error| TestCaseError::fail(format!("{error}: {json}")))?;
    prop_assert_eq!(again.to_bytes().unwrap(), bytes);
    // Nothing may panic.
    let _ = file.diagnostics();
    for mesh in file.meshes() {
        let _ =
            (mesh.positions(0), mesh.normals(0), mesh.triangles(), mesh.influences(1), mesh.tex_coords(0));
        let constants = mesh.shader().into_iter().flat_map(|shader| shader.constants());
        constants.for_each(|constant| drop(constant.value()));
    }
    for animation in file.animations() {
        for channel in animation.channels() {
            let _ = (channel.scalars(), channel.rotations());
        }
    }
    for pivot in file.hierarchies().flat_map(|hierarchy| hierarchy.pivots()) {
        let _ = (pivot.fixup(), pivot.rotation());
    }
    file.root.walk(&mut |place| {
        let _ = (place.path(), place.node.label());
    });
    Ok(())
}

#[test]
fn odd_texts_come_back() {
    for text in TEXTS {
        check(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    }
    check(&sample::tank()).expect("the sample");
}

#[test]
fn a_valid_file_has_no_findings() {
    let text = sample::tank();
    let found = W3x::parse(&text).expect("the sample").diagnostics();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn every_fault_has_a_finding() {
    for (text, code) in [
        ("<AssetDeclaration><a></AssetDeclaration>", "W3X-XML-002"),
        ("<AssetDeclaration><a b=c/></AssetDeclaration>", "W3X-XML-001"),
        ("<AssetDeclaration><a b='1' b='2'/></AssetDeclaration>", "W3X-XML-003"),
        ("<a/>", "W3X-XML-004"),
        ("<AssetDeclaration/><AssetDeclaration/>", "W3X-XML-004"),
        ("", "W3X-XML-004"),
        ("<AssetDeclaration>word</AssetDeclaration>", "W3X-XML-005"),
        ("<AssetDeclaration><W3DMesh><a/></W3DMesh></AssetDeclaration>", "W3X-PART-001"),
        ("<AssetDeclaration><W3DMesh a='1'/></AssetDeclaration>", "W3X-PART-002"),
        ("<AssetDeclaration><Vertices><V X=1/></Vertices></AssetDeclaration>", "W3X-XML-001"),
        ("<AssetDeclaration></b></AssetDeclaration>", "W3X-XML-001"),
    ] {
        let found = W3x::parse(text.as_bytes()).expect("no text is refused").diagnostics();
        assert!(found.iter().any(|found| found.code == code), "{text}: {found:?}");
    }
}

#[test]
fn the_number_of_parts_and_the_depth_are_limited() {
    let many = "<a/>".repeat(2 * MAX_NODES);
    let file = W3x::parse(many.as_bytes()).expect("no text is refused");
    let mut parts = 0;
    file.root.walk(&mut |_| parts += 1);
    assert!(parts <= 2 * MAX_NODES, "{parts} parts");
    assert_eq!(file.to_bytes().expect("bytes"), many.as_bytes());
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    let file = W3x::parse(deep.as_bytes()).expect("no text is refused");
    assert_eq!(file.to_bytes().expect("bytes"), deep.as_bytes());
    assert!(file.diagnostics().iter().any(|found| found.code == "W3X-PART-003"));
}

/// Time that grows with the square of the length would take minutes here.
#[test]
fn reading_is_linear() {
    for part in ["<T>", "<V ", "<a \"", "<a '\"", "<!--", "<!", "</a>", "<T><x/></y>", "<Value>", "<a b='<"] {
        let text = part.repeat(4_000_000 / part.len());
        let start = std::time::Instant::now();
        let file = W3x::parse(text.as_bytes()).expect("no text is refused");
        assert_eq!(file.to_bytes().expect("bytes").len(), text.len());
        assert!(start.elapsed().as_secs() < 20, "{part} takes {:?}", start.elapsed());
    }
}

fn leaves<'n>(node: &'n Node<'_>, out: &mut Vec<&'n [u8]>) {
    if node.children().is_empty() {
        out.push(node.bytes());
    }
    node.children().iter().for_each(|child| leaves(child, out));
}

#[test]
fn every_byte_is_in_one_leaf() {
    let text = sample::tank();
    let file = W3x::parse(&text).expect("the sample");
    let mut all = Vec::new();
    leaves(&file.root, &mut all);
    assert_eq!(all.concat(), text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes)?;
    }

    #[test]
    fn any_markup_comes_back(parts in prop::collection::vec(prop::sample::select(vec![
        "<", ">", "/", "=", "\"", "'", " ", "\n\t", "<!--", "-->", "<?", "?>", "<![CDATA[", "]]>", "<!DOCTYPE", "[", "]", "&amp;",
        "AssetDeclaration", "W3DMesh", "Vertices", "V", "T", "X=\"1.5\"", " Y='2'", "id=\"a\"", "Value", "Frame", "Pivot",
        "<W3DMesh>", "</W3DMesh>", "<V X=\"1\"/>", "</V>", "<T>", "</T>", "<AssetDeclaration>", "</AssetDeclaration>", "\0", "\u{fc}",
    ]), 0..40)) {
        check(parts.concat().as_bytes())?;
    }

    #[test]
    fn mutated_files_come_back(cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = sample::tank();
        for (at, from, byte) in cuts {
            let place = at.index(bytes.len());
            match byte % 4 {
                0 => bytes[place] = byte,
                1 => { bytes.remove(place); }
                2 => bytes.truncate(place.max(1)),
                _ => {
                    let start = from.index(bytes.len());
                    let copy: Vec<u8> = bytes[start..].iter().copied().take(usize::from(byte)).collect();
                    bytes.splice(place..place, copy);
                }
            }
        }
        check(&bytes)?;
    }
}
