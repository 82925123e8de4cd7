//! A person's picture: uploaded as a file, redrawn as a square JPEG, and stored until it is replaced.

use axum::Json;
use bytes::Bytes;
use deadwax_http::error::{AppError, AppResult};
use deadwax_pictures as pictures;
use deadwax_store::{
    clock::Micros,
    db::Tx,
    deletions,
    ids::UserId,
    limits,
    objects::{self, Fingerprint, NewObject},
    statements,
};
use http::StatusCode;
use rules::{
    avatar::{self, AvatarError},
    rate_limit,
};
use utoipa::ToSchema;
use uuid::Uuid;

use super::profile::{self, ProfileView, profile_missing};
use crate::{
    auth::{
        By,
        guard::{Actor, SignedIn, VerifiedMember},
    },
    files::{
        file_form::{self, Form, SentFile},
        picture,
    },
};

statements! {
    CURRENT = "SELECT avatar_url FROM profiles WHERE id = $1", postgres + " FOR UPDATE";
    REPLACE = "UPDATE profiles SET avatar_url = $2, updated_at = $3, version = version + 1 WHERE id = $1";
}

#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form for the contract; the form is read as a stream")]
pub struct AvatarForm {
    /// A JPEG, PNG or WebP picture of at most 2 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Replaces the picture.
#[utoipa::path(post, path = "/api/profile/avatar", tag = "profile",
    request_body(content = AvatarForm, content_type = "multipart/form-data"),
    responses(
    (status = 200, description = "The profile with its new picture", body = ProfileView),
    (status = 404, description = "The account has no profile"),
    (status = 422, description = "Not a picture, or not one file"),
    (status = 429, description = "Too many uploads, in an hour or at once"),
    (status = 503, description = "Too many uploads at once, or the storage does not answer"),
))]
pub async fn replace_avatar(by: By<VerifiedMember>, form: Form) -> AppResult<Json<ProfileView>> {
    let by = by.act();
    let Actor { app, me, .. } = by;
    let permit = file_form::permit(&app.member_forms, me.user_id, by.caller.address).await?;
    allow(by).await?;
    let square = async {
        let sent = file_form::read(&app.spool, form, avatar::AVATAR_MAX_BYTES, permit).await?;
        let square =
            app.pictures.square(check(sent.file).await?, avatar::AVATAR_SIZE, avatar::AVATAR_QUALITY);
        square.await.map_err(picture::failure)?.map_err(|_| AppError::invalid("file", AvatarError::Type))
    };
    match square.await {
        // Only accepted pictures count as uploads.
        Ok(square) => {
            limits::take(&app.db, &stored_key(me), rate_limit::AVATAR, app.clock.now()).await?;
            store(Actor::new(app, me, by.caller), square).await?;
        }
        Err(refusal) => {
            by.record_refusal("upload_validation", &refusal, "avatar").await?;
            return Err(refusal);
        }
    }
    profile::view(app, me).await
}

/// Removes the picture, if there is one.
#[utoipa::path(delete, path = "/api/profile/avatar", tag = "profile", responses(
    (status = 200, description = "The profile without a picture", body = ProfileView),
    (status = 404, description = "The account has no profile"),
))]
pub async fn remove_avatar(by: By<VerifiedMember>) -> AppResult<Json<ProfileView>> {
    let by = by.act();
    let mut tx = by.app.db.begin().await?;
    by.me.require_still(&mut tx, by.now).await?;
    if exchange(&mut tx, by.me.user_id, None, by.now).await? {
        by.record_unchecked(&mut tx, "upload_delete", "ok", Some("avatar")).await?;
        tx.commit().await?;
    }
    profile::view(by.app, by.me).await
}

fn stored_key(me: &SignedIn) -> String {
    format!("avatar:{}", me.user_id)
}

/// Counts a try, refused ones too, and checks that one more picture may be stored.
async fn allow(by: Actor<'_>) -> AppResult<()> {
    let (db, now) = (&by.app.db, by.now);
    limits::take(db, &format!("avatar-try:{}", by.me.user_id), rate_limit::AVATAR_TRY, now).await?;
    let mut tx = db.begin().await?;
    let stored = limits::peek_in(&mut tx, &stored_key(by.me), rate_limit::AVATAR, now).await?;
    tx.commit().await?;
    stored.map(drop).map_err(AppError::rate_limited)
}

/// The bytes of a picture, by size, first bytes and extension. A name that is empty after cleaning is accepted.
async fn check(sent: SentFile) -> AppResult<Bytes> {
    let media_type = pictures::media_type(&sent.head);
    let sent = sent.named(media_type);
    match (avatar::check_avatar(&sent.info(media_type)), sent.spooled) {
        (Ok(()), Some(file)) => {
            Ok(tokio::fs::read(file.path()).await.map_err(AppError::storage_error)?.into())
        }
        (Ok(()), None) | (Err(AvatarError::TooLarge), _) => Err(AppError::too_large(AvatarError::TooLarge)),
        (Err(error @ AvatarError::Type), _) => Err(AppError::invalid("file", error)),
    }
}

/// Stores the square as the profile's picture and deletes the previous one.
async fn store(by: Actor<'_>, square: Vec<u8>) -> AppResult<()> {
    let Actor { app, me, now, .. } = by;
    let key = format!("avatars/{}-{}.jpg", now / 1000, Uuid::new_v4().simple());
    deletions::reserve(&app.db, &key, now).await?;
    let stored = async {
        let bytes = Bytes::from(square);
        app.storage.put_new(&key, bytes.clone()).await.map_err(AppError::unavailable)?;
        let mut tx = app.db.begin().await?;
        me.require_still(&mut tx, now).await?;
        deletions::confirm(&mut tx, &key).await?;
        let (fingerprint, size) = (Fingerprint::of(&bytes), avatar::AVATAR_SIZE);
        let object = NewObject { dimensions: Some((size, size)), ..NewObject::new(&key, fingerprint) };
        objects::insert(&mut tx, &object, now).await?;
        exchange(&mut tx, me.user_id, Some(&objects::url(&key)), now).await?;
        by.record_unchecked(&mut tx, "upload_stored", "ok", Some("avatar")).await?;
        Ok(tx.commit().await?)
    };
    deletions::settle(&app.db, &[&key], &app.clock, stored.await).await
}

/// Replaces or removes a profile's picture and deletes the old file. Whether there was one.
async fn exchange(tx: &mut Tx, user_id: UserId, url: Option<&str>, now: Micros) -> AppResult<bool> {
    let before =
        tx.query(CURRENT).bind(user_id).maybe::<Option<String>>().await?.ok_or_else(profile_missing)?;
    tx.query(REPLACE).bind(user_id).bind(url).bind(now).execute().await?;
    let Some(before) = before else { return Ok(false) };
    if let Some(key) = before.strip_prefix("/media/") {
        deletions::remove_object(tx, key, now).await?;
    }
    Ok(true)
}

/// Removes the picture of an account that is being deleted.
pub(super) async fn remove_with_account(tx: &mut Tx, user_id: UserId, now: Micros) -> AppResult<()> {
    match exchange(tx, user_id, None, now).await {
        Err(error) if error.status() == StatusCode::NOT_FOUND => Ok(()),
        other => other.map(drop),
    }
}
