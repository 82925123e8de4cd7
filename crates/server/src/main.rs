//! The program: sets up the allocator and the runtime, and runs the command line.

mod web_app;

use std::process::ExitCode;

use deadwax::pages::assets::Assets;

/// Returns memory to the system a few seconds after a peak, unlike the C library's.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    deadwax::cli::run(Assets::of::<web_app::WebApp>).await
}
