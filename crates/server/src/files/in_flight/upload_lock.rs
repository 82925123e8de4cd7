//! One request at a time works on an upload within this process, and the newest one wins: a client that reconnects must not wait for
//! its dead connection to time out. The older request stops and stores its bytes; then the newer one starts.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio_util::sync::CancellationToken;

#[derive(Clone, Debug, Default)]
pub struct UploadLocks(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    arrivals: AtomicU64,
    working: Mutex<HashMap<Vec<u8>, Working>>,
}

#[derive(Clone, Debug)]
struct Working {
    arrival: u64,
    stop: CancellationToken,
    ended: CancellationToken,
}

#[derive(Debug)]
pub struct UploadLock {
    locks: UploadLocks,
    upload: Vec<u8>,
    working: Working,
}

impl UploadLocks {
    /// Locks the upload with this hash of its token, after telling the holder to stop. None if a later request has locked it.
    pub async fn take(&self, upload: &[u8]) -> Option<UploadLock> {
        let arrival = self.0.arrivals.fetch_add(1, Ordering::Relaxed);
        loop {
            let ended = match self.enter(upload, arrival) {
                Ok(lock) => return Some(lock),
                Err(working) if working.arrival > arrival => return None,
                Err(working) => {
                    working.stop.cancel();
                    working.ended
                }
            };
            ended.cancelled().await;
        }
    }

    fn enter(&self, upload: &[u8], arrival: u64) -> Result<UploadLock, Working> {
        let mut all = self.0.working.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(working) = all.get(upload) {
            return Err(working.clone());
        }
        let working = Working { arrival, stop: CancellationToken::new(), ended: CancellationToken::new() };
        all.insert(upload.to_vec(), working.clone());
        Ok(UploadLock { locks: self.clone(), upload: upload.to_vec(), working })
    }
}

impl UploadLock {
    pub fn stop(&self) -> &CancellationToken {
        &self.working.stop
    }
}

impl Drop for UploadLock {
    fn drop(&mut self) {
        self.locks.0.working.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.upload);
        self.working.ended.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_newer_request_stops_the_older_and_waits_for_its_end() {
        let locks = UploadLocks::default();
        let first = locks.take(b"a").await.unwrap();
        let other = locks.take(b"b").await.unwrap();
        let second = tokio::spawn({
            let locks = locks.clone();
            async move { locks.take(b"a").await }
        });
        first.stop().cancelled().await;
        assert!(!second.is_finished() && !other.stop().is_cancelled());
        drop(first);
        assert!(!second.await.unwrap().unwrap().stop().is_cancelled());
        assert!(locks.0.working.lock().unwrap().len() == 1);
    }

    #[tokio::test]
    async fn of_two_that_wait_the_later_one_works() {
        let locks = UploadLocks::default();
        let first = locks.take(b"a").await.unwrap();
        let second = tokio::spawn({
            let locks = locks.clone();
            async move {
                if let Some(lock) = locks.take(b"a").await {
                    lock.stop().cancelled().await;
                }
            }
        });
        first.stop().cancelled().await;
        let third = tokio::spawn(async move { locks.take(b"a").await });
        tokio::task::yield_now().await;
        drop(first);
        // Whichever of the two wakes first.
        assert!(!third.await.unwrap().unwrap().stop().is_cancelled());
        second.await.unwrap();
    }
}
