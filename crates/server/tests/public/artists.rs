use macro_rules_attribute::apply;
use reqwest::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer},
};

fn names(page: &Value) -> Vec<String> {
    page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|artist| artist["name"].as_str().unwrap().to_owned())
        .collect()
}

#[apply(on_both_engines!)]
async fn artists_are_alphabetical_whatever_their_case_and_accents(engine: Engine) {
    let server = TestServer::start(engine).await;
    for name in ["zoe", "Beta", "alva", "Ärzte im Exil", "9 Volt"] {
        server.artist(name, None).await;
    }
    assert_eq!(
        names(&server.get("/api/artists").await.json()),
        ["9 Volt", "alva", "Ärzte im Exil", "Beta", "zoe"]
    );
}

#[apply(on_both_engines!)]
async fn pages_of_artists_join_without_gap_or_repetition(engine: Engine) {
    let server = TestServer::start(engine).await;
    for name in ["same", "Same", "other", "SAME", "more"] {
        server.artist(name, None).await;
    }
    let mut joined = Vec::new();
    let mut path = "/api/artists?limit=2".to_owned();
    loop {
        let page = server.get(&path).await.json();
        joined.extend(names(&page));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/api/artists?limit=2&cursor={cursor}");
    }
    assert_eq!(joined, ["more", "other", "same", "Same", "SAME"]);
}

#[apply(on_both_engines!)]
async fn an_artist_carries_the_number_of_releases_in_words(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    let path = format!("/api/artists/{artist}");
    for (count, label) in [(0, "0 RELEASES"), (1, "1 RELEASE"), (2, "2 RELEASES")] {
        let answer = server.get(&path).await.json();
        assert_eq!(answer["release_count"], count);
        assert_eq!(answer["release_count_label"], label);
        server.release(Release { title: "x", artist: Some(artist), ..Release::default() }).await;
    }
}

#[apply(on_both_engines!)]
async fn a_missing_bio_shows_the_default_one_in_lists_only(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.artist("A", None).await;
    server.artist("B", Some("  ")).await;
    server.artist("C", Some("Plays loud.")).await;
    let page = server.get("/api/artists").await.json();
    for (index, (bio, label)) in [
        (Value::Null, "Digital artist in the 404 collective"),
        (Value::Null, "Digital artist in the 404 collective"),
        (Value::from("Plays loud."), "Plays loud."),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(page["items"][index]["bio"], bio);
        assert_eq!(page["items"][index]["bio_label"], label);
    }
}

#[apply(on_both_engines!)]
async fn the_default_bio_names_the_label(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    let own = format!("/api/artists/{artist}");
    assert_eq!(server.get(&own).await.json()["bio_label"], "Digital artist in the 404 collective");
    let mut desk = server.desk().await;
    let named = json!({"value": "Night Pressing"});
    assert_eq!(desk.edit("/api/admin/content/label_name", 1, named).await.status, 200);
    server.wait_for_changes().await;
    assert_eq!(server.get(&own).await.json()["bio_label"], "Artist on Night Pressing");
    let page = server.get("/api/artists").await.json();
    assert_eq!(page["items"][0]["bio_label"], "Artist on Night Pressing");
}

#[apply(on_both_engines!)]
async fn an_unknown_or_malformed_id_is_not_found(engine: Engine) {
    let server = TestServer::start(engine).await;
    let long = "a".repeat(10_000);
    for id in [&Uuid::now_v7().to_string(), "1%20OR%201=1", "%2e%2e", "%00", &long, "null"] {
        let answer = server.get(&format!("/api/artists/{id}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{id}");
        assert_eq!(answer.problem(), "not_found");
    }
}

#[apply(on_both_engines!)]
async fn links_beside_the_music_services_are_shown(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    server.sql(r#"UPDATE artists SET social_links = '{"website":"https://a.example/","twitter":"javascript:x","myspace":"kept"}'"#).await;
    server.wait_for_changes().await;
    let links = &server.get(&format!("/api/artists/{artist}")).await.json()["social_links"];
    assert_eq!(links, &json!({"website": "https://a.example/", "twitter": null}));
}

#[apply(on_both_engines!)]
async fn a_deleted_artist_leaves_the_releases(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    server.release(Release { title: "stays", artist: Some(artist), ..Release::default() }).await;
    server.sql("DELETE FROM artists").await;
    server.wait_for_changes().await;
    let release = &server.get("/api/releases").await.json()["items"][0];
    assert_eq!(release["title"], "stays");
    assert_eq!(release["artist"], Value::Null);
    assert_eq!(release["artist_id"], Value::Null);
}
