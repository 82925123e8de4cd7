//! Prints what can be said of each file named: `cargo run -p deadwax-audio --example describe -- FILE…`.
#![expect(clippy::print_stdout, reason = "its output")]

use std::{fs::File, path::Path};

use deadwax_audio::{FileReader, Source, check, describe};

fn main() -> std::io::Result<()> {
    for name in std::env::args().skip(1) {
        let path = Path::new(&name);
        let extension = path.extension().and_then(|found| found.to_str()).unwrap_or_default();
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let file = FileReader::from(file);
        let source = Source::new(&file, length);
        let line = match check(&source, extension)? {
            Err(refusal) => format!("refused: {refusal:?}"),
            Ok(()) => describe(&source, extension)?
                .map_or("nothing to say".to_owned(), |found| format!("{found}  {found:?}")),
        };
        println!("{name}: {line}");
    }
    Ok(())
}
