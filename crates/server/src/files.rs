//! Stored files: uploads, the library of all files, and the addresses that serve them.

pub mod file_form;
pub mod hero;
pub mod in_flight;
pub mod library;
pub mod media;
pub mod picture;
