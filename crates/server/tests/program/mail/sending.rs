//! Letters to the subscribers through a real mail server that also refuses, hangs up and disappears.

mod handing_over;
mod recipients;
mod refusals;
mod steps;

use std::time::Duration;

use deadwax::newsletter::sending::LetterSender;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    Engine, TestServer,
    people::Browser,
    sink::{Sink, sending_to},
};

const SETTINGS: &str = "/api/admin/newsletter/settings";

/// A label with subscribers, who agreed, and a letter to them.
struct Label {
    server: TestServer,
    sink: Sink,
    letter: Uuid,
    desk: Browser,
}

impl Label {
    async fn with(engine: Engine, subscribers: &[&str]) -> Self {
        let sink = Sink::start().await;
        let server = TestServer::start_with(engine, sending_to(sink.port)).await;
        Self::of(server, sink, subscribers).await
    }

    async fn of(server: TestServer, sink: Sink, subscribers: &[&str]) -> Self {
        for (number, email) in subscribers.iter().enumerate() {
            let id = server.id_literal(Uuid::now_v7());
            server
                .sql(&format!(
                    "INSERT INTO newsletter_subscriptions (id, email, consent, leave_token, subscribed_at, created_at, updated_at) \
                     VALUES ({id}, '{email}', 'confirmed', '{number:032}', 1, 1, 1)"
                ))
                .await;
        }
        let letter = Uuid::now_v7();
        server
            .sql(&format!(
                "INSERT INTO letters (id, subject, parts, created_at, updated_at) \
                 VALUES ({}, 'A new record', '[{{\"kind\":\"heading\",\"text\":\"Out now\"}}]', 1, 1)",
                server.id_literal(letter)
            ))
            .await;
        let mut desk = server.desk().await;
        desk.patch(SETTINGS, json!({"letters_a_second": 50})).await;
        Self { server, sink, letter, desk }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/admin/letters/{}/{rest}", self.letter)
    }

    async fn post(&mut self, rest: &str, version: &Value, body: Value) -> (u16, Value) {
        let request = self.desk.request(reqwest::Method::POST, &self.path(rest));
        let answer = request.header("if-match", format!("\"{version}\"")).json(&body).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    /// Schedules the letter, and lets the minute of UNDO pass.
    async fn send(&mut self) -> Value {
        let version = self.report().await["version"].clone();
        let (status, sending) = self.post("send", &version, json!({})).await;
        assert_eq!(status, 200, "{sending}");
        self.server.advance(Duration::from_mins(1));
        sending
    }

    async fn step(&mut self, name: &str) -> Value {
        let path = self.path("sending");
        self.desk.post_another(&path, json!({"step": name})).await.json()
    }

    /// Hands over until `looks` looks found nothing to do, a second of the clock between them.
    async fn work(&self, looks: usize) {
        let mut sender = LetterSender::new(self.server.app.clone());
        let (mut idle, mut handed_over) = (0, 0);
        while idle < looks {
            if sender.step().await.unwrap().is_none() {
                handed_over += 1;
            } else if handed_over > 0 {
                sender.all_done().await;
                handed_over = 0;
            } else {
                self.server.advance(Duration::from_secs(1));
                idle += 1;
            }
        }
        sender.all_done().await;
    }

    async fn report(&mut self) -> Value {
        let path = self.path("sending");
        self.desk.get(&path).await.json()
    }

    async fn mails(&mut self, count: usize) -> Vec<(String, String)> {
        let mut mails = Vec::new();
        for _ in 0..count {
            mails.push(self.sink.mail().await);
        }
        mails.sort();
        mails
    }
}

fn header<'a>(headers: &'a [String], name: &str) -> &'a str {
    let found = headers.iter().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    found.unwrap_or_else(|| panic!("{name}: {headers:?}"))
}
