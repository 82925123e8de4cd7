//! A letter in the hands of its recipients: its headers, leaving, coming back, erasure.

use deadwax::newsletter::sending::LetterSender;
use deadwax_mail::returned::recipient_token;
use macro_rules_attribute::apply;
use serde_json::json;

use super::{Label, SETTINGS, header};
use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        sink::{Sink, headers, message_id, plain_text, sending_to},
    },
};

#[apply(on_both_engines!)]
async fn each_subscriber_who_agreed_gets_a_letter_and_a_way_out(engine: Engine) {
    let mut label =
        Label::with(engine, &["a@fans.example", "b@fans.example", "c@fans.example", "d@fans.example"]).await;
    let server = &label.server;
    server
        .sql("UPDATE newsletter_subscriptions SET consent = 'unconfirmed' WHERE email = 'c@fans.example'")
        .await;
    server.sql("UPDATE newsletter_subscriptions SET active = FALSE WHERE email = 'd@fans.example'").await;
    let scheduled = label.send().await;
    assert_eq!((&scheduled["state"], &scheduled["counts"]["recipients"]), (&json!("scheduled"), &json!(2)));
    label.work(3).await;
    let mails = label.mails(2).await;
    label.sink.nothing_more();
    assert_eq!(
        mails.iter().map(|(to, _)| to.as_str()).collect::<Vec<_>>(),
        ["a@fans.example", "b@fans.example"]
    );
    let base = label.server.base.clone();
    for (number, (to, mail)) in mails.iter().enumerate() {
        let leave = format!("{base}/newsletter/leave/{number:032}?letter={}", label.letter);
        let headers = headers(mail);
        assert_eq!(header(&headers, "To"), to);
        assert_eq!(header(&headers, "Subject"), "A new record");
        assert_eq!(header(&headers, "Reply-To"), "label@label.example");
        assert_eq!(header(&headers, "List-Id"), "<newsletter.localhost>");
        assert_eq!(header(&headers, "List-Unsubscribe"), format!("<{leave}>"));
        assert_eq!(header(&headers, "List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
        assert_eq!(header(&headers, "List-Archive"), format!("<{base}/letters>"));
        assert_eq!(header(&headers, "Precedence"), "bulk");
        let (id, sender) = header(&headers, "Feedback-ID").rsplit_once(':').unwrap();
        assert!(id.ends_with(":newsletter"), "{id}");
        assert_eq!(sender.len(), 12, "Gmail takes 5 to 15 characters, and a host may have more");
        let text = plain_text(mail);
        assert!(text.contains(&leave) && text.contains(to.as_str()), "{text}");
        assert!(text.contains("Out now") || text.contains("OUT NOW"), "{text}");
    }
    assert_eq!(header(&headers(&mails[0].1), "Date"), header(&headers(&mails[1].1), "Date"));
    let report = label.report().await;
    assert_eq!(report["state"], "sent");
    assert_eq!(
        report["counts"],
        json!({"recipients": 2, "waiting": 0, "sent": 2, "refused": 0, "bounced": 0, "left": 0, "skipped": 0, "perhaps_twice": 0})
    );
    assert_eq!((&report["is_captured"], &report["seconds_left"]), (&json!(false), &json!(0)));
}

#[apply(on_both_engines!)]
async fn leaving_takes_an_address_out_of_a_letter_that_is_being_sent(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example", "b@fans.example", "c@fans.example"]).await;
    label.desk.patch(SETTINGS, json!({"letters_a_second": 1})).await;
    label.send().await;
    let mut sender = LetterSender::new(label.server.app.clone());
    assert_eq!(sender.step().await.unwrap(), None);
    sender.all_done().await;
    let first = label.mails(1).await.remove(0).0;
    let mut visitor = label.server.browser();
    for number in 0..3 {
        let path = format!("/newsletter/leave/{number:032}?letter={}", label.letter);
        let before = label.report().await;
        assert_eq!(visitor.get(&path).await.status, 200);
        assert_eq!(label.report().await, before, "looking changes nothing");
        if number < 2 {
            let request = visitor.request(reqwest::Method::POST, &path).body("List-Unsubscribe=One-Click");
            let answer =
                request.header("content-type", "application/x-www-form-urlencoded").send().await.unwrap();
            assert_eq!(answer.status(), 200);
        }
    }
    label.work(4).await;
    let report = label.report().await;
    assert_eq!(report["state"], "sent");
    let had_it = usize::from(first.starts_with('c'));
    assert_eq!(report["counts"]["left"], json!(2));
    assert_eq!(report["counts"]["sent"], json!(2 - had_it), "{first}: {report}");
    // A person who comes back within a minute is where they were.
    if !first.starts_with('c') {
        let number = if first.starts_with('a') { 0 } else { 1 };
        let path = format!("/newsletter/leave/{number:032}");
        let request = visitor.request(reqwest::Method::POST, &path).body("come_back=1");
        request.header("content-type", "application/x-www-form-urlencoded").send().await.unwrap();
        assert_eq!(label.report().await["counts"]["left"], json!(1));
    }
}

#[apply(on_both_engines!)]
async fn letters_come_back_to_an_address_that_names_their_recipient(engine: Engine) {
    let mut sink = Sink::start().await;
    let port = sink.port;
    let settings = move |settings: &mut deadwax_config::Settings| {
        sending_to(port)(settings);
        settings.bounce_address = Some("bounces@label.example".to_owned());
    };
    let server = TestServer::start_with(engine, settings).await;
    let mut label = Label::of(server, Sink::away(), &["max@fans.example"]).await;
    label.send().await;
    label.work(3).await;
    let (_, mail) = sink.mail().await;
    let id = message_id(&mail).trim_matches(['<', '>']).split('@').next().unwrap();
    let token = recipient_token(&label.server.app.keys, id.parse().unwrap());
    assert_eq!(sink.last_sender(), format!("bounces+{token}@label.example"));
    let leave = format!("<mailto:bounces+leave-{:032}@label.example?subject=unsubscribe>", 0);
    assert!(header(&headers(&mail), "List-Unsubscribe").ends_with(&format!(", {leave}")), "{mail}");
}

#[apply(on_both_engines!)]
async fn an_erased_person_leaves_no_captured_letter(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut label = Label::of(server, Sink::away(), &["a@fans.example", "b@fans.example"]).await;
    label.send().await;
    label.work(3).await;
    assert_eq!(label.report().await["is_captured"], json!(true));
    assert_eq!(label.server.mails().len(), 2);
    let list = label.desk.get("/api/admin/newsletter?q=a@fans").await.json();
    let id = list["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(label.desk.delete(&format!("/api/admin/newsletter/{id}")).await.status, 204);
    assert_eq!(label.server.mails_to("a@fans.example"), Vec::<String>::new());
    assert_eq!(label.server.mails_to("b@fans.example").len(), 1);
    assert_eq!(label.server.count("letter_recipients WHERE subscription_id IS NULL").await, 1);
    assert_eq!(label.report().await["counts"]["sent"], json!(2), "it still counts");
}

#[apply(on_both_engines!)]
async fn the_undo_of_an_import_leaves_no_captured_letter(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut label = Label::of(server, Sink::away(), &["a@fans.example"]).await;
    let imports = "/api/admin/newsletter/imports";
    let file = ("fans.csv", &b"email,confirmed_at\nfan@fans.example,2024-01-31 12:34:56\n"[..]);
    let import =
        label.server.send_file(&label.desk, (reqwest::Method::POST, imports), file, &[]).await.json();
    assert_eq!(import["confirmed"], json!(1), "{import}");
    label.send().await;
    label.work(3).await;
    assert_eq!(label.server.mails().len(), 2);
    let undo = format!("{imports}/{}/undo", import["id"].as_str().unwrap());
    assert_eq!(label.desk.post_another(&undo, json!({})).await.json()["deleted"], json!(1));
    assert_eq!(label.server.mails_to("fan@fans.example"), Vec::<String>::new());
    assert_eq!(label.server.mails_to("a@fans.example").len(), 1);
}

#[apply(on_both_engines!)]
async fn a_person_who_is_erased_while_a_letter_is_captured_leaves_no_file(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut label = Label::of(server, Sink::away(), &["a@fans.example"]).await;
    label.send().await;
    let app = label.server.app.clone();
    let folder = app.mail.forgetting().await;
    let mut sender = LetterSender::new(app.clone());
    assert_eq!(sender.step().await.unwrap(), None, "the address is read");
    label.server.sql("DELETE FROM newsletter_subscriptions").await;
    drop(folder);
    sender.all_done().await;
    label.work(3).await;
    assert_eq!(label.server.mails(), Vec::<String>::new());
    let report = label.report().await;
    assert_eq!((&report["state"], &report["counts"]["skipped"]), (&json!("sent"), &json!(1)));
}
