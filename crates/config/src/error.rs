/// Why a start was refused, in one line for the person who set it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    /// Cookies and two-factor need an encrypted connection, except on the machine itself.
    #[error("DEADWAX_PUBLIC_URL: {0} is plain http on a host that is not this machine; use https")]
    PublicUrlNotHttps(String),
    #[error(
        "DEADWAX_PUBLIC_URL: {0} must be an http or https address without path, query and user, such as https://label.example"
    )]
    PublicUrlNotAnOrigin(String),
    #[error("DEADWAX_LOG: {0}")]
    Log(String),
    #[error("{setting}: {read}{why}")]
    Value {
        setting: &'static str,
        /// The value, unless it may be secret.
        read: String,
        why: String,
    },
    #[error("DEADWAX_TLS_CERT and DEADWAX_TLS_KEY must be set together")]
    HalfTls,
}
