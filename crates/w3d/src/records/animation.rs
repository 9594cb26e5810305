//! Animations: raw, compressed and morph.

use record::{Bytes, Chars, F32, U16, U32, records};

use crate::names::{
    BitChannelType, BitChannelType8, ChannelType, ChannelType8, Flavor, MotionFlavor, TIME_CODE, Version,
};

records! {
    /// Name, skeleton and length of an animation (`W3dAnimHeaderStruct`). Others know it as `Hierarchy.Name`.
    pub struct AnimationHeader: 44 {
        0 version: Version, "Format version.";
        4 name: Chars<16>, "Name.";
        20 hierarchy_name: Chars<16>, "Skeleton it is for.";
        36 num_frames: U32, "Number of frames.";
        40 frame_rate: U32, "Frames per second.";
    }

    /// What a channel of floats moves (`W3dAnimChannelStruct`). Values for the frames from first to last follow; outside them
    /// the value is the identity. A quarter of the retail channels have surplus floats at the end.
    pub struct AnimationChannel: 12 {
        0 first_frame: U16, "First frame with a value.";
        2 last_frame: U16, "Last frame with a value.";
        4 vector_len: U16, "Floats per frame.";
        6 flags: ChannelType, "What it moves.";
        8 pivot: U16, "The bone.";
        10 pad: U16, "Unused.";
    }

    /// What a channel of bits switches (`W3dBitChannelStruct`). One bit per frame follows, lowest first.
    pub struct BitChannel: 9 {
        0 first_frame: U16, "First frame with a bit.";
        2 last_frame: U16, "Last frame with a bit.";
        4 flags: BitChannelType, "What it switches.";
        6 pivot: U16, "The bone.";
        8 default_val: u8, "The value of all other frames.";
    }

    /// Name, skeleton, length and storage of a compressed animation (`W3dCompressedAnimHeaderStruct`).
    pub struct CompressedAnimationHeader: 44 {
        0 version: Version, "0.1; 1.0 where there are motion channels.";
        4 name: Chars<16>, "Name.";
        20 hierarchy_name: Chars<16>, "Skeleton it is for.";
        36 num_frames: U32, "Number of frames.";
        40 frame_rate: U16, "Frames per second.";
        42 flavor: Flavor, "How its channels are stored; motion channels say so themselves.";
    }

    /// A channel of keys with times (`W3dTimeCodedAnimChannelStruct`); the keys follow.
    pub struct TimeCodedChannel: 8 {
        0 num_time_codes: U32, "Number of keys.";
        4 pivot: U16, "The bone.";
        6 vector_len: u8, "Floats per key.";
        7 flags: ChannelType8, "What it moves.";
    }

    /// A key of one float.
    pub struct TimeCodedKey1: 8 {
        0 time_code: U32 as TIME_CODE, "Frame; with the top bit (`STEP`), the value before it is held up to here.";
        4 value: [F32; 1], "Value.";
    }

    /// A key of two floats.
    pub struct TimeCodedKey2: 12 {
        0 time_code: U32 as TIME_CODE, "Frame; with the top bit (`STEP`), the value before it is held up to here.";
        4 value: [F32; 2], "Value.";
    }

    /// A key of three floats.
    pub struct TimeCodedKey3: 16 {
        0 time_code: U32 as TIME_CODE, "Frame; with the top bit (`STEP`), the value before it is held up to here.";
        4 value: [F32; 3], "Value.";
    }

    /// A key of four floats.
    pub struct TimeCodedKey4: 20 {
        0 time_code: U32 as TIME_CODE, "Frame; with the top bit (`STEP`), the value before it is held up to here.";
        4 value: [F32; 4], "Value: x, y, z, w.";
    }

    /// A channel of 4-bit differences (`W3dAdaptiveDeltaAnimChannelStruct`); the first value and the packets follow.
    pub struct AdaptiveDeltaChannel: 12 {
        0 num_frames: U32, "Number of frames.";
        4 pivot: U16, "The bone.";
        6 vector_len: u8, "Floats per frame.";
        7 flags: ChannelType8, "What it moves.";
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

    /// A channel of switching times (`W3dTimeCodedBitChannelStruct`). Words of time and, in the top bit (`ON`), value follow.
    pub struct CompressedBitChannel: 8 {
        0 num_time_codes: U32, "Number of switches.";
        4 pivot: U16, "The bone.";
        6 flags: BitChannelType8, "What it switches.";
        7 default_val: u8, "Not used: the first switch's value holds before it.";
    }

    /// A channel of BFME II; what follows depends on the flavour.
    pub struct MotionChannel: 8 {
        0 zero: u8, "0.";
        1 flavor: MotionFlavor, "How it is stored.";
        2 vector_len: u8, "Floats per key or frame.";
        3 flags: ChannelType8, "What it moves.";
        4 num_time_codes: U16, "Number of keys, or of frames where differences are stored.";
        6 pivot: U16, "The bone.";
    }

    /// Name and size of a morph animation (`W3dMorphAnimHeaderStruct`).
    pub struct MorphAnimHeader: 48 {
        0 version: Version, "Format version; the exporter leaves it 0.";
        4 name: Chars<16>, "Name.";
        20 hierarchy_name: Chars<16>, "Skeleton it is for.";
        36 frame_count: U32, "Number of frames.";
        40 frame_rate: F32, "Frames per second.";
        44 channel_count: U32, "Number of channels.";
    }

    /// A key of a morph channel: at this frame the pose is that frame of the pose animation.
    pub struct MorphKey: 8 {
        0 morph_frame: U32, "Frame of the morph animation.";
        4 pose_frame: U32, "Frame of the pose animation.";
    }
}
