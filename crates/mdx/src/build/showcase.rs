//! A model to look at: lit, textured, animated, in the player's colour, with particles and a ribbon. It is written as MDL
//! and compiled, because that is the shortest description.

use std::f32::consts::TAU;
use std::fmt::Write as _;

use crate::{mdl, records};

/// Sides of the tower.
const SIDES: u16 = 12;

/// Corners and triangles of a geoset.
#[derive(Default)]
struct Solid {
    corners: Vec<([f32; 3], [f32; 2])>,
    triangles: Vec<[u16; 3]>,
}

impl Solid {
    fn corner(&mut self, place: [f32; 3], uv: [f32; 2]) -> u16 {
        self.corners.push((place, uv));
        u16::try_from(self.corners.len() - 1).unwrap_or_default()
    }

    /// A side of a solid of revolution between two radii and heights; `v` is the texture coordinate at both.
    fn band(&mut self, [low, high]: [[f32; 2]; 2], v: [f32; 2]) {
        for side in 0..SIDES {
            let at = |side: u16, [radius, height]: [f32; 2]| {
                let angle = TAU * f32::from(side) / f32::from(SIDES);
                [radius * angle.cos(), radius * angle.sin(), height]
            };
            let u = [side, side + 1].map(|side| 4.0 * f32::from(side) / f32::from(SIDES));
            let a = self.corner(at(side, low), [u[0], v[0]]);
            let b = self.corner(at(side + 1, low), [u[1], v[0]]);
            let c = self.corner(at(side + 1, high), [u[1], v[1]]);
            let d = self.corner(at(side, high), [u[0], v[1]]);
            // At a tip, one of the two triangles has no area.
            self.triangles.extend((low[0] > 0.0).then_some([a, b, c]));
            self.triangles.extend((high[0] > 0.0).then_some([a, c, d]));
        }
    }

    /// A rectangle across the X axis.
    fn rectangle(&mut self, x: f32, [y0, y1]: [f32; 2], [z0, z1]: [f32; 2]) {
        let a = self.corner([x, y0, z0], [0.0, 1.0]);
        let b = self.corner([x, y1, z0], [1.0, 1.0]);
        let c = self.corner([x, y1, z1], [1.0, 0.0]);
        let d = self.corner([x, y0, z1], [0.0, 0.0]);
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }

    fn write(&self, text: &mut String, bone: u32, material: u32) {
        let positions: Vec<record::Vec3> = self.corners.iter().map(|(place, _)| (*place).into()).collect();
        let normals = super::vertex_normals(&positions, &self.triangles);
        let records::Extent { minimum, maximum, radius } = super::extent(&positions);
        let count = self.corners.len();
        let triple = |[x, y, z]: [f32; 3]| format!("{{ {x}, {y}, {z} }}");
        let _ = writeln!(text, "Geoset {{\nVertices {count} {{");
        self.corners.iter().for_each(|(place, _)| *text += &format!("{},\n", triple(*place)));
        let _ = writeln!(text, "}}\nNormals {count} {{");
        normals.iter().for_each(|normal| *text += &format!("{},\n", triple(normal.get())));
        let _ = writeln!(text, "}}\nTVertices {count} {{");
        self.corners.iter().for_each(|(_, [u, v])| *text += &format!("{{ {u}, {v} }},\n"));
        let _ = writeln!(text, "}}\nVertexGroup {{\n{}\n}}", "0,".repeat(count));
        let indices: Vec<String> = self.triangles.as_flattened().iter().map(u16::to_string).collect();
        let _ =
            writeln!(text, "Faces 1 {} {{ Triangles {{ {{ {} }}, }} }}", indices.len(), indices.join(", "));
        let bounds = format!(
            "MinimumExtent {}, MaximumExtent {}, BoundsRadius {},",
            triple(minimum.get()),
            triple(maximum.get()),
            radius.get()
        );
        let _ = writeln!(text, "Groups 1 1 {{ Matrices {{ {bone} }}, }}");
        let _ = writeln!(text, "{bounds}\nAnim {{ {bounds} }}\nAnim {{ {bounds} }}");
        let _ = writeln!(text, "MaterialID {material}, SelectionGroup 0, }}");
    }
}

/// A watchtower with a banner and a crystal in the player's colour, sparks, and a wisp with a trail. It needs `mwtower.tga` and `mwspark.tga`. The
/// file would be called `mwtower.mdx`.
pub fn watchtower() -> Vec<u8> {
    let (document, findings) = mdl::parse(text().as_bytes());
    debug_assert!(findings.is_empty(), "{findings:?}");
    document.and_then(|document| document.to_bytes().ok()).unwrap_or_default()
}

fn text() -> String {
    let mut tower = Solid::default();
    tower.band([[46.0, 0.0], [34.0, 20.0]], [1.0, 0.85]);
    tower.band([[34.0, 20.0], [28.0, 120.0]], [0.85, 0.3]);
    tower.band([[28.0, 120.0], [42.0, 134.0]], [0.3, 0.15]);
    tower.band([[42.0, 134.0], [42.0, 150.0]], [0.15, 0.0]);
    tower.band([[42.0, 150.0], [0.0, 144.0]], [0.0, 0.3]);
    let mut banner = Solid::default();
    banner.rectangle(38.0, [-14.0, 14.0], [60.0, 112.0]);
    let mut crystal = Solid::default();
    crystal.band([[0.0, 158.0], [12.0, 176.0]], [1.0, 0.5]);
    crystal.band([[12.0, 176.0], [0.0, 200.0]], [0.5, 0.0]);
    let mut glow = Solid::default();
    glow.rectangle(0.0, [-40.0, 40.0], [136.0, 216.0]);

    let mut text = HEADER.to_owned();
    tower.write(&mut text, 0, 0);
    banner.write(&mut text, 1, 1);
    crystal.write(&mut text, 2, 2);
    glow.write(&mut text, 3, 3);
    text += OBJECTS;
    text
}

const HEADER: &str = r#"Version { FormatVersion 800, }
Model "Watchtower" {
	BlendTime 150,
	MinimumExtent { -70, -70, 0 },
	MaximumExtent { 70, 70, 220 },
	BoundsRadius 240,
}
Sequences 2 {
	Anim "Stand" { Interval { 0, 4000 }, MinimumExtent { -70, -70, 0 }, MaximumExtent { 70, 70, 220 }, BoundsRadius 240, }
	Anim "Death" { Interval { 4333, 6333 }, NonLooping, MinimumExtent { -70, -70, -160 }, MaximumExtent { 70, 70, 220 }, BoundsRadius 240, }
}
Textures 4 {
	Bitmap { Image "mwtower.tga", WrapWidth, WrapHeight, }
	Bitmap { Image "", ReplaceableId 1, }
	Bitmap { Image "", ReplaceableId 2, }
	Bitmap { Image "mwspark.tga", }
}
Materials 5 {
	Material {
		Layer { FilterMode None, static TextureID 1, }
		Layer { FilterMode Blend, static TextureID 0, }
	}
	Material { Layer { FilterMode None, TwoSided, static TextureID 1, } }
	Material { Layer { FilterMode None, static TextureID 1, } Layer { FilterMode Additive, Unshaded, static Alpha 0.4, static TextureID 3, } }
	Material { Layer { FilterMode Additive, Unshaded, Unfogged, static TextureID 2, } }
	Material { Layer { FilterMode Additive, Unshaded, TwoSided, static TextureID 3, } }
}
"#;

const OBJECTS: &str = r#"Bone "Tower" {
	ObjectId 0, GeosetId 0, GeosetAnimId None,
	Translation 4 { Linear, 0: { 0, 0, 0 }, 4000: { 0, 0, 0 }, 4333: { 0, 0, 0 }, 6333: { 0, 0, -160 }, }
}
Bone "Banner" {
	ObjectId 1, Parent 0, GeosetId 1, GeosetAnimId None,
	Rotation 5 { Linear, 0: { 0, 0.04, 0, 0.9992 }, 1000: { 0, -0.09, 0, 0.99594 }, 2000: { 0, 0.06, 0, 0.9982 }, 3000: { 0, -0.05, 0, 0.99875 }, 4000: { 0, 0.04, 0, 0.9992 }, }
}
Bone "Crystal" {
	ObjectId 2, Parent 0, GeosetId 2, GeosetAnimId None,
	Translation 3 { Linear, 0: { 0, 0, 0 }, 2000: { 0, 0, 6 }, 4000: { 0, 0, 0 }, }
	Rotation 5 { Linear, 0: { 0, 0, 0, 1 }, 1000: { 0, 0, 0.7071068, 0.7071068 }, 2000: { 0, 0, 1, 0 }, 3000: { 0, 0, 0.7071068, -0.7071068 }, 4000: { 0, 0, 0, -1 }, }
}
Bone "Glow" { ObjectId 3, Parent 2, Billboarded, GeosetId 3, GeosetAnimId None, }
Helper "Orbit" {
	ObjectId 4, Parent 0,
	Rotation 5 { Linear, 0: { 0, 0, 0, 1 }, 1000: { 0, 0, 0.7071068, 0.7071068 }, 2000: { 0, 0, 1, 0 }, 3000: { 0, 0, 0.7071068, -0.7071068 }, 4000: { 0, 0, 0, -1 }, }
}
Attachment "Overhead Ref" { ObjectId 5, Parent 0, AttachmentID 0, }
Attachment "Origin Ref" { ObjectId 8, AttachmentID 1, }
ParticleEmitter2 "Sparks" {
	ObjectId 6, Parent 2, Unshaded, SortPrimsFarZ,
	static Speed 40, static Variation 0.4, static Latitude 60, static Gravity 30, LifeSpan 1.4, static EmissionRate 40, static Width 16, static Length 16,
	Additive, Rows 1, Columns 1, Head, TailLength 0, Time 0.4,
	SegmentColor { Color { 0.5, 0.9, 1 }, Color { 0.15, 0.6, 1 }, Color { 0.05, 0.1, 0.6 }, },
	Alpha { 255, 220, 0 }, ParticleScaling { 3, 5, 1 },
	LifeSpanUVAnim { 0, 0, 1 }, DecayUVAnim { 0, 0, 1 }, TailUVAnim { 0, 0, 1 }, TailDecayUVAnim { 0, 0, 1 },
	TextureID 3,
}
RibbonEmitter "Wisp" {
	ObjectId 7, Parent 4,
	static HeightAbove 4, static HeightBelow 4, static Alpha 1, static Color { 1, 0.8, 0.3 }, static TextureSlot 0,
	EmissionRate 20, LifeSpan 1.2, Rows 1, Columns 1, MaterialID 4,
}
PivotPoints 9 {
	{ 0, 0, 0 },
	{ 36, 0, 116 },
	{ 0, 0, 176 },
	{ 0, 0, 176 },
	{ 0, 0, 90 },
	{ 0, 0, 220 },
	{ 0, 0, 180 },
	{ 0, 62, 90 },
	{ 0, 0, 0 },
}
"#;
