//! What many handlers need of a request: its sender, its idempotency key, and work that outlives it.

pub mod caller;
pub(crate) mod finish_detached;
pub mod idempotency;
pub(crate) mod retry_write;
pub mod timing;
