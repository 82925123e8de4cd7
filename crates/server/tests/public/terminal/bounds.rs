use std::time::Duration;

use axum::body::Body;
use futures_util::future::join_all;
use macro_rules_attribute::apply;

use super::{
    answer, ask, label,
    stub::{KEY, Stub, completion, response},
};
use crate::{
    on_both_engines,
    support::{Engine, NOON, TestServer},
};

/// A model that answers slowly.
async fn slow() -> Stub {
    Stub::start(|| {
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            response(200, "application/json", Body::from(completion("FROM THE MODEL")))
        })
    })
    .await
}

/// Sends a hundred questions at once; returns how many the model answered, and how many the program.
async fn hundred(server: &TestServer) -> (usize, usize) {
    let answers = join_all((0..100).map(|_| {
        let mut browser = server.browser();
        async move { ask(&mut browser, "nullpoint").await }
    }))
    .await;
    let count = |text: &str| {
        answers
            .iter()
            .filter(|answer| {
                answer.status == 200 && answer.json()["response"].as_str().unwrap().starts_with(text)
            })
            .count()
    };
    (count("FROM THE MODEL"), count("Nullpoint (/artists/"))
}

/// Leaves `left` questions of today's budget.
async fn leave(server: &TestServer, left: usize) {
    let taken = vec![(NOON / 1000).to_string(); 1_000 - left].join(",");
    server.sql("DELETE FROM limits").await;
    server
        .sql(&format!(
            "INSERT INTO limits (key, state, expires_at) VALUES ('terminal-ai', '{taken}', {})",
            NOON * 2
        ))
        .await;
}

#[apply(on_both_engines!)]
async fn a_hundred_at_once_are_four_at_the_model(engine: Engine) {
    let stub = slow().await;
    let server = stub.server(engine).await;
    label(&server).await;
    let (by_model, embedded) = hundred(&server).await;
    assert_eq!(by_model + embedded, 100, "all are answered");
    assert_eq!(stub.calls(), by_model);
    assert!(by_model >= 4 && stub.most_at_once() <= 4, "{by_model}, {} at once", stub.most_at_once());
}

#[apply(on_both_engines!)]
async fn past_the_days_budget_the_program_answers_itself(engine: Engine) {
    let stub = slow().await;
    let server = stub.server(engine).await;
    label(&server).await;
    leave(&server, 3).await;
    let (by_model, embedded) = hundred(&server).await;
    assert_eq!((by_model, embedded, stub.calls()), (3, 97, 3));
    assert!(answer(&server, "nullpoint").await.starts_with("Nullpoint"));
    server.advance(Duration::from_secs(24 * 3_600));
    assert_eq!(answer(&server, "nullpoint").await, "FROM THE MODEL", "another day");
}

#[apply(on_both_engines!)]
async fn a_failed_question_was_paid_for_and_gives_its_place_back(engine: Engine) {
    let stub = Stub::responding(500, "application/json", KEY).await;
    let server = stub.server(engine).await;
    leave(&server, 6).await;
    for _ in 0..6 {
        assert_eq!(ask(&mut server.browser(), "help").await.status, 500);
    }
    assert!(answer(&server, "help").await.contains("COMMANDS"));
    assert_eq!(stub.calls(), 6);
}
