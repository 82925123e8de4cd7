//! From sockets to answers: the accept loop, its bounds on connections, and an end that waits for work in flight.

mod answers;
mod connection;
mod framing;
mod front;
mod guard;

use std::{io, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use axum::Router;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use rules::connection::{DRAIN_MS, HEADERS_MS, SCRAPER_MS, SCRAPERS};
use rustls_pki_types::{
    CertificateDer, PrivateKeyDer,
    pem::{self, PemObject as _},
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::Semaphore,
};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use answers::ClientShare;
use connection::Connections;
use front::Front;
pub use front::Site;

const DRAIN: Duration = Duration::from_millis(DRAIN_MS);
const SCRAPER_HEADERS: Duration = Duration::from_millis(HEADERS_MS);
const SCRAPER_LIFE: Duration = Duration::from_millis(SCRAPER_MS);

/// Serves `site` on `listener` until `stop`; then accepts nothing new and waits at most `DRAIN` for what is in flight.
pub async fn serve(listener: TcpListener, site: Site, tls: Option<TlsAcceptor>, stop: CancellationToken) {
    let connections = Connections::new(site.trusted_proxies.clone());
    let front = Front::new(site);
    let tasks = TaskTracker::new();
    loop {
        let (socket, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener) => accepted,
        };
        let Ok(answers) = connections.open(peer.ip()) else {
            // Closing at once is all that a peer past its share gets: answering would cost what the bound protects.
            ::metrics::counter!("deadwax_connections_refused_total").increment(1);
            continue;
        };
        let (front, tls, stop) = (front.clone(), tls.clone(), stop.clone());
        tasks.spawn(connection::run(socket, peer, answers, front, tls, stop));
    }
    drop(listener);
    tasks.close();
    if tokio::time::timeout(DRAIN, tasks.wait()).await.is_err() {
        tracing::warn!(connections = tasks.len(), "ended with connections still open");
    }
}

/// Binds an address, with a queue long enough for a burst of visitors.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(4096)
}

/// Without free file descriptors accepting fails at once and again: waiting lets connections end instead of spinning.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if matches!(error.kind(), ConnectionAborted | ConnectionReset | ConnectionRefused) => {
            }
            Err(error) => {
                tracing::error!(cause = %error, "accepting connections");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
}

/// Why the certificate or its key cannot be used: the setting and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TlsError(String);

/// Reads a PEM chain and its key, for HTTP/2 and HTTP/1.1.
pub fn acceptor(cert: &Path, key: &Path) -> Result<TlsAcceptor, TlsError> {
    let unread = |setting: &'static str, path: &Path| {
        let path = path.display().to_string();
        move |error: pem::Error| {
            let cause = match error {
                pem::Error::Io(error) => error.to_string(),
                pem::Error::NoItemsFound => "nothing in it is a PEM of that kind (-----BEGIN …)".to_owned(),
                _ => "it is not whole PEM (-----BEGIN …)".to_owned(),
            };
            TlsError(format!("{setting}: {path}: {cause}"))
        }
    };
    let chain = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .and_then(|chain| if chain.is_empty() { Err(pem::Error::NoItemsFound) } else { Ok(chain) })
        .map_err(unread("DEADWAX_TLS_CERT", cert))?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(unread("DEADWAX_TLS_KEY", key))?;
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key);
    let mut config = config.map_err(|error| {
        TlsError(match error {
            rustls::Error::InconsistentKeys(_) => {
                "DEADWAX_TLS_KEY: it is not the key of the certificate in DEADWAX_TLS_CERT".to_owned()
            }
            error => format!("DEADWAX_TLS_CERT, DEADWAX_TLS_KEY: {error}"),
        })
    })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Serves what `render` answers as `/metrics` until `stop`, on an address that only the operator can reach and under any host: it
/// holds nothing another website could use.
pub async fn serve_metrics(
    listener: TcpListener,
    render: impl Fn() -> String + Clone + Send + Sync + 'static,
    stop: CancellationToken,
) {
    let router = Router::new().route("/metrics", axum::routing::get(async move || render()));
    let places = Arc::new(Semaphore::new(SCRAPERS as usize));
    let tasks = TaskTracker::new();
    let accepting = async {
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            let (socket, _) = accept(&listener).await;
            let service = TowerToHyperService::new(router.clone());
            tasks.spawn(stop.clone().run_until_cancelled_owned(async move {
                let mut builder = hyper::server::conn::http1::Builder::new();
                builder.timer(TokioTimer::new()).header_read_timeout(SCRAPER_HEADERS);
                let serving = builder.serve_connection(TokioIo::new(socket), service);
                if let Ok(Err(error)) = tokio::time::timeout(SCRAPER_LIFE, serving).await {
                    tracing::debug!(cause = %error, "connection of a scraper");
                }
                drop(place);
            }));
        }
    };
    stop.run_until_cancelled(accepting).await;
    tasks.close();
    tasks.wait().await;
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpStream,
    };

    use super::*;

    async fn asked(request: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut socket = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let stop = CancellationToken::new();
        let serving = tokio::spawn(serve_metrics(listener, || "a 1\n".to_owned(), stop.clone()));
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        stop.cancel();
        serving.await.unwrap();
        answer
    }

    #[tokio::test]
    async fn whoever_reaches_the_address_may_ask_under_any_host() {
        let answer = asked("GET /metrics HTTP/1.1\r\nhost: anything\r\nconnection: close\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("a 1\n"), "{answer}");
        let answer = asked("GET / HTTP/1.1\r\nhost: anything\r\nconnection: close\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    }

    #[tokio::test(start_paused = true)]
    async fn headers_that_never_end_lose_their_connection() {
        let started = tokio::time::Instant::now();
        assert_eq!(asked("GET /metrics HTTP/1.1\r\nhost: any").await, "");
        assert_eq!(started.elapsed().as_secs(), SCRAPER_HEADERS.as_secs());
    }
}
