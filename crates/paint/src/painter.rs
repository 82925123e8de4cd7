//! The painting thread with its engine: made for a page, dropped after a while without work.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use crate::{
    bounds::{Bounds, Credit, Priority, Skipped},
    engine::{Code, Engine},
};

/// Stack of an engine's code, and of its thread, which also holds what surrounds it.
const STACK: usize = 1024 * 1024;
const THREAD_STACK: usize = 4 * STACK;

/// Paints pages. Clones share one thread, which ends with the last of them.
#[derive(Clone, Debug)]
pub struct Painter {
    handle: Option<Arc<Handle>>,
}

#[derive(Debug)]
struct Handle {
    shared: Arc<Shared>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.state().is_over = true;
        self.shared.wake.notify_all();
    }
}

#[derive(Debug)]
struct Shared {
    source: &'static str,
    /// Compiled by the first thread.
    code: OnceLock<Code>,
    bounds: Bounds,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug)]
struct State {
    jobs: VecDeque<Job>,
    credit: Credit,
    /// Whether a thread exists; it alone takes jobs.
    has_thread: bool,
    is_working: bool,
    is_over: bool,
    engines: u64,
}

#[derive(Debug)]
struct Job {
    address: String,
    first_view: String,
    priority: Priority,
    time: Duration,
    answer: oneshot::Sender<Result<String, Skipped>>,
}

impl Painter {
    /// Paints nothing.
    pub fn off() -> Self {
        Self { handle: None }
    }

    /// Paints with a module that exports `paint(address: string, firstView: string): Promise<string>`, within `bounds`. Begins to compile
    /// it; a page that comes sooner waits for that.
    pub fn new(source: &'static str, bounds: Bounds) -> Self {
        let state = State {
            jobs: VecDeque::new(),
            credit: Credit::new(bounds.burst, bounds.earned_in, Instant::now()),
            has_thread: false,
            is_working: false,
            is_over: false,
            engines: 0,
        };
        let (code, state) = (OnceLock::new(), Mutex::new(state));
        let shared = Arc::new(Shared { source, code, bounds, state, wake: Condvar::new() });
        // Without a thread the first page tries again.
        let _ = shared.have_thread(&mut shared.state());
        Self { handle: Some(Arc::new(Handle { shared })) }
    }

    /// The HTML inside the root of the page at `address` (path and query), made from `first_view`, the JSON that the document carries.
    /// Takes at most [`Bounds::patience`]; in the background, its turn and then [`Bounds::background`] each for a new engine and for the
    /// page.
    pub async fn paint(
        &self,
        address: &str,
        first_view: &str,
        priority: Priority,
    ) -> Result<String, Skipped> {
        let Some(Handle { shared }) = self.handle.as_deref() else { return Err(Skipped::Off) };
        let answer = shared.ask(address, first_view, priority)?;
        let answered = match priority {
            Priority::High | Priority::Low => tokio::time::timeout(shared.bounds.patience, answer).await,
            Priority::Background => Ok(answer.await),
        };
        match answered {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(Skipped::Failed("its thread has ended".to_owned())),
            Err(_) => Err(Skipped::Late),
        }
    }

    /// Whether a background page may be painted now: nothing else is, and half of the saved work is left for waiting visitors. Also where
    /// painting is off.
    pub fn has_leisure(&self) -> bool {
        self.handle.as_deref().is_none_or(|Handle { shared }| {
            let reserve = shared.bounds.burst / 2;
            let mut state = shared.state();
            state.jobs.is_empty() && !state.is_working && state.credit.exceeds(reserve, Instant::now())
        })
    }

    /// How many engines were made since the start.
    pub fn engines(&self) -> u64 {
        self.handle.as_deref().map_or(0, |Handle { shared }| shared.state().engines)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(
        self: &Arc<Self>,
        address: &str,
        first_view: &str,
        priority: Priority,
    ) -> Result<oneshot::Receiver<Result<String, Skipped>>, Skipped> {
        let mut state = self.state();
        let (queue, reserve, time) = match priority {
            Priority::High => (self.bounds.queue, Duration::ZERO, self.bounds.page),
            Priority::Low => (self.bounds.queue / 2, self.bounds.burst * 3 / 4, self.bounds.page),
            Priority::Background => (self.bounds.queue, self.bounds.burst / 2, self.bounds.background),
        };
        if state.jobs.len() >= queue || !state.credit.exceeds(reserve, Instant::now()) {
            return Err(Skipped::Busy);
        }
        self.have_thread(&mut state).map_err(|error| Skipped::Failed(error.to_string()))?;
        let (answer, receiver) = oneshot::channel();
        let (address, first_view) = (address.to_owned(), first_view.to_owned());
        let passed = |job: &Job| priority == Priority::High && job.priority != Priority::High;
        let place = state.jobs.iter().position(passed).unwrap_or(state.jobs.len());
        state.jobs.insert(place, Job { address, first_view, priority, time, answer });
        self.wake.notify_one();
        Ok(receiver)
    }

    fn have_thread(self: &Arc<Self>, state: &mut State) -> std::io::Result<()> {
        if !state.has_thread {
            let shared = Arc::clone(self);
            let thread = std::thread::Builder::new().name("paint".to_owned()).stack_size(THREAD_STACK);
            thread.spawn(move || work(&shared))?;
            state.has_thread = true;
        }
        Ok(())
    }

    /// The next job whose requester still waits; none after a long idle time, when the thread ends.
    fn next(&self) -> Option<Job> {
        let mut state = self.state();
        state.is_working = false;
        let idle_at = Instant::now() + self.bounds.idle;
        loop {
            if let Some(job) = state.jobs.pop_front() {
                if job.answer.is_closed() {
                    continue;
                }
                state.is_working = true;
                return Some(job);
            }
            let wait = idle_at.saturating_duration_since(Instant::now());
            if state.is_over || wait.is_zero() {
                state.has_thread = false;
                return None;
            }
            state = self.wake.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn code(&self) -> Result<Code, Skipped> {
        if let Some(code) = self.code.get() {
            return Ok(*code);
        }
        let code = Code::compile(self.source)?;
        Ok(*self.code.get_or_init(|| code))
    }

    fn load(&self, time: Duration) -> Result<Engine, Skipped> {
        self.state().engines += 1;
        Engine::load(self.code()?, self.bounds.memory, STACK, time)
    }
}

/// Lets another thread take over if this one panics; the waiting requests fail as their channels close.
struct OnPanic<'a>(&'a Shared);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut state = self.0.state();
            state.jobs.clear();
            (state.has_thread, state.is_working) = (false, false);
        }
    }
}

fn work(shared: &Shared) {
    let _on_panic = OnPanic(shared);
    // A failure is the first page's answer.
    let _ = shared.code();
    let mut engine = None;
    let mut failures = 0;
    while let Some(Job { address, first_view, time, answer, .. }) = shared.next() {
        let started = Instant::now();
        let painted = match engine.take().map_or_else(|| shared.load(time), Ok) {
            Ok(loaded) => {
                let painted = loaded.paint(&address, &first_view, time);
                engine = Some(loaded);
                painted
            }
            Err(failure) => Err(failure),
        };
        shared.state().credit.spend(started.elapsed());
        failures = if painted.is_ok() { 0 } else { failures + 1 };
        // An interrupted page may have left anything behind.
        if painted == Err(Skipped::Late) || failures >= shared.bounds.failures {
            (engine, failures) = (None, 0);
        }
        // The requester may have stopped waiting.
        let _ = answer.send(painted);
        if let Some(engine) = &engine {
            let started = Instant::now();
            engine.collect();
            shared.state().credit.spend(started.elapsed());
        }
    }
}

#[cfg(test)]
mod tests;
