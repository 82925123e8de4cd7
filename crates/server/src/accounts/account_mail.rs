//! Mail to account holders, in the transaction of its cause, and the form of their addresses.
//!
//! Each kind of letter has a separate budget, so that causing one kind never blocks another; only letters that are
//! sent count. Confirmations go to addresses that strangers name, and are counted by mailbox; resets and notices go to
//! an account, and are counted by it.

use deadwax_mail::{Letter, Mail, OutboxError};
use deadwax_store::{clock::Micros, crypto::Keys, db::Tx, limits};
use rules::rate_limit::{self, Exceeded, Window};
use uuid::Uuid;

/// The hourly budgets of the whole website. Neither uses up the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaker {
    /// Confirmations of sign-ups and of new addresses.
    Confirmations,
    Resets,
}

impl Breaker {
    const fn key(self) -> &'static str {
        match self {
            Self::Confirmations => "account-mail-global",
            Self::Resets => "reset-mail-global",
        }
    }
}

/// Why a letter of the website's hourly budget is not sent.
#[derive(Debug, thiserror::Error)]
pub enum BreakerError {
    /// The budget is used up; with the wait until the next letter.
    #[error("the website's letters of this hour have gone, for another {} s", .0.retry_after_seconds())]
    Open(Exceeded),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// A notice to an account's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A sign-up used the account's address.
    AlreadyRegistered,
    FailedSignIns,
    FailedCodes,
    /// Another address was requested again.
    EmailChange,
    PasswordChanged,
    TwoFactorChanged,
    RecoveryUsed,
    RecoveryCodesReplaced,
    /// A session token was used twice.
    TokenReuse,
}

impl Notice {
    /// The letter's kind, in the outbox and in counters.
    const fn kind(self) -> &'static str {
        match self {
            Self::AlreadyRegistered => "already_registered",
            Self::FailedSignIns => "failed_sign_ins",
            Self::FailedCodes => "failed_codes",
            Self::EmailChange => "email_change_notice",
            Self::PasswordChanged => "password_changed",
            Self::TwoFactorChanged => "two_factor_changed",
            Self::RecoveryUsed => "recovery_used",
            Self::RecoveryCodesReplaced => "recovery_codes_replaced",
            Self::TokenReuse => "token_reuse",
        }
    }

    const fn window(self) -> Window {
        match self {
            Self::AlreadyRegistered => rate_limit::SIGN_UP_NOTICE,
            Self::FailedSignIns | Self::FailedCodes => rate_limit::FAILURE_NOTICE,
            _ => rate_limit::NOTICE,
        }
    }
}

/// Queues a letter.
pub async fn enqueue(
    keys: &Keys,
    tx: &mut Tx,
    now: Micros,
    kind: &'static str,
    to: &str,
    letter: Letter,
    not_after: Option<Micros>,
) -> Result<(), OutboxError> {
    let mail = Mail { not_after, ..Mail::new(kind, to, letter) };
    deadwax_mail::enqueue(tx, keys, now, &mail).await?;
    Ok(())
}

/// Queues a notice to an account's owner, unless the day's budget of its kind is used up.
pub async fn notify(
    keys: &Keys,
    tx: &mut Tx,
    now: Micros,
    notice: Notice,
    (user_id, email): (Uuid, &str),
    letter: Letter,
) -> Result<(), OutboxError> {
    if !may_notify(tx, now, notice, user_id).await? {
        return Ok(());
    }
    enqueue(keys, tx, now, notice.kind(), email, letter, None).await
}

/// Counts a notice; whether it may be sent.
async fn may_notify(tx: &mut Tx, now: Micros, notice: Notice, user_id: Uuid) -> sqlx::Result<bool> {
    let key = format!("notice-{}:{user_id}", notice.kind());
    Ok(limits::take_in(tx, &key, notice.window(), now).await?.is_ok())
}

/// Counts a notice that the account asked for `address`; whether it may be sent. The first of a day for an address is
/// always allowed, so that no address becomes the account's unannounced.
pub async fn may_tell_of_address(
    keys: &Keys,
    tx: &mut Tx,
    now: Micros,
    user_id: Uuid,
    address: &str,
) -> sqlx::Result<bool> {
    let mac = keys.mac(&[b"new address", address.as_bytes()]);
    let first = format!("notice-address:{user_id}:{}", hex::encode(&mac[..16]));
    if limits::take_in(tx, &first, rate_limit::NEW_ADDRESS_NOTICE, now).await?.is_ok() {
        return Ok(true);
    }
    may_notify(tx, now, Notice::EmailChange, user_id).await
}

/// Counts a confirmation to a mailbox, ignoring tags; whether it may be sent: five a day.
pub async fn may_confirm(keys: &Keys, tx: &mut Tx, now: Micros, email: &str) -> sqlx::Result<bool> {
    let key = counter(keys, "account-mail", email);
    Ok(limits::take_in(tx, &key, rate_limit::ADDRESS_MAIL_DAY, now).await?.is_ok())
}

/// Counts a repeated confirmation of `kind`; whether it may be sent: one in 300 seconds, within the five a day of
/// [`may_confirm`].
pub async fn may_confirm_again(
    keys: &Keys,
    tx: &mut Tx,
    now: Micros,
    kind: &str,
    email: &str,
) -> sqlx::Result<bool> {
    let gap = (counter(keys, kind, email), rate_limit::ADDRESS_MAIL);
    let day = (counter(keys, "account-mail", email), rate_limit::ADDRESS_MAIL_DAY);
    take_both(tx, now, gap, day).await
}

/// Counts a reset of a confirmed account; whether it may be sent. A browser that the account knows has a second
/// budget, which strangers cannot use up.
pub async fn may_reset(tx: &mut Tx, now: Micros, user_id: Uuid, is_known: bool) -> sqlx::Result<bool> {
    let gap = (format!("reset-gap:{user_id}"), rate_limit::ADDRESS_MAIL);
    let day = (format!("reset-day:{user_id}"), rate_limit::RESET_DAY);
    if take_both(tx, now, gap, day).await? {
        return Ok(true);
    }
    let gap = (format!("reset-known-gap:{user_id}"), rate_limit::ADDRESS_MAIL);
    let day = (format!("reset-known-day:{user_id}"), rate_limit::RESET_KNOWN_DAY);
    Ok(is_known && take_both(tx, now, gap, day).await?)
}

/// Takes one from both windows, or from neither.
async fn take_both(
    tx: &mut Tx,
    now: Micros,
    (gap_key, gap): (String, Window),
    (day_key, day): (String, Window),
) -> sqlx::Result<bool> {
    // In the order of their keys, as everywhere, so that two transactions never wait for each other.
    let day_left = limits::peek_in(tx, &day_key, day, now).await?.is_ok();
    if !day_left || limits::take_in(tx, &gap_key, gap, now).await?.is_err() {
        return Ok(false);
    }
    Ok(limits::take_in(tx, &day_key, day, now).await?.is_ok())
}

/// Refuses when the website has sent its 300 letters of this hour.
pub async fn check_global(tx: &mut Tx, now: Micros, breaker: Breaker) -> Result<(), BreakerError> {
    match limits::peek_in(tx, breaker.key(), rate_limit::MAIL_GLOBAL, now).await? {
        Ok(_) => Ok(()),
        Err(exceeded) => Err(BreakerError::Open(exceeded)),
    }
}

/// Counts a letter of the whole website, and refuses past 300 an hour.
pub async fn take_global(tx: &mut Tx, now: Micros, breaker: Breaker) -> Result<(), BreakerError> {
    match limits::take_in(tx, breaker.key(), rate_limit::MAIL_GLOBAL, now).await? {
        Ok(()) => Ok(()),
        Err(exceeded) => Err(BreakerError::Open(exceeded)),
    }
}

/// The address with its domain in ASCII. One that cannot be converted is left for the rules to refuse.
pub fn to_ascii(input: &str) -> String {
    let typed = rules::email::tidied(input);
    match typed.rsplit_once('@') {
        Some((local, domain)) if !domain.is_ascii() => match idna::domain_to_ascii_strict(domain) {
            Ok(domain) => format!("{local}@{domain}"),
            Err(_) => typed,
        },
        _ => typed,
    }
}

/// The mailbox of an address for counting mail: without its tag behind a plus sign.
fn mailbox(email: &str) -> String {
    match email.split_once('@') {
        Some((local, domain)) => format!("{}@{domain}", local.split('+').next().unwrap_or(local)),
        None => email.to_owned(),
    }
}

/// The key of a mailbox in counters of `kind`, without its address.
pub fn counter(keys: &Keys, kind: &str, email: &str) -> String {
    let mac = keys.mac(&[b"mailbox", mailbox(email).as_bytes()]);
    format!("{kind}:{}", hex::encode(&mac[..16]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_becomes_ascii_and_the_rest_stays_as_typed() {
        for (typed, expected) in [
            (" Max@Example.org ", "Max@Example.org"),
            ("max@bücher.example", "max@xn--bcher-kva.example"),
            ("Max <max＠bücher。example>", "max@xn--bcher-kva.example"),
            ("mıke@example.org", "mıke@example.org"),
            ("max@", "max@"),
            ("max@a b.é", "max@a b.é"),
            ("nobody", "nobody"),
        ] {
            assert_eq!(to_ascii(typed), expected);
        }
    }

    #[test]
    fn tags_share_a_mailbox() {
        assert_eq!(mailbox("max+news@example.org"), "max@example.org");
        assert_eq!(mailbox("max@example.org"), "max@example.org");
    }
}
