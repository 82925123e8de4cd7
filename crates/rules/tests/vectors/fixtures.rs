//! Reads vector files and compares results, for the native run and the browser's.

use serde_json::Value;

/// A case of a vector file.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) function: String,
    pub(crate) args: Vec<Value>,
    pub(crate) returns: Value,
}

/// Reads a vector file; panics if it is malformed.
pub(crate) fn read(text: &str) -> Vec<Case> {
    let file: Value = serde_json::from_str(text).expect("the file is JSON");
    let cases = file["cases"].as_array().expect("the file has cases");
    cases
        .iter()
        .map(|case| Case {
            name: case["name"].as_str().expect("a case has a name").to_owned(),
            function: case["function"].as_str().expect("a case names its function").to_owned(),
            args: case["args"].as_array().expect("a case has arguments").iter().map(written_out).collect(),
            returns: written_out(case.get("returns").expect("a case has an answer")),
        })
        .collect()
}

/// `{"$repeat": ["a", 3]}` is `"aaa"`, and `{"$join": ["a", {"$repeat": ["b", 2]}]}` is `"abb"`.
fn written_out(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            if let Some([text, times]) = object.get("$repeat").and_then(Value::as_array).map(Vec::as_slice) {
                let times = times.as_u64().and_then(|times| usize::try_from(times).ok()).expect("a count");
                return Value::String(text.as_str().expect("a text to repeat").repeat(times));
            }
            if let Some(parts) = object.get("$join").and_then(Value::as_array) {
                let parts = parts.iter().map(written_out);
                return Value::String(
                    parts.map(|part| part.as_str().expect("a text to join").to_owned()).collect(),
                );
            }
            object.iter().map(|(name, value)| (name.clone(), written_out(value))).collect()
        }
        Value::Array(items) => items.iter().map(written_out).collect(),
        other => other.clone(),
    }
}

/// Whether two values are equal in JavaScript, where 5.0 is 5.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

/// The error message of a case; `None` if the result is the expected one.
pub(crate) fn complaint(file: &str, case: &Case, answer: Option<&Value>) -> Option<String> {
    let Case { name, function, returns, .. } = case;
    match answer {
        None => Some(format!("{file}: {name}: no such function here: {function}")),
        Some(answer) if same(answer, returns) => None,
        Some(answer) => Some(format!("{file}: {name}: {} instead of {}", short(answer), short(returns))),
    }
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(300).collect()
}
