//! Every field of a form is restored by a version, by an exported table, and by undoing an import.

use macro_rules_attribute::apply;
use reqwest::Method;
use rules::{artist::ArtistForm, fields_of, product::ProductRequest, release::ReleaseForm};
use serde_json::{Map, Value, json};

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

/// Fields that decide when a release becomes public, and are not part of its content.
const STATE: [&str; 2] = ["publish", "goes_out_at"];

fn content_of(form: &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    form.iter().copied().filter(|field| !STATE.contains(field))
}

/// A form with every field filled.
fn full(form: &'static [&'static str], artist: &str) -> Map<String, Value> {
    content_of(form).map(|field| (field.to_owned(), value_of(field, artist))).collect()
}

fn value_of(field: &str, artist: &str) -> Value {
    match field {
        "name" | "title" => json!("Signal"),
        "artist_id" => json!(artist),
        "bio" | "description" => json!("Two\nlines"),
        "catalog" => json!("404-001"),
        "release_date" => json!("2019-03-12"),
        "image_url" | "cover_image_url" => json!("https://pictures.example/a.jpg"),
        "spotify_url" => json!("https://open.spotify.com/album/1"),
        "soundcloud_url" => json!("https://soundcloud.com/a"),
        "apple_music_url" => json!("https://music.apple.com/album/1"),
        "youtube_url" => json!("https://www.youtube.com/watch?v=1"),
        "instagram_url" => json!("https://www.instagram.com/a"),
        "bandcamp_url" => json!("https://a.bandcamp.com/album/b"),
        "website" => json!("https://a.example/"),
        "twitter" => json!("https://twitter.com/a"),
        "format" | "category" => json!("12\" vinyl"),
        "featured" => json!(true),
        "active" => json!(false),
        "price" => json!(24.9),
        "stock_quantity" => json!(7),
        "tracks" => json!([full(fields_of::<rules::release_details::Track>(), "")]),
        "credits" => json!([full(fields_of::<rules::release_details::Credit>(), "")]),
        "artist" => json!("Mira Holm"),
        "position" => json!("A1"),
        "duration_seconds" => json!(372),
        "role" => json!("Mastering"),
        new => panic!("give {new} a value here"),
    }
}

/// The fields of a row in an admin's answer.
fn shown(row: &Value, form: &'static [&'static str]) -> Map<String, Value> {
    let find = |field| row.get(field).unwrap_or(&row["social_links"][field]).clone();
    content_of(form).map(|field| (field.to_owned(), find(field))).collect()
}

async fn row(desk: &mut Browser, path: &str) -> Value {
    desk.get(path).await.json()
}

#[apply(on_both_engines!)]
async fn a_version_brings_every_field_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = server.artist("Mira Holm", None).await.to_string();
    for (kind, list, form, blank) in [
        ("artist", "artists", fields_of::<ArtistForm>(), json!({"name": "Blank"})),
        (
            "release",
            "releases",
            fields_of::<ReleaseForm>(),
            json!({"title": "Blank", "release_date": "2020-01-01"}),
        ),
        (
            "product",
            "products",
            fields_of::<ProductRequest>(),
            json!({"title": "Blank", "price": 0, "stock_quantity": 0}),
        ),
    ] {
        let added = desk.post(&format!("/api/admin/{list}"), json!(full(form, &artist))).await;
        assert_eq!(added.status, 201, "{added:?}");
        let added = added.json();
        let path = format!("/api/admin/{list}/{}", added["id"].as_str().unwrap());
        let versions = path.replace(list, &format!("versions/{kind}"));
        assert!(shown(&added, form).values().all(|value| !value.is_null()), "{kind}: {added}");
        let kept = row(&mut desk, &versions).await["items"][0]["fields"].clone();
        assert_eq!(kept.as_object().unwrap(), &shown(&added, form), "{kind}");

        assert_eq!(desk.edit(&path, 1, blank).await.status, 200);
        desk.headers = vec![("if-match".to_owned(), "\"2\"".to_owned())];
        let restored = desk.send(Method::POST, &format!("{versions}/1/restore"), None).await;
        desk.headers.clear();
        assert_eq!(restored.json(), json!({"version": 3, "missing": []}), "{kind}");
        assert_eq!(shown(&row(&mut desk, &path).await, form), shown(&added, form), "{kind}");
    }
}

#[apply(on_both_engines!)]
async fn a_field_that_is_younger_than_a_version_stays_and_one_that_is_gone_is_ignored(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = desk.post("/api/admin/artists", json!({"name": "Alva"})).await.json();
    let path = format!("/api/admin/artists/{}", artist["id"].as_str().unwrap());
    server.sql("UPDATE versions SET fields = '{\"name\":\"Alva\",\"myspace_url\":\"x\"}'").await;
    let edit = json!({"name": "Alva II", "website": "https://alva.example/"});
    assert_eq!(desk.edit(&path, 1, edit).await.status, 200);
    desk.headers = vec![("if-match".to_owned(), "\"2\"".to_owned())];
    let restore = path.replace("artists", "versions/artist") + "/1/restore";
    assert_eq!(desk.send(Method::POST, &restore, None).await.status, 200);
    desk.headers.clear();
    let now = row(&mut desk, &path).await;
    assert_eq!(
        (&now["name"], &now["social_links"]["website"]),
        (&json!("Alva"), &json!("https://alva.example/"))
    );
}

#[apply(on_both_engines!)]
async fn a_table_and_an_undone_import_bring_every_field_back(engine: Engine) {
    let (form, server) = (fields_of::<ReleaseForm>(), TestServer::start(engine).await);
    let mut desk = server.desk().await;
    let artist = server.artist("Mira Holm", None).await.to_string();
    let added = desk.post("/api/admin/releases", json!(full(form, &artist))).await.json();
    let path = format!("/api/admin/releases/{}", added["id"].as_str().unwrap());
    let table = desk.get("/api/admin/exports/releases.csv").await.text();
    let send = async |server: &TestServer, desk: &Browser, table: &str| {
        let to = (Method::POST, "/api/admin/imports");
        let sent = server.send_file(desk, to, ("a.csv", table.as_bytes()), &[]).await;
        assert_eq!(sent.status, 201, "{sent:?}");
        sent.json()["id"].as_str().unwrap().to_owned()
    };

    let other = TestServer::start(engine).await;
    let mut there = other.desk().await;
    send(&other, &there, &table).await;
    let but_artist = |row: &Value| {
        let mut fields = shown(row, form);
        fields.remove("artist_id");
        (fields, row["artist"]["name"].clone())
    };
    assert_eq!(but_artist(&row(&mut there, &path).await), but_artist(&added));

    // A row that clears all fields except those a release requires.
    let header = table.trim_start_matches('\u{feff}').lines().next().unwrap();
    let cells = header.split(',').map(|column| match column {
        "id" => added["id"].as_str().unwrap(),
        "title" => "Blank",
        "release_date" => "2020-01-01",
        _ => "",
    });
    let blank = format!("{header}\n{}\n", cells.collect::<Vec<_>>().join(","));
    let import = send(&server, &desk, &blank).await;
    let emptied = shown(&row(&mut desk, &path).await, form);
    for field in content_of(form) {
        assert_ne!(emptied[field], added[field], "{field}");
    }
    let undone = desk.post(&format!("/api/admin/imports/{import}/undo"), json!({})).await;
    assert_eq!(undone.status, 200, "{undone:?}");
    assert_eq!(shown(&row(&mut desk, &path).await, form), shown(&added, form));

    let artists = desk.get("/api/admin/exports/artists.csv").await.text();
    let columns: Vec<_> = artists.trim_start_matches('\u{feff}').lines().next().unwrap().split(',').collect();
    let fields: Vec<_> = std::iter::once("id").chain(fields_of::<ArtistForm>().iter().copied()).collect();
    assert_eq!(columns, fields);
}
