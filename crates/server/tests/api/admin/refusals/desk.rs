//! What the desk refuses to note.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Case, Office};

const STATES: &str = "A demo is new, heard, shortlisted, accepted or declined.";
const DEMOS: &str = "Please choose 1 to 200 demos.";

/// A call of the desk.
fn call(method: Method, path: &str, body: &Value) -> Case {
    Case::new(method, &format!("/api/admin/desk/{path}"), body).at(None)
}

/// What breaks a rule.
pub fn broken_fields(office: &Office) -> Vec<Case> {
    let of_demo = |what: &str| format!("demos/{}/{what}", office.demo);
    let state = |body: Value| call(Method::PUT, &of_demo("state"), &body);
    let decline = |ids: Value| call(Method::POST, "decline", &json!({ "ids": ids }));
    let many: Vec<Uuid> = (0..201).map(|_| Uuid::now_v7()).collect();
    vec![
        state(json!({"state": "rejected"})).refused("state", STATES),
        state(json!({"state": "New"})).refused("state", STATES),
        state(json!({"state": ""})).refused("state", STATES),
        state(json!({"state": "a\u{0}"})).refused("state", STATES),
        state(json!({"state": "heard", "from": "nowhere"})).refused("from", STATES),
        state(json!({"state": "heard", "from": "declined"})).answers(412, "stale_version"),
        state(json!({"state": 1})).answers(422, "invalid_body"),
        state(json!({})).answers(422, "invalid_body"),
        state(json!({"state": "heard", "by": "me"})).answers(422, "unknown_field"),
        decline(json!([])).refused("ids", DEMOS),
        decline(json!(many)).refused("ids", DEMOS),
        decline(json!(["x"])).answers(422, "invalid_body"),
        decline(json!(null)).answers(422, "invalid_body"),
    ]
}

/// Demos that there are not.
pub fn unknown_rows() -> Vec<Case> {
    let unknown =
        [Uuid::nil().to_string(), Uuid::now_v7().to_string(), "nothing".to_owned(), "%00".to_owned()];
    let cases = unknown
        .iter()
        .flat_map(|id| [call(Method::PUT, &format!("demos/{id}/state"), &json!({"state": "heard"}))]);
    cases.map(|case| case.answers(404, "not_found")).collect()
}
