//! Deleted rows are hidden in the trash until they are restored unchanged or purged with their files.

mod site_images;

use std::time::Duration;

use deadwax::trash::moves;
use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer, files::picture, people::Browser},
};

const DAY: Duration = Duration::from_hours(24);

async fn trash(desk: &mut Browser, kind: &str) -> Value {
    let answer = desk.get(&format!("/api/admin/trash?kind={kind}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

async fn restore(desk: &mut Browser, kind: &str, id: &str) -> u16 {
    desk.send(Method::POST, &format!("/api/admin/trash/{kind}/{id}/restore"), None).await.status.as_u16()
}

async fn uploaded(server: &TestServer, desk: &Browser, path: &str, name: &str) -> Value {
    let answer =
        server.send_file(desk, (Method::POST, path), (name, &picture(ImageFormat::Png, 8, 8)), &[]).await;
    assert!(answer.status.is_success(), "{answer:?}");
    answer.json()
}

async fn sweep(server: &TestServer) -> usize {
    moves::sweep(&server.app.db, &server.app.origin, server.app.clock.now()).await
}

/// Creates an artist with a portrait, a release with a cover, and a product, and returns their dashboard addresses.
async fn label(server: &TestServer, desk: &mut Browser) -> [(&'static str, String, String); 3] {
    let portrait = uploaded(server, desk, "/api/admin/images?folder=artists", "me.png").await;
    let cover = uploaded(server, desk, "/api/admin/images?folder=releases", "cover.png").await;
    let artist = json!({"name": "Vesna", "image_url": portrait["url"]});
    let artist = desk.post("/api/admin/artists", artist).await.json();
    let release = json!({"title": "Quartz", "artist_id": artist["id"], "release_date": "2026-07-18",
        "cover_image_url": cover["url"], "catalog": "404-001"});
    let release = desk.post("/api/admin/releases", release).await.json();
    let product = json!({"title": "Shirt", "price": 20, "stock_quantity": 1});
    let product = desk.post("/api/admin/products", product).await.json();
    server.wait_for_changes().await;
    let id = |row: &Value| row["id"].as_str().unwrap().to_owned();
    [("artist", "artists", artist), ("release", "releases", release), ("product", "products", product)]
        .map(|(kind, list, row)| (kind, id(&row), format!("/api/admin/{list}")))
}

#[apply(on_both_engines!)]
async fn a_deleted_row_is_in_the_trash_alone_and_comes_back_as_it_was(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for (kind, id, list) in label(&server, &mut desk).await {
        let path = format!("{list}/{id}");
        let before = desk.get(&path).await.json();
        assert_eq!(desk.delete(&path).await.status, 204);
        assert_eq!(desk.delete(&path).await.status, 404, "{kind}: a second click finds nothing");
        assert_eq!(desk.get(&path).await.status, 404, "{kind}");
        assert_eq!(desk.get(&list).await.json()["total"], 0, "{kind}");
        let there = trash(&mut desk, kind).await;
        let name = before["name"].as_str().or(before["title"].as_str()).unwrap();
        assert_eq!((&there["total"], &there["items"][0]["name"]), (&json!(1), &json!(name)));
        assert_eq!(there["items"][0]["deleted_by"], "boss_404");
        assert_eq!(there["items"][0]["gone_at"], "2026-12-20T12:00:00Z");
        assert_eq!(desk.get("/api/admin/trash/counts").await.json()[kind], 1);
        let found = desk.get(&format!("/api/admin/trash?kind={kind}&q=zzz")).await.json();
        assert_eq!(found["total"], 0);

        assert_eq!(restore(&mut desk, kind, &id).await, 204);
        assert_eq!(restore(&mut desk, kind, &id).await, 404);
        assert_eq!(desk.get(&path).await.json(), before, "{kind}");
        assert_eq!(desk.get("/api/admin/trash/counts").await.json()[kind], 0);
    }
    assert_eq!(server.count("audit_log WHERE event = 'data_restore'").await, 3);
}

#[apply(on_both_engines!)]
async fn the_trash_is_searched_by_the_names_of_files_too(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Set_1-live", "nova@artist.example", 1).await.to_string();
    let accented = server.demo("ÄRGER", "nova@artist.example", 1).await.to_string();
    let hero = (Method::PUT, "/api/admin/site-images/hero_background");
    let png = picture(ImageFormat::Png, 64, 64);
    let image = server.send_file(&desk, hero, ("a.png", &png), &[]).await.json();
    for (kind, id, list) in [
        ("demo", demo.as_str(), "demos"),
        ("demo", &accented, "demos"),
        ("site_image", image["id"].as_str().unwrap(), "site-images"),
    ] {
        assert_eq!(desk.delete(&format!("/api/admin/{list}/{id}")).await.status, 204, "{kind}");
    }
    for (kind, q, total) in [
        ("demo", "set_1-LIVE.wav", 1),
        ("demo", "1-l", 1),
        ("demo", "setX1", 0),
        ("demo", "ärger.wav", 1),
        ("site_image", "hero_background", 1),
        ("site_image", "heroXbackground", 0),
    ] {
        let found = desk.get(&format!("/api/admin/trash?kind={kind}&q={q}")).await.json();
        assert_eq!(found["total"], total, "{kind} {q}");
    }
}

#[apply(on_both_engines!)]
async fn an_artist_in_the_trash_leaves_the_releases_and_finds_them_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let [(_, artist, artists), (_, release, releases), _] = label(&server, &mut desk).await;
    desk.delete(&format!("{artists}/{artist}")).await;
    server.wait_for_changes().await;
    let shown = server.get("/api/releases").await.json();
    assert!(shown["items"][0]["artist"].is_null() && shown["items"][0]["artist_id"].is_null(), "{shown}");
    // Saving the release while its artist is in the trash does not drop the artist.
    let body = json!({"title": "Quartz II", "release_date": "2026-07-18"});
    let edited = desk.edit(&format!("{releases}/{release}"), 1, body).await;
    assert_eq!((edited.status.as_u16(), &edited.json()["artist_id"]), (200, &Value::Null), "{edited:?}");
    assert_eq!(restore(&mut desk, "artist", &artist).await, 204);
    server.wait_for_changes().await;
    let shown = server.get("/api/releases").await.json();
    assert_eq!(
        (&shown["items"][0]["title"], &shown["items"][0]["artist"]["name"]),
        (&json!("Quartz II"), &json!("Vesna"))
    );
}

#[apply(on_both_engines!)]
async fn several_rows_go_at_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let (a, b) = (server.artist("Alva", None).await, server.artist("Brecht", None).await);
    let gone = "00000000-0000-7000-8000-000000000000";
    let answer = desk.post("/api/admin/trash", json!({"kind": "artist", "ids": [b, gone, a, a]})).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"ids": [a, b]})), "{answer:?}");
    assert_eq!(trash(&mut desk, "artist").await["total"], 2);
    for ids in [json!([]), json!(vec![gone; 101]), json!(["x"])] {
        let answer = desk.post("/api/admin/trash", json!({"kind": "artist", "ids": ids})).await;
        assert_eq!(answer.status, 422, "{answer:?}");
    }
    for path in ["/api/admin/trash", "/api/admin/trash?kind=person", "/api/admin/trash?kind=artist&cursor=x"]
    {
        assert_eq!(desk.get(path).await.status, 422, "{path}");
    }
    assert_eq!(restore(&mut desk, "person", gone).await, 404);
}

#[apply(on_both_engines!)]
async fn files_of_rows_are_public_while_visitors_see_one_that_shows_them(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let cover = uploaded(&server, &desk, "/api/admin/images?folder=releases", "cover.png").await;
    let files = [cover["url"].as_str().unwrap(), cover["small_url"].as_str().unwrap()];
    let statuses = async || {
        let mut found = Vec::new();
        for file in files {
            found.push(server.get(file).await.status.as_u16());
        }
        found
    };
    assert_eq!(statuses().await, [404, 404], "nobody shows it yet");
    for file in files {
        let answer = desk.get(file).await;
        assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, "no-store"), "{file}");
    }
    let member = server.person("member_404").await;
    assert_eq!(server.signed_in(&member).await.get(files[0]).await.status, 404);
    let media = desk.get("/api/admin/media").await.json();
    assert_eq!((&media["items"][0]["is_public"], &media["items"][0]["uses"]), (&json!(false), &json!([])));

    let full = format!("{}{}", server.base, files[0]);
    for url in [files[0], &full] {
        let release = json!({"title": "Quartz", "release_date": "2026-07-18", "cover_image_url": url});
        let release = desk.post("/api/admin/releases", release).await.json();
        assert_eq!(release["cover_image_url"], files[0]);
        assert_eq!(statuses().await, [200, 200], "{url}");
        assert_eq!(server.get(files[0]).await.header("cache-control"), "public, max-age=3600");
        let media = desk.get("/api/admin/media").await.json();
        assert_eq!(media["items"][0]["is_public"], true);
        let shown = json!([{"kind": "release", "id": release["id"], "name": "Quartz"}]);
        assert_eq!(media["items"][0]["uses"], shown);
        let path = format!("/api/admin/releases/{}", release["id"].as_str().unwrap());
        assert_eq!(desk.delete(&path).await.status, 204);
        assert_eq!(statuses().await, [404, 404], "{url}");
    }
    assert_eq!(server.findings().await, [""; 0]);
}

/// Releases are locked in one order, whether by themselves or through their artists.
#[apply(on_both_engines!)]
async fn artists_and_their_releases_are_deleted_at_once_without_deadlock(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let mut artists = Vec::new();
    for number in 0..12 {
        artists.push(server.artist(&format!("Artist {number}"), None).await);
    }
    // The first artist has the last releases.
    let mut releases = Vec::new();
    for artist in artists.iter().rev() {
        for title in ["A", "B"] {
            releases
                .push(server.release(Release { title, artist: Some(*artist), ..Release::default() }).await);
        }
    }
    let send = async |path: &str, kind: &str, ids: &[uuid::Uuid]| {
        let answer = desk.clone().post(path, json!({"kind": kind, "ids": ids})).await;
        assert_eq!(answer.status, 200, "{kind}: {answer:?}");
    };
    for _ in 0..8 {
        for path in ["/api/admin/trash", "/api/admin/trash/restore"] {
            tokio::join!(send(path, "artist", &artists), send(path, "release", &releases));
        }
    }
}

#[apply(on_both_engines!)]
async fn what_goes_for_good_takes_its_files_along(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let rows = label(&server, &mut desk).await;
    let media = uploaded(&server, &desk, "/api/admin/media", "a.png").await;
    let media = media["id"].as_str().unwrap().to_owned();
    let purge = async |desk: &mut Browser, kind: &str, id: &str| {
        desk.delete(&format!("/api/admin/trash/{kind}/{id}")).await.status.as_u16()
    };
    assert_eq!(purge(&mut desk, "media", &media).await, 404, "only what is in the trash");
    for (kind, id, list) in &rows {
        assert_eq!(desk.delete(&format!("{list}/{id}")).await.status, 204);
        assert_eq!(purge(&mut desk, kind, id).await, 204);
        assert_eq!(purge(&mut desk, kind, id).await, 404);
        assert_eq!(restore(&mut desk, kind, id).await, 404);
    }
    assert_eq!(desk.delete(&format!("/api/admin/media/{media}")).await.status, 204);
    assert_eq!(purge(&mut desk, "media", &media).await, 204);
    // The home page fell back to its default background when its file was deleted.
    assert_eq!(server.count("objects WHERE key NOT LIKE 'assets/%'").await, 0);
    assert_eq!(server.count("media_files").await, 0);
    for table in ["artists", "releases", "store_products"] {
        assert_eq!(server.count(table).await, 0, "{table}");
    }
    assert_eq!(server.count("audit_log WHERE event = 'data_purge'").await, 4);
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
    for folder in ["artists", "releases", "uploads"] {
        assert!(server.stored(folder).is_empty(), "{folder}");
    }
}

#[apply(on_both_engines!)]
async fn after_thirty_days_it_goes_by_itself(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let rows = label(&server, &mut desk).await;
    for (_, id, list) in &rows {
        assert_eq!(desk.delete(&format!("{list}/{id}")).await.status, 204);
    }
    server.advance(DAY * 30 - Duration::from_secs(1));
    let mut desk = server.signed_in(&server.admin("boss_405").await).await;
    assert_eq!(sweep(&server).await, 0);
    assert_eq!(trash(&mut desk, "artist").await["total"], 1);
    server.advance(Duration::from_secs(1));
    assert_eq!(trash(&mut desk, "artist").await["total"], 0, "nobody restores what is about to go");
    assert_eq!(restore(&mut desk, "artist", &rows[0].1).await, 404);
    assert_eq!(sweep(&server).await, 3);
    assert_eq!(sweep(&server).await, 0);
    assert_eq!(server.count("objects").await, 0);
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
    assert!(server.stored("releases").is_empty());
}

#[apply(on_both_engines!)]
async fn a_row_that_cannot_go_keeps_no_other_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for (list, body) in [
        ("artists", json!({"name": "Stuck"})),
        ("artists", json!({"name": "Vesna"})),
        ("products", json!({"title": "Shirt", "price": 20, "stock_quantity": 1})),
    ] {
        let row = desk.post(&format!("/api/admin/{list}"), body).await.json();
        assert_eq!(
            desk.delete(&format!("/api/admin/{list}/{}", row["id"].as_str().unwrap())).await.status,
            204
        );
        server.advance(Duration::from_secs(1));
    }
    server.refuse("DELETE", "artists", "OLD.name = 'Stuck'").await;
    server.advance(31 * DAY);
    assert_eq!(sweep(&server).await, 2);
    assert_eq!((server.count("artists").await, server.count("store_products").await), (1, 0));
    assert_eq!(sweep(&server).await, 0);
}

#[apply(on_both_engines!)]
async fn a_file_that_cannot_go_keeps_no_other_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.refuse("UPDATE", "deletions", "OLD.key = 'artists/a-stuck.png'").await;
    for key in ["artists/a-stuck.png", "artists/b.png"] {
        server
            .sql(&format!("INSERT INTO deletions (key, created_at, next_try_at) VALUES ('{key}', 1, 1)"))
            .await;
    }
    server.app.deletions.remove_due().await.unwrap();
    let other = "deletions WHERE key = 'artists/b.png'";
    server.wait_until("the other file is gone", async || server.count(other).await == 0).await;
    assert_eq!(server.count("deletions").await, 1);
}

#[apply(on_both_engines!)]
async fn the_rights_of_a_batch_are_read_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut ids = Vec::new();
    for number in 0..20 {
        let row = desk.post("/api/admin/artists", json!({"name": format!("Artist {number}")})).await.json();
        ids.push(row["id"].clone());
    }
    let body = json!({"kind": "artist", "ids": ids});
    for path in ["/api/admin/trash", "/api/admin/trash/restore"] {
        let (log, _guard) = crate::support::log::logged("debug");
        let moved = desk.post(path, body.clone()).await;
        assert_eq!(moved.json()["ids"].as_array().unwrap().len(), 20, "{moved:?}");
        assert_eq!(log.queries("::FIND_AGAIN").len(), 1, "{path}");
    }
    assert_eq!(server.count("audit_log WHERE event = 'data_restore'").await, 20);
}
