//! The parts of the objects of MDX, in order. The reader decides this step by step, so it is stated here again; a test
//! compares it with the samples of every version.

/// An object: its name, and its parts in Warcraft III and in the WoW alpha. Tracks come last and are in the table of
/// tracks.
pub struct Object {
    /// Name of the kind.
    pub name: &'static str,
    /// Its parts in Warcraft III, in order. `?` at the end marks those that some versions or files lack.
    pub warcraft: &'static [&'static str],
    /// Its parts in the WoW alpha, likewise.
    pub wow: &'static [&'static str],
}

macro_rules! objects {
    ($($name:literal [$($warcraft:literal)*] [$($wow:literal)*];)*) => {
        /// Every object and array that holds other parts.
        pub const OBJECTS: &[Object] =
            &[$(Object { name: $name, warcraft: &[$($warcraft),*], wow: &[$($wow),*] },)*];
    };
}

objects! {
    "Material" ["MaterialHeader" "MaterialShader?" "LAYS"] ["WowMaterialHeader" "Layer?"];
    "LAYS" ["Layer"] [];
    "Layer" ["LayerHeader" "LayerEmissive?" "LayerFresnel?" "LayerShader?" "TextureSlot?"] ["LayerHeader"];
    "TextureSlot" ["TextureReference" "KMTF?"] [];
    "TextureAnimation" [] [];
    "Geoset"
        ["VRTX" "NRMS" "PTYP" "PCNT" "PVTX" "GNDX" "MTGC" "MATS" "GeosetHeader" "GeosetLevelOfDetail?" "GeosetBounds" "Extents" "TANG?" "SKIN?" "UVAS"]
        ["VRTX" "NRMS" "UVAS?" "PTYP" "PCNT" "PVTX" "GNDX" "MTGC" "MATS" "BIDX" "BWGT" "GeosetHeader" "GeosetBounds" "Extents"];
    "UVAS" ["UVBS"] ["TextureCoordinates"];
    "GeosetAnimation" ["GeosetAnimationHeader"] ["WowGeosetAnimationHeader"];
    "Node" ["NodeHeader"] ["WowNodeHeader"];
    "Bone" ["Node" "BoneLinks"] ["Node" "BoneLinks"];
    "Light"
        ["Node" "LightKind" "LightShadowCasting?" "LightColor" "LightAmbient" "LightShadowIntensity?" "LightShadowRange?" "LightFalloff?"]
        ["Node" "LightKind" "LightColor" "LightAmbient?"];
    "Helper" ["Node"] ["Node"];
    "Attachment" ["Node" "AttachmentHeader"] ["Node" "WowAttachmentHeader"];
    "ParticleEmitter" ["Node" "ParticleEmitterHeader"] ["Node" "ParticleEmitterHeader"];
    "ParticleEmitter2" ["Node" "ParticleEmitter2Header"] ["Node" "WowParticleEmitter2Header" "Spline" "WowSquirt"];
    "PopcornEmitter" ["Node" "PopcornEmitterHeader"] [];
    "RibbonEmitter" ["Node" "RibbonEmitterHeader"] ["Node" "WowEmitterSize" "RibbonEmitterHeader"];
    "Camera" ["CameraHeader" "CameraDepthOfField?" "CameraTarget"] ["CameraHeader" "CameraTarget"];
    "EventObject" ["Node" "KEVT"] ["Node" "KEVT?"];
    "CollisionShape" ["Node" "CollisionKind" "ShapeBox?" "ShapeSphere?" "ShapeCylinder?" "ShapePlane?"] [];
    "HitTestShape" [] ["Node" "HitTestKind" "ShapeBox?" "WowShapeCylinder?" "ShapeSphere?" "ShapePlane?"];
    "Batch" [] ["Vertices" "PrimitiveTypes" "WowBatchHeader" "Indices" "IndexPadding?"];
    "MTLS" ["Material"] ["WowMaterialCount" "Material"];
    "GEOS" ["Geoset"] ["WowCount" "Geoset?" "WowGeosetSection?" "Batch?"];
    "ATCH" ["Attachment"] ["WowAttachmentCount" "Attachment"];
    "TXAN" ["TextureAnimation"] ["WowCount" "TextureAnimation"];
    "GEOA" ["GeosetAnimation"] ["WowCount" "GeosetAnimation"];
    "BONE" ["Bone"] ["WowCount" "Bone"];
    "LITE" ["Light"] ["WowCount" "Light"];
    "HELP" ["Helper"] ["WowCount" "Helper"];
    "PREM" ["ParticleEmitter"] ["WowCount" "ParticleEmitter"];
    "PRE2" ["ParticleEmitter2"] ["WowCount" "ParticleEmitter2"];
    "CORN" ["PopcornEmitter"] [];
    "RIBB" ["RibbonEmitter"] ["WowCount" "RibbonEmitter"];
    "CAMS" ["Camera"] ["WowCount" "Camera"];
    "EVTS" ["EventObject"] ["WowCount" "EventObject"];
    "HTST" [] ["WowCount" "HitTestShape"];
    "CLID" ["CollisionShape"] ["VRTX" "TRI" "NRMS"];
    "MDVI" ["MdlVisKind" "MdlVisGeosets?" "MdlVisGroupCount?" "MdlVisGroup?" "MdlVisNormals?"] ["MdlVisKind" "MdlVisGeosets?" "MdlVisGroupCount?" "MdlVisGroup?" "MdlVisNormals?"];
}
