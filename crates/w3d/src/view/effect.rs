//! Objects other than meshes: lights, emitters, collision boxes, effects, sounds.

use record::{Handle, Node, Pod, Vec3, views};

use super::slot_values;
use crate::Chunk;
use crate::records::{
    self, AlphaVectorKey, EmitterBlurTimeHeader, EmitterColorKey, EmitterExtraInfo, EmitterFrameHeader,
    EmitterHeader, EmitterInfo, EmitterInfo2, EmitterKey, EmitterLineProperties, EmitterProperties,
    EmitterRotationHeader, FloatKey, LightAttenuation, LightInfo, LightTransform, Pulse, RingDef,
    SoundHeader, SphereDef, SpotLight5, SpotLightInfo, Vec2Key, Vec3Key,
};
use crate::table::{self, channel, ring, sound, sphere};

views! {
    /// A `POINTS` chunk: points that the level editor snaps together.
    Points, PointsMut of table::POINTS;
    /// A `LIGHT` chunk.
    Light, LightMut of table::LIGHT;
    /// An `EMITTER` chunk: a particle emitter.
    Emitter, EmitterMut of table::EMITTER;
    /// A `BOX` chunk: a collision box.
    CollisionBox, CollisionBoxMut of table::BOX;
    /// A `SPHERE` chunk: a sphere effect.
    Sphere, SphereMut of table::SPHERE;
    /// A `RING` chunk: a ring effect.
    Ring, RingMut of table::RING;
    /// A `NULL_OBJECT` chunk: an object that shows nothing.
    NullObject, NullObjectMut of table::NULL_OBJECT;
    /// A `LIGHTSCAPE` chunk: the lights of a Lightscape solution.
    Lightscape, LightscapeMut of table::LIGHTSCAPE;
    /// A `LIGHTSCAPE_LIGHT` chunk: a light and its transform.
    LightscapeLight, LightscapeLightMut of table::LIGHTSCAPE_LIGHT;
    /// A `DAZZLE` chunk: a glare.
    Dazzle, DazzleMut of table::DAZZLE;
    /// A `SOUNDROBJ` chunk: a sound.
    Sound, SoundMut of table::SOUNDROBJ;
}

impl<'n> Points<'n> {
    /// The points.
    pub fn points(&self) -> &'n [Vec3] {
        self.0.values()
    }
}

impl<'n> Light<'n> {
    /// Type and colours.
    pub fn info(&self) -> Option<&'n LightInfo> {
        self.get(table::LIGHT_INFO)
    }

    /// Direction and cone of a spot light.
    pub fn spot(&self) -> Option<&'n SpotLightInfo> {
        self.get(table::SPOT_LIGHT_INFO)
    }

    /// Cones of a spot light (Tiberian Technologies 5.x).
    pub fn spot_cones(&self) -> Option<&'n SpotLight5> {
        self.get(table::SPOT_LIGHT_INFO_5_0)
    }

    /// The distance range in which it becomes visible.
    pub fn near_attenuation(&self) -> Option<&'n LightAttenuation> {
        self.get(table::NEAR_ATTENUATION)
    }

    /// The distance range in which it fades out.
    pub fn far_attenuation(&self) -> Option<&'n LightAttenuation> {
        self.get(table::FAR_ATTENUATION)
    }

    /// How it pulses (Tiberian Technologies 5.x).
    pub fn pulse(&self) -> Option<&'n Pulse> {
        self.get(table::PULSE)
    }
}

impl<'n> Emitter<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n EmitterHeader> {
        self.get(table::EMITTER_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// Size, life and motion of its particles.
    pub fn info(&self) -> Option<&'n EmitterInfo> {
        self.get(table::EMITTER_INFO)
    }

    /// Bursts, volumes and shader.
    pub fn info2(&self) -> Option<&'n EmitterInfo2> {
        self.get(table::EMITTER_INFOV2)
    }

    /// The file of its texture.
    pub fn texture_name(&self) -> String {
        self.info().map(|info| info.texture_filename.to_string()).unwrap_or_default()
    }

    /// Randomness of colours, opacities and sizes.
    pub fn properties(&self) -> Option<&'n EmitterProperties> {
        self.get(table::EMITTER_PROPS)
    }

    fn property_keys<T: Pod>(&self, name: &str) -> &'n [T] {
        slot_values(self.0.child(&table::EMITTER_PROPS), name)
    }

    /// Colours over time.
    pub fn colors(&self) -> &'n [EmitterColorKey] {
        self.property_keys("colors")
    }

    /// Opacities over time.
    pub fn opacities(&self) -> &'n [EmitterKey] {
        self.property_keys("opacities")
    }

    /// Sizes over time.
    pub fn sizes(&self) -> &'n [EmitterKey] {
        self.property_keys("sizes")
    }

    /// Rotation of particles over time: the header, then the keys.
    pub fn rotations(&self) -> (Option<&'n EmitterRotationHeader>, &'n [EmitterKey]) {
        let handle = table::EMITTER_ROTATION_KEYFRAMES;
        (self.get(handle), slot_values(self.0.child(&handle), "keys"))
    }

    /// Texture frame of particles over time: the header, then the keys.
    pub fn frames(&self) -> (Option<&'n EmitterFrameHeader>, &'n [EmitterKey]) {
        let handle = table::EMITTER_FRAME_KEYFRAMES;
        (self.get(handle), slot_values(self.0.child(&handle), "keys"))
    }

    /// Tail length of particles over time: the header, then the keys.
    pub fn blur_times(&self) -> (Option<&'n EmitterBlurTimeHeader>, &'n [EmitterKey]) {
        let handle = table::EMITTER_BLUR_TIME_KEYFRAMES;
        (self.get(handle), slot_values(self.0.child(&handle), "keys"))
    }

    /// Settings of line particles.
    pub fn line_properties(&self) -> Option<&'n EmitterLineProperties> {
        self.get(table::EMITTER_LINE_PROPERTIES)
    }

    /// When it starts (Zero Hour, Earth & Beyond).
    pub fn extra_info(&self) -> Option<&'n EmitterExtraInfo> {
        self.get(table::EMITTER_EXTRA_INFO)
    }

    /// A string for the application.
    pub fn user_text(&self) -> Option<String> {
        self.0.child(&table::EMITTER_USER_DATA)?.text().map(|text| record::decode(text).into_owned())
    }
}

impl<'n> CollisionBox<'n> {
    /// Its definition.
    pub fn header(&self) -> Option<&'n records::CollisionBox> {
        self.0.value()
    }

    /// Its full name, `Container.Box`.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }
}

impl<'n> NullObject<'n> {
    /// Its definition.
    pub fn header(&self) -> Option<&'n records::NullObject> {
        self.0.value()
    }

    /// Its full name, `Container.Object`.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }
}

/// The keys of a channel of a sphere or ring.
macro_rules! keys {
    ($view:expr, $channel:expr, $module:ident) => {
        $view
            .get($channel)
            .and_then(|channel| channel.get(channel::$module::VARIABLES))
            .into_iter()
            .flat_map(|variables: &'n Node<'n>| variables.get_all(channel::$module::keys::KEY))
            .flatten()
    };
}

impl<'n> Sphere<'n> {
    /// Its definition.
    pub fn header(&self) -> Option<&'n SphereDef> {
        self.get(sphere::SPHERE_DEF)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// The file of its texture.
    pub fn texture_name(&self) -> String {
        self.header().map(|header| header.texture_name.to_string()).unwrap_or_default()
    }

    /// Colours over time.
    pub fn colors(&self) -> impl Iterator<Item = &'n Vec3Key> + use<'n> {
        keys!(self, sphere::COLOR_CHANNEL, vec3)
    }

    /// Alphas over time.
    pub fn alphas(&self) -> impl Iterator<Item = &'n FloatKey> + use<'n> {
        keys!(self, sphere::ALPHA_CHANNEL, float)
    }

    /// Scales over time.
    pub fn scales(&self) -> impl Iterator<Item = &'n Vec3Key> + use<'n> {
        keys!(self, sphere::SCALE_CHANNEL, vec3)
    }

    /// Directions of the gradient over time.
    pub fn vectors(&self) -> impl Iterator<Item = &'n AlphaVectorKey> + use<'n> {
        keys!(self, sphere::VECTOR_CHANNEL, alpha_vector)
    }
}

impl<'n> Ring<'n> {
    /// Its definition.
    pub fn header(&self) -> Option<&'n RingDef> {
        self.get(ring::RING_DEF)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// The file of its texture.
    pub fn texture_name(&self) -> String {
        self.header().map(|header| header.texture_name.to_string()).unwrap_or_default()
    }

    /// Colours over time.
    pub fn colors(&self) -> impl Iterator<Item = &'n Vec3Key> + use<'n> {
        keys!(self, ring::COLOR_CHANNEL, vec3)
    }

    /// Alphas over time.
    pub fn alphas(&self) -> impl Iterator<Item = &'n FloatKey> + use<'n> {
        keys!(self, ring::ALPHA_CHANNEL, float)
    }

    /// Scales of the inner edge over time.
    pub fn inner_scales(&self) -> impl Iterator<Item = &'n Vec2Key> + use<'n> {
        keys!(self, ring::INNER_SCALE_CHANNEL, vec2)
    }

    /// Scales of the outer edge over time.
    pub fn outer_scales(&self) -> impl Iterator<Item = &'n Vec2Key> + use<'n> {
        keys!(self, ring::OUTER_SCALE_CHANNEL, vec2)
    }
}

impl<'n> Lightscape<'n> {
    /// Its lights.
    pub fn lights(&self) -> impl Iterator<Item = LightscapeLight<'n>> + use<'n> {
        self.0.children().iter().filter_map(LightscapeLight::new)
    }
}

impl<'n> LightscapeLight<'n> {
    /// Its transform.
    pub fn transform(&self) -> Option<&'n LightTransform> {
        self.get(table::LIGHT_TRANSFORM)
    }

    /// The light.
    pub fn light(&self) -> Option<Light<'n>> {
        self.get(table::LIGHT).map(Light)
    }
}

impl Dazzle<'_> {
    /// Its full name, `Container.Dazzle`.
    pub fn name(&self) -> String {
        self.get(table::DAZZLE_NAME).unwrap_or_default().into_owned()
    }

    /// Its type in `dazzle.ini`.
    pub fn type_name(&self) -> String {
        self.get(table::DAZZLE_TYPENAME).unwrap_or_default().into_owned()
    }
}

impl<'n> Sound<'n> {
    /// Its header.
    pub fn header(&self) -> Option<&'n SoundHeader> {
        self.get(table::SOUNDROBJ_HEADER)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.header().map(|header| header.name.to_string()).unwrap_or_default()
    }

    /// A variable of its definition: `sound.variable(sound::variables::VOLUME)`.
    pub fn variable<T: Pod>(&self, handle: Handle<T, Chunk>) -> Option<&'n T> {
        self.variables()?.get(handle)
    }

    /// The file that is played.
    pub fn file_name(&self) -> String {
        let name = self.variables().and_then(|variables| variables.get(sound::variables::FILENAME));
        name.unwrap_or_default().into_owned()
    }

    fn variables(&self) -> Option<&'n Node<'n>> {
        self.get(table::SOUNDROBJ_DEFINITION)?.get(sound::VARIABLES)
    }
}
