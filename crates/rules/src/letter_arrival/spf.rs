//! SPF (RFC 7208): which servers may send mail for a domain.
//!
//! A record is parsed here; the server follows the names in it, and reports where that led as [`Reach`].

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::{
    ArrivalCheck, DnsRecord, Finding, Grade,
    providers::{have_one_owner, spf_name},
    unanswered,
};

/// Lookups that a record may cause; servers ignore one that needs more.
pub const SPF_LOOKUPS_MAX: u32 = 10;
/// A longer record is not proposed.
const RECORD_MAX: usize = 450;

/// The result for mail of servers that a record does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rest {
    /// `+all`: anyone may send.
    Anyone,
    /// `?all`, or no end: nothing is said.
    Open,
    /// `~all`: suspicious.
    Suspicious,
    /// `-all`: refused.
    Refused,
}

/// Senders that a record allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// A network: an address, and how many of its bits count.
    Network(IpAddr, u8),
    /// The addresses of a name, and their neighbours by so many bits.
    Addresses(Option<String>, u8, u8),
    /// The addresses of the servers that take mail for a name.
    MailServers(Option<String>, u8, u8),
    /// Whatever the record of another name allows.
    Include(String),
    /// It costs a lookup, and cannot be followed.
    Opaque,
}

/// A parsed record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spf {
    /// The senders that it allows, in order.
    pub terms: Vec<Term>,
    /// Its end.
    pub rest: Rest,
    /// The name whose record holds instead, if nothing matched; with macros it cannot be looked up.
    pub redirect: Option<String>,
}

/// Where following a record led.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Reach {
    /// Names whose records are included.
    pub names: Vec<String>,
    /// Whether an address of the mail server is allowed.
    pub covers: bool,
    /// Lookups that it took.
    pub lookups: u32,
    /// The end of the record, or of the one that it leads to.
    pub rest: Option<Rest>,
    /// A record in it cannot be read, or is missing.
    pub is_broken: bool,
    /// Something could not be looked up.
    pub is_partial: bool,
}

/// The SPF records among the texts of a name.
pub fn records(texts: &[String]) -> Vec<String> {
    let is_one = |text: &&String| {
        let start = text.split(' ').next().unwrap_or_default();
        start.eq_ignore_ascii_case("v=spf1")
    };
    texts.iter().filter(is_one).cloned().collect()
}

/// Parses a record. None if it breaks the rules, and counts as none.
///
/// ```
/// use rules::letter_arrival::spf::{Rest, Term, parse};
///
/// let spf = parse("v=spf1 include:mail.example ~all").unwrap();
/// assert_eq!((spf.terms, spf.rest), (vec![Term::Include("mail.example".into())], Rest::Suspicious));
/// assert_eq!(parse("v=spf1 including:mail.example"), None);
/// ```
pub fn parse(record: &str) -> Option<Spf> {
    let (mut terms, mut end, mut redirect) = (Vec::new(), None, None);
    for word in record.split(' ').skip(1).filter(|word| !word.is_empty()) {
        let sign = word.chars().next().filter(|first| "+-~?".contains(*first));
        let body = word.strip_prefix(['+', '-', '~', '?']).unwrap_or(word);
        let at = body.find([':', '/', '=']).unwrap_or(body.len());
        let (name, argument) = body.split_at(at);
        match (name.to_ascii_lowercase().as_str(), argument.strip_prefix('=')) {
            ("redirect", Some(value)) => {
                redirect = Some(if value.contains('%') { value.to_owned() } else { plain_name(value)? });
            }
            (_, Some(_)) => {}
            ("all", None) => {
                end.get_or_insert(match sign {
                    None | Some('+') => Rest::Anyone,
                    Some('?') => Rest::Open,
                    Some('~') => Rest::Suspicious,
                    Some(_) => Rest::Refused,
                });
            }
            (name, None) => {
                // Behind the end too: a broken one breaks the record.
                let term = term(name, argument)?;
                let allows = matches!(sign, None | Some('+'));
                if end.is_none() && (allows || !matches!(term, Term::Network(..))) {
                    terms.push(if allows { term } else { Term::Opaque });
                }
            }
        }
    }
    Some(Spf { terms, redirect: redirect.filter(|_| end.is_none()), rest: end.unwrap_or(Rest::Open) })
}

fn term(name: &str, argument: &str) -> Option<Term> {
    let named = argument.strip_prefix(':');
    Some(match name {
        "ip4" | "ip6" => {
            let (address, bits) = named?.split_once('/').map_or((named?, None), |(a, bits)| (a, Some(bits)));
            let address: IpAddr = address.parse().ok()?;
            let most = if address.is_ipv4() { 32 } else { 128 };
            if address.is_ipv4() != (name == "ip4") {
                return None;
            }
            Term::Network(address, bits.map_or(Some(most), |bits| prefix(bits, most))?)
        }
        "a" | "mx" => {
            let (domain, bits) = match argument.find('/') {
                Some(at) => argument.split_at(at),
                None => (argument, ""),
            };
            let (four, six) = bits.split_once("//").map_or((bits, None), |(four, six)| (four, Some(six)));
            let four = four.strip_prefix('/').map_or(Some(32), |bits| prefix(bits, 32))?;
            let six = six.map_or(Some(128), |bits| prefix(bits, 128))?;
            let domain = match domain.strip_prefix(':') {
                None => None,
                Some(domain) if domain.contains('%') => return Some(Term::Opaque),
                Some(domain) => Some(plain_name(domain)?),
            };
            if name == "a" {
                Term::Addresses(domain, four, six)
            } else {
                Term::MailServers(domain, four, six)
            }
        }
        "include" if named?.contains('%') => Term::Opaque,
        "include" => Term::Include(plain_name(named?)?),
        "exists" => named.filter(|name| !name.is_empty()).map(|_| Term::Opaque)?,
        "ptr" => Term::Opaque,
        _ => return None,
    })
}

fn prefix(bits: &str, most: u8) -> Option<u8> {
    bits.parse().ok().filter(|bits| *bits <= most)
}

fn plain_name(name: &str) -> Option<String> {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let is_name = !name.is_empty()
        && name.len() <= 253
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    is_name.then_some(name)
}

/// Whether two addresses are equal in their first bits.
pub fn is_within(address: IpAddr, network: IpAddr, bits: u8) -> bool {
    let equal = |one: u128, other: u128, size: u32| {
        let shift = size.saturating_sub(u32::from(bits));
        one.checked_shr(shift).unwrap_or(0) == other.checked_shr(shift).unwrap_or(0)
    };
    match (address, network) {
        (IpAddr::V4(one), IpAddr::V4(other)) => equal(u32::from(one).into(), u32::from(other).into(), 32),
        (IpAddr::V6(one), IpAddr::V6(other)) => equal(one.into(), other.into(), 128),
        _ => false,
    }
}

/// Judges the records of a domain. `host` is the mail server that letters are handed to, if it is not this machine; None of `records` could
/// not be looked up.
pub fn finding(domain: &str, records: Option<&[String]>, reach: &Reach, host: Option<&str>) -> Finding {
    let Some(records) = records else { return unanswered(ArrivalCheck::Spf, "SPF record", domain) };
    let found = |grade, text: String| Finding::new(ArrivalCheck::Spf, grade, text);
    let known = host.and_then(spf_name);
    let by_host = |host: &str| match host.parse() {
        Ok(IpAddr::V4(ip)) => format!("ip4:{ip}"),
        Ok(IpAddr::V6(ip)) => format!("ip6:{ip}"),
        Err(_) => format!("a:{host}"),
    };
    let mechanism = known.map(|name| format!("include:{name}")).or_else(|| host.map(by_host));
    let missing = mechanism.clone().filter(|_| !covers(reach, host));
    let entry =
        |mechanism: Option<&str>| proposed(records, mechanism).map(|value| DnsRecord::txt(domain, value));
    match records {
        [] => {
            let text = format!("{domain} has no SPF record, so no server may send for it.");
            let mechanism = mechanism.as_deref().unwrap_or("mx");
            return found(Grade::Fail, text).with(entry(Some(mechanism)));
        }
        [_] => {}
        _ => {
            let text = format!(
                "{domain} has {} SPF records, which count as none: put them into one.",
                records.len()
            );
            return found(Grade::Fail, text).with(entry(missing.as_deref()));
        }
    }
    if reach.is_broken {
        let text = format!(
            "The SPF record of {domain}, or one that it includes, breaks the rules and counts as none."
        );
        return found(Grade::Fail, text);
    }
    if reach.lookups > SPF_LOOKUPS_MAX {
        let text = format!(
            "The SPF record of {domain} needs more than {SPF_LOOKUPS_MAX} lookups and counts as none: leave out what does not send."
        );
        return found(Grade::Fail, text);
    }
    if reach.rest == Some(Rest::Anyone) {
        let text =
            format!("The SPF record of {domain} ends in +all, so anyone may send for it: end it in ~all.");
        return found(Grade::Fail, text).with(entry(missing.as_deref()));
    }
    if reach.is_partial && (missing.is_some() || reach.rest.is_none()) {
        return unanswered(ArrivalCheck::Spf, "whole SPF record", domain);
    }
    if let (Some(host), Some(mechanism)) = (host, missing.as_deref()) {
        let text = if known.is_some() {
            format!("The SPF record of {domain} does not include {host}.")
        } else {
            format!(
                "The SPF record of {domain} does not seem to include {host}: enter it, or what its provider names."
            )
        };
        return found(Grade::Warning, text).with(entry(Some(mechanism)));
    }
    let end = match reach.rest {
        Some(Rest::Suspicious) => "~all",
        Some(Rest::Refused) => "-all",
        _ => {
            let text = format!(
                "The SPF record of {domain} does not end in ~all or -all, so servers make nothing of it."
            );
            return found(Grade::Warning, text).with(entry(None));
        }
    };
    let includes = host.map_or_else(String::new, |host| format!(" includes {host} and"));
    found(Grade::Pass, format!("The SPF record of {domain}{includes} ends in {end}."))
}

/// Whether the record allows the mail server, as far as that is known.
fn covers(reach: &Reach, host: Option<&str>) -> bool {
    let Some(host) = host else { return true };
    let known = spf_name(host);
    reach.covers || reach.names.iter().any(|name| known == Some(name.as_str()) || have_one_owner(name, host))
}

/// The records as one, with a mechanism in front and an end.
fn proposed(records: &[String], mechanism: Option<&str>) -> Option<String> {
    let mut words: Vec<&str> = vec!["v=spf1"];
    words.extend(mechanism);
    let is_all = |word: &str| word.trim_start_matches(['+', '-', '~', '?']).eq_ignore_ascii_case("all");
    let is_strict =
        !records.is_empty() && records.iter().all(|record| record.split(' ').any(|word| word == "-all"));
    for word in records.iter().flat_map(|record| record.split(' ').skip(1)) {
        if !word.is_empty() && !is_all(word) && !words.contains(&word) {
            words.push(word);
        }
    }
    let leads_elsewhere = words.iter().any(|word| word.to_ascii_lowercase().starts_with("redirect="));
    if !leads_elsewhere {
        words.push(if is_strict { "-all" } else { "~all" });
    } else if records.len() > 1 {
        return None;
    }
    let record = words.join(" ");
    (record.len() <= RECORD_MAX).then_some(record)
}
