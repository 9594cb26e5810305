//! Fixtures of rules about skeletons, animations, models, emitters, games and other files.

use meshwright_check::Game;
use record::Chars;
use w3d::build::{bytes, record, text};
use w3d::names::*;
use w3d::records::*;
use w3d::table::*;

use super::w3d_fixtures::fixtures;
use super::{Fixture, children, node, rich, set, shorten, values};

const PIVOTS_AT: &str = "HIERARCHY/PIVOTS";
const OPENING: &str = "ANIMATION/ANIMATION_CHANNEL";
const KEYED: &str = "COMPRESSED_ANIMATION/COMPRESSED_ANIMATION_CHANNEL";
const INFO2: &str = "EMITTER/EMITTER_INFOV2";

fixtures! {
    "W3D-HIER-001": |file| set::<HierarchyHeader>(file, "HIERARCHY/HIERARCHY_HEADER", |header| header.num_pivots.set(4));
    "W3D-HIER-002": |file| values::<Pivot>(file, PIVOTS_AT, |pivots| pivots[1].parent_idx.set(u32::MAX));
    "W3D-HIER-003": |file| values::<Pivot>(file, PIVOTS_AT, |pivots| pivots[1].parent_idx.set(2));
    "W3D-HIER-004": |file| children(file, "HIERARCHY").push(bytes(&PIVOT_FIXUPS, vec![0; 96]));
    "W3D-HIER-005": |file| values::<Pivot>(file, PIVOTS_AT, |pivots| {
        pivots[1].rotation = rich::identity();
        pivots[1].rotation.w.set(0.5);
    });
    "W3D-HIER-006": |file| set::<HierarchyHeader>(file, "HIERARCHY/HIERARCHY_HEADER", |header| header.version = Version::new(2, 0));
    "W3D-HIER-007": |file| children(file, "HIERARCHY").reverse();
    "W3D-ANIM-001": |file| set::<AnimationHeader>(file, "ANIMATION/ANIMATION_HEADER", |header| header.frame_rate.set(0));
    "W3D-ANIM-002": |file| set::<AnimationHeader>(file, "ANIMATION/ANIMATION_HEADER", |header| header.num_frames.set(0));
    "W3D-ANIM-003": |file| {
        let at = children(file, "").iter().position(|child| child.id == 0x100).unwrap();
        let skeleton = children(file, "").remove(at);
        children(file, "").push(skeleton);
    };
    "W3D-ANIM-004": |file| children(file, "MORPH_ANIMATION/MORPHANIM_CHANNEL").reverse();
    "W3D-ANIM-005": |file| set::<MorphAnimHeader>(file, "MORPH_ANIMATION/MORPHANIM_HEADER", |header| header.channel_count.set(2));
    "W3D-ANIM-006": |file| children(file, "ANIMATION").reverse();
    "W3D-CHAN-001": |file| set::<AnimationChannel>(file, OPENING, |channel| channel.pivot.set(3));
    "W3D-CHAN-002": |file| set::<AnimationHeader>(file, "ANIMATION/ANIMATION_HEADER", |header| header.num_frames.set(10));
    "W3D-CHAN-003": |file| set::<AnimationChannel>(file, OPENING, |channel| channel.vector_len.set(3));
    "W3D-CHAN-004": |file| shorten(file, OPENING, 4);
    "W3D-CHAN-005": |file| node(file, OPENING).bytes_mut().unwrap().extend([0; 4]);
    "W3D-CHAN-006": |file| {
        let twice = node(file, OPENING).clone();
        children(file, "ANIMATION").push(twice);
    };
    "W3D-CHAN-007": |file| values::<TimeCodedKey1>(file, KEYED, |keys| keys[2].time_code.set(5));
    "W3D-CHAN-008": |file| values::<TimeCodedKey1>(file, KEYED, |keys| keys[0].time_code.set(1));
    "W3D-CHAN-009": |file| shorten(file, "COMPRESSED_ANIMATION[1]/COMPRESSED_ANIMATION_CHANNEL", 3);
    "W3D-CHAN-010": |file| set::<MotionChannel>(file, "COMPRESSED_ANIMATION[2]/COMPRESSED_ANIMATION_MOTION_CHANNEL", |channel| channel.zero = 1);
    "W3D-CHAN-011": |file| values::<TimeCodedKey4>(file, "COMPRESSED_ANIMATION/COMPRESSED_ANIMATION_CHANNEL[1]", |keys| keys[0].value[3].set(2.0));
    "W3D-CHAN-012": |file| set::<TimeCodedChannel>(file, KEYED, |channel| channel.flags = ChannelType8::XR);
    "W3D-CHAN-013": |file| set::<TimeCodedChannel>(file, KEYED, |channel| channel.flags = ChannelType8::new(40));
    "W3D-CHAN-014": |file| values::<TimeCodedKey1>(file, KEYED, |keys| {
        keys[1].value = keys[0].value;
        keys[2].value = keys[0].value;
    });
    "W3D-HLOD-001": |file| children(file, "HLOD").reverse();
    "W3D-HLOD-002": |file| set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.lod_count.set(2));
    "W3D-HLOD-003": |file| set::<HlodArrayHeader>(file, "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT_ARRAY_HEADER", |header| header.model_count.set(3));
    "W3D-HLOD-004": |file| set::<HlodSubObject>(file, "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT", |object| object.name = Chars::new("MWCRATE.GONE").unwrap());
    "W3D-HLOD-005": |file| set::<HlodSubObject>(file, "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT", |object| object.bone_index.set(3));
    "W3D-HLOD-006": |file| {
        let coarse = node(file, "HLOD/HLOD_LOD_ARRAY").clone();
        children(file, "HLOD").push(coarse);
        set::<HlodArrayHeader>(file, "HLOD/HLOD_LOD_ARRAY[1]/HLOD_SUB_OBJECT_ARRAY_HEADER", |header| header.max_screen_size.set(5.0));
    };
    "W3D-HLOD-007": |file| children(file, "HLOD/HLOD_LOD_ARRAY").reverse();
    "W3D-HLOD-008": |file| { children(file, "HLOD/HLOD_LOD_ARRAY").remove(1); };
    "W3D-HLOD-009": |file| {
        let object = children(file, "HLOD/HLOD_LOD_ARRAY")[1].clone();
        children(file, "HLOD/HLOD_LOD_ARRAY").push(object);
    };
    "W3D-HLOD-010": |file| {
        let models = [HLOD.id, HMODEL.id, LODMODEL.id, COLLECTION.id];
        children(file, "").retain(|child| !models.contains(&child.id));
        // The companions have a model of the old name.
        set::<HierarchyHeader>(file, "HIERARCHY/HIERARCHY_HEADER", |header| header.name = Chars::new("LOST").unwrap());
        for mesh in ["MESH[0]", "MESH[1]"] {
            set::<MeshHeader3>(file, &format!("{mesh}/MESH_HEADER3"), |header| header.container_name = Chars::new("LOST").unwrap());
        }
    };
    "W3D-AGGR-001": |file| set::<AggregateInfo>(file, "AGGREGATE/AGGREGATE_INFO", |info| info.subobject_count.set(2));
    "W3D-LODM-001": |file| set::<LodModelHeader>(file, "LODMODEL/LODMODEL_HEADER", |header| header.num_lods.set(2));
    "W3D-COLL-001": |file| set::<CollectionHeader>(file, "COLLECTION/COLLECTION_HEADER", |header| header.render_object_count.set(2));
    "W3D-HMOD-001": |file| set::<HModelHeader>(file, "HMODEL/HMODEL_HEADER", |header| header.num_connections.set(2));
    "W3D-HMOD-002": |file| set::<HModelNode>(file, "HMODEL/NODE", |connection| connection.pivot_idx.set(3));
    "W3D-LIGHT-001": |file| children(file, "LIGHT").reverse();
    "W3D-EMIT-001": |file| children(file, "EMITTER").swap(1, 2);
    "W3D-EMIT-002": |file| set::<EmitterProperties>(file, "EMITTER/EMITTER_PROPS", |properties| properties.size_keyframes.set(2));
    "W3D-EMIT-003": |file| set::<EmitterRotationHeader>(file, "EMITTER/EMITTER_ROTATION_KEYFRAMES", |header| header.keyframe_count.set(2));
    "W3D-EMIT-004": |file| values::<EmitterKey>(file, "EMITTER/EMITTER_ROTATION_KEYFRAMES", |keys| keys[0].time.set(9.0));
    "W3D-EMIT-005": |file| set::<EmitterInfo2>(file, INFO2, |info| info.creation_volume.class_id = VolumeClass::new(4));
    "W3D-EMIT-006": |file| set::<EmitterHeader>(file, "EMITTER/EMITTER_HEADER", |header| header.version = Version::new(3, 0));
    "W3D-EMIT-007" for Renegade: |file| children(file, "EMITTER").push(record(&EMITTER_LINE_PROPERTIES, &EmitterLineProperties::default()));
    "W3D-EMIT-008": |file| set::<EmitterInfo2>(file, INFO2, |info| info.render_mode = RenderMode::new(5));
    "W3D-GAME-001": |file| children(file, "LIGHT").push(bytes(&PULSE, vec![0; 22]));
    "W3D-GAME-002": |file| set::<MeshHeader3>(file, "MESH/MESH_HEADER3", |header| header.attributes = MeshFlags::COLLISION_USER1);
    "W3D-GAME-003": |file| values::<Shader>(file, "MESH/SHADERS", |shaders| shaders[0].pri_gradient = PriGradient::new(6));
    "W3D-GAME-004": |file| set::<VertexMaterialInfo>(file, "MESH/VERTEX_MATERIALS/VERTEX_MATERIAL/VERTEX_MATERIAL_INFO", |info| {
        info.attributes = VertexMaterialFlags::new(0x15_0000);
    });
    "W3D-GAME-005": |file| values::<Triangle>(file, "MESH/TRIANGLES", |triangles| triangles[0].attributes = SurfaceType::SLUSH);
    "W3D-FILES-001": |file| set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.hierarchy_name = Chars::new("OTHER_SKL").unwrap());
    "W3D-FILES-002": |file| *node(file, "MESH/TEXTURES/TEXTURE/TEXTURE_NAME") = text(&TEXTURE_NAME, "gone.tga").unwrap();
    "W3D-FILES-003": |file| set::<AggregateInfo>(file, "AGGREGATE/AGGREGATE_INFO", |info| info.base_model_name = Chars::new("GONE").unwrap());
    "W3D-FILES-004": |file| {
        // Two of the companions define this name.
        set::<EmitterHeader>(file, "EMITTER/EMITTER_HEADER", |header| header.name = Chars::new("TWICE").unwrap());
    };
    "W3D-FILES-005": |file| *node(file, "MORPH_ANIMATION/MORPHANIM_CHANNEL/MORPHANIM_POSENAME") = text(&MORPHANIM_POSENAME, "MWCRATE.GONE").unwrap();
    "W3D-FILES-006": |file| values::<AggregateSubobject>(file, "AGGREGATE/AGGREGATE_INFO", |objects| {
        objects[0].bone_name = Chars::new("HINGE").unwrap();
    });
}
