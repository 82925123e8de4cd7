//! Bounds how much of something is open at once in this process, in all and under each key, such as a client's network or an
//! account, to bound memory, disk and descriptors.

use std::{
    collections::HashMap,
    net::IpAddr,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use deadwax_store::limits::networks;
use ipnet::IpNet;
use tokio::{
    sync::Notify,
    time::{Instant, timeout_at},
};
use uuid::Uuid;

/// Slots, each free again when its [`Permit`] is dropped. Cheap to clone: clones are the same slots.
///
/// Those who hold permits under the same key share a `T`, which lives as long as one of them does.
#[derive(Debug)]
pub struct Slots<T = ()>(Arc<Inner<T>>);

#[derive(Debug)]
struct Inner<T> {
    most: usize,
    open: Mutex<Open<T>>,
    freed: Notify,
}

#[derive(Debug)]
struct Open<T> {
    total: usize,
    by_key: HashMap<Key, OfKey<T>>,
}

#[derive(Debug)]
struct OfKey<T> {
    count: usize,
    shared: Arc<T>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Network(IpNet),
    Account(Uuid),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub key: Key,
    pub most: usize,
}

/// A taken slot, which is free again when this is dropped.
#[derive(Debug)]
pub struct Permit<T = ()> {
    slots: Slots<T>,
    keys: Vec<(Key, Arc<T>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Full {
    #[error("all slots are taken")]
    All,
    /// Those under one of the keys are: the client's own.
    #[error("the client's own slots are taken")]
    Client,
}

/// The bounds of a client that may have `most`: its address, and for IPv6 the wider networks around it with room for more, so
/// that many addresses of one network are not many clients.
pub fn per_client(client: IpAddr, most: u32) -> impl Iterator<Item = Bound> + Clone {
    networks(client)
        .map(move |(network, times)| Bound { key: Key::Network(network), most: (most * times) as usize })
}

pub fn per_account(account: Uuid, most: u32) -> Bound {
    Bound { key: Key::Account(account), most: most as usize }
}

impl<T: Default> Slots<T> {
    pub fn new(most: usize) -> Self {
        let open = Mutex::new(Open { total: 0, by_key: HashMap::new() });
        Self(Arc::new(Inner { most, open, freed: Notify::new() }))
    }

    /// A slot within all `bounds`, or none and nothing counted. Where all slots are taken, that is what is said.
    pub fn try_acquire(&self, bounds: impl Iterator<Item = Bound> + Clone) -> Result<Permit<T>, Full> {
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= self.0.most {
            return Err(Full::All);
        }
        let is_taken = |bound: Bound| open.by_key.get(&bound.key).map_or(0, |of| of.count) >= bound.most;
        if bounds.clone().any(is_taken) {
            return Err(Full::Client);
        }
        open.total += 1;
        let keys = bounds
            .map(|Bound { key, .. }| {
                let of = open.by_key.entry(key).or_insert_with(|| OfKey { count: 0, shared: Arc::default() });
                of.count += 1;
                (key, Arc::clone(&of.shared))
            })
            .collect();
        drop(open);
        Ok(Permit { slots: self.clone(), keys })
    }

    /// As [`try_acquire`](Self::try_acquire), but waits so long at most for a slot to get free.
    pub async fn acquire(
        &self,
        bounds: impl Iterator<Item = Bound> + Clone,
        wait: Duration,
    ) -> Result<Permit<T>, Full> {
        let until = Instant::now() + wait;
        loop {
            let mut freed = pin!(self.0.freed.notified());
            // Before the look, so that a slot that gets free in between is noticed.
            freed.as_mut().enable();
            match self.try_acquire(bounds.clone()) {
                Err(_) if timeout_at(until, freed).await.is_ok() => {}
                acquired => return acquired,
            }
        }
    }
}

impl<T> Permit<T> {
    pub fn shared(&self) -> impl Iterator<Item = &Arc<T>> {
        self.keys.iter().map(|(_, shared)| shared)
    }
}

impl<T> Drop for Permit<T> {
    fn drop(&mut self) {
        let mut open = self.slots.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        for (key, _) in &self.keys {
            if let Some(of) = open.by_key.get_mut(key) {
                of.count -= 1;
                if of.count == 0 {
                    open.by_key.remove(key);
                }
            }
        }
        drop(open);
        self.slots.0.freed.notify_waiters();
    }
}

impl<T> Clone for Slots<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    #[test]
    fn what_is_refused_takes_nothing() {
        let (slots, client) = (<Slots>::new(3), IpAddr::from([10, 0, 0, 1]));
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let of = |account| slots.try_acquire(per_client(client, 2).chain([per_account(account, 1)]));
        let first = of(one).unwrap();
        for _ in 0..5 {
            assert_eq!(of(one).unwrap_err(), Full::Client);
        }
        let _second = of(other).unwrap();
        let third = slots.try_acquire(iter::empty()).unwrap();
        assert_eq!(slots.try_acquire(iter::empty()).unwrap_err(), Full::All);
        drop(third);
        drop(first);
        assert!(of(one).is_ok());
    }

    #[test]
    fn permits_under_one_key_share_what_lasts_as_long_as_they_do() {
        let (slots, client) = (Slots::<Mutex<u32>>::new(10), IpAddr::from([10, 0, 0, 1]));
        let acquire = || slots.try_acquire(per_client(client, 5)).unwrap();
        let shared = |permit: &Permit<Mutex<u32>>| *permit.shared().next().unwrap().lock().unwrap();
        let first = acquire();
        *first.shared().next().unwrap().lock().unwrap() = 7;
        let second = acquire();
        assert_eq!(shared(&second), 7);
        drop((first, second));
        assert_eq!(shared(&acquire()), 0);
    }
}
