//! Who may read what the program writes: its own user, and nobody else on the machine.

use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use rustix::{fs::Mode, process::umask};

use crate::Settings;

/// From now on every file is made for its owner alone, whatever the one who makes it asks for: the database, media, backups.
pub fn keep_new_files_private() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// Says which of the files with secrets others on this machine may read. They keep their rights: somebody may have given them.
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

/// The paths that exist and give rights to others than their owner, and what the rights are.
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
