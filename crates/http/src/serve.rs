//! From sockets to answers: the accept loop, its bounds on connections, and an end that waits for work in flight.

mod answers;
mod connection;
mod framing;
mod front;
mod guard;
mod metrics;
mod tls;
mod unread;

use std::{io, net::SocketAddr, time::Duration};

use tokio::net::{TcpListener, TcpSocket};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use connection::Connections;
pub use front::{Front, Site};
pub use metrics::serve_metrics;
pub use tls::{TlsError, acceptor};

const DRAIN: Duration = Duration::from_millis(rules::connection::DRAIN_MS);

/// Serves `site` on `listener` until `stop`; then accepts nothing new and waits at most `DRAIN` for what is in flight.
pub async fn serve(
    listener: TcpListener,
    site: Site,
    tls: Option<tokio_rustls::TlsAcceptor>,
    stop: CancellationToken,
) {
    let connections = Connections::new(site.trusted_proxies.clone());
    let front = Front::new(site);
    let tasks = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                pause_after(&error).await;
                continue;
            }
        };
        let Ok((permit, answers)) = connections.open(peer.ip()) else {
            // Closing at once is all that a peer past its share gets: answering would cost what the bound protects.
            ::metrics::counter!("deadwax_connections_refused_total").increment(1);
            continue;
        };
        let (front, tls, stop) = (front.clone(), tls.clone(), stop.clone());
        tasks.spawn(async move {
            connection::run(socket, peer, answers, front, tls, stop).await;
            drop(permit);
        });
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
async fn pause_after(error: &io::Error) {
    let of_the_peer = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    );
    if !of_the_peer {
        tracing::error!(cause = %error, "accepting connections");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
