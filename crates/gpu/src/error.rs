//! Errors, and the handlers that catch those of the driver.

use std::sync::{Arc, Mutex, PoisonError};

/// Why nothing was drawn. Each message is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no graphics adapter, not even one in software.
    #[error(
        "No graphics adapter was found. Install a graphics driver; on Debian the packages libegl1 and libgl1-mesa-dri, or \
         mesa-vulkan-drivers, draw without a graphics card. ({0})"
    )]
    NoAdapter(String),
    /// The adapter does not give a device with the required limits.
    #[error("The graphics adapter cannot be used: {0}")]
    NoDevice(String),
    /// The device is gone: the driver was restarted or updated, or the card was removed. A new device is needed.
    #[error("The graphics device was lost. Open the model again. ({0})")]
    Lost(String),
    /// The graphics memory is full.
    #[error("There is not enough graphics memory for this model.")]
    OutOfMemory,
    /// The frame needs a buffer that is larger than the adapter allows.
    #[error(
        "The model is too large for this graphics adapter: it needs a buffer of {bytes} bytes, and {limit} are allowed."
    )]
    FrameTooLarge {
        /// Size of the buffer.
        bytes: u64,
        /// The largest size that is allowed.
        limit: u64,
    },
    /// A texture is larger than the adapter allows, and has no smaller level.
    #[error(
        "A texture of {width}x{height} pixels is too large for this graphics adapter, which allows {limit} pixels per side."
    )]
    TextureTooLarge {
        /// Pixels per row.
        width: u32,
        /// Rows.
        height: u32,
        /// The longest side that is allowed.
        limit: u32,
    },
    /// The target has no pixels, or more than the adapter allows.
    #[error(
        "A picture of {width}x{height} pixels cannot be drawn: this graphics adapter allows 1 to {limit} pixels per side."
    )]
    Size {
        /// The width that was asked for.
        width: u32,
        /// The height that was asked for.
        height: u32,
        /// The longest side that is allowed.
        limit: u32,
    },
    /// The target format is not one of those that the renderer draws to.
    #[error("The renderer cannot draw to the format {0}; use Rgba8Unorm or Bgra8Unorm.")]
    Format(String),
    /// The driver refused a command. This is an error of this crate or of the driver.
    #[error("The graphics driver refused a command: {0}")]
    Refused(String),
}

/// Keeps the first error of the driver until it is read. Without it, wgpu would panic.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    first: Arc<Mutex<Option<Error>>>,
}

impl Faults {
    /// Catches all errors of this device from now on.
    pub(crate) fn install(device: &wgpu::Device) -> Self {
        let faults = Self::default();
        let keep = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| keep.put(of_driver(&error))));
        let keep = faults.clone();
        device.set_device_lost_callback(move |_, message| keep.put(Error::Lost(message)));
        faults
    }

    fn put(&self, error: Error) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        // A lost device makes all later commands fail, so this error is the one to report.
        if first.is_none() || matches!(error, Error::Lost(_)) {
            *first = Some(error);
        }
    }

    /// Whether the device is lost.
    pub(crate) fn is_lost(&self) -> bool {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(*first, Some(Error::Lost(_)))
    }

    /// The error since the last call, if there was one. A lost device stays lost.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        match &*first {
            Some(error @ Error::Lost(_)) => Err(error.clone()),
            Some(_) => first.take().map_or(Ok(()), Err),
            None => Ok(()),
        }
    }
}

fn of_driver(error: &wgpu::Error) -> Error {
    match error {
        wgpu::Error::OutOfMemory { .. } => Error::OutOfMemory,
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            Error::Refused(description.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_is_told_once_and_a_lost_device_always() {
        let faults = Faults::default();
        assert_eq!(faults.check(), Ok(()));
        faults.put(Error::OutOfMemory);
        faults.put(Error::Refused("later".into()));
        assert_eq!(faults.check(), Err(Error::OutOfMemory));
        assert_eq!(faults.check(), Ok(()));
        faults.put(Error::OutOfMemory);
        assert!(!faults.is_lost());
        faults.put(Error::Lost("restart".into()));
        assert!(faults.is_lost());
        assert_eq!(faults.check(), Err(Error::Lost("restart".into())));
        assert_eq!(faults.check(), Err(Error::Lost("restart".into())));
    }
}
