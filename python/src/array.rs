//! Arrays of numbers: memory of a model, or of a result, with a shape.

use std::ffi::{CStr, c_int};
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyTuple};

use crate::buffer;

/// Something that holds the bytes of an array, and never changes them.
pub(crate) trait Memory: Send + Sync {
    /// The bytes; always the same.
    fn bytes(&self) -> &[u8];
}

impl Memory for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Float,
    Byte,
    Short,
    Word,
}

impl Element {
    /// The letter of Python's `struct`. All data is little-endian.
    const fn format(self) -> &'static CStr {
        match (self, cfg!(target_endian = "little")) {
            (Self::Float, true) => c"f",
            (Self::Float, false) => c"<f",
            (Self::Byte, _) => c"B",
            (Self::Short, true) => c"H",
            (Self::Short, false) => c"<H",
            (Self::Word, true) => c"I",
            (Self::Word, false) => c"<I",
        }
    }

    const fn size(self) -> usize {
        match self {
            Self::Float | Self::Word => 4,
            Self::Short => 2,
            Self::Byte => 1,
        }
    }
}

/// A read-only array of numbers. numpy takes it without a copy: `numpy.asarray(array)`.
#[pyclass(frozen, module = "meshwright._core")]
pub(crate) struct Array {
    memory: Arc<dyn Memory>,
    element: Element,
    shape: Box<[isize]>,
    strides: Box<[isize]>,
}

impl Array {
    /// Packed rows of `columns` elements: as many as the memory has whole.
    pub(crate) fn rows(memory: Arc<dyn Memory>, element: Element, columns: usize) -> Self {
        Self::records(memory, element, columns, columns * element.size())
    }

    /// The first `columns` elements of each record of `size` bytes. Of the last record only these have to be there.
    pub(crate) fn records(memory: Arc<dyn Memory>, element: Element, columns: usize, size: usize) -> Self {
        let needed = columns * element.size();
        let spare = memory.bytes().len().checked_sub(needed).filter(|_| needed > 0);
        let rows = spare.and_then(|spare| spare.checked_div(size)).map_or(0, |rows| rows + 1);
        // Lengths of memory fit.
        let [rows, columns, size] = [rows, columns, size].map(|length| isize::try_from(length).unwrap_or(0));
        let item = isize::try_from(element.size()).unwrap_or(1);
        Self { memory, element, shape: [rows, columns].into(), strides: [size, item].into() }
    }

    /// Packed elements of this shape. Memory that is too short gives an empty array.
    pub(crate) fn packed(memory: Arc<dyn Memory>, element: Element, shape: &[usize]) -> Self {
        let count = shape.iter().try_fold(element.size(), |count, side| count.checked_mul(*side));
        let fits = count.is_some_and(|count| count <= memory.bytes().len());
        let shape: Vec<isize> =
            shape.iter().map(|side| isize::try_from(*side).unwrap_or(0) * isize::from(fits)).collect();
        let mut strides = vec![0; shape.len()];
        let mut stride = isize::try_from(element.size()).unwrap_or(1);
        for (place, side) in strides.iter_mut().zip(&shape).rev() {
            *place = stride;
            stride = stride.saturating_mul(*side);
        }
        Self { memory, element, shape: shape.into(), strides: strides.into() }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.memory.bytes()
    }

    pub(crate) fn shape_of_buffer(&self) -> &[isize] {
        &self.shape
    }

    pub(crate) fn strides_of_buffer(&self) -> &[isize] {
        &self.strides
    }

    pub(crate) fn format_of_buffer(&self) -> &'static CStr {
        self.element.format()
    }

    pub(crate) fn item_size(&self) -> isize {
        isize::try_from(self.element.size()).unwrap_or(1)
    }

    /// The length that the buffer would have if it were packed, as the protocol defines it.
    pub(crate) fn buffer_length(&self) -> isize {
        self.shape.iter().product::<isize>() * self.item_size()
    }

    pub(crate) fn is_contiguous(&self) -> bool {
        let mut expected = self.item_size();
        let sides = self.strides.iter().zip(&self.shape).rev();
        self.buffer_length() == 0
            || sides.into_iter().all(|(stride, side)| {
                let is_packed = *side == 1 || *stride == expected;
                expected *= side;
                is_packed
            })
    }
}

#[pymethods]
impl Array {
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.shape.iter())
    }

    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.strides.iter())
    }

    #[getter]
    fn format(&self) -> &'static str {
        self.element.format().to_str().unwrap_or_default()
    }

    fn tolist<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        // Python refuses to list an empty view of more than one dimension.
        if slf.get().shape.contains(&0) {
            return Ok(pyo3::types::PyList::empty(slf.py()).into_any());
        }
        PyMemoryView::from(slf.as_any())?.call_method0("tolist")
    }

    fn tobytes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        if slf.get().buffer_length() == 0 {
            return Ok(PyBytes::new(slf.py(), &[]));
        }
        Ok(PyMemoryView::from(slf.as_any())?.call_method0("tobytes")?.cast_into()?)
    }

    fn __len__(&self) -> usize {
        self.shape.first().map_or(0, |rows| usize::try_from(*rows).unwrap_or(0))
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let array = slf.get();
        let rows = isize::try_from(array.__len__()).unwrap_or(0);
        let row = if index < 0 { index + rows } else { index };
        if !(0..rows).contains(&row) {
            return Err(pyo3::exceptions::PyIndexError::new_err("index out of range"));
        }
        // A row is an array that shares the memory.
        let (Some(stride), Some(shape)) = (array.strides.first(), array.shape.get(1..)) else {
            return Err(pyo3::exceptions::PyIndexError::new_err("the array has no rows"));
        };
        let start = usize::try_from(row * stride).unwrap_or(0);
        if shape.is_empty() {
            let size = array.element.size();
            let one = Self::rows(
                Arc::new(array.bytes().get(start..start + size).unwrap_or_default().to_vec()),
                array.element,
                1,
            );
            let list = Self::tolist(&Bound::new(slf.py(), one)?)?;
            return list.get_item(0)?.get_item(0);
        }
        let memory = Arc::new(Rest { memory: array.memory.clone(), start });
        let row = Self {
            memory,
            element: array.element,
            shape: shape.into(),
            strides: array.strides.get(1..).unwrap_or_default().into(),
        };
        Ok(Bound::new(slf.py(), row)?.into_any())
    }

    /// Lends the memory.
    #[allow(unsafe_code)]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        // SAFETY: Python calls this with a view that it owns.
        unsafe { buffer::fill(slf, view, flags) }
    }

    fn __repr__(&self) -> String {
        let sides: Vec<String> = self.shape.iter().map(isize::to_string).collect();
        let name = match self.element {
            Element::Float => "float32",
            Element::Byte => "uint8",
            Element::Short => "uint16",
            Element::Word => "uint32",
        };
        format!("<Array {} {name}>", sides.join("x"))
    }
}

/// The memory of another array from an offset on.
struct Rest {
    memory: Arc<dyn Memory>,
    start: usize,
}

impl Memory for Rest {
    fn bytes(&self) -> &[u8] {
        self.memory.bytes().get(self.start..).unwrap_or_default()
    }
}
