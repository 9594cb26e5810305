//! The parts that exist only in some versions: one table for the reader, the writers and the converters.

use crate::Dialect;

/// A part that only some versions have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Gate {
    /// [`MaterialShader`](crate::records::MaterialShader).
    MaterialShader = 1 << 0,
    /// [`LayerEmissive`](crate::records::LayerEmissive).
    LayerEmissive = 1 << 1,
    /// [`LayerFresnel`](crate::records::LayerFresnel).
    LayerFresnel = 1 << 2,
    /// [`LayerShader`](crate::records::LayerShader) and the texture slots.
    LayerSlots = 1 << 3,
    /// [`GeosetLevelOfDetail`](crate::records::GeosetLevelOfDetail).
    GeosetLevelOfDetail = 1 << 4,
    /// `SKIN` holds 16-bit numbers.
    WideSkin = 1 << 5,
    /// [`LightAmbient`](crate::records::LightAmbient).
    LightAmbient = 1 << 6,
    /// [`LightShadowIntensity`](crate::records::LightShadowIntensity).
    LightShadowIntensity = 1 << 7,
    /// [`LightShadowCasting`](crate::records::LightShadowCasting) and [`LightShadowRange`](crate::records::LightShadowRange).
    LightShadowCasting = 1 << 8,
    /// [`LightFalloff`](crate::records::LightFalloff).
    LightFalloff = 1 << 9,
    /// `GEOS` holds sections and batches.
    GeosetBatches = 1 << 10,
    /// [`CameraDepthOfField`](crate::records::CameraDepthOfField): by the camera's variant, not by version.
    CameraDepthOfField = 1 << 11,
}

/// One row: in this game the part exists from one version up to, but not including, another.
#[derive(Clone, Copy, Debug)]
pub struct GateRow {
    /// The part.
    pub gate: Gate,
    /// The game.
    pub dialect: Dialect,
    /// First version that has it.
    pub from: u32,
    /// First version without it.
    pub until: u32,
    /// How certain this is.
    pub evidence: &'static str,
}

const FOREVER: u32 = u32::MAX;

macro_rules! gates {
    ($($dialect:ident $gate:ident $from:literal..$until:tt $evidence:literal,)*) => {
        /// The table. Where a file's sizes contradict a row, the reader believes the sizes.
        ///
        #[doc = concat!(
            "| game | part | from | until | evidence |\n|---|---|---:|---:|---|\n",
            $("| ", stringify!($dialect), " | `", stringify!($gate), "` | ", stringify!($from), " | ", stringify!($until), " | ", $evidence, " |\n",)*
        )]
        pub const GATES: &[GateRow] = &[
            $(GateRow { gate: Gate::$gate, dialect: Dialect::$dialect, from: $from, until: $until, evidence: $evidence },)*
        ];
    };
}

gates! {
    Warcraft LightAmbient 700..FOREVER "two sources; no sample below 800",
    Warcraft MaterialShader 900..1100 "real files on both sides",
    Warcraft LayerEmissive 900..FOREVER "real files",
    Warcraft LayerFresnel 1000..FOREVER "real files; disputed for 900",
    Warcraft GeosetLevelOfDetail 900..FOREVER "real files",
    Warcraft LayerSlots 1100..FOREVER "real files",
    Warcraft LightShadowIntensity 1200..FOREVER "three sources; no sample",
    Warcraft LightShadowCasting 1300..FOREVER "one source; no sample",
    Warcraft WideSkin 1400..FOREVER "one source; no sample",
    Warcraft LightFalloff 1600..FOREVER "one source; no sample",
    Wow LightAmbient 700..FOREVER "client",
    Wow GeosetBatches 1500..FOREVER "several readers; no sample",
}

/// The parts that a file of one version has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gates(u32);

impl Gates {
    /// The gates of a version.
    ///
    /// ```
    /// use meshwright_mdx::{Dialect, Gate, Gates};
    /// assert!(Gates::of(Dialect::Warcraft, 1000).has(Gate::MaterialShader));
    /// assert!(!Gates::of(Dialect::Warcraft, 1100).has(Gate::MaterialShader));
    /// ```
    pub fn of(dialect: Dialect, version: u32) -> Self {
        let open =
            GATES.iter().filter(|row| row.dialect == dialect && (row.from..row.until).contains(&version));
        Self(open.fold(0, |bits, row| bits | row.gate as u32))
    }

    /// Whether the part exists.
    pub const fn has(self, gate: Gate) -> bool {
        self.0 & gate as u32 != 0
    }

    /// The same gates with one inverted.
    #[must_use]
    pub const fn flip(self, gate: Gate) -> Self {
        Self(self.0 ^ gate as u32)
    }
}
