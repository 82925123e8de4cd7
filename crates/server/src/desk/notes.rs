//! Notes on a demo: whoever wrote one may take it away again.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::PathId,
};
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::Db,
    statements,
};
use http::StatusCode;
use rules::demo_desk::{self, DeskError, NOTES_MAX};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::view;
use crate::{
    accounts::rows,
    app::AppState,
    auth::guard::Admin,
    caller::Caller,
    edits,
    idempotency::{IdempotencyKey, RepeatableJson},
    search_keys,
};

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT n.id, COALESCE(p.username, '') AS person, n.user_id, n.text, n.created_at \
             FROM demo_notes n LEFT JOIN profiles p ON p.id = n.user_id WHERE ",
            $which
        )
    };
}

statements! {
    LIST = select!("n.demo_id = $1 ORDER BY n.created_at, n.id");
    FIND = select!("n.id = $1");
    COUNT = "SELECT COUNT(*) FROM demo_notes WHERE demo_id = $1";
    INSERT = "INSERT INTO demo_notes (id, demo_id, user_id, text, search_key, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    // One's own, of a demo that is on the desk.
    DELETE = "DELETE FROM demo_notes WHERE id = $1 AND user_id = $2 \
        AND EXISTS (SELECT 1 FROM demos d WHERE d.id = demo_notes.demo_id AND d.deleted_at IS NULL)";
}

#[derive(sqlx::FromRow)]
struct NoteRow {
    id: Uuid,
    person: String,
    user_id: Uuid,
    text: String,
    created_at: Micros,
}

/// A note.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DemoNote {
    /// The note's id.
    pub id: Uuid,
    /// Who wrote it, by name.
    pub person: String,
    /// Whether that is the admin who asks.
    pub is_mine: bool,
    /// What it says.
    pub text: String,
    /// When it was written.
    pub created_at: String,
}

/// What is to be noted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteBody {
    /// 1 to 2000 characters.
    #[schema(min_length = 1)]
    text: String,
}

impl NoteRow {
    fn into_view(self, me: Uuid) -> DemoNote {
        DemoNote {
            id: self.id,
            person: self.person,
            is_mine: self.user_id == me,
            text: self.text,
            created_at: rfc3339(self.created_at),
        }
    }
}

/// The notes on a demo, oldest first.
pub(super) async fn list(db: &Db, me: Uuid, demo: Uuid) -> sqlx::Result<Vec<DemoNote>> {
    let rows = db.query(LIST).bind(demo).all::<NoteRow>().await?;
    Ok(rows.into_iter().map(|row| row.into_view(me)).collect())
}

/// Notes something on a demo.
#[utoipa::path(post, path = "/api/admin/desk/demos/{id}/notes", tag = "admin", request_body = NoteBody,
    params(("id" = Uuid, Path, description = "The demo's id"), IdempotencyKey), responses(
    (status = 201, description = "The note", body = DemoNote),
    (status = 404, description = "There is no such demo"),
))]
pub async fn add_note(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
    RepeatableJson { body, request }: RepeatableJson<NoteBody>,
) -> AppResult<Response> {
    let refused = |error: DeskError| AppError::invalid("text", error);
    let text = demo_desk::note(&body.text).map_err(refused)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let claim = request.claim(&mut tx, &app.keys, &me.session_id.to_string(), now).await?;
    rows::lock_own(&mut tx, me.user_id).await?;
    view::lock(&mut tx, id).await?;
    // The note itself is not kept beside it: it goes with its demo.
    if let Some(note) = claim.earlier() {
        let note = Uuid::from_slice(note).map_err(AppError::internal)?;
        let stored =
            tx.query(FIND).bind(note).optional::<NoteRow>().await?.ok_or_else(AppError::not_found)?;
        return Ok((StatusCode::CREATED, Json(stored.into_view(me.user_id))).into_response());
    }
    if tx.query(COUNT).bind(id).one::<(i64,)>().await?.0 >= i64::from(NOTES_MAX) {
        return Err(refused(DeskError::TooManyNotes));
    }
    let note = Uuid::now_v7();
    let key = search_keys::of_note(&text);
    tx.query(INSERT).bind(note).bind(id).bind(me.user_id).bind(&text).bind(key).bind(now).execute().await?;
    edits::note(&mut tx, &me, &caller, "data_create", &format!("demo_note:{note}"), now).await?;
    let stored = tx.query(FIND).bind(note).one::<NoteRow>().await?.into_view(me.user_id);
    claim.keep(&mut tx, &app.keys, note.as_bytes()).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(stored)).into_response())
}

/// Takes away a note of one's own.
#[utoipa::path(delete, path = "/api/admin/desk/notes/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The note's id")), responses(
    (status = 204, description = "Taken away"),
    (status = 404, description = "There is no such note, or it is somebody else's"),
))]
pub async fn remove_note(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<StatusCode> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    if tx.query(DELETE).bind(id).bind(me.user_id).execute().await? == 0 {
        return Err(AppError::not_found());
    }
    edits::note(&mut tx, &me, &caller, "data_delete", &format!("demo_note:{id}"), now).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
