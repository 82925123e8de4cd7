//! Mail that comes back about a letter: delivery reports (RFC 3464), complaints (RFC 5965), and requests to leave by mail. Reports
//! of servers that follow no standard are read by their words.

use deadwax_store::crypto::Keys;
use mail_parser::{
    GetHeader as _, HeaderName, HeaderValue, Message, MessageParser, MessagePart, MimeHeaders as _, PartType,
    decoders::{base64::base64_decode, html::html_to_text, quoted_printable::quoted_printable_decode},
};
use rules::mail_replies::{Bounce, bounce, enhanced_code};
use uuid::Uuid;

use super::letter;

/// The address that letters come back to, with the recipient in it: `bounces+TOKEN@label.example`. None if that is too long for an
/// address.
pub fn with_token(address: &str, token: &str) -> Option<String> {
    let (local, domain) = address.rsplit_once('@')?;
    let whole = format!("{local}+{token}@{domain}");
    letter::address(&whole).is_some().then_some(whole)
}

/// The token of a recipient: the id, and a code of it that the letter's Message-ID does not show. As long as an id.
pub fn recipient_token(keys: &Keys, id: Uuid) -> String {
    let code = keys.mac(&[b"letter recipient", id.as_bytes()]);
    let code = code.iter().take(16).fold(0, |number, byte| (number << 8) | u128::from(*byte));
    digits(id.as_u128(), ID_DIGITS) + &digits(code, CODE_DIGITS)
}

fn recipient_of(keys: &Keys, token: &str) -> Option<Uuid> {
    let id = u128::from_str_radix(token.get(..ID_DIGITS)?, 32).ok().map(Uuid::from_u128)?;
    (recipient_token(keys, id) == token).then_some(id)
}

const ID_DIGITS: usize = 26;
const CODE_DIGITS: usize = 6;

/// The last digits of a number in base 32.
fn digits(number: u128, count: usize) -> String {
    let digit = |place: usize| char::from_digit(u32::try_from((number >> (5 * place)) & 31).ok()?, 32);
    (0..count).rev().filter_map(digit).collect()
}

/// The token of mail to leave is that of the link, behind this.
pub const LEAVE: &str = "leave-";

/// The address that a letter is read back at has its id behind this.
pub const READ_BACK: &str = "check-";

/// A mail that came back.
#[derive(Debug, PartialEq, Eq)]
pub struct Returned {
    /// Its own Message-ID.
    pub id: Option<String>,
    pub about: About,
    pub what: What,
    /// Whether no person wrote it.
    pub is_automatic: bool,
}

/// The letter that it is about.
#[derive(Debug, PartialEq, Eq)]
pub enum About {
    /// By the token in the address that it was sent to.
    Recipient(Uuid),
    /// By an id that others can have seen, and the address that the report names: the Message-ID of the letter inside it, or the token
    /// of letters that were sent before tokens had a code.
    Letter {
        id: Uuid,
        recipient: Option<String>,
    },
    /// The token of a link to leave.
    Leaving(String),
    /// A letter that the label wrote to this address, to see how it arrives.
    ReadBack(Uuid),
    Unknown,
}

#[derive(Debug, PartialEq, Eq)]
pub enum What {
    /// With its status, such as `5.1.1`.
    Bounced(Bounce, String),
    Complaint,
    /// A notice of delay or success, an automatic answer, or anything else.
    Other,
}

/// Reads a mail that was sent to `address`, or to it with a token.
pub fn read(raw: &[u8], address: &str, keys: &Keys) -> Option<Returned> {
    let mail = parsed(raw)?;
    let report = Report::of(&mail);
    let letter = |id: Option<Uuid>| {
        id.map_or(About::Unknown, |id| About::Letter { id, recipient: report.recipient.clone() })
    };
    let about = match token(&mail, address) {
        Some(token) => match (token.strip_prefix(LEAVE), token.strip_prefix(READ_BACK)) {
            (Some(token), _) => About::Leaving(token.to_owned()),
            (None, Some(id)) => Uuid::try_parse(id).map_or(About::Unknown, About::ReadBack),
            (None, None) => recipient_of(keys, &token)
                .map_or_else(|| letter(Uuid::try_parse(&token).ok()), About::Recipient),
        },
        None => letter(original(&mail)),
    };
    let is_automatic = !report.action.is_empty()
        || mail.headers_raw().any(|(name, value)| {
            name.eq_ignore_ascii_case("auto-submitted") && !value.trim().eq_ignore_ascii_case("no")
        });
    let id = mail.message_id().map(str::to_owned);
    // Dropped whole, each mail within a mail takes room on the stack.
    let mut parts = mail.parts;
    while let Some(part) = parts.pop() {
        if let PartType::Message(inner) = part.body {
            parts.extend(inner.parts);
        }
    }
    Some(Returned { id, about, what: report.what(), is_automatic })
}

/// The parser does not learn how parts are encoded: it would copy the whole of an encoded mail for each mail within it.
fn parsed(raw: &[u8]) -> Option<Message<'_>> {
    let parser = MessageParser::new().with_mime_headers().header_id(HeaderName::MessageId);
    parser.header_content_type(HeaderName::ContentTransferEncoding).parse(raw)
}

/// The text of a part, decoded.
fn text_of(mail: &Message<'_>, part: &MessagePart<'_>) -> String {
    let place = part.raw_body_offset() as usize..part.raw_end_offset() as usize;
    let bytes = mail.raw_message.get(place).unwrap_or_default();
    let encoding = part.headers.header_value(&HeaderName::ContentTransferEncoding);
    let decoded = match encoding.and_then(HeaderValue::as_content_type).map(|encoding| &*encoding.c_type) {
        Some("base64") => base64_decode(bytes),
        Some("quoted-printable") => quoted_printable_decode(bytes),
        _ => None,
    };
    String::from_utf8_lossy(decoded.as_deref().unwrap_or(bytes)).into_owned()
}

/// The part behind the `+` in the address that the mail was sent to.
fn token(mail: &Message<'_>, address: &str) -> Option<String> {
    let (local, domain) = address.rsplit_once('@')?;
    let before = format!("{local}+").to_ascii_lowercase();
    let behind = format!("@{domain}").to_ascii_lowercase();
    let sent_to = ["to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];
    mail.headers_raw().filter(|(name, _)| sent_to.contains(&&*name.to_ascii_lowercase())).find_map(
        |(_, value)| {
            let value = value.to_ascii_lowercase();
            let (_, rest) = value.split_once(&before)?;
            let (token, _) = rest.split_once(&behind)?;
            let is_token = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            is_token.then(|| token.to_owned())
        },
    )
}

/// The id of the letter inside a report: in its whole text, in its headers, or quoted below the report.
fn original(mail: &Message<'_>) -> Option<Uuid> {
    mail.parts.iter().skip(1).chain(mail.parts.first()).find_map(|part| match &part.body {
        PartType::Message(inner) if let Some(id) = inner.message_id() => letter_id(id),
        PartType::Html(_) | PartType::Multipart(_) => None,
        _ => quoted_id(&text_of(mail, part)),
    })
}

fn quoted_id(text: &str) -> Option<Uuid> {
    text.lines().find_map(|line| {
        let (name, value) = line.trim_start_matches(['>', ' ', '|']).split_once(':')?;
        name.eq_ignore_ascii_case("message-id")
            .then(|| letter_id(value.trim().trim_matches(['<', '>'])))
            .flatten()
    })
}

fn letter_id(message_id: &str) -> Option<Uuid> {
    let (id, _) = message_id.split_once('@')?;
    // In the form of ours, with hyphens.
    (id.len() == 36).then(|| Uuid::try_parse(id).ok()).flatten()
}

#[derive(Debug, Default)]
struct Report {
    is_complaint: bool,
    action: String,
    status: Option<[u16; 3]>,
    /// The code in the other server's words.
    code: Option<u16>,
    recipient: Option<String>,
}

impl Report {
    fn of(mail: &Message<'_>) -> Self {
        let mut report = Self::default();
        for part in &mail.parts {
            let kind = part.content_type().map(|kind| (kind.ctype(), kind.subtype().unwrap_or_default()));
            let Some((top, sub)) = kind else { continue };
            let is = |name: &str| top.eq_ignore_ascii_case("message") && sub.eq_ignore_ascii_case(name);
            if is("delivery-status") || is("global-delivery-status") {
                report.read_status(&text_of(mail, part));
            } else if is("feedback-report") {
                let text = text_of(mail, part);
                let abuse =
                    field(&text, "feedback-type").is_some_and(|kind| kind.eq_ignore_ascii_case("abuse"));
                report.is_complaint = abuse;
                report.recipient = field(&text, "original-rcpt-to").map(plain_address);
            }
        }
        if report.action.is_empty() && !report.is_complaint {
            report.read_words(mail);
        }
        report
    }

    /// The fields about the recipient, which follow those about the message.
    fn read_status(&mut self, text: &str) {
        let text = unfolded(text);
        let Some(group) = text.split("\n\n").find(|group| field(group, "action").is_some()) else { return };
        field(group, "action").unwrap_or_default().clone_into(&mut self.action);
        self.status = field(group, "status").and_then(enhanced_code);
        let words = field(group, "diagnostic-code").unwrap_or_default();
        let words = words.split_once(';').map_or(words, |(_, words)| words.trim());
        self.read_reply(words);
        let named = field(group, "final-recipient").or_else(|| field(group, "original-recipient"));
        self.recipient = named.map(plain_address);
    }

    /// A server's own words, such as `550 5.1.1 unknown user`. Their code is more exact than a status of 5.0.0.
    fn read_reply(&mut self, words: &str) {
        let mut rest = words.trim_start();
        if let Some(code) =
            rest.get(..3).and_then(|code| code.parse::<u16>().ok()).filter(|code| (400..600).contains(code))
        {
            self.code = Some(code);
            rest = rest.get(3..).unwrap_or_default().trim_start_matches([' ', '-', '#']);
        }
        let is_vague = self.status.is_none_or(|[_, subject, detail]| (subject, detail) == (0, 0));
        let found = enhanced_code(rest.trim_start_matches(['(', '#']).trim_end_matches(')'))
            .or_else(|| code_within(rest));
        if let Some(status) = found.filter(|_| is_vague) {
            self.status = Some(status);
        }
    }

    /// Exim names the recipient in a header; qmail and others only in the text.
    fn read_words(&mut self, mail: &Message<'_>) {
        let by_header = mail
            .headers_raw()
            .find(|(name, _)| name.eq_ignore_ascii_case("x-failed-recipients"))
            .map(|(_, value)| plain_address(value));
        let Some(part) = mail.text_part(0) else { return };
        let text = text_of(mail, part).replace("\r\n", "\n");
        let text = if part.is_text_html() { html_to_text(&text) } else { text };
        let is_qmail = text.contains("qmail-send program");
        let paragraph =
            text.split("\n\n").map(str::trim).find(|part| part.starts_with('<') && part.contains(">:"));
        if by_header.is_none() && !(is_qmail && paragraph.is_some()) {
            return;
        }
        "failed".clone_into(&mut self.action);
        // Exim also warns of delays with this header.
        if text.contains("has not been delivered") && text.contains("will be retried") {
            "delayed".clone_into(&mut self.action);
        }
        let words = paragraph.unwrap_or(&text);
        self.recipient =
            by_header.or_else(|| words.split_once(">:").map(|(address, _)| plain_address(address)));
        let reply = words.lines().map(str::trim).find_map(|line| {
            let at = line.match_indices(['4', '5']).map(|(at, _)| at).find(|at| is_code(line, *at))?;
            line.get(at..)
        });
        self.read_reply(reply.unwrap_or_default());
        self.status = self.status.or_else(|| code_within(words));
    }

    fn what(&self) -> What {
        if self.is_complaint {
            return What::Complaint;
        }
        let status = self.status.map(|[class, subject, detail]| format!("{class}.{subject}.{detail}"));
        match bounce(&self.action, self.status, self.code) {
            Bounce::None => What::Other,
            kind => What::Bounced(
                kind,
                status
                    .or_else(|| self.code.map(|code| code.to_string()))
                    .unwrap_or_else(|| "unknown".to_owned()),
            ),
        }
    }
}

/// Whether a reply code such as `550` stands alone there.
fn is_code(line: &str, at: usize) -> bool {
    let is_number = |text: &str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    line.get(at..at + 3).is_some_and(is_number)
        && line
            .get(..at)
            .is_none_or(|before| !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '.'))
        && line.get(at + 3..).is_none_or(|behind| behind.is_empty() || behind.starts_with([' ', '-', ':']))
}

/// An enhanced code anywhere in the words, such as `(#5.1.1)`.
fn code_within(words: &str) -> Option<[u16; 3]> {
    words
        .split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .map(|word| word.trim_matches('.'))
        .find_map(enhanced_code)
}

/// Folded lines of header fields, joined.
fn unfolded(text: &str) -> String {
    text.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", " ")
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// `rfc822; Max@Example.org` and `<max@example.org>` as `max@example.org`.
fn plain_address(text: &str) -> String {
    let text = text.rsplit_once(';').map_or(text, |(_, address)| address);
    text.trim().trim_matches(['<', '>']).to_lowercase()
}

#[cfg(test)]
mod tests;
