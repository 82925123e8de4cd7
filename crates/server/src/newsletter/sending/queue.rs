//! The next recipient: letters begin at their time, and recipients are taken one by one, at the pace that all instances share.

use std::{sync::Arc, time::Duration};

use deadwax_http::error::AppResult;
use deadwax_mail::say;
use deadwax_store::{
    clock::{DAY, HOUR, Micros, SECOND, micros, millis},
    db::Tx,
    ids::{LetterId, SubscriptionId},
    statements,
};
use rules::letter_sending::{Begins, HANDING_MAX, HANDING_MS, Pace, PauseReason, begins};
use uuid::Uuid;

use super::{
    super::{letters::freeze, settings},
    pauses,
};
use crate::app::AppState;

statements! {
    // Those that are being sent first.
    AHEAD = "SELECT id, state = 'sending', COALESCE(goes_out_at, 0) FROM letters WHERE state IN ('scheduled', 'sending') \
        ORDER BY state DESC, goes_out_at, id LIMIT 100";
    LOCK_DUE = "SELECT goes_out_at FROM letters WHERE id = $1 AND state = 'scheduled' AND goes_out_at <= $2", postgres + " FOR UPDATE";
    MISS = "UPDATE letters SET state = 'missed', updated_at = $2, version = version + 1 WHERE id = $1 AND state = 'scheduled' \
        RETURNING subject";
    BEGIN = "UPDATE letters SET state = 'sending', began_at = $2, captured = $3, updated_at = $2, version = version + 1 WHERE id = $1";
    // PostgreSQL: the foreign key locks each subscription; the undo of an import locks them by id too.
    CHOOSE = "INSERT INTO letter_recipients (id, letter_id, subscription_id, next_try_at) \
        SELECT randomblob(16), $1, id, $2 FROM newsletter_subscriptions \
            WHERE active AND consent IN ('confirmed', 'vouched')", postgres "INSERT INTO letter_recipients (id, letter_id, subscription_id, next_try_at) \
        SELECT gen_random_uuid(), $1, id, $2 FROM newsletter_subscriptions \
            WHERE active AND consent IN ('confirmed', 'vouched') \
            ORDER BY id";
    SENDING = "SELECT id, captured FROM letters WHERE state = 'sending' ORDER BY began_at, id";
    // Locks the row, which the first letter makes.
    PACE = "INSERT INTO letter_pace (id, next_at, slowed, paused_until) VALUES (1, 0, 0, 0) \
        ON CONFLICT (id) DO UPDATE SET id = 1 RETURNING next_at, slowed, paused_until";
    SET_PACE = "UPDATE letter_pace SET next_at = $1, slowed = $2, paused_until = $3 WHERE id = 1";
    HANDING = "SELECT COUNT(*) FROM letter_recipients WHERE state = 'handing' AND leased_until > $1";
    TAKEN_SINCE = "SELECT COUNT(*) FROM letter_recipients WHERE sent_at > $1";
    TAKE = "UPDATE letter_recipients SET state = 'handing', leased_until = $3, tries = tries + 1, \
            perhaps_twice = perhaps_twice OR state = 'handing' \
        WHERE state IN ('waiting', 'handing') AND id = (SELECT id FROM letter_recipients \
            WHERE letter_id = $1 AND state IN ('waiting', 'handing') \
                AND ((state = 'waiting' AND next_try_at <= $2) OR (state = 'handing' AND leased_until <= $2)) \
            ORDER BY next_try_at, id LIMIT 1) \
        RETURNING id, letter_id, subscription_id, leased_until, tries, perhaps_twice";
    ADDRESS = "SELECT email, leave_token FROM newsletter_subscriptions \
        WHERE id = $1 AND active AND consent IN ('confirmed', 'vouched')";
    FROZEN = "SELECT id, subject, began_at, in_archive, html, text FROM letters WHERE id = $1";
    SKIP = "UPDATE letter_recipients SET state = 'skipped', leased_until = NULL, ended_at = $2 WHERE id = $1";
    FINISH = "UPDATE letters SET state = 'sent', ended_at = $1, updated_at = $1, version = version + 1 \
        WHERE state = 'sending' AND NOT EXISTS (SELECT 1 FROM letter_recipients r \
            WHERE r.letter_id = letters.id AND r.state IN ('waiting', 'handing'))";
    // Of an instance that ended while it handed letters over.
    EXPIRE = "UPDATE letter_recipients SET leased_until = 0 WHERE state = 'handing'";
}

/// Longest pause between two looks for a letter that begins.
const POLL: Duration = Duration::from_secs(5);
/// After a letter that could not begin, at least.
const BEGIN_AGAIN: Micros = 10 * SECOND;
/// While other mail goes first, or other instances have all hand-overs.
const SOON: Duration = Duration::from_millis(100);
/// While the bound of an hour or a day is reached.
const BOUNDED: Duration = Duration::from_secs(30);
/// People of one look who left in between.
const SKIPS: usize = 100;

/// A letter as it was when it began, read once for many recipients.
#[derive(Debug, sqlx_macros::FromRow)]
pub(super) struct FrozenLetter {
    pub id: LetterId,
    pub subject: String,
    pub began_at: Micros,
    pub in_archive: bool,
    pub html: String,
    pub text: String,
}

/// A recipient that this instance hands a letter over to until `leased_until`.
#[derive(Debug)]
pub(super) struct Handing {
    pub row: Row,
    pub letter: Arc<FrozenLetter>,
    pub email: String,
    pub leave_token: String,
}

#[derive(Debug, Clone, Copy, sqlx_macros::FromRow)]
pub(super) struct Row {
    pub id: Uuid,
    pub letter_id: LetterId,
    pub subscription_id: Option<SubscriptionId>,
    pub leased_until: Micros,
    /// With this one. A letter that no server was reached for is not counted.
    pub tries: i64,
    /// Whether the outcome of an earlier one is not known.
    pub perhaps_twice: bool,
}

#[derive(Debug)]
pub(super) enum Next {
    HandOver(Box<Handing>),
    Wait(Duration),
}

/// The next recipient, or when to look again. Begins the letters that are due, not before `begin_at`, which an error puts off.
/// `last` is the letter that was read last.
pub(super) async fn next(
    app: &AppState,
    begin_at: &mut Micros,
    last: &mut Option<Arc<FrozenLetter>>,
) -> AppResult<Next> {
    let now = app.clock.now();
    let mut wait = POLL;
    let may_begin = *begin_at <= now;
    let mut is_sending = false;
    for (id, has_begun, at) in app.db.query(AHEAD).all::<(LetterId, bool, Micros)>().await? {
        if has_begun {
            is_sending = true;
            continue;
        }
        if at > now {
            wait = wait.min(duration(at - now));
            break;
        }
        if !may_begin {
            continue;
        }
        // The other letters go out all the same.
        match begin(app, id, at, now).await {
            Ok(()) => is_sending = true,
            Err(error) => {
                tracing::warn!(letter = %id, cause = error.cause(), "a letter cannot begin yet");
                // All letters wait while one tries to begin, which takes ten seconds where a bucket hangs.
                let then = app.clock.now();
                *begin_at = then.saturating_add((5 * (then - now)).max(BEGIN_AGAIN));
            }
        }
    }
    if !is_sending {
        return Ok(Next::Wait(wait));
    }
    let now = app.clock.now();
    if deadwax_mail::is_due(&app.db, now).await? {
        return Ok(Next::Wait(SOON));
    }
    take(app, last, now).await
}

fn duration(span: Micros) -> Duration {
    Duration::from_micros(u64::try_from(span).unwrap_or(0))
}

/// Freezes a letter and chooses its recipients.
async fn begin(app: &AppState, id: LetterId, at: Micros, now: Micros) -> AppResult<()> {
    if begins(millis(at), millis(now)) == Begins::Missed {
        return miss(app, id, now).await;
    }
    let prepared = match freeze::prepare(app, id).await {
        Err(error) if error.status().is_client_error() => {
            tracing::warn!(letter = %id, cause = error.cause(), "a letter cannot begin");
            let mut tx = app.db.begin().await?;
            pauses::pause(&mut tx, app, id, PauseReason::Parts, now).await?;
            return Ok(tx.commit().await?);
        }
        prepared => prepared?,
    };
    let mut tx = app.db.begin().await?;
    if !tx.query(LOCK_DUE).bind(id).bind(now).exists().await? {
        return Ok(());
    }
    prepared.freeze(&mut tx, app).await?;
    tx.query(BEGIN).bind(id).bind(now).bind(!app.mail.has_server()).execute().await?;
    tx.without_time_limits().await?;
    let recipients = tx.query(CHOOSE).bind(id).bind(now).execute().await?;
    tx.commit().await?;
    tracing::info!(letter = %id, recipients, "a letter begins");
    Ok(())
}

/// Gives up a letter whose time is too long ago, until an admin sends it anew.
async fn miss(app: &AppState, id: LetterId, now: Micros) -> AppResult<()> {
    let mut tx = app.db.begin().await?;
    if let Some(subject) = tx.query(MISS).bind(id).bind(now).maybe::<String>().await? {
        let what = say(format!("“{subject}” was not sent to the subscribers."));
        let why = say(
            "It could not begin within two hours of its time: the program was not running, or its log says why. \
             It does not go out by itself.",
        );
        pauses::write(&mut tx, app, "LETTER NOT SENT", [what, why], now).await?;
    }
    Ok(tx.commit().await?)
}

/// The shared pace, held until the transaction ends.
pub(super) async fn pace(tx: &mut Tx) -> sqlx::Result<Pace> {
    let (next_at, slowed, paused_until) = tx.query(PACE).one::<(Micros, i64, Micros)>().await?;
    Ok(Pace {
        next_at_ms: millis(next_at),
        slowed: u32::try_from(slowed).unwrap_or(0),
        paused_until_ms: millis(paused_until),
    })
}

pub(super) async fn set_pace(tx: &mut Tx, pace: Pace) -> sqlx::Result<()> {
    let Pace { next_at_ms, slowed, paused_until_ms } = pace;
    let set = tx.query(SET_PACE).bind(micros(next_at_ms)).bind(i64::from(slowed));
    set.bind(micros(paused_until_ms)).execute().await.map(drop)
}

async fn take(app: &AppState, last: &mut Option<Arc<FrozenLetter>>, now: Micros) -> AppResult<Next> {
    let mut tx = app.db.begin().await?;
    // Instances take one after the other.
    let held = pace(&mut tx).await?;
    // Before any wait: a letter that reached its last recipient is sent.
    if tx.query(FINISH).bind(now).execute().await? > 0 {
        tx.commit().await?;
        return Ok(Next::Wait(Duration::ZERO));
    }
    let handing = tx.query(HANDING).bind(now).value::<i64>().await?;
    if usize::try_from(handing).unwrap_or(HANDING_MAX) >= HANDING_MAX {
        return Ok(Next::Wait(SOON));
    }
    let settings = settings::read(&mut tx).await?;
    let after = match held.take(u32::try_from(settings.letters_a_second).unwrap_or(1), millis(now)) {
        Ok(after) => after,
        Err(wait_ms) => return Ok(Next::Wait(Duration::from_millis(wait_ms).min(POLL))),
    };
    for (bound, span) in [(settings.letters_an_hour, HOUR), (settings.letters_a_day, DAY)] {
        let Some(bound) = bound else { continue };
        let taken = tx.query(TAKEN_SINCE).bind(now - span).value::<i64>().await?;
        if taken + handing >= bound {
            return Ok(Next::Wait(BOUNDED));
        }
    }
    let until = now.saturating_add(micros(HANDING_MS));
    let mut skipped = 0;
    'letters: for (letter, captured) in tx.query(SENDING).all::<(LetterId, bool)>().await? {
        if captured == app.mail.has_server() {
            pauses::pause(&mut tx, app, letter, PauseReason::Way, now).await?;
            tx.commit().await?;
            return Ok(Next::Wait(Duration::ZERO));
        }
        while let Some(row) = tx.query(TAKE).bind(letter).bind(now).bind(until).optional::<Row>().await? {
            let found = tx.query(ADDRESS).bind(row.subscription_id).optional::<(String, String)>().await?;
            if let Some((email, leave_token)) = found {
                // Before the commit: without its text it is not handed over.
                let letter = frozen(&mut tx, letter, last).await?;
                set_pace(&mut tx, after).await?;
                tx.commit().await?;
                return Ok(Next::HandOver(Box::new(Handing { row, letter, email, leave_token })));
            }
            tx.query(SKIP).bind(row.id).bind(now).execute().await?;
            skipped += 1;
            if skipped == SKIPS {
                break 'letters;
            }
        }
    }
    if skipped == 0 {
        return Ok(Next::Wait(duration(SECOND)));
    }
    tx.commit().await?;
    Ok(Next::Wait(Duration::ZERO))
}

/// The letter `id`, from `last` if it is that.
async fn frozen(
    tx: &mut Tx,
    id: LetterId,
    last: &mut Option<Arc<FrozenLetter>>,
) -> sqlx::Result<Arc<FrozenLetter>> {
    if let Some(letter) = last.as_ref().filter(|letter| letter.id == id) {
        return Ok(Arc::clone(letter));
    }
    let letter = tx.query(FROZEN).bind(id).one::<FrozenLetter>().await?;
    Ok(Arc::clone(last.insert(Arc::new(letter))))
}

/// Frees what an earlier run of this machine was handing over. On PostgreSQL another instance may be at it: there, leases run out.
pub(super) async fn expire(app: &AppState) -> sqlx::Result<()> {
    if matches!(app.db, deadwax_store::db::Db::Postgres { .. }) {
        return Ok(());
    }
    app.db.write(EXPIRE).execute().await.map(drop)
}
