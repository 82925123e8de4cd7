//! The index of names in memory: read at the first question and at the first one behind a change of an artist or a release, shared by
//! questions, and dropped after a while without any. An idle server holds none.

use std::{
    sync::{
        Arc, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use deadwax_store::{db::Db, live::Invalidate, statements, tables::Tables};
use rules::terminal_question::{Find, Kind};
use tokio::sync::Semaphore;
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

/// Why a lookup failed.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// The catalogue could not be read.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// A search that panicked.
    #[error(transparent)]
    Failed(anyhow::Error),
}

/// The index while it is needed. Cheap to clone.
#[derive(Clone, Debug)]
pub struct KeptIndex {
    source: Source,
    /// Held while the index is read, so that concurrent questions read it once.
    building: Arc<tokio::sync::Mutex<()>>,
    kept: Arc<Slot>,
    searches: Arc<Semaphore>,
}

type Slot = std::sync::Mutex<Option<Arc<Kept>>>;

#[derive(Debug)]
struct Kept {
    index: Index,
    /// The generation of its tables before it was read.
    made_at: u64,
    was_used: AtomicBool,
}

impl KeptIndex {
    /// An empty handle; the first question reads the index.
    pub fn new(source: Source) -> Self {
        let searches = Arc::new(Semaphore::new(PARALLEL));
        Self { source, building: Arc::default(), kept: Arc::default(), searches }
    }

    /// Finds the names in a question by one of the ways to search.
    pub async fn search(
        &self,
        find: &Find,
        way: fn(&Index, &Find) -> Outcome,
    ) -> Result<Outcome, LookupError> {
        let kept = self.get().await?;
        let permit = Arc::clone(&self.searches)
            .acquire_owned()
            .await
            .map_err(|closed| LookupError::Failed(closed.into()))?;
        let find = find.clone();
        let outcome = tokio::task::spawn_blocking(move || {
            // Moved here, so that an abandoned search still counts.
            let _permit = permit;
            way(&kept.index, &find)
        });
        outcome.await.map_err(|panicked| LookupError::Failed(panicked.into()))
    }

    /// Whether an index is in memory.
    pub fn is_kept(&self) -> bool {
        self.slot().is_some()
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Arc<Kept>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn current(&self) -> Option<Arc<Kept>> {
        let kept =
            self.slot().clone().filter(|kept| kept.made_at == self.source.changes.generation(TABLES))?;
        kept.was_used.store(true, Ordering::Relaxed);
        Some(kept)
    }

    async fn get(&self) -> sqlx::Result<Arc<Kept>> {
        if let Some(kept) = self.current() {
            return Ok(kept);
        }
        let _building = self.building.lock().await;
        if let Some(kept) = self.current() {
            return Ok(kept);
        }
        let Source { db, changes } = &self.source;
        let made_at = changes.generation(TABLES);
        let kept = Arc::new(Kept { index: read(db).await?, made_at, was_used: AtomicBool::new(true) });
        tracing::debug!("terminal: read the index of names");
        *self.slot() = Some(Arc::clone(&kept));
        tokio::spawn(drop_unused(Arc::clone(&self.kept), Arc::downgrade(&kept)));
        Ok(kept)
    }
}

/// Drops this index, but no newer one, after a while without questions.
async fn drop_unused(slot: Arc<Slot>, index: Weak<Kept>) {
    loop {
        tokio::time::sleep(KEPT).await;
        if index.upgrade().is_none_or(|kept| !kept.was_used.swap(false, Ordering::Relaxed)) {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            slot.take_if(|kept| std::ptr::eq(Arc::as_ptr(kept), index.as_ptr()));
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
