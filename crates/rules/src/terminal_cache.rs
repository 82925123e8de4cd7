//! The terminal's memory of answered questions, kept by the browser for as long as its tab is open.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasm")]
use tsify::Tsify;

use crate::lower_case::lower;

/// Questions that are remembered; the oldest goes first.
pub const MAX_ENTRIES: usize = 50;

/// One answered question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct TerminalCacheEntry {
    /// In lower case, trimmed.
    pub question: String,
    /// The answer, without the tag.
    pub response: String,
    /// When it was given.
    pub timestamp: f64,
}

/// The form in which questions are compared.
pub fn cache_key(question: &str) -> String {
    question.trim().chars().map(lower).collect()
}

/// The remembered answer with its tag; none for a new question. Looking changes nothing, not even the order.
///
/// ```
/// use rules::terminal_cache::{find, remember};
/// let entries = remember(Vec::new(), "Latest?", "404-012", 0.0);
/// assert_eq!(find(&entries, " LATEST? ").as_deref(), Some("404-012 [cached]"));
/// ```
pub fn find(entries: &[TerminalCacheEntry], question: &str) -> Option<String> {
    let key = cache_key(question);
    entries.iter().find(|entry| entry.question == key).map(|entry| entry.response.clone() + " [cached]")
}

/// The memory with one more answer, oldest first. A question that is known keeps its place and its answer. Errors are
/// not answers: they are never remembered.
pub fn remember(
    mut entries: Vec<TerminalCacheEntry>,
    question: &str,
    response: &str,
    now_ms: f64,
) -> Vec<TerminalCacheEntry> {
    let question = cache_key(question);
    if !entries.iter().any(|entry| entry.question == question) {
        entries.push(TerminalCacheEntry { question, response: response.to_owned(), timestamp: now_ms });
    }
    let extra = entries.len().saturating_sub(MAX_ENTRIES);
    entries.drain(..extra);
    entries
}
