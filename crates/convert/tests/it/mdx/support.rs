//! Small models, and the formulas of the engine in its own axes.

use glam::{Mat4, Quat, Vec3};
use mdx::build::{self, Builder};
use mdx::records::*;
use mdx::{Dialect, Document, kinds};
use meshwright_convert::mdx::{Options, Report, to_scene};
use record::{Chars, F32, I32, Node, U16, U32};
use scene::{ClipId, Deformed, Moment, Sampler, Scene, skin};

/// Version 800 of Warcraft III.
pub(crate) fn warcraft() -> Builder {
    Builder::new(Dialect::Warcraft, 800)
}

pub(crate) fn chars<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).unwrap()
}

/// A file of these chunks, converted.
pub(crate) fn convert(builder: Builder, chunks: Vec<Node<'_>>) -> (Scene, Report) {
    let header = match builder.dialect {
        Dialect::Warcraft => build::leaf(&kinds::MODL, &[Model { name: chars("Test"), ..Model::default() }]),
        Dialect::Wow => {
            build::leaf(&kinds::WOW_MODL, &[WowModel { name: chars("Test"), ..WowModel::default() }])
        }
    };
    let chunks = [builder.version(), header].into_iter().chain(chunks).collect();
    let bytes = build::file(chunks).to_bytes().unwrap();
    let document = Document::parse(&bytes).unwrap();
    assert_eq!(document.diagnostics(), [], "the test's own file is sound");
    to_scene(&document, &Options::default())
}

/// The same for a file that has nothing to complain about.
pub(crate) fn convert_clean(builder: Builder, chunks: Vec<Node<'_>>) -> Scene {
    let (scene, report) = convert(builder, chunks);
    assert_eq!(report.notes, []);
    scene
}

/// Sequences by their intervals.
pub(crate) fn sequences(intervals: &[[i32; 2]]) -> Node<'static> {
    let sequences: Vec<_> = intervals
        .iter()
        .enumerate()
        .map(|(index, [start, end])| Sequence {
            name: chars(&format!("Clip {index}")),
            start: I32::new(*start),
            end: I32::new(*end),
            ..Sequence::default()
        })
        .collect();
    build::leaf(&kinds::SEQS, &sequences)
}

pub(crate) fn node_header(name: &str, id: i32, parent: i32, flags: u32) -> NodeHeader {
    NodeHeader {
        name: chars(name),
        object_id: I32::new(id),
        parent_id: I32::new(parent),
        flags: NodeFlags::new(flags),
    }
}

/// A bone.
pub(crate) fn bone(
    builder: Builder,
    id: i32,
    parent: i32,
    flags: u32,
    tracks: Vec<Node<'static>>,
) -> Node<'static> {
    let node = builder.node(&node_header(&format!("Bone {id}"), id, parent, flags), tracks);
    let links = BoneLinks { geoset_id: I32::new(-1), geoset_animation_id: I32::new(-1) };
    builder.object(&kinds::BONE_OBJECT, node, &links, vec![])
}

pub(crate) fn pivots(pivots: &[[f32; 3]]) -> Node<'static> {
    build::leaf(&kinds::PIVT, &pivots.iter().map(|pivot| record::Vec3::from(*pivot)).collect::<Vec<_>>())
}

pub(crate) fn vec3([x, y, z]: [f32; 3]) -> record::Vec3 {
    record::Vec3::new(x, y, z)
}

pub(crate) fn words(words: &[u32]) -> Vec<U32> {
    words.iter().map(|word| U32::new(*word)).collect()
}

/// What a test geoset is made of.
#[derive(Default)]
pub(crate) struct Surface<'s> {
    pub(crate) positions: &'s [[f32; 3]],
    pub(crate) faces: &'s [u16],
    /// Of each vertex.
    pub(crate) groups: &'s [u8],
    /// Matrices of each group.
    pub(crate) matrices: &'s [&'s [u32]],
    pub(crate) header: GeosetHeader,
    pub(crate) level: GeosetLevelOfDetail,
    pub(crate) tail: Vec<Node<'static>>,
}

impl Surface<'_> {
    /// A geoset of triangles of Warcraft III.
    pub(crate) fn build(self, builder: Builder) -> Node<'static> {
        self.build_as(builder, FaceType::TRIANGLES)
    }

    pub(crate) fn build_as(self, builder: Builder, face_type: FaceType) -> Node<'static> {
        let positions: Vec<_> = self.positions.iter().copied().map(vec3).collect();
        let counts: Vec<u32> = self.matrices.iter().map(|group| group.len().try_into().unwrap()).collect();
        let faces: Vec<_> = self.faces.iter().copied().map(U16::new).collect();
        let arrays = vec![
            build::leaf(&kinds::VRTX, &positions),
            build::leaf(&kinds::NRMS, &vec![record::Vec3::new(0.0, 0.0, 1.0); positions.len()]),
            build::leaf(&kinds::PTYP, &[face_type]),
            build::leaf(&kinds::PCNT, &words(&[faces.len().try_into().unwrap()])),
            build::leaf(&kinds::PVTX, &faces),
            build::leaf(&kinds::GNDX, self.groups),
            build::leaf(&kinds::MTGC, &words(&counts)),
            build::leaf(&kinds::MATS, &words(&self.matrices.concat())),
        ];
        let mut tail = self.tail;
        tail.push(build::branch(&kinds::UVAS, vec![]));
        builder.geoset(arrays, &self.header, &self.level, &Extent::default(), &[], tail)
    }
}

/// A material with one plain layer.
pub(crate) fn plain_material(builder: Builder) -> Node<'static> {
    let mut layer = build::LayerParts::default();
    layer.header.texture_id = I32::new(-1);
    let layer = builder.layer(&layer, vec![], vec![]);
    let material = builder.material(&MaterialHeader::default(), &MaterialShader::default(), vec![layer]);
    builder.chunk(&kinds::MTLS, vec![material])
}

/// From the game's axes to the scene's.
pub(crate) fn turned(v: Vec3) -> Vec3 {
    Vec3::new(v.x, v.z, -v.y)
}

/// The engine's matrix of a node, in its own axes: `M_parent · T(pivot + t) · R · S · T(-pivot)` (docs/formats/mdx/nodes.md#node).
pub(crate) fn engine_matrix(parent: Mat4, pivot: Vec3, t: Vec3, r: Quat, s: Vec3) -> Mat4 {
    parent
        * Mat4::from_translation(pivot + t)
        * Mat4::from_quat(r)
        * Mat4::from_scale(s)
        * Mat4::from_translation(-pivot)
}

/// The vertices of a mesh at a moment of a clip.
pub(crate) fn skinned(scene: &Scene, mesh: usize, clip: usize, time: f32) -> Vec<Vec3> {
    let moment = Moment { clip: Some(ClipId::from(clip)), time, ..Moment::default() };
    let mut deformed = Deformed::default();
    skin(&scene.meshes[mesh], &Sampler::new(scene).pose(&moment), &mut deformed);
    deformed.positions
}

#[track_caller]
pub(crate) fn assert_near(a: Vec3, b: Vec3, tolerance: f32) {
    assert!(a.abs_diff_eq(b, tolerance), "{a} is not {b}");
}

pub(crate) fn scalar_keys(keys: &[(i32, f32)]) -> Vec<(i32, F32)> {
    keys.iter().map(|(time, value)| (*time, F32::new(*value))).collect()
}

pub(crate) fn vector_keys(keys: &[(i32, [f32; 3])]) -> Vec<(i32, record::Vec3)> {
    keys.iter().map(|(time, value)| (*time, vec3(*value))).collect()
}
