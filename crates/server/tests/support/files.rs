//! Multipart uploads, and files to send.

use std::{fs, io::Cursor, path::PathBuf};

use deadwax_store::db::Db;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::{Answer, TestServer, people::Browser};

/// An MP4 header, padded to `size` bytes.
pub fn video(size: usize) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x18ftypisom\0\0\x02\0isomiso2".to_vec();
    bytes.resize(size, 7);
    bytes
}

/// Left half red, right half blue.
pub fn picture(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let colour = |x, _| if x < width / 2 { Rgb([250, 0, 0]) } else { Rgb([0, 0, 250]) };
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, colour)).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG of exactly `size` bytes, padded with metadata that uploads remove.
pub fn jpeg_of(size: usize) -> Vec<u8> {
    let plain = picture(ImageFormat::Jpeg, 64, 64);
    let mut bytes = plain[..2].to_vec();
    let mut missing = size - plain.len();
    while missing > 0 {
        let segment = missing.min(if missing < 65_541 { missing } else { 65_000 }).min(65_537);
        bytes.extend([0xff, 0xfe]);
        bytes.extend(u16::try_from(segment - 2).unwrap().to_be_bytes());
        bytes.resize(bytes.len() + segment - 4, b'x');
        missing -= segment;
    }
    bytes.extend(&plain[2..]);
    assert_eq!(bytes.len(), size);
    bytes
}

/// A file on slow storage: opening it blocks until this is dropped, and then reads no bytes.
pub struct SlowFile(PathBuf);

impl SlowFile {
    /// Replaces an existing file.
    pub fn in_place_of(path: PathBuf) -> Self {
        fs::remove_file(&path).unwrap();
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        Self(path)
    }
}

impl Drop for SlowFile {
    fn drop(&mut self) {
        let _ = fs::OpenOptions::new().read(true).write(true).open(&self.0);
    }
}

impl TestServer {
    /// Checks that the leases of a table's rows in progress last for minutes and are renewed every half minute.
    pub async fn assert_lease_renewed(&self, table: &str) {
        let begun = format!("{table} WHERE lease IS NOT NULL");
        self.wait_until("it is begun", async || self.count(&begun).await == 1).await;
        for _ in 0..3 {
            // The leap would end its wait for a connection, too.
            self.wait_until("it waits for its file alone", async || self.is_database_idle()).await;
            self.advance(std::time::Duration::from_secs(100));
            tokio::time::pause();
            tokio::time::advance(std::time::Duration::from_secs(31)).await;
            tokio::time::resume();
            let kept = format!("{table} WHERE leased_until = {}", self.app.clock.now() + 120_000_000);
            self.wait_until("it is renewed", async || self.count(&kept).await == 1).await;
        }
    }

    /// Whether no connection to the database is in use.
    fn is_database_idle(&self) -> bool {
        match &self.app.db {
            Db::Sqlite { read, write, .. } => {
                [read, write].iter().all(|pool| pool.num_idle() == pool.size() as usize)
            }
            Db::Postgres { pool, .. } => pool.num_idle() == pool.size() as usize,
        }
    }

    /// Sends a form with one file and these fields.
    pub async fn send_file(
        &self,
        browser: &Browser,
        (method, path): (Method, &str),
        (name, bytes): (&str, &[u8]),
        texts: &[(&str, &str)],
    ) -> Answer {
        let mut body = Vec::new();
        for (field, text) in texts {
            let head = format!("--cut\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{text}\r\n");
            body.extend(head.bytes());
        }
        let head =
            format!("--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
        body.extend(head.bytes());
        body.extend(bytes);
        body.extend(b"\r\n--cut--\r\n");
        let mut request = self
            .client
            .request(method, format!("{}{path}", self.base))
            .header("cookie", format!("sid={}", browser.cookies["sid"]))
            .header("content-type", "multipart/form-data; boundary=cut")
            .body(body);
        for (name, value) in &browser.headers {
            request = request.header(name, value);
        }
        Answer::read(request.send().await.unwrap()).await
    }

    /// The names of the stored files in a folder.
    pub fn stored(&self, folder: &str) -> Vec<String> {
        let Ok(folder) = std::fs::read_dir(self.data.path().join("media").join(folder)) else {
            return Vec::new();
        };
        folder.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Asserts that nothing is stored and no deletion is pending.
    pub async fn assert_nothing_stored(&self) {
        assert_eq!(self.count("objects").await + self.count("media_files").await, 0);
        for folder in ["artists", "releases", "uploads", "assets"] {
            self.wait_until("no file is left", async || self.stored(folder).is_empty()).await;
        }
        assert_eq!(std::fs::read_dir(self.data.path().join("spool")).unwrap().count(), 0);
    }
}
