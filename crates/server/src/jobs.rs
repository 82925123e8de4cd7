//! The loop of the jobs that lease rows: begins what is due, renews leases, and records how the work ended.

pub mod analysis;
pub mod sizes;

use std::{
    borrow::Cow,
    fmt::Debug,
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use deadwax_store::{
    clock::{Clock, Micros, SECOND},
    db::Db,
    leases::{Lease, RowKey},
    spool::Spool,
    storage::{Storage, StorageError},
};
use rules::demo::FREE_BYTES;
use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::requests::retry_write::retry_write;

/// How long a lease lasts without renewal.
pub(crate) const LEASE: Micros = 120 * SECOND;
/// How often the lease of work under way is renewed.
const RENEWAL: Duration = Duration::from_secs(30);
/// The longest sleep, for rows that another instance queued before it died.
const POLL_INTERVAL: Duration = Duration::from_mins(1);
/// The shortest sleep, when another instance is faster, and after an error of the database.
const RETRY: Duration = Duration::from_secs(1);
const ERROR_PAUSE: Duration = Duration::from_secs(10);
/// Until a row is tried again whose file could not be read or stored.
const PAUSE: Micros = 60 * SECOND;
/// Until a missing file is looked for again.
const ABSENCE: Micros = 600 * SECOND;

/// The lowest priority there is, as `nice` counts.
const NICE: i32 = 19;

/// Why the work on a row ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// For good.
    #[error("{0}")]
    Failed(Cow<'static, str>),
    /// Its file is missing, and may come back.
    #[error("its file is missing")]
    Missing,
    /// The storage or the disk refuses, or the program stops.
    #[error("{0}")]
    Later(String),
    /// The lease is lost: the row was deleted, or another instance has taken it.
    #[error("the lease is lost")]
    Lost,
    /// The database refused.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl Ended {
    /// [`Ended::Later`] with the text of an error.
    pub(crate) fn later(error: impl std::fmt::Display) -> Self {
        Self::Later(error.to_string())
    }

    /// [`Ended::Later`] because the program stops.
    pub(crate) fn stopped() -> Self {
        Self::Later("the program stops".to_owned())
    }

    /// Classifies a failed read of the row's file.
    pub(crate) fn unread(error: StorageError) -> Self {
        match error {
            StorageError::NotFound => Self::Missing,
            StorageError::Disk(error) if error.kind() == io::ErrorKind::NotFound => Self::Missing,
            error => Self::later(error),
        }
    }
}

/// The database, files and clock of a job. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Resources {
    pub db: Db,
    pub storage: Storage,
    pub spool: Spool,
    pub clock: Clock,
}

/// A job over leased rows.
pub trait LeasedJob: Send + Sync {
    type Key: RowKey;
    /// A row with what the job needs of it.
    type Leased: AsRef<Lease<Self::Key>> + Send + Sync;

    fn resources(&self) -> &Resources;
    /// Wakes the loop after a commit that queued a row.
    fn woken(&self) -> &Notify;
    /// Queues what has no row yet; returns how many.
    fn queue_missing(&self) -> impl Future<Output = sqlx::Result<u64>> + Send;
    /// Leases the next row that is due.
    fn lease(
        &self,
        now: Micros,
        until: Micros,
    ) -> impl Future<Output = sqlx::Result<Option<Self::Leased>>> + Send;
    /// Does the work on a row.
    fn work_on(
        &self,
        leased: &Self::Leased,
        stop: &CancellationToken,
    ) -> impl Future<Output = Result<(), Ended>> + Send;
}

/// Does what is due, now and whenever something is queued, until the program stops.
pub async fn run<J: LeasedJob>(job: J, stop: CancellationToken) {
    while let Err(error) = begin(&job).await {
        tracing::warn!(cause = %error, "queueing what has no row yet");
        if stop.run_until_cancelled(sleep(ERROR_PAUSE)).await.is_none() {
            return;
        }
    }
    while !stop.is_cancelled() {
        let sleep = match do_next_due(&job, &stop).await {
            Ok(None) => continue,
            Ok(Some(sleep)) => sleep,
            Err(error) => {
                tracing::warn!(cause = %error, "a job of the background");
                ERROR_PAUSE
            }
        };
        let woken = tokio::time::timeout(sleep, job.woken().notified());
        let _ = stop.run_until_cancelled(woken).await;
    }
}

/// Works on a row if one is due; otherwise returns how long to sleep. Only reads while nothing is due.
async fn do_next_due<J: LeasedJob>(job: &J, stop: &CancellationToken) -> sqlx::Result<Option<Duration>> {
    let next_at = J::Key::ROWS.next_at(&job.resources().db).await?;
    let sleep = job.resources().clock.sleep_until(next_at, POLL_INTERVAL);
    if sleep.is_zero() && do_next(job, stop).await? {
        return Ok(None);
    }
    Ok(Some(sleep.max(RETRY)))
}

/// For tests: does everything that is due; returns how many rows were begun.
pub async fn do_due<J: LeasedJob>(job: &J, stop: &CancellationToken) -> sqlx::Result<usize> {
    begin(job).await?;
    let mut count = 0;
    while !stop.is_cancelled() && do_next(job, stop).await? {
        count += 1;
    }
    Ok(count)
}

async fn begin<J: LeasedJob>(job: &J) -> sqlx::Result<()> {
    if !J::Key::BESIDE_A_SERVER {
        J::Key::ROWS.expire(&job.resources().db).await?;
    }
    let queued = job.queue_missing().await?;
    if queued > 0 {
        tracing::info!(rows = queued, "queued rows that were missing");
    }
    Ok(())
}

/// Works on the next row that is due. False if nothing is.
pub async fn do_next<J: LeasedJob>(job: &J, stop: &CancellationToken) -> sqlx::Result<bool> {
    let Resources { db, clock, .. } = job.resources();
    let now = clock.now();
    let mut leased = job.lease(now, now + LEASE).await?;
    if leased.is_none() && J::Key::ROWS.retry_absent(db, now).await? > 0 {
        leased = job.lease(now, now + LEASE).await?;
    }
    let Some(leased) = leased else { return Ok(false) };
    let (row, began) = (leased.as_ref(), Instant::now());
    let key = &row.key;
    let ended = job.work_on(&leased, stop).await;
    // The work may have taken minutes.
    let now = clock.now();
    match ended {
        Ok(()) => {
            let milliseconds = began.elapsed().as_millis();
            tracing::info!(?key, milliseconds, "done");
        }
        Err(Ended::Failed(failure)) => {
            tracing::warn!(?key, %failure, "failed");
            row.fail(db, &failure).await?;
        }
        Err(Ended::Missing) => {
            tracing::warn!(?key, failure = "missing", "failed");
            row.fail_absent(db, now + ABSENCE).await?;
        }
        Err(Ended::Later(_)) if stop.is_cancelled() => {
            retry_write(stop, || row.give_back(db, now)).await?;
        }
        Err(Ended::Later(cause)) => {
            tracing::warn!(?key, cause, "put off");
            retry_write(stop, || row.give_back(db, now + PAUSE)).await?;
        }
        Err(Ended::Lost) => tracing::info!(?key, "the lease is lost"),
        Err(Ended::Database(error)) => {
            // Not the row's fault, and no try of it.
            retry_write(stop, || row.give_back(db, now + PAUSE)).await?;
            return Err(error);
        }
    }
    Ok(true)
}

/// Does a part of the work that may be dropped at any point, and renews the lease. [`Ended::Lost`] once the lease is lost.
pub(crate) async fn keep<J: LeasedJob, T>(
    job: &J,
    row: &Lease<J::Key>,
    work: impl Future<Output = Result<T, Ended>>,
) -> Result<T, Ended> {
    let Resources { db, clock, .. } = job.resources();
    renewing(work, || row.renew(db, clock.now() + LEASE)).await
}

async fn renewing<T, F>(
    work: impl Future<Output = Result<T, Ended>>,
    renew: impl Fn() -> F,
) -> Result<T, Ended>
where
    F: Future<Output = sqlx::Result<bool>>,
{
    let kept = async {
        loop {
            sleep(RENEWAL).await;
            if !renew().await? {
                return Err(Ended::Lost);
            }
        }
    };
    // Side by side: each may hold what the other waits for in the database.
    tokio::select! {
        biased;
        done = work => done,
        lost = kept => lost,
    }
}

/// [`Ended::Later`] unless the disk has room for so many bytes more.
pub(crate) async fn require_room(spool: &Spool, bytes: u64) -> Result<(), Ended> {
    let free = spool.free_bytes().await.map_err(Ended::later)?;
    if free < FREE_BYTES.saturating_add(bytes) {
        return Err(Ended::Later("the disk is almost full".to_owned()));
    }
    Ok(())
}

/// Work on a thread of the lowest priority. Dropping it asks the work to stop.
#[derive(Debug)]
pub(crate) struct Background<T> {
    /// None once it has ended.
    done: Option<oneshot::Receiver<T>>,
    stop: Arc<AtomicBool>,
}

impl<T: Send + 'static> Background<T> {
    /// Begins `work`, which asks the function that it gets whether it should stop.
    pub(crate) fn begin(
        name: &str,
        stack_bytes: usize,
        work: impl FnOnce(&dyn Fn() -> bool) -> T + Send + 'static,
    ) -> io::Result<Self> {
        let (done, waiting) = oneshot::channel();
        let stop = Arc::<AtomicBool>::default();
        let stopped = Arc::clone(&stop);
        thread::Builder::new().name(name.to_owned()).stack_size(stack_bytes).spawn(move || {
            // Where the system does not allow it, the work has the priority of all.
            let _ = rustix::process::nice(NICE);
            let _ = done.send(work(&|| stopped.load(Ordering::Relaxed)));
        })?;
        Ok(Self { done: Some(waiting), stop })
    }

    /// Waits for the result, which is returned once; none afterwards, or if the work panicked. Cancel safe.
    pub(crate) async fn done(&mut self) -> Option<T> {
        let ended = self.done.as_mut()?.await.ok();
        self.done = None;
        ended
    }
}

impl<T> Background<T> {
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, sync::atomic::AtomicU32};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_lease_is_renewed_until_the_work_is_done_or_it_is_lost() {
        let renewed = AtomicU32::new(0);
        let renew = |most: u32| {
            let renewed = &renewed;
            move || async move { Ok(renewed.fetch_add(1, Ordering::Relaxed) < most) }
        };
        let work = async {
            sleep(Duration::from_secs(100)).await;
            Ok("done")
        };
        assert_eq!(renewing(work, renew(u32::MAX)).await.unwrap(), "done");
        assert_eq!(renewed.swap(0, Ordering::Relaxed), 3);
        assert!(matches!(renewing(pending::<Result<(), _>>(), renew(2)).await, Err(Ended::Lost)));
        assert_eq!(renewed.swap(0, Ordering::Relaxed), 3);
        let refused = || async { Err(sqlx::Error::PoolTimedOut) };
        assert!(matches!(renewing(pending::<Result<(), _>>(), refused).await, Err(Ended::Database(_))));
    }

    #[tokio::test]
    async fn work_that_is_stopped_or_panics_ends() {
        let until_stopped = |is_stopped: &dyn Fn() -> bool| {
            while !is_stopped() {
                std::thread::yield_now();
            }
            "stopped"
        };
        let mut work = Background::begin("test", 64 * 1024, until_stopped).unwrap();
        work.stop();
        assert_eq!(work.done().await, Some("stopped"));
        assert_eq!(work.done().await, None);
        let mut crashed = Background::begin("test", 64 * 1024, |_| panic!("a decoder does")).unwrap();
        assert_eq!(crashed.done().await, None::<()>);
    }
}
