//! glTF files that are small and cost much.

use super::bomb::Bomb;
use super::pictures::noise_tga;

/// All of them.
pub(super) fn bombs() -> Vec<Bomb> {
    vec![
        // Two bytes of text for each node.
        text("gltf-nodes", &format!("\"nodes\":[{}{{}}]", "{},".repeat(3_000_000))),
        text("gltf-accessors", &format!("\"accessors\":[{}{{}}]", "{},".repeat(3_000_000))),
        text("gltf-channels", &{
            let channel = "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}},";
            let sampler = "\"samplers\":[{\"input\":0,\"output\":1}]";
            let accessors = "{\"componentType\":5126,\"count\":100000,\"type\":\"SCALAR\"},{\"componentType\":5126,\"count\":100000,\"type\":\"VEC3\"}";
            let channels = channel.repeat(100_000);
            let channels = channels.trim_end_matches(',');
            format!(
                "\"nodes\":[{{}}],\"scenes\":[{{\"nodes\":[0]}}],\"animations\":[{{\"channels\":[{channels}],{sampler}}}],\"accessors\":[{accessors}]"
            )
        }),
        // A billion vertices without a byte of data.
        text("gltf-zeros", &primitive("\"count\":1000000000")),
        text("gltf-sparse", &{
            let sparse = "\"count\":1000000000,\"sparse\":{\"count\":1000000000,\"indices\":{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":0}}";
            primitive(sparse)
        }),
        // One mesh of a million vertices in thousands of places.
        text("gltf-instances", &{
            let nodes = "{\"mesh\":0},".repeat(50_000);
            let roots: Vec<String> = (0..50_000).map(|node| node.to_string()).collect();
            primitive("\"count\":1000000")
                .replace("\"nodes\":[{\"mesh\":0}]", &format!("\"nodes\":[{}]", nodes.trim_end_matches(',')))
                .replace("\"nodes\":[0]", &format!("\"nodes\":[{}]", roots.join(",")))
        }),
        // Half a million primitives over the same million vertices.
        text("gltf-primitives", &{
            let one = "{\"attributes\":{\"POSITION\":0}}";
            let many = vec![one; 250_000].join(",");
            primitive("\"count\":1000000").replace(one, &many)
        }),
        // As deep as nodes can be.
        text("gltf-chain", &{
            let nodes: Vec<String> = (1..50_000).map(|child| format!("{{\"children\":[{child}]}}")).collect();
            format!("\"nodes\":[{},{{}}],\"scenes\":[{{\"nodes\":[0]}}]", nodes.join(","))
        }),
        // One mesh on thousands of nodes, and each copy would have bounds for thousands of clips.
        text("gltf-clip-bounds", &{
            let nodes = vec!["{\"mesh\":0}"; 5_000].join(",");
            let roots: Vec<String> = (0..5_000).map(|node| node.to_string()).collect();
            let extras = "\"extras\":{\"meshwright\":{\"bounds\":{\"min\":[0,0,0],\"max\":[1,1,1],\"center\":[0,0,0],\"radius\":1},\"equal_clip_bounds\":65536}},\"primitives\"";
            primitive("\"count\":3")
                .replace("\"primitives\"", extras)
                .replace("\"nodes\":[{\"mesh\":0}]", &format!("\"nodes\":[{nodes}]"))
                .replace("\"nodes\":[0]", &format!("\"nodes\":[{}]", roots.join(",")))
        }),
        // A neighbour of 4 MB, named 1,500 times.
        {
            let images = vec!["{\"uri\":\"beside.png\"}"; 1_500].join(",");
            text("gltf-image-copies", &format!("\"nodes\":[{{}}],\"images\":[{images}]"))
                .with("beside.png", noise_tga(1_024, 1_024))
        },
        // As many textures as fit, each with an image of its own.
        text("gltf-textures", &{
            let count = 40_000;
            let images: Vec<String> = (0..count).map(|at| format!("{{\"uri\":\"{at}.png\"}}")).collect();
            let textures: Vec<String> = (0..count).map(|at| format!("{{\"source\":{at}}}")).collect();
            let materials: Vec<String> = (0..count)
                .map(|at| format!("{{\"pbrMetallicRoughness\":{{\"baseColorTexture\":{{\"index\":{at}}}}}}}"))
                .collect();
            let (images, textures, materials) = (images.join(","), textures.join(","), materials.join(","));
            format!(
                "{},\"images\":[{images}],\"textures\":[{textures}],\"materials\":[{materials}]",
                primitive("\"count\":3")
            )
        }),
        text("gltf-brackets", &format!("\"extras\":{}", "[".repeat(9 << 20))),
        text("gltf-extras", &format!("\"nodes\":[{{\"extras\":[{}0]}}]", "[],".repeat(3_000_000))),
        text("gltf-python", &{
            let deep = "[".repeat(4 << 20);
            format!(
                "\"nodes\":[{{}}],\"scenes\":[{{\"nodes\":[0],\"extras\":{{\"meshwright\":\"{deep}\"}}}}]"
            )
        }),
    ]
}

/// A `.gltf` with these fields.
fn text(name: &'static str, fields: &str) -> Bomb {
    Bomb::new(name, "bomb.gltf", format!("{{\"asset\":{{\"version\":\"2.0\"}},{fields}}}").into_bytes())
}

/// A node with a mesh of one primitive, whose positions are an accessor with these fields and no data.
fn primitive(accessor: &str) -> String {
    format!(
        "\"nodes\":[{{\"mesh\":0}}],\"scenes\":[{{\"nodes\":[0]}}],\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\"accessors\":[{{\"componentType\":5126,\"type\":\"VEC3\",{accessor}}}]"
    )
}
