//! Bounds on the log: a line that strangers can cause is written some times in a while, and then only counted.
//!
//! Counted for each callsite that writes lines, so that a flood at one leaves the others alone.

use std::{
    borrow::Cow,
    collections::HashMap,
    fmt,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rules::{
    demo_name::without_artists,
    rate_limit::{LOG_LINES, LOG_SPAN_MS},
};
use tracing::{Event, Level, Subscriber};
use tracing_log::NormalizeEvent as _;
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent, FormatFields,
        format::Writer,
        time::{FormatTime as _, SystemTime},
    },
    registry::LookupSpan,
};

const SPAN: Duration = Duration::from_millis(LOG_SPAN_MS);

/// Writes events as `F` does, except those of a callsite that has used up its share.
///
/// `debug` and `trace` are complete: an operator turns them on to see every line.
pub(crate) struct Sampled<F> {
    inner: F,
    callsites: Mutex<HashMap<Cow<'static, str>, Callsite>>,
}

struct Callsite {
    since: Instant,
    lines: u32,
    left_out: u64,
}

impl<F> Sampled<F> {
    pub(crate) fn new(inner: F) -> Self {
        Self { inner, callsites: Mutex::default() }
    }

    fn take(&self, callsite: Cow<'static, str>, now: Instant) -> Option<u64> {
        let mut callsites = self.callsites.lock().unwrap_or_else(PoisonError::into_inner);
        let callsite = callsites.entry(callsite).or_insert(Callsite { since: now, lines: 0, left_out: 0 });
        if now.duration_since(callsite.since) >= SPAN {
            (callsite.since, callsite.lines) = (now, 0);
        }
        if callsite.lines < LOG_LINES {
            callsite.lines += 1;
            Some(std::mem::take(&mut callsite.left_out))
        } else {
            callsite.left_out += 1;
            None
        }
    }
}

/// The callsite of an event, by file and line. `tracing` names it so; lines of the crate `log` all have one name.
fn place(event: &Event<'_>) -> Cow<'static, str> {
    match event.normalized_metadata() {
        Some(line) => {
            let (file, number) = (line.file().unwrap_or(line.target()), line.line().unwrap_or_default());
            format!("event {file}:{number}").into()
        }
        None => event.metadata().name().into(),
    }
}

fn write_left_out(writer: &mut Writer<'_>, place: &str, lines: u64) -> fmt::Result {
    writer.write_str(r#"{"timestamp":""#)?;
    SystemTime.format_time(writer)?;
    writeln!(
        writer,
        r#"","level":"WARN","message":"lines like the next one were left out","lines":{lines},"place":"{place}","target":"{}"}}"#,
        module_path!()
    )
}

impl<S, N, F> FormatEvent<S, N> for Sampled<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        if *event.metadata().level() > Level::INFO {
            return self.inner.format_event(context, writer, event);
        }
        let place = place(event);
        match self.take(place.clone(), Instant::now()) {
            None => {
                metrics::counter!("deadwax_log_lines_left_out_total").increment(1);
                Ok(())
            }
            Some(left_out) => {
                if left_out > 0 {
                    write_left_out(&mut writer, &place, left_out)?;
                }
                self.inner.format_event(context, writer, event)
            }
        }
    }
}

/// Writes events as `F` does, without the artists in keys of demos. Here, because libraries write lines about keys too.
pub(crate) struct WithoutArtists<F>(pub(crate) F);

impl<S, N, F> FormatEvent<S, N> for WithoutArtists<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = String::new();
        self.0.format_event(context, Writer::new(&mut line), event)?;
        writer.write_str(&without_artists(&line))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{io, sync::Arc};

    use tracing_log::log::{self, Record};

    use super::*;

    #[derive(Clone, Default)]
    pub(crate) struct Written(pub(crate) Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Writes a line as a library does through the crate `log`.
    fn library_warns(line: u32, text: &str) {
        let mut record = Record::builder();
        record.level(log::Level::Warn).target("a").file(Some("a.rs")).line(Some(line));
        tracing_log::format_trace(&record.args(format_args!("{text}")).build()).unwrap();
    }

    #[test]
    fn a_flood_at_one_place_is_cut_and_leaves_the_others_alone() {
        let written = Written::default();
        let to = written.clone();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .with_max_level(Level::DEBUG)
            .map_event_format(Sampled::new)
            .with_writer(move || to.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            for number in 0..1000 {
                tracing::info!(number, "flood");
                tracing::debug!(number, "asked for");
                library_warns(1, "library");
            }
            tracing::warn!("another");
            library_warns(2, "elsewhere");
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
        assert_eq!((count("flood"), count("asked for"), count("another")), (50, 1000, 1));
        assert_eq!((count("library"), count("elsewhere")), (50, 1));
    }

    #[test]
    fn the_line_about_left_out_lines_has_the_fields_of_every_line() {
        let read = |line: &str| -> serde_json::Map<String, serde_json::Value> {
            serde_json::from_str(line).unwrap()
        };
        let mut line = String::new();
        write_left_out(&mut Writer::new(&mut line), "event crates/x.rs:1", 10).unwrap();
        let left_out = read(&line);
        let written = Written::default();
        let to = written.clone();
        let subscriber = crate::observe::log_to("info", move || to.clone()).unwrap();
        tracing::subscriber::with_default(subscriber, || tracing::warn!("another"));
        let another = read(str::from_utf8(&written.0.lock().unwrap()).unwrap());
        assert!(another.keys().all(|key| left_out.contains_key(key)), "{another:?} {left_out:?}");
        assert_eq!((&left_out["lines"], &left_out["level"]), (&10.into(), &another["level"]));
        let length =
            |line: &serde_json::Map<String, serde_json::Value>| line["timestamp"].as_str().map(str::len);
        assert_eq!(length(&left_out), length(&another));
    }

    #[test]
    fn no_line_names_the_artist_of_a_demo() {
        let written = Written::default();
        let to = written.clone();
        let subscriber = crate::observe::log_to("debug", move || to.clone()).unwrap();
        let key = "demos/1764000000000_0badcafe_Rhythm_S\u{f6}und.wav";
        tracing::subscriber::with_default(subscriber, || {
            let _span = tracing::info_span!("job", key).entered();
            tracing::warn!(cause = format!("PUT http://b/{key}: no answer"), ?key, "put off");
            tracing::debug!(key, "asked for");
            library_warns(3, &format!("\"http://b/{}\"", key.replace('\u{f6}', "%C3%B6")));
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        for line in text.lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
        let count = |what: &str| text.matches(what).count();
        assert_eq!((text.lines().count(), count("0badcafe"), count("Rhythm")), (3, 7, 0), "{text}");
    }

    #[test]
    fn what_was_left_out_is_reported_with_the_next_line() {
        let sampled = Sampled::new(());
        let start = Instant::now();
        let taken = (0..60).filter(|_| sampled.take("here".into(), start).is_some()).count();
        assert_eq!(taken, 50);
        assert_eq!(sampled.take("there".into(), start), Some(0));
        assert_eq!(sampled.take("here".into(), start + SPAN), Some(10));
        assert_eq!(sampled.take("here".into(), start + SPAN), Some(0));
    }
}
