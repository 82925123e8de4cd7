//! The boundary between the rules and JavaScript: one thin function per exported rule, no decision of its own.
//!
//! A form goes in as a plain object and its answer comes back as one; everything else crosses as strings and numbers.
//! What a person typed wrongly is part of the answer. An exception means the caller broke the types.

#![expect(clippy::needless_pass_by_value, reason = "wasm-bindgen hands over what it owns")]

pub mod answers;
mod boundary;
pub mod fields;
pub mod machines;

// Far smaller than the default one, and a check allocates little: size is what counts here.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
