//! Small complete models, one for each layout that a version of either game has: for tests, for peers and for `demo`.

use record::{Chars, F32, I32, Kind, Node, Quaternion, U16, U32, Vec2, Vec3, Vec4};

use super::{
    Builder, LayerParts, LightParts, branch, counted, event_track, file, leaf, part, tangent_track, track,
};
use crate::kinds;
use crate::records::*;
use crate::tracks::tags;
use crate::{Dialect, Gate};

/// Name and bytes of each sample. All are well-formed: every byte has a meaning.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    [
        ("warcraft-800", Dialect::Warcraft, 800),
        ("warcraft-900", Dialect::Warcraft, 900),
        ("warcraft-1000", Dialect::Warcraft, 1000),
        ("warcraft-1100", Dialect::Warcraft, 1100),
        ("warcraft-1200", Dialect::Warcraft, 1200),
        ("warcraft-1800", Dialect::Warcraft, 1800),
        ("wow-1300", Dialect::Wow, 1300),
        ("wow-1500", Dialect::Wow, 1500),
    ]
    .into_iter()
    .filter_map(|(name, dialect, version)| Some((name, model(dialect, version)?.to_bytes().ok()?)))
    .collect()
}

/// The objects that are nodes. The id of each is its index here, as the games require.
const NODES: [(&str, &[NodeFlags], &[WowNodeFlags]); 12] = [
    ("Root", &[NodeFlags::BONE], &[]),
    ("Arm", &[NodeFlags::BONE], &[]),
    ("Lamp", &[NodeFlags::LIGHT], &[WowNodeFlags::LIGHT]),
    ("Helper", &[], &[]),
    ("Origin Ref", &[NodeFlags::ATTACHMENT], &[WowNodeFlags::ATTACHMENT]),
    ("Sparks", &[NodeFlags::PARTICLE_EMITTER, NodeFlags::UNSHADED], &[WowNodeFlags::SORT_PRIMS_FAR_Z]),
    (
        "Smoke",
        &[NodeFlags::PARTICLE_EMITTER, NodeFlags::UNSHADED],
        &[WowNodeFlags::PARTICLE_EMITTER, WowNodeFlags::UNSHADED],
    ),
    ("Popcorn", &[NodeFlags::PARTICLE_EMITTER], &[]),
    ("Trail", &[NodeFlags::RIBBON_EMITTER], &[WowNodeFlags::RIBBON_EMITTER]),
    ("SNDxABCD", &[NodeFlags::EVENT_OBJECT], &[WowNodeFlags::EVENT_OBJECT]),
    ("Body", &[NodeFlags::COLLISION_SHAPE], &[WowNodeFlags::HIT_TEST_SHAPE]),
    ("Ball", &[NodeFlags::COLLISION_SHAPE], &[WowNodeFlags::HIT_TEST_SHAPE]),
];

const QUAD: [[f32; 3]; 4] = [[-16.0, -16.0, 0.0], [16.0, -16.0, 0.0], [16.0, 16.0, 0.0], [-16.0, 16.0, 0.0]];

fn chars<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).unwrap_or_default()
}

fn vec3([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, z)
}

fn extent() -> Extent {
    Extent {
        radius: F32::new(32.0),
        minimum: Vec3::new(-16.0, -16.0, 0.0),
        maximum: Vec3::new(16.0, 16.0, 8.0),
    }
}

fn model(dialect: Dialect, version: u32) -> Option<Node<'static>> {
    let sample = Sample {
        builder: Builder::new(dialect, version),
        hd: dialect == Dialect::Warcraft && version >= 900,
    };
    let mut chunks = vec![sample.builder.version()];
    chunks.extend(sample.header());
    chunks.push(leaf(&kinds::GLBS, &[U32::new(1000)]));
    chunks.push(sample.materials()?);
    chunks.push(leaf(&kinds::TEXS, &sample.textures()));
    chunks.push(sample.texture_animations()?);
    chunks.push(sample.geosets());
    chunks.push(sample.geoset_animations()?);
    chunks.extend(sample.nodes()?);
    chunks.push(leaf(&kinds::PIVT, &vec![Vec3::new(0.0, 0.0, 4.0); sample.node_names().count()]));
    chunks.push(sample.cameras()?);
    chunks.extend(sample.tail());
    Some(file(chunks))
}

struct Sample {
    builder: Builder,
    hd: bool,
}

impl Sample {
    fn wow(&self) -> bool {
        self.builder.dialect == Dialect::Wow
    }

    /// Popcorn emitters are for HD only.
    fn node_names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let hd = self.hd;
        NODES.into_iter().map(|(name, ..)| name).filter(move |name| hd || *name != "Popcorn")
    }

    fn header(&self) -> Vec<Node<'static>> {
        let (name, animation_file) = (chars("Sample"), Chars::default());
        if !self.wow() {
            let model = Model { name, animation_file, extent: extent(), blend_time: U32::new(150) };
            let sequence = |name, start, end, flags| Sequence {
                name: chars(name),
                start: I32::new(start),
                end: I32::new(end),
                move_speed: F32::new(0.0),
                flags,
                rarity: F32::new(0.0),
                sync_point: U32::new(0),
                extent: extent(),
            };
            let sequences = [
                sequence("Stand", 0, 1000, SequenceFlags::default()),
                sequence("Death", 1333, 2333, SequenceFlags::NON_LOOPING),
            ];
            return vec![leaf(&kinds::MODL, &[model]), leaf(&kinds::SEQS, &sequences)];
        }
        let objects = u32::try_from(self.node_names().count()).unwrap_or_default();
        let model = WowModel {
            name,
            animation_file,
            extent: extent(),
            flags: WowModelFlags::TRACK_PITCH_YAW,
            object_count: U32::new(objects),
        };
        let stand = WowSequence {
            name: chars("Stand"),
            start: I32::new(0),
            end: I32::new(1000),
            move_speed: F32::new(0.0),
            flags: SequenceFlags::default(),
            extent: extent(),
            frequency: F32::new(1.0),
            replay_start: I32::new(0),
            replay_end: I32::new(0),
            blend_time: U32::new(150),
        };
        vec![leaf(&kinds::WOW_MODL, &[model]), counted(&kinds::WOW_SEQS, &[stand])]
    }

    fn textures(&self) -> Vec<Texture> {
        let texture = |replaceable, path: &str| Texture {
            replaceable_id: U32::new(replaceable),
            path: chars(path),
            flags: TextureFlags::WRAP_WIDTH | TextureFlags::WRAP_HEIGHT,
        };
        let hd = ["normal", "orm", "emissive", "environment"];
        let mut textures = vec![texture(0, "Textures\\white.blp"), texture(1, "")];
        if self.hd {
            textures.extend(hd.map(|name| texture(0, &format!("Textures\\sample_{name}.dds"))));
        }
        textures
    }

    fn materials(&self) -> Option<Node<'static>> {
        let wow = self.wow();
        let texture =
            |id: i32, slot: u32| TextureReference { texture_id: I32::new(id), slot: SlotType::new(slot) };
        let layer = |id: i32, filter_mode, flags| {
            let mut layer = LayerParts::default();
            layer.header.filter_mode = filter_mode;
            layer.header.flags = flags;
            layer.header.texture_id = I32::new(id);
            layer
        };
        let first = layer(0, FilterMode::NONE, LayerFlags::TWO_SIDED);
        let mut second = layer(1, FilterMode::BLEND, LayerFlags::UNSHADED);
        second.header.texture_animation_id = I32::new(0);
        let fade =
            track(tags::KMTA, Interpolation::LINEAR, -1, &[(0, F32::new(0.0)), (1000, F32::new(1.0))])?;
        let flip = || track(tags::KMTF, Interpolation::NONE, 0, &[(0, U32::new(0)), (500, U32::new(1))]);
        let header = MaterialHeader { priority_plane: I32::new(0), flags: MaterialFlags::default() };
        let slots = self.builder.gates.has(Gate::LayerSlots);
        let (in_slot, in_layer) = if slots { (flip(), None) } else { (None, flip()) };
        let classic = self.builder.material(
            &MaterialHeader {
                flags: if wow { MaterialFlags::default() } else { MaterialFlags::CONSTANT_COLOR },
                ..header
            },
            &MaterialShader::default(),
            vec![
                self.builder.layer(&first, vec![(texture(0, 0), None)], vec![]),
                self.builder.layer(
                    &second,
                    vec![(texture(1, 0), in_slot)],
                    std::iter::once(fade).chain(in_layer).collect(),
                ),
            ],
        );
        let mut materials = vec![classic];
        if self.hd {
            // Diffuse, normal, ORM, emissive, team colour, environment: six layers before 1100, six slots from then on.
            let ids = [0, 2, 3, 4, 1, 5];
            let shader = MaterialShader { shader: chars("Shader_HD_DefaultUnit") };
            let mut only = first;
            only.shader.shader = ShaderType::HD_DEFAULT_UNIT;
            let layers = if slots {
                let textures = (0..).zip(ids).map(|(slot, id)| (texture(id, slot), None)).collect();
                only.header.texture_id = I32::new(0);
                let gain = [(0, F32::new(1.0)), (1000, F32::new(2.0))];
                vec![self.builder.layer(
                    &only,
                    textures,
                    vec![track(tags::KMTE, Interpolation::LINEAR, -1, &gain)?],
                )]
            } else {
                ids.map(|id| {
                    self.builder.layer(&layer(id, FilterMode::NONE, LayerFlags::default()), vec![], vec![])
                })
                .into()
            };
            materials.push(self.builder.material(&header, &shader, layers));
        }
        Some(self.builder.chunk(&kinds::MTLS, materials))
    }

    /// A rotation about z by an angle, as the game stores rotations.
    fn rotation(&self, tag: u32, keys: &[(i32, f32)]) -> Option<Node<'static>> {
        let turn = |angle: f32| Quaternion::new(0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos());
        if self.wow() {
            let keys: Vec<_> =
                keys.iter().map(|(time, angle)| (*time, PackedQuaternion::pack(turn(*angle)))).collect();
            return track(tag, Interpolation::LINEAR, -1, &keys);
        }
        let keys: Vec<_> = keys.iter().map(|(time, angle)| (*time, turn(*angle))).collect();
        track(tag, Interpolation::LINEAR, -1, &keys)
    }

    fn texture_animations(&self) -> Option<Node<'static>> {
        let slide = [(0, Vec3::default()), (1000, Vec3::new(1.0, 0.0, 0.0))];
        let scale = [(0, Vec3::new(1.0, 1.0, 1.0)), (1000, Vec3::new(2.0, 2.0, 1.0))];
        let tracks = vec![
            track(tags::KTAT, Interpolation::LINEAR, 0, &slide)?,
            self.rotation(tags::KTAR, &[(0, 0.0), (1000, 1.0)])?,
            track(tags::KTAS, Interpolation::LINEAR, 0, &scale)?,
        ];
        Some(self.builder.chunk(&kinds::TXAN, vec![branch(&kinds::TEXTURE_ANIMATION, tracks)]))
    }

    fn geosets(&self) -> Node<'static> {
        if self.builder.gates.has(Gate::GeosetBatches) {
            return self.batches();
        }
        let count = if self.hd { 2 } else { 1 };
        self.builder.chunk(&kinds::GEOS, (0..count).map(|index| self.geoset(index)).collect())
    }

    fn geoset(&self, index: u32) -> Node<'static> {
        let words = |words: &[u32]| words.iter().map(|word| U32::new(*word)).collect::<Vec<_>>();
        let coordinates = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].map(Vec2::from);
        let skinned = index > 0;
        let mut arrays =
            vec![leaf(&kinds::VRTX, &QUAD.map(vec3)), leaf(&kinds::NRMS, &[Vec3::new(0.0, 0.0, 1.0); 4])];
        if self.wow() {
            arrays.push(branch(&kinds::UVAS, vec![leaf(&kinds::WOW_TEXTURE_COORDINATES, &coordinates)]));
            arrays.push(leaf(&kinds::WOW_PTYP, &[WowFaceType::TRIANGLES]));
        } else {
            arrays.push(leaf(&kinds::PTYP, &[FaceType::TRIANGLES]));
        }
        arrays.push(leaf(&kinds::PCNT, &words(&[6])));
        arrays.push(leaf(&kinds::PVTX, &[0, 1, 2, 0, 2, 3].map(U16::new)));
        if skinned {
            arrays.push(leaf::<u8>(&kinds::GNDX, &[]));
            arrays.push(leaf(&kinds::MTGC, &words(&[2])));
        } else {
            arrays.push(leaf(&kinds::GNDX, &[0_u8, 0, 1, 1]));
            arrays.push(leaf(&kinds::MTGC, &words(&[1, 1])));
        }
        arrays.push(leaf(&kinds::MATS, &words(&[0, 1])));
        if self.wow() {
            arrays.push(leaf(&kinds::BIDX, &[[0_u8, 0, 0, 0], [0; 4], [1, 0, 0, 0], [1, 0, 0, 0]]));
            arrays.push(leaf(&kinds::BWGT, &[[0_u8, 0, 0, 255]; 4]));
        }
        let mut tail = Vec::new();
        if skinned {
            tail.push(leaf(&kinds::TANG, &[Vec4::new(1.0, 0.0, 0.0, 1.0); 4]));
            tail.push(if self.builder.gates.has(Gate::WideSkin) {
                leaf(&kinds::WIDE_SKIN, &[0, 1, 0, 0, 128, 127, 0, 0].map(U16::new).repeat(4))
            } else {
                leaf(&kinds::SKIN, &[0_u8, 1, 0, 0, 128, 127, 0, 0].repeat(4))
            });
        }
        if !self.wow() {
            tail.push(branch(&kinds::UVAS, vec![leaf(&kinds::UVBS, &coordinates)]));
        }
        let header = GeosetHeader { material_id: U32::new(index), ..GeosetHeader::default() };
        let level = GeosetLevelOfDetail { level: I32::new(0), name: chars("Geoset") };
        let sequences = if self.wow() { 1 } else { 2 };
        self.builder.geoset(arrays, &header, &level, &extent(), &vec![extent(); sequences], tail)
    }

    /// Version 1500: a section, then a batch.
    fn batches(&self) -> Node<'static> {
        let section = WowGeosetSection {
            radius: F32::new(32.0),
            vertex_tag: chars("PVTX"),
            vertex_count: U32::new(4),
            primitive_type_tag: chars("PTYP"),
            primitive_type_count: U32::new(1),
            primitive_vertex_tag: chars("PVTX"),
            primitive_vertex_count: U32::new(6),
            ..WowGeosetSection::default()
        };
        let vertex = |position| WowVertex {
            position: vec3(position),
            weights: [255, 0, 0, 0],
            bones: [0; 4],
            normal: Vec3::new(0.0, 0.0, 1.0),
            texture_coordinates: [
                Vec2::new(position[0] / 32.0 + 0.5, 0.5 - position[1] / 32.0),
                Vec2::default(),
            ],
        };
        let header = WowBatchHeader {
            index_count: U16::new(6),
            maximum_vertex: U16::new(3),
            ..WowBatchHeader::default()
        };
        let batch = vec![
            leaf(&kinds::WOW_VERTICES, &QUAD.map(vertex)),
            leaf(&kinds::WOW_PRIMITIVE_TYPES, &[U32::new(3)]),
            part(&header),
            leaf(&kinds::WOW_INDICES, &[0, 1, 2, 0, 2, 3].map(U16::new)),
            leaf(&kinds::WOW_INDEX_PADDING, &[U16::new(0); 2]),
        ];
        let count = part(&WowCount { count: U32::new(1) });
        branch(&kinds::GEOS, vec![count, part(&section), branch(&kinds::WOW_BATCH, batch)])
    }

    fn geoset_animations(&self) -> Option<Node<'static>> {
        let (alpha, color) = (F32::new(1.0), Vec3::new(1.0, 0.5, 0.25));
        let header = if self.wow() {
            let flags = WowGeosetAnimationFlags::COLOR;
            part(&WowGeosetAnimationHeader { geoset_id: I32::new(0), alpha, color, flags })
        } else {
            let flags = GeosetAnimationFlags::DROP_SHADOW | GeosetAnimationFlags::COLOR;
            part(&GeosetAnimationHeader { alpha, flags, color, geoset_id: I32::new(0) })
        };
        let appear = [(0, F32::new(1.0)), (2000, F32::new(0.0))];
        let tint = [(0, Vec3::new(0.25, 0.5, 1.0)), (1000, Vec3::new(1.0, 1.0, 1.0))];
        let parts = vec![
            header,
            track(tags::KGAO, Interpolation::NONE, -1, &appear)?,
            track(tags::KGAC, Interpolation::LINEAR, -1, &tint)?,
        ];
        Some(self.builder.chunk(&kinds::GEOA, vec![branch(&kinds::GEOSET_ANIMATION, parts)]))
    }

    fn node(&self, name: &str, tracks: Vec<Node<'static>>) -> Node<'static> {
        let place =
            self.node_names().position(|each| each == name).and_then(|index| i32::try_from(index).ok());
        let flags = NODES.iter().find(|(each, ..)| *each == name).map_or(0, |(_, warcraft, wow)| {
            if self.wow() {
                wow.iter().fold(0, |flags, flag| flags | flag.get())
            } else {
                warcraft.iter().fold(0, |flags, flag| flags | flag.get())
            }
        });
        let header = NodeHeader {
            name: chars(name),
            object_id: I32::new(place.unwrap_or_default()),
            parent_id: I32::new(if name == "Root" { -1 } else { 0 }),
            flags: NodeFlags::new(flags),
        };
        self.builder.node(&header, tracks)
    }

    /// The visibility track. The WoW alpha has one tag for all owners.
    fn visibility(&self, warcraft: u32) -> Option<Node<'static>> {
        let tag = if self.wow() { tags::KVIS } else { warcraft };
        track(tag, Interpolation::NONE, -1, &[(0, F32::new(1.0)), (2000, F32::new(0.0))])
    }

    fn floats(tag: u32) -> Option<Node<'static>> {
        track(tag, Interpolation::LINEAR, -1, &[(0, F32::new(1.0)), (1000, F32::new(2.0))])
    }

    fn nodes(&self) -> Option<Vec<Node<'static>>> {
        let bone = |name, geoset: i32, tracks| {
            let links = BoneLinks { geoset_id: I32::new(geoset), geoset_animation_id: I32::new(-1) };
            self.builder.object(&kinds::BONE_OBJECT, self.node(name, tracks), &links, vec![])
        };
        let curve = |time: i32, z: f32| TangentKey {
            time: I32::new(time),
            value: Vec3::new(0.0, 0.0, z),
            in_tan: Vec3::new(0.0, 0.0, z - 0.5),
            out_tan: Vec3::new(0.0, 0.0, z + 0.5),
        };
        let grow = [(0, Vec3::new(1.0, 1.0, 1.0)), (1000, Vec3::new(1.5, 1.5, 1.5))];
        let root = vec![
            tangent_track(tags::KGTR, Interpolation::HERMITE, -1, &[curve(0, 0.0), curve(1000, 8.0)])?,
            self.rotation(tags::KGRT, &[(0, 0.0), (500, 1.5), (1000, 3.0)])?,
            track(tags::KGSC, Interpolation::LINEAR, -1, &grow)?,
        ];
        let light = LightParts {
            color: LightColor {
                attenuation_start: F32::new(80.0),
                attenuation_end: F32::new(200.0),
                color: Vec3::new(1.0, 0.75, 0.5),
                intensity: F32::new(10.0),
            },
            ambient: LightAmbient { color: Vec3::new(0.5, 0.5, 1.0), intensity: F32::new(1.0) },
            ..LightParts::default()
        };
        let lamp = [Self::floats(tags::KLAI)?, self.visibility(tags::KLAV)?];
        let mut chunks = vec![
            self.builder.chunk(&kinds::BONE, vec![bone("Root", 0, root), bone("Arm", -1, vec![])]),
            self.builder.chunk(
                &kinds::LITE,
                vec![self.builder.light(self.node("Lamp", vec![]), &light, lamp.into())],
            ),
            self.builder.chunk(&kinds::HELP, vec![branch(&kinds::HELPER, vec![self.node("Helper", vec![])])]),
            self.builder.chunk(&kinds::ATCH, vec![self.attachment()?]),
        ];
        chunks.push(self.particle_emitter()?);
        chunks.push(self.particle_emitter_2()?);
        if self.hd {
            chunks.push(self.popcorn_emitter()?);
        }
        chunks.push(self.ribbon_emitter()?);
        chunks.push(self.event_object()?);
        chunks.push(self.shapes());
        Some(chunks)
    }

    fn attachment(&self) -> Option<Node<'static>> {
        let node = self.node("Origin Ref", vec![]);
        let tracks = vec![self.visibility(tags::KATV)?];
        if self.wow() {
            let header = WowAttachmentHeader {
                attachment_id: I32::new(1),
                geoset_animation: 0xFF,
                path: Chars::default(),
            };
            return Some(self.builder.object(&kinds::ATTACHMENT, node, &header, tracks));
        }
        let header = AttachmentHeader { path: Chars::default(), attachment_id: I32::new(0) };
        Some(self.builder.object(&kinds::ATTACHMENT, node, &header, tracks))
    }

    fn particle_emitter(&self) -> Option<Node<'static>> {
        let header = ParticleEmitterHeader {
            emission_rate: F32::new(10.0),
            gravity: F32::new(1.0),
            longitude: F32::new(0.0),
            latitude: F32::new(0.5),
            path: chars("Particles\\spark.mdl"),
            life_span: F32::new(1.0),
            speed: F32::new(20.0),
        };
        let tracks = vec![Self::floats(tags::KPEE)?, self.visibility(tags::KPEV)?];
        let emitter =
            self.builder.object(&kinds::PARTICLE_EMITTER, self.node("Sparks", vec![]), &header, tracks);
        Some(self.builder.chunk(&kinds::PREM, vec![emitter]))
    }

    fn particle_emitter_2(&self) -> Option<Node<'static>> {
        let colors = [Vec3::new(1.0, 0.5, 0.25), Vec3::new(1.0, 1.0, 0.5), Vec3::new(0.5, 0.5, 0.5)];
        let scalings = [1.0, 2.0, 4.0].map(F32::new);
        let cells = CellAnimation { start: U32::new(0), end: U32::new(0), repeat: U32::new(1) };
        let node = self.node("Smoke", vec![]);
        let common = [Self::floats(tags::KP2S)?, Self::floats(tags::KP2E)?, self.visibility(tags::KP2V)?];
        let emitter = if self.wow() {
            let header = WowParticleEmitter2Header {
                emitter_size: U32::new(795 + 12),
                emitter_type: WowEmitterType::PLANE,
                speed: F32::new(10.0),
                latitude: F32::new(0.5),
                life_span: F32::new(1.0),
                emission_rate: F32::new(20.0),
                length: F32::new(4.0),
                width: F32::new(8.0),
                rows: U32::new(1),
                columns: U32::new(1),
                tail_length: F32::new(0.5),
                time: F32::new(0.5),
                segment_colors: colors,
                segment_alphas: [255, 128, 0],
                segment_scalings: scalings,
                head_life: cells,
                head_decay: cells,
                tail_life: cells,
                tail_decay: cells,
                filter_mode: ParticleFilterMode::ADDITIVE,
                twinkle_fps: F32::new(10.0),
                ..WowParticleEmitter2Header::default()
            };
            let spline = leaf(&kinds::SPLINE, &[Vec3::new(0.0, 0.0, 1.0)]);
            let parts = [node, part(&header), spline, part(&WowSquirt::default())].into_iter().chain(common);
            branch(&kinds::PARTICLE_EMITTER_2, parts.collect())
        } else {
            let header = ParticleEmitter2Header {
                speed: F32::new(10.0),
                variation: F32::new(0.25),
                latitude: F32::new(30.0),
                gravity: F32::new(-1.0),
                life_span: F32::new(1.0),
                emission_rate: F32::new(20.0),
                length: F32::new(4.0),
                width: F32::new(8.0),
                filter_mode: ParticleFilterMode::ADDITIVE,
                rows: U32::new(1),
                columns: U32::new(1),
                particle_type: ParticleType::BOTH,
                tail_length: F32::new(0.5),
                time: F32::new(0.5),
                segment_colors: colors,
                segment_alphas: [255, 128, 0],
                segment_scalings: scalings,
                head_life: cells,
                head_decay: cells,
                tail_life: cells,
                tail_decay: cells,
                ..ParticleEmitter2Header::default()
            };
            self.builder.object(&kinds::PARTICLE_EMITTER_2, node, &header, common.into())
        };
        Some(self.builder.chunk(&kinds::PRE2, vec![emitter]))
    }

    fn popcorn_emitter(&self) -> Option<Node<'static>> {
        let one = F32::new(1.0);
        let header = PopcornEmitterHeader {
            life_span: one,
            emission_rate: one,
            speed: one,
            color: Vec3::new(1.0, 1.0, 1.0),
            alpha: one,
            replaceable_id: U32::new(0),
            path: chars("effects\\sample.pkfx"),
            animation_visibility_guide: chars("Always=on, Death=off"),
        };
        let tracks = vec![Self::floats(tags::KPPE)?, self.visibility(tags::KPPV)?];
        let emitter =
            self.builder.object(&kinds::POPCORN_EMITTER, self.node("Popcorn", vec![]), &header, tracks);
        Some(self.builder.chunk(&kinds::CORN, vec![emitter]))
    }

    fn ribbon_emitter(&self) -> Option<Node<'static>> {
        let header = RibbonEmitterHeader {
            height_above: F32::new(4.0),
            height_below: F32::new(2.0),
            alpha: F32::new(1.0),
            color: Vec3::new(0.25, 0.5, 1.0),
            life_span: F32::new(0.5),
            texture_slot: U32::new(0),
            emission_rate: U32::new(20),
            rows: U32::new(1),
            columns: U32::new(1),
            material_id: I32::new(0),
            gravity: F32::new(0.0),
        };
        let mut parts = vec![self.node("Trail", vec![])];
        if self.wow() {
            parts.push(part(&WowEmitterSize { emitter_size: U32::new(56) }));
        }
        parts.extend([part(&header), Self::floats(tags::KRHA)?, self.visibility(tags::KRVS)?]);
        Some(self.builder.chunk(&kinds::RIBB, vec![branch(&kinds::RIBBON_EMITTER, parts)]))
    }

    fn event_object(&self) -> Option<Node<'static>> {
        let kind = if self.wow() { &kinds::WOW_EVENT_OBJECT } else { &kinds::EVENT_OBJECT };
        let parts = vec![self.node("SNDxABCD", vec![]), event_track(tags::KEVT, -1, &[0, 500])?];
        Some(self.builder.chunk(&kinds::EVTS, vec![branch(kind, parts)]))
    }

    fn shapes(&self) -> Node<'static> {
        let corners = ShapeBox { minimum: Vec3::new(-16.0, -16.0, 0.0), maximum: Vec3::new(16.0, 16.0, 8.0) };
        let ball = ShapeSphere { center: Vec3::new(0.0, 0.0, 8.0), radius: F32::new(16.0) };
        let object = |kind: &'static Kind, name, sort: Node<'static>, shape: Node<'static>| {
            branch(kind, vec![self.node(name, vec![]), sort, shape])
        };
        if self.wow() {
            let sort = |kind| part(&HitTestKind { kind });
            let shapes = vec![
                object(&kinds::HIT_TEST_SHAPE, "Body", sort(HitTestType::BOX), part(&corners)),
                object(&kinds::HIT_TEST_SHAPE, "Ball", sort(HitTestType::SPHERE), part(&ball)),
            ];
            return self.builder.chunk(&kinds::HTST, shapes);
        }
        let sort = |kind| part(&CollisionKind { kind });
        let shapes = vec![
            object(&kinds::COLLISION_SHAPE, "Body", sort(CollisionType::BOX), part(&corners)),
            object(&kinds::COLLISION_SHAPE, "Ball", sort(CollisionType::SPHERE), part(&ball)),
        ];
        self.builder.chunk(&kinds::CLID, shapes)
    }

    fn cameras(&self) -> Option<Node<'static>> {
        let header = CameraHeader {
            name: chars("Portrait"),
            position: Vec3::new(100.0, 0.0, 50.0),
            field_of_view: F32::new(0.75),
            far_clip: F32::new(1000.0),
            near_clip: F32::new(8.0),
        };
        let target = CameraTarget { position: Vec3::new(0.0, 0.0, 8.0) };
        let sway = [(0, Vec3::default()), (1000, Vec3::new(0.0, 4.0, 0.0))];
        let parts = vec![
            part(&header),
            part(&target),
            track(tags::KCTR, Interpolation::LINEAR, -1, &sway)?,
            Self::floats(tags::KCRL)?,
            track(tags::KTTR, Interpolation::LINEAR, -1, &sway)?,
        ];
        Some(self.builder.chunk(&kinds::CAMS, vec![branch(&kinds::CAMERA, parts)]))
    }

    fn tail(&self) -> Vec<Node<'static>> {
        if self.wow() {
            let faces = [0, 1, 2, 0, 2, 3].map(U16::new);
            let mesh = vec![
                leaf(&kinds::VRTX, &QUAD.map(vec3)),
                leaf(&kinds::TRI, &faces),
                leaf(&kinds::NRMS, &[Vec3::new(0.0, 0.0, 1.0); 2]),
            ];
            return vec![branch(&kinds::CLID, mesh)];
        }
        if !self.hd {
            return Vec::new();
        }
        let effect = FaceEffect { target: chars("Node"), path: chars("sample.facefx_ingame") };
        let pose = BindPose {
            x: Vec3::new(1.0, 0.0, 0.0),
            y: Vec3::new(0.0, 1.0, 0.0),
            z: Vec3::new(0.0, 0.0, 1.0),
            translation: Vec3::new(0.0, 0.0, 4.0),
        };
        // One for each node and one for the camera.
        let poses = vec![pose; self.node_names().count() + 1];
        vec![leaf(&kinds::FAFX, &[effect]), counted(&kinds::BPOS, &poses)]
    }
}
