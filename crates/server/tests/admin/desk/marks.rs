//! Admins' marks on demos: scores, tags, notes, and who is listening.

use std::time::Duration;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use super::{artists, of, put, set_state};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn others_scores_are_shown_once_ones_own_is_set(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut mira = server.signed_in(&server.admin("mira_404").await).await;
    let mut jon = server.signed_in(&server.admin("jon_404").await).await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let other = server.demo("Echo", "echo@artist.example", 2).await;
    let first = put(&mut mira, &of(demo, "score"), json!({"score": 5})).await.json();
    assert_eq!(
        (&first["my_score"], &first["scores"]),
        (&json!(5), &json!([{"person": "mira_404", "score": 5}]))
    );
    server.advance(Duration::from_secs(1));

    for query in ["", "?sort=-score", "?sort=-score&limit=1"] {
        let page = jon.get(&format!("/api/admin/desk/demos{query}")).await;
        assert!(!page.text().contains("mira_404"), "{query}: {page:?}");
        for item in page.json()["items"].as_array().unwrap() {
            assert_eq!((&item["my_score"], &item["scores"]), (&Value::Null, &Value::Null), "{query}");
        }
    }
    assert_eq!(artists(&mut jon, "?sort=-score").await, ["Echo", "Nova"], "as they came");
    put(&mut mira, &of(other, "score"), json!({"score": 1})).await;
    assert_eq!(artists(&mut mira, "?sort=-score").await, ["Nova", "Echo"]);
    assert_eq!(artists(&mut jon, "?sort=-score").await, ["Echo", "Nova"], "the order reveals nothing");
    assert_eq!(artists(&mut jon, "?score=5").await, [""; 0], "nor by what is found");
    assert_eq!(artists(&mut jon, "?score=0").await, ["Echo", "Nova"]);
    assert_eq!(artists(&mut mira, "?score=5").await, ["Nova"]);

    let both = put(&mut jon, &of(demo, "score"), json!({"score": 4})).await.json();
    let expected = json!([{"person": "mira_404", "score": 5}, {"person": "jon_404", "score": 4}]);
    assert_eq!(both["scores"], expected);
    let back = put(&mut jon, &of(demo, "score"), json!({"score": null})).await.json();
    assert_eq!((&back["my_score"], &back["scores"]), (&Value::Null, &Value::Null));
    assert_eq!(server.count("audit_log WHERE target LIKE 'demo_score:%'").await, 4);
    put(&mut jon, &of(demo, "score"), json!({"score": null})).await;
    assert_eq!(server.count("audit_log WHERE target LIKE 'demo_score:%'").await, 4, "nothing was changed");
}

#[apply(on_both_engines!)]
async fn a_demo_that_is_scored_was_heard(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let scored = put(&mut desk, &of(demo, "score"), json!({"score": 4})).await.json();
    assert_eq!(
        (&scored["state"], &scored["heard_at"], &scored["my_score"]),
        (&json!("heard"), &json!("2026-11-20T12:00:00Z"), &json!(4))
    );
    let noted = async || {
        server.count(&format!("audit_log WHERE event = 'demo_heard' AND target = 'demo:{demo}'")).await
    };
    assert_eq!(noted().await, 1);
    assert_eq!(artists(&mut desk, "?state=new").await, [""; 0]);
    // A later state stays, and removing a score is not a judgement.
    set_state(&mut desk, demo, "shortlisted").await;
    let again = put(&mut desk, &of(demo, "score"), json!({"score": 5})).await.json();
    assert_eq!(again["state"], "shortlisted");
    set_state(&mut desk, demo, "new").await;
    let back = put(&mut desk, &of(demo, "score"), json!({"score": null})).await.json();
    assert_eq!((&back["state"], noted().await), (&json!("new"), 1));
    // Setting the same score again counts as a judgement.
    put(&mut desk, &of(demo, "score"), json!({"score": 2})).await;
    set_state(&mut desk, demo, "new").await;
    let same = put(&mut desk, &of(demo, "score"), json!({"score": 2})).await.json();
    assert_eq!((&same["state"], noted().await), (&json!("heard"), 3));
}

#[apply(on_both_engines!)]
async fn a_demo_that_others_scored_stays_heard_when_a_score_is_undone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut mira = server.signed_in(&server.admin("mira_404").await).await;
    let mut jon = server.signed_in(&server.admin("jon_404").await).await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    put(&mut mira, &of(demo, "score"), json!({"score": 3})).await;
    put(&mut jon, &of(demo, "score"), json!({"score": 4})).await;
    put(&mut mira, &of(demo, "score"), json!({"score": null})).await;
    let undone = json!({"state": "new", "from": "heard", "unless_scored": true});
    let refused = put(&mut mira, &of(demo, "state"), undone.clone()).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (412, "stale_version".to_owned()));
    assert_eq!(artists(&mut mira, "?state=heard").await, ["Nova"]);
    let moved = json!({"state": "new", "from": "heard"});
    assert_eq!(put(&mut mira, &of(demo, "state"), moved).await.json()["state"], "new");
    put(&mut mira, &of(demo, "state"), json!({"state": "heard"})).await;
    put(&mut jon, &of(demo, "score"), json!({"score": null})).await;
    assert_eq!(put(&mut jon, &of(demo, "state"), undone).await.json()["state"], "new");
}

#[apply(on_both_engines!)]
async fn tags_are_kept_in_one_spelling_and_found(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let other = server.demo("Echo", "echo@artist.example", 2).await;
    let tags = json!({"tags": ["Peak  Time", "dub", "PEAK TIME"]});
    let tagged = put(&mut desk, &of(demo, "tags"), tags.clone()).await.json();
    assert_eq!(tagged["tags"], json!(["dub", "peak time"]));
    put(&mut desk, &of(other, "tags"), json!({"tags": ["dub"]})).await;
    let summary = desk.get("/api/admin/desk").await.json();
    assert_eq!(summary["tags"], json!([{"tag": "dub", "count": 2}, {"tag": "peak time", "count": 1}]));
    assert_eq!(artists(&mut desk, "?tag=dub").await, ["Echo", "Nova"]);
    assert_eq!(artists(&mut desk, "?tag=%20Peak%20TIME").await, ["Nova"]);
    assert_eq!(artists(&mut desk, "?tag=peak").await, [""; 0]);
    assert_eq!(artists(&mut desk, "?q=peak").await, ["Nova"]);
    let noted = server.count("audit_log").await;
    put(&mut desk, &of(demo, "tags"), tags).await;
    assert_eq!(server.count("audit_log").await, noted, "the same tags change nothing");
    assert_eq!(
        put(&mut desk, &of(demo, "tags"), json!({"tags": ["live"]})).await.json()["tags"],
        json!(["live"])
    );
    assert_eq!(put(&mut desk, &of(demo, "tags"), json!({"tags": []})).await.json()["tags"], json!([]));
    // Two admins at once: each changes only the tags they have seen.
    put(&mut desk, &of(demo, "tags"), json!({"tags": ["live", "loud"]})).await;
    let seen = json!(["loud", "live"]);
    put(&mut desk, &of(demo, "tags"), json!({"tags": ["live", "loud", "mine"], "was": seen})).await;
    let both =
        put(&mut desk, &of(demo, "tags"), json!({"tags": ["live", "Theirs"], "was": seen})).await.json();
    assert_eq!(both["tags"], json!(["live", "mine", "theirs"]));
    let again =
        put(&mut desk, &of(demo, "tags"), json!({"tags": ["live", "loud"], "was": seen})).await.json();
    assert_eq!(again["tags"], json!(["live", "mine", "theirs"]), "who changes nothing puts nothing back");
    // A tag stored by an older version, without Unicode composition.
    put(&mut desk, &of(demo, "tags"), json!({"tags": []})).await;
    server
        .sql("INSERT INTO demo_tags (demo_id, tag) SELECT id, 'cafe\u{301}' FROM demos WHERE artist_name = 'Nova'")
        .await;
    let off = json!({"tags": [], "was": ["cafe\u{301}"]});
    assert_eq!(put(&mut desk, &of(demo, "tags"), off).await.json()["tags"], json!([]));
    desk.send(Method::DELETE, &format!("/api/admin/demos/{other}"), None).await;
    assert_eq!(desk.get("/api/admin/desk").await.json()["tags"], json!([]), "nor are tags of the trash");
}

#[apply(on_both_engines!)]
async fn notes_are_read_by_all_and_deleted_by_their_author(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.admin("mira_404").await;
    let mut mira = server.signed_in(&person).await;
    let mut jon = server.signed_in(&server.admin("jon_404").await).await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let first = mira.post(&of(demo, "notes"), json!({"text": " Drums from 3:10 on\n"})).await;
    assert_eq!(first.status, 201, "{first:?}");
    let first = first.json();
    assert_eq!(
        (&first["person"], &first["is_mine"], &first["text"]),
        (&json!("mira_404"), &json!(true), &json!("Drums from 3:10 on"))
    );
    server.advance(Duration::from_secs(1));
    jon.post(&of(demo, "notes"), json!({"text": "Too long"})).await;
    mira.post(&of(demo, "notes"), json!({"text": "Schöne Fläche"})).await;
    assert_eq!(artists(&mut jon, "?q=FL%C3%84CHE").await, ["Nova"]);
    let gone = jon.get(&format!("/api/admin/desk/demos/{demo}")).await.json()["notes"][2]["id"].clone();
    let gone = format!("/api/admin/desk/notes/{}", gone.as_str().unwrap());
    assert_eq!(mira.send(Method::DELETE, &gone, None).await.status, 204);
    assert_eq!(artists(&mut jon, "?q=flache").await, [""; 0]);
    let detail = jon.get(&format!("/api/admin/desk/demos/{demo}")).await.json();
    assert_eq!((&detail["artist_name"], &detail["note_count"]), (&json!("Nova"), &json!(2)));
    let notes: Vec<_> = detail["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| (note["text"].clone(), note["is_mine"].clone()))
        .collect();
    assert_eq!(notes, [(json!("Drums from 3:10 on"), json!(false)), (json!("Too long"), json!(true))]);
    assert_eq!(artists(&mut jon, "?q=DRUMS").await, ["Nova"]);
    assert_eq!(server.count("audit_log WHERE target LIKE '%rum%' OR outcome LIKE '%rum%'").await, 0);

    let path = format!("/api/admin/desk/notes/{}", first["id"].as_str().unwrap());
    assert_eq!(jon.send(Method::DELETE, &path, None).await.status, 404, "somebody else's");
    assert_eq!(mira.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(mira.send(Method::DELETE, &path, None).await.status, 404);

    mira.post(&of(demo, "notes"), json!({"text": "mine"})).await;
    put(&mut mira, &of(demo, "score"), json!({"score": 3})).await;
    server.sql(&format!("DELETE FROM users WHERE id = {}", server.id_literal(person.id))).await;
    assert_eq!(
        (server.count("demo_notes").await, server.count("demo_scores").await),
        (1, 0),
        "what a person noted goes with them"
    );
}

#[apply(on_both_engines!)]
async fn all_that_was_noted_goes_with_the_demo(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    desk.post(&of(demo, "notes"), json!({"text": "x"})).await;
    put(&mut desk, &of(demo, "tags"), json!({"tags": ["dub"]})).await;
    put(&mut desk, &of(demo, "score"), json!({"score": 3})).await;
    put(&mut desk, "/api/admin/desk/listening", json!({"demo_id": demo})).await;
    let of_desk = ["demo_notes", "demo_tags", "demo_scores", "demo_listeners"];
    for table in of_desk {
        assert_eq!(server.count(table).await, 1, "{table}");
    }
    desk.send(Method::DELETE, &format!("/api/admin/demos/{demo}"), None).await;
    assert_eq!(desk.get("/api/admin/desk/listening").await.json()["items"], json!([]));
    let events = server.count("events WHERE table_name = 'demos'").await;
    assert_eq!(desk.send(Method::DELETE, &format!("/api/admin/trash/demo/{demo}"), None).await.status, 204);
    for table in of_desk {
        assert_eq!(server.count(table).await, 0, "{table}");
    }
    assert_eq!(
        server.count("events WHERE table_name = 'demos'").await,
        events,
        "a demo that is gone does not change"
    );
}

#[apply(on_both_engines!)]
async fn a_listener_is_shown_for_half_a_minute(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut mira = server.signed_in(&server.admin("mira_404").await).await;
    let mut jon = server.signed_in(&server.admin("jon_404").await).await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let other = server.demo("Echo", "echo@artist.example", 2).await;
    let path = "/api/admin/desk/listening";
    assert_eq!(put(&mut mira, path, json!({"demo_id": demo})).await.status, 204);
    let notes = jon.get(path).await.json();
    let expected =
        json!([{"person": "mira_404", "is_me": false, "demo_id": demo, "since": "2026-11-20T12:00:00Z"}]);
    assert_eq!(notes["items"], expected);
    assert_eq!(mira.get(path).await.json()["items"][0]["is_me"], true);

    let events = async || server.count("events WHERE table_name = 'demos'").await;
    let (before, noted) = (events().await, server.count("audit_log").await);
    server.advance(Duration::from_secs(20));
    put(&mut mira, path, json!({"demo_id": demo})).await;
    assert_eq!(events().await, before, "whoever goes on says nothing new");
    server.advance(Duration::from_secs(20));
    assert_eq!(jon.get(path).await.json()["items"][0]["since"], "2026-11-20T12:00:00Z");
    put(&mut mira, path, json!({"demo_id": other})).await;
    assert_eq!(events().await, before + 1);
    assert_eq!(jon.get(path).await.json()["items"][0]["since"], "2026-11-20T12:00:40Z");
    server.advance(Duration::from_secs(31));
    assert_eq!(jon.get(path).await.json()["items"], json!([]));
    put(&mut mira, path, json!({"demo_id": other})).await;
    put(&mut mira, path, json!({"demo_id": null})).await;
    assert_eq!(jon.get(path).await.json()["items"], json!([]));
    assert_eq!(server.count("audit_log").await, noted);
    assert_eq!(set_state(&mut jon, demo, "heard").await["state"], "heard");
}

#[apply(on_both_engines!)]
async fn a_demo_tells_what_its_sender_sent_before(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Now", "nova@artist.example", 5).await;
    let earlier = server.demo("Before", "NOVA@artist.example", 50).await;
    let trashed = server.demo("Gone", "nova@artist.example", 60).await;
    server.demo("Later", "nova@artist.example", 1).await;
    server.demo("Another", "another@artist.example", 70).await;
    set_state(&mut desk, earlier, "declined").await;
    desk.send(Method::DELETE, &format!("/api/admin/demos/{trashed}"), None).await;
    let detail = desk.get(&format!("/api/admin/desk/demos/{demo}")).await.json();
    let expected = json!([{"id": earlier, "original_name": "Before.wav", "submitted_at": "2026-10-01T12:00:00Z", "state": "declined"}]);
    assert_eq!(detail["earlier"], expected);
    assert_eq!(desk.get(&format!("/api/admin/desk/demos/{trashed}")).await.status, 404);
}
