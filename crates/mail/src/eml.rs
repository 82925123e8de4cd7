//! Reads back what `compose` wrote: the few headers worth showing, and the two forms. It is no reader of other
//! people's mail.

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// A captured mail as shown to a developer.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Who it is from, as its header says it.
    pub from: String,
    /// Whom it is to.
    pub to: String,
    /// Who gets an answer; empty where that is the sender.
    pub reply_to: String,
    /// Its subject, decoded.
    pub subject: String,
    /// When it was written, as its header says it.
    pub date: String,
    /// It as text.
    pub text: String,
    /// It as HTML source.
    pub html: String,
}

/// Reads a mail; what it lacks stays empty.
pub fn read(bytes: &[u8]) -> Shown {
    let mail = String::from_utf8_lossy(bytes);
    let (head, body) = split(&mail);
    let headers = unfold(head);
    let header = |name: &str| words(value(&headers, name));
    let mut shown = Shown {
        from: header("from"),
        to: header("to"),
        reply_to: header("reply-to"),
        subject: header("subject"),
        date: header("date"),
        ..Shown::default()
    };
    for part in parts(value(&headers, "content-type"), body) {
        let (head, body) = split(part);
        let headers = unfold(head);
        let decoded = decode(value(&headers, "content-transfer-encoding"), body);
        let kind = value(&headers, "content-type").to_ascii_lowercase();
        if kind.starts_with("text/plain") {
            shown.text = decoded;
        } else if kind.starts_with("text/html") {
            shown.html = decoded;
        }
    }
    shown
}

fn split(mail: &str) -> (&str, &str) {
    mail.split_once("\r\n\r\n").unwrap_or((mail, ""))
}

fn unfold(head: &str) -> String {
    head.replace("\r\n ", " ").replace("\r\n\t", " ")
}

fn value<'a>(headers: &'a str, name: &str) -> &'a str {
    headers
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find_map(|(found, value)| found.eq_ignore_ascii_case(name).then(|| value.trim()))
        .unwrap_or_default()
}

fn parts<'a>(content_type: &str, body: &'a str) -> Vec<&'a str> {
    let Some((_, boundary)) = content_type.split_once("boundary=") else { return Vec::new() };
    let boundary = boundary.split(';').next().unwrap_or_default().trim().trim_matches('"');
    let (line, end) = (format!("--{boundary}\r\n"), format!("--{boundary}--"));
    let body = body.split(&end).next().unwrap_or_default();
    body.split(&line).skip(1).map(|part| part.strip_suffix("\r\n").unwrap_or(part)).collect()
}

fn decode(encoding: &str, body: &str) -> String {
    let bytes = match encoding.to_ascii_lowercase().as_str() {
        "quoted-printable" => {
            quoted_printable::decode(body, quoted_printable::ParseMode::Robust).unwrap_or_default()
        }
        "base64" => {
            let packed: String = body.split_whitespace().collect();
            STANDARD.decode(packed).unwrap_or_default()
        }
        _ => body.as_bytes().to_vec(),
    };
    String::from_utf8_lossy(&bytes).replace("\r\n", "\n")
}

/// RFC 2047: `=?utf-8?b?…?=` among plain words.
fn words(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    let mut after_word = false;
    while let Some((before, word, after)) = encoded_word(rest) {
        // White space between two encoded words belongs to neither.
        if !(after_word && before.trim().is_empty()) {
            out.push_str(before);
        }
        out.push_str(&word);
        rest = after;
        after_word = true;
    }
    out + rest
}

fn encoded_word(text: &str) -> Option<(&str, String, &str)> {
    let (before, rest) = text.split_once("=?")?;
    let (_charset, rest) = rest.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let (word, after) = rest.split_once("?=")?;
    let bytes = match encoding {
        "b" | "B" => STANDARD.decode(word).ok()?,
        "q" | "Q" => {
            quoted_printable::decode(word.replace('_', " "), quoted_printable::ParseMode::Robust).ok()?
        }
        _ => return None,
    };
    Some((before, String::from_utf8_lossy(&bytes).into_owned(), after))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::compose::{Content, Sender, compose};

    fn sender(name: &str) -> Sender {
        let from = lettre::message::Mailbox::new(
            Some(crate::compose::one_line(name)),
            "mail@label.example".parse().unwrap(),
        );
        Sender { from, host: "label.example".to_owned() }
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
    fn what_was_composed_reads_back() {
        for (name, text) in [
            ("404 COLLECTIVE", "plain\nlines"),
            ("Ärzte \"im\" Exil, <Berlin>", "Grüße\nan alle"),
            ("レーベル", &"=".repeat(300)),
            ("x", "日本語".repeat(200).as_str()),
        ] {
            let mail =
                compose(&sender(name), Uuid::nil(), 1_795_176_000_000_000, &content(name, text)).unwrap();
            let shown = read(&mail.formatted());
            assert_eq!(shown.subject, name);
            assert_eq!(
                (shown.to.as_str(), shown.reply_to.as_str()),
                ("max@example.org", "visitor@example.org")
            );
            assert_eq!(shown.text.trim_end(), text);
            assert_eq!(shown.html.trim_end(), format!("<p>{text}</p>"));
            assert_eq!(shown.date, "Fri, 20 Nov 2026 12:00:00 +0000");
            assert!(shown.from.ends_with("<mail@label.example>"), "{}", shown.from);
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
