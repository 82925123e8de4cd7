//! A connection without TLS. What is written of a body that is in a file as well is sent from the file.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use super::answers::Answers;

/// A socket, and the answers that tell where their bodies are.
#[derive(Debug)]
pub(super) struct PlainSocket {
    stream: TcpStream,
    answers: Arc<Answers>,
}

impl PlainSocket {
    /// The socket of the connection with these answers, which may name files from now on.
    pub(super) fn new(stream: TcpStream, answers: Arc<Answers>) -> Self {
        answers.take_files();
        Self { stream, answers }
    }
}

#[cfg(target_os = "linux")]
mod from_file {
    use std::{
        io::{self, IoSlice},
        sync::Arc,
        task::{Context, Poll, ready},
    };

    use rustix::net::{SendAncillaryBuffer, SendFlags, sendmsg};
    use tokio::io::Interest;

    use super::PlainSocket;
    use crate::body_file::BodyFile;

    /// A slice to be written that is in a file, those before it, and its position there.
    pub(super) struct Part<'a> {
        file: Arc<BodyFile>,
        position: u64,
        length: usize,
        before: &'a [IoSlice<'a>],
    }

    impl PlainSocket {
        pub(super) fn part_in_file<'a>(&self, slices: &'a [IoSlice<'a>]) -> Option<Part<'a>> {
            let file = self.answers.file()?;
            let (index, position) =
                slices.iter().enumerate().find_map(|(index, slice)| Some((index, file.position(slice)?)))?;
            let length = slices.get(index)?.len();
            Some(Part { file, position, length, before: slices.get(..index)? })
        }

        /// Sends a head and the body after it; together in as few packets as one write of both would.
        pub(super) fn poll_send(
            &self,
            context: &mut Context<'_>,
            part: &Part<'_>,
        ) -> Poll<io::Result<usize>> {
            let head: usize = part.before.iter().map(|slice| slice.len()).sum();
            let mut sent = 0;
            if head > 0 {
                let flags = SendFlags::MORE | SendFlags::NOSIGNAL;
                sent = ready!(self.poll_with(context, || {
                    Ok(sendmsg(&self.stream, part.before, &mut SendAncillaryBuffer::default(), flags)?)
                }))?;
                if sent < head {
                    return Poll::Ready(Ok(sent));
                }
            }
            match self.poll_with(context, || part.file.send(&self.stream, part.position, part.length)) {
                Poll::Ready(Ok(body)) => Poll::Ready(Ok(sent + body)),
                // The head has left; what hinders the body is met again with the next write.
                _ if sent > 0 => Poll::Ready(Ok(sent)),
                other => other,
            }
        }

        fn poll_with(
            &self,
            context: &mut Context<'_>,
            mut send: impl FnMut() -> io::Result<usize>,
        ) -> Poll<io::Result<usize>> {
            loop {
                ready!(self.stream.poll_write_ready(context))?;
                match self.stream.try_io(Interest::WRITABLE, &mut send) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    result => return Poll::Ready(result),
                }
            }
        }
    }
}

impl AsyncRead for PlainSocket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for PlainSocket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        #[cfg(target_os = "linux")]
        if let Some(part) = this.part_in_file(slices) {
            return this.poll_send(context, &part);
        }
        Pin::new(&mut this.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use bytes::{Buf, Bytes};
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;
    use crate::body_file::{BodyFile, MIN_BYTES};

    async fn connected(answers: &Arc<Answers>) -> (PlainSocket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let theirs = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (ours, _) = listener.accept().await.unwrap();
        (PlainSocket::new(ours, Arc::clone(answers)), theirs)
    }

    fn body(length: usize) -> Bytes {
        (0..=250).cycle().take(length).collect::<Vec<u8>>().into()
    }

    /// What arrives of a head with this body after it, of which `noted` is said to be in a file.
    async fn sent(body: &Bytes, noted: &Bytes) -> Vec<u8> {
        let answers = Answers::new(Vec::new());
        let (mut ours, mut theirs) = connected(&answers).await;
        let mut answering = answers.enter();
        answering.note_file(BodyFile::new(noted).unwrap());
        let mut answer = Buf::chain(&b"head"[..], body.clone());
        let writing = tokio::spawn(async move {
            ours.write_all_buf(&mut answer).await.unwrap();
            drop(answering);
        });
        let mut arrived = Vec::new();
        theirs.read_to_end(&mut arrived).await.unwrap();
        writing.await.unwrap();
        assert!(answers.file().is_none(), "the answer has left");
        arrived
    }

    #[tokio::test]
    async fn an_answer_from_a_file_arrives_as_one_from_memory() {
        // What fits into a socket at once, and what does not.
        for length in [MIN_BYTES, 8 * 1024 * 1024 + 7] {
            let body = body(length);
            let arrived = sent(&body, &body).await;
            assert!(arrived == [&b"head"[..], &body].concat(), "{length}: {} arrived", arrived.len());
        }
    }

    #[tokio::test]
    async fn another_body_than_the_noted_one_is_sent_from_memory() {
        let body = body(2 * MIN_BYTES);
        let other = Bytes::from(vec![0; 2 * MIN_BYTES]);
        assert!(sent(&body, &other).await == [&b"head"[..], &body].concat());
    }

    #[tokio::test]
    async fn a_peer_that_has_left_is_an_error() {
        let answers = Answers::new(Vec::new());
        let (mut ours, theirs) = connected(&answers).await;
        drop(theirs);
        let body = body(8 * 1024 * 1024);
        let mut answering = answers.enter();
        answering.note_file(BodyFile::new(&body).unwrap());
        assert!(ours.write_all_buf(&mut Buf::chain(&b"head"[..], body)).await.is_err());
    }
}
