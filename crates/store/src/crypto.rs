//! Secrets: the key file, which seals and signs, and random tokens.
//!
//! Tokens are stored as their SHA-256, which suffices for 256 random bits. Short codes are stored as MACs of the key file, which a
//! copy of the database does not contain.

use std::{
    io::{self, ErrorKind},
    path::Path,
    sync::Arc,
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead as _, KeyInit as _, Payload},
};
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::{clock::Micros, db::Db, new_file, statements};

statements! {
    REMEMBER = "INSERT INTO installation (name, value, created_at) \
        VALUES ('key_fingerprint', $1, $2) \
        ON CONFLICT (name) DO NOTHING";
    REMEMBERED = "SELECT value FROM installation WHERE name = 'key_fingerprint'";
}

/// Why a key file is of no use. Each is one line for the person who set it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum KeyError {
    #[error("DEADWAX_KEY_FILE: {0} is not a key file (43 characters of base64url)")]
    Malformed(String),
    #[error("DEADWAX_KEY_FILE: {0} cannot be read ({1}); let the program's user read it")]
    Unreadable(String, ErrorKind),
    /// The database knows a key, and its file is not there: another one would open nothing.
    #[error(
        "DEADWAX_KEY_FILE: {0} is missing, and this database was first used with it; put a copy of it there"
    )]
    Missing(String),
    #[error(
        "DEADWAX_KEY_FILE: this is not the key that this database was first used with; start with that one"
    )]
    Foreign,
}

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// The keys of this installation, derived from its key file. Cheap to clone; never printed.
#[derive(Clone)]
pub struct Keys(Arc<Derived>);

struct Derived {
    seal: Zeroizing<[u8; KEY_BYTES]>,
    sign: Zeroizing<[u8; KEY_BYTES]>,
    backup: Zeroizing<[u8; KEY_BYTES]>,
    fingerprint: String,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Keys").field(&self.0.fingerprint).finish()
    }
}

/// Bytes that were not sealed with these keys for this purpose, or were changed since.
#[derive(Debug, thiserror::Error)]
#[error("sealed with another key, for another purpose, or damaged")]
pub struct NotSealedHere;

impl Keys {
    /// The keys of a database: those of the key file, which is made where the database was used with none yet.
    pub async fn of(db: &Db, path: &Path, now: Micros) -> anyhow::Result<Self> {
        let keys = if db.query(REMEMBERED).exists().await? {
            Self::load(path)?.ok_or_else(|| KeyError::Missing(path.display().to_string()))?
        } else {
            Self::load_or_create(path)?
        };
        keys.belong_to(db, now).await?;
        Ok(keys)
    }

    /// Reads the key file, or makes one that only its owner can read. It holds 256 random bits as base64url. Of several programs
    /// that start at once, one makes it and all have the same.
    pub fn load_or_create(path: &Path) -> anyhow::Result<Self> {
        let make = || {
            tracing::info!(path = %path.display(), "making a key file; keep a copy of it apart from the backups");
            let secret = Zeroizing::new(rand::random::<[u8; KEY_BYTES]>());
            (URL_SAFE_NO_PAD.encode(*secret) + "\n").into_bytes()
        };
        let text = new_file::read_or_make(path, make);
        Self::parse(path, &text.map_err(|error| unread(path, error))?)
    }

    /// Reads the key file, if it exists.
    pub fn load(path: &Path) -> anyhow::Result<Option<Self>> {
        match std::fs::read(path) {
            Ok(text) => Self::parse(path, &Zeroizing::new(text)).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unread(path, error)),
        }
    }

    /// The keys of the text of a key file; `path` is for the error.
    pub fn parse(path: &Path, text: &[u8]) -> anyhow::Result<Self> {
        let bytes = Zeroizing::new(URL_SAFE_NO_PAD.decode(text.trim_ascii()).unwrap_or_default());
        let secret = <[u8; KEY_BYTES]>::try_from(bytes.as_slice())
            .map_err(|_| KeyError::Malformed(path.display().to_string()))?;
        Ok(Self::derive(&Zeroizing::new(secret)))
    }

    fn derive(secret: &[u8; KEY_BYTES]) -> Self {
        let part = |purpose: &str| Zeroizing::new(hmac(secret, &[purpose.as_bytes()]));
        let fingerprint = hex::encode(&part("deadwax fingerprint 1")[..16]);
        let (seal, sign, backup) = (part("deadwax seal 1"), part("deadwax sign 1"), part("deadwax backup 1"));
        Self(Arc::new(Derived { seal, sign, backup, fingerprint }))
    }

    /// Refuses keys that are not the ones this database was first used with: what those sealed would be lost.
    async fn belong_to(&self, db: &Db, now: Micros) -> anyhow::Result<()> {
        let mut tx = db.begin().await?;
        tx.query(REMEMBER).bind(&self.0.fingerprint).bind(now).execute().await?;
        let remembered = tx.query(REMEMBERED).value::<String>().await?;
        tx.commit().await?;
        if remembered == self.0.fingerprint { Ok(()) } else { Err(KeyError::Foreign.into()) }
    }

    /// Encrypts `bytes` for `purpose`, such as `outbox:{id}`: they open for the same purpose alone (XChaCha20-Poly1305).
    pub fn seal(&self, purpose: &str, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
        let nonce: [u8; NONCE_BYTES] = rand::random();
        let sealed = XChaCha20Poly1305::new(self.0.seal.as_slice().try_into()?)
            .encrypt(&XNonce::from(nonce), Payload { msg: bytes, aad: purpose.as_bytes() })
            .map_err(|_| anyhow::anyhow!("sealing failed"))?;
        Ok([&nonce[..], &sealed].concat())
    }

    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, NotSealedHere> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or(NotSealedHere)?;
        let key = self.0.seal.as_slice().try_into().map_err(|_| NotSealedHere)?;
        XChaCha20Poly1305::new(key)
            .decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: purpose.as_bytes() })
            .map(Zeroizing::new)
            .map_err(|_| NotSealedHere)
    }

    pub fn mac(&self, parts: &[&[u8]]) -> Vec<u8> {
        hmac(&self.0.sign, parts).to_vec()
    }

    /// A token that only this installation can make again, from `parts`.
    pub fn token(&self, parts: &[&[u8]]) -> Token {
        Token(Zeroizing::new(URL_SAFE_NO_PAD.encode(self.mac(parts))))
    }

    /// The secret that opens this label's own backups.
    pub fn backup_secret(&self) -> &[u8; KEY_BYTES] {
        &self.0.backup
    }

    pub fn is_mac(&self, mac: &[u8], parts: &[&[u8]]) -> bool {
        keyed(&self.0.sign, parts).verify_slice(mac).is_ok()
    }
}

/// A file of another user, or a folder in its place, is a wrong setting; a full disk is not.
fn unread(path: &Path, error: io::Error) -> anyhow::Error {
    let path = path.display();
    match error.kind() {
        kind @ (ErrorKind::PermissionDenied | ErrorKind::IsADirectory) => {
            KeyError::Unreadable(path.to_string(), kind).into()
        }
        _ => anyhow::Error::new(error).context(format!("DEADWAX_KEY_FILE: {path}")),
    }
}

fn keyed(key: &[u8; KEY_BYTES], parts: &[&[u8]]) -> Hmac<Sha256> {
    // A key shorter than a block is padded with zeros (RFC 2104); done here, it cannot fail.
    let mut block = [0_u8; 64];
    block[..KEY_BYTES].copy_from_slice(key);
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new(&block.into());
    for part in parts {
        mac.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        mac.update(part);
    }
    mac
}

/// HMAC-SHA-256 of `parts` by another key than those of the key file.
pub fn hmac(key: &[u8; KEY_BYTES], parts: &[&[u8]]) -> [u8; 32] {
    keyed(key, parts).finalize().into_bytes().into()
}

/// 256 random bits as a person's browser or mailbox holds them: 43 characters of base64url.
#[derive(Clone)]
pub struct Token(Zeroizing<String>);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    pub fn random() -> Self {
        Self(Zeroizing::new(URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())))
    }

    /// Parses a token; none if it is malformed.
    pub fn parse(text: &str) -> Option<Self> {
        let has_its_form = text.len() == 43
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        has_its_form.then(|| Self(Zeroizing::new(text.to_owned())))
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_bytes()).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_for_its_purpose_alone() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::load_or_create(&folder.path().join("key")).unwrap();
        let same = Keys::load_or_create(&folder.path().join("key")).unwrap();
        let other = Keys::load_or_create(&folder.path().join("other")).unwrap();
        let sealed = keys.seal("a", b"secret").unwrap();
        assert_eq!(same.open("a", &sealed).unwrap().as_slice(), b"secret");
        assert!(keys.open("b", &sealed).is_err());
        assert!(other.open("a", &sealed).is_err());
        for length in 0..sealed.len() {
            assert!(keys.open("a", &sealed[..length]).is_err(), "{length}");
        }
        assert_ne!(keys.seal("a", b"secret").unwrap(), sealed);
    }

    #[test]
    fn a_key_file_is_its_owners_alone_and_anything_else_in_it_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        Keys::load_or_create(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for text in ["", "short", &"A".repeat(80)] {
            std::fs::write(&path, text).unwrap();
            assert!(Keys::load_or_create(&path).is_err(), "{text}");
        }
    }

    #[test]
    fn codes_tell_where_a_part_ends() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::load_or_create(&folder.path().join("key")).unwrap();
        assert_ne!(keys.mac(&[b"ab", b"c"]), keys.mac(&[b"a", b"bc"]));
        assert!(keys.is_mac(&keys.mac(&[b"ab"]), &[b"ab"]));
        assert!(!keys.is_mac(&keys.mac(&[b"ab"])[..31], &[b"ab"]));
    }

    #[test]
    fn only_what_has_the_form_of_a_token_is_one() {
        let token = Token::random();
        assert_eq!(Token::parse(token.expose()).unwrap().hash(), token.hash());
        let too_long = format!("{}A", token.expose());
        for text in ["", &token.expose()[1..], &too_long, &"é".repeat(22)] {
            assert!(Token::parse(text).is_none(), "{text}");
        }
    }
}
