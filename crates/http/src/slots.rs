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
#[derive(Clone, Debug)]
pub struct Slots(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most: usize,
    open: Mutex<Open>,
    freed: Notify,
}

#[derive(Debug)]
struct Open {
    total: usize,
    by_key: HashMap<Key, usize>,
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
pub struct Permit {
    slots: Slots,
    keys: Vec<Key>,
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

impl Slots {
    pub fn new(most: usize) -> Self {
        let open = Mutex::new(Open { total: 0, by_key: HashMap::new() });
        Self(Arc::new(Inner { most, open, freed: Notify::new() }))
    }

    /// A slot within all `bounds`, or none and nothing counted. Where all slots are taken, that is what is said.
    pub fn try_acquire(&self, bounds: impl Iterator<Item = Bound> + Clone) -> Result<Permit, Full> {
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= self.0.most {
            return Err(Full::All);
        }
        let is_taken = |bound: Bound| open.by_key.get(&bound.key).is_some_and(|count| *count >= bound.most);
        if bounds.clone().any(is_taken) {
            return Err(Full::Client);
        }
        open.total += 1;
        let keys: Vec<Key> = bounds.map(|bound| bound.key).collect();
        for key in &keys {
            *open.by_key.entry(*key).or_default() += 1;
        }
        drop(open);
        Ok(Permit { slots: self.clone(), keys })
    }

    /// As [`try_acquire`](Self::try_acquire), but waits so long at most for a slot to get free.
    pub async fn acquire(
        &self,
        bounds: impl Iterator<Item = Bound> + Clone,
        wait: Duration,
    ) -> Result<Permit, Full> {
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

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = self.slots.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        for key in &self.keys {
            if let Some(count) = open.by_key.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    open.by_key.remove(key);
                }
            }
        }
        drop(open);
        self.slots.0.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    #[test]
    fn what_is_refused_takes_nothing() {
        let (slots, client) = (Slots::new(3), IpAddr::from([10, 0, 0, 1]));
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
}
