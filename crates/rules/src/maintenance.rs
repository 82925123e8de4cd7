//! Maintenance mode: the page key of a path, and when the maintenance screen is shown.

use serde::Serialize;

/// Pages with a maintenance mode. Contact, legal texts, accounts and sign-in have no key and are always reachable.
pub const PAGE_KEYS: [&str; 5] = ["home", "releases", "artists", "store", "terminal"];

/// Maximum wait for the setting before a page is shown.
pub const WAIT_MS: f64 = 5_000.0;

/// `Retry-After` in seconds of a page in maintenance.
pub const RETRY_SECONDS: u32 = 600;

/// Page key of a path, or `None` for a page without maintenance mode. `releases` and `artists` include their single pages.
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

/// Content to show for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MaintenanceView {
    /// The page itself.
    Page,
    /// The maintenance screen.
    Maintenance,
    /// A neutral loading state until the setting is known.
    Loading,
}

/// Decides the content after waiting `waited_ms` for the setting; `flag` is `None` until it is known, and stays `None` if
/// reading it `failed`.
///
/// Admins see every page. After a failure, or five seconds without an answer, the page is shown: maintenance must never take
/// the site down by itself.
pub fn decide(flag: Option<bool>, failed: bool, is_admin: bool, waited_ms: f64) -> MaintenanceView {
    match flag {
        _ if is_admin => MaintenanceView::Page,
        Some(true) => MaintenanceView::Maintenance,
        None if !failed && waited_ms < WAIT_MS => MaintenanceView::Loading,
        Some(false) | None => MaintenanceView::Page,
    }
}
