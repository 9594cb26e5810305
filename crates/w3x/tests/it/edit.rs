//! Edits keep every other byte and copy the style around them.

use meshwright_w3x::build::{Build, include};
use meshwright_w3x::edit::ElementMut;
use meshwright_w3x::{W3x, kinds};

/// A file after a change of its root element.
fn after(text: &str, change: impl FnOnce(&mut ElementMut<'_, '_>)) -> String {
    let mut file = W3x::parse(text.as_bytes()).expect("it is read");
    let root = file.root.child_mut(&kinds::ASSET_DECLARATION).expect("a root");
    change(&mut ElementMut::new(root));
    let bytes = file.to_bytes().expect("bytes");
    // What was written is read as the same tree.
    assert_eq!(W3x::parse(&bytes).expect("it is read").to_json(), file.to_json());
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn attributes_are_set_added_and_removed() {
    let text = "<AssetDeclaration><W3DMesh id='a'\n    Hidden = 'true' /></AssetDeclaration>";
    let set = |name: &'static str, value: &'static str| {
        after(text, |root| assert!(root.child(&kinds::W3D_MESH).expect("a mesh").set_attribute(name, value)))
    };
    assert_eq!(
        set("Hidden", "false"),
        "<AssetDeclaration><W3DMesh id='a'\n    Hidden = 'false' /></AssetDeclaration>"
    );
    assert_eq!(
        set("SortLevel", "3"),
        "<AssetDeclaration><W3DMesh id='a'\n    Hidden = 'true'\n    SortLevel='3' /></AssetDeclaration>"
    );
    assert_eq!(
        set("id", "a'<b>"),
        "<AssetDeclaration><W3DMesh id='a&apos;&lt;b&gt;'\n    Hidden = 'true' /></AssetDeclaration>"
    );
    let removed = after(text, |root| {
        assert!(root.child(&kinds::W3D_MESH).expect("a mesh").remove_attribute("Hidden"));
    });
    assert_eq!(removed, "<AssetDeclaration><W3DMesh id='a' /></AssetDeclaration>");
}

#[test]
fn an_empty_attribute_can_be_set() {
    let edited = after("<AssetDeclaration><Texture id=\"\"/></AssetDeclaration>", |root| {
        assert!(root.child(&kinds::TEXTURE).expect("a texture").set_attribute("id", "x"));
    });
    assert_eq!(edited, "<AssetDeclaration><Texture id=\"x\"/></AssetDeclaration>");
}

#[test]
fn new_elements_are_laid_out_as_their_neighbours() {
    let texture = Build::new("Texture").attribute("id", "b").child(Build::new("Value").text("x & y"));
    let tabs = "<AssetDeclaration>\n\t<Texture id=\"a\"/>\n\t<!-- end -->\n</AssetDeclaration>\n";
    assert_eq!(
        after(tabs, |root| assert!(root.push(&texture))),
        "<AssetDeclaration>\n\t<Texture id=\"a\"/>\n\t<Texture id=\"b\">\n\t\t<Value>x &amp; y</Value>\n\t</Texture>\n\t<!-- end -->\n</AssetDeclaration>\n"
    );
    let spaces = "<AssetDeclaration>\r\n    <Includes />\r\n</AssetDeclaration>";
    assert_eq!(
        after(spaces, |root| assert!(
            root.child(&kinds::INCLUDES).expect("a list").push(&include("ART:a.w3x"))
        )),
        "<AssetDeclaration>\r\n    <Includes>\r\n    \t<Include type=\"all\" source=\"ART:a.w3x\" />\r\n    </Includes>\r\n</AssetDeclaration>"
    );
    assert_eq!(
        after("<AssetDeclaration></AssetDeclaration>", |root| assert!(root.push(&Build::new("Texture")))),
        "<AssetDeclaration>\n\t<Texture/>\n</AssetDeclaration>"
    );
}

#[test]
fn texts_are_set() {
    let text = "<AssetDeclaration><Float>\n <Value>1.000000</Value></Float></AssetDeclaration>";
    let edited = after(text, |root| {
        let mut float = root.child(&kinds::FLOAT).expect("a constant");
        assert!(float.child(&kinds::VALUE_ELEMENT).expect("a value").set_text("2"));
    });
    assert_eq!(edited, "<AssetDeclaration><Float>\n <Value>2</Value></Float></AssetDeclaration>");
}
