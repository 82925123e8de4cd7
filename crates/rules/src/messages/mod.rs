//! Messages of the product: a stable [`Code`] and the final text.
//!
//! Refusals of fields are in their rules, and those of the second factor in `mfa`. [`message_with`] completes a text that has a
//! part in braces.

mod codes;

pub use codes::Code;
use codes::{BY_THE_BROWSER, BY_THE_SERVER};

use crate::checked::Refusal;
use serde::Serialize;

/// A message. A toast has a title, a text or both; a message within a page has a text only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// Toast title.
    pub title: Option<String>,
    /// Text.
    pub text: Option<String>,
}

impl From<Code> for Refusal {
    /// Uses the text, or the title of a toast without a text.
    fn from(code: Code) -> Self {
        let title = Some(code.title()).filter(|title| !title.is_empty());
        let message = if code.text().is_empty() { code.title() } else { code.text() };
        Self { code: code.as_str(), message: message.into(), title }
    }
}

/// All messages as code, title and text (empty if absent), in the order of the reference.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    BY_THE_BROWSER.iter().chain(BY_THE_SERVER).copied()
}

/// The messages in [`all`] that the web app shows by itself and has as data.
pub fn browser() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    BY_THE_BROWSER.iter().copied()
}

/// The message of a code; `None` for an unknown one.
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

/// The message of a code with its part in braces replaced by `value`.
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

/// Toast code of an unsuccessful terminal answer; `status` is `None` if no answer arrived. The console shows `terminal_failed`
/// in every case.
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
