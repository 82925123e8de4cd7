//! The index of names in memory: read at the first question and at the first one behind a change of an artist or a release, shared by
//! questions, and dropped after a while without any. An idle server holds none.

use std::{sync::Arc, time::Duration};

use deadwax_store::{Failure, db::Db, live::Invalidate, statements, tables::Tables};
use rules::terminal_question::{Find, Kind};
use tokio::sync::{Mutex, Semaphore};
use uuid::Uuid;

use super::{
    index::{Hit, Index, number},
    search::Outcome,
};

statements! {
    ARTISTS = "SELECT id, name FROM public_artists ORDER BY id DESC LIMIT $1";
    RELEASES = "SELECT id, title, catalog, CASE WHEN COALESCE(catalog, '') = '' THEN description END AS description \
        FROM public_releases \
        ORDER BY id DESC LIMIT $1";
}

const TABLES: Tables = Tables::ARTISTS.and(Tables::RELEASES);
/// How long the index stays after the last question.
const KEPT: Duration = Duration::from_mins(2);
/// Most names of one kind; the newest entries count.
const MOST: i64 = rules::terminal::NAMES_MAX as i64;
/// Concurrent searches: they occupy a core each.
const PARALLEL: usize = 2;

/// Where the names come from, and how their changes are noticed.
#[derive(Clone, Debug)]
pub struct Source {
    /// The catalogue.
    pub db: Db,
    /// Counts its changes.
    pub changes: Arc<dyn Invalidate>,
}

/// The index while it is needed. Cheap to clone.
#[derive(Clone, Debug)]
pub struct KeptIndex {
    source: Source,
    /// Held while the index is read, so that concurrent questions read it once.
    kept: Arc<Mutex<Option<Kept>>>,
    searches: Arc<Semaphore>,
}

#[derive(Debug)]
struct Kept {
    index: Arc<Index>,
    /// The generation of its tables before it was read.
    made_at: u64,
    was_used: bool,
}

impl KeptIndex {
    /// An empty handle; the first question reads the index.
    pub fn new(source: Source) -> Self {
        Self { source, kept: Arc::default(), searches: Arc::new(Semaphore::new(PARALLEL)) }
    }

    /// Finds the names in a question by one of the ways to search.
    pub async fn search(&self, find: &Find, way: fn(&Index, &Find) -> Outcome) -> Result<Outcome, Failure> {
        let index = self.get().await?;
        let permit = Arc::clone(&self.searches).acquire_owned().await.map_err(anyhow::Error::from)?;
        let find = find.clone();
        let outcome = tokio::task::spawn_blocking(move || {
            // Moved here, so that an abandoned search still counts.
            let _permit = permit;
            way(&index, &find)
        });
        Ok(outcome.await.map_err(anyhow::Error::from)?)
    }

    /// For tests: whether an index is in memory.
    pub fn is_kept(&self) -> bool {
        self.kept.try_lock().is_ok_and(|kept| kept.is_some())
    }

    async fn get(&self) -> sqlx::Result<Arc<Index>> {
        let Source { db, changes } = &self.source;
        let mut slot = self.kept.lock().await;
        let made_at = changes.generation(TABLES);
        if let Some(kept) = slot.as_mut().filter(|kept| kept.made_at == made_at) {
            kept.was_used = true;
            return Ok(Arc::clone(&kept.index));
        }
        let index = Arc::new(read(db).await?);
        tracing::debug!("terminal: read the index of names");
        *slot = Some(Kept { index: Arc::clone(&index), made_at, was_used: true });
        tokio::spawn(drop_unused(Arc::clone(&self.kept), made_at));
        Ok(index)
    }
}

/// Drops the index of this generation, but no newer one, after a while without questions.
async fn drop_unused(slot: Arc<Mutex<Option<Kept>>>, made_at: u64) {
    loop {
        tokio::time::sleep(KEPT).await;
        let mut slot = slot.lock().await;
        let Some(kept) = slot.as_mut().filter(|kept| kept.made_at == made_at) else { return };
        if !std::mem::take(&mut kept.was_used) {
            *slot = None;
            return;
        }
    }
}

/// Reads row by row on one connection, which keeps memory low.
async fn read(db: &Db) -> sqlx::Result<Index> {
    let mut index = Index::default();
    let artist = |(id, name): (Uuid, String)| index.add(Hit { kind: Kind::Artist, id }, &name, None);
    db.query(ARTISTS).bind(MOST).each(artist).await?;
    let release = |(id, title, catalog, description): (Uuid, String, Option<String>, Option<String>)| {
        let number = number(catalog, rules::catalog::catalog_label(description.as_deref()));
        index.add(Hit { kind: Kind::Release, id }, &title, number.as_deref());
    };
    db.query(RELEASES).bind(MOST).each(release).await?;
    Ok(index)
}
