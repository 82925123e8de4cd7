//! The job that makes the sizes of pictures after their uploads have been answered: one picture at a time in each process, on a
//! thread of the lowest priority. What is to be made stands in rows: whatever ends the program, the work is done once, by
//! whichever instance finds it, or ends as a failure with a name.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use deadwax_pictures::{Making, NoSizes, Sizes};
use deadwax_store::{
    clock::{Clock, Micros, SECOND},
    db::Db,
    deletions,
    objects::{self, Fingerprint, NewObject},
    picture_sizes::{self, Leased},
    spool::Spool,
    storage::{Storage, StorageError},
};
use futures_util::TryStreamExt as _;
use rules::{
    demo::FREE_BYTES,
    image::{SIZE_TIMEOUT_MS, SIZE_TRIES_MAX},
};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    leases::{LEASE, keep},
    picture::PictureSizes,
    retry_write::retry_write,
};

/// What other instances queued, and what is tried again, is found this often.
const POLL_INTERVAL: Duration = Duration::from_secs(10);
/// Until a picture is tried again whose file could not be read or whose sizes could not be stored.
const PAUSE: Micros = 60 * SECOND;
/// Until a file that is not there is looked for again.
const ABSENCE: Micros = 600 * SECOND;
/// Somebody works on the rows of a picture for this long at most.
const FINISHES: u32 = 20;
/// Between two tries to write its rows.
const FINISH_PAUSE: Duration = Duration::from_millis(300);

/// The job. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SizesJob {
    db: Db,
    storage: Storage,
    spool: Spool,
    clock: Clock,
}

/// Why the work on a picture ended without sizes.
#[derive(Debug, thiserror::Error)]
enum Ended {
    /// It has none, for good.
    #[error("{0}")]
    Failed(String),
    /// Its file is not there, and may come back.
    #[error("{}", picture_sizes::GONE)]
    Gone,
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

/// A file of a size on its way into storage.
struct SizeFile {
    key: String,
    bytes: Bytes,
    dimensions: (u32, u32),
}

impl SizesJob {
    /// The job over the rows in `db` and the files in `storage`.
    pub fn new(db: Db, storage: Storage, spool: Spool, clock: Clock) -> Self {
        Self { db, storage, spool, clock }
    }

    /// Makes what is due, now and whenever something is queued, until the program stops.
    pub async fn work(self, stop: CancellationToken) {
        if let Err(error) = self.begin().await {
            tracing::warn!(cause = %error, "looking for pictures without sizes");
        }
        while !stop.is_cancelled() {
            match self.make_next(&stop).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!(cause = %error, "making sizes of pictures"),
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.db.commits().pictures().notified() => {}
                () = sleep(POLL_INTERVAL) => {}
            }
        }
    }

    /// What an earlier run left, and pictures of before there were sizes.
    async fn begin(&self) -> sqlx::Result<()> {
        picture_sizes::expire_leases(&self.db).await?;
        let queued = picture_sizes::queue_missing(&self.db, self.clock.now()).await?;
        if queued > 0 {
            tracing::info!(pictures = queued, "sizes of pictures are to be made");
        }
        Ok(())
    }

    /// Makes everything that is due now, as a program does that has just started; how many pictures were begun.
    pub async fn make_due(&self, stop: &CancellationToken) -> sqlx::Result<usize> {
        self.begin().await?;
        let mut begun = 0;
        while !stop.is_cancelled() && self.make_next(stop).await? {
            begun += 1;
        }
        Ok(begun)
    }

    /// Makes the sizes of the next picture that is due. False when none is.
    async fn make_next(&self, stop: &CancellationToken) -> sqlx::Result<bool> {
        let now = self.clock.now();
        let mut leased = picture_sizes::lease(&self.db, now, now + LEASE).await?;
        if leased.is_none() && picture_sizes::look_again(&self.db, now).await? > 0 {
            leased = picture_sizes::lease(&self.db, now, now + LEASE).await?;
        }
        let Some(leased) = leased else { return Ok(false) };
        let began = Instant::now();
        let ended = self.make(&leased, stop).await;
        // The work may have taken minutes: what is put off, is put off from here.
        let now = self.clock.now();
        match ended {
            Ok((sizes, bytes)) => {
                let milliseconds = began.elapsed().as_millis();
                tracing::info!(key = leased.key, sizes, bytes, milliseconds, "sizes of a picture are made");
            }
            Err(Ended::Failed(failure)) => {
                tracing::warn!(key = leased.key, failure, "a picture has no sizes");
                leased.fail(&self.db, &failure).await?;
            }
            Err(Ended::Gone) => {
                tracing::warn!(key = leased.key, failure = picture_sizes::GONE, "a picture has no sizes");
                leased.look_later(&self.db, now + ABSENCE).await?;
            }
            Err(Ended::Later(cause)) => {
                if !stop.is_cancelled() {
                    tracing::warn!(key = leased.key, cause, "making the sizes of a picture later");
                }
                let at = now + if stop.is_cancelled() { 0 } else { PAUSE };
                retry_write(stop, || leased.give_back(&self.db, at)).await?;
            }
            Err(Ended::Lost) => {
                tracing::info!(key = leased.key, "sizes of a picture are not needed any more");
            }
            Err(Ended::Database(error)) => {
                // It was not the picture's fault, and costs it no try.
                retry_write(stop, || leased.give_back(&self.db, now + PAUSE)).await?;
                return Err(error);
            }
        }
        Ok(true)
    }

    /// How many sizes were made, and their bytes.
    async fn make(&self, leased: &Leased, stop: &CancellationToken) -> Result<(usize, usize), Ended> {
        if leased.tries > SIZE_TRIES_MAX {
            return Err(Ended::Failed(format!("it was begun {SIZE_TRIES_MAX} times and never ended")));
        }
        let free = self.spool.free_bytes().await.map_err(|error| Ended::Later(error.to_string()))?;
        if free < FREE_BYTES {
            return Err(Ended::Later("the disk is almost full".to_owned()));
        }
        let read = stop.run_until_cancelled(self.keep(leased, self.read(&leased.key)));
        let picture = read.await.ok_or_else(|| Ended::Later("the program stops".to_owned()))??;
        let sizes = self.encode(leased, picture, stop).await?;
        let (files, listed) = named(&leased.key, sizes);
        let counted = (listed.widths.len(), files.iter().map(|file| file.bytes.len()).sum());
        let finished = match self.put(leased, &files).await {
            Ok(()) => self.finish(leased, &files, &listed).await,
            Err(ended) => Err(ended),
        };
        if finished.is_err() {
            for file in &files {
                deletions::abandon(&self.db, &file.key, self.clock.now()).await;
            }
        }
        finished.map(|()| counted)
    }

    /// Does a part of the work, which can be dropped where it stands, and keeps the picture meanwhile.
    async fn keep<T>(
        &self,
        leased: &Leased,
        work: impl Future<Output = Result<T, Ended>>,
    ) -> Result<T, Ended> {
        keep(work, || self.renew(leased)).await?.unwrap_or(Err(Ended::Lost))
    }

    async fn renew(&self, leased: &Leased) -> sqlx::Result<bool> {
        leased.renew(&self.db, self.clock.now() + LEASE).await
    }

    async fn read(&self, key: &str) -> Result<Bytes, Ended> {
        let read = async {
            let (size, stream) = self.storage.read(key, None).await?;
            let room = BytesMut::with_capacity(usize::try_from(size).unwrap_or(0));
            let whole = stream.try_fold(room, async |mut whole, piece| {
                whole.extend_from_slice(&piece);
                Ok(whole)
            });
            Ok::<_, StorageError>(whole.await?.freeze())
        };
        read.await.map_err(|error| match error {
            StorageError::NotFound => Ended::Gone,
            error => Ended::Later(error.to_string()),
        })
    }

    /// Waits for the thread that does the work, and keeps the picture meanwhile.
    async fn encode(
        &self,
        leased: &Leased,
        picture: Bytes,
        stop: &CancellationToken,
    ) -> Result<Sizes, Ended> {
        let mut making = Making::begin(picture).map_err(|error| Ended::Later(error.to_string()))?;
        let deadline = Instant::now() + Duration::from_millis(SIZE_TIMEOUT_MS);
        let waiting = async {
            tokio::select! {
                biased;
                done = making.done() => done.map_err(|failure| match failure {
                    NoSizes::Stopped => Ended::Later("it was stopped".to_owned()),
                    failure => Ended::Failed(failure.to_string()),
                }),
                () = stop.cancelled() => Err(Ended::Later("the program stops".to_owned())),
                () = sleep_until(deadline) => Err(Ended::Failed("it took too long".to_owned())),
            }
        };
        let ended = match self.keep(leased, waiting).await {
            Ok(sizes) => return Ok(sizes),
            Err(ended) => ended,
        };
        if let Ended::Failed(failure) = &ended {
            // Said before the thread has ended: should it take the program with it, nobody begins anew.
            leased.fail(&self.db, failure).await?;
        }
        // The next picture waits until this one takes no memory any more.
        making.stop();
        tokio::select! {
            _ = making.done() => {}
            () = stop.cancelled() => {}
        }
        Err(ended)
    }

    /// Stores the files, each to its end: one that is dropped half way might come after it was abandoned.
    async fn put(&self, leased: &Leased, files: &[SizeFile]) -> Result<(), Ended> {
        let later = |error: &dyn std::error::Error| Ended::Later(error.to_string());
        for file in files {
            if !self.renew(leased).await.map_err(|error| later(&error))? {
                return Err(Ended::Lost);
            }
            let reserved = deletions::reserve(&self.db, &file.key, self.clock.now()).await;
            reserved.map_err(|error| later(&error))?;
            self.storage.put_new(&file.key, file.bytes.clone()).await.map_err(|error| later(&error))?;
        }
        Ok(())
    }

    async fn finish(&self, leased: &Leased, files: &[SizeFile], listed: &PictureSizes) -> Result<(), Ended> {
        let objects: Vec<NewObject<'_>> = files
            .iter()
            .map(|file| NewObject {
                key: &file.key,
                fingerprint: Fingerprint::of(&file.bytes),
                dimensions: Some(file.dimensions),
                small_key: None,
            })
            .collect();
        let listed = serde_json::to_string(listed).map_err(|error| Ended::Failed(error.to_string()))?;
        for _ in 1..FINISHES {
            match leased.finish(&self.db, &objects, &listed, self.clock.now()).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(Ended::Lost),
                Err(error) => {
                    tracing::warn!(cause = %error, "writing the rows of a picture; another try follows");
                }
            }
            sleep(FINISH_PAUSE).await;
        }
        match leased.finish(&self.db, &objects, &listed, self.clock.now()).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Ended::Lost),
            Err(error) => Err(Ended::Later(error.to_string())),
        }
    }
}

/// The files of all sizes under names of their own, and what the picture's row says of them.
fn named(key: &str, sizes: Sizes) -> (Vec<SizeFile>, PictureSizes) {
    // Nobody has these names already, neither another picture nor an earlier try; the extension stays in them as in the small
    // version's.
    let (stem, extension) = key.rsplit_once('.').unwrap_or((key, ""));
    let own = Uuid::new_v4().simple().to_string();
    let base = format!("{stem}-{extension}-{}", &own[..8]);
    let listed = PictureSizes {
        base: objects::url(&base),
        widths: sizes.sizes.iter().map(|size| size.width).collect(),
        fallback: sizes.fallback.to_owned(),
        moving: sizes.moving,
    };
    let files = sizes.sizes.into_iter().flat_map(|size| {
        let dimensions = (size.width, size.height);
        [("avif", size.avif), (sizes.fallback, size.fallback)].map(|(extension, bytes)| SizeFile {
            key: PictureSizes::key(&base, size.width, extension),
            bytes: bytes.into(),
            dimensions,
        })
    });
    (files.collect(), listed)
}
