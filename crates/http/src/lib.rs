//! HTTP: from sockets to requests, and from what a handler answers to bytes. It knows how things are asked and answered here, and
//! no capability of the label.

pub mod body_timeout;
pub mod cached_response;
pub mod client_addr;
pub mod conditional;
mod deadline;
pub mod descriptors;
pub mod encoding;
pub mod error;
pub mod extract;
pub mod headers;
pub mod logging;
pub mod observe;
pub mod page_policy;
pub mod part_heads;
pub mod response_cache;
pub mod serve;
pub mod slots;
