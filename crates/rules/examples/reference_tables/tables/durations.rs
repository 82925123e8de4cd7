//! Table of timeouts, lifetimes and retention.

use rules::rate_limit as rate;
use rules::{
    analytics, browser, callback, connection, contact, cooldown, demo, demo_desk, demo_state, email_change,
    idempotency, image, import, letter_arrival, letter_sending, letter_template, login_lock, mail_replies,
    mailed_link, maintenance, mfa, newsletter_consent, numbers, reconnect, request, resend, retention,
    session, signup, signup_attempts, terminal,
};

use super::{approximate, rows};

pub(super) fn durations() -> String {
    let delays = [0, 1, 2, 3].map(|failures| duration(f64::from(reconnect::delay_ms(failures)))).join(", ");
    let table = of_people().into_iter().chain(of_the_server());
    rows(
        ["What", "Time"],
        table.map(|(what, length)| {
            [what.to_owned(), if length.is_nan() { delays.clone() } else { duration(length) }]
        }),
    )
}

fn seconds(number: u32) -> f64 {
    f64::from(number) * 1_000.0
}

/// Durations that people and their browsers notice.
fn of_people() -> Vec<(&'static str, f64)> {
    let ms = f64::from;
    let long = approximate;
    vec![
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
        (
            "Retired session token is answered that the next one is under way for",
            long(session::NEXT_TOKEN_MS),
        ),
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
        ("No e-mail code after a reset link was opened, for", long(mfa::RECOVERY_HOLD_MS)),
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
        ("Unconfirmed address is forgotten after", long(signup::UNCONFIRMED_MS)),
        ("Second factor counts for a change of address for", long(email_change::FACTOR_COUNTS_MS)),
        (
            "Link that confirms a newsletter subscription counts, and the unconfirmed address is kept, for",
            long(newsletter_consent::CONFIRMATION_MS),
        ),
        (
            "Between two confirmations of newsletter subscriptions to a mailbox, at least",
            long(newsletter_consent::CONFIRMATION_GAP_MS),
        ),
        (
            "Confirmations of newsletter subscriptions to a mailbox are counted anew, after the last one, in",
            long(newsletter_consent::CONFIRMATIONS_ANEW_MS),
        ),
        ("Leaving the newsletter can be undone for", long(newsletter_consent::COME_BACK_MS)),
        ("Sending a letter can be undone for", long(letter_sending::SEND_UNDO_MS)),
        ("A scheduled letter begins, after its time, for", long(letter_sending::SEND_LATE_MS)),
        ("A letter can be scheduled ahead for", long(letter_sending::SCHEDULE_MAX_MS)),
        ("Handing over a letter to a mail server takes, at most", long(letter_sending::HANDING_MS)),
        ("A mailbox that takes no letter for now is tried for", long(letter_sending::RECIPIENT_PATIENCE_MS)),
        ("Between two tries of such a mailbox", long(letter_sending::RECIPIENT_GAP_MS)),
        (
            "Pause of letters after a server that asks to slow down, at most",
            long(letter_sending::SLOW_PAUSE_MAX_MS),
        ),
        ("Letters that come back are counted for", long(mail_replies::SOFT_BOUNCES_MS)),
        ("Findings about the arrival of letters are kept for", long(letter_arrival::ARRIVAL_KEPT_MS)),
        ("Each look-up for them takes, at most", long(letter_arrival::LOOKUP_MS)),
        ("Letters go out faster again after", long(letter_sending::EASE_MS)),
        ("Between two resent confirmations", resend::WAIT_MS),
        ("Between two looks whether a sign-up is confirmed", ms(browser::SIGN_UP_LOOK_MS)),
        ("From a confirmed address to the next page", ms(callback::REDIRECT_MS)),
        ("Welcome page stays for", ms(callback::WELCOME_REDIRECT_MS)),
        ("Toast of a failure stays for", ms(browser::TOAST_ERROR_MS)),
        ("Toast of a success stays for", ms(browser::TOAST_DONE_MS)),
        ("Failures are shown together within", ms(browser::TOAST_TOGETHER_MS)),
        ("Page waits for the rules", ms(browser::RULES_WAIT_MS)),
        ("Load of the rules is given up after", ms(browser::RULES_LOAD_MS)),
        ("Load of the rules that failed is repeated after, at the earliest", ms(browser::RULES_PAUSE_MS)),
        ("Page looks whether it slept every", ms(browser::WAKE_CHECK_MS)),
        ("Page slept when its looks are apart by more than", ms(browser::SLEEP_MS)),
        ("Page waits for its maintenance setting", maintenance::WAIT_MS),
        ("Programs retry a page in maintenance after", seconds(maintenance::RETRY_SECONDS)),
        ("Between two lines of the terminal's boot sequence", ms(terminal::BOOT_LINE_DELAY_MS)),
        ("Language model accepts the connection within", long(terminal::AI_CONNECT_MS)),
        ("Language model's answer is complete within", long(terminal::AI_ANSWER_MS)),
        ("Visitors may try again after a language model's own limit in", seconds(terminal::AI_RETRY_SECONDS)),
        ("Unfinished upload of a demo is kept after its last bytes for", long(demo::UPLOAD_MS)),
        ("Announced demo without a byte is kept for", long(demo::ANNOUNCED_MS)),
        ("Announced demo has room for its whole length without a byte for", long(demo::ANNOUNCED_HELD_MS)),
        ("Unfinished upload of a demo is dropped, whatever comes, after", long(demo::UPLOAD_ABSOLUTE_MS)),
        ("Request for a demo that began in time may outlast its upload by", long(demo::WRITING_MS)),
        ("Request that sends a demo waits for a slot for", long(rate::UPLOAD_SLOT_MS)),
        ("Form with a file waits for a slot for", long(rate::FORM_SLOT_MS)),
    ]
}

/// Durations of the server's own work and storage.
fn of_the_server() -> Vec<(&'static str, f64)> {
    let long = approximate;
    vec![
        ("Page counts as seen once it is visible for", f64::from(numbers::SEEN_AFTER_MS)),
        ("Page that is opened again does not count again for", f64::from(numbers::SEEN_AGAIN_MS)),
        ("Release counts as played once it was heard for", f64::from(numbers::PLAYED_AFTER_MS)),
        ("Demo counts as heard after", f64::from(demo_state::HEARD_AFTER_MS)),
        ("Listener of a demo is shown without a new sign for", long(demo_desk::LISTENING_MS)),
        (
            "Request with the body of an earlier one counts as a repetition for",
            long(idempotency::DOUBLE_CLICK_MS),
        ),
        ("Key names the request that it came with for", long(idempotency::KEPT_MS)),
        ("Import can be undone for", long(import::UNDO_MS)),
        ("TLS handshake is complete within", long(connection::HANDSHAKE_MS)),
        ("Sizes of a picture are made within", long(image::SIZE_TIMEOUT_MS)),
        (
            "Work of a processor that measures a demo, all its tracks together, at most",
            long(demo::ANALYSIS_WORK_MS),
        ),
        ("File or track of a demo is measured within", long(demo::ANALYSIS_TIMEOUT_MS)),
        ("Headers of a request are complete within", long(connection::HEADERS_MS)),
        ("Connection without a request ends after", long(connection::IDLE_MS)),
        ("Peer that takes no byte, or lets an answer wait, is dropped after", long(connection::STALL_MS)),
        ("Silent HTTP/2 peer is pinged after", long(connection::PING_MS)),
        ("Pinged HTTP/2 peer that stays silent is dropped after", long(connection::PING_ANSWER_MS)),
        ("Peer that still sends is listened to after its answer for", long(connection::LINGER_MS)),
        ("Answers in flight at shutdown have", long(connection::DRAIN_MS)),
        ("Read of a stored file for an answer waits for a slot for", long(connection::FILE_READ_WAIT_MS)),
        ("Connection to the address of the metrics ends after", long(connection::SCRAPER_MS)),
        ("Answer to a request without a file is given within", long(request::ANSWER_MS)),
        ("Answer is slow, and logged as a warning, from", long(request::SLOW_REQUEST_MS)),
        ("Query is slow, and logged as a warning, from", long(request::SLOW_QUERY_MS)),
        ("Body of a request is awaited without a byte for", long(request::SILENCE_MS)),
        ("Rate of a body is measured over", long(request::RATE_SPAN_MS)),
        ("Rate of a body does not count in its first", long(request::RATE_GRACE_MS)),
        ("Body of a request that is refused is read before the answer for", long(request::REFUSED_MS)),
        ("Body of a form comes within", long(request::FORM_MS)),
        ("Body with a file comes within", long(request::FILE_MS)),
        ("Service that is busy is worth another try after", seconds(request::BUSY_SECONDS)),
        ("Upload is retried, when the service has no room for files, after", seconds(request::FULL_SECONDS)),
        ("Heartbeat of the live stream", seconds(reconnect::HEARTBEAT_SECONDS)),
        ("Server ends a connection of the live stream after about", long(reconnect::LIFE_MS)),
        ("Live stream of a full server is worth another try after", seconds(reconnect::FULL_SECONDS)),
        (
            "Message is retried, when the label has no mail server, after",
            seconds(contact::UNTIL_SET_UP_SECONDS),
        ),
        ("Audit log is kept for", long(retention::AUDIT_MS)),
        ("Count of omitted entries of the audit log is kept for", long(retention::LEFT_OUT_MS)),
        ("Deleted row stays in the trash for", long(retention::TRASH_MS)),
        ("Deleted demo can be brought back for", long(retention::DEMO_TRASH_MS)),
        ("Answer to a demo waits, and can be taken back, for", long(letter_template::HOLD_MS)),
        ("Imports are listed for", long(retention::IMPORTS_MS)),
        ("Record of a sent mail is kept for", long(retention::MAIL_MS)),
        ("First, second, third and every later try to reconnect, after", f64::NAN),
        ("Sign-up events counted as recent", analytics::RECENT_MS),
    ]
}

/// Formats in the largest unit that gives an integer.
pub(super) fn duration(ms: f64) -> String {
    let units = [("day", 86_400_000.0), ("hour", 3_600_000.0), ("minute", 60_000.0), ("second", 1_000.0)];
    // 24 hours read better than 1 day; 1 hour reads better than 60 minutes.
    let fits = |(name, unit): &(&str, f64)| ms % unit == 0.0 && (*name != "day" || ms > *unit);
    let (name, unit) = units.into_iter().find(fits).unwrap_or(("millisecond", 1.0));
    let count = ms / unit;
    format!("{count} {name}{}", if ms > unit { "s" } else { "" })
}
