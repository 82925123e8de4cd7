//! Importing subscribers from a table, or from the files that Mailchimp exports: assigning columns, reading rows, and judging each.
//!
//! An import never raises a state: it adds addresses that are new, and passes on who left elsewhere. Used by the server only.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::{
    checked::{names, refusals},
    email::Email,
    newsletter_consent::{Consent, Known},
    span::DAY,
    upload::MEGABYTE,
};

mod columns;
mod words;

pub use columns::{SubscriberField, columns};
pub use words::{List, list_of, time};

/// Maximum number of rows, of all files together.
pub const ROWS_MAX: usize = 100_000;
/// Maximum size of the unpacked files of a ZIP, together.
pub const UNPACKED_MAX_BYTES: u64 = 32 * MEGABYTE;
/// Maximum number of entries of a ZIP.
pub const FILES_MAX: u64 = 200;
/// How many rows of each verdict are listed before the import.
pub const LISTED_MAX: usize = 1000;
/// Maximum length of an id from another program, in characters; longer ones are cut.
const MEMBER_MAX: usize = 64;

refusals! {
    /// Refusals of a file of subscribers or of one of its rows, in addition to those of [any table](crate::import::ImportError).
    pub enum SubscriberImportError {
        NoEmail = "subscribers_no_email", "Please say which column is the email address";
        TooManyRows = "subscribers_too_many_rows", "Please import at most 100000 subscribers at once";
        Nothing = "subscribers_nothing", "Nothing in this file would change the list";
        ZipBroken = "subscribers_zip_broken", "This ZIP is damaged or locked. Unpack it and import its files one by one";
        ZipTooLarge = "subscribers_zip_too_large", "This ZIP unpacks to more than 32MB. Import its files one by one";
        ZipWithoutLists = "subscribers_zip_without_lists", "This ZIP has no file whose name begins with subscribed, unsubscribed or cleaned. Unpack it and import its files one by one";
        EmailMissing = "subscribers_email_missing", "The row has no email address";
        EmailInvalid = "subscribers_email_invalid", "This is no email address";
        StatusUnknown = "subscribers_status_unknown", "The status is unknown: say subscribed, unsubscribed or cleaned, or do not import that column";
        ConfirmationUnclear = "subscribers_confirmation_unclear", "The time of the confirmation cannot be read, so the address counts as unconfirmed";
        UndoNewerFirst = "subscribers_undo_newer_first", "Undo the newer import first";
    }
}

/// The cells of a row by field. A field without a column, or with an empty cell, is absent.
pub type SubscriberCells = BTreeMap<SubscriberField, String>;

names! {
    /// Why an address gets no letters.
    pub enum Reason {
        /// The person left.
        Left = "left";
        /// Letters came back.
        Bounced = "bounced";
        /// The person complained.
        Complained = "complained";
    }
}

/// The state of an address at the program that the list comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Known there, but never on the list.
    Never,
    /// On the list, though the person has not confirmed.
    Pending,
    /// On the list.
    Subscribed,
    /// Not on the list any more.
    Ended(Reason),
}

/// A row as read. Instants are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// The checked address.
    pub email: Email,
    /// Its state.
    pub standing: Standing,
    /// When the person confirmed, if the list says so.
    pub confirmed_at_ms: Option<i64>,
    /// When the person joined.
    pub joined_at_ms: Option<i64>,
    /// Its id at the other program.
    pub member: Option<String>,
    /// Whether there is something for [`Self::confirmed_at_ms`] that is no past time.
    pub is_unclear: bool,
}

/// Reads a row. `list` is the list that the file's name speaks of: a file of those who left is believed before the status in a row.
///
/// ```
/// use rules::subscriber_import::{Standing, SubscriberField, read};
///
/// let row = [
///     (SubscriberField::Email, "mira@example.com".to_owned()),
///     (SubscriberField::ConfirmedAt, "2024-01-31 12:34:56".to_owned()),
/// ];
/// let candidate = read(&row.into(), None, 1_800_000_000_000).unwrap();
/// assert_eq!((candidate.standing, candidate.confirmed_at_ms), (Standing::Subscribed, Some(1_706_704_496_000)));
/// ```
pub fn read(
    cells: &SubscriberCells,
    list: Option<List>,
    now_ms: i64,
) -> Result<Candidate, SubscriberImportError> {
    use SubscriberField::{ConfirmedAt, Email as Address, Member, SubscribedAt};
    let said = |field| cells.get(&field).map(|cell| crate::text::trim(cell)).filter(|cell| !cell.is_empty());
    let address = said(Address).ok_or(SubscriberImportError::EmailMissing)?;
    let email = Email::parse(address).map_err(|_| SubscriberImportError::EmailInvalid)?;
    let standing = standing(&said, list)?;
    let past = |at: i64| at <= now_ms.saturating_add_unsigned(DAY);
    let confirmation =
        said(ConfirmedAt).filter(|cell| standing == Standing::Subscribed && !words::is_no(cell));
    let confirmed_at_ms = confirmation.and_then(time).filter(|at| past(*at));
    Ok(Candidate {
        email,
        standing,
        confirmed_at_ms,
        joined_at_ms: said(SubscribedAt).and_then(time).filter(|at| past(*at)),
        member: said(Member).map(|id| id.chars().filter(|c| !c.is_control()).take(MEMBER_MAX).collect()),
        is_unclear: confirmation.is_some() && confirmed_at_ms.is_none(),
    })
}

fn standing<'a>(
    said: &impl Fn(SubscriberField) -> Option<&'a str>,
    list: Option<List>,
) -> Result<Standing, SubscriberImportError> {
    use SubscriberField::{CleanedAt, InactiveReason, LeftAt, Status};
    match list {
        Some(List::Unsubscribed) => return Ok(Standing::Ended(Reason::Left)),
        Some(List::Cleaned) => return Ok(Standing::Ended(Reason::Bounced)),
        Some(List::NonSubscribed) => return Ok(Standing::Never),
        Some(List::Subscribed) | None => {}
    }
    if let Some(text) = said(Status) {
        let status = words::standing(text).ok_or(SubscriberImportError::StatusUnknown)?;
        // An export of subscribers says in another column why an address is inactive.
        return Ok(match (status, said(InactiveReason).and_then(words::standing)) {
            (Standing::Ended(Reason::Left), Some(why @ Standing::Ended(_))) => why,
            _ => status,
        });
    }
    let is_said = |field| said(field).is_some_and(|cell| !words::is_no(cell));
    Ok(if is_said(LeftAt) {
        Standing::Ended(Reason::Left)
    } else if is_said(CleanedAt) {
        Standing::Ended(Reason::Bounced)
    } else {
        Standing::Subscribed
    })
}

/// Which rows repeat the address of another. Of the rows of one address the strictest counts, and of equals the first.
pub fn repeats(rows: &[Option<(&str, Standing)>]) -> Vec<bool> {
    let strictness = |standing| match standing {
        Standing::Never => 0,
        Standing::Subscribed | Standing::Pending => 1,
        Standing::Ended(_) => 2,
    };
    let mut counted = HashMap::<&str, (usize, usize)>::new();
    for (place, (email, standing)) in
        rows.iter().enumerate().filter_map(|(place, row)| row.map(|row| (place, row)))
    {
        let strictness = strictness(standing);
        let best = counted.entry(email).or_insert((place, strictness));
        if strictness > best.1 {
            *best = (place, strictness);
        }
    }
    let is_counted = |place, email: &str| counted.get(email).is_some_and(|best| best.0 == place);
    rows.iter()
        .enumerate()
        .map(|(place, row)| row.is_some_and(|(email, _)| !is_counted(place, email)))
        .collect()
}

names! {
    /// Effect of an import on a row.
    #[derive(PartialOrd, Ord)]
    pub enum SubscriberVerdict {
        /// Adds the address as confirmed.
        AddConfirmed = "add_confirmed";
        /// Adds it as unconfirmed.
        AddUnconfirmed = "add_unconfirmed";
        /// Makes the subscription inactive, and suppresses the address.
        End = "end";
        /// Suppresses an address that has no active subscription.
        Suppress = "suppress";
        /// Leaves a known address as it is.
        Known = "known";
        /// Leaves out an address that left, bounced, complained or was removed.
        Suppressed = "suppressed";
        /// Leaves out an address that was never on the list.
        NeverSubscribed = "never_subscribed";
        /// Leaves out a row whose address another row has.
        Repeated = "repeated";
        /// Leaves out a row that the rules refuse.
        Refused = "refused";
    }
}

impl SubscriberVerdict {
    /// Whether it changes the list or the suppressions.
    pub const fn writes(self) -> bool {
        matches!(self, Self::AddConfirmed | Self::AddUnconfirmed | Self::End | Self::Suppress)
    }
}

/// Judges a row that does not repeat another. `has_confirmed` is true if the list has the time of a confirmation, `known` is the present
/// subscription of the address.
///
/// ```
/// use rules::newsletter_consent::{Consent, Known};
/// use rules::subscriber_import::{Reason, Standing, SubscriberVerdict, verdict};
///
/// assert_eq!(verdict(Standing::Subscribed, true, None, false), SubscriberVerdict::AddConfirmed);
/// assert_eq!(verdict(Standing::Subscribed, true, None, true), SubscriberVerdict::Suppressed);
/// let known = Known { active: true, consent: Consent::Confirmed };
/// assert_eq!(verdict(Standing::Ended(Reason::Left), false, Some(known), false), SubscriberVerdict::End);
/// ```
pub fn verdict(
    standing: Standing,
    has_confirmed: bool,
    known: Option<Known>,
    is_suppressed: bool,
) -> SubscriberVerdict {
    match (standing, known) {
        (Standing::Never, _) => SubscriberVerdict::NeverSubscribed,
        (Standing::Ended(_), Some(Known { active: true, .. })) => SubscriberVerdict::End,
        (Standing::Ended(_), _) if is_suppressed => SubscriberVerdict::Suppressed,
        (Standing::Ended(_), _) => SubscriberVerdict::Suppress,
        (_, Some(_)) => SubscriberVerdict::Known,
        _ if is_suppressed => SubscriberVerdict::Suppressed,
        (Standing::Subscribed, None) if has_confirmed => SubscriberVerdict::AddConfirmed,
        (Standing::Subscribed | Standing::Pending, None) => SubscriberVerdict::AddUnconfirmed,
    }
}

/// The consent of an address that is added.
pub const fn consent_of(verdict: SubscriberVerdict) -> Consent {
    match verdict {
        SubscriberVerdict::AddConfirmed => Consent::Confirmed,
        _ => Consent::Unconfirmed,
    }
}
