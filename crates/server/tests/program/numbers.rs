mod month;

use std::{path::Path, time::Duration};

use deadwax::{numbers::keep, operation::backup};
use jiff::tz::TimeZone;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, log::logged, people::Browser},
};

const DAY: Duration = Duration::from_secs(86_400);

/// A label with a release, its artist and a letter that went out, and an admin.
struct Label {
    server: TestServer,
    desk: Browser,
    /// Id and path.
    release: (String, String),
    artist: (String, String),
    letter: (String, String),
}

impl Label {
    async fn open(engine: Engine) -> Self {
        let server = TestServer::start(engine).await;
        let mut desk = server.desk().await;
        let id = server.artist("Mira Holm", None).await;
        let body = json!({"title": "Night Drive", "artist_id": id, "catalog": "404-001", "release_date": "2026-07-18"});
        let release = desk.post("/api/admin/releases", body).await.json();
        let letter = uuid::Uuid::now_v7();
        let hex = letter.simple();
        let raw = if engine == Engine::Sqlite { format!("x'{hex}'") } else { format!("'{letter}'") };
        server
            .sql(&format!(
                "INSERT INTO letters (id, slug, subject, state, began_at, created_at, updated_at) \
                 VALUES ({raw}, 'autumn', 'Autumn', 'sent', {0}, {0}, {0})",
                crate::support::NOON
            ))
            .await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            release: (text(&release["id"]), format!("/releases/{}", text(&release["slug"]))),
            artist: (id.to_string(), format!("/artists/{id}")),
            letter: (letter.to_string(), "/letters/autumn".to_owned()),
            server,
            desk,
        }
    }

    async fn numbers(&mut self, query: &str) -> Value {
        keep::flush(&self.server.app).await;
        self.desk.get(&format!("/api/admin/numbers{query}")).await.json()
    }
}

async fn tell(browser: &Browser, message: &Value) -> Answer {
    let request = browser.request(Method::POST, "/api/seen").json(message);
    Answer::read(request.send().await.unwrap()).await
}

fn view(path: &str) -> Value {
    json!({"event": "view", "path": path})
}

#[apply(on_both_engines!)]
async fn the_screen_shows_what_browsers_sent(engine: Engine) {
    let mut label = Label::open(engine).await;
    let [first, second] = [0, 1].map(|_| Browser::new(&label.server));
    let release = label.release.0.clone();
    for message in [
        json!({"event": "view", "path": "/", "referrer": "www.Forum.example"}),
        view(&label.release.1),
        view(&label.artist.1),
        json!({"event": "view", "path": label.letter.1, "from": "autumn", "referrer": "mail.example"}),
        json!({"event": "play", "release": release}),
        json!({"event": "share", "release": release}),
        json!({"event": "button", "release": release, "platform": "apple_music"}),
        json!({"event": "search"}),
        json!({"event": "demo"}),
    ] {
        assert_eq!(tell(&first, &message).await.status, 204, "{message}");
    }
    assert_eq!(tell(&second, &view(&label.release.1)).await.status, 204);
    let shown = label.numbers("?days=7").await;
    assert_eq!(
        shown["totals"],
        json!({"views": 5, "visitors": 2, "plays": 1, "shares": 1, "buttons": 1, "searches_without_results": 1,
            "demos_opened": 1, "demos_sent": 0, "confirmed": 0, "left": 0, "left_out": 0})
    );
    assert_eq!(shown["days"].as_array().unwrap().len(), 7);
    assert_eq!(shown["days"][6], json!({"day": "2026-11-20", "views": 5, "visitors": 2}));
    assert_eq!(shown["first_day"], "2026-11-20");
    assert_eq!(shown["places"][0], json!({"name": "Night Drive", "path": label.release.1, "count": 2}));
    let named = |list: &str, name: &str| {
        let found = shown[list].as_array().unwrap().iter().find(|row| row["name"] == name);
        found.unwrap_or_else(|| panic!("{list} has no {name}: {shown}")).clone()
    };
    assert_eq!(named("places", "Mira Holm")["path"], label.artist.1);
    assert_eq!(named("places", "Autumn")["path"], label.letter.1);
    assert_eq!(named("places", "Home"), json!({"name": "Home", "path": "/", "count": 1}));
    assert_eq!(named("sources", "forum.example")["count"], 1);
    assert_eq!(named("sources", "Autumn")["path"], label.letter.1);
    assert_eq!(shown["sources"].as_array().unwrap().len(), 2);
    assert_eq!(named("platforms", "apple_music")["count"], 1);
    assert_eq!(
        named("releases", "Night Drive"),
        json!({"id": release, "name": "Night Drive", "path": label.release.1,
            "views": 2, "visitors": 2, "plays": 1, "shares": 1, "buttons": 1})
    );
    assert_eq!(shown["letters"], json!([{"id": label.letter.0, "day": "2026-11-20", "subject": "Autumn"}]));

    let own = label.numbers(&format!("?release={release}")).await;
    assert_eq!((&own["totals"]["views"], &own["totals"]["visitors"]), (&json!(2), &json!(2)));
    assert_eq!(own["days"][29], json!({"day": "2026-11-20", "views": 2, "visitors": 2}));
    assert_eq!((&own["places"], &own["releases"]), (&json!([]), &json!([])));
    let table = label.desk.get("/api/admin/exports/numbers.csv").await.text();
    let line = format!("2026-11-20,button,{release},Night Drive,apple_music,1\r\n");
    assert!(
        table.starts_with("\u{feff}day,kind,subject,name,detail,count\r\n") && table.contains(&line),
        "{table}"
    );
}

#[apply(on_both_engines!)]
async fn what_is_no_visit_changes_nothing(engine: Engine) {
    let mut label = Label::open(engine).await;
    let browser = Browser::new(&label.server);
    for message in [
        view("/admin"),
        view("/releases/unknown"),
        view("/artists/0197aaaa-0000-7000-8000-000000000000"),
        view("/p/token"),
        json!({"event": "view"}),
        json!({"event": "play", "release": "0197aaaa-0000-7000-8000-000000000000"}),
        json!({"event": "button", "release": label.release.0, "platform": "myspace"}),
        json!([]),
    ] {
        assert_eq!(tell(&browser, &message).await.status, 204, "{message}");
    }
    for header in [("dnt", "1"), ("sec-gpc", "1")] {
        let mut silent = Browser::new(&label.server);
        silent.headers.push((header.0.to_owned(), header.1.to_owned()));
        let request = silent.request(Method::POST, "/api/seen").header(header.0, header.1).json(&view("/"));
        assert_eq!(request.send().await.unwrap().status(), 204);
    }
    let long = json!({"event": "view", "path": "x".repeat(512)});
    assert_eq!(tell(&browser, &long).await.status, 413);
    let foreign = browser.request(Method::POST, "/api/seen").header("origin", "https://foreign.example");
    assert_eq!(foreign.json(&view("/")).send().await.unwrap().status(), 403);
    let totals = label.numbers("").await["totals"].clone();
    assert!(totals.as_object().unwrap().values().all(|n| n == 0), "{totals}");

    let robot = label.server.client.post(format!("{}/api/seen", label.server.base));
    let robot =
        robot.header("user-agent", "curl/8.14.1").header("origin", &label.server.base).json(&view("/"));
    assert_eq!(robot.send().await.unwrap().status(), 204);
    let eager = Browser::new(&label.server);
    for _ in 0..32 {
        tell(&eager, &view("/")).await;
    }
    let totals = label.numbers("").await["totals"].clone();
    assert_eq!(
        (&totals["views"], &totals["visitors"], &totals["left_out"]),
        (&json!(30), &json!(1), &json!(3))
    );
}

#[tokio::test]
async fn nothing_is_counted_where_it_is_turned_off() {
    let server = TestServer::start_with(Engine::Sqlite, |settings| settings.counts_visits = false).await;
    assert_eq!(server.get("/api/label").await.json()["counts_visits"], false);
    assert_eq!(tell(&Browser::new(&server), &view("/")).await.status, 204);
    keep::flush(&server.app).await;
    assert_eq!(server.count("numbers").await + server.count("number_days").await, 0);
    assert_eq!(server.desk().await.get("/api/admin/numbers").await.json()["is_on"], false);
}

#[apply(on_both_engines!)]
async fn after_the_day_only_a_number_is_left(engine: Engine) {
    let mut label = Label::open(engine).await;
    for _ in 0..12 {
        tell(&Browser::new(&label.server), &view(&label.release.1)).await;
    }
    keep::flush(&label.server.app).await;
    assert_eq!(
        (label.server.count("number_days").await, label.server.count("number_sketches").await),
        (1, 2)
    );
    label.server.advance(DAY);
    // A new day begins with a new key.
    tell(&Browser::new(&label.server), &view("/")).await;
    keep::flush(&label.server.app).await;
    keep::settle(&label.server.app.db, &TimeZone::UTC, label.server.app.clock.now()).await.unwrap();
    assert_eq!(
        (label.server.count("number_days").await, label.server.count("number_sketches").await),
        (1, 1)
    );
    let shown = label.numbers("?days=7").await;
    // Two of twelve share one of the 4096 registers in one of sixty runs, and are one.
    let visitors = shown["days"][5]["visitors"].as_i64().unwrap();
    assert!((10..=12).contains(&visitors), "{visitors}");
    assert_eq!(shown["days"][5], json!({"day": "2026-11-20", "views": 12, "visitors": visitors}));
    assert_eq!(shown["days"][6], json!({"day": "2026-11-21", "views": 1, "visitors": 1}));
    assert_eq!(shown["releases"][0]["visitors"], visitors);
}

#[apply(on_both_engines!)]
async fn a_day_ends_by_the_time_zone_that_is_stored(engine: Engine) {
    let label = Label::open(engine).await;
    tell(&Browser::new(&label.server), &view("/")).await;
    keep::flush(&label.server.app).await;
    // As another instance does. In UTC the 21st begins, and there the afternoon of the 20th.
    let set = "UPDATE site_content SET value = 'Pacific/Pago_Pago' WHERE key = 'label_time_zone'";
    label.server.sql(set).await;
    label.server.advance(Duration::from_hours(13));
    let settled = keep::settle_new_day(&label.server.app, None).await.unwrap();
    assert_eq!(settled.to_string(), "2026-11-20");
    assert_eq!(label.server.count("number_days").await, 1);
    // A view from now on counts on that day too.
    tell(&Browser::new(&label.server), &view("/store")).await;
    keep::flush(&label.server.app).await;
    assert_eq!(label.server.count("numbers WHERE day = '2026-11-20' AND kind = 'view'").await, 2);
    label.server.advance(DAY);
    assert_eq!(
        keep::settle_new_day(&label.server.app, Some(settled)).await.unwrap().to_string(),
        "2026-11-21"
    );
    assert_eq!(label.server.count("number_days").await, 0);
}

#[apply(on_both_engines!)]
async fn what_visitors_no_longer_see_keeps_its_name(engine: Engine) {
    let mut label = Label::open(engine).await;
    tell(&Browser::new(&label.server), &view(&label.artist.1)).await;
    tell(&Browser::new(&label.server), &view(&label.release.1)).await;
    keep::flush(&label.server.app).await;
    for (list, id) in [("releases", &label.release.0), ("artists", &label.artist.0)] {
        assert_eq!(label.desk.delete(&format!("/api/admin/{list}/{id}")).await.status, 204, "{list}");
    }
    let shown = label.numbers("").await;
    for name in ["Mira Holm", "Night Drive"] {
        let place = json!({"name": name, "path": null, "count": 1});
        assert!(shown["places"].as_array().unwrap().contains(&place), "{name}: {shown}");
    }
    let table = label.desk.get("/api/admin/exports/numbers.csv").await.text();
    assert!(table.contains(",Mira Holm,") && !table.contains(",removed,"), "{table}");
}

#[apply(on_both_engines!)]
async fn days_become_months_after_twenty_five(engine: Engine) {
    let mut label = Label::open(engine).await;
    for (day, n) in [("2024-10-18", 5), ("2024-10-19", 7), ("2024-10-21", 1)] {
        label.server.sql(&format!("INSERT INTO numbers VALUES ('{day}', 'view', '/', '', {n})")).await;
    }
    for _ in 0..2 {
        keep::settle(&label.server.app.db, &TimeZone::UTC, label.server.app.clock.now()).await.unwrap();
    }
    assert_eq!(label.server.count("numbers WHERE day = '2024-10' AND n = 12").await, 1);
    assert_eq!(label.server.count("numbers").await, 2);
    assert_eq!(label.numbers("").await["first_day"], "2024-10-01");
    let table = label.desk.get("/api/admin/exports/numbers.csv").await.text();
    assert!(table.contains("2024-10,view,/,Home,,12\r\n2024-10-21,view,/,Home,,1\r\n"), "{table}");
}

#[apply(on_both_engines!)]
async fn hosts_and_releases_beyond_the_bound_are_others(engine: Engine) {
    let mut label = Label::open(engine).await;
    let came_from = |host: &str| json!({"event": "view", "path": "/", "referrer": host});
    let one = Browser::new(&label.server);
    for host in 0..7 {
        tell(&one, &came_from(&format!("invented{host}.example"))).await;
    }
    keep::flush(&label.server.app).await;
    assert_eq!(label.server.count("numbers WHERE kind = 'source'").await, 6);
    for host in 0..210 {
        tell(&Browser::new(&label.server), &came_from(&format!("host{host}.example"))).await;
        if host % 50 == 0 {
            keep::flush(&label.server.app).await;
        }
    }
    assert_eq!(label.numbers("").await["totals"]["views"], 217);
    assert_eq!(label.server.count("numbers WHERE kind = 'source'").await, 200);
    assert_eq!(label.server.count("numbers WHERE kind = 'source' AND subject = 'other' AND n = 18").await, 1);
}

/// The files of a folder that contain a text, or its bytes as an address in rows could be.
pub(super) fn containing(folder: &Path, sought: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(containing(&path, sought));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let holds = |text: &&&str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        found.extend(sought.iter().filter(holds).map(|text| format!("{} in {}", text, path.display())));
    }
    found
}

#[apply(on_both_engines!)]
async fn a_visitor_is_found_nowhere(engine: Engine) {
    let (log, _guard) = logged("trace");
    let label = Label::open(engine).await;
    let mut browser = Browser::new(&label.server);
    browser.address = "203.0.113.77".to_owned();
    let agent = "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/Unmistakable";
    let sought = ["203.0.113.77", "203.0.113", "Unmistakable"];
    for path in ["/", &*label.release.1] {
        let request = label.server.client.post(format!("{}/api/seen", label.server.base));
        let request = request.header("user-agent", agent).header("x-forwarded-for", &browser.address);
        let sent = request.header("origin", &label.server.base).json(&view(path)).send().await.unwrap();
        assert_eq!(sent.status(), 204);
    }
    keep::flush(&label.server.app).await;
    assert_eq!(label.server.count("number_sketches").await, 2);
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("backup");
    let app = &label.server.app;
    backup::backup(&app.db, &app.storage, &app.clock, &copy).await.unwrap();
    assert!(copy.join("tables/numbers.jsonl").exists());
    for left_out in ["number_days", "number_sketches"] {
        assert!(!copy.join(format!("tables/{left_out}.jsonl")).exists());
    }
    // The folder of data holds SQLite's files; of PostgreSQL the two tables that the backup leaves out are searched.
    let mut found = containing(folder.path(), &sought);
    found.extend(containing(label.server.data.path(), &sought));
    for (table, column) in [("number_days", "day"), ("number_sketches", "subject")] {
        let named = label.server.count(&format!("{table} WHERE {column} LIKE '%203.0.113%'")).await;
        assert_eq!(named, 0, "{table}");
    }
    let log = log.text();
    found.extend(sought.iter().filter(|text| log.contains(**text)).map(|text| format!("{text} in the log")));
    assert!(found.is_empty(), "{found:?}");
}
