//! The certificate, when the program serves https by itself.

use std::{path::Path, sync::Arc};

use rustls_pki_types::{
    CertificateDer, PrivateKeyDer,
    pem::{self, PemObject as _},
};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};

#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("{setting}: {path}: {cause}")]
    File {
        setting: &'static str,
        path: String,
        cause: String,
    },
    #[error("DEADWAX_TLS_KEY: it is not the key of the certificate in DEADWAX_TLS_CERT")]
    OtherKey,
    /// Certificate and key do not fit, or are of a kind that is not supported.
    #[error("DEADWAX_TLS_CERT, DEADWAX_TLS_KEY: {0}")]
    Rustls(#[from] rustls::Error),
}

/// Reads a PEM chain and its key, for HTTP/2 and HTTP/1.1.
pub fn acceptor(cert: &Path, key: &Path) -> Result<TlsAcceptor, TlsError> {
    let file = |setting, path: &Path| {
        let path = path.display().to_string();
        move |cause: pem::Error| TlsError::File {
            setting,
            path,
            cause: match cause {
                pem::Error::Io(error) => error.to_string(),
                pem::Error::NoItemsFound => "nothing in it is a PEM of that kind (-----BEGIN …)".to_owned(),
                _ => "it is not whole PEM (-----BEGIN …)".to_owned(),
            },
        }
    };
    let chain = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .and_then(|chain| if chain.is_empty() { Err(pem::Error::NoItemsFound) } else { Ok(chain) })
        .map_err(file("DEADWAX_TLS_CERT", cert))?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(file("DEADWAX_TLS_KEY", key))?;
    let mut config =
        ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).map_err(|error| {
            match error {
                rustls::Error::InconsistentKeys(_) => TlsError::OtherKey,
                error => error.into(),
            }
        })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
