//! Titles from a file's tags become the title of the draft.

use macro_rules_attribute::apply;
use rules::release::{ReleaseForm, check_release};
use serde_json::Value;
use uuid::Uuid;

use super::{
    analysis::{archive, sent},
    sender::wav,
};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

/// A WAV file with this `INFO` list.
fn tagged(info: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let long = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
    let mut list = b"INFO".to_vec();
    for (key, value) in info {
        list.extend([&key[..], &long(value.len()), value].concat());
        list.extend(vec![0; value.len() % 2]);
    }
    let sound = wav(9_000, 5);
    // Inserts the list between the format chunk and the samples.
    let (head, data) = sound.split_at(36);
    [head, b"LIST", &long(list.len()), &list, data].concat()
}

/// The title and album read from the tags of a demo, or of one of its tracks.
async fn read(server: &TestServer, demo: Uuid, track: i64) -> (Option<String>, Option<String>) {
    server.app.db.query(READ).bind(demo).bind(track).one().await.unwrap()
}

deadwax_store::statements! {
    READ = "SELECT title, album FROM demo_sounds WHERE demo_id = $1 AND track = $2";
}

/// The title of the draft made from a demo; checks that the editor's rules accept it.
async fn title(desk: &mut Browser, demo: Uuid) -> String {
    let made = desk.post(&format!("/api/admin/desk/demos/{demo}/release"), Value::Null).await;
    assert_eq!(made.status, 201, "{made:?}");
    let path = format!("/api/admin/releases/{}", made.json()["release_id"].as_str().unwrap());
    let title = desk.get(&path).await.json()["title"].as_str().unwrap().to_owned();
    let form =
        ReleaseForm { title: title.clone(), release_date: "2026-11-20".to_owned(), ..ReleaseForm::default() };
    assert_eq!(check_release(form).unwrap().title, title, "the rules leave it as it is");
    title
}

#[apply(on_both_engines!)]
async fn a_draft_is_called_what_the_tags_say_or_as_the_file(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let long = "x".repeat(300_000);
    for (name, said, expected) in [
        (&b"INAM"[..], "Quartz (Dub)".as_bytes(), "Quartz (Dub)"),
        (b"INAM", b" Quartz\0", "Quartz"),
        (b"INAM", "Gru\u{308}n".as_bytes(), "Gr\u{fc}n"),
        (b"INAM", b"<script>alert(1)</script>\r\nQuartz <b", "alert(1) Quartz b"),
        (b"INAM", "Quartz\u{202e}vaw.\u{2066}".as_bytes(), "Quartzvaw."),
        (b"INAM", long.as_bytes(), &long[..200]),
        // Bytes that are not UTF-8, invisible characters, and no title.
        (b"INAM", b"Gr\xfcn", "set"),
        (b"INAM", "\u{200b} \u{2060}".as_bytes(), "set"),
        (b"INAM", b"", "set"),
        (b"IPRD", b"An album", "set"),
    ] {
        let bytes = tagged(&[(name.try_into().unwrap(), said)]);
        let demo = sent(&server, &mut desk, "set.wav", bytes).await;
        assert_eq!(server.measure().await, 1);
        let shown = String::from_utf8_lossy(&said[..said.len().min(40)]).into_owned();
        assert_eq!(title(&mut desk, demo).await, expected, "{shown:?}");
        let (kept, _) = read(&server, demo, 0).await;
        assert_eq!(kept.as_deref(), (expected != "set").then_some(expected), "{shown:?}");
        server.advance(std::time::Duration::from_hours(24));
    }
    // Before the demo is measured, its file name serves.
    let demo = sent(&server, &mut desk, "set.wav", tagged(&[(b"INAM", b"Quartz")])).await;
    assert_eq!(title(&mut desk, demo).await, "set");
}

#[apply(on_both_engines!)]
async fn the_draft_of_an_archive_is_called_as_its_album(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let of_album = tagged(&[(b"INAM", b"One"), (b"IPRD", b"Night Shift")]);
    let alone = tagged(&[(b"INAM", b"Two")]);
    let bytes = archive(&[("1.wav", &of_album, true), ("2.wav", &alone, false)]);
    let demo = sent(&server, &mut desk, "set.zip", bytes).await;
    assert_eq!(server.measure().await, 3);
    let titles = (Some("One".to_owned()), Some("Night Shift".to_owned()));
    assert_eq!((read(&server, demo, 1).await, read(&server, demo, 0).await), (titles, (None, None)));
    assert_eq!(title(&mut desk, demo).await, "Night Shift");
    // If the first track has no album, the archive's name serves.
    let bytes = archive(&[("1.wav", &alone, false), ("2.wav", &of_album, true)]);
    let demo = sent(&server, &mut desk, "set.zip", bytes).await;
    server.measure().await;
    assert_eq!(title(&mut desk, demo).await, "set");
}
