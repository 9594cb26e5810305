//! Frames of small scenes.
