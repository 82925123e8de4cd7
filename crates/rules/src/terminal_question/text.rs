//! Splits a message into words, as typed and folded like sort keys.

use super::WORDS_MAX;
use crate::sort_key::sort_key;

/// A word of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// As typed, without surrounding punctuation.
    pub(super) typed: String,
    /// In lower case, without accents and punctuation.
    pub(super) folded: String,
}

/// Whether a character separates words. Dots, hyphens and apostrophes occur inside names and numbers.
fn separates(c: char) -> bool {
    c.is_whitespace()
        || "/,;:()[]{}<>\"\u{201c}\u{201d}\u{201e}\u{ab}\u{bb}!?\u{bf}\u{a1}\u{2013}\u{2014}|=+*".contains(c)
}

/// The first [`WORDS_MAX`] words of a message.
pub(super) fn words(message: &str) -> Vec<Word> {
    let words = message.split(separates).filter_map(|piece| {
        let typed = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let folded = sort_key(typed);
        // Symbols alone fold to a tilde followed by themselves.
        let is_word = !typed.is_empty() && !folded.starts_with('~');
        is_word.then(|| Word { typed: typed.to_owned(), folded })
    });
    words.take(WORDS_MAX).collect()
}

/// The text in quotation marks, if any.
pub(super) fn quoted(message: &str) -> Option<&str> {
    const PAIRS: &[(char, &[char])] = &[
        ('"', &['"']),
        ('\u{201c}', &['\u{201d}']),
        ('\u{201e}', &['\u{201c}', '\u{201d}']),
        ('\u{ab}', &['\u{bb}']),
        ('\u{bb}', &['\u{ab}']),
    ];
    let inside = PAIRS.iter().find_map(|(open, close)| {
        let (_, rest) = message.split_once(*open)?;
        rest.split_once(|c| close.contains(&c)).map(|(inside, _)| inside.trim())
    })?;
    (!words(inside).is_empty()).then_some(inside)
}

/// Reduces German umlauts written as digraphs: "kuenstler" to "kunstler".
pub(super) fn without_umlauts(folded: &str) -> String {
    folded.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}
