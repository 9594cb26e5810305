//! A small file with every element, made by the builders.

use crate::build::{
    AnimationBuilder, Build, ChannelBuilder, Frames, MeshBuilder, PivotBuilder, Style, collision_box,
    container, document, hierarchy, include, includes, texture,
};
use crate::view::{
    ChannelType, ConstantValue, GeometryType, Influence, RotationFrame, ScalarFrame, SubObjectKind,
};

/// A tank: a rigid hull, a skinned barrel on two bones, a box, a clip and a texture.
pub fn tank() -> Vec<u8> {
    document(&Style::default(), &tank_assets())
}

/// The assets of [`tank`].
pub fn tank_assets() -> Vec<Build> {
    let pivots = [
        PivotBuilder::new("ROOTTRANSFORM", None, [0.0; 3]),
        PivotBuilder::new("TURRET", Some(0), [0.0, 0.0, 2.0]),
        PivotBuilder {
            rotation: [0.0, 0.0, 0.707_106_77, 0.707_106_77],
            ..PivotBuilder::new("BARREL", Some(1), [3.0, 0.0, 0.5])
        },
    ];
    let sub_objects = [
        ("HULL", 0, SubObjectKind::Mesh, "MWTANK_SKN.HULL"),
        ("GUN", 0, SubObjectKind::Mesh, "MWTANK_SKN.GUN"),
        ("OBBOX", 0, SubObjectKind::CollisionBox, "MWTANK_SKN.OBBOX"),
    ];
    vec![
        includes([include("ART:MWTank.xml")]),
        texture("MWTank", "MWTank.dds"),
        hierarchy("MWTANK_SKL", &pivots),
        collision_box("MWTANK_SKN.OBBOX", [0.0, 0.0, 1.0], [4.0, 2.0, 1.5], false),
        hull().build(),
        gun().build(),
        container("MWTANK_SKN", "MWTANK_SKL", &sub_objects),
        turn().build(),
    ]
}

fn shader() -> (String, Vec<(String, ConstantValue)>) {
    let constants = [
        ("DiffuseTexture", ConstantValue::Texture("MWTank".to_owned())),
        ("EnvMult", ConstantValue::Float(vec![1.0])),
        ("AlphaTestEnable", ConstantValue::Bool(true)),
    ];
    ("ObjectsGDI.fx".to_owned(), constants.map(|(name, value)| (name.to_owned(), value)).into())
}

/// A box on the root.
fn hull() -> MeshBuilder {
    let corner = |index: usize, size: [f32; 3]| -> [f32; 3] {
        std::array::from_fn(|axis| if index >> axis & 1 == 0 { -size[axis] } else { size[axis] })
    };
    let positions: Vec<[f32; 3]> = (0..8).map(|index| corner(index, [4.0, 2.0, 1.0])).collect();
    let normals: Vec<[f32; 3]> = (0..8).map(|index| corner(index, [0.577_350_26; 3])).collect();
    let (shader, constants) = shader();
    MeshBuilder {
        id: "MWTANK_SKN.HULL".to_owned(),
        casts_shadow: true,
        normals: vec![normals],
        tex_coords: vec![positions.iter().map(|[x, y, _]| [(x + 4.0) / 8.0, (y + 2.0) / 4.0]).collect()],
        positions: vec![positions],
        triangles: vec![
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ],
        shader,
        constants,
        ..MeshBuilder::default()
    }
}

/// A strip from the turret to the end of the barrel. The middle vertices belong to both bones: the second list has them in the space of the
/// second bone.
fn gun() -> MeshBuilder {
    // In the space of the turret; the barrel is at (3, 0, 0.5), turned by 90 degrees around Z.
    let turret = [[0.0, -0.2, 0.5], [0.0, 0.2, 0.5], [3.0, -0.2, 0.5], [3.0, 0.2, 0.5]];
    // In the space of the barrel: x = y of the turret, y = 3 - x of the turret.
    let barrel = [[-0.2, 3.0, 0.0], [0.2, 3.0, 0.0], [-0.2, 0.0, 0.0], [0.2, 0.0, 0.0]];
    let up = vec![[0.0, 0.0, 1.0]; 4];
    let (shader, constants) = shader();
    MeshBuilder {
        id: "MWTANK_SKN.GUN".to_owned(),
        geometry_type: GeometryType::Skin,
        bounds: Some([[0.0, -0.2, 2.5], [3.0, 0.2, 2.5]]),
        positions: vec![turret.into(), barrel.into()],
        normals: vec![up.clone(), up],
        tex_coords: vec![vec![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]],
        influences: vec![
            [1.0, 1.0, 0.25, 0.25].map(|weight| Influence { bone: 1, weight }).into(),
            [0.0, 0.0, 0.75, 0.75].map(|weight| Influence { bone: 2, weight }).into(),
        ],
        triangles: vec![[0, 2, 1], [1, 2, 3]],
        shader,
        constants,
        ..MeshBuilder::default()
    }
}

/// The turret turns by 90 degrees, the barrel jumps back, and what is on the turret vanishes.
fn turn() -> AnimationBuilder {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let rotations = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half, half], [0.0, 0.0, half, half]];
    AnimationBuilder {
        id: "MWTANK_ATKA".to_owned(),
        hierarchy: "MWTANK_SKL".to_owned(),
        frames: 3,
        frame_rate: 30.0,
        channels: vec![
            ChannelBuilder {
                pivot: 1,
                channel_type: ChannelType::Orientation,
                first_frame: 0,
                frames: Frames::Rotations(
                    rotations.map(|value| RotationFrame { value, jumps: false }).into(),
                ),
            },
            ChannelBuilder {
                pivot: 2,
                channel_type: ChannelType::YTranslation,
                first_frame: 1,
                frames: Frames::Scalars(vec![
                    ScalarFrame { value: -0.5, jumps: true },
                    ScalarFrame { value: 0.0, jumps: false },
                ]),
            },
            ChannelBuilder {
                pivot: 1,
                channel_type: ChannelType::Visibility,
                first_frame: 0,
                frames: Frames::Scalars(
                    [1.0, 0.5, 0.0].map(|value| ScalarFrame { value, jumps: false }).into(),
                ),
            },
        ],
    }
}
