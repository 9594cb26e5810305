//! Texts with mistakes that people make: none of them becomes a model without a message.

use std::fmt::Write as _;

use meshwright_model::Format;

/// What is wrong, what the right text has, and what the wrong one has instead.
type Mistake = (&'static str, &'static str, &'static str);

const W3D_JSON: [Mistake; 20] = [
    ("a vertex was removed", "[0.5, -0.5, -0.05],\n", ""),
    ("a normal was removed", "\"normals\": [\n   [1.0, 0.0, 0.0],\n", "\"normals\": [\n"),
    ("an index that does not exist", "\"vindex\": [0, 1, 2]", "\"vindex\": [0, 1, 9999]"),
    ("an index below zero", "\"vindex\": [0, 1, 2]", "\"vindex\": [0, -3, 2]"),
    ("a number too large for a float", "\"shininess\": 1.0", "\"shininess\": 1e50"),
    ("a coordinate too large for a float", "[0.5, 0.5, -0.05],", "[0.5, 1e50, -0.05],"),
    ("no children", "{\"format\": \"w3d\", \"children\": [", "{\"format\": \"w3d\", \"childs\": ["),
    ("a misspelt chunk", "{\"chunk\": \"TRIANGLES\"", "{\"chunk\": \"TRIANGELS\""),
    ("a misspelt field", "\"mesh_name\": ", "\"mesh_nam\": "),
    ("a misspelt flag", "\"CAST_SHADOW\"", "\"CAST_SHADOWS\""),
    ("a misspelt value", "\"PASS_LEQUAL\"", "\"PASS_LEQAL\""),
    ("two coordinates instead of three", "[0.5, 0.5, -0.05],", "[0.5, 0.5],"),
    ("four coordinates instead of three", "[0.5, 0.5, -0.05],", "[0.5, 0.5, -0.05, 1.0],"),
    ("a word instead of a number", "[0.5, 0.5, -0.05],", "[0.5, half, -0.05],"),
    (
        "a shader that does not exist",
        "{\"chunk\": \"SHADER_IDS\", \"ids\": [0]}",
        "{\"chunk\": \"SHADER_IDS\", \"ids\": [7]}",
    ),
    (
        "a texture that does not exist",
        "{\"chunk\": \"TEXTURE_IDS\", \"ids\": [0]}",
        "{\"chunk\": \"TEXTURE_IDS\", \"ids\": [7]}",
    ),
    (
        "a vertex material that does not exist",
        "{\"chunk\": \"VERTEX_MATERIAL_IDS\", \"ids\": [0]}",
        "{\"chunk\": \"VERTEX_MATERIAL_IDS\", \"ids\": [3]}",
    ),
    ("a texture coordinate was removed", "\"texcoords\": [\n     [0.0, 0.0],\n", "\"texcoords\": [\n"),
    ("a bracket is missing", "\"indices\": [", "\"indices\": "),
    ("a name that is too long", "\"mesh_name\": \"", "\"mesh_name\": \"ANameThatIsLongerThanFifteen"),
];

const MDX_JSON: [Mistake; 10] = [
    ("no children", "\"children\": [", "\"child\": ["),
    ("a misspelt chunk", "\"VERS\"", "\"VRES\""),
    ("a misspelt field", "\"blend_time\": ", "\"blendtime\": "),
    ("a misspelt field of a field", "\"minimum\": ", "\"minimun\": "),
    ("a material that does not exist", "\"material_id\": 0", "\"material_id\": 99"),
    ("a texture that does not exist", "\"texture_id\": 0", "\"texture_id\": 99"),
    ("a key twice", "\"blend_time\": ", "\"blend_time\": 1, \"blend_time\": "),
    ("a fraction where a whole number is needed", "\"material_id\": 0", "\"material_id\": 0.5"),
    ("another format", "{\"format\": \"mdx\"", "{\"format\": \"mdl\""),
    ("text after the end", "{\"format\": \"mdx\"", "x {\"format\": \"mdx\""),
];

const MODEL: &str = "Version {
\tFormatVersion 800,
}
Model \"Quad\" {
\tBlendTime 150,
\tMinimumExtent { 0, 0, 0 },
\tMaximumExtent { 1, 1, 0 },
\tBoundsRadius 2,
}
Sequences 1 {
\tAnim \"Stand\" {
\t\tInterval { 0, 1000 },
\t}
}
Textures 1 {
\tBitmap {
\t\tImage \"a.blp\",
\t}
}
Materials 1 {
\tMaterial {
\t\tLayer {
\t\t\tFilterMode Blend,
\t\t\tstatic TextureID 0,
\t\t}
\t}
}
Geoset {
\tVertices 4 {
\t\t{ 0, 0, 0 },
\t\t{ 1, 0, 0 },
\t\t{ 1, 1, 0 },
\t\t{ 0, 1, 0 },
\t}
\tNormals 4 {
\t\t{ 0, 0, 1 },
\t\t{ 0, 0, 1 },
\t\t{ 0, 0, 1 },
\t\t{ 0, 0, 1 },
\t}
\tTVertices 4 {
\t\t{ 0, 0 },
\t\t{ 1, 0 },
\t\t{ 1, 1 },
\t\t{ 0, 1 },
\t}
\tVertexGroup {
\t\t0,
\t\t0,
\t\t0,
\t\t0,
\t}
\tFaces 1 6 {
\t\tTriangles {
\t\t\t{ 0, 1, 2, 0, 2, 3 },
\t\t}
\t}
\tGroups 1 1 {
\t\tMatrices { 0 },
\t}
\tMaterialID 0,
\tSelectionGroup 0,
}
Bone \"Root\" {
\tObjectId 0,
\tGeosetId 0,
\tGeosetAnimId None,
\tTranslation 2 {
\t\tLinear,
\t\t0: { 0, 0, 0 },
\t\t1000: { 0, 0, 1 },
\t}
}
Helper \"Aim\" {
\tObjectId 1,
\tParent 0,
}
PivotPoints 2 {
\t{ 0, 0, 0 },
\t{ 0, 0, 1 },
}
";

const MDL: [Mistake; 30] = [
    ("a misspelt MaterialID", "MaterialID 0", "MaterailID 0"),
    ("a misspelt FormatVersion", "FormatVersion", "FormatVersoin"),
    ("a misspelt block", "Geoset {", "Goeset {"),
    ("a misspelt list", "Textures 1 {", "Texures 1 {"),
    ("a misspelt array", "TVertices 4", "TVertces 4"),
    ("a misspelt track", "Translation 2", "Transaltion 2"),
    ("a misspelt interpolation", "\t\tLinear,", "\t\tLiniear,"),
    ("a misspelt filter mode", "FilterMode Blend", "FilterMode Blned"),
    ("a hexadecimal number", "ObjectId 1", "ObjectId 0x10"),
    ("a letter in a number", "BlendTime 150", "BlendTime 15O"),
    ("a number too large for a float", "BoundsRadius 2", "BoundsRadius 1e50"),
    ("a number too large for an integer", "ObjectId 1", "ObjectId 99999999999"),
    (
        "two versions",
        "Version {\n\tFormatVersion 800,\n}",
        "Version {\n\tFormatVersion 800,\n}\nVersion {\n\tFormatVersion 1000,\n}",
    ),
    ("two models", "Sequences 1 {", "Model \"Other\" {\n}\nSequences 1 {"),
    ("an unknown block", "Sequences 1 {", "Wingspan {\n\t3,\n}\nSequences 1 {"),
    ("an unknown item", "BlendTime 150,", "BlendTime 150,\n\tWingspan 3,"),
    ("a vertex was removed", "\t\t{ 0, 1, 0 },\n", ""),
    ("a normal was removed", "Normals 4 {\n\t\t{ 0, 0, 1 },\n", "Normals 4 {\n"),
    ("a texture coordinate was removed", "TVertices 4 {\n\t\t{ 0, 0 },\n", "TVertices 4 {\n"),
    ("a vertex group was removed", "VertexGroup {\n\t\t0,\n", "VertexGroup {\n"),
    ("an index that does not exist", "{ 0, 1, 2, 0, 2, 3 }", "{ 0, 1, 2, 0, 2, 9 }"),
    ("an index too large", "{ 0, 1, 2, 0, 2, 3 }", "{ 0, 1, 2, 0, 2, 99999 }"),
    ("a triangle with two corners", "{ 0, 1, 2, 0, 2, 3 }", "{ 0, 1, 2, 0, 2 }"),
    ("a material that does not exist", "MaterialID 0", "MaterialID 5"),
    ("a texture that does not exist", "static TextureID 0", "static TextureID 4"),
    ("a parent that does not exist", "Parent 0", "Parent 17"),
    ("a matrix group that does not exist", "VertexGroup {\n\t\t0,", "VertexGroup {\n\t\t6,"),
    ("two numbers instead of three", "MinimumExtent { 0, 0, 0 }", "MinimumExtent { 0, 0 }"),
    (
        "a brace is missing",
        "\tMaterialID 0,\n\tSelectionGroup 0,\n}",
        "\tMaterialID 0,\n\tSelectionGroup 0,\n",
    ),
    ("text outside of blocks", "Sequences 1 {", "and now\nSequences 1 {"),
];

/// The messages about a text, as `convert` prints them; empty if there are none.
fn messages(format: &str, text: &str) -> String {
    let format = Format::named(format).expect("a format");
    let mut out = String::new();
    match format.read(text.as_bytes()) {
        Err(error) => {
            let error = record::Diagnostic::from(error);
            let at = usize::try_from(error.span.start).unwrap_or(0).min(text.len());
            let line = text[..at].matches('\n').count() + 1;
            let _ = writeln!(out, "  error at line {line}: {} {}", error.path, error.message);
        }
        Ok(parsed) => {
            for note in parsed.notes {
                let _ = writeln!(out, "  {}: {} {}", note.severity.word(), note.path, note.message);
            }
        }
    }
    out
}

fn judge(
    format: &str,
    right: &str,
    mistakes: &[Mistake],
    golden: &mut String,
    silent: &mut Vec<&'static str>,
) {
    let said = messages(format, right);
    assert!(said.is_empty(), "the right text: {said}");
    for (what, from, to) in mistakes {
        assert!(right.contains(from), "{what}: the right text has no {from:?}");
        let wrong = right.replacen(from, to, 1);
        let said = messages(format, &wrong);
        if said.is_empty() {
            silent.push(what);
        }
        let _ = writeln!(golden, "{format}: {what}\n{said}");
    }
}

#[test]
fn no_wrong_text_compiles_silently() {
    let w3d = w3d::W3d::parse(&w3d::sample::crate_box()).expect("a sample").to_json();
    let mdx = mdx::build::samples().swap_remove(0).1;
    let mdx = mdx::Document::parse(&mdx).expect("a sample").to_json();
    let (mut golden, mut silent) = (String::new(), Vec::new());
    judge("json", &w3d, &W3D_JSON, &mut golden, &mut silent);
    judge("json", &mdx, &MDX_JSON, &mut golden, &mut silent);
    judge("mdl", MODEL, &MDL, &mut golden, &mut silent);
    assert!(silent.is_empty(), "no message: {silent:?}");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/wrong_texts.txt");
    if std::env::var_os("MESHWRIGHT_BLESS").is_some_and(|value| !value.is_empty()) {
        std::fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden")).expect("a folder");
        std::fs::write(file, &golden).expect("the golden file");
    }
    let wanted = std::fs::read_to_string(file).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(golden, wanted, "set MESHWRIGHT_BLESS and review the difference");
}
