//! Imports of releases from tables: looked at first, written all or not at all, and undone as one.

pub mod encoding;
mod history;
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
    clock::{Micros, micros, rfc3339},
    db::{Db, Statement, Tx},
    statements,
};
use http::HeaderMap;
use rules::import::{DateAnswers, DateOrder, FILE_MAX_BYTES, Field, ImportError, UNDO_MS, YearAlone};
use serde::de::DeserializeOwned;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    task::{JoinError, spawn_blocking},
};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{
    app::AppState,
    auth::guard::{Admin, SignedIn},
    caller::Caller,
    edits::{self, SearchQuery},
    file_form::{self, Form},
    idempotency::{self, BegunRequest, IdempotencyKey, Repeatable},
};
use known::{Known, Source};
use plan::{Choices, Plan, Prepared};
use table::TableError;
use undo::Undone;
use views::{ImportForm, ImportPreview, ImportView, Imports, ImportsQuery};
use write::NewImport;

/// Imports of a page, where the caller does not say.
const PAGE: i64 = 20;

/// A table and its plan take some tens of megabytes: one is looked at after the other.
static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);

macro_rules! select {
    () => {
        "SELECT i.id, i.file_name, i.created_at, i.undone_at, \
             (SELECT COUNT(*) FROM import_rows x WHERE x.import_id = i.id AND x.kind = 'release' AND x.before IS NULL) AS added, \
             (SELECT COUNT(*) FROM import_rows x WHERE x.import_id = i.id AND x.kind = 'release' AND x.before IS NOT NULL) \
                 AS changed, \
             (SELECT COUNT(*) FROM import_rows x WHERE x.import_id = i.id AND x.kind = 'artist') AS artists \
         FROM imports i"
    };
}

statements! {
    LIST = concat!(
        select!(),
        " WHERE i.created_at <= $2 AND (i.created_at < $2 OR i.id < $3) ORDER BY i.created_at DESC, i.id DESC LIMIT $1"
    );
    FIND = concat!(select!(), " WHERE i.id = $1");
    // Of imports and drafts, who comes second sees what the first has written, its artists and numbers. SQLite has one writer anyway.
    ALONE = "SELECT 1", postgres advisory_lock!(additions);
    PRUNE = "DELETE FROM imports WHERE created_at < $1";
}

#[derive(sqlx::FromRow)]
struct ImportRow {
    id: Uuid,
    file_name: String,
    created_at: Micros,
    undone_at: Option<Micros>,
    added: i64,
    changed: i64,
    artists: i64,
}

impl ImportRow {
    fn into_view(self, now: Micros) -> ImportView {
        ImportView {
            id: self.id,
            file_name: self.file_name,
            created_at: rfc3339(self.created_at),
            added: self.added,
            changed: self.changed,
            artists: self.artists,
            undone_at: self.undone_at.map(rfc3339),
            can_be_undone: self.undone_at.is_none() && self.created_at > now - micros(UNDO_MS),
        }
    }
}

/// Why nothing is planned, or nothing written.
#[derive(Debug, thiserror::Error)]
pub enum ImportFailure {
    /// The table, or a row of it, breaks a rule.
    #[error(transparent)]
    Refused(#[from] ImportError),
    /// The table is none.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Somebody was faster.
    #[error("a release was changed meanwhile; nothing was written")]
    Stale,
    /// The database did not do it.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// The work ended before its end.
    #[error(transparent)]
    Broken(#[from] JoinError),
}

impl From<ImportFailure> for AppError {
    fn from(failure: ImportFailure) -> Self {
        match failure {
            ImportFailure::Refused(error) => Self::invalid("file", error),
            ImportFailure::Table(error) => Self::invalid("file", error),
            ImportFailure::Stale => edits::stale(),
            ImportFailure::Database(cause) => cause.into(),
            ImportFailure::Broken(cause) => Self::internal(cause),
        }
    }
}

/// `/api/admin/imports`. What is written, and what is undone, may come to thousands of rows: no answer has a deadline.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(preview_import))
        .routes(routes!(list_imports, import_releases))
        .routes(routes!(undo_import))
}

/// Every SQL text of the imports.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [STATEMENTS, known::STATEMENTS, undo::STATEMENTS, write::STATEMENTS].concat()
}

/// Forgets imports that are long past undoing.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now - micros(rules::retention::IMPORTS_MS)).execute().await.map(drop)
}

/// What a table would come to. Nothing is written.
#[utoipa::path(post, path = "/api/admin/imports/preview", tag = "admin",
    request_body(content = ImportForm, content_type = "multipart/form-data"),
    responses(
    (status = 200, description = "The rows and what becomes of each", body = ImportPreview),
    (status = 413, description = "The file is too large"),
    (status = 415, description = "Not a form with a file"),
    (status = 422, description = "No table of texts, or the choices do not fit it"),
    (status = 429, description = "Too many uploads at once"),
    (status = 503, description = "Not right now"),
))]
pub async fn preview_import(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    form: Form,
) -> AppResult<Json<ImportPreview>> {
    let Sent { prepared, file_name, choices, _one, .. } = read_form(&app, &me, &caller, form).await?;
    let (prepared, plan) = look(&app.db, prepared, choices.clone()).await?;
    let refusal = refusal(&prepared, &plan, &choices).map(|error| error.message().to_owned());
    Ok(Json(ImportPreview::new(file_name, &prepared, &plan, refusal)))
}

/// Imports a table: all rows that are to be written, or none. Sent again with the same key it is imported once.
#[utoipa::path(post, path = "/api/admin/imports", tag = "admin", params(IdempotencyKey),
    request_body(content = ImportForm, content_type = "multipart/form-data"),
    responses(
    (status = 201, description = "The import", body = ImportView),
    (status = 412, description = "Somebody else has changed one of the releases meanwhile"),
    (status = 413, description = "The file is too large"),
    (status = 415, description = "Not a form with a file"),
    (status = 422, description = "No table of texts, or some rows cannot be written"),
    (status = 429, description = "Too many uploads at once"),
    (status = 503, description = "Not right now"),
))]
pub async fn import_releases(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    headers: HeaderMap,
    form: Form,
) -> AppResult<Response> {
    let Sent { prepared, content, file_name, choices, _one } = read_form(&app, &me, &caller, form).await?;
    let request = Repeatable::named(&headers, "/api/admin/imports", content)?;
    let now = app.clock.now();
    let import =
        NewImport { id: Uuid::now_v7(), file_name, by: Some(me.user_id), as_drafts: choices.as_drafts };
    let sender = me.session_id.to_string();
    let (mut tx, claim) = match idempotency::begin(&app.db, &app.keys, request.as_ref(), &sender, now).await?
    {
        BegunRequest::New(tx, claim) => (tx, claim),
        BegunRequest::Repeated(answer) => return Ok(answer),
    };
    run(&mut tx, prepared, choices, &import, now).await?;
    edits::note(&mut tx, &me, &caller, "data_create", &format!("import:{}", import.id), now).await?;
    let view = tx.query(FIND).bind(import.id).one::<ImportRow>().await?.into_view(now);
    idempotency::finish(tx, claim, &app.keys, &view).await
}

/// The imports of the last 30 days, newest first.
#[utoipa::path(get, path = "/api/admin/imports", tag = "admin", params(ImportsQuery), responses(
    (status = 200, description = "A page of imports", body = Imports),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_imports(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ImportsQuery>,
) -> AppResult<Json<Imports>> {
    let limit = query.limit.or(Some(PAGE));
    let search = SearchQuery { limit, cursor: query.cursor, q: None }.read()?;
    let page = app.db.query(LIST).bind(search.rows()).bind(search.before).bind(search.before_id);
    let mut rows = page.all::<ImportRow>().await?;
    let next_cursor = search.cut(&mut rows, |row| (row.created_at, row.id));
    let now = app.clock.now();
    Ok(Json(Imports { items: rows.into_iter().map(|row| row.into_view(now)).collect(), next_cursor }))
}

/// Undoes an import: what it made goes, what it changed is as it was. What was edited since is left, and named.
#[utoipa::path(post, path = "/api/admin/imports/{id}/undo", tag = "admin", params(("id" = Uuid, Path, description = "The import's id")), responses(
    (status = 200, description = "It is undone", body = Undone),
    (status = 404, description = "There is no such import"),
    (status = 409, description = "It is undone already, or older than a day"),
))]
pub async fn undo_import(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<Json<Undone>> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    // An import that is written meanwhile may have chosen an artist that goes.
    tx.query(ALONE).execute().await?;
    let undone = undo::undo(&mut tx, &app.origin, id, me.user_id, now).await?;
    edits::note(&mut tx, &me, &caller, "data_delete", &format!("import:{id}"), now).await?;
    tx.commit().await?;
    Ok(Json(undone))
}

/// Settles which column of a table is which field.
pub async fn prepare(bytes: Vec<u8>, choices: &Choices) -> Result<Prepared, ImportFailure> {
    let columns = choices.columns.clone();
    let work = move || Ok::<_, ImportFailure>(Prepared::new(table::read(&bytes)?, columns)?);
    spawn_blocking(work).await?
}

/// Plans an import, and writes nothing.
pub async fn look(db: &Db, prepared: Prepared, choices: Choices) -> Result<(Prepared, Plan), ImportFailure> {
    planned(Source::Db(db), prepared, choices).await
}

/// Plans an import and writes it.
pub async fn run(
    tx: &mut Tx,
    prepared: Prepared,
    choices: Choices,
    import: &NewImport,
    now: Micros,
) -> Result<Plan, ImportFailure> {
    tx.query(ALONE).execute().await?;
    let (prepared, plan) = planned(Source::Tx(tx), prepared, choices.clone()).await?;
    if let Some(error) = refusal(&prepared, &plan, &choices) {
        return Err(error.into());
    }
    write::write(tx, &plan, import, now).await.map_err(|failure| match failure {
        // An address that a save reserved after the plan was made, or an artist who has gone for good.
        ImportFailure::Database(sqlx::Error::Database(refused))
            if refused.is_unique_violation() || refused.is_foreign_key_violation() =>
        {
            ImportFailure::Stale
        }
        other => other,
    })?;
    Ok(plan)
}

/// Why a plan must not be carried out; none where it may be.
pub fn refusal(prepared: &Prepared, plan: &Plan, choices: &Choices) -> Option<ImportError> {
    if prepared.has_titles() { plan.refusal(choices) } else { Some(ImportError::NoTitle) }
}

/// Asks what has to be known of the catalogue, and plans; what computes does so beside the requests of others.
async fn planned(
    source: Source<'_>,
    prepared: Prepared,
    choices: Choices,
) -> Result<(Prepared, Plan), ImportFailure> {
    let known = Known::read(source, &prepared.ids()).await?;
    let work = move || {
        let plan = prepared.plan(&choices, &known);
        (prepared, plan)
    };
    Ok(spawn_blocking(work).await?)
}

/// A form with a table.
struct Sent {
    prepared: Prepared,
    /// A code of the file and of all that was chosen.
    content: Bytes,
    file_name: String,
    choices: Choices,
    _one: SemaphorePermit<'static>,
}

async fn read_form(app: &AppState, me: &SignedIn, caller: &Caller, form: Form) -> AppResult<Sent> {
    let permit = file_form::permit(&app.forms, me.user_id, caller.address).await?;
    let sent = file_form::read(&app.spool, form, FILE_MAX_BYTES, permit).await?;
    let choices = choices(&sent.texts)?;
    let content = sent.code(&app.keys);
    let file = sent.file;
    if file.size_bytes == 0 {
        return Err(AppError::invalid("file", ImportError::Empty));
    }
    let spooled = file.spooled.ok_or_else(|| AppError::too_large(ImportError::FileTooLarge))?;
    let one = ONE_AT_A_TIME.acquire().await.map_err(AppError::internal)?;
    let bytes = tokio::fs::read(spooled.path()).await.map_err(AppError::storage_error)?;
    let prepared = prepare(bytes, &choices).await?;
    Ok(Sent {
        prepared,
        content,
        file_name: rules::upload::kept_name(&rules::upload::name_or_file(&file.name, "")),
        choices,
        _one: one,
    })
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

/// A field of the form; none where it is absent or empty.
fn chosen<T: DeserializeOwned>(
    texts: &BTreeMap<String, String>,
    field: &'static str,
    json: fn(&str) -> String,
) -> AppResult<Option<T>> {
    let Some(text) = texts.get(field).filter(|text| !text.is_empty()) else { return Ok(None) };
    let value = serde_json::from_str(&json(text));
    value.map(Some).map_err(|_| AppError::invalid(field, ImportError::Columns))
}
