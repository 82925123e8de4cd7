//! Deadwax: the website and back office of an independent record label, in one program.
//!
//! Arrows point down: pages → capabilities (catalogue, content, media, …) → plumbing (db, storage, live, …) → rules.

pub mod accounts;
pub mod app;
pub mod caller;
pub mod catalogue;
pub mod check;
pub mod cli;
pub mod client_addr;
pub mod clock;
pub mod config;
pub mod contact;
pub mod content;
pub mod contract;
pub mod crypto;
pub mod db;
pub mod deletions;
pub mod demos;
pub mod edits;
pub mod encoding;
pub mod error;
pub mod extract;
pub mod finished;
pub mod headers;
pub mod health;
pub mod limits;
pub mod live;
pub mod live_stream;
pub mod mail;
pub mod media;
pub mod newsletter;
pub mod observe;
pub mod pace;
pub mod pages;
pub mod pictures;
pub mod reports;
pub mod sample;
pub mod security;
pub mod serve;
pub mod spool;
pub mod start;
pub mod storage;
pub mod store;
pub mod terminal;
pub mod two_factor;
