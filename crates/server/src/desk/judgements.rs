//! Scores, tags and notes. An admin sees the scores of others only after scoring, and may delete only their own notes.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, PathId},
};
use deadwax_store::{
    columns::Timestamp,
    db::Db,
    ids::{DemoId, UserId},
    statements,
};
use http::StatusCode;
use rules::demo_desk::{self, DeskError, NOTES_MAX};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    states,
    view::{self, DeskDemo},
};
use crate::{
    accounts::rows,
    editing::Editor,
    editing::search_keys,
    requests::idempotency::{IdempotencyKey, RepeatableJson},
};

macro_rules! select_notes {
    ($which:literal) => {
        concat!(
            "SELECT n.id, COALESCE(p.username, '') AS person, n.user_id = $2 AS is_mine, n.text, n.created_at \
             FROM demo_notes n LEFT JOIN profiles p ON p.id = n.user_id WHERE ",
            $which
        )
    };
}

statements! {
    SCORE = "INSERT INTO demo_scores (demo_id, user_id, score, scored_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (demo_id, user_id) DO UPDATE SET score = excluded.score, scored_at = excluded.scored_at \
        WHERE demo_scores.score <> excluded.score";
    UNSCORE = "DELETE FROM demo_scores WHERE demo_id = $1 AND user_id = $2";
    TAGS = "SELECT tag FROM demo_tags WHERE demo_id = $1 ORDER BY tag";
    TAG = "INSERT INTO demo_tags (demo_id, tag) VALUES ($1, $2) ON CONFLICT (demo_id, tag) DO NOTHING";
    UNTAG = "DELETE FROM demo_tags WHERE demo_id = $1 AND tag = $2";
    NOTES_OF = select_notes!("n.demo_id = $1 ORDER BY n.created_at, n.id");
    FIND_NOTE = select_notes!("n.id = $1");
    COUNT_NOTES = "SELECT COUNT(*) FROM demo_notes WHERE demo_id = $1";
    INSERT_NOTE = "INSERT INTO demo_notes (id, demo_id, user_id, text, search_key, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    // One's own note, on a demo that is not deleted.
    DELETE_NOTE = "DELETE FROM demo_notes WHERE id = $1 AND user_id = $2 \
        AND EXISTS (SELECT 1 FROM demos d WHERE d.id = demo_notes.demo_id AND d.deleted_at IS NULL)";
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScoreBody {
    /// 1 to 5; null takes it back.
    #[schema(minimum = 1, maximum = 5)]
    score: Option<i64>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagsBody {
    /// At most 20, of 1 to 30 characters each.
    #[schema(max_items = 20)]
    tags: Vec<String>,
    /// The tags before the edit: then only the differences are applied, and concurrent changes of others stay.
    #[schema(max_items = 20)]
    was: Option<Vec<String>>,
}

/// `tags` with the changes that others made since `was`.
fn merged(tags: Vec<String>, was: &[String], present: &[String]) -> Vec<String> {
    let others_put_on = present.iter().filter(|tag| !was.contains(tag)).cloned();
    let mut merged: Vec<String> = tags
        .into_iter()
        .filter(|tag| present.contains(tag) || !was.contains(tag))
        .chain(others_put_on)
        .collect();
    merged.sort_unstable();
    merged.dedup();
    merged
}

/// Sets or removes the caller's score. It marks an unheard demo as heard.
#[utoipa::path(put, path = "/api/admin/desk/demos/{id}/score", tag = "admin", request_body = ScoreBody, params(PathId), responses(
    (status = 200, description = "The demo as it is now", body = DeskDemo),
))]
pub async fn score_demo(
    editor: Editor,
    PathId(id): PathId<DemoId>,
    ApiJson(body): ApiJson<ScoreBody>,
) -> AppResult<Json<DeskDemo>> {
    let score = body.score.map(demo_desk::score).transpose();
    let score = score.map_err(|error| AppError::invalid("score", error))?;
    let by = editor.act();
    let mut tx = rows::begin(by).await?;
    // Of two who judge at once, the second finds it heard.
    view::lock(&mut tx, id).await?;
    let changed = match score {
        Some(score) => tx.query(SCORE).bind(id).bind(by.me.user_id).bind(score).bind(by.now),
        None => tx.query(UNSCORE).bind(id).bind(by.me.user_id),
    };
    let changed = changed.execute().await? > 0;
    if changed {
        by.check_and_record(&mut tx, "sensitive_update", &format!("demo_score:{id}")).await?;
    }
    let is_heard = score.is_some() && states::mark_heard(&mut tx, by, id).await?;
    let demo = view::read(&mut tx, by.me.user_id, id).await?;
    if changed || is_heard {
        tx.commit().await?;
    }
    Ok(Json(demo))
}

/// Sets the tags of a demo, with blanks joined, in lower case and without duplicates. With `was` only the differences
/// are applied, so that concurrent edits lose nothing.
#[utoipa::path(put, path = "/api/admin/desk/demos/{id}/tags", tag = "admin", request_body = TagsBody, params(PathId), responses(
    (status = 200, description = "The demo as it is now", body = DeskDemo),
))]
pub async fn tag_demo(
    editor: Editor,
    PathId(id): PathId<DemoId>,
    ApiJson(body): ApiJson<TagsBody>,
) -> AppResult<Json<DeskDemo>> {
    let tags = demo_desk::tags(&body.tags).map_err(|error| AppError::invalid("tags", error))?;
    let was = body.was.as_deref().map(demo_desk::tags).transpose();
    let was = was.map_err(|error| AppError::invalid("was", error))?;
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    // Of two who tag at once, the second sees the tags of the first.
    view::lock(&mut tx, id).await?;
    let present = tx.query(TAGS).bind(id).values::<String>().await?;
    let tags = match was {
        Some(was) => {
            // Tags of an older version may not be composed (NFC).
            let seen = demo_desk::tags(&present).unwrap_or_else(|_| present.clone());
            demo_desk::tags(&merged(tags, &was, &seen)).map_err(|error| AppError::invalid("tags", error))?
        }
        None => tags,
    };
    for tag in present.iter().filter(|tag| !tags.contains(tag)) {
        tx.query(UNTAG).bind(id).bind(tag).execute().await?;
    }
    for tag in tags.iter().filter(|tag| !present.contains(tag)) {
        tx.query(TAG).bind(id).bind(tag).execute().await?;
    }
    let changed = tags != present;
    if changed {
        by.check_and_record(&mut tx, "sensitive_update", &format!("demo:{id}")).await?;
    }
    let demo = view::read(&mut tx, by.me.user_id, id).await?;
    if changed {
        tx.commit().await?;
    }
    Ok(Json(demo))
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct DemoNote {
    pub id: Uuid,
    /// The author's name.
    pub person: String,
    /// Whether the caller wrote it.
    pub is_mine: bool,
    pub text: String,
    pub created_at: Timestamp,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteBody {
    /// 1 to 2000 characters.
    #[schema(min_length = 1)]
    text: String,
}

pub(super) async fn list_notes(db: &Db, me: UserId, demo: DemoId) -> sqlx::Result<Vec<DemoNote>> {
    db.query(NOTES_OF).bind(demo).bind(me).all().await
}

/// Adds a note to a demo.
#[utoipa::path(post, path = "/api/admin/desk/demos/{id}/notes", tag = "admin", request_body = NoteBody,
    params(PathId, IdempotencyKey), responses(
    (status = 201, description = "The note", body = DemoNote),
))]
pub async fn add_note(
    editor: Editor,
    PathId(id): PathId<DemoId>,
    RepeatableJson { body, request }: RepeatableJson<NoteBody>,
) -> AppResult<Response> {
    let refused = |error: DeskError| AppError::invalid("text", error);
    let text = demo_desk::note(&body.text).map_err(refused)?;
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let claim = request.claim(&mut tx, &by.app.keys, &by.me.session_id.to_string(), by.now).await?;
    rows::lock_own(&mut tx, by.me.user_id).await?;
    view::lock(&mut tx, id).await?;
    // Only the note's id is kept for repetitions, because the note is deleted with its demo.
    if let Some(note) = claim.earlier() {
        let note = Uuid::from_slice(note).map_err(AppError::internal)?;
        let stored = tx.query(FIND_NOTE).bind(note).bind(by.me.user_id).optional::<DemoNote>().await?;
        return Ok((StatusCode::CREATED, Json(stored.ok_or_else(AppError::not_found)?)).into_response());
    }
    if tx.query(COUNT_NOTES).bind(id).value::<i64>().await? >= i64::from(NOTES_MAX) {
        return Err(refused(DeskError::TooManyNotes));
    }
    let note = Uuid::now_v7();
    let key = search_keys::of_note(&text);
    tx.query(INSERT_NOTE)
        .bind(note)
        .bind(id)
        .bind(by.me.user_id)
        .bind(&text)
        .bind(key)
        .bind(by.now)
        .execute()
        .await?;
    by.check_and_record(&mut tx, "sensitive_create", &format!("demo_note:{note}")).await?;
    let stored = tx.query(FIND_NOTE).bind(note).bind(by.me.user_id).one::<DemoNote>().await?;
    claim.keep(&mut tx, &by.app.keys, note.as_bytes()).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(stored)).into_response())
}

/// Deletes a note of the caller's.
#[utoipa::path(delete, path = "/api/admin/desk/notes/{id}", tag = "admin", params(PathId), responses(
    (status = 204, description = "Taken away"),
))]
pub async fn remove_note(editor: Editor, PathId(id): PathId) -> AppResult<StatusCode> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    if tx.query(DELETE_NOTE).bind(id).bind(by.me.user_id).execute().await? == 0 {
        return Err(AppError::not_found());
    }
    by.check_and_record(&mut tx, "sensitive_delete", &format!("demo_note:{id}")).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
