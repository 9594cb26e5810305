//! Chunks whose children have ids of their own: spheres, rings, sounds, shader definitions (docs/formats/w3d/framing.md#ids-inside-other-chunks).

/// Key chunk of a sphere's or ring's channel: its id, and a micro-chunk per key.
macro_rules! channel_scopes {
    ($($module:ident $key:ident;)*) => { $(
        #[doc = concat!("A channel of [`", stringify!($key), "`](crate::records::", stringify!($key), ")s.")]
        pub mod $module {
            use crate::table::*;

            /// The keys.
            pub mod keys {
                use crate::table::*;
                chunks! {
                    pub static MICROS of MicroFraming;
                    /// Key: value, then time.
                    KEY 1 [VARIABLES] ALL record $key;
                }
            }

            chunks! {
                pub static CHUNKS of ChunkFraming;
                /// Keys, one micro-chunk each.
                VARIABLES 0x03150809 [COLOR_CHANNEL ALPHA_CHANNEL SCALE_CHANNEL VECTOR_CHANNEL INNER_SCALE_CHANNEL OUTER_SCALE_CHANNEL] ALL micro keys::MICROS;
            }
        }
    )* };
}

/// Keys of channels.
pub mod channel {
    channel_scopes! {
        float FloatKey;
        vec2 Vec2Key;
        vec3 Vec3Key;
        alpha_vector AlphaVectorKey;
    }
}

/// Children of a sphere. Channels without keys are omitted.
pub mod sphere {
    use super::channel;
    use crate::table::*;

    chunks! {
        pub static CHUNKS of ChunkFraming;
        /// Definition of a sphere.
        SPHERE_DEF 0x1 [SPHERE] ALL record SphereDef;
        /// Colours over time.
        COLOR_CHANNEL 0x2 [SPHERE] ALL scope channel::vec3::CHUNKS;
        /// Alphas over time.
        ALPHA_CHANNEL 0x3 [SPHERE] ALL scope channel::float::CHUNKS;
        /// Scales over time.
        SCALE_CHANNEL 0x4 [SPHERE] ALL scope channel::vec3::CHUNKS;
        /// Directions over time.
        VECTOR_CHANNEL 0x5 [SPHERE] ALL scope channel::alpha_vector::CHUNKS;
    }
}

/// Children of a ring. Channels without keys are omitted.
pub mod ring {
    use super::channel;
    use crate::table::*;

    chunks! {
        pub static CHUNKS of ChunkFraming;
        /// Definition of a ring.
        RING_DEF 0x1 [RING] ALL record RingDef;
        /// Colours over time.
        COLOR_CHANNEL 0x2 [RING] ALL scope channel::vec3::CHUNKS;
        /// Alphas over time.
        ALPHA_CHANNEL 0x3 [RING] ALL scope channel::float::CHUNKS;
        /// Scales of the inner edge over time.
        INNER_SCALE_CHANNEL 0x4 [RING] ALL scope channel::vec2::CHUNKS;
        /// Scales of the outer edge over time.
        OUTER_SCALE_CHANNEL 0x5 [RING] ALL scope channel::vec2::CHUNKS;
    }
}

/// Children of a sound definition. The written order is 3 to 12, 18 to 22, 13 to 17; any order is read.
pub mod sound {
    use record::{F32, I32};

    use crate::table::*;

    /// Variables of the definition.
    pub mod variables {
        use super::{F32, I32};
        use crate::table::*;

        chunks! {
            pub static MICROS of MicroFraming;
            /// Priority.
            PRIORITY 3 [VARIABLES] ALL value F32;
            /// Volume.
            VOLUME 4 [VARIABLES] ALL value F32;
            /// Panning.
            PAN 5 [VARIABLES] ALL value F32;
            /// Number of repetitions.
            LOOP_COUNT 6 [VARIABLES] ALL value I32;
            /// Radius at which the sound is silent.
            DROP_OFF_RADIUS 7 [VARIABLES] ALL value F32;
            /// Radius of full volume.
            MAX_VOL_RADIUS 8 [VARIABLES] ALL value F32;
            /// Type of sound.
            TYPE 9 [VARIABLES] ALL value I32;
            /// Whether the sound is positional.
            IS_3D 10 [VARIABLES] ALL value u8;
            /// Sound file.
            FILENAME 11 [VARIABLES] ALL text "text";
            /// Text to display.
            DISPLAY_TEXT 12 [VARIABLES] ALL text "text";
            /// Mask of listener types.
            LOGICAL_TYPE_MASK 13 [VARIABLES] ALL value I32;
            /// Delay between notifications of listeners.
            LOGICAL_NOTIF_DELAY 14 [VARIABLES] ALL value F32;
            /// Whether listeners are notified.
            CREATE_LOGICAL_SOUND 15 [VARIABLES] ALL value u8;
            /// Radius beyond which listeners are not notified.
            LOGICAL_DROP_OFF_RADIUS 16 [VARIABLES] ALL value F32;
            /// Colour of the sphere in the editor.
            SPHERE_COLOR 17 [VARIABLES] ALL value Vec3;
            /// Start position in the file.
            START_OFFSET 18 [VARIABLES] ALL value F32;
            /// Factor of the pitch.
            PITCH_FACTOR 19 [VARIABLES] ALL value F32;
            /// Randomness of the pitch.
            PITCH_FACTOR_RANDOMIZER 20 [VARIABLES] ALL value F32;
            /// Randomness of the volume.
            VOLUME_RANDOMIZER 21 [VARIABLES] ALL value F32;
            /// Virtual channel.
            VIRTUAL_CHANNEL 22 [VARIABLES] ALL value I32;
        }
    }

    /// Variables of the base class.
    pub mod base_class {
        use crate::table::*;

        /// Variables of the base class.
        pub mod variables {
            use crate::table::*;
            chunks! {
                pub static MICROS of MicroFraming;
                /// Id of the definition.
                INSTANCE_ID 1 [VARIABLES] ALL value U32;
                /// Name of the definition.
                NAME 3 [VARIABLES] ALL text "text";
            }
        }

        chunks! {
            pub static CHUNKS of ChunkFraming;
            /// Variables of the base class.
            VARIABLES 0x100 [BASE_CLASS] ALL micro variables::MICROS;
        }
    }

    chunks! {
        pub static CHUNKS of ChunkFraming;
        /// Variables of the definition.
        VARIABLES 0x100 [SOUNDROBJ_DEFINITION] ALL micro variables::MICROS;
        /// Variables of the base class.
        BASE_CLASS 0x200 [SOUNDROBJ_DEFINITION] ALL scope base_class::CHUNKS;
    }
}

/// Children of a sub-mesh's shader definition. The content of `0x16490450` depends on the shader's class.
pub mod shader_def {
    use crate::table::*;

    /// Variables of the base class.
    pub mod base {
        use crate::table::*;
        chunks! {
            pub static MICROS of MicroFraming;
            /// Name.
            NAME 0 [SHADER_DEF_VARIABLES] SAGE text "text";
            /// Surface type.
            SURFACE_TYPE 1 [SHADER_DEF_VARIABLES] SAGE value crate::names::SurfaceType;
        }
    }

    /// Variables of a simple shader.
    pub mod simple {
        use crate::table::*;
        chunks! {
            pub static MICROS of MicroFraming;
            /// Texture.
            TEXTURE 0 [SIMPLE_VARIABLES] SAGE text "text";
            /// Ambient colour.
            AMBIENT 1 [SIMPLE_VARIABLES] SAGE value Vec3;
            /// Diffuse colour.
            DIFFUSE 2 [SIMPLE_VARIABLES] SAGE value Vec3;
        }
    }

    /// Variables of a bump-mapped diffuse shader.
    pub mod bumpdiff {
        use crate::table::*;
        chunks! {
            pub static MICROS of MicroFraming;
            /// Texture.
            TEXTURE 0 [BUMPDIFF_VARIABLES] SAGE text "text";
            /// Bump map.
            BUMPMAP 1 [BUMPDIFF_VARIABLES] SAGE text "text";
            /// Ambient colour.
            AMBIENT 2 [BUMPDIFF_VARIABLES] SAGE value Vec3;
            /// Diffuse colour.
            DIFFUSE 3 [BUMPDIFF_VARIABLES] SAGE value Vec3;
            /// Bumpiness of diffuse light.
            DIFFUSE_BUMPINESS 4 [BUMPDIFF_VARIABLES] SAGE value Vec2;
        }
    }

    /// Variables of a bump-mapped specular shader.
    pub mod bumpspec {
        use crate::table::*;
        chunks! {
            pub static MICROS of MicroFraming;
            /// Texture.
            TEXTURE 0 [BUMPSPEC_VARIABLES] SAGE text "text";
            /// Bump map.
            BUMPMAP 1 [BUMPSPEC_VARIABLES] SAGE text "text";
            /// Ambient colour.
            AMBIENT 2 [BUMPSPEC_VARIABLES] SAGE value Vec3;
            /// Diffuse colour.
            DIFFUSE 3 [BUMPSPEC_VARIABLES] SAGE value Vec3;
            /// Specular colour.
            SPECULAR 4 [BUMPSPEC_VARIABLES] SAGE value Vec3;
            /// Bumpiness of diffuse light.
            DIFFUSE_BUMPINESS 5 [BUMPSPEC_VARIABLES] SAGE value Vec2;
            /// Bumpiness of specular light.
            SPECULAR_BUMPINESS 6 [BUMPSPEC_VARIABLES] SAGE value Vec2;
        }
    }

    /// Variables of a gloss-mask or cube-map shader.
    pub mod specular {
        use crate::table::*;
        chunks! {
            pub static MICROS of MicroFraming;
            /// Texture.
            TEXTURE 0 [GLOSSMASK_VARIABLES CUBEMAP_VARIABLES] SAGE text "text";
            /// Ambient colour.
            AMBIENT 1 [GLOSSMASK_VARIABLES CUBEMAP_VARIABLES] SAGE value Vec3;
            /// Diffuse colour.
            DIFFUSE 2 [GLOSSMASK_VARIABLES CUBEMAP_VARIABLES] SAGE value Vec3;
            /// Specular colour.
            SPECULAR 3 [GLOSSMASK_VARIABLES CUBEMAP_VARIABLES] SAGE value Vec3;
        }
    }

    /// Variables of the older material model. From 9 on come texture attributes, from 17 on map channels.
    pub mod legacy {
        use crate::table::*;
        chunks! {
            pub static MICROS of MicroFraming;
            /// Number of passes.
            PASS_COUNT 0 [LEGACY_VARIABLES] SAGE value U32;
            /// First shader.
            SHADER0 1 [LEGACY_VARIABLES] SAGE record Shader;
            /// Second shader.
            SHADER1 2 [LEGACY_VARIABLES] SAGE record Shader;
            /// Third shader.
            SHADER2 3 [LEGACY_VARIABLES] SAGE record Shader;
            /// Fourth shader.
            SHADER3 4 [LEGACY_VARIABLES] SAGE record Shader;
            /// First vertex material.
            VERTEX_MATERIAL0 5 [LEGACY_VARIABLES] SAGE record VertexMaterialInfo;
            /// Second vertex material.
            VERTEX_MATERIAL1 6 [LEGACY_VARIABLES] SAGE record VertexMaterialInfo;
            /// Third vertex material.
            VERTEX_MATERIAL2 7 [LEGACY_VARIABLES] SAGE record VertexMaterialInfo;
            /// Fourth vertex material.
            VERTEX_MATERIAL3 8 [LEGACY_VARIABLES] SAGE record VertexMaterialInfo;
            /// First texture's attributes.
            TEXTURE_ATTRIBUTES0 9 [LEGACY_VARIABLES] SAGE value U32;
            /// Second texture's attributes.
            TEXTURE_ATTRIBUTES1 10 [LEGACY_VARIABLES] SAGE value U32;
            /// Third texture's attributes.
            TEXTURE_ATTRIBUTES2 11 [LEGACY_VARIABLES] SAGE value U32;
            /// Fourth texture's attributes.
            TEXTURE_ATTRIBUTES3 12 [LEGACY_VARIABLES] SAGE value U32;
            /// Fifth texture's attributes.
            TEXTURE_ATTRIBUTES4 13 [LEGACY_VARIABLES] SAGE value U32;
            /// Sixth texture's attributes.
            TEXTURE_ATTRIBUTES5 14 [LEGACY_VARIABLES] SAGE value U32;
            /// Seventh texture's attributes.
            TEXTURE_ATTRIBUTES6 15 [LEGACY_VARIABLES] SAGE value U32;
            /// Eighth texture's attributes.
            TEXTURE_ATTRIBUTES7 16 [LEGACY_VARIABLES] SAGE value U32;
            /// First texture's map channel.
            MAP_CHANNEL0 17 [LEGACY_VARIABLES] SAGE value record::I32;
            /// Second texture's map channel.
            MAP_CHANNEL1 18 [LEGACY_VARIABLES] SAGE value record::I32;
            /// Third texture's map channel.
            MAP_CHANNEL2 19 [LEGACY_VARIABLES] SAGE value record::I32;
            /// Fourth texture's map channel.
            MAP_CHANNEL3 20 [LEGACY_VARIABLES] SAGE value record::I32;
            /// Fifth texture's map channel.
            MAP_CHANNEL4 21 [LEGACY_VARIABLES] SAGE value record::I32;
            /// Sixth texture's map channel.
            MAP_CHANNEL5 22 [LEGACY_VARIABLES] SAGE value record::I32;
            /// Seventh texture's map channel.
            MAP_CHANNEL6 23 [LEGACY_VARIABLES] SAGE value record::I32;
            /// Eighth texture's map channel.
            MAP_CHANNEL7 24 [LEGACY_VARIABLES] SAGE value record::I32;
        }
    }

    chunks! {
        pub static CHUNKS of ChunkFraming;
        /// Variables of the base class.
        SHADER_DEF_VARIABLES 0x16490430 [SHDSUBMESH_SHADER_DEF] SAGE micro base::MICROS;
        /// Variables of a simple shader.
        SIMPLE_VARIABLES 0x16490450 [SHDSUBMESH_SHADER_DEF] SAGE micro simple::MICROS;
        /// Variables of a bump-mapped diffuse shader.
        BUMPDIFF_VARIABLES 0x16490450 [SHDSUBMESH_SHADER_DEF] SAGE micro bumpdiff::MICROS;
        /// Variables of a bump-mapped specular shader.
        BUMPSPEC_VARIABLES 0x16490450 [SHDSUBMESH_SHADER_DEF] SAGE micro bumpspec::MICROS;
        /// Variables of a gloss-mask shader.
        GLOSSMASK_VARIABLES 0x16490460 [SHDSUBMESH_SHADER_DEF] SAGE micro specular::MICROS;
        /// Variables of a cube-map shader.
        CUBEMAP_VARIABLES 0x16490470 [SHDSUBMESH_SHADER_DEF] SAGE micro specular::MICROS;
        /// Variables of the older material model.
        LEGACY_VARIABLES 0x11070958 [SHDSUBMESH_SHADER_DEF] SAGE micro legacy::MICROS;
        /// First texture.
        LEGACY_TEXTURE0 0x11070959 [SHDSUBMESH_SHADER_DEF] SAGE text "name";
        /// Second texture.
        LEGACY_TEXTURE1 0x1107095A [SHDSUBMESH_SHADER_DEF] SAGE text "name";
        /// Third texture.
        LEGACY_TEXTURE2 0x1107095B [SHDSUBMESH_SHADER_DEF] SAGE text "name";
        /// Fourth texture.
        LEGACY_TEXTURE3 0x1107095C [SHDSUBMESH_SHADER_DEF] SAGE text "name";
        /// Fifth texture.
        LEGACY_TEXTURE4 0x1107095D [SHDSUBMESH_SHADER_DEF] SAGE text "name";
        /// Sixth texture.
        LEGACY_TEXTURE5 0x1107095E [SHDSUBMESH_SHADER_DEF] SAGE text "name";
        /// Seventh texture.
        LEGACY_TEXTURE6 0x1107095F [SHDSUBMESH_SHADER_DEF] SAGE text "name";
        /// Eighth texture.
        LEGACY_TEXTURE7 0x11070960 [SHDSUBMESH_SHADER_DEF] SAGE text "name";
        /// Arguments of the first mapper.
        LEGACY_MAPPER_ARGS0 0x11070961 [SHDSUBMESH_SHADER_DEF] SAGE text "args";
        /// Arguments of the second mapper.
        LEGACY_MAPPER_ARGS1 0x11070962 [SHDSUBMESH_SHADER_DEF] SAGE text "args";
        /// Arguments of the third mapper.
        LEGACY_MAPPER_ARGS2 0x11070963 [SHDSUBMESH_SHADER_DEF] SAGE text "args";
        /// Arguments of the fourth mapper.
        LEGACY_MAPPER_ARGS3 0x11070964 [SHDSUBMESH_SHADER_DEF] SAGE text "args";
        /// Arguments of the fifth mapper.
        LEGACY_MAPPER_ARGS4 0x11070965 [SHDSUBMESH_SHADER_DEF] SAGE text "args";
        /// Arguments of the sixth mapper.
        LEGACY_MAPPER_ARGS5 0x11070966 [SHDSUBMESH_SHADER_DEF] SAGE text "args";
        /// Arguments of the seventh mapper.
        LEGACY_MAPPER_ARGS6 0x11070967 [SHDSUBMESH_SHADER_DEF] SAGE text "args";
        /// Arguments of the eighth mapper.
        LEGACY_MAPPER_ARGS7 0x11070968 [SHDSUBMESH_SHADER_DEF] SAGE text "args";
    }
}
