//! Before the router: which requests are for this website at all, and the answers that are already finished.
//!
//! A finished answer leaves from here: a look-up by path and query, its headers, its bytes. Everything else goes to the router.

use std::{convert::Infallible, net::SocketAddr, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    response::{IntoResponse as _, Response},
};
use http::{Method, Request, StatusCode, header};
use http_body::Body as _;
use hyper::body::Incoming;
use tower::ServiceExt as _;

use super::guard::Answering;
use crate::{app::AppState, error::AppError, headers::Kind, observe};

/// Where OPTIONS is a question of the tus protocol.
const UPLOADS: &str = "/api/demos";

/// The outermost service. Cheap to clone, once a connection.
#[derive(Clone)]
pub struct Front {
    app: AppState,
    router: Router,
    hosts: Arc<[String]>,
    hits: metrics::Counter,
}

impl std::fmt::Debug for Front {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Front").field("hosts", &self.hosts).finish_non_exhaustive()
    }
}

impl Front {
    /// For a website's state and its routes.
    pub fn new(app: AppState, router: Router) -> Self {
        let hosts = app.origin.allowed_hosts().into();
        Self { app, router, hosts, hits: metrics::counter!("deadwax_finished_hits_total") }
    }

    /// Answers one request; `answering` lives until the answer's body has been sent.
    pub async fn answer(
        self,
        request: Request<Incoming>,
        peer: SocketAddr,
        answering: Answering,
    ) -> Result<Response, Infallible> {
        if answering.is_ambiguous() {
            let refusal = AppError::stated(StatusCode::BAD_REQUEST, "ambiguous_length");
            let mut response = self.finish(refusal.into_response());
            response.headers_mut().insert(header::CONNECTION, http::HeaderValue::from_static("close"));
            return Ok(response.map(|body| Body::new(Held { body, _answering: answering })));
        }
        let response = match self.refuse(&request) {
            Some(refusal) => self.finish(refusal.into_response()),
            // No other origin may read anything here, so there is nothing to tell a preflight. Uploads tell what they can do.
            None if request.method() == Method::OPTIONS && !request.uri().path().starts_with(UPLOADS) => {
                self.finish(StatusCode::NO_CONTENT.into_response())
            }
            None => match self.finished(&request) {
                Some(response) => response,
                None if request.method() == Method::TRACE => self.refuse_trace(request, peer).await,
                None => self.route(request, peer).await,
            },
        };
        Ok(response.map(|body| Body::new(Held { body, _answering: answering })))
    }

    fn refuse(&self, request: &Request<Incoming>) -> Option<AppError> {
        let is_probe = matches!(request.uri().path(), "/livez" | "/readyz");
        (!is_probe && !self.is_for_us(request))
            .then(|| AppError::stated(StatusCode::MISDIRECTED_REQUEST, "misdirected"))
    }

    /// Whether every host the request names, by its target and by its header, is this website's.
    fn is_for_us(&self, request: &Request<Incoming>) -> bool {
        let target = request.uri().authority().map(|authority| authority.as_str().as_bytes());
        let header = request.headers().get(header::HOST).map(http::HeaderValue::as_bytes);
        let mut named = target.into_iter().chain(header).peekable();
        named.peek().is_some()
            && named
                .all(|host| self.hosts.iter().any(|allowed| allowed.as_bytes().eq_ignore_ascii_case(host)))
    }

    fn finished(&self, request: &Request<Incoming>) -> Option<Response> {
        let head = request.method() == Method::HEAD;
        if !head && request.method() != Method::GET {
            return None;
        }
        let url = request.uri().path_and_query()?.as_str();
        let finished = self.app.finished.get(url)?;
        let mut response = finished.respond(request.headers(), self.app.origin.is_https());
        response.headers_mut().insert(observe::X_REQUEST_ID, observe::next_request_id());
        self.hits.increment(1);
        tracing::debug!(url, "answered from finished bytes");
        if head {
            let length = response.body().size_hint().exact();
            *response.body_mut() = Body::empty();
            if let Some(length) = length.filter(|_| response.status() != StatusCode::NOT_MODIFIED) {
                response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
            }
        }
        Some(response)
    }

    /// Nothing is traced, whether its path is known or not. The routes say what they allow; elsewhere only reading is.
    async fn refuse_trace(self, request: Request<Incoming>, peer: SocketAddr) -> Response {
        let response = self.clone().route(request, peer).await;
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            return response;
        }
        let mut refusal = self.finish(AppError::of_status(StatusCode::METHOD_NOT_ALLOWED).into_response());
        refusal.headers_mut().insert(header::ALLOW, http::HeaderValue::from_static("GET,HEAD"));
        refusal
    }

    async fn route(self, request: Request<Incoming>, peer: SocketAddr) -> Response {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        match self.router.oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    /// A refusal made here gets what the router's layers would have given it.
    fn finish(&self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, http::HeaderValue::from_static("no-store"));
        headers.insert(observe::X_REQUEST_ID, observe::next_request_id());
        Kind::Api.apply(headers, self.app.origin.is_https());
        response
    }
}

/// A body that keeps its connection marked as busy until it has been sent.
struct Held {
    body: Body,
    _answering: Answering,
}

impl http_body::Body for Held {
    type Data = bytes::Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
        std::pin::Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}
