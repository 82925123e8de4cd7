//! The demo submission dialog.
//!
//! How a stored demo is named, and the name read back, is in `demo_name`.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, Problem, Refusal, refusals, titled};
use crate::email::{self, Email, EmailError, is_email};
use crate::text;
use crate::upload::{FileInfo, MEGABYTE};
use crate::validation::{Form, limit, validated};

/// The largest file, in bytes; exactly this size is accepted.
pub const DEMO_MAX_BYTES: u64 = 70 * MEGABYTE;
/// What may be submitted, without the dot.
pub const DEMO_EXTENSIONS: [&str; 5] = ["zip", "mp3", "wav", "flac", "m4a"];
/// An unfinished upload is dropped so long after its last bytes.
pub const UPLOAD_MS: u64 = 24 * 3_600_000;
/// One that was only announced is dropped so long after that.
pub const ANNOUNCED_MS: u64 = 3_600_000;
/// So long it has room for its whole length without a byte. Each second more takes as many bytes as the slowest sender brings in one.
pub const ANNOUNCED_HELD_MS: u64 = 5 * 60_000;
/// However its bytes come, an unfinished upload is dropped so long after it was announced.
pub const UPLOAD_ABSOLUTE_MS: u64 = 48 * 3_600_000;
/// A request that began to bring bytes in time may go on for so long after its upload's end: more than any request takes.
pub const WRITING_MS: u64 = 1_800_000;
/// Requests that an unfinished upload may come in: enough for pieces of 64 KiB, few enough to be joined.
pub const UPLOAD_PARTS_MAX: u32 = 1_200;
/// All demos together, with what of unfinished uploads has arrived or is held.
pub const DEMOS_MAX_BYTES: u64 = 20 * 1024 * MEGABYTE;
/// What stays free on the disk beside an upload.
pub const FREE_BYTES: u64 = 1024 * MEGABYTE;
/// Files and folders in an archive.
pub const ARCHIVE_ENTRIES_MAX: u64 = 500;
/// What they may come to when unpacked, in bytes.
pub const UNPACKED_MAX_BYTES: u64 = 2 * 1024 * MEGABYTE;
/// What an MPEG-4 file in an archive may come to when unpacked, in bytes: its sound is packed already, so that none is much longer than
/// an upload. It is unpacked to the disk to be measured.
pub const UNPACKED_MPEG4_MAX_BYTES: u64 = 100 * MEGABYTE;
/// How many times larger they may become together. One silent track of many may go further, a bomb goes further than all.
pub const UNPACKED_MAX_RATIO: u64 = 200;
/// Zeros before the first frame of an MP3 file, at most: some encoders leave a gap.
pub const MP3_GAP_MAX_BYTES: usize = 64 * 1024;
/// How often measuring a demo is begun, at most: the program may have ended each time.
pub const ANALYSIS_TRIES_MAX: i64 = 3;
/// How long a processor may work to measure one demo, all its tracks together. The longest music that fits into a file, five hours
/// of MP3 at 32 kbit/s, takes 34 seconds on a slow core of 2026: nine times that.
pub const ANALYSIS_WORK_MS: u64 = 5 * 60_000;
/// How long measuring one file or track may take in all, on a machine that has other work to do.
pub const ANALYSIS_TIMEOUT_MS: u64 = 30 * 60_000;
/// What no file in an archive may be: archives inside archives would hide from all of the above.
pub const ARCHIVE_EXTENSIONS: [&str; 22] = [
    "zip", "zipx", "7z", "rar", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst", "lz", "lzma", "lz4", "z",
    "tar", "cab", "arj", "ace", "iso", "dmg", "jar",
];
/// The most characters of an artist name; nobody's is longer, and the list must stay readable.
pub const ARTIST_NAME_MAX: usize = 500;
/// Characters of it in the subject of the letter to the label.
pub const SUBJECT_NAME_MAX: usize = 60;
/// The most characters of a message. It travels in the head of a request (tus 1.0), in base64: 2000 characters of four
/// bytes still fit into the 16 KiB that a head may have.
pub const MESSAGE_MAX: usize = 2000;

/// The code of a file beyond [`DEMO_MAX_BYTES`].
pub const TOO_LARGE: &str = "file_too_large";
/// Said of a file in Apple Lossless, which is taken.
pub const ALAC_NOTE: &str = "Few browsers play ALAC: FLAC or WAV is heard at once.";
/// The title of the toast where a field was not filled in rightly: nothing was sent.
const INVALID: &str = "Invalid information";

refusals! {
    /// Why a demo was refused; a file that is too large is told its size by [`too_large`].
    pub enum DemoError {
        Missing = "missing_information", "Please fill in all required fields and select a demo file.";
        Type = "invalid_file_type", "Please upload a .zip, .mp3, .wav, .flac or .m4a file.";
        Content = "invalid_file_type", "This file is not what its name says. Please export it again as .zip, .mp3, .wav, .flac or .m4a.";
        FileEmpty = "file_empty", "This file is empty. Please choose another one.";
        ArtistNameTooLong = "artist_name_too_long", "Artist name must be less than 500 characters";
        ArtistNameCharacters = "artist_name_characters", "Invalid characters in artist name";
        MessageTooLong = "message_too_long", "Message must be less than 2000 characters";
        MessageCharacters = "message_characters", "Invalid characters in message";
        ArchiveLocked = "archive_locked", "This .zip is locked with a password. Please send one that opens without.";
        ArchiveEmpty = "archive_empty", "This .zip is empty. Please pack your tracks into it again.";
        ArchiveNoTrack = "archive_no_track", "This .zip holds no track. Please pack .mp3, .wav, .flac or .m4a files into it.";
        ArchiveBroken = "archive_broken", "This .zip is broken or incomplete. Please pack your tracks again.";
        ArchiveTooLarge = "archive_too_large", "This .zip is too large when unpacked: at most 500 files and 2 GB. Please send fewer tracks.";
        ArchiveNested = "archive_nested", "This .zip holds another archive. Please pack the tracks themselves.";
        ArchiveUnsafe = "archive_unsafe", "This .zip holds a link, or a name that cannot be unpacked safely. Please pack the tracks alone.";
    }
}
titled!(DemoError);

impl DemoError {
    /// The refusal of what a file holds that has this code.
    pub fn of_content(code: &str) -> Option<Self> {
        Self::of_code(code).map(|refusal| if refusal == Self::Type { Self::Content } else { refusal })
    }

    /// The title of the toast.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Missing => "Missing information",
            Self::Type | Self::Content => "Invalid file type",
            Self::FileEmpty => "Empty file",
            Self::ArtistNameTooLong
            | Self::ArtistNameCharacters
            | Self::MessageTooLong
            | Self::MessageCharacters => INVALID,
            _ => "Archive refused",
        }
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
    /// Required; its media type is not looked at.
    #[serde(default)]
    #[validate(required(code = "missing_information"), custom(function = is_demo_file))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "FileInfo | null"))]
    pub file: Option<FileInfo>,
}

/// A submission that may travel.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Demo {
    /// One line, trimmed, as typed otherwise.
    pub artist_name: String,
    /// Where to answer.
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

/// Checks the dialog. Whatever is missing comes first, each field under the one text for all of them, so that it is what is told;
/// then what is wrong with the fields that are there, of the file its extension before its size.
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

/// Judges a chosen file alone: extension, then size. A phone hands over a file of no bytes where it has only its name so far.
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

/// The refusal of a file of so many bytes: in MB with one decimal, rounded up so that a file that is too large never
/// seems to be within the limit.
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
