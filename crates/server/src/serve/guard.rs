//! Deadlines on a socket that hyper's own timers do not give: a request's headers, an idle connection, a peer that stops reading.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use super::ambiguous::HeaderLines;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

/// From the first byte of a request to the last of its headers.
const HEADERS: Duration = Duration::from_secs(10);
/// Between requests.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// Without one byte taken by the peer.
const WRITE_STALL: Duration = Duration::from_secs(30);

/// What the socket and the answers of a connection know of each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Phase(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// How many requests are being answered.
    answering: AtomicUsize,
    /// Whether the request whose headers came last told its length twice.
    is_ambiguous: AtomicBool,
}

/// A request being answered; while one is held, the connection may be silent.
#[derive(Debug)]
pub struct Answering(Arc<State>);

impl Phase {
    /// Marks the beginning of an answer.
    pub(super) fn enter(&self) -> Answering {
        self.0.answering.fetch_add(1, Ordering::Relaxed);
        Answering(Arc::clone(&self.0))
    }

    fn is_answering(&self) -> bool {
        self.0.answering.load(Ordering::Relaxed) > 0
    }
}

impl Answering {
    /// Whether the request's length was told in two ways.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.0.is_ambiguous.load(Ordering::Relaxed)
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.answering.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream with the deadlines above. Between requests the peer may be silent for [`KEEP_ALIVE`]; once a byte has come, the
/// headers must be complete within [`HEADERS`].
#[derive(Debug)]
pub(super) struct Guard<S> {
    stream: S,
    phase: Phase,
    multiplexed: bool,
    read_by: Option<Pin<Box<Sleep>>>,
    /// Whether bytes have come since the last answer ended: then it is headers that the deadline is for.
    in_headers: bool,
    lines: HeaderLines,
    write_by: Option<Pin<Box<Sleep>>>,
}

impl<S> Guard<S> {
    /// The guarded stream, and the handle by which answers announce themselves.
    ///
    /// On a `multiplexed` connection (HTTP/2) bytes between requests are no headers, so there it may only idle.
    pub(super) fn new(stream: S, multiplexed: bool) -> (Self, Phase) {
        let phase = Phase::default();
        // A new connection owes its first request as promptly as its headers.
        let read_by = Some(Box::pin(sleep_until(Instant::now() + HEADERS)));
        (
            Self {
                stream,
                phase: phase.clone(),
                multiplexed,
                read_by,
                in_headers: true,
                lines: HeaderLines::default(),
                write_by: None,
            },
            phase,
        )
    }
}

/// Polls `deadline`, setting it first where none runs.
fn expired(deadline: &mut Option<Pin<Box<Sleep>>>, after: Duration, context: &mut Context<'_>) -> bool {
    deadline
        .get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + after)))
        .as_mut()
        .poll(context)
        .is_ready()
}

impl<S: AsyncRead + Unpin> AsyncRead for Guard<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if this.phase.is_answering() {
            // A body, or the next request sent early: bodies have deadlines of their own.
            this.read_by = None;
            this.in_headers = false;
            return read;
        }
        if this.multiplexed {
            if read.is_pending() && expired(&mut this.read_by, KEEP_ALIVE, context) {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            return read;
        }
        if read.is_ready() {
            let bytes = buffer.filled().get(before..).unwrap_or_default();
            if !bytes.is_empty() && !this.in_headers {
                this.in_headers = true;
                this.read_by = None;
                this.lines.reset();
            }
            if this.lines.read(bytes) {
                this.phase.0.is_ambiguous.store(true, Ordering::Relaxed);
            }
            if this.read_by.is_none() {
                this.read_by = Some(Box::pin(sleep_until(Instant::now() + HEADERS)));
            }
            return read;
        }
        let allowed = if this.in_headers { HEADERS } else { KEEP_ALIVE };
        if expired(&mut this.read_by, allowed, context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Poll::Pending
    }
}

impl<S: AsyncWrite + Unpin> Guard<S> {
    fn bound_write<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.write_by = None;
            return written;
        }
        if expired(&mut self.write_by, WRITE_STALL, context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Poll::Pending
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guard<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.bound_write(written, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.bound_write(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        this.bound_write(flushed, context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let closed = Pin::new(&mut this.stream).poll_shutdown(context);
        this.bound_write(closed, context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn headers_that_trickle_are_cut_off_after_ten_seconds() {
        let (mut peer, ours) = duplex(64);
        let (mut guard, _phase) = Guard::new(ours, false);
        let started = Instant::now();
        tokio::spawn(async move {
            loop {
                peer.write_all(b"x").await.ok();
                tokio::time::sleep(Duration::from_secs(3)).await;
            }
        });
        let mut sink = Vec::new();
        let error = guard.read_to_end(&mut sink).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(started.elapsed().as_secs(), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_may_idle_between_requests_longer_than_within_headers() {
        let (mut peer, ours) = duplex(64);
        let (mut guard, phase) = Guard::new(ours, false);
        peer.write_all(b"request").await.unwrap();
        let mut buffer = [0; 7];
        guard.read_exact(&mut buffer).await.unwrap();
        let answering = phase.enter();
        let waited = tokio::time::timeout(Duration::from_mins(2), guard.read_exact(&mut buffer)).await;
        assert!(waited.is_err(), "while answering there is no deadline");
        drop(answering);
        let started = Instant::now();
        let error = guard.read_exact(&mut buffer).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(started.elapsed().as_secs(), 75);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_stops_reading_is_dropped_after_thirty_seconds() {
        let (_peer, ours) = duplex(8);
        let (mut guard, _phase) = Guard::new(ours, false);
        let started = Instant::now();
        let error = guard.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(started.elapsed().as_secs(), 30);
    }
}
