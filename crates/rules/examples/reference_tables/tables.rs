//! The generated tables of `docs/reference.md`, made from the constants, refusals and messages of this crate.
//!
//! Between `<!-- generated:NAME -->` and `<!-- end -->` stands what [`table`] makes of the name; all else is written by hand.

use rules::format::size_label;
use rules::rate_limit::{self as rate, Rate, Window};
use rules::upload::{self, Kind};
use rules::{
    analytics, archive, avatar, browser, callback, connection, contact, content, cooldown, demo, demo_name,
    email, email_change, embed, format, hero, image, listing, login_lock, mailed_link, maintenance, media,
    messages, mfa, reconnect, reference, request, resend, retention, session, signup, signup_attempts,
    terminal, terminal_cache, terminal_question,
};

const BEGIN: &str = "<!-- generated:";
const END: &str = "<!-- end -->";

/// The document with every generated part made anew; an error names a marker that is unknown or never ends.
pub(crate) fn filled(document: &str) -> Result<String, String> {
    let mut filled = String::with_capacity(document.len());
    let mut rest = document;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (name, after) = after.split_once(" -->").ok_or("a marker that does not end")?;
        let (_, after) = after.split_once(END).ok_or_else(|| format!("no end after {name}"))?;
        let table = table(name).ok_or_else(|| format!("nothing is generated under the name {name}"))?;
        filled.extend([before, BEGIN, name, " -->\n", &table, END]);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Every name that [`table`] knows; each must be somewhere in the document.
pub(crate) const NAMES: [&str; 9] = [
    "limits",
    "durations",
    "second-factor-steps",
    "request-limits",
    "files",
    "texts",
    "refusals",
    "second-factor-answers",
    "messages",
];

fn table(name: &str) -> Option<String> {
    Some(match name {
        "limits" => field_limits(),
        "durations" => durations(),
        "second-factor-steps" => second_factor_steps(),
        "request-limits" => request_limits(),
        "files" => files(),
        "texts" => texts(),
        "refusals" => refusals(),
        "second-factor-answers" => second_factor_answers(),
        "messages" => all_messages(),
        _ => return None,
    })
}

fn rows<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut table = line(&head.map(str::to_owned));
    table.push_str(&line(&[const { "---" }; N].map(str::to_owned)));
    for row in rows {
        table.push_str(&line(&row.map(|cell| cell.replace('|', "\\|"))));
    }
    table
}

/// A code or a key.
fn code(text: &str) -> String {
    format!("`{text}`")
}

/// The product's own words, or nothing.
fn words(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\"{text}\"") }
}

fn field_limits() -> String {
    let of_fields = reference::LIMITS.map(|(what, number, unit)| (what, number, unit));
    let more = [
        ("Part of an e-mail domain between two dots, at most", email::LABEL_MAX as u64, "characters"),
        ("Artist's part of a stored demo name, at most", demo_name::LONGEST_ARTIST as u64, "characters"),
        ("Error text taken from a confirmation link, at most", callback::LONGEST_ERROR as u64, "characters"),
        ("Preview of a long text", format::PREVIEW_LENGTH as u64, "characters"),
        ("Terminal answers a tab remembers", terminal_cache::MAX_ENTRIES as u64, "answers"),
        ("Sign-up events a browser keeps", analytics::MAX_EVENTS as u64, "events"),
        ("Sign-up attempts before the form waits", signup_attempts::MAX_ATTEMPTS.into(), "attempts"),
        ("Admin sign-in failures before the hint", login_lock::HINT_FAILURES as u64, "failures"),
        ("Admin sign-in failures before the lock", login_lock::MAX_FAILURES as u64, "failures"),
        ("Sign-ups with one address that can be confirmed", signup::LIVE_ATTEMPTS.into(), "sign-ups"),
        (
            "Failed sign-ins of an account in an hour that its owner is told of",
            rate::SIGN_IN_FAILURES_TOLD.into(),
            "failures",
        ),
        (
            "A limit per client address has in the /56 of an IPv6 one",
            rate::NETWORK_56.into(),
            "times as many",
        ),
        (
            "A limit per client address has in the /48 of an IPv6 one",
            rate::NETWORK_48.into(),
            "times as many",
        ),
        ("Sessions of one account", session::MAX_PER_ACCOUNT as u64, "sessions"),
        ("Request id of the second factor, at most", mfa::REQUEST_ID_MAX as u64, "characters"),
        ("Wrong tries that void an e-mail code", mfa::RECOVERY_TRIES.into(), "tries"),
        ("Demos together, unfinished uploads included, at most", demo::DEMOS_MAX_BYTES, "bytes"),
        ("Left free on the disk by an upload, at least", demo::FREE_BYTES, "bytes"),
        ("Read of a request that is refused, before the answer, at most", request::REFUSED_BYTES, "bytes"),
        (
            "Files and folders in the archive of a demo, at most",
            demo::ARCHIVE_ENTRIES_MAX,
            "files and folders",
        ),
        ("Archive of a demo, unpacked, at most", demo::UNPACKED_MAX_BYTES, "bytes"),
        ("Archive of a demo, unpacked, at most", demo::UNPACKED_MAX_RATIO, "times its size"),
        ("End of a demo's archive, looked at before it travels, at most", archive::END_BYTES, "bytes"),
        ("Zeros before the first frame of an MP3 file, at most", demo::MP3_GAP_MAX_BYTES as u64, "bytes"),
        (
            "Artist's name in the subject of the letter about a demo, at most",
            demo::SUBJECT_NAME_MAX as u64,
            "characters",
        ),
        ("Requests an unfinished upload may come in", demo::UPLOAD_PARTS_MAX.into(), "requests"),
        ("Picture that is published, at most", image::PIXELS_MAX, "pixels"),
        ("GIF, at most", image::FRAMES_MAX as u64, "frames"),
        ("Frames of a GIF together, at most", image::DRAWN_PIXELS_MAX, "pixels"),
        ("Memory to open a picture, at most", image::OPENED_MAX_BYTES, "bytes"),
        ("Small version of a picture, at most", image::SMALL_WIDTH.into(), "pixels wide"),
        ("Small version of a picture, JPEG quality", image::SMALL_QUALITY.into(), "percent"),
        ("Picture that had to be turned, JPEG quality", image::TURNED_QUALITY.into(), "percent"),
        ("Picture sent as an avatar, at most", avatar::PIXELS_MAX, "pixels"),
        ("Files of the media library", media::LIBRARY_MAX_FILES, "files"),
        ("Files of the media library together", media::LIBRARY_MAX_BYTES, "bytes"),
        ("Read of a form beside its largest file, at most", upload::FORM_READ_BESIDE_BYTES, "bytes"),
        ("Body of a request, where nothing else is said, at most", request::BODY_MAX_BYTES as u64, "bytes"),
        ("Body of a request with a contact message, at most", contact::BODY_MAX_BYTES as u64, "bytes"),
        ("Body of a request, in a second, at least", request::RATE_MIN_BYTES, "bytes"),
        (
            "Request line and headers of a request together, at most",
            connection::HEAD_MAX_BYTES as u64,
            "bytes",
        ),
        ("Requests of one HTTP/2 connection at the same time", connection::STREAMS.into(), "requests"),
        ("Connections to the address of the metrics", connection::SCRAPERS.into(), "connections"),
        ("Rows of a list at once, where the caller does not say", listing::PAGE.into(), "rows"),
        ("Rows of a list at once, at most", listing::PAGE_MAX.into(), "rows"),
        ("What a list is searched for, at most", listing::SEARCH_MAX as u64, "characters"),
        ("Releases in the feed", listing::FEED.into(), "releases"),
        ("Artists in one part of the sitemap", listing::SITEMAP_PART.into(), "artists"),
        ("Height of a streaming player", embed::PLAYER_HEIGHT.into(), "pixels"),
    ];
    rows(
        ["What", "Limit"],
        of_fields.into_iter().chain(more).chain(of_the_terminal()).map(|(what, number, unit)| {
            let size = if unit == "bytes" { size_label(Some(approximate(number))) } else { String::new() };
            let shown =
                if size.is_empty() { format!("{number} {unit}") } else { format!("{size} ({number} bytes)") };
            [what.to_owned(), shown]
        }),
    )
}

/// What bounds an answer in the terminal, and the search for names in a question.
fn of_the_terminal() -> [reference::Limit; 21] {
    [
        ("Rows of a page in the terminal", terminal::PAGE_ROWS.into(), "rows"),
        ("Releases that `latest` tells", terminal::LATEST_ROWS.into(), "releases"),
        ("Releases that stand under an artist in the terminal", terminal::ARTIST_ROWS.into(), "releases"),
        ("Releases whose links the terminal lists for an artist", terminal::LISTEN_ROWS.into(), "releases"),
        ("Line of an answer in the terminal", terminal::LINE_CHARS as u64, "characters"),
        ("Bio or description in the terminal, at most", terminal::QUOTED_MAX as u64, "characters"),
        ("The visitor's own words in the terminal, at most", terminal::REPEATED_MAX as u64, "characters"),
        ("Beginning of a question that is compared with names", terminal::COMPARED_MAX as u64, "characters"),
        ("Name that is looked for in a longer question, at most", terminal::NAME_WORDS_MAX as u64, "words"),
        ("Part of a name that counts as one, at least", terminal::NAME_PART_MIN as u64, "characters"),
        ("Misspelt name that is taken for it, at least", terminal::NAME_CERTAIN_MIN as u64, "characters"),
        ("Names that the terminal offers, at most", terminal::NAMES_OFFERED_MAX as u64, "names"),
        ("Words of a message that the terminal reads", terminal_question::WORDS_MAX as u64, "words"),
        ("Names of one kind that the terminal finds, at most", terminal::NAMES_MAX.into(), "names"),
        ("Answer in the terminal, at most", terminal::ANSWER_MAX_BYTES as u64, "bytes"),
        ("Answer of a language model, at most", terminal::AI_TOKENS_MAX.into(), "tokens"),
        ("Read of a language model's response, at most", terminal::AI_READ_MAX_BYTES as u64, "bytes"),
        ("Releases that a language model is told", terminal::AI_RELEASES.into(), "releases"),
        ("Artists that a language model is told", terminal::AI_ARTISTS.into(), "artists"),
        ("Bio that a language model is told, at most", terminal::AI_BIO_MAX as u64, "characters"),
        ("Told to a language model beside the message, at most", terminal::AI_TOLD_MAX_BYTES as u64, "bytes"),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
const fn approximate(number: u64) -> f64 {
    number as f64
}

fn durations() -> String {
    let ms = f64::from;
    let long = approximate;
    let seconds = |number: u32| f64::from(number) * 1_000.0;
    let table = [
        ("Browser looks at its session every", ms(session::TICK_MS)),
        ("Browser renews its session when this is left, or less", session::RENEW_LEFT_MS),
        ("Session asks to be renewed after", long(session::EXPIRES_MS)),
        ("Session ends unused after", long(session::IDLE_MS)),
        ("Session ends in any case after", long(session::ABSOLUTE_MS)),
        ("Session whose second factor is missing ends after", long(session::PENDING_MS)),
        ("Session keeps its token, once it was renewed, for", long(session::RENEWED_LATELY_MS)),
        (
            "Replaced session tokens are known, so that a copy is noticed, for",
            long(session::REPLACED_KEPT_MS),
        ),
        ("Previous session token counts, once the new one is used", long(session::PREVIOUS_TOKEN_MS)),
        ("Last use of a session is noted every", long(session::USE_NOTED_MS)),
        ("Session that ended by time is remembered for", long(session::ENDED_KEPT_MS)),
        ("Browser that signed in stays known for", long(session::BROWSER_KNOWN_MS)),
        ("Re-authentication counts for", long(session::STAMP_MS)),
        ("Step of an authenticator code", long(mfa::STEP_SECONDS * 1_000)),
        ("Verified second factor counts for", long(mfa::VERIFIED_MS)),
        ("Repeated request id is the same attempt for", long(mfa::SAME_REQUEST_MS)),
        ("Repetition after a verification without an answer", ms(mfa::RETRY_MS)),
        ("From a verified code to the next screen", ms(mfa::SUCCESS_MS)),
        ("From an e-mail code to the offer of another", mfa::RECOVERY_RESEND_MS),
        ("E-mail code counts for", long(mfa::RECOVERY_MS)),
        ("No e-mail code after a password reset by mail for", long(mfa::RECOVERY_HOLD_MS)),
        ("Generated authenticator secret can be enabled for", long(mfa::SETUP_MS)),
        ("Admin sign-in failure counts, and the lock lasts, for", login_lock::WINDOW_MS),
        ("Sign-up attempts count until, after the last one", signup_attempts::WINDOW_MS),
        ("Sign-up form waits after an error", seconds(cooldown::ERROR_SECONDS)),
        ("Sign-up form waits after a rate limit that names no time", seconds(cooldown::RATE_LIMIT_SECONDS)),
        ("Longest wait the sign-up form accepts", seconds(cooldown::LONGEST_SECONDS)),
        ("Link that confirms a sign-up counts for", long(mailed_link::CONFIRM_MS)),
        ("Link to a new password counts for", long(mailed_link::RESET_MS)),
        ("Links of a change of address count for", long(mailed_link::EMAIL_CHANGE_MS)),
        ("Link that undoes a change of address counts for", long(mailed_link::EMAIL_UNDO_MS)),
        ("Ended links are remembered for", long(mailed_link::KEPT_MS)),
        ("Address that nobody confirms is forgotten after", long(signup::UNCONFIRMED_MS)),
        ("Second factor counts for a change of address for", long(email_change::FACTOR_COUNTS_MS)),
        ("Between two resent confirmations", resend::WAIT_MS),
        ("Between two looks whether a sign-up is confirmed", ms(browser::SIGN_UP_LOOK_MS)),
        ("From a confirmed address to the next page", ms(callback::REDIRECT_MS)),
        ("Welcome page stays for", ms(callback::WELCOME_REDIRECT_MS)),
        ("Toast about what failed stays for", ms(browser::TOAST_ERROR_MS)),
        ("Toast about what was done stays for", ms(browser::TOAST_DONE_MS)),
        ("Page waits for the rules", ms(browser::RULES_WAIT_MS)),
        ("Load of the rules is given up after", ms(browser::RULES_LOAD_MS)),
        ("Load of the rules that failed is repeated after, at the earliest", ms(browser::RULES_PAUSE_MS)),
        ("Page waits for its maintenance setting", maintenance::WAIT_MS),
        ("Programs look again at a page in maintenance after", seconds(maintenance::RETRY_SECONDS)),
        ("Between two lines of the terminal's boot sequence", ms(terminal::BOOT_LINE_DELAY_MS)),
        ("Language model accepts the connection within", long(terminal::AI_CONNECT_MS)),
        ("Language model's answer is complete within", long(terminal::AI_ANSWER_MS)),
        ("Visitors may try again after a language model's own limit in", seconds(terminal::AI_RETRY_SECONDS)),
        ("Unfinished upload of a demo is kept after its last bytes for", long(demo::UPLOAD_MS)),
        ("Announced demo without a byte is waited for", long(demo::ANNOUNCED_MS)),
        ("Request that brings bytes of a demo keeps its upload for at least", long(demo::WRITING_MS)),
        ("Request that sends a demo waits for a place for", long(rate::UPLOAD_PLACE_MS)),
        ("Form with a file waits for a place for", long(rate::FORM_PLACE_MS)),
        ("TLS handshake is complete within", long(connection::HANDSHAKE_MS)),
        ("Headers of a request are complete within", long(connection::HEADERS_MS)),
        ("Connection without a request ends after", long(connection::IDLE_MS)),
        ("Peer that takes no byte, or lets an answer wait, is dropped after", long(connection::STALL_MS)),
        ("Silent HTTP/2 peer is asked for a sign of life after", long(connection::PING_MS)),
        ("Silent HTTP/2 peer that was asked for one is dropped after", long(connection::PING_ANSWER_MS)),
        ("Peer that still sends is listened to after its answer for", long(connection::LINGER_MS)),
        ("Answers in flight when the server is told to end have", long(connection::DRAIN_MS)),
        ("Connection to the address of the metrics ends after", long(connection::SCRAPER_MS)),
        ("Answer to a request without a file is given within", long(request::ANSWER_MS)),
        ("Body of a request is awaited without a byte for", long(request::SILENCE_MS)),
        ("Rate of a body is measured over", long(request::RATE_SPAN_MS)),
        ("Rate of a body does not count in its first", long(request::RATE_GRACE_MS)),
        ("Body of a request that is refused is read before the answer for", long(request::REFUSED_MS)),
        ("Body of a form comes within", long(request::FORM_MS)),
        ("Body with a file comes within", long(request::FILE_MS)),
        ("Service that is busy is worth another try after", seconds(request::BUSY_SECONDS)),
        ("Service without room for files is worth another try after", seconds(request::FULL_SECONDS)),
        ("Heartbeat of the live stream", seconds(reconnect::HEARTBEAT_SECONDS)),
        ("Server ends a connection of the live stream after about", long(reconnect::LIFE_MS)),
        ("Live stream of a full server is worth another try after", seconds(reconnect::FULL_SECONDS)),
        ("Label without a mail server can be written to again after", seconds(contact::UNTIL_SET_UP_SECONDS)),
        ("Audit log is kept for", long(retention::AUDIT_MS)),
        ("How many entries of the audit log were left out is remembered for", long(retention::LEFT_OUT_MS)),
        ("What is left of a sent mail is kept for", long(retention::MAIL_MS)),
        ("First, second, third and every later try to reconnect, after", f64::NAN),
        ("Sign-up events counted as recent", analytics::RECENT_MS),
    ];
    let delays = [0, 1, 2, 3].map(|failures| duration(ms(reconnect::delay_ms(failures)))).join(", ");
    rows(
        ["What", "Time"],
        table.map(|(what, length)| {
            [what.to_owned(), if length.is_nan() { delays.clone() } else { duration(length) }]
        }),
    )
}

/// In the largest unit that leaves a whole number.
fn duration(ms: f64) -> String {
    let units = [("day", 86_400_000.0), ("hour", 3_600_000.0), ("minute", 60_000.0), ("second", 1_000.0)];
    // One day reads better as 24 hours, one hour as an hour.
    let fits = |(name, unit): &(&str, f64)| ms % unit == 0.0 && (*name != "day" || ms > *unit);
    let (name, unit) = units.into_iter().find(fits).unwrap_or(("millisecond", 1.0));
    let count = ms / unit;
    format!("{count} {name}{}", if ms > unit { "s" } else { "" })
}

fn second_factor_steps() -> String {
    let span = |range: std::ops::RangeInclusive<i32>| format!("{} to {}", range.start(), range.end());
    rows(
        ["Steps from now", "Answer"],
        [
            [span(mfa::ACCEPTED), code("ok")],
            [span(mfa::EXPIRED), code("expired_otp")],
            [span(mfa::SKEWED), code("time_skew")],
            ["any other, and an accepted step already used".to_owned(), code("invalid_otp")],
        ],
    )
}

fn request_limits() -> String {
    let times = [
        (
            "Failed sign-ins, per username or address and client address, or per known browser; the password again, per session",
            rate::SIGN_IN_PAIR,
        ),
        (
            "Failed sign-ins, per account, of strangers and of known browsers each; the password again, per session",
            rate::SIGN_IN_ACCOUNT,
        ),
        ("Notices of failed sign-ins, and of wrong codes, per account", rate::FAILURE_NOTICE),
        ("Sign-ups, per client address", rate::SIGN_UP_HOUR),
        ("Sign-ups, per client address", rate::SIGN_UP_DAY),
        ("Notices of a sign-up with the address of an account, per account", rate::SIGN_UP_NOTICE),
        ("Mailed links redeemed, and as many looked at, per client address", rate::REDEEM),
        ("Confirmations sent again, per mail address, and resets, per account", rate::ADDRESS_MAIL),
        ("Confirmations mailed, per mail address", rate::ADDRESS_MAIL_DAY),
        ("Resets mailed, per account", rate::RESET_DAY),
        ("Resets mailed beyond these, from browsers that the account knows", rate::RESET_KNOWN_DAY),
        ("Notices mailed, per account and kind", rate::NOTICE),
        ("Resends and resets asked for, per client address", rate::RESEND),
        ("Confirmations, and for themselves resets, in all", rate::MAIL_GLOBAL),
        ("Wrong second-factor codes, per account", rate::MFA),
        ("Wrong second-factor codes, per account", rate::MFA_DAY),
        ("E-mail codes, per account", rate::RECOVERY_MINUTE),
        ("E-mail codes, per account", rate::RECOVERY_HOUR),
        ("E-mail codes, per account", rate::RECOVERY_DAY),
        ("Questions whether a username is free, per account", rate::USERNAME_CHECK),
        ("Newsletter subscriptions, per client address", rate::NEWSLETTER),
        ("Newsletter subscriptions, in all", rate::NEWSLETTER_GLOBAL),
        ("Contact messages, per client address", rate::CONTACT),
        ("Contact messages, per client address", rate::CONTACT_DAY),
        ("Contact messages, in all", rate::CONTACT_GLOBAL),
        ("Demos, per client address", rate::DEMO),
        ("Demos, per client address", rate::DEMO_DAY),
        ("Notes in the audit log that an admin read a demo, per admin and demo", rate::DEMO_READ_NOTE),
        ("Terminal questions, per client address", rate::TERMINAL),
        ("Terminal questions that reach an AI, in all", rate::TERMINAL_AI_DAY),
        ("Avatars stored, per account", rate::AVATAR),
        ("Avatars sent, per account", rate::AVATAR_TRY),
        ("Reports of blocked content, per client address", rate::CSP_REPORT),
    ];
    let in_any = |Window { max, span_ms }| format!("{max} in any {}", duration(approximate(span_ms)));
    let burst = |Rate { burst, period_ms }| {
        format!("{burst} at once, then one each {}", duration(approximate(period_ms)))
    };
    let at_once = [
        ("Failed sign-ins, per client address", burst(rate::SIGN_IN_ADDRESS)),
        ("New tokens, per session", burst(rate::RENEWAL)),
        ("Rows of the audit log, per account and kind of event", burst(rate::AUDIT)),
        ("Terminal questions at an AI", format!("{} at the same time", rate::TERMINAL_AI_PARALLEL)),
        ("Requests that send a demo, per client address", format!("{} open", rate::OPEN_UPLOADS)),
        ("Requests that send a demo, per instance", format!("{} open", rate::OPEN_UPLOADS_GLOBAL)),
        ("Forms with a file, per account", format!("{} open", rate::OPEN_FORMS_ACCOUNT)),
        ("Forms with a file, per client address", format!("{} open", rate::OPEN_FORMS)),
        ("Forms with a file, per instance", format!("{} open", rate::OPEN_FORMS_GLOBAL)),
        ("Live streams, per client address", format!("{} open", rate::OPEN_STREAMS)),
        ("Live streams, per instance", format!("{} open", rate::OPEN_STREAMS_GLOBAL)),
        ("Connections, per client address", format!("{} open", rate::OPEN_CONNECTIONS)),
        ("Connections, per instance", format!("{} open", rate::OPEN_CONNECTIONS_GLOBAL)),
        ("Answers under way, per client address", format!("{} open", rate::OPEN_ANSWERS)),
        (
            "Lines of the log, from one place in the code",
            format!("{} in {}", rate::LOG_LINES, duration(approximate(rate::LOG_SPAN_MS))),
        ),
    ];
    let table = times.map(|(what, limit)| (what, in_any(limit))).into_iter().chain(at_once);
    rows(["What", "Limit"], table.map(|(what, limit)| [what.to_owned(), limit]))
}

fn files() -> String {
    let place = |name: &str, max: u64, kinds: &[Kind]| {
        let extensions: Vec<_> = kinds.iter().flat_map(|kind| kind.extensions).copied().collect();
        [name.to_owned(), extensions.join(", "), size_label(Some(approximate(max)))]
    };
    rows(
        ["Place", "Extensions", "At most"],
        [
            place("Image of an artist, a release or a product", image::IMAGE_MAX_BYTES, &image::IMAGE_KINDS),
            place("Background of the home page", hero::HERO_MAX_BYTES, &hero::HERO_KINDS),
            place("Media library", media::MEDIA_MAX_BYTES, &media::MEDIA_KINDS),
            place("Avatar", avatar::AVATAR_MAX_BYTES, &avatar::AVATAR_KINDS),
            [
                "Demo".to_owned(),
                demo::DEMO_EXTENSIONS.join(", "),
                size_label(Some(approximate(demo::DEMO_MAX_BYTES))),
            ],
        ],
    )
}

fn texts() -> String {
    rows(
        ["Key", "What it is", "Rows of its card", "Built-in text"],
        content::KEYS.map(|key| {
            let text = content::default_text(key).unwrap_or_default();
            let shown =
                if text.contains('\n') { "(several pages of plain text)".to_owned() } else { words(text) };
            let description = content::description(key).unwrap_or_default().to_owned();
            [code(key), description, content::card_rows(key).to_string(), shown]
        }),
    )
}

fn refusals() -> String {
    rows(
        ["Rule", "Code", "Text"],
        reference::refusals()
            .into_iter()
            .map(|(rule, name, text)| [rule.to_owned(), code(name), words(text)]),
    )
}

fn second_factor_answers() -> String {
    let codes = [
        "ok",
        "invalid_otp",
        "expired_otp",
        "time_skew",
        "rate_limited",
        "network",
        "internal",
        "no_session",
    ];
    let known = codes.map(|name| [code(name), words(&mfa::text(name, None))]);
    let other = ["anything else".to_owned(), words(&mfa::text("", None))];
    rows(["Code", "Text"], known.into_iter().chain([other]))
}

fn all_messages() -> String {
    rows(
        ["Code", "Title", "Text"],
        messages::all().map(|(name, title, text)| [code(name), words(title), words(text)]),
    )
}
