//! One connection: its share, its TLS handshake, its bounds on headers, and its graceful end.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use ipnet::IpNet;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};
use tokio_util::sync::CancellationToken;

use super::{Front, guard::Guard};
use crate::client_addr::network;

/// Connections of this process together.
const TOTAL: usize = 12_000;

/// Connections of one client (an IPv6 network counts as one); proxies carry everybody's and are exempt.
const PER_ADDRESS: usize = 100;

/// Request line and headers together.
const HEADER_BYTES: usize = 16 * 1024;

const HANDSHAKE: Duration = Duration::from_secs(10);

/// How many connections are open, in all and by address.
#[derive(Debug)]
pub(super) struct Connections {
    trusted: Arc<[IpNet]>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A connection's place among those allowed; leaving it frees the place.
pub(super) struct Place {
    connections: Arc<Connections>,
    address: IpAddr,
}

impl Connections {
    pub(super) fn new(trusted: Arc<[IpNet]>) -> Self {
        Self { trusted, open: Mutex::default() }
    }

    /// A place for a connection from `address`, unless all or its own are taken.
    pub(super) fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let exempt = self.trusted.iter().any(|net| net.contains(&address.to_canonical()));
        let address = network(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= TOTAL {
            return None;
        }
        let of_address = open.by_address.entry(address).or_default();
        if *of_address >= PER_ADDRESS && !exempt {
            return None;
        }
        *of_address += 1;
        open.total += 1;
        drop(open);
        Some(Place { connections: Arc::clone(self), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        if let Some(of_address) = open.by_address.get_mut(&self.address) {
            *of_address -= 1;
            if *of_address == 0 {
                open.by_address.remove(&self.address);
            }
        }
    }
}

/// Serves one connection to its end, or until `stop` and the end of the request in flight.
pub(super) async fn run(
    socket: TcpStream,
    peer: SocketAddr,
    front: Front,
    tls: Option<tokio_rustls::TlsAcceptor>,
    stop: CancellationToken,
) {
    // Answers are written whole; waiting to fill packets would only delay them.
    let _ = socket.set_nodelay(true);
    match tls {
        None => speak(socket, false, peer, front, stop).await,
        Some(tls) => match tokio::time::timeout(HANDSHAKE, tls.accept(socket)).await {
            Ok(Ok(stream)) => {
                let multiplexed = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                speak(stream, multiplexed, peer, front, stop).await;
            }
            Ok(Err(error)) => tracing::debug!(cause = %error, "TLS handshake"),
            Err(_) => tracing::debug!("TLS handshake took too long"),
        },
    }
}

async fn speak<S>(stream: S, multiplexed: bool, peer: SocketAddr, front: Front, stop: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (guard, phase) = Guard::new(stream, multiplexed);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_buf_size(HEADER_BYTES)
        .half_close(false);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(100)
        .max_header_list_size(u32::try_from(HEADER_BYTES).unwrap_or(u32::MAX))
        .keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(20));
    let service =
        hyper::service::service_fn(move |request| front.clone().answer(request, peer, phase.enter()));
    let mut connection = pin!(builder.serve_connection(TokioIo::new(guard), service));
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(cause = %error, "connection");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_gets_its_share_and_frees_it_by_leaving() {
        let connections = Arc::new(Connections::new(Arc::from([])));
        let address: IpAddr = "10.0.0.1".parse().unwrap();
        let mut places: Vec<_> = (0..PER_ADDRESS).map(|_| connections.enter(address).unwrap()).collect();
        assert!(connections.enter(address).is_none());
        assert!(connections.enter("10.0.0.2".parse().unwrap()).is_some());
        places.pop();
        assert!(connections.enter(address).is_some());
    }

    #[test]
    fn a_trusted_proxy_is_not_bounded_by_address() {
        let connections = Arc::new(Connections::new(Arc::from(["10.0.0.0/8".parse().unwrap()])));
        let places: Vec<_> =
            (0..PER_ADDRESS + 50).map(|_| connections.enter("10.0.0.1".parse().unwrap())).collect();
        assert!(places.iter().all(Option::is_some));
    }
}
