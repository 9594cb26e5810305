//! The graphics adapter, and the device that the renderer needs.

use std::fmt;

use wgpu::{Backend, Backends, DeviceType};

use crate::Error;

/// The graphics adapter that draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// Name of the card, or of the software that replaces one, such as `llvmpipe`.
    pub name: String,
    /// Name of the interface: `Vulkan`, `Metal`, `DX12`, `OpenGL` or `WebGPU`.
    pub backend: &'static str,
    /// Name and version of the driver, if it provides them.
    pub driver: String,
    /// Whether the processor draws instead of a graphics card.
    pub is_software: bool,
}

/// Words in the names of adapters that draw on the processor. Not every backend gives the type of its adapters.
const SOFTWARE: [&str; 5] = ["llvmpipe", "softpipe", "swiftshader", "lavapipe", "basic render"];

impl Adapter {
    /// Describes an adapter of wgpu.
    #[must_use]
    pub fn new(info: &wgpu::AdapterInfo) -> Self {
        let name = info.name.to_ascii_lowercase();
        let driver = [info.driver.trim(), info.driver_info.trim()];
        Self {
            name: info.name.clone(),
            backend: match info.backend {
                Backend::Vulkan => "Vulkan",
                Backend::Metal => "Metal",
                Backend::Dx12 => "DX12",
                Backend::Gl => "OpenGL",
                Backend::BrowserWebGpu => "WebGPU",
                Backend::Noop => "none",
            },
            driver: driver.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "),
            is_software: info.device_type == DeviceType::Cpu
                || SOFTWARE.iter().any(|word| name.contains(word)),
        }
    }
}

impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}", self.name, self.backend)?;
        if !self.driver.is_empty() {
            write!(f, ", {}", self.driver)?;
        }
        f.write_str(if self.is_software { ", software)" } else { ")" })
    }
}

/// The limits that the renderer requires: those of WebGL2 on every system, so that a frame that works on one works on
/// all. Only the sizes of textures and buffers are those of the adapter.
#[must_use]
pub fn required_limits(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let own = adapter.limits();
    let max_buffer_size = own.max_buffer_size;
    wgpu::Limits { max_buffer_size, ..wgpu::Limits::downlevel_webgl2_defaults().using_resolution(own) }
}

/// Describes the device that the renderer needs. Windows that create their own device use it.
#[must_use]
pub fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor {
        label: Some("meshwright"),
        required_limits: required_limits(adapter),
        ..wgpu::DeviceDescriptor::default()
    }
}

/// Chooses the adapter of a window: a graphics card if there is one, otherwise one that draws on the processor. `surface`
/// is that of the window. Among graphics cards, OpenGL is the last choice. Among software adapters, it is the first: Mesa
/// supports both Vulkan and OpenGL in software, and with Vulkan it keeps a megabyte of each submission (22.3).
#[must_use]
pub fn choose_adapter(
    adapters: &[wgpu::Adapter],
    surface: Option<&wgpu::Surface<'_>>,
) -> Option<wgpu::Adapter> {
    let usable =
        adapters.iter().filter(|adapter| surface.is_none_or(|surface| adapter.is_surface_supported(surface)));
    // The first of those with the best rank.
    usable.min_by_key(|adapter| rank(&adapter.get_info())).cloned()
}

/// The best adapter has the lowest rank.
fn rank(info: &wgpu::AdapterInfo) -> (bool, u8, bool) {
    let is_software = Adapter::new(info).is_software;
    let is_gl = info.backend == Backend::Gl;
    let kind = match info.device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        // OpenGL does not give the type of its cards.
        DeviceType::VirtualGpu | DeviceType::Other => 2,
        DeviceType::Cpu => 3,
    };
    if is_software { (true, 0, !is_gl) } else { (false, kind, is_gl) }
}

/// Finds an adapter that needs no window: a graphics card if there is one, else one that draws on the processor. The environment
/// variable `WGPU_BACKEND` (`vulkan`, `gl`, ...) limits the choice.
///
/// # Errors
/// If there is no adapter.
pub async fn find_adapter() -> Result<wgpu::Adapter, Error> {
    let wanted = Backends::from_env();
    let found = find_among(wanted.unwrap_or(Backends::all())).await?;
    let info = found.get_info();
    if wanted.is_none() && info.backend == Backend::Vulkan && Adapter::new(&info).is_software {
        // Mesa draws in software with Vulkan and with OpenGL. With Vulkan it keeps a megabyte of each submission (22.3).
        return Ok(find_among(Backends::GL).await.unwrap_or(found));
    }
    Ok(found)
}

async fn find_among(backends: Backends) -> Result<wgpu::Adapter, Error> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    let instance = wgpu::Instance::new(descriptor);
    let request = |is_software| wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        force_fallback_adapter: is_software,
        ..wgpu::RequestAdapterOptions::default()
    };
    if let Ok(adapter) = instance.request_adapter(&request(false)).await {
        return Ok(adapter);
    }
    instance.request_adapter(&request(true)).await.map_err(|error| Error::NoAdapter(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_come_before_software_and_opengl_before_vulkan_in_software() {
        let info = |name: &str, backend, device_type| wgpu::AdapterInfo {
            name: name.to_owned(),
            ..wgpu::AdapterInfo::new(device_type, backend)
        };
        let mut all = [
            info("llvmpipe (LLVM 15)", Backend::Vulkan, DeviceType::Cpu),
            info("llvmpipe (LLVM 15)", Backend::Gl, DeviceType::Other),
            info("Radeon", Backend::Gl, DeviceType::Other),
            info("UHD Graphics", Backend::Vulkan, DeviceType::IntegratedGpu),
            info("Radeon", Backend::Vulkan, DeviceType::DiscreteGpu),
        ];
        all.sort_by_key(rank);
        let order: Vec<_> = all.iter().map(|info| (info.name.as_str(), info.backend)).collect();
        assert_eq!(
            order,
            [
                ("Radeon", Backend::Vulkan),
                ("UHD Graphics", Backend::Vulkan),
                ("Radeon", Backend::Gl),
                ("llvmpipe (LLVM 15)", Backend::Gl),
                ("llvmpipe (LLVM 15)", Backend::Vulkan),
            ]
        );
    }

    #[test]
    fn an_adapter_reads_as_one_phrase() {
        let mut adapter = Adapter {
            name: "llvmpipe (LLVM 15.0.6, 256 bits)".into(),
            backend: "OpenGL",
            driver: "4.5 Mesa 22.3.6".into(),
            is_software: true,
        };
        assert_eq!(
            adapter.to_string(),
            "llvmpipe (LLVM 15.0.6, 256 bits) (OpenGL, 4.5 Mesa 22.3.6, software)"
        );
        adapter.driver.clear();
        adapter.is_software = false;
        assert_eq!(adapter.to_string(), "llvmpipe (LLVM 15.0.6, 256 bits) (OpenGL)");
    }
}
