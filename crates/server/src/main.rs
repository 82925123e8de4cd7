//! The program: sets up the allocator and the runtime, and runs the command line.

use std::process::ExitCode;

/// Returns memory to the system a few seconds after a peak, unlike the C library's.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    deadwax::cli::run().await
}
