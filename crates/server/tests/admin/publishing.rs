//! When a release becomes public, at once or at a set time, and who sees it before.

use std::time::Duration;

use deadwax::catalogue::publication;
use futures_util::future::join_all;
use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, TestServer, files::picture, people::Browser},
};

const LIST: &str = "/api/admin/releases";

async fn let_out(server: &TestServer) -> usize {
    let out = publication::let_out(&server.app.db, server.app.clock.now()).await.unwrap();
    server.wait_for_changes().await;
    out
}

async fn shown(server: &TestServer) -> Value {
    server.wait_for_changes().await;
    server.get("/api/releases").await.json()["items"].clone()
}

async fn add(desk: &mut Browser, more: Value) -> Value {
    let mut row = json!({"title": "Quartz", "release_date": "2026-07-18", "catalog": "404-001"});
    row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = desk.post_another(LIST, row).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

fn path(row: &Value) -> String {
    format!("{LIST}/{}", row["id"].as_str().unwrap())
}

#[apply(on_both_engines!)]
async fn a_release_is_prepared_goes_out_when_it_is_due_and_is_taken_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let after = server.app.live.last();
    let tracks = json!([
        {"title": "Dead Air", "duration_seconds": 372},
        {"title": "Locked", "artist": "Kesto Vann", "duration_seconds": "1:00:03"},
        {"title": " "},
        {"title": "Untitled", "artist": "", "duration_seconds": null},
    ]);
    let credits = json!([{"role": "Mastering", "name": "Ana Vo"}]);
    let row = add(
        &mut desk,
        json!({"publish": "not_yet", "format": "12\" vinyl", "tracks": tracks, "credits": credits}),
    )
    .await;
    assert_eq!(
        (&row["state"], &row["slug"], &row["goes_out_at"]),
        (&json!("draft"), &Value::Null, &Value::Null)
    );
    let track = |title: &str, artist: Option<&str>, length: Option<(u32, &str)>| {
        json!({"position": null, "title": title, "artist": artist, "duration_seconds": length.map(|length| length.0),
            "duration_label": length.map(|length| length.1)})
    };
    let stored = json!([
        track("Dead Air", None, Some((372, "6:12"))),
        track("Locked", Some("Kesto Vann"), Some((3603, "1:00:03"))),
        track("Untitled", None, None),
    ]);
    assert_eq!((&row["tracks"], &row["credits"]), (&stored, &credits));
    assert_eq!(shown(&server).await, json!([]));

    let form = |more: Value| {
        let mut row =
            json!({"title": "Quartz", "release_date": "2026-07-18", "catalog": "404-001", "tracks": tracks});
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        row
    };
    let on_date = json!({"publish": "on_date", "goes_out_at": "2026-11-20T14:00:00+01:00"});
    let scheduled = desk.edit(&path(&row), 1, form(on_date)).await.json();
    assert_eq!(
        (&scheduled["state"], &scheduled["goes_out_at"]),
        (&json!("scheduled"), &json!("2026-11-20T13:00:00Z"))
    );
    // A form without `publish` leaves the state unchanged.
    let edited = desk.edit(&path(&row), 2, form(json!({"format": "7\" vinyl"}))).await.json();
    assert_eq!(
        (&edited["state"], &edited["goes_out_at"]),
        (&json!("scheduled"), &json!("2026-11-20T13:00:00Z"))
    );
    server.advance(Duration::from_secs(3_599));
    assert_eq!(let_out(&server).await, 0);
    assert_eq!(shown(&server).await, json!([]));
    server.advance(Duration::from_secs(1));
    assert_eq!((let_out(&server).await, let_out(&server).await), (1, 0));
    assert_eq!(shown(&server).await[0]["slug"], "404-001");
    assert_eq!(desk.get(&path(&row)).await.json()["state"], "out");
    // An admin with an older version cannot withdraw the release unknowingly.
    let overtaken = desk.edit(&path(&row), 3, form(json!({"publish": "not_yet"}))).await;
    assert_eq!(overtaken.status, 412, "{overtaken:?}");

    let version = desk.get(&path(&row)).await.json()["version"].as_i64().unwrap();
    let taken = desk.edit(&path(&row), version, form(json!({"publish": "not_yet"}))).await.json();
    assert_eq!((&taken["state"], &taken["slug"]), (&json!("draft"), &json!("404-001")));
    assert_eq!(shown(&server).await, json!([]));
    desk.edit(&path(&row), version + 1, form(json!({"publish": "now"}))).await;
    assert_eq!(shown(&server).await[0]["slug"], "404-001", "its address comes back with it");
    let events = format!("events WHERE id > {after} AND table_name = 'releases'");
    for (op, times) in [("insert", 2), ("delete", 1)] {
        assert_eq!(server.count(&format!("{events} AND op = '{op}'")).await, times, "{op}");
    }
}

#[apply(on_both_engines!)]
async fn a_date_in_the_past_is_now_and_one_that_is_none_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let row = add(&mut desk, json!({"publish": "on_date", "goes_out_at": "2026-11-20T12:00:00Z"})).await;
    assert_eq!((&row["state"], &row["slug"]), (&json!("out"), &json!("404-001")));
    let row = add(&mut desk, json!({"publish": "on_date", "goes_out_at": "1960-01-01T00:00:00Z"})).await;
    assert_eq!(row["state"], "out", "also before there was a clock");
    assert_eq!(add(&mut desk, json!({})).await["state"], "out", "as it always was");
    for (more, code) in [
        (json!({"publish": "on_date"}), "goes_out_invalid"),
        (json!({"publish": "on_date", "goes_out_at": "tomorrow"}), "goes_out_invalid"),
        (json!({"format": "x".repeat(101)}), "format_too_long"),
    ] {
        let mut row = json!({"title": "x", "release_date": "2026-01-01"});
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = desk.post(LIST, row).await;
        assert_eq!((answer.status.as_u16(), answer.problem()), (422, code.to_owned()), "{more}");
    }
    let answer =
        desk.post(LIST, json!({"title": "x", "release_date": "2026-01-01", "publish": "later"})).await;
    assert!(answer.status.is_client_error(), "{answer:?}");
    assert_eq!(server.count("releases").await, 3);
}

#[apply(on_both_engines!)]
async fn mistakes_in_tracks_and_credits_are_reported_at_their_rows(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let tracks = json!([{"title": "A"}, {"title": "", "artist": "B", "duration_seconds": "soon"}]);
    let answer = desk
        .post(
            LIST,
            json!({"title": "x", "release_date": "2026-01-01", "tracks": tracks, "credits": [{"role": "", "name": "C"}]}),
        )
        .await;
    assert_eq!(answer.status, 422, "{answer:?}");
    let fields = json!({
        "tracks[1].title": "Track title is required",
        "tracks[1].duration_seconds": "Please write the length as 6:12",
        "credits[0].role": "Role is required",
    });
    assert_eq!(answer.json()["fields"], fields, "{answer:?}");

    // A form at the rules' limits fits into a request in any script.
    let title = "\u{1f39b}".repeat(50);
    let tracks: Vec<_> =
        (0..200).map(|_| json!({"title": title, "artist": null, "duration_seconds": "59:59"})).collect();
    let row = add(&mut desk, json!({"tracks": tracks, "description": "\u{1f39b}".repeat(1000)})).await;
    assert_eq!(row["tracks"].as_array().unwrap().len(), 200);
    for (count, code) in [(201, "too_many_tracks"), (2000, "too_many_tracks")] {
        let tracks = vec![json!({"title": "A"}); count];
        let body = json!({"title": "x", "release_date": "2026-01-01", "tracks": tracks});
        assert_eq!(desk.post(LIST, body).await.problem(), code, "{count}");
    }
}

#[tokio::test]
async fn a_hundred_releases_go_out_once_each_from_two_instances() {
    let one = TestServer::start(Engine::Postgres).await;
    let other = TestServer::start_beside(&one).await;
    let mut desk = one.desk().await;
    for number in 0..100 {
        let title = format!("Release {number}");
        add(&mut desk, json!({"title": title, "publish": "on_date", "goes_out_at": "2026-11-20T12:00:01Z"}))
            .await;
    }
    let after = one.app.live.last();
    one.advance(Duration::from_secs(1));
    let now = one.app.clock.now();
    let both = [&one, &other, &one, &other];
    let begun = std::time::Instant::now();
    let out = join_all(both.map(|server| publication::let_out(&server.app.db, now))).await;
    let out: usize = out.into_iter().map(Result::unwrap).sum();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(out, 100);
    let events = format!("events WHERE id > {after} AND table_name = 'releases'");
    assert_eq!(
        (one.count(&events).await, one.count(&format!("{events} AND op = 'insert'")).await),
        (100, 100)
    );
    assert_eq!(one.count("slugs").await, 100);
    for server in [&one, &other] {
        server.wait_for_changes().await;
        let page = server.get("/api/releases?limit=100").await.json();
        assert_eq!(page["items"].as_array().unwrap().len(), 100);
    }
}

#[apply(on_both_engines!)]
async fn a_private_link_opens_the_sleeve_until_it_is_renewed_or_removed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let file = picture(ImageFormat::Png, 8, 8);
    let upload = (Method::POST, "/api/admin/images?folder=releases");
    let cover = server.send_file(&desk, upload.clone(), ("cover.png", &file), &[]).await.json();
    let other = server.send_file(&desk, upload, ("other.png", &file), &[]).await.json();
    let row = add(&mut desk, json!({"publish": "not_yet", "cover_image_url": cover["url"]})).await;
    assert_eq!(row["private_link"], Value::Null);
    let address = format!("{}/private-link", path(&row));
    let made = desk.send(Method::POST, &address, None).await;
    assert_eq!(made.status, 200, "{made:?}");
    let link = made.json()["private_link"].as_str().unwrap().to_owned();
    assert_eq!(desk.get(&path(&row)).await.json()["private_link"], link, "it can be copied again");

    let sleeve = cover["url"].as_str().unwrap();
    assert_eq!(server.get(sleeve).await.status, 404);
    let seen = server.get(&format!("{link}{sleeve}")).await;
    assert_eq!((seen.status.as_u16(), seen.header("cache-control")), (200, "no-store"), "{seen:?}");
    assert_eq!(seen.header("referrer-policy"), "no-referrer");
    assert_eq!(server.get(&format!("{link}{}", other["url"].as_str().unwrap())).await.status, 404);

    let renewed =
        desk.send(Method::POST, &address, None).await.json()["private_link"].as_str().unwrap().to_owned();
    assert_ne!(link, renewed);
    assert_eq!(server.get(&format!("{link}{sleeve}")).await.status, 404, "the old one is over");
    assert_eq!(server.get(&format!("{renewed}{sleeve}")).await.status, 200);
    assert_eq!(desk.delete(&address).await.status, 204);
    assert_eq!(desk.delete(&address).await.status, 404);
    assert_eq!(server.get(&format!("{renewed}{sleeve}")).await.status, 404);
    assert_eq!(desk.get(&path(&row)).await.json()["private_link"], Value::Null);
    for junk in ["x", "../../etc", &"A".repeat(43), &"A".repeat(4_000)] {
        let answer = server.get(&format!("/p/{junk}{sleeve}")).await;
        assert!(answer.status.is_client_error(), "{junk}: {answer:?}");
    }
}

#[apply(on_both_engines!)]
async fn a_sleeve_that_is_named_with_the_website_lies_below_the_link_too(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let file = picture(ImageFormat::Png, 8, 8);
    let upload = (Method::POST, "/api/admin/images?folder=releases");
    let cover = server.send_file(&desk, upload, ("cover.png", &file), &[]).await.json();
    let url = cover["url"].as_str().unwrap();
    let full = format!("{}{url}", server.app.origin);
    let row = add(&mut desk, json!({"publish": "not_yet", "cover_image_url": full})).await;
    let made = desk.send(Method::POST, &format!("{}/private-link", path(&row)), None).await.json();
    let link = made["private_link"].as_str().unwrap();
    let shown = server.get(&format!("/api/private/{}", link.trim_start_matches("/p/"))).await.json();
    assert_eq!(shown["cover_image_url"], format!("{link}{url}"), "{shown}");
    assert_eq!(server.get(&format!("{link}{url}")).await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_private_link_shows_the_release_until_it_is_out(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let file = picture(ImageFormat::Png, 8, 8);
    let upload = (Method::POST, "/api/admin/images?folder=releases");
    let cover = server.send_file(&desk, upload, ("cover.png", &file), &[]).await.json();
    let sleeve = cover["url"].as_str().unwrap();
    let row = add(
        &mut desk,
        json!({"publish": "not_yet", "cover_image_url": sleeve, "tracks": [{"title": "Cut", "duration_seconds": "3:01"}]}),
    )
    .await;
    let made = desk.send(Method::POST, &format!("{}/private-link", path(&row)), None).await.json();
    let link = made["private_link"].as_str().unwrap().to_owned();
    let api = link.replace("/p/", "/api/private/");

    let seen = server.get(&api).await;
    assert_eq!((seen.status.as_u16(), seen.header("cache-control")), (200, "no-store"), "{seen:?}");
    assert_eq!(seen.header("x-robots-tag"), "noindex");
    let seen = seen.json();
    assert_eq!((&seen["title"], &seen["tracks"][0]["title"]), (&row["title"], &json!("Cut")));
    assert_eq!(seen["cover_image_url"], format!("{link}{sleeve}"), "its pictures lie below the link");
    for (path, status) in [
        (format!("{link}{sleeve}"), 200),
        (format!("{link}/media/releases/none.png"), 404),
        (format!("{link}/nothing"), 404),
        ("/p/none".to_owned(), 404),
        ("/api/private/none".to_owned(), 404),
    ] {
        let answer = server.get(&path).await;
        assert_eq!((answer.status.as_u16(), answer.header("x-robots-tag")), (status, "noindex"), "{path}");
    }
    assert_eq!((&seen["older"], &seen["newer"]), (&Value::Null, &Value::Null));

    let page = server.get(&link).await;
    assert_eq!((page.status.as_u16(), page.header("cache-control")), (200, "no-store"), "{page:?}");
    assert_eq!((page.header("x-robots-tag"), page.header("referrer-policy")), ("noindex", "no-referrer"));
    assert!(!page.text().contains(row["title"].as_str().unwrap()), "the document tells nothing");

    let id = row["id"].as_str().unwrap();
    assert_eq!(desk.get(&format!("/p/{id}")).await.status, 200, "admins need no link");
    assert_eq!(desk.get(&format!("/api/private/{id}")).await.json()["cover_image_url"], sleeve);
    for other in [id, "x", &"A".repeat(43)] {
        assert_eq!(server.get(&format!("/p/{other}")).await.status, 404, "{other}");
        assert_eq!(server.get(&format!("/api/private/{other}")).await.status, 404, "{other}");
    }

    let out = json!({"title": row["title"], "release_date": row["release_date"], "publish": "now"});
    let out = desk.edit(&path(&row), 1, out).await.json();
    let slug = out["slug"].as_str().unwrap();
    let moved = server.get(&link).await;
    assert_eq!((moved.status.as_u16(), moved.header("location")), (308, &*format!("/releases/{slug}")));
    let moved = server.get(&api).await;
    assert_eq!((moved.status.as_u16(), moved.header("location")), (308, &*format!("/api/releases/{slug}")));
    assert_eq!(desk.delete(&path(&row)).await.status, 204);
    assert_eq!(
        (server.get(&link).await.status, server.get(&api).await.status),
        (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND)
    );
}

#[apply(on_both_engines!)]
async fn every_address_that_a_release_had_leads_to_the_present_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let row = add(&mut desk, json!({})).await;
    let names = ["404-001", "404-001r", "DW 7/2", "404-001 re"];
    let slugs = ["404-001", "404-001r", "dw-7-2", "404-001-re"];
    for (version, catalog) in (1..).zip(&names[1..]) {
        let form = json!({"title": "Quartz", "release_date": "2026-07-18", "catalog": catalog});
        assert_eq!(desk.edit(&path(&row), version, form).await.status, 200);
    }
    server.wait_for_changes().await;
    for former in &slugs[..3] {
        for kind in ["/releases", "/api/releases"] {
            let moved = server.get(&format!("{kind}/{former}?a=b")).await;
            assert_eq!(moved.status, StatusCode::PERMANENT_REDIRECT, "{kind}/{former}");
            assert!(moved.header("location").starts_with(&format!("{kind}/404-001-re")), "{moved:?}");
        }
    }
    assert_eq!(server.get("/releases/404-001-re").await.status, StatusCode::OK);
    // Another release's current address is not taken away, and a former address is not reassigned.
    let second = add(&mut desk, json!({"catalog": "404-001"})).await;
    assert_eq!(second["slug"], "404-001-2");
    // Setting the old number again restores its old address.
    let form = json!({"title": "Quartz", "release_date": "2026-07-18", "catalog": "404-001"});
    let back = desk.edit(&path(&row), 4, form).await.json();
    assert_eq!(back["slug"], "404-001");
    server.wait_for_changes().await;
    assert_eq!(server.get("/releases/404-001-re").await.header("location"), "/releases/404-001");
}

#[apply(on_both_engines!)]
async fn a_release_that_cannot_go_out_keeps_no_other_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for title in ["Stuck", "Signal"] {
        let goes_out = json!({"title": title, "publish": "on_date", "goes_out_at": "2026-11-20T12:00:01Z"});
        add(&mut desk, goes_out).await;
    }
    server.refuse("UPDATE", "releases", "OLD.title = 'Stuck'").await;
    server.advance(Duration::from_secs(1));
    assert_eq!(let_out(&server).await, 1);
    assert_eq!(shown(&server).await[0]["title"], "Signal");
}

#[apply(on_both_engines!)]
async fn a_release_whose_time_came_in_the_trash_comes_back_as_a_draft(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut ids = Vec::new();
    for at in ["2026-11-20T12:01:00Z", "2026-11-20T12:02:00Z", "2026-11-20T14:00:00Z"] {
        let row = add(&mut desk, json!({"publish": "on_date", "goes_out_at": at})).await;
        assert_eq!(desk.delete(&path(&row)).await.status, 204);
        ids.push(row["id"].as_str().unwrap().to_owned());
    }
    server.advance(Duration::from_hours(1));
    let several = json!({"kind": "release", "ids": [ids[0], ids[2]]});
    let restored = desk.post("/api/admin/trash/restore", several).await.json();
    let sorted = json!({"ids": [ids[0], ids[2]], "drafts": [ids[0]]});
    assert_eq!(restored, sorted);
    let one = format!("/api/admin/trash/release/{}/restore", ids[1]);
    let restored = desk.post(&one, json!({})).await;
    assert_eq!(
        (restored.status.as_u16(), restored.json()),
        (200, json!({"ids": [ids[1]], "drafts": [ids[1]]}))
    );
    assert_eq!(let_out(&server).await, 0);
    assert_eq!(shown(&server).await, json!([]));
    for (id, state, version) in [(&ids[0], "draft", 2), (&ids[1], "draft", 2), (&ids[2], "scheduled", 1)] {
        let row = desk.get(&format!("{LIST}/{id}")).await.json();
        assert_eq!((&row["state"], &row["version"]), (&json!(state), &json!(version)));
        assert_eq!(row["goes_out_at"].is_null(), state == "draft");
    }
}
