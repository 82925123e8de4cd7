//! The four cookies: the session, the browser that has signed in before, the browser that signed up, and the browser
//! that asked for a link.
//!
//! Under https they carry the `__Host-` prefix (RFC 6265bis), on plain http of this machine their bare names.

use cookie::{Cookie, SameSite, time::Duration};
use deadwax_config::Origin;
use deadwax_store::{
    clock::{Micros, micros, millis},
    crypto::{Keys, Token},
    ids::UserId,
};
use http::{HeaderMap, HeaderValue, header};
use rules::{mailed_link, session};
use subtle::ConstantTimeEq as _;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Session,
    /// This browser has signed in to an account before, or set its password.
    Device,
    /// This browser signed up, so that confirming in it signs in.
    SignUp,
    /// This browser asked for a reset or for another address, so that the link works in it without a question.
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
            // As long as what they are for.
            Self::Session => session::ABSOLUTE_MS,
            Self::SignUp => mailed_link::CONFIRM_MS,
            Self::Asked => mailed_link::RESET_MS,
            Self::Device => session::BROWSER_KNOWN_MS,
        }))
    }
}

pub fn read(origin: &Origin, headers: &HeaderMap, name: Name) -> Option<String> {
    let full = name.full(origin.is_https());
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == full)
        .map(|cookie| cookie.value().to_owned())
}

pub fn set(origin: &Origin, answer: &mut HeaderMap, name: Name, value: &str) {
    append(origin, answer, name, value, name.life());
}

pub fn clear(origin: &Origin, answer: &mut HeaderMap, name: Name) {
    append(origin, answer, name, "", Duration::ZERO);
}

fn append(origin: &Origin, answer: &mut HeaderMap, name: Name, value: &str, life: Duration) {
    let https = origin.is_https();
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

/// The headers that set one cookie to a token.
pub fn with(origin: &Origin, name: Name, token: &Token) -> HeaderMap {
    let mut answer = HeaderMap::new();
    set(origin, &mut answer, name, token.expose());
    answer
}

/// The token by which the cookie names this browser.
pub fn browser(origin: &Origin, headers: &HeaderMap, name: Name) -> Option<Token> {
    read(origin, headers, name).and_then(|cookie| Token::parse(&cookie))
}

/// Whether the cookie names the browser of this hash.
pub fn is_browser(origin: &Origin, headers: &HeaderMap, name: Name, hash: &[u8]) -> bool {
    browser(origin, headers, name).is_some_and(|browser| bool::from(browser.hash().ct_eq(hash)))
}

/// A browser that an account has been signed in to from before, by its signed cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    nonce: String,
}

impl Device {
    /// A browser that has just signed in, or set a password, for the first time.
    pub fn random() -> Self {
        Self { nonce: hex::encode(rand::random::<[u8; 16]>()) }
    }

    /// The name in counters.
    pub fn name(&self) -> &str {
        &self.nonce
    }

    /// The value of its cookie: `nonce.time.signature`. The signature covers the account and the time of its password
    /// too, so that a new password makes all browsers unknown.
    pub fn sign(&self, keys: &Keys, user_id: UserId, password_changed_at: Micros, now: Micros) -> String {
        let issued_ms = millis(now).to_string();
        let set_at = password_changed_at.to_be_bytes();
        let mac = keys.mac(&parts(&self.nonce, &issued_ms, &user_id, &set_at));
        format!("{}.{issued_ms}.{}", self.nonce, hex::encode(mac))
    }

    /// The browser of a cookie, if this website signed it for this account and its present password, less than half a
    /// year ago.
    pub fn verify(
        keys: &Keys,
        user_id: UserId,
        password_changed_at: Micros,
        cookie: &str,
        now: Micros,
    ) -> Option<Self> {
        let mut fields = cookie.splitn(3, '.');
        let (nonce, issued, mac) = (fields.next()?, fields.next()?, fields.next()?);
        let mac = hex::decode(mac).ok()?;
        let set_at = password_changed_at.to_be_bytes();
        let is_ours = keys.is_mac(&mac, &parts(nonce, issued, &user_id, &set_at));
        let issued_ms: u64 = issued.parse().ok()?;
        let is_fresh = millis(now).saturating_sub(issued_ms) < session::BROWSER_KNOWN_MS;
        (is_ours && is_fresh).then(|| Self { nonce: nonce.to_owned() })
    }
}

/// The signed parts of a device cookie.
fn parts<'a>(nonce: &'a str, issued: &'a str, user_id: &'a UserId, set_at: &'a [u8]) -> [&'a [u8]; 5] {
    [b"device 2", user_id.0.as_bytes(), set_at, nonce.as_bytes(), issued.as_bytes()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_privacy_policy_counts_the_cookies() {
        let policy = rules::content::default_text("privacy_policy").unwrap();
        assert!(policy.contains("a fourth one") && policy.contains("All four are strictly necessary"));
    }

    #[test]
    fn a_browser_is_known_for_one_account_one_password_and_half_a_year() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::load_or_create(&folder.path().join("key")).unwrap();
        let (max, eve) = (UserId::generate(), UserId::generate());
        let (set_at, now) = (5, 1_795_176_000_000_000);
        let half_a_year = micros(session::BROWSER_KNOWN_MS);
        let device = Device::random();
        let cookie = device.sign(&keys, max, set_at, now);
        let known = |user, set_at, cookie: &str, now| Device::verify(&keys, user, set_at, cookie, now);
        assert_eq!(known(max, set_at, &cookie, now), Some(device.clone()));
        assert_eq!(known(max, set_at, &cookie, now + half_a_year - 1_000), Some(device.clone()));
        assert_eq!(known(max, set_at, &cookie, now + half_a_year), None);
        assert_eq!(known(max, set_at + 1, &cookie, now), None);
        assert_eq!(known(eve, set_at, &cookie, now), None);
        let (rest, mac) = cookie.rsplit_once('.').unwrap();
        let (nonce, issued) = rest.split_once('.').unwrap();
        let later = issued.parse::<u64>().unwrap() + 1;
        for forged in
            [format!("{nonce}.{later}.{mac}"), format!("{nonce}.{mac}"), "..".to_owned(), String::new()]
        {
            assert_eq!(known(max, set_at, &forged, now), None, "{forged}");
        }
    }
}
