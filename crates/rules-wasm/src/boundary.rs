//! How values cross: as plain objects in both directions, by `serde-wasm-bindgen`, with `null` for what is absent.
//!
//! Every parameter and every answer is a string, a number, a boolean or the `Ts` of a Rust type. Its declaration in TypeScript
//! is written from that type, also for the answers in `answers`, so no signature names a type that is not the one which crosses.

use rules::checked;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue, UnwrapThrowExt};

use crate::answers::MaybeProblem;

/// A form or a state from a plain object; an exception that says what is wrong when it is not of its type, which the TypeScript
/// types exclude.
pub(crate) fn from_js<T: Tsify<JsType: JsCast> + DeserializeOwned>(value: Ts<T>) -> T {
    serde_wasm_bindgen::from_value(value.into()).unwrap_or_else(|error| wasm_bindgen::throw_val(error.into()))
}

/// A rule's answer as a plain object; absence is `null`.
pub(crate) fn to_js<T: Tsify<JsType: JsCast> + Serialize>(answer: impl Into<T>) -> Ts<T> {
    Ts::new_unchecked(plain(&answer.into()))
}

fn plain<T: Serialize>(value: &T) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_throw()
}

/// The outcome of one rule on one field, where it yields a value.
pub(crate) fn of_field<V, E, T>(field: &'static str, outcome: Result<V, E>) -> Ts<T>
where
    E: Into<checked::Refusal>,
    T: Tsify<JsType: JsCast> + Serialize + From<checked::Checked<V>>,
{
    to_js(checked::check_field(field, outcome))
}

/// The outcome of one rule on one field, where it only judges.
pub(crate) fn judged<E: Into<checked::Refusal>>(
    field: &'static str,
    outcome: Result<(), E>,
) -> Ts<MaybeProblem> {
    to_js(outcome.err().map(|refusal| checked::Problem::new(field, refusal)))
}
