//! Undoes an import: deletes what it added, and restores what it ended, unless the person has acted since.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::{Micros, micros},
    db::Tx,
    ids::SubscriptionId,
    limits, statements,
};
use http::StatusCode;
use rules::{
    import::{ImportError, UNDO_MS},
    subscriber_import::SubscriberImportError,
};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    auth::guard::Actor,
    newsletter::{confirmations, suppressions},
};

statements! {
    FIND = "SELECT created_at, undone_at FROM subscriber_imports WHERE id = $1";
    // Both may have found the same address; the older one's suppression stands for both.
    NEWER = "SELECT id FROM subscriber_imports WHERE (created_at > $2 OR (created_at = $2 AND id > $1)) AND undone_at IS NULL \
        AND confirmed + unconfirmed + ended + suppressed > 0 LIMIT 1";
    ENDED = "SELECT id, email FROM newsletter_subscriptions WHERE ended_by = $1 ORDER BY id LIMIT $2", postgres + " FOR UPDATE";
    RESTORE = "UPDATE newsletter_subscriptions SET active = TRUE, inactive_reason = NULL, inactive_at = NULL, ended_by = NULL, \
            suppressed = CAST(value ->> 'suppressed' AS BOOLEAN), updated_at = CAST(value ->> 'now' AS BIGINT), \
            version = newsletter_subscriptions.version + 1 FROM json_each($1) \
        WHERE newsletter_subscriptions.id = unhex(value ->> 'id')";
    ADDED = "SELECT id FROM newsletter_subscriptions WHERE added_by = $1 ORDER BY id LIMIT $2", postgres + " FOR UPDATE";
    WRITTEN_TO = "SELECT subscription_id FROM newsletter_letters \
            WHERE subscription_id IN (SELECT unhex(value ->> 'id') FROM json_each($1)) \
        UNION SELECT subscription_id FROM letter_recipients \
            WHERE subscription_id IN (SELECT unhex(value ->> 'id') FROM json_each($1))";
    DELETE = "DELETE FROM newsletter_subscriptions WHERE id IN (SELECT unhex(value ->> 'id') FROM json_each($1))";
    UNDONE = "UPDATE subscriber_imports SET undone_at = $2 WHERE id = $1 AND undone_at IS NULL \
        RETURNING confirmed + unconfirmed + ended";
}

/// Rows in one transaction.
const BATCH: i64 = 500;

/// How an import was undone.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct UndoneSubscribers {
    /// Added addresses that are deleted.
    pub deleted: u64,
    /// Ended subscriptions that are active again.
    pub restored: u64,
    /// Subscriptions that stay as they are, because the person has acted since, or that are gone.
    pub left: u64,
}

/// Undoes an import within 24 hours, the newest one first, after noting that it begins. Interrupted, it can be repeated.
pub async fn undo(by: Actor<'_>, id: Uuid) -> AppResult<(Tx, UndoneSubscribers)> {
    let Actor { app, now, .. } = by;
    let found = app.db.query(FIND).bind(id).optional::<(Micros, Option<Micros>)>().await?;
    let (created_at, undone_at) = found.ok_or_else(AppError::not_found)?;
    let conflict = |refusal| AppError::from_code(StatusCode::CONFLICT, refusal);
    if undone_at.is_some() {
        return Err(conflict(ImportError::AlreadyUndone));
    }
    if created_at <= now - micros(UNDO_MS) {
        return Err(conflict(ImportError::UndoTooLate));
    }
    if app.db.query(NEWER).bind(id).bind(created_at).exists().await? {
        return Err(AppError::from_code(StatusCode::CONFLICT, SubscriberImportError::UndoNewerFirst));
    }
    let mut tx = app.db.begin().await?;
    by.check_and_record(&mut tx, "sensitive_delete", &format!("newsletter_import:{id}")).await?;
    tx.commit().await?;
    let (mut restored, mut deleted) = (0, 0);
    loop {
        restored += restore_all(by, id).await?;
        deleted += delete_all(by, id).await?;
        unsuppress_all(by, id).await?;
        let mut tx = app.db.begin().await?;
        let undone = tx.query(UNDONE).bind(id).bind(now).maybe::<i64>().await?;
        let written = undone.ok_or_else(|| conflict(ImportError::AlreadyUndone))?;
        if !has_written(&mut tx, id).await? {
            let left = written.unsigned_abs().saturating_sub(deleted + restored);
            return Ok((tx, UndoneSubscribers { deleted, restored, left }));
        }
        // Another instance runs the import and has written a batch since. Its next one finds the import undone, or is found here.
        tx.rollback().await?;
    }
}

async fn has_written(tx: &mut Tx, id: Uuid) -> sqlx::Result<bool> {
    Ok(tx.query(ADDED).bind(id).bind(1_i64).exists().await?
        || tx.query(ENDED).bind(id).bind(1_i64).exists().await?
        || suppressions::undo_some(tx, id, 1).await? > 0)
}

async fn unsuppress_all(by: Actor<'_>, id: Uuid) -> AppResult<()> {
    loop {
        let mut tx = by.app.db.begin().await?;
        by.me.require_still(&mut tx, by.now).await?;
        if suppressions::undo_some(&mut tx, id, BATCH).await? == 0 {
            return Ok(());
        }
        tx.commit().await?;
    }
}

async fn restore_all(by: Actor<'_>, id: Uuid) -> AppResult<u64> {
    let mut restored = 0;
    loop {
        let mut tx = by.app.db.begin().await?;
        by.me.require_still(&mut tx, by.now).await?;
        let rows = tx.query(ENDED).bind(id).bind(BATCH).all::<(Uuid, String)>().await?;
        if rows.is_empty() {
            return Ok(restored);
        }
        let key = suppressions::key(&mut tx, by.now).await?;
        let codes: Vec<_> = rows.iter().map(|(_, email)| key.code_of(email)).collect();
        suppressions::undo_among(&mut tx, &codes, id).await?;
        // Those of before the import stay.
        let suppressed = suppressions::among(&mut (&mut tx).into(), &codes).await?;
        let rows = rows.iter().zip(&codes).map(|((id, _), code)| {
            json!({"id": id.simple().to_string(), "suppressed": suppressed.contains(code), "now": by.now})
        });
        restored += tx.query(RESTORE).bind(rows.collect::<Value>().to_string()).execute().await?;
        tx.commit().await?;
    }
}

async fn delete_all(by: Actor<'_>, import: Uuid) -> AppResult<u64> {
    let mut deleted = 0;
    loop {
        let forgetting = by.app.mail.forgetting().await;
        let mut tx = by.app.db.begin().await?;
        by.me.require_still(&mut tx, by.now).await?;
        // No confirmation mail begins in between.
        limits::hold_in(&mut tx, confirmations::HELD, by.now).await?;
        let ids = tx.query(ADDED).bind(import).bind(BATCH).values::<Uuid>().await?;
        if ids.is_empty() {
            return Ok(deleted);
        }
        let list = ids.iter().map(|id| json!({"id": id.simple().to_string()})).collect::<Value>().to_string();
        let mut letters = Vec::new();
        for id in tx.query(WRITTEN_TO).bind(&list).values::<SubscriptionId>().await? {
            letters.extend(confirmations::forget_letters(&mut tx, id).await?);
        }
        deleted += tx.query(DELETE).bind(&list).execute().await?;
        forgetting.remove_captured(&letters).await.map_err(AppError::storage_error)?;
        tx.commit().await?;
    }
}
