//! The configured language model: one request to its address, bounded in time, size, number and cost. Its answer is shown as text; of a
//! failure, only the kind is reported.

mod completion;
mod settings;

use std::{sync::Arc, time::Duration};

use http::{HeaderMap, HeaderValue, StatusCode, header};
use rules::{
    rate_limit::TERMINAL_AI_PARALLEL,
    terminal::{AI_ANSWER_MS, AI_CONNECT_MS, AI_READ_MAX_BYTES},
};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use settings::{AiSettingError, AiSettings};

use super::plain;

/// How long the model is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Until it accepts the connection.
    pub connect: Duration,
    /// Until the answer is complete.
    pub total: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { connect: Duration::from_millis(AI_CONNECT_MS), total: Duration::from_millis(AI_ANSWER_MS) }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// 401 or 403: the key is not accepted.
    Unauthorized,
    /// 404: no such address or model.
    NotFound,
    /// 429: the model's own limit.
    RateLimited,
    /// Another status, redirects among them.
    Status(StatusCode),
    /// No connection, a broken one, or no end in time.
    Transport,
    /// An answer that is not one, is too long, or says nothing.
    Unreadable,
}

impl Failure {
    fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Self::Unauthorized,
            StatusCode::NOT_FOUND => Self::NotFound,
            StatusCode::TOO_MANY_REQUESTS => Self::RateLimited,
            other => Self::Status(other),
        }
    }

    /// The model's status, if it answered, for the log.
    pub fn upstream_status(self) -> Option<u16> {
        match self {
            Self::Status(status) => Some(status.as_u16()),
            _ => None,
        }
    }

    /// Its name in the log and in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unauthorized => "unauthorized",
            Self::NotFound => "not_found",
            Self::RateLimited => "rate_limited",
            Self::Status(_) => "status",
            Self::Transport => "transport",
            Self::Unreadable => "unreadable",
        }
    }
}

/// A language model.
#[derive(Debug)]
pub struct Ai {
    client: reqwest::Client,
    settings: AiSettings,
    slots: Arc<Semaphore>,
}

impl Ai {
    /// A client for the configured address alone.
    pub fn new(settings: AiSettings, patience: Patience) -> anyhow::Result<Self> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        // The size limit counts bytes as they arrive; decompression could exceed it.
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if let Some(authorization) = &settings.authorization {
            headers.insert(header::AUTHORIZATION, authorization.clone());
        }
        deadwax_store::install_tls_provider();
        let client = reqwest::Client::builder()
            .default_headers(headers)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .https_only(settings.url.scheme() == "https")
            .connect_timeout(patience.connect)
            .timeout(patience.total)
            // Requests are never retried, so none is billed twice.
            .pool_max_idle_per_host(0)
            .retry(reqwest::retry::never())
            .build()?;
        let slots = usize::try_from(TERMINAL_AI_PARALLEL).unwrap_or(1);
        Ok(Self { client, settings, slots: Arc::new(Semaphore::new(slots)) })
    }

    /// A slot among the questions at the model, if one is free.
    pub fn permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.slots).try_acquire_owned().ok()
    }

    /// Asks the model: plain text, never empty.
    pub async fn ask(
        &self,
        instructions: &str,
        message: &str,
        _permit: OwnedSemaphorePermit,
    ) -> Result<String, Failure> {
        let (limit, tokens) = self.settings.limit();
        let chat = json!({
            "model": self.settings.model,
            "messages": [
                {"role": "system", "content": instructions},
                {"role": "user", "content": message},
            ],
            (limit): tokens,
            "stream": false,
        });
        let request = self.client.post(self.settings.url.clone()).body(chat.to_string());
        let mut response = request.send().await.map_err(|_| Failure::Transport)?;
        if response.status() != StatusCode::OK {
            return Err(Failure::of_status(response.status()));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|_| Failure::Transport)? {
            body.extend_from_slice(&chunk);
            if body.len() > AI_READ_MAX_BYTES {
                return Err(Failure::Unreadable);
            }
        }
        let text = completion::text(&body).ok_or(Failure::Unreadable)?;
        Some(plain::clean(&text)).filter(|text| !text.is_empty()).ok_or(Failure::Unreadable)
    }
}
