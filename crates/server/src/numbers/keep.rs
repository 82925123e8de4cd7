//! Numbers become rows: every ten seconds and at the end of the program. When a day has ended, the sketches of its visitors become a
//! number and its key goes; after 25 months its days become a month.

use std::{collections::BTreeMap, time::Duration};

use anyhow::Context as _;
use deadwax_store::{
    clock::{Micros, SECOND},
    columns::Named as _,
    db::{Db, Tx},
    statements,
};
use jiff::{ToSpan as _, civil::Date, tz::TimeZone};
use rules::numbers::{COUNTED_RELEASES, DAYS_KEPT_MONTHS, OTHER, SOURCES_A_DAY, SUBJECTS_A_DAY};
use uuid::Uuid;

use super::{
    held::{Drained, Key, Subject},
    kind::{Kind, day_of},
    sketch::Sketch,
};
use crate::{
    app::{App, AppState},
    content::time_zone,
};

const EVERY: Duration = Duration::from_secs(10);
/// By then every instance has written its numbers of the day before.
const SETTLED_AFTER: Micros = 60 * SECOND;

statements! {
    KEY = "SELECT sealed_key FROM number_days WHERE day = $1";
    NEW_KEY = "INSERT INTO number_days (day, sealed_key) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING";
    // Instances write a day one after the other.
    LOCK_DAY = "SELECT day FROM number_days WHERE day = $1", postgres + " FOR UPDATE";
    ADD = "UPDATE numbers SET n = n + $5 WHERE day = $1 AND kind = $2 AND subject = $3 AND value = $4";
    INSERT = "INSERT INTO numbers (day, kind, subject, value, n) VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (day, kind, subject, value) DO UPDATE SET n = numbers.n + excluded.n";
    NAMED = "SELECT COUNT(*) FROM numbers WHERE day = $1 AND (kind = 'source') = $2";
    SKETCH = "SELECT registers FROM number_sketches WHERE day = $1 AND subject = $2";
    SKETCHED = "SELECT COUNT(*) FROM number_sketches WHERE day = $1 AND subject <> ''";
    NEW_SKETCH = "INSERT INTO number_sketches (day, subject, registers) VALUES ($1, $2, $3)";
    SAVE_SKETCH = "UPDATE number_sketches SET registers = $3 WHERE day = $1 AND subject = $2";
    END_DAYS = "DELETE FROM number_days WHERE day < $1";
    END_SKETCHES = "DELETE FROM number_sketches WHERE day < $1 RETURNING day, subject, registers";
    END_MONTHS = "DELETE FROM numbers WHERE day < $1 AND LENGTH(day) = 10 RETURNING day, kind, subject, value, n";
    RELEASE_AT = "SELECT r.id FROM slugs s JOIN public_releases r ON r.id = s.release_id WHERE s.slug = $1";
    LETTER_AT = "SELECT id FROM letters WHERE slug = $1";
    RELEASE = "SELECT id FROM public_releases WHERE id = $1";
    ARTIST = "SELECT id FROM public_artists WHERE id = $1";
}

/// The key of the hashes of a day's visitors, the same for all instances.
pub(super) async fn key(app: &App, day: Date) -> anyhow::Result<[u8; 32]> {
    let mut kept = app.numbers.key.lock().await;
    if let Some((of, key)) = *kept
        && of == day
    {
        return Ok(key);
    }
    let (name, purpose) = (day.to_string(), format!("numbers:{day}"));
    let sealed = app.keys.seal(&purpose, &rand::random::<[u8; 32]>())?;
    let mut tx = app.db.begin().await?;
    tx.query(NEW_KEY).bind(&name).bind(sealed).execute().await?;
    let sealed = tx.query(KEY).bind(&name).value::<Vec<u8>>().await?;
    tx.commit().await?;
    let opened =
        app.keys.open(&purpose, &sealed).with_context(|| format!("number_days.sealed_key of {day}"))?;
    let key = <[u8; 32]>::try_from(opened.as_slice())
        .with_context(|| format!("number_days.sealed_key of {day}"))?;
    *kept = Some((day, key));
    Ok(key)
}

/// Writes the numbers until the program stops. It ends between two writes, so that none is lost; the last is [`flush`].
pub async fn keep(app: AppState) {
    let mut settled = None;
    loop {
        flush(&app).await;
        match settle_new_day(&app, settled).await {
            Ok(today) => settled = Some(today),
            Err(error) => tracing::warn!(cause = format!("{error:#}"), "ending the numbers of a day"),
        }
        if app.stop.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_none() {
            return;
        }
    }
}

/// Writes the numbers of this process; they are kept for the next time if that fails.
pub async fn flush(app: &App) {
    let drained = app.numbers.held().drain();
    if drained.is_empty() {
        return;
    }
    if let Err(error) = write(&app.db, &drained).await {
        tracing::warn!(cause = format!("{error:#}"), "writing the numbers of visits");
        app.numbers.held().put_back(drained);
    }
}

/// A row: kind, subject, value.
type Row = (Kind, String, &'static str);

async fn write(db: &Db, drained: &Drained) -> anyhow::Result<()> {
    let mut tx = db.begin().await?;
    let mut days: BTreeMap<Date, BTreeMap<Row, i64>> = BTreeMap::new();
    let mut sketches: BTreeMap<(Date, String), Sketch> = BTreeMap::new();
    let mut known = Known::default();
    for (Key { day, kind, subject, value }, n) in &drained.counts {
        if let Some(subject) = known.name(&mut tx, *kind, subject).await? {
            *days.entry(*day).or_default().entry((*kind, subject, value)).or_default() += n;
        }
    }
    for ((day, kind, subject), sketch) in &drained.sketches {
        let Some(subject) = known.name(&mut tx, *kind, subject).await? else { continue };
        sketches.entry((*day, String::new())).or_default().merge(sketch);
        if *kind == Kind::Release {
            sketches.entry((*day, subject)).or_default().merge(sketch);
        }
    }
    for (day, rows) in days {
        let day = day.to_string();
        tx.query(LOCK_DAY).bind(&day).execute().await?;
        for ((kind, subject, value), n) in rows {
            add_within_bounds(&mut tx, &day, (kind, subject, value), n).await?;
        }
    }
    for ((day, subject), sketch) in sketches {
        merge(&mut tx, &day.to_string(), &subject, sketch).await?;
    }
    Ok(tx.commit().await?)
}

/// Names of what browsers said, looked up once.
#[derive(Default)]
struct Known(BTreeMap<(Kind, Subject), Option<String>>);

impl Known {
    /// The subject in rows; none for a release, artist or letter that visitors cannot see.
    async fn name(&mut self, tx: &mut Tx, kind: Kind, subject: &Subject) -> sqlx::Result<Option<String>> {
        if let Some(name) = self.0.get(&(kind, subject.clone())) {
            return Ok(name.clone());
        }
        let found = match subject {
            Subject::Site => return Ok(Some(String::new())),
            Subject::Page(path) => return Ok(Some((*path).to_owned())),
            Subject::Host(host) => return Ok(Some(host.clone())),
            Subject::Other => return Ok(Some(OTHER.to_owned())),
            Subject::Slug(slug) => {
                let find = if kind == Kind::Release { RELEASE_AT } else { LETTER_AT };
                tx.query(find).bind(slug).maybe::<Uuid>().await?
            }
            Subject::Id(id) => {
                let find = if kind == Kind::Artist { ARTIST } else { RELEASE };
                tx.query(find).bind(*id).maybe::<Uuid>().await?
            }
        };
        let name = found.map(|id| id.to_string());
        self.0.insert((kind, subject.clone()), name.clone());
        Ok(name)
    }
}

/// Adds to a number of the website, in the transaction of its cause: exact, and also counted where visits are not.
pub async fn add_in(tx: &mut Tx, now: Micros, kind: Kind, n: i64) -> sqlx::Result<()> {
    let day = day_of(now, &time_zone::stored(&mut *tx).await?).to_string();
    add(tx, &day, kind, "", "", n).await
}

async fn add(tx: &mut Tx, day: &str, kind: Kind, subject: &str, value: &str, n: i64) -> sqlx::Result<()> {
    tx.query(INSERT).bind(day).bind(kind.as_str()).bind(subject).bind(value).bind(n).execute().await?;
    Ok(())
}

/// Adds to a number that is there, or makes it while there are not too many.
async fn add_within_bounds(tx: &mut Tx, day: &str, (kind, subject, value): Row, n: i64) -> sqlx::Result<()> {
    let there =
        tx.query(ADD).bind(day).bind(kind.as_str()).bind(&subject).bind(value).bind(n).execute().await?;
    if there > 0 {
        return Ok(());
    }
    let is_source = kind == Kind::Source;
    let most = if is_source { SOURCES_A_DAY } else { SUBJECTS_A_DAY };
    let named = tx.query(NAMED).bind(day).bind(is_source).value::<i64>().await?;
    let is_full = usize::try_from(named).is_ok_and(|named| named >= most);
    let may_be_other = !matches!(subject.as_bytes(), [] | [b'/', ..]);
    let subject = if is_full && may_be_other { OTHER } else { &subject };
    add(tx, day, kind, subject, value, n).await
}

/// Adds visitors to a day that has not ended. Later ones are not counted.
async fn merge(tx: &mut Tx, day: &str, subject: &str, mut sketch: Sketch) -> anyhow::Result<()> {
    if !tx.query(LOCK_DAY).bind(day).exists().await? {
        return Ok(());
    }
    let Some(registers) = tx.query(SKETCH).bind(day).bind(subject).maybe::<Vec<u8>>().await? else {
        let sketched = tx.query(SKETCHED).bind(day).value::<i64>().await?;
        if subject.is_empty() || usize::try_from(sketched).is_ok_and(|number| number < COUNTED_RELEASES) {
            tx.query(NEW_SKETCH).bind(day).bind(subject).bind(sketch.registers()).execute().await?;
        }
        return Ok(());
    };
    sketch.merge(&stored(registers, day, subject)?);
    tx.query(SAVE_SKETCH).bind(day).bind(subject).bind(sketch.registers()).execute().await?;
    Ok(())
}

/// A sketch of a row. An error names the row, whose registers are damaged.
pub(super) fn stored(registers: Vec<u8>, day: &str, subject: &str) -> anyhow::Result<Sketch> {
    Sketch::of(registers).with_context(|| format!("number_sketches.registers of {day} {subject}"))
}

/// Ends the days before today unless that was done on the day `settled`; returns today.
pub async fn settle_new_day(app: &App, settled: Option<Date>) -> anyhow::Result<Date> {
    let now = app.clock.now();
    let today = |zone: &TimeZone| day_of(now - SETTLED_AFTER, zone);
    let known = today(&app.known_label.last().time_zone);
    if settled == Some(known) {
        return Ok(known);
    }
    // Another instance may have changed the time zone.
    let label = app.known_label.current(&app.db).await?;
    settle(&app.db, &label.time_zone, now).await?;
    Ok(today(&label.time_zone))
}

/// Ends the days before today: their visitors become numbers, their keys and sketches go. Days older than 25 months become months.
pub async fn settle(db: &Db, zone: &TimeZone, now: Micros) -> anyhow::Result<()> {
    let today = day_of(now - SETTLED_AFTER, zone);
    let mut tx = db.begin().await?;
    tx.query(END_DAYS).bind(today.to_string()).execute().await?;
    let ended = tx.query(END_SKETCHES).bind(today.to_string()).all::<(String, String, Vec<u8>)>().await?;
    for (day, subject, registers) in ended {
        match stored(registers, &day, &subject) {
            Ok(sketch) => add(&mut tx, &day, Kind::Visitors, &subject, "", sketch.estimate()).await?,
            Err(error) => tracing::error!(cause = format!("{error:#}"), "the visitors of a day are lost"),
        }
    }
    let kept_from = today.checked_sub(i64::from(DAYS_KEPT_MONTHS).months())?.to_string();
    let old = tx.query(END_MONTHS).bind(kept_from).all::<(String, String, String, String, i64)>().await?;
    let mut months: BTreeMap<(String, String, String, String), i64> = BTreeMap::new();
    for (day, kind, subject, value, n) in old {
        let month = day.get(..7).unwrap_or(&day).to_owned();
        *months.entry((month, kind, subject, value)).or_default() += n;
    }
    for ((month, kind, subject, value), n) in months {
        tx.query(INSERT).bind(month).bind(kind).bind(subject).bind(value).bind(n).execute().await?;
    }
    Ok(tx.commit().await?)
}
