//! Concurrent operations, one of which holds a row that the other needs.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use deadwax_store::{
    Failure, deletions,
    ids::DemoId,
    limits,
    objects::{self, Fingerprint, NewObject},
    storage::Storage,
};
use futures_util::future::join_all;
use macro_rules_attribute::apply;
use reqwest::Method;
use rules::rate_limit::Window;
use tokio::sync::Notify;

use super::sender::wav;
use crate::{
    on_both_engines,
    support::{Engine, TestServer, bucket::faulty_bucket},
};

const MINUTE: i64 = 60_000_000;

#[tokio::test]
async fn a_limit_that_is_dropped_while_it_is_taken_is_taken_anew() {
    let server = TestServer::start(Engine::Postgres).await;
    let (db, now) = (&server.app.db, server.app.clock.now());
    let often = Window { max: u32::MAX, span_ms: 1 };
    let taking = async |key: usize| {
        for _ in 0..300 {
            limits::take(db, &format!("race:{key}"), often, now).await.unwrap();
        }
    };
    let dropping = async {
        for _ in 0..600 {
            limits::prune(db, now + MINUTE).await.unwrap();
        }
    };
    tokio::join!(join_all((0..3).map(taking)), dropping);
}

#[apply(on_both_engines!)]
async fn a_file_whose_row_is_being_written_stays_although_its_time_is_over(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (db, now) = (&server.app.db, server.app.clock.now());
    let (key, bytes) = ("demos/late.wav", wav(2_000, 1));
    let path = server.data.path().join("late.wav");
    std::fs::write(&path, &bytes).unwrap();
    deletions::reserve(db, key, now).await.unwrap();
    let permit = server.app.storage.upload_permit().await;
    server.app.storage.put_file(&permit, key, &path).await.unwrap();
    server.advance(Duration::from_secs(3_600));

    let mut tx = db.begin().await.unwrap();
    deletions::confirm(&mut tx, key).await.unwrap();
    let fingerprint = Fingerprint { size_bytes: bytes.len() as u64, sha256: [0; 32] };
    let object = NewObject::new(key, fingerprint);
    objects::insert(&mut tx, &object, now).await.unwrap();
    let removing = server.app.deletions.clone();
    let removal = tokio::spawn(async move { removing.remove_due().await });
    // Long enough for a request that does not wait.
    tokio::time::sleep(Duration::from_millis(300)).await;
    tx.commit().await.unwrap();
    removal.await.unwrap().unwrap();
    assert_eq!((server.count("objects").await, server.count("deletions").await), (1, 0));
    assert!(server.data.path().join("media").join(key).exists(), "a row without bytes");
}

#[apply(on_both_engines!)]
async fn a_removal_waits_for_the_one_under_way(engine: Engine) {
    // Refused once, a request is sent again a moment later.
    let (is_refused, begun) = (AtomicBool::new(false), Arc::new(Notify::new()));
    let fault = {
        let begun = Arc::clone(&begun);
        move |method: &Method, _: &str| {
            let removes = matches!(*method, Method::POST | Method::DELETE);
            (removes && !is_refused.swap(true, Ordering::SeqCst)).then(|| {
                begun.notify_one();
                (503, "SlowDown")
            })
        }
    };
    let (_folder, url) = faulty_bucket(fault).await;
    let storage = Storage::open(Some(&url), Path::new("/")).unwrap();
    let server = TestServer::start_with_storage(engine, storage).await;
    deletions::abandon(&server.app.db, &["demos/1_2_Nova.wav"], server.app.clock.now()).await;
    begun.notified().await;
    server.app.deletions.remove_due().await.unwrap();
    assert_eq!(
        server.count("deletions").await,
        0,
        "a sender who erased a demo is answered with its name still listed"
    );
}

#[apply(on_both_engines!)]
async fn a_file_that_is_being_removed_gets_no_row(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (db, now) = (&server.app.db, server.app.clock.now());
    // A directory in place of the file, so that its removal starts and does not finish.
    std::fs::create_dir_all(server.data.path().join("media/demos/late.wav/inside")).unwrap();
    deletions::reserve(db, "demos/late.wav", now).await.unwrap();
    server.advance(Duration::from_secs(3_600));
    server.app.deletions.remove_due().await.unwrap();
    let mut tx = db.begin().await.unwrap();
    assert!(matches!(deletions::confirm(&mut tx, "demos/late.wav").await, Err(Failure::Late)));
}

#[tokio::test]
async fn a_demo_that_a_row_is_about_to_name_is_not_moved_to_the_trash_under_it() {
    let server = TestServer::start(Engine::Postgres).await;
    server.sent_demo("Nova", "nova@artist.example", "set.wav").await;
    let demo = server.only_demo().await;
    let mut tx = server.app.db.begin().await.unwrap();
    deadwax::desk::view::require(&mut tx, DemoId(demo.parse().unwrap())).await.unwrap();
    let mut desk = server.desk().await;
    let path = format!("/api/admin/demos/{demo}");
    let removal = tokio::spawn(async move { desk.send(Method::DELETE, &path, None).await });
    server
        .wait_until("the removal waits", async || {
            server
                .count("pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
                .await
                > 0
        })
        .await;
    tx.commit().await.unwrap();
    assert_eq!(removal.await.unwrap().status, 204);
}
