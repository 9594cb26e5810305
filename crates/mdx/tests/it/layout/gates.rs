//! Parts that each version adds and removes.

use meshwright_mdx::records::*;
use meshwright_mdx::{Dialect, Document, kinds};

use super::bytes::{Bytes, bytes, file, read};

const W: Dialect = Dialect::Warcraft;

/// Filter mode, shading, texture, texture animation, coordinates, alpha: 24 bytes.
fn layer_start() -> Bytes {
    bytes().u32(2).u32(0x10).i32(7).i32(-1).u32(0).f32(0.5)
}

fn material(shader: Option<&str>, layer: &Bytes) -> Bytes {
    let start = bytes().i32(-3).u32(1);
    let start = shader.map_or(start.clone(), |shader| start.text(shader, 80));
    start.tag("LAYS").u32(1).add(&layer.clone().sized()).sized().chunk("MTLS")
}

#[test]
fn a_layer_of_800_has_28_bytes() {
    read(W, 800, &material(None, &layer_start()), |document| {
        let material = document.view().materials().next().unwrap();
        assert_eq!((material.priority_plane(), material.flags()), (-3, MaterialFlags::CONSTANT_COLOR));
        assert!(material.shader().is_none());
        let layer = material.layers().next().unwrap();
        assert_eq!(layer.node.len(), 28);
        let header = layer.parts.header;
        assert_eq!((header.filter_mode, header.flags), (FilterMode::BLEND, LayerFlags::TWO_SIDED));
        assert_eq!((header.alpha.get(), layer.parts.emissive.emissive_gain.get()), (0.5, 1.0));
        let textures: Vec<_> =
            layer.textures().map(|texture| (texture.texture_id, texture.slot.get())).collect();
        assert_eq!(textures, [(7, 0)]);
    });
}

#[test]
fn a_layer_of_900_has_32_or_52_bytes() {
    read(W, 900, &material(Some("Sh"), &layer_start().f32(2.0)), |document| {
        let material = document.view().materials().next().unwrap();
        assert_eq!(material.shader().unwrap().to_string(), "Sh");
        let layer = material.layers().next().unwrap();
        assert_eq!((layer.node.len(), layer.parts.emissive.emissive_gain.get()), (32, 2.0));
        assert!(layer.node.child(&kinds::LAYER_FRESNEL).is_none());
    });
    let fresnel = layer_start().f32(2.0).floats(&[0.1, 0.2, 0.3, 0.4, 0.5]);
    read(W, 900, &material(Some("Sh"), &fresnel), |document| {
        let layer = document.view().materials().next().unwrap().layers().next().unwrap();
        assert_eq!((layer.node.len(), layer.parts.fresnel.team_color.get()), (52, 0.5));
    });
}

#[test]
fn a_layer_of_1000_has_52_bytes() {
    let layer = layer_start().f32(2.0).floats(&[0.1, 0.2, 0.3, 0.4, 0.5]);
    read(W, 1000, &material(Some("Shader_HD_DefaultUnit"), &layer), |document| {
        let layer = document.view().materials().next().unwrap().layers().next().unwrap();
        assert_eq!(layer.parts.fresnel.color.get(), [0.1, 0.2, 0.3]);
        assert_eq!((layer.node.len(), layer.parts.fresnel.opacity.get()), (52, 0.4));
    });
}

#[test]
fn a_layer_of_1100_has_slots_and_no_shader_name() {
    let flip = bytes().tag("KMTF").u32(1).u32(0).i32(0).i32(0).u32(4);
    let layer = layer_start().f32(2.0).floats(&[1.0, 1.0, 1.0, 0.0, 0.0]).u32(1).u32(2);
    let layer = layer.i32(4).u32(0).add(&flip).i32(5).u32(1);
    let alpha = bytes().tag("KMTA").u32(1).u32(1).i32(-1).i32(0).f32(0.25);
    read(W, 1100, &material(None, &layer.add(&alpha)), |document| {
        let material = document.view().materials().next().unwrap();
        let layer = material.layers().next().unwrap();
        assert_eq!(layer.node.len(), 60 + 16 + 24 + 24);
        assert_eq!(layer.parts.shader.shader, ShaderType::HD_DEFAULT_UNIT);
        let textures: Vec<_> = layer.textures().collect();
        assert_eq!((textures[0].texture_id, textures[0].slot), (4, SlotType::DIFFUSE));
        assert_eq!(textures[0].track.unwrap().integers().collect::<Vec<_>>(), [(0, 4)]);
        assert_eq!((textures[1].texture_id, textures[1].slot), (5, SlotType::NORMAL));
        assert!(textures[1].track.is_none());
        assert_eq!(layer.track(meshwright_mdx::tags::KMTA).unwrap().keys().next().unwrap().value[0], 0.25);
    });
}

fn light(fixed: &Bytes) -> Bytes {
    bytes().node("Lamp", 0, &bytes()).add(fixed).sized().chunk("LITE")
}

#[test]
fn lights_grow_with_versions() {
    let kind = || bytes().u32(1);
    let color = [80.0, 200.0, 1.0, 0.5, 0.25, 3.0];
    let ambient = [0.1, 0.2, 0.3, 0.4];
    let shadow_range = [10.0, 20.0];
    let falloff = [0.001, 0.002, 0.003];
    let cases = [
        (600, kind().floats(&color), 28),
        (800, kind().floats(&color).floats(&ambient), 44),
        (1100, kind().floats(&color).floats(&ambient), 44),
        (1200, kind().floats(&color).floats(&ambient).f32(0.7), 48),
        (1300, kind().u32(1).floats(&color).floats(&ambient).f32(0.7).floats(&shadow_range), 60),
        (
            1600,
            kind().u32(1).floats(&color).floats(&ambient).f32(0.7).floats(&shadow_range).floats(&falloff),
            72,
        ),
        (
            1800,
            kind().u32(1).floats(&color).floats(&ambient).f32(0.7).floats(&shadow_range).floats(&falloff),
            72,
        ),
    ];
    for (version, fixed, size) in cases {
        assert_eq!(fixed.0.len(), size);
        read(W, version, &light(&fixed), |document| {
            let light = document.view().nodes().next().unwrap().light().unwrap();
            assert_eq!(light.kind.kind, LightType::DIRECTIONAL);
            assert_eq!((light.color.attenuation_end.get(), light.color.intensity.get()), (200.0, 3.0));
            assert_eq!(light.color.color.get(), [1.0, 0.5, 0.25]);
            assert_eq!(light.ambient.intensity.get(), if version < 700 { 0.0 } else { 0.4 });
            assert_eq!(light.shadow_intensity.shadow_intensity.get(), if version < 1200 { 0.4 } else { 0.7 });
            assert_eq!(light.shadow_casting.shadow_casting.get(), u32::from(version >= 1300));
            assert_eq!(light.shadow_range.end.get(), if version < 1300 { 0.0 } else { 20.0 });
            assert_eq!(light.falloff.damping.get(), if version < 1600 { 1e-5 } else { 0.003 });
        });
    }
}

/// A file of 1200 whose light lacks the shadow is read by its size, not by its version.
#[test]
fn a_size_that_contradicts_the_version_is_believed() {
    let fixed = bytes().u32(0).floats(&[80.0, 200.0, 1.0, 0.5, 0.25, 3.0, 0.1, 0.2, 0.3, 0.4]);
    read(W, 1200, &light(&fixed), |document| {
        let light = document.view().nodes().next().unwrap();
        assert!(light.part::<LightShadowIntensity>().is_none());
        assert_eq!(light.light().unwrap().ambient.intensity.get(), 0.4);
    });
}

fn geoset(level: bool, tail: &Bytes) -> Bytes {
    let arrays =
        bytes().tag("VRTX").u32(1).floats(&[1.0, 2.0, 3.0]).tag("NRMS").u32(1).floats(&[0.0, 0.0, 1.0]);
    let arrays =
        arrays.tag("PTYP").u32(1).u32(4).tag("PCNT").u32(1).u32(3).tag("PVTX").u32(3).shorts(&[0, 0, 0]);
    let arrays = arrays.tag("GNDX").u32(1).u8(0).tag("MTGC").u32(1).u32(1).tag("MATS").u32(1).u32(9);
    let fixed = arrays.u32(5).u32(6).u32(4);
    let fixed = if level { fixed.i32(-1).text("Head", 80) } else { fixed };
    let bounds = [7.0, -1.0, -2.0, -3.0, 1.0, 2.0, 3.0];
    let fixed = fixed.floats(&bounds).u32(1).floats(&bounds);
    fixed.add(tail).tag("UVAS").u32(1).tag("UVBS").u32(1).floats(&[0.25, 0.75]).sized().chunk("GEOS")
}

#[test]
fn geosets_of_800_and_900() {
    read(W, 800, &geoset(false, &bytes()), |document| {
        let geoset = document.view().geosets().next().unwrap();
        assert_eq!(geoset.position(0), Some([1.0, 2.0, 3.0]));
        assert_eq!(geoset.normal(0), Some([0.0, 0.0, 1.0]));
        assert_eq!(geoset.coordinates(0, 0), Some([0.25, 0.75]));
        assert_eq!(geoset.face_groups().collect::<Vec<_>>(), [(FaceType::TRIANGLES, 3)]);
        assert_eq!((geoset.faces().len(), geoset.vertex_groups()), (3, &[0][..]));
        assert_eq!(geoset.groups().map(|group| group[0].get()).collect::<Vec<_>>(), [9]);
        assert_eq!((geoset.material_id(), geoset.selection_group()), (Some(5), Some(6)));
        assert!(geoset.selection_flags().has(SelectionFlags::UNSELECTABLE));
        assert_eq!((geoset.extent().unwrap().radius.get(), geoset.extents().len()), (7.0, 1));
        assert!(geoset.level_of_detail().is_none());
    });
    read(W, 900, &geoset(true, &bytes()), |document| {
        let level = document.view().geosets().next().unwrap().level_of_detail().copied().unwrap();
        assert_eq!((level.level.get(), level.name.to_string()), (-1, "Head".to_owned()));
    });
}

#[test]
fn skins_of_bytes_and_of_words() {
    let tangent = bytes().tag("TANG").u32(1).floats(&[1.0, 0.0, 0.0, -1.0]);
    let narrow = tangent.clone().tag("SKIN").u32(8).words(&[0x0403_0201, 0x0000_7F80]);
    read(W, 1000, &geoset(true, &narrow), |document| {
        let geoset = document.view().geosets().next().unwrap();
        assert_eq!(geoset.tangents()[0].w.get(), -1.0);
        assert_eq!((geoset.skin()[0].bones, geoset.skin()[0].weights), ([1, 2, 3, 4], [128, 127, 0, 0]));
    });
    let wide = tangent.tag("SKIN").u32(8).shorts(&[1, 2, 3, 400, 128, 127, 0, 0]);
    read(W, 1400, &geoset(true, &wide), |document| {
        let geoset = document.view().geosets().next().unwrap();
        assert_eq!(geoset.wide_skin()[0].bones.map(|bone| bone.get()), [1, 2, 3, 400]);
        assert_eq!(geoset.coordinates(0, 0), Some([0.25, 0.75]));
    });
    // Version 1400, but the bytes say otherwise.
    read(W, 1400, &geoset(true, &narrow), |document| {
        assert_eq!(document.view().geosets().next().unwrap().skin().len(), 1);
    });
}

fn camera(size_high: u32, extra: &[f32]) -> Bytes {
    let body = bytes()
        .text("Cam", 80)
        .floats(&[1.0, 2.0, 3.0, 0.5, 900.0, 9.0])
        .floats(extra)
        .floats(&[4.0, 5.0, 6.0]);
    bytes().u32((body.0.len() as u32 + 4) | size_high << 24).add(&body).chunk("CAMS")
}

#[test]
fn cameras_have_variants() {
    for (variant, extra) in [(0, &[][..]), (3, &[]), (1, &[10.0, 11.0, 12.0]), (2, &[10.0, 11.0, 12.0])] {
        read(W, 1800, &camera(variant, extra), |document| {
            let camera = document.view().cameras().next().unwrap();
            assert_eq!(u32::from(camera.variant), variant);
            assert_eq!(camera.header.name.to_string(), "Cam");
            assert_eq!((camera.header.far_clip.get(), camera.header.near_clip.get()), (900.0, 9.0));
            assert_eq!(camera.target.unwrap().position.get(), [4.0, 5.0, 6.0]);
            assert_eq!(camera.depth_of_field.map(|depth| depth.f_stop.get()), extra.get(2).copied());
        });
    }
}

/// The version of the file need not be known first, nor be there.
#[test]
fn the_version_may_come_late() {
    let chunks =
        bytes().text("made by a tool", 15).chunk("INFO").add(&material(None, &layer_start().f32(2.0)));
    let late = [b"MDLX", chunks.0.as_slice(), &bytes().u32(900).chunk("VERS").0].concat();
    let document = Document::parse(&late).unwrap();
    assert_eq!((document.version, document.dialect), (900, W));
    assert!(document.root.find("MTLS/Material/LAYS/Layer/LayerEmissive").is_some());
    let none = file(W, 800, &bytes()).split_off(16);
    let none = [b"MDLX", none.as_slice()].concat();
    assert_eq!(Document::parse(&none).unwrap().version, 800);
}

/// Versions collide, so the game is told by what is in the file.
#[test]
fn the_game_is_sniffed() {
    let of = |version: u32, chunk: &Bytes| {
        let file = bytes().tag("MDLX").add(&bytes().u32(version).chunk("VERS")).add(chunk).0;
        Document::parse(&file).unwrap().dialect
    };
    assert_eq!(of(1300, &bytes().text("", 372).chunk("MODL")), Dialect::Warcraft);
    assert_eq!(of(800, &bytes().text("", 373).chunk("MODL")), Dialect::Wow);
    assert_eq!(of(1300, &bytes().text("", 132).chunk("SEQS")), Dialect::Warcraft);
    assert_eq!(of(1300, &bytes().u32(2).text("", 280).chunk("SEQS")), Dialect::Wow);
    assert_eq!(of(1300, &material(None, &layer_start())), Dialect::Warcraft);
    assert_eq!(of(800, &bytes().u32(0).chunk("HTST")), Dialect::Wow);
    assert_eq!(of(1500, &bytes()), Dialect::Wow);
    assert_eq!(of(1200, &bytes()), Dialect::Warcraft);
}
