//! The program as a process: subcommands, exit codes, and its messages when it does not start.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

use deadwax_store::{clock::Clock, db::Db};

use crate::support::{Database, RECEIVE_TIMEOUT, run_sql, serving::Serving};

pub(super) fn deadwax(data: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command
        .args(arguments)
        .env_clear()
        .env("DEADWAX_DATA_DIR", data)
        .env("DEADWAX_LOG", "warn")
        // A label may already be running on the default port.
        .env("DEADWAX_LISTEN", "127.0.0.1:0")
        .stdin(Stdio::null());
    command.envs(environment.iter().copied()).output().unwrap()
}

pub(super) fn line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

/// Without the database's key the program does not start, and does not generate another.
#[test]
fn the_key_of_the_database_is_asked_for_and_never_replaced() {
    let data = tempfile::tempdir().unwrap();
    let key = data.path().join("key");
    assert!(deadwax(data.path(), &["migrate"], &[]).status.success());
    // Reads the key before it looks for the account.
    let grant = ["admin", "grant", "nobody@label.example"];
    assert_eq!(deadwax(data.path(), &grant, &[]).status.code(), Some(1));
    let made = std::fs::read(&key).unwrap();

    std::fs::remove_file(&key).unwrap();
    for arguments in [&["serve"][..], &grant, &["admin", "reset-two-factor", "nobody@label.example"]] {
        let output = deadwax(data.path(), arguments, &[]);
        assert_eq!(output.status.code(), Some(78), "{arguments:?}: {}", line(&output));
        let said = format!("DEADWAX_KEY_FILE: {} is missing", key.display());
        assert!(line(&output).lines().last().unwrap().contains(&said), "{}", line(&output));
        assert!(!key.exists(), "{arguments:?}");
    }
    std::fs::write(&key, [b'A'; 43]).unwrap();
    let output = deadwax(data.path(), &["serve"], &[]);
    assert_eq!(output.status.code(), Some(78), "{}", line(&output));
    assert!(line(&output).contains("this is not the key"), "{}", line(&output));
    std::fs::write(&key, "").unwrap();
    let output = deadwax(data.path(), &["serve"], &[]);
    assert_eq!(output.status.code(), Some(78), "{}", line(&output));
    assert!(line(&output).contains("is not a key file"), "{}", line(&output));
    std::fs::remove_file(&key).unwrap();
    std::fs::create_dir(&key).unwrap();
    let output = deadwax(data.path(), &["serve"], &[]);
    assert_eq!(output.status.code(), Some(78), "{}", line(&output));
    assert!(line(&output).contains("cannot be read"), "{}", line(&output));

    std::fs::remove_dir(&key).unwrap();
    std::fs::write(&key, made).unwrap();
    assert_eq!(deadwax(data.path(), &grant, &[]).status.code(), Some(1));
}

#[test]
fn a_command_that_looks_at_a_label_makes_none() {
    let place = tempfile::tempdir().unwrap();
    let (nowhere, copy) = (place.path().join("mistyped"), place.path().join("copy"));
    let table = place.path().join("releases.csv");
    std::fs::write(&table, "title,date\nSignal,2019-03-12\n").unwrap();
    let (copy, table) = (copy.to_str().unwrap(), table.to_str().unwrap());
    for arguments in [
        &["check"][..],
        &["backup", copy],
        &["export", "releases"],
        &["import", "releases", table],
        &["import", "releases", "--dry-run", table],
        &["admin", "list"],
        &["admin", "grant", "nobody@label.example"],
        &["admin", "revoke", "nobody@label.example"],
        &["admin", "reset-two-factor", "nobody@label.example"],
        &["newsletter", "remove", "nobody@label.example"],
    ] {
        let output = deadwax(&nowhere, arguments, &[]);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", line(&output));
        let said = format!("deadwax: no label in {}", nowhere.display());
        assert!(line(&output).starts_with(&said), "{arguments:?}: {}", line(&output));
        assert!(!nowhere.exists() && !Path::new(copy).exists(), "{arguments:?}");
    }
    let created = deadwax(&nowhere, &["admin", "create", "boss@label.example"], &[]);
    assert!(created.status.success(), "{}", line(&created));
    assert!(deadwax(&nowhere, &["check"], &[]).status.success());
}

/// Runs the program with an unwritable standard output: `/dev/full`, or a pipe whose reader has left.
fn unheard(data: &Path, arguments: &[&str], output: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command.args(arguments).env_clear().env("DEADWAX_DATA_DIR", data).env("DEADWAX_LOG", "warn");
    let child = command.stdin(Stdio::null()).stdout(output).stderr(Stdio::piped()).spawn().unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn an_unwritable_answer_is_an_error_and_loses_no_password() {
    let data = tempfile::tempdir().unwrap();
    assert!(deadwax(data.path(), &["migrate"], &[]).status.success());
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let closed = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Stdio::from(writer)
    };
    let copies = tempfile::tempdir().unwrap();
    let copy = |number: u32| copies.path().join(number.to_string()).to_str().unwrap().to_owned();
    let (one, two) = (copy(1), copy(2));
    for (arguments, output) in [
        (&["admin", "create", "boss@label.example"][..], full()),
        (&["admin", "create", "boss@label.example"], closed()),
        (&["admin", "list"], full()),
        (&["admin", "list"], closed()),
        (&["check"], closed()),
        (&["export", "releases"], closed()),
        (&["backup", &one], full()),
        (&["backup", &two], closed()),
    ] {
        let output = unheard(data.path(), arguments, output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", line(&output));
        assert!(line(&output).starts_with("deadwax: "), "{arguments:?}: {}", line(&output));
        assert_eq!(line(&output).lines().count(), 1, "{arguments:?}: {}", line(&output));
    }
    let list = deadwax(data.path(), &["admin", "list"], &[]);
    assert!(String::from_utf8_lossy(&list.stdout).starts_with("nobody is an admin"), "{list:?}");
    // The address is not taken either.
    assert!(deadwax(data.path(), &["admin", "create", "boss@label.example"], &[]).status.success());
}

#[test]
fn an_empty_label_is_migrated_and_checked() {
    let data = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let output = deadwax(data.path(), &["migrate"], &[]);
        assert!(output.status.success(), "{}", line(&output));
    }
    let output = deadwax(data.path(), &["check"], &[]);
    assert!(output.status.success(), "{}", line(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "nothing to report\n");
}

#[test]
fn a_second_program_on_the_same_folder_is_refused() {
    let data = tempfile::tempdir().unwrap();
    assert!(deadwax(data.path(), &["migrate"], &[]).status.success());
    let lock = std::fs::File::open(data.path().join("lock")).unwrap();
    lock.lock().unwrap();
    for command in ["serve", "migrate"] {
        let output = deadwax(data.path(), &[command], &[]);
        assert_eq!(output.status.code(), Some(75), "{command}: {}", line(&output));
    }
    assert!(deadwax(data.path(), &["check"], &[]).status.success(), "check works beside a running server");
}

#[test]
fn a_command_on_a_current_database_takes_no_lock_from_a_server_that_starts() {
    let data = tempfile::tempdir().unwrap();
    assert!(deadwax(data.path(), &["migrate"], &[]).status.success());
    let lock = data.path().join("lock");
    std::fs::remove_file(&lock).unwrap();
    // Opening it would fail.
    std::fs::create_dir(&lock).unwrap();
    let output = deadwax(data.path(), &["admin", "list"], &[]);
    assert!(output.status.success(), "{}", line(&output));
}

/// As in a container, where the command may follow the start at once.
#[tokio::test]
async fn a_command_waits_for_the_server_that_makes_the_tables() {
    let data = tempfile::tempdir().unwrap();
    let lock = std::fs::File::create(data.path().join("lock")).unwrap();
    lock.lock().unwrap();
    let folder = data.path().to_owned();
    let creating = tokio::task::spawn_blocking(move || {
        deadwax(&folder, &["admin", "create", "boss@label.example"], &[])
    });
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert!(!creating.is_finished());
    let db = Db::open(None, data.path()).await.unwrap();
    deadwax::start::migrate(&db, &Clock::System, None).await.unwrap();
    let created = creating.await.unwrap();
    assert!(created.status.success(), "{}", line(&created));
}

#[tokio::test]
async fn a_postgresql_database_needs_no_lock_and_keeps_no_secret_in_messages() {
    let data = tempfile::tempdir().unwrap();
    let database = Database::create_bare().await;
    let url = database.url();
    let (first, second) = (
        deadwax(data.path(), &["migrate"], &[("DATABASE_URL", &url)]),
        deadwax(data.path(), &["check"], &[("DATABASE_URL", &url)]),
    );
    assert!(first.status.success() && second.status.success(), "{} {}", line(&first), line(&second));
    let wrong =
        deadwax(data.path(), &["migrate"], &[("DATABASE_URL", "postgres://label:hunter2@127.0.0.1:1/label")]);
    assert_eq!(wrong.status.code(), Some(1), "{}", line(&wrong));
    assert!(!line(&wrong).contains("hunter2"), "{}", line(&wrong));
}

/// Names in other scripts do not fit another encoding, so an import or a demo would fail later.
#[tokio::test]
async fn a_postgresql_database_of_another_encoding_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let database = Database::create_latin1().await;
    let output = deadwax(data.path(), &["migrate"], &[("DATABASE_URL", &database.url())]);
    assert_eq!(output.status.code(), Some(78), "{}", line(&output));
    assert!(line(&output).contains("is encoded as LATIN1; make one in UTF8"), "{}", line(&output));
}

#[tokio::test]
async fn a_start_begins_with_housekeeping() {
    let data = tempfile::tempdir().unwrap();
    assert!(deadwax(data.path(), &["migrate"], &[]).status.success());
    let db = Db::open(None, data.path()).await.unwrap();
    let Db::Sqlite { read, .. } = &db else { unreachable!("no address is set") };
    run_sql(&db, "INSERT INTO limits (key, state, expires_at) VALUES ('expired', '', 0)").await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command
        .arg("serve")
        .env_clear()
        .env("DEADWAX_DATA_DIR", data.path())
        .env("DEADWAX_LISTEN", "127.0.0.1:0");
    let _serving = Serving(command.stderr(Stdio::null()).spawn().unwrap());
    let gone = async {
        let left = "SELECT COUNT(*) FROM limits WHERE key = 'expired'";
        while sqlx::query_scalar::<_, i64>(left).fetch_one(read).await.unwrap() > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(RECEIVE_TIMEOUT, gone).await.expect("what has expired goes at the start");
}

#[tokio::test]
async fn https_is_served_with_the_labels_own_certificate() {
    let data = tempfile::tempdir().unwrap();
    let key = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (cert_file, key_file) = (data.path().join("cert.pem"), data.path().join("key.pem"));
    std::fs::write(&cert_file, key.cert.pem()).unwrap();
    std::fs::write(&key_file, key.signing_key.serialize_pem()).unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command
        .arg("serve")
        .env_clear()
        .env("DEADWAX_DATA_DIR", data.path())
        .env("DEADWAX_LISTEN", format!("127.0.0.1:{port}"));
    command.env("DEADWAX_TLS_CERT", &cert_file).env("DEADWAX_TLS_KEY", &key_file).stderr(Stdio::null());
    let _serving = Serving(command.spawn().unwrap());
    let certificate = reqwest::Certificate::from_pem(key.cert.pem().as_bytes()).unwrap();
    deadwax_store::install_tls_provider();
    let base = reqwest::Client::builder().tls_certs_only([certificate]);
    let client = base.build().unwrap();
    let url = format!("https://localhost:{port}/api/releases");
    let mut answer = client.get(&url).send().await;
    for _ in 0..200 {
        if answer.is_ok() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        answer = client.get(&url).send().await;
    }
    let answer = answer.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["strict-transport-security"], "max-age=63072000; includeSubDomains");
    let page = client.get(format!("https://localhost:{port}/")).send().await.unwrap();
    assert!(
        page.headers()["content-security-policy"].to_str().unwrap().ends_with("; upgrade-insecure-requests")
    );
}

#[test]
fn an_address_is_taken_off_the_newsletter_by_its_name() {
    let data = tempfile::tempdir().unwrap();
    assert!(deadwax(data.path(), &["migrate"], &[]).status.success());
    let refused = deadwax(data.path(), &["newsletter", "remove", "nobody@x.example"], &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(line(&refused).ends_with("nobody@x.example is not on the newsletter"), "{refused:?}");
    assert!(!deadwax(data.path(), &["newsletter", "remove", "nobody"], &[]).status.success());
}

#[test]
fn files_are_their_owners_alone_in_a_folder_that_others_may_read() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let data = tempfile::tempdir().unwrap();
    std::fs::set_permissions(data.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    // Started by a shell, with a fixed umask.
    let script = "umask 022; exec \"$0\" sample";
    let program = env!("CARGO_BIN_EXE_deadwax");
    let made = Command::new("sh")
        .args(["-c", script, program])
        .env_clear()
        .env("DEADWAX_DATA_DIR", data.path())
        .env("DEADWAX_LOG", "warn")
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let (mut folders, mut seen) = (vec![data.path().to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let (path, metadata) = entry.map(|entry| (entry.path(), entry.metadata().unwrap())).unwrap();
            let mode = metadata.mode() & 0o777;
            assert_eq!(mode, if metadata.is_dir() { 0o700 } else { 0o600 }, "{} {mode:o}", path.display());
            seen.push(path.clone());
            if metadata.is_dir() {
                folders.push(path);
            }
        }
    }
    assert!(seen.contains(&data.path().join("deadwax.db")) && seen.contains(&data.path().join("media")));
    assert!(seen.iter().any(|path| path.extension().is_some_and(|extension| extension == "png")), "{seen:?}");
}

#[test]
fn a_port_that_is_in_use_ends_the_start_before_anything_else() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let data = tempfile::tempdir().unwrap();
    let output = deadwax(data.path(), &["serve"], &[("DEADWAX_ADMIN_LISTEN", &address)]);
    assert_eq!(output.status.code(), Some(1), "{}", line(&output));
    assert!(line(&output).contains(&format!("DEADWAX_ADMIN_LISTEN: {address}")), "{}", line(&output));
    assert!(!data.path().join("deadwax.db").exists(), "nothing was begun");
}
