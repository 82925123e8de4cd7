use std::{
    io::Cursor,
    time::{Duration, Instant},
};

use deadwax_store::deletions;
use image::{DynamicImage, GenericImageView as _, ImageFormat, Rgb, RgbImage};
use macro_rules_attribute::apply;
use serde_json::Value;

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, people::Browser},
};

const PATH: &str = "/api/profile/avatar";

/// Left half red, right half blue.
fn picture(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let image =
        RgbImage::from_fn(
            width,
            height,
            |x, _| if x < width / 2 { Rgb([250, 0, 0]) } else { Rgb([0, 0, 250]) },
        );
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(image).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A part of a form: the rest of its `Content-Disposition`, and its bytes.
type Part<'a> = (&'a str, &'a [u8]);

async fn send(server: &TestServer, browser: &Browser, parts: &[Part<'_>]) -> Answer {
    let mut body = Vec::new();
    for (disposition, bytes) in parts {
        body.extend(format!("--cut\r\nContent-Disposition: form-data; {disposition}\r\n\r\n").bytes());
        body.extend(*bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--cut--\r\n");
    post(server, browser, "multipart/form-data; boundary=cut", body).await
}

async fn post(server: &TestServer, browser: &Browser, kind: &str, body: Vec<u8>) -> Answer {
    let request = server
        .client
        .post(format!("{}{PATH}", server.base))
        .header("cookie", format!("sid={}", browser.cookies["sid"]))
        .header("content-type", kind)
        .body(body);
    Answer::read(request.send().await.unwrap()).await
}

async fn upload(server: &TestServer, browser: &Browser, name: &str, bytes: &[u8]) -> Answer {
    send(server, browser, &[(&format!("name=\"file\"; filename=\"{name}\""), bytes)]).await
}

fn avatar_url(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["avatar_url"].as_str().unwrap().to_owned()
}

async fn signed_in(engine: Engine) -> (TestServer, Browser, uuid::Uuid) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let browser = server.signed_in(&max).await;
    (server, browser, max.id)
}

#[apply(on_both_engines!)]
async fn a_picture_becomes_a_square_of_the_servers_own(engine: Engine) {
    let (server, mut browser, id) = signed_in(engine).await;
    for (name, format) in [
        ("me.png", ImageFormat::Png),
        ("ME.JPG", ImageFormat::Jpeg),
        ("me.jpeg", ImageFormat::Jpeg),
        ("me.webp", ImageFormat::WebP),
    ] {
        let url = avatar_url(&upload(&server, &browser, name, &picture(format, 1200, 700)).await);
        let key = url.strip_prefix("/media/avatars/").unwrap();
        let (millis, rest) = key.split_once('-').unwrap();
        assert_eq!(millis, "1795176000000");
        let random = rest.strip_suffix(".jpg").unwrap();
        assert!(random.len() == 32 && random.bytes().all(|b| b.is_ascii_hexdigit()), "{url}");
        let served = server.get(&url).await;
        assert_eq!((served.status.as_u16(), served.header("content-type")), (200, "image/jpeg"));
        let square = image::load_from_memory_with_format(&served.bytes, ImageFormat::Jpeg).unwrap();
        assert_eq!(square.dimensions(), (512, 512));
        assert!(square.get_pixel(60, 256).0[0] > 200 && square.get_pixel(450, 256).0[2] > 200);
        assert_eq!(browser.session().await["profile"]["avatar_url"], url);
    }
    assert_eq!(server.count("objects WHERE width = 512 AND height = 512").await, 1);
    let noted = server.audited(id).await;
    assert_eq!(noted.iter().filter(|(event, _)| event == "upload_stored").count(), 4, "{noted:?}");
}

#[apply(on_both_engines!)]
async fn a_name_of_which_nothing_is_left_refuses_no_picture(engine: Engine) {
    let (server, browser, _) = signed_in(engine).await;
    let png = picture(ImageFormat::Png, 8, 8);
    for name in ["<>", "\u{202e}", "<>.png", "pictures/"] {
        avatar_url(&upload(&server, &browser, name, &png).await);
    }
    for (name, bytes) in [("<>", &b"GIF89a"[..]), ("<>", b"text"), ("me.gif", &png)] {
        let refused = upload(&server, &browser, name, bytes).await;
        assert_eq!((refused.status.as_u16(), refused.problem()), (422, "invalid_file_type".to_owned()));
    }
}

#[apply(on_both_engines!)]
async fn nothing_of_the_file_but_the_picture_is_kept(engine: Engine) {
    let (server, browser, _) = signed_in(engine).await;
    let plain = picture(ImageFormat::Jpeg, 400, 400);
    // EXIF with a rotation by 180° and a location, then markup behind the end of the image.
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0".to_vec();
    exif.extend(b"GPSLatitude 52.5");
    let mut sent = plain[..2].to_vec();
    sent.extend([0xff, 0xe1]);
    sent.extend(u16::try_from(exif.len() + 2).unwrap().to_be_bytes());
    sent.extend(exif);
    sent.extend(&plain[2..]);
    sent.extend(b"<script>alert(1)</script>");
    let url = avatar_url(&upload(&server, &browser, "me.jpg", &sent).await);
    let stored = server.get(&url).await.bytes;
    for trace in [&b"Exif"[..], b"GPS", b"<script"] {
        assert!(!stored.windows(trace.len()).any(|window| window == trace));
    }
    let square = image::load_from_memory(&stored).unwrap();
    assert!(square.get_pixel(60, 256).0[2] > 200, "the picture was turned as its mark says");
    assert!(square.get_pixel(450, 256).0[0] > 200);
}

#[apply(on_both_engines!)]
async fn a_new_picture_takes_the_place_of_the_old_one(engine: Engine) {
    let (server, mut browser, id) = signed_in(engine).await;
    let bytes = picture(ImageFormat::Png, 300, 300);
    let first = avatar_url(&upload(&server, &browser, "me.png", &bytes).await);
    let second = avatar_url(&upload(&server, &browser, "me.png", &bytes).await);
    assert_ne!(first, second);
    let gone = server.get_with(&first, &[("if-none-match", "*")]).await;
    assert_eq!(gone.status, 404);
    assert_eq!(server.get(&second).await.status, 200);
    server.wait_until("one file is left", async || server.avatar_files().len() == 1).await;
    let removed = browser.delete(PATH).await;
    assert_eq!((removed.status.as_u16(), &removed.json()["avatar_url"]), (200, &Value::Null));
    assert_eq!(server.get(&second).await.status, 404);
    server.wait_until("no file is left", async || server.avatar_files().is_empty()).await;
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
    assert_eq!(browser.delete(PATH).await.status, 200, "removing nothing is no failure");
    let noted = server.audited(id).await;
    assert_eq!(noted.iter().filter(|(event, _)| event == "upload_delete").count(), 1, "{noted:?}");
}

async fn refused(server: &TestServer, browser: &mut Browser, answer: Answer, status: u16, code: &str) {
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (status, code));
    assert_eq!(browser.profile().await["avatar_url"], Value::Null);
    assert!(server.avatar_files().is_empty());
    assert_eq!(server.count("objects").await, 0);
}

#[apply(on_both_engines!)]
async fn what_is_no_picture_is_refused_and_stored_nowhere(engine: Engine) {
    let (server, mut browser, id) = signed_in(engine).await;
    let png = picture(ImageFormat::Png, 64, 64);
    let mut damaged = png.clone();
    damaged.truncate(png.len() / 2);
    for (name, bytes) in [
        ("me.jpg", png.as_slice()),
        ("me.png.exe", &png),
        ("me", &png),
        ("me.gif", &picture(ImageFormat::Gif, 64, 64)),
        ("me.svg", b"<svg onload=alert(1)>"),
        ("me.png", b"\x89PNG\r\n\x1a\n<script>"),
        ("me.png", &damaged),
        ("me.png", b""),
    ] {
        let answer = upload(&server, &browser, name, bytes).await;
        assert_eq!(
            answer.json()["fields"]["file"],
            "Invalid file type. Only JPG, PNG, and WebP are allowed.",
            "{name}"
        );
        refused(&server, &mut browser, answer, 422, "invalid_file_type").await;
    }
    // A PNG whose header claims 50000 × 50000 pixels, in 20 kB.
    let mut bomb = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xc3\x50\0\0\xc3\x50\x08\x02\0\0\0".to_vec();
    let mut crc = flate2::Crc::new();
    crc.update(&bomb[12..]);
    bomb.extend(crc.sum().to_be_bytes());
    bomb.extend([0; 20_000]);
    let started = Instant::now();
    let answer = upload(&server, &browser, "me.png", &bomb).await;
    // Decoding that many pixels would take far longer on any machine.
    assert!(started.elapsed() < Duration::from_secs(10));
    refused(&server, &mut browser, answer, 422, "invalid_file_type").await;
    let noted = server.audited(id).await;
    assert_eq!(noted.iter().filter(|(event, _)| event == "upload_validation").count(), 9, "{noted:?}");
}

#[apply(on_both_engines!)]
async fn a_file_that_is_too_large_is_refused_in_words(engine: Engine) {
    let (server, mut browser, _) = signed_in(engine).await;
    let mut padded = picture(ImageFormat::Jpeg, 300, 300);
    padded.resize(2_097_153, 0);
    for size in [2_097_153, 6_000_000] {
        padded.resize(size, 0);
        let answer = upload(&server, &browser, "me.jpg", &padded).await;
        assert_eq!(answer.json()["detail"], "File too large. Maximum size is 2MB.");
        refused(&server, &mut browser, answer, 413, "file_too_large").await;
    }
    padded.truncate(2_097_152);
    avatar_url(&upload(&server, &browser, "me.jpg", &padded).await);
}

#[apply(on_both_engines!)]
async fn a_form_of_another_kind_is_refused(engine: Engine) {
    let (server, mut browser, _) = signed_in(engine).await;
    let png = picture(ImageFormat::Png, 64, 64);
    let file: Part<'_> = ("name=\"file\"; filename=\"me.png\"", &png);
    let other: Part<'_> = ("name=\"picture\"; filename=\"me.png\"", &png);
    let text: Part<'_> = ("name=\"note\"", b"hello");
    for parts in [&[][..], &[text], &[other], &[file, file], &[file, other], &[other, file]] {
        let answer = send(&server, &browser, parts).await;
        refused(&server, &mut browser, answer, 422, "one_file").await;
    }
    let eleven: Vec<Part<'_>> = std::iter::repeat_n(text, 10).chain([file]).collect();
    let answer = send(&server, &browser, &eleven).await;
    refused(&server, &mut browser, answer, 422, "one_file").await;
    let answer =
        post(&server, &browser, "multipart/form-data; boundary=cut", b"--cut\r\nnonsense".to_vec()).await;
    refused(&server, &mut browser, answer, 422, "invalid_form").await;
    server.advance(Duration::from_hours(1));
    for kind in ["application/json", "image/png", "multipart/form-data"] {
        let answer = post(&server, &browser, kind, b"{}".to_vec()).await;
        refused(&server, &mut browser, answer, 415, "unsupported_media_type").await;
    }
    avatar_url(&send(&server, &browser, &[text, file]).await);
    let nobody = server.client.post(format!("{}{PATH}", server.base)).send().await.unwrap();
    assert_eq!(nobody.status(), 401);
}

#[apply(on_both_engines!)]
async fn the_eleventh_picture_of_an_hour_is_refused(engine: Engine) {
    let (server, mut browser, _) = signed_in(engine).await;
    let png = picture(ImageFormat::Png, 16, 16);
    for _ in 0..10 {
        avatar_url(&upload(&server, &browser, "me.png", &png).await);
    }
    let kept = browser.profile().await["avatar_url"].clone();
    let answer = upload(&server, &browser, "me.png", &png).await;
    assert_eq!((answer.status.as_u16(), answer.problem()), (429, "rate_limited".to_owned()));
    assert_eq!(browser.profile().await["avatar_url"], kept);
    server.advance(Duration::from_hours(1));
    avatar_url(&upload(&server, &browser, "me.png", &png).await);
}

#[apply(on_both_engines!)]
async fn pictures_that_are_refused_are_no_uploads(engine: Engine) {
    let (server, browser, _) = signed_in(engine).await;
    for _ in 0..12 {
        assert_eq!(upload(&server, &browser, "me.png", b"no picture").await.problem(), "invalid_file_type");
    }
    let png = picture(ImageFormat::Png, 16, 16);
    avatar_url(&upload(&server, &browser, "me.png", &png).await);
    // Refused uploads have their own limit, since reading a file costs the server just as much.
    for _ in 0..47 {
        assert_eq!(upload(&server, &browser, "me.png", b"no picture").await.status, 422);
    }
    assert_eq!(upload(&server, &browser, "me.png", b"no picture").await.status, 429);
}

#[apply(on_both_engines!)]
async fn a_picture_without_a_profile_to_keep_it_goes_again(engine: Engine) {
    let (server, browser, _) = signed_in(engine).await;
    server.sql("DELETE FROM profiles").await;
    let answer = upload(&server, &browser, "me.png", &picture(ImageFormat::Png, 16, 16)).await;
    assert_eq!((answer.status.as_u16(), answer.problem()), (404, "profile_missing".to_owned()));
    assert_eq!(server.count("objects").await, 0);
    server.wait_until("no file is left", async || server.avatar_files().is_empty()).await;
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
}

#[apply(on_both_engines!)]
async fn a_file_goes_when_the_storage_lets_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    // A directory in place of the file, so that storage fails to remove it.
    let stubborn = server.data.path().join("media/avatars/1-stubborn.jpg");
    std::fs::create_dir_all(stubborn.join("inside")).unwrap();
    deletions::reserve(&server.app.db, "avatars/1-stubborn.jpg", server.app.clock.now()).await.unwrap();
    server.app.deletions.remove_due().await.unwrap();
    assert_eq!(server.count("deletions").await, 1, "an upload has ten minutes");
    server.advance(Duration::from_mins(10));
    server.app.deletions.remove_due().await.unwrap();
    assert_eq!(server.count("deletions WHERE tries = 1").await, 1);
    std::fs::remove_dir_all(&stubborn).unwrap();
    std::fs::write(&stubborn, b"picture").unwrap();
    server.app.deletions.remove_due().await.unwrap();
    assert_eq!(server.count("deletions").await, 1, "not before the pause is over");
    server.advance(Duration::from_secs(5));
    server.app.deletions.remove_due().await.unwrap();
    assert_eq!(server.count("deletions").await, 0);
    assert!(!stubborn.exists());
}

#[apply(on_both_engines!)]
async fn a_file_whose_row_was_written_after_all_stays(engine: Engine) {
    let (server, browser, _) = signed_in(engine).await;
    let url = avatar_url(&upload(&server, &browser, "me.png", &picture(ImageFormat::Png, 16, 16)).await);
    let key = url.strip_prefix("/media/").unwrap();
    deletions::abandon(&server.app.db, &[key], server.app.clock.now()).await;
    server.wait_until("the job is done", async || server.count("deletions").await == 0).await;
    assert_eq!(server.get(&url).await.status, 200);
}
