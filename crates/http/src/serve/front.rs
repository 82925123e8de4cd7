//! Before the router: which requests are for this website at all, and the answers that are already made.
//!
//! A cached answer leaves from here: a look-up by path and query, its headers, its bytes. Everything else goes to the router.

use std::{
    convert::Infallible,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use deadwax_config::Hosts;
use http::{HeaderValue, Method, Request, StatusCode, Version, header};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use ipnet::IpNet;
use rules::{
    messages::Code,
    request::{BUSY_SECONDS, REFUSED_BYTES, REFUSED_MS},
};
use tower::ServiceExt as _;

use super::answers::{AnswerBody, Answering, Content};
use crate::{error::AppError, headers::Kind, observe, response_cache::ResponseCache};

const CLOSE: HeaderValue = HeaderValue::from_static("close");

#[derive(Clone)]
pub(super) struct Front(Arc<Site>);

/// The website as each connection is served with it.
pub struct Site {
    pub hosts: Hosts,
    /// Whether browsers reach it by https, be it that a proxy speaks it.
    pub is_https: bool,
    /// Proxies, which carry everybody's connections.
    pub trusted_proxies: Arc<[IpNet]>,
    pub cache: Arc<ResponseCache>,
    /// The routes below this path answer OPTIONS themselves.
    pub options_path: &'static str,
    pub router: Router,
}

impl Front {
    pub(super) fn new(site: Site) -> Self {
        Self(Arc::new(site))
    }

    pub(super) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        peer: SocketAddr,
        answering: Answering,
    ) -> Result<Response<AnswerBody>, Infallible> {
        let response = match self.at_once(&request, &answering) {
            Some(response) if request.body().is_end_stream() => response,
            // In a box, so that the many answers that are ready are not as large as those that have to be made.
            at_once => Box::pin(self.read(request, peer, at_once, &answering)).await,
        };
        Ok(response.map(|content| AnswerBody::new(content, answering)))
    }

    fn at_once(&self, request: &Request<Incoming>, answering: &Answering) -> Option<Response<Content>> {
        self.refusal(request, answering)
            .map(|refusal| refusal.map(Content::Made))
            .or_else(|| self.cached(request))
    }

    fn refusal(&self, request: &Request<Incoming>, answering: &Answering) -> Option<Response> {
        if answering.is_ambiguous() {
            let refusal = AppError::from_code(StatusCode::BAD_REQUEST, Code::AmbiguousLength);
            let mut response = self.finish(refusal.into_response());
            response.headers_mut().insert(header::CONNECTION, CLOSE);
            return Some(response);
        }
        if answering.is_beyond_share() {
            metrics::counter!("deadwax_answers_refused_total").increment(1);
            let refusal = AppError::too_many_requests(BUSY_SECONDS);
            return Some(self.finish(refusal.into_response()));
        }
        let is_probe = matches!(request.uri().path(), "/livez" | "/readyz");
        if !is_probe && !self.is_for_us(request) {
            let refusal = AppError::from_code(StatusCode::MISDIRECTED_REQUEST, Code::Misdirected);
            return Some(self.finish(refusal.into_response()));
        }
        // No other origin may read anything here, so there is nothing to tell a preflight. Uploads tell what they can do.
        if request.method() == Method::OPTIONS && !request.uri().path().starts_with(self.0.options_path) {
            return Some(self.finish(StatusCode::NO_CONTENT.into_response()));
        }
        None
    }

    /// Has a request with a body answered, or one that nothing is ready for. Of a body that was left unread, a little
    /// is read before the answer goes, and a little more after it, so that its sender comes to see the answer.
    async fn read(
        &self,
        mut request: Request<Incoming>,
        peer: SocketAddr,
        at_once: Option<Response<Content>>,
        answering: &Answering,
    ) -> Response<Content> {
        if !request.method().is_safe() {
            request.extensions_mut().insert(answering.client_share());
        }
        if request.body().is_end_stream() {
            return self.by_handler(request.map(|_| Body::empty()), peer).await.map(Content::Made);
        }
        let is_multiplexed = request.version() >= Version::HTTP_2;
        let expects = request.headers().contains_key(header::EXPECT);
        let (request, rest) = lend(request);
        let mut response = match at_once {
            Some(response) => {
                drop(request);
                response
            }
            None => self.by_handler(request, peer).await.map(Content::Made),
        };
        // The sender waits for `100 Continue`, which was not sent: there is nothing to read.
        let waits = expects && !rest.is_begun();
        // The connection of a slow or malformed request is closed at once.
        let is_closing = response.headers().get(header::CONNECTION) == Some(&CLOSE);
        if !is_multiplexed && !waits && !is_closing && !rest.discard().await {
            answering.leave_unread();
            response.headers_mut().insert(header::CONNECTION, CLOSE);
        }
        response
    }

    async fn by_handler(&self, request: Request<Body>, peer: SocketAddr) -> Response {
        if request.method() == Method::TRACE {
            self.refuse_trace(request, peer).await
        } else {
            self.route(request, peer).await
        }
    }

    /// Whether every host the request names, by its target and by its header, is this website's.
    fn is_for_us(&self, request: &Request<Incoming>) -> bool {
        let target = request.uri().authority().map(|authority| authority.as_str().as_bytes());
        let headers = request.headers().get_all(header::HOST).into_iter().map(HeaderValue::as_bytes);
        let mut named = target.into_iter().chain(headers).peekable();
        named.peek().is_some() && named.all(|host| self.0.hosts.find(host).is_some())
    }

    fn cached(&self, request: &Request<Incoming>) -> Option<Response<Content>> {
        let head = request.method() == Method::HEAD;
        if !head && request.method() != Method::GET {
            return None;
        }
        let url = request.uri().path_and_query()?.as_str();
        let cached = self.0.cache.get(url)?;
        let mut response = cached.respond(request.headers(), self.0.is_https);
        response.headers_mut().insert(observe::X_REQUEST_ID, observe::next_request_id());
        observe::count_finished_hit();
        tracing::debug!(url, "answered from the response cache");
        if head {
            let bytes = std::mem::take(response.body_mut());
            if response.status() != StatusCode::NOT_MODIFIED {
                response.headers_mut().insert(header::CONTENT_LENGTH, bytes.len().into());
            }
        }
        Some(response.map(Content::Ready))
    }

    /// Nothing is traced, whether its path is known or not. The routes say what they allow; elsewhere only reading is.
    async fn refuse_trace(&self, request: Request<Body>, peer: SocketAddr) -> Response {
        let response = self.route(request, peer).await;
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            return response;
        }
        let mut refusal = self.finish(AppError::of_status(StatusCode::METHOD_NOT_ALLOWED).into_response());
        refusal.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
        refusal
    }

    async fn route(&self, mut request: Request<Body>, peer: SocketAddr) -> Response {
        request.extensions_mut().insert(ConnectInfo(peer));
        match self.0.router.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    /// A refusal made here gets what the router's layers would have given it.
    fn finish(&self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(observe::X_REQUEST_ID, observe::next_request_id());
        Kind::Api.apply(headers, self.0.is_https);
        response
    }
}

/// A body that returns to the connection when the handler drops it before its end. A little of its rest is read, because many clients
/// read an answer only after they have sent everything.
struct Lent {
    body: Option<Incoming>,
    back: Arc<Back>,
}

#[derive(Default)]
struct Back {
    body: Mutex<Option<Incoming>>,
    is_begun: AtomicBool,
}

/// Lends the body of a request, and says where what is left of it will be.
fn lend(request: Request<Incoming>) -> (Request<Body>, Arc<Back>) {
    let back = Arc::<Back>::default();
    let request = request.map(|body| Body::new(Lent { body: Some(body), back: Arc::clone(&back) }));
    (request, back)
}

impl Back {
    fn is_begun(&self) -> bool {
        self.is_begun.load(Ordering::Relaxed)
    }

    /// Reads what is left, if it is little and comes soon; answers whether the body has ended.
    async fn discard(&self) -> bool {
        let Some(mut body) = self.body.lock().unwrap_or_else(PoisonError::into_inner).take() else {
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
