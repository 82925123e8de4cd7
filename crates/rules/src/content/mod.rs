//! Editable texts: their keys, default texts, and cards.
//!
//! The server's database stores the edited texts. The defaults are not part of the browser's module; a generated file
//! (`scripts/generate`) contains the ones it may show.

mod defaults;

use crate::text::contains_ignoring_case;

/// Every editable text, in the order of the pages that show them.
pub const KEYS: [&str; 22] = [
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
    IMPRINT,
    LABEL_NAME,
    LABEL_HEADER,
    LABEL_SIGNAL,
    LABEL_LINKS,
    LABEL_RIBBON,
    LABEL_COPYRIGHT,
    LABEL_TIME_ZONE,
];

/// The text about the people who run the label. It has no built-in text: blank, there is no imprint.
pub const IMPRINT: &str = "imprint";
/// The label's name. It and the others of the label have no built-in text: blank, they are the preset of [`label`](crate::label).
pub const LABEL_NAME: &str = "label_name";
/// How the header shows the label once it has a mark.
pub const LABEL_HEADER: &str = "label_header";
/// The label's colour.
pub const LABEL_SIGNAL: &str = "label_signal";
/// The label's links, a URL to a line.
pub const LABEL_LINKS: &str = "label_links";
/// The line on the strip under the navigation.
pub const LABEL_RIBBON: &str = "label_ribbon";
/// The copyright line in the foot.
pub const LABEL_COPYRIGHT: &str = "label_copyright";
/// The name of the time zone of the label's dates and schedules.
pub const LABEL_TIME_ZONE: &str = "label_time_zone";

/// The name in the built-in texts, in place of which visitors read the label's.
pub const NAME_IN_TEXTS: &str = "404 COLLECTIVE";

/// Shown for an artist without a bio in the list of artists; never stored.
pub const DEFAULT_BIO: &str = "Digital artist in the 404 collective";

/// The sentence for an artist without a bio; that of the built-in texts speaks of their label.
///
/// ```
/// use rules::content::{DEFAULT_BIO, NAME_IN_TEXTS, default_bio};
/// assert_eq!(default_bio(NAME_IN_TEXTS), DEFAULT_BIO);
/// assert_eq!(default_bio("Night Pressing"), "Artist on Night Pressing");
/// ```
pub fn default_bio(label_name: &str) -> String {
    if label_name == NAME_IN_TEXTS { DEFAULT_BIO.to_owned() } else { format!("Artist on {label_name}") }
}

/// The built-in text of a key; `None` for an unknown key.
pub fn default_text(key: &str) -> Option<&'static str> {
    defaults::find(key).map(|(_, text)| text)
}

/// The purpose of a text, as shown on its card; `None` for an unknown key.
pub fn description(key: &str) -> Option<&'static str> {
    defaults::find(key).map(|(description, _)| description)
}

/// The text shown to visitors: the stored one, or the built-in one, with the label's name, unless it was edited. `None` for an
/// unknown key.
///
/// ```
/// use rules::content::effective;
/// assert_eq!(effective("hero_subtitle", Some("Cut to wax"), "Mira").as_deref(), Some("Cut to wax"));
/// assert_eq!(effective("manifesto_title", Some("  "), "Mira").as_deref(), Some("MANIFESTO"));
/// assert_eq!(effective("hero_main_title", Some("404 COLLECTIVE"), "Mira").as_deref(), Some("Mira"));
/// ```
pub fn effective(key: &str, stored: Option<&str>, label_name: &str) -> Option<String> {
    let built_in = default_text(key)?;
    Some(match stored {
        Some(edited) if !is_as_delivered(key, stored) => edited.to_owned(),
        _ => built_in.replace(NAME_IN_TEXTS, label_name),
    })
}

/// Keys of the texts that have a built-in one.
pub fn with_built_in() -> impl Iterator<Item = &'static str> + Clone {
    KEYS.into_iter().filter(|key| default_text(key).is_some_and(|text| !text.is_empty()))
}

/// Whether visitors read the built-in text: the stored one is missing, blank or the same.
///
/// ```
/// use rules::content::is_as_delivered;
/// assert!(is_as_delivered("manifesto_title", Some("MANIFESTO")) && is_as_delivered("manifesto_title", Some(" ")));
/// assert!(!is_as_delivered("manifesto_title", Some("CREDO")));
/// ```
pub fn is_as_delivered(key: &str, stored: Option<&str>) -> bool {
    stored.is_none_or(|text| text.trim().is_empty() || default_text(key) == Some(text))
}

/// Title of a key's card: upper case, with spaces for underscores.
pub fn card_title(key: &str) -> String {
    key.chars().map(|c| if c == '_' { ' ' } else { c.to_ascii_uppercase() }).collect()
}

/// Height of a key's input in rows: 20 for the policy and the imprint, 4 for other long texts, 1 for a single-line input.
pub fn card_rows(key: &str) -> u32 {
    if contains_ignoring_case(key, "policy") || key == IMPRINT {
        20
    } else if ["description", "bio", "text", "links"]
        .into_iter()
        .any(|word| contains_ignoring_case(key, word))
    {
        4
    } else {
        1
    }
}
