//! Simple objects: boxes, spheres, rings, null objects, sounds.

use record::{Chars, F32, I32, Quaternion, U32, Vec2, Vec3, records};

use crate::names::{BoxFlags, RingFlags, SoundFlags, SphereFlags, Version};
use crate::records::{Rgb, Shader};

records! {
    /// A collision box (`W3dBoxStruct`).
    pub struct CollisionBox: 68 {
        0 version: Version, "Format version.";
        4 attributes: BoxFlags, "Orientation and collision groups.";
        8 name: Chars<32>, "Full name, `Container.Box`.";
        40 color: Rgb, "Colour to draw it in.";
        44 center: Vec3, "Centre.";
        56 extent: Vec3, "Half size.";
    }

    /// An object that shows nothing (`W3dNullObjectStruct`).
    pub struct NullObject: 48 {
        0 version: Version, "Format version.";
        4 attributes: U32, "Flags.";
        8 pad: [U32; 2], "Unused.";
        16 name: Chars<32>, "Full name, `Container.Object`.";
    }

    /// A direction with an intensity (`AlphaVectorStruct`).
    pub struct AlphaVector: 20 {
        0 angle: Quaternion, "Direction, as a rotation.";
        16 intensity: F32, "Intensity.";
    }

    /// A sphere effect (`W3dSphereStruct`).
    pub struct SphereDef: 164 {
        0 version: Version, "Format version.";
        4 attributes: SphereFlags, "Options.";
        8 name: Chars<32>, "Name.";
        40 center: Vec3, "Centre.";
        52 extent: Vec3, "Half size.";
        64 anim_duration: F32, "Duration of the animation in seconds.";
        68 default_color: Vec3, "Colour without a channel.";
        80 default_alpha: F32, "Alpha without a channel.";
        84 default_scale: Vec3, "Scale without a channel.";
        96 default_vector: AlphaVector, "Direction without a channel.";
        116 texture_name: Chars<32>, "Texture.";
        148 shader: Shader, "Blending.";
    }

    /// A ring effect (`W3dRingStruct`).
    pub struct RingDef: 168 {
        0 version: Version, "Format version.";
        4 attributes: RingFlags, "Options.";
        8 name: Chars<32>, "Name.";
        40 center: Vec3, "Centre.";
        52 extent: Vec3, "Half size.";
        64 anim_duration: F32, "Duration of the animation in seconds.";
        68 default_color: Vec3, "Colour without a channel.";
        80 default_alpha: F32, "Alpha without a channel.";
        84 default_inner_scale: Vec2, "Scale of the inner edge without a channel.";
        92 default_outer_scale: Vec2, "Scale of the outer edge without a channel.";
        100 inner_extent: Vec2, "Half size of the inner edge.";
        108 outer_extent: Vec2, "Half size of the outer edge.";
        116 texture_name: Chars<32>, "Texture.";
        148 shader: Shader, "Blending.";
        164 texture_tile_count: I32, "Number of repetitions of the texture around the ring.";
    }

    /// Key with one float.
    pub struct FloatKey: 8 {
        0 value: F32, "Value.";
        4 time: F32, "Time, 0 to 1 of the duration.";
    }

    /// Key with two floats.
    pub struct Vec2Key: 12 {
        0 value: Vec2, "Value.";
        8 time: F32, "Time, 0 to 1 of the duration.";
    }

    /// Key with three floats.
    pub struct Vec3Key: 16 {
        0 value: Vec3, "Value.";
        12 time: F32, "Time, 0 to 1 of the duration.";
    }

    /// Key with a direction.
    pub struct AlphaVectorKey: 24 {
        0 value: AlphaVector, "Value.";
        20 time: F32, "Time, 0 to 1 of the duration.";
    }

    /// Name of a sound object (`W3dSoundRObjHeaderStruct`).
    pub struct SoundHeader: 56 {
        0 version: Version, "Format version.";
        4 name: Chars<16>, "Name.";
        20 flags: SoundFlags, "Flags.";
        24 padding: [U32; 8], "Unused.";
    }
}
