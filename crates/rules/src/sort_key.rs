//! Alphabetical order as readers expect it.
//!
//! Used by the server only: the Unicode tables would dominate the browser's module.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::is_ignorable;

/// Maximum length of a key in characters, enough for the longest title with every letter doubled. A character may expand to
/// eighteen, and a key must fit into an index of PostgreSQL (2704 bytes) and into the cursor of a list.
const KEY_MAX: usize = 500;

/// Sort key of a name, compared byte by byte: its first 500 characters.
///
/// Case, accents, punctuation and invisible characters are ignored; digits sort before letters. A name without any letter or
/// digit sorts after the Latin ones, by its own characters. The caller separates equal keys (by id or title).
///
/// ```
/// use rules::sort_key::sort_key;
/// let mut names = ["zoe", "Beta", "Ärzte", "alva", "2raumwohnung"];
/// names.sort_by_key(|name| sort_key(name));
/// assert_eq!(names, ["2raumwohnung", "alva", "Ärzte", "Beta", "zoe"]);
/// ```
pub fn sort_key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    let mut gap = false;
    for c in name.nfkd().flat_map(char::to_lowercase) {
        if is_accent(c) || is_ignorable(c) {
            continue;
        }
        if c.is_whitespace() {
            gap = !key.is_empty();
        } else if c.is_alphanumeric() || is_combining_mark(c) {
            if gap {
                key.push(' ');
                gap = false;
            }
            push_folded(&mut key, c);
        }
    }
    if key.is_empty() {
        let symbols: String = name.chars().filter(|c| !c.is_control() && !is_ignorable(*c)).collect();
        // A tilde sorts after every ASCII letter, so that names of symbols only do not precede A.
        key = format!("~{}", symbols.trim());
    }
    if let Some((end, _)) = key.char_indices().nth(KEY_MAX) {
        key.truncate(end);
    }
    key
}

/// Accents of Latin, Greek and Cyrillic. Marks of other scripts are vowels and are kept.
pub(crate) fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Letters that decomposition does not reduce to the one a reader looks under.
pub(crate) fn push_folded(key: &mut String, c: char) {
    match c {
        'ß' => key.push_str("ss"),
        'æ' => key.push_str("ae"),
        'œ' => key.push_str("oe"),
        'þ' => key.push_str("th"),
        'ø' => key.push('o'),
        'đ' | 'ð' => key.push('d'),
        'ł' => key.push('l'),
        'ħ' => key.push('h'),
        'ŧ' => key.push('t'),
        'ı' => key.push('i'),
        // Final sigma is the same letter.
        'ς' => key.push('σ'),
        other => key.push(other),
    }
}
