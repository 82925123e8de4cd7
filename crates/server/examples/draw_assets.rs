//! Draws the pictures that are kept in the repository: the default hero image and the icons.
//!
//! ```text
//! cargo run --release --example draw_assets -- FOLDER
//! ```
//!
//! writes PNG files into FOLDER. The files under `crates/server/assets`, `web/src/assets` and `web/public` are
//! made from them with `ImageMagick`:
//!
//! ```text
//! convert hero-1600.png -quality 44 hero-default.avif           # also web/src/assets/hero.avif
//! convert hero-640.png -quality 48 hero-small.avif              # web/src/assets
//! convert hero-640.png -quality 19 -sampling-factor 4:2:0 -interlace JPEG -strip hero-default-small.jpg
//! convert mark-16.png mark-32.png favicon.ico
//! ```
#![expect(clippy::print_stderr, reason = "a tool for the terminal")]

use std::{error::Error, path::PathBuf};

use sample_art::{encode, mark::mark, run_out::hero};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("which folder?")?);
    for (width, height) in [(1600, 1000), (640, 400)] {
        hero(width, height).save(folder.join(format!("hero-{width}.png")))?;
    }
    for size in [16, 32] {
        std::fs::write(folder.join(format!("mark-{size}.png")), encode::png(&mark(size, 0.0))?)?;
    }
    // Phones cut their own shape out of these: the record keeps clear of the edge.
    for (name, size, margin) in
        [("apple-touch-icon", 180, 0.12), ("icon-192", 192, 0.14), ("icon-512", 512, 0.14)]
    {
        std::fs::write(folder.join(format!("{name}.png")), encode::png(&mark(size, margin))?)?;
    }
    eprintln!("drawn in {}", folder.display());
    Ok(())
}
