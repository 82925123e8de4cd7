//! The archive of letters: its list, a letter's page, and its feed.

use axum::response::Response;
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
};
use deadwax_store::clock::rfc3339;
use http::HeaderMap;
use rules::listing;

use super::{
    document::FirstView,
    feed::{self, Entry},
    head::Head,
    pictures::{self, SharedPicture},
};
use crate::{
    app::AppState,
    newsletter::letters::{
        archive::{self, ArchivedLetterDetail},
        parts::ShownPart,
    },
};

pub(super) async fn list(app: &AppState, view: &mut FirstView) -> AppResult<Head> {
    let letters = archive::list_all(&app.db, &app.known_label.last().time_zone).await?;
    let about = format!("What {} wrote to its subscribers, newest first.", app.label_name());
    let mut head = Head::new(app, "/letters", "Letters", &about);
    head.has_letters = true;
    if letters.items.is_empty() {
        head = head.unlisted();
    }
    view.push("/api/letters", &letters)?;
    Ok(head)
}

pub(super) async fn letter(app: &AppState, slug: &str, view: &mut FirstView) -> AppResult<Head> {
    let found = archive::find(&app.db, &app.known_label.last().time_zone, slug).await?;
    let detail = found.ok_or_else(AppError::not_found)?;
    let letter = &detail.letter;
    let about = if letter.preheader.is_empty() {
        rules::format::preview(&detail.words())
    } else {
        letter.preheader.clone()
    };
    let mut head =
        Head::new(app, &letter.path(), &letter.subject, &about).picture(first_picture(app, &detail));
    head.has_letters = true;
    head.og_type = "article";
    head.properties.push(("article:published_time", rfc3339(letter.sent_at.0)));
    view.push(format!("/api/letters/{slug}"), &detail)?;
    Ok(head)
}

fn first_picture(app: &AppState, detail: &ArchivedLetterDetail) -> Option<SharedPicture> {
    let picture = detail.parts.0.iter().find_map(ShownPart::picture)?;
    Some(pictures::copied(app, picture))
}

/// `/letters.xml`: the newest letters as an Atom feed.
pub(super) async fn show_feed(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    app.answer_as("/letters.xml", &headers, archive::TABLES, || make_feed(&app)).await
}

async fn make_feed(app: &AppState) -> AppResult<CachedResponse> {
    let label = app.known_label.current(&app.db).await?;
    let mut entries = Vec::new();
    let letters = archive::list(&app.db, &label.time_zone, listing::FEED.into()).await?;
    for letter in &letters {
        let detail = archive::find(&app.db, &label.time_zone, &letter.slug).await?;
        entries.push(Entry {
            id: letter.id.0,
            title: feed::xml_text(&letter.subject),
            published: rfc3339(letter.sent_at.0),
            updated: rfc3339(letter.updated_at),
            author: feed::xml_text(&label.name),
            link: app.origin.link(&letter.path()),
            related: Vec::new(),
            text: detail.map(|detail| feed::xml_text(&detail.words())),
        });
    }
    let updated_at = letters.iter().map(|letter| letter.updated_at).max();
    feed::finish(app, &label.name, "/letters.xml", "letters", updated_at, entries)
}
