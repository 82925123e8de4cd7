//! The job that measures demos: one file or track of an archive at a time in each process, on a thread of the lowest priority.

mod listening;

use std::{fs::File, ops::Range, time::Duration};

use deadwax_analysis::Failure;
use deadwax_audio::{FileReader, Packing, Source, TRACKS_MAX};
use deadwax_store::{
    clock::Micros,
    demo_sounds::{self, Leased, Listed, Measured, PACKED, Packed, SoundKey},
    spool::Spooled,
};
use futures_util::TryStreamExt as _;
use rules::demo::{ANALYSIS_TIMEOUT_MS, ANALYSIS_TRIES_MAX, ANALYSIS_WORK_MS, UNPACKED_MPEG4_MAX_BYTES};
use tokio::{
    sync::Notify,
    time::{Instant, MissedTickBehavior, interval, sleep_until},
};
use tokio_util::sync::CancellationToken;

use crate::jobs::{self, Ended, LeasedJob, Resources};
use listening::{Listening, Sound};

/// How often what was worked on a demo is noted.
const CHARGE_INTERVAL: Duration = Duration::from_secs(30);
/// The failure of a demo over which the program ended each time.
const CRASHED: &str = "crashed";
/// The failure of a demo that takes more work, or a file that takes more time, than any should.
const SLOW: &str = "slow";
/// The failure of a file that no decoder knows, or of an archive whose directory cannot be read.
const UNREADABLE: &str = "unreadable";
/// The failure of what has no bytes.
const EMPTY: &str = "empty";

#[derive(Clone, Debug)]
pub struct AnalysisJob(pub Resources);

impl LeasedJob for AnalysisJob {
    type Key = SoundKey;
    type Leased = Leased;

    fn resources(&self) -> &Resources {
        &self.0
    }

    fn woken(&self) -> &Notify {
        self.0.db.commits().sounds()
    }

    async fn queue_missing(&self) -> sqlx::Result<u64> {
        demo_sounds::queue_missing(&self.0.db, self.0.clock.now()).await
    }

    async fn lease(&self, now: Micros, until: Micros) -> sqlx::Result<Option<Leased>> {
        demo_sounds::lease(&self.0.db, now, until).await
    }

    async fn work_on(&self, leased: &Leased, stop: &CancellationToken) -> Result<(), Ended> {
        jobs::keep(self, &leased.row, self.measure(leased, stop)).await
    }
}

impl AnalysisJob {
    async fn measure(&self, leased: &Leased, stop: &CancellationToken) -> Result<(), Ended> {
        if leased.row.tries > ANALYSIS_TRIES_MAX {
            return Err(Ended::Failed(CRASHED.into()));
        }
        if leased.work_ms >= ANALYSIS_WORK_MS {
            return Err(Ended::Failed(SLOW.into()));
        }
        let fetched = self.fetch(leased, stop).await?;
        let kept = if fetched.extension == "zip" {
            let tracks = listed(fetched.file).await?;
            leased.listed(&self.0.db, &tracks, self.0.clock.now()).await?
        } else {
            let sound = self.sound(fetched).await?;
            let found = self.listen(leased, sound, stop).await?;
            leased.measured(&self.0.db, &found).await?
        };
        if kept { Ok(()) } else { Err(Ended::Lost) }
    }

    /// Copies a file, or a track of an archive, to this machine.
    async fn fetch(&self, leased: &Leased, stop: &CancellationToken) -> Result<Sound, Ended> {
        let Some((key, size)) = demo_sounds::file_of(&self.0.db, leased.row.key.demo_id).await? else {
            return Err(Ended::Lost);
        };
        let name = leased.packed.as_ref().map_or(key.as_str(), |packed| &packed.name);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
        let range = leased.packed.as_ref().map_or(0..size, |packed| packed.place.clone());
        if range.is_empty() {
            return Err(Ended::Failed(EMPTY.into()));
        }
        jobs::require_room(&self.0.spool, range.end.saturating_sub(range.start)).await?;
        let file = tokio::select! {
            biased;
            () = stop.cancelled() => return Err(Ended::stopped()),
            read = self.spooled(&key, range) => read?,
        };
        let deflated = leased.packed.as_ref().filter(|packed| packed.is_deflated);
        Ok(Sound { file, extension, unpacked: deflated.map(|packed| packed.size_bytes) })
    }

    async fn spooled(&self, key: &str, range: Range<u64>) -> Result<Spooled, Ended> {
        let (_, mut stream) = self.0.storage.read(key, Some(range)).await.map_err(Ended::unread)?;
        let mut writer = self.0.spool.create(false).await.map_err(Ended::later)?;
        while let Some(piece) = stream.try_next().await.map_err(|error| Ended::unread(error.into()))? {
            writer.write(&piece).await.map_err(Ended::later)?;
        }
        writer.finish().await.map_err(Ended::later)
    }

    /// The sound to be decoded. A deflated MPEG-4 file is unpacked first, because its decoder seeks.
    async fn sound(&self, fetched: Sound) -> Result<Sound, Ended> {
        let Some(size) = fetched.unpacked.filter(|_| fetched.extension == "m4a") else {
            return Ok(fetched);
        };
        if size > UNPACKED_MPEG4_MAX_BYTES {
            return Err(Ended::Failed(UNREADABLE.into()));
        }
        jobs::require_room(&self.0.spool, size).await?;
        let mut writer = self.0.spool.create(false).await.map_err(Ended::later)?;
        let mut pieces = listening::unpacked(&fetched.file, size).map_err(Ended::later)?;
        while let Some(piece) = pieces.recv().await {
            // A damaged archive: measures what could be unpacked.
            let Ok(piece) = piece else { break };
            writer.write(&piece).await.map_err(Ended::later)?;
        }
        let file = writer.finish().await.map_err(Ended::later)?;
        Ok(Sound { file, unpacked: None, ..fetched })
    }

    async fn listen(
        &self,
        leased: &Leased,
        sound: Sound,
        stop: &CancellationToken,
    ) -> Result<Measured, Ended> {
        let left = Duration::from_millis(ANALYSIS_WORK_MS.saturating_sub(leased.work_ms));
        let mut listening = Listening::begin(sound, left).map_err(Ended::later)?;
        let ended = self.wait(leased, &mut listening, stop).await;
        // Also for work that failed, and at least something for every try.
        leased.charge(&self.0.db, listening.take_work_ms().max(1)).await?;
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
                        (Some(code), _) => Ended::Failed(code.into()),
                        // Stopped by its own allowance.
                        (None, Failure::Stopped) => Ended::Failed(SLOW.into()),
                        (None, Failure::Disk(cause)) => Ended::Later(cause.to_string()),
                        (None, _) => Ended::Later(failure.to_string()),
                    }),
                },
                () = stop.cancelled() => return Err(Ended::stopped()),
                () = sleep_until(deadline) => return Err(Ended::Failed(SLOW.into())),
                _ = charging.tick() => {
                    // Another instance may work on another track of it.
                    match leased.charge(&self.0.db, listening.take_work_ms()).await? {
                        Some(work_ms) if work_ms >= ANALYSIS_WORK_MS => return Err(Ended::Failed(SLOW.into())),
                        Some(_) => {}
                        None => return Err(Ended::Lost),
                    }
                }
            }
        }
    }
}

/// The tracks of an archive; on a thread that may block, because it is read in many places.
async fn listed(archive: Spooled) -> Result<Vec<Listed>, Ended> {
    let looking = tokio::task::spawn_blocking(move || {
        let file = FileReader::from(File::open(archive.path())?);
        deadwax_audio::tracks(&Source::new(&file, archive.size_bytes))
    });
    let tracks = looking
        .await
        .map_err(Ended::later)?
        .map_err(Ended::later)?
        .ok_or(Ended::Failed(UNREADABLE.into()))?;
    if tracks.is_empty() {
        return Err(Ended::Failed(UNREADABLE.into()));
    }
    let listed = tracks.into_iter().take(TRACKS_MAX).map(|track| Listed {
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
