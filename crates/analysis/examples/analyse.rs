//! Prints what is found in each file named: `cargo run -p deadwax-analysis --example analyse -- FILE…`.
#![expect(clippy::print_stdout, reason = "its output")]

use std::{fs::File, path::Path, time::Instant};

use deadwax_analysis::analyse;

fn main() -> std::io::Result<()> {
    for name in std::env::args().skip(1) {
        let extension = Path::new(&name).extension().and_then(|found| found.to_str()).unwrap_or_default();
        let begun = Instant::now();
        let found = analyse(Box::new(File::open(&name)?), extension, &mut || true);
        let took = begun.elapsed().as_millis();
        match found {
            Ok(found) => println!(
                "{name}\t{}\t{:.2}\t{:.2}\t{}\t{}\t{}\t{took} ms",
                found.milliseconds,
                found.loudness.unwrap_or(f64::NEG_INFINITY),
                found.true_peak.unwrap_or(f64::NEG_INFINITY),
                found.clipped_samples,
                found.silence_before,
                found.silence_after
            ),
            Err(error) => println!("{name}\t{error}"),
        }
    }
    Ok(())
}
