//! The four cookies: the session, the browser that has signed in before, the browser that signed up, and the browser that
//! asked for a link.
//!
//! Under https they carry the `__Host-` prefix (RFC 6265bis), on plain http of this machine their bare names.

use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, HeaderValue, header};
use rules::{mailed_link, session};
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use crate::{
    app::AppState,
    clock::micros,
    crypto::{Keys, Token},
};

/// A cookie's bare name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The session's token.
    Session,
    /// Says that this browser has signed in to an account before.
    Device,
    /// Says that this browser signed up, so that confirming there signs in.
    SignUp,
    /// Says that this browser asked for a reset or for another address, so that the link goes on there without a question.
    Asked,
}

impl Name {
    const fn bare(self) -> &'static str {
        match self {
            Self::Session => "sid",
            Self::Device => "dev",
            Self::SignUp => "su",
            Self::Asked => "ask",
        }
    }

    fn full(self, https: bool) -> String {
        if https { format!("__Host-{}", self.bare()) } else { self.bare().to_owned() }
    }

    fn life(self) -> Duration {
        Duration::microseconds(micros(match self {
            // Nothing that they are for lasts longer.
            Self::Session => session::ABSOLUTE_MS,
            Self::SignUp => mailed_link::CONFIRM_MS,
            Self::Asked => mailed_link::RESET_MS,
            Self::Device => session::BROWSER_KNOWN_MS,
        }))
    }
}

/// The value of a cookie of this website, if the request carries it.
pub fn read(app: &AppState, headers: &HeaderMap, name: Name) -> Option<String> {
    let full = name.full(app.origin.is_https());
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == full)
        .map(|cookie| cookie.value().to_owned())
}

/// Sets a cookie on an answer.
pub fn set(app: &AppState, answer: &mut HeaderMap, name: Name, value: &str) {
    append(app, answer, name, value, name.life());
}

/// Removes a cookie from the browser.
pub fn clear(app: &AppState, answer: &mut HeaderMap, name: Name) {
    append(app, answer, name, "", Duration::ZERO);
}

fn append(app: &AppState, answer: &mut HeaderMap, name: Name, value: &str, life: Duration) {
    let https = app.origin.is_https();
    let cookie = Cookie::build((name.full(https), value.to_owned()))
        .http_only(true)
        .secure(https)
        .same_site(SameSite::Lax)
        .path("/")
        .max_age(life)
        .build();
    if let Ok(value) = HeaderValue::try_from(cookie.to_string()) {
        answer.append(header::SET_COOKIE, value);
    }
}

/// Gives the browser a session's token.
pub fn set_session(app: &AppState, answer: &mut HeaderMap, token: &Token) {
    set(app, answer, Name::Session, token.expose());
}

/// The token by which a cookie names this browser, for setting the cookie anew: the one it has, so that an earlier link goes
/// on there too, or else a new one.
pub fn browser_token(app: &AppState, headers: &HeaderMap, name: Name) -> Token {
    read(app, headers, name).and_then(|cookie| Token::parse(&cookie)).unwrap_or_else(Token::random)
}

/// Whether the cookie names the browser of this hash.
pub fn is_browser(app: &AppState, headers: &HeaderMap, name: Name, hash: &[u8]) -> bool {
    read(app, headers, name)
        .and_then(|cookie| Token::parse(&cookie))
        .is_some_and(|browser| bool::from(browser.hash().ct_eq(hash)))
}

/// Which browser an account has been signed in to from before, told by its signed cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    nonce: String,
}

impl Device {
    /// A browser that has just signed in for the first time.
    pub fn random() -> Self {
        Self { nonce: hex::encode(rand::random::<[u8; 16]>()) }
    }

    /// Its name in counters.
    pub fn name(&self) -> &str {
        &self.nonce
    }

    /// What its cookie holds: `nonce.signature`, the signature over account and nonce.
    pub fn sign(&self, keys: &Keys, user_id: Uuid) -> String {
        let mac = keys.mac(&[b"device", user_id.as_bytes(), self.nonce.as_bytes()]);
        format!("{}.{}", self.nonce, hex::encode(mac))
    }

    /// The browser that a cookie names, if this website signed it for this account.
    pub fn verify(keys: &Keys, user_id: Uuid, cookie: &str) -> Option<Self> {
        let (nonce, mac) = cookie.split_once('.')?;
        let mac = hex::decode(mac).ok()?;
        keys.is_mac(&mac, &[b"device", user_id.as_bytes(), nonce.as_bytes()])
            .then(|| Self { nonce: nonce.to_owned() })
    }
}
