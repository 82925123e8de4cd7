//! How many forms with a file are read at the same time: few of one account, few of one client, and in all as many as this
//! process can carry. What they take of memory and disk is bounded by it.

use std::{
    collections::HashMap,
    hash::Hash,
    net::IpAddr,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rules::{
    rate_limit::{FORM_PLACE_MS, OPEN_FORMS, OPEN_FORMS_ACCOUNT, OPEN_FORMS_GLOBAL},
    request::BUSY_SECONDS,
};
use tokio::{
    sync::Notify,
    time::{Instant, timeout_at},
};
use uuid::Uuid;

use crate::{
    client_addr::network,
    error::{AppError, AppResult},
};

/// How long one waits that finds its places taken.
const WAIT: Duration = Duration::from_millis(FORM_PLACE_MS);

/// The places. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct FormPlaces(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    open: Mutex<Open>,
    /// Told whenever a place is free again.
    freed: Notify,
}

#[derive(Debug, Default)]
struct Open {
    total: u32,
    by_account: HashMap<Uuid, u32>,
    by_client: HashMap<IpAddr, u32>,
}

/// A place; leaving it frees it.
#[derive(Debug)]
pub struct FormPlace {
    places: FormPlaces,
    account: Uuid,
    client: IpAddr,
}

impl FormPlaces {
    /// A place for a form of `account` sent by `client`: when none gets free in time, 429 where the account's or the client's own
    /// are taken, 503 where all are.
    pub async fn enter(&self, account: Uuid, client: IpAddr) -> AppResult<FormPlace> {
        let until = Instant::now() + WAIT;
        loop {
            let mut freed = pin!(self.0.freed.notified());
            // Before the look, so that a place that gets free in between is noticed.
            freed.as_mut().enable();
            match self.take(account, network(client)) {
                Ok(place) => return Ok(place),
                Err(refusal) if timeout_at(until, freed).await.is_err() => return Err(refusal),
                Err(_) => {}
            }
        }
    }

    fn take(&self, account: Uuid, client: IpAddr) -> AppResult<FormPlace> {
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= OPEN_FORMS_GLOBAL {
            return Err(AppError::busy(BUSY_SECONDS));
        }
        if count(&open.by_account, &account) >= OPEN_FORMS_ACCOUNT
            || count(&open.by_client, &client) >= OPEN_FORMS
        {
            return Err(AppError::too_many_requests(BUSY_SECONDS));
        }
        open.total += 1;
        *open.by_account.entry(account).or_default() += 1;
        *open.by_client.entry(client).or_default() += 1;
        drop(open);
        Ok(FormPlace { places: self.clone(), account, client })
    }
}

impl Drop for FormPlace {
    fn drop(&mut self) {
        let mut open = self.places.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        leave(&mut open.by_account, &self.account);
        leave(&mut open.by_client, &self.client);
        drop(open);
        self.places.0.freed.notify_waiters();
    }
}

fn count<K: Eq + Hash>(open: &HashMap<K, u32>, key: &K) -> u32 {
    open.get(key).copied().unwrap_or(0)
}

fn leave<K: Eq + Hash>(open: &mut HashMap<K, u32>, key: &K) {
    if let Some(count) = open.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            open.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn enter(places: &FormPlaces, account: u128, client: u8) -> Result<FormPlace, u16> {
        let entered = places.enter(Uuid::from_u128(account), [10, 0, 0, client].into()).await;
        entered.map_err(|refusal| refusal.status().as_u16())
    }

    #[tokio::test(start_paused = true)]
    async fn an_account_sends_two_forms_at_once_and_a_network_four() {
        let places = FormPlaces::default();
        let (first, _second) = (enter(&places, 1, 1).await.unwrap(), enter(&places, 1, 2).await.unwrap());
        assert_eq!(enter(&places, 1, 3).await.unwrap_err(), 429, "wherever it is");
        drop(first);
        let mut of_network = Vec::new();
        for account in 2..6 {
            of_network.push(enter(&places, account, 1).await.unwrap());
        }
        assert_eq!(enter(&places, 7, 1).await.unwrap_err(), 429);
        drop(of_network);
        assert!(enter(&places, 7, 1).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn this_process_reads_thirty_two_forms_at_once() {
        let places = FormPlaces::default();
        let mut taken = Vec::new();
        for number in 0..32 {
            taken.push(enter(&places, number.into(), number).await.unwrap());
        }
        assert_eq!(enter(&places, 100, 100).await.unwrap_err(), 503);
        taken.pop();
        assert!(enter(&places, 100, 100).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_finds_none_waits_for_another_to_leave_and_not_for_ever() {
        let places = FormPlaces::default();
        let (first, _second) = (enter(&places, 1, 1).await.unwrap(), enter(&places, 1, 1).await.unwrap());
        let started = Instant::now();
        assert_eq!(enter(&places, 1, 1).await.unwrap_err(), 429);
        assert_eq!(started.elapsed(), WAIT);
        let waiting = tokio::spawn({
            let places = places.clone();
            async move { enter(&places, 1, 1).await }
        });
        tokio::task::yield_now().await;
        drop(first);
        assert!(waiting.await.unwrap().is_ok());
    }
}
