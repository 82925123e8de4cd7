//! Settings: accepted values, and the messages about all others.

use std::path::Path;

use super::program::{deadwax, line};

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
        (("BACKUP_URL", "backups"), 78, "BACKUP_URL: it is the whole path of a folder, such as /mnt/backup"),
        (("BACKUP_URL", "s3://a:hunter2@b?endpoint=nonsense"), 78, "BACKUP_URL must look like s3://"),
        (("BACKUP_RECIPIENT", "AGE-SECRET-KEY-1HUNTER2"), 78, "BACKUP_RECIPIENT: this is the secret key"),
        (("BACKUP_RECIPIENT", "age-secret-key-1hunter2"), 78, "BACKUP_RECIPIENT: this is the secret key"),
        (("BACKUP_RECIPIENT", "age1"), 78, "BACKUP_RECIPIENT: a sign of this public key is wrong"),
        // The last sign of a key is wrong.
        (
            ("BACKUP_RECIPIENT", "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8q"),
            78,
            "BACKUP_RECIPIENT: a sign of this public key is wrong; write it as `deadwax backup-key` printed it",
        ),
        (
            ("DEADWAX_DATA_DIR", "/dev/null"),
            78,
            "DEADWAX_DATA_DIR: /dev/null: File exists (os error 17); name a folder that this user can write to",
        ),
        (("DEADWAX_DATA_DIR", "/dev/null/label"), 78, "DEADWAX_DATA_DIR: /dev/null/label: Not a directory"),
        (("DEADWAX_DATA_DIR", "/proc/label"), 78, "DEADWAX_DATA_DIR: /proc/label: No such file or directory"),
        // The folder is there, and its lock cannot be made.
        (("DEADWAX_DATA_DIR", "/proc"), 78, "DEADWAX_DATA_DIR: /proc/lock: "),
        (("BACKUP_PING", "hunter2"), 78, "BACKUP_PING: write it as https://"),
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
        ("BACKUP_URL", "/nowhere/yet"),
        ("BACKUP_URL", "s3://AKIA:abc/def+ghi=@label?region=eu-central-1"),
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

/// Compose files write `${VAR:-}` for an optional value.
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
