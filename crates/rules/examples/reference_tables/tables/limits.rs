//! Table of limits on fields, files and stored data.

use rules::format::size_label;
use rules::rate_limit as rate;
use rules::{
    analytics, archive, avatar, browser, callback, catalog_number, connection, contact, demo, demo_desk,
    demo_name, demo_state, email, embed, format, idempotency, image, import, letter_arrival, letter_sending,
    letter_template, letters, listing, login_lock, mail_replies, mark, media, mfa, newsletter_consent,
    numbers, reference, release, release_details, request, session, signup, signup_attempts, slug,
    subscriber_import, terminal, terminal_cache, terminal_question, upload,
};

use super::{approximate, rows};

#[expect(clippy::too_many_lines, reason = "one table")]
pub(super) fn field_limits() -> String {
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
            "Failed sign-ins of an account in an hour that notify its owner",
            rate::SIGN_IN_FAILURES_NOTIFIED.into(),
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
        ("MPEG-4 file in the archive of a demo, unpacked, at most", demo::UNPACKED_MPEG4_MAX_BYTES, "bytes"),
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
        ("Toasts of simultaneous failures, at most", browser::TOAST_ERRORS_MAX.into(), "toasts"),
        ("Memory to open a picture, at most", image::OPENED_MAX_BYTES, "bytes"),
        ("Memory to open a picture beside other large ones, at most", image::OPENED_ALONE_BYTES, "bytes"),
        ("Colour profile of a picture, unpacked, at most", image::PROFILE_MAX_BYTES, "bytes"),
        ("Small version of a picture, at most", image::SMALL_WIDTH.into(), "pixels wide"),
        ("Small version of a picture, JPEG quality", image::SMALL_QUALITY.into(), "percent"),
        ("Sizes of a picture, the narrowest", image::SIZE_WIDTHS[0].into(), "pixels wide"),
        ("Sizes of a picture, the second", image::SIZE_WIDTHS[1].into(), "pixels wide"),
        ("Sizes of a picture, the third", image::SIZE_WIDTHS[2].into(), "pixels wide"),
        ("Sizes of a picture, the widest", image::SIZE_WIDTHS[3].into(), "pixels wide"),
        ("Size of a picture, at most", image::SIZE_PIXELS_MAX, "pixels"),
        ("Size of a picture, AVIF quality", image::SIZE_AVIF_QUALITY.into(), "percent"),
        ("Size of a picture, JPEG quality", image::SIZE_JPEG_QUALITY.into(), "percent"),
        ("Picture shared beside an address, at most", image::SHARED_EDGE_MAX.into(), "pixels wide and high"),
        ("Picture shared beside an address, at most", image::SHARED_MAX_BYTES, "bytes"),
        ("AVIF picture that sizes are made of, at most", image::AVIF_PIXELS_MAX, "pixels"),
        (
            "Beginnings of the sizes of a picture, at most",
            image::SIZE_TRIES_MAX.cast_unsigned(),
            "beginnings",
        ),
        ("Mark of the label as PNG, at most", mark::MARK_EDGE_MAX.into(), "pixels wide and high"),
        ("Mark of the label, width at most", mark::MARK_WIDTH_MAX.into(), "times its height"),
        ("Mark of the label, height at most", mark::MARK_HEIGHT_MAX.into(), "times its width"),
        ("Lines and curves of a mark, at most", mark::MARK_SEGMENTS_MAX as u64, "segments"),
        ("XML nodes of a mark, at most", mark::MARK_NODES_MAX.into(), "nodes"),
        ("Depth of a mark's elements, at most", mark::MARK_DEPTH_MAX.into(), "elements"),
        ("Picture that had to be turned, JPEG quality", image::TURNED_QUALITY.into(), "percent"),
        ("Picture sent as an avatar, at most", avatar::PIXELS_MAX, "pixels"),
        ("Files of the media library", media::LIBRARY_MAX_FILES, "files"),
        ("Files of the media library together", media::LIBRARY_MAX_BYTES, "bytes"),
        ("Read of a form beside its largest file, at most", upload::FORM_READ_BESIDE_BYTES, "bytes"),
        ("Body of a request, unless stated otherwise, at most", request::BODY_MAX_BYTES as u64, "bytes"),
        (
            "Body of a request with steps of demos, or that names subscribers, at most",
            request::ROWS_BODY_MAX_BYTES as u64,
            "bytes",
        ),
        ("Body of a request with a contact message, at most", contact::BODY_MAX_BYTES as u64, "bytes"),
        ("Body of a request with a release, at most", release::BODY_MAX_BYTES as u64, "bytes"),
        ("Body of a request, in a second, at least", request::RATE_MIN_BYTES, "bytes"),
        ("Height of a streaming player", embed::PLAYER_HEIGHT.into(), "pixels"),
    ];
    rows(
        ["What", "Limit"],
        of_fields
            .into_iter()
            .chain(more)
            .chain(of_requests())
            .chain([of_tables(), of_sending()].concat())
            .chain(of_the_terminal().into_iter().chain(of_numbers()))
            .map(|(what, number, unit)| [what.to_owned(), with_unit(number, unit)]),
    )
}

fn with_unit(number: u64, unit: &str) -> String {
    if unit == "bytes" {
        format!("{} ({number} bytes)", size_label(Some(approximate(number))))
    } else {
        format!("{number} {unit}")
    }
}

/// Limits of the numbers of visits.
fn of_numbers() -> [(&'static str, u64, &'static str); 8] {
    [
        ("Message of a browser about a visit, at most", numbers::SEEN_MAX_BYTES as u64, "bytes"),
        ("Views of one visitor in a minute that count, at most", numbers::VIEWS_A_MINUTE.into(), "views"),
        ("Views of one visitor in a day that count, at most", numbers::VIEWS_A_DAY.into(), "views"),
        (
            "Websites that visitors of a day came from, counted by name",
            numbers::SOURCES_A_DAY as u64,
            "websites",
        ),
        (
            "Websites that one visitor of a day came from, counted by name",
            numbers::SOURCES_OF_A_VISITOR.into(),
            "websites",
        ),
        ("Other numbers of a day that are kept by name", numbers::SUBJECTS_A_DAY as u64, "numbers"),
        ("Releases whose visitors of a day are counted", numbers::COUNTED_RELEASES as u64, "releases"),
        ("Numbers are kept by day, and then by month, for", numbers::DAYS_KEPT_MONTHS.into(), "months"),
    ]
}

/// Limits on requests and connections besides their bodies.
fn of_requests() -> Vec<(&'static str, u64, &'static str)> {
    vec![
        (
            "Request line and headers of a request together, at most",
            connection::HEAD_MAX_BYTES as u64,
            "bytes",
        ),
        ("Key that names a request, at most", idempotency::KEY_MAX as u64, "characters"),
        ("JSON body, nested at most", request::JSON_DEPTH_MAX as u64, "levels"),
        ("Read of a peer that still sends after its answer, at most", connection::LINGER_BYTES, "bytes"),
        ("Requests of one HTTP/2 connection at the same time", connection::STREAMS.into(), "requests"),
        ("Connections to the address of the metrics", connection::SCRAPERS.into(), "connections"),
    ]
}

/// Limits on sending letters.
fn of_sending() -> Vec<(&'static str, u64, &'static str)> {
    vec![
        (
            "Headers of a letter that are read, at most",
            letter_arrival::headers::HEADERS_MAX_BYTES as u64,
            "bytes",
        ),
        (
            "Request with headers of a letter, at most",
            letter_arrival::headers::BODY_MAX_BYTES as u64,
            "bytes",
        ),
        ("Lookups that an SPF record may need", letter_arrival::spf::SPF_LOOKUPS_MAX.into(), "lookups"),
        ("Letters handed over at once, by all instances", letter_sending::HANDING_MAX as u64, "letters"),
        (
            "Letters in a second, unless the label sets another number",
            letter_sending::LETTERS_A_SECOND.into(),
            "letters",
        ),
        ("Letters in a second, at most", letter_sending::LETTERS_A_SECOND_MAX.into(), "letters"),
        (
            "Bound of letters in an hour or a day, if the label sets one, at most",
            letter_sending::LETTERS_BOUND_MAX.into(),
            "letters",
        ),
        ("Letters by which refusals are judged, at most", letter_sending::JUDGED, "letters"),
        ("Letters by which refusals are judged, at least", letter_sending::JUDGED_MIN, "letters"),
        ("Refused letters among them before sending pauses", letter_sending::REFUSED_PERCENT_MAX, "percent"),
        (
            "The same while the first letter to an imported list goes out",
            letter_sending::REFUSED_PERCENT_MAX_IMPORTED,
            "percent",
        ),
        (
            "Letters that come back for now before a subscription ends",
            mail_replies::SOFT_BOUNCES_MAX,
            "letters",
        ),
        ("Refusals for policy in a row that pause sending", letter_sending::POLICY_MAX, "letters"),
    ]
}

/// Limits on terminal answers and name searches.
fn of_tables() -> Vec<(&'static str, u64, &'static str)> {
    vec![
        ("Rows of a list at once, by default", listing::PAGE.into(), "rows"),
        ("Rows of a list at once, at most", listing::PAGE_MAX.into(), "rows"),
        ("Search text of a list, at most", listing::SEARCH_MAX as u64, "characters"),
        ("The last part of a release's address", slug::SLUG_MAX as u64, "characters"),
        (
            "Beginnings of the measuring of a demo, at most",
            demo::ANALYSIS_TRIES_MAX.cast_unsigned(),
            "beginnings",
        ),
        ("Name that is put into a template, at most", letter_template::VALUE_MAX as u64, "characters"),
        ("Request with a template or an answer, at most", letter_template::BODY_MAX_BYTES as u64, "bytes"),
        ("Request with a letter to the subscribers, at most", letters::BODY_MAX_BYTES as u64, "bytes"),
        ("Line of a letter's plain text, at most", letters::LINE_WIDTH as u64, "characters"),
        ("Demos that are declined at once, at most", demo_desk::DECLINED_MAX as u64, "demos"),
        (
            "Demos are overdue after, unless the label sets another time",
            demo_desk::OVERDUE_DAYS.into(),
            "days",
        ),
        ("Demos are overdue after, at most", demo_desk::OVERDUE_DAYS_MAX.into(), "days"),
        (
            "Promise to senders is computed from demos heard in",
            demo_state::PROMISE_WINDOW_DAYS.into(),
            "days",
        ),
        ("Demos heard in that time, at least", demo_state::PROMISE_DEMOS_MIN.into(), "demos"),
        ("Share of them heard within the promised time", demo_state::PROMISE_PERCENT.into(), "percent"),
        (
            "Of the demos that wait, wait shorter than the median",
            demo_state::MEDIAN_PERCENT.into(),
            "percent",
        ),
        (
            "Confirmations of newsletter subscriptions to a mailbox",
            newsletter_consent::CONFIRMATIONS_MAX as u64,
            "letters",
        ),
        (
            "Confirmations to earlier subscribers in a day, unless the label sets another number",
            newsletter_consent::CONFIRMATIONS_A_DAY.into(),
            "letters",
        ),
        (
            "Confirmations to earlier subscribers in a day, at most",
            newsletter_consent::CONFIRMATIONS_A_DAY_MAX.into(),
            "letters",
        ),
        (
            "Subscribers that are chosen at once, at most",
            newsletter_consent::CHOSEN_MAX as u64,
            "subscribers",
        ),
        ("Tracks of a release, and credits", release_details::ROWS_MAX as u64, "rows"),
        (
            "Title or artist of a track, role or name of a credit",
            release_details::ROW_TEXT_MAX as u64,
            "characters",
        ),
        ("Tracks, or credits, of a release together", release_details::ROWS_TEXT_MAX as u64, "characters"),
        ("Length of a track", release_details::DURATION_MAX.into(), "seconds"),
        ("Releases in the feed", listing::FEED.into(), "releases"),
        ("Artists, or releases, in one part of the sitemap", listing::SITEMAP_PART.into(), "pages"),
        ("Table that is imported, at most", import::FILE_MAX_BYTES, "bytes"),
        ("Table that is imported, at most", import::COLUMNS_MAX as u64, "columns"),
        ("Table of releases that is imported, at most", import::ROWS_MAX as u64, "rows"),
        ("Row of a table that is imported, at most", import::ROW_MAX_BYTES as u64, "bytes"),
        ("Subscribers that are imported at once, at most", subscriber_import::ROWS_MAX as u64, "rows"),
        ("Unpacked files of a ZIP of subscribers, together", subscriber_import::UNPACKED_MAX_BYTES, "bytes"),
        ("Files in a ZIP of subscribers", subscriber_import::FILES_MAX, "files"),
        (
            "Rows of each verdict that the check of an import of subscribers lists",
            subscriber_import::LISTED_MAX as u64,
            "rows",
        ),
        ("Notices about catalogue numbers, of each kind", catalog_number::NOTICES_MAX as u64, "notices"),
    ]
}

fn of_the_terminal() -> [reference::Limit; 21] {
    [
        ("Rows of a page in the terminal", terminal::PAGE_ROWS.into(), "rows"),
        ("Releases that `latest` tells", terminal::LATEST_ROWS.into(), "releases"),
        ("Releases that stand under an artist in the terminal", terminal::ARTIST_ROWS.into(), "releases"),
        ("Releases whose links the terminal lists for an artist", terminal::LISTEN_ROWS.into(), "releases"),
        ("Bio or description in the terminal, at most", terminal::QUOTED_MAX as u64, "characters"),
        ("The visitor's own words in the terminal, at most", terminal::REPEATED_MAX as u64, "characters"),
        ("Beginning of a question that is compared with names", terminal::COMPARED_MAX as u64, "characters"),
        ("Name that is looked for in a longer question, at most", terminal::NAME_WORDS_MAX as u64, "words"),
        ("Part of a name that counts as one, at least", terminal::NAME_PART_MIN as u64, "characters"),
        ("Misspelt name that is taken for it, at least", terminal::NAME_CERTAIN_MIN as u64, "characters"),
        ("Names that the terminal offers, at most", terminal::NAMES_OFFERED_MAX as u64, "names"),
        ("Words of a message that the terminal reads", terminal_question::WORDS_MAX as u64, "words"),
        ("Names of one kind that the terminal finds, at most", terminal::NAMES_MAX.into(), "names"),
        ("Answer of a language model that is shown, at most", terminal::ANSWER_MAX_BYTES as u64, "bytes"),
        ("Answer of a language model, at most", terminal::AI_TOKENS_MAX.into(), "tokens"),
        (
            "Answer and reasoning of a language model of OpenAI or Azure OpenAI, at most",
            terminal::AI_REASONING_TOKENS_MAX.into(),
            "tokens",
        ),
        ("Read of a language model's response, at most", terminal::AI_READ_MAX_BYTES as u64, "bytes"),
        ("Releases given to a language model", terminal::AI_RELEASES.into(), "releases"),
        ("Artists given to a language model", terminal::AI_ARTISTS.into(), "artists"),
        ("Bio given to a language model, at most", terminal::AI_BIO_MAX as u64, "characters"),
        (
            "Text given to a language model beside the message, at most",
            terminal::AI_CONTEXT_MAX_BYTES as u64,
            "bytes",
        ),
    ]
}
