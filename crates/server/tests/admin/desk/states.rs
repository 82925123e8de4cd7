//! The states of demos and the queue of new ones.

use std::{collections::BTreeSet, time::Duration};

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{artists, of, put, set_state};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, log::logged},
};

#[apply(on_both_engines!)]
async fn any_step_is_taken_and_noted_without_names(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 3).await;
    let new = desk.get("/api/admin/desk/demos").await.json()["items"][0].clone();
    assert_eq!((&new["state"], &new["heard_at"]), (&json!("new"), &Value::Null));
    assert_eq!((&new["state_at"], &new["artist_name"]), (&new["submitted_at"], &json!("Nova")));
    assert_eq!((&new["email"], &new["message"]), (&json!("nova@artist.example"), &Value::Null));
    assert_eq!((&new["size_bytes"], &new["content_type"]), (&json!(7), &json!("audio/wav")));
    assert_eq!(
        (&new["tags"], &new["my_score"], &new["scores"], &new["note_count"]),
        (&json!([]), &Value::Null, &Value::Null, &json!(0))
    );

    let declined = set_state(&mut desk, demo, "declined").await;
    assert_eq!(declined["state"], "declined", "a new demo may be declined at once");
    assert_eq!(declined["heard_at"], declined["state_at"], "a judgement is an ear");
    let heard_at = declined["heard_at"].clone();
    server.advance(Duration::from_secs(60));
    for state in ["heard", "shortlisted", "accepted", "declined", "accepted", "shortlisted", "heard"] {
        let demo = set_state(&mut desk, demo, state).await;
        assert_eq!((&demo["state"], &demo["heard_at"]), (&json!(state), &heard_at));
        assert_eq!(demo["state_at"], "2026-11-20T12:01:00Z");
    }
    assert_eq!(set_state(&mut desk, demo, "new").await["heard_at"], Value::Null, "as if nobody had heard it");
    assert_eq!(set_state(&mut desk, demo, "heard").await["heard_at"], "2026-11-20T12:01:00Z");
    let noted = async |event: &str| {
        server
            .count(&format!(
                "audit_log WHERE event = '{event}' AND target = 'demo:{demo}' AND role = 'admin'"
            ))
            .await
    };
    for (event, times) in [
        ("demo_new", 1),
        ("demo_heard", 3),
        ("demo_shortlisted", 2),
        ("demo_accepted", 2),
        ("demo_declined", 2),
    ] {
        assert_eq!(noted(event).await, times, "{event}");
    }
    assert_eq!(server.count("audit_log WHERE target LIKE '%ova%' OR outcome LIKE '%ova%'").await, 0);

    let again = set_state(&mut desk, demo, "heard").await;
    assert_eq!((again["state"].as_str(), noted("demo_heard").await), (Some("heard"), 3), "no step, no entry");
}

#[apply(on_both_engines!)]
async fn a_step_from_a_state_that_was_seen_comes_too_late_after_another(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 3).await;
    set_state(&mut desk, demo, "declined").await;
    let late = put(&mut desk, &of(demo, "state"), json!({"state": "heard", "from": "new"})).await;
    assert_eq!((late.status.as_u16(), late.problem()), (412, "stale_version".to_owned()));
    assert_eq!(artists(&mut desk, "?state=declined").await, ["Nova"]);
    let known = put(&mut desk, &of(demo, "state"), json!({"state": "heard", "from": "declined"})).await;
    assert_eq!(known.json()["state"], "heard");
}

#[apply(on_both_engines!)]
async fn the_queue_lists_unheard_demos_oldest_first(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut demos = Vec::new();
    for (artist, days) in [("A", 5), ("B", 9), ("C", 1), ("D", 7), ("E", 3)] {
        demos.push(server.demo(artist, &format!("{artist}@Artist.example"), days).await);
    }
    set_state(&mut desk, demos[1], "shortlisted").await;
    set_state(&mut desk, demos[2], "declined").await;
    assert_eq!(artists(&mut desk, "").await, ["D", "A", "E", "B", "C"]);
    for (query, expected) in [
        ("?sort=queue&state=new", &["D", "A", "E"][..]),
        ("?state=shortlisted", &["B"]),
        ("?state=accepted", &[]),
        ("?sort=-submitted", &["C", "E", "A", "D", "B"]),
        ("?sort=submitted", &["B", "D", "A", "E", "C"]),
        ("?sort=artist", &["A", "B", "C", "D", "E"]),
        ("?sender=a@artist.EXAMPLE", &["A"]),
        ("?sender=artist.example", &[]),
        ("?q=ARTIST.exam&state=new", &["D", "A", "E"]),
        ("?q=d.WAV", &["D"]),
        ("?q=%25", &[]),
    ] {
        assert_eq!(artists(&mut desk, query).await, expected, "{query}");
    }
    let mut walked = Vec::new();
    let mut path = "/api/admin/desk/demos?limit=2".to_owned();
    loop {
        let page = desk.get(&path).await.json();
        assert_eq!(page["total"], 5);
        walked.extend(page["items"].as_array().unwrap().iter().map(|demo| demo["artist_name"].clone()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        path = format!("/api/admin/desk/demos?limit=2&cursor={next}");
    }
    assert_eq!(walked, ["D", "A", "E", "B", "C"]);
    // The list reports the second of two concurrent steps too.
    server.advance(Duration::from_secs(1));
    set_state(&mut desk, demos[0], "heard").await;
    assert_eq!(artists(&mut desk, "?sort=-state&limit=1").await, ["A"]);
}

#[apply(on_both_engines!)]
async fn several_are_declined_at_once_or_none(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut demos = Vec::new();
    for artist in ["A", "B", "C"] {
        demos.push(server.demo(artist, "x@artist.example", 1).await);
    }
    set_state(&mut desk, demos[0], "declined").await;
    let gone = Uuid::now_v7();
    let body = json!({"ids": [demos[0], demos[1], demos[1], gone]});
    let answer = desk.post("/api/admin/desk/decline", body).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()),
        (200, json!({"changed": 1, "ids": [demos[1]], "left": 0, "taken_back": 0}))
    );
    assert_eq!(artists(&mut desk, "?state=declined&sort=artist").await, ["A", "B"]);
    assert_eq!(server.count("audit_log WHERE event = 'demo_declined'").await, 2);
    assert_eq!(server.count("demos WHERE heard_at IS NOT NULL").await, 2);
}

#[apply(on_both_engines!)]
async fn a_demo_moved_on_since_is_not_declined_with_the_others(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let shown = server.demo("A", "a@artist.example", 1).await;
    let other = server.demo("B", "b@artist.example", 2).await;
    set_state(&mut desk, other, "accepted").await;
    let body = json!({"ids": [other, shown], "from": ["heard", "new"]});
    let answer = desk.post("/api/admin/desk/decline", body).await;
    assert_eq!(answer.json(), json!({"changed": 1, "ids": [shown], "left": 1, "taken_back": 0}));
    assert_eq!(artists(&mut desk, "?state=accepted").await, ["B"]);
    for from in [json!([]), json!(["new"]), json!(["new", "nowhere"])] {
        let refused =
            desk.post("/api/admin/desk/decline", json!({"ids": [other, shown], "from": from})).await;
        assert_eq!(refused.status, 422, "{refused:?}");
    }
}

#[apply(on_both_engines!)]
async fn what_is_in_the_trash_is_nowhere_on_the_desk(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    set_state(&mut desk, demo, "shortlisted").await;
    assert_eq!(desk.send(Method::DELETE, &format!("/api/admin/demos/{demo}"), None).await.status, 204);
    assert_eq!(artists(&mut desk, "").await, [""; 0]);
    let refused = put(&mut desk, &of(demo, "state"), json!({"state": "heard"})).await;
    assert_eq!(refused.status, 404);
    let declined = desk.post("/api/admin/desk/decline", json!({"ids": [demo]})).await;
    assert_eq!(declined.json(), json!({"changed": 0, "ids": [], "left": 0, "taken_back": 0}));
    let restored = desk.send(Method::POST, &format!("/api/admin/trash/demo/{demo}/restore"), None).await;
    assert_eq!(restored.status, 204);
    assert_eq!(artists(&mut desk, "?state=shortlisted").await, ["Nova"], "as it was");
}

#[apply(on_both_engines!)]
async fn other_admins_hear_of_a_step_and_visitors_do_not(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let events = async |rows: &str| server.count(&format!("events WHERE {rows}")).await;
    let before = (events("table_name = 'demos'").await, events("table_name <> 'demos'").await);
    set_state(&mut desk, demo, "heard").await;
    set_state(&mut desk, demo, "accepted").await;
    assert_eq!(events("table_name = 'demos'").await, before.0 + 2);
    assert_eq!(
        events("table_name IN ('releases', 'unpublished_releases', 'trash')").await,
        0,
        "a demo is no release"
    );
    desk.send(Method::DELETE, &format!("/api/admin/demos/{demo}"), None).await;
    assert_eq!(events("table_name = 'demos' AND op = 'delete'").await, 1);
    assert_eq!(events("table_name = 'trash' AND op = 'insert'").await, 1);
}

#[apply(on_both_engines!)]
async fn several_go_back_in_one_call_to_where_each_stood(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut demos = Vec::new();
    for (artist, state) in [("A", "new"), ("B", "shortlisted"), ("C", "heard")] {
        let demo = server.demo(artist, "x@artist.example", 1).await;
        set_state(&mut desk, demo, state).await;
        demos.push((demo, state));
    }
    let ids: Vec<Uuid> = demos.iter().map(|(id, _)| *id).collect();
    let declined = desk.post("/api/admin/desk/decline", json!({ "ids": ids })).await;
    let sorted = |ids: &[Uuid]| BTreeSet::from_iter(ids.to_vec());
    let moved = json!({"changed": 3, "ids": sorted(&ids), "left": 0, "taken_back": 0});
    assert_eq!(declined.json(), moved);
    set_state(&mut desk, ids[2], "accepted").await;
    let noted = server.count("audit_log WHERE event LIKE 'demo_%'").await;
    let step = |(id, state): &(Uuid, &str)| json!({"id": id, "state": state, "from": "declined"});
    let mut steps: Vec<Value> = demos.iter().map(step).collect();
    steps.push(step(&(Uuid::now_v7(), "new")));
    let back = desk.post("/api/admin/desk/states", json!({ "steps": steps })).await;
    let moved = json!({"changed": 2, "ids": sorted(&ids[..2]), "left": 1, "taken_back": 0});
    assert_eq!((back.status.as_u16(), back.json()), (200, moved));
    for (state, artist) in [("new", "A"), ("shortlisted", "B"), ("accepted", "C")] {
        assert_eq!(artists(&mut desk, &format!("?state={state}")).await, [artist]);
    }
    assert_eq!(server.count("audit_log WHERE event LIKE 'demo_%'").await, noted + 2);
    for steps in
        [json!([]), json!([{"id": ids[0], "state": "lost", "from": "new"}]), json!(vec![&steps[0]; 201])]
    {
        let refused = desk.post("/api/admin/desk/states", json!({ "steps": steps })).await;
        assert_eq!(refused.status, 422, "{refused:?}");
    }
}

#[apply(on_both_engines!)]
async fn as_many_go_back_in_one_call_as_are_declined_in_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let step = json!({"id": Uuid::now_v7(), "state": "shortlisted", "from": "shortlisted"});
    let back = desk.post("/api/admin/desk/states", json!({"steps": vec![step; 200]})).await;
    assert_eq!((back.status.as_u16(), &back.json()["changed"]), (200, &json!(0)), "{back:?}");
}

#[apply(on_both_engines!)]
async fn what_is_overdue_is_listed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for (artist, days) in [("Fresh", 1), ("Late", 31), ("Later", 40)] {
        server.demo(artist, "x@artist.example", days).await;
    }
    let heard = server.demo("Heard", "x@artist.example", 50).await;
    set_state(&mut desk, heard, "heard").await;
    assert_eq!(artists(&mut desk, "?overdue=yes").await, ["Later", "Late"]);
    assert_eq!(artists(&mut desk, "?overdue=yes&state=heard").await, [""; 0]);
    let page = desk.get("/api/admin/desk/demos?overdue=yes&limit=1").await.json();
    assert_eq!(page["total"], 2);
    let cursor = page["next_cursor"].as_str().unwrap();
    assert_eq!(artists(&mut desk, &format!("?overdue=yes&limit=1&cursor={cursor}")).await, ["Late"]);
    desk.send(Method::PATCH, "/api/admin/desk/settings", Some(json!({"overdue_days": 35}))).await;
    assert_eq!(artists(&mut desk, "?overdue=yes").await, ["Later"]);
    assert_eq!(desk.get("/api/admin/desk/demos?overdue=no").await.status, 422);
}

#[apply(on_both_engines!)]
async fn a_state_that_this_program_does_not_know_is_named_and_left(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let later = server.demo("Nova", "nova@artist.example", 0).await;
    set_state(&mut desk, demo, "heard").await;
    let id = server.id_literal(demo);
    let park = format!("UPDATE demos SET state = 'parked' WHERE id = {id}");
    server
        .sql(&match engine {
            Engine::Sqlite => {
                format!("PRAGMA ignore_check_constraints = ON; {park}; PRAGMA ignore_check_constraints = OFF")
            }
            Engine::Postgres => format!("ALTER TABLE demos DROP CONSTRAINT demos_state_check; {park}"),
        })
        .await;
    let (log, _guard) = logged("error");
    for (method, path, body) in [
        (Method::PUT, of(demo, "score"), Some(json!({"score": 4}))),
        (Method::PUT, of(demo, "state"), Some(json!({"state": "declined"}))),
        (Method::POST, "/api/admin/desk/decline".to_owned(), Some(json!({"ids": [demo]}))),
        (Method::GET, format!("/api/admin/desk/demos/{demo}"), None),
        (Method::GET, format!("/api/admin/desk/demos/{later}"), None),
        (Method::GET, "/api/admin/desk/demos".to_owned(), None),
    ] {
        let refused = desk.send(method.clone(), &path, body).await;
        assert_eq!(refused.status, 500, "{method} {path}: {refused:?}");
        assert!(!refused.text().contains("parked"), "{refused:?}");
    }
    assert_eq!(server.count("demos WHERE state = 'parked'").await, 1, "nothing was written over it");
    let named = format!("demos.state of {demo}");
    assert_eq!(log.text().lines().filter(|line| line.contains(&named)).count(), 6, "{}", log.text());
}
