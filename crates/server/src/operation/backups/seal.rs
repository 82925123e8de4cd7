//! How the objects of a backup are sealed, opened and named.
//!
//! Sealed objects are files of the [age format](https://age-encryption.org/v1) for two recipients: the owner's key of `BACKUP_RECIPIENT`,
//! and one derived from the key file, with which the program proves its own backups. Without a recipient objects are plain.

use std::{
    io::{self, Read, Write},
    str::FromStr as _,
};

use age::{
    DecryptError, Decryptor, Encryptor,
    secrecy::ExposeSecret as _,
    stream::StreamWriter,
    x25519::{Identity, Recipient},
};
use bech32::{Bech32, Hrp};
use deadwax_store::crypto::Keys;
use zeroize::Zeroizing;

/// How the names of sealed objects end.
pub(super) const SEALED: &str = ".age";

const NAME: &[u8] = b"backup file";
const MANIFEST: &[u8] = b"backup manifest";

/// The keys of a store of backups.
#[derive(Clone)]
pub struct Seals {
    /// Of the label; none where a backup is read on a machine without its key file.
    pub(super) keys: Option<Keys>,
    owner: Option<Recipient>,
    identities: Vec<Identity>,
}

impl Seals {
    /// Of a label that writes and proves its backups.
    pub fn of_label(keys: Keys, owner: Option<Recipient>) -> Self {
        let identities = own_identity(&keys).into_iter().collect();
        Self { keys: Some(keys), owner, identities }
    }

    /// To read backups with the owner's keys, or with the key file, or both.
    pub fn of_reader(keys: Option<Keys>, mut identities: Vec<Identity>) -> Self {
        identities.extend(keys.as_ref().and_then(own_identity));
        Self { keys, owner: None, identities }
    }

    /// Whether there is any key to open objects with.
    pub(super) fn can_open(&self) -> bool {
        !self.identities.is_empty()
    }

    pub fn is_sealed(&self) -> bool {
        self.owner.is_some()
    }

    /// The end of the names of objects written now.
    pub(super) fn ending(&self) -> &'static str {
        if self.is_sealed() { SEALED } else { "" }
    }

    /// Where a file with these bytes lies. Names of sealed files tell nothing about them to a reader of the list.
    pub(super) fn file_name(&self, sha256: &str) -> String {
        let name = match (&self.owner, &self.keys) {
            (Some(owner), Some(keys)) => {
                hex::encode(keys.mac(&[NAME, owner.to_string().as_bytes(), sha256.as_bytes()]))
            }
            _ => sha256.to_owned(),
        };
        format!("files/{}/{name}{}", &name[..2], self.ending())
    }

    /// The key file as an object for the owner alone; none where backups are plain.
    pub(super) fn seal_key_file(&self, text: &[u8]) -> io::Result<Option<Vec<u8>>> {
        let Some(owner) = &self.owner else { return Ok(None) };
        let mut writer = sealing([owner], Vec::new())?;
        writer.write_all(text)?;
        writer.finish().map(Some)
    }

    /// Seals what is written to it; none where backups are plain.
    pub(super) fn seal<W: Write>(&self, to: W) -> io::Result<Option<StreamWriter<W>>> {
        let own = self.keys.as_ref().and_then(own_identity).map(|identity| identity.to_public());
        match (&self.owner, own) {
            (Some(owner), Some(own)) => sealing([owner, &own], to).map(Some),
            (Some(_), None) => Err(io::Error::other("sealing needs the key file")),
            (None, _) => Ok(None),
        }
    }

    /// The bytes of an object, as they were before it was sealed; an error of them if they were changed.
    pub(super) fn open<'r>(&self, name: &str, from: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
        if !name.ends_with(SEALED) {
            return Ok(Box::new(from));
        }
        let identities = self.identities.iter().map(|identity| identity as &dyn age::Identity);
        let opened = Decryptor::new(from).and_then(|object| object.decrypt(identities));
        Ok(Box::new(opened.map_err(|error| match error {
            DecryptError::Io(error) => error,
            error => io::Error::new(io::ErrorKind::InvalidData, error),
        })?))
    }

    /// The authentication of a manifest by the key file.
    pub(super) fn mac(&self, manifest: &[u8]) -> Option<String> {
        Some(hex::encode(self.keys.as_ref()?.mac(&[MANIFEST, manifest])))
    }

    /// Whether a manifest was written with this key file; none without one.
    pub(super) fn is_mac(&self, mac: &str, manifest: &[u8]) -> Option<bool> {
        let keys = self.keys.as_ref()?;
        Some(hex::decode(mac).is_ok_and(|mac| keys.is_mac(&mac, &[MANIFEST, manifest])))
    }
}

fn sealing<'r, W: Write>(
    recipients: impl IntoIterator<Item = &'r Recipient>,
    to: W,
) -> io::Result<StreamWriter<W>> {
    let recipients: Vec<_> =
        recipients.into_iter().map(|recipient| recipient as &dyn age::Recipient).collect();
    let encryptor = Encryptor::with_recipients(recipients.into_iter()).map_err(io::Error::other)?;
    encryptor.wrap_output(to)
}

/// The identity whose secret the key file gives. `age` makes one of its text alone.
fn own_identity(keys: &Keys) -> Option<Identity> {
    let text = bech32::encode_upper::<Bech32>(Hrp::parse("age-secret-key-").ok()?, keys.backup_secret());
    Identity::from_str(&Zeroizing::new(text.ok()?)).ok()
}

/// A new pair for the owner: the text of an identity file as `age-keygen` writes it, and the public key.
pub fn new_pair() -> (Zeroizing<String>, String) {
    let identity = Identity::generate();
    let public = identity.to_public().to_string();
    let text = format!("# public key: {public}\n{}\n", identity.to_string().expose_secret());
    (Zeroizing::new(text), public)
}

/// The owner's public key of the setting `BACKUP_RECIPIENT`.
pub fn read_recipient(text: &str) -> Result<Recipient, &'static str> {
    Recipient::from_str(text.trim())
}

/// The identities of a file as `age-keygen` writes it.
pub fn read_identities(text: &str) -> Result<Vec<Identity>, &'static str> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let identities: Vec<_> = lines.map(Identity::from_str).collect::<Result<_, _>>()?;
    if identities.is_empty() { Err("it holds no key") } else { Ok(identities) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(folder: &std::path::Path, name: &str) -> Keys {
        Keys::load_or_create(&folder.join(name)).unwrap()
    }

    fn sealed(seals: &Seals, bytes: &[u8]) -> Vec<u8> {
        let mut writer = seals.seal(Vec::new()).unwrap().unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    fn opened(seals: &Seals, object: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        seals.open("object.age", object)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    #[test]
    fn the_label_and_its_owner_open_what_was_sealed_and_others_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let (identity, public) = new_pair();
        let owner = read_recipient(&public).unwrap();
        let label = Seals::of_label(keys(folder.path(), "key"), Some(owner.clone()));
        let object = sealed(&label, b"rows");
        let by_owner = Seals::of_reader(None, read_identities(&identity).unwrap());
        let by_key_file = Seals::of_reader(Some(keys(folder.path(), "key")), Vec::new());
        for reader in [&label, &by_owner, &by_key_file] {
            assert_eq!(opened(reader, &object).unwrap(), b"rows");
        }
        let foreign = Seals::of_label(keys(folder.path(), "other"), Some(owner));
        assert!(opened(&foreign, &object).is_err());
        let key_file = label.seal_key_file(b"secret").unwrap().unwrap();
        assert_eq!(opened(&by_owner, &key_file).unwrap(), b"secret");
        assert!(opened(&label, &key_file).is_err());
        assert_ne!(label.file_name("ab"), foreign.file_name("ab"));
    }

    #[test]
    fn no_flipped_bit_and_no_missing_end_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let owner = read_recipient(&new_pair().1).unwrap();
        let label = Seals::of_label(keys(folder.path(), "key"), Some(owner));
        let object = sealed(&label, &[7; 300]);
        for at in 0..object.len() {
            let mut changed = object.clone();
            changed[at] ^= 1;
            assert_ne!(opened(&label, &changed).unwrap_or_default(), [7; 300], "{at}");
            assert!(opened(&label, &object[..at]).is_err(), "{at}");
        }
    }

    #[test]
    fn a_manifest_is_authenticated_by_the_key_file() {
        let folder = tempfile::tempdir().unwrap();
        let label = Seals::of_label(keys(folder.path(), "key"), None);
        let other = Seals::of_label(keys(folder.path(), "other"), None);
        let mac = label.mac(b"manifest").unwrap();
        assert_eq!(label.is_mac(&mac, b"manifest"), Some(true));
        assert_eq!(label.is_mac(&mac, b"manifesto"), Some(false));
        assert_eq!(other.is_mac(&mac, b"manifest"), Some(false));
        assert_eq!(Seals::of_reader(None, Vec::new()).is_mac(&mac, b"manifest"), None);
    }

    #[test]
    fn keys_that_are_none_are_refused() {
        for text in ["", "age1", "age1qqqq", "AGE-SECRET-KEY-1", "ssh-ed25519 AAAA"] {
            assert!(read_recipient(text).is_err(), "{text}");
            assert!(read_identities(text).is_err(), "{text}");
        }
    }
}
