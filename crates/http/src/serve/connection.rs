//! One connection: its share, its TLS handshake, its bounds on headers, and its graceful end.

use std::{
    convert::Infallible,
    iter,
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use http::{Request, Response};
use hyper::body::Incoming;

use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use ipnet::IpNet;
use rules::{
    connection::{HANDSHAKE_MS, HEAD_MAX_BYTES, PING_ANSWER_MS, PING_MS, STREAMS},
    rate_limit::{OPEN_ANSWERS, OPEN_CONNECTIONS},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};
use tokio_util::sync::CancellationToken;

use super::{
    answers::{AnswerBody, Answering, Answers},
    front::Front,
    guard::Guard,
};
use crate::{
    descriptors,
    slots::{Full, Slots, per_client},
};

const HANDSHAKE: Duration = Duration::from_millis(HANDSHAKE_MS);

#[derive(Debug)]
pub(super) struct Connections {
    trusted: Arc<[IpNet]>,
    slots: Slots,
    answers: Slots,
}

impl Connections {
    pub(super) fn new(trusted: Arc<[IpNet]>) -> Self {
        let slots = Slots::new(descriptors::bounds().connections);
        Self { trusted, slots, answers: Slots::new(usize::MAX) }
    }

    /// The answers of a connection from `address`, which hold its slot. A trusted proxy's connections and answers are
    /// counted in all only, because it carries everybody's.
    pub(super) fn open(&self, address: IpAddr) -> Result<Arc<Answers>, Full> {
        let is_trusted = self.trusted.iter().any(|net| net.contains(&address.to_canonical()));
        let (slot, bounds) = if is_trusted {
            (self.slots.try_acquire(iter::empty())?, Vec::new())
        } else {
            let slot = self.slots.try_acquire(per_client(address, OPEN_CONNECTIONS))?;
            (slot, per_client(address, OPEN_ANSWERS).collect())
        };
        Ok(Answers::new(slot, self.answers.clone(), bounds))
    }
}

/// Serves one connection to its end, or until `stop` and the end of the request in flight.
pub(super) async fn run(
    socket: TcpStream,
    peer: SocketAddr,
    answers: Arc<Answers>,
    front: Front,
    tls: Option<tokio_rustls::TlsAcceptor>,
    stop: CancellationToken,
) {
    // Answers are written whole; waiting to fill packets would only delay them.
    let _ = socket.set_nodelay(true);
    // Counted by this connection alone: a count that all of them share moves between the cores with every request.
    let front = Arc::new(front);
    let answer = move |request, answering| Arc::clone(&front).answer(request, peer, answering);
    match tls {
        None => speak(socket, answers, answer, stop).await,
        Some(tls) => match tokio::time::timeout(HANDSHAKE, tls.accept(socket)).await {
            Ok(Ok(stream)) => speak(stream, answers, answer, stop).await,
            Ok(Err(error)) => tracing::debug!(cause = %error, "TLS handshake"),
            Err(_) => tracing::debug!("TLS handshake took too long"),
        },
    }
}

async fn speak<S, F, A>(stream: S, answers: Arc<Answers>, answer: F, stop: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    F: Fn(Request<Incoming>, Answering) -> A,
    A: Future<Output = Result<Response<AnswerBody>, Infallible>> + Send + 'static,
{
    let guard = Guard::new(stream, Arc::clone(&answers));
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_buf_size(HEAD_MAX_BYTES)
        .half_close(false);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(u32::try_from(HEAD_MAX_BYTES).unwrap_or(u32::MAX))
        .keep_alive_interval(Duration::from_millis(PING_MS))
        .keep_alive_timeout(Duration::from_millis(PING_ANSWER_MS));
    let service = hyper::service::service_fn(|request| answer(request, answers.enter()));
    let mut connection = pin!(builder.serve_connection(TokioIo::new(guard), service));
    let result = tokio::select! {
        biased;
        result = connection.as_mut() => result,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(cause = %error, "connection");
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use bytes::Bytes;
    use futures_util::stream;
    use rustls_pki_types::PrivateKeyDer;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex},
        time::Instant,
    };
    use tokio_rustls::{
        TlsAcceptor, TlsConnector, TlsStream,
        rustls::{ClientConfig, RootCertStore, ServerConfig},
    };

    use super::{super::answers::Content, *};

    fn connections(trusted: &[&str]) -> Connections {
        Connections::new(trusted.iter().map(|net| net.parse().unwrap()).collect())
    }

    #[test]
    fn one_address_gets_its_share_and_frees_it_by_leaving() {
        let connections = connections(&[]);
        let address: IpAddr = "10.0.0.1".parse().unwrap();
        let mut open: Vec<_> = (0..100).map(|_| connections.open(address).unwrap()).collect();
        assert_eq!(connections.open(address).unwrap_err(), Full::Client);
        assert!(connections.open("10.0.0.2".parse().unwrap()).is_ok());
        open.pop();
        assert!(connections.open(address).is_ok());
    }

    #[test]
    fn a_trusted_proxy_is_not_bounded_by_address() {
        let connections = connections(&["10.0.0.0/8"]);
        let open: Vec<_> = (0..150).map(|_| connections.open("10.0.0.1".parse().unwrap())).collect();
        assert!(open.iter().all(Result::is_ok));
    }

    fn subnet(of_48: u16) -> IpAddr {
        [0x2001, 0xdb8, 1, of_48, 0, 0, 0, 1].into()
    }

    #[test]
    fn the_networks_around_an_ipv6_address_have_more_connections_and_not_all() {
        let connections = connections(&["2001:db8:1:ff00::/56"]);
        let mut open: Vec<_> = (0..256).map_while(|of_56| connections.open(subnet(of_56)).ok()).collect();
        assert_eq!(open.len(), 200, "one /56");
        open.extend((1..255).map_while(|of_48| connections.open(subnet(of_48 << 8)).ok()));
        assert_eq!(open.len(), 400, "one /48");
        assert_eq!(connections.open(subnet(0xfe00)).unwrap_err(), Full::Client);
        assert!(connections.open(subnet(0xff00)).is_ok(), "a trusted proxy");
        assert!(connections.open([0x2001, 0xdb8, 2, 0, 0, 0, 0, 1].into()).is_ok());
        open.pop();
        assert!(connections.open(subnet(0xfe00)).is_ok());
    }

    #[test]
    fn the_networks_around_an_ipv6_address_have_more_answers_and_not_all() {
        let connections = connections(&["2001:db8:1:ff00::/56"]);
        let answers = |client: IpAddr| connections.open(client).unwrap();
        let enter_all = |answers: Arc<Answers>| {
            let answering = (0..50).map(|_| answers.enter()).filter(|answering| !answering.is_beyond_share());
            (answering.collect::<Vec<_>>(), answers)
        };
        let number = |of: &[(Vec<_>, _)]| of.iter().map(|(answering, _)| answering.len()).sum::<usize>();
        let mut under_way: Vec<_> = (0..20).map(|of_56| enter_all(answers(subnet(of_56)))).collect();
        assert_eq!(number(&under_way), 400, "one /56");
        under_way.extend((1..20).map(|of_48| enter_all(answers(subnet(of_48 << 8)))));
        assert_eq!(number(&under_way), 800, "one /48, however many were refused");
        let of_neighbour = answers(subnet(0xfe00));
        assert!(of_neighbour.enter().is_beyond_share());
        assert!(!answers(subnet(0xff00)).enter().is_beyond_share(), "a trusted proxy");
        assert!(!answers([0x2001, 0xdb8, 2, 0, 0, 0, 0, 1].into()).enter().is_beyond_share());
        under_way.retain(|(answering, _)| answering.is_empty());
        assert!(!of_neighbour.enter().is_beyond_share());
    }

    #[test]
    fn work_that_outlives_its_request_keeps_its_share_and_the_connections_slot() {
        let connections = connections(&[]);
        let address: IpAddr = "10.0.0.1".parse().unwrap();
        let opened: Vec<_> = (0..99).map(|_| connections.open(address).unwrap()).collect();
        let answers = connections.open(address).unwrap();
        let kept = answers.enter().client_share();
        drop(answers);
        assert_eq!(connections.open(address).unwrap_err(), Full::Client);
        let enter_all = || {
            let answering: Vec<_> =
                opened.iter().flat_map(|answers| (0..3).map(|_| answers.enter())).collect();
            answering.iter().filter(|answering| !answering.is_beyond_share()).count()
        };
        assert_eq!(enter_all(), 199);
        drop(kept);
        assert!(connections.open(address).is_ok());
        assert_eq!(enter_all(), 200);
    }

    type Connected = (h2::client::SendRequest<Bytes>, tokio::task::JoinHandle<u64>);

    fn answers() -> Arc<Answers> {
        Answers::of(&Slots::new(usize::MAX), Vec::new())
    }

    /// An answer of one MiB, or a stream that says hello and then beats every 25 seconds.
    async fn answer(
        request: Request<Incoming>,
        answering: Answering,
    ) -> Result<Response<AnswerBody>, Infallible> {
        let body = if request.uri().path() == "/events" {
            Body::from_stream(stream::unfold(0, async |beats| {
                if beats > 0 {
                    tokio::time::sleep(Duration::from_secs(25)).await;
                }
                Some((Ok::<_, Infallible>("beat"), beats + 1))
            }))
        } else {
            Body::from(vec![0; 1024 * 1024])
        };
        Ok(Response::new(AnswerBody::new(Content::Made(body), answering)))
    }

    /// Serves one end of a stream, and speaks HTTP/2 at the other with windows of this size. Tells after how many seconds the
    /// server ended the connection.
    async fn http2<S>(ours: S, theirs: S, window: u32) -> Connected
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let started = Instant::now();
        let serving = tokio::spawn(async move {
            speak(ours, answers(), answer, CancellationToken::new()).await;
            started.elapsed().as_secs()
        });
        let (client, connection) = h2::client::Builder::new()
            .initial_window_size(window)
            .handshake::<_, Bytes>(theirs)
            .await
            .unwrap();
        // Also answers the server's pings.
        tokio::spawn(connection);
        (client, serving)
    }

    async fn get(client: &h2::client::SendRequest<Bytes>, path: &str) -> h2::RecvStream {
        let request = Request::get(format!("http://label.example{path}")).body(()).unwrap();
        let (response, _) = client.clone().ready().await.unwrap().send_request(request, true).unwrap();
        response.await.unwrap().into_body()
    }

    async fn in_tls(
        ours: DuplexStream,
        theirs: DuplexStream,
    ) -> (TlsStream<DuplexStream>, TlsStream<DuplexStream>) {
        let rcgen::CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(["label.example".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let server = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(cert.der().clone()).unwrap();
        let client = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let accepting = TlsAcceptor::from(Arc::new(server)).accept(ours);
        let name = "label.example".try_into().unwrap();
        let connecting = TlsConnector::from(Arc::new(client)).connect(name, theirs);
        let (ours, theirs) = tokio::join!(accepting, connecting);
        (ours.unwrap().into(), theirs.unwrap().into())
    }

    /// Asks for an answer with windows of this size, takes none of it, and waits for the server to end the connection.
    async fn stalled<S>(ours: S, theirs: S, window: u32) -> u64
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (client, serving) = http2(ours, theirs, window).await;
        let _answer = get(&client, "/large").await;
        serving.await.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_http2_lets_wait_ends_its_connection_after_thirty_seconds() {
        // No window at all, one that takes the answer's beginning, and one that would take nearly all of it.
        for window in [0, 1, 1_000_000] {
            let (ours, theirs) = duplex(64 * 1024);
            let seconds = stalled(ours, theirs, window).await;
            assert!((30..=35).contains(&seconds), "{window}: {seconds}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn so_it_does_inside_tls() {
        let (ours, theirs) = duplex(64 * 1024);
        let (ours, theirs) = in_tls(ours, theirs).await;
        let seconds = stalled(ours, theirs, 0).await;
        assert!((30..=35).contains(&seconds), "{seconds}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_healthy_stream_does_not_excuse_the_answer_beside_it() {
        let (ours, theirs) = duplex(64 * 1024);
        let (client, serving) = http2(ours, theirs, 1000).await;
        let mut events = get(&client, "/events").await;
        let reading = tokio::spawn(async move {
            while let Some(Ok(beat)) = events.data().await {
                events.flow_control().release_capacity(beat.len()).unwrap();
            }
        });
        tokio::time::sleep(Duration::from_mins(10)).await;
        assert!(!serving.is_finished(), "a stream that is read may last");
        let started = Instant::now();
        let _answer = get(&client, "/large").await;
        serving.await.unwrap();
        assert!((30..=35).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
        reading.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_of_events_that_is_not_read_ends_its_connection() {
        // The second beat, after 25 seconds, finds no room, or room for its half.
        for window in [4, 6] {
            let (ours, theirs) = duplex(64 * 1024);
            let (client, serving) = http2(ours, theirs, window).await;
            let _events = get(&client, "/events").await;
            let seconds = serving.await.unwrap();
            assert!((55..=60).contains(&seconds), "{window}: {seconds}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_taken_slowly_is_sent_to_its_end() {
        let (ours, theirs) = duplex(64 * 1024);
        let (client, serving) = http2(ours, theirs, 32 * 1024).await;
        let mut answer = get(&client, "/large").await;
        let mut taken = 0;
        while let Some(piece) = answer.data().await {
            taken += piece.as_ref().unwrap().len();
            tokio::time::sleep(Duration::from_secs(20)).await;
            answer.flow_control().release_capacity(piece.unwrap().len()).unwrap();
        }
        assert_eq!(taken, 1024 * 1024);
        assert!(!serving.is_finished());
    }

    #[tokio::test(start_paused = true)]
    async fn what_http2_says_between_requests_is_not_the_beginning_of_one() {
        let (ours, theirs) = duplex(64 * 1024);
        let (client, serving) = http2(ours, theirs, 32 * 1024).await;
        let mut answer = get(&client, "/large").await;
        while let Some(Ok(piece)) = answer.data().await {
            answer.flow_control().release_capacity(piece.len()).unwrap();
        }
        // It answers a ping meantime.
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert!(!serving.is_finished());
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_of_http1_that_does_not_read_is_dropped() {
        for path in ["/large", "/events"] {
            let (ours, mut theirs) = duplex(8);
            let started = Instant::now();
            let serving = tokio::spawn(speak(ours, answers(), answer, CancellationToken::new()));
            let request = format!("GET {path} HTTP/1.1\r\nHost: label.example\r\n\r\n");
            theirs.write_all(request.as_bytes()).await.unwrap();
            serving.await.unwrap();
            assert!((30..=35).contains(&started.elapsed().as_secs()), "{path}: {:?}", started.elapsed());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_of_http1_that_is_silent_after_its_answer_is_dropped() {
        for method in ["GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nContent-Length: 0\r\n"] {
            let (ours, mut theirs) = duplex(64 * 1024);
            let empty = async |_, answering| {
                Ok(Response::new(AnswerBody::new(Content::Made(Body::empty()), answering)))
            };
            let serving = tokio::spawn(speak(ours, answers(), empty, CancellationToken::new()));
            for _ in 0..2 {
                tokio::time::sleep(Duration::from_secs(5)).await;
                theirs.write_all(format!("{method}Host: label.example\r\n\r\n").as_bytes()).await.unwrap();
                assert_ne!(theirs.read(&mut [0; 1024]).await.unwrap(), 0);
            }
            let started = Instant::now();
            let ended = tokio::time::timeout(Duration::from_mins(5), serving).await;
            assert!(ended.is_ok(), "{method}");
            assert_eq!(started.elapsed().as_secs(), 75, "{method}");
        }
    }
}
