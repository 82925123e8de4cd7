//! Searching texts for ASCII words, ignoring case. The standard library's search is built for long needles and would
//! be a visible part of what the browser loads.

/// Where an ASCII needle begins in a text for the first time; always a character boundary.
pub(crate) fn position(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes().windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
}

/// Whether a text contains an ASCII needle.
pub(crate) fn contains(text: &str, needle: &str) -> bool {
    position(text, needle).is_some()
}
