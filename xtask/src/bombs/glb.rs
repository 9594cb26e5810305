//! GLB files whose references make more of them than they contain: circles, shared children, shared keys.

use super::bomb::Bomb;

/// All of them.
pub(super) fn bombs() -> Vec<Bomb> {
    vec![
        glb("glb-mesh-copies", {
            let nodes = vec!["{\"mesh\":0}"; 60_000].join(",");
            let accessors = accessor("\"count\":30000,\"componentType\":5126,\"type\":\"VEC3\"");
            format!("\"nodes\":[{nodes}],{ONE_MESH},\"accessors\":[{accessors}]")
        }),
        glb("glb-node-circle", {
            let nodes = (0..50_000).map(|at| format!("{{\"children\":[{}]}}", (at + 1) % 50_000));
            format!("\"nodes\":[{}]", nodes.collect::<Vec<_>>().join(","))
        }),
        glb("glb-shared-children", {
            // Each node has the next one twice.
            let nodes = (0..60).map(|at| format!("{{\"children\":[{0},{0}]}}", at + 1));
            format!("\"nodes\":[{},{{}}]", nodes.collect::<Vec<_>>().join(","))
        }),
        glb("glb-shared-keys", {
            let channels = (0..200)
                .map(|at| format!("{{\"sampler\":0,\"target\":{{\"node\":{at},\"path\":\"translation\"}}}}"));
            let channels = channels.collect::<Vec<_>>().join(",");
            let animation =
                format!("{{\"samplers\":[{{\"input\":0,\"output\":1}}],\"channels\":[{channels}]}}");
            let accessors = [
                accessor("\"count\":100000,\"componentType\":5126,\"type\":\"SCALAR\""),
                accessor("\"count\":100000,\"componentType\":5126,\"type\":\"VEC3\""),
            ];
            format!(
                "\"nodes\":[{}],\"animations\":[{}],\"accessors\":[{}]",
                vec!["{}"; 200].join(","),
                vec![animation; 500].join(","),
                accessors.join(",")
            )
        }),
        glb("glb-joints", {
            let joints = (0..40_000).map(|at| at.to_string()).collect::<Vec<_>>().join(",");
            format!(
                "\"nodes\":[{}],\"skins\":[{}]",
                vec!["{\"skin\":0}"; 40_000].join(","),
                vec![format!("{{\"joints\":[{joints}]}}"); 30].join(",")
            )
        }),
        glb("glb-control-characters", {
            let name = "\\u001b]0;PWNED\\u0007\\u001b[2J\\n::error::x";
            format!(
                "\"nodes\":[{{\"name\":\"{name}\",\"mesh\":9}}],\"images\":[{{\"uri\":\"../../{name}.png\"}},{{\"uri\":\"/etc/passwd\"}}]"
            )
        }),
    ]
}

/// A mesh of a single primitive.
const ONE_MESH: &str = "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]";

fn accessor(content: &str) -> String {
    format!("{{{content}}}")
}

/// A file with this content besides the version, one scene of the first node, and a buffer of a few bytes.
fn glb(name: &'static str, content: String) -> Bomb {
    let mut json = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\
         \"buffers\":[{{\"byteLength\":64}}],\"bufferViews\":[{{\"buffer\":0,\"byteLength\":64}}],{content}}}"
    )
    .into_bytes();
    while !json.len().is_multiple_of(4) {
        json.push(b' ');
    }
    let length = |size: usize| u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes();
    let binary = [0; 64];
    let bytes = [
        b"glTF\x02\0\0\0".as_slice(),
        &length(12 + 8 + json.len() + 8 + binary.len()),
        &length(json.len()),
        b"JSON",
        &json,
        &length(binary.len()),
        b"BIN\0",
        &binary,
    ];
    Bomb::new(name, "bomb.glb", bytes.concat())
}
