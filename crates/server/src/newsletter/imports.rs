//! Imports of subscribers: checked without writing anything, written, and undone for a day.

pub mod judge;
pub mod lists;
pub mod undo;
pub mod views;
pub mod write;
pub mod zip;

use axum::{Json, response::Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiQuery, PathId},
};
use deadwax_store::{
    clock::{Micros, micros},
    db::Db,
    statements,
};
use http::HeaderMap;
use rules::{
    import::UNDO_MS,
    subscriber_import::{SubscriberField, SubscriberImportError, SubscriberVerdict},
};
use tokio::task::spawn_blocking;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use super::suppressions;
use crate::{
    app::AppState,
    auth::guard::{Actor, Admin},
    editing::{
        Editor,
        lists::{Page, ShortPageQuery},
        newest::Newest,
    },
    files::file_form::Form,
    imports::{self, SentTable},
    requests::idempotency::{self, ClaimedRequest, IdempotencyKey, Repeatable},
};
use lists::Lists;
use undo::UndoneSubscribers;
use views::{SubscriberImport, SubscriberImportCheck, SubscriberImportForm};
use write::Import;

macro_rules! select {
    () => {
        "SELECT id, file_name, created_at, confirmed, unconfirmed, ended, suppressed, finished_at, undone_at, \
             (undone_at IS NULL AND created_at > $1) AS can_be_undone FROM subscriber_imports"
    };
}

statements! {
    and judge, undo, write;
    LIST = concat!(
        select!(),
        " WHERE created_at <= $3 AND (created_at < $3 OR id < $4) ORDER BY created_at DESC, id DESC LIMIT $2"
    );
    FIND = concat!(select!(), " WHERE id = $2");
    BEGIN = "INSERT INTO subscriber_imports (id, file_name, created_at, created_by) VALUES ($1, $2, $3, $4)";
    FINISH = "UPDATE subscriber_imports SET finished_at = $2 WHERE id = $1";
    PRUNE = "DELETE FROM subscriber_imports WHERE created_at < $1";
}

const PATH: &str = "/api/admin/newsletter/imports";

/// Without a deadline: a long list takes seconds.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(check_subscribers))
        .routes(routes!(list_subscriber_imports, import_subscribers))
        .routes(routes!(undo_subscribers))
}

pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now - micros(rules::retention::IMPORTS_MS)).execute().await.map(drop)
}

/// Says what an import of subscribers would do with each row. Nothing is written.
#[utoipa::path(post, path = "/api/admin/newsletter/imports/check", tag = "admin",
    request_body(content = SubscriberImportForm, content_type = "multipart/form-data"),
    responses(
    (status = 200, description = "The rows and what becomes of each", body = SubscriberImportCheck),
    (status = 413, description = "The file is too large"),
    (status = 422, description = "No list of subscribers, or the columns do not fit it"),
))]
pub async fn check_subscribers(editor: Editor, form: Form) -> AppResult<Json<SubscriberImportCheck>> {
    let (sent, lists) = read_form(&editor, form).await?;
    let db = &editor.app.db;
    let key = suppressions::find_key(db).await?;
    let verdicts = judge::all_verdicts(db, key.as_ref(), &lists).await?;
    let refusal = refusal(&lists, &verdicts).map(|error| error.message().to_owned());
    Ok(Json(SubscriberImportCheck::new(sent.file_name, lists, &verdicts, refusal)))
}

/// Imports subscribers: rows that the rules refuse are left out. Sent again with the same key it is imported once.
#[utoipa::path(post, path = "/api/admin/newsletter/imports", tag = "admin", params(IdempotencyKey),
    request_body(content = SubscriberImportForm, content_type = "multipart/form-data"),
    responses(
    (status = 201, description = "The import", body = SubscriberImport),
    (status = 409, description = "It was undone while it ran"),
    (status = 413, description = "The file is too large"),
    (status = 422, description = "No list of subscribers, or nothing in it would change the list"),
))]
pub async fn import_subscribers(editor: Editor, headers: HeaderMap, form: Form) -> AppResult<Response> {
    let (sent, lists) = read_form(&editor, form).await?;
    let request = Repeatable::named(&headers, PATH, sent.content)?;
    let by = editor.act();
    let Actor { app, now, .. } = by;
    // Judged outside of a transaction, which would make other writes wait.
    if let ClaimedRequest::Repeated(answer) = by.begin(request.as_ref()).await? {
        return Ok(answer);
    }
    let key = suppressions::find_key(&app.db).await?;
    let verdicts = judge::all_verdicts(&app.db, key.as_ref(), &lists).await?;
    if let Some(error) = refusal(&lists, &verdicts) {
        return Err(AppError::invalid("file", error));
    }
    let mut tx = app.db.begin().await?;
    let key = suppressions::key(&mut tx, now).await?;
    let id = Uuid::now_v7();
    tx.query(BEGIN).bind(id).bind(&sent.file_name).bind(now).bind(by.me.user_id).execute().await?;
    let target = format!("newsletter_import:{id}");
    by.check_and_record(&mut tx, "sensitive_create", &target).await?;
    tx.commit().await?;
    write::write(&editor, &lists, Import { id, at: now, key: &key }).await?;

    let (mut tx, claim) = match by.begin(request.as_ref()).await? {
        ClaimedRequest::New(tx, claim) => (tx, claim),
        ClaimedRequest::Repeated(answer) => return Ok(answer),
    };
    tx.query(FINISH).bind(id).bind(app.clock.now()).execute().await?;
    let view = tx.query(FIND).bind(now - micros(UNDO_MS)).bind(id).one::<SubscriberImport>().await?;
    by.check_and_record(&mut tx, "sensitive_update", &format!("{target} {}", view.numbers())).await?;
    idempotency::finish(tx, claim, &app.keys, &view).await
}

/// The imports of subscribers of the last 30 days, newest first.
#[utoipa::path(get, path = "/api/admin/newsletter/imports", tag = "admin", params(ShortPageQuery), responses(
    (status = 200, description = "A page of imports", body = Page<SubscriberImport>),
))]
pub async fn list_subscriber_imports(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ShortPageQuery>,
) -> AppResult<Json<Page<SubscriberImport>>> {
    let place = Newest::read(query.limit(), query.cursor.as_deref())?;
    let rows = app.db.query(LIST).bind(app.clock.now() - micros(UNDO_MS));
    Ok(Json(place.page(rows, |row: &SubscriberImport| (row.created_at.0, row.id)).await?))
}

/// Undoes an import of subscribers: deletes what it added and restores what it ended, except where the person has acted since.
#[utoipa::path(post, path = "/api/admin/newsletter/imports/{id}/undo", tag = "admin", params(PathId), responses(
    (status = 200, description = "It is undone", body = UndoneSubscribers),
    (status = 409, description = "It is undone already or older than a day, or a newer one is not undone"),
))]
pub async fn undo_subscribers(editor: Editor, PathId(id): PathId) -> AppResult<Json<UndoneSubscribers>> {
    let by = editor.act();
    let _one = imports::take_turn(by.app).await?;
    let (mut tx, undone) = undo::undo(by, id).await?;
    let target = format!("newsletter_import:{id} {} deleted, {} restored", undone.deleted, undone.restored);
    by.check_and_record(&mut tx, "sensitive_update", &target).await?;
    tx.commit().await?;
    Ok(Json(undone))
}

fn refusal(lists: &Lists, verdicts: &[SubscriberVerdict]) -> Option<SubscriberImportError> {
    if !lists.has_addresses() {
        Some(SubscriberImportError::NoEmail)
    } else if !verdicts.iter().any(|verdict| verdict.writes()) {
        Some(SubscriberImportError::Nothing)
    } else {
        None
    }
}

async fn read_form(editor: &Editor, form: Form) -> AppResult<(SentTable<'_>, Lists)> {
    let mut sent = imports::read_table(editor, form).await?;
    let columns = imports::chosen::<Vec<Option<SubscriberField>>>(&sent.texts, "columns", str::to_owned)?;
    let (name, bytes) = (sent.file_name.clone(), std::mem::take(&mut sent.bytes));
    let now = editor.app.clock.now();
    let work = move || Lists::read(&name, &bytes, columns, now);
    let read = spawn_blocking(work).await.map_err(AppError::internal)?;
    let lists = read.map_err(|refusal| AppError::invalid("file", refusal))?;
    Ok((sent, lists))
}
