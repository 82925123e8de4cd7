//! Signing up: every attempt with an unconfirmed address gets the same answer, and only a link in that mailbox decides
//! which attempt becomes the account.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_mail::letters;
use deadwax_store::{
    Failure,
    clock::{Micros, micros},
    crypto::Token,
    db::{Db, Tx},
    ids::UserId,
    limits, statements,
};
use http::StatusCode;
use rules::{
    messages::Code,
    password::Password,
    rate_limit,
    request::BUSY_SECONDS,
    signup::{self, NewAccount, SignupForm},
    username::Username,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    account_mail::{self, Breaker, Notice},
    links, rows,
};
use crate::{
    audit::{self, Entry},
    auth::{
        Anyone, By,
        cookies::{self, Name},
    },
};

// A later sign-up has a new link.
macro_rules! lapsed {
    () => {
        "confirmed_at IS NULL AND created_at < $1 AND NOT EXISTS (SELECT 1 FROM one_time_tokens t \
            WHERE t.user_id = users.id AND t.purpose = 'confirm' AND t.used_at IS NULL AND t.voided_at IS NULL AND t.expires_at > $2)"
    };
}

statements! {
    FIND = "SELECT id, confirmed_at IS NOT NULL AS is_confirmed FROM users WHERE email = $1", postgres + " FOR UPDATE";
    INSERT = "INSERT INTO users (id, email, password_changed_at, created_at, updated_at) \
        VALUES ($1, $2, $3, $3, $3) \
        ON CONFLICT (email) DO NOTHING";
    INSERT_PROFILE = "INSERT INTO profiles (id, username, username_key, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $4) \
        ON CONFLICT (username_key) DO NOTHING";
    INSERT_ATTEMPT = "INSERT INTO signup_attempts (id, user_id, password_hash, username, full_name, browser_hash, \
            created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    OLD_ATTEMPTS = "SELECT id FROM signup_attempts \
        WHERE user_id = $1 \
        ORDER BY created_at DESC, id DESC LIMIT 100 OFFSET $2";
    DELETE_ATTEMPT = "DELETE FROM signup_attempts WHERE id = $1";
    // Those of a sign-up that is under way stay.
    LAPSED = concat!("SELECT id FROM users WHERE ", lapsed!(), " LIMIT $3"), postgres + " FOR UPDATE SKIP LOCKED";
    // Judged again now that it is locked: a sign-up may have ended in between.
    PRUNE = concat!("DELETE FROM users WHERE ", lapsed!(), " AND id = $3");
}

/// Accounts that one transaction erases.
const ERASED_AT_ONCE: i64 = 200;

/// Tries before a sign-up gives up on an address whose account is deleted again and again.
const ADDRESS_TRIES: u32 = 3;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignUpBody {
    email: String,
    /// At least 6 characters.
    #[schema(value_type = String, format = Password)]
    password: Password,
    /// Ignored: mailed links always lead to `/auth/callback` of this website.
    #[serde(default, rename = "redirect_to")]
    _redirect_to: Option<String>,
    #[serde(default)]
    data: SignUpData,
}

/// Optional fields of the forms.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignUpData {
    /// A username; without one the account gets a default.
    #[serde(default)]
    username: Option<String>,
    /// Only its owner sees it.
    #[serde(default)]
    full_name: Option<String>,
}

/// The same for every address that is not confirmed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignUpAnswer {
    /// Always true: a link was mailed.
    confirmation_required: bool,
}

/// Signs up.
#[utoipa::path(post, path = "/api/auth/sign-up", tag = "auth", request_body = SignUpBody, responses(
    (status = 200, description = "A link was mailed to the address", body = SignUpAnswer),
    (status = 409, description = "The address has a confirmed account, or the username is taken"),
    (status = 429, description = "Too many sign-ups, or letters to the mailbox"),
    (status = 503, description = "Too much mail or too many sign-ups at once"),
))]
pub async fn sign_up(by: By<Anyone>, ApiJson(body): ApiJson<SignUpBody>) -> AppResult<Response> {
    let (app, caller) = (&by.app, &by.caller);
    let form = SignupForm {
        email: account_mail::to_ascii(&body.email),
        username: body.data.username,
        password: body.password,
        full_name: body.data.full_name,
    };
    let account = signup::check_signup(form).map_err(AppError::validation)?;
    let email = account.email.as_str();
    let mut counters = limits::by_network("sign-up-day", caller.address, rate_limit::SIGN_UP_DAY);
    counters.extend(limits::by_network("sign-up-hour", caller.address, rate_limit::SIGN_UP_HOUR));
    limits::take_each(&app.db, counters, by.now()).await?;
    let password_hash = app.hasher.hash(&account.password).await?;

    let now = by.now();
    let mail = by.mail(now);
    let mut tx = app.db.begin().await?;
    let id = UserId::generate();
    let (user_id, is_confirmed) = found_or_made(&mut tx, id, email, now).await?;
    if is_confirmed {
        let letter = letters::already_registered(&mail.label());
        mail.notify(&mut tx, Notice::AlreadyRegistered, (user_id, email), letter).await?;
        let entry = Entry::visitor("user_created", Some(user_id), "user_already_registered", caller);
        audit::record(&mut tx, now, &entry).await?;
        tx.commit().await?;
        return Err(AppError::from_code(StatusCode::CONFLICT, Code::UserAlreadyRegistered));
    }
    let is_new = user_id == id;
    give_name(&mut tx, user_id, &account, is_new, now).await?;
    let browser = by.browser(Name::SignUp);
    mail.check_global(&mut tx, Breaker::Confirmations).await?;
    // Not accepted in silence: the links that are in the mailbox may open an account with a stranger's password.
    mail.may_confirm(&mut tx, email).await?.map_err(AppError::rate_limited)?;
    mail.take_global(&mut tx, Breaker::Confirmations).await?;
    let attempt_id = add_attempt(&mut tx, user_id, &account, (&password_hash, &browser), now).await?;
    links::mail_confirmation(mail, &mut tx, user_id, attempt_id, email).await?;
    let entry = Entry::visitor("user_created", Some(user_id), if is_new { "ok" } else { "again" }, caller);
    audit::record(&mut tx, now, &entry).await?;
    tx.commit().await?;

    let set = cookies::with(&app.origin, Name::SignUp, &browser);
    Ok((set, Json(SignUpAnswer { confirmation_required: true })).into_response())
}

/// Finds and locks the account of an address, or creates it; whether it is confirmed. If it is deleted while this waits
/// for it, it is created again.
async fn found_or_made(tx: &mut Tx, id: UserId, email: &str, now: Micros) -> AppResult<(UserId, bool)> {
    for _ in 0..ADDRESS_TRIES {
        tx.query(INSERT).bind(id).bind(email).bind(now).execute().await?;
        if let Some(found) = tx.query(FIND).bind(email).optional().await? {
            return Ok(found);
        }
    }
    Err(AppError::busy(BUSY_SECONDS))
}

/// Stores an attempt until a link confirms it. Only the five latest stay.
async fn add_attempt(
    tx: &mut Tx,
    user_id: UserId,
    account: &NewAccount,
    (password_hash, browser): (&str, &Token),
    now: Micros,
) -> sqlx::Result<Uuid> {
    let id = Uuid::now_v7();
    let name = account.username.as_ref().map(Username::as_str);
    let insert = tx.query(INSERT_ATTEMPT).bind(id).bind(user_id).bind(password_hash).bind(name);
    insert.bind(account.full_name.as_deref()).bind(browser.hash()).bind(now).execute().await?;
    let kept = i64::from(signup::LIVE_ATTEMPTS);
    for old in tx.query(OLD_ATTEMPTS).bind(user_id).bind(kept).values::<Uuid>().await? {
        tx.query(DELETE_ATTEMPT).bind(old).execute().await?;
    }
    Ok(id)
}

/// Creates a new account's profile with the typed or a default name. A typed name must not be taken.
async fn give_name(
    tx: &mut Tx,
    id: UserId,
    account: &NewAccount,
    is_new: bool,
    now: Micros,
) -> AppResult<()> {
    if let Some(typed) = &account.username {
        let is_taken =
            rows::is_taken_in(tx, typed, id).await? || is_new && !insert_profile(tx, id, typed, now).await?;
        let taken = || AppError::from_code(StatusCode::CONFLICT, Code::UsernameTaken);
        return if is_taken { Err(taken()) } else { Ok(()) };
    }
    if is_new {
        insert_default_profile(tx, id, account.email.as_str(), now).await?;
    }
    Ok(())
}

/// Creates a profile under the first free default name.
pub async fn insert_default_profile(
    tx: &mut Tx,
    id: UserId,
    email: &str,
    now: Micros,
) -> Result<(), Failure> {
    for name in rows::default_names(email) {
        if insert_profile(tx, id, &name, now).await? {
            return Ok(());
        }
    }
    Err(Failure::Bug(anyhow::anyhow!("no default username is free")))
}

async fn insert_profile(tx: &mut Tx, user_id: UserId, name: &Username, now: Micros) -> sqlx::Result<bool> {
    let insert = tx.query(INSERT_PROFILE).bind(user_id).bind(name.as_str()).bind(name.key()).bind(now);
    Ok(insert.execute().await? > 0)
}

/// Deletes addresses that were never confirmed.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    let before = now - micros(signup::UNCONFIRMED_MS);
    loop {
        let mut tx = db.begin().await?;
        let lapsed = tx.query(LAPSED).bind(before).bind(now).bind(ERASED_AT_ONCE).values::<UserId>().await?;
        if lapsed.is_empty() {
            return Ok(());
        }
        for id in lapsed {
            tx.query(PRUNE).bind(before).bind(now).bind(id).execute().await?;
        }
        tx.commit().await?;
    }
}
