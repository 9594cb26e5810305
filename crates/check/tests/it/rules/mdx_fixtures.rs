//! Fixtures of rules about MDX files.

use mdx::records::*;
use mdx::{kinds, tags};
use meshwright_check::{Document, Game};
use record::{Chars, F32, I32, Node, U16, U32, Vec3};

use super::{Fixture, as_text_mode, as_utf8, children, node, set, shorten, values};

pub(crate) fn sample(name: &str) -> Document<'static> {
    let (_, bytes) = mdx::build::samples().into_iter().find(|(each, _)| *each == name).expect("a sample");
    Document::parse(&bytes).expect("a sample").into_owned()
}

pub(crate) fn chars<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("short")
}

/// The sample of version 800 without what rules only hint at.
pub(crate) fn classic() -> Document<'static> {
    let mut file = sample("warcraft-800");
    let sequences: Vec<Sequence> = node(&mut file, "SEQS").values().to_vec();
    let portrait =
        Sequence { name: chars("Portrait"), start: I32::new(3000), end: I32::new(4000), ..sequences[0] };
    let sequences = [sequences, vec![portrait]].concat();
    node(&mut file, "SEQS").set_values(&sequences);
    let extents: Vec<Extent> = node(&mut file, "GEOS/Geoset/Extents").values().to_vec();
    node(&mut file, "GEOS/Geoset/Extents").set_values(&[extents[0]; 3]);
    set::<NodeHeader>(&mut file, "ATCH/Attachment/Node/NodeHeader", |header| {
        header.name = chars("Origin Ref");
    });
    file
}

/// The same, with line feeds among its numbers.
fn feeds() -> Document<'static> {
    let mut file = classic();
    set::<Model>(&mut file, "MODL", |model| model.blend_time.set(0x0A0A_0A0A));
    file
}

/// The same, with keys of the geoset in every sequence.
fn keyed() -> Document<'static> {
    let mut file = classic();
    opacity(&mut file, &[(0, 1.0), (1333, 1.0), (3000, 1.0)]);
    children(&mut file, "GEOA/GeosetAnimation").retain(|part| part.id != tags::KGAC);
    file
}

/// Replaces the track of the geoset's opacity by one of steps.
fn opacity(file: &mut Document<'static>, keys: &[(i32, f32)]) {
    let keys: Vec<_> = keys.iter().map(|(time, value)| (*time, F32::new(*value))).collect();
    *node(file, "GEOA/GeosetAnimation/KGAO") =
        mdx::build::track(tags::KGAO, Interpolation::NONE, -1, &keys).expect("a track");
}

/// The same, with nothing that moves.
pub(crate) fn still() -> Document<'static> {
    fn settle(node: &mut Node<'static>) {
        for child in node.children_mut().into_iter().flatten() {
            settle(child);
        }
        if let Some(children) = node.children_mut() {
            children.retain(|child| !matches!(child.id, tags::KGTR | tags::KGRT | tags::KGSC));
        }
    }
    let mut file = classic();
    settle(file.root_mut());
    file
}

/// The same with its triangles five times, on one side only.
fn many() -> Document<'static> {
    let mut file = classic();
    let faces: Vec<U16> = node(&mut file, "GEOS/Geoset/PVTX").values().to_vec();
    node(&mut file, "GEOS/Geoset/PVTX").set_values(&faces.repeat(5));
    set::<LayerHeader>(&mut file, LAYER, |layer| layer.flags = LayerFlags::new(0));
    set::<LayerHeader>(&mut file, "MTLS/Material/LAYS/Layer[1]/LayerHeader", |layer| {
        layer.flags = LayerFlags::new(0);
    });
    file
}

fn reforged() -> Document<'static> {
    sample("warcraft-1000")
}

fn slotted() -> Document<'static> {
    sample("warcraft-1100")
}

fn wow() -> Document<'static> {
    let mut file = sample("wow-1300");
    set::<WowMaterialCount>(&mut file, "MTLS/WowMaterialCount", |count| count.animated_layers.set(1));
    set::<WowAttachmentCount>(&mut file, "ATCH/WowAttachmentCount", |count| count.highest_id.set(1));
    file
}

fn float_track(tag: u32, global: i32, keys: &[(i32, f32)]) -> Node<'static> {
    let keys: Vec<_> = keys.iter().map(|(time, value)| (*time, F32::new(*value))).collect();
    mdx::build::track(tag, Interpolation::LINEAR, global, &keys).expect("a track")
}

/// Replaces the emitter's first track, which is of its speed.
fn speed(file: &mut Document<'static>, global: i32, keys: &[(i32, f32)]) {
    *node(file, "PRE2/ParticleEmitter2/KP2S") = float_track(tags::KP2S, global, keys);
}

macro_rules! fixtures {
    ($($code:literal $base:ident: $spoil:expr;)*) => {
        pub(crate) static FIXTURES: &[Fixture] = &[$(Fixture {
            code: $code,
            profile: fixtures!(@profile $base),
            good: $base,
            spoil: $spoil,
        },)*];
    };
    (@profile keyed) => { Game::Wc3Classic };
    (@profile still) => { Game::Wc3Classic };
    (@profile many) => { Game::Wc3Classic };
    (@profile feeds) => { Game::Wc3Classic };
    (@profile classic) => { Game::Wc3Classic };
    (@profile reforged) => { Game::Wc3Reforged };
    (@profile slotted) => { Game::Wc3Reforged };
    (@profile wow) => { Game::WowAlpha };
}

const LAYER: &str = "MTLS/Material/LAYS/Layer/LayerHeader";
const EMITTER: &str = "PRE2/ParticleEmitter2/ParticleEmitter2Header";
const BONE: &str = "BONE/Bone/Node/NodeHeader";

fixtures! {
    "MDX-FRAME-001" classic: |file| node(file, "GEOS/Geoset").size_delta = 4;
    "MDX-FRAME-002" classic: |file| node(file, "GEOS/Geoset/VRTX").size_delta = 4;
    "MDX-FILE-001" feeds: |file| {
        *file = Document::parse(&as_text_mode(&file.to_bytes().unwrap())).unwrap().into_owned();
    };
    "MDX-FILE-002" classic: |file| {
        *file = Document::parse(&as_utf8(&file.to_bytes().unwrap())).unwrap().into_owned();
    };
    "MDX-FRAME-003" classic: |file| children(file, "").push(Node::leaf(&kinds::UNKNOWN_CHUNK, 3, vec![1]));
    "MDX-FRAME-010" classic: |file| children(file, "").push(Node::leaf(&record::LEFTOVER, 0, vec![1]));
    "MDX-PART-001" classic: |file| children(file, "").push(Node::leaf(&kinds::UNKNOWN_CHUNK, mdx::tag("XXXX"), vec![1]));
    "MDX-PART-002" classic: |file| shorten(file, "MODL", 4);
    "MDX-PART-003" classic: |file| node(file, "PIVT").bytes_mut().unwrap().push(0);
    "MDX-PART-004" classic: |file| *node(file, "CLID") = Node::leaf(&kinds::CLID, mdx::tag("CLID"), vec![1, 2]);
    "MDX-COUNT-001" wow: |file| set::<WowCount>(file, "BONE/WowCount", |count| count.count.set(9));
    "MDX-MODEL-001" classic: |file| {
        let Document::Mdx(file) = file else { return };
        file.version = 700;
    };
    "MDX-MODEL-002" classic: |file| children(file, "").retain(|chunk| chunk.kind.name != "MODL");
    "MDX-MODEL-003" classic: |file| children(file, "").swap(0, 1);
    "MDX-MODEL-004" classic: |file| set::<Model>(file, "MODL", |model| model.animation_file = chars("other.mdx"));
    "MDX-MODEL-005" classic: |file| set::<Model>(file, "MODL", |model| model.extent.minimum.x.set(99.0));
    "MDX-MODEL-011" classic: |file| set::<Model>(file, "MODL", |model| {
        model.extent.minimum = Vec3::new(f32::MAX, f32::MAX, f32::MAX);
        model.extent.maximum = Vec3::new(f32::MIN, f32::MIN, f32::MIN);
    });
    "MDX-MODEL-006" classic: |file| set::<Model>(file, "MODL", |model| model.name.0 = [b'x'; 80]);
    "MDX-MODEL-012" classic: |file| set::<Model>(file, "MODL", |model| model.name = chars("A\tB"));
    "MDX-MODEL-007" classic: |file| set::<Model>(file, "MODL", |model| model.name = chars("A \"B\""));
    "MDX-MODEL-008" classic: |file| values::<Vec3>(file, "GEOS/Geoset/VRTX", |vertices| vertices[1].x.set(f32::INFINITY));
    "MDX-MODEL-009" classic: |file| {
        let many = [0, 1, 2].map(U16::new).repeat(20_001);
        node(file, "GEOS/Geoset/PVTX").set_values(&many);
    };
    "MDX-MODEL-013" still: |file| set::<Model>(file, "MODL", |model| model.extent = Extent::default());
    "MDX-GAME-001" classic: |file| {
        let Document::Mdx(file) = file else { return };
        file.version = 1100;
    };
    "MDX-GAME-002" classic: |file| {
        let poses = node(&mut reforged(), "BPOS").clone();
        children(file, "").push(poses);
    };
    "MDX-MODEL-010" classic: |file| {
        let twice = node(file, "GLBS").clone();
        children(file, "").push(twice);
    };
    "MDX-SEQ-001" classic: |file| { node(file, "SEQS").set_values::<Sequence>(&[]); };
    "MDX-SEQ-002" classic: |file| values::<Sequence>(file, "SEQS", |sequences| {
        sequences[0].name = chars("Walk");
        sequences[2].name = chars("Attack");
    });
    "MDX-SEQ-003" classic: |file| values::<Sequence>(file, "SEQS", |sequences| sequences[1].name = chars("Walk"));
    "MDX-SEQ-004" classic: |file| values::<Sequence>(file, "SEQS", |sequences| sequences[1].start.set(500));
    "MDX-SEQ-005" classic: |file| values::<Sequence>(file, "SEQS", |sequences| sequences[2].name = chars("Dance - 1"));
    "MDX-SEQ-006" classic: |file| values::<Sequence>(file, "SEQS", |sequences| sequences[2].end.set(3000));
    "MDX-SEQ-007" classic: |file| values::<U32>(file, "GLBS", |durations| durations[0].set(0));
    "MDX-TEX-001" classic: |file| { node(file, "TEXS").set_values::<Texture>(&[]); };
    "MDX-TEX-002" classic: |file| values::<Texture>(file, "TEXS", |textures| textures[0].path = chars("white.png"));
    "MDX-TEX-003" classic: |file| values::<Texture>(file, "TEXS", |textures| textures[1].replaceable_id.set(99));
    "MDX-TEX-004" classic: |file| values::<Texture>(file, "TEXS", |textures| textures[1].path = chars("white.blp"));
    "MDX-TEX-005" classic: |file| values::<Texture>(file, "TEXS", |textures| textures[1].replaceable_id.set(0));
    "MDX-FILES-001" classic: |file| values::<Texture>(file, "TEXS", |textures| textures[0].path = chars("Textures\\gone.blp"));
    "MDX-FILES-003" classic: |file| values::<Texture>(file, "TEXS", |textures| textures[0].path = chars("Other\\white.blp"));
    "MDX-MAT-001" classic: |file| children(file, "MTLS/Material/LAYS").clear();
    "MDX-MAT-002" reforged: |file| set::<MaterialShader>(file, "MTLS/Material[1]/MaterialShader", |shader| shader.shader = chars("Shader_Mine"));
    "MDX-MAT-003" classic: |file| set::<LayerHeader>(file, LAYER, |layer| layer.filter_mode = FilterMode::new(7));
    "MDX-MAT-004" classic: |file| set::<LayerHeader>(file, LAYER, |layer| layer.texture_id.set(2));
    "MDX-MAT-005" classic: |file| set::<LayerHeader>(file, LAYER, |layer| layer.texture_animation_id.set(1));
    "MDX-MAT-006" slotted: |file| set::<TextureReference>(file, "MTLS/Material/LAYS/Layer/TextureSlot/TextureReference", |texture| texture.slot = SlotType::new(6));
    "MDX-MAT-007" slotted: |file| children(file, "MTLS/Material/LAYS/Layer").retain(|part| !part.is(&kinds::TEXTURE_SLOT));
    "MDX-MAT-008" classic: |file| {
        let mut textures: Vec<Texture> = node(file, "TEXS").values().to_vec();
        textures.push(textures[0]);
        node(file, "TEXS").set_values(&textures);
    };
    "MDX-GEO-015" classic: |file| children(file, "GEOS/Geoset").retain(|part| !matches!(part.kind.name, "UVAS" | "UVBS"));
    "MDX-GEO-016" classic: |file| set::<LayerHeader>(file, LAYER, |layer| layer.coord_id.set(1));
    "MDX-GEOA-001" classic: |file| set::<GeosetAnimationHeader>(file, "GEOA/GeosetAnimation/GeosetAnimationHeader", |header| header.geoset_id.set(1));
    "MDX-GEOA-002" classic: |file| {
        set::<GeosetAnimationHeader>(file, "GEOA/GeosetAnimation/GeosetAnimationHeader", |header| header.alpha.set(0.0));
        children(file, "GEOA/GeosetAnimation").retain(|part| part.id != tags::KGAO);
    };
    "MDX-GEOA-003" classic: |file| {
        let twice = node(file, "GEOA/GeosetAnimation").clone();
        children(file, "GEOA").push(twice);
    };
    "MDX-GEOA-004" classic: |file| set::<GeosetAnimationHeader>(file, "GEOA/GeosetAnimation/GeosetAnimationHeader", |header| {
        header.flags = GeosetAnimationFlags::DROP_SHADOW;
    });
    "MDX-MAT-009" classic: |file| children(file, "MTLS").clear();
    "MDX-GEOA-005" classic: |file| {
        let another = node(file, "GEOS/Geoset").clone();
        children(file, "GEOS").push(another);
    };
    "MDX-GEOA-006" keyed: |file| opacity(file, &[(0, 1.0), (1333, 1.0)]);
    "MDX-GEOA-007" keyed: |file| opacity(file, &[(0, 1.0), (1500, 1.0), (2000, 0.0), (3000, 1.0)]);
    "MDX-GEO-001" classic: |file| set::<GeosetHeader>(file, "GEOS/Geoset/GeosetHeader", |header| header.material_id.set(1));
    "MDX-GEO-002" classic: |file| {
        let many = vec![Vec3::default(); 7433];
        node(file, "GEOS/Geoset/VRTX").set_values(&many);
    };
    "MDX-GEO-003" classic: |file| { node(file, "GEOS/Geoset/PVTX").set_values::<U16>(&[]); };
    "MDX-GEO-004" classic: |file| { node(file, "GEOS/Geoset/Extents").set_values::<Extent>(&[]); };
    "MDX-GEO-005" classic: |file| shorten(file, "GEOS/Geoset/NRMS", 12);
    "MDX-GEO-006" classic: |file| values::<U16>(file, "GEOS/Geoset/PVTX", |faces| faces[3].set(4));
    "MDX-GEO-007" classic: |file| values::<U32>(file, "GEOS/Geoset/PCNT", |counts| counts[0].set(3));
    "MDX-GEO-008" still: |file| set::<GeosetBounds>(file, "GEOS/Geoset/GeosetBounds", |bounds| bounds.extent.maximum.x.set(1.0));
    "MDX-GEO-009" classic: |file| values::<U16>(file, "GEOS/Geoset/PVTX", |faces| faces[1].set(0));
    "MDX-GEO-010" classic: |file| values::<U16>(file, "GEOS/Geoset/PVTX", |faces| {
        // The same three corners, begun at another of them.
        [1, 2, 0].iter().zip(&mut faces[3..]).for_each(|(corner, face)| face.set(*corner));
    });
    "MDX-GEO-011" classic: |file| {
        let vertices: Vec<Vec3> = (0_u8..6).map(|at| Vec3::new(f32::from(at), f32::from(at % 2), 0.0)).collect();
        node(file, "GEOS/Geoset/VRTX").set_values(&vertices);
        node(file, "GEOS/Geoset/PVTX").set_values(&[0, 1, 2, 3, 4, 5].map(U16::new));
    };
    "MDX-GEO-012" classic: |file| values::<Vec3>(file, "GEOS/Geoset/NRMS", |normals| normals[1] = Vec3::default());
    "MDX-GEO-013" many: |file| values::<U16>(file, "GEOS/Geoset/PVTX", |faces| {
        faces.chunks_exact_mut(3).for_each(|face| face.swap(1, 2));
    });
    "MDX-GEO-014" classic: |file| values::<Vec3>(file, "GEOS/Geoset/VRTX", |vertices| vertices[1].x.set(1e6));
    "MDX-SKIN-001" classic: |file| { node(file, "GEOS/Geoset/GNDX").set_values(&[0_u8, 0, 1]); };
    "MDX-SKIN-002" classic: |file| values::<U32>(file, "GEOS/Geoset/MTGC", |groups| groups[1].set(0));
    "MDX-SKIN-003" classic: |file| values::<U32>(file, "GEOS/Geoset/MTGC", |groups| groups[1].set(2));
    "MDX-SKIN-004" classic: |file| values::<u8>(file, "GEOS/Geoset/GNDX", |groups| groups[1] = 2);
    "MDX-SKIN-005" classic: |file| values::<U32>(file, "GEOS/Geoset/MATS", |bones| bones[1].set(77));
    "MDX-SKIN-006" classic: |file| values::<U32>(file, "GEOS/Geoset/MATS", |bones| bones[1].set(2));
    "MDX-SKIN-007" reforged: |file| values::<u8>(file, "GEOS/Geoset[1]/SKIN", |skin| skin[4] = 100);
    "MDX-SKIN-008" reforged: |file| *node(file, "GEOS/Geoset[1]/GNDX") = mdx::build::leaf(&kinds::GNDX, &[0xFF_u8; 4]);
    "MDX-SKIN-009" classic: |file| { node(file, "GEOS/Geoset/MTGC").set_values(&[U32::new(1); 256]); };
    "MDX-SKIN-010" classic: |file| values::<u8>(file, "GEOS/Geoset/GNDX", |groups| groups.fill(0));
    "MDX-SKIN-011" reforged: |file| { node(file, "GEOS/Geoset[1]/SKIN").set_values(&[0_u8, 0, 0, 0, 255, 0, 0, 0]); };
    "MDX-SKIN-012" classic: |file| { node(file, "GEOS/Geoset/GNDX").set_values(&[0_u8, 0, 1, 1, 1]); };
    "MDX-NODE-001" classic: |file| set::<NodeHeader>(file, "LITE/Light/Node/NodeHeader", |header| header.object_id.set(3));
    "MDX-NODE-002" classic: |file| {
        set::<NodeHeader>(file, BONE, |header| header.object_id.set(2));
        set::<NodeHeader>(file, "LITE/Light/Node/NodeHeader", |header| header.object_id.set(0));
    };
    "MDX-NODE-003" classic: |file| set::<NodeHeader>(file, "HELP/Helper/Node/NodeHeader", |header| header.parent_id.set(99));
    "MDX-NODE-004" classic: |file| set::<NodeHeader>(file, BONE, |header| header.parent_id.set(1));
    "MDX-NODE-005" classic: |file| shorten(file, "PIVT", 12);
    "MDX-NODE-006" classic: |file| set::<BoneLinks>(file, "BONE/Bone/BoneLinks", |links| links.geoset_id.set(1));
    "MDX-NODE-007" classic: |file| set::<NodeHeader>(file, "LITE/Light/Node/NodeHeader", |header| header.flags = NodeFlags::new(0));
    "MDX-NODE-008" reforged: |file| {
        let poses: Vec<BindPose> = node(file, "BPOS").values().to_vec();
        *node(file, "BPOS") = mdx::build::counted(&kinds::BPOS, &poses[..2]);
    };
    "MDX-NODE-009" classic: |file| {
        let name = node(file, BONE).value::<NodeHeader>().unwrap().name;
        set::<NodeHeader>(file, "HELP/Helper/Node/NodeHeader", |header| header.name = name);
    };
    "MDX-LITE-001" classic: |file| set::<LightColor>(file, "LITE/Light/LightColor", |light| light.attenuation_end.set(500.0));
    "MDX-ATCH-001" classic: |file| set::<AttachmentHeader>(file, "ATCH/Attachment/AttachmentHeader", |header| header.path = chars("my sword"));
    "MDX-ATCH-003" classic: |file| set::<NodeHeader>(file, "ATCH/Attachment/Node/NodeHeader", |header| header.name = chars("Orign Ref "));
    "MDX-ATCH-002" classic: |file| set::<NodeHeader>(file, "ATCH/Attachment/Node/NodeHeader", |header| header.name = chars("Hand Ref"));
    "MDX-PREM-001" classic: |file| set::<ParticleEmitterHeader>(file, "PREM/ParticleEmitter/ParticleEmitterHeader", |header| header.path = chars("spark.blp"));
    "MDX-PRE2-001" classic: |file| set::<ParticleEmitter2Header>(file, EMITTER, |header| header.texture_id.set(2));
    "MDX-PRE2-002" classic: |file| set::<ParticleEmitter2Header>(file, EMITTER, |header| header.filter_mode = ParticleFilterMode::new(5));
    "MDX-PRE2-003" classic: |file| {
        set::<NodeHeader>(file, "PRE2/ParticleEmitter2/Node/NodeHeader", |header| header.flags = NodeFlags::PARTICLE_EMITTER | NodeFlags::XY_QUAD);
        set::<ParticleEmitter2Header>(file, EMITTER, |header| header.latitude.set(0.0));
    };
    "MDX-PRE2-004" classic: |file| set::<ParticleEmitter2Header>(file, EMITTER, |header| header.time.set(1.5));
    "MDX-PRE2-005" classic: |file| {
        set::<ParticleEmitter2Header>(file, EMITTER, |header| header.squirt.set(1));
        children(file, "PRE2/ParticleEmitter2").retain(|part| part.id != tags::KP2E);
    };
    "MDX-PRE2-006" classic: |file| set::<ParticleEmitter2Header>(file, EMITTER, |header| header.rows.set(3));
    "MDX-PRE2-007" classic: |file| set::<ParticleEmitter2Header>(file, EMITTER, |header| header.life_span.set(-1.0));
    "MDX-PRE2-008" classic: |file| set::<ParticleEmitter2Header>(file, EMITTER, |header| header.segment_alphas = [3, 0, 0]);
    "MDX-PRE2-009" classic: |file| {
        node(file, "SEQS").set_values::<Sequence>(&[]);
    };
    "MDX-CORN-001" reforged: |file| set::<PopcornEmitterHeader>(file, "CORN/PopcornEmitter/PopcornEmitterHeader", |header| {
        header.animation_visibility_guide = Chars::default();
    });
    "MDX-RIBB-001" classic: |file| set::<RibbonEmitterHeader>(file, "RIBB/RibbonEmitter/RibbonEmitterHeader", |header| header.material_id.set(1));
    "MDX-EVTS-001" classic: |file| { node(file, "EVTS/EventObject/KEVT").set_values::<I32>(&[]); };
    "MDX-EVTS-002" classic: |file| set::<NodeHeader>(file, "EVTS/EventObject/Node/NodeHeader", |header| header.name = chars("Footstep"));
    "MDX-EVTS-003" classic: |file| values::<I32>(file, "EVTS/EventObject/KEVT", |times| times[0].set(900));
    "MDX-EVTS-004" classic: |file| values::<I32>(file, "EVTS/EventObject/KEVT", |times| {
        (9000..).zip(times).for_each(|(late, time)| time.set(late));
    });
    "MDX-CAMS-001" classic: |file| set::<CameraHeader>(file, "CAMS/Camera/CameraHeader", |camera| camera.far_clip.set(1.0));
    "MDX-CAMS-002" classic: |file| values::<Sequence>(file, "SEQS", |sequences| sequences[2].name = chars("Walk"));
    "MDX-CAMS-003" classic: |file| set::<CameraTarget>(file, "CAMS/Camera/CameraTarget", |target| target.position.x.set(1e6));
    "MDX-CAMS-004" classic: |file| children(file, "GEOS").clear();
    "MDX-CLID-002" classic: |file| {
        set::<CollisionKind>(file, "CLID/CollisionShape/CollisionKind", |kind| kind.kind = CollisionType::new(7));
        children(file, "CLID/CollisionShape").retain(|part| !part.is(&kinds::SHAPE_BOX));
    };
    "MDX-CLID-001" classic: |file| set::<ShapeBox>(file, "CLID/CollisionShape/ShapeBox", |shape| shape.minimum.x.set(99.0));
    "MDX-FAFX-001" reforged: |file| values::<FaceEffect>(file, "FAFX", |effects| effects[0].path = chars("face.txt"));
    "MDX-FILES-002" classic: |file| set::<ParticleEmitterHeader>(file, "PREM/ParticleEmitter/ParticleEmitterHeader", |header| header.path = chars("gone.mdl"));
    "MDX-TRACK-001" classic: |file| speed(file, 1, &[(0, 1.0), (1000, 2.0)]);
    "MDX-TRACK-002" classic: |file| speed(file, -1, &[]);
    "MDX-TRACK-003" classic: |file| { node(file, "SEQS").set_values::<Sequence>(&[]); };
    "MDX-TRACK-004" classic: |file| speed(file, -1, &[(-5, 1.0), (0, 1.0), (1000, 2.0)]);
    "MDX-TRACK-005" classic: |file| speed(file, -1, &[(0, 1.0), (500, 3.0), (500, 4.0), (1000, 2.0)]);
    "MDX-TRACK-006" classic: |file| speed(file, -1, &[(0, 1.0), (800, 3.0), (500, 4.0), (1000, 2.0)]);
    "MDX-TRACK-007" classic: |file| speed(file, -1, &[(100, 1.0), (1000, 2.0)]);
    "MDX-TRACK-008" classic: |file| children(file, "PRE2/ParticleEmitter2").push(float_track(tags::KP2R, -1, &[(0, 1.0)]));
    "MDX-TRACK-009" classic: |file| *node(file, "PRE2/ParticleEmitter2/KP2V") = float_track(tags::KP2V, -1, &[(0, 1.0)]);
    "MDX-TRACK-010" classic: |file| speed(file, -1, &[(0, 1.0), (1000, 2.0), (9000, 3.0)]);
    "MDX-TRACK-011" classic: |file| speed(file, -1, &[(0, 1.0), (500, 1.0), (1000, 1.0)]);
    "MDX-TRACK-014" classic: |file| speed(file, -1, &[(0, 1.0), (500, 1.0005), (1000, 1.0)]);
    "MDX-TRACK-012" classic: |file| set::<TrackHeader>(file, "PRE2/ParticleEmitter2/KP2S", |header| header.interpolation = Interpolation::new(4));
    "MDX-TRACK-013" classic: |file| {
        let keys = [(0, record::Quaternion::new(0.0, 0.0, 0.0, 2.0))];
        *node(file, "BONE/Bone/Node/KGRT") = mdx::build::track(tags::KGRT, Interpolation::LINEAR, -1, &keys).unwrap();
    };
    "MDX-TRACK-015" classic: |file| speed(file, -1, &[(0, 1.0), (1000, 1.0)]);
    "MDX-TRACK-016" classic: |file| {
        let keys = [(0, Vec3::new(1.0, 1.0, 1.0)), (1000, Vec3::default())];
        *node(file, "BONE/Bone/Node/KGSC") = mdx::build::track(tags::KGSC, Interpolation::LINEAR, -1, &keys).unwrap();
    };
    "MDX-TRACK-017" classic: |file| speed(file, -1, &[(1333, 1.0), (2333, 2.0)]);
    "MDX-WOW-001" wow: |file| set::<WowModel>(file, "MODL", |model| model.object_count.set(3));
    "MDX-WOW-002" wow: |file| set::<WowAttachmentCount>(file, "ATCH/WowAttachmentCount", |count| count.highest_id.set(7));
    "MDX-WOW-003" wow: |file| set::<WowMaterialCount>(file, "MTLS/WowMaterialCount", |count| count.animated_layers.set(7));
    "MDX-WOW-004" wow: |file| node(file, "CLID").child_mut(&kinds::TRI).unwrap().values_mut::<U16>()[0].set(9);
    "MDX-WOW-006" wow: |file| node(file, "CLID").child_mut(&kinds::NRMS).unwrap().bytes_mut().unwrap().clear();
    "MDX-WOW-005" wow: |file| values::<[u8; 4]>(file, "GEOS/Geoset/BWGT", |weights| weights[0] = [1, 2, 3, 4]);
}
