//! Table of rate and concurrency limits.

use rules::{
    connection,
    rate_limit::{self as rate, Rate, Window},
};

use super::{approximate, durations::duration, rows};

#[expect(clippy::too_many_lines, reason = "one table")]
pub(super) fn request_limits() -> String {
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
        (
            "Notices that a new address was requested, beyond these, per account and address",
            rate::NEW_ADDRESS_NOTICE,
        ),
        ("Changes of address asked for, per account", rate::EMAIL_CHANGE_DAY),
        (
            "Resends, as many resets and as many changes of address asked for, per client address; changes also per account",
            rate::RESEND,
        ),
        ("Confirmations, and for themselves resets, in all", rate::MAIL_GLOBAL),
        ("Wrong second-factor codes, per account", rate::MFA),
        ("Wrong second-factor codes, per account", rate::MFA_DAY),
        ("E-mail codes, per account", rate::RECOVERY_MINUTE),
        ("E-mail codes, per account", rate::RECOVERY_DAY),
        ("Questions whether a username is free and changes of it, per account", rate::USERNAME_CHECK),
        ("Newsletter subscriptions, per client address", rate::NEWSLETTER),
        ("Newsletter subscriptions, in all", rate::NEWSLETTER_GLOBAL),
        ("Letters that confirm a subscription, in all", rate::NEWSLETTER_CONFIRMATIONS),
        ("Contact messages, per client address", rate::CONTACT),
        ("Contact messages, per client address", rate::CONTACT_DAY),
        ("Contact messages, in all", rate::CONTACT_GLOBAL),
        ("Demos, per client address", rate::DEMO),
        ("Demos, per client address", rate::DEMO_DAY),
        ("Letters that confirm a demo, per mailbox", rate::DEMO_MAIL_DAY),
        (
            "Letters that confirm a demo, and for themselves those that tell the label, in all",
            rate::DEMO_MAIL_GLOBAL,
        ),
        ("Attempts to erase or replace a demo by its sender's link, per client address", rate::SENDER_LINK),
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
        (
            "Rows of the audit log, per account (of unknown ones: per client) and kind of event",
            burst(rate::AUDIT),
        ),
        ("Rows of the audit log about refusals, per kind and account or client", burst(rate::AUDIT_REFUSAL)),
        ("Rows of the audit log about refusals, per instance", burst(rate::AUDIT_REFUSAL_GLOBAL)),
        (
            "Terminal questions at an AI, per instance",
            format!("{} at the same time", rate::TERMINAL_AI_PARALLEL),
        ),
        ("Requests that send a demo, per client address", format!("{} open", rate::OPEN_UPLOADS)),
        ("Requests that send a demo, per instance", format!("{} open", rate::OPEN_UPLOADS_GLOBAL)),
        (
            "Passwords of a member's sessions being hashed, per account",
            format!("{} open", rate::OPEN_HASHES_ACCOUNT),
        ),
        (
            "Passwords of members' sessions being hashed, per instance",
            format!("{} open", rate::OPEN_HASHES_GLOBAL),
        ),
        ("Forms with a file, per account", format!("{} open", rate::OPEN_FORMS_ACCOUNT)),
        ("Forms with a file, per client address", format!("{} open", rate::OPEN_FORMS)),
        (
            "Forms with a file, per instance",
            format!("{} open, of members and of admins each", rate::OPEN_FORMS_GLOBAL),
        ),
        ("Live streams, per client address", format!("{} open", rate::OPEN_STREAMS)),
        ("Live streams, per instance", format!("{} open", rate::OPEN_STREAMS_GLOBAL)),
        (
            "Connections, per client address, trusted proxies excepted",
            format!("{} open", rate::OPEN_CONNECTIONS),
        ),
        ("Connections, per instance", format!("{} open", rate::OPEN_CONNECTIONS_GLOBAL)),
        (
            "Answers under way, per client address, trusted proxies excepted",
            format!("{} open", rate::OPEN_ANSWERS),
        ),
        (
            "Stored files read for answers, per instance",
            format!("{} at the same time", connection::FILE_READS),
        ),
        (
            "Lines of the log, from one place in the code",
            format!("{} in {}", rate::LOG_LINES, duration(approximate(rate::LOG_SPAN_MS))),
        ),
    ];
    let table = times.map(|(what, limit)| (what, in_any(limit))).into_iter().chain(at_once);
    rows(["What", "Limit"], table.map(|(what, limit)| [what.to_owned(), limit]))
}
