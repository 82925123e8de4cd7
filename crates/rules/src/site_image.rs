//! What is said of a picture of the pages: its alternative text and its description.
//!
//! What the picture itself may be is in `hero`. Only the server judges these, so the check is left out of the browser's module.

use crate::checked::{refusals, untitled};
#[cfg(not(target_arch = "wasm32"))]
use crate::text;

/// The most characters of either.
pub const TEXT_MAX: usize = 500;

refusals! {
    /// Why a text was refused.
    pub enum SiteImageError {
        Text = "invalid_text", "At most 500 characters, in one line.";
    }
}
untitled!(SiteImageError);

/// The text without its markup and trimmed; none when nothing is left.
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
