//! Maintenance mode: which page a path belongs to, and when its maintenance screen shows.

use serde::Serialize;

/// The pages that can be in maintenance. Contact, legal text, accounts and the way in have no key and always stay reachable.
pub const PAGE_KEYS: [&str; 5] = ["home", "releases", "artists", "store", "terminal"];

/// How long a page waits for the setting before it shows anyway.
pub const WAIT_MS: f64 = 5_000.0;

/// When programs are to look again at a page in maintenance.
pub const RETRY_SECONDS: u32 = 600;

/// The page key of a path, or none for a page that never goes into maintenance. `releases` and `artists` cover the pages of single ones too.
///
/// ```
/// use rules::maintenance::page_key_for_path;
/// assert_eq!(page_key_for_path("/artists/4f1c"), Some("artists"));
/// assert_eq!(page_key_for_path("/contact"), None);
/// ```
pub fn page_key_for_path(path: &str) -> Option<&'static str> {
    if path == "/" {
        return Some("home");
    }
    let path = path.strip_prefix('/')?;
    let path = path.strip_suffix('/').unwrap_or(path);
    match path.split_once('/') {
        Some(("artists", id)) if !id.is_empty() && !id.contains('/') => Some("artists"),
        Some(("releases", slug)) if !slug.is_empty() && !slug.contains('/') => Some("releases"),
        Some(_) => None,
        None => PAGE_KEYS.into_iter().find(|key| *key != "home" && *key == path),
    }
}

/// What stands in a page's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MaintenanceView {
    /// The page itself.
    Page,
    /// The maintenance screen.
    Maintenance,
    /// A neutral loading state, so that neither flashes before the flag is known.
    Loading,
}

/// Decides what stands in a page's place after `waited_ms` of reading its flag; `flag` is none until it is known, and
/// stays so when reading `failed`.
///
/// Admins see every page. A failure, or five seconds without an answer, shows the page: maintenance must never
/// take the site down by itself.
pub fn decide(flag: Option<bool>, failed: bool, is_admin: bool, waited_ms: f64) -> MaintenanceView {
    match flag {
        _ if is_admin => MaintenanceView::Page,
        Some(true) => MaintenanceView::Maintenance,
        None if !failed && waited_ms < WAIT_MS => MaintenanceView::Loading,
        Some(false) | None => MaintenanceView::Page,
    }
}
