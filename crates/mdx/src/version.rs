//! Conversion between the versions of Warcraft III.
//!
//! The [table of gates](crate::GATES) decides which parts exist. Data with a counterpart is converted: six layers of an
//! HD material become the texture slots of one layer, a shader's name becomes its number, bone weights become matrix
//! groups. Data without a counterpart is dropped, and a [`Note`] reports it.

mod skin;

use record::{I32, Node, U32};

use crate::build::{LayerParts, LightParts, branch, leaf, part};
use crate::records::*;
use crate::tracks::tags;
use crate::{Dialect, Document, Error, Gate, Gates, kinds};

/// A loss of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The part, such as `GEOS/Geoset[2]`.
    pub path: String,
    /// What happened to it.
    pub message: String,
}

/// The versions between which models are converted.
pub const VERSIONS: [u32; 5] = [800, 900, 1000, 1100, 1200];

/// Names of shaders from version 900 up to 1100 and their numbers from then on.
const SHADERS: [(&str, ShaderType); 2] =
    [("Shader_HD_DefaultUnit", ShaderType::HD_DEFAULT_UNIT), ("Shader_HD_Crystal", ShaderType::HD_CRYSTAL)];

/// The slots of an HD material, each a layer before version 1100.
const SLOTS: usize = 6;

/// The model in another version of Warcraft III, and the losses.
///
/// ```
/// let file = meshwright_mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-1200").unwrap().1;
/// let model = meshwright_mdx::Document::parse(&file)?;
/// let (classic, notes) = meshwright_mdx::version::convert(&model, 800)?;
/// assert_eq!(classic.version, 800);
/// assert!(!notes.is_empty(), "version 800 has no tangents");
/// assert!(meshwright_mdx::Document::parse(&classic.to_bytes()?)?.diagnostics().is_empty());
/// # Ok::<(), meshwright_mdx::Error>(())
/// ```
pub fn convert(document: &Document<'_>, to: u32) -> Result<(Document<'static>, Vec<Note>), Error> {
    let error = |message: String| Error::new("MDX-VERSION", 0..0, message);
    if document.dialect != Dialect::Warcraft {
        return Err(error("only models of Warcraft III can be converted to another version".to_owned()));
    }
    for version in [document.version, to] {
        if !VERSIONS.contains(&version) {
            return Err(error(format!(
                "unsupported version {version}: supported are 800, 900, 1000, 1100 and 1200"
            )));
        }
    }
    let gates = |version| Gates::of(Dialect::Warcraft, version);
    let mut converter =
        Converter { from: gates(document.version), to: gates(to), notes: Vec::new(), further: Vec::new() };
    let mut root = document.clone().into_owned().root;
    if let Some(chunks) = root.children_mut() {
        converter.chunks(chunks);
        for chunk in chunks.iter_mut().filter(|chunk| chunk.is(&kinds::VERS)) {
            chunk.body = leaf(&kinds::VERS, &[U32::new(to)]).body;
        }
    }
    let long_strings = document.long_strings.clone();
    Ok((Document { root, version: to, dialect: Dialect::Warcraft, long_strings }, converter.notes))
}

struct Converter {
    from: Gates,
    to: Gates,
    notes: Vec<Note>,
    /// Geosets that others were divided into, with the indices of these.
    further: Vec<(usize, Node<'static>)>,
}

/// The record of a part, or its default if it is missing.
fn record_or<T: kinds::Part + Copy>(object: &Node<'_>, default: T) -> T {
    object.child(T::kind()).and_then(|part| part.value::<T>()).copied().unwrap_or(default)
}

/// The tracks among an object's parts.
fn take_tracks(object: &Node<'static>) -> Vec<Node<'static>> {
    object.children().iter().filter(|part| crate::track_row(part.id).is_some()).cloned().collect()
}

impl Converter {
    fn note(&mut self, path: &str, message: impl Into<String>) {
        self.notes.push(Note { path: path.to_owned(), message: message.into() });
    }

    /// Whether the target is classic: Reforged introduced this gate with everything else.
    fn classic(&self) -> bool {
        !self.to.has(Gate::GeosetLevelOfDetail)
    }

    fn gained(&self, gate: Gate) -> bool {
        self.to.has(gate) && !self.from.has(gate)
    }

    fn lost(&self, gate: Gate) -> bool {
        self.from.has(gate) && !self.to.has(gate)
    }

    fn chunks(&mut self, chunks: &mut Vec<Node<'static>>) {
        for chunk in chunks.iter_mut() {
            let name = chunk.kind.name;
            let Some(objects) = chunk.children_mut() else { continue };
            for (index, object) in objects.iter_mut().enumerate() {
                let path = format!("{name}/{}[{index}]", object.kind.name);
                if object.is(&kinds::MATERIAL) {
                    self.material(object, &path);
                } else if object.is(&kinds::GEOSET) {
                    self.geoset(object, index, &path);
                } else if object.is(&kinds::LIGHT) {
                    self.light(object, &path);
                }
            }
        }
        self.add_further(chunks);
        if self.classic() {
            self.drop_chunks(chunks);
        }
    }

    /// Version 800 has no popcorn effects, no facial animation and no rest matrices.
    fn drop_chunks(&mut self, chunks: &mut Vec<Node<'static>>) {
        let mut helpers = Vec::new();
        for chunk in chunks.iter().filter(|chunk| chunk.is(&kinds::CORN)) {
            for (index, emitter) in chunk.children().iter().enumerate() {
                // A helper keeps its id and pivot, so that references to it stay valid.
                let Some(mut node) = emitter.child(&kinds::NODE).cloned() else { continue };
                if let Some(header) =
                    node.children_mut().and_then(|parts| parts.first_mut()?.value_mut::<NodeHeader>())
                {
                    header.flags = NodeFlags::new(header.flags.get() & 0xFF);
                }
                helpers.push(branch(&kinds::HELPER, vec![node]));
                self.note(
                    &format!("CORN/PopcornEmitter[{index}]"),
                    "the effect is dropped; its node becomes a helper",
                );
            }
        }
        for (kind, what) in [
            (kinds::FAFX.kind, "facial animation is dropped"),
            (kinds::BPOS.kind, "rest matrices are dropped"),
        ] {
            if chunks.iter().any(|chunk| chunk.is(kind) && chunk.body_len() > 0) {
                self.note(kind.name, what);
            }
        }
        chunks.retain(|chunk| !chunk.is(&kinds::CORN) && !chunk.is(&kinds::FAFX) && !chunk.is(&kinds::BPOS));
        if helpers.is_empty() {
            return;
        }
        match chunks.iter_mut().find(|chunk| chunk.is(&kinds::HELP)).and_then(Node::children_mut) {
            Some(objects) => objects.append(&mut helpers),
            None => {
                let before = chunks.iter().position(|chunk| chunk.is(&kinds::ATCH) || chunk.is(&kinds::PIVT));
                chunks.insert(before.unwrap_or(chunks.len()), branch(&kinds::HELP, helpers));
            }
        }
    }

    fn light(&mut self, light: &mut Node<'static>, path: &str) {
        let default = LightParts::default().shadow_intensity;
        if self.lost(Gate::LightShadowIntensity) {
            let intensity = record_or(light, default);
            if intensity != default {
                self.note(path, format!("shadow intensity {} is dropped", intensity.shadow_intensity.get()));
            }
        }
        let Some(parts) = light.children_mut() else { return };
        if self.lost(Gate::LightShadowIntensity) {
            parts.retain(|part| !part.is(&kinds::LIGHT_SHADOW_INTENSITY));
        } else if self.gained(Gate::LightShadowIntensity) {
            let index = parts
                .iter()
                .position(|part| part.is(&kinds::LIGHT_AMBIENT))
                .map_or(parts.len(), |index| index + 1);
            parts.insert(index, part(&default));
        }
    }

    fn geoset(&mut self, geoset: &mut Node<'static>, index: usize, path: &str) {
        if self.lost(Gate::GeosetLevelOfDetail) {
            let level = record_or(geoset, GeosetLevelOfDetail::default());
            if level.level.get() > 0 || !level.name.text().is_empty() {
                self.note(
                    path,
                    format!(
                        "level of detail {} and name {:?} are dropped",
                        level.level.get(),
                        level.name.to_string()
                    ),
                );
            }
            if geoset.child(&kinds::TANG).is_some() {
                self.note(path, "tangents are dropped");
            }
            if let Some(skin) = geoset.child(&kinds::SKIN).map(|skin| skin.bytes().to_vec()) {
                self.unskin(geoset, index, &skin, path);
            }
        }
        let Some(parts) = geoset.children_mut() else { return };
        if self.lost(Gate::GeosetLevelOfDetail) {
            parts.retain(is_classic);
        } else if self.gained(Gate::GeosetLevelOfDetail) {
            let index = parts
                .iter()
                .position(|part| part.is(&kinds::GEOSET_HEADER))
                .map_or(parts.len(), |index| index + 1);
            parts.insert(index, part(&GeosetLevelOfDetail::default()));
        }
    }

    /// Weights become matrix groups, in which a bone with more weight is repeated. A geoset with too many groups is divided; the further
    /// geosets come last, so that indices stay valid.
    fn unskin(&mut self, geoset: &mut Node<'static>, index: usize, skin: &[u8], path: &str) {
        let groups = skin::Groups::new(skin);
        let further = groups.apply(geoset);
        let mut message =
            format!("bone weights are replaced by matrix groups, and change by up to {:.3}", groups.error);
        if !further.is_empty() {
            message += &format!("; divided into {} geosets, because one has 256 groups", further.len() + 1);
        }
        self.note(path, message);
        for mut geoset in further {
            geoset.children_mut().into_iter().for_each(|parts| parts.retain(is_classic));
            self.further.push((index, geoset));
        }
    }

    /// Adds the geosets that others were divided into, with the animations of these.
    fn add_further(&mut self, chunks: &mut [Node<'static>]) {
        let further = std::mem::take(&mut self.further);
        let Some(place) = chunks.iter().position(|chunk| chunk.is(&kinds::GEOS)) else { return };
        let animations = chunks.iter().position(|chunk| chunk.is(&kinds::GEOA));
        for (source, geoset) in further {
            let Some(geosets) = chunks[place].children_mut() else { return };
            let number = I32::new(i32::try_from(geosets.len()).unwrap_or(i32::MAX));
            geosets.push(geoset);
            let Some(animations) = animations.and_then(|place| chunks[place].children_mut()) else {
                continue;
            };
            let of_source = |animation: &&Node<'static>| {
                let header = record_or(animation, GeosetAnimationHeader::default());
                usize::try_from(header.geoset_id.get()).ok() == Some(source)
            };
            let Some(mut copy) = animations.iter().find(of_source).cloned() else { continue };
            let header = record_or(&copy, GeosetAnimationHeader::default());
            let header = part(&GeosetAnimationHeader { geoset_id: number, ..header });
            if let Some(old) = copy.child_mut(header.kind) {
                *old = header;
            }
            animations.push(copy);
        }
    }

    fn material(&mut self, material: &mut Node<'static>, path: &str) {
        let shader = record_or(material, MaterialShader::default());
        let header = record_or(material, MaterialHeader::default());
        let layers = material.child(&kinds::LAYS).map(Node::children).unwrap_or_default().to_vec();
        let hd = SHADERS.iter().find(|(name, _)| shader.shader.is(name)).map(|(_, number)| *number);
        let mut name = shader;
        let layers = match (self.from.has(Gate::LayerSlots), self.to.has(Gate::LayerSlots)) {
            (false, true) => self.fold(&layers, hd, path),
            (true, false) => self.unfold(&layers, &mut name, path),
            _ if hd.is_some() && self.classic() && layers.len() == SLOTS => {
                self.note(path, "textures of the HD shader other than the diffuse one are dropped");
                layers[..1].to_vec()
            }
            _ => layers,
        };
        if self.classic() && !name.shader.text().is_empty() {
            self.note(path, format!("shader {:?} is dropped", name.shader.to_string()));
        }
        if self.gained(Gate::LayerSlots) && hd.is_none() && !shader.shader.text().is_empty() {
            self.note(path, format!("shader {:?} has no number and is dropped", shader.shader.to_string()));
        }
        let layers = layers
            .iter()
            .enumerate()
            .map(|(index, layer)| self.layer(layer, &format!("{path}/Layer[{index}]")))
            .collect();
        let mut parts = vec![part(&header)];
        if self.to.has(Gate::MaterialShader) {
            parts.push(part(&name));
        }
        parts.push(branch(&kinds::LAYS, layers));
        if let Some(old) = material.children_mut() {
            *old = parts;
        }
    }

    /// A layer without slots gets one slot; six layers of an HD material become the slots of the first.
    fn fold(&mut self, layers: &[Node<'static>], hd: Option<ShaderType>, path: &str) -> Vec<Node<'static>> {
        let slot = |layer: &Node<'static>, number: usize| {
            let texture_id = record_or(layer, LayerParts::default().header).texture_id;
            let slot = SlotType::new(u32::try_from(number).unwrap_or_default());
            let track = layer.children().iter().find(|part| part.id == tags::KMTF).cloned();
            let reference = part(&TextureReference { texture_id, slot });
            branch(&kinds::TEXTURE_SLOT, std::iter::once(reference).chain(track).collect())
        };
        let fold = |layer: &Node<'static>, shader: ShaderType, slots: Vec<Node<'static>>| {
            let texture_count = U32::new(u32::try_from(slots.len()).unwrap_or_default());
            let mut header = record_or(layer, LayerParts::default().header);
            header.texture_id = I32::new(0);
            let is_fixed =
                |part: &&Node<'static>| crate::track_row(part.id).is_none() && !part.is(&kinds::LAYER_HEADER);
            let fixed = layer.children().iter().filter(is_fixed).cloned();
            let tracks = take_tracks(layer).into_iter().filter(|track| track.id != tags::KMTF);
            let mut parts = vec![part(&header)];
            parts.extend(fixed);
            parts.push(part(&LayerShader { shader, texture_count }));
            parts.extend(slots);
            parts.extend(tracks);
            branch(&kinds::LAYER, parts)
        };
        match hd {
            Some(shader) if layers.len() == SLOTS => {
                if layers[1..]
                    .iter()
                    .any(|layer| take_tracks(layer).iter().any(|track| track.id != tags::KMTF))
                {
                    self.note(path, "tracks of the layers that become texture slots are dropped");
                }
                let slots = layers.iter().enumerate().map(|(number, layer)| slot(layer, number)).collect();
                vec![fold(&layers[0], shader, slots)]
            }
            _ => {
                layers.iter().map(|layer| fold(layer, ShaderType::SD_LEGACY, vec![slot(layer, 0)])).collect()
            }
        }
    }

    /// A layer with slots becomes as many layers, or one layer if the target supports only the first slot.
    fn unfold(
        &mut self,
        layers: &[Node<'static>],
        name: &mut MaterialShader,
        path: &str,
    ) -> Vec<Node<'static>> {
        let mut unfolded = Vec::new();
        for layer in layers {
            let shader = record_or(layer, LayerShader::default()).shader;
            let mut slots: Vec<_> = layer.all(&kinds::TEXTURE_SLOT).collect();
            let known = SHADERS
                .iter()
                .find(|(_, number)| *number == shader)
                .and_then(|(name, _)| record::Chars::new(name));
            match known {
                Some(known) if !self.classic() => {
                    name.shader = known;
                    if slots.len() != SLOTS {
                        self.note(
                            path,
                            format!(
                                "the HD shader needs {SLOTS} textures, but the layer has {}",
                                slots.len()
                            ),
                        );
                    }
                }
                _ => {
                    if slots.len() > 1 {
                        self.note(path, format!("only the first of {} textures is kept", slots.len()));
                        slots.truncate(1);
                    }
                    if shader != ShaderType::SD_LEGACY {
                        self.note(path, format!("shader {shader:?} is dropped"));
                    }
                }
            }
            slots.sort_by_key(|slot| record_or(slot, TextureReference::default()).slot.get());
            for (number, slot) in slots.iter().enumerate() {
                let mut header = record_or(layer, LayerParts::default().header);
                header.texture_id = record_or(slot, TextureReference::default()).texture_id;
                let mut parts = vec![part(&header)];
                for kind in [&kinds::LAYER_EMISSIVE, kinds::LAYER_FRESNEL.kind] {
                    parts.extend(layer.child(kind).cloned());
                }
                parts.extend(take_tracks(slot));
                if number == 0 {
                    parts.extend(take_tracks(layer));
                }
                unfolded.push(branch(&kinds::LAYER, parts));
            }
        }
        unfolded
    }

    /// The fixed parts and tracks that the target has.
    fn layer(&mut self, layer: &Node<'static>, path: &str) -> Node<'static> {
        let default = LayerParts::default();
        let has = |kind: &'static record::Kind| layer.child(kind).is_some();
        let animated = |tag: u32| layer.children().iter().any(|part| part.id == tag);
        let emissive = record_or(layer, default.emissive);
        let fresnel = record_or(layer, default.fresnel);
        if !self.to.has(Gate::LayerEmissive)
            && (emissive != default.emissive || animated(tags::KMTE))
            && has(&kinds::LAYER_EMISSIVE)
        {
            self.note(path, "emissive gain is dropped");
        }
        let fresnel_tags = [tags::KFC3, tags::KFCA, tags::KFTC];
        if !self.to.has(Gate::LayerFresnel)
            && (fresnel != default.fresnel || fresnel_tags.into_iter().any(animated))
        {
            self.note(path, "fresnel is dropped");
        }
        let mut parts = vec![part(&record_or(layer, default.header))];
        if self.to.has(Gate::LayerEmissive) {
            parts.push(part(&emissive));
        }
        if self.to.has(Gate::LayerFresnel) {
            parts.push(part(&fresnel));
        }
        for child in layer.children() {
            let fixed = [&kinds::LAYER_HEADER, kinds::LAYER_EMISSIVE.kind, &kinds::LAYER_FRESNEL]
                .into_iter()
                .any(|kind| child.is(kind));
            let dropped = child.id == tags::KMTE && !self.to.has(Gate::LayerEmissive)
                || fresnel_tags.contains(&child.id) && !self.to.has(Gate::LayerFresnel);
            if !fixed && !dropped {
                parts.push(child.clone());
            }
        }
        branch(&kinds::LAYER, parts)
    }
}

/// Whether version 800 has a part of a geoset.
fn is_classic(part: &Node<'static>) -> bool {
    !part.is(&kinds::GEOSET_LEVEL_OF_DETAIL) && !part.is(&kinds::TANG) && !part.is(&kinds::SKIN)
}
