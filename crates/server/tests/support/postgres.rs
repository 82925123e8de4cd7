//! A temporary PostgreSQL cluster for the whole test run, with a separate database for each test.

use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use deadwax_store::db::{Db, EngineTx, Tx};
use sqlx::{Connection as _, Executor as _, PgConnection};

use super::{TestServer, install};

/// Starts the cluster as user `$1` in `$2` with the programs of `$3`, reports when it is ready, and stops it when standard
/// input closes, which happens however the test process ends.
const KEEPER: &str = r#"
set -eu
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid "$user" --regid "$user" --clear-groups "$@"; else "$@"; fi; }
user=$1; dir=$2; bin=$3
[ "$(id -u)" = 0 ] && chown "$user" "$dir"
cd "$dir"
as "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$dir/initdb.log" 2>&1
as "$bin/pg_ctl" -D "$dir/data" -w -s -l "$dir/log" -o "-k $dir -c listen_addresses='' -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=400 -c shared_buffers=64MB -c autovacuum=off" start
echo ready
cat >/dev/null
as "$bin/pg_ctl" -D "$dir/data" -s -m immediate stop || true
rm -rf "$dir"
"#;

/// The longest folder that leaves room for the socket's name.
const SHORT_PATH: usize = 60;

struct Cluster {
    socket: PathBuf,
    /// Closing its standard input stops the cluster; the operating system does so when this process ends.
    _keeper: std::process::Child,
}

fn programs() -> PathBuf {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|versions| versions.filter_map(|version| Some(version.ok()?.path().join("bin"))).collect())
        .unwrap_or_default();
    found.sort();
    found.pop().expect("PostgreSQL is installed (Debian: postgresql)")
}

fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        // A socket's path may have 107 characters, and the database's user must be able to reach it.
        let folder = Some(std::env::temp_dir()).filter(|folder| folder.as_os_str().len() <= SHORT_PATH);
        let folder = folder.unwrap_or_else(|| "/tmp".into());
        let socket = tempfile::Builder::new().prefix("deadwax-pg-").tempdir_in(folder).unwrap().keep();
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper", "postgres", path(&socket), path(&programs())])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(keeper.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n", "the cluster did not start: see {}/log", socket.display());
        Cluster { socket, _keeper: keeper }
    })
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn url(database: &str) -> String {
    format!("postgres:///{database}?user=postgres&host={}", path(&cluster().socket))
}

/// A database of the cluster, which goes as a whole.
pub struct Database(Arc<str>);

impl Database {
    /// A migrated, empty database.
    pub async fn create() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        static TEMPLATE: tokio::sync::OnceCell<()> = tokio::sync::OnceCell::const_new();
        let mut admin = PgConnection::connect(&url("postgres")).await.unwrap();
        TEMPLATE
            .get_or_init(async || {
                let mut admin = PgConnection::connect(&url("postgres")).await.unwrap();
                admin.execute("CREATE DATABASE template_label").await.unwrap();
                install(Db::open(Some(&url("template_label")), Path::new("/")).await.unwrap()).await;
            })
            .await;
        let name = format!("label_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        admin
            .execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name} TEMPLATE template_label")))
            .await
            .unwrap();
        Self(name.into())
    }

    /// An empty database without a schema.
    pub async fn create_bare() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let mut admin = PgConnection::connect(&url("postgres")).await.unwrap();
        let name = format!("bare_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        admin.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
        Self(name.into())
    }

    /// An empty database whose encoding lacks most characters.
    pub async fn create_latin1() -> Self {
        let mut admin = PgConnection::connect(&url("postgres")).await.unwrap();
        let encoded = "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0";
        let name = "latin1";
        admin.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name} {encoded}"))).await.unwrap();
        Self(name.into())
    }

    /// The cluster's log so far, of all databases.
    pub fn log() -> String {
        std::fs::read_to_string(cluster().socket.join("log")).unwrap()
    }

    pub async fn sql(&self, sql: &'static str) {
        PgConnection::connect(&self.url()).await.unwrap().execute(sql).await.unwrap();
    }

    pub fn url(&self) -> String {
        url(&self.0)
    }

    pub fn another(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// Changes rows in a transaction, so that others wait for them. SQLite has a single writer.
pub async fn change(tx: &mut Tx, sql: &'static str) {
    let EngineTx::Postgres(tx) = &mut tx.inner else { unreachable!() };
    tx.execute(sql).await.unwrap();
}

impl TestServer {
    /// Waits until `count` transactions wait for others.
    pub async fn wait_for_locks(&self, count: i64) {
        let waits = "pg_locks WHERE NOT granted AND pid IN \
            (SELECT pid FROM pg_stat_activity WHERE datname = current_database())";
        self.wait_until("they wait", async || self.count(waits).await >= count).await;
    }
}
