//! JavaScript bindings of the rules: one thin function per exported rule.
//!
//! Forms and results are plain objects; everything else is a string or a number. Invalid user input is part of the result. An
//! exception means that the caller broke the types.

#![expect(clippy::needless_pass_by_value, reason = "wasm-bindgen hands over what it owns")]

pub mod answers;
mod boundary;
pub mod fields;
pub mod machines;

// Far smaller than the default allocator; a check allocates little, so size matters most.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
