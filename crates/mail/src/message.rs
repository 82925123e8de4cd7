//! A mail, as whoever sends one writes it.

use deadwax_store::clock::Micros;

use super::letter::Letter;

/// How long delivery is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Mail about an account: with growing pauses, for a day; what the receiving server rejects is given up at once.
    Account,
    /// What a visitor wrote to the label: hourly for a week, whatever the server says; then kept, and named by `deadwax check`.
    Message,
}

/// A mail to be sent.
#[derive(Debug)]
pub struct Mail<'a> {
    /// What it is, for logs and metrics, such as `confirm`.
    pub kind: &'static str,
    /// The one address it goes to.
    pub to: &'a str,
    /// What it says.
    pub letter: Letter,
    /// Where an answer goes, unless to the label's own address.
    pub reply_to: Option<&'a str>,
    /// Until when it waits, unless it goes at once: so long it can be taken back by [`cancel`](super::cancel).
    pub not_before: Option<Micros>,
    /// When it has become worthless, such as the end of its code's life: it is not delivered from then on.
    pub not_after: Option<Micros>,
    /// How long delivery is tried.
    pub patience: Patience,
}
