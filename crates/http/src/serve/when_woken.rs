//! A future that is polled only when something has woken it, for one that waits beside another that is polled all the time.
//!
//! Every connection waits for the end of the program. A look whether that has come takes two locks that all connections share,
//! and would be taken at each of their reads and writes.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures_util::task::AtomicWaker;

/// The future, and what wakes it.
#[derive(Debug)]
pub(super) struct WhenWoken<F> {
    future: Pin<Box<F>>,
    woken: Arc<Woken>,
    waker: Waker,
}

#[derive(Debug)]
struct Woken {
    is_woken: AtomicBool,
    task: AtomicWaker,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        self.task.wake();
    }
}

impl<F> WhenWoken<F> {
    /// It is polled once in any case.
    pub(super) fn new(future: F) -> Self {
        let woken = Arc::new(Woken { is_woken: AtomicBool::new(true), task: AtomicWaker::new() });
        let waker = Waker::from(Arc::clone(&woken));
        Self { future: Box::pin(future), woken, waker }
    }
}

impl<F: Future> Future for WhenWoken<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // Before the look, so that a waking in between is noticed.
        self.woken.task.register(context.waker());
        if !self.woken.is_woken.load(Ordering::Acquire) {
            return Poll::Pending;
        }
        self.woken.is_woken.store(false, Ordering::Release);
        let this = &mut *self;
        this.future.as_mut().poll(&mut Context::from_waker(&this.waker))
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, sync::atomic::AtomicU32, time::Duration};

    use tokio_util::sync::CancellationToken;

    use super::*;

    #[tokio::test]
    async fn the_end_is_noticed_and_is_not_looked_for_in_between() {
        let (stop, looks) = (CancellationToken::new(), AtomicU32::new(0));
        let mut stopped = Box::pin(stop.clone().cancelled_owned());
        let mut waiting = WhenWoken::new(poll_fn(|context| {
            looks.fetch_add(1, Ordering::Relaxed);
            stopped.as_mut().poll(context)
        }));
        for _ in 0..100 {
            tokio::select! {
                biased;
                () = &mut waiting => panic!("nobody has stopped it"),
                () = tokio::task::yield_now() => {}
            }
        }
        assert_eq!(looks.load(Ordering::Relaxed), 1);
        let told = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(10)).await;
            stop.cancel();
        });
        tokio::time::timeout(Duration::from_secs(5), &mut waiting).await.unwrap();
        assert_eq!(looks.load(Ordering::Relaxed), 2);
        told.await.unwrap();
    }
}
