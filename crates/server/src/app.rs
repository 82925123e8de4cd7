//! State shared by all handlers.

use std::{net::SocketAddr, ops::Deref, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, FromRequestParts, OriginalUri, State},
    response::Response,
};
use deadwax_config::{AdminMfa, Origin};
use deadwax_http::{
    cached_response::CachedResponse,
    client_addr,
    error::{AppError, AppResult},
    response_cache::ResponseCache,
    serve::Site,
    slots::Slots,
};
use deadwax_mail::{letter::Label, mailer::Mailer};
use deadwax_paint::Painter;
use deadwax_pictures::Pictures;
use deadwax_responder::Terminal;
use deadwax_store::{
    clock::{Clock, Micros},
    crypto::Keys,
    db::Db,
    deletions::Deletions,
    live::Live,
    spool::Spool,
    storage::Storage,
    tables::Tables,
};
use http::{HeaderMap, HeaderValue, header, request::Parts};
use ipnet::IpNet;
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    accounts::hashing::Hasher,
    audit::refusals::Refusals,
    content::{label::KnownLabel, time_zone},
    files::in_flight::Uploads,
    jobs::analysis::AnalysisJob,
    jobs::sizes::SizesJob,
    numbers::held::Numbers,
    operation::backups::BackupPlace,
    operation::readiness::Readiness,
    pages::assets::Assets,
    pages::unpainted::Unpainted,
    requests::caller::Caller,
};

/// The parts of a running program. Assembled by [`start`](crate::start), then shared as an [`AppState`].
#[derive(Debug)]
pub struct App {
    pub db: Db,
    pub storage: Storage,
    pub spool: Spool,
    pub uploads: Uploads,
    /// Concurrent file forms of admins, by account and client.
    pub forms: Slots,
    /// The same of members, apart so that they never crowd out admins.
    pub member_forms: Slots,
    /// Concurrent password hashes of signed-in members, bounded so that they never crowd out sign-ins.
    pub member_hashes: Slots,
    /// A table to import and its plan take tens of megabytes: one at a time.
    pub imports: Semaphore,
    pub deletions: Deletions,
    pub sizes: SizesJob,
    pub analysis: AnalysisJob,
    pub pictures: Pictures,
    pub keys: Keys,
    pub mail: Mailer,
    pub hasher: Hasher,
    pub clock: Clock,
    pub origin: Origin,
    /// Asked instead of the system's DNS server.
    pub dns_server: Option<SocketAddr>,
    pub known_label: KnownLabel,
    pub numbers: Numbers,
    pub admin_mfa: AdminMfa,
    pub responses: Arc<ResponseCache>,
    pub assets: Assets,
    pub page_policy: HeaderValue,
    pub painter: Painter,
    /// Pages cached unpainted, waiting to be painted.
    pub unpainted: Unpainted,
    pub live: Live,
    pub terminal: Terminal,
    pub streams: Slots,
    pub readiness: Readiness,
    pub backup_place: Option<Arc<BackupPlace>>,
    pub refusals: Refusals,
    pub trusted_proxies: Arc<[IpNet]>,
    /// Jobs, and work that outlives its request; awaited at shutdown.
    pub background: TaskTracker,
    pub stop: CancellationToken,
}

#[derive(Clone, Debug, FromRequestParts)]
#[from_request(via(State))]
pub struct AppState(Arc<App>);

impl AppState {
    pub fn new(app: App) -> Self {
        Self(Arc::new(app))
    }
}

impl Deref for AppState {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}

impl App {
    /// The label's name as it was read last.
    pub fn label_name(&self) -> String {
        self.known_label.last().name.clone()
    }

    /// The day it is for the label, as `YYYY-MM-DD`.
    pub fn today(&self) -> String {
        time_zone::local(self.clock.now(), &self.known_label.last().time_zone).date().to_string()
    }

    /// The label as a letter names it whose cause happened at `at`.
    pub fn label_at(&self, at: Micros) -> Label<'_> {
        self.known_label.last().in_letter(&self.origin, at)
    }

    pub fn label(&self) -> Label<'_> {
        self.label_at(self.clock.now())
    }

    pub fn site(&self, router: Router) -> Site {
        Site {
            hosts: self.origin.hosts(),
            is_https: self.origin.is_https(),
            trusted_proxies: Arc::clone(&self.trusted_proxies),
            cache: Arc::clone(&self.responses),
            // The tus protocol asks there what the server can do.
            options_path: "/api/demos",
            router,
        }
    }

    /// Answers from the response cache, or with what `produce` makes for it.
    pub async fn answer_as<F>(
        &self,
        name: &str,
        request: &HeaderMap,
        tables: Tables,
        produce: impl Fn() -> F,
    ) -> AppResult<Response>
    where
        F: Future<Output = AppResult<CachedResponse>>,
    {
        let response = self.responses.get_or_make(name, tables, produce).await?;
        Ok(response.respond(request, self.origin.is_https()).map(Body::from))
    }
}

/// A public read whose answer is cached by its address.
#[derive(Debug, FromRequestParts)]
pub struct PublicRead {
    pub uri: OriginalUri,
    pub headers: HeaderMap,
}

impl PublicRead {
    pub async fn answer<F>(&self, app: &App, tables: Tables, produce: impl Fn() -> F) -> AppResult<Response>
    where
        F: Future<Output = AppResult<CachedResponse>>,
    {
        let url = self.uri.path_and_query().map_or(self.uri.path(), http::uri::PathAndQuery::as_str);
        app.answer_as(url, &self.headers, tables, produce).await
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let Some(ConnectInfo(peer)) = parts.extensions.get::<ConnectInfo<SocketAddr>>() else {
            return Err(AppError::internal(anyhow::anyhow!("a request without its peer's address")));
        };
        let address = client_addr::client_address(*peer, &parts.headers, &app.trusted_proxies);
        Ok(Self::new(address, parts.headers.get(header::USER_AGENT)))
    }
}
