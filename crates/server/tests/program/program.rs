//! The program as people start it: subcommands, exit codes, and what it says when it will not start.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::support::Database;

pub(super) fn deadwax(data: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command
        .args(arguments)
        .env_clear()
        .env("DEADWAX_DATA_DIR", data)
        .env("DEADWAX_LOG", "warn")
        // A label may be running on the port it takes by itself.
        .env("DEADWAX_LISTEN", "127.0.0.1:0")
        .stdin(Stdio::null());
    command.envs(environment.iter().copied()).output().unwrap()
}

pub(super) fn line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

#[test]
fn settings_that_cannot_work_stop_the_start_with_one_line() {
    let data = tempfile::tempdir().unwrap();
    for (environment, code, said) in [
        (
            ("DEADWAX_PUBLIC_URL", "http://label.example"),
            78,
            "DEADWAX_PUBLIC_URL: http://label.example is plain http on a host that is not this machine; use https",
        ),
        (
            ("DEADWAX_PUBLIC_URL", "https://label.example/shop"),
            78,
            "DEADWAX_PUBLIC_URL: https://label.example/shop must be an http or https address without path, query and user",
        ),
        (
            ("DEADWAX_TLS_CERT", "/nowhere.pem"),
            78,
            "DEADWAX_TLS_CERT and DEADWAX_TLS_KEY must be set together",
        ),
        (("DATABASE_URL", "mysql://x"), 78, "DATABASE_URL"),
        (("STORAGE_URL", "ftp://x"), 78, "STORAGE_URL"),
        (("DEADWAX_LOG", "a=b=c"), 78, "DEADWAX_LOG"),
        (("SMTP_URL", "http://label:hunter2@mail.example"), 78, "SMTP_URL must look like smtps://"),
        (("SMTP_URL", "smtps://a:b@mail.example"), 78, "MAIL_FROM and CONTACT_TO must be set with SMTP_URL"),
        (
            ("AI_URL", "http://hunter2.example/v1"),
            78,
            "AI_URL must look like https://host/v1/chat/completions",
        ),
        (
            ("AI_URL", "https://a:hunter2@ai.example"),
            78,
            "AI_URL must look like https://host/v1/chat/completions",
        ),
        (("AI_KEY", "hunter2"), 78, "AI_KEY and AI_MODEL need AI_URL"),
        (("MAIL_FROM", "nobody"), 78, "MAIL_FROM: nobody is not an email address"),
        (
            ("CONTACT_TO", "a@b.example, c@d.example"),
            78,
            "CONTACT_TO: a@b.example, c@d.example is not an email address",
        ),
        (
            ("DEADWAX_LISTEN", "nowhere"),
            78,
            "DEADWAX_LISTEN: nowhere: write an address and a port, such as 127.0.0.1:8080",
        ),
        (
            ("DEADWAX_LISTEN", "label.example:8080"),
            78,
            "DEADWAX_LISTEN: label.example:8080: write an address and a port",
        ),
        (
            ("DEADWAX_ADMIN_LISTEN", "localhost"),
            78,
            "DEADWAX_ADMIN_LISTEN: localhost: write an address and a port",
        ),
        (("DEADWAX_ADMIN_MFA", "always"), 78, "DEADWAX_ADMIN_MFA: always: must be offered or required"),
        (("DEADWAX_PAINT", "yes"), 78, "DEADWAX_PAINT: yes: must be on or off"),
        (("DEADWAX_PUBLIC_URL", "nothing"), 78, "DEADWAX_PUBLIC_URL: nothing: write https://nothing"),
        (
            ("DEADWAX_PUBLIC_URL", "label.example"),
            78,
            "DEADWAX_PUBLIC_URL: label.example: write https://label.example",
        ),
        (
            ("DEADWAX_PUBLIC_URL", "ftp://label.example"),
            78,
            "DEADWAX_PUBLIC_URL: ftp://label.example/ must be an http or https address",
        ),
        (
            ("DEADWAX_PUBLIC_URL", "label:hunter2@label.example"),
            78,
            "DEADWAX_PUBLIC_URL: write it as https://label.example",
        ),
        (("DEADWAX_PUBLIC_URL", "https://:hunter2@label.example"), 78, "DEADWAX_PUBLIC_URL: "),
        (("DEADWAX_PUBLIC_URL", "https://label:hunter2@label.example"), 78, "DEADWAX_PUBLIC_URL: "),
        (
            ("TRUSTED_PROXIES", "everybody"),
            78,
            "TRUSTED_PROXIES: everybody is neither an address nor a network",
        ),
        (("TRUSTED_PROXIES", "127.0.0.1,10.0.0.0/99"), 78, "10.0.0.0/99 is neither an address nor a network"),
        (("DEADWAX_LABEL_NAME", "Dead\nWax"), 78, "DEADWAX_LABEL_NAME: "),
        (("DEADWAX_LOG", "verbose"), 78, "DEADWAX_LOG: verbose"),
        (
            ("DEADWAX_LOG", "a=b=c"),
            78,
            "DEADWAX_LOG: a=b=c: write info, or a level for each module as deadwax=debug",
        ),
        (
            ("DATABASE_URL", "postgres://label:hunter2@db:port/x"),
            78,
            "DATABASE_URL: it must look like postgres://user:password@host:5432/name (host or port",
        ),
        (
            ("DATABASE_URL", "postgres://label:hunter2@db/x?sslmode=maybe"),
            78,
            "sslmode is disable, allow, prefer, require, verify-ca or verify-full",
        ),
        (
            ("DATABASE_URL", "postgres://label:hunter2@ss/w#rd@db/x"),
            78,
            "write / in user and password as %2F",
        ),
        (("DATABASE_URL", "postgres://label:hunter2#rd@db/x"), 78, "write # in user and password as %23"),
        (
            ("DATABASE_URL", "postgres://label:hunter2?@db/x?sslmode=require"),
            78,
            "write ? in user and password as %3F",
        ),
        (("DATABASE_URL", "label.db"), 78, "DATABASE_URL must start with postgres://"),
        (("SMTP_URL", "mail.example:587"), 78, "SMTP_URL must look like smtps://user:password@host"),
        (("STORAGE_URL", "hunter2@label"), 78, "STORAGE_URL must look like s3://key:secret@bucket"),
        (("STORAGE_URL", "s3://a:hunter2@b?endpoint=nonsense"), 78, "STORAGE_URL must look like"),
    ] {
        let output = deadwax(data.path(), &["serve"], &[environment]);
        assert_eq!(output.status.code(), Some(code), "{environment:?}: {}", line(&output));
        assert!(line(&output).starts_with("deadwax: "), "{environment:?}: {}", line(&output));
        assert!(line(&output).contains(said), "{environment:?}: {}", line(&output));
        assert_eq!(line(&output).lines().count(), 1, "{}", line(&output));
        assert!(!line(&output).contains("hunter2"), "{}", line(&output));
    }
    assert!(std::fs::read_dir(data.path()).unwrap().next().is_none(), "and nothing was made");
    for arguments in [&["serve", "--listen", "nowhere"][..], &["--trusted-proxies=everybody", "migrate"]] {
        let output = deadwax(data.path(), arguments, &[]);
        assert_eq!(output.status.code(), Some(78), "{arguments:?}: {}", line(&output));
        assert_eq!(line(&output).lines().count(), 1, "{}", line(&output));
    }
    for arguments in [&["dance"][..], &["serve", "--loudly"], &[]] {
        let output = deadwax(data.path(), arguments, &[]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", line(&output));
    }
    for arguments in [&["--help"][..], &["--version"], &["serve", "--help"]] {
        assert!(deadwax(data.path(), arguments, &[("DEADWAX_LISTEN", "8080")]).status.success());
    }
}

#[test]
fn certificates_that_cannot_be_read_are_wrong_settings() {
    let data = tempfile::tempdir().unwrap();
    let (cert, rubbish) = (data.path().join("cert.pem"), data.path().join("rubbish.pem"));
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&rubbish, "rubbish").unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    for (cert, key, said) in [
        ("/nowhere.pem".to_owned(), text(&cert), "DEADWAX_TLS_CERT: /nowhere.pem: "),
        (text(&cert), text(&rubbish), "DEADWAX_TLS_KEY: "),
        (text(&rubbish), text(&cert), "DEADWAX_TLS_"),
    ] {
        let output =
            deadwax(data.path(), &["serve"], &[("DEADWAX_TLS_CERT", &cert), ("DEADWAX_TLS_KEY", &key)]);
        assert_eq!(output.status.code(), Some(78), "{}", line(&output));
        assert!(line(&output).contains(said) && line(&output).lines().count() == 1, "{}", line(&output));
    }
}

#[test]
fn settings_may_be_written_as_people_write_them() {
    let data = tempfile::tempdir().unwrap();
    for environment in [
        ("TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8 ,::1,fd00::/8"),
        ("TRUSTED_PROXIES", "localhost 10.0.0.0/8"),
        ("DEADWAX_LISTEN", "8080"),
        ("DEADWAX_LISTEN", ":8080"),
        ("DEADWAX_LISTEN", "localhost:8080"),
        ("DEADWAX_LISTEN", "[::]:8080"),
        ("DEADWAX_LISTEN", " \"127.0.0.1:8080\" "),
        ("DEADWAX_ADMIN_LISTEN", "9090"),
        ("DEADWAX_PUBLIC_URL", "'https://label.example/'"),
        ("DEADWAX_ADMIN_MFA", "Required"),
        ("DEADWAX_PAINT", "OFF"),
        ("DEADWAX_LOG", "WARN"),
        ("MAIL_FROM", "Label <post@müller.example>"),
        ("STORAGE_URL", "s3://AKIA:abc/def+ghi=@label?region=eu-central-1"),
    ] {
        let output = deadwax(data.path(), &["migrate"], &[environment]);
        assert!(output.status.success(), "{environment:?}: {}", line(&output));
        assert!(line(&output).is_empty(), "{environment:?}: {}", line(&output));
    }
    let mail = [
        ("SMTP_URL", "smtps://me@a.example:p/w#d@mail.example"),
        ("MAIL_FROM", "a@b.example"),
        ("CONTACT_TO", "\"a@b.example\""),
    ];
    let output = deadwax(data.path(), &["migrate"], &mail);
    assert!(output.status.success(), "{}", line(&output));
}

/// Files for containers say `${VAR:-}` for what may be missing.
#[test]
fn an_empty_setting_is_not_set() {
    use clap::CommandFactory as _;
    let data = tempfile::tempdir().unwrap();
    let mut command = deadwax::cli::Cli::command();
    command.build();
    let variables: Vec<String> = command
        .get_arguments()
        .filter_map(|argument| Some(argument.get_env()?.to_str()?.to_owned()))
        .collect();
    assert!(variables.len() >= 20, "{variables:?}");
    for empty in ["", " ", "\"\""] {
        let environment: Vec<_> = variables
            .iter()
            .map(|name| {
                (
                    name.as_str(),
                    if name == "DEADWAX_DATA_DIR" { data.path().to_str().unwrap() } else { empty },
                )
            })
            .collect();
        let output = deadwax(data.path(), &["migrate"], &environment);
        assert!(output.status.success(), "{empty:?}: {}", line(&output));
        assert!(line(&output).lines().all(|line| line.contains("\"level\":\"INFO\"")), "{}", line(&output));
        let listen = deadwax(data.path(), &["migrate", "--listen", empty], &[]);
        assert!(listen.status.success(), "{empty:?}: {}", line(&listen));
    }
}

/// Without the key of the database nothing is started, and none is made in its place.
#[test]
fn the_key_of_the_database_is_asked_for_and_never_replaced() {
    let data = tempfile::tempdir().unwrap();
    let key = data.path().join("key");
    assert!(deadwax(data.path(), &["migrate"], &[]).status.success());
    // Reads the key, whoever is to be granted anything.
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

/// The program, with its standard output going to where nothing can be written: `/dev/full`, or a reader that has left.
fn unheard(data: &Path, arguments: &[&str], output: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command.args(arguments).env_clear().env("DEADWAX_DATA_DIR", data).env("DEADWAX_LOG", "warn");
    let child = command.stdin(Stdio::null()).stdout(output).stderr(Stdio::piped()).spawn().unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn an_answer_that_nobody_hears_is_an_error_and_no_password_is_lost_by_it() {
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
    // Nobody has the address either.
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
fn a_second_program_on_the_same_folder_is_told_to_come_back_later() {
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

/// What people are called in other scripts does not fit into another encoding, and an import or a demo would fail on it.
#[tokio::test]
async fn a_postgresql_database_of_another_encoding_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let database = Database::create_latin1().await;
    let output = deadwax(data.path(), &["migrate"], &[("DATABASE_URL", &database.url())]);
    assert_eq!(output.status.code(), Some(78), "{}", line(&output));
    assert!(line(&output).contains("is encoded as LATIN1; make one in UTF8"), "{}", line(&output));
}

/// A server that ends with the test.
pub(super) struct Serving(pub(super) std::process::Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
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
    // As a shell starts it, whatever the umask of the tests is.
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
