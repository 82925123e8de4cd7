//! Escapes cells that a spreadsheet would run as a formula with an apostrophe.
//!
//! Files are comma-separated. A spreadsheet that splits at semicolons or tabs sees a new cell after each of these and after a
//! line break, as it then ignores the quotes (OWASP, CSV Injection).
//!
//! Used by the server only.

use std::borrow::Cow;

/// Characters that begin a formula.
const BEGINNINGS: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
/// Characters after which a spreadsheet may see a new cell.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// Escapes a cell: inserts an apostrophe wherever a formula, even an escaped one, could begin.
///
/// ```
/// use rules::spreadsheet::{guarded, unguarded};
/// assert_eq!(guarded("=1+1"), "'=1+1");
/// assert_eq!(guarded("Side A;=1+1"), "Side A;'=1+1");
/// assert_eq!(unguarded(&guarded("=1+1;=2")), "=1+1;=2");
/// ```
pub fn guarded(cell: &str) -> Cow<'_, str> {
    rewritten(cell, |rest| is_like_a_formula(rest).then_some(("'", 0)))
}

/// Reverses [`guarded`].
pub fn unguarded(cell: &str) -> Cow<'_, str> {
    rewritten(cell, |rest| rest.strip_prefix('\'').filter(|rest| is_like_a_formula(rest)).map(|_| ("", 1)))
}

/// Rewrites the places where a cell may begin: `change` sees the rest from there, and returns the text to put there and the
/// number of bytes it replaces.
fn rewritten(cell: &str, change: impl Fn(&str) -> Option<(&'static str, usize)>) -> Cow<'_, str> {
    let behind = cell.match_indices(SEPARATORS).map(|(at, separator)| at + separator.len());
    let (mut changed, mut copied) = (String::new(), 0);
    for at in std::iter::once(0).chain(behind) {
        if let Some((put, instead_of)) = change(&cell[at..]) {
            changed += &cell[copied..at];
            changed += put;
            copied = at + instead_of;
        }
    }
    if changed.is_empty() && copied == 0 {
        return Cow::Borrowed(cell);
    }
    changed += &cell[copied..];
    Cow::Owned(changed)
}

/// A quote inside a cell may open a cell for a program that splits the line elsewhere.
fn is_like_a_formula(cell: &str) -> bool {
    cell.trim_start_matches(['\'', '"']).starts_with(BEGINNINGS)
}
