//! The state of a letter in a row.

use deadwax_store::text_column;
use rules::letter_sending::LetterState;
use serde::Serialize;

/// A column with a letter's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct StateColumn(pub LetterState);

text_column!(StateColumn, |text: &str| LetterState::named(text).map(StateColumn).ok_or("an unknown state"));
