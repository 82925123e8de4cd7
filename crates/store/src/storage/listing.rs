//! Lists every file of the folder or bucket, with or without a row.

use std::{path::Path as FsPath, time::UNIX_EPOCH};

use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use object_store::{ObjectStoreExt as _, path::Path};

use super::{Storage, StorageError, reading::stays_inside};
use crate::clock::Micros;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its key; for a file that was never finished, the name it lies under.
    pub key: String,
    pub size_bytes: u64,
    /// When it was written, by the clock of the storage.
    pub written_at: Micros,
}

impl Storage {
    /// Every whole file, in no order.
    pub fn list(&self) -> BoxStream<'static, Result<Stored, StorageError>> {
        let listed = self.store().list(None).map_err(StorageError::from);
        listed
            .map_ok(|meta| Stored {
                key: meta.location.to_string(),
                size_bytes: meta.size,
                written_at: meta.last_modified.timestamp_micros(),
            })
            .boxed()
    }

    pub async fn is_readable(&self) -> bool {
        !matches!(self.list().next().await, Some(Err(_)))
    }

    /// The files that writing was cut off at: in a folder they lie as `name#1` beside the others, and no list names them. A
    /// bucket keeps the pieces of such uploads to itself.
    pub async fn list_unfinished(&self) -> Result<Vec<Stored>, StorageError> {
        let Self::Local { root, .. } = self else { return Ok(Vec::new()) };
        let root = root.clone();
        let found = tokio::task::spawn_blocking(move || {
            let mut found = Vec::new();
            walk(&root, &root, &mut found).map(|()| found)
        });
        found.await.map_err(std::io::Error::other).flatten().map_err(StorageError::Disk)
    }

    /// Removes those of them that were begun before an instant; answers how many.
    pub async fn remove_unfinished(&self, before: Micros) -> Result<usize, StorageError> {
        let Self::Local { root, .. } = self else { return Ok(0) };
        let old = self.list_unfinished().await?.into_iter().filter(|file| file.written_at < before);
        let mut removed = 0;
        for file in old {
            tokio::fs::remove_file(root.join(&file.key)).await.map_err(StorageError::Disk)?;
            removed += 1;
        }
        Ok(removed)
    }

    pub async fn size(&self, key: &str) -> Result<u64, StorageError> {
        let path = Path::parse(key).map_err(object_store::Error::from)?;
        if let Self::Local { root, .. } = self {
            stays_inside(root, key).await?;
        }
        Ok(self.store().head(&path).await?.size)
    }
}

fn walk(root: &FsPath, folder: &FsPath, found: &mut Vec<Stored>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // One that goes while it is looked at is gone.
        let Ok(data) = entry.metadata() else { continue };
        if data.is_dir() {
            walk(root, &path, found)?;
        } else if is_unfinished(&path) {
            let written_at = data.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
            found.push(Stored {
                key: path.strip_prefix(root).unwrap_or(&path).display().to_string(),
                size_bytes: data.len(),
                written_at: i64::try_from(written_at.as_micros()).unwrap_or(i64::MAX),
            });
        }
    }
    Ok(())
}

/// `name#1`: how the store calls a file until it is whole.
fn is_unfinished(path: &FsPath) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let number = name.rsplit_once('#').map_or("", |(_, number)| number);
    !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_never_finished_is_told_by_its_name() {
        let names = ["a.png#1", "a.png#27", "a.png", "a#.png", "a.png#", "a.png#1x"];
        let found = names.map(|name| is_unfinished(FsPath::new(name)));
        assert_eq!(found, [true, true, false, false, false, false]);
    }
}
