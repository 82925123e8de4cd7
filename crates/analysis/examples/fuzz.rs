//! Damages files for so many seconds each and looks whether what is said of them, and what is decoded, ends well:
//! `cargo run -p deadwax-analysis --example fuzz -- SECONDS SEED FILE…`. Of an archive the tracks are decoded as well. Prints a line for each
//! file, and leaves what made something panic, or take more than 32 MiB beside its own bytes, in the working directory. Ends with 1 if
//! there was any.
#![expect(clippy::print_stdout, reason = "its output")]

use std::{
    fs::{self, File},
    io::{self, Cursor, Read as _, Seek as _},
    os::unix::fs::FileExt as _,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use deadwax_analysis::{Failure, Unpacking, analyse};
use deadwax_audio::{Packing, Source, check, describe, tracks};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const BYTES_MAX: usize = 32 * 1024 * 1024;
/// Of a file so many bytes are used: what is damaged is the beginning, the end and the tables in between.
const LONGEST: usize = 400_000;
/// One file of so many is filled up to so many bytes with copies of a piece of it: numbers of small things.
const MANY_OF: usize = 40;
const MANY_BYTES: usize = 10 * 1024 * 1024;
/// The stack of the program's decoding thread.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// A small generator of numbers (`SplitMix64`), so that a run can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % (limit.max(1) as u64)).unwrap_or(0)
    }
}

#[derive(Default)]
struct Outcome {
    /// How many files and tracks were decoded to their end.
    decoded: u64,
    /// How many ended by a panic of a decoder, which is a failure like others.
    caught: u64,
}

impl Outcome {
    fn add<T>(&mut self, ended: &Result<T, Failure>) {
        match ended {
            Ok(_) => self.decoded += 1,
            Err(Failure::Unreadable(why)) if why.contains("panicked") => self.caught += 1,
            Err(_) => {}
        }
    }
}

/// Everything that the program does with a file.
fn look(bytes: &[u8], extension: &str, spool: &File, outcome: &mut Outcome) -> io::Result<()> {
    let source = Source::new(&bytes, bytes.len() as u64);
    let _ = check(&source, extension);
    let _ = describe(&source, extension);
    if extension != "zip" {
        outcome.add(&analyse(Box::new(Cursor::new(bytes.to_vec())), extension, &mut || true));
        return Ok(());
    }
    for track in tracks(&source)?.unwrap_or_default() {
        let extension =
            Path::new(&track.name).extension().and_then(|found| found.to_str()).unwrap_or_default();
        let extension = extension.to_ascii_lowercase();
        // Each is read from a file, as the program reads it.
        let place = track.place.start..track.place.end.min(bytes.len() as u64);
        let packed = usize::try_from(place.start).ok().zip(usize::try_from(place.end).ok());
        let packed = packed.and_then(|(start, end)| bytes.get(start..end)).unwrap_or_default();
        spool.set_len(0)?;
        spool.write_all_at(packed, 0)?;
        let mut entry = spool.try_clone()?;
        entry.rewind()?;
        let ended = match track.packing {
            Packing::Deflated if extension == "m4a" => {
                // Unpacked first, which the program does to a file: what can be read of it.
                let (mut unpacked, mut piece) = (Vec::new(), [0; 8192]);
                let mut source = Unpacking::new(entry, track.unpacked).take(LONGEST as u64);
                while let Ok(read @ 1..) = source.read(&mut piece) {
                    unpacked.extend_from_slice(&piece[..read]);
                }
                analyse(Box::new(Cursor::new(unpacked)), &extension, &mut || true)
            }
            Packing::Deflated => {
                analyse(Box::new(Unpacking::new(entry, track.unpacked)), &extension, &mut || true)
            }
            // The program leaves these alone.
            Packing::Other => continue,
            Packing::Stored => analyse(Box::new(entry), &extension, &mut || true),
        };
        outcome.add(&ended);
    }
    Ok(())
}

fn damaged(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = file.to_vec();
    if random.below(MANY_OF) == 0 && bytes.len() > 128 {
        let at = random.below((bytes.len() - 64).min(2048));
        let piece = bytes[at..=at + random.below(64)].to_vec();
        bytes.splice(at..at, piece.repeat(MANY_BYTES / piece.len()));
    }
    for _ in 0..=random.below(12) {
        let length = bytes.len();
        if length < 16 {
            break;
        }
        // Most of what decides lies at the beginning, and of some kinds at the end; the rest anywhere.
        let at = match random.below(4) {
            0 => random.below(length),
            1 => length - 1 - random.below(length.min(2048)),
            _ => random.below(length.min(2048)),
        };
        match random.below(7) {
            0 => bytes[at] = 0xff,
            1 => bytes[at] = 0,
            2 => bytes[at] ^= 1 << random.below(8),
            3 => bytes[at..length.min(at + 4)].fill(if random.below(2) == 0 { 0xff } else { 0x7f }),
            4 => bytes.truncate(at.max(16)),
            5 => {
                let piece = bytes[at..length.min(at + random.below(64))].to_vec();
                let to = random.below(length);
                bytes.splice(to..to, piece);
            }
            _ => bytes[at] = u8::try_from(random.below(256)).unwrap_or(0),
        }
    }
    bytes
}

/// Decodes damaged copies of one file until the time is up; returns how many ended with an error.
fn fuzz(path: &Path, longest: Duration, random: &mut Random) -> io::Result<u32> {
    let name = path.display();
    let extension = path.extension().and_then(|found| found.to_str()).unwrap_or_default();
    let mut file = fs::read(path)?;
    if extension != "zip" {
        file.truncate(LONGEST);
    }
    let spool = tempfile::tempfile()?;
    let mut outcome = Outcome::default();
    let (begun, mut runs, mut found, mut worst, mut slowest) = (Instant::now(), 0_u64, 0, 0, Duration::ZERO);
    while begun.elapsed() < longest {
        let bytes = damaged(&file, random);
        MEMORY.reset_peak_usage();
        let (before, this) = (MEMORY.current_usage(), Instant::now());
        let ended = catch_unwind(AssertUnwindSafe(|| look(&bytes, extension, &spool, &mut outcome)));
        runs += 1;
        slowest = slowest.max(this.elapsed());
        // A copy of the file is among it.
        let taken = MEMORY.peak_usage().saturating_sub(before + bytes.len());
        worst = worst.max(taken);
        let what = match &ended {
            Ok(Ok(())) if taken <= BYTES_MAX => continue,
            Ok(Ok(())) => "too much".to_owned(),
            Ok(Err(error)) => return Err(io::Error::new(error.kind(), error.to_string())),
            Err(_) => "panicked".to_owned(),
        };
        found += 1;
        println!("{name}: {taken} bytes taken, {what}");
        if found < 20 {
            fs::write(format!("found-{found}.{extension}"), &bytes)?;
        }
    }
    let (Outcome { decoded, caught }, slowest) = (outcome, slowest.as_millis());
    println!(
        "{name}: {runs} runs, {decoded} decoded, {caught} panics of decoders, at most {worst} bytes and {slowest} ms, {found} found"
    );
    Ok(found)
}

fn main() -> io::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|found| found.parse::<u64>().ok()).unwrap_or(1);
    let (longest, mut random) = (Duration::from_secs(number()), Random(number()));
    // A printed panic reads debug information, which would count as memory of the file.
    std::panic::set_hook(Box::new(|_| {}));
    let files: Vec<String> = arguments.collect();
    let working = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        files.iter().try_fold(0, |found, name| {
            Ok::<_, io::Error>(found + fuzz(Path::new(name), longest, &mut random)?)
        })
    })?;
    let found = working.join().map_err(|_| io::Error::other("it panicked itself"))??;
    Ok(if found > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
