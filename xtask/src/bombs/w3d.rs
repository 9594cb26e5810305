//! W3D files that are small and expand to much.

use super::bomb::Bomb;

/// Bit of a chunk's size that says that it contains chunks.
const CONTAINS_CHUNKS: u32 = 0x8000_0000;

const MESH: u32 = 0x00;
const VERTICES: u32 = 0x02;
const NORMALS: u32 = 0x03;
const VERTEX_INFLUENCES: u32 = 0x0E;
const MESH_HEADER3: u32 = 0x1F;
const TRIANGLES: u32 = 0x20;
const MATERIAL_INFO: u32 = 0x28;
const SHADERS: u32 = 0x29;
const VERTEX_MATERIALS: u32 = 0x2A;
const VERTEX_MATERIAL: u32 = 0x2B;
const VERTEX_MATERIAL_NAME: u32 = 0x2C;
const VERTEX_MATERIAL_INFO: u32 = 0x2D;
const TEXTURES: u32 = 0x30;
const TEXTURE: u32 = 0x31;
const TEXTURE_NAME: u32 = 0x32;
const MATERIAL_PASS: u32 = 0x38;
const VERTEX_MATERIAL_IDS: u32 = 0x39;
const SHADER_IDS: u32 = 0x3A;
const TEXTURE_STAGE: u32 = 0x48;
const TEXTURE_IDS: u32 = 0x49;
const STAGE_TEXCOORDS: u32 = 0x4A;
const HIERARCHY: u32 = 0x100;
const HIERARCHY_HEADER: u32 = 0x101;
const PIVOTS: u32 = 0x102;
const ANIMATION: u32 = 0x200;
const ANIMATION_HEADER: u32 = 0x201;
const ANIMATION_CHANNEL: u32 = 0x202;
const BIT_CHANNEL: u32 = 0x203;
const COMPRESSED_ANIMATION: u32 = 0x280;
const COMPRESSED_ANIMATION_HEADER: u32 = 0x281;
const COMPRESSED_ANIMATION_CHANNEL: u32 = 0x282;
const COLLECTION: u32 = 0x420;
const COLLECTION_HEADER: u32 = 0x421;
const COLLECTION_OBJ_NAME: u32 = 0x422;
const POINTS: u32 = 0x440;
const SPHERE: u32 = 0x741;
const COLOR_CHANNEL: u32 = 0x2;
const KEYS: u32 = 0x0315_0809;
const AGGREGATE: u32 = 0x600;
const AGGREGATE_HEADER: u32 = 0x601;
const AGGREGATE_INFO: u32 = 0x602;
const HLOD: u32 = 0x700;
const HLOD_HEADER: u32 = 0x701;
const HLOD_LOD_ARRAY: u32 = 0x702;
const HLOD_ARRAY_HEADER: u32 = 0x703;
const HLOD_SUB_OBJECT: u32 = 0x704;
const HLOD_AGGREGATE_ARRAY: u32 = 0x705;
const HLOD_PROXY_ARRAY: u32 = 0x706;

/// All of them.
pub(super) fn bombs() -> Vec<Bomb> {
    let model = |name, parts: Vec<Vec<u8>>| Bomb::new(name, "bomb.w3d", parts.concat());
    let one_bone = || skeleton("S", 2);
    vec![
        model("w3d-proxies", vec![one_bone(), hlod("M", "S", &[], &[], &vec![(1, "P"); 8_000])]),
        model(
            "w3d-proxy-copies",
            vec![
                one_bone(),
                hlod("M", "S", &[], &[], &vec![(1, "P"); 8_000]),
                hlod("ALL", "", &[(0..2_000).map(|at| (at, "M")).collect()], &[], &[]),
            ],
        ),
        model(
            "w3d-blinking-proxies",
            vec![
                one_bone(),
                hlod("M", "S", &[], &[], &vec![(1, "P"); 8_000]),
                animation("A", "S", 60_000, &[blinking(1, 60_000)]),
            ],
        ),
        model(
            "w3d-skeleton-copies",
            vec![
                skeleton("S", 60),
                hlod("M", "S", &[], &[], &[]),
                hlod("ALL", "", &[(0..20_000).map(|at| (at, "M")).collect()], &[], &[]),
                animation("A", "S", 500, &(1..60).map(|pivot| turning(pivot, 100)).collect::<Vec<_>>()),
            ],
        ),
        model("w3d-many-pivots", vec![skeleton("S", 120_000), hlod("M", "S", &[], &[], &[])]),
        model("w3d-deep-pivots", {
            let parents = (0..60_000u32).map(|at| at.wrapping_sub(1));
            vec![
                hierarchy("S", parents),
                hlod("M", "S", &[vec![(0, "M.SKIN")]], &[], &[]),
                skin("M", "SKIN", 20_000),
                animation("A", "S", 4, &(1..2_000).map(|pivot| turning(pivot, 4)).collect::<Vec<_>>()),
            ]
        }),
        model("w3d-skin-copies", {
            vec![
                skeleton("S", 2_000),
                hlod("M", "S", &[vec![(0, "M.SKIN")]], &[], &[]),
                skin("M", "SKIN", 2_000),
                hlod("ALL", "", &[(0..10_000).map(|at| (at, "M")).collect()], &[], &[]),
            ]
        }),
        model("w3d-mesh-copies", {
            let objects: Vec<(u32, &str)> = (0..100_000).map(|at| (at, "M.BIG")).collect();
            vec![one_bone(), hlod("M", "S", &[objects], &[], &[]), mesh("M", "BIG", 4_000, &[])]
        }),
        model("w3d-nested-aggregates", {
            let names: Vec<String> = (0..15).map(|at| format!("A{at}")).collect();
            let pairs = names.iter().zip(names.iter().skip(1));
            let mut parts: Vec<Vec<u8>> =
                pairs.map(|(outer, inner)| aggregate(outer, "BASE", &[inner; 8])).collect();
            parts.push(aggregate(&names[14], "BASE", &["BASE"; 8]));
            parts.extend([hlod("BASE", "S", &[vec![(0, "BASE.BOX")]], &[], &[]), one_bone()]);
            parts.push(mesh("BASE", "BOX", 30, &[]));
            parts
        }),
        model("w3d-nested-collections", {
            let names: Vec<String> = (0..14).map(|at| format!("C{at}")).collect();
            let pairs = names.iter().zip(names.iter().skip(1));
            pairs.map(|(outer, inner)| collection(outer, &[inner; 8])).collect()
        }),
        model("w3d-levels", {
            let few: Vec<Vec<u8>> = (0..6_000)
                .map(|at| hlod(&format!("M{at}"), "", &[vec![(0, "X.BOX")], vec![(0, "X.BOX")]], &[], &[]))
                .collect();
            let many = hlod("MANY", "", &vec![Vec::new(); 60_000], &[], &[]);
            [vec![many], few, vec![mesh("X", "BOX", 1, &[])]].concat()
        }),
        model("w3d-short-animations", {
            let moves: Vec<Vec<u8>> = (1..5_000).map(|pivot| turning(pivot, 2)).collect();
            let mut parts = vec![skeleton("S", 5_000), hlod("M", "S", &[], &[], &[])];
            parts.push(animation("ALL", "S", 2, &moves));
            parts.extend((0..20_000).map(|at| animation(&format!("A{at}"), "S", 2, &[])));
            parts
        }),
        model("w3d-endless-channel", {
            let delta = |frames: u32| {
                let mut body = frames.to_le_bytes().to_vec();
                body.extend([1, 0, 1, 0]);
                body.extend(1.0f32.to_le_bytes());
                body.extend([0; 4 + 9]);
                chunk(COMPRESSED_ANIMATION_CHANNEL, &body)
            };
            let coded = |keys: u32| {
                let mut body = keys.to_le_bytes().to_vec();
                body.extend([1, 0, 1, 1]);
                body.extend((0..1_000u32).flat_map(|at| [(at * 4_000_000).to_le_bytes(), [0; 4]]).flatten());
                chunk(COMPRESSED_ANIMATION_CHANNEL, &body)
            };
            let compressed = |name: &str, flavor: u16, channel: Vec<u8>| {
                let mut header = version(0, 1);
                header.extend(chars::<16>(name));
                header.extend(chars::<16>("S"));
                header.extend(u32::MAX.to_le_bytes());
                header.extend(1u16.to_le_bytes());
                header.extend(flavor.to_le_bytes());
                branch(COMPRESSED_ANIMATION, &[chunk(COMPRESSED_ANIMATION_HEADER, &header), channel])
            };
            vec![
                one_bone(),
                hlod("M", "S", &[], &[], &[]),
                compressed("A", 0, coded(u32::MAX)),
                compressed("B", 1, delta(u32::MAX)),
                animation("C", "S", u32::MAX, &[turning(1, 2)]),
            ]
        }),
        model("w3d-empty-chunks", vec![chunk(0xBAD, &[]).repeat(1_300_000)]),
        model("w3d-micro-chunks", vec![micro_chunks([1, 0], 5_200_000)]),
        model("w3d-most-micro-chunks", vec![micro_chunks([1, 0], 500_000)]),
        model("w3d-unknown-micro-chunks", vec![micro_chunks([0x77, 0], 500_000)]),
        model("w3d-empty-meshes", vec![branch(MESH, &[]).repeat(300_000)]),
        model("w3d-deep-chunks", {
            let mut bytes = Vec::new();
            for depth in 0..100_000u32 {
                bytes.extend(MESH.to_le_bytes());
                bytes.extend((((100_000 - depth - 1) * 8) | CONTAINS_CHUNKS).to_le_bytes());
            }
            vec![bytes]
        }),
        model("w3d-points", vec![chunk(POINTS, &vec![0; 12 * 300_000])]),
        model("w3d-passes", {
            let passes: Vec<Vec<u8>> = (0..5_000).map(|at| pass(at % 3, at % 50)).collect();
            let names: Vec<String> = (0..50).map(|at| format!("t{at}.tga")).collect();
            vec![mesh("M", "P", 300, &materials(&names, passes))]
        }),
        Bomb::new("w3d-one-texture", "bomb.w3d", {
            // Each spelling of a path leads to the same file.
            let names: Vec<String> = (0..400).map(|at| format!("{}wood.tga", ".\\".repeat(at))).collect();
            let meshes = names.iter().enumerate().map(|(at, name)| {
                mesh("M", &format!("P{at}"), 30, &materials(std::slice::from_ref(name), vec![pass(0, 0)]))
            });
            meshes.collect::<Vec<_>>().concat()
        })
        .with("wood.tga", super::pictures::noise_tga(1024, 1024)),
        Bomb::new("w3d-many-textures", "bomb.w3d", {
            let meshes = (0..300).map(|at| {
                let name = format!("wood{at}.tga");
                mesh("M", &format!("P{at}"), 30, &materials(&[name], vec![pass(0, 0)]))
            });
            meshes.collect::<Vec<_>>().concat()
        })
        .with_many((0..300).map(|at| (format!("wood{at}.tga"), super::pictures::flat_tga(4096, 4096)))),
        model("w3d-same-names", vec![one_bone(), vec![mesh("M", "SAME", 1, &[]); 6_000].concat()]),
        model("w3d-control-characters", {
            let name = "\x1b]0;PWNED\x07\x1b[2J";
            vec![
                one_bone(),
                hlod("M\n::error::x", "S", &[vec![(9, "M.\x1b[31m")]], &[(0, "=cmd|' /C calc'!A0")], &[]),
                mesh("M", name, 3, &materials(&["\x1b[2J\n::warning::t.tga".to_owned()], vec![pass(0, 0)])),
                animation("\r\n::error::anim", "\x1b[8m", 2, &[turning(1, 2)]),
            ]
        }),
    ]
}

fn chunk(id: u32, body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(body.len()).unwrap_or(u32::MAX);
    [&id.to_le_bytes()[..], &size.to_le_bytes(), body].concat()
}

fn branch(id: u32, parts: &[Vec<u8>]) -> Vec<u8> {
    let body = parts.concat();
    let size = u32::try_from(body.len()).unwrap_or(u32::MAX) | CONTAINS_CHUNKS;
    [&id.to_le_bytes()[..], &size.to_le_bytes(), &body].concat()
}

/// A sphere whose colours are this micro-chunk many times.
fn micro_chunks(micro: [u8; 2], count: usize) -> Vec<u8> {
    branch(SPHERE, &[branch(COLOR_CHANNEL, &[chunk(KEYS, &micro.repeat(count))])])
}

fn version(major: u16, minor: u16) -> Vec<u8> {
    [minor.to_le_bytes(), major.to_le_bytes()].concat()
}

/// A name in a field of fixed length, cut to fit with its NUL.
pub(super) fn chars<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let mut field = [0; LENGTH];
    let length = name.len().min(LENGTH - 1);
    field[..length].copy_from_slice(&name.as_bytes()[..length]);
    field
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A skeleton of a root and bones on it.
fn skeleton(name: &str, pivots: u32) -> Vec<u8> {
    hierarchy(name, (0..pivots).map(|at| if at == 0 { u32::MAX } else { 0 }))
}

fn hierarchy(name: &str, parents: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut pivots = Vec::new();
    for (at, parent) in parents.enumerate() {
        pivots.extend(chars::<16>(&format!("P{at}")));
        pivots.extend(parent.to_le_bytes());
        pivots.extend(floats(&[0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]));
    }
    let mut header = version(4, 1);
    header.extend(chars::<16>(name));
    header.extend(u32::try_from(pivots.len() / 60).unwrap_or(0).to_le_bytes());
    header.extend([0; 12]);
    branch(HIERARCHY, &[chunk(HIERARCHY_HEADER, &header), chunk(PIVOTS, &pivots)])
}

/// A model: its levels, the least detailed first, its aggregates and its proxies, each a bone and a name.
fn hlod(
    name: &str,
    skeleton: &str,
    levels: &[Vec<(u32, &str)>],
    aggregates: &[(u32, &str)],
    proxies: &[(u32, &str)],
) -> Vec<u8> {
    let array = |id: u32, objects: &[(u32, &str)]| {
        let count = u32::try_from(objects.len()).unwrap_or(0);
        let mut parts =
            vec![chunk(HLOD_ARRAY_HEADER, &[count.to_le_bytes(), f32::MAX.to_le_bytes()].concat())];
        parts.extend(objects.iter().map(|(bone, name)| {
            chunk(HLOD_SUB_OBJECT, &[&bone.to_le_bytes()[..], &chars::<32>(name)].concat())
        }));
        branch(id, &parts)
    };
    let mut header = version(1, 0);
    header.extend(u32::try_from(levels.len()).unwrap_or(0).to_le_bytes());
    header.extend(chars::<16>(name));
    header.extend(chars::<16>(skeleton));
    let mut parts = vec![chunk(HLOD_HEADER, &header)];
    parts.extend(levels.iter().map(|level| array(HLOD_LOD_ARRAY, level)));
    parts.extend((!aggregates.is_empty()).then(|| array(HLOD_AGGREGATE_ARRAY, aggregates)));
    parts.extend((!proxies.is_empty()).then(|| array(HLOD_PROXY_ARRAY, proxies)));
    branch(HLOD, &parts)
}

fn aggregate(name: &str, base: &str, objects: &[impl AsRef<str>]) -> Vec<u8> {
    let header = [&version(1, 3)[..], &chars::<16>(name)].concat();
    let mut info = chars::<32>(base).to_vec();
    info.extend(u32::try_from(objects.len()).unwrap_or(0).to_le_bytes());
    for object in objects {
        info.extend(chars::<32>(object.as_ref()));
        info.extend(chars::<32>("P1"));
    }
    branch(AGGREGATE, &[chunk(AGGREGATE_HEADER, &header), chunk(AGGREGATE_INFO, &info)])
}

fn collection(name: &str, objects: &[impl AsRef<str>]) -> Vec<u8> {
    let mut header = version(1, 0);
    header.extend(chars::<16>(name));
    header.extend(u32::try_from(objects.len()).unwrap_or(0).to_le_bytes());
    header.extend([0; 8]);
    let mut parts = vec![chunk(COLLECTION_HEADER, &header)];
    let names = objects.iter().map(|object| [object.as_ref().as_bytes(), b"\0"].concat());
    parts.extend(names.map(|name| chunk(COLLECTION_OBJ_NAME, &name)));
    branch(COLLECTION, &parts)
}

fn animation(name: &str, skeleton: &str, frames: u32, channels: &[Vec<u8>]) -> Vec<u8> {
    let mut header = version(4, 1);
    header.extend(chars::<16>(name));
    header.extend(chars::<16>(skeleton));
    header.extend(frames.to_le_bytes());
    header.extend(30u32.to_le_bytes());
    branch(ANIMATION, &[vec![chunk(ANIMATION_HEADER, &header)], channels.to_vec()].concat())
}

/// A channel that turns a bone.
fn turning(pivot: u16, frames: u16) -> Vec<u8> {
    const ROTATION: u16 = 6;
    let fields = [0, frames.saturating_sub(1), 4, ROTATION, pivot, 0];
    let mut body: Vec<u8> = fields.iter().flat_map(|field: &u16| field.to_le_bytes()).collect();
    for frame in 0..frames {
        let (sine, cosine) = (f32::from(frame) * 0.05).sin_cos();
        body.extend(floats(&[0.0, 0.0, sine, cosine]));
    }
    chunk(ANIMATION_CHANNEL, &body)
}

/// A channel that shows and hides a bone at every frame.
fn blinking(pivot: u16, frames: u16) -> Vec<u8> {
    let fields = [0, frames - 1, 0, pivot];
    let mut body: Vec<u8> = fields.iter().flat_map(|field: &u16| field.to_le_bytes()).collect();
    body.push(1);
    body.extend(vec![0x55; usize::from(frames).div_ceil(8)]);
    chunk(BIT_CHANNEL, &body)
}

fn mesh_header(container: &str, name: &str, attributes: u32, triangles: u32, vertices: u32) -> Vec<u8> {
    let mut header = version(4, 2);
    header.extend(attributes.to_le_bytes());
    header.extend(chars::<16>(name));
    header.extend(chars::<16>(container));
    header.extend(triangles.to_le_bytes());
    header.extend(vertices.to_le_bytes());
    header.resize(116, 0);
    chunk(MESH_HEADER3, &header)
}

/// A mesh of separate triangles.
fn mesh(container: &str, name: &str, triangles: u32, parts: &[Vec<u8>]) -> Vec<u8> {
    let mut all = vec![mesh_header(container, name, 0, triangles, triangles * 3)];
    all.extend(geometry(triangles));
    all.extend_from_slice(parts);
    branch(MESH, &all)
}

fn geometry(triangles: u32) -> [Vec<u8>; 3] {
    let corners = (0..triangles).flat_map(|at| {
        let x = at as f32;
        [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]]
    });
    let normals = floats(&[1.0, 0.0, 0.0]).repeat(3 * triangles as usize);
    let mut faces = Vec::new();
    for at in 0..triangles {
        faces.extend([at * 3, at * 3 + 1, at * 3 + 2, 13].into_iter().flat_map(u32::to_le_bytes));
        faces.extend(floats(&[1.0, 0.0, 0.0, at as f32]));
    }
    let vertices: Vec<u8> = corners.flat_map(|corner| floats(&corner)).collect();
    [chunk(VERTICES, &vertices), chunk(NORMALS, &normals), chunk(TRIANGLES, &faces)]
}

/// A skin with a triangle on each bone.
fn skin(container: &str, name: &str, bones: u16) -> Vec<u8> {
    const SKIN: u32 = 0x0002_0000;
    let triangles = u32::from(bones);
    let mut parts = vec![mesh_header(container, name, SKIN, triangles, triangles * 3)];
    parts.extend(geometry(triangles));
    let influences = (0..bones).flat_map(|bone| [[bone, 0, 100, 0]; 3]).flatten();
    parts.push(chunk(VERTEX_INFLUENCES, &influences.flat_map(u16::to_le_bytes).collect::<Vec<_>>()));
    branch(MESH, &parts)
}

/// Textures, shaders, and these passes.
fn materials(textures: &[String], passes: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let count = |of: usize| u32::try_from(of).unwrap_or(0);
    let info = [count(passes.len()), 1, 3, count(textures.len())];
    let shader = |destination: u8| {
        let mut shader = [0u8; 16];
        shader[0] = 3;
        shader[1] = 1;
        shader[3] = destination;
        shader[7] = u8::from(destination > 0);
        shader[6] = 1;
        shader
    };
    let textures: Vec<Vec<u8>> = textures
        .iter()
        .map(|name| branch(TEXTURE, &[chunk(TEXTURE_NAME, &[name.as_bytes(), b"\0"].concat())]))
        .collect();
    let material = [chunk(VERTEX_MATERIAL_NAME, b"m\0"), chunk(VERTEX_MATERIAL_INFO, &[255; 32])];
    let mut parts = vec![
        chunk(MATERIAL_INFO, &info.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<_>>()),
        chunk(SHADERS, &[shader(0), shader(1), shader(5)].concat()),
        branch(VERTEX_MATERIALS, &[branch(VERTEX_MATERIAL, &material)]),
        branch(TEXTURES, &textures),
    ];
    parts.extend(passes);
    parts
}

fn pass(shader: u32, texture: u32) -> Vec<u8> {
    let coordinates = floats(&[0.0, 0.5]).repeat(3);
    let stage = [chunk(TEXTURE_IDS, &texture.to_le_bytes()), chunk(STAGE_TEXCOORDS, &coordinates)];
    let parts = [
        chunk(VERTEX_MATERIAL_IDS, &[0; 4]),
        chunk(SHADER_IDS, &shader.to_le_bytes()),
        branch(TEXTURE_STAGE, &stage),
    ];
    branch(MATERIAL_PASS, &parts)
}
