//! The answers of one connection: how many are under way, whether each waits for the server or for the peer, and for how long.
//!
//! An answer waits for this server (its handler, its file, the next live change) or for the peer, who must read the bytes that are
//! ready. An HTTP/2 peer can stall one answer while the socket looks healthy, so each answer has its own age. Answers read no clock:
//! the watcher adds to the ages at regular intervals.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use axum::body::Body;
use bytes::{Buf, Bytes};
use futures_util::task::AtomicWaker;
use http_body::{Frame, SizeHint};

use crate::slots::{Bound, Permit, Slots};

/// Answers of one connection: its streams, and as many that were given up a moment ago.
const SLOTS: usize = 2 * rules::connection::STREAMS as usize;

#[derive(Debug)]
pub(super) struct Answers {
    /// The connection's own.
    slot: Arc<Permit>,
    /// Those of all connections, and how many of them the client may have.
    all: Slots,
    bounds: Vec<Bound>,
    state: Mutex<State>,
    /// Wakes the watcher of the ages while it has nothing to watch.
    watcher: AtomicWaker,
}

#[derive(Debug)]
struct State {
    slots: [Slot; SLOTS],
    /// The number of requests so far, and the number of the one with two lengths.
    requests: u64,
    ambiguous: u64,
    is_overrun: bool,
    has_unread: bool,
}

/// An answer; free without holders.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Its request or body, and each piece that is not sent yet.
    holders: u32,
    age: u8,
    /// Whether its handler works, or its body has nothing ready.
    awaits_server: bool,
}

impl Slot {
    fn awaits_peer(self) -> bool {
        self.holders > 1 || (self.holders == 1 && !self.awaits_server)
    }
}

/// A request being answered, until the last byte of its answer has left.
#[derive(Debug)]
pub(super) struct Answering {
    answers: Arc<Answers>,
    slot: Option<usize>,
    number: u64,
    /// None past the client's share.
    permit: Option<Arc<Permit>>,
}

/// The share of a request's client, for work that may continue when the client has left: counted until this is dropped, so that
/// leaving makes no room for more.
#[derive(Clone, Debug)]
pub struct ClientShare {
    _slot: Arc<Permit>,
    _permit: Option<Arc<Permit>>,
}

impl Answers {
    /// For a connection that holds `slot`, and whose answers are counted in `all`, within `bounds`.
    pub(super) fn new(slot: Permit, all: Slots, bounds: Vec<Bound>) -> Arc<Self> {
        let slots = [Slot::default(); SLOTS];
        let state = State { slots, requests: 0, ambiguous: 0, is_overrun: false, has_unread: false };
        let (slot, state) = (Arc::new(slot), Mutex::new(state));
        Arc::new(Self { slot, all, bounds, state, watcher: AtomicWaker::new() })
    }

    #[cfg(test)]
    pub(super) fn of(all: &Slots, bounds: Vec<Bound>) -> Arc<Self> {
        Self::new(Slots::new(1).try_acquire(std::iter::empty()).unwrap(), all.clone(), bounds)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(self: &Arc<Self>) -> Answering {
        let mut state = self.state();
        state.requests += 1;
        let number = state.requests;
        let slot = state.slots.iter().position(|slot| slot.holders == 0);
        match slot {
            Some(slot) => state.slots[slot] = Slot { holders: 1, age: 0, awaits_server: true },
            None => state.is_overrun = true,
        }
        drop(state);
        let permit = slot.and_then(|_| self.all.try_acquire(self.bounds.iter().copied()).ok()).map(Arc::new);
        Answering { answers: Arc::clone(self), slot, number, permit }
    }

    pub(super) fn is_answering(&self) -> bool {
        self.state().slots.iter().any(|slot| slot.holders > 0)
    }

    pub(super) fn is_overrun(&self) -> bool {
        self.state().is_overrun
    }

    /// Has a task woken when an answer that waited for this server begins to wait for the peer.
    pub(super) fn watch(&self, watcher: &Waker) {
        self.watcher.register(watcher);
    }

    pub(super) fn awaits_peer(&self) -> bool {
        self.state().slots.iter().any(|slot| slot.awaits_peer())
    }

    /// Lets every answer that waits for the peer grow older by `age`; returns the age of the oldest.
    pub(super) fn grow_older(&self, age: u8) -> u8 {
        let mut state = self.state();
        let waiting = state.slots.iter_mut().filter(|slot| slot.awaits_peer());
        let grown = waiting.map(|slot| {
            slot.age = slot.age.saturating_add(age);
            slot.age
        });
        grown.max().unwrap_or(0)
    }

    pub(super) fn note_ambiguous(&self, number: u64) {
        self.state().ambiguous = number;
    }

    pub(super) fn has_unread(&self) -> bool {
        self.state().has_unread
    }
}

impl Answering {
    pub(super) fn is_ambiguous(&self) -> bool {
        self.answers.state().ambiguous == self.number
    }

    pub(super) fn is_beyond_share(&self) -> bool {
        self.permit.is_none()
    }

    pub(super) fn client_share(&self) -> ClientShare {
        ClientShare { _slot: Arc::clone(&self.answers.slot), _permit: self.permit.clone() }
    }

    pub(super) fn leave_unread(&self) {
        self.answers.state().has_unread = true;
    }

    fn change<T>(&self, change: impl FnOnce(&mut Slot) -> T) -> Option<T> {
        self.slot.map(|slot| change(&mut self.answers.state().slots[slot]))
    }

    fn wait_for_server(&self) {
        self.change(|slot| slot.awaits_server = true);
    }

    /// Marks the answer as waiting for the peer; returns whether it was waiting for the server. New data does not reset the age of
    /// unsent data.
    fn wait_for_peer(&self) -> bool {
        let was_waiting = self.change(|slot| {
            if slot.holders == 1 {
                slot.age = 0;
            }
            std::mem::replace(&mut slot.awaits_server, false)
        });
        was_waiting.unwrap_or(false)
    }

    fn rejuvenate(&self) {
        self.change(|slot| slot.age = 0);
    }

    fn another_holder(&self) -> Self {
        self.change(|slot| slot.holders += 1);
        Self { answers: Arc::clone(&self.answers), permit: self.permit.clone(), ..*self }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.change(|slot| slot.holders -= 1);
    }
}

#[derive(Debug)]
pub(super) enum Content {
    /// Bytes that are there; none once they are taken.
    Ready(Bytes),
    Made(Body),
}

/// The body of an answer, which marks whether the answer waits for the server or for the peer.
#[derive(Debug)]
pub(super) struct AnswerBody {
    content: Content,
    answering: Answering,
}

impl AnswerBody {
    /// From here on the answer waits for the peer, until its body has nothing ready.
    pub(super) fn new(content: Content, answering: Answering) -> Self {
        // The head of the answer wakes the watcher.
        answering.wait_for_peer();
        Self { content, answering }
    }
}

impl http_body::Body for AnswerBody {
    type Data = Piece;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Piece>, axum::Error>>> {
        let this = self.get_mut();
        let polled = match &mut this.content {
            Content::Ready(bytes) if bytes.is_empty() => return Poll::Ready(None),
            Content::Ready(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Content::Made(body) => Pin::new(body).poll_frame(context),
        };
        match polled {
            Poll::Pending => {
                this.answering.wait_for_server();
                Poll::Pending
            }
            Poll::Ready(frame) => {
                if this.answering.wait_for_peer() {
                    this.answering.answers.watcher.wake();
                }
                let piece = |bytes| Piece { bytes, answering: this.answering.another_holder() };
                Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(piece))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            Content::Ready(bytes) => bytes.is_empty(),
            Content::Made(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Content::Ready(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Content::Made(body) => body.size_hint(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Piece {
    bytes: Bytes,
    answering: Answering,
}

impl Buf for Piece {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.answering.rejuvenate();
        self.bytes.advance(count);
    }
}

#[cfg(test)]
mod tests {
    use std::{iter, net::IpAddr};

    use http_body::Body as _;
    use http_body_util::BodyExt as _;

    use super::*;
    use crate::slots::per_client;

    fn connection(all: &Slots) -> Arc<Answers> {
        let bounds = per_client(IpAddr::from([10, 0, 0, 1]), rules::rate_limit::OPEN_ANSWERS).collect();
        Answers::of(all, bounds)
    }

    fn answers() -> Arc<Answers> {
        connection(&Slots::new(usize::MAX))
    }

    #[tokio::test]
    async fn an_answer_waits_for_the_peer_until_its_last_piece_has_left() {
        for content in [Content::Ready("bytes".into()), Content::Made("bytes".into())] {
            waits_for_the_peer_until_its_last_piece_has_left(content).await;
        }
    }

    async fn waits_for_the_peer_until_its_last_piece_has_left(content: Content) {
        let all = Slots::new(1);
        let answers = connection(&all);
        let answering = answers.enter();
        assert!(answers.is_answering() && !answers.awaits_peer(), "its handler works");
        let mut body = AnswerBody::new(content, answering);
        assert_eq!(body.size_hint().exact(), Some(5));
        assert!(answers.awaits_peer(), "nobody has asked for its bytes");
        let mut piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert!(body.is_end_stream() && body.frame().await.is_none());
        drop(body);
        assert!(answers.awaits_peer(), "they have not left");
        assert_eq!(answers.grow_older(20), 20);
        piece.advance(1);
        assert_eq!(answers.grow_older(5), 5);
        drop(piece);
        assert!(!answers.is_answering());
        assert!(all.try_acquire(iter::empty()).is_ok());
    }

    #[tokio::test]
    async fn a_stream_that_has_nothing_to_tell_waits_for_nobody() {
        let answers = answers();
        let (sender, receiver) = tokio::sync::mpsc::unbounded_channel::<Result<Bytes, std::io::Error>>();
        let stream = futures_util::stream::unfold(receiver, async |mut receiver| {
            receiver.recv().await.map(|bytes| (bytes, receiver))
        });
        let mut body = AnswerBody::new(Content::Made(Body::from_stream(stream)), answers.enter());
        sender.send(Ok(Bytes::from_static(b"hello"))).unwrap();
        let hello = body.frame().await.unwrap().unwrap();
        assert!(futures_util::FutureExt::now_or_never(body.frame()).is_none());
        assert!(answers.awaits_peer(), "hello has not left");
        drop(hello);
        assert!(!answers.awaits_peer());
    }

    #[test]
    fn a_client_has_so_many_answers_over_all_connections() {
        let of_client = Slots::new(usize::MAX);
        let mut under_way = Vec::new();
        for _ in 0..4 {
            let answers = connection(&of_client);
            under_way.extend((0..SLOTS).map(|_| answers.enter()));
        }
        let refused = under_way.iter().filter(|answering| answering.is_beyond_share()).count();
        assert_eq!(under_way.len() - refused, 200);
        assert!(!Answers::of(&of_client, Vec::new()).enter().is_beyond_share(), "a proxy has no bound");
        drop(under_way);
        assert!(!connection(&of_client).enter().is_beyond_share());
    }

    #[test]
    fn more_answers_than_streams_are_noticed() {
        let answers = answers();
        let mut under_way: Vec<_> = (0..SLOTS).map(|_| answers.enter()).collect();
        under_way.truncate(SLOTS / 2);
        under_way.extend((0..SLOTS / 2).map(|_| answers.enter()));
        assert!(!answers.is_overrun());
        assert!(answers.enter().is_beyond_share());
        assert!(answers.is_overrun());
    }
}
