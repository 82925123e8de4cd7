//! Prints the OpenAPI document, which the web app's types are generated from (`scripts/generate`).

use std::io::Write as _;

fn main() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &deadwax::routes::openapi())?;
    writeln!(out)?;
    Ok(())
}
