//! What glTF cannot say, as typed data under `extras.meshwright`.
//!
//! Keys are the names of the fields in [`scene`], and enumerations the names of their variants, so that there is one vocabulary.
//! Fields that are as by default are left out. An id is the place in the scene's vector of that kind; nodes are at the same places
//! in glTF.

use crate::{
    Exporter,
    geometry::surface_runs,
    json::{Json, ToJson},
};
use scene::*;

/// Values and how often each comes in a row.
pub(crate) type Runs = Vec<(u32, u32)>;

impl<A: ToJson, B: ToJson> ToJson for (A, B) {
    fn write(&self, json: &mut Json) {
        json.array(|json| {
            json.value(&self.0);
            json.value(&self.1);
        });
    }
}

impl<T: ToJson> ToJson for Box<T> {
    fn write(&self, json: &mut Json) {
        (**self).write(json);
    }
}

macro_rules! ids {
    ($($type:ident),*) => {$(
        impl ToJson for $type {
            fn write(&self, json: &mut Json) {
                self.0.write(json);
            }
        }
    )*};
}
ids!(NodeId, MeshId, MaterialId, TextureId, EventId, GlobalSequenceId, Replaceable, CollisionMask);

macro_rules! names {
    ($($type:ident { $($variant:ident)* })*) => {$(
        impl ToJson for $type {
            fn write(&self, json: &mut Json) {
                match self {
                    $(Self::$variant => stringify!($variant),)*
                }
                .write(json);
            }
        }
    )*};
}
names! {
    Billboard { None Facing Aligned Upright SpinX SpinY SpinZ }
    BlendFactor {
        Zero One SourceColor OneMinusSourceColor SourceAlpha OneMinusSourceAlpha DestinationColor OneMinusDestinationColor
        DestinationAlpha OneMinusDestinationAlpha
    }
    Compare { Never Less Equal LessEqual Greater NotEqual GreaterEqual Always }
    Gradient { Modulate Add BumpEnvironment BumpEnvironmentLuminance Modulate2x DotProduct }
    Combine {
        Disable Detail Scale InverseScale Add Subtract SubtractReversed Blend DetailBlend AddSigned AddSigned2x Scale2x
        ModulateAlphaAddColor
    }
    SortPrimitives { None Near Far }
    Wrap { Repeat Clamp Mirror }
    FrameOrder { Loop PingPong Once Manual }
    Axis { X Y Z }
    EnvironmentSource { Normal Reflection }
    AttachmentKind { Point Aggregate Proxy Null }
    ParticleRender { Triangle Quad Line LineGroupTetrahedron LineGroupPrism }
    LineMapping { UniformWidth UniformLength Tiled }
    Interpolation { Step Linear Hermite Bezier }
}

/// Writes the fields that are not as by default.
trait Fields {
    fn fields(&self, json: &mut Json);
}

macro_rules! sparse {
    ($($type:ident { $($field:ident)* })*) => {$(
        impl Fields for $type {
            fn fields(&self, json: &mut Json) {
                let usual = Self::default();
                $(if self.$field != usual.$field {
                    json.field(stringify!($field), &self.$field);
                })*
            }
        }

        impl ToJson for $type {
            fn write(&self, json: &mut Json) {
                json.object(|json| self.fields(json));
            }
        }
    )*};
}
sparse! {
    Material { layers shader priority_plane sort_level sort_primitives constant_color full_resolution }
    Shader { name technique parameters }
    Layer {
        blend alpha_test depth_test depth_write two_sided unlit fog gradient specular slots alpha color color_set lighting
        emissive_gain fresnel
    }
    Lighting { name ambient diffuse specular emissive shininess opacity translucency }
    Fresnel { color opacity team_color }
    TextureSlot { kind texture uv_set mapper color_combine alpha_combine }
    Environment { source world_axis grid }
    LinearOffset { speed start scale clamp }
    Grid { frames_per_second log2_width last offset }
    Rotate { speed center scale }
    SineLinearOffset { amplitude frequency phase scale }
    StepLinearOffset { step steps_per_second scale clamp }
    ZigZagLinearOffset { speed period scale }
    Random { frames_per_second speed scale }
    Edge { speed start reflection }
    BumpEnvironment { rotation bump_scale offset }
    Texture { name replaceable wrap_u wrap_v frames no_mipmaps }
    Shadow { casts intensity start end }
    Falloff { quadratic linear damping }
    Pulse { min max time time_random adjust stops_at_max stops_at_min }
    Camera { name node position target field_of_view near far }
    Event { name global }
    Dazzle { name kind }
    ModelEmitter { path is_picture emission_rate gravity longitude latitude life_span speed }
    SpriteEmitter {
        speed variation latitude longitude gravity life_span emission_rate width length z_source blend alpha_reference rows columns
        head tail tail_length middle colors alphas scales head_life head_decay tail_life tail_decay texture replaceable squirt
        priority_plane unlit unfogged sort_far line model_space flat
    }
    FrameRange { start end repeat }
    EffectEmitter {
        path visibility_guide life_span emission_rate speed color alpha replaceable unlit unfogged sort_far scales
    }
    KeyedEmitter {
        texture layer render frame_log2 life_time emission_rate burst_size max_emissions fade_time future_start_time gravity
        elasticity velocity acceleration outward_velocity velocity_inheritance creation_volume velocity_random color opacity size
        rotation orientation_random frame blur_time line user_data
    }
    LineProperties {
        merge_intersections freeze_random disable_sorting end_caps texture_mapping subdivision_level noise_amplitude
        merge_abort_factor texture_tile_factor uv_per_second
    }
    Inherit { translation rotation scale }
    Level { range meshes }
}

macro_rules! whole {
    ($($type:ident { $($field:ident)* })*) => {$(
        impl ToJson for $type {
            fn write(&self, json: &mut Json) {
                json.object(|json| { $(json.field(stringify!($field), &self.$field);)* });
            }
        }
    )*};
}
whole! {
    AlphaTest { reference compare }
    Frames { count rate order }
    Light {
        kind color intensity ambient_color ambient_intensity specular_color near_attenuation attenuation shadow falloff pulse visible
    }
    Attachment { path number kind visible }
    CollisionShape { name shape mask }
    Sound {
        name path volume volume_random pitch pitch_random pan loops priority spatial full_volume_distance drop_off_distance
        start_offset stops_when_hidden
    }
    Emitter { name visible kind }
    Primitive { name center extent duration looping aligned texture layer color alpha form }
}

impl<T: ToJson> ToJson for LifeKeys<T> {
    fn write(&self, json: &mut Json) {
        json.object(|json| {
            json.field("keys", &self.keys);
            json.field("random", &self.random);
        });
    }
}

/// A variant with its fields: its name under `kind`, the rest beside it.
macro_rules! variant {
    ($json:expr, $kind:literal $(, $field:ident)*) => {
        $json.object(|json| {
            json.field("kind", $kind);
            $(json.field(stringify!($field), $field);)*
        })
    };
}

/// A variant that holds a record, whose fields stand beside the name.
fn wrapped(json: &mut Json, kind: &str, record: &impl Fields) {
    json.object(|json| {
        json.field("kind", kind);
        record.fields(json);
    });
}

impl ToJson for BlendMode {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Opaque => "Opaque".write(json),
            Self::Alpha => "Alpha".write(json),
            Self::Add => "Add".write(json),
            Self::Additive => "Additive".write(json),
            Self::AddAlpha => "AddAlpha".write(json),
            Self::Modulate => "Modulate".write(json),
            Self::Modulate2x => "Modulate2x".write(json),
            Self::Multiply => "Multiply".write(json),
            Self::Screen => "Screen".write(json),
            Self::Factors(source, destination) => [source, destination].write(json),
        }
    }
}

impl ToJson for SlotKind {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Diffuse => "Diffuse".write(json),
            Self::Normal => "Normal".write(json),
            Self::OcclusionRoughnessMetal => "OcclusionRoughnessMetal".write(json),
            Self::Emissive => "Emissive".write(json),
            Self::TeamColor => "TeamColor".write(json),
            Self::Environment => "Environment".write(json),
            Self::Detail => "Detail".write(json),
            Self::Bump => "Bump".write(json),
            Self::Specular => "Specular".write(json),
            Self::Other(number) => number.write(json),
        }
    }
}

impl ToJson for ShaderParameter {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Texture(texture) => json.object(|json| json.field("texture", texture)),
            Self::Float(value) => value.write(json),
            Self::Vec2(value) => value.write(json),
            Self::Vec3(value) => value.write(json),
            Self::Vec4(value) => value.write(json),
            Self::Int(value) => value.write(json),
            Self::Bool(value) => value.write(json),
        }
    }
}

impl ToJson for UvMapper {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Uv => "Uv".write(json),
            Self::Silhouette => "Silhouette".write(json),
            Self::Environment(mapper) => wrapped(json, "Environment", mapper),
            Self::Screen(mapper) => wrapped(json, "Screen", mapper),
            Self::LinearOffset(mapper) => wrapped(json, "LinearOffset", mapper),
            Self::Scale(scale) => variant!(json, "Scale", scale),
            Self::Grid(mapper) => wrapped(json, "Grid", mapper),
            Self::Rotate(mapper) => wrapped(json, "Rotate", mapper),
            Self::SineLinearOffset(mapper) => wrapped(json, "SineLinearOffset", mapper),
            Self::StepLinearOffset(mapper) => wrapped(json, "StepLinearOffset", mapper),
            Self::ZigZagLinearOffset(mapper) => wrapped(json, "ZigZagLinearOffset", mapper),
            Self::Random(mapper) => wrapped(json, "Random", mapper),
            Self::Edge(mapper) => wrapped(json, "Edge", mapper),
            Self::BumpEnvironment(mapper) => wrapped(json, "BumpEnvironment", mapper),
        }
    }
}

impl ToJson for LightKind {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Point => "Point".write(json),
            Self::Directional => "Directional".write(json),
            Self::Ambient => "Ambient".write(json),
            Self::Spot { inner, outer, exponent } => variant!(json, "Spot", inner, outer, exponent),
        }
    }
}

impl ToJson for Shape {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Box { min, max, axis_aligned } => variant!(json, "Box", min, max, axis_aligned),
            Self::Sphere { center, radius } => variant!(json, "Sphere", center, radius),
            Self::Plane { min, max } => variant!(json, "Plane", min, max),
            Self::Cylinder { start, end, radius } => variant!(json, "Cylinder", start, end, radius),
            Self::Mesh { positions, indices } => variant!(json, "Mesh", positions, indices),
        }
    }
}

impl ToJson for EmitterKind {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Model(emitter) => wrapped(json, "Model", emitter),
            Self::Sprite(emitter) => wrapped(json, "Sprite", &**emitter),
            Self::Effect(emitter) => wrapped(json, "Effect", emitter),
            Self::Keyed(emitter) => wrapped(json, "Keyed", &**emitter),
        }
    }
}

impl ToJson for Volume {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Box(extent) => variant!(json, "Box", extent),
            Self::Sphere { radius, hollow } => variant!(json, "Sphere", radius, hollow),
            Self::Cylinder { half_length, radius } => variant!(json, "Cylinder", half_length, radius),
        }
    }
}

impl ToJson for PrimitiveForm {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Sphere { scale, vector } => json.object(|json| {
                json.field("kind", "Sphere");
                json.field("scale", scale);
                json.array_field("vector", |json| {
                    for (time, direction, sharpness) in vector {
                        json.array(|json| {
                            json.value(time);
                            json.value(direction);
                            json.value(sharpness);
                        });
                    }
                });
            }),
            Self::Ring { inner_scale, outer_scale, inner_extent, outer_extent, tiles } => {
                variant!(json, "Ring", inner_scale, outer_scale, inner_extent, outer_extent, tiles);
            }
        }
    }
}

impl ToJson for LevelRange {
    fn write(&self, json: &mut Json) {
        match self {
            Self::MaxScreenSize(size) => variant!(json, "MaxScreenSize", size),
            Self::Distance { min, max } => variant!(json, "Distance", min, max),
            Self::Number(number) => variant!(json, "Number", number),
        }
    }
}

impl ToJson for Outside {
    fn write(&self, json: &mut Json) {
        match self {
            Self::Clamp => "Clamp".write(json),
            Self::Rest => "Rest".write(json),
            Self::Wrap { start, end } => variant!(json, "Wrap", start, end),
        }
    }
}

impl<T: ToJson> Fields for Track<T> {
    fn fields(&self, json: &mut Json) {
        json.field("interpolation", &self.interpolation);
        json.field("outside", &self.outside);
        json.field("times", &self.times);
        json.field("values", &self.values);
        json.list("held_until", &self.held_until);
        if !self.tangents.is_empty() {
            json.array_field("tangents", |json| {
                self.tangents
                    .iter()
                    .for_each(|tangents| json.value(&[&tangents.incoming, &tangents.outgoing]));
            });
        }
    }
}

/// A channel whole: what it moves and its track.
impl ToJson for Channel {
    fn write(&self, json: &mut Json) {
        json.object(|json| {
            let (kind, id, layer, property) = match self.target {
                Target::Node(id, property) => ("Node", id.0, None, format!("{property:?}")),
                Target::Mesh(id, property) => ("Mesh", id.0, None, format!("{property:?}")),
                Target::Layer(id, layer, property) => ("Layer", id.0, Some(layer), format!("{property:?}")),
                Target::Light(id, property) => ("Light", id.0, None, format!("{property:?}")),
                Target::Camera(id, property) => ("Camera", id.0, None, format!("{property:?}")),
                Target::Emitter(id, property) => ("Emitter", id.0, None, format!("{property:?}")),
                Target::Ribbon(id, property) => ("Ribbon", id.0, None, format!("{property:?}")),
            };
            json.field("target", kind);
            json.field("id", &id);
            json.optional("layer", layer);
            json.field("property", &property);
            match &self.curve {
                Curve::Flag(track) => track.fields(json),
                Curve::Index(track) => track.fields(json),
                Curve::Scalar(track) => track.fields(json),
                Curve::Vector(track) => track.fields(json),
                Curve::Rotation(track) => track.fields(json),
            }
        });
    }
}

/// The times of any track.
pub(crate) fn times(curve: &Curve) -> &[f32] {
    match curve {
        Curve::Flag(track) => &track.times,
        Curve::Index(track) => &track.times,
        Curve::Scalar(track) => &track.times,
        Curve::Vector(track) => &track.times,
        Curve::Rotation(track) => &track.times,
    }
}

/// `extras.meshwright` with what `fill` puts in it, or nothing if that is nothing.
pub(crate) fn extras(json: &mut Json, fill: impl FnOnce(&mut Json)) {
    json.nested_unless_empty(["extras", "meshwright"], fill);
}

/// Of a material: where it comes from and all that makes it.
pub(crate) fn material(json: &mut Json, id: MaterialId, material: &Material) {
    json.object_field("extras", |json| {
        json.object_field("meshwright", |json| {
            json.field("material", &id);
            material.fields(json);
        });
    });
}

/// Of a mesh.
pub(crate) fn mesh(json: &mut Json, mesh: &Mesh) {
    extras(json, |json| {
        if !mesh.casts_shadow {
            json.field("casts_shadow", &false);
        }
        if mesh.collision != CollisionMask::NONE {
            json.field("collision", &mesh.collision);
        }
        if mesh.selection_group != 0 {
            json.field("selection_group", &mesh.selection_group);
        }
        json.flag("unselectable", mesh.unselectable);
        json.list("surface_types", &surface_runs(mesh));
        if !mesh.clip_bounds.is_empty() {
            json.optional("bounds", mesh.bounds.as_ref());
            // Most do not move so far that it makes a difference to them.
            if mesh.clip_bounds.iter().any(|bounds| mesh.bounds.as_ref() != Some(bounds)) {
                json.field("clip_bounds", &mesh.clip_bounds);
            }
        }
    });
}

/// Of a node, without what hangs on it.
pub(crate) fn node(json: &mut Json, node: &Node) {
    json.flag("bone", node.is_bone);
    if node.billboard != Billboard::None {
        json.field("billboard", &node.billboard);
    }
    if node.inherit != Inherit::ALL {
        json.field("inherit", &node.inherit);
    }
    json.flag("camera_anchored", node.camera_anchored);
    if !node.visible {
        json.field("visible", &false);
    }
}

impl ToJson for Bounds {
    fn write(&self, json: &mut Json) {
        // Every mesh has one for every clip.
        json.literal(r#"{"min":"#);
        self.min.write(json);
        json.literal(r#","max":"#);
        self.max.write(json);
        // The middle of the box, unless it says otherwise.
        if self.center != self.min.midpoint(self.max) {
            json.field("center", &self.center);
        }
        json.literal(r#","radius":"#);
        self.radius.write(json);
        json.literal("}");
    }
}

/// Of an animation: the clip, its events, and the channels that glTF cannot say.
pub(crate) fn animation(
    json: &mut Json,
    scene: &Scene,
    clip: Option<&Clip>,
    duration: f32,
    left: &[&Channel],
) {
    extras(json, |json| {
        json.field("duration", &duration);
        let Some(clip) = clip else {
            json.field("global", &true);
            json.list("channels", left);
            return;
        };
        json.flag("looping", clip.looping);
        json.optional("source_start", clip.source_start);
        json.optional("frame_rate", clip.frame_rate);
        if clip.move_speed != 0.0 {
            json.field("move_speed", &clip.move_speed);
        }
        if clip.rarity != 0.0 {
            json.field("rarity", &clip.rarity);
        }
        json.optional("bounds", clip.bounds.as_ref());
        if !clip.events.is_empty() {
            json.array_field("events", |json| {
                for key in &clip.events {
                    json.object(|json| {
                        json.field("time", &key.time);
                        json.field("event", &key.event);
                        let event = scene.events.get(key.event.index());
                        json.optional("name", event.map(|event| &event.name));
                        json.optional("node", event.map(|event| event.node));
                    });
                }
            });
        }
        json.list("channels", left);
    });
}

impl<'a> Exporter<'a> {
    /// Of the scene.
    pub(crate) fn write_scene_extras(&self, json: &mut Json) {
        let scene = self.scene;
        json.optional("bounds", scene.bounds.as_ref());
        if scene.blend_time != 0.0 {
            json.field("blend_time", &scene.blend_time);
        }
        if !scene.global_sequences.is_empty() {
            let durations: Vec<f32> =
                scene.global_sequences.iter().map(|sequence| sequence.duration).collect();
            json.field("global_sequences", &durations);
        }
        json.list("levels", &scene.levels);
        json.list("textures", &scene.textures);
    }

    /// Of the nodes: all that hangs on them.
    pub(crate) fn attach_extras(&mut self) {
        let scene = self.scene;
        self.attach("lights", &scene.lights, |light| light.node);
        self.attach("attachments", &scene.attachments, |attachment| attachment.node);
        self.attach("events", &scene.events, |event| event.node);
        self.attach("collision_shapes", &scene.collision_shapes, |shape| shape.node);
        self.attach("emitters", &scene.emitters, |emitter| emitter.node);
        self.attach("primitives", &scene.primitives, |primitive| primitive.node);
        self.attach("dazzles", &scene.dazzles, |dazzle| dazzle.node);
        self.attach("sounds", &scene.sounds, |sound| sound.node);
        let ribbons: Vec<WithMaterial<'_>> = scene
            .ribbons
            .iter()
            .map(|ribbon| {
                let material = ribbon.material.and_then(|material| scene.materials.get(material.index()));
                WithMaterial { ribbon, material }
            })
            .collect();
        self.attach("ribbons", &ribbons, |ribbon| ribbon.ribbon.node);
        for (camera, &node) in scene.cameras.iter().zip(&self.nodes.cameras) {
            self.nodes.all[node as usize].extras.field("camera", camera);
        }
    }

    /// Puts things on their nodes, with their places, in lists.
    fn attach<T: ToJson>(&mut self, key: &str, items: &[T], node: impl Fn(&T) -> NodeId) {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&item| node(&items[item]));
        for group in order.chunk_by(|&a, &b| node(&items[a]) == node(&items[b])) {
            let place = node(&items[group[0]]).index();
            if place < self.scene.nodes.len() {
                self.nodes.all[place].extras.array_field(key, |json| {
                    for &item in group {
                        json.object(|json| {
                            json.field("id", &item);
                            json.field("is", &items[item]);
                        });
                    }
                });
            }
        }
    }
}

/// A ribbon and its looks, which are on no mesh.
struct WithMaterial<'a> {
    ribbon: &'a Ribbon,
    material: Option<&'a Material>,
}

impl ToJson for WithMaterial<'_> {
    fn write(&self, json: &mut Json) {
        json.object(|json| {
            macro_rules! fields {
                ($($field:ident)*) => { $(json.field(stringify!($field), &self.ribbon.$field);)* };
            }
            fields! {
                name height_above height_below alpha color life_span emission_rate rows columns texture_slot gravity visible
            }
            json.optional("material", self.material);
        });
    }
}
