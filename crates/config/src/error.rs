//! What is wrong with a setting.

/// Why a start was refused. Each is one line for the person who set it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    /// Cookies and two-factor need a connection nobody can read along, except on the machine itself.
    #[error("DEADWAX_PUBLIC_URL: {0} is plain http on a host that is not this machine; use https")]
    PublicUrlNotHttps(String),
    /// The address cannot be the root of a website.
    #[error(
        "DEADWAX_PUBLIC_URL: {0} must be an http or https address without path, query and user, such as https://label.example"
    )]
    PublicUrlNotAnOrigin(String),
    /// The filter of the log is not one.
    #[error("DEADWAX_LOG: {0}")]
    Log(String),
    /// A value that cannot be used.
    #[error("{setting}: {read}{why}")]
    Value {
        /// The setting.
        setting: &'static str,
        /// The value, unless it may be secret.
        read: String,
        /// What to write instead.
        why: String,
    },
    /// A certificate without its key, or the reverse.
    #[error("DEADWAX_TLS_CERT and DEADWAX_TLS_KEY must be set together")]
    HalfTls,
}
