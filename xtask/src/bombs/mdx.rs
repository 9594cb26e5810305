//! MDX files that are small and expand to much.

use super::bomb::Bomb;
use super::w3d::chars;

/// What a track does between keys.
const LINEAR: u32 = 1;
const HERMITE: u32 = 2;
const BEZIER: u32 = 3;

/// Flags of a node that follows nothing of its parent.
const INHERITS_NOTHING: u32 = 7;
/// No parent, no global sequence.
const NONE: i32 = -1;

/// All of them.
pub(super) fn bombs() -> Vec<Bomb> {
    vec![
        model("mdx-bake", 800, {
            let nodes = vec![bone(0, NONE, 0, &[turning(b"KGRT", LINEAR, 0, &[0, 5, 10])])];
            vec![sequences(&[[0, 2_000_000_000]]), list(b"GLBS", &[10u32.to_le_bytes()]), bones(&nodes)]
        }),
        model("mdx-bake-often", 800, {
            let tracks = |at: i32| vec![turning(b"KGRT", LINEAR, at % 4, &[0, 1, 2, 3])];
            let nodes: Vec<_> = (0..100).map(|at| bone(at, NONE, 0, &tracks(at))).collect();
            vec![
                sequences(&[[0, 60_000]; 100]),
                list(b"GLBS", &[1u32, 2, 3, 4].map(u32::to_le_bytes)),
                bones(&nodes),
            ]
        }),
        model("mdx-bake-curves", 800, {
            // 2 KB. Baked, one cycle of 24 curved keys is repeated 80,000 times.
            let keys = every(41, 24);
            let nodes = vec![bone(0, NONE, 0, &[turning(b"KGRT", BEZIER, 0, &keys)])];
            vec![sequences(&[[0, 80_000_000]]), list(b"GLBS", &[1_000u32.to_le_bytes()]), bones(&nodes)]
        }),
        model("mdx-bake-curves-in-many-clips", 800, {
            let nodes = vec![bone(0, NONE, 0, &[turning(b"KGRT", HERMITE, 0, &every(100, 8))])];
            vec![sequences(&[[0, 20_000_000]; 8]), list(b"GLBS", &[800u32.to_le_bytes()]), bones(&nodes)]
        }),
        model("mdx-cameras-and-clips", 800, {
            // 230 KB. Each of the 1,500 clips has all keys, and the view is turned for each key of position and target.
            let keys = every(7, 500);
            let tracks =
                [moving(b"KCTR", LINEAR, NONE, &keys), moving(b"KTTR", LINEAR, NONE, &every(11, 320))];
            let windows: Vec<[i32; 2]> = (0..1_500).map(|at| [at, 3_500 + at]).collect();
            vec![sequences(&windows), chunk(b"CAMS", &camera(&tracks))]
        }),
        model("mdx-bezier-camera-and-clips", 800, {
            let keys = every(500, 100);
            let tracks = [moving(b"KCTR", BEZIER, NONE, &keys), moving(b"KTTR", BEZIER, NONE, &keys)];
            vec![sequences(&[[0, 50_000]; 1_000]), chunk(b"CAMS", &camera(&tracks))]
        }),
        model("mdx-hermite-cameras", 800, {
            let keys = every(30_000, 300);
            let tracks = [moving(b"KCTR", HERMITE, NONE, &keys), moving(b"KTTR", HERMITE, 0, &every(90, 40))];
            let cameras: Vec<_> = (0..10).map(|_| camera(&tracks)).collect();
            vec![
                sequences(&[[0, 9_000_000]; 20]),
                list(b"GLBS", &[3_600u32.to_le_bytes()]),
                chunk(b"CAMS", &cameras.concat()),
            ]
        }),
        model("mdx-cameras", 800, {
            let track = moving(b"KCTR", LINEAR, 0, &every(3, 2_000));
            let cameras: Vec<_> = (0..4).map(|_| camera(std::slice::from_ref(&track))).collect();
            let windows: Vec<[i32; 2]> = (0..1_500).map(|at| [at, 6_000 + at]).collect();
            vec![
                sequences(&windows),
                list(b"GLBS", &[6_000u32.to_le_bytes()]),
                chunk(b"CAMS", &cameras.concat()),
            ]
        }),
        model("mdx-bezier-cameras", 800, {
            let keys = every(10, 2_000);
            let tracks = [moving(b"KCTR", BEZIER, NONE, &keys), moving(b"KTTR", BEZIER, NONE, &keys)];
            let cameras: Vec<_> = (0..40).map(|_| camera(&tracks)).collect();
            vec![sequences(&[[0, 20_000]; 8]), chunk(b"CAMS", &cameras.concat())]
        }),
        model("mdx-independent-nodes", 800, {
            let tracks = |at: i32| vec![turning(b"KGRT", LINEAR, NONE, &[at, at + 500, at + 900])];
            let nodes: Vec<_> =
                (0..3_000).map(|at| bone(at, at - 1, INHERITS_NOTHING, &tracks(at))).collect();
            vec![sequences(&[[0, 4_000], [1_000, 3_000], [0, 3_900]]), bones(&nodes)]
        }),
        model("mdx-long-clip", 800, {
            let tracks = |at: i32| vec![turning(b"KGRT", LINEAR, NONE, &[at, at + 900_000, 1_990_000])];
            let nodes: Vec<_> =
                (0..3_000).map(|at| bone(at, at - 1, INHERITS_NOTHING, &tracks(at))).collect();
            vec![sequences(&[[0, 2_000_000]]), bones(&nodes)]
        }),
        model("mdx-independent-curves", 800, {
            let keys = every(10, 300);
            let nodes: Vec<_> = (0..500)
                .map(|at| bone(at, at - 1, INHERITS_NOTHING, &[turning(b"KGRT", BEZIER, NONE, &keys)]))
                .collect();
            vec![sequences(&[[0, 3_000]; 20]), bones(&nodes)]
        }),
        model("mdx-curves", 800, {
            let keys = every(1, 20_000);
            let nodes: Vec<_> =
                (0..10).map(|at| bone(at, NONE, 0, &[turning(b"KGRT", BEZIER, NONE, &keys)])).collect();
            vec![sequences(&[[0, 20_000]; 30]), bones(&nodes)]
        }),
        model("mdx-still-clips", 800, {
            // Every clip gets a channel for what any clip moves.
            let tracks =
                |_| vec![turning(b"KGRT", LINEAR, NONE, &[0, 10]), moving(b"KGTR", LINEAR, NONE, &[0, 10])];
            let nodes: Vec<_> = (0..10_000).map(|at| bone(at, NONE, 0, &tracks(at))).collect();
            let windows: Vec<[i32; 2]> = (0..20_000).map(|at| [at * 20, at * 20 + 10]).collect();
            vec![sequences(&windows), bones(&nodes)]
        }),
        model("mdx-shared-keys", 800, {
            let keys = every(1, 50_000);
            vec![
                sequences(&[[0, 50_000]; 4_000]),
                bones(&[bone(0, NONE, 0, &[moving(b"KGTR", LINEAR, NONE, &keys)])]),
            ]
        }),
        model("mdx-deep-bones", 800, {
            let nodes: Vec<_> = (0..70_000).map(|at| bone(at, at - 1, 0, &[])).collect();
            vec![sequences(&[[0, 1_000]]), bones(&nodes)]
        }),
        model("mdx-deep-independent-bones", 800, {
            let nodes: Vec<_> = (0..40_000).map(|at| bone(at, at - 1, INHERITS_NOTHING, &[])).collect();
            vec![sequences(&[[0, 1_000]]), bones(&nodes)]
        }),
        model("mdx-bones-in-a-circle", 800, {
            let nodes: Vec<_> = (0..40_000).map(|at| bone(at, (at + 1) % 40_000, 4, &[])).collect();
            vec![bones(&nodes)]
        }),
        model("mdx-same-names", 800, {
            let nodes: Vec<_> = (0..60_000).map(|_| bone(7, 7, 0, &[])).collect();
            vec![bones(&nodes)]
        }),
        model("mdx-layers", 800, {
            let layers = |count: i32| material(&(0..count).map(|at| layer(at % 2, 3)).collect::<Vec<_>>());
            vec![
                textures(&["a.blp".to_owned(), "b.blp".to_owned()]),
                chunk(b"MTLS", &[layers(60_000), layers(2_000)].concat()),
                chunk(b"GEOS", &[geoset(0, 10, 1), geoset(1, 10, 1)].concat()),
            ]
        })
        .with("a.blp", super::pictures::noise_tga(64, 64))
        .with("b.blp", super::pictures::noise_tga(128, 128)),
        model("mdx-fading-layers", 800, {
            // All meshes have all layers, and each layer fades by keys of its own in each clip.
            let layers: Vec<_> = (0..2_000).map(|_| fading(0, &[0, 5, 10])).collect();
            let geosets: Vec<_> = (0..10_000).map(|_| geoset(0, 1, 1)).collect();
            let windows: Vec<[i32; 2]> = (0..200).map(|at| [at * 20, at * 20 + 10]).collect();
            vec![
                sequences(&windows),
                textures(&["a.blp".to_owned()]),
                chunk(b"MTLS", &material(&layers)),
                chunk(b"GEOS", &geosets.concat()),
                bones(&[bone(0, NONE, 0, &[])]),
            ]
        }),
        model("mdx-geosets-and-clips", 800, {
            let count = 4_000;
            let geosets: Vec<_> = (0..count).map(|_| geoset(0, 1, 1)).collect();
            let alphas: Vec<_> = (0..count).map(|at| geoset_animation(at, &[0, 5])).collect();
            let windows: Vec<[i32; 2]> = (0..4_000).map(|at| [at * 7, at * 7 + 6]).collect();
            vec![
                sequences(&windows),
                textures(&["a.blp".to_owned()]),
                chunk(b"MTLS", &material(&[layer(0, 0)])),
                chunk(b"GEOS", &geosets.concat()),
                chunk(b"GEOA", &alphas.concat()),
                bones(&[bone(0, NONE, 0, &[])]),
            ]
        }),
        model("mdx-matrix-groups", 800, {
            vec![bones(&[bone(0, NONE, 0, &[])]), chunk(b"GEOS", &geoset(0, 20_000, 1_000_000))]
        }),
        model("mdx-fans", 800, {
            // One polygon of 65,000 corners, many times.
            let mut body = Vec::new();
            body.extend(list(b"VRTX", &[[0; 12]; 9]));
            body.extend(list(b"NRMS", &[[0; 12]; 9]));
            body.extend(list(b"PTYP", &[5u32.to_le_bytes(); 20]));
            body.extend(list(b"PCNT", &[100_000u32.to_le_bytes(); 20]));
            let indices: Vec<_> = (0..2_000_000u32).map(|at| ((at % 9) as u16).to_le_bytes()).collect();
            body.extend(list(b"PVTX", &indices));
            vec![chunk(b"GEOS", &sized(&body))]
        }),
        model("mdx-events", 800, {
            let times: Vec<_> = (0..100_000u32).map(u32::to_le_bytes).collect();
            let mut event = object("SNDxEVNT", 0, NONE, 0x400, &[]);
            event.extend(b"KEVT");
            event.extend(100_000u32.to_le_bytes());
            event.extend(NONE.to_le_bytes());
            event.extend(times.concat());
            vec![sequences(&[[0, 100_000]; 3_000]), chunk(b"EVTS", &event)]
        }),
        model("mdx-unknown-chunks", 800, vec![chunk(b"WHAT", &[]).repeat(1_300_000)]),
        model("mdx-empty-objects", 800, {
            // Sizes that hold nothing but themselves.
            let tags = [b"BONE", b"GEOS", b"MTLS", b"TXAN", b"GEOA", b"ATCH", b"CAMS", b"CLID"];
            tags.map(|tag| chunk(tag, &sized(&[]).repeat(150_000))).into()
        }),
        model("mdx-texture-slots", 1100, {
            let slots = 600_000u32;
            let mut layer = vec![0; 24 + 4 + 20];
            layer.extend([1u32, slots].into_iter().flat_map(u32::to_le_bytes));
            layer.extend((0..slots).flat_map(|at| [0, at % 6]).flat_map(u32::to_le_bytes));
            vec![
                textures(&["a.blp".to_owned()]),
                chunk(b"MTLS", &material(&[sized(&layer)])),
                chunk(b"GEOS", &geoset(0, 10, 1)),
            ]
        }),
        model("mdx-lying-sizes", 800, {
            let mut body = vec![];
            for _ in 0..100_000 {
                body.extend(u32::MAX.to_le_bytes());
                body.extend([0xFF; 20]);
            }
            let tags = [b"BONE", b"LITE", b"GEOS", b"MTLS", b"PRE2", b"RIBB", b"EVTS", b"CLID"];
            tags.map(|tag| chunk(tag, &body[..400_000])).into()
        }),
        Bomb::new("mdx-one-texture", "bomb.mdx", {
            let names: Vec<String> =
                (0..400).map(|at| format!("{}wood.tga", ".\\".repeat(at % 120))).collect();
            let materials: Vec<_> = (0..400).map(|at| material(&[layer(at, 0)])).collect();
            let geosets: Vec<_> = (0..400).map(|at| geoset(at, 1, 1)).collect();
            mdx(
                800,
                &[textures(&names), chunk(b"MTLS", &materials.concat()), chunk(b"GEOS", &geosets.concat())],
            )
        })
        .with("wood.tga", super::pictures::noise_tga(1024, 1024)),
        Bomb::new("mdx-mixed-textures", "bomb.mdx", {
            // Every pair of layers is a picture of its own.
            let names: Vec<String> = (0..20).map(|at| format!("wood{at}.tga")).collect();
            let pairs = || (0..20).flat_map(|under| (0..20).map(move |over| (under, over)));
            let materials: Vec<_> =
                pairs().map(|(under, over)| material(&[layer(under, 0), layer(over, 2)])).collect();
            let geosets: Vec<_> = (0..400).map(|at| geoset(at, 1, 1)).collect();
            mdx(
                800,
                &[textures(&names), chunk(b"MTLS", &materials.concat()), chunk(b"GEOS", &geosets.concat())],
            )
        })
        .with_many((0..20).map(|at| (format!("wood{at}.tga"), super::pictures::flat_tga(2_048, 2_048)))),
        model("mdx-wow", 1300, {
            let nodes: Vec<_> = (0..3_000)
                .map(|at| bone(at, at - 1, INHERITS_NOTHING, &[moving(b"KGTR", LINEAR, NONE, &[0, 50, 90])]))
                .collect();
            vec![sequences(&[[0, 100]; 10]), bones(&nodes)]
        }),
        model("mdx-control-characters", 800, {
            let name = "\x1b]0;PWNED\x07\x1b[2J\n::error::node";
            vec![
                chunk(b"MODL", &[&chars::<80>(name)[..], &[0; 292]].concat()),
                bones(&[sized_bone(&object(name, 0, 9, 0x100, &[]))]),
                textures(&["\x1b[2J\r\n::error::t.blp".to_owned(), "=cmd|' /C calc'!A0".to_owned()]),
                chunk(b"MTLS", &material(&[layer(0, 0)])),
                chunk(b"GEOS", &geoset(0, 3, 1)),
            ]
        }),
    ]
}

fn model(name: &'static str, version: u32, parts: Vec<Vec<u8>>) -> Bomb {
    Bomb::new(name, "bomb.mdx", mdx(version, &parts))
}

fn mdx(version: u32, parts: &[Vec<u8>]) -> Vec<u8> {
    [&b"MDLX"[..], &chunk(b"VERS", &version.to_le_bytes()), &parts.concat()].concat()
}

fn chunk(tag: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(body.len()).unwrap_or(u32::MAX);
    [&tag[..], &size.to_le_bytes(), body].concat()
}

/// Global sequences have a size in bytes, the arrays of a geoset a number of elements.
fn list<const SIZE: usize>(tag: &[u8; 4], items: &[[u8; SIZE]]) -> Vec<u8> {
    let bytes = items.concat();
    let count = if tag == b"GLBS" { bytes.len() } else { items.len() };
    [&tag[..], &u32::try_from(count).unwrap_or(0).to_le_bytes(), &bytes].concat()
}

/// A size that counts itself, and the rest.
fn sized(body: &[u8]) -> Vec<u8> {
    [&u32::try_from(body.len() + 4).unwrap_or(0).to_le_bytes()[..], body].concat()
}

fn sequences(windows: &[[i32; 2]]) -> Vec<u8> {
    let mut body = Vec::new();
    for (at, [start, end]) in windows.iter().enumerate() {
        body.extend(chars::<80>(&format!("Clip {at}")));
        body.extend(start.to_le_bytes());
        body.extend(end.to_le_bytes());
        body.extend([0; 44]);
    }
    chunk(b"SEQS", &body)
}

fn textures(names: &[String]) -> Vec<u8> {
    let mut body = Vec::new();
    for name in names {
        body.extend([0; 4]);
        body.extend(chars::<260>(name));
        body.extend([0; 4]);
    }
    chunk(b"TEXS", &body)
}

fn object(name: &str, id: i32, parent: i32, flags: u32, tracks: &[Vec<u8>]) -> Vec<u8> {
    let mut body = chars::<80>(name).to_vec();
    body.extend(id.to_le_bytes());
    body.extend(parent.to_le_bytes());
    body.extend(flags.to_le_bytes());
    body.extend(tracks.concat());
    sized(&body)
}

fn bone(id: i32, parent: i32, flags: u32, tracks: &[Vec<u8>]) -> Vec<u8> {
    sized_bone(&object("Bone", id, parent, flags | 0x100, tracks))
}

fn sized_bone(object: &[u8]) -> Vec<u8> {
    [object, &[0xFF; 8]].concat()
}

fn bones(bones: &[Vec<u8>]) -> Vec<u8> {
    let pivots = chunk(b"PIVT", &vec![0; 12 * bones.len()]);
    [chunk(b"BONE", &bones.concat()), pivots].concat()
}

/// Times that are this far apart.
fn every(step: i32, count: i32) -> Vec<i32> {
    (0..count).map(|at| at * step).collect()
}

fn track(
    tag: &[u8; 4],
    interpolation: u32,
    global: i32,
    times: &[i32],
    value: impl Fn(i32) -> Vec<f32>,
) -> Vec<u8> {
    let mut body = tag.to_vec();
    body.extend(u32::try_from(times.len()).unwrap_or(0).to_le_bytes());
    body.extend(interpolation.to_le_bytes());
    body.extend(global.to_le_bytes());
    for time in times {
        body.extend(time.to_le_bytes());
        let tangents = if interpolation >= 2 { 2 } else { 0 };
        let values = [value(*time)].into_iter().chain((0..tangents).map(|at| value(time + 90 * at + 50)));
        body.extend(values.flatten().flat_map(f32::to_le_bytes));
    }
    body
}

/// A track of rotations.
fn turning(tag: &[u8; 4], interpolation: u32, global: i32, times: &[i32]) -> Vec<u8> {
    track(tag, interpolation, global, times, |time| {
        let (sine, cosine) = (time as f32 * 0.37).sin_cos();
        vec![sine * 0.6, sine * 0.8, 0.0, cosine]
    })
}

/// A track of translations.
fn moving(tag: &[u8; 4], interpolation: u32, global: i32, times: &[i32]) -> Vec<u8> {
    track(tag, interpolation, global, times, |time| {
        let (sine, cosine) = (time as f32 * 0.61).sin_cos();
        vec![sine * 300.0, cosine * 200.0, sine * cosine * 100.0]
    })
}

fn camera(tracks: &[Vec<u8>]) -> Vec<u8> {
    let mut body = chars::<80>("Camera").to_vec();
    body.extend([0.0f32, 0.0, 9.0, 0.8, 1000.0, 1.0, 5.0, 5.0, 5.0].into_iter().flat_map(f32::to_le_bytes));
    body.extend(tracks.concat());
    sized(&body)
}

fn layer(texture: i32, filter: u32) -> Vec<u8> {
    sized(&layer_body(texture, filter))
}

/// A blended layer with a track of opacities.
fn fading(texture: i32, times: &[i32]) -> Vec<u8> {
    let mut body = layer_body(texture, 2);
    body.extend(track(b"KMTA", LINEAR, NONE, times, |time| vec![(time % 10) as f32 / 10.0]));
    sized(&body)
}

fn layer_body(texture: i32, filter: u32) -> Vec<u8> {
    let mut body = filter.to_le_bytes().to_vec();
    body.extend([0, texture, NONE, 0].into_iter().flat_map(i32::to_le_bytes));
    body.extend(1.0f32.to_le_bytes());
    body
}

fn material(layers: &[Vec<u8>]) -> Vec<u8> {
    let mut body = vec![0; 8];
    body.extend(b"LAYS");
    body.extend(u32::try_from(layers.len()).unwrap_or(0).to_le_bytes());
    body.extend(layers.concat());
    sized(&body)
}

fn geoset(material: i32, triangles: u16, matrices: u32) -> Vec<u8> {
    let corners = usize::from(triangles) * 3;
    let positions: Vec<[u8; 12]> = (0..corners)
        .map(|at| {
            let mut bytes = [0; 12];
            bytes[..4].copy_from_slice(&(at as f32).to_le_bytes());
            bytes[4..8].copy_from_slice(&((at % 7) as f32).to_le_bytes());
            bytes
        })
        .collect();
    let mut body = list(b"VRTX", &positions);
    body.extend(list(b"NRMS", &vec![[0; 12]; corners]));
    body.extend(list(b"PTYP", &[4u32.to_le_bytes()]));
    body.extend(list(b"PCNT", &[u32::try_from(corners).unwrap_or(0).to_le_bytes()]));
    let indices: Vec<_> = (0..corners).map(|at| u16::try_from(at).unwrap_or(0).to_le_bytes()).collect();
    body.extend(list(b"PVTX", &indices));
    body.extend(list(b"GNDX", &vec![[0]; corners]));
    body.extend(list(b"MTGC", &[matrices.to_le_bytes()]));
    body.extend(list(b"MATS", &vec![[0; 4]; matrices as usize]));
    body.extend(material.to_le_bytes());
    body.extend([0; 8 + 28 + 4]);
    body.extend(b"UVAS\x01\0\0\0");
    body.extend(list(b"UVBS", &vec![[0; 8]; corners]));
    sized(&body)
}

fn geoset_animation(geoset: i32, times: &[i32]) -> Vec<u8> {
    let mut body = 1.0f32.to_le_bytes().to_vec();
    body.extend([0; 16]);
    body.extend(geoset.to_le_bytes());
    body.extend(track(b"KGAO", 0, NONE, times, |time| vec![(time % 2) as f32]));
    sized(&body)
}
