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

mod accounts;
mod artists;
mod check;
mod content;
mod database;
mod docs;
mod events;
mod http;
mod mail;
mod maintenance;
mod media;
mod pages;
mod program;
mod releases;
mod rights;
mod sample;
mod support;
mod two_factor;

/// The two engines, for a test that must hold on both.
#[macro_export]
macro_rules! on_both_engines {
    ($($name:ident)*) => {
        mod sqlite { $(#[tokio::test] async fn $name() { super::$name($crate::support::Engine::Sqlite).await; })* }
        mod postgres { $(#[tokio::test] async fn $name() { super::$name($crate::support::Engine::Postgres).await; })* }
    };
}
