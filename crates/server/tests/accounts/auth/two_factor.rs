//! The second factor: set-up, verification, recovery, and what many do at once.

mod idempotency;
mod instances;
mod person;
mod races;
mod recovery;
mod replacement;
mod setup;
mod take_back;
mod verify;
