//! Consent to the newsletter: the effect of subscribing, and the bounds of confirmation mails.

use serde::{Deserialize, Serialize};

use crate::{
    checked::{names, refusals},
    span::{DAY, MINUTE},
};

/// Life of a link that confirms a subscription; also how long an unconfirmed address is kept after its latest confirmation mail.
pub const CONFIRMATION_MS: u64 = 30 * DAY;
/// Time between two confirmation mails to one mailbox, at least.
pub const CONFIRMATION_GAP_MS: u64 = DAY;
/// Confirmation mails to one mailbox.
pub const CONFIRMATIONS_MAX: usize = 3;
/// They are counted anew this long after the last one.
pub const CONFIRMATIONS_ANEW_MS: u64 = 90 * DAY;
/// Leaving can be undone for this long.
pub const COME_BACK_MS: u64 = MINUTE;
/// Confirmation mails to earlier subscribers in a day, unless the label sets another number.
pub const CONFIRMATIONS_A_DAY: u32 = 500;
/// Maximum of the setting: what the hourly limit allows.
pub const CONFIRMATIONS_A_DAY_MAX: u32 = 4800;
/// Maximum length of the sentence that says where subscribers agreed, in characters.
pub const VOUCH_MAX: usize = 500;
/// Minimum length of that sentence.
pub const VOUCH_MIN: usize = 10;
/// Maximum number of subscriptions chosen at once.
pub const CHOSEN_MAX: usize = 400;

/// Heading of the page that confirms a subscription.
pub const CONFIRM_HEADING: &str = "CONFIRM YOUR ADDRESS";
/// Its sentence.
pub const CONFIRM_SENTENCE: &str =
    "We write to you when there is news: new records, and little else. Every letter says how to leave.";
/// Its button.
pub const CONFIRM_BUTTON: &str = "YES, WRITE TO ME";

refusals! {
    /// Refusals of the subscribers' settings and of consent in their name.
    pub enum ConsentError {
        ConfirmationsADay = "invalid_confirmations_a_day", "Between 1 and 4800 confirmations go out in a day.";
        SentenceTooShort = "sentence_too_short", "Say in a sentence of at least 10 characters where they agreed.";
        SentenceTooLong = "sentence_too_long", "The sentence must have at most 500 characters.";
        SentenceCharacters = "sentence_characters", "Invalid characters in the sentence.";
        Chosen = "too_many_chosen", "Please choose at most 400 subscribers.";
    }
}

names! {
    /// A subscriber's consent. Letters are sent only to active subscribers who are not unconfirmed.
    pub enum Consent {
        /// Nothing yet.
        Unconfirmed = "unconfirmed";
        /// The person pressed a link in a mail to the address.
        Confirmed = "confirmed";
        /// An admin says so, or the form was sent while confirming was turned off.
        Vouched = "vouched";
    }
}

/// A subscription of the address that subscribes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Known {
    /// Whether it is active.
    pub active: bool,
    /// Its consent.
    pub consent: Consent,
}

/// Effect of subscribing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Subscribed {
    /// The consent to store; none if the subscription stays as it is.
    pub consent: Option<Consent>,
    /// Whether a confirmation mail is sent, within its limits.
    pub asks: bool,
}

/// Decides the effect of subscribing. `is_suppressed` is true for an address that left, bounced, complained or was removed: then only its own
/// confirmation counts, even where the label does not ask (`asks`).
///
/// ```
/// use rules::newsletter_consent::{Consent, Known, subscribed};
///
/// assert!(subscribed(None, false, true).asks);
/// assert_eq!(subscribed(None, false, false).consent, Some(Consent::Vouched));
/// let confirmed = Known { active: true, consent: Consent::Confirmed };
/// assert_eq!(subscribed(Some(confirmed), false, true).consent, None);
/// ```
pub fn subscribed(known: Option<Known>, is_suppressed: bool, asks: bool) -> Subscribed {
    let must_ask = asks || is_suppressed;
    match known {
        Some(Known { active: true, consent: Consent::Confirmed | Consent::Vouched }) => {
            Subscribed { consent: None, asks: false }
        }
        Some(Known { active: true, consent: Consent::Unconfirmed }) if must_ask => {
            Subscribed { consent: None, asks: true }
        }
        _ if must_ask => Subscribed { consent: Some(Consent::Unconfirmed), asks: true },
        _ => Subscribed { consent: Some(Consent::Vouched), asks: false },
    }
}

/// No confirmation mail may be sent now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NotYet {
    /// When the next one may be sent.
    pub free_at_ms: u64,
}

/// Counts a confirmation mail to a mailbox. `sent_at_ms` holds the times of earlier ones, oldest first; returns the state to store.
///
/// Times more than a day ahead, written before the clock was set back, are dropped.
///
/// ```
/// use rules::newsletter_consent::next_confirmation;
///
/// const DAY: u64 = 86_400_000;
/// assert_eq!(next_confirmation(&[], 5), Ok(vec![5]));
/// assert_eq!(next_confirmation(&[5], 6).unwrap_err().free_at_ms, DAY + 5);
/// assert_eq!(next_confirmation(&[5, DAY + 5, 3 * DAY], 9 * DAY).unwrap_err().free_at_ms, 93 * DAY);
/// assert_eq!(next_confirmation(&[5, DAY + 5, 3 * DAY], 93 * DAY), Ok(vec![93 * DAY]));
/// ```
pub fn next_confirmation(sent_at_ms: &[u64], now_ms: u64) -> Result<Vec<u64>, NotYet> {
    let mut sent: Vec<u64> =
        sent_at_ms.iter().copied().filter(|at| *at <= now_ms.saturating_add(CONFIRMATION_GAP_MS)).collect();
    let Some(last) = sent.last().copied() else { return Ok(vec![now_ms]) };
    let anew_at_ms = last.saturating_add(CONFIRMATIONS_ANEW_MS);
    if now_ms >= anew_at_ms {
        return Ok(vec![now_ms]);
    }
    let has_all = sent.len() >= CONFIRMATIONS_MAX;
    let free_at_ms = if has_all { anew_at_ms } else { last.saturating_add(CONFIRMATION_GAP_MS) };
    if now_ms < free_at_ms {
        return Err(NotYet { free_at_ms });
    }
    sent.push(now_ms);
    Ok(sent)
}

/// Checks the number of confirmation mails in a day.
pub fn confirmations_a_day(number: i64) -> Result<i64, ConsentError> {
    if (1..=i64::from(CONFIRMATIONS_A_DAY_MAX)).contains(&number) {
        Ok(number)
    } else {
        Err(ConsentError::ConfirmationsADay)
    }
}

/// The sentence that says where subscribers agreed, as stored: on one line, trimmed.
///
/// ```
/// use rules::newsletter_consent::{ConsentError, vouch_sentence};
///
/// assert_eq!(vouch_sentence(" On paper, at the\nrecord fair. ").unwrap(), "On paper, at the record fair.");
/// assert_eq!(vouch_sentence("yes"), Err(ConsentError::SentenceTooShort));
/// ```
pub fn vouch_sentence(typed: &str) -> Result<String, ConsentError> {
    let sentence = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    match sentence.chars().count() {
        ..VOUCH_MIN => Err(ConsentError::SentenceTooShort),
        VOUCH_MIN..=VOUCH_MAX if sentence.contains(char::is_control) => Err(ConsentError::SentenceCharacters),
        VOUCH_MIN..=VOUCH_MAX => Ok(sentence),
        _ => Err(ConsentError::SentenceTooLong),
    }
}
