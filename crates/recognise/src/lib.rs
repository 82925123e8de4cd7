//! What an uploaded file really is, told by its bytes and never by its name or its sender. Knows nothing of requests, rows or
//! storage.

pub mod demo;
pub mod pictures;
