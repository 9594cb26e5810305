//! Lends the memory of an [`Array`] to Python: the one place with unsafe code.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::array::Array;

/// Fills the view that Python asks for. Nothing is copied.
///
/// # Safety
/// The view is one that Python owns, as it calls `__getbuffer__` with it.
pub(crate) unsafe fn fill(array: Bound<'_, Array>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("no view to fill"));
    }
    let owner = array;
    let array = owner.get();
    // SAFETY: The view is not null, and Python owns it. A view without an object is what the protocol asks for in case of an error.
    unsafe { (*view).obj = ptr::null_mut() };
    if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
        return Err(PyBufferError::new_err("the array is read-only"));
    }
    if flags & ffi::PyBUF_STRIDES != ffi::PyBUF_STRIDES && !array.is_contiguous() {
        return Err(PyBufferError::new_err("the array is not contiguous"));
    }
    let bytes = array.bytes();
    let shape = array.shape_of_buffer();
    let ndim = c_int::try_from(shape.len()).map_err(|_| PyBufferError::new_err("too many dimensions"))?;
    let has = |flag: c_int| flags & flag == flag;
    // SAFETY: The array is frozen. Its bytes, shape, strides and format are never changed, and live as long as the object, of which the view
    // gets a reference. Python does not write into a view that is read-only, nor through the pointers to shape, strides and format.
    unsafe {
        (*view).buf = bytes.as_ptr().cast_mut().cast();
        (*view).len = array.buffer_length();
        (*view).readonly = 1;
        (*view).itemsize = array.item_size();
        (*view).format = if has(ffi::PyBUF_FORMAT) {
            array.format_of_buffer().as_ptr().cast_mut()
        } else {
            ptr::null_mut()
        };
        (*view).ndim = ndim;
        (*view).shape = if has(ffi::PyBUF_ND) { shape.as_ptr().cast_mut() } else { ptr::null_mut() };
        (*view).strides = if has(ffi::PyBUF_STRIDES) {
            array.strides_of_buffer().as_ptr().cast_mut()
        } else {
            ptr::null_mut()
        };
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = ptr::null_mut();
        (*view).obj = owner.clone().into_ptr();
    }
    Ok(())
}
