//! A public answer, ready to send in every encoding; and whether the client already has what it asks for (RFC 9110 §13).

use std::{sync::OnceLock, time::Duration};

use bytes::Bytes;
use deadwax_store::tables::Tables;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use sha2::{Digest as _, Sha256};

use crate::{
    encoding::{self, Encoding},
    error::AppResult,
    headers::Kind,
    observe,
};

const COMPRESS_FROM_BYTES: usize = 256;
/// From here on it takes so long that other requests of the thread would notice.
const COMPRESS_APART_FROM_BYTES: usize = 64 * 1024;

/// One answer, encoded on first request of each encoding; a large one before.
#[derive(Debug)]
pub struct CachedResponse {
    status: StatusCode,
    kind: Kind,
    policy: Option<HeaderValue>,
    content_type: HeaderValue,
    pub(crate) etag: HeaderValue,
    cache_control: HeaderValue,
    retry_after: Option<HeaderValue>,
    pub(crate) tables: Tables,
    pub(crate) made_at: u64,
    identity: Bytes,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
    /// All headers of an answer with its body, by encoding, then by whether the website is reached by https.
    heads: [[OnceLock<HeaderMap>; 2]; Encoding::COUNT],
}

impl CachedResponse {
    /// An answer that browsers keep but revalidate each time.
    pub fn new(kind: Kind, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let identity = body.into();
        let sha256 = Sha256::digest(&identity).into();
        Self::hashed(kind, content_type, identity, &sha256)
    }

    /// The same for a body whose hash is known, so that its bytes are not read before they are sent.
    pub fn hashed(kind: Kind, content_type: &'static str, identity: Bytes, sha256: &[u8; 32]) -> Self {
        let etag = format!("W/\"{}\"", hex::encode(&sha256[..12]));
        Self {
            status: StatusCode::OK,
            kind,
            policy: None,
            content_type: HeaderValue::from_static(content_type),
            etag: HeaderValue::try_from(etag).unwrap_or_else(|_| HeaderValue::from_static("W/\"0\"")),
            cache_control: HeaderValue::from_static("no-cache"),
            retry_after: None,
            tables: Tables::NONE,
            made_at: 0,
            identity,
            brotli: OnceLock::new(),
            gzip: OnceLock::new(),
            heads: Default::default(),
        }
    }

    pub fn json<T: serde::Serialize>(value: &T) -> AppResult<Self> {
        Ok(Self::new(Kind::Api, "application/json; charset=utf-8", serde_json::to_vec(value)?))
    }

    #[must_use]
    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    #[must_use]
    pub fn content_security_policy(mut self, policy: HeaderValue) -> Self {
        self.policy = Some(policy);
        self
    }

    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(HeaderValue::from(wait.as_secs()));
        self
    }

    #[must_use]
    pub fn cache_control(mut self, value: &'static str) -> Self {
        self.cache_control = HeaderValue::from_static(value);
        self
    }

    #[must_use]
    pub fn encoded(self, brotli: Option<Bytes>, gzip: Option<Bytes>) -> Self {
        if let Some(bytes) = brotli {
            let _ = self.brotli.set(bytes);
        }
        if let Some(bytes) = gzip {
            let _ = self.gzip.set(bytes);
        }
        self
    }

    /// A large answer with its usual encoding, made on a thread that nothing else waits for.
    pub async fn compressed(self) -> Self {
        if self.identity.len() < COMPRESS_APART_FROM_BYTES || !is_compressible(&self.content_type) {
            return self;
        }
        let identity = self.identity.clone();
        let brotli = tokio::task::spawn_blocking(move || encoding::brotli(&identity)).await;
        self.encoded(brotli.ok(), None)
    }

    #[must_use]
    pub(crate) fn made_from(mut self, tables: Tables, made_at: u64) -> Self {
        (self.tables, self.made_at) = (tables, made_at);
        self
    }

    pub(crate) fn weight(&self) -> usize {
        // The compressed forms may appear later, and weigh less than half of the plain one together; so do the headers, of two
        // encodings at most as a rule, with 20 entries each.
        self.identity.len() * 3 / 2 + 1024 + 2 * 20 * size_of::<(HeaderName, HeaderValue)>()
    }

    /// Answers one request: 304 where the client already has it, else the best encoding it takes. The request's id is for the
    /// caller to set; until then it is `-`.
    pub fn respond(&self, request: &HeaderMap, https: bool) -> Response<Bytes> {
        if self.status == StatusCode::OK && is_known(request, &self.etag) {
            let mut response = Response::new(Bytes::new());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.headers_mut() = self.common_headers(https);
            return response;
        }
        let (encoding, bytes) = self.encode(request);
        let kept = &self.heads[encoding as usize][usize::from(https)];
        let mut response = Response::new(bytes);
        *response.status_mut() = self.status;
        *response.headers_mut() = kept.get_or_init(|| self.all_headers(encoding, https)).clone();
        response
    }

    fn common_headers(&self, https: bool) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(20);
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::CACHE_CONTROL, self.cache_control.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        self.kind.apply(&mut headers, https);
        if let Some(policy) = &self.policy {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        }
        headers.insert(observe::X_REQUEST_ID, HeaderValue::from_static("-"));
        headers
    }

    fn all_headers(&self, encoding: Encoding, https: bool) -> HeaderMap {
        let mut headers = self.common_headers(https);
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        if let Some(wait) = &self.retry_after {
            headers.insert(header::RETRY_AFTER, wait.clone());
        }
        if let Some(name) = encoding.name() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        headers
    }

    fn encode(&self, request: &HeaderMap) -> (Encoding, Bytes) {
        if self.identity.len() < COMPRESS_FROM_BYTES || !is_compressible(&self.content_type) {
            return (Encoding::Identity, self.identity.clone());
        }
        match Encoding::preferred(request) {
            Encoding::Brotli => {
                (Encoding::Brotli, self.brotli.get_or_init(|| encoding::brotli(&self.identity)).clone())
            }
            Encoding::Gzip => {
                (Encoding::Gzip, self.gzip.get_or_init(|| encoding::gzip(&self.identity)).clone())
            }
            Encoding::Identity => (Encoding::Identity, self.identity.clone()),
        }
    }
}

fn is_compressible(content_type: &HeaderValue) -> bool {
    let content_type = content_type.as_bytes();
    content_type.starts_with(b"text/")
        || content_type == b"image/svg+xml"
        || (content_type.starts_with(b"application/") && content_type != b"application/octet-stream")
}

/// Whether `If-None-Match` names `etag`, by weak comparison against each listed tag, or is `*` (RFC 9110 §13.1.2). A field
/// that is not readable text names nothing.
pub fn is_known(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let Ok(etag) = etag.to_str() else { return false };
    request
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|tags| tags.to_str().ok())
        .flat_map(|tags| tags.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || opaque(tag) == opaque(etag))
}

fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> CachedResponse {
        CachedResponse::new(Kind::Api, "application/json", text.to_owned())
    }

    #[test]
    fn a_known_tag_is_answered_with_304_and_no_body() {
        let finished = page("x");
        let mut request = HeaderMap::new();
        request.insert(header::IF_NONE_MATCH, finished.etag.clone());
        assert_eq!(finished.respond(&request, false).status(), StatusCode::NOT_MODIFIED);
        request.insert(header::IF_NONE_MATCH, HeaderValue::from_static("\"other\""));
        assert_eq!(finished.respond(&request, false).status(), StatusCode::OK);
    }

    #[test]
    fn each_encoding_has_its_own_headers_however_often_it_is_asked_for() {
        let finished = page(&"text ".repeat(100)).retry_after(Duration::from_secs(5));
        let asked = |codings: &'static str, https| {
            let mut request = HeaderMap::new();
            request.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(codings));
            let response = finished.respond(&request, https);
            let headers = response.headers();
            assert_eq!(headers[header::ETAG], finished.etag);
            assert_eq!(headers[header::RETRY_AFTER], "5");
            assert_eq!(headers[header::VARY], "accept-encoding");
            let coding = headers.get(header::CONTENT_ENCODING).map(|name| name.to_str().unwrap().to_owned());
            (coding, headers.contains_key(header::STRICT_TRANSPORT_SECURITY), response.body().len())
        };
        for _ in 0..2 {
            for https in [false, true] {
                assert_eq!(asked("identity", https), (None, https, 500));
                let (brotli, gzip) = (asked("br, gzip", https), asked("gzip", https));
                assert_eq!((brotli.0.as_deref(), brotli.1), (Some("br"), https));
                assert_eq!((gzip.0.as_deref(), gzip.1), (Some("gzip"), https));
                assert!(brotli.2 < 100 && gzip.2 < 100);
            }
        }
    }

    #[tokio::test]
    async fn a_large_answer_is_kept_compressed() {
        let cache = crate::response_cache::ResponseCache::default();
        for (length, is_large) in [(COMPRESS_APART_FROM_BYTES, true), (COMPRESS_APART_FROM_BYTES - 1, false)]
        {
            let make = async || Ok::<_, ()>(page(&"m".repeat(length)));
            let kept = cache.get_or_make(&length.to_string(), Tables::NONE, make).await.unwrap();
            assert_eq!(kept.brotli.get().is_some(), is_large, "{length}");
        }
    }

    fn is_known_by(fields: &[&'static str]) -> bool {
        let mut request = HeaderMap::new();
        for field in fields {
            request.append(header::IF_NONE_MATCH, HeaderValue::from_static(field));
        }
        is_known(&request, &HeaderValue::from_static("W/\"abc\""))
    }

    #[test]
    fn a_tag_is_known_where_it_is_listed_whole() {
        assert!(is_known_by(&["\"abc\""]));
        assert!(is_known_by(&["W/\"abc\""]));
        assert!(is_known_by(&["\"x\", W/\"abc\""]));
        assert!(is_known_by(&["\"x\"", "\"abc\""]));
        assert!(is_known_by(&["*"]));
    }

    #[test]
    fn a_part_of_a_tag_is_another_tag() {
        for other in ["\"abcd\"", "\"xabc\"", "abc", "\"ab\"", "", "W/W/\"abc\""] {
            assert!(!is_known_by(&[other]), "{other}");
        }
        assert!(!is_known_by(&[]));
    }
}
