//! Signing in with an address or a username, and reauthentication.
//!
//! Unknown accounts, wrong passwords and unconfirmed accounts with a wrong password get the same answer after the same
//! work. Every try is counted before its password is compared, and given back if the password was right.

use std::collections::BTreeMap;

use axum::response::Response;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_mail::letters;
use deadwax_store::{
    clock::Micros,
    crypto::Keys,
    db::{Db, Tx},
    ids::{SessionId, UserId},
    limits::{self, Counter, LimitError},
    statements,
};
use http::StatusCode;
use rules::{
    login::{self, Identifier, LoginForm},
    login_lock,
    messages::Code,
    password::{self, Password},
    rate_limit::{self, Window},
};
use serde::Deserialize;
use tokio::time::Instant;
use tracing::Instrument as _;
use utoipa::ToSchema;

use super::{
    account_mail::{self, Notice},
    sessions::end_replaced,
    view::{self, SessionView},
};
use crate::{
    accounts::{account_mail::AccountMail, hashing::Comparison},
    app::AppState,
    audit::{self, Entry},
    auth::{
        By,
        cookies::{self, Device, Name},
        guard::{Actor, Visitor},
        session::{self, TokenTransport},
    },
    requests::{
        caller::Caller,
        timing::{self, pad_to_multiple},
    },
};

// Before the address is confirmed, the newest sign-up's password counts.
macro_rules! select {
    ($whose:literal) => {
        concat!(
            "SELECT u.id, u.email, u.password_changed_at, u.confirmed_at IS NOT NULL AS is_confirmed, \
                 COALESCE(u.password_hash, (SELECT t.password_hash FROM signup_attempts t \
                     WHERE t.user_id = u.id AND t.voided_at IS NULL \
                     ORDER BY t.created_at DESC, t.id DESC LIMIT 1)) AS password_hash \
             FROM users u ",
            $whose
        )
    };
}

statements! {
    BY_EMAIL = select!("WHERE u.email = $1");
    BY_USERNAME = select!("JOIN profiles p ON p.id = u.id WHERE p.username_key = $1");
    BY_ID = "SELECT u.id, u.email, u.password_changed_at, u.confirmed_at IS NOT NULL AS is_confirmed, u.password_hash \
        FROM users u \
        WHERE u.id = $1";
    // A change of password waits for the sign-in, or the sign-in for it, which then finds a newer password.
    IS_CURRENT = "SELECT id FROM users WHERE id = $1 AND password_changed_at = $2", postgres + " FOR SHARE";
    REHASH = "UPDATE users SET password_hash = $2 WHERE id = $1 AND password_hash = $3";
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInBody {
    /// An e-mail address or a username.
    identifier: String,
    #[schema(value_type = String, format = Password)]
    password: Password,
    /// Asks for the session's token in the answer instead of a cookie, for programs.
    #[serde(default)]
    token_in_body: bool,
}

#[derive(Debug, sqlx_macros::FromRow)]
struct Account {
    id: UserId,
    email: String,
    password_changed_at: Micros,
    is_confirmed: bool,
    password_hash: Option<String>,
}

/// Signs in. If the answer brings a cookie, the session of the previous cookie ends.
#[utoipa::path(post, path = "/api/auth/sign-in", tag = "auth", request_body = SignInBody, responses(
    (status = 200, description = "Signed in; `mfaRequired` says whether the second factor comes next", body = SessionView),
    (status = 401, description = "Wrong email, username or password"),
    (status = 403, description = "The right password of an address that is not confirmed"),
    (status = 429, description = "Too many tries, even with the right password"),
    (status = 503, description = "Too many sign-ins at once"),
))]
pub async fn sign_in(by: By<Visitor>, ApiJson(body): ApiJson<SignInBody>) -> AppResult<Response> {
    let (started, app) = (Instant::now(), &by.app);
    let form = LoginForm { identifier: body.identifier, password: body.password };
    let login = login::check_login(form).map_err(AppError::validation)?;
    let (account, typed) = look_up(&app.db, &app.keys, &login.identifier).await?;
    let device = account.as_ref().and_then(|account| by.device(account.id, account.password_changed_at));
    let counted = Tries::of_sign_in(&by.caller, &typed, account.as_ref(), device.as_ref());
    let attempt = Attempt { app, caller: &by.caller, started, tries: counted };
    attempt.take().await?;
    let comparison = attempt.compare(&login.password, account.as_ref()).await?;
    let Some(account) = account.filter(|_| comparison != Comparison::Wrong) else {
        return Err(attempt.refuse_evenly().await?);
    };
    if !account.is_confirmed {
        attempt.give_back().await?;
        return Err(AppError::from_code(StatusCode::FORBIDDEN, Code::EmailNotConfirmed));
    }
    let now = by.now();
    let mut tx = app.db.begin().await?;
    if !is_current(&mut tx, &account).await? {
        drop(tx);
        return Err(attempt.refuse_evenly().await?);
    }
    let failures = attempt.give_back_in(&mut tx, now).await?;
    let (session_id, token) = session::create(&mut tx, now, account.id, &by.caller).await?;
    let event = if failures > 0 { "authn_login_successafterfail" } else { "authn_login_success" };
    let entry = Entry::new_session(event, account.id, session_id, &by.caller);
    audit::record(&mut tx, now, &entry).await?;
    let via = if body.token_in_body { TokenTransport::Bearer } else { TokenTransport::Cookie };
    let before = by.who.0.as_ref().filter(|_| via == TokenTransport::Cookie);
    end_replaced(&mut tx, now, before, &by.caller).await?;
    tx.commit().await?;
    let mut response = view::with_token(app, session_id, &token, via).await?;
    let device = device.unwrap_or_else(Device::random);
    let device = device.sign(&app.keys, account.id, account.password_changed_at, now);
    cookies::set(&app.origin, response.headers_mut(), Name::Device, &device);
    Ok(response)
}

/// Reauthenticates by the password: renews the ten minutes in which a change of password, address or second factor
/// asks for none. 401 for a wrong one, 429 past the limits of the session.
pub async fn confirm_password(by: Actor<'_>, password: &Password) -> AppResult<()> {
    let Actor { app, me, caller, now } = by;
    let attempt =
        Attempt { app, caller, started: Instant::now(), tries: Tries::of_session(me.user_id, me.session_id) };
    let permit = super::password::permit(app, me.user_id)?;
    attempt.take().await?;
    let account = app.db.query(BY_ID).bind(me.user_id).optional::<Account>().await?;
    let comparison = attempt.compare(password, account.as_ref()).await?;
    drop(permit);
    let wrong = async || Err(attempt.refuse_evenly().await?.with_detail(Code::WrongPassword.text()));
    let Some(account) = account.filter(|_| comparison != Comparison::Wrong) else { return wrong().await };
    let mut tx = app.db.begin().await?;
    if !is_current(&mut tx, &account).await? {
        drop(tx);
        return wrong().await;
    }
    attempt.give_back_in(&mut tx, now).await?;
    session::mark_reauthenticated(&mut tx, me.session_id, now).await?;
    Ok(tx.commit().await?)
}

/// Finds the account of an identifier. Returns the identifier's code for counters too, which hold no address.
async fn look_up(db: &Db, keys: &Keys, identifier: &Identifier) -> sqlx::Result<(Option<Account>, String)> {
    let (account, text) = match identifier {
        Identifier::Email(typed) => {
            let email = account_mail::to_ascii(typed);
            (db.query(BY_EMAIL).bind(&email).optional::<Account>().await?, email)
        }
        Identifier::Username(key) => {
            (db.query(BY_USERNAME).bind(key).optional::<Account>().await?, key.clone())
        }
        Identifier::Invalid => (None, String::new()),
    };
    Ok((account, hex::encode(&keys.mac(&[b"identifier", text.as_bytes()])[..16])))
}

#[derive(Debug)]
struct Tries {
    account: Option<UserId>,
    /// The counters that are taken before the password is compared, and given back if it was right.
    counters: Vec<Counter>,
    /// The hourly counters whose sum decides whether the owner is notified.
    failure_counters: Vec<String>,
}

impl Tries {
    /// A sign-in. An unknown account is counted like a known one, under the typed identifier. With a client address
    /// the identifier is counted, not the account, so that ten tries with an address do not show, by the refusal of a
    /// username, that both belong together. The hour's thirty tries are the account's, and do.
    fn of_sign_in(caller: &Caller, typed: &str, account: Option<&Account>, device: Option<&Device>) -> Self {
        let subject = account.map_or_else(|| typed.to_owned(), |account| account.id.to_string());
        let (strangers, devices) =
            (format!("sign-in-account:{subject}"), format!("sign-in-devices:{subject}"));
        let mut counters = Vec::new();
        if let Some(device) = device {
            // Strangers cannot lock out a browser that the account knows, not even from the same address.
            let key = format!("sign-in-device:{subject}:{}", device.name());
            counters.push((key, rate_limit::SIGN_IN_PAIR.into()));
            counters.push((devices.clone(), rate_limit::SIGN_IN_ACCOUNT.into()));
        } else {
            let address = caller.address;
            counters.extend(limits::by_network("sign-in-address", address, rate_limit::SIGN_IN_ADDRESS));
            let key = format!("sign-in:{typed}:{}", caller.network());
            counters.push((key, rate_limit::SIGN_IN_PAIR.into()));
            counters.push((strangers.clone(), rate_limit::SIGN_IN_ACCOUNT.into()));
        }
        Self {
            account: account.map(|account| account.id),
            counters,
            failure_counters: vec![strangers, devices],
        }
    }

    /// Reauthentication, counted by the session only, so that no one outside it can use up its tries.
    fn of_session(user_id: UserId, session_id: SessionId) -> Self {
        let hour = format!("reauthenticate-hour:{session_id}");
        let counters = vec![
            (format!("reauthenticate:{session_id}"), rate_limit::SIGN_IN_PAIR.into()),
            (hour.clone(), rate_limit::SIGN_IN_ACCOUNT.into()),
        ];
        Self { account: Some(user_id), counters, failure_counters: vec![hour] }
    }
}

/// A try with a password.
struct Attempt<'a> {
    app: &'a AppState,
    caller: &'a Caller,
    started: Instant,
    tries: Tries,
}

impl Attempt<'_> {
    /// Counts it; 429 with the text of the sign-in.
    async fn take(&self) -> AppResult<()> {
        let taken = limits::take_each(&self.app.db, self.tries.counters.clone(), self.app.clock.now()).await;
        taken.map_err(|error| match error {
            LimitError::Exceeded(exceeded) => AppError::rate_limited(exceeded)
                .with_detail(login_lock::too_many_text(exceeded.retry_after_seconds())),
            LimitError::Database(cause) => cause.into(),
        })
    }

    /// Compares with the stored hash. If nothing could be compared, the counted try is given back.
    async fn compare(&self, password: &Password, account: Option<&Account>) -> AppResult<Comparison> {
        let app = self.app;
        let stored = account.and_then(|account| account.password_hash.clone());
        let compared = if password::can_be_right(password.expose()) {
            app.hasher.compare(password, stored.clone()).await
        } else {
            app.hasher.compare(&Password::from(""), None).await
        };
        let comparison = match compared {
            Ok(comparison) => comparison,
            Err(error) => {
                self.give_back().await?;
                return Err(error.into());
            }
        };
        if let (Comparison::NeedsRehash, Some(account), Some(stored)) = (comparison, account, stored) {
            let rehash = async {
                let stronger = app.hasher.hash(password).await?;
                app.db.write(REHASH).bind(account.id).bind(stronger).bind(stored).execute().await?;
                AppResult::Ok(())
            };
            if let Err(error) = rehash.await {
                // Not fatal: the password is right.
                tracing::warn!(cause = error.cause(), "hashing a password with more effort");
            }
        }
        Ok(comparison)
    }

    /// As [`Self::refuse`], after the time that any refusal takes.
    async fn refuse_evenly(&self) -> AppResult<AppError> {
        let refused = self.refuse().await;
        pad_to_multiple(self.started, timing::HASHED).await;
        refused
    }

    /// Records a failed try. From the fifth of an hour on, the account's owner is notified after the answer, once a day.
    async fn refuse(&self) -> AppResult<AppError> {
        let Self { app, tries, .. } = self;
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let windows = tries.counters.iter().filter_map(|(key, limit)| match limit {
            limits::Limit::Window(window) => Some((key, *window)),
            limits::Limit::Rate(_) => None,
        });
        // Together with the counters that were not taken, in the order of their keys.
        let hourly = tries.failure_counters.iter().map(|key| (key, rate_limit::SIGN_IN_ACCOUNT));
        let looked_at: BTreeMap<&String, Window> = windows.chain(hourly).collect();
        let (mut failures, mut is_locked) = (0, false);
        for (key, window) in looked_at {
            let counted = limits::peek_in(&mut tx, key, window, now).await?.unwrap_or(window.max);
            is_locked |= counted == window.max;
            if tries.failure_counters.contains(key) {
                failures += counted;
            }
        }
        let event = if is_locked { "authn_login_lock" } else { "authn_login_fail" };
        let entry = Entry::visitor(event, tries.account, "invalid_credentials", self.caller);
        audit::record(&mut tx, now, &entry).await?;
        tx.commit().await?;
        if let (Some(user_id), true) = (tries.account, failures >= rate_limit::SIGN_IN_FAILURES_NOTIFIED) {
            let app = AppState::clone(app);
            let background = app.background.clone();
            let notice = async move {
                if let Err(error) = notify_owner(&app, user_id, now).await {
                    tracing::warn!(cause = error.cause(), "notifying an account's owner of failed sign-ins");
                }
            };
            background.spawn(notice.in_current_span());
        }
        Ok(AppError::from_code(StatusCode::UNAUTHORIZED, Code::InvalidCredentials))
    }

    async fn give_back(&self) -> sqlx::Result<()> {
        let mut tx = self.app.db.begin().await?;
        self.give_back_in(&mut tx, self.app.clock.now()).await?;
        tx.commit().await
    }

    /// Gives back the counted try; returns the remaining failures of the narrowest counter.
    async fn give_back_in(&self, tx: &mut Tx, now: Micros) -> sqlx::Result<usize> {
        let mut in_order: Vec<&Counter> = self.tries.counters.iter().collect();
        in_order.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut failures = 0;
        for (key, limit) in in_order {
            let left = limits::give_back_in(tx, key, *limit, now).await?;
            if matches!(limit, limits::Limit::Window(window) if *window == rate_limit::SIGN_IN_PAIR) {
                failures = left;
            }
        }
        Ok(failures)
    }
}

/// Whether the compared password is still the account's, until the transaction ends: it may have been changed during
/// the hash.
async fn is_current(tx: &mut Tx, account: &Account) -> sqlx::Result<bool> {
    let found = tx.query(IS_CURRENT).bind(account.id).bind(account.password_changed_at);
    found.exists().await
}

async fn notify_owner(app: &AppState, user_id: UserId, now: Micros) -> AppResult<()> {
    let Some(account) = app.db.query(BY_ID).bind(user_id).optional::<Account>().await? else { return Ok(()) };
    let (mut tx, mail) = (app.db.begin().await?, AccountMail { app, now });
    let letter = letters::failed_sign_ins(&mail.label());
    mail.notify(&mut tx, Notice::FailedSignIns, (user_id, &account.email), letter).await?;
    Ok(tx.commit().await?)
}
