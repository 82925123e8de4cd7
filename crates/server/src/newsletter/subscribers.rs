//! Subscribers for admins: the list, the active addresses as a file, and removal on request.

use axum::{Json, body::Body, response::Response};
use bytes::Bytes;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiQuery, PathId},
};
use deadwax_store::{
    Failure,
    clock::{Micros, rfc3339},
    columns::Timestamp,
    db::{Db, Tx},
    ids::SubscriptionId,
    names, statements,
};
use http::{HeaderValue, StatusCode};
use rules::email::Email;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{confirmations, suppressions};
use crate::{
    app::AppState,
    audit,
    auth::guard::{Actor, Admin},
    editing::Editor,
    editing::lists::{ListPage, ListQuery, orders},
    exports::{attachment, batches},
};

macro_rules! select {
    ($more:expr) => {
        concat!(
            "SELECT n.id, n.email, n.active, n.inactive_reason, n.consent, n.subscribed_at",
            $more,
            " FROM newsletter_subscriptions n"
        )
    };
}

names! {
    /// Whether a subscription is active.
    SubscriberState;
    /// Is to get the newsletter.
    Active = "active";
    /// Is not to get it.
    Inactive = "inactive";
    /// Active, and the person pressed the link in a confirmation mail.
    Confirmed = "confirmed";
    /// Active, and an admin says that the person agreed, or the form while confirming was turned off.
    Vouched = "vouched";
    /// Active, without consent.
    Unconfirmed = "unconfirmed";
    /// Inactive: the person left.
    Left = "left";
    /// Inactive: letters came back.
    Bounced = "bounced";
    /// Inactive: the person complained.
    Complained = "complained";
}

orders! {
    /// The orders of the list of subscriptions.
    SubscriberOrder: select select,
        // Addresses are stored in lower case.
        found "n.email LIKE $1 ESCAPE '\\' AND ($2 = '' OR ($2 = 'active' AND n.active) OR ($2 = 'inactive' AND NOT n.active) \
            OR ($2 = n.consent AND n.active) OR ($2 = n.inactive_reason AND NOT n.active))",
        count "SELECT COUNT(*) FROM newsletter_subscriptions n", id "n.id", binds [search.lower, state] then "$3" "$4" "$5";
    /// The newest subscription first.
    newest Newest = "-subscribed", number "n.subscribed_at" down;
    /// The oldest subscription first.
    oldest Oldest = "subscribed", number "n.subscribed_at" up;
    /// By address.
    by_email ByEmail = "email", text "n.email" up;
    /// By address, from the end of the alphabet.
    by_email_back ByEmailBack = "-email", text "n.email" down;
}

statements! {
    and orders;
    COUNT_ACTIVE = "SELECT COUNT(*) FROM newsletter_subscriptions WHERE active";
    DELETE = "DELETE FROM newsletter_subscriptions WHERE id = $1 RETURNING email";
    BY_ADDRESS = "SELECT id FROM newsletter_subscriptions WHERE email = $1";
    ACTIVE_AFTER = "SELECT email FROM newsletter_subscriptions WHERE active AND email > $2 ORDER BY email LIMIT $1";
}

const BATCH: i64 = 1000;

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct Subscriber {
    pub id: SubscriptionId,
    pub email: String,
    /// Whether it gets the newsletter.
    pub active: bool,
    /// Reason of an inactive one: `left`, `bounced` or `complained`; null if active or unknown.
    pub inactive_reason: Option<String>,
    /// `unconfirmed`, `confirmed` or `vouched`. Letters go only to active addresses that are not unconfirmed.
    pub consent: String,
    /// When it last subscribed.
    pub subscribed_at: Timestamp,
}

/// One page of the list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Subscribers {
    /// In the requested order.
    pub items: Vec<Subscriber>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
    /// How many there are on all pages.
    pub total: i64,
    /// How many are active, whatever the search.
    pub active_count: i64,
}

/// The subscriptions, newest first unless another order is requested.
#[utoipa::path(get, path = "/api/admin/newsletter", tag = "admin", params(ListQuery<SubscriberOrder, SubscriberState>), responses(
    (status = 200, description = "A page of subscriptions", body = Subscribers),
))]
pub async fn list_subscribers(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ListQuery<SubscriberOrder, SubscriberState>>,
) -> AppResult<Json<Subscribers>> {
    let ListPage { items, next_cursor, total } = query.page(&app.db).await?;
    let active_count = app.db.query(COUNT_ACTIVE).value::<i64>().await?;
    Ok(Json(Subscribers { items, next_cursor, total, active_count }))
}

/// The active addresses as a text file, one to a line, alphabetical. Noted in the audit log with their number.
#[utoipa::path(get, path = "/api/admin/newsletter/export", tag = "admin", responses(
    (status = 200, description = "The addresses", content_type = "text/plain", body = String),
))]
pub async fn export_subscribers(editor: Editor) -> AppResult<Response> {
    let Actor { app, now, .. } = editor.act();
    let count = app.db.query(COUNT_ACTIVE).value::<i64>().await?;
    let mut tx = app.db.begin().await?;
    editor.act().check_and_record(&mut tx, "sensitive_read", &format!("newsletter:{count}")).await?;
    tx.commit().await?;

    let name = format!("newsletter-emails-{}.txt", &rfc3339(now)[..10]);
    let lines = batches(app.db.clone(), String::new(), |db, after| async move { batch(&db, &after).await });
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    attachment(&name, plain, Body::from_stream(lines))
}

/// Removes a subscriber: the address is erased, and suppressed. The audit log names only the row.
#[utoipa::path(delete, path = "/api/admin/newsletter/{id}", tag = "admin", params(PathId), responses(
    (status = 204, description = "Removed"),
))]
pub async fn remove_subscriber(editor: Editor, PathId(id): PathId<SubscriptionId>) -> AppResult<StatusCode> {
    let by = editor.act();
    let forgetting = by.app.mail.forgetting().await;
    let mut tx = by.app.db.begin().await?;
    let letters = erase(&mut tx, id, by.now).await?.ok_or_else(AppError::not_found)?;
    by.check_and_record(&mut tx, "sensitive_delete", &format!("newsletter:{id}")).await?;
    forgetting.remove_captured(&letters).await.map_err(AppError::storage_error)?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a subscription and its mails, and suppresses the address. Returns the mails; none if it is gone.
async fn erase(tx: &mut Tx, id: SubscriptionId, now: Micros) -> Result<Option<Vec<Uuid>>, Failure> {
    let letters = confirmations::forget_letters(tx, id).await?;
    let Some(email) = tx.query(DELETE).bind(id).maybe::<String>().await? else { return Ok(None) };
    suppressions::code_of(tx, &email, now).await?.add(tx, "erased", now).await?;
    Ok(Some(letters))
}

/// Erases an address, as [`remove_subscriber`] does, for the command line. None if it has not subscribed; else the mails about it,
/// whose captured files are to be removed.
pub async fn remove_address(db: &Db, now: Micros, email: &Email) -> Result<Option<Vec<Uuid>>, Failure> {
    let mut tx = db.begin().await?;
    let Some(id) = tx.query(BY_ADDRESS).bind(email.as_str()).maybe().await? else { return Ok(None) };
    let Some(letters) = erase(&mut tx, id, now).await? else { return Ok(None) };
    audit::record_system(&mut tx, now, "sensitive_delete", Some(&format!("newsletter:{id}")), "ok").await?;
    tx.commit().await?;
    Ok(Some(letters))
}

/// The next addresses as lines, and the last of them.
async fn batch(db: &Db, after: &str) -> anyhow::Result<Option<(Bytes, String)>> {
    let rows = db.query(ACTIVE_AFTER).bind(BATCH).bind(after).values::<String>().await?;
    let Some(last) = rows.last().cloned() else { return Ok(None) };
    Ok(Some(((rows.join("\n") + "\n").into(), last)))
}
