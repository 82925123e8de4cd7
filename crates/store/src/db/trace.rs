//! Logs the database: a span and a line for each statement, with its name and never its values.

use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use tracing::{Instrument as _, field};

/// Slower statements are logged by default.
const SLOW: Duration = Duration::from_millis(rules::request::SLOW_QUERY_MS);

/// Runs `work` in a span and logs its time, with the wait for a connection: at `debug`, or at `warn` if it was slow. `rows` counts
/// the rows of an outcome. `work` is boxed because it is part of many futures.
///
/// Errors are not logged here: a driver may repeat values in them.
pub(super) async fn traced<T>(
    statement: &'static str,
    engine: &'static str,
    rows: fn(&T) -> Option<u64>,
    work: BoxFuture<'_, sqlx::Result<T>>,
) -> sqlx::Result<T> {
    let span = tracing::debug_span!("query", statement, engine, rows = field::Empty);
    let started = Instant::now();
    let outcome = work.instrument(span.clone()).await;
    let elapsed = started.elapsed();
    let rows = outcome.as_ref().ok().and_then(rows);
    span.record("rows", rows);
    log(statement, engine, rows, outcome.is_err(), elapsed);
    outcome
}

/// A line of the request or the job, not of the query's own span: so it says whose query it was.
fn log(statement: &str, engine: &str, rows: Option<u64>, failed: bool, elapsed: Duration) {
    let micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
    let failed = failed.then_some(true);
    if elapsed >= SLOW {
        tracing::warn!(statement, engine, rows, failed, micros, "slow query");
    } else {
        tracing::debug!(statement, engine, rows, failed, micros, "query");
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read as _, Seek as _},
        sync::Arc,
    };

    use serde_json::Value;
    use tracing::Level;

    use super::*;

    /// The lines that `work` writes at a level, as the log has them.
    fn lines(level: Level, work: impl FnOnce()) -> Vec<Value> {
        let written = Arc::new(tempfile::tempfile().unwrap());
        let subscriber = tracing_subscriber::fmt()
            .json()
            .flatten_event(true)
            .with_max_level(level)
            .with_writer(Arc::clone(&written))
            .finish();
        tracing::subscriber::with_default(subscriber, work);
        let mut text = String::new();
        written.as_ref().rewind().unwrap();
        written.as_ref().read_to_string(&mut text).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_slow_query_is_logged_by_name_and_time_and_a_quick_one_only_at_debug() {
        let logged = lines(Level::INFO, || {
            log("artists::FIND", "SQLite", Some(1), false, SLOW / 2);
            log("artists::LIST", "SQLite", Some(50), false, SLOW);
        });
        let [line] = logged.as_slice() else { panic!("{logged:?}") };
        assert_eq!(
            (line["level"].as_str(), line["message"].as_str(), line["statement"].as_str()),
            (Some("WARN"), Some("slow query"), Some("artists::LIST"))
        );
        assert_eq!(line["rows"], 50);
        assert_eq!(line["micros"], rules::request::SLOW_QUERY_MS * 1000);
        let asked = lines(Level::DEBUG, || log("artists::FIND", "SQLite", None, true, Duration::ZERO));
        assert_eq!(asked.len(), 1);
        assert_eq!((asked[0]["level"].as_str(), asked[0]["failed"].as_bool()), (Some("DEBUG"), Some(true)));
    }
}
