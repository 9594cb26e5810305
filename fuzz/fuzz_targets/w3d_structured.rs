//! A document made of known chunks in any order is written, read and written again without a difference.
#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use record::{Body, Node};
use w3d::{Chunk, Shape, W3d, build, table};

fn node(from: &mut Unstructured<'_>, scope: &[&'static Chunk], depth: usize) -> Result<Node<'static>> {
    let chunk: &'static Chunk = from.choose(scope)?;
    let mut node = match chunk.shape {
        _ if depth > 6 => build::bytes(chunk, Vec::new()),
        Shape::Leaf => {
            let length = from.int_in_range(0..=80)?;
            build::bytes(chunk, from.bytes(length.min(from.len()))?)
        }
        Shape::Branch(scope) => build::branch(chunk, nodes(from, scope.unwrap_or(table::CHUNKS), depth + 1)?),
        Shape::Micro(scope) => build::branch(chunk, nodes(from, scope, depth + 1)?),
        Shape::Prefixed(prefix) => {
            let size = prefix.slots.iter().map(|slot| slot.item.size()).sum();
            let record = Node::leaf(prefix, 0, vec![from.arbitrary::<u8>()?; size]);
            let children = nodes(from, table::CHUNKS, depth + 1)?;
            build::branch(chunk, std::iter::once(record).chain(children))
        }
    };
    if chunk.kind.framing.word() == "chunk" && from.ratio(1, 16)? {
        // The container bit the other way round.
        node.size_delta = 0x8000_0000;
    }
    if let Body::Leaf(bytes) = &mut node.body
        && chunk.kind.framing.word() == "micro"
    {
        bytes.to_mut().truncate(255);
    }
    Ok(node)
}

fn nodes(from: &mut Unstructured<'_>, scope: &[&'static Chunk], depth: usize) -> Result<Vec<Node<'static>>> {
    (0..from.int_in_range(0..=6)?).map(|_| node(from, scope, depth)).collect()
}

fuzz_target!(|bytes: &[u8]| {
    let mut from = Unstructured::new(bytes);
    let Ok(first) = node(&mut from, &[&table::MESH, &table::HLOD, &table::SPHERE, &table::SOUNDROBJ, &table::SHDMESH], 0) else { return };
    let mut file = W3d::new();
    let children = file.root.children_mut().expect("a file is a branch");
    children.push(first);
    children.extend(nodes(&mut from, table::CHUNKS, 0).unwrap_or_default());
    let written = file.to_bytes().expect("small enough");
    let read = W3d::parse(&written).expect("starts like a file");
    assert_eq!(read.to_bytes().as_deref(), Ok(written.as_slice()));
    assert_eq!(read.root.children().len(), file.root.children().len());
    let again = W3d::from_json(&read.to_json()).expect("our own text is read");
    assert_eq!(again.to_bytes().as_deref(), Ok(written.as_slice()));
    // A document that was built may contradict itself: its text is refused, or means the same bytes.
    if let Ok(built) = W3d::from_json(&file.to_json()) {
        assert_eq!(built.to_bytes().as_deref(), Ok(written.as_slice()));
    }
});
