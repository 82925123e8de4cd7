//! The provider of TLS for clients.

/// Makes ring the provider of this process, unless one is set. Call it before building a `reqwest` client, which otherwise panics.
pub fn install_provider() {
    // An error says that a provider is set already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
