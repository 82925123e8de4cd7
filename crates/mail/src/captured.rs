//! Mail without a mail server: every mail becomes a file in the data folder, written whole or not at all, which a viewer on this machine
//! shows.

use std::{
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use deadwax_store::{clock::Micros, crypto::Token, new_file};
use mail_parser::{Address, MessageParser};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use super::letter::Content;

/// Below the data folder; the first mail creates it.
pub const FOLDER: &str = "mail";

#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The secret part of the viewer's address.
    token: Token,
    /// Held while mail is written: a commit whose mail another one takes along waits for it here.
    turn: Mutex<()>,
}

impl Folder {
    /// The folder in `data_dir`.
    pub(super) fn open(data_dir: &Path) -> anyhow::Result<Self> {
        let token = token(&data_dir.join("mail-token")).context("DEADWAX_DATA_DIR: mail-token")?;
        Ok(Self { path: data_dir.join(FOLDER), token, turn: Mutex::default() })
    }

    /// Whether a part of an address is the viewer's secret. Hashes are compared, so that the time tells nothing.
    pub fn is_token(&self, part: &str) -> bool {
        Token::parse(part).is_some_and(|token| token.hash() == self.token.hash())
    }

    pub fn viewer(&self) -> String {
        format!("/dev/mail/{}", self.token.expose())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps mail from being written while the guard is held; returns when what was being written is there.
    pub(super) async fn pause(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Writes a mail. Written twice, it is there once.
    pub(super) async fn write(&self, created_at: Micros, id: Uuid, mail: &lettre::Message) -> io::Result<()> {
        let (path, name, mail) = (self.path.clone(), file_name(created_at, id), mail.formatted());
        let written = tokio::task::spawn_blocking(move || write_new(&path, &name, &mail));
        written.await.map_err(io::Error::other).flatten()
    }
}

/// The token in the file at `path`, which only its owner can read; a new one if the file is missing or holds something else.
fn token(path: &Path) -> io::Result<Token> {
    let make = || format!("{}\n", Token::random().expose()).into_bytes();
    let parse = |text: &[u8]| Token::parse(str::from_utf8(text).unwrap_or_default().trim());
    if let Some(token) = parse(&new_file::read_or_make(path, make)?) {
        return Ok(token);
    }
    std::fs::remove_file(path)?;
    parse(&new_file::read_or_make(path, make)?).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// The file name of a mail. It begins with the time, so that a listing is in order.
fn file_name(created_at: Micros, id: Uuid) -> String {
    format!("{}-{id}.eml", created_at / 1000)
}

/// Whether a name is that of a captured mail's file.
pub fn is_file_name(name: &str) -> bool {
    let id = name.strip_suffix(".eml").and_then(|stem| stem.split_once('-'));
    id.is_some_and(|(millis, id)| {
        !millis.is_empty() && millis.bytes().all(|byte| byte.is_ascii_digit()) && Uuid::try_parse(id).is_ok()
    })
}

/// Reads the mail of that name in `folder`: its sender, and its content.
pub fn read(folder: &Path, name: &str) -> io::Result<(String, Content)> {
    let mail = std::fs::read(folder.join(name))?;
    let mail = MessageParser::default().parse(&mail).ok_or(io::ErrorKind::InvalidData)?;
    let first = |header: Option<&Address<'_>>| {
        let first = header?.first()?;
        let (name, address) = (first.name(), first.address()?);
        Some(name.map_or_else(|| address.to_owned(), |name| format!("{name} <{address}>")))
    };
    let content = Content {
        to: first(mail.to()).unwrap_or_default(),
        subject: mail.subject().unwrap_or_default().to_owned(),
        text: mail.body_text(0).unwrap_or_default().into_owned(),
        html: mail.body_html(0).unwrap_or_default().into_owned(),
        reply_to: first(mail.reply_to()),
        is_automatic: false,
    };
    Ok((first(mail.from()).unwrap_or_default(), content))
}

/// Writes a file that only its owner can read, synced before it gets its name. An existing file stays as it is.
fn write_new(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    match new_file::write(&folder.join(name), bytes) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        written => written,
    }
}

/// Removes the files of these mails, half-written ones too.
pub fn remove_files(folder: &Path, ids: &[Uuid]) -> io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    let stems: Vec<_> = ids.iter().map(|id| format!("-{id}.")).collect();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        if stems.iter().any(|stem| name.contains(stem.as_str())) {
            std::fs::remove_file(entry.path())?;
        }
    }
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_names_of_captured_mail_are_names() {
        let name = file_name(1_795_176_000_123_456, Uuid::nil());
        assert_eq!(name, "1795176000123-00000000-0000-0000-0000-000000000000.eml");
        assert!(is_file_name(&name));
        for other in [
            "",
            ".eml",
            "-.eml",
            "1-x.eml",
            "../1-00000000-0000-0000-0000-000000000000.eml",
            "1.eml",
            &name[..name.len() - 1],
        ] {
            assert!(!is_file_name(other), "{other}");
        }
    }

    #[test]
    fn only_the_mails_that_are_named_are_removed() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("mail");
        let (gone, kept) = (Uuid::now_v7(), Uuid::now_v7());
        remove_files(&folder, &[gone]).unwrap();
        for id in [gone, kept] {
            write_new(&folder, &file_name(1_795_176_000_123_456, id), b"mail").unwrap();
        }
        std::fs::write(folder.join(format!("{}.0123456789abcdef", file_name(1, gone))), b"half").unwrap();
        // Of an earlier version, which kept what the viewer shows beside each mail.
        std::fs::write(folder.join(format!("1-{gone}.json")), b"{}").unwrap();
        remove_files(&folder, &[gone]).unwrap();
        let left: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [file_name(1_795_176_000_123_456, kept).as_str()]);
    }

    #[test]
    fn the_address_of_the_folder_stays_and_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::open(data.path()).unwrap();
        let path = data.path().join("mail-token");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(Folder::open(data.path()).unwrap().viewer(), folder.viewer());
        assert!(folder.is_token(folder.viewer().strip_prefix("/dev/mail/").unwrap()));
        let other = Token::random();
        for part in ["", "x", other.expose()] {
            assert!(!folder.is_token(part), "{part}");
        }
        std::fs::write(&path, "short").unwrap();
        assert_ne!(Folder::open(data.path()).unwrap().viewer(), folder.viewer());
    }

    #[test]
    fn a_mail_that_two_write_at_once_is_whole() {
        let data = tempfile::tempdir().unwrap();
        for round in 0..50 {
            let (at_once, name) = (std::sync::Barrier::new(8), format!("{round}.eml"));
            let write = || {
                at_once.wait();
                write_new(data.path(), &name, &[b'm'; 4096])
            };
            let written: Vec<_> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(write)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(written.iter().all(Result::is_ok), "{written:?}");
            assert_eq!(std::fs::read(data.path().join(name)).unwrap(), [b'm'; 4096]);
        }
    }

    #[test]
    fn a_file_is_its_owners_alone_and_never_overwritten() {
        use std::os::unix::fs::PermissionsExt as _;
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("mail");
        write_new(&folder, "a.eml", b"first").unwrap();
        write_new(&folder, "a.eml", b"second").unwrap();
        assert_eq!(std::fs::read(folder.join("a.eml")).unwrap(), b"first");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&folder.join("a.eml"))), (0o700, 0o600));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    }
}
