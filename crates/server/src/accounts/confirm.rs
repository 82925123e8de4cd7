//! Confirming an address by a mailed link, which is redeemed by POST, so that programs that only open links change
//! nothing.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{clock::Micros, crypto::Token, db::Tx, ids::UserId, limits::LimitError, statements};
use http::HeaderMap;
use rules::rate_limit;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    account_mail::{self, Breaker},
    links::{self, Purpose, Redeemed, otp_expired},
    rows,
    sessions::end_replaced,
    view::{self, Accepted, SessionView},
};
use crate::{
    audit::{self, Entry},
    auth::{
        Anyone, By,
        cookies::{self, Device, Name},
        guard::Visitor,
        session::{self, TokenTransport},
    },
    requests::timing::{self, pad_to_multiple},
};

statements! {
    ATTEMPT = "SELECT password_hash, username, full_name, browser_hash \
        FROM signup_attempts \
        WHERE id = $1 AND voided_at IS NULL";
    INSTALL = "UPDATE users SET password_hash = $2, full_name = $3, confirmed_at = $4, password_changed_at = $4, \
            updated_at = $4, version = version + 1 \
        WHERE id = $1 AND confirmed_at IS NULL";
    VOID_OTHERS = "UPDATE one_time_tokens SET voided_at = $3 \
        WHERE user_id = $1 AND purpose IN ('confirm', 'not_me') AND used_at IS NULL \
            AND (attempt_id IS NULL OR attempt_id <> $2)";
    SPEND_SIBLINGS = "UPDATE one_time_tokens SET used_at = $3 \
        WHERE user_id = $1 AND purpose IN ('confirm', 'not_me') AND used_at IS NULL AND attempt_id = $2";
    EMPTY = "UPDATE signup_attempts SET password_hash = '', username = NULL, full_name = NULL WHERE user_id = $1";
    VOID_ATTEMPT = "UPDATE signup_attempts SET voided_at = $2, password_hash = '', username = NULL, full_name = NULL \
        WHERE id = $1 AND voided_at IS NULL";
    VOID_LINKS = "UPDATE one_time_tokens SET voided_at = $2 \
        WHERE attempt_id = $1 AND used_at IS NULL AND voided_at IS NULL";
    FORGET = "DELETE FROM users \
        WHERE id = $1 AND confirmed_at IS NULL \
            AND NOT EXISTS (SELECT 1 FROM signup_attempts a WHERE a.user_id = users.id AND a.voided_at IS NULL)";
    NEWEST = "SELECT u.id AS user_id, \
            (SELECT a.id FROM signup_attempts a WHERE a.user_id = u.id AND a.voided_at IS NULL \
                ORDER BY CASE WHEN a.browser_hash = $2 THEN 0 ELSE 1 END, a.created_at DESC, a.id DESC LIMIT 1) \
                AS attempt_id \
        FROM users u \
        WHERE u.email = $1 AND u.confirmed_at IS NULL";
    NAME = "SELECT username FROM profiles WHERE id = $1";
}

/// Tries of a confirmation, as another account may be given the name at the same time.
const NAME_TRIES: usize = 5;

/// The token of a mailed link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenBody {
    /// The `token=` in the link's fragment.
    pub(super) token: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResendBody {
    email: String,
    /// Always `signup`.
    #[serde(default, rename = "type")]
    _kind: Option<ResendKind>,
    /// Ignored: mailed links always lead to `/auth/callback` of this website.
    #[serde(default, rename = "redirect_to")]
    _redirect_to: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResendKind {
    Signup,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Objected {
    /// Whether this call cancelled a sign-up. False if no sign-up was left to cancel: already confirmed, or the link was
    /// used, expired or unknown.
    voided: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConfirmAnswer {
    status: Confirmation,
    username: Option<String>,
    /// A session, in the browser that signed up.
    session: Option<SessionView>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// This call confirmed the address.
    Confirmed,
    /// The link was used before.
    AlreadyConfirmed,
}

#[derive(Debug, sqlx_macros::FromRow)]
struct Attempt {
    password_hash: String,
    username: Option<String>,
    full_name: Option<String>,
    browser_hash: Vec<u8>,
}

/// Counts a try to redeem a link, and parses its token.
pub async fn token_of<G>(by: &By<G>, body: &TokenBody) -> Result<Option<Token>, LimitError> {
    by.take("redeem", rate_limit::REDEEM).await?;
    Ok(Token::parse(&body.token))
}

/// Confirms an address. If the answer brings a session, the browser's previous one ends.
#[utoipa::path(post, path = "/api/auth/confirm", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "The address is confirmed; a session comes along in the browser that signed up", body = ConfirmAnswer),
    (status = 422, description = "The link is unknown, void or too old"),
))]
pub async fn confirm(by: By<Visitor>, ApiJson(body): ApiJson<TokenBody>) -> AppResult<Response> {
    let token = token_of(&by, &body).await?.ok_or_else(otp_expired)?;
    let (app, now) = (&by.app, by.now());
    let mut again = 1..NAME_TRIES;
    let (mut tx, redeemed, installed) = loop {
        let mut tx = app.db.begin().await?;
        let Some(redeemed) = links::redeem(&mut tx, now, Purpose::Confirm, &token).await? else {
            let Some(user_id) = links::spent(&mut tx, now, Purpose::Confirm, &token).await? else {
                return Err(otp_expired());
            };
            let username = tx.query(NAME).bind(user_id).maybe::<String>().await?;
            let answer = ConfirmAnswer { status: Confirmation::AlreadyConfirmed, username, session: None };
            return Ok(Json(answer).into_response());
        };
        match install(&mut tx, now, &redeemed).await {
            // Another account has just been given the name, which the next try sees.
            Err(error) if rows::is_conflict(&error) && again.next().is_some() => {}
            installed => break (tx, redeemed, installed?),
        }
    };
    let attempt = installed.ok_or_else(otp_expired)?;
    let entry =
        Entry::visitor("user_updated", Some(redeemed.user_id), "ok", &by.caller).on("email_confirmed");
    audit::record(&mut tx, now, &entry).await?;
    // A link opened in another browser must not sign it in to an account that someone else made.
    let signed_up_here = cookies::is_browser(&app.origin, &by.headers, Name::SignUp, &attempt.browser_hash);
    let issued = if signed_up_here {
        end_replaced(&mut tx, now, by.who.0.as_ref(), &by.caller).await?;
        Some(session::create(&mut tx, now, redeemed.user_id, &by.caller).await?)
    } else {
        None
    };
    let username = tx.query(NAME).bind(redeemed.user_id).maybe::<String>().await?;
    tx.commit().await?;

    let mut answer = ConfirmAnswer { status: Confirmation::Confirmed, username, session: None };
    let mut set = HeaderMap::new();
    if let Some((session_id, token)) = issued {
        answer.session = Some(view::current(app, session_id, TokenTransport::Cookie).await?);
        cookies::set(&app.origin, &mut set, Name::Session, token.expose());
        cookies::clear(&app.origin, &mut set, Name::SignUp);
        // The confirmation has just set the password.
        let device = Device::random().sign(&app.keys, redeemed.user_id, now, now);
        cookies::set(&app.origin, &mut set, Name::Device, &device);
    }
    Ok((set, Json(answer)).into_response())
}

/// Installs the attempt's password, name and username in the account, voids the links of other attempts, and empties
/// them all.
async fn install(tx: &mut Tx, now: Micros, redeemed: &Redeemed) -> sqlx::Result<Option<Attempt>> {
    let Some(attempt_id) = redeemed.attempt_id else { return Ok(None) };
    let Some(attempt) = tx.query(ATTEMPT).bind(attempt_id).optional::<Attempt>().await? else {
        return Ok(None);
    };
    let (hash, name) = (&attempt.password_hash, attempt.full_name.as_deref());
    if tx.query(INSTALL).bind(redeemed.user_id).bind(hash).bind(name).bind(now).execute().await? == 0 {
        return Ok(None);
    }
    tx.query(VOID_OTHERS).bind(redeemed.user_id).bind(attempt_id).bind(now).execute().await?;
    tx.query(SPEND_SIBLINGS).bind(redeemed.user_id).bind(attempt_id).bind(now).execute().await?;
    tx.query(EMPTY).bind(redeemed.user_id).execute().await?;
    if let Some(typed) =
        attempt.username.as_deref().and_then(|name| rules::username::Username::parse(name).ok())
    {
        // A confirmed account may hold the name by now.
        rows::free_name(tx, &typed, redeemed.user_id, now).await?;
        if rows::rename(tx, redeemed.user_id, &typed, now).await? {
            return Ok(Some(attempt));
        }
    }
    // The present name may have been typed in another attempt, by someone else.
    rows::give_default_name(tx, redeemed.user_id, now).await?;
    Ok(Some(attempt))
}

/// Voids a sign-up that the mailbox's owner did not make.
#[utoipa::path(post, path = "/api/auth/not-me", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "Whether the sign-up is void now", body = Objected),
))]
pub async fn not_me(by: By<Anyone>, ApiJson(body): ApiJson<TokenBody>) -> AppResult<Json<Objected>> {
    let Some(token) = token_of(&by, &body).await? else { return Ok(Json(Objected { voided: false })) };
    let now = by.now();
    let mut tx = by.app.db.begin().await?;
    if let Some(redeemed) = links::redeem(&mut tx, now, Purpose::NotMe, &token).await?
        && let Some(attempt_id) = redeemed.attempt_id
    {
        tx.query(VOID_ATTEMPT).bind(attempt_id).bind(now).execute().await?;
        tx.query(VOID_LINKS).bind(attempt_id).bind(now).execute().await?;
        tx.query(FORGET).bind(redeemed.user_id).execute().await?;
        let entry =
            Entry::visitor("user_deleted", Some(redeemed.user_id), "not_me", &by.caller).on("signup_attempt");
        audit::record(&mut tx, now, &entry).await?;
        tx.commit().await?;
        return Ok(Json(Objected { voided: true }));
    }
    Ok(Json(Objected { voided: false }))
}

/// Sends the confirmation again. The answer is the same for every address, whether or not a mail is sent.
#[utoipa::path(post, path = "/api/auth/resend", tag = "auth", request_body = ResendBody, responses(
    (status = 200, description = "If the address waits for confirmation, a mail is on its way", body = Accepted),
))]
pub async fn resend(by: By<Anyone>, ApiJson(body): ApiJson<ResendBody>) -> AppResult<Response> {
    let started = Instant::now();
    let email = rules::email::Email::parse(&account_mail::to_ascii(&body.email))
        .map_err(|error| AppError::invalid("email", error))?;
    by.take("resend", rate_limit::RESEND).await?;
    let mail = by.mail(by.now());
    let mut tx = by.app.db.begin().await?;
    // The browser's own sign-up first: a newer one may be a stranger's.
    let browser = cookies::browser(&by.app.origin, &by.headers, Name::SignUp);
    let hash = browser.as_ref().map(Token::hash).unwrap_or_default();
    let newest = async |tx: &mut Tx| {
        let newest = tx.query(NEWEST).bind(email.as_str()).bind(hash.clone());
        newest.optional::<(UserId, Option<Uuid>)>().await
    };
    let mut waiting = newest(&mut tx).await?;
    // Before the global counter, as everywhere, so that senders never deadlock.
    if let Some((user_id, _)) = waiting {
        rows::lock(&mut tx, user_id).await?;
        // It may be confirmed by now, or have another sign-up.
        waiting = newest(&mut tx).await?;
    }
    // Refused for unknown addresses too, so that the answer does not reveal known ones.
    mail.check_global(&mut tx, Breaker::Confirmations).await?;
    if let Some((user_id, Some(attempt_id))) = waiting
        && mail.may_confirm_again(&mut tx, "resend-mail", email.as_str()).await?.is_ok()
    {
        mail.take_global(&mut tx, Breaker::Confirmations).await?;
        links::mail_confirmation(mail, &mut tx, user_id, attempt_id, email.as_str()).await?;
    }
    tx.commit().await?;
    pad_to_multiple(started, timing::MAILED).await;
    // For as long as the new link. Whether one was mailed stays unsaid.
    let set = browser.map(|browser| cookies::with(&by.app.origin, Name::SignUp, &browser));
    Ok((set.unwrap_or_default(), Json(Accepted {})).into_response())
}
