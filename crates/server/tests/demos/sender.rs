//! A minimal tus client that sends demos from a separate client address.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::{Body, Method, header::HeaderMap};
use tokio::io::AsyncWriteExt as _;

use crate::support::{Answer, TestServer, client};

pub const PATH: &str = "/api/demos";
pub const BYTES: &str = "application/offset+octet-stream";
pub const MOST: usize = 73_400_320;

/// A WAV file of `size` bytes whose samples depend on `seed`.
pub fn wav(size: usize, seed: u32) -> Vec<u8> {
    let mut bytes = b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data\xff\xff\xff\xff".to_vec();
    let mut state = seed | 1;
    while bytes.len() < size {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bytes.extend(state.to_le_bytes());
    }
    bytes.truncate(size);
    bytes
}

/// An `Upload-Metadata` header of these pairs.
pub fn metadata(pairs: &[(&str, &str)]) -> String {
    let pairs: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{name} {}", STANDARD.encode(value))).collect();
    pairs.join(",")
}

/// The metadata of a demo by an unremarkable sender.
pub fn plain(filename: &str) -> String {
    metadata(&[
        ("artist_name", "Nova & Söhne"),
        ("email", "Nova@Artist.example"),
        ("message", "Two tracks.\nBest at night."),
        ("filename", filename),
    ])
}

#[derive(Clone)]
pub struct Sender {
    pub base: String,
    pub client: reqwest::Client,
    pub address: String,
}

impl Sender {
    pub fn of(server: &TestServer) -> Self {
        Self::at(&server.base, &server.browser().address)
    }

    pub fn at(base: &str, address: &str) -> Self {
        Self { base: base.to_owned(), client: client().build().unwrap(), address: address.to_owned() }
    }

    /// The same sender, talking to another instance.
    pub fn at_instance(&self, server: &TestServer) -> Self {
        Self { base: server.base.clone(), ..self.clone() }
    }

    pub async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = self
            .client
            .request(Method::from_bytes(method.as_bytes()).unwrap(), format!("{}{path}", self.base))
            .header("x-forwarded-for", &self.address)
            .body(body);
        if !headers.iter().any(|(name, _)| *name == "tus-resumable") {
            request = request.header("tus-resumable", "1.0.0");
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        let answer = Answer::read(request.send().await.unwrap()).await;
        assert_eq!(answer.header("tus-resumable"), "1.0.0", "{answer:?}");
        assert_eq!(answer.header("cache-control"), "no-store", "{answer:?}");
        answer
    }

    pub async fn announce(&self, length: usize, metadata: &str) -> Answer {
        let length = length.to_string();
        self.ask("POST", PATH, &[("upload-length", &length), ("upload-metadata", metadata)], "").await
    }

    /// Creates an upload of `set.wav` with this length and returns its address.
    pub async fn create(&self, length: usize) -> String {
        let answer = self.announce(length, &plain("set.wav")).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let path = answer.header("location").to_owned();
        assert!(path.strip_prefix("/api/demos/").is_some_and(|token| token.len() == 43), "{path}");
        path
    }

    pub async fn patch(&self, path: &str, offset: usize, bytes: impl Into<Body>) -> Answer {
        self.patch_with(path, offset, bytes, &[]).await
    }

    pub async fn patch_with(
        &self,
        path: &str,
        offset: usize,
        bytes: impl Into<Body>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let offset = offset.to_string();
        let headers = [&[("content-type", BYTES), ("upload-offset", &offset)], headers].concat();
        self.ask("PATCH", path, &headers, bytes).await
    }

    pub async fn head(&self, path: &str) -> Answer {
        self.ask("HEAD", path, &[], "").await
    }

    /// The current `Upload-Offset`.
    pub async fn offset(&self, path: &str) -> usize {
        let answer = self.head(path).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        number(&answer.headers, "upload-offset")
    }

    pub async fn end(&self, path: &str) -> Answer {
        self.ask("DELETE", path, &[], "").await
    }

    /// Starts a PATCH of `announced` bytes and sends only `bytes` of them, without closing the connection.
    pub async fn begin_patch(
        &self,
        path: &str,
        offset: usize,
        bytes: &[u8],
        announced: usize,
    ) -> tokio::net::TcpStream {
        let host = self.base.strip_prefix("http://").unwrap();
        let mut socket = tokio::net::TcpStream::connect(host).await.unwrap();
        let head = format!(
            "PATCH {path} HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: {}\r\nTus-Resumable: 1.0.0\r\n\
             Content-Type: {BYTES}\r\nUpload-Offset: {offset}\r\nContent-Length: {announced}\r\n\r\n",
            self.address
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        socket.write_all(bytes).await.unwrap();
        socket
    }
}

pub fn number(headers: &HeaderMap, name: &str) -> usize {
    headers[name].to_str().unwrap().parse().unwrap()
}

impl TestServer {
    /// The names of all files under a folder of the data folder, such as `media/demos`.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.data.path().join(folder)) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Waits until the spool, partial uploads and pending deletions are empty.
    pub async fn wait_for_sweep(&self) {
        self.wait_until("the spool is empty", async || self.files("spool").is_empty()).await;
        self.wait_until("no file waits to be removed", async || self.count("deletions").await == 0).await;
        assert_eq!((self.files("media/parts"), self.count("upload_parts").await), (vec![], 0));
    }

    /// Asserts that nothing was stored, mailed or recorded for a sender.
    pub async fn assert_nothing_happened(&self) {
        self.wait_for_sweep().await;
        assert_eq!(self.files("media/demos"), [""; 0]);
        assert_eq!(self.count("objects").await + self.count("demos").await, 0);
        assert_eq!(self.count("outbox").await, 0);
        assert!(self.mails().is_empty());
    }
}
