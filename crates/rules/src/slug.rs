//! The last part of a release's address, `/releases/{slug}`.
//!
//! Only the server gives slugs, so this module is not part of the browser's build: its table of other scripts would be most of it.

/// The most characters of a slug.
pub const SLUG_MAX: usize = 80;

/// Where a release has neither a letter nor a digit to be named by.
const NAMELESS: &str = "release";

/// A slug from the catalogue number, else from the title: lower-case letters of a to z and digits, in words that hyphens join.
/// Other scripts are spelt in Latin letters.
///
/// Whether another release has it already, only the database knows; see [`numbered`].
///
/// ```
/// use rules::slug::slug;
/// assert_eq!(slug(Some("404-001"), "Signal"), "404-001");
/// assert_eq!(slug(None, "Über alles, 2×"), "uber-alles-2x");
/// ```
pub fn slug(catalog: Option<&str>, title: &str) -> String {
    [catalog.unwrap_or_default(), title]
        .into_iter()
        .map(words)
        .find(|slug| !slug.is_empty())
        .unwrap_or_else(|| NAMELESS.to_owned())
}

/// The same for the second, third… release that would have it: `404-001-2`.
pub fn numbered(slug: &str, number: u32) -> String {
    let end = format!("-{number}");
    let stem = slug.get(..SLUG_MAX - end.len()).unwrap_or(slug).trim_end_matches('-');
    format!("{stem}{end}")
}

/// Whether `present` is `slug`, or `slug` with a number behind it: then a release needs no other.
pub fn is_of(present: &str, slug: &str) -> bool {
    present == slug
        || present
            .rsplit_once('-')
            .and_then(|(_, number)| number.parse().ok())
            .is_some_and(|number: u32| number >= 2 && numbered(slug, number) == present)
}

/// Whether a text can be a slug. Nothing else needs to be looked up.
pub fn is_slug(text: &str) -> bool {
    (1..=SLUG_MAX).contains(&text.len())
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && !text.starts_with('-')
        && !text.ends_with('-')
        && !text.contains("--")
}

fn words(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars().flat_map(|c| deunicode::deunicode_char(c).unwrap_or(" ").chars()) {
        if slug.len() == SLUG_MAX {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if c != '\'' && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}
