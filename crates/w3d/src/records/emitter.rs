//! Particle emitters.

use record::{Chars, F32, U32, Vec3, records};

use crate::names::{EmitterLineFlags, FrameMode, RenderMode, Version, VolumeClass};
use crate::records::{Rgba, Shader};

records! {
    /// Name of an emitter (`W3dEmitterHeaderStruct`).
    pub struct EmitterHeader: 20 {
        0 version: Version, "2.0; 1.0 has no second information record.";
        4 name: Chars<16>, "Name.";
    }

    /// Type and length of the user string (`W3dEmitterUserInfoStruct`), which follows.
    pub struct EmitterUserData: 12 {
        0 user_type: U32, "Type.";
        4 string_size: U32, "Length of the string, its NUL included.";
        8 string_param: [u8; 4], "First character of the string in the struct, and padding.";
    }

    /// Size, life and motion of particles (`W3dEmitterInfoStruct`).
    pub struct EmitterInfo: 332 {
        0 texture_filename: Chars<260>, "Texture.";
        260 start_size: F32, "Size at the start.";
        264 end_size: F32, "Size at the end.";
        268 lifetime: F32, "Life time of a particle in seconds; 0 or less means 1.";
        272 emission_rate: F32, "Bursts per second.";
        276 max_emissions: F32, "Maximum number of particles, 0 for no limit.";
        280 velocity_random: F32, "Randomness of the velocity.";
        284 position_random: F32, "Randomness of the position.";
        288 fade_time: F32, "Seconds of fading; only used to convert version 1.0.";
        292 gravity: F32, "Gravity; never simulated.";
        296 elasticity: F32, "Elasticity; never simulated.";
        300 velocity: Vec3, "Velocity.";
        312 acceleration: Vec3, "Acceleration.";
        324 start_color: Rgba, "Colour at the start.";
        328 end_color: Rgba, "Colour at the end.";
    }

    /// A random volume (`W3dVolumeRandomizerStruct`).
    pub struct VolumeRandomizer: 32 {
        0 class_id: VolumeClass, "Shape.";
        4 value1: F32, "Extent along X, radius of a sphere, or half the length of a cylinder.";
        8 value2: F32, "Extent along Y, or radius of a cylinder.";
        12 value3: F32, "Extent along Z.";
        16 reserved: [U32; 4], "Reserved.";
    }

    /// Bursts, volumes and shader of an emitter (`W3dEmitterInfoStructV2`).
    pub struct EmitterInfo2: 124 {
        0 burst_size: U32, "Particles per burst.";
        4 creation_volume: VolumeRandomizer, "Volume in which particles are born.";
        36 vel_random: VolumeRandomizer, "Randomness of the velocity.";
        68 outward_vel: F32, "Velocity away from the emitter.";
        72 vel_inherit: F32, "Share of the emitter's velocity that particles inherit.";
        76 shader: Shader, "Blending.";
        92 render_mode: RenderMode, "Appearance of particles.";
        96 frame_mode: FrameMode, "Frames of the texture.";
        100 reserved: [U32; 6], "Reserved.";
    }

    /// Numbers of keys that follow (`W3dEmitterPropertyStruct`). The counts include the start key.
    pub struct EmitterProperties: 40 {
        0 color_keyframes: U32, "Number of colour keys.";
        4 opacity_keyframes: U32, "Number of opacity keys.";
        8 size_keyframes: U32, "Number of size keys.";
        12 color_random: Rgba, "Randomness of the colour.";
        16 opacity_random: F32, "Randomness of the opacity.";
        20 size_random: F32, "Randomness of the size.";
        24 reserved: [U32; 4], "Reserved.";
    }

    /// A colour at a time (`W3dEmitterColorKeyframeStruct`).
    pub struct EmitterColorKey: 8 {
        0 time: F32, "Seconds.";
        4 color: Rgba, "Colour.";
    }

    /// A number at a time: opacity, size, rotation, frame or blur (`W3dEmitter*KeyframeStruct`).
    pub struct EmitterKey: 8 {
        0 time: F32, "Seconds.";
        4 value: F32, "Value.";
    }

    /// Rotation of particles (`W3dEmitterRotationHeaderStruct`); one key more than the count follows.
    pub struct EmitterRotationHeader: 16 {
        0 keyframe_count: U32, "Number of keys after the start key.";
        4 random: F32, "Randomness of the rotation.";
        8 orientation_random: F32, "Randomness of the orientation.";
        12 reserved: U32, "Reserved; often uninitialised.";
    }

    /// Texture frames of particles (`W3dEmitterFrameHeaderStruct`); one key more than the count follows.
    pub struct EmitterFrameHeader: 16 {
        0 keyframe_count: U32, "Number of keys after the start key.";
        4 random: F32, "Randomness of the frame.";
        8 reserved: [U32; 2], "Reserved; often uninitialised.";
    }

    /// Tail lengths of particles (`W3dEmitterBlurTimeHeaderStruct`); one key more than the count follows.
    pub struct EmitterBlurTimeHeader: 12 {
        0 keyframe_count: U32, "Number of keys after the start key.";
        4 random: F32, "Randomness of the time.";
        8 reserved: U32, "Reserved; often uninitialised.";
    }

    /// Settings of line particles (`W3dEmitterLinePropertiesStruct`).
    pub struct EmitterLineProperties: 64 {
        0 flags: EmitterLineFlags, "Options and texture mapping.";
        4 subdivision_level: U32, "Number of subdivisions.";
        8 noise_amplitude: F32, "Amplitude of the noise.";
        12 merge_abort_factor: F32, "Factor beyond which intersections are not merged.";
        16 texture_tile_factor: F32, "Length of a tile.";
        20 u_per_sec: F32, "Scrolling in U.";
        24 v_per_sec: F32, "Scrolling in V.";
        28 reserved: [U32; 9], "Reserved.";
    }

    /// Start time of an emitter (`W3dEmitterExtraInfoStruct`, Zero Hour and Earth & Beyond).
    pub struct EmitterExtraInfo: 40 {
        0 future_start_time: F32, "Delay of the start; not used in the published engines.";
        4 unused: [U32; 9], "Unused.";
    }
}
