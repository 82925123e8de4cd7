//! A demo erased by whoever sent it: the row with all that hangs on it, its files, uploads that were to take their place, letters that
//! wait, and what was captured of those that left. Nothing of it names the sender afterwards; the audit log holds the demo's id.

use std::time::Duration;

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::statements;
use uuid::Uuid;

use super::{links, uploads};
use crate::{
    app::AppState,
    audit::{self, Entry},
    caller::Caller,
    trash::{kinds::TrashKind, moves, purge},
};

/// How long the sender waits for the files to go; the job goes on without them.
const FILES_WAIT: Duration = Duration::from_secs(5);

statements! {
    LETTERS = "SELECT outbox_id FROM demo_letters WHERE demo_id = $1";
}

/// Erases the demo of a link; 404 where it leads nowhere, 429 past the limit of attempts.
pub(super) async fn erase(app: &AppState, caller: &Caller, token: &str) -> AppResult<()> {
    links::count(&app.db, caller.address, app.clock.now()).await?;
    // So that a link that leads nowhere keeps no letter waiting.
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
    purge::purge(&mut tx, &app.origin, TrashKind::Demo, demo, now).await?;
    let target = format!("demo:{demo}");
    audit::record(&mut tx, now, &Entry::visitor("data_erase", None, "ok", caller).on(&target)).await?;
    // Before the commit: a crash in between leaves the link, by which it can be done again.
    forgetting.remove_captured(&letters).await.map_err(AppError::storage_error)?;
    tx.commit().await?;
    drop(forgetting);
    // It is erased. What follows is done soon in any case, and a failure there is no answer to whoever asked.
    remove_files_now(app).await;
    Ok(())
}

/// Removes the files at once: their names hold the artist's, and stand on the list of what is to be removed until they are.
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
