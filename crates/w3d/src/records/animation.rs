//! Animations: raw, compressed and morph.

use record::{Bytes, Chars, F32, U16, U32, records};

use crate::names::{
    BitChannelType, BitChannelType8, ChannelType, ChannelType8, Flavor, MotionFlavor, TIME_CODE, Version,
};

records! {
    /// Name, skeleton and length of an animation (`W3dAnimHeaderStruct`). Its full name is `Hierarchy.Name`.
    pub struct AnimationHeader: 44 {
        0 version: Version, "Format version.";
        4 name: Chars<16>, "Name.";
        20 hierarchy_name: Chars<16>, "Name of the skeleton.";
        36 num_frames: U32, "Number of frames.";
        40 frame_rate: U32, "Frames per second.";
    }

    /// Header of a channel of floats (`W3dAnimChannelStruct`). Values for the frames from first to last follow; outside them
    /// the value is the identity. A quarter of the published channels have surplus floats at the end.
    pub struct AnimationChannel: 12 {
        0 first_frame: U16, "First frame with a value.";
        2 last_frame: U16, "Last frame with a value.";
        4 vector_len: U16, "Floats per frame.";
        6 flags: ChannelType, "Value that it animates.";
        8 pivot: U16, "Index of the pivot.";
        10 pad: U16, "Unused.";
    }

    /// Header of a channel of bits (`W3dBitChannelStruct`). One bit per frame follows, lowest first.
    pub struct BitChannel: 9 {
        0 first_frame: U16, "First frame with a bit.";
        2 last_frame: U16, "Last frame with a bit.";
        4 flags: BitChannelType, "Value that it animates.";
        6 pivot: U16, "Index of the pivot.";
        8 default_val: u8, "Value outside these frames.";
    }

    /// Name, skeleton, length and storage of a compressed animation (`W3dCompressedAnimHeaderStruct`).
    pub struct CompressedAnimationHeader: 44 {
        0 version: Version, "0.1; 1.0 where there are motion channels.";
        4 name: Chars<16>, "Name.";
        20 hierarchy_name: Chars<16>, "Name of the skeleton.";
        36 num_frames: U32, "Number of frames.";
        40 frame_rate: U16, "Frames per second.";
        42 flavor: Flavor, "Codec of the channels 0x282; motion channels have their own.";
    }

    /// Header of a channel of keys with times (`W3dTimeCodedAnimChannelStruct`); the keys follow.
    pub struct TimeCodedChannel: 8 {
        0 num_time_codes: U32, "Number of keys.";
        4 pivot: U16, "Index of the pivot.";
        6 vector_len: u8, "Floats per key.";
        7 flags: ChannelType8, "Value that it animates.";
    }

    /// A key of one float.
    pub struct TimeCodedKey1: 8 {
        0 time_code: U32 as TIME_CODE, "Frame; with the top bit (`STEP`), the value before it is held up to this frame.";
        4 value: [F32; 1], "Value.";
    }

    /// A key of two floats.
    pub struct TimeCodedKey2: 12 {
        0 time_code: U32 as TIME_CODE, "Frame; with the top bit (`STEP`), the value before it is held up to this frame.";
        4 value: [F32; 2], "Value.";
    }

    /// A key of three floats.
    pub struct TimeCodedKey3: 16 {
        0 time_code: U32 as TIME_CODE, "Frame; with the top bit (`STEP`), the value before it is held up to this frame.";
        4 value: [F32; 3], "Value.";
    }

    /// A key of four floats.
    pub struct TimeCodedKey4: 20 {
        0 time_code: U32 as TIME_CODE, "Frame; with the top bit (`STEP`), the value before it is held up to this frame.";
        4 value: [F32; 4], "Value: x, y, z, w.";
    }

    /// Header of an adaptive-delta channel (`W3dAdaptiveDeltaAnimChannelStruct`); the first value and the packets follow.
    pub struct AdaptiveDeltaChannel: 12 {
        0 num_frames: U32, "Number of frames.";
        4 pivot: U16, "Index of the pivot.";
        6 vector_len: u8, "Floats per frame.";
        7 flags: ChannelType8, "Value that it animates.";
        8 scale: F32, "Scale of the differences.";
    }

    /// Sixteen 4-bit differences of one component.
    pub struct DeltaPacket4: 9 {
        0 filter: u8, "Index into the filter table.";
        1 deltas: Bytes<8>, "Differences, the low half of a byte first.";
    }

    /// Sixteen 8-bit differences of one component.
    pub struct DeltaPacket8: 17 {
        0 filter: u8, "Index into the filter table.";
        1 deltas: Bytes<16>, "Differences.";
    }

    /// Header of a compressed bit channel (`W3dTimeCodedBitChannelStruct`). A word per key follows: frame, and value in the top bit (`ON`).
    pub struct CompressedBitChannel: 8 {
        0 num_time_codes: U32, "Number of keys.";
        4 pivot: U16, "Index of the pivot.";
        6 flags: BitChannelType8, "Value that it animates.";
        7 default_val: u8, "Not used: before the first key its value holds.";
    }

    /// Header of a motion channel (BFME II); the layout after it depends on the flavour.
    pub struct MotionChannel: 8 {
        0 zero: u8, "0.";
        1 flavor: MotionFlavor, "Codec.";
        2 vector_len: u8, "Floats per key or frame.";
        3 flags: ChannelType8, "Value that it animates.";
        4 num_time_codes: U16, "Number of keys, or of frames in the adaptive-delta codecs.";
        6 pivot: U16, "Index of the pivot.";
    }

    /// Name and size of a morph animation (`W3dMorphAnimHeaderStruct`).
    pub struct MorphAnimHeader: 48 {
        0 version: Version, "Format version; the exporter leaves it 0.";
        4 name: Chars<16>, "Name.";
        20 hierarchy_name: Chars<16>, "Name of the skeleton.";
        36 frame_count: U32, "Number of frames.";
        40 frame_rate: F32, "Frames per second.";
        44 channel_count: U32, "Number of channels.";
    }

    /// Key of a morph channel: which frame of the pose animation to show at which frame.
    pub struct MorphKey: 8 {
        0 morph_frame: U32, "Frame of the morph animation.";
        4 pose_frame: U32, "Frame of the pose animation.";
    }
}
