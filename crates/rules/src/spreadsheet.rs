//! Cells of files that spreadsheets open: what begins like a formula is guarded by an apostrophe, so that nothing is run.
//!
//! Files have commas; a spreadsheet that parts them at semicolons or tabs sees a cell begin behind each of these, and behind a line
//! break, for the quotes around it say nothing to it then (OWASP, CSV Injection).
//!
//! Only the server writes and reads such files.

use std::borrow::Cow;

/// What makes a spreadsheet take a cell for a formula.
const BEGINNINGS: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
/// Behind what a spreadsheet may see another cell begin.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// The cell as it is written: with an apostrophe before each beginning that is like a formula's, guarded or not.
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

/// What [`guarded`] was given.
pub fn unguarded(cell: &str) -> Cow<'_, str> {
    rewritten(cell, |rest| rest.strip_prefix('\'').filter(|rest| is_like_a_formula(rest)).map(|_| ("", 1)))
}

/// The cell with something else at its beginnings: what `change` says of each, from there to the end, is put there in the place of so
/// many bytes.
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

/// A quote that stands alone to whoever wrote it may be a cell's to whoever parts the line elsewhere.
fn is_like_a_formula(cell: &str) -> bool {
    cell.trim_start_matches(['\'', '"']).starts_with(BEGINNINGS)
}
