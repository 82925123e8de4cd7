//! Within this process one request at a time works on an upload, and the newest one is it: a client that comes again after a
//! broken connection must not wait until the old connection is noticed to be dead. The request before it is told to stop, stores
//! what it has, and only then the newer one begins.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio_util::sync::CancellationToken;

/// Who works on what. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Turns(Arc<Inner>);

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

/// The right to work on an upload, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    upload: Vec<u8>,
    working: Working,
}

impl Turns {
    /// Waits until the upload with this hash of its token is free, after telling whoever works on it to stop. None when a
    /// request that came later is at it already.
    pub async fn take(&self, upload: &[u8]) -> Option<Turn> {
        let arrival = self.0.arrivals.fetch_add(1, Ordering::Relaxed);
        loop {
            let ended = match self.enter(upload, arrival) {
                Ok(turn) => return Some(turn),
                Err(working) if working.arrival > arrival => return None,
                Err(working) => {
                    working.stop.cancel();
                    working.ended
                }
            };
            ended.cancelled().await;
        }
    }

    fn enter(&self, upload: &[u8], arrival: u64) -> Result<Turn, Working> {
        let mut all = self.0.working.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(working) = all.get(upload) {
            return Err(working.clone());
        }
        let working = Working { arrival, stop: CancellationToken::new(), ended: CancellationToken::new() };
        all.insert(upload.to_vec(), working.clone());
        Ok(Turn { turns: self.clone(), upload: upload.to_vec(), working })
    }
}

impl Turn {
    /// Ends when a newer request came for the same upload.
    pub fn stop(&self) -> &CancellationToken {
        &self.working.stop
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.0.working.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.upload);
        self.working.ended.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_newer_request_stops_the_older_and_waits_for_its_end() {
        let turns = Turns::default();
        let first = turns.take(b"a").await.unwrap();
        let other = turns.take(b"b").await.unwrap();
        let second = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take(b"a").await }
        });
        first.stop().cancelled().await;
        assert!(!second.is_finished() && !other.stop().is_cancelled());
        drop(first);
        assert!(!second.await.unwrap().unwrap().stop().is_cancelled());
        assert!(turns.0.working.lock().unwrap().len() == 1);
    }

    #[tokio::test]
    async fn of_two_that_wait_the_later_one_works() {
        let turns = Turns::default();
        let first = turns.take(b"a").await.unwrap();
        let second = tokio::spawn({
            let turns = turns.clone();
            async move {
                if let Some(turn) = turns.take(b"a").await {
                    turn.stop().cancelled().await;
                }
            }
        });
        first.stop().cancelled().await;
        let third = tokio::spawn(async move { turns.take(b"a").await });
        tokio::task::yield_now().await;
        drop(first);
        // Whichever of the two wakes first.
        assert!(!third.await.unwrap().unwrap().stop().is_cancelled());
        second.await.unwrap();
    }
}
