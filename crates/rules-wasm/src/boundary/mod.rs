//! How values cross: plain objects in both directions, `null` for what is absent.
//!
//! Answers leave through `serde-wasm-bindgen`. Forms come in through a deserialiser of our own over serde's access types,
//! because the library's spends more on the texts of errors that the TypeScript types already exclude than the rules
//! take. It knows what the rules use (objects, lists, strings, numbers, booleans, absence, names of variants) and nothing
//! else.
//!
//! What has a type of its own crosses as `Ts` of it, so that the declaration in TypeScript and what is read here cannot differ.

mod from_js;
mod to_js;

use std::fmt;

pub(crate) use from_js::{all_from_js, from_js};
pub(crate) use to_js::{checked, to_js, to_ts};

/// The error that serde asks for and that never comes to be: a value that is not of the promised type ends the call with
/// an exception at once. So none of the code that would carry an error outwards, and drop what was read so far, exists.
#[derive(Debug)]
pub(crate) enum Never {}

/// The caller broke the types. It says no more: naming the place is the TypeScript compiler's work.
#[cold]
fn wrong_type() -> ! {
    wasm_bindgen::throw_str("a rule was called with a value of the wrong type")
}

impl fmt::Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl serde::de::Error for Never {
    fn custom<T: fmt::Display>(_: T) -> Self {
        wrong_type()
    }

    fn missing_field(_: &'static str) -> Self {
        wrong_type()
    }

    fn duplicate_field(_: &'static str) -> Self {
        wrong_type()
    }

    fn invalid_type(_: serde::de::Unexpected<'_>, _: &dyn serde::de::Expected) -> Self {
        wrong_type()
    }

    fn invalid_value(_: serde::de::Unexpected<'_>, _: &dyn serde::de::Expected) -> Self {
        wrong_type()
    }

    fn invalid_length(_: usize, _: &dyn serde::de::Expected) -> Self {
        wrong_type()
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        wrong_type()
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        wrong_type()
    }
}
