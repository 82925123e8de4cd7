//! The messages of browsers: a page was seen, a release was heard, a button was pressed.

use std::net::IpAddr;

use axum::extract::DefaultBodyLimit;
use bytes::Bytes;
use deadwax_http::error::AppResult;
use deadwax_store::{clock::SECOND, columns::Named as _, crypto::hmac, ids::ReleaseId, limits, names};
use http::{HeaderMap, StatusCode, header};
use rules::numbers::{self, Place, SEEN_MAX_BYTES, is_robot};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use super::{
    held::{Key, Subject, Visitor},
    keep,
    kind::{Kind, day_of},
};
use crate::{
    app::{App, AppState},
    requests::caller::Caller,
};

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(note_visit)).layer(DefaultBodyLimit::max(SEEN_MAX_BYTES))
}

/// A message of a browser about a visit.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Seen {
    /// A page became visible.
    View {
        path: String,
        /// The slug of the letter that led to it.
        from: Option<String>,
        /// The host of the website that led to it.
        referrer: Option<String>,
    },
    /// A release was heard.
    Play {
        /// Its id.
        release: ReleaseId,
    },
    /// SHARE was pressed.
    Share {
        /// The id of the release.
        release: ReleaseId,
    },
    /// The button of a platform was pressed.
    Button {
        /// The id of the release.
        release: ReleaseId,
        platform: Platform,
    },
    /// A search found nothing.
    Search,
    /// The demo dialog was opened.
    Demo,
}

names! {
    /// A platform that a release links to.
    Platform;
    /// Spotify.
    Spotify = "spotify";
    /// SoundCloud.
    Soundcloud = "soundcloud";
    /// Apple Music.
    AppleMusic = "apple_music";
    /// YouTube.
    Youtube = "youtube";
    /// Bandcamp.
    Bandcamp = "bandcamp";
}

/// Counts a visit. The answer is the same whether it counts or not: not with Do Not Track or Global Privacy Control, not for robots,
/// and not for a message that cannot be read.
#[utoipa::path(post, path = "/api/seen", tag = "operation",
    request_body(content = Option<serde_json::Value>, description = "A `Seen`; anything else is not counted"),
    responses(
        (status = 204, description = "Received"),
        (status = 413, description = "Longer than 512 bytes"),
))]
async fn note_visit(
    app: AppState,
    Caller { address: client, .. }: Caller,
    headers: HeaderMap,
    body: Bytes,
) -> AppResult<StatusCode> {
    let is_asked_not_to = ["dnt", "sec-gpc"].iter().any(|name| headers.get(*name).is_some_and(|v| v == "1"));
    if app.numbers.is_on
        && !is_asked_not_to
        && let Ok(seen) = serde_json::from_slice::<Seen>(&body)
    {
        let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
        if let Err(error) = count(&app, client, agent, seen).await {
            tracing::warn!(cause = format!("{error:#}"), "a visit was not counted");
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

async fn count(app: &App, client: IpAddr, agent: &str, seen: Seen) -> anyhow::Result<()> {
    let now = app.clock.now();
    let day = day_of(now, &app.known_label.last().time_zone);
    let on = |kind, subject, value| Key { day, kind, subject, value };
    let (key, came_from) = match seen {
        Seen::View { path, from, referrer } => {
            let Some((kind, subject)) = page(&path) else { return Ok(()) };
            let letter = from.filter(|slug| rules::slug::is_slug(slug));
            let host = referrer.and_then(|host| numbers::source(&host));
            let own = numbers::source(&app.origin.host_name());
            let host = host.filter(|host| own.as_ref() != Some(host));
            let came_from = letter
                .map(|slug| on(Kind::FromLetter, Subject::Slug(slug), ""))
                .or_else(|| host.map(|host| on(Kind::Source, Subject::Host(host), "")));
            (on(kind, subject, ""), came_from)
        }
        Seen::Play { release } => (on(Kind::Play, Subject::Id(release.0), ""), None),
        Seen::Share { release } => (on(Kind::Share, Subject::Id(release.0), ""), None),
        Seen::Button { release, platform } => {
            (on(Kind::Button, Subject::Id(release.0), platform.as_str()), None)
        }
        Seen::Search => (on(Kind::Search, Subject::Site, ""), None),
        Seen::Demo => (on(Kind::DemoOpened, Subject::Site, ""), None),
    };
    if is_robot(agent) {
        if key.kind.is_view() {
            app.numbers.held().leave_out(day);
        }
        return Ok(());
    }
    let of_the_day = keep::key(app, day).await?;
    let minute = i32::try_from(now / (60 * SECOND)).unwrap_or(i32::MAX);
    let visitor = Visitor { hash: hash(&of_the_day, client, agent), day, minute };
    let mut held = app.numbers.held();
    if !key.kind.is_view() {
        held.act(visitor, key);
    } else if held.view(visitor, key)
        && let Some(came_from) = came_from
    {
        held.come_from(visitor, came_from);
    }
    Ok(())
}

/// A page, as it is counted.
fn page(path: &str) -> Option<(Kind, Subject)> {
    Some(match numbers::place(path)? {
        Place::Fixed(path) => (Kind::View, Subject::Page(path)),
        Place::Release(slug) => (Kind::Release, Subject::Slug(slug.to_owned())),
        Place::Letter(slug) => (Kind::Letter, Subject::Slug(slug.to_owned())),
        Place::Artist(id) => (Kind::Artist, Subject::Id(Uuid::try_parse(id).ok()?)),
    })
}

/// The visitor as 64 bits that nothing leads back from once the day's key is gone.
fn hash(key: &[u8; 32], client: IpAddr, agent: &str) -> u64 {
    let network = limits::network(client).to_string();
    let mac = hmac(key, &[network.as_bytes(), agent.as_bytes()]);
    mac.first_chunk().map_or(0, |first| u64::from_be_bytes(*first))
}
