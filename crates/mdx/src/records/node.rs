//! Nodes and what hangs on them: bones, lights, attachments, collision shapes.

use record::{Chars, F32, I32, U32, Vec3, records};

/// Declares the flags of nodes: the bits that every node has, then the given ones.
macro_rules! node_flags {
    ($($(#[doc = $doc:literal])* $name:ident { $($rows:tt)* })*) => {
        record::open_flags! { $(
            $(#[doc = $doc])*
            pub flags $name: u32 {
                0x1 DONT_INHERIT_TRANSLATION "the parent's translation is ignored",
                0x2 DONT_INHERIT_SCALING "the parent's scaling is ignored",
                0x4 DONT_INHERIT_ROTATION "the parent's rotation is ignored",
                0x8 BILLBOARDED "faces the camera",
                0x10 BILLBOARDED_LOCK_X "turns about x to face the camera",
                0x20 BILLBOARDED_LOCK_Y "turns about y to face the camera",
                0x40 BILLBOARDED_LOCK_Z "turns about z to face the camera",
                $($rows)*
            }
        )* }
    };
}

node_flags! {
    /// Flags of a node in Warcraft III. The type bits are often wrong in real files; the chunk tells the type.
    /// From 0x8000 on the meaning depends on the chunk.
    NodeFlags {
        0x80 CAMERA_ANCHORED "moves with the camera",
        0x100 BONE "a bone",
        0x200 LIGHT "a light",
        0x400 EVENT_OBJECT "an event object",
        0x800 ATTACHMENT "an attachment",
        0x1000 PARTICLE_EMITTER "an emitter of any kind",
        0x2000 COLLISION_SHAPE "a collision shape",
        0x4000 RIBBON_EMITTER "a ribbon emitter",
        0x8000 UNSHADED "PREM: particles are models; PRE2, CORN: unshaded",
        0x10000 SORT_PRIMS_FAR_Z "PREM: particles are textures; PRE2, CORN: far particles first",
        0x20000 LINE_EMITTER "PRE2: emits along a line; CORN: perhaps unfogged",
        0x40000 UNFOGGED "PRE2: unfogged; CORN: scaling or unfogged (disputed)",
        0x80000 MODEL_SPACE "PRE2: particles move with the model",
        0x100000 XY_QUAD "PRE2: particles lie flat",
    }

    /// Flags of a node in the WoW alpha. From 0x80 on the type bits are one lower than in Warcraft III, because there is no camera anchor.
    WowNodeFlags {
        0x80 BONE "a bone; never set in files",
        0x100 LIGHT "a light",
        0x200 EVENT_OBJECT "an event object",
        0x400 ATTACHMENT "an attachment",
        0x800 PARTICLE_EMITTER "an emitter",
        0x1000 HIT_TEST_SHAPE "a hit test shape",
        0x2000 RIBBON_EMITTER "a ribbon emitter",
        0x4000 PROJECT "projected",
        0x8000 UNSHADED "PREM: particles are textures; PRE2: unshaded",
        0x10000 SORT_PRIMS_FAR_Z "PREM: particles are models; PRE2: far particles first",
        0x20000 LINE_EMITTER "emits along a line",
        0x40000 UNFOGGED "unfogged",
        0x80000 MODEL_SPACE "particles move with the model",
        0x100000 INHERIT_SCALE "particles are scaled with the model",
        0x200000 INSTANT_VELOCITY_LIN "the emitter's velocity is added, scaled",
        0x400000 ZERO_X_KILL "particles live for one tick",
        0x800000 Z_VELOCITY_ONLY "particles start with no x and y velocity",
        0x1000000 TUMBLER "each component of the position may be inverted",
        0x2000000 TAIL_GROWS "tails grow",
        0x4000000 EXTRUDE "extrudes between the last and the current place",
        0x8000000 XY_QUAD "particles lie flat",
        0x10000000 PARTICLE_PROJECT "particles are projected",
        0x20000000 FOLLOW "particles follow each other",
    }

    /// Flags of a particle emitter's node (`PREM`) in Warcraft III.
    ParticleEmitterFlags {
        0x80 CAMERA_ANCHORED "moves with the camera",
        0x1000 PARTICLE_EMITTER "an emitter of any kind",
        0x8000 EMITTER_USES_MDL "particles are models",
        0x10000 EMITTER_USES_TGA "particles are textures",
    }

    /// Flags of a particle emitter's node (`PREM`) in the WoW alpha.
    WowParticleEmitterFlags {
        0x800 PARTICLE_EMITTER "an emitter",
        0x8000 EMITTER_USES_TGA "particles are textures",
        0x10000 EMITTER_USES_MDL "particles are models",
    }
}

record::open_enum! {
    /// Type of a light. A few files hold 512 and 513: the low byte is the type.
    pub enum LightType: u32 {
        0 OMNIDIRECTIONAL "point light",
        1 DIRECTIONAL "directional light",
        2 AMBIENT "ambient light",
    }

    /// Type of a collision shape of Warcraft III. Real files use 3 for a plane of two floats, as the WoW alpha does.
    pub enum CollisionType: u32 {
        0 BOX "two corners",
        1 PLANE "two corners",
        2 SPHERE "centre and radius",
        3 CYLINDER "two points and a radius, or a plane's length and width",
    }

    /// Type of a hit-test shape of the WoW alpha.
    pub enum HitTestType: u8 {
        0 BOX "two corners",
        1 CYLINDER "base, height and radius",
        2 SPHERE "centre and radius",
        3 PLANE "length and width",
    }
}

records! {
    /// Name, ids and flags of a node in Warcraft III.
    pub struct NodeHeader: 92 {
        0 name: Chars<80>, "Name.";
        80 object_id: I32, "Object id: index of the pivot, unique in the model.";
        84 parent_id: I32, "Id of the parent, or -1.";
        88 flags: NodeFlags, "Flags.";
    }

    /// Name, ids and flags of a node in the WoW alpha.
    pub struct WowNodeHeader: 92 {
        0 name: Chars<80>, "Name.";
        80 object_id: I32, "Object id: index of the pivot, unique in the model.";
        84 parent_id: I32, "Id of the parent, or -1.";
        88 flags: WowNodeFlags, "Flags.";
    }

    /// Fields of a bone after its node. Both games.
    pub struct BoneLinks: 8 {
        0 geoset_id: I32, "The only geoset that the bone moves, or -1 for several.";
        4 geoset_animation_id: I32, "Geoset animation, or -1; the game ignores it.";
    }

    /// Type of a light.
    pub struct LightKind: 4 {
        0 kind: LightType, "Kind.";
    }

    /// Shadow casting of a light, from version 1300 of Warcraft III on (one source; no sample).
    pub struct LightShadowCasting: 4 {
        0 shadow_casting: U32, "Whether it casts shadows.";
    }

    /// Attenuation, colour and intensity of a light.
    pub struct LightColor: 24 {
        0 attenuation_start: F32, "Distance at which the light begins to fade.";
        4 attenuation_end: F32, "Distance at which the light ends.";
        8 color: Vec3, "Colour, as red, green, blue.";
        20 intensity: F32, "Strength.";
    }

    /// Ambient colour and intensity of a light, from version 700 on.
    pub struct LightAmbient: 16 {
        0 color: Vec3, "Ambient colour, as red, green, blue.";
        12 intensity: F32, "Its strength.";
    }

    /// Shadow intensity of a light, from version 1200 of Warcraft III on.
    pub struct LightShadowIntensity: 4 {
        0 shadow_intensity: F32, "Darkness of shadows; 0.4 where the field is missing.";
    }

    /// Range of a light's shadows, from version 1300 of Warcraft III on (one source; no sample).
    pub struct LightShadowRange: 8 {
        0 start: F32, "Distance at which shadows begin.";
        4 end: F32, "Distance at which shadows end.";
    }

    /// Falloff of a light, from version 1600 of Warcraft III on (one source; no sample).
    pub struct LightFalloff: 12 {
        0 quadratic: F32, "Quadratic falloff; 0.0005 where missing.";
        4 linear: F32, "Linear falloff; 0 where missing.";
        8 damping: F32, "Damping; 0.00001 where missing.";
    }

    /// Fields of an attachment of Warcraft III after its node.
    pub struct AttachmentHeader: 264 {
        0 path: Chars<260>, "Path of the attached model, mostly empty.";
        260 attachment_id: I32, "Id of the attachment.";
    }

    /// Type of a collision shape.
    pub struct CollisionKind: 4 {
        0 kind: CollisionType, "Kind.";
    }

    /// Box of a collision shape: two corners.
    pub struct ShapeBox: 24 {
        0 minimum: Vec3, "One corner.";
        12 maximum: Vec3, "The other.";
    }

    /// Sphere of a collision shape.
    pub struct ShapeSphere: 16 {
        0 center: Vec3, "Centre.";
        12 radius: F32, "Radius.";
    }

    /// Cylinder of a collision shape.
    pub struct ShapeCylinder: 28 {
        0 base: Vec3, "One end of the axis.";
        12 top: Vec3, "The other.";
        24 radius: F32, "Radius.";
    }

    /// Plane of a collision shape through the pivot.
    pub struct ShapePlane: 8 {
        0 length: F32, "Length.";
        4 width: F32, "Width.";
    }
}
