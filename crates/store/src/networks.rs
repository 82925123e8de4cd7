//! Which networks a client is counted in: what one address may do, a whole network of addresses may do a few times.

use std::net::{IpAddr, Ipv6Addr};

use ipnet::IpNet;
use rules::rate_limit;

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
