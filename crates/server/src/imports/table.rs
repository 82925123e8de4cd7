//! A table as it is sent: CSV with commas or semicolons, or TSV, in UTF-8, its first line the header.

use csv::{ReaderBuilder, StringRecord};
use rules::{
    checked::Refusal,
    import::{COLUMNS_MAX, ImportError, ROWS_MAX, quote_open},
};

/// What a table says, the cells still as they were typed.
#[derive(Debug)]
pub struct Table {
    /// The cells of the first line.
    pub headers: Vec<String>,
    /// The rows below it, without those in which nothing stands.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug)]
pub struct Row {
    /// On which line of the file it begins, from 1.
    pub line: u64,
    /// Its cells.
    pub cells: StringRecord,
}

/// Why bytes are no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// It breaks a rule.
    #[error(transparent)]
    Refused(#[from] ImportError),
    /// The quotation mark that begins a cell has no other that ends it.
    #[error("{}", quote_open(*line).message)]
    QuoteOpen {
        /// Where it begins, from 1.
        line: u64,
    },
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Refused(error) => error.into(),
            TableError::QuoteOpen { line } => quote_open(line),
        }
    }
}

/// Reads a table; rows may be shorter or longer than the header.
pub fn read(bytes: &[u8]) -> Result<Table, TableError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ImportError::NotText)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\0') {
        return Err(ImportError::NotText.into());
    }
    let delimiter = delimiter(text);
    require_closed_quotes(text, delimiter)?;
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .has_headers(true)
        .from_reader(text.as_bytes());
    let headers: Vec<String> =
        reader.headers().map_err(|_| ImportError::NotText)?.iter().map(str::to_owned).collect();
    if headers.len() > COLUMNS_MAX {
        return Err(ImportError::TooManyColumns.into());
    }
    let mut rows = Vec::new();
    let mut cells = StringRecord::new();
    while reader.read_record(&mut cells).map_err(|_| ImportError::NotText)? {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if rows.len() == ROWS_MAX {
            return Err(ImportError::TooManyRows.into());
        }
        let line =
            cells.position().map_or(0, |position| position.line() + blank_lines(text, position.byte()));
        rows.push(Row { line, cells: cells.clone() });
    }
    if rows.is_empty() { Err(ImportError::Empty.into()) } else { Ok(Table { headers, rows }) }
}

/// Refuses a cell in quotes behind whose end anything but the next cell or line stands, or that has none (RFC 4180, section 2): it would
/// take the rows below it along, up to the next quotation mark.
fn require_closed_quotes(text: &str, delimiter: u8) -> Result<(), TableError> {
    let ends =
        |byte: Option<&u8>| byte.is_none_or(|byte| *byte == delimiter || matches!(byte, b'\r' | b'\n'));
    let bytes = text.as_bytes();
    let (mut line, mut place, mut is_cell_begun) = (1, 0, false);
    while let Some(byte) = bytes.get(place) {
        if *byte != b'"' || is_cell_begun {
            line += u64::from(*byte == b'\n');
            is_cell_begun = !ends(Some(byte));
            place += 1;
            continue;
        }
        let opened = line;
        place += 1;
        loop {
            match (bytes.get(place), bytes.get(place + 1)) {
                (Some(b'"'), Some(b'"')) => place += 2,
                (Some(b'"'), next) if ends(next) => break,
                (Some(b'"') | None, _) => return Err(TableError::QuoteOpen { line: opened }),
                (Some(byte), _) => {
                    line += u64::from(*byte == b'\n');
                    place += 1;
                }
            }
        }
        (place, is_cell_begun) = (place + 1, true);
    }
    Ok(())
}

/// The lines without anything that a record's position counts to it.
fn blank_lines(text: &str, from: u64) -> u64 {
    let rest = usize::try_from(from).ok().and_then(|from| text.as_bytes().get(from..)).unwrap_or_default();
    let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    blank.filter(|byte| **byte == b'\n').map(|_| 1).sum()
}

/// What parts the cells: of tabs, semicolons and commas outside quotes in the first line, the most frequent.
fn delimiter(text: &str) -> u8 {
    let (mut is_quoted, mut counts) = (false, [(b'\t', 0), (b';', 0), (b',', 0)]);
    for byte in text.bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' if !is_quoted => break,
            _ if is_quoted => {}
            _ => {
                for (delimiter, count) in &mut counts {
                    *count += usize::from(*delimiter == byte);
                }
            }
        }
    }
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .filter(|(_, count)| *count > 0)
        .map_or(b',', |(byte, _)| byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Vec<String>> {
        let table = read(text.as_bytes()).unwrap();
        let rows = table.rows.iter().map(|row| row.cells.iter().map(str::to_owned).collect());
        std::iter::once(table.headers.clone()).chain(rows).collect()
    }

    #[test]
    fn the_delimiter_is_what_parts_the_header() {
        for text in
            ["a,b\n1,2", "a;b\r\n1;2\r\n", "a\tb\n1\t2\n", "\u{feff}a,b\n\n1,2\n,\n", "\"a\",b\n1,\"2\""]
        {
            assert_eq!(cells(text), [["a", "b"], ["1", "2"]], "{text:?}");
        }
        assert_eq!(cells("\"a,b\";c\n1,0;2")[0], ["a,b", "c"]);
        assert_eq!(cells("title\nOne, two"), [vec!["title"], vec!["One", " two"]]);
    }

    #[test]
    fn rows_know_their_lines() {
        let table = read(b"a,b\n\n1,\"x\ny\"\n2,z\n").unwrap();
        assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 5]);
    }

    #[test]
    fn a_cell_in_quotes_ends_where_its_quotes_end() {
        for (text, line) in [
            ("a,b\nx,\"open\ny,z\n", 2),
            ("a\n\"one\ntwo\"\n\"three\nfour", 4),
            // The next quotation mark is none that ends it.
            ("a,b\nx,\"open\ny,\"z\"\n", 2),
            ("a\n\"12\" maxi\"\n", 2),
            ("\"a", 1),
            ("a\n\"", 2),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err(), TableError::QuoteOpen { line }, "{text:?}");
        }
        for (text, cell) in [
            ("a\n\"12\"\" maxi\"", "12\" maxi"),
            ("a\n12\" maxi\n", "12\" maxi"),
            ("a;b\r\n\"x\";\"\"\r\n", "x"),
            ("a\n\"one\r\ntwo\"\r\n", "one\r\ntwo"),
            ("a\n\"\"\"\"", "\""),
        ] {
            assert_eq!(cells(text)[1][0], cell, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_table_of_texts_is_refused() {
        for (bytes, error) in [
            (&b""[..], ImportError::Empty),
            (b"a,b\n", ImportError::Empty),
            (b"a,b\n,\n", ImportError::Empty),
            (b"\xff\xfea\0,\0b\0", ImportError::NotText),
            (b"title\nM\xfcller", ImportError::NotText),
            (b"a\0b\n1", ImportError::NotText),
        ] {
            assert_eq!(read(bytes).unwrap_err(), error.into(), "{bytes:?}");
        }
        let wide = ["x"; COLUMNS_MAX + 1].join(",") + "\n1";
        assert_eq!(read(wide.as_bytes()).unwrap_err(), ImportError::TooManyColumns.into());
        let long = "a\n".to_owned() + &"1\n".repeat(ROWS_MAX + 1);
        assert_eq!(read(long.as_bytes()).unwrap_err(), ImportError::TooManyRows.into());
        assert_eq!(read(&long.as_bytes()[..long.len() - 2]).unwrap().rows.len(), ROWS_MAX);
    }
}
