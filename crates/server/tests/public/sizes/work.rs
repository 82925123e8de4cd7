//! Making sizes in spite of crashes and concurrent instances.

use std::time::Duration;

use bytes::Bytes;
use deadwax::{files::hero, jobs};
use deadwax_store::{deletions, picture_sizes, storage::Storage};
use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::{Client, Method};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{files, upload};
use crate::{
    on_both_engines,
    support::{
        Engine, NOON, RECEIVE_TIMEOUT, TestServer, client,
        files::{SlowFile, picture},
        serving::serve,
    },
};

#[apply(on_both_engines!)]
async fn work_that_was_cut_off_is_done_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    upload(&server, &desk, "a.png", &picture(ImageFormat::Png, 330, 330)).await;
    let db = &server.app.db;
    // An instance took the lease, stored a file, and was killed.
    let dead = picture_sizes::lease(db, NOON, NOON + 120_000_000).await.unwrap().unwrap();
    deletions::reserve(db, "uploads/left-320.avif", NOON).await.unwrap();
    server.app.storage.put_new("uploads/left-320.avif", Bytes::from_static(b"x")).await.unwrap();
    if engine == Engine::Postgres {
        // The instance may still be alive.
        assert_eq!(server.make_sizes().await, 0);
        server.advance(Duration::from_secs(121));
    }
    assert_eq!(server.make_sizes().await, 1);
    assert!(!dead.renew(db, i64::MAX).await.unwrap(), "the dead have no say");
    assert!(!dead.finish(db, &[], "{}", NOON).await.unwrap());
    dead.fail(db, "never").await.unwrap();
    assert_eq!(server.count("picture_sizes WHERE state = 'made' AND tries = 2").await, 1);
    assert_eq!(server.count("objects WHERE original_key IS NOT NULL").await, 2);
    server.advance(Duration::from_mins(11));
    server.app.deletions.remove_due().await.unwrap();
    assert_eq!((server.count("deletions").await, server.stored("uploads").len()), (0, 4));
    assert_eq!(server.findings().await, [""; 0]);

    // A picture that crashes the program every time.
    upload(&server, &desk, "b.png", &picture(ImageFormat::Png, 330, 330)).await;
    for _ in 0..5 {
        let now = server.app.clock.now();
        assert!(picture_sizes::lease(db, now, now + 1).await.unwrap().is_some());
        server.advance(Duration::from_secs(1));
    }
    assert_eq!(server.make_sizes().await, 1);
    let failed = "picture_sizes WHERE failure = 'it was begun 5 times and never ended'";
    assert_eq!(server.count(failed).await, 1);
}

#[apply(on_both_engines!)]
async fn a_picture_with_a_slow_file_keeps_its_lease(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let row = upload(&server, &desk, "a.png", &picture(ImageFormat::Png, 330, 330)).await;
    let key = row["file_path"].as_str().unwrap();
    let slow = SlowFile::in_place_of(server.data.path().join("media").join(key));
    let reading = async {
        server.assert_lease_renewed("picture_sizes").await;
        let now = server.app.clock.now();
        let other = picture_sizes::lease(&server.app.db, now, now + 1).await.unwrap();
        assert_eq!(other, None, "another instance waits");
        drop(slow);
    };
    let (begun, ()) = tokio::join!(server.make_sizes(), reading);
    assert_eq!(begun, 1);
    assert_eq!(server.count("picture_sizes WHERE lease IS NULL").await, 1);
}

#[apply(on_both_engines!)]
async fn a_stopped_program_does_not_wait_for_a_picture(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let row = upload(&server, &desk, "a.png", &picture(ImageFormat::Png, 330, 330)).await;
    let key = row["file_path"].as_str().unwrap();
    let slow = SlowFile::in_place_of(server.data.path().join("media").join(key));
    let stop = CancellationToken::new();
    let stopping = async {
        server
            .wait_until("it has begun", async || server.count("picture_sizes WHERE tries = 1").await == 1)
            .await;
        stop.cancel();
    };
    let working = tokio::time::timeout(RECEIVE_TIMEOUT, jobs::do_due(&server.app.sizes, &stop));
    let (worked, ()) = tokio::join!(working, stopping);
    drop(slow);
    worked.expect("it waits for the storage").unwrap();
    let untouched = "picture_sizes WHERE state = 'due' AND tries = 0 AND lease IS NULL";
    assert_eq!(server.count(untouched).await, 1);
}

#[tokio::test]
async fn instances_share_the_work() {
    let one = TestServer::start(Engine::Postgres).await;
    let other = TestServer::start_beside(&one).await;
    let desk = one.desk().await;
    for name in ["a.png", "b.png", "c.png", "d.png", "e.png", "f.png"] {
        upload(&one, &desk, name, &picture(ImageFormat::Png, 330, 330)).await;
    }
    let (of_one, of_other) = tokio::join!(one.make_sizes(), other.make_sizes());
    assert_eq!(of_one + of_other, 6);
    assert!(of_one > 0 && of_other > 0, "{of_one} {of_other}");
    assert_eq!(one.count("picture_sizes WHERE state = 'made' AND tries = 1").await, 6);
    assert_eq!(one.count("objects WHERE original_key IS NOT NULL").await, 12);
    assert_eq!(one.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_picture_deleted_during_the_work_leaves_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    server.hero("https://elsewhere.example/hero.jpg").await;
    for pause in [0, 20, 100, 300] {
        let row = upload(&server, &desk, "a.png", &picture(ImageFormat::Png, 330, 330)).await;
        let path = format!("/api/admin/media/{}", row["id"].as_str().unwrap());
        let gone = async {
            tokio::time::sleep(Duration::from_millis(pause)).await;
            let deleted = desk.send(Method::DELETE, &path, None).await;
            assert_eq!(deleted.status, 204);
            let path = format!("/api/admin/trash/media/{}", row["id"].as_str().unwrap());
            desk.send(Method::DELETE, &path, None).await
        };
        let (_, answer) = tokio::join!(server.make_sizes(), gone);
        assert_eq!(answer.status, 204);
        assert_eq!(server.count("objects").await + server.count("picture_sizes").await, 0, "{pause}");
        server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
        assert!(server.stored("uploads").is_empty());
    }
}

#[apply(on_both_engines!)]
async fn a_stopped_program_leaves_a_picture_as_if_it_had_not_begun(engine: Engine) {
    let server = TestServer::start(engine).await;
    hero::install(&server.app.db, &server.app.storage, NOON).await.unwrap();
    let stop = CancellationToken::new();
    let stopping = async {
        server
            .wait_until("it has begun", async || server.count("picture_sizes WHERE tries = 1").await == 1)
            .await;
        stop.cancel();
    };
    let (begun, ()) = tokio::join!(jobs::do_due(&server.app.sizes, &stop), stopping);
    assert_eq!(begun.unwrap(), 1);
    let untouched = "picture_sizes WHERE state = 'due' AND tries = 0 AND lease IS NULL";
    assert_eq!(server.count(untouched).await, 1);
    assert_eq!(server.count("deletions").await, 0);
}

/// The home page's background.
async fn read_hero(client: &Client, base: &str) -> Value {
    let answer = client.get(format!("{base}/api/site-images/hero_background")).send().await.unwrap();
    answer.json().await.unwrap()
}

#[tokio::test]
async fn a_killed_server_makes_the_sizes_after_its_restart() {
    let (data, client) = (tempfile::tempdir().unwrap(), client().build().unwrap());
    for pause in [0, 500] {
        let (server, base) = serve(data.path()).await;
        // Kills the server while it makes the background's sizes, which takes seconds.
        for _ in 0..2000 {
            if read_hero(&client, &base).await["image_url"].is_string() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(pause)).await;
        drop(server);
    }
    let (server, base) = serve(data.path()).await;
    let mut hero = Value::Null;
    // The work runs at the lowest priority.
    for _ in 0..6000 {
        hero = read_hero(&client, &base).await;
        if hero["image_sizes"].is_object() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let files = files(&hero["image_sizes"]);
    assert_eq!(files.len(), 8);
    for (_, file) in files {
        let answer = client.get(format!("{base}{file}")).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{file}");
    }
    drop(server);
    let db = deadwax_store::db::Db::open(None, data.path()).await.unwrap();
    let storage = Storage::open(None, data.path()).unwrap();
    assert_eq!(crate::support::findings(&db, &storage).await, [""; 0]);
    db.close().await;
}
