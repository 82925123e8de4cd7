//! Reading files, for visitors, who may be slow, and for the program itself; and listing them, with or without a row.

use std::{
    ops::Range,
    path::Path as FsPath,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use bytes::{Bytes, BytesMut};
use futures_util::{
    StreamExt as _, TryStreamExt as _,
    stream::{self, BoxStream},
};
use object_store::{
    GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt as _, local::LocalFileSystem, path::Path,
};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::{ByteStream, Storage, StorageError};
use crate::clock::Micros;

/// Reads for visitors under way: each has a file open, or a connection to the bucket.
static READS: Semaphore = Semaphore::const_new(rules::connection::FILE_READS);

/// How long a read waits to be one of them.
const READ_WAIT: Duration = Duration::from_millis(rules::connection::FILE_READ_WAIT_MS);

/// Read at once for a visitor: what an answer that waits takes of memory.
const PIECE: u64 = 128 * 1024;

/// Asked of a bucket at once: its answer, the body included, has ten seconds.
const STRETCH: u64 = 8 * 1024 * 1024;

/// A file system may have it at its root, readable by root alone.
const LOST_AND_FOUND: &str = "lost+found";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its key; for a file that was never finished, the name it lies under.
    pub key: String,
    pub size_bytes: u64,
    /// When it was written, by the clock of the storage.
    pub written_at: Micros,
}

impl Storage {
    /// The bytes `range` of a file for a slow reader: reads on demand, and holds neither a file nor a connection open between two
    /// pieces. At most [`rules::connection::FILE_READS`] pieces are read at once, first come, first served; a wait of
    /// [`rules::connection::FILE_READ_WAIT_MS`] is an error.
    pub fn read_slowly(&self, key: String, range: Range<u64>) -> ByteStream {
        let state = (self.clone(), key, range);
        let pieces = stream::try_unfold(state, async |(storage, key, mut rest)| {
            if rest.is_empty() {
                return Ok(None);
            }
            let piece = rest.start..rest.end.min(rest.start + PIECE);
            rest.start = piece.end;
            let bytes = storage.read_piece(Path::parse(&key)?, piece).await?;
            Ok(Some((bytes, (storage, key, rest))))
        });
        Box::pin(pieces)
    }

    /// Reads in a spawned task: an answer is not polled while its peer reads nothing, and would hold its permit as long; and an
    /// abandoned read has a file open until it ends.
    async fn read_piece(&self, path: Path, piece: Range<u64>) -> object_store::Result<Bytes> {
        let (storage, left) = (self.clone(), CancellationToken::new());
        let _left = left.clone().drop_guard();
        let read = tokio::spawn(async move {
            let refused = |why: &str| object_store::Error::Generic { store: "files", source: why.into() };
            let permit = left.run_until_cancelled(tokio::time::timeout(READ_WAIT, READS.acquire())).await;
            let permit = permit.ok_or_else(|| refused("the reader has gone"))?;
            let _permit = permit.map_err(|_| refused("too many files are being read"))?;
            storage.store().get_range(&path, piece).await
        });
        read.await?
    }

    /// Reads a file, or the bytes `range` of it, for this program itself, which never lets a read wait.
    ///
    /// Returns the size of the whole file and the bytes asked for.
    pub async fn read(
        &self,
        key: &str,
        range: Option<Range<u64>>,
    ) -> Result<(u64, ByteStream), StorageError> {
        let path = Path::parse(key).map_err(object_store::Error::from)?;
        let root = match self {
            Self::Local { root, .. } => root,
            Self::Bucket(bucket) => return read_by_stretches(Arc::clone(&bucket.store), path, range).await,
        };
        stays_inside(root, key).await?;
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let result = self.store().get_opts(&path, options).await?;
        Ok((result.meta.size, result.into_stream()))
    }

    /// The whole file in memory, read as by [`Storage::read`].
    pub async fn read_whole(&self, key: &str) -> Result<Bytes, StorageError> {
        let (size, stream) = self.read(key, None).await?;
        let room = BytesMut::with_capacity(usize::try_from(size).unwrap_or(0));
        let whole = stream.try_fold(room, async |mut whole, piece| {
            whole.extend_from_slice(&piece);
            Ok(whole)
        });
        Ok(whole.await?.freeze())
    }

    pub fn list(&self) -> BoxStream<'static, Result<Stored, StorageError>> {
        let listed = match self {
            Self::Local { store, .. } => list_folder(Arc::clone(store)),
            Self::Bucket(bucket) => bucket.store.list(None),
        };
        listed
            .map_err(StorageError::from)
            .map_ok(|meta| Stored {
                key: meta.location.to_string(),
                size_bytes: meta.size,
                written_at: meta.last_modified.timestamp_micros(),
            })
            .boxed()
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

/// As [`Storage::read`], by an answer for each [`STRETCH`]: a large file over a slow line takes longer than one answer may. All of
/// them are of the same file, or the read ends in an error.
async fn read_by_stretches(
    store: Arc<dyn ObjectStore>,
    path: Path,
    range: Option<Range<u64>>,
) -> Result<(u64, ByteStream), StorageError> {
    let meta = store.head(&path).await?;
    let size = meta.size;
    let rest = range.map_or(0..size, |range| range.start.min(size)..range.end.min(size));
    let stretches =
        stream::try_unfold((store, path, meta.e_tag, rest), async |(store, path, e_tag, mut rest)| {
            if rest.is_empty() {
                return Ok(None);
            }
            let stretch = rest.start..rest.end.min(rest.start + STRETCH);
            rest.start = stretch.end;
            let options = GetOptions {
                range: Some(GetRange::Bounded(stretch)),
                if_match: e_tag.clone(),
                ..GetOptions::default()
            };
            let answer = store.get_opts(&path, options).await?;
            Ok::<_, object_store::Error>(Some((answer.into_stream(), (store, path, e_tag, rest))))
        });
    Ok((size, Box::pin(stretches.try_flatten())))
}

/// A link inside the folder must not lead out of it.
async fn stays_inside(root: &FsPath, key: &str) -> Result<(), StorageError> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let real = tokio::fs::canonicalize(root.join(key)).await.map_err(|error| match error.kind() {
        NotFound | NotADirectory => StorageError::NotFound,
        _ => StorageError::Disk(error),
    })?;
    if real.starts_with(root) { Ok(()) } else { Err(StorageError::NotFound) }
}

fn list_folder(store: Arc<LocalFileSystem>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
    let listed = async move {
        let top = store.list_with_delimiter(None).await?;
        let folders = top.common_prefixes.into_iter().filter(|folder| folder.as_ref() != LOST_AND_FOUND);
        let below = stream::iter(folders).flat_map(move |folder| store.list(Some(&folder)));
        Ok::<_, object_store::Error>(stream::iter(top.objects.into_iter().map(Ok)).chain(below))
    };
    stream::once(listed).try_flatten().boxed()
}

fn walk(root: &FsPath, folder: &FsPath, found: &mut Vec<Stored>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if path == root.join(LOST_AND_FOUND) {
            continue;
        }
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
    use std::path::PathBuf;

    use futures_util::poll;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use tempfile::TempDir;
    use tokio::time::timeout;

    use super::*;

    const SOON: Duration = Duration::from_millis(300);

    /// A folder with a `file` and a `pipe`, which blocks its reader until it is opened for writing.
    fn folder() -> (TempDir, Storage) {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open_folder(folder.path()).unwrap();
        mknodat(CWD, folder.path().join("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        std::fs::write(folder.path().join("file"), b"bytes").unwrap();
        (folder, storage)
    }

    /// Lets every read of the pipe that has begun go on, when a test ends in a panic too: the runtime waits for them.
    struct OpensThePipe(PathBuf);

    impl Drop for OpensThePipe {
        fn drop(&mut self) {
            let _ = std::fs::OpenOptions::new().read(true).write(true).open(&self.0);
        }
    }

    /// As many reads of `key` as there may be at the same time, begun and not asked for again.
    async fn begin(storage: &Storage, key: &str) -> Vec<ByteStream> {
        let mut reads = Vec::new();
        while reads.len() < rules::connection::FILE_READS {
            let mut read = storage.read_slowly(key.to_owned(), 0..5);
            if poll!(read.next()).is_pending() {
                reads.push(read);
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        reads
    }

    #[tokio::test]
    async fn what_cannot_be_looked_at_is_not_taken_for_gone() {
        let (folder, storage) = folder();
        // A link to itself is unreadable even for root, who may run the tests.
        std::os::unix::fs::symlink(folder.path().join("round"), folder.path().join("round")).unwrap();
        let read = storage.read("round", None).await.map(drop).unwrap_err();
        assert!(matches!(read, StorageError::Disk(_)), "{read:?}");
        for gone in ["nowhere", "nowhere/file", "file/below"] {
            let read = storage.read(gone, None).await.map(drop).unwrap_err();
            assert!(matches!(read, StorageError::NotFound), "{gone}: {read:?}");
        }
    }

    #[tokio::test]
    async fn a_large_file_of_a_bucket_is_read_by_answers_of_one_file() {
        let store = Arc::new(object_store::memory::InMemory::new());
        let bucket = super::super::Bucket::new(
            Arc::<object_store::memory::InMemory>::clone(&store),
            "STORAGE_URL",
            "label",
        );
        let storage = Storage::Bucket(bucket);
        let length = 2 * STRETCH + 5;
        let file: Vec<u8> = (0..length).map(|at| (at / 1_000 % 251) as u8).collect();
        storage.put_new("large", file.clone().into()).await.unwrap();
        storage.put_new("empty", Bytes::new()).await.unwrap();

        let all =
            async |bytes: ByteStream| bytes.try_collect::<Vec<Bytes>>().await.map(|pieces| pieces.concat());
        let (size, bytes) = storage.read("large", None).await.unwrap();
        assert_eq!(size, length);
        assert!(all(bytes).await.unwrap() == file);
        let border = usize::try_from(STRETCH).unwrap();
        let (size, bytes) = storage.read("large", Some(STRETCH - 1..STRETCH + 2)).await.unwrap();
        assert_eq!(size, length);
        assert_eq!(all(bytes).await.unwrap(), file[border - 1..border + 2]);
        let (size, bytes) = storage.read("empty", None).await.unwrap();
        assert_eq!((size, all(bytes).await.unwrap().len()), (0, 0));
        assert!(matches!(storage.read("none", None).await.map(drop), Err(StorageError::NotFound)));

        // Another file in its place, in the middle: no mixture of two.
        let (_, mut bytes) = storage.read("large", None).await.unwrap();
        bytes.next().await.unwrap().unwrap();
        store.put(&Path::from("large"), vec![0; file.len()].into()).await.unwrap();
        assert!(all(bytes).await.is_err());
    }

    // One test, for the permits are the process's: the others would take them from each other.
    #[tokio::test]
    async fn so_many_files_are_open_at_once_for_visitors_and_no_peer_keeps_another_waiting() {
        let (folder, storage) = folder();
        let mut next = storage.read_slowly("file".to_owned(), 0..5);
        let unread = begin(&storage, "file").await;
        let read = timeout(SOON, next.next()).await;
        assert_eq!(
            read.expect("peers that take nothing hold permits").unwrap().unwrap(),
            b"bytes".as_slice()
        );
        drop(unread);

        let mut next = storage.read_slowly("file".to_owned(), 0..5);
        let pipe = OpensThePipe(folder.path().join("pipe"));
        let waiting = begin(&storage, "pipe").await;
        assert!(timeout(SOON, next.next()).await.is_err(), "one more was open");

        let mut refused = storage.read_slowly("file".to_owned(), 0..5);
        tokio::time::pause();
        assert!(poll!(refused.next()).is_pending());
        tokio::task::yield_now().await;
        tokio::time::advance(READ_WAIT + Duration::from_secs(1)).await;
        tokio::time::resume();
        let refused = timeout(SOON, refused.next()).await.expect("it waits for as long as the others read");
        assert!(refused.unwrap().is_err());

        let mut next = storage.read_slowly("file".to_owned(), 0..5);
        assert!(timeout(SOON, next.next()).await.is_err(), "one more was open");
        drop(waiting);
        assert!(
            timeout(SOON, next.next()).await.is_err(),
            "one more was open than peers that left had asked for"
        );
        drop(pipe);
        assert_eq!(next.next().await.unwrap().unwrap(), b"bytes".as_slice());
    }

    #[tokio::test]
    async fn a_folder_at_the_root_of_a_disk_is_listed_without_what_is_lost_and_found() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open_folder(folder.path()).unwrap();
        let lost = folder.path().join("lost+found");
        std::fs::create_dir(&lost).unwrap();
        // Unreadable even for root, who may run the tests.
        std::os::unix::fs::symlink(lost.join("round"), lost.join("round")).unwrap();
        for name in ["lost+found/a#1", "b#1", "file", "kind/of/file", "kind/c#2"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, b"bytes").unwrap();
        }
        let keys = |files: Vec<Stored>| {
            let mut keys: Vec<_> = files.into_iter().map(|file| file.key).collect();
            keys.sort();
            keys
        };
        let listed = storage.list().try_collect().await.unwrap();
        assert_eq!(keys(listed), ["file", "kind/of/file"]);
        assert_eq!(keys(storage.list_unfinished().await.unwrap()), ["b#1", "kind/c#2"]);
    }

    #[test]
    fn a_file_that_was_never_finished_is_known_by_its_name() {
        let names = ["a.png#1", "a.png#27", "a.png", "a#.png", "a.png#", "a.png#1x"];
        let found = names.map(|name| is_unfinished(FsPath::new(name)));
        assert_eq!(found, [true, true, false, false, false, false]);
    }
}
