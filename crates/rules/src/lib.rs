#![doc = include_str!("../README.md")]

// fields and forms

// machines and formats
pub mod catalog;
pub mod content;
pub mod demo_name;
pub mod embed;
pub mod format;
pub mod maintenance;
pub mod media_name;
pub mod sort_key;
