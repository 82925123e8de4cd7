//! Backups that fail: the mail to the admins, and the gauges of `/metrics`.

use deadwax_mail::{Part, say};
use deadwax_store::{
    backup_runs::{self, Kind, Run},
    clock::{DAY, Micros, SECOND},
    db::Db,
    limits,
};

use super::{bring_forward, facts::Known, verdict::verdict};
use crate::{accounts::admin_mail, app::AppState, checklist::Status, content::time_zone};

/// Between two mails, at least.
const MAIL_GAP: Micros = DAY;
/// Runs are kept for 13 months.
const KEPT: Micros = 396 * DAY;

pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    backup_runs::prune(db, now.saturating_sub(KEPT), now.saturating_add(DAY)).await
}

/// Shows the state of the backups in the metrics, and writes to the admins if it is a failure, also if no run begins. Runs that were
/// queued while the clock was ahead are brought forward.
pub async fn watch(app: &AppState) -> anyhow::Result<()> {
    if app.backup_place.is_none() {
        return Ok(());
    }
    let now = app.clock.now();
    bring_forward(&app.db, now).await?;
    let known = Known::read(&app.db, app.backup_place.as_ref()).await?;
    measure(app, &known, now).await?;
    let verdict = verdict(&known, now);
    if verdict.status == Status::Fail {
        write(app, &known, verdict.sentences, now).await?;
    }
    Ok(())
}

async fn write(app: &AppState, known: &Known, sentences: Vec<String>, now: Micros) -> anyhow::Result<()> {
    let mut tx = app.db.begin().await?;
    limits::hold_in(&mut tx, "backup-mail", now).await?;
    let last = backup_runs::last_mail(&mut tx).await?;
    if last.is_some_and(|last| last <= now && now - last < MAIL_GAP) {
        return Ok(());
    }
    let Some(run) =
        known.latest.iter().find(|run| run.failure.is_some()).or(known.due.first()).or(known.latest.first())
    else {
        return Ok(());
    };
    backup_runs::note_mail(&mut tx, run.id, now).await?;
    let label = app.label_at(now);
    let zone = time_zone::name(&known.zone);
    let mut words = vec![say(format!("Read {}. Times below are in {zone}:", label.when()))];
    words.extend(sentences.into_iter().map(say));
    words.push(Part::Link("Backups, in the Security tab", label.link("/admin?tab=security")));
    let letter = label.letter("the backups need you", "BACKUPS FAIL", &words);
    admin_mail::write(&mut tx, app, now, "backups_fail", &letter).await?;
    tracing::warn!("the backups fail; the admins have a mail");
    Ok(tx.commit().await?)
}

async fn measure(app: &AppState, known: &Known, now: Micros) -> sqlx::Result<()> {
    let age = |run: Option<&Run>| Some(now.saturating_sub(run?.backup_at?.0).max(0) / SECOND);
    let written = known.written.as_ref();
    let failures = backup_runs::failures(&app.db, Kind::Backup).await?
        + backup_runs::failures(&app.db, Kind::Proof).await?;
    for (name, value) in [
        ("deadwax_backup_age_seconds", age(written)),
        ("deadwax_backup_proven_age_seconds", age(known.proven.as_ref())),
        ("deadwax_backup_bytes", written.map(|run| run.total_bytes)),
        ("deadwax_backup_failures", Some(failures)),
    ] {
        if let Some(value) = value {
            gauge(name, value);
        }
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
fn gauge(name: &'static str, value: i64) {
    metrics::gauge!(name).set(value as f64);
}
