//! The program as a service: what systemd and container runtimes ask of it.

use std::{
    os::unix::net::UnixDatagram,
    process::{Command, Stdio},
    time::Duration,
};

use super::program::{deadwax, line};
use crate::support::{RECEIVE_TIMEOUT, serving::Serving};

#[test]
fn systemd_hears_of_the_start_of_life_and_of_the_end() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(RECEIVE_TIMEOUT)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command
        .arg("serve")
        .env_clear()
        .env("DEADWAX_DATA_DIR", data.path().join("data"))
        .env("DEADWAX_LISTEN", "127.0.0.1:0")
        .env("NOTIFY_SOCKET", &path)
        .env("WATCHDOG_USEC", "200000");
    let serving = Serving(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let hear = || {
        let mut bytes = [0; 256];
        let length = socket.recv(&mut bytes).expect("a word from the program");
        String::from_utf8_lossy(&bytes[..length]).trim().to_owned()
    };
    assert_eq!(hear(), "READY=1");
    assert_eq!((hear(), hear()), ("WATCHDOG=1".to_owned(), "WATCHDOG=1".to_owned()));
    let pid = rustix::process::Pid::from_child(&serving.0);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    loop {
        match hear().as_str() {
            "WATCHDOG=1" => {}
            end => break assert_eq!(end, "STOPPING=1"),
        }
    }
}

#[test]
fn healthy_says_whether_the_server_on_this_machine_is_ready() {
    let data = tempfile::tempdir().unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // Behind a proxy, in a container: another public address, on all interfaces.
    let listen = format!("0.0.0.0:{port}");
    let settings = [("DEADWAX_LISTEN", listen.as_str()), ("DEADWAX_PUBLIC_URL", "https://label.example")];
    let output = deadwax(data.path(), &["healthy"], &settings);
    assert_eq!(output.status.code(), Some(1), "{}", line(&output));
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command.arg("serve").env_clear().env("DEADWAX_DATA_DIR", data.path()).envs(settings);
    let _serving = Serving(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let deadline = std::time::Instant::now() + RECEIVE_TIMEOUT;
    while !deadwax(data.path(), &["healthy"], &settings).status.success() {
        assert!(std::time::Instant::now() < deadline, "it never became healthy");
        std::thread::sleep(Duration::from_millis(100));
    }
}
