//! HTTP: sockets, requests, answers and their cache, without the routes of the label.
#![allow(missing_docs, reason = "used by this workspace alone: names that need words have them")]

pub mod body_timeout;
pub mod cached_response;
pub mod client_addr;
mod deadline;
pub mod descriptors;
pub mod encoding;
pub mod error;
pub mod extract;
pub mod headers;
pub mod logging;
pub mod observe;
pub mod part_heads;
pub mod response_cache;
pub mod serve;
pub mod slots;
