//! Letters of the demo desk: rules for templates and letters, and filling in a template.
//!
//! A template may contain `{artist}`, `{file}` and `{label}`. Values are inserted literally; braces in them are not replaced
//! again.

use serde::{Deserialize, Serialize};

use crate::checked::{Checked, Problem, names, refusals};
#[cfg(not(target_arch = "wasm32"))]
use crate::links::has_link;
use crate::text;

/// Maximum length of a subject in characters, which keeps a list of mails readable.
pub const SUBJECT_MAX: usize = 120;
/// Maximum length of a template's text in characters.
pub const TEMPLATE_TEXT_MAX: usize = 5000;
/// Maximum length of a letter's text in characters: a filled-in template and some additions.
pub const LETTER_TEXT_MAX: usize = 10_000;
/// Maximum length of an inserted value in characters.
pub const VALUE_MAX: usize = 120;
/// Delay before an answer is sent, during which it can be undone.
pub const HOLD_MS: u64 = 30_000;
/// Maximum request size in bytes: the longest letter with every character as two escapes.
pub const BODY_MAX_BYTES: usize = 128 * 1024;

refusals! {
    /// Refusals of a template or letter.
    pub enum LetterError {
        SubjectMissing = "subject_missing", "Please write a subject";
        SubjectTooLong = "subject_too_long", "Subject must be less than 120 characters";
        SubjectCharacters = "subject_characters", "Invalid characters in subject";
        TextMissing = "text_missing", "Please write a text";
        TemplateTooLong = "template_too_long", "Text must be less than 5000 characters";
        LetterTooLong = "letter_too_long", "Text must be less than 10000 characters";
        TextCharacters = "text_characters", "Invalid characters in text";
        UnknownPlaceholder = "unknown_placeholder", "In braces there can be {artist}, {file} and {label} alone";
    }
}

/// Subject and text of a template or letter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct LetterForm {
    /// A single line of at most [`SUBJECT_MAX`] characters.
    pub subject: String,
    /// May have several lines.
    pub text: String,
}

/// Values for the placeholders of a template.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct LetterValues {
    /// Name of the artist.
    pub artist: String,
    /// Name of the file.
    pub file: String,
    /// Name of the label.
    pub label: String,
}

/// Checks a template. Text in braces on one line must be a placeholder; a single brace is plain text.
///
/// ```
/// use rules::letter_template::{LetterForm, check_letter_template};
///
/// let form = |text: &str| LetterForm { subject: "Your demo".into(), text: text.into() };
/// assert!(check_letter_template(form("Dear {artist} :-}")).is_ok());
/// assert_eq!(check_letter_template(form("Dear {name}")).unwrap_err()[0].code, "unknown_placeholder");
/// ```
pub fn check_letter_template(form: LetterForm) -> Checked<LetterForm> {
    check(form, TEMPLATE_TEXT_MAX, LetterError::TemplateTooLong, true)
}

/// Checks a letter to be sent; braces are plain text.
pub fn check_letter(form: LetterForm) -> Checked<LetterForm> {
    check(form, LETTER_TEXT_MAX, LetterError::LetterTooLong, false)
}

fn check(form: LetterForm, text_max: usize, too_long: LetterError, is_template: bool) -> Checked<LetterForm> {
    let form = LetterForm { subject: text::line(form.subject), text: text::prose(text::unix(form.text)) };
    let places =
        |typed: &str| (is_template && has_unknown_place(typed)).then_some(LetterError::UnknownPlaceholder);
    let subject = if form.subject.is_empty() {
        Some(LetterError::SubjectMissing)
    } else if text::is_longer(&form.subject, SUBJECT_MAX) {
        Some(LetterError::SubjectTooLong)
    } else if text::has_control_or_bidi(&form.subject) {
        Some(LetterError::SubjectCharacters)
    } else {
        places(&form.subject)
    };
    let text = if form.text.is_empty() {
        Some(LetterError::TextMissing)
    } else if text::is_longer(&form.text, text_max) {
        Some(too_long)
    } else if text::has_control_but_white_space(&form.text) {
        Some(LetterError::TextCharacters)
    } else {
        places(&form.text)
    };
    let problems: Vec<Problem> = [("subject", subject), ("text", text)]
        .into_iter()
        .filter_map(|(field, error)| Some(Problem::new(field, error?)))
        .collect();
    if problems.is_empty() { Ok(form) } else { Err(problems.into()) }
}

/// Fills in a template. Values are inserted literally on one line, without bidirectional controls, and shortened. The subject
/// is shortened to its maximum.
///
/// ```
/// use rules::letter_template::{LetterForm, LetterValues, fill_letter};
///
/// let template = LetterForm { subject: "{artist}".into(), text: "{file} reached {label}".into() };
/// let values = LetterValues { artist: "{label}".into(), file: "a.wav".into(), label: "404".into() };
/// let letter = fill_letter(&template, &values);
/// assert_eq!((letter.subject.as_str(), letter.text.as_str()), ("{label}", "a.wav reached 404"));
/// ```
pub fn fill_letter(template: &LetterForm, values: &LetterValues) -> LetterForm {
    fill(
        template,
        &[
            ("artist", value(&values.artist, "Unknown Artist")),
            ("file", value(&values.file, "your file")),
            ("label", value(&values.label, "the label")),
        ],
    )
}

/// Fills in the letter that confirms a demo to an unverified address: as [`fill_letter`], but values with a link are replaced,
/// so that the label does not mail a stranger's link.
///
/// ```
/// use rules::letter_template::{LetterForm, LetterValues, fill_confirmation};
///
/// let template = LetterForm { subject: "Your demo".into(), text: "{artist},\n\nwe have {file}.".into() };
/// let values = |artist: &str, file: &str| LetterValues { artist: artist.into(), file: file.into(), label: "404".into() };
/// let text = |artist: &str, file: &str| fill_confirmation(&template, &values(artist, file)).text;
/// assert_eq!(text("Nova", "set.wav"), "Nova,\n\nwe have set.wav.");
/// assert_eq!(text("Win at https://evil.example", "WWW.evil.example.wav"), "Artist,\n\nwe have your file.");
/// assert_eq!(text("LOCKED! Verify at evil.com/login?u=1", "pay-at-evil.example.wav"), "Artist,\n\nwe have your file.");
/// assert_eq!(text("Ask me@evil.com", "set v1.2 final.wav"), "Artist,\n\nwe have set v1.2 final.wav.");
/// assert_eq!(text("Dr. Dré", "01. Intro.flac"), "Dr. Dré,\n\nwe have 01. Intro.flac.");
/// assert_eq!(text("Dr.Dre", "paypal-refund.zip"), "Dr.Dre,\n\nwe have paypal-refund.");
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn fill_confirmation(template: &LetterForm, values: &LetterValues) -> LetterForm {
    let (artist, file) = (value(&values.artist, "Unknown Artist"), value(&values.file, "your file"));
    // An archive's extension is also a top-level domain: `refund.zip` is shown as `refund`.
    let stem = file.rsplit_once('.').map_or("", |(stem, _)| stem);
    let shown =
        [&file, stem].into_iter().find(|name| !name.is_empty() && !has_link(name)).unwrap_or("your file");
    let artist = if has_link(&artist) { "Artist".to_owned() } else { artist };
    fill(
        template,
        &[("artist", artist), ("file", shown.to_owned()), ("label", value(&values.label, "the label"))],
    )
}

fn fill(template: &LetterForm, values: &[(&str, String); 3]) -> LetterForm {
    let mut subject = filled(&template.subject, values);
    if let Some((end, _)) = subject.char_indices().nth(SUBJECT_MAX) {
        subject.truncate(end);
    }
    LetterForm { subject, text: filled(&template.text, values) }
}

fn value(typed: &str, otherwise: &str) -> String {
    let blank = |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    let shown: String = typed.chars().filter(|c| !text::is_bidi_control_or_mark(*c)).map(blank).collect();
    let mut line = String::new();
    for word in shown.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if let Some((end, _)) = line.char_indices().nth(VALUE_MAX) {
        line.truncate(end);
    }
    if text::is_invisible(&line) { otherwise.to_owned() } else { line }
}

fn filled(template: &str, values: &[(&str, String); 3]) -> String {
    let mut letter = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, name, after)) = next_place(rest) {
        letter.push_str(before);
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            letter.push_str(value);
        } else {
            letter.push('{');
            letter.push_str(name);
            letter.push('}');
        }
        rest = after;
    }
    letter.push_str(rest);
    letter
}

fn has_unknown_place(template: &str) -> bool {
    let mut rest = template;
    while let Some((_, name, after)) = next_place(rest) {
        if !matches!(name, "artist" | "file" | "label") {
            return true;
        }
        rest = after;
    }
    false
}

/// Splits a text at its next placeholder: the text before, the name, and the text after. A placeholder runs from an opening
/// brace to the next brace, if that one closes on the same line.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find('{') {
        let open = from + at;
        let inner = text.get(open + 1..)?;
        let end = inner.find(['{', '}', '\n'])?;
        if inner.as_bytes().get(end) == Some(&b'}') {
            return Some((text.get(..open)?, inner.get(..end)?, inner.get(end + 1..)?));
        }
        from = open + 1 + end;
    }
    None
}

names! {
    /// The kind of a letter, in the order of a demo's progress.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum LetterKind {
        /// The demo has arrived. The automatic confirmation uses it too.
        Received = "received";
        /// It is on the short list.
        Shortlisted = "shortlisted";
        /// It will not become a record.
        Declined = "declined";
        /// It will.
        Accepted = "accepted";
    }
}

/// Default subject and text of a template.
#[cfg(not(target_arch = "wasm32"))]
pub const fn built_in(kind: LetterKind) -> (&'static str, &'static str) {
    match kind {
        LetterKind::Received => (
            "{label}: your demo has arrived",
            "{artist},\n\nwe have {file}. Thank you for sending it. Every demo that reaches us is heard, from its beginning, by a person.",
        ),
        LetterKind::Shortlisted => (
            "{label}: your demo is on our shortlist",
            "{artist},\n\nwe have heard {file}, and want to hear it again. It is on our shortlist now. You will hear from us either way.",
        ),
        LetterKind::Declined => (
            "{label}: about your demo",
            "{artist},\n\nwe have heard {file}, and it will not become a record of {label}. That says what we are looking for, and nothing about \
             what it is worth. Thank you for letting us hear it.",
        ),
        LetterKind::Accepted => (
            "{label}: we want to release your demo",
            "{artist},\n\nwe have heard {file}, and we want it on {label}. Answer to this mail, and we will talk about how.",
        ),
    }
}
