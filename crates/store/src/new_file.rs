//! A file that is there whole or not at all, whatever ends the program or fills the disk.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use zeroize::Zeroizing;

/// Reads a file, or makes it of the bytes that `make` gives. Programs that start at the same moment read the same.
pub fn read_or_make(path: &Path, make: impl FnOnce() -> Vec<u8>) -> io::Result<Zeroizing<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return read.map(Zeroizing::new),
    }
    let bytes = Zeroizing::new(make());
    match write(path, &bytes) {
        Ok(()) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => fs::read(path).map(Zeroizing::new),
        Err(error) => Err(error),
    }
}

/// Writes a new file that its owner alone may read; once this returns, it survives a power cut. An existing file stays as it
/// is, and is an error of that kind.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{:016x}", rand::random::<u64>()));
    let unnamed = folder.join(name);
    let written = write_all(&unnamed, bytes).and_then(|()| match fs::hard_link(&unnamed, path) {
        // A file system without second names.
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

    #[test]
    fn all_that_start_at_the_same_moment_read_the_same() {
        for _ in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("made");
            let at_once = std::sync::Barrier::new(16);
            let read: std::collections::BTreeSet<_> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..16_u8)
                    .map(|starter| {
                        let (path, at_once) = (&path, &at_once);
                        scope.spawn(move || {
                            at_once.wait();
                            read_or_make(path, || vec![starter; 4096]).unwrap().to_vec()
                        })
                    })
                    .collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(read.len(), 1);
            assert_eq!(read.first(), Some(&fs::read(&path).unwrap()));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        }
    }
}
