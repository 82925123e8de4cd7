//! Answers from memory with plain axum: no layers, no deadlines, only the headers it must set.

use anyhow::Context as _;
use axum::{
    Router,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse as _, Response},
    routing::get,
};
use bytes::Bytes;

#[derive(Clone)]
struct Answer {
    content_type: HeaderValue,
    identity: Bytes,
    brotli: Bytes,
}

/// Serves `answers` on `address` until the process is stopped. Each is a path, content type, file, and brotli-compressed file.
pub(crate) fn serve(address: &str, answers: &[&str]) -> anyhow::Result<()> {
    let mut router = Router::new();
    for answer in answers.chunks(4) {
        let &[path, content_type, identity, brotli] = answer else {
            anyhow::bail!("an answer is PATH CONTENT_TYPE FILE BROTLI_FILE");
        };
        let answer = Answer {
            content_type: HeaderValue::from_str(content_type)?,
            identity: std::fs::read(identity).context("FILE")?.into(),
            brotli: std::fs::read(brotli).context("BROTLI_FILE")?.into(),
        };
        router = router.route(path, get(async move |headers: HeaderMap| answer.clone().respond(&headers)));
    }
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await.context("ADDRESS")?;
        Ok(axum::serve(listener, router).await?)
    })
}

impl Answer {
    fn respond(self, headers: &HeaderMap) -> Response {
        if headers.get(header::ACCEPT_ENCODING).is_some_and(|codings| codings == "br") {
            let coding = (header::CONTENT_ENCODING, HeaderValue::from_static("br"));
            return ([(header::CONTENT_TYPE, self.content_type), coding], self.brotli).into_response();
        }
        ([(header::CONTENT_TYPE, self.content_type)], self.identity).into_response()
    }
}
