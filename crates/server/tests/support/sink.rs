//! A real mail server that misbehaves on demand, and helpers to read its mails.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use deadwax_config::Settings;
use serde_json::Value;
use tokio::{net::TcpSocket, sync::mpsc};

use super::RECEIVE_TIMEOUT;

/// aiosmtpd with modes; stops with the test.
pub struct Sink {
    process: Option<Process>,
    /// Reserves the port, without listening, while the mail server is away.
    _reserved: TcpSocket,
    pub port: u16,
    last_sender: String,
}

struct Process {
    child: Child,
    commands: ChildStdin,
    events: mpsc::UnboundedReceiver<Value>,
}

impl Sink {
    pub async fn start() -> Self {
        let mut sink = Self::away();
        sink.restart().await;
        sink
    }

    /// Reserves a port without a mail server.
    pub fn away() -> Self {
        let reserved = TcpSocket::new_v4().unwrap();
        reserved.set_reuseport(true).unwrap();
        reserved.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let port = reserved.local_addr().unwrap().port();
        Self { process: None, _reserved: reserved, port, last_sender: String::new() }
    }

    /// Starts the mail server at its port.
    pub async fn restart(&mut self) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/smtp_server.py");
        // Debian's packages are installed for Debian's own Python.
        let mut child = Command::new("/usr/bin/python3")
            .args([script, &self.port.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python and aiosmtpd are installed (Debian: python3-aiosmtpd)");
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, events) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = sender.send(serde_json::from_str(&line).unwrap());
            }
        });
        let commands = child.stdin.take().unwrap();
        self.process = Some(Process { child, commands, events });
        assert_eq!(self.event().await["port"], self.port);
    }

    fn process(&mut self) -> &mut Process {
        self.process.as_mut().expect("the mail server was started")
    }

    async fn event(&mut self) -> Value {
        tokio::time::timeout(RECEIVE_TIMEOUT, self.process().events.recv())
            .await
            .expect("the mail server has something to tell")
            .expect("the mail server runs (Debian: python3-aiosmtpd)")
    }

    pub async fn mode(&mut self, mode: &str) {
        writeln!(self.process().commands, "{mode}").unwrap();
        assert_eq!(self.event().await["mode"], mode);
    }

    /// The recipient and text of the next mail.
    pub async fn mail(&mut self) -> (String, String) {
        let event = self.event().await;
        event["sender"].as_str().unwrap().clone_into(&mut self.last_sender);
        let [to] = event["to"].as_array().unwrap().as_slice() else { panic!("{event}") };
        (to.as_str().unwrap().to_owned(), event["data"].as_str().unwrap().to_owned())
    }

    /// The envelope's sender of the mail read last.
    pub fn last_sender(&self) -> &str {
        &self.last_sender
    }

    pub fn nothing_more(&mut self) {
        assert!(self.process().events.try_recv().is_err());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn sending_to(port: u16) -> impl FnOnce(&mut Settings) {
    move |settings| {
        settings.smtp_url = Some(format!("smtp://127.0.0.1:{port}").into());
        settings.mail_from = Some("The Label <mail@label.example>".to_owned());
        settings.contact_to = Some("label@label.example".to_owned());
    }
}

pub fn message_id(mail: &str) -> &str {
    mail.split("\r\n").find_map(|line| line.strip_prefix("Message-ID: ")).unwrap()
}

/// The unfolded headers of a mail, one per line.
pub fn headers(mail: &str) -> Vec<String> {
    let (head, _) = mail.split_once("\r\n\r\n").unwrap();
    head.replace("\r\n ", " ").replace("\r\n\t", " ").split("\r\n").map(str::to_owned).collect()
}

/// The decoded plain text of a mail, with line feeds only.
pub fn plain_text(mail: &str) -> String {
    let (_, boundary) = mail.split_once("boundary=\"").unwrap();
    let (boundary, _) = boundary.split_once('"').unwrap();
    let (_, part) = mail.split_once("Content-Type: text/plain").unwrap();
    let (head, body) = part.split_once("\r\n\r\n").unwrap();
    let (body, _) = body.split_once(&format!("\r\n--{boundary}")).unwrap();
    let encoding = head.split("Content-Transfer-Encoding: ").nth(1).unwrap();
    let bytes = match encoding.split("\r\n").next().unwrap() {
        "base64" => STANDARD.decode(body.replace("\r\n", "")).unwrap(),
        "quoted-printable" => quoted_printable::decode(body, quoted_printable::ParseMode::Strict).unwrap(),
        "7bit" => body.as_bytes().to_vec(),
        other => panic!("{other}"),
    };
    String::from_utf8(bytes).unwrap().replace("\r\n", "\n")
}

/// A mail with its quoted-printable lines decoded.
pub fn quoted(mail: &str) -> String {
    let bytes = quoted_printable::decode(mail, quoted_printable::ParseMode::Robust).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}
