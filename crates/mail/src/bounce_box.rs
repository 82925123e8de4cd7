//! The mailbox that undeliverable letters come back to, read over IMAP (RFC 3501).

use std::{
    collections::HashSet,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use anyhow::{Context as _, bail};
use async_imap::{Client, Session};
use base64::{
    Engine as _,
    alphabet::IMAP_MUTF7,
    engine::general_purpose::{GeneralPurpose, NO_PAD},
};
use deadwax_store::secret_address::SecretAddress;
use futures_util::TryStreamExt as _;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::{Mutex, OwnedMutexGuard},
};
use tokio_rustls::TlsConnector;
use url::Url;

use super::url_parts::{decoded, is_this_machine};

/// Mails that one look reads, at most; the next one reads more.
const MAILS_MAX: usize = 200;

/// `imaps://user:password@host/Folder`; `imap://` only on this machine.
#[derive(Clone)]
pub struct BounceBox {
    host: String,
    port: u16,
    is_encrypted: bool,
    user: String,
    password: SecretString,
    folder: String,
    left: Arc<Mutex<LeftUnread>>,
    left_count: Arc<AtomicU32>,
}

/// Before the first look.
const NOT_COUNTED: u32 = u32::MAX;

impl fmt::Debug for BounceBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BounceBox").field("host", &self.host).finish_non_exhaustive()
    }
}

trait Connection: AsyncRead + AsyncWrite + Unpin + Send + fmt::Debug {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send + fmt::Debug> Connection for T {}

/// Mails that were left unread, by their number in the mailbox, so that each look reads only others.
#[derive(Debug, Default)]
struct LeftUnread {
    validity: Option<u32>,
    mails: HashSet<u32>,
}

impl BounceBox {
    /// Reads the setting. The error says what is wrong, without the password.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let address = SecretAddress::read(text, &[]).ok_or("it does not begin with imaps://")?;
        let url = Url::parse(&address.escaped()).map_err(|_| "it is no address")?;
        let host = url.host_str().ok_or("the host is missing")?.trim_matches(['[', ']']).to_owned();
        let is_encrypted = match url.scheme() {
            "imaps" => true,
            "imap" if is_this_machine(&url) => false,
            _ => return Err("the scheme is not imaps"),
        };
        let decode = |part: &str| decoded(part).ok_or("it is not UTF-8");
        let (user, password) = (decode(url.username())?, decode(url.password().unwrap_or_default())?);
        if user.is_empty() || password.is_empty() {
            return Err("user or password is missing");
        }
        let folder = decode(url.path().trim_start_matches('/'))?;
        if [&user, &password, &folder].iter().any(|part| part.contains(char::is_control)) {
            return Err("it holds a control character");
        }
        let port = url.port().unwrap_or(if is_encrypted { 993 } else { 143 });
        let folder = if folder.is_empty() { "INBOX".to_owned() } else { in_utf7(&folder) };
        Ok(Self {
            host,
            port,
            is_encrypted,
            user,
            password: password.into(),
            folder,
            left: Arc::default(),
            left_count: Arc::new(AtomicU32::new(NOT_COUNTED)),
        })
    }

    /// How many mails the latest look left unread, because they were not understood; none before the first.
    pub fn left_unread(&self) -> Option<u32> {
        Some(self.left_count.load(Ordering::Relaxed)).filter(|count| *count != NOT_COUNTED)
    }

    /// Opens the mailbox, and finds the unread mails that no earlier look left. One look at a time.
    pub async fn open(&self) -> anyhow::Result<OpenMailbox> {
        let mut left = Arc::clone(&self.left).lock_owned().await;
        let mut client = Client::new(self.connect().await?);
        client.read_response().await?.context("the server hung up")?;
        let login = client.login(&self.user, self.password.expose_secret()).await;
        // The server's words may repeat the user.
        let Ok(mut session) = login else { bail!("the server refuses the sign-in") };
        let Ok(mailbox) = session.select(&self.folder).await else { bail!("the folder cannot be opened") };
        if left.validity != mailbox.uid_validity {
            *left = LeftUnread { validity: mailbox.uid_validity, mails: HashSet::new() };
        }
        let unread = session.uid_search("UNSEEN").await?;
        left.mails.retain(|mail| unread.contains(mail));
        let mut new: Vec<u32> = unread.into_iter().filter(|mail| !left.mails.contains(mail)).collect();
        new.sort_unstable_by(|one, other| other.cmp(one));
        Ok(OpenMailbox { session, new, read: 0, left, left_count: Arc::clone(&self.left_count) })
    }

    async fn connect(&self) -> anyhow::Result<Box<dyn Connection>> {
        let stream =
            TcpStream::connect((&*self.host, self.port)).await.context("the server is not reached")?;
        if !self.is_encrypted {
            return Ok(Box::new(stream));
        }
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let name = ServerName::try_from(self.host.clone()).context("the host is no name")?;
        let encrypted = TlsConnector::from(Arc::new(config)).connect(name, stream).await;
        Ok(Box::new(encrypted.context("no encrypted connection")?))
    }
}

/// The name of a folder as IMAP writes what is not ASCII (RFC 3501, section 5.1.3). Without such characters it is taken as it stands.
fn in_utf7(folder: &str) -> String {
    if folder.is_ascii() {
        return folder.to_owned();
    }
    let base64 = GeneralPurpose::new(&IMAP_MUTF7, NO_PAD);
    let characters: Vec<char> = folder.chars().collect();
    let runs = characters.chunk_by(|one, next| one.is_ascii() == next.is_ascii());
    let written = runs.map(|run| {
        let run: String = run.iter().collect();
        if run.is_ascii() {
            return run.replace('&', "&-");
        }
        let units: Vec<u8> = run.encode_utf16().flat_map(u16::to_be_bytes).collect();
        format!("&{}-", base64.encode(units))
    });
    written.collect()
}

/// An open mailbox.
#[derive(Debug)]
pub struct OpenMailbox {
    session: Session<Box<dyn Connection>>,
    /// The oldest last.
    new: Vec<u32>,
    read: usize,
    left: OwnedMutexGuard<LeftUnread>,
    left_count: Arc<AtomicU32>,
}

impl OpenMailbox {
    /// The number of the next new mail, and at most `max_bytes` of it.
    pub async fn next(&mut self, max_bytes: usize) -> anyhow::Result<Option<(u32, Vec<u8>)>> {
        while self.read < MAILS_MAX
            && let Some(mail) = self.new.pop()
        {
            self.read += 1;
            let query = format!("BODY.PEEK[]<0.{max_bytes}>");
            let fetched: Vec<_> =
                self.session.uid_fetch(mail.to_string(), query).await?.try_collect().await?;
            // Another program may have removed it.
            if let Some(body) = fetched.iter().find_map(|fetch| fetch.body()) {
                return Ok(Some((mail, body.to_vec())));
            }
        }
        Ok(None)
    }

    pub async fn mark_read(&mut self, mail: u32) -> anyhow::Result<()> {
        let flag = r"+FLAGS.SILENT (\Seen)";
        let _: Vec<_> = self.session.uid_store(mail.to_string(), flag).await?.try_collect().await?;
        Ok(())
    }

    /// Later looks pass over this mail.
    pub fn leave_unread(&mut self, mail: u32) {
        self.left.mails.insert(mail);
    }

    /// Whether new mails wait for another look, because this one has read as many as it may.
    pub fn has_more(&self) -> bool {
        !self.new.is_empty()
    }

    /// How many mails stay unread.
    pub async fn close(mut self) -> anyhow::Result<u32> {
        let count = u32::try_from(self.left.mails.len()).unwrap_or(NOT_COUNTED - 1);
        self.left_count.store(count, Ordering::Relaxed);
        self.session.logout().await?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_is_read_and_a_wrong_one_named() {
        let mailbox = BounceBox::parse("imaps://bounces@label.example:a/b?c@d@mail.example/Back").unwrap();
        assert_eq!(
            (&*mailbox.host, mailbox.port, &*mailbox.user),
            ("mail.example", 993, "bounces@label.example")
        );
        assert_eq!((&*mailbox.folder, mailbox.password.expose_secret()), ("Back", "a/b?c@d"));
        for (folder, name) in [
            ("R%C3%BCckl%C3%A4ufer", "R&APw-ckl&AOQ-ufer"),
            ("Rück/A & ü日本🎵", "R&APw-ck/A &- &APxl5Wcs2DzftQ-"),
            ("R&APw-ck", "R&APw-ck"),
        ] {
            let mailbox = BounceBox::parse(&format!("imaps://u:p@mail.example/{folder}")).unwrap();
            assert_eq!(mailbox.folder, name);
        }
        let inbox = BounceBox::parse("imap://u:p@127.0.0.1:1143").unwrap();
        assert_eq!((&*inbox.folder, inbox.port, inbox.is_encrypted), ("INBOX", 1143, false));
        for (wrong, why) in [
            ("mail.example", "it does not begin with imaps://"),
            ("imap://u:p@mail.example", "the scheme is not imaps"),
            ("pop3://u:p@mail.example", "the scheme is not imaps"),
            ("imaps://mail.example", "user or password is missing"),
            ("imaps://u@mail.example", "user or password is missing"),
            ("imaps://u:p@mail.example/a%0d%0ab", "it holds a control character"),
        ] {
            assert_eq!(BounceBox::parse(wrong).unwrap_err(), why, "{wrong}");
        }
        assert!(!format!("{mailbox:?}").contains("a/b"));
    }
}
