//! States of a demo, and what its sender and future senders see.
//!
//! Every transition is allowed, in both directions. Marks on a demo are in `demo_desk`.

use serde::Serialize;

use crate::checked::names;
use crate::span::DAY;

/// A demo counts as heard after this much playback.
pub const HEARD_AFTER_MS: u32 = 20_000;
/// The promise is based on demos heard within this many days.
pub const PROMISE_WINDOW_DAYS: u32 = 90;
/// Minimum number of demos heard in that time; with fewer there is no promise.
pub const PROMISE_DEMOS_MIN: u32 = 10;
/// Percentage of demos that are heard within the promised time.
pub const PROMISE_PERCENT: u32 = 90;
/// Half of the demos wait longer.
pub const MEDIAN_PERCENT: u32 = 50;

names! {
    /// The state of a demo.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = DeskState))]
    pub enum DemoState {
        /// Not heard yet.
        New = "new";
        /// Heard by an admin.
        Heard = "heard";
        /// A candidate for a release.
        Shortlisted = "shortlisted";
        /// The label wants it.
        Accepted = "accepted";
        /// The label does not.
        Declined = "declined";
    }
}

/// A demo's progress as its sender sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SenderStep {
    /// Step, 0 to 3.
    pub step: u32,
    /// Name of the step.
    pub label: &'static str,
    /// The decision, at the last step only.
    pub decision: Option<&'static str>,
}

/// Names of the steps, in their order.
pub const SENDER_STEPS: [&str; 4] = ["RECEIVED", "HEARD", "SHORTLISTED", "DECISION"];

/// The progress shown to the sender. With `hides_decision` a decision is not shown before its answer is sent, which
/// `is_answered` states; until then the sender sees `before`, how far the demo came without it.
///
/// ```
/// use rules::demo_state::{DemoState, sender_step};
/// let shown = sender_step(DemoState::Declined, DemoState::Heard, true, true);
/// assert_eq!((shown.label, shown.decision), ("DECISION", Some("NOT THIS TIME")));
/// assert_eq!(sender_step(DemoState::Declined, DemoState::Heard, true, false).label, "HEARD");
/// ```
pub fn sender_step(
    state: DemoState,
    before: DemoState,
    hides_decision: bool,
    is_answered: bool,
) -> SenderStep {
    let shown = match state {
        DemoState::Accepted | DemoState::Declined if hides_decision && !is_answered => before,
        state => state,
    };
    let (step, decision) = match shown {
        DemoState::New => (0, None),
        DemoState::Heard => (1, None),
        DemoState::Shortlisted => (2, None),
        DemoState::Accepted => (3, Some("ACCEPTED")),
        DemoState::Declined => (3, Some("NOT THIS TIME")),
    };
    let label = SENDER_STEPS.get(step).copied().unwrap_or_default();
    SenderStep { step: u32::try_from(step).unwrap_or(0), label, decision }
}

/// Zero-based index of a percentile (nearest rank) in an ascending list of `count` items; `None` for an empty list.
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

/// Index of the promised time in the ascending waiting times of recent demos; `None` if there are too few.
pub fn promise_rank(count: u32) -> Option<u32> {
    if count < PROMISE_DEMOS_MIN { None } else { rank(count, PROMISE_PERCENT) }
}

/// Number of days that contain a span, rounded up, at least one.
///
/// ```
/// use rules::demo_state::days_within;
/// assert_eq!((days_within(0), days_within(86_400_000), days_within(86_400_001)), (1, 1, 2));
/// ```
pub fn days_within(ms: u64) -> u32 {
    u32::try_from(ms.div_ceil(DAY)).unwrap_or(u32::MAX).max(1)
}

/// Whole days in a span.
///
/// ```
/// use rules::demo_state::days_waited;
/// assert_eq!((days_waited(86_399_999), days_waited(86_400_000)), (0, 1));
/// ```
pub fn days_waited(ms: u64) -> u32 {
    u32::try_from(ms / DAY).unwrap_or(u32::MAX)
}

/// Text of the demo dialog.
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
