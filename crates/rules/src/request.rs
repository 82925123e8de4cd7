//! How large a request may be, how slowly it may come, and when it is worth repeating; only the server asks.
//!
//! What a form's fields and files may hold is the business of their own rules.

use crate::span::SECOND;

/// Bytes of a body, where no file and no long text is expected.
pub const BODY_MAX_BYTES: usize = 16 * 1024;
/// Arrays and objects of a JSON body that may stand in each other.
pub const JSON_DEPTH_MAX: usize = 32;
/// From the last header to the answer; routes that take files have no such bound.
pub const ANSWER_MS: u64 = 30 * SECOND;

/// A statement of the database that takes longer, waiting for its turn included, is worth a line in the log.
pub const SLOW_QUERY_MS: u64 = SECOND;

/// Read of a body that is refused before its answer goes: many clients look at an answer only when all they had to say was taken.
pub const REFUSED_BYTES: u64 = 1024 * 1024;
/// And for so long.
pub const REFUSED_MS: u64 = SECOND;

/// After so long a service that is busy, or out of reach, is worth another try.
pub const BUSY_SECONDS: u32 = 5;
/// And one without room for files: room comes back when somebody makes it, not by itself.
pub const FULL_SECONDS: u32 = 600;

/// A body that is awaited so long without a byte is late.
pub const SILENCE_MS: u64 = 15 * SECOND;
/// The span over which a body's rate is measured.
pub const RATE_SPAN_MS: u64 = 30 * SECOND;
/// The beginning of a body, in which any rate will do: connections start slowly.
pub const RATE_GRACE_MS: u64 = 10 * SECOND;
/// Bytes a second that are expected over any [`RATE_SPAN_MS`] after [`RATE_GRACE_MS`].
pub const RATE_MIN_BYTES: u64 = 8 * 1024;
/// A whole form: a few kilobytes, well before [`ANSWER_MS`].
pub const FORM_MS: u64 = 20 * SECOND;
/// A whole file.
pub const FILE_MS: u64 = 20 * 60 * SECOND;
