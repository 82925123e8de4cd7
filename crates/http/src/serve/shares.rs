//! How many answers a client has under way: a share for each of its networks, over all connections from there. Work that
//! continues when its client has left keeps its share, so that leaving makes no room for more.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::slots::Permit;

/// The answers under way of one of a client's networks, over all connections from there.
#[derive(Debug)]
pub(super) struct Share {
    pub(super) under_way: Arc<AtomicUsize>,
    pub(super) most: usize,
}

impl Share {
    fn try_take(&self) -> bool {
        let one_more = |under_way| (under_way < self.most).then_some(under_way + 1);
        self.under_way.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok()
    }

    fn take(&self) {
        self.under_way.fetch_add(1, Ordering::Relaxed);
    }

    fn give_back(&self) {
        self.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The shares of a connection's client.
#[derive(Debug)]
pub(super) struct Shares {
    /// The narrowest network first.
    of_networks: Vec<Share>,
    /// The connection's slot, as long as anything is counted: with its last slot a network's count ends.
    _slot: Permit<AtomicUsize>,
}

impl Shares {
    /// Without any networks there is no bound.
    pub(super) fn new(slot: Permit<AtomicUsize>, of_networks: Vec<Share>) -> Arc<Self> {
        Arc::new(Self { of_networks, _slot: slot })
    }

    #[cfg(test)]
    pub(super) fn without_bound() -> Arc<Self> {
        Self::of(Vec::new())
    }

    #[cfg(test)]
    pub(super) fn of(networks: Vec<Share>) -> Arc<Self> {
        Self::new(crate::slots::Slots::new(1).try_acquire(std::iter::empty()).unwrap(), networks)
    }

    /// Takes one of each share, or of none: what is refused to a client takes nothing from its neighbours.
    pub(super) fn try_take(&self) -> bool {
        let full = self.of_networks.iter().position(|share| !share.try_take());
        if let Some(full) = full {
            self.of_networks.iter().take(full).for_each(Share::give_back);
        }
        full.is_none()
    }

    pub(super) fn give_back(&self) {
        self.of_networks.iter().for_each(Share::give_back);
    }
}

/// The share of a request, for work that may continue when its client has left.
#[derive(Clone, Debug)]
pub struct ClientShare(pub(super) Arc<Shares>);

/// A share that is taken until this is dropped.
#[derive(Debug)]
pub struct KeptShare(Arc<Shares>);

impl ClientShare {
    /// Takes the share beside its request's, which is about to be given back.
    pub fn keep(self) -> KeptShare {
        self.0.of_networks.iter().for_each(Share::take);
        KeptShare(self.0)
    }
}

impl Drop for KeptShare {
    fn drop(&mut self) {
        self.0.give_back();
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;
    use crate::slots::Slots;

    #[test]
    fn work_that_outlives_its_request_keeps_its_share_and_the_connections_slot() {
        let slots = Slots::new(1);
        let networks = vec![Share { under_way: Arc::default(), most: 1 }];
        let shares = Shares::new(slots.try_acquire(iter::empty()).unwrap(), networks);
        assert!(shares.try_take());
        let kept = ClientShare(Arc::clone(&shares)).keep();
        shares.give_back();
        assert!(!shares.try_take());
        let of_request = ClientShare(Arc::clone(&shares));
        drop(shares);
        assert!(slots.try_acquire(iter::empty()).is_err());
        drop(kept);
        assert!(of_request.0.try_take());
        drop(of_request);
        assert!(slots.try_acquire(iter::empty()).is_ok());
    }
}
