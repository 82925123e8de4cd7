//! Waits, pauses and display times of the web app.
//!
//! Pages need these before the rules are loaded, so the web app gets them as data (`examples/browser_data.rs`).

/// Wait for the rules before a page continues without them; they may still arrive later.
pub const RULES_WAIT_MS: u32 = 3_000;
/// A load of the rules is abandoned after this.
pub const RULES_LOAD_MS: u32 = 60_000;
/// Minimum pause after a failed load: a form asks for the rules at every keystroke.
pub const RULES_PAUSE_MS: u32 = 10_000;

/// Display time of an error toast, which takes longer to read.
pub const TOAST_ERROR_MS: u32 = 15_000;
/// Display time of a success toast.
pub const TOAST_DONE_MS: u32 = 5_000;
/// Errors within this span are shown together.
pub const TOAST_TOGETHER_MS: u32 = 1_000;
/// Maximum number of error toasts shown together.
pub const TOAST_ERRORS_MAX: u32 = 3;

/// Interval between checks whether a sign-up is confirmed, while the page is visible.
pub const SIGN_UP_LOOK_MS: u32 = 5_000;

/// Interval between clock checks that detect a sleep of the machine.
pub const WAKE_CHECK_MS: u32 = 15_000;
/// A longer gap between clock checks means the machine slept: even a hidden page's timers run every minute.
pub const SLEEP_MS: u32 = 120_000;
