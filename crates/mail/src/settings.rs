//! The mail settings: the mail server, the sender, and the recipient of messages to the label.

use deadwax_config::{Origin, Settings};
use deadwax_store::secret_address::SecretAddress;
use lettre::{Address, message::Mailbox};
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;
use uuid::Uuid;

use super::{
    bounce_box::BounceBox,
    letter::{self, LabelName, Sender},
    returned::with_token,
    url_parts::{decoded, is_this_machine},
};

/// A mail setting that cannot work, in one line. None repeats the password.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SettingError {
    #[error("SMTP_URL must look like smtps://user:password@host or smtp://user:password@host ({0})")]
    Smtp(&'static str),
    /// Sender and recipient cannot be guessed once mail leaves this machine.
    #[error("MAIL_FROM and CONTACT_TO must be set with SMTP_URL")]
    Missing,
    #[error("BOUNCE_URL must look like imaps://user:password@host/Folder ({0})")]
    BounceBox(&'static str),
    /// The mailbox is read for mail to an address.
    #[error("BOUNCE_ADDRESS must be set with BOUNCE_URL")]
    NoBounceAddress,
    /// No letter could be sent.
    #[error("BOUNCE_ADDRESS: {0} is too long; at most 31 characters may stand before the @")]
    LongBounceAddress(String),
    #[error("{0}: {1} is not an email address; write mail@label.example")]
    Address(&'static str, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encryption {
    /// From the first byte.
    Tls,
    /// After STARTTLS, which the server must offer.
    StartTls,
    None,
}

#[derive(Debug)]
pub(super) struct SmtpUrl {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) encryption: Encryption,
    pub(super) credentials: Option<(String, SecretString)>,
}

#[derive(Debug)]
pub struct MailSettings {
    pub(super) smtp: Option<SmtpUrl>,
    pub(super) sender: Sender,
    pub(super) contact_to: Address,
    pub(super) bounce_address: Option<Address>,
    pub(super) bounce_box: Option<BounceBox>,
}

impl MailSettings {
    /// Reads and checks the settings. Without `MAIL_FROM` the sender is made from the label's name and host.
    pub fn read(settings: &Settings, origin: &Origin) -> Result<Self, SettingError> {
        let smtp = settings.smtp_url.as_ref().map(|url| SmtpUrl::parse(url.expose_secret()));
        let smtp = smtp.transpose().map_err(SettingError::Smtp)?;
        if smtp.is_some() && (settings.mail_from.is_none() || settings.contact_to.is_none()) {
            return Err(SettingError::Missing);
        }
        let host = origin.host_name();
        let from = if let Some(text) = &settings.mail_from {
            mailbox(text).ok_or_else(|| SettingError::Address("MAIL_FROM", text.clone()))?
        } else {
            let text = format!("no-reply@{host}");
            let email = letter::address(&text).ok_or(SettingError::Address("MAIL_FROM", text))?;
            Mailbox::new(None, email)
        };
        let contact_to = match &settings.contact_to {
            Some(text) => mailbox(text)
                .map(|mailbox| mailbox.email)
                .ok_or_else(|| SettingError::Address("CONTACT_TO", text.clone()))?,
            None => from.email.clone(),
        };
        let bounce_address = match &settings.bounce_address {
            Some(text) => Some(bounce_address(text)?),
            None if settings.bounce_url.is_some() => return Err(SettingError::NoBounceAddress),
            None => None,
        };
        let bounce_box = settings.bounce_url.as_ref().map(|url| BounceBox::parse(url.expose_secret()));
        let bounce_box = bounce_box.transpose().map_err(SettingError::BounceBox)?;
        let label_name = LabelName::default();
        label_name.set(&settings.label_name);
        Ok(Self {
            smtp,
            sender: Sender { mailbox: from, label_name, host },
            contact_to,
            bounce_address,
            bounce_box,
        })
    }
}

/// `mail@label.example` or `The Label <mail@label.example>`.
fn mailbox(text: &str) -> Option<Mailbox> {
    let text = text.trim();
    let (name, email) = match text.strip_suffix('>').and_then(|rest| rest.rsplit_once('<')) {
        Some((name, email)) => (Some(name.trim().trim_matches('"').to_owned()), email),
        None => (None, text),
    };
    Some(Mailbox::new(name.filter(|name| !name.is_empty()), address(email)?))
}

/// An address whose domain may be international; its ASCII form is used.
fn address(text: &str) -> Option<Address> {
    letter::address(&letter::to_ascii(text))
}

/// `BOUNCE_ADDRESS` as letters are sent from it: an address that has room for the id of a recipient.
pub fn bounce_address(text: &str) -> Result<Address, SettingError> {
    let address = address(text).ok_or_else(|| SettingError::Address("BOUNCE_ADDRESS", text.to_owned()))?;
    let with_id = with_token(address.as_ref(), &Uuid::nil().simple().to_string());
    with_id.map(|_| address).ok_or_else(|| SettingError::LongBounceAddress(text.to_owned()))
}

impl SmtpUrl {
    /// `smtps://` is encrypted from the start, `smtp://` by STARTTLS, except to this machine itself or with
    /// `?tls=none`.
    fn parse(text: &str) -> Result<Self, &'static str> {
        let address =
            SecretAddress::read(text, &["tls"]).ok_or("it begins neither with smtps:// nor with smtp://")?;
        let url = Url::parse(&address.escaped()).map_err(|_| "it is no address")?;
        let wrapped = match url.scheme() {
            "smtps" => true,
            "smtp" => false,
            _ => return Err("the scheme is neither smtp nor smtps"),
        };
        let host = url
            .host_str()
            .filter(|host| !host.is_empty())
            .ok_or("the host is missing")?
            .trim_matches(['[', ']'])
            .to_owned();
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err("nothing but ?tls=… may follow the host");
        }
        let is_this_machine = is_this_machine(&url);
        let mut encryption = match (wrapped, is_this_machine) {
            (true, _) => Encryption::Tls,
            (false, true) => Encryption::None,
            (false, false) => Encryption::StartTls,
        };
        for (name, value) in url.query_pairs() {
            encryption = match (name.as_ref(), value.as_ref()) {
                ("tls", _) if wrapped => return Err("smtps needs no ?tls="),
                ("tls", "required") => Encryption::StartTls,
                ("tls", "none") => Encryption::None,
                _ => return Err("only ?tls=required and ?tls=none are known"),
            };
        }
        let decode = |part: &str| decoded(part).ok_or("user and password must be UTF-8");
        let credentials = match (url.username(), url.password()) {
            ("", None) => None,
            ("", Some(_)) | (_, None) => {
                return Err("user and password belong together");
            }
            (user, Some(password)) => Some((decode(user)?, SecretString::from(decode(password)?))),
        };
        if credentials.is_some() && encryption == Encryption::None && !is_this_machine {
            return Err("a password needs an encrypted connection");
        }
        let port = url.port().unwrap_or(match encryption {
            Encryption::Tls => 465,
            Encryption::StartTls => 587,
            Encryption::None => 25,
        });
        Ok(Self { host, port, encryption, credentials })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, u16, Encryption), SettingError> {
        let url = SmtpUrl::parse(text).map_err(SettingError::Smtp)?;
        Ok((url.host, url.port, url.encryption))
    }

    #[test]
    fn mail_leaves_this_machine_encrypted_unless_told_otherwise() {
        for (text, host, port, encryption) in [
            ("smtps://u:p@mail.example", "mail.example", 465, Encryption::Tls),
            ("smtp://u:p@mail.example", "mail.example", 587, Encryption::StartTls),
            ("smtp://mail.example:2525/?tls=required", "mail.example", 2525, Encryption::StartTls),
            ("smtp://relay?tls=none", "relay", 25, Encryption::None),
            ("smtp://127.0.0.1:1025", "127.0.0.1", 1025, Encryption::None),
            ("smtp://u:p@localhost", "localhost", 25, Encryption::None),
            ("smtp://[::1]:25", "::1", 25, Encryption::None),
            ("smtp://localhost?tls=required", "localhost", 587, Encryption::StartTls),
        ] {
            assert_eq!(read(text), Ok((host.to_owned(), port, encryption)), "{text}");
        }
    }

    #[test]
    fn what_cannot_work_is_refused_without_repeating_the_password() {
        for text in [
            "",
            "mail.example",
            "http://u:hunter2@mail.example",
            "smtp://",
            "smtps://u@mail.example",
            "smtps://:hunter2@mail.example",
            "smtps://mail.example?tls=none",
            "smtp://mail.example?tls=maybe",
            "smtp://mail.example?pool=1",
            "smtp://mail.example/inbox",
            "smtp://u:hunter2@relay?tls=none",
            "smtps://u:%ff@mail.example",
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with("SMTP_URL must look like"), "{error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn credentials_are_decoded() {
        let url = SmtpUrl::parse("smtps://me%40label.example:p%3Ass@mail.example").unwrap();
        let (user, password) = url.credentials.unwrap();
        assert_eq!((user.as_str(), password.expose_secret()), ("me@label.example", "p:ss"));
        for (written, read) in
            [("a/b+c=", "a/b+c="), ("a@b#c?d", "a@b#c?d"), ("100%", "100%"), ("a%2Fb", "a/b")]
        {
            for query in ["", ":2525", "?tls=required"] {
                let url = SmtpUrl::parse(&format!("smtp://me@label.example:{written}@mail.example{query}"))
                    .unwrap();
                let (user, password) = url.credentials.unwrap();
                assert_eq!(
                    (user.as_str(), password.expose_secret()),
                    ("me@label.example", read),
                    "{written}{query}"
                );
                assert_eq!(url.host, "mail.example");
            }
        }
    }

    #[test]
    fn the_domain_of_an_address_may_be_international() {
        let read = |text| mailbox(text).map(|mailbox| mailbox.email.to_string());
        assert_eq!(read("Label <post@müller.example>").as_deref(), Some("post@xn--mller-kva.example"));
        assert_eq!(read("post@MÜLLER.example").as_deref(), Some("post@xn--mller-kva.example"));
        assert_eq!(read("pöst@müller.example"), None);
    }

    #[test]
    fn a_bounce_address_has_room_for_the_id_of_a_recipient() {
        let long = |length: usize| bounce_address(&format!("{}@label.example", "b".repeat(length)));
        assert!(long(31).is_ok());
        let error = long(32).unwrap_err().to_string();
        assert!(error.contains("is too long; at most 31 characters"), "{error}");
    }

    #[test]
    fn a_sender_may_have_a_name() {
        let read = |text| mailbox(text).map(|mailbox| (mailbox.name, mailbox.email.to_string()));
        let plain = Some((None, "a@b.example".to_owned()));
        assert_eq!(read(" a@b.example "), plain);
        assert_eq!(read("<a@b.example>"), plain);
        let named = Some((Some("The, Label".to_owned()), "a@b.example".to_owned()));
        assert_eq!(read("\"The, Label\" <a@b.example>"), named);
        let international = Some((None, "a@xn--bcher-kva.example".to_owned()));
        for typed in
            ["a@bücher.example", "a@bu\u{308}cher.example", "<a@BÜCHER.example>", "a@xn--bcher-kva.example"]
        {
            assert_eq!(read(typed), international, "{typed}");
        }
        for wrong in
            ["", "label", "a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example", "Ä <ä@b.example>"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
