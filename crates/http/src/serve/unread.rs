//! The unread rest of a refused request's body: a little of it is read, because many clients read an answer only after they have
//! sent everything.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use http::Request;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use rules::request::{REFUSED_BYTES, REFUSED_MS};

/// A body that returns to the connection when the handler drops it before its end.
struct Lent {
    body: Option<Incoming>,
    back: Arc<Back>,
}

pub(super) struct Rest(Arc<Back>);

#[derive(Default)]
struct Back {
    body: Mutex<Option<Incoming>>,
    is_begun: AtomicBool,
}

/// Lends the body of a request, and says where what is left of it will be.
pub(super) fn lend(request: Request<Incoming>) -> (Request<Body>, Rest) {
    let back = Arc::<Back>::default();
    let request = request.map(|body| Body::new(Lent { body: Some(body), back: Arc::clone(&back) }));
    (request, Rest(back))
}

impl Rest {
    /// Whether the body was polled, which sends `100 Continue`.
    pub(super) fn is_begun(&self) -> bool {
        self.0.is_begun.load(Ordering::Relaxed)
    }

    /// Reads what is left, if it is little and comes soon; answers whether the body has ended.
    pub(super) async fn discard(self) -> bool {
        let Some(mut body) = self.0.body.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return true;
        };
        let reading = async {
            let mut left = REFUSED_BYTES;
            while let Some(Ok(frame)) = body.frame().await {
                let bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
                match left.checked_sub(bytes) {
                    Some(rest) => left = rest,
                    None => return false,
                }
            }
            body.is_end_stream()
        };
        tokio::time::timeout(Duration::from_millis(REFUSED_MS), reading).await.unwrap_or(false)
    }
}

impl http_body::Body for Lent {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let this = self.get_mut();
        this.back.is_begun.store(true, Ordering::Relaxed);
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            this.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(http_body::Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), http_body::Body::size_hint)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(body) = self.body.take().filter(|body| !body.is_end_stream()) {
            *self.back.body.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
        }
    }
}
