//! The last step of every page: its text painted into the document where that works out, and painted later where it does not.

use std::time::{Duration, Instant};

use deadwax_http::{error::AppResult, headers::Kind, response_cache::CachedResponse};
use deadwax_paint::Skipped;

use super::{
    document::{self, FirstView},
    head::Head,
    plain::Plain,
    routes::{make, tables},
};
use crate::{app::AppState, unpainted::PageAddress};

const HTML: &str = "text/html; charset=utf-8";

/// How long the engine is left alone before it is asked again for a page that nobody waits for.
const PAUSE: Duration = Duration::from_millis(250);
/// How often a page is tried that takes too long.
const ATTEMPTS: u32 = 3;

/// A page as it was made.
pub(super) struct Made {
    pub(super) response: CachedResponse,
    /// Why it is not painted though it should be.
    pub(super) owed: Option<Skipped>,
}

impl Made {
    /// With something else about the answer.
    pub(super) fn map(self, change: impl FnOnce(CachedResponse) -> CachedResponse) -> Self {
        Self { response: change(self.response), ..self }
    }
}

/// The document of a page.
pub(super) async fn finish(
    app: &AppState,
    page: &PageAddress,
    head: &Head<'_>,
    view: &FirstView,
) -> AppResult<Made> {
    let data = document::script_json(view)?;
    let empty = &app.assets.document;
    let painted = match painted_as(page) {
        Some(address) => paint(app, &address, &data).await,
        None => Err(Skipped::Off),
    };
    let document = match &painted {
        Ok(painted) => document::with_painted(empty, painted),
        Err(_) if matches!(page, PageAddress::Plain(path) if path.starts_with("/admin")) => {
            document::without_frame(empty).into()
        }
        Err(_) => empty.into(),
    };
    let html = document::fill(&document, &head.render_html()?, &data);
    Ok(Made {
        response: CachedResponse::new(Kind::Page, HTML, html)
            .content_security_policy(app.page_policy.clone()),
        owed: painted.err().filter(|skipped| *skipped != Skipped::Off),
    })
}

/// The address a page is painted as; none for the pages of accounts and of the back office.
fn painted_as(page: &PageAddress) -> Option<String> {
    match page {
        PageAddress::Plain(path) if !Plain::at(path)?.indexed => None,
        PageAddress::NotFound => Some("/404".to_owned()),
        page => Some(page.name().into_owned()),
    }
}

async fn paint(app: &AppState, address: &str, data: &str) -> Result<String, Skipped> {
    let started = Instant::now();
    let painted = app.painter.paint(address, data).await;
    match &painted {
        Ok(_) => {
            metrics::counter!("deadwax_painted_total").increment(1);
            metrics::histogram!("deadwax_paint_seconds").record(started.elapsed());
        }
        Err(Skipped::Off) => return painted,
        Err(skipped) => {
            metrics::counter!("deadwax_paint_skipped_total", "reason" => skipped.reason()).increment(1);
            match skipped {
                Skipped::Failed(_) => tracing::warn!(address, cause = %skipped, "not painted"),
                _ => tracing::info!(address, cause = %skipped, "not painted"),
            }
        }
    }
    metrics::counter!("deadwax_paint_engines_total").absolute(app.painter.engines());
    painted
}

/// Paints what was served unpainted, when the engine has time for it. What fails again, or is late again and again, stays as it
/// is until its next change.
pub async fn keep_painted(app: AppState) {
    let stop = app.stop.clone();
    stop.run_until_cancelled_owned(async move {
        loop {
            let page = app.unpainted.next().await;
            for _ in 0..ATTEMPTS {
                while !app.painter.has_leisure() {
                    tokio::time::sleep(PAUSE).await;
                }
                match paint_again(&app, &page).await {
                    Ok(Some(Skipped::Busy | Skipped::Late)) => {}
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
    let Made { response, owed } = make(app, page).await?;
    if owed.is_none() {
        app.responses.replace(&name, tables, made_at, response);
    }
    Ok(owed)
}
