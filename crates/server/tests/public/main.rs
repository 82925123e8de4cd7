//! Public endpoints: `contact/` is `/api/contact`, and so on; `media` are the stored files.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests state their contract in their names"
)]

mod artists;
mod consent;
mod contact;
mod content;
mod events;
mod maintenance;
mod media;
mod newsletter;
mod release_search;
mod releases;
mod sizes;
mod terminal;

#[path = "../support/mod.rs"]
mod support;

pub(crate) use support::on_both_engines;
