//! `POST /api/auth/mfa-recovery`: a mailed code of eight digits, or a recovery code, instead of the authenticator.
//! Wrong, expired and used codes get the same answer.

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
    clock::micros,
    crypto::{Keys, Token},
    db::Tx,
    ids::UserId,
    limits, statements,
};
use http::{HeaderMap, StatusCode};
use rules::{
    codes::{OFFLINE_CODES, RecoveryCode, offline_code},
    messages::Code,
    mfa::{RECOVERY_HOLD_MS, RECOVERY_MS, RECOVERY_TRIES},
    rate_limit::{Exceeded, RECOVERY_DAY, RECOVERY_MINUTE},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    attempts::{self, request_id},
    factor::Factor,
};
use crate::{
    accounts::{account_mail::Notice, rows, view},
    auth::{
        By,
        guard::{self, Actor, Verifying},
        session,
    },
};

statements! {
    VOID = "DELETE FROM recovery_codes WHERE user_id = $1 AND kind = 'mailed'";
    INSERT = "INSERT INTO recovery_codes (id, user_id, session_id, kind, code_mac, created_at, expires_at) \
        VALUES ($1, $2, $3, 'mailed', $4, $5, $6)";
    TRY = "UPDATE recovery_codes SET tries = tries + 1 \
        WHERE user_id = $1 AND session_id = $2 AND kind = 'mailed' AND used_at IS NULL AND expires_at > $3 \
            AND tries < $4 \
        RETURNING id, code_mac, tries";
    USE = "UPDATE recovery_codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL";
    DELETE_OFFLINE = "DELETE FROM recovery_codes WHERE user_id = $1 AND kind = 'offline'";
    INSERT_OFFLINE = "INSERT INTO recovery_codes (id, user_id, kind, code_mac, created_at) VALUES ($1, $2, 'offline', $3, $4)";
    USE_OFFLINE = "UPDATE recovery_codes SET used_at = $3 \
        WHERE user_id = $1 AND kind = 'offline' AND code_mac = $2 AND used_at IS NULL";
}

/// The outcome of a wrong code in the log and among the attempts.
const INVALID: &str = "recovery_code_invalid";

#[derive(Deserialize, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum RecoveryBody {
    /// Sends a code to the account's address.
    SendRecoveryCode {},
    VerifyRecoveryCode {
        /// The eight digits of the mail, or a recovery code.
        #[serde(rename = "recoveryCode")]
        recovery_code: String,
        /// Names the attempt: a repeated one gets the same answer for two minutes, and is counted once.
        request_id: Option<String>,
    },
}

#[derive(Default, Serialize, ToSchema)]
pub(super) struct RecoveryAnswer {
    /// True after sending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    sent: Option<bool>,
    /// Whether the given code was right.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    valid: Option<bool>,
    /// The session's next token, for programs that carry it themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    access_token: Option<String>,
    /// Always `bearer`, beside the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    token_type: Option<&'static str>,
}

/// Recovers this session from a lost authenticator.
#[utoipa::path(post, path = "/api/auth/mfa-recovery", tag = "auth", request_body = RecoveryBody, responses(
    (status = 200, description = "Sent; or whether the code is right, and then the session has a new token", body = RecoveryAnswer),
    (status = 401, description = "No session"),
    (status = 403, description = "`recovery_hold`: a link to reset the password was opened within a day"),
    (status = 409, description = "`not_enabled`: the account has no second factor; or `request_id_conflict`"),
    (status = 429, description = "Too many mails, or too many wrong codes"),
))]
pub(super) async fn recover(by: By<Verifying>, ApiJson(body): ApiJson<RecoveryBody>) -> AppResult<Response> {
    let is_retired = by.who.is_retired;
    match body {
        RecoveryBody::SendRecoveryCode {} if is_retired => Err(guard::not_authenticated()),
        RecoveryBody::SendRecoveryCode {} => send(by.act()).await,
        RecoveryBody::VerifyRecoveryCode { recovery_code, request_id: id } => {
            let id = request_id(id.as_deref(), &by.headers)?;
            redeem(by.act(), is_retired, &recovery_code, id.as_deref()).await
        }
    }
}

/// Whether a reset link in the mailbox was opened lately, so that it must not open the second factor too.
fn is_held(by: Actor<'_>) -> bool {
    let hold = micros(RECOVERY_HOLD_MS);
    by.me.reset_by_mail_at.is_some_and(|at| by.now - at < hold)
}

async fn send(by: Actor<'_>) -> AppResult<Response> {
    let Actor { app, me, now, .. } = by;
    if !me.factor_enabled {
        return Err(attempts::not_enabled());
    }
    if is_held(by) {
        return Err(AppError::from_code(StatusCode::FORBIDDEN, Code::RecoveryHold));
    }
    let user_id = me.user_id;
    let mut tx = rows::begin(by).await?;
    me.require_still(&mut tx, now).await?;
    let counters = vec![
        (format!("recovery-minute:{user_id}"), RECOVERY_MINUTE.into()),
        (format!("recovery-day:{user_id}"), RECOVERY_DAY.into()),
    ];
    limits::take_each_in(&mut tx, counters, now).await?;
    let code = format!("{:08}", rand::random_range(0..100_000_000_u32));
    let life = micros(RECOVERY_MS);
    tx.query(VOID).bind(user_id).execute().await?;
    let insert = tx.query(INSERT).bind(Uuid::now_v7()).bind(user_id).bind(me.session_id);
    insert.bind(app.keys.mac(&parts(by, &code))).bind(now).bind(now + life).execute().await?;
    by.record_unchecked(&mut tx, "recovery_sent", "ok", None).await?;
    let letter = letters::recovery_code(&app.label(), &code);
    by.mail().enqueue(&mut tx, "recovery_code", &me.email, letter, Some(life)).await?;
    tx.commit().await?;
    Ok(Json(RecoveryAnswer { sent: Some(true), ..RecoveryAnswer::default() }).into_response())
}

/// Redeems a code. With a retired token only a repeated attempt is answered.
async fn redeem(
    by: Actor<'_>,
    is_retired: bool,
    typed: &str,
    request_id: Option<&str>,
) -> AppResult<Response> {
    let Actor { app, me, now, .. } = by;
    let typed =
        rules::codes::recovery_code(typed).map_err(|refusal| AppError::invalid("recoveryCode", refusal))?;
    let (RecoveryCode::Mailed(code) | RecoveryCode::Offline(code)) = &typed;
    let mut tx = rows::begin(by).await?;
    let failures = attempts::lock(&mut tx, by).await?;
    let token = match attempts::find_replay(&mut tx, by, request_id, code).await?.as_deref() {
        // The last token may not have arrived.
        Some("ok") => {
            Some(session::renew(&mut tx, me.session_id, now).await?.ok_or_else(guard::not_authenticated)?)
        }
        Some(_) => None,
        None if is_retired => return Err(guard::not_authenticated()),
        None => {
            let token = judge(&mut tx, by, failures, &typed).await?;
            let answer = if token.is_some() { "ok" } else { INVALID };
            attempts::remember(&mut tx, by, request_id, code, answer).await?;
            token
        }
    };
    tx.commit().await?;
    let mut answer = RecoveryAnswer { valid: Some(token.is_some()), ..RecoveryAnswer::default() };
    let mut headers = HeaderMap::new();
    if let Some(token) = &token {
        (answer.access_token, answer.token_type) = view::hand_over(&app.origin, me.via, token, &mut headers);
    }
    Ok((headers, Json(answer)).into_response())
}

/// The session's next token, if the code is right.
async fn judge(
    tx: &mut Tx,
    by: Actor<'_>,
    failures: Result<attempts::Failures, Exceeded>,
    typed: &RecoveryCode,
) -> AppResult<Option<Token>> {
    let Actor { app, me, now, .. } = by;
    me.require_still(tx, now).await?;
    if !Factor::lock(tx, me.user_id).await?.is_enabled() {
        return Err(attempts::not_enabled());
    }
    let is_recovery = matches!(typed, RecoveryCode::Offline(_));
    let is_valid = match typed {
        RecoveryCode::Mailed(code) => is_mailed(tx, by, code).await?,
        RecoveryCode::Offline(code) => {
            failures.map_err(attempts::too_many)?;
            let mac = offline_mac(&app.keys, me.user_id, code);
            let is_one = tx.query(USE_OFFLINE).bind(me.user_id).bind(mac).bind(now).execute().await? > 0;
            if !is_one {
                attempts::count_failure(tx, by, INVALID).await?;
            }
            is_one
        }
    };
    if !is_valid {
        return Ok(None);
    }
    let token = attempts::prove(tx, by, is_recovery).await?;
    session::end_others(tx, me.user_id, Some(me.session_id)).await?;
    by.record_unchecked(tx, "recovery_used", "ok", None).await?;
    let letter = letters::recovery_used(&app.label(), is_recovery);
    by.notify(tx, Notice::RecoveryUsed, letter).await?;
    Ok(Some(token))
}

/// Compares a code with the one mailed for this session; the try is counted first. The owner is notified of the last
/// wrong try.
async fn is_mailed(tx: &mut Tx, by: Actor<'_>, code: &str) -> AppResult<bool> {
    let Actor { app, me, now, .. } = by;
    if is_held(by) {
        return Ok(false);
    }
    let most = i64::from(RECOVERY_TRIES);
    let try_one = tx.query(TRY).bind(me.user_id).bind(me.session_id).bind(now).bind(most);
    let Some((id, mac, tries)) = try_one.optional::<(Uuid, Vec<u8>, i64)>().await? else { return Ok(false) };
    if app.keys.is_mac(&mac, &parts(by, code)) {
        return Ok(tx.query(USE).bind(id).bind(now).execute().await? > 0);
    }
    by.record_unchecked(tx, "mfa_fail", INVALID, None).await?;
    if tries == most {
        attempts::notify_of_failures(tx, by).await?;
    }
    Ok(false)
}

/// The MAC's input for a mailed code of one session.
fn parts<'a>(by: Actor<'a>, code: &'a str) -> [&'a [u8]; 4] {
    let me = by.me;
    [b"recovery_code", me.user_id.0.as_bytes(), me.session_id.0.as_bytes(), code.as_bytes()]
}

/// `code` in upper case and without its hyphen.
fn offline_mac(keys: &Keys, user_id: UserId, code: &str) -> Vec<u8> {
    keys.mac(&[b"offline_code", user_id.0.as_bytes(), code.as_bytes()])
}

/// Replaces all codes of an account; returns them as they are shown, `XXXXX-XXXXX`.
pub(super) async fn replace_codes(tx: &mut Tx, by: Actor<'_>) -> sqlx::Result<Vec<String>> {
    let user_id = by.me.user_id;
    tx.query(DELETE_OFFLINE).bind(user_id).execute().await?;
    let codes: Vec<String> = (0..OFFLINE_CODES).map(|_| offline_code(rand::random())).collect();
    for code in &codes {
        let mac = offline_mac(&by.app.keys, user_id, &code.replace('-', ""));
        tx.query(INSERT_OFFLINE).bind(Uuid::now_v7()).bind(user_id).bind(mac).bind(by.now).execute().await?;
    }
    Ok(codes)
}
