//! Deadwax: the website and back office of an independent record label, in one program.
//!
//! Imports point down: cli → start → routes → pages → capabilities (catalogue, content, demos, …) → auth → app. What the app is
//! put together of are crates: `deadwax_http`, `deadwax_responder`, `deadwax_mail`, `deadwax_pictures`, `deadwax_store`,
//! `deadwax_config`, and below all of them `rules`.

pub mod accounts;
pub mod activity;
pub mod after_commit;
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
pub mod form_fields;
pub mod hashing;
pub mod health;
pub mod hero;
pub mod history;
pub mod idempotency;
pub mod imports;
pub mod in_flight;
mod leases;
pub mod library;
pub mod lists;
pub mod live_stream;
pub mod mail_address;
pub mod mail_viewer;
pub mod media;
pub mod newsletter;
pub mod pages;
mod patience;
pub mod picture;
pub mod readiness;
pub mod refusals;
mod refused_answers;
pub mod reports;
pub mod routes;
pub mod sample;
pub mod search_keys;
pub mod sizes;
pub mod sql_texts;
pub mod start;
pub mod store;
pub mod terminal;
pub mod timing;
mod to_its_end;
pub mod trash;
pub mod two_factor;
pub mod unpainted;
pub mod versions;
