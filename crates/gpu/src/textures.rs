//! The pictures of a model in graphics memory.

use std::collections::HashMap;

use render::frame::{PictureId, Sampler};
use render::soft::{Level, PictureSource};
use scene::Wrap;

use crate::Error;
use crate::uniforms::SLOTS;

/// The pictures of one model in graphics memory.
///
/// Each picture is uploaded when a draw call first names it. The memory is freed when this is dropped, so keep it as long as the model.
/// If the pictures of the model change, for example with the player colour, use a new one.
#[derive(Debug, Default)]
pub struct Textures {
    /// `None` for pictures without pixels.
    pictures: HashMap<PictureId, Option<Uploaded>>,
    groups: HashMap<Key, wgpu::BindGroup>,
    bytes: u64,
}

impl Textures {
    /// No pictures yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The size of all pictures in graphics memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Size of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) last_level: u32,
}

#[derive(Debug)]
struct Uploaded {
    view: wgpu::TextureView,
    size: Size,
}

/// The textures and samplers of a draw call.
pub(crate) type Key = [Option<(PictureId, [u8; 2])>; SLOTS];

pub(crate) fn key(samplers: &[Option<Sampler>; SLOTS]) -> Key {
    samplers.map(|sampler| sampler.map(|sampler| (sampler.picture, sampler.wrap.map(wrap_number))))
}

fn wrap_number(wrap: Wrap) -> u8 {
    match wrap {
        Wrap::Repeat => 0,
        Wrap::Clamp => 1,
        Wrap::Mirror => 2,
    }
}

/// Data that all models share: samplers, the layout of their textures, and a picture for empty slots.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) layout: wgpu::BindGroupLayout,
    /// By [`wrap_number`] along u, then along v.
    samplers: Vec<wgpu::Sampler>,
    white: wgpu::TextureView,
}

impl Shared {
    pub(crate) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let entry = |binding: u32| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: if binding.is_multiple_of(2) {
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: true },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                }
            } else {
                wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)
            },
            count: None,
        };
        let entries: Vec<_> = (0..2 * SLOTS as u32).map(entry).collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("textures"),
            entries: &entries,
        });
        let modes =
            [wgpu::AddressMode::Repeat, wgpu::AddressMode::ClampToEdge, wgpu::AddressMode::MirrorRepeat];
        let samplers = modes
            .iter()
            .flat_map(|u| modes.map(|v| (*u, v)))
            .map(|(u, v)| {
                device.create_sampler(&wgpu::SamplerDescriptor {
                    address_mode_u: u,
                    address_mode_v: v,
                    mag_filter: wgpu::FilterMode::Linear,
                    min_filter: wgpu::FilterMode::Linear,
                    // The shader mixes levels itself.
                    mipmap_filter: wgpu::MipmapFilterMode::Nearest,
                    ..wgpu::SamplerDescriptor::default()
                })
            })
            .collect();
        let white = create(device, queue, &[Level { width: 1, height: 1, texels: &[[255; 4]] }]);
        Self { layout, samplers, white }
    }

    /// Uploads the pictures that are not uploaded yet, and returns the sizes of all.
    pub(crate) fn ensure(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        textures: &mut Textures,
        source: &dyn PictureSource,
        key: &Key,
    ) -> Result<[Option<Size>; SLOTS], Error> {
        let mut sizes = [None; SLOTS];
        for (size, slot) in sizes.iter_mut().zip(key) {
            let Some((id, _)) = slot else { continue };
            if !textures.pictures.contains_key(id) {
                let uploaded = upload(device, queue, &source.levels(*id))?;
                if let Some((_, bytes)) = &uploaded {
                    textures.bytes += bytes;
                }
                textures.pictures.insert(*id, uploaded.map(|(uploaded, _)| uploaded));
            }
            *size = textures.pictures.get(id).and_then(Option::as_ref).map(|uploaded| uploaded.size);
        }
        if !textures.groups.contains_key(key) {
            let group = self.group(device, textures, key);
            textures.groups.insert(*key, group);
        }
        Ok(sizes)
    }

    fn group(&self, device: &wgpu::Device, textures: &Textures, key: &Key) -> wgpu::BindGroup {
        let mut entries = Vec::with_capacity(2 * SLOTS);
        for (index, slot) in key.iter().enumerate() {
            let view = slot.and_then(|(id, _)| textures.pictures.get(&id)?.as_ref());
            let [u, v] = slot.map_or([0; 2], |(_, wrap)| wrap);
            let sampler = &self.samplers[usize::from(u) * 3 + usize::from(v)];
            let resources = [
                wgpu::BindingResource::TextureView(view.map_or(&self.white, |uploaded| &uploaded.view)),
                wgpu::BindingResource::Sampler(sampler),
            ];
            for (part, resource) in resources.into_iter().enumerate() {
                entries.push(wgpu::BindGroupEntry { binding: (2 * index + part) as u32, resource });
            }
        }
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("textures"),
            layout: &self.layout,
            entries: &entries,
        })
    }
}

impl Textures {
    pub(crate) fn group(&self, key: &Key) -> Option<&wgpu::BindGroup> {
        self.groups.get(key)
    }
}

/// Uploads a picture; `None` if it has no pixels. Also its size in bytes.
fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    levels: &[Level<'_>],
) -> Result<Option<(Uploaded, u64)>, Error> {
    let limit = device.limits().max_texture_dimension_2d;
    let Some(first) = levels.first().filter(|level| is_valid(level)) else { return Ok(None) };
    let fits = |level: &&Level<'_>| level.width.max(level.height) <= limit;
    let skipped = levels.iter().take_while(|level| is_valid(level) && !fits(level)).count();
    let levels = chain(&levels[skipped..]);
    let Some(top) = levels.first() else {
        return Err(Error::TextureTooLarge { width: first.width, height: first.height, limit });
    };
    let size = Size { width: top.width, height: top.height, last_level: levels.len() as u32 - 1 };
    let bytes = levels.iter().map(|level| size_of_val(level.texels) as u64).sum();
    Ok(Some((Uploaded { view: create(device, queue, levels), size }, bytes)))
}

fn is_valid(level: &Level<'_>) -> bool {
    let count = u64::from(level.width) * u64::from(level.height);
    count > 0 && count == level.texels.len() as u64
}

/// The levels that graphics hardware accepts: each half as large as the one before.
fn chain<'a, 'p>(levels: &'a [Level<'p>]) -> &'a [Level<'p>] {
    let Some(first) = levels.first() else { return levels };
    let fits = |(index, level): &(usize, &Level<'_>)| {
        let half = |side: u32| (side >> (*index).min(31)).max(1);
        let before = index.checked_sub(1).map(|index| &levels[index]);
        is_valid(level)
            && (level.width, level.height) == (half(first.width), half(first.height))
            && before.is_none_or(|before| (before.width, before.height) != (1, 1))
    };
    &levels[..levels.iter().enumerate().take_while(fits).count()]
}

fn create(device: &wgpu::Device, queue: &wgpu::Queue, levels: &[Level<'_>]) -> wgpu::TextureView {
    let (width, height) = levels.first().map_or((1, 1), |level| (level.width, level.height));
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        // The old engines compute with the stored values; the HD program converts them to linear light.
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (number, level) in levels.iter().enumerate() {
        let place = wgpu::TexelCopyTextureInfo {
            texture: &texture,
            mip_level: number as u32,
            origin: wgpu::Origin3d::ZERO,
            aspect: wgpu::TextureAspect::All,
        };
        let rows = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(level.width * 4),
            rows_per_image: Some(level.height),
        };
        let size = wgpu::Extent3d { width: level.width, height: level.height, depth_or_array_layers: 1 };
        queue.write_texture(place, level.texels.as_flattened(), rows, size);
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_are_not_half_as_large_are_dropped() {
        let texels = [[0; 4]; 16];
        let level =
            |width: u32, height: u32| Level { width, height, texels: &texels[..(width * height) as usize] };
        assert_eq!(chain(&[level(4, 2), level(2, 1), level(1, 1)]).len(), 3);
        assert_eq!(chain(&[level(4, 2), level(2, 2), level(1, 1)]).len(), 1);
        assert_eq!(chain(&[level(3, 1), level(1, 1), level(1, 1)]).len(), 2);
        let short = Level { width: 2, height: 2, texels: &texels[..3] };
        assert_eq!(chain(&[level(4, 4), short]).len(), 1);
        assert_eq!(chain(&[]).len(), 0);
    }
}
