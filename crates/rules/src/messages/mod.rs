//! Messages of the product: a stable [`Code`] and the final text.
//!
//! Refusals of fields are in their rules, and those of the second factor in `mfa`.

mod codes;

pub use codes::Code;
use codes::{BY_THE_BROWSER, BY_THE_SERVER};

use crate::checked::Refusal;

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
        let waiting = Code::RateLimited.text().replace("{minutes}", "2");
        assert_eq!(waiting, crate::cooldown::too_many_text(120));
    }
}
