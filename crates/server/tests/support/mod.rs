//! A server per test: a fresh database on either engine, a fixed clock, a free port.

#![allow(dead_code, unused_imports, reason = "each program of tests uses a part of it")]

pub mod account;
mod admins;
pub mod bucket;
pub mod files;
pub mod log;
pub mod people;
mod postgres;
mod seed;
pub mod serving;
pub mod sink;
#[path = "../../src/web_app.rs"]
mod web_app;

use std::{net::SocketAddr, path::Path, time::Duration};

use deadwax::{
    app::{App, AppState},
    operation::check,
    pages::{self, assets::Assets},
    routes,
    start::{self, Web},
};
use deadwax_config::{Given, Origin, Settings};
use deadwax_http::{response_cache::ResponseCache, serve};
use deadwax_store::{clock::Clock, db::Db, storage::Storage};
use reqwest::{Client, ClientBuilder, Response, StatusCode, header::HeaderMap};
use serde_json::Value;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

pub use postgres::{Database, change};
pub use seed::Release;
pub(crate) use web_app::WebApp;

/// Runs a test on both engines, as `name::sqlite` and `name::postgres`: `#[apply(on_both_engines!)]`.
macro_rules! on_both_engines {
    ($(#[$attribute:meta])* async fn $name:ident($engine:ident: Engine) $body:block) => {
        $(#[$attribute])*
        async fn $name($engine: Engine) $body

        mod $name {
            #[tokio::test]
            async fn sqlite() {
                super::$name($crate::support::Engine::Sqlite).await;
            }

            #[tokio::test]
            async fn postgres() {
                super::$name($crate::support::Engine::Postgres).await;
            }
        }
    };
}
pub(crate) use on_both_engines;

pub fn web_app() -> Assets {
    Assets::of::<WebApp>()
}

/// The web app's own painting code.
pub fn paint_source() -> &'static str {
    web_app().paint.expect("the web app was built before the tests")
}

/// 2026-11-20 12:00:00 UTC in microseconds.
pub const NOON: i64 = 1_795_176_000_000_000;

/// A generous bound, on a busy machine, for anything that is certain to happen.
pub const RECEIVE_TIMEOUT: Duration = Duration::from_secs(45);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// A running server, and its parts for tests to inspect.
pub struct TestServer {
    pub base: String,
    pub app: AppState,
    pub client: Client,
    pub data: TempDir,
    address: SocketAddr,
    stop: CancellationToken,
    database: Option<Database>,
}

impl TestServer {
    /// Starts a migrated, empty label.
    pub async fn start(engine: Engine) -> Self {
        Self::start_with(engine, |_| {}).await
    }

    /// As [`TestServer::start`], with settings changed by `change`.
    pub async fn start_with(engine: Engine, change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_prepared(engine, change, |_, _| {}).await
    }

    /// As [`TestServer::start_with`], with parts of the app replaced by `prepare` before serving.
    pub async fn start_prepared(
        engine: Engine,
        change: impl FnOnce(&mut Settings),
        prepare: impl FnOnce(&Settings, &mut App),
    ) -> Self {
        let (database, data) = fresh(engine).await;
        let db = open(database.as_ref(), data.path()).await;
        let storage = Storage::open(None, data.path()).unwrap();
        Self::assemble_prepared(data, db, storage, database, change, prepare).await
    }

    /// As [`TestServer::start`], for tests that send very many requests at once and count the answers: however slow the
    /// machine, no request is refused for lack of a database connection.
    pub async fn start_patient(engine: Engine) -> Self {
        let (database, data) = fresh(engine).await;
        let db = match open(database.as_ref(), data.path()).await {
            Db::Sqlite { read, write, follow, commits } => {
                Db::Sqlite { read: patient(&read), write: patient(&write), follow, commits }
            }
            Db::Postgres { pool, follow, commits } => Db::Postgres { pool: patient(&pool), follow, commits },
        };
        let storage = Storage::open(None, data.path()).unwrap();
        Self::assemble(data, db, storage, database, |_| {}).await
    }

    /// A second instance on the same PostgreSQL database.
    pub async fn start_beside(other: &Self) -> Self {
        Self::start_beside_with(other, |_| {}).await
    }

    /// As [`TestServer::start_beside`], with settings changed by `change`.
    pub async fn start_beside_with(other: &Self, change: impl FnOnce(&mut Settings)) -> Self {
        let database = other.database.as_ref().expect("only PostgreSQL has several instances").another();
        let key = other.data.path().join("key");
        let change = |settings: &mut Settings| {
            settings.key_file = Some(key);
            change(settings);
        };
        // Instances share stored files as well as the database; each has its own spool.
        let data = tempfile::tempdir().unwrap();
        let db = open(Some(&database), data.path()).await;
        start::migrate(&db, &Clock::fixed(NOON), None).await.unwrap();
        Self::assemble(data, db, other.app.storage.clone(), Some(database), change).await
    }

    /// As [`TestServer::start`], with another storage.
    pub async fn start_with_storage(engine: Engine, storage: Storage) -> Self {
        let (database, data) = fresh(engine).await;
        let db = open(database.as_ref(), data.path()).await;
        Self::assemble(data, db, storage, database, |_| {}).await
    }

    async fn assemble(
        data: TempDir,
        db: Db,
        storage: Storage,
        database: Option<Database>,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        Self::assemble_prepared(data, db, storage, database, change, |_, _| {}).await
    }

    async fn assemble_prepared(
        data: TempDir,
        db: Db,
        storage: Storage,
        database: Option<Database>,
        change: impl FnOnce(&mut Settings),
        prepare: impl FnOnce(&Settings, &mut App),
    ) -> Self {
        let clock = Clock::fixed(NOON);
        let listener = serve::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let address = listener.local_addr().unwrap();
        let mut settings = settings(&format!("http://{address}"), data.path());
        change(&mut settings);
        let origin = settings.check().unwrap();
        let stop = CancellationToken::new();
        let web = Web::new(&settings, web_app());
        let mut app =
            start::assemble(&settings, origin, db, storage, clock, stop.clone(), web).await.unwrap();
        prepare(&settings, &mut app);
        let app = AppState::new(app);
        tokio::spawn(app.live.clone().follow(stop.clone()));
        tokio::spawn(app.deletions.clone().work(stop.clone()));
        tokio::spawn(pages::keep_painted(app.clone()));
        tokio::spawn(deadwax_mail::deliver(app.mail.clone(), stop.clone()));
        tokio::spawn(serve::serve(listener, app.site(routes::router(app.clone())), None, stop.clone()));
        let client = client().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { base: format!("http://{address}"), app, client, data, address, stop, database }
    }

    /// The URL of the PostgreSQL database.
    pub fn database_url(&self) -> Option<String> {
        self.database.as_ref().map(Database::url)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::read(self.client.get(format!("{}{path}", self.base)).send().await.unwrap()).await
    }

    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.client.get(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::read(request.send().await.unwrap()).await
    }

    /// Runs SQL without parameters, in one text for both engines.
    pub async fn sql(&self, sql: &str) {
        run_sql(&self.app.db, sql).await;
    }

    /// The findings of `deadwax check` two days later, when nothing can be in progress any more.
    pub async fn findings(&self) -> Vec<String> {
        findings(&self.app.db, &self.app.storage).await
    }

    /// Waits until this instance has seen every change in the database.
    pub async fn wait_for_changes(&self) {
        let newest = deadwax_store::live::Live::start(
            self.app.db.clone(),
            self.app.keys.clone(),
            std::sync::Arc::<ResponseCache>::default(),
        )
        .await
        .unwrap()
        .last();
        self.app.live.catch_up().await.unwrap();
        assert!(self.app.live.last() >= newest);
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A client that trusts no certificate: requests of tests are plain, and reading the system's takes as long as many of them.
pub fn client() -> ClientBuilder {
    deadwax_store::install_tls_provider();
    Client::builder().tls_certs_only([])
}

/// The same pool with a much longer timeout for a connection.
fn patient<D: sqlx::Database>(pool: &sqlx::Pool<D>) -> sqlx::Pool<D> {
    let options = pool.options().clone().acquire_timeout(Duration::from_mins(1));
    options.connect_lazy_with(pool.connect_options().as_ref().clone())
}

/// Migrates an empty database, adds the rows every label has, and closes it.
async fn install(db: Db) {
    // A start notes a migration; the labels of tests begin without the note.
    db.migrate().await.unwrap();
    start::migrate(&db, &Clock::fixed(NOON), None).await.unwrap();
    db.close().await;
}

/// A migrated, empty database, and a data folder, which holds SQLite's.
async fn fresh(engine: Engine) -> (Option<Database>, TempDir) {
    static MIGRATED: tokio::sync::OnceCell<Vec<u8>> = tokio::sync::OnceCell::const_new();
    let data = tempfile::tempdir().unwrap();
    let database = match engine {
        Engine::Sqlite => {
            let migrated = MIGRATED
                .get_or_init(async || {
                    let data = tempfile::tempdir().unwrap();
                    install(open(None, data.path()).await).await;
                    std::fs::read(data.path().join("deadwax.db")).unwrap()
                })
                .await;
            std::fs::write(data.path().join("deadwax.db"), migrated).unwrap();
            None
        }
        Engine::Postgres => Some(Database::create().await),
    };
    (database, data)
}

pub async fn open(database: Option<&Database>, data: &Path) -> Db {
    Db::open(database.map(Database::url).as_deref(), data).await.unwrap()
}

pub fn settings(public_url: &str, data: &Path) -> Settings {
    #[derive(clap::Parser)]
    struct Only {
        #[command(flatten)]
        given: Given,
    }
    let data = data.display().to_string();
    let arguments =
        ["test", "--public-url", public_url, "--data-dir", &data, "--trusted-proxies", "127.0.0.1/32"];
    // Unpainted documents do not depend on the load of the machine; tests of painting turn it on.
    Settings { paints: false, ..Settings::read(<Only as clap::Parser>::parse_from(arguments).given).unwrap() }
}

/// The findings of `deadwax check` two days later, for the origin of every test's label.
pub async fn findings(db: &Db, storage: &Storage) -> Vec<String> {
    let origin = Origin::parse("https://label.example").unwrap();
    let later = Clock::System.now().max(NOON) + 2 * 24 * 3_600 * 1_000_000;
    check::findings(db, storage, &origin, later).await.unwrap()
}

pub async fn run_sql(db: &Db, sql: &str) {
    match db {
        Db::Sqlite { write, .. } => {
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(write).await.map(drop).unwrap();
        }
        Db::Postgres { pool, .. } => {
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(pool).await.map(drop).unwrap();
        }
    }
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text: String = String::from_utf8_lossy(&self.bytes).chars().take(300).collect();
        write!(f, "{} {}: {text}", self.status, self.header("content-type"))
    }
}

impl Answer {
    pub async fn read(response: Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        Self { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The problem's code, after checking that it is a problem.
    pub fn problem(&self) -> String {
        assert!(self.header("content-type").starts_with("application/problem+json"), "{self:?}");
        let problem = self.json();
        assert_eq!(problem["status"], self.status.as_u16());
        assert!(!problem["detail"].as_str().unwrap().is_empty());
        problem["code"].as_str().unwrap().to_owned()
    }
}
