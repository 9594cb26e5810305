//! Every block and word of MDL: texts typed by hand from the grammar, the places where their values must be, and the
//! same text back.

use meshwright_mdx::mdl::{self, MdlDialect, Options};
use meshwright_mdx::records::*;
use meshwright_mdx::{Document, kinds};
use record::zerocopy::IntoBytes;
use record::{F32, Kind, Node, Pod, U16, U32, Vec2, Vec3, Vec4};

const EVERYTHING: &str = include_str!("../golden/mdl_1800.mdl");

fn clean(text: &str) -> Document<'static> {
    let (document, found) = mdl::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    document.unwrap()
}

fn plain(document: &Document<'_>, dialect: MdlDialect) -> String {
    String::from_utf8(mdl::write(document, &Options { dialect, plain: true }).unwrap()).unwrap()
}

/// The part at a path, as its record.
fn at<'d, T: Pod>(document: &'d Document<'_>, path: &str) -> &'d T {
    let node = document.root.find(path).unwrap_or_else(|| panic!("{path} is missing"));
    node.value::<T>().unwrap_or_else(|| panic!("{path} is something else"))
}

fn words(node: &Node<'_>) -> Vec<u32> {
    node.bytes().chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn everything_reads_and_writes() {
    let document = clean(EVERYTHING);
    let again = plain(&document, MdlDialect::Game);
    for (number, (typed, written)) in EVERYTHING.lines().zip(again.lines()).enumerate() {
        assert_eq!(typed, written, "line {}", number + 1);
    }
    assert_eq!(again, EVERYTHING);
    // The text gives the same bytes, and no comments are needed.
    let bytes = document.to_bytes().unwrap();
    assert_eq!(Document::parse(&bytes).unwrap().to_json(), document.to_json());
    assert_eq!(mdl::write(&document, &Options::default()).unwrap(), EVERYTHING.as_bytes());
    // The other dialects say the same, with their comments.
    for dialect in [MdlDialect::Hive, MdlDialect::War3Model] {
        let text = mdl::write(&document, &Options { dialect, plain: false }).unwrap();
        let (back, found) = mdl::parse(&text);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(back.unwrap().to_bytes().unwrap(), bytes);
    }
}

#[test]
fn dialects_differ_where_the_tools_do() {
    let document = clean(EVERYTHING);
    let (game, hive) = (plain(&document, MdlDialect::Game), plain(&document, MdlDialect::Hive));
    let only = |one: &str, other: &str| -> Vec<String> {
        let other: Vec<_> = other.lines().collect();
        one.lines().filter(|line| !other.contains(line)).map(|line| line.trim().to_owned()).collect()
    };
    assert_eq!(
        only(&hive, &game),
        [
            "ShaderTypeId 1,",
            "static TextureID 1,",
            "static NormalTextureID 0,",
            "ORMTextureID 1 {",
            "static EmissiveTextureID 1,",
            "static TeamColorTextureID 1,",
            "static ReflectionsTextureID 0,",
            "static TextureID 0,",
            "static TextureID 0,",
            "Faces 1 6 {",
            "{ 0, 1, 2, 2, 1, 0 },",
            "DontInherit { Translation },",
            "DontInherit { Scaling },",
            "DontInherit { Rotation },",
        ]
    );
    // Words that make one of the two readers fail are in the comments.
    for word in ["SyncPoint", "SortPrimsNearZ", "BackFacesForShadows", "ShadowCasting", "Damping", "Glider"] {
        assert!(game.contains(word) && !hive.contains(word), "{word}");
    }
    let material =
        |text: &str| text[text.find("\tMaterial {").unwrap()..text.find("\t\tLayer {").unwrap()].to_owned();
    assert!(material(&game).contains("TwoSided") && !material(&hive).contains("TwoSided"));
    let war3_model = plain(&document, MdlDialect::War3Model);
    assert_eq!(only(&war3_model, &hive), ["{ 0, 300, 0, 0, 255, 65535, 0, 0 },"]);
    assert_eq!(only(&hive, &war3_model), ["0, 300, 0, 0, 255, 65535, 0, 0,"]);
}

/// Reforged files have a NaN beside the track of an emission; war3-model stops at `nan`.
#[test]
fn the_hive_reads_no_nan() {
    let text = "Version {\n\tFormatVersion 1000,\n}\nModel \"\" {\n\tBlendTime 0,\n\tMinimumExtent { nan, -inf, 1 },\n}\nMaterials 1 {\n\tMaterial {\n\t\tTwoSided,\n\t\tLayer {\n\t\t\tFilterMode None,\n\t\t\tstatic EmissiveGain nan,\n\t\t\tEmissiveGain 1 {\n\t\t\t\tLinear,\n\t\t\t\t0: 0.5,\n\t\t\t}\n\t\t}\n\t}\n}\nGeoset {\n\tFaces 1 0 {\n\t\tTriangles {\n\t\t\t{ },\n\t\t}\n\t}\n}\n";
    let document = mdl::parse(text.as_bytes()).0.unwrap();
    let hive = plain(&document, MdlDialect::Hive);
    assert!(hive.contains("MinimumExtent { 0, -3.4028235e+38, 1 },"), "{hive}");
    assert!(!hive.contains("nan") && !hive.contains("static EmissiveGain"), "{hive}");
    assert!(hive.contains("\tFaces 0 0 {\n\t\tTriangles {\n\t\t}\n\t}\n"), "{hive}");
    assert!(hive.contains("\tMaterial {\n\t\tLayer {\n\t\t\tFilterMode None,\n\t\t\tTwoSided,\n"), "{hive}");
    let whole = mdl::write(&document, &Options { dialect: MdlDialect::Hive, plain: false }).unwrap();
    assert_eq!(mdl::parse(&whole).0.unwrap().to_bytes().unwrap(), document.to_bytes().unwrap());
}

#[test]
fn chunks_stand_in_the_usual_order() {
    let document = clean(EVERYTHING);
    let names: Vec<_> = document.root.children().iter().map(|chunk| chunk.kind.name).collect();
    assert_eq!(
        names.join(" "),
        "VERS MODL SEQS GLBS MTLS TEXS TXAN GEOS GEOA BONE LITE HELP ATCH PIVT PREM PRE2 CORN RIBB CAMS EVTS CLID FAFX BPOS DILG"
    );
}

#[test]
fn the_model_and_its_sequences() {
    let document = clean(EVERYTHING);
    let model = at::<Model>(&document, "MODL");
    assert_eq!(
        (model.name.to_string(), model.animation_file.to_string(), model.blend_time.get()),
        ("Everything".into(), "anims.mdx".into(), 150)
    );
    assert_eq!(
        model.extent,
        Extent {
            radius: F32::new(7.5),
            minimum: Vec3::new(-1.0, -2.0, -3.0),
            maximum: Vec3::new(4.0, 5.0, 6.0)
        }
    );
    let sequences = document.root.find("SEQS").unwrap().values::<Sequence>();
    let death = &sequences[1];
    assert_eq!((sequences.len(), death.name.to_string()), (2, "Death - 1".into()));
    assert_eq!(
        (death.start.get(), death.end.get(), death.flags.get(), death.sync_point.get()),
        (-33, 2000, 1, 3)
    );
    assert_eq!((death.move_speed.get(), death.rarity.get(), death.extent.radius.get()), (270.0, 2.5, 7.0));
    assert_eq!(words(document.root.find("GLBS").unwrap()), [1000, 0]);
    let textures = document.root.find("TEXS").unwrap().values::<Texture>();
    assert_eq!(
        (textures[0].path.to_string(), textures[0].flags.get(), textures[0].replaceable_id.get()),
        ("Textures\\a.blp".into(), 1, 0)
    );
    assert_eq!(
        (textures[1].path.to_string(), textures[1].flags.get(), textures[1].replaceable_id.get()),
        (String::new(), 2, 1)
    );
    assert_eq!(
        document.root.find("PIVT").unwrap().values::<Vec3>(),
        [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)]
    );
    let face = &document.root.find("FAFX").unwrap().values::<FaceEffect>()[0];
    assert_eq!((face.target.to_string(), face.path.to_string()), ("Node".into(), "face.facefx".into()));
    let pose = document.root.find("BPOS").unwrap();
    assert_eq!((words(pose)[0], pose.values::<BindPose>()[0].translation), (1, Vec3::new(5.0, 6.0, 7.0)));
    assert_eq!(words(document.root.find("DILG").unwrap()), [0]);
}

#[test]
fn materials() {
    let document = clean(EVERYTHING);
    let header = at::<MaterialHeader>(&document, "MTLS/Material/MaterialHeader");
    assert_eq!((header.priority_plane.get(), header.flags.get()), (-2, 0x1 | 0x2 | 0x8 | 0x10 | 0x20));
    let layer = at::<LayerHeader>(&document, "MTLS/Material/LAYS/Layer/LayerHeader");
    assert_eq!((layer.filter_mode.get(), layer.flags.get(), layer.texture_id.get()), (6, 0x7FF, 0));
    assert_eq!((layer.texture_animation_id.get(), layer.coord_id.get(), layer.alpha.get()), (0, 1, 0.5));
    assert_eq!(
        at::<LayerEmissive>(&document, "MTLS/Material/LAYS/Layer/LayerEmissive").emissive_gain.get(),
        2.0
    );
    let fresnel = at::<LayerFresnel>(&document, "MTLS/Material/LAYS/Layer/LayerFresnel");
    assert_eq!(
        (fresnel.color, fresnel.opacity.get(), fresnel.team_color.get()),
        (Vec3::new(0.1, 0.2, 0.3), 0.4, 0.6)
    );
    let shader = at::<LayerShader>(&document, "MTLS/Material/LAYS/Layer/LayerShader");
    assert_eq!((shader.shader.get(), shader.texture_count.get()), (1, 6));
    let slots: Vec<_> = document
        .root
        .find("MTLS/Material/LAYS/Layer")
        .unwrap()
        .all(&kinds::TEXTURE_SLOT)
        .map(|slot| slot.children()[0].value::<TextureReference>().unwrap())
        .map(|slot| (slot.texture_id.get(), slot.slot.get()))
        .collect();
    assert_eq!(slots, [(1, 0), (0, 1), (0, 2), (1, 3), (1, 4), (0, 5)]);
    let track = document.root.find("MTLS/Material/LAYS/Layer/TextureSlot[2]/KMTF").unwrap();
    assert_eq!(words(track), [0, 1, 0, 1]);
    let second = document.root.find("MTLS/Material/LAYS/Layer[1]").unwrap();
    let tracks: Vec<_> =
        second.children().iter().map(|part| part.kind.name).filter(|name| name.starts_with('K')).collect();
    assert_eq!(tracks, ["KMTA", "KMTE", "KFC3"]);
    assert_eq!(at::<LayerShader>(&document, "MTLS/Material[1]/LAYS/Layer/LayerShader").shader.get(), 9);
}

#[test]
fn tracks_have_their_keys() {
    let document = clean(EVERYTHING);
    // One linear key, one global sequence.
    let translation = document.root.find("BONE/Bone/Node/KGTR").unwrap();
    let float = f32::to_bits;
    assert_eq!(
        words(translation),
        [1, 0, 0, float(1.0), float(2.0), float(3.0), 10, float(4.0), float(5.0), float(6.0)]
    );
    // Value, incoming, outgoing.
    let rotation = document.root.find("TXAN/TextureAnimation/KTAR").unwrap();
    assert_eq!(words(rotation)[..3], [2, u32::MAX, 5]);
    let values: Vec<_> = words(rotation)[3..].iter().map(|bits| f32::from_bits(*bits)).collect();
    assert_eq!(values, [0.0, 0.0, 0.0, 1.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]);
    let scaling = document.root.find("TXAN/TextureAnimation/KTAS").unwrap();
    assert_eq!(words(scaling)[..3], [3, u32::MAX, (-7_i32).cast_unsigned()]);
    let event = document.root.find("EVTS/EventObject/KEVT").unwrap();
    assert_eq!(words(event), [1, 100, (-200_i32).cast_unsigned()]);
    assert_eq!(words(document.root.find("RIBB/RibbonEmitter/KRTX").unwrap()), [0, u32::MAX, 0, 2]);
    for (path, tags) in [
        ("LITE/Light[1]", "KLAS KLAE KLAI KLAC KLBI KLBC KLSS KLSE KLQF KLLF KLDA KLAV"),
        ("ATCH/Attachment", "KATV"),
        ("PREM/ParticleEmitter[1]", "KPEE KPEG KPLN KPLT KPEL KPES KPEV"),
        ("PRE2/ParticleEmitter2", "KP2S KP2R KP2L KP2G KP2E KP2N KP2W KPLN KP2V"),
        ("CORN/PopcornEmitter", "KPPL KPPE KPPS KPPC KPPA KPPV"),
        ("RIBB/RibbonEmitter", "KRHA KRHB KRAL KRCO KRTX KRVS"),
        ("CAMS/Camera", "KCTR KCRL KTTR KCVS IDUF ELAF PTSF"),
        ("GEOA/GeosetAnimation[1]", "KGAO KGAC"),
    ] {
        let object = document.root.find(path).unwrap();
        let found: Vec<_> = object
            .children()
            .iter()
            .filter(|part| meshwright_mdx::track_row(part.id).is_some())
            .map(|part| part.kind.name)
            .collect();
        assert_eq!(found.join(" "), tags, "{path}");
    }
}

/// Static colours are turned round, those of tracks are not.
#[test]
fn colours() {
    let document = clean(EVERYTHING);
    let reversed = Vec3::new(0.3, 0.2, 0.1);
    let animation = at::<GeosetAnimationHeader>(&document, "GEOA/GeosetAnimation/GeosetAnimationHeader");
    assert_eq!(
        (animation.alpha.get(), animation.flags.get(), animation.color, animation.geoset_id.get()),
        (0.5, 3, reversed, 0)
    );
    let animated = at::<GeosetAnimationHeader>(&document, "GEOA/GeosetAnimation[1]/GeosetAnimationHeader");
    assert_eq!(
        (animated.flags.get(), animated.color, animated.geoset_id.get()),
        (2, Vec3::new(1.0, 1.0, 1.0), 1)
    );
    assert_eq!(at::<LightColor>(&document, "LITE/Light/LightColor").color, reversed);
    assert_eq!(at::<LightAmbient>(&document, "LITE/Light/LightAmbient").color, Vec3::new(0.6, 0.5, 0.4));
    assert_eq!(
        at::<RibbonEmitterHeader>(&document, "RIBB/RibbonEmitter/RibbonEmitterHeader").color,
        reversed
    );
    let smoke = at::<ParticleEmitter2Header>(&document, "PRE2/ParticleEmitter2/ParticleEmitter2Header");
    assert_eq!(smoke.segment_colors, [reversed, Vec3::new(0.6, 0.5, 0.4), Vec3::new(0.9, 0.8, 0.7)]);
    assert_eq!(
        at::<PopcornEmitterHeader>(&document, "CORN/PopcornEmitter/PopcornEmitterHeader").color,
        Vec3::new(0.1, 0.2, 0.3)
    );
    for path in [
        "GEOA/GeosetAnimation[1]/KGAC",
        "LITE/Light[1]/KLAC",
        "RIBB/RibbonEmitter/KRCO",
        "CORN/PopcornEmitter/KPPC",
    ] {
        let track = document.root.find(path).unwrap();
        assert_eq!(track.bytes()[12..], *Vec3::new(0.1, 0.2, 0.3).as_bytes(), "{path}");
    }
}

#[test]
fn a_geoset() {
    let document = clean(EVERYTHING);
    let geoset = document.root.find("GEOS/Geoset").unwrap();
    let array = |kind: &'static Kind| geoset.child(kind).unwrap();
    let words_of = |kind| words(array(kind));
    assert_eq!(array(&kinds::VRTX).values::<Vec3>()[0], Vec3::new(0.0, 0.5, 1.0));
    assert_eq!(array(&kinds::NRMS).values::<Vec3>().len(), 3);
    assert_eq!((words_of(&kinds::PTYP), words_of(&kinds::PCNT)), (vec![4, 4], vec![3, 3]));
    assert_eq!(
        array(&kinds::PVTX).values::<U16>().iter().map(|index| index.get()).collect::<Vec<_>>(),
        [0, 1, 2, 2, 1, 0]
    );
    assert_eq!(array(&kinds::GNDX).bytes(), [0, 1, 1]);
    assert_eq!((words_of(&kinds::MTGC), words_of(&kinds::MATS)), (vec![1, 2], vec![0, 0, 1]));
    assert_eq!(array(&kinds::TANG).values::<Vec4>(), [Vec4::new(1.0, 0.0, 0.0, -1.0)]);
    // 16 bits from version 1400 on.
    assert_eq!(
        array(&kinds::WIDE_SKIN).values::<U16>().iter().map(|value| value.get()).collect::<Vec<_>>(),
        [0, 300, 0, 0, 255, 65535, 0, 0]
    );
    let sets = array(&kinds::UVAS).children();
    assert_eq!((sets.len(), sets[1].values::<Vec2>()), (2, &[Vec2::new(8.0, 9.0)][..]));
    let header = at::<GeosetHeader>(&document, "GEOS/Geoset/GeosetHeader");
    assert_eq!(
        (header.material_id.get(), header.selection_group.get(), header.selection_flags.get()),
        (1, 2, 4)
    );
    let level = at::<GeosetLevelOfDetail>(&document, "GEOS/Geoset/GeosetLevelOfDetail");
    assert_eq!((level.level.get(), level.name.to_string()), (1, "lod".into()));
    assert_eq!(at::<GeosetBounds>(&document, "GEOS/Geoset/GeosetBounds").extent.radius.get(), 4.0);
    let extents = array(&kinds::EXTENTS).values::<Extent>();
    assert_eq!((extents.len(), extents[0].radius.get(), extents[1]), (2, 7.0, Extent::default()));
}

#[test]
fn nodes() {
    let document = clean(EVERYTHING);
    let node = |path: &str| *at::<NodeHeader>(&document, &format!("{path}/Node/NodeHeader"));
    let flags = |path: &str| node(path).flags.get();
    let root = node("BONE/Bone");
    assert_eq!(
        (root.name.to_string(), root.object_id.get(), root.parent_id.get(), root.flags.get()),
        ("Root".into(), 0, -1, 0x1FF)
    );
    assert_eq!((node("BONE/Bone[1]").parent_id.get(), flags("BONE/Bone[1]")), (0, 0x100));
    assert_eq!(
        (
            at::<BoneLinks>(&document, "BONE/Bone/BoneLinks").geoset_id.get(),
            at::<BoneLinks>(&document, "BONE/Bone/BoneLinks").geoset_animation_id.get()
        ),
        (-1, -1)
    );
    assert_eq!(
        (
            at::<BoneLinks>(&document, "BONE/Bone[1]/BoneLinks").geoset_id.get(),
            at::<BoneLinks>(&document, "BONE/Bone[1]/BoneLinks").geoset_animation_id.get()
        ),
        (0, 1)
    );
    assert_eq!(
        (flags("LITE/Light"), flags("HELP/Helper"), flags("ATCH/Attachment"), flags("EVTS/EventObject")),
        (0x200, 0, 0x800, 0x400)
    );
    assert_eq!(
        (flags("PREM/ParticleEmitter"), flags("PRE2/ParticleEmitter2"), flags("CORN/PopcornEmitter")),
        (0x19000, 0x1F9000, 0x79000)
    );
    assert_eq!((flags("RIBB/RibbonEmitter"), flags("CLID/CollisionShape")), (0x4000, 0x2000));
    let attachment = at::<AttachmentHeader>(&document, "ATCH/Attachment/AttachmentHeader");
    assert_eq!((attachment.path.to_string(), attachment.attachment_id.get()), ("a.mdl".into(), 3));
}

#[test]
fn lights() {
    let document = clean(EVERYTHING);
    let kind =
        |index: usize| at::<LightKind>(&document, &format!("LITE/Light[{index}]/LightKind")).kind.get();
    assert_eq!((kind(0), kind(1), kind(2)), (0, 1, 2));
    let names: Vec<_> =
        document.root.find("LITE/Light").unwrap().children().iter().map(|part| part.kind.name).collect();
    assert_eq!(
        names,
        [
            "Node",
            "LightKind",
            "LightShadowCasting",
            "LightColor",
            "LightAmbient",
            "LightShadowIntensity",
            "LightShadowRange",
            "LightFalloff"
        ]
    );
    let color = at::<LightColor>(&document, "LITE/Light/LightColor");
    assert_eq!(
        (color.attenuation_start.get(), color.attenuation_end.get(), color.intensity.get()),
        (80.0, 200.0, 3.0)
    );
    assert_eq!(at::<LightAmbient>(&document, "LITE/Light/LightAmbient").intensity.get(), 4.0);
    assert_eq!(at::<LightShadowCasting>(&document, "LITE/Light/LightShadowCasting").shadow_casting.get(), 1);
    assert_eq!(
        at::<LightShadowIntensity>(&document, "LITE/Light/LightShadowIntensity").shadow_intensity.get(),
        0.7
    );
    let range = at::<LightShadowRange>(&document, "LITE/Light/LightShadowRange");
    assert_eq!((range.start.get(), range.end.get()), (5.0, 6.0));
    let falloff = at::<LightFalloff>(&document, "LITE/Light/LightFalloff");
    assert_eq!((falloff.quadratic.get(), falloff.linear.get(), falloff.damping.get()), (0.25, 0.125, 0.75));
    // Omitted values: the defaults of the format.
    let falloff = at::<LightFalloff>(&document, "LITE/Light[1]/LightFalloff");
    assert_eq!(
        (falloff.quadratic.get(), falloff.linear.get(), falloff.damping.get()),
        (0.0005, 0.0, 0.00001)
    );
}

#[test]
fn emitters() {
    let document = clean(EVERYTHING);
    let first = at::<ParticleEmitterHeader>(&document, "PREM/ParticleEmitter/ParticleEmitterHeader");
    let values =
        [first.emission_rate, first.gravity, first.longitude, first.latitude, first.life_span, first.speed];
    assert_eq!(values.map(|value| value.get()), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(first.path.to_string(), "p.mdl");
    let second = at::<ParticleEmitter2Header>(&document, "PRE2/ParticleEmitter2/ParticleEmitter2Header");
    let values = [
        second.speed,
        second.variation,
        second.latitude,
        second.gravity,
        second.life_span,
        second.emission_rate,
        second.length,
        second.width,
    ];
    assert_eq!(values.map(|value| value.get()), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(
        (second.filter_mode.get(), second.rows.get(), second.columns.get(), second.particle_type.get()),
        (4, 9, 10, 2)
    );
    assert_eq!(
        (second.tail_length.get(), second.time.get(), second.segment_alphas),
        (11.0, 0.5, [255, 128, 0])
    );
    assert_eq!(second.segment_scalings.map(|scaling| scaling.get()), [12.0, 13.0, 14.0]);
    let cells = [second.head_life, second.head_decay, second.tail_life, second.tail_decay];
    assert_eq!(
        cells.map(|cell| [cell.start.get(), cell.end.get(), cell.repeat.get()]),
        [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]
    );
    assert_eq!(
        (
            second.texture_id.get(),
            second.squirt.get(),
            second.priority_plane.get(),
            second.replaceable_id.get()
        ),
        (1, 1, -3, 2)
    );
    let corn = at::<PopcornEmitterHeader>(&document, "CORN/PopcornEmitter/PopcornEmitterHeader");
    assert_eq!(
        (
            corn.life_span.get(),
            corn.emission_rate.get(),
            corn.speed.get(),
            corn.alpha.get(),
            corn.replaceable_id.get()
        ),
        (2.0, 3.0, 4.0, 0.5, 1)
    );
    assert_eq!(
        (corn.path.to_string(), corn.animation_visibility_guide.to_string()),
        ("e.pkfx".into(), "Always=on".into())
    );
    let ribbon = at::<RibbonEmitterHeader>(&document, "RIBB/RibbonEmitter/RibbonEmitterHeader");
    assert_eq!(
        (
            ribbon.height_above.get(),
            ribbon.height_below.get(),
            ribbon.alpha.get(),
            ribbon.life_span.get(),
            ribbon.gravity.get()
        ),
        (1.0, 2.0, 0.5, 6.0, 7.0)
    );
    assert_eq!(
        (
            ribbon.texture_slot.get(),
            ribbon.emission_rate.get(),
            ribbon.rows.get(),
            ribbon.columns.get(),
            ribbon.material_id.get()
        ),
        (4, 5, 8, 9, 1)
    );
}

#[test]
fn cameras_and_shapes() {
    let document = clean(EVERYTHING);
    let camera = at::<CameraHeader>(&document, "CAMS/Camera/CameraHeader");
    assert_eq!(
        (camera.position, camera.field_of_view.get(), camera.far_clip.get(), camera.near_clip.get()),
        (Vec3::new(1.0, 2.0, 3.0), 0.7, 1000.0, 8.0)
    );
    let depth = at::<CameraDepthOfField>(&document, "CAMS/Camera/CameraDepthOfField");
    assert_eq!((depth.focus_distance.get(), depth.focal_length.get(), depth.f_stop.get()), (4.0, 5.0, 6.0));
    assert_eq!(at::<CameraTarget>(&document, "CAMS/Camera/CameraTarget").position, Vec3::new(4.0, 5.0, 6.0));
    let shape = |index: usize| {
        let parts = document.root.find(&format!("CLID/CollisionShape[{index}]")).unwrap().children();
        (words(&parts[1])[0], words(&parts[2]).into_iter().map(f32::from_bits).collect::<Vec<_>>())
    };
    assert_eq!(shape(0), (0, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_eq!(shape(1), (1, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_eq!(shape(2), (2, vec![1.0, 2.0, 3.0, 4.0]));
    assert_eq!(shape(3), (3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]));
    // The plane of two floats that real files have, and its rival.
    assert_eq!(shape(4), (3, vec![80.0, 90.0]));
    assert_eq!(shape(5), (1, vec![1.0, 2.0, 3.0, 4.0, 5.0]));
}

/// The same material in the versions that spell it differently.
#[test]
fn materials_of_older_versions() {
    let text = |version: u32, shader: &str, items: &str| {
        format!(
            "Version {{\n\tFormatVersion {version},\n}}\nModel \"\" {{\n\tBlendTime 0,\n}}\nMaterials 1 {{\n\tMaterial {{\n{shader}\t\tLayer {{\n\t\t\tFilterMode AddAlpha,\n{items}\t\t}}\n\t}}\n}}\n"
        )
    };
    let alpha = "\t\t\tstatic Alpha 1,\n";
    let emissive = "\t\t\tstatic EmissiveGain 1,\n";
    let fresnel = "\t\t\tstatic FresnelColor { 1, 1, 1 },\n\t\t\tstatic FresnelOpacity 0,\n\t\t\tstatic FresnelTeamColor 0,\n";
    let texture = "\t\t\tstatic TextureID 5,\n";
    let shader = "\t\tShader \"Shader_HD_DefaultUnit\",\n";
    for (version, shader, items, size) in [
        (800, "", format!("{alpha}{texture}"), 28),
        (900, shader, format!("{alpha}{emissive}{texture}"), 32),
        (1000, shader, format!("{alpha}{emissive}{fresnel}{texture}"), 52),
        (1100, "", format!("{alpha}{emissive}{fresnel}\t\t\tstatic TextureID 5 <= 0,\n"), 68),
    ] {
        let text = text(version, shader, &items);
        let document = clean(&text);
        assert_eq!(plain(&document, MdlDialect::Game), text);
        let layer = document.root.find("MTLS/Material/LAYS/Layer").unwrap();
        assert_eq!(
            (layer.len(), layer.children()[0].value::<LayerHeader>().unwrap().filter_mode.get()),
            (size, 4),
            "version {version}"
        );
    }
    // A track of the texture, and a static value beside a track that differs from the default.
    let text = text(
        800,
        "",
        "\t\t\tstatic Alpha 0.5,\n\t\t\tstatic TextureID 2,\n\t\t\tTextureID 1 {\n\t\t\t\tDontInterp,\n\t\t\t\t0: 1,\n\t\t\t}\n\t\t\tAlpha 1 {\n\t\t\t\tLinear,\n\t\t\t\t0: 0,\n\t\t\t}\n",
    );
    let document = clean(&text);
    assert_eq!(plain(&document, MdlDialect::Game), text);
    assert_eq!(at::<U32>(&document, "VERS").get(), 800);
    let layer = document.root.find("MTLS/Material/LAYS/Layer").unwrap();
    assert_eq!(
        layer.children().iter().map(|part| part.kind.name).collect::<Vec<_>>(),
        ["LayerHeader", "KMTF", "KMTA"]
    );
}
