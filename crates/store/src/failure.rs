//! Why a layer below the handlers failed, as far as an answer depends on it.

/// The failure of a part that knows nothing of HTTP.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Too much of the same work is under way.
    #[error("too much is under way")]
    Busy,
    #[error(transparent)]
    Disk(#[from] std::io::Error),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// A bug, or a broken part.
    #[error(transparent)]
    Bug(#[from] anyhow::Error),
}
