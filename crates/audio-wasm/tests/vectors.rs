//! The vectors of `crates/audio`, run in a browser through the bindings.

#![cfg(target_arch = "wasm32")]
#![expect(clippy::expect_used, reason = "a vector file that cannot be read fails the run")]

#[path = "../../rules/tests/vectors/fixtures.rs"]
mod fixtures;

use audio_wasm::Probe;
use serde_json::Value;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON)]
    fn stringify(value: &JsValue) -> Option<String>;
}

#[wasm_bindgen_test]
fn every_file_gets_its_verdict_and_its_line() {
    let cases = fixtures::read(include_str!("../../audio/fixtures/files.json"));
    let complaints: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            let [Value::String(name), Value::String(bytes)] = &*case.args else {
                return Some(case.name.clone());
            };
            fixtures::complaint("files", case, Some(&look(name, &from_hex(bytes))))
        })
        .collect();
    assert!(complaints.is_empty(), "{} vectors fail:\n{}", complaints.len(), complaints.join("\n"));
    assert!(cases.len() > 100, "only {} vectors ran", cases.len());
}

fn look(name: &str, bytes: &[u8]) -> Value {
    let mut probe = Probe::new(name, bytes.len() as f64);
    loop {
        let text = stringify(&probe.advance().into()).expect("a finding");
        let finding: Value = serde_json::from_str(&text).expect("what was stringified");
        if finding["at"] != "missing" {
            return finding;
        }
        let at = |name: &str| finding[name].as_f64().expect("an offset") as usize;
        probe.take(bytes[at("start")..at("end")].to_vec());
    }
}

fn from_hex(digits: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}
