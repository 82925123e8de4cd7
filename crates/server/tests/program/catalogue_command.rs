//! Exit codes and output of `deadwax import` and `deadwax export`.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

use macro_rules_attribute::apply;

use crate::{
    on_both_engines,
    support::{Database, Engine},
};

/// A data folder with a database created by the program.
struct Label {
    data: tempfile::TempDir,
    database: Option<Database>,
}

impl Label {
    async fn new(engine: Engine) -> Self {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::create_bare().await),
        };
        let label = Self { data: tempfile::tempdir().unwrap(), database };
        let made = label.run(&["migrate"]);
        assert!(made.status.success(), "{made:?}");
        label
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
        command
            .args(arguments)
            .env_clear()
            .env("DEADWAX_DATA_DIR", self.data.path())
            .env("DEADWAX_LOG", "warn")
            .stdin(Stdio::null());
        if let Some(database) = &self.database {
            command.env("DATABASE_URL", database.url());
        }
        command.output().unwrap()
    }

    fn import(&self, file: &Path, more: &[&str]) -> Output {
        self.run(&[&["import", "releases", file.to_str().unwrap()], more].concat())
    }

    fn file(&self, table: &str) -> std::path::PathBuf {
        let path = self.data.path().join("catalogue.csv");
        std::fs::write(&path, table).unwrap();
        path
    }

    fn export(&self, what: &str) -> String {
        let export = self.run(&["export", what]);
        assert_eq!(export.status.code(), Some(0), "{export:?}");
        String::from_utf8(export.stdout).unwrap()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

const TABLE: &str = "Title,Artist,Released,Tracklist\n\
    Signal,Mira Holm,2019-03-12,\"Dead Air 6:12\nLocked\"\n\
    Quartz,Mira Holm,2020-03-12,\n";

#[apply(on_both_engines!)]
async fn a_table_goes_in_and_comes_out_as_updates(engine: Engine) {
    let label = Label::new(engine).await;
    let file = label.file(TABLE);
    let looked = label.import(&file, &["--dry-run"]);
    assert_eq!(looked.status.code(), Some(0), "{looked:?}");
    assert_eq!(
        said(&looked),
        "2 new, 0 changed, 0 unchanged, 0 not imported, 1 new artists\nnothing was written"
    );
    assert_eq!(label.export("releases").lines().count(), 1, "only the header");

    let imported = label.import(&file, &[]);
    assert_eq!(imported.status.code(), Some(0), "{imported:?}");
    assert!(said(&imported).ends_with("imported; the dashboard can undo it for 24 hours"), "{imported:?}");
    let table = label.export("releases");
    assert!(table.contains("\"Dead Air 6:12\nLocked\""), "{table}");
    assert!(label.export("artists").contains("Mira Holm"));

    // Importing the label's own export changes nothing; edited, it updates rows and creates none.
    let same = label.import(&label.file(&table), &[]);
    assert_eq!(same.status.code(), Some(1), "{same:?}");
    assert!(complaint(&same).contains("0 new, 0 changed, 2 unchanged"), "{same:?}");
    assert!(complaint(&same).contains("There is nothing to import"), "{same:?}");
    let changed = label.import(&label.file(&table.replace("Quartz", "Quartz II")), &[]);
    assert_eq!(changed.status.code(), Some(0), "{changed:?}");
    assert!(said(&changed).starts_with("0 new, 1 changed, 1 unchanged, 0 not imported"), "{changed:?}");
    let table = label.export("releases");
    assert!(table.contains("Quartz II") && table.matches("2020-03-12").count() == 1, "{table}");
}

#[apply(on_both_engines!)]
async fn what_cannot_be_imported_is_said_and_fails(engine: Engine) {
    let label = Label::new(engine).await;
    let missing = label.import(&label.data.path().join("nowhere.csv"), &[]);
    assert_eq!(missing.status.code(), Some(1), "{missing:?}");
    assert!(
        complaint(&missing).contains("nowhere.csv") && complaint(&missing).contains("No such file"),
        "{missing:?}"
    );

    let broken = label.data.path().join("broken.csv");
    std::fs::write(&broken, b"PK\x03\x04\x14\0\x06\0xl/workbook.xml").unwrap();
    let refused = label.import(&broken, &[]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(complaint(&refused).contains("This file is not a table of text"), "{refused:?}");

    let rows = "title,date\nSignal,2019-03-12\nQuartz,soon\nLater,2020\nOther,03/12/2019\n";
    let looked = label.import(&label.file(rows), &["--dry-run"]);
    assert_eq!(looked.status.code(), Some(1), "as the import would: {looked:?}");
    assert!(complaint(&looked).contains("line 3: Quartz: release_date: "), "{looked:?}");
    let refused = label.import(&label.file(rows), &[]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(complaint(&refused).contains("line 3: Quartz: release_date: "), "{refused:?}");
    assert!(complaint(&refused).contains("line 4: Later: release_date: 2020 is no day"), "{refused:?}");
    assert!(complaint(&refused).contains("line 5: Other: release_date: "), "{refused:?}");
    assert_eq!(label.export("releases").lines().count(), 1, "all of it or nothing");
    let asked = label.import(&label.file(rows), &["--leave-out-refused", "--year-alone", "first-day"]);
    assert!(complaint(&asked).contains("--date-order day-first or month-first"), "{asked:?}");
    let left_out =
        ["--leave-out-refused", "--year-alone", "first-day", "--date-order", "day-first", "--drafts"];
    let imported = label.import(&label.file(rows), &left_out);
    assert_eq!(imported.status.code(), Some(0), "{imported:?}");
    let table = label.export("releases");
    assert!(table.contains("2020-01-01") && table.contains("2019-12-03"), "{table}");
    assert!(table.matches("draft").count() == 3, "{table}");
    assert_eq!(label.run(&["export", "demos"]).status.code(), Some(2), "no such table");
}
