//! Demos: music sent to the label.

pub mod content;
