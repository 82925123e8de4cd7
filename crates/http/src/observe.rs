//! Request ids, logs and metrics. Nothing here ever sees a body, a cookie or an address in full.

use std::{
    cell::RefCell,
    time::{Duration, Instant},
};

use axum::{extract::Request, middleware::Next, response::Response};
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_util::MetricKindMask;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span, Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{EnvFilter, fmt::MakeWriter, util::SubscriberInitExt as _};

use crate::logging::{Sampled, WithoutArtists};

pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const SLOW: Duration = Duration::from_millis(rules::request::SLOW_REQUEST_MS);

/// Latencies without an addition for so long are dropped from the metrics.
const IDLE: Duration = Duration::from_hours(24);

/// How often latencies are added up. Until then each takes memory.
const ADDED_UP: Duration = Duration::from_secs(5);

tokio::task_local! {
    static REQUEST_ID: RefCell<String>;
}

pub fn start_logging(filter: &str) -> Result<(), String> {
    log_to(filter, std::io::stderr)?.try_init().map_err(|error| error.to_string())
}

pub fn log_to<W>(filter: &str, writer: W) -> Result<impl Subscriber + Send + Sync + use<W>, String>
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let filter = checked(filter)?;
    let unreadable = |_| {
        format!("{}: write info, or a level for each module as deadwax=debug,info", filter.escape_debug())
    };
    let mut directives = EnvFilter::try_new(filter).map_err(unreadable)?;
    // Oddities in an uploaded file concern its sender, not the operator.
    if !filter.contains("symphonia")
        && let Ok(directive) = "symphonia=off".parse()
    {
        directives = directives.add_directive(directive);
    }
    Ok(tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .map_event_format(WithoutArtists)
        .map_event_format(Sampled::new)
        .with_writer(writer)
        .with_env_filter(directives)
        .finish())
}

const DEFAULT_FILTER: &str = "info";

/// The filter, or the usual one where it is empty. A word alone is a level: read as the name of a module, as a mistyped one would be,
/// it lets everything of that module through and nothing else, which silences this program.
fn checked(filter: &str) -> Result<&str, String> {
    let mut parts = filter.split(',').map(str::trim).filter(|part| !part.is_empty()).peekable();
    if parts.peek().is_none() {
        return Ok(DEFAULT_FILTER);
    }
    match parts.find(|part| !part.contains(['=', '[']) && part.parse::<LevelFilter>().is_err()) {
        Some(word) => {
            Err(format!("{word} is none of error, warn, info, debug, trace, off; a module is {word}=debug"))
        }
        None => Ok(filter),
    }
}

/// The span of work that no request asked for.
pub fn job(name: &'static str) -> Span {
    tracing::info_span!("job", job = name)
}

pub fn start_metrics() -> Result<PrometheusHandle, metrics_exporter_prometheus::BuildError> {
    let buckets = [0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
    // Drops idle histograms, so that their number stays bounded. Counters stay: they count since the start.
    let handle = PrometheusBuilder::new()
        .idle_timeout(MetricKindMask::HISTOGRAM, Some(IDLE))
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &buckets)?
        .install_recorder()?;
    metrics::counter!("deadwax_finished_hits_total").absolute(0);
    Ok(handle)
}

/// Adds latencies up until `stop`. A scrape does too, but it may never come.
pub async fn add_up(handle: PrometheusHandle, stop: CancellationToken) {
    while stop.run_until_cancelled(tokio::time::sleep(ADDED_UP)).await.is_some() {
        handle.run_upkeep();
    }
}

pub(crate) fn count_finished_hit() {
    metrics::counter!("deadwax_finished_hits_total").increment(1);
}

/// The methods that metrics and log distinguish. A method may be any word, and each would be a new series.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// A new request id: random, so that it tells nothing of other requests, and no caller can choose it.
pub(crate) fn next_request_id() -> HeaderValue {
    let id = hex::encode(rand::random::<[u8; 16]>());
    HeaderValue::try_from(id).unwrap_or_else(|_| HeaderValue::from_static("0"))
}

pub fn current_request_id() -> Option<String> {
    REQUEST_ID.try_with(|id| id.borrow().clone()).ok()
}

/// The labels of a request in the metrics, with few values each, none chosen by the client.
struct Labels {
    method: &'static str,
    /// The route's pattern, never the path: paths can carry what a person typed, and would make endless series.
    route: String,
}

impl Labels {
    fn of(request: &Request) -> Self {
        let path = request.extensions().get::<axum::extract::MatchedPath>();
        let route = path.map_or_else(|| "(none)".to_owned(), |path| path.as_str().to_owned());
        Self { method: method_label(request.method()), route }
    }
}

fn record(labels: &Labels, status: StatusCode, elapsed: Duration) {
    let labels = [
        ("method", labels.method.to_owned()),
        ("route", labels.route.clone()),
        ("status", status.as_u16().to_string()),
    ];
    metrics::counter!("deadwax_http_requests_total", &labels).increment(1);
    metrics::histogram!("deadwax_http_request_seconds", &labels[..2]).record(elapsed.as_secs_f64());
}

/// Gives a request its id, a span, a line in the log and its place in the metrics.
pub async fn observe(request: Request, next: Next) -> Response {
    let id = next_request_id();
    let text = id.to_str().unwrap_or_default().to_owned();
    let labels = Labels::of(&request);
    let is_upload = is_upload(&request);
    let span =
        tracing::info_span!("request", request_id = text, method = labels.method, route = labels.route);
    let started = Instant::now();
    let mut response = REQUEST_ID.scope(RefCell::new(text), next.run(request).instrument(span.clone())).await;
    let status = response.status();
    let elapsed = started.elapsed();
    span.in_scope(|| log(status, elapsed, is_upload));
    record(&labels, status, elapsed);
    response.headers_mut().insert(X_REQUEST_ID, id);
    response
}

/// Whether the request carries a file, which takes as long as its line.
fn is_upload(request: &Request) -> bool {
    let content_type = request.headers().get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    content_type.starts_with(b"multipart/") || content_type.starts_with(b"application/offset+octet-stream")
}

fn log(status: StatusCode, elapsed: Duration, is_upload: bool) {
    let (status_code, micros) = (status.as_u16(), u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX));
    if elapsed >= SLOW && !is_upload {
        tracing::warn!(status = status_code, micros, "slow request");
    } else if status.is_server_error() {
        tracing::warn!(status = status_code, micros, "answered");
    } else {
        tracing::debug!(status = status_code, micros, "answered");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logging::tests::Written;

    #[test]
    fn a_slow_answer_is_logged_by_default_and_a_slow_upload_is_not() {
        let written = Written::default();
        let to = written.clone();
        let subscriber = log_to("info", move || to.clone()).unwrap();
        tracing::subscriber::with_default(subscriber, || {
            log(StatusCode::OK, SLOW, false);
            log(StatusCode::OK, SLOW, true);
            log(StatusCode::OK, SLOW / 2, false);
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert!(lines.len() == 1 && lines[0].contains("slow request") && lines[0].contains("WARN"), "{text}");
    }

    #[test]
    fn an_odd_file_is_logged_where_the_filter_names_its_reader_alone() {
        for (filter, lines) in [("info", 0), ("info,symphonia=error", 1)] {
            let written = Written::default();
            let to = written.clone();
            let subscriber = log_to(filter, move || to.clone()).unwrap();
            tracing::subscriber::with_default(subscriber, || {
                tracing::error!(target: "symphonia_codec_aac::aac", "check failed");
            });
            let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
            assert_eq!(text.lines().count(), lines, "{filter}: {text}");
        }
    }

    #[test]
    fn request_ids_tell_nothing_of_each_other() {
        let ids: Vec<_> = (0..40).map(|_| next_request_id()).collect();
        for (id, next) in ids.iter().zip(&ids[1..]) {
            let alike = id.as_bytes().iter().zip(next.as_bytes()).filter(|(one, other)| one == other).count();
            assert!(id.len() == 32 && alike < 16, "{id:?} {next:?}");
        }
    }

    #[test]
    fn a_filter_that_would_silence_everything_is_no_filter() {
        for silent in ["verbose", "infos", "deadwax", "warn,quiet", " , ,loud"] {
            let error = log_to(silent, std::io::sink).map(drop).unwrap_err();
            assert!(error.contains("error, warn, info, debug"), "{silent}: {error}");
        }
        for good in
            ["info", "WARN", "off", "trace", "3", "deadwax=debug,info", "info,deadwax_http::observe=debug"]
        {
            assert!(log_to(good, std::io::sink).is_ok(), "{good}");
        }
        for empty in ["", "  ", ","] {
            let subscriber = log_to(empty, std::io::sink).unwrap();
            let is_heard = tracing::subscriber::with_default(subscriber, || {
                (tracing::enabled!(tracing::Level::INFO), tracing::enabled!(tracing::Level::DEBUG))
            });
            assert_eq!(is_heard, (true, false), "{empty:?}");
        }
    }

    fn resident_kib() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn latencies_take_no_memory_while_nothing_scrapes() {
        let builder = PrometheusBuilder::new().set_buckets(&[0.5]).unwrap();
        let recorder = builder.build_recorder();
        let stop = CancellationToken::new();
        let adding = tokio::spawn(add_up(recorder.handle(), stop.clone()));
        let latency = metrics::with_local_recorder(&recorder, || metrics::histogram!("seconds"));
        let before = resident_kib();
        // 64 MB of samples in all.
        for _ in 0..40 {
            (0..100_000).for_each(|_| latency.record(0.1));
            tokio::time::sleep(ADDED_UP).await;
        }
        let grown = resident_kib().saturating_sub(before);
        assert!(grown < 32 * 1024, "{grown} KiB");
        stop.cancel();
        adding.await.unwrap();
    }

    #[test]
    fn methods_of_any_name_make_no_more_series() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        let series = |count: usize| {
            metrics::with_local_recorder(&recorder, || {
                for number in 0..count {
                    let method = Method::from_bytes(format!("M{number}").as_bytes()).unwrap();
                    let request = Request::builder().method(method).body(axum::body::Body::empty()).unwrap();
                    let response = Response::new(axum::body::Body::empty());
                    record(&Labels::of(&request), response.status(), Duration::ZERO);
                }
            });
            handle.render().lines().filter(|line| !line.starts_with('#')).count()
        };
        assert_eq!(series(1), series(1000));
    }
}
