//! Whole models: geosets on bones.

use record::{Chars, Error, F32, I32, Node, U16, U32, Vec2, Vec3, build, encode_name};

use super::{Builder, LayerParts, branch, file, part};
use crate::records::*;
use crate::{Dialect, Document, Gate, kinds};

/// The error for inconsistent input of a builder.
fn error(message: String) -> Error {
    Error::new("MDX-BUILD", 0..0, message)
}

fn chars<const N: usize>(text: &str) -> Result<Chars<N>, Error> {
    let mut chars = Chars::default();
    chars.set(text)?;
    Ok(chars)
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The bounds of positions: the box, and the radius of the sphere around the origin that contains it. All zero if there
/// are no positions.
///
/// ```
/// use record::Vec3;
/// let extent = meshwright_mdx::build::extent(&[[3.0, 4.0, 0.0], [-1.0, 0.0, 0.0]].map(Vec3::from));
/// assert_eq!((extent.minimum.get(), extent.maximum.get()), ([-1.0, 0.0, 0.0], [3.0, 4.0, 0.0]));
/// assert_eq!(extent.radius.get(), 5.0);
/// ```
pub fn extent(positions: &[Vec3]) -> Extent {
    let Some(first) = positions.first() else { return Extent::default() };
    let (mut minimum, mut maximum, mut radius) = (first.get(), first.get(), 0.0_f64);
    for position in positions.iter().map(|position| position.get()) {
        for axis in 0..3 {
            minimum[axis] = minimum[axis].min(position[axis]);
            maximum[axis] = maximum[axis].max(position[axis]);
        }
        let square: f64 = position.iter().map(|part| f64::from(*part).powi(2)).sum();
        radius = radius.max(square.sqrt());
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounding to the format's precision is meant")]
    Extent { radius: F32::new(radius as f32), minimum: minimum.into(), maximum: maximum.into() }
}

/// Unit normals of vertices: the mean of those of their triangles, weighted by area. Vertices of no triangle point up.
pub fn vertex_normals(positions: &[Vec3], triangles: &[[u16; 3]]) -> Vec<Vec3> {
    let wide = |index: u16| positions.get(usize::from(index)).map(|position| position.get().map(f64::from));
    let mut sums = vec![[0.0_f64; 3]; positions.len()];
    for triangle in triangles {
        let [Some(a), Some(b), Some(c)] = triangle.map(wide) else { continue };
        let [b, c] = [b, c].map(|corner| [0, 1, 2].map(|axis| corner[axis] - a[axis]));
        let normal = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        for corner in triangle {
            let sum = &mut sums[usize::from(*corner)];
            *sum = [0, 1, 2].map(|axis| sum[axis] + normal[axis]);
        }
    }
    let unit = |sum: [f64; 3]| {
        let length = sum.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length > 0.0 && length.is_finite() { sum.map(|part| part / length) } else { [0.0, 0.0, 1.0] }
    };
    #[expect(clippy::cast_possible_truncation, reason = "rounding to the format's precision is meant")]
    sums.into_iter().map(|sum| Vec3::from(unit(sum).map(|part| part as f32))).collect()
}

/// Builds a geoset: groups, matrix groups, normals and extents are computed.
///
/// [`ModelBuilder`] has an example.
#[derive(Clone, Debug, Default)]
pub struct GeosetBuilder {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    triangles: Vec<[u16; 3]>,
    bones: Vec<Vec<u32>>,
    bone: u32,
    texture: Option<String>,
    filter_mode: FilterMode,
    layer_flags: LayerFlags,
}

impl GeosetBuilder {
    /// An empty geoset.
    pub fn new() -> Self {
        Self::default()
    }

    /// Positions, in the space of the model.
    #[must_use]
    pub fn positions(mut self, positions: impl IntoIterator<Item: Into<Vec3>>) -> Self {
        self.positions = positions.into_iter().map(Into::into).collect();
        self
    }

    /// Normals, one per vertex. If they are not given, they are computed from the triangles.
    #[must_use]
    pub fn normals(mut self, normals: impl IntoIterator<Item: Into<Vec3>>) -> Self {
        self.normals = normals.into_iter().map(Into::into).collect();
        self
    }

    /// Texture coordinates, one per vertex, V downwards.
    #[must_use]
    pub fn uvs(mut self, uvs: impl IntoIterator<Item: Into<Vec2>>) -> Self {
        self.uvs = uvs.into_iter().map(Into::into).collect();
        self
    }

    /// Triangles: three indices of vertices each, counter-clockwise seen from the front.
    #[must_use]
    pub fn triangles(mut self, triangles: impl IntoIterator<Item = [u16; 3]>) -> Self {
        self.triangles = triangles.into_iter().collect();
        self
    }

    /// The bone that moves it as a whole, by index; the default is bone 0.
    #[must_use]
    pub fn bone(mut self, bone: u32) -> Self {
        self.bone = bone;
        self
    }

    /// The bones of each vertex, by index; they move it in equal parts.
    #[must_use]
    pub fn bones(mut self, bones: impl IntoIterator<Item: Into<Vec<u32>>>) -> Self {
        self.bones = bones.into_iter().map(Into::into).collect();
        self
    }

    /// The file of its texture, such as `Textures\wood.blp`.
    #[must_use]
    pub fn texture(mut self, file: &str) -> Self {
        self.texture = Some(file.to_owned());
        self
    }

    /// How its material is blended; opaque by default.
    #[must_use]
    pub fn filter_mode(mut self, filter_mode: FilterMode) -> Self {
        self.filter_mode = filter_mode;
        self
    }

    /// Flags of its material: two-sided, unshaded.
    #[must_use]
    pub fn layer_flags(mut self, flags: LayerFlags) -> Self {
        self.layer_flags = flags;
        self
    }

    fn validate(&self, index: usize, bones: usize) -> Result<(), Error> {
        let vertices = self.positions.len();
        let arrays = [
            ("normals", self.normals.len()),
            ("texture coordinates", self.uvs.len()),
            ("bones", self.bones.len()),
        ];
        for (what, length) in arrays {
            if length != 0 && length != vertices {
                return Err(error(format!("geoset {index}: {length} {what} for {vertices} positions")));
            }
        }
        if let Some(beyond) = self.triangles.iter().flatten().find(|at| usize::from(**at) >= vertices) {
            return Err(error(format!("geoset {index}: vertex {beyond} does not exist: it has {vertices}")));
        }
        if self.positions.iter().any(|position| !position.get().iter().all(|part| part.is_finite())) {
            return Err(error(format!("geoset {index}: a position is infinite or NaN")));
        }
        let mut used = self.bones.iter().flatten().chain([&self.bone]);
        if let Some(bone) = used.find(|bone| usize::try_from(**bone).map_or(true, |bone| bone >= bones)) {
            return Err(error(format!("geoset {index}: bone {bone} does not exist: the model has {bones}")));
        }
        if self.bones.iter().any(Vec::is_empty) {
            return Err(error(format!("geoset {index}: a vertex has no bone")));
        }
        Ok(())
    }

    /// The matrix group of each vertex, and the bones of each group.
    fn groups(&self, index: usize) -> Result<(Vec<u8>, Vec<Vec<u32>>), Error> {
        if self.bones.is_empty() {
            return Ok((vec![0; self.positions.len()], vec![vec![self.bone]]));
        }
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut found = std::collections::HashMap::new();
        let mut of_vertices = Vec::with_capacity(self.bones.len());
        for bones in &self.bones {
            let group = *found.entry(bones).or_insert_with(|| {
                groups.push(bones.clone());
                groups.len() - 1
            });
            let group = u8::try_from(group).map_err(|_| {
                error(format!("geoset {index}: more than 256 different combinations of bones"))
            })?;
            of_vertices.push(group);
        }
        Ok((of_vertices, groups))
    }

    fn build(&self, index: usize, model: &ModelBuilder, material: u32) -> Result<Node<'static>, Error> {
        let bones = model.bone_count();
        self.validate(index, bones)?;
        let words = |words: &mut dyn Iterator<Item = usize>| {
            words.map(|word| U32::new(count(word))).collect::<Vec<_>>()
        };
        let faces: Vec<U16> = self.triangles.iter().flatten().map(|at| U16::new(*at)).collect();
        let normals = match &self.normals[..] {
            [] => vertex_normals(&self.positions, &self.triangles),
            given => given.to_vec(),
        };
        let (vertex_groups, groups) = self.groups(index)?;
        let matrices: Vec<U32> = groups.iter().flatten().map(|bone| U32::new(*bone)).collect();
        let arrays = vec![
            build(kinds::VRTX, &self.positions),
            build(kinds::NRMS, &normals),
            build(kinds::PTYP, &[FaceType::TRIANGLES]),
            build(kinds::PCNT, &words(&mut [faces.len()].into_iter())),
            build(kinds::PVTX, &faces),
            build(kinds::GNDX, &vertex_groups),
            build(kinds::MTGC, &words(&mut groups.iter().map(Vec::len))),
            build(kinds::MATS, &matrices),
        ];
        let coordinates =
            if self.uvs.is_empty() { vec![Vec2::default(); self.positions.len()] } else { self.uvs.clone() };
        let tail = vec![build(kinds::UVAS, vec![build(kinds::UVBS, &coordinates)])];
        let header = GeosetHeader { material_id: U32::new(material), ..GeosetHeader::default() };
        let level = GeosetLevelOfDetail { level: I32::new(0), name: chars(&format!("Geoset{index}"))? };
        let bounds = extent(&self.positions);
        let in_sequences = vec![bounds; model.sequence_count()];
        Ok(model.builder().geoset(arrays, &header, &level, &bounds, &in_sequences, tail))
    }
}

/// Textures and materials of the geosets of a model.
struct Looks {
    textures: Vec<Texture>,
    materials: Vec<Node<'static>>,
    /// The material of each geoset.
    of_geosets: Vec<u32>,
}

/// `Stand` and `Death`.
const DEFAULT_SEQUENCES: usize = 2;

/// Builds a model of Warcraft III: counts, object ids, pivots, textures, materials and extents are computed.
///
/// ```
/// use meshwright_mdx::build::{GeosetBuilder, ModelBuilder};
///
/// let geoset = GeosetBuilder::new()
///     .positions([[0.0, 0.0, 0.0], [30.0, 0.0, 0.0], [0.0, 40.0, 0.0]])
///     .uvs([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
///     .triangles([[0, 1, 2]])
///     .texture("Textures\\wood.blp");
/// let document = ModelBuilder::new("Triangle").geoset(geoset).build()?;
/// assert_eq!(document.header().unwrap().extent.radius.get(), 40.0);
/// assert_eq!(document.textures()[0].path.to_string(), "Textures\\wood.blp");
/// # Ok::<(), meshwright_mdx::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    name: String,
    version: u32,
    bones: Vec<(String, Option<usize>, Vec3)>,
    attachments: Vec<(String, usize, Vec3)>,
    sequences: Vec<(String, [i32; 2], SequenceFlags)>,
    geosets: Vec<GeosetBuilder>,
}

impl ModelBuilder {
    /// A model of this name, in version 800. If it has no bones, it gets one at the origin; without sequences, a `Stand`
    /// and a `Death` of one second each; without attachments, the `Origin Ref` that the game requires.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: 800,
            bones: Vec::new(),
            attachments: Vec::new(),
            sequences: Vec::new(),
            geosets: Vec::new(),
        }
    }

    /// The version: 800 for the classic game, 900 to 1200 for Reforged.
    #[must_use]
    pub fn version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }

    /// Adds a bone below another one, by its index, or at the top. The pivot is in the space of the model. The first bone is
    /// bone 0.
    #[must_use]
    pub fn bone(mut self, name: &str, parent: Option<usize>, pivot: impl Into<Vec3>) -> Self {
        self.bones.push((name.to_owned(), parent, pivot.into()));
        self
    }

    /// Adds an attachment to a bone, such as `Overhead Ref`. The pivot is in the space of the model.
    #[must_use]
    pub fn attachment(mut self, name: &str, bone: usize, pivot: impl Into<Vec3>) -> Self {
        self.attachments.push((name.to_owned(), bone, pivot.into()));
        self
    }

    /// Adds a sequence from one millisecond to another. `Stand` sequences loop, `Death` and others that end once do not.
    #[must_use]
    pub fn sequence(mut self, name: &str, start: i32, end: i32, looping: bool) -> Self {
        let flags = if looping { SequenceFlags::default() } else { SequenceFlags::NON_LOOPING };
        self.sequences.push((name.to_owned(), [start, end], flags));
        self
    }

    /// Adds a geoset.
    #[must_use]
    pub fn geoset(mut self, geoset: GeosetBuilder) -> Self {
        self.geosets.push(geoset);
        self
    }

    fn builder(&self) -> Builder {
        Builder::new(Dialect::Warcraft, self.version)
    }

    fn bone_count(&self) -> usize {
        self.bones.len().max(1)
    }

    fn sequence_count(&self) -> usize {
        if self.sequences.is_empty() { DEFAULT_SEQUENCES } else { self.sequences.len() }
    }

    /// The document. Fails if a name is too long, an index does not exist, or counts do not fit.
    pub fn build(&self) -> Result<Document<'static>, Error> {
        let builder = self.builder();
        let bounds: Vec<Vec3> =
            self.geosets.iter().flat_map(|geoset| geoset.positions.iter().copied()).collect();
        let bounds = extent(&bounds);
        let model =
            Model { name: chars(&self.name)?, extent: bounds, blend_time: U32::new(150), ..Model::default() };
        let mut chunks = vec![
            builder.version(),
            build(kinds::MODL, &model),
            build(kinds::SEQS, &self.sequence_records(bounds)?),
        ];
        let looks = self.materials()?;
        chunks.push(builder.chunk(&kinds::MTLS, looks.materials));
        chunks.push(build(kinds::TEXS, &looks.textures));
        let geosets = self.geosets.iter().zip(looks.of_geosets).enumerate();
        let geosets: Vec<_> = geosets
            .map(|(index, (geoset, material))| geoset.build(index, self, material))
            .collect::<Result<_, _>>()?;
        chunks.push(builder.chunk(&kinds::GEOS, geosets));
        chunks.extend(self.nodes()?);
        let root = file(chunks);
        Ok(Document { root, version: self.version, dialect: Dialect::Warcraft, long_strings: Vec::new() })
    }

    fn sequence_records(&self, extent: Extent) -> Result<Vec<Sequence>, Error> {
        let sequences = if self.sequences.is_empty() {
            &[
                ("Stand".to_owned(), [0, 1000], SequenceFlags::default()),
                ("Death".to_owned(), [1333, 2333], SequenceFlags::NON_LOOPING),
            ][..]
        } else {
            &self.sequences
        };
        let record = |(name, [start, end], flags): &(String, [i32; 2], SequenceFlags)| {
            Ok(Sequence {
                name: chars(name)?,
                start: I32::new(*start),
                end: I32::new(*end),
                flags: *flags,
                extent,
                ..Sequence::default()
            })
        };
        sequences.iter().map(record).collect()
    }

    /// Textures and materials of the geosets. Equal ones are shared.
    fn materials(&self) -> Result<Looks, Error> {
        let builder = self.builder();
        let mut files: Vec<&str> = Vec::new();
        let mut looks: Vec<(usize, FilterMode, LayerFlags)> = Vec::new();
        let mut of_geosets = Vec::with_capacity(self.geosets.len());
        for geoset in &self.geosets {
            let path = geoset.texture.as_deref().unwrap_or("Textures\\white.blp");
            let texture = position_or_push(&mut files, path);
            let look = (texture, geoset.filter_mode, geoset.layer_flags);
            of_geosets.push(count(position_or_push(&mut looks, look)));
        }
        let wrap = TextureFlags::WRAP_WIDTH | TextureFlags::WRAP_HEIGHT;
        let texture = |path: &&str| {
            encode_name(path)?;
            Ok(Texture { path: chars(path)?, flags: wrap, ..Texture::default() })
        };
        let textures = files.iter().map(texture).collect::<Result<_, Error>>()?;
        let material = |(texture, filter_mode, flags): (usize, FilterMode, LayerFlags)| {
            let texture_id = I32::new(i32::try_from(texture).unwrap_or(i32::MAX));
            let mut parts = LayerParts::default();
            parts.header = LayerHeader { filter_mode, flags, texture_id, ..parts.header };
            if builder.gates.has(Gate::LayerSlots) {
                // The slots refer to the texture instead.
                parts.header.texture_id = I32::new(0);
            }
            let slot = TextureReference { texture_id, slot: SlotType::DIFFUSE };
            let layer = builder.layer(&parts, vec![(slot, None)], vec![]);
            builder.material(&MaterialHeader::default(), &MaterialShader::default(), vec![layer])
        };
        Ok(Looks { textures, materials: looks.into_iter().map(material).collect(), of_geosets })
    }

    /// Bones, attachments and the pivots of both, by object id.
    fn nodes(&self) -> Result<Vec<Node<'static>>, Error> {
        let builder = self.builder();
        let root = [("Root".to_owned(), None, Vec3::default())];
        let bones = if self.bones.is_empty() { &root[..] } else { &self.bones };
        let origin = [("Origin Ref ".to_owned(), 0, Vec3::default())];
        let attachments = if self.attachments.is_empty() { &origin[..] } else { &self.attachments };
        let node = |id: usize, name: &str, parent: Option<usize>, flags| {
            let parent = parent.map_or(Ok(-1), i32::try_from);
            let (Ok(object_id), Ok(parent_id)) = (i32::try_from(id), parent) else {
                return Err(error(format!("node {name}: too many nodes")));
            };
            let (object_id, parent_id) = (I32::new(object_id), I32::new(parent_id));
            let header = NodeHeader { name: chars(name)?, object_id, parent_id, flags };
            Ok(builder.node(&header, vec![]))
        };
        let mut bone_objects = Vec::with_capacity(bones.len());
        for (id, (name, parent, _)) in bones.iter().enumerate() {
            if parent.is_some_and(|parent| parent >= id) {
                return Err(error(format!("bone {name}: its parent must be added before it")));
            }
            let links = BoneLinks { geoset_id: self.geoset_of(id), geoset_animation_id: I32::new(-1) };
            let node = node(id, name, *parent, NodeFlags::BONE)?;
            bone_objects.push(branch(&kinds::BONE_OBJECT, vec![node, part(&links)]));
        }
        let mut attachment_objects = Vec::with_capacity(attachments.len());
        for (number, (name, bone, _)) in attachments.iter().enumerate() {
            if *bone >= bones.len() {
                let count = bones.len();
                return Err(error(format!(
                    "attachment {name}: bone {bone} does not exist: there are {count}"
                )));
            }
            let attachment_id = I32::new(i32::try_from(number).unwrap_or(i32::MAX));
            let header = AttachmentHeader { path: Chars::default(), attachment_id };
            let node = node(bones.len() + number, name, Some(*bone), NodeFlags::ATTACHMENT)?;
            attachment_objects.push(builder.object(&kinds::ATTACHMENT, node, &header, vec![]));
        }
        let pivots = bones.iter().map(|(.., pivot)| *pivot);
        let pivots: Vec<Vec3> = pivots.chain(attachments.iter().map(|(.., pivot)| *pivot)).collect();
        Ok(vec![
            builder.chunk(&kinds::BONE, bone_objects),
            builder.chunk(&kinds::ATCH, attachment_objects),
            build(kinds::PIVT, &pivots),
        ])
    }

    /// The only geoset that a bone moves, or -1.
    fn geoset_of(&self, bone: usize) -> I32 {
        let moves = |geoset: &GeosetBuilder| {
            let is_it = |each: &u32| usize::try_from(*each) == Ok(bone);
            if geoset.bones.is_empty() {
                is_it(&geoset.bone)
            } else {
                geoset.bones.iter().flatten().any(is_it)
            }
        };
        let mut moved = (0..).zip(&self.geosets).filter(|(_, geoset)| moves(geoset)).map(|(index, _)| index);
        match (moved.next(), moved.next()) {
            (Some(only), None) => I32::new(only),
            _ => I32::new(-1),
        }
    }
}

fn position_or_push<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|each| *each == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}
