//! The link to a sender's page when guessed, shared or old.

use std::time::Duration;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use super::sender::{Sender, metadata};
use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, people::Browser},
};

const ATTEMPTS: usize = 60;

async fn erase(browser: &mut Browser, path: &str) -> Answer {
    browser.send(Method::DELETE, path, None).await
}

#[apply(on_both_engines!)]
async fn links_change_something_sixty_times_a_minute_and_are_looked_at_without_limit(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", "nova@artist.example", "set.wav").await;
    let mut place = server.browser();
    let sender = Sender::at(&server.base, &place.address);
    for number in 0..ATTEMPTS {
        let guess = format!("{number:043}");
        let path = format!("/api/sender/{guess}");
        let status = if number % 2 == 0 {
            erase(&mut place, &path).await.status
        } else {
            let said = metadata(&[("replaces", &guess), ("filename", "set.wav")]);
            sender.announce(1000, &said).await.status
        };
        assert_eq!(status, 404, "{number}");
    }
    // Past the limit even the right link is refused.
    let path = format!("/api/sender/{token}");
    let said = metadata(&[("replaces", &token), ("filename", "set.wav")]);
    for refused in [erase(&mut place, &path).await, sender.announce(1000, &said).await] {
        assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (429, "rate_limited"));
        assert_eq!(refused.header("retry-after"), "60");
    }
    assert_eq!(
        (server.count("demos").await, server.count("uploads WHERE finished_at IS NULL").await),
        (1, 0)
    );
    // Reads are neither limited nor counted.
    for path in [path.clone(), format!("/demos/{token}")] {
        assert_eq!(place.get(&path).await.status, 200);
    }
    // The link works from elsewhere, and from here again a minute later.
    let elsewhere = Sender::at(&server.base, &server.browser().address);
    assert_eq!(elsewhere.announce(1000, &said).await.status, 201);
    server.advance(Duration::from_secs(60));
    assert_eq!(erase(&mut place, &path).await.status, 204);
}

#[apply(on_both_engines!)]
async fn no_other_spelling_of_a_link_leads_anywhere(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", "nova@artist.example", "set.wav").await;
    let turned: String = token
        .chars()
        .map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect();
    let demo = server.only_demo().await;
    for guess in [
        &token[1..],
        &token[..token.len() - 1],
        &format!("{token}A"),
        &format!("{token}%00"),
        &turned,
        &demo,
        "%25",
        "a.b",
        "undefined",
    ] {
        for path in [format!("/api/sender/{guess}"), format!("/demos/{guess}")] {
            assert_eq!(server.get(&path).await.status, 404, "{path}");
        }
        let erased = erase(&mut server.browser(), &format!("/api/sender/{guess}")).await;
        assert_eq!(erased.status, 404, "{guess}");
    }
    assert_eq!(server.count("demos").await, 1);
}

#[apply(on_both_engines!)]
async fn everyone_with_the_link_sees_the_same_and_one_of_them_erases(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", "nova@artist.example", "set.wav").await;
    let demo = server.only_demo().await;
    let mut desk = server.desk().await;
    let mut member = server.signed_in(&server.person("member_x").await).await;
    let mut visitor = server.browser();
    desk.post(&format!("/api/admin/desk/demos/{demo}/notes"), json!({"text": "secretly thought"})).await;
    let score = Some(json!({"score": 2}));
    desk.send(Method::PUT, &format!("/api/admin/desk/demos/{demo}/score"), score).await;
    let path = format!("/api/sender/{token}");
    let seen = server.sent(&token).await;
    for browser in [&mut visitor, &mut member, &mut desk] {
        let answer = browser.get(&path).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, seen.clone()), "a session changes nothing");
        assert_eq!(answer.header("cache-control"), "no-store");
        let page = browser.get(&format!("/demos/{token}")).await;
        assert_eq!((page.status.as_u16(), page.header("cache-control")), (200, "no-store"));
        assert_eq!(page.header("x-robots-tag"), "noindex");
        assert!(!page.text().contains("Nova") && !page.text().contains("set.wav"), "a preview tells nothing");
    }
    let keys: Vec<&String> = seen.as_object().unwrap().keys().collect();
    let expected = [
        "artist_name",
        "can_replace",
        "decision",
        "label",
        "original_name",
        "size_bytes",
        "step",
        "submitted_at",
    ];
    assert_eq!(keys, expected);
    assert_eq!(erase(&mut visitor, &path).await.status, 204);
    for browser in [&mut visitor, &mut member, &mut desk] {
        assert_eq!(browser.get(&path).await.status, 404);
        assert_eq!(erase(browser, &path).await.status, 404);
        assert_eq!(browser.get(&format!("/demos/{token}")).await.status, 404);
    }
}

#[apply(on_both_engines!)]
async fn a_link_is_as_old_as_its_demo(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", "nova@artist.example", "set.wav").await;
    let demo = server.only_demo().await;
    server.advance(Duration::from_hours(24 * 365 * 5));
    server.wait_for_sweep().await;
    assert_eq!(server.sent(&token).await["label"], "RECEIVED");
    // The link stops working in the trash, and works again once restored.
    let mut desk = server.desk().await;
    let path = format!("/api/sender/{token}");
    assert_eq!(desk.send(Method::DELETE, &format!("/api/admin/demos/{demo}"), None).await.status, 204);
    assert_eq!(server.get(&path).await.status, 404);
    let back = format!("/api/admin/trash/demo/{demo}/restore");
    let restored = desk.post(&back, json!({})).await;
    assert!(restored.status.is_success(), "{restored:?}");
    assert_eq!(server.sent(&token).await["artist_name"], "Nova");
    // The sender, whose page is still open, erases within the minute of UNDO: nothing comes back.
    assert_eq!(desk.send(Method::DELETE, &format!("/api/admin/demos/{demo}"), None).await.status, 204);
    assert_eq!(erase(&mut server.browser(), &path).await.status, 204);
    assert_eq!(desk.post(&back, json!({})).await.status, 404);
    server.wait_for_sweep().await;
    let left = ["demos", "demo_links", "objects", "outbox"].map(|table| server.count(table));
    assert_eq!(futures_util::future::join_all(left).await, [0; 4]);
    assert_eq!(server.count("audit_log WHERE event = 'data_erase'").await, 1);
}
