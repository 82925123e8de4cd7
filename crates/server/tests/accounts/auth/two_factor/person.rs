//! People with a password-verified session, and the codes of their authenticators.

use std::sync::atomic::Ordering;

use deadwax::{auth::session, requests::caller::Caller};
use deadwax_store::clock::Clock;
use http::StatusCode;
use rules::mfa::STEP_SECONDS;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::support::{Answer, TestServer, people::Person};

deadwax_store::statements! {
    MIRRORED = "SELECT mfa_enabled FROM admin_users WHERE user_id = $1";
    STAMP = "UPDATE sessions SET stamped_at = $2 WHERE user_id = $1";
    RESET_BY_MAIL = "UPDATE users SET reset_by_mail_at = $2 WHERE id = $1";
    EVENTS = "SELECT COUNT(*) FROM audit_log WHERE event = $1";
    MAILS = "SELECT COUNT(*) FROM outbox WHERE kind = $1";
    FACTORS = "SELECT COUNT(*) FROM two_factor WHERE secret IS NOT NULL";
    CODES = "SELECT COUNT(*) FROM recovery_codes";
}

/// An authenticator app with an account's secret and recovery codes.
#[derive(Clone, Debug)]
pub struct Phone {
    pub secret: String,
    pub recovery_codes: Vec<String>,
}

impl Phone {
    pub fn new(secret: &str) -> Self {
        Self { secret: secret.to_owned(), recovery_codes: Vec::new() }
    }

    /// The code of the step `steps` after the current one.
    pub fn code(&self, server: &TestServer, steps: i64) -> String {
        let secret = Secret::try_from_base32(&self.secret).unwrap();
        let at = server.app.clock.now() / 1_000_000 + steps * i64::try_from(STEP_SECONDS).unwrap();
        Builder::new()
            .with_secret(secret)
            .build_noncompliant()
            .generate(u64::try_from(at).unwrap())
            .to_string()
    }

    /// `count` codes that are wrong for every step near now.
    pub fn wrong_codes(&self, server: &TestServer, count: usize) -> Vec<String> {
        let near: Vec<_> = (-15..=15).map(|step| self.code(server, step)).collect();
        (0..1_000_000)
            .map(|code| format!("{code:06}"))
            .filter(|code| !near.contains(code))
            .take(count)
            .collect()
    }
}

impl TestServer {
    pub async fn mirrored(&self, person: &Person) -> Option<bool> {
        self.app.db.query(MIRRORED).bind(person.id).maybe().await.unwrap()
    }

    /// The token of a new session, signed in with the password only.
    pub async fn session(&self, person: &Person) -> String {
        let mut tx = self.app.db.begin().await.unwrap();
        let now = self.app.clock.now();
        let (_, token) =
            session::create(&mut tx, now, person.id.into(), &Caller::command_line()).await.unwrap();
        tx.commit().await.unwrap();
        token.expose().to_owned()
    }

    /// Gives all sessions of an account a fresh proof of the password.
    pub async fn refresh_proofs(&self, person: &Person) {
        self.app.db.write(STAMP).bind(person.id).bind(self.app.clock.now()).execute().await.unwrap();
    }

    pub async fn reset_by_mail(&self, person: &Person) {
        self.app.db.write(RESET_BY_MAIL).bind(person.id).bind(self.app.clock.now()).execute().await.unwrap();
    }

    pub fn advance_seconds(&self, seconds: i64) {
        let Clock::Fixed(clock) = &self.app.clock else { panic!("a fixed clock") };
        clock.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }

    pub async fn events_of(&self, event: &str) -> i64 {
        self.app.db.query(EVENTS).bind(event).value().await.unwrap()
    }

    pub async fn mails_of(&self, kind: &str) -> i64 {
        self.app.db.query(MAILS).bind(kind).value().await.unwrap()
    }

    pub async fn factors(&self) -> i64 {
        self.app.db.query(FACTORS).value().await.unwrap()
    }

    pub async fn recovery_rows(&self) -> i64 {
        self.app.db.query(CODES).value().await.unwrap()
    }

    /// Sends a body with a session cookie.
    pub async fn send(&self, path: &str, token: &str, body: &Value) -> Answer {
        let request = self.client.post(format!("{}{path}", self.base));
        let request =
            if token.is_empty() { request } else { request.header("cookie", format!("sid={token}")) };
        Answer::read(request.json(body).send().await.unwrap()).await
    }

    pub async fn mfa(&self, token: &str, body: Value) -> Answer {
        self.send("/api/auth/mfa-operations", token, &body).await
    }

    pub async fn verify(&self, token: &str, code: &str) -> Answer {
        self.mfa(token, json!({"action": "verify_mfa", "totpCode": code})).await
    }

    pub async fn recovery(&self, token: &str, body: Value) -> Answer {
        self.send("/api/auth/mfa-recovery", token, &body).await
    }

    pub async fn send_recovery_code(&self, token: &str) -> Answer {
        self.recovery(token, json!({"action": "send_recovery_code"})).await
    }

    pub async fn recover(&self, token: &str, code: &str) -> Answer {
        self.recovery(token, json!({"action": "verify_recovery_code", "recoveryCode": code})).await
    }

    /// Whether a token is valid, and whether its session has the second factor.
    pub async fn state(&self, token: &str) -> (bool, bool) {
        let view = self.get_with("/api/auth/session", &[("cookie", &format!("sid={token}"))]).await.json();
        (view["user"].is_object(), view["mfa_verified"].as_bool().unwrap())
    }

    /// Sets up the second factor in a new session, and waits until its code is long used up. Ends all other sessions and
    /// returns the verified one.
    pub async fn with_factor(&self, person: &Person) -> (String, Phone) {
        let token = self.session(person).await;
        let generated = self.mfa(&token, json!({"action": "generate_secret"})).await;
        assert_eq!(generated.status, StatusCode::OK, "{generated:?}");
        let mut phone = Phone::new(generated.json()["secret"].as_str().unwrap());
        let body =
            json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": phone.code(self, 0)});
        let enabled = self.mfa(&token, body).await;
        assert_eq!(enabled.status, StatusCode::OK, "{enabled:?}");
        phone.recovery_codes = strings(&enabled.json()["recovery_codes"]);
        self.advance_seconds(15 * STEP_SECONDS as i64);
        (enabled.token(), phone)
    }

    /// The code in the newest recovery mail.
    pub fn mailed_code(&self) -> String {
        let is_code = |line: &&str| line.len() == 8 && line.bytes().all(|byte| byte.is_ascii_digit());
        self.mails()
            .iter()
            .rev()
            .find_map(|mail| mail.lines().map(str::trim).find(is_code).map(str::to_owned))
            .expect("a mail with a code")
    }
}

impl Answer {
    /// The token in the session cookie set by this answer.
    pub fn token(&self) -> String {
        let cookie = self
            .headers
            .get_all("set-cookie")
            .iter()
            .filter_map(|line| line.to_str().unwrap().strip_prefix("sid="))
            .next()
            .unwrap_or_else(|| panic!("no session cookie: {self:?}"));
        cookie.split(';').next().unwrap().to_owned()
    }

    pub fn sets_cookie(&self) -> bool {
        self.headers.contains_key("set-cookie")
    }

    /// The code of an operation's answer, after checking its shape.
    pub fn outcome(&self) -> String {
        assert!(self.header("content-type").starts_with("application/json"), "{self:?}");
        let answer = self.json();
        let is_ok = self.status == StatusCode::OK;
        assert_eq!(answer["status"], if is_ok { "ok" } else { "error" }, "{self:?}");
        assert!(!answer["message"].as_str().unwrap().is_empty(), "{self:?}");
        assert!(!answer["request_id"].as_str().unwrap().is_empty(), "{self:?}");
        answer["code"].as_str().unwrap().to_owned()
    }
}

pub fn strings(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}
