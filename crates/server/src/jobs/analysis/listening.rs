//! Decodes a file on a thread of the lowest priority.

use std::{
    fs::File,
    io::{self, Read as _},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use deadwax_analysis::{Analysis, Failure, MediaSource, Unpacking, analyse};
use deadwax_store::{demo_sounds::Measured, spool::Spooled};
use rules::demo_desk::tagged_name;
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::mpsc;

use crate::jobs::Background;

/// Decoders keep their tables on the heap; this is more than they need.
const STACK_BYTES: usize = 2 * 1024 * 1024;
/// Unpacked at once.
const PIECE: usize = 128 * 1024;

pub(super) struct Sound {
    pub(super) file: Spooled,
    /// Its type, in lower case.
    pub(super) extension: String,
    /// How many bytes it becomes, where it is deflated.
    pub(super) unpacked: Option<u64>,
}

/// A file that is being decoded. Dropping it ends the work within moments.
pub(super) struct Listening {
    work: Background<Result<Measured, Failure>>,
    /// How long a processor has worked on it, and how much of that was taken.
    work_ms: Arc<AtomicU64>,
    taken_ms: u64,
}

impl Sound {
    fn open(&self) -> io::Result<Box<dyn MediaSource>> {
        let file = File::open(self.file.path())?;
        Ok(match self.unpacked {
            Some(size) => Box::new(Unpacking::new(file, size)),
            None => Box::new(file),
        })
    }
}

impl Listening {
    /// Begins with a file, on which a processor may work for as long as is `left`: past that it ends as [`Failure::Stopped`].
    pub(super) fn begin(sound: Sound, left: Duration) -> io::Result<Self> {
        let work_ms = Arc::<AtomicU64>::default();
        let of_thread = Arc::clone(&work_ms);
        let work = Background::begin("analysis", STACK_BYTES, move |is_stopped| {
            let mut is_wanted = || {
                let work = work_of_this_thread();
                of_thread.store(milliseconds(work), Ordering::Relaxed);
                work < left && !is_stopped()
            };
            let opened = sound.open().map_err(Failure::Disk);
            let found = opened.and_then(|source| analyse(source, &sound.extension, &mut is_wanted));
            is_wanted();
            found.map(measured)
        })?;
        Ok(Self { work, work_ms, taken_ms: 0 })
    }

    /// How long a processor has worked on it since this was last asked.
    pub(super) fn take_work_ms(&mut self) -> u64 {
        let work_ms = self.work_ms.load(Ordering::Relaxed);
        work_ms - std::mem::replace(&mut self.taken_ms, work_ms)
    }

    /// Waits for the result, which is returned once. Cancel safe.
    pub(super) async fn done(&mut self) -> Result<Measured, Failure> {
        self.work.done().await.unwrap_or_else(|| Err(Failure::Unreadable("its thread ended".to_owned())))
    }
}

/// How long a processor has worked for this thread: not how long it waited for one, or for the disk.
fn work_of_this_thread() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

fn milliseconds(long: Duration) -> u64 {
    u64::try_from(long.as_millis()).unwrap_or(u64::MAX)
}

/// The pieces that a deflated file becomes, up to `size` bytes: unpacked by a thread that may wait, as fast as they are taken.
pub(super) fn unpacked(packed: &Spooled, size: u64) -> io::Result<mpsc::Receiver<io::Result<Bytes>>> {
    let mut source = Unpacking::new(File::open(packed.path())?, size);
    let (pieces, taken) = mpsc::channel(2);
    tokio::task::spawn_blocking(move || {
        loop {
            let mut piece = Vec::with_capacity(PIECE);
            let read = source.by_ref().take(PIECE as u64).read_to_end(&mut piece);
            let (is_last, piece) = match read {
                Ok(0) => break,
                Ok(_) => (false, Ok(piece.into())),
                Err(error) => (true, Err(error)),
            };
            if pieces.blocking_send(piece).is_err() || is_last {
                break;
            }
        }
    });
    Ok(taken)
}

fn measured(found: Analysis) -> Measured {
    #[expect(clippy::cast_possible_truncation, reason = "loudness and peaks are hundreds at most")]
    let thousandths = |level: f64| (level * 1000.0).round() as i64;
    Measured {
        duration_ms: found.milliseconds,
        sample_rate: found.sample_rate,
        channels: found.channels,
        loudness: found.loudness.map(thousandths),
        true_peak: found.true_peak.map(thousandths),
        clipped_samples: found.clipped_samples,
        silence_start_ms: found.silence_before,
        silence_end_ms: found.silence_after,
        peaks: found.peaks,
        title: found.names.title.as_deref().and_then(tagged_name),
        album: found.names.album.as_deref().and_then(tagged_name),
    }
}
