//! Sends a letter to the bounce mailbox, and looks there for it.

use std::time::Duration;

use axum::Json;
use deadwax_http::error::{AppError, AppResult};
use deadwax_mail::{
    BulkMail, HandedOver,
    returned::{self, READ_BACK},
    say,
};
use deadwax_store::{clock::SECOND, limits};
use http::StatusCode;
use rules::letter_arrival::ArrivalError;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{Arrival, arrival, read_back};
use crate::{
    app::{App, AppState},
    editing::Editor,
    newsletter::{returned::read_returned, sending::list_headers},
};

/// Between two reads of the mailbox; after the last one, it is read every five minutes as always.
const READ_AGAIN: Duration = Duration::from_secs(5);
const READS: u32 = 24;
/// In this time no second letter is sent.
const PATIENCE: i64 = 120 * SECOND;

pub(super) fn can_read_back(app: &App) -> bool {
    app.mail.bounce_box().is_some() && app.mail.has_server()
}

/// Sends a letter to the bounce mailbox, and reads there how it arrived: see `read_back`. While one is on its way, no second one is sent. 409
/// `no_bounce_mailbox` without `BOUNCE_URL` or `SMTP_URL`.
#[utoipa::path(post, path = "/api/admin/newsletter/read-back", tag = "admin", responses(
    (status = 200, description = "It is on its way", body = Arrival),
    (status = 409, description = "No bounce mailbox or no mail server is set"),
))]
pub(super) async fn send_read_back(editor: Editor) -> AppResult<Json<Arrival>> {
    let by = editor.act();
    if !can_read_back(by.app) {
        return Err(AppError::from_code(StatusCode::CONFLICT, ArrivalError::NoMailbox));
    }
    let mut tx = by.app.db.begin().await?;
    limits::hold_in(&mut tx, "letter-read-back", by.now).await?;
    let waiting = read_back::waiting(&mut tx).await?;
    let is_on_its_way = waiting.is_some_and(|(sent_at, _)| (0..PATIENCE).contains(&(by.now - sent_at)));
    if !is_on_its_way {
        let id = Uuid::new_v4();
        read_back::begin(&mut tx, id, by.now).await?;
        by.check_and_record(&mut tx, "letter_test", "read_back").await?;
        tx.commit().await?;
        let app = editor.app.clone();
        let work = async move { send(&app, id).await };
        editor.app.background.spawn(work.in_current_span());
    }
    Ok(Json(arrival(&editor.app).await?))
}

async fn send(app: &AppState, id: Uuid) {
    let why = match hand_over(app, id).await {
        Some(HandedOver::Taken) => None,
        Some(HandedOver::Refused(_, code, enhanced)) => {
            let enhanced = enhanced.map_or_else(String::new, |[a, b, c]| format!(" {a}.{b}.{c}"));
            Some(format!("The mail server refused the letter ({code}{enhanced})."))
        }
        Some(HandedOver::NotReached | HandedOver::Unknown) => {
            Some("The mail server was not reached, or did not answer in time.".to_owned())
        }
        Some(HandedOver::GivenBack) => Some("The program was stopped before the letter was sent.".to_owned()),
        Some(HandedOver::Unusable | HandedOver::NotWritten) | None => {
            Some("No letter can be made for this BOUNCE_ADDRESS.".to_owned())
        }
    };
    if let Some(why) = why {
        if let Err(error) = read_back::fail(&app.db, id, why).await {
            tracing::error!(cause = error.cause(), "recording a letter that is read back");
        }
        return;
    }
    for _ in 0..READS {
        read_returned(app).await;
        // A database that does not answer now may do so at the next look.
        let waiting = read_back::waiting(&app.db).await;
        let is_waiting = waiting.map_or(true, |waiting| waiting.is_some_and(|(_, latest)| latest == id));
        if !is_waiting || app.stop.run_until_cancelled(tokio::time::sleep(READ_AGAIN)).await.is_none() {
            return;
        }
    }
}

/// Hands over a letter with the headers that every letter has.
async fn hand_over(app: &AppState, id: Uuid) -> Option<HandedOver> {
    let to = returned::with_token(app.mail.bounce_address()?, &format!("{READ_BACK}{}", id.simple()))?;
    let words = [say(
        "This letter was sent to see how letters to the subscribers arrive. Its link to leave belongs to no subscription.",
    )];
    let letter = app.label().letter("does this letter arrive?", "WILL IT ARRIVE?", &words);
    let mail = BulkMail {
        id,
        date: app.clock.now(),
        to: &to,
        subject: &format!("[TEST] {}", letter.subject),
        text: letter.text,
        html: letter.html,
        headers: list_headers(app, &Uuid::new_v4().simple().to_string(), id.into(), true),
    };
    Some(app.mail.hand_over(mail, &app.stop).await)
}
