//! A fake language model server that counts, records and answers requests.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body, extract::Request, response::Response};
use bytes::Bytes;
use deadwax_responder::{
    Terminal,
    ai::{AiSettings, Patience},
    kept_index::Source,
};
use futures_util::future::BoxFuture;
use http::{HeaderMap, StatusCode, header};
use secrecy::SecretString;
use serde_json::{Value, json};

use crate::support::{Engine, TestServer};

/// The API key of every test's model.
pub(super) const KEY: &str = "sk-hunter2-hunter2";

#[derive(Default)]
struct Seen {
    calls: AtomicUsize,
    open: AtomicUsize,
    most: AtomicUsize,
    requests: Mutex<Vec<(String, HeaderMap, Value)>>,
}

#[derive(Clone)]
pub(super) struct Stub {
    pub(super) url: String,
    seen: Arc<Seen>,
}

struct Open(Arc<Seen>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Stub {
    /// Starts a server that responds with `answer`.
    pub(super) async fn start(
        answer: impl Fn() -> BoxFuture<'static, Response> + Clone + Send + Sync + 'static,
    ) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Seen::default());
        let stub = Self { url, seen: Arc::clone(&seen) };
        let handler = move |request: Request| {
            let (seen, answer) = (Arc::clone(&seen), answer.clone());
            async move {
                seen.calls.fetch_add(1, Ordering::SeqCst);
                let open = seen.open.fetch_add(1, Ordering::SeqCst) + 1;
                seen.most.fetch_max(open, Ordering::SeqCst);
                let _open = Open(Arc::clone(&seen));
                let (parts, body) = request.into_parts();
                let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
                let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
                seen.requests.lock().unwrap().push((parts.uri.to_string(), parts.headers, body));
                answer().await
            }
        };
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(handler)).await });
        stub
    }

    /// Starts a server with a constant response.
    pub(super) async fn responding(status: u16, kind: &'static str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        Self::start(move || {
            let body = body.clone();
            Box::pin(async move { response(status, kind, Body::from(body)) })
        })
        .await
    }

    /// The number of requests so far.
    pub(super) fn calls(&self) -> usize {
        self.seen.calls.load(Ordering::SeqCst)
    }

    /// The highest number of concurrent requests.
    pub(super) fn most_at_once(&self) -> usize {
        self.seen.most.load(Ordering::SeqCst)
    }

    /// Path, headers and body of a request.
    pub(super) fn request(&self, index: usize) -> (String, HeaderMap, Value) {
        self.seen.requests.lock().unwrap()[index].clone()
    }

    /// A server that uses this model, with short timeouts.
    pub(super) async fn server(&self, engine: Engine) -> TestServer {
        let patience = Patience { connect: Duration::from_millis(500), total: Duration::from_millis(1_500) };
        let url = self.url.clone();
        TestServer::start_prepared(
            engine,
            |settings| {
                settings.ai_url = Some(SecretString::from(url));
                settings.ai_key = Some(SecretString::from(KEY.to_owned()));
                settings.ai_model = Some("test-model".to_owned());
            },
            |settings, app| {
                let source = Source {
                    db: app.db.clone(),
                    changes: Arc::clone(&app.responses) as Arc<dyn deadwax_store::live::Invalidate>,
                };
                app.terminal = Terminal::new(source, AiSettings::read(settings).unwrap(), patience).unwrap();
            },
        )
        .await
    }
}

pub(super) fn response(status: u16, kind: &'static str, body: Body) -> Response {
    Response::builder()
        .status(StatusCode::from_u16(status).unwrap())
        .header(header::CONTENT_TYPE, kind)
        .body(body)
        .unwrap()
}

/// A completion as a JSON document.
pub(super) fn completion(text: &str) -> String {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "test-model",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text, "refusal": null}, "logprobs": null, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    })
    .to_string()
}
