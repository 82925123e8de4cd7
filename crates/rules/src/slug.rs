//! Slugs of releases, the last part of `/releases/{slug}`.
//!
//! Used by the server only: the transliteration table would dominate the browser's module.

/// Maximum length of a slug in characters.
pub const SLUG_MAX: usize = 80;

/// Slug of a release without any letter or digit.
const NAMELESS: &str = "release";

/// Slug from the catalogue number, else from the title: lower-case Latin letters and digits in words joined by hyphens. Other
/// scripts are transliterated.
///
/// The database knows whether another release has it; see [`numbered`].
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

/// Slug of a letter without any letter or digit in its subject.
const UNTITLED: &str = "letter";

/// Slug of a letter to the subscribers, from its subject.
///
/// ```
/// use rules::slug::letter_slug;
/// assert_eq!(letter_slug("404-009: Nova, Signal"), "404-009-nova-signal");
/// assert_eq!(letter_slug("!?"), "letter");
/// ```
pub fn letter_slug(subject: &str) -> String {
    Some(words(subject)).filter(|slug| !slug.is_empty()).unwrap_or_else(|| UNTITLED.to_owned())
}

/// Slug of the second, third… release with the same one, such as `404-001-2`.
pub fn numbered(slug: &str, number: u32) -> String {
    let end = format!("-{number}");
    let stem = slug.get(..SLUG_MAX - end.len()).unwrap_or(slug).trim_end_matches('-');
    format!("{stem}{end}")
}

/// Numbers tried in order; beyond them, a part of the id tells slugs apart.
const NUMBERS: u32 = 100;

/// The slugs that a release or letter with this id can take, the wanted one first.
pub fn candidates(wanted: &str, id: u128) -> impl Iterator<Item = String> {
    let numbered = (2..=NUMBERS).map(|number| numbered(wanted, number));
    // The end of an id is random.
    let last = format!("{}-{:08x}", wanted.get(..SLUG_MAX - 9).unwrap_or(wanted), id & 0xffff_ffff);
    std::iter::once(wanted.to_owned()).chain(numbered).chain(std::iter::once(last))
}

/// Whether `present` is `slug`, or `slug` with a number appended, so that the release can keep it.
pub fn is_of(present: &str, slug: &str) -> bool {
    present == slug
        || present
            .rsplit_once('-')
            .and_then(|(_, number)| number.parse().ok())
            .is_some_and(|number: u32| number >= 2 && numbered(slug, number) == present)
}

/// Whether a text can be a slug; others need not be looked up.
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
