//! The rules, one module per subject.

pub(crate) mod mdl;
pub(crate) mod mdx;
pub(crate) mod reader;
pub(crate) mod w3d;

use crate::rule::Rule;

/// Every rule, in the order of the documentation.
pub(crate) static ALL: &[&[Rule]] = &[
    reader::RULES,
    mdl::RULES,
    w3d::framing::RULES,
    w3d::names::RULES,
    w3d::mesh::RULES,
    w3d::planes::RULES,
    w3d::material::RULES,
    w3d::skin::RULES,
    w3d::aabtree::RULES,
    w3d::hierarchy::RULES,
    w3d::animation::RULES,
    w3d::channels::RULES,
    w3d::model::RULES,
    w3d::emitter::RULES,
    w3d::game::RULES,
    w3d::across::RULES,
    mdx::model::RULES,
    mdx::material::RULES,
    mdx::geoset::RULES,
    mdx::skin::RULES,
    mdx::node::RULES,
    mdx::object::RULES,
    mdx::track::RULES,
    mdx::wow::RULES,
];

/// Rules that find nothing without a [`Lookup`](assets::Lookup).
pub(crate) static ACROSS_FILES: &[&str] = &[
    "W3D-FILES-001",
    "W3D-FILES-002",
    "W3D-FILES-003",
    "W3D-FILES-004",
    "W3D-FILES-005",
    "W3D-FILES-006",
    "MDX-FILES-001",
    "MDX-FILES-002",
    "MDX-FILES-003",
];
