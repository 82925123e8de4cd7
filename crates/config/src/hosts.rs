//! The hosts that a website answers to, in every spelling.

use std::net::Ipv6Addr;

use url::Host;

/// The hosts of a website. Any other name may be a foreign one that leads here (DNS rebinding).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// In lower case, with the port unless it is the default.
    own: Vec<String>,
    usual_port: u16,
}

impl Hosts {
    pub(crate) fn new(own: Vec<String>, usual_port: u16) -> Self {
        Self { own, usual_port }
    }

    /// Finds the host that a `Host` header or a target names. The default port, upper case, a final dot and the
    /// spelling of an international name make no difference.
    pub fn find(&self, named: &[u8]) -> Option<&str> {
        let own = || self.own.iter().map(String::as_str);
        own().find(|own| own.as_bytes() == named).or_else(|| {
            let named = self.read(str::from_utf8(named).ok()?)?;
            own().find(|own| self.read(own).as_ref() == Some(&named))
        })
    }

    fn read(&self, host: &str) -> Option<(String, u16)> {
        let (name, port) = if let Some(rest) = host.strip_prefix('[') {
            let (address, rest) = rest.split_once(']')?;
            let address: Ipv6Addr = address.parse().ok()?;
            (address.to_string(), if rest.is_empty() { rest } else { rest.strip_prefix(':')? })
        } else {
            let (name, port) = host.split_once(':').unwrap_or((host, ""));
            (name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase(), port)
        };
        let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
        let port = if port.is_empty() { self.usual_port } else { port.parse().ok().filter(|_| is_number)? };
        if name.is_ascii() {
            return Some((name, port));
        }
        let is_name =
            name.chars().all(|sign| !sign.is_ascii() || sign.is_ascii_alphanumeric() || ".-".contains(sign));
        match Host::parse(&name).ok().filter(|_| is_name)? {
            Host::Domain(name) => Some((name, port)),
            _ => None,
        }
    }
}

/// Whether a host is this machine, where plain http is safe.
pub fn is_this_machine(host: Option<&Host<&str>>) -> bool {
    match host {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::Origin;

    fn find(origin: &str, named: &str) -> Option<String> {
        Origin::parse(origin).unwrap().hosts().find(named.as_bytes()).map(str::to_owned)
    }

    #[test]
    fn every_spelling_of_the_own_host_is_the_own_host() {
        for (origin, canonical, spellings) in [
            (
                "https://label.example",
                "label.example",
                &[
                    "label.example",
                    "label.example:443",
                    "LABEL.Example",
                    "label.example.",
                    "Label.example.:443",
                    "label.example:",
                ][..],
            ),
            ("https://label.example:443", "label.example", &["label.example", "label.example:443"]),
            ("https://label.example.", "label.example", &["label.example", "label.example."]),
            (
                "https://label.example:8443",
                "label.example:8443",
                &["label.example:8443", "LABEL.example.:8443"],
            ),
            (
                "https://müller.example",
                "xn--mller-kva.example",
                &[
                    "xn--mller-kva.example",
                    "XN--MLLER-KVA.example:443",
                    "müller.example",
                    "MÜLLER.example.",
                    "mu\u{308}ller.example",
                ],
            ),
            ("https://xn--mller-kva.example", "xn--mller-kva.example", &["müller.example"]),
            ("http://[::1]:8080", "[::1]:8080", &["[::1]:8080", "[0:0:0:0:0:0:0:1]:8080"]),
            ("http://127.0.0.1:80", "localhost", &["localhost:80", "LOCALHOST.", "localhost"]),
        ] {
            for named in spellings {
                assert_eq!(find(origin, named).as_deref(), Some(canonical), "{origin} {named}");
            }
        }
    }

    #[test]
    fn another_host_is_not() {
        for (origin, named) in [
            ("https://label.example", "label.example:80"),
            ("https://label.example", "label.example:8443"),
            ("https://label.example", "label.example:+443"),
            ("https://label.example", "label.example:443:443"),
            ("https://label.example", "label.example.."),
            ("https://label.example", ".label.example"),
            ("https://label.example", "www.label.example"),
            ("https://label.example", "label.example.evil.example"),
            ("https://label.example", "label.example@evil.example"),
            ("https://label.example", "user@label.example"),
            ("https://label.example", "label.example/"),
            ("https://label.example", "label.example\\"),
            ("https://label.example", " label.example"),
            ("https://label.example", "label.example,label.example"),
            ("https://label.example", "%6Cabel.example"),
            ("https://label.example", "127.0.0.1"),
            ("https://label.example", "localhost"),
            ("https://label.example", ""),
            ("https://label.example", ":443"),
            ("https://müller.example", "muller.example"),
            ("http://127.0.0.1:8080", "127.0.0.1"),
            ("http://127.0.0.1:8080", "127.1:8080"),
            ("http://127.0.0.1:8080", "2130706433:8080"),
            ("http://127.0.0.1:8080", "[::ffff:127.0.0.1]:8080"),
            ("http://127.0.0.1:8080", "[::1]8080"),
            ("http://127.0.0.1:8080", "::1:8080"),
            ("http://localhost:8080", "localhost"),
        ] {
            assert_eq!(find(origin, named), None, "{origin} {named}");
        }
    }
}
