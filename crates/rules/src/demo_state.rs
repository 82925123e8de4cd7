//! Where a demo stands at the label, and what is told of it: to its sender, and to whoever thinks of sending one.
//!
//! Every step is allowed, forwards and back. What the label notes on a demo is in `demo_desk`.

use serde::{Deserialize, Serialize};

/// A demo counts as heard after so much of it.
pub const HEARD_AFTER_MS: u32 = 20_000;
/// The promise is made from what was heard in so many days.
pub const PROMISE_WINDOW_DAYS: u32 = 90;
/// Demos that were heard in that time, at least: of fewer, nothing is promised.
pub const PROMISE_DEMOS_MIN: u32 = 10;
/// So many of a hundred demos are heard in the time that is promised.
pub const PROMISE_PERCENT: u32 = 90;
/// One demo of two waits longer than this.
pub const MEDIAN_PERCENT: u32 = 50;

const DAY_MS: u64 = 24 * 3_600_000;

/// Where a demo stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DemoState {
    /// Nobody has heard it.
    New,
    /// Somebody has.
    Heard,
    /// It may become a release.
    Shortlisted,
    /// The label wants it.
    Accepted,
    /// The label does not.
    Declined,
}

impl DemoState {
    /// Every state, in the order in which a demo goes through them.
    pub const ALL: [Self; 5] = [Self::New, Self::Heard, Self::Shortlisted, Self::Accepted, Self::Declined];

    /// Its name as it is stored and sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Heard => "heard",
            Self::Shortlisted => "shortlisted",
            Self::Accepted => "accepted",
            Self::Declined => "declined",
        }
    }

    /// The state of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Whether the label has made up its mind.
    pub const fn is_decision(self) -> bool {
        matches!(self, Self::Accepted | Self::Declined)
    }
}

/// What a sender reads of a demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SenderStep {
    /// How far it is, from 0 to 3.
    pub step: u32,
    /// The same in a word.
    pub label: &'static str,
    /// What was decided; none before the last step.
    pub decision: Option<&'static str>,
}

/// The steps as a sender reads them, in their order.
pub const SENDER_STEPS: [&str; 4] = ["RECEIVED", "HEARD", "SHORTLISTED", "DECISION"];

/// What the sender of a demo reads. `was_shortlisted` tells whether it was on the short list, also where it has left that by a
/// decision; `hides_decision` that the label tells no decision before it has answered, and `is_answered` that it has.
///
/// ```
/// use rules::demo_state::{DemoState, sender_step};
/// let told = sender_step(DemoState::Declined, false, true, true);
/// assert_eq!((told.label, told.decision), ("DECISION", Some("NOT THIS TIME")));
/// assert_eq!(sender_step(DemoState::Declined, false, true, false).label, "HEARD");
/// ```
pub fn sender_step(
    state: DemoState,
    was_shortlisted: bool,
    hides_decision: bool,
    is_answered: bool,
) -> SenderStep {
    let is_told = is_answered || !hides_decision;
    let (step, decision) = match state {
        DemoState::New => (0, None),
        DemoState::Shortlisted => (2, None),
        DemoState::Accepted if is_told => (3, Some("ACCEPTED")),
        DemoState::Declined if is_told => (3, Some("NOT THIS TIME")),
        // Whoever was told of the short list does not see the demo leave it before the answer.
        DemoState::Accepted | DemoState::Declined if was_shortlisted => (2, None),
        DemoState::Heard | DemoState::Accepted | DemoState::Declined => (1, None),
    };
    let label = SENDER_STEPS.get(step).copied().unwrap_or_default();
    SenderStep { step: u32::try_from(step).unwrap_or(0), label, decision }
}

/// The place, from 0, of what stands at so many of a hundred in an ascending list of `count` (the nearest rank); none in a list of
/// nothing.
///
/// ```
/// use rules::demo_state::rank;
/// assert_eq!((rank(10, 90), rank(11, 90), rank(1, 50), rank(0, 50)), (Some(8), Some(9), Some(0), None));
/// ```
pub fn rank(count: u32, percent: u32) -> Option<u32> {
    let place = u64::from(count) * u64::from(percent.min(100));
    let place = u32::try_from(place.div_ceil(100)).unwrap_or(count);
    (count > 0).then(|| place.max(1) - 1)
}

/// The place of the time that is promised among the ascending times of demos that were heard lately; none while they are too few.
pub fn promise_rank(count: u32) -> Option<u32> {
    if count < PROMISE_DEMOS_MIN { None } else { rank(count, PROMISE_PERCENT) }
}

/// Days within which something of that length has happened: a day that has begun counts, and there is no promise of less than one.
///
/// ```
/// use rules::demo_state::days_within;
/// assert_eq!((days_within(0), days_within(86_400_000), days_within(86_400_001)), (1, 1, 2));
/// ```
pub fn days_within(ms: u64) -> u32 {
    u32::try_from(ms.div_ceil(DAY_MS)).unwrap_or(u32::MAX).max(1)
}

/// Whole days that something has waited.
///
/// ```
/// use rules::demo_state::days_waited;
/// assert_eq!((days_waited(86_399_999), days_waited(86_400_000)), (0, 1));
/// ```
pub fn days_waited(ms: u64) -> u32 {
    u32::try_from(ms / DAY_MS).unwrap_or(u32::MAX)
}

/// What the demo dialog says.
///
/// ```
/// assert_eq!(rules::demo_state::promise_text(1), "We listen within 1 day");
/// assert_eq!(rules::demo_state::promise_text(9), "We listen within 9 days");
/// ```
pub fn promise_text(days: u32) -> String {
    let mut text = String::from("We listen within ");
    text.push_str(&crate::text::decimal(days.into()));
    text.push_str(if days == 1 { " day" } else { " days" });
    text
}
