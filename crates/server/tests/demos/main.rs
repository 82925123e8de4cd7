//! Demos by tus, from the first question to the letter to the label.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests state their contract in their names"
)]

mod analysis;
mod answers;
mod confirmation;
mod crash;
mod decisions;
mod erase;
pub mod flow;
mod inbox;
mod instances;
mod limits;
mod links;
mod races;
mod refusals;
mod replace;
mod resume;
mod room;
pub mod sender;
mod sent_decisions;
mod tags;
mod twice;
mod withdrawn;

#[path = "../support/mod.rs"]
mod support;

pub(crate) use support::on_both_engines;
