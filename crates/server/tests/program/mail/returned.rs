//! Mail that comes back about letters.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
    time::Duration,
};

use deadwax::newsletter::returned::{Received, keep_reading, read_box, receive};
use deadwax_config::Settings;
use deadwax_mail::returned::recipient_token;
use macro_rules_attribute::apply;
use uuid::Uuid;

use super::helper::Mailbox;
use crate::{
    on_both_engines,
    support::{Engine, TestServer, change},
};

pub(super) const BOUNCES: &str = "bounces@label.example";

/// A label that has sent `letters` letters to one subscriber; the ids of its recipient rows.
async fn label(engine: Engine, letters: usize) -> (TestServer, Vec<Uuid>) {
    label_with(engine, letters, |_| {}).await
}

async fn label_with(
    engine: Engine,
    letters: usize,
    change: impl FnOnce(&mut Settings),
) -> (TestServer, Vec<Uuid>) {
    let server = TestServer::start_with(engine, change).await;
    let person = server.id_literal(Uuid::now_v7());
    server
        .sql(&format!(
            "INSERT INTO newsletter_subscriptions (id, email, consent, leave_token, subscribed_at, created_at, updated_at) \
             VALUES ({person}, 'max@fans.example', 'confirmed', '{:032}', 1, 1, 1)",
            7
        ))
        .await;
    let mut rows = Vec::new();
    for _ in 0..letters {
        let (letter, row) = (Uuid::now_v7(), Uuid::now_v7());
        let (letter, id) = (server.id_literal(letter), server.id_literal(row));
        server
            .sql(&format!(
                "INSERT INTO letters (id, subject, state, created_at, updated_at) VALUES ({letter}, 'A record', 'sent', 1, 1)"
            ))
            .await;
        server
            .sql(&format!(
                "INSERT INTO letter_recipients (id, letter_id, subscription_id, state, next_try_at, sent_at, ended_at) \
                 VALUES ({id}, {letter}, {person}, 'sent', 1, 1, 1)"
            ))
            .await;
        rows.push(row);
    }
    (server, rows)
}

/// A report of Postfix about the letter to `row`. Reports with another status have another id.
pub(super) fn report(to: &str, row: Uuid, recipient: &str, action: &str, status: &str) -> String {
    format!(
        "From: MAILER-DAEMON@mx.example\r\nTo: {to}\r\nMessage-ID: <{row}-{status}@mx.example>\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; {recipient}\r\n\
         Action: {action}\r\nStatus: {status}\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n\
         Message-ID: <{row}@label.example>\r\n\r\n--b--\r\n"
    )
}

/// The address that the letter to `row` was sent from.
pub(super) fn to(server: &TestServer, row: Uuid) -> String {
    format!("bounces+{}@label.example", recipient_token(&server.app.keys, row))
}

impl TestServer {
    async fn receive(&self, raw: &str) -> Received {
        receive(&self.app.db, &self.app.keys, BOUNCES, raw.as_bytes(), self.app.clock.now()).await.unwrap()
    }

    async fn is_on_the_list(&self) -> bool {
        self.count("newsletter_subscriptions WHERE active").await == 1
    }
}

#[apply(on_both_engines!)]
async fn an_address_that_is_gone_leaves_the_list_once(engine: Engine) {
    let (server, rows) = label(engine, 1).await;
    let gone = report(&to(&server, rows[0]), rows[0], "elsewhere@fans.example", "failed", "5.1.1");
    assert_eq!(server.receive(&gone).await, Received::Gone);
    assert_eq!(server.receive(&gone).await, Received::Again);
    let ended = "newsletter_subscriptions WHERE NOT active AND inactive_reason = 'bounced' AND suppressed";
    assert_eq!(server.count(ended).await, 1);
    assert_eq!(server.count("suppressions WHERE reason = 'bounced'").await, 1);
    assert_eq!(server.count("letter_recipients WHERE state = 'bounced' AND code = '5.1.1'").await, 1);
}

#[apply(on_both_engines!)]
async fn a_report_whose_id_holds_a_nul_is_read(engine: Engine) {
    let (server, rows) = label(engine, 1).await;
    let gone = report(&to(&server, rows[0]), rows[0], "max@fans.example", "failed", "5.1.1");
    assert_eq!(server.receive(&gone.replace("-5.1.1@", "\0@")).await, Received::Gone);
}

#[apply(on_both_engines!)]
async fn a_report_whose_id_is_a_nul_counts_once_for_each_recipient(engine: Engine) {
    let (server, rows) = label(engine, 2).await;
    for row in rows {
        let full = report(&to(&server, row), row, "max@fans.example", "failed", "5.2.2");
        let full = full.replace(&format!("<{row}-5.2.2@mx.example>"), "<\0>");
        assert_eq!(server.receive(&full).await, Received::Counted);
        assert_eq!(server.receive(&full).await, Received::Again);
    }
}

#[apply(on_both_engines!)]
async fn without_the_token_letter_and_recipient_must_both_be_right(engine: Engine) {
    let (server, rows) = label(engine, 1).await;
    let row = rows[0];
    for wrong in [
        report(BOUNCES, row, "other@fans.example", "failed", "5.1.1"),
        report(BOUNCES, Uuid::now_v7(), "max@fans.example", "failed", "5.1.1"),
        report(&to(&server, Uuid::now_v7()), row, "max@fans.example", "failed", "5.1.1"),
        "From: a@b.example\r\nTo: bounces@label.example\r\n\r\n550 5.1.1 max@fans.example is gone\r\n"
            .to_owned(),
        String::new(),
    ] {
        assert_eq!(server.receive(&wrong).await, Received::Ignored, "{wrong}");
    }
    assert!(server.is_on_the_list().await);
    assert_eq!(
        server.receive(&report(BOUNCES, row, "Max@Fans.Example", "failed", "5.1.1")).await,
        Received::Gone
    );
}

#[apply(on_both_engines!)]
async fn the_id_that_a_letter_shows_is_no_token(engine: Engine) {
    let (server, rows) = label(engine, 1).await;
    let shown = format!("bounces+{}@label.example", rows[0].simple());
    let made_up = report(&shown, rows[0], "other@fans.example", "failed", "5.1.1");
    assert_eq!(server.receive(&made_up).await, Received::Ignored);
    assert!(server.is_on_the_list().await);
    // The token of letters that were sent before.
    let true_one = report(&shown, rows[0], "max@fans.example", "failed", "5.1.1");
    assert_eq!(server.receive(&true_one).await, Received::Gone);
}

#[apply(on_both_engines!)]
async fn a_full_mailbox_ends_a_subscription_with_the_fifth_letter_in_ninety_days(engine: Engine) {
    let (server, rows) = label(engine, 7).await;
    let full = |row: Uuid| report(&to(&server, row), row, "max@fans.example", "failed", "5.2.2");
    assert_eq!(
        server.receive(&report(&to(&server, rows[0]), rows[0], "max@fans.example", "delayed", "4.4.1")).await,
        Received::Noted
    );
    assert_eq!(server.receive(&full(rows[0])).await, Received::Counted);
    server.advance(Duration::from_hours(24 * 91));
    for row in &rows[1..5] {
        assert_eq!(server.receive(&full(*row)).await, Received::Counted);
    }
    assert!(server.is_on_the_list().await, "the first one is too long ago");
    assert_eq!(
        server.receive(&report(&to(&server, rows[5]), rows[5], "max@fans.example", "failed", "5.7.1")).await,
        Received::Counted
    );
    assert!(server.is_on_the_list().await, "a provider's rule is not the person's fault");
    assert_eq!(server.receive(&full(rows[6])).await, Received::Gone);
    assert!(!server.is_on_the_list().await);
}

#[apply(on_both_engines!)]
async fn a_complaint_and_a_mail_to_leave_end_a_subscription(engine: Engine) {
    let (server, rows) = label(engine, 1).await;
    let complaint = report(&to(&server, rows[0]), rows[0], "max@fans.example", "failed", "5.1.1")
        .replace("message/delivery-status", "message/feedback-report")
        .replace("Reporting-MTA: dns; mx.example\r\n\r\n", "Feedback-Type: abuse\r\n");
    assert_eq!(server.receive(&complaint).await, Received::Complained);
    assert_eq!(server.count("newsletter_subscriptions WHERE inactive_reason = 'complained'").await, 1);
    assert_eq!(server.count("letter_recipients WHERE state = 'left'").await, 1);

    let (server, _) = label(engine, 1).await;
    let leave =
        format!("From: max@fans.example\r\nTo: bounces+leave-{:032}@label.example\r\n\r\nunsubscribe\r\n", 7);
    assert_eq!(server.receive(&leave).await, Received::Left);
    assert_eq!(server.count("newsletter_subscriptions WHERE inactive_reason = 'left'").await, 1);
}

#[tokio::test]
async fn a_bounce_and_the_deletion_of_its_subscription_do_not_wait_for_each_other() {
    let (server, rows) = label(Engine::Postgres, 1).await;
    let mut deleting = server.app.db.begin().await.unwrap();
    change(&mut deleting, "SELECT id FROM newsletter_subscriptions FOR UPDATE").await;
    let gone = report(&to(&server, rows[0]), rows[0], "max@fans.example", "failed", "5.1.1");
    let deletion = async {
        server.wait_for_locks(1).await;
        change(&mut deleting, "DELETE FROM newsletter_subscriptions").await;
        deleting.commit().await.unwrap();
    };
    let (received, ()) = tokio::join!(server.receive(&gone), deletion);
    assert_eq!(received, Received::Ignored, "it is about no subscriber any more");
}

/// `deadwax bounces` with a mail as its input.
fn run_bounces(server: &TestServer, mail: &str, settings: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
    command.arg("bounces").env_clear().env("DEADWAX_DATA_DIR", server.data.path());
    if let Some(url) = server.database_url() {
        command.env("DATABASE_URL", url);
    }
    command.envs(settings.iter().copied());
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may refuse before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(mail.as_bytes());
    child.wait_with_output().unwrap()
}

#[apply(on_both_engines!)]
async fn the_command_reads_one_mail(engine: Engine) {
    let (server, rows) = label(engine, 1).await;
    let gone = report(&to(&server, rows[0]), rows[0], "max@fans.example", "failed", "5.1.1");
    for (settings, words) in [
        (vec![], "BOUNCE_ADDRESS is not set"),
        (vec![("BOUNCE_ADDRESS", "bounces")], "is not an email address"),
        (vec![("BOUNCE_ADDRESS", BOUNCES), ("DATABASE_URL", "postgres://label@127.0.0.1:1/label")], ""),
    ] {
        let kept = run_bounces(&server, &gone, &settings);
        assert_eq!(kept.status.code(), Some(75), "the mail server must keep the mail: {kept:?}");
        assert!(String::from_utf8_lossy(&kept.stderr).contains(words), "{kept:?}");
    }
    let done = run_bounces(&server, &gone, &[("BOUNCE_ADDRESS", BOUNCES)]);
    assert!(done.status.success(), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("its subscription ended"), "{done:?}");
    assert!(!server.is_on_the_list().await);
}

#[apply(on_both_engines!)]
async fn the_command_knows_an_international_bounce_address(engine: Engine) {
    let (server, _) = label(engine, 1).await;
    let leave =
        format!("From: max@fans.example\r\nTo: bounces+leave-{:032}@xn--mller-kva.example\r\n\r\n", 7);
    let done = run_bounces(&server, &leave, &[("BOUNCE_ADDRESS", "bounces@müller.example")]);
    assert!(done.status.success(), "{done:?}");
    assert!(!server.is_on_the_list().await, "{done:?}");
}

#[tokio::test]
async fn a_mail_that_takes_long_to_read_holds_nothing_else_up() {
    let (server, _) = label(Engine::Sqlite, 1).await;
    let parameters = (0..10_000).map(|number| format!(";a{number}*1=x"));
    let slow = format!("Content-Type: a/b{}\r\n\r\n", parameters.collect::<String>());
    let mut reading = std::pin::pin!(server.receive(&slow));
    let first_look = tokio::time::timeout(Duration::ZERO, &mut reading).await;
    assert!(first_look.is_err(), "it is read elsewhere");
    assert_eq!(reading.await, Received::Ignored);
}

fn left_unread(server: &TestServer) -> Option<u32> {
    server.app.mail.bounce_box().unwrap().left_unread()
}

#[apply(on_both_engines!)]
async fn a_mailbox_is_read_and_what_is_not_understood_stays_unread(engine: Engine) {
    let mut mailbox = Mailbox::start();
    let url = mailbox.url();
    let (server, rows) = label_with(engine, 1, move |settings| {
        settings.bounce_address = Some(BOUNCES.to_owned());
        settings.bounce_url = Some(url.into());
    })
    .await;
    read_box(&server.app).await.unwrap();
    mailbox.deliver("From: max@fans.example\r\nTo: bounces@label.example\r\n\r\nThank you!\r\n");
    mailbox.deliver(&report(&to(&server, rows[0]), rows[0], "max@fans.example", "failed", "5.1.1"));
    read_box(&server.app).await.unwrap();
    assert_eq!(mailbox.event()["seen"], 2);
    assert_eq!(left_unread(&server), Some(1));
    assert!(!server.is_on_the_list().await);
    read_box(&server.app).await.unwrap();
    mailbox.deliver(&report(&to(&server, rows[0]), rows[0], "max@fans.example", "failed", "5.1.1"));
    read_box(&server.app).await.unwrap();
    assert_eq!(mailbox.event()["seen"], 3, "a second report of the same letter is understood too");
    assert_eq!(left_unread(&server), Some(1));
    let away = format!("From: max@fans.example\r\nTo: {}\r\nSubject: Away\r\n", to(&server, rows[0]));
    mailbox.deliver(&format!("{away}Auto-Submitted: auto-replied\r\n\r\nUntil Monday.\r\n"));
    mailbox.deliver(&format!("{away}\r\nPlease take me off the list.\r\n"));
    read_box(&server.app).await.unwrap();
    assert_eq!(mailbox.event()["seen"], 4, "an automatic answer is understood");
    assert_eq!(left_unread(&server), Some(2), "a person's mail is not");
}

#[apply(on_both_engines!)]
async fn mail_that_waits_behind_junk_is_read_without_a_pause(engine: Engine) {
    let mut mailbox = Mailbox::start();
    let url = mailbox.url();
    let (server, rows) = label_with(engine, 1, move |settings| {
        settings.bounce_address = Some(BOUNCES.to_owned());
        settings.bounce_url = Some(url.into());
    })
    .await;
    // As many as one look reads.
    for _ in 0..200 {
        mailbox.deliver("From: junk@spam.example\r\nTo: bounces@label.example\r\n\r\nBuy!\r\n");
    }
    mailbox.deliver(&report(&to(&server, rows[0]), rows[0], "max@fans.example", "failed", "5.1.1"));
    let reading = tokio::spawn(keep_reading(server.app.clone()));
    server.wait_until("the mail behind the junk", async || !server.is_on_the_list().await).await;
    reading.abort();
}

#[apply(on_both_engines!)]
async fn a_mailbox_that_refuses_is_named_without_its_secrets(engine: Engine) {
    let mailbox = Mailbox::start();
    for (user, why) in
        [("other", "the server refuses the sign-in"), ("bounces", "the folder cannot be opened")]
    {
        let url = format!("imap://{user}:secret@127.0.0.1:{}/Missing", mailbox.0.port);
        let (server, _) = label_with(engine, 1, move |settings| {
            settings.bounce_address = Some(BOUNCES.to_owned());
            settings.bounce_url = Some(url.into());
        })
        .await;
        let error = format!("{:#}", read_box(&server.app).await.unwrap_err());
        assert!(error.contains(why) && !error.contains("secret"), "{error}");
    }
}
