//! MDL texts by its grammar: almost all of them are read, so that fuzzing reaches what comes after.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// A text of a model: blocks of the grammar in any order, with numbers and names that are mostly valid.
pub fn text(from: &mut Unstructured<'_>) -> Result<String> {
    let mut out = String::new();
    if !from.ratio(1, 32)? {
        let version = from.choose(&["800", "900", "1000", "1100", "1200", "1300"])?;
        out += &format!("Version {{\n\tFormatVersion {version},\n}}\n");
    }
    if !from.ratio(1, 32)? {
        out += &format!("Model \"m\" {{\n\tBlendTime {},\n{}}}\n", number(from)?, extent(from)?);
    }
    for _ in 0..from.int_in_range(0..=8)? {
        out += &block(from)?;
        if from.ratio(1, 8)? {
            out += from.choose(&["// a comment\n", "\r\n", "\t", "\u{feff}", "}\n", "{\n", "Unknown { a, }\n"])?;
        }
    }
    Ok(out)
}

fn block(from: &mut Unstructured<'_>) -> Result<String> {
    Ok(match from.int_in_range(0..=12)? {
        0 => counted(from, "Sequences", |from| {
            let flags = *from.choose(&["", "\t\tNonLooping,\n", "\t\tMoveSpeed 1,\n", "\t\tRarity 2,\n"])?;
            let (start, end) = (integer(from)?, integer(from)?);
            Ok(format!("\tAnim {} {{\n\t\tInterval {{ {start}, {end} }},\n{flags}{}\t}}\n", name(from)?, extent(from)?))
        })?,
        1 => counted(from, "GlobalSequences", |from| Ok(format!("\tDuration {},\n", integer(from)?)))?,
        2 => counted(from, "Textures", |from| {
            let flags = *from.choose(&["", "\t\tWrapWidth,\n", "\t\tReplaceableId 1,\n"])?;
            Ok(format!("\tBitmap {{\n\t\tImage {},\n{flags}\t}}\n", name(from)?))
        })?,
        3 => counted(from, "Materials", material)?,
        4 => counted(from, "TextureAnims", |from| {
            Ok(format!("\tTVertexAnim {{\n{}\t}}\n", tracks(from, &[("Translation", 3), ("Rotation", 4), ("Scaling", 3)])?))
        })?,
        5 => geoset(from)?,
        6 => {
            let tracks = tracks(from, &[("Alpha", 1), ("Color", 3)])?;
            format!("GeosetAnim {{\n\tGeosetId {},\n\tstatic Alpha 1,\n{tracks}}}\n", index(from)?)
        }
        7 => node(from, "Bone", "\tGeosetId 0,\n\tGeosetAnimId None,\n")?,
        8 => node(from, "Helper", "")?,
        9 => {
            let kind = *from.choose(&["\tOmnidirectional,\n", "\tDirectional,\n", "\tAmbient,\n", ""])?;
            node(from, "Light", &format!("{kind}\tstatic Intensity 10,\n\tstatic Color {{ 1, 1, 1 }},\n"))?
        }
        10 => counted(from, "PivotPoints", |from| Ok(format!("\t{},\n", vector(from, 3)?)))?,
        11 => {
            let own = tracks(from, &[("Translation", 3), ("Rotation", 1)])?;
            let target = tracks(from, &[("Translation", 3)])?;
            let at = vector(from, 3)?;
            format!("Camera {} {{\n\tPosition {at},\n{own}\tFieldOfView 0.8,\n\tTarget {{\n\t\tPosition {at},\n{target}\t}}\n}}\n", name(from)?)
        }
        _ => {
            let times = times(from)?;
            let list: String = times.iter().map(|time| format!("\t\t{time},\n")).collect();
            node(from, "EventObject", &format!("\tEventTrack {} {{\n{list}\t}}\n", times.len()))?
        }
    })
}

/// A block with a number of entries, which is mostly right.
fn counted(
    from: &mut Unstructured<'_>,
    word: &str,
    entry: impl Fn(&mut Unstructured<'_>) -> Result<String>,
) -> Result<String> {
    let count = from.int_in_range(0..=4)?;
    let entries: String = (0..count).map(|_| entry(from)).collect::<Result<_>>()?;
    let said = if from.ratio(1, 16)? { integer(from)? } else { i64::from(count) };
    Ok(format!("{word} {said} {{\n{entries}}}\n"))
}

fn material(from: &mut Unstructured<'_>) -> Result<String> {
    let mut layers = String::new();
    for _ in 0..from.int_in_range(0..=3)? {
        let filter = *from.choose(&["None", "Transparent", "Blend", "Additive", "AddAlpha", "Modulate", "Modulate2x"])?;
        let texture = index(from)?;
        let flags = *from.choose(&["", "\t\t\tUnshaded,\n", "\t\t\tTwoSided,\n\t\t\tUnfogged,\n", "\t\t\tTVertexAnimId 0,\n"])?;
        let tracks = tracks(from, &[("Alpha", 1), ("TextureID", 1)])?;
        layers += &format!("\t\tLayer {{\n\t\t\tFilterMode {filter},\n\t\t\tstatic TextureID {texture},\n{flags}{tracks}\t\t}}\n");
    }
    let flags = *from.choose(&["", "\t\tConstantColor,\n", "\t\tSortPrimsFarZ,\n", "\t\tPriorityPlane 3,\n"])?;
    Ok(format!("\tMaterial {{\n{flags}{layers}\t}}\n"))
}

fn geoset(from: &mut Unstructured<'_>) -> Result<String> {
    let count = from.int_in_range(0..=5)?;
    let many = |from: &mut Unstructured<'_>, size: usize| -> Result<String> {
        let lines: String = (0..count).map(|_| Ok(format!("\t\t{},\n", vector(from, size)?))).collect::<Result<_>>()?;
        Ok(format!("{count} {{\n{lines}\t}}\n"))
    };
    let (vertices, normals, coordinates) = (many(from, 3)?, many(from, 3)?, many(from, 2)?);
    let groups: String = (0..count).map(|_| Ok(format!("{}, ", index(from)?))).collect::<Result<_>>()?;
    let corners: Vec<String> = (0..3 * from.int_in_range(0..=3)?).map(|_| index(from)).collect::<Result<_>>()?;
    let matrices: String = (0..from.int_in_range(1..=3)?)
        .map(|_| Ok(format!("\t\tMatrices {{ {} }},\n", index(from)?)))
        .collect::<Result<_>>()?;
    Ok(format!(
        "Geoset {{\n\tVertices {vertices}\tNormals {normals}\tTVertices {coordinates}\tVertexGroup {{ {groups}}}\n\
         \tFaces 1 {} {{\n\t\tTriangles {{\n\t\t\t{{ {} }},\n\t\t}}\n\t}}\n\tGroups {} {} {{\n{matrices}\t}}\n{}\tMaterialID {},\n\
         \tSelectionGroup 0,\n}}\n",
        corners.len(),
        corners.join(", "),
        matrices.lines().count(),
        matrices.lines().count(),
        extent(from)?,
        index(from)?,
    ))
}

fn node(from: &mut Unstructured<'_>, word: &str, own: &str) -> Result<String> {
    let parent = if from.ratio(1, 2)? { format!("\tParent {},\n", index(from)?) } else { String::new() };
    let flags = *from.choose(&["", "\tBillboarded,\n", "\tDontInherit { Rotation },\n", "\tCameraAnchored,\n"])?;
    let tracks = tracks(from, &[("Translation", 3), ("Rotation", 4), ("Scaling", 3), ("Visibility", 1)])?;
    Ok(format!("{word} {} {{\n\tObjectId {},\n{parent}{flags}{own}{tracks}}}\n", name(from)?, index(from)?))
}

fn tracks(from: &mut Unstructured<'_>, known: &[(&str, usize)]) -> Result<String> {
    let mut out = String::new();
    for (word, size) in known {
        if !from.ratio(1, 3)? {
            continue;
        }
        let way = *from.choose(&["DontInterp", "Linear", "Hermite", "Bezier"])?;
        let global = if from.ratio(1, 4)? { format!("\t\tGlobalSeqId {},\n", index(from)?) } else { String::new() };
        let times = times(from)?;
        let mut keys = String::new();
        for time in &times {
            keys += &format!("\t\t{time}: {},\n", vector(from, *size)?);
            if way == "Hermite" || way == "Bezier" {
                keys += &format!("\t\t\tInTan {},\n\t\t\tOutTan {},\n", vector(from, *size)?, vector(from, *size)?);
            }
        }
        out += &format!("\t{word} {} {{\n\t\t{way},\n{global}{keys}\t}}\n", times.len());
    }
    Ok(out)
}

fn times(from: &mut Unstructured<'_>) -> Result<Vec<i64>> {
    let mut times: Vec<i64> = (0..from.int_in_range(0..=4)?).map(|_| integer(from)).collect::<Result<_>>()?;
    if !from.ratio(1, 8)? {
        times.sort_unstable();
    }
    Ok(times)
}

fn extent(from: &mut Unstructured<'_>) -> Result<String> {
    if from.ratio(1, 2)? {
        return Ok(String::new());
    }
    let (least, most) = (vector(from, 3)?, vector(from, 3)?);
    Ok(format!("\tMinimumExtent {least},\n\tMaximumExtent {most},\n\tBoundsRadius {},\n", number(from)?))
}

fn vector(from: &mut Unstructured<'_>, size: usize) -> Result<String> {
    if size == 1 {
        return number(from);
    }
    let numbers: Vec<String> = (0..size).map(|_| number(from)).collect::<Result<_>>()?;
    Ok(format!("{{ {} }}", numbers.join(", ")))
}

fn number(from: &mut Unstructured<'_>) -> Result<String> {
    Ok(match from.int_in_range(0..=7)? {
        0 => (*from.choose(&["nan", "-inf", "1e39", "-0", "0.1e-44", "1.#QNAN", "16777217"])?).to_owned(),
        1 => f32::from_bits(from.arbitrary()?).to_string(),
        _ => format!("{}", f32::from(from.int_in_range(-100i8..=100)?) / 8.0),
    })
}

fn integer(from: &mut Unstructured<'_>) -> Result<i64> {
    Ok(match from.int_in_range(0..=15)? {
        0 => i64::from(from.arbitrary::<i32>()?),
        1 => *from.choose(&[-1, i64::from(i32::MAX), i64::from(u32::MAX), 1 << 40])?,
        _ => from.int_in_range(0..=3000)?,
    })
}

/// A small number, mostly of something that exists.
fn index(from: &mut Unstructured<'_>) -> Result<String> {
    Ok(match from.int_in_range(0..=15)? {
        0 => integer(from)?.to_string(),
        1 => "None".to_owned(),
        _ => from.int_in_range(0..=3)?.to_string(),
    })
}

fn name(from: &mut Unstructured<'_>) -> Result<String> {
    Ok(format!("\"{}\"", from.choose(&["a", "Bone_Root", "Stand - 1", "", "Textures\\x.blp", "ä", "SNDxAAAA", "a // b"])?))
}
