//! A demo withdrawn by its sender while the label listens to it.

use std::time::Duration;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

const NOVA: &str = "nova@artist.example";

#[apply(on_both_engines!)]
async fn nothing_of_a_demo_is_left_on_the_desk_that_hears_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", NOVA, "set.wav").await;
    let (id, mails) = (server.only_demo().await, server.mails_to(NOVA).len());
    let mut desk = server.desk().await;
    let of = |what: &str| format!("/api/admin/desk/demos/{id}{what}");
    assert_eq!(server.measure().await, 1);
    let listening = "/api/admin/desk/listening";
    let file = format!("/api/admin/demos/{id}/file?inline=true");
    let letter = json!({"kind": "declined", "subject": "No", "text": "Not this time"});
    let mut call = async |method: Method, path: &str, body: Option<Value>| {
        let body = if method == Method::GET { None } else { Some(body.unwrap_or_else(|| json!({}))) };
        desk.send(method, path, body).await
    };
    assert_eq!(call(Method::PUT, listening, Some(json!({"demo_id": id}))).await.status, 204);
    let score = Some(json!({"score": 4}));
    assert_eq!(call(Method::PUT, &of("/score"), score.clone()).await.status, 200);
    let tags = Some(json!({"tags": ["dub"]}));
    assert_eq!(call(Method::PUT, &of("/tags"), tags.clone()).await.status, 200);
    let note = call(Method::POST, &of("/notes"), Some(json!({"text": "Drums"}))).await;
    assert_eq!(note.status, 201, "{note:?}");
    let answer = call(Method::POST, &of("/answers"), Some(letter.clone())).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(call(Method::GET, &file, None).await.status, 200);
    let drafted = call(Method::POST, &of("/release"), None).await;
    assert_eq!(drafted.status, 201, "{drafted:?}");

    let erased = server.browser().send(Method::DELETE, &format!("/api/sender/{token}"), None).await;
    assert_eq!(erased.status, 204, "{erased:?}");
    let events = "events WHERE table_name = 'demos' AND op = 'delete'";
    assert!(server.count(events).await >= 1, "listeners get an event");
    let of_note = format!("/api/admin/desk/notes/{}", note.json()["id"].as_str().unwrap());
    let of_answer = format!("/api/admin/desk/answers/{}", answer.json()["id"].as_str().unwrap());
    let track = format!("/api/admin/demos/{id}/tracks/1/file");
    for (method, path, body) in [
        (Method::GET, of(""), None),
        (Method::GET, file, None),
        (Method::GET, track, None),
        (Method::DELETE, format!("/api/admin/demos/{id}"), None),
        (Method::PUT, of("/state"), Some(json!({"state": "heard"}))),
        (Method::PUT, of("/score"), score),
        (Method::PUT, of("/tags"), tags),
        (Method::POST, of("/notes"), Some(json!({"text": "Drums"}))),
        (Method::POST, of("/release"), None),
        (Method::POST, of("/answers/preview"), Some(json!({"kind": "declined"}))),
        (Method::POST, of("/answers"), Some(letter)),
        (Method::PUT, listening.to_owned(), Some(json!({"demo_id": id}))),
        (Method::DELETE, of_note, None),
        (Method::DELETE, of_answer, None),
    ] {
        let refused = call(method.clone(), &path, body).await;
        let answer = (refused.status.as_u16(), refused.problem());
        assert_eq!(answer, (404, "not_found".to_owned()), "{method} {path}: {refused:?}");
    }
    let declined = call(Method::POST, "/api/admin/desk/decline", Some(json!({"ids": [id]}))).await;
    assert_eq!(
        (declined.status.as_u16(), declined.json()),
        (200, json!({"changed": 0, "ids": [], "left": 0, "taken_back": 0}))
    );
    assert_eq!(call(Method::GET, listening, None).await.json()["items"], json!([]));
    let page = call(Method::GET, "/api/admin/desk/demos", None).await.json();
    assert_eq!((&page["total"], &page["items"]), (&json!(0), &json!([])));
    server.wait_for_sweep().await;
    for table in [
        "demos",
        "demo_listeners",
        "demo_scores",
        "demo_tags",
        "demo_notes",
        "demo_answers",
        "demo_letters",
        "demo_links",
        "demo_sounds",
        "objects",
    ] {
        assert_eq!(server.count(table).await, 0, "{table}");
    }
    server.advance(Duration::from_secs(60));
    server.app.mail.send_due().await;
    assert_eq!((server.mails_to(NOVA).len(), mails), (0, 1), "what waited goes to nobody");
    assert_eq!(server.count("releases WHERE title = 'set'").await, 1, "a draft is the label's own");
    assert_eq!(server.findings().await, [""; 0]);
}
