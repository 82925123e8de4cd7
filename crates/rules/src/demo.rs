//! The demo submission dialog.
//!
//! Names of stored demos are in `demo_name`.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, Problem, Refusal, refusals};
use crate::email::{self, Email, EmailError, is_email};
use crate::span::{DAY, HOUR, MINUTE};
use crate::text;
use crate::upload::{FileInfo, MEGABYTE};
use crate::validation::{Form, limit, validated};

/// Maximum file size in bytes, inclusive.
pub const DEMO_MAX_BYTES: u64 = 70 * MEGABYTE;
/// Accepted file extensions, without the dot.
pub const DEMO_EXTENSIONS: [&str; 5] = ["zip", "mp3", "wav", "flac", "m4a"];
/// Time after its last bytes when an unfinished upload is dropped.
pub const UPLOAD_MS: u64 = DAY;
/// Time after which an announced upload without any bytes is dropped.
pub const ANNOUNCED_MS: u64 = HOUR;
/// Time for which an upload without bytes reserves its full length. After that, each second frees as many bytes as the slowest
/// sender would send.
pub const ANNOUNCED_HELD_MS: u64 = 5 * MINUTE;
/// Time after its announcement when an unfinished upload is dropped in any case.
pub const UPLOAD_ABSOLUTE_MS: u64 = 2 * DAY;
/// Time a request may continue past its upload's end if it began in time; no request takes longer.
pub const WRITING_MS: u64 = 30 * MINUTE;
/// Maximum number of requests of an upload: enough for pieces of 64 KiB, few enough to join.
pub const UPLOAD_PARTS_MAX: u32 = 1_200;
/// Maximum total size in bytes of all demos, including received and reserved bytes of uploads.
pub const DEMOS_MAX_BYTES: u64 = 20 * 1024 * MEGABYTE;
/// Disk space in bytes that an upload must leave free.
pub const FREE_BYTES: u64 = 1024 * MEGABYTE;
/// Maximum number of files and folders in an archive.
pub const ARCHIVE_ENTRIES_MAX: u64 = 500;
/// Maximum unpacked size in bytes of an archive.
pub const UNPACKED_MAX_BYTES: u64 = 2 * 1024 * MEGABYTE;
/// Maximum unpacked size in bytes of an MPEG-4 file in an archive, which is unpacked to disk to be measured. Its audio is
/// already compressed, so it is hardly larger than an upload.
pub const UNPACKED_MPEG4_MAX_BYTES: u64 = 100 * MEGABYTE;
/// Maximum compression ratio of all files together. A silent track may exceed it; only a bomb exceeds it in total.
pub const UNPACKED_MAX_RATIO: u64 = 200;
/// Maximum number of zero bytes before the first frame of an MP3 file; some encoders leave a gap.
pub const MP3_GAP_MAX_BYTES: usize = 64 * 1024;
/// Attempts to measure a demo, since each may have crashed the program.
pub const ANALYSIS_TRIES_MAX: i64 = 3;
/// CPU time to measure one demo with all its tracks. The longest music in an upload, five hours of MP3 at 32 kbit/s, takes 34
/// seconds on a slow core of 2026; this is nine times as much.
pub const ANALYSIS_WORK_MS: u64 = 5 * MINUTE;
/// Wall-clock time to measure one file or track on a busy machine.
pub const ANALYSIS_TIMEOUT_MS: u64 = 30 * MINUTE;
/// Extensions that an archive must not contain: nested archives would bypass the limits above.
pub const ARCHIVE_EXTENSIONS: [&str; 22] = [
    "zip", "zipx", "7z", "rar", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst", "lz", "lzma", "lz4", "z",
    "tar", "cab", "arj", "ace", "iso", "dmg", "jar",
];
/// Maximum length of an artist name in characters, which keeps the list readable.
pub const ARTIST_NAME_MAX: usize = 500;
/// Characters of the name in the subject of the letter to the label.
pub const SUBJECT_NAME_MAX: usize = 60;
/// Maximum length of a message in characters. It travels in a request header (tus 1.0) in base64: 2000 characters of four bytes
/// still fit into the 16 KiB of a head.
pub const MESSAGE_MAX: usize = 2000;

/// Code of a file larger than [`DEMO_MAX_BYTES`].
pub const TOO_LARGE: &str = "file_too_large";
/// Note about an accepted file in Apple Lossless.
pub const ALAC_NOTE: &str = "Few browsers play ALAC: FLAC or WAV is heard at once.";
/// Toast title if a field is invalid and nothing was sent.
const INVALID: &str = "Invalid information";
/// Toast title of an archive that is refused for its contents.
const ARCHIVE_REFUSED: &str = "Archive refused";

refusals! {
    /// Refusals of a demo; [`too_large`] states the size of a file that is too large.
    pub enum DemoError {
        Missing = "missing_information", "Please fill in all required fields and select a demo file.", "Missing information";
        Type = "invalid_file_type", "Please upload a .zip, .mp3, .wav, .flac or .m4a file.", "Invalid file type";
        Content = "invalid_file_type", "This file is not what its name says. Please export it again as .zip, .mp3, .wav, .flac or .m4a.", "Invalid file type";
        FileEmpty = "file_empty", "This file is empty. Please choose another one.", "Empty file";
        ArtistNameTooLong = "artist_name_too_long", "Artist name must be less than 500 characters", INVALID;
        ArtistNameCharacters = "artist_name_characters", "Invalid characters in artist name", INVALID;
        MessageTooLong = "message_too_long", "Message must be less than 2000 characters", INVALID;
        MessageCharacters = "message_characters", "Invalid characters in message", INVALID;
        ArchiveLocked = "archive_locked", "This .zip is locked with a password. Please send one that opens without.", ARCHIVE_REFUSED;
        ArchiveEmpty = "archive_empty", "This .zip is empty. Please pack your tracks into it again.", ARCHIVE_REFUSED;
        ArchiveNoTrack = "archive_no_track", "This .zip holds no track. Please pack .mp3, .wav, .flac or .m4a files into it.", ARCHIVE_REFUSED;
        ArchiveBroken = "archive_broken", "This .zip is broken or incomplete. Please pack your tracks again.", ARCHIVE_REFUSED;
        ArchiveTooLarge = "archive_too_large", "This .zip is too large when unpacked: at most 500 files and 2 GB. Please send fewer tracks.", ARCHIVE_REFUSED;
        ArchiveNested = "archive_nested", "This .zip holds another archive. Please pack the tracks themselves.", ARCHIVE_REFUSED;
        ArchiveUnsafe = "archive_unsafe", "This .zip holds a link, or a name that cannot be unpacked safely. Please pack the tracks alone.", ARCHIVE_REFUSED;
    }
}

impl DemoError {
    /// The refusal of a file's content with this code.
    pub fn of_content(code: &str) -> Option<Self> {
        Self::of_code(code).map(|refusal| if refusal == Self::Type { Self::Content } else { refusal })
    }
}

/// The dialog as filled in.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct DemoForm {
    /// Required.
    #[validate(length(max = limit(ARTIST_NAME_MAX), code = "artist_name_too_long"), custom(function = is_artist_name))]
    pub artist_name: String,
    /// Required.
    #[validate(custom(function = is_sender))]
    pub email: String,
    /// Optional.
    #[serde(default)]
    #[validate(length(max = limit(MESSAGE_MAX), code = "message_too_long"), custom(function = is_message))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub message: Option<String>,
    /// Required; its media type is ignored.
    #[serde(default)]
    #[validate(required(code = "missing_information"), custom(function = is_demo_file))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "FileInfo | null"))]
    pub file: Option<FileInfo>,
}

/// A submission ready to be sent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Demo {
    /// A single trimmed line, otherwise as typed.
    pub artist_name: String,
    /// Address for the answer.
    pub email: Email,
    /// `None` when blank.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub message: Option<String>,
    /// The chosen file.
    pub file: FileInfo,
}

impl Form for DemoForm {
    fn refusal(code: &str) -> Option<Refusal> {
        let of_email = |error: EmailError| Refusal { title: Some(INVALID), ..error.into() };
        DemoError::of_code(code)
            .map(Refusal::from)
            .or_else(|| EmailError::of_code(code).map(of_email))
            .or_else(|| (code == TOO_LARGE).then(|| too_large(DEMO_MAX_BYTES)))
    }
}

/// Checks the dialog. Missing fields come first, all with the same text; then the other problems, of the file its extension
/// before its size.
pub fn check_demo(form: DemoForm) -> Checked<Demo> {
    let form = DemoForm {
        artist_name: text::line(form.artist_name),
        email: email::tidied(&form.email),
        message: form.message.map(text::prose).filter(|message| !message.is_empty()),
        file: form.file,
    };
    let missing = DemoError::Missing;
    let form = validated(form).map_err(|problems| problems.first(missing.code()))?;
    let file = form.file.ok_or_else(|| Problem::new("file", missing))?;
    Ok(Demo {
        artist_name: form.artist_name,
        email: Email::of_validated(&form.email),
        message: form.message,
        file,
    })
}

/// Checks a chosen file: extension, then size. Phones offer an empty file while only its name is available.
///
/// ```
/// use rules::{demo::check_demo_file, upload::FileInfo};
///
/// let file = FileInfo { name: "set.wav".into(), media_type: String::new(), size_bytes: 73_400_321.0 };
/// assert_eq!(check_demo_file(&file).unwrap_err().message, "File size must be under 70MB. Your file is 70.1 MB.");
/// ```
pub fn check_demo_file(file: &FileInfo) -> Result<(), Refusal> {
    let extension = file.name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if !DEMO_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension)) {
        return Err(DemoError::Type.into());
    }
    match file.size_bytes() {
        0 => Err(DemoError::FileEmpty.into()),
        size if size > DEMO_MAX_BYTES => Err(too_large(size)),
        _ => Ok(()),
    }
}

/// The refusal of a file that is too large, with its size in MB to one decimal, rounded up so that it never seems to be within
/// the limit.
pub fn too_large(bytes: u64) -> Refusal {
    let tenths = bytes % MEGABYTE * 10;
    let tenths = bytes / MEGABYTE * 10 + tenths.div_ceil(MEGABYTE);
    let mut message = String::from("File size must be under 70MB. Your file is ");
    message.push_str(&text::decimal(tenths / 10));
    message.push('.');
    message.push_str(&text::decimal(tenths % 10));
    message.push_str(" MB.");
    Refusal { code: TOO_LARGE, message: message.into(), title: Some("File too large") }
}

fn is_artist_name(name: &str) -> Result<(), ValidationError> {
    if name.is_empty() {
        Err(DemoError::Missing.into())
    } else if text::has_control_or_bidi(name) {
        Err(DemoError::ArtistNameCharacters.into())
    } else {
        Ok(())
    }
}

fn is_sender(email: &str) -> Result<(), ValidationError> {
    if email.is_empty() { Err(DemoError::Missing.into()) } else { is_email(email) }
}

fn is_message(message: &str) -> Result<(), ValidationError> {
    if text::has_control_but_white_space(message) { Err(DemoError::MessageCharacters.into()) } else { Ok(()) }
}

fn is_demo_file(file: &FileInfo) -> Result<(), ValidationError> {
    check_demo_file(file).map_err(|refusal| ValidationError::new(refusal.code).with_message(refusal.message))
}
