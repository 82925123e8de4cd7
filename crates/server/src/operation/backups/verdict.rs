//! Whether the backups can be relied on: a status and its sentences, from the facts. Times in them are the label's.

use deadwax_store::{
    backup_runs::Run,
    clock::{DAY, Micros},
};
use jiff::tz::TimeZone;
use rules::format::size_label;

use crate::{checklist::Status, content::time_zone};

/// The runs, the place and the settings, as they are now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<'a> {
    /// `None` while `BACKUP_URL` is not set.
    pub(super) place: Option<Place>,
    /// The run that wrote the newest backup.
    pub(super) written: Option<&'a Run>,
    /// The newest run whose comparison held.
    pub(super) proven: Option<&'a Run>,
    /// The run of each kind that ended last.
    pub(super) latest: &'a [Run],
    /// When the run under way began.
    pub(super) running_since: Option<Micros>,
    /// When the first run was queued.
    pub(super) since: Option<Micros>,
    /// When a shorter interval was last set.
    pub(super) changed_at: Option<Micros>,
    pub(super) interval: Micros,
    /// The label's.
    pub(super) zone: &'a TimeZone,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) is_sealed: bool,
    pub(super) is_beside_the_data: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) status: Status,
    /// The gravest first.
    pub(super) sentences: Vec<String>,
}

/// A run that has been under way for less than a day excuses that the backup is late.
const PATIENCE: Micros = DAY;

pub(super) fn verdict(facts: &Facts<'_>, now: Micros) -> Verdict {
    let mut found: Vec<(Status, String)> = Vec::new();
    match facts.place {
        Some(place) => {
            found.extend(facts.latest.iter().filter_map(|run| failed(run, facts.zone)));
            found.extend(late(facts, now));
            found.extend(nothing_yet(facts));
            found.extend(
                facts
                    .latest
                    .iter()
                    .filter_map(|run| Some((Status::Warning, sentence(run.warning.as_deref()?)))),
            );
            found.extend(unproven(facts));
            found.extend(weaknesses(place));
        }
        None if facts.written.is_none() => found.push((Status::Warning, format!("{NOTHING} {SET_IT}"))),
        None => found.push((
            Status::Warning,
            format!("No backups are made any more: BACKUP_URL is not set. {SET_IT}"),
        )),
    }
    if let Some(run) = facts.proven {
        found.extend(proven(run, now, facts.zone).map(|sentence| (Status::Pass, sentence)));
    }
    found.sort_by_key(|(status, _)| std::cmp::Reverse(status.weight()));
    let status = found.first().map_or(Status::Info, |(status, _)| *status);
    Verdict { status, sentences: found.into_iter().map(|(_, sentence)| sentence).collect() }
}

const NOTHING: &str = "Nothing is backed up yet.";
const SET_IT: &str =
    "Set BACKUP_URL on the server to a folder on another disk or to a bucket, and start it again.";

fn failed(run: &Run, zone: &TimeZone) -> Option<(Status, String)> {
    if run.state != "failed" {
        return None;
    }
    let (kind, button) =
        if run.kind == "proof" { ("proof", "PROVE IT NOW") } else { ("backup", "BACK UP NOW") };
    let at = run.ended_at.map_or_else(String::new, |at| format!(", {}", moment(at, at, zone)));
    let words = run.failure.as_deref().map_or_else(|| "the server's log says why.".to_owned(), sentence);
    Some((
        Status::Fail,
        format!("The last {kind} failed{at}: {words} Once that is put right, press {button}."),
    ))
}

/// The proven backup is older than one and a half intervals, or there has never been one for so long.
fn late(facts: &Facts<'_>, now: Micros) -> Option<(Status, String)> {
    let proven_at = facts.proven.and_then(|run| run.backup_at);
    // A shorter interval counts from when it was set.
    let from = proven_at.or(facts.since)?.max(facts.changed_at.unwrap_or(Micros::MIN));
    let age = now.saturating_sub(from);
    if age < facts.interval / 2 * 3 {
        return None;
    }
    let is_under_way = facts.running_since.is_some_and(|since| now.saturating_sub(since) < PATIENCE);
    let (status, todo) = if is_under_way {
        (Status::Warning, "A run is under way.")
    } else if age < facts.interval.saturating_mul(2) {
        (Status::Warning, "If none begins, press BACK UP NOW.")
    } else {
        (Status::Fail, "Press BACK UP NOW. If nothing begins, the server's log says why.")
    };
    let said = proven_at.map_or_else(
        || "The first backup is late.".to_owned(),
        |at| format!("The backup is late: the last proven one is of {}.", moment(at, now, facts.zone)),
    );
    Some((status, format!("{said} {todo}")))
}

fn nothing_yet(facts: &Facts<'_>) -> Option<(Status, String)> {
    let next = match facts.running_since {
        Some(_) => "The first backup is under way.",
        None => "The first one begins by itself, or press BACK UP NOW.",
    };
    facts.written.is_none().then(|| (Status::Info, format!("{NOTHING} {next}")))
}

fn unproven(facts: &Facts<'_>) -> Option<(Status, String)> {
    let written = facts.written?;
    let is_proven = facts.proven.is_some_and(|proven| proven.backup_at >= written.backup_at);
    let at = written.backup_at.filter(|_| !is_proven)?;
    let said = format!("The backup of {} is written and not proven.", moment(at, at, facts.zone));
    Some((Status::Warning, said))
}

fn weaknesses(place: Place) -> impl Iterator<Item = (Status, String)> {
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
    let moment = |at| moment(at, now, zone);
    let said = run.proven_at.map(|at| {
        let (rows, files) = (counted(run.row_count, "row"), counted(run.file_count, "file"));
        format!("Proven {}: {rows}, {files}, {}", moment(at), size(run.total_bytes))
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

#[expect(clippy::cast_precision_loss, reason = "two decimals are shown")]
fn size(bytes: i64) -> String {
    size_label(Some(bytes as f64))
}

#[cfg(test)]
mod tests;
