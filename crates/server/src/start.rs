//! Starts and stops the server: opens what the settings name, installs what every label needs, runs the background jobs.

mod background;
mod open;
mod service;

use std::{io::Write as _, path::Path, sync::Arc, time::Duration};

use anyhow::Context as _;
use deadwax_config::{Origin, Settings, file_modes};
use deadwax_http::{
    descriptors, headers::page_policy, observe, response_cache::ResponseCache, serve, slots::Slots,
};
use deadwax_mail::{MailSettings, Mailer};
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
    live::{Invalidate, Live},
    objects,
    spool::Spool,
    storage::Storage,
};
use rules::rate_limit::{OPEN_FORMS_GLOBAL, OPEN_HASHES_GLOBAL};
use secrecy::ExposeSecret;
use tokio::{sync::Semaphore, task::JoinHandle, time::Instant};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument as _;

use crate::{
    accounts::hashing::Hasher,
    app::{App, AppState},
    audit,
    audit::refusals::Refusals,
    catalogue::publication,
    content::{
        label::{KnownLabel, Presets},
        maintenance, texts,
    },
    demos,
    editing::search_keys,
    files::in_flight::Uploads,
    jobs::{Resources, analysis::AnalysisJob, sizes::SizesJob},
    newsletter::sending,
    numbers::{held::Numbers, keep},
    operation::{
        backups::{BackupPlace, job::Target},
        readiness::Readiness,
        snapshot::{self, SnapshotError},
    },
    pages::assets::Assets,
    pages::unpainted::Unpainted,
    routes,
};

pub use open::{
    DATABASE_PAUSE, DATABASE_WAIT, DataLock, Locked, database_file, open_database, open_storage,
    open_when_there, try_storage,
};

/// The website's origin; an error if the settings cannot work.
pub fn check(settings: &Settings) -> anyhow::Result<Origin> {
    let origin = settings.check()?;
    if let Some(url) = &settings.database_url {
        Db::read_address(url.expose_secret()).context("DATABASE_URL")?;
    }
    if let Some(url) = &settings.storage_url {
        Storage::open(Some(url.expose_secret()), &settings.data_dir)?;
    }
    BackupPlace::of(settings)?;
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
        let Some(folder) = snapshot::write(db, data_dir, clock, steps).await.map_err(SnapshotError)? else {
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

pub async fn assemble(
    settings: &Settings,
    origin: Origin,
    db: Db,
    storage: Storage,
    clock: Clock,
    stop: CancellationToken,
    web: Web,
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
    let source = Source { db: db.clone(), changes: Arc::clone(&responses) as Arc<dyn Invalidate> };
    let terminal = Terminal::new(source, AiSettings::read(settings)?, Patience::default())?;
    let page_policy = page_policy(&web.assets.document, origin.is_https());
    let presets = Presets::of(settings);
    let known_label = KnownLabel::open(&db, presets, mail.label_name()).await?;
    Ok(App {
        db,
        storage,
        spool,
        uploads: Uploads::default(),
        forms: Slots::new(OPEN_FORMS_GLOBAL as usize),
        member_forms: Slots::new(OPEN_FORMS_GLOBAL as usize),
        member_hashes: Slots::new(OPEN_HASHES_GLOBAL as usize),
        imports: Semaphore::new(1),
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
        numbers: Numbers::new(settings.counts_visits),
        admin_mfa: settings.admin_mfa,
        responses,
        assets: web.assets,
        page_policy,
        painter: web.painter,
        unpainted: Unpainted::default(),
        live,
        terminal,
        streams: Slots::new(descriptors::bounds().streams),
        readiness: Readiness::default(),
        backup_place: BackupPlace::of(settings)?,
        refusals: Refusals::default(),
        trusted_proxies: settings.trusted_proxies.as_slice().into(),
        background: TaskTracker::new(),
        stop,
    })
}

/// The web app's files, and what paints its pages.
#[derive(Debug)]
pub struct Web {
    assets: Assets,
    painter: Painter,
}

impl Web {
    /// Begins to compile what paints.
    pub fn new(settings: &Settings, assets: Assets) -> Self {
        Self { painter: painter(settings, assets.paint), assets }
    }
}

fn painter(settings: &Settings, source: Option<&'static str>) -> Painter {
    if !settings.paints {
        return Painter::off();
    }
    source.map_or_else(
        || {
            tracing::warn!("built without web/dist/server/paint.js: pages are not painted");
            Painter::off()
        },
        |source| Painter::new(source, Bounds::default()),
    )
}

pub async fn run(
    settings: &Settings,
    origin: Origin,
    stop: CancellationToken,
    assets: Assets,
) -> anyhow::Result<()> {
    let _lock = DataLock::take(settings)?;
    // Early, because it takes as long as opening the database.
    let web = Web::new(settings, assets);
    let tls = match (&settings.tls_cert, &settings.tls_key) {
        (Some(cert), Some(key)) => Some(serve::acceptor(cert, key)?),
        _ => None,
    };
    warn_of_settings(settings, &origin);
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
    let app = AppState::new(assemble(settings, origin, db, storage, clock, stop.clone(), web).await?);

    app.spool.sweep().await.context("emptying the spool")?;
    deletions::expire_reservations(&app.db, app.clock.now())
        .await
        .context("removing files of an earlier run")?;
    let background = app.background.clone();
    background::start(settings, &app)?;
    let mail = deadwax_mail::deliver(app.mail.clone(), stop.clone()).instrument(observe::job("mail"));
    let letters = sending::keep_sending(app.clone()).instrument(observe::job("letters"));
    let letters = tokio::spawn(async { tokio::join!(mail, letters) });
    if let Some((listener, handle)) = metrics {
        background.spawn(observe::add_up(handle.clone(), stop.clone()));
        background.spawn(serve::serve_metrics(listener, move || handle.render(), stop.clone()));
    }
    tracing::info!(engine = app.db.engine(), %address, url = %app.origin, "sys_startup");
    audit::note_system(&app.db, app.clock.now(), "sys_startup", "ok").await;
    if let Some(viewer) = app.mail.viewer().filter(|_| app.origin.is_loopback()) {
        // On standard output, for the operator at this machine; readers of the log must not see it.
        let printed = writeln!(std::io::stdout(), "captured mail: {}{viewer}", app.origin);
        if let Err(error) = printed {
            tracing::warn!(cause = %error, "telling where captured mail is shown");
        }
    }
    background.spawn(service::report(stop.clone()));
    let router = routes::router(app.clone());
    let stopped_at = tokio::spawn({
        let stop = stop.clone();
        async move {
            stop.cancelled().await;
            Instant::now()
        }
    });
    serve::serve(listener, app.site(router), tls, stop).await;
    shut_down(&app, letters, stopped_at.await?).await;
    Ok(())
}

fn warn_of_settings(settings: &Settings, origin: &Origin) {
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
}

async fn shut_down(app: &AppState, letters: JoinHandle<((), ())>, stopped_at: Instant) {
    keep::flush(app).await;
    app.background.close();
    if tokio::time::timeout(Duration::from_secs(2), app.background.wait()).await.is_err() {
        tracing::warn!("background work did not end in time");
    }
    // A letter accepted by a mail server but not recorded would be sent twice. Usually none is in progress.
    let deadline = stopped_at + deadwax_mail::DELIVERY_MAX;
    if tokio::time::timeout_at(deadline, letters).await.is_err() {
        tracing::warn!("a letter is still under way; it may be sent again");
    }
    audit::note_system(&app.db, app.clock.now(), "sys_shutdown", "ok").await;
    app.db.close().await;
    tracing::info!("sys_shutdown");
}
