//! Lists the vector files for the browser tests, which cannot read folders.

#![expect(clippy::disallowed_methods, reason = "how a build script speaks with cargo")]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folder = Path::new(&here).join("../rules/fixtures");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    let mut list = String::from("&[");
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let _ = write!(list, "({name:?}, include_str!({:?})),", path.to_string_lossy());
    }
    list.push(']');
    fs::write(Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("fixtures.rs"), list)
}
