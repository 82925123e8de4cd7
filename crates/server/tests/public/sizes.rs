//! Picture sizes: made once after the upload, and deleted with their picture.

mod work;

use std::{path::Path, time::Duration};

use bytes::Bytes;
use deadwax::{
    jobs,
    operation::backup::{self, Openings},
};
use deadwax_store::{
    clock::Clock,
    objects::{self, Fingerprint, NewObject},
    picture_sizes,
    spool::Spool,
    storage::Storage,
};
use image::{DynamicImage, GenericImageView as _, ImageFormat, Rgba, RgbaImage};
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::{
    on_both_engines,
    support::{Engine, NOON, Release, TestServer, bucket::bucket, files::picture, people::Browser},
};

impl TestServer {
    /// Makes all sizes that are due; returns the number of pictures.
    async fn make_sizes(&self) -> usize {
        jobs::do_due(&self.app.sizes, &CancellationToken::new()).await.unwrap()
    }
}

async fn upload(server: &TestServer, desk: &Browser, name: &str, bytes: &[u8]) -> Value {
    let path = (Method::POST, "/api/admin/media");
    let answer = server.send_file(desk, path, (name, bytes), &[]).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

/// The width and address of every file in a picture's sizes.
fn files(sizes: &Value) -> Vec<(u32, String)> {
    let text = |key: &str| sizes[key].as_str().unwrap().to_owned();
    let (base, fallback) = (text("base"), text("fallback"));
    let widths = sizes["widths"].as_array().unwrap();
    let widths = widths.iter().map(|width| u32::try_from(width.as_u64().unwrap()).unwrap());
    let both = |width| ["avif", &fallback].map(|kind| (width, format!("{base}-{width}.{kind}")));
    widths.flat_map(both).collect()
}

async fn on_either_storage(engine: Engine) -> [(TestServer, Option<TempDir>); 2] {
    let (folder, url) = bucket().await;
    let in_bucket = Storage::open(Some(&url), Path::new("/nowhere")).unwrap();
    let in_bucket = TestServer::start_with_storage(engine, in_bucket).await;
    [(TestServer::start(engine).await, None), (in_bucket, Some(folder))]
}

#[apply(on_both_engines!)]
async fn the_newest_picture_waits_for_no_older_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    for (age, key) in [(3, "old"), (1, "new"), (2, "older"), (1, "begun")] {
        let at = NOON - age;
        let tries = i32::from(key == "begun");
        server
            .sql(&format!(
                "INSERT INTO objects (key, content_type, size_bytes, sha256, created_at) VALUES ('{key}', 'image/png', 1, '', 0)"
            ))
            .await;
        server
            .sql(&format!(
                "INSERT INTO picture_sizes (key, state, tries, next_try_at, created_at) VALUES ('{key}', 'due', {tries}, 0, {at})"
            ))
            .await;
    }
    for expected in ["new", "older", "old", "begun"] {
        let leased = picture_sizes::lease(&server.app.db, NOON, NOON + 1_000_000).await.unwrap().unwrap();
        assert_eq!(leased.key, expected);
    }
}

#[apply(on_both_engines!)]
async fn sizes_follow_the_upload_and_go_with_the_picture(engine: Engine) {
    for (server, _folder) in on_either_storage(engine).await {
        let mut desk = server.desk().await;
        let row = upload(&server, &desk, "Cover.png", &picture(ImageFormat::Png, 700, 500)).await;
        assert_eq!(
            (&row["sizes"], server.count("picture_sizes WHERE state = 'due'").await),
            (&Value::Null, 1)
        );
        let url = row["url"].as_str().unwrap();
        server.release(Release { title: "A", ..Release::default() }).await;
        server.artist("B", None).await;
        server.hero(url).await;
        server.sql(&format!("UPDATE releases SET cover_image_url = '{url}'")).await;
        server.sql(&format!("UPDATE artists SET image_url = '{url}'")).await;
        server.wait_for_changes().await;
        let before = server.get("/api/releases").await.json();
        assert_eq!(before["items"][0]["image_sizes"], Value::Null);
        let events = server.count("events").await;

        assert_eq!(server.make_sizes().await, 1);
        assert_eq!(server.make_sizes().await, 0, "once is enough");
        assert!(server.count("events").await >= events + 4, "pages that show the picture read it again");
        assert_eq!(server.count("releases WHERE version > 1").await, 0, "nobody's edit is crossed");
        let sizes = server.get("/api/releases").await.json()["items"][0]["image_sizes"].clone();
        assert_eq!(
            (&sizes["widths"], &sizes["fallback"], &sizes["moving"]),
            (&json!([320, 640]), &json!("jpg"), &json!(false))
        );
        assert!(sizes["base"].as_str().unwrap().starts_with(url.strip_suffix(".png").unwrap()));
        for (path, field) in [("/api/artists", "image_sizes"), ("/api/site-images", "image_sizes")] {
            assert_eq!(server.get(path).await.json()["items"][0][field], sizes, "{path}");
        }
        for (path, field) in [
            ("/api/admin/media", "sizes"),
            ("/api/admin/releases", "image_sizes"),
            ("/api/admin/artists", "image_sizes"),
            ("/api/admin/site-images", "image_sizes"),
        ] {
            assert_eq!(desk.get(path).await.json()["items"][0][field], sizes, "{path}");
        }
        let page = server.get("/releases").await.text();
        assert!(page.contains(r#"<link rel="preload" as="image" type="image/avif" href="/media/uploads/"#));

        for (width, file) in files(&sizes) {
            let served = server.get(&file).await;
            assert_eq!(served.status, 200, "{file}");
            assert_eq!(served.header("cache-control"), "public, max-age=3600");
            if file.ends_with(".avif") {
                assert_eq!(served.header("content-type"), "image/avif");
                assert_eq!(&served.bytes[4..12], b"ftypavif");
            } else {
                assert_eq!(served.header("content-type"), "image/jpeg");
                let shown = image::load_from_memory(&served.bytes).unwrap().to_rgb8();
                assert_eq!(shown.dimensions(), (width, (width * 500 + 350) / 700));
                assert!(
                    shown.get_pixel(width / 4, 9).0[0] > 230 && shown.get_pixel(width * 3 / 4, 9).0[2] > 230
                );
            }
        }
        assert_eq!(server.findings().await, [""; 0]);
        server.wait_until("nothing is reserved", async || server.count("deletions").await == 0).await;

        let path = format!("/api/admin/media/{}", row["id"].as_str().unwrap());
        assert_eq!(desk.send(Method::DELETE, &path, None).await.status, 204);
        for (_, file) in files(&sizes) {
            assert_eq!(server.get(&file).await.status, 404, "{file}");
        }
        for kind in ["site_image", "media"] {
            let trash = desk.get(&format!("/api/admin/trash?kind={kind}")).await.json();
            for item in trash["items"].as_array().unwrap() {
                let path = format!("/api/admin/trash/{kind}/{}", item["id"].as_str().unwrap());
                assert_eq!(desk.send(Method::DELETE, &path, None).await.status, 204);
            }
        }
        // The default background replaces the deleted one.
        server.sql("DELETE FROM site_images").await;
        server.sql("DELETE FROM objects WHERE key LIKE 'assets/%'").await;
        assert_eq!(server.count("objects").await + server.count("picture_sizes").await, 0);
        server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
        assert!(server.stored("uploads").is_empty());
    }
}

#[apply(on_both_engines!)]
async fn every_kind_of_picture_has_sizes(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let clear = RgbaImage::from_fn(330, 330, |x, _| Rgba([250, 0, 0, if x < 165 { 0 } else { 255 }]));
    let mut png = std::io::Cursor::new(Vec::new());
    DynamicImage::ImageRgba8(clear).write_to(&mut png, ImageFormat::Png).unwrap();
    let mut film = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new_with_speed(&mut film, 30);
    let frame = |red| image::Frame::new(RgbaImage::from_pixel(330, 200, Rgba([red, 0, 0, 255])));
    encoder.encode_frames([frame(250), frame(0)]).unwrap();
    drop(encoder);
    let cmyk = include_bytes!("../../../pictures/fixtures/cmyk.jpg");
    let lying = picture(ImageFormat::Jpeg, 400, 330);
    let exif = b"\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let lying = [&lying[..2], exif, &lying[2..]].concat();
    for (name, bytes, fallback, moving, dimensions) in [
        ("a.png", png.get_ref().as_slice(), "webp", false, (320, 320)),
        ("b.gif", &film, "jpg", true, (320, 194)),
        ("c.jpg", cmyk, "jpg", false, (320, 160)),
        ("d.jpg", &lying, "jpg", false, (320, 388)),
    ] {
        upload(&server, &desk, name, bytes).await;
        assert_eq!(server.make_sizes().await, 1);
        server.advance(Duration::from_secs(1));
        let row = desk.get("/api/admin/media").await.json()["items"][0].clone();
        let sizes = &row["sizes"];
        assert_eq!((&sizes["fallback"], &sizes["moving"]), (&json!(fallback), &json!(moving)), "{name}");
        let (_, narrow) = &files(sizes)[1];
        let shown = image::load_from_memory(&server.get(narrow).await.bytes).unwrap();
        assert_eq!(shown.dimensions(), dimensions, "{name}");
        if moving {
            assert_eq!(server.get(row["url"].as_str().unwrap()).await.bytes, film, "it stays what it is");
        }
    }
    // AVIF is accepted as a background only; this one was encoded by the server.
    let row = desk.get("/api/admin/media").await.json()["items"][0].clone();
    let avif = server.get(&files(&row["sizes"])[0].1).await.bytes;
    let place = (Method::PUT, "/api/admin/site-images/hero_background");
    assert_eq!(server.send_file(&desk, place, ("hero.avif", avif.as_slice()), &[]).await.status, 200);
    assert_eq!(server.make_sizes().await, 1);
    let hero = server.get("/api/site-images/hero_background").await.json();
    assert_eq!((&hero["image_width"], &hero["image_sizes"]["widths"]), (&json!(320), &json!([320])));
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn pictures_of_before_get_their_sizes_and_bombs_a_named_failure(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let row = upload(&server, &desk, "a.png", &picture(ImageFormat::Png, 640, 64)).await;
    server.hero(row["url"].as_str().unwrap()).await;
    server.sql("DELETE FROM picture_sizes").await;
    // A PNG header that claims 50000 × 50000 pixels, stored by a version without checks.
    let bomb: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xc3\x50\0\0\xc3\x50\x08\x02\0\0\0\x9f\x36\xe5\x8d";
    let rubbish: &[u8] = b"\0\0\0\x20ftypavif and no more of it";
    for (key, bytes) in [("artists/bomb.png", bomb), ("artists/rubbish.avif", rubbish)] {
        server.app.storage.put_new(key, Bytes::from_static(bytes)).await.unwrap();
        let fingerprint = Fingerprint::of(bytes);
        let object = NewObject { dimensions: Some((50_000, 50_000)), ..NewObject::new(key, fingerprint) };
        let mut tx = server.app.db.begin().await.unwrap();
        objects::insert(&mut tx, &object, NOON).await.unwrap();
        tx.commit().await.unwrap();
        server.artist(key, None).await;
        server.sql(&format!("UPDATE artists SET image_url = '/media/{key}' WHERE name = '{key}'")).await;
    }
    assert_eq!(server.make_sizes().await, 3);
    assert_eq!(server.make_sizes().await, 0, "a failure is final");
    assert_eq!(server.count("picture_sizes WHERE state = 'failed' AND failure <> ''").await, 2);
    let hero = server.get("/api/site-images/hero_background").await.json();
    assert_eq!(hero["image_sizes"]["widths"], json!([320, 640]));
    let findings = server.findings().await;
    assert_eq!(findings.len(), 2, "{findings:?}");
    for (finding, key) in findings.iter().zip(["artists/bomb.png", "artists/rubbish.avif"]) {
        let beginning = format!("{key}: its sizes could not be made, it could not be opened: ");
        assert!(finding.starts_with(&beginning), "{finding}");
    }
    server.sql("DELETE FROM objects WHERE key LIKE 'uploads/%-640.avif'").await;
    let findings = server.findings().await;
    assert!(
        findings.iter().any(|finding| finding.ends_with("-640.avif: a size without its row")),
        "{findings:?}"
    );
}

/// A file whose folder was away for a while still gets its sizes.
#[apply(on_both_engines!)]
async fn a_picture_whose_file_is_away_has_its_sizes_when_it_is_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    upload(&server, &desk, "a.png", &picture(ImageFormat::Png, 330, 330)).await;
    let (there, away) = (server.data.path().join("media/uploads"), server.data.path().join("media/away"));
    std::fs::rename(&there, &away).unwrap();
    assert_eq!(server.make_sizes().await, 1);
    assert_eq!(server.make_sizes().await, 0, "nobody looks all the time");
    std::fs::rename(&away, &there).unwrap();
    server.advance(Duration::from_mins(11));
    assert_eq!(server.make_sizes().await, 1);
    assert_eq!(server.count("picture_sizes WHERE state = 'made' AND tries = 1").await, 1);

    // Pictures abandoned by an older version are tried once more at each start.
    upload(&server, &desk, "b.png", &picture(ImageFormat::Png, 330, 330)).await;
    server
        .sql("UPDATE picture_sizes SET state = 'failed', failure = 'its file is gone', tries = 1 WHERE state = 'due'")
        .await;
    assert_eq!(server.make_sizes().await, 1);
    assert_eq!(server.count("picture_sizes WHERE state = 'made'").await, 2);
}

#[apply(on_both_engines!)]
async fn sizes_are_in_a_backup_and_not_made_anew(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    upload(&server, &desk, "a.png", &picture(ImageFormat::Png, 330, 330)).await;
    server.make_sizes().await;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("backup");
    backup::backup(&server.app.db, &server.app.storage, &Clock::System, &folder).await.unwrap();

    let restored = TempDir::new().unwrap();
    let db = deadwax_store::db::Db::open(None, restored.path()).await.unwrap();
    let storage = Storage::open(None, restored.path()).unwrap();
    let spool = Spool::open(restored.path()).unwrap();
    let report = backup::restore(&db, &storage, &spool, &folder, Openings::Keep).await.unwrap();
    assert_eq!((report.objects, report.damaged.len()), (4, 0));
    assert_eq!(picture_sizes::queue_missing(&db, NOON).await.unwrap(), 0);
    assert_eq!(picture_sizes::waiting(&db).await.unwrap(), 0);
    assert_eq!(crate::support::findings(&db, &storage).await, [""; 0]);
    // A backup from before sizes existed.
    crate::support::run_sql(&db, "DELETE FROM picture_sizes").await;
    assert_eq!(picture_sizes::queue_missing(&db, NOON).await.unwrap(), 1);
}
