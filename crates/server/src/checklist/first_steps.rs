//! The first steps of a label: what to do after the first sign-in, which of it is done, and whether the list was closed.

use std::collections::HashMap;

use axum::Json;
use deadwax_config::LABEL_NAME;
use deadwax_http::error::AppResult;
use deadwax_store::{clock::Micros, db::Db, statements};
use http::StatusCode;
use rules::content::is_as_delivered;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{app::AppState, auth::guard::Admin, editing::Editor};

statements! {
    FIND = "SELECT EXISTS (SELECT 1 FROM artists WHERE deleted_at IS NULL) AS artist, \
        EXISTS (SELECT 1 FROM releases WHERE deleted_at IS NULL) AS release, \
        (EXISTS (SELECT 1 FROM first_steps WHERE backed_up_at IS NOT NULL) \
            OR EXISTS (SELECT 1 FROM backup_runs WHERE written_at IS NOT NULL)) AS backup, \
        EXISTS (SELECT 1 FROM first_steps WHERE closed_at IS NOT NULL) AS closed";
    LIST_TEXTS = "SELECT key, value FROM site_content";
    CLOSE = "INSERT INTO first_steps (id, closed_at) VALUES (1, $1) \
        ON CONFLICT (id) DO UPDATE SET closed_at = COALESCE(first_steps.closed_at, $1)";
    NOTE_BACKUP = "INSERT INTO first_steps (id, backed_up_at) VALUES (1, $1) \
        ON CONFLICT (id) DO UPDATE SET backed_up_at = $1";
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FirstStep {
    /// Which one: `name`, `artist`, `release`, `mail`, `backup`, `two_factor` or `imprint`.
    pub step: &'static str,
    /// Whether it is done.
    pub done: bool,
}

/// The texts that are still the built-in ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeliveredTexts {
    /// Their number.
    pub unchanged: usize,
    /// The number of texts that have a built-in one.
    pub total: usize,
    /// The key of the first, in the order of the pages.
    pub first: Option<&'static str>,
}

/// The list of first steps.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FirstSteps {
    /// The steps in the order to take them; none once the list was closed.
    pub items: Vec<FirstStep>,
    /// Always null.
    pub next_cursor: Option<String>,
    /// The texts to make the label's own.
    pub texts: DeliveredTexts,
}

/// The first steps of the label.
#[utoipa::path(get, path = "/api/admin/first-steps", tag = "admin", responses(
    (status = 200, description = "The steps; none once the list was closed", body = FirstSteps),
))]
pub async fn show_first_steps(app: AppState, Admin(caller): Admin) -> AppResult<Json<FirstSteps>> {
    let (artist, release, backup, closed) = app.db.query(FIND).one::<(bool, bool, bool, bool)>().await?;
    let texts = delivered(&app.db).await?;
    let label = app.known_label.current(&app.db).await?;
    let steps = [
        ("name", label.name != LABEL_NAME),
        ("artist", artist),
        ("release", release),
        ("mail", app.mail.has_server()),
        ("backup", backup),
        ("two_factor", caller.factor_enabled),
        ("imprint", label.has_imprint),
    ];
    let steps = steps.map(|(step, done)| FirstStep { step, done });
    let items = if closed { Vec::new() } else { steps.into() };
    Ok(Json(FirstSteps { items, next_cursor: None, texts }))
}

async fn delivered(db: &Db) -> sqlx::Result<DeliveredTexts> {
    let stored: HashMap<_, _> = db.query(LIST_TEXTS).all::<(String, String)>().await?.into_iter().collect();
    let texts = rules::content::with_built_in();
    let unchanged: Vec<_> =
        texts.clone().filter(|key| is_as_delivered(key, stored.get(*key).map(String::as_str))).collect();
    Ok(DeliveredTexts { unchanged: unchanged.len(), total: texts.count(), first: unchanged.first().copied() })
}

/// Closes the list for all admins, for good.
#[utoipa::path(delete, path = "/api/admin/first-steps", tag = "admin", responses(
    (status = 204, description = "The list is closed"),
))]
pub async fn close_first_steps(editor: Editor) -> AppResult<StatusCode> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    tx.query(CLOSE).bind(by.now).execute().await?;
    by.check_and_record(&mut tx, "sensitive_update", "first_steps").await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Remembers that the whole label was backed up. A database that cannot write must not fail a backup: then it is only logged.
pub async fn note_backup(db: &Db, now: Micros) {
    let noted = async {
        let mut tx = db.begin().await?;
        tx.query(NOTE_BACKUP).bind(now).execute().await?;
        tx.commit().await
    };
    if let Err(error) = noted.await {
        tracing::warn!(cause = %error, "noting the backup");
    }
}
