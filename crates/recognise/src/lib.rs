//! What an uploaded picture really is, told by its bytes and never by its name or its sender, and what is published of it. Knows
//! nothing of requests, rows or storage.

pub mod pictures;
