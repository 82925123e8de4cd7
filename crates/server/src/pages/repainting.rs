//! Pages that were served unpainted, painted later.

use std::time::Duration;

use deadwax_http::error::AppResult;
use deadwax_paint::Skipped;

use super::{
    painting::{Made, PageRequest},
    routes::{make, tables},
};
use crate::{app::AppState, unpainted::PageAddress};

/// How long the engine is left alone before it is asked again for a page that nobody waits for.
const PAUSE: Duration = Duration::from_millis(250);
/// How often a page is tried that takes too long even for one that nobody waits for.
const ATTEMPTS: u32 = 3;

/// Paints what was served unpainted, when the engine has time for it. What fails again, or is late again and again, stays as it
/// is until its next change.
pub async fn keep_painted(app: AppState) {
    let stop = app.stop.clone();
    stop.run_until_cancelled_owned(async move {
        loop {
            let page = app.unpainted.next().await;
            let mut attempts = 0;
            while attempts < ATTEMPTS {
                while !app.painter.has_leisure() {
                    tokio::time::sleep(PAUSE).await;
                }
                match paint_again(&app, &page).await {
                    // Somebody else's page came first.
                    Ok(Some(Skipped::Busy)) => {}
                    Ok(Some(Skipped::Late)) => attempts += 1,
                    Ok(_) => break,
                    Err(error) => {
                        tracing::warn!(?error, "painting later");
                        break;
                    }
                }
            }
        }
    })
    .await;
}

/// Puts the painted page in the place of the one that is kept; answers why it could not.
async fn paint_again(app: &AppState, page: &PageAddress) -> AppResult<Option<Skipped>> {
    let (name, tables) = (page.name(), tables(page));
    // One that is no longer kept is painted for whoever asks next.
    if app.responses.get(&name).is_none() {
        return Ok(None);
    }
    let made_at = app.responses.generation(tables);
    let Made { response, owed } = make(PageRequest { app, address: page, is_awaited: false }).await?;
    if owed.is_none() {
        app.responses.replace(&name, tables, made_at, response);
    }
    Ok(owed)
}
