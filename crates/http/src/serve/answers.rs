//! The answers of one connection: how many are under way, whether each waits for the server or for the peer, and for how long.
//!
//! An answer waits for this server (its handler, its file, the next live change) or for the peer, who must read the bytes that are
//! ready. An HTTP/2 peer can stall one answer while the socket looks healthy, so each answer has its own age. Answers read no clock:
//! the watcher adds to the ages at regular intervals.

pub(super) mod body;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering},
    },
    task::Waker,
};

use futures_util::task::AtomicWaker;

/// Answers of one connection: its streams, and as many that were given up a moment ago. A bit of a word each.
const SLOTS: usize = 2 * rules::connection::STREAMS as usize;

/// The answers under way of one of a client's networks, over all connections from there.
#[derive(Debug)]
pub(super) struct Share {
    pub(super) under_way: Arc<AtomicUsize>,
    pub(super) most: usize,
}

impl Share {
    fn try_take(&self) -> bool {
        let one_more = |under_way| (under_way < self.most).then_some(under_way + 1);
        self.under_way.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok()
    }

    fn give_back(&self) {
        self.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub(super) struct Answers {
    /// One for each of the client's networks, the narrowest first.
    shares: Vec<Share>,
    taken: AtomicU64,
    /// A bit for each answer that waits for this server.
    ours: AtomicU64,
    /// Those who hold an answer: its request or body, and each piece that is not sent yet.
    holders: [AtomicU32; SLOTS],
    ages: [AtomicU8; SLOTS],
    is_overrun: AtomicBool,
    /// The number of requests so far, and the number of the one with two lengths.
    requests: AtomicU64,
    ambiguous: AtomicU64,
    has_unread: AtomicBool,
    /// Wakes the watcher of the ages while it has nothing to watch.
    watcher: AtomicWaker,
}

/// A request being answered, until the last byte of its answer has left.
#[derive(Debug)]
pub struct Answering {
    answers: Arc<Answers>,
    slot: Option<usize>,
    number: u64,
    is_beyond: bool,
}

impl Answers {
    /// For a connection whose answers are counted in these shares; without any they have no bound.
    pub(super) fn new(shares: Vec<Share>) -> Arc<Self> {
        Arc::new(Self {
            shares,
            taken: AtomicU64::new(0),
            ours: AtomicU64::new(0),
            holders: [const { AtomicU32::new(0) }; SLOTS],
            ages: [const { AtomicU8::new(0) }; SLOTS],
            is_overrun: AtomicBool::new(false),
            requests: AtomicU64::new(0),
            ambiguous: AtomicU64::new(0),
            has_unread: AtomicBool::new(false),
            watcher: AtomicWaker::new(),
        })
    }

    pub(super) fn enter(self: &Arc<Self>) -> Answering {
        let number = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let slot = self.take_slot();
        if slot.is_none() {
            self.is_overrun.store(true, Ordering::Relaxed);
        }
        let is_beyond = slot.is_none() || !self.try_take_shares();
        Answering { answers: Arc::clone(self), slot, number, is_beyond }
    }

    /// Takes one of each share, or of none: what is refused to a client takes nothing from its neighbours.
    fn try_take_shares(&self) -> bool {
        let full = self.shares.iter().position(|share| !share.try_take());
        if let Some(full) = full {
            self.shares.iter().take(full).for_each(Share::give_back);
        }
        full.is_none()
    }

    fn take_slot(&self) -> Option<usize> {
        let mut taken = self.taken.load(Ordering::Relaxed);
        loop {
            let slot = taken.trailing_ones() as usize;
            let holders = self.holders.get(slot)?;
            match self.taken.compare_exchange_weak(
                taken,
                taken | (1 << slot),
                Ordering::Acquire,
                Ordering::Relaxed,
            ) {
                Ok(_) => {
                    self.ours.fetch_or(1 << slot, Ordering::Relaxed);
                    holders.store(1, Ordering::Relaxed);
                    return Some(slot);
                }
                Err(now) => taken = now,
            }
        }
    }

    pub(super) fn is_answering(&self) -> bool {
        self.taken.load(Ordering::Relaxed) != 0
    }

    pub(super) fn is_overrun(&self) -> bool {
        self.is_overrun.load(Ordering::Relaxed)
    }

    /// Has a task woken when an answer that waited for this server begins to wait for the peer.
    pub(super) fn watch(&self, watcher: &Waker) {
        self.watcher.register(watcher);
    }

    pub(super) fn awaits_peer(&self) -> bool {
        self.waiting().next().is_some()
    }

    /// Lets every answer that waits for the peer grow older by `age`, and answers the age of the oldest.
    pub(super) fn grow_older(&self, age: u8) -> u8 {
        self.waiting()
            .map(|(_, of_slot)| {
                let before = of_slot.load(Ordering::Relaxed);
                let after = before.saturating_add(age);
                // One that made progress in this moment is young again, and stays so.
                match of_slot.compare_exchange(before, after, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => after,
                    Err(now) => now,
                }
            })
            .max()
            .unwrap_or(0)
    }

    /// The ages of the answers that wait for the peer: their body was not asked for more, or a piece of it has not left.
    fn waiting(&self) -> impl Iterator<Item = (usize, &AtomicU8)> {
        let taken = self.taken.load(Ordering::Relaxed);
        let ours = self.ours.load(Ordering::Relaxed);
        self.ages.iter().enumerate().filter(move |(slot, _)| {
            taken & (1 << slot) != 0
                && (ours & (1 << slot) == 0
                    || self.holders.get(*slot).is_some_and(|holders| holders.load(Ordering::Relaxed) > 1))
        })
    }

    pub(super) fn note_ambiguous(&self, number: u64) {
        self.ambiguous.store(number, Ordering::Relaxed);
    }

    /// Whether a request's body was left unread, so that its sender may still be sending.
    pub(super) fn has_unread(&self) -> bool {
        self.has_unread.load(Ordering::Relaxed)
    }
}

impl Answering {
    pub(super) fn is_ambiguous(&self) -> bool {
        self.answers.ambiguous.load(Ordering::Relaxed) == self.number
    }

    pub(super) fn is_beyond_share(&self) -> bool {
        self.is_beyond
    }

    pub(super) fn leave_unread(&self) {
        self.answers.has_unread.store(true, Ordering::Relaxed);
    }

    fn is_our_turn(&self) {
        if let Some(slot) = self.slot {
            self.answers.ours.fetch_or(1 << slot, Ordering::Relaxed);
        }
    }

    /// Marks the answer as waiting for the peer; returns whether it was waiting for the server. New data does not reset the age of
    /// unsent data.
    fn is_peers_turn(&self) -> bool {
        let Some(slot) = self.slot else { return false };
        if self.answers.holders.get(slot).is_some_and(|holders| holders.load(Ordering::Relaxed) == 1) {
            self.rejuvenate();
        }
        self.answers.ours.fetch_and(!(1 << slot), Ordering::Relaxed) & (1 << slot) != 0
    }

    fn rejuvenate(&self) {
        if let Some(age) = self.slot.and_then(|slot| self.answers.ages.get(slot)) {
            age.store(0, Ordering::Relaxed);
        }
    }

    /// One more who holds the answer.
    fn another(&self) -> Self {
        if let Some(holders) = self.slot.and_then(|slot| self.answers.holders.get(slot)) {
            holders.fetch_add(1, Ordering::Relaxed);
        }
        Self { answers: Arc::clone(&self.answers), ..*self }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            let holders = self.answers.holders.get(slot);
            if holders.is_none_or(|holders| holders.fetch_sub(1, Ordering::AcqRel) > 1) {
                return;
            }
            self.answers.taken.fetch_and(!(1 << slot), Ordering::Release);
        }
        if !self.is_beyond {
            self.answers.shares.iter().for_each(Share::give_back);
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use bytes::{Buf as _, Bytes};
    use http_body::Body as _;
    use http_body_util::BodyExt as _;

    use super::{
        body::{AnswerBody, Content},
        *,
    };

    fn connection(under_way: &Arc<AtomicUsize>) -> Arc<Answers> {
        let share =
            Share { under_way: Arc::clone(under_way), most: rules::rate_limit::OPEN_ANSWERS as usize };
        Answers::new(vec![share])
    }

    fn answers() -> Arc<Answers> {
        connection(&Arc::default())
    }

    #[tokio::test]
    async fn an_answer_waits_for_the_peer_until_its_last_piece_has_left() {
        for content in [Content::Ready("bytes".into()), Content::Made("bytes".into())] {
            waits_for_the_peer_until_its_last_piece_has_left(content).await;
        }
    }

    async fn waits_for_the_peer_until_its_last_piece_has_left(content: Content) {
        let answers = answers();
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
        assert_eq!(answers.shares[0].under_way.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn a_stream_that_has_nothing_to_tell_waits_for_nobody() {
        let answers = answers();
        let (sender, receiver) = tokio::sync::mpsc::unbounded_channel::<Result<Bytes, std::io::Error>>();
        let stream = futures_util::stream::unfold(receiver, async |mut receiver| {
            receiver.recv().await.map(|bytes| (bytes, receiver))
        });
        let mut body = AnswerBody::new(Body::from_stream(stream), answers.enter());
        sender.send(Ok(Bytes::from_static(b"hello"))).unwrap();
        let hello = body.frame().await.unwrap().unwrap();
        assert!(futures_util::FutureExt::now_or_never(body.frame()).is_none());
        assert!(answers.awaits_peer(), "hello has not left");
        drop(hello);
        assert!(!answers.awaits_peer());
    }

    #[test]
    fn a_client_has_so_many_answers_over_all_connections() {
        let of_client = Arc::default();
        let mut under_way = Vec::new();
        for _ in 0..4 {
            let answers = connection(&of_client);
            under_way.extend((0..SLOTS).map(|_| answers.enter()));
        }
        let refused = under_way.iter().filter(|answering| answering.is_beyond_share()).count();
        assert_eq!(under_way.len() - refused, 200);
        assert!(!Answers::new(Vec::new()).enter().is_beyond_share(), "a proxy has no bound");
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
