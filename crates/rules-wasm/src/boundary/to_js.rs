//! To JavaScript.

use rules::checked::{Checked, Problems};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};

use super::wrong_type;

/// A rule's answer as a plain object; absence is `null`.
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_or_else(|_| wrong_type())
}

/// The outcome of a check: `{ value }` or `{ problems }`.
pub(crate) fn checked<T: Serialize>(outcome: Checked<T>) -> JsValue {
    to_js(&match outcome {
        Ok(value) => Outcome::Value(value),
        Err(problems) => Outcome::Problems(problems),
    })
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome<T> {
    Value(T),
    Problems(Problems),
}

/// The same under its type.
pub(crate) fn to_ts<T: Tsify<JsType: JsCast> + Serialize>(value: &T) -> Ts<T> {
    Ts::new_unchecked(to_js(value))
}
