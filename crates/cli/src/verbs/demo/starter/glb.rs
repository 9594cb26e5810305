//! A GLB as a modelling program would write it: plain names and custom properties, nothing of our own.

use serde_json::{Map, Value, json};

/// Triangles with a material.
#[derive(Default)]
pub(super) struct Surface {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    coordinates: Vec<[f32; 2]>,
    /// Two joints and the weight of the first, for each vertex of a skin.
    influences: Vec<([u8; 2], f32)>,
    indices: Vec<u16>,
}

/// The joints of a block from its lower end to its upper end.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub(super) lower: u8,
    pub(super) upper: u8,
}

impl Surface {
    /// A block between two corners.
    pub(super) fn block(min: [f32; 3], max: [f32; 3]) -> Self {
        Self::default().and_block(min, max)
    }

    /// Adds a block.
    pub(super) fn and_block(mut self, min: [f32; 3], max: [f32; 3]) -> Self {
        self.add(min, max, None);
        self
    }

    /// Adds a block that follows two joints along an axis: the ends follow one each.
    pub(super) fn and_bound(mut self, min: [f32; 3], max: [f32; 3], axis: usize, bound: Bound) -> Self {
        self.add(min, max, Some((axis, bound)));
        self
    }

    fn add(&mut self, min: [f32; 3], max: [f32; 3], bound: Option<(usize, Bound)>) {
        for axis in 0..3 {
            for (side, sign) in [(min, -1.0), (max, 1.0)] {
                // The two other axes, so that their cross product points along this one.
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let first = self.positions.len() as u16;
                for (at_u, at_v) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
                    let mut position = [0.0; 3];
                    position[axis] = side[axis];
                    position[u] = [min[u], max[u]][at_u];
                    position[v] = [min[v], max[v]][at_v];
                    let mut normal = [0.0; 3];
                    normal[axis] = sign;
                    self.positions.push(position);
                    self.normals.push(normal);
                    // Up is up in the picture, too: Y is the second axis of X faces' neighbours.
                    let picture = if axis == 0 { [at_v, 1 - at_u] } else { [at_u, 1 - at_v] };
                    self.coordinates.push(picture.map(|part| part as f32));
                    if let Some((along, Bound { lower, upper })) = bound {
                        let is_upper = position[along] == max[along];
                        let weight = if lower == upper { 1.0 } else { 0.5 };
                        let own = if is_upper { [upper, lower] } else { [lower, upper] };
                        self.influences.push((own, if is_upper { weight } else { 1.0 }));
                    }
                }
                let [a, b, c, d] = [0, 1, 2, 3].map(|corner| first + corner);
                let face = if sign > 0.0 { [a, b, c, a, c, d] } else { [a, c, b, a, d, c] };
                self.indices.extend(face);
            }
        }
    }
}

/// A GLB in the making.
#[derive(Default)]
pub(super) struct Glb {
    nodes: Vec<Value>,
    parents: Vec<Option<usize>>,
    places: Vec<[f32; 3]>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    textures: Vec<Value>,
    images: Vec<Value>,
    animations: Vec<Value>,
    skins: Vec<Value>,
    cameras: Vec<Value>,
    accessors: Vec<Value>,
    views: Vec<Value>,
    bytes: Vec<u8>,
}

/// What a clip moves: a node, `rotation`, `translation` or `scale`, and the value at each time.
pub(super) struct Track<'t> {
    pub(super) node: usize,
    pub(super) path: &'static str,
    pub(super) times: &'t [f32],
    pub(super) values: Vec<Vec<f32>>,
    /// Values hold until the next.
    pub(super) steps: bool,
}

impl Glb {
    fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": bytes.len() }));
        self.views.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes);
        self.accessors
            .push(json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }));
        self.accessors.len() - 1
    }

    /// Floats with their least and greatest values, which some accessors need.
    fn floats<const N: usize>(&mut self, values: &[[f32; N]], kind: &str) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let accessor = self.accessor(&bytes, 5126, kind, values.len());
        let edge = |pick: fn(f32, f32) -> f32, start: f32| {
            let fold = |edge: [f32; N], value: &[f32; N]| std::array::from_fn(|at| pick(edge[at], value[at]));
            values.iter().fold([start; N], fold).to_vec()
        };
        self.accessors[accessor]["min"] = json!(edge(f32::min, f32::INFINITY));
        self.accessors[accessor]["max"] = json!(edge(f32::max, f32::NEG_INFINITY));
        accessor
    }

    /// A texture with its picture; returns its index.
    pub(super) fn texture(&mut self, name: &str, png: &[u8]) -> usize {
        let view = self.view(png);
        self.images.push(json!({ "name": name, "mimeType": "image/png", "bufferView": view }));
        self.textures.push(json!({ "source": self.images.len() - 1 }));
        self.textures.len() - 1
    }

    pub(super) fn material(&mut self, material: Value) -> usize {
        self.materials.push(material);
        self.materials.len() - 1
    }

    fn mesh(&mut self, name: &str, surface: &Surface, material: usize) -> usize {
        let mut attributes = Map::new();
        attributes.insert("POSITION".into(), self.floats(&surface.positions, "VEC3").into());
        attributes.insert("NORMAL".into(), self.floats(&surface.normals, "VEC3").into());
        attributes.insert("TEXCOORD_0".into(), self.floats(&surface.coordinates, "VEC2").into());
        if !surface.influences.is_empty() {
            let joints: Vec<u8> = surface
                .influences
                .iter()
                .flat_map(|([a, b], weight)| [*a, if *weight < 1.0 { *b } else { 0 }, 0, 0])
                .collect();
            let count = surface.influences.len();
            attributes.insert("JOINTS_0".into(), self.accessor(&joints, 5121, "VEC4", count).into());
            let weights: Vec<[f32; 4]> =
                surface.influences.iter().map(|(_, weight)| [*weight, 1.0 - weight, 0.0, 0.0]).collect();
            attributes.insert("WEIGHTS_0".into(), self.floats(&weights, "VEC4").into());
        }
        let indices: Vec<u8> = surface.indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let indices = self.accessor(&indices, 5123, "SCALAR", surface.indices.len());
        let primitive = json!({ "attributes": attributes, "indices": indices, "material": material });
        self.meshes.push(json!({ "name": name, "primitives": [primitive] }));
        self.meshes.len() - 1
    }

    /// An empty, or a bone; `properties` are its custom properties.
    pub(super) fn empty(
        &mut self,
        name: &str,
        parent: Option<usize>,
        at: [f32; 3],
        properties: Value,
    ) -> usize {
        let mut node = json!({ "name": name });
        if at != [0.0; 3] {
            node["translation"] = json!(at);
        }
        if !properties.is_null() {
            node["extras"] = properties;
        }
        self.nodes.push(node);
        self.parents.push(parent);
        self.places.push(at);
        self.nodes.len() - 1
    }

    /// An object with a mesh.
    pub(super) fn object(
        &mut self,
        name: &str,
        parent: Option<usize>,
        at: [f32; 3],
        (surface, material): (&Surface, usize),
        properties: Value,
    ) -> usize {
        let mesh = self.mesh(name, surface, material);
        let node = self.empty(name, parent, at, properties);
        self.nodes[node]["mesh"] = json!(mesh);
        node
    }

    /// A mesh that bones move.
    pub(super) fn skinned(
        &mut self,
        name: &str,
        skin: usize,
        (surface, material): (&Surface, usize),
        properties: Value,
    ) -> usize {
        let node = self.object(name, None, [0.0; 3], (surface, material), properties);
        self.nodes[node]["skin"] = json!(skin);
        node
    }

    /// A skin of bones that are not turned at rest.
    pub(super) fn skin(&mut self, name: &str, joints: &[usize]) -> usize {
        let inverse = |joint: &usize| {
            let chain = std::iter::successors(Some(*joint), |node| self.parents[*node]);
            let mut matrix = [0.0; 16];
            [0, 5, 10, 15].iter().for_each(|at| matrix[*at] = 1.0);
            for node in chain {
                (0..3).for_each(|axis| matrix[12 + axis] -= self.places[node][axis]);
            }
            matrix
        };
        let matrices: Vec<[f32; 16]> = joints.iter().map(inverse).collect();
        let matrices = self.floats(&matrices, "MAT4");
        self.skins.push(json!({ "name": name, "joints": joints, "inverseBindMatrices": matrices }));
        self.skins.len() - 1
    }

    /// A camera, which looks along -Z of its node.
    pub(super) fn camera(&mut self, name: &str, at: [f32; 3], far: f32) {
        let lens = json!({ "yfov": 0.7, "znear": far / 1000.0, "zfar": far });
        self.cameras.push(json!({ "name": name, "type": "perspective", "perspective": lens }));
        let node = self.empty(name, None, at, Value::Null);
        self.nodes[node]["camera"] = json!(self.cameras.len() - 1);
    }

    /// A clip with the custom properties of its action.
    pub(super) fn clip(&mut self, name: &str, properties: Value, tracks: Vec<Track<'_>>) {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for Track { node, path, times, values, steps } in tracks {
            let times: Vec<[f32; 1]> = times.iter().map(|time| [*time]).collect();
            let input = self.floats(&times, "SCALAR");
            let numbers =
                |value: &Vec<f32>| value.iter().flat_map(|part| part.to_le_bytes()).collect::<Vec<u8>>();
            let bytes: Vec<u8> = values.iter().flat_map(numbers).collect();
            let kind = if path == "rotation" { "VEC4" } else { "VEC3" };
            let output = self.accessor(&bytes, 5126, kind, values.len());
            let interpolation = if steps { "STEP" } else { "LINEAR" };
            samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
            let target = json!({ "node": node, "path": path });
            channels.push(json!({ "sampler": samplers.len() - 1, "target": target }));
        }
        let mut clip = json!({ "name": name, "samplers": samplers, "channels": channels });
        if !properties.is_null() {
            clip["extras"] = properties;
        }
        self.animations.push(clip);
    }

    /// The file. Blender does not import the properties of actions, but it does those of the scene.
    pub(super) fn finish(mut self, name: &str, scene_properties: Value) -> Vec<u8> {
        for (node, parent) in self.parents.iter().enumerate() {
            let Some(parent) = parent else { continue };
            match self.nodes[*parent].get_mut("children").and_then(Value::as_array_mut) {
                Some(children) => children.push(json!(node)),
                None => self.nodes[*parent]["children"] = json!([node]),
            }
        }
        let roots: Vec<usize> = (0..self.nodes.len()).filter(|node| self.parents[*node].is_none()).collect();
        let mut scene = json!({ "name": name, "nodes": roots });
        if !scene_properties.is_null() {
            scene["extras"] = scene_properties;
        }
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "starter model" },
            "scene": 0,
            "scenes": [scene],
            "nodes": self.nodes,
            "buffers": [{ "byteLength": self.bytes.len() }],
            "bufferViews": self.views,
            "accessors": self.accessors,
        });
        let lists = [
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("textures", self.textures),
            ("images", self.images),
            ("animations", self.animations),
            ("skins", self.skins),
            ("cameras", self.cameras),
        ];
        for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            document[key] = list.into();
        }
        let mut text = document.to_string().into_bytes();
        while !text.len().is_multiple_of(4) {
            text.push(b' ');
        }
        let mut file = b"glTF".to_vec();
        let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
        file.extend(word(2));
        file.extend(word(12 + 8 + text.len() + 8 + self.bytes.len()));
        file.extend(word(text.len()));
        file.extend(b"JSON");
        file.extend(text);
        file.extend(word(self.bytes.len()));
        file.extend(b"BIN\0");
        file.extend(self.bytes);
        file
    }
}
