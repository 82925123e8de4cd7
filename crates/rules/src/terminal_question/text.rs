//! A message as words: as they were typed, and folded as sort keys are.

use super::WORDS_MAX;
use crate::sort_key::sort_key;

/// A word of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// As typed, without the punctuation around it.
    pub(super) typed: String,
    /// In small letters, without accents and punctuation.
    pub(super) folded: String,
}

/// What separates words besides white space. Dots, hyphens and apostrophes are inside names and numbers.
fn separates(c: char) -> bool {
    c.is_whitespace()
        || "/,;:()[]{}<>\"\u{201c}\u{201d}\u{201e}\u{ab}\u{bb}!?\u{bf}\u{a1}\u{2013}\u{2014}|=+*".contains(c)
}

/// The words of a message, the first of them.
pub(super) fn words(message: &str) -> Vec<Word> {
    let words = message.split(separates).filter_map(|piece| {
        let typed = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let folded = sort_key(typed);
        // Signs alone fold to a tilde and themselves.
        let is_word = !typed.is_empty() && !folded.starts_with('~');
        is_word.then(|| Word { typed: typed.to_owned(), folded })
    });
    words.take(WORDS_MAX).collect()
}

/// What stands in quotation marks, if something does.
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

/// Letters as German writes umlauts without them: "kuenstler" is "kunstler".
pub(super) fn without_umlauts(folded: &str) -> String {
    folded.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}
