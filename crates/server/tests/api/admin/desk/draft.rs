//! From a demo to a draft.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::of;
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn a_demo_becomes_a_draft_with_its_artist_and_the_next_number(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let known = server.artist("Nova & Söhne", None).await;
    let release = json!({"title": "Quartz", "release_date": "2026-07-18", "catalog": "404-007"});
    desk.post("/api/admin/releases", release).await;
    let demo = server.demo("NOVA & Söhne", "nova@artist.example", 1).await;
    let made = desk.post(&of(demo, "release"), Value::Null).await;
    assert_eq!((made.status.as_u16(), &made.json()["catalog"]), (201, &json!("404-008")), "{made:?}");
    let path = format!("/api/admin/releases/{}", made.json()["release_id"].as_str().unwrap());
    let draft = desk.get(&path).await.json();
    assert_eq!((&draft["title"], &draft["artist_id"]), (&json!("NOVA & Söhne"), &json!(known)));
    assert_eq!((&draft["state"], &draft["release_date"]), (&json!("draft"), &Value::Null));
    assert_eq!(server.count("artists").await, 1);
    assert_eq!(server.count("audit_log WHERE event = 'data_create' AND target LIKE 'release:%'").await, 2);
    assert_eq!(server.count("versions WHERE kind = 'release'").await, 2);

    let other = server.demo("Echo", "echo@artist.example", 1).await;
    let made = desk.post(&of(other, "release"), Value::Null).await.json();
    assert_eq!(made["catalog"], "404-009");
    assert_eq!(server.count("artists WHERE name = 'Echo'").await, 1, "an artist is made where there is none");
    let public = server.get("/api/releases").await.text();
    assert!(!public.contains("NOVA") && !public.contains("Echo"), "{public}");
}
