//! Letters to many: handed over one by one, without the outbox. The caller keeps a row for each recipient.

use deadwax_store::clock::Micros;
use lettre::{
    Message,
    address::Envelope,
    message::header::{HeaderName, HeaderValue},
};
use rules::mail_replies::Stage;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    delivery::NotSent,
    letter::{Sender, address, both_forms, head},
    mailer::Mailer,
    returned::{recipient_token, with_token},
    smtp::MORE_FOR_MANY,
};

/// A letter to one of its recipients.
#[derive(Debug)]
pub struct BulkMail<'a> {
    /// Makes the Message-ID. The same recipient of the same letter always has the same.
    pub id: Uuid,
    /// The same for all recipients.
    pub date: Micros,
    pub to: &'a str,
    pub subject: &'a str,
    pub text: String,
    pub html: String,
    /// Such as `List-Unsubscribe`, in ASCII.
    pub headers: Vec<(&'static str, String)>,
}

/// The outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandedOver {
    /// The server is responsible for it now.
    Taken,
    /// The server refused it: which command, its code, and its enhanced code.
    Refused(Stage, u16, Option<[u16; 3]>),
    /// No server was reached, or it did not answer before the text. It has no mail.
    NotReached,
    /// The text was under way when the connection was lost, or got no answer. The server may have the mail.
    Unknown,
    /// The program stops, and the mail was not sent.
    GivenBack,
    /// No mail can be made of it.
    Unusable,
    /// The folder of captured mail cannot be written to.
    NotWritten,
}

impl Mailer {
    /// Hands a letter over to the mail server, or writes it into the folder of captured mail.
    pub async fn hand_over(&self, mail: BulkMail<'_>, stop: &CancellationToken) -> HandedOver {
        let sender = &self.0.settings.sender;
        let token = recipient_token(&self.0.outbox.keys, mail.id);
        let bounces = self.bounce_address().and_then(|address| with_token(address, &token));
        let Some(message) = compose(sender, self.contact_to(), bounces.as_deref(), &mail) else {
            return HandedOver::Unusable;
        };
        match self.0.way.transmit(mail.id, mail.date, &message, MORE_FOR_MANY, stop).await {
            Ok(()) => HandedOver::Taken,
            Err(NotSent::GivenBack) => HandedOver::GivenBack,
            Err(NotSent::NotWritten) => HandedOver::NotWritten,
            Err(NotSent::Refused(refusal)) => match refusal.reply() {
                Some((stage, code, enhanced)) => HandedOver::Refused(stage, code, enhanced),
                None if refusal.is_unknown() => HandedOver::Unknown,
                None => HandedOver::NotReached,
            },
        }
    }

    /// The host in message ids and list ids.
    pub fn host(&self) -> &str {
        &self.0.settings.sender.host
    }
}

fn compose(
    sender: &Sender,
    reply_to: &str,
    envelope_sender: Option<&str>,
    mail: &BulkMail<'_>,
) -> Option<Message> {
    let mut builder = head(sender, mail.id, mail.date, mail.to, mail.subject, Some(reply_to))?;
    if let Some(from) = envelope_sender {
        builder = builder.envelope(Envelope::new(Some(address(from)?), vec![address(mail.to)?]).ok()?);
    }
    for (name, value) in &mail.headers {
        let name = HeaderName::new_from_ascii_str(name);
        // Written as it is: an encoded address would not be understood.
        let value = one_line_whole(value);
        builder = builder.raw_header(HeaderValue::dangerous_new_pre_encoded(name, value.clone(), value));
    }
    builder.multipart(both_forms(&mail.text, &mail.html)).ok()
}

/// A header value without anything that could begin another header.
fn one_line_whole(value: &str) -> String {
    value.chars().filter(|c| matches!(c, ' '..='~')).collect()
}

#[cfg(test)]
mod tests {
    use lettre::message::Mailbox;

    use super::*;
    use crate::letter::LabelName;

    #[test]
    fn headers_are_written_as_they_are_and_hold_nothing_else() {
        let sender = Sender {
            mailbox: Mailbox::new(Some("The Label".to_owned()), "mail@label.example".parse().unwrap()),
            label_name: LabelName::default(),
            host: "label.example".to_owned(),
        };
        let link =
            format!("<https://label.example/newsletter/leave/{}?letter={}>", "0".repeat(32), Uuid::nil());
        let mail = BulkMail {
            id: Uuid::nil(),
            date: 1_795_176_000_000_000,
            to: "max@example.org",
            subject: "A record\r\nBcc: evil@example.org",
            text: "text".to_owned(),
            html: "<p>text</p>".to_owned(),
            headers: vec![
                ("List-Unsubscribe", link.clone()),
                ("Precedence", "bulk\r\nBcc: evil@example.org".to_owned()),
            ],
        };
        let bytes = String::from_utf8(
            compose(&sender, "hello@label.example", Some("bounces+token@label.example"), &mail)
                .unwrap()
                .formatted(),
        )
        .unwrap();
        let (head, _) = bytes.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("\r\nList-Unsubscribe: {link}\r\n")), "{head}");
        assert!(head.contains("\r\nMessage-ID: <00000000-0000-0000-0000-000000000000@label.example>\r\n"));
        assert!(head.contains("\r\nReply-To: hello@label.example\r\n"));
        assert!(!head.to_lowercase().contains("\nbcc"), "{head}");
    }
}
