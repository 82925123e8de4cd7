//! The failure of a part that knows nothing of HTTP, as far as an answer depends on it.

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("too much is under way")]
    Busy,
    #[error("storing it took longer than its files are kept for")]
    Late,
    #[error(transparent)]
    Disk(#[from] std::io::Error),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Bug(#[from] anyhow::Error),
}
