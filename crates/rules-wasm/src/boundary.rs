//! Conversion of values to and from plain objects with `serde-wasm-bindgen`; absent values are `null`.
//!
//! Every parameter and result is a string, a number, a boolean or the `Ts` of a Rust type, whose TypeScript declaration is
//! generated from that type.

use rules::checked;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue, UnwrapThrowExt};

use crate::answers::MaybeProblem;

/// Converts a form or state from a plain object. Throws a description of the mismatch if it has another type, which the
/// TypeScript types exclude.
pub(crate) fn from_js<T: Tsify<JsType: JsCast> + DeserializeOwned>(value: Ts<T>) -> T {
    serde_wasm_bindgen::from_value(value.into()).unwrap_or_else(|error| wasm_bindgen::throw_val(error.into()))
}

/// Converts a result to a plain object; `None` becomes `null`.
pub(crate) fn to_js<T: Tsify<JsType: JsCast> + Serialize>(answer: impl Into<T>) -> Ts<T> {
    Ts::new_unchecked(plain(&answer.into()))
}

fn plain<T: Serialize>(value: &T) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_throw()
}

/// Result of a field's rule that returns a value.
pub(crate) fn of_field<V, E, T>(field: &'static str, outcome: Result<V, E>) -> Ts<T>
where
    E: Into<checked::Refusal>,
    T: Tsify<JsType: JsCast> + Serialize + From<checked::Checked<V>>,
{
    to_js(checked::check_field(field, outcome))
}

/// Result of a field's rule without a value.
pub(crate) fn judged<E: Into<checked::Refusal>>(
    field: &'static str,
    outcome: Result<(), E>,
) -> Ts<MaybeProblem> {
    to_js(outcome.err().map(|refusal| checked::Problem::new(field, refusal)))
}
