//! `deadwax`: arguments, crypto provider, runtime; everything else is the library's.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    // Every part of the program that speaks TLS uses this one provider.
    let _ = tokio_rustls::rustls::crypto::aws_lc_rs::default_provider().install_default();
    deadwax::cli::run().await
}
