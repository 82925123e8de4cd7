//! Entries about accounts: second factors of admins, password hashes, refused sign-ins.

use deadwax_store::{
    clock::{DAY, Micros},
    db::Db,
    statements,
};
use rules::{login_lock, password, rate_limit};

use super::{Finding, Status, counted, per};
use crate::accounts::hashing::{self, Cost};

statements! {
    ADMINS = "SELECT COUNT(*), COUNT(f.enabled_at) \
        FROM admin_users a LEFT JOIN two_factor f ON f.user_id = a.user_id \
        WHERE a.active";
    // The oldest accounts: their hashes may be outdated.
    OTHER_HASHES = "SELECT h.password_hash \
        FROM (SELECT password_hash FROM users WHERE password_hash IS NOT NULL ORDER BY id LIMIT $2) h \
        WHERE h.password_hash NOT LIKE $1";
    RECENT = "SELECT r.event, CAST(COUNT(*) + SUM(r.repeats) AS BIGINT), COUNT(*) \
        FROM (SELECT event, repeats FROM audit_log WHERE at > $1 ORDER BY at DESC LIMIT $2) r \
        GROUP BY r.event";
}

const ACCOUNTS: i64 = 5_000;
const ENTRIES: i64 = 5_000;
/// The minimum for Argon2id (OWASP): memory in KiB, passes, lanes.
const FLOOR: Cost = Cost { memory_kib: 19_456, passes: 2, lanes: 1 };

pub(super) struct Admins {
    pub(super) active: i64,
    with_factor: i64,
}

#[derive(Debug, Default)]
pub(super) struct Recent {
    pub(super) since: String,
    failed: i64,
    locked: i64,
    pub(super) uploads_refused: i64,
}

pub(super) async fn active_admins(db: &Db) -> sqlx::Result<Admins> {
    let (active, with_factor) = db.query(ADMINS).one::<(i64, i64)>().await?;
    Ok(Admins { active, with_factor })
}

pub(super) async fn two_factor(db: &Db) -> sqlx::Result<Finding> {
    let Admins { active, with_factor } = active_admins(db).await?;
    let status = Status::Warning.when(with_factor < active);
    let active = counted(active, "active admin");
    Ok(Finding::of([(status, format!("{with_factor} of {active} with the second factor on."))]))
}

pub(super) async fn password_hashing(db: &Db) -> sqlx::Result<Finding> {
    let asked = hashing::cost();
    let current = format!("{}%", hashing::prefix(asked));
    let (mut weaker, mut foreign) = (0_u64, 0_u64);
    for phc in db.query(OTHER_HASHES).bind(current).bind(ACCOUNTS).values::<String>().await? {
        match hashing::cost_of(&phc) {
            Some(effort) if effort.is_enough(asked) => {}
            Some(_) => weaker += 1,
            None => foreign += 1,
        }
    }
    let Cost { memory_kib, passes, lanes } = asked;
    let mut parts = vec![(
        Status::Fail.when(!asked.is_enough(FLOOR)),
        format!(
            "New passwords: Argon2id with {memory_kib} KiB, {}, {}; at least {} characters at sign-up, {} on a change, {} \
             for an admin made on the command line.",
            counted(passes, "pass"),
            counted(lanes, "lane"),
            password::SIGNUP_MIN,
            password::CHANGE_MIN,
            password::ADMIN_MIN
        ),
    )];
    parts.push(match weaker {
        0 => (Status::Pass, "None of the stored ones was made with less effort.".to_owned()),
        _ => (
            Status::Warning,
            format!(
                "{} made with less effort; each is made anew at the next sign-in.",
                counted(weaker, "stored one")
            ),
        ),
    });
    if foreign > 0 {
        parts.push((
            Status::Fail,
            format!("{} not Argon2id, so that nobody can sign in with it.", counted(foreign, "stored one")),
        ));
    }
    Ok(Finding::of(parts))
}

pub(super) async fn recent(db: &Db, now: Micros) -> sqlx::Result<Recent> {
    let mut recent = Recent::default();
    let mut entries = 0;
    for (event, count, rows) in
        db.query(RECENT).bind(now - DAY).bind(ENTRIES).all::<(String, i64, i64)>().await?
    {
        entries += rows;
        match event.as_str() {
            "authn_login_fail" => recent.failed = count,
            "authn_login_lock" => recent.locked = count,
            "upload_validation" => recent.uploads_refused = count,
            _ => {}
        }
    }
    recent.since = if entries < ENTRIES {
        "In the last 24 hours".to_owned()
    } else {
        format!("In the last {ENTRIES} entries of the audit log")
    };
    Ok(recent)
}

pub(super) fn login_limits(recent: &Recent) -> Finding {
    let (pair, account, address) =
        (rate_limit::SIGN_IN_PAIR, rate_limit::SIGN_IN_ACCOUNT, rate_limit::SIGN_IN_ADDRESS);
    let client = format!(
        "Client-side login rate limiting of {}.",
        per(format!("{} attempts", login_lock::MAX_FAILURES), LOGIN_LOCK_MS)
    );
    let server = format!(
        "The server counts for itself: {} for a name from one address, {} for an account in all, {} at once and then {} \
         from one address.",
        per(pair.max, pair.span_ms),
        per(account.max, account.span_ms),
        address.burst,
        per("one", address.period_ms)
    );
    let happened = format!(
        "{}: {}, {} of them the last before a limit. Tries beyond a limit are refused without a look at the password.",
        recent.since,
        counted(recent.failed + recent.locked, "wrong password"),
        recent.locked
    );
    Finding::of([client, server, happened].map(|sentence| (Status::Info, sentence)))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number of milliseconds")]
const LOGIN_LOCK_MS: u64 = login_lock::WINDOW_MS as u64;
