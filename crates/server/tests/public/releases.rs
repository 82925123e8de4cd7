use macro_rules_attribute::apply;
use reqwest::StatusCode;
use serde_json::Value;
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer},
};

fn titles(page: &Value) -> Vec<String> {
    page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|release| release["title"].as_str().unwrap().to_owned())
        .collect()
}

#[apply(on_both_engines!)]
async fn releases_come_newest_first_equal_dates_by_title_undated_last(engine: Engine) {
    let server = TestServer::start(engine).await;
    for (title, date) in [
        ("undated", None),
        ("zeta", Some("2024-01-02")),
        ("Älpha", Some("2024-01-02")),
        ("old", Some("1999-12-31")),
        ("new", Some("2026-01-01")),
    ] {
        server.release(Release { title, date, ..Release::default() }).await;
    }
    let page = server.get("/api/releases").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(titles(&page.json()), ["new", "Älpha", "zeta", "old", "undated"]);
    assert_eq!(page.json()["next_cursor"], Value::Null);
}

#[apply(on_both_engines!)]
async fn pages_join_without_gap_or_repetition(engine: Engine) {
    let server = TestServer::start(engine).await;
    for number in 0..23 {
        let date = format!("2024-01-{:02}", number / 4 + 1);
        let date = (number % 5 != 0).then_some(date.as_str());
        server.release(Release { title: &format!("same {}", number % 3), date, ..Release::default() }).await;
    }
    let all = server.get("/api/releases").await.json();
    let ids = |page: &Value| {
        page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let mut joined = Vec::new();
    let mut path = "/api/releases?limit=4".to_owned();
    loop {
        let page = server.get(&path).await.json();
        joined.extend(ids(&page));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/api/releases?limit=4&cursor={cursor}");
    }
    assert_eq!(joined.len(), 23);
    assert_eq!(joined, ids(&all));
}

#[apply(on_both_engines!)]
async fn a_release_carries_what_the_rules_derive(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("Kesto Vann", None).await;
    server
        .release(Release {
            title: "Dead Air",
            date: Some("2026-10-02"),
            description: Some("Four tracks.\nCATALOG: 404-019"),
            spotify: Some("https://open.spotify.com/intl-de/album/4aawyAB9vmqN3uQ7FjRGTy?si=x"),
            artist: Some(artist),
            ..Release::default()
        })
        .await;
    let release = &server.get("/api/releases").await.json()["items"][0];
    assert_eq!(release["date_label"], "2026.10.02");
    assert_eq!(release["catalog_label"], "404-019");
    assert_eq!(release["embed_url"], "https://open.spotify.com/embed/album/4aawyAB9vmqN3uQ7FjRGTy");
    assert_eq!(release["artist"], serde_json::json!({"id": artist, "name": "Kesto Vann"}));
    assert_eq!(release["artist_id"], artist.to_string());
}

#[apply(on_both_engines!)]
async fn a_release_without_anything_has_its_fallbacks(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.release(Release { title: "White label", ..Release::default() }).await;
    let release = &server.get("/api/releases").await.json()["items"][0];
    assert_eq!(release["date_label"], "No Date");
    assert_eq!(release["catalog_label"], "N/A");
    for field in [
        "artist",
        "artist_id",
        "embed_url",
        "cover_image_url",
        "image_small_url",
        "release_date",
        "catalog",
        "description",
    ] {
        assert_eq!(release[field], Value::Null, "{field}");
    }
}

#[apply(on_both_engines!)]
async fn releases_of_one_artist_only(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    let other = server.artist("B", None).await;
    for number in 0..5 {
        server
            .release(Release { title: &format!("a{number}"), artist: Some(artist), ..Release::default() })
            .await;
        server
            .release(Release { title: &format!("b{number}"), artist: Some(other), ..Release::default() })
            .await;
    }
    let first = server.get(&format!("/api/releases?artist_id={artist}&limit=3")).await.json();
    assert_eq!(titles(&first), ["a0", "a1", "a2"]);
    let cursor = first["next_cursor"].as_str().unwrap();
    let second =
        server.get(&format!("/api/releases?artist_id={artist}&limit=3&cursor={cursor}")).await.json();
    assert_eq!(titles(&second), ["a3", "a4"]);
    assert_eq!(
        titles(&server.get(&format!("/api/releases?artist_id={}", Uuid::now_v7())).await.json()),
        [""; 0]
    );
}

#[apply(on_both_engines!)]
async fn a_query_that_makes_no_sense_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let long = "A".repeat(10_000);
    for (query, code) in [
        ("limit=0", "invalid_limit"),
        ("limit=101", "invalid_limit"),
        ("limit=-1", "invalid_limit"),
        ("limit=x", "invalid_query"),
        ("sort=title", "invalid_query"),
        ("cursor=%00", "invalid_cursor"),
        (&format!("cursor={long}"), "invalid_cursor"),
        ("artist_id=1%20OR%201=1", "invalid_id"),
        ("artist_id=..", "invalid_id"),
    ] {
        let answer = server.get(&format!("/api/releases?{query}")).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        assert_eq!(answer.problem(), code, "{query}");
    }
}

#[apply(on_both_engines!)]
async fn an_edit_is_seen_by_the_next_request(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.release(Release { title: "before", ..Release::default() }).await;
    assert_eq!(titles(&server.get("/api/releases").await.json()), ["before"]);
    server.sql("UPDATE releases SET title = 'after'").await;
    server.wait_for_changes().await;
    assert_eq!(titles(&server.get("/api/releases").await.json()), ["after"]);
    server.sql("DELETE FROM releases").await;
    server.wait_for_changes().await;
    assert_eq!(titles(&server.get("/api/releases").await.json()), [""; 0]);
}

#[apply(on_both_engines!)]
async fn addresses_that_no_form_would_store_are_not_shown(engine: Engine) {
    let server = TestServer::start(engine).await;
    server
        .release(Release {
            title: "x",
            spotify: Some("javascript:alert(1)"),
            soundcloud: Some("https://open.spotify.com.evil.org/track/x"),
            ..Release::default()
        })
        .await;
    let release = &server.get("/api/releases").await.json()["items"][0];
    assert_eq!(release["spotify_url"], Value::Null);
    assert_eq!(release["soundcloud_url"], "https://open.spotify.com.evil.org/track/x");
    assert_eq!(release["embed_url"], Value::Null);
}
