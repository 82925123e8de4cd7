//! Edits of unknown rows and of outdated versions.

use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use super::{
    Case, Office,
    forms::{answers, forms},
};

/// Edits with a missing or wrong version.
pub fn other_versions(office: &Office) -> Vec<Case> {
    let mut cases = Vec::new();
    let forms = forms(office).map(|form| (form.change, form.accepted));
    let text = ("/api/admin/content/hero_subtitle".to_owned(), json!({"value": "x"}));
    let template = ("/api/admin/desk/templates/declined".to_owned(), json!({"subject": "x", "text": "x"}));
    for (path, body) in forms.into_iter().chain([text, template]) {
        let case = || Case::new(Method::PUT, &path, &body);
        cases.push(case().at(None).answers(428, "version_required"));
        for version in [
            "\"0\"",
            "\"2\"",
            "\"-1\"",
            "1",
            "W/\"1\"",
            "\"x\"",
            "*",
            "\"1\", \"2\"",
            "\"\"",
            "\"9223372036854775808\"",
            "\"1",
        ] {
            cases.push(case().at(Some(version)).answers(412, "stale_version"));
        }
    }
    cases
}

/// Unknown rows, keys and pages.
pub fn unknown_rows(office: &Office) -> Vec<Case> {
    let mut cases = Vec::new();
    let unknown = [
        Uuid::nil().to_string(),
        Uuid::now_v7().to_string(),
        "nothing".to_owned(),
        "%00".to_owned(),
        "..%2f".to_owned(),
        "1".to_owned(),
    ];
    for id in &unknown {
        for form in forms(office) {
            let path = format!("{}/{id}", form.add);
            cases.push(Case::new(Method::PUT, &path, &form.accepted));
            cases.push(Case::new(Method::DELETE, &path, &json!(null)).raw(""));
        }
        for list in ["media", "site-images", "demos", "newsletter"] {
            cases.push(Case::new(Method::DELETE, &format!("/api/admin/{list}/{id}"), &json!(null)).raw(""));
        }
        for kind in ["artist", "release", "product", "media", "site_image", "demo", "person"] {
            let path = format!("/api/admin/trash/{kind}/{id}");
            cases.push(Case::new(Method::DELETE, &path, &json!(null)).raw(""));
            cases.push(Case::new(Method::POST, &format!("{path}/restore"), &json!(null)).raw(""));
        }
        for kind in ["artist", "release", "product", "text", "site_image", "person"] {
            let path = format!("/api/admin/versions/{kind}/{id}/1/restore");
            let case = Case::new(Method::POST, &path, &json!(null)).raw("");
            cases.push(Case { version: Some("\"1\""), ..case });
        }
        let link = format!("/api/admin/releases/{id}/private-link");
        cases.push(Case::new(Method::POST, &link, &json!(null)).raw(""));
        cases.push(Case::new(Method::DELETE, &link, &json!(null)).raw(""));
        cases.push(Case::new(Method::POST, &format!("/api/admin/imports/{id}/undo"), &json!(null)).raw(""));
        let undo = format!("/api/admin/newsletter/imports/{id}/undo");
        cases.push(Case::new(Method::POST, &undo, &json!(null)).raw(""));
        let letter = json!({"subject": "x", "text": "x"});
        cases.push(Case::new(Method::PUT, &format!("/api/admin/desk/templates/{id}"), &letter));
        let answer = json!({"kind": "declined", "subject": "x", "text": "x"});
        cases.push(Case::new(Method::POST, &answers(id), &answer));
        let preview = format!("{}/preview", answers(id));
        cases.push(Case::new(Method::POST, &preview, &json!({"kind": "declined"})));
        let undo = format!("/api/admin/desk/answers/{id}");
        cases.push(Case::new(Method::DELETE, &undo, &json!(null)).raw(""));
        let active = json!({"active": false});
        cases.push(Case::new(Method::PATCH, &format!("/api/admin/products/{id}"), &active));
        cases.push(Case::new(Method::PUT, &format!("/api/admin/content/{id}"), &json!({"value": "x"})));
        let switch = json!({"is_maintenance_mode": true});
        cases.push(Case::new(Method::PATCH, &format!("/api/admin/maintenance/{id}"), &switch));
    }
    for key in ["hero_title", "HERO_SUBTITLE", "privacy-policy"] {
        cases.push(Case::new(Method::PUT, &format!("/api/admin/content/{key}"), &json!({"value": "x"})));
    }
    for page in ["contact", "admin", "HOME", "profile"] {
        let switch = json!({"is_maintenance_mode": true});
        cases.push(Case::new(Method::PATCH, &format!("/api/admin/maintenance/{page}"), &switch));
    }
    cases.into_iter().map(|case| case.answers(404, "not_found")).collect()
}
