//! The generated tables of `docs/reference.md`, made from this crate's constants, refusals and messages.
//!
//! Replaces the text between `<!-- generated:NAME -->` and `<!-- end -->` with [`table`] of the name.

mod durations;
mod limits;
mod requests;

use rules::format::size_label;
use rules::upload::Kind;
use rules::{avatar, content, demo, hero, image, mark, media, messages, mfa, reference};

const BEGIN: &str = "<!-- generated:";
const END: &str = "<!-- end -->";

/// The document with updated tables; the error names an unknown or unclosed marker.
pub(crate) fn filled(document: &str) -> Result<String, String> {
    let mut filled = String::with_capacity(document.len());
    let mut rest = document;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (name, after) = after.split_once(" -->").ok_or("a marker that does not end")?;
        let (_, after) = after.split_once(END).ok_or_else(|| format!("no end after {name}"))?;
        let table = table(name).ok_or_else(|| format!("nothing is generated under the name {name}"))?;
        filled.extend([before, BEGIN, name, " -->\n", &table, END]);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Every name known to [`table`]; each must occur in the document.
pub(crate) const NAMES: [&str; 9] = [
    "limits",
    "durations",
    "second-factor-steps",
    "request-limits",
    "files",
    "texts",
    "refusals",
    "second-factor-answers",
    "messages",
];

fn table(name: &str) -> Option<String> {
    Some(match name {
        "limits" => limits::field_limits(),
        "durations" => durations::durations(),
        "second-factor-steps" => second_factor_steps(),
        "request-limits" => requests::request_limits(),
        "files" => files(),
        "texts" => texts(),
        "refusals" => refusals(),
        "second-factor-answers" => second_factor_answers(),
        "messages" => all_messages(),
        _ => return None,
    })
}

fn rows<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut table = line(&head.map(str::to_owned));
    table.push_str(&line(&[const { "---" }; N].map(str::to_owned)));
    for row in rows {
        table.push_str(&line(&row.map(|cell| cell.replace('|', "\\|"))));
    }
    table
}

/// A code or key in Markdown.
fn code(text: &str) -> String {
    format!("`{text}`")
}

/// A text of the product in quotes, or nothing.
fn words(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\"{text}\"") }
}

#[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
const fn approximate(number: u64) -> f64 {
    number as f64
}

fn second_factor_steps() -> String {
    let span = |range: std::ops::RangeInclusive<i32>| format!("{} to {}", range.start(), range.end());
    rows(
        ["Steps from now", "Answer"],
        [
            [span(mfa::ACCEPTED), code("ok")],
            [span(mfa::EXPIRED), code("expired_otp")],
            [span(mfa::SKEWED), code("time_skew")],
            ["any other, and an accepted step already used".to_owned(), code("invalid_otp")],
        ],
    )
}

fn files() -> String {
    let place = |name: &str, max: u64, kinds: &[Kind]| {
        let extensions: Vec<_> = kinds.iter().flat_map(|kind| kind.extensions).copied().collect();
        [name.to_owned(), extensions.join(", "), size_label(Some(approximate(max)))]
    };
    rows(
        ["Place", "Extensions", "At most"],
        [
            place("Image of an artist, a release or a product", image::IMAGE_MAX_BYTES, &image::IMAGE_KINDS),
            place("Background of the home page", hero::HERO_MAX_BYTES, &hero::HERO_KINDS),
            place("Mark of the label", mark::MARK_MAX_BYTES, &mark::MARK_KINDS),
            place("Media library", media::MEDIA_MAX_BYTES, &media::MEDIA_KINDS),
            place("Avatar", avatar::AVATAR_MAX_BYTES, &avatar::AVATAR_KINDS),
            [
                "Demo".to_owned(),
                demo::DEMO_EXTENSIONS.join(", "),
                size_label(Some(approximate(demo::DEMO_MAX_BYTES))),
            ],
        ],
    )
}

fn texts() -> String {
    rows(
        ["Key", "What it is", "Rows of its card", "Built-in text"],
        content::KEYS.map(|key| {
            let text = content::default_text(key).unwrap_or_default();
            let shown =
                if text.contains('\n') { "(several pages of plain text)".to_owned() } else { words(text) };
            let description = content::description(key).unwrap_or_default().to_owned();
            [code(key), description, content::card_rows(key).to_string(), shown]
        }),
    )
}

fn refusals() -> String {
    rows(
        ["Rule", "Code", "Text"],
        reference::refusals()
            .into_iter()
            .map(|(rule, name, text)| [rule.to_owned(), code(name), words(text)]),
    )
}

fn second_factor_answers() -> String {
    let known = mfa::CODES.map(|name| [code(name), words(&mfa::text(name, None))]);
    let other = ["anything else".to_owned(), words(&mfa::text("", None))];
    rows(["Code", "Text"], known.into_iter().chain([other]))
}

fn all_messages() -> String {
    rows(
        ["Code", "Title", "Text"],
        messages::all().map(|(name, title, text)| [code(name), words(title), words(text)]),
    )
}
