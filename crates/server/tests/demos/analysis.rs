//! Measuring demos after they have arrived: each once, in spite of failures and restarts.

use std::io::Write as _;

use deadwax::{
    demos::sounds::{self, SoundDetails},
    jobs,
    trash::moves,
};
use deadwax_store::demo_sounds;
use flate2::{Compression, Crc, write::DeflateEncoder};
use macro_rules_attribute::apply;
use rules::demo::{ANALYSIS_WORK_MS, UNPACKED_MPEG4_MAX_BYTES};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::sender::{Sender, plain, wav};
use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, files::SlowFile, people::Browser},
};

impl TestServer {
    /// Measures all demos that are due, and returns how many files and tracks were started.
    pub async fn measure(&self) -> usize {
        jobs::do_due(&self.app.analysis, &CancellationToken::new()).await.unwrap()
    }
}

/// 16 bits, two channels, 44.1 kHz: one frame per four bytes after the 44-byte header.
fn milliseconds(bytes: usize) -> i64 {
    i64::try_from((bytes - 44) / 4 * 1000 / 44_100).unwrap()
}

/// A ZIP archive of these files; `true` marks the deflated ones.
pub fn archive(files: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let long = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
    let short = |length: usize| u16::try_from(length).unwrap().to_le_bytes();
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, data, is_deflated) in files {
        let mut crc = Crc::new();
        crc.update(data);
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(data).unwrap();
        let packed = if *is_deflated { packer.finish().unwrap() } else { data.to_vec() };
        let method: [u8; 2] = if *is_deflated { [8, 0] } else { [0, 0] };
        let common = [
            &[20, 0, 0, 0][..],
            &method,
            &[0, 0, 0x21, 0],
            &crc.sum().to_le_bytes(),
            &long(packed.len()),
            &long(data.len()),
            &short(name.len()),
            &[0, 0],
        ]
        .concat();
        let place = bytes.len();
        bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat());
        directory
            .extend([b"PK\x01\x02\x14\x03", &common[..], &[0; 10], &long(place), name.as_bytes()].concat());
    }
    let (begin, size) = (bytes.len(), directory.len());
    bytes.extend(directory);
    bytes.extend([b"PK\x05\x06\0\0\0\0", &short(files.len())[..], &short(files.len())].concat());
    bytes.extend([&long(size)[..], &long(begin), &[0, 0]].concat());
    bytes
}

pub async fn sent(server: &TestServer, desk: &mut Browser, name: &str, bytes: Vec<u8>) -> Uuid {
    server.advance(std::time::Duration::from_secs(1));
    let sender = Sender::of(server);
    let announced = sender.announce(bytes.len(), &plain(name)).await;
    let answer = sender.patch(announced.header("location"), 0, bytes).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    let newest = desk.get("/api/admin/demos").await.json()["items"][0]["id"].clone();
    newest.as_str().unwrap().parse().unwrap()
}

async fn part_of(desk: &mut Browser, path: &str, range: &str) -> Answer {
    desk.headers = vec![("range".to_owned(), range.to_owned())];
    let part = desk.get(path).await;
    desk.headers.clear();
    part
}

/// The progress of a demo's measuring, which the desk's list and the demo itself must agree on.
async fn sound(desk: &mut Browser, demo: Uuid) -> Value {
    let page = desk.get("/api/admin/desk/demos").await.json();
    let item = page["items"].as_array().unwrap().iter().find(|item| item["id"] == demo.to_string()).unwrap();
    let alone = desk.get(&format!("/api/admin/desk/demos/{demo}")).await.json();
    assert_eq!(item["sound"], alone["sound"]);
    item["sound"].clone()
}

/// The sound of a demo not measured yet, or whose measuring failed.
fn unmeasured(state: &str, failure: Option<&str>) -> Value {
    json!({"state": state, "failure": failure, "duration_ms": null, "track_count": null})
}

async fn known(server: &TestServer, demo: Uuid) -> SoundDetails {
    sounds::details(&server.app.db, demo.into()).await.unwrap()
}

#[apply(on_both_engines!)]
async fn a_demo_is_measured_once_and_admins_hear_of_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = sent(&server, &mut desk, "set.wav", wav(300_000, 1)).await;
    assert_eq!(sound(&mut desk, demo).await, unmeasured("waiting", None));
    let events = server.count("events WHERE table_name = 'demos' AND op = 'update'").await;

    assert_eq!((server.measure().await, server.measure().await), (1, 0), "once is enough");
    assert_eq!(server.count("events WHERE table_name = 'demos' AND op = 'update'").await, events + 1);
    let SoundDetails { analysis, tracks } = known(&server, demo).await;
    let found = analysis.unwrap();
    let long = milliseconds(300_000);
    let done = json!({"state": "done", "failure": null, "duration_ms": long, "track_count": null});
    assert_eq!((sound(&mut desk, demo).await, found.duration_ms), (done, long));
    assert_eq!((found.sample_rate, found.channels, found.peaks.len()), (44_100, 2, 1000));
    assert!(found.loudness_lufs.is_some_and(|level| (-10.0..5.0).contains(&level)), "{found:?}");
    assert!(found.true_peak_dbtp.is_some_and(|level| (-1.0..6.0).contains(&level)), "{found:?}");
    assert_eq!(tracks, vec![]);
    let shown = desk.get(&format!("/api/admin/desk/demos/{demo}")).await.json();
    assert_eq!((&shown["sound"]["state"], &shown["analysis"]["channels"]), (&json!("done"), &json!(2)));
    assert_eq!(shown["analysis"]["peaks"].as_array().unwrap().len(), 1000);
    assert_eq!(server.files("spool"), [""; 0], "nothing is left of it on its way");
}

/// One second of a tone as MPEG-4.
fn mpeg4() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tone.m4a");
    let made = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac"])
        .arg(&path)
        .status();
    assert!(made.unwrap().success());
    std::fs::read(path).unwrap()
}

#[apply(on_both_engines!)]
async fn no_more_of_a_deflated_mpeg4_is_unpacked_than_any_is_long(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let plain = mpeg4();
    let padding = usize::try_from(UNPACKED_MPEG4_MAX_BYTES).unwrap();
    let mut padded = plain.clone();
    padded.extend(u32::try_from(padding + 8).unwrap().to_be_bytes());
    padded.extend(b"free");
    padded.resize(padded.len() + padding, 0);
    let noise = wav(1_500_000, 3);
    let packed = archive(&[("1.m4a", &plain, true), ("2.m4a", &padded, true), ("3.wav", &noise, false)]);
    let demo = sent(&server, &mut desk, "ep.zip", packed).await;
    assert_eq!(server.measure().await, 4, "the archive, and its tracks");
    let SoundDetails { tracks, .. } = known(&server, demo).await;
    let measured: Vec<bool> = tracks.iter().map(|track| track.analysis.is_some()).collect();
    assert_eq!(measured, [true, false, true]);
    assert_eq!(server.count("demo_sounds WHERE failure = 'unreadable'").await, 1);
}

#[apply(on_both_engines!)]
async fn each_track_of_an_archive_is_measured_and_played(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let (one, two) = (wav(400_000, 3), [wav(44, 1), vec![0; 200_000]].concat());
    let packed = archive(&[
        ("EP/02 Silence.wav", &two, true),
        ("EP/01 Noise.wav", &one, false),
        ("EP/read me.txt", b"play it loud", true),
    ]);
    let demo = sent(&server, &mut desk, "ep.zip", packed).await;
    assert_eq!(server.measure().await, 3, "the archive, and its tracks");
    let SoundDetails { analysis, tracks } = known(&server, demo).await;
    let long = milliseconds(400_000) + milliseconds(200_044);
    let done = json!({"state": "done", "failure": null, "duration_ms": long, "track_count": 2});
    assert_eq!((sound(&mut desk, demo).await, analysis), (done, None));
    server.sql("UPDATE demo_sounds SET state = 'waiting', duration_ms = NULL WHERE track = 1").await;
    let waiting = json!({"state": "waiting", "failure": null, "duration_ms": null, "track_count": 2});
    assert_eq!(sound(&mut desk, demo).await, waiting, "as long as one track does");
    server
        .sql("UPDATE demo_sounds SET state = 'failed', failure = 'empty', duration_ms = NULL WHERE track > 0")
        .await;
    let failed = json!({"state": "failed", "failure": "empty", "duration_ms": null, "track_count": 2});
    assert_eq!(sound(&mut desk, demo).await, failed, "once no track can be heard");
    let names: Vec<(i64, &str)> = tracks.iter().map(|track| (track.index, track.name.as_str())).collect();
    assert_eq!(names, [(0, "EP/01 Noise.wav"), (1, "EP/02 Silence.wav")]);
    let silence = tracks[1].analysis.as_ref().unwrap();
    assert_eq!((silence.loudness_lufs, silence.true_peak_dbtp), (None, None));
    assert_eq!(silence.silence_start_ms, silence.duration_ms);

    for (index, bytes) in [(0, &one), (1, &two)] {
        let path = format!("/api/admin/demos/{demo}/tracks/{index}/file?inline=true");
        let whole = desk.get(&path).await;
        assert_eq!((whole.status.as_u16(), whole.header("content-type")), (200, "audio/wav"), "{whole:?}");
        assert!(whole.header("content-disposition").starts_with("inline; filename=\"0"), "{whole:?}");
        assert_eq!((whole.header("cache-control"), whole.header("accept-ranges")), ("no-store", "bytes"));
        assert!(whole.bytes == *bytes, "track {index}");
        for (range, place) in [("bytes=0-99", 0..100), ("bytes=150000-150999", 150_000..151_000)] {
            let part = part_of(&mut desk, &path, range).await;
            assert_eq!(part.status, 206, "{part:?}");
            assert_eq!(part.bytes, bytes[place].to_vec());
        }
        let last = part_of(&mut desk, &path, "bytes=-10").await;
        assert_eq!(last.bytes, bytes[bytes.len() - 10..].to_vec());
        let beyond = part_of(&mut desk, &path, "bytes=900000-").await;
        assert_eq!(beyond.status, 416);
    }
    let noted = "audit_log WHERE event = 'sensitive_read'";
    assert_eq!(server.count(noted).await, 1, "a demo that is heard is noted once an hour");
    for index in ["2", "00", "-1", "x", "99999999999"] {
        let path = format!("/api/admin/demos/{demo}/tracks/{index}/file");
        assert_eq!(desk.get(&path).await.status, 404, "{index}");
        assert_eq!(server.get(&path).await.status, 401, "{index}");
    }
}

/// 7-Zip packs with LZMA, for example, and producers add other formats.
#[apply(on_both_engines!)]
async fn a_track_that_cannot_be_read_is_shown_as_such(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let noise = wav(100_000, 3);
    let mut packed =
        archive(&[("1.wav", &noise, false), ("2.wav", &noise, true), ("3.aiff", b"FORM", false)]);
    // Changes the second entry's method, in its local header and in the directory.
    let is_header =
        |at: &usize| packed[*at..].starts_with(b"PK\x03\x04") || packed[*at..].starts_with(b"PK\x01\x02");
    let headers: Vec<usize> = (0..packed.len() - 4).filter(is_header).collect();
    assert_eq!(headers.len(), 6);
    packed[headers[1] + 8] = 14;
    packed[headers[4] + 10] = 14;
    let demo = sent(&server, &mut desk, "ep.zip", packed).await;
    assert_eq!(server.measure().await, 2, "the archive, and the track that can be read");
    let tracks = known(&server, demo).await.tracks;
    let listed: Vec<_> =
        tracks.iter().map(|track| (track.name.as_str(), track.sound.failure.as_deref())).collect();
    assert_eq!(listed, [("1.wav", None), ("2.wav", Some("packed")), ("3.aiff", Some("unreadable"))]);
    let all = sound(&mut desk, demo).await;
    assert_eq!((&all["state"], &all["track_count"]), (&json!("done"), &json!(3)));
    for (index, status) in [(0, 200), (1, 404), (2, 200)] {
        let path = format!("/api/admin/demos/{demo}/tracks/{index}/file");
        assert_eq!(desk.get(&path).await.status, status, "{index}");
    }
}

#[apply(on_both_engines!)]
async fn what_cannot_be_measured_fails_by_name(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    // A recording without frames, one with an unsupported codec, and one that crashed the program three times.
    let empty = sent(&server, &mut desk, "empty.wav", wav(44, 1)).await;
    let mut strange = wav(10_000, 1);
    strange[20] = 0x55;
    let strange = sent(&server, &mut desk, "strange.wav", strange).await;
    let crashing = sent(&server, &mut desk, "crashing.wav", wav(10_000, 1)).await;
    server.sql("UPDATE demo_sounds SET tries = 3 WHERE demo_id = (SELECT id FROM demos WHERE original_name = 'crashing.wav')").await;
    let missing = sent(&server, &mut desk, "missing.wav", wav(10_000, 7)).await;
    let newest = server.files("media/demos").into_iter().max().unwrap();
    std::fs::remove_file(server.data.path().join("media/demos").join(newest)).unwrap();
    assert_eq!(server.measure().await, 4);
    for (demo, failure) in
        [(empty, "empty"), (strange, "unreadable"), (crashing, "crashed"), (missing, "missing")]
    {
        assert_eq!(sound(&mut desk, demo).await, unmeasured("failed", Some(failure)));
    }
    assert_eq!(server.measure().await, 0, "nobody tries again");
}

/// A file whose folder or bucket was away for a while is measured once it is back.
#[apply(on_both_engines!)]
async fn a_demo_whose_file_is_away_is_measured_when_it_is_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = sent(&server, &mut desk, "set.wav", wav(10_000, 1)).await;
    let (there, away) = (server.data.path().join("media/demos"), server.data.path().join("media/away"));
    std::fs::rename(&there, &away).unwrap();
    assert_eq!((server.measure().await, server.measure().await), (1, 0));
    assert_eq!(sound(&mut desk, demo).await, unmeasured("failed", Some("missing")));
    server.advance(std::time::Duration::from_mins(11));
    assert_eq!((server.measure().await, server.measure().await), (1, 0), "nobody looks all the time");
    std::fs::rename(&away, &there).unwrap();
    server.advance(std::time::Duration::from_mins(11));
    assert_eq!((server.measure().await, server.measure().await), (1, 0));
    assert_eq!(sound(&mut desk, demo).await["state"], "done");
}

#[apply(on_both_engines!)]
async fn a_database_that_fails_costs_a_demo_no_try(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = sent(&server, &mut desk, "set.wav", wav(10_000, 1)).await;
    for _ in 0..4 {
        server.sql("ALTER TABLE demos RENAME COLUMN file_key TO away").await;
        assert!(jobs::do_due(&server.app.analysis, &CancellationToken::new()).await.is_err());
        server.sql("ALTER TABLE demos RENAME COLUMN away TO file_key").await;
        server.advance(std::time::Duration::from_mins(2));
    }
    assert_eq!(server.count("demo_sounds WHERE tries = 0 AND state = 'waiting'").await, 1);
    assert_eq!(server.measure().await, 1);
    assert_eq!(sound(&mut desk, demo).await["state"], "done");
}

#[apply(on_both_engines!)]
async fn a_track_without_a_byte_is_empty_and_the_others_are_measured(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let packed = archive(&[("01 Nothing.wav", &[], false), ("02 Noise.wav", &wav(10_000, 1), false)]);
    let demo = sent(&server, &mut desk, "ep.zip", packed).await;
    assert_eq!(server.measure().await, 3, "the archive, and its tracks");
    let ends: Vec<_> =
        known(&server, demo).await.tracks.into_iter().map(|track| track.sound.failure).collect();
    assert_eq!(ends, [Some("empty".to_owned()), None]);
    assert_eq!(server.count("demo_sounds WHERE state = 'waiting'").await, 0);
}

#[apply(on_both_engines!)]
async fn demos_of_before_are_measured_and_figures_go_with_their_demo(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = sent(&server, &mut desk, "set.wav", wav(100_000, 1)).await;
    server.sql("DELETE FROM demo_sounds").await;
    assert_eq!(sound(&mut desk, demo).await, unmeasured("waiting", None));
    assert_eq!(server.measure().await, 1);
    assert_eq!(desk.delete(&format!("/api/admin/demos/{demo}")).await.status, 204);
    let path = format!("/api/admin/demos/{demo}/tracks/0/file");
    assert_eq!(desk.get(&path).await.status, 404);
    server.advance(std::time::Duration::from_secs(90));
    moves::sweep(&server.app.db, &server.app.origin, server.app.clock.now()).await;
    assert_eq!((server.count("demos").await, server.count("demo_sounds").await), (0, 0));
}

/// Records `work_ms` as already spent on the demo of this file.
async fn spend(server: &TestServer, file: &str, work_ms: u64) {
    let demo = format!("(SELECT id FROM demos WHERE original_name = '{file}')");
    server
        .sql(&format!("UPDATE demo_sounds SET work_ms = {work_ms} WHERE track = 0 AND demo_id = {demo}"))
        .await;
}

#[apply(on_both_engines!)]
async fn no_demo_makes_another_wait_for_all_its_tracks(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let stop = CancellationToken::new();
    let track = wav(100_000, 1);
    let packed = archive(&[("1.wav", &track, false), ("2.wav", &track, false), ("3.wav", &track, false)]);
    let heavy = sent(&server, &mut desk, "heavy.zip", packed).await;
    for _ in 0..2 {
        assert!(
            jobs::do_next(&server.app.analysis, &stop).await.unwrap(),
            "the archive, and its first track"
        );
    }
    let light = sent(&server, &mut desk, "light.wav", wav(50_000, 2)).await;
    assert!(jobs::do_next(&server.app.analysis, &stop).await.unwrap());
    assert_eq!(sound(&mut desk, light).await["state"], "done", "it came later, and cost nothing yet");
    assert_eq!(sound(&mut desk, heavy).await["state"], "waiting");
    // Of two that were started, the cheaper one is next.
    let other = sent(&server, &mut desk, "other.zip", archive(&[("1.wav", &track, false)])).await;
    spend(&server, "heavy.zip", 5000).await;
    spend(&server, "other.zip", 4000).await;
    for _ in 0..2 {
        assert!(
            jobs::do_next(&server.app.analysis, &stop).await.unwrap(),
            "the other archive, and its track"
        );
    }
    assert_eq!(sound(&mut desk, other).await["state"], "done");
    assert_eq!(sound(&mut desk, heavy).await["state"], "waiting");
    assert_eq!((server.measure().await, server.measure().await), (2, 0), "and then the rest");
    assert_eq!(sound(&mut desk, heavy).await["state"], "done");
}

#[apply(on_both_engines!)]
async fn a_demo_is_not_worked_on_for_longer_than_the_longest_takes(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let stop = CancellationToken::new();
    let (short, long) = (wav(10_000, 1), wav(4_000_000, 1));
    let packed = archive(&[("1.wav", &short, false), ("2.wav", &long, false), ("3.wav", &short, false)]);
    let heavy = sent(&server, &mut desk, "heavy.zip", packed).await;
    for _ in 0..2 {
        assert!(
            jobs::do_next(&server.app.analysis, &stop).await.unwrap(),
            "the archive, and its first track"
        );
    }
    assert_eq!(server.count("demo_sounds WHERE work_ms > 0 AND track = 0").await, 1, "what it cost is known");
    spend(&server, "heavy.zip", ANALYSIS_WORK_MS - 1).await;
    let light = sent(&server, &mut desk, "light.wav", short).await;
    assert_eq!(server.measure().await, 3);
    let ends: Vec<_> =
        known(&server, heavy).await.tracks.into_iter().map(|track| track.sound.failure).collect();
    let slow = Some("slow".to_owned());
    assert_eq!(ends, [None, slow.clone(), slow], "the second is broken off, the third is not begun");
    assert_eq!(sound(&mut desk, light).await["state"], "done");
    assert_eq!(server.measure().await, 0, "nobody tries again");
}

#[apply(on_both_engines!)]
async fn a_demo_with_a_slow_file_keeps_its_lease(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    sent(&server, &mut desk, "set.wav", wav(10_000, 1)).await;
    let file = server.stored("demos").pop().unwrap();
    let slow = SlowFile::in_place_of(server.data.path().join("media/demos").join(file));
    let fetching = async {
        server.assert_lease_renewed("demo_sounds").await;
        let now = server.app.clock.now();
        let other = demo_sounds::lease(&server.app.db, now, now + 1).await.unwrap();
        assert_eq!(other, None, "another instance waits");
        drop(slow);
    };
    let (begun, ()) = tokio::join!(server.measure(), fetching);
    let untouched = "demo_sounds WHERE state = 'waiting' AND tries = 0 AND lease IS NULL";
    assert_eq!((begun, server.count(untouched).await), (1, 1), "it is tried again");
}

#[tokio::test]
async fn two_instances_share_the_work() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    let other = TestServer::start_beside(&server).await;
    for seed in 1..6 {
        sent(&server, &mut desk, "set.wav", wav(50_000, seed)).await;
    }
    let (here, there) = tokio::join!(server.measure(), other.measure());
    assert_eq!(here + there, 5);
    assert_eq!(server.count("demo_sounds WHERE state = 'done' AND tries = 1").await, 5);
}
