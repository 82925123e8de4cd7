//! Concurrent imports and edits.

use reqwest::Method;
use serde_json::{Value, json};

use super::{FOREIGN, PATH, imported, previewed, send, verdicts};
use crate::support::{Answer, Engine, Release, TestServer, change};

#[tokio::test]
async fn two_imports_at_once_do_not_take_the_same_addresses_or_artists() {
    use deadwax::imports::{self, plan::Choices, write::NewImport};

    let server = TestServer::start(Engine::Postgres).await;
    let now = server.app.clock.now();
    let import = async |mut tx: deadwax_store::db::Tx| {
        let choices = Choices::default();
        let prepared = imports::prepare(FOREIGN.as_bytes().to_vec(), &choices).await.unwrap();
        let new =
            NewImport { id: uuid::Uuid::now_v7(), file_name: "a.csv".to_owned(), by: None, as_drafts: false };
        imports::run(&mut tx, prepared, choices, &new, now).await.map(|_| tx)
    };
    let first = import(server.app.db.begin().await.unwrap()).await.unwrap();
    let other = import(server.app.db.begin().await.unwrap());
    let commit = async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        first.commit().await.unwrap();
    };
    let (other, ()) = tokio::join!(other, commit);
    other.unwrap().commit().await.unwrap();
    assert_eq!((server.count("releases").await, server.count("slugs").await), (6, 6));
    assert_eq!(server.count("artists").await, 2, "the second finds those of the first");
    assert_eq!(server.count("slugs WHERE slug IN ('404-001', '404-001-2')").await, 2);
}

#[tokio::test]
async fn an_import_and_a_save_of_the_same_release_do_not_wait_for_each_other() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    desk.session().await;
    server.release(Release { title: "Signal", date: Some("2026-01-01"), ..Release::default() }).await;
    let table = desk.get("/api/admin/exports/releases.csv").await.text().replace("Signal", "Signal 2");
    assert_eq!(verdicts(&previewed(&server, &desk, &table, &[]).await), ["change"]);
    let mut saving = server.app.db.begin().await.unwrap();
    change(&mut saving, "UPDATE releases SET version = version + 1").await;
    let importing = send(&server, &desk, PATH, &table, &[]);
    let save = async {
        server.wait_for_locks(1).await;
        saving.commit().await
    };
    let (imported, saved) = tokio::join!(importing, save);
    saved.unwrap();
    assert_eq!(imported.status, 412, "{imported:?}");
}

#[tokio::test]
async fn a_release_that_is_deleted_while_its_artist_is_renamed_does_not_wait_for_it() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    desk.session().await;
    let artist = server.artist("Mira Holm", None).await;
    let release =
        server.release(Release { title: "Signal", artist: Some(artist), ..Release::default() }).await;
    let mut holding = server.app.db.begin().await.unwrap();
    change(&mut holding, "UPDATE artists SET bio = 'x'").await;
    let mut other = desk.copy();
    let path = format!("/api/admin/artists/{artist}");
    let renaming = desk.edit(&path, 1, json!({"name": "Mira H."}));
    let deleting = async {
        server.wait_for_locks(1).await;
        let path = format!("/api/admin/releases/{release}");
        let deleting = other.delete(&path);
        let held = async {
            server.wait_for_locks(2).await;
            holding.commit().await
        };
        let (deleted, held) = tokio::join!(deleting, held);
        held.unwrap();
        deleted
    };
    let (renamed, deleted) = tokio::join!(renaming, deleting);
    assert_eq!((renamed.status.as_u16(), deleted.status.as_u16()), (200, 204), "{renamed:?} {deleted:?}");
}

/// The answer to a request that waits for every file to be moved to the trash.
async fn while_files_go(server: &TestServer, request: impl Future<Output = Answer>) -> Answer {
    let mut deleting = server.app.db.begin().await.unwrap();
    change(&mut deleting, "UPDATE media_files SET deleted_at = 1").await;
    let delete = async {
        server.wait_for_locks(1).await;
        deleting.commit().await
    };
    let (answer, deleted) = tokio::join!(request, delete);
    deleted.unwrap();
    answer
}

#[tokio::test]
async fn a_file_that_goes_to_the_trash_meanwhile_becomes_no_cover() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    let file = crate::support::files::picture(image::ImageFormat::Png, 8, 8);
    let upload = (Method::POST, "/api/admin/images?folder=releases");
    let cover = server.send_file(&desk, upload, ("cover.png", &file), &[]).await.json();
    let cover = cover["url"].as_str().unwrap();
    let form = json!({"title": "Signal", "release_date": "2019-03-12", "cover_image_url": cover});
    let row = desk.post("/api/admin/releases", form.clone()).await.json();
    let id = row["id"].as_str().unwrap();
    let path = format!("/api/admin/releases/{id}");
    let table = |url: &str| format!("id,title,date,cover_image_url\n{id},Signal,2019-03-12,{url}\n");
    let import = imported(&server, &desk, &table("https://elsewhere.example/a.jpg"), &[]).await;

    let undo = format!("{PATH}/{}/undo", import["id"].as_str().unwrap());
    let undone = while_files_go(&server, desk.post(&undo, json!({}))).await;
    assert_eq!(undone.json(), json!({"undone": 1, "left": []}));
    let row = desk.get(&path).await.json();
    assert_eq!((&row["cover_image_url"], &row["version"]), (&Value::Null, &json!(3)));

    server.sql("UPDATE media_files SET deleted_at = NULL").await;
    let saved = while_files_go(&server, desk.edit(&path, 3, form)).await;
    assert_eq!((saved.status.as_u16(), saved.problem()), (422, "picture_gone".to_owned()));

    server.sql("UPDATE media_files SET deleted_at = NULL").await;
    let imported = while_files_go(&server, send(&server, &desk, PATH, &table(cover), &[])).await;
    assert_eq!(imported.status, 412, "{imported:?}");
}

#[tokio::test]
async fn a_save_and_the_deletion_of_its_cover_do_not_wait_for_each_other() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    let file = crate::support::files::picture(image::ImageFormat::Png, 8, 8);
    let upload = (Method::POST, "/api/admin/images?folder=releases");
    let cover = server.send_file(&desk, upload, ("cover.png", &file), &[]).await.json();
    let form = json!({"title": "Signal", "release_date": "2019-03-12", "cover_image_url": cover["url"]});
    let row = desk.post("/api/admin/releases", form.clone()).await.json();
    let mut deleting = server.app.db.begin().await.unwrap();
    change(&mut deleting, "UPDATE media_files SET deleted_at = 1").await;
    let path = format!("/api/admin/releases/{}", row["id"].as_str().unwrap());
    let delete = async {
        server.wait_for_locks(1).await;
        change(&mut deleting, "UPDATE releases SET cover_image_url = NULL, version = version + 1").await;
        deleting.commit().await
    };
    let (saved, deleted) = tokio::join!(desk.edit(&path, 1, form), delete);
    deleted.unwrap();
    assert_eq!((saved.status.as_u16(), saved.problem()), (412, "stale_version".to_owned()), "{saved:?}");
}

#[tokio::test]
async fn an_undo_and_the_deletion_of_its_covers_do_not_wait_for_each_other() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    let mut covers = Vec::new();
    for size in [8, 9] {
        let file = crate::support::files::picture(image::ImageFormat::Png, size, size);
        let upload = (Method::POST, "/api/admin/images?folder=releases");
        let cover = server.send_file(&desk, upload, ("cover.png", &file), &[]).await.json();
        covers.push(cover["url"].as_str().unwrap().to_owned());
    }
    let mut table = vec!["id,title,date,cover_image_url\n".to_owned()];
    // The first release shows the file that the trash moves last.
    for cover in covers.iter().rev() {
        let form = json!({"title": "Signal", "release_date": "2019-03-12", "cover_image_url": cover});
        let row = desk.post("/api/admin/releases", form).await.json();
        let id = row["id"].as_str().unwrap();
        table.push(format!("{id},Signal,2019-03-12,https://elsewhere.example/a.jpg\n"));
    }
    let import = imported(&server, &desk, &table.concat(), &[]).await;
    let mut deleting = server.app.db.begin().await.unwrap();
    let first =
        "UPDATE media_files SET deleted_at = 1 WHERE id IN (SELECT id FROM media_files ORDER BY id LIMIT 1)";
    change(&mut deleting, first).await;
    let delete = async {
        server.wait_for_locks(1).await;
        change(&mut deleting, "UPDATE media_files SET deleted_at = 1").await;
        deleting.commit().await.unwrap();
    };
    let undo = format!("{PATH}/{}/undo", import["id"].as_str().unwrap());
    let (undone, ()) = tokio::join!(desk.post(&undo, json!({})), delete);
    assert_eq!(undone.json(), json!({"undone": 2, "left": []}), "{undone:?}");
}
