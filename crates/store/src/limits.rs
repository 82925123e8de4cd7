//! Limits as rows, shared by all instances: taken in one transaction before the work they bound.

use std::net::{IpAddr, Ipv6Addr};

use crate::{
    clock::{Micros, micros, millis},
    db::{Db, Tx},
    statements,
};
use ipnet::IpNet;
use rules::rate_limit::{self, Exceeded, Rate, Window};

statements! {
    // The row that is there is written too, which locks it: one that was only seen could be dropped before it is read.
    LOCK = "INSERT INTO limits (key, state, expires_at) VALUES ($1, '', $2) \
        ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING state";
    SAVE = "UPDATE limits SET state = $2, expires_at = $3 WHERE key = $1";
    PRUNE = "DELETE FROM limits WHERE expires_at < $1";
}

/// How often something may happen; its counters are rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many in any span.
    Window(Window),
    /// A burst, then one each period.
    Rate(Rate),
}

impl Limit {
    #[must_use]
    pub const fn times(self, times: u32) -> Self {
        match self {
            Self::Window(window) => Self::Window(window.times(times)),
            Self::Rate(rate) => Self::Rate(rate.times(times)),
        }
    }
}

impl From<Window> for Limit {
    fn from(window: Window) -> Self {
        Self::Window(window)
    }
}

impl From<Rate> for Limit {
    fn from(rate: Rate) -> Self {
        Self::Rate(rate)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    #[error("past a limit, for another {} s", .0.retry_after_seconds())]
    Exceeded(Exceeded),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl From<Exceeded> for LimitError {
    fn from(exceeded: Exceeded) -> Self {
        Self::Exceeded(exceeded)
    }
}

/// The key of a counter, such as `csp-report:10.0.0.1`, and its limit. Keys contain no mail address.
pub type Counter = (String, Limit);

/// The counters of `kind` for a client address: one for the address itself, and for IPv6 wider ones with room for more, so
/// that many addresses of one network are not many clients. Every limit per client address is taken by these.
pub fn by_network(kind: &str, client: IpAddr, limit: impl Into<Limit>) -> Vec<Counter> {
    let limit = limit.into();
    let counter = |(network, times): (IpNet, u32)| {
        // A client's own network is named by its first address alone, as the audit log names it.
        let key = if times == 1 { format!("{kind}:{}", network.addr()) } else { format!("{kind}:{network}") };
        (key, limit.times(times))
    };
    networks(client).map(counter).collect()
}

/// The address that stands for one client: an IPv4 address, or the first address of an IPv6 /64, the size of a household or server.
pub fn network(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V6(ip) => {
            let [a, b, c, d, ..] = ip.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        ip @ IpAddr::V4(_) => ip,
    }
}

/// The networks that a client counts in, narrowest first, each with its multiple of a client's bound: an IPv4 address alone; the
/// /64, /56 and /48 of an IPv6 one, because a rented /48 has 65,536 /64s.
pub fn networks(client: IpAddr) -> impl Iterator<Item = (IpNet, u32)> + Clone {
    let client = client.to_canonical();
    let lengths: &[(u8, u32)] = match client {
        IpAddr::V4(_) => &[(32, 1)],
        IpAddr::V6(_) => &[(64, 1), (56, rate_limit::NETWORK_56), (48, rate_limit::NETWORK_48)],
    };
    lengths.iter().map(move |&(length, times)| (IpNet::new_assert(client, length).trunc(), times))
}

/// Takes one of `kind` for a client address from `limit`; see [`by_network`].
pub async fn take_by_network(
    db: &Db,
    kind: &str,
    client: IpAddr,
    limit: impl Into<Limit>,
    now: Micros,
) -> Result<(), LimitError> {
    take_each(db, by_network(kind, client, limit), now).await
}

/// Takes one from `limit` for `key`.
///
/// Counted even when what follows fails: the count is committed here.
pub async fn take(db: &Db, key: &str, limit: impl Into<Limit>, now: Micros) -> Result<(), LimitError> {
    take_each(db, vec![(key.to_owned(), limit.into())], now).await
}

/// Takes one from each of `counters`, or from none of them.
pub async fn take_each(db: &Db, counters: Vec<Counter>, now: Micros) -> Result<(), LimitError> {
    let mut tx = db.begin().await?;
    take_each_in(&mut tx, counters, now).await?;
    Ok(tx.commit().await?)
}

/// As [`take_each`], in a transaction of the caller's, who rolls it back when a limit is exceeded.
pub async fn take_each_in(tx: &mut Tx, mut counters: Vec<Counter>, now: Micros) -> Result<(), LimitError> {
    // In one order everywhere, so that two transactions never wait for each other.
    counters.sort_by(|(one, _), (other, _)| one.cmp(other));
    // Checks all of them, so that the returned wait satisfies each.
    let mut longest: Option<Exceeded> = None;
    for (key, limit) in &counters {
        if let Err(exceeded) = take_in(tx, key, *limit, now).await? {
            tracing::info!(limit = key.split(':').next().unwrap_or_default(), "excess_rate_limit_exceeded");
            if longest.is_none_or(|known| known.retry_after_ms < exceeded.retry_after_ms) {
                longest = Some(exceeded);
            }
        }
    }
    longest.map_or(Ok(()), |exceeded| Err(exceeded.into()))
}

/// Takes one for `key` in a transaction of the caller's; the row stays locked until it ends.
pub async fn take_in(
    tx: &mut Tx,
    key: &str,
    limit: impl Into<Limit>,
    now: Micros,
) -> sqlx::Result<Result<(), Exceeded>> {
    let now_ms = millis(now);
    let state = lock(tx, key, now).await?;
    let taken = match limit.into() {
        Limit::Window(window) => {
            window.take(&stamps(&state), now_ms).map(|taken| (join(&taken), now_ms + window.span_ms))
        }
        Limit::Rate(rate) => {
            rate.take(state.parse().ok(), now_ms).map(|full_at| (full_at.to_string(), full_at))
        }
    };
    match taken {
        Ok((state, expires_ms)) => {
            tx.query(SAVE).bind(key).bind(state).bind(micros(expires_ms)).execute().await?;
            Ok(Ok(()))
        }
        Err(exceeded) => Ok(Err(exceeded)),
    }
}

/// Takes one for `key` as a rule decides it from the times of earlier ones, oldest first. The state is forgotten `kept_ms` after
/// the last of them.
pub async fn take_by_rule_in<E>(
    tx: &mut Tx,
    key: &str,
    now: Micros,
    kept_ms: u64,
    rule: impl FnOnce(&[u64]) -> Result<Vec<u64>, E>,
) -> sqlx::Result<Result<(), E>> {
    let state = lock(tx, key, now).await?;
    match rule(&stamps(&state)) {
        Ok(taken) => {
            let expires_at = micros(taken.last().copied().unwrap_or_default().saturating_add(kept_ms));
            tx.query(SAVE).bind(key).bind(join(&taken)).bind(expires_at).execute().await?;
            Ok(Ok(()))
        }
        Err(refused) => Ok(Err(refused)),
    }
}

/// Whether one more is allowed for `key`, without taking it; the row stays locked until the transaction ends.
pub async fn peek_in(
    tx: &mut Tx,
    key: &str,
    window: Window,
    now: Micros,
) -> sqlx::Result<Result<u32, Exceeded>> {
    let state = lock(tx, key, now).await?;
    let taken = window.take(&stamps(&state), millis(now));
    Ok(taken.map(|taken| u32::try_from(taken.len() - 1).unwrap_or(u32::MAX)))
}

/// Reserves the next free moment for `key`; the row stays locked until the transaction ends. See [`Window::reserve`].
pub async fn reserve_in(tx: &mut Tx, key: &str, window: Window, now: Micros) -> sqlx::Result<Micros> {
    let state = lock(tx, key, now).await?;
    let (at, taken) = window.reserve(&stamps(&state), millis(now));
    let expires_ms = taken.last().copied().unwrap_or(at).saturating_add(window.span_ms);
    tx.query(SAVE).bind(key).bind(join(&taken)).bind(micros(expires_ms)).execute().await?;
    Ok(now.max(micros(at)))
}

/// Gives the newest one back that was taken for `key`: what it counted turned out not to be one. Answers how many are left.
pub async fn give_back_in(
    tx: &mut Tx,
    key: &str,
    limit: impl Into<Limit>,
    now: Micros,
) -> sqlx::Result<usize> {
    let state = lock(tx, key, now).await?;
    let (state, expires_ms, left) = match limit.into() {
        Limit::Window(window) => {
            let mut taken = stamps(&state);
            taken.pop();
            let expires_ms = taken.last().map_or(millis(now), |last| last + window.span_ms);
            (join(&taken), expires_ms, taken.len())
        }
        Limit::Rate(rate) => {
            let full_at = state.parse::<u64>().unwrap_or(0).saturating_sub(rate.period_ms);
            (full_at.to_string(), full_at, 0)
        }
    };
    tx.query(SAVE).bind(key).bind(state).bind(micros(expires_ms)).execute().await?;
    Ok(left)
}

/// Takes one for `key`, or counts that it could not: how many could not since the last one that could, or nothing when this one
/// could not either.
pub async fn take_or_count_in(tx: &mut Tx, key: &str, rate: Rate, now: Micros) -> sqlx::Result<Option<u64>> {
    let state = lock(tx, key, now).await?;
    let (full_at, left_out) = state.split_once('+').unwrap_or((&state, "0"));
    let (full_at, left_out) = (full_at.parse::<u64>().ok(), left_out.parse::<u64>().unwrap_or(0));
    let taken = rate.take(full_at, millis(now)).ok();
    let (next, still_left_out) =
        (taken.or(full_at).unwrap_or(0), if taken.is_some() { 0 } else { left_out + 1 });
    // Kept longer than it takes to fill, so that the number of skipped ones is reported with the next.
    let expires_at = micros(next) + micros(rules::retention::LEFT_OUT_MS);
    tx.query(SAVE).bind(key).bind(format!("{next}+{still_left_out}")).bind(expires_at).execute().await?;
    Ok(taken.map(|_| left_out))
}

/// Makes everybody who holds `key` wait for each other until the transaction ends, for a sum that a single row does not carry.
pub async fn hold_in(tx: &mut Tx, key: &str, now: Micros) -> sqlx::Result<()> {
    lock(tx, key, now).await?;
    // Never expires, so that it is not deleted while a transaction is about to lock it.
    tx.query(SAVE).bind(key).bind("").bind(Micros::MAX).execute().await.map(drop)
}

async fn lock(tx: &mut Tx, key: &str, now: Micros) -> sqlx::Result<String> {
    tx.query(LOCK).bind(key).bind(now).value().await
}

fn stamps(state: &str) -> Vec<u64> {
    state.split(',').filter_map(|at| at.parse().ok()).collect()
}

fn join(stamps: &[u64]) -> String {
    stamps.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now).execute().await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_counts_by_its_network() {
        assert_eq!(network("2001:db8:1:2:3:4:5:6".parse().unwrap()).to_string(), "2001:db8:1:2::");
        assert_eq!(network("::ffff:1.2.3.4".parse().unwrap()).to_string(), "1.2.3.4");
    }

    #[test]
    fn ipv6_is_limited_in_wider_networks_too() {
        let of = |client: &str| networks(client.parse().unwrap()).collect::<Vec<_>>();
        let net = |net: &str, times| (net.parse::<IpNet>().unwrap(), times);
        assert_eq!(
            of("2001:db8:1:203:4:5:6:7"),
            [net("2001:db8:1:203::/64", 1), net("2001:db8:1:200::/56", 2), net("2001:db8:1::/48", 4)]
        );
        assert_eq!(of("::ffff:1.2.3.4"), [net("1.2.3.4/32", 1)]);
    }
}
