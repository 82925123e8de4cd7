//! The form of a letter: its parts as plain text and as HTML that loads nothing. Capabilities write their own letters; those about
//! accounts are in [`super::letters`].

use askama::Template as _;
use deadwax_config::Origin;
use deadwax_store::clock::Micros;

use super::compose;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Whether no person wrote it. A letter that cannot be answered is marked as automatic anyway.
    pub is_automatic: bool,
}

/// The label that writes a letter, and the time that the letter names.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    name: &'a str,
    origin: &'a Origin,
    at: Micros,
}

impl<'a> Label<'a> {
    /// `at` is when the letter's cause happened.
    pub fn new(name: &'a str, origin: &'a Origin, at: Micros) -> Self {
        Self { name, origin, at }
    }

    /// The time as `on 2026-11-20 at 12:00 UTC`.
    pub fn when(&self) -> String {
        jiff::Timestamp::from_microsecond(self.at).map_or_else(
            |_| "just now".to_owned(),
            |instant| instant.strftime("on %Y-%m-%d at %H:%M UTC").to_string(),
        )
    }

    /// The address of a page of this website; `path` begins with `/`.
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
}

#[derive(askama::Template)]
#[template(path = "mail/letter.html")]
struct Html<'a> {
    label: &'a str,
    heading: &'a str,
    parts: &'a [Part],
    home: &'a str,
}
