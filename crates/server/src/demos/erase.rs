//! Erasing a demo by its sender: the row with its dependents, files, pending replacements, waiting letters, and
//! captured mail. Nothing names the sender afterwards; the audit log holds the demo's id.

use std::time::Duration;

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::statements;
use uuid::Uuid;

use super::{links, uploads};
use crate::{
    app::AppState,
    audit::{self, Entry},
    requests::caller::Caller,
    trash::{kinds::TrashKind, moves},
};

/// How long the sender waits for the removal of files; the job continues without them.
const FILES_WAIT: Duration = Duration::from_secs(5);

statements! {
    LETTERS = "SELECT outbox_id FROM demo_letters WHERE demo_id = $1";
}

/// Erases the demo of a link; 404 for an invalid one, 429 past the limit of attempts.
pub(super) async fn erase(app: &AppState, caller: &Caller, token: &str) -> AppResult<()> {
    links::count(&app.db, caller.address, app.clock.now()).await?;
    // An invalid link must not pause the capture of mail.
    links::find(&app.db, token).await?.ok_or_else(AppError::not_found)?;
    let forgetting = app.mail.forgetting().await;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let demo = links::lock(&mut tx, token).await?.ok_or_else(AppError::not_found)?.id;
    let letters = tx.query(LETTERS).bind(demo).all::<(Uuid,)>().await?;
    let letters: Vec<Uuid> = letters.into_iter().map(|(id,)| id).collect();
    for id in &letters {
        deadwax_mail::forget(&mut tx, *id).await?;
    }
    uploads::delete_of_demo(&mut tx, demo, now).await?;
    moves::delete(&mut tx, &app.origin, TrashKind::Demo, demo, None, now).await?;
    moves::purge(&mut tx, &app.origin, TrashKind::Demo, demo, now).await?;
    let target = format!("demo:{demo}");
    audit::record(&mut tx, now, &Entry::visitor("data_erase", None, "ok", caller).on(&target)).await?;
    // Before the commit: after a crash the link still works, and the erasure can be repeated.
    forgetting.remove_captured(&letters).await.map_err(AppError::storage_error)?;
    tx.commit().await?;
    drop(forgetting);
    // The demo is erased; a failure from here on is mended later and not answered.
    remove_files_now(app).await;
    Ok(())
}

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
