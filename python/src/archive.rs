//! Archives.

use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use meshwright::archive::{self, Content, Kind, NewMember, Options, Source};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::error::Failure;

/// An archive, opened.
#[pyclass(frozen, module = "meshwright._core")]
pub(crate) struct Archive {
    inner: Arc<archive::Archive>,
}

/// Path, size, packed size, offset, and whether the name is known.
type Row = (String, u64, u64, u64, bool);

#[pymethods]
impl Archive {
    #[staticmethod]
    #[pyo3(signature = (path, data, listfile))]
    fn open(
        py: Python<'_>,
        path: Option<PathBuf>,
        data: Option<PyBackedBytes>,
        listfile: Vec<String>,
    ) -> PyResult<Self> {
        Ok(py.detach(|| {
            let source = match (&path, &data) {
                (_, Some(data)) => Source::from_bytes(data.to_vec()),
                (Some(path), None) => Source::open(path).map_err(|error| Failure::from(error).at(path))?,
                (None, None) => return Err(Failure::argument("expected a path or bytes")),
            };
            let options = Options { names: listfile, ..Options::default() };
            let archive = archive::Archive::open_with(source, &options);
            let failed = |error| match &path {
                Some(path) => Failure::from(error).at(path),
                None => Failure::from(error),
            };
            Ok(Self { inner: Arc::new(archive.map_err(failed)?) })
        })?)
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind().name()
    }

    fn entries(&self, py: Python<'_>) -> Vec<Row> {
        py.detach(|| {
            let entries = self.inner.entries().iter();
            entries
                .map(|entry| (entry.path.clone(), entry.size, entry.packed, entry.offset, entry.named))
                .collect()
        })
    }

    /// The path of a member as the archive spells it.
    fn find(&self, py: Python<'_>, path: &str) -> Option<Row> {
        let entry = py.detach(|| self.inner.find(path))?;
        Some((entry.path, entry.size, entry.packed, entry.offset, entry.named))
    }

    fn read<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = py.detach(|| {
            let entry = self.inner.find(path);
            entry.map(|entry| self.inner.read(&entry).map_err(Failure::from)).transpose()
        })?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }
}

/// Writes a new archive.
#[pyfunction]
#[pyo3(signature = (path, members, kind))]
pub(crate) fn create_archive(
    py: Python<'_>,
    path: PathBuf,
    members: Vec<(String, PyBackedBytes)>,
    kind: Option<&str>,
) -> PyResult<()> {
    let kinds = [
        ("bigf", Kind::Bigf),
        ("big4", Kind::Big4),
        ("mix", Kind::Mix),
        ("mpq", Kind::Mpq),
        ("zip", Kind::Zip),
    ];
    let by_name = || Kind::of_name(&path.file_name()?.to_string_lossy());
    let found = match kind {
        Some(kind) => kinds.iter().find(|(name, _)| name.eq_ignore_ascii_case(kind)).map(|(_, kind)| *kind),
        None => by_name(),
    };
    let found = found.ok_or_else(|| {
        let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
        Failure::argument(format!("unknown kind of archive; available: {}", names.join(", ")))
    })?;
    Ok(py.detach(|| {
        let members: Vec<NewMember> = members
            .into_iter()
            .map(|(path, bytes)| NewMember { path, content: Content::Bytes(bytes.to_vec()) })
            .collect();
        let mut memory = Cursor::new(Vec::new());
        archive::create(found, &members, &mut memory).map_err(|error| Failure::from(error).at(&path))?;
        let bytes = memory.into_inner();
        let written = archive::save(&path, |out| Ok(out.write_all(&bytes)?));
        written.map_err(|error| Failure::from(error).at(&path))
    })?)
}
