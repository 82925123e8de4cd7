use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer, people::Browser},
};

const PATH: &str = "/api/admin/first-steps";

async fn list(desk: &mut Browser) -> Value {
    let answer = desk.get(PATH).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

async fn done(desk: &mut Browser) -> Vec<String> {
    let list = list(desk).await;
    let items = list["items"].as_array().unwrap().iter().filter(|item| item["done"] == true);
    items.map(|item| item["step"].as_str().unwrap().to_owned()).collect()
}

#[apply(on_both_engines!)]
async fn the_steps_tick_themselves(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let all = list(&mut desk).await["items"].as_array().unwrap().clone();
    let steps: Vec<_> = all.iter().map(|item| item["step"].as_str().unwrap()).collect();
    assert_eq!(steps, ["name", "artist", "release", "mail", "backup", "two_factor", "imprint"]);
    let before = done(&mut desk).await;
    for step in ["name", "artist", "release", "backup", "imprint"] {
        assert!(!before.contains(&step.to_owned()), "{step}: {before:?}");
    }

    let artist = server.artist("A", None).await;
    assert!(done(&mut desk).await.contains(&"artist".to_owned()));
    server.release(Release { title: "R", artist: Some(artist), ..Release::default() }).await;
    for (key, value) in [("label_name", "Mira"), ("imprint", "Berlin")] {
        let saved = desk.edit(&format!("/api/admin/content/{key}"), 1, json!({"value": value})).await;
        assert_eq!(saved.status, 200, "{saved:?}");
    }
    deadwax::checklist::first_steps::note_backup(&server.app.db, server.app.clock.now()).await;
    let after = done(&mut desk).await;
    for step in ["name", "artist", "release", "backup", "imprint"] {
        assert!(after.contains(&step.to_owned()), "{step}: {after:?}");
    }
}

#[apply(on_both_engines!)]
async fn texts_count_as_delivered_until_they_are_edited(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let delivered = json!({"unchanged": 14, "total": 14, "first": "hero_main_title"});
    assert_eq!(list(&mut desk).await["texts"], delivered);
    desk.edit("/api/admin/content/hero_main_title", 1, json!({"value": "Mira"})).await;
    desk.edit("/api/admin/content/hero_description", 1, json!({"value": " "})).await;
    let edited = json!({"unchanged": 13, "total": 14, "first": "hero_subtitle"});
    assert_eq!(list(&mut desk).await["texts"], edited, "a blank text shows the built-in one");
    server.sql("UPDATE site_content SET value = 'own'").await;
    assert_eq!(list(&mut desk).await["texts"], json!({"unchanged": 0, "total": 14, "first": null}));
}

#[apply(on_both_engines!)]
async fn a_closed_list_stays_closed_for_all_admins(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for _ in 0..2 {
        let closed = desk.delete(PATH).await;
        assert_eq!(closed.status, 204, "{closed:?}");
        assert_eq!(list(&mut desk).await["items"], json!([]));
    }
    deadwax::checklist::first_steps::note_backup(&server.app.db, server.app.clock.now()).await;
    let mut other = server.signed_in(&server.admin("second").await).await;
    assert_eq!(list(&mut other).await["items"], json!([]));
    assert_eq!(server.count("first_steps").await, 1);
    assert_eq!(server.count("audit_log WHERE target = 'first_steps'").await, 2);
}
