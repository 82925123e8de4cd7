//! Will a letter arrive? The circumstances by which mail servers judge a sender: its DNS records, its address, its links.
//!
//! The server looks things up; here they get a grade, one sentence, and the record to enter.

pub mod dmarc;
pub mod headers;
mod providers;
pub mod spf;

use serde::{Deserialize, Serialize};

use crate::{checked::refusals, span::HOUR};

pub use providers::is_free_mailbox;

/// How long what was looked up is kept.
pub const ARRIVAL_KEPT_MS: u64 = HOUR;
/// The longest wait for one answer of the DNS, and for the page to leave.
pub const LOOKUP_MS: u64 = 3_000;

refusals! {
    /// Refusals of reading back a letter.
    pub enum ArrivalError {
        Headers = "invalid_headers", "Paste the whole headers of a letter that arrived, at most 64 KB.";
        NoMailbox = "no_bounce_mailbox", "No letter can be read back: BOUNCE_URL or SMTP_URL is not set on the server.";
    }
}

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Grade {
    /// As mail servers want it.
    Pass,
    /// Some letters may not arrive.
    Warning,
    /// Many letters will not arrive.
    Fail,
    /// Not known.
    Info,
}

// In the order of the screen.
/// The subject of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ArrivalCheck {
    /// The address in `MAIL_FROM`.
    Sender,
    /// Which servers may send for the domain.
    Spf,
    /// Of a letter that was read back: the signature.
    Dkim,
    /// The policy for mail that is neither signed nor sent by such a server.
    Dmarc,
    /// Which servers take mail for the domain.
    Mx,
    /// The links in letters.
    Https,
    /// The link to leave, pressed by a mail program.
    Leave,
    /// The postal address below each letter.
    Postal,
}

/// A record to enter at the domain's DNS provider.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DnsRecord {
    /// The whole name.
    pub name: String,
    /// Such as `TXT`.
    pub kind: String,
    /// Its text.
    pub value: String,
}

impl DnsRecord {
    pub(crate) fn txt(name: &str, value: impl Into<String>) -> Self {
        Self { name: name.to_owned(), kind: "TXT".to_owned(), value: value.into() }
    }
}

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Finding {
    /// Its subject.
    pub check: ArrivalCheck,
    /// How it went.
    pub grade: Grade,
    /// One sentence for a person.
    pub text: String,
    /// The record to enter, where that is known.
    pub record: Option<DnsRecord>,
}

impl Finding {
    pub(crate) fn new(check: ArrivalCheck, grade: Grade, text: impl Into<String>) -> Self {
        Self { check, grade, text: text.into(), record: None }
    }

    pub(crate) fn with(self, record: Option<DnsRecord>) -> Self {
        Self { record, ..self }
    }
}

/// Whether a domain can be looked up as the label's own: it has a dot, and is not shared by the users of a mail service.
pub fn is_own_domain(domain: &str) -> bool {
    let is_address = domain.parse::<std::net::IpAddr>().is_ok();
    domain.contains('.') && !is_address && !is_free_mailbox(domain)
}

/// Judges the sender. `address` is `MAIL_FROM`, or made up where that is not set.
pub fn sender(address: &str, is_set: bool) -> Finding {
    let domain = address.rsplit_once('@').map_or(address, |(_, domain)| domain);
    let (grade, text) = if !is_set {
        (Grade::Fail, format!("MAIL_FROM is not set on the server, so letters come from {address}."))
    } else if is_free_mailbox(domain) {
        let text = format!(
            "{address} is at a mail service, which refuses letters that other servers send in its name: use an address at the label's own domain."
        );
        (Grade::Fail, text)
    } else if !is_own_domain(domain) {
        (Grade::Fail, format!("{domain} is no domain that other mail servers can look up."))
    } else {
        (Grade::Pass, format!("Letters come from {address}."))
    };
    Finding::new(ArrivalCheck::Sender, grade, text)
}

/// Stands for a check of a domain that is not the label's own.
pub fn not_looked_up(check: ArrivalCheck, domain: &str) -> Finding {
    let text = format!("Not looked up, because {domain} is not a domain of the label.");
    Finding::new(check, Grade::Info, text)
}

pub(crate) fn unanswered(check: ArrivalCheck, record: &str, domain: &str) -> Finding {
    Finding::new(check, Grade::Info, format!("The {record} of {domain} could not be looked up just now."))
}

/// Judges whether a domain takes mail: the names of its MX records, and whether it has an address. None of either could not be looked up.
///
/// ```
/// use rules::letter_arrival::{Grade, mx};
///
/// assert_eq!(mx("label.example", Some(&["mx.label.example".into()]), None).grade, Grade::Pass);
/// assert_eq!(mx("label.example", Some(&[]), Some(false)).grade, Grade::Fail);
/// ```
pub fn mx(domain: &str, names: Option<&[String]>, has_address: Option<bool>) -> Finding {
    let Some(names) = names else { return unanswered(ArrivalCheck::Mx, "MX record", domain) };
    let found = |grade, text: String| Finding::new(ArrivalCheck::Mx, grade, text);
    if names.iter().any(|name| matches!(&**name, "" | ".")) {
        return found(
            Grade::Fail,
            format!(
                "{domain} says that it takes no mail; many servers refuse letters that cannot be answered."
            ),
        );
    }
    if let Some(name) = names.first() {
        let name = name.trim_end_matches('.');
        let text = match names.len() {
            1 => format!("{name} takes mail for {domain}."),
            count => format!("{name} and others take mail for {domain}, {count} in all."),
        };
        return found(Grade::Pass, text);
    }
    match has_address {
        None => unanswered(ArrivalCheck::Mx, "MX record", domain),
        Some(true) => {
            let value = format!("10 {domain}.");
            found(
                Grade::Warning,
                format!("{domain} has no MX record; some servers refuse letters from such a domain. Enter the one of your mail provider, or this one if {domain} itself takes mail."),
            )
            .with(Some(DnsRecord { name: domain.to_owned(), kind: "MX".to_owned(), value }))
        }
        Some(false) => found(
            Grade::Fail,
            format!(
                "{domain} takes no mail: it has no MX record. Enter the one that your mail provider names."
            ),
        ),
    }
}

/// Judges the website's address, which the links in letters begin with.
pub fn https(origin: &str, is_https: bool) -> Finding {
    let (grade, text) = if is_https {
        (Grade::Pass, format!("Links in letters lead to {origin}."))
    } else {
        let text = format!(
            "Links in letters lead to {origin}: mail programs offer no button to leave without https. Set DEADWAX_PUBLIC_URL on the server."
        );
        (Grade::Fail, text)
    };
    Finding::new(ArrivalCheck::Https, grade, text)
}

/// Judges what the link to leave answered to a POST as mail programs send it: status, and whether the body was empty. None if it was not
/// reached.
pub fn leave(answer: Option<(u16, bool)>) -> Finding {
    let (grade, text) = match answer {
        Some((200, true)) => {
            (Grade::Pass, "The link to leave answers mail programs as it should.".to_owned())
        }
        Some((200, false)) => (
            Grade::Fail,
            "The link to leave is answered by another program than this one: look at the proxy in front of it.".to_owned(),
        ),
        Some((status @ 300..=399, _)) => (
            Grade::Fail,
            format!("The link to leave answers with a redirect ({status}), which mail programs do not follow."),
        ),
        Some((status, _)) => (
            Grade::Fail,
            format!("The link to leave answers mail programs with {status}: look at the proxy or firewall in front of the program."),
        ),
        None => (
            Grade::Info,
            "The link to leave was not reached from this machine; that need not mean that others do not reach it."
                .to_owned(),
        ),
    };
    Finding::new(ArrivalCheck::Leave, grade, text)
}

/// Judges the postal address below letters.
pub fn postal(address: &str) -> Finding {
    let (grade, text) = if address.trim().is_empty() {
        (
            Grade::Warning,
            "No postal address stands below letters, which many countries require: enter it under PACE AND ADDRESS.",
        )
    } else {
        (Grade::Pass, "The postal address stands below each letter.")
    };
    Finding::new(ArrivalCheck::Postal, grade, text)
}
