//! A deadline that is moved at nearly every request, or piece of one, and seldom passes.
//!
//! A timer that is set and removed each time takes the lock of all timers twice, and one that would be the next to go off wakes
//! the thread that waits for them. So the timer stays where it is while the deadline moves away from it; when it goes off too
//! early, it is set to where the deadline is by then.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Instant, Sleep, sleep_until};

/// A point in time, or none, with a timer that wakes the task.
#[derive(Debug, Default)]
pub(crate) struct Deadline {
    at: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
    pub(crate) fn is_set(&self) -> bool {
        self.at.is_some()
    }

    pub(crate) fn set(&mut self, after: Duration) {
        self.at = Some(Instant::now() + after);
    }

    pub(crate) fn clear(&mut self) {
        self.at = None;
    }

    /// Whether it has passed; where none is set, it is set to so long from now. Wakes the task when that changes.
    pub(crate) fn has_passed(&mut self, after: Duration, context: &mut Context<'_>) -> bool {
        let at = *self.at.get_or_insert_with(|| Instant::now() + after);
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(at)));
        if timer.deadline() > at {
            timer.as_mut().reset(at);
        }
        loop {
            match timer.as_mut().poll(context) {
                Poll::Pending => return false,
                Poll::Ready(()) if timer.deadline() >= at => return true,
                Poll::Ready(()) => timer.as_mut().reset(at),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    async fn seconds(deadline: &mut Deadline, after: Duration) -> u64 {
        let started = Instant::now();
        poll_fn(|context| if deadline.has_passed(after, context) { Poll::Ready(()) } else { Poll::Pending })
            .await;
        started.elapsed().as_secs()
    }

    async fn look(deadline: &mut Deadline, after: Duration) -> bool {
        poll_fn(|context| Poll::Ready(deadline.has_passed(after, context))).await
    }

    #[tokio::test(start_paused = true)]
    async fn it_passes_when_it_was_last_set_to() {
        let mut deadline = Deadline::default();
        assert_eq!(seconds(&mut deadline, 10 * SECOND).await, 10);
        assert!(look(&mut deadline, SECOND).await, "it stays passed");
        deadline.clear();
        assert!(!look(&mut deadline, 10 * SECOND).await);
        tokio::time::advance(5 * SECOND).await;
        deadline.clear();
        assert_eq!(seconds(&mut deadline, 75 * SECOND).await, 75, "later than its timer");
        deadline.clear();
        assert!(!look(&mut deadline, 75 * SECOND).await);
        deadline.set(10 * SECOND);
        assert_eq!(seconds(&mut deadline, SECOND).await, 10, "earlier than its timer");
    }
}
