use reqwest::Method;
use serde_json::Value;

use super::{Answer, TestServer, people::Browser};

impl TestServer {
    /// A browser signed in as an admin.
    pub async fn desk(&self) -> Browser {
        let boss = self.admin("boss_404").await;
        self.signed_in(&boss).await
    }
}

impl Browser {
    /// Sends an edit based on a version.
    pub async fn edit(&mut self, path: &str, version: i64, body: Value) -> Answer {
        self.headers = vec![("if-match".to_owned(), format!("\"{version}\""))];
        let answer = self.send(Method::PUT, path, Some(body)).await;
        self.headers.clear();
        answer
    }
}
