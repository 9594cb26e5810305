//! Errors of the library as the one exception of the package, `meshwright.Error`.

use std::path::Path;

use meshwright::gltf_io;
use meshwright::record::Diagnostic;
use meshwright::scene::Exceeded;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use serde_json::{Value, json};

/// A result with a [`Failure`].
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why something could not be done. It can be created without Python's lock.
#[derive(Clone, Debug)]
pub(crate) struct Failure(Box<Details>);

#[derive(Clone, Debug, Default)]
struct Details {
    message: String,
    code: String,
    file: Option<String>,
    span: Option<[u64; 2]>,
    part: Option<String>,
    advice: Option<String>,
}

/// The code of an argument that has no meaning.
const ARGUMENT: &str = "ARGUMENT";

impl Failure {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self(Box::new(Details { code: code.to_owned(), message: message.into(), ..Details::default() }))
    }

    /// An argument that has no meaning.
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(ARGUMENT, message)
    }

    pub(crate) fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    pub(crate) fn at(mut self, path: &Path) -> Self {
        self.0.file.get_or_insert_with(|| shown(path));
        self
    }

    fn of_limit(code: &str, exceeded: &Exceeded) -> Self {
        let advice = format!("raise it with Workspace(limits={{\"{}\": N}})", exceeded.name);
        Self::new(code, exceeded.to_string()).with_advice(advice)
    }

    fn of_diagnostic(found: &Diagnostic) -> Self {
        let Diagnostic { code, span, path, message, note, .. } = found;
        let advice = match code.as_ref() {
            "FILE-FORMAT" => Some("meshwright.open(source, format=...) forces a format"),
            _ => None,
        };
        Self(Box::new(Details {
            message: message.clone(),
            code: code.to_string(),
            file: None,
            span: Some([span.start, span.end]).filter(|span| *span != [0, 0]),
            part: Some(path.clone()).filter(|path| !path.is_empty()),
            advice: note.clone().or_else(|| advice.map(str::to_owned)),
        }))
    }

    /// For results about one of many files.
    pub(crate) fn to_json(&self) -> Value {
        let Details { message, code, file, span, part, advice } = &*self.0;
        json!({ "message": message, "code": code, "file": file, "span": span, "part": part, "advice": advice })
    }

    /// The same as a diagnostic.
    pub(crate) fn into_diagnostic(self) -> Diagnostic {
        let Details { message, code, span, part, advice, .. } = *self.0;
        let [start, end] = span.unwrap_or_default();
        let error = meshwright::record::Error::new("FILE-ACCESS", start..end, message);
        let mut found = error.diagnostic().clone();
        found.code = code.into();
        found.path = part.unwrap_or_default();
        found.note = advice;
        found
    }
}

impl From<meshwright::Error> for Failure {
    fn from(error: meshwright::Error) -> Self {
        use meshwright::Error as From;
        let message = error.to_string();
        match error {
            From::Content(error) => Self::of_diagnostic(error.diagnostic()),
            From::File { path, source } => Self::of_diagnostic(source.diagnostic()).at(&path),
            From::Io { path, source } => Self::from(source).at(&path),
            From::Archive { path, source } => Self::new("ARCHIVE", source.to_string()).at(&path),
            From::Edit(error) => {
                let failure = Self::new("EDIT", error.message);
                error.note.into_iter().fold(failure, Self::with_advice)
            }
            From::Gltf(gltf_io::Error::Limit(exceeded)) => Self::of_limit("CONVERT-SIZE", &exceeded),
            From::Gltf(_) => Self::new("CONVERT-SIZE", message),
            From::ReadGltf(gltf_io::ReadError::Limit(exceeded)) => Self::of_limit("GLTF-READ", &exceeded),
            From::ReadGltf(_) => Self::new("GLTF-READ", message),
            From::NotInModel { .. } => Self::new("NOT-IN-MODEL", message),
            From::Texture { .. } => Self::new("TEXTURE", message),
            From::Render(_) => Self::new("RENDER", message),
            From::Families(..) => Self::new("DIFF-FAMILY", message),
            _ => Self::new("MESHWRIGHT", message),
        }
    }
}

impl From<meshwright::record::Error> for Failure {
    fn from(error: meshwright::record::Error) -> Self {
        Self::of_diagnostic(error.diagnostic())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
            _ => error.to_string(),
        };
        Self::new("FILE-ACCESS", message)
    }
}

impl From<meshwright::edit::Error> for Failure {
    fn from(error: meshwright::edit::Error) -> Self {
        meshwright::Error::from(error).into()
    }
}

impl From<meshwright::archive::Error> for Failure {
    fn from(error: meshwright::archive::Error) -> Self {
        let failure = Self::new("ARCHIVE", error.to_string());
        match error {
            meshwright::archive::Error::Encrypted { .. } => {
                failure.with_advice("pass a list of names: listfile=[...]")
            }
            _ => failure,
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let Details { message, code, file, span, part, advice } = *failure.0;
        Python::attach(|py| {
            let make = || {
                let class = CLASS.import(py, "meshwright._error", "Error")?;
                let named = PyDict::new(py);
                named.set_item("code", code)?;
                named.set_item("file", file)?;
                named.set_item("span", span.map(|[start, end]| (start, end)))?;
                named.set_item("part", part)?;
                named.set_item("advice", advice)?;
                class.call((message,), Some(&named))
            };
            make().map_or_else(|error| error, PyErr::from_value)
        })
    }
}

/// A path as text.
pub(crate) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
