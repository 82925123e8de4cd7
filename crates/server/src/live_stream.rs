//! `/api/events`: one stream of changes per browser, resumable, with a bound on how many there are.

use std::{collections::VecDeque, convert::Infallible, time::Duration};

use axum::{
    body::Body,
    extract::FromRequestParts,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiQuery,
    slots::{Permit, per_client},
};
use deadwax_store::tables::Tables;
use deadwax_store::{
    ids::{SessionId, UserId},
    live::{Audience, Change, Missed},
};
use futures_util::{Stream, StreamExt as _, stream};
use http::{HeaderMap, HeaderName, StatusCode, header, request::Parts};
use rules::{auth_stage::AuthStage, rate_limit::OPEN_STREAMS, reconnect::FULL_SECONDS};
use serde::Deserialize;
use tokio::{
    sync::broadcast::{self, error::RecvError},
    time::{Instant, Interval, MissedTickBehavior},
};
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::AppState, auth::guard::SessionStatus, requests::caller::Caller};

/// Keeps proxies from closing a silent connection.
const HEARTBEAT: Duration = Duration::from_secs(rules::reconnect::HEARTBEAT_SECONDS as u64);
/// A stream's life, ± a fifth so that streams do not end together. The end of a session ends its streams earlier.
const LIFE: Duration = Duration::from_millis(rules::reconnect::LIFE_MS);

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Tells buffering proxies to pass every event on at once.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(stream_events))
}

/// Where to resume.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StreamQuery {
    /// The last change the caller knows; `Last-Event-ID` says the same and wins.
    #[param(minimum = 0)]
    after: Option<u64>,
}

/// Hears every change from the moment it is extracted.
struct Listening(broadcast::Receiver<Change>);

impl FromRequestParts<AppState> for Listening {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        Ok(Self(app.live.subscribe()))
    }
}

/// Changes of the public tables, as they happen; admins also get those of tables that only they see.
///
/// Events: `hello` with the newest change's id, `change` with table, operation and key, `resync` when too much was missed.
#[utoipa::path(get, path = "/api/events", tag = "live", params(StreamQuery), responses(
    (status = 200, description = "A stream of changes", content_type = "text/event-stream", body = String),
    (status = 204, description = "The session is getting another token: come back with it"),
    (status = 422, description = "The query is not valid"),
    (status = 429, description = "This address has too many streams"),
    (status = 503, description = "The server has too many streams"),
))]
async fn stream_events(
    app: AppState,
    Caller { address: client, .. }: Caller,
    // Subscribes before the session is read, so that its end is not missed.
    Listening(receiver): Listening,
    status: SessionStatus,
    headers: HeaderMap,
    ApiQuery(query): ApiQuery<StreamQuery>,
) -> AppResult<Response> {
    if status.retired.is_some() {
        // A visitor's stream would leave its person untold for as long as it lasts.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let me = status.signed_in;
    let resumed =
        headers.get(LAST_EVENT_ID).and_then(|id| id.to_str().ok()).and_then(|id| id.parse::<u64>().ok());
    let slot = app.streams.try_acquire(per_client(client, OPEN_STREAMS));
    let permit = slot.map_err(|full| AppError::full(full, FULL_SECONDS))?;
    let now = app.clock.now();
    let is_admin = me.as_ref().is_some_and(|me| me.stage(now) == AuthStage::Authenticated);
    let rights_last =
        me.as_ref().map(|me| Duration::from_micros((me.rights_end_at(now) - now).unsigned_abs()));
    let audience = if is_admin { Audience::Admins } else { Audience::Visitors };
    let tables = audience.tables();
    let mut first = VecDeque::new();
    // Changes up to `sent` are sent here, and skipped in the receiver.
    let sent = if let Some(after) = resumed.or(query.after) {
        // Without an id: a connection that breaks before what was missed has arrived resumes where it was.
        let Missed { last, changes } = app.live.missed(app.live.change_at(after), audience).await?;
        let position = app.live.position(last);
        first.push_back(hello(None, position));
        if let Some(changes) = changes {
            let relevant = changes.into_iter().filter(|change| change.table.intersects(tables));
            first.extend(relevant.map(|change| change.frame));
        } else {
            first.push_back(resync(Some(position)));
        }
        last
    } else {
        let last = app.live.last_for(audience);
        let position = app.live.position(last);
        first.push_back(hello(Some(position), position));
        last
    };
    let stream = EventStream {
        waiting: first,
        receiver,
        sent,
        tables,
        heartbeat: heartbeat(),
        whose: me.map(|me| (me.session_id, me.user_id)),
        _permit: permit,
    };
    let end = tokio::time::timeout_at(end_of(rights_last), app.stop.clone().cancelled_owned());
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (X_ACCEL_BUFFERING, "no")];
    Ok((headers, Body::from_stream(stream.frames_until(end).map(Ok::<_, Infallible>))).into_response())
}

/// The first event of a stream; with an id where the stream begins anew.
fn hello(id: Option<u64>, last: u64) -> Bytes {
    format!("retry: 1000\n{}event: hello\ndata: {{\"last\":{last}}}\n\n", id_line(id)).into()
}

/// Everything up to `id`, or up to the last event of the stream, may have changed.
fn resync(id: Option<u64>) -> Bytes {
    format!("{}event: resync\ndata: {{}}\n\n", id_line(id)).into()
}

fn id_line(id: Option<u64>) -> String {
    id.map(|id| format!("id: {id}\n")).unwrap_or_default()
}

const BEAT: Bytes = Bytes::from_static(b": beat\n\n");

fn heartbeat() -> Interval {
    let mut interval = tokio::time::interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

/// When a stream ends by itself: with its life, or earlier with the rights of a listener who is signed in.
fn end_of(rights_last: Option<Duration>) -> Instant {
    let spread: f64 = rand::random_range(0.8..1.2);
    let life = LIFE.mul_f64(spread);
    Instant::now() + rights_last.map_or(life, |rights| rights.min(life))
}

struct EventStream {
    waiting: VecDeque<Bytes>,
    receiver: broadcast::Receiver<Change>,
    sent: i64,
    tables: Tables,
    heartbeat: Interval,
    /// Session and account of a signed-in listener.
    whose: Option<(SessionId, UserId)>,
    _permit: Permit,
}

impl EventStream {
    /// Whether a change ends the listener's session, retires its token or changes their rights: the browser comes back as who it is then.
    fn is_over(&self, change: &Change) -> bool {
        self.whose.is_some_and(|(session_id, user_id)| {
            (change.table == Tables::SESSIONS && change.row == Some(session_id.0))
                || (change.table == Tables::ADMIN_USERS && change.row == Some(user_id.0))
        })
    }

    /// The bytes to send, until `end` even if more are ready.
    fn frames_until(self, end: impl Future) -> impl Stream<Item = Bytes> {
        let frames = stream::unfold(Box::new(self), async |mut stream| Some((stream.next().await?, stream)));
        frames.take_until(end)
    }

    /// The next bytes to send; none when the stream is over.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.waiting.pop_front() {
                return Some(frame);
            }
            tokio::select! {
                biased;
                received = self.receiver.recv() => match received {
                    Ok(change) if self.is_over(&change) => return None,
                    Ok(change) if change.id > self.sent && change.table.intersects(self.tables) => {
                        self.sent = change.id;
                        return Some(change.frame);
                    }
                    Ok(_) => {}
                    // The end of the session may be among the lost changes: the browser reconnects with its present rights.
                    Err(RecvError::Lagged(_)) if self.whose.is_some() => return None,
                    Err(RecvError::Lagged(_)) => return Some(resync(None)),
                    Err(RecvError::Closed) => return None,
                },
                _ = self.heartbeat.tick() => return Some(BEAT),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use deadwax_http::slots::Slots;

    use super::*;

    /// A stream that has fallen behind by more than is kept for it.
    fn behind(whose: Option<(SessionId, UserId)>) -> EventStream {
        let (sender, receiver) = broadcast::channel(2);
        let change =
            |id| Change { id, table: Tables::DEMOS, row: None, frame: Bytes::from_static(b"change\n\n") };
        for id in 1..6 {
            sender.send(change(id)).unwrap();
        }
        EventStream {
            waiting: VecDeque::new(),
            receiver,
            sent: 0,
            tables: Tables::PUBLIC.and(Tables::FOR_ADMINS),
            heartbeat: heartbeat(),
            whose,
            _permit: Slots::new(1).try_acquire(std::iter::empty()).unwrap(),
        }
    }

    #[tokio::test]
    async fn a_stream_that_is_somebodys_ends_when_it_has_lost_changes() {
        assert_eq!(behind(None).next().await, Some(resync(None)));
        assert_eq!(behind(Some((SessionId::generate(), UserId::generate()))).next().await, None);
    }

    #[tokio::test]
    async fn a_stream_ends_in_time_even_if_more_is_ready() {
        let end = std::future::ready(());
        let frames: Vec<_> = behind(None).frames_until(end).collect().await;
        assert!(frames.is_empty(), "{frames:?}");
    }
}
