//! The program over HTTP, on SQLite and on PostgreSQL. The folders mirror the addresses: `auth/` is `/api/auth/…`, `admin/` is
//! `/api/admin/…`, `pages/` are the documents. What has no address of its own (commands, the database, mail, sockets) stands
//! beside them under the name of its part.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests state their contract in their names"
)]

mod admin;
mod admin_command;
mod answers;
mod artists;
mod auth;
mod backup;
mod catalogue_command;
mod check;
mod contact;
mod content;
mod database;
mod demos;
mod docs;
mod events;
mod hidden;
mod http;
mod log;
mod mail;
mod maintenance;
mod media;
mod newsletter;
mod pages;
mod profile;
mod program;
mod release_pages;
mod release_search;
mod releases;
mod rights;
mod sample;
mod sizes;
mod support;
mod terminal;
mod transport;

/// Runs a test on each of the two engines, as `name::sqlite` and `name::postgres`: `#[apply(on_both_engines!)]`.
macro_rules! on_both_engines {
    ($(#[$attribute:meta])* async fn $name:ident($engine:ident: Engine) $body:block) => {
        $(#[$attribute])*
        async fn $name($engine: Engine) $body

        mod $name {
            #[tokio::test]
            async fn sqlite() {
                super::$name($crate::support::Engine::Sqlite).await;
            }

            #[tokio::test]
            async fn postgres() {
                super::$name($crate::support::Engine::Postgres).await;
            }
        }
    };
}
pub(crate) use on_both_engines;
