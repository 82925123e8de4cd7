//! The second factor: set-up, verification, recovery and concurrent requests.

mod idempotency;
mod instances;
mod person;
mod races;
mod recovery;
mod replacement;
mod setup;
mod take_back;
mod verify;
