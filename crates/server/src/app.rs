//! What every handler shares.

use std::{net::SocketAddr, ops::Deref, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, FromRequestParts, State},
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
    clock::Clock, crypto::Keys, db::Db, deletions::Deletions, live::Live, spool::Spool, storage::Storage,
    tables::Tables,
};
use http::{HeaderMap, HeaderValue, Uri, header, request::Parts};
use ipnet::IpNet;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    analysis::AnalysisJob, assets::Assets, caller::Caller, hashing::Hasher, in_flight::Uploads,
    readiness::Readiness, refusals::Refusals, sizes::SizesJob, unpainted::Unpainted,
};

/// What the program is made of while it runs. Prepared by [`start`](crate::start), then shared as an [`AppState`].
#[derive(Debug)]
pub struct App {
    /// The database.
    pub db: Db,
    /// Uploaded files.
    pub storage: Storage,
    /// Files on their way in.
    pub spool: Spool,
    /// Demos on their way in, as far as this process works on them.
    pub uploads: Uploads,
    /// Forms with files of admins that are read at once, by account and client.
    pub forms: Slots,
    /// The same of members, who must not take the admins' places.
    pub member_forms: Slots,
    /// Passwords of members' sessions that are hashed at once: a member must not take the turns of those who sign in.
    pub member_hashes: Slots,
    /// Wakes the job that removes files.
    pub deletions: Deletions,
    /// Makes the sizes of pictures after their uploads.
    pub sizes: SizesJob,
    /// Measures demos after they have arrived.
    pub analysis: AnalysisJob,
    /// Where uploaded pictures are opened, a few at a time.
    pub pictures: Pictures,
    /// What seals and signs.
    pub keys: Keys,
    /// Sends what is in the outbox.
    pub mail: Mailer,
    /// Hashes passwords, a few at a time.
    pub hasher: Hasher,
    /// Where time comes from.
    pub clock: Clock,
    /// The website's own address.
    pub origin: Origin,
    /// The label's name.
    pub label_name: String,
    /// Whether admins need a second factor.
    pub admin_mfa: AdminMfa,
    /// Public answers, ready to send.
    pub responses: Arc<ResponseCache>,
    /// The web app's files.
    pub assets: Assets,
    /// The content security policy of the pages made from the web app's document.
    pub page_policy: HeaderValue,
    /// Paints pages.
    pub painter: Painter,
    /// Pages that are kept unpainted for now.
    pub unpainted: Unpainted,
    /// What changes, as it changes.
    pub live: Live,
    /// What answers in the terminal.
    pub terminal: Terminal,
    /// Open streams of changes, by client.
    pub streams: Slots,
    /// The answer of `/readyz`, kept for a second.
    pub readiness: Readiness,
    /// How often refused requests were written to the audit log lately.
    pub refusals: Refusals,
    /// Proxies whose word on a client's address is believed.
    pub trusted_proxies: Arc<[IpNet]>,
    /// Jobs, and work that outlives its request. The program waits for all of it before it ends.
    pub background: TaskTracker,
    /// Ends what would never end by itself, when the program is told to stop.
    pub stop: CancellationToken,
}

/// The one [`App`] of a running program, as every handler and every job holds it: a clone is one count.
#[derive(Clone, Debug, FromRequestParts)]
#[from_request(via(State))]
pub struct AppState(Arc<App>);

impl AppState {
    /// Shares an app that is prepared: from here on no part of it is exchanged.
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
    /// In whose name letters are written, now.
    pub fn label(&self) -> Label<'_> {
        Label::new(&self.label_name, &self.origin, self.clock.now())
    }

    /// The website as its sockets know it, with its routes.
    pub fn site(&self, router: Router) -> Site {
        Site {
            hosts: self.origin.hosts(),
            is_https: self.origin.is_https(),
            trusted_proxies: Arc::clone(&self.trusted_proxies),
            cache: Arc::clone(&self.responses),
            router,
        }
    }

    /// Answers a public read at `uri` from the response cache, made by `produce` unless they are kept.
    pub async fn answer<F>(
        &self,
        uri: &Uri,
        request: &HeaderMap,
        tables: Tables,
        produce: impl Fn() -> F,
    ) -> AppResult<Response>
    where
        F: Future<Output = AppResult<CachedResponse>>,
    {
        let url = uri.path_and_query().map_or(uri.path(), http::uri::PathAndQuery::as_str);
        self.answer_as(url, request, tables, produce).await
    }

    /// As [`App::answer`], kept under another name than the address that was asked for.
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

/// The address a request counts for.
#[derive(Clone, Copy, Debug)]
pub struct Client(pub std::net::IpAddr);

impl FromRequestParts<AppState> for Client {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let Some(ConnectInfo(peer)) = parts.extensions.get::<ConnectInfo<SocketAddr>>() else {
            return Err(AppError::internal(anyhow::anyhow!("a request without its peer's address")));
        };
        Ok(Self(client_addr::client_address(*peer, &parts.headers, &app.trusted_proxies)))
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let Client(address) = Client::from_request_parts(parts, app).await?;
        Ok(Self::new(address, parts.headers.get(header::USER_AGENT)))
    }
}
