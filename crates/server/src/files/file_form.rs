//! Forms with one file: read to their end whatever is said of the file, because a browser shows an answer only to a request that
//! it could finish. The file goes to the [`spool`](deadwax_store::spool); what it is, and where it goes, is for others to say.

use std::{collections::BTreeMap, io, net::IpAddr, time::Duration};

use axum::extract::{
    Multipart,
    multipart::{MultipartError, MultipartRejection},
};
use bytes::Bytes;
use deadwax_http::{
    error::{AppError, AppResult},
    slots::{Permit, Slots, per_account, per_client},
};
use deadwax_store::{
    crypto::Keys,
    ids::UserId,
    spool::{Spool, SpoolWriter, Spooled},
};
use http::StatusCode;
use rules::{
    checked::Refusal,
    messages::Code,
    rate_limit::{FORM_SLOT_MS, OPEN_FORMS, OPEN_FORMS_ACCOUNT},
    request::BUSY_SECONDS,
    upload::{FORM_PARTS_MAX, FORM_READ_BESIDE_BYTES, FileInfo, name_or_file, whole_name},
};

/// Bytes kept of a part's beginning, enough to detect a file's type and to hold any text field.
const HEAD: usize = 4096;

const WAIT: Duration = Duration::from_millis(FORM_SLOT_MS);

pub type Form = Result<Multipart, MultipartRejection>;

#[derive(Debug)]
pub struct Sent {
    pub file: SentFile,
    pub texts: BTreeMap<String, String>,
}

#[derive(Debug)]
pub struct SentFile {
    /// Its name on the sender's disk, cleaned by [`whole_name`]; stores cut it further.
    pub name: String,
    pub size_bytes: u64,
    pub head: Vec<u8>,
    /// Its bytes; none of a file that is larger than what is taken.
    pub spooled: Option<Spooled>,
}

impl Sent {
    /// A code of the file, with its name, and of the texts beside it.
    pub fn code(&self, keys: &Keys) -> Bytes {
        let sha256 = self.file.spooled.as_ref().map(|spooled| spooled.sha256).unwrap_or_default();
        let mut parts: Vec<&[u8]> = vec![b"form", self.file.name.as_bytes(), &sha256];
        parts.extend(self.texts.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]));
        keys.mac(&parts).into()
    }
}

impl SentFile {
    /// The file, named after its content if it has no name, unless `check` refuses it.
    pub fn judged<E>(
        self,
        media_type: Option<&str>,
        check: impl FnOnce(&FileInfo) -> Result<(), E>,
    ) -> Result<Self, E> {
        let named = self.named(media_type);
        check(&named.info(media_type))?;
        Ok(named)
    }

    #[must_use]
    pub fn named(self, media_type: Option<&str>) -> Self {
        Self { name: name_or_file(&self.name, media_type.unwrap_or_default()), ..self }
    }

    pub fn info(&self, media_type: Option<&str>) -> FileInfo {
        #[expect(
            clippy::cast_precision_loss,
            reason = "the rules count in JavaScript's numbers; uploads are small"
        )]
        let size_bytes = self.size_bytes as f64;
        FileInfo {
            name: self.name.clone(),
            media_type: media_type.unwrap_or_default().to_owned(),
            size_bytes,
        }
    }
}

/// Why a file is refused: 413 if it is `too_large`, else 422.
pub fn refused<E: Into<Refusal> + PartialEq>(error: E, too_large: &E) -> AppError {
    if error == *too_large { AppError::too_large(error) } else { AppError::invalid("file", error) }
}

/// A permit to read a form of `account`: limited per account, per client and in all. When none gets free in time, 429 if the account
/// or the client is at its limit, 503 if all are taken.
pub async fn permit(forms: &Slots, account: UserId, client: IpAddr) -> AppResult<Permit> {
    let bounds = per_client(client, OPEN_FORMS).chain([per_account(account.0, OPEN_FORMS_ACCOUNT)]);
    forms.acquire(bounds, WAIT).await.map_err(|full| AppError::full(full, BUSY_SECONDS))
}

/// Reads a form whose file, named `file`, has at most `most` bytes; a larger one is counted and not kept. Its permit is free
/// again when the form is read.
pub async fn read(spool: &Spool, form: Form, most: u64, permit: Permit) -> AppResult<Sent> {
    let _permit = permit;
    let mut form = form.map_err(|_| AppError::of_status(StatusCode::UNSUPPORTED_MEDIA_TYPE))?;
    let (mut parts, mut read, mut files) = (0, 0, 0);
    let (mut wanted, mut texts) = (None, BTreeMap::new());
    while let Some(mut field) = form.next_field().await.map_err(malformed)? {
        parts += 1;
        if parts > FORM_PARTS_MAX {
            return Err(AppError::invalid("file", Code::TooManyFormParts).with_code(Code::OneFile));
        }
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().map(str::to_owned);
        let is_wanted = name == "file" && file_name.is_some() && files == 0;
        let mut taking = Taking::new(spool, is_wanted, most);
        while let Some(piece) = field.chunk().await.map_err(malformed)? {
            read += piece.len() as u64;
            if read > most + FORM_READ_BESIDE_BYTES {
                return Err(AppError::of_status(StatusCode::PAYLOAD_TOO_LARGE));
            }
            taking.take(&piece).await;
        }
        match file_name {
            Some(file_name) => {
                files += 1;
                if is_wanted {
                    wanted = Some((taking, file_name));
                }
            }
            None => {
                texts.insert(name, String::from_utf8_lossy(&taking.head).into_owned());
            }
        }
    }
    match wanted {
        Some((taking, name)) if files == 1 => {
            Ok(Sent { file: taking.finish(whole_name(&name)).await?, texts })
        }
        _ => Err(AppError::invalid("file", Code::OneFile)),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err takes")]
fn malformed(error: MultipartError) -> AppError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return AppError::of_status(StatusCode::PAYLOAD_TOO_LARGE);
    }
    AppError::invalid("file", Code::InvalidForm)
}

struct Taking<'a> {
    spool: &'a Spool,
    is_wanted: bool,
    most: u64,
    size_bytes: u64,
    head: Vec<u8>,
    writer: Option<SpoolWriter>,
    failed: Option<io::Error>,
}

impl<'a> Taking<'a> {
    fn new(spool: &'a Spool, is_wanted: bool, most: u64) -> Self {
        Self { spool, is_wanted, most, size_bytes: 0, head: Vec::new(), writer: None, failed: None }
    }

    async fn take(&mut self, piece: &[u8]) {
        self.size_bytes += piece.len() as u64;
        let room = HEAD.saturating_sub(self.head.len());
        self.head.extend(piece.iter().take(room));
        if !self.is_wanted || self.failed.is_some() {
            return;
        }
        if self.size_bytes > self.most {
            self.writer = None;
        } else if let Err(error) = self.write(piece).await {
            self.writer = None;
            self.failed = Some(error);
        }
    }

    async fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            None => self.spool.create(false).await?,
        };
        writer.write(piece).await?;
        self.writer = Some(writer);
        Ok(())
    }

    async fn finish(self, name: String) -> AppResult<SentFile> {
        if let Some(error) = self.failed {
            return Err(AppError::storage_error(error));
        }
        let spooled = match self.writer {
            Some(writer) => Some(writer.finish().await.map_err(AppError::storage_error)?),
            None => None,
        };
        Ok(SentFile { name, size_bytes: self.size_bytes, head: self.head, spooled })
    }
}

#[cfg(test)]
mod tests {
    use rules::rate_limit::OPEN_FORMS_GLOBAL;
    use tokio::time::Instant;
    use uuid::Uuid;

    use super::*;

    fn forms() -> Slots {
        Slots::new(OPEN_FORMS_GLOBAL as usize)
    }

    async fn permitted(forms: &Slots, account: u128, client: u8) -> Result<Permit, u16> {
        let permit = permit(forms, UserId(Uuid::from_u128(account)), [10, 0, 0, client].into()).await;
        permit.map_err(|refusal| refusal.status().as_u16())
    }

    #[tokio::test(start_paused = true)]
    async fn an_account_sends_two_forms_at_once_and_a_network_four() {
        let forms = forms();
        let (first, _second) =
            (permitted(&forms, 1, 1).await.unwrap(), permitted(&forms, 1, 2).await.unwrap());
        assert_eq!(permitted(&forms, 1, 3).await.unwrap_err(), 429, "wherever it is");
        drop(first);
        let mut of_network = Vec::new();
        for account in 2..6 {
            of_network.push(permitted(&forms, account, 1).await.unwrap());
        }
        assert_eq!(permitted(&forms, 7, 1).await.unwrap_err(), 429);
        drop(of_network);
        assert!(permitted(&forms, 7, 1).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn this_process_reads_thirty_two_forms_at_once() {
        let forms = forms();
        let mut taken = Vec::new();
        for number in 0..32 {
            taken.push(permitted(&forms, number.into(), number).await.unwrap());
        }
        assert_eq!(permitted(&forms, 100, 100).await.unwrap_err(), 503);
        taken.pop();
        assert!(permitted(&forms, 100, 100).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_finds_none_waits_for_another_to_leave_and_not_for_ever() {
        let forms = forms();
        let (first, _second) =
            (permitted(&forms, 1, 1).await.unwrap(), permitted(&forms, 1, 1).await.unwrap());
        let started = Instant::now();
        assert_eq!(permitted(&forms, 1, 1).await.unwrap_err(), 429);
        assert_eq!(started.elapsed(), WAIT);
        let waiting = tokio::spawn({
            let forms = forms.clone();
            async move { permitted(&forms, 1, 1).await }
        });
        tokio::task::yield_now().await;
        drop(first);
        assert!(waiting.await.unwrap().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_networks_around_an_ipv6_address_have_more_and_not_all() {
        let forms = forms();
        let subnet = |of_48: u16| IpAddr::from([0x2001, 0xdb8, 1, of_48, 0, 0, 0, 1]);
        let of_anybody = async |client: IpAddr| permit(&forms, UserId::generate(), client).await;
        let mut taken = Vec::new();
        for of_56 in 0..20 {
            taken.extend(of_anybody(subnet(of_56)).await);
        }
        assert_eq!(taken.len(), 8, "one /56");
        for of_48 in 1..20 {
            taken.extend(of_anybody(subnet(of_48 << 8)).await);
        }
        assert_eq!(taken.len(), 16, "one /48");
        assert_eq!(of_anybody(subnet(0xffff)).await.unwrap_err().status(), 429);
        assert!(of_anybody([0x2001, 0xdb8, 2, 0, 0, 0, 0, 1].into()).await.is_ok());
        taken.pop();
        assert!(of_anybody(subnet(0xffff)).await.is_ok());
    }
}
