//! Accessors as arrays of numbers, checked against their buffers before anything is allocated.

use super::container::Container;
use super::error::{Pointer, ReadError};
use super::json::{Accessor, Document};
use scene::Limits;
use std::cell::Cell;

/// Reads accessors and counts what it reads.
pub(crate) struct Accessors<'a> {
    pub(crate) container: &'a Container<'a>,
    pub(crate) limits: Limits,
    vertices: Cell<usize>,
    keys: Cell<usize>,
}

/// Types of components by glTF's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    const fn of(number: u32) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// A component as a number, of which integers may be shares of their largest.
    fn float(self, bytes: &[u8], normalized: bool) -> f32 {
        let share = |value: f32, most: f32| if normalized { (value / most).max(-1.0) } else { value };
        match (self, bytes) {
            (Self::I8, [a, ..]) => share(f32::from(*a as i8), 127.0),
            (Self::U8, [a, ..]) => share(f32::from(*a), 255.0),
            (Self::I16, [a, b, ..]) => share(f32::from(i16::from_le_bytes([*a, *b])), 32767.0),
            (Self::U16, [a, b, ..]) => share(f32::from(u16::from_le_bytes([*a, *b])), 65535.0),
            (Self::U32, [a, b, c, d, ..]) => {
                share(u32::from_le_bytes([*a, *b, *c, *d]) as f32, u32::MAX as f32)
            }
            (Self::F32, [a, b, c, d, ..]) => f32::from_le_bytes([*a, *b, *c, *d]),
            _ => 0.0,
        }
    }

    fn integer(self, bytes: &[u8]) -> u32 {
        match (self, bytes) {
            (Self::U8, [a, ..]) => u32::from(*a),
            (Self::U16, [a, b, ..]) => u32::from(u16::from_le_bytes([*a, *b])),
            (Self::U32, [a, b, c, d, ..]) => u32::from_le_bytes([*a, *b, *c, *d]),
            _ => 0,
        }
    }
}

const fn components(kind: &str) -> Option<usize> {
    Some(match kind.as_bytes() {
        b"SCALAR" => 1,
        b"VEC2" => 2,
        b"VEC3" => 3,
        b"VEC4" | b"MAT2" => 4,
        b"MAT3" => 9,
        b"MAT4" => 16,
        _ => return None,
    })
}

impl<'a> Accessors<'a> {
    pub(crate) const fn new(container: &'a Container<'a>, limits: Limits) -> Self {
        Self { container, limits, vertices: Cell::new(0), keys: Cell::new(0) }
    }

    pub(crate) const fn document(&self) -> &'a Document<'a> {
        &self.container.document
    }

    pub(crate) fn get(&self, index: u32, pointer: Pointer<'_>) -> Result<&'a Accessor<'a>, ReadError> {
        let found = self.document().accessors.get(index as usize);
        found.ok_or_else(|| ReadError::missing(pointer, "accessor", index))
    }

    /// The number of elements of an accessor.
    pub(crate) fn count(&self, index: u32, pointer: Pointer<'_>) -> Result<usize, ReadError> {
        let count = self.get(index, pointer)?.count;
        usize::try_from(count).map_err(|_| ReadError::limit("vertices", self.limits.vertices))
    }

    /// Counts vertices against the limit.
    pub(crate) fn spend_vertices(&self, count: usize) -> Result<(), ReadError> {
        spend(&self.vertices, count, "vertices", self.limits.vertices)
    }

    /// Counts animation keys against the limit.
    pub(crate) fn spend_keys(&self, count: usize) -> Result<(), ReadError> {
        spend(&self.keys, count, "keys", self.limits.keys)
    }

    /// Elements of N numbers. Integers are converted; normalised ones to shares.
    pub(crate) fn floats<const N: usize>(
        &self,
        index: u32,
        pointer: Pointer<'_>,
    ) -> Result<Vec<[f32; N]>, ReadError> {
        let mut values: Vec<[f32; N]> = Vec::new();
        self.read(index, pointer, N, [0.0; N], &mut values, |component, normalized, bytes| {
            let size = component.size();
            if component == Component::F32 {
                let (words, _) = bytes.as_chunks::<4>();
                return std::array::from_fn(|part| f32::from_le_bytes(words[part]));
            }
            std::array::from_fn(|part| component.float(&bytes[part * size..], normalized))
        })?;
        Ok(values)
    }

    /// Elements of N unsigned integers.
    pub(crate) fn integers<const N: usize>(
        &self,
        index: u32,
        pointer: Pointer<'_>,
    ) -> Result<Vec<[u32; N]>, ReadError> {
        let mut values: Vec<[u32; N]> = Vec::new();
        let component = Component::of(self.get(index, pointer)?.component_type);
        if !matches!(component, Some(Component::U8 | Component::U16 | Component::U32)) {
            let pointer = format!("/accessors/{index}/componentType");
            return Err(ReadError::invalid(pointer, "expected an unsigned integer type"));
        }
        self.read(index, pointer, N, [0; N], &mut values, |component, _, bytes| {
            let size = component.size();
            std::array::from_fn(|part| component.integer(&bytes[part * size..]))
        })?;
        Ok(values)
    }

    fn read<T: Copy>(
        &self,
        index: u32,
        pointer: Pointer<'_>,
        parts: usize,
        zero: T,
        values: &mut Vec<T>,
        convert: impl Fn(Component, bool, &[u8]) -> T,
    ) -> Result<(), ReadError> {
        let accessor = self.get(index, pointer)?;
        let here = |field: &str| format!("/accessors/{index}/{field}");
        let component = Component::of(accessor.component_type).ok_or_else(|| {
            ReadError::invalid(here("componentType"), format!("unknown type {}", accessor.component_type))
        })?;
        match components(&accessor.kind) {
            Some(found) if found == parts => {}
            Some(_) => {
                let message = format!("{} where {parts} components are needed", accessor.kind);
                return Err(ReadError::invalid(here("type"), message));
            }
            None => return Err(ReadError::invalid(here("type"), "unknown type")),
        }
        let count = self.count(index, pointer)?;
        // No limit is below that of keys and vertices, of which each element makes at least a ninth.
        let most = self.limits.vertices.max(self.limits.keys).saturating_mul(9);
        if count > most {
            return Err(ReadError::limit("vertices", self.limits.vertices));
        }
        let element = component.size() * parts;
        match accessor.buffer_view {
            Some(view) => {
                let bytes = self.container.view(view, format_args!("/accessors/{index}/bufferView"))?;
                let stride = self.document().buffer_views[view as usize].byte_stride;
                let stride = stride.map_or(element as u64, |stride| stride.max(1));
                let bytes = elements(bytes, accessor.byte_offset, count, stride, element)
                    .ok_or_else(|| outside(&here("count"), count, view, bytes.len()))?;
                values.reserve_exact(count);
                let stride = stride as usize;
                if stride == element {
                    values.extend(
                        bytes
                            .chunks_exact(element)
                            .map(|bytes| convert(component, accessor.normalized, bytes)),
                    );
                } else {
                    values.extend((0..count).map(|at| {
                        convert(component, accessor.normalized, &bytes[at * stride..at * stride + element])
                    }));
                }
            }
            None => values.resize(count, zero),
        }
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        let here = |field: &str| format!("/accessors/{index}/sparse/{field}");
        let changes = usize::try_from(sparse.count).unwrap_or(usize::MAX);
        if changes > count {
            let message = format!("{changes} changes of {count} elements");
            return Err(ReadError::invalid(here("count"), message));
        }
        let places = Component::of(sparse.indices.component_type)
            .filter(|component| matches!(component, Component::U8 | Component::U16 | Component::U32))
            .ok_or_else(|| {
                ReadError::invalid(here("indices/componentType"), "expected an unsigned integer type")
            })?;
        let view = sparse.indices.buffer_view;
        let bytes =
            self.container.view(view, format_args!("/accessors/{index}/sparse/indices/bufferView"))?;
        let indices =
            elements(bytes, sparse.indices.byte_offset, changes, places.size() as u64, places.size())
                .ok_or_else(|| outside(&here("count"), changes, view, bytes.len()))?;
        let view = sparse.values.buffer_view;
        let bytes = self.container.view(view, format_args!("/accessors/{index}/sparse/values/bufferView"))?;
        let changed = elements(bytes, sparse.values.byte_offset, changes, element as u64, element)
            .ok_or_else(|| outside(&here("count"), changes, view, bytes.len()))?;
        for (at, change) in indices.chunks_exact(places.size()).zip(changed.chunks_exact(element)) {
            let at = places.integer(at);
            let value = values.get_mut(at as usize).ok_or_else(|| {
                ReadError::invalid(here("indices"), format!("element {at} does not exist: there are {count}"))
            })?;
            *value = convert(component, accessor.normalized, change);
        }
        Ok(())
    }
}

fn spend(spent: &Cell<usize>, count: usize, name: &'static str, limit: usize) -> Result<(), ReadError> {
    let sum = spent.get().saturating_add(count);
    spent.set(sum);
    if sum > limit { Err(ReadError::limit(name, limit)) } else { Ok(()) }
}

/// The bytes of this many elements, if a view has them.
fn elements(view: &[u8], offset: u64, count: usize, stride: u64, element: usize) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let Some(before_last) = count.checked_sub(1) else { return Some(&[]) };
    let length = usize::try_from(stride).ok()?.checked_mul(before_last)?.checked_add(element)?;
    view.get(start..start.checked_add(length)?)
}

fn outside(pointer: &str, count: usize, view: u32, bytes: usize) -> ReadError {
    ReadError::invalid(
        pointer,
        format!("{count} elements do not fit into buffer view {view} of {bytes} bytes"),
    )
}
