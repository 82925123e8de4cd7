//! Judging codes: the account's counters, then the time steps of a code, then the cost of a wrong one; and `verify_mfa`, which gives a
//! verified session a new token that counts for twelve hours.
//!
//! Attempts are remembered for two minutes, so that a request whose answer was lost is answered again and not counted again.

use deadwax_http::{
    error::{AppError, AppResult},
    observe::X_REQUEST_ID,
};
use deadwax_mail::letters;
use deadwax_store::{
    clock::{Micros, micros, millis},
    crypto::Token,
    db::Tx,
    ids::SessionId,
    limits, statements,
};
use http::{HeaderMap, StatusCode};
use rules::{
    messages::Code,
    mfa::{self, ACCEPTED, Match, Repetition, SKEWED, Verdict, verdict},
    rate_limit::{Exceeded, MFA, MFA_DAY},
};

use super::{answer::Done, factor};
use crate::{
    accounts::{account_mail::Notice, rows},
    auth::{guard::Actor, session},
};

statements! {
    FIND = "SELECT code_mac, answer, created_at FROM mfa_attempts WHERE session_id = $1 AND request_id = $2";
    FORGET = "DELETE FROM mfa_attempts WHERE session_id = $1 AND created_at < $2";
    REMEMBER = "INSERT INTO mfa_attempts (session_id, request_id, code_mac, answer, created_at) \
        VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (session_id, request_id) DO UPDATE SET code_mac = $3, answer = $4, created_at = $5";
}

/// The wrong codes of an account, in five minutes and in a day.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failures {
    minutes: u32,
    day: u32,
}

/// The caller's name for the attempt: the body's, which must be valid, else the header's.
pub(super) fn request_id(in_body: Option<&str>, headers: &HeaderMap) -> AppResult<Option<String>> {
    let is_one = |id: &str| {
        (1..=rules::mfa::REQUEST_ID_MAX).contains(&id.len())
            && id.bytes().all(|byte| (b' '..=b'~').contains(&byte))
    };
    match in_body {
        Some(id) if is_one(id) => Ok(Some(id.to_owned())),
        Some(_) => Err(AppError::invalid("request_id", Code::InvalidRequestId)),
        None => {
            // Proxies write this header too, so an invalid one is ignored.
            let header = headers.get(X_REQUEST_ID).and_then(|id| id.to_str().ok()).filter(|id| is_one(id));
            Ok(header.map(str::to_owned))
        }
    }
}

/// A typed code without blanks; 422 unless it has six digits.
pub(super) fn six_digits(typed: &str) -> AppResult<String> {
    rules::codes::totp_code(typed).map_err(|refusal| AppError::invalid("totpCode", refusal))
}

fn keys(by: Actor<'_>) -> (String, String) {
    (format!("mfa-day:{}", by.me.user_id), format!("mfa:{}", by.me.user_id))
}

/// Reads and locks the account's counters until the transaction ends. Past a limit, returns the wait.
pub(super) async fn lock(tx: &mut Tx, by: Actor<'_>) -> AppResult<Result<Failures, Exceeded>> {
    let (day_key, minutes_key) = keys(by);
    let day = limits::peek_in(tx, &day_key, MFA_DAY, by.now).await?;
    let minutes = limits::peek_in(tx, &minutes_key, MFA, by.now).await?;
    Ok(match (minutes, day) {
        (Ok(minutes), Ok(day)) => Ok(Failures { minutes, day }),
        (Err(minutes), Err(day)) if day.retry_after_ms > minutes.retry_after_ms => Err(day),
        (Err(exceeded), _) | (_, Err(exceeded)) => Err(exceeded),
    })
}

pub(super) fn too_many(exceeded: Exceeded) -> AppError {
    tracing::info!(limit = "mfa", "excess_rate_limit_exceeded");
    let seconds = exceeded.retry_after_seconds();
    AppError::too_many_requests(seconds).with_detail(rules::mfa::rate_limited_text(seconds))
}

pub(super) struct Judged<'a> {
    pub(super) failures: Failures,
    pub(super) secret: &'a [u8],
    pub(super) last_step: i64,
    pub(super) code: &'a str,
    pub(super) request_id: Option<&'a str>,
}

/// Judges a code, and burns the future steps it belongs to. A wrong one is counted and committed, and refused. Otherwise
/// returns the transaction and the code's step.
pub(super) async fn demand(mut tx: Tx, by: Actor<'_>, judged: Judged<'_>) -> AppResult<(Tx, i64)> {
    let Judged { failures, secret, last_step, code, request_id } = judged;
    let user_id = by.me.user_id;
    let now_step = factor::step_at(by.now);
    let burned = factor::burned(&mut tx, user_id).await?;
    let found: Vec<Match> = factor::steps_of(secret, code, now_step)
        .into_iter()
        .map(|step| Match {
            offset: i32::try_from(step - now_step).unwrap_or(i32::MAX),
            spent: step <= last_step || burned.contains(&step),
        })
        .collect();
    for skewed in found.iter().filter(|found| SKEWED.contains(&found.offset)) {
        let oldest = now_step + i64::from(*ACCEPTED.start());
        factor::burn(&mut tx, user_id, now_step + i64::from(skewed.offset), oldest).await?;
    }
    let wrong = match verdict(failures.minutes, failures.day, &found) {
        Verdict::Accepted { offset } => return Ok((tx, now_step + i64::from(offset))),
        wrong => wrong,
    };
    if let Verdict::Skewed { .. } = wrong {
        by.record_unchecked(&mut tx, "mfa_burned", wrong.code(), None).await?;
    }
    count_failure(&mut tx, by, wrong.code()).await?;
    remember(&mut tx, by, request_id, code, wrong.code()).await?;
    tx.commit().await?;
    Err(refusal(wrong))
}

/// Counts and records a wrong code, and notifies the account's owner if it was the last one allowed for now.
pub(super) async fn count_failure(tx: &mut Tx, by: Actor<'_>, outcome: &str) -> AppResult<()> {
    let (day_key, minutes_key) = keys(by);
    // The counters are locked and were below their limits, so taking cannot be refused.
    let _ = limits::take_in(tx, &day_key, MFA_DAY, by.now).await?;
    let _ = limits::take_in(tx, &minutes_key, MFA, by.now).await?;
    by.record_unchecked(tx, "mfa_fail", outcome, None).await?;
    if lock(tx, by).await?.is_err() {
        by.record_unchecked(tx, "mfa_locked", outcome, None).await?;
        notify_of_failures(tx, by).await?;
    }
    Ok(())
}

/// Notifies the owner that someone has the password but not the second factor. During a set-up there is no notice.
pub(super) async fn notify_of_failures(tx: &mut Tx, by: Actor<'_>) -> AppResult<()> {
    if by.me.factor_enabled {
        by.notify(tx, Notice::FailedCodes, letters::failed_sign_ins(&by.app.label())).await?;
    }
    Ok(())
}

/// 422 for a wrong code, with the text of `rules::mfa`.
pub(super) fn refusal(wrong: Verdict) -> AppError {
    AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, wrong)
}

pub(super) fn no_session() -> AppError {
    AppError::from_code(StatusCode::UNAUTHORIZED, Code::NoSession)
}

pub(super) fn not_enabled() -> AppError {
    AppError::from_code(StatusCode::CONFLICT, Code::NotEnabled)
}

/// Verifies a code. With a retired token only a repeated attempt is answered.
pub(super) async fn verify(
    by: Actor<'_>,
    is_retired: bool,
    typed: &str,
    request_id: Option<&str>,
) -> AppResult<Done> {
    let Actor { app, me, .. } = by;
    let code = six_digits(typed)?;
    let mut tx = rows::begin(by).await?;
    let failures = lock(&mut tx, by).await?;
    if let Some(answer) = find_replay(&mut tx, by, request_id, &code).await? {
        return repeat(tx, by, &answer).await;
    }
    if is_retired {
        return Err(no_session());
    }
    let failures = failures.map_err(too_many)?;
    let factor = factor::Factor::lock(&mut tx, me.user_id).await?;
    let secret = factor.secret(&app.keys, me.user_id)?.ok_or_else(not_enabled)?;
    let last_step = factor.last_step;
    let judged = Judged { failures, secret: &secret, last_step, code: &code, request_id };
    let (mut tx, step) = demand(tx, by, judged).await?;
    if !factor::spend(&mut tx, me.user_id, step).await? {
        // Locks make this impossible; the statement itself ensures it too.
        return Err(refusal(Verdict::Invalid));
    }
    let token = prove(&mut tx, by, false).await?;
    by.record_unchecked(&mut tx, "mfa_verified", "ok", None).await?;
    remember(&mut tx, by, request_id, &code, "ok").await?;
    tx.commit().await?;
    Ok(Done::with_message(rules::mfa::text("ok", None)).with(token))
}

/// Answers a repeated attempt. A successful one gets a new token, because the last may not have arrived.
async fn repeat(mut tx: Tx, by: Actor<'_>, answer: &str) -> AppResult<Done> {
    if answer != "ok" {
        let known = [Verdict::Expired, Verdict::Skewed { offset: 0 }, Verdict::Invalid];
        let known = known.into_iter().find(|verdict| verdict.code() == answer);
        // Another version may have answered with another code.
        return Err(known.map_or_else(|| refusal(Verdict::Invalid), refusal));
    }
    let token = session::renew(&mut tx, by.me.session_id, by.now).await?.ok_or_else(no_session)?;
    tx.commit().await?;
    Ok(Done::with_message(rules::mfa::text("ok", None)).with(token))
}

/// Records that the second factor was given and gives the session its next token; the earlier ones get 401 from the
/// commit on. An admin's session has the back office's rights from then on, which is audited. `is_recovery`: a
/// recovery code replaced the authenticator.
pub(super) async fn prove(tx: &mut Tx, by: Actor<'_>, is_recovery: bool) -> AppResult<Token> {
    let Actor { me, now, .. } = by;
    session::verify(tx, &me.found, now, is_recovery).await?;
    session::mark_reauthenticated(tx, me.session_id, now).await?;
    if me.is_admin {
        by.record_unchecked(tx, "authz_admin", "ok", None).await?;
    }
    session::rotate(tx, me.session_id, now).await?.ok_or_else(no_session)
}

/// The MAC's input for a code under a request id; the code itself is not stored.
fn mac_parts<'a>(session_id: &'a SessionId, request_id: &'a str, code: &'a str) -> [&'a [u8]; 4] {
    [b"mfa_attempt", session_id.0.as_bytes(), request_id.as_bytes(), code.as_bytes()]
}

/// The answer's code of the attempt that this one repeats, if it does; 409 if the id came with another code.
pub(super) async fn find_replay(
    tx: &mut Tx,
    by: Actor<'_>,
    request_id: Option<&str>,
    code: &str,
) -> AppResult<Option<String>> {
    let Some(request_id) = request_id else { return Ok(None) };
    let session_id = by.me.session_id;
    let row =
        tx.query(FIND).bind(session_id).bind(request_id).optional::<(Vec<u8>, String, Micros)>().await?;
    let Some((mac, answer, at)) = row else { return Ok(None) };
    let is_same = by.app.keys.is_mac(&mac, &mac_parts(&session_id, request_id, code));
    match mfa::repetition(Some(millis(at)), is_same, millis(by.now)) {
        Repetition::New => Ok(None),
        Repetition::Same => Ok(Some(answer)),
        Repetition::Conflict => Err(AppError::from_code(StatusCode::CONFLICT, Code::RequestIdConflict)),
    }
}

pub(super) async fn remember(
    tx: &mut Tx,
    by: Actor<'_>,
    request_id: Option<&str>,
    code: &str,
    answer: &str,
) -> sqlx::Result<()> {
    let Some(request_id) = request_id else { return Ok(()) };
    let (session_id, now) = (by.me.session_id, by.now);
    tx.query(FORGET).bind(session_id).bind(now - micros(mfa::SAME_REQUEST_MS)).execute().await?;
    let mac = by.app.keys.mac(&mac_parts(&session_id, request_id, code));
    tx.query(REMEMBER).bind(session_id).bind(request_id).bind(mac).bind(answer).bind(now).execute().await?;
    Ok(())
}
