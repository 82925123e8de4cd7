//! The texts an admin can edit: their keys, what they say before anybody has, and how their cards look.
//!
//! The stored texts live in the server's database. The default texts are no part of the
//! browser's module; a file generated from them (`scripts/generate`) holds those it may have to show.

mod defaults;

use crate::text::contains_ignoring_case;

/// Every editable text, in the order of the pages that show them.
pub const KEYS: [&str; 14] = [
    "hero_main_title",
    "hero_subtitle",
    "hero_description",
    "manifesto_title",
    "manifesto_intro",
    "manifesto_p1",
    "manifesto_p2",
    "manifesto_embrace",
    "manifesto_init",
    "newsletter_title",
    "newsletter_description",
    "artists_join_title",
    "artists_join_description",
    "privacy_policy",
];

/// Stands in for a bio in the list of artists. It is shown, never stored.
pub const DEFAULT_BIO: &str = "Digital artist in the 404 collective";

/// The built-in text of a key; none for an unknown key.
pub fn default_text(key: &str) -> Option<&'static str> {
    defaults::find(key).map(|(_, text)| text)
}

/// What a text is for, as its card in the admin area says; none for an unknown key.
pub fn description(key: &str) -> Option<&'static str> {
    defaults::find(key).map(|(description, _)| description)
}

/// The text a visitor sees: the stored one, or the built-in one when nothing (or nothing but blanks) is stored.
/// None for an unknown key, whatever is stored.
///
/// ```
/// use rules::content::{default_text, effective};
/// assert_eq!(effective("hero_subtitle", Some("Cut to wax")).as_deref(), Some("Cut to wax"));
/// assert_eq!(effective("hero_subtitle", Some("  ")).as_deref(), default_text("hero_subtitle"));
/// ```
pub fn effective(key: &str, stored: Option<&str>) -> Option<String> {
    let built_in = default_text(key)?;
    Some(stored.filter(|text| !text.trim().is_empty()).unwrap_or(built_in).to_owned())
}

/// The title of a key's card: upper case, underscores as spaces.
pub fn card_title(key: &str) -> String {
    key.chars().map(|c| if c == '_' { ' ' } else { c.to_ascii_uppercase() }).collect()
}

/// The height of a key's input in rows: 20 for the policy, 4 for other long texts, 1 for a single-line input.
pub fn card_rows(key: &str) -> u32 {
    if contains_ignoring_case(key, "policy") {
        20
    } else if ["description", "bio", "text"].into_iter().any(|word| contains_ignoring_case(key, word)) {
        4
    } else {
        1
    }
}
