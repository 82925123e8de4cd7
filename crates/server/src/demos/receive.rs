//! Receives the bytes of a request into the spool.

use axum::body::Body;
use deadwax_store::spool::{SpoolWriter, Spooled};
use futures_util::StreamExt as _;
use std::{io, pin::pin};
use tokio_util::sync::CancellationToken;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Complete.
    Whole,
    /// More bytes than there was room for.
    TooLong,
    /// The connection broke, or the sender was too slow.
    Broken,
    /// A newer request came for the same upload.
    Overtaken,
    /// Others wait for a permit.
    Yielded,
    /// The program is stopping.
    Stopping,
}

/// Writes at most `room` bytes of a request, until they end or a token is cancelled: a newer request has come, others
/// wait for a permit, or the program stops. The bytes are synced when this returns, unless there were too many.
pub async fn receive(
    mut file: SpoolWriter,
    body: Body,
    room: u64,
    [overtaken, yielded, stopping]: [&CancellationToken; 3],
) -> io::Result<(Spooled, Ending)> {
    let mut bytes = body.into_data_stream();
    // Created once, because each new wait takes the token's lock.
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
