//! Minimal servers that `scripts/bench` compares the program with: axum with bytes in memory, and a loop that receives, hashes
//! and syncs files.

mod answers;
mod uploads;

use anyhow::bail;

/// `bench-peer answers ADDRESS [PATH CONTENT_TYPE FILE BROTLI_FILE]...` or `bench-peer uploads ADDRESS FOLDER`.
fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["answers", address, answers @ ..] => answers::serve(address, answers),
        ["uploads", address, folder] => uploads::serve(address, folder.as_ref()),
        _ => bail!(
            "bench-peer answers ADDRESS [PATH CONTENT_TYPE FILE BROTLI_FILE]..., bench-peer uploads ADDRESS FOLDER"
        ),
    }
}
