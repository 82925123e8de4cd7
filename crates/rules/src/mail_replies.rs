//! Replies of mail servers to a letter, and reports about letters that came back: who or what is to blame.

use serde::{Deserialize, Serialize};

use crate::span::DAY;

/// Letters that came back for now, in [`SOFT_BOUNCES_MS`], before a subscription ends.
pub const SOFT_BOUNCES_MAX: u64 = 5;
/// Time in which they are counted.
pub const SOFT_BOUNCES_MS: u64 = 90 * DAY;

/// The command that a mail server's reply answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The greeting, the sign-in or `MAIL FROM`.
    Sender,
    /// `RCPT TO`.
    Recipient,
    /// `DATA` and the text.
    Text,
}

/// The meaning of a reply that refuses a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The address does not exist any more: its subscription ends.
    Address,
    /// This mailbox takes no mail for now.
    Mailbox,
    /// The server does not let this sender send.
    Sender,
    /// The server refuses this mail by a rule of the provider.
    Policy,
    /// The server wants fewer mails.
    SlowDown,
    /// Refused for good, and not because of the person.
    Refused,
}

/// An enhanced status code (RFC 3463) at the beginning of a reply's text.
///
/// ```
/// use rules::mail_replies::enhanced_code;
///
/// assert_eq!(enhanced_code("5.1.1 <max@example.org>: unknown"), Some([5, 1, 1]));
/// assert_eq!(enhanced_code("mailbox unavailable"), None);
/// ```
pub fn enhanced_code(text: &str) -> Option<[u16; 3]> {
    let word = text.split_whitespace().next()?;
    let mut numbers = word.split('.').map(|part| {
        let is_number = (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u16>().ok()).flatten()
    });
    let code = [numbers.next()??, numbers.next()??, numbers.next()??];
    (numbers.next().is_none() && matches!(code[0], 2 | 4 | 5)).then_some(code)
}

/// The meaning of a reply of 400 and above. The enhanced code decides where there is one.
///
/// ```
/// use rules::mail_replies::{Stage, Verdict, verdict};
///
/// assert_eq!(verdict(Stage::Recipient, 550, None), Verdict::Address);
/// assert_eq!(verdict(Stage::Recipient, 550, Some([5, 7, 1])), Verdict::Policy);
/// assert_eq!(verdict(Stage::Text, 421, None), Verdict::SlowDown);
/// ```
pub fn verdict(stage: Stage, code: u16, enhanced: Option<[u16; 3]>) -> Verdict {
    let is_permanent = enhanced.map_or(code >= 500, |[class, ..]| class == 5);
    if stage == Stage::Sender {
        return if is_permanent { Verdict::Sender } else { Verdict::SlowDown };
    }
    match enhanced {
        Some([5, 1, 7 | 8]) => Verdict::Sender,
        Some([5, 1, 0..=6 | 10] | [5, 2, 1]) => Verdict::Address,
        Some([5, 7, _]) => Verdict::Policy,
        Some([4, 1 | 2, _]) => Verdict::Mailbox,
        Some([4, ..]) => Verdict::SlowDown,
        None if stage == Stage::Recipient && matches!(code, 550 | 553) => Verdict::Address,
        _ if is_permanent => Verdict::Refused,
        _ => Verdict::SlowDown,
    }
}

/// The meaning of a report about a letter that came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bounce {
    /// The address does not exist any more.
    Gone,
    /// It could not be delivered this time.
    Soft,
    /// Refused, and not because of the person.
    Refused,
    /// Nothing has failed, so far.
    None,
}

/// The meaning of a delivery status notification (RFC 3464): its action, its status, and the code of the other server's own words.
///
/// ```
/// use rules::mail_replies::{Bounce, bounce};
///
/// assert_eq!(bounce("failed", Some([5, 1, 1]), None), Bounce::Gone);
/// assert_eq!(bounce("failed", Some([5, 0, 0]), Some(550)), Bounce::Gone);
/// assert_eq!(bounce("delayed", Some([4, 4, 1]), None), Bounce::None);
/// ```
pub fn bounce(action: &str, status: Option<[u16; 3]>, code: Option<u16>) -> Bounce {
    if !action.trim().eq_ignore_ascii_case("failed") {
        return Bounce::None;
    }
    match (status, code) {
        (Some([5, 1, 0..=6 | 10] | [5, 2, 1]), _) | (Some([5, 0, 0]) | None, Some(550 | 553)) => Bounce::Gone,
        (Some([4, ..] | [5, 2..=4, _]), _) => Bounce::Soft,
        (Some([5, ..]), _) | (_, Some(500..)) => Bounce::Refused,
        _ => Bounce::Soft,
    }
}
