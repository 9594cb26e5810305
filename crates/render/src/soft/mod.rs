//! Draws a [`Frame`](crate::frame::Frame) on the processor.
