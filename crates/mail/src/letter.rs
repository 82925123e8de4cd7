//! The form of a letter, as plain text and as HTML that loads nothing, and the mail made of it, whose header values cannot
//! begin another header. Capabilities write their own letters; those about accounts are in [`super::letters`].

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, UNIX_EPOCH},
};

use askama::Template as _;
use deadwax_config::Origin;
use deadwax_store::clock::Micros;
use jiff::tz::TimeZone;
use lettre::{
    Address, Message,
    message::{
        Attachment, Body, Mailbox, MessageBuilder, MultiPart, SinglePart,
        header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue},
    },
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Whether no person wrote it. A letter that cannot be answered is marked as automatic anyway.
    pub is_automatic: bool,
}

/// The label that writes a letter, and the time that the letter names.
#[derive(Clone, Debug)]
pub struct Label<'a> {
    pub name: String,
    pub origin: &'a Origin,
    /// When the letter's cause happened.
    pub at: Micros,
    /// Then each letter links to it.
    pub has_imprint: bool,
    /// As `#rrggbb`.
    pub signal: String,
    pub zone: TimeZone,
}

impl Label<'_> {
    /// The time as `on 2026-11-20 at 13:00 Europe/Berlin`.
    pub fn when(&self) -> String {
        jiff::Timestamp::from_microsecond(self.at).map_or_else(
            |_| "just now".to_owned(),
            |instant| instant.to_zoned(self.zone.clone()).strftime("on %Y-%m-%d at %H:%M %Q").to_string(),
        )
    }

    /// The address of a page of this website; `path` begins with `/`.
    pub fn link(&self, path: &str) -> String {
        self.origin.link(path)
    }

    /// A letter of these parts; the subject begins with the label's name.
    pub fn letter(&self, subject: &str, heading: &str, parts: &[Part]) -> Letter {
        let label = &one_line(&self.name);
        let home = &self.origin.to_string();
        let imprint = &self.has_imprint.then(|| self.link("/imprint"));
        let text = Text { label, heading, parts, home, imprint }.render();
        let html = Html { label, heading, parts, home, imprint, signal: &self.signal }.render();
        Letter {
            subject: format!("{label}: {subject}"),
            // Rendering into memory cannot fail; an empty form would still leave the other one.
            text: text.unwrap_or_default() + "\n",
            html: html.unwrap_or_default(),
            is_automatic: false,
        }
    }
}

/// A piece of a letter.
#[derive(Debug)]
pub enum Part {
    Say(String),
    /// Words of the label, with their line breaks.
    Words(String),
    /// Its purpose and its address.
    Link(&'static str, String),
    Code(String),
    /// A caption, and words of someone else, with their line breaks.
    Quote(&'static str, String),
}

pub fn say(text: impl Into<String>) -> Part {
    Part::Say(text.into())
}

#[derive(askama::Template)]
#[template(path = "mail/letter.txt", escape = "none")]
struct Text<'a> {
    label: &'a str,
    heading: &'a str,
    parts: &'a [Part],
    home: &'a str,
    imprint: &'a Option<String>,
}

#[derive(askama::Template)]
#[template(path = "mail/letter.html")]
struct Html<'a> {
    label: &'a str,
    heading: &'a str,
    parts: &'a [Part],
    home: &'a str,
    imprint: &'a Option<String>,
    signal: &'a str,
}

/// Longest subject and name, in characters: a letter to the subscribers, marked as a test.
const HEADER_CHARS: usize = 160;
/// Longest line of a body that is sent unencoded (RFC 5322 allows 998).
const LINE_BYTES: usize = 990;

/// The label's name in `From` where `MAIL_FROM` has none, and the mark at the head of each mail, shared with the program that learns
/// of new ones.
#[derive(Clone, Debug, Default)]
pub struct LabelName(Arc<RwLock<(String, Option<MailMark>)>>);

/// The label's mark as mails show it: a PNG, and its size in pixels.
#[derive(Clone, Debug)]
pub struct MailMark {
    pub png: Arc<[u8]>,
    pub size: (u32, u32),
}

impl LabelName {
    pub fn set(&self, name: &str) {
        name.clone_into(&mut self.0.write().unwrap_or_else(PoisonError::into_inner).0);
    }

    pub fn set_mark(&self, mark: Option<MailMark>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).1 = mark;
    }

    fn get(&self) -> String {
        self.0.read().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    fn mark(&self) -> Option<MailMark> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

/// Where a letter's HTML has room for the mark.
const MARK_PLACE: &str = "<!--mark-->";

#[derive(Clone, Debug)]
pub(super) struct Sender {
    /// With a name if `MAIL_FROM` has one.
    pub(super) mailbox: Mailbox,
    pub(super) label_name: LabelName,
    /// The part of message ids behind the `@`, and the name given to mail servers.
    pub(super) host: String,
}

impl Sender {
    pub(super) fn from(&self) -> Mailbox {
        let name = self.mailbox.name.clone().unwrap_or_else(|| self.label_name.get());
        Mailbox::new(Some(one_line(&name)).filter(|name| !name.is_empty()), self.mailbox.email.clone())
    }
}

/// The content of a mail, as a row of the outbox seals it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Content {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub reply_to: Option<String>,
    /// Missing in old rows.
    #[serde(default)]
    pub is_automatic: bool,
}

/// A text for a header, on one line.
pub(super) fn one_line(text: &str) -> String {
    let spaced: String = text
        .chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .collect();
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(HEADER_CHARS).collect()
}

/// The address with its domain in ASCII (IDNA, UTS #46). One that cannot be converted is left for the rules to refuse.
pub fn to_ascii(input: &str) -> String {
    let typed = rules::email::tidied(input);
    match typed.rsplit_once('@') {
        Some((local, domain)) if !domain.is_ascii() => match idna::domain_to_ascii_strict(domain) {
            Ok(domain) => format!("{local}@{domain}"),
            Err(_) => typed,
        },
        _ => typed,
    }
}

/// An address that this program can send to: ASCII, as [`rules::email`] reads it, or on a host without a dot.
pub(super) fn address(text: &str) -> Option<Address> {
    let address = text.parse::<Address>().ok()?;
    let is_plain =
        text.is_ascii() && !text.contains(['"', '[', ' ']) && text.len() <= rules::email::EMAIL_MAX;
    is_plain.then_some(address)
}

/// The head of a mail, always with the same id and date. `None` if its addresses cannot be used.
pub(super) fn head(
    sender: &Sender,
    id: Uuid,
    date: Micros,
    to: &str,
    subject: &str,
    reply_to: Option<&str>,
) -> Option<MessageBuilder> {
    let date = UNIX_EPOCH + Duration::from_micros(u64::try_from(date).ok()?);
    let builder = Message::builder()
        .from(sender.from())
        .to(Mailbox::new(None, address(to)?))
        .subject(one_line(subject))
        .date(date)
        .message_id(Some(format!("<{id}@{}>", sender.host)));
    let Some(reply_to) = reply_to else { return Some(builder) };
    Some(builder.reply_to(Mailbox::new(None, address(reply_to)?)))
}

/// The mail of an outbox row. `None` if its addresses cannot be used.
pub(super) fn compose(sender: &Sender, id: Uuid, created_at: Micros, content: &Content) -> Option<Message> {
    let Content { to, subject, reply_to, .. } = content;
    let mut builder = head(sender, id, created_at, to, subject, reply_to.as_deref())?;
    if content.reply_to.is_none() || content.is_automatic {
        // RFC 3834: suppresses automatic replies, which would go to an unread mailbox or a program.
        let name = HeaderName::new_from_ascii_str("Auto-Submitted");
        builder = builder.raw_header(HeaderValue::new(name, "auto-generated".to_owned()));
    }
    let mark = sender.label_name.mark().filter(|_| content.html.contains(MARK_PLACE));
    let Some(MailMark { png, size: (width, height) }) = mark else {
        return builder.multipart(both_forms(&content.text, &content.html)).ok();
    };
    // Within the mail: nothing is loaded when it is opened.
    let image = format!(
        "<img src=\"cid:mark\" width=\"{width}\" height=\"{height}\" alt=\"\" style=\"display:block;margin:0 0 12px\">"
    );
    let html = content.html.replacen(MARK_PLACE, &image, 1);
    let picture = Attachment::new_inline("mark".to_owned()).body(png.to_vec(), "image/png".parse().ok()?);
    builder
        .multipart(MultiPart::related().multipart(both_forms(&content.text, &html)).singlepart(picture))
        .ok()
}

/// The text and the HTML of a mail.
pub(super) fn both_forms(text: &str, html: &str) -> MultiPart {
    let text = SinglePart::builder().header(ContentType::TEXT_PLAIN).body(body(text));
    let html = SinglePart::builder().header(ContentType::TEXT_HTML).body(body(html));
    MultiPart::alternative().singlepart(text).singlepart(html)
}

/// A body, unencoded if its lines allow that: links can then be copied out of the file.
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

    use super::*;

    const ADDRESS: &str = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,30}([.][A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,30}){0,1}\
        @([a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?[.]){1,4}(xn--)?[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?";

    proptest! {
        #[test]
        fn every_address_of_the_rules_can_stand_in_a_header(typed in ADDRESS) {
            if let Ok(email) = Email::parse(&typed) {
                prop_assert!(address(email.as_str()).is_some(), "{typed}");
            }
        }
    }

    fn sender(name: &str) -> Sender {
        let mailbox = Mailbox::new(None, "mail@label.example".parse().unwrap());
        let sender = Sender { mailbox, label_name: LabelName::default(), host: "label.example".to_owned() };
        sender.label_name.set(name);
        sender
    }

    fn content(subject: &str, text: &str) -> Content {
        Content {
            to: "max@example.org".to_owned(),
            subject: subject.to_owned(),
            text: text.to_owned(),
            html: format!("<p>{text}</p>"),
            reply_to: Some("visitor@example.org".to_owned()),
            is_automatic: false,
        }
    }

    #[test]
    fn both_forms_have_the_line_breaks() {
        let label = Label {
            name: "Mira".to_owned(),
            origin: &Origin::parse("https://label.example").unwrap(),
            at: 1,
            has_imprint: false,
            signal: "#ff0000".to_owned(),
            zone: TimeZone::UTC,
        };
        let parts = [Part::Words("Nova,\n\n<no>.".to_owned()), Part::Quote("Message", "a\r\nb".to_owned())];
        let letter = label.letter("s", "h", &parts);
        assert!(letter.text.contains("Nova,\n\n<no>."), "{}", letter.text);
        for lines in ["Nova,<br><br>&#60;no&#62;.</p>", ">a<br>b</span>"] {
            assert!(letter.html.contains(lines), "{}", letter.html);
        }
    }

    #[test]
    fn a_mark_comes_within_the_mail_while_there_is_one() {
        let sender = sender("Mira");
        let letter = Content { html: "<p><!--mark-->Mira</p>".to_owned(), ..content("s", "t") };
        let bytes = || compose(&sender, Uuid::nil(), 1, &letter).unwrap().formatted();
        assert!(!String::from_utf8(bytes()).unwrap().contains("cid:mark"));
        sender.label_name.set_mark(Some(MailMark { png: Arc::from(&b"\x89PNG"[..]), size: (40, 20) }));
        let mail = String::from_utf8(bytes()).unwrap();
        for part in
            ["multipart/related", "<img src=\"cid:mark\"", "Content-ID: <mark>", "image/png", "iVBORw=="]
        {
            assert!(mail.contains(part), "{part} in {mail}");
        }
    }

    #[test]
    fn nothing_in_a_value_begins_another_header() {
        for evil in [
            "a\r\nBcc: evil@example.org",
            "a\nBcc: evil@example.org",
            "a\rBcc: evil@example.org",
            "a\r\n\r\nbody",
            "a\0\u{85}\u{2028}Bcc: evil@example.org",
            "=?utf-8?b?DQpCY2M6IGV2aWxAZXhhbXBsZS5vcmc=?=",
            "\"quoted\" <evil@example.org>",
            "a\u{202e}b, evil@example.org",
            &"long ".repeat(2000),
        ] {
            let mail = compose(&sender(evil), Uuid::nil(), 1, &content(evil, "text")).unwrap();
            let bytes = String::from_utf8(mail.formatted()).unwrap();
            let (head, _) = bytes.split_once("\r\n\r\n").unwrap();
            let names: Vec<_> = head
                .split("\r\n")
                .filter(|line| !line.starts_with([' ', '\t']))
                .map(|line| line.split_once(':').unwrap().0)
                .collect();
            assert_eq!(
                names,
                ["From", "To", "Subject", "Date", "Message-ID", "Reply-To", "MIME-Version", "Content-Type"],
                "{evil:?}"
            );
            assert!(
                head.split("\r\n")
                    .all(|line| line.len() <= 998 && line.is_ascii() && !line.contains(['\r', '\n']))
            );
            let recipients: Vec<_> = mail.envelope().to().iter().map(ToString::to_string).collect();
            assert_eq!(recipients, ["max@example.org"]);
        }
        for evil in [
            "a@b.example\r\nBcc: evil@example.org",
            "a@b.example, c@d.example",
            "<a@b.example>",
            "",
            "@",
            "a@b@c",
        ] {
            let mut to = content("s", "t");
            evil.clone_into(&mut to.to);
            assert!(compose(&sender("x"), Uuid::nil(), 1, &to).is_none(), "{evil:?}");
            let reply = Content { reply_to: Some(evil.to_owned()), ..content("s", "t") };
            assert!(compose(&sender("x"), Uuid::nil(), 1, &reply).is_none(), "{evil:?}");
        }
    }
}
