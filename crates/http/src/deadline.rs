//! A deadline that is set, moved or cleared at nearly every request, or piece of one, and seldom passes.

use std::{pin::Pin, task::Context, time::Duration};

use tokio::time::{Instant, Sleep, sleep};

#[derive(Debug, Default)]
pub(crate) struct Deadline(Option<Pin<Box<Sleep>>>);

impl Deadline {
    pub(crate) fn is_set(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn set(&mut self, after: Duration) {
        match &mut self.0 {
            Some(timer) => timer.as_mut().reset(Instant::now() + after),
            None => self.0 = Some(Box::pin(sleep(after))),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0 = None;
    }

    /// Whether it has passed; where none is set, it is set to so long from now. Wakes the task when that changes.
    pub(crate) fn has_passed(&mut self, after: Duration, context: &mut Context<'_>) -> bool {
        self.0.get_or_insert_with(|| Box::pin(sleep(after))).as_mut().poll(context).is_ready()
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, task::Poll};

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
        assert_eq!(seconds(&mut deadline, 75 * SECOND).await, 75, "later than before");
        deadline.clear();
        assert!(!look(&mut deadline, 75 * SECOND).await);
        deadline.set(10 * SECOND);
        assert_eq!(seconds(&mut deadline, SECOND).await, 10, "earlier than before");
    }
}
