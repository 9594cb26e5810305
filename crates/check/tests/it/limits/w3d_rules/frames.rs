//! The nesting of chunks.

use super::*;

#[test]
fn depth_and_place_of_chunks() {
    let nested = |depth: u32| {
        let mut body = Vec::new();
        for _ in 0..depth {
            let size = (body.len() as u32 | 0x8000_0000).to_le_bytes();
            body = [&0x7777_u32.to_le_bytes()[..], &size, &body].concat();
        }
        let mut file = rich::document();
        let whole = [file.to_bytes().expect("a file"), body].concat();
        file = Document::parse(&whole).expect("a file").into_owned();
        count(&file, GAME, "W3D-FRAME-011")
    };
    assert_eq!(nested(256), 0);
    assert_eq!(nested(257), 1);
    // Twice in one parent, at the top, and in two parents.
    let twice = |path: &'static str, parent: &'static str| {
        move |file: &mut Document<'static>| {
            let twice = node(file, path).clone();
            children(file, parent).push(twice);
        }
    };
    rich_case("W3D-FRAME-012", twice("MESH/VERTICES", "MESH"), 1);
    rich_case("W3D-FRAME-012", twice("MESH/MATERIAL_PASS", "MESH"), 0);
    rich_case("W3D-FRAME-012", twice("HLOD", ""), 0);
    let strangers = |file: &mut Document<'static>| {
        children(file, "MESH").extend([0x7777, 0x7777].map(|id| Node::leaf(&UNKNOWN, id, vec![1])));
    };
    rich_case("W3D-FRAME-012", strangers, 0);
    rich_case("W3D-FRAME-013", strangers, 0);
    let leftover = |file: &mut Document<'static>| {
        children(file, "MESH").push(Node::leaf(&record::LEFTOVER, 0, vec![1]));
    };
    rich_case("W3D-FRAME-013", leftover, 0);
    assert!(is_found("W3D-FRAME-013", twice("MESH/VERTICES", "HLOD")));
    assert!(is_found("W3D-FRAME-013", twice("MESH/VERTICES", "")));
    // In a chunk that nobody knows anything may stand.
    rich_case(
        "W3D-FRAME-013",
        |file| {
            let vertices = node(file, "MESH/VERTICES").clone();
            children(file, "").push(Node::branch(&UNKNOWN, 0x7777, vec![vertices]));
        },
        0,
    );
}
