//! PostgreSQL unreachable or refusing, and several instances starting on it at once.

use std::{
    io::BufReader,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use deadwax::start;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixStream},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use super::program::{deadwax, line};
use crate::support::{Database, serving::Serving, settings};

async fn run(arguments: &'static [&'static str], url: String) -> (Option<i32>, String) {
    let run = move || {
        let data = tempfile::tempdir().unwrap();
        let output = deadwax(data.path(), arguments, &[("DATABASE_URL", &url)]);
        (output.status.code(), line(&output))
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// A server that refuses each connection like PostgreSQL, with a code and a message.
async fn refusing(code: &'static str, message: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let answer = async move |mut socket: TcpStream| -> std::io::Result<()> {
        loop {
            let length = socket.read_u32().await?;
            let mut body = vec![0; length as usize - 4];
            socket.read_exact(&mut body).await?;
            if body == 80_877_103_u32.to_be_bytes() {
                socket.write_all(b"N").await?;
                continue;
            }
            let fields = format!("SFATAL\0VFATAL\0C{code}\0M{message}\0Fauth.c\0L948\0Rauth_failed\0\0");
            let length = u32::try_from(fields.len() + 4).unwrap();
            socket.write_all(&[b"E", &length.to_be_bytes()[..], fields.as_bytes()].concat()).await?;
            return socket.shutdown().await;
        }
    };
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let _ = answer(socket).await;
        }
    });
    format!("postgres://mira:hunter2@{address}/label")
}

#[tokio::test]
async fn what_postgresql_refuses_is_said_in_one_line_with_what_to_do() {
    for (code, message, exit, said) in [
        (
            "28P01",
            "password authentication failed for user \"mira\"",
            78,
            "the password of the user mira is wrong",
        ),
        ("28000", "role \"mira\" does not exist", 78, "there is no user mira; make it with CREATE ROLE"),
        (
            "28000",
            "no pg_hba.conf entry for host \"10.0.0.1\", user \"mira\", database \"label\", no encryption",
            78,
            "asks mira for an encrypted connection",
        ),
        (
            "28000",
            "no pg_hba.conf entry for host \"10.0.0.1\", user \"mira\", database \"label\", SSL encryption",
            78,
            "add a line for it to pg_hba.conf",
        ),
        (
            "3D000",
            "database \"label\" does not exist",
            78,
            "there is no database label; make it with CREATE DATABASE",
        ),
        ("42501", "permission denied for database \"label\"", 78, "make it the owner with ALTER DATABASE"),
        (
            "53300",
            "sorry, too many clients already",
            1,
            "no connection left (sorry, too many clients already); raise max_connections",
        ),
        (
            "57P03",
            "the database system is starting up",
            1,
            "does not take connections yet (the database system is starting up)",
        ),
        ("58030", "could not read a file", 1, "does not take connections yet (could not read a file)"),
        ("42704", "something else", 78, "DATABASE_URL: something else"),
    ] {
        let (ended, text) = run(&["migrate"], refusing(code, message).await).await;
        assert_eq!(ended, Some(exit), "{code}: {text}");
        assert!(text.starts_with("deadwax: DATABASE_URL: ") && text.contains(said), "{code}: {text}");
        assert_eq!(text.lines().count(), 1, "{code}: {text}");
        assert!(!text.contains("hunter2") && !text.contains("948"), "{code}: {text}");
        let first = text.split("; ").next().unwrap();
        assert_eq!(text.matches(message).count(), first.matches(message).count().min(1), "said once: {text}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_or_is_another_is_named() {
    let (ended, text) = run(&["migrate"], "postgres://mira:hunter2@127.0.0.1:1/label".to_owned()).await;
    assert_eq!(ended, Some(1), "{text}");
    assert!(text.contains("nothing answers at 127.0.0.1:1 (Connection refused"), "{text}");
    let (ended, text) = run(&["migrate"], "postgres:///label?user=mira&host=/nowhere".to_owned()).await;
    assert_eq!(ended, Some(1), "{text}");
    assert!(text.contains("nothing answers at /nowhere/.s.PGSQL.5432 (No such file"), "{text}");
    let (ended, text) = run(&["migrate"], refusing("28P01", "x").await + "?sslmode=require").await;
    assert_eq!(ended, Some(78), "{text}");
    assert!(text.contains("does not encrypt, and sslmode asks for it"), "{text}");

    let web = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("postgres://mira:hunter2@{}/label", web.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = web.accept().await {
            socket.read_u64().await.unwrap();
            socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        }
    });
    let (ended, text) = run(&["migrate"], url).await;
    assert_eq!(ended, Some(78), "{text}");
    assert!(text.contains("is not PostgreSQL") && text.lines().count() == 1, "{text}");
}

#[tokio::test]
async fn a_user_who_may_not_create_tables_learns_which_owner_is_needed() {
    let database = Database::create_bare().await;
    database
        .sql("DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        .await;
    let (ended, text) = run(&["migrate"], database.url().replace("user=postgres", "user=guest")).await;
    assert_eq!(ended, Some(78), "{text}");
    assert!(
        text.contains("permission denied for schema public") && text.contains("ALTER DATABASE … OWNER TO"),
        "{text}"
    );
    assert!(text.lines().count() == 1 && text.matches("permission denied").count() == 1, "{text}");
    let (ended, text) = run(&["migrate"], database.url().replace("///", "///nowhere_")).await;
    assert_eq!(ended, Some(78), "{text}");
    assert_eq!(text.matches("nowhere_").count(), 1, "{text}");
}

/// Starts the program on a free port; returns the process and its log.
fn serve(data: &Path, url: &str) -> (Serving, BufReader<std::process::ChildStderr>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command.arg("serve").env_clear().env("DEADWAX_DATA_DIR", data).env("DATABASE_URL", url);
    command
        .env("DEADWAX_LISTEN", "127.0.0.1:0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let log = BufReader::new(child.stderr.take().unwrap());
    (Serving(child), log)
}

/// Reads the log up to a line that contains `said`, and returns all it read.
fn read_until(log: &mut impl std::io::BufRead, said: &str) -> String {
    let mut read = String::new();
    while !read.lines().last().unwrap_or_default().contains(said) {
        assert!(log.read_line(&mut read).unwrap() > 0, "{said}: {read}");
    }
    read
}

#[tokio::test]
async fn a_start_waits_for_a_database_that_starts_with_the_machine() {
    let data = tempfile::tempdir().unwrap();
    let database = Database::create_bare().await;
    let url = database.url();
    let (name, folder) =
        url.strip_prefix("postgres:///").unwrap().split_once("?user=postgres&host=").unwrap();
    let socket = Path::new(folder).join(".s.PGSQL.5432");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (serving, mut log) = serve(data.path(), &format!("postgres://postgres@127.0.0.1:{port}/{name}"));
    let log = tokio::task::spawn_blocking(move || (read_until(&mut log, "waiting for the database"), log));
    let (waiting, mut log) = log.await.unwrap();
    assert!(waiting.contains(&format!("nothing answers at 127.0.0.1:{port}")), "{waiting}");
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    tokio::spawn(async move {
        while let Ok((mut from, _)) = listener.accept().await {
            let mut to = UnixStream::connect(&socket).await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut from, &mut to).await });
        }
    });
    let started = tokio::task::spawn_blocking(move || read_until(&mut log, "sys_startup")).await.unwrap();
    assert!(!started.contains("waiting for the database"), "once: {started}");
    drop(serving);
}

#[tokio::test(start_paused = true)]
async fn a_start_without_a_database_ends_after_half_a_minute() {
    let data = tempfile::tempdir().unwrap();
    let mut settings = settings("http://127.0.0.1:8080", data.path());
    settings.database_url = Some("postgres://mira:hunter2@127.0.0.1:1/label".into());
    let begun = Instant::now();
    let opened = start::open_when_there(&settings, &CancellationToken::new()).await;
    let error = format!("{:#}", opened.map(drop).unwrap_err());
    assert!(begun.elapsed() >= Duration::from_secs(30), "{:?}", begun.elapsed());
    assert!(error.contains("nothing answers at 127.0.0.1:1") && !error.contains("hunter2"), "{error}");
}

#[tokio::test]
async fn any_number_of_instances_make_a_label_at_the_same_moment() {
    for _ in 0..2 {
        let data = tempfile::tempdir().unwrap();
        let (folder, database) = (data.path().join("new"), Database::create_bare().await);
        let begun: Vec<_> = (0..6).map(|_| serve(&folder, &database.url())).collect();
        for (serving, mut log) in begun {
            let read = tokio::task::spawn_blocking(move || read_until(&mut log, "sys_startup"));
            read.await.unwrap();
            drop(serving);
        }
    }
}
