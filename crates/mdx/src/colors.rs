//! The order of static colours; that of animated ones is in the [table of tracks](crate::TRACKS).

use crate::tracks::ColorOrder;

/// A static colour.
#[derive(Clone, Copy, Debug)]
pub struct ColorRow {
    /// The record.
    pub record: &'static str,
    /// Its field.
    pub field: &'static str,
    /// The order on disk.
    pub disk: ColorOrder,
    /// The order in MDL text, as the game's own converter and most tools write it.
    pub text: ColorOrder,
}

macro_rules! colors {
    ($($record:ident $field:ident $disk:ident $text:ident,)*) => {
        /// The table: fire and ice, and twins of MDX and MDL, show that static colours are red, green, blue on disk and
        /// reversed in text. Tracks are blue, green, red in both. Those of the WoW alpha are taken to be the same.
        ///
        #[doc = concat!(
            "| record | field | on disk | in MDL |\n|---|---|---|---|\n",
            $("| [`", stringify!($record), "`](crate::records::", stringify!($record), ") | `", stringify!($field), "` | ",
              stringify!($disk), " | ", stringify!($text), " |\n",)*
        )]
        pub const COLORS: &[ColorRow] = &[$(ColorRow {
            record: stringify!($record),
            field: stringify!($field),
            disk: ColorOrder::$disk,
            text: ColorOrder::$text,
        },)*];
    };
}

colors! {
    GeosetAnimationHeader color Rgb Bgr,
    LightColor color Rgb Bgr,
    LightAmbient color Rgb Bgr,
    ParticleEmitter2Header segment_colors Rgb Bgr,
    RibbonEmitterHeader color Rgb Bgr,
    PopcornEmitterHeader color Rgb Rgb,
    LayerFresnel color Rgb Rgb,
    WowGeosetAnimationHeader color Rgb Bgr,
    WowParticleEmitter2Header segment_colors Rgb Bgr,
}
