//! The terminal's cache of answers, kept by the browser while its tab is open.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasm")]
use tsify::Tsify;

use crate::lower_case::lower;

/// Maximum number of cached questions; the oldest is dropped first.
pub const MAX_ENTRIES: usize = 50;

/// A cached answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct TerminalCacheEntry {
    /// The question in lower case, trimmed.
    pub question: String,
    /// The answer, without the tag.
    pub response: String,
    /// Time of the answer, in milliseconds since 1970.
    pub timestamp: f64,
}

/// The form in which questions are compared.
pub fn cache_key(question: &str) -> String {
    question.trim().chars().map(lower).collect()
}

/// The cached answer with its tag; `None` for a new question. Reading does not change the cache or its order.
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

/// The cache with another answer, oldest first. A known question keeps its place and answer. Errors are never cached.
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
