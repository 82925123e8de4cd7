//! Letters as admins list, write and delete them. Only drafts can be changed.

use axum::{Json, response::Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, ApiQuery, PathId},
};
use deadwax_store::{
    columns::{Name, Timestamp},
    db::Tx,
    ids::{LetterId, ReleaseId},
    statements,
};
use http::StatusCode;
use rules::{
    letter_sending::LetterState,
    letters::{LetterDraft, LetterPart, check_letter_draft},
    messages::Code,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{announce, freeze, parts::PartsColumn};
use crate::{
    app::AppState,
    auth::guard::Admin,
    editing::{
        self, Editor, IfMatch,
        lists::{ListPage, ShortPageQuery},
        newest::Newest,
    },
    requests::idempotency::{self, ClaimedRequest, IdempotencyKey, RepeatableJson},
};

macro_rules! select {
    ($more:literal) => {
        concat!(
            "SELECT id, slug, subject, in_archive, state, goes_out_at, began_at, ended_at, pause_reason, captured, created_at, \
                 updated_at, version",
            $more,
            " FROM letters"
        )
    };
}

statements! {
    LIST = concat!(
        select!(""),
        " WHERE created_at <= $2 AND (created_at < $2 OR id < $3) ORDER BY created_at DESC, id DESC LIMIT $1"
    );
    COUNT = "SELECT COUNT(*) FROM letters";
    FIND = concat!(select!(", preheader, parts"), " WHERE id = $1");
    STATE = "SELECT state FROM letters WHERE id = $1", postgres + " FOR UPDATE";
    INSERT = "INSERT INTO letters (id, subject, preheader, parts, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)";
    UPDATE = "UPDATE letters SET subject = $2, preheader = $3, parts = $4, updated_at = $5, version = version + 1 \
        WHERE id = $1 AND version = $6 AND state = 'draft'";
    SWITCH = "UPDATE letters SET in_archive = $2, version = version + 1 WHERE id = $1 AND in_archive <> $2";
    DELETE = "DELETE FROM letters WHERE id = $1";
}

/// A letter in the list.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct LetterSummary {
    pub id: LetterId,
    /// The last part of its address, `/letters/{slug}`; null before it goes out.
    pub slug: Option<String>,
    /// The subject; empty until it is written.
    pub subject: String,
    /// Whether visitors can read it once it goes out.
    pub in_archive: bool,
    /// Where it stands.
    #[schema(value_type = LetterState)]
    pub state: Name<LetterState>,
    /// When it goes out, or was to.
    pub goes_out_at: Option<Timestamp>,
    pub began_at: Option<Timestamp>,
    /// When the last of it went out, or it was stopped.
    pub ended_at: Option<Timestamp>,
    /// Why it is paused.
    pub pause_reason: Option<String>,
    /// Whether it went into files, because there was no mail server.
    pub captured: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The version to send in `If-Match` with the next edit.
    pub version: i64,
}

/// A letter as an admin writes it.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct LetterView {
    /// Its line in the list.
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub summary: LetterSummary,
    /// The line that mail programs show beside the subject.
    pub preheader: String,
    /// The parts in their order.
    #[schema(value_type = Vec<LetterPart>)]
    pub parts: PartsColumn,
}

/// A new letter: empty, or filled in from a release.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLetterBody {
    /// The release that it announces.
    #[serde(default)]
    release: Option<ReleaseId>,
}

/// Whether visitors can read it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArchiveBody {
    in_archive: bool,
}

/// The letters, newest first.
#[utoipa::path(get, path = "/api/admin/letters", tag = "admin", params(ShortPageQuery), responses(
    (status = 200, description = "A page of letters", body = ListPage<LetterSummary>),
))]
pub async fn list_letters(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ShortPageQuery>,
) -> AppResult<Json<ListPage<LetterSummary>>> {
    let place = Newest::read(query.limit(), query.cursor.as_deref())?;
    let order = |letter: &LetterSummary| (letter.created_at.0, letter.id.0);
    let page = place.page(app.db.query(LIST), order).await?;
    let total = app.db.query(COUNT).value::<i64>().await?;
    Ok(Json(ListPage { items: page.items, next_cursor: page.next_cursor, total }))
}

/// One letter.
#[utoipa::path(get, path = "/api/admin/letters/{id}", tag = "admin", params(PathId), responses(
    (status = 200, description = "The letter", body = LetterView),
))]
pub async fn show_letter(
    app: AppState,
    _: Admin,
    PathId(id): PathId<LetterId>,
) -> AppResult<Json<LetterView>> {
    let letter = app.db.query(FIND).bind(id).optional().await?;
    letter.map(Json).ok_or_else(AppError::not_found)
}

/// Begins a letter.
#[utoipa::path(post, path = "/api/admin/letters", tag = "admin", request_body = NewLetterBody, params(IdempotencyKey), responses(
    (status = 201, description = "The new draft", body = LetterView),
    (status = 404, description = "There is no such release"),
))]
pub async fn create_letter(
    editor: Editor,
    RepeatableJson { body, request }: RepeatableJson<NewLetterBody>,
) -> AppResult<Response> {
    let draft = match body.release {
        Some(release) => announce::draft(&editor.app, release).await?.ok_or_else(AppError::not_found)?,
        None => LetterDraft::default(),
    };
    let by = editor.act();
    let id = LetterId::generate();
    let (mut tx, claim) = match by.begin(Some(&request)).await? {
        ClaimedRequest::New(tx, claim) => (tx, claim),
        ClaimedRequest::Repeated(answer) => return Ok(answer),
    };
    let parts = serde_json::to_string(&draft.parts)?;
    let insert = tx.query(INSERT).bind(id).bind(&draft.subject).bind(&draft.preheader).bind(parts);
    insert.bind(by.now).execute().await?;
    by.check_and_record(&mut tx, "sensitive_create", &format!("letter:{id}")).await?;
    let stored = stored(&mut tx, id).await?;
    idempotency::finish(tx, claim, &by.app.keys, &stored).await
}

/// Saves a draft.
#[utoipa::path(put, path = "/api/admin/letters/{id}", tag = "admin", request_body = LetterDraft, params(PathId, IfMatch), responses(
    (status = 200, description = "The letter as it is now", body = LetterView),
    (status = 409, description = "It is no draft any more"),
))]
pub async fn save_letter(
    editor: Editor,
    PathId(id): PathId<LetterId>,
    IfMatch(seen): IfMatch,
    ApiJson(draft): ApiJson<LetterDraft>,
) -> AppResult<Json<LetterView>> {
    let by = editor.act();
    let draft = check_letter_draft(draft).map_err(AppError::validation)?;
    freeze::render_whole(by.app, &draft, true).await?;
    let parts = serde_json::to_string(&draft.parts)?;
    let mut tx = by.app.db.begin().await?;
    let update = tx.query(UPDATE).bind(id).bind(&draft.subject).bind(&draft.preheader).bind(parts);
    if update.bind(by.now).bind(seen).execute().await? == 0 {
        require_draft(&mut tx, id).await?;
        return Err(editing::stale());
    }
    by.check_and_record(&mut tx, "sensitive_update", &format!("letter:{id}")).await?;
    let stored = stored(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Json(stored))
}

/// Shows or hides a letter in the archive, in any state. Sending the same twice changes nothing.
#[utoipa::path(patch, path = "/api/admin/letters/{id}", tag = "admin", request_body = ArchiveBody, params(PathId), responses(
    (status = 200, description = "The letter as it is now", body = LetterView),
))]
pub async fn switch_archive(
    editor: Editor,
    PathId(id): PathId<LetterId>,
    ApiJson(body): ApiJson<ArchiveBody>,
) -> AppResult<Json<LetterView>> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    if tx.query(SWITCH).bind(id).bind(body.in_archive).execute().await? > 0 {
        by.check_and_record(&mut tx, "sensitive_update", &format!("letter_archive:{id}")).await?;
    }
    let stored = stored(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Json(stored))
}

/// Deletes a draft for good.
#[utoipa::path(delete, path = "/api/admin/letters/{id}", tag = "admin", params(PathId), responses(
    (status = 204, description = "Deleted"),
    (status = 409, description = "It is no draft any more"),
))]
pub async fn delete_letter(editor: Editor, PathId(id): PathId<LetterId>) -> AppResult<StatusCode> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    require_draft(&mut tx, id).await?;
    freeze::remove_pictures(&mut tx, id, by.now).await?;
    tx.query(DELETE).bind(id).execute().await?;
    by.check_and_record(&mut tx, "sensitive_delete", &format!("letter:{id}")).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// 404 without the letter, 409 if it is no draft; it stays one until `tx` ends.
async fn require_draft(tx: &mut Tx, id: LetterId) -> AppResult<()> {
    let state =
        tx.query(STATE).bind(id).maybe::<Name<LetterState>>().await?.ok_or_else(AppError::not_found)?;
    if state.0 == LetterState::Draft {
        return Ok(());
    }
    Err(AppError::from_code(StatusCode::CONFLICT, Code::LetterNotDraft))
}

pub(crate) async fn stored(tx: &mut Tx, id: LetterId) -> AppResult<LetterView> {
    tx.query(FIND).bind(id).optional().await?.ok_or_else(AppError::not_found)
}
