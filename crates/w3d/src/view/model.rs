//! Models, which attach objects to skeletons, and lists of objects.

use record::{Node, Vec3, views};

use super::slot_values;
use crate::records::{
    self, AggregateClassInfo, AggregateHeader, AggregateInfo, AggregateSubobject, CollectionHeader,
    HModelAuxData, HModelHeader, HModelNode, HlodArrayHeader, HlodHeader, HlodSubObject, Lod, LodModelHeader,
    TextureReplacer,
};
use crate::table;

views! {
    /// An `HMODEL` chunk: a hierarchy model.
    HModel, HModelMut of table::HMODEL;
    /// A `LODMODEL` chunk: objects of decreasing detail.
    LodModel, LodModelMut of table::LODMODEL;
    /// A `COLLECTION` chunk: objects that belong together.
    Collection, CollectionMut of table::COLLECTION;
    /// A `PLACEHOLDER` or `TRANSFORM_NODE` chunk of a collection.
    Placeholder, PlaceholderMut of table::PLACEHOLDER, table::TRANSFORM_NODE;
    /// An `AGGREGATE` chunk: a model with objects attached.
    Aggregate, AggregateMut of table::AGGREGATE;
    /// An `HLOD` chunk: a model.
    Hlod, HlodMut of table::HLOD;
    /// One array of sub-objects of an HLOD.
    HlodLevel, HlodLevelMut of table::HLOD_LOD_ARRAY, table::HLOD_AGGREGATE_ARRAY, table::HLOD_PROXY_ARRAY, table::HLOD_LIGHT_ARRAY;
}

impl<'n> HModel<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n HModelHeader> {
        self.get(table::HMODEL_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// Its skeleton.
    pub fn hierarchy_name(&self) -> String {
        self.header().map(|header| header.hierarchy_name.to_string()).unwrap_or_default()
    }

    /// Objects on bones.
    pub fn nodes(&self) -> impl Iterator<Item = &'n HModelNode> + use<'n> {
        self.get_all(table::NODE).flatten()
    }

    /// Collision meshes on bones.
    pub fn collision_nodes(&self) -> impl Iterator<Item = &'n HModelNode> + use<'n> {
        self.get_all(table::COLLISION_NODE).flatten()
    }

    /// Skins.
    pub fn skins(&self) -> impl Iterator<Item = &'n HModelNode> + use<'n> {
        self.get_all(table::SKIN_NODE).flatten()
    }

    /// Shadows on bones (obsolete).
    pub fn shadow_nodes(&self) -> impl Iterator<Item = &'n HModelNode> + use<'n> {
        self.get_all(table::SHADOW_NODE).flatten()
    }

    /// Counts and detail range (obsolete).
    pub fn aux_data(&self) -> Option<&'n HModelAuxData> {
        self.get(table::HMODEL_AUX_DATA)
    }

    /// Snap points.
    pub fn points(&self) -> &'n [Vec3] {
        self.get(table::POINTS)
    }
}

impl<'n> LodModel<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n LodModelHeader> {
        self.get(table::LODMODEL_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// Its levels.
    pub fn levels(&self) -> impl Iterator<Item = &'n Lod> + use<'n> {
        self.get_all(table::LOD).flatten()
    }

    /// Snap points.
    pub fn points(&self) -> &'n [Vec3] {
        self.get(table::POINTS)
    }
}

impl<'n> Collection<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n CollectionHeader> {
        self.get(table::COLLECTION_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// Names of its objects.
    pub fn object_names(&self) -> impl Iterator<Item = String> + use<'n> {
        self.get_all(table::COLLECTION_OBJ_NAME).flatten().map(std::borrow::Cow::into_owned)
    }

    /// Objects that the level editor puts here.
    pub fn placeholders(&self) -> impl Iterator<Item = Placeholder<'n>> + use<'n> {
        self.0.all(&table::PLACEHOLDER).filter_map(Placeholder::new)
    }

    /// Files that this one moves.
    pub fn transform_nodes(&self) -> impl Iterator<Item = Placeholder<'n>> + use<'n> {
        self.0.all(&table::TRANSFORM_NODE).filter_map(Placeholder::new)
    }

    /// Snap points.
    pub fn points(&self) -> &'n [Vec3] {
        self.get(table::POINTS)
    }
}

impl<'n> Placeholder<'n> {
    /// Its transform.
    pub fn header(&self) -> Option<&'n records::Placeholder> {
        self.0.value()
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.0.text().map(|name| record::decode(name).into_owned()).unwrap_or_default()
    }
}

impl<'n> Aggregate<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n AggregateHeader> {
        self.get(table::AGGREGATE_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// The model it extends.
    pub fn info(&self) -> Option<&'n AggregateInfo> {
        self.get(table::AGGREGATE_INFO)
    }

    /// The objects and the bones they are on.
    pub fn subobjects(&self) -> &'n [AggregateSubobject] {
        slot_values(self.0.child(&table::AGGREGATE_INFO), "subobjects")
    }

    /// Textures to exchange; engines ignore them.
    pub fn texture_replacers(&self) -> &'n [TextureReplacer] {
        self.get(table::TEXTURE_REPLACER_INFO)
    }

    /// The class it was made from.
    pub fn class_info(&self) -> Option<&'n AggregateClassInfo> {
        self.get(table::AGGREGATE_CLASS_INFO)
    }
}

impl<'n> Hlod<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n HlodHeader> {
        self.get(table::HLOD_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// Its skeleton; empty if it has none.
    pub fn hierarchy_name(&self) -> String {
        self.header().map(|header| header.hierarchy_name.to_string()).unwrap_or_default()
    }

    /// Its levels of detail, as stored: the coarsest first.
    pub fn levels(&self) -> impl Iterator<Item = HlodLevel<'n>> + use<'n> {
        self.0.all(&table::HLOD_LOD_ARRAY).map(HlodLevel)
    }

    /// Other models on its bones.
    pub fn aggregates(&self) -> impl Iterator<Item = HlodLevel<'n>> + use<'n> {
        self.0.all(&table::HLOD_AGGREGATE_ARRAY).map(HlodLevel)
    }

    /// Objects of the application on its bones.
    pub fn proxies(&self) -> impl Iterator<Item = HlodLevel<'n>> + use<'n> {
        self.0.all(&table::HLOD_PROXY_ARRAY).map(HlodLevel)
    }

    /// Lights on its bones.
    pub fn lights(&self) -> impl Iterator<Item = HlodLevel<'n>> + use<'n> {
        self.0.all(&table::HLOD_LIGHT_ARRAY).map(HlodLevel)
    }
}

impl<'n> HlodLevel<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n HlodArrayHeader> {
        self.get(table::HLOD_SUB_OBJECT_ARRAY_HEADER)
    }

    /// Its objects.
    pub fn sub_objects(&self) -> impl Iterator<Item = &'n HlodSubObject> + use<'n> {
        self.0.all(&table::HLOD_SUB_OBJECT).filter_map(Node::value)
    }
}
