//! Letters that wait for an admin, and the mails about them.

use deadwax_http::error::AppResult;
use deadwax_mail::{Part, say};
use deadwax_store::{clock::Micros, db::Tx, ids::LetterId, statements};
use rules::letter_sending::PauseReason;

use crate::{accounts::admin_mail, app::AppState};

statements! {
    PAUSE = "UPDATE letters SET state = 'paused', pause_reason = $2, updated_at = $3, version = version + 1 \
        WHERE id = $1 AND state IN ('scheduled', 'sending') RETURNING subject";
}

/// Pauses a letter and writes to the admins why.
pub(super) async fn pause(
    tx: &mut Tx,
    app: &AppState,
    letter: LetterId,
    reason: PauseReason,
    now: Micros,
) -> AppResult<()> {
    let paused = tx.query(PAUSE).bind(letter).bind(reason.as_str()).bind(now);
    let Some(subject) = paused.maybe::<String>().await? else { return Ok(()) };
    tracing::warn!(%letter, reason = reason.as_str(), "sending a letter pauses");
    let label = app.label_at(now);
    let what = format!("Sending “{subject}” to the subscribers paused {}.", label.when());
    write(tx, app, "SENDING PAUSED", [say(what), say(reason.text())], now).await
}

/// Writes to the admins that a letter waits for them.
pub(super) async fn write(
    tx: &mut Tx,
    app: &AppState,
    heading: &str,
    [what, why]: [Part; 2],
    now: Micros,
) -> AppResult<()> {
    let label = app.label_at(now);
    let link = Part::Link("Go on in the Newsletter tab", label.link("/admin?tab=newsletter"));
    let letter = label.letter("a letter waits for you", heading, &[what, why, link]);
    Ok(admin_mail::write(tx, app, now, "letter_paused", &letter).await?)
}
