//! Tables as other programs write them; see `corpus/README.md`.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use super::PREVIEW;
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

macro_rules! corpus {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_bytes!(concat!("corpus/", $file)).as_slice())),*]
    };
}

/// The answers to the questions about dates in a file.
fn answers(file: &str) -> &'static [(&'static str, &'static str)] {
    match file {
        "excel-fr.csv" | "excel-es.csv" | "excel-en-gb.csv" => &[("date_order", "day_first")],
        "libreoffice-en-us.csv" | "bandcamp-sales.csv" | "google-sheets.tsv" => {
            &[("date_order", "month_first")]
        }
        "discogs-collection.csv" | "beets.csv" => &[("year_alone", "first_day")],
        _ => &[],
    }
}

#[apply(on_both_engines!)]
async fn tables_are_read_as_programs_write_them(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    for (file, bytes) in corpus![
        "excel-de-own-export.csv",
        "excel-de-ansi.csv",
        "excel-fr.csv",
        "excel-es.csv",
        "excel-en-gb.csv",
        "excel-unicode-text.txt",
        "numbers-de.csv",
        "excel-mac-2008.csv",
        "libreoffice-en-us.csv",
        "discogs-collection.csv",
        "bandcamp-sales.csv",
        "beets.csv",
        "google-sheets.tsv",
    ] {
        let look = async |answers: &[(&str, &str)]| {
            let answer = server.send_file(&desk, (Method::POST, PREVIEW), (file, bytes), answers).await;
            assert_eq!(answer.status, 200, "{file}: {answer:?}");
            answer.json()
        };
        let preview = look(answers(file)).await;
        let rows = preview["rows"].as_array().unwrap();
        assert_eq!((&preview["refusal"], rows.len() > 1), (&Value::Null, true), "{file}: {preview}");
        let columns: Vec<_> =
            preview["columns"].as_array().unwrap().iter().map(|column| &column["field"]).collect();
        for field in ["title", "artist", "catalog", "release_date"] {
            assert!(columns.contains(&&json!(field)), "{file}: {field} in {columns:?}");
        }
        let first = if matches!(file, "beets.csv") { "2020-01-01" } else { "2020-02-03" };
        let cell = |place: usize, field: &str| rows[place][field].as_str().unwrap().to_owned();
        assert_eq!(
            (cell(0, "catalog"), cell(0, "release_date")),
            ("404-101".to_owned(), first.to_owned()),
            "{file}"
        );
        let second = match file {
            "discogs-collection.csv" => "2019-12-01",
            "beets.csv" => "2019-01-01",
            _ => "2019-12-13",
        };
        assert_eq!(
            (cell(1, "catalog"), cell(1, "release_date")),
            ("404-102".to_owned(), second.to_owned()),
            "{file}"
        );
        let (title, artist) = match file {
            "excel-de-own-export.csv" | "excel-de-ansi.csv" | "numbers-de.csv" | "excel-mac-2008.csv" => {
                ("Müllabfuhr", "Ärzte im Exil")
            }
            "excel-fr.csv" => ("Été", "Élise Noël"),
            "excel-es.csv" => ("Mañana", "Íñigo Peña"),
            "excel-unicode-text.txt" => ("Müllabfuhr", "Łukasz Żak"),
            _ => ("Signal", "Mira Holm"),
        };
        assert_eq!((cell(0, "title"), cell(0, "artist")), (title.to_owned(), artist.to_owned()), "{file}");
        let encoding = match file {
            "excel-de-ansi.csv" | "excel-fr.csv" => "windows-1252",
            "excel-unicode-text.txt" | "bandcamp-sales.csv" => "utf-16",
            "excel-mac-2008.csv" => "macintosh",
            _ => "utf-8",
        };
        assert_eq!(preview["encoding"], encoding, "{file}");

        // One question serves for all rows.
        let asked = look(&[]).await;
        let refusal = match answers(file) {
            [("date_order", _)] => {
                json!("Some dates can be read in two ways. Say whether the day or the month comes first")
            }
            [("year_alone", _)] => json!("Some rows have a year but no day. Say what to do with them"),
            _ => Value::Null,
        };
        assert_eq!(asked["refusal"], refusal, "{file}");
    }
}

#[apply(on_both_engines!)]
async fn what_a_spreadsheet_writes_for_yes_and_lines_is_stored(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let bytes = include_bytes!("corpus/excel-de-own-export.csv");
    let sent = server.send_file(&desk, (Method::POST, super::PATH), ("a.csv", bytes), &[]).await;
    assert_eq!(sent.status, 201, "{sent:?}");
    let list = desk.get("/api/admin/releases?sort=catalog").await.json();
    let row = &list["items"][0];
    assert_eq!((&row["featured"], &row["format"]), (&json!(true), &json!("12\" EP")));
    assert_eq!(
        (&row["tracks"][1]["artist"], &row["tracks"][1]["duration_seconds"]),
        (&json!("Kesto Vann"), &json!(301))
    );
    assert_eq!((&list["items"][1]["featured"], &list["items"][1]["state"]), (&json!(false), &json!("draft")));
    assert_eq!(
        (&list["items"][2]["release_date"], &list["items"][2]["state"]),
        (&Value::Null, &json!("out"))
    );
}
