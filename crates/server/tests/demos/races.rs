//! What two do at the same moment, of whom one holds a row that the other wants.

use deadwax_store::limits;
use futures_util::future::join_all;
use rules::rate_limit::Window;

use crate::support::{Engine, TestServer};

const MINUTE: i64 = 60_000_000;

#[tokio::test]
async fn a_limit_that_is_dropped_while_it_is_taken_is_taken_anew() {
    let server = TestServer::start(Engine::Postgres).await;
    let (db, now) = (&server.app.db, server.app.clock.now());
    let often = Window { max: u32::MAX, span_ms: 1 };
    let taking = async |key: usize| {
        for _ in 0..300 {
            limits::take(db, &format!("race:{key}"), often, now).await.unwrap();
        }
    };
    let dropping = async {
        for _ in 0..600 {
            limits::prune(db, now + MINUTE).await.unwrap();
        }
    };
    tokio::join!(join_all((0..3).map(taking)), dropping);
}
