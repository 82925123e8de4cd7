//! The end of an upload: all bytes are there. What they are is checked, they are stored under the demo's name, and one
//! transaction makes them a demo: its file, its row, the letter to the label, and the end of the upload. Or none of it.

use deadwax_audio as audio;
use deadwax_http::error::{AppError, AppResult};
use deadwax_mail::{Mail, Patience};
use deadwax_store::{
    clock::{self, Micros},
    db::{Db, Tx},
    deletions, demo_sounds,
    objects::{self, Fingerprint, NewObject},
    spool::Spooled,
    statements,
    storage::{StorageError, UploadPermit},
};
use rules::{demo::DemoError, demo_name::demo_name};
use uuid::Uuid;

use super::{
    join, letter, parts,
    upload::{self, Open, Progress},
    uploads,
};
use crate::{
    app::AppState,
    audit::{self, Entry},
    caller::Caller,
};

statements! {
    INSERT = "INSERT INTO demos (id, file_key, artist_name, email, message, original_name, submitted_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
}

/// Names tried before something else must be wrong than chance.
const TRIES: usize = 5;

/// Ends the upload with its last bytes: a demo is stored, or 422 because its content is not what its name says.
pub(super) async fn complete(
    app: &AppState,
    caller: &Caller,
    open: &Open,
    last: Spooled,
) -> AppResult<Progress> {
    let file = if open.claim.offset == 0 {
        last
    } else {
        let parts = parts::list(&app.db, &open.claim.id).await?;
        join::join(&app.spool, &app.storage, &parts, &last).await?
    };
    if i64::try_from(file.size_bytes).ok() != Some(open.length) {
        return Err(AppError::internal(anyhow::anyhow!("an upload is not as long as its parts")));
    }
    let (path, extension) = (file.path().to_owned(), open.extension.clone());
    let checked = tokio::task::spawn_blocking(move || audio::check_file(&path, &extension))
        .await
        .map_err(|error| AppError::internal(anyhow::Error::new(error)))?
        .map_err(AppError::storage_error)?;
    match checked {
        Ok(()) => accept(app, caller, open, &file).await,
        Err(refusal) => refuse(&app.db, app.clock.now(), caller, open, refusal).await,
    }
}

async fn accept(app: &AppState, caller: &Caller, open: &Open, file: &Spooled) -> AppResult<Progress> {
    let permit = app.storage.upload_permit().await;
    let (key, now) = store(app, open, file, &permit).await?;
    let submitted = async {
        let mut tx = app.db.begin().await?;
        // First the row that every other request for this upload waits for.
        uploads::finish(&mut tx, &open.claim, open.length, None, now).await?;
        if !deletions::confirm(&mut tx, &key).await? {
            return Err(AppError::busy(rules::request::BUSY_SECONDS));
        }
        submit(app, caller, open, file, &key, now, &mut tx).await?;
        Ok(tx.commit().await?)
    };
    if let Err(error) = submitted.await {
        deletions::abandon(&app.db, &key, app.clock.now()).await;
        return Err(error);
    }
    drop(permit);
    app.mail.sent_soon().await;
    Ok(Progress { offset: open.length, expires_at: upload::answer_expiry(now) })
}

/// Stores the file under a name of its own. Answers its key and the time that is part of it.
async fn store(
    app: &AppState,
    open: &Open,
    file: &Spooled,
    permit: &UploadPermit,
) -> AppResult<(String, Micros)> {
    for _ in 0..TRIES {
        let now = app.clock.now();
        let artist = &open.sender.artist_name;
        let key = format!("demos/{}", demo_name(clock::millis(now), rand::random(), artist, &open.extension));
        deletions::reserve(&app.db, &key, now).await?;
        match app.storage.put_file(permit, &key, file.path()).await {
            Ok(()) => return Ok((key, now)),
            // Another demo has that name: its row, or its own reservation, protects it from ours.
            Err(StorageError::Exists) => {}
            Err(error) => {
                deletions::abandon(&app.db, &key, app.clock.now()).await;
                return Err(error.into());
            }
        }
    }
    Err(AppError::internal(anyhow::anyhow!("every name of a demo was taken")))
}

/// Writes the rows of a demo.
async fn submit(
    app: &AppState,
    caller: &Caller,
    open: &Open,
    file: &Spooled,
    key: &str,
    now: Micros,
    tx: &mut Tx,
) -> AppResult<()> {
    let (id, sender) = (Uuid::now_v7(), &open.sender);
    let fingerprint = Fingerprint { size_bytes: file.size_bytes, sha256: file.sha256 };
    let object = NewObject { key, fingerprint, dimensions: None, small_key: None };
    objects::insert(tx, &object, now).await?;
    tx.query(INSERT)
        .bind(id)
        .bind(key)
        .bind(&sender.artist_name)
        .bind(&sender.email)
        .bind(sender.message.as_deref())
        .bind(&sender.original_name)
        .bind(now)
        .execute()
        .await?;
    demo_sounds::queue(tx, id, now).await?;
    let mail = Mail {
        kind: "demo",
        to: app.mail.contact_to(),
        letter: letter::new_demo(&app.label(), sender, file.size_bytes),
        reply_to: Some(&sender.email),
        not_after: None,
        patience: Patience::Message,
    };
    deadwax_mail::enqueue(tx, &app.keys, now, &mail).await?;
    let target = format!("demo:{id}");
    let entry = Entry::visitor("upload_stored", None, "ok", caller).on(&target);
    Ok(audit::record(tx, now, &entry).await?)
}

async fn refuse(
    db: &Db,
    now: Micros,
    caller: &Caller,
    open: &Open,
    refusal: DemoError,
) -> AppResult<Progress> {
    let mut tx = db.begin().await?;
    uploads::finish(&mut tx, &open.claim, open.length, Some(refusal), now).await?;
    let entry = Entry::visitor("upload_validation", None, refusal.code(), caller).on("demo");
    audit::record(&mut tx, now, &entry).await?;
    tx.commit().await?;
    Err(upload::refused(refusal))
}
