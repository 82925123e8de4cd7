//! Parsers of setting values, as people type them and as environment files quote them.

use std::{
    ffi::OsString,
    fmt::Display,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
};

use ipnet::{IpNet, Ipv4Net};
use secrecy::SecretString;
use url::Url;

use crate::hosts::is_this_machine;

/// Why a start was refused, in one line for the person who set it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

/// The value without surrounding blanks and quotes; `None` if empty.
pub(crate) fn text(setting: &'static str, given: Option<OsString>) -> Result<Option<String>, ConfigError> {
    let Some(given) = given else { return Ok(None) };
    let text = given.into_string().map_err(|_| wrong(setting, "", "it must be UTF-8"))?;
    Ok(Some(bare(&text).to_owned()).filter(|text| !text.is_empty()))
}

pub(crate) fn secret(
    setting: &'static str,
    given: Option<OsString>,
) -> Result<Option<SecretString>, ConfigError> {
    Ok(text(setting, given)?.map(SecretString::from))
}

/// A path, which may be no UTF-8.
pub(crate) fn path(given: Option<OsString>) -> Option<PathBuf> {
    let path = given?.into_string().map_or_else(PathBuf::from, |text| PathBuf::from(bare(&text)));
    (!path.as_os_str().is_empty()).then_some(path)
}

/// Environment files of containers keep quotes as part of a value.
fn bare(text: &str) -> &str {
    let is_blank = |sign: char| sign.is_whitespace() || matches!(sign, '\u{200b}' | '\u{feff}');
    let text = text.trim_matches(is_blank);
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inside.contains(quote)).then(|| inside.trim_matches(is_blank))
    });
    quoted.unwrap_or(text)
}

/// An error with a value that would work. A value with an `@` may hold a password, and is not repeated.
pub(crate) fn wrong(setting: &'static str, text: &str, why: impl Display) -> ConfigError {
    ConfigError(if text.is_empty() || text.contains('@') {
        format!("{setting}: {why}")
    } else {
        format!("{setting}: {}: {why}", text.escape_debug())
    })
}

/// The address of a DNS server, with or without a port.
pub(crate) fn dns_server(setting: &'static str, text: &str) -> Result<SocketAddr, ConfigError> {
    let alone = text.trim_matches(['[', ']']).parse::<IpAddr>().map(|ip| SocketAddr::new(ip, 53));
    let found = text.parse().or(alone);
    found.map_err(|_| {
        wrong(setting, text, "write the address of a DNS server, such as 9.9.9.9 or 127.0.0.1:5353")
    })
}

/// An address to listen on. A port alone is on this machine, a port after a colon on all its addresses.
pub(crate) fn listen(
    setting: &'static str,
    text: &str,
    usual_port: Option<u16>,
) -> Result<SocketAddr, ConfigError> {
    let read = || {
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, rest)) => (host, rest.strip_prefix(':').or(rest.is_empty().then_some(""))?),
            None if text.parse::<Ipv6Addr>().is_ok() => (text, ""),
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => ("localhost", text),
            None => text.rsplit_once(':').unwrap_or((text, "")),
        };
        let ip = match host.to_ascii_lowercase().as_str() {
            "" | "*" if port.is_empty() => return None,
            "" | "*" => Ipv4Addr::UNSPECIFIED.into(),
            "localhost" => Ipv4Addr::LOCALHOST.into(),
            host => host.parse::<IpAddr>().ok()?,
        };
        Some(SocketAddr::new(ip, if port.is_empty() { usual_port? } else { port.parse().ok()? }))
    };
    read().ok_or_else(|| {
        wrong(
            setting,
            text,
            "write an address and a port, such as 127.0.0.1:8080, or 0.0.0.0:8080 for all addresses",
        )
    })
}

/// The address of a website; the part behind its origin is checked later.
pub(crate) fn website(setting: &'static str, text: &str) -> Result<Url, ConfigError> {
    let has_scheme = text.split_once(':').is_some_and(|(scheme, rest)| {
        rest.starts_with("//") || scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")
    });
    if has_scheme {
        return Url::parse(text).map_err(|_| wrong(setting, text, "write it as https://label.example"));
    }
    let why = match Url::parse(&format!("https://{text}")) {
        Ok(url) if is_this_machine(url.host().as_ref()) => format!("write http://{text}"),
        Ok(_) if !text.contains('@') => format!("write https://{text}"),
        _ => "write it as https://label.example".to_owned(),
    };
    Err(wrong(setting, text, why))
}

/// An http or https address, which may be secret.
pub(crate) fn secret_address(
    setting: &'static str,
    given: Option<OsString>,
) -> Result<Option<SecretString>, ConfigError> {
    let Some(text) = text(setting, given)? else { return Ok(None) };
    let is_address = |url: Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    if Url::parse(&text).is_ok_and(is_address) {
        return Ok(Some(SecretString::from(text)));
    }
    Err(wrong(setting, "", "write it as https://ping.example/…"))
}

pub(crate) fn choice<T: Copy>(
    setting: &'static str,
    text: &str,
    words: [(&str, T); 2],
) -> Result<T, ConfigError> {
    let chosen = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
    let [(one, _), (other, _)] = words;
    chosen.map(|(_, value)| *value).ok_or_else(|| wrong(setting, text, format!("must be {one} or {other}")))
}

/// Addresses and networks, separated by commas or blanks; an address alone is a network of one.
pub(crate) fn networks(setting: &'static str, text: &str) -> Result<Vec<IpNet>, ConfigError> {
    let parts = text
        .split(|sign: char| sign.is_whitespace() || matches!(sign, ',' | ';'))
        .filter(|part| !part.is_empty());
    let mut networks = Vec::new();
    for part in parts {
        if part.eq_ignore_ascii_case("localhost") {
            networks.extend([
                IpNet::from(IpAddr::from(Ipv4Addr::LOCALHOST)),
                IpAddr::from(Ipv6Addr::LOCALHOST).into(),
            ]);
            continue;
        }
        let address = part.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(part);
        let network = part.parse().or_else(|_| address.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
            let part = part.escape_debug();
            wrong(
                setting,
                "",
                format!("{part} is neither an address nor a network; write 127.0.0.1 or 10.0.0.0/8"),
            )
        })?;
        networks.push(as_ipv4(network));
    }
    Ok(networks)
}

/// IPv4 peers of an IPv6 socket count as IPv4.
fn as_ipv4(network: IpNet) -> IpNet {
    let IpNet::V6(mapped) = network else { return network };
    let found = mapped.addr().to_ipv4_mapped().zip(mapped.prefix_len().checked_sub(96));
    found.and_then(|(ip, length)| Ipv4Net::new(ip, length).ok()).map_or(network, IpNet::V4)
}

pub(crate) fn one_line(setting: &'static str, text: String) -> Result<String, ConfigError> {
    if text.chars().any(char::is_control) {
        return Err(wrong(setting, &text, "must be one line"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_a_value_is_no_part_of_it() {
        for (given, read) in [
            ("", None),
            ("  ", None),
            ("\"\"", None),
            ("' '", None),
            (" a ", Some("a")),
            ("\"a b\"", Some("a b")),
            ("'a'\n", Some("a")),
            ("\u{feff}a\u{200b}\r\n", Some("a")),
            ("\" a \"", Some("a")),
            ("\"a", Some("\"a")),
            ("\"A\" and \"B\"", Some("\"A\" and \"B\"")),
            ("\"", Some("\"")),
        ] {
            assert_eq!(text("X", Some(given.into())), Ok(read.map(str::to_owned)), "{given:?}");
            assert_eq!(path(Some(given.into())), read.map(PathBuf::from), "{given:?}");
        }
    }

    #[test]
    fn an_address_to_listen_on_is_read_as_people_type_it() {
        for (typed, read) in [
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("8080", "127.0.0.1:8080"),
            (":8080", "0.0.0.0:8080"),
            ("*:8080", "0.0.0.0:8080"),
            ("localhost:8080", "127.0.0.1:8080"),
            ("LocalHost", "127.0.0.1:80"),
            ("0.0.0.0", "0.0.0.0:80"),
            ("[::]:8080", "[::]:8080"),
            ("[::]", "[::]:80"),
            ("::1", "[::1]:80"),
            ("127.0.0.1:0", "127.0.0.1:0"),
        ] {
            assert_eq!(
                listen("X", typed, Some(80)).map(|address| address.to_string()),
                Ok(read.to_owned()),
                "{typed}"
            );
        }
        for typed in [
            "nowhere",
            "label.example:8080",
            "99999",
            ":",
            "*",
            "127.0.0.1:",
            "[::1]8080",
            "http://127.0.0.1:8080",
            "127.0.0.1:x",
            "localhost",
        ] {
            let error = listen("X", typed, None).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("X: {typed}: write an address and a port, such as ")),
                "{error}"
            );
        }
    }

    #[test]
    fn the_address_of_a_website_has_a_scheme() {
        for (typed, said) in [
            ("label.example", "X: label.example: write https://label.example"),
            ("label.example:8443", "X: label.example:8443: write https://label.example:8443"),
            ("localhost:8080", "X: localhost:8080: write http://localhost:8080"),
            ("https://", "X: https://: write it as https://label.example"),
            ("the label", "X: the label: write it as https://label.example"),
            ("me:hunter2@label.example", "X: write it as https://label.example"),
        ] {
            assert_eq!(website("X", typed).unwrap_err().to_string(), said, "{typed}");
        }
        assert_eq!(
            website("X", "HTTPS://Label.example").map(String::from),
            Ok("https://label.example/".to_owned())
        );
    }

    #[test]
    fn a_secret_address_is_not_repeated() {
        assert!(secret_address("X", Some("https://ping.example/1234".into())).unwrap().is_some());
        for wrong in ["hunter2", "ftp://hunter2.example", "https://", "/hunter2"] {
            let error = secret_address("X", Some(wrong.into())).unwrap_err().to_string();
            assert_eq!(error, "X: write it as https://ping.example/…");
        }
    }

    #[test]
    fn an_address_alone_is_a_network_of_one() {
        let read =
            |text| networks("X", text).map(|found| found.iter().map(IpNet::to_string).collect::<Vec<_>>());
        assert_eq!(read("127.0.0.1"), Ok(vec!["127.0.0.1/32".to_owned()]));
        let several = ["10.0.0.0/8", "::1/128", "fd00::/8"].map(str::to_owned);
        assert_eq!(read(" 10.0.0.0/8 ,[::1],, FD00::/8,"), Ok(several.to_vec()));
        assert_eq!(read("10.0.0.0/8 ::1;fd00::/8"), Ok(several.to_vec()));
        assert_eq!(read("::ffff:10.0.0.0/104"), Ok(vec!["10.0.0.0/8".to_owned()]));
        assert_eq!(read("localhost"), Ok(vec!["127.0.0.1/32".to_owned(), "::1/128".to_owned()]));
        for (wrong, said) in [("everybody", "everybody"), ("::1,10.0.0.0/99", "10.0.0.0/99"), ("1 2", "1")] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(
                error.contains(&format!("{said} is neither an address nor a network; write ")),
                "{error}"
            );
        }
    }
}
