//! A reader of GLB that knows nothing of the writer.

use meshwright_gltf::{Curves, Options, Report, write_glb};
use scene::Scene;
use serde_json::Value;

/// A GLB taken apart by the specification alone.
pub(crate) struct Read {
    pub(crate) json: Value,
    pub(crate) binary: Vec<u8>,
    pub(crate) report: Report,
}

impl Read {
    pub(crate) fn of(scene: &Scene, options: &Options) -> Self {
        let glb = write_glb(scene, options, &mut crate::gltf_scenes::pictures).expect("small enough");
        let word =
            |at: usize| u32::from_le_bytes(glb.bytes[at..at + 4].try_into().expect("four bytes")) as usize;
        assert_eq!(&glb.bytes[..4], b"glTF");
        assert_eq!((word(4), word(8)), (2, glb.bytes.len()));
        let json = word(12);
        assert_eq!(json % 4, 0);
        let binary = glb.bytes.get(28 + json..).unwrap_or_default().to_vec();
        let json = serde_json::from_slice(&glb.bytes[20..20 + json]).expect("valid JSON");
        Self { json, binary, report: glb.report }
    }

    pub(crate) fn plain(scene: &Scene) -> Self {
        Self::of(scene, &Options::default())
    }

    /// With everything that needs `KHR_animation_pointer`.
    pub(crate) fn animated(scene: &Scene) -> Self {
        Self::of(scene, &Options { material_animation: true, ..Options::default() })
    }

    /// With exact curves.
    pub(crate) fn cubic(scene: &Scene) -> Self {
        Self::of(scene, &Options { curves: Curves::Cubics, ..Options::default() })
    }

    /// The place of the animation with this name.
    pub(crate) fn animation(&self, name: &str) -> usize {
        let animations = self.json["animations"].as_array().into_iter().flatten();
        let mut names = animations.map(|animation| &animation["name"]);
        names.position(|found| found == name).unwrap_or_else(|| panic!("no animation {name}"))
    }

    /// The first node with this name.
    pub(crate) fn node(&self, name: &str) -> usize {
        let nodes = self.json["nodes"].as_array().into_iter().flatten();
        let mut names = nodes.map(|node| &node["name"]);
        names.position(|found| found == name).unwrap_or_else(|| panic!("no node {name}"))
    }

    /// The material that was made of the scene's of this name.
    pub(crate) fn material(&self, name: &str) -> &Value {
        let mut all = self.json["materials"].as_array().into_iter().flatten();
        let is_it = |material: &&Value| material["extras"]["meshwright"]["name"] == name;
        all.find(is_it).unwrap_or_else(|| panic!("no material {name}"))
    }

    pub(crate) fn at(&self, pointer: &str) -> &Value {
        self.json.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer}"))
    }

    pub(crate) fn count(&self, list: &str) -> usize {
        self.json[list].as_array().map_or(0, Vec::len)
    }

    /// The numbers of an accessor of floats.
    pub(crate) fn floats(&self, accessor: &Value) -> Vec<f32> {
        let accessor = &self.json["accessors"][number(accessor)];
        assert_eq!(accessor["componentType"], 5126);
        let view = &self.json["bufferViews"][number(&accessor["bufferView"])];
        let width = match accessor["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            other => panic!("a type of {other:?}"),
        };
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let bytes = &self.binary[start..start + number(&accessor["count"]) * width * 4];
        bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    }

    /// Interpolation, times and values of the first channel of an animation with this node and path.
    pub(crate) fn sampler(
        &self,
        animation: usize,
        node: usize,
        path: &str,
    ) -> Option<(String, Vec<f32>, Vec<f32>)> {
        let animation = &self.json["animations"][animation];
        let channels = animation["channels"].as_array()?;
        let found = channels.iter().find(|channel| {
            channel["target"]["node"].as_u64() == Some(node as u64) && channel["target"]["path"] == path
        })?;
        let sampler = &animation["samplers"][number(&found["sampler"])];
        let mode = sampler["interpolation"].as_str().unwrap_or("LINEAR").to_owned();
        Some((mode, self.floats(&sampler["input"]), self.floats(&sampler["output"])))
    }

    /// The same of the first channel whose pointer ends like this.
    pub(crate) fn pointed(&self, animation: usize, end: &str) -> (String, Vec<f32>, Vec<f32>) {
        let animation = &self.json["animations"][animation];
        let mut channels = animation["channels"].as_array().into_iter().flatten();
        let pointer = "/target/extensions/KHR_animation_pointer/pointer";
        let is_it =
            |channel: &Value| channel.pointer(pointer)?.as_str().map(|pointer| pointer.ends_with(end));
        let found = channels.find(|channel| is_it(channel) == Some(true)).expect("such a channel");
        let sampler = &animation["samplers"][number(&found["sampler"])];
        let mode = sampler["interpolation"].as_str().unwrap_or("LINEAR").to_owned();
        (mode, self.floats(&sampler["input"]), self.floats(&sampler["output"]))
    }

    pub(crate) fn pointers(&self) -> Vec<String> {
        let animations = self.json["animations"].as_array().into_iter().flatten();
        let channels =
            animations.flat_map(|animation| animation["channels"].as_array().into_iter().flatten());
        channels
            .filter_map(|channel| {
                channel
                    .pointer("/target/extensions/KHR_animation_pointer/pointer")?
                    .as_str()
                    .map(str::to_owned)
            })
            .collect()
    }
}

/// The numbers of a JSON array.
pub(crate) fn numbers(value: &Value) -> Vec<f32> {
    let items = value.as_array().unwrap_or_else(|| panic!("{value} is not an array"));
    items.iter().map(|item| item.as_f64().expect("a number") as f32).collect()
}

pub(crate) fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or(0) as usize
}
