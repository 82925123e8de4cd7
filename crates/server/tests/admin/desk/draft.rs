//! Creating a draft release from a demo.

use futures_util::future::join_all;
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
    assert_eq!(
        server.count("audit_log WHERE event = 'sensitive_create' AND target LIKE 'release:%'").await,
        2
    );
    assert_eq!(server.count("versions WHERE kind = 'release'").await, 2);

    let other = server.demo("Echo", "echo@artist.example", 1).await;
    let made = desk.post(&of(other, "release"), Value::Null).await.json();
    assert_eq!(made["catalog"], "404-009");
    assert_eq!(server.count("artists WHERE name = 'Echo'").await, 1, "an artist is made where there is none");
    let public = server.get("/api/releases").await.text();
    assert!(!public.contains("NOVA") && !public.contains("Echo"), "{public}");
}

#[apply(on_both_engines!)]
async fn the_first_draft_of_a_label_has_its_first_number(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    desk.edit("/api/admin/content/label_name", 1, json!({"value": "Null Port Label"})).await;
    for number in ["NPL-001", "NPL-002"] {
        let demo = server.demo("Nova", "nova@artist.example", 1).await;
        assert_eq!(desk.post(&of(demo, "release"), Value::Null).await.json()["catalog"], number);
    }
}

#[apply(on_both_engines!)]
async fn a_demo_has_one_draft_however_often_it_is_asked_for(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let other = server.signed_in(&server.admin("other_404").await).await;
    // Two admins who each press three times.
    let asked = (0..6).map(|number| {
        let mut browser = if number % 2 == 0 { desk.copy() } else { other.copy() };
        async move { browser.post(&of(demo, "release"), Value::Null).await }
    });
    let answers = join_all(asked).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 201]);
    let made = answers[0].json();
    assert!(answers.iter().all(|answer| answer.json() == made), "{answers:?}");
    assert_eq!((server.count("releases").await, server.count("artists").await), (1, 1));
    assert_eq!(
        server.count("audit_log WHERE event = 'sensitive_create' AND target LIKE 'release:%'").await,
        1
    );

    // A draft in the trash is returned again; once purged, another can be made.
    let id = made["release_id"].as_str().unwrap();
    assert_eq!(desk.delete(&format!("/api/admin/releases/{id}")).await.status, 204);
    let again = desk.post(&of(demo, "release"), Value::Null).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, made.clone()));
    let gone = desk.delete(&format!("/api/admin/trash/release/{id}")).await;
    assert_eq!(gone.status, 204, "{gone:?}");
    let anew = desk.post(&of(demo, "release"), Value::Null).await;
    assert_eq!(anew.status, 201, "{anew:?}");
    assert_ne!(anew.json()["release_id"], made["release_id"]);
    assert_eq!(desk.post(&of(demo, "release"), Value::Null).await.json(), anew.json());
    assert_eq!(server.count("releases").await, 1);
    assert_eq!(server.findings().await.iter().filter(|line| line.contains("release")).count(), 0);
}

#[apply(on_both_engines!)]
async fn a_demo_tells_which_draft_was_made_of_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let path = format!("/api/admin/desk/demos/{demo}");
    let known = desk.get(&path).await.json();
    assert!(known.as_object().unwrap().contains_key("release"), "{known}");
    assert_eq!(known["release"], Value::Null);
    let made = desk.post(&of(demo, "release"), Value::Null).await.json();
    assert_eq!(desk.get(&path).await.json()["release"], made);
    let id = made["release_id"].as_str().unwrap();
    assert_eq!(desk.delete(&format!("/api/admin/releases/{id}")).await.status, 204);
    assert_eq!(desk.get(&path).await.json()["release"], made, "it comes back from the trash");
    assert_eq!(desk.delete(&format!("/api/admin/trash/release/{id}")).await.status, 204);
    assert_eq!(desk.get(&path).await.json()["release"], Value::Null);
}

#[apply(on_both_engines!)]
async fn drafts_created_at_once_have_different_numbers(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let release = json!({"title": "Quartz", "release_date": "2026-07-18", "catalog": "404-007"});
    desk.post("/api/admin/releases", release).await;
    let mut demos = Vec::new();
    for day in 1..=8 {
        demos.push(server.demo("Nova", "nova@artist.example", day).await);
    }
    let asked = demos.iter().map(|demo| {
        let (mut browser, path) = (desk.copy(), of(*demo, "release"));
        async move { browser.post(&path, Value::Null).await }
    });
    let answers = join_all(asked).await;
    let mut numbers: Vec<String> = answers
        .iter()
        .map(|answer| {
            assert_eq!(answer.status, 201, "{answer:?}");
            answer.json()["catalog"].as_str().unwrap().to_owned()
        })
        .collect();
    numbers.sort_unstable();
    let expected: Vec<String> = (8..16).map(|number| format!("404-{number:03}")).collect();
    assert_eq!((numbers, server.count("artists").await), (expected, 1));
}
