//! The files of a backup: copied from a storage into the folder, and back.

use std::{
    fs,
    io::{self, BufRead as _, Read as _, Write as _},
    path::Path,
};

use deadwax_store::{
    deletions::DeletionPause,
    spool::Spool,
    storage::{Storage, StorageError},
};
use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};

use crate::operation::check::files::digest;

use super::{BackupError, ObjectLine, at, create, create_folder, open, table_file};

const PIECE: usize = 256 * 1024;

pub(in crate::operation) fn listed(
    folder: &Path,
) -> Result<impl Iterator<Item = Result<ObjectLine, BackupError>>, BackupError> {
    let name = table_file("objects");
    let (path, lines) = (folder.join(&name), open(folder, &name)?.lines());
    Ok(lines.map(move |line| {
        let line = line.map_err(at(&path))?;
        serde_json::from_str(&line).map_err(|_| BackupError::Altered(name.clone()))
    }))
}

/// The path of a file in the folder. Keys come from rows, which are not trusted.
fn object_file(key: &str) -> Result<String, BackupError> {
    let leads_away = key.split('/').any(|part| matches!(part, "" | "." | "..")) || key.contains(['\\', '\0']);
    if leads_away { Err(BackupError::Altered(key.to_owned())) } else { Ok(format!("objects/{key}")) }
}

/// Copies every file; returns their number, and which are damaged or are themselves the reason that they cannot be read.
pub(super) async fn copy_out(
    storage: &Storage,
    folder: &Path,
    hold: &DeletionPause,
) -> Result<(u64, Vec<String>), BackupError> {
    let (mut count, mut damaged) = (0, Vec::new());
    for line in listed(folder)? {
        let object = line?;
        hold.renew().await?;
        let path = folder.join(object_file(&object.key)?);
        let is_copied = match copy_one(storage, &object, &path).await {
            // Also where a bucket is busy: the operator reads the names, and may try again.
            Err(BackupError::Storage(_)) if storage.is_readable().await => false,
            copied => copied?,
        };
        if !is_copied {
            // A part of it may be there.
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&path)(error)),
                _ => damaged.push(object.key),
            }
        }
        count += 1;
    }
    Ok((count, damaged))
}

async fn copy_one(storage: &Storage, object: &ObjectLine, path: &Path) -> Result<bool, BackupError> {
    let (_, mut bytes) = storage.read(&object.key, None).await?;
    if let Some(parent) = path.parent() {
        create_folder(parent)?;
    }
    let mut file = create(path)?;
    let (mut size, mut hasher) = (0_u64, Sha256::new());
    while let Some(piece) = bytes.try_next().await.map_err(StorageError::from)? {
        hasher.update(&piece);
        size += piece.len() as u64;
        file.write_all(&piece).map_err(at(path))?;
    }
    file.flush().and_then(|()| file.get_ref().sync_all()).map_err(at(path))?;
    Ok(size == object.size_bytes && hex::encode(hasher.finalize()) == object.sha256)
}

/// Stores every file of the folder, except those the backup says it lacks. An existing one must be identical, so that an interrupted
/// restore can be repeated.
pub(super) async fn copy_in(
    storage: &Storage,
    spool: &Spool,
    folder: &Path,
    damaged: &[String],
) -> Result<u64, BackupError> {
    let mut count = 0;
    for line in listed(folder)? {
        let object = line?;
        if damaged.contains(&object.key) {
            continue;
        }
        store_one(storage, spool, &object, folder).await?;
        count += 1;
    }
    Ok(count)
}

/// Looks for every file of a backup of rows in the storage; returns how many are there, and which are missing or differ.
pub(super) async fn find(storage: &Storage, folder: &Path) -> Result<(u64, Vec<String>), BackupError> {
    let (mut count, mut damaged) = (0, Vec::new());
    for line in listed(folder)? {
        let object = line?;
        match is_same(storage, &object).await {
            Ok(true) => count += 1,
            Err(error) if !storage.is_file_at_fault(&error).await => return Err(error.into()),
            _ => damaged.push(object.key),
        }
    }
    Ok((count, damaged))
}

async fn store_one(
    storage: &Storage,
    spool: &Spool,
    object: &ObjectLine,
    folder: &Path,
) -> Result<(), BackupError> {
    let name = object_file(&object.key)?;
    let path = folder.join(&name);
    let altered = || BackupError::Altered(name.clone());
    let file = open(folder, &name)?;
    if file.get_ref().metadata().map_err(at(&path))?.len() != object.size_bytes {
        return Err(altered());
    }
    let mut file = file.take(object.size_bytes);
    let mut writer = spool.create(false).await.map_err(at(&path))?;
    let mut piece = vec![0; PIECE];
    loop {
        let read = file.read(&mut piece).map_err(at(&path))?;
        if read == 0 {
            break;
        }
        writer.write(&piece[..read]).await.map_err(at(&path))?;
    }
    let spooled = writer.finish().await.map_err(at(&path))?;
    if spooled.size_bytes != object.size_bytes || hex::encode(spooled.sha256) != object.sha256 {
        return Err(altered());
    }
    place(storage, object, spooled.path()).await
}

/// Stores the file at `path`, which has the bytes that the row tells. An existing one must be identical.
pub(in crate::operation) async fn place(
    storage: &Storage,
    object: &ObjectLine,
    path: &Path,
) -> Result<(), BackupError> {
    object_file(&object.key)?;
    let turn = storage.upload_permit().await;
    match storage.put_file(&turn, &object.key, path).await {
        Ok(()) => Ok(()),
        Err(StorageError::Exists) if is_same(storage, object).await? => Ok(()),
        Err(StorageError::Exists) => Err(BackupError::OtherObject(object.key.clone())),
        Err(error) => Err(error.into()),
    }
}

async fn is_same(storage: &Storage, object: &ObjectLine) -> Result<bool, StorageError> {
    Ok(digest(storage, &object.key).await? == (object.size_bytes, object.sha256.clone()))
}
