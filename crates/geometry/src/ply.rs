//! PLY, the Stanford polygon format: all meshes as one, with normals, coordinates and colours where all have them.

use crate::Snapshot;
use crate::snapshot::Posed;
use glam::Vec3;
use std::fmt::Write as _;

/// Writes PLY, as text or binary (little-endian).
#[must_use]
pub fn ply(snapshot: &Snapshot<'_>, as_text: bool) -> Vec<u8> {
    let meshes = &snapshot.meshes;
    let all = |has: fn(&Posed<'_>) -> bool| !meshes.is_empty() && meshes.iter().all(has);
    let normals = all(|posed| !posed.normals.is_empty());
    let uvs = all(|posed| posed.mesh.uv_sets.first().is_some_and(|set| set.len() == posed.positions.len()));
    let colors =
        all(|posed| posed.mesh.color_sets.first().is_some_and(|set| set.len() == posed.positions.len()));
    let vertices: usize = meshes.iter().map(|posed| posed.positions.len()).sum();
    let faces: usize =
        meshes.iter().flat_map(|posed| &posed.parts).map(|(_, triangles)| triangles.len()).sum();

    let form = if as_text { "ascii" } else { "binary_little_endian" };
    let mut header = format!("ply\nformat {form} 1.0\n");
    for posed in meshes {
        let name: String = posed.name.chars().map(|c| if c.is_control() { '_' } else { c }).collect();
        let _ = writeln!(header, "comment mesh {} {name}", posed.positions.len());
    }
    let _ = writeln!(header, "element vertex {vertices}");
    let mut properties = vec!["float x", "float y", "float z"];
    properties.extend(["float nx", "float ny", "float nz"].iter().filter(|_| normals));
    properties.extend(["float s", "float t"].iter().filter(|_| uvs));
    properties.extend(["uchar red", "uchar green", "uchar blue", "uchar alpha"].iter().filter(|_| colors));
    for property in properties {
        let _ = writeln!(header, "property {property}");
    }
    let _ = writeln!(header, "element face {faces}\nproperty list uchar int vertex_indices\nend_header");
    let mut out = Output { bytes: header.into_bytes(), as_text };
    for posed in meshes {
        let coordinates = posed.coordinates();
        for (vertex, position) in posed.positions.iter().enumerate() {
            out.floats(z_up(*position).to_array());
            if normals {
                out.floats(z_up(posed.normals[vertex]).to_array());
            }
            if uvs {
                out.floats(coordinates[vertex].to_array());
            }
            if colors {
                out.uchars(&posed.mesh.color_sets[0][vertex]);
            }
            out.end();
        }
    }
    let mut first = 0;
    for posed in meshes {
        for triangle in posed.parts.iter().flat_map(|(_, triangles)| triangles) {
            out.uchars(&[3]);
            triangle.iter().for_each(|index| out.int(index + first));
            out.end();
        }
        first += posed.positions.len() as u32;
    }
    out.bytes
}

/// From Y up and front +Z to Z up and front -Y.
pub(crate) fn z_up(at: Vec3) -> Vec3 {
    // Avoids -0.
    Vec3::new(at.x, -at.z, at.y) + Vec3::ZERO
}

struct Output {
    bytes: Vec<u8>,
    as_text: bool,
}

impl Output {
    fn floats<const N: usize>(&mut self, values: [f32; N]) {
        for value in values {
            match self.as_text {
                true => self.bytes.extend(format!("{value} ").bytes()),
                false => self.bytes.extend(value.to_le_bytes()),
            }
        }
    }

    fn uchars(&mut self, values: &[u8]) {
        match self.as_text {
            true => values.iter().for_each(|value| self.bytes.extend(format!("{value} ").bytes())),
            false => self.bytes.extend(values),
        }
    }

    fn int(&mut self, value: u32) {
        match self.as_text {
            true => self.bytes.extend(format!("{value} ").bytes()),
            false => self.bytes.extend(value.to_le_bytes()),
        }
    }

    /// Ends a line.
    fn end(&mut self) {
        if self.as_text {
            self.bytes.pop_if(|last| *last == b' ');
            self.bytes.push(b'\n');
        }
    }
}
