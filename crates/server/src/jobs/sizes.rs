//! The job that makes the sizes of uploaded pictures: one picture at a time in each process, on a thread of the lowest priority.

use std::time::Duration;

use bytes::Bytes;
use deadwax_pictures::{NoSizes, Sizes, make_sizes};
use deadwax_store::{
    Failure,
    clock::Micros,
    deletions,
    leases::Lease,
    objects::{self, Fingerprint, NewObject},
    picture_sizes,
};
use rules::image::{SIZE_TIMEOUT_MS, SIZE_TRIES_MAX};
use tokio::{
    sync::Notify,
    time::{Instant, sleep, sleep_until},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    files::picture::PictureSizes,
    jobs::{self, Background, Ended, LEASE, LeasedJob, Resources},
};

/// The encoder's frames are small, the decoders' are not known.
const STACK_BYTES: usize = 8 * 1024 * 1024;
/// Tries to write the rows of a picture while edits hold them.
const FINISHES: u32 = 20;
/// Between two tries to write its rows.
const FINISH_PAUSE: Duration = Duration::from_millis(300);

#[derive(Clone, Debug)]
pub struct SizesJob(pub Resources);

impl LeasedJob for SizesJob {
    type Key = String;
    type Leased = Lease<String>;

    fn resources(&self) -> &Resources {
        &self.0
    }

    fn woken(&self) -> &Notify {
        self.0.db.commits().pictures()
    }

    async fn queue_missing(&self) -> sqlx::Result<u64> {
        picture_sizes::queue_missing(&self.0.db, self.0.clock.now()).await
    }

    async fn lease(&self, now: Micros, until: Micros) -> sqlx::Result<Option<Lease<String>>> {
        picture_sizes::lease(&self.0.db, now, until).await
    }

    async fn work_on(&self, leased: &Lease<String>, stop: &CancellationToken) -> Result<(), Ended> {
        if leased.tries > SIZE_TRIES_MAX {
            return Err(Ended::Failed(format!("it was begun {SIZE_TRIES_MAX} times and never ended").into()));
        }
        jobs::require_room(&self.0.spool, 0).await?;
        let read = async { self.0.storage.read_whole(&leased.key).await.map_err(Ended::unread) };
        let read = stop.run_until_cancelled(jobs::keep(self, leased, read));
        let picture = read.await.ok_or_else(Ended::stopped)??;
        let sizes = self.encode(leased, picture, stop).await?;
        let (files, listed) = named(&leased.key, sizes);
        let finished = match self.put(leased, &files).await {
            Ok(()) => self.finish(leased, &files, &listed).await,
            Err(ended) => Err(ended),
        };
        let keys: Vec<&str> = files.iter().map(|file| file.key.as_str()).collect();
        deletions::settle(&self.0.db, &keys, &self.0.clock, finished).await
    }
}

/// A file of a size on its way into storage.
struct SizeFile {
    key: String,
    bytes: Bytes,
    dimensions: (u32, u32),
}

impl SizesJob {
    async fn encode(
        &self,
        leased: &Lease<String>,
        picture: Bytes,
        stop: &CancellationToken,
    ) -> Result<Sizes, Ended> {
        let make = move |is_stopped: &dyn Fn() -> bool| make_sizes(&picture, is_stopped);
        let mut making = Background::begin("sizes", STACK_BYTES, make).map_err(Ended::later)?;
        let deadline = Instant::now() + Duration::from_millis(SIZE_TIMEOUT_MS);
        let waiting = async {
            tokio::select! {
                biased;
                done = making.done() => match done {
                    Some(Ok(sizes)) => Ok(sizes),
                    Some(Err(NoSizes::Stopped)) => Err(Ended::later(NoSizes::Stopped)),
                    Some(Err(failure)) => Err(Ended::Failed(failure.to_string().into())),
                    None => Err(Ended::Failed("the work ended early".into())),
                },
                () = stop.cancelled() => Err(Ended::stopped()),
                () = sleep_until(deadline) => Err(Ended::Failed("it took too long".into())),
            }
        };
        let ended = match jobs::keep(self, leased, waiting).await {
            Ok(sizes) => return Ok(sizes),
            Err(ended) => ended,
        };
        if let Ended::Failed(failure) = &ended {
            // Before the thread has ended, in case it takes the program with it.
            leased.fail(&self.0.db, failure).await?;
        }
        // Frees the memory before the next picture begins.
        making.stop();
        tokio::select! {
            _ = making.done() => {}
            () = stop.cancelled() => {}
        }
        Err(ended)
    }

    /// Stores the files. Never dropped half way: a file could arrive after it was abandoned.
    async fn put(&self, leased: &Lease<String>, files: &[SizeFile]) -> Result<(), Ended> {
        for file in files {
            if !leased.renew(&self.0.db, self.0.clock.now() + LEASE).await.map_err(Ended::later)? {
                return Err(Ended::Lost);
            }
            let reserved = deletions::reserve(&self.0.db, &file.key, self.0.clock.now()).await;
            reserved.map_err(Ended::later)?;
            self.0.storage.put_new(&file.key, file.bytes.clone()).await.map_err(Ended::later)?;
        }
        Ok(())
    }

    async fn finish(
        &self,
        leased: &Lease<String>,
        files: &[SizeFile],
        listed: &PictureSizes,
    ) -> Result<(), Ended> {
        let objects: Vec<NewObject<'_>> = files
            .iter()
            .map(|file| NewObject {
                dimensions: Some(file.dimensions),
                ..NewObject::new(&file.key, Fingerprint::of(&file.bytes))
            })
            .collect();
        let listed =
            serde_json::to_string(listed).map_err(|error| Ended::Failed(error.to_string().into()))?;
        let mut further_tries = 1..FINISHES;
        loop {
            match leased.finish(&self.0.db, &objects, &listed, self.0.clock.now()).await {
                Ok(true) => return Ok(()),
                Ok(false) | Err(Failure::Late) => return Err(Ended::Lost),
                Err(error) if further_tries.next().is_none() => return Err(Ended::later(error)),
                Err(error) => {
                    tracing::warn!(cause = %error, "writing the rows of a picture; another try follows");
                }
            }
            sleep(FINISH_PAUSE).await;
        }
    }
}

/// The files of all sizes, and what the picture's row says of them.
fn named(key: &str, sizes: Sizes) -> (Vec<SizeFile>, PictureSizes) {
    // The random part makes the names unique, also among earlier tries.
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
