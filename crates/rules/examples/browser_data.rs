//! Writes what the web app takes of the rules as data: `cargo run -p rules --example browser_data FOLDER`. `scripts/generate`
//! puts the files in their place.
//!
//! What decides is WebAssembly and comes later, or not at all; texts, limits and lists are there with the page. Each file is
//! what one moment needs: `constants.ts` has names that a bundler takes one by one, so that the first view carries what it
//! uses; `messages.ts` comes with the first form.

use std::fmt::{Display, Write as _};
use std::path::PathBuf;
use std::{env, fs, io};

use rules::demo::DemoError;
use rules::hero::HeroError;
use rules::image::{ImageError, PictureError};
use rules::media::MediaError;
use rules::messages::{self, Code};
use rules::upload::{Kind, MEGABYTE};
use rules::{
    archive, artist, avatar, browser, callback, codes, content, demo, demo_desk, demo_state, embed, hero,
    image, import, listing, maintenance, media, mfa, password, release_details, retention, session, terminal,
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

/// Numbers, lists of types, and the few texts of pages that are shown before a form is.
#[expect(clippy::too_many_lines, reason = "a list of what there is")]
fn constants() -> String {
    let mut out = file("the numbers, types and texts that pages need by name.");
    let mut constant = |about: &str, name: &str, value: &dyn Display| {
        let _ = write!(out, "\n/** {about} */\nexport const {name} = {value};\n");
    };

    // Milliseconds.
    constant(
        "A page waits so long for the rules; after that it goes on without them.",
        "RULES_WAIT_MS",
        &browser::RULES_WAIT_MS,
    );
    constant(
        "A load of the rules that hangs is given up after this.",
        "RULES_LOAD_MS",
        &browser::RULES_LOAD_MS,
    );
    constant(
        "A load of the rules that failed is not repeated sooner.",
        "RULES_PAUSE_MS",
        &browser::RULES_PAUSE_MS,
    );
    constant("A toast about what failed stays so long.", "TOAST_ERROR_MS", &browser::TOAST_ERROR_MS);
    constant("What failed within it is told together.", "TOAST_TOGETHER_MS", &browser::TOAST_TOGETHER_MS);
    constant("Toasts about what failed that stand together.", "TOAST_ERRORS_MAX", &browser::TOAST_ERRORS_MAX);
    constant("A toast about what was done stays so long.", "TOAST_DONE_MS", &browser::TOAST_DONE_MS);
    constant("A deleted demo can be brought back for so long.", "DEMO_TRASH_MS", &retention::DEMO_TRASH_MS);
    constant(
        "From one look whether a sign-up is confirmed to the next.",
        "SIGN_UP_LOOK_MS",
        &browser::SIGN_UP_LOOK_MS,
    );
    constant(
        "From one look at the clock to the next, by which a sleep of the machine is noticed.",
        "WAKE_CHECK_MS",
        &browser::WAKE_CHECK_MS,
    );
    constant("So long without a look at the clock, and the machine slept.", "SLEEP_MS", &browser::SLEEP_MS);
    constant(
        "From a failure to the next try while the rules, which know the waits, are not loaded.",
        "RETRY_WITHOUT_RULES_MS",
        &browser::RETRY_WITHOUT_RULES_MS,
    );
    constant(
        "From one look whether the session has to be renewed to the next.",
        "SESSION_TICK_MS",
        &session::TICK_MS,
    );
    constant("A page waits so long for its maintenance flag.", "MAINTENANCE_WAIT_MS", &maintenance::WAIT_MS);
    constant(
        "From a failed call of the second factor to its one repetition.",
        "MFA_RETRY_MS",
        &mfa::RETRY_MS,
    );
    constant("From the success of the second factor to the next screen.", "MFA_SUCCESS_MS", &mfa::SUCCESS_MS);
    constant("From one mailed recovery code to the next.", "RECOVERY_RESEND_MS", &mfa::RECOVERY_RESEND_MS);
    constant(
        "Between two lines of the terminal's boot sequence.",
        "BOOT_LINE_DELAY_MS",
        &terminal::BOOT_LINE_DELAY_MS,
    );
    constant("From a confirmed address to the next page.", "CONFIRMED_REDIRECT_MS", &callback::REDIRECT_MS);
    constant("How long the welcome page stays.", "WELCOME_REDIRECT_MS", &callback::WELCOME_REDIRECT_MS);

    // Lengths, sizes and counts.
    constant("Characters of an artist's bio, at most.", "BIO_MAX", &artist::BIO_MAX);
    constant(
        "Tracks of a release, and its credits, at most.",
        "RELEASE_ROWS_MAX",
        &release_details::ROWS_MAX,
    );
    constant("Characters of a password at sign-up, at least.", "SIGNUP_PASSWORD_MIN", &password::SIGNUP_MIN);
    constant("Digits of a mailed recovery code.", "RECOVERY_DIGITS", &codes::RECOVERY_DIGITS);
    constant(
        "Characters shown of an error in a mailed link's address, at most.",
        "CALLBACK_ERROR_MAX",
        &callback::LONGEST_ERROR,
    );
    constant("Characters of a note on a demo, at most.", "DESK_NOTE_MAX", &demo_desk::NOTE_MAX);
    constant("Tags of a demo, at most.", "DESK_TAGS_MAX", &demo_desk::TAGS_MAX);
    constant("Demos that are declined at once, at most.", "DECLINED_MAX", &demo_desk::DECLINED_MAX);
    constant("A demo counts as heard after so much of it.", "HEARD_AFTER_MS", &demo_state::HEARD_AFTER_MS);
    constant(
        "The promise to senders is made from what was heard in so many days.",
        "PROMISE_WINDOW_DAYS",
        &demo_state::PROMISE_WINDOW_DAYS,
    );
    let days = |ms: u64| ms / (24 * 3_600_000);
    constant("What was deleted stays so many days in the trash.", "TRASH_DAYS", &days(retention::TRASH_MS));
    constant("The audit log goes back so many days.", "AUDIT_DAYS", &days(retention::AUDIT_MS));
    constant(
        "An import can be undone for so many hours.",
        "IMPORT_UNDO_HOURS",
        &(import::UNDO_MS / 3_600_000),
    );
    constant(
        "A mailed recovery code works so many minutes.",
        "RECOVERY_MINUTES",
        &(mfa::RECOVERY_MS / 60_000),
    );
    let steps = demo_state::SENDER_STEPS.map(quoted).join(", ");
    constant(
        "The steps of a demo, as its sender reads them.",
        "SENDER_STEPS",
        &format!("[{steps}] as const"),
    );
    constant("Rows of a public list that are read at once.", "LIST_PAGE", &listing::PAGE);
    constant("Characters that a list is searched for, at most.", "SEARCH_MAX", &listing::SEARCH_MAX);
    constant(
        "Width of the small version beside a picture, at most, in pixels.",
        "SMALL_WIDTH",
        &image::SMALL_WIDTH,
    );
    constant("Height of a streaming service's player, in pixels.", "PLAYER_HEIGHT", &embed::PLAYER_HEIGHT);
    constant("Width and height of an avatar, in pixels.", "AVATAR_SIZE", &avatar::AVATAR_SIZE);
    constant(
        "JPEG quality of an avatar, 0 to 1.",
        "AVATAR_QUALITY",
        &(f64::from(avatar::AVATAR_QUALITY) / 100.0),
    );
    constant(
        "Bytes of a demo's end to be looked at before it travels.",
        "DEMO_END_BYTES",
        &archive::END_BYTES,
    );

    // Files: the largest, what a picker offers, and what a hint calls it.
    let mb = |bytes: u64| bytes / MEGABYTE;
    constant("The largest demo, in MB.", "DEMO_MAX_MB", &mb(demo::DEMO_MAX_BYTES));
    constant(
        "The largest image of an artist, a release or a product, in MB.",
        "IMAGE_MAX_MB",
        &mb(image::IMAGE_MAX_BYTES),
    );
    constant("The largest image of the home page, in MB.", "HERO_MAX_MB", &mb(hero::HERO_MAX_BYTES));
    constant("The largest avatar, in MB.", "AVATAR_MAX_MB", &mb(avatar::AVATAR_MAX_BYTES));
    constant("The largest file of the media library, in MB.", "MEDIA_MAX_MB", &mb(media::MEDIA_MAX_BYTES));
    constant("`accept` of a demo.", "DEMO_ACCEPT", &quoted(&accept(&demo::DEMO_EXTENSIONS)));
    constant(
        "`accept` of an image of an artist, a release or a product.",
        "IMAGE_ACCEPT",
        &quoted(&accept_kinds(&image::IMAGE_KINDS)),
    );
    constant("`accept` of the home page's image.", "HERO_ACCEPT", &quoted(&accept_kinds(&hero::HERO_KINDS)));
    constant("`accept` of an avatar.", "AVATAR_ACCEPT", &quoted(&accept_kinds(&avatar::AVATAR_KINDS)));
    constant("`accept` of the media library.", "MEDIA_ACCEPT", &quoted(&accept_kinds(&media::MEDIA_KINDS)));
    constant(
        "The types of an image of an artist, a release or a product.",
        "IMAGE_TYPES",
        &quoted(&either(&names(&image::IMAGE_KINDS))),
    );
    constant(
        "The types of the home page's image.",
        "HERO_TYPES",
        &quoted(&either(&names(&hero::HERO_KINDS))),
    );
    let avatar_types = either(&names(&avatar::AVATAR_KINDS)).replace("JPEG", "JPG");
    constant("The types of an avatar.", "AVATAR_TYPES", &quoted(&avatar_types));
    let (images, videos): (Vec<Kind>, Vec<Kind>) =
        media::MEDIA_KINDS.iter().partition(|kind| kind.media_types[0].starts_with("image/"));
    constant(
        "The types of an image of the media library.",
        "MEDIA_IMAGE_TYPES",
        &quoted(&names(&images).join(", ")),
    );
    constant(
        "The types of a video of the media library.",
        "MEDIA_VIDEO_TYPES",
        &quoted(&names(&videos).join(", ")),
    );

    // Texts that are shown before the catalogue of messages is there.
    let text = |code: Code| quoted(code.text());
    constant("At an address that is none.", "PAGE_NOT_FOUND", &text(Code::PageNotFound));
    constant(
        "Where a call about the session cannot be made.",
        "LOGIN_UNREACHABLE",
        &text(Code::LoginUnreachable),
    );
    constant(
        "Beside it, of a sign-out that the server is told of later.",
        "SIGN_OUT_OWED",
        &text(Code::SignOutOwed),
    );
    constant("Where the session has ended.", "SESSION_ENDED", &text(Code::NoSession));
    constant(
        "At the address of an artist who is not there.",
        "ARTIST_NOT_FOUND",
        &text(Code::ArtistNotFound),
    );
    constant("Where a page broke.", "UNEXPECTED_ERROR", &text(Code::AdminLoginUnexpected));
    constant("In the place of a page that is down.", "MAINTENANCE", &text(Code::Maintenance));
    constant(
        "In the place of a policy that could not be read.",
        "PRIVACY_POLICY_FAILED",
        &text(Code::PrivacyPolicyFailed),
    );
    out
}

/// The messages of the one form that the first view has.
fn newsletter() -> String {
    let mut out = file("what the newsletter's form says, by code.");
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

/// The catalogue of messages.
fn messages() -> String {
    let mut out = file("titles and texts by code; an absent part is the empty text.");
    out.push_str("import { NEWSLETTER_MESSAGES } from \"./newsletter.ts\";\n\nexport const MESSAGES = {\n  ...NEWSLETTER_MESSAGES,\n");
    entries(&mut out, |code| !is_of_newsletter(code));
    out.push_str("} as const;\n\n/** What the service of the second factor answers; any other code has the text of `failed`. */\n");
    out.push_str("export const MFA_TEXTS = {\n");
    for code in mfa::CODES {
        let _ = writeln!(out, "  {code}: {},", quoted(&mfa::text(code, None)));
    }
    let _ = writeln!(out, "  failed: {},\n}} as const;", quoted(&mfa::text("", None)));
    out
}

/// The titles of what a rule refuses, for where the server refuses it.
fn refusals() -> String {
    let mut out = file("the titles of toasts about what was refused.");
    let mut table = |about: &str, name: &str, rows: &[(&str, &str)]| {
        let _ = write!(out, "\n/** {about} */\nexport const {name}: Readonly<Record<string, string>> = {{\n");
        for (key, title) in rows {
            let _ = writeln!(out, "  {}: {},", quoted(key), quoted(title));
        }
        out.push_str("};\n");
    };
    let mut demos: Vec<_> = DemoError::ALL.iter().map(|error| (error.code(), error.title())).collect();
    demos.dedup();
    let too_large = demo::too_large(u64::MAX);
    demos.push((too_large.code, too_large.title.unwrap_or_default()));
    table("Of a demo, by the code of the refusal.", "DEMO_TITLES", &demos);
    let mut uploads: Vec<_> = MediaError::ALL.iter().map(|error| (error.code(), error.title())).collect();
    uploads.extend(ImageError::ALL.iter().map(|error| (error.code(), error.title())));
    uploads.extend(PictureError::ALL.iter().map(|error| (error.code(), error.title())));
    uploads.extend(HeroError::ALL.iter().map(|error| (error.code(), error.title())));
    uploads.sort_unstable();
    uploads.dedup();
    assert!(uploads.is_sorted_by(|a, b| a.0 < b.0), "one title for a code: {uploads:?}");
    table(
        "Of a file that is uploaded in the dashboard, by the code of the refusal.",
        "UPLOAD_TITLES",
        &uploads,
    );
    let _ = write!(
        out,
        "\n/** What is said of a demo without a file, or with an empty field. */\nexport const DEMO_MISSING = {{ title: {}, text: {} }};\n",
        quoted(DemoError::Missing.title()),
        quoted(DemoError::Missing.message()),
    );
    out
}

/// The cards of the texts that admins edit.
fn texts() -> String {
    let mut out = file("how the texts that admins edit are called, and how high their inputs are, by key.");
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

/// A text as TypeScript writes it.
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
