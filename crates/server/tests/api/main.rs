//! The program over HTTP, on SQLite and on PostgreSQL. The folders mirror the addresses.

#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests state their contract in their names"
)]

mod account_deletion;
mod accounts;
mod admin_command;
mod artists;
mod avatar;
mod back_office;
mod backup;
mod check;
mod contact;
mod content;
mod database;
mod demos;
mod docs;
mod email_change;
mod events;
mod http;
mod mail;
mod maintenance;
mod media;
mod newsletter;
mod pages;
mod password;
mod profile;
mod program;
mod releases;
mod rights;
mod sample;
mod sessions;
mod support;
mod terminal;
mod transport;
mod two_factor;

/// The two engines, for a test that must hold on both.
#[macro_export]
macro_rules! on_both_engines {
    ($($name:ident)*) => {
        mod sqlite { $(#[tokio::test] async fn $name() { super::$name($crate::support::Engine::Sqlite).await; })* }
        mod postgres { $(#[tokio::test] async fn $name() { super::$name($crate::support::Engine::Postgres).await; })* }
    };
}
