//! The catalogue of what the product says when something went wrong or right: a stable [`Code`], and the final words.
//!
//! What a field's rule answers stands with that rule, and the answers of the second factor stand in `mfa`. A text with
//! a part in braces is completed by [`message_with`].

mod codes;

pub use codes::Code;
use codes::{BY_THE_BROWSER, BY_THE_SERVER};

use crate::checked::Refusal;
use serde::Serialize;

/// One entry. A toast has a title, a text, or both; what stands inside a page has a text alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The title of the toast.
    pub title: Option<String>,
    /// The text.
    pub text: Option<String>,
}

impl From<Code> for Refusal {
    /// The code's text; of a toast that is a title alone, that.
    fn from(code: Code) -> Self {
        let title = Some(code.title()).filter(|title| !title.is_empty());
        let message = if code.text().is_empty() { code.title() } else { code.text() };
        Self { code: code.as_str(), message: message.into(), title }
    }
}

/// Every entry as code, title and text (empty where there is none), in the order of the reference.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    BY_THE_BROWSER.iter().chain(BY_THE_SERVER).copied()
}

/// Those of [`all`] that the web app words itself, which it has as data; the others it shows as they are sent.
pub fn browser() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    BY_THE_BROWSER.iter().copied()
}

/// The words for a code; none for an unknown one.
///
/// ```
/// let message = rules::messages::message("contact_failed").unwrap();
/// assert_eq!(message.title.as_deref(), Some("Error"));
/// assert_eq!(message.text.as_deref(), Some("Failed to send message. Please try again."));
/// ```
pub fn message(code: &str) -> Option<Message> {
    let (_, title, text) = all().find(|(known, _, _)| *known == code)?;
    let present = |words: &str| (!words.is_empty()).then(|| words.to_owned());
    Some(Message { title: present(title), text: present(text) })
}

/// The words for a code with the part in braces replaced by `value`.
///
/// ```
/// let message = rules::messages::message_with("login_failed", "Invalid username or password").unwrap();
/// assert_eq!(message.text.as_deref(), Some("ACCESS DENIED: Invalid username or password"));
/// ```
pub fn message_with(code: &str, value: &str) -> Option<Message> {
    let Message { title, text } = message(code)?;
    Some(Message { title, text: text.map(|text| filled(&text, value)) })
}

fn filled(text: &str, value: &str) -> String {
    match text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?.1))) {
        Some((before, after)) => before.to_owned() + value + after,
        None => text.to_owned(),
    }
}

/// The code of the toast for a terminal answer that is no success; the status is none when no answer arrived. The
/// console shows `terminal_failed` in every case.
pub const fn terminal_code(status: Option<u32>) -> Code {
    match status {
        Some(401) => Code::TerminalUnauthorized,
        Some(404) => Code::TerminalNotFound,
        Some(429) => Code::TerminalRateLimited,
        Some(500) => Code::TerminalInternal,
        _ => Code::TerminalFailed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_there_once_and_has_words() {
        for (place, (code, title, text)) in all().enumerate() {
            assert!(!title.is_empty() || !text.is_empty(), "{code}");
            assert!(code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{code}");
            assert_eq!(all().position(|(other, ..)| other == code), Some(place), "{code}");
        }
    }

    #[test]
    fn a_code_has_the_words_of_its_line() {
        assert_eq!(Code::NewsletterSubscribed.as_str(), "newsletter_subscribed");
        assert_eq!(Code::MfaEnabled.title(), "MFA Enabled");
        assert_eq!(Code::ChecklistLoginLimits.as_str(), "checklist_login_limits");
        assert_eq!(Code::NotFound.text(), "Not found.");
    }

    #[test]
    fn a_refusal_says_the_text_or_else_the_title() {
        let said = |code: Code| Refusal::from(code).message;
        assert_eq!(said(Code::UsernameTaken), "This username is already in use. Please choose another.");
        assert_eq!(said(Code::MfaEnabled), "MFA Enabled");
        let waiting = message_with(Code::RateLimited.as_str(), "2").and_then(|message| message.text);
        assert_eq!(waiting, Some(crate::cooldown::too_many_text(120)));
    }
}
