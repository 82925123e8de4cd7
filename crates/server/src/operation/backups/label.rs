//! The label that is backed up, and the folder in which a run works.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use crate::{
    jobs::Resources,
    operation::backup::{BackupError, at, free_bytes},
};

/// The label that is backed up.
#[derive(Clone, Debug)]
pub struct Label {
    pub resources: Resources,
    pub data_dir: PathBuf,
    pub key_path: PathBuf,
}

impl Label {
    /// An empty folder for what is on its way. Only the holder of the lease works in it.
    pub fn scratch(&self) -> Result<Scratch, BackupError> {
        let path = self.data_dir.join("backup-scratch");
        remove_all(&path)?;
        DirBuilder::new().recursive(true).mode(0o700).create(&path).map_err(at(&path))?;
        Ok(Scratch(path))
    }
}

/// A folder that is removed at the end.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = remove_all(&self.0) {
            tracing::warn!(cause = %error, "removing what a backup left behind");
        }
    }
}

pub(super) fn remove_all(path: &Path) -> Result<(), BackupError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// An error unless the disk of `folder` has so many bytes free.
pub(super) fn require_room(what: &'static str, folder: &Path, needed: u64) -> Result<(), BackupError> {
    let free = free_bytes(folder).map_err(at(folder))?;
    if free < needed {
        Err(BackupError::NoRoom { what, folder: folder.to_owned(), needed, free })
    } else {
        Ok(())
    }
}
