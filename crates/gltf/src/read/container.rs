//! From bytes to JSON and buffers: GLB chunks, `.gltf` text, files beside it and data URIs.

use super::error::{Pointer, ReadError};
use super::json::{self, Document};
use std::borrow::Cow;

/// Reads a file that a model refers to, by its decoded relative path.
pub type Resolve<'f> = dyn Fn(&str) -> std::io::Result<Vec<u8>> + 'f;

/// The parts of a file.
pub(crate) struct Container<'a> {
    pub(crate) document: Document<'a>,
    /// One for each of the document's buffers, at least as long as declared.
    pub(crate) buffers: Vec<Cow<'a, [u8]>>,
}

const MAGIC: &[u8] = b"glTF";

/// Bytes of JSON in which the place of a mistake is looked for.
const LOCATED: usize = 4 << 20;

/// Whether bytes start like a GLB or like a glTF text.
pub(crate) fn is_gltf(bytes: &[u8]) -> bool {
    if bytes.starts_with(MAGIC) {
        return true;
    }
    let start = &bytes[..bytes.len().min(1 << 16)];
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    text.trim_ascii_start().starts_with(b"{") && text.windows(7).any(|window| window == b"\"asset\"")
}

impl<'a> Container<'a> {
    pub(crate) fn open(bytes: &'a [u8], resolve: &Resolve<'_>, limit: usize) -> Result<Self, ReadError> {
        let (text, binary) = match bytes.strip_prefix(MAGIC) {
            Some(_) => chunks(bytes)?,
            None => (bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), None),
        };
        let text = std::str::from_utf8(text).map_err(|error| ReadError::Json(error.to_string()))?;
        let document: Document<'a> = serde_json::from_str(text).map_err(|error| {
            // Lists of glTF 1.0 are objects.
            if let Ok(json::Head { asset }) = serde_json::from_str(text)
                && asset.version.starts_with("1")
            {
                return unsupported_version(&asset.version);
            }
            // The place is found by reading everything again.
            let found = if text.len() <= LOCATED { json::locate(text) } else { None };
            match found {
                Some((pointer, message)) => ReadError::invalid(pointer, message),
                None => ReadError::Json(error.to_string()),
            }
        })?;
        let version = &*document.asset.version;
        if !version.starts_with("2.") && version != "2" {
            return Err(unsupported_version(version));
        }
        refuse_unsupported(&document)?;
        let mut left = limit;
        let mut buffers = Vec::with_capacity(document.buffers.len());
        for (at, buffer) in document.buffers.iter().enumerate() {
            let pointer = || format!("/buffers/{at}");
            let data = match (&buffer.uri, binary) {
                (Some(uri), _) => Cow::Owned(file(uri, resolve, &format!("{}/uri", pointer()))?),
                (None, Some(binary)) if at == 0 => Cow::Borrowed(binary),
                // A buffer without data is only wrong if something reads it.
                (None, _) => Cow::Borrowed(&[][..]),
            };
            if let Cow::Owned(data) = &data {
                left = left.checked_sub(data.len()).ok_or(ReadError::limit("bytes", limit))?;
            }
            let declared = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
            if !data.is_empty() && declared > data.len() {
                let message = format!("{declared} bytes are declared, but there are {}", data.len());
                return Err(ReadError::invalid(format!("{}/byteLength", pointer()), message));
            }
            buffers.push(data);
        }
        Ok(Self { document, buffers })
    }

    /// The bytes of a view.
    pub(crate) fn view(&self, view: u32, pointer: Pointer<'_>) -> Result<&[u8], ReadError> {
        let found = self.document.buffer_views.get(view as usize);
        let found = found.ok_or_else(|| ReadError::missing(pointer, "buffer view", view))?;
        let here = format_args!("/bufferViews/{view}");
        let buffer = self.buffers.get(found.buffer as usize);
        let buffer = buffer
            .ok_or_else(|| ReadError::missing(format_args!("{here}/buffer"), "buffer", found.buffer))?;
        let end = found.byte_offset.checked_add(found.byte_length);
        let range = end.and_then(|end| {
            let (start, end) = (usize::try_from(found.byte_offset).ok()?, usize::try_from(end).ok()?);
            buffer.get(start..end)
        });
        range.ok_or_else(|| {
            let message = format!(
                "{} bytes from byte {} are outside buffer {}, which has {}",
                found.byte_length,
                found.byte_offset,
                found.buffer,
                buffer.len()
            );
            ReadError::invalid(here.to_string(), message)
        })
    }
}

fn unsupported_version(version: &str) -> ReadError {
    let message = match version {
        "" => "missing; every glTF 2.0 file states its version".to_owned(),
        version => format!("version {version} is not supported; export as glTF 2.0"),
    };
    ReadError::invalid("/asset/version", message)
}

/// The JSON and the binary chunk of a GLB.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ReadError> {
    let word = |at: usize| {
        let bytes = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    let broken = |message: &str| ReadError::Container(message.to_owned());
    match word(4) {
        Some(2) => {}
        Some(version) => {
            return Err(broken(&format!("GLB version {version} is not supported; export as glTF 2.0")));
        }
        None => return Err(broken("the GLB header is cut off")),
    }
    let (mut json, mut binary) = (None, None);
    let mut at = 12;
    while let (Some(length), Some(kind)) = (word(at), word(at + 4)) {
        let start = at + 8;
        let end = usize::try_from(length).ok().and_then(|length| start.checked_add(length));
        let chunk = end.and_then(|end| bytes.get(start..end)).ok_or_else(|| {
            broken(&format!("the chunk at byte {at} declares {length} bytes, more than the file has"))
        })?;
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at = start + chunk.len().next_multiple_of(4);
    }
    Ok((json.ok_or_else(|| broken("the GLB has no JSON chunk"))?, binary))
}

/// Extensions whose data cannot be read without them, and what to do.
const UNSUPPORTED: [(&str, &str); 5] = [
    (
        "KHR_draco_mesh_compression",
        "switch off Draco compression in the exporter (Blender: Data > Compression)",
    ),
    ("EXT_meshopt_compression", "export without meshopt compression (gltfpack: without -c and -cc)"),
    ("KHR_meshopt_compression", "export without meshopt compression (gltfpack: without -c and -cc)"),
    ("KHR_texture_basisu", "export textures as PNG or JPEG instead of KTX2 (Basis Universal)"),
    ("KHR_gaussian_splatting", "export triangles instead of Gaussian splats"),
];

/// Extensions that may be required because they are read, or change nothing that is.
const KNOWN: [&str; 24] = [
    "EXT_mesh_gpu_instancing",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_texture_transform",
    "KHR_xmp_json_ld",
    "MSFT_lod",
    "MSFT_texture_dds",
];

fn refuse_unsupported(document: &Document<'_>) -> Result<(), ReadError> {
    for (at, name) in document.extensions_required.iter().enumerate() {
        let pointer = format!("/extensionsRequired/{at}");
        if let Some((_, advice)) = UNSUPPORTED.iter().find(|(known, _)| *known == *name) {
            return Err(ReadError::Unsupported { pointer, name: name.to_string(), advice });
        }
        if !KNOWN.contains(&&**name) {
            let advice = "export without this extension";
            return Err(ReadError::Unsupported { pointer, name: name.to_string(), advice });
        }
    }
    // Draco without a fallback is not always declared as required.
    let advice = UNSUPPORTED[0].1;
    for (mesh, found) in document.meshes.iter().enumerate() {
        for (at, primitive) in found.primitives.iter().enumerate() {
            let name = UNSUPPORTED[0].0;
            let is_packed = primitive.extensions.as_ref().is_some_and(|all| all.contains_key(name));
            let position = primitive.attributes.get("POSITION");
            let accessor = position.and_then(|position| document.accessors.get(*position as usize));
            if is_packed && accessor.is_some_and(|accessor| accessor.buffer_view.is_none()) {
                let pointer = format!("/meshes/{mesh}/primitives/{at}/extensions");
                return Err(ReadError::Unsupported { pointer, name: name.to_owned(), advice });
            }
        }
    }
    Ok(())
}

/// The content of a URI: base64 data or a file.
pub(crate) fn file(uri: &str, resolve: &Resolve<'_>, pointer: &str) -> Result<Vec<u8>, ReadError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (kind, text) =
            data.split_once(',').ok_or_else(|| ReadError::invalid(pointer, "a data URI without a comma"))?;
        return match kind.ends_with(";base64") {
            true => base64(text).ok_or_else(|| ReadError::invalid(pointer, "invalid base64")),
            false => Ok(percent_decoded(text)),
        };
    }
    let path = String::from_utf8_lossy(&percent_decoded(uri)).into_owned();
    resolve(&path).map_err(|error| ReadError::File {
        pointer: pointer.to_owned(),
        path,
        reason: error.to_string(),
    })
}

/// A URI with its `%20` and the like replaced.
pub(crate) fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) => {
                decoded.push(value);
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    decoded
}

/// Decodes base64; white space is ignored.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            byte if byte.is_ascii_whitespace() => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push((bits >> count) as u8);
        }
    }
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_any_length_is_decoded() {
        for (text, bytes) in
            [("", &b""[..]), ("Zg==", b"f"), ("Zm8=", b"fo"), ("Zm9v", b"foo"), ("Zm9v\nYg", b"foob")]
        {
            assert_eq!(base64(text).as_deref(), Some(bytes), "{text}");
        }
        assert_eq!(base64("Zm9v!"), None);
    }

    #[test]
    fn escapes_of_uris_are_decoded_and_lone_percent_signs_stay() {
        assert_eq!(percent_decoded("a%20b%C3%A9%zz%"), "a b\u{e9}%zz%".as_bytes());
    }
}
