//! A table as it is sent: CSV with commas or semicolons, or TSV, in UTF-8, its first line the header.

use csv::{ReaderBuilder, StringRecord};
use rules::import::{COLUMNS_MAX, ImportError, ROWS_MAX};

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

/// Reads a table; rows may be shorter or longer than the header.
pub fn read(bytes: &[u8]) -> Result<Table, ImportError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ImportError::NotText)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\0') {
        return Err(ImportError::NotText);
    }
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(text))
        .flexible(true)
        .has_headers(true)
        .from_reader(text.as_bytes());
    let headers: Vec<String> =
        reader.headers().map_err(|_| ImportError::NotText)?.iter().map(str::to_owned).collect();
    if headers.len() > COLUMNS_MAX {
        return Err(ImportError::TooManyColumns);
    }
    let mut rows = Vec::new();
    let mut cells = StringRecord::new();
    while reader.read_record(&mut cells).map_err(|_| ImportError::NotText)? {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if rows.len() == ROWS_MAX {
            return Err(ImportError::TooManyRows);
        }
        let line =
            cells.position().map_or(0, |position| position.line() + blank_lines(text, position.byte()));
        rows.push(Row { line, cells: cells.clone() });
    }
    if rows.is_empty() { Err(ImportError::Empty) } else { Ok(Table { headers, rows }) }
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
    fn what_is_no_table_of_texts_is_refused() {
        for (bytes, error) in [
            (&b""[..], ImportError::Empty),
            (b"a,b\n", ImportError::Empty),
            (b"a,b\n,\n", ImportError::Empty),
            (b"\xff\xfea\0,\0b\0", ImportError::NotText),
            (b"title\nM\xfcller", ImportError::NotText),
            (b"a\0b\n1", ImportError::NotText),
        ] {
            assert_eq!(read(bytes).unwrap_err(), error, "{bytes:?}");
        }
        let wide = ["x"; COLUMNS_MAX + 1].join(",") + "\n1";
        assert_eq!(read(wide.as_bytes()).unwrap_err(), ImportError::TooManyColumns);
        let long = "a\n".to_owned() + &"1\n".repeat(ROWS_MAX + 1);
        assert_eq!(read(long.as_bytes()).unwrap_err(), ImportError::TooManyRows);
        assert_eq!(read(&long.as_bytes()[..long.len() - 2]).unwrap().rows.len(), ROWS_MAX);
    }
}
