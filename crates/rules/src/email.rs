//! E-mail addresses: how they are normalised, compared and recognised.
//!
//! No pattern engine and no tables of letters: an address is read once, byte by byte. International domains are
//! recognised and refused with a text of their own, see [`Email::parse`].

use serde::{Serialize, Serializer};
use validator::ValidationError;

use crate::checked::{refusals, untitled};
use crate::text;

/// The longest address, in characters (RFC 5321 leaves 254 for the path without its brackets).
pub const EMAIL_MAX: usize = 254;
/// The longest part before the `@` (RFC 5321).
pub const LOCAL_MAX: usize = 64;
/// The longest part between two dots after the `@` (RFC 1035).
pub const LABEL_MAX: usize = 63;

/// The longest text in which an address is looked for, in characters: a name, and the address twice.
const PASTED_MAX: usize = 1_000;

refusals! {
    /// Why an address was refused.
    pub enum EmailError {
        Invalid = "email_invalid", "Please enter a valid email address";
        DomainNotAscii = "email_domain_not_ascii", "Please enter the part after the @ in its ASCII form (xn--...)";
    }
}
untitled!(EmailError);

/// An address as it is stored, compared and written to: trimmed, ASCII, lower case.
///
/// Only [`Email::parse`] makes one, so it holds no white space, no control character and nothing that could end a
/// mail header. One mailbox is one account: the stored form is also the key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(type = "string"))]
pub struct Email(String);

impl Email {
    /// Reads an address, as [`tidied`] finds it in a typed text: the part before the `@` is dot-separated letters, digits and ``!#$%&'*+-/=?^_`{|}~`` (RFC
    /// 5322 without quoting), at most 64; the domain has at least one dot, labels of letters, digits and inner
    /// hyphens, and an end that is not a number.
    ///
    /// A domain in another script is refused with [`EmailError::DomainNotAscii`] and not as malformed: whoever can
    /// convert it (the server, with an IDNA library) does so first and parses the `xn--` form, which is accepted
    /// like any other. The part before the `@` is never converted: look-alike letters there are how accounts are
    /// stolen.
    ///
    /// ```
    /// use rules::email::{Email, EmailError};
    ///
    /// assert_eq!(Email::parse(" Max@Example.org ").unwrap().as_str(), "max@example.org");
    /// assert_eq!(Email::parse("max@example"), Err(EmailError::Invalid));
    /// assert_eq!(Email::parse("max@\u{e4}rzte.example"), Err(EmailError::DomainNotAscii));
    /// ```
    pub fn parse(input: &str) -> Result<Self, EmailError> {
        let address = tidied(input);
        let (local, domain) = address.split_once('@').ok_or(EmailError::Invalid)?;
        if text::is_longer(&address, EMAIL_MAX) || !is_local_part(local) {
            return Err(EmailError::Invalid);
        }
        if !domain.is_ascii() {
            let ascii = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
            let foreign = |c: char| !c.is_ascii() && !c.is_control() && !c.is_whitespace();
            let convertible = domain.chars().all(|c| ascii(c) || foreign(c));
            return Err(if convertible { EmailError::DomainNotAscii } else { EmailError::Invalid });
        }
        if is_domain(domain) { Ok(Self(address.to_ascii_lowercase())) } else { Err(EmailError::Invalid) }
    }

    /// Carries on an address that has passed [`is_email`] as a form field.
    pub(crate) fn of_validated(input: &str) -> Self {
        Self(normalise(input))
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands before the `@`.
    pub fn local(&self) -> &str {
        self.0.split('@').next().unwrap_or_default()
    }

    /// What stands after the `@`.
    pub fn domain(&self) -> &str {
        self.0.split('@').nth(1).unwrap_or_default()
    }

    /// The address as an owned string.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl Serialize for Email {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// The predicate of a form field that holds an address.
pub(crate) fn is_email(input: &str) -> Result<(), ValidationError> {
    Email::parse(input).map(drop).map_err(ValidationError::from)
}

/// The form in which addresses are compared and looked up: tidied and in ASCII lower case, valid or not.
///
/// ```
/// assert_eq!(rules::email::normalise(" Max@Example.org\n"), "max@example.org");
/// ```
pub fn normalise(input: &str) -> String {
    tidied(input).to_ascii_lowercase()
}

/// The one address in a pasted text: without invisible characters, in half-width characters, without
/// `mailto:`, without the name before `<max@example.org>`, without quotes around it and punctuation behind it. A text
/// without an address, or with two, stays as typed and is refused by [`Email::parse`].
///
/// ```
/// use rules::email::tidied;
///
/// assert_eq!(tidied("\u{200b}Max <Max@Example.org>,"), "Max@Example.org");
/// assert_eq!(tidied("mailto:max\u{ff20}example.org?subject=Hi"), "max@example.org");
/// assert_eq!(tidied("a@example.org, b@example.org"), "a@example.org, b@example.org");
/// ```
pub fn tidied(input: &str) -> String {
    let input = text::trim(input);
    if text::is_longer(input, PASTED_MAX) {
        return input.to_owned();
    }
    let typed = seen(input);
    let bare = bare(&typed);
    let bare = match bare.split_once('<') {
        Some((name, rest)) => {
            rest.strip_suffix('>').filter(|inner| is_name_of(name, inner)).map_or(bare, self::bare)
        }
        None => bare,
    };
    bare.to_owned()
}

/// Without ignorable characters, and in half width. Joiners stay within words of other scripts, as domains may have them.
fn seen(input: &str) -> String {
    let mut seen = String::with_capacity(input.len());
    for c in input.chars() {
        let joins = matches!(c, '\u{200c}' | '\u{200d}') && seen.ends_with(|before: char| !before.is_ascii());
        if joins || !text::is_ignorable(c) {
            seen.push(half_width(c));
        }
    }
    seen
}

/// Whether a text may stand before an address in angle brackets: a name, or the same address once more.
fn is_name_of(name: &str, address: &str) -> bool {
    let is_name = !name.contains('@') && !text::has_control(name) && !address.contains(['<', '>']);
    is_name || bare(name).eq_ignore_ascii_case(address)
}

/// Without `mailto:` and what it may ask for, and without pairs of quotes and brackets around and punctuation behind.
fn bare(text: &str) -> &str {
    const PAIRS: [(char, char); 9] = [
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('\u{201c}', '\u{201d}'),
        ('\u{201e}', '\u{201c}'),
        ('\u{2018}', '\u{2019}'),
        ('\u{ab}', '\u{bb}'),
        ('(', ')'),
        ('[', ']'),
    ];
    let mut text = text;
    loop {
        let before = text;
        text = text::trim(text).trim_end_matches(['.', ',', ';', ':', '\u{3001}']);
        if let Some((scheme, rest)) = text.split_at_checked("mailto:".len())
            && scheme.eq_ignore_ascii_case("mailto:")
        {
            text = rest.split('?').next().unwrap_or(rest);
        }
        for (open, close) in PAIRS {
            if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
                text = inner;
            }
        }
        if text.len() == before.len() {
            return text;
        }
    }
}

/// The half-width form of a character that East Asian keyboards type.
fn half_width(c: char) -> char {
    match c {
        '\u{3002}' | '\u{ff61}' => '.',
        '\u{fe6b}' => '@',
        other => text::narrow(other),
    }
}

/// An address as it is shown to whoever may not be its owner: the first character before the `@`, three stars, and the
/// domain. Nothing for what is no address.
///
/// ```
/// assert_eq!(rules::email::masked("max@example.org").as_deref(), Some("m***@example.org"));
/// ```
pub fn masked(input: &str) -> Option<String> {
    let email = Email::parse(input).ok()?;
    Some(format!("{}***@{}", email.local().get(..1)?, email.domain()))
}

fn is_local_part(local: &str) -> bool {
    local.len() <= LOCAL_MAX
        && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atom_character))
}

const fn is_atom_character(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b':' | b';' | b'@' | b'\\' | b',' | b'.' | b'"'
        )
}

fn is_domain(domain: &str) -> bool {
    let mut labels = 0;
    let mut last = "";
    for label in domain.split('.') {
        let inner = label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if label.is_empty()
            || label.len() > LABEL_MAX
            || !inner
            || label.starts_with('-')
            || label.ends_with('-')
        {
            return false;
        }
        labels += 1;
        last = label;
    }
    labels >= 2 && !last.bytes().all(|b| b.is_ascii_digit())
}
