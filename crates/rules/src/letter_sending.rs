//! Sending letters: their states, the pace, and when to pause without an admin. The replies of mail servers are in `mail_replies.rs`.

use serde::{Deserialize, Serialize};

use crate::{
    checked::{names, refusals},
    publish::instant,
    span::{DAY, HOUR, MINUTE, SECOND},
};

/// Time between SEND and the start of sending, in which it can be undone.
pub const SEND_UNDO_MS: u64 = MINUTE;
/// A letter that is later than this does not begin by itself.
pub const SEND_LATE_MS: u64 = 2 * HOUR;
/// The furthest time a letter can be scheduled for.
pub const SCHEDULE_MAX_MS: u64 = 365 * DAY;
/// Letters that are being handed over at once, by all instances together.
pub const HANDING_MAX: usize = 4;
/// How long one hand-over may take; then the letter is handed over again. Longer than all timeouts of one mail together.
pub const HANDING_MS: u64 = 2 * MINUTE;
/// A mailbox that takes no mail for now is tried for this long.
pub const RECIPIENT_PATIENCE_MS: u64 = 48 * HOUR;
/// Time between two tries of such a mailbox.
pub const RECIPIENT_GAP_MS: u64 = HOUR;
/// Letters a second, unless the label sets another number.
pub const LETTERS_A_SECOND: u32 = 2;
/// Maximum of that setting.
pub const LETTERS_A_SECOND_MAX: u32 = 50;
/// Maximum of letters in an hour or a day.
pub const LETTERS_BOUND_MAX: u32 = 1_000_000;
/// Maximum length of the postal address, in characters.
pub const POSTAL_ADDRESS_MAX: usize = 300;
/// Longest pause after a server that asks to slow down.
pub const SLOW_PAUSE_MAX_MS: u64 = 30 * MINUTE;
/// Time without such a reply after which the rate doubles again.
pub const EASE_MS: u64 = 10 * MINUTE;
/// The latest letters by which refusals are judged.
pub const JUDGED: u64 = 200;
/// Refusals are judged from this many letters on.
pub const JUDGED_MIN: u64 = 100;
/// Sending pauses above this share of refusals, in percent.
pub const REFUSED_PERCENT_MAX: u64 = 5;
/// The same while the first letter to an imported list goes out.
pub const REFUSED_PERCENT_MAX_IMPORTED: u64 = 10;
/// Refusals for policy in a row that pause sending.
pub const POLICY_MAX: u64 = 3;

refusals! {
    /// Refusals of sending a letter and of its settings.
    pub enum SendingError {
        State = "letter_state", "The letter is in another state by now.";
        Recipients = "letter_without_recipients", "There is no confirmed subscriber to write to.";
        Time = "invalid_goes_out_at", "Choose a time within the next year.";
        ASecond = "invalid_letters_a_second", "Between 1 and 50 letters go out in a second.";
        Bound = "invalid_letters_bound", "Enter a number between 1 and 1000000, or nothing.";
        PostalAddress = "invalid_postal_address", "The postal address must have at most 300 characters.";
    }
}

names! {
    /// The state of a letter.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum LetterState {
        /// It is being written.
        Draft = "draft";
        /// It begins at its time.
        Scheduled = "scheduled";
        /// It is being handed over, recipient by recipient.
        Sending = "sending";
        /// Sending waits for an admin.
        Paused = "paused";
        /// Each recipient has an outcome.
        Sent = "sent";
        /// An admin ended it before that.
        Stopped = "stopped";
        /// It could not begin within two hours of its time.
        Missed = "missed";
    }
}

/// A step of an admin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SendingStep {
    /// Sends it a minute later, or at a time. Its request is another one than that of the other steps.
    #[serde(skip)]
    Send,
    /// Back to writing.
    Undo,
    /// Holds the rest back.
    Pause,
    /// Sends the rest.
    Resume,
    /// Ends it for good.
    Stop,
}

/// The state after a step. `has_begun` is true once recipients were chosen: a paused letter that has not begun, as after a restore of a
/// backup, goes back to writing by UNDO.
///
/// ```
/// use rules::letter_sending::{LetterState, SendingStep, after_step};
///
/// assert_eq!(after_step(LetterState::Draft, SendingStep::Send, false), Ok(LetterState::Scheduled));
/// assert!(after_step(LetterState::Sent, SendingStep::Stop, true).is_err());
/// ```
pub fn after_step(
    state: LetterState,
    step: SendingStep,
    has_begun: bool,
) -> Result<LetterState, SendingError> {
    use LetterState::{Draft, Missed, Paused, Scheduled, Sending, Stopped};
    match (step, state) {
        (SendingStep::Send, Draft | Missed) => Ok(Scheduled),
        (SendingStep::Send, Paused) if !has_begun => Ok(Scheduled),
        (SendingStep::Undo, Scheduled | Missed) => Ok(Draft),
        (SendingStep::Undo, Paused) if !has_begun => Ok(Draft),
        (SendingStep::Pause, Sending) => Ok(Paused),
        (SendingStep::Resume, Paused) if has_begun => Ok(Sending),
        (SendingStep::Stop, Sending | Paused) if has_begun => Ok(Stopped),
        _ => Err(SendingError::State),
    }
}

names! {
    /// Why sending a letter waits for an admin.
    pub enum PauseReason {
        /// An admin paused it.
        Admin = "admin";
        /// A backup was restored.
        Restored = "restored";
        /// Too many letters were refused for good.
        Refused = "refused";
        /// The provider's rules refused letters in a row.
        Policy = "policy";
        /// The mail server does not let this sender send.
        Sender = "sender";
        /// The mail server gave no answer twice after the text of the same letter.
        NoAnswer = "no_answer";
        /// The mail server was set up, or taken away, after the letter began.
        Way = "way";
        /// A mail cannot be written into the folder of captured mail.
        Folder = "folder";
        /// No letter can be made of its parts any more.
        Parts = "parts";
    }
}

impl PauseReason {
    /// For a person.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Admin => "An admin paused it.",
            Self::Restored => "A backup was restored. Some recipients may have had this letter already.",
            Self::Refused => {
                "More than 5 % of the latest letters were refused for good, or 10 % of the first one to an imported list. Look at the codes before going on."
            }
            Self::Policy => {
                "The mail server refused three letters in a row by its provider's rules. Ask the provider what is wrong."
            }
            Self::Sender => {
                "The mail server does not let this sender send. Check MAIL_FROM and the account in SMTP_URL."
            }
            Self::NoAnswer => {
                "The mail server took the text of a letter twice without an answer. Recipients may have this letter already."
            }
            Self::Way => {
                "SMTP_URL was set or taken away after it began: the rest would go another way than the first mails. Change that back to go on, or stop it."
            }
            Self::Folder => "Mail cannot be written into the data folder. The disk may be full.",
            Self::Parts => {
                "It could not begin: a picture or release that it shows is gone, or it is too large."
            }
        }
    }
}

/// Whether a scheduled letter begins now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Begins {
    /// Its time has not come.
    NotYet,
    /// Now.
    Now,
    /// Its time is too long ago.
    Missed,
}

/// Parses the time when a letter goes out (RFC 3339), in milliseconds since 1970: ahead, and within a year.
///
/// ```
/// use rules::letter_sending::goes_out_ms;
///
/// assert_eq!(goes_out_ms("1970-01-01T00:00:02Z", 1_000), Ok(2_000));
/// assert!(goes_out_ms("1970-01-01T00:00:01Z", 1_000).is_err());
/// ```
pub fn goes_out_ms(text: &str, now_ms: u64) -> Result<u64, SendingError> {
    let at = instant(text).and_then(|at| u64::try_from(at).ok());
    at.filter(|at| *at > now_ms && *at <= now_ms.saturating_add(SCHEDULE_MAX_MS)).ok_or(SendingError::Time)
}

/// Whether a letter that goes out at `at_ms` begins.
pub fn begins(at_ms: u64, now_ms: u64) -> Begins {
    if now_ms < at_ms {
        Begins::NotYet
    } else if now_ms - at_ms > SEND_LATE_MS {
        Begins::Missed
    } else {
        Begins::Now
    }
}

/// Whether the share of refusals is too high to go on: `refused` of the latest `judged` letters, at most [`JUDGED`]. `is_imported` while the
/// first letter to an imported list goes out.
pub fn too_many_refused(refused: u64, judged: u64, is_imported: bool) -> bool {
    let percent_max = if is_imported { REFUSED_PERCENT_MAX_IMPORTED } else { REFUSED_PERCENT_MAX };
    judged >= JUDGED_MIN && refused * 100 > judged * percent_max
}

/// The pace that all instances share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub struct Pace {
    /// When the next letter may be handed over.
    pub next_at_ms: u64,
    /// How often the server asked to slow down, less what was eased since.
    pub slowed: u32,
    /// End of the pause.
    pub paused_until_ms: u64,
}

/// Late letters of this long catch up; a longer delay is not made up for.
const CATCH_UP_MS: u64 = SECOND;

impl Pace {
    /// The wait until the next letter may be handed over, or the pace after handing one over now. `a_second` is the label's setting.
    pub fn take(self, a_second: u32, now_ms: u64) -> Result<Self, u64> {
        let (next_at_ms, paused_until_ms) =
            (near(self.next_at_ms, now_ms), near(self.paused_until_ms, now_ms));
        let free_at_ms = next_at_ms.max(paused_until_ms);
        if now_ms < free_at_ms {
            return Err(free_at_ms - now_ms);
        }
        let eased = (now_ms - paused_until_ms) / EASE_MS;
        let slowed = self.slowed.saturating_sub(u32::try_from(eased).unwrap_or(u32::MAX));
        let gap_ms = (SECOND / u64::from(a_second.clamp(1, LETTERS_A_SECOND_MAX))) << slowed.min(6);
        let from = next_at_ms.max(now_ms.saturating_sub(CATCH_UP_MS));
        Ok(Self { next_at_ms: from + gap_ms, ..self })
    }

    /// The pace after a server asked to slow down: half the rate, and a pause of 1, 2, 4 … 30 minutes. During a pause nothing changes,
    /// because the letters that were under way then get the same reply.
    #[must_use]
    pub fn slow_down(self, now_ms: u64) -> Self {
        let paused_until_ms = near(self.paused_until_ms, now_ms);
        if now_ms < paused_until_ms {
            return self;
        }
        let eased = u32::try_from((now_ms - paused_until_ms) / EASE_MS).unwrap_or(u32::MAX);
        let slowed = self.slowed.saturating_sub(eased);
        let pause_ms = (MINUTE << slowed.min(5)).min(SLOW_PAUSE_MAX_MS);
        Self { slowed: slowed.saturating_add(1), paused_until_ms: now_ms.saturating_add(pause_ms), ..self }
    }
}

/// Now, for a time more than a pause ahead: it was written before the clock was set back.
fn near(at_ms: u64, now_ms: u64) -> u64 {
    let is_far = at_ms > now_ms.saturating_add(SLOW_PAUSE_MAX_MS + MINUTE);
    if is_far { now_ms } else { at_ms }
}

/// About how long `count` letters take, in seconds.
///
/// ```
/// use rules::letter_sending::duration_s;
///
/// assert_eq!(duration_s(1_000, 2, None, None), 500);
/// assert_eq!(duration_s(1_000, 50, Some(300), None), 3 * 3_600 + 2);
/// ```
pub fn duration_s(count: u64, a_second: u32, an_hour: Option<u32>, a_day: Option<u32>) -> u64 {
    let bounded = |bound: Option<u32>, span_ms: u64| {
        let Some(bound) = bound.map(u64::from).filter(|bound| *bound > 0 && count > 0) else { return 0 };
        let full = (count - 1) / bound;
        let rest = count - full * bound;
        full * (span_ms / SECOND) + rest.div_ceil(u64::from(a_second.max(1)))
    };
    let plain = count.div_ceil(u64::from(a_second.max(1)));
    plain.max(bounded(an_hour, HOUR)).max(bounded(a_day, DAY))
}

/// Checks the number of letters in a second.
pub fn letters_a_second(number: i64) -> Result<i64, SendingError> {
    (1..=i64::from(LETTERS_A_SECOND_MAX)).contains(&number).then_some(number).ok_or(SendingError::ASecond)
}

/// Checks the number of letters in an hour or a day.
pub fn letters_bound(number: i64) -> Result<i64, SendingError> {
    (1..=i64::from(LETTERS_BOUND_MAX)).contains(&number).then_some(number).ok_or(SendingError::Bound)
}

/// The postal address below each letter, as stored: trimmed, with its line breaks.
pub fn postal_address(typed: &str) -> Result<String, SendingError> {
    let lines: Vec<_> = typed.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let address = lines.join("\n");
    let is_plain = !address.contains(|c: char| c.is_control() && c != '\n');
    (is_plain && address.chars().count() <= POSTAL_ADDRESS_MAX)
        .then_some(address)
        .ok_or(SendingError::PostalAddress)
}
