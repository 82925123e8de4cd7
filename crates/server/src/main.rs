//! The program: sets up TLS and the runtime, and runs the command line.

use std::process::ExitCode;

/// Returns memory to the system a few seconds after a peak, unlike the C library's.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    // Every part of the program that speaks TLS uses this one provider.
    let _ = tokio_rustls::rustls::crypto::aws_lc_rs::default_provider().install_default();
    deadwax::cli::run().await
}
