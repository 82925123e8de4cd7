//! Refused requests about backups.

use reqwest::Method;
use serde_json::{Value, json};

use super::Case;

/// Requests that break a rule, or that need a place for backups.
pub fn broken() -> Vec<Case> {
    let good = json!({"interval_hours": 24, "keep_days": 7, "keep_weeks": 4, "keep_months": 12});
    let call = |method: Method, path: &str, body: &Value| {
        Case::new(method, &format!("/api/admin/backups/{path}"), body)
    };
    let set = |field: &str, value: Value| {
        let mut body = good.clone();
        body[field] = value;
        call(Method::PUT, "settings", &body)
    };
    let interval = "Backups are made every hour, every 6 hours or every day.";
    vec![
        set("interval_hours", json!(2)).refused("interval_hours", interval),
        set("keep_days", json!(0)).refused("keep_days", "The backups of 1 to 31 days are kept."),
        set("keep_days", json!(32)).refused("keep_days", "The backups of 1 to 31 days are kept."),
        set("keep_weeks", json!(13)).refused("keep_weeks", "The backups of 0 to 12 weeks are kept."),
        set("keep_months", json!(61)).refused("keep_months", "The backups of 0 to 60 months are kept."),
        set("keep_months", json!(-1)).refused("keep_months", "The backups of 0 to 60 months are kept."),
        set("keep_days", json!("7")).answers(422, "invalid_body"),
        set("keep_days", json!(null)).answers(422, "invalid_body"),
        set("keep_years", json!(1)).answers(422, "unknown_field"),
        call(Method::PUT, "settings", &json!({})).answers(422, "invalid_body"),
        call(Method::PUT, "settings", &good).at(Some("\"2\"")).answers(412, "stale_version"),
        call(Method::PUT, "settings", &good).at(None).answers(428, "version_required"),
        call(Method::POST, "run", &json!({})).answers(409, "no_backup_place"),
        call(Method::POST, "proof", &json!({})).answers(409, "no_backup_place"),
    ]
}
