//! Reports in the forms of six mail systems, written for these tests.

use base64::prelude::{BASE64_STANDARD, Engine as _};

use super::*;

const ID: Uuid = Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0042);
const BOUNCES: &str = "bounces@label.example";

fn keys() -> Keys {
    Keys::parse(std::path::Path::new("key"), &[b'A'; 43]).unwrap()
}

fn read(raw: &[u8], address: &str) -> Option<Returned> {
    super::read(raw, address, &keys())
}

/// A thing that a mail server says about a letter.
struct Case {
    name: &'static str,
    action: &'static str,
    status: &'static str,
    words: &'static str,
    means: Bounce,
}

const fn case(
    name: &'static str,
    action: &'static str,
    status: &'static str,
    words: &'static str,
    means: Bounce,
) -> Case {
    Case { name, action, status, words, means }
}

const CASES: [Case; 11] = [
    case(
        "gone",
        "failed",
        "5.1.1",
        "550 5.1.1 The email account that you tried to reach does not exist",
        Bounce::Gone,
    ),
    case("null mx", "failed", "5.1.10", "556 5.1.10 Recipient address has null MX", Bounce::Gone),
    case("disabled", "failed", "5.2.1", "550 5.2.1 The account is disabled", Bounce::Gone),
    case("no such domain", "failed", "5.1.2", "550 5.1.2 Host unknown", Bounce::Gone),
    case("vague", "failed", "5.0.0", "550 No such user here", Bounce::Gone),
    case("full", "failed", "5.2.2", "552 5.2.2 The mailbox is over quota", Bounce::Soft),
    case("expired", "failed", "4.4.7", "450 4.4.7 Message expired", Bounce::Soft),
    case("policy", "failed", "5.7.1", "550 5.7.1 Message refused by policy", Bounce::Refused),
    case("content", "failed", "5.6.0", "554 5.6.0 Invalid message content", Bounce::Refused),
    case("delay", "delayed", "4.4.1", "451 4.4.1 Connection timed out", Bounce::None),
    case("success", "relayed", "2.0.0", "250 2.0.0 OK", Bounce::None),
];

fn multipart(from: &str, text: &str, status: &str, original: &str) -> String {
    let letter = format!(
        "From: The Label <mail@label.example>\nMessage-ID: <{ID}@label.example>\nSubject: A new record\n"
    );
    format!(
        "From: {from}\nTo: bounces@label.example\nSubject: Delivery report\nMessage-ID: <report@mx.example>\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b1\"\n\n\
         --b1\nContent-Type: text/plain\n\n{text}\n\n--b1\nContent-Type: message/delivery-status\n\n{status}\n\n\
         --b1\nContent-Type: {original}\n\n{letter}\nHello\n\n--b1--\n"
    )
}

fn postfix(case: &Case) -> String {
    let Case { action, status, words, .. } = case;
    let fields = format!(
        "Reporting-MTA: dns; mx.label.example\nX-Postfix-Queue-ID: 4Bq\nArrival-Date: Fri, 20 Nov 2026 12:00:00 +0000 (UTC)\n\n\
         Final-Recipient: rfc822; max@fans.example\nOriginal-Recipient: rfc822;max@fans.example\nAction: {action}\nStatus: {status}\n\
         Remote-MTA: dns; mx.fans.example\nDiagnostic-Code: smtp; {words}"
    );
    let text = "This is the mail system at host mx.label.example.\n\nI'm sorry to have to inform you that your message could not\nbe delivered.";
    multipart("MAILER-DAEMON@mx.label.example (Mail Delivery System)", text, &fields, "text/rfc822-headers")
}

fn exim(case: &Case) -> String {
    let Case { action, words, .. } = case;
    // Exim gives no finer status, except in the other server's words.
    let class = if *action == "failed" { "5.0.0" } else { case.status };
    let fields = format!(
        "Reporting-MTA: dns; mx.label.example\n\nAction: {action}\nFinal-Recipient: rfc822;max@fans.example\nStatus: {class}\n\
         Remote-MTA: dns; mx.fans.example\nDiagnostic-Code: smtp; {words}"
    );
    multipart(
        "Mail Delivery System <Mailer-Daemon@mx.label.example>",
        "A message that you sent could not be delivered.",
        &fields,
        "message/rfc822",
    )
}

/// Before 4.90, and where bounces are kept simple.
fn old_exim(case: &Case) -> String {
    let Case { words, .. } = case;
    format!(
        "From: Mail Delivery System <Mailer-Daemon@mx.label.example>\nTo: bounces@label.example\nMessage-Id: <E1report@mx.label.example>\n\
         X-Failed-Recipients: max@fans.example\nAuto-Submitted: auto-replied\nSubject: Mail delivery failed: returning message to sender\n\n\
         This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\n\
         recipients. This is a permanent error. The following address(es) failed:\n\n  max@fans.example\n    host mx.fans.example [192.0.2.4]\n\
         \x20   SMTP error from remote mail server after RCPT TO:<max@fans.example>:\n    {words}\n\n\
         ------ This is a copy of the message's headers. ------\n\nFrom: mail@label.example\nMessage-ID: <{ID}@label.example>\n"
    )
}

fn exchange(case: &Case) -> String {
    let Case { action, status, words, .. } = case;
    let fields = format!(
        "Reporting-MTA: dns;DB7PR0001.prod.outlook.example\nReceived-From-MTA: dns;mx.label.example\nArrival-Date: Fri, 20 Nov 2026 12:00:00 +0000\n\n\
         Final-Recipient: rfc822;Max@Fans.example\nAction: {action}\nStatus: {status}\nDiagnostic-Code: smtp;{words}\n \
         [DB7PR0001.prod.outlook.example]\nX-Display-Name: Max"
    );
    multipart(
        "<postmaster@fans.example>",
        "Your message to max@fans.example couldn't be delivered.",
        &fields,
        "message/rfc822",
    )
}

fn gmail(case: &Case) -> String {
    let Case { action, status, words, .. } = case;
    let fields = format!(
        "Reporting-MTA: dns; googlemail.example\nReceived-From-MTA: dns; mail@label.example\nArrival-Date: Fri, 20 Nov 2026 04:00:00 -0800 (PST)\n\n\
         Final-Recipient: rfc822; max@fans.example\nAction: {action}\nStatus: {status}\nRemote-MTA: dns; gmail-smtp-in.example. (192.0.2.7)\n\
         Diagnostic-Code: smtp; {words}\n {status} Learn more at\n {status}  https://support.example/mail/?p=NoSuchUser - gsmtp\n\
         Last-Attempt-Date: Fri, 20 Nov 2026 04:00:01 -0800 (PST)"
    );
    multipart(
        "Mail Delivery Subsystem <mailer-daemon@googlemail.example>",
        "** Address not found **",
        &fields,
        "message/rfc822",
    )
}

fn amazon(case: &Case) -> String {
    let Case { action, status, words, .. } = case;
    let fields = format!(
        "Reporting-MTA: dns; a8-31.smtp-out.amazonses.example\n\nAction: {action}\nFinal-Recipient: rfc822; max@fans.example\n\
         Diagnostic-Code: smtp; {words}\nStatus: {status}"
    );
    multipart(
        "MAILER-DAEMON@amazonses.example",
        "An error occurred while trying to deliver the mail",
        &fields,
        "message/rfc822",
    )
}

fn qmail(case: &Case) -> String {
    let Case { status, words, .. } = case;
    let reply = match case.name {
        "no such domain" => "Sorry, I couldn't find any host named fans.example. (#5.1.2)".to_owned(),
        "expired" => {
            "I'm not going to try again; this message has been in the queue too long. (#4.4.1)".to_owned()
        }
        "gone" => format!("Sorry, no mailbox here by that name. (#{status})"),
        _ => {
            format!("192.0.2.4 does not like recipient.\nRemote host said: {words}\nGiving up on 192.0.2.4.")
        }
    };
    format!(
        "From: MAILER-DAEMON@mx.label.example\nTo: bounces@label.example\nSubject: failure notice\nMessage-ID: <qmail@mx.label.example>\n\n\
         Hi. This is the qmail-send program at mx.label.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n\
         This is a permanent error; I've given up. Sorry it didn't work out.\n\n<max@fans.example>:\n{reply}\n\n\
         --- Below this line is a copy of the message.\n\nReturn-Path: <bounces@label.example>\nFrom: mail@label.example\n\
         Message-ID: <{ID}@label.example>\nSubject: A new record\n\nHello\n"
    )
}

type System = (&'static str, fn(&Case) -> String);

const SYSTEMS: [System; 7] = [
    ("postfix", postfix),
    ("exim", exim),
    ("old exim", old_exim),
    ("exchange", exchange),
    ("gmail", gmail),
    ("amazon", amazon),
    ("qmail", qmail),
];

#[test]
fn reports_of_all_systems_are_understood() {
    let mut read_right = 0;
    for (system, write) in SYSTEMS {
        for case in &CASES {
            // These two write about failures alone.
            if case.action != "failed" && matches!(system, "old exim" | "qmail") {
                continue;
            }
            for ends in ["\n", "\r\n"] {
                let raw = write(case).replace('\n', ends);
                let Returned { about, what, .. } = read(raw.as_bytes(), BOUNCES).unwrap();
                let recipient = Some("max@fans.example".to_owned());
                assert_eq!(about, About::Letter { id: ID, recipient }, "{system}, {}: {raw}", case.name);
                let is_right = match &what {
                    What::Bounced(kind, _) => *kind == case.means,
                    What::Other => case.means == Bounce::None,
                    What::Complaint => false,
                };
                assert!(is_right, "{system}, {}: {what:?}\n{raw}", case.name);
                read_right += 1;
            }
        }
    }
    assert_eq!(read_right, 146);
}

#[test]
fn the_token_of_the_address_names_the_recipient() {
    for header in ["To", "Delivered-To", "X-Original-To", "Envelope-To"] {
        let to = with_token(BOUNCES, &recipient_token(&keys(), ID)).unwrap();
        let raw = postfix(&CASES[0])
            .replace("To: bounces@label.example", &format!("{header}: <{}>", to.to_uppercase()));
        assert_eq!(read(raw.as_bytes(), BOUNCES).unwrap().about, About::Recipient(ID), "{header}");
    }
    let foreign = postfix(&CASES[0]).replace("To: bounces@", &format!("To: other+{}@", ID.simple()));
    assert!(matches!(read(foreign.as_bytes(), BOUNCES).unwrap().about, About::Letter { .. }));
}

#[test]
fn a_token_is_as_long_as_an_id_and_cannot_be_made_from_it() {
    for id in [ID, Uuid::nil(), Uuid::max()] {
        let token = recipient_token(&keys(), id);
        assert_eq!((token.len(), recipient_of(&keys(), &token)), (32, Some(id)), "{token}");
        assert_eq!(recipient_of(&keys(), &format!("{}000000", &token[..26])), None);
        assert_eq!(recipient_of(&keys(), &id.simple().to_string()), None);
    }
    let bare = postfix(&CASES[0]).replace("To: bounces@", &format!("To: bounces+{}@", ID.simple()));
    let recipient = Some("max@fans.example".to_owned());
    assert_eq!(read(bare.as_bytes(), BOUNCES).unwrap().about, About::Letter { id: ID, recipient });
}

#[test]
fn complaints_and_requests_to_leave_are_told_apart_from_anything_else() {
    let complaint = format!(
        "From: <fbl@isp.example>\nTo: bounces@label.example\nMessage-ID: <c@isp.example>\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=feedback-report; boundary=\"b\"\n\n--b\nContent-Type: text/plain\n\nA complaint.\n\n\
         --b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nUser-Agent: FBL/1\nOriginal-Rcpt-To: <max@fans.example>\n\n\
         --b\nContent-Type: message/rfc822\n\nFrom: mail@label.example\nMessage-ID: <{ID}@label.example>\n\nHello\n\n--b--\n"
    );
    let read_complaint = read(complaint.as_bytes(), BOUNCES).unwrap();
    assert_eq!(read_complaint.what, What::Complaint);
    assert_eq!(
        read_complaint.about,
        About::Letter { id: ID, recipient: Some("max@fans.example".to_owned()) }
    );
    assert_eq!(read_complaint.id.as_deref(), Some("c@isp.example"));
    let praise = complaint.replace("Feedback-Type: abuse", "Feedback-Type: not-spam");
    assert_eq!(read(praise.as_bytes(), BOUNCES).unwrap().what, What::Other);

    let token = "0123456789abcdef0123456789abcdef";
    let leaving = format!(
        "From: max@fans.example\nTo: bounces+leave-{token}@label.example\nSubject: unsubscribe\n\nunsubscribe\n"
    );
    assert_eq!(read(leaving.as_bytes(), BOUNCES).unwrap().about, About::Leaving(token.to_owned()));

    let holiday = "From: max@fans.example\nTo: bounces@label.example\nSubject: Away\nAuto-Submitted: auto-replied\n\n\
        I am away until the 5.1.1 of January. Call 550 1234.\n";
    let read_holiday = read(holiday.as_bytes(), BOUNCES).unwrap();
    assert_eq!((read_holiday.about, read_holiday.what), (About::Unknown, What::Other));
}

#[test]
fn a_report_in_another_encoding_is_understood() {
    let plain = postfix(&CASES[0]);
    let (before, rest) = plain.split_once("Content-Type: message/delivery-status\n\n").unwrap();
    let (status, rest) = rest.split_once("\n\n--b1\nContent-Type: text/rfc822-headers\n\n").unwrap();
    let (original, after) = rest.split_once("\n\n--b1--").unwrap();
    let in_lines = |text: &str| BASE64_STANDARD.encode(text).replace('Q', "Q\r\n");
    let base64 = ("base64", in_lines(status), in_lines(original));
    let quoted = |text: &str| text.replace('M', "=4D").replace("on", "o=\nn");
    for (encoding, status, original) in [base64, ("Quoted-Printable", quoted(status), quoted(original))] {
        let encoding = format!("Content-Transfer-Encoding: {encoding}");
        for kind in ["text/rfc822-headers", "message/rfc822", "message/global", "message/global-headers"] {
            let raw = format!(
                "{before}Content-Type: message/delivery-status\n{encoding}\n\n{status}\n\n\
                 --b1\nContent-Type: {kind}\n{encoding}\n\n{original}\n\n--b1--{after}"
            );
            let Returned { about, what, .. } = read(raw.as_bytes(), BOUNCES).unwrap();
            let recipient = Some("max@fans.example".to_owned());
            assert_eq!(about, About::Letter { id: ID, recipient }, "{raw}");
            assert_eq!(what, What::Bounced(Bounce::Gone, "5.1.1".to_owned()), "{raw}");
        }
    }
    let exim = old_exim(&CASES[0]);
    let (head, text) = exim.split_once("\n\n").unwrap();
    let raw = format!("{head}\nContent-Transfer-Encoding: base64\n\n{}", BASE64_STANDARD.encode(text));
    assert_eq!(read(raw.as_bytes(), BOUNCES), read(exim.as_bytes(), BOUNCES));
}

const NESTED: &[u8] = b"Content-Type: message/rfc822\n\n";

#[test]
fn mails_within_mails_are_read_however_deep() {
    assert_eq!(read(&NESTED.repeat(35_000), BOUNCES).unwrap().what, What::Other);
}

#[test]
fn encoded_mails_within_mails_are_read_however_deep() {
    let head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n";
    let raw = format!("{head}{}", BASE64_STANDARD.encode(NESTED.repeat(25_000)));
    assert_eq!(read(raw.as_bytes(), BOUNCES).unwrap().what, What::Other);
}

#[test]
fn anything_can_be_read() {
    for raw in [
        &b""[..],
        b"\0\xff\xfe",
        b"To: bounces+@label.example\n\n",
        b"Content-Type: multipart/report; boundary=\"\"\n\n--\n",
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: quoted-printable\n\n=\n--b--\n",
    ] {
        if let Some(returned) = read(raw, BOUNCES) {
            assert_eq!(returned.what, What::Other);
        }
    }
}
