//! Index newtypes: an id is an index into a vector of [`Scene`](crate::Scene).

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// Indices above `u32::MAX` saturate. Such an id is out of range and therefore refers to nothing.
            fn from(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }
    )*};
}

ids! {
    /// A [`Node`](crate::Node) in [`Scene::nodes`](crate::Scene::nodes).
    NodeId;
    /// A [`Mesh`](crate::Mesh) in [`Scene::meshes`](crate::Scene::meshes).
    MeshId;
    /// A [`Material`](crate::Material) in [`Scene::materials`](crate::Scene::materials).
    MaterialId;
    /// A [`Texture`](crate::Texture) in [`Scene::textures`](crate::Scene::textures).
    TextureId;
    /// A [`Clip`](crate::Clip) in [`Scene::clips`](crate::Scene::clips).
    ClipId;
    /// A [`GlobalSequence`](crate::GlobalSequence) in [`Scene::global_sequences`](crate::Scene::global_sequences).
    GlobalSequenceId;
    /// A [`Light`](crate::Light) in [`Scene::lights`](crate::Scene::lights).
    LightId;
    /// A [`Camera`](crate::Camera) in [`Scene::cameras`](crate::Scene::cameras).
    CameraId;
    /// An [`Emitter`](crate::Emitter) in [`Scene::emitters`](crate::Scene::emitters).
    EmitterId;
    /// A [`Ribbon`](crate::Ribbon) in [`Scene::ribbons`](crate::Scene::ribbons).
    RibbonId;
    /// An [`Attachment`](crate::Attachment) in [`Scene::attachments`](crate::Scene::attachments).
    AttachmentId;
    /// An [`Event`](crate::Event) in [`Scene::events`](crate::Scene::events).
    EventId;
}
