//! Sizes and speeds of requests, and retry delays. Used by the server only.
//!
//! Limits of fields and files are in their own rules.

use crate::span::SECOND;

/// Maximum size in bytes of a body without a file or long text.
pub const BODY_MAX_BYTES: usize = 16 * 1024;
/// Maximum size in bytes of a body with the steps of 200 demos, or with 400 subscribers and a sentence.
pub const ROWS_BODY_MAX_BYTES: usize = 32 * 1024;
/// Maximum nesting of arrays and objects in a JSON body.
pub const JSON_DEPTH_MAX: usize = 32;
/// Time from the last header to the response; routes that accept files are exempt.
pub const ANSWER_MS: u64 = 30 * SECOND;

/// Database statements that take longer, including their wait for a connection, are logged.
pub const SLOW_QUERY_MS: u64 = SECOND;

/// Requests that take longer are logged as warnings; uploads, which take as long as their line, are not.
pub const SLOW_REQUEST_MS: u64 = 5 * SECOND;

/// Bytes of a refused body to read before responding: many clients read the response only after sending everything.
pub const REFUSED_BYTES: u64 = 1024 * 1024;
/// Maximum time to read a refused body.
pub const REFUSED_MS: u64 = SECOND;

/// `Retry-After` of a busy or unreachable service.
pub const BUSY_SECONDS: u32 = 5;
/// `Retry-After` when there is no room for files, which someone has to free first.
pub const FULL_SECONDS: u32 = 600;

/// A body without a byte for this long is too slow.
pub const SILENCE_MS: u64 = 15 * SECOND;
/// Span over which the speed of a body is measured.
pub const RATE_SPAN_MS: u64 = 30 * SECOND;
/// Initial time of a body without a minimum speed: connections start slowly.
pub const RATE_GRACE_MS: u64 = 10 * SECOND;
/// Minimum speed in bytes per second over any [`RATE_SPAN_MS`] after [`RATE_GRACE_MS`].
pub const RATE_MIN_BYTES: u64 = 8 * 1024;
/// Maximum time for a whole form: a few kilobytes, well before [`ANSWER_MS`].
pub const FORM_MS: u64 = 20 * SECOND;
/// Maximum time for a whole file.
pub const FILE_MS: u64 = 20 * 60 * SECOND;
