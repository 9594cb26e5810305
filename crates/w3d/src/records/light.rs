//! Lights.

use record::{F32, U32, Vec3, records};

use crate::names::LightFlags;
use crate::records::Rgb;

records! {
    /// Type and colours of a light (`W3dLightStruct`). It is the first child of its light.
    pub struct LightInfo: 24 {
        0 attributes: LightFlags, "Type and options.";
        4 unused: U32, "Unused.";
        8 ambient: Rgb, "Ambient colour.";
        12 diffuse: Rgb, "Diffuse colour.";
        16 specular: Rgb, "Specular colour.";
        20 intensity: F32, "Intensity.";
    }

    /// Direction and cone of a spot light (`W3dSpotLightStruct`).
    pub struct SpotLightInfo: 20 {
        0 spot_direction: Vec3, "Direction.";
        12 spot_angle: F32, "Angle, in radians.";
        16 spot_exponent: F32, "Falloff towards the edge.";
    }

    /// Range in which a light fades in or out (`W3dLightAttenuationStruct`).
    pub struct LightAttenuation: 8 {
        0 start: F32, "Start.";
        4 end: F32, "End.";
    }

    /// Cones of a spot light (Tiberian Technologies 5.0).
    pub struct SpotLight5: 8 {
        0 spot_outer_angle: F32, "Outer angle.";
        4 spot_inner_angle: F32, "Inner angle.";
    }

    /// Pulsing of a light (Tiberian Technologies 5.0). Writers may add two bytes of padding.
    pub struct Pulse: 22 {
        0 min_intensity: F32, "Minimum intensity.";
        4 max_intensity: F32, "Maximum intensity.";
        8 intensity_time: F32, "Time.";
        12 intensity_time_random: F32, "Randomness of the time.";
        16 intensity_adjust: F32, "Change.";
        20 intensity_stops_at_max: u8, "Whether it stops at the maximum.";
        21 intensity_stops_at_min: u8, "Whether it stops at the minimum.";
    }

    /// Transform of a Lightscape light (`W3dLightTransformStruct`): three rows of four, for column vectors.
    pub struct LightTransform: 48 {
        0 transform: [[F32; 4]; 3], "Rows of the matrix; the fourth column is the position.";
    }
}
