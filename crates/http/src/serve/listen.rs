//! Listening sockets, and what is done when accepting from one fails.

use std::{io, net::SocketAddr, time::Duration};

use tokio::net::TcpListener;

/// Binds an address, with a queue long enough for a burst of visitors.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket =
        if address.is_ipv4() { tokio::net::TcpSocket::new_v4() } else { tokio::net::TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(4096)
}

/// Without free file descriptors accepting fails at once and again: waiting lets connections end instead of spinning.
pub(super) async fn pause_after(error: &io::Error) {
    let of_the_peer = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    );
    if !of_the_peer {
        tracing::error!(cause = %error, "accepting connections");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
