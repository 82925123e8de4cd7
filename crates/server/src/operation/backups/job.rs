//! The job that runs backups and proofs: one at a time over all instances, on a thread of the lowest priority.

use std::time::Duration;

use age::x25519::Recipient;
use deadwax_config::{ConfigError, Settings};
use deadwax_store::{
    backup_runs::{self, Kind, Outcome, Run, RunKey},
    clock::{Micros, SECOND},
    crypto::Keys,
    leases::Lease,
    storage::{Place, Storage, install_tls_provider},
};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::{runtime::Handle, sync::Notify};
use tokio_util::sync::CancellationToken;

use super::{
    SETTING,
    label::Label,
    proof, run,
    schedule::{self, PROOF_INTERVAL},
    seal::{self, Seals},
    store::Store,
};
use crate::{
    content::time_zone,
    jobs::{self, Background, Ended, LeasedJob, Resources},
    operation::backup::BackupError,
};

const STACK_BYTES: usize = 2 * 1024 * 1024;
const PING_TIMEOUT: Duration = Duration::from_secs(10);
/// A first backup leaves a start the time to become quiet.
const AFTER_START: Micros = 10 * SECOND;
/// How often a run is begun that ends with the program.
const TRIES_MAX: i64 = 3;

/// The settings of backups.
#[derive(Clone, Debug)]
pub struct Target {
    /// `BACKUP_URL`.
    pub url: SecretString,
    /// `BACKUP_RECIPIENT`.
    pub owner: Option<Recipient>,
    /// `BACKUP_PING`.
    pub ping: Option<SecretString>,
}

impl Target {
    /// None without `BACKUP_URL`.
    pub fn read(settings: &Settings) -> Result<Option<Self>, ConfigError> {
        let read = |text: &str| {
            // The text is not repeated: it may be the secret key.
            let why = if text.to_ascii_uppercase().starts_with("AGE-SECRET-KEY-") {
                "this is the secret key, which opens the backups: keep it away from this machine, and write the public one, age1…"
            } else {
                "a sign of this public key is wrong; write it as `deadwax backup-key` printed it, age1…"
            };
            seal::read_recipient(text).map_err(|_| ConfigError(format!("BACKUP_RECIPIENT: {why}")))
        };
        let owner = settings.backup_recipient.as_deref().map(read).transpose()?;
        let url = settings.backup_url.clone();
        Ok(url.map(|url| Self { url, owner, ping: settings.backup_ping.clone() }))
    }
}

#[derive(Clone, Debug)]
pub struct BackupsJob {
    label: Label,
    keys: Keys,
    target: Target,
    /// The name of the place.
    place: String,
}

impl LeasedJob for BackupsJob {
    type Key = RunKey;
    type Leased = Lease<RunKey>;

    fn resources(&self) -> &Resources {
        &self.label.resources
    }

    fn woken(&self) -> &Notify {
        self.label.resources.db.commits().backups()
    }

    /// Queues the next backup and the next proof: now where one was missed, this version of the program has proved none, or the place
    /// has no backup yet.
    async fn queue_missing(&self) -> sqlx::Result<u64> {
        let db = &self.label.resources.db;
        let now = self.label.resources.clock.now();
        let settings = backup_runs::settings(db).await?;
        let zone = time_zone::stored(db).await?;
        let regular = schedule::next_backup(now, settings.interval_hours, &zone);
        let place = Some(self.place.as_str());
        let written = backup_runs::last_written(db, place).await?;
        let read = backup_runs::last_read(db, place).await?;
        let is_recent = written
            .as_ref()
            .and_then(|run| run.backup_at)
            .is_some_and(|at| schedule::next_backup(at.0, settings.interval_hours, &zone) >= regular);
        let backup_at = if is_recent { regular } else { now + AFTER_START };
        let is_upgraded = read.as_ref().is_some_and(|run| run.program.as_deref() != Some(PROGRAM));
        let proof_at = match read.and_then(|run| run.proven_at) {
            Some(_) if is_upgraded => now + AFTER_START,
            Some(at) => at.0 + PROOF_INTERVAL,
            None => now + PROOF_INTERVAL,
        };
        let mut tx = db.begin().await?;
        let queued = backup_runs::queue(&mut tx, Kind::Backup, backup_at, now).await?
            + backup_runs::queue(&mut tx, Kind::Proof, proof_at, now).await?;
        if written.is_none() {
            backup_runs::ask(&mut tx, Kind::Backup, backup_at, now).await?;
        }
        if is_upgraded {
            backup_runs::ask(&mut tx, Kind::Proof, proof_at, now).await?;
        }
        tx.commit().await?;
        Ok(queued)
    }

    async fn lease(&self, now: Micros, until: Micros) -> sqlx::Result<Option<Lease<RunKey>>> {
        backup_runs::lease(&self.label.resources.db, now, until).await
    }

    async fn work_on(&self, leased: &Lease<RunKey>, stop: &CancellationToken) -> Result<(), Ended> {
        let (worker, runtime, kind) = (self.clone(), Handle::current(), leased.key.1);
        if leased.tries > TRIES_MAX {
            let failure = format!("the program was ended amid it {TRIES_MAX} times");
            return self
                .record(leased, Outcome { failure: Some(failure), ..Outcome::default() }, false)
                .await;
        }
        let work = move |is_stopped: &dyn Fn() -> bool| worker.run(kind, runtime, is_stopped);
        let mut thread = Background::begin("backup", STACK_BYTES, work).map_err(Ended::later)?;
        let waiting = async {
            tokio::select! {
                ended = thread.done() => ended.ok_or_else(|| Ended::later("the work ended early")),
                () = stop.cancelled() => Err(Ended::stopped()),
            }
        };
        match jobs::keep(self, leased, waiting).await {
            Ok((outcome, is_damaged)) => self.record(leased, outcome, is_damaged).await,
            Err(ended) => {
                // Nothing else may work in the same folder.
                thread.stop();
                thread.done().await;
                Err(ended)
            }
        }
    }
}

const PROGRAM: &str = env!("CARGO_PKG_VERSION");

impl BackupsJob {
    pub fn new(label: Label, keys: Keys, target: Target) -> Self {
        install_tls_provider();
        let place = Place::read(SETTING, target.url.expose_secret())
            .map_or_else(|_| String::new(), |place| place.name());
        Self { label, keys, target, place }
    }

    /// Does a run of a kind in this process, now. None if another one is under way, or this one did not come to its end.
    pub async fn run_now(&self, kind: Kind, stop: &CancellationToken) -> sqlx::Result<Option<Run>> {
        let Resources { db, clock, .. } = &self.label.resources;
        let now = clock.now();
        let mut tx = db.begin().await?;
        backup_runs::ask(&mut tx, kind, now, now).await?;
        tx.commit().await?;
        let asked = backup_runs::due(db).await?.into_iter().find(|run| run.kind == kind);
        let has_run = jobs::do_next(self, stop).await?;
        match asked.filter(|_| has_run) {
            Some(run) => backup_runs::ended(db, run.id).await,
            None => Ok(None),
        }
    }

    /// Does a run. Returns its outcome, and whether the store has damaged objects.
    fn run(&self, kind: Kind, runtime: Handle, is_stopped: &dyn Fn() -> bool) -> (Outcome, bool) {
        let mut outcome = Outcome::default();
        let run = || {
            let storage = Storage::open_at(SETTING, self.target.url.expose_secret())?;
            let scratch = self.label.scratch()?;
            let seals = Seals::of_label(self.keys.clone(), self.target.owner.clone());
            let store = Store::new(storage, seals, runtime, scratch.path().to_owned(), is_stopped);
            match kind {
                Kind::Backup => {
                    let db = &self.label.resources.db;
                    let keep = store.wait(backup_runs::settings(db))?;
                    let zone = store.wait(time_zone::stored(db))?;
                    run::back_up(&self.label, &store, scratch.path(), (keep, &zone), &mut outcome)
                }
                Kind::Proof => proof::prove(&self.label, &store, scratch.path(), &mut outcome),
            }
        };
        let ended: Result<(), BackupError> = run();
        let is_damaged = matches!(ended, Err(BackupError::Object { .. } | BackupError::Unproven(_)));
        outcome.failure = ended.err().map(|error| one_line(&error));
        outcome.place = Some(self.place.clone());
        (outcome, is_damaged)
    }

    /// Records how a run ended, and queues the next one. After a proof that found damage, a backup is due: it writes anew what is damaged.
    async fn record(&self, leased: &Lease<RunKey>, outcome: Outcome, is_damaged: bool) -> Result<(), Ended> {
        let (db, now, kind) = (&self.label.resources.db, self.label.resources.clock.now(), leased.key.1);
        let settings = backup_runs::settings(db).await?;
        let regular = match kind {
            Kind::Backup => {
                schedule::next_backup(now, settings.interval_hours, &time_zone::stored(db).await?)
            }
            Kind::Proof => now + PROOF_INTERVAL,
        };
        let next_at = if outcome.failure.is_some() {
            schedule::retry_at(now, backup_runs::failures(db, kind).await? + 1, regular)
        } else {
            regular
        };
        let mut tx = db.begin().await?;
        if !leased.end(&mut tx, &outcome, PROGRAM, now).await? {
            return Err(Ended::Lost);
        }
        backup_runs::queue(&mut tx, kind, next_at, now).await?;
        if kind == Kind::Proof && is_damaged {
            backup_runs::ask(&mut tx, Kind::Backup, now, now).await?;
        }
        tx.commit().await?;
        if let Some(failure) = outcome.failure {
            return Err(Ended::Failed(failure.into()));
        }
        if let Some(address) = self.target.ping.as_ref().filter(|_| kind == Kind::Backup) {
            ping(address.expose_secret()).await;
        }
        Ok(())
    }
}

/// Fetches the address that watches over the backups. It gets nothing but the request.
async fn ping(address: &str) {
    let fetched = async {
        let client = reqwest::Client::builder().timeout(PING_TIMEOUT).build()?;
        client.get(address).send().await?.error_for_status().map(drop)
    };
    if let Err(error) = fetched.await {
        // The address may hold a token.
        tracing::warn!(cause = %error.without_url(), "fetching BACKUP_PING");
    }
}

fn one_line(error: &BackupError) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
