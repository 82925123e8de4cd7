//! Changes by admins, through the API.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests state their contract in their names"
)]

mod activity;
mod artists;
mod backups;
mod catalog_numbers;
mod checklist;
mod desk;
mod edits;
mod every_field;
mod exports;
mod first_steps;
mod idempotency;
mod images;
mod imports;
mod letters;
mod library;
mod lists;
mod mail_programs;
mod products;
mod publishing;
mod refusals;
mod releases;
mod site_images;
mod subscriber_consent;
mod subscriber_imports;
mod subscribers;
mod trash;
mod versions;

#[path = "../support/mod.rs"]
mod support;

pub(crate) use support::on_both_engines;
