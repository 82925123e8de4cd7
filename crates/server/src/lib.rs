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
pub mod app;
pub mod audit;
pub mod auth;
pub mod catalogue;
pub mod checklist;
pub mod cli;
pub mod contact;
pub mod content;
pub mod contract;
pub mod demos;
pub mod desk;
pub mod editing;
pub mod exports;
pub mod files;
pub mod imports;
pub mod jobs;
pub mod live_stream;
pub mod newsletter;
pub mod numbers;
pub mod operation;
pub mod pages;
pub mod products;
pub mod requests;
pub mod routes;
pub mod sample;
pub mod start;
pub mod terminal;
pub mod trash;
pub mod two_factor;
