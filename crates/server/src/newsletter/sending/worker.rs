//! The worker: hands letters over, a few at a time, until the program stops.

use std::{sync::Arc, time::Duration};

use deadwax_http::error::AppResult;
use deadwax_mail::{BulkMail, HandedOver, returned};
use deadwax_store::{
    clock::{Micros, SECOND},
    ids::{LetterId, SubscriptionId},
    statements,
};
use sha2::{Digest as _, Sha256};
use tokio::task::JoinSet;
use tracing::Instrument as _;

use super::{
    super::letters::render::{self, ADDRESS_HOLE, LEAVE_HOLE},
    outcomes,
    queue::{self, FrozenLetter, Handing, Next},
};
use crate::{
    app::{App, AppState},
    requests::retry_write::retry_write,
};

statements! {
    IS_SUBSCRIBED = "SELECT EXISTS (SELECT 1 FROM newsletter_subscriptions WHERE id = $1)";
}

/// After an error, such as a database that does not answer.
const ERROR_PAUSE: Duration = Duration::from_secs(10);
/// Between two looks at what came back.
const JUDGED_EVERY: Micros = 60 * SECOND;

/// Sends letters until the program stops. Returns when none is under way.
pub async fn keep_sending(app: AppState) {
    if let Err(error) = queue::expire(&app).await {
        tracing::warn!(cause = %error, "reading the letters");
    }
    let stop = app.stop.clone();
    let mut sender = LetterSender::new(app);
    while !stop.is_cancelled() {
        let wait = match sender.step().await {
            Ok(None) => continue,
            Ok(Some(wait)) => wait,
            Err(error) => {
                tracing::warn!(cause = error.cause(), "sending letters");
                ERROR_PAUSE
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            Some(()) = sender.one_done() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
    sender.all_done().await;
}

/// Hands letters over, a few at once.
#[derive(Debug)]
pub struct LetterSender {
    app: AppState,
    under_way: JoinSet<()>,
    /// Read once for many recipients.
    last: Option<Arc<FrozenLetter>>,
    /// When letters may begin.
    begin_at: Micros,
    /// When what came back is looked at next.
    judge_at: Micros,
}

impl LetterSender {
    pub fn new(app: AppState) -> Self {
        Self { app, under_way: JoinSet::new(), last: None, begin_at: 0, judge_at: 0 }
    }

    /// Begins to hand a letter over to the next recipient; otherwise, when to look again.
    pub async fn step(&mut self) -> AppResult<Option<Duration>> {
        let now = self.app.clock.now();
        if self.judge_at <= now {
            self.judge_at = now.saturating_add(JUDGED_EVERY);
            outcomes::judge_returned(&self.app).await?;
        }
        let handing = match queue::next(&self.app, &mut self.begin_at, &mut self.last).await? {
            Next::Wait(wait) => return Ok(Some(wait)),
            Next::HandOver(handing) => *handing,
        };
        let app = self.app.clone();
        let delivery = async move { deliver(&app, handing).await };
        self.under_way.spawn(delivery.in_current_span());
        Ok(None)
    }

    async fn one_done(&mut self) -> Option<()> {
        if let Err(error) = self.under_way.join_next().await? {
            tracing::error!(cause = %error, "handing a letter over");
        }
        Some(())
    }

    /// Waits until none is under way.
    pub async fn all_done(&mut self) {
        while self.one_done().await.is_some() {}
    }
}

async fn deliver(app: &AppState, handing: Handing) {
    let mail = mail(app, &handing);
    let handed_over = if app.mail.has_server() {
        Ok(app.mail.hand_over(mail, &app.stop).await)
    } else {
        capture(app, mail, handing.row.subscription_id).await
    };
    let outcome = match handed_over {
        Ok(outcome) => outcome,
        Err(error) => {
            // The lease runs out.
            tracing::error!(recipient = %handing.row.id, cause = %format!("{error:#}"), "capturing a letter");
            return;
        }
    };
    match &outcome {
        HandedOver::Taken => tracing::debug!(recipient = %handing.row.id, "letter sent"),
        outcome => tracing::info!(recipient = %handing.row.id, ?outcome, "letter not sent"),
    }
    let name = if outcome == HandedOver::Taken { "sent" } else { "failed" };
    metrics::counter!("deadwax_mail_total", "kind" => "letter", "outcome" => name).increment(1);
    if let Err(error) = retry_write(&app.stop, || outcomes::record(app, handing.row, outcome)).await {
        // The lease runs out, and the letter is handed over again.
        tracing::error!(recipient = %handing.row.id, cause = error.cause(), "recording what became of a letter");
    }
}

/// Writes a letter into a file, unless its recipient was erased after the address was read.
async fn capture(
    app: &AppState,
    mail: BulkMail<'_>,
    subscription: Option<SubscriptionId>,
) -> anyhow::Result<HandedOver> {
    let forgetting = app.mail.forgetting().await;
    if is_erased(app, subscription).await? {
        return Ok(HandedOver::GivenBack);
    }
    let id = mail.id;
    let outcome = app.mail.hand_over(mail, &app.stop).await;
    // The command line erases without waiting for the folder, and then removes the files that are there.
    if is_erased(app, subscription).await? {
        forgetting.remove_captured(&[id]).await?;
    }
    Ok(outcome)
}

async fn is_erased(app: &AppState, subscription: Option<SubscriptionId>) -> sqlx::Result<bool> {
    let is_there = app.db.query(IS_SUBSCRIBED).bind(subscription).value::<bool>().await?;
    Ok(!is_there)
}

/// The link of a letter that takes its recipient off the list.
pub(in crate::newsletter) fn leave_link(app: &App, leave_token: &str, letter: LetterId) -> String {
    app.origin.link(&format!("/newsletter/leave/{leave_token}?letter={letter}"))
}

/// The headers of a letter by which mail programs know lists, and leave them.
pub(in crate::newsletter) fn list_headers(
    app: &App,
    leave_token: &str,
    letter: LetterId,
    in_archive: bool,
) -> Vec<(&'static str, String)> {
    let leave = leave_link(app, leave_token, letter);
    let host = app.mail.host();
    let by_mail = app.mail.bounce_address().and_then(|address| {
        let address = returned::with_token(address, &format!("{}{leave_token}", returned::LEAVE))?;
        Some(format!(", <mailto:{address}?subject=unsubscribe>"))
    });
    let by_mail = by_mail.unwrap_or_default();
    // Gmail takes 5 to 15 characters.
    let sender = hex::encode(&Sha256::digest(host)[..6]);
    let mut headers = vec![
        ("List-Id", format!("<newsletter.{host}>")),
        ("List-Unsubscribe", format!("<{leave}>{by_mail}")),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()),
        ("Precedence", "bulk".to_owned()),
        ("Feedback-ID", format!("{}:newsletter:{sender}", letter.0.simple())),
    ];
    if in_archive {
        headers.push(("List-Archive", format!("<{}>", app.origin.link("/letters"))));
    }
    headers
}

fn mail<'a>(app: &App, handing: &'a Handing) -> BulkMail<'a> {
    let letter = &handing.letter;
    let leave = leave_link(app, &handing.leave_token, letter.id);
    let holes = [(ADDRESS_HOLE, handing.email.as_str()), (LEAVE_HOLE, leave.as_str())];
    let (html, text) = render::filled(&letter.html, &letter.text, &holes);
    BulkMail {
        id: handing.row.id,
        date: letter.began_at,
        to: &handing.email,
        subject: &letter.subject,
        text,
        html,
        headers: list_headers(app, &handing.leave_token, letter.id, letter.in_archive),
    }
}
