//! Deadlines on a socket that hyper's own timers do not give: a request's headers, an idle connection, a peer that stops
//! reading or lets an answer wait; and an end that lets a peer that is still sending see its answer.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use super::{answers::Answers, framing::Framing};
use crate::deadline::Deadline;
use rules::connection::{HEADERS_MS, IDLE_MS, LINGER_BYTES, LINGER_MS, STALL_MS};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

const HEADERS: Duration = Duration::from_millis(HEADERS_MS);
const KEEP_ALIVE: Duration = Duration::from_millis(IDLE_MS);
const WRITE_STALL: Duration = Duration::from_millis(STALL_MS);
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// An answer grows so much older at each look. Behind a socket that is full it may wait its turn four times as long: there a
/// slow line is shared by many answers.
const AGES: [u8; 2] = [4, 1];
/// The age of an answer that has waited for [`WRITE_STALL`] whenever it began between two looks.
const STALLED: u8 = 28;
const LINGER: Duration = Duration::from_millis(LINGER_MS);

/// A stream with the deadlines above. Between requests the peer may be silent for [`KEEP_ALIVE`]; once a byte has come, the
/// headers must be complete within [`HEADERS`].
#[derive(Debug)]
pub(super) struct Guard<S> {
    stream: S,
    answers: Arc<Answers>,
    read_by: Deadline,
    /// Whether bytes have come since the last answer ended: then it is headers that the deadline is for.
    in_headers: bool,
    framing: Framing,
    write_by: Deadline,
    /// When the answers are looked at again; not set while none waits for the peer.
    check_at: Deadline,
    linger: Deadline,
    lingered: u64,
    is_shut: bool,
}

impl<S> Guard<S> {
    pub(super) fn new(stream: S, answers: Arc<Answers>) -> Self {
        // A new connection owes its first request as promptly as its headers.
        let mut read_by = Deadline::default();
        read_by.set(HEADERS);
        Self {
            stream,
            answers,
            read_by,
            in_headers: true,
            framing: Framing::default(),
            write_by: Deadline::default(),
            check_at: Deadline::default(),
            linger: Deadline::default(),
            lingered: 0,
            is_shut: false,
        }
    }

    /// Whether an HTTP/1 peer has let too long pass without whole headers, or without a byte of the next request.
    fn is_overdue(&mut self, context: &mut Context<'_>) -> bool {
        let allowed = if self.in_headers { HEADERS } else { KEEP_ALIVE };
        self.read_by.has_passed(allowed, context)
    }

    /// Whether the peer has let an answer wait too long. Costs nearly nothing while no request is being answered.
    fn is_stalled(&mut self, context: &mut Context<'_>) -> bool {
        if !self.check_at.is_set() {
            if !self.answers.is_answering() {
                return false;
            }
            // Before the look itself, so that what begins to wait in between is noticed.
            self.answers.watch(context.waker());
            if !self.answers.awaits_peer() {
                return false;
            }
        }
        while self.check_at.has_passed(CHECK_INTERVAL, context) {
            let [alone, in_line] = AGES;
            let age = if self.write_by.is_set() { in_line } else { alone };
            if self.answers.grow_older(age) >= STALLED {
                return true;
            }
            if !self.answers.awaits_peer() {
                self.check_at.clear();
                return self.is_stalled(context);
            }
            self.check_at.set(CHECK_INTERVAL);
        }
        false
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guard<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.answers.is_overrun() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        if this.is_stalled(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        let bytes = buffer.filled().get(before..).unwrap_or_default();
        if let Some(number) = this.framing.read(bytes) {
            this.answers.note_ambiguous(number);
        }
        if this.answers.is_answering() {
            // A body, or the next request sent early: bodies have another deadline.
            this.read_by.clear();
            this.in_headers = false;
            return read;
        }
        if this.framing.is_http2() {
            // Bytes between requests are no headers, such as a window or the answer to a ping.
            if read.is_pending() && this.read_by.has_passed(KEEP_ALIVE, context) {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            return read;
        }
        if read.is_ready() {
            if !bytes.is_empty() && !this.in_headers {
                this.in_headers = true;
                // The headers' deadline counts from the next look, which follows at once unless they are complete.
                this.read_by.clear();
            }
            return read;
        }
        if this.is_overdue(context) {
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
            self.write_by.clear();
            return written;
        }
        if self.write_by.has_passed(WRITE_STALL, context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Poll::Pending
    }
}

impl<S: AsyncRead + Unpin> Guard<S> {
    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut scratch = [0; 8 * 1024];
        while self.lingered < LINGER_BYTES && !self.linger.has_passed(LINGER, context) {
            let mut buffer = ReadBuf::new(&mut scratch);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    self.lingered += buffer.filled().len() as u64;
                }
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Guard<S> {
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
        if flushed.is_ready() && !this.answers.is_answering() && !this.framing.is_http2() {
            // Sets the deadline, whose timer wakes hyper: after an answer it reads again only when woken, and a silent peer
            // does not wake it.
            let _ = this.is_overdue(context);
        }
        this.bound_write(flushed, context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.is_shut {
            let closed = Pin::new(&mut this.stream).poll_shutdown(context);
            match this.bound_write(closed, context) {
                Poll::Ready(Ok(())) => this.is_shut = true,
                other => return other,
            }
        }
        if this.answers.has_unread() { this.poll_linger(context).map(Ok) } else { Poll::Ready(Ok(())) }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _, duplex},
        time::Instant,
    };

    use super::{
        super::answers::{AnswerBody, Content},
        *,
    };
    use crate::slots::Slots;

    fn answers() -> Arc<Answers> {
        Answers::of(&Slots::new(usize::MAX), Vec::new())
    }

    #[tokio::test(start_paused = true)]
    async fn headers_that_trickle_are_cut_off_after_ten_seconds() {
        let (mut peer, ours) = duplex(64);
        let mut guard = Guard::new(ours, answers());
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
        let answers = answers();
        let mut guard = Guard::new(ours, Arc::clone(&answers));
        peer.write_all(b"request").await.unwrap();
        let mut buffer = [0; 7];
        guard.read_exact(&mut buffer).await.unwrap();
        let answering = answers.enter();
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
        let mut guard = Guard::new(ours, answers());
        let started = Instant::now();
        let error = guard.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(started.elapsed().as_secs(), 30);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_lets_one_of_its_answers_wait_is_dropped_after_thirty_seconds() {
        let (_peer, ours) = duplex(64);
        let answers = answers();
        let mut guard = Guard::new(ours, Arc::clone(&answers));
        let _healthy = answers.enter();
        let _waiting = AnswerBody::new(Content::Made("bytes".into()), answers.enter());
        let started = Instant::now();
        let error = guard.read_exact(&mut [0; 1]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!((30..=35).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_behind_a_slow_line_may_wait_its_turn() {
        let (peer, ours) = duplex(1);
        let answers = answers();
        let (mut reader, mut writer) = tokio::io::split(Guard::new(ours, Arc::clone(&answers)));
        let _waiting = AnswerBody::new(Content::Made("bytes".into()), answers.enter());
        let (mut slow, _peer) = tokio::io::split(peer);
        tokio::spawn(async move { writer.write_all(&[0; 1000]).await });
        tokio::spawn(async move {
            while slow.read_u8().await.is_ok() {
                tokio::time::sleep(Duration::from_secs(7)).await;
            }
        });
        let started = Instant::now();
        let error = reader.read_exact(&mut [0; 1]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!((120..=145).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_still_sends_is_listened_to_for_two_seconds_after_its_answer() {
        for (unread, seconds) in [(false, 0), (true, 2)] {
            let (mut peer, ours) = duplex(64);
            let answers = answers();
            let mut guard = Guard::new(ours, Arc::clone(&answers));
            if unread {
                answers.enter().leave_unread();
            }
            let sending = tokio::spawn(async move {
                while peer.write_all(&[0; 64]).await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            });
            let started = Instant::now();
            guard.shutdown().await.unwrap();
            assert_eq!(started.elapsed().as_secs(), seconds);
            drop(guard);
            sending.await.unwrap();
        }
    }
}
