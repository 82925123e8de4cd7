//! The catalogue as a plan needs it: the releases a table names by id, the artists, and the catalogue numbers in use.

use std::collections::{HashMap, HashSet};

use deadwax_store::{
    db::Source,
    ids::{ArtistId, ReleaseId},
    statements,
};
use rules::{catalog_number, import::artist_key};

use crate::{
    catalogue::publication,
    exports::{TableRow, select_table_rows},
};

const BATCH: usize = 500;

statements! {
    BY_ID = concat!(select_table_rows!(), " WHERE r.id IN (SELECT unhex(value ->> 'id') FROM json_each($1))");
    // Of two with one name, the one entered first is found.
    ARTISTS = "SELECT id, name, deleted_at IS NOT NULL FROM artists ORDER BY created_at DESC, id DESC";
    TRASHED_FILES = "SELECT '/media/' || file_path FROM media_files WHERE deleted_at IS NOT NULL";
    NUMBERS = "SELECT catalog FROM releases WHERE catalog IS NOT NULL AND deleted_at IS NULL";
}

#[derive(Debug, Default)]
pub struct Known {
    pub releases: HashMap<ReleaseId, TableRow>,
    pub artists: HashMap<String, ArtistId>,
    /// The [`artist_key`] of each artist in the trash.
    pub trashed_artists: HashMap<ArtistId, String>,
    pub trashed: HashSet<String>,
    /// The number of releases with each catalogue number, by [`catalog_number::key`].
    pub numbers: HashMap<String, usize>,
}

impl Known {
    /// Whether a cover's address, with or without the origin, names a file in the trash.
    pub fn is_trashed(&self, url: &str) -> bool {
        url.find("/media/").is_some_and(|place| self.trashed.contains(&url[place..]))
    }

    pub async fn read(mut source: Source<'_>, ids: &[ReleaseId]) -> sqlx::Result<Self> {
        let mut known = Self::default();
        for some in ids.chunks(BATCH) {
            source
                .query(BY_ID)
                .bind(publication::list(some.iter().map(|id| id.0)))
                .each(|row: TableRow| {
                    known.releases.insert(row.id, row);
                })
                .await?;
        }
        source
            .query(ARTISTS)
            .each(|(id, name, is_trashed): (ArtistId, String, bool)| {
                if is_trashed {
                    known.trashed_artists.insert(id, artist_key(&name));
                } else {
                    known.artists.insert(artist_key(&name), id);
                }
            })
            .await?;
        known.trashed.extend(source.query(TRASHED_FILES).values::<String>().await?);
        for catalog in source.query(NUMBERS).values::<String>().await? {
            *known.numbers.entry(catalog_number::key(&catalog)).or_default() += 1;
        }
        Ok(known)
    }
}
