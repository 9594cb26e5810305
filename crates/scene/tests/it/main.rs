//! All integration tests of this crate. They are one program, because every program is linked anew.

mod mapper;
mod mapper_values;
mod pose;
mod properties;
mod skin;
mod surface;
mod track;
