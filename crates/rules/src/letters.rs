//! Letters of the newsletter: their parts and limits, the markup of their texts, and their form as plain text.
//!
//! A text has paragraphs (separated by a blank line), `**bold**`, `[words](https://…)` and bare addresses of pages. Everything else is
//! literal. The HTML form is made by the server.

mod markup;
#[cfg(not(target_arch = "wasm32"))]
mod plain;

use serde::{Deserialize, Serialize};

#[cfg(not(target_arch = "wasm32"))]
use crate::checked::Refusal;
use crate::checked::{Checked, Problem, Problems, refusals};
use crate::text;

pub use markup::{Span, is_letter_link, letter_paragraphs};
use markup::{blocks, spans};
#[cfg(not(target_arch = "wasm32"))]
pub use plain::{LetterRelease, plain_part, wrapped};

/// Maximum length of a subject in characters. A draft may lack one.
pub const SUBJECT_MAX: usize = 150;
/// Maximum length of the line that mail programs show beside the subject, in characters.
pub const PREHEADER_MAX: usize = 150;
/// Maximum number of parts.
pub const PARTS_MAX: usize = 40;
/// Maximum length of a heading in characters.
pub const HEADING_MAX: usize = 120;
/// Maximum length of a part's text in characters.
pub const TEXT_MAX: usize = 5000;
/// Maximum length of a button's words in characters.
pub const BUTTON_MAX: usize = 60;
/// Maximum length of a picture's alternative text in characters.
pub const ALT_MAX: usize = 200;
/// Maximum size in bytes of a letter as HTML: Gmail cuts off longer ones at 102 KB, and encodings add to it.
pub const HTML_MAX_BYTES: usize = 61_440;
/// Maximum request size in bytes: more text than a letter can hold, with every character as an escape.
pub const BODY_MAX_BYTES: usize = 384 * 1024;
/// Maximum length of a line of plain text in characters; a longer address stays whole.
pub const LINE_WIDTH: usize = 78;

refusals! {
    /// Refusals of a letter to the subscribers.
    pub enum LetterDraftError {
        SubjectMissing = "letter_subject_missing", "Please write a subject before the letter goes out";
        SubjectTooLong = "letter_subject_too_long", "Subject must have at most 150 characters";
        SubjectCharacters = "letter_subject_characters", "Invalid characters in subject";
        PreheaderTooLong = "preheader_too_long", "Preview line must have at most 150 characters";
        PreheaderCharacters = "preheader_characters", "Invalid characters in preview line";
        PartsMissing = "letter_parts_missing", "Please add a part before the letter goes out";
        TooManyParts = "too_many_parts", "A letter can have at most 40 parts";
        HeadingMissing = "heading_missing", "Please write a heading";
        HeadingTooLong = "heading_too_long", "Heading must have at most 120 characters";
        PartTextMissing = "part_text_missing", "Please write a text";
        PartTextTooLong = "part_text_too_long", "Text must have at most 5000 characters";
        PartCharacters = "part_characters", "Invalid characters";
        LinkInvalid = "letter_link_invalid", "A link begins with https://, http:// or mailto:";
        PictureMissing = "letter_picture_missing", "Please choose a picture of the library";
        AltMissing = "letter_alt_missing", "Please say what the picture shows, for those who do not see it";
        AltTooLong = "letter_alt_too_long", "Alternative text must have at most 200 characters";
        ButtonMissing = "button_missing", "Please write the words of the button";
        ButtonTooLong = "button_too_long", "Button must have at most 60 characters";
        ReleaseMissing = "letter_release_missing", "Please choose a release";
        TooLarge = "letter_too_large", "The letter is too large for some mail programs";
    }
}

/// Kind of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum LetterPartKind {
    /// A line in large type: `text`.
    Heading,
    /// A picture of the library: `picture`, `alt`, and `link` if it leads somewhere.
    Picture,
    /// Paragraphs: `text`.
    Text,
    /// A button: `text` and `link`.
    Button,
    /// A release with its sleeve and links: `release_id`, and `text` if there are words about it.
    Release,
    /// A line across the letter.
    Divider,
}

/// A part of a letter. Fields that its kind does not use are dropped.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LetterPart {
    /// Kind.
    pub kind: LetterPartKind,
    /// A single line in a heading and a button; paragraphs in a text and a release.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub text: String,
    /// Address of a stored picture, `/media/…`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub picture: String,
    /// Says what the picture shows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub alt: String,
    /// An absolute `http`, `https` or `mailto` address.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub link: String,
    /// Id of the release.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub release_id: String,
}

impl LetterPart {
    /// An empty part.
    pub const fn new(kind: LetterPartKind) -> Self {
        Self {
            kind,
            text: String::new(),
            picture: String::new(),
            alt: String::new(),
            link: String::new(),
            release_id: String::new(),
        }
    }
}

/// A letter as an admin writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LetterDraft {
    /// A single line of at most [`SUBJECT_MAX`] characters; may be empty until the letter goes out.
    pub subject: String,
    /// The line that mail programs show beside the subject; may be empty.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub preheader: String,
    /// The parts in their order.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub parts: Vec<LetterPart>,
}

/// Checks a draft; problems of a part are reported at its field, such as `parts[2].text`.
///
/// ```
/// use rules::letters::{LetterDraft, LetterPart, LetterPartKind, check_letter_draft};
///
/// let text = LetterPart { text: "See [us](ftp://x)".into(), ..LetterPart::new(LetterPartKind::Text) };
/// let draft = LetterDraft { parts: vec![text], ..LetterDraft::default() };
/// let problems = check_letter_draft(draft).unwrap_err();
/// assert_eq!((&*problems[0].field, problems[0].code), ("parts[0].text", "letter_link_invalid"));
/// assert!(check_letter_draft(LetterDraft::default()).is_ok());
/// ```
pub fn check_letter_draft(draft: LetterDraft) -> Checked<LetterDraft> {
    let mut problems = Vec::new();
    let subject = text::line(draft.subject);
    if text::is_longer(&subject, SUBJECT_MAX) {
        problems.push(Problem::new("subject", LetterDraftError::SubjectTooLong));
    } else if text::has_control_or_bidi(&subject) {
        problems.push(Problem::new("subject", LetterDraftError::SubjectCharacters));
    }
    let preheader = text::line(draft.preheader);
    if text::is_longer(&preheader, PREHEADER_MAX) {
        problems.push(Problem::new("preheader", LetterDraftError::PreheaderTooLong));
    } else if text::has_control_or_bidi(&preheader) {
        problems.push(Problem::new("preheader", LetterDraftError::PreheaderCharacters));
    }
    let mut parts = draft.parts;
    if parts.len() > PARTS_MAX {
        problems.push(Problem::new("parts", LetterDraftError::TooManyParts));
        parts.truncate(PARTS_MAX);
    }
    let parts = parts.into_iter().enumerate().map(|(place, part)| {
        let mut refuse = |field: &str, error: LetterDraftError| {
            let place = text::decimal(place as u64);
            problems.push(Problem::new(["parts[", &place, "].", field].concat(), error));
        };
        checked_part(part, &mut refuse)
    });
    let checked = LetterDraft { subject, preheader, parts: parts.collect() };
    if problems.is_empty() { Ok(checked) } else { Err(problems.into()) }
}

/// Refuses a letter that has too many bytes as HTML, and says how many.
///
/// ```
/// use rules::letters::{HTML_MAX_BYTES, check_letter_size};
///
/// assert!(check_letter_size(HTML_MAX_BYTES).is_ok());
/// assert!(check_letter_size(70_000).unwrap_err().message.starts_with("The letter has 70000 bytes"));
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn check_letter_size(bytes: usize) -> Result<(), Refusal> {
    if bytes <= HTML_MAX_BYTES {
        return Ok(());
    }
    let message = format!(
        "The letter has {bytes} bytes. Some mail programs cut off more than {HTML_MAX_BYTES}: please shorten it."
    );
    Err(Refusal { message: message.into(), ..LetterDraftError::TooLarge.into() })
}

/// The letter may go out only with a subject and at least one part.
pub fn check_letter_ready(draft: &LetterDraft) -> Result<(), Problems> {
    let subject = draft.subject.is_empty().then(|| Problem::new("subject", LetterDraftError::SubjectMissing));
    let parts = draft.parts.is_empty().then(|| Problem::new("parts", LetterDraftError::PartsMissing));
    let problems: Vec<Problem> = subject.into_iter().chain(parts).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

fn checked_part(part: LetterPart, refuse: &mut impl FnMut(&str, LetterDraftError)) -> LetterPart {
    use LetterDraftError as Error;
    let mut kept = LetterPart::new(part.kind);
    match part.kind {
        LetterPartKind::Heading => {
            kept.text = line_of(part.text, HEADING_MAX, Error::HeadingMissing, Error::HeadingTooLong, refuse);
        }
        LetterPartKind::Picture => {
            kept.picture = text::trimmed(part.picture);
            if !is_stored_picture(&kept.picture) {
                refuse("picture", Error::PictureMissing);
            }
            kept.alt = text::line(part.alt);
            if kept.alt.is_empty() {
                refuse("alt", Error::AltMissing);
            } else if text::is_longer(&kept.alt, ALT_MAX) {
                refuse("alt", Error::AltTooLong);
            } else if text::has_control_or_bidi(&kept.alt) {
                refuse("alt", Error::PartCharacters);
            }
            kept.link = text::trimmed(part.link);
            if !kept.link.is_empty() && !is_letter_link(&kept.link) {
                refuse("link", Error::LinkInvalid);
            }
        }
        LetterPartKind::Text => {
            kept.text = paragraphs_of(part.text, refuse);
            if kept.text.is_empty() {
                refuse("text", Error::PartTextMissing);
            }
        }
        LetterPartKind::Button => {
            kept.text = line_of(part.text, BUTTON_MAX, Error::ButtonMissing, Error::ButtonTooLong, refuse);
            kept.link = text::trimmed(part.link);
            if !is_letter_link(&kept.link) {
                refuse("link", Error::LinkInvalid);
            }
        }
        LetterPartKind::Release => {
            kept.release_id = text::trimmed(part.release_id);
            if kept.release_id.is_empty() {
                refuse("release_id", Error::ReleaseMissing);
            }
            kept.text = paragraphs_of(part.text, refuse);
        }
        LetterPartKind::Divider => {}
    }
    kept
}

fn line_of(
    typed: String,
    max: usize,
    missing: LetterDraftError,
    too_long: LetterDraftError,
    refuse: &mut impl FnMut(&str, LetterDraftError),
) -> String {
    let line = text::line(typed);
    if line.is_empty() {
        refuse("text", missing);
    } else if text::is_longer(&line, max) {
        refuse("text", too_long);
    } else if text::has_control_or_bidi(&line) {
        refuse("text", LetterDraftError::PartCharacters);
    }
    line
}

fn paragraphs_of(typed: String, refuse: &mut impl FnMut(&str, LetterDraftError)) -> String {
    let text = text::prose(text::unix(typed));
    if text::is_longer(&text, TEXT_MAX) {
        refuse("text", LetterDraftError::PartTextTooLong);
    } else if text::has_control_but_white_space(&text) {
        refuse("text", LetterDraftError::PartCharacters);
    } else if blocks(&text).any(|paragraph| !spans(paragraph).1) {
        refuse("text", LetterDraftError::LinkInvalid);
    }
    text
}

/// Whether the address is that of a picture in this site's storage.
pub fn is_stored_picture(url: &str) -> bool {
    let has_image_type = |key: &str| {
        crate::media_name::content_type(key).is_some_and(|content_type| content_type.starts_with("image/"))
    };
    url.strip_prefix("/media/").is_some_and(|key| crate::media_name::is_media_key(key) && has_image_type(key))
}
