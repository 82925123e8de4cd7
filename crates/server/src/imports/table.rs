//! Parses a table: cells between commas, semicolons, tabs or bars; the first line is the header.

use csv::StringRecord;
use rules::{
    checked::Refusal,
    import::{COLUMNS_MAX, ImportError, ROW_MAX_BYTES, ROWS_MAX, quote_open},
};

use super::encoding::{Encoding, decoded};

#[derive(Debug)]
pub struct Table {
    /// The header, without trailing columns that are empty throughout.
    pub headers: Vec<String>,
    pub rows: Vec<Row>,
    pub encoding: Encoding,
}

#[derive(Debug, Default)]
pub struct Row {
    pub line: u64,
    /// The cells; with a problem, those before it.
    pub cells: StringRecord,
    /// Why it is refused, whatever its cells contain.
    pub problem: Option<ImportError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error(transparent)]
    Refused(#[from] ImportError),
    #[error("{}", quote_open(*line).message)]
    QuoteOpen { line: u64 },
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Refused(error) => error.into(),
            TableError::QuoteOpen { line } => quote_open(line),
        }
    }
}

/// Reads a table of releases.
pub fn read(bytes: &[u8]) -> Result<Table, TableError> {
    let table = read_up_to(bytes, ROWS_MAX)?;
    if table.rows.is_empty() { Err(ImportError::Empty.into()) } else { Ok(table) }
}

/// Reads a header and at most `most` rows; they may be shorter than the header, or longer by empty cells.
pub fn read_up_to(bytes: &[u8], most: usize) -> Result<Table, TableError> {
    let (text, encoding) = decoded(bytes)?;
    let mut reader = Reader::new(&text);
    let header = reader.row()?.ok_or(ImportError::Empty)?;
    match header.problem {
        Some(ImportError::TooManyCells) => return Err(ImportError::TooManyColumns.into()),
        Some(problem) => return Err(problem.into()),
        None => {}
    }
    let mut width = filled(&header.cells);
    let mut rows = Vec::new();
    while let Some(mut row) = reader.row()? {
        if rows.len() == most {
            return Err(ImportError::TooManyRows.into());
        }
        let columns = filled(&row.cells);
        if columns > header.cells.len() {
            row.problem = row.problem.or(Some(ImportError::TooManyCells));
        } else {
            width = width.max(columns);
        }
        rows.push(row);
    }
    Ok(Table { headers: header.cells.iter().take(width).map(str::to_owned).collect(), rows, encoding })
}

fn filled(cells: &StringRecord) -> usize {
    let filled = cells.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
    filled.last().map_or(0, |(place, _)| place + 1)
}

/// Splits a text into rows. Excess is counted, not stored.
struct Reader<'a> {
    text: &'a str,
    place: usize,
    line: u64,
    delimiter: u8,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        // A first line `sep=;` names the delimiter.
        let first = text.split(['\r', '\n']).next().unwrap_or_default();
        let named = first.trim_matches('"').as_bytes();
        let mut reader = Self { text, place: 0, line: 1, delimiter: delimiter(text) };
        if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] = named
            && (delimiter.is_ascii_punctuation() || *delimiter == b'\t')
        {
            (reader.place, reader.delimiter) = (first.len(), *delimiter);
        }
        reader
    }

    fn byte(&self, place: usize) -> Option<u8> {
        self.text.as_bytes().get(place).copied()
    }

    fn row(&mut self) -> Result<Option<Row>, TableError> {
        while self.place < self.text.len() {
            let mut row = Row { line: self.line, ..Row::default() };
            let mut is_blank = true;
            loop {
                let (cell, is_quoted) = self.cell()?;
                let is_blank_cell = cell.trim().is_empty();
                is_blank &= is_blank_cell;
                if row.cells.as_slice().len() + cell.len() > ROW_MAX_BYTES {
                    row.problem = row.problem.or(Some(ImportError::RowTooLong));
                } else if row.cells.len() == COLUMNS_MAX {
                    if !is_blank_cell {
                        row.problem = row.problem.or(Some(ImportError::TooManyCells));
                    }
                } else if is_quoted {
                    row.cells.push_field(&cell.replace("\"\"", "\""));
                } else {
                    row.cells.push_field(cell);
                }
                if self.byte(self.place) != Some(self.delimiter) {
                    break;
                }
                self.place += 1;
            }
            self.end_line();
            if !is_blank {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// The next cell, and whether it was quoted; quoted text is unescaped.
    ///
    /// Refuses a quoted cell without end, or followed by anything but a delimiter or a line end (RFC 4180, section 2): it would swallow
    /// the rows below.
    fn cell(&mut self) -> Result<(&'a str, bool), TableError> {
        let (text, opened) = (self.text, self.line);
        if self.byte(self.place) != Some(b'"') {
            let rest = text.as_bytes().iter().skip(self.place);
            let from = self.place;
            self.place += rest.take_while(|byte| !self.ends(Some(**byte))).count();
            return Ok((text.get(from..self.place).unwrap_or_default(), false));
        }
        self.place += 1;
        let from = self.place;
        loop {
            let after = self.byte(self.place + 1);
            match self.byte(self.place) {
                Some(b'"') if after == Some(b'"') => self.place += 2,
                Some(b'"') if self.ends(after) => break,
                Some(b'"') | None => return Err(TableError::QuoteOpen { line: opened }),
                Some(b'\r' | b'\n') => self.end_line(),
                Some(_) => self.place += 1,
            }
        }
        self.place += 1;
        Ok((text.get(from..self.place - 1).unwrap_or_default(), true))
    }

    fn ends(&self, byte: Option<u8>) -> bool {
        byte.is_none_or(|byte| byte == self.delimiter || matches!(byte, b'\r' | b'\n'))
    }

    fn end_line(&mut self) {
        self.place += match (self.byte(self.place), self.byte(self.place + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(_), _) => 1,
            (None, _) => return,
        };
        self.line += 1;
    }
}

/// The most frequent of tab, semicolon, bar and comma outside quotes in the first line.
fn delimiter(text: &str) -> u8 {
    let (mut is_quoted, mut counts) = (false, [(b'\t', 0), (b';', 0), (b'|', 0), (b',', 0)]);
    for byte in text.trim_start_matches(['\r', '\n']).bytes() {
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
        for text in [
            "a,b\n1,2",
            "a;b\r\n1;2\r\n",
            "a\tb\n1\t2\n",
            "\u{feff}a,b\n\n1,2\n,\n",
            "\"a\",b\n1,\"2\"",
            "a|b\r1|2\r",
            "\n\na;b\n1;2",
        ] {
            assert_eq!(cells(text), [["a", "b"], ["1", "2"]], "{text:?}");
        }
        assert_eq!(cells("\"a,b\";c\n1,0;2")[0], ["a,b", "c"]);
        assert_eq!(cells("title\nOne, two"), [vec!["title"], vec!["One", " two"]]);
        for text in ["sep=;\r\na,b;c\r\n1;2", "\"sep=;\"\na,b;c\n1;2", "SEP=;\ra,b;c\r1;2"] {
            assert_eq!(cells(text), [["a,b", "c"], ["1", "2"]], "{text:?}");
        }
        assert_eq!(cells("sep=\na"), [["sep="], ["a"]]);
    }

    #[test]
    fn columns_and_rows_at_the_end_that_are_empty_are_none() {
        assert_eq!(
            cells("a,b,,,\n1,2,,\n,,,\n3,,,,,,\n,,\n\n")[..2],
            [["a", "b"].to_vec(), ["1", "2", "", ""].to_vec()]
        );
        assert_eq!(read(b"a,b,,,\n1,2,,\n3,,,,,,\n").unwrap().headers, ["a", "b"]);
        assert_eq!(read(b"a,,\n1,,x\n").unwrap().headers, ["a", "", ""]);
        let spread = "a".to_owned() + &",".repeat(16_383) + "\n1" + &",".repeat(16_383);
        assert_eq!(cells(&spread)[0], ["a"]);
    }

    #[test]
    fn what_a_row_may_not_have_is_not_kept() {
        let problems = |text: &str| {
            let rows = read(text.as_bytes()).unwrap().rows;
            rows.iter().map(|row| (row.line, row.problem, row.cells.len())).collect::<Vec<_>>()
        };
        let wide = "1,".repeat(1_000_000);
        let long = "x".repeat(ROW_MAX_BYTES);
        assert_eq!(
            problems(&format!("a,b\n{wide}\n1,{long}\n1,2\n1,2,3\n\"{long}\",\n")),
            [
                (2, Some(ImportError::TooManyCells), COLUMNS_MAX),
                (3, Some(ImportError::RowTooLong), 1),
                (4, None, 2),
                (5, Some(ImportError::TooManyCells), 3),
                (6, None, 2),
            ]
        );
    }

    #[test]
    fn rows_know_their_lines() {
        let table = read(b"a,b\n\n1,\"x\ny\"\n2,z\n").unwrap();
        assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 5]);
        let table = read(b"a,b\r\r1,\"x\ry\"\r2,z\r").unwrap();
        assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 5]);
        assert_eq!(read(b"sep=,\na,b\n1,2").unwrap().rows[0].line, 3);
    }

    #[test]
    fn a_cell_in_quotes_ends_where_its_quotes_end() {
        for (text, line) in [
            ("a,b\nx,\"open\ny,z\n", 2),
            ("a\n\"one\ntwo\"\n\"three\nfour", 4),
            // The next quotation mark does not end it.
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
            (b"\xff\xfea\0,\0b\0", ImportError::Empty),
            (b",,\n,,\n", ImportError::Empty),
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
