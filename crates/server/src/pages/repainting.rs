//! Paints pages later that were served unpainted.

use std::time::Duration;

use deadwax_http::error::AppResult;
use deadwax_paint::Skipped;
use deadwax_store::live::Invalidate as _;

use super::{
    make::{make, tables},
    painting::{Made, PageRequest},
};
use crate::{app::AppState, pages::address::PageAddress};

const PAUSE: Duration = Duration::from_millis(250);
const ATTEMPTS: u32 = 3;

/// Paints unpainted pages when the engine is free. A page that keeps failing stays unpainted until its next change.
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
                match Box::pin(paint_again(&app, &page)).await {
                    Ok(Some(Skipped::Busy)) => {}
                    Ok(Some(Skipped::Late)) => attempts += 1,
                    Ok(_) => break,
                    Err(error) => {
                        tracing::warn!(cause = error.cause(), "painting later");
                        break;
                    }
                }
            }
        }
    })
    .await;
}

async fn paint_again(app: &AppState, page: &PageAddress) -> AppResult<Option<Skipped>> {
    let (name, tables) = (page.name(), tables(page));
    // A page no longer cached is painted on its next request.
    if app.responses.get(&name).is_none() {
        return Ok(None);
    }
    let made_at = app.responses.generation(tables);
    let Made { response, owed } = make(PageRequest { app, address: page, is_awaited: false }).await?;
    if owed.is_none() {
        app.responses.replace(&name, tables, made_at, response.compressed().await);
    }
    Ok(owed)
}
