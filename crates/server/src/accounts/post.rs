//! Mail to account holders, in the transaction of its cause.

use crate::{
    app::AppState,
    clock::Micros,
    db::Tx,
    error::{AppError, AppResult},
    limits,
    mail::{self, Letter, Mail, Patience},
};
use rules::rate_limit;

use super::address;

const GLOBAL: &str = "account-mail-global";

/// Queues a letter. It goes when `tx` is committed and [`crate::mail::Mailer::sent_soon`] was called.
pub async fn queue(
    app: &AppState,
    tx: &mut Tx,
    now: Micros,
    kind: &'static str,
    to: &str,
    letter: Letter,
    not_after: Option<Micros>,
) -> AppResult<()> {
    let mail = Mail { kind, to, letter, reply_to: None, not_after, patience: Patience::Account };
    mail::enqueue(tx, &app.keys, now, &mail).await?;
    Ok(())
}

/// Whether a mailbox may get another letter that anybody can ask for: five a day, tags not counted.
pub async fn may_mail(app: &AppState, tx: &mut Tx, now: Micros, email: &str) -> AppResult<bool> {
    let key = mailbox_key(app, "account-mail", email);
    Ok(limits::take_in(tx, &key, rate_limit::ADDRESS_MAIL_DAY, now).await?.is_ok())
}

/// Whether a mailbox may get another letter of `kind`: one in 300 seconds, and five a day of all kinds.
pub async fn may_mail_again(
    app: &AppState,
    tx: &mut Tx,
    now: Micros,
    kind: &str,
    email: &str,
) -> AppResult<bool> {
    let key = mailbox_key(app, kind, email);
    if limits::take_in(tx, &key, rate_limit::ADDRESS_MAIL, now).await?.is_err() {
        return Ok(false);
    }
    may_mail(app, tx, now, email).await
}

/// Refuses with 503 when the whole website has sent its 300 letters of this hour, whoever they would go to.
pub async fn check_global(tx: &mut Tx, now: Micros) -> AppResult<()> {
    match limits::peek_in(tx, GLOBAL, rate_limit::MAIL_GLOBAL, now).await? {
        Ok(_) => Ok(()),
        Err(exceeded) => Err(AppError::busy(exceeded.retry_after_seconds())),
    }
}

/// Counts a letter of the whole website; past 300 an hour the service is busy.
pub async fn take_global(tx: &mut Tx, now: Micros) -> AppResult<()> {
    match limits::take_in(tx, GLOBAL, rate_limit::MAIL_GLOBAL, now).await? {
        Ok(()) => Ok(()),
        Err(exceeded) => Err(AppError::busy(exceeded.retry_after_seconds())),
    }
}

/// Names a mailbox in counters without holding its address.
fn mailbox_key(app: &AppState, kind: &str, email: &str) -> String {
    let mac = app.keys.mac(&[b"mailbox", address::mailbox(email).as_bytes()]);
    format!("{kind}:{}", hex::encode(&mac[..16]))
}
