//! `/api/sender/{token}`: a demo as its sender sees it by a link: its progress, without notes and scores. Erasing it
//! leaves nothing that names the sender; the audit log holds the demo's id.

use std::time::Duration;

use axum::{Json, extract::Path, response::IntoResponse};
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{clock::Micros, columns::Timestamp, db::known, ids::DemoId, statements};
use http::{StatusCode, header};
use rules::demo_state::{DemoState, sender_step};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::letter;
use crate::{
    app::AppState,
    audit::{self, Entry},
    requests::caller::Caller,
    trash::{
        kinds::TrashKind,
        moves::{self, Mover},
    },
};

statements! {
    SHOW = "SELECT d.artist_name, d.original_name, d.submitted_at, d.state, d.shortlisted_at, d.declined_unheard, o.size_bytes, \
            EXISTS (SELECT 1 FROM demo_answers a WHERE a.demo_id = d.id AND a.kind = d.state AND a.sent_at IS NOT NULL) AS is_answered, \
            COALESCE((SELECT s.hides_decision FROM desk_settings s), TRUE) AS hides_decision \
        FROM demos d JOIN objects o ON o.key = d.file_key WHERE d.id = $1 AND d.deleted_at IS NULL";
    LETTERS = "SELECT outbox_id FROM demo_letters WHERE demo_id = $1";
}

#[derive(sqlx_macros::FromRow)]
struct SentRow {
    artist_name: String,
    original_name: String,
    submitted_at: Timestamp,
    state: String,
    shortlisted_at: Option<Micros>,
    declined_unheard: bool,
    size_bytes: i64,
    is_answered: bool,
    hides_decision: bool,
}

/// A demo as its sender sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SentDemo {
    pub artist_name: String,
    /// The name of the file on the sender's disk.
    pub original_name: String,
    pub size_bytes: i64,
    /// When it was complete.
    pub submitted_at: Timestamp,
    /// How far it is, from 0 to 3.
    pub step: u32,
    /// The same in a word: `RECEIVED`, `HEARD`, `SHORTLISTED` or `DECISION`.
    pub label: String,
    /// The decision, `ACCEPTED` or `NOT THIS TIME`; null before, and until the answer has been sent if the label wants
    /// it so.
    pub decision: Option<String>,
    /// Whether another file may replace it, because it is unheard and undecided.
    pub can_replace: bool,
}

impl SentRow {
    fn into_view(self, id: DemoId) -> sqlx::Result<SentDemo> {
        let state = known(DemoState::named, &self.state, ("demos", "state", &id))?;
        let before = match self.shortlisted_at {
            Some(_) => DemoState::Shortlisted,
            None if self.declined_unheard => DemoState::New,
            None => DemoState::Heard,
        };
        let step = sender_step(state, before, self.hides_decision, self.is_answered);
        Ok(SentDemo {
            artist_name: self.artist_name,
            original_name: self.original_name,
            size_bytes: self.size_bytes,
            submitted_at: self.submitted_at,
            step: step.step,
            label: step.label.to_owned(),
            decision: step.decision.map(str::to_owned),
            can_replace: state == DemoState::New,
        })
    }
}

pub(crate) async fn is_link(app: &AppState, token: &str) -> sqlx::Result<bool> {
    Ok(letter::find_linked(&app.db, token).await?.is_some())
}

/// Shows a demo to its sender.
#[utoipa::path(get, path = "/api/sender/{token}", tag = "demos",
    params(("token" = String, Path, description = "The token of the link in the letter that confirmed the demo")),
    responses(
        (status = 200, description = "The demo", body = SentDemo),
        (status = 404, description = "There is no such link, or its demo is gone"),
    ))]
pub async fn show_sent_demo(app: AppState, Path(token): Path<String>) -> AppResult<impl IntoResponse> {
    let id: DemoId = letter::find_linked(&app.db, &token).await?.ok_or_else(AppError::not_found)?.id;
    let row = app.db.query(SHOW).bind(id).optional::<SentRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(row.into_view(id)?)))
}

/// Withdraws a demo: everything about it is erased, including letters that were not sent.
#[utoipa::path(delete, path = "/api/sender/{token}", tag = "demos",
    params(("token" = String, Path, description = "The token of the link in the letter that confirmed the demo")),
    responses(
        (status = 204, description = "Everything is erased"),
        (status = 404, description = "There is no such link, or its demo is gone"),
        (status = 429, description = "Too many attempts from this client"),
    ))]
pub async fn erase_sent_demo(
    app: AppState,
    caller: Caller,
    Path(token): Path<String>,
) -> AppResult<StatusCode> {
    letter::count_use(&app.db, caller.address, app.clock.now()).await?;
    // An invalid link must not pause the capture of mail.
    letter::find_erasable(&app.db, &token).await?.ok_or_else(AppError::not_found)?;
    let forgetting = app.mail.forgetting().await;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let demo = letter::lock_erasable(&mut tx, &token).await?.ok_or_else(AppError::not_found)?.id;
    let letters = tx.query(LETTERS).bind(demo).values::<Uuid>().await?;
    for id in &letters {
        deadwax_mail::forget(&mut tx, *id).await?;
    }
    moves::delete(&mut tx, Mover { origin: &app.origin, by: None, now }, TrashKind::Demo, demo.0).await?;
    moves::purge(&mut tx, &app.origin, TrashKind::Demo, demo.0, now).await?;
    let target = format!("demo:{demo}");
    audit::record(&mut tx, now, &Entry::visitor("data_erase", None, "ok", &caller).on(&target)).await?;
    // Before the commit: after a crash the link still works, and the erasure can be repeated.
    forgetting.remove_captured(&letters).await.map_err(AppError::storage_error)?;
    tx.commit().await?;
    drop(forgetting);
    // The demo is erased; a failure from here on is mended later and not answered.
    remove_files_now(&app).await;
    Ok(StatusCode::NO_CONTENT)
}

/// How long the sender waits for the removal of files; the job continues without them.
const FILES_WAIT: Duration = Duration::from_secs(5);

/// Removes the files at once, because their names, also in the list of deletions, hold the artist's.
async fn remove_files_now(app: &AppState) {
    match tokio::time::timeout(FILES_WAIT, app.deletions.remove_due()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(cause = %error, "removing the files of an erased demo"),
        Err(_) => tracing::info!("the files of an erased demo wait for others that are being removed"),
    }
    match app.db.settle_erased().await {
        Ok(true) => {}
        Ok(false) => {
            tracing::info!("what was erased is still in the database's log; housekeeping will empty it");
        }
        Err(error) => tracing::warn!(cause = %error, "emptying the database's log of an erased demo"),
    }
}
