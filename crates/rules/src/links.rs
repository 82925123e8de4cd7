//! Recognises links that mail programs would create. Used by the server only: its list of top-level domains is larger than all
//! rules of the browser.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::text;

/// The top-level domains of the Public Suffix List of February 2023, in all scripts. File names that end in one (`.zip`,
/// `.mov`, `.sh`) become links; names such as `Dr.Dre` do not.
const TOP_LEVEL_DOMAINS: &str = include_str!("top_level_domains.txt");

/// Top-level domains for documentation and local networks (RFC 2606, RFC 6762).
const MORE_DOMAINS: [&str; 5] = ["example", "invalid", "local", "localhost", "test"];

/// Schemes that become links without slashes after them.
const SCHEMES: [&str; 12] = [
    "callto",
    "data",
    "facetime",
    "file",
    "javascript",
    "magnet",
    "sip",
    "skype",
    "sms",
    "tel",
    "whatsapp",
    "xmpp",
];

/// Whether mail programs would create a link from a part of the line, including bare host names such as `label.com/x` and mail
/// addresses.
///
/// ```
/// use rules::links::has_link;
///
/// assert!(has_link("paypal-refund.zip") && has_link("pay at evil.com"));
/// assert!(!has_link("Dr.Dre") && !has_link("set v1.2.wav"));
/// ```
pub fn has_link(line: &str) -> bool {
    // Invisible characters do not separate words for a reader.
    let line: String =
        line.chars().filter(|c| !text::is_ignorable(*c)).nfkc().flat_map(char::to_lowercase).collect();
    let has_scheme = line.match_indices(':').any(|(place, _)| {
        let word = line[..place].rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        SCHEMES.contains(&word)
    });
    has_host(&line)
        || has_scheme
        || line.contains("://")
        || line.contains('@')
        || line.contains("\\\\")
        || line.split_whitespace().any(is_address)
}

/// Whether a dot separates the labels of a host name.
fn has_host(line: &str) -> bool {
    let mut points = line.char_indices().filter(|(_, c)| matches!(c, '.' | '。'));
    points.any(|(place, point)| {
        let (before, behind) = (&line[..place], &line[place + point.len_utf8()..]);
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        !word.is_empty() && (word == "www" && behind.starts_with(char::is_alphanumeric) || is_domain(behind))
    })
}

/// Whether a text begins with a top-level domain.
fn is_domain(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphabetic() && !is_combining_mark(c)).unwrap_or(text.len());
    let (label, rest) = text.split_at(end);
    if rest.starts_with(|c: char| c.is_ascii_digit() || c == '_') {
        return false;
    }
    label == "xn" && rest.starts_with("--")
        || MORE_DOMAINS.contains(&label)
        || TOP_LEVEL_DOMAINS.split_whitespace().any(|domain| domain == label)
}

fn is_address(word: &str) -> bool {
    let host = word.split(['/', ':']).next().unwrap_or_default();
    host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_make_a_link_of_is_one() {
        for line in [
            "evil.com",
            "EVIL.COM",
            "evil｡com/login",
            "evil\u{2024}com",
            "ｅｖｉｌ．ｃｏｍ",
            "evil\u{ad}.com",
            "evil.\u{ad}com",
            "evil\u{fe0f}.com",
            "evil.c\u{200b}om",
            "evil.com-login",
            "evil.co.uk",
            "evil.xn--p1ai",
            "злой.рф",
            "悪.みんな",
            "paypal-refund.zip",
            "holiday.mov",
            "run.sh",
            "label.example",
            "www.evil-login",
            "1.2.3.4/login",
            "at 10.0.0.1:8080",
            "\\\\evil\\share",
            "file:\\\\evil\\x",
            "tel:+1555",
            "call Skype:evil?call",
            "me@evil.example",
            "https://x",
        ] {
            assert!(has_link(line), "{line:?}");
        }
        for line in [
            "Dr.Dre",
            "Hieroglyphic.Being",
            "M.I.A.",
            "T.Raumschmiere",
            "St.Étienne",
            "No.2.Set",
            "track.wav",
            "set.master.flac",
            "mix.aiff",
            "Mod:ular",
            "Nova & Söhne",
            "set v1.2 final",
            "St. Vincent",
            "Vol. 2: Ash",
            "1.2.3",
            "12.30.45.999",
            "AC/DC",
        ] {
            assert!(!has_link(line), "{line:?}");
        }
    }
}
