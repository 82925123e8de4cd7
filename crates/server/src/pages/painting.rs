//! The last step of every page: painting its text into the document, if possible.

use std::time::Instant;

use deadwax_http::{
    cached_response::CachedResponse,
    error::AppResult,
    headers::{self, Kind},
};
use deadwax_paint::{Priority, Skipped};
use http::HeaderValue;

use super::{
    document::{self, FirstView},
    head::Head,
    plain::Plain,
};
use crate::{app::AppState, pages::address::PageAddress};

const HTML: &str = "text/html; charset=utf-8";

#[derive(Clone, Copy)]
pub(super) struct PageRequest<'a> {
    pub(super) app: &'a AppState,
    pub(super) address: &'a PageAddress,
    pub(super) is_awaited: bool,
}

impl PageRequest<'_> {
    /// Visitors choose where parts of lists begin, and so how many there are.
    fn priority(self) -> Priority {
        match self {
            Self { is_awaited: false, .. } => Priority::Background,
            Self { address, .. } if address.is_part() => Priority::Low,
            Self { .. } => Priority::High,
        }
    }
}

pub(super) struct Made {
    pub(super) response: CachedResponse,
    /// Why it is unpainted although it should be painted.
    pub(super) owed: Option<Skipped>,
}

pub(super) async fn paint_into_document(
    request: PageRequest<'_>,
    head: &Head,
    view: &FirstView,
) -> AppResult<Made> {
    let PageRequest { app, address: page, .. } = request;
    let data = document::script_json(view)?;
    let empty = &app.assets.document;
    let painted = match painted_as(page) {
        Some(address) => paint(request, &address, &data).await,
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
        response: CachedResponse::new(Kind::Page, HTML, html).content_security_policy(policy(app, head)),
        owed: painted.err().filter(|skipped| *skipped != Skipped::Off),
    })
}

pub(super) fn unpainted(app: &AppState, head: &Head, view: &FirstView) -> AppResult<CachedResponse> {
    let html = document::fill(&app.assets.document, &head.render_html()?, &document::script_json(view)?);
    Ok(CachedResponse::new(Kind::Page, HTML, html).content_security_policy(policy(app, head)))
}

/// The policy of the document, with the style of the label's own colour.
fn policy(app: &AppState, head: &Head) -> HeaderValue {
    head.signal_style().map_or_else(
        || app.page_policy.clone(),
        |style| {
            let styles = format!("{}<style>{style}</style>", app.assets.document);
            headers::page_policy(&styles, app.origin.is_https())
        },
    )
}

fn painted_as(page: &PageAddress) -> Option<String> {
    match page {
        PageAddress::Plain(path) if !Plain::at(path)?.indexed => None,
        PageAddress::Newsletter(step) => Some(step.path().to_owned()),
        PageAddress::NotFound(absent) | PageAddress::Closed(absent) => Some(absent.path().to_owned()),
        page => Some(page.name().into_owned()),
    }
}

async fn paint(request: PageRequest<'_>, address: &str, data: &str) -> Result<String, Skipped> {
    let PageRequest { app, address: page, .. } = request;
    let started = Instant::now();
    let painted = if page.is_search() && !app.painter.has_leisure() {
        Err(Skipped::Busy)
    } else {
        app.painter.paint(address, data, request.priority()).await
    };
    match &painted {
        Ok(_) => {
            metrics::counter!("deadwax_painted_total").increment(1);
            metrics::histogram!("deadwax_paint_seconds").record(started.elapsed());
        }
        Err(Skipped::Off) => return painted,
        Err(skipped) => {
            metrics::counter!("deadwax_paint_skipped_total", "reason" => skipped.reason()).increment(1);
            // Without the query: it has what a visitor searches for.
            let address = address.split('?').next();
            if let Skipped::Failed(_) = skipped {
                tracing::warn!(address, cause = %skipped, "not painted");
            } else {
                tracing::info!(address, cause = %skipped, "not painted");
            }
        }
    }
    metrics::counter!("deadwax_paint_engines_total").absolute(app.painter.engines());
    painted
}
