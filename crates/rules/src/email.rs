//! E-mail addresses: normalising, comparing and checking.
//!
//! An address is parsed byte by byte, without a pattern engine or character tables. International domains are recognised and
//! have a separate refusal; see [`Email::parse`].

use serde::{Serialize, Serializer};
use validator::ValidationError;

use crate::checked::refusals;
use crate::text;

/// Maximum length of an address in characters (RFC 5321 leaves 254 for the path without its brackets).
pub const EMAIL_MAX: usize = 254;
/// Maximum length of the part before the `@` (RFC 5321).
pub const LOCAL_MAX: usize = 64;
/// Maximum length of a domain label (RFC 1035).
pub const LABEL_MAX: usize = 63;

/// Maximum length in characters of a text searched for an address: a name, and the address twice.
const PASTED_MAX: usize = 1_000;

refusals! {
    /// Refusals of an address.
    pub enum EmailError {
        Invalid = "email_invalid", "Please enter a valid email address";
        DomainNotAscii = "email_domain_not_ascii", "Please enter the part after the @ in its ASCII form (xn--...)";
    }
}

/// An address as stored, compared and mailed to: trimmed, ASCII, lower case.
///
/// Only [`Email::parse`] constructs it, so it contains no white space, control characters or anything that could end a mail
/// header. It is also the key: one account per mailbox.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(type = "string"))]
pub struct Email(String);

impl Email {
    /// Parses an address found by [`tidied`] in a typed text. The part before the `@` is dot-separated letters, digits and
    /// ``!#$%&'*+-/=?^_`{|}~`` (RFC 5322 without quoting), at most 64. The domain has at least one dot, labels of letters,
    /// digits and inner hyphens, and does not end in a number.
    ///
    /// A domain in another script is refused with [`EmailError::DomainNotAscii`] instead of as malformed: a caller that can
    /// convert it (the server, with an IDNA library) does so first and parses the `xn--` form like any other. The part before
    /// the `@` is never converted: look-alike letters there are used to steal accounts.
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

    /// Wraps a form field that has passed [`is_email`].
    pub(crate) fn of_validated(input: &str) -> Self {
        Self(normalise(input))
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the `@`.
    pub fn local(&self) -> &str {
        self.0.split('@').next().unwrap_or_default()
    }

    /// The part after the `@`.
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

/// Validates a form field that holds an address.
pub(crate) fn is_email(input: &str) -> Result<(), ValidationError> {
    Email::parse(input).map(drop).map_err(ValidationError::from)
}

/// The form in which addresses are compared and looked up: tidied and in ASCII lower case, even if invalid.
///
/// ```
/// assert_eq!(rules::email::normalise(" Max@Example.org\n"), "max@example.org");
/// ```
pub fn normalise(input: &str) -> String {
    tidied(input).to_ascii_lowercase()
}

/// Extracts the single address from a pasted text: removes invisible characters, converts to half-width characters, and removes
/// `mailto:`, the name before `<max@example.org>`, quotes around it and punctuation after it. A text without an address, or
/// with two, is returned as typed and refused by [`Email::parse`].
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

/// Removes ignorable characters and converts to half width. Joiners within words are kept, as domains may contain them.
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

/// Whether a text may precede an address in angle brackets: a name, or the same address again.
fn is_name_of(name: &str, address: &str) -> bool {
    let is_name = !name.contains('@') && !text::has_control(name) && !address.contains(['<', '>']);
    is_name || bare(name).eq_ignore_ascii_case(address)
}

/// Removes `mailto:` with its parameters, surrounding quotes and brackets, and trailing punctuation.
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

/// Half-width form of a character from East Asian keyboards.
fn half_width(c: char) -> char {
    match c {
        '\u{3002}' | '\u{ff61}' => '.',
        '\u{fe6b}' => '@',
        other => text::narrow(other),
    }
}

/// An address as shown to people who may not own it: its first character, three stars and the domain. `None` if it is not an
/// address.
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
