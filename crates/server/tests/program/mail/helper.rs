//! A small server in Python that a test talks to in lines of JSON; ends with the test.

use std::{
    io::{BufRead as _, BufReader, Lines, Write as _},
    process::{Child, ChildStdout, Command, Stdio},
};

use serde_json::Value;

pub(super) struct Helper {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    pub(super) port: u16,
}

impl Helper {
    pub(super) fn start(script: &str) -> Self {
        let script = format!("{}/tests/{script}", env!("CARGO_MANIFEST_DIR"));
        let mut command = Command::new("/usr/bin/python3");
        let mut child = command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut helper = Self { child, lines, port: 0 };
        helper.port = helper.event()["port"].as_u64().unwrap().try_into().unwrap();
        helper
    }

    pub(super) fn event(&mut self) -> Value {
        serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap()
    }

    /// Its answer to a line.
    pub(super) fn say(&mut self, line: &Value) -> Value {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
        self.event()
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A mailbox that the program reads.
pub(super) struct Mailbox(pub(super) Helper);

impl Mailbox {
    pub(super) fn start() -> Self {
        Self(Helper::start("imap_server.py"))
    }

    pub(super) fn url(&self) -> String {
        format!("imap://bounces:secret@127.0.0.1:{}", self.0.port)
    }

    pub(super) fn event(&mut self) -> Value {
        self.0.event()
    }

    pub(super) fn deliver(&mut self, mail: &str) {
        assert!(self.0.say(&Value::from(mail))["arrived"].is_u64());
    }
}
