//! Files of subscribers: bare lists, ZIPs, and files that are refused.

use std::io::Write as _;

use flate2::{Compression, Crc, write::DeflateEncoder};
use macro_rules_attribute::apply;
use serde_json::json;

use super::{CHECK, PATH, imported, send, verdicts};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

struct Entry<'a> {
    name: &'a str,
    bytes: &'a [u8],
    flags: u16,
}

fn entry<'a>(name: &'a str, bytes: &'a [u8]) -> Entry<'a> {
    Entry { name, bytes, flags: 0 }
}

/// A ZIP of deflated files.
fn zip(entries: &[Entry<'_>]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for Entry { name, bytes, flags } in entries {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        let packed = encoder.finish().unwrap();
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut head = vec![20, 0];
        head.extend(flags.to_le_bytes());
        head.extend([8, 0, 0, 0, 0, 0]);
        head.extend(crc.sum().to_le_bytes());
        head.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
        head.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
        head.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        head.extend([0, 0]);
        let offset = u32::try_from(file.len()).unwrap();
        file.extend(b"PK\x03\x04");
        file.extend(&head);
        file.extend(name.bytes());
        file.extend(packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.bytes());
    }
    let (offset, count) = (u32::try_from(file.len()).unwrap(), u16::try_from(entries.len()).unwrap());
    let size = u32::try_from(directory.len()).unwrap();
    file.extend(directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    file.extend([size.to_le_bytes(), offset.to_le_bytes()].concat());
    file.extend([0, 0]);
    file
}

const SUBSCRIBED: &[u8] = b"\"Email Address\",\"First Name\",CONFIRM_TIME\n\
    a@x.example,A,2024-01-31 12:34:56\nb@x.example,B,\nc@x.example,C,2024-01-31 12:34:56\n";
const UNSUBSCRIBED: &[u8] = b"\"Email Address\",CONFIRM_TIME,UNSUB_TIME\n\
    c@x.example,2024-01-31 12:34:56,2024-02-01 12:00:00\nfan@x.example,,2024-02-01 12:00:00\n";
const CLEANED: &[u8] = b"\"Email Address\",CLEAN_TIME\n";

#[apply(on_both_engines!)]
async fn a_zip_is_read_by_the_names_of_its_files(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.fan("fan@x.example", "").await;
    let desk = server.desk().await;
    let zip = zip(&[
        entry("export/subscribed_members_export_1.csv", SUBSCRIBED),
        entry("export/unsubscribed_members_export_1.csv", UNSUBSCRIBED),
        entry("export/cleaned_members_export_1.csv", CLEANED),
        entry("export/notes.json", b"{}"),
    ]);
    let check = send(&server, &desk, CHECK, ("mailchimp.zip", &zip)).await.json();
    assert_eq!(
        verdicts(&check),
        ["add_confirmed", "add_unconfirmed", "repeated", "suppress", "end"],
        "{check}"
    );
    let headers: Vec<_> = check["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| (&column["header"], &column["field"]))
        .collect();
    assert_eq!(
        json!(headers),
        json!([
            ["Email Address", "email"],
            ["First Name", null],
            ["CONFIRM_TIME", "confirmed_at"],
            ["UNSUB_TIME", "left_at"]
        ])
    );
    assert_eq!(check["passed_over"], json!(["notes.json"]));
    assert_eq!(check["files"][1]["list"], "unsubscribed");
    assert_eq!(
        (&check["rows"][3]["file"], &check["rows"][3]["line"]),
        (&json!("unsubscribed_members_export_1.csv"), &json!(2))
    );

    let import = imported(&server, &desk, ("mailchimp.zip", &zip)).await;
    assert_eq!(
        (&import["confirmed"], &import["unconfirmed"], &import["ended"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(server.count("suppressions").await, 2);
    assert!(server.fan_is("a@x.example", "proof LIKE '%subscribed_members_export_1.csv%'").await);
}

#[apply(on_both_engines!)]
async fn a_bare_list_of_addresses_has_no_header(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let list = b"a@x.example\r\nb@x.example\r\n\r\nc@x.example\r\n";
    let check = send(&server, &desk, CHECK, ("unsubscribed_old.txt", list)).await.json();
    assert_eq!(verdicts(&check), ["suppress", "suppress", "suppress"]);
    assert_eq!(
        check["rows"][0],
        json!({"file": "unsubscribed_old.txt", "line": 1, "email": "a@x.example", "verdict": "suppress", "problem": null})
    );
    let import = imported(&server, &desk, ("list.txt", list)).await;
    assert_eq!(import["unconfirmed"], 3);
}

#[apply(on_both_engines!)]
async fn a_bare_list_may_be_one_address(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.fan("fan@x.example", "consent = 'confirmed'").await;
    let desk = server.desk().await;
    let check = send(&server, &desk, CHECK, ("left.txt", b"a@x.example\n")).await.json();
    assert_eq!(verdicts(&check), ["add_unconfirmed"]);
    let lists = [entry("subscribed_1.csv", SUBSCRIBED), entry("unsubscribed_1.txt", b"fan@x.example")];
    let import = imported(&server, &desk, ("lists.zip", &zip(&lists))).await;
    assert_eq!((&import["confirmed"], &import["ended"]), (&json!(2), &json!(1)), "{import}");
    assert!(server.fan_is("fan@x.example", "NOT active AND suppressed").await);
}

#[apply(on_both_engines!)]
async fn lists_of_a_zip_may_head_the_same_column_differently(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.fan("fan@x.example", "consent = 'confirmed'").await;
    let desk = server.desk().await;
    for header in ["Email Address", "email", "EMAIL", "E-Mail-Adresse"] {
        let subscribed = format!("{header},confirmed_at\na@x.example,2024-01-31 12:34:56\n");
        let mut lists = [
            entry("subscribed_1.csv", subscribed.as_bytes()),
            entry("subscribed_2.csv", b"CONFIRM_TIME,Courriel\n2024-01-31 12:34:56,b@x.example\n"),
            entry("unsubscribed_1.txt", b"fan@x.example"),
        ];
        for expected in [["add_confirmed", "add_confirmed", "end"], ["end", "add_confirmed", "add_confirmed"]]
        {
            let check = send(&server, &desk, CHECK, ("lists.zip", &zip(&lists))).await.json();
            assert_eq!(verdicts(&check), expected, "{check}");
            assert_eq!(check["columns"].as_array().unwrap().len(), 2, "{check}");
            lists.reverse();
        }
    }
}

#[tokio::test]
async fn what_is_no_list_is_refused() {
    let server = TestServer::start(Engine::Sqlite).await;
    let desk = server.desk().await;
    let bomb = vec![b'a'; 34 * 1024 * 1024];
    let many: Vec<_> = (0..201).map(|_| entry("x.txt", b"")).collect();
    let mut damaged = zip(&[entry("subscribed_1.csv", SUBSCRIBED)]);
    damaged[60] ^= 0x55;
    let locked = Entry { flags: 1, ..entry("subscribed_1.csv", SUBSCRIBED) };
    let large = "email\n".to_owned() + &"a@x.example\n".repeat(1_400_000);
    let bare = "a@x.example\n".repeat(100_001);
    let rows = "email\n".to_owned() + &bare;
    let in_parts =
        [entry("subscribed_1.txt", &bare.as_bytes()[12..]), entry("subscribed_2.txt", b"b@x.example")];
    for (file, status, code) in [
        (zip(&[entry("cleaned_1.csv", &bomb)]), 422, "subscribers_zip_too_large"),
        (zip(&many), 422, "subscribers_zip_too_large"),
        (damaged, 422, "subscribers_zip_broken"),
        (zip(&[locked]), 422, "subscribers_zip_broken"),
        (zip(&[entry("subscribed_1.csv", SUBSCRIBED)])[..80].to_vec(), 422, "subscribers_zip_broken"),
        (zip(&[entry("fans.csv", SUBSCRIBED)]), 422, "subscribers_zip_without_lists"),
        (zip(&[]), 422, "subscribers_zip_without_lists"),
        (zip(&[entry("cleaned_1.csv", CLEANED)]), 422, "import_empty"),
        (zip(&[entry("cleaned_1.csv", b"a,\"b\nc")]), 422, "import_quote_open"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), 422, "import_not_text"),
        (b"email\n".to_vec(), 422, "import_empty"),
        (Vec::new(), 422, "import_empty"),
        (rows.into_bytes(), 422, "subscribers_too_many_rows"),
        (zip(&in_parts), 422, "subscribers_too_many_rows"),
        (bare.into_bytes(), 422, "subscribers_too_many_rows"),
        (large.into_bytes(), 413, "import_too_large"),
    ] {
        for path in [CHECK, PATH] {
            let answer = send(&server, &desk, path, ("list.zip", &file)).await;
            assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (status, code), "{path}");
        }
    }
    let named = send(&server, &desk, CHECK, ("a.zip", &zip(&[entry("cleaned_1.csv", b"a,\"b\nc")]))).await;
    let text = "cleaned_1.csv: A cell begins with a quotation mark and does not end with one (line 1)";
    assert_eq!(named.json()["fields"]["file"], text, "{named:?}");
    let without = send(&server, &desk, PATH, ("a.csv", b"name\nMira\n")).await;
    assert_eq!((without.status.as_u16(), without.problem().as_str()), (422, "subscribers_no_email"));
    assert_eq!(server.count("subscriber_imports").await, 0);
}
