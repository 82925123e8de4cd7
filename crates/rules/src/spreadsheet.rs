//! Cells of files that spreadsheets open: what begins like a formula is guarded by an apostrophe, so that nothing is run.
//!
//! Only the server writes and reads such files.

use std::borrow::Cow;

/// What makes a spreadsheet take a cell for a formula.
const BEGINNINGS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The cell as it is written: with an apostrophe before what begins like a formula, guarded or not.
///
/// ```
/// use rules::spreadsheet::{guarded, unguarded};
/// assert_eq!(guarded("=1+1"), "'=1+1");
/// assert_eq!(unguarded(&guarded("=1+1")), "=1+1");
/// ```
pub fn guarded(cell: &str) -> Cow<'_, str> {
    if is_like_a_formula(cell) { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// What [`guarded`] was given.
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_like_a_formula(rest)).unwrap_or(cell)
}

fn is_like_a_formula(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(BEGINNINGS)
}
