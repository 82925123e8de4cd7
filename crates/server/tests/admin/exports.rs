use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

/// The cells of a table, header first.
fn cells(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[apply(on_both_engines!)]
async fn releases_are_a_table_that_no_spreadsheet_runs(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = server.artist("Mira, \"Holm\"", None).await;
    let added = desk
        .post(
            "/api/admin/releases",
            json!({"title": "=HYPERLINK(\"https://a.example\")", "artist_id": artist, "catalog": "404-001",
                "release_date": "2026-07-18", "description": "Two\nlines", "featured": true}),
        )
        .await
        .json();
    let answer = desk.get("/api/admin/exports/releases.csv").await;
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8; header=present");
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"releases-2026-11-20.csv\"");
    assert_eq!(answer.header("cache-control"), "no-store");
    let text = answer.text();
    assert!(text.starts_with("\u{feff}id,state,"), "{text}");
    let rows = cells(text.trim_start_matches('\u{feff}'));
    let of = |name: &str| {
        let column = rows[0].iter().position(|header| header == name).unwrap();
        rows[1][column].as_str()
    };
    assert_eq!(rows.len(), 2);
    assert_eq!((of("id"), of("state")), (added["id"].as_str().unwrap(), "out"));
    assert_eq!((of("title"), of("artist")), ("'=HYPERLINK(\"https://a.example\")", "Mira, \"Holm\""));
    assert_eq!((of("description"), of("featured")), ("Two\nlines", "true"));
    assert_eq!(
        server.count("audit_log WHERE event = 'sensitive_read' AND target = 'export:releases'").await,
        1
    );
}

#[apply(on_both_engines!)]
async fn artists_are_a_table(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for name in ["+49", "Mira Holm"] {
        let body = json!({"name": name, "website": "https://mira.example"});
        assert_eq!(desk.post("/api/admin/artists", body).await.status, 201);
    }
    let rows = cells(desk.get("/api/admin/exports/artists.csv").await.text().trim_start_matches('\u{feff}'));
    assert_eq!((rows.len(), &rows[1][1], &rows[2][1]), (3, &"'+49".to_owned(), &"Mira Holm".to_owned()));
    assert!(rows[2].contains(&"https://mira.example".to_owned()), "{rows:?}");
}

#[apply(on_both_engines!)]
async fn a_long_table_is_whole(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    server.insert_releases(1203, None).await;
    server.sql("UPDATE releases SET deleted_at = 1 WHERE title = 'Release 000007'").await;
    let rows = cells(desk.get("/api/admin/exports/releases.csv").await.text().trim_start_matches('\u{feff}'));
    assert_eq!(rows.len(), 1203, "a header, and all but the one in the trash");
    assert!(server.get("/api/admin/exports/releases.csv").await.status == 401);
}
