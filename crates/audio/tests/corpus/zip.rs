//! ZIP archives written record by record, so that any of them can be wrong.

/// An entry as declared in the directory and its local header.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) data: Vec<u8>,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) unpacked: u32,
    pub(crate) mode: u32,
    pub(crate) extra: Vec<u8>,
    pub(crate) name_there: Option<Vec<u8>>,
    pub(crate) unpacked_there: Option<u32>,
    pub(crate) shares_place: bool,
}

impl Entry {
    /// Changes the name, to bytes that need not be text.
    pub(crate) fn named(self, name: &[u8]) -> Self {
        Self { name: name.to_vec(), ..self }
    }
}

/// A stored file.
pub(crate) fn file(name: impl AsRef<[u8]>, data: &[u8]) -> Entry {
    Entry {
        name: name.as_ref().to_vec(),
        data: data.to_vec(),
        method: 0,
        flags: 0,
        unpacked: u32::try_from(data.len()).unwrap(),
        mode: 0o100_644,
        extra: Vec::new(),
        name_there: None,
        unpacked_there: None,
        shares_place: false,
    }
}

/// A deflated file with false sizes.
pub(crate) fn packed(name: &str, packed: usize, unpacked: u32) -> Entry {
    Entry { method: 8, unpacked, ..file(name, &vec![7; packed]) }
}

/// An extra field.
pub(crate) fn extra(id: u16, data: &[u8]) -> Vec<u8> {
    [&id.to_le_bytes(), &u16::try_from(data.len()).unwrap().to_le_bytes(), data].concat()
}

/// Method, sizes and checksum in both headers.
fn common(entry: &Entry, unpacked: u32) -> Vec<u8> {
    let size = u32::try_from(entry.data.len()).unwrap();
    let (version, date) = (20_u16, 0x21_u32 << 16);
    [
        &version.to_le_bytes()[..],
        &entry.flags.to_le_bytes(),
        &entry.method.to_le_bytes(),
        &date.to_le_bytes(),
        &rawzip::crc32(&entry.data).to_le_bytes(),
        &size.to_le_bytes(),
        &unpacked.to_le_bytes(),
    ]
    .concat()
}

fn short(length: usize) -> [u8; 2] {
    u16::try_from(length).unwrap().to_le_bytes()
}

fn long(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap().to_le_bytes()
}

/// An archive of these entries.
pub(crate) fn archive(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut directory, mut place) = (Vec::new(), Vec::new(), 0);
    for entry in entries {
        if !entry.shares_place {
            place = bytes.len();
            let name = entry.name_there.as_ref().unwrap_or(&entry.name);
            bytes.extend(b"PK\x03\x04");
            bytes.extend(common(entry, entry.unpacked_there.unwrap_or(entry.unpacked)));
            bytes.extend([short(name.len()), short(entry.extra.len())].concat());
            bytes.extend([&name[..], &entry.extra, &entry.data].concat());
        }
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(common(entry, entry.unpacked));
        directory
            .extend([short(entry.name.len()), short(entry.extra.len()), [0; 2], [0; 2], [0; 2]].concat());
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(long(place));
        directory.extend([&entry.name[..], &entry.extra].concat());
    }
    let begin = bytes.len();
    bytes.extend(&directory);
    end(&mut bytes, entries.len(), directory.len(), begin);
    bytes
}

/// The end record.
pub(crate) fn end(bytes: &mut Vec<u8>, entries: usize, size: usize, begin: usize) {
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([short(entries), short(entries)].concat());
    bytes.extend([long(size), long(begin)].concat());
    bytes.extend([0, 0]);
}

/// A ZIP64 archive of one file with these sizes and offset.
pub(crate) fn archive_64(name: &str, data: &[u8], unpacked: u64, packed: u64, place: u64) -> Vec<u8> {
    let whole = [unpacked.to_le_bytes(), packed.to_le_bytes(), place.to_le_bytes()].concat();
    let entry = Entry { extra: extra(1, &whole), ..file(name, data) };
    let mut bytes = archive(std::slice::from_ref(&entry));
    let directory = bytes.len() - 22 - 46 - name.len() - entry.extra.len();
    bytes[directory + 20..directory + 28].fill(0xff);
    bytes[directory + 42..directory + 46].fill(0xff);
    bytes
}
