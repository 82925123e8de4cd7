//! The card of the Security tab: whether the backups hold, their runs and their settings.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    backup_runs::{self, Kind, Run, Settings},
    columns::Timestamp,
    limits,
};
use http::StatusCode;
use rules::backups::{BackupError, check_backup_settings};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    bring_forward,
    facts::{BackupPlaceView, Known},
    verdict::verdict,
};
use crate::{
    app::AppState,
    auth::guard::Admin,
    checklist::Status,
    content::time_zone,
    editing::{self, Editor, IfMatch},
};

/// The newest runs that are shown.
const RUNS: i64 = 20;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_backups))
        .routes(routes!(set_backups))
        .routes(routes!(run_backup))
        .routes(routes!(run_proof))
}

/// The state of the backups.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct BackupsView {
    /// `info` before the first backup.
    pub status: Status,
    /// The reasons, the gravest first.
    pub sentences: Vec<String>,
    /// The name of the label's time zone, by which backups begin: times in `sentences` are in it.
    pub time_zone: String,
    /// The instant of the newest backup: its rows are of then.
    pub last_backup_at: Option<Timestamp>,
    /// When a backup was last restored and compared.
    pub last_proof_at: Option<Timestamp>,
    /// The instant of that backup.
    pub last_proof_of: Option<Timestamp>,
    /// When files were last read back too.
    pub files_read_at: Option<Timestamp>,
    /// When the next backup begins; null while one is under way.
    pub next_backup_at: Option<Timestamp>,
    /// When files are read back next; null while they are.
    pub next_proof_at: Option<Timestamp>,
    /// The run under way.
    pub running: Option<BackupUnderWay>,
    /// Whether a run is due and begins in a moment.
    pub is_waiting: bool,
    /// Where backups are kept; null while `BACKUP_URL` is not set.
    pub place: Option<BackupPlaceView>,
    /// How often, and how many are kept.
    pub settings: Settings,
    /// The newest runs that ended, the latest first.
    #[schema(max_items = 20)]
    pub runs: Vec<Run>,
}

/// A run under way.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct BackupUnderWay {
    /// `backup` or `proof`.
    #[schema(value_type = String)]
    pub kind: Kind,
    /// When it began.
    pub since: Option<Timestamp>,
}

/// New settings.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BackupSettingsBody {
    /// 1, 6 or 24.
    interval_hours: i64,
    /// 1 to 31.
    keep_days: i64,
    /// 0 to 12.
    keep_weeks: i64,
    /// 0 to 60.
    keep_months: i64,
}

/// The state of the backups.
#[utoipa::path(get, path = "/api/admin/backups", tag = "admin", responses(
    (status = 200, description = "The state, the newest runs and the settings", body = BackupsView),
))]
pub async fn show_backups(app: AppState, _: Admin) -> AppResult<Json<BackupsView>> {
    view(&app).await.map(Json)
}

/// Changes how often backups are made, and how many are kept.
#[utoipa::path(put, path = "/api/admin/backups/settings", tag = "admin", request_body = BackupSettingsBody, params(IfMatch), responses(
    (status = 200, description = "The state with the new settings", body = BackupsView),
))]
pub async fn set_backups(
    editor: Editor,
    IfMatch(seen): IfMatch,
    ApiJson(body): ApiJson<BackupSettingsBody>,
) -> AppResult<Json<BackupsView>> {
    let by = editor.act();
    check_backup_settings(body.interval_hours, body.keep_days, body.keep_weeks, body.keep_months)
        .map_err(AppError::validation)?;
    let mut tx = by.app.db.begin().await?;
    limits::hold_in(&mut tx, "backup-settings", by.now).await?;
    let before = backup_runs::settings(&mut tx).await?;
    if before.version != seen {
        return Err(editing::stale());
    }
    let after = Settings {
        interval_hours: body.interval_hours,
        keep_days: body.keep_days,
        keep_weeks: body.keep_weeks,
        keep_months: body.keep_months,
        ..before
    };
    if after != before {
        backup_runs::save_settings(&mut tx, after, by.now).await?;
        by.check_and_record(&mut tx, "sensitive_update", "backup_settings").await?;
        tx.commit().await?;
        bring_forward(&by.app.db, by.now).await?;
    }
    view(by.app).await.map(Json)
}

/// Begins a backup.
#[utoipa::path(post, path = "/api/admin/backups/run", tag = "admin", responses(
    (status = 202, description = "It begins in a moment, or is under way", body = BackupsView),
    (status = 409, description = "No place for backups is set"),
))]
pub async fn run_backup(editor: Editor) -> AppResult<(StatusCode, Json<BackupsView>)> {
    ask(&editor, Kind::Backup).await
}

/// Begins a proof that also reads files back.
#[utoipa::path(post, path = "/api/admin/backups/proof", tag = "admin", responses(
    (status = 202, description = "It begins in a moment, or is under way", body = BackupsView),
    (status = 409, description = "No place for backups is set"),
))]
pub async fn run_proof(editor: Editor) -> AppResult<(StatusCode, Json<BackupsView>)> {
    ask(&editor, Kind::Proof).await
}

async fn ask(editor: &Editor, kind: Kind) -> AppResult<(StatusCode, Json<BackupsView>)> {
    let by = editor.act();
    if by.app.backup_place.is_none() {
        return Err(AppError::from_code(StatusCode::CONFLICT, BackupError::NoPlace));
    }
    let mut tx = by.app.db.begin().await?;
    if backup_runs::ask(&mut tx, kind, by.now, by.now).await? {
        let event = match kind {
            Kind::Backup => "backup_now",
            Kind::Proof => "backup_proof_now",
        };
        by.check_and_record(&mut tx, event, "backups").await?;
        tx.commit().await?;
    }
    Ok((StatusCode::ACCEPTED, Json(view(by.app).await?)))
}

async fn view(app: &AppState) -> AppResult<BackupsView> {
    let known = Known::read(&app.db, app.backup_place.as_ref()).await?;
    let now = app.clock.now();
    let verdict = verdict(&known, now);
    let (proven, written) = (known.proven.as_ref(), known.written.as_ref());
    let next = [Kind::Backup, Kind::Proof].map(|kind| known.next_at(kind, now));
    let [next_backup, next_proof] = next;
    Ok(BackupsView {
        status: verdict.status,
        sentences: verdict.sentences,
        time_zone: time_zone::name(&known.zone).to_owned(),
        last_backup_at: written.and_then(|run| run.backup_at),
        last_proof_at: proven.and_then(|run| run.proven_at),
        last_proof_of: proven.and_then(|run| run.backup_at),
        files_read_at: known.read.as_ref().and_then(|run| run.proven_at),
        next_backup_at: next_backup.map(Timestamp),
        next_proof_at: next_proof.map(Timestamp),
        running: known.running(now).map(|run| BackupUnderWay { kind: run.kind, since: run.began_at }),
        is_waiting: next.iter().flatten().any(|due| *due <= now),
        place: known.place,
        settings: known.settings,
        runs: backup_runs::recent(&app.db, RUNS).await?,
    })
}
