//! What admins change, by direct calls.

mod artists;
mod catalog_numbers;
mod checklist;
mod desk;
mod edits;
mod exports;
pub mod files;
mod images;
mod imports;
mod library;
mod lists;
mod products;
mod publishing;

mod refusals;
mod releases;
mod site_images;
mod subscribers;
mod trash;
mod versions;

use reqwest::Method;
use serde_json::Value;

use crate::support::{Answer, TestServer, people::Browser};

impl TestServer {
    /// A browser that an admin is signed in with.
    pub async fn desk(&self) -> Browser {
        let boss = self.admin("boss_404").await;
        self.signed_in(&boss).await
    }
}

impl Browser {
    /// Sends an edit that is based on a version.
    pub async fn edit(&mut self, path: &str, version: i64, body: Value) -> Answer {
        self.headers = vec![("if-match".to_owned(), format!("\"{version}\""))];
        let answer = self.send(Method::PUT, path, Some(body)).await;
        self.headers.clear();
        answer
    }
}
