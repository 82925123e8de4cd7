//! Names of files, states and times as other programs write them.

use super::{Reason, Standing};
use crate::{checked::names, publish, search::folded};

names! {
    /// The list that a file holds, by its name.
    pub enum List {
        /// Those who get letters.
        Subscribed = "subscribed";
        /// Those who left.
        Unsubscribed = "unsubscribed";
        /// Addresses whose letters came back.
        Cleaned = "cleaned";
        /// Customers and the like.
        NonSubscribed = "non_subscribed";
    }
}

/// The list of a file with this name or path.
///
/// ```
/// use rules::subscriber_import::{List, list_of};
/// assert_eq!(list_of("export/cleaned_members_export_77.csv"), Some(List::Cleaned));
/// assert_eq!(list_of("fans.csv"), None);
/// ```
pub fn list_of(name: &str) -> Option<List> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
    let word: String = name.chars().take_while(|c| c.is_ascii_alphabetic() || *c == '-').collect();
    Some(match word.as_str() {
        "subscribed" => List::Subscribed,
        "unsubscribed" => List::Unsubscribed,
        "cleaned" => List::Cleaned,
        "nonsubscribed" | "non-subscribed" => List::NonSubscribed,
        _ => return None,
    })
}

/// A time in milliseconds since 1970: `2024-01-31 12:34:56` (UTC, as Mailchimp writes it), RFC 3339, or a day. `None` for others, and for
/// times of before 1970.
///
/// ```
/// use rules::subscriber_import::time;
/// assert_eq!(time("1970-01-02 00:00:01"), Some(86_401_000));
/// assert_eq!(time("1970-01-02T01:00:00+01:00"), Some(86_400_000));
/// assert_eq!(time("31.01.2024"), None);
/// ```
pub fn time(text: &str) -> Option<i64> {
    let text = text.trim();
    let text = text.strip_suffix("UTC").map_or(text, str::trim_end);
    let whole = match text.get(10..11) {
        None if text.len() == 10 => format!("{text}T00:00:00Z"),
        Some(" " | "T" | "t") => {
            let (day, time) = (text.get(..10)?, text.get(11..)?.trim());
            let has_zone = time.ends_with(['Z', 'z']) || time.contains(['+', '-']);
            format!("{day}T{time}{}", if has_zone { "" } else { "Z" })
        }
        _ => return None,
    };
    publish::instant(&whole).filter(|at| *at > 0)
}

/// Words in lower case, without spaces and signs.
fn bare(text: &str) -> String {
    let text: String = text.chars().take(64).collect();
    folded(&text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The state that a status says; `None` for an unknown one.
pub(super) fn standing(text: &str) -> Option<Standing> {
    if time(text).is_some() {
        return Some(Standing::Subscribed);
    }
    Some(match bare(text).as_str() {
        "subscribed" | "active" | "confirmed" | "enabled" | "optin" | "optedin" | "true" | "yes" | "y"
        | "1" | "on" | "abonniert" | "aktiv" | "wahr" | "ja" => Standing::Subscribed,
        "pending" | "unconfirmed" | "notconfirmed" | "unbestatigt" => Standing::Pending,
        "unsubscribed" | "inactive" | "left" | "optout" | "optedout" | "removed" | "disabled" | "false"
        | "no" | "n" | "0" | "off" | "abgemeldet" | "inaktiv" | "falsch" | "nein" => {
            Standing::Ended(Reason::Left)
        }
        "cleaned" | "bounced" | "bounce" | "hardbounce" | "hardbounced" | "undeliverable" | "invalid" => {
            Standing::Ended(Reason::Bounced)
        }
        "complained" | "complaint" | "spam" | "spamcomplaint" | "markedasspam" | "abuse" | "junk" => {
            Standing::Ended(Reason::Complained)
        }
        "nonsubscribed" | "notsubscribed" | "neversubscribed" | "transactional" => Standing::Never,
        _ => return None,
    })
}

/// Whether a cell for a time says that it never was.
pub(super) fn is_no(cell: &str) -> bool {
    cell.starts_with("0000-00-00")
        || matches!(
            bare(cell).as_str(),
            "" | "0" | "no" | "n" | "false" | "never" | "none" | "null" | "na" | "nein" | "falsch"
        )
}
