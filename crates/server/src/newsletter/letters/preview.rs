//! A letter as it arrives: on the screen beside the editor, and as a test in the mailboxes of the admins.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, ApiQuery, PathId},
};
use deadwax_mail::{Letter, Mail};
use deadwax_store::{ids::LetterId, statements};
use rules::letters::{HTML_MAX_BYTES, LetterDraft, check_letter_draft};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{
    freeze,
    parts::{self, FROM_HOLE},
    render::{self, ADDRESS_HOLE, LEAVE_HOLE, PAGE_HOLE},
};
use crate::{
    accounts::admin_mail,
    app::{App, AppState},
    auth::guard::Admin,
    editing::Editor,
};

statements! {
    FROZEN = "SELECT html, text FROM letters WHERE id = $1 AND html IS NOT NULL";
    OPEN = "SELECT id FROM letters WHERE id = $1 AND html IS NULL", postgres + " FOR UPDATE";
}

/// A letter as it arrives.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LetterPreview {
    /// The HTML form. Its links lead nowhere in particular: the address and the link to leave are made up.
    pub html: String,
    pub text: String,
    /// Size of the HTML form with the longest address, in bytes.
    pub size_bytes: usize,
    /// Largest size that can be saved.
    pub size_max: usize,
    /// The titles of releases in a draft that are not out: links lead to their pages once they are.
    pub not_out: Vec<String>,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PreviewQuery {
    /// False for a letter that is not to be in the archive: it has no link to its page there.
    in_archive: Option<bool>,
}

/// Where a test went.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LetterTest {
    /// The addresses of the admins.
    pub to: Vec<String>,
    /// Whether it went into files, because there is no mail server.
    pub captured: bool,
}

/// Renders a draft that was not saved.
#[utoipa::path(post, path = "/api/admin/letters/preview", tag = "admin", params(PreviewQuery), request_body = LetterDraft, responses(
    (status = 200, description = "Both forms", body = LetterPreview),
))]
pub async fn preview_letter(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<PreviewQuery>,
    ApiJson(draft): ApiJson<LetterDraft>,
) -> AppResult<Json<LetterPreview>> {
    let draft = check_letter_draft(draft).map_err(AppError::validation)?;
    let longest = render::render(&app, &draft, true).await?;
    // That of the longest form decides at the save, because the switch may be flipped later.
    let size_bytes = render::size_bytes(&app, &longest.html);
    let is_longest = query.in_archive.unwrap_or(true);
    let shown = if is_longest { longest } else { render::render(&app, &draft, false).await? };
    let not_out = parts::not_out(&app.db, &draft.parts).await?;
    Ok(Json(LetterPreview { size_bytes, not_out, ..preview(&app, &shown.html, &shown.text) }))
}

/// A letter as it went out, whatever became of its releases and pictures since. 404 until it begins.
#[utoipa::path(get, path = "/api/admin/letters/{id}/preview", tag = "admin", params(PathId), responses(
    (status = 200, description = "Both forms", body = LetterPreview),
))]
pub async fn show_frozen(
    app: AppState,
    _: Admin,
    PathId(id): PathId<LetterId>,
) -> AppResult<Json<LetterPreview>> {
    let frozen = app.db.query(FROZEN).bind(id).optional::<(String, String)>().await?;
    let (html, text) = frozen.ok_or_else(AppError::not_found)?;
    Ok(Json(preview(&app, &html, &text)))
}

fn preview(app: &App, html: &str, text: &str) -> LetterPreview {
    let size_bytes = render::size_bytes(app, html);
    let (html, text) = made_up(app, html, text, "you@example.org", &app.origin.link("/letters"));
    LetterPreview { html, text, size_bytes, size_max: HTML_MAX_BYTES, not_out: Vec::new() }
}

/// Both forms for an address, with a link to leave that belongs to no subscription.
fn made_up(app: &App, html: &str, text: &str, address: &str, page: &str) -> (String, String) {
    let leave = app.origin.link(&format!("/newsletter/leave/{}", Uuid::nil().simple()));
    let holes = [(ADDRESS_HOLE, address), (LEAVE_HOLE, leave.as_str()), (PAGE_HOLE, page), (FROM_HOLE, "")];
    render::filled(html, text, &holes)
}

/// Mails a saved letter to all admins, with `[TEST]` before its subject. Its link to leave takes no one off the list.
#[utoipa::path(post, path = "/api/admin/letters/{id}/test", tag = "admin", params(PathId), responses(
    (status = 200, description = "On its way", body = LetterTest),
    (status = 422, description = "The letter lacks something"),
))]
pub async fn test_letter(editor: Editor, PathId(id): PathId<LetterId>) -> AppResult<Json<LetterTest>> {
    let by = editor.act();
    let prepared = freeze::prepare(by.app, id).await?;
    let page = prepared.likely_page(by.app);
    let mut tx = by.app.db.begin().await?;
    tx.query(OPEN).bind(id).exists().await?.then_some(()).ok_or_else(AppError::not_found)?;
    prepared.keep_pictures(&mut tx, by.now).await?;
    let to = admin_mail::addresses(&mut tx).await?;
    for address in &to {
        let (html, text) = made_up(by.app, &prepared.rendered.html, &prepared.rendered.text, address, &page);
        let letter =
            Letter { subject: format!("[TEST] {}", prepared.subject()), text, html, is_automatic: false };
        let mail =
            Mail { reply_to: Some(by.app.mail.contact_to()), ..Mail::new("letter_test", address, letter) };
        deadwax_mail::enqueue(&mut tx, &by.app.keys, by.now, &mail).await?;
    }
    by.check_and_record(&mut tx, "letter_test", &format!("letter:{id}")).await?;
    tx.commit().await?;
    Ok(Json(LetterTest { to, captured: !by.app.mail.has_server() }))
}
