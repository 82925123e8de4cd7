//! The second factor: set-up, verification, recovery, and what many do at once.

mod instances;
mod person;
mod races;
mod recovery;
mod repetition;
mod replacement;
mod setup;
mod verify;
