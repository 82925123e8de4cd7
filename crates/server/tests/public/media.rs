use bytes::Bytes;
use deadwax_store::{
    objects::{self, Fingerprint, NewObject},
    storage::Storage,
};
use macro_rules_attribute::apply;
use reqwest::StatusCode;

use crate::{
    on_both_engines,
    support::{Engine, NOON, TestServer, bucket::bucket},
};

const KEY: &str = "uploads/1-abc.png";
const BYTES: &[u8] = b"0123456789abcdef";

async fn store(server: &TestServer, key: &str, bytes: &'static [u8]) {
    server.app.storage.put_new(key, Bytes::from_static(bytes)).await.unwrap();
    let mut tx = server.app.db.begin().await.unwrap();
    objects::insert(&mut tx, &NewObject::new(key, Fingerprint::of(bytes)), NOON).await.unwrap();
    tx.commit().await.unwrap();
}

#[apply(on_both_engines!)]
async fn a_stored_file_is_served_whole_in_part_and_not_at_all(engine: Engine) {
    let server = TestServer::start(engine).await;
    store(&server, KEY, BYTES).await;
    serves_all_forms(&server).await;
}

async fn serves_all_forms(server: &TestServer) {
    let path = format!("/media/{KEY}");
    let whole = server.get(&path).await;
    assert_eq!((whole.status, whole.bytes.as_slice()), (StatusCode::OK, BYTES));
    assert_eq!(whole.header("content-type"), "image/png");
    assert_eq!(whole.header("cache-control"), "public, max-age=3600");
    assert_eq!(whole.header("accept-ranges"), "bytes");
    let etag = whole.header("etag").to_owned();
    for (range, part, content_range) in [
        ("bytes=0-3", "0123", "bytes 0-3/16"),
        ("bytes=10-", "abcdef", "bytes 10-15/16"),
        ("bytes=-2", "ef", "bytes 14-15/16"),
        ("bytes=-17", "0123456789abcdef", "bytes 0-15/16"),
    ] {
        let answer = server.get_with(&path, &[("range", range)]).await;
        assert_eq!((answer.status, answer.text().as_str()), (StatusCode::PARTIAL_CONTENT, part));
        assert_eq!(answer.header("content-range"), content_range);
    }
    let beyond = server.get_with(&path, &[("range", "bytes=16-")]).await;
    assert_eq!(
        (beyond.status, beyond.header("content-range")),
        (StatusCode::RANGE_NOT_SATISFIABLE, "bytes */16")
    );
    assert_eq!(
        server.get_with(&path, &[("range", "bytes=0-3"), ("if-range", "\"other\"")]).await.status,
        StatusCode::OK
    );
    assert_eq!(
        server.get_with(&path, &[("range", "bytes=0-3"), ("if-range", &etag)]).await.status,
        StatusCode::PARTIAL_CONTENT
    );
    let known = server.get_with(&path, &[("if-none-match", &etag)]).await;
    assert_eq!((known.status, known.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    let other = server.get_with(&path, &[("if-none-match", &format!("\"x{}", &etag[1..]))]).await;
    assert_eq!(other.status, StatusCode::OK, "a tag that contains the file's is another one");
}

#[apply(on_both_engines!)]
async fn a_file_is_in_a_sandbox_and_only_pictures_and_videos_are_shown_in_place(engine: Engine) {
    let server = TestServer::start(engine).await;
    store(&server, KEY, BYTES).await;
    store(&server, "uploads/2-abc.zip", BYTES).await;
    let picture = server.get(&format!("/media/{KEY}")).await;
    assert_eq!(
        picture.header("content-security-policy"),
        "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox"
    );
    assert_eq!(picture.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(picture.header("content-disposition"), "");
    assert_eq!(server.get("/media/uploads/2-abc.zip").await.header("content-disposition"), "attachment");
}

#[apply(on_both_engines!)]
async fn bytes_without_a_row_and_rows_without_bytes_are_no_files(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.app.storage.put_new("uploads/alone.png", Bytes::from_static(BYTES)).await.unwrap();
    assert_eq!(server.get("/media/uploads/alone.png").await.status, StatusCode::NOT_FOUND);
    store(&server, KEY, BYTES).await;
    server.app.storage.remove(KEY).await.unwrap();
    let answer = server.get(&format!("/media/{KEY}")).await;
    assert_eq!((answer.status, answer.problem().as_str()), (StatusCode::SERVICE_UNAVAILABLE, "unavailable"));
}

#[tokio::test]
async fn a_file_is_never_overwritten() {
    let server = TestServer::start(Engine::Sqlite).await;
    store(&server, KEY, BYTES).await;
    assert!(server.app.storage.put_new(KEY, Bytes::from_static(b"other")).await.is_err());
    assert_eq!(server.get(&format!("/media/{KEY}")).await.bytes, BYTES);
}

#[tokio::test]
async fn a_link_inside_the_folder_leads_nowhere() {
    let server = TestServer::start(Engine::Sqlite).await;
    store(&server, KEY, BYTES).await;
    let file = server.data.path().join("media").join(KEY);
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", &file).unwrap();
    assert_eq!(server.get(&format!("/media/{KEY}")).await.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn a_bucket_serves_the_same_answers_as_a_folder() {
    let (_folder, url) = bucket().await;
    let storage = Storage::open(Some(&url), std::path::Path::new("/nowhere")).unwrap();
    let server = TestServer::start_with_storage(Engine::Sqlite, storage).await;
    store(&server, KEY, BYTES).await;
    serves_all_forms(&server).await;
    assert_eq!(server.get("/readyz").await.status, StatusCode::OK);
    server.app.storage.remove(KEY).await.unwrap();
    server.app.storage.remove(KEY).await.unwrap();
    assert_eq!(server.get(&format!("/media/{KEY}")).await.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn a_bucket_out_of_reach_fails_the_file_and_nothing_else() {
    let (folder, url) = bucket().await;
    let storage = Storage::open(Some(&url), std::path::Path::new("/nowhere")).unwrap();
    let server = TestServer::start_with_storage(Engine::Sqlite, storage).await;
    store(&server, KEY, BYTES).await;
    drop(folder);
    let path = format!("/media/{KEY}");
    assert_eq!(server.get(&path).await.status, StatusCode::SERVICE_UNAVAILABLE);
    let head = server.client.head(format!("{}{path}", server.base)).send().await.unwrap();
    assert_eq!((head.status(), &head.headers()["content-length"]), (StatusCode::OK, &"16".parse().unwrap()));
    assert_eq!(server.get("/api/releases").await.status, StatusCode::OK);
    assert_eq!(server.get("/").await.status, StatusCode::OK);
}

#[test]
fn a_storage_address_that_makes_no_sense_is_refused() {
    for url in ["http://bucket", "s3://", "s3:///x", "s3://bucket?colour=red", "bucket"] {
        assert!(Storage::open(Some(url), std::path::Path::new("/nowhere")).is_err(), "{url}");
    }
}
