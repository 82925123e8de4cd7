//! Judging a code: the account's counters, then the time steps it belongs to, then the cost of a wrong one.

use deadwax_http::error::{AppError, AppResult};
use deadwax_mail::{OutboxError, letters};
use deadwax_store::{db::Tx, limits};
use http::StatusCode;
use rules::{
    mfa::{ACCEPTED, Match, SKEWED, Verdict, verdict},
    rate_limit::{Exceeded, MFA, MFA_DAY},
};

use super::{attempt::Attempt, authenticator, idempotency, store};
use crate::accounts::account_mail::{self, Notice};

/// The wrong codes of an account, in five minutes and in a day.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failures {
    minutes: u32,
    day: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// It is right; the transaction uses up its step.
    Right { step: i64 },
    /// It is wrong, and must be counted.
    Wrong(Verdict),
}

/// A typed code without blanks; 422 unless it has six digits.
pub(super) fn six_digits(typed: &str) -> AppResult<String> {
    rules::codes::totp_code(typed).map_err(|refusal| AppError::invalid("totpCode", refusal))
}

fn keys(attempt: &Attempt<'_>) -> (String, String) {
    (format!("mfa-day:{}", attempt.me.user_id), format!("mfa:{}", attempt.me.user_id))
}

/// Reads and locks the account's counters until the transaction ends. Past a limit, returns the wait.
pub(super) async fn lock(tx: &mut Tx, attempt: &Attempt<'_>) -> AppResult<Result<Failures, Exceeded>> {
    let (day_key, minutes_key) = keys(attempt);
    let day = limits::peek_in(tx, &day_key, MFA_DAY, attempt.now).await?;
    let minutes = limits::peek_in(tx, &minutes_key, MFA, attempt.now).await?;
    Ok(match (minutes, day) {
        (Ok(minutes), Ok(day)) => Ok(Failures { minutes, day }),
        (Err(minutes), Err(day)) if day.retry_after_ms > minutes.retry_after_ms => Err(day),
        (Err(exceeded), _) | (_, Err(exceeded)) => Err(exceeded),
    })
}

/// 429 with the text of the second factor.
pub(super) fn too_many(exceeded: Exceeded) -> AppError {
    tracing::info!(limit = "mfa", "excess_rate_limit_exceeded");
    let seconds = exceeded.retry_after_seconds();
    AppError::too_many_requests(seconds).with_detail(rules::mfa::rate_limited_text(seconds))
}

/// Judges a code by `secret`, and burns the future steps it belongs to.
pub(super) async fn judge(
    tx: &mut Tx,
    attempt: &Attempt<'_>,
    failures: Failures,
    secret: &[u8],
    last_step: i64,
    code: &str,
) -> AppResult<Judgement> {
    let user_id = attempt.me.user_id;
    let now_step = authenticator::step_at(attempt.now);
    let burned = store::burned(tx, user_id).await?;
    let found: Vec<Match> = authenticator::steps_of(secret, code, now_step)
        .into_iter()
        .map(|step| Match {
            offset: i32::try_from(step - now_step).unwrap_or(i32::MAX),
            spent: step <= last_step || burned.contains(&step),
        })
        .collect();
    for skewed in found.iter().filter(|found| SKEWED.contains(&found.offset)) {
        let oldest = now_step + i64::from(*ACCEPTED.start());
        store::burn(tx, user_id, now_step + i64::from(skewed.offset), oldest).await?;
    }
    Ok(match verdict(failures.minutes, failures.day, &found) {
        Verdict::Accepted { offset } => Judgement::Right { step: now_step + i64::from(offset) },
        wrong => Judgement::Wrong(wrong),
    })
}

/// Judges a code. A wrong one is counted and committed, and refused. Otherwise returns the transaction and the code's
/// step.
pub(super) async fn demand(
    mut tx: Tx,
    attempt: &Attempt<'_>,
    failures: Failures,
    secret: &[u8],
    last_step: i64,
    code: &str,
    request_id: Option<&str>,
) -> AppResult<(Tx, i64)> {
    match judge(&mut tx, attempt, failures, secret, last_step, code).await? {
        Judgement::Right { step } => Ok((tx, step)),
        Judgement::Wrong(wrong) => {
            if let Verdict::Skewed { .. } = wrong {
                attempt.record(&mut tx, "mfa_burned", wrong.code()).await?;
            }
            count_failure(&mut tx, attempt, wrong.code()).await?;
            idempotency::remember(&mut tx, attempt, request_id, code, wrong.code()).await?;
            tx.commit().await?;
            Err(refusal(wrong))
        }
    }
}

/// Counts and records a wrong code, and notifies the account's owner if it was the last one allowed for now.
pub(super) async fn count_failure(tx: &mut Tx, attempt: &Attempt<'_>, outcome: &str) -> AppResult<()> {
    let (day_key, minutes_key) = keys(attempt);
    // The counters are locked and were below their limits, so taking cannot be refused.
    let _ = limits::take_in(tx, &day_key, MFA_DAY, attempt.now).await?;
    let _ = limits::take_in(tx, &minutes_key, MFA, attempt.now).await?;
    attempt.record(tx, "mfa_fail", outcome).await?;
    if lock(tx, attempt).await?.is_err() {
        attempt.record(tx, "mfa_locked", outcome).await?;
        tell_of_failures(tx, attempt).await?;
    }
    Ok(())
}

/// Notifies the owner that someone has the password but not the second factor. During a set-up there is no notice.
pub(super) async fn tell_of_failures(tx: &mut Tx, attempt: &Attempt<'_>) -> Result<(), OutboxError> {
    let Attempt { app, me, now, .. } = attempt;
    if !me.factor_enabled {
        return Ok(());
    }
    let letter = letters::failed_sign_ins(&app.label());
    account_mail::notify(&app.keys, tx, *now, Notice::FailedCodes, (me.user_id, &me.email), letter).await
}

/// 422 for a wrong code, with the text of `rules::mfa`.
pub(super) fn refusal(wrong: Verdict) -> AppError {
    AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, wrong)
}
