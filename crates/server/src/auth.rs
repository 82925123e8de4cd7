//! Who is asking, and what they may do: sessions, the cookies that carry them, and the extractors that let a request in. Capabilities stand above; what happens to an account is theirs.

pub mod cookies;
pub mod guard;
pub mod reuse;
pub mod session;

use deadwax_http::error::AppError;
use rules::request::BUSY_SECONDS;

use crate::hashing::HashingError;

impl From<HashingError> for AppError {
    fn from(error: HashingError) -> Self {
        match error {
            HashingError::Busy => Self::busy(BUSY_SECONDS),
            HashingError::Failed(cause) => Self::internal(cause),
        }
    }
}
