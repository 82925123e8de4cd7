//! Work that continues when its caller leaves.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use deadwax_http::serve::ClientShare;
use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

/// A future that is polled where it is awaited, and becomes a task when it is dropped before its end.
///
/// A task from the beginning would be woken, usually on another core, for each piece of a body that it reads.
pub(crate) struct FinishDetached<T: Send + 'static> {
    work: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
    background: TaskTracker,
    share: Option<ClientShare>,
}

impl<T: Send + 'static> FinishDetached<T> {
    /// Dropped early, `work` is finished in `background`, and counts in its client's `share` until then: leaving makes no
    /// room for more.
    pub(crate) fn new(
        background: TaskTracker,
        share: Option<ClientShare>,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Self {
        Self { work: Some(Box::pin(work)), background, share }
    }
}

impl<T: Send + 'static> Future for FinishDetached<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        // Taken out while it is polled, so that a future that panics is not polled again.
        let Some(mut work) = self.work.take() else { return Poll::Pending };
        let polled = work.as_mut().poll(context);
        if polled.is_pending() {
            self.work = Some(work);
        }
        polled
    }
}

impl<T: Send + 'static> Drop for FinishDetached<T> {
    fn drop(&mut self) {
        if let (Some(work), Ok(runtime)) = (self.work.take(), Handle::try_current()) {
            let kept = self.share.take();
            let counted = async move {
                let _kept = kept;
                work.await
            };
            self.background.spawn_on(counted, &runtime);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{panic::AssertUnwindSafe, time::Duration};

    use futures_util::{FutureExt as _, poll};
    use tokio::sync::oneshot;

    use super::*;

    /// Work that waits for a signal and then sends one.
    fn work(background: &TaskTracker) -> (oneshot::Sender<()>, FinishDetached<u32>, oneshot::Receiver<()>) {
        let ((go, gone), (done, ended)) = (oneshot::channel(), oneshot::channel());
        let work = FinishDetached::new(background.clone(), None, async {
            gone.await.unwrap();
            done.send(()).unwrap();
            7
        });
        (go, work, ended)
    }

    #[tokio::test]
    async fn work_that_is_waited_for_ends_where_it_is() {
        let (go, mut work, ended) = work(&TaskTracker::new());
        assert!(poll!(&mut work).is_pending());
        go.send(()).unwrap();
        assert_eq!(work.await, 7);
        ended.await.unwrap();
    }

    #[tokio::test]
    async fn work_that_is_left_ends_all_the_same() {
        for is_begun in [true, false] {
            let background = TaskTracker::new();
            let (go, mut work, mut ended) = work(&background);
            if is_begun {
                assert!(poll!(&mut work).is_pending());
            }
            drop(work);
            go.send(()).unwrap();
            background.close();
            tokio::time::timeout(Duration::from_secs(5), background.wait()).await.unwrap();
            ended.try_recv().unwrap();
        }
    }

    #[tokio::test]
    async fn work_that_panics_is_not_begun_again() {
        let (held, released) = oneshot::channel::<()>();
        let mut work = FinishDetached::new(TaskTracker::new(), None, async move {
            tokio::task::yield_now().await;
            let _held = held;
            panic!("in the middle");
        });
        assert!(poll!(&mut work).is_pending());
        let panicked: Result<(), _> = AssertUnwindSafe(&mut work).catch_unwind().await;
        assert!(panicked.is_err());
        drop(work);
        assert!(released.await.is_err(), "what it held is dropped");
    }
}
