//! Shared by handlers: the sender of a request, its idempotency key, and work that outlives it.

pub mod caller;
pub(crate) mod finish_detached;
pub mod idempotency;
pub(crate) mod retry_write;
pub mod timing;
