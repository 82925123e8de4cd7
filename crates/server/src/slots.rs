//! The places of live streams: how many are open, in all and by network.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    client_addr::network,
    descriptors,
    error::{AppError, AppResult},
};

/// Streams of one address.
const PER_ADDRESS: usize = rules::rate_limit::OPEN_STREAMS as usize;

/// How many streams are open, in all and by address.
#[derive(Clone, Debug)]
pub struct Streams(Arc<Mutex<Open>>);

#[derive(Debug)]
struct Open {
    /// As many as there may be.
    most: usize,
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A stream's place among those allowed; leaving it frees the place.
#[derive(Debug)]
pub struct Place {
    streams: Streams,
    address: IpAddr,
}

impl Default for Streams {
    /// As many as this process has descriptors for, with room for other connections.
    fn default() -> Self {
        Self::of(descriptors::bounds().streams)
    }
}

impl Streams {
    fn of(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Open { most, total: 0, by_address: HashMap::new() })))
    }

    /// A place for a stream of `client`: 503 when all are taken, 429 when its own are.
    pub fn enter(&self, client: IpAddr) -> AppResult<Place> {
        let address = network(client);
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= open.most {
            return Err(AppError::busy(rules::reconnect::FULL_SECONDS));
        }
        let of_address = open.by_address.entry(address).or_default();
        if *of_address >= PER_ADDRESS {
            return Err(AppError::too_many_requests(rules::reconnect::FULL_SECONDS));
        }
        *of_address += 1;
        open.total += 1;
        Ok(Place { streams: self.clone(), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        if let Some(of_address) = open.by_address.get_mut(&self.address) {
            *of_address -= 1;
            if *of_address == 0 {
                open.by_address.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    #[test]
    fn an_address_has_twenty_streams_and_gets_one_back_by_closing_one() {
        let streams = Streams::default();
        let client: IpAddr = "10.0.0.1".parse().unwrap();
        let mut places: Vec<_> = (0..PER_ADDRESS).map(|_| streams.enter(client).unwrap()).collect();
        assert_eq!(streams.enter(client).unwrap_err().status(), StatusCode::TOO_MANY_REQUESTS);
        places.pop();
        assert!(streams.enter(client).is_ok());
    }

    #[test]
    fn streams_in_all_are_bounded_too() {
        let streams = Streams::of(1);
        let place = streams.enter([10, 0, 0, 1].into()).unwrap();
        let refusal = streams.enter([10, 0, 0, 2].into()).unwrap_err();
        assert_eq!(refusal.status(), StatusCode::SERVICE_UNAVAILABLE);
        drop(place);
        assert!(streams.enter([10, 0, 0, 2].into()).is_ok());
    }
}
