//! A mail as bytes: headers that nothing in their values can end early, and a plain and an HTML form.

use std::time::{Duration, UNIX_EPOCH};

use deadwax_store::clock::Micros;
use lettre::{
    Address, Message,
    message::{
        Body, Mailbox, MultiPart, SinglePart,
        header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue},
    },
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The longest subject and name, in characters: longer ones are of no use in a list of mails.
const HEADER_CHARS: usize = 120;
/// The longest line of a body that is sent as it is (RFC 5322 allows 998).
const LINE_BYTES: usize = 990;

/// In whose name mail is sent.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    pub(super) from: Mailbox,
    /// What stands after the `@` of message ids, and what the label calls itself to mail servers.
    pub(super) host: String,
}

/// What a mail is made of: what a row of the outbox says once it is opened.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) to: String,
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) html: String,
    pub(super) reply_to: Option<String>,
    /// Not in rows of before.
    #[serde(default)]
    pub(super) is_automatic: bool,
}

/// A text for a header: one line, without anything that could begin another.
pub(super) fn one_line(text: &str) -> String {
    let spaced: String = text
        .chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .collect();
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(HEADER_CHARS).collect()
}

/// An address as far as this program sends mail to any: ASCII, as [`rules::email`] reads them, or on a host without a dot.
pub(super) fn address(text: &str) -> Option<Address> {
    let address = text.parse::<Address>().ok()?;
    let is_plain =
        text.is_ascii() && !text.contains(['"', '[', ' ']) && text.len() <= rules::email::EMAIL_MAX;
    is_plain.then_some(address)
}

/// The mail of an outbox row; the same id and date however often it is made. `None` when no mail can be made of it.
pub(super) fn compose(sender: &Sender, id: Uuid, created_at: Micros, content: &Content) -> Option<Message> {
    let date = UNIX_EPOCH + Duration::from_micros(u64::try_from(created_at).ok()?);
    let mut builder = Message::builder()
        .from(sender.from.clone())
        .to(Mailbox::new(None, address(&content.to)?))
        .subject(one_line(&content.subject))
        .date(date)
        .message_id(Some(format!("<{id}@{}>", sender.host)));
    if let Some(reply_to) = &content.reply_to {
        builder = builder.reply_to(Mailbox::new(None, address(reply_to)?));
    }
    if content.reply_to.is_none() || content.is_automatic {
        // RFC 3834: so that nobody's absence is told to a mailbox that nobody reads, or to a program.
        let name = HeaderName::new_from_ascii_str("Auto-Submitted");
        builder = builder.raw_header(HeaderValue::new(name, "auto-generated".to_owned()));
    }
    let text = SinglePart::builder().header(ContentType::TEXT_PLAIN).body(body(&content.text));
    let html = SinglePart::builder().header(ContentType::TEXT_HTML).body(body(&content.html));
    builder.multipart(MultiPart::alternative().singlepart(text).singlepart(html)).ok()
}

/// A form of a mail, as it is wherever lines may be sent as they are: a link that is not broken by an encoding can be copied out
/// of a file, too.
fn body(text: &str) -> Body {
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n");
    let is_plain = text.bytes().all(|byte| matches!(byte, b'\r' | b'\n' | b'\t' | b' '..=b'~'));
    if is_plain && text.split("\r\n").all(|line| line.len() <= LINE_BYTES) {
        Body::dangerous_pre_encoded(text.into_bytes(), ContentTransferEncoding::SevenBit)
    } else {
        Body::new(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rules::email::Email;

    const ADDRESS: &str = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,30}([.][A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,30}){0,1}\
        @([a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?[.]){1,4}(xn--)?[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?";

    proptest! {
        /// What the rules take for an address is accepted before anybody tries to mail it.
        #[test]
        fn every_address_of_the_rules_can_stand_in_a_header(typed in ADDRESS) {
            if let Ok(email) = Email::parse(&typed) {
                prop_assert!(super::address(email.as_str()).is_some(), "{typed}");
            }
        }
    }
}
