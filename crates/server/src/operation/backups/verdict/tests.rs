use deadwax_store::{backup_runs::Settings, clock::HOUR};
use uuid::Uuid;

use super::*;

/// 27 Nov 2026, 12:00.
const NOON: Micros = 1_795_780_800_000_000;
const MINUTE: Micros = HOUR / 60;

fn run(kind: Kind, ended_at: Micros) -> Run {
    Run {
        id: Uuid::nil(),
        kind,
        failure: None,
        warning: None,
        next_try_at: ended_at,
        leased_until: None,
        began_at: Some(Timestamp(ended_at - 11 * MINUTE)),
        ended_at: Some(Timestamp(ended_at)),
        backup_at: Some(Timestamp(ended_at - 11 * MINUTE)),
        written_at: Some(Timestamp(ended_at)),
        proven_at: Some(Timestamp(ended_at)),
        row_count: 48_211,
        file_count: 1_204,
        total_bytes: 3_435_973_837,
        new_bytes: 0,
        files_read: 0,
        is_sealed: true,
        program: None,
        mailed_at: None,
    }
}

fn failed(kind: Kind, words: &str) -> Run {
    Run { failure: Some(words.to_owned()), written_at: None, proven_at: None, ..run(kind, NOON - HOUR) }
}

const GOOD: BackupPlaceView =
    BackupPlaceView { name: String::new(), is_sealed: true, is_beside_the_data: false };

/// The facts of a daily backup that ended at `proven`.
fn facts(proven: Option<&Run>) -> Known {
    Known {
        place: Some(GOOD),
        written: proven.cloned(),
        proven: proven.cloned(),
        read: None,
        latest: Vec::new(),
        due: Vec::new(),
        settings: Settings::default(),
        zone: TimeZone::UTC,
        since: Some(NOON - 100 * DAY),
        changed_at: None,
    }
}

/// A run that began then and is under way.
fn under_way(began_at: Micros) -> Vec<Run> {
    vec![Run { began_at: Some(Timestamp(began_at)), leased_until: Some(NOON + 1), ..run(Kind::Backup, NOON) }]
}

fn said(facts: &Known) -> (Status, Vec<String>) {
    let verdict = verdict(facts, NOON);
    (verdict.status, verdict.sentences)
}

/// 27 Nov, 03:41.
const LAST_NIGHT: Micros = NOON - 8 * HOUR - 19 * MINUTE;

#[test]
fn a_proven_backup_passes_with_its_figures_and_its_own_time() {
    let last = run(Kind::Backup, LAST_NIGHT);
    let (status, sentences) = said(&facts(Some(&last)));
    assert_eq!(status, Status::Pass);
    assert_eq!(
        sentences,
        ["Proven 27 Nov, 03:41: 48 211 rows, 1 204 files, 3.2 GB", "It is the backup of 27 Nov, 03:30."]
    );
    let one = Run { backup_at: last.proven_at, row_count: 1, file_count: 1_000_000, ..last };
    assert_eq!(said(&facts(Some(&one))).1, ["Proven 27 Nov, 03:41: 1 row, 1 000 000 files, 3.2 GB"]);
}

#[test]
fn times_are_those_of_the_zone() {
    let last = run(Kind::Backup, LAST_NIGHT);
    let auckland = time_zone::find("Pacific/Auckland").unwrap();
    let (_, sentences) = said(&Known { zone: auckland, ..facts(Some(&last)) });
    assert_eq!(sentences[0], "Proven 27 Nov, 16:41: 48 211 rows, 1 204 files, 3.2 GB");
    assert_eq!(sentences[1], "It is the backup of 27 Nov, 16:30.");
}

#[test]
fn nothing_is_backed_up_at_first() {
    let (status, sentences) = said(&Known { place: None, since: None, ..facts(None) });
    assert_eq!(status, Status::Warning);
    assert!(
        sentences[0].starts_with("Nothing is backed up yet. Set BACKUP_URL on the server"),
        "{sentences:?}"
    );
    let (status, sentences) = said(&Known { since: None, ..facts(None) });
    assert_eq!(status, Status::Info);
    assert_eq!(
        sentences,
        ["Nothing is backed up yet. The first one begins by itself, or press BACK UP NOW."]
    );
    let first = Known { since: Some(NOON - HOUR), due: under_way(NOON - MINUTE), ..facts(None) };
    let (status, sentences) = said(&first);
    assert_eq!(
        (status, &*sentences[0]),
        (Status::Info, "Nothing is backed up yet. The first backup is under way.")
    );
    let (status, sentences) = said(&Known { since: Some(NOON - 2 * DAY), ..facts(None) });
    assert_eq!(status, Status::Fail);
    assert!(sentences[0].starts_with("The first backup is late. Press BACK UP NOW."), "{sentences:?}");
}

#[test]
fn backups_that_were_turned_off_are_a_warning() {
    let last = run(Kind::Backup, NOON - 90 * DAY);
    let (status, sentences) = said(&Known { place: None, ..facts(Some(&last)) });
    assert_eq!(status, Status::Warning);
    assert!(
        sentences[0].starts_with("No backups are made any more: BACKUP_URL is not set."),
        "{sentences:?}"
    );
    assert!(sentences[1].starts_with("Proven 29 Aug, 12:00: "), "{sentences:?}");
}

#[test]
fn a_backup_is_late_after_one_and_a_half_intervals_and_fails_after_two() {
    for (interval_hours, age, status) in [
        (24, DAY + DAY / 2 - MINUTE, Status::Pass),
        (24, DAY + DAY / 2, Status::Warning),
        (24, 2 * DAY - MINUTE, Status::Warning),
        (24, 2 * DAY, Status::Fail),
        (1, HOUR + HOUR / 2 - MINUTE, Status::Pass),
        (1, HOUR + HOUR / 2, Status::Warning),
        (1, 2 * HOUR, Status::Fail),
        // A clock that was set back.
        (1, -DAY, Status::Pass),
    ] {
        let last = Run { backup_at: Some(Timestamp(NOON - age)), ..run(Kind::Backup, NOON - age) };
        let settings = Settings { interval_hours, ..Settings::default() };
        let late = Known { settings, ..facts(Some(&last)) };
        let (found, sentences) = said(&late);
        assert_eq!(found, status, "{interval_hours} {age}: {sentences:?}");
        if status == Status::Fail {
            let begins = "The backup is late: the last proven one is of 2";
            assert!(
                sentences[0].starts_with(begins) && sentences[0].contains("BACK UP NOW"),
                "{sentences:?}"
            );
            // The next one may take long, but not for days.
            let begun = Known { due: under_way(NOON - HOUR), ..late.clone() };
            assert_eq!(said(&begun).0, Status::Warning);
            assert_eq!(said(&Known { due: under_way(NOON - 2 * DAY), ..late.clone() }).0, Status::Fail);
            // A shorter interval counts from when it was set.
            assert_eq!(said(&Known { changed_at: Some(NOON - MINUTE), ..late }).0, Status::Pass);
        }
    }
}

#[test]
fn a_failed_run_or_proof_says_why_and_what_to_do() {
    let last = run(Kind::Backup, LAST_NIGHT);
    let latest = vec![
        failed(Kind::Backup, "BACKUP_URL: there is no folder /mnt/backup; make it, or mount its disk"),
        failed(Kind::Proof, "files/ab is damaged."),
    ];
    let (status, sentences) = said(&Known { latest, ..facts(Some(&last)) });
    assert_eq!(status, Status::Fail);
    assert_eq!(
        sentences[..2],
        [
            "The last backup failed, 27 Nov, 11:00: BACKUP_URL: there is no folder /mnt/backup; make it, or mount its disk. \
             Once that is put right, press BACK UP NOW.",
            "The last proof failed, 27 Nov, 11:00: files/ab is damaged. Once that is put right, press PROVE IT NOW."
        ]
    );
    assert!(sentences[2].starts_with("Proven 27 Nov, 03:41: "), "{sentences:?}");
}

#[test]
fn weak_backups_are_warned_of() {
    let last = run(Kind::Backup, LAST_NIGHT);
    for (place, begins) in [
        (BackupPlaceView { is_sealed: false, ..GOOD }, "Backups are not encrypted: set BACKUP_RECIPIENT"),
        (
            BackupPlaceView { is_beside_the_data: true, ..GOOD },
            "Backups are on the same disk or in the same bucket",
        ),
    ] {
        let (status, sentences) = said(&Known { place: Some(place), ..facts(Some(&last)) });
        assert_eq!(status, Status::Warning);
        assert!(sentences[0].starts_with(begins), "{sentences:?}");
    }
    let words = "The rows were not restored for comparison: 3.2 GB are needed, 1.1 GB are free";
    let unproven = Run { proven_at: None, warning: Some(words.to_owned()), ..run(Kind::Backup, NOON - HOUR) };
    let latest = vec![unproven.clone()];
    let (status, sentences) = said(&Known { written: Some(unproven), latest, ..facts(Some(&last)) });
    assert_eq!(status, Status::Warning);
    assert_eq!(sentences[0], format!("{words}."));
    assert_eq!(sentences[1], "The backup of 27 Nov, 10:49 is written and not proven.");
    assert!(sentences[2].starts_with("Proven 27 Nov, 03:41: "), "{sentences:?}");
}
