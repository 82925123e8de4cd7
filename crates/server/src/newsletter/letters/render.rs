//! A letter as HTML and as plain text, with holes that the sender fills for each recipient.

use askama::Template as _;
use deadwax_http::error::AppResult;
use rules::{
    checked::Problem,
    email::EMAIL_MAX,
    letters::{LetterDraft, LetterPart, plain_part, wrapped},
};

use super::{
    super::settings,
    parts::{self, FROM_HOLE, ShownPart, clean},
};
use crate::{app::App, content::mark::MarkView};

/// Stands for the recipient's address. Control characters are removed from everything else in a letter, so nothing typed is a hole.
pub const ADDRESS_HOLE: &str = "\u{1}address\u{2}";
/// Stands for the link that leaves the list.
pub const LEAVE_HOLE: &str = "\u{1}leave\u{2}";
/// Stands for the letter's address in the archive, until it is given one.
pub(super) const PAGE_HOLE: &str = "\u{1}page\u{2}";

/// Longest link to leave behind the website's address, in bytes: a token, and the letter's id.
const LEAVE_MAX: usize = 128;

/// A letter as it is mailed, but for the holes.
#[derive(Debug, Clone)]
pub struct Rendered {
    pub html: String,
    pub text: String,
    pub shown: Vec<ShownPart>,
    pub(super) mark: Option<MarkView>,
    /// Of parts whose picture or release is gone.
    pub problems: Vec<Problem>,
}

/// Bytes of the HTML with the longest address and links.
pub(super) fn size_bytes(app: &App, html: &str) -> usize {
    let origin = app.origin.to_string().len();
    // In HTML an apostrophe of an address takes five bytes.
    let address = EMAIL_MAX * 5;
    let holes = [
        (ADDRESS_HOLE, address),
        (LEAVE_HOLE, origin + LEAVE_MAX),
        (PAGE_HOLE, origin + rules::slug::SLUG_MAX + "/letters/".len()),
        (FROM_HOLE, "?from=".len() + rules::slug::SLUG_MAX),
    ];
    let longest = |(hole, most): (&str, usize)| html.matches(hole).count() * most.saturating_sub(hole.len());
    html.len() + holes.into_iter().map(longest).sum::<usize>()
}

/// The HTML and the plain text of a letter with these holes filled.
pub fn filled(html: &str, text: &str, holes: &[(&str, &str)]) -> (String, String) {
    holes.iter().fold((html.to_owned(), text.to_owned()), |(html, text), (hole, with)| {
        (html.replace(hole, &escaped(with)), text.replace(hole, with))
    })
}

/// As in the template, so that what it wrote is found.
pub(super) fn escaped(text: &str) -> String {
    let Ok(safe) = askama::filters::escape(text, askama::filters::Html);
    safe.to_string()
}

/// A link, or a path of this website. A page of this website is to say that the letter led there.
fn marked(app: &App, link: &str) -> String {
    let link = app.origin.full_address(link);
    let path = link.strip_prefix(&app.origin.to_string()).filter(|path| !path.contains(['?', '#']));
    let is_own = path.is_some_and(|path| path.is_empty() || path.starts_with('/'));
    if is_own { link + FROM_HOLE } else { link }
}

/// The same for all recipients: who writes, and where their pages are.
struct Frame {
    label: String,
    /// Address, width and height of the label's mark.
    mark: Option<(String, u32, u32)>,
    signal: String,
    home: String,
    imprint: Option<String>,
    /// In the archive; none if the letter is not there.
    page: Option<String>,
    postal: Vec<String>,
}

/// Renders a checked draft.
pub async fn render(app: &App, draft: &LetterDraft, in_archive: bool) -> AppResult<Rendered> {
    let (shown, problems) = parts::resolve(app, draft).await?;
    let label = app.known_label.current(&app.db).await?;
    let mark = label.mark.clone();
    let postal = settings::read(&app.db).await?.postal_address;
    let frame = Frame {
        label: clean(&label.name),
        mark: mark.as_ref().map(|mark| {
            let (width, height) = mark.mail_sheet().size;
            (app.origin.link(&mark.mail_path()), width / 2, height / 2)
        }),
        signal: label.signal.clone(),
        home: marked(app, "/"),
        imprint: label.has_imprint.then(|| marked(app, "/imprint")),
        page: in_archive.then(|| PAGE_HOLE.to_owned()),
        postal: postal.lines().map(clean).filter(|line| !line.trim().is_empty()).collect(),
    };
    let (subject, preheader) = (clean(&draft.subject), clean(&draft.preheader));
    let html = Html { subject, preheader, parts: &shown, frame: &frame, app }.render();
    let html = html.map_err(anyhow::Error::from)?;
    let text = text(app, draft, &shown, &frame);
    Ok(Rendered { html, text, shown, mark, problems })
}

#[derive(askama::Template)]
#[template(path = "letters/letter.html")]
struct Html<'a> {
    subject: String,
    preheader: String,
    parts: &'a [ShownPart],
    frame: &'a Frame,
    app: &'a App,
}

impl Html<'_> {
    /// A path of this website, made absolute.
    fn full(&self, path: &str) -> String {
        self.app.origin.full_address(path)
    }

    fn marked(&self, link: &str) -> String {
        marked(self.app, link)
    }
}

fn text(app: &App, draft: &LetterDraft, shown: &[ShownPart], frame: &Frame) -> String {
    let mut pieces = vec![wrapped(&frame.label)];
    let parts = draft.parts.iter().zip(shown);
    pieces.extend(parts.map(|(part, shown)| {
        let part = LetterPart { link: marked(app, &part.link), ..part.clone() };
        clean(&plain_part(&part, shown.plain_release(app).as_ref()))
    }));
    pieces.retain(|piece| !piece.is_empty());
    let mut lines = vec![
        "--".to_owned(),
        format!("This letter went to {ADDRESS_HOLE}, which is on the list of {}.", frame.label),
        "Leave the list:".to_owned(),
        LEAVE_HOLE.to_owned(),
    ];
    if let Some(page) = &frame.page {
        lines.extend(["Read it on the web:".to_owned(), page.clone()]);
    }
    lines.push(String::new());
    lines.push(frame.label.clone());
    lines.extend(frame.postal.iter().map(|line| wrapped(line)));
    lines.extend(frame.imprint.clone());
    lines.push(frame.home.clone());
    format!("{}\n\n{}\n", pieces.join("\n\n"), lines.join("\n"))
}
