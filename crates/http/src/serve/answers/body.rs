//! The bodies of answers, which tell whose turn it is.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::{Buf, Bytes};
use http_body::{Frame, SizeHint};

use super::Answering;

#[derive(Debug)]
pub(in crate::serve) enum Content {
    /// Bytes that are there; none once they are taken.
    Ready(Bytes),
    Made(Body),
}

impl From<Bytes> for Content {
    fn from(bytes: Bytes) -> Self {
        Self::Ready(bytes)
    }
}

impl From<Body> for Content {
    fn from(body: Body) -> Self {
        Self::Made(body)
    }
}

/// The body of an answer, which tells whose turn it is.
#[derive(Debug)]
pub struct AnswerBody {
    content: Content,
    answering: Answering,
}

impl AnswerBody {
    /// From here on the answer waits for the peer, until its body has nothing ready.
    pub(in crate::serve) fn new(content: impl Into<Content>, answering: Answering) -> Self {
        // The head of the answer wakes the watcher.
        answering.is_peers_turn();
        Self { content: content.into(), answering }
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
                this.answering.is_our_turn();
                Poll::Pending
            }
            Poll::Ready(frame) => {
                if this.answering.is_peers_turn() {
                    this.answering.answers.watcher.wake();
                }
                let piece = |bytes| Piece { bytes, answering: this.answering.another() };
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

/// Bytes of an answer that are ready and have not left.
#[derive(Debug)]
pub struct Piece {
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
