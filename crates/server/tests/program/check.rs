//! Every kind of damage that `deadwax check` finds.

use std::{os::unix::fs::FileExt as _, time::Duration};

use bytes::Bytes;
use deadwax::{files::hero, operation::check};
use deadwax_config::Origin;
use deadwax_store::{
    clock::Clock,
    db::{Db, SQLITE_FILE},
    deletions,
    objects::{self, Fingerprint, NewObject},
    storage::Storage,
};
use http::Method;
use macro_rules_attribute::apply;
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{
        Engine, NOON, Release, TestServer,
        bucket::{bucket, faulty_bucket},
        findings,
    },
};

/// The origin of the website's own addresses in rows.
const OWN: &str = "https://label.example";

/// Stores a file, and its row if `has_row`.
async fn store(server: &TestServer, key: &str, has_row: bool) {
    server.app.storage.put_new(key, Bytes::from_static(b"bytes")).await.unwrap();
    if has_row {
        row(server, key).await;
    }
}

async fn row(server: &TestServer, key: &str) {
    let mut tx = server.app.db.begin().await.unwrap();
    let object = NewObject::new(key, Fingerprint::of(b"bytes"));
    objects::insert(&mut tx, &object, NOON).await.unwrap();
    tx.commit().await.unwrap();
}

#[apply(on_both_engines!)]
async fn a_label_in_order_has_no_findings(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.artist("Ärzte im Exil", None).await;
    hero::install(&server.app.db, &server.app.storage, NOON).await.unwrap();
    store(&server, "artists/by-path.png", true).await;
    server.sql("UPDATE artists SET image_url = '/media/artists/by-path.png'").await;
    assert_eq!(server.findings().await, [""; 0]);
    server.sql(&format!("UPDATE artists SET image_url = '{OWN}/media/artists/by-path.png'")).await;
    assert_eq!(server.findings().await, [""; 0]);
    server.sql("UPDATE artists SET image_url = 'https://elsewhere.example/media/artists/never.png'").await;
    assert_eq!(server.findings().await, ["artists/by-path.png: stored, and nothing names it"]);
}

#[apply(on_both_engines!)]
async fn every_kind_of_damage_is_named(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.artist("Moved", None).await;
    for key in ["assets/changed.png", "assets/gone.png"] {
        store(&server, key, true).await;
        let id = server.id_literal(Uuid::now_v7());
        server
            .sql(&format!(
                "INSERT INTO site_images (id, key, image_url) VALUES ({id}, '{key}', '/media/{key}')"
            ))
            .await;
    }
    std::fs::write(server.data.path().join("media/assets/changed.png"), "other").unwrap();
    server.app.storage.remove("assets/gone.png").await.unwrap();
    server.sql("UPDATE artists SET image_url = '/media/artists/never.jpg', name = 'Renamed'").await;
    server.sql("UPDATE objects SET small_key = 'assets/no-row.jpg' WHERE key = 'assets/gone.png'").await;
    assert_eq!(
        server.findings().await,
        [
            "artist Renamed: /media/artists/never.jpg is not stored",
            "assets/no-row.jpg: a small version without its row",
            "artist Renamed: written by another program, so it is not in its alphabetical place",
            "assets/changed.png: its bytes are not those that were stored",
            "assets/gone.png: its bytes are gone",
        ],
    );
}

#[apply(on_both_engines!)]
async fn every_row_that_names_a_file_is_asked_for_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.artist("Mira", None).await;
    server.release(Release { title: "Locked Groove", ..Release::default() }).await;
    let person = server.person("someone").await;
    let id = || server.id_literal(Uuid::now_v7());
    // The schema prevents these, so only another program could have removed the rows.
    for key in ["uploads/never.png", "demos/never.zip"] {
        row(&server, key).await;
    }
    for sql in [
        "UPDATE artists SET image_url = '/media/artists/never.png'".to_owned(),
        format!("UPDATE releases SET cover_image_url = '{OWN}/media/releases/never.png'"),
        format!("INSERT INTO store_products (id, title, sort_key, price_cents, image_url, stock_quantity, created_at, updated_at) VALUES ({}, 'Tee', 'tee', 1, '/media/uploads/tee.png', 1, 1, 1)", id()),
        format!("INSERT INTO site_images (id, key, image_url) VALUES ({}, 'logo', '/media/assets/never.png')", id()),
        format!("UPDATE profiles SET avatar_url = '/media/avatars/never.jpg' WHERE id = {}", server.id_literal(person.id)),
        format!("INSERT INTO media_files (id, filename, original_name, file_path, file_type, file_size, mime_type, sort_key, created_at) VALUES ({}, 'never.png', 'Flyer.png', 'uploads/never.png', 'image', 5, 'image/png', 'flyer', 1)", id()),
        format!("INSERT INTO demos (id, file_key, artist_name, email, original_name, submitted_at) VALUES ({}, 'demos/never.zip', 'Nobody', 'a@b.example', 'x.zip', 1)", id()),
        match engine {
            Engine::Sqlite => "PRAGMA foreign_keys = OFF; DELETE FROM objects".to_owned(),
            Engine::Postgres => "ALTER TABLE media_files DROP CONSTRAINT media_files_file_path_fkey; ALTER TABLE demos DROP CONSTRAINT demos_file_key_fkey; DELETE FROM objects".to_owned(),
        },
    ] {
        server.sql(&sql).await;
    }
    let findings = server.findings().await;
    let named: Vec<&str> =
        findings.iter().map(String::as_str).filter(|line| !line.starts_with("database: ")).collect();
    assert_eq!(
        named,
        [
            "a picture of a person: /media/avatars/never.jpg is not stored",
            "artist Mira: /media/artists/never.png is not stored",
            "demo of Nobody: /media/demos/never.zip is not stored",
            "media file Flyer.png: /media/uploads/never.png is not stored",
            "product Tee: /media/uploads/tee.png is not stored",
            "release Locked Groove: /media/releases/never.png is not stored",
            "site image logo: /media/assets/never.png is not stored",
        ]
    );
    // SQLite itself detects the broken references.
    assert_eq!(findings.len() - named.len(), if engine == Engine::Sqlite { 2 } else { 0 });
}

#[apply(on_both_engines!)]
async fn files_that_nothing_names_are_named_after_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    store(&server, "uploads/no-row.png", false).await;
    store(&server, "parts/0123456789abcdef", false).await;
    store(&server, "uploads/no-use.png", true).await;
    let cut_off = server.data.path().join("media/uploads/cut-off.png#1");
    std::fs::write(&cut_off, "byt").unwrap();
    assert_eq!(
        server.findings().await,
        [
            "uploads/no-use.png: stored, and nothing names it",
            "parts/0123456789abcdef: 5 bytes without a row",
            "uploads/cut-off.png#1: 3 bytes of a file that was never finished",
            "uploads/no-row.png: 5 bytes without a row",
        ]
    );
    // Still young enough to be in progress.
    let (db, storage, origin) = (&server.app.db, &server.app.storage, Origin::parse(OWN).unwrap());
    server.sql(&format!("UPDATE objects SET created_at = {}", Clock::System.now())).await;
    let now = check::findings(db, storage, &origin, Clock::System.now()).await.unwrap();
    assert_eq!(now, [""; 0]);
}

#[apply(on_both_engines!)]
async fn what_is_on_its_way_is_no_leftover(engine: Engine) {
    let server = TestServer::start(engine).await;
    let now = server.app.clock.now();
    // Reserved but not stored yet.
    deletions::reserve(&server.app.db, "uploads/coming.png", now).await.unwrap();
    store(&server, "uploads/coming.png", false).await;
    // A part of an unfinished upload.
    let hash = if engine == Engine::Sqlite { "x'01'" } else { "'\\x01'" };
    server.sql(&format!("INSERT INTO uploads (id_hash, artist_name, email, original_name, extension, length, created_at, expires_at) VALUES ({hash}, 'a', 'a@b.example', 'x.zip', 'zip', 9, {now}, {})", i64::MAX)).await;
    server.sql(&format!("INSERT INTO upload_parts (upload_hash, start, size_bytes, key) VALUES ({hash}, 0, 5, 'parts/whole'), ({hash}, 5, 3, 'parts/longer'), ({hash}, 8, 1, 'parts/gone')")).await;
    store(&server, "parts/whole", false).await;
    store(&server, "parts/longer", false).await;
    assert_eq!(
        server.findings().await,
        [
            "parts/gone: the part of an upload is gone",
            "parts/longer: the part of an upload has another length than was stored",
        ]
    );
}

#[apply(on_both_engines!)]
async fn a_bucket_is_read_to_its_end(engine: Engine) {
    let (_folder, url): (TempDir, String) = bucket().await;
    let storage = Storage::open(Some(&url), std::path::Path::new("/nowhere")).unwrap();
    let server = TestServer::start_with_storage(engine, storage).await;
    store(&server, "assets/whole.png", true).await;
    store(&server, "assets/no-row.png", false).await;
    store(&server, "assets/no-use.png", true).await;
    store(&server, "assets/gone.png", true).await;
    server.app.storage.remove("assets/gone.png").await.unwrap();
    for name in ["whole", "gone"] {
        let id = server.id_literal(Uuid::now_v7());
        server.sql(&format!("INSERT INTO site_images (id, key, image_url) VALUES ({id}, '{name}', '/media/assets/{name}.png')")).await;
    }
    assert_eq!(
        server.findings().await,
        [
            "assets/gone.png: its bytes are gone",
            "assets/no-use.png: stored, and nothing names it",
            "assets/no-row.png: 5 bytes without a row",
        ]
    );
}

#[apply(on_both_engines!)]
async fn a_file_that_cannot_be_read_hides_no_other_finding(engine: Engine) {
    let fault = |method: &Method, path: &str| {
        (path.contains("unread") && matches!(*method, Method::GET | Method::HEAD))
            .then_some((403, "AccessDenied"))
    };
    let (_folder, url) = faulty_bucket(fault).await;
    let storage = Storage::open(Some(&url), std::path::Path::new("/nowhere")).unwrap();
    let server = TestServer::start_with_storage(engine, storage).await;
    let hash = if engine == Engine::Sqlite { "x'01'" } else { "'\\x01'" };
    server.sql(&format!("INSERT INTO uploads (id_hash, artist_name, email, original_name, extension, length, created_at, expires_at) VALUES ({hash}, 'a', 'a@b.example', 'x.zip', 'zip', 9, 1, {})", i64::MAX)).await;
    server.sql(&format!("INSERT INTO upload_parts (upload_hash, start, size_bytes, key) VALUES ({hash}, 0, 5, 'parts/gone'), ({hash}, 5, 4, 'parts/unread')")).await;
    for key in ["assets/unread.png", "assets/zero.png"] {
        store(&server, key, true).await;
        let id = server.id_literal(Uuid::now_v7());
        server
            .sql(&format!(
                "INSERT INTO site_images (id, key, image_url) VALUES ({id}, '{key}', '/media/{key}')"
            ))
            .await;
    }
    store(&server, "assets/no-row.png", false).await;
    server.app.storage.remove("assets/zero.png").await.unwrap();
    let findings = server.findings().await;
    let begin = [
        "assets/unread.png: cannot be read: ",
        "assets/zero.png: its bytes are gone",
        "parts/gone: the part of an upload is gone",
        "parts/unread: cannot be read: ",
        "assets/no-row.png: 5 bytes without a row",
    ];
    assert_eq!(findings.len(), begin.len(), "{findings:?}");
    assert!(findings.iter().zip(begin).all(|(line, begin)| line.starts_with(begin)), "{findings:?}");
}

#[tokio::test]
async fn a_damaged_page_hides_no_other_finding() {
    let server = TestServer::start(Engine::Sqlite).await;
    store(&server, "assets/gone.png", true).await;
    server.app.storage.remove("assets/gone.png").await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(SQLITE_FILE);
    let Db::Sqlite { write, .. } = &server.app.db else { unreachable!() };
    sqlx::query("VACUUM INTO $1").bind(copy.display().to_string()).execute(write).await.unwrap();
    let place =
        "SELECT (rootpage - 1) * page_size FROM sqlite_schema, pragma_page_size WHERE name = 'artists'";
    let db = Db::open(None, folder.path()).await.unwrap();
    let Db::Sqlite { read, .. } = &db else { unreachable!() };
    let at: i64 = sqlx::query_scalar(place).fetch_one(read).await.unwrap();
    db.close().await;
    let file = std::fs::File::options().write(true).open(&copy).unwrap();
    file.write_all_at(&[0xff; 64], at.cast_unsigned()).unwrap();
    let db = Db::open(None, folder.path()).await.unwrap();
    let findings = findings(&db, &server.app.storage).await;
    assert!(findings.iter().any(|line| line.starts_with("database: ")), "{findings:?}");
    assert!(findings.contains(&"assets/gone.png: its bytes are gone".to_owned()), "{findings:?}");
}

#[tokio::test]
async fn a_damaged_text_hides_no_other_finding() {
    let server = TestServer::start(Engine::Sqlite).await;
    server.artist("Mira", None).await;
    store(&server, "assets/gone.png", true).await;
    server.app.storage.remove("assets/gone.png").await.unwrap();
    server.sql("UPDATE artists SET name = CAST(x'ff' AS TEXT)").await;
    let findings = server.findings().await;
    assert!(findings.iter().any(|line| line.starts_with("database: ")), "{findings:?}");
    assert!(findings.contains(&"assets/gone.png: its bytes are gone".to_owned()), "{findings:?}");
}

/// Sets the date of every stored file to the server's fixed clock.
fn date(server: &TestServer) {
    let now = Duration::from_micros(server.app.clock.now().try_into().unwrap());
    for folder in ["", "uploads", "parts", "elsewhere"] {
        for name in server.stored(folder) {
            let file = std::fs::File::open(server.data.path().join("media").join(folder).join(name)).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + now).unwrap();
        }
    }
}

async fn sweep(server: &TestServer) -> usize {
    deletions::sweep_orphans(&server.app.db, &server.app.storage, server.app.clock.now()).await.unwrap()
}

#[apply(on_both_engines!)]
async fn the_sweep_takes_what_has_no_row_after_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    for key in ["uploads/kept.png", "uploads/kept-too.png", "uploads/kept-as-well.png"] {
        store(&server, key, true).await;
    }
    deletions::reserve(&server.app.db, "uploads/coming.png", i64::MAX / 2).await.unwrap();
    let of_probes = [1, 2, 3].map(|number| format!("probe-{number:016x}"));
    let others = ["uploads/coming.png", "uploads/no-row.png", "parts/no-row", "elsewhere/notes.txt"];
    for key in of_probes.iter().map(String::as_str).chain(others).chain(["probe-notes.txt"]) {
        store(&server, key, false).await;
    }
    let cut_off = server.data.path().join("media/uploads/cut-off.png#1");
    std::fs::write(&cut_off, "byt").unwrap();
    date(&server);
    assert_eq!(sweep(&server).await, 0, "all of it may be on its way");
    server.advance(Duration::from_hours(2));
    assert_eq!(sweep(&server).await, 1);
    assert!(!cut_off.exists(), "no program writes an hour at one file");
    server.advance(Duration::from_hours(23));
    assert_eq!(sweep(&server).await, 5);
    server.wait_until("they are gone", async || server.stored("parts").is_empty()).await;
    let is_gone = async || !server.stored("").iter().any(|name| of_probes.contains(name));
    server.wait_until("what probes left is gone too", is_gone).await;
    assert!(server.stored("").contains(&"probe-notes.txt".to_owned()), "not a file of a probe");
    server.wait_until("no job is left", async || server.count("deletions").await == 1).await;
    let mut stored = server.stored("uploads");
    stored.sort();
    assert_eq!(stored, ["coming.png", "kept-as-well.png", "kept-too.png", "kept.png"]);
    assert_eq!(server.stored("elsewhere"), ["notes.txt"], "not a file of this program");
}

#[apply(on_both_engines!)]
async fn nothing_is_swept_from_a_folder_of_mostly_foreign_files(engine: Engine) {
    let server = TestServer::start(engine).await;
    store(&server, "uploads/ours.png", true).await;
    for key in ["uploads/theirs.png", "uploads/theirs-too.png"] {
        store(&server, key, false).await;
    }
    date(&server);
    server.advance(Duration::from_hours(25));
    assert_eq!(sweep(&server).await, 0);
    assert_eq!((server.stored("uploads").len(), server.count("deletions").await), (3, 0));
}
