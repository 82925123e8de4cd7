//! How many requests bring bytes at the same time: few of one client, and in all as many as this process can carry. Disk and
//! memory of uploads under way are bounded by it.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rules::{
    rate_limit::{OPEN_UPLOADS, OPEN_UPLOADS_GLOBAL, UPLOAD_PLACE_MS},
    request::BUSY_SECONDS,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    client_addr::network,
    error::{AppError, AppResult},
};

/// How long one waits that finds all places taken.
const WAIT: Duration = Duration::from_millis(UPLOAD_PLACE_MS);

/// The places. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Places(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    all: Arc<Semaphore>,
    by_client: Mutex<HashMap<IpAddr, u32>>,
}

/// A place; leaving it frees it.
#[derive(Debug)]
pub struct Place {
    _share: Share,
    _permit: OwnedSemaphorePermit,
}

/// One of a client's own.
#[derive(Debug)]
struct Share {
    places: Places,
    client: IpAddr,
}

impl Default for Places {
    fn default() -> Self {
        let all = Arc::new(Semaphore::new(OPEN_UPLOADS_GLOBAL as usize));
        Self(Arc::new(Inner { all, by_client: Mutex::default() }))
    }
}

impl Places {
    /// A place for a request of `client`: 429 when its own are taken, 503 when none of all gets free in time.
    pub async fn enter(&self, client: IpAddr) -> AppResult<Place> {
        let share = self.share(network(client)).ok_or_else(|| AppError::too_many_requests(BUSY_SECONDS))?;
        match tokio::time::timeout(WAIT, Arc::clone(&self.0.all).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Place { _share: share, _permit: permit }),
            _ => Err(AppError::busy(BUSY_SECONDS)),
        }
    }

    fn share(&self, client: IpAddr) -> Option<Share> {
        let mut open = self.0.by_client.lock().unwrap_or_else(PoisonError::into_inner);
        let of_client = open.entry(client).or_default();
        if *of_client >= OPEN_UPLOADS {
            return None;
        }
        *of_client += 1;
        Some(Share { places: self.clone(), client })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut open = self.places.0.by_client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_client) = open.get_mut(&self.client) {
            *of_client -= 1;
            if *of_client == 0 {
                open.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u8) -> IpAddr {
        [10, 0, 0, number].into()
    }

    #[tokio::test]
    async fn a_client_has_two_places_and_frees_them_by_leaving() {
        let places = Places::default();
        let (first, _second) = (places.enter(address(1)).await.unwrap(), places.enter(address(1)).await);
        assert_eq!(places.enter(address(1)).await.unwrap_err().status(), 429);
        assert!(places.enter(address(2)).await.is_ok());
        drop(first);
        assert!(places.enter(address(1)).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_sixty_fifth_waits_for_one_to_leave_and_not_for_ever() {
        let places = Places::default();
        let mut taken = Vec::new();
        for number in 0..64 {
            taken.push(places.enter(address(number)).await.unwrap());
        }
        let started = tokio::time::Instant::now();
        let refusal = places.enter(address(100)).await.unwrap_err();
        assert_eq!((refusal.status().as_u16(), started.elapsed().as_secs()), (503, 30));
        let waiting = tokio::spawn({
            let places = places.clone();
            async move { places.enter(address(100)).await }
        });
        tokio::task::yield_now().await;
        taken.pop();
        assert!(waiting.await.unwrap().is_ok());
    }
}
