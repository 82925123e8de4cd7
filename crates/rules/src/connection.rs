//! Time limits and sizes of connections. Used by the server only.
//!
//! Limits on the number of connections are in [`crate::rate_limit`].

use crate::span::SECOND;

/// Maximum size in bytes of a request line with its headers.
pub const HEAD_MAX_BYTES: usize = 16 * 1024;
/// Concurrent requests on one HTTP/2 connection.
pub const STREAMS: u32 = 32;

/// Time for the TLS handshake.
pub const HANDSHAKE_MS: u64 = 10 * SECOND;
/// Time from the first byte of a request to its last header, and from a new connection to its first request.
pub const HEADERS_MS: u64 = 10 * SECOND;
/// Idle time between two requests.
pub const IDLE_MS: u64 = 75 * SECOND;
/// Time without a byte accepted by the peer.
pub const STALL_MS: u64 = 30 * SECOND;
/// A silent HTTP/2 peer is pinged after this.
pub const PING_MS: u64 = 30 * SECOND;
/// Time to answer the ping.
pub const PING_ANSWER_MS: u64 = 20 * SECOND;
/// Time to keep reading from a peer whose body was refused: closing at once would reset the connection, and the peer might
/// never see the answer.
pub const LINGER_MS: u64 = 2 * SECOND;
/// Bytes that are read of it: as many as any route takes.
pub const LINGER_BYTES: u64 = crate::demo::DEMO_MAX_BYTES;

/// Time for running responses after a request to stop; uploads are the slowest.
pub const DRAIN_MS: u64 = 20 * SECOND;

/// Concurrent connections to the metrics address; further ones wait.
pub const SCRAPERS: u32 = 16;
/// Lifetime of a connection to the metrics address.
pub const SCRAPER_MS: u64 = 600 * SECOND;

/// Concurrent reads of stored files for responses; further reads wait. Open files use descriptors, which a few peers must not
/// exhaust.
pub const FILE_READS: usize = 32;
/// Wait for a further read before its response is aborted. A hanging bucket occupies each read for nearly as long.
pub const FILE_READ_WAIT_MS: u64 = 20 * SECOND;
