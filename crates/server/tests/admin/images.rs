use image::{GenericImageView as _, ImageFormat};
use macro_rules_attribute::apply;
use reqwest::Method;

use crate::{
    on_both_engines,
    support::{
        Answer, Engine, TestServer,
        files::{jpeg_of, picture, video},
        people::Browser,
    },
};

async fn upload(server: &TestServer, desk: &Browser, folder: &str, name: &str, bytes: &[u8]) -> Answer {
    let path = format!("/api/admin/images?folder={folder}");
    server.send_file(desk, (Method::POST, &path), (name, bytes), &[]).await
}

#[apply(on_both_engines!)]
async fn a_picture_is_stored_in_its_folder_with_a_small_version_beside(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for (folder, name, format) in [
        ("releases", "Cover.PNG", ImageFormat::Png),
        ("artists", "me.jpeg", ImageFormat::Jpeg),
        ("uploads", "a.webp", ImageFormat::WebP),
        ("uploads", "a.gif", ImageFormat::Gif),
    ] {
        let answer = upload(&server, &desk, folder, name, &picture(format, 900, 600)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let stored = answer.json();
        assert_eq!((stored["width"].as_u64(), stored["height"].as_u64()), (Some(900), Some(600)));
        let url = stored["url"].as_str().unwrap();
        assert!(url.starts_with(&format!("/media/{folder}/")), "{url}");
        assert!(rules::media_name::is_media_key(url.strip_prefix("/media/").unwrap()), "{url}");
        // Visitors may read a file of the uploads folder; the others are public once a public row uses them.
        let public = if folder == "uploads" { 200 } else { 404 };
        assert_eq!(server.get(url).await.status, public, "{url}");
        let served = desk.get(url).await;
        assert_eq!((served.status.as_u16(), served.header("content-type")), (200, format.to_mime_type()));
        assert!(served.header("content-security-policy").contains("sandbox"));
        assert_eq!(image::load_from_memory(&served.bytes).unwrap().dimensions(), (900, 600));
        let small = desk.get(stored["small_url"].as_str().unwrap()).await;
        assert_eq!((small.status.as_u16(), small.header("content-type")), (200, "image/jpeg"));
        assert_eq!(image::load_from_memory(&small.bytes).unwrap().dimensions(), (640, 426));
    }
    assert_eq!(server.count("media_files WHERE file_type = 'image'").await, 4);
    assert_eq!(server.count("objects").await, 8);
    assert_eq!(server.count("audit_log WHERE event = 'upload_stored'").await, 4);
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
    for query in ["", "?folder=avatars", "?folder=assets", "?folder=demos", "?folder=artists&x=1"] {
        let path = format!("/api/admin/images{query}");
        let png = picture(ImageFormat::Png, 8, 8);
        let answer = server.send_file(&desk, (Method::POST, &path), ("a.png", &png), &[]).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, "invalid_query"), "{query}");
    }
}

#[apply(on_both_engines!)]
async fn portraits_stored_at_once_get_different_names(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let png = picture(ImageFormat::Png, 8, 8);
    let mut uploads = tokio::task::JoinSet::new();
    let server = std::sync::Arc::new(server);
    for _ in 0..5 {
        let (server, desk, png) = (server.clone(), desk.copy(), png.clone());
        uploads.spawn(async move { upload(&server, &desk, "artists", "me.png", &png).await });
    }
    let mut urls: Vec<String> = Vec::new();
    for answer in uploads.join_all().await {
        assert_eq!(answer.status, 200, "{answer:?}");
        urls.push(answer.json()["url"].as_str().unwrap().to_owned());
    }
    urls.sort();
    let expected: Vec<String> =
        (0..5).map(|number| format!("/media/artists/artist-179517600000{number}.png")).collect();
    assert_eq!(urls, expected);
    for url in urls {
        assert_eq!(desk.get(&url).await.status, 200, "{url}");
    }
}

#[apply(on_both_engines!)]
async fn what_is_no_picture_is_refused_and_stored_nowhere(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let png = picture(ImageFormat::Png, 64, 64);
    let gif = picture(ImageFormat::Gif, 64, 64);
    for (name, bytes) in [
        ("me.jpg", png.as_slice()),
        ("me.png.exe", &png),
        ("me", &png),
        ("me.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
        ("me.png", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
        ("me.png", b"<!doctype html><script>alert(1)</script>"),
        ("me.gif", b"GIF89a/*<script>alert(1)</script>*/=1;"),
        ("me.jpg", b"\xff\xd8\xff\xe0<script>alert(1)</script>"),
        ("me.webp", b"RIFF\x20\0\0\0WEBPVP8 <script>alert(1)</script>"),
        ("me.png", b"\x89PNG\r\n\x1a\n<script>"),
        ("me.png", &png[..png.len() / 2]),
        ("me.gif", &gif[..gif.len() / 2]),
        ("me.mp4", &video(1000)),
        ("me.avif", include_bytes!("../../assets/hero-default.avif")),
        ("me.png", b""),
    ] {
        let answer = upload(&server, &desk, "artists", name, bytes).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, "invalid_file_type"), "{name}");
        assert_eq!(answer.json()["fields"]["file"], "Please upload a JPEG, PNG, WebP, or GIF image");
    }
    server.assert_nothing_stored().await;
    assert_eq!(server.count("audit_log WHERE event = 'upload_validation'").await, 15);
}

#[apply(on_both_engines!)]
async fn a_file_that_is_too_large_is_refused_in_words(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    for size in [5_242_881, 9_000_000] {
        let answer = upload(&server, &desk, "releases", "a.jpg", &jpeg_of(size)).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (413, "file_too_large"));
        assert_eq!(answer.json()["detail"], "Please upload an image smaller than 5MB");
    }
    server.assert_nothing_stored().await;
    let answer = upload(&server, &desk, "releases", "a.jpg", &jpeg_of(5_242_880)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[apply(on_both_engines!)]
async fn notes_and_what_follows_the_end_are_taken_out(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    for (name, format) in [
        ("a.jpg", ImageFormat::Jpeg),
        ("a.png", ImageFormat::Png),
        ("a.webp", ImageFormat::WebP),
        ("a.gif", ImageFormat::Gif),
    ] {
        let sent = [picture(format, 64, 64).as_slice(), b"<script>alert(1)</script>"].concat();
        let answer = upload(&server, &desk, "uploads", name, &sent).await;
        let stored = server.get(answer.json()["url"].as_str().unwrap()).await.bytes;
        assert!(!stored.windows(7).any(|window| window == b"<script"), "{name}");
        assert_eq!(image::load_from_memory(&stored).unwrap().dimensions(), (64, 64));
    }
}

#[apply(on_both_engines!)]
async fn a_storage_that_fails_leaves_nothing_behind(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let png = picture(ImageFormat::Png, 64, 64);
    // A file in place of the folder, so that storage fails to write.
    let folder = server.data.path().join("media/releases");
    std::fs::write(&folder, b"").unwrap();
    let answer = upload(&server, &desk, "releases", "a.png", &png).await;
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (503, "unavailable"));
    std::fs::remove_file(folder).unwrap();
    server.assert_nothing_stored().await;
    // A missing table, so that the database refuses the row.
    server.sql("ALTER TABLE media_files RENAME TO elsewhere").await;
    let answer = upload(&server, &desk, "releases", "a.png", &png).await;
    assert!(answer.status.is_server_error(), "{answer:?}");
    server.sql("ALTER TABLE elsewhere RENAME TO media_files").await;
    server.assert_nothing_stored().await;
}

#[apply(on_both_engines!)]
async fn a_full_library_takes_no_more(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let png = picture(ImageFormat::Png, 8, 8);
    assert_eq!(upload(&server, &desk, "uploads", "a.png", &png).await.status, 200);
    // Room for the same file again but for one byte.
    server.sql("UPDATE media_files SET file_size = 53687091201 - file_size").await;
    let answer = upload(&server, &desk, "uploads", "a.png", &png).await;
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (503, "storage_full"));
    assert_eq!(server.count("media_files").await, 1);
    server.sql("UPDATE media_files SET file_size = file_size - 1").await;
    assert_eq!(upload(&server, &desk, "uploads", "a.png", &png).await.status, 200);
}

#[apply(on_both_engines!)]
async fn of_many_at_once_no_more_are_taken_than_there_is_room_for(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let id = if engine == Engine::Sqlite { "randomblob(16)" } else { "gen_random_uuid()" };
    let numbers = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4998)";
    let keys = "'uploads/' || n || '.png'";
    server.sql(&format!("INSERT INTO objects (key, content_type, size_bytes, sha256, created_at) {numbers} SELECT {keys}, 'image/png', 1, '', 1 FROM n")).await;
    server.sql(&format!("INSERT INTO media_files (id, filename, original_name, file_path, file_type, file_size, mime_type, sort_key, created_at) {numbers} SELECT {id}, 'a.png', 'a.png', {keys}, 'image', 1, 'image/png', 'a', 1 FROM n")).await;
    let png = picture(ImageFormat::Png, 8, 8);
    let uploads = (0..8).map(|_| upload(&server, &desk, "uploads", "a.png", &png));
    let mut statuses: Vec<u16> =
        futures_util::future::join_all(uploads).await.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 503, 503, 503, 503, 503, 503]);
    assert_eq!(server.count("media_files").await, 5000);
    // Two files, each with its small version; nothing remains of the others.
    server.wait_until("the others are gone", async || server.stored("uploads").len() == 4).await;
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
    let last = upload(&server, &desk, "uploads", "a.png", &png).await;
    assert_eq!((last.status.as_u16(), last.problem().as_str()), (503, "storage_full"));
}
