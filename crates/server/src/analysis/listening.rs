//! Decoding a file on a thread of its own with the lowest priority.

use std::{
    fs::File,
    io::{self, Read as _},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use bytes::Bytes;
use deadwax_analysis::{Analysis, Entry, Failure, MediaSource, Unpacking, analyse};
use deadwax_store::{demo_sounds::Measured, spool::Spooled};
use rules::demo_desk::tagged_name;
use tokio::sync::{mpsc, oneshot};

/// The lowest priority there is, as `nice` counts.
const NICE: i32 = 19;
/// Decoders keep their tables on the heap; this is more than they need.
const STACK_BYTES: usize = 2 * 1024 * 1024;
/// Unpacked at once.
const PIECE: usize = 128 * 1024;

/// What is to be decoded.
pub(super) struct Sound {
    /// Its bytes.
    pub(super) file: Spooled,
    /// What it is, in small letters.
    pub(super) extension: String,
    /// How many bytes it becomes, where it is deflated.
    pub(super) unpacked: Option<u64>,
}

/// A file that is being decoded. Dropping it ends the work within moments.
pub(super) struct Listening {
    done: oneshot::Receiver<Result<Analysis, Failure>>,
    stop: Arc<AtomicBool>,
}

impl Sound {
    fn open(&self) -> io::Result<Box<dyn MediaSource>> {
        let file = File::open(self.file.path())?;
        let whole = Entry::new(file, 0..self.file.size_bytes);
        Ok(match self.unpacked {
            Some(size) => Box::new(Unpacking::new(whole, size)),
            None => Box::new(whole),
        })
    }
}

impl Listening {
    /// Begins with a file.
    pub(super) fn begin(sound: Sound) -> io::Result<Self> {
        let (told, done) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        thread::Builder::new().name("analysis".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            // Where the system does not allow it, the work has the priority of all.
            let _ = rustix::process::nice(NICE);
            let found = sound.open().map_err(Failure::Disk).and_then(|source| {
                analyse(source, &sound.extension, &mut || !stopped.load(Ordering::Relaxed))
            });
            // Whoever hears of the end finds nothing left of it.
            drop(sound);
            let _ = told.send(found);
        })?;
        Ok(Self { done, stop })
    }

    /// Waits for what becomes of it, which is told once. May be dropped while it waits, and asked again.
    pub(super) async fn done(&mut self) -> Result<Measured, Failure> {
        let found = (&mut self.done).await;
        found.unwrap_or_else(|_| Err(Failure::Unreadable("its thread ended".to_owned()))).map(measured)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// The pieces that a deflated file becomes, up to `size` bytes: unpacked by a thread that may wait, as fast as they are taken.
pub(super) fn unpacked(packed: &Spooled, size: u64) -> io::Result<mpsc::Receiver<io::Result<Bytes>>> {
    let entry = Entry::new(File::open(packed.path())?, 0..packed.size_bytes);
    let (pieces, taken) = mpsc::channel(2);
    tokio::task::spawn_blocking(move || {
        let mut source = Unpacking::new(entry, size);
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
