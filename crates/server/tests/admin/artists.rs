use macro_rules_attribute::apply;
use serde_json::json;
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer, people::Browser},
};

#[apply(on_both_engines!)]
async fn an_artist_is_added_changed_and_removed_and_visitors_see_each_step(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let added = desk
        .post("/api/admin/artists", json!({"name": " Rhythm & Sound ", "bio": "Dub.", "website": "https://rs.example", "featured": true}))
        .await;
    assert_eq!(added.status, 201, "{added:?}");
    let artist = added.json();
    assert_eq!(
        (artist["name"].as_str(), artist["featured"].as_bool(), artist["version"].as_i64()),
        (Some("Rhythm & Sound"), Some(true), Some(1))
    );
    assert_eq!(artist["social_links"], json!({"website": "https://rs.example", "twitter": null}));
    let id = artist["id"].as_str().unwrap().to_owned();
    server.wait_for_changes().await;
    assert_eq!(server.get(&format!("/api/artists/{id}")).await.json()["bio"], "Dub.");

    let path = format!("/api/admin/artists/{id}");
    let changed = desk.edit(&path, 1, json!({"name": "D'Angelo 🎛"})).await;
    assert_eq!((changed.status.as_u16(), changed.json()["version"].as_i64()), (200, Some(2)), "{changed:?}");
    assert_eq!(changed.json()["bio"], json!(null), "an edit replaces the whole form");
    server.wait_for_changes().await;
    let public = server.get(&format!("/api/artists/{id}")).await.json();
    assert_eq!((public["name"].as_str(), public["bio"].is_null()), (Some("D'Angelo 🎛"), true));

    assert_eq!(desk.delete(&path).await.status, 204);
    assert_eq!(desk.delete(&path).await.status, 404, "a second click finds nothing");
    server.wait_for_changes().await;
    assert_eq!(server.get(&format!("/api/artists/{id}")).await.status, 404);
    let noted = server.count("audit_log WHERE target LIKE 'artist:%' AND role = 'admin'").await;
    assert_eq!(noted, 3);
}

#[apply(on_both_engines!)]
async fn addresses_that_run_something_are_emptied(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let body = json!({
        "name": "<b>Bold</b> name", "spotify_url": "javascript:alert(1)", "youtube_url": "JaVa\tscript:x",
        "soundcloud_url": "data:text/html,x", "instagram_url": "ftp://x.example", "twitter": "file:///etc/passwd",
        "image_url": "/media/artists/artist-1.png",
    });
    let answer = desk.post("/api/admin/artists", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let artist = answer.json();
    assert_eq!(
        (artist["name"].as_str(), artist["image_url"].as_str()),
        (Some("Bold name"), Some("/media/artists/artist-1.png"))
    );
    for field in ["spotify_url", "youtube_url", "soundcloud_url", "instagram_url"] {
        assert!(artist[field].as_str().unwrap_or_default().is_empty(), "{field}: {artist}");
    }
    assert!(artist["social_links"]["twitter"].is_null());
}

#[apply(on_both_engines!)]
async fn links_that_the_form_does_not_know_survive_an_edit(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let id = server.artist("Mira", None).await;
    server.sql(r#"UPDATE artists SET social_links = '{"mastodon":"https://m.example/@mira","website":"https://old.example"}'"#).await;
    let answer = desk
        .edit(&format!("/api/admin/artists/{id}"), 1, json!({"name": "Mira", "twitter": "https://t.example"}))
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let kept = server
        .count(r#"artists WHERE social_links = '{"mastodon":"https://m.example/@mira","twitter":"https://t.example"}'"#)
        .await;
    assert_eq!(kept, 1);
}

#[apply(on_both_engines!)]
async fn releases_of_a_removed_artist_stay_without_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let id = server.artist("Mira", None).await;
    server.release(Release { title: "Locked Groove", artist: Some(id), ..Release::default() }).await;
    assert_eq!(desk.delete(&format!("/api/admin/artists/{id}")).await.status, 204);
    server.wait_for_changes().await;
    let releases = server.get("/api/releases").await.json();
    assert_eq!(releases["items"][0]["title"], "Locked Groove");
    assert!(releases["items"][0]["artist"].is_null() && releases["items"][0]["artist_id"].is_null());
}

#[apply(on_both_engines!)]
async fn the_list_is_searched_paged_and_counted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for name in ["Ärzte im Exil", "alva", "50% Off", "Alvarium"] {
        server.advance(std::time::Duration::from_secs(1));
        assert_eq!(desk.post("/api/admin/artists", json!({"name": name})).await.status, 201);
    }
    let names = |answer: crate::support::Answer| {
        let page = answer.json();
        let names: Vec<String> = page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["name"].as_str().unwrap().to_owned())
            .collect();
        (names, page["total"].as_i64().unwrap(), page["next_cursor"].as_str().map(str::to_owned))
    };
    let (first, total, cursor) = names(desk.get("/api/admin/artists?limit=3").await);
    assert_eq!((first, total), (vec!["Alvarium".into(), "50% Off".into(), "alva".into()], 4));
    let (rest, _, none) =
        names(desk.get(&format!("/api/admin/artists?limit=3&cursor={}", cursor.unwrap())).await);
    assert_eq!((rest, none), (vec!["Ärzte im Exil".to_owned()], None));
    assert_eq!(names(desk.get("/api/admin/artists?q=ALV").await).0, ["Alvarium", "alva"]);
    assert_eq!(names(desk.get("/api/admin/artists?q=arzte").await).1, 1);
    assert_eq!(names(desk.get("/api/admin/artists?q=%25").await).0, ["50% Off"], "a sign is not a wildcard");
    assert_eq!(desk.get("/api/admin/artists?cursor=x").await.status, 422);
    assert_eq!(desk.get(&format!("/api/admin/artists?q={}", "x".repeat(201))).await.status, 422);
    assert_eq!(desk.get(&format!("/api/admin/artists/{}", Uuid::nil())).await.status, 404);
}

#[apply(on_both_engines!)]
async fn choices_are_alphabetical(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for name in ["Zoe", "Ärzte", "alva"] {
        server.artist(name, None).await;
    }
    let page = desk.get("/api/admin/artist-choices?limit=2").await.json();
    assert_eq!(
        (page["items"][0]["name"].as_str(), page["items"][1]["name"].as_str()),
        (Some("alva"), Some("Ärzte"))
    );
    let next = format!("/api/admin/artist-choices?limit=2&cursor={}", page["next_cursor"].as_str().unwrap());
    assert_eq!(desk.get(&next).await.json()["items"][0]["name"], "Zoe");
    let found = async |desk: &mut Browser, q: &str| {
        let page = desk.get(&format!("/api/admin/artist-choices?q={q}")).await.json();
        page["items"].as_array().unwrap().iter().map(|item| item["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(found(&mut desk, "arz").await, ["Ärzte"]);
    for name in ["!!!", "D!!"] {
        server.artist(name, None).await;
    }
    assert_eq!(found(&mut desk, "!!").await, ["D!!", "!!!"], "signs alone are found as typed");
}

#[apply(on_both_engines!)]
async fn a_picture_deleted_before_saving_is_not_saved(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let file = crate::support::files::picture(image::ImageFormat::Png, 8, 8);
    let sent =
        server.send_file(&desk, (reqwest::Method::POST, "/api/admin/media"), ("a.png", &file), &[]).await;
    let (url, id) = (sent.json()["url"].clone(), sent.json()["id"].as_str().unwrap().to_owned());
    let forms = [
        ("artists", "image_url", json!({"name": "Nova"})),
        ("releases", "cover_image_url", json!({"title": "One", "release_date": "2026-07-18"})),
        ("products", "image_url", json!({"title": "Vinyl", "price": 1, "stock_quantity": 1})),
    ];
    let mut rows = Vec::new();
    for (kind, _, form) in &forms {
        rows.push(desk.post(&format!("/api/admin/{kind}"), form.clone()).await.json());
    }
    assert_eq!(desk.delete(&format!("/api/admin/media/{id}")).await.status, 204);
    for ((kind, field, form), row) in forms.into_iter().zip(rows) {
        let mut form = form;
        form[field] = url.clone();
        let path = format!("/api/admin/{kind}/{}", row["id"].as_str().unwrap());
        for refused in [
            desk.post(&format!("/api/admin/{kind}"), form.clone()).await,
            desk.edit(&path, row["version"].as_i64().unwrap(), form.clone()).await,
        ] {
            assert_eq!(
                (refused.status.as_u16(), refused.problem().as_str()),
                (422, "picture_gone"),
                "{kind}"
            );
            assert!(!refused.json()["fields"][field].is_null(), "{refused:?}");
        }
    }
}
