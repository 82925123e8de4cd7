//! The program over HTTP, on SQLite and on PostgreSQL. The folders mirror the addresses: `auth/` is `/api/auth/…`, `admin/` is
//! `/api/admin/…`, `pages/` are the documents. What has no address of its own (commands, the database, mail, sockets) stands
//! beside them under the name of its part.

#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests state their contract in their names"
)]

mod admin;
mod admin_command;
mod artists;
mod auth;
mod backup;
mod check;
mod contact;
mod content;
mod database;
mod demos;
mod docs;
mod events;
mod http;
mod mail;
mod maintenance;
mod media;
mod newsletter;
mod pages;
mod profile;
mod program;
mod releases;
mod rights;
mod sample;
mod support;
mod terminal;
mod transport;

/// The two engines, for a test that must hold on both.
#[macro_export]
macro_rules! on_both_engines {
    ($($name:ident)*) => {
        mod sqlite { $(#[tokio::test] async fn $name() { super::$name($crate::support::Engine::Sqlite).await; })* }
        mod postgres { $(#[tokio::test] async fn $name() { super::$name($crate::support::Engine::Postgres).await; })* }
    };
}
