//! Wavefront OBJ, with its materials in an MTL file.

use crate::Snapshot;
use scene::surface::{self, surface};
use scene::{MaterialId, Mesh, Scene, Texture};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obj {
    /// The `.obj`.
    pub obj: Vec<u8>,
    /// The `.mtl`; empty if no material is used.
    pub mtl: Vec<u8>,
}

/// Writes OBJ. The materials' file is called `{stem}.mtl`; `picture` gives the file name of a texture's picture, if there is one.
pub fn obj(snapshot: &Snapshot<'_>, stem: &str, picture: &mut dyn FnMut(&Texture) -> Option<String>) -> Obj {
    let mut text = String::new();
    let mut materials = Materials::default();
    let uses =
        snapshot.meshes.iter().flat_map(|posed| posed.parts.iter()).any(|(material, _)| material.is_some());
    if uses {
        // A line break in a name would start a new command.
        let _ = writeln!(text, "mtllib {}.mtl", one_line(stem));
    }
    let (mut first, mut first_uv, mut first_normal) = (1, 1, 1);
    for posed in &snapshot.meshes {
        let _ = writeln!(text, "o {}", one_line(&posed.name));
        for at in &posed.positions {
            let _ = writeln!(text, "v {} {} {}", at.x, at.y, at.z);
        }
        let coordinates = posed.coordinates();
        for uv in &coordinates {
            let _ = writeln!(text, "vt {} {}", uv.x, uv.y);
        }
        for normal in &posed.normals {
            let _ = writeln!(text, "vn {} {} {}", normal.x, normal.y, normal.z);
        }
        for (material, triangles) in &posed.parts {
            if let Some(material) = material {
                let name = materials.name(snapshot.scene, *material);
                let _ = writeln!(text, "usemtl {name}");
            }
            for triangle in triangles {
                text.push('f');
                for index in triangle {
                    let (v, vt, vn) = (index + first, index + first_uv, index + first_normal);
                    let _ = match (coordinates.is_empty(), posed.normals.is_empty()) {
                        (false, false) => write!(text, " {v}/{vt}/{vn}"),
                        (false, true) => write!(text, " {v}/{vt}"),
                        (true, false) => write!(text, " {v}//{vn}"),
                        (true, true) => write!(text, " {v}"),
                    };
                }
                text.push('\n');
            }
        }
        first += posed.positions.len() as u32;
        first_uv += coordinates.len() as u32;
        first_normal += posed.normals.len() as u32;
    }
    Obj { obj: text.into_bytes(), mtl: materials.text(snapshot.scene, picture).into_bytes() }
}

/// Materials that are used, and their names.
#[derive(Default)]
struct Materials {
    order: Vec<MaterialId>,
    names: HashMap<MaterialId, String>,
}

impl Materials {
    fn name(&mut self, scene: &Scene, id: MaterialId) -> String {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let material = scene.materials.get(id.index());
        let own = material.map(|material| material.name.as_str()).filter(|name| !name.is_empty());
        // The number makes names unique. Some readers end a name at a space.
        let name = own.map_or_else(|| format!("material_{}", id.0), |own| format!("{}_{}", word(own), id.0));
        self.order.push(id);
        self.names.insert(id, name.clone());
        name
    }

    fn text(&self, scene: &Scene, picture: &mut dyn FnMut(&Texture) -> Option<String>) -> String {
        let mut text = String::new();
        // The surface only needs to know that the meshes have coordinates.
        let shape = Mesh { uv_sets: vec![Vec::new(); 8], ..Mesh::default() };
        for id in &self.order {
            let _ = writeln!(text, "newmtl {}", self.names[id]);
            let Some(material) = scene.materials.get(id.index()) else { continue };
            let look = surface(
                material,
                &surface::Context {
                    textures: &scene.textures,
                    mesh: Some(&shape),
                    coverage: &|_| Some(1.0),
                    team_color: None,
                },
            );
            let color = look.base.factor.clamp(glam::Vec4::ZERO, glam::Vec4::ONE);
            let _ = writeln!(text, "Kd {} {} {}\nKs 0 0 0\nd {}", color.x, color.y, color.z, color.w);
            let textures = look.base.picture.as_ref().map(|picture| picture.textures()).unwrap_or_default();
            let found = textures.iter().rev().find_map(|id| picture(scene.textures.get(id.index())?));
            if let Some(file) = found {
                let _ = writeln!(text, "map_Kd {}", one_line(&file));
                if !matches!(look.alpha_mode, surface::AlphaMode::Opaque) {
                    let _ = writeln!(text, "map_d {}", one_line(&file));
                }
            }
        }
        text
    }
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '_' } else { c }).collect()
}

fn word(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c.is_whitespace() { '_' } else { c }).collect()
}
