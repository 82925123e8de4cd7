//! A request's bytes on their way into the spool, and how they end.

use axum::body::Body;
use futures_util::StreamExt as _;
use rules::demo::REFUSED_BYTES;
use std::io;
use tokio_util::sync::CancellationToken;

use crate::spool::{SpoolWriter, Spooled};

/// How a request's bytes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As the sender meant.
    Whole,
    /// More came than there was room for.
    TooLong,
    /// The connection broke, or the sender was too slow.
    Broken,
    /// A newer request came for the same upload.
    Overtaken,
    /// The program is ending.
    Stopping,
}

/// Writes a request's bytes, of which there may be `room`, until they end or one of the tokens does. What came until then is
/// synced when this returns, except where more came than allowed.
pub async fn receive(
    mut file: SpoolWriter,
    body: Body,
    room: u64,
    overtaken: &CancellationToken,
    stopping: &CancellationToken,
) -> io::Result<(Spooled, Ending)> {
    let mut bytes = body.into_data_stream();
    let ending = loop {
        let piece = tokio::select! {
            biased;
            () = overtaken.cancelled() => break Ending::Overtaken,
            () = stopping.cancelled() => break Ending::Stopping,
            piece = bytes.next() => piece,
        };
        match piece {
            None => break Ending::Whole,
            Some(Err(_)) => break Ending::Broken,
            Some(Ok(piece)) if piece.len() as u64 > room - file.size_bytes() => {
                discard(Body::from_stream(bytes)).await;
                break Ending::TooLong;
            }
            Some(Ok(piece)) => file.write(&piece).await?,
        }
    };
    Ok((file.finish().await?, ending))
}

/// Reads a little of a body that is refused: a browser shows an answer only to a request it could finish.
pub async fn discard(body: Body) {
    let mut bytes = body.into_data_stream();
    let mut left = REFUSED_BYTES;
    while let Some(Ok(piece)) = bytes.next().await {
        match left.checked_sub(piece.len() as u64) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
