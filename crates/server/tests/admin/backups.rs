//! The card of the Security tab. The runs are rows here; the job that makes them is tested with the program.

use deadwax::operation::backups::mail;
use deadwax_store::{
    backup_runs::{self, Kind, Outcome},
    clock::{Clock, DAY, HOUR, Micros, SECOND},
};
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use std::{sync::atomic::Ordering, time::Duration};

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

const PATH: &str = "/api/admin/backups";
const RUN: &str = "/api/admin/backups/run";
const PROOF: &str = "/api/admin/backups/proof";
const SETTINGS: &str = "/api/admin/backups/settings";

async fn start(engine: Engine) -> TestServer {
    TestServer::start_with(engine, |settings| {
        settings.backup_url = Some("s3://id:hunter2@vault?endpoint=https://s3.example".into());
        settings.backup_recipient =
            Some("age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p".to_owned());
    })
    .await
}

async fn card(desk: &mut Browser) -> Value {
    let answer = desk.get(PATH).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(!answer.text().contains("hunter2"), "{answer:?}");
    answer.json()
}

/// Does the run that is due, as the job would.
async fn ends(server: &TestServer, outcome: Outcome) {
    let (db, now) = (&server.app.db, server.app.clock.now());
    let lease = backup_runs::lease(db, now, now + 120 * SECOND).await.unwrap().expect("a run is due");
    let mut tx = db.begin().await.unwrap();
    assert!(lease.end(&mut tx, &outcome, "1.0.0", now).await.unwrap());
    tx.commit().await.unwrap();
}

fn proven(at: Micros) -> Outcome {
    Outcome {
        backup_at: Some(at),
        written_at: Some(at),
        proven_at: Some(at),
        rows: 48_211,
        files: 1_204,
        total_bytes: 3_435_973_837,
        new_bytes: 1_048_576,
        is_sealed: true,
        ..Outcome::default()
    }
}

#[apply(on_both_engines!)]
async fn nothing_is_backed_up_without_a_place(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let empty = card(&mut desk).await;
    assert_eq!(empty["status"], "warning", "{empty}");
    let said = empty["sentences"][0].as_str().unwrap();
    assert!(said.starts_with("Nothing is backed up yet. Set BACKUP_URL"), "{said}");
    for field in ["place", "running", "last_backup_at", "last_proof_at", "next_backup_at"] {
        assert!(empty[field].is_null(), "{field}: {empty}");
    }
    assert_eq!(empty["runs"], json!([]));
    for path in [RUN, PROOF] {
        let refused = desk.post(path, json!({})).await;
        assert_eq!((refused.status.as_u16(), &*refused.problem()), (409, "no_backup_place"), "{refused:?}");
    }
    assert_eq!(server.count("backup_runs").await, 0);
    mail::watch(&server.app).await.unwrap();
    assert!(server.mails().is_empty());
}

#[apply(on_both_engines!)]
async fn a_backup_is_asked_for_once_and_shown_when_it_is_proven(engine: Engine) {
    let server = start(engine).await;
    let mut desk = server.desk().await;
    let first = card(&mut desk).await;
    assert_eq!(first["status"], "info", "{first}");
    assert_eq!(
        first["place"],
        json!({"name": "vault at https://s3.example", "is_sealed": true, "is_beside_the_data": false})
    );
    let woken = server.app.db.commits().backups();
    let asked = desk.post(RUN, json!({})).await;
    assert_eq!(asked.status, 202, "{asked:?}");
    assert_eq!(asked.json()["is_waiting"], true);
    tokio::time::timeout(Duration::from_secs(5), woken.notified()).await.expect("the job is woken");

    let (db, now) = (&server.app.db, server.app.clock.now());
    let lease = backup_runs::lease(db, now, now + 120 * SECOND).await.unwrap().unwrap();
    let again = desk.post_another(RUN, json!({})).await;
    assert_eq!(again.status, 202, "{again:?}");
    let running = again.json();
    assert_eq!(running["running"]["kind"], "backup", "{running}");
    assert_eq!(running["running"]["since"], "2026-11-20T12:00:00Z", "{running}");
    assert_eq!(running["is_waiting"], false, "{running}");
    assert_eq!(server.count("backup_runs").await, 1, "a second press changes nothing");
    assert_eq!(server.count("audit_log WHERE event = 'backup_now'").await, 1);
    let mut tx = db.begin().await.unwrap();
    assert!(lease.end(&mut tx, &proven(now), "1.0.0", now).await.unwrap());
    tx.commit().await.unwrap();

    let shown = card(&mut desk).await;
    assert_eq!(shown["status"], "pass", "{shown}");
    assert_eq!(shown["sentences"], json!(["Proven 20 Nov, 12:00: 48 211 rows, 1 204 files, 3.2 GB"]));
    assert_eq!(shown["last_backup_at"], "2026-11-20T12:00:00Z");
    assert_eq!(shown["last_proof_at"], "2026-11-20T12:00:00Z");
    assert!(shown["files_read_at"].is_null() && shown["running"].is_null(), "{shown}");
    let run = &shown["runs"][0];
    assert_eq!((run["kind"].as_str(), run["rows"].as_i64()), (Some("backup"), Some(48_211)), "{shown}");
    let steps = desk.get("/api/admin/first-steps").await.json();
    let backup = steps["items"].as_array().unwrap().iter().find(|item| item["step"] == "backup").unwrap();
    assert_eq!(backup["done"], true, "{steps}");

    let asked = desk.post(PROOF, json!({})).await;
    assert_eq!(asked.status, 202, "{asked:?}");
    ends(&server, Outcome { failure: Some("files/ab is damaged".to_owned()), ..Outcome::default() }).await;
    let failed = card(&mut desk).await;
    assert_eq!(failed["status"], "fail", "{failed}");
    let said = "The last proof failed, 20 Nov, 12:00: files/ab is damaged. Once that is put right, press PROVE IT NOW.";
    assert_eq!(failed["sentences"][0], said);
    assert_eq!(failed["runs"].as_array().unwrap().len(), 2);
}

/// A place that has no backup has none, whatever was written to another one.
#[apply(on_both_engines!)]
async fn a_backup_in_another_place_does_not_count(engine: Engine) {
    let server = start(engine).await;
    let mut desk = server.desk().await;
    for (place, status) in [("/mnt/old", "info"), ("vault at https://s3.example", "pass")] {
        desk.post_another(RUN, json!({})).await;
        let now = server.app.clock.now();
        ends(&server, Outcome { place: Some(place.to_owned()), ..proven(now) }).await;
        let shown = card(&mut desk).await;
        assert_eq!(shown["status"], status, "{shown}");
        assert_eq!(shown["last_backup_at"].is_null(), status == "info", "{shown}");
        server.advance(Duration::from_secs(60));
    }
}

#[apply(on_both_engines!)]
async fn the_settings_are_saved_once(engine: Engine) {
    let server = start(engine).await;
    let mut desk = server.desk().await;
    let preset = json!({"interval_hours": 24, "keep_days": 7, "keep_weeks": 4, "keep_months": 12});
    let mut shown = card(&mut desk).await["settings"].clone();
    assert_eq!(shown["version"], 1);
    shown.as_object_mut().unwrap().remove("version");
    assert_eq!(shown, preset);

    // A backup of the past hours, and the next one in the night.
    let now = server.app.clock.now();
    let mut tx = server.app.db.begin().await.unwrap();
    backup_runs::queue(&mut tx, Kind::Backup, now, now).await.unwrap();
    tx.commit().await.unwrap();
    ends(&server, proven(now - 2 * HOUR)).await;
    let mut tx = server.app.db.begin().await.unwrap();
    backup_runs::queue(&mut tx, Kind::Backup, now + 15 * HOUR, now).await.unwrap();
    tx.commit().await.unwrap();

    let hourly = json!({"interval_hours": 1, "keep_days": 3, "keep_weeks": 0, "keep_months": 0});
    let saved = desk.edit(SETTINGS, 1, hourly.clone()).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let saved = saved.json();
    assert_eq!(saved["settings"]["version"], 2, "{saved}");
    assert_eq!(saved["settings"]["keep_days"], 3);
    assert_eq!(saved["status"], "pass", "it is not late for an interval that was just set: {saved}");
    assert_eq!(saved["next_backup_at"], "2026-11-20T12:30:00Z", "the next one comes sooner: {saved}");
    let stale = desk.edit(SETTINGS, 1, preset).await;
    assert_eq!(stale.status, 412, "{stale:?}");
    assert_eq!(desk.edit(SETTINGS, 2, hourly.clone()).await.json()["settings"]["version"], 2);
    assert_eq!(server.count("audit_log WHERE target = 'backup_settings'").await, 1);
    desk.headers.clear();
    assert_eq!(desk.send(Method::PUT, SETTINGS, Some(hourly)).await.status, 428);
}

#[apply(on_both_engines!)]
async fn a_late_backup_stays_late_unless_the_interval_becomes_shorter(engine: Engine) {
    let server = start(engine).await;
    let mut desk = server.desk().await;
    let now = server.app.clock.now();
    let mut tx = server.app.db.begin().await.unwrap();
    backup_runs::queue(&mut tx, Kind::Backup, now, now).await.unwrap();
    tx.commit().await.unwrap();
    ends(&server, proven(now - 10 * DAY)).await;
    let mut save = async |version, interval, weeks| {
        let body =
            json!({"interval_hours": interval, "keep_days": 7, "keep_weeks": weeks, "keep_months": 12});
        desk.edit(SETTINGS, version, body).await.json()["status"].clone()
    };
    for (version, interval, weeks, status) in
        [(1, 24, 6, "fail"), (2, 24, 5, "fail"), (3, 6, 5, "pass"), (4, 24, 5, "pass")]
    {
        assert_eq!(save(version, interval, weeks).await, status, "{interval} {weeks}");
    }
    server.advance(Duration::from_hours(10));
    assert_eq!(save(5, 6, 5).await, "pass");
    server.advance(Duration::from_hours(10));
    assert_eq!(save(6, 6, 4).await, "warning", "one and a half intervals");
}

#[apply(on_both_engines!)]
async fn backups_follow_the_labels_clock(engine: Engine) {
    let server = start(engine).await;
    let mut desk = server.desk().await;
    let now = server.app.clock.now();
    let mut tx = server.app.db.begin().await.unwrap();
    backup_runs::queue(&mut tx, Kind::Backup, now, now).await.unwrap();
    tx.commit().await.unwrap();
    ends(&server, proven(now)).await;
    let mut tx = server.app.db.begin().await.unwrap();
    backup_runs::queue(&mut tx, Kind::Backup, now + 15 * HOUR, now).await.unwrap();
    tx.commit().await.unwrap();

    for (version, zone, next, said) in [
        // 03:30 there would be later than the run that is queued.
        (1, "America/New_York", "2026-11-21T03:00:00Z", "Proven 20 Nov, 07:00: "),
        // 03:30 there.
        (2, "Asia/Tokyo", "2026-11-20T18:30:00Z", "Proven 20 Nov, 21:00: "),
    ] {
        let saved = desk.edit("/api/admin/content/label_time_zone", version, json!({"value": zone})).await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let shown = card(&mut desk).await;
        assert_eq!(shown["time_zone"], zone);
        assert_eq!(shown["next_backup_at"], next, "{shown}");
        assert!(shown["sentences"][0].as_str().unwrap().starts_with(said), "{shown}");
    }
    server.advance(Duration::from_hours(7));
    ends(&server, Outcome { failure: Some("the disk is full".to_owned()), ..Outcome::default() }).await;
    mail::watch(&server.app).await.unwrap();
    let mail = server.mails_to("boss_404@label.example").remove(0);
    assert!(
        mail.contains("Read on 2026-11-21 at 04:00 Asia/Tokyo. Times below are in Asia/Tokyo:"),
        "{mail}"
    );
    assert!(mail.contains("The last backup failed, 21 Nov, 04:00: the disk is full."), "{mail}");
}

/// A wrong clock wrote the last runs, and queued the next ones.
#[apply(on_both_engines!)]
async fn a_clock_that_was_ahead_stops_no_backup_and_hides_no_failure(engine: Engine) {
    let server = start(engine).await;
    let mut desk = server.desk().await;
    let due = async |kind, at| {
        let mut tx = server.app.db.begin().await.unwrap();
        backup_runs::ask(&mut tx, kind, at, server.app.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
    };
    let now = server.app.clock.now();
    let Clock::Fixed(clock) = &server.app.clock else { unreachable!() };
    for at in [now, now + 365 * DAY] {
        clock.store(at, Ordering::SeqCst);
        for kind in [Kind::Backup, Kind::Proof] {
            due(kind, at).await;
            ends(&server, proven(at)).await;
            due(kind, at + 7 * DAY).await;
        }
    }
    clock.store(now + HOUR, Ordering::SeqCst);
    mail::prune(&server.app.db, now + HOUR).await.unwrap();
    mail::watch(&server.app).await.unwrap();
    let waiting = backup_runs::due(&server.app.db).await.unwrap();
    let next: Vec<_> = waiting.iter().map(|run| run.next_try_at).collect();
    // Noon is 15 and a half hours before the next backup.
    assert_eq!(next, [now + 31 * HOUR / 2, now + HOUR + 7 * DAY]);
    server.advance(Duration::from_hours(15));
    ends(&server, Outcome { failure: Some("the disk is full".to_owned()), ..Outcome::default() }).await;
    let shown = card(&mut desk).await;
    assert_eq!(shown["status"], "fail", "{shown}");
    // A clock that is behind removes nothing.
    mail::prune(&server.app.db, 0).await.unwrap();
    assert_eq!(server.count("backup_runs WHERE state <> 'due'").await, 3);
}

#[apply(on_both_engines!)]
async fn the_admins_have_one_mail_a_day_while_backups_fail(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin("boss_404").await;
    let now = server.app.clock.now();
    let mut tx = server.app.db.begin().await.unwrap();
    backup_runs::queue(&mut tx, Kind::Backup, now, now).await.unwrap();
    tx.commit().await.unwrap();
    mail::watch(&server.app).await.unwrap();
    assert!(server.mails().is_empty(), "nothing is late yet");
    // No run begins.
    server.advance(Duration::from_hours(48));
    mail::watch(&server.app).await.unwrap();
    mail::watch(&server.app).await.unwrap();
    let mails = server.mails_to(&admin.email);
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].contains("the backups need you"), "{}", mails[0]);
    assert!(mails[0].contains("The first backup is late."), "{}", mails[0]);
    assert!(mails[0].contains("/admin?tab=security"), "{}", mails[0]);
    let words = "BACKUP_URL: there is no folder /mnt/backup; make it, or mount its disk";
    ends(&server, Outcome { failure: Some(words.to_owned()), ..Outcome::default() }).await;
    server.advance(Duration::from_hours(23));
    mail::watch(&server.app).await.unwrap();
    assert_eq!(server.mails_to(&admin.email).len(), 1);
    server.advance(Duration::from_hours(1));
    mail::watch(&server.app).await.unwrap();
    let mails = server.mails_to(&admin.email);
    assert_eq!(mails.len(), 2, "{mails:?}");
    let last = mails.iter().find(|mail| mail.contains("The last backup failed")).unwrap();
    assert!(last.contains("/mnt/backup"), "{last}");

    let now = server.app.clock.now();
    let mut tx = server.app.db.begin().await.unwrap();
    backup_runs::ask(&mut tx, Kind::Backup, now, now).await.unwrap();
    tx.commit().await.unwrap();
    ends(&server, proven(now)).await;
    server.advance(Duration::from_hours(25));
    mail::watch(&server.app).await.unwrap();
    assert_eq!(server.mails_to(&admin.email).len(), 2, "the backups hold again");
    mail::prune(&server.app.db, now + 396 * DAY + 1).await.unwrap();
    assert_eq!(server.count("backup_runs").await, 0);
}
