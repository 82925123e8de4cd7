//! Accounts over HTTP: `auth/` is `/api/auth/…`, `profile/` is `/api/profile`.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests state their contract in their names"
)]

mod auth;
mod profile;

#[path = "../support/mod.rs"]
mod support;

pub(crate) use support::on_both_engines;
