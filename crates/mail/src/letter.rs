//! What a letter is made of: the same parts as plain text and as HTML without anything to be loaded. What the letters say stands
//! with whoever writes them; those about accounts are in [`super::letters`].

use askama::Template as _;
use deadwax_config::Origin;
use deadwax_store::clock::Micros;

use super::compose;

/// What a mail says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// One line.
    pub subject: String,
    /// The plain form.
    pub text: String,
    /// The same as an HTML document.
    pub html: String,
    /// Nobody wrote it. What nobody can answer says so by itself.
    pub is_automatic: bool,
}

/// In whose name a letter is written, and when what it tells of happened.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    name: &'a str,
    origin: &'a Origin,
    at: Micros,
}

impl<'a> Label<'a> {
    /// A label of this name at this address; `at` is when it happened.
    pub fn new(name: &'a str, origin: &'a Origin, at: Micros) -> Self {
        Self { name, origin, at }
    }

    /// When it happened, such as `on 2026-11-20 at 12:00 UTC`.
    pub fn when(&self) -> String {
        jiff::Timestamp::from_microsecond(self.at).map_or_else(
            |_| "just now".to_owned(),
            |instant| instant.strftime("on %Y-%m-%d at %H:%M UTC").to_string(),
        )
    }

    /// A page of this website; `path` begins with `/`.
    pub fn link(&self, path: &str) -> String {
        self.origin.link(path)
    }

    /// A letter of these parts; the subject begins with the label's name.
    pub fn letter(&self, subject: &str, heading: &str, parts: &[Part]) -> Letter {
        let label = &compose::one_line(self.name);
        let home = &self.origin.to_string();
        let text = Text { label, heading, parts, home }.render();
        let html = Html { label, heading, parts, home }.render();
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
    /// A paragraph.
    Say(String),
    /// What somebody of the label wrote: its line breaks are kept.
    Words(String),
    /// What it is for, and where it leads.
    Link(&'static str, String),
    /// To be typed.
    Code(String),
    /// What it is, and what somebody else wrote: its line breaks are kept.
    Quote(&'static str, String),
}

/// A paragraph.
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
}

#[derive(askama::Template)]
#[template(path = "mail/letter.html")]
struct Html<'a> {
    label: &'a str,
    heading: &'a str,
    parts: &'a [Part],
    home: &'a str,
}
