//! Pages that were not painted.

/// Why a page was not painted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Skipped {
    /// Nothing is painted: it is turned off, or the program was built without the module.
    #[error("painting is off")]
    Off,
    /// More work was requested than time allows.
    #[error("the engine has too much to do")]
    Busy,
    /// Time was up.
    #[error("the engine took too long")]
    Late,
    /// The module or the engine failed; the text says how, for the log.
    #[error("the engine failed: {0}")]
    Failed(String),
}

impl Skipped {
    /// One word, for metrics: `off`, `busy`, `late` or `failed`.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Busy => "busy",
            Self::Late => "late",
            Self::Failed(_) => "failed",
        }
    }
}
