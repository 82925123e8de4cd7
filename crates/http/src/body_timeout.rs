//! The slowest rate of a request's body: a slow sender gets 408 and loses its connection, so that a trickle cannot hold a slot. Only
//! time spent waiting for the sender counts, so a busy server does not blame a quick one.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, Version, header};
use http_body::{Frame, SizeHint};
use rules::{messages::Code, request};
use tokio::time::Instant;

use crate::{deadline::Deadline, error::AppError};

const GAP: Duration = Duration::from_millis(request::SILENCE_MS);
const SPAN: Duration = Duration::from_millis(request::RATE_SPAN_MS);
/// The beginning of a body, in which any rate will do.
const GRACE: Duration = Duration::from_millis(request::RATE_GRACE_MS);
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

pub const FORM: Duration = Duration::from_millis(request::FORM_MS);
pub const FILE: Duration = Duration::from_millis(request::FILE_MS);

/// 408 to bodies that come too slowly, whatever the handler made of their end.
pub async fn bound(State(timeout): State<Duration>, request: Request, next: Next) -> Response {
    if http_body::Body::is_end_stream(request.body()) {
        return next.run(request).await;
    }
    let is_late = Arc::new(AtomicBool::new(false));
    let is_multiplexed = request.version() >= Version::HTTP_2;
    let request = request.map(|body| Body::new(TimedBody::new(body, timeout, Arc::clone(&is_late))));
    let response = next.run(request).await;
    if !is_late.load(Ordering::Relaxed) {
        return response;
    }
    tracing::info!(event = "slow_body", "audit");
    let mut response = AppError::from_code(StatusCode::REQUEST_TIMEOUT, Code::TooSlow).into_response();
    if !is_multiplexed {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

struct TimedBody {
    body: Body,
    timeout: Duration,
    is_late: Arc<AtomicBool>,
    started: Option<Instant>,
    waiting_since: Option<Instant>,
    waited: Duration,
    /// How much of the waiting was over when each piece came, newest last; no older than [`SPAN`].
    came: VecDeque<(Duration, u64)>,
    look_again: Deadline,
}

impl TimedBody {
    fn new(body: Body, timeout: Duration, is_late: Arc<AtomicBool>) -> Self {
        Self {
            body,
            timeout,
            is_late,
            started: None,
            waiting_since: None,
            waited: Duration::ZERO,
            came: VecDeque::new(),
            look_again: Deadline::default(),
        }
    }

    /// Notes a piece that came; pieces of about the same moment count together.
    fn note(&mut self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        match self.came.back_mut() {
            Some((at, sum)) if self.waited < *at + CHECK_INTERVAL => *sum += bytes,
            _ => self.came.push_back((self.waited, bytes)),
        }
    }

    /// Whether the rate over the last [`SPAN`] of waiting is too low after `waited`.
    fn is_too_slow(&mut self, waited: Duration) -> bool {
        let Some(from) = waited.checked_sub(SPAN) else { return false };
        while self.came.front().is_some_and(|(at, _)| *at + CHECK_INTERVAL <= from) {
            self.came.pop_front();
        }
        let counted = waited.saturating_sub(from.max(GRACE));
        self.came.iter().map(|(_, bytes)| bytes).sum::<u64>() < request::RATE_MIN_BYTES * counted.as_secs()
    }

    /// When the sender is to be looked at again; none when it is late.
    fn patience(&mut self, now: Instant) -> Option<Duration> {
        let started = *self.started.get_or_insert(now);
        let silent = now - *self.waiting_since.get_or_insert(now);
        let left = self.timeout.checked_sub(now - started)?.min(GAP.checked_sub(silent)?);
        if left.is_zero() || self.is_too_slow(self.waited + silent) {
            return None;
        }
        Some(left.min(CHECK_INTERVAL))
    }
}

impl http_body::Body for TimedBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = self.get_mut();
        loop {
            if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
                let now = Instant::now();
                this.started.get_or_insert(now);
                this.waited += this.waiting_since.take().map_or(Duration::ZERO, |since| now - since);
                if let Some(Ok(frame)) = &frame {
                    this.note(frame.data_ref().map_or(0, Bytes::len));
                }
                return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
            }
            let now = Instant::now();
            let Some(patience) = this.patience(now) else {
                this.is_late.store(true, Ordering::Relaxed);
                return Poll::Ready(Some(Err(io::Error::from(io::ErrorKind::TimedOut).into())));
            };
            this.look_again.set(patience);
            if !this.look_again.has_passed(patience, context) {
                return Poll::Pending;
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use http_body_util::BodyExt as _;

    use super::*;

    /// How long a sender is listened to that sends `piece` bytes every `pause`, and whether it was found late.
    async fn listened_to(timeout: Duration, pieces: u32, piece: usize, pause: Duration) -> (u64, bool) {
        let sender = stream::unfold(0, move |sent| async move {
            tokio::time::sleep(pause).await;
            (sent < pieces).then(|| (Ok::<_, io::Error>(Bytes::from(vec![0; piece])), sent + 1))
        });
        let is_late = Arc::new(AtomicBool::new(false));
        let body = TimedBody::new(Body::from_stream(sender), timeout, Arc::clone(&is_late));
        let started = Instant::now();
        let ended = body.collect().await;
        assert_eq!(ended.is_err(), is_late.load(Ordering::Relaxed));
        (started.elapsed().as_secs(), ended.is_err())
    }

    #[tokio::test(start_paused = true)]
    async fn a_sender_may_be_silent_for_fifteen_seconds() {
        let of = |pause| listened_to(FILE, 3, 1024 * 1024, Duration::from_secs(pause));
        assert_eq!(of(14).await, (56, false));
        assert_eq!(of(16).await, (15, true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_trickle_ends_after_thirty_seconds() {
        assert_eq!(listened_to(FILE, 1000, 1, Duration::from_secs(3)).await, (30, true));
    }

    #[tokio::test(start_paused = true)]
    async fn eight_kilobytes_a_second_are_enough_and_less_is_not() {
        let second = Duration::from_secs(1);
        assert_eq!(listened_to(FILE, 300, 8 * 1024, second).await, (301, false));
        let (after, is_late) = listened_to(FILE, 300, 7 * 1024, second).await;
        assert!(is_late && (30..=45).contains(&after), "{after}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_sender_that_slows_down_is_noticed_within_the_span() {
        let sender = stream::unfold(0, |sent| async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let piece = if sent < 60 { 1024 * 1024 } else { 1 };
            (sent < 1000).then(|| (Ok::<_, io::Error>(Bytes::from(vec![0; piece])), sent + 1))
        });
        let body = TimedBody::new(Body::from_stream(sender), FILE, Arc::default());
        let started = Instant::now();
        assert!(body.collect().await.is_err());
        assert!((60..=92).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_whole_body_has_its_time() {
        let second = Duration::from_secs(1);
        assert_eq!(listened_to(FORM, 100, 1024 * 1024, second).await, (20, true));
        assert_eq!(listened_to(FILE, 5000, 1024 * 1024, second).await, (1200, true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_is_busy_does_not_blame_the_sender() {
        let sender = stream::iter((0..100).map(|_| Ok::<_, io::Error>(Bytes::from_static(b"x"))));
        let mut body = TimedBody::new(Body::from_stream(sender), FILE, Arc::default());
        for _ in 0..100 {
            assert!(body.frame().await.unwrap().is_ok());
            tokio::time::sleep(Duration::from_secs(11)).await;
        }
    }
}
