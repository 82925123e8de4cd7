//! Mail to account holders, in the transaction of its cause, and the form of their addresses.
//!
//! Each kind of letter has a separate budget, so that causing one kind never blocks another; only letters that are
//! sent count. Confirmations go to addresses that strangers name, and are counted by mailbox; resets and notices go to
//! an account, and are counted by it.

use deadwax_http::error::{AppError, AppResult};
pub use deadwax_mail::letter::to_ascii;
use deadwax_mail::{Label, Letter, Mail, OutboxError};
use deadwax_store::{clock::Micros, columns::Named as _, crypto::Keys, db::Tx, ids::UserId, limits, names};
use rules::rate_limit::{self, Exceeded, Window};

use crate::app::AppState;

names! {
    /// The hourly budgets of the whole website. Neither uses up the other.
    Breaker;
    /// Confirmations of sign-ups and of new addresses.
    Confirmations = "account-mail-global";
    Resets = "reset-mail-global";
}

names! {
    /// A notice to an account's owner, by the letter's kind in the outbox and in counters.
    Notice;
    /// A sign-up used the account's address.
    AlreadyRegistered = "already_registered";
    FailedSignIns = "failed_sign_ins";
    FailedCodes = "failed_codes";
    /// Another address was requested again.
    EmailChange = "email_change_notice";
    PasswordChanged = "password_changed";
    TwoFactorChanged = "two_factor_changed";
    RecoveryUsed = "recovery_used";
    RecoveryCodesReplaced = "recovery_codes_replaced";
    /// A session token was used twice.
    TokenReuse = "token_reuse";
}

impl Notice {
    const fn window(self) -> Window {
        match self {
            Self::AlreadyRegistered => rate_limit::SIGN_UP_NOTICE,
            Self::FailedSignIns | Self::FailedCodes => rate_limit::FAILURE_NOTICE,
            _ => rate_limit::NOTICE,
        }
    }
}

/// The letters of one moment.
#[derive(Clone, Copy, Debug)]
pub struct AccountMail<'a> {
    pub app: &'a AppState,
    pub now: Micros,
}

impl<'a> AccountMail<'a> {
    pub fn label(self) -> Label<'a> {
        self.app.label()
    }

    pub async fn enqueue(
        self,
        tx: &mut Tx,
        kind: &'static str,
        to: &str,
        letter: Letter,
        life: Option<Micros>,
    ) -> Result<(), OutboxError> {
        let mail = Mail { not_after: life.map(|life| self.now + life), ..Mail::new(kind, to, letter) };
        deadwax_mail::enqueue(tx, &self.app.keys, self.now, &mail).await.map(drop)
    }

    /// Queues a notice to an account's owner, unless the day's budget of its kind is used up.
    pub async fn notify(
        self,
        tx: &mut Tx,
        notice: Notice,
        (user_id, email): (UserId, &str),
        letter: Letter,
    ) -> Result<(), OutboxError> {
        if self.may_notify(tx, notice, user_id).await? {
            self.enqueue(tx, notice.as_str(), email, letter, None).await?;
        }
        Ok(())
    }

    async fn may_notify(self, tx: &mut Tx, notice: Notice, user_id: UserId) -> sqlx::Result<bool> {
        let key = format!("notice-{}:{user_id}", notice.as_str());
        self.take(tx, &key, notice.window()).await
    }

    /// Counts a notice that the account asked for `address`; whether it may be sent. The first of a day for an address
    /// is always allowed, so that no address becomes the account's unannounced.
    pub async fn may_tell_of_address(
        self,
        tx: &mut Tx,
        user_id: UserId,
        address: &str,
    ) -> sqlx::Result<bool> {
        let mac = self.app.keys.mac(&[b"new address", address.as_bytes()]);
        let first = format!("notice-address:{user_id}:{}", hex::encode(&mac[..16]));
        Ok(self.take(tx, &first, rate_limit::NEW_ADDRESS_NOTICE).await?
            || self.may_notify(tx, Notice::EmailChange, user_id).await?)
    }

    /// Counts a confirmation to a mailbox, ignoring tags, or says how long to wait: five a day may be sent.
    pub async fn may_confirm(self, tx: &mut Tx, email: &str) -> sqlx::Result<Result<(), Exceeded>> {
        let key = counter(&self.app.keys, "account-mail", email);
        limits::take_in(tx, &key, rate_limit::ADDRESS_MAIL_DAY, self.now).await
    }

    /// Counts a repeated confirmation of `kind`, or says how long to wait: one in 300 seconds may be sent, within the five
    /// a day of [`Self::may_confirm`].
    pub async fn may_confirm_again(
        self,
        tx: &mut Tx,
        kind: &str,
        email: &str,
    ) -> sqlx::Result<Result<(), Exceeded>> {
        let gap = (counter(&self.app.keys, kind, email), rate_limit::ADDRESS_MAIL);
        let day = (counter(&self.app.keys, "account-mail", email), rate_limit::ADDRESS_MAIL_DAY);
        self.take_both(tx, gap, day).await
    }

    /// Counts a reset of a confirmed account; whether it may be sent. A browser that the account knows has a second
    /// budget, which strangers cannot use up; its second click within the gap mails nothing.
    pub async fn may_reset(self, tx: &mut Tx, user_id: UserId, is_known: bool) -> sqlx::Result<bool> {
        let gap = (format!("reset-gap:{user_id}"), rate_limit::ADDRESS_MAIL);
        let day = (format!("reset-day:{user_id}"), rate_limit::RESET_DAY);
        let known_gap = format!("reset-known-gap:{user_id}");
        if self.take_both(tx, gap, day).await?.is_ok() {
            if is_known {
                self.take(tx, &known_gap, rate_limit::ADDRESS_MAIL).await?;
            }
            return Ok(true);
        }
        let gap = (known_gap, rate_limit::ADDRESS_MAIL);
        let day = (format!("reset-known-day:{user_id}"), rate_limit::RESET_KNOWN_DAY);
        Ok(is_known && self.take_both(tx, gap, day).await?.is_ok())
    }

    async fn take(self, tx: &mut Tx, key: &str, window: Window) -> sqlx::Result<bool> {
        Ok(limits::take_in(tx, key, window, self.now).await?.is_ok())
    }

    /// Takes one from both windows, or from neither.
    async fn take_both(
        self,
        tx: &mut Tx,
        gap: (String, Window),
        day: (String, Window),
    ) -> sqlx::Result<Result<(), Exceeded>> {
        // In the order of their keys, as everywhere, so that two transactions never wait for each other.
        if let Err(exceeded) = limits::peek_in(tx, &day.0, day.1, self.now).await? {
            return Ok(Err(exceeded));
        }
        if let Err(exceeded) = limits::take_in(tx, &gap.0, gap.1, self.now).await? {
            return Ok(Err(exceeded));
        }
        limits::take_in(tx, &day.0, day.1, self.now).await
    }

    /// Refuses when the website has sent its 300 letters of this hour.
    pub async fn check_global(self, tx: &mut Tx, breaker: Breaker) -> AppResult<()> {
        let left = limits::peek_in(tx, breaker.as_str(), rate_limit::MAIL_GLOBAL, self.now).await?;
        left.map(drop).map_err(breaker_open)
    }

    /// Counts a letter of the whole website, and refuses past 300 an hour.
    pub async fn take_global(self, tx: &mut Tx, breaker: Breaker) -> AppResult<()> {
        limits::take_in(tx, breaker.as_str(), rate_limit::MAIL_GLOBAL, self.now).await?.map_err(breaker_open)
    }
}

/// 503 until the next letter may be sent, because the caller did nothing too often.
fn breaker_open(exceeded: Exceeded) -> AppError {
    AppError::busy(exceeded.retry_after_seconds())
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
