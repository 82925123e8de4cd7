//! Damages files for so many minutes each and looks whether what is said of them, and what is decoded, ends well:
//! `cargo run -p deadwax-analysis --example fuzz -- MINUTES SEED FILE…`. Prints a line for each file, and leaves what made something
//! panic, or take more than 32 MiB beside its own bytes, in the working directory. Ends with 1 if there was any.
#![expect(clippy::print_stdout, reason = "its output")]

use std::{
    fs,
    io::Cursor,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use deadwax_analysis::{Failure, analyse};
use deadwax_audio::{Source, check, describe};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MOST_BYTES: usize = 32 * 1024 * 1024;
/// Of a file so many bytes are used: what is damaged is the beginning, the end and the tables in between.
const LONGEST: usize = 400_000;

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

fn damaged(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..=random.below(12) {
        let length = bytes.len();
        if length < 16 {
            break;
        }
        // Most of what decides lies at the beginning; the rest anywhere.
        let at = if random.below(4) > 0 { random.below(length.min(2048)) } else { random.below(length) };
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

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|found| found.parse::<u64>().ok()).unwrap_or(1);
    let (minutes, mut random) = (number(), Random(number()));
    let mut found = 0;
    // What is printed of a panic reads the program's own debug information, which is no memory of a file's.
    std::panic::set_hook(Box::new(|_| {}));
    for name in arguments {
        let path = Path::new(&name);
        let extension = path.extension().and_then(|found| found.to_str()).unwrap_or_default();
        let Ok(mut file) = fs::read(path) else { continue };
        file.truncate(LONGEST);
        let (mut decoded, mut caught) = (0_u64, 0_u64);
        let (begun, mut runs, mut worst, mut slowest) = (Instant::now(), 0_u64, 0, Duration::ZERO);
        while begun.elapsed() < Duration::from_secs(minutes * 60) {
            let bytes = damaged(&file, &mut random);
            MEMORY.reset_peak_usage();
            let (before, this) = (MEMORY.current_usage(), Instant::now());
            let slice = bytes.as_slice();
            let ended = catch_unwind(AssertUnwindSafe(|| {
                let source = Source::new(&slice, slice.len() as u64);
                let _ = check(&source, extension);
                let _ = describe(&source, extension);
                analyse(Box::new(Cursor::new(slice)), extension, &mut || true)
            }));
            match &ended {
                Ok(Ok(_)) => decoded += 1,
                Ok(Err(Failure::Unreadable(why))) if why.contains("panicked") => caught += 1,
                _ => {}
            }
            runs += 1;
            slowest = slowest.max(this.elapsed());
            let taken = MEMORY.peak_usage().saturating_sub(before);
            worst = worst.max(taken);
            if ended.is_err() || taken > MOST_BYTES {
                found += 1;
                println!(
                    "{name}: {} bytes taken, {}",
                    taken,
                    if ended.is_err() { "panicked" } else { "too much" }
                );
                if found < 20
                    && let Err(error) = fs::write(format!("found-{found}.{extension}"), &bytes)
                {
                    println!("it could not be kept: {error}");
                }
            }
        }
        let slowest = slowest.as_millis();
        println!(
            "{name}: {runs} runs, {decoded} decoded, {caught} panics of decoders, at most {worst} bytes and {slowest} ms"
        );
    }
    println!("{found} found");
    if found > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
