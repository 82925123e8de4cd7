//! Authentication and rights: sessions, their cookies, and the extractors that let a request in. Accounts
//! themselves are in `accounts`.

pub mod cookies;
pub mod guard;
pub mod session;

use deadwax_http::error::AppError;
use rules::request::BUSY_SECONDS;

use crate::accounts::hashing::HashingError;

impl From<HashingError> for AppError {
    fn from(error: HashingError) -> Self {
        match error {
            HashingError::Busy => Self::busy(BUSY_SECONDS),
            HashingError::Failed(cause) => Self::internal(cause),
        }
    }
}
