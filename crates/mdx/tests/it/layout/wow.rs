//! The chunks of the WoW alpha.

use meshwright_mdx::records::*;
use meshwright_mdx::view::{NodeKind, Shape};
use meshwright_mdx::{Dialect, Document, kinds, view};

use super::bytes::{bytes, read};

const W: Dialect = Dialect::Wow;
const EXTENT: [f32; 7] = [9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

#[test]
fn model_and_sequences() {
    let model = bytes().text("Boar", 80).text("", 260).floats(&EXTENT).u8(1).u32(57).chunk("MODL");
    let sequence = bytes().text("Stand", 80).i32(0).i32(3333).f32(2.5).u32(1).floats(&EXTENT).f32(0.5);
    let sequence = bytes().u32(1).add(&sequence.i32(1).i32(2).u32(150)).chunk("SEQS");
    let bytes = bytes().tag("MDLX").add(&bytes().u32(1300).chunk("VERS")).add(&model).add(&sequence).0;
    let document = Document::parse(&bytes).unwrap();
    assert_eq!((document.dialect, document.diagnostics()), (W, vec![]));
    let header = document.view().header().unwrap();
    assert_eq!(
        (view::text(header.name), header.flags),
        ("Boar".into(), Some(WowModelFlags::TRACK_PITCH_YAW))
    );
    let modl = document.view().chunk(&kinds::WOW_MODL).unwrap().value::<WowModel>().unwrap();
    assert_eq!(modl.object_count.get(), 57);
    let sequence = document.view().sequences().next().unwrap();
    assert_eq!((view::text(sequence.name), sequence.interval), ("Stand".into(), [0, 3333]));
    assert_eq!((sequence.move_speed, sequence.rarity, sequence.blend_time), (2.5, 0.5, Some(150)));
    assert_eq!(sequence.extent.radius.get(), 9.0);
}

#[test]
fn materials_have_bare_layers() {
    let layer = bytes().u32(1).u32(2).i32(3).i32(-1).i32(-1).f32(0.5).sized();
    assert_eq!(layer.0.len(), 28);
    let material = bytes().i32(-2).u32(1).add(&layer).sized();
    assert_eq!(material.0.len(), 40);
    // The client sizes a material without layers 8, though the count of layers follows.
    let empty = bytes().u32(8).i32(5).u32(0);
    let chunk = bytes().u32(3).u32(0).add(&material).add(&empty).add(&material).chunk("MTLS");
    let file = super::bytes::file(W, 1300, &chunk);
    let document = Document::parse(&file).unwrap();
    let materials: Vec<_> = document.view().materials().collect();
    let planes: Vec<_> =
        materials.iter().map(|material| (material.priority_plane(), material.layers().count())).collect();
    assert_eq!(planes, [(-2, 1), (5, 0), (-2, 1)]);
    let layer = materials[2].layers().next().unwrap();
    assert_eq!(
        (layer.parts.header.filter_mode, layer.parts.header.coord_id.get()),
        (FilterMode::TRANSPARENT, -1)
    );
    assert_eq!(layer.textures().map(|texture| texture.texture_id).collect::<Vec<_>>(), [3]);
    let codes: Vec<_> = document.diagnostics().into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["MDX-FRAME-001"]);
    assert_eq!(document.to_bytes().unwrap(), file);
}

#[test]
fn geosets_up_to_1400() {
    let geoset = bytes().tag("VRTX").u32(2).floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let geoset = geoset.tag("NRMS").u32(2).floats(&[0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    let geoset = geoset.tag("UVAS").u32(2).floats(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]);
    let geoset =
        geoset.tag("PTYP").u32(1).u8(4).tag("PCNT").u32(1).u32(3).tag("PVTX").u32(3).shorts(&[0, 1, 0]);
    let geoset = geoset
        .tag("GNDX")
        .u32(2)
        .u8(0)
        .u8(1)
        .tag("MTGC")
        .u32(2)
        .words(&[1, 2])
        .tag("MATS")
        .u32(3)
        .words(&[7, 8, 9]);
    let geoset = geoset
        .tag("BIDX")
        .u32(2)
        .words(&[0x0403_0201, 0])
        .tag("BWGT")
        .u32(2)
        .words(&[0xFF00_0000, 0xFF00_0000]);
    let geoset = geoset.u32(1).u32(401).u32(1).floats(&EXTENT).u32(1).floats(&EXTENT).sized();
    for version in [1300, 1400] {
        read(W, version, &bytes().u32(1).add(&geoset).chunk("GEOS"), |document| {
            let geoset = document.view().geosets().next().unwrap();
            assert_eq!((geoset.vertex_count(), geoset.position(1)), (2, Some([4.0, 5.0, 6.0])));
            assert_eq!(
                (geoset.coordinates(0, 1), geoset.coordinates(1, 0)),
                (Some([0.3, 0.4]), Some([0.5, 0.6]))
            );
            assert_eq!(geoset.face_groups().collect::<Vec<_>>(), [(FaceType::TRIANGLES, 3)]);
            let groups: Vec<Vec<_>> =
                geoset.groups().map(|group| group.iter().map(|matrix| matrix.get()).collect()).collect();
            assert_eq!(groups, [vec![7], vec![8, 9]]);
            assert_eq!((geoset.bone_indices()[0], geoset.bone_weights()[0]), ([1, 2, 3, 4], [0, 0, 0, 255]));
            assert_eq!((geoset.material_id(), geoset.selection_group()), (Some(1), Some(401)));
            assert!(geoset.selection_flags().has(SelectionFlags::WOW_UNSELECTABLE));
            assert_eq!((geoset.extent().unwrap().radius.get(), geoset.extents().len()), (9.0, 1));
        });
    }
}

#[test]
fn geosets_of_1500() {
    let section = |material: u32, vertices: u32, indices: u32| {
        let section = bytes().u32(material).floats(&[1.0, 2.0, 3.0, 4.0]).words(&[401, 0, 1]);
        section.tag("PVTX").u32(vertices).tag("PTYP").u32(1).tag("PVTX").u32(indices).words(&[0, 0])
    };
    assert_eq!(section(0, 0, 0).0.len(), 64);
    let vertex = |x: f32| {
        let vertex = bytes().floats(&[x, 2.0, 3.0]).u8(255).u8(0).u8(0).u8(0).u8(7).u8(0).u8(0).u8(0);
        vertex.floats(&[0.0, 0.0, 1.0]).floats(&[0.25, 0.75, 0.0, 0.0])
    };
    assert_eq!(vertex(0.0).0.len(), 48);
    let batch = |x: f32, indices: &[u16], padding: usize| {
        let count = indices.len() as u16;
        vertex(x).u32(3).u32(0).shorts(&[count, 0, 0, 0]).shorts(indices).shorts(&vec![0; padding])
    };
    let chunk = bytes().u32(2).add(&section(5, 1, 3)).add(&section(6, 1, 8));
    let chunk = chunk.add(&batch(10.0, &[0, 0, 0], 5)).add(&batch(20.0, &[0; 8], 0)).chunk("GEOS");
    read(W, 1500, &chunk, |document| {
        let geosets: Vec<_> = document.view().geosets().collect();
        let found: Vec<_> = geosets
            .iter()
            .map(|geoset| (geoset.material_id(), geoset.position(0), geoset.faces().len(), geoset.normal(0)))
            .collect();
        let normal = Some([0.0, 0.0, 1.0]);
        assert_eq!(
            found,
            [(Some(5), Some([10.0, 2.0, 3.0]), 3, normal), (Some(6), Some([20.0, 2.0, 3.0]), 8, normal)]
        );
        assert_eq!(geosets[1].batch_vertices()[0].bones, [7, 0, 0, 0]);
        assert_eq!(
            (geosets[0].coordinates(0, 0), geosets[0].selection_group()),
            (Some([0.25, 0.75]), Some(401))
        );
        assert_eq!(geosets[0].extent().unwrap().radius.get(), 4.0);
        assert_eq!(geosets[0].face_groups().collect::<Vec<_>>(), [(FaceType::TRIANGLES, 3)]);
    });
}

#[test]
fn geoset_animations_have_another_order() {
    let animation = bytes().i32(2).f32(0.5).floats(&[1.0, 0.5, 0.25]).u32(1).sized();
    read(W, 1300, &bytes().u32(1).add(&animation).chunk("GEOA"), |document| {
        let animation = document.view().geoset_animations().next().unwrap();
        assert_eq!((animation.geoset_id, animation.alpha, animation.color), (2, 0.5, Some([1.0, 0.5, 0.25])));
    });
}

#[test]
fn bones_attachments_and_lights() {
    let bone = bytes().u32(1).node("Bone", 0, &bytes()).i32(4).i32(5).chunk("BONE");
    let attachment = bytes().node("_Name", 1, &bytes()).i32(18).u8(0xFF).text("a.mdx", 260).sized();
    assert_eq!(attachment.0.len(), 4 + 96 + 265);
    let attachment = bytes().u32(1).u32(18).add(&attachment).chunk("ATCH");
    let light = bytes()
        .node("Lamp", 2, &bytes())
        .u32(2)
        .floats(&[1.0, 2.0, 0.1, 0.2, 0.3, 4.0, 0.5, 0.6, 0.7, 8.0])
        .sized();
    let light = bytes().u32(1).add(&light).chunk("LITE");
    read(W, 1300, &bone.add(&attachment).add(&light), |document| {
        let nodes: Vec<_> = document.view().nodes().collect();
        assert_eq!(nodes[0].part::<BoneLinks>().unwrap().geoset_animation_id.get(), 5);
        let attachment = nodes[1].attachment().unwrap();
        assert_eq!((attachment.id, view::text(attachment.path)), (18, "a.mdx".into()));
        assert_eq!(nodes[1].part::<WowAttachmentHeader>().unwrap().geoset_animation, 0xFF);
        let light = nodes[2].light().unwrap();
        assert_eq!((light.kind.kind, light.ambient.intensity.get()), (LightType::AMBIENT, 8.0));
    });
}

#[test]
fn particle_emitters_2_are_large() {
    let emitter = |splines: u32| {
        let emitter = bytes().node("P", 0, &bytes()).u32(795).u32(3);
        let emitter = emitter
            .floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0])
            .words(&[2, 3, 1])
            .floats(&[0.5, 0.25]);
        let emitter = emitter.floats(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]).u8(255).u8(128).u8(1);
        let emitter =
            emitter.floats(&[10.0, 20.0, 30.0]).words(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]).words(&[4]);
        let emitter = emitter.i32(3).i32(-2).u32(11).text("g.mdx", 260).text("r.mdx", 260);
        let emitter = emitter
            .floats(&[10.0, 1.0, 0.5, 2.0, 3.0])
            .floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
            .floats(&[0.25, 0.75]);
        let emitter = emitter.floats(&[7.0, 8.0, 9.0, 10.0]).floats(&[1.0, 2.0, 3.0, 4.0]).u32(splines);
        (0..splines).fold(emitter, |emitter, point| emitter.floats(&[point as f32, 0.0, 1.0])).u32(1)
    };
    assert_eq!(emitter(0).0.len(), 96 + 795);
    let track = bytes().tag("KLIF").u32(1).u32(0).i32(-1).i32(0).f32(2.0);
    for splines in [0, 2] {
        let whole = emitter(splines).add(&track).sized();
        read(W, 1300, &bytes().u32(2).add(&whole).add(&whole).chunk("PRE2"), |document| {
            assert_eq!(document.view().nodes().count(), 2);
            let node = document.view().nodes().nth(1).unwrap();
            let emitter = node.emitter_2().unwrap();
            assert_eq!((emitter.speed, emitter.gravity, emitter.life_span), (1.0, 5.0, 7.0));
            assert_eq!((emitter.length, emitter.width, emitter.cells), (9.0, 10.0, [2, 3]));
            assert_eq!(
                (emitter.filter_mode, emitter.particle_type),
                (ParticleFilterMode::ALPHA_KEY, ParticleType::TAIL)
            );
            assert_eq!((emitter.alphas, emitter.scalings), ([255, 128, 1], [10.0, 20.0, 30.0]));
            assert_eq!((emitter.texture_id, emitter.priority_plane, emitter.replaceable_id), (3, -2, 11));
            assert!(emitter.squirt);
            let wow = emitter.wow.unwrap();
            assert_eq!(
                (wow.emitter_type, wow.longitude.get(), wow.z_source.get()),
                (WowEmitterType::SPLINE, 4.0, 6.0)
            );
            assert_eq!((view::text(&wow.recursion_model), wow.twinkle_fps.get()), ("r.mdx".into(), 10.0));
            assert_eq!((wow.spin.get(), wow.wind.get(), wow.wind_time.get()), (0.75, [7.0, 8.0, 9.0], 10.0));
            assert_eq!((wow.follow_speed_2.get(), wow.follow_scale_2.get()), (3.0, 4.0));
            let spline = node.object.child(&kinds::SPLINE).unwrap().values::<record::Vec3>();
            assert_eq!(spline.len(), splines as usize);
            assert!(node.track(meshwright_mdx::tags::KLIF).is_some());
        });
        // The other reading of the client: an outer size that lacks the four bytes of a size word.
        let short = bytes().u32(whole.0.len() as u32 - 4).add(&emitter(splines).add(&track));
        let file = super::bytes::file(W, 1300, &bytes().u32(2).add(&short).add(&short).chunk("PRE2"));
        let document = Document::parse(&file).unwrap();
        assert_eq!(
            document.view().nodes().filter_map(|node| node.track(meshwright_mdx::tags::KLIF)).count(),
            2
        );
        let codes: Vec<_> = document.diagnostics().into_iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["MDX-FRAME-001"; 2]);
        assert_eq!(document.to_bytes().unwrap(), file);
    }
}

#[test]
fn particle_emitters_and_ribbons() {
    let prem = bytes()
        .node("P", 0, &bytes())
        .floats(&[1.0, 2.0, 3.0, 4.0])
        .text("p.mdx", 260)
        .floats(&[5.0, 6.0])
        .sized();
    let ribbon = bytes()
        .node("R", 1, &bytes())
        .u32(56)
        .floats(&[1.0, 2.0, 0.5, 0.1, 0.2, 0.3, 4.0])
        .words(&[5, 6, 7, 8]);
    let ribbon = ribbon.i32(9).f32(10.0).sized();
    let chunks = bytes().u32(1).add(&prem).chunk("PREM").add(&bytes().u32(1).add(&ribbon).chunk("RIBB"));
    read(W, 1300, &chunks, |document| {
        let nodes: Vec<_> = document.view().nodes().collect();
        assert_eq!(nodes[0].part::<ParticleEmitterHeader>().unwrap().speed.get(), 6.0);
        assert_eq!(nodes[1].part::<WowEmitterSize>().unwrap().emitter_size.get(), 56);
        assert_eq!(nodes[1].part::<RibbonEmitterHeader>().unwrap().gravity.get(), 10.0);
    });
}

#[test]
fn hit_test_shapes() {
    let cases: [(u8, &[f32], Shape); 4] = [
        (0, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], Shape::Box([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])),
        (1, &[1.0, 2.0, 3.0, 4.0, 5.0], Shape::Cylinder([1.0, 2.0, 3.0], [1.0, 2.0, 7.0], 5.0)),
        (2, &[1.0, 2.0, 3.0, 4.0], Shape::Sphere([1.0, 2.0, 3.0], 4.0)),
        (3, &[80.0, 100.0], Shape::Plane(80.0, 100.0)),
    ];
    let shapes = cases.iter().fold(bytes().u32(4), |chunk, (kind, floats, _)| {
        chunk.add(&bytes().node("Hit", 0, &bytes()).u8(*kind).floats(floats).sized())
    });
    read(W, 1300, &shapes.chunk("HTST"), |document| {
        let found: Vec<_> =
            document.view().nodes_of(NodeKind::HitTestShape).filter_map(|node| node.shape()).collect();
        assert_eq!(found, cases.map(|(.., shape)| shape));
    });
}

#[test]
fn cameras_and_the_collision_mesh() {
    let camera =
        bytes().text("Portrait", 80).floats(&[1.0, 2.0, 3.0, 0.95, 27.5, 0.25, 4.0, 5.0, 6.0]).sized();
    assert_eq!(camera.0.len(), 120);
    let mesh = bytes().tag("VRTX").u32(3).floats(&[0.0; 9]).tag("TRI ").u32(3).shorts(&[0, 1, 2]);
    let mesh = mesh.tag("NRMS").u32(1).floats(&[0.0, 0.0, 1.0]).chunk("CLID");
    read(W, 1300, &bytes().u32(1).add(&camera).chunk("CAMS").add(&mesh), |document| {
        let camera = document.view().cameras().next().unwrap();
        assert_eq!(
            (camera.header.field_of_view.get(), camera.target.unwrap().position.get()),
            (0.95, [4.0, 5.0, 6.0])
        );
        let mesh = document.view().collision_mesh().unwrap();
        assert_eq!((mesh.positions.len(), mesh.faces[2].get(), mesh.normals.len()), (3, 2, 1));
    });
}

/// Flags mean the same in both games where they can be compared.
#[test]
fn flags_are_renumbered() {
    let node = |flags: u32| bytes().text("N", 80).i32(0).i32(-1).u32(flags).sized();
    let helpers = bytes().u32(2).add(&node(0x0800_8000 | 0x800 | 0x4)).add(&node(0x2000_0100)).chunk("HELP");
    read(W, 1300, &helpers, |document| {
        let flags: Vec<_> = document.view().nodes().map(|node| node.flags()).collect();
        assert_eq!(flags[0], NodeFlags::XY_QUAD | NodeFlags::UNSHADED | NodeFlags::DONT_INHERIT_ROTATION);
        assert_eq!(flags[1], NodeFlags::default());
        assert_eq!(document.view().nodes().nth(1).unwrap().raw_flags(), 0x2000_0100);
    });
}

/// Counts that lie are kept, and said.
#[test]
fn counts_are_compared_with_what_is_there() {
    let bone = bytes().node("Bone", 0, &bytes()).i32(4).i32(5);
    let material = bytes().i32(0).u32(2).add(&bytes().text("", 24).sized()).sized();
    let chunks =
        bytes().u32(2).add(&bone).chunk("BONE").add(&bytes().u32(1).u32(0).add(&material).chunk("MTLS"));
    let chunks = chunks.add(&bytes().u32(7).text("", 140).chunk("SEQS"));
    let file = super::bytes::file(W, 1300, &chunks);
    let document = Document::parse(&file).unwrap();
    let found: Vec<_> = document
        .diagnostics()
        .into_iter()
        .map(|finding| format!("{} {}", finding.path, finding.message))
        .collect();
    assert_eq!(
        found,
        [
            "BONE[0] the count is 2, but there is 1",
            "MTLS[0]/Material[0] the count is 2, but there is 1",
            "SEQS[0] the count is 7, but there is 1"
        ]
    );
    assert_eq!(document.to_bytes().unwrap(), file);
}
