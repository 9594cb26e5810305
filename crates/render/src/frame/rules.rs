//! Behaviour on which sources disagree, or that only one source describes.

use crate::particles;

/// Behaviour on which sources disagree, or that only one source describes (docs/formats/rendering.md#rendering). The defaults are the variants of
/// most sources, or of those nearest to the engines. Each field names the sources of its variants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// W3D: light of twice the usual brightness on classic passes. The shaders of BFME II have it (one source); Generals and
    /// Renegade clamp light at one.
    pub overbright: bool,
    /// W3D: a second stage that combines alpha but no colour is off, as in Renegade; Generals and Zero Hour draw it.
    pub detail_needs_color: bool,
    /// W3D: in the normal maps of `NormalMapped.fx`, red points left and green up. The disassembled shader suggests it
    /// (one source); red right and green down is the usual convention, and that of our glTF.
    pub normals_reversed: bool,
    /// Warcraft III: opaque layers below an opacity of 0.99 are blended, so that units can fade. WhiteoutFlakes does it; MdlVis
    /// draws them opaque.
    pub fade_opaque: bool,
    /// Warcraft III: which layers are too faint to be drawn.
    pub skip: SkipLayer,
    /// Warcraft III: Modulate and Modulate2x ignore the colour of the mesh (WhiteoutFlakes, one source).
    pub modulate_ignores_color: bool,
    /// Warcraft III: the flag SphereEnvMap generates texture coordinates (WhiteoutFlakes); mdx-m3-viewer and war3-model draw the
    /// mesh's own.
    pub sphere_environment: bool,
    /// Warcraft III: the lights of the model shine on it.
    pub model_lights: bool,
    /// Warcraft III: omni lights add their ambient light too.
    pub omni_ambient: bool,
    /// Warcraft III: billboards turn to the position of the camera (WhiteoutFlakes, MdlVis); otherwise they are parallel to
    /// the screen (mdx-m3-viewer).
    pub billboards_face_position: bool,
    /// Warcraft III: camera-anchored nodes move towards the camera (WhiteoutFlakes, one source); other programs do not
    /// move them.
    pub anchors: bool,
    /// Warcraft III: ribbons show all layers of their material (WhiteoutFlakes); otherwise the first (mdx-m3-viewer).
    pub ribbon_all_layers: bool,
    /// Warcraft III: a camera's field of view is that of the diagonal (WhiteoutFlakes, Warsmash); otherwise from top to bottom
    /// (mdx-m3-viewer).
    pub fov_is_diagonal: bool,
    /// Disputed behaviour of particles and ribbons.
    pub particles: particles::Rules,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            overbright: false,
            detail_needs_color: false,
            normals_reversed: false,
            fade_opaque: true,
            skip: SkipLayer::default(),
            modulate_ignores_color: true,
            sphere_environment: true,
            model_lights: true,
            omni_ambient: true,
            billboards_face_position: true,
            anchors: true,
            ribbon_all_layers: true,
            fov_is_diagonal: true,
            particles: particles::Rules::default(),
        }
    }
}

/// Which layers are too faint to be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkipLayer {
    /// The opacities of mesh and layer together are below 0.004 (WhiteoutFlakes).
    #[default]
    Product,
    /// The opacity of the mesh or that of the layer is at most 0.01 (mdx-m3-viewer).
    Either,
}

impl SkipLayer {
    /// Whether a layer of this opacity on a mesh of that opacity is skipped. NaN is skipped.
    #[must_use]
    pub fn skips(self, mesh: f32, layer: f32) -> bool {
        let shows = match self {
            Self::Product => mesh * layer >= 0.004,
            Self::Either => mesh > 0.01 && layer > 0.01,
        };
        !shows
    }
}
