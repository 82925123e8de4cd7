//! Receives files by PUT: each is hashed and written in pieces, and synced with its folder before the response. One thread per
//! connection, without checks.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

const PIECE: usize = 256 * 1024;

/// Stores files in `folder` on `address` until the process is stopped. Other methods are answered at once.
pub(crate) fn serve(address: &str, folder: &Path) -> anyhow::Result<()> {
    let listener = TcpListener::bind(address).context("ADDRESS")?;
    for socket in listener.incoming() {
        let (socket, folder) = (socket?, folder.to_owned());
        // The client sees a failure in its response.
        std::thread::spawn(move || take(&socket, &folder));
    }
    Ok(())
}

fn take(socket: &TcpStream, folder: &Path) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(PIECE, socket);
    let mut head = Vec::new();
    while reader.read_until(b'\n', &mut head)? > 2 {}
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut status = "204 No Content\r\n".to_owned();
    if let Some(path) = head.strip_prefix("PUT ").and_then(|rest| rest.split(' ').next()) {
        let name = Path::new(path).file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let sum = receive(&mut reader, length(&head), &folder.join(name))?;
        File::open(folder)?.sync_all()?;
        status = format!("201 Created\r\nx-sum: {sum:x?}\r\ncontent-length: 0\r\n");
    }
    write!(&mut &*socket, "HTTP/1.1 {status}connection: close\r\n\r\n")
}

fn length(head: &str) -> u64 {
    let value = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    value.unwrap_or(0)
}

/// Writes `length` bytes into a new file and returns their SHA-256.
fn receive(reader: &mut impl io::Read, length: u64, path: &PathBuf) -> io::Result<[u8; 32]> {
    let mut file = File::create_new(path)?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; PIECE];
    let mut body = reader.take(length);
    loop {
        let count = body.read(&mut piece)?;
        let Some(bytes) = piece.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        hash.update(bytes);
        file.write_all(bytes)?;
    }
    file.sync_all()?;
    Ok(hash.finalize().into())
}
