//! Whether the backups can be relied on: a status and its sentences, from the facts. Times in them are the label's.

use deadwax_store::{
    backup_runs::{Kind, Run},
    clock::{DAY, Micros},
    columns::{Named as _, Timestamp, unsigned},
};
use jiff::tz::TimeZone;
use rules::format::bytes_label;

use super::facts::{BackupPlaceView, Known};
use crate::{checklist::Status, content::time_zone};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) status: Status,
    /// The gravest first.
    pub(super) sentences: Vec<String>,
}

/// A run that has been under way for less than a day excuses that the backup is late.
const PATIENCE: Micros = DAY;

pub(super) fn verdict(known: &Known, now: Micros) -> Verdict {
    let mut found: Vec<(Status, String)> = Vec::new();
    match &known.place {
        Some(place) => {
            found.extend(known.latest.iter().filter_map(|run| failed(run, &known.zone)));
            found.extend(late(known, now));
            found.extend(nothing_yet(known, now));
            found.extend(
                known
                    .latest
                    .iter()
                    .filter_map(|run| Some((Status::Warning, sentence(run.warning.as_deref()?)))),
            );
            found.extend(unproven(known));
            found.extend(weaknesses(place));
        }
        None if known.written.is_none() => found.push((Status::Warning, format!("{NOTHING} {SET_IT}"))),
        None => found.push((
            Status::Warning,
            format!("No backups are made any more: BACKUP_URL is not set. {SET_IT}"),
        )),
    }
    if let Some(run) = &known.proven {
        found.extend(proven(run, now, &known.zone).map(|sentence| (Status::Pass, sentence)));
    }
    found.sort_by_key(|(status, _)| std::cmp::Reverse(*status));
    let status = found.first().map_or(Status::Info, |(status, _)| *status);
    Verdict { status, sentences: found.into_iter().map(|(_, sentence)| sentence).collect() }
}

const NOTHING: &str = "Nothing is backed up yet.";
const SET_IT: &str =
    "Set BACKUP_URL on the server to a folder on another disk or to a bucket, and start it again.";

fn failed(run: &Run, zone: &TimeZone) -> Option<(Status, String)> {
    let words = sentence(run.failure.as_deref()?);
    let button = match run.kind {
        Kind::Proof => "PROVE IT NOW",
        Kind::Backup => "BACK UP NOW",
    };
    let at = run.ended_at.map_or_else(String::new, |at| format!(", {}", moment(at.0, at.0, zone)));
    let kind = run.kind.as_str();
    Some((
        Status::Fail,
        format!("The last {kind} failed{at}: {words} Once that is put right, press {button}."),
    ))
}

/// The proven backup is older than one and a half intervals, or there has never been one for so long.
fn late(known: &Known, now: Micros) -> Option<(Status, String)> {
    let proven_at = known.proven.as_ref().and_then(|run| run.backup_at).map(|at| at.0);
    // A shorter interval counts from when it was set.
    let from = proven_at.or(known.since)?.max(known.changed_at.unwrap_or(Micros::MIN));
    let age = now.saturating_sub(from);
    if age < known.interval() / 2 * 3 {
        return None;
    }
    let is_under_way = known
        .running(now)
        .and_then(|run| run.began_at)
        .is_some_and(|since| now.saturating_sub(since.0) < PATIENCE);
    let (status, todo) = if is_under_way {
        (Status::Warning, "A run is under way.")
    } else if age < known.interval().saturating_mul(2) {
        (Status::Warning, "If none begins, press BACK UP NOW.")
    } else {
        (Status::Fail, "Press BACK UP NOW. If nothing begins, the server's log says why.")
    };
    let said = proven_at.map_or_else(
        || "The first backup is late.".to_owned(),
        |at| format!("The backup is late: the last proven one is of {}.", moment(at, now, &known.zone)),
    );
    Some((status, format!("{said} {todo}")))
}

fn nothing_yet(known: &Known, now: Micros) -> Option<(Status, String)> {
    let next = match known.running(now) {
        Some(_) => "The first backup is under way.",
        None => "The first one begins by itself, or press BACK UP NOW.",
    };
    known.written.is_none().then(|| (Status::Info, format!("{NOTHING} {next}")))
}

fn unproven(known: &Known) -> Option<(Status, String)> {
    let written = known.written.as_ref()?;
    let is_proven = known.proven.as_ref().is_some_and(|proven| proven.backup_at >= written.backup_at);
    let at = written.backup_at.filter(|_| !is_proven)?;
    let said = format!("The backup of {} is written and not proven.", moment(at.0, at.0, &known.zone));
    Some((Status::Warning, said))
}

fn weaknesses(place: &BackupPlaceView) -> impl Iterator<Item = (Status, String)> + use<> {
    let unsealed =
        "Backups are not encrypted: set BACKUP_RECIPIENT on the server to a key from deadwax backup-key.";
    let beside = "Backups are on the same disk or in the same bucket as the data, and would be lost with it: set BACKUP_URL to another place.";
    [(!place.is_sealed, unsealed), (place.is_beside_the_data, beside)]
        .into_iter()
        .filter(|(is_weak, _)| *is_weak)
        .map(|(_, said)| (Status::Warning, said.to_owned()))
}

/// Names the proof, and its backup if that is of another minute.
fn proven(run: &Run, now: Micros, zone: &TimeZone) -> impl Iterator<Item = String> {
    let moment = |at: Timestamp| moment(at.0, now, zone);
    let said = run.proven_at.map(|at| {
        let (rows, files) = (counted(run.row_count, "row"), counted(run.file_count, "file"));
        format!("Proven {}: {rows}, {files}, {}", moment(at), bytes_label(unsigned(run.total_bytes)))
    });
    let is_of = run.backup_at.filter(|at| run.proven_at.map(moment) != Some(moment(*at)));
    said.into_iter().chain(is_of.map(|at| format!("It is the backup of {}.", moment(at))))
}

fn sentence(words: &str) -> String {
    let words = words.trim();
    if words.ends_with(['.', '!', '?']) { words.to_owned() } else { format!("{words}.") }
}

/// Such as `26 Nov, 03:41`, with the year if it is far away.
fn moment(at: Micros, now: Micros, zone: &TimeZone) -> String {
    let form = if now.saturating_sub(at).abs() > 300 * DAY { "%-d %b %Y, %H:%M" } else { "%-d %b, %H:%M" };
    time_zone::local(at, zone).strftime(form).to_string()
}

/// Such as `48 211 rows`.
fn counted(number: i64, one: &str) -> String {
    let digits = number.max(0).to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    format!("{grouped} {one}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
