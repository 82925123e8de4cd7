use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

const PATH: &str = "/api/admin/catalog-numbers";

#[apply(on_both_engines!)]
async fn the_next_number_is_offered_and_oddities_are_reported(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let empty = desk.get(PATH).await.json();
    assert_eq!(
        (&empty["next"], &empty["repeated"], &empty["gaps"]),
        (&json!("404-001"), &json!([]), &json!([]))
    );
    desk.edit("/api/admin/content/label_name", 1, json!({"value": "Null Port Label"})).await;
    assert_eq!(desk.get(PATH).await.json()["next"], "NPL-001");
    for catalog in ["404-001", "404-004", "404 4", "WHITE", ""] {
        let body = json!({"title": "x", "release_date": "2026-01-01", "catalog": catalog});
        assert_eq!(desk.post("/api/admin/releases", body).await.status, 201);
    }
    let found = desk.get(PATH).await.json();
    assert_eq!(
        found,
        json!({
            "next": "404-005",
            "repeated": [{"catalog": "404-004", "times": 2, "spellings": ["404 4", "404-004"]}],
            "repeated_total": 1,
            "gaps": [{"first": "404-002", "last": "404-003", "count": 2}],
            "gaps_total": 1,
        })
    );
    for spelling in found["repeated"][0]["spellings"].as_array().unwrap() {
        let q = spelling.as_str().unwrap().replace(' ', "%20");
        let page = desk.get(&format!("/api/admin/releases?q={q}")).await.json();
        assert_eq!((&page["total"], &page["items"][0]["catalog"]), (&json!(1), spelling));
    }
    server.sql("UPDATE releases SET deleted_at = 1 WHERE catalog = '404 4'").await;
    assert_eq!(desk.get(PATH).await.json()["repeated"], json!([]), "what is in the trash does not count");
}
