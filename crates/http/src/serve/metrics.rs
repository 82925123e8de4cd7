//! `/metrics`, on an address that only the operator can reach, under any host: it holds nothing another website could use. Headers
//! and connections are bounded, as everywhere.

use std::{sync::Arc, time::Duration};

use axum::Router;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use rules::connection::{HEADERS_MS, SCRAPER_MS, SCRAPERS};
use tokio::{net::TcpListener, sync::Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::pause_after;

const HEADERS: Duration = Duration::from_millis(HEADERS_MS);
const LIFE: Duration = Duration::from_millis(SCRAPER_MS);

/// Serves what `render` answers as `/metrics` until `stop`.
pub async fn serve_metrics(
    listener: TcpListener,
    render: impl Fn() -> String + Clone + Send + Sync + 'static,
    stop: CancellationToken,
) {
    let router = Router::new().route("/metrics", axum::routing::get(async move || render()));
    let places = Arc::new(Semaphore::new(SCRAPERS as usize));
    let tasks = TaskTracker::new();
    let accepting = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let socket = match listener.accept().await {
                Ok((socket, _)) => socket,
                Err(error) => {
                    pause_after(&error).await;
                    continue;
                }
            };
            let service = TowerToHyperService::new(router.clone());
            tasks.spawn(stop.clone().run_until_cancelled_owned(async move {
                let mut builder = hyper::server::conn::http1::Builder::new();
                builder.timer(TokioTimer::new()).header_read_timeout(HEADERS);
                let serving = builder.serve_connection(TokioIo::new(socket), service);
                if let Ok(Err(error)) = tokio::time::timeout(LIFE, serving).await {
                    tracing::debug!(cause = %error, "connection of a scraper");
                }
                drop(place);
            }));
        }
    };
    stop.run_until_cancelled(accepting).await;
    tasks.close();
    tasks.wait().await;
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpStream,
    };

    use super::*;

    async fn asked(request: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut socket = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let stop = CancellationToken::new();
        let serving = tokio::spawn(serve_metrics(listener, || "a 1\n".to_owned(), stop.clone()));
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        stop.cancel();
        serving.await.unwrap();
        answer
    }

    #[tokio::test]
    async fn whoever_reaches_the_address_may_ask_under_any_host() {
        let answer = asked("GET /metrics HTTP/1.1\r\nhost: anything\r\nconnection: close\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("a 1\n"), "{answer}");
        let answer = asked("GET / HTTP/1.1\r\nhost: anything\r\nconnection: close\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    }

    #[tokio::test(start_paused = true)]
    async fn headers_that_never_end_lose_their_connection() {
        let started = tokio::time::Instant::now();
        assert_eq!(asked("GET /metrics HTTP/1.1\r\nhost: any").await, "");
        assert_eq!(started.elapsed().as_secs(), HEADERS.as_secs());
    }
}
