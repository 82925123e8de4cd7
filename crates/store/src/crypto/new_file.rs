//! A file that is there whole or not at all, whatever ends the program or fills the disk.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

/// Writes a new file that its owner alone may read; when this returns well, it survives a power cut. One that is there already
/// stays as it is, and is an error of that kind.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{:016x}", rand::random::<u64>()));
    let unnamed = folder.join(name);
    let written = write_all(&unnamed, bytes).and_then(|()| match fs::hard_link(&unnamed, path) {
        // Where a file can have one name only, it is written under that.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => write_all(path, bytes),
        linked => linked,
    });
    let _ = fs::remove_file(&unnamed);
    written?;
    File::open(folder)?.sync_all()
}

fn write_all(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_never_overwritten_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        write(&path, b"one").unwrap();
        let error = write(&path, b"other").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert!(write(&folder.path().join("nowhere/key"), b"one").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
