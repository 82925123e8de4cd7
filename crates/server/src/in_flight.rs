//! What this process knows of the uploads that its requests work on right now.

pub mod upload_lock;

use std::{net::IpAddr, sync::Arc, time::Duration};

use deadwax_http::slots::{Full, Permit, Slots, per_client};
use rules::rate_limit::{OPEN_UPLOADS, OPEN_UPLOADS_GLOBAL, UPLOAD_SLOT_MS};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use upload_lock::UploadLocks;

/// How long a request waits for another to have brought its bytes.
const WAIT: Duration = Duration::from_millis(UPLOAD_SLOT_MS);

/// What uploads of this process share.
#[derive(Debug)]
pub struct Uploads {
    /// Which request works on which upload.
    pub locks: UploadLocks,
    /// Requests that bring bytes, or wait to, by client.
    clients: Slots,
    /// Requests that bring bytes: disk and memory of uploads under way are bounded by them. Who waits first goes first.
    all: Arc<Semaphore>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            locks: UploadLocks::default(),
            clients: Slots::new(usize::MAX),
            all: Arc::new(Semaphore::new(OPEN_UPLOADS_GLOBAL as usize)),
        }
    }
}

impl Uploads {
    /// What a request of `client` brings bytes with. The client's own may be taken, also by requests that wait; or none of all gets
    /// free in time.
    pub async fn permit(&self, client: IpAddr) -> Result<(Permit, OwnedSemaphorePermit), Full> {
        let of_client = self.clients.try_acquire(per_client(client, OPEN_UPLOADS))?;
        match timeout(WAIT, Arc::clone(&self.all).acquire_owned()).await {
            Ok(Ok(of_all)) => Ok((of_client, of_all)),
            Ok(Err(_)) | Err(_) => Err(Full::All),
        }
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
        let uploads = Uploads::default();
        let mut taken = Vec::new();
        for number in 0..64 {
            taken.push(uploads.permit(address(number)).await.unwrap());
        }
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
    async fn who_waits_first_goes_first() {
        let uploads = Uploads::default();
        let mut taken = Vec::new();
        for number in 0..64 {
            taken.push(uploads.permit(address(number)).await.unwrap());
        }
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
