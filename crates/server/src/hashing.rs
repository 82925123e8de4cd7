//! Passwords as Argon2id, a bounded number at a time, so that a storm of sign-ins slows sign-ins and nothing else.

use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    time::Duration,
};

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::phc::{Output, ParamsString, PasswordHash, Salt},
};
use rules::password::Password;
use tokio::sync::{Semaphore, oneshot};
use zeroize::Zeroizing;

/// Sign-ins waiting for a turn; the next one is told that the service is busy.
const QUEUE: usize = 64;
/// How long one waits for its turn.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(2);

/// What a hash is worked out in, 19 MiB of it: kept for the next hash, since the system clears what it gives out, and given back
/// when none was asked for in [`IDLE`].
type Memory = Vec<Block>;

/// How long memory for hashing is kept while nobody needs it.
const IDLE: Duration = if cfg!(test) { Duration::from_millis(500) } else { Duration::from_secs(10) };

/// Work for a hashing thread.
type Job = Box<dyn FnOnce(&mut Memory) + Send>;

/// The door to hashing: one turn, and one thread, for each core. Cheap to clone.
///
/// The threads are its own, so that there is no more memory for hashing than threads that hash.
#[derive(Clone, Debug)]
pub struct Hasher {
    jobs: mpsc::Sender<Job>,
    turns: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    /// The hash of a password nobody has: what unknown people are compared with, so that they take as long as known ones.
    nobody: Arc<str>,
}

/// Why nothing was hashed.
#[derive(Debug, thiserror::Error)]
pub enum HashingError {
    /// Too many are waiting for their turn.
    #[error("too many passwords are being hashed")]
    Busy,
    /// A stored hash that is none, a thread that has ended, or a bug.
    #[error(transparent)]
    Failed(#[from] anyhow::Error),
}

/// What comparing a password found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The password is not it.
    Wrong,
    /// The password is right.
    Right,
    /// The password is right and was hashed with less effort than is asked for now: hash it again.
    NeedsRehash,
}

/// How much work a hash is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory, in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
    /// Lanes, which could be worked on at the same time.
    pub lanes: u32,
}

impl Cost {
    /// Whether it is no less than what is asked for, in no part.
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

/// How every PHC string of that effort begins.
pub fn prefix(Cost { memory_kib, passes, lanes }: Cost) -> String {
    format!("$argon2id$v=19$m={memory_kib},t={passes},p={lanes}$")
}

/// The effort of a PHC string; none where it is not one that [`Hasher::compare`] takes.
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
    /// As many turns as the machine has cores.
    pub fn new() -> anyhow::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        // Drawn, not worked out: whoever starts does not wait for a hash that no password leads to.
        let nobody = phc(
            new_salt()?,
            Output::new(&rand::random::<[u8; Params::DEFAULT_OUTPUT_LEN]>()).map_err(broken)?,
        )?;
        Ok(Self {
            jobs: start_threads(cores)?,
            turns: Arc::new(Semaphore::new(cores)),
            queue: Arc::new(Semaphore::new(cores + QUEUE)),
            nobody: nobody.into(),
        })
    }

    /// A hash that no password leads to.
    pub fn unknown(&self) -> &str {
        &self.nobody
    }

    /// The hash of a password, as a PHC string.
    pub async fn hash(&self, password: &Password) -> Result<String, HashingError> {
        let password = Zeroizing::new(password.expose().to_owned());
        Ok(self.in_turn(move |memory| hash(&password, memory)).await??)
    }

    /// Compares a password with a PHC string; without one, with nobody's, which takes as long and is never right.
    pub async fn compare(
        &self,
        password: &Password,
        phc: Option<String>,
    ) -> Result<Comparison, HashingError> {
        let password = Zeroizing::new(password.expose().to_owned());
        let is_somebody = phc.is_some();
        let phc: Arc<str> = phc.map_or_else(|| Arc::clone(&self.nobody), Arc::from);
        let found = self.in_turn(move |memory| compare(&password, &phc, memory)).await??;
        Ok(if is_somebody { found } else { Comparison::Wrong })
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T, HashingError> {
        let queued = Arc::clone(&self.queue).try_acquire_owned().map_err(|_| HashingError::Busy)?;
        let turn = tokio::time::timeout(QUEUE_TIMEOUT, Arc::clone(&self.turns).acquire_owned())
            .await
            .map_err(|_| HashingError::Busy)?
            .map_err(anyhow::Error::new)?;
        let (answer, answered) = oneshot::channel();
        // Both go with the work: a caller who leaves does not let more of it run at once.
        let job = Box::new(move |memory: &mut Memory| {
            let result = work(memory);
            drop((turn, queued));
            // Whoever left does not miss the answer.
            let _ = answer.send(result);
        });
        self.jobs.send(job).map_err(|_| anyhow::anyhow!("the hashing threads have ended"))?;
        Ok(answered.await.map_err(anyhow::Error::new)?)
    }
}

/// Starts the threads; they end with the last door to them.
fn start_threads(count: usize) -> anyhow::Result<mpsc::Sender<Job>> {
    let (jobs, waiting) = mpsc::channel::<Job>();
    let (waiting, spare) = (Arc::new(Mutex::new(waiting)), Arc::<Mutex<Vec<Memory>>>::default());
    for _ in 0..count {
        let (waiting, spare) = (Arc::clone(&waiting), Arc::clone(&spare));
        std::thread::Builder::new().name("hashing".to_owned()).spawn(move || work(&waiting, &spare))?;
    }
    Ok(jobs)
}

/// Works until there is nobody any more who could bring a job.
fn work(waiting: &Mutex<mpsc::Receiver<Job>>, spare: &Mutex<Vec<Memory>>) {
    let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        // The lock is held while waiting, and let go before working.
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(IDLE);
        match job {
            Ok(job) => {
                let mut memory = spare().pop().unwrap_or_default();
                // A panic is answered with 500 (its channel closes), and the thread lives on.
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&mut memory)));
                spare().push(memory);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => *spare() = Vec::new(),
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn hash(password: &str, memory: &mut Memory) -> anyhow::Result<String> {
    let salt = new_salt()?;
    let output = work_out(password, &salt, Params::default(), memory)?;
    phc(salt, output)
}

fn new_salt() -> anyhow::Result<Salt> {
    Salt::new(&rand::random::<[u8; 16]>()).map_err(broken)
}

/// The PHC string of a hash of the effort that is asked for now.
fn phc(salt: Salt, output: Output) -> anyhow::Result<String> {
    let phc = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&Params::default()).map_err(broken)?,
        salt: Some(salt),
        hash: Some(output),
    };
    Ok(phc.to_string())
}

fn compare(password: &str, phc: &str, memory: &mut Memory) -> anyhow::Result<Comparison> {
    let stored = PasswordHash::new(phc).map_err(broken)?;
    let (Some(salt), Some(expected), true) = (&stored.salt, &stored.hash, is_ours(&stored)) else {
        anyhow::bail!("a stored password hash is not Argon2id version 19");
    };
    let params = Params::try_from(&stored).map_err(broken)?;
    let is_enough = Cost::from(&params).is_enough(cost());
    // The library compares outputs in constant time.
    Ok(if *expected != work_out(password, salt, params, memory)? {
        Comparison::Wrong
    } else if is_enough {
        Comparison::Right
    } else {
        Comparison::NeedsRehash
    })
}

fn work_out(password: &str, salt: &Salt, params: Params, memory: &mut Memory) -> anyhow::Result<Output> {
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    let blocks = params.block_count();
    if memory.len() < blocks {
        memory.resize(blocks, Block::new());
    }
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into_with_memory(password.as_bytes(), salt, &mut output, &mut memory[..blocks])
        .map_err(broken)?;
    Output::new(&output).map_err(broken)
}

fn broken(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow::anyhow!("hashing a password: {error}")
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};

    use super::*;

    #[tokio::test]
    async fn a_password_is_compared_and_nobodys_is_never_right() {
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
        // Who is nobody takes as long as anybody.
        assert_eq!(cost_of(&hasher.nobody), Some(cost()));
        // The library itself reads it the same way.
        assert!(Argon2::default().verify_password(b"correct horse", phc.as_str()).is_ok());
        assert!(Argon2::default().verify_password(b"correct horsf", phc.as_str()).is_err());
    }

    #[test]
    fn memory_is_kept_between_hashes_and_given_back_when_none_is_asked_for() {
        let (jobs, waiting) = mpsc::channel::<Job>();
        let (waiting, spare) = (Mutex::new(waiting), Mutex::new(Vec::new()));
        let (told, sizes) = mpsc::channel();
        let ask = |jobs: &mpsc::Sender<Job>| {
            let told = told.clone();
            let job = move |memory: &mut Memory| {
                told.send(memory.len()).unwrap();
                memory.resize(10, Block::new());
            };
            jobs.send(Box::new(job)).unwrap();
            sizes.recv().unwrap()
        };
        std::thread::scope(|scope| {
            // Its end ends the thread, a failing look as well.
            let jobs = jobs;
            scope.spawn(|| work(&waiting, &spare));
            assert_eq!([ask(&jobs), ask(&jobs), ask(&jobs)], [0, 10, 10]);
            std::thread::sleep(IDLE * 3);
            assert!(spare.lock().unwrap().is_empty());
            assert_eq!(ask(&jobs), 0);
        });
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
