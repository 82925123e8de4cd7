//! Mail services: whose addresses many people share, and the SPF record of those who send for others.

/// Domains whose addresses anyone can have.
const FREE: &[&str] = &[
    "126.com",
    "163.com",
    "arcor.de",
    "bluewin.ch",
    "bluemail.ch",
    "btinternet.com",
    "comcast.net",
    "email.com",
    "email.cz",
    "fastmail.com",
    "fastmail.fm",
    "foxmail.com",
    "free.fr",
    "freenet.de",
    "gmail.com",
    "googlemail.com",
    "hey.com",
    "hushmail.com",
    "icloud.com",
    "inbox.lv",
    "interia.pl",
    "laposte.net",
    "libero.it",
    "live.co.uk",
    "live.com",
    "live.de",
    "live.fr",
    "live.it",
    "live.nl",
    "mac.com",
    "mail.com",
    "mail.de",
    "mail.ru",
    "mailbox.org",
    "me.com",
    "msn.com",
    "naver.com",
    "o2.pl",
    "onet.pl",
    "orange.fr",
    "pm.me",
    "posteo.de",
    "posteo.net",
    "proton.me",
    "protonmail.ch",
    "protonmail.com",
    "qq.com",
    "rambler.ru",
    "riseup.net",
    "rocketmail.com",
    "seznam.cz",
    "sfr.fr",
    "t-online.de",
    "telenet.be",
    "tiscali.it",
    "tuta.com",
    "tuta.io",
    "tutanota.com",
    "tutanota.de",
    "verizon.net",
    "virgilio.it",
    "wanadoo.fr",
    "web.de",
    "wp.pl",
    "ymail.com",
    "ziggo.nl",
    "zoho.com",
];

/// Services with an address in many countries, such as `yahoo.co.uk`.
const FREE_EVERYWHERE: &[&str] = &["aol", "gmx", "hotmail", "outlook", "yahoo", "yandex"];

/// Hosts of `SMTP_URL`, by their end, and the name that an SPF record includes for them.
const SPF_NAMES: &[(&str, &str)] = &[
    ("amazonaws.com", "amazonses.com"),
    ("brevo.com", "spf.brevo.com"),
    ("elasticemail.com", "_spf.elasticemail.com"),
    ("fastmail.com", "spf.messagingengine.com"),
    ("gandi.net", "_mailcust.gandi.net"),
    ("gmail.com", "_spf.google.com"),
    ("google.com", "_spf.google.com"),
    ("infomaniak.com", "spf.infomaniak.ch"),
    ("ionos.de", "_spf-eu.ionos.com"),
    ("mailbox.org", "mailbox.org"),
    ("mailersend.net", "_spf.mailersend.net"),
    ("mailgun.org", "mailgun.org"),
    ("mailjet.com", "spf.mailjet.com"),
    ("mandrillapp.com", "spf.mandrillapp.com"),
    ("messagingengine.com", "spf.messagingengine.com"),
    ("migadu.com", "spf.migadu.com"),
    ("office365.com", "spf.protection.outlook.com"),
    ("outlook.com", "spf.protection.outlook.com"),
    ("ovh.net", "mx.ovh.com"),
    ("postmarkapp.com", "spf.mtasv.net"),
    ("protonmail.ch", "_spf.protonmail.ch"),
    ("scaleway.com", "_spf.tem.scaleway.com"),
    ("sendgrid.net", "sendgrid.net"),
    ("sendinblue.com", "spf.sendinblue.com"),
    ("smtp2go.com", "spf.smtp2go.com"),
    ("sparkpostmail.com", "sparkpostmail.com"),
    ("zoho.com", "zohomail.com"),
    ("zoho.eu", "zohomail.eu"),
];

/// Whether anyone can have an address at this domain.
///
/// ```
/// use rules::letter_arrival::is_free_mailbox;
///
/// assert!(is_free_mailbox("Gmail.com") && is_free_mailbox("yahoo.co.uk"));
/// assert!(!is_free_mailbox("yahoo.label.example"));
/// ```
pub fn is_free_mailbox(domain: &str) -> bool {
    let domain = domain.trim_end_matches('.').to_ascii_lowercase();
    let Some((name, end)) = domain.split_once('.') else { return false };
    let is_end = match end.split_once('.') {
        None => true,
        Some((second, country)) => matches!(second, "co" | "com") && country.len() == 2,
    };
    FREE.contains(&&*domain) || (is_end && FREE_EVERYWHERE.contains(&name))
}

/// The name that an SPF record includes for a mail server, if its provider is known.
pub(super) fn spf_name(host: &str) -> Option<&'static str> {
    SPF_NAMES.iter().find(|(end, _)| is_below(host, end)).map(|(_, name)| *name)
}

/// Whether two names are of one owner, by their last two parts, or three as in `label.co.uk`.
pub(super) fn have_one_owner(one: &str, other: &str) -> bool {
    let (one, other) = (owner(one), owner(other));
    one.contains('.') && one == other
}

fn owner(name: &str) -> String {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let parts: Vec<_> = name.split('.').collect();
    let is_short = |at: usize, most| parts.len().checked_sub(at).is_some_and(|at| parts[at].len() <= most);
    let count = if parts.len() > 2 && is_short(1, 2) && is_short(2, 3) { 3 } else { 2 };
    parts[parts.len().saturating_sub(count)..].join(".")
}

fn is_below(name: &str, end: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
