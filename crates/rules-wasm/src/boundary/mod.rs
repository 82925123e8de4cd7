//! How values cross: plain objects in both directions, `null` for what is absent.
//!
//! This is serde over JavaScript values, written for size: the whole of the rules has to fit into a few kilobytes, and
//! the usual bridge spends more than that on the texts of errors that the TypeScript types already exclude. It knows
//! what the rules use (objects, lists, strings, numbers, booleans, absence, names of variants) and nothing else.

mod from_js;
mod to_js;

use std::fmt;

pub(crate) use from_js::from_js;
pub(crate) use to_js::to_js;

/// A value that is not of the promised type. It says no more: naming the place is the TypeScript compiler's work.
#[derive(Debug)]
pub(crate) struct WrongType;

impl fmt::Display for WrongType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rule was called with a value of the wrong type")
    }
}

impl std::error::Error for WrongType {}

impl serde::de::Error for WrongType {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl serde::ser::Error for WrongType {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}
