//! Marks on a demo (scores, tags, notes) and the settings of the desk. The browser's module contains the settings' check only.

#[cfg(not(target_arch = "wasm32"))]
use unicode_normalization::UnicodeNormalization as _;

#[cfg(not(target_arch = "wasm32"))]
use crate::{artist, release};
use crate::{checked::refusals, demo_state::DemoState, text};

/// Highest score; the lowest is 1.
pub const SCORE_MAX: u32 = 5;
/// Maximum length of a note in characters.
pub const NOTE_MAX: usize = 2000;
/// Maximum number of notes on a demo.
pub const NOTES_MAX: u32 = 200;
/// Maximum length of a tag in characters.
pub const TAG_MAX: usize = 30;
/// Maximum number of tags of a demo.
pub const TAGS_MAX: usize = 20;
/// Maximum number of demos declined at once.
pub const DECLINED_MAX: usize = 200;
/// Default number of days after which a demo is overdue.
pub const OVERDUE_DAYS: u32 = 30;
/// Maximum number of days in the setting.
pub const OVERDUE_DAYS_MAX: u32 = 365;
/// A listener is shown for this long and must repeat the call before.
pub const LISTENING_MS: u64 = 30_000;

refusals! {
    /// Refusals of the desk.
    pub enum DeskError {
        State = "invalid_state", "A demo is new, heard, shortlisted, accepted or declined.";
        Score = "invalid_score", "A score is a whole number from 1 to 5.";
        NoteMissing = "note_missing", "Please write something.";
        NoteTooLong = "note_too_long", "A note must have at most 2000 characters.";
        NoteCharacters = "note_characters", "Invalid characters in the note.";
        Tag = "invalid_tag", "A tag has 1 to 30 characters, in one line.";
        TooManyTags = "too_many_tags", "A demo has at most 20 tags.";
        TooManyNotes = "too_many_notes", "A demo has at most 200 notes.";
        TooManyDemos = "too_many_demos", "Please choose 1 to 200 demos.";
        OverdueDays = "invalid_overdue_days", "Demos are overdue after 1 to 365 days.";
    }
}

/// Parses a state.
pub fn state(name: &str) -> Result<DemoState, DeskError> {
    DemoState::named(name).ok_or(DeskError::State)
}

/// Checks a score, 1 to 5.
pub fn score(score: i64) -> Result<i64, DeskError> {
    if (1..=i64::from(SCORE_MAX)).contains(&score) { Ok(score) } else { Err(DeskError::Score) }
}

/// Checks the number of days after which demos are overdue.
pub fn overdue_days(days: i64) -> Result<i64, DeskError> {
    if (1..=i64::from(OVERDUE_DAYS_MAX)).contains(&days) { Ok(days) } else { Err(DeskError::OverdueDays) }
}

/// Checks the typed number of days, which must be digits only.
///
/// ```
/// use rules::demo_desk::{DeskError, check_overdue_days};
/// assert_eq!(check_overdue_days(" 30 "), Ok(()));
/// assert_eq!(check_overdue_days("3.5"), Err(DeskError::OverdueDays));
/// ```
pub fn check_overdue_days(typed: &str) -> Result<(), DeskError> {
    let typed = text::trim(typed);
    let is_number = typed.bytes().all(|byte| byte.is_ascii_digit());
    let days = typed.parse().ok().filter(|_| is_number).ok_or(DeskError::OverdueDays)?;
    overdue_days(days).map(drop)
}

/// A note as stored: trimmed.
///
/// ```
/// use rules::demo_desk::{DeskError, note};
/// assert_eq!(note(" Drums!\n"), Ok("Drums!".to_owned()));
/// assert_eq!(note(" "), Err(DeskError::NoteMissing));
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn note(typed: &str) -> Result<String, DeskError> {
    let note = text::prose(typed.to_owned());
    if note.is_empty() {
        Err(DeskError::NoteMissing)
    } else if text::is_longer(&note, NOTE_MAX) {
        Err(DeskError::NoteTooLong)
    } else if text::has_control_but_white_space(&note) {
        Err(DeskError::NoteCharacters)
    } else {
        Ok(note)
    }
}

/// Tags as stored: composed, in lower case, with single spaces, without duplicates, in the given order.
///
/// ```
/// use rules::demo_desk::tags;
/// assert_eq!(tags(&["Peak  Time ".into(), "dub".into(), "PEAK TIME".into()]), Ok(vec!["dub".into(), "peak time".into()]));
/// assert_eq!(tags(&["caf\u{e9}".into(), "Cafe\u{301}".into()]), Ok(vec!["caf\u{e9}".into()]));
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn tags(typed: &[String]) -> Result<Vec<String>, DeskError> {
    if typed.len() > TAGS_MAX {
        return Err(DeskError::TooManyTags);
    }
    let mut tags = typed.iter().map(|tag| self::tag(tag)).collect::<Result<Vec<_>, _>>()?;
    tags.sort_unstable();
    tags.dedup();
    Ok(tags)
}

/// A tag as stored.
#[cfg(not(target_arch = "wasm32"))]
pub fn tag(typed: &str) -> Result<String, DeskError> {
    let typed = text::line(typed.to_owned());
    if text::has_control_or_bidi(&typed) {
        return Err(DeskError::Tag);
    }
    let tag = typed.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let tag = text::trimmed(tag.nfc().collect());
    if tag.is_empty() || text::is_longer(&tag, TAG_MAX) { Err(DeskError::Tag) } else { Ok(tag) }
}

/// Title of a draft made from a demo: the file name without its extension, cleaned to a valid title; `Untitled` if nothing is
/// left.
///
/// ```
/// assert_eq!(rules::demo_desk::draft_title("Quartz (Dub).final.wav"), "Quartz (Dub).final");
/// assert_eq!(rules::demo_desk::draft_title(".wav"), "Untitled");
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn draft_title(file_name: &str) -> String {
    let name = file_name.rsplit_once('.').map_or(file_name, |(name, _)| name);
    line(name, release::TITLE_MAX).unwrap_or_else(|| "Untitled".to_owned())
}

/// Artist of such a draft, cleaned to a valid name; `None` if nothing is left.
#[cfg(not(target_arch = "wasm32"))]
pub fn draft_artist(typed: &str) -> Option<String> {
    line(typed, artist::NAME_MAX)
}

/// Name of a track or album from a file's tags, cleaned to a valid title; `None` if the tag is empty or its bytes are not the
/// text it declares.
///
/// ```
/// use rules::demo_desk::tagged_name;
/// assert_eq!(tagged_name(" Quartz\n<b>(Dub)</b> "), Some("Quartz (Dub)".to_owned()));
/// assert_eq!(tagged_name("Gr\u{fffd}n"), None);
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn tagged_name(tag: &str) -> Option<String> {
    let is_text = !tag.contains(char::REPLACEMENT_CHARACTER);
    is_text.then(|| line(tag, release::TITLE_MAX)).flatten()
}

/// A composed single line without markup and bidirectional controls, at most `max` characters.
#[cfg(not(target_arch = "wasm32"))]
fn line(typed: &str, max: usize) -> Option<String> {
    let blank = |c: char| if c.is_control() || matches!(c, '<' | '>') { ' ' } else { c };
    let plain: String =
        text::strip_tags(typed).nfc().filter(|c| !text::is_bidi_control(*c)).map(blank).collect();
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = words.chars().take(max).collect();
    Some(text::trimmed(cut)).filter(|line| !line.is_empty())
}
