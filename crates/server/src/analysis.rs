//! The job that measures demos after they have arrived: one file at a time in each process, or one track of an archive, on a thread
//! of the lowest priority. What is to be measured stands in rows: whatever ends the program, each ends measured once, by whichever
//! instance finds it, or as a failure with a name.

mod listening;

use std::{fs::File, io, ops::Range, time::Duration};

use deadwax_analysis::Failure;
use deadwax_audio::{Disk, MOST_TRACKS, Packing, Source};
use deadwax_store::{
    clock::{Clock, Micros, SECOND},
    db::Db,
    demo_sounds::{self, Leased, Listed, MISSING, Measured, PACKED, Packed},
    spool::{Spool, Spooled},
    storage::{Storage, StorageError},
};
use futures_util::TryStreamExt as _;
use rules::demo::{
    ANALYSIS_TIMEOUT_MS, ANALYSIS_TRIES_MAX, ANALYSIS_WORK_MS, FREE_BYTES, UNPACKED_MPEG4_MAX_BYTES,
};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::{
    leases::{LEASE, keep},
    retry_write::retry_write,
};
use listening::{Listening, Sound};

/// How often what was worked on a demo is noted.
const CHARGE_INTERVAL: Duration = Duration::from_secs(30);
/// What other instances queued, and what is tried again, is found this often.
const POLL_INTERVAL: Duration = Duration::from_secs(10);
/// Until a demo is tried again whose file could not be read.
const PAUSE: Micros = 60 * SECOND;
/// Until a file that is not there is looked for again.
const ABSENCE: Micros = 600 * SECOND;

/// The failure of a demo over which the program ended each time.
const CRASHED: &str = "crashed";
/// The failure of a demo that takes more work, or a file that takes more time, than any should.
const SLOW: &str = "slow";
/// The failure of a file that no decoder knows, or of an archive whose directory cannot be read.
const UNREADABLE: &str = "unreadable";
/// The failure of what has no bytes.
const EMPTY: &str = "empty";

/// The job. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AnalysisJob {
    db: Db,
    storage: Storage,
    spool: Spool,
    clock: Clock,
}

/// Why the work on a demo ended without figures.
#[derive(Debug, thiserror::Error)]
enum Ended {
    /// It has none, for good.
    #[error("{0}")]
    Failed(&'static str),
    /// Its file is not there, and may come back.
    #[error("{MISSING}")]
    Missing,
    /// Not now: the storage or the disk refuses, or the program stops.
    #[error("{0}")]
    Later(String),
    /// Somebody else has it, or it is gone.
    #[error("it is somebody else's by now, or gone")]
    Lost,
    /// The database refused.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// A file with its bytes on this machine.
struct Fetched {
    file: Spooled,
    extension: String,
    packed: Option<Packed>,
}

impl AnalysisJob {
    /// The job over the rows in `db` and the files in `storage`; what is read of them passes through `spool`.
    pub fn new(db: Db, storage: Storage, spool: Spool, clock: Clock) -> Self {
        Self { db, storage, spool, clock }
    }

    /// Measures what is due, now and whenever something is queued, until the program stops.
    pub async fn work(self, stop: CancellationToken) {
        if let Err(error) = self.begin().await {
            tracing::warn!(cause = %error, "looking for demos that were not measured");
        }
        while !stop.is_cancelled() {
            match self.measure_next(&stop).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!(cause = %error, "measuring demos"),
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.db.commits().sounds().notified() => {}
                () = sleep(POLL_INTERVAL) => {}
            }
        }
    }

    /// What an earlier run left, and demos of before they were measured.
    async fn begin(&self) -> sqlx::Result<()> {
        demo_sounds::expire_leases(&self.db).await?;
        let queued = demo_sounds::queue_missing(&self.db, self.clock.now()).await?;
        if queued > 0 {
            tracing::info!(demos = queued, "demos are to be measured");
        }
        Ok(())
    }

    /// Measures everything that is due now, as a program does that has just started; how many files and tracks were begun.
    pub async fn measure_due(&self, stop: &CancellationToken) -> sqlx::Result<usize> {
        self.begin().await?;
        let mut begun = 0;
        while !stop.is_cancelled() && self.measure_next(stop).await? {
            begun += 1;
        }
        Ok(begun)
    }

    /// Measures the next file or track that is due. False when none is.
    pub async fn measure_next(&self, stop: &CancellationToken) -> sqlx::Result<bool> {
        let now = self.clock.now();
        let mut leased = demo_sounds::lease(&self.db, now, now + LEASE).await?;
        if leased.is_none() && demo_sounds::look_again(&self.db, now).await? > 0 {
            leased = demo_sounds::lease(&self.db, now, now + LEASE).await?;
        }
        let Some(leased) = leased else { return Ok(false) };
        let (began, demo, track) = (Instant::now(), leased.demo_id, leased.track);
        let renew = || leased.renew(&self.db, self.clock.now() + LEASE);
        let ended = match keep(self.measure(&leased, stop), renew).await {
            Ok(Some(ended)) => ended,
            Ok(None) => Err(Ended::Lost),
            Err(error) => Err(Ended::Database(error)),
        };
        // The work may have taken minutes: what is put off, is put off from here.
        let now = self.clock.now();
        match ended {
            Ok(()) => {
                let milliseconds = began.elapsed().as_millis();
                tracing::info!(%demo, track, milliseconds, "a demo is measured");
            }
            Err(Ended::Failed(failure)) => {
                tracing::warn!(%demo, track, failure, "a demo cannot be measured");
                leased.fail(&self.db, failure).await?;
            }
            Err(Ended::Missing) => {
                tracing::warn!(%demo, track, failure = MISSING, "a demo cannot be measured");
                leased.look_later(&self.db, now + ABSENCE).await?;
            }
            Err(Ended::Later(cause)) => {
                if !stop.is_cancelled() {
                    tracing::warn!(%demo, track, cause, "measuring a demo later");
                }
                let at = now + if stop.is_cancelled() { 0 } else { PAUSE };
                retry_write(stop, || leased.give_back(&self.db, at)).await?;
            }
            Err(Ended::Lost) => tracing::info!(%demo, track, "figures of a demo are not needed any more"),
            Err(Ended::Database(error)) => {
                // It was not the demo's fault, and costs it no try.
                retry_write(stop, || leased.give_back(&self.db, now + PAUSE)).await?;
                return Err(error);
            }
        }
        Ok(true)
    }

    async fn measure(&self, leased: &Leased, stop: &CancellationToken) -> Result<(), Ended> {
        if leased.tries > ANALYSIS_TRIES_MAX {
            return Err(Ended::Failed(CRASHED));
        }
        if leased.work_ms >= ANALYSIS_WORK_MS {
            return Err(Ended::Failed(SLOW));
        }
        let fetched = self.fetch(leased, stop).await?;
        let kept = if fetched.extension == "zip" {
            let tracks = listed(fetched.file).await?;
            leased.listed(&self.db, &tracks, self.clock.now()).await?
        } else {
            let sound = self.sound(fetched).await?;
            let found = self.listen(leased, sound, stop).await?;
            leased.measured(&self.db, &found).await?
        };
        if kept { Ok(()) } else { Err(Ended::Lost) }
    }

    /// Brings what is to be measured to this machine: a file, or of an archive the bytes of one track.
    async fn fetch(&self, leased: &Leased, stop: &CancellationToken) -> Result<Fetched, Ended> {
        let Some((key, size)) = demo_sounds::file_of(&self.db, leased.demo_id).await? else {
            return Err(Ended::Lost);
        };
        let name = leased.packed.as_ref().map_or(key.as_str(), |packed| &packed.name);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
        let range = leased.packed.as_ref().map_or(0..size, |packed| packed.place.clone());
        if range.is_empty() {
            return Err(Ended::Failed(EMPTY));
        }
        self.has_room(range.end.saturating_sub(range.start)).await?;
        let file = tokio::select! {
            biased;
            () = stop.cancelled() => return Err(Ended::Later("the program stops".to_owned())),
            read = self.spooled(&key, range) => read?,
        };
        Ok(Fetched { file, extension, packed: leased.packed.clone() })
    }

    async fn has_room(&self, bytes: u64) -> Result<(), Ended> {
        let free = self.spool.free_bytes().await.map_err(later)?;
        if free < FREE_BYTES.saturating_add(bytes) {
            return Err(Ended::Later("the disk is almost full".to_owned()));
        }
        Ok(())
    }

    async fn spooled(&self, key: &str, range: Range<u64>) -> Result<Spooled, Ended> {
        let (_, mut stream) = self.storage.read(key, Some(range)).await.map_err(unread)?;
        let mut writer = self.spool.create(false).await.map_err(later)?;
        while let Some(piece) = stream.try_next().await.map_err(|error| unread(error.into()))? {
            writer.write(&piece).await.map_err(later)?;
        }
        writer.finish().await.map_err(later)
    }

    /// What is to be decoded. MPEG-4 is read from several places at once: a deflated one is unpacked first.
    async fn sound(&self, fetched: Fetched) -> Result<Sound, Ended> {
        let Fetched { file, extension, packed } = fetched;
        let unpacked = packed.filter(|packed| packed.is_deflated).map(|packed| packed.size_bytes);
        let Some(size) = unpacked.filter(|_| extension == "m4a") else {
            return Ok(Sound { file, extension, unpacked });
        };
        if size > UNPACKED_MPEG4_MAX_BYTES {
            return Err(Ended::Failed(UNREADABLE));
        }
        self.has_room(size).await?;
        let mut writer = self.spool.create(false).await.map_err(later)?;
        let mut pieces = listening::unpacked(&file, size).map_err(later)?;
        while let Some(piece) = pieces.recv().await {
            // What does not unpack ends here; what there is of it is looked at.
            let Ok(piece) = piece else { break };
            writer.write(&piece).await.map_err(later)?;
        }
        Ok(Sound { file: writer.finish().await.map_err(later)?, extension, unpacked: None })
    }

    /// Waits for the thread that does the work, and counts what it has done.
    async fn listen(
        &self,
        leased: &Leased,
        sound: Sound,
        stop: &CancellationToken,
    ) -> Result<Measured, Ended> {
        let left = Duration::from_millis(ANALYSIS_WORK_MS.saturating_sub(leased.work_ms));
        let mut listening = Listening::begin(sound, left).map_err(later)?;
        let ended = self.wait(leased, &mut listening, stop).await;
        // Also of what did not end: it costs others as much. What was begun counts for something.
        leased.charge(&self.db, listening.take_work_ms().max(1)).await?;
        ended
    }

    async fn wait(
        &self,
        leased: &Leased,
        listening: &mut Listening,
        stop: &CancellationToken,
    ) -> Result<Measured, Ended> {
        let deadline = Instant::now() + Duration::from_millis(ANALYSIS_TIMEOUT_MS);
        let mut charging = interval(CHARGE_INTERVAL);
        charging.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                done = listening.done() => return match done {
                    Ok(found) => Ok(found),
                    Err(failure) => Err(match (failure.code(), &failure) {
                        (Some(code), _) => Ended::Failed(code),
                        // Nobody else stops it while it is waited for.
                        (None, Failure::Stopped) => Ended::Failed(SLOW),
                        (None, Failure::Disk(cause)) => Ended::Later(cause.to_string()),
                        (None, _) => Ended::Later(failure.to_string()),
                    }),
                },
                () = stop.cancelled() => return Err(Ended::Later("the program stops".to_owned())),
                () = sleep_until(deadline) => return Err(Ended::Failed(SLOW)),
                _ = charging.tick() => {
                    // Another instance may work on another track of it.
                    match leased.charge(&self.db, listening.take_work_ms()).await? {
                        Some(work_ms) if work_ms >= ANALYSIS_WORK_MS => return Err(Ended::Failed(SLOW)),
                        Some(_) => {}
                        None => return Err(Ended::Lost),
                    }
                }
            }
        }
    }
}

/// The tracks of an archive, which is read at many places: on a thread that may wait.
async fn listed(archive: Spooled) -> Result<Vec<Listed>, Ended> {
    let looking = tokio::task::spawn_blocking(move || {
        let file = Disk(File::open(archive.path())?);
        deadwax_audio::tracks(&Source::new(&file, archive.size_bytes))
    });
    let tracks = looking.await.map_err(later)?.map_err(later)?.ok_or(Ended::Failed(UNREADABLE))?;
    if tracks.is_empty() {
        return Err(Ended::Failed(UNREADABLE));
    }
    let listed = tracks.into_iter().take(MOST_TRACKS).map(|track| Listed {
        failure: match track.packing {
            Packing::Other => Some(PACKED),
            _ if !track.is_readable() => Some(UNREADABLE),
            _ => None,
        },
        packed: Packed {
            name: track.name,
            place: track.place,
            is_deflated: track.packing == Packing::Deflated,
            size_bytes: track.unpacked,
        },
    });
    Ok(listed.collect())
}

fn later(error: impl std::fmt::Display) -> Ended {
    Ended::Later(error.to_string())
}

fn unread(error: StorageError) -> Ended {
    match error {
        StorageError::NotFound => Ended::Missing,
        StorageError::Disk(error) if error.kind() == io::ErrorKind::NotFound => Ended::Missing,
        error => Ended::Later(error.to_string()),
    }
}
