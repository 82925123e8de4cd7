//! Accounts and browsers, each browser with its own cookies and client address.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU32, Ordering},
};

use deadwax::{auth::session, requests::caller::Caller};
use deadwax_store::db::Db;
use futures_util::future::join_all;
use reqwest::{Method, header};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::{Answer, TestServer};

/// The password of all test accounts, which have one hash.
pub const PASSWORD: &str = "correct horse battery";

/// A browser: its cookies, and the client address that limits count by (the test server trusts the test as a proxy).
#[derive(Clone, Debug)]
pub struct Browser {
    base: String,
    client: reqwest::Client,
    pub cookies: BTreeMap<String, String>,
    pub address: String,
    pub headers: Vec<(String, String)>,
}

impl Browser {
    /// A browser with a new client address.
    pub fn new(server: &TestServer) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let address = format!("10.{}.{}.{}", next >> 16 & 255, next >> 8 & 255, next & 255);
        Self {
            base: server.base.clone(),
            client: server.client.clone(),
            cookies: BTreeMap::new(),
            address,
            headers: Vec::new(),
        }
    }

    /// Another tab, or a copied cookie jar.
    pub fn copy(&self) -> Self {
        self.clone()
    }

    /// A request of this browser without a body.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let mut request = self
            .client
            .request(method, format!("{}{path}", self.base))
            .header("x-forwarded-for", &self.address)
            .header(header::USER_AGENT, "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36");
        if !self.cookies.is_empty() {
            let jar: Vec<String> =
                self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header(header::COOKIE, jar.join("; "));
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request
    }

    /// Sends a request, and keeps the cookies of its answer.
    pub async fn send(&mut self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let mut request = self.request(method, path);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = Answer::read(request.send().await.unwrap()).await;
        self.keep(&answer);
        answer
    }

    /// Keeps the cookies set by an answer.
    pub fn keep(&mut self, answer: &Answer) {
        for line in answer.headers.get_all(header::SET_COOKIE) {
            let (pair, attributes) = line.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    /// Sends a request as a new one, even if its body equals an earlier one's.
    pub async fn post_another(&mut self, path: &str, body: Value) -> Answer {
        self.headers.push(("idempotency-key".to_owned(), Uuid::now_v7().to_string()));
        let answer = self.post(path, body).await;
        self.headers.pop();
        answer
    }

    pub async fn sign_in(&mut self, identifier: &str, password: &str) -> Answer {
        self.post("/api/auth/sign-in", json!({"identifier": identifier, "password": password})).await
    }

    /// The session as the server reports it.
    pub async fn session(&mut self) -> Value {
        let answer = self.get("/api/auth/session").await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }
}

/// Signs in with a wrong password from each browser, five at a time, as each answer waits; their statuses.
pub async fn guess_all<'a>(guesses: impl IntoIterator<Item = (Browser, &'a str)>) -> Vec<u16> {
    let mut guesses = guesses.into_iter().peekable();
    let mut statuses = Vec::new();
    while guesses.peek().is_some() {
        let five = guesses.by_ref().take(5).map(|(mut browser, identifier)| async move {
            browser.sign_in(identifier, "wrong password").await.status.as_u16()
        });
        statuses.extend(join_all(five).await);
    }
    statuses
}

/// An account, inserted into the database.
#[derive(Clone, Debug)]
pub struct Person {
    pub id: Uuid,
    pub email: String,
    pub username: String,
}

impl TestServer {
    /// A browser with a new client address.
    pub fn browser(&self) -> Browser {
        Browser::new(self)
    }

    /// A confirmed account with the [`PASSWORD`].
    pub async fn person(&self, username: &str) -> Person {
        static HASH: OnceCell<String> = OnceCell::const_new();
        let id = Uuid::now_v7();
        let email = format!("{}@label.example", username.to_ascii_lowercase());
        let hash = async || self.app.hasher.hash(&PASSWORD.into()).await.unwrap();
        let hash = HASH.get_or_init(hash).await;
        let (now, key) = (self.app.clock.now(), username.to_ascii_lowercase());
        let id_text = self.id_literal(id);
        self.sql(&format!("INSERT INTO users (id, email, password_hash, full_name, confirmed_at, password_changed_at, created_at, updated_at) VALUES ({id_text}, '{email}', '{hash}', 'Full Name', {now}, {now}, {now}, {now})")).await;
        self.sql(&format!("INSERT INTO profiles (id, username, username_key, created_at, updated_at) VALUES ({id_text}, '{username}', '{key}', {now}, {now})")).await;
        Person { id, email, username: username.to_owned() }
    }

    /// A confirmed account with an active admin record.
    pub async fn admin(&self, username: &str) -> Person {
        let person = self.person(username).await;
        let (id, now) = (self.id_literal(person.id), self.app.clock.now());
        self.sql(&format!("INSERT INTO admin_users (user_id, active, created_at, updated_at) VALUES ({id}, TRUE, {now}, {now})")).await;
        person
    }

    /// A browser in which `person` has just signed in, without the cost of hashing a password.
    pub async fn signed_in(&self, person: &Person) -> Browser {
        let mut browser = self.browser();
        let mut tx = self.app.db.begin().await.unwrap();
        let (_, token) =
            session::create(&mut tx, self.app.clock.now(), person.id.into(), &Caller::command_line())
                .await
                .unwrap();
        tx.commit().await.unwrap();
        browser.cookies.insert("sid".to_owned(), token.expose().to_owned());
        browser
    }

    /// An id as a literal of the engine.
    pub fn id_literal(&self, id: Uuid) -> String {
        match self.app.db {
            Db::Sqlite { .. } => format!("x'{}'", id.simple()),
            Db::Postgres { .. } => format!("'{id}'"),
        }
    }

    /// Advances the server's clock.
    pub fn advance(&self, time: std::time::Duration) {
        let deadwax_store::clock::Clock::Fixed(now) = &self.app.clock else { unreachable!() };
        now.fetch_add(i64::try_from(time.as_micros()).unwrap(), Ordering::SeqCst);
    }

    /// The texts of all captured mails, oldest first.
    pub fn mails(&self) -> Vec<String> {
        let Ok(folder) = std::fs::read_dir(self.data.path().join("mail")) else { return Vec::new() };
        let mut files: Vec<_> = folder
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "eml"))
            .collect();
        files.sort();
        files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
    }

    /// The captured mails to one address.
    pub fn mails_to(&self, email: &str) -> Vec<String> {
        let to = format!("To: {email}");
        self.mails()
            .into_iter()
            .filter(|mail| {
                mail.lines()
                    .any(|line| line.eq_ignore_ascii_case(&to) || line.contains(&format!("<{email}>")))
            })
            .collect()
    }
}

/// The token of the link of `kind` (`signup`, `recovery`, …) in a mail. The test label's letters are plain ASCII as stored;
/// decoding them could damage a token.
pub fn token_in(mail: &str, kind: &str) -> String {
    assert!(mail.contains("Content-Transfer-Encoding: 7bit"), "{mail}");
    let link = format!("#type={kind}&token=");
    let (_, rest) = mail.split_once(&link).unwrap_or_else(|| panic!("no {kind} link in {mail}"));
    rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
}
