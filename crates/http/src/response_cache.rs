//! Public answers kept ready to send, per URL, until a table they were made from changes.
//!
//! A hit costs a map look-up; nothing is read, serialised or compressed. What may be kept is decided by the handlers, when
//! it must go by [`live`](deadwax_store::live).

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use deadwax_store::{live::Invalidate, tables::Tables};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use quick_cache::{Weighter, sync::Cache};
use sha2::{Digest as _, Sha256};

use crate::{
    body_file::{self, BodyFile},
    conditional,
    encoding::{self, Encoding},
    error::AppResult,
    headers::Kind,
    observe,
};

/// What the kept answers may weigh together, all encodings counted.
const CAPACITY_BYTES: u64 = 8 * 1024 * 1024;

/// A compressed form is kept only where it saves something.
const COMPRESS_FROM_BYTES: usize = 256;

/// One answer, ready in every encoding that somebody asked for.
#[derive(Debug)]
pub struct CachedResponse {
    status: StatusCode,
    kind: Kind,
    /// Instead of its kind's content security policy.
    policy: Option<HeaderValue>,
    content_type: HeaderValue,
    etag: HeaderValue,
    cache_control: HeaderValue,
    retry_after: Option<HeaderValue>,
    tables: Tables,
    made_at: u64,
    identity: Bytes,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
    /// The long bodies that were sent more than once, by encoding.
    files: [OnceLock<Option<Arc<BodyFile>>>; Encoding::COUNT],
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

    /// The same, of a body whose hash is known: its bytes are not looked at before somebody asks for them.
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
            files: Default::default(),
            heads: Default::default(),
        }
    }

    /// JSON for the API.
    pub fn json<T: serde::Serialize>(value: &T) -> AppResult<Self> {
        Ok(Self::new(Kind::Api, "application/json; charset=utf-8", serde_json::to_vec(value)?))
    }

    /// With another status than 200.
    #[must_use]
    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// With a content security policy of its own instead of its kind's.
    #[must_use]
    pub fn content_security_policy(mut self, policy: HeaderValue) -> Self {
        self.policy = Some(policy);
        self
    }

    /// With a time after which to come back.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(HeaderValue::from(wait.as_secs()));
        self
    }

    /// With another caching rule.
    #[must_use]
    pub fn cache_control(mut self, value: &'static str) -> Self {
        self.cache_control = HeaderValue::from_static(value);
        self
    }

    /// With encodings made beforehand.
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

    /// Made from these tables, when their [`generation`](crate::response_cache::ResponseCache::generation) was `made_at`.
    #[must_use]
    fn made_from(mut self, tables: Tables, made_at: u64) -> Self {
        (self.tables, self.made_at) = (tables, made_at);
        self
    }

    /// The bytes that it weighs in all its forms.
    fn weight(&self) -> usize {
        // The compressed forms appear later and weigh less than half of the plain one together; so do the headers, of two
        // encodings at most as a rule, with 20 entries each.
        self.identity.len() * 3 / 2 + 1024 + 2 * 20 * size_of::<(HeaderName, HeaderValue)>()
    }

    /// Answers one request: 304 where the client already has it, else the best encoding it takes. The request's id is for the
    /// caller to set; until then it is `-`.
    pub fn respond(&self, request: &HeaderMap, https: bool) -> Response<Bytes> {
        if self.status == StatusCode::OK && conditional::is_known(request, &self.etag) {
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

    /// The file that `body`, of an answer to a request, is in as well; made when it is first asked for.
    pub fn file(&self, body: &Bytes) -> Option<Arc<BodyFile>> {
        if body.len() < body_file::MIN_BYTES {
            return None;
        }
        let encoding = [
            (Encoding::Identity, Some(&self.identity)),
            (Encoding::Brotli, self.brotli.get()),
            (Encoding::Gzip, self.gzip.get()),
        ]
        .into_iter()
        .find_map(|(encoding, kept)| (kept?.as_ptr() == body.as_ptr()).then_some(encoding))?;
        self.files[encoding as usize].get_or_init(|| BodyFile::new(body)).clone()
    }

    /// What is said with the body and without it.
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

/// Fonts and pictures are compressed already.
fn is_compressible(content_type: &HeaderValue) -> bool {
    let content_type = content_type.as_bytes();
    content_type.starts_with(b"text/")
        || content_type == b"image/svg+xml"
        || (content_type.starts_with(b"application/") && content_type != b"application/octet-stream")
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<String, Arc<CachedResponse>> for ByBytes {
    fn weight(&self, url: &String, finished: &Arc<CachedResponse>) -> u64 {
        (url.len() + finished.weight()) as u64
    }
}

/// All kept answers of this process.
#[derive(Debug)]
pub struct ResponseCache {
    answers: Cache<String, Arc<CachedResponse>, ByBytes>,
    /// How often each table has changed.
    changes: [AtomicU64; Tables::COUNT],
}

/// How long a request waits for another one's production of the same answer. Productions take milliseconds; one that takes
/// longer is in trouble, and those behind it should not get into it one after the other.
const WAIT_TIMEOUT: Duration = Duration::from_secs(1);

impl Default for ResponseCache {
    fn default() -> Self {
        Self { answers: Cache::with_weighter(256, CAPACITY_BYTES, ByBytes), changes: Default::default() }
    }
}

impl ResponseCache {
    /// The kept answer for a path with its query, if there is one.
    pub fn get(&self, url: &str) -> Option<Arc<CachedResponse>> {
        // One that was overtaken while it was made may be here for a moment.
        self.answers.get(url).filter(|kept| kept.made_at == self.generation(kept.tables))
    }

    /// The answer for `url`, made by `produce` when it is not kept; it stays until one of `tables` changes.
    ///
    /// Requests for the same URL wait for one production. An answer that was overtaken by a change while it was made is
    /// neither kept nor handed to anybody who asked after the change.
    pub async fn get_or_make<E, F>(
        &self,
        url: &str,
        tables: Tables,
        produce: impl Fn() -> F,
    ) -> Result<Arc<CachedResponse>, E>
    where
        F: Future<Output = Result<CachedResponse, E>>,
    {
        let asked_at = self.generation(tables);
        let waited = tokio::time::timeout(WAIT_TIMEOUT, self.answers.get_value_or_guard_async(url)).await;
        let guard = match waited {
            Ok(Ok(kept)) if kept.made_at >= asked_at => return Ok(kept),
            Ok(Err(guard)) => Some(guard),
            _ => None,
        };
        let made_at = self.generation(tables);
        let finished = Arc::new(produce().await?.made_from(tables, made_at));
        if let Some(guard) = guard {
            // A failure to keep it means that the cache has dropped the place meanwhile.
            let _ = guard.insert(Arc::clone(&finished));
            if made_at != self.generation(tables) {
                self.answers.remove(url);
            }
        }
        Ok(finished)
    }

    /// Puts `response` in the place of the answer kept for `url`. It was made from `tables` when their
    /// [`generation`](Self::generation) was `made_at`; nothing happens when they have changed since, or no answer is kept.
    pub fn replace(&self, url: &str, tables: Tables, made_at: u64, response: CachedResponse) {
        if made_at != self.generation(tables) || self.get(url).is_none() {
            return;
        }
        self.answers.insert(url.to_owned(), Arc::new(response.made_from(tables, made_at)));
        if made_at != self.generation(tables) {
            self.answers.remove(url);
        }
    }

    /// Drops every answer made from one of `tables`.
    pub fn invalidate(&self, tables: Tables) {
        for index in tables.indices() {
            if let Some(changes) = self.changes.get(index) {
                changes.fetch_add(1, Ordering::SeqCst);
            }
        }
        self.answers.retain(|_, finished| !finished.tables.intersects(tables));
    }

    /// Grows with every change of one of `tables`: what was made at another stamp may be old.
    pub fn generation(&self, tables: Tables) -> u64 {
        tables
            .indices()
            .filter_map(|index| self.changes.get(index))
            .map(|changes| changes.load(Ordering::SeqCst))
            .sum()
    }
}

impl Invalidate for ResponseCache {
    fn invalidate(&self, tables: Tables) {
        self.invalidate(tables);
    }

    fn generation(&self, tables: Tables) -> u64 {
        self.generation(tables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> CachedResponse {
        CachedResponse::new(Kind::Api, "application/json", text.to_owned())
    }

    #[tokio::test]
    async fn an_answer_is_made_once_until_its_table_changes() {
        let cache = ResponseCache::default();
        let count = AtomicU64::new(0);
        let make = || async { Ok::<_, ()>(page(&count.fetch_add(1, Ordering::SeqCst).to_string())) };
        for _ in 0..3 {
            cache.get_or_make("/a", Tables::ARTISTS, make).await.unwrap();
        }
        assert_eq!(count.load(Ordering::SeqCst), 1);
        cache.invalidate(Tables::RELEASES);
        assert!(cache.get("/a").is_some());
        cache.invalidate(Tables::ARTISTS);
        assert!(cache.get("/a").is_none());
    }

    #[tokio::test]
    async fn an_answer_overtaken_by_a_change_is_not_kept() {
        let cache = ResponseCache::default();
        cache
            .get_or_make("/a", Tables::ARTISTS, || async {
                cache.invalidate(Tables::ARTISTS);
                Ok::<_, ()>(page("old"))
            })
            .await
            .unwrap();
        assert!(cache.get("/a").is_none());
    }

    #[tokio::test]
    async fn a_change_of_another_table_leaves_an_answer_alone() {
        let cache = ResponseCache::default();
        let first = cache.get_or_make("/a", Tables::ARTISTS, async || Ok::<_, ()>(page("1"))).await.unwrap();
        cache.invalidate(Tables::RELEASES);
        let second = cache.get_or_make("/a", Tables::ARTISTS, async || Ok::<_, ()>(page("2"))).await.unwrap();
        assert!(Arc::ptr_eq(&first, &second));
    }

    #[tokio::test]
    async fn an_answer_is_replaced_only_by_one_that_is_as_new() {
        let cache = ResponseCache::default();
        let tables = Tables::ARTISTS;
        let made_at = cache.generation(tables);
        cache.replace("/a", tables, made_at, page("nobody asked"));
        assert!(cache.get("/a").is_none());
        let first = cache.get_or_make("/a", tables, async || Ok::<_, ()>(page("1"))).await.unwrap();
        cache.replace("/a", tables, made_at, page("2"));
        assert_ne!(cache.get("/a").unwrap().etag, first.etag);
        cache.invalidate(tables);
        cache.get_or_make("/a", tables, async || Ok::<_, ()>(page("1"))).await.unwrap();
        cache.replace("/a", tables, made_at, page("old"));
        assert_eq!(cache.get("/a").unwrap().etag, first.etag);
    }

    #[tokio::test(start_paused = true)]
    async fn those_who_wait_for_a_failing_production_fail_together() {
        let cache = ResponseCache::default();
        let started = tokio::time::Instant::now();
        let fail = || async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            Err::<CachedResponse, _>("down")
        };
        let all =
            futures_util::future::join_all((0..20).map(|_| cache.get_or_make("/a", Tables::ARTISTS, fail)));
        assert!(all.await.iter().all(Result::is_err));
        assert_eq!(started.elapsed().as_secs(), 6);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_long_body_is_in_one_file_and_a_short_one_in_none() {
        let long = page(&"text ".repeat(10_000));
        let body = long.respond(&HeaderMap::new(), false).into_body();
        let file = long.file(&body).unwrap();
        assert_eq!(file.position(&body), Some(0));
        assert!(Arc::ptr_eq(&file, &long.file(&body).unwrap()));
        assert!(
            long.file(&Bytes::copy_from_slice(&body)).is_none(),
            "an equal body that is not the kept one"
        );
        assert!(page("text").file(&Bytes::from_static(b"text")).is_none());
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
}
