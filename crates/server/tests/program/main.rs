//! Tests without an address: commands, the database, mail, sockets, and rules that apply to all addresses.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests state their contract in their names"
)]

mod admin_command;
mod backup;
mod backups;
mod catalogue_command;
mod check;
mod database;
mod docs;
mod hidden;
mod http;
mod log;
mod mail;
mod numbers;
mod postgres;
mod program;
mod refusals;
mod rights;
mod sample;
mod service;
mod settings;
mod storage;
mod transport;
mod upgrade;

#[path = "../support/mod.rs"]
mod support;

pub(crate) use support::on_both_engines;
