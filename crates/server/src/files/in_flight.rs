//! The uploads that requests of this process work on.

pub mod upload_lock;

use std::{
    collections::BTreeMap,
    net::IpAddr,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use deadwax_http::slots::{Full, Permit, Slots, per_client};
use rules::rate_limit::{OPEN_UPLOADS, OPEN_UPLOADS_GLOBAL, UPLOAD_SLOT_MS};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use upload_lock::UploadLocks;

/// How long a request waits for a slot before the oldest request with a slot must yield, and as long again after
/// that.
const PATIENCE: Duration = Duration::from_millis(UPLOAD_SLOT_MS / 2);

#[derive(Debug)]
pub struct Uploads {
    pub locks: UploadLocks,
    clients: Slots,
    /// Slots for requests that carry bytes, which bound disk and memory; first come, first served.
    all: Arc<Semaphore>,
    turns: Arc<Turns>,
}

/// The requests that carry bytes, oldest first, each with the token that asks it to yield.
#[derive(Debug, Default)]
struct Turns(Mutex<Running>);

#[derive(Debug, Default)]
struct Running {
    next: u64,
    by_number: BTreeMap<u64, CancellationToken>,
}

impl Turns {
    fn begin(&self) -> (u64, CancellationToken) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, yielding) = (running.next, CancellationToken::new());
        running.next += 1;
        running.by_number.insert(number, yielding.clone());
        (number, yielding)
    }

    fn end(&self, number: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).by_number.remove(&number);
    }

    /// Asks the longest one that was not asked yet.
    fn ask_for_room(&self) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(longest) = running.by_number.values().find(|yielding| !yielding.is_cancelled()) {
            longest.cancel();
        }
    }
}

#[derive(Debug)]
pub struct UploadPermit {
    _of_client: Permit,
    _of_all: OwnedSemaphorePermit,
    turns: Arc<Turns>,
    number: u64,
    yielding: CancellationToken,
}

impl UploadPermit {
    /// Cancelled when another request has waited long enough: this one stores its bytes so far, and its sender resumes later.
    pub const fn yielding(&self) -> &CancellationToken {
        &self.yielding
    }
}

impl Drop for UploadPermit {
    fn drop(&mut self) {
        self.turns.end(self.number);
    }
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            locks: UploadLocks::default(),
            clients: Slots::new(usize::MAX),
            all: Arc::new(Semaphore::new(OPEN_UPLOADS_GLOBAL as usize)),
            turns: Arc::default(),
        }
    }
}

impl Uploads {
    /// A permit to carry bytes. Fails if the client's slots are taken, by waiting requests too, or if no slot gets free in time; a
    /// long wait makes the longest holder yield, so that many slow senders cannot keep others out.
    pub async fn permit(&self, client: IpAddr) -> Result<UploadPermit, Full> {
        let of_client = self.clients.try_acquire(per_client(client, OPEN_UPLOADS))?;
        let mut acquiring = pin!(Arc::clone(&self.all).acquire_owned());
        let acquired = if let Ok(acquired) = timeout(PATIENCE, &mut acquiring).await {
            acquired
        } else {
            self.turns.ask_for_room();
            timeout(PATIENCE, acquiring).await.map_err(|_| Full::All)?
        };
        let of_all = acquired.map_err(|_| Full::All)?;
        let (number, yielding) = self.turns.begin();
        Ok(UploadPermit {
            _of_client: of_client,
            _of_all: of_all,
            turns: Arc::clone(&self.turns),
            number,
            yielding,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::poll;
    use tokio::time::Instant;

    use super::*;

    fn address(number: u8) -> IpAddr {
        [10, 0, 0, number].into()
    }

    async fn full() -> (Uploads, Vec<UploadPermit>) {
        let (uploads, mut taken) = (Uploads::default(), Vec::new());
        for number in 0..64 {
            taken.push(uploads.permit(address(number)).await.unwrap());
        }
        (uploads, taken)
    }

    #[tokio::test]
    async fn a_client_has_two_slots_and_frees_them_by_leaving() {
        let uploads = Uploads::default();
        let (first, _second) = (uploads.permit(address(1)).await.unwrap(), uploads.permit(address(1)).await);
        assert_eq!(uploads.permit(address(1)).await.unwrap_err(), Full::Client);
        assert!(uploads.permit(address(2)).await.is_ok());
        drop(first);
        assert!(uploads.permit(address(1)).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_sixty_fifth_waits_for_one_to_leave_and_not_for_ever() {
        let (uploads, mut taken) = full().await;
        let started = Instant::now();
        let refusal = uploads.permit(address(100)).await.unwrap_err();
        assert_eq!((refusal, started.elapsed().as_secs()), (Full::All, 30));
        let waiting = async {
            // Already waits when one leaves.
            tokio::join!(uploads.permit(address(100)), async { drop(taken.pop()) }).0
        };
        assert!(waiting.await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_has_the_longest_one_make_room() {
        let (uploads, mut taken) = full().await;
        // One that left before is not asked.
        taken.remove(0);
        taken.push(uploads.permit(address(64)).await.unwrap());
        let started = Instant::now();
        let slow = async {
            taken[0].yielding().cancelled().await;
            drop(taken.remove(0));
        };
        let (permit, ()) = tokio::join!(uploads.permit(address(100)), slow);
        assert_eq!(started.elapsed().as_secs(), 15);
        assert!(!permit.unwrap().yielding().is_cancelled());
        assert!(taken.iter().all(|other| !other.yielding().is_cancelled()));
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_first_goes_first() {
        let (uploads, mut taken) = full().await;
        let mut waiting = pin!(uploads.permit(address(100)));
        assert!(poll!(waiting.as_mut()).is_pending());
        taken.pop();
        let mut newcomer = pin!(uploads.permit(address(101)));
        assert!(poll!(newcomer.as_mut()).is_pending(), "passed who waits");
        assert!(waiting.await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_networks_around_an_ipv6_address_have_more_and_not_all() {
        let uploads = Uploads::default();
        let subnet = |of_48: u16| IpAddr::from([0x2001, 0xdb8, 1, of_48, 0, 0, 0, 1]);
        let mut taken = Vec::new();
        for of_56 in 0..20 {
            taken.extend(uploads.permit(subnet(of_56)).await);
        }
        assert_eq!(taken.len(), 4, "one /56");
        for of_48 in 1..20 {
            taken.extend(uploads.permit(subnet(of_48 << 8)).await);
        }
        assert_eq!(taken.len(), 8, "one /48");
        assert_eq!(uploads.permit(subnet(0xffff)).await.unwrap_err(), Full::Client);
        assert!(uploads.permit([0x2001, 0xdb8, 2, 0, 0, 0, 0, 1].into()).await.is_ok());
        taken.pop();
        assert!(uploads.permit(subnet(0xffff)).await.is_ok());
    }
}
