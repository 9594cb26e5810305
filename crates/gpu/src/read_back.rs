//! From graphics memory to pixels.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::{Error, Target};

/// A copy of a target in a buffer that the processor can read.
#[derive(Debug)]
pub(crate) struct Copied {
    buffer: wgpu::Buffer,
}

/// A copy whose buffer is being mapped.
#[derive(Debug)]
pub(crate) struct Pending {
    buffer: wgpu::Buffer,
    mapped: Mapped,
}

/// Rows of the buffer are multiples of 256 bytes.
fn row_bytes(width: u32) -> u32 {
    (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

/// Encodes the copy of a target.
pub(crate) fn copy(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    target: &Target,
) -> Result<Copied, Error> {
    let row = row_bytes(target.width());
    let bytes = u64::from(row) * u64::from(target.height());
    let limit = device.limits().max_buffer_size;
    if bytes > limit {
        return Err(Error::FrameTooLarge { bytes, limit });
    }
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size: bytes,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(row),
        rows_per_image: Some(target.height()),
    };
    encoder.copy_texture_to_buffer(
        target.texture().as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        target.texture().size(),
    );
    Ok(Copied { buffer })
}

impl Copied {
    /// Asks for the bytes, after the copy was submitted.
    pub(crate) fn map(self) -> Pending {
        let mapped = Mapped::default();
        let done = mapped.clone();
        self.buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| done.finish(result.is_ok()));
        Pending { buffer: self.buffer, mapped }
    }
}

impl Pending {
    /// The pixels, as red, green, blue and alpha.
    pub(crate) async fn pixels(
        self,
        width: u32,
        height: u32,
        format: wgpu::TextureFormat,
    ) -> Result<Vec<u8>, Error> {
        if !self.mapped.await {
            return Err(Error::Refused("the picture could not be read back".into()));
        }
        let view = self.buffer.slice(..).get_mapped_range();
        let Ok(bytes) = view else {
            return Err(Error::Refused("the picture could not be read back".into()));
        };
        let row = width as usize * 4;
        let mut pixels = Vec::with_capacity(row * height as usize);
        for line in bytes.chunks_exact(row_bytes(width) as usize).take(height as usize) {
            pixels.extend_from_slice(&line[..row]);
        }
        if format == wgpu::TextureFormat::Bgra8Unorm {
            pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
        }
        // The background is opaque, so the picture is opaque. Blending may have changed the alpha.
        pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = 255);
        Ok(pixels)
    }
}

/// The answer to a request for bytes.
#[derive(Clone, Debug, Default)]
struct Mapped {
    state: Arc<Mutex<(Option<bool>, Option<Waker>)>>,
}

impl Mapped {
    fn finish(&self, result: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 = Some(result);
        if let Some(waker) = state.1.take() {
            waker.wake();
        }
    }
}

impl Future for Mapped {
    type Output = bool;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<bool> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.0 {
            Some(result) => Poll::Ready(result),
            None => {
                state.1 = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

/// A transparent picture from one on black and one on white, as in `render::soft`: the difference between them is the
/// transparency. The least transparent channel is used.
pub(crate) fn combine(black: Vec<u8>, white: &[u8]) -> Vec<u8> {
    let mut pixels = black;
    for (pixel, white) in pixels.as_chunks_mut::<4>().0.iter_mut().zip(white.as_chunks::<4>().0) {
        let shows = |index: usize| white[index].saturating_sub(pixel[index]);
        let alpha = 255 - shows(0).min(shows(1)).min(shows(2));
        let straight = |value: u8| {
            let value = (u32::from(value) * 255 + u32::from(alpha) / 2).checked_div(u32::from(alpha));
            value.unwrap_or(0).min(255) as u8
        };
        *pixel = [straight(pixel[0]), straight(pixel[1]), straight(pixel[2]), alpha];
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_on_black_and_white_is_opaque() {
        let black = vec![10, 20, 30, 255, 0, 0, 0, 255, 50, 0, 0, 255];
        let white = vec![10, 20, 30, 255, 255, 255, 255, 255, 177, 127, 127, 255];
        let combined = combine(black, &white);
        assert_eq!(combined, [10, 20, 30, 255, 0, 0, 0, 0, 100, 0, 0, 128]);
    }
}
