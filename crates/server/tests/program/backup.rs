//! A backup of either engine, restored into either.

mod refused;

use std::{fs, path::Path, thread, time::Duration};

use bytes::Bytes;
use deadwax::{
    files::hero,
    operation::backup::{self, BackupError, Openings, Report},
};
use deadwax_store::{db::Db, spool::Spool, storage::Storage};
use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};
use tempfile::TempDir;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::oneshot,
};

use crate::{
    on_both_engines,
    support::{
        Database, Engine, NOON, TestServer, bucket::bucket, files::picture, findings, open, people::Browser,
    },
};

deadwax_store::statements! {
    OUTBOX = "SELECT sealed IS NULL, sent_at IS NOT NULL, dead_at IS NOT NULL, last_error FROM outbox ORDER BY id";
    LETTERS = "SELECT state FROM letters";
}

/// An empty target for a restore.
pub(super) struct Place {
    pub(super) data: TempDir,
    database: Option<Database>,
    /// The bucket for the files, if they are not on disk.
    bucket: Option<(TempDir, String)>,
}

impl Place {
    pub(super) async fn new(engine: Engine) -> Self {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::create_bare().await),
        };
        Self { data: tempfile::tempdir().unwrap(), database, bucket: None }
    }

    pub(super) async fn with_bucket(self) -> Self {
        Self { bucket: Some(bucket().await), ..self }
    }

    pub(super) fn storage(&self) -> Storage {
        Storage::open(self.bucket.as_ref().map(|(_, url)| url.as_str()), self.data.path()).unwrap()
    }

    pub(super) async fn db(&self) -> Db {
        open(self.database.as_ref(), self.data.path()).await
    }

    async fn restore(&self, folder: &Path) -> Result<Report, BackupError> {
        self.restore_with(folder, Openings::Keep).await
    }

    async fn restore_with(&self, folder: &Path, openings: Openings) -> Result<Report, BackupError> {
        let spool = Spool::open(self.data.path()).unwrap();
        backup::restore(&self.db().await, &self.storage(), &spool, folder, openings).await
    }
}

/// A label with rows in every table.
pub(super) async fn label(engine: Engine) -> TestServer {
    label_and_desk(engine).await.0
}

/// The same, with a browser its admin is signed in with.
async fn label_and_desk(engine: Engine) -> (TestServer, Browser) {
    let server = TestServer::start(engine).await;
    let mira = server.person("mira_404").await;
    server.add_unknown_factor(&mira).await;
    let mut desk = server.desk().await;
    hero::install(&server.app.db, &server.app.storage, NOON).await.unwrap();
    let artist = server.artist("Ärzte im Exil 🎛", Some("zwei\nZeilen \"und\" \\ mehr")).await;
    let body = json!({"title": "Locked Groove", "artist_id": artist, "release_date": "2026-07-18"});
    assert_eq!(desk.post("/api/admin/releases", body).await.status, 201);
    let body = json!({"title": "Vinyl", "price": 19.99, "stock_quantity": 3});
    assert_eq!(desk.post("/api/admin/products", body).await.status, 201);
    let body = json!({"subscriber_email": "fan@example.org"});
    assert_eq!(server.browser().post("/api/newsletter", body).await.status, 200);
    (server, desk)
}

async fn backed_up(server: &TestServer, folder: &Path) -> Report {
    backup::backup(&server.app.db, &server.app.storage, &server.app.clock, folder).await.unwrap()
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

/// The number of idle transactions in the database at `url`.
fn resting(url: &str) -> i64 {
    let look = async {
        let mut connection = PgConnection::connect(url).await.unwrap();
        let sql = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in %'";
        sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap()
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(look)
}

#[tokio::test]
async fn no_transaction_rests_while_files_are_restored() {
    let server = label(Engine::Postgres).await;
    let folder = tempfile::tempdir().unwrap();
    let report = backed_up(&server, folder.path()).await;
    let mut place = Place::new(Engine::Postgres).await.with_bucket().await;
    let url = place.database.as_ref().unwrap().url();
    let (_, bucket) = place.bucket.as_mut().unwrap();
    let (before, after) = bucket.split_once("http://").unwrap();
    let (behind, region) = after.split_once('&').unwrap();
    let gate = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (behind, address) = (behind.to_owned(), gate.local_addr().unwrap());
    *bucket = format!("{before}http://{address}&{region}");
    let (sender, rests) = oneshot::channel();
    tokio::spawn(async move {
        let mut sender = Some(sender);
        while let Ok((mut from, _)) = gate.accept().await {
            // The bucket looks at the database before it answers. A commit in progress is idle for a moment; a transaction that
            // waits for the bucket would be idle all the time.
            if let Some(sender) = sender.take() {
                let url = url.clone();
                let look = move || {
                    (0..200).all(|_| {
                        thread::sleep(Duration::from_millis(25));
                        resting(&url) > 0
                    })
                };
                sender.send(tokio::task::spawn_blocking(look).await.unwrap()).unwrap();
            }
            let mut to = TcpStream::connect(&behind).await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut from, &mut to).await });
        }
    });
    assert_eq!(place.restore(folder.path()).await.unwrap().objects, report.objects);
    assert!(!rests.await.unwrap(), "a transaction rests while the bucket is waited for");
}

#[apply(on_both_engines!)]
async fn a_backup_is_restored_into_either_engine_with_every_row_and_file(engine: Engine) {
    let server = label(engine).await;
    let folder = tempfile::tempdir().unwrap();
    let report = backed_up(&server, folder.path()).await;
    assert_eq!((report.objects, report.damaged.len()), (2, 0));
    for target in [Engine::Sqlite, Engine::Postgres] {
        restored_and_back(&server, Place::new(target).await, folder.path(), &report).await;
        restored_and_back(&server, Place::new(target).await.with_bucket().await, folder.path(), &report)
            .await;
    }
    assert!(!folder.path().join("key").exists());
    assert!(!fs::read_to_string(folder.path().join("tables/users.jsonl")).unwrap().is_empty());
}

#[apply(on_both_engines!)]
async fn the_trash_drafts_links_history_and_imports_come_along(engine: Engine) {
    let (server, mut desk) = label_and_desk(engine).await;
    let file = picture(ImageFormat::Png, 8, 8);
    let uploaded =
        |path: &'static str| server.send_file(&desk, (Method::POST, path), ("picture.png", &file), &[]);
    let cover = uploaded("/api/admin/images?folder=releases").await.json();
    let portrait = uploaded("/api/admin/images?folder=artists").await.json();
    let medium = uploaded("/api/admin/media").await.json();
    let table = b"Title,Released\nFrom a sheet,2026-07-18\n";
    let import = (Method::POST, "/api/admin/imports");
    assert_eq!(server.send_file(&desk, import, ("sheet.csv", table), &[]).await.status, 201);
    let draft = json!({"title": "Dead Air", "release_date": "2026-07-18", "catalog": "404-002",
        "cover_image_url": cover["url"], "publish": "not_yet"});
    let draft = desk.post("/api/admin/releases", draft).await.json();
    let path = format!("/api/admin/releases/{}", draft["id"].as_str().unwrap());
    let edited = json!({"title": "Dead Air II", "release_date": "2026-07-18", "catalog": "404-002",
        "cover_image_url": cover["url"]});
    assert_eq!(desk.edit(&path, 1, edited).await.status, 200);
    assert!(desk.post(&format!("{path}/private-link"), json!({})).await.status.is_success());
    let artist = json!({"name": "Gone for now", "image_url": portrait["url"]});
    let artist = desk.post("/api/admin/artists", artist).await.json();
    for (list, row) in [("artists", &artist), ("media", &medium)] {
        let path = format!("/api/admin/{list}/{}", row["id"].as_str().unwrap());
        assert!(desk.delete(&path).await.status.is_success());
    }
    for (count, of) in [
        (1, "artists WHERE deleted_at IS NOT NULL"),
        (1, "media_files WHERE deleted_at IS NOT NULL"),
        (1, "releases WHERE state = 'draft'"),
        (1, "private_links"),
        (1, "imports"),
        (2, "slugs"),
    ] {
        assert_eq!(server.count(of).await, count, "{of}");
    }
    assert!(server.count("versions").await > 3);
    assert_eq!(server.findings().await, [""; 0], "what is in the trash is in order");

    let folder = tempfile::tempdir().unwrap();
    let report = backed_up(&server, folder.path()).await;
    assert_eq!(report.damaged.len(), 0);
    for target in [Engine::Sqlite, Engine::Postgres] {
        let place = Place::new(target).await;
        restored_and_back(&server, place, folder.path(), &report).await;
    }
}

/// Restores, backs up again, and checks that every row and byte is unchanged.
async fn restored_and_back(server: &TestServer, place: Place, folder: &Path, report: &Report) {
    assert_eq!(place.restore(folder).await.unwrap(), *report);
    let (again, storage) = (tempfile::tempdir().unwrap(), place.storage());
    let copied = backup::backup(&place.db().await, &storage, &server.app.clock, again.path()).await.unwrap();
    assert_eq!(copied, *report);
    let (one, other) = (manifest(folder), manifest(again.path()));
    assert!(one["tables"].as_object().unwrap().len() > 15);
    assert_eq!(one["tables"], other["tables"]);
    assert!(findings(&place.db().await, &storage).await.is_empty());
}

#[apply(on_both_engines!)]
async fn what_opened_an_account_when_it_was_backed_up_does_not_come_back(engine: Engine) {
    let server = label(engine).await;
    let max = server.person("max_404").await;
    let mut browser = server.signed_in(&max).await;
    browser.post("/api/auth/forgot", json!({"email": max.email})).await;
    let (id, now) = (server.id_literal(max.id), server.app.clock.now());
    for (number, kind, session) in [(1, "mailed", true), (2, "offline", false)] {
        let code = server.id_literal(uuid::Uuid::from_u128(number));
        let session = if session {
            format!("(SELECT id FROM sessions WHERE user_id = {id})")
        } else {
            "NULL".to_owned()
        };
        server.sql(&format!("INSERT INTO recovery_codes (id, user_id, session_id, kind, code_mac, created_at) VALUES ({code}, {id}, {session}, '{kind}', {id_bytes}, {now})", id_bytes = bytes_literal(engine))).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let report = backed_up(&server, folder.path()).await;
    for target in [Engine::Sqlite, Engine::Postgres] {
        let place = Place::new(target).await;
        let restored = place.restore_with(folder.path(), Openings::End).await.unwrap();
        assert!(restored.rows < report.rows, "{restored:?}");
        let again = tempfile::tempdir().unwrap();
        backup::backup(&place.db().await, &place.storage(), &server.app.clock, again.path()).await.unwrap();
        let rows = |table: &str| manifest(again.path())["tables"][table]["rows"].as_u64().unwrap();
        for ended in ["sessions", "session_tokens", "one_time_tokens", "mfa_attempts"] {
            assert_eq!(rows(ended), 0, "{ended}");
        }
        // Recovery codes and accounts have no other copy.
        assert_eq!(rows("recovery_codes"), 1);
        let users = manifest(folder.path())["tables"]["users"].clone();
        assert_eq!(manifest(again.path())["tables"]["users"], users);
    }
}

/// A letter pending at the backup may have been sent since, and its links no longer work. Visitors' messages exist nowhere
/// else.
#[apply(on_both_engines!)]
async fn letters_that_waited_are_given_up_by_a_restore_and_visitors_messages_are_not(engine: Engine) {
    let server = label(engine).await;
    server.sql("DELETE FROM outbox").await;
    let (now, sealed) = (server.app.clock.now(), bytes_literal(engine));
    for (number, patience, ended) in [
        (1, "account", ("NULL", "NULL")),
        (2, "message", ("NULL", "NULL")),
        (3, "account", ("5", "NULL")),
        (4, "account", ("NULL", "5")),
    ] {
        let (id, (sent, dead)) = (server.id_literal(uuid::Uuid::from_u128(number)), ended);
        let row = format!("{id}, 'test', {sealed}, '{patience}', {now}, {now}, {sent}, {dead}");
        server.sql(&format!("INSERT INTO outbox (id, kind, sealed, patience, created_at, next_try_at, sent_at, dead_at) VALUES ({row})")).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let report = backed_up(&server, folder.path()).await;
    for target in [Engine::Sqlite, Engine::Postgres] {
        let (moved, place) = (Place::new(target).await, Place::new(target).await);
        assert_eq!(moved.restore(folder.path()).await.unwrap(), report);
        let restored = place.restore_with(folder.path(), Openings::End).await.unwrap();
        assert_eq!(restored.given_up, 1);
        let db = place.db().await;
        let rows = db.query(OUTBOX).all::<(bool, bool, bool, Option<String>)>().await.unwrap();
        assert_eq!(
            rows,
            [
                (true, false, true, Some("restored".to_owned())),
                (false, false, false, None),
                (false, true, false, None),
                (false, false, true, None),
            ]
        );
    }
}

/// A move misses no letter's date. After a loss an admin decides, for some recipients may have had it.
#[apply(on_both_engines!)]
async fn a_letter_of_the_newsletter_is_paused_by_a_restore_and_not_by_a_move(engine: Engine) {
    let server = label(engine).await;
    let id = server.id_literal(uuid::Uuid::now_v7());
    let row = format!("{id}, 'A record', 'scheduled', 1, 1");
    server
        .sql(&format!("INSERT INTO letters (id, subject, state, created_at, updated_at) VALUES ({row})"))
        .await;
    let folder = tempfile::tempdir().unwrap();
    backed_up(&server, folder.path()).await;
    for target in [Engine::Sqlite, Engine::Postgres] {
        for (openings, state) in [(Openings::Keep, "scheduled"), (Openings::End, "paused")] {
            let place = Place::new(target).await;
            place.restore_with(folder.path(), openings).await.unwrap();
            let letters = place.db().await.query(LETTERS).values::<String>().await.unwrap();
            assert_eq!(letters, [state]);
        }
    }
}

fn bytes_literal(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "x'00'",
        Engine::Postgres => "'\\x00'::bytea",
    }
}

#[apply(on_both_engines!)]
async fn a_backup_under_write_load_is_one_moment(engine: Engine) {
    let (server, desk) = label_and_desk(engine).await;
    let stop = tokio_util::sync::CancellationToken::new();
    let writing = {
        let (mut desk, stop) = (desk.copy(), stop.clone());
        tokio::spawn(async move {
            let mut written = 0;
            while !stop.is_cancelled() {
                // The artist is created before the release that names it, so no snapshot may contain the release alone.
                let artist = desk.post("/api/admin/artists", json!({"name": "A"})).await.json();
                let body = json!({"title": "R", "artist_id": artist["id"], "release_date": "2026-01-01"});
                assert_eq!(desk.post("/api/admin/releases", body).await.status, 201);
                written += 1;
            }
            written
        })
    };
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        backed_up(&server, folder.path()).await;
        Place::new(Engine::Sqlite).await.restore(folder.path()).await.unwrap();
    }
    stop.cancel();
    assert!(writing.await.unwrap() > 0);
}

#[apply(on_both_engines!)]
async fn files_deleted_during_a_backup_stay_until_its_end(engine: Engine) {
    let server = label(engine).await;
    let hold =
        deadwax_store::deletions::DeletionPause::begin(&server.app.db, &server.app.clock).await.unwrap();
    let key = "uploads/going.png";
    server.app.storage.put_new(key, Bytes::from_static(b"bytes")).await.unwrap();
    let mut tx = server.app.db.begin().await.unwrap();
    deadwax_store::deletions::remove_object(&mut tx, key, NOON).await.unwrap();
    tx.commit().await.unwrap();
    server.app.deletions.remove_due().await.unwrap();
    assert!(server.data.path().join("media").join(key).exists(), "while a backup is under way");
    hold.end().await.unwrap();
    server.app.deletions.remove_due().await.unwrap();
    // The label's own job may have claimed it first and be about to remove it.
    let file = server.data.path().join("media").join(key);
    server.wait_until("the file is removed", async || !file.exists()).await;
}

#[apply(on_both_engines!)]
async fn a_backup_that_fails_keeps_no_deletion_back(engine: Engine) {
    let server = label(engine).await;
    server.sql("UPDATE objects SET key = '../' || key WHERE key LIKE '%-small.jpg'").await;
    let (app, folder) = (&server.app, tempfile::tempdir().unwrap());
    let failed = backup::backup(&app.db, &app.storage, &app.clock, folder.path()).await;
    assert!(matches!(failed, Err(BackupError::Altered(_))), "{failed:?}");
    assert_eq!(server.count("limits WHERE key LIKE 'backup:%'").await, 0);
}
