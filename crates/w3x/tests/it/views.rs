//! Values as the format's documents describe them.

use meshwright_w3x::view::{ChannelType, ConstantValue, GeometryType, Influence, ScalarFrame, SubObjectKind};
use meshwright_w3x::{W3x, sample};

/// Written by hand: attributes in other orders, a decimal comma, entities, single quotes, comments between items.
const BY_HAND: &str = r#"<?xml version="1.0"?>
<a:AssetDeclaration xmlns:a="uri:ea.com:eala:asset">
  <a:Includes><a:Include source="ART:x.w3x" type="all"/></a:Includes>
  <a:W3DHierarchy id="S &amp; K">
    <a:Pivot Parent="-1" Name="ROOT">
      <a:Translation Z="3,5" X="1" Y="-2"/>
      <a:Rotation W="1" X="0" Y="0" Z="0"/>
      <a:FixupMatrix M00="2" M01="3" M10="4"/>
    </a:Pivot>
    <a:Pivot Name="CHILD" Parent="0"/>
  </a:W3DHierarchy>
  <a:W3DMesh Hidden="false" CastShadow="1" GeometryType="CameraAligned" SortLevel="7" id="M">
    <a:Vertices><a:V X="1" Y="2" Z="3"/><!-- between --><a:V Z='6' Y='5' X='4'></a:V></a:Vertices>
    <a:VertexColors><a:C B="0.25" G="0.5" R="1" A="0"/></a:VertexColors>
    <a:ShadeIndices><a:I>4</a:I></a:ShadeIndices>
    <a:Triangles><a:T><V> 0 </V><V>1</V><V>x</V><Nrm X="0" Y="0" Z="1"/><Dist>-2.5</Dist></a:T></a:Triangles>
    <a:FXShader ShaderName="a.fx" TechniqueIndex="2"><a:Constants>
      <a:Float Name="F"><a:Value>1</a:Value><a:Value>2</a:Value></a:Float>
      <a:Int Name="I"><a:Value>-3</a:Value></a:Int>
      <a:Bool Name="B"><a:Value>1</a:Value></a:Bool>
      <a:Texture Name="T"><a:Value>Tex</a:Value></a:Texture>
    </a:Constants></a:FXShader>
  </a:W3DMesh>
</a:AssetDeclaration>"#;

#[test]
fn spellings_by_hand_are_understood() {
    let file = W3x::parse(BY_HAND.as_bytes()).expect("it is read");
    assert_eq!(file.includes().next().expect("an include").source(), "ART:x.w3x");
    let hierarchy = file.hierarchies().next().expect("a hierarchy");
    assert_eq!(hierarchy.id(), "S & K");
    let pivots: Vec<_> = hierarchy.pivots().collect();
    assert_eq!((pivots[0].parent(), pivots[1].parent()), (None, Some(0)));
    assert_eq!(pivots[0].translation(), [1.0, -2.0, 3.5]);
    let fixup = pivots[0].fixup().expect("a matrix");
    assert_eq!(fixup[0], [2.0, 3.0, 0.0, 0.0]);
    assert_eq!((fixup[1][0], fixup[2][2]), (4.0, 1.0));
    assert_eq!(pivots[1].rotation(), [0.0, 0.0, 0.0, 1.0], "a missing rotation is none");

    let mesh = file.meshes().next().expect("a mesh");
    assert!(!mesh.is_hidden() && mesh.casts_shadow());
    assert_eq!((mesh.geometry_type(), mesh.sort_level()), (GeometryType::CameraAligned, 7));
    assert_eq!(mesh.positions(0), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "a comment does not end the list");
    assert_eq!(mesh.colors(), [[1.0, 0.5, 0.25, 0.0]]);
    assert_eq!(mesh.shade_indices(), [4]);
    let triangle = mesh.triangles()[0];
    assert_eq!((triangle.vertices, triangle.distance), ([0, 1, u32::MAX], -2.5));
    let shader = mesh.shader().expect("a shader");
    assert_eq!((&*shader.name(), shader.technique_index()), ("a.fx", 2));
    let values: Vec<_> = shader.constants().map(|constant| constant.value()).collect();
    let expected = [
        ConstantValue::Float(vec![1.0, 2.0]),
        ConstantValue::Int(-3),
        ConstantValue::Bool(true),
        ConstantValue::Texture("Tex".to_owned()),
    ];
    assert_eq!(values, expected);
}

#[test]
fn the_builders_write_what_the_views_read() {
    let text = sample::tank();
    let file = W3x::parse(&text).expect("the sample");
    let container = file.containers().next().expect("a container");
    let targets: Vec<_> = container.sub_objects().filter_map(|object| object.target()).collect();
    assert_eq!(targets[2], (SubObjectKind::CollisionBox, "MWTANK_SKN.OBBOX".into()));
    let [hull, gun] = file.meshes().collect::<Vec<_>>()[..] else { panic!("two meshes") };
    assert_eq!((hull.vertex_count(), hull.triangle_count()), (8, 12));
    assert_eq!(hull.bounding_box(), Some([[-4.0, -2.0, -1.0], [4.0, 2.0, 1.0]]));
    let (center, radius) = hull.bounding_sphere().expect("a sphere");
    assert_eq!(center, [0.0; 3]);
    assert!((radius - 21_f32.sqrt()).abs() < 1e-5, "sqrt(4² + 2² + 1²), not {radius}");
    // The faces of a box point outwards, and are as far from its centre as its half sizes.
    for triangle in hull.triangles() {
        assert!([4.0, 2.0, 1.0].contains(&triangle.distance), "{triangle:?}");
    }
    assert_eq!(gun.geometry_type(), GeometryType::Skin);
    assert_eq!(gun.influences(1)[2], Influence { bone: 2, weight: 0.75 });
    let animation = file.animations().next().expect("an animation");
    assert_eq!((animation.frames(), animation.frame_rate()), (3, 30.0));
    let channels: Vec<_> = animation.channels().collect();
    assert_eq!(channels[1].channel_type(), Some(ChannelType::YTranslation));
    assert_eq!((channels[1].pivot(), channels[1].first_frame()), (Some(2), 1));
    assert_eq!(channels[1].scalars()[0], ScalarFrame { value: -0.5, jumps: true });
    assert_eq!(channels[0].rotations().len(), 3);
}
