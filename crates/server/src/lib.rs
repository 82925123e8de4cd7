//! Deadwax: the website and back office of an independent record label, in one program.
//!
//! Imports point down: cli → start → routes → pages → capabilities (catalogue, content, demos, …) → auth → app → its parts and
//! the plumbing (live, finished, limits, …) → `deadwax_store` → `rules`.

pub mod accounts;
pub mod after_commit;
pub mod app;
pub mod audit;
pub mod auth;
pub mod backup;
pub mod caller;
pub mod catalogue;
pub mod check;
pub mod checklist;
pub mod cli;
pub mod client_addr;
pub mod conditional;
pub mod contact;
pub mod content;
pub mod contract;
pub mod demos;
pub mod descriptors;
pub mod edits;
pub mod encoding;
pub mod error;
pub mod extract;
pub mod file_form;
pub mod finished;
pub mod headers;
pub mod health;
pub mod hero;
pub mod library;
pub mod limits;
pub mod live;
pub mod live_stream;
pub mod logging;
pub mod mail;
pub mod mail_address;
pub mod media;
pub mod newsletter;
pub mod observe;
pub mod pace;
pub mod pages;
pub mod part_heads;
pub mod pictures;
pub mod readiness;
pub mod reports;
pub mod routes;
pub mod sample;
pub mod serve;
pub mod slots;
pub mod sql_texts;
pub mod start;
pub mod store;
pub mod terminal;
pub mod timing;
pub mod two_factor;
