//! File descriptors: how many this process may have, and how many connections and live streams they carry.
//!
//! Every connection is one. Streams are always fewer than connections, so that a full house of listeners leaves ordinary
//! requests room.

use rules::rate_limit::{OPEN_CONNECTIONS_GLOBAL, streams_among};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

const CONNECTIONS: usize = OPEN_CONNECTIONS_GLOBAL as usize;
/// Kept for everything that is no connection of a visitor's: the database, files being read and written, outgoing calls.
const BESIDE: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub connections: usize,
    pub streams: usize,
}

pub fn bounds() -> Bounds {
    Bounds::of(limit())
}

/// Raises the limit to what the system allows at most, and warns where that is less than the bounds need.
pub fn raise() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        tracing::warn!(cause = %error, "raising the limit of open files");
    }
    let (limit, bounds) = (limit(), bounds());
    if limit < CONNECTIONS + BESIDE {
        tracing::warn!(
            limit,
            needed = CONNECTIONS + BESIDE,
            connections = bounds.connections,
            streams = bounds.streams,
            "few open files are allowed, so fewer connections are accepted (LimitNOFILE, ulimit -n)"
        );
    }
}

fn limit() -> usize {
    let current = getrlimit(Resource::Nofile).current;
    current.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

impl Bounds {
    fn of(limit: usize) -> Self {
        let connections = CONNECTIONS.min(limit - BESIDE.min(limit / 4));
        let streams =
            u32::try_from(connections).map_or(usize::MAX, |connections| streams_among(connections) as usize);
        Self { connections, streams }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_never_take_all_connections_and_connections_never_all_descriptors() {
        assert_eq!(Bounds::of(usize::MAX), Bounds { connections: 14_000, streams: 12_000 });
        assert_eq!(Bounds::of(20_000), Bounds { connections: 14_000, streams: 12_000 });
        assert_eq!(Bounds::of(1024), Bounds { connections: 768, streams: 654 });
        for limit in [0, 1, 64, 256, 4096, 15_000] {
            let bounds = Bounds::of(limit);
            assert!(bounds.streams <= bounds.connections && bounds.connections <= limit, "{limit}");
        }
    }
}
