//! The program as a process that serves.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use super::RECEIVE_TIMEOUT;

/// Killed when it is dropped.
pub struct Serving(pub Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Serves the label in a data folder; returns the process and its `http://127.0.0.1:PORT`, once it takes requests.
pub async fn serve(data: &Path) -> (Serving, String) {
    // The program answers under the port of its settings alone, so it cannot choose one.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut child = Command::new(env!("CARGO_BIN_EXE_deadwax"))
        .arg("serve")
        .env_clear()
        .env("DEADWAX_DATA_DIR", data)
        .env("DEADWAX_LISTEN", format!("127.0.0.1:{port}"))
        .env("TRUSTED_PROXIES", "127.0.0.1/32")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let log = BufReader::new(child.stderr.take().unwrap());
    let serving = Serving(child);
    let (sender, started) = tokio::sync::oneshot::channel();
    // Reads to the end: the program would wait for a full pipe.
    std::thread::spawn(move || {
        let mut lines = log.lines().map_while(Result::ok);
        if lines.any(|line| line.contains("sys_startup")) {
            let _ = sender.send(());
        }
        lines.for_each(drop);
    });
    let started = tokio::time::timeout(RECEIVE_TIMEOUT, started).await;
    started.expect("a start in time").expect("a start");
    (serving, format!("http://127.0.0.1:{port}"))
}
