//! Refused requests about consent to the newsletter.

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
    let many: Vec<Uuid> = (0..401).map(|_| Uuid::now_v7()).collect();
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
        vouch(json!({"sentence": "On paper, at the fair.", "ids": many})).refused("ids", CHOSEN),
        vouch(json!({"sentence": null})).answers(422, "invalid_body"),
        vouch(json!({})).answers(422, "invalid_body"),
    ]
}
