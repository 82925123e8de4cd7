//! How long a connection may take over its parts, and what it may carry at the same time; only the server asks.
//!
//! How many connections there may be stands with the other limits in [`crate::rate_limit`].

use crate::span::SECOND;

/// Bytes of a request line and its headers together.
pub const HEAD_MAX_BYTES: usize = 16 * 1024;
/// Requests of one HTTP/2 connection at the same time.
pub const STREAMS: u32 = 32;

/// The TLS handshake.
pub const HANDSHAKE_MS: u64 = 10 * SECOND;
/// From the first byte of a request to the last of its headers; a new connection owes its first request as promptly.
pub const HEADERS_MS: u64 = 10 * SECOND;
/// Between two requests.
pub const IDLE_MS: u64 = 75 * SECOND;
/// Without one byte taken by the peer.
pub const STALL_MS: u64 = 30 * SECOND;
/// A silent HTTP/2 peer is asked for a sign of life after this.
pub const PING_MS: u64 = 30 * SECOND;
/// And has so long to give one.
pub const PING_ANSWER_MS: u64 = 20 * SECOND;
/// A peer whose body was not read to its end is listened to for so long after its answer: closing at once would reset the
/// connection, and the peer might never see the answer.
pub const LINGER_MS: u64 = 2 * SECOND;

/// Answers in flight may take so long once the program is told to end; uploads are the slowest of them.
pub const DRAIN_MS: u64 = 20 * SECOND;

/// Connections of scrapers to the address of the metrics at the same time; further ones wait.
pub const SCRAPERS: u32 = 16;
/// A connection of a scraper, however it behaves.
pub const SCRAPER_MS: u64 = 600 * SECOND;

/// Stored files that are read for answers at the same time; further reads wait. An open file is a descriptor, and few peers should
/// not have many of them.
pub const FILE_READS: usize = 32;
/// How long a further one waits; after that its answer breaks off. A bucket that hangs keeps each read for nearly as long.
pub const FILE_READ_WAIT_MS: u64 = 20 * SECOND;
