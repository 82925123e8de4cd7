//! Why nothing can be said of a file.

use std::io::ErrorKind;

use symphonia::core::errors::Error;

/// The longest recording that is analysed, in seconds of sound: half a day. A file of the largest size may claim more.
pub const LONGEST_SECONDS: u64 = 12 * 3600;

/// Why nothing can be said of a file. A row keeps [`code`](Self::code).
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// No decoder knows it, or what it says of itself is impossible.
    #[error("the file cannot be decoded: {0}")]
    Unreadable(String),
    #[error("the file holds no sound")]
    Empty,
    /// It is longer than [`LONGEST_SECONDS`].
    #[error("the file is longer than half a day")]
    TooLong,
    /// Its rate or its channels change on the way.
    #[error("the sound changes its rate or its channels on the way")]
    Changing,
    #[error("stopped")]
    Stopped,
    /// It could not be read: another time it may be.
    #[error("the file could not be read")]
    Disk(#[source] std::io::Error),
}

impl Failure {
    pub(crate) fn of(error: Error) -> Self {
        match error {
            Error::IoError(error)
                if !matches!(
                    error.kind(),
                    ErrorKind::UnexpectedEof
                        | ErrorKind::InvalidData
                        | ErrorKind::InvalidInput
                        | ErrorKind::Other
                ) =>
            {
                Self::Disk(error)
            }
            Error::ResetRequired => Self::Changing,
            error => Self::Unreadable(error.to_string()),
        }
    }

    /// The name under which it is kept; nothing where trying again may help.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::Unreadable(_) => Some("unreadable"),
            Self::Empty => Some("empty"),
            Self::TooLong => Some("too_long"),
            Self::Changing => Some("changing"),
            Self::Stopped | Self::Disk(_) => None,
        }
    }
}
