//! Forms with one file: read to their end whatever is said of the file, because a browser shows an answer only to a request that
//! it could finish. The file goes to the [`spool`](deadwax_store::spool); what it is, and where it goes, is for others to say.

use std::{collections::BTreeMap, io};

use axum::extract::{
    Multipart,
    multipart::{MultipartError, MultipartRejection},
};
use deadwax_store::spool::{SpoolWriter, Spooled};
use http::StatusCode;
use rules::{
    messages::Code,
    upload::{FORM_PARTS_MAX, FORM_READ_BESIDE_BYTES, FileInfo, clean_name, name_or_file},
};

use crate::{
    app::AppState,
    error::{AppError, AppResult},
    form_places::FormPlace,
};

/// Bytes kept of a part's beginning: a file's type is told by them, and texts are shorter.
const HEAD: usize = 4096;

/// A form, as a handler takes it.
pub type Form = Result<Multipart, MultipartRejection>;

/// What a form held.
#[derive(Debug)]
pub struct Sent {
    /// Its only file.
    pub file: SentFile,
    /// Its other fields, by name.
    pub texts: BTreeMap<String, String>,
}

/// A file, as it was sent.
#[derive(Debug)]
pub struct SentFile {
    /// Its name on the sender's disk, cleaned by [`clean_name`].
    pub name: String,
    /// Its length.
    pub size_bytes: u64,
    /// Its first bytes.
    pub head: Vec<u8>,
    /// Its bytes; none of a file that is larger than what is taken.
    pub spooled: Option<Spooled>,
}

impl SentFile {
    /// The same file, its name that of its content where it has none of its own.
    #[must_use]
    pub fn named(self, media_type: Option<&str>) -> Self {
        Self { name: name_or_file(&self.name, media_type.unwrap_or_default()), ..self }
    }

    /// What the rules judge: the type is what the first bytes say, whatever the sender says.
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

/// Reads a form whose file, named `file`, has at most `most` bytes; a larger one is counted and not kept.
///
/// The place is one of those that bound how many forms are read at once; it is free again when the form is read.
pub async fn read(app: &AppState, form: Form, most: u64, place: FormPlace) -> AppResult<Sent> {
    let sent = read_parts(app, form, most).await;
    drop(place);
    sent
}

async fn read_parts(app: &AppState, form: Form, most: u64) -> AppResult<Sent> {
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
        let mut taking = Taking::new(app, is_wanted, most);
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
            Ok(Sent { file: taking.finish(clean_name(&name)).await?, texts })
        }
        _ => Err(AppError::invalid("file", Code::OneFile)),
    }
}

/// What the reader of forms cannot read, or may not: the routes bound what a form has in all.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err takes")]
fn malformed(error: MultipartError) -> AppError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return AppError::of_status(StatusCode::PAYLOAD_TOO_LARGE);
    }
    AppError::invalid("file", Code::InvalidForm)
}

/// A part of a form on its way in.
struct Taking<'a> {
    app: &'a AppState,
    is_wanted: bool,
    most: u64,
    size_bytes: u64,
    head: Vec<u8>,
    writer: Option<SpoolWriter>,
    /// Told when all is read.
    failed: Option<io::Error>,
}

impl<'a> Taking<'a> {
    fn new(app: &'a AppState, is_wanted: bool, most: u64) -> Self {
        Self { app, is_wanted, most, size_bytes: 0, head: Vec::new(), writer: None, failed: None }
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
            None => self.app.spool.create(false).await?,
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
