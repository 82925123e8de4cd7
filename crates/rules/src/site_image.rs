//! Alternative text and description of a picture on the pages.
//!
//! The picture itself is checked by `hero`. Not part of the browser's module, as only the server checks these texts.

use crate::checked::refusals;
#[cfg(not(target_arch = "wasm32"))]
use crate::text;

/// Maximum length in characters of either text.
pub const TEXT_MAX: usize = 500;

refusals! {
    /// Refusals of a text.
    pub enum SiteImageError {
        Text = "invalid_text", "At most 500 characters, in one line.";
    }
}

/// The trimmed text without markup; `None` if it is empty.
///
/// ```
/// use rules::site_image::{SiteImageError, check_site_image_text};
///
/// assert_eq!(check_site_image_text(" A <b>groove</b> "), Ok(Some("A groove".into())));
/// assert_eq!(check_site_image_text("two\nlines"), Err(SiteImageError::Text));
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn check_site_image_text(typed: &str) -> Result<Option<String>, SiteImageError> {
    let clean = text::cleaned(typed);
    if text::is_longer(&clean, TEXT_MAX) || text::has_control(&clean) {
        return Err(SiteImageError::Text);
    }
    Ok((!clean.is_empty()).then_some(clean))
}
