//! Writes the rules' data for the web app: `cargo run -p rules --example browser_data FOLDER`. Run by `scripts/generate`.
//!
//! Decisions are made in WebAssembly, which loads later or not at all; texts, limits and lists load with the page. The files
//! are split by when they are needed: `constants.ts` has single exports, so that the first view contains only those it uses;
//! `messages.ts` loads with the first form.

use std::fmt::{Display, Write as _};
use std::path::PathBuf;
use std::{env, fs, io};

use rules::demo::DemoError;
use rules::hero::HeroError;
use rules::image::{ImageError, PictureError};
use rules::mark::MarkError;
use rules::media::MediaError;
use rules::messages::{self, Code};
use rules::signup::SignupError;
use rules::upload::{Kind, MEGABYTE};
use rules::username::UsernameError;
use rules::{
    archive, artist, avatar, browser, callback, codes, content, cooldown, demo, demo_desk, demo_state, embed,
    hero, image, import, letters, listing, maintenance, mark, media, mfa, newsletter_consent, numbers,
    password, reconnect, release_details, retention, session, terminal,
};

fn main() -> io::Result<()> {
    let folder =
        env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| io::Error::other("a folder is missing"))?;
    fs::write(folder.join("constants.ts"), constants())?;
    fs::write(folder.join("messages.ts"), messages())?;
    fs::write(folder.join("newsletter.ts"), newsletter())?;
    fs::write(folder.join("refusals.ts"), refusals())?;
    fs::write(folder.join("texts.ts"), texts())
}

fn file(about: &str) -> String {
    format!("// Written by scripts/generate from crates/rules: {about}\n")
}

/// Calls the closure for each row.
macro_rules! constants {
    ($constant:ident; $($about:literal $name:ident = $value:expr;)+) => {
        $($constant($about, stringify!($name), &$value);)+
    };
}

/// Numbers, lists of types, and texts of pages shown before any form.
fn constants() -> String {
    let mut out = file("numbers, types and texts with single exports.");
    let mut constant = |about: &str, name: &str, value: &dyn Display| {
        let _ = write!(out, "\n/** {about} */\nexport const {name} = {value};\n");
    };

    let days = |ms: u64| ms / (24 * 3_600_000);
    let steps = demo_state::SENDER_STEPS.map(quoted).join(", ");
    let mb = |bytes: u64| bytes / MEGABYTE;
    let avatar_types = either(&names(&avatar::AVATAR_KINDS)).replace("JPEG", "JPG");
    let (images, videos): (Vec<Kind>, Vec<Kind>) =
        media::MEDIA_KINDS.iter().partition(|kind| kind.media_types[0].starts_with("image/"));
    let text = |code: Code| quoted(code.text());
    let toasts = [401, 404, 429, 500].map(|status: u32| {
        let code = messages::terminal_code(Some(status));
        format!("  {status}: {},\n", quoted(code.as_str()))
    });
    constants! {
        constant;
        // Milliseconds.
        "Wait for the rules before a page continues without them." RULES_WAIT_MS = browser::RULES_WAIT_MS;
        "A load of the rules is abandoned after this." RULES_LOAD_MS = browser::RULES_LOAD_MS;
        "Minimum pause after a failed load of the rules." RULES_PAUSE_MS = browser::RULES_PAUSE_MS;
        "Display time of an error toast." TOAST_ERROR_MS = browser::TOAST_ERROR_MS;
        "Errors within this span are shown together." TOAST_TOGETHER_MS = browser::TOAST_TOGETHER_MS;
        "Maximum number of error toasts shown together." TOAST_ERRORS_MAX = browser::TOAST_ERRORS_MAX;
        "Display time of a success toast." TOAST_DONE_MS = browser::TOAST_DONE_MS;
        "How long a page is visible before it counts as seen." SEEN_AFTER_MS = numbers::SEEN_AFTER_MS;
        "Time within which a page that is opened again does not count again." SEEN_AGAIN_MS = numbers::SEEN_AGAIN_MS;
        "How long a release is heard before it counts as played." PLAYED_AFTER_MS = numbers::PLAYED_AFTER_MS;
        "How long a deleted demo can be restored." DEMO_TRASH_MS = retention::DEMO_TRASH_MS;
        "Interval between checks whether a sign-up is confirmed." SIGN_UP_LOOK_MS = browser::SIGN_UP_LOOK_MS;
        "Interval between clock checks that detect a sleep of the machine." WAKE_CHECK_MS = browser::WAKE_CHECK_MS;
        "A longer gap between clock checks means the machine slept." SLEEP_MS = browser::SLEEP_MS;
        "The waits before the first, second, third and every later try to reach the server."
            RECONNECT_MS = format!("{:?} as const", reconnect::BACK_OFF_MS);
        "Interval between checks whether the session must be renewed." SESSION_TICK_MS = session::TICK_MS;
        "Maximum wait for the maintenance setting of a page." MAINTENANCE_WAIT_MS = maintenance::WAIT_MS;
        "Delay before the single retry of a second-factor call." MFA_RETRY_MS = mfa::RETRY_MS;
        "Delay from the second factor's success to the next screen." MFA_SUCCESS_MS = mfa::SUCCESS_MS;
        "Delay before another recovery code can be requested." RECOVERY_RESEND_MS = mfa::RECOVERY_RESEND_MS;
        "Delay between two lines of the terminal's boot sequence." BOOT_LINE_DELAY_MS = terminal::BOOT_LINE_DELAY_MS;
        "Delay from a confirmed address to the next page." CONFIRMED_REDIRECT_MS = callback::REDIRECT_MS;
        "Leaving the newsletter can be undone for this long." COME_BACK_MS = newsletter_consent::COME_BACK_MS;
        "Display time of the welcome page." WELCOME_REDIRECT_MS = callback::WELCOME_REDIRECT_MS;

        // Lengths, sizes and counts.
        "Maximum length of an artist's bio in characters." BIO_MAX = artist::BIO_MAX;
        "Maximum number of parts of a letter." LETTER_PARTS_MAX = letters::PARTS_MAX;
        "Maximum number of tracks of a release, and of credits." RELEASE_ROWS_MAX = release_details::ROWS_MAX;
        "Minimum length of a password at sign-up in characters." SIGNUP_PASSWORD_MIN = password::SIGNUP_MIN;
        "Digits of a mailed recovery code." RECOVERY_DIGITS = codes::RECOVERY_DIGITS;
        "Maximum length of a displayed error from a mailed link in characters." CALLBACK_ERROR_MAX = callback::LONGEST_ERROR;
        "Maximum length of a note on a demo in characters." DESK_NOTE_MAX = demo_desk::NOTE_MAX;
        "Maximum number of tags of a demo." DESK_TAGS_MAX = demo_desk::TAGS_MAX;
        "Maximum number of demos declined at once." DECLINED_MAX = demo_desk::DECLINED_MAX;
        "A demo counts as heard after this much playback." HEARD_AFTER_MS = demo_state::HEARD_AFTER_MS;
        "The promise to senders is based on demos heard within this many days." PROMISE_WINDOW_DAYS = demo_state::PROMISE_WINDOW_DAYS;
        "Days that deleted rows stay in the trash." TRASH_DAYS = days(retention::TRASH_MS);
        "Days that the audit log goes back." AUDIT_DAYS = days(retention::AUDIT_MS);
        "Hours during which an import can be undone." IMPORT_UNDO_HOURS = import::UNDO_MS / 3_600_000;
        "Lifetime of a mailed recovery code in minutes." RECOVERY_MINUTES = mfa::RECOVERY_MS / 60_000;
        "Steps of a demo as shown to its sender." SENDER_STEPS = format!("[{steps}] as const");
        "Rows on a page of a public list." LIST_PAGE = listing::PAGE;
        "Maximum length of a list's search in characters." SEARCH_MAX = listing::SEARCH_MAX;
        "Maximum width of a picture's small version in pixels." SMALL_WIDTH = image::SMALL_WIDTH;
        "Height of a streaming service's player, in pixels." PLAYER_HEIGHT = embed::PLAYER_HEIGHT;
        "Width and height of an avatar, in pixels." AVATAR_SIZE = avatar::AVATAR_SIZE;
        "JPEG quality of an avatar, 0 to 1." AVATAR_QUALITY = f64::from(avatar::AVATAR_QUALITY) / 100.0;
        "Bytes at the end of a demo that are checked before the upload." DEMO_END_BYTES = archive::END_BYTES;

        // Files: maximum size, the picker's filter, and the hint.
        "Maximum size of a demo in MB." DEMO_MAX_MB = mb(demo::DEMO_MAX_BYTES);
        "Maximum size of an image of an artist, release or product in MB." IMAGE_MAX_MB = mb(image::IMAGE_MAX_BYTES);
        "Maximum size of the home page's image in MB." HERO_MAX_MB = mb(hero::HERO_MAX_BYTES);
        "Maximum size of an avatar in MB." AVATAR_MAX_MB = mb(avatar::AVATAR_MAX_BYTES);
        "Maximum size of a media library file in MB." MEDIA_MAX_MB = mb(media::MEDIA_MAX_BYTES);
        "`accept` of a demo." DEMO_ACCEPT = quoted(&accept(&demo::DEMO_EXTENSIONS));
        "`accept` of an image of an artist, a release or a product." IMAGE_ACCEPT = quoted(&accept_kinds(&image::IMAGE_KINDS));
        "`accept` of the home page's image." HERO_ACCEPT = quoted(&accept_kinds(&hero::HERO_KINDS));
        "`accept` of the label's mark." MARK_ACCEPT = quoted(&accept_kinds(&mark::MARK_KINDS));
        "`accept` of an avatar." AVATAR_ACCEPT = quoted(&accept_kinds(&avatar::AVATAR_KINDS));
        "`accept` of the media library." MEDIA_ACCEPT = quoted(&accept_kinds(&media::MEDIA_KINDS));
        "The types of an image of an artist, a release or a product." IMAGE_TYPES = quoted(&either(&names(&image::IMAGE_KINDS)));
        "The types of the home page's image." HERO_TYPES = quoted(&either(&names(&hero::HERO_KINDS)));
        "The types of an avatar." AVATAR_TYPES = quoted(&avatar_types);
        "The types of an image of the media library." MEDIA_IMAGE_TYPES = quoted(&names(&images).join(", "));
        "The types of a video of the media library." MEDIA_VIDEO_TYPES = quoted(&names(&videos).join(", "));

        // Texts shown before the messages are loaded.
        "Shown at an unknown address." PAGE_NOT_FOUND = text(Code::PageNotFound);
        "Shown if a call about the session cannot be made." LOGIN_UNREACHABLE = text(Code::LoginUnreachable);
        "Added to it if a sign-out will be sent to the server later." SIGN_OUT_OWED = text(Code::SignOutOwed);
        "Shown when the session has ended." SESSION_ENDED = text(Code::NoSession);
        "Shown at the address of an unknown artist." ARTIST_NOT_FOUND = text(Code::ArtistNotFound);
        "Shown when a page crashed." UNEXPECTED_ERROR = text(Code::AdminLoginUnexpected);
        "Heading of the page that confirms a subscription. Kept in proofs of consent."
            CONFIRM_HEADING = quoted(newsletter_consent::CONFIRM_HEADING);
        "Its sentence." CONFIRM_SENTENCE = quoted(newsletter_consent::CONFIRM_SENTENCE);
        "Its button." CONFIRM_BUTTON = quoted(newsletter_consent::CONFIRM_BUTTON);
        "Shown instead of a page in maintenance." MAINTENANCE = text(Code::Maintenance);
        "Shown if the privacy policy cannot be loaded." PRIVACY_POLICY_FAILED = text(Code::PrivacyPolicyFailed);
        "Shown if a sign-up gets no answer." SIGNUP_BUSY = quoted(&cooldown::signup_error(None, "network", None).text);
        "Shown for a sign-up in the dialog without a full name." FULL_NAME_REQUIRED = quoted(SignupError::FullNameRequired.message());
        "Shown for one without a username." USERNAME_TOO_SHORT = quoted(UsernameError::TooShort.message());
        "Code of the toast by the status of a terminal's answer; others have `terminal_failed`."
            TERMINAL_CODES = format!("{{\n{}}} as const", toasts.concat());
    }
    out
}

/// Messages of the newsletter form, the only form in the first view.
fn newsletter() -> String {
    let mut out = file("messages of the newsletter form by code.");
    out.push_str("\nexport const NEWSLETTER_MESSAGES = {\n");
    entries(&mut out, is_of_newsletter);
    out.push_str("} as const;\n");
    out
}

fn is_of_newsletter(code: &str) -> bool {
    [
        Code::NewsletterSubscribed,
        Code::NewsletterRateLimited,
        Code::NewsletterInvalidEmail,
        Code::NewsletterFailed,
    ]
    .iter()
    .any(|known| known.as_str() == code)
}

fn entries(out: &mut String, is_wanted: impl Fn(&str) -> bool) {
    for (code, title, text) in messages::browser().filter(|(code, ..)| is_wanted(code)) {
        let _ = writeln!(out, "  {code}: {{ title: {}, text: {} }},", quoted(title), quoted(text));
    }
}

/// All messages.
fn messages() -> String {
    let mut out = file("titles and texts by code; an absent part is empty.");
    out.push_str("import { NEWSLETTER_MESSAGES } from \"./newsletter.ts\";\n\nexport const MESSAGES = {\n  ...NEWSLETTER_MESSAGES,\n");
    entries(&mut out, |code| !is_of_newsletter(code));
    out.push_str("} as const;\n\n/** Answers of the second factor's service; unknown codes have the text of `failed`. */\n");
    out.push_str("export const MFA_TEXTS = {\n");
    for code in mfa::CODES {
        let _ = writeln!(out, "  {code}: {},", quoted(&mfa::text(code, None)));
    }
    let _ = writeln!(out, "  failed: {},\n}} as const;", quoted(&mfa::text("", None)));
    out
}

/// Toast titles of refusals, for refusals by the server.
fn refusals() -> String {
    let mut out = file("toast titles of refusals.");
    let mut table = |about: &str, name: &str, rows: &[(&str, &str)]| {
        let _ = write!(out, "\n/** {about} */\nexport const {name}: Readonly<Record<string, string>> = {{\n");
        for (key, title) in rows {
            let _ = writeln!(out, "  {}: {},", quoted(key), quoted(title));
        }
        out.push_str("};\n");
    };
    let mut demos: Vec<_> =
        DemoError::ALL.iter().filter_map(|error| Some((error.code(), error.title()?))).collect();
    demos.dedup();
    let too_large = demo::too_large(u64::MAX);
    demos.push((too_large.code, too_large.title.unwrap_or_default()));
    table("Titles for a demo by the refusal's code.", "DEMO_TITLES", &demos);
    let mut uploads: Vec<_> =
        MediaError::ALL.iter().filter_map(|error| Some((error.code(), error.title()?))).collect();
    uploads.extend(ImageError::ALL.iter().filter_map(|error| Some((error.code(), error.title()?))));
    uploads.extend(PictureError::ALL.iter().filter_map(|error| Some((error.code(), error.title()?))));
    uploads.extend(MarkError::ALL.iter().filter_map(|error| Some((error.code(), error.title()?))));
    uploads.extend(HeroError::ALL.iter().filter_map(|error| Some((error.code(), error.title()?))));
    uploads.sort_unstable();
    uploads.dedup();
    assert!(uploads.is_sorted_by(|a, b| a.0 < b.0), "one title for a code: {uploads:?}");
    table("Titles for a file uploaded in the dashboard by the refusal's code.", "UPLOAD_TITLES", &uploads);
    let _ = write!(
        out,
        "\n/** Shown for a demo without a file, or with an empty field. */\nexport const DEMO_MISSING = {{ title: {}, text: {} }};\n",
        quoted(DemoError::Missing.title().unwrap_or_default()),
        quoted(DemoError::Missing.message()),
    );
    out
}

/// Cards of the editable texts.
fn texts() -> String {
    let mut out = file("titles and input heights of the editable texts by key.");
    out.push_str(
        "\nexport const TEXT_CARDS: Readonly<Record<string, { title: string; rows: number }>> = {\n",
    );
    for key in content::KEYS {
        let (title, rows) = (content::card_title(key), content::card_rows(key));
        let _ = writeln!(out, "  {key}: {{ title: {}, rows: {rows} }},", quoted(&title));
    }
    out.push_str("};\n");
    out
}

/// A string literal in TypeScript.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn accept<'a>(extensions: impl IntoIterator<Item = &'a &'static str>) -> String {
    extensions.into_iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(",")
}

fn accept_kinds(kinds: &[Kind]) -> String {
    accept(kinds.iter().flat_map(|kind| kind.extensions))
}

fn names(kinds: &[Kind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.name).collect()
}

/// `A, B or C`.
fn either(names: &[&str]) -> String {
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    format!("{} or {last}", others.join(", "))
}
