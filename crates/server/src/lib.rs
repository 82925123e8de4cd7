//! Deadwax: the website and back office of an independent record label, in one program.
//!
//! Imports point down: cli → start → routes → pages → capabilities (catalogue, content, demos, …) → auth → app. The app is assembled from
//! crates: `deadwax_http`, `deadwax_responder`, `deadwax_mail`, `deadwax_pictures`, `deadwax_store`, `deadwax_config`, and below all of
//! them `rules`.

#![allow(
    missing_docs,
    reason = "the program is not a library: names that need words have them, and what OpenAPI shows is tested"
)]

pub mod accounts;
pub mod activity;
pub mod analysis;
pub mod app;
pub mod assets;
pub mod audit;
pub mod auth;
pub mod backup;
pub mod caller;
pub mod catalogue;
pub mod check;
pub mod checklist;
pub mod cli;
pub mod contact;
pub mod content;
pub mod contract;
pub mod demos;
pub mod desk;
pub mod edits;
pub mod exports;
pub mod file_form;
mod finish_detached;
pub mod form_fields;
pub mod hashing;
pub mod health;
pub mod hero;
pub mod history;
pub mod idempotency;
pub mod imports;
pub mod in_flight;
mod jobs;
pub mod library;
pub mod lists;
pub mod live_stream;
pub mod mail_address;
pub mod mail_viewer;
pub mod media;
pub mod newsletter;
pub mod pages;
pub mod picture;
pub mod products;
pub mod readiness;
pub mod refusals;
mod refused_answers;
pub mod reports;
mod retry_write;
pub mod routes;
pub mod sample;
pub mod search_keys;
pub mod sizes;
pub mod sql_texts;
pub mod start;
pub mod terminal;
pub mod timing;
pub mod trash;
pub mod two_factor;
pub mod unpainted;
pub mod versions;
