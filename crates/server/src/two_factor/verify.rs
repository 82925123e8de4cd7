//! `verify_mfa`: verifies a session with a code. The session gets a new token, and counts as verified for twelve
//! hours.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{crypto::Token, db::Tx};
use http::StatusCode;
use rules::{messages::Code, mfa::Verdict};

use super::{answer::Done, attempt::Attempt, attempts, idempotency, idempotency::Replay, store};
use crate::auth::session;

/// 401: there is no session to verify.
pub(super) fn no_session() -> AppError {
    AppError::from_code(StatusCode::UNAUTHORIZED, Code::NoSession)
}

/// 409: the account has no second factor.
pub(super) fn not_enabled() -> AppError {
    AppError::from_code(StatusCode::CONFLICT, Code::NotEnabled)
}

/// Verifies a code. With a retired token only a repeated attempt is answered.
pub(super) async fn verify(
    attempt: &Attempt<'_>,
    is_retired: bool,
    typed: &str,
    request_id: Option<&str>,
) -> AppResult<Done> {
    let Attempt { app, me, .. } = attempt;
    let code = attempts::six_digits(typed)?;
    let mut tx = attempt.begin().await?;
    let failures = attempts::lock(&mut tx, attempt).await?;
    if let Some(request_id) = request_id {
        match idempotency::find(&mut tx, attempt, request_id, &code).await? {
            Replay::New => {}
            Replay::Same(answer) => return repeat(tx, attempt, &answer).await,
            Replay::Conflict => return Err(conflict()),
        }
    }
    if is_retired {
        return Err(no_session());
    }
    let failures = failures.map_err(attempts::too_many)?;
    let factor = store::Factor::lock(&mut tx, me.user_id).await?;
    let secret = factor.secret(&app.keys, me.user_id)?.ok_or_else(not_enabled)?;
    let (mut tx, step) =
        attempts::demand(tx, attempt, failures, &secret, factor.last_step, &code, request_id).await?;
    if !store::spend(&mut tx, me.user_id, step).await? {
        // Locks make this impossible; the statement itself ensures it too.
        return Err(attempts::refusal(Verdict::Invalid));
    }
    let token = prove(&mut tx, attempt, false).await?;
    attempt.record(&mut tx, "mfa_verified", "ok").await?;
    idempotency::remember(&mut tx, attempt, request_id, &code, "ok").await?;
    tx.commit().await?;
    Ok(Done::with_message(rules::mfa::text("ok", None)).with(token))
}

/// Answers a repeated attempt. A successful one gets a new token, because the last may not have arrived.
async fn repeat(mut tx: Tx, attempt: &Attempt<'_>, answer: &str) -> AppResult<Done> {
    if answer != "ok" {
        let known = [Verdict::Expired, Verdict::Skewed { offset: 0 }, Verdict::Invalid];
        let known = known.into_iter().find(|verdict| verdict.code() == answer);
        return Err(known.map_or_else(unknown_answer, attempts::refusal));
    }
    let token = session::renew(&mut tx, attempt.me.session_id, attempt.now).await?.ok_or_else(no_session)?;
    tx.commit().await?;
    Ok(Done::with_message(rules::mfa::text("ok", None)).with(token))
}

/// Records that the second factor was given and gives the session its next token; the earlier ones get 401 from the
/// commit on. An admin's session has the back office's rights from then on, which is audited. `is_recovery`: a
/// recovery code replaced the authenticator.
pub(super) async fn prove(tx: &mut Tx, attempt: &Attempt<'_>, is_recovery: bool) -> AppResult<Token> {
    let Attempt { me, now, .. } = attempt;
    session::verify(tx, &me.found, *now, is_recovery).await?;
    session::mark_reauthenticated(tx, me.session_id, *now).await?;
    if me.is_admin {
        attempt.record(tx, "authz_admin", "ok").await?;
    }
    session::rotate(tx, me.session_id, *now).await?.ok_or_else(no_session)
}

/// 422: a version with other answers answered the attempt.
fn unknown_answer() -> AppError {
    AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, Code::Internal)
        .with_detail(rules::mfa::text("internal", None))
}

fn conflict() -> AppError {
    AppError::from_code(StatusCode::CONFLICT, Code::RequestIdConflict)
}
