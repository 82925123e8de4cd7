//! Records the outcome of each hand-over, and pauses a letter that is refused too often.

use deadwax_http::error::AppResult;
use deadwax_mail::HandedOver;
use deadwax_store::{
    clock::{Micros, micros, millis},
    columns::Named as _,
    db::{Source, Tx},
    ids::LetterId,
    statements,
};
use rules::{
    letter_sending::{
        JUDGED, POLICY_MAX, PauseReason, RECIPIENT_GAP_MS, RECIPIENT_PATIENCE_MS, too_many_refused,
    },
    mail_replies::{Bounce, Verdict, bounce, enhanced_code, verdict},
};

use super::{
    super::suppressions,
    RecipientState::{self, Bounced, Refused, Skipped},
    pauses::pause,
    queue::{Row, pace, set_pace},
};
use crate::app::AppState;

statements! {
    // A report may have come back while it was handed over.
    TAKEN = "UPDATE letter_recipients SET sent_at = $2, ended_at = $2, leased_until = NULL, \
            state = CASE WHEN state IN ('refused', 'bounced', 'left') THEN state ELSE 'sent' END, \
            code = CASE WHEN state IN ('refused', 'bounced', 'left') THEN code END \
        WHERE id = $1";
    // Unless another instance has taken it since.
    END = "UPDATE letter_recipients SET state = $3, code = $4, ended_at = $5, leased_until = NULL \
        WHERE id = $1 AND state = 'handing' AND leased_until = $2";
    AGAIN = "UPDATE letter_recipients SET state = 'waiting', next_try_at = $3, tries = tries - $4, code = $5, \
            perhaps_twice = perhaps_twice OR $6, leased_until = NULL \
        WHERE id = $1 AND state = 'handing' AND leased_until = $2";
    // Since it began or was resumed: nothing else sets `updated_at` while it is being sent. Without those who were passed
    // over or left before their turn. A letter that came back later was taken then.
    LATEST = "SELECT CASE WHEN sent_at IS NULL THEN state ELSE 'sent' END, COALESCE(code, '') FROM letter_recipients \
        WHERE letter_id = $1 AND ended_at >= (SELECT updated_at FROM letters WHERE id = $1) \
            AND NOT (state IN ('skipped', 'left') AND sent_at IS NULL) \
        ORDER BY ended_at DESC LIMIT $2";
    // By when they were handed over: a mail that comes back does so later.
    HANDED_OVER = "SELECT state, COALESCE(code, ''), COUNT(*) FROM letter_recipients \
        WHERE letter_id = $1 AND COALESCE(sent_at, ended_at) >= (SELECT updated_at FROM letters WHERE id = $1) \
            AND NOT (state IN ('skipped', 'left') AND sent_at IS NULL) \
        GROUP BY state, code";
    SENDING = "SELECT id FROM letters WHERE state = 'sending'";
    // Whether some recipients came with an import whose other letters, if any, were never handed over.
    FIRST_TO_IMPORTED = "WITH lists AS (SELECT DISTINCT s.added_by FROM letter_recipients r \
                JOIN newsletter_subscriptions s ON s.id = r.subscription_id \
                WHERE r.letter_id = $1 AND s.added_by IS NOT NULL) \
            SELECT EXISTS (SELECT 1 FROM lists WHERE NOT EXISTS (SELECT 1 FROM newsletter_subscriptions m \
                JOIN letter_recipients o ON o.subscription_id = m.id \
                WHERE m.added_by = lists.added_by AND o.letter_id <> $1 AND o.sent_at IS NOT NULL))";
}

/// After a server that was not reached.
const AWAY_MS: u64 = 30_000;

enum Outcome {
    Taken,
    /// For good, in this state.
    End(RecipientState, String),
    Again {
        at: Micros,
        is_a_try: bool,
        code: Option<String>,
        may_be_twice: bool,
    },
}

impl Outcome {
    const fn not_tried(at: Micros) -> Self {
        Self::Again { at, is_a_try: false, code: None, may_be_twice: false }
    }
}

/// Records what became of a letter that was handed over to `row`.
pub(super) async fn record(app: &AppState, row: Row, handed_over: HandedOver) -> AppResult<()> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let (outcome, mut pauses) = match handed_over {
        HandedOver::Taken => (Outcome::Taken, None),
        HandedOver::Refused(stage, code, enhanced) => {
            let meaning = verdict(stage, code, enhanced);
            let code = enhanced.map_or_else(|| code.to_string(), |[a, b, c]| format!("{a}.{b}.{c}"));
            refused(&mut tx, row, meaning, code, now).await?
        }
        HandedOver::NotReached => (Outcome::not_tried(wait_for_server(&mut tx, now).await?), None),
        HandedOver::Unknown => {
            let at = wait_for_server(&mut tx, now).await?;
            let again = Outcome::Again { at, is_a_try: true, code: None, may_be_twice: true };
            // A third copy only if an admin wants it.
            (again, row.perhaps_twice.then_some(PauseReason::NoAnswer))
        }
        HandedOver::GivenBack => (Outcome::not_tried(now), None),
        HandedOver::Unusable => (Outcome::End(Skipped, "address".to_owned()), None),
        HandedOver::NotWritten => (Outcome::not_tried(now), Some(PauseReason::Folder)),
    };
    let is_refused = matches!(outcome, Outcome::End(Refused | Bounced, _));
    match outcome {
        Outcome::Taken => tx.query(TAKEN).bind(row.id).bind(now).execute().await?,
        Outcome::End(state, code) => {
            let end = tx.query(END).bind(row.id).bind(row.leased_until).bind(state.as_str()).bind(code);
            end.bind(now).execute().await?
        }
        Outcome::Again { at, is_a_try, code, may_be_twice } => {
            let again = tx.query(AGAIN).bind(row.id).bind(row.leased_until).bind(at);
            again.bind(i64::from(!is_a_try)).bind(code).bind(may_be_twice).execute().await?
        }
    };
    if is_refused {
        pauses = judge(&mut tx, row.letter_id).await?;
    }
    if let Some(reason) = pauses {
        pause(&mut tx, app, row.letter_id, reason, now).await?;
    }
    Ok(tx.commit().await?)
}

async fn refused(
    tx: &mut Tx,
    row: Row,
    meaning: Verdict,
    code: String,
    now: Micros,
) -> AppResult<(Outcome, Option<PauseReason>)> {
    let is_patient = row.tries.unsigned_abs() <= RECIPIENT_PATIENCE_MS / RECIPIENT_GAP_MS;
    let later = |at| Outcome::Again { at, is_a_try: true, code: Some(code.clone()), may_be_twice: false };
    Ok(match meaning {
        Verdict::Address => {
            if let Some(id) = row.subscription_id {
                suppressions::end(tx, id, "bounced", now).await?;
            }
            (Outcome::End(Bounced, code), None)
        }
        Verdict::Mailbox if is_patient => (later(now.saturating_add(micros(RECIPIENT_GAP_MS))), None),
        Verdict::Sender => (later(now), Some(PauseReason::Sender)),
        Verdict::SlowDown => {
            let slowed = pace(tx).await?.slow_down(millis(now));
            set_pace(tx, slowed).await?;
            // The others first: one mailbox must not hold them all up.
            let outcome =
                if is_patient { later(micros(slowed.paused_until_ms)) } else { Outcome::End(Refused, code) };
            (outcome, None)
        }
        Verdict::Mailbox | Verdict::Policy | Verdict::Refused => (Outcome::End(Refused, code), None),
    })
}

/// Holds all letters while the server is away; until when.
async fn wait_for_server(tx: &mut Tx, now: Micros) -> sqlx::Result<Micros> {
    let mut held = pace(tx).await?;
    held.paused_until_ms = held.paused_until_ms.max(millis(now) + AWAY_MS);
    set_pace(tx, held).await?;
    Ok(micros(held.paused_until_ms))
}

/// Whether the latest refusals pause a letter. An admin who resumes it has seen the earlier ones.
async fn judge(tx: &mut Tx, letter: LetterId) -> sqlx::Result<Option<PauseReason>> {
    let latest = tx.query(LATEST).bind(letter).bind(i64::try_from(JUDGED).unwrap_or(i64::MAX));
    let latest = latest.all::<(RecipientState, String)>().await?;
    let refused = latest.iter().filter(|(state, _)| matches!(state, Refused | Bounced)).count();
    let is_policy = |(state, code): &(RecipientState, String)| *state == Refused && code.starts_with("5.7.");
    let in_a_row = latest.iter().take_while(|one| is_policy(one)).count();
    if in_a_row as u64 >= POLICY_MAX {
        return Ok(Some(PauseReason::Policy));
    }
    let is_too_much = are_too_many(tx, letter, refused as u64, latest.len() as u64).await?;
    Ok(is_too_much.then_some(PauseReason::Refused))
}

/// Pauses letters of which too many came back by mail, among all that were handed over since they began or were resumed: a
/// server that takes every letter refuses later.
pub(super) async fn judge_returned(app: &AppState) -> AppResult<()> {
    for letter in app.db.query(SENDING).values::<LetterId>().await? {
        let (mut refused, mut judged) = (0, 0);
        let ended = app.db.query(HANDED_OVER).bind(letter).all::<(RecipientState, String, i64)>().await?;
        for (state, code, count) in ended {
            // A full mailbox says nothing about the list.
            let is_soft = || bounce("failed", enhanced_code(&code), code.parse().ok()) == Bounce::Soft;
            if state == Refused || state == Bounced && !is_soft() {
                refused += count.unsigned_abs();
            }
            judged += count.unsigned_abs();
        }
        if are_too_many(&app.db, letter, refused, judged).await? {
            let mut tx = app.db.begin().await?;
            pause(&mut tx, app, letter, PauseReason::Refused, app.clock.now()).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

async fn are_too_many(
    source: impl Into<Source<'_>>,
    letter: LetterId,
    refused: u64,
    judged: u64,
) -> sqlx::Result<bool> {
    Ok(too_many_refused(refused, judged, false)
        && too_many_refused(
            refused,
            judged,
            source.into().query(FIRST_TO_IMPORTED).bind(letter).value().await?,
        ))
}
