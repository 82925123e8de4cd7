//! Imports of subscribers: the check, what is written, refusals, and the undo.

mod files;
mod undone;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, people::Browser},
};

const PATH: &str = "/api/admin/newsletter/imports";
const CHECK: &str = "/api/admin/newsletter/imports/check";
const CONFIRMED: &str = "2024-01-31 12:34:56";

async fn send(server: &TestServer, desk: &Browser, path: &str, file: (&str, &[u8])) -> Answer {
    server.send_file(desk, (Method::POST, path), file, &[]).await
}

async fn checked(server: &TestServer, desk: &Browser, table: &str) -> Value {
    let answer = send(server, desk, CHECK, ("fans.csv", table.as_bytes())).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

async fn imported(server: &TestServer, desk: &Browser, file: (&str, &[u8])) -> Value {
    let answer = send(server, desk, PATH, file).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

fn verdicts(check: &Value) -> Vec<&str> {
    check["rows"].as_array().unwrap().iter().map(|row| row["verdict"].as_str().unwrap()).collect()
}

impl TestServer {
    /// A subscriber of before; `more` sets further columns.
    async fn fan(&self, email: &str, more: &str) {
        let id = self.id_literal(uuid::Uuid::now_v7());
        self.sql(&format!(
            "INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at) \
             VALUES ({id}, '{email}', 1, 1, 1)"
        ))
        .await;
        if !more.is_empty() {
            self.sql(&format!("UPDATE newsletter_subscriptions SET {more} WHERE email = '{email}'")).await;
        }
    }

    async fn fan_is(&self, email: &str, state: &str) -> bool {
        self.count(&format!("newsletter_subscriptions WHERE email = '{email}' AND {state}")).await == 1
    }

    /// Leaves by the link of a letter.
    async fn fan_leaves(&self, email: &str) {
        let token = self.leave_token(email).await;
        let answer =
            self.client.post(format!("{}/newsletter/leave/{token}", self.base)).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    }

    async fn leave_token(&self, email: &str) -> String {
        let sql = "SELECT leave_token FROM newsletter_subscriptions WHERE email = $1";
        match &self.app.db {
            deadwax_store::db::Db::Sqlite { read, .. } => {
                sqlx::query_scalar(sql).bind(email).fetch_one(read).await.unwrap()
            }
            deadwax_store::db::Db::Postgres { pool, .. } => {
                sqlx::query_scalar(sql).bind(email).fetch_one(pool).await.unwrap()
            }
        }
    }

    async fn subscribes(&self, email: &str) {
        let answer = self.browser().post("/api/newsletter", json!({"subscriber_email": email})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

const LIST: &str = "Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,Status,LEID\n\
    New@X.example,N,2024-01-31 12:00:00,2024-01-31 12:34:56,,77\n\
    plain@x.example,P,2023-05-06 07:08:09,,subscribed,78\n\
    odd@x.example,O,,yes,,\n\
    known@x.example,K,,2024-01-31 12:34:56,,\n\
    inactive@x.example,I,,2024-01-31 12:34:56,,\n\
    gone@x.example,G,,2024-01-31 12:34:56,,\n\
    left@x.example,L,,,unsubscribed,\n\
    bounced@x.example,B,,,cleaned,\n\
    stranger@x.example,S,,,unsubscribed,\n\
    buyer@x.example,B,,,transactional,\n\
    NEW@x.example,N,,,,\n\
    nonsense,X,,,,\n\
    ,Y,,,,\n\
    vip@x.example,V,,,VIP,\n\
    müller@müller.example,M,,,,\n\
    fan@münchen.example,M,,,,\n";

async fn label(server: &TestServer) -> Browser {
    server.fan("known@x.example", "").await;
    server.fan("inactive@x.example", "active = FALSE").await;
    server.fan("left@x.example", "consent = 'confirmed'").await;
    server.fan("bounced@x.example", "").await;
    server.fan("gone@x.example", "").await;
    let mut desk = server.desk().await;
    let gone = desk.get("/api/admin/newsletter?q=gone").await.json();
    let id = gone["items"][0]["id"].as_str().unwrap();
    assert_eq!(desk.delete(&format!("/api/admin/newsletter/{id}")).await.status, 204);
    desk
}

#[apply(on_both_engines!)]
async fn every_row_gets_its_verdict_and_a_check_writes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = label(&server).await;
    let check = checked(&server, &desk, LIST).await;
    let fields: Vec<&Value> =
        check["columns"].as_array().unwrap().iter().map(|column| &column["field"]).collect();
    assert_eq!(json!(fields), json!(["email", null, "subscribed_at", "confirmed_at", "status", "member"]));
    assert_eq!(
        verdicts(&check),
        [
            "add_confirmed",
            "add_unconfirmed",
            "add_unconfirmed",
            "known",
            "known",
            "suppressed",
            "end",
            "end",
            "suppress",
            "never_subscribed",
            "repeated",
            "refused",
            "refused",
            "refused",
            "refused",
            "add_unconfirmed",
        ]
    );
    let problems: Vec<&Value> = check["rows"].as_array().unwrap().iter().map(|row| &row["problem"]).collect();
    assert_eq!(problems[0], &json!(null));
    assert_eq!(
        problems[2],
        "The time of the confirmation cannot be read, so the address counts as unconfirmed"
    );
    assert_eq!(problems[11], "This is no email address");
    assert_eq!(problems[12], "The row has no email address");
    assert_eq!((&check["counts"]["refused"], &check["counts"]["end"]), (&json!(4), &json!(2)));
    assert_eq!((&check["refusal"], &check["files"][0]["rows"]), (&json!(null), &json!(16)));
    assert_eq!(check["rows"][0]["line"], 2);
    assert_eq!(server.count("newsletter_subscriptions").await, 4, "a check writes nothing");
    assert_eq!(server.count("subscriber_imports").await, 0);
}

#[apply(on_both_engines!)]
async fn an_import_adds_ends_and_suppresses_and_raises_nobody(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = label(&server).await;
    let import = imported(&server, &desk, ("fans.csv", LIST.as_bytes())).await;
    for (name, number) in [("confirmed", 1), ("unconfirmed", 3), ("ended", 2), ("suppressed", 3)] {
        assert_eq!(import[name], number, "{name}");
    }
    assert!(import["finished_at"].is_string() && import["can_be_undone"] == true, "{import}");
    assert_eq!(desk.get(PATH).await.json()["items"], json!([import]));

    assert!(server.fan_is("new@x.example", "active AND consent = 'confirmed' AND NOT suppressed").await);
    let at = "confirmed_at = 1706704496000000 AND subscribed_at = 1706702400000000 AND asked_at IS NULL";
    assert!(server.fan_is("new@x.example", at).await);
    let plain = "active AND consent = 'unconfirmed' AND ask_at IS NULL AND confirmed_at IS NULL AND LENGTH(leave_token) = 32";
    assert!(server.fan_is("plain@x.example", plain).await);
    assert!(server.fan_is("odd@x.example", "consent = 'unconfirmed'").await);
    assert!(server.fan_is("fan@xn--mnchen-3ya.example", "active").await);
    assert!(server.fan_is("known@x.example", "active AND consent = 'unconfirmed' AND version = 1").await);
    assert!(server.fan_is("inactive@x.example", "NOT active AND version = 1").await);
    let ended = |reason: &str| {
        format!(
            "NOT active AND suppressed AND inactive_reason = '{reason}' AND inactive_at IS NOT NULL AND version = 2"
        )
    };
    assert!(server.fan_is("left@x.example", &ended("left")).await);
    assert!(server.fan_is("bounced@x.example", &ended("bounced")).await);
    for stranger in ["gone", "stranger", "buyer", "vip"] {
        let row = format!("newsletter_subscriptions WHERE email = '{stranger}@x.example'");
        assert_eq!(server.count(&row).await, 0, "{stranger}");
    }
    assert_eq!(server.count("suppressions WHERE reason = 'left'").await, 2);
    assert_eq!(server.count("suppressions").await, 4);

    let table = desk.get("/api/admin/newsletter/export.csv").await.text();
    let mut reader = csv::Reader::from_reader(table.trim_start_matches('\u{feff}').as_bytes());
    let row = reader.records().map(Result::unwrap).find(|row| &row[0] == "new@x.example").unwrap();
    let proof: Value = serde_json::from_str(&row[6]).unwrap();
    assert_eq!(
        proof,
        json!({"imported": {"file": "fans.csv", "joined": "2024-01-31T12:00:00Z", "confirmed": "2024-01-31T12:34:56Z",
            "member": "77", "at": "2026-11-20T12:00:00Z"}})
    );
    let summary = desk.get("/api/admin/newsletter/settings").await.json();
    assert_eq!((&summary["not_asked"], &summary["waiting"]), (&json!(4), &json!(0)), "they wait to be asked");
    assert_eq!(server.mails().len(), 0);
    let noted = format!(
        "audit_log WHERE target = 'newsletter_import:{} 1 confirmed, 3 unconfirmed, 2 ended, 3 suppressed'",
        import["id"].as_str().unwrap()
    );
    assert_eq!(server.count(&noted).await, 1);

    // Once more, nothing is left to do.
    let again = send(&server, &desk, PATH, ("fans.csv", LIST.as_bytes())).await;
    assert_eq!((again.status.as_u16(), again.problem().as_str()), (422, "subscribers_nothing"));
    // An address that left elsewhere and subscribes here is sent a confirmation; the suppression stands until then.
    server.subscribes("stranger@x.example").await;
    assert!(server.fan_is("stranger@x.example", "consent = 'unconfirmed' AND suppressed").await);
}

#[apply(on_both_engines!)]
async fn columns_can_be_assigned_and_an_own_export_comes_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let table = format!("wer,wann,status\nmax@x.example,{CONFIRMED},VIP\n");
    let first = checked(&server, &desk, &table).await;
    assert_eq!(first["refusal"], "Please say which column is the email address");
    let columns = [("columns", r#"["email","confirmed_at",null]"#)];
    let file = ("fans.csv", table.as_bytes());
    let check = server.send_file(&desk, (Method::POST, CHECK), file, &columns).await.json();
    assert_eq!((verdicts(&check), &check["refusal"]), (vec!["add_confirmed"], &json!(null)));
    let import = server.send_file(&desk, (Method::POST, PATH), file, &columns).await;
    assert_eq!((import.status.as_u16(), &import.json()["confirmed"]), (201, &json!(1)));
    for columns in ["[null]", r#"["email","email",null]"#, r#"["title",null,null]"#, "x"] {
        let answer = server.send_file(&desk, (Method::POST, CHECK), file, &[("columns", columns)]).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, "import_columns"), "{columns}");
    }

    server.fan("left@x.example", "active = FALSE, inactive_reason = 'complained'").await;
    let export = desk.get("/api/admin/newsletter/export.csv").await.text();
    let other = TestServer::start(engine).await;
    let desk = other.desk().await;
    let import = imported(&other, &desk, ("newsletter-consent.csv", export.as_bytes())).await;
    assert_eq!((&import["confirmed"], &import["suppressed"]), (&json!(1), &json!(1)), "{import}");
    assert_eq!(other.count("suppressions WHERE reason = 'complained'").await, 1);
}

#[apply(on_both_engines!)]
async fn an_admin_who_is_dismissed_within_a_long_list_writes_and_undoes_no_more_of_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for after in ["UPDATE ON subscriber_imports", "DELETE ON newsletter_subscriptions"] {
        let (name, dismiss) = (&after[..6], "UPDATE admin_users SET active = FALSE WHERE active;");
        let trigger = format!("CREATE TRIGGER after_{name} AFTER {after} FOR EACH ROW");
        let sql = match engine {
            Engine::Sqlite => format!("{trigger} BEGIN {dismiss} END"),
            Engine::Postgres => format!(
                "CREATE FUNCTION after_{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {dismiss} RETURN NULL; END $$; \
                    {trigger} EXECUTE FUNCTION after_{name}()"
            ),
        };
        server.sql(&sql).await;
    }
    let list =
        (0..1001).fold("email\n".to_owned(), |list, number| list + &format!("fan{number}@x.example\n"));
    let refused = send(&server, &desk, PATH, ("fans.csv", list.as_bytes())).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (403, "forbidden"));
    assert_eq!(server.count("newsletter_subscriptions").await, 1000);

    server.sql("UPDATE admin_users SET active = TRUE").await;
    let import = desk.get(PATH).await.json()["items"][0].clone();
    let undo = format!("{PATH}/{}/undo", import["id"].as_str().unwrap());
    assert_eq!(desk.post(&undo, json!({})).await.status, 403);
    assert_eq!(server.count("newsletter_subscriptions").await, 500);
}

#[apply(on_both_engines!)]
async fn a_long_list_is_written_and_undone_whole_and_listed_in_part(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let list =
        (0..2500).fold("email\n".to_owned(), |list, number| list + &format!("fan{number}@x.example\n"));
    let check = checked(&server, &desk, &list).await;
    assert_eq!((&check["counts"]["add_unconfirmed"], verdicts(&check).len()), (&json!(2500), 1000));
    let import = imported(&server, &desk, ("fans.csv", list.as_bytes())).await;
    assert_eq!(
        (&import["unconfirmed"], server.count("newsletter_subscriptions").await),
        (&json!(2500), 2500)
    );
    let undo = format!("{PATH}/{}/undo", import["id"].as_str().unwrap());
    assert_eq!(desk.post(&undo, json!({})).await.json(), json!({"deleted": 2500, "restored": 0, "left": 0}));
    assert_eq!(server.count("newsletter_subscriptions").await, 0);
}
