//! `deadwax backup`, `backups`, `backup-key` and `restore`.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use deadwax_config::Settings;
use deadwax_http::observe;
use deadwax_store::{
    backup_runs::Kind,
    clock::{Clock, rfc3339},
    columns::unsigned,
    crypto::Keys,
    db::Db,
    spool::Spool,
    storage::Storage,
};
use rules::format::bytes_label;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::{open_label, say, working_storage};
use crate::{
    audit,
    checklist::first_steps,
    jobs::Resources,
    operation::{
        backup::{self, BackupError, Openings, Report},
        backups::{
            SETTING,
            job::{BackupsJob, Target},
            label::Label,
            restore::{self, Restored},
            seal::{self, Seals},
            store::{Store, StoredBackup},
        },
    },
    start,
};

const NO_PLACE: &str = "BACKUP_URL is not set: name a folder, or set it to a folder or a bucket";

/// Where a backup is read from, and with which keys.
#[derive(Debug, Args)]
pub(super) struct Source {
    /// A folder that `deadwax backup FOLDER` wrote, or the folder or `s3://…` address of `BACKUP_URL`. Default: `BACKUP_URL`.
    from: Option<std::ffi::OsString>,
    /// The last backup of this time by UTC, as `deadwax backups` lists them: `2026-11-26` or `2026-11-26T03:30`. Default: the newest.
    #[arg(long)]
    at: Option<String>,
    #[command(flatten)]
    owner: Owner,
    /// Keep sessions, links and codes in mails valid: for a move, when nothing has happened since the backup.
    #[arg(long)]
    keep_sessions: bool,
}

/// The owner's key.
#[derive(Debug, Args)]
pub(super) struct Owner {
    /// File with the owner's secret key, as `deadwax backup-key` or `age-keygen` printed it.
    #[arg(long)]
    identity: Option<PathBuf>,
}

impl Owner {
    fn read(&self) -> anyhow::Result<Vec<age::x25519::Identity>> {
        let Some(path) = &self.identity else { return Ok(Vec::new()) };
        let named = || format!("--identity {}", path.display());
        let text = std::fs::read_to_string(path).with_context(named)?;
        seal::read_identities(&text).map_err(|why| anyhow::anyhow!("{}: {why}", named()))
    }
}

/// Prints a new pair of keys, which is stored nowhere.
pub(super) fn new_key() -> anyhow::Result<()> {
    let (identity, public) = seal::new_pair();
    let text = format!(
        "{}# Set BACKUP_RECIPIENT={public}\n# Keep these lines on paper and away from this machine: without them only this machine opens its backups.",
        identity.as_str()
    );
    say(&text)
}

fn label_of(settings: &Settings, db: &Db, storage: &Storage) -> anyhow::Result<Label> {
    let spool = Spool::open(&settings.data_dir).context("DEADWAX_DATA_DIR")?;
    let resources = Resources { db: db.clone(), storage: storage.clone(), spool, clock: Clock::System };
    Ok(Label { resources, data_dir: settings.data_dir.clone(), key_path: settings.key_path() })
}

/// Writes a backup into `folder`, or to `BACKUP_URL`. False if files are damaged.
pub(super) async fn backup(settings: &Settings, folder: Option<&Path>) -> anyhow::Result<bool> {
    if let Some(folder) = folder {
        return backup_into(settings, folder).await;
    }
    let target = Target::read(settings)?.context(NO_PLACE)?;
    let db = open_label(settings).await?;
    let keys = Keys::of(&db, &settings.key_path(), Clock::System.now()).await?;
    let label = label_of(settings, &db, &start::open_storage(settings)?)?;
    let job = BackupsJob::new(label, keys, target);
    let run =
        job.run_now(Kind::Backup, &CancellationToken::new()).instrument(observe::job("backups")).await?;
    let outcome = run.as_ref().map_or("busy", |run| if run.failure.is_none() { "ok" } else { "failed" });
    audit::note_system(&db, Clock::System.now(), "sys_backup", outcome).await;
    db.close().await;
    let run = run.context("another run is under way, or was killed within the last two minutes")?;
    if let Some(failure) = run.failure {
        bail!(failure);
    }
    let at = rfc3339(run.backup_at.unwrap_or_default().0);
    say(&format!(
        "backed up and proved {at}: {} rows, {} files, {}, {} of it new",
        run.row_count,
        run.file_count,
        bytes_label(unsigned(run.total_bytes)),
        bytes_label(unsigned(run.new_bytes))
    ))?;
    if !run.is_sealed {
        say("it is not encrypted: set BACKUP_RECIPIENT to a key of `deadwax backup-key`")?;
    }
    run.warning.as_deref().map_or(Ok(()), say)?;
    Ok(run.warning.is_none())
}

async fn backup_into(settings: &Settings, folder: &Path) -> anyhow::Result<bool> {
    let db = open_label(settings).await?;
    let written = backup::backup(&db, &start::open_storage(settings)?, &Clock::System, folder).await;
    audit::note_system(&db, Clock::System.now(), "sys_backup", outcome(&written)).await;
    if outcome(&written) == "ok" {
        first_steps::note_backup(&db, Clock::System.now()).await;
    }
    db.close().await;
    let report = written?;
    let mut lines = vec![
        format!("backed up {} rows and {} files to {}", report.rows, report.objects, folder.display()),
        format!("the key file {} is not in it: keep a copy of it elsewhere", settings.key_path().display()),
    ];
    let damaged = report.damaged.iter();
    lines.extend(
        damaged.map(|key| {
            format!("{key}: its bytes are gone, cannot be read, or are not those that were stored")
        }),
    );
    say(&lines.join("\n"))?;
    Ok(report.damaged.is_empty())
}

const fn outcome(result: &Result<Report, BackupError>) -> &'static str {
    match result {
        Ok(report) if report.damaged.is_empty() => "ok",
        Ok(_) => "damaged",
        Err(_) => "failed",
    }
}

/// Does `work` with the store of backups at `place`, on a thread where it may block.
async fn with_store<T: Send + 'static>(
    settings: &Settings,
    place: SecretString,
    owner: &Owner,
    work: impl FnOnce(Store<'_>) -> Result<T, BackupError> + Send + 'static,
) -> anyhow::Result<T> {
    let seals = Seals::of_reader(Keys::load(&settings.key_path())?, owner.read()?);
    let storage = Storage::open_at(SETTING, place.expose_secret())?;
    let (runtime, scratch) = (Handle::current(), settings.data_dir.clone());
    let done =
        tokio::task::spawn_blocking(move || work(Store::new(storage, seals, runtime, scratch, &|| false)));
    Ok(done.await??)
}

/// Prints the backups of `BACKUP_URL`, oldest first.
pub(super) async fn list(settings: &Settings, owner: &Owner) -> anyhow::Result<()> {
    let place = settings.backup_url.clone().context(NO_PLACE)?;
    let listed = with_store(settings, place, owner, |store| restore::list(&store)).await?;
    let line = |(name, backup): &(String, Result<StoredBackup, BackupError>)| match backup {
        Ok(backup) => backup.to_string(),
        Err(error) => format!("{name}: {error}"),
    };
    let lines: Vec<_> = listed.iter().map(line).collect();
    say(if lines.is_empty() { "no backups".to_owned() } else { lines.join("\n") }.as_str())
}

pub(super) async fn restore(settings: &Settings, source: Source) -> anyhow::Result<()> {
    let openings = if source.keep_sessions { Openings::Keep } else { Openings::End };
    match &source.from {
        Some(from) if Path::new(from).join("manifest.json").exists() || !is_store(from) => {
            ensure!(
                source.at.is_none() && source.owner.identity.is_none(),
                "{} holds one backup, which is not encrypted: leave --at and --identity out",
                from.display()
            );
            restore_folder(settings, Path::new(from), openings).await
        }
        _ => restore_store(settings, source, openings).await,
    }
}

/// Whether an argument is a bucket, or a folder of `BACKUP_URL`.
fn is_store(from: &OsStr) -> bool {
    from.to_str().is_some_and(|text| text.starts_with("s3://")) || Path::new(from).join("manifests").is_dir()
}

async fn restore_store(settings: &Settings, source: Source, openings: Openings) -> anyhow::Result<()> {
    let place = match &source.from {
        Some(from) => Some(SecretString::from(place_text(from)?)),
        None => settings.backup_url.clone(),
    };
    let place = place.context(NO_PLACE)?;
    let _lock = start::DataLock::take(settings)?;
    let db = start::open_database(settings).await?;
    let storage = working_storage(settings).await?;
    let label = label_of(settings, &db, &storage)?;
    let (into, time) = (db.clone(), source.at.unwrap_or_default());
    let restored = with_store(settings, place, &source.owner, move |mut store| {
        restore::restore(&mut store, (&into, &storage), &label, &time, openings)
    })
    .await;
    if restored.is_ok() {
        audit::note_system(&db, Clock::System.now(), "sys_restore", "ok").await;
    }
    db.close().await;
    let Restored { time, report, has_brought_key, is_authentic } = restored?;
    let mut lines = vec![format!("restored {} rows and {} files of {time}", report.rows, report.objects)];
    lines.extend(notes(&report, openings));
    lines.push(match (has_brought_key, is_authentic) {
        (true, _) => format!("the key file came with it, to {}", settings.key_path().display()),
        (false, true) => "the key file here vouches for it".to_owned(),
        (false, false) => {
            "no key file vouches for it, only hashes were compared; put the label's key file in its place before the start"
                .to_owned()
        }
    });
    say(&lines.join("\n"))
}

/// A folder as an absolute path, as the setting has it; a bucket as it is.
fn place_text(from: &OsStr) -> anyhow::Result<String> {
    let text = from.to_str().context("the place of the backups is not UTF-8")?;
    if text.starts_with("s3://") {
        return Ok(text.to_owned());
    }
    let path = std::path::absolute(text)?;
    Ok(path.display().to_string())
}

fn notes(report: &Report, openings: Openings) -> Vec<String> {
    let mut lines = Vec::new();
    if openings == Openings::End {
        lines.push(
            "everybody signs in again: sessions, and links and codes in mails, ended with the restore"
                .to_owned(),
        );
    }
    if report.given_up > 0 {
        lines.push(format!(
            "{} letters that waited when it was backed up are given up: they may have been sent since",
            report.given_up
        ));
    }
    let damaged = report.damaged.iter();
    lines.extend(damaged.map(|key| format!("{key}: was damaged when it was backed up, so it is not here")));
    lines
}

async fn restore_folder(settings: &Settings, folder: &Path, openings: Openings) -> anyhow::Result<()> {
    let _lock = start::DataLock::take(settings)?;
    let db = start::open_database(settings).await?;
    let storage = working_storage(settings).await?;
    let spool = Spool::open(&settings.data_dir).context("DEADWAX_DATA_DIR")?;
    let restored = backup::restore(&db, &storage, &spool, folder, openings).await;
    // After a failure there is no label with a log.
    if restored.is_ok() {
        audit::note_system(&db, Clock::System.now(), "sys_restore", outcome(&restored)).await;
    }
    db.close().await;
    let report = restored?;
    let mut lines =
        vec![format!("restored {} rows and {} files from {}", report.rows, report.objects, folder.display())];
    lines.extend(notes(&report, openings));
    lines.push(
        "the key file is not part of a backup: start with the one of the label that was backed up".to_owned(),
    );
    say(&lines.join("\n"))
}
