//! The label that is backed up, and the folder in which a run works.

use std::path::{Path, PathBuf};

use crate::{
    jobs::Resources,
    operation::backup::{BackupError, create_folder, remove_all},
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
        create_folder(&path)?;
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
