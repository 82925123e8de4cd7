//! Starts and stops the server: opens what the settings name, installs what every label needs, runs the background jobs.

mod open;
mod service;

use std::{io::Write as _, path::Path, sync::Arc, time::Duration};

use anyhow::Context as _;
use deadwax_config::{Origin, Paint, Settings, file_modes};
use deadwax_http::{
    descriptors, headers::page_policy, observe, response_cache::ResponseCache, serve, slots::Slots,
};
use deadwax_mail::{MailSettings, Mailer, letter::MailMark};
use deadwax_paint::{Bounds, Painter};
use deadwax_pictures::Pictures;
use deadwax_responder::{
    Terminal,
    ai::{AiSettings, Patience},
    kept_index::Source,
};
use deadwax_store::{
    clock::Clock,
    crypto::Keys,
    db::Db,
    deletions::{self, Deletions},
    limits,
    live::{Invalidate, Live},
    objects,
    spool::Spool,
    storage::Storage,
};
use rules::rate_limit::{OPEN_FORMS_GLOBAL, OPEN_HASHES_GLOBAL};
use secrecy::ExposeSecret;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument as _;

use crate::{
    accounts,
    accounts::hashing::Hasher,
    app::{App, AppState},
    audit,
    audit::refusals::Refusals,
    catalogue::publication,
    content::{label::KnownLabel, maintenance, texts},
    demos,
    editing::search_keys,
    files::hero,
    files::in_flight::Uploads,
    imports,
    jobs::{Resources, analysis::AnalysisJob, sizes::SizesJob},
    newsletter::{self, confirmations, returned, sending},
    operation::{
        backups::{
            self, Backups,
            job::{BackupsJob, Target},
            label::Label,
        },
        readiness::Readiness,
        snapshot,
    },
    pages,
    pages::assets::Assets,
    pages::unpainted::Unpainted,
    requests::idempotency,
    routes,
    trash::moves,
};

pub use open::{DataLock, Locked, database_file, open_database, open_storage, open_when_there, try_storage};

const HOUSEKEEPING: Duration = Duration::from_mins(15);
/// The first retry of installing the default background; later ones wait twice as long each.
const HERO_PAUSE: Duration = Duration::from_secs(5);
const HERO_PAUSE_MAX: Duration = Duration::from_mins(5);
/// One round in this many looks at every stored file.
const ROUNDS_A_DAY: u32 = 96;

/// The website's origin; an error if the settings cannot work.
pub fn check(settings: &Settings) -> anyhow::Result<Origin> {
    let origin = settings.check()?;
    if let Some(url) = &settings.database_url {
        Db::read_address(url.expose_secret()).context("DATABASE_URL")?;
    }
    if let Some(url) = &settings.storage_url {
        Storage::open_bucket("STORAGE_URL", url.expose_secret())?;
    }
    Backups::of(settings)?;
    MailSettings::read(settings, &origin)?;
    AiSettings::read(settings)?;
    Target::read(settings)?;
    Ok(origin)
}

/// Updates the schema, and adds the rows every label has: texts, maintenance settings. A snapshot of an existing database is written to
/// `snapshots` first.
pub async fn migrate(db: &Db, clock: &Clock, snapshots: Option<&Path>) -> anyhow::Result<()> {
    let before = async |steps| {
        let Some(data_dir) = snapshots else { return Ok(()) };
        let Some(folder) = snapshot::write(db, data_dir, clock, steps).await? else {
            tracing::warn!("no snapshot before the upgrade: above 2 GiB use pg_dump");
            return Ok(());
        };
        tracing::info!(folder = %folder.display(), "wrote the snapshot before the upgrade");
        anyhow::Ok(())
    };
    if db.migrate_after(before).await.context("migrating the database")? {
        audit::note_system(db, clock.now(), "sys_migrate", "ok").await;
    }
    let mut tx = db.begin().await?;
    texts::install(&mut tx, clock.now()).await?;
    maintenance::install(&mut tx, clock.now()).await?;
    demos::letter::install_templates(&mut tx, clock.now()).await?;
    tx.commit().await?;
    let given =
        publication::give_missing_slugs(db, clock.now()).await.context("giving releases their addresses")?;
    if given > 0 {
        tracing::info!(releases = given, "gave releases their addresses");
    }
    let given = search_keys::give_missing(db).await.context("giving rows what they are looked for by")?;
    if given > 0 {
        tracing::info!(rows = given, "gave rows what they are looked for by");
    }
    Ok(())
}

pub async fn app(
    settings: &Settings,
    origin: Origin,
    db: Db,
    storage: Storage,
    clock: Clock,
    stop: CancellationToken,
) -> anyhow::Result<App> {
    let responses = Arc::new(ResponseCache::default());
    let keys = Keys::of(&db, &settings.key_path(), clock.now()).await?;
    let mail = MailSettings::read(settings, &origin)?;
    let mail = Mailer::new(mail, &settings.data_dir, db.clone(), keys.clone(), clock.clone())?;
    let live = Live::start(db.clone(), keys.clone(), Arc::clone(&responses) as Arc<dyn Invalidate>).await?;
    let deletions = Deletions::new(db.clone(), storage.clone(), clock.clone());
    let spool = Spool::open(&settings.data_dir).context("DEADWAX_DATA_DIR: spool")?;
    let resources =
        Resources { db: db.clone(), storage: storage.clone(), spool: spool.clone(), clock: clock.clone() };
    let (sizes, analysis) = (SizesJob(resources.clone()), AnalysisJob(resources));
    db.commits().show_with(live.on_commit());
    db.commits().send_mail_with(mail.on_commit());
    let source = Source {
        db: db.clone(),
        live: live.clone(),
        changes: Arc::clone(&responses) as Arc<dyn Invalidate>,
        stop: stop.clone(),
    };
    let terminal = Terminal::new(source, AiSettings::read(settings)?, Patience::default())?;
    let assets = Assets::load();
    let page_policy = page_policy(&assets.document, origin.is_https());
    let known_label = KnownLabel::open(&db, settings.label_name.clone(), mail.label_name()).await?;
    Ok(App {
        db,
        storage,
        spool,
        uploads: Uploads::default(),
        forms: Slots::new(OPEN_FORMS_GLOBAL as usize),
        member_forms: Slots::new(OPEN_FORMS_GLOBAL as usize),
        member_hashes: Slots::new(OPEN_HASHES_GLOBAL as usize),
        deletions,
        sizes,
        analysis,
        pictures: Pictures::default(),
        keys,
        hasher: Hasher::new()?,
        mail,
        clock,
        origin,
        dns_server: settings.dns_server,
        known_label,
        admin_mfa: settings.admin_mfa,
        responses,
        assets,
        page_policy,
        painter: painter(settings),
        unpainted: Unpainted::default(),
        live,
        terminal,
        streams: Slots::new(descriptors::bounds().streams),
        readiness: Readiness::default(),
        backups: Backups::of(settings)?,
        refusals: Refusals::default(),
        trusted_proxies: settings.trusted_proxies.as_slice().into(),
        background: TaskTracker::new(),
        stop,
    })
}

fn painter(settings: &Settings) -> Painter {
    if settings.paint == Paint::Off {
        return Painter::off();
    }
    Assets::paint_code().map_or_else(
        || {
            tracing::warn!("built without web/dist/server/paint.js: pages are not painted");
            Painter::off()
        },
        |code| Painter::new(code, Bounds::default()),
    )
}

pub async fn run(settings: &Settings, origin: Origin, stop: CancellationToken) -> anyhow::Result<()> {
    let _lock = DataLock::take(settings)?;
    let tls = match (&settings.tls_cert, &settings.tls_key) {
        (Some(cert), Some(key)) => Some(serve::acceptor(cert, key)?),
        _ => None,
    };
    if settings.trusted_proxies.iter().any(|net| net.prefix_len() == 0) {
        tracing::warn!(
            "TRUSTED_PROXIES includes every address: anybody can choose the address that limits count"
        );
    }
    if !settings.listen.ip().is_loopback() && origin.is_loopback() && settings.smtp_url.is_none() {
        tracing::warn!(
            listen = %settings.listen,
            url = %origin,
            "other machines can reach this port, and the website calls itself this machine's own: listen on 127.0.0.1, or set \
            DEADWAX_PUBLIC_URL"
        );
    }
    descriptors::raise();
    // An address in use must fail the start before anything else begins.
    let metrics = settings.admin_listen.map(|address| {
        let listener = serve::bind(address).with_context(|| format!("DEADWAX_ADMIN_LISTEN: {address}"))?;
        anyhow::Ok((listener, observe::start_metrics()?))
    });
    let metrics = metrics.transpose()?;
    let clock = Clock::System;
    let storage = open_storage(settings)?;
    let db = match open_when_there(settings, &stop).await {
        Err(_) if stop.is_cancelled() => return Ok(()),
        opened => opened?,
    };
    migrate(&db, &clock, Some(&settings.data_dir)).await?;
    if let Err(error) = try_storage(&storage).await {
        // Once files exist, pages go on without the storage; before, the setting never worked.
        anyhow::ensure!(objects::exist(&db).await?, error);
        tracing::error!(cause = format!("{error:#}"), "the storage does not work");
    }
    file_modes::warn_of_wide(settings);
    let listener =
        serve::bind(settings.listen).with_context(|| format!("DEADWAX_LISTEN: {}", settings.listen))?;
    let address = listener.local_addr()?;
    let app = AppState::new(app(settings, origin, db.clone(), storage, clock, stop.clone()).await?);

    app.spool.sweep().await.context("emptying the spool")?;
    deletions::expire_reservations(&app.db, app.clock.now())
        .await
        .context("removing files of an earlier run")?;
    let background = app.background.clone();
    start_jobs(settings, &app)?;
    let mail = deadwax_mail::deliver(app.mail.clone(), stop.clone()).instrument(observe::job("mail"));
    let letters = sending::keep_sending(app.clone()).instrument(observe::job("letters"));
    let letters = tokio::spawn(async { tokio::join!(mail, letters) });
    if let Some((listener, handle)) = metrics {
        background.spawn(serve::serve_metrics(listener, move || handle.render(), stop.clone()));
    }
    tracing::info!(engine = app.db.engine(), %address, url = %app.origin, "sys_startup");
    audit::note_system(&app.db, app.clock.now(), "sys_startup", "ok").await;
    if let Some(viewer) = app.mail.viewer().filter(|_| app.origin.is_loopback()) {
        // On standard output, for the operator at this machine; readers of the log must not see it.
        let told = writeln!(std::io::stdout(), "captured mail: {}{viewer}", app.origin);
        if let Err(error) = told {
            tracing::warn!(cause = %error, "telling where captured mail is shown");
        }
    }
    background.spawn(service::report(stop.clone()));
    let router = routes::router(app.clone());
    let told_to_stop = tokio::spawn({
        let stop = stop.clone();
        async move {
            stop.cancelled().await;
            tokio::time::Instant::now()
        }
    });
    serve::serve(listener, app.site(router), tls, stop).await;
    background.close();
    if tokio::time::timeout(Duration::from_secs(2), background.wait()).await.is_err() {
        tracing::warn!("background work did not end in time");
    }
    // A letter accepted by a mail server but not recorded would be sent twice. Usually none is in progress.
    let deadline = told_to_stop.await? + deadwax_mail::DELIVERY_MAX;
    if tokio::time::timeout_at(deadline, letters).await.is_err() {
        tracing::warn!("a letter is still under way; it may be sent again");
    }
    audit::note_system(&db, app.clock.now(), "sys_shutdown", "ok").await;
    db.close().await;
    tracing::info!("sys_shutdown");
    Ok(())
}

/// Starts the jobs that end with the program at any moment.
fn start_jobs(settings: &Settings, app: &AppState) -> anyhow::Result<()> {
    let (background, stop) = (&app.background, &app.stop);
    background.spawn(app.live.clone().follow(stop.clone()).instrument(observe::job("changes")));
    background.spawn(keep_hero(app.clone()).instrument(observe::job("default background")));
    background.spawn(keep_mark(app.clone()).instrument(observe::job("mark in mail")));
    background.spawn(app.deletions.clone().work(stop.clone()).instrument(observe::job("deletions")));
    background.spawn(app.sizes.clone().work(stop.clone()).instrument(observe::job("sizes of pictures")));
    background.spawn(app.analysis.clone().work(stop.clone()).instrument(observe::job("analysis of demos")));
    if let Some(job) = backups_job(settings, app)? {
        background.spawn(job.work(stop.clone()).instrument(observe::job("backups")));
    }
    background.spawn(keep_house(app.clone()).instrument(observe::job("housekeeping")));
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
    background.spawn(pages::keep_painted(app.clone()).instrument(observe::job("painting")));
    Ok(())
}

/// The job that backs the label up, where the settings have a place for it.
fn backups_job(settings: &Settings, app: &App) -> anyhow::Result<Option<BackupsJob>> {
    let Some(target) = Target::read(settings)? else { return Ok(None) };
    let resources = Resources {
        db: app.db.clone(),
        storage: app.storage.clone(),
        spool: app.spool.clone(),
        clock: app.clock.clone(),
    };
    let label = Label { resources, data_dir: settings.data_dir.clone(), key_path: settings.key_path() };
    let woken = Arc::clone(&app.backups.woken);
    Ok(Some(BackupsJob::new(label, app.keys.clone(), target, woken)))
}

async fn keep_hero(app: AppState) {
    let stop = app.stop.clone();
    stop.run_until_cancelled_owned(async move {
        let mut changes = app.live.subscribe();
        let (mut logged, mut pause) = (String::new(), HERO_PAUSE);
        loop {
            if let Err(error) = hero::install(&app.db, &app.storage, app.clock.now()).await {
                let cause = error.to_string();
                if logged != cause {
                    tracing::warn!(cause, "storing the default background");
                    logged = cause;
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(HERO_PAUSE_MAX);
                continue;
            }
            (logged, pause) = (String::new(), HERO_PAUSE);
            loop {
                match changes.recv().await {
                    Ok(change) if !change.table.intersects(deadwax_store::tables::Tables::SITE_IMAGES) => {}
                    _ => break,
                }
            }
        }
    })
    .await;
}

/// Gives the mailer the label's mark: now, and after each change of the site images.
async fn keep_mark(app: AppState) {
    let stop = app.stop.clone();
    stop.run_until_cancelled_owned(async move {
        let mut changes = app.live.subscribe();
        loop {
            match mail_mark(&app).await {
                Ok(mark) => app.mail.label_name().set_mark(mark),
                Err(error) => tracing::warn!(cause = %error, "reading the mark"),
            }
            loop {
                match changes.recv().await {
                    Ok(change) if !change.table.intersects(deadwax_store::tables::Tables::SITE_IMAGES) => {}
                    _ => break,
                }
            }
        }
    })
    .await;
}

async fn mail_mark(app: &AppState) -> anyhow::Result<Option<MailMark>> {
    let label = app.known_label.current(&app.db).await?;
    let Some(mark) = &label.mark else { return Ok(None) };
    let (bytes, format) = mark.read(&app.storage).await?;
    let sheet = mark.mail_sheet();
    let png = app.pictures.draw_mark(bytes, format, sheet).await?;
    Ok(Some(MailMark { png: png.into(), size: (sheet.size.0 / 2, sheet.size.1 / 2) }))
}

async fn keep_house(app: AppState) {
    let stop = app.stop.clone();
    stop.run_until_cancelled_owned(async move {
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
            ] {
                if let Err(error) = result {
                    tracing::warn!(what, cause = %error, "housekeeping");
                }
            }
            if let Err(error) = app.db.settle_erased().await {
                tracing::warn!(what = "erased rows", cause = %error, "housekeeping");
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
    })
    .await;
}
