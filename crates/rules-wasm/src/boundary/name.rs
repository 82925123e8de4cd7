//! The names of properties, made into JavaScript strings once: decoding them at every access was most of a check's time.

use std::cell::RefCell;

use wasm_bindgen::JsValue;

thread_local! {
    /// Every name seen so far, found by its address. There are as many as the rules' structs have fields.
    static NAMES: RefCell<Vec<(&'static str, JsValue)>> = const { RefCell::new(Vec::new()) };
}

/// A name as a JavaScript string.
#[inline(never)]
pub(super) fn name(text: &'static str) -> JsValue {
    NAMES.with_borrow_mut(|names| {
        if let Some((_, known)) = names.iter().find(|(known, _)| std::ptr::eq(*known, text)) {
            return known.clone();
        }
        let new = JsValue::from_str(text);
        names.push((text, new.clone()));
        new
    })
}
