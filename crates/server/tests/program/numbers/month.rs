use std::collections::BTreeMap;

use deadwax::numbers::keep;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::{DAY, Label, tell, view};
use crate::support::{Engine, TestServer, people::Browser};

/// Numbers of which a script knows how they must be.
#[derive(Default)]
struct Script {
    views: u64,
    visitors: u64,
    left_out: u64,
    counts: BTreeMap<&'static str, u64>,
}

#[tokio::test]
async fn a_month_of_visits_over_two_instances_and_a_restart() {
    let mut label = Label::open(Engine::Postgres).await;
    let mut second = TestServer::start_beside(&label.server).await;
    let mut script = Script::default();
    let release = label.release.0.clone();
    for day in 0..30_u32 {
        for number in 0..200_u32 {
            let mut first = Browser::new(&label.server);
            // Half of the people of a day come again on the next.
            first.address = format!("10.9.{}.{}", (day * 100 + number) / 250, (day * 100 + number) % 250);
            let mut other = Browser::new(&second);
            other.address.clone_from(&first.address);
            let say = async |browser: &Browser, message: Value| {
                assert_eq!(tell(browser, &message).await.status, 204);
            };
            // One person, on two instances: a reload, two tabs.
            say(&first, json!({"event": "view", "path": "/", "referrer": "forum.example"})).await;
            script.views += 1;
            *script.counts.entry("forum.example").or_default() += 1;
            if number % 4 == 0 {
                say(&other, view(&label.release.1)).await;
                script.views += 1;
                *script.counts.entry("release").or_default() += 1;
            }
            if number % 10 == 0 {
                say(&other, json!({"event": "view", "path": label.letter.1, "from": "autumn"})).await;
                say(&first, json!({"event": "play", "release": release})).await;
                say(&other, json!({"event": "button", "release": release, "platform": "bandcamp"})).await;
                script.views += 1;
                for name in ["Autumn", "plays", "buttons"] {
                    *script.counts.entry(name).or_default() += 1;
                }
            }
            if number == 7 {
                // A robot that names itself, and one that does not.
                let robot = label.server.client.post(format!("{}/api/seen", second.base));
                let robot = robot.header("user-agent", "Googlebot/2.1").header("origin", &second.base);
                assert_eq!(robot.json(&view("/")).send().await.unwrap().status(), 204);
                for _ in 0..40 {
                    say(&first, view("/store")).await;
                }
                script.views += 29;
                script.left_out += 12;
            }
        }
        script.visitors += 200;
        keep::flush(&label.server.app).await;
        keep::flush(&second.app).await;
        if day == 15 {
            drop(second);
            second = TestServer::start_beside(&label.server).await;
            second.advance(DAY * 15);
        }
        label.server.advance(DAY);
        second.advance(DAY);
        for server in [&label.server, &second] {
            keep::settle(&server.app.db, &TimeZone::UTC, server.app.clock.now()).await.unwrap();
        }
    }
    // The session of a month ago has ended.
    let admin = label.server.admin("later_404").await;
    label.desk = label.server.signed_in(&admin).await;
    let shown = label.numbers("?days=90").await;
    let totals = &shown["totals"];
    assert_eq!((&totals["views"], &totals["left_out"]), (&json!(script.views), &json!(script.left_out)));
    for (list, name) in [("sources", "forum.example"), ("sources", "Autumn")] {
        let found = shown[list].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        assert_eq!(found["count"], script.counts[name], "{name}");
    }
    for name in ["plays", "buttons"] {
        assert_eq!(totals[name], script.counts[name], "{name}");
    }
    let days = shown["days"].as_array().unwrap();
    for day in days.iter().filter(|day| day["views"] != 0) {
        let visitors = day["visitors"].as_i64().unwrap();
        // 200 of 4096 registers: the standard error of a day is 2.2, and this is five of them.
        assert!((189..=211).contains(&visitors), "{day}");
    }
    let visitors = totals["visitors"].as_f64().unwrap();
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let known = script.visitors as f64;
    assert!((visitors / known - 1.0).abs() < 0.03, "{visitors} of {known}");
    assert_eq!((second.count("number_days").await, second.count("number_sketches").await), (0, 0));
}
