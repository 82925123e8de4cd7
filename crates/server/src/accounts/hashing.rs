//! Passwords as Argon2id, a bounded number at a time, so that a storm of sign-ins slows sign-ins and nothing else.

use std::{sync::Arc, time::Duration};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{
        self, PasswordHasher as _, PasswordVerifier as _,
        phc::{Output, ParamsString, PasswordHash, Salt},
    },
};
use deadwax_store::Failure;
use rules::password::Password;
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

/// Callers that may wait for a turn; the next one gets [`Failure::Busy`].
const QUEUE: usize = 64;
/// How long a caller waits for a turn.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(2);

/// Hashes and compares passwords: one at a time for each core, because a hash takes 19 MiB. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Hasher {
    turns: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    unknown: Arc<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Wrong,
    Right,
    /// Right, and hashed with less effort than new hashes: hash it again.
    NeedsRehash,
}

/// The effort of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    pub memory_kib: u32,
    pub passes: u32,
    pub lanes: u32,
}

impl Cost {
    /// Whether no part of it is less than `asked`.
    pub const fn is_enough(self, asked: Self) -> bool {
        self.memory_kib >= asked.memory_kib && self.passes >= asked.passes && self.lanes >= asked.lanes
    }
}

impl From<&Params> for Cost {
    fn from(params: &Params) -> Self {
        Self { memory_kib: params.m_cost(), passes: params.t_cost(), lanes: params.p_cost() }
    }
}

/// The effort of new hashes.
pub fn cost() -> Cost {
    Cost::from(&Params::default())
}

/// The beginning of every PHC string of that effort.
pub fn prefix(Cost { memory_kib, passes, lanes }: Cost) -> String {
    format!("$argon2id$v=19$m={memory_kib},t={passes},p={lanes}$")
}

/// The effort of a PHC string, if [`Hasher::compare`] accepts it.
pub fn cost_of(phc: &str) -> Option<Cost> {
    let stored = PasswordHash::new(phc).ok().filter(is_ours)?;
    Some(Cost::from(&Params::try_from(&stored).ok()?))
}

fn is_ours(stored: &PasswordHash) -> bool {
    stored.algorithm == Algorithm::Argon2id.ident()
        && stored.version == Some(Version::V0x13.into())
        && stored.salt.is_some()
        && stored.hash.is_some()
}

impl Hasher {
    pub fn new() -> anyhow::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Ok(Self {
            turns: Arc::new(Semaphore::new(cores)),
            queue: Arc::new(Semaphore::new(cores + QUEUE)),
            unknown: unknown()?.into(),
        })
    }

    /// A hash that no password leads to.
    pub fn unknown(&self) -> &str {
        &self.unknown
    }

    /// Returns the hash of a password as a PHC string.
    pub async fn hash(&self, password: &Password) -> Result<String, Failure> {
        let password = Zeroizing::new(password.expose().to_owned());
        let hashed = self.in_turn(move || Argon2::default().hash_password(password.as_bytes())).await?;
        Ok(hashed.map_err(broken)?.to_string())
    }

    /// Compares a password with a PHC string. Without one it takes as long, and is never right.
    pub async fn compare(&self, password: &Password, phc: Option<String>) -> Result<Comparison, Failure> {
        let password = Zeroizing::new(password.expose().to_owned());
        let is_known = phc.is_some();
        let phc: Arc<str> = phc.map_or_else(|| Arc::clone(&self.unknown), Arc::from);
        let found = self.in_turn(move || compare(&password, &phc)).await??;
        Ok(if is_known { found } else { Comparison::Wrong })
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let queued = Arc::clone(&self.queue).try_acquire_owned().map_err(|_| Failure::Busy)?;
        let turn = tokio::time::timeout(QUEUE_TIMEOUT, Arc::clone(&self.turns).acquire_owned())
            .await
            .map_err(|_| Failure::Busy)?
            .map_err(anyhow::Error::new)?;
        // Both permits move into the work: a caller who leaves does not let more of it run at once.
        let working = tokio::task::spawn_blocking(move || {
            let result = work();
            drop((turn, queued));
            result
        });
        Ok(working.await.map_err(anyhow::Error::new)?)
    }
}

/// A PHC string of the effort of new hashes with a random output, so that the start waits for no hash.
fn unknown() -> anyhow::Result<String> {
    let phc = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&Params::default()).map_err(broken)?,
        salt: Some(Salt::new(&rand::random::<[u8; 16]>()).map_err(broken)?),
        hash: Some(Output::new(&rand::random::<[u8; Params::DEFAULT_OUTPUT_LEN]>()).map_err(broken)?),
    };
    Ok(phc.to_string())
}

fn compare(password: &str, phc: &str) -> anyhow::Result<Comparison> {
    let stored = PasswordHash::new(phc).map_err(broken)?;
    anyhow::ensure!(is_ours(&stored), "a stored password hash is not Argon2id version 19");
    let params = Params::try_from(&stored).map_err(broken)?;
    match Argon2::default().verify_password(password.as_bytes(), &stored) {
        Ok(()) if Cost::from(&params).is_enough(cost()) => Ok(Comparison::Right),
        Ok(()) => Ok(Comparison::NeedsRehash),
        Err(password_hash::Error::PasswordInvalid) => Ok(Comparison::Wrong),
        Err(error) => Err(broken(error)),
    }
}

fn broken(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow::anyhow!("hashing a password: {error}")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use argon2::password_hash::PasswordHasher as _;

    use super::*;

    #[tokio::test]
    async fn a_password_is_compared_and_an_unknown_persons_is_never_right() {
        let hasher = Hasher::new().unwrap();
        let phc = hasher.hash(&"correct horse".into()).await.unwrap();
        assert!(phc.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{phc}");
        assert!(phc.starts_with(&prefix(cost())) && cost_of(&phc) == Some(cost()), "{phc}");
        let compare = async |password: &str, phc: Option<&str>| {
            hasher.compare(&password.into(), phc.map(str::to_owned)).await.unwrap()
        };
        assert_eq!(compare("correct horse", Some(&phc)).await, Comparison::Right);
        assert_eq!(compare("correct horsf", Some(&phc)).await, Comparison::Wrong);
        assert_eq!(compare("correct horse", None).await, Comparison::Wrong);
        // An unknown person takes as long as a known one.
        assert_eq!(cost_of(&hasher.unknown), Some(cost()));
    }

    #[tokio::test]
    async fn at_most_one_password_a_core_is_hashed_at_once_and_a_full_queue_is_busy() {
        let hasher = Hasher {
            turns: Arc::new(Semaphore::new(2)),
            queue: Arc::new(Semaphore::new(5)),
            ..Hasher::new().unwrap()
        };
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let work = || {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            hasher.in_turn(move || {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(50));
                running.fetch_sub(1, Ordering::SeqCst);
            })
        };
        let ended = futures_util::future::join_all((0..6).map(|_| work())).await;
        assert_eq!(ended.iter().filter(|result| result.is_ok()).count(), 5);
        assert!(matches!(ended[5], Err(Failure::Busy)));
        assert_eq!(most.load(Ordering::SeqCst), 2);
        work().await.unwrap();
    }

    #[tokio::test]
    async fn a_caller_who_leaves_keeps_the_turn_until_the_hash_is_made() {
        let hasher = Hasher { turns: Arc::new(Semaphore::new(1)), ..Hasher::new().unwrap() };
        let (go, gone) = std::sync::mpsc::channel::<()>();
        let mut work = Box::pin(hasher.in_turn(move || gone.recv()));
        assert!(futures_util::poll!(&mut work).is_pending());
        drop(work);
        assert_eq!(hasher.turns.available_permits(), 0);
        go.send(()).unwrap();
        hasher.in_turn(|| ()).await.unwrap();
    }

    #[tokio::test]
    async fn a_hash_of_less_effort_is_to_be_made_again() {
        let weak = Argon2::new(
            argon2::Algorithm::Argon2id,
            argon2::Version::V0x13,
            Params::new(8 * 1024, 1, 1, None).unwrap(),
        );
        let phc = weak.hash_password(b"correct horse").unwrap().to_string();
        let found = Hasher::new().unwrap().compare(&"correct horse".into(), Some(phc)).await.unwrap();
        assert_eq!(found, Comparison::NeedsRehash);
    }
}
