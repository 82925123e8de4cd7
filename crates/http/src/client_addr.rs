//! The client's address: the peer's, or behind trusted proxies the one they report.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client's address.
///
/// A peer outside `trusted` is the client. Otherwise the `X-Forwarded-For` lines, joined, are walked from the right: trusted
/// entries are skipped, the first other one is the client, an entry that is no address ends the walk with the last good one.
/// Empty entries do not count (RFC 9110 §5.6.1.2).
/// `Forwarded` and `X-Real-IP` are never read. IPv4 written as IPv6 counts as IPv4.
pub fn client_address(peer: SocketAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |ip: IpAddr| trusted.iter().any(|net| net.contains(&ip));
    let mut client = peer.ip().to_canonical();
    if !is_trusted(client) {
        return client;
    }
    let lines: Vec<&str> =
        headers.get_all(X_FORWARDED_FOR).iter().map(|line| line.to_str().unwrap_or("?")).collect();
    for entry in lines.join(",").rsplit(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let Some(ip) = parse_entry(entry) else { break };
        client = ip;
        if !is_trusted(client) {
            break;
        }
    }
    client
}

/// An address as proxies write it: with or without a port, quotes, brackets and the zone of an interface.
fn parse_entry(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim_matches(['"', ' ', '\t']);
    let address = match entry.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_number);
            is_port.then_some(address)?
        }
        None => match entry.split_once(':') {
            Some((address, port)) if is_number(port) => address,
            _ => entry,
        },
    };
    let (address, zone) = address.split_once('%').unwrap_or((address, ""));
    let ip: IpAddr = address.parse().ok()?;
    (zone.is_empty() || ip.is_ipv6()).then(|| ip.to_canonical())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn client(peer: &str, lines: &[&'static str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, http::HeaderValue::from_static(line));
        }
        headers.insert("x-real-ip", http::HeaderValue::from_static("6.6.6.6"));
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().unwrap()).collect();
        client_address(SocketAddr::new(peer.parse().unwrap(), 1), &headers, &trusted).to_string()
    }

    #[rstest]
    #[case::nobody_is_trusted_by_default("9.9.9.9", &["1.1.1.1"], &[], "9.9.9.9")]
    #[case::an_untrusted_peer_cannot_speak_for_others("9.9.9.9", &["1.1.1.1"], &["10.0.0.0/8"], "9.9.9.9")]
    #[case::the_rightmost_entry_wins("10.0.0.1", &["6.6.6.6, 1.1.1.1"], &["10.0.0.0/8"], "1.1.1.1")]
    #[case::trusted_entries_are_skipped("10.0.0.1", &["1.1.1.1, 10.0.0.2"], &["10.0.0.0/8"], "1.1.1.1")]
    #[case::several_lines_are_one_list("10.0.0.1", &["6.6.6.6", "1.1.1.1"], &["10.0.0.0/8"], "1.1.1.1")]
    #[case::garbage_ends_the_walk("10.0.0.1", &["1.1.1.1, junk, 10.0.0.2"], &["10.0.0.0/8"], "10.0.0.2")]
    #[case::garbage_alone_leaves_the_peer("10.0.0.1", &["junk"], &["10.0.0.0/8"], "10.0.0.1")]
    #[case::mapped_ipv4_is_ipv4("::ffff:10.0.0.1", &["::ffff:1.1.1.1"], &["10.0.0.0/8"], "1.1.1.1")]
    #[case::brackets_without_a_port("10.0.0.1", &["[2001:db8::1]"], &["10.0.0.0/8"], "2001:db8::1")]
    #[case::brackets_and_a_port("10.0.0.1", &["[2001:db8::1]:4711"], &["10.0.0.0/8"], "2001:db8::1")]
    #[case::brackets_around_what_is_trusted("10.0.0.1", &["1.1.1.1, [fd00::1]"], &["10.0.0.0/8", "fd00::/8"], "1.1.1.1")]
    #[case::a_port_on_ipv4("10.0.0.1", &["1.1.1.1:4711"], &["10.0.0.0/8"], "1.1.1.1")]
    #[case::quotes("10.0.0.1", &["\"[2001:db8::1]:4711\""], &["10.0.0.0/8"], "2001:db8::1")]
    #[case::quotes_on_ipv4("10.0.0.1", &["\"1.1.1.1\""], &["10.0.0.0/8"], "1.1.1.1")]
    #[case::upper_case_and_zeros("10.0.0.1", &["2001:0DB8:0::0001"], &["10.0.0.0/8"], "2001:db8::1")]
    #[case::a_zone("10.0.0.1", &["fe80::1%eth0"], &["10.0.0.0/8"], "fe80::1")]
    #[case::a_zone_in_brackets("10.0.0.1", &["[fe80::1%25eth0]:80"], &["10.0.0.0/8"], "fe80::1")]
    #[case::spaces_and_tabs("10.0.0.1", &["6.6.6.6 ,\t1.1.1.1 \t"], &["10.0.0.0/8"], "1.1.1.1")]
    #[case::mapped_ipv4_in_brackets("10.0.0.1", &["[::FFFF:1.1.1.1]:80"], &["10.0.0.0/8"], "1.1.1.1")]
    #[case::empty_entries("10.0.0.1", &["6.6.6.6, 1.1.1.1, ,", ""], &["10.0.0.0/8"], "1.1.1.1")]
    #[case::nothing_but_empty_entries("10.0.0.1", &[" , ,"], &["10.0.0.0/8"], "10.0.0.1")]
    #[case::no_port_in_brackets("10.0.0.1", &["1.1.1.1, [2001:db8::1]x"], &["10.0.0.0/8"], "10.0.0.1")]
    #[case::an_open_bracket("10.0.0.1", &["1.1.1.1, [2001:db8::1"], &["10.0.0.0/8"], "10.0.0.1")]
    #[case::a_zone_on_ipv4("10.0.0.1", &["6.6.6.6, 1.1.1.1%eth0"], &["10.0.0.0/8"], "10.0.0.1")]
    #[case::a_name("10.0.0.1", &["6.6.6.6, visitor.example"], &["10.0.0.0/8"], "10.0.0.1")]
    #[case::unknown("10.0.0.1", &["6.6.6.6, unknown"], &["10.0.0.0/8"], "10.0.0.1")]
    #[case::without_the_header_the_peer("10.0.0.1", &[], &["10.0.0.0/8"], "10.0.0.1")]
    fn the_client_is(
        #[case] peer: &str,
        #[case] lines: &[&'static str],
        #[case] trusted: &[&str],
        #[case] expected: &str,
    ) {
        assert_eq!(client(peer, lines, trusted), expected);
    }
}
