//! A row for each file of a demo and each track of an archive: waiting to be measured, measured or failed, leased by the job that
//! measures them.

use std::ops::Range;

use uuid::Uuid;

use crate::{
    clock::Micros,
    columns::{signed, unsigned},
    db::{Db, Query, Tx},
    ids::DemoId,
    leases::{Lease, LeasedRows, RowKey, leased_rows},
    statements,
};

/// The row of a demo's own file among the rows of its tracks.
pub const FILE: i64 = 0;

/// The failure of a track that is packed by a method which is not unpacked here: its bytes are those of the archive.
pub const PACKED: &str = "packed";

macro_rules! lease {
    ($lock:literal) => {
        concat!(
            "UPDATE demo_sounds SET tries = tries + 1, lease = $2, leased_until = $3 \
             WHERE (demo_id, track) = (SELECT s.demo_id, s.track FROM demo_sounds s \
                 JOIN demo_sounds f ON f.demo_id = s.demo_id AND f.track = 0 \
                 WHERE s.state = 'waiting' AND s.next_try_at <= $1 AND (s.leased_until IS NULL OR s.leased_until <= $1) \
                 ORDER BY s.tries, f.work_ms, s.next_try_at, s.demo_id, s.track LIMIT 1",
            $lock,
            ") RETURNING demo_id, track, tries, name, place_start, place_end, is_deflated, size_bytes, \
             (SELECT f.work_ms FROM demo_sounds f WHERE f.demo_id = demo_sounds.demo_id AND f.track = 0) AS work_ms"
        )
    };
}

statements! {
    QUEUE = "INSERT INTO demo_sounds (demo_id, track, next_try_at) VALUES ($1, 0, $2) ON CONFLICT (demo_id, track) DO NOTHING";
    FORGET = "DELETE FROM demo_sounds WHERE demo_id = $1";
    QUEUE_MISSING = "INSERT INTO demo_sounds (demo_id, track, next_try_at) \
        SELECT d.id, 0, CAST($1 AS BIGINT) FROM demos d \
        WHERE NOT EXISTS (SELECT 1 FROM demo_sounds s WHERE s.demo_id = d.id AND s.track = 0) \
        ON CONFLICT (demo_id, track) DO NOTHING";
    LEASE = lease!(""), postgres lease!(" FOR UPDATE OF s SKIP LOCKED");
    FILE_OF = "SELECT d.file_key, o.size_bytes FROM demos d JOIN objects o ON o.key = d.file_key WHERE d.id = $1";
    CHARGE = "UPDATE demo_sounds SET work_ms = work_ms + $4 WHERE demo_id = $1 AND track = 0 \
        AND EXISTS (SELECT 1 FROM demo_sounds s WHERE s.demo_id = $1 AND s.track = $2 AND s.lease = $3 AND s.state = 'waiting') \
        RETURNING work_ms";
    MEASURED = "UPDATE demo_sounds SET state = 'done', lease = NULL, leased_until = NULL, \
            duration_ms = $4, sample_rate = $5, channels = $6, loudness = $7, true_peak = $8, \
            clipped_samples = $9, silence_start_ms = $10, silence_end_ms = $11, peaks = $12, title = $13, album = $14 \
        WHERE demo_id = $1 AND track = $2 AND lease = $3 AND state = 'waiting'";
    LISTED = "UPDATE demo_sounds SET state = 'done', lease = NULL, leased_until = NULL \
        WHERE demo_id = $1 AND track = $2 AND lease = $3 AND state = 'waiting'";
    INSERT_TRACK = "INSERT INTO demo_sounds (demo_id, track, next_try_at, name, place_start, place_end, is_deflated, size_bytes, \
            state, failure) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
}

leased_rows!("demo_sounds", waiting "waiting", missing "missing", row "demo_id = $1 AND track = $2 AND lease = $3", value "$4");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoundKey {
    pub demo_id: DemoId,
    pub track: i64,
}

impl RowKey for SoundKey {
    const ROWS: &'static LeasedRows = &rows::ROWS;

    fn bind<'q>(&self, query: Query<'q>) -> Query<'q> {
        query.bind(self.demo_id).bind(self.track)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    pub name: String,
    pub place: Range<u64>,
    /// Whether they are deflated (RFC 1951); else they lie there as they are.
    pub is_deflated: bool,
    pub size_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub packed: Packed,
    pub failure: Option<&'static str>,
}

/// The measurements of a sound, in the units of the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    pub duration_ms: u64,
    pub sample_rate: u32,
    pub channels: u32,
    /// Integrated loudness in thousandths of LUFS; none where all of it is silence.
    pub loudness: Option<i64>,
    /// True peak in thousandths of dBTP; none where all of it is zero.
    pub true_peak: Option<i64>,
    pub clipped_samples: u64,
    pub silence_start_ms: u64,
    pub silence_end_ms: u64,
    pub peaks: Vec<u8>,
    pub title: Option<String>,
    pub album: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leased {
    pub row: Lease<SoundKey>,
    /// How long a processor has worked on the whole demo before.
    pub work_ms: u64,
    pub packed: Option<Packed>,
}

#[derive(sqlx_macros::FromRow)]
struct LeasedRow {
    demo_id: DemoId,
    track: i64,
    tries: i64,
    name: Option<String>,
    place_start: Option<i64>,
    place_end: Option<i64>,
    is_deflated: bool,
    size_bytes: Option<i64>,
    work_ms: i64,
}

impl Packed {
    /// As the columns of a row say it; none for the file itself.
    pub fn read(
        name: Option<String>,
        place: (Option<i64>, Option<i64>),
        is_deflated: bool,
        size_bytes: Option<i64>,
    ) -> Option<Self> {
        let [start, end, size_bytes] =
            [place.0, place.1, size_bytes].map(|number| number.map_or(0, unsigned));
        name.map(|name| Self { name, place: start..end, is_deflated, size_bytes })
    }
}

/// Queues a demo whose file was replaced; the lease on its former file is lost.
pub async fn queue_anew(tx: &mut Tx, demo: DemoId, now: Micros) -> sqlx::Result<()> {
    tx.query(FORGET).bind(demo).execute().await?;
    queue(tx, demo, now).await
}

/// Queues a demo, in the transaction that writes its row.
pub async fn queue(tx: &mut Tx, demo_id: DemoId, now: Micros) -> sqlx::Result<()> {
    tx.queued.sounds = true;
    tx.query(QUEUE).bind(demo_id).bind(now).execute().await.map(drop)
}

/// Queues the demos without a row, such as those of an old backup; returns how many.
pub async fn queue_missing(db: &Db, now: Micros) -> sqlx::Result<u64> {
    db.write(QUEUE_MISSING).bind(now).execute().await
}

/// Leases the next row that is due until `until`: interrupted ones last, otherwise of the demo with the least work spent on it, so
/// that no demo waits for all tracks of another.
pub async fn lease(db: &Db, now: Micros, until: Micros) -> sqlx::Result<Option<Leased>> {
    let id = Uuid::new_v4().simple().to_string();
    let row = db.write(LEASE).bind(now).bind(&id).bind(until).optional::<LeasedRow>().await?;
    Ok(row.map(|row| {
        let key = SoundKey { demo_id: row.demo_id, track: row.track };
        Leased {
            row: Lease { key, tries: row.tries, id },
            work_ms: unsigned(row.work_ms),
            packed: Packed::read(row.name, (row.place_start, row.place_end), row.is_deflated, row.size_bytes),
        }
    }))
}

pub async fn file_of(db: &Db, demo_id: DemoId) -> sqlx::Result<Option<(String, u64)>> {
    let found = db.query(FILE_OF).bind(demo_id).optional::<(String, i64)>().await?;
    Ok(found.map(|(key, size)| (key, unsigned(size))))
}

impl AsRef<Lease<SoundKey>> for Leased {
    fn as_ref(&self) -> &Lease<SoundKey> {
        &self.row
    }
}

impl Leased {
    /// Adds to the work on the whole demo and returns its sum; none if the lease is lost.
    pub async fn charge(&self, db: &Db, work_ms: u64) -> sqlx::Result<Option<u64>> {
        Ok(self.row.bind(db.write(CHARGE)).bind(signed(work_ms)).maybe().await?.map(unsigned))
    }

    /// Stores what was measured. False, with nothing written, if the lease is lost.
    pub async fn measured(&self, db: &Db, found: &Measured) -> sqlx::Result<bool> {
        let measured = self
            .row
            .bind(db.write(MEASURED))
            .bind(signed(found.duration_ms))
            .bind(i64::from(found.sample_rate))
            .bind(i64::from(found.channels))
            .bind(found.loudness)
            .bind(found.true_peak)
            .bind(signed(found.clipped_samples))
            .bind(signed(found.silence_start_ms))
            .bind(signed(found.silence_end_ms))
            .bind(found.peaks.as_slice())
            .bind(found.title.as_deref())
            .bind(found.album.as_deref());
        Ok(measured.execute().await? > 0)
    }

    /// Queues the tracks of an archive. False, with nothing written, if the lease is lost.
    pub async fn listed(&self, db: &Db, tracks: &[Listed], now: Micros) -> sqlx::Result<bool> {
        let mut tx = db.begin().await?;
        if self.row.bind(tx.query(LISTED)).execute().await? == 0 {
            return Ok(false);
        }
        for (number, Listed { packed: track, failure }) in (FILE + 1..).zip(tracks) {
            tx.query(INSERT_TRACK)
                .bind(self.row.key.demo_id)
                .bind(number)
                .bind(now)
                .bind(&track.name)
                .bind(signed(track.place.start))
                .bind(signed(track.place.end))
                .bind(track.is_deflated)
                .bind(signed(track.size_bytes))
                .bind(if failure.is_some() { "failed" } else { "waiting" })
                .bind(*failure)
                .execute()
                .await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}
