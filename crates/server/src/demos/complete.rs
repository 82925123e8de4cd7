//! Completes an upload: the content is checked and stored under the demo's name, and one transaction creates the
//! demo's file, row and letters and ends the upload. A replacement creates neither demo nor letter.

use deadwax_audio as audio;
use deadwax_http::error::{AppError, AppResult};
use deadwax_mail::{Mail, Patience};
use deadwax_store::{
    clock::{self, Micros},
    columns::{signed, unsigned},
    db::{Db, Tx},
    deletions, demo_sounds,
    ids::DemoId,
    limits,
    objects::{self, Fingerprint, NewObject},
    spool::{Spool, SpoolWriter, Spooled},
    statements,
    storage::{Storage, StorageError, UploadPermit},
};
use futures_util::TryStreamExt as _;
use http::StatusCode;
use rules::{
    demo::DemoError,
    demo_name::demo_name,
    letter_template::{LetterKind, fill_confirmation},
    messages::Code,
    rate_limit::{DEMO_MAIL_DAY, DEMO_MAIL_GLOBAL},
    sort_key::sort_key,
};
use tokio::io::AsyncReadExt as _;

use super::{
    letter, room,
    tus::Metadata,
    uploads::{self, ClaimedUpload, Part, Progress, Sender},
};
use crate::{
    accounts::account_mail,
    app::AppState,
    audit::{self, Entry},
    editing::search_keys,
    numbers::{keep, kind::Kind},
    requests::caller::Caller,
};

statements! {
    INSERT = "INSERT INTO demos (id, file_key, artist_name, email, message, original_name, submitted_at, sort_key, search_key) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    IS_UNHEARD = "SELECT id FROM demos WHERE id = $1 AND deleted_at IS NULL AND state = 'new'";
    IS_HEARD = "SELECT id FROM demos WHERE id = $1 AND state <> 'new'";
    LOCK_UNHEARD = "SELECT file_key FROM demos WHERE id = $1 AND deleted_at IS NULL AND state = 'new'", postgres + " FOR UPDATE";
    REPLACE = "UPDATE demos SET file_key = $2, original_name = $3, search_key = $4 WHERE id = $1";
}

/// Random names tried before giving up.
const TRIES: usize = 5;

/// Completes the upload with its last bytes: stores a demo, or 422 if the content does not match the file's name.
pub(super) async fn complete(
    app: &AppState,
    caller: &Caller,
    upload: &ClaimedUpload,
    last: Spooled,
) -> AppResult<Progress> {
    let file = if upload.claim.offset == 0 {
        last
    } else {
        let free = app.spool.free_bytes().await.map_err(AppError::storage_error)?;
        if !room::leaves_space(free, upload.length) {
            return Err(AppError::storage_full(Some(anyhow::anyhow!(
                "no room to join the parts of an upload"
            ))));
        }
        let parts = uploads::list_parts(&app.db, &upload.claim.id).await?;
        join(&app.spool, &app.storage, &parts, &last).await?
    };
    if signed(file.size_bytes) != upload.length {
        return Err(AppError::internal(anyhow::anyhow!("an upload is not as long as its parts")));
    }
    let (path, extension) = (file.path().to_owned(), upload.extension.clone());
    let checked = tokio::task::spawn_blocking(move || audio::check_file(&path, &extension))
        .await
        .map_err(AppError::internal)?
        .map_err(AppError::storage_error)?;
    match checked {
        Ok(()) => accept(app, caller, upload, &file).await,
        Err(refusal) => refuse(&app.db, app.clock.now(), caller, upload, refusal).await,
    }
}

async fn accept(
    app: &AppState,
    caller: &Caller,
    upload: &ClaimedUpload,
    file: &Spooled,
) -> AppResult<Progress> {
    let permit = app.storage.upload_permit().await;
    let (key, now) = store(app, upload, file, &permit).await?;
    let submitted = async {
        let mut tx = app.db.begin().await?;
        let replaced = match upload.replaces {
            Some(demo) => {
                let Some(old) = lock_unheard(&mut tx, demo).await? else {
                    uploads::delete(&mut tx, &upload.claim.id, now).await?;
                    tx.commit().await?;
                    return Err(already_heard());
                };
                Some((demo, old))
            }
            None => None,
        };
        // The row that every other request for this upload waits for.
        uploads::finish(&mut tx, &upload.claim, upload.length, None, now).await?;
        deletions::confirm(&mut tx, &key).await?;
        let fingerprint = Fingerprint { size_bytes: file.size_bytes, sha256: file.sha256 };
        objects::insert(&mut tx, &NewObject::new(&key, fingerprint), now).await?;
        let id = if let Some((demo, old)) = replaced {
            let sender = &upload.sender;
            let replace = tx.query(REPLACE).bind(demo).bind(&key).bind(&sender.original_name);
            replace.bind(search_key(sender)).execute().await?;
            demo_sounds::queue_anew(&mut tx, demo, now).await?;
            deletions::remove_object(&mut tx, &old, now).await?;
            demo
        } else {
            let demo = DemoId::generate();
            let new = Submission { app, id: demo, sender: &upload.sender, size_bytes: file.size_bytes, now };
            new.insert(&mut tx, &key).await?;
            new.notify(&mut tx).await?;
            // The token of the upload, which the sender has, also opens the demo's page.
            letter::insert_link(&mut tx, &upload.claim.id, demo, now).await?;
            keep::add_in(&mut tx, now, Kind::DemoSent, 1).await?;
            demo
        };
        let target = format!("demo:{id}");
        let entry = Entry::visitor("upload_stored", None, "ok", caller).on(&target);
        audit::record(&mut tx, now, &entry).await?;
        Ok(tx.commit().await?)
    };
    deletions::settle(&app.db, &[&key], &app.clock, submitted.await).await?;
    drop(permit);
    Ok(Progress { offset: upload.length, expires_at: uploads::answer_expiry(now) })
}

/// Stores the file under a new name. Returns its key and the time in it.
async fn store(
    app: &AppState,
    upload: &ClaimedUpload,
    file: &Spooled,
    permit: &UploadPermit,
) -> AppResult<(String, Micros)> {
    for _ in 0..TRIES {
        let now = app.clock.now();
        let artist = &upload.sender.artist_name;
        let key =
            format!("demos/{}", demo_name(clock::millis(now), rand::random(), artist, &upload.extension));
        deletions::reserve(&app.db, &key, now).await?;
        match app.storage.put_file(permit, &key, file.path()).await {
            Ok(()) => return Ok((key, now)),
            // Another demo has that name; its row or reservation protects it.
            Err(StorageError::Exists) => {}
            Err(error) => return deletions::settle(&app.db, &[&key], &app.clock, Err(error.into())).await,
        }
    }
    Err(AppError::internal(anyhow::anyhow!("every name of a demo was taken")))
}

fn search_key(sender: &Sender) -> String {
    let Sender { artist_name, email, original_name, message } = sender;
    search_keys::of_demo(artist_name, email, original_name, message.as_deref())
}

/// A new demo.
struct Submission<'a> {
    app: &'a AppState,
    id: DemoId,
    sender: &'a Sender,
    size_bytes: u64,
    now: Micros,
}

impl Submission<'_> {
    async fn insert(&self, tx: &mut Tx, key: &str) -> sqlx::Result<()> {
        let Self { id, sender, now, .. } = self;
        tx.query(INSERT)
            .bind(id)
            .bind(key)
            .bind(&sender.artist_name)
            .bind(&sender.email)
            .bind(sender.message.as_deref())
            .bind(&sender.original_name)
            .bind(now)
            .bind(sort_key(&sender.artist_name))
            .bind(search_key(sender))
            .execute()
            .await?;
        demo_sounds::queue(tx, *id, *now).await
    }

    /// Queues the letters to the label and to the sender. If the website's letters of an hour are used up, the label gets none, because
    /// the demo is on the desk anyway, and the confirmation waits.
    async fn notify(&self, tx: &mut Tx) -> AppResult<()> {
        let Self { app, id, sender, now, .. } = *self;
        if limits::take_in(tx, "demo-global", DEMO_MAIL_GLOBAL, now).await?.is_ok() {
            self.notify_label(tx).await?;
        } else {
            tracing::warn!(demo = %id, limit = "demo-global", "no letter to the label about a demo: the letters of this hour are used up");
        }
        let mailbox = account_mail::counter(&app.keys, "demo-mail", &sender.email);
        if limits::take_in(tx, &mailbox, DEMO_MAIL_DAY, now).await?.is_ok() {
            let due_at = limits::reserve_in(tx, "demo-mail-global", DEMO_MAIL_GLOBAL, now).await?;
            self.confirm(tx, due_at).await?;
        }
        Ok(())
    }

    async fn notify_label(&self, tx: &mut Tx) -> AppResult<()> {
        let Self { app, id, sender, size_bytes, now } = *self;
        let letter = letter::new_demo(&app.label(), id, sender, size_bytes);
        let mail = Mail {
            reply_to: Some(&sender.email),
            patience: Patience::Message,
            ..Mail::new("demo", app.mail.contact_to(), letter)
        };
        let outbox_id = deadwax_mail::enqueue(tx, &app.keys, now, &mail).await?;
        Ok(letter::keep(tx, id, outbox_id).await?)
    }

    /// Confirms the demo by a letter that is sent at `due_at`. The address may not be the sender's.
    async fn confirm(&self, tx: &mut Tx, due_at: Micros) -> AppResult<()> {
        let Self { app, id, sender, now, .. } = *self;
        let template = letter::find_template(&mut *tx, LetterKind::Received).await?;
        let values = letter::values(&app.label_name(), &sender.artist_name, &sender.original_name);
        let words = fill_confirmation(&template, &values);
        let token = letter::create_link(tx, id, now).await?;
        let mail = Mail {
            reply_to: Some(app.mail.contact_to()),
            not_before: (due_at > now).then_some(due_at),
            ..Mail::new("demo_arrived", &sender.email, letter::arrived(&app.label(), &words, &token))
        };
        let outbox_id = deadwax_mail::enqueue(tx, &app.keys, now, &mail).await?;
        Ok(letter::keep_confirmation(tx, id, outbox_id, &words, now).await?)
    }
}

async fn refuse(
    db: &Db,
    now: Micros,
    caller: &Caller,
    upload: &ClaimedUpload,
    refusal: DemoError,
) -> AppResult<Progress> {
    let mut tx = db.begin().await?;
    uploads::finish(&mut tx, &upload.claim, upload.length, Some(refusal), now).await?;
    let entry = Entry::visitor("upload_validation", None, refusal.code(), caller).on("demo");
    audit::record(&mut tx, now, &entry).await?;
    tx.commit().await?;
    Err(uploads::refused(refusal))
}

/// The metadata of a replacement, with the sender's data from its demo. 404 for an unknown link, 409 if the demo has
/// been heard.
pub(super) async fn describe_replacement(
    db: &Db,
    token: &str,
    metadata: Metadata,
) -> AppResult<(DemoId, Metadata)> {
    let demo = letter::find_linked(db, token).await?.ok_or_else(AppError::not_found)?;
    db.query(IS_UNHEARD).bind(demo.id).exists().await?.then_some(()).ok_or_else(already_heard)?;
    let metadata = Metadata {
        artist_name: demo.artist_name,
        email: demo.email,
        message: demo.message,
        filename: metadata.filename,
        replaces: None,
    };
    Ok((demo.id, metadata))
}

/// Locks an unheard demo before anything of its uploads is touched, in this order everywhere. Returns the key of its
/// file; none if it has been heard or deleted.
pub(super) async fn lock_unheard(tx: &mut Tx, demo: DemoId) -> sqlx::Result<Option<String>> {
    tx.query(LOCK_UNHEARD).bind(demo).maybe().await
}

/// Whether a demo has been heard, in the trash or not.
pub(super) async fn is_heard(tx: &mut Tx, demo: DemoId) -> sqlx::Result<bool> {
    tx.query(IS_HEARD).bind(demo).exists().await
}

pub(super) fn already_heard() -> AppError {
    AppError::from_code(StatusCode::CONFLICT, Code::DemoHeard)
}

/// Bytes read at a time.
const PIECE: usize = 256 * 1024;

/// Writes the whole file into `spool`, from the `parts` in `storage` and then `last`.
async fn join(spool: &Spool, storage: &Storage, parts: &[Part], last: &Spooled) -> AppResult<Spooled> {
    let mut whole = spool.create(false).await.map_err(AppError::storage_error)?;
    for part in parts {
        if part.start != signed(whole.size_bytes()) {
            return Err(AppError::internal(anyhow::anyhow!(
                "the parts of an upload do not follow each other"
            )));
        }
        copy_part(storage, part, &mut whole).await?;
    }
    let mut file = tokio::fs::File::open(last.path()).await.map_err(AppError::storage_error)?;
    let mut piece = Vec::with_capacity(PIECE);
    while (&mut file).take(PIECE as u64).read_to_end(&mut piece).await.map_err(AppError::storage_error)? > 0 {
        whole.write(&piece).await.map_err(AppError::storage_error)?;
        piece.clear();
    }
    whole.finish().await.map_err(AppError::storage_error)
}

async fn copy_part(storage: &Storage, part: &Part, whole: &mut SpoolWriter) -> AppResult<()> {
    let size = unsigned(part.size_bytes);
    let (stored, mut bytes) = storage.read(&part.key, None).await?;
    if stored != size {
        return Err(AppError::unavailable(anyhow::anyhow!("a part has {stored} bytes instead of {size}")));
    }
    while let Some(piece) = bytes.try_next().await.map_err(StorageError::from)? {
        whole.write(&piece).await.map_err(AppError::storage_error)?;
    }
    Ok(())
}
