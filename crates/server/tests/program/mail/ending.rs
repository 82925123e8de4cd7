//! Shutdown while letters are being sent.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use deadwax_store::{clock::Clock, crypto::Keys, db::Db};
use macro_rules_attribute::apply;
use tokio::net::TcpListener;

use super::{Outbox, ROWS, plain};
use crate::{
    on_both_engines,
    support::{Database, Engine, RECEIVE_TIMEOUT, open, serving::Serving, sink::Sink},
};

/// The program running as a process, with a letter in its outbox.
struct Sending {
    // Ends before its folder goes.
    program: Serving,
    data: tempfile::TempDir,
    database: Option<Database>,
}

impl Sending {
    async fn start(engine: Engine, smtp_port: u16) -> Self {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::create().await),
        };
        let data = tempfile::tempdir().unwrap();
        let db = open(database.as_ref(), data.path()).await;
        db.migrate().await.unwrap();
        enqueue(&db, data.path()).await;
        db.close().await;
        let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
        command
            .arg("serve")
            .env_clear()
            .env("DEADWAX_DATA_DIR", data.path())
            .env("DEADWAX_LISTEN", "127.0.0.1:0")
            .env("DEADWAX_PAINT", "off")
            .env("SMTP_URL", format!("smtp://127.0.0.1:{smtp_port}"))
            .env("MAIL_FROM", "mail@label.example")
            .env("CONTACT_TO", "label@label.example")
            .env("DEADWAX_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        if let Some(database) = &database {
            command.env("DATABASE_URL", database.url());
        }
        let program = Serving(command.spawn().unwrap());
        Self { program, data, database }
    }

    /// Stops the program and returns how long it took.
    fn end(&mut self) -> Duration {
        let began = Instant::now();
        let id = rustix::process::Pid::from_child(&self.program.0);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        assert!(self.program.0.wait().unwrap().success());
        began.elapsed()
    }

    async fn outbox(&self) -> Vec<Outbox> {
        let db = open(self.database.as_ref(), self.data.path()).await;
        let rows = db.query(ROWS).all::<Outbox>().await.unwrap();
        db.close().await;
        rows
    }
}

async fn enqueue(db: &Db, data: &Path) {
    let keys = Keys::load_or_create(&data.join("key")).unwrap();
    let mut tx = db.begin().await.unwrap();
    let mail = plain("max@example.org", "hello");
    deadwax_mail::enqueue(&mut tx, &keys, Clock::System.now(), &mail).await.unwrap();
    tx.commit().await.unwrap();
}

#[apply(on_both_engines!)]
async fn a_letter_that_the_server_is_taking_is_noted_as_sent(engine: Engine) {
    let mut sink = Sink::start().await;
    sink.mode("slow").await;
    let mut sending = Sending::start(engine, sink.port).await;
    assert_eq!(sink.mail().await.0, "max@example.org");
    let took = sending.end();
    assert!(took < Duration::from_secs(20), "{took:?}");
    let rows = sending.outbox().await;
    assert!(rows[0].4.is_some(), "it would be sent again: {rows:?}");
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn a_letter_not_fully_sent_is_abandoned_and_delays_no_exit(engine: Engine) {
    // Accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut sending = Sending::start(engine, silent.local_addr().unwrap().port()).await;
    let asked = tokio::time::timeout(RECEIVE_TIMEOUT, silent.accept()).await.unwrap().unwrap();
    let took = sending.end();
    assert!(took < Duration::from_millis(1500), "{took:?}");
    let rows = sending.outbox().await;
    assert_eq!((rows[0].2, rows[0].4, rows[0].5), (0, None, None), "it waits: {rows:?}");
    drop(asked);
}
