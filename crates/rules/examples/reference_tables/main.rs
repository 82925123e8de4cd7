//! Updates the generated tables of `docs/reference.md`: `cargo run -p rules --example reference_tables`.

mod tables;

use std::{fs, io, path::Path};

fn main() -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference.md");
    let document = fs::read_to_string(&path)?;
    let filled = tables::filled(&document).map_err(io::Error::other)?;
    if tables::NAMES.iter().any(|name| !filled.contains(&format!("<!-- generated:{name} -->"))) {
        return Err(io::Error::other("a generated table has no place in docs/reference.md"));
    }
    fs::write(path, filled)
}
