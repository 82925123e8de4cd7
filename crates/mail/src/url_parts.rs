//! Reads parts of the addresses of both mail servers.

use std::{borrow::Cow, net::IpAddr};

use url::{Host, Url};

/// Whether a URL names a loopback address.
pub(super) fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        // Where the scheme is not one of the web, IPv4 addresses are names too.
        Some(Host::Domain(name)) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
        }
        None => false,
    }
}

/// A part of a URL without its escapes, if that is UTF-8.
pub(super) fn decoded(part: &str) -> Option<String> {
    percent_encoding::percent_decode_str(part).decode_utf8().ok().map(Cow::into_owned)
}
