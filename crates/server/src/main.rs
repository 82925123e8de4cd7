//! `deadwax`: arguments, crypto provider, runtime; everything else is the library's.

use std::process::ExitCode;

/// Gives memory back to the system a few seconds after a storm, which the C library's does not.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    // Every part of the program that speaks TLS uses this one provider.
    let _ = tokio_rustls::rustls::crypto::aws_lc_rs::default_provider().install_default();
    deadwax::cli::run().await
}
