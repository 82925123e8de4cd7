//! CSV lines, in which nothing looks like a formula to a spreadsheet.

use bytes::Bytes;
use rules::spreadsheet::guarded;

/// The byte order mark, by which spreadsheets recognise UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

pub(super) struct Lines(csv::Writer<Vec<u8>>);

impl Lines {
    pub(super) fn begin() -> Self {
        Self::after(MARK.to_vec())
    }

    pub(super) fn more() -> Self {
        Self::after(Vec::new())
    }

    fn after(bytes: Vec<u8>) -> Self {
        Self(csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(bytes))
    }

    pub(super) fn add<T: AsRef<str>>(
        &mut self,
        cells: impl IntoIterator<Item = T>,
    ) -> Result<(), csv::Error> {
        for cell in cells {
            self.0.write_field(guarded(cell.as_ref()).as_bytes())?;
        }
        self.0.write_record(None::<&[u8]>)
    }

    pub(super) fn finish(self) -> Result<Bytes, csv::Error> {
        let bytes = self
            .0
            .into_inner()
            .map_err(|error| csv::Error::from(std::io::Error::other(error.to_string())))?;
        Ok(bytes.into())
    }
}
