//! A request's bytes on their way into the spool, and how they end.

use axum::body::Body;
use deadwax_store::spool::{SpoolWriter, Spooled};
use futures_util::StreamExt as _;
use std::{io, pin::pin};
use tokio_util::sync::CancellationToken;

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
    /// Others wait for a turn.
    Yielded,
    /// The program is ending.
    Stopping,
}

/// Writes a request's bytes, of which there may be `room`, until they end or one of the tokens is cancelled: a newer request has
/// come, others wait for a turn, the program ends. What came until then is synced when this returns, except where more came than
/// allowed.
pub async fn receive(
    mut file: SpoolWriter,
    body: Body,
    room: u64,
    [overtaken, yielded, stopping]: [&CancellationToken; 3],
) -> io::Result<(Spooled, Ending)> {
    let mut bytes = body.into_data_stream();
    // Made once: whoever waits for a token anew enters a list that others share, for each piece.
    let (mut overtaken, mut yielded) = (pin!(overtaken.cancelled()), pin!(yielded.cancelled()));
    let mut stopping = pin!(stopping.cancelled());
    let ending = loop {
        let piece = tokio::select! {
            biased;
            () = &mut overtaken => break Ending::Overtaken,
            () = &mut stopping => break Ending::Stopping,
            () = &mut yielded => break Ending::Yielded,
            piece = bytes.next() => piece,
        };
        match piece {
            None => break Ending::Whole,
            Some(Err(_)) => break Ending::Broken,
            Some(Ok(piece)) if piece.len() as u64 > room - file.size_bytes() => break Ending::TooLong,
            Some(Ok(piece)) => file.write(&piece).await?,
        }
    };
    Ok((file.finish().await?, ending))
}
