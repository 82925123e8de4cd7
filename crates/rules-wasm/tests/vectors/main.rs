//! The vectors of every exported rule, run in a browser through the bindings.

#![cfg(target_arch = "wasm32")]
#![expect(clippy::expect_used, reason = "a vector file that cannot be read fails the run")]

mod fields;
#[path = "../../../rules/tests/vectors/fixtures.rs"]
mod fixtures;
mod machines;

use serde_json::Value;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/fixtures.rs"));

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON)]
    fn parse(text: &str) -> JsValue;
    #[wasm_bindgen(js_namespace = JSON)]
    fn stringify(value: &JsValue) -> Option<String>;
}

#[wasm_bindgen_test]
fn every_vector_answers_to_the_letter() {
    let mut complaints = Vec::new();
    let mut run = 0;
    for (file, text) in FILES {
        // Data is not exported as functions.
        if text.contains("\"native_only\": true") || text.contains("\"is_data\": true") {
            continue;
        }
        for case in fixtures::read(text) {
            let args = Args(&case.args);
            let answer =
                machines::call(&case.function, &args).or_else(|| fields::call(&case.function, &args));
            let answer = answer.map(|answer| {
                stringify(&answer)
                    .map_or(Value::Null, |text| serde_json::from_str(&text).expect("what was stringified"))
            });
            complaints.extend(fixtures::complaint(file, &case, answer.as_ref()));
            run += 1;
        }
    }
    assert!(complaints.is_empty(), "{} vectors fail:\n{}", complaints.len(), complaints.join("\n"));
    assert!(run > 500, "only {run} vectors ran");
}

/// The arguments of a case, converted to JavaScript values.
struct Args<'a>(&'a [Value]);

impl Args<'_> {
    fn object<T: Tsify<JsType: JsCast>>(&self, index: usize) -> Ts<T> {
        Ts::new_unchecked(parse(&self.0[index].to_string()))
    }

    fn text(&self, index: usize) -> &str {
        self.0[index].as_str().expect("a text")
    }

    fn maybe_text(&self, index: usize) -> Option<String> {
        self.0[index].as_str().map(str::to_owned)
    }

    fn flag(&self, index: usize) -> bool {
        self.0[index].as_bool().expect("true or false")
    }

    fn number(&self, index: usize) -> f64 {
        self.0[index].as_f64().expect("a number")
    }

    fn maybe_number(&self, index: usize) -> Option<f64> {
        self.0[index].as_f64()
    }

    fn whole(&self, index: usize) -> u32 {
        serde_json::from_value(self.0[index].clone()).expect("a whole number")
    }

    fn maybe_whole(&self, index: usize) -> Option<u32> {
        serde_json::from_value(self.0[index].clone()).expect("a whole number or none")
    }
}
