//! Authentication and rights: sessions, their cookies, and the extractors that let a request in. Accounts
//! themselves are in `accounts`.

pub mod cookies;
pub mod guard;
pub mod session;

use axum::extract::FromRequestParts;
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::Micros,
    crypto::Token,
    ids::UserId,
    limits::{self, LimitError},
};
use http::{HeaderMap, request::Parts};
use rules::rate_limit::Window;

use crate::{
    accounts::account_mail::AccountMail,
    app::{App, AppState},
    requests::caller::Caller,
};
use cookies::Device;
use guard::{Actor, SignedIn};

/// Anyone, without a look at the session.
#[derive(Clone, Copy, Debug)]
pub struct Anyone;

/// A request by a sender with the rights `G`, with everything an action depends on.
#[derive(Debug)]
pub struct By<G> {
    pub app: AppState,
    pub who: G,
    pub caller: Caller,
    pub headers: HeaderMap,
}

impl<G> By<G> {
    pub fn now(&self) -> Micros {
        self.app.clock.now()
    }

    pub fn mail(&self, now: Micros) -> AccountMail<'_> {
        AccountMail { app: &self.app, now }
    }

    /// Takes one of `window` for the sender's network.
    pub async fn take(&self, kind: &str, window: Window) -> Result<(), LimitError> {
        limits::take_by_network(&self.app.db, kind, self.caller.address, window, self.now()).await
    }

    /// The token by which a cookie names the sender's browser: the present one, so that an earlier link works in it too,
    /// or a new one.
    pub fn browser(&self, name: cookies::Name) -> Token {
        cookies::browser(&self.app.origin, &self.headers, name).unwrap_or_else(Token::random)
    }

    /// The sender's browser, if the account has been signed in to from it since its password was set.
    pub fn device(&self, user_id: UserId, password_changed_at: Micros) -> Option<Device> {
        let App { origin, keys, clock, .. } = &*self.app;
        let cookie = cookies::read(origin, &self.headers, cookies::Name::Device)?;
        Device::verify(keys, user_id, password_changed_at, &cookie, clock.now())
    }
}

impl<G: AsRef<SignedIn>> By<G> {
    pub fn me(&self) -> &SignedIn {
        self.who.as_ref()
    }

    pub fn act(&self) -> Actor<'_> {
        Actor::new(&self.app, self.me(), &self.caller)
    }
}

impl<G: FromRequestParts<AppState, Rejection = AppError> + Send> FromRequestParts<AppState> for By<G> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> AppResult<Self> {
        let who = G::from_request_parts(parts, app).await?;
        let caller = Caller::from_request_parts(parts, app).await?;
        Ok(Self { app: app.clone(), who, caller, headers: parts.headers.clone() })
    }
}

impl FromRequestParts<AppState> for Anyone {
    type Rejection = AppError;

    async fn from_request_parts(_: &mut Parts, _: &AppState) -> AppResult<Self> {
        Ok(Self)
    }
}
