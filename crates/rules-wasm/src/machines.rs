//! State machines and formats.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::boundary::to_js;

/// `YYYY.MM.DD`, or `No Date`.
#[wasm_bindgen(js_name = dateLabel)]
pub fn date_label(release_date: Option<String>) -> String {
    rules::format::date_label(release_date.as_deref())
}

/// A calendar date taken apart, `null` when it does not exist.
#[wasm_bindgen(js_name = date, unchecked_return_type = "Date | null")]
pub fn date(text: &str) -> JsValue {
    to_js(&rules::format::date(text))
}
