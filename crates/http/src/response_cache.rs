//! Public answers kept ready to send, per URL, until a table they were made from changes.
//!
//! A hit costs a map look-up; nothing is read or serialised, and only the first hit of a coding compresses. Handlers decide which answers are kept,
//! [`live`](deadwax_store::live) when they are dropped.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use deadwax_store::{live::Invalidate, tables::Tables};
use quick_cache::{Weighter, sync::Cache};

use crate::cached_response::CachedResponse;

const CAPACITY_BYTES: u64 = 8 * 1024 * 1024;

#[derive(Clone)]
struct ByBytes;

impl Weighter<String, Arc<CachedResponse>> for ByBytes {
    fn weight(&self, url: &String, finished: &Arc<CachedResponse>) -> u64 {
        (url.len() + finished.weight()) as u64
    }
}

/// The kept answers by their names, and how often each table has changed.
#[derive(Debug)]
pub struct ResponseCache {
    answers: Cache<String, Arc<CachedResponse>, ByBytes>,
    changes: [AtomicU64; Tables::COUNT],
}

/// How long a request waits for another one's production of the same answer. Productions take milliseconds; one that takes
/// longer is in trouble, and those behind it should not get into it one after the other.
const WAIT_TIMEOUT: Duration = Duration::from_secs(1);

impl Default for ResponseCache {
    fn default() -> Self {
        // The capacity is divided among parts of at least 32 expected answers, and what is larger than a part is not kept. Two parts keep
        // the largest answer, an icon around a mark of a megabyte.
        Self { answers: Cache::with_weighter(64, CAPACITY_BYTES, ByBytes), changes: Default::default() }
    }
}

impl ResponseCache {
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
        let finished = Arc::new(produce().await?.compressed().await.made_from(tables, made_at));
        if let Some(guard) = guard {
            // Fails if the cache has dropped the placeholder.
            let _ = guard.insert(Arc::clone(&finished));
            if made_at != self.generation(tables) {
                self.answers.remove(url);
            }
        }
        Ok(finished)
    }

    /// Puts `response` in the place of the answer kept for `url`. It was made from `tables` when their
    /// [`generation`](Invalidate::generation) was `made_at`; nothing happens when they have changed since, or no answer
    /// is kept.
    pub fn replace(&self, url: &str, tables: Tables, made_at: u64, response: CachedResponse) {
        if made_at != self.generation(tables) || self.get(url).is_none() {
            return;
        }
        self.answers.insert(url.to_owned(), Arc::new(response.made_from(tables, made_at)));
        if made_at != self.generation(tables) {
            self.answers.remove(url);
        }
    }
}

impl Invalidate for ResponseCache {
    fn invalidate(&self, tables: Tables) {
        for index in tables.indices() {
            if let Some(changes) = self.changes.get(index) {
                changes.fetch_add(1, Ordering::SeqCst);
            }
        }
        self.answers.retain(|_, finished| !finished.tables.intersects(tables));
    }

    /// Grows with every change of one of `tables`: what was made at another stamp may be old.
    fn generation(&self, tables: Tables) -> u64 {
        tables
            .indices()
            .filter_map(|index| self.changes.get(index))
            .map(|changes| changes.load(Ordering::SeqCst))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headers::Kind;

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
    async fn a_large_answer_is_kept() {
        let cache = ResponseCache::default();
        let icon = "m".repeat(1_400_000);
        cache.get_or_make("/favicon.svg", Tables::NONE, || async { Ok::<_, ()>(page(&icon)) }).await.unwrap();
        assert!(cache.get("/favicon.svg").is_some());
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
}
