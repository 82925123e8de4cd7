//! How long the browser waits, shows and pauses by itself.
//!
//! Pages need these numbers before the rules have come: like all that is no decision, the web app has them as data
//! (`examples/browser_data.rs`).

/// A page waits so long for the rules; after that it goes on without them, and they may still come.
pub const RULES_WAIT_MS: u32 = 3_000;
/// A load of the rules that hangs is given up after this.
pub const RULES_LOAD_MS: u32 = 60_000;
/// A load that failed is not repeated sooner: a form asks for the rules at every keystroke.
pub const RULES_PAUSE_MS: u32 = 10_000;

/// A toast about what failed stays so long: it has to be read and thought about.
pub const TOAST_ERROR_MS: u32 = 15_000;
/// A toast about what was done: it is seen at once.
pub const TOAST_DONE_MS: u32 = 5_000;
/// What failed within it failed together, and is told together.
pub const TOAST_TOGETHER_MS: u32 = 1_000;
/// Toasts about what failed that stand together, at most.
pub const TOAST_ERRORS_MAX: u32 = 3;

/// From one look whether a sign-up is confirmed to the next, while the page is in sight.
pub const SIGN_UP_LOOK_MS: u32 = 5_000;

/// From one look at the clock to the next, by which a sleep of the machine is noticed.
pub const WAKE_CHECK_MS: u32 = 15_000;
/// So long without a look, and the machine slept: a hidden page's slowest timer comes every minute.
pub const SLEEP_MS: u32 = 120_000;
/// From a failure to the next try while the rules, which know the waits (`reconnect`), are not loaded.
pub const RETRY_WITHOUT_RULES_MS: u32 = 3_000;
