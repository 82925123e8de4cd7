//! The program: sets up the allocator and the runtime, and runs the command line.

mod web_app;

use std::{io, process::ExitCode, time::Duration};

use deadwax::pages::assets::Assets;

/// Returns memory to the system a few seconds after a peak, unlike the C library's.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    let code = runtime.block_on(deadwax::cli::run(Assets::of::<web_app::WebApp>));
    // A disk that does not answer holds the threads that ask it.
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(code)
}
