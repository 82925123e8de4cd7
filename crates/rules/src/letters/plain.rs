//! Parts as plain text, in lines of at most [`LINE_WIDTH`] characters.

use serde::Deserialize;

use super::{LINE_WIDTH, LetterPart, LetterPartKind, Span, letter_paragraphs};
use crate::text;

/// A release as a letter in plain text shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct LetterRelease {
    /// Title.
    pub title: String,
    /// The artist's name.
    pub artist: String,
    /// Catalogue number.
    pub number: Option<String>,
    /// Address of its page.
    pub page: String,
    /// Names and addresses of the platforms.
    pub links: Vec<(String, String)>,
}

/// A part in plain text, in lines of at most [`LINE_WIDTH`] characters; `release` is that of a release part, if it is still there.
///
/// ```
/// use rules::letters::{LetterPart, LetterPartKind, plain_part};
///
/// let text = "We are **back**: [hear it](https://a.example).".into();
/// let part = LetterPart { text, ..LetterPart::new(LetterPartKind::Text) };
/// assert_eq!(plain_part(&part, None), "We are back: hear it <https://a.example>.");
/// ```
pub fn plain_part(part: &LetterPart, release: Option<&LetterRelease>) -> String {
    match part.kind {
        LetterPartKind::Heading => {
            let heading = wrapped(&part.text);
            let width = heading.lines().map(text::count).max().unwrap_or_default();
            format!("{heading}\n{}", "=".repeat(width))
        }
        LetterPartKind::Picture if part.link.is_empty() => wrapped(&format!("[{}]", part.alt)),
        LetterPartKind::Picture => wrapped(&format!("[{}]\n{}", part.alt, part.link)),
        LetterPartKind::Text => plain_text(&part.text),
        LetterPartKind::Button => wrapped(&format!("{}:\n{}", part.text, part.link)),
        LetterPartKind::Release => {
            let Some(release) = release else { return plain_text(&part.text) };
            let number = release.number.as_deref().map_or_else(String::new, |number| format!("{number}\n"));
            let head = format!("{number}{}: {}\n{}", release.artist, release.title, release.page);
            let links = release.links.iter().map(|(name, url)| format!("{name}: {url}"));
            let links = links.collect::<Vec<_>>().join("\n");
            let pieces = [wrapped(&head), plain_text(&part.text), wrapped(&links)];
            pieces.into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join("\n\n")
        }
        LetterPartKind::Divider => "-".repeat(LINE_WIDTH),
    }
}

fn plain_text(text: &str) -> String {
    let plain = |paragraph: Vec<Span>| {
        let words = paragraph.into_iter().map(|span| match span.link {
            Some(link) if link.strip_prefix("mailto:").unwrap_or(&link) != span.text => {
                format!("{} <{link}>", span.text)
            }
            _ => span.text,
        });
        wrapped(&words.collect::<String>())
    };
    letter_paragraphs(text).into_iter().map(plain).collect::<Vec<_>>().join("\n\n")
}

/// A text in lines of at most [`LINE_WIDTH`] characters, broken at spaces; its own line breaks stay.
pub fn wrapped(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let (mut current, mut width) = (String::new(), 0);
        for word in line.split([' ', '\t']).filter(|word| !word.is_empty()) {
            let length = text::count(word);
            if width > 0 && width + 1 + length > LINE_WIDTH {
                lines.push(std::mem::take(&mut current));
                width = 0;
            }
            if width > 0 {
                current.push(' ');
                width += 1;
            }
            current.push_str(word);
            width += length;
        }
        lines.push(current);
    }
    lines.join("\n")
}
