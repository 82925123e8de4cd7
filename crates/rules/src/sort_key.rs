//! The order a reader calls alphabetical: the key names are sorted by.
//!
//! Only the server sorts, so this module is not part of the browser's build: its Unicode tables would be most of it.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::is_ignorable;

/// Characters of a key, at most: of a title of the longest length whose letters become two, all. One character may become eighteen, and a key
/// must fit into an index of PostgreSQL (2704 bytes) and into the place of a page that a list answers.
const KEY_MAX: usize = 500;

/// The key by which a name is sorted, compared byte by byte: the first 500 characters of it.
///
/// Case, accents, punctuation and invisible characters do not separate names, digits come before letters. A name without any letter or
/// digit sorts after the Latin ones, by its own characters. Equal keys are told apart by the caller (by id or title).
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
        // A tilde follows every ASCII letter, so that names of signs alone do not stand above A.
        key = format!("~{}", symbols.trim());
    }
    if let Some((end, _)) = key.char_indices().nth(KEY_MAX) {
        key.truncate(end);
    }
    key
}

/// Accents of Latin, Greek and Cyrillic. Marks of other scripts are vowels there and stay.
pub(crate) fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Letters that no decomposition reduces to the one a reader files them under.
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
        // The same letter at the end of a word.
        'ς' => key.push('σ'),
        other => key.push(other),
    }
}
