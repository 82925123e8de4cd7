//! Refused requests about subscribers and letters.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Case;

const A_DAY: &str = "Between 1 and 4800 confirmations go out in a day.";
const SHORT: &str = "Say in a sentence of at least 10 characters where they agreed.";
const CHOSEN: &str = "Please choose at most 400 subscribers.";

fn call(method: Method, path: &str, body: &Value) -> Case {
    Case::new(method, &format!("/api/admin/newsletter/{path}"), body)
}

/// Requests that break a rule.
pub fn broken_fields() -> Vec<Case> {
    let settings = |body: Value| call(Method::PATCH, "settings", &body);
    let ask = |body: Value| call(Method::POST, "confirmations", &body);
    let vouch = |body: Value| call(Method::POST, "vouch", &body);
    // More than a body of the usual size holds.
    let many: Vec<Uuid> = (0..800).map(|_| Uuid::now_v7()).collect();
    vec![
        settings(json!({"confirmations_a_day": 0})).refused("confirmations_a_day", A_DAY),
        settings(json!({"confirmations_a_day": 4801})).refused("confirmations_a_day", A_DAY),
        settings(json!({"confirmations_a_day": "500"})).answers(422, "invalid_body"),
        settings(json!({"asks_to_confirm": "no"})).answers(422, "invalid_body"),
        settings(json!({"asks": false})).answers(422, "unknown_field"),
        ask(json!({"ids": many})).refused("ids", CHOSEN),
        ask(json!({"ids": ["x"]})).answers(422, "invalid_body"),
        ask(json!({"everybody": true})).answers(422, "unknown_field"),
        vouch(json!({"sentence": ""})).refused("sentence", SHORT),
        vouch(json!({"sentence": "agreed    \n"})).refused("sentence", SHORT),
        vouch(json!({"sentence": "x".repeat(501)}))
            .refused("sentence", "The sentence must have at most 500 characters."),
        vouch(json!({"sentence": "On paper,\u{0} at the fair"}))
            .refused("sentence", "Invalid characters in the sentence."),
        vouch(json!({"sentence": "On paper, at the fair.", "ids": many[..401]})).refused("ids", CHOSEN),
        vouch(json!({"sentence": null})).answers(422, "invalid_body"),
        vouch(json!({})).answers(422, "invalid_body"),
        settings(json!({"letters_a_second": 51}))
            .refused("letters_a_second", "Between 1 and 50 letters go out in a second."),
        settings(json!({"letters_an_hour": -1}))
            .refused("letters_an_hour", "Enter a number between 1 and 1000000, or nothing."),
        settings(json!({"postal_address": "x".repeat(301)}))
            .refused("postal_address", "The postal address must have at most 300 characters."),
        letter(Method::POST, "", &json!({"release": "x"})).answers(422, "invalid_body"),
        letter(Method::POST, "/preview", &json!({"subject": 1})).answers(422, "invalid_body"),
        arrival("headers", json!({"headers": 1})).answers(422, "invalid_body"),
        arrival("headers", json!({"headers": "Dear all,"}))
            .refused("headers", "Paste the whole headers of a letter that arrived, at most 64 KB."),
        arrival("read-back", json!({})).answers(409, "no_bounce_mailbox"),
    ]
}

fn arrival(path: &str, body: Value) -> Case {
    Case::new(Method::POST, &format!("/api/admin/newsletter/{path}"), &body)
}

fn letter(method: Method, path: &str, body: &Value) -> Case {
    Case::new(method, &format!("/api/admin/letters{path}"), body)
}

/// Requests about letters that do not exist.
pub fn unknown_letters() -> Vec<Case> {
    let mut cases = Vec::new();
    for id in [Uuid::nil().to_string(), Uuid::now_v7().to_string(), "nothing".to_owned()] {
        let call = |method, rest: &str, body: Value| letter(method, &format!("/{id}{rest}"), &body);
        let draft = json!({"subject": "x", "preheader": "", "parts": []});
        cases.push(call(Method::PUT, "", draft));
        cases.push(call(Method::PATCH, "", json!({"in_archive": false})));
        cases.push(call(Method::DELETE, "", json!(null)).raw(""));
        cases.push(call(Method::GET, "/preview", json!(null)).raw(""));
        cases.push(call(Method::POST, "/test", json!(null)).raw(""));
        cases.push(call(Method::POST, "/send", json!({})).at(Some("\"1\"")));
        cases.push(call(Method::POST, "/sending", json!({"step": "pause"})));
    }
    cases.into_iter().map(|case| case.answers(404, "not_found")).collect()
}
