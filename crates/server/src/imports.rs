//! Imports of releases from tables: previewed, written completely or not at all, and undone as one.

pub mod encoding;
pub mod known;
pub mod plan;
pub mod table;
pub mod undo;
pub mod views;
pub mod write;

use std::collections::BTreeMap;

use axum::{Json, response::Response};
use bytes::Bytes;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiQuery, PathId},
};
use deadwax_store::{
    advisory_lock,
    clock::{Micros, micros},
    db::{Db, Source, Tx},
    statements,
};
use http::HeaderMap;
use rules::import::{DateAnswers, DateOrder, FILE_MAX_BYTES, Field, ImportError, UNDO_MS, YearAlone};
use serde::de::DeserializeOwned;
use tokio::{
    sync::SemaphorePermit,
    task::{JoinError, spawn_blocking},
};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{
    app::{App, AppState},
    auth::guard::Admin,
    editing::{
        self, Editor,
        lists::{Page, ShortPageQuery},
        newest::Newest,
    },
    files::file_form::{self, Form},
    requests::idempotency::{self, ClaimedRequest, IdempotencyKey, Repeatable},
};
use known::Known;
use plan::{Choices, Plan, Prepared};
use table::TableError;
use undo::Undone;
use views::{ImportForm, ImportPreview, ImportView};
use write::NewImport;

macro_rules! select {
    () => {
        "SELECT i.id, i.file_name, i.created_at, i.undone_at, (i.undone_at IS NULL AND i.created_at > $1) AS can_be_undone, \
             (SELECT COUNT(*) FROM import_rows x WHERE x.import_id = i.id AND x.kind = 'release' AND x.before IS NULL) AS added, \
             (SELECT COUNT(*) FROM import_rows x WHERE x.import_id = i.id AND x.kind = 'release' AND x.before IS NOT NULL) \
                 AS changed, \
             (SELECT COUNT(*) FROM import_rows x WHERE x.import_id = i.id AND x.kind = 'artist') AS artists \
         FROM imports i"
    };
}

statements! {
    and known, undo, write;
    LIST = concat!(
        select!(),
        " WHERE i.created_at <= $3 AND (i.created_at < $3 OR i.id < $4) ORDER BY i.created_at DESC, i.id DESC LIMIT $2"
    );
    FIND = concat!(select!(), " WHERE i.id = $2");
    // Serialises imports and drafts on PostgreSQL: each sees the artists and numbers of the one before. SQLite has a single writer anyway.
    ALONE = "SELECT 1", postgres advisory_lock!(additions);
    PRUNE = "DELETE FROM imports WHERE created_at < $1";
}

#[derive(Debug, thiserror::Error)]
pub enum ImportFailure {
    #[error(transparent)]
    Refused(#[from] ImportError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("a release was changed in the meantime; nothing was written")]
    Stale,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Broken(#[from] JoinError),
}

impl From<ImportFailure> for AppError {
    fn from(failure: ImportFailure) -> Self {
        match failure {
            ImportFailure::Refused(error) => Self::invalid("file", error),
            ImportFailure::Table(error) => Self::invalid("file", error),
            ImportFailure::Stale => editing::stale(),
            ImportFailure::Database(cause) => cause.into(),
            ImportFailure::Broken(cause) => Self::internal(cause),
        }
    }
}

/// `/api/admin/imports`. Without a deadline: an import or its undo may write thousands of rows.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(preview_import))
        .routes(routes!(list_imports, import_releases))
        .routes(routes!(undo_import))
}

pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now - micros(rules::retention::IMPORTS_MS)).execute().await.map(drop)
}

/// Previews the import of a table. Nothing is written.
#[utoipa::path(post, path = "/api/admin/imports/preview", tag = "admin",
    request_body(content = ImportForm, content_type = "multipart/form-data"),
    responses(
    (status = 200, description = "The rows and what becomes of each", body = ImportPreview),
    (status = 422, description = "No table of texts, or the choices do not fit it"),
))]
pub async fn preview_import(editor: Editor, form: Form) -> AppResult<Json<ImportPreview>> {
    let (sent, choices, prepared) = read_form(&editor, form).await?;
    let (prepared, plan) = planned(&editor.app.db, prepared, choices.clone()).await?;
    let refusal = refusal(&prepared, &plan, &choices).map(|error| error.message().to_owned());
    Ok(Json(ImportPreview::new(sent.file_name, &prepared, plan, refusal)))
}

/// Imports a table: all rows that are to be written, or none. Sent again with the same key it is imported once.
#[utoipa::path(post, path = "/api/admin/imports", tag = "admin", params(IdempotencyKey),
    request_body(content = ImportForm, content_type = "multipart/form-data"),
    responses(
    (status = 201, description = "The import", body = ImportView),
    (status = 412, description = "One of the releases was changed in the meantime"),
    (status = 422, description = "No table of texts, or some rows cannot be written"),
))]
pub async fn import_releases(editor: Editor, headers: HeaderMap, form: Form) -> AppResult<Response> {
    let (sent, choices, prepared) = read_form(&editor, form).await?;
    let request = Repeatable::named(&headers, "/api/admin/imports", sent.content)?;
    let by = editor.act();
    let import = NewImport {
        id: Uuid::now_v7(),
        file_name: sent.file_name,
        by: Some(editor.me().user_id),
        as_drafts: choices.as_drafts,
    };
    let (mut tx, claim) = match by.begin(request.as_ref()).await? {
        ClaimedRequest::New(tx, claim) => (tx, claim),
        ClaimedRequest::Repeated(answer) => return Ok(answer),
    };
    run(&mut tx, prepared, choices, &import, by.now).await?;
    by.check_and_record(&mut tx, "sensitive_create", &format!("import:{}", import.id)).await?;
    let view = tx.query(FIND).bind(by.now - micros(UNDO_MS)).bind(import.id).one::<ImportView>().await?;
    idempotency::finish(tx, claim, &editor.app.keys, &view).await
}

/// The imports of the last 30 days, newest first.
#[utoipa::path(get, path = "/api/admin/imports", tag = "admin", params(ShortPageQuery), responses(
    (status = 200, description = "A page of imports", body = Page<ImportView>),
))]
pub async fn list_imports(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ShortPageQuery>,
) -> AppResult<Json<Page<ImportView>>> {
    let place = Newest::read(query.limit(), query.cursor.as_deref())?;
    let rows = app.db.query(LIST).bind(app.clock.now() - micros(UNDO_MS));
    Ok(Json(place.page(rows, |row: &ImportView| (row.created_at.0, row.id)).await?))
}

/// Undoes an import: deletes what it made, and restores what it changed. Rows edited since are left as they are, and listed.
#[utoipa::path(post, path = "/api/admin/imports/{id}/undo", tag = "admin", params(PathId), responses(
    (status = 200, description = "It is undone", body = Undone),
    (status = 409, description = "It is undone already, or older than a day"),
))]
pub async fn undo_import(editor: Editor, PathId(id): PathId) -> AppResult<Json<Undone>> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    // A concurrent import may have chosen an artist that is being removed.
    tx.query(ALONE).execute().await?;
    let undone = undo::undo(&mut tx, &by.app.origin, id, by.me.user_id, by.now).await?;
    by.check_and_record(&mut tx, "sensitive_delete", &format!("import:{id}")).await?;
    tx.commit().await?;
    Ok(Json(undone))
}

pub async fn prepare(bytes: Vec<u8>, choices: &Choices) -> Result<Prepared, ImportFailure> {
    let columns = choices.columns.clone();
    let work = move || Ok::<_, ImportFailure>(Prepared::new(table::read(&bytes)?, columns)?);
    spawn_blocking(work).await?
}

pub async fn run(
    tx: &mut Tx,
    prepared: Prepared,
    choices: Choices,
    import: &NewImport,
    now: Micros,
) -> Result<Plan, ImportFailure> {
    tx.query(ALONE).execute().await?;
    let (prepared, plan) = planned(&mut *tx, prepared, choices.clone()).await?;
    if let Some(error) = refusal(&prepared, &plan, &choices) {
        return Err(error.into());
    }
    write::write(tx, &plan, import, now).await.map_err(|failure| match failure {
        // A slug reserved since the plan was made, or an artist deleted since.
        ImportFailure::Database(sqlx::Error::Database(refused))
            if refused.is_unique_violation() || refused.is_foreign_key_violation() =>
        {
            ImportFailure::Stale
        }
        other => other,
    })?;
    Ok(plan)
}

pub fn refusal(prepared: &Prepared, plan: &Plan, choices: &Choices) -> Option<ImportError> {
    if prepared.has_titles() { plan.refusal(choices) } else { Some(ImportError::NoTitle) }
}

/// Reads the catalogue and plans, computing on a thread apart from requests.
pub async fn planned(
    source: impl Into<Source<'_>>,
    prepared: Prepared,
    choices: Choices,
) -> Result<(Prepared, Plan), ImportFailure> {
    let known = Known::read(source.into(), &prepared.ids()).await?;
    let work = move || {
        let plan = prepared.plan(&choices, &known);
        (prepared, plan)
    };
    Ok(spawn_blocking(work).await?)
}

/// A file to import, and the choices beside it.
pub(crate) struct SentTable<'a> {
    pub bytes: Vec<u8>,
    pub file_name: String,
    pub texts: BTreeMap<String, String>,
    /// For the same request sent again.
    pub content: Bytes,
    _one: SemaphorePermit<'a>,
}

/// Waits for the turn to work on an import.
pub async fn take_turn(app: &App) -> AppResult<SemaphorePermit<'_>> {
    app.imports.acquire().await.map_err(AppError::internal)
}

pub(crate) async fn read_table(editor: &Editor, form: Form) -> AppResult<SentTable<'_>> {
    let permit = file_form::permit(&editor.app.forms, editor.me().user_id, editor.caller.address).await?;
    let sent = file_form::read(&editor.app.spool, form, FILE_MAX_BYTES, permit).await?;
    let content = sent.code(&editor.app.keys);
    let file_form::Sent { file, texts } = sent;
    if file.size_bytes == 0 {
        return Err(AppError::invalid("file", ImportError::Empty));
    }
    let spooled = file.spooled.ok_or_else(|| AppError::too_large(ImportError::FileTooLarge))?;
    let turn = take_turn(&editor.app).await?;
    let bytes = tokio::fs::read(spooled.path()).await.map_err(AppError::storage_error)?;
    let file_name = rules::upload::kept_name(&rules::upload::name_or_file(&file.name, ""));
    Ok(SentTable { bytes, file_name, texts, content, _one: turn })
}

async fn read_form(editor: &Editor, form: Form) -> AppResult<(SentTable<'_>, Choices, Prepared)> {
    let mut sent = read_table(editor, form).await?;
    let choices = choices(&sent.texts)?;
    let prepared = prepare(std::mem::take(&mut sent.bytes), &choices).await?;
    Ok((sent, choices, prepared))
}

fn choices(texts: &BTreeMap<String, String>) -> AppResult<Choices> {
    let quoted = |text: &str| format!("\"{text}\"");
    Ok(Choices {
        columns: chosen::<Vec<Option<Field>>>(texts, "columns", str::to_owned)?,
        dates: DateAnswers {
            year_alone: chosen::<YearAlone>(texts, "year_alone", quoted)?,
            date_order: chosen::<DateOrder>(texts, "date_order", quoted)?,
        },
        as_drafts: chosen(texts, "as_drafts", str::to_owned)?.unwrap_or(false),
        leave_out_refused: chosen(texts, "leave_out_refused", str::to_owned)?.unwrap_or(false),
    })
}

pub(crate) fn chosen<T: DeserializeOwned>(
    texts: &BTreeMap<String, String>,
    field: &'static str,
    json: fn(&str) -> String,
) -> AppResult<Option<T>> {
    let Some(text) = texts.get(field).filter(|text| !text.is_empty()) else { return Ok(None) };
    let value = serde_json::from_str(&json(text));
    value.map(Some).map_err(|_| AppError::invalid(field, ImportError::Columns))
}
