//! What the label notes on a demo: scores, tags, notes; and the settings of the desk. Of these the browser judges the settings alone:
//! the other checks are left out of its module.

#[cfg(not(target_arch = "wasm32"))]
use unicode_normalization::UnicodeNormalization as _;

#[cfg(not(target_arch = "wasm32"))]
use crate::text;
#[cfg(not(target_arch = "wasm32"))]
use crate::{artist, release};
use crate::{
    checked::{refusals, untitled},
    demo_state::DemoState,
};

/// The best score; the worst is 1.
pub const SCORE_MAX: u32 = 5;
/// Characters of a note, at most.
pub const NOTE_MAX: usize = 2000;
/// Notes on a demo, at most.
pub const NOTES_MAX: u32 = 200;
/// Characters of a tag, at most.
pub const TAG_MAX: usize = 30;
/// Tags of a demo, at most.
pub const TAGS_MAX: usize = 20;
/// Demos that are declined at once, at most.
pub const DECLINED_MAX: usize = 200;
/// Demos count as overdue after so many days, where the label has set nothing else.
pub const OVERDUE_DAYS: u32 = 30;
/// What a label can set instead, at most.
pub const OVERDUE_DAYS_MAX: u32 = 365;
/// Whoever listens says so again before this is over.
pub const LISTENING_MS: u64 = 30_000;

refusals! {
    /// Why something was not noted.
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
untitled!(DeskError);

/// The state that is asked for.
pub fn state(name: &str) -> Result<DemoState, DeskError> {
    DemoState::named(name).ok_or(DeskError::State)
}

/// A score from 1 to 5.
pub fn score(score: i64) -> Result<i64, DeskError> {
    if (1..=i64::from(SCORE_MAX)).contains(&score) { Ok(score) } else { Err(DeskError::Score) }
}

/// After how many days demos are overdue.
pub fn overdue_days(days: i64) -> Result<i64, DeskError> {
    if (1..=i64::from(OVERDUE_DAYS_MAX)).contains(&days) { Ok(days) } else { Err(DeskError::OverdueDays) }
}

/// The days as they are typed into the settings: digits alone are a number.
///
/// ```
/// use rules::demo_desk::{DeskError, check_overdue_days};
/// assert_eq!(check_overdue_days(" 30 "), Ok(()));
/// assert_eq!(check_overdue_days("3.5"), Err(DeskError::OverdueDays));
/// ```
pub fn check_overdue_days(typed: &str) -> Result<(), DeskError> {
    let typed = typed.trim();
    let is_number = typed.bytes().all(|byte| byte.is_ascii_digit());
    let days = typed.parse().ok().filter(|_| is_number).ok_or(DeskError::OverdueDays)?;
    overdue_days(days).map(drop)
}

/// A note as it is kept: what was typed, without blanks around it.
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

/// The tags of a demo as they are kept: composed, in lower case, with single blanks, each once, in their order.
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

/// A tag as it is kept.
#[cfg(not(target_arch = "wasm32"))]
pub fn tag(typed: &str) -> Result<String, DeskError> {
    if text::has_control_or_bidi(typed) {
        return Err(DeskError::Tag);
    }
    let tag = typed.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let tag = text::trimmed(tag.nfc().collect());
    if tag.is_empty() || text::is_longer(&tag, TAG_MAX) { Err(DeskError::Tag) } else { Ok(tag) }
}

/// The title of a draft that is made of a demo: the file's name without its extension, as a title may be; `Untitled` where nothing of it is
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

/// The artist of such a draft, as a name may be; none where nothing of it is left.
#[cfg(not(target_arch = "wasm32"))]
pub fn draft_artist(typed: &str) -> Option<String> {
    line(typed, artist::NAME_MAX)
}

/// What a file's tags call a track or an album, as a title may be; none where they say nothing, or what is no text: a tag whose bytes
/// were not what it says they are.
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

/// One line without markup, of so many characters at most, each composed. Nothing in it turns the direction of what follows.
#[cfg(not(target_arch = "wasm32"))]
fn line(typed: &str, max: usize) -> Option<String> {
    let blank = |c: char| if c.is_control() || matches!(c, '<' | '>') { ' ' } else { c };
    let plain: String =
        text::strip_tags(typed).nfc().filter(|c| !text::is_bidi_control(*c)).map(blank).collect();
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = words.chars().take(max).collect();
    Some(text::trimmed(cut)).filter(|line| !line.is_empty())
}
