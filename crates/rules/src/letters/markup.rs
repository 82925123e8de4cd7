//! The markup of texts: paragraphs, bold, links.

use serde::{Deserialize, Serialize};

use crate::email::Email;
use crate::url::{URL_MAX, sanitize_url};

/// Whether a letter may link there: an absolute `http` or `https` address, or `mailto:` with an e-mail address.
///
/// ```
/// use rules::letters::is_letter_link;
///
/// assert!(is_letter_link("https://label.example/releases/404-001"));
/// assert!(is_letter_link("mailto:mail@label.example?subject=Hello"));
/// assert!(!is_letter_link("javascript:alert(1)"));
/// assert!(!is_letter_link("/releases"));
/// ```
pub fn is_letter_link(link: &str) -> bool {
    if let Some(address) = link.strip_prefix("mailto:") {
        let (address, fields) = address.split_once('?').unwrap_or((address, ""));
        let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '\\');
        return link.len() <= URL_MAX && Email::parse(address).is_ok() && fields.chars().all(is_plain);
    }
    !link.starts_with('/') && sanitize_url(link).is_ok_and(|url| url == link && !url.is_empty())
}

/// A piece of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = LetterSpan))]
pub struct Span {
    /// The words, with line breaks.
    pub text: String,
    /// Whether they are bold.
    pub bold: bool,
    /// The link's target.
    pub link: Option<String>,
}

/// The paragraphs of a text with its markup.
///
/// ```
/// use rules::letters::letter_paragraphs;
///
/// let paragraphs = letter_paragraphs("Hear **it**\n\n[Here](https://a.example)");
/// assert_eq!(paragraphs.len(), 2);
/// assert!(paragraphs[0][1].bold);
/// assert_eq!(paragraphs[1][0].link.as_deref(), Some("https://a.example"));
/// ```
pub fn letter_paragraphs(text: &str) -> Vec<Vec<Span>> {
    blocks(text).map(|paragraph| spans(paragraph).0).collect()
}

pub(super) fn blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(['\n', ' ', '\t']);
        if rest.is_empty() {
            return None;
        }
        // A blank line may hold spaces.
        let mut end = rest.len();
        let mut from = 0;
        while let Some(at) = rest.get(from..).and_then(|after| after.find('\n')) {
            let next = from + at + 1;
            let line = rest.get(next..).unwrap_or_default();
            if line.split('\n').next().is_some_and(|line| line.trim().is_empty()) {
                end = next;
                break;
            }
            from = next;
        }
        let (block, after) = rest.split_at(end);
        rest = after;
        Some(block.trim_end())
    })
}

/// The pieces of a paragraph, and whether all of its links may be followed.
pub(super) fn spans(paragraph: &str) -> (Vec<Span>, bool) {
    let last_stars = paragraph.rfind("**").unwrap_or(0);
    let mut found = Vec::new();
    let (mut bold, mut valid, mut at, mut from) = (false, true, 0, 0);
    while let Some(rest) = paragraph.get(at..).filter(|rest| !rest.is_empty()) {
        let begins_word = !paragraph.get(..at).unwrap_or_default().ends_with(char::is_alphanumeric);
        if rest.starts_with("**") && (bold || at < last_stars) {
            push(&mut found, paragraph.get(from..at), bold, None);
            bold = !bold;
            at += 2;
            from = at;
        } else if let Some((words, target, length)) = link_at(rest) {
            if is_letter_link(target) {
                push(&mut found, paragraph.get(from..at), bold, None);
                push(&mut found, Some(words), bold, Some(target));
                from = at + length;
            } else {
                valid = false;
            }
            at += length;
        } else if let Some(address) = address_at(rest).filter(|_| begins_word) {
            push(&mut found, paragraph.get(from..at), bold, None);
            push(&mut found, Some(address), bold, Some(address));
            at += address.len();
            from = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    push(&mut found, paragraph.get(from..), bold, None);
    (found, valid)
}

fn push(found: &mut Vec<Span>, text: Option<&str>, bold: bool, link: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        found.push(Span { text: text.to_owned(), bold, link: link.map(str::to_owned) });
    }
}

/// The words, the target and the length of a link at the start of a text.
fn link_at(text: &str) -> Option<(&str, &str, usize)> {
    let inner = text.strip_prefix('[')?;
    let end = inner.find(['[', ']', '\n'])?;
    let words = inner.get(..end).filter(|words| !words.trim().is_empty())?;
    let after = inner.get(end..)?.strip_prefix("](")?;
    let mut depth = 0_u32;
    for (at, c) in after.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ')' => {
                let target = after.get(..at).filter(|target| !target.is_empty())?;
                return Some((words, target, end + at + 4));
            }
            c if c.is_whitespace() => return None,
            _ => {}
        }
    }
    None
}

/// The address of a page at the start of a text, without the punctuation behind it and brackets that it does not open.
fn address_at(text: &str) -> Option<&str> {
    if !text.starts_with("https://") && !text.starts_with("http://") {
        return None;
    }
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '*' | '[' | ']'));
    let address = text.get(..end.unwrap_or(text.len()))?;
    let count = |bracket: char| address.matches(bracket).count();
    let mut unopened = count(')').saturating_sub(count('('));
    let address = address.trim_end_matches(|c| match c {
        ')' if unopened > 0 => {
            unopened -= 1;
            true
        }
        _ => matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '\u{2026}' | '\u{201d}'),
    });
    is_letter_link(address).then_some(address)
}
