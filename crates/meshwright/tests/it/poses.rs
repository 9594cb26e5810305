//! Mirrors, uneven scale, shear by hierarchy, negative determinants and rotation below all of them: every vertex of a glTF file is where glTF's
//! formula has it, faces the side that it has there and has its normal, as MDX and as W3D. The formula is evaluated here, in double precision,
//! without a line of the library.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use meshwright::convert::author::w3d::Profile;
use meshwright::scene::{ClipId, Deformed, Moment, NoteKind, Report, Sampler, Scene, skin};
use meshwright::{MdxOptions, Model, W3dOptions, scene_from_glb};
use serde_json::{Value, json};

type Vector = [f64; 3];
type Quaternion = [f64; 4];

/// A matrix of three rows; the last number of each is the translation.
#[derive(Clone, Copy, Debug)]
struct Matrix([[f64; 4]; 3]);

impl Matrix {
    const IDENTITY: Self = Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

    /// `T · R · S` of a node.
    fn node(translation: Vector, [x, y, z, w]: Quaternion, scale: Vector) -> Self {
        let turn = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        Self(std::array::from_fn(|row| {
            let [a, b, c] = turn[row];
            [a * scale[0], b * scale[1], c * scale[2], translation[row]]
        }))
    }

    fn times(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let sum: f64 = (0..3).map(|part| self.0[row][part] * other.0[part][column]).sum();
                sum + if column == 3 { self.0[row][3] } else { 0.0 }
            })
        }))
    }

    fn point(&self, point: Vector) -> Vector {
        std::array::from_fn(|row| {
            (0..3).map(|part| self.0[row][part] * point[part]).sum::<f64>() + self.0[row][3]
        })
    }

    /// The cofactor of an element of the upper 3 x 3.
    fn cofactor(&self, row: usize, column: usize) -> f64 {
        let at = |r: usize, c: usize| self.0[(row + r) % 3][(column + c) % 3];
        at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
    }

    fn determinant(&self) -> f64 {
        (0..3).map(|column| self.0[0][column] * self.cofactor(0, column)).sum()
    }

    fn inverse(&self) -> Self {
        let determinant = self.determinant();
        let mut inverse = Self::IDENTITY;
        for row in 0..3 {
            for column in 0..3 {
                inverse.0[row][column] = self.cofactor(column, row) / determinant;
            }
        }
        let back = inverse.point([0, 1, 2].map(|row| self.0[row][3]));
        (0..3).for_each(|row| inverse.0[row][3] = -back[row]);
        inverse
    }

    /// A normal: the inverse transpose, to unit length.
    fn normal(&self, normal: Vector) -> Vector {
        let determinant = self.determinant();
        unit(std::array::from_fn(|row| {
            (0..3).map(|part| self.cofactor(row, part) / determinant * normal[part]).sum()
        }))
    }

    /// Whether the matrix has the same scale in all directions.
    fn is_even(&self) -> bool {
        let column = |column: usize| [0, 1, 2].map(|row| self.0[row][column]);
        let size = dot(column(0), column(0));
        (0..3).all(|a| {
            (0..3).all(|b| (dot(column(a), column(b)) - if a == b { size } else { 0.0 }).abs() < 1e-4 * size)
        })
    }
}

fn dot(a: Vector, b: Vector) -> f64 {
    (0..3).map(|part| a[part] * b[part]).sum()
}

fn unit(vector: Vector) -> Vector {
    let length = dot(vector, vector).sqrt();
    vector.map(|part| part / length)
}

fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|part| a[part] - b[part])
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn turn(axis: Vector, angle: f64) -> Quaternion {
    let [x, y, z] = unit(axis);
    let (sine, cosine) = (angle / 2.0).sin_cos();
    [x * sine, y * sine, z * sine, cosine]
}

/// glTF's spherical interpolation.
fn slerp(a: Quaternion, b: Quaternion, share: f64) -> Quaternion {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let angle = (dot.abs().min(1.0)).acos();
    if angle < 1e-6 {
        return a;
    }
    let (from, to) = (((1.0 - share) * angle).sin() / angle.sin(), (share * angle).sin() / angle.sin());
    std::array::from_fn(|part| a[part] * from + sign * b[part] * to)
}

/// What one file has.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// The first node is mirrored along one axis.
    mirror: bool,
    /// The first node has another scale along each axis.
    uneven: bool,
    /// The second node has another scale along each axis, and the third is turned below it.
    shear: bool,
    /// The third node has a negative scale along all axes.
    negative: bool,
    /// The third node turns while the clip plays.
    turns: bool,
    /// A skin of the second and the third node instead of a mesh on the third.
    skinned: bool,
    /// Vertices of the skin follow both of its joints.
    blended: bool,
}

impl Case {
    fn all() -> Vec<Self> {
        let mut cases = Vec::new();
        for bits in 0..32_u8 {
            let has = |bit: u8| bits >> bit & 1 == 1;
            for (skinned, blended) in [(false, false), (true, false), (true, true)] {
                let [mirror, uneven, shear, negative, turns] = [0, 1, 2, 3, 4].map(has);
                cases.push(Self { mirror, uneven, shear, negative, turns, skinned, blended });
            }
        }
        cases
    }

    /// Translation, rotation and scale of the three nodes at rest.
    fn rest(&self) -> [(Vector, Quaternion, Vector); 3] {
        let mut first = if self.uneven { [1.0, 2.0, 0.5] } else { [1.0; 3] };
        first[0] *= if self.mirror { -1.0 } else { 1.0 };
        let still = [0.0, 0.0, 0.0, 1.0];
        let second = if self.shear { [1.5, 1.0, 0.75] } else { [1.0; 3] };
        let turned = if self.shear { turn([1.0, 2.0, -1.0], 0.6) } else { still };
        let third = if self.negative { [-1.25; 3] } else { [1.0; 3] };
        [([1.0, 2.0, 0.5], still, first), ([3.0, 0.0, 1.0], still, second), ([0.0, 2.0, 0.0], turned, third)]
    }

    /// The keys of the third node's rotation.
    fn keys(&self) -> Vec<(f64, Quaternion)> {
        let [.., (_, [x, y, z, w], _)] = self.rest();
        let key = |index: u8| {
            let [a, b, c, d] = turn([0.3, 1.0, 0.4], -0.8 * f64::from(index) / 10.0);
            // The rest rotation first, then the turn in the node's own space.
            let turned = [
                w * a + x * d + y * c - z * b,
                w * b - x * c + y * d + z * a,
                w * c + x * b - y * a + z * d,
                w * d - x * a - y * b - z * c,
            ];
            (f64::from(index) / 10.0, turned)
        };
        (0..=10).map(key).collect()
    }

    /// The global matrices of the nodes at a time of the clip, or at rest.
    fn globals(&self, time: Option<f64>) -> [Matrix; 3] {
        let [first, mut second, mut third] = self.rest();
        if let Some(time) = time {
            second.0 = [3.0 + 0.5 * time, time, 1.0];
            if self.turns {
                let keys = self.keys();
                let after = keys.iter().position(|key| key.0 > time).unwrap_or(keys.len() - 1).max(1);
                let (start, end) = (keys[after - 1], keys[after]);
                third.1 = slerp(start.1, end.1, ((time - start.0) / (end.0 - start.0)).clamp(0.0, 1.0));
            }
        }
        let [first, second, third] = [first, second, third].map(|(t, r, s)| Matrix::node(t, r, s));
        let second = first.times(&second);
        [first, second, second.times(&third)]
    }

    /// Corners of four flat faces, with their normals. Those of a skin are where the rest pose has them.
    fn vertices(&self) -> Vec<(Vector, Vector)> {
        let corners = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]];
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mut vertices = Vec::new();
        let globals = self.globals(None);
        for face in faces {
            let mut places: [Vector; 3] = face.map(|corner: usize| corners[corner]);
            if self.skinned {
                places = places.map(|place| globals[2].point(place));
                if globals[2].determinant() < 0.0 {
                    places.swap(1, 2);
                }
            }
            let normal = unit(cross(minus(places[1], places[0]), minus(places[2], places[0])));
            vertices.extend(places.map(|place| (place, normal)));
        }
        // What the file has.
        let single = |vector: Vector| vector.map(|part| f64::from(part as f32));
        vertices.into_iter().map(|(place, normal)| (single(place), single(normal))).collect()
    }

    /// The weights of the two joints.
    fn weights(&self, vertex: usize) -> [f64; 2] {
        match vertex / 3 % 2 {
            0 if self.blended => [0.5, 0.5],
            0 => [1.0, 0.0],
            _ => [0.0, 1.0],
        }
    }

    /// The matrix that moves a vertex: that of the node, or the weighted sum of joint matrices.
    fn matrix(&self, vertex: usize, time: Option<f64>) -> Matrix {
        let globals = self.globals(time);
        if !self.skinned {
            return globals[2];
        }
        let rest = self.globals(None);
        let weights = self.weights(vertex);
        let joints = [1, 2].map(|node| globals[node].times(&rest[node].inverse()));
        Matrix(std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                (0..2).map(|joint| joints[joint].0[row][column] * weights[joint]).sum()
            })
        }))
    }

    /// The file.
    fn glb(&self) -> Vec<u8> {
        let mut file = Builder::default();
        let vertices = self.vertices();
        let positions = file.floats(vertices.iter().map(|(place, _)| place.to_vec()), "VEC3");
        let normals = file.floats(vertices.iter().map(|(_, normal)| normal.to_vec()), "VEC3");
        // The coordinates tell vertices apart.
        let numbers = file.floats((0..12).map(|vertex| vec![(f64::from(vertex) + 0.5) / 16.0, 0.5]), "VEC2");
        let mut attributes = json!({"POSITION": positions, "NORMAL": normals, "TEXCOORD_0": numbers});
        let mut nodes: Vec<Value> = Vec::new();
        for (name, (t, r, s)) in ["Base", "Middle", "End"].into_iter().zip(self.rest()) {
            nodes.push(json!({"name": name, "translation": t, "rotation": r, "scale": s}));
        }
        nodes[0]["children"] = json!([1]);
        nodes[1]["children"] = json!([2]);
        let mut roots = vec![0];
        let mut skins = Vec::new();
        if self.skinned {
            let joints: Vec<u8> = (0..12).flat_map(|_| [0, 1, 0, 0]).collect();
            attributes["JOINTS_0"] = file.bytes(&joints, 12, "VEC4", 5121);
            let weights = (0..12).map(|vertex| {
                let [a, b] = self.weights(vertex);
                vec![a, b, 0.0, 0.0]
            });
            attributes["WEIGHTS_0"] = file.floats(weights, "VEC4");
            let rest = self.globals(None);
            let binds = [1, 2].map(|node: usize| {
                let inverse = rest[node].inverse();
                let mut columns = Vec::new();
                for column in 0..4 {
                    columns.extend((0..3).map(|row| inverse.0[row][column]));
                    columns.push(if column == 3 { 1.0 } else { 0.0 });
                }
                columns
            });
            let binds = file.floats(binds.into_iter(), "MAT4");
            skins.push(json!({"joints": [1, 2], "inverseBindMatrices": binds}));
            nodes.push(json!({"name": "Hull", "mesh": 0, "skin": 0}));
            roots.push(3);
        } else {
            nodes[2]["mesh"] = json!(0);
        }
        let times = file.floats([0.0, 1.0].map(|time| vec![time]).into_iter(), "SCALAR");
        let moved = file.floats([vec![3.0, 0.0, 1.0], vec![3.5, 1.0, 1.0]].into_iter(), "VEC3");
        let mut samplers = vec![json!({"input": times, "output": moved})];
        let mut channels = vec![json!({"sampler": 0, "target": {"node": 1, "path": "translation"}})];
        if self.turns {
            let keys = self.keys();
            let times = file.floats(keys.iter().map(|(time, _)| vec![*time]), "SCALAR");
            let turned = file.floats(keys.iter().map(|(_, turned)| turned.to_vec()), "VEC4");
            samplers.push(json!({"input": times, "output": turned}));
            channels.push(json!({"sampler": 1, "target": {"node": 2, "path": "rotation"}}));
        }
        let mut document = json!({
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": roots}],
            "nodes": nodes,
            "meshes": [{"name": "Hull", "primitives": [{"attributes": attributes}]}],
            "animations": [{"name": "Stand", "samplers": samplers, "channels": channels}],
        });
        if !skins.is_empty() {
            document["skins"] = json!(skins);
        }
        file.finish(document)
    }
}

/// The buffer of a GLB and its accessors.
#[derive(Default)]
struct Builder {
    buffer: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Builder {
    fn bytes(&mut self, bytes: &[u8], count: usize, kind: &str, component: u32) -> Value {
        self.views.push(json!({"buffer": 0, "byteOffset": self.buffer.len(), "byteLength": bytes.len()}));
        self.buffer.extend(bytes);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind,
        }));
        json!(self.accessors.len() - 1)
    }

    fn floats(&mut self, rows: impl Iterator<Item = Vec<f64>>, kind: &str) -> Value {
        let rows: Vec<Vec<f64>> = rows.collect();
        let bytes: Vec<u8> =
            rows.iter().flatten().flat_map(|number| (*number as f32).to_le_bytes()).collect();
        let accessor = self.bytes(&bytes, rows.len(), kind, 5126);
        let bound = |choose: fn(f64, f64) -> f64| -> Vec<f32> {
            let width = rows[0].len();
            let of = |part: usize| rows.iter().map(|row| row[part]).reduce(choose).unwrap_or_default() as f32;
            (0..width).map(of).collect()
        };
        let last = self.accessors.last_mut().expect("it was added");
        last["min"] = json!(bound(f64::min));
        last["max"] = json!(bound(f64::max));
        accessor
    }

    fn finish(self, mut document: Value) -> Vec<u8> {
        document["buffers"] = json!([{"byteLength": self.buffer.len()}]);
        document["bufferViews"] = json!(self.views);
        document["accessors"] = json!(self.accessors);
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let word = |number: usize| u32::try_from(number).expect("small").to_le_bytes();
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend(word(28 + text.len() + self.buffer.len()));
        bytes.extend(word(text.len()));
        bytes.extend(b"JSON");
        bytes.extend(text);
        bytes.extend(word(self.buffer.len()));
        bytes.extend(b"BIN\0");
        bytes.extend(self.buffer);
        bytes
    }
}

/// The vertices of a pose by their numbers, and the triangles as the numbers of their corners, the smallest first: counter-clockwise if seen
/// from the front.
#[derive(Debug, Default)]
struct Posed {
    vertices: BTreeMap<usize, (Vector, Vector)>,
    triangles: BTreeSet<[usize; 3]>,
}

fn ordered([a, b, c]: [usize; 3]) -> [usize; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// glTF's front is +Z, that of scenes is +X.
fn to_front([x, y, z]: Vector) -> Vector {
    [z, y, -x]
}

/// What glTF's formula gives.
fn wanted(case: &Case, time: Option<f64>) -> Posed {
    let mut posed = Posed::default();
    for (vertex, (place, normal)) in case.vertices().into_iter().enumerate() {
        let matrix = case.matrix(vertex, time);
        posed.vertices.insert(vertex, (to_front(matrix.point(place)), to_front(matrix.normal(normal))));
    }
    for first in [0, 3, 6, 9] {
        let is_mirrored = case.matrix(first, time).determinant() < 0.0;
        let corners = [first, first + 1, first + 2];
        posed.triangles.insert(ordered(if is_mirrored { [first, first + 2, first + 1] } else { corners }));
    }
    posed
}

/// What a scene has.
fn found(scene: &Scene, time: Option<f64>) -> Posed {
    let clip = time.map(|_| {
        let stand = scene.clips.iter().position(|clip| clip.name.eq_ignore_ascii_case("Stand"));
        ClipId::from(stand.expect("the clip"))
    });
    let moment = Moment { clip, time: time.unwrap_or_default() as f32, ..Moment::default() };
    let pose = Sampler::new(scene).pose(&moment);
    let mut posed = Posed::default();
    for mesh in scene.meshes.iter().filter(|mesh| !mesh.hidden) {
        let mut deformed = Deformed::default();
        skin(mesh, &pose, &mut deformed);
        let number = |vertex: usize| (mesh.uv_sets[0][vertex].x * 16.0).floor() as usize;
        let wide = |vector: Vec3| vector.to_array().map(f64::from);
        for vertex in 0..mesh.positions.len() {
            let state = (wide(deformed.positions[vertex]), wide(deformed.normals[vertex]));
            posed.vertices.insert(number(vertex), state);
        }
        let corners: Vec<usize> = mesh.indices.iter().map(|corner| number(corner as usize)).collect();
        for [a, b, c] in corners.as_chunks::<3>().0.iter().copied() {
            posed.triangles.insert(ordered(if deformed.mirrored { [a, c, b] } else { [a, b, c] }));
        }
    }
    posed
}

/// How far a pose is from the one that is wanted.
#[derive(Debug)]
struct Difference {
    /// The largest distance of a vertex.
    place: f64,
    /// The largest angle of a normal in degrees.
    angle: f64,
    /// The same without normals that an uneven scale turns.
    even_angle: f64,
    /// Whether all triangles have their fronts.
    fronts: bool,
}

fn difference(case: &Case, time: Option<f64>, found: &Posed) -> Difference {
    let wanted = wanted(case, time);
    assert_eq!(
        wanted.vertices.keys().collect::<Vec<_>>(),
        found.vertices.keys().collect::<Vec<_>>(),
        "the same vertices"
    );
    let (mut place, mut angle, mut even_angle) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (vertex, wanted) in &wanted.vertices {
        let found = found.vertices[vertex];
        let apart = minus(wanted.0, found.0);
        place = place.max(dot(apart, apart).sqrt());
        let sine = cross(wanted.1, found.1);
        let off = dot(sine, sine).sqrt().atan2(dot(wanted.1, found.1)).to_degrees();
        angle = angle.max(off);
        if case.matrix(*vertex, time).is_even() {
            even_angle = even_angle.max(off);
        }
    }
    Difference { place, angle, even_angle, fronts: wanted.triangles == found.triangles }
}

const TIMES: [f64; 5] = [0.0, 7.0 / 30.0, 0.3, 0.8, 1.0];

/// What the report says about normals, in degrees.
fn reported(report: &Report) -> f64 {
    let degrees = report.notes.iter().filter(|note| note.kind == NoteKind::Skipped).filter_map(|note| {
        let rest = note.message.strip_prefix("normals are off by up to ")?;
        rest.split(' ').next()?.parse().ok()
    });
    degrees.fold(0.0, f64::max)
}

#[test]
fn there_is_a_file_for_every_combination() {
    let cases = Case::all();
    assert_eq!(cases.len(), 96);
    let count = |has: fn(&Case) -> bool| cases.iter().filter(|case| has(case)).count();
    assert_eq!(count(|case| case.globals(None)[2].determinant() < 0.0), 48);
    assert_eq!(count(|case| !case.globals(None)[2].is_even()), 72);
}

#[test]
fn the_scene_of_a_gltf_file_has_every_vertex_where_the_formula_has_it() {
    for case in Case::all() {
        let scene = scene_from_glb(&case.glb()).expect("it is glTF");
        for time in TIMES.map(Some).into_iter().chain([None]) {
            let off = difference(&case, time, &found(&scene, time));
            assert!(off.place < 1e-4 && off.fronts && off.even_angle < 0.1, "{case:?} at {time:?}: {off:?}");
            // Skins turn normals as engines do; meshes on nodes by the inverse transpose.
            assert!(case.skinned || off.angle < 0.1, "{case:?} at {time:?}: {off:?}");
        }
    }
}

#[test]
fn mdx_files_have_every_vertex_where_the_formula_has_it() {
    for case in Case::all() {
        let (mdx, report) = Model::mdx_from_glb("hull", &case.glb(), &MdxOptions::default()).expect("MDX");
        judge("MDX", &case, &mdx.to_scene(), &report, 1e-3);
    }
}

#[test]
fn w3d_files_have_every_vertex_where_the_formula_has_it() {
    for case in Case::all() {
        // Zero Hour has one bone for each vertex.
        let profile = if case.blended { Profile::Tt5 } else { Profile::ZeroHour };
        let options = W3dOptions { profile: Some(profile), ..W3dOptions::default() };
        let (files, report) = Model::w3d_from_glb("hull", &case.glb(), &options).expect("W3D");
        judge("W3D", &case, &files[0].1.to_scene(), &report, 3e-3);
    }
}

/// Positions and fronts are exact. Normals are exact at the start, which is the rest pose; later, where scale turns them, they are as far off as
/// the report says.
fn judge(form: &str, case: &Case, scene: &Scene, report: &Report, room: f64) {
    let mut worst = 0.0_f64;
    for time in TIMES {
        let off = difference(case, Some(time), &found(scene, Some(time)));
        assert!(off.place < room && off.fronts, "{form}, {case:?} at {time}: {off:?}; {:?}", report.notes);
        assert!(off.angle < 0.5 || time > 0.0, "{form}, {case:?} at {time}: {off:?}");
        if !case.blended {
            assert!(off.even_angle < 0.5, "{form}, {case:?} at {time}: {off:?}");
            worst = worst.max(off.angle);
        }
    }
    let said = reported(report);
    assert!(
        case.blended || worst <= said + 1.5 && said <= worst + 1.5,
        "{form}, {case:?}: normals are off by {worst} degrees, and the report says {said}"
    );
}
