//! Refused requests of the desk.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Case, Office};

const STATES: &str = "A demo is new, heard, shortlisted, accepted or declined.";
const SCORE: &str = "A score is a whole number from 1 to 5.";
const TAG: &str = "A tag has 1 to 30 characters, in one line.";
const DAYS: &str = "Demos are overdue after 1 to 365 days.";
const DEMOS: &str = "Please choose 1 to 200 demos.";

/// A request to the desk.
fn call(method: Method, path: &str, body: &Value) -> Case {
    Case::new(method, &format!("/api/admin/desk/{path}"), body).at(None)
}

/// Requests that break a rule.
pub fn broken_fields(office: &Office) -> Vec<Case> {
    let of_demo = |what: &str| format!("demos/{}/{what}", office.demo);
    let state = |body: Value| call(Method::PUT, &of_demo("state"), &body);
    let decline = |ids: Value| call(Method::POST, "decline", &json!({ "ids": ids }));
    let steps = |steps: Value| call(Method::POST, "states", &json!({ "steps": steps }));
    let step = |state: &str, from: &str| json!({"id": office.demo, "state": state, "from": from});
    let score = |body: Value| call(Method::PUT, &of_demo("score"), &body);
    let tags = |tags: Value| call(Method::PUT, &of_demo("tags"), &json!({ "tags": tags }));
    let note = |text: Value| call(Method::POST, &of_demo("notes"), &json!({ "text": text }));
    let settings = |body: Value| call(Method::PATCH, "settings", &body);
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
        steps(json!([])).refused("steps", DEMOS),
        steps(json!(vec![step("new", "new"); 201])).refused("steps", DEMOS),
        steps(json!([step("rejected", "new")])).refused("steps", STATES),
        steps(json!([step("new", "nowhere")])).refused("steps", STATES),
        steps(json!([{"id": office.demo, "state": "new"}])).answers(422, "invalid_body"),
        steps(json!([{"id": "x", "state": "new", "from": "new"}])).answers(422, "invalid_body"),
        score(json!({"score": 0})).refused("score", SCORE),
        score(json!({"score": 6})).refused("score", SCORE),
        score(json!({"score": -1})).refused("score", SCORE),
        score(json!({"score": 2.5})).answers(422, "invalid_body"),
        score(json!([5])).answers(422, "invalid_body"),
        score(json!({"score": "5"})).answers(422, "invalid_body"),
        score(json!({"score": 5, "person": "x"})).answers(422, "unknown_field"),
        tags(json!([""])).refused("tags", TAG),
        tags(json!(["dub", " "])).refused("tags", TAG),
        tags(json!(["x".repeat(31)])).refused("tags", TAG),
        tags(json!(["a\nb"])).refused("tags", TAG),
        tags(json!(["a\u{0}"])).refused("tags", TAG),
        tags(json!(vec!["x"; 21])).refused("tags", "A demo has at most 20 tags."),
        tags(json!([1])).answers(422, "invalid_body"),
        note(json!("")).refused("text", "Please write something."),
        note(json!(" \n")).refused("text", "Please write something."),
        note(json!("x".repeat(2001))).refused("text", "A note must have at most 2000 characters."),
        note(json!("a\u{0}")).refused("text", "Invalid characters in the note."),
        note(json!(null)).answers(422, "invalid_body"),
        settings(json!({"overdue_days": 0})).refused("overdue_days", DAYS),
        settings(json!({"overdue_days": 366})).refused("overdue_days", DAYS),
        settings(json!([31, false])).answers(422, "invalid_body"),
        settings(json!({"hides_decision": "no"})).answers(422, "invalid_body"),
        settings(json!({"promise_days": 1})).answers(422, "unknown_field"),
        call(Method::PUT, "listening", &json!({"demo_id": "x"})).answers(422, "invalid_body"),
        call(Method::PUT, "listening", &json!({"demo_id": Uuid::now_v7()})).answers(404, "not_found"),
    ]
}

/// Requests for unknown demos.
pub fn unknown_rows() -> Vec<Case> {
    let unknown =
        [Uuid::nil().to_string(), Uuid::now_v7().to_string(), "nothing".to_owned(), "%00".to_owned()];
    let cases = unknown.iter().flat_map(|id| {
        [
            call(Method::PUT, &format!("demos/{id}/state"), &json!({"state": "heard"})),
            call(Method::PUT, &format!("demos/{id}/score"), &json!({"score": 1})),
            call(Method::PUT, &format!("demos/{id}/tags"), &json!({"tags": ["x"]})),
            call(Method::POST, &format!("demos/{id}/release"), &json!(null)).raw(""),
            call(Method::POST, &format!("demos/{id}/notes"), &json!({"text": "x"})),
            call(Method::DELETE, &format!("notes/{id}"), &json!(null)).raw(""),
            call(Method::GET, &format!("demos/{id}"), &json!(null)).raw(""),
        ]
    });
    cases.map(|case| case.answers(404, "not_found")).collect()
}
