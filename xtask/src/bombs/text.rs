//! MDL and JSON texts that are small and cost much.

use super::bomb::Bomb;

const START: &str = "Version { FormatVersion 800, }\nModel \"m\" { BlendTime 150, }\n";

/// All of them.
pub(super) fn bombs() -> Vec<Bomb> {
    let mdl = |name, text: String| Bomb::new(name, "bomb.mdl", text.into_bytes());
    let json = |name, text: String| Bomb::new(name, "bomb.json", text.into_bytes());
    vec![
        mdl("mdl-one-line", format!("{START}{}", "Geoset { x } ".repeat(40_000))),
        mdl("mdl-one-long-line", format!("{START}{}", "Geoset { x } ".repeat(700_000))),
        mdl("mdl-geosets", format!("{START}{}", "Geoset{}".repeat(1_300_000))),
        mdl("mdl-most-geosets", format!("{START}{}", "Geoset{}".repeat(150_000))),
        mdl("mdl-layers", format!("{START}Materials 1 {{ Material {{ {} }} }}", "Layer{}".repeat(1_400_000))),
        mdl(
            "mdl-most-layers",
            format!("{START}Materials 1 {{ Material {{ {} }} }}", "Layer{}".repeat(700_000)),
        ),
        mdl("mdl-most-bones", format!("{START}{}", "Bone\"\"{}".repeat(180_000))),
        mdl("mdl-unknown-words", format!("{START}Geoset {{ {} }}", "x,".repeat(5_000_000))),
        mdl("mdl-bones", {
            let bones = (0..40_000).map(|at| {
                format!(
                    "Bone \"b\" {{\n\tObjectId {at},\n\tParent {},\n\tGeosetId 7,\n\tGeosetAnimId 9,\n}}\n",
                    at + 50_000
                )
            });
            START.to_owned() + &bones.collect::<String>()
        }),
        mdl("mdl-bones-on-one-line", {
            let bones = (0..40_000).map(|at| {
                format!(
                    "Bone \"b\" {{ ObjectId {at}, Parent {}, GeosetId 7, GeosetAnimId 9, }} ",
                    at + 50_000
                )
            });
            START.to_owned() + &bones.collect::<String>()
        }),
        mdl("mdl-long-string", format!("{START}Bone \"{}\" {{ ObjectId 0, }}\n", "x".repeat(9 << 20))),
        mdl("mdl-open-string", format!("{START}Bone \"{}", "x\n".repeat(4 << 20))),
        mdl("mdl-braces", format!("{START}{}", "{".repeat(5 << 20))),
        mdl("mdl-blocks", format!("{START}{}", "Bone \"x\" { ".repeat(300_000))),
        mdl("mdl-counts", {
            let track = "Translation 4000000000 { Linear, 0: { 1, 2, 3 }, }";
            let geoset = "Geoset { Vertices 4000000000 { { 0, 0, 0 }, } Normals 9 { } Faces 4000000000 4000000000 { } }";
            format!("{START}Bone \"b\" {{ ObjectId 0, {track} }}\n{geoset}\nSequences 4000000000 {{ }}\n")
        }),
        mdl("mdl-long-number", format!("{START}Model \"n\" {{ BlendTime 0.{}1, }}\n", "0".repeat(8 << 20))),
        mdl(
            "mdl-long-numbers",
            format!("{START}{}", {
                let bones = (0..2_000).map(|at| {
                    format!(
                        "PivotPoints 1 {{ {{ 1{}, 0.{}1, {at} }}, }}\n",
                        "3".repeat(2_000),
                        "0".repeat(2_000)
                    )
                });
                bones.collect::<String>()
            }),
        ),
        mdl("mdl-comments", format!("{START}{}", "// x\n".repeat(1_500_000))),
        mdl("mdl-empty-lines", format!("{START}{}", "\r".repeat(9 << 20))),
        mdl("mdl-names", {
            let bones =
                (0..60_000).map(|at| format!("Helper \"{}\" {{ ObjectId {at}, }}\n", "n".repeat(100)));
            START.to_owned() + &bones.collect::<String>()
        }),
        mdl("mdl-clips", {
            let clips = (0..10_000).map(|at| {
                format!("\tAnim \"a{at}\" {{\n\t\tInterval {{ {}, {} }},\n\t}}\n", at * 10, at * 10 + 9)
            });
            let clips = format!("Sequences 10000 {{\n{}}}\n", clips.collect::<String>());
            let bones = (0..10_000).map(|at| format!("Bone \"b{at}\" {{ ObjectId {at}, Rotation 2 {{ Linear, 0: {{ 0, 0, 0, 1 }}, 9: {{ 0, 0, 1, 0 }}, }} }}\n"));
            START.to_owned() + &clips + &bones.collect::<String>()
        }),
        mdl(
            "mdl-control-characters",
            format!(
                "{START}Bone \"\x1b]0;PWNED\x07\x1b[2J\" {{ ObjectId 0, Parent 9, }}\nBone \"::error::x\" {{ \x1b[2J\r::error::y }}\nTextures 1 {{ Bitmap {{ Image \"\x1b[2J\u{9b}31m.blp\", }} }}\n"
            ),
        ),
        json("json-deep", format!("{{\"format\":\"w3d\",\"children\":{}", "[".repeat(5 << 20))),
        json(
            "json-objects",
            format!(
                "{{\"format\":\"w3d\",\"children\":[{}]}}",
                vec!["{\"chunk\":\"MESH\",\"children\":[]}"; 300_000].join(",")
            ),
        ),
        json(
            "json-bytes",
            format!(
                "{{\"format\":\"w3d\",\"children\":[{{\"chunk\":\"0xBAD\",\"hex\":\"{}\"}}]}}",
                "00".repeat(4 << 20)
            ),
        ),
        json(
            "json-long-number",
            format!(
                "{{\"format\":\"w3d\",\"children\":[{{\"chunk\":\"MESH\",\"children\":[{{\"chunk\":\"VERTICES\",\"vertices\":[[{},0,0]]}}]}}]}}",
                "9".repeat(8 << 20)
            ),
        ),
        json("json-lists", format!("{{\"format\":\"w3d\",\"children\":[{}{{}}]}}", "[],".repeat(3_400_000))),
        json("json-parts", {
            let part = "{\"micro\":\"KEY\",\"hex\":\"\"},".repeat(340_000);
            format!(
                "{{\"format\":\"w3d\",\"children\":[{{\"chunk\":\"SPHERE\",\"children\":[{{\"chunk\":\"COLOR_CHANNEL\",\"children\":[{{\"chunk\":\"VARIABLES\",\"children\":[{}]}}]}}]}}]}}",
                part.trim_end_matches(',')
            )
        }),
        json("json-keys", {
            let keys = (0..300_000).map(|at| format!("\"k{at}\":1"));
            format!("{{\"format\":\"mdx\",\"version\":800,{}}}", keys.collect::<Vec<_>>().join(","))
        }),
        json(
            "json-control-characters",
            "{\"format\":\"w3d\",\"children\":[{\"chunk\":\"\\u001b[2J\\n::error::x\",\"\\u001b[8m\":1}]}"
                .to_owned(),
        ),
    ]
}
