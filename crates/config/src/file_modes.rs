//! File modes: what the program writes is readable by its own user only.

use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use rustix::{fs::Mode, process::umask};

use crate::Settings;

/// Makes every new file readable by its owner only: the database, media, backups.
pub fn keep_new_files_private() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// Warns of files with secrets that other users can read. Their modes stay, because they may be intended.
pub fn warn_of_wide(settings: &Settings) {
    for (path, mode) in wide(&[
        settings.data_dir.clone(),
        settings.data_dir.join("deadwax.db"),
        settings.data_dir.join("media"),
        settings.key_path(),
    ]) {
        tracing::warn!(
            path = %path.display(),
            mode = format!("{mode:o}"),
            "others on this machine may read this: take their rights with chmod go="
        );
    }
}

/// The existing paths whose modes allow others than the owner, with the modes.
fn wide(paths: &[PathBuf]) -> Vec<(&Path, u32)> {
    paths
        .iter()
        .filter_map(|path| {
            let mode = std::fs::metadata(path).ok()?.permissions().mode() & 0o777;
            (mode & 0o077 != 0).then_some((path.as_path(), mode))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_may_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["own", "group", "world", "none"].map(|name| folder.path().join(name));
        for (path, mode) in paths.iter().zip([0o600, 0o640, 0o604]) {
            std::fs::write(path, "").unwrap();
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        assert_eq!(wide(&paths), [(paths[1].as_path(), 0o640), (paths[2].as_path(), 0o604)]);
    }
}
