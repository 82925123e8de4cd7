//! The jobs that run beside the website and end with the program at any moment.

use std::{path::PathBuf, time::Duration};

use deadwax_config::Settings;
use deadwax_http::observe;
use deadwax_mail::letter::MailMark;
use deadwax_store::{deletions, limits, live::next_change, tables::Tables};
use futures_util::future::BoxFuture;
use tracing::Instrument as _;

use crate::{
    accounts,
    app::{App, AppState},
    audit,
    catalogue::publication,
    demos,
    files::hero,
    imports, jobs,
    newsletter::{self, confirmations, returned},
    numbers,
    operation::{
        backups::{
            self,
            job::{BackupsJob, Target},
            label::Label,
        },
        snapshot,
    },
    pages,
    requests::idempotency,
    trash::moves,
};

const HOUSEKEEPING: Duration = Duration::from_mins(15);
/// The first retry after an error; later ones wait twice as long each.
const RETRY: Duration = Duration::from_secs(5);
const RETRY_MAX: Duration = Duration::from_mins(5);
/// One round in this many looks at every stored file.
const ROUNDS_A_DAY: u32 = 96;

pub(super) fn start(settings: &Settings, app: &AppState) -> anyhow::Result<()> {
    let (background, stop) = (&app.background, &app.stop);
    background.spawn(app.live.clone().follow(stop.clone()).instrument(observe::job("changes")));
    let hero = follow_site_images(app.clone(), |app| Box::pin(install_hero(app)));
    background.spawn(hero.instrument(observe::job("default background")));
    let mark = follow_site_images(app.clone(), |app| Box::pin(set_mail_mark(app)));
    background.spawn(mark.instrument(observe::job("mark in mail")));
    background.spawn(app.deletions.clone().work(stop.clone()).instrument(observe::job("deletions")));
    background
        .spawn(jobs::run(app.sizes.clone(), stop.clone()).instrument(observe::job("sizes of pictures")));
    background
        .spawn(jobs::run(app.analysis.clone(), stop.clone()).instrument(observe::job("analysis of demos")));
    if let Some(job) = backups_job(settings, app)? {
        background.spawn(jobs::run(job, stop.clone()).instrument(observe::job("backups")));
    }
    let house = keep_house(app.clone(), settings.data_dir.clone());
    background.spawn(house.instrument(observe::job("housekeeping")));
    background.spawn(
        moves::keep_swept(app.db.clone(), app.origin.clone(), app.clock.clone(), stop.clone())
            .instrument(observe::job("trash")),
    );
    background.spawn(
        publication::run(app.db.clone(), app.live.clone(), app.clock.clone(), stop.clone())
            .instrument(observe::job("scheduled releases")),
    );
    background.spawn(returned::keep_reading(app.clone()).instrument(observe::job("letters that come back")));
    background.spawn(confirmations::keep_sending(app.clone()).instrument(observe::job("confirmations")));
    background.spawn(numbers::keep::keep(app.clone()).instrument(observe::job("numbers")));
    background.spawn(pages::keep_painted(app.clone()).instrument(observe::job("painting")));
    Ok(())
}

/// The job that backs the label up, where the settings have a place for it.
fn backups_job(settings: &Settings, app: &App) -> anyhow::Result<Option<BackupsJob>> {
    let Some(target) = Target::read(settings)? else { return Ok(None) };
    let resources = app.sizes.0.clone();
    let label = Label { resources, data_dir: settings.data_dir.clone(), key_path: settings.key_path() };
    Ok(Some(BackupsJob::new(label, app.keys.clone(), target)))
}

/// Does `work` now and after each change of the site images, until it succeeds. An error is logged once.
async fn follow_site_images(
    app: AppState,
    work: for<'a> fn(&'a AppState) -> BoxFuture<'a, anyhow::Result<()>>,
) {
    let stop = app.stop.clone();
    stop.run_until_cancelled_owned(async move {
        let mut changes = app.live.subscribe();
        let (mut logged, mut pause) = (String::new(), RETRY);
        loop {
            if let Err(error) = work(&app).await {
                let cause = format!("{error:#}");
                if logged != cause {
                    tracing::warn!(cause, "following the site images");
                    logged = cause;
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(RETRY_MAX);
                continue;
            }
            (logged, pause) = (String::new(), RETRY);
            next_change(&mut changes, Tables::SITE_IMAGES).await;
        }
    })
    .await;
}

async fn install_hero(app: &AppState) -> anyhow::Result<()> {
    hero::install(&app.db, &app.storage, app.clock.now()).await
}

/// Gives the mailer the label's mark.
async fn set_mail_mark(app: &AppState) -> anyhow::Result<()> {
    let label = app.known_label.current(&app.db).await?;
    let mut drawn = None;
    if let Some(mark) = &label.mark {
        let (bytes, format) = mark.read(&app.storage).await?;
        let sheet = mark.mail_sheet();
        let png = app.pictures.draw_mark(bytes, format, sheet).await?;
        drawn = Some(MailMark { png: png.into(), size: (sheet.size.0 / 2, sheet.size.1 / 2) });
    }
    app.mail.label_name().set_mark(drawn);
    Ok(())
}

async fn keep_house(app: AppState, data_dir: PathBuf) {
    let stop = app.stop.clone();
    stop.run_until_cancelled_owned(Box::pin(async move {
        for round in 0_u32.. {
            let now = app.clock.now();
            for (what, result) in [
                ("accounts", accounts::prune(&app.db, now).await),
                ("limits", limits::prune(&app.db, now).await),
                ("events", app.live.prune(now).await),
                ("audit_log", audit::prune(&app.db, now).await),
                ("outbox", deadwax_mail::prune(&app.db, now).await),
                ("uploads", demos::prune(&app.db, now).await),
                ("idempotency_keys", idempotency::prune(&app.db, now).await),
                ("imports", imports::prune(&app.db, now).await),
                ("imports of subscribers", newsletter::imports::prune(&app.db, now).await),
                ("newsletter", confirmations::prune(&app, now).await),
                ("letter_reports", returned::prune(&app.db, now).await),
                ("backup_runs", backups::mail::prune(&app.db, now).await),
                ("before-upgrade", snapshot::prune(&data_dir, now).map_err(sqlx::Error::Io)),
                ("erased rows", app.db.settle_erased().await.map(drop)),
            ] {
                if let Err(error) = result {
                    tracing::warn!(what, cause = %error, "housekeeping");
                }
            }
            if let Err(error) = backups::mail::watch(&app).await {
                tracing::warn!(what = "backups", cause = %error, "housekeeping");
            }
            if let Err(error) = app.spool.sweep().await {
                tracing::warn!(what = "spool", cause = %error, "housekeeping");
            }
            tokio::time::sleep(HOUSEKEEPING).await;
            if round.is_multiple_of(ROUNDS_A_DAY)
                && let Err(error) = deletions::sweep_orphans(&app.db, &app.storage, app.clock.now()).await
            {
                tracing::warn!(what = "files", cause = %error, "housekeeping");
            }
        }
    }))
    .await;
}
