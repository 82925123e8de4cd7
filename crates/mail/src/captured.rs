//! Mail without a mail server: every one becomes a file in the data folder, complete or not there at all.

use std::{
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use deadwax_store::{clock::Micros, crypto::Token, new_file};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use super::{
    compose::{self, Sender},
    outbox::{self, Leased, Outbox},
    retry::{DeliveryState, Failure},
};

/// Rows taken at a time.
const BATCH: usize = 20;
/// A folder that cannot be written to is tried again after this.
const PAUSE: Micros = 5_000_000;

/// The folder, and whose turn it is to write.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// What stands in the address that shows the folder.
    token: Token,
    /// Whoever waits for its own mail waits for those who have taken it along, too.
    turn: Mutex<()>,
}

impl Folder {
    /// The folder `mail` in `data_dir`; it is made with the first mail.
    pub(super) fn open(data_dir: &Path) -> anyhow::Result<Self> {
        let token = token(&data_dir.join("mail-token")).context("DEADWAX_DATA_DIR: mail-token")?;
        Ok(Self { path: data_dir.join("mail"), token, turn: Mutex::default() })
    }

    /// Whether a part of an address is the one that shows the folder.
    pub fn is_token(&self, part: &str) -> bool {
        // Of hashes: how many signs were guessed right shows in no time.
        Token::parse(part).is_some_and(|token| token.hash() == self.token.hash())
    }

    /// The address that shows the folder, below the website's own.
    pub fn viewer(&self) -> String {
        format!("/dev/mail/{}", self.token.expose())
    }

    /// Where the files are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes every mail that was due by `due_by`.
    pub(super) async fn capture(&self, outbox: &Outbox, sender: &Sender, due_by: Micros) {
        let _turn = self.turn.lock().await;
        loop {
            match outbox::lease(&outbox.db, outbox.clock.now(), due_by, BATCH).await {
                Ok(rows) if rows.is_empty() => return,
                Ok(rows) => {
                    for row in rows {
                        if let Err(error) = self.capture_one(outbox, sender, &row).await {
                            tracing::error!(id = %row.id, kind = row.kind, cause = %error, "capturing mail");
                        }
                    }
                }
                Err(error) => {
                    tracing::error!(cause = %error, "reading the outbox");
                    return;
                }
            }
        }
    }

    /// Keeps mail from being written for as long as the answer is held: what was being written is there.
    pub(super) async fn pause(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Removes the files of these mails, where they are in this folder.
    pub(super) async fn remove(&self, ids: &[Uuid]) -> io::Result<()> {
        let (path, ends) = (self.path.clone(), ids.iter().map(|id| format!("-{id}.eml")).collect::<Vec<_>>());
        tokio::task::spawn_blocking(move || remove_ending(&path, &ends)).await.map_err(io::Error::other)?
    }

    async fn capture_one(&self, outbox: &Outbox, sender: &Sender, row: &Leased) -> sqlx::Result<()> {
        let (db, now) = (&outbox.db, outbox.clock.now());
        let life = DeliveryState {
            patience: row.patience,
            created_at: row.created_at,
            not_after: row.not_after,
            tries: row.tries,
        };
        if let Some(reason) = life.over(now) {
            return outbox::mark_undeliverable(db, row, now, reason).await;
        }
        let message = row
            .open(&outbox.keys)
            .and_then(|content| compose::compose(sender, row.id, row.created_at, &content));
        let Some(message) = message else {
            tracing::error!(id = %row.id, kind = row.kind, outcome = "unreadable", "mail");
            return outbox::mark_undeliverable(db, row, now, Failure::Unreadable.reason()).await;
        };
        let (path, name) = (self.path.clone(), file_name(row.created_at, row.id));
        let written =
            tokio::task::spawn_blocking(move || write_new(&path, &name, &message.formatted())).await;
        match written.map_err(io::Error::other).flatten() {
            Ok(()) => {
                tracing::info!(id = %row.id, kind = row.kind, outcome = "captured", "mail");
                outbox::mark_sent(db, row, now).await
            }
            Err(error) => {
                tracing::error!(id = %row.id, kind = row.kind, cause = %error, "writing captured mail");
                outbox::reschedule(db, row, now.saturating_add(PAUSE), row.tries, "folder").await
            }
        }
    }
}

/// The token in the file at `path`, which only its owner can read; a new one where there is none, or something else.
fn token(path: &Path) -> io::Result<Token> {
    let make = || format!("{}\n", Token::random().expose()).into_bytes();
    let parse = |text: &[u8]| Token::parse(str::from_utf8(text).unwrap_or_default().trim());
    if let Some(token) = parse(&new_file::read_or_make(path, make)?) {
        return Ok(token);
    }
    std::fs::remove_file(path)?;
    parse(&new_file::read_or_make(path, make)?).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// The name of a mail's file: by time, so that a listing is in order.
pub(super) fn file_name(created_at: Micros, id: Uuid) -> String {
    format!("{}-{id}.eml", created_at / 1000)
}

/// Whether a name is one of a captured mail's file.
pub fn is_file_name(name: &str) -> bool {
    let id = name.strip_suffix(".eml").and_then(|stem| stem.split_once('-'));
    id.is_some_and(|(millis, id)| {
        !millis.is_empty() && millis.bytes().all(|byte| byte.is_ascii_digit()) && Uuid::try_parse(id).is_ok()
    })
}

/// Writes a file that only its owner can read, synced before it gets its name; one that is there already stays as it is.
fn write_new(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    match new_file::write(&folder.join(name), bytes) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        written => written,
    }
}

/// Removes the captured mails with one of `ends` in their names, begun ones too. A folder that is not there holds none.
fn remove_ending(folder: &Path, ends: &[String]) -> io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        if ends.iter().any(|end| name.contains(end.as_str())) {
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
        let ends = [format!("-{gone}.eml")];
        remove_ending(&folder, &ends).unwrap();
        for id in [gone, kept] {
            write_new(&folder, &file_name(1_795_176_000_123_456, id), b"mail").unwrap();
        }
        std::fs::write(folder.join(format!("{}.0123456789abcdef", file_name(1, gone))), b"half").unwrap();
        remove_ending(&folder, &ends).unwrap();
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
    fn all_that_start_at_the_same_moment_have_the_same_address() {
        for _ in 0..50 {
            let data = tempfile::tempdir().unwrap();
            let at_once = std::sync::Barrier::new(8);
            let viewers: std::collections::BTreeSet<_> = std::thread::scope(|scope| {
                let open = |_| {
                    scope.spawn(|| {
                        at_once.wait();
                        Folder::open(data.path()).unwrap().viewer()
                    })
                };
                let begun: Vec<_> = (0..8).map(open).collect();
                begun.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(viewers.len(), 1);
        }
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
                let begun: Vec<_> = (0..8).map(|_| scope.spawn(write)).collect();
                begun.into_iter().map(|thread| thread.join().unwrap()).collect()
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
